// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The frames and limits of joints. The anatomy lists them for the left side in the T-pose. The right side is mirrored
// by x -> -x, which keeps the sign of rotations about X and reverses the signs of the others.

#include "model/names.h"
#include "ragdoll/build.h"

#define DEGREE (VRMI_PI / 180.0f)

typedef struct axes {
    vrm_vec3 x, y, z;
} axes;

static vrm_quat quat_of(const axes *a)
{
    // Rotates X to its direction first, then Y about X.
    const vrm_quat first = vrmi_quat_from_to(vrmi_vec3(1, 0, 0), a->x);
    const vrm_vec3 y = vrmi_quat_rotate(first, vrmi_vec3(0, 1, 0));
    const float angle = vrmi_atan2(vrmi_vec3_dot(vrmi_vec3_cross(y, a->y), a->x), vrmi_vec3_dot(y, a->y));
    return vrmi_quat_normalize(vrmi_quat_mul(vrmi_quat_from_axis_angle(a->x, angle), first));
}

static axes axes_of(const vrmi_anatomy *anatomy, bool right)
{
    axes a = {anatomy->x, anatomy->y, vrmi_vec3_cross(anatomy->x, anatomy->y)};
    if (right) {
        const bool hinge = anatomy->joint == VRM_RAGDOLL_JOINT_HINGE;
        a = (axes){vrmi_ragdoll_mirror(a.x), vrmi_ragdoll_mirror(a.y), vrmi_ragdoll_mirror(a.z)};
        // The mirrored axes are left-handed, so one axis is reversed. A hinge thereby keeps the sign of its angle, a
        // cone the sign of its swing about Y.
        if (hinge) {
            a.x = vrmi_vec3_scale(a.x, -1.0f);
        } else {
            a.y = vrmi_vec3_scale(a.y, -1.0f);
        }
    }
    return a;
}

static void turn(axes *a, vrm_quat rotation)
{
    *a = (axes){vrmi_quat_rotate(rotation, a->x), vrmi_quat_rotate(rotation, a->y), vrmi_quat_rotate(rotation, a->z)};
}

// Returns the rotation vector of a unit quaternion.
static vrm_vec3 rotation_vector(vrm_quat q)
{
    const vrm_vec3 v = {q.x, q.y, q.z};
    const float sine = vrmi_vec3_length(v);
    return vrmi_vec3_scale(v, sine > 1e-6f ? 2.0f * vrmi_atan2(sine, q.w) / sine : 2.0f);
}

// Extends the limits so that they include the T-pose. A rest pose beyond the human range must not be pushed back.
static void keep_rest_inside(vrm_ragdoll_joint *joint)
{
    const float y = joint->center_y / joint->swing_y, z = joint->center_z / joint->swing_z, square = y * y + z * z;
    if (square > 0.9f) {
        const float factor = vrmi_sqrt(0.9f / square);
        joint->center_y *= factor;
        joint->center_z *= factor;
    }
    joint->min_angle = vrmi_min(joint->min_angle, 0.0f);
    joint->max_angle = vrmi_max(joint->max_angle, 0.0f);
}

// Whether the body's joint takes over the range of a bone without a body: spine bones add their swing and twist to
// chest (or spine), the neck to the head.
static bool carries(const vrmi_ragdoll_build *build, uint32_t body, vrm_human_bone bone)
{
    const vrm_ragdoll_def *def = build->def;
    const int32_t own = build->body_of_bone[bone];
    const bool has_own = own >= 0 && def->bodies[own].bone == bone;
    if (has_own || (bone != VRM_HUMAN_BONE_SPINE && bone != VRM_HUMAN_BONE_CHEST &&
                       bone != VRM_HUMAN_BONE_UPPER_CHEST && bone != VRM_HUMAN_BONE_NECK)) {
        return false;
    }
    const int32_t chest = build->body_of_bone[VRM_HUMAN_BONE_CHEST];
    const bool has_chest = chest >= 0 && def->bodies[chest].bone == VRM_HUMAN_BONE_CHEST;
    const vrm_human_bone carrier = bone == VRM_HUMAN_BONE_NECK ? VRM_HUMAN_BONE_HEAD
                                   : has_chest                 ? VRM_HUMAN_BONE_CHEST
                                                               : VRM_HUMAN_BONE_SPINE;
    return def->bodies[body].bone == carrier;
}

static void set_cone(const vrmi_ragdoll_build *build, uint32_t index, bool right)
{
    vrm_ragdoll_body *body = &build->def->bodies[index];
    vrm_ragdoll_joint *joint = &body->joint;
    vrmi_anatomy sum = *vrmi_anatomy_of(body->bone);
    for (int32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        if (carries(build, index, (vrm_human_bone)bone)) {
            const vrmi_anatomy *more = vrmi_anatomy_of((vrm_human_bone)bone);
            sum.y_min += more->y_min;
            sum.y_max += more->y_max;
            sum.z_min += more->z_min;
            sum.z_max += more->z_max;
            sum.min += more->min;
            sum.max += more->max;
        }
    }
    const float side = right ? -1.0f : 1.0f;
    joint->swing_y = 0.5f * (sum.y_max - sum.y_min) * DEGREE;
    joint->swing_z = 0.5f * (sum.z_max - sum.z_min) * DEGREE;
    joint->center_y = 0.5f * (sum.y_max + sum.y_min) * DEGREE;
    joint->center_z = 0.5f * side * (sum.z_max + sum.z_min) * DEGREE;
    joint->min_angle = (right ? -sum.max : sum.min) * DEGREE;
    joint->max_angle = (right ? -sum.min : sum.max) * DEGREE;
    axes a = axes_of(&sum, right);
    vrm_vec3 shift = {0, 0, 0};
    if (sum.frame != VRMI_FRAME_FIXED) {
        float length;
        const vrm_vec3 bone_direction = vrmi_ragdoll_direction(build, body->bone, &length);
        const vrm_quat to_bone = vrmi_quat_from_to(a.x, bone_direction);
        turn(&a, to_bone);
        shift = rotation_vector(vrmi_quat_conjugate(to_bone));
    }
    joint->frame = quat_of(&a);
    if (sum.frame == VRMI_FRAME_T_POSE) {
        joint->center_y += vrmi_vec3_dot(shift, a.y);
        joint->center_z += vrmi_vec3_dot(shift, a.z);
    }
}

// Elbow and knee bend about the axes of the VRM 1.0 draft, which rotate with the limb above. Limits are relative to the
// straight limb, so that a limb which is bent at rest can be straightened.
static void set_hinge(const vrmi_ragdoll_build *build, uint32_t index, bool right)
{
    vrm_ragdoll_body *body = &build->def->bodies[index];
    vrm_ragdoll_joint *joint = &body->joint;
    const vrmi_anatomy *anatomy = vrmi_anatomy_of(body->bone);
    axes a = axes_of(anatomy, right);
    float bent = 0.0f;
    if (anatomy->frame == VRMI_FRAME_T_POSE) {
        float length;
        const vrm_human_bone above = build->def->bodies[body->parent].bone;
        vrm_vec3 usual = vrmi_anatomy_of(above)->x;
        usual = right ? vrmi_ragdoll_mirror(usual) : usual;
        const vrm_vec3 upper = vrmi_ragdoll_direction(build, above, &length);
        const vrm_vec3 lower = vrmi_ragdoll_direction(build, body->bone, &length);
        turn(&a, vrmi_quat_from_to(usual, upper));
        bent = vrmi_atan2(vrmi_vec3_dot(vrmi_vec3_cross(upper, lower), a.x), vrmi_vec3_dot(upper, lower));
    }
    joint->frame = quat_of(&a);
    joint->min_angle = anatomy->min * DEGREE - bent;
    joint->max_angle = anatomy->max * DEGREE - bent;
}

// Returns the reaction of a body to a push: the trunk bends and returns, head and arms lag and overshoot once, legs
// stand, hips yield. Frequencies and damping ratios were chosen by eye on figures that are hit with 25 to 150 N s
// (docs/active-ragdoll.md). The largest torques are per kilogram of the whole body and metre of its height, those of
// young adults, means of women and men: hip 1.68, knee 1.5, ankle 0.9 (Anderson, Madigan, Nussbaum, "Maximum voluntary
// joint torque as a function of joint angle and angular velocity", Journal of Biomechanics 40, 2007, table 3); shoulder
// 0.55, wrist 0.08 (68 and 10 N m: Holzbaur et al., "Moment-generating capacity of upper limb muscles in healthy adults",
// the same volume); neck 0.37 (51 N m of men: "Prediction of three-dimensional maximum isometric neck strength", Annals
// of Biomedical Engineering 42, 2014); trunk 2.2 (910 N, sitting, about 0.3 m above the joint: Kocjan, Sarabon, Journal of
// Sports Science and Medicine 13, 2014). The elbow is estimated from the shoulder, fingers and toes from wrist and ankle.
static vrm_ragdoll_joint_drive drive_of(const vrm_ragdoll_body *body)
{
    switch (body->bone) {
    case VRM_HUMAN_BONE_LEFT_SHOULDER:
    case VRM_HUMAN_BONE_RIGHT_SHOULDER:
        return (vrm_ragdoll_joint_drive){2.0f, 0.35f, 0.8f};
    case VRM_HUMAN_BONE_LEFT_UPPER_ARM:
    case VRM_HUMAN_BONE_RIGHT_UPPER_ARM:
        return (vrm_ragdoll_joint_drive){1.0f, 0.2f, 0.55f};
    case VRM_HUMAN_BONE_LEFT_LOWER_ARM:
    case VRM_HUMAN_BONE_RIGHT_LOWER_ARM:
        return (vrm_ragdoll_joint_drive){1.0f, 0.2f, 0.45f};
    case VRM_HUMAN_BONE_LEFT_HAND:
    case VRM_HUMAN_BONE_RIGHT_HAND:
        return (vrm_ragdoll_joint_drive){2.0f, 0.3f, 0.1f};
    case VRM_HUMAN_BONE_LEFT_UPPER_LEG:
    case VRM_HUMAN_BONE_RIGHT_UPPER_LEG:
        return (vrm_ragdoll_joint_drive){2.4f, 1.0f, 1.7f};
    case VRM_HUMAN_BONE_LEFT_LOWER_LEG:
    case VRM_HUMAN_BONE_RIGHT_LOWER_LEG:
        return (vrm_ragdoll_joint_drive){2.4f, 1.0f, 1.5f};
    case VRM_HUMAN_BONE_LEFT_FOOT:
    case VRM_HUMAN_BONE_RIGHT_FOOT:
        return (vrm_ragdoll_joint_drive){2.4f, 1.0f, 0.9f};
    case VRM_HUMAN_BONE_LEFT_TOES:
    case VRM_HUMAN_BONE_RIGHT_TOES:
        return (vrm_ragdoll_joint_drive){2.4f, 1.0f, 0.1f};
    default:
        break;
    }
    switch (body->group) {
    case VRM_RAGDOLL_GROUP_PELVIS:
        return (vrm_ragdoll_joint_drive){1.4f, 1.0f, 0.0f};
    case VRM_RAGDOLL_GROUP_TORSO:
        return (vrm_ragdoll_joint_drive){2.0f, 0.35f, 2.0f};
    case VRM_RAGDOLL_GROUP_HEAD:
        return (vrm_ragdoll_joint_drive){2.6f, 0.45f, 0.35f};
    default: // fingers
        return (vrm_ragdoll_joint_drive){2.0f, 0.3f, 0.02f};
    }
}

static void set_drives(vrm_ragdoll_def *def)
{
    float mass = 0.0f;
    for (uint32_t i = 0; i < def->body_count; ++i) {
        mass += def->bodies[i].mass;
    }
    for (uint32_t i = 0; i < def->body_count; ++i) {
        def->bodies[i].joint.drive = drive_of(&def->bodies[i]);
        def->bodies[i].joint.drive.max_torque *= mass * def->height;
    }
}

void vrmi_ragdoll_place_joints(vrmi_ragdoll_build *build)
{
    vrm_ragdoll_def *def = build->def;
    set_drives(def);
    for (uint32_t i = 1; i < def->body_count; ++i) {
        vrm_ragdoll_body *body = &def->bodies[i];
        const bool right = vrmi_anatomy_is_right(body->bone);
        body->joint.type = vrmi_anatomy_of(body->bone)->joint;
        body->joint.anchor = vrmi_vec3_sub(vrmi_ragdoll_place(build, (int32_t)body->bone),
            vrmi_ragdoll_place(build, (int32_t)def->bodies[body->parent].bone));
        if (body->joint.type == VRM_RAGDOLL_JOINT_HINGE) {
            set_hinge(build, i, right);
            body->joint.min_angle = vrmi_min(body->joint.min_angle, 0.0f);
            body->joint.max_angle = vrmi_max(body->joint.max_angle, 0.0f);
        } else {
            set_cone(build, i, right);
            keep_rest_inside(&body->joint);
        }
    }
}
