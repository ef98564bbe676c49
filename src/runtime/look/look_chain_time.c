// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Moves a look chain over time from the shown pose to the solver's result: its bones, the head's part of a saccade, the
// eyes and the fade of the whole pose.

#include "math/look_follow.h"
#include "runtime/core/instance.h"

float vrmi_look_blend_part(const vrmi_look_chain *chain, float dt)
{
    return chain->def.blend_speed > 0.0f ? 1.0f - vrmi_exp(-chain->def.blend_speed * dt) : 1.0f;
}

float vrmi_look_faded(float now, float goal, float part)
{
    const float next = now + (goal - now) * part;
    return vrmi_abs(goal - next) < 1e-5f ? goal : next;
}

void vrmi_look_begin_move(vrmi_look_frame *f)
{
    vrmi_look_chain *chain = f->chain;
    float farthest = 0.0f;
    for (uint32_t i = f->first; i < chain->bone_count; ++i) {
        vrmi_look_bone *bone = &f->instance->look_bones[i];
        bone->from = bone->shown;
        const float cosine = vrmi_abs(vrmi_quat_dot(bone->from, f->problem.bones[i].local));
        farthest = vrmi_max(farthest, 2.0f * vrmi_acos(cosine));
    }
    chain->moving = true;
    chain->move_time = 0.0f;
    // The peak speed of a minimum-jerk movement is 15/8 of its mean speed.
    chain->move_duration = vrmi_max(0.1f, 1.875f * farthest / chain->def.head_speed);
}

static float apart(vrm_quat a, vrm_quat b)
{
    const vrm_quat d = {a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w};
    return vrmi_sqrt(vrmi_quat_dot(d, d));
}

static void show_move(vrmi_look_frame *f, float dt)
{
    vrmi_look_chain *chain = f->chain;
    const vrm_look_chain_def *def = &chain->def;
    chain->move_time += dt;
    const float t = vrmi_clamp((chain->move_time - def->head_delay) / chain->move_duration, 0.0f, 1.0f);
    const float way = t * t * t * (10.0f + t * (6.0f * t - 15.0f));
    // A minimum-jerk movement that starts with the initial speed and ends at rest where it started. It takes the time
    // of delay and move.
    const float whole = def->head_delay + chain->move_duration, u = vrmi_min(chain->move_time / whole, 1.0f);
    const float coast = whole * u * (1.0f + u * u * (u * (8.0f - 3.0f * u) - 6.0f));
    chain->moving = t < 1.0f;
    for (uint32_t i = f->first; i < chain->bone_count; ++i) {
        vrmi_look_bone *bone = &f->instance->look_bones[i];
        const vrm_quat moved = vrmi_quat_slerp(bone->from, f->problem.bones[i].local, way);
        bone->shown = vrmi_quat_mul(vrmi_quat_from_vector(vrmi_vec3_scale(bone->speed, coast)), moved);
        if (!chain->moving) {
            bone->speed = vrmi_vec3(0.0f, 0.0f, 0.0f);
        }
    }
}

// Returns true if speed and acceleration are limited: in the default mode, if blending takes time.
static bool is_limited(const vrmi_look_chain *chain)
{
    return chain->def.mode == VRM_LOOK_CHAIN_MODE_DEFAULT && chain->def.blend_speed > 0.0f;
}

// Returns the sum of the speeds of the bones that rotate the head.
static float turning_of(const vrmi_look_frame *f)
{
    float sum = 0.0f;
    for (uint32_t i = f->first; i < f->chain->bone_count; ++i) {
        const vrmi_look_bone *bone = &f->instance->look_bones[i];
        const bool eye = vrmi_look_side_of(f->instance->model, bone->node) >= 0;
        sum += eye ? 0.0f : vrmi_vec3_length(bone->speed);
    }
    return sum;
}

// The fade and the bones both rotate the head: by the fraction m of the bones' rotation A, whose second derivative is
// m'' A + 2 m' A' + m A''. The fade must arrive at rest, so it has a fixed share of the acceleration limit, and plans to
// brake with a little less. The bones have what the fade and the second term leave of the limit.
static const float fade_share = 0.4f, fade_planned = 0.3f;

static bool is_fading(const vrmi_look_frame *f)
{
    return f->chain->mix != (f->driven ? 1.0f : 0.0f) || f->chain->mix_speed != 0.0f;
}

// Moves the bones with limited speed and acceleration. All bones except the eyes share the limits, because all of them
// rotate the head. Eyes move at the speed of a saccade. Without a target the bones come to rest.
static void show_limited(vrmi_look_frame *f, bool eyes, float dt)
{
    const vrm_look_chain_def *def = &f->chain->def;
    vrm_vec3 way[VRM_LOOK_CHAIN_MAX_BONES], speed[VRM_LOOK_CHAIN_MAX_BONES];
    vrmi_look_bone *bones[VRM_LOOK_CHAIN_MAX_BONES];
    uint32_t count = 0;
    for (uint32_t i = f->first; i < f->chain->bone_count; ++i) {
        vrmi_look_bone *bone = &f->instance->look_bones[i];
        if ((vrmi_look_side_of(f->instance->model, bone->node) >= 0) == eyes) {
            const vrm_quat solved = f->driven ? f->problem.bones[i].local : bone->shown;
            way[count] = vrmi_quat_to_vector(vrmi_quat_mul(solved, vrmi_quat_conjugate(bone->shown)));
            speed[count] = bone->speed;
            bones[count++] = bone;
        }
    }
    vrmi_look_follow rule = {def->blend_speed, def->saccade_speed, 100.0f * def->saccade_speed};
    if (!eyes) {
        rule.speed = f->speed;
        rule.acceleration = f->acceleration;
    }
    vrmi_look_follow_step(&rule, way, speed, count, dt);
    for (uint32_t i = 0; i < count; ++i) {
        bones[i]->shown = vrmi_quat_normalize(vrmi_quat_mul(vrmi_quat_from_vector(way[i]), bones[i]->shown));
        bones[i]->speed = speed[i];
    }
}

void vrmi_look_show(vrmi_look_frame *f, float dt)
{
    vrmi_look_chain *chain = f->chain;
    vrm_quat before[VRM_LOOK_CHAIN_MAX_BONES];
    for (uint32_t i = f->first; i < chain->bone_count; ++i) {
        before[i] = f->instance->look_bones[i].shown;
    }
    const float part = vrmi_look_blend_part(chain, dt);
    if (chain->started && chain->moving && f->driven) {
        show_move(f, dt);
    } else if (chain->started && is_limited(chain)) {
        if (dt > 0.0f) { // with dt 0 nothing may change, not even by rounding
            show_limited(f, false, dt);
            show_limited(f, true, dt);
        }
    } else if (f->driven && (!chain->started || part > 0.0f)) {
        for (uint32_t i = f->first; i < chain->bone_count; ++i) {
            vrmi_look_bone *bone = &f->instance->look_bones[i];
            const vrm_quat solved = f->problem.bones[i].local;
            bone->shown = chain->started ? vrmi_quat_slerp(bone->shown, solved, part) : solved;
            bone->speed = vrmi_vec3(0.0f, 0.0f, 0.0f);
        }
    }
    for (uint32_t i = f->first; i < chain->bone_count; ++i) {
        const vrmi_look_bone *bone = &f->instance->look_bones[i];
        const float turning = chain->moving ? 0.0f : vrmi_vec3_length(bone->speed) / 60.0f;
        chain->way = vrmi_max(chain->way, vrmi_max(apart(before[i], bone->shown), turning));
    }
}

static float turn_between(vrm_quat a, vrm_quat b)
{
    return 2.0f * vrmi_acos(vrmi_min(vrmi_abs(vrmi_quat_dot(a, b)), 1.0f));
}

// Advances the fade by dt. `way` is the rotation of the whole fade. `faster` and `slower` are the largest changes of the
// fade's speed, 1/s^2.
static void advance_fade(vrmi_look_chain *chain, float goal, float way, float faster, float slower, float dt)
{
    const float limit = chain->def.turn_acceleration;
    const vrmi_look_follow rule = {chain->def.blend_speed, 0.9f * chain->def.turn_speed, fade_planned * limit};
    const uint32_t steps = (uint32_t)vrmi_clamp(dt * 480.0f, 1.0f, 960.0f);
    const float step = dt / (float)steps;
    for (uint32_t i = 0; i < steps; ++i) {
        const float to = goal - chain->mix, sign = to < 0.0f ? -1.0f : 1.0f;
        const float speed = sign * chain->mix_speed; // towards the goal
        const float then = vrmi_max(sign * to - step * vrmi_max(speed, 0.0f), 0.0f);
        const float change = vrmi_look_follow_speed(&rule, then * way) / way - speed;
        const float most = step * (speed < 0.0f || change < 0.0f ? slower : faster);
        const float done = vrmi_clamp(change, -most, most);
        chain->mix += sign * step * (speed + 0.5f * done);
        chain->mix_speed = sign * (speed + done);
    }
    chain->mix = vrmi_look_faded(vrmi_clamp01(chain->mix), goal, 0.0f);
    chain->mix_speed = chain->mix == goal ? 0.0f : chain->mix_speed;
}

void vrmi_look_fade(vrmi_look_frame *f, float dt)
{
    vrmi_look_chain *chain = f->chain;
    const float goal = f->driven ? 1.0f : 0.0f, limit = chain->def.turn_acceleration;
    f->speed = chain->def.turn_speed;
    f->acceleration = limit;
    if (!chain->started) {
        chain->mix = goal;
        chain->mix_speed = 0.0f;
        return;
    }
    const bool nothing_there = chain->mix <= 0.0f;
    float solved = 0.0f, shown = 0.0f, ahead = 0.0f; // summed over bones
    for (uint32_t i = f->first; i < chain->bone_count; ++i) {
        const vrm_quat wanted = f->problem.bones[i].local, now = f->instance->look_bones[i].shown;
        solved += turn_between(f->animated[i], wanted);
        shown += turn_between(f->animated[i], nothing_there ? wanted : now);
        ahead += nothing_there || !f->driven ? 0.0f : turn_between(now, wanted);
    }
    const float turning = nothing_there ? 0.0f : turning_of(f), mixing = vrmi_abs(chain->mix_speed);
    if (is_fading(f)) {
        const float left = (1.0f - fade_share) * limit - 2.0f * mixing * turning;
        f->acceleration = vrmi_max(left, 0.1f * limit);
    }
    // The largest distance that is to come between the look-at pose and the animated pose.
    const float way =
        f->driven || nothing_there ? vrmi_max(solved, shown) : shown + 0.5f * turning * turning / f->acceleration;
    if (!is_limited(chain) || !(way > 1e-4f)) {
        chain->mix = vrmi_look_faded(chain->mix, goal, vrmi_look_blend_part(chain, dt));
        chain->mix_speed = 0.0f;
        return;
    }
    const bool alone = turning <= 1e-4f && ahead <= 1e-3f; // no bone turns or is about to turn
    const float most = alone ? limit : fade_share * limit;
    if (dt > 0.0f) {
        advance_fade(chain, goal, way, most / way, most / vrmi_max(shown, 1e-4f), dt);
    }
    if (is_fading(f)) {
        const float slow = vrmi_min(chain->def.turn_speed - mixing * way, 0.2f * limit / vrmi_max(mixing, 1e-6f));
        f->speed = vrmi_max(slow, 0.1f * chain->def.turn_speed);
    }
}

void vrmi_look_move_eyes(vrmi_look_frame *f, float goal_x, float goal_y, float dt)
{
    vrmi_look_chain *chain = f->chain;
    if (!chain->started) {
        chain->eye_x = goal_x;
        chain->eye_y = goal_y;
        return;
    }
    const bool saccade = chain->def.saccade && chain->def.mode == VRM_LOOK_CHAIN_MODE_DEFAULT;
    if (!saccade) {
        const float part = vrmi_look_blend_part(chain, dt);
        chain->eye_x += (goal_x - chain->eye_x) * part;
        chain->eye_y += (goal_y - chain->eye_y) * part;
        return;
    }
    goal_x = chain->then_x;
    goal_y = chain->then_y;
    vrmi_eye_clamp(&f->eye_limits.limits, &goal_x, &goal_y);
    const float x = goal_x - chain->eye_x, y = goal_y - chain->eye_y;
    const float far = vrmi_sqrt(x * x + y * y), step = chain->def.saccade_speed * dt;
    const float part = far > step ? step / far : 1.0f;
    chain->eye_x += x * part;
    chain->eye_y += y * part;
}
