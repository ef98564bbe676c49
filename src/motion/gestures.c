// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Motions in place: idle, wave, bow, sitting down. They all begin with the first pose of idle.

#include "motion/motions.h"

const float vrmi_idle_seconds = 12.0f, vrmi_wave_seconds = 3.6f, vrmi_bow_seconds = 3.2f, vrmi_sit_seconds = 1.8f;

// Rises from 0 to 1 between two times, and falls back between two others.
typedef struct span {
    float up_from, up_to, down_from, down_to;
} span;

static float within(const span *s, float time)
{
    return vrmi_ease((time - s->up_from) / (s->up_to - s->up_from)) *
           (1.0f - vrmi_ease((time - s->down_from) / (s->down_to - s->down_from)));
}

// Places both feet as in the T-pose. Hips that are too high for a leg are lowered.
static void stand(const vrmi_figure *figure, vrmi_figure_pose *pose)
{
    const float length = 0.998f * figure->leg;
    for (int side = 0; side < 2; ++side) {
        const vrmi_foot foot = vrmi_foot_at_rest(figure, side);
        vrm_quat unused;
        const vrm_vec3 hip = vrmi_pose_place(
            figure, pose, side == 0 ? VRM_HUMAN_BONE_LEFT_UPPER_LEG : VRM_HUMAN_BONE_RIGHT_UPPER_LEG, &unused);
        const vrm_vec3 way = vrmi_vec3_sub(hip, foot.ankle);
        const float up = vrmi_sqrt(vrmi_max(length * length - way.x * way.x - way.z * way.z, 0.0f));
        pose->hips.y -= vrmi_max(way.y - up, 0.0f);
    }
    for (int side = 0; side < 2; ++side) {
        const vrmi_foot foot = vrmi_foot_at_rest(figure, side);
        vrmi_pose_leg(figure, pose, side, &foot);
    }
}

static vrmi_arm hanging(const vrmi_figure *figure)
{
    return (vrmi_arm){.down = figure->hang - 1.4f, .forward = 4.0f, .twist = 20.0f, .elbow = 15.0f, .curl = 0.5f};
}

// Returns the distance by which the hips are lowered so that no knee is fully stretched.
static float soft_knees(const vrmi_figure *figure)
{
    return 0.003f * figure->leg;
}

void vrmi_idle_pose(const vrmi_figure *figure, float time, vrmi_figure_pose *out)
{
    // Three breaths, one shift of the weight and back, and three glances: to the left, down right, and straight ahead.
    static const span glances[2] = {{2.6f, 3.3f, 5.2f, 5.9f}, {7.6f, 8.2f, 9.6f, 10.4f}};
    const float part = time / vrmi_idle_seconds;
    const float breath = vrmi_wave(3.0f * part), shift = vrmi_wave(part), drift = vrmi_wave(2.0f * part + 0.3f);
    const float rise = vrmi_wave(3.0f * part - 0.05f);
    const float left = within(&glances[0], time), right = within(&glances[1], time);
    vrmi_pose_begin(figure, out);
    const float aside = 0.022f * figure->leg * shift;
    out->hips.x += aside;
    out->hips.y -= soft_knees(figure) + 0.004f * figure->leg * shift * shift;
    out->hips.z += 0.004f * figure->leg * drift;
    const float roll = 1.6f * shift;
    out->turns[VRM_HUMAN_BONE_HIPS] = vrmi_bend(vrmi_vec3(0.5f, 1.5f * shift, roll));
    vrmi_pose_trunk(figure, out,
        vrmi_vec3(1.0f - 1.4f * breath, -1.0f * shift + 4.0f * left - 3.0f * right, -1.7f * roll + 0.6f * drift));
    vrmi_pose_head(figure, out,
        vrmi_vec3(0.5f + 1.0f * breath - 2.0f * left + 6.0f * right + 0.8f * drift, 17.0f * left - 13.0f * right,
            0.7f * roll - 2.5f * left + 2.0f * right));
    for (int side = 0; side < 2; ++side) {
        const float sign = side == 0 ? 1.0f : -1.0f;
        vrmi_arm arm = hanging(figure);
        arm.down -= 0.5f + 0.5f * rise + sign * 0.8f * roll;
        arm.forward += 0.8f * breath + sign * 0.8f * drift;
        arm.elbow += 1.5f * vrmi_wave(3.0f * part - 0.1f) - sign * 1.0f * shift;
        vrmi_pose_arm(out, side, &arm);
        const int shoulder = side == 0 ? VRM_HUMAN_BONE_LEFT_SHOULDER : VRM_HUMAN_BONE_RIGHT_SHOULDER;
        out->turns[shoulder] = vrmi_turn(sign * (0.8f + 0.8f * rise), 0, 0, 1);
    }
    stand(figure, out);
}

// Starts from the first pose of idle, from which the other motions begin; breathing continues.
static void begin_standing(const vrmi_figure *figure, vrmi_figure_pose *out)
{
    vrmi_idle_pose(figure, 0.0f, out);
}

// Adds a motion's rotation to a bone of the standing pose.
static void add(vrmi_figure_pose *pose, vrm_human_bone bone, vrm_quat turn)
{
    pose->turns[bone] = vrmi_quat_mul(pose->turns[bone], turn);
}

// Blends each bone of an arm towards another pose.
static void blend_arm(vrmi_figure_pose *pose, int side, const vrmi_figure_pose *to, float weight)
{
    const int first[2] = {side == 0 ? VRM_HUMAN_BONE_LEFT_UPPER_ARM : VRM_HUMAN_BONE_RIGHT_UPPER_ARM,
        side == 0 ? VRM_HUMAN_BONE_LEFT_THUMB_METACARPAL : VRM_HUMAN_BONE_RIGHT_THUMB_METACARPAL};
    const int counts[2] = {3, 15};
    for (int part = 0; part < 2; ++part) {
        for (int i = 0; i < counts[part]; ++i) {
            const int bone = first[part] + i;
            pose->turns[bone] = vrmi_quat_slerp(pose->turns[bone], to->turns[bone], weight);
        }
    }
}

void vrmi_wave_pose(const vrmi_figure *figure, float time, vrmi_figure_pose *out)
{
    static const span raise = {0.1f, 0.9f, 2.7f, 3.5f}, shake = {0.7f, 1.0f, 2.5f, 2.8f};
    const float up = within(&raise, time), sway = within(&shake, time) * vrmi_wave((time - 0.75f) * 1.65f);
    begin_standing(figure, out);
    vrmi_pose_trunk(figure, out, vrmi_vec3(1.0f, 3.0f * up, 3.0f * up));
    vrmi_pose_head(figure, out, vrmi_vec3(0.5f - 1.0f * up, -2.0f * up, 4.0f * up + 1.0f * sway));
    // The upper arm is rotated outwards about its own axis, so that the forearm points up.
    const vrmi_arm arm = {
        .down = 26.0f - 4.0f * sway, .forward = 0.0f, .twist = -72.0f, .elbow = 112.0f + 16.0f * sway, .curl = 0.12f};
    vrmi_figure_pose raised;
    vrmi_pose_begin(figure, &raised);
    vrmi_pose_arm(&raised, 1, &arm);
    blend_arm(out, 1, &raised, up);
    add(out, VRM_HUMAN_BONE_RIGHT_HAND, vrmi_turn(-9.0f * sway, 0, 1, 0));
    add(out, VRM_HUMAN_BONE_RIGHT_SHOULDER, vrmi_turn(-6.0f * up, 0, 0, 1));
    stand(figure, out);
}

void vrmi_bow_pose(const vrmi_figure *figure, float time, vrmi_figure_pose *out)
{
    static const span whole = {0.1f, 1.2f, 1.8f, 3.1f};
    const float down = within(&whole, time);
    begin_standing(figure, out);
    // The hips move back as the trunk leans forward, so that the weight stays over the feet.
    const float pitch = 24.0f * down;
    const float trunk = figure->rest[VRM_HUMAN_BONE_HEAD].y - figure->rest[VRM_HUMAN_BONE_HIPS].y;
    out->hips.z -= 0.15f * trunk * down;
    out->hips.y -= 0.012f * figure->leg * down;
    out->turns[VRM_HUMAN_BONE_HIPS] = vrmi_quat_mul(out->turns[VRM_HUMAN_BONE_HIPS], vrmi_turn(pitch, 1, 0, 0));
    vrmi_pose_trunk(figure, out, vrmi_vec3(1.0f + 20.0f * down, 0.0f, 0.0f));
    vrmi_pose_head(figure, out, vrmi_vec3(0.5f - 6.0f * down, 0.0f, 0.0f));
    for (int side = 0; side < 2; ++side) {
        // The hands rest on the front of the thighs.
        vrmi_arm arm = hanging(figure);
        arm.forward += 34.0f * down;
        arm.elbow += 8.0f * down;
        arm.down -= 0.5f * (1.0f - down);
        arm.twist += 10.0f * down;
        arm.curl -= 0.3f * down;
        vrmi_pose_arm(out, side, &arm);
    }
    stand(figure, out);
}

void vrmi_sit_pose(const vrmi_figure *figure, float time, vrmi_figure_pose *out)
{
    const float t = time / vrmi_sit_seconds;
    // The trunk leans forward, the hips move back and then down, and the trunk comes up again.
    const float back = vrmi_ease(1.25f * t), down = vrmi_ease(1.18f * t - 0.14f);
    const span lean = {0.0f, 0.5f, 0.6f, 1.0f};
    const float forward = within(&lean, t), seated = vrmi_ease(1.6f * t - 0.6f);
    begin_standing(figure, out);
    const vrm_vec3 rest = figure->rest[VRM_HUMAN_BONE_HIPS], hip = figure->rest[VRM_HUMAN_BONE_LEFT_UPPER_LEG],
                   knee = figure->rest[VRM_HUMAN_BONE_LEFT_LOWER_LEG];
    // The seat is as high as the knees. The hip joint is higher than the seat by the thickness of a thigh, about a
    // tenth of the leg length.
    const float seat = knee.y + (rest.y - hip.y) + 0.03f * figure->leg;
    out->hips.z -= 0.88f * figure->thigh * back;
    out->hips.y = vrmi_lerp(out->hips.y, seat, down);
    const float hips_pitch = 26.0f * forward - 3.0f * seated;
    out->turns[VRM_HUMAN_BONE_HIPS] = vrmi_quat_mul(out->turns[VRM_HUMAN_BONE_HIPS], vrmi_turn(hips_pitch, 1, 0, 0));
    vrmi_pose_trunk(figure, out, vrmi_vec3(1.0f + 14.0f * forward + 3.0f * seated, 0.0f, 0.0f));
    vrmi_pose_head(figure, out, vrmi_vec3(0.5f - 14.0f * forward, 0.0f, 0.0f));
    stand(figure, out);
    // The hands approach the thighs from above, so that they do not pass through cloth.
    const float near = vrmi_ease(1.3f * t - 0.2f), lift = 0.06f * figure->size * (1.0f - vrmi_ease(1.6f * t - 0.6f));
    vrmi_figure_pose rests = *out;
    for (int side = 0; side < 2; ++side) {
        const vrmi_arm flat = {.curl = 0.22f};
        vrmi_pose_arm(&rests, side, &flat);
        vrmi_pose_hand_on_thigh(figure, &rests, side, lift);
        blend_arm(out, side, &rests, near);
    }
}
