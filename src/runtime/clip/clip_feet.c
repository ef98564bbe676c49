// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Feet that do not slide: an avatar whose legs are not those of the clip's skeleton, scaled, puts its feet elsewhere, and a foot that
// stands there does not stand here. Each ankle goes where the clip's own skeleton has it, by the bend of the knee (two_bone_ik.c).

#include "math/mat34.h"
#include "runtime/clip/clip.h"

static const float soft_reach = 0.03f; // stretched legs do not snap straight

typedef struct leg {
    int32_t upper, lower, foot;
} leg;

static const leg legs[2] = {
    {VRM_HUMAN_BONE_LEFT_UPPER_LEG, VRM_HUMAN_BONE_LEFT_LOWER_LEG, VRM_HUMAN_BONE_LEFT_FOOT},
    {VRM_HUMAN_BONE_RIGHT_UPPER_LEG, VRM_HUMAN_BONE_RIGHT_LOWER_LEG, VRM_HUMAN_BONE_RIGHT_FOOT},
};

// Hip, knee and ankle from the hips, of a skeleton with these rest positions.
static void place_leg(const vrm_vec3 rest[4], float scale, const vrm_quat world[3], vrm_vec3 out[3])
{
    vrm_vec3 at = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < 3; ++i) {
        const vrm_vec3 bone = vrmi_vec3_scale(vrmi_vec3_sub(rest[i + 1], rest[i]), scale);
        at = vrmi_vec3_add(at, vrmi_quat_rotate(world[i], bone));
        out[i] = at;
    }
}

static bool rest_of_clip(const vrm_clip *clip, const leg *l, vrm_vec3 out[4])
{
    const int32_t bones[4] = {VRM_HUMAN_BONE_HIPS, l->upper, l->lower, l->foot};
    for (int i = 0; i < 4; ++i) {
        if ((clip->head.skeleton >> bones[i] & 1u) == 0) {
            return false;
        }
        out[i] = clip->head.rest[bones[i]];
    }
    return true;
}

static bool rest_of_avatar(const vrmi_model *model, const vrmi_mix *mix, const leg *l, vrm_vec3 out[4])
{
    const int32_t bones[4] = {VRM_HUMAN_BONE_HIPS, l->upper, l->lower, l->foot};
    for (int i = 0; i < 4; ++i) {
        const int32_t node = model->head.bone_node[bones[i]];
        if (node < 0 || !(vrmi_mix_weight(mix, bones[i]) > 0.0f || i == 0)) {
            return false;
        }
        out[i] = vrmi_mat34_translation(&vrmi_model_node_rest_matrix(model)[node]);
    }
    return true;
}

static void plant(const vrm_clip_player *player, const vrm_clip *clip, const leg *l, float weight, vrmi_mixing *mixing)
{
    vrm_vec3 own[4], other[4], avatar[3], source[3];
    if (!rest_of_clip(clip, l, other) || !rest_of_avatar(player->model, &mixing->mix, l, own)) {
        return;
    }
    const vrm_quat hips = vrmi_pose_get(mixing->pose, VRM_HUMAN_BONE_HIPS);
    const vrm_quat upper = vrmi_quat_mul(hips, vrmi_pose_get(mixing->pose, l->upper));
    const vrm_quat lower = vrmi_quat_mul(upper, vrmi_pose_get(mixing->pose, l->lower));
    const vrm_quat foot = vrmi_quat_mul(lower, vrmi_pose_get(mixing->pose, l->foot));
    const vrm_quat world[3] = {hips, upper, lower};
    const float scale = vrmi_player_scale(player, clip);
    place_leg(own, 1.0f, world, avatar);
    place_leg(other, scale, world, source);
    // An ankle stands as high as the avatar's own does, whose shoes are not the clip's.
    vrm_vec3 target = source[2];
    target.y += (own[3].y - own[0].y) - (other[3].y - other[0].y) * scale;
    const vrm_two_bone_limb limb = {avatar[0], avatar[1], avatar[2], target, avatar[0], soft_reach, weight};
    vrm_quat turn_upper, turn_lower;
    vrm_two_bone_ik(&limb, &turn_upper, &turn_lower);
    const vrm_quat new_upper = vrmi_quat_mul(turn_upper, upper), new_lower = vrmi_quat_mul(turn_lower, lower);
    vrmi_pose_lanes *pose = vrmi_mixing_correct(mixing);
    vrmi_pose_set(pose, l->upper, vrmi_quat_normalize(vrmi_quat_mul(vrmi_quat_conjugate(hips), new_upper)));
    vrmi_pose_set(pose, l->lower, vrmi_quat_normalize(vrmi_quat_mul(vrmi_quat_conjugate(new_upper), new_lower)));
    vrmi_pose_set(pose, l->foot, vrmi_quat_normalize(vrmi_quat_mul(vrmi_quat_conjugate(new_lower), foot)));
}

void vrmi_player_plant_feet(const vrm_clip_player *player, vrmi_mixing *mixing)
{
    const vrmi_player_layer *layer = &player->layers[0];
    if (!(layer->settings.foot_weight > 0.0f) || layer->now.clip == NULL || layer->now.clip->head.additive) {
        return;
    }
    vrmi_mix_spread(&mixing->mix); // hips that no clip turns are looked at, too
    for (int i = 0; i < 2; ++i) {
        plant(player, layer->now.clip, &legs[i], layer->settings.foot_weight, mixing);
    }
}
