// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "base/checks.h"
#include "base/text.h"
#include "math/vec3.h"
#include "model/names.h"
#include "validate/rest_pose.h"
#include "validate/soles.h"

// Checks the positions of joints in the rest pose. A T-pose stands at X = 0 on the ground and faces +Z. Arms are level,
// legs are straight, feet point along Z and fingers along X, palms face down, and thumbs point halfway between X and Z.
// The draft gives the axis about which each joint bends: elbows and thumbs about Y (forwards and inwards), knees about
// X (backwards), fingers about Z (down). A joint that is bent the other way at rest makes inverse kinematics choose the
// wrong side. All findings are hints, because only the meshes show whether the pose is wrong.

#define DEGREES(angle) ((angle) * (VRMI_PI / 180.0f))
// The largest distance of a middle joint from the straight line between the outer joints, as a fraction of the line's
// length. Rounding and anatomy stay below it.
#define BENT 0.02f
#define SIDEWAYS 0.06f

// Rounds metres to millimetres for a finding.
static double millimetres(float metres)
{
    const double rounded = (double)metres * 1000.0 + (metres < 0.0f ? -0.5 : 0.5);
    return rounded > -1e9 && rounded < 1e9 ? (double)(int32_t)rounded / 1000.0 : (double)metres;
}

static bool place(const vrmi_rest_pose *pose, vrm_human_bone bone, vrm_vec3 *out)
{
    *out = pose->place[bone];
    return pose->gltf_node[bone] >= 0;
}

static void hint(
    const vrmi_rest_pose *pose, vrm_finding_id id, vrm_human_bone bone, const char *found, const char *expected)
{
    vrmi_reader_report(&pose->run->reader, id,
        vrmi_gltf_element(pose->run->gltf, VRM_GLTF_NODES, (uint32_t)pose->gltf_node[bone]), NULL, found, expected);
}

// --- directions ------------------------------------------------------------------------------------------------------

// Returns the angle in degrees between a direction and a unit vector; -1 if the direction has no length.
static float degrees_between(vrm_vec3 a, vrm_vec3 unit)
{
    const float length = vrmi_vec3_length(a);
    return length > 1e-4f ? vrmi_acos(vrmi_vec3_dot(a, unit) / length) / DEGREES(1.0f) : -1.0f;
}

// Returns the angle in degrees between a direction and that from one bone to another; -1 if a bone is missing.
static float degrees_off(const vrmi_rest_pose *pose, vrm_human_bone from, vrm_human_bone to, vrm_vec3 direction)
{
    vrm_vec3 a, b;
    return place(pose, from, &a) && place(pose, to, &b) ? degrees_between(vrmi_vec3_sub(b, a), direction) : -1.0f;
}

typedef struct direction_rule {
    vrm_finding_id id;
    vrm_human_bone from, to; // bones of the left side
    vrm_vec3 direction;
    float tolerance; // degrees
    const char *expected;
} direction_rule;

static const direction_rule limbs[] = {
    {VRM_FINDING_VRM1_TPOSE_ARM, VRM_HUMAN_BONE_LEFT_UPPER_ARM, VRM_HUMAN_BONE_LEFT_LOWER_ARM, {1, 0, 0}, 10,
        "an arm that is level and along X"},
    {VRM_FINDING_VRM1_TPOSE_ARM, VRM_HUMAN_BONE_LEFT_LOWER_ARM, VRM_HUMAN_BONE_LEFT_HAND, {1, 0, 0}, 10,
        "an arm that is level and along X"},
    {VRM_FINDING_VRM1_TPOSE_LEG, VRM_HUMAN_BONE_LEFT_UPPER_LEG, VRM_HUMAN_BONE_LEFT_LOWER_LEG, {0, -1, 0}, 15,
        "a leg that points straight down"},
    {VRM_FINDING_VRM1_TPOSE_LEG, VRM_HUMAN_BONE_LEFT_LOWER_LEG, VRM_HUMAN_BONE_LEFT_FOOT, {0, -1, 0}, 15,
        "a leg that points straight down"},
};

static const direction_rule hands[] = {
#define FINGER(name) \
    { \
        VRM_FINDING_VRM1_TPOSE_FINGER, VRM_HUMAN_BONE_LEFT_##name##_PROXIMAL, VRM_HUMAN_BONE_LEFT_##name##_DISTAL, \
            {1, 0, 0}, 25, "a finger along X" \
    }
    FINGER(INDEX),
    FINGER(MIDDLE),
    FINGER(RING),
    FINGER(LITTLE),
#undef FINGER
    // If the palm faces down, the direction from the index finger to the little finger is backwards.
    {VRM_FINDING_VRM1_TPOSE_PALM, VRM_HUMAN_BONE_LEFT_INDEX_PROXIMAL, VRM_HUMAN_BONE_LEFT_LITTLE_PROXIMAL, {0, 0, -1},
        50, "a palm that faces down, with the forefinger in front"},
    {VRM_FINDING_VRM1_TPOSE_THUMB, VRM_HUMAN_BONE_LEFT_THUMB_PROXIMAL, VRM_HUMAN_BONE_LEFT_THUMB_DISTAL,
        {0.70710678f, 0, 0.70710678f}, 35, "a thumb at 45 degrees between X and Z"},
};

static vrm_human_bone on_side(vrm_human_bone left, bool right)
{
    return right ? vrmi_human_bone_mirror(left) : left;
}

static bool check_direction(const vrmi_rest_pose *pose, const direction_rule *rule, bool right)
{
    const vrm_human_bone from = on_side(rule->from, right), to = on_side(rule->to, right);
    const vrm_vec3 d = rule->direction;
    const float off = degrees_off(pose, from, to, (vrm_vec3){right ? -d.x : d.x, d.y, d.z});
    if (off > rule->tolerance) {
        char found[80];
        hint(pose, rule->id, from,
            vrmi_format(found, sizeof(found), "%d degrees off, from %s to %s", (int)(off + 0.5f),
                vrm_human_bone_name(from), vrm_human_bone_name(to)),
            rule->expected);
    }
    return off > rule->tolerance;
}

// Checks only the horizontal direction of a foot, because toes may point down in high heels.
static bool check_foot(const vrmi_rest_pose *pose, bool right)
{
    const vrm_human_bone foot = on_side(VRM_HUMAN_BONE_LEFT_FOOT, right);
    vrm_vec3 a, b;
    char found[48];
    if (!place(pose, foot, &a) || !place(pose, on_side(VRM_HUMAN_BONE_LEFT_TOES, right), &b)) {
        return false;
    }
    const float off = degrees_between((vrm_vec3){b.x - a.x, 0, b.z - a.z}, (vrm_vec3){0, 0, 1});
    if (off > 20.0f) {
        hint(pose, VRM_FINDING_VRM1_TPOSE_FOOT, foot,
            vrmi_format(found, sizeof(found), "%d degrees off", (int)(off + 0.5f)), "along Z");
    }
    return off > 20.0f;
}

// --- bends -----------------------------------------------------------------------------------------------------------

typedef struct bend_rule {
    vrm_human_bone first, middle, last; // bones of the left side
    vrm_vec3 right_way;                 // direction of the middle joint's displacement if the bend is correct
    vrm_vec3 axis;                      // axis of the bend
    const char *wrong;                  // the message's "found" text for the opposite bend; NULL: that bend is allowed
    const char *sideways, *expected;
} bend_rule;

static const bend_rule bends[] = {
    {VRM_HUMAN_BONE_LEFT_UPPER_ARM, VRM_HUMAN_BONE_LEFT_LOWER_ARM, VRM_HUMAN_BONE_LEFT_HAND, {0, 0, -1}, {0, 1, 0},
        "an elbow in front of the arm", "an elbow above or below the arm", "a straight arm, or an elbow behind it"},
    {VRM_HUMAN_BONE_LEFT_UPPER_LEG, VRM_HUMAN_BONE_LEFT_LOWER_LEG, VRM_HUMAN_BONE_LEFT_FOOT, {0, 0, 1}, {1, 0, 0},
        "a knee behind the leg", "a knee beside the leg", "a straight leg, or a knee in front of it"},
#define FINGER(name) \
    { \
        VRM_HUMAN_BONE_LEFT_##name##_PROXIMAL, VRM_HUMAN_BONE_LEFT_##name##_INTERMEDIATE, \
            VRM_HUMAN_BONE_LEFT_##name##_DISTAL, {0, 1, 0}, {0, 0, 1}, "a finger bent upwards", \
            "a finger bent to the side", "a finger that is straight or bent down" \
    }
    FINGER(INDEX),
    FINGER(MIDDLE),
    FINGER(RING),
    FINGER(LITTLE),
#undef FINGER
    {VRM_HUMAN_BONE_LEFT_THUMB_METACARPAL, VRM_HUMAN_BONE_LEFT_THUMB_PROXIMAL, VRM_HUMAN_BONE_LEFT_THUMB_DISTAL,
        {-0.70710678f, 0, 0.70710678f}, {0, 1, 0}, NULL, "a thumb bent up or down",
        "a thumb that is straight or bent about Y"},
};

static bool check_bend(const vrmi_rest_pose *pose, const bend_rule *rule, bool right)
{
    const vrm_human_bone middle = on_side(rule->middle, right);
    vrm_vec3 a, b, c;
    if (!place(pose, on_side(rule->first, right), &a) || !place(pose, middle, &b) ||
        !place(pose, on_side(rule->last, right), &c)) {
        return false;
    }
    const vrm_vec3 whole = vrmi_vec3_sub(c, a), part = vrmi_vec3_sub(b, a);
    const float square = vrmi_vec3_dot(whole, whole);
    if (!(square > 1e-8f)) {
        return false;
    }
    const vrm_vec3 off = vrmi_vec3_sub(part, vrmi_vec3_scale(whole, vrmi_vec3_dot(part, whole) / square));
    const float length = vrmi_sqrt(square);
    const vrm_vec3 way = {right ? -rule->right_way.x : rule->right_way.x, rule->right_way.y, rule->right_way.z};
    const float about = vrmi_vec3_dot(off, way) / length; // positive if bent in the correct direction
    const float aside = vrmi_abs(vrmi_vec3_dot(off, rule->axis)) / length;
    if (rule->wrong != NULL && about < -BENT) {
        hint(pose, VRM_FINDING_VRM1_TPOSE_BEND, middle, rule->wrong, rule->expected);
        return true;
    }
    if (aside > SIDEWAYS && aside > vrmi_abs(about)) {
        hint(pose, VRM_FINDING_VRM1_TPOSE_BEND, middle, rule->sideways, rule->expected);
        return true;
    }
    return false;
}

// Checks the bones of one side. Returns true if any finding was reported. An arm that is wrong also makes its hand
// wrong, and any wrong direction makes bends unreliable, so only the cause is reported.
static bool check_side(const vrmi_rest_pose *pose, bool right)
{
    bool arm = false, other = check_foot(pose, right);
    for (size_t i = 0; i < VRMI_COUNT_OF(limbs); ++i) {
        const bool told = check_direction(pose, &limbs[i], right);
        arm = arm || (told && limbs[i].id == VRM_FINDING_VRM1_TPOSE_ARM);
        other = other || told;
    }
    for (size_t i = 0; i < VRMI_COUNT_OF(hands) && !arm; ++i) {
        if (pose->thumbs_at_45 || hands[i].id != VRM_FINDING_VRM1_TPOSE_THUMB) {
            other = check_direction(pose, &hands[i], right) || other;
        }
    }
    for (size_t i = 0; i < VRMI_COUNT_OF(bends) && !other; ++i) {
        arm = check_bend(pose, &bends[i], right) || arm;
    }
    return arm || other;
}

// --- where it stands -------------------------------------------------------------------------------------------------

// Checks that left and right bones mirror each other and that middle bones are in the middle. Reports the largest
// deviation.
static void check_symmetry(const vrmi_rest_pose *pose, float height)
{
    vrm_human_bone worst = VRM_HUMAN_BONE_HIPS;
    float most = 0.05f * height;
    bool told = false;
    for (int i = 0; i < VRM_HUMAN_BONE_COUNT; ++i) {
        vrm_vec3 a, b;
        if (place(pose, (vrm_human_bone)i, &a) && place(pose, vrmi_human_bone_mirror((vrm_human_bone)i), &b)) {
            const float off = vrmi_vec3_length(vrmi_vec3(a.x + b.x, a.y - b.y, a.z - b.z));
            told = told || off > most;
            worst = off > most ? (vrm_human_bone)i : worst;
            most = vrmi_max(off, most);
        }
    }
    if (told) {
        char found[80];
        hint(pose, VRM_FINDING_VRM1_TPOSE_SYMMETRY, worst,
            vrmi_format(found, sizeof(found), "%g m between %s and its mirror image", millimetres(most),
                vrm_human_bone_name(worst)),
            "left and right symmetric about X = 0");
    }
}

static void check_root(const vrmi_rest_pose *pose, float height)
{
    const vrm_vec3 at = pose->above_hips;
    if (vrmi_vec3_length(at) > 0.02f * height) {
        char found[80];
        hint(pose, VRM_FINDING_VRM1_TPOSE_ROOT, VRM_HUMAN_BONE_HIPS,
            vrmi_format(found, sizeof(found), "[%g, %g, %g]", millimetres(at.x), millimetres(at.y), millimetres(at.z)),
            "hips below a node at the origin");
    }
}

// Checks that a foot is on the ground. The sole's height comes from the meshes and may deviate by a fiftieth of the
// hips' height. Without meshes, toes may be less than a tenth of the hips' height above the ground, and ankles, because
// of high heels, less than a quarter.
static void check_ground(const vrmi_rest_pose *pose, bool right, float height)
{
    const vrm_human_bone foot = on_side(VRM_HUMAN_BONE_LEFT_FOOT, right);
    vrm_vec3 at, toes;
    char found[48];
    if (!place(pose, foot, &at)) {
        return;
    }
    const bool has_sole = pose->soles[right] < VRMI_NO_SOLE;
    const bool has_toes = place(pose, on_side(VRM_HUMAN_BONE_LEFT_TOES, right), &toes);
    const float y = has_sole ? pose->soles[right] : has_toes ? toes.y : at.y;
    const float highest = has_sole ? 0.02f : has_toes ? 0.1f : 0.25f;
    if (y < -0.02f * height || y > highest * height) {
        hint(pose, VRM_FINDING_VRM1_TPOSE_GROUND, foot,
            vrmi_format(found, sizeof(found), has_sole ? "a sole at %g m" : "a joint at %g m", millimetres(y)),
            "soles at Y = 0");
    }
}

void vrmi_check_rest_pose(const vrmi_rest_pose *pose)
{
    vrm_vec3 left, right, hips;
    if (!place(pose, VRM_HUMAN_BONE_LEFT_UPPER_LEG, &left) || !place(pose, VRM_HUMAN_BONE_RIGHT_UPPER_LEG, &right) ||
        !place(pose, VRM_HUMAN_BONE_HIPS, &hips)) {
        return;
    }
    // A figure that faces +Z has its left side at +X. If the figure is turned around, everything else is also wrong, so
    // only this is reported.
    const float off = degrees_between(vrmi_vec3_sub(left, right), (vrm_vec3){1, 0, 0});
    if (off > 20.0f) {
        char found[48];
        hint(pose, VRM_FINDING_VRM1_TPOSE_FACING, VRM_HUMAN_BONE_HIPS,
            vrmi_format(found, sizeof(found), "%d degrees off", (int)(off + 0.5f)), "facing +Z (0.x: -Z)");
        return;
    }
    const float height = hips.y > 0.0f ? hips.y : 1.0f;
    const bool left_told = check_side(pose, false), right_told = check_side(pose, true);
    check_ground(pose, false, height);
    check_ground(pose, true, height);
    if (!left_told && !right_told) {
        check_symmetry(pose, height);
    }
    check_root(pose, height);
}
