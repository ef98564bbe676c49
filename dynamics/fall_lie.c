// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// A fallen figure lowers its arms and legs. Without this motion they would stay in the pose in which they fell, with a
// shank above its knee or a leg in the air, since a joint's friction holds a limb that is nearly upright.

#include "fall.h"

static const vrm_vec3 axis_y = {0.0f, 1.0f, 0.0f};
static const float near = 0.02f; // a limb is on the ground below this height, metres

typedef struct limb {
    int32_t upper, lower, end; // indices of bodies, -1: none
    vrm_vec3 out;              // the limb's direction in the T-pose, in the axes of its parent
    bool leg;
} limb;

static limb limb_of(const vrmi_fall_view *view, int index)
{
    static const vrm_human_bone bones[VRMI_FALL_LIMBS][3] = {
        {VRM_HUMAN_BONE_LEFT_UPPER_LEG, VRM_HUMAN_BONE_LEFT_LOWER_LEG, VRM_HUMAN_BONE_LEFT_FOOT},
        {VRM_HUMAN_BONE_RIGHT_UPPER_LEG, VRM_HUMAN_BONE_RIGHT_LOWER_LEG, VRM_HUMAN_BONE_RIGHT_FOOT},
        {VRM_HUMAN_BONE_LEFT_UPPER_ARM, VRM_HUMAN_BONE_LEFT_LOWER_ARM, VRM_HUMAN_BONE_LEFT_HAND},
        {VRM_HUMAN_BONE_RIGHT_UPPER_ARM, VRM_HUMAN_BONE_RIGHT_LOWER_ARM, VRM_HUMAN_BONE_RIGHT_HAND}};
    const vrm_vec3 down = {0.0f, -1.0f, 0.0f}, aside = {index % 2 == 0 ? 1.0f : -1.0f, 0.0f, 0.0f};
    return (limb){view->body[bones[index][0]], view->body[bones[index][1]], view->body[bones[index][2]],
        index < 2 ? down : aside, index < 2};
}

// The vector from a body's joint to the next one, or to the far end of its shape; metres in the body's axes.
static vrm_vec3 length_of(const vrmi_fall_view *view, int32_t body, int32_t next)
{
    const vrm_vec3 way =
        next >= 0 ? view->def->bodies[next].joint.anchor : vrmi_vec3_scale(view->def->bodies[body].shape.center, 2.0f);
    return vrmi_vec3_scale(way, view->scale);
}

static float thickness_of(const vrmi_fall_view *view, int32_t body)
{
    const vrm_ragdoll_shape *s = &view->def->bodies[body].shape;
    const float least = vrmi_min(s->half_extents.x, vrmi_min(s->half_extents.y, s->half_extents.z));
    return (s->type == VRM_RAGDOLL_SHAPE_CAPSULE ? s->radius : least) * view->scale;
}

static float tip_of(const vrmi_fall_view *view, int32_t body, int32_t next)
{
    const vrm_ragdoll_state *s = &view->states[body];
    return s->position.y + vrmi_quat_rotate(s->rotation, length_of(view, body, next)).y;
}

static bool lies(const vrmi_fall_view *view, const limb *l)
{
    const float low = l->end >= 0 ? view->lowest[l->end] : tip_of(view, l->lower, -1) - thickness_of(view, l->lower);
    return low <= near * view->scale;
}

bool vrmi_fall_limbs_lie(const vrmi_fall_view *view)
{
    bool all = true;
    for (int i = 0; i < VRMI_FALL_LIMBS; ++i) {
        const limb l = limb_of(view, i);
        all = all && (l.upper < 0 || l.lower < 0 || lies(view, &l));
    }
    return all;
}

// Returns the rotation that lowers a thigh or an upper arm about its own joint until the next joint is on the ground.
static vrm_quat sunk(const vrmi_fall_view *view, const limb *l)
{
    const vrm_ragdoll_state *s = &view->states[l->upper];
    const vrm_ragdoll_state *holds = &view->states[view->def->bodies[l->upper].parent];
    const vrm_vec3 along = length_of(view, l->upper, l->lower);
    const float length = vrmi_max(vrmi_vec3_length(along), 1e-4f);
    const vrm_vec3 now = vrmi_vec3_scale(vrmi_quat_rotate(s->rotation, along), 1.0f / length);
    // The limb sinks in the direction in which it points, but not onto the trunk. An upright limb sinks away from the
    // trunk. A leg hardly sinks aside: the figure would lie with both thighs fallen apart and its feet crossed.
    vrm_vec3 level = vrmi_vec3(now.x, 0.0f, now.z);
    if (l->leg) {
        const vrm_vec3 aside = vrmi_quat_rotate(holds->rotation, vrmi_vec3(1.0f, 0.0f, 0.0f));
        const vrm_vec3 level_aside = vrmi_vec3(aside.x, 0.0f, aside.z);
        const float falls_aside = vrmi_vec3_dot(level, level_aside);
        level = vrmi_vec3_sub(level, vrmi_vec3_scale(level_aside, 0.85f * falls_aside));
    }
    const vrm_vec3 out = vrmi_quat_rotate(holds->rotation, l->out);
    const float flat = vrmi_max(vrmi_sqrt(out.x * out.x + out.z * out.z), 0.2f);
    const vrm_vec3 level_out = vrmi_vec3(out.x / flat, 0.0f, out.z / flat);
    const float away = 0.3f - vrmi_min(vrmi_vec3_dot(level, level_out), 0.0f);
    level = vrmi_vec3_add(level, vrmi_vec3_scale(level_out, away));
    const float sine =
        vrmi_clamp((thickness_of(view, l->lower) - s->position.y) / length, -0.95f, vrmi_min(now.y, 0.95f));
    const vrm_vec3 heading = vrmi_vec3_scale(vrmi_vec3_normalize_or(level, now), vrmi_sqrt(1.0f - sine * sine));
    const vrm_vec3 goal = vrmi_vec3_add(heading, vrmi_vec3_scale(axis_y, sine));
    const vrm_quat turn = vrmi_quat_from_to(now, vrmi_vec3_normalize_or(goal, now));
    return vrmi_quat_mul(vrmi_quat_conjugate(holds->rotation), vrmi_quat_mul(turn, s->rotation));
}

// Returns the rotation about the knee or elbow that puts the far end of a shank or forearm on the ground, if the thigh
// or upper arm has the rotation `upper` and ends at the height `height`. A small bend is preferred.
static vrm_quat unfolded(const vrmi_fall_view *view, const limb *l, vrm_quat upper, float height)
{
    enum { STEPS = 16 };
    const vrm_ragdoll_joint *joint = &view->def->bodies[l->lower].joint;
    const vrm_vec3 along = length_of(view, l->lower, l->end);
    const float length = vrmi_max(vrmi_vec3_length(along), 1e-4f), thickness = thickness_of(view, l->lower);
    const vrm_quat back = vrmi_quat_conjugate(joint->frame);
    vrm_quat best = vrmi_quat_identity();
    float least = 1e9f;
    for (int i = 0; i <= STEPS; ++i) {
        const float angle = vrmi_lerp(joint->min_angle, joint->max_angle, (float)i / STEPS);
        const vrm_quat turn = vrmi_quat_from_vector(vrmi_vec3(angle, 0.0f, 0.0f));
        const vrm_quat local = vrmi_quat_mul(joint->frame, vrmi_quat_mul(turn, back));
        const float tip = height + vrmi_quat_rotate(vrmi_quat_mul(upper, local), along).y;
        const float above = vrmi_abs(tip - thickness) / length;
        const float cost = above + 0.25f * vrmi_abs(angle);
        if (cost < least) {
            least = cost;
            best = local;
        }
    }
    return best;
}

uint64_t vrmi_fall_lie(const vrmi_fall_view *view, vrm_quat *joints)
{
    uint64_t moved = 0;
    for (int i = 0; i < VRMI_FALL_LIMBS; ++i) {
        const limb l = limb_of(view, i);
        if (l.upper <= 0 || l.lower < 0 || lies(view, &l)) {
            continue;
        }
        vrm_quat upper = view->states[l.upper].rotation;
        float height = view->states[l.lower].position.y;
        if (height > thickness_of(view, l.lower) + near * view->scale) {
            joints[l.upper] = vrmi_fall_within_limits(&view->def->bodies[l.upper].joint, sunk(view, &l));
            moved |= UINT64_C(1) << l.upper;
            if (l.leg) { // a shank that folded while its thigh is up would leave the figure with a raised knee
                upper = vrmi_quat_mul(view->states[view->def->bodies[l.upper].parent].rotation, joints[l.upper]);
                height =
                    view->states[l.upper].position.y + vrmi_quat_rotate(upper, length_of(view, l.upper, l.lower)).y;
            }
        }
        joints[l.lower] = unfolded(view, &l, upper, height);
        moved |= UINT64_C(1) << l.lower;
    }
    return moved;
}
