// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Converts the bones, eyes and target of a frame to the solver's input.

#include "runtime/core/hierarchy.h"
#include "runtime/core/output.h"

static const vrm_quat identity = {0.0f, 0.0f, 0.0f, 1.0f};

vrm_quat vrmi_look_rest(const vrm_instance *instance, int32_t node)
{
    return vrmi_model_node_rest(instance->model)[node].rotation;
}

static void place_above(
    const vrmi_look_frame *f, uint32_t index, vrm_quat parent, vrm_vec3 position, vrmi_look_solve_bone *out)
{
    if (index + 1 == f->problem.count) {
        out->hold = parent;
        out->offset = position;
        return;
    }
    const int32_t above = f->instance->look_bones[index + 1].node;
    const vrm_quat inverse = vrmi_quat_conjugate(vrmi_quat_normalize(*vrmi_world_rotation(f->instance, above)));
    const vrm_vec3 arm = vrmi_vec3_sub(position, vrmi_mat34_translation(&f->instance->world[above]));
    out->hold = vrmi_quat_mul(inverse, parent);
    out->offset = vrmi_quat_rotate(inverse, arm);
}

static void gather_eyes(vrmi_look_frame *f)
{
    vrmi_look_solve_bone *out = &f->problem.bones[0];
    vrm_vec3 origin;
    vrm_quat rotation;
    vrmi_look_at_space(f->instance, &origin, &rotation);
    *out = (vrmi_look_solve_bone){.local = identity,
        .forward = {0.0f, 0.0f, 1.0f},
        .frame = identity,
        .rest = identity,
        .limits = f->eye_limits.limits,
        .box = true};
    place_above(f, 0, rotation, vrmi_eye_middle(f->instance), out);
}

static void gather_bone(vrmi_look_frame *f, uint32_t index)
{
    const vrm_instance *instance = f->instance;
    const vrmi_look_bone *bone = &instance->look_bones[index];
    vrmi_look_solve_bone *out = &f->problem.bones[index];
    const int32_t parent = vrmi_model_node_parent(instance->model)[bone->node];
    *out = (vrmi_look_solve_bone){.local = f->base[index],
        .forward = bone->forward,
        .frame = bone->frame,
        .rest = vrmi_look_rest(instance, bone->node),
        .limits = {bone->limit, bone->limit, bone->limit},
        .asymmetric = bone->asymmetric,
        .roll = VRMI_PI,
        .around_up = bone->around_up};
    if (bone->asymmetric) {
        out->limits = (vrmi_look_limits){bone->limit_yaw, bone->limit_up, bone->limit_down};
        out->roll = bone->limit_roll;
    }
    if (f->expresses && vrmi_look_side_of(instance->model, bone->node) >= 0) {
        const vrmi_look_limits own = out->limits, can = f->eye_limits.limits;
        out->limits =
            (vrmi_look_limits){vrmi_min(own.yaw, can.yaw), vrmi_min(own.up, can.up), vrmi_min(own.down, can.down)};
        out->box = true;
    }
    const vrm_quat held = parent >= 0 ? *vrmi_world_rotation(instance, parent) : instance->root_rotation;
    place_above(f, index, vrmi_quat_normalize(held), vrmi_mat34_translation(&instance->world[bone->node]), out);
}

// Returns the unit of length. The article's unit is a metre. The default is the height of the head above the ground, so
// that the avatar's size does not matter.
static float unit_of(const vrmi_look_frame *f)
{
    const vrm_instance *instance = f->instance;
    if (f->chain->def.mode == VRM_LOOK_CHAIN_MODE_ARTICLE) {
        return 1.0f;
    }
    const int32_t head = instance->model->head.bone_node[VRM_HUMAN_BONE_HEAD];
    const int32_t node = head >= 0 ? head : instance->look_bones[0].node;
    const float height = vrmi_model_node_rest_matrix(instance->model)[node].m[1][3];
    return (height > 1e-3f ? height : 1.0f) * instance->root.scale;
}

void vrmi_look_gather(vrmi_look_frame *f, uint32_t count)
{
    const vrmi_look_chain *chain = f->chain;
    const bool article = chain->def.mode == VRM_LOOK_CHAIN_MODE_ARTICLE;
    f->problem.count = count;
    f->problem.up = vrmi_quat_rotate(f->instance->root.rotation, chain->def.up);
    f->problem.unit = unit_of(f);
    f->problem.soft = article ? 0.0f : chain->def.soft_limit;
    f->problem.blend_axis = article;
    f->problem.max_passes = article ? 1 : VRMI_LOOK_MAX_PASSES;
    f->problem.target = f->aiming ? vrmi_look_at_target(f->instance) : vrmi_vec3(0.0f, 0.0f, 0.0f);
    f->target = f->problem.target;
    if (f->eyes) {
        gather_eyes(f);
    }
    for (uint32_t i = f->first; i < count; ++i) {
        gather_bone(f, i);
    }
    vrmi_look_prepare(&f->problem);
}

// Returns the model's axes, rotated by the chain's parent. They define the direction behind the body.
static vrm_quat base_axes(const vrmi_look_frame *f)
{
    const vrmi_look_solve_bone *last = &f->problem.bones[f->problem.count - 1];
    const int32_t node = f->instance->look_bones[f->problem.count - 1].node;
    const vrm_quat rest = node >= 0 ? vrmi_rest_parent_rotation(f->instance->model, (uint32_t)node) : identity;
    return vrmi_quat_mul(last->hold, vrmi_quat_conjugate(rest));
}

// Returns the largest rotation of the whole chain, the sum over its bones.
static float reach_of(const vrmi_look_problem *problem)
{
    float sum = 0.0f;
    for (uint32_t i = 0; i < problem->count; ++i) {
        const vrmi_look_solve_bone *bone = &problem->bones[i];
        const vrmi_look_limits *l = &bone->limits;
        const float upright = vrmi_max(l->up, l->down);
        const float most = bone->box ? vrmi_sqrt(l->yaw * l->yaw + upright * upright)
                                     : (bone->asymmetric ? vrmi_max(l->yaw, upright) : l->yaw);
        sum += most * bone->slack;
    }
    return vrmi_min(sum, VRMI_PI);
}

// Returns the largest yaw of a target at this height that the chain can reach: at least a quarter turn, and never
// straight behind.
static float farthest_yaw(float reach, float cosine_of_height, float edge)
{
    float sine, cosine;
    vrmi_sincos(reach, &sine, &cosine);
    const float ratio = vrmi_clamp(cosine / vrmi_max(cosine_of_height, 1e-6f), -1.0f, 1.0f);
    return vrmi_clamp(vrmi_acos(ratio), 0.5f * VRMI_PI, edge);
}

void vrmi_look_keep_side(vrmi_look_frame *f)
{
    vrmi_look_chain *chain = f->chain;
    const float margin = chain->def.behind_margin;
    if (chain->def.mode == VRM_LOOK_CHAIN_MODE_ARTICLE || margin <= 0.0f) {
        return;
    }
    const vrm_quat axes = base_axes(f);
    const vrm_vec3 eye = f->problem.bones[0].position;
    const vrm_vec3 way = vrmi_quat_rotate(vrmi_quat_conjugate(axes), vrmi_vec3_sub(f->problem.target, eye));
    const float yaw = vrmi_atan2(way.x, way.z), size = vrmi_abs(yaw);
    const float ground = vrmi_sqrt(way.x * way.x + way.z * way.z);
    const float height = ground / vrmi_max(vrmi_vec3_length(way), 1e-12f); // cosine of the target's elevation
    const float edge =
        farthest_yaw(reach_of(&f->problem), height, VRMI_PI - vrmi_min(margin, 10.0f * VRMI_PI / 180.0f));
    if (chain->side == 0 || size < VRMI_PI - margin) {
        chain->side = yaw < 0.0f ? -1 : 1;
    }
    const bool crossed = (yaw < 0.0f ? -1 : 1) != chain->side;
    if (!crossed && size <= edge) {
        return;
    }
    float sine, cosine;
    vrmi_sincos((float)chain->side * edge, &sine, &cosine);
    const vrm_vec3 seen = {sine * ground, way.y, cosine * ground};
    f->problem.target = vrmi_vec3_add(eye, vrmi_quat_rotate(axes, seen));
}
