// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The start of the second half: where the bodies are becomes the pose. Rotations of bones and the place of the hips only,
// so that a joint that an engine has pulled apart is never shown and bones keep their lengths.

#include "runtime/core/hierarchy.h"
#include "runtime/ragdoll/ragdoll.h"
#include "runtime/stages.h"

#include <string.h>

enum { MAX_BETWEEN = 6 }; // humanoid bones between two bodies: neck, upper chest, chest, spine, shoulder

// Humanoid bones from the parent body's bone down to the body's own, both excluded; nearest to the parent first.
typedef struct between {
    uint32_t count, nodes[MAX_BETWEEN];
} between;

static between bones_between(const vrm_instance *instance, uint32_t body)
{
    const vrm_ragdoll_body *own = &instance->ragdoll_bodies[body];
    between out = {.count = 0};
    if (own->parent < 0) {
        return out;
    }
    const uint32_t top = instance->ragdoll_bodies[own->parent].node;
    uint32_t found[MAX_BETWEEN];
    int32_t bone = vrm_human_bone_parent(own->bone);
    while (bone >= 0 && out.count < MAX_BETWEEN) {
        const int32_t node = instance->model->head.bone_node[bone];
        if (node == (int32_t)top) {
            break;
        }
        if (node >= 0) {
            found[out.count++] = (uint32_t)node;
        }
        bone = vrm_human_bone_parent((vrm_human_bone)bone);
    }
    for (uint32_t i = 0; i < out.count; ++i) {
        out.nodes[i] = found[out.count - 1 - i];
    }
    return out;
}

// How much of a simulated body is read back into its bone; 0: it is left alone.
static float shown_part(const vrm_instance *instance, uint32_t body)
{
    const vrmi_ragdoll_row *row = &instance->ragdoll_rows[body];
    const bool simulates = row->motion == VRM_RAGDOLL_MOTION_DYNAMIC && !row->lost;
    return simulates ? vrmi_ragdoll_weights(instance, body).mapping : 0.0f;
}

// World rotation of the space that holds a node, with the local rotations as they are now. What is above the hips has not
// been touched, and between two bones there are few nodes.
static vrm_quat rotation_above(const vrm_instance *instance, uint32_t node)
{
    const int32_t *parents = vrmi_model_node_parent(instance->model);
    const int32_t top = (int32_t)instance->ragdoll_bodies[0].node;
    vrm_quat below = {0.0f, 0.0f, 0.0f, 1.0f};
    int32_t at = parents[node];
    for (; at >= top; at = parents[at]) {
        below = vrmi_quat_mul(vrmi_local(instance, at)->rotation, below);
    }
    return vrmi_quat_mul(at >= 0 ? *vrmi_world_rotation(instance, at) : instance->root_rotation, below);
}

static vrm_quat rotation_of(const vrm_instance *instance, uint32_t node)
{
    return vrmi_quat_mul(rotation_above(instance, node), vrmi_local(instance, node)->rotation);
}

// Gives a node its rotation in the world, where `above` holds it.
static void set_rotation(vrm_instance *instance, uint32_t node, vrm_quat above, vrm_quat world)
{
    vrmi_local(instance, node)->rotation = vrmi_quat_normalize(vrmi_quat_mul(vrmi_quat_conjugate(above), world));
    instance->ragdoll_drives[node / 32] |= 1u << (node % 32);
}

// What the shown pose has turned the parent body from its rest.
static vrm_quat parent_rotation(const vrm_instance *instance, uint32_t body)
{
    const int32_t parent = instance->ragdoll_bodies[body].parent;
    if (parent < 0) {
        return vrmi_quat_identity();
    }
    const uint32_t node = instance->ragdoll_bodies[parent].node;
    const vrm_quat rest = vrmi_model_node_rest_rotation(instance->model)[node];
    return vrmi_quat_mul(rotation_of(instance, node), vrmi_quat_conjugate(rest));
}

// The rotation of a body in the shown pose: as its joint is between animation and simulation.
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
    return vrmi_quat_mul(above_it, vrmi_quat_slerp(wanted, joint, mapping));
}

// The bones between a body's own and its parent body's. Driven, each takes the same part of what the body has turned away
// from the animation; limp, of what it has turned against its parent body at all, since the animation says nothing then.
static void read_between(
    vrm_instance *instance, uint32_t body, const between *bones, vrm_quat parent_body, vrm_quat world)
{
    static const vrm_quat none = {0.0f, 0.0f, 0.0f, 1.0f};
    const uint32_t node = instance->ragdoll_bodies[body].node, count = bones->count;
    const vrm_quat *rest = vrmi_model_node_rest_rotation(instance->model);
    const float driven = instance->ragdoll_targets[body].rotation_weight;
    const vrm_quat joint =
        vrmi_quat_mul(vrmi_quat_conjugate(parent_body), vrmi_quat_mul(world, vrmi_quat_conjugate(rest[node])));
    for (uint32_t k = 0; k < count; ++k) {
        const uint32_t bone = bones->nodes[k];
        const vrm_quat above = rotation_above(instance, bone);
        const vrm_quat left =
            vrmi_quat_normalize(vrmi_quat_mul(world, vrmi_quat_conjugate(rotation_of(instance, node))));
        const vrm_quat away = vrmi_quat_slerp(none, left, 1.0f / (float)(count + 1 - k));
        vrm_quat turned = vrmi_quat_mul(away, vrmi_quat_mul(above, vrmi_local(instance, bone)->rotation));
        if (driven < 1.0f) {
            const vrm_quat share = vrmi_quat_slerp(none, joint, (float)(k + 1) / (float)(count + 1));
            const vrm_quat limp = vrmi_quat_mul(vrmi_quat_mul(parent_body, share), rest[bone]);
            turned = vrmi_quat_slerp(limp, turned, driven);
        }
        set_rotation(instance, bone, above, turned);
    }
}

// Turns a body's bone, and before it the bones between, which may be none.
static void read_rotation(vrm_instance *instance, uint32_t body, const between *bones, float mapping)
{
    const uint32_t node = instance->ragdoll_bodies[body].node;
    const vrm_quat parent_body = parent_rotation(instance, body);
    const vrm_quat shown = shown_rotation(instance, body, parent_body, mapping);
    const vrm_quat world = vrmi_quat_mul(shown, vrmi_model_node_rest_rotation(instance->model)[node]);
    read_between(instance, body, bones, parent_body, world);
    set_rotation(instance, node, rotation_above(instance, node), world);
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
    const uint32_t count = ragdoll->body_count;
    float mapping[VRM_RAGDOLL_MAX_BODIES];
    uint32_t first[VRM_RAGDOLL_MAX_BODIES]; // the first bone below the parent body's on the way to its own
    for (uint32_t i = 0; i < count; ++i) {
        const between bones = bones_between(instance, i);
        first[i] = bones.count != 0 ? bones.nodes[0] : instance->ragdoll_bodies[i].node;
        mapping[i] = shown_part(instance, i);
        if (i == 0 && mapping[i] > 0.0f) {
            read_place(instance, mapping[i]);
        }
        if (mapping[i] > 0.0f) {
            read_rotation(instance, i, &bones, mapping[i]);
        }
    }
    // A bone between may hold several bodies (the upper chest: neck and shoulders), and each of them has turned it. Where they
    // pull it differently, those read before the last would be shown where it has carried them, with all that they hold.
    static const between no_bones = {.count = 0};
    bool carried[VRM_RAGDOLL_MAX_BODIES] = {false};
    for (uint32_t i = 1; i < count; ++i) {
        carried[i] = carried[instance->ragdoll_bodies[i].parent];
        for (uint32_t k = i + 1; k < count && !carried[i]; ++k) {
            carried[i] = first[k] == first[i] && mapping[k] > 0.0f;
        }
        if (carried[i] && mapping[i] > 0.0f) {
            read_rotation(instance, i, &no_bones, mapping[i]);
        }
    }
    // All nodes eight at a time take half as long as those below the hips one by one.
    vrmi_hierarchy_update(instance, 0, instance->model->node_parent.count);
}
