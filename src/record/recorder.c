// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Frames are kept as one row of floats each (nodes, morphs, materials); which of them become channels is decided when
// the animation is written, because only then is it known what moved.

#include "record/recorder.h"

#include <string.h>

#include "base/abi.h"
#include "base/checks.h"
#include "math/quat.h"
#include "model/model.h"

void vrm_recorder_def_default(vrm_recorder_def *def)
{
    if (!VRM_ASSERT(def != NULL)) {
        return;
    }
    *def = (vrm_recorder_def){.struct_size = sizeof *def, .name = "simulation"};
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
    vrm_avatar_get_counts(avatar, &recorder->counts);
    const vrm_avatar_counts *counts = &recorder->counts;
    const size_t row = (size_t)counts->nodes * VRMI_RECORD_NODE_FLOATS + counts->morphs +
                       (size_t)counts->materials * VRMI_RECORD_MATERIAL_FLOATS;
    recorder->row = (uint32_t)row;
    const char *name = def->name != NULL ? def->name : defaults.name;
    const size_t name_size = strlen(name) + 1;
    recorder->name = vrmi_allocate(&allocator, name_size, 1);
    if (recorder->name == NULL) {
        vrmi_release(&allocator, recorder, sizeof *recorder);
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    memcpy(recorder->name, name, name_size);
    recorder->name_size = name_size;
    recorder->avatar = vrm_avatar_retain((vrm_avatar *)(uintptr_t)avatar);
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
    vrmi_release(&allocator, recorder, sizeof *recorder);
}

// The root in the file's own space: of VRM 0.x, without the half turn between it and the glTF roots, which whoever loads
// the file puts there again.
static vrm_root file_root(const vrm_recorder *recorder, const vrm_instance *instance)
{
    const vrm_quat turn = recorder->avatar->model->head.root_from_nodes, back = vrmi_quat_conjugate(turn);
    vrm_root root;
    vrm_instance_get_root(instance, &root);
    if (turn.w != 1.0f) { // half a turn about Y
        root.translation.x = -root.translation.x;
        root.translation.z = -root.translation.z;
        root.rotation = vrmi_quat_mul(vrmi_quat_mul(back, root.rotation), turn);
    }
    return root;
}

// The root's motion goes into the glTF roots: its scale is uniform, so the product is a transform again.
static vrm_transform with_root(const vrm_root *root, const vrm_transform *local)
{
    const vrm_vec3 turned = vrmi_quat_rotate(root->rotation, vrmi_vec3_scale(local->translation, root->scale));
    return (vrm_transform){
        vrmi_vec3_from(vrmi_dvec3_add(root->translation, vrmi_dvec3_from(turned))),
        vrmi_quat_mul(root->rotation, local->rotation),
        vrmi_vec3_scale(local->scale, root->scale),
    };
}

static void write_nodes(
    const vrm_recorder *recorder, const vrm_instance *instance, const vrm_outputs *outputs, float *row)
{
    const vrm_root root = file_root(recorder, instance);
    for (uint32_t i = 0; i < outputs->node_count; ++i) {
        vrm_node node;
        vrm_transform t;
        (void)vrm_instance_write_locals(instance, i, 1, &t);
        if (vrm_avatar_get_node(recorder->avatar, i, &node) == VRM_SUCCESS && node.parent < 0) {
            t = with_root(&root, &t);
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
    // Both reserved before either grows, so that a failure leaves the recorder as it was.
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
