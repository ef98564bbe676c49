// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Angles are in degrees here, because they are tuned by hand. The normalized axes are +X left, +Y up, +Z forward. So a
// leg or a hanging arm swings forward about -X, a knee bends about +X, and a left arm is lowered from the T-pose about
// -Z.

#include "procedural_motion.h"

#include "math/quat.h"

static const char *const names[SCENE_MOTION_COUNT] = {"none", "idle", "sway", "walk"};

const char *scene_motion_name(scene_motion motion)
{
    return (unsigned)motion < SCENE_MOTION_COUNT ? names[motion] : "";
}

static vrm_quat turn(float degrees, float x, float y, float z)
{
    return vrmi_quat_from_axis_angle(vrmi_vec3(x, y, z), degrees * (VRMI_PI / 180.0f));
}

// Rotates by pitch (nod) first, then by roll (lean), then by yaw.
static vrm_quat bend(float pitch, float yaw, float roll)
{
    return vrmi_quat_mul(turn(yaw, 0, 1, 0), vrmi_quat_mul(turn(roll, 0, 0, 1), turn(pitch, 1, 0, 0)));
}

static void set(vrm_instance *instance, vrm_human_bone bone, vrm_quat rotation)
{
    // A missing optional bone is not an error: the motion works without it.
    (void)vrm_instance_set_normalized_rotation(instance, bone, &rotation);
}

// Returns the sine of `cycles` turns plus a phase in turns. Whole turns are removed in double precision, so that the
// result is still accurate after days.
static float wave(double cycles, double phase)
{
    double turns = cycles + phase;
    turns -= (double)(int64_t)turns;
    float s, c;
    vrmi_sincos((float)(turns * 6.283185307179586), &s, &c);
    return s;
}

// Lets both arms hang: lowered by `down` degrees, swung forward by `left_swing` and `right_swing`, with bent elbows.
static void set_arms(vrm_instance *instance, float down, float left_swing, float right_swing, float elbow)
{
    set(instance, VRM_HUMAN_BONE_LEFT_UPPER_ARM, vrmi_quat_mul(turn(-left_swing, 1, 0, 0), turn(-down, 0, 0, 1)));
    set(instance, VRM_HUMAN_BONE_RIGHT_UPPER_ARM, vrmi_quat_mul(turn(-right_swing, 1, 0, 0), turn(down, 0, 0, 1)));
    set(instance, VRM_HUMAN_BONE_LEFT_LOWER_ARM, turn(-elbow, 0, 1, 0));
    set(instance, VRM_HUMAN_BONE_RIGHT_LOWER_ARM, turn(elbow, 0, 1, 0));
    for (int finger = 0; finger < 12; ++finger) { // a relaxed hand is half closed
        set(instance, (vrm_human_bone)(VRM_HUMAN_BONE_LEFT_INDEX_PROXIMAL + finger), turn(-18.0f, 0, 0, 1));
        set(instance, (vrm_human_bone)(VRM_HUMAN_BONE_RIGHT_INDEX_PROXIMAL + finger), turn(18.0f, 0, 0, 1));
    }
}

static float bone_length(const vrm_avatar *avatar, vrm_human_bone from, vrm_human_bone to)
{
    vrm_node a = {.struct_size = sizeof a}, b = {.struct_size = sizeof b};
    const int32_t from_node = vrm_avatar_get_bone_node(avatar, from), to_node = vrm_avatar_get_bone_node(avatar, to);
    if (from_node < 0 || to_node < 0 || vrm_avatar_get_node(avatar, (uint32_t)from_node, &a) != VRM_SUCCESS ||
        vrm_avatar_get_node(avatar, (uint32_t)to_node, &b) != VRM_SUCCESS) {
        return 0.0f;
    }
    return vrmi_vec3_length(vrmi_vec3_sub(a.rest_position, b.rest_position));
}

typedef struct leg {
    float swing, knee; // swing: thigh forward; knee: bend; both in degrees
} leg;

// Returns the ankle's angle that levels the sole, degrees; positive: toes down. An ankle bends up by 20 degrees at most,
// so the toes of a leg that swings with a bent knee hang.
static float ankle(leg l)
{
    static const float level_until = 8.0f, most = 18.0f;
    const float up = l.knee - l.swing, rest = up - level_until;
    return rest > 0.0f ? -level_until - rest / (1.0f + rest / (most - level_until)) : -up;
}

// Returns by how many degrees the sole's front hangs, because the ankle bends no farther.
static float hang(leg l)
{
    return ankle(l) - (l.swing - l.knee);
}

// Returns the height of the hip joint above the level of a standing ankle when the tip of the sole is on the ground. From
// the ankle, the tip is about 1.7 times as far as the toes' joint.
static float leg_height(leg l, float thigh, float shin, float foot)
{
    float unused, upper, lower, front;
    vrmi_sincos(l.swing * (VRMI_PI / 180.0f), &unused, &upper);
    vrmi_sincos((l.swing - l.knee) * (VRMI_PI / 180.0f), &unused, &lower);
    vrmi_sincos(hang(l) * (VRMI_PI / 180.0f), &front, &unused);
    return thigh * upper + shin * lower + 1.7f * foot * front;
}

// Poses both legs with level soles, as far as the ankles bend, and lowers the hips so that the longer leg stands on the ground.
static void set_legs(vrm_instance *instance, leg left, leg right, float side)
{
    const vrm_avatar *avatar = vrm_instance_get_avatar(instance);
    set(instance, VRM_HUMAN_BONE_LEFT_UPPER_LEG, turn(-left.swing, 1, 0, 0));
    set(instance, VRM_HUMAN_BONE_RIGHT_UPPER_LEG, turn(-right.swing, 1, 0, 0));
    set(instance, VRM_HUMAN_BONE_LEFT_LOWER_LEG, turn(left.knee, 1, 0, 0));
    set(instance, VRM_HUMAN_BONE_RIGHT_LOWER_LEG, turn(right.knee, 1, 0, 0));
    set(instance, VRM_HUMAN_BONE_LEFT_FOOT, turn(ankle(left), 1, 0, 0));
    set(instance, VRM_HUMAN_BONE_RIGHT_FOOT, turn(ankle(right), 1, 0, 0));
    set(instance, VRM_HUMAN_BONE_LEFT_TOES, turn(-hang(left), 1, 0, 0));
    set(instance, VRM_HUMAN_BONE_RIGHT_TOES, turn(-hang(right), 1, 0, 0));
    const float thigh = bone_length(avatar, VRM_HUMAN_BONE_LEFT_UPPER_LEG, VRM_HUMAN_BONE_LEFT_LOWER_LEG);
    const float shin = bone_length(avatar, VRM_HUMAN_BONE_LEFT_LOWER_LEG, VRM_HUMAN_BONE_LEFT_FOOT);
    const float foot = bone_length(avatar, VRM_HUMAN_BONE_LEFT_FOOT, VRM_HUMAN_BONE_LEFT_TOES);
    const float standing = vrmi_max(leg_height(left, thigh, shin, foot), leg_height(right, thigh, shin, foot));
    vrm_node hips = {.struct_size = sizeof hips};
    const int32_t node = vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_HIPS);
    if (node >= 0 && vrm_avatar_get_node(avatar, (uint32_t)node, &hips) == VRM_SUCCESS) {
        const vrm_vec3 position = vrmi_vec3_add(hips.rest_position, vrmi_vec3(side, standing - thigh - shin, 0.0f));
        (void)vrm_instance_set_hips_position(instance, &position);
    }
}

static void apply_idle(vrm_instance *instance, double t)
{
    const float breath = wave(t * 0.25, 0.0), shift = wave(t * 0.11, 0.0), glance = wave(t * 0.07, 0.3);
    set(instance, VRM_HUMAN_BONE_SPINE, bend(1.0f + 0.6f * breath, 0.0f, 1.2f * shift));
    set(instance, VRM_HUMAN_BONE_CHEST, bend(1.5f * breath, 1.5f * glance, -0.8f * shift));
    set(instance, VRM_HUMAN_BONE_NECK, bend(-0.8f * breath, 3.0f * glance, 0.0f));
    set(instance, VRM_HUMAN_BONE_HEAD, bend(1.5f * wave(t * 0.13, 0.1), 5.0f * glance, 1.5f * shift));
    set_arms(instance, 74.0f, 3.0f + breath, 3.0f - breath, 14.0f);
    set_legs(instance, (leg){2.0f + shift, 3.0f}, (leg){2.0f - shift, 3.0f}, 0.01f * shift);
}

static void apply_sway(vrm_instance *instance, double t)
{
    const float turning = wave(t * 0.5, 0.0), leaning = wave(t * 0.5, 0.25), nod = wave(t * 1.0, 0.0);
    set(instance, VRM_HUMAN_BONE_HIPS, bend(0.0f, 12.0f * turning, 3.0f * leaning));
    set(instance, VRM_HUMAN_BONE_SPINE, bend(3.0f * nod, 10.0f * turning, 6.0f * leaning));
    set(instance, VRM_HUMAN_BONE_CHEST, bend(2.0f * nod, 10.0f * turning, 4.0f * leaning));
    set(instance, VRM_HUMAN_BONE_NECK, bend(4.0f * nod, 8.0f * turning, 4.0f * leaning));
    set(instance, VRM_HUMAN_BONE_HEAD, bend(8.0f * nod, 18.0f * turning, 8.0f * leaning));
    set_arms(instance, 62.0f, 12.0f * turning, -12.0f * turning, 22.0f);
    set_legs(instance, (leg){4.0f, 8.0f}, (leg){4.0f, 8.0f}, 0.02f * leaning);
}

static void apply_walk(vrm_instance *instance, double t)
{
    const float left = wave(t, 0.0), right = wave(t, 0.5);
    // The knee bends while its leg swings forward.
    const float left_swing = wave(t, 0.25), right_swing = wave(t, 0.75);
    const leg left_leg = {6.0f + 20.0f * left, 6.0f + (left_swing > 0.0f ? 46.0f * left_swing : 0.0f)};
    const leg right_leg = {6.0f + 20.0f * right, 6.0f + (right_swing > 0.0f ? 46.0f * right_swing : 0.0f)};
    set(instance, VRM_HUMAN_BONE_HIPS, bend(0.0f, -5.0f * left, 2.0f * left_swing));
    set(instance, VRM_HUMAN_BONE_SPINE, bend(3.0f, 4.0f * left, -2.0f * left_swing));
    set(instance, VRM_HUMAN_BONE_CHEST, bend(1.0f, 6.0f * left, -1.0f * left_swing));
    set(instance, VRM_HUMAN_BONE_NECK, bend(-1.5f, -3.0f * left, 0.5f * left_swing));
    set(instance, VRM_HUMAN_BONE_HEAD, bend(1.5f * wave(2.0 * t, 0.1), -3.0f * left, 0.5f * left_swing));
    set_arms(instance, 74.0f, -16.0f * left, -16.0f * right, 20.0f + 5.0f * left);
    set_legs(instance, left_leg, right_leg, 0.012f * left_swing);
}

void scene_motion_apply(vrm_instance *instance, scene_motion motion, double seconds)
{
    switch (motion) {
    case SCENE_MOTION_IDLE:
        apply_idle(instance, seconds);
        break;
    case SCENE_MOTION_SWAY:
        apply_sway(instance, seconds);
        break;
    case SCENE_MOTION_WALK:
        apply_walk(instance, seconds);
        break;
    default:
        break;
    }
}
