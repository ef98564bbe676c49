// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_RAGDOLL_DEF_H
#define VRM_RAGDOLL_DEF_H

/// @file ragdoll_def.h
/// The definition of a ragdoll as plain data: bodies, shapes, joints and their limits. ragdoll_build.h builds one from
/// an avatar.
///
/// The frame of a body has its origin at the bone's joint. In the T-pose its axes are those of the model (+X left, +Y
/// up, +Z forward), and they rotate with the body. So in the T-pose every body's rotation is the identity, whatever the
/// file's rest rotations are. Joints and limits are given in that frame. Lengths are metres of the model, before the
/// root's scale.

#include <vrm/humanoid.h>
#include <vrm/math.h>
#include <vrm/result.h>

typedef struct vrm_avatar vrm_avatar;

enum { VRM_RAGDOLL_MAX_BODIES = 55 };

/// Groups of bodies that share weights.
typedef enum vrm_ragdoll_group {
    VRM_RAGDOLL_GROUP_PELVIS = 0,
    VRM_RAGDOLL_GROUP_TORSO = 1,    ///< Spine, chest, upper chest, shoulders.
    VRM_RAGDOLL_GROUP_HEAD = 2,     ///< Neck and head.
    VRM_RAGDOLL_GROUP_LEFT_ARM = 3, ///< Upper arm to fingers.
    VRM_RAGDOLL_GROUP_RIGHT_ARM = 4,
    VRM_RAGDOLL_GROUP_LEFT_LEG = 5, ///< Upper leg to toes.
    VRM_RAGDOLL_GROUP_RIGHT_LEG = 6,
    VRM_RAGDOLL_GROUP_ALL = 255, ///< All bodies, as an argument of calls. No body belongs to this group.
    VRM_RAGDOLL_GROUP_COUNT = 7
} vrm_ragdoll_group;

/// The shapes of bodies.
typedef enum vrm_ragdoll_shape_type {
    VRM_RAGDOLL_SHAPE_CAPSULE = 0, ///< A capsule along the shape's Y axis.
    VRM_RAGDOLL_SHAPE_BOX = 1,
    VRM_RAGDOLL_SHAPE_COUNT = 2
} vrm_ragdoll_shape_type;

/// The shape of a body, in the body's frame.
typedef struct vrm_ragdoll_shape {
    vrm_ragdoll_shape_type type;
    vrm_vec3 center;
    vrm_quat rotation;     ///< Rotation from the shape's axes to the body's.
    float radius;          ///< Capsule: radius, above 0.
    float half_length;     ///< Capsule: distance from the centre to the centre of a cap; 0: a sphere.
    vrm_vec3 half_extents; ///< Box: half of each side, above 0.
} vrm_ragdoll_shape;

/// How a body may rotate relative to its parent.
typedef enum vrm_ragdoll_joint_type {
    VRM_RAGDOLL_JOINT_FREE = 0,  ///< No joint: the root body.
    VRM_RAGDOLL_JOINT_CONE = 1,  ///< Three axes: an elliptic cone for the bone's direction, and the twist about it.
    VRM_RAGDOLL_JOINT_HINGE = 2, ///< One axis.
    VRM_RAGDOLL_JOINT_COUNT = 3
} vrm_ragdoll_joint_type;

/// The strength of a joint's drive, which holds the animated pose. Values that vrm_ragdoll_params sets for all joints
/// take precedence.
typedef struct vrm_ragdoll_joint_drive {
    /// Frequency of the spring at muscle 1, with the inertia that it moves, hertz, 0 to 60; 0: as in
    /// vrm_ragdoll_params. For the root: frequency of its pin.
    float frequency;
    float damping_ratio; ///< Damping ratio, 0 to 10; below 1 the spring overshoots. Used only with a frequency.
    /// Largest torque of spring and damper, N m, before the root's scale, not negative; 0: unlimited. The torque that
    /// bears the load (vrm_ragdoll_target.load) is added to it.
    float max_torque;
} vrm_ragdoll_joint_drive;

/// How a body is joined to its parent. `frame` rotates the axes of the joint into the axes of both bodies in the
/// T-pose. Joint X is the axis of the twist (along the bone, away from the parent) or of the hinge; Y and Z are the
/// axes of the swing. The joint's rotation q = frame^-1 * (parent rotation)^-1 * (child rotation) * frame is the
/// identity in the T-pose. It is read as q = swing * twist, with the twist about X; the rotation vector of the swing is
/// (0, y, z).
typedef struct vrm_ragdoll_joint {
    vrm_ragdoll_joint_type type;
    vrm_vec3 anchor; ///< Position of the joint in the parent's frame; in the child's frame it is the origin.
    vrm_quat frame;  ///< Unit.
    /// Cone: the swing is limited by the ellipse (y - center_y)^2 / swing_y^2 + (z - center_z)^2 / swing_z^2 <= 1.
    /// Radians, above 0, at most pi.
    float swing_y, swing_z;   ///< Half axes of the cone's ellipse, radians.
    float center_y, center_z; ///< Middle of the ellipse, radians.
    /// Hinge and cone: if the T-pose is within the limits, min_angle <= 0 <= max_angle.
    float min_angle, max_angle; ///< Range of the hinge's angle or of the cone's twist, radians.
    vrm_ragdoll_joint_drive drive;
} vrm_ragdoll_joint;

/// A body of a ragdoll. Parents come before their children; body 0 is the root, the hips.
typedef struct vrm_ragdoll_body {
    vrm_human_bone bone;
    uint32_t node;  ///< The bone's node (node order).
    int32_t parent; ///< Index of the parent body; -1 for the root.
    vrm_ragdoll_group group;
    vrm_ragdoll_shape shape;
    float mass;                ///< Kilograms, above 0.
    vrm_vec3 center_of_mass;   ///< Centre of mass in the body's frame.
    vrm_quat inertia_rotation; ///< Rotation from the principal axes to the body's axes.
    /// Principal moments of inertia about the centre of mass, kg m^2: above 0, none larger than the sum of the other
    /// two.
    vrm_vec3 inertia;
    vrm_ragdoll_joint joint;
    uint64_t no_contact; ///< Bit i: the body never collides with body i (symmetric).
} vrm_ragdoll_body;

/// The whole definition of a ragdoll. A plain value: copy it, change any number, check it with vrm_ragdoll_def_check().
typedef struct vrm_ragdoll_def {
    uint32_t struct_size;
    uint32_t body_count; ///< Number of `bodies` in use.
    float height;        ///< Height of the avatar in the T-pose, metres; the total mass is derived from it.
    vrm_ragdoll_body bodies[VRM_RAGDOLL_MAX_BODIES];
} vrm_ragdoll_def;

/// X(name, number, sentence): every reason for which a definition is refused.
#define VRM_RAGDOLL_FAULTS(X) \
    X(NONE, 0, "nothing is wrong") \
    X(BODY_COUNT, 1, "there are no bodies or more than there are humanoid bones") \
    X(BONE, 2, "a bone is not a humanoid bone, or has two bodies") \
    X(PARENT, 3, "a body's parent does not come before it, or body 0 is not the only root") \
    X(GROUP, 4, "a group is not one of the enumerators") \
    X(SHAPE, 5, "a shape's type, size, position or rotation is invalid") \
    X(MASS, 6, \
        "a mass is not above 0, or a centre of mass, moments of inertia (each at most the sum of the others) or " \
        "their axes are invalid") \
    X(JOINT, 7, "a joint's type, anchor or frame is invalid for its body") \
    X(LIMIT, 8, "a joint's limits are outside their ranges or in the wrong order") \
    X(NO_CONTACT, 9, "two bodies do not agree on whether they collide") \
    X(STRUCT_SIZE, 10, "the definition was not filled in, or was filled in by another version of the library") \
    X(HEIGHT, 11, "the height is negative or invalid") \
    X(NODE, 12, "a body's node is not that of its bone in this avatar") \
    X(SIZE, 13, "the distances between joints differ from this avatar's; the definition may be another avatar's")

/// Reason why a definition was refused. VRM_RAGDOLL_FAULTS has a sentence for each.
typedef enum vrm_ragdoll_fault {
#define VRM_RAGDOLL_FAULT_ENUM(name, number, sentence) VRM_RAGDOLL_FAULT_##name = (number),
    VRM_RAGDOLL_FAULTS(VRM_RAGDOLL_FAULT_ENUM)
#undef VRM_RAGDOLL_FAULT_ENUM
        VRM_RAGDOLL_FAULT_COUNT = 14
} vrm_ragdoll_fault;

/// Returns the enumerator's short name ("LIMIT"); "UNKNOWN" for a value outside the enum. The string is static.
VRM_API const char *vrm_ragdoll_fault_name(vrm_ragdoll_fault fault);
/// Returns the fault's sentence in VRM_RAGDOLL_FAULTS. The string is static.
VRM_API const char *vrm_ragdoll_fault_sentence(vrm_ragdoll_fault fault);

/// Reason why a definition was refused, and the member at fault.
typedef struct vrm_ragdoll_error {
    uint32_t struct_size; ///< Set by the caller: sizeof(vrm_ragdoll_error).
    vrm_ragdoll_fault fault;
    int32_t body;      ///< Index of the body; -1: the definition as a whole.
    const char *field; ///< Member of the body or of the definition ("joint.swing_y"); "" without a fault. Static.
} vrm_ragdoll_error;

/// Fills `def` with a definition without bodies.
VRM_API void vrm_ragdoll_def_default(vrm_ragdoll_def *def, size_t size);
#define vrm_ragdoll_def_default(def) vrm_ragdoll_def_default(def, sizeof *(def))
/// Checks whether the definition can be simulated. Otherwise returns INVALID_ARGUMENT, and `*out_error` (may be NULL)
/// receives the first fault.
VRM_API vrm_result vrm_ragdoll_def_check(const vrm_ragdoll_def *def, vrm_ragdoll_error *out_error);
/// Checks whether the definition can be simulated and belongs to this avatar: every body's node must be the node of its
/// bone, and the distances between joints must agree within a tenth of their sum. Otherwise returns INVALID_ARGUMENT.
VRM_API vrm_result vrm_ragdoll_def_check_avatar(
    const vrm_ragdoll_def *def, const vrm_avatar *avatar, vrm_ragdoll_error *out_error);

/// Gives the joint's angles between two bodies, as vrm_ragdoll_joint defines them: twist (for a hinge its only angle),
/// swing y, swing z. Radians, -pi to pi; 0 if `joint` is NULL.
VRM_API void vrm_ragdoll_get_joint_angles(
    const vrm_ragdoll_joint *joint, vrm_quat parent_rotation, vrm_quat child_rotation, float out_angles[3]);

enum { VRM_RAGDOLL_JOINT_ROWS = 4 };

/// A constraint row that a joint gives to an engine's solver in addition to its anchor. The speed along the row is
/// `axis` times the difference of the child's and the parent's angular velocities. It must not be above gap / dt; with
/// `both` it must be equal to gap / dt.
typedef struct vrm_ragdoll_joint_row {
    /// Axis in the world. Its length is not 1 if the angle changes faster or slower than the bodies rotate.
    vrm_vec3 axis;
    float gap; ///< Angle to the limit, radians; negative: beyond the limit.
    bool both; ///< The row is an equation rather than a limit: the axes of a hinge must stay parallel.
} vrm_ragdoll_joint_row;

/// Gives the joint's rows, for an engine that has no such limits. First come both stops of the twist (or of a hinge's
/// angle), the upper one first; then the nearest point of the cone's rim, or the rows that keep a hinge's axes
/// parallel. `rotations` are the rotations of parent and child. `targets` are their rotations in the animation: the
/// limits are widened to reach them, since a clip may bend a knee sideways. NULL: the limits are not widened. Returns
/// the number of rows; 0 if another pointer is NULL.
VRM_API uint32_t vrm_ragdoll_get_joint_rows(const vrm_ragdoll_joint *joint, const vrm_quat rotations[2],
    const vrm_quat targets[2], vrm_ragdoll_joint_row out_rows[VRM_RAGDOLL_JOINT_ROWS]);

#endif
