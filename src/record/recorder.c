// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Each frame is stored as one row of floats (nodes, morphs, materials). The channels are chosen when the animation is
// written, because only then is it known which values have changed.

#include "record/recorder.h"

#include <string.h>

#include "base/abi.h"
#include "base/checks.h"
#include "math/quat.h"
#include "model/model.h"

void(vrm_recorder_def_default)(vrm_recorder_def *def, size_t size)
{
    const vrm_recorder_def own = {.struct_size = sizeof own, .name = "simulation"};
    vrmi_write_defaults(def, size, &own, sizeof own);
}

// Whether the hips can take over the root's motion. Usually the root's motion is added to the hips and to the nodes
// beside them. Then players that only use bones show this motion, and a motion that moves root and hips in opposite
// directions cannot jump between two keys. Nodes above the hips keep the file's transforms. If these nodes are scaled
// unevenly, no bone can take over a rotation. In that case, and without hips, the glTF roots move instead.
static bool hips_can_carry(const vrm_avatar *avatar, int32_t hips)
{
    bool can = hips >= 0;
    vrm_node node = {.struct_size = sizeof node};
    for (int32_t above = hips; can && vrm_avatar_get_node(avatar, (uint32_t)above, &node) == VRM_SUCCESS;) {
        const vrm_vec3 scale = node.rest.scale;
        const float most = 1e-4f * vrmi_abs(scale.x);
        can = above == hips ||
              (scale.x > 0.0f && vrmi_abs(scale.y - scale.x) <= most && vrmi_abs(scale.z - scale.x) <= most);
        if (node.parent < 0) {
            break;
        }
        above = node.parent;
    }
    return can;
}

static void find_ways(vrm_recorder *recorder)
{
    const vrm_avatar *avatar = recorder->avatar;
    const int32_t hips = vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_HIPS);
    const bool carry = hips_can_carry(avatar, hips);
    vrm_node node = {.struct_size = sizeof node};
    for (uint32_t i = 0; i < recorder->counts.nodes; ++i) {
        recorder->ways[i] = VRMI_RECORD_STAYS;
    }
    for (int32_t above = hips;
         carry && vrm_avatar_get_node(avatar, (uint32_t)above, &node) == VRM_SUCCESS && node.parent >= 0;
         above = node.parent) {
        recorder->ways[node.parent] = VRMI_RECORD_HOLDS;
    }
    for (uint32_t i = 0; i < recorder->counts.nodes; ++i) { // parents come first
        (void)vrm_avatar_get_node(avatar, i, &node);
        const bool top = node.parent < 0 || recorder->ways[node.parent] == VRMI_RECORD_HOLDS;
        if (top && recorder->ways[i] != VRMI_RECORD_HOLDS) {
            recorder->ways[i] = VRMI_RECORD_CARRIES;
        }
    }
    for (uint32_t i = 0; i < recorder->counts.meshes; ++i) { // a skinned mesh moves with its joints
        vrm_mesh_node mesh = {.struct_size = sizeof mesh};
        (void)vrm_avatar_get_mesh_node(avatar, i, &mesh);
        (void)vrm_avatar_get_node(avatar, mesh.node, &node);
        if (mesh.palette >= 0 && node.parent >= 0 && recorder->ways[mesh.node] == VRMI_RECORD_CARRIES) {
            recorder->ways[mesh.node] = VRMI_RECORD_STAYS;
        }
    }
}

vrm_result vrm_recorder_create(const vrm_recorder_def *def, const vrm_avatar *avatar, vrm_recorder **out_recorder)
{
    vrm_recorder_def own, defaults;
    vrm_recorder_def_default(&defaults);
    own = defaults;
    if (out_recorder == NULL || avatar == NULL || !VRMI_READ_OPTIONS(vrm_recorder_def, &own, def)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    *out_recorder = NULL;
    def = &own;
    vrm_allocator allocator;
    vrmi_resolve_allocator(&def->allocator, &allocator);
    vrm_recorder *recorder = vrmi_allocate(&allocator, sizeof *recorder, 16);
    if (recorder == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    *recorder = (vrm_recorder){.allocator = allocator,
        .pointers = def->pointers,
        .frames = {.item_size = sizeof(float)},
        .times = {.item_size = sizeof(double)}};
    recorder->counts.struct_size = sizeof recorder->counts;
    vrm_avatar_get_counts(avatar, &recorder->counts);
    const vrm_avatar_counts *counts = &recorder->counts;
    const size_t row = (size_t)counts->nodes * VRMI_RECORD_NODE_FLOATS + counts->morphs +
                       (size_t)counts->materials * VRMI_RECORD_MATERIAL_FLOATS;
    recorder->row = (uint32_t)row;
    const char *name = def->name != NULL ? def->name : defaults.name;
    const size_t name_size = strlen(name) + 1;
    recorder->name = vrmi_allocate(&allocator, name_size, 1);
    recorder->ways = vrmi_allocate(&allocator, counts->nodes, 1);
    if (recorder->name == NULL || recorder->ways == NULL) {
        vrmi_release(&allocator, recorder->name, name_size);
        vrmi_release(&allocator, recorder->ways, counts->nodes);
        vrmi_release(&allocator, recorder, sizeof *recorder);
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    memcpy(recorder->name, name, name_size);
    recorder->name_size = name_size;
    recorder->avatar = vrm_avatar_retain((vrm_avatar *)(uintptr_t)avatar);
    find_ways(recorder);
    *out_recorder = recorder;
    return VRM_SUCCESS;
}

void vrm_recorder_destroy(vrm_recorder *recorder)
{
    if (recorder == NULL) {
        return;
    }
    const vrm_allocator allocator = recorder->allocator;
    vrm_avatar_release(recorder->avatar);
    vrmi_array_free(&recorder->frames, &allocator);
    vrmi_array_free(&recorder->times, &allocator);
    vrmi_release(&allocator, recorder->name, recorder->name_size);
    vrmi_release(&allocator, recorder->ways, recorder->counts.nodes);
    vrmi_release(&allocator, recorder, sizeof *recorder);
}

// Returns the root in the file's own space. For VRM 0.x it lacks the half turn between the root and the glTF roots,
// which loading the file adds again.
static vrm_root file_root(const vrm_recorder *recorder, const vrm_instance *instance)
{
    const vrm_quat turn = recorder->avatar->model->head.root_from_nodes, back = vrmi_quat_conjugate(turn);
    vrm_root root;
    vrm_instance_get_root(instance, &root);
    if (turn.w != 1.0f) { // a half turn about Y
        root.translation.x = -root.translation.x;
        root.translation.z = -root.translation.z;
        root.rotation = vrmi_quat_mul(vrmi_quat_mul(back, root.rotation), turn);
    }
    return root;
}

static vrm_transform scaled_by(const vrm_transform *local, float scale)
{
    return (vrm_transform){
        vrmi_vec3_scale(local->translation, scale), local->rotation, vrmi_vec3_scale(local->scale, scale)};
}

// Returns the transform of a node from the rows of this frame. The scales of these nodes are even.
static vrm_transform held_by(const vrm_recorder *recorder, const float *row, int32_t node)
{
    vrm_transform held = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f, 1.0f}, {1.0f, 1.0f, 1.0f}};
    vrm_node info = {.struct_size = sizeof info};
    for (; node >= 0; node = info.parent) {
        vrm_transform t;
        memcpy(&t, row + (size_t)node * VRMI_RECORD_NODE_FLOATS, sizeof t);
        held.translation =
            vrmi_vec3_add(t.translation, vrmi_quat_rotate(t.rotation, vrmi_vec3_scale(held.translation, t.scale.x)));
        held.rotation = vrmi_quat_normalize(vrmi_quat_mul(t.rotation, held.rotation));
        held.scale = vrmi_vec3_scale(held.scale, t.scale.x);
        (void)vrm_avatar_get_node(recorder->avatar, (uint32_t)node, &info);
    }
    return held;
}

// Returns a local transform for a child of `held`, a node that does not move. The result has the same effect as `local`
// would have if the root moved `held`.
static vrm_transform carried(const vrm_root *root, const vrm_transform *held, const vrm_transform *local)
{
    const vrm_quat back = vrmi_quat_conjugate(held->rotation);
    const vrm_vec3 own = vrmi_quat_rotate(held->rotation, vrmi_vec3_scale(local->translation, held->scale.x));
    const vrm_vec3 turned = vrmi_quat_rotate(root->rotation, vrmi_vec3_add(held->translation, own));
    const vrm_dvec3 way =
        vrmi_dvec3_sub(vrmi_dvec3_add(root->translation, vrmi_dvec3_from(turned)), vrmi_dvec3_from(held->translation));
    const vrm_quat turn = vrmi_quat_mul(vrmi_quat_mul(back, root->rotation), held->rotation);
    return (vrm_transform){
        vrmi_vec3_scale(vrmi_quat_rotate(back, vrmi_vec3_from(way)), 1.0f / held->scale.x),
        vrmi_quat_normalize(vrmi_quat_mul(turn, local->rotation)),
        local->scale,
    };
}

static void write_nodes(
    const vrm_recorder *recorder, const vrm_instance *instance, const vrm_outputs *outputs, float *row)
{
    const vrm_root root = file_root(recorder, instance);
    for (uint32_t i = 0; i < outputs->node_count; ++i) { // parents come first
        vrm_node node = {.struct_size = sizeof node};
        vrm_transform t;
        (void)vrm_instance_write_locals(instance, i, 1, &t);
        (void)vrm_avatar_get_node(recorder->avatar, i, &node);
        if (recorder->ways[i] != VRMI_RECORD_STAYS && node.parent < 0) {
            t = scaled_by(&t, root.scale);
        }
        if (recorder->ways[i] == VRMI_RECORD_CARRIES) {
            const vrm_transform held = held_by(recorder, row, node.parent);
            t = carried(&root, &held, &t);
        }
        memcpy(row + (size_t)i * VRMI_RECORD_NODE_FLOATS, &t, sizeof t);
    }
}

static void write_material(const vrm_material_values *values, float *out)
{
    memcpy(out, values->colors, sizeof values->colors);
    out += 4 * VRM_MATERIAL_COLOR_COUNT;
    out[0] = values->uv_base;
    memcpy(out + 1, values->uv_scale, sizeof values->uv_scale);
    memcpy(out + 3, values->uv_offset, sizeof values->uv_offset);
}

vrm_result vrm_recorder_add(vrm_recorder *recorder, const vrm_instance *instance, double time)
{
    if (!VRM_ASSERT(recorder != NULL)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const uint32_t frames = recorder->times.count;
    const double *times = recorder->times.items;
    if (instance == NULL || vrm_instance_get_avatar(instance) != recorder->avatar || !(time - time == 0.0) ||
        (frames > 0 && !(time > times[frames - 1]))) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    // Both arrays are reserved before either is changed, so that a failure leaves the recorder unchanged.
    if (!vrmi_array_reserve(&recorder->frames, &recorder->allocator, recorder->row) ||
        !vrmi_array_reserve(&recorder->times, &recorder->allocator, 1)) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    vrm_outputs outputs = {.struct_size = sizeof outputs};
    vrm_instance_get_outputs(instance, &outputs);
    float *row = (float *)recorder->frames.items + recorder->frames.count;
    write_nodes(recorder, instance, &outputs, row);
    row += (size_t)outputs.node_count * VRMI_RECORD_NODE_FLOATS;
    if (outputs.morph_count > 0) {
        memcpy(row, outputs.morphs, outputs.morph_count * sizeof(float));
        row += outputs.morph_count;
    }
    for (uint32_t i = 0; i < outputs.material_count; ++i) {
        write_material(&outputs.materials[i], row + (size_t)i * VRMI_RECORD_MATERIAL_FLOATS);
    }
    recorder->frames.count += recorder->row;
    ((double *)recorder->times.items)[recorder->times.count++] = time;
    return VRM_SUCCESS;
}
