// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/checks.h"
#include "base/text.h"
#include "math/scalar.h"
#include "validate/run.h"

// The rest pose by the places of its joints: a T-pose stands on the ground and faces +Z, with level arms, straight legs
// and thumbs halfway between X and Z. Elbows bend about Y (forwards), knees about X (backwards): what is bent the other
// way at rest makes inverse kinematics choose the wrong side. Hints, because only a look at the meshes decides; but that
// nodes of older dialects are not turned is a rule.

typedef struct rest_pose {
    vrmi_run *run;
    const vrm_avatar *avatar;
} rest_pose;

#define DEGREES(angle) ((angle) * (VRMI_PI / 180.0f))
#define BENT 0.01f // metres off the straight line that count as bent
#define SLIGHT 1e-4f // parts of a rotation or scale that count as rounding

// Where a bone is; false without the bone.
static bool place(const rest_pose *pose, vrm_human_bone bone, vrm_vec3 *out)
{
    vrm_node node;
    const int32_t index = vrm_avatar_bone_node(pose->avatar, bone);
    if (index < 0 || vrm_avatar_get_node(pose->avatar, (uint32_t)index, &node) != VRM_SUCCESS) {
        return false;
    }
    *out = node.rest_position; // in model space, where every dialect faces +Z
    return true;
}

static void hint(const rest_pose *pose, vrm_finding_id id, vrm_human_bone bone, const char *found, const char *expected)
{
    vrm_node node;
    const int32_t index = vrm_avatar_bone_node(pose->avatar, bone);
    if (index >= 0 && vrm_avatar_get_node(pose->avatar, (uint32_t)index, &node) == VRM_SUCCESS) {
        vrmi_reader_report(&pose->run->reader, id, vrmi_gltf_element(pose->run->gltf, VRM_GLTF_NODES, node.gltf_node),
            NULL, found, expected);
    }
}

// Degrees between the way from one bone to another and a direction; -1 when one of them is not there.
static float degrees_off(const rest_pose *pose, vrm_human_bone from, vrm_human_bone to, vrm_vec3 direction)
{
    vrm_vec3 a, b;
    if (!place(pose, from, &a) || !place(pose, to, &b)) {
        return -1.0f;
    }
    const float x = b.x - a.x, y = b.y - a.y, z = b.z - a.z;
    const float length = vrmi_sqrt(x * x + y * y + z * z);
    if (!(length > 1e-4f)) {
        return -1.0f;
    }
    return vrmi_acos((x * direction.x + y * direction.y + z * direction.z) / length) / DEGREES(1.0f);
}

static void check_direction(const rest_pose *pose, vrm_finding_id id, vrm_human_bone from, vrm_human_bone to,
    vrm_vec3 direction, float tolerance, const char *expected)
{
    const float off = degrees_off(pose, from, to, direction);
    if (off > tolerance) {
        char found[80];
        hint(pose, id, from,
            vrmi_format(found, sizeof(found), "%d degrees off, from %s to %s", (int)(off + 0.5f),
                vrm_human_bone_name(from), vrm_human_bone_name(to)),
            expected);
    }
}

// How far the middle joint lies in front of the line between the outer two, metres.
static float in_front(const rest_pose *pose, vrm_human_bone first, vrm_human_bone middle, vrm_human_bone last)
{
    vrm_vec3 a, b, c;
    if (!place(pose, first, &a) || !place(pose, middle, &b) || !place(pose, last, &c)) {
        return 0.0f;
    }
    const vrm_vec3 d = {c.x - a.x, c.y - a.y, c.z - a.z};
    const float square = d.x * d.x + d.y * d.y + d.z * d.z;
    const float t = ((b.x - a.x) * d.x + (b.y - a.y) * d.y + (b.z - a.z) * d.z) / (square > 1e-8f ? square : 1.0f);
    return b.z - (a.z + t * d.z);
}

typedef struct side {
    vrm_human_bone upper_arm, lower_arm, hand, thumb_proximal, thumb_distal, upper_leg, lower_leg, foot;
    vrm_vec3 outwards;
} side;

static void check_side(const rest_pose *pose, const side *s)
{
    static const vrm_vec3 down = {0, -1, 0};
    static const float slope = 0.70710678f;
    const vrm_vec3 thumb = {s->outwards.x * slope, 0, slope};
    check_direction(pose, VRM_FINDING_VRM1_TPOSE_ARM, s->upper_arm, s->lower_arm, s->outwards, 10, "level, along X");
    check_direction(pose, VRM_FINDING_VRM1_TPOSE_ARM, s->lower_arm, s->hand, s->outwards, 10, "level, along X");
    check_direction(pose, VRM_FINDING_VRM1_TPOSE_LEG, s->upper_leg, s->lower_leg, down, 15, "straight down");
    check_direction(pose, VRM_FINDING_VRM1_TPOSE_LEG, s->lower_leg, s->foot, down, 15, "straight down");
    if (strcmp(vrm_avatar_dialect(pose->avatar), "1.0") == 0) { // older texts have another angle, or none
        check_direction(pose, VRM_FINDING_VRM1_TPOSE_THUMB, s->thumb_proximal, s->thumb_distal, thumb, 35,
            "45 degrees between X and Z");
    }
    if (in_front(pose, s->upper_arm, s->lower_arm, s->hand) > BENT) {
        hint(pose, VRM_FINDING_VRM1_TPOSE_BEND, s->lower_arm, "an elbow in front of the arm", "straight, or behind it");
    }
    if (in_front(pose, s->upper_leg, s->lower_leg, s->foot) < -BENT) {
        hint(pose, VRM_FINDING_VRM1_TPOSE_BEND, s->lower_leg, "a knee behind the leg", "straight, or in front of it");
    }
}

static void check_ground(const rest_pose *pose, vrm_human_bone foot, vrm_human_bone toes)
{
    vrm_vec3 at, hips;
    char found[48];
    if ((!place(pose, toes, &at) && !place(pose, foot, &at)) || !place(pose, VRM_HUMAN_BONE_HIPS, &hips)) {
        return;
    }
    // Soles are a little below the joints: a tenth of the hips' height is more than any shoe.
    const float height = hips.y - at.y;
    if (height > 0.0f && (at.y < -0.02f * height || at.y > 0.25f * height)) {
        hint(pose, VRM_FINDING_VRM1_TPOSE_GROUND, foot, vrmi_format(found, sizeof(found), "at %g m", (double)at.y),
            "soles at Y = 0");
    }
}

static bool is_turned(const vrm_node *node)
{
    const vrm_quat r = node->rest.rotation;
    const vrm_vec3 s = node->rest.scale;
    return r.x * r.x + r.y * r.y + r.z * r.z > SLIGHT * SLIGHT || vrmi_abs(s.x - 1.0f) > SLIGHT ||
        vrmi_abs(s.y - 1.0f) > SLIGHT || vrmi_abs(s.z - 1.0f) > SLIGHT;
}

// Before 1.0 all nodes have the model's axes and scale. The first that has others is told, and how many they are.
static void check_turned(const rest_pose *pose)
{
    const char *dialect = vrm_avatar_dialect(pose->avatar);
    if (strcmp(dialect, "0.x") != 0 && strcmp(dialect, "1.0-draft") != 0) {
        return;
    }
    uint32_t first = UINT32_MAX, count = 0;
    vrm_node node;
    for (uint32_t i = 0; vrm_avatar_get_node(pose->avatar, i, &node) == VRM_SUCCESS; ++i) {
        if (is_turned(&node)) {
            ++count;
            first = node.gltf_node < first ? node.gltf_node : first;
        }
    }
    if (count > 0) {
        char found[48];
        vrmi_reader_report(&pose->run->reader, VRM_FINDING_VRM0_NODE_TURNED,
            vrmi_gltf_element(pose->run->gltf, VRM_GLTF_NODES, first), NULL,
            vrmi_format(found, sizeof(found), count == 1 ? "%u such node" : "%u such nodes", count), "translations only");
    }
}

void vrmi_validate_pose(vrmi_run *run, const vrm_avatar *avatar)
{
    static const side sides[] = {
        {VRM_HUMAN_BONE_LEFT_UPPER_ARM, VRM_HUMAN_BONE_LEFT_LOWER_ARM, VRM_HUMAN_BONE_LEFT_HAND,
            VRM_HUMAN_BONE_LEFT_THUMB_PROXIMAL, VRM_HUMAN_BONE_LEFT_THUMB_DISTAL, VRM_HUMAN_BONE_LEFT_UPPER_LEG,
            VRM_HUMAN_BONE_LEFT_LOWER_LEG, VRM_HUMAN_BONE_LEFT_FOOT, {1, 0, 0}},
        {VRM_HUMAN_BONE_RIGHT_UPPER_ARM, VRM_HUMAN_BONE_RIGHT_LOWER_ARM, VRM_HUMAN_BONE_RIGHT_HAND,
            VRM_HUMAN_BONE_RIGHT_THUMB_PROXIMAL, VRM_HUMAN_BONE_RIGHT_THUMB_DISTAL, VRM_HUMAN_BONE_RIGHT_UPPER_LEG,
            VRM_HUMAN_BONE_RIGHT_LOWER_LEG, VRM_HUMAN_BONE_RIGHT_FOOT, {-1, 0, 0}},
    };
    rest_pose pose = {.run = run, .avatar = avatar};
    vrm_vec3 left, right;
    check_turned(&pose);
    if (vrm_avatar_dialect(avatar)[0] == '\0' || !place(&pose, VRM_HUMAN_BONE_LEFT_UPPER_LEG, &left) ||
        !place(&pose, VRM_HUMAN_BONE_RIGHT_UPPER_LEG, &right)) {
        return;
    }
    // The left is at +X of whoever faces +Z. Turned round, everything else would be off too, so this is told alone.
    const float off = degrees_off(
        &pose, VRM_HUMAN_BONE_RIGHT_UPPER_LEG, VRM_HUMAN_BONE_LEFT_UPPER_LEG, (vrm_vec3){1, 0, 0});
    if (off > 20.0f) {
        char found[48];
        hint(&pose, VRM_FINDING_VRM1_TPOSE_FACING, VRM_HUMAN_BONE_HIPS,
            vrmi_format(found, sizeof(found), "%d degrees off", (int)(off + 0.5f)), "facing +Z (0.x: -Z)");
        return;
    }
    for (size_t i = 0; i < VRMI_COUNT_OF(sides); ++i) {
        check_side(&pose, &sides[i]);
    }
    check_ground(&pose, VRM_HUMAN_BONE_LEFT_FOOT, VRM_HUMAN_BONE_LEFT_TOES);
    check_ground(&pose, VRM_HUMAN_BONE_RIGHT_FOOT, VRM_HUMAN_BONE_RIGHT_TOES);
}
