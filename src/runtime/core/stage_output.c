// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Computes the renderer's input: palettes, boxes, the viewpoint and UV animation. Also finds which of these have
// changed.

#include "runtime/core/hair_pose.h"
#include "runtime/core/kernel_matrix.h"
#include "runtime/core/output.h"
#include "runtime/stages.h"

#include <string.h>

static bool bit(const uint32_t *bits, uint32_t index)
{
    return (bits[index / 32] >> (index % 32) & 1u) != 0;
}
static void set_bit(uint32_t *bits, uint32_t index)
{
    bits[index / 32] |= 1u << (index % 32);
}

// Returns a hash of a transform's ten floats: a sum of products with odd constants, whose high bits are used. The upper
// half of each word is first combined with its lower half. Otherwise the signs of two upper floats could cancel out.
static uint64_t hash_of(const vrm_transform *transform)
{
    enum { WORDS = sizeof(vrm_transform) / sizeof(uint64_t) };
    static const uint64_t factors[WORDS] = {
        0x9e3779b97f4a7c15u, 0xff51afd7ed558ccdu, 0xc4ceb9fe1a85ec53u, 0xbf58476d1ce4e5b9u, 0x94d049bb133111ebu};
    _Static_assert(sizeof(vrm_transform) == WORDS * sizeof(uint64_t), "the hash reads 64-bit words");
    uint64_t hash = 0;
    for (uint32_t i = 0; i < WORDS; ++i) {
        uint64_t word;
        memcpy(&word, (const char *)transform + i * sizeof(word), sizeof(word));
        hash += (word ^ word >> 32) * factors[i];
    }
    return hash;
}

// Stores the root. Returns true if it has moved since the last call.
static bool keep_root(vrm_instance *instance)
{
    const bool moved = memcmp(&instance->root_seen, &instance->root_world, sizeof(instance->root_world)) != 0;
    instance->root_seen = instance->root_world;
    return moved;
}

// Returns a bit for each of at most 32 nodes whose hash has changed. Nodes in `skipped` are not checked.
static uint32_t find_changed_locals(vrm_instance *instance, uint32_t first, uint32_t end, uint32_t skipped)
{
    uint32_t *high = instance->node_hash;
    uint8_t *low = instance->node_hash_low;
    uint32_t word = 0;
    for (uint32_t node = first, bit = 1; node < end; ++node, bit <<= 1) {
        if ((skipped & bit) != 0) {
            continue;
        }
        vrm_transform room;
        const uint64_t hash = hash_of(vrmi_pose_at(instance, node, &room));
        const uint32_t now_high = (uint32_t)(hash >> 32), now_low = (uint32_t)(hash >> 24) & 0xffu;
        const uint32_t differs = (high[node] ^ now_high) | (low[node] ^ now_low);
        high[node] = now_high;
        low[node] = (uint8_t)now_low;
        word |= differs != 0 ? bit : 0;
    }
    return word;
}

// Sets the change bit of each node whose world transform may have changed, because its local transform, its parent's
// world transform or the root has changed.
//
// Only 40 bits of a hash are stored: 5 bytes per node instead of a copy of 40 bytes. One change in 2^40 is missed: for
// a moving avatar, one node in one frame in two years.
//
// Hair that the springs have moved is taken as changed, without a hash. In the first frame in which the springs have
// not moved it, its hashes are outdated, so it is taken as changed if any input has changed.
static void find_changed_nodes(vrm_instance *instance)
{
    const vrmi_model *model = instance->model;
    const uint32_t count = model->node_parent.count;
    const int32_t *parents = vrmi_model_node_parent(model);
    const uint32_t *hair = model->spring_mask.count != 0 ? vrmi_model_spring_mask(model) : NULL;
    const bool hair_moved = instance->hair_moved;
    const bool hair_changed = hair_moved || (instance->hair_had_moved && instance->lod.stirred);
    const bool hair_is_old = instance->hair_had_moved;
    const uint32_t all = keep_root(instance) || instance->outputs_stale ? ~0u : 0u;
    uint32_t *changed = instance->node_changed;
    for (uint32_t first = 0; first < count; first += 32) {
        const uint32_t end = count - first < 32 ? count : first + 32;
        const uint32_t springs = hair != NULL ? hair[first / 32] : 0;
        uint32_t word = find_changed_locals(instance, first, end, hair_moved ? springs : 0);
        word = hair_is_old ? word & ~springs : word;
        word |= hair_changed ? springs : 0;
        for (uint32_t node = first, bit = 1; node < end; ++node, bit <<= 1) {
            const int32_t parent = parents[node];
            if (parent >= 0) {
                const uint32_t above = (uint32_t)parent >= first ? word : changed[parent / 32];
                word |= (above >> parent % 32 & 1u) != 0 ? bit : 0;
            }
        }
        changed[first / 32] = word | (all >> (32 - (end - first)));
    }
    instance->hair_had_moved = hair_moved;
    instance->hair_moved = false;
}

static void write_palettes(vrm_instance *instance)
{
    const vrmi_model *model = instance->model;
    const vrmi_palette_row *rows = vrmi_model_palette(model);
    const uint32_t *nodes = vrmi_model_palette_node(model);
    const vrm_mat34 *inverse_binds = vrmi_model_palette_inverse_bind(model);
    const vrmi_matrix_kernels *kernels = vrmi_matrix_kernels_of(instance->lanes);
    for (uint32_t p = 0; p < model->palette.count; ++p) {
        const uint32_t first = rows[p].first_joint;
        const bool changed = kernels->palette(instance->world, &nodes[first], instance->node_changed,
            &inverse_binds[first], rows[p].joint_count, &instance->palette[first]);
        if (changed || instance->outputs_stale) {
            set_bit(instance->palette_changed, p);
        }
    }
}

static vrm_box empty_box(void)
{
    return (vrm_box){
        {VRMI_FLOAT_MAX, VRMI_FLOAT_MAX, VRMI_FLOAT_MAX}, {-VRMI_FLOAT_MAX, -VRMI_FLOAT_MAX, -VRMI_FLOAT_MAX}};
}

static void grow(vrm_box *box, vrm_vec3 low, vrm_vec3 high)
{
    box->min = vrmi_vec3(vrmi_min(box->min.x, low.x), vrmi_min(box->min.y, low.y), vrmi_min(box->min.z, low.z));
    box->max = vrmi_vec3(vrmi_max(box->max.x, high.x), vrmi_max(box->max.y, high.y), vrmi_max(box->max.z, high.z));
}

// Returns a box that contains the mesh. A skinned vertex is a weighted mean of its positions under each joint. Each
// position is in that joint's box, so the mean is in the union of all boxes.
static vrm_box box_of_mesh(const vrm_instance *instance, uint32_t mesh)
{
    const vrmi_model *model = instance->model;
    const vrmi_range range = vrmi_model_mesh_bounds(model)[mesh];
    const vrmi_bound_row *bounds = vrmi_model_bound(model);
    vrm_box box = empty_box();
    if (range.count != 0) {
        vrmi_matrix_kernels_of(instance->lanes)->grow_box(instance->world, &bounds[range.first], range.count, &box);
        return box;
    }
    // A mesh without bounds gets a box around its joints.
    const vrmi_mesh_row *row = &vrmi_model_mesh(model)[mesh];
    if (row->palette < 0) {
        const vrm_vec3 position = vrmi_mat34_translation(&instance->world[row->node]);
        grow(&box, position, position);
        return box;
    }
    const vrmi_palette_row *palette = &vrmi_model_palette(model)[row->palette];
    for (uint32_t j = palette->first_joint; j < palette->first_joint + palette->joint_count; ++j) {
        const uint32_t node = vrmi_model_palette_node(model)[j];
        const vrm_vec3 position = vrmi_mat34_translation(&instance->world[node]);
        grow(&box, position, position);
    }
    return box;
}

static bool mesh_moved(const vrm_instance *instance, uint32_t mesh)
{
    const vrmi_range range = vrmi_model_mesh_bounds(instance->model)[mesh];
    const vrmi_bound_row *bounds = vrmi_model_bound(instance->model);
    bool moved = instance->outputs_stale || range.count == 0;
    for (uint32_t i = range.first; i < range.first + range.count && !moved; ++i) {
        moved = bit(instance->node_changed, bounds[i].node);
    }
    return moved;
}

static void measure(vrm_instance *instance)
{
    vrm_box box = empty_box();
    for (uint32_t mesh = 0; mesh < instance->model->mesh.count; ++mesh) {
        if (mesh_moved(instance, mesh)) {
            instance->mesh_boxes[mesh] = box_of_mesh(instance, mesh);
        }
        grow(&box, instance->mesh_boxes[mesh].min, instance->mesh_boxes[mesh].max);
    }
    instance->box = box;
    vrm_vec3 eye;
    vrm_quat ahead;
    vrmi_look_at_space(instance, &eye, &ahead);
    instance->viewpoint = (vrm_transform){eye, ahead, {1.0f, 1.0f, 1.0f}};
    instance->eye_height = eye.y;
    // Without meshes, the eyes are the highest known point.
    instance->height = box.min.y <= box.max.y ? box.max.y : eye.y;
}

// Returns x - floor(x). Computed in double, because a speed times hours is large.
static float fraction_of(double x)
{
    if (!(x > -1e15 && x < 1e15)) {
        return 0.0f;
    }
    const double whole = (double)(int64_t)x;
    const double part = x - whole;
    const float fraction = (float)(part < 0.0 ? part + 1.0 : part);
    return fraction < 1.0f ? fraction : 0.0f; // rounding to float can reach 1
}

// Returns `turns` modulo a number that leaves the image unchanged, in general 1. If a mask scales the turns by
// multiples of 1/255, the number is 255, and the result keeps the sign of the turns. Filtered masks also have values in
// between; only with such a mask is a jump visible, once in 255 turns.
static float wrapped_turns(double turns, bool masked)
{
    if (!masked) {
        return fraction_of(turns);
    }
    const float part = fraction_of((turns < 0.0 ? -turns : turns) / 255.0) * 255.0f;
    return turns < 0.0 ? -part : part;
}

static bool moves_uvs(const vrm_material_params *params)
{
    return params->uv_scroll_speed[0] != 0.0f || params->uv_scroll_speed[1] != 0.0f ||
           params->uv_rotation_speed != 0.0f;
}

bool vrmi_output_animates(const vrm_instance *instance)
{
    const vrmi_material_row *rows = vrmi_model_material(instance->model);
    bool any = false;
    for (uint32_t i = 0; i < instance->model->material.count; ++i) {
        any = any || moves_uvs(&rows[i].params);
    }
    return any;
}

void vrmi_output_animate(vrm_instance *instance, float dt)
{
    // UV animation is computed from one clock and not accumulated. So it does not drift, and slow speeds are not lost
    // to rounding.
    instance->clock += (double)dt;
    if (!instance->lod.scrolls) {
        return;
    }
    const vrmi_material_row *rows = vrmi_model_material(instance->model);
    const double two_pi = 6.28318530717958647693;
    for (uint32_t i = 0; i < instance->model->material.count; ++i) {
        const vrm_material_params *params = &rows[i].params;
        if (moves_uvs(params)) {
            vrm_material_values *values = &instance->materials[i];
            const bool masked = params->textures[VRM_TEXTURE_UV_ANIMATION_MASK].index >= 0;
            const float turns = wrapped_turns(instance->clock * (double)params->uv_rotation_speed / two_pi, masked);
            const float next[3] = {wrapped_turns(instance->clock * (double)params->uv_scroll_speed[0], masked),
                wrapped_turns(instance->clock * (double)params->uv_scroll_speed[1], masked),
                (float)((double)turns * two_pi)};
            if (next[0] != values->uv_scroll[0] || next[1] != values->uv_scroll[1] || next[2] != values->uv_rotation) {
                values->uv_scroll[0] = next[0];
                values->uv_scroll[1] = next[1];
                values->uv_rotation = next[2];
                set_bit(instance->material_changed, i);
            }
        }
    }
}

void vrmi_stage_output(vrm_instance *instance, float dt)
{
    find_changed_nodes(instance);
    write_palettes(instance);
    measure(instance);
    vrmi_output_animate(instance, dt);
    for (uint32_t i = 0; instance->outputs_stale && i < instance->model->mesh.count; ++i) {
        set_bit(instance->mesh_changed, i);
    }
    for (uint32_t i = 0; instance->outputs_stale && i < instance->model->material.count; ++i) {
        set_bit(instance->material_changed, i);
    }
    instance->outputs_stale = false;
}
