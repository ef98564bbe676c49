// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Setters of the pose and the root, and code that all setters share. Only setters write to the input.

#include "base/abi.h"
#include "base/checks.h"
#include "base/float_environment.h"
#include "math/basis.h"
#include "runtime/core/hierarchy.h"
#include "runtime/core/instance.h"

#include <string.h>

void vrmi_instance_put(vrm_instance *instance, void *to, const void *value, size_t size)
{
    if (memcmp(to, value, size) != 0) {
        memcpy(to, value, size);
        vrmi_instance_stir(instance);
    }
}

void vrmi_instance_rest(const vrm_instance *instance, bool with_hair, vrm_transform *rows)
{
    const vrmi_model *model = instance->model;
    const vrmi_range *hair = vrmi_model_hair_range(model);
    const vrm_transform *rest = vrmi_model_node_rest(model);
    const bool takes_hair = with_hair && instance->pose_rows > model->head.tree_count;
    uint32_t next = 0, row = 0, hair_row = model->head.tree_count;
    for (uint32_t i = 0; i < model->hair_range.count; ++i) {
        memcpy(rows + row, rest + next, (hair[i].first - next) * sizeof(*rows));
        row += hair[i].first - next;
        next = hair[i].first + hair[i].count;
        if (takes_hair) {
            memcpy(rows + hair_row, rest + hair[i].first, hair[i].count * sizeof(*rows));
            hair_row += hair[i].count;
        }
    }
    memcpy(rows + row, rest + next, (model->node_parent.count - next) * sizeof(*rows));
}

void vrmi_instance_rest_input(vrm_instance *instance)
{
    const uint32_t nodes = instance->model->node_parent.count;
    vrmi_instance_rest(instance, true, instance->input);
    memset(instance->input_set, 0, (nodes + 31) / 32 * sizeof(*instance->input_set));
}

vrm_result vrmi_instance_refuse_not_finite(vrm_instance *instance)
{
    instance->status |= VRM_STATUS_INPUT_NOT_FINITE;
    return VRM_ERROR_INVALID_ARGUMENT;
}

// Clamps the number. A value in range is not written again: computing a minimum would flush denormals to zero if the
// host has set the processor to do so.
void vrmi_instance_clamp(vrm_instance *instance, float *number, float largest)
{
    if (vrmi_abs(*number) > largest) {
        instance->status |= VRM_STATUS_INPUT_CLAMPED;
        *number = *number > 0.0f ? largest : -largest;
    }
}

void vrmi_instance_clamp_vec3(vrm_instance *instance, vrm_vec3 *vector, float largest)
{
    vrmi_instance_clamp(instance, &vector->x, largest);
    vrmi_instance_clamp(instance, &vector->y, largest);
    vrmi_instance_clamp(instance, &vector->z, largest);
}

void vrmi_instance_clamp_place(vrm_instance *instance, vrm_dvec3 *place)
{
    for (uint32_t i = 0; i < 3; ++i) {
        double *axis = vrmi_dvec3_axis(place, i);
        if (*axis > VRMI_LARGEST_PLACE || *axis < -VRMI_LARGEST_PLACE) {
            instance->status |= VRM_STATUS_INPUT_CLAMPED;
            *axis = *axis > 0.0 ? VRMI_LARGEST_PLACE : -VRMI_LARGEST_PLACE;
        }
    }
}

static bool transform_finite(const vrm_transform *t)
{
    return vrmi_vec3_finite(t->translation) && vrmi_quat_finite(t->rotation) && vrmi_vec3_finite(t->scale);
}

// Normalises the quaternion; returns false for a zero quaternion. A quaternion that is unit up to rounding is not
// changed, so that a value returned by a getter can be set again without changing its bits.
static bool make_unit(vrm_quat *q)
{
    const vrmi_float_environment host = vrmi_float_enter();
    float squared = vrmi_quat_dot(*q, *q);
    if (!vrmi_finite(squared) && vrmi_quat_finite(*q)) { // the numbers are finite, but their squares overflow
        *q = (vrm_quat){q->x * 1e-20f, q->y * 1e-20f, q->z * 1e-20f, q->w * 1e-20f};
        squared = vrmi_quat_dot(*q, *q);
    }
    const bool has_direction = squared > 1e-30f && vrmi_finite(squared);
    if (has_direction && !(vrmi_abs(squared - 1.0f) < 1e-6f)) {
        *q = vrmi_quat_normalize(*q);
    }
    vrmi_float_leave(host);
    return has_direction;
}

static bool node_exists(const vrm_instance *instance, uint32_t node)
{
    return instance != NULL && node < instance->model->node_parent.count;
}

// --- root ----------------------------------------------------------------------------------------------------------

// Compares member by member, because the padding between members is undefined.
static bool same_root(const vrm_root *a, const vrm_root *b)
{
    return memcmp(&a->translation, &b->translation, sizeof(a->translation)) == 0 &&
           memcmp(&a->rotation, &b->rotation, sizeof(a->rotation)) == 0 && a->scale == b->scale;
}

vrm_result vrmi_instance_place_root(vrm_instance *instance, const vrm_root *root)
{
    if (instance == NULL || root == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    if (!vrmi_dvec3_finite(root->translation) || !vrmi_quat_finite(root->rotation) || !vrmi_finite(root->scale)) {
        return vrmi_instance_refuse_not_finite(instance);
    }
    vrm_root placed = *root;
    if (!(root->scale >= 0.01f && root->scale <= 100.0f) || !make_unit(&placed.rotation)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    vrmi_instance_clamp_place(instance, &placed.translation);
    if (same_root(&instance->root, &placed)) {
        return VRM_SUCCESS; // hosts often set the same root in every frame
    }
    const vrmi_float_environment host = vrmi_float_enter();
    instance->root = placed;
    vrmi_hierarchy_root(instance);
    instance->pose_changed = true;
    vrmi_instance_stir(instance);
    vrmi_float_leave(host);
    return VRM_SUCCESS;
}

vrm_result vrm_instance_set_root(vrm_instance *instance, const vrm_root *root)
{
    return vrmi_instance_place_root(instance, root);
}

void vrm_instance_get_root(const vrm_instance *instance, vrm_root *out_root)
{
    if (VRM_ASSERT(instance != NULL) && VRM_ASSERT(out_root != NULL)) {
        *out_root = instance->root;
    }
}

// --- any node ------------------------------------------------------------------------------------------------------

// Springs look for changed scales only after a scale was set.
static void note_scale(vrm_instance *instance, uint32_t node, const vrm_vec3 *scale)
{
    const vrm_vec3 rest = vrmi_model_node_rest(instance->model)[node].scale;
    instance->scaled |= !vrmi_vec3_same(*scale, rest);
}

// Returns true if both are equal up to the rounding of a conversion to another unit of length and back.
static bool at_rest(const vrm_transform *local, const vrm_transform *rest)
{
    const float *a = &local->translation.x, *b = &rest->translation.x;
    bool same = true;
    for (size_t i = 0; i < sizeof(*local) / sizeof(float); ++i) {
        same = same && vrmi_abs(a[i] - b[i]) <= 1e-6f * (1.0f + vrmi_abs(b[i]));
    }
    return same;
}

vrm_result vrmi_instance_store(vrm_instance *instance, uint32_t node, const vrm_transform *local, vrm_transform *poses)
{
    if (!transform_finite(local)) {
        return vrmi_instance_refuse_not_finite(instance);
    }
    vrm_transform stored = *local;
    if (!make_unit(&stored.rotation)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    if (!vrmi_has_pose(instance, node)) {
        const vrm_transform *rest = &vrmi_model_node_rest(instance->model)[node];
        return at_rest(&stored, rest) ? VRM_SUCCESS : VRM_ERROR_UNSUPPORTED;
    }
    vrmi_instance_clamp_vec3(instance, &stored.translation, VRMI_LARGEST_TRANSLATION);
    vrmi_instance_clamp_vec3(instance, &stored.scale, VRMI_LARGEST_SCALE);
    vrmi_instance_put(instance, &poses[vrmi_model_node_pose(instance->model)[node]], &stored, sizeof(stored));
    note_scale(instance, node, &stored.scale);
    return VRM_SUCCESS;
}

// Checks `local` and stores it as the node's input.
static vrm_result store(vrm_instance *instance, uint32_t node, const vrm_transform *local)
{
    if (vrmi_has_pose(instance, node)) {
        vrmi_instance_mark_input(instance, node);
    }
    return vrmi_instance_store(instance, node, local, instance->input);
}

// Returns a node's stored input.
static const vrm_transform *held(const vrm_instance *instance, uint32_t node)
{
    return vrmi_has_pose(instance, node) ? vrmi_input(instance, node) : &vrmi_model_node_rest(instance->model)[node];
}

vrm_result vrm_instance_set_local(vrm_instance *instance, uint32_t node, const vrm_transform *local)
{
    if (!node_exists(instance, node) || local == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    return store(instance, node, local);
}

vrm_result vrm_instance_set_translation(vrm_instance *instance, uint32_t node, const vrm_vec3 *translation)
{
    if (!node_exists(instance, node) || translation == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    if (!vrmi_vec3_finite(*translation)) {
        return vrmi_instance_refuse_not_finite(instance);
    }
    vrm_transform changed = *held(instance, node);
    changed.translation = *translation;
    return store(instance, node, &changed);
}

// Hosts set most bones' rotations in every frame. Only the rotation is checked: the stored rest was, when it was set.
vrm_result vrm_instance_set_rotation(vrm_instance *instance, uint32_t node, const vrm_quat *rotation)
{
    if (!node_exists(instance, node) || rotation == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    if (!vrmi_has_pose(instance, node)) {
        vrm_transform changed = vrmi_model_node_rest(instance->model)[node];
        changed.rotation = *rotation;
        return store(instance, node, &changed);
    }
    vrmi_instance_mark_input(instance, node);
    vrm_quat stored = *rotation;
    if (!vrmi_quat_finite(stored)) {
        return vrmi_instance_refuse_not_finite(instance);
    }
    if (!make_unit(&stored)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    vrmi_instance_put(instance, &vrmi_input(instance, node)->rotation, &stored, sizeof(stored));
    return VRM_SUCCESS;
}

vrm_result vrm_instance_set_scale(vrm_instance *instance, uint32_t node, const vrm_vec3 *scale)
{
    if (!node_exists(instance, node) || scale == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    if (!vrmi_vec3_finite(*scale)) {
        return vrmi_instance_refuse_not_finite(instance);
    }
    vrm_transform changed = *held(instance, node);
    changed.scale = *scale;
    return store(instance, node, &changed);
}

// Copies and converts a transform. The copy is bytewise, because a host's stride need not keep floats aligned.
static uint32_t copy_local(const vrm_local_array *array, const vrmi_axes *axes, uint32_t index, vrm_transform *out)
{
    const size_t stride = array->stride != 0 ? array->stride : sizeof(vrm_transform);
    memcpy(out, (const char *)array->transforms + index * stride, sizeof(*out));
    *out = vrmi_axes_transform(axes, out);
    return array->nodes != NULL ? array->nodes[index] : index;
}

// Returns true if hair without rows in the pose would have to differ from its rest pose.
static bool moves_hair(const vrm_instance *instance, const vrm_local_array *array, const vrmi_axes *axes)
{
    bool moves = false;
    for (uint32_t i = 0; i < array->count && !moves && instance->pose_rows < instance->model->node_parent.count; ++i) {
        vrm_transform local;
        const uint32_t node = copy_local(array, axes, i, &local);
        const bool hair = !vrmi_has_pose(instance, node) && transform_finite(&local) && make_unit(&local.rotation);
        moves = hair && !at_rest(&local, &vrmi_model_node_rest(instance->model)[node]);
    }
    return moves;
}

vrm_result vrm_instance_set_locals(vrm_instance *instance, const vrm_local_array *given)
{
    vrm_local_array own = {.stride = 0};
    const vrm_local_array *array = &own;
    if (instance == NULL || given == NULL || !VRMI_READ_OPTIONS(vrm_local_array, &own, given) ||
        (array->transforms == NULL && array->count != 0)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const uint32_t node_count = instance->model->node_parent.count;
    vrmi_axes axes;
    if (!vrmi_axes_from_host(array->basis, &axes) || (array->nodes == NULL && array->count > node_count)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    for (uint32_t i = 0; array->nodes != NULL && i < array->count; ++i) {
        if (array->nodes[i] >= node_count) {
            return VRM_ERROR_INVALID_ARGUMENT;
        }
    }
    if (moves_hair(instance, array, &axes)) {
        return VRM_ERROR_UNSUPPORTED;
    }
    for (uint32_t i = 0; i < array->count; ++i) {
        vrm_transform local;
        const uint32_t node = copy_local(array, &axes, i, &local);
        if (store(instance, node, &local) == VRM_ERROR_INVALID_ARGUMENT && transform_finite(&local)) {
            instance->status |= VRM_STATUS_DEGENERATE; // a transform with a zero quaternion is skipped
        }
    }
    return VRM_SUCCESS;
}

vrm_result vrm_instance_get_local(const vrm_instance *instance, uint32_t node, vrm_transform *out_local)
{
    if (!node_exists(instance, node) || out_local == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    *out_local = *held(instance, node);
    return VRM_SUCCESS;
}

void vrm_instance_reset_pose(vrm_instance *instance)
{
    if (VRM_ASSERT(instance != NULL)) {
        const uint32_t nodes = instance->model->node_parent.count;
        const vrm_transform *rest = vrmi_model_node_rest(instance->model);
        for (uint32_t node = 0; node < nodes; ++node) {
            if (vrmi_has_pose(instance, node)) {
                vrmi_instance_put(instance, vrmi_input(instance, node), &rest[node], sizeof(*rest));
            }
        }
        memset(instance->input_set, 0, (nodes + 31) / 32 * sizeof(*instance->input_set));
        instance->scaled = instance->hair_stale = true;
    }
}
