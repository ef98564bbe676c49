// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The start of the second half: computes the pose from the bodies' states. Only the rotations of bones and the position
// of the hips are read. So a joint that an engine has pulled apart is never shown, and bones keep their lengths. Bones
// without a body are not written, so a bone is shown rotated only if a body has rotated; the joints of the bodies
// follow these bones instead (vrm_ragdoll_targets.anchors). (If a body's rotation were shared among the bones up to the
// parent body's bone, a hit would rotate an upper chest between three bodies by 45 degrees in one frame.)

#include "runtime/core/hierarchy.h"
#include "runtime/ragdoll/ragdoll.h"
#include "runtime/stages.h"

#include <string.h>

// Returns the fraction of a simulated body that is read back into its bone; 0 leaves the bone unchanged.
static float shown_part(const vrm_instance *instance, uint32_t body)
{
    const vrmi_ragdoll_row *row = &instance->ragdoll_rows[body];
    const bool simulates = row->motion == VRM_RAGDOLL_MOTION_DYNAMIC && !row->lost;
    return simulates ? vrmi_ragdoll_weights(instance, body).mapping : 0.0f;
}

// Sets the bit of a node that the look chain must not change.
static void mark(vrm_instance *instance, int32_t node)
{
    instance->ragdoll_drives[node / 32] |= 1u << (node % 32);
}

// Returns the world rotation of the space that contains a body's bone. `shown` has the rotations of the earlier bodies'
// bones. Bones between this bone and the parent body's bone keep their animated rotations. With `marks` the look chain
// does not change them either, because that would move the body's bone.
static vrm_quat rotation_above(vrm_instance *instance, uint32_t body, const vrm_quat *shown, bool marks)
{
    const vrm_ragdoll_body *own = &instance->ragdoll_bodies[body];
    const int32_t *parents = vrmi_model_node_parent(instance->model);
    const int32_t top = (int32_t)instance->ragdoll_bodies[0].node;
    const int32_t up = own->parent < 0 ? -1 : (int32_t)instance->ragdoll_bodies[own->parent].node;
    vrm_quat below = {0.0f, 0.0f, 0.0f, 1.0f};
    int32_t at = parents[own->node];
    for (; at >= top && at != up; at = parents[at]) {
        below = vrmi_quat_mul(vrmi_local(instance, at)->rotation, below);
        if (marks) {
            mark(instance, at);
        }
    }
    if (at >= 0 && at == up) {
        return vrmi_quat_mul(shown[own->parent], below);
    }
    // Nodes above the hips have not been changed.
    return vrmi_quat_mul(at >= 0 ? *vrmi_world_rotation(instance, at) : instance->root_rotation, below);
}

// Blends two rotations of a joint. If they are more than a right angle apart, the blend stays on the side of the rest
// pose. The shorter way would change to the other side when the difference passes half a turn, and the limb would jump.
static vrm_quat blend_joint(vrm_quat animated, vrm_quat simulated, float part)
{
    const float cosine = vrmi_quat_dot(animated, simulated), side = animated.w * simulated.w;
    const bool near = vrmi_abs(cosine) > 0.70710678f; // cosine of half of the angle between them
    if (near || cosine * side >= 0.0f) {
        return vrmi_quat_slerp(animated, simulated, part);
    }
    const float sign = cosine > 0.0f ? -1.0f : 1.0f, angle = vrmi_acos(vrmi_max(-vrmi_abs(cosine), -0.9999f));
    float a, b, unused;
    vrmi_sincos((1.0f - part) * angle, &a, &unused);
    vrmi_sincos(part * angle, &b, &unused);
    b *= sign;
    const vrm_quat x = animated, y = simulated;
    return vrmi_quat_normalize((vrm_quat){a * x.x + b * y.x, a * x.y + b * y.y, a * x.z + b * y.z, a * x.w + b * y.w});
}

// Returns a body's rotation in the shown pose: its joint is blended between animation and simulation.
static vrm_quat shown_rotation(const vrm_instance *instance, uint32_t body, vrm_quat above_it, float mapping)
{
    const int32_t parent = instance->ragdoll_bodies[body].parent;
    const vrm_quat animated = instance->ragdoll_targets[body].state.rotation;
    const vrm_quat simulated = instance->ragdoll_rows[body].state.rotation;
    if (parent < 0) {
        return mapping < 1.0f ? vrmi_quat_slerp(animated, simulated, mapping) : simulated;
    }
    const vrmi_ragdoll_row *above = &instance->ragdoll_rows[parent];
    const vrm_quat animated_above = instance->ragdoll_targets[parent].state.rotation;
    const bool simulates = above->motion == VRM_RAGDOLL_MOTION_DYNAMIC && !above->lost;
    const vrm_quat simulated_above = simulates ? above->state.rotation : animated_above;
    const vrm_quat joint = vrmi_quat_mul(vrmi_quat_conjugate(simulated_above), simulated);
    if (mapping >= 1.0f) {
        return vrmi_quat_mul(above_it, joint);
    }
    const vrm_quat wanted = vrmi_quat_mul(vrmi_quat_conjugate(animated_above), animated);
    return vrmi_quat_mul(above_it, blend_joint(wanted, joint, mapping));
}

// Rotates a body's bone to the body's rotation. Returns the bone's world rotation.
static vrm_quat read_rotation(vrm_instance *instance, uint32_t body, const vrm_quat *shown, float mapping)
{
    const uint32_t node = instance->ragdoll_bodies[body].node;
    const int32_t parent = instance->ragdoll_bodies[body].parent;
    const vrm_quat *rest = vrmi_model_node_rest_rotation(instance->model);
    const vrm_quat above = rotation_above(instance, body, shown, mapping > 0.0f);
    vrm_transform *local = vrmi_local(instance, node);
    if (mapping > 0.0f) {
        vrm_quat above_it = {0.0f, 0.0f, 0.0f, 1.0f};
        if (parent >= 0) {
            const uint32_t up = instance->ragdoll_bodies[parent].node;
            above_it = vrmi_quat_mul(shown[parent], vrmi_quat_conjugate(rest[up]));
        }
        const vrm_quat world = vrmi_quat_mul(shown_rotation(instance, body, above_it, mapping), rest[node]);
        local->rotation = vrmi_quat_normalize(vrmi_quat_mul(vrmi_quat_conjugate(above), world));
        mark(instance, (int32_t)node);
    }
    return vrmi_quat_mul(above, local->rotation);
}

static void read_place(vrm_instance *instance, float mapping)
{
    const vrmi_ragdoll *ragdoll = &instance->ragdoll;
    const uint32_t node = instance->ragdoll_bodies[0].node;
    const vrm_vec3 p = instance->ragdoll_rows[0].state.position;
    const vrm_dvec3 way = vrmi_dvec3_sub(ragdoll->state_origin, instance->root.translation);
    const vrm_vec3 place = vrmi_vec3_from(vrmi_dvec3_add(vrmi_dvec3_from(p), way));
    vrm_mat34 above, inverse;
    vrmi_hierarchy_parent(instance, node, &above);
    if (vrmi_mat34_invert(&above, &inverse)) {
        vrm_vec3 *translation = &vrmi_local(instance, node)->translation;
        *translation = vrmi_vec3_lerp(*translation, vrmi_mat34_point(&inverse, place), mapping);
    }
}

void vrmi_stage_ragdoll_read(vrm_instance *instance)
{
    const vrmi_ragdoll *ragdoll = &instance->ragdoll;
    if (ragdoll->body_count == 0) {
        return;
    }
    memset(instance->ragdoll_drives, 0, (instance->model->node_parent.count + 31) / 32 * sizeof(uint32_t));
    if (!vrmi_ragdoll_runs(ragdoll) || !ragdoll->has_states) {
        return;
    }
    vrm_quat shown[VRM_RAGDOLL_MAX_BODIES]; // world rotations of the bodies' bones
    for (uint32_t i = 0; i < ragdoll->body_count; ++i) {
        const float mapping = shown_part(instance, i);
        if (i == 0 && mapping > 0.0f) {
            read_place(instance, mapping);
        }
        shown[i] = read_rotation(instance, i, shown, mapping);
    }
    // Updating all nodes eight at a time takes half as long as updating the nodes below the hips one by one.
    vrmi_hierarchy_update(instance, 0, instance->model->node_parent.count);
}
