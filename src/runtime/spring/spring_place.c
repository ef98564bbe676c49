// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "runtime/spring/spring_step.h"

static const vrmi_spring_stretch unstretched = {{1.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.0f, 1.0f}};

// --- an update -----------------------------------------------------------------------------------------------------

// Returns true if a node of spring_path differs from the pose in the model's rows.
static bool is_posed(const vrm_instance *instance, uint32_t node)
{
    if (!vrmi_has_pose(instance, node)) {
        return false;
    }
    const vrm_transform *local = vrmi_local(instance, node), *rest = &vrmi_model_node_rest(instance->model)[node];
    return !vrmi_vec3_same(local->translation, rest->translation) || !vrmi_vec3_same(local->scale, rest->scale) ||
           (!vrmi_spring_turns(instance->model, node) && !vrmi_quat_same(local->rotation, rest->rotation));
}

// Returns true if any node of spring_path is posed. Checks only nodes that the host has set or that earlier stages
// write, because no others can be posed.
static bool any_posed(const vrm_instance *instance)
{
    const vrmi_model *model = instance->model;
    const uint32_t *path = vrmi_model_spring_path(model), *watched = vrmi_model_spring_watch(model);
    bool posed = false;
    for (uint32_t i = 0; i < model->spring_watch.count && !posed; ++i) {
        posed = is_posed(instance, watched[i]);
    }
    for (uint32_t word = 0; word < model->spring_path.count && !posed; ++word) {
        uint32_t set = (instance->local_set ? ~0u : instance->input_set[word]) & path[word];
        for (uint32_t node = 32 * word; set != 0 && !posed; ++node, set >>= 1) {
            posed = (set & 1u) != 0 && is_posed(instance, node);
        }
    }
    return posed;
}

// Classifies the stretch of an anchor. Returns true if there is any.
static bool classify(vrm_instance *instance, uint32_t index)
{
    vrmi_spring_anchor *anchor = &instance->spring_anchor[index];
    float *m = instance->spring_stretch[index].m;
    const vrm_mat34 stretch = {{{m[0], m[1], m[2], 0.0f}, {m[3], m[4], m[5], 0.0f}, {m[6], m[7], m[8], 0.0f}}};
    const float even = vrmi_spring_even_scale(&stretch);
    anchor->stretch = even == 1.0f  ? VRMI_SPRING_UNSTRETCHED
                      : even > 0.0f ? VRMI_SPRING_STRETCHED_EVENLY
                                    : VRMI_SPRING_STRETCHED;
    anchor->scale = even > 0.0f ? even : vrmi_mat34_max_scale(&stretch);
    for (int k = 0; k < 9 && even > 0.0f; ++k) {
        m[k] = k % 4 == 0 ? even : 0.0f;
    }
    return anchor->stretch != VRMI_SPRING_UNSTRETCHED;
}

// Sets an anchor's stretch to the matrix from the axes of `rotation` to the columns of `linear`. Returns true if there
// is any stretch.
static bool set_stretch(vrm_instance *instance, uint32_t index, vrm_quat rotation, const vrm_mat34 *linear, float scale)
{
    const vrm_quat inverse = vrmi_quat_conjugate(rotation);
    float *out = instance->spring_stretch[index].m;
    for (int k = 0; k < 3; ++k) {
        const vrm_vec3 column = {linear->m[0][k] * scale, linear->m[1][k] * scale, linear->m[2][k] * scale};
        const vrm_vec3 turned = vrmi_quat_rotate(inverse, column);
        out[k] = turned.x;
        out[3 + k] = turned.y;
        out[6 + k] = turned.z;
    }
    return classify(instance, index);
}

void vrmi_spring_set_stretch(vrm_instance *instance, uint32_t index, const vrmi_spring_stretch *stretch)
{
    instance->spring_stretch[index] = stretch != NULL ? *stretch : unstretched;
    (void)classify(instance, index);
}

void vrmi_spring_clear_anchor(vrm_instance *instance, uint32_t index, float fold)
{
    const vrmi_pose origin = {.rotation = vrmi_quat_identity()};
    instance->spring_anchor[index] = (vrmi_spring_anchor){
        .scale = 1.0f, .fold = fold, .last = origin, .tick = origin, .now = origin, .pose = origin, .ahead = origin};
    instance->spring_stretch[index] = unstretched;
}

// Finds the stretched anchors. They are checked only if a scale is uneven at rest, or after a node's scale has changed.
static void find_stretches(vrm_instance *instance)
{
    vrmi_spring_globals *springs = &instance->springs;
    const bool were = springs->stretched;
    springs->stretched = springs->posed;
    for (uint32_t i = 0; i < vrmi_spring_anchor_count(instance); ++i) {
        const vrmi_spring_anchor_row *row = vrmi_spring_anchor_row_of(instance, i);
        springs->stretched |= row->uneven != 0;
        if (row->carrier < 0 && row->node != -2 && (instance->scaled || row->uneven != 0)) {
            const vrm_mat34 *world = row->node >= 0 ? &instance->world[row->node] : &instance->root_world;
            const float unscaled = 1.0f / (instance->root.scale * row->scale);
            springs->stretched |= set_stretch(instance, i, instance->spring_anchor[i].now.rotation, world, unscaled);
        }
    }
    // Anchors on joints keep their stretch from update to update, so it is reset here.
    for (uint32_t i = 0; were && !springs->stretched && i < vrmi_spring_anchor_count(instance); ++i) {
        vrmi_spring_set_stretch(instance, i, NULL);
    }
}

void vrmi_spring_forget_host(vrm_instance *instance, uint32_t slot)
{
    vrmi_spring_host *host = &instance->spring_host[slot];
    vrmi_spring_anchor *anchor = &instance->spring_anchor[instance->model->spring_anchor.count + slot];
    host->last_offset = host->collider.offset;
    host->last_tail = host->collider.tail;
    if (host->anchor.node != -2) {
        anchor->last = anchor->tick = host->anchor.carrier >= 0 ? anchor->pose : anchor->now;
    }
    host->jumped = false;
}

// Lists the host colliders in use, in the form of the avatar's colliders.
static void list_hosts(vrm_instance *instance)
{
    instance->springs.host_count = 0;
    for (uint32_t i = 0; i < instance->def.host_colliders; ++i) {
        vrmi_spring_host *host = &instance->spring_host[i];
        const vrm_host_collider_def *def = &host->collider;
        const uint32_t index = instance->model->collider.count + i;
        host->placed =
            (vrmi_collider_row){def->shape, 0, vrmi_vec3_from(def->offset), vrmi_vec3_from(def->tail), def->radius};
        instance->spring_collider[index] = instance->spring_ahead[index] =
            (vrmi_spring_collider){.shape = (uint32_t)def->shape, .chain = def->chain};
        if (host->used && def->enabled) {
            instance->spring_host_enabled[instance->springs.host_count++] = index;
        }
    }
    instance->springs.met_count = instance->springs.host_count + (instance->springs.settings.ground ? 1 : 0);
}

// Assigns frames to the rows whose joints move host colliders: after the model's frames, one for each slot.
static void assign_frames(vrm_instance *instance)
{
    const vrmi_model *model = instance->model;
    for (uint32_t i = 0; instance->def.host_colliders != 0 && i < model->spring_row.count; ++i) {
        instance->spring_row_frame[i] = vrmi_model_spring_row(model)[i].frame;
    }
    for (uint32_t i = 0; i < instance->def.host_colliders; ++i) {
        const int32_t carrier = instance->spring_host[i].anchor.carrier;
        if (instance->spring_host[i].anchor.node == -2 || carrier < 0) {
            continue;
        }
        int32_t *frame = &instance->spring_row_frame[carrier / VRMI_LANES];
        *frame = *frame >= 0 ? *frame : (int32_t)(model->spring_frame.count + i);
    }
}

void vrmi_spring_refresh(vrm_instance *instance)
{
    vrmi_spring_globals *springs = &instance->springs;
    const vrmi_model *model = instance->model;
    if (springs->hosts_changed) {
        list_hosts(instance);
        assign_frames(instance);
        springs->hosts_changed = false;
    }
    springs->posed = any_posed(instance);
    instance->local_set = false;
    const vrmi_spring_kernels *kernels = vrmi_spring_kernels_of(instance->lanes);
    kernels->anchors(instance, 0, vrmi_model_spring_wave(model)[0].anchor_count);
    kernels->anchors(instance, model->spring_anchor.count, instance->def.host_colliders);
    for (uint32_t i = vrmi_model_spring_wave(model)[0].anchor_count; i < vrmi_spring_anchor_count(instance); ++i) {
        const vrmi_spring_anchor_row *row = vrmi_spring_anchor_row_of(instance, i);
        instance->spring_anchor[i].fold = springs->posed && row->carrier >= 0 ? 1.0f : row->scale;
    }
    find_stretches(instance);
}

void vrmi_spring_keep(vrm_instance *instance)
{
    for (uint32_t i = 0; i < vrmi_spring_anchor_count(instance); ++i) {
        instance->spring_anchor[i].last = instance->spring_anchor[i].now;
    }
    for (uint32_t i = 0; i < instance->def.host_colliders; ++i) {
        vrmi_spring_host *host = &instance->spring_host[i];
        host->last_offset = host->collider.offset;
        host->last_tail = host->collider.tail;
    }
}

// --- a step --------------------------------------------------------------------------------------------------------

// Interpolates between the poses of two updates. Each pose is taken relative to its root, whose rotation is
// interpolated separately. So a rotating root moves everything on an arc, and hair that must not feel the rotation is
// moved on the same arc.
static vrmi_pose pose_between(const vrm_instance *instance, const vrmi_spring_anchor *anchor, float t)
{
    const vrm_quat was = instance->springs.root.rotation, is = instance->root.rotation;
    if (vrmi_quat_same(was, is)) { // the formula below would round even if the poses are equal
        return (vrmi_pose){vrmi_vec3_lerp(anchor->last.position, anchor->now.position, t),
            vrmi_quat_nlerp(anchor->last.rotation, anchor->now.rotation, t)};
    }
    const vrm_quat from_was = vrmi_quat_conjugate(was), from_is = vrmi_quat_conjugate(is);
    const vrm_quat root = vrmi_quat_nlerp(was, is, t);
    const vrm_vec3 position = vrmi_vec3_lerp(
        vrmi_quat_rotate(from_was, anchor->last.position), vrmi_quat_rotate(from_is, anchor->now.position), t);
    const vrm_quat rotation = vrmi_quat_nlerp(
        vrmi_quat_mul(from_was, anchor->last.rotation), vrmi_quat_mul(from_is, anchor->now.rotation), t);
    return (vrmi_pose){vrmi_quat_rotate(root, position), vrmi_quat_unit(vrmi_quat_mul(root, rotation))};
}

void vrmi_spring_place_anchors(vrm_instance *instance, const vrmi_spring_step *step)
{
    const vrmi_rigid carry = vrmi_spring_step_carry(step);
    for (uint32_t i = 0; i < vrmi_spring_anchor_count(instance); ++i) {
        vrmi_spring_anchor *anchor = &instance->spring_anchor[i];
        const vrmi_spring_anchor_row *row = vrmi_spring_anchor_row_of(instance, i);
        if (row->node == -2) {
            continue; // an empty slot: the anchor stays at the origin
        }
        if (row->carrier >= 0) {
            anchor->pose = anchor->tick;
            vrmi_rigid_pose(&carry, &anchor->pose);
        } else if (step->between > 1.0 - 1e-6) {
            anchor->pose = anchor->now; // exact, whereas interpolation would round
        } else {
            anchor->pose = pose_between(instance, anchor, (float)step->between);
        }
    }
}

static vrmi_pose pose_ahead(const vrmi_spring_anchor *anchor, const vrmi_spring_step *step)
{
    const vrmi_rigid carry = vrmi_spring_step_carry(step);
    vrmi_pose tick = anchor->tick;
    vrmi_rigid_pose(&carry, &tick);
    const float t = 1.0f / step->part;
    return (vrmi_pose){vrmi_vec3_lerp(tick.position, anchor->pose.position, t),
        vrmi_quat_nlerp(tick.rotation, anchor->pose.rotation, t)};
}

void vrmi_spring_look_ahead(vrm_instance *instance, const vrmi_spring_step *step)
{
    for (uint32_t i = 0; i < vrmi_spring_anchor_count(instance); ++i) {
        if (vrmi_spring_anchor_row_of(instance, i)->node != -2) {
            instance->spring_anchor[i].ahead = pose_ahead(&instance->spring_anchor[i], step);
        }
    }
}

static void place_carried(vrm_instance *instance, uint32_t first, uint32_t count, const vrmi_spring_step *step)
{
    if (count == 0) {
        return;
    }
    vrmi_spring_kernels_for(instance, count)->carried(instance, first, count);
    for (uint32_t i = first; i < first + count; ++i) {
        if (instance->springs.stretched) {
            (void)classify(instance, i);
        }
        if (step->kind == VRMI_SPRING_STEP_LOOK_AHEAD) {
            instance->spring_anchor[i].ahead = pose_ahead(&instance->spring_anchor[i], step);
        }
    }
}

void vrmi_spring_place_carried(vrm_instance *instance, uint32_t wave, const vrmi_spring_step *step)
{
    const vrmi_spring_wave_row *row = &vrmi_model_spring_wave(instance->model)[wave];
    place_carried(instance, row->first_anchor, row->anchor_count, step);
    for (uint32_t i = 0; i < instance->def.host_colliders; ++i) {
        const vrmi_spring_anchor_row *host = &instance->spring_host[i].anchor;
        if (host->node != -2 && host->carrier >= 0 && host->wave == wave) {
            place_carried(instance, instance->model->spring_anchor.count + i, 1, step);
        }
    }
}

void vrmi_spring_keep_ticks(vrm_instance *instance)
{
    for (uint32_t i = 0; i < vrmi_spring_anchor_count(instance); ++i) {
        instance->spring_anchor[i].tick = instance->spring_anchor[i].pose;
    }
}

// --- host colliders ------------------------------------------------------------------------------------------------

// Places a host collider that is in the world: interpolates from its position in the last update.
static void place_in_world(const vrm_instance *instance, double t, vrmi_spring_host *host)
{
    const vrm_host_collider_def *collider = &host->collider;
    const double scale = 1.0 / (double)instance->root.scale;
    const vrm_dvec3 origin = vrmi_dvec3_lerp(instance->springs.root.translation, instance->root.translation, t);
    const vrm_dvec3 offset = vrmi_dvec3_lerp(host->last_offset, collider->offset, t);
    const vrm_dvec3 tail = vrmi_dvec3_lerp(host->last_tail, collider->tail, t);
    const vrm_dvec3 end = vrmi_dvec3_scale(vrmi_dvec3_sub(tail, origin), scale);
    host->placed.offset = vrmi_vec3_from(vrmi_dvec3_scale(vrmi_dvec3_sub(offset, origin), scale));
    host->placed.tail = vrmi_vec3_from(collider->shape == VRM_COLLIDER_PLANE ? tail : end);
    host->placed.radius = collider->radius * (float)scale;
}

// Places the ground. It does not move in the world, so it is at the same height when a tick ends.
static void place_ground(vrm_instance *instance, double t)
{
    const vrm_dvec3 origin = vrmi_dvec3_lerp(instance->springs.root.translation, instance->root.translation, t);
    const double height = instance->springs.settings.ground_height - origin.y;
    instance->springs.ground = (float)(height / (double)instance->root.scale);
}

void vrmi_spring_place_colliders(vrm_instance *instance, uint32_t wave, const vrmi_spring_step *step, bool ahead)
{
    const vrmi_model *model = instance->model;
    const vrmi_spring_wave_row *row = &vrmi_model_spring_wave(model)[wave];
    const vrmi_spring_kernels *kernels = vrmi_spring_kernels_of(instance->lanes);
    const uint32_t *hosts = instance->spring_host_enabled, host_count = instance->springs.host_count;
    kernels->colliders(
        instance, vrmi_model_spring_wave_collider(model) + row->first_collider, row->collider_count, ahead);
    for (uint32_t i = 0; i < host_count; ++i) {
        vrmi_spring_host *host = &instance->spring_host[hosts[i] - model->collider.count];
        if (wave != 0 && host->anchor.wave == wave) {
            vrmi_spring_kernels_for(instance, 1)->colliders(instance, &hosts[i], 1, ahead);
        } else if (wave == 0 && host->anchor.node == -2) {
            place_in_world(instance, step->between, host);
        }
    }
    kernels->colliders(instance, hosts, wave == 0 ? host_count : 0, ahead);
    if (wave == 0 && instance->springs.settings.ground) {
        place_ground(instance, step->between);
    }
}

void vrmi_spring_attach_host(vrm_instance *instance, uint32_t slot, int32_t node)
{
    const vrmi_model *model = instance->model;
    vrmi_spring_anchor_row *row = &instance->spring_host[slot].anchor;
    *row = (vrmi_spring_anchor_row){.node = -2, .carrier = VRMI_SPRING_NONE, .scale = 1.0f, .base = 1.0f};
    if (node != -2) {
        vrmi_spring_find_anchor(model, node, model->spring_anchor.count + slot, row);
    }
    vrmi_spring_clear_anchor(instance, model->spring_anchor.count + slot, row->scale);
    instance->springs.hosts_changed = true;
}
