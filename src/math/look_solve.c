// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The method of "Perfect Look At". The first bone rotates its forward vector to the target as far as its limit allows.
// The forward vector of each further bone is the vector from this bone to the first bone plus the first bone's unit
// forward vector. Its target vector is the same offset plus the unit direction from the first bone to the target.

#include "math/look_solve.h"

static const vrm_vec3 ahead = {0.0f, 0.0f, 1.0f};

// --- limits --------------------------------------------------------------------------------------------------------

float vrmi_look_soften(float angle, float limit, float soft)
{
    const float width = soft * limit, begin = limit - width;
    if (angle <= begin) {
        return angle;
    }
    // x - x^2 / 4 has slope 1 at 0 and slope 0 at 2. So it reaches the limit at a finite angle, and its inverse needs
    // only a square root.
    const float x = width > 0.0f ? (angle - begin) / width : 2.0f;
    return x < 2.0f ? begin + width * (x - 0.25f * x * x) : limit;
}

// Returns the fraction of a further increase of the angle that is lost: 0 for a free bone, 1 at its limit.
static float saturation(float angle, float limit, float soft)
{
    const float width = soft * limit, begin = limit - width;
    return width > 0.0f ? vrmi_clamp(0.5f * (angle - begin) / width, 0.0f, 1.0f) : (angle >= limit ? 1.0f : 0.0f);
}

// Inverse of vrmi_look_soften(): returns the angle that is softened to `angle`. At the limit, returns the smallest such
// angle.
static float harden(float angle, float limit, float soft)
{
    const float width = soft * limit, begin = limit - width;
    if (angle <= begin || !(width > 0.0f)) {
        return angle;
    }
    const float y = (angle - begin) / width;
    return begin + width * (2.0f - 2.0f * vrmi_sqrt(y < 1.0f ? 1.0f - y : 0.0f));
}

void vrmi_look_log(vrm_vec3 direction, float *out_x, float *out_y)
{
    const float across = vrmi_sqrt(direction.x * direction.x + direction.y * direction.y);
    if (!(across > 1e-12f)) {
        *out_x = direction.z < 0.0f ? VRMI_PI : 0.0f; // straight behind: the bone turns over the left shoulder
        *out_y = 0.0f;
        return;
    }
    const float scale = vrmi_atan2(across, direction.z) / across;
    *out_x = direction.x * scale;
    *out_y = direction.y * scale;
}

vrm_vec3 vrmi_look_exp(float x, float y)
{
    const float angle = vrmi_sqrt(x * x + y * y);
    if (!(angle > 1e-12f)) {
        return ahead;
    }
    float s, c;
    vrmi_sincos(angle, &s, &c);
    return vrmi_vec3(x / angle * s, y / angle * s, c);
}

// Returns the limit angle in the direction of d's x and y. Between the axes the limit is a quarter of an ellipse.
static float limit_towards(const vrmi_look_solve_bone *bone, vrm_vec3 d)
{
    const vrmi_look_limits *l = &bone->limits;
    if (!bone->asymmetric) {
        return l->yaw * bone->slack;
    }
    const float vertical = d.y > 0.0f ? l->up : l->down;
    const float squared = d.x * d.x + d.y * d.y;
    const float a = d.x * vertical, b = d.y * l->yaw; // multiplies instead of dividing by a limit, which may be 0
    const float below = a * a + b * b;
    if (!(squared > 1e-20f)) {
        return vrmi_min(l->yaw, vertical) * bone->slack;
    }
    return below > 1e-20f ? vrmi_sqrt(squared / below) * l->yaw * vertical * bone->slack : 0.0f;
}

// Returns the direction on the same side as d whose angle from +z has sine `s` and cosine `c`.
static vrm_vec3 beside(vrm_vec3 d, float s, float c)
{
    const float across = vrmi_sqrt(d.x * d.x + d.y * d.y);
    if (!(across > 1e-12f)) {
        return vrmi_vec3(s, 0.0f, c);
    }
    return vrmi_vec3(d.x / across * s, d.y / across * s, c);
}

static vrm_vec3 at_angle(vrm_vec3 d, float angle)
{
    float s, c;
    vrmi_sincos(angle, &s, &c);
    return beside(d, s, c);
}

static float angle_of(vrm_vec3 d)
{
    return vrmi_atan2(vrmi_sqrt(d.x * d.x + d.y * d.y), d.z);
}

// Limits yaw and pitch separately, for eyes. Continues from the angles before softening, as limited() does.
static vrm_vec3 box_limited(
    const vrmi_look_solve_bone *bone, vrm_vec3 now, vrm_quat turn, float soft, float *out_saturation)
{
    const vrmi_look_limits *l = &bone->limits;
    float x, y;
    vrmi_look_log(now, &x, &y);
    const float raw_x = harden(vrmi_abs(x), l->yaw, soft),
                raw_y = harden(vrmi_abs(y), y > 0.0f ? l->up : l->down, soft);
    const float grown_x = raw_x - vrmi_abs(x), grown_y = raw_y - vrmi_abs(y);
    float wanted_x, wanted_y;
    vrmi_look_log(vrmi_quat_rotate(turn, now), &wanted_x, &wanted_y);
    wanted_x += x > 0.0f ? grown_x : -grown_x;
    wanted_y += y > 0.0f ? grown_y : -grown_y;
    const float most_y = wanted_y > 0.0f ? l->up : l->down;
    const float size_x = vrmi_look_soften(vrmi_abs(wanted_x), l->yaw, soft);
    const float size_y = vrmi_look_soften(vrmi_abs(wanted_y), most_y, soft);
    *out_saturation =
        vrmi_max(saturation(vrmi_abs(wanted_x), l->yaw, soft), saturation(vrmi_abs(wanted_y), most_y, soft));
    return vrmi_look_exp(wanted_x > 0.0f ? size_x : -size_x, wanted_y > 0.0f ? size_y : -size_y);
}

// Follows the rotation `turn` until the direction `d` leaves the cone about +z. `cosine` is the cosine of the cone's
// angle. Returns the whole rotation, or a fraction of it about the same axis.
static vrm_quat part_within(vrm_quat turn, vrm_vec3 d, float cosine)
{
    const vrm_vec3 v = {turn.x, turn.y, turn.z};
    const float half_sine = vrmi_vec3_length(v);
    if (!(half_sine > 1e-9f) || vrmi_quat_rotate(turn, d).z >= cosine - 2e-7f) {
        return turn;
    }
    const float side = turn.w < 0.0f ? -1.0f : 1.0f;
    const vrm_vec3 axis = vrmi_vec3_scale(v, side / half_sine);
    const float whole = 2.0f * vrmi_atan2(half_sine, side * turn.w);
    // Rotated by phi, d has the z `still` + `along` * cos(phi) + `across` * sin(phi).
    const float still = vrmi_vec3_dot(axis, d) * axis.z;
    const float along = d.z - still, across = vrmi_vec3_cross(axis, d).z;
    const float size = vrmi_sqrt(along * along + across * across);
    const float ratio = size > 1e-12f ? (cosine - still) / size : 1.0f; // above 1 if the path does not enter the cone
    const float middle = vrmi_atan2(across, along), reach = vrmi_acos(ratio);
    const float end = vrmi_clamp(vrmi_min(whole, middle + reach), 0.0f, whole);
    return vrmi_quat_from_axis_angle(axis, end);
}

// Returns the fraction `t` of a small rotation.
static vrm_quat part_of(vrm_quat q, float t)
{
    return vrmi_quat_nlerp(vrmi_quat_identity(), q, t);
}

// Applies the bone's limit to the rotation `turn`. Everything is in the limit frame; `now` is the bone's forward
// vector. A bone with a soft limit continues from its angle before softening, so that repeated passes do not soften it
// again. The limited direction is moved back towards +z, so a bone at its limit slides along the limit. If `around_up`
// is 1, the bone rotates only about the up vector and stops at the limit instead. Values between 0 and 1 blend both
// behaviours.
static vrm_quat limited(
    const vrmi_look_solve_bone *bone, vrm_vec3 now, vrm_quat turn, float soft, float *out_saturation)
{
    const vrm_vec3 turned = vrmi_quat_rotate(turn, now);
    if (bone->box) {
        const vrm_vec3 led = box_limited(bone, now, turn, soft, out_saturation);
        return vrmi_quat_mul(vrmi_quat_from_to(turned, led), turn);
    }
    float free_cosine = bone->free_cosine, unused;
    if (bone->asymmetric) {
        const float least = vrmi_min(limit_towards(bone, now), limit_towards(bone, turned));
        vrmi_sincos(vrmi_min((1.0f - soft) * least, VRMI_PI), &unused, &free_cosine);
    }
    *out_saturation = 0.0f;
    if (now.z >= free_cosine && turned.z >= free_cosine) {
        return turn;
    }
    vrm_vec3 wanted = turned;
    if (now.z < free_cosine) {
        const float angle = angle_of(now), limit = limit_towards(bone, now);
        const float raw = harden(vrmi_min(angle, limit), limit, soft);
        wanted = raw > angle ? vrmi_quat_rotate(turn, at_angle(now, vrmi_min(raw, VRMI_PI - 0.01f))) : turned;
    }
    const float limit = limit_towards(bone, wanted), asked = angle_of(wanted);
    float sine, cosine;
    vrmi_sincos(vrmi_look_soften(asked, limit, soft), &sine, &cosine);
    *out_saturation = saturation(asked, limit, soft);
    const vrm_quat lead = vrmi_quat_from_to(turned, beside(wanted, sine, cosine));
    if (bone->around_up <= 0.0f) {
        return vrmi_quat_mul(lead, turn);
    }
    vrm_quat result = vrmi_quat_mul(part_of(lead, 1.0f - bone->around_up), turn);
    result = part_within(result, now, cosine);
    // If the path only touches the limit, its end is accurate only to a ten-thousandth.
    const vrm_vec3 there = vrmi_quat_rotate(result, now);
    if (bone->asymmetric) {
        const float most = limit_towards(bone, there);
        if (angle_of(there) > most) {
            result = vrmi_quat_mul(vrmi_quat_from_to(there, at_angle(there, most)), result);
        }
    } else if (there.z < cosine) {
        result = vrmi_quat_mul(vrmi_quat_from_to(there, beside(there, sine, cosine)), result);
    }
    return result;
}

// Limits the bone's roll about z of its limit frame. `in_frame` is the rotation from the rest pose.
static vrm_quat roll_limited(const vrmi_look_solve_bone *bone, vrm_quat in_frame)
{
    const float roll = 2.0f * vrmi_atan2(in_frame.z, in_frame.w);
    const float shorter = roll > VRMI_PI ? roll - 2.0f * VRMI_PI : (roll < -VRMI_PI ? roll + 2.0f * VRMI_PI : roll);
    const float excess = shorter - vrmi_clamp(shorter, -bone->roll, bone->roll);
    return excess == 0.0f ? in_frame : vrmi_quat_mul(in_frame, vrmi_quat_from_axis_angle(ahead, -excess));
}

// --- turning -------------------------------------------------------------------------------------------------------

// Returns the rotation about `up` that brings `from` nearest to `to`.
static vrm_quat about(vrm_vec3 up, vrm_vec3 from, vrm_vec3 to)
{
    const vrm_vec3 a = vrmi_vec3_sub(from, vrmi_vec3_scale(up, vrmi_vec3_dot(from, up)));
    const vrm_vec3 b = vrmi_vec3_sub(to, vrmi_vec3_scale(up, vrmi_vec3_dot(to, up)));
    const float size = vrmi_sqrt(vrmi_vec3_dot(a, a) * vrmi_vec3_dot(b, b));
    if (!(size > 1e-12f)) {
        return vrmi_quat_identity();
    }
    const float sine = vrmi_vec3_dot(vrmi_vec3_cross(a, b), up) / size, w = 1.0f + vrmi_vec3_dot(a, b) / size;
    if (!(w > 1e-6f)) {
        return (vrm_quat){up.x, up.y, up.z, 0.0f};
    }
    return vrmi_quat_normalize((vrm_quat){up.x * sine, up.y * sine, up.z * sine, w});
}

static vrm_vec3 forward_of(const vrmi_look_solve_bone *bone)
{
    return vrmi_quat_rotate(bone->world, bone->forward);
}

static vrm_vec3 way_to_target(const vrmi_look_problem *problem, vrm_vec3 eye, vrm_vec3 fallback)
{
    return vrmi_vec3_normalize_or(vrmi_vec3_sub(problem->target, eye), fallback);
}

static float angle_between(vrm_vec3 a, vrm_vec3 b)
{
    return vrmi_atan2(vrmi_vec3_length(vrmi_vec3_cross(a, b)), vrmi_vec3_dot(a, b));
}

// Returns the axis of a rotation, blended towards the up vector or its opposite, whichever is nearer.
static vrm_vec3 axis_towards(vrm_quat turn, vrm_vec3 up, float part)
{
    const vrm_vec3 axis = vrmi_vec3_normalize_or(vrmi_vec3(turn.x, turn.y, turn.z), up);
    const float side = vrmi_vec3_dot(axis, up) < 0.0f ? -1.0f : 1.0f;
    return vrmi_vec3_normalize_or(vrmi_vec3_lerp(axis, vrmi_vec3_scale(up, side), part), up);
}

// Returns the bone's rotation before its limit is applied, in its limit frame. The article blends axes. The default
// blends rotations instead: with blended axes the up vector's sign flips when the target passes straight above or
// below, and the bone would flip with it.
static vrm_quat wanted_turn(const vrmi_look_problem *problem, float around_up, vrm_vec3 up, vrm_vec3 from, vrm_vec3 to)
{
    const vrm_quat shortest = vrmi_quat_from_to(vrmi_vec3_normalize_or(from, ahead), vrmi_vec3_normalize_or(to, ahead));
    if (around_up <= 0.0f) {
        return shortest;
    }
    if (problem->blend_axis && around_up < 1.0f) {
        return about(axis_towards(shortest, up, around_up), from, to);
    }
    const vrm_quat yaw = about(up, from, to);
    return around_up >= 1.0f ? yaw : vrmi_quat_nlerp(shortest, yaw, around_up);
}

// Rotates one bone. Returns the rotation in the world that was applied. `*out_saturation` is 0 for a free bone, 1 at
// its limit.
static vrm_quat turn_bone(
    const vrmi_look_problem *problem, vrmi_look_solve_bone *bone, vrm_vec3 from, vrm_vec3 to, float *out_saturation)
{
    const vrm_quat into = vrmi_quat_conjugate(bone->world_from_frame);
    const vrm_vec3 up = bone->around_up > 0.0f ? vrmi_quat_rotate(into, problem->up) : problem->up;
    const vrm_quat turn =
        wanted_turn(problem, bone->around_up, up, vrmi_quat_rotate(into, from), vrmi_quat_rotate(into, to));
    const vrm_vec3 now = vrmi_quat_rotate(bone->framed, bone->forward);
    vrm_quat framed = vrmi_quat_mul(limited(bone, now, turn, problem->soft, out_saturation), bone->framed);
    bone->at_limit = *out_saturation >= 1.0f;
    if (bone->asymmetric && bone->roll < VRMI_PI) {
        const vrm_quat rest = vrmi_quat_mul(vrmi_quat_conjugate(bone->frame), bone->rest);
        const vrm_quat kept = roll_limited(bone, vrmi_quat_mul(framed, vrmi_quat_conjugate(rest)));
        framed = vrmi_quat_mul(kept, rest);
    }
    bone->framed = vrmi_quat_normalize(framed);
    const vrm_quat world = vrmi_quat_mul(bone->world_from_frame, bone->framed);
    return vrmi_quat_mul(world, vrmi_quat_conjugate(bone->world));
}

static void place(vrmi_look_problem *problem)
{
    for (uint32_t i = problem->count; i-- > 0;) {
        vrmi_look_solve_bone *bone = &problem->bones[i];
        if (i + 1 == problem->count) {
            bone->world_from_frame = bone->frame_hold;
            bone->position = bone->offset;
        } else {
            const vrmi_look_solve_bone *above = &problem->bones[i + 1];
            bone->world_from_frame = vrmi_quat_mul(above->world, bone->frame_hold);
            bone->position = vrmi_vec3_add(above->position, vrmi_quat_rotate(above->world, bone->offset));
        }
        bone->world = vrmi_quat_mul(bone->world_from_frame, bone->framed);
    }
}

// Converts the results back from the limit frames.
static void conclude(vrmi_look_problem *problem)
{
    for (uint32_t i = 0; i < problem->count; ++i) {
        vrmi_look_solve_bone *bone = &problem->bones[i];
        bone->local = vrmi_quat_normalize(vrmi_quat_mul(bone->frame, bone->framed));
        bone->parent = i + 1 == problem->count ? bone->hold : vrmi_quat_mul(problem->bones[i + 1].world, bone->hold);
    }
}

void vrmi_look_prepare(vrmi_look_problem *problem)
{
    for (uint32_t i = 0; i < problem->count; ++i) {
        vrmi_look_solve_bone *bone = &problem->bones[i];
        bone->frame_hold = vrmi_quat_mul(bone->hold, bone->frame);
        bone->framed = vrmi_quat_mul(vrmi_quat_conjugate(bone->frame), bone->local);
    }
    place(problem);
    for (uint32_t i = 0; i < problem->count; ++i) {
        vrmi_look_solve_bone *bone = &problem->bones[i];
        bone->slack = 1.0f;
        bone->at_limit = false;
        const vrm_vec3 now = vrmi_quat_rotate(bone->framed, bone->forward);
        const float limit = limit_towards(bone, now), angle = angle_of(now);
        if (!bone->box && limit > 0.0f && angle > limit) {
            bone->slack = angle / limit;
        }
        float unused;
        const float free = (1.0f - problem->soft) * bone->limits.yaw * bone->slack;
        vrmi_sincos(vrmi_min(free, VRMI_PI), &unused, &bone->free_cosine);
    }
    conclude(problem);
}

static bool can_turn(const vrmi_look_solve_bone *bone)
{
    const vrmi_look_limits *l = &bone->limits;
    return l->yaw > 0.0f || ((bone->asymmetric || bone->box) && (l->up > 0.0f || l->down > 0.0f));
}

// Returns the fraction of the remaining angle that the next bone may take. The first bone leaves only what it cannot
// reach. The other bones rotate slightly too little even without limits, because their vectors are longer than the
// first bone's forward vector. The next pass corrects this error, not the next bone. (In article mode there is one
// pass, and the next bone starts when this one is at its limit.)
static float share_left(const vrmi_look_problem *problem, uint32_t index, float saturation_now)
{
    const vrmi_look_solve_bone *bone = &problem->bones[index];
    if (problem->max_passes == 1) {
        return bone->at_limit ? 1.0f : 0.0f;
    }
    if (index == 0 && bone->around_up <= 0.0f) {
        return 1.0f;
    }
    return 1.0f - (1.0f - saturation_now) * (1.0f - bone->around_up);
}

// One pass from the first bone to the last. Everything below a bone rotates with it. During the pass only the first
// bone's position and forward vector are kept up to date; the other positions are updated at the end.
//
// The distances between bones make each bone rotate too little, and more so the longer they are. Passes after the first
// ignore these distances, so four passes are enough.
static void pass(vrmi_look_problem *problem)
{
    vrm_vec3 eye = problem->bones[0].position, forward = forward_of(&problem->bones[0]);
    float share = 1.0f;
    for (uint32_t i = 0; i < problem->count && share > 0.0f; ++i) {
        vrmi_look_solve_bone *bone = &problem->bones[i];
        vrm_vec3 to = way_to_target(problem, eye, forward);
        const vrm_vec3 off = vrmi_vec3_sub(to, forward);
        if (vrmi_vec3_dot(off, off) < 1e-12f) {
            break; // the first bone points at the target
        }
        if (!can_turn(bone)) {
            bone->at_limit = true;
            continue;
        }
        if (share < 1.0f) {
            to = vrmi_quat_rotate(part_of(vrmi_quat_from_to(forward, to), share), forward);
        }
        const vrm_vec3 arm = vrmi_vec3_sub(eye, bone->position);
        const vrm_vec3 added = problem->passes == 0 ? arm : vrmi_vec3(0.0f, 0.0f, 0.0f);
        float saturation_now;
        const vrm_quat turned = turn_bone(problem, bone, vrmi_vec3_add(added, vrmi_vec3_scale(forward, problem->unit)),
            vrmi_vec3_add(added, vrmi_vec3_scale(to, problem->unit)), &saturation_now);
        eye = vrmi_vec3_add(bone->position, vrmi_quat_rotate(turned, arm));
        forward = vrmi_quat_rotate(turned, forward);
        share *= share_left(problem, i, saturation_now);
    }
    place(problem);
}

// Returns the squared distance between the first bone's unit forward vector and the unit direction to the target. For
// small angles it equals the square of the angle.
static float current_error(const vrmi_look_problem *problem)
{
    const vrm_vec3 forward = forward_of(&problem->bones[0]);
    const vrm_vec3 off = vrmi_vec3_sub(way_to_target(problem, problem->bones[0].position, forward), forward);
    return vrmi_vec3_dot(off, off);
}

static bool all_at_limit(const vrmi_look_problem *problem)
{
    for (uint32_t i = 0; i < problem->count; ++i) {
        if (!problem->bones[i].at_limit) {
            return false;
        }
    }
    return true;
}

void vrmi_look_solve(vrmi_look_problem *problem)
{
    // An observer would not notice 0.1 degree. But when the number of passes changes, the pose jumps by the error that
    // was left, so the tolerance is smaller.
    const float enough = 0.005f * VRMI_PI / 180.0f;
    const vrm_vec3 way = vrmi_vec3_sub(problem->target, problem->bones[0].position);
    problem->degenerate = !(vrmi_vec3_length(way) > 1e-6f * problem->unit);
    problem->passes = 0;
    problem->error = 0.0f;
    if (problem->degenerate) {
        return;
    }
    float off = current_error(problem);
    while (problem->passes < problem->max_passes) {
        const float before = off;
        pass(problem);
        ++problem->passes;
        off = current_error(problem);
        // Bones at their limits may still slide along them, so another pass can help.
        if (off < enough * enough || (all_at_limit(problem) && off > 0.99999f * before)) {
            break;
        }
    }
    conclude(problem);
    const vrm_vec3 forward = forward_of(&problem->bones[0]);
    problem->error = angle_between(forward, way_to_target(problem, problem->bones[0].position, forward));
}

void vrmi_look_vectors(const vrmi_look_problem *problem, uint32_t bone, vrm_vec3 *out_forward, vrm_vec3 *out_target)
{
    const vrm_vec3 forward = forward_of(&problem->bones[0]), eye = problem->bones[0].position;
    const vrm_vec3 arm = vrmi_vec3_sub(eye, problem->bones[bone].position);
    *out_forward = vrmi_vec3_add(arm, vrmi_vec3_scale(forward, problem->unit));
    *out_target = vrmi_vec3_add(arm, vrmi_vec3_scale(way_to_target(problem, eye, forward), problem->unit));
}
