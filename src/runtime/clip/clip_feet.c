// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Feet that do not slide. If the legs of the avatar differ from the scaled legs of the clip's skeleton, the feet are at
// other positions, and a foot that stands still in the clip slides. Each ankle is therefore moved to its position on
// the clip's own skeleton, by bending the knee (two_bone_ik.c). A standing foot is held in place, and hips that are too
// high for it are lowered.

#include "math/mat34.h"
#include "runtime/clip/clip.h"

static const float soft_reach = 0.015f; // keeps a stretched leg from snapping straight

struct leg {
    int32_t upper, lower, foot;
};

static const struct leg legs[2] = {
    {VRM_HUMAN_BONE_LEFT_UPPER_LEG, VRM_HUMAN_BONE_LEFT_LOWER_LEG, VRM_HUMAN_BONE_LEFT_FOOT},
    {VRM_HUMAN_BONE_RIGHT_UPPER_LEG, VRM_HUMAN_BONE_RIGHT_LOWER_LEG, VRM_HUMAN_BONE_RIGHT_FOOT},
};

// Computes hip, knee and ankle relative to the hips, for a skeleton with these rest positions.
static void place_leg(const vrm_vec3 rest[4], float scale, const vrm_quat world[3], vrm_vec3 out[3])
{
    vrm_vec3 at = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < 3; ++i) {
        const vrm_vec3 bone = vrmi_vec3_scale(vrmi_vec3_sub(rest[i + 1], rest[i]), scale);
        at = vrmi_vec3_add(at, vrmi_quat_rotate(world[i], bone));
        out[i] = at;
    }
}

static bool rest_of_clip(const vrm_clip *clip, const struct leg *l, vrm_vec3 out[4])
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

static bool rest_of_avatar(const vrmi_model *model, const vrmi_mix *mix, const struct leg *l, vrm_vec3 out[4])
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

typedef struct planted_leg {
    bool there;
    vrm_quat world[3], foot; // `world`: rotations of hips, thigh and shin; `foot`: the foot's rotation in the clips
    vrm_vec3 avatar[3];      // positions of hip, knee, ankle relative to the hips
    vrm_vec3 target;         // position of the ankle relative to the hips
    float length, ground;    // `length`: length of the leg; `ground`: height of the ankle at rest
} planted_leg;

static planted_leg find_leg(
    const vrm_clip_player *player, const vrm_clip *clip, const struct leg *l, const vrmi_mixing *mixing)
{
    vrm_vec3 own[4], other[4], source[3];
    planted_leg out = {.there = rest_of_clip(clip, l, other) && rest_of_avatar(player->model, &mixing->mix, l, own)};
    if (!out.there) {
        return out;
    }
    out.world[0] = vrmi_pose_get(mixing->pose, VRM_HUMAN_BONE_HIPS);
    out.world[1] = vrmi_quat_mul(out.world[0], vrmi_pose_get(mixing->pose, l->upper));
    out.world[2] = vrmi_quat_mul(out.world[1], vrmi_pose_get(mixing->pose, l->lower));
    out.foot = vrmi_quat_mul(out.world[2], vrmi_pose_get(mixing->pose, l->foot));
    const float scale = vrmi_player_scale(player, clip);
    place_leg(own, 1.0f, out.world, out.avatar);
    place_leg(other, scale, out.world, source);
    // The ankle keeps the avatar's own height, because its shoes may differ from the clip's.
    out.target = source[2];
    out.target.y += (own[3].y - own[0].y) - (other[3].y - other[0].y) * scale;
    out.ground = own[3].y;
    out.length = vrmi_vec3_length(vrmi_vec3_sub(own[2], own[1])) + vrmi_vec3_length(vrmi_vec3_sub(own[3], own[2]));
    return out;
}

// Captured feet drift by millimetres per second while a person stands. So a foot that is low and nearly still is held
// in place until it leaves the ground. The offset that held it then fades out. `ankle` is in model space.
static vrm_vec3 hold_foot(vrmi_held_foot *held, vrm_vec3 ankle, const planted_leg *leg, float dt)
{
    const vrm_vec3 moved = vrmi_vec3_sub(ankle, held->ankle);
    if (!held->known || vrmi_vec3_length(moved) > 0.5f * leg->length) { // another motion has started, or the motion
                                                                        // jumped to its beginning
        *held = (vrmi_held_foot){.known = true, .ankle = ankle};
    } else if (dt > 0.0f) {
        const float speed = vrmi_vec3_length(moved) / dt, above = ankle.y - leg->ground;
        const bool quiet = above < 0.05f * leg->length && speed < (held->holds ? 0.25f : 0.1f) * leg->length;
        const vrm_vec3 offset = vrmi_vec3_sub(held->offset, moved);
        held->quiet = quiet ? vrmi_min(held->quiet + dt, 1.0f) : 0.0f;
        held->holds = held->quiet >= 0.1f && vrmi_vec3_length(offset) < 0.08f * leg->length;
        if (held->holds) {
            // A sole that is nearly on the ground is moved to the ground.
            const float fall = vrmi_abs(above) < 0.02f * leg->length ? -above - offset.y : 0.0f;
            held->offset = vrmi_vec3(offset.x, offset.y + fall * (1.0f - vrmi_exp(-8.0f * dt)), offset.z);
        } else {
            held->offset = vrmi_vec3_scale(held->offset, vrmi_exp(-8.0f * dt));
        }
        held->ankle = ankle;
    }
    return vrmi_vec3_add(ankle, held->offset);
}

// Returns the distance that the hips must be lowered for this leg to reach its target, if the target is on or near the
// ground.
static float drop_for(const planted_leg *leg, float ankle_height)
{
    const vrm_vec3 way = vrmi_vec3_sub(leg->target, leg->avatar[0]);
    const float reach = (1.0f - soft_reach) * leg->length, aside = way.x * way.x + way.z * way.z;
    const float height = vrmi_sqrt(vrmi_max(reach * reach - aside, 0.0f));
    const float near = vrmi_clamp01((0.12f * leg->length - (ankle_height - leg->ground)) / (0.06f * leg->length));
    return vrmi_clamp(-way.y - height, 0.0f, 0.06f * leg->length) * near;
}

static void plant(const planted_leg *leg, const struct leg *l, float weight, vrmi_mixing *mixing)
{
    // A nearly straight knee does not show its bending direction, so it bends forward.
    const vrm_vec3 ahead = vrmi_quat_rotate(leg->world[0], vrmi_vec3(0.0f, 0.0f, 0.15f * leg->length));
    const vrm_two_bone_limb limb = {leg->avatar[0], leg->avatar[1], leg->avatar[2], leg->target,
        vrmi_vec3_add(leg->avatar[1], ahead), soft_reach, weight};
    vrm_quat turn_upper, turn_lower;
    vrm_two_bone_ik(&limb, &turn_upper, &turn_lower);
    const vrm_quat upper = vrmi_quat_mul(turn_upper, leg->world[1]), lower = vrmi_quat_mul(turn_lower, leg->world[2]);
    vrmi_pose_lanes *pose = vrmi_mixing_correct(mixing);
    vrmi_pose_set(pose, l->upper, vrmi_quat_normalize(vrmi_quat_mul(vrmi_quat_conjugate(leg->world[0]), upper)));
    vrmi_pose_set(pose, l->lower, vrmi_quat_normalize(vrmi_quat_mul(vrmi_quat_conjugate(upper), lower)));
    vrmi_pose_set(pose, l->foot, vrmi_quat_normalize(vrmi_quat_mul(vrmi_quat_conjugate(lower), leg->foot)));
}

void vrmi_player_plant_feet(vrm_clip_player *player, vrmi_mixing *mixing, float dt)
{
    const vrmi_player_layer *layer = &player->layers[0];
    const float weight = layer->settings.foot_weight;
    if (!(weight > 0.0f) || layer->now.clip == NULL || layer->now.clip->head.additive) {
        player->feet[0].known = player->feet[1].known = false;
        return;
    }
    vrmi_mix_spread(&mixing->mix); // this also gives valid hips if no clip rotates them
    planted_leg found[2];
    float drop = 0.0f;
    const bool places_hips = mixing->mix.hips_weight > 0.0f;
    for (int i = 0; i < 2; ++i) {
        planted_leg *leg = &found[i];
        *leg = find_leg(player, layer->now.clip, &legs[i], mixing);
        if (!leg->there) {
            continue;
        }
        vrm_vec3 ankle = vrmi_vec3_add(mixing->hips, leg->target);
        // With root motion the ground moves under the hips, and only the clip knows this motion.
        if (places_hips && !layer->settings.root_motion) {
            ankle = hold_foot(&player->feet[i], ankle, leg, dt);
            leg->target = vrmi_vec3_sub(ankle, mixing->hips);
        }
        drop = vrmi_max(drop, places_hips ? weight * drop_for(leg, ankle.y) : 0.0f);
    }
    mixing->hips.y -= drop;
    for (int i = 0; i < 2; ++i) {
        if (found[i].there) {
            found[i].target.y += drop;
            plant(&found[i], &legs[i], weight, mixing);
        }
    }
}
