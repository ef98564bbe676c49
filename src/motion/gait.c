// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Walking and running. A foot lands on its heel and rolls over it, is flat on the ground, rolls over its ball, and
// swings forward. The path of the ankle is computed from the point that the foot rolls over, so that this point does
// not slide on the ground. Speeds scale with the square root of the leg length (equal Froude numbers: R. McN.
// Alexander, "Walking and Running", 1984).

#include "motion/motions.h"

static const float gravity = 9.81f;

// Position of the ankle, and the angle in degrees by which the toes point up. `aside` is outwards.
typedef struct sole_place {
    float ahead, up, pitch, aside;
} sole_place;

static const float toes_out = 4.0f; // degrees

// Returns the ankle's position when the foot is rotated about a fixed point, `ahead` in front of the ankle and `height`
// above the ground.
static sole_place roll_about(const vrmi_figure *figure, float ahead, float height, float pitch)
{
    float s, c;
    const float up = height - figure->ankle;
    vrmi_sincos(pitch * (VRMI_PI / 180.0f), &s, &c);
    return (sole_place){ahead - (ahead * c - up * s), height - (ahead * s + up * c), pitch, 0.0f};
}

// With the heel up, the toes stay flat and rotate about their joint. A foot without toes rolls over its tip.
static sole_place roll_over_front(const vrmi_figure *figure, float pitch)
{
    if (figure->there[VRM_HUMAN_BONE_LEFT_TOES]) {
        const float joint = vrmi_clamp(figure->rest[VRM_HUMAN_BONE_LEFT_TOES].y, 0.0f, figure->ankle);
        return roll_about(figure, figure->ball, joint, pitch);
    }
    return roll_about(figure, figure->tip, 0.0f, pitch);
}

// Returns the ankle's position while the foot rolls, in the foot's own direction and relative to a flat foot. `part` is
// the fraction of the stride, from touch-down to toe-off.
static sole_place roll_foot(const vrmi_figure *figure, const vrmi_gait *gait, float part)
{
    if (part < gait->flat) {
        return roll_about(figure, -figure->heel, 0.0f, gait->strike * (1.0f - vrmi_ease(part / gait->flat)));
    }
    if (part < gait->heel_off) {
        return (sole_place){0.0f, figure->ankle, 0.0f, 0.0f};
    }
    const float t = (part - gait->heel_off) / (gait->toe_off - gait->heel_off);
    return roll_over_front(figure, -gait->push * t * t);
}

// Returns the ankle's position while the foot is on the ground.
static sole_place stance(const vrmi_figure *figure, const vrmi_gait *gait, float part)
{
    sole_place out = roll_foot(figure, gait, part);
    float s, c;
    vrmi_sincos(toes_out * (VRMI_PI / 180.0f), &s, &c);
    out.aside = s * out.ahead;
    out.ahead = c * out.ahead;
    return out;
}

// A value and its rate of change at one end of the swing.
typedef struct knot {
    float value, speed;
} knot;

static float hermite(knot from, knot to, float t)
{
    const float t2 = t * t, t3 = t2 * t;
    return from.value * (2.0f * t3 - 3.0f * t2 + 1.0f) + from.speed * (t3 - 2.0f * t2 + t) +
           to.value * (3.0f * t2 - 2.0f * t3) + to.speed * (t3 - t2);
}

static sole_place swing(const vrmi_figure *figure, const vrmi_gait *gait, float part)
{
    const float rest = 1.0f - gait->toe_off, t = (part - gait->toe_off) / rest, step = 1e-3f;
    const sole_place off = stance(figure, gait, gait->toe_off), before = stance(figure, gait, gait->toe_off - step);
    sole_place down = stance(figure, gait, 0.0f);
    down.ahead += gait->speed * gait->period;
    const float per = rest / step;
    // The foot lifts off at once and is highest early in the swing, while the knee is bent most.
    const float up = gait->lift * 6.75f * t * (1.0f - t) * (1.0f - t);
    // The foot comes down while it still moves forward, as a heel does. Otherwise the leg would first have to reach too
    // far forward.
    const float landing = gait->landing * gait->speed * gait->period * rest;
    const knot ahead = {down.ahead, landing};
    return (sole_place){hermite((knot){off.ahead, (off.ahead - before.ahead) * per}, ahead, t),
        hermite((knot){off.up, (off.up - before.up) * per}, (knot){down.up, -0.8f * landing}, t) + up,
        hermite((knot){off.pitch, (off.pitch - before.pitch) * per}, (knot){down.pitch, 0.0f}, t),
        hermite((knot){off.aside, (off.aside - before.aside) * per}, (knot){down.aside, 0.0f}, t)};
}

static float wrapped(float part)
{
    const float w = part - (float)(int)part;
    return w < 0.0f ? w + 1.0f : w;
}

static vrmi_foot foot_at(const vrmi_figure *figure, const vrmi_gait *gait, int side, float stride)
{
    const float part = wrapped(side == 0 ? stride : stride + 0.5f);
    const sole_place sole = part < gait->toe_off ? stance(figure, gait, part) : swing(figure, gait, part);
    const int bone = side == 0 ? VRM_HUMAN_BONE_LEFT_FOOT : VRM_HUMAN_BONE_RIGHT_FOOT;
    const int hip = side == 0 ? VRM_HUMAN_BONE_LEFT_UPPER_LEG : VRM_HUMAN_BONE_RIGHT_UPPER_LEG;
    const float from_hip = sole.ahead - gait->speed * gait->period * (part - gait->under);
    const float aside = side == 0 ? sole.aside : -sole.aside;
    return (vrmi_foot){.ankle = {figure->rest[bone].x * gait->width + aside, sole.up, figure->rest[hip].z + from_hip},
        .pitch = sole.pitch,
        .out = toes_out,
        .toes = vrmi_clamp(-sole.pitch, 0.0f, 60.0f)}; // toes level while the heel is up, on the ground and just after
}

// Poses everything except the legs.
static void pose_above(const vrmi_figure *figure, const vrmi_gait *gait, float part, vrmi_figure_pose *out)
{
    vrmi_pose_begin(figure, out);
    // The left foot lands at fraction 0, when the left hip is forward. The right hip is forward half a stride later.
    const float ahead = vrmi_wave(part + 0.25f), aside = vrmi_wave(part - 0.05f);
    const float twice = vrmi_wave(2.0f * (part - gait->peak) + 0.25f);
    out->hips.x += gait->sway * aside;
    out->hips.y = gait->hips + gait->bob * twice;
    const float yaw = -gait->pelvis_yaw * ahead, roll = gait->pelvis_roll * vrmi_wave(part - 0.02f);
    out->turns[VRM_HUMAN_BONE_HIPS] = vrmi_bend(vrmi_vec3(0.35f * gait->lean, yaw, roll));
    // The chest rotates against the pelvis and stays upright; the head looks forward.
    const float chest = 1.1f * gait->pelvis_yaw * ahead;
    vrmi_pose_trunk(
        figure, out, vrmi_vec3(0.65f * gait->lean + 0.8f * vrmi_wave(2.0f * part), chest - yaw, -1.25f * roll));
    vrmi_pose_head(figure, out, vrmi_vec3(-0.7f * gait->lean - 0.8f * twice, -chest, 0.25f * roll));
    for (int side = 0; side < 2; ++side) {
        const float forward = (side == 0 ? -1.0f : 1.0f) * vrmi_wave(part + 0.22f);
        const vrmi_arm arm = {.down = figure->hang - gait->arm_out,
            .forward = gait->arm_middle + gait->arm_swing * forward,
            .twist = gait->arm_twist,
            .elbow = gait->elbow + gait->elbow_swing * forward,
            .curl = gait->elbow > 45.0f ? 2.0f : 0.7f};
        vrmi_pose_arm(out, side, &arm);
        const int shoulder = side == 0 ? VRM_HUMAN_BONE_LEFT_SHOULDER : VRM_HUMAN_BONE_RIGHT_SHOULDER;
        out->turns[shoulder] = vrmi_turn((side == 0 ? -1.0f : 1.0f) * 0.1f * gait->arm_swing * forward, 0, 1, 0);
    }
}

void vrmi_gait_pose(const vrmi_figure *figure, const vrmi_gait *gait, float part, vrmi_figure_pose *out)
{
    pose_above(figure, gait, part, out);
    for (int side = 0; side < 2; ++side) {
        const vrmi_foot foot = foot_at(figure, gait, side, part);
        vrmi_pose_leg(figure, out, side, &foot);
    }
}

// Finds the greatest height of the hips at which each foot stays within reach, with knees never quite straight.
static void find_height(const vrmi_figure *figure, vrmi_gait *gait, float stretch)
{
    enum { PARTS = 64 };
    const vrm_vec3 rest = figure->rest[VRM_HUMAN_BONE_HIPS];
    float least = rest.y;
    gait->hips = rest.y;
    for (int i = 0; i < PARTS; ++i) {
        const float part = (float)i / PARTS;
        vrmi_figure_pose pose;
        pose_above(figure, gait, part, &pose);
        for (int side = 0; side < 2; ++side) {
            const vrmi_foot foot = foot_at(figure, gait, side, part);
            const int hip = side == 0 ? VRM_HUMAN_BONE_LEFT_UPPER_LEG : VRM_HUMAN_BONE_RIGHT_UPPER_LEG;
            vrm_quat unused;
            const vrm_vec3 at = vrmi_pose_place(figure, &pose, hip, &unused);
            const float x = foot.ankle.x - at.x, z = foot.ankle.z - at.z, length = stretch * figure->leg;
            const float up = vrmi_sqrt(vrmi_max(length * length - x * x - z * z, 0.0f));
            // The height of the hips at which this leg just reaches its foot.
            least = vrmi_min(least, gait->hips + foot.ankle.y + up - at.y);
        }
    }
    gait->hips = least;
}

void vrmi_gait_walk(const vrmi_figure *figure, float speed, vrmi_gait *out)
{
    const float root = vrmi_sqrt(figure->leg / 0.8f), usual = 0.97f * root;
    const float chosen = speed > 0.0f ? speed : usual;
    // Step length and step rate grow in equal proportion with speed.
    const float more = vrmi_sqrt(chosen / usual);
    *out = (vrmi_gait){.speed = chosen,
        .period = 1.0f * root / more,
        .flat = 0.11f,
        .heel_off = 0.31f,
        .toe_off = 0.60f,
        .strike = 14.0f * vrmi_min(more, 1.2f),
        .push = 46.0f * vrmi_min(more, 1.15f),
        .lift = 0.045f * figure->leg,
        .landing = 0.35f,
        .under = 0.245f,
        .bob = 0.013f * figure->leg * more,
        .peak = 0.30f,
        .sway = 0.022f * figure->leg,
        .width = 0.75f,
        .pelvis_yaw = 4.5f * more,
        .pelvis_roll = 2.5f,
        .lean = 3.0f * more,
        .arm_swing = 18.0f * more,
        .elbow = 17.0f,
        .elbow_swing = 11.0f,
        .arm_middle = 2.0f,
        .arm_out = 2.5f,
        .arm_twist = 22.0f};
    find_height(figure, out, 0.996f);
}

void vrmi_gait_run(const vrmi_figure *figure, float speed, vrmi_gait *out)
{
    const float root = vrmi_sqrt(figure->leg / 0.8f), usual = 2.0f * root;
    const float chosen = speed > 0.0f ? speed : usual, more = vrmi_sqrt(chosen / usual);
    *out = (vrmi_gait){.speed = chosen,
        .period = 0.64f * root / vrmi_sqrt(more),
        .flat = 0.06f,
        .heel_off = 0.1f,
        .toe_off = 0.36f,
        .strike = 6.0f,
        .push = 52.0f,
        .lift = 0.14f * figure->leg * more,
        .landing = 0.5f,
        .under = 0.14f,
        .peak = 0.43f,
        .sway = 0.006f * figure->leg,
        .width = 0.5f,
        .pelvis_yaw = 7.0f,
        .pelvis_roll = 2.5f,
        .lean = 15.0f * more,
        .arm_swing = 28.0f * more,
        .elbow = 68.0f,
        .elbow_swing = 4.0f,
        .arm_middle = -3.0f,
        .arm_out = 13.0f,
        .arm_twist = 2.0f};
    // Between two steps the body moves ballistically: its height is a cosine whose acceleration at the top is gravity.
    const float turns = out->period / (4.0f * VRMI_PI);
    out->bob = gravity * turns * turns;
    find_height(figure, out, 0.992f);
}
