// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The phases of a fall, contacts with the ground, and the motion of targets towards the poses. Targets move no faster
// than muscles could. The target of a limb that touches the ground stops: a target below the ground would push the limb
// against it with full strength.

#include "fall.h"

#include "base/abi.h"
#include "base/checks.h"
#include "base/float_environment.h"

#define DEGREE (VRMI_PI / 180.0f)

static const float gravity = 9.81f;
static const float fastest = 250.0f * DEGREE; // largest speed of a target, rad/s
static const float lays = 200.0f * DEGREE;    // largest speed of a target for a limb that is laid down, rad/s
static const float easing = 0.06f;            // time constant with which a target approaches its goal, seconds
static const float lay_easing = 0.2f;         // the same for a limb that is laid down, seconds
// Durations in seconds, for hips at a height of 0.9 m. People react after about 0.3 s and land after about 0.7 s.
static const float totter_time = 0.12f, give_way_time = 0.3f, yield_time = 0.15f, rest_time = 0.3f, lay_time = 1.2f;
static const float still_speed = 0.3f; // m/s
// A figure has also landed if it rests on hands and knees or on a side. It rests if its mass centre is slower than
// rests_speed, m/s, and its trunk rotates slower than rests_turn, rad/s, for rests_time, seconds.
static const float rests_speed = 0.2f, rests_turn = 0.6f, rests_time = 0.35f;

void(vrm_fall_params_default)(vrm_fall_params *params, size_t size)
{
    const vrm_fall_params own = {.struct_size = sizeof own, .strength = 1.0f};
    vrmi_write_defaults(params, size, &own, sizeof own);
}

// --- what is seen ----------------------------------------------------------------------------------------------------

static float bottom_of(const vrm_ragdoll_body *body, const vrm_ragdoll_state *state, float scale)
{
    const vrm_ragdoll_shape *s = &body->shape;
    const vrm_quat turn = vrmi_quat_mul(state->rotation, s->rotation);
    const float middle = state->position.y + vrmi_quat_rotate(state->rotation, s->center).y * scale;
    if (s->type == VRM_RAGDOLL_SHAPE_CAPSULE) {
        const float along = vrmi_quat_rotate(turn, vrmi_vec3(0.0f, 1.0f, 0.0f)).y;
        return middle - (vrmi_abs(along) * s->half_length + s->radius) * scale;
    }
    const vrm_vec3 e = s->half_extents;
    return middle - (vrmi_abs(vrmi_quat_rotate(turn, vrmi_vec3(1.0f, 0.0f, 0.0f)).y) * e.x +
                        vrmi_abs(vrmi_quat_rotate(turn, vrmi_vec3(0.0f, 1.0f, 0.0f)).y) * e.y +
                        vrmi_abs(vrmi_quat_rotate(turn, vrmi_vec3(0.0f, 0.0f, 1.0f)).y) * e.z) *
                        scale;
}

static void find_bodies(vrmi_fall_view *view)
{
    static const vrm_human_bone trunk[] = {VRM_HUMAN_BONE_UPPER_CHEST, VRM_HUMAN_BONE_CHEST, VRM_HUMAN_BONE_SPINE};
    for (int32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        view->body[bone] = -1;
    }
    for (uint32_t i = 0; i < view->def->body_count; ++i) {
        view->body[view->def->bodies[i].bone] = (int32_t)i;
    }
    for (size_t i = 0; i < VRMI_COUNT_OF(trunk) && view->trunk == 0; ++i) {
        view->trunk = view->body[trunk[i]] > 0 ? (uint32_t)view->body[trunk[i]] : 0;
    }
}

static void see(const vrm_fall_params *params, vrmi_fall_view *view)
{
    const vrm_ragdoll_targets *targets = params->targets;
    const vrm_ragdoll_state *states = params->states != NULL ? params->states : targets->places;
    const float floor = (float)(params->ground - targets->origin.y);
    *view = (vrmi_fall_view){.def = params->def, .scale = targets->root.scale};
    find_bodies(view);
    for (uint32_t i = 0; i < params->def->body_count; ++i) {
        const vrm_ragdoll_body *body = &params->def->bodies[i];
        view->states[i] = states != NULL ? states[i] : targets->bodies[i].state;
        view->states[i].position.y -= floor;
        const vrm_ragdoll_state *s = &view->states[i];
        const vrm_vec3 arm = vrmi_vec3_scale(vrmi_quat_rotate(s->rotation, body->center_of_mass), view->scale);
        view->center = vrmi_vec3_add(view->center, vrmi_vec3_scale(vrmi_vec3_add(s->position, arm), body->mass));
        view->velocity = vrmi_vec3_add(view->velocity, vrmi_vec3_scale(s->linear_velocity, body->mass));
        view->mass += body->mass;
        // A thick shank touches the ground with its lower end even while the figure stands, so only its upper end is
        // tested.
        const bool shank = body->bone == VRM_HUMAN_BONE_LEFT_LOWER_LEG || body->bone == VRM_HUMAN_BONE_RIGHT_LOWER_LEG;
        view->lowest[i] = shank ? s->position.y - body->shape.radius * view->scale : bottom_of(body, s, view->scale);
    }
    view->center = vrmi_vec3_scale(view->center, 1.0f / view->mass);
    view->velocity = vrmi_vec3_scale(view->velocity, 1.0f / view->mass);
    view->angular = view->states[view->trunk].angular_velocity;
    view->time_scale = vrmi_sqrt(vrmi_max(params->def->height * view->scale, 0.05f) / 1.6f);
}

// Predicts when the trunk lands, and the trunk's rotation at that time. The trunk falls at 0.6 g, because the legs
// still carry some of its weight.
static void predict(const vrm_fall *fall, vrmi_fall_view *view)
{
    const float left = vrmi_max(vrmi_min(view->lowest[0], view->lowest[view->trunk]), 0.0f);
    const float down = -view->velocity.y, g = 0.6f * gravity;
    view->landing = (vrmi_sqrt(vrmi_max(down, 0.0f) * vrmi_max(down, 0.0f) + 2.0f * g * left) - down) / g;
    const vrm_quat rotation = view->states[view->trunk].rotation;
    const vrm_vec3 up = vrmi_quat_rotate(rotation, vrmi_vec3(0.0f, 1.0f, 0.0f));
    const vrm_vec3 axis = vrmi_vec3_cross(vrmi_vec3(0.0f, 1.0f, 0.0f), fall->direction);
    const float along = vrmi_vec3_dot(up, fall->direction);
    const float tilt = vrmi_atan2(along, up.y);
    // The tipping of the trunk accelerates, so the trunk tips farther than its current speed predicts.
    const float tips = 1.5f * vrmi_vec3_dot(view->angular, axis) + 1.0f;
    const float then = vrmi_clamp(tilt + tips * vrmi_min(view->landing, 0.5f), tilt, vrmi_max(tilt, 80.0f * DEGREE));
    view->predicted = vrmi_quat_normalize(vrmi_quat_mul(vrmi_quat_from_axis_angle(axis, then - tilt), rotation));
}

// --- direction -------------------------------------------------------------------------------------------------------

static vrm_vec3 level(vrm_vec3 v)
{
    return vrmi_vec3(v.x, 0.0f, v.z);
}

// Estimates the horizontal displacement of the mass. It is the sum of the velocity times the time constant of a
// pendulum, the trunk's tipping, and the current displacement from the feet.
static vrm_vec3 lean_of(const vrmi_fall_view *view)
{
    const int32_t feet[2] = {view->body[VRM_HUMAN_BONE_LEFT_FOOT], view->body[VRM_HUMAN_BONE_RIGHT_FOOT]};
    const float constant = vrmi_sqrt(vrmi_max(view->center.y, 0.05f) / gravity);
    vrm_vec3 lean = vrmi_vec3_scale(level(view->velocity), constant);
    const vrm_vec3 tips = vrmi_vec3_cross(view->angular, vrmi_vec3(0.0f, 1.0f, 0.0f));
    lean = vrmi_vec3_add(lean, vrmi_vec3_scale(level(tips), 0.1f * view->center.y));
    if (feet[0] >= 0 && feet[1] >= 0 && vrmi_min(view->lowest[feet[0]], view->lowest[feet[1]]) < 0.1f * view->scale) {
        const vrm_vec3 middle = vrmi_vec3_lerp(view->states[feet[0]].position, view->states[feet[1]].position, 0.5f);
        lean = vrmi_vec3_add(lean, vrmi_vec3_scale(level(vrmi_vec3_sub(view->center, middle)), 0.5f));
    }
    return lean;
}

// Returns the requested direction, otherwise the direction of the lean. Without either the fall is backward, as a
// figure that sinks down ends up sitting.
static vrm_vec3 direction_of(const vrmi_fall_view *view, const vrm_vec3 *asked)
{
    const vrm_vec3 behind = level(vrmi_quat_rotate(view->states[0].rotation, vrmi_vec3(0.0f, 0.0f, -1.0f)));
    const vrm_vec3 fallback = vrmi_vec3_normalize_or(behind, vrmi_vec3(0.0f, 0.0f, -1.0f));
    if (asked != NULL && vrmi_vec3_finite(*asked)) {
        return vrmi_vec3_normalize_or(level(*asked), fallback);
    }
    const vrm_vec3 lean = lean_of(view);
    const vrm_vec3 biased = vrmi_vec3_add(lean, vrmi_vec3_scale(fallback, 0.04f * view->scale));
    return vrmi_vec3_normalize_or(biased, fallback);
}

// Finds the side of the trunk that will be below: for an upright trunk the side in the direction of the fall, for a
// lying trunk its lower side.
static void find_side(const vrmi_fall_view *view, vrm_vec3 direction, float *ahead, float *left)
{
    const vrm_quat back = vrmi_quat_conjugate(view->predicted);
    const vrm_vec3 down = vrmi_quat_rotate(back, vrmi_vec3(0.0f, -1.0f, 0.0f)), way = vrmi_quat_rotate(back, direction);
    const float lies = vrmi_sqrt(down.x * down.x + down.z * down.z);
    const float x = down.x * lies + way.x * (1.0f - lies), z = down.z * lies + way.z * (1.0f - lies);
    const float size = vrmi_max(vrmi_sqrt(x * x + z * z), 1e-3f);
    *ahead = z / size;
    *left = x / size;
}

static void turn_direction(vrm_fall *fall, const vrmi_fall_view *view, float dt)
{
    const float part = vrmi_min(dt / (0.15f * view->time_scale), 1.0f);
    vrm_vec3 lean = lean_of(view);
    const float sure = vrmi_min(vrmi_vec3_length(lean) / (0.25f * vrmi_max(fall->standing, 0.1f)), 1.0f);
    lean = vrmi_vec3_normalize_or(lean, fall->direction);
    fall->direction = vrmi_vec3_normalize_or(vrmi_vec3_lerp(fall->direction, lean, part * sure), fall->direction);
    float ahead, left;
    find_side(view, fall->direction, &ahead, &left);
    fall->ahead += (ahead - fall->ahead) * part;
    fall->left += (left - fall->left) * part;
}

// --- phases ----------------------------------------------------------------------------------------------------------

static void enter(vrm_fall *fall, vrm_fall_phase phase)
{
    fall->phase = phase;
    fall->phase_time = 0.0f;
}

static void feel(vrm_fall *fall, const vrmi_fall_view *view, float dt)
{
    const float near = 0.012f * view->scale;
    bool any = false;
    float fastest_now = 0.0f;
    for (uint32_t group = 0; group < VRM_RAGDOLL_GROUP_COUNT; ++group) {
        fall->touch_time[group] += fall->touch_time[group] >= 0.0f ? dt : 0.0f;
    }
    for (uint32_t i = 0; i < view->def->body_count; ++i) {
        const vrm_ragdoll_body *body = &view->def->bodies[i];
        fastest_now = vrmi_max(fastest_now, vrmi_vec3_length(view->states[i].linear_velocity));
        if (view->lowest[i] > near) {
            continue;
        }
        any = true;
        fall->touched |= 1ull << i;
        if (!vrmi_fall_is_foot(body->bone) && fall->touch_time[body->group] < 0.0f) {
            fall->touch_time[body->group] = 0.0f;
        }
    }
    fall->air_time = any ? 0.0f : fall->air_time + dt;
    fall->slow_time = fastest_now < still_speed * vrmi_sqrt(view->scale) ? fall->slow_time + dt : 0.0f;
}

static bool has_touched(const vrm_fall *fall, vrm_ragdoll_group group, float seconds)
{
    return fall->touch_time[group] >= 0.0f && fall->touch_time[group] >= seconds;
}

static bool anything_touched(const vrm_fall *fall)
{
    bool any = false;
    for (int group = 0; group < VRM_RAGDOLL_GROUP_COUNT; ++group) {
        any = any || has_touched(fall, (vrm_ragdoll_group)group, 0.0f);
    }
    return any;
}

static void protect_head(vrm_fall *fall, const vrmi_fall_view *view, float dt)
{
    const float speed = vrmi_vec3_length(view->velocity) / vrmi_sqrt(view->scale);
    const float thrown = vrmi_clamp01((speed - 4.0f) / 1.5f), far = vrmi_clamp01((fall->air_time - 0.45f) / 0.2f);
    const float wanted = anything_touched(fall) ? fall->over_head : vrmi_max(fall->over_head, vrmi_max(thrown, far));
    fall->over_head += vrmi_clamp(wanted - fall->over_head, -4.0f * dt, 4.0f * dt);
}

static bool rests(const vrm_fall *fall, const vrmi_fall_view *view)
{
    return fall->phase_time > rests_time * view->time_scale &&
           vrmi_vec3_length(view->velocity) < rests_speed * vrmi_sqrt(view->scale) &&
           vrmi_vec3_length(view->angular) < rests_turn / vrmi_sqrt(view->scale);
}

static void go_on(vrm_fall *fall, const vrmi_fall_view *view)
{
    const float t = fall->phase_time / view->time_scale;
    switch (fall->phase) {
    case VRM_FALL_PHASE_TOTTER:
        if (t >= totter_time || view->landing < 0.35f * view->time_scale) {
            enter(fall, VRM_FALL_PHASE_GIVE_WAY);
        }
        break;
    case VRM_FALL_PHASE_GIVE_WAY:
        if (t >= give_way_time || view->states[0].position.y < 0.92f * fall->standing ||
            view->landing < 0.4f * view->time_scale) {
            enter(fall, VRM_FALL_PHASE_BRACE);
        }
        break;
    case VRM_FALL_PHASE_BRACE:
        if (anything_touched(fall)) {
            enter(fall, VRM_FALL_PHASE_IMPACT);
        }
        break;
    case VRM_FALL_PHASE_IMPACT: {
        const bool down = has_touched(fall, VRM_RAGDOLL_GROUP_TORSO, yield_time * view->time_scale) ||
                          has_touched(fall, VRM_RAGDOLL_GROUP_HEAD, yield_time * view->time_scale) ||
                          has_touched(fall, VRM_RAGDOLL_GROUP_PELVIS, 0.5f * view->time_scale);
        if (down || rests(fall, view) || fall->slow_time >= rest_time || t > 2.0f) {
            enter(fall, VRM_FALL_PHASE_SETTLE);
        }
        break;
    }
    case VRM_FALL_PHASE_SETTLE:
        if (t >= VRMI_FALL_LET_GO && fall->slow_time >= rest_time && (vrmi_fall_limbs_lie(view) || t > lay_time)) {
            enter(fall, VRM_FALL_PHASE_LIE);
        } else if (t > 2.0f * lay_time) {
            enter(fall, VRM_FALL_PHASE_LIE);
        }
        break;
    default:
        break;
    }
}

// --- targets ---------------------------------------------------------------------------------------------------------

static vrm_quat joint_now(const vrmi_fall_view *view, uint32_t body)
{
    const vrm_quat above = view->states[view->def->bodies[body].parent].rotation;
    return vrmi_quat_normalize(vrmi_quat_mul(vrmi_quat_conjugate(above), view->states[body].rotation));
}

// Moves a joint's target towards its goal in this frame. Returns the target's angular velocity in the parent's axes.
static vrm_vec3 follow(vrm_quat *joint, vrm_quat goal, float part, float most, float dt)
{
    vrm_vec3 way = vrmi_quat_to_vector(vrmi_quat_mul(goal, vrmi_quat_conjugate(*joint)));
    const float angle = vrmi_vec3_length(way) * part;
    way = vrmi_vec3_scale(way, angle > most ? part * most / angle : part);
    *joint = vrmi_quat_normalize(vrmi_quat_mul(vrmi_quat_from_vector(way), *joint));
    return vrmi_vec3_scale(way, dt > 0.0f ? 1.0f / dt : 0.0f);
}

// If the ground has bent a joint farther than `most` from its target, the target follows. Otherwise the joint would
// jump back when it is free again.
static void yield(vrm_quat *joint, vrm_quat now)
{
    const float most = 15.0f * DEGREE;
    const vrm_vec3 way = vrmi_quat_to_vector(vrmi_quat_mul(now, vrmi_quat_conjugate(*joint)));
    const float angle = vrmi_vec3_length(way);
    if (angle > most) {
        const vrm_quat turn = vrmi_quat_from_vector(vrmi_vec3_scale(way, (angle - most) / angle));
        *joint = vrmi_quat_normalize(vrmi_quat_mul(turn, *joint));
    }
}

static void move_targets(vrm_fall *fall, const vrm_fall_params *params, const vrmi_fall_view *view,
    vrm_vec3 velocities[VRM_RAGDOLL_MAX_BODIES])
{
    vrm_quat goals[VRM_RAGDOLL_MAX_BODIES];
    vrmi_fall_pose(fall, view, params->seed, goals);
    const bool settles = fall->phase == VRM_FALL_PHASE_SETTLE;
    const float landed_time =
        vrmi_max(fall->touch_time[VRM_RAGDOLL_GROUP_PELVIS], fall->touch_time[VRM_RAGDOLL_GROUP_TORSO]);
    const float dt = params->dt, quick = vrmi_min(dt / (easing * view->time_scale), 1.0f);
    const float slow = vrmi_min(dt / (lay_easing * view->time_scale), 1.0f), most = fastest * dt;
    // After landing a figure raises no leg, even if it rolls to another side, and lowers the legs that are in the air.
    const bool landed = fall->phase == VRM_FALL_PHASE_IMPACT && landed_time >= 0.0f;
    const uint64_t laid = settles || landed ? vrmi_fall_lie(view, goals) : 0;
    const float ramp = VRMI_FALL_LET_GO * view->time_scale;
    for (uint32_t i = 1; i < view->def->body_count; ++i) {
        const vrm_ragdoll_group group = view->def->bodies[i].group;
        const vrm_ragdoll_joint *joint = &view->def->bodies[i].joint;
        const vrm_quat now = vrmi_fall_within_limits(joint, joint_now(view, i));
        const bool touched = fall->touch_time[group] >= 0.0f && group != VRM_RAGDOLL_GROUP_HEAD;
        const bool leg = group == VRM_RAGDOLL_GROUP_LEFT_LEG || group == VRM_RAGDOLL_GROUP_RIGHT_LEG;
        velocities[i] = vrmi_vec3(0.0f, 0.0f, 0.0f);
        if ((laid >> i & 1) != 0 && (settles || leg)) {
            // Limbs are laid down slowly, with an even slower start.
            const float since = leg ? vrmi_max(landed_time, settles ? fall->phase_time : 0.0f) : fall->phase_time;
            const float gentle = lays * vrmi_min(since / ramp, 1.0f) * dt;
            velocities[i] = follow(&fall->joints[i], goals[i], slow, gentle, dt);
            yield(&fall->joints[i], now);
        } else if (fall->phase >= VRM_FALL_PHASE_SETTLE) {
            (void)follow(&fall->joints[i], now, slow, most, dt);
        } else if (!touched && !(landed && leg)) {
            velocities[i] = follow(&fall->joints[i], goals[i], quick, most, dt);
        } else if (touched && fall->touch_time[group] <= dt) {
            fall->joints[i] = vrmi_quat_slerp(fall->joints[i], now, 0.7f);
        }
        if (touched) {
            yield(&fall->joints[i], now);
        }
        // A target that began beyond the joint's limits returns within them over several frames.
        (void)follow(&fall->joints[i], vrmi_fall_within_limits(joint, fall->joints[i]), 1.0f, most, dt);
    }
}

static void write_targets(const vrm_fall *fall, const vrm_fall_params *params, const vrmi_fall_view *view,
    const vrm_vec3 *velocities, vrm_ragdoll_target *out)
{
    const vrm_vec3 none = {0.0f, 0.0f, 0.0f};
    const float size = view->mass * view->def->height * view->scale * params->strength;
    const vrm_ragdoll_target *given = params->targets->bodies;
    for (uint32_t i = 0; i < view->def->body_count; ++i) {
        const int32_t parent = view->def->bodies[i].parent;
        vrm_ragdoll_target target = given[i];
        if (given[i].motion != VRM_RAGDOLL_MOTION_DYNAMIC || given[i].pin_frequency > 0.0f) {
            out[i] = target;
            continue;
        }
        target.state = view->states[i];
        target.state.position.y += (float)(params->ground - params->targets->origin.y);
        target.state.linear_velocity = target.state.angular_velocity = none;
        target.linear_acceleration = target.angular_acceleration = none;
        target.load = target.rotation_weight = target.frequency = 0.0f;
        if (parent >= 0) {
            const vrm_quat above = out[parent].state.rotation;
            target.state.rotation = vrmi_quat_normalize(vrmi_quat_mul(above, fall->joints[i]));
            target.state.angular_velocity =
                vrmi_vec3_add(out[parent].state.angular_velocity, vrmi_quat_rotate(above, velocities[i]));
            const vrmi_fall_muscle m = vrmi_fall_muscle_of(fall, view, i);
            const bool limp = m.torque <= 0.0f || params->strength <= 0.0f;
            target.frequency = limp ? 0.0f : m.frequency;
            target.damping_ratio = m.damping_ratio;
            target.max_torque = limp ? 0.0f : m.torque * size;
        }
        out[i] = target;
    }
}

// --- calls -----------------------------------------------------------------------------------------------------------

static bool is_usable(const vrm_fall *fall, const vrm_fall_params *p)
{
    return fall != NULL && p != NULL && VRMI_OPTIONS_FIT(vrm_fall, fall) && VRMI_OPTIONS_FIT(vrm_fall_params, p) &&
           p->def != NULL && p->targets != NULL && VRMI_OPTIONS_FIT(vrm_ragdoll_targets, p->targets) &&
           p->targets->bodies != NULL && p->def->body_count >= 1 && p->def->body_count <= VRM_RAGDOLL_MAX_BODIES &&
           p->targets->body_count == p->def->body_count && p->dt >= 0.0f && p->strength >= 0.0f &&
           p->strength <= 4.0f && vrmi_finite(p->dt) && p->targets->root.scale > 0.0f && vrmi_finite_double(p->ground);
}

static void begin(vrm_fall *fall, const vrm_fall_params *params, const vrm_vec3 *direction)
{
    vrmi_fall_view view;
    see(params, &view);
    fall->direction = direction_of(&view, direction);
    fall->standing = view.states[0].position.y;
    for (uint32_t group = 0; group < VRM_RAGDOLL_GROUP_COUNT; ++group) {
        fall->touch_time[group] = -1.0f;
    }
    fall->joints[0] = vrmi_quat_identity();
    for (uint32_t i = 1; i < view.def->body_count; ++i) {
        fall->joints[i] = joint_now(&view, i);
    }
    predict(fall, &view);
    find_side(&view, fall->direction, &fall->ahead, &fall->left);
    enter(fall, VRM_FALL_PHASE_TOTTER);
}

static void advance(vrm_fall *fall, const vrm_fall_params *params, vrm_ragdoll_target *out_bodies)
{
    vrmi_fall_view view;
    vrm_vec3 velocities[VRM_RAGDOLL_MAX_BODIES];
    see(params, &view);
    fall->time += params->dt;
    fall->phase_time += params->dt;
    feel(fall, &view, params->dt);
    predict(fall, &view);
    if (fall->phase < VRM_FALL_PHASE_SETTLE) {
        turn_direction(fall, &view, params->dt);
        protect_head(fall, &view, params->dt);
    }
    go_on(fall, &view);
    move_targets(fall, params, &view, velocities);
    write_targets(fall, params, &view, velocities, out_bodies);
}

vrm_result vrm_fall_begin(vrm_fall *fall, const vrm_fall_params *params, const vrm_vec3 *direction)
{
    if (!is_usable(fall, params)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    vrm_fall own = {.struct_size = sizeof own};
    const vrmi_float_environment host = vrmi_float_enter();
    begin(&own, params, direction);
    vrmi_float_leave(host);
    return VRMI_ANSWER(vrm_fall, fall, &own);
}

vrm_result vrm_fall_drive(vrm_fall *fall, const vrm_fall_params *params, vrm_ragdoll_target *out_bodies)
{
    vrm_fall own = {.phase = VRM_FALL_PHASE_NONE};
    if (!is_usable(fall, params) || out_bodies == NULL || !VRMI_READ_OPTIONS(vrm_fall, &own, fall) ||
        own.phase <= VRM_FALL_PHASE_NONE || own.phase >= VRM_FALL_PHASE_COUNT) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const vrmi_float_environment host = vrmi_float_enter();
    advance(&own, params, out_bodies);
    vrmi_float_leave(host);
    return VRMI_ANSWER(vrm_fall, fall, &own);
}
