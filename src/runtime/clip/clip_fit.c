// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Retargeting: applies the mixed pose of the normalized humanoid to an avatar's bones (VRMC_vrm_animation-1.0, "how to
// transform human poses").

#include "math/mat34.h"
#include "runtime/clip/clip.h"

vrmi_pose_lanes *vrmi_mixing_correct(vrmi_mixing *mixing)
{
    if (mixing->pose != &mixing->corrected) {
        mixing->corrected = *mixing->pose;
        mixing->pose = &mixing->corrected;
    }
    return &mixing->corrected;
}

// Returns the combined rotation of the missing bones between a bone and the next existing bone above it. The bone takes
// over this rotation (for example the neck takes over that of upperChest). Returns false if no missing bone moves.
static bool fold_missing(const vrmi_model *model, const vrmi_mixing *mixing, int32_t bone, vrm_quat *out)
{
    bool any = false;
    *out = vrmi_quat_identity();
    int32_t above = vrm_human_bone_parent((vrm_human_bone)bone);
    for (; above >= 0 && model->head.bone_node[above] < 0; above = vrm_human_bone_parent((vrm_human_bone)above)) {
        const float weight = vrmi_mix_weight(&mixing->mix, above);
        const bool adds = (mixing->adds >> above & 1u) != 0;
        if (weight > 0.0f || adds) {
            vrm_quat own = vrmi_quat_identity();
            if (weight > 0.0f) {
                const vrm_quat whole = vrmi_pose_get(mixing->pose, above);
                own = weight >= 1.0f ? whole : vrmi_quat_slerp(own, whole, weight);
            }
            own = adds ? vrmi_quat_mul(own, mixing->added[above]) : own;
            *out = vrmi_quat_mul(own, *out);
            any = true;
        }
    }
    return any;
}

// Computes a bone that needs more than its rotation in the mix: its weight is below 1, additive layers move it, or
// missing bones are folded into it. `own` is its rotation in the mix, valid if it has weight. `below` is the rotation
// over which the mix is laid.
static void overlay_bone(const vrmi_model *model, const vrmi_mixing *mixing, int32_t bone, const vrm_quat *own,
    const vrm_quat *below, vrm_quat *rotation)
{
    const vrmi_pose_fit *fit = vrmi_model_pose_fit(model);
    const float weight = vrmi_mix_weight(&mixing->mix, bone);
    bool touched = weight > 0.0f;
    vrm_quat raw = *below;
    if (touched) {
        raw = weight >= 1.0f ? *own : vrmi_quat_slerp(raw, *own, weight);
    }
    if ((mixing->adds >> bone & 1u) != 0) {
        const vrm_quat after = vrmi_pose_get(&fit->after, bone);
        const vrm_quat added = vrmi_quat_mul(vrmi_quat_conjugate(after), mixing->added[bone]);
        raw = vrmi_quat_mul(raw, vrmi_quat_mul(added, after));
        touched = true;
    }
    vrm_quat folded;
    if ((fit->folds >> bone & 1u) != 0 && fold_missing(model, mixing, bone, &folded)) {
        const vrm_quat before = vrmi_pose_get(&fit->before, bone);
        raw = vrmi_quat_mul(vrmi_quat_mul(vrmi_quat_mul(before, folded), vrmi_quat_conjugate(before)), raw);
        touched = true;
    }
    if (touched) {
        *rotation = vrmi_quat_normalize(raw);
    }
}

static void overlay_hips(
    const vrmi_model *model, const vrmi_mixing *mixing, const vrm_transform *rest, vrm_transform *locals)
{
    const int32_t hips = model->head.bone_node[VRM_HUMAN_BONE_HIPS];
    if (hips < 0) {
        return;
    }
    const vrm_mat34 *from_model = &vrmi_model_pose_fit(model)->hips_from_model;
    vrm_vec3 *place = &locals[vrmi_model_node_pose(model)[hips]].translation;
    const float weight = mixing->mix.hips_weight;
    const bool adds = vrmi_vec3_dot(mixing->hips_added, mixing->hips_added) > 0.0f;
    if (rest != NULL && (weight > 0.0f || adds)) {
        *place = rest[hips].translation;
    }
    if (weight > 0.0f) {
        const vrm_vec3 own = vrmi_mat34_point(from_model, mixing->hips);
        *place = weight >= 1.0f ? own : vrmi_vec3_lerp(*place, own, weight);
    }
    if (adds) {
        *place = vrmi_vec3_add(*place, vrmi_mat34_vector(from_model, mixing->hips_added));
    }
}

void vrmi_player_overlay(
    const vrm_clip_player *player, const vrmi_mixing *mixing, const vrm_transform *rest, vrm_transform *locals)
{
    const vrmi_model *model = player->model;
    const vrmi_pose_fit *fit = vrmi_model_pose_fit(model);
    const vrmi_mix *mix = &mixing->mix;
    const int32_t *nodes = model->head.bone_node;
    const uint32_t *rows = vrmi_model_node_pose(model);
    const uint64_t special = (mixing->adds | fit->folds) & fit->bones, own = mix->bones & fit->bones;
    const bool whole = !mix->spread && mix->share >= 1.0f;
    vrm_quat raw[VRMI_POSE_LANES];
    player->kernels->fit(&fit->before, mixing->pose, &fit->after, vrmi_pose_groups(own), raw);
    for (int32_t bone = 0; (own | special) >> bone != 0; ++bone) {
        if (((own | special) >> bone & 1u) == 0) {
            continue;
        }
        vrm_quat *rotation = &locals[rows[nodes[bone]]].rotation;
        if ((special >> bone & 1u) == 0 && (whole || vrmi_mix_weight(mix, bone) >= 1.0f)) {
            *rotation = raw[bone];
        } else {
            const vrm_quat below = rest != NULL ? rest[nodes[bone]].rotation : *rotation;
            overlay_bone(model, mixing, bone, &raw[bone], &below, rotation);
        }
    }
    overlay_hips(model, mixing, rest, locals);
}
