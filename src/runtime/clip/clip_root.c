// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Root motion: the hips stay over their rest place, and their horizontal motion is reported instead.

#include "runtime/clip/clip.h"

enum { ROUNDS_MAX = 64 }; // largest number of rounds of a loop in one update

// Returns the angle about the vertical that a rotation contains (its twist).
static float heading_of(vrm_quat q)
{
    return 2.0f * vrmi_atan2(q.w < 0.0f ? -q.y : q.y, vrmi_abs(q.w));
}

static vrm_vec3 turned(float heading, vrm_vec3 v)
{
    float s, c;
    vrmi_sincos(heading, &s, &c);
    return vrmi_vec3(c * v.x + s * v.z, v.y, c * v.z - s * v.x);
}

// Returns b relative to a.
static vrmi_ground from(vrmi_ground a, vrmi_ground b)
{
    return (vrmi_ground){turned(-a.heading, vrmi_vec3_sub(b.place, a.place)), b.heading - a.heading};
}

// Returns the position that is b relative to a; the inverse of from().
static vrmi_ground along(vrmi_ground a, vrmi_ground b)
{
    return (vrmi_ground){vrmi_vec3_add(a.place, turned(a.heading, b.place)), a.heading + b.heading};
}

static vrmi_ground ground_at(const vrm_clip_player *player, const vrmi_clip_slot *slot, float time)
{
    const vrm_clip *clip = slot->clip;
    const vrm_clip_layer_params *settings = &player->layers[0].settings;
    vrmi_ground ground = {{0.0f, 0.0f, 0.0f}, 0.0f};
    float v[4];
    if (clip->hips_track >= 0) {
        const float scale = vrmi_player_scale(player, clip);
        vrmi_slot_sample(slot, clip->hips_track, time, v);
        ground.place = vrmi_vec3(v[0] * scale, 0.0f, v[2] * scale);
    }
    if (settings->root_turn && clip->bone_track[VRM_HUMAN_BONE_HIPS] >= 0) {
        vrmi_slot_sample(slot, clip->bone_track[VRM_HUMAN_BONE_HIPS], time, v);
        ground.heading = heading_of((vrm_quat){v[0], v[1], v[2], v[3]});
    }
    return ground;
}

// Returns the motion from the last update's position to `now`, through all rounds of a loop in between.
static vrmi_ground way_to(const vrm_clip_player *player, const vrmi_clip_slot *slot, vrmi_ground now, double round)
{
    const double more = round - player->root_round;
    const vrmi_ground start = ground_at(player, slot, 0.0f), end = ground_at(player, slot, slot->clip->head.duration);
    if (more == 0.0) {
        return from(player->root, now);
    }
    const bool forwards = more > 0.0;
    vrmi_ground way = from(player->root, forwards ? end : start);
    const vrmi_ground whole = forwards ? from(start, end) : from(end, start);
    const int whole_rounds = (int)vrmi_clamp((float)(forwards ? more : -more), 1.0f, (float)ROUNDS_MAX) - 1;
    for (int i = 0; i < whole_rounds; ++i) {
        way = along(way, whole);
    }
    return along(way, from(forwards ? start : end, now));
}

// Returns the equivalent angle within half a turn. Near half a turn the result may jump to the other sign.
static float nearest_turn(float angle)
{
    while (angle > VRMI_PI) {
        angle -= 2.0f * VRMI_PI;
    }
    while (angle < -VRMI_PI) {
        angle += 2.0f * VRMI_PI;
    }
    return angle;
}

// Moves the shown hips over their rest place; with `turn`, also rotates them to face forward.
static void keep_hips(const vrmi_model *model, int32_t node, bool turn, vrmi_mixing *mixing)
{
    const vrm_vec3 rest = vrmi_mat34_translation(&vrmi_model_node_rest_matrix(model)[node]);
    mixing->hips.x = rest.x;
    mixing->hips.z = rest.z;
    if (turn && vrmi_mix_weight(&mixing->mix, VRM_HUMAN_BONE_HIPS) > 0.0f) {
        const vrm_quat hips = vrmi_pose_get(mixing->pose, VRM_HUMAN_BONE_HIPS);
        const vrm_quat back = vrmi_quat_from_yaw_pitch(-heading_of(hips), 0.0f);
        vrmi_pose_set(vrmi_mixing_correct(mixing), VRM_HUMAN_BONE_HIPS, vrmi_quat_mul(back, hips));
    }
}

void vrmi_player_root(vrm_clip_player *player, vrmi_mixing *mixing)
{
    const vrmi_player_layer *layer = &player->layers[0];
    const vrmi_clip_slot *slot = &layer->now;
    const int32_t hips = player->model->head.bone_node[VRM_HUMAN_BONE_HIPS];
    player->root_motion = (vrmi_ground){{0.0f, 0.0f, 0.0f}, 0.0f};
    if (!layer->settings.root_motion || slot->clip == NULL || hips < 0 ||
        (slot->clip->hips_track < 0 && !layer->settings.root_turn)) {
        player->root_known = false;
        return;
    }
    double rest, round = 0.0;
    if (slot->wrap == VRM_CLIP_WRAP_LOOP && slot->clip->head.duration > 0.0f) {
        round = vrmi_slot_rounds(slot->time, (double)slot->clip->head.duration, &rest);
    }
    const vrmi_ground now = ground_at(player, slot, vrmi_slot_time(slot));
    if (player->root_known) {
        player->root_motion = way_to(player, slot, now, round);
        player->root_motion.heading = nearest_turn(player->root_motion.heading);
    }
    player->root = now;
    player->root_round = round;
    player->root_known = true;
    keep_hips(player->model, hips, layer->settings.root_turn, mixing);
}
