// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RAGDOLL_GET_UP_H
#define VRMI_RAGDOLL_GET_UP_H

// Getting up: a body's measures, the key poses, and the pose at a time.
//
// All poses are normalized: a bone's rotation is its difference from the T-pose. The axes are z in the direction in
// which the figure will face, y up, and the ground is at y = 0. Lengths are the model's.

#include <vrm/get_up.h>

#include "base/array.h"
#include "math/quat.h"
#include "model/model.h"

enum { VRMI_GET_UP_HELPERS = 64, VRMI_GET_UP_JOINTS = VRM_HUMAN_BONE_COUNT + VRMI_GET_UP_HELPERS };

// A node of the skin that a constraint rotates, for example in the middle of a knee, or with a fraction of a forearm's
// twist. Joints are numbered with the bones first, then the helpers.
typedef struct vrmi_get_up_helper {
    uint32_t node;
    int32_t above; // the parent joint
    int32_t bone;  // the nearest ancestor that is a bone
    int32_t source, source_above;
    vrm_constraint_type type;
    float weight;
    vrm_vec3 axis, rest;
    vrm_quat rest_rotation, local_rest; // the node's rest rotation in the model; relative to its parent
    vrm_quat source_rotation, source_local;
} vrmi_get_up_helper;

// Positions and rotations of all joints that move the skin.
typedef struct vrmi_get_up_joints {
    vrm_quat turn[VRMI_GET_UP_JOINTS];
    vrm_vec3 place[VRMI_GET_UP_JOINTS];
} vrmi_get_up_joints;

// A joint's share of a skinned point. `part` is the weight times the point's position relative to the joint, in the
// T-pose's axes.
typedef struct vrmi_get_up_share {
    int32_t joint;
    float weight; // the sum of a point's weights is 1
    vrm_vec3 part;
} vrmi_get_up_share;

enum { VRMI_GET_UP_SHARES = 4 };

// A vertex that may be the lowest one, with its weights.
typedef struct vrmi_get_up_point {
    uint32_t count;
    vrmi_get_up_share shares[VRMI_GET_UP_SHARES]; // the share with the largest weight comes first
} vrmi_get_up_point;

// Points with the same main joint and similar weights. They move almost as one rigid piece.
typedef struct vrmi_get_up_patch {
    int32_t bone; // the main joint if it is a bone, otherwise its nearest ancestor bone
    uint32_t first_point, points;
    uint32_t first_ball, balls;
} vrmi_get_up_patch;

// A ball around all positions, relative to one joint, that this joint contributes to the points of a patch. If all
// balls of a patch are above a height, the whole patch is above that height.
typedef struct vrmi_get_up_ball {
    int32_t joint;
    vrm_vec3 middle; // relative to the joint, in the T-pose's axes
    float radius;
} vrmi_get_up_ball;

// The farthest points of all patches in the directions of a fine cube. Only these points can be the lowest of a patch.
typedef struct vrmi_get_up_skin {
    vrmi_array patches, points, balls;
    uint32_t helper_count;
    vrmi_get_up_helper helpers[VRMI_GET_UP_HELPERS]; // ordered with parents and sources first
} vrmi_get_up_skin;

struct vrm_get_up_body {
    vrm_allocator allocator;
    const vrm_avatar *avatar;
    const vrmi_model *model;
    int32_t
        parent[VRM_HUMAN_BONE_COUNT];    // nearest existing ancestor bone; -1: none; -2: the bone itself does not exist
    vrm_vec3 rest[VRM_HUMAN_BONE_COUNT]; // positions of the joints in the T-pose
    float height, leg, arm, trunk;       // leg: hip to ankle; arm: shoulder to wrist; trunk: hips to shoulders
    float thigh, shank, ankle;           // ankle: the ankle's height at rest
    float foot;                          // horizontal distance from the ankle to the tip of the toes
    vrm_vec3 pelvis;                     // the midpoint of the hip joints at rest
    float mass[VRM_HUMAN_BONE_COUNT];    // fractions of the whole
    vrm_vec3 middle[VRM_HUMAN_BONE_COUNT]; // centre of a bone's mass, relative to its joint at rest
    vrmi_get_up_skin skin;
};

// The directions in which the middle joints of the limbs point, perpendicular to the line from a limb's root to its end:
// limb[0] of the legs and limb[1] of the arms, left and right.
typedef struct vrmi_get_up_sides {
    vrm_vec3 limb[2][2];
} vrmi_get_up_sides;

// A pose: the rotations of bones and the positions of their joints, in the frame described above.
typedef struct vrmi_get_up_pose {
    vrm_quat turn[VRM_HUMAN_BONE_COUNT];
    vrm_vec3 place[VRM_HUMAN_BONE_COUNT];
    vrmi_get_up_sides sides; // of the plan's pose, without the difference from the lying pose
} vrmi_get_up_pose;

// Finds the helpers. Writes the joint that moves each node, or VRMI_GET_UP_JOINTS for nodes on springs.
void vrmi_get_up_find_helpers(vrm_get_up_body *body, uint8_t *out_joint_of_node);
void vrmi_get_up_place_joints(const vrm_get_up_body *body, const vrmi_get_up_pose *pose, vrmi_get_up_joints *out);
static inline vrm_vec3 vrmi_get_up_rest(const vrm_get_up_body *body, int32_t joint)
{
    return joint < VRM_HUMAN_BONE_COUNT ? body->rest[joint] : body->skin.helpers[joint - VRM_HUMAN_BONE_COUNT].rest;
}

// Reads the skin of an avatar, or estimates it if `gltf` is NULL. Also sets the height.
vrm_result vrmi_get_up_read_skin(vrm_get_up_body *body, const vrm_gltf *gltf);
void vrmi_get_up_free_skin(vrm_get_up_body *body);

// Returns the distance by which a bone's skin extends below its joint when the bone has the rotation `turn`.
float vrmi_get_up_depth(const vrm_get_up_body *body, int32_t bone, vrm_quat turn);

// Returns the distance by which a bone's skin extends in front of its joint at rest; 0 without skin.
float vrmi_get_up_ahead(const vrm_get_up_body *body, int32_t bone);

// Returns the distance by which a foot with its toes extends below the ankle.
float vrmi_get_up_sole(const vrm_get_up_body *body, int side, vrm_quat turn);

// --- poses ---------------------------------------------------------------------------------------------------------

// A key pose of getting up. The first values move smoothly through all keys. Hands, feet and knees move from contact to
// contact.
typedef struct vrmi_get_up_key {
    float time;
    float x, y, z;       // position of the pelvis; y above the ground
    float pitch;         // pitch of the pelvis, radians, positive forward
    float roll;          // roll of the pelvis, radians, positive to the left
    float bend;          // bend of the whole spine, radians, positive forward
    bool balances;       // pitch and bend are upper bounds: the trunk leans until the mass centre is above `aim`
    float aim;           // z of the mass centre
    float hand[2][3];    // wrists on the ground, left and right; y is computed later
    float hand_free[2];  // 0: the wrist is at `hand`, 1: it hangs from the shoulder
    float foot[2][3];    // ankles; y above the height at which a foot with this pitch touches the ground
    float foot_pitch[2]; // pitch of the foot in the world, radians, positive with the toes down
    float foot_yaw[2];   // direction of the foot, radians from z, positive to the left
    float foot_free[2];  // 0: the foot has this pitch, 1: it follows its shank as far as the ankle requires
    float step[2];       // largest height of a foot above the ground on its way to this key, for a way of 1 m
    float knee_out[2];   // 0: the knee points ahead of the pelvis, 1: outward
    float knee[2][3];    // place of a knee; y above its height on the ground
    float knee_aims[2];  // 1: the knee points to `knee`, 0: it is free
    float kneels[2];     // 1: the knee is at `knee`, and the pelvis is as high as the thigh allows; 0: it is free
} vrmi_get_up_key;

enum { VRMI_GET_UP_KEYS = 10 };

typedef struct vrmi_get_up_plan {
    uint32_t count;
    vrmi_get_up_key keys[VRMI_GET_UP_KEYS]; // the first key is the lying pose
    vrm_quat lean;                          // rotation of the pelvis at the beginning, in addition to its pitch
    // Axes of the joints in the lying pose, left and right: hinge[0] of the knees, relative to the pelvis, and hinge[1]
    // of the elbows, relative to the chest.
    vrm_vec3 hinge[2][2];
    float knee; // height of a knee on the ground
    // The key in which the weight is above one foot, and that foot, 0: left, 1: right.
    uint32_t lunge;
    int front;
} vrmi_get_up_plan;

// The lowest point of a patch in a pose.
typedef struct vrmi_get_up_low {
    float height;
    int32_t bone;
    vrm_vec3 place; // position from the joint of `bone` at rest
} vrmi_get_up_low;

// Finds the lowest point of a patch; returns false if none is below `under`.
bool vrmi_get_up_lowest(
    const vrm_get_up_body *body, const vrmi_get_up_joints *joints, uint32_t patch, float under, vrmi_get_up_low *out);

// The measured lying pose.
typedef struct vrmi_get_up_start {
    vrm_get_up_way way;
    vrmi_get_up_pose pose;
} vrmi_get_up_start;

// Finds the axes of knees and elbows in the lying pose.
void vrmi_get_up_find_hinges(const vrm_get_up_body *body, const vrmi_get_up_pose *pose, vrmi_get_up_plan *plan);
void vrmi_get_up_make_plan(const vrm_get_up_body *body, const vrmi_get_up_start *start, vrmi_get_up_plan *out);

// The distances by which trunk, hands, feet and kneeling knees must rise above the plan.
typedef struct vrmi_get_up_lift {
    float trunk, hand[2], foot[2], knee[2];
} vrmi_get_up_lift;

// The difference between the plan's pose at time 0 and the lying pose: a rotation for each bone in its parent's axes,
// and a displacement of the hips.
typedef struct vrmi_get_up_difference {
    vrm_quat turn[VRM_HUMAN_BONE_COUNT];
    vrm_vec3 hips;
} vrmi_get_up_difference;

// What the pose at a time depends on, besides the plan.
typedef struct vrmi_get_up_moment {
    float time;
    vrmi_get_up_lift lift;
    const vrmi_get_up_difference *difference; // NULL: none
    const vrmi_get_up_sides *sides;           // NULL: the limbs find their own
} vrmi_get_up_moment;

void vrmi_get_up_solve(
    const vrm_get_up_body *body, const vrmi_get_up_plan *plan, const vrmi_get_up_moment *moment, vrmi_get_up_pose *out);
// Measures the masses of the bones.
void vrmi_get_up_weigh(vrm_get_up_body *body);
// Leans the trunk so that the mass centre is above what bears, and draws the rear foot to where its leg reaches it.
void vrmi_get_up_balance(const vrm_get_up_body *body, vrmi_get_up_plan *plan);
// Returns a bone's rotation relative to its parent.
vrm_quat vrmi_get_up_local(const vrm_get_up_body *body, const vrmi_get_up_pose *pose, int32_t bone);
// Returns how much a knee is planned to be on the ground, 0 to 1.
float vrmi_get_up_kneels(const vrmi_get_up_plan *plan, int side, float time);
// Returns the additional lift after which nothing is below the ground. `kneels` has the weights of both knees that are
// on the ground.
vrmi_get_up_lift vrmi_get_up_sunk(const vrm_get_up_body *body, const vrmi_get_up_pose *pose, const float kneels[2]);

#endif
