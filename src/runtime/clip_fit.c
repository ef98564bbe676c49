// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Retargeting: the mixed pose of the normalized humanoid on an avatar's bones (VRMC_vrm_animation-1.0, "how to transform human poses").

#include "math/mat34.h"
#include "runtime/clip_player.h"
#include "runtime/hierarchy.h"

enum { ALL_GROUPS = (1 << VRMI_POSE_GROUPS) - 1 };

// local = P^-1 N P rest, with P the rest rotation of the space that holds the bone.
static void fit_bone(vrmi_fit *fit, const vrmi_model *model, int32_t bone)
{
    fit->node[bone] = model->head.bone_node[bone];
    if (fit->node[bone] < 0) {
        return;
    }
    const vrm_quat parent = vrmi_rest_parent_rotation(model, (uint32_t)fit->node[bone]);
    vrmi_pose_set(&fit->before, bone, vrmi_quat_conjugate(parent));
    vrmi_pose_set(&fit->after, bone, vrmi_quat_mul(parent, vrmi_model_node_rest(model)[fit->node[bone]].rotation));
    fit->bones |= UINT64_C(1) << bone;
    const int32_t above = vrm_human_bone_parent((vrm_human_bone)bone);
    fit->folds |= above >= 0 && fit->node[above] < 0 ? UINT64_C(1) << bone : 0;
}

void vrmi_player_fit(vrm_clip_player *player)
{
    const vrmi_model *model = player->model;
    vrmi_fit *fit = &player->fit;
    vrmi_pose_identity(&fit->before);
    vrmi_pose_identity(&fit->after);
    for (int32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) { // parents before children
        fit_bone(fit, model, bone);
    }
    vrmi_mat34_identity(&fit->hips_from_model);
    const int32_t hips = fit->node[VRM_HUMAN_BONE_HIPS];
    const int32_t parent = hips >= 0 ? vrmi_model_node_parent(model)[hips] : -1;
    if (parent >= 0) {
        vrmi_mat34_invert(&vrmi_model_node_rest_matrix(model)[parent], &fit->hips_from_model);
    } else {
        const vrm_transform turn = {
            {0.0f, 0.0f, 0.0f}, vrmi_quat_conjugate(model->head.root_from_nodes), {1.0f, 1.0f, 1.0f}};
        vrmi_mat34_from_transform(&turn, &fit->hips_from_model);
    }
}

vrmi_pose_lanes *vrmi_player_correct(vrm_clip_player *player)
{
    if (player->pose != &player->corrected) {
        player->corrected = *player->pose;
        player->pose = &player->corrected;
    }
    return &player->corrected;
}

// What the bones between this one and the avatar's next bone above turn: the avatar lacks them, so this one turns for them
// (upperChest -> neck and shoulders). False when there is nothing.
static bool fold_missing(const vrm_clip_player *player, int32_t bone, vrm_quat *out)
{
    bool any = false;
    *out = vrmi_quat_identity();
    int32_t above = vrm_human_bone_parent((vrm_human_bone)bone);
    for (; above >= 0 && player->fit.node[above] < 0; above = vrm_human_bone_parent((vrm_human_bone)above)) {
        const float weight = player->mix->weight[above];
        const bool adds = (player->adds >> above & 1u) != 0;
        if (weight > 0.0f || adds) {
            vrm_quat own = vrmi_quat_identity();
            if (weight > 0.0f) {
                const vrm_quat whole = vrmi_pose_get(player->pose, above);
                own = weight >= 1.0f ? whole : vrmi_quat_slerp(own, whole, weight);
            }
            own = adds ? vrmi_quat_mul(own, player->added[above]) : own;
            *out = vrmi_quat_mul(own, *out);
            any = true;
        }
    }
    return any;
}

// A bone that is not simply the mix's: partly shown, added to, or turned for others.
static void overlay_bone(const vrm_clip_player *player, int32_t bone, vrm_quat own, vrm_quat *rotation)
{
    const float weight = player->mix->weight[bone];
    bool touched = weight > 0.0f;
    vrm_quat raw = *rotation;
    if (touched) {
        raw = weight >= 1.0f ? own : vrmi_quat_slerp(raw, own, weight);
    }
    if ((player->adds >> bone & 1u) != 0) {
        const vrm_quat after = vrmi_pose_get(&player->fit.after, bone);
        const vrm_quat added = vrmi_quat_mul(vrmi_quat_conjugate(after), player->added[bone]);
        raw = vrmi_quat_mul(raw, vrmi_quat_mul(added, after));
        touched = true;
    }
    vrm_quat folded;
    if ((player->fit.folds >> bone & 1u) != 0 && fold_missing(player, bone, &folded)) {
        const vrm_quat before = vrmi_pose_get(&player->fit.before, bone);
        raw = vrmi_quat_mul(vrmi_quat_mul(vrmi_quat_mul(before, folded), vrmi_quat_conjugate(before)), raw);
        touched = true;
    }
    if (touched) {
        *rotation = vrmi_quat_normalize(raw);
    }
}

void vrmi_player_overlay(const vrm_clip_player *player, vrm_transform *locals)
{
    const vrmi_fit *fit = &player->fit;
    const uint64_t special = player->adds | fit->folds;
    vrmi_pose_lanes raw;
    player->kernels->fit(&fit->before, player->pose, &fit->after, ALL_GROUPS, &raw);
    for (int32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        if (fit->node[bone] < 0) {
            continue;
        }
        vrm_quat *rotation = &locals[fit->node[bone]].rotation;
        if (player->mix->weight[bone] >= 1.0f && (special >> bone & 1u) == 0) {
            *rotation = vrmi_pose_get(&raw, bone);
        } else {
            overlay_bone(player, bone, vrmi_pose_get(&raw, bone), rotation);
        }
    }
    const int32_t hips = fit->node[VRM_HUMAN_BONE_HIPS];
    if (hips < 0) {
        return;
    }
    vrm_vec3 *place = &locals[hips].translation;
    const float weight = player->mix->hips_weight;
    if (weight > 0.0f) {
        const vrm_vec3 own = vrmi_mat34_point(&fit->hips_from_model, player->hips);
        *place = weight >= 1.0f ? own : vrmi_vec3_lerp(*place, own, weight);
    }
    if (vrmi_vec3_dot(player->hips_added, player->hips_added) > 0.0f) {
        *place = vrmi_vec3_add(*place, vrmi_mat34_vector(&fit->hips_from_model, player->hips_added));
    }
}
