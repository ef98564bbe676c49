// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// What springs need beside the model's tables, found once: drivers, who carries them, limits without angles.

#include "runtime/spring/spring_group.h"
#include "runtime/spring/spring_run.h"
#include "runtime/spring/spring_show.h"

#include <string.h>

enum { EXACT_COUNT_MAX = 512 }; // up to here drivers are counted exactly, in quadratic time; above, an upper bound

// The i-th of the nodes that drive springs, with repetitions: parents of chain roots, centers, colliders' nodes.
static int32_t candidate(const vrmi_model *model, uint32_t i)
{
    const uint32_t chains = model->spring_chain.count;
    if (i >= 2 * chains) {
        return (int32_t)vrmi_model_collider(model)[i - 2 * chains].node;
    }
    const vrmi_chain_row *chain = &vrmi_model_spring_chain(model)[i % chains];
    if (chain->joint_count == 0) {
        return -1;
    }
    const uint32_t root = vrmi_model_spring_joint(model)[chain->first_joint].node;
    const int32_t parent = vrmi_model_node_parent(model)[root];
    // A center on the chain's own first joint is its parent's space: with the joint's own swing in it the spring would
    // be measured by itself. (three-vrm does feed last frame's swing back there.)
    return i < chains || chain->center < 0 || (uint32_t)chain->center == root ? parent : chain->center;
}

static uint32_t candidate_count(const vrmi_model *model)
{
    return 2 * model->spring_chain.count + model->collider.count;
}

uint32_t vrmi_spring_driver_capacity(const vrmi_model *model, const vrm_instance_def *def)
{
    const uint32_t count = candidate_count(model);
    uint32_t needed = count < model->node_parent.count + 1 ? count : model->node_parent.count + 1;
    if (count <= EXACT_COUNT_MAX) {
        needed = 0;
        for (uint32_t i = 0; i < count; ++i) {
            uint32_t before = 0;
            while (before < i && candidate(model, before) != candidate(model, i)) {
                ++before;
            }
            needed += before == i;
        }
    }
    return needed + def->host_colliders;
}

uint32_t vrmi_spring_limit_count(const vrmi_model *model)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < model->spring_joint.count; ++i) {
        count += vrmi_model_spring_joint(model)[i].limit.type != VRM_SPRING_LIMIT_NONE;
    }
    return count;
}

// Sort key: the item itself, or the carrier of the driver that it is the index of.
static uint64_t key(const vrmi_spring_driver *drivers, uint32_t item)
{
    return drivers == NULL ? item : ((uint64_t)(uint32_t)drivers[item].carrier << 32) | item;
}

static void sift(uint32_t *items, uint32_t start, uint32_t count, const vrmi_spring_driver *drivers)
{
    uint32_t at = start;
    while (2 * at + 1 < count) {
        uint32_t child = 2 * at + 1;
        if (child + 1 < count && key(drivers, items[child + 1]) > key(drivers, items[child])) {
            ++child;
        }
        if (key(drivers, items[at]) >= key(drivers, items[child])) {
            return;
        }
        const uint32_t moved = items[at];
        items[at] = items[child];
        items[child] = moved;
        at = child;
    }
}

// Heap sort: in place, and as fast for hostile files as for others.
static void sort(uint32_t *items, uint32_t count, const vrmi_spring_driver *drivers)
{
    for (uint32_t i = count / 2; i-- > 0;) {
        sift(items, i, count, drivers);
    }
    for (uint32_t end = count; end > 1; --end) {
        const uint32_t last = items[end - 1];
        items[end - 1] = items[0];
        items[0] = last;
        sift(items, 0, end - 1, drivers);
    }
}

static uint32_t find_driver(const vrm_instance *instance, int32_t node)
{
    uint32_t low = 0, high = instance->springs.driver_count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (instance->spring_driver[middle].node <= node) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

int32_t vrmi_spring_carrier(const vrm_instance *instance, int32_t node)
{
    const vrm_spring_joint *joints = vrmi_model_spring_joint(instance->model);
    const uint32_t *ends = vrmi_model_node_subtree_end(instance->model);
    int32_t carrier = -1;
    // Among the joints above a node the nearest has the highest number: node order is depth-first.
    for (uint32_t i = 0; node >= 0 && i < instance->model->spring_joint.count; ++i) {
        const uint32_t joint_node = joints[i].node;
        if (joint_node <= (uint32_t)node && (uint32_t)node < ends[joint_node] &&
            (carrier < 0 || joint_node > joints[carrier].node)) {
            carrier = (int32_t)i;
        }
    }
    return carrier;
}

void vrmi_spring_sort_carried(vrm_instance *instance)
{
    vrmi_spring_globals *springs = &instance->springs;
    const uint32_t rows = springs->driver_count + instance->def.host_colliders;
    springs->carried_count = 0;
    for (uint32_t i = 0; i < rows; ++i) {
        if (instance->spring_driver[i].node != -2 && instance->spring_driver[i].carrier >= 0) {
            instance->spring_carried[springs->carried_count++] = i;
        }
    }
    sort(instance->spring_carried, springs->carried_count, instance->spring_driver);
    vrmi_spring_find_plain(instance);
}

// The drivers' nodes, each once, in node order.
static void list_drivers(vrm_instance *instance)
{
    const vrmi_model *model = instance->model;
    const uint32_t capacity = vrmi_spring_driver_capacity(model, &instance->def);
    const uint32_t room = capacity - instance->def.host_colliders;
    uint32_t *nodes = instance->spring_carried; // not in use yet
    uint32_t count = 0;
    // More candidates than room: sort and make unique whenever the room is full. Full of unique ones, it has them all.
    for (uint32_t i = 0; i < candidate_count(model) && count < room; ++i) {
        nodes[count++] = (uint32_t)(candidate(model, i) + 1);
        if (count == room || i + 1 == candidate_count(model)) {
            sort(nodes, count, NULL);
            uint32_t kept = 0;
            for (uint32_t k = 0; k < count; ++k) {
                if (kept == 0 || nodes[kept - 1] != nodes[k]) {
                    nodes[kept++] = nodes[k];
                }
            }
            count = kept;
        }
    }
    for (uint32_t i = 0; i < capacity; ++i) {
        instance->spring_driver[i] = (vrmi_spring_driver){
            .node = i < count ? (int32_t)nodes[i] - 1 : -2,
            .carrier = -1,
            .scale = 1.0f,
            .last = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f}},
            .tick = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f}},
            .now = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f}},
            .pose = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f}},
        };
    }
    instance->springs.driver_count = count;
}

// Carriers of all drivers in one walk over drivers and joints: both lie in node order once joints are marked.
static void find_carriers(vrm_instance *instance)
{
    const vrmi_model *model = instance->model;
    const vrm_spring_joint *joints = vrmi_model_spring_joint(model);
    const int32_t *parents = vrmi_model_node_parent(model);
    // The output stage's hashes serve as marks for a moment; everything counts as changed after this anyway.
    uint32_t *carrier = instance->node_hash;
    const uint32_t nodes = model->node_parent.count;
    memset(carrier, 0, nodes * sizeof(*carrier));
    for (uint32_t i = 0; i < model->spring_joint.count; ++i) {
        carrier[joints[i].node] = i + 1;
    }
    for (uint32_t node = 0; node < nodes; ++node) {
        if (carrier[node] == 0 && parents[node] >= 0) {
            carrier[node] = carrier[parents[node]];
        }
        instance->spring_moves[node / 32] |= (carrier[node] != 0 ? 1u : 0u) << node % 32;
    }
    for (uint32_t i = 0; i < instance->springs.driver_count; ++i) {
        vrmi_spring_driver *driver = &instance->spring_driver[i];
        driver->carrier = driver->node < 0 ? -1 : (int32_t)carrier[driver->node] - 1;
    }
    memset(carrier, 0, nodes * sizeof(*carrier));
}

static void prepare_limits(vrm_instance *instance)
{
    const vrm_spring_joint *joints = vrmi_model_spring_joint(instance->model);
    uint32_t next = 0;
    for (uint32_t i = 0; i < instance->model->spring_joint.count; ++i) {
        const vrm_spring_limit *limit = &joints[i].limit;
        if (limit->type == VRM_SPRING_LIMIT_NONE) {
            continue;
        }
        const vrm_vec3 up = {0.0f, 1.0f, 0.0f};
        const vrm_vec3 axis = vrmi_vec3_normalize_or(joints[i].tail, up);
        // For a bone along -Y the text asks for half a turn about X, which is what from_to() does.
        const vrm_quat axis_rotation = vrmi_quat_from_to(up, axis);
        vrmi_spring_limit_data *data = &instance->spring_limit[next++];
        data->rotation = vrmi_quat_mul(axis_rotation, vrmi_quat_normalize(limit->rotation));
        data->type = limit->type;
        vrmi_sincos(vrmi_clamp(limit->angle, 0.0f, VRMI_PI), &data->sin_angle, &data->cos_angle);
        float unused;
        vrmi_sincos(vrmi_clamp(limit->yaw, 0.0f, 0.5f * VRMI_PI), &data->sin_yaw, &unused);
        if (limit->angle >= VRMI_PI) {
            data->cos_angle = -2.0f; // no direction is below it: no limit
        }
    }
}

static void prepare_chains(vrm_instance *instance)
{
    const vrmi_model *model = instance->model;
    const vrm_spring_joint *joints = vrmi_model_spring_joint(model);
    const uint32_t chains = model->spring_chain.count;
    uint32_t limits = 0;
    for (uint32_t i = 0; i < chains; ++i) {
        const vrmi_chain_row *row = &vrmi_model_spring_chain(model)[i];
        vrmi_spring_chain_state *chain = &instance->spring_chain_state[i];
        *chain = (vrmi_spring_chain_state){
            .weight = 1.0f,
            .root = find_driver(instance, candidate(model, i)),
            .center = row->center < 0 ? -1 : (int32_t)find_driver(instance, candidate(model, chains + i)),
            .first_limit = limits,
            .tips = vrmi_spring_first_tip(model, i),
            .live = row->joint_count,
            .center_tick = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f}},
        };
        for (uint32_t j = 0; j < row->joint_count; ++j) {
            limits += joints[row->first_joint + j].limit.type != VRM_SPRING_LIMIT_NONE;
        }
    }
    for (uint32_t i = 0; i < model->collider.count; ++i) {
        instance->spring_collider_driver[i] = find_driver(instance, (int32_t)vrmi_model_collider(model)[i].node);
        instance->spring_collider[i].side = vrmi_spring_side(vrmi_model_collider(model)[i].shape);
    }
}

void vrmi_spring_init(vrm_instance *instance)
{
    vrmi_spring_globals *springs = &instance->springs;
    *springs = (vrmi_spring_globals){.pending = VRMI_SPRING_PENDING_RESET, .may_scale = true};
    vrm_spring_settings_default(&springs->settings);
    springs->turn = vrmi_quat_identity();
    springs->root = springs->platform = springs->platform_last = instance->root;
    for (uint32_t i = 0; i < instance->def.host_colliders; ++i) {
        instance->spring_host[i] = (vrmi_spring_host){.jumped = true};
        vrm_host_collider_default(&instance->spring_host[i].collider);
        instance->spring_host_collider[i] = (vrmi_spring_collider){.chain = -2};
    }
    list_drivers(instance);
    if (instance->model->spring_joint.count == 0) {
        springs->driver_count = 0;
        return;
    }
    find_carriers(instance);
    prepare_limits(instance);
    prepare_chains(instance);
    vrmi_spring_sort_carried(instance);
    vrmi_spring_find_subtrees(instance);
    if (instance->def.spring_parameters) {
        memcpy(instance->spring_params, vrmi_model_spring_param_lanes(instance->model),
            instance->model->spring_param_lanes.count * sizeof(*instance->spring_params));
    }
    vrmi_spring_refresh_drivers(instance);
    vrmi_spring_show_rest(instance);
    vrmi_spring_stand(instance);
}
