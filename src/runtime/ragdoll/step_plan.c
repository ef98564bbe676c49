// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Capture point steps, after Pratt et al. and Koolen et al. (capturability). Times are for a centre of mass at 0.9 m
// and scale with the square root of its height; lengths scale with the avatar.

#include "runtime/ragdoll/step_feet.h"
#include "runtime/ragdoll/step_soles.h"

static const float pressure_gain = 1.5f;   // overshoot of the centre of pressure beyond the capture point
static const float trunk_inertia = 0.035f; // moment of inertia divided by mass and by height squared
static const float trunk_torque = 1.6f;    // the largest torque, N m per kg and metre of height
static const float bow_part = 0.6f;        // fraction of trunk_torque with which the trunk bows towards the fall
static const float bow_angle = 20.0f * VRMI_PI / 180.0f;
static const float lean_most = 40.0f * VRMI_PI / 180.0f;
// The body is out of balance if the capture point is this far outside of the soles (negative: inside), in heights of
// the body.
static const float edge = -0.006f;
static const float between = 0.05f; // seconds of reaction between two steps, at scale 1
static const float outward = 0.02f; // fraction of the height: distance of a foot beyond the capture point
static const float aside = 0.09f;   // fraction of the height: least sideways distance of the ankles
static const float swing_least = 0.22f, swing_most = 0.42f, gather_time = 0.42f;
static const uint32_t steps_most = 3, small_most = 2;
// Fractions of a swing: the foot moves horizontally from the first on, rises until the second, and sinks from the third
// on.
static const float swing_from = 0.04f, swing_up = 0.5f, swing_down = 0.56f;
static const float arc_height = 0.07f;   // lengths of the leg: height of a foot over the ground in a long step
static const float calm_part = 0.5f;     // the capture point must return to the leading sole, scaled by this factor
static const float taken_within = 0.25f; // time allowed for the host to move the root, seconds
static const float small_step = 0.06f;   // a shorter step is small, in heights of the body

// --- the pendulum --------------------------------------------------------------------------------------------------

static vrmi_flat middle(const vrmi_step_plan *plan)
{
    return vrmi_flat_scale(vrmi_flat_add(plan->feet[0].place, plan->feet[1].place), 0.5f);
}

static bool gathered(const vrmi_step_plan *plan)
{
    const vrmi_flat apart = vrmi_flat_sub(plan->feet[0].place, plan->feet[1].place);
    return vrmi_flat_length(vrmi_flat_sub(apart, vrmi_flat_sub(plan->body.sole[0], plan->body.sole[1]))) <
           1e-4f * plan->body.height;
}

static bool goes_home(const vrmi_step_plan *plan)
{
    return plan->home && vrmi_step_is_away(plan, vrmi_step_way(plan));
}

// Returns the desired centre of pressure. During a swing it is under the standing foot, nearest to the capture point.
// Otherwise it pushes the capture point back to the middle of the feet, or to the leading foot until the other foot is
// beside it.
static vrmi_flat wanted_pressure(const vrmi_step_plan *plan, const vrmi_hull *h)
{
    const vrmi_flat xi = vrmi_step_capture(plan);
    vrmi_flat out;
    if (plan->phase == VRMI_STEP_SWING) {
        const vrmi_hull stance = vrmi_step_sole(plan, 1 - plan->foot, 0.9f);
        (void)vrmi_hull_distance(&stance, xi, &out);
        return out;
    }
    const uint32_t lead = plan->phase == VRMI_STEP_GATHER ? 1 - plan->foot : plan->foot;
    const vrmi_flat reference = gathered(plan) && !goes_home(plan) ? middle(plan) : plan->feet[lead].place;
    (void)vrmi_hull_distance(h, vrmi_flat_more(xi, vrmi_flat_sub(xi, reference), pressure_gain), &out);
    return out;
}

static void move_trunk(vrmi_step_plan *plan, vrmi_flat fall, bool falls)
{
    const float height = plan->body.height, inertia = trunk_inertia * height * height, ts = vrmi_step_time_scale(plan);
    const float most = trunk_torque * height;
    vrmi_flat torque = vrmi_flat_scale(plan->lean, -14.0f * inertia / (ts * ts));
    torque = vrmi_flat_more(torque, plan->lean_rate, -6.5f * inertia / ts);
    if (falls && vrmi_flat_dot(plan->lean, fall) < bow_angle) {
        torque = vrmi_flat_more(torque, fall, bow_part * most);
    }
    const float size = vrmi_flat_length(torque);
    torque = size > most ? vrmi_flat_scale(torque, most / size) : torque;
    plan->lean_rate = vrmi_flat_more(plan->lean_rate, torque, vrmi_step_time / inertia);
    plan->lean = vrmi_flat_more(plan->lean, plan->lean_rate, vrmi_step_time);
    const float far = vrmi_flat_length(plan->lean);
    if (far > lean_most) {
        plan->lean = vrmi_flat_scale(plan->lean, lean_most / far);
        plan->lean_rate = vrmi_flat_of(0.0f, 0.0f);
    }
}

void vrmi_step_push(vrmi_step_plan *plan, vrmi_flat push, float push_height)
{
    const float height = plan->body.height, z = plan->body.center, inertia = trunk_inertia * height * height;
    plan->drive = vrmi_flat_more(plan->drive, push, push_height / z);
    plan->lean_rate = vrmi_flat_more(plan->lean_rate, push, (push_height - z) / inertia);
}

void vrmi_step_move_center(vrmi_step_plan *plan, vrmi_flat wanted, vrmi_flat fall)
{
    const float w = vrmi_step_rate(plan), height = plan->body.height, z = plan->body.center;
    const float inertia = trunk_inertia * height * height;
    plan->pressure = vrmi_flat_more(plan->pressure, vrmi_flat_sub(wanted, plan->pressure),
        1.0f - vrmi_exp(-vrmi_step_time / (vrmi_step_lag * vrmi_step_time_scale(plan))));
    move_trunk(plan, fall, vrmi_flat_dot(fall, fall) > 0.0f);
    plan->drive = vrmi_flat_more(plan->drive, vrmi_flat_sub(plan->center, plan->pressure), w * w * vrmi_step_time);
    const vrmi_flat velocity = vrmi_flat_more(plan->drive, plan->lean_rate, -inertia / z);
    plan->center = vrmi_flat_more(plan->center, velocity, vrmi_step_time);
}

// Balances over the feet on the ground. If the capture point is outside of the soles, the trunk bows.
static void balance(vrmi_step_plan *plan)
{
    const vrmi_hull h = vrmi_step_support(plan);
    vrmi_flat nearest;
    const vrmi_flat xi = vrmi_step_capture(plan);
    const float s = vrmi_hull_distance(&h, xi, &nearest);
    const vrmi_flat fall = s > 0.0f ? vrmi_flat_unit(vrmi_flat_sub(xi, nearest)) : vrmi_flat_of(0.0f, 0.0f);
    vrmi_step_move_center(plan, wanted_pressure(plan, &h), fall);
}

// --- deciding ------------------------------------------------------------------------------------------------------

// Returns the largest distance of the capture point from the stance ankle at which `steps` more steps can still save
// the avatar (Koolen et al. 2012).
static float capture_limit(const vrmi_step_plan *plan, uint32_t steps, float first_reaction)
{
    const float r = 0.9f * plan->body.half.z, w = vrmi_step_rate(plan), ts = vrmi_step_time_scale(plan);
    float d = r;
    for (uint32_t i = 0; i < steps; ++i) {
        // The loop runs backwards in time: the first step comes last.
        const float reaction = i + 1 == steps ? first_reaction : between * ts;
        const float seconds = reaction + ts * (1.25f * swing_least + vrmi_step_lag);
        d = (vrmi_step_widest(plan) + d - r) * vrmi_exp(-w * seconds) + r;
    }
    return d;
}

static bool gives_up(const vrmi_step_plan *plan, float s)
{
    const float height = plan->body.height;
    if (plan->steps >= steps_most) {
        return s > small_step * height || plan->steps >= steps_most + small_most;
    }
    const float d = capture_limit(plan, steps_most - plan->steps, 0.0f);
    const vrmi_flat lean = vrmi_flat_sub(plan->center, plan->pressure);
    return s + 0.9f * plan->body.half.z > 1.1f * d || vrmi_flat_length(lean) > 0.93f * plan->body.center;
}

static uint32_t choose_foot(const vrmi_step_plan *plan)
{
    const vrmi_flat way = vrmi_flat_sub(vrmi_step_capture(plan), middle(plan)), fall = vrmi_flat_unit(way);
    const float apart = vrmi_flat_dot(vrmi_flat_sub(plan->feet[0].place, plan->feet[1].place), fall);
    if (plan->steps > 0 && vrmi_abs(apart) > 0.25f * plan->body.leg) {
        return apart > 0.0f ? 1 : 0; // the foot that is behind
    }
    if (plan->steps == 0 && vrmi_abs(way.x) > 0.35f * vrmi_flat_length(way)) {
        return way.x > 0.0f ? 0 : 1;
    }
    return plan->steps == 0 ? 1 : 1 - plan->foot;
}

// Returns the foothold at the position of the capture point when the foot lands, `left` seconds from now.
static vrmi_flat find_target(const vrmi_step_plan *plan, float left)
{
    const uint32_t stance = 1 - plan->foot;
    const float w = vrmi_step_rate(plan), height = plan->body.height;
    const vrmi_hull sole = vrmi_step_sole(plan, stance, 0.9f);
    const vrmi_flat xi = vrmi_step_capture(plan), from = vrmi_step_ankle(plan, stance);
    vrmi_flat p;
    (void)vrmi_hull_distance(&sole, xi, &p);
    const float late = vrmi_step_lag * vrmi_step_time_scale(plan);
    const vrmi_flat b = vrmi_flat_scale(vrmi_flat_sub(plan->pressure, p), w * late / (1.0f + w * late));
    const vrmi_flat grows = vrmi_flat_scale(vrmi_flat_sub(vrmi_flat_sub(xi, p), b), vrmi_exp(w * left));
    const vrmi_flat meets = vrmi_flat_add(vrmi_flat_add(p, grows), vrmi_flat_scale(b, vrmi_exp(-left / late)));
    vrmi_flat target = vrmi_flat_more(meets, vrmi_flat_unit(vrmi_flat_sub(meets, from)), outward * height);
    // The foot must not cross the other leg, and must stay within the reach of the legs.
    vrmi_flat way = vrmi_flat_sub(vrmi_flat_add(target, plan->body.ankles[plan->foot]), from);
    const float own = plan->foot == 0 ? 1.0f : -1.0f;
    way.x = own * vrmi_max(own * way.x, aside * height);
    const float far = vrmi_flat_length(way), most = vrmi_step_widest(plan);
    way = far > most ? vrmi_flat_scale(way, most / far) : way;
    way.x = own * vrmi_max(own * way.x, aside * height);
    target = vrmi_flat_sub(vrmi_flat_add(from, way), plan->body.ankles[plan->foot]);
    return target;
}

static void enter(vrmi_step_plan *plan, vrmi_step_phase phase)
{
    plan->phase = phase;
    plan->time = plan->wait = plan->calm = 0.0f;
}

static void start_swing(vrmi_step_plan *plan)
{
    const float ts = vrmi_step_time_scale(plan);
    plan->foot = choose_foot(plan);
    plan->from = plan->feet[plan->foot].place;
    plan->duration = ts * swing_least;
    for (int round = 0; round < 4; ++round) {
        plan->target = find_target(plan, plan->duration);
        const float way = vrmi_flat_length(vrmi_flat_sub(plan->target, plan->from));
        plan->duration = ts * vrmi_clamp(0.1f + way / (3.6f * plan->body.height / 1.6f), swing_least, swing_most);
    }
    enter(plan, VRMI_STEP_SWING);
}

static void start_gather(vrmi_step_plan *plan)
{
    const uint32_t lead = plan->foot;
    const bool beside = !gathered(plan);
    plan->foot = 1 - lead;
    plan->from = plan->feet[plan->foot].place;
    if (beside) {
        plan->target =
            vrmi_flat_add(plan->feet[lead].place, vrmi_flat_sub(plan->body.sole[plan->foot], plan->body.sole[lead]));
    } else {
        const vrmi_flat way = vrmi_flat_sub(plan->body.sole[plan->foot], plan->from);
        const float far = vrmi_flat_length(way), most = 0.35f * plan->body.leg;
        plan->target = vrmi_flat_more(plan->from, way, far > most ? most / far : 1.0f);
    }
    plan->duration = vrmi_step_time_scale(plan) * gather_time;
    enter(plan, VRMI_STEP_GATHER);
}

static void stand(vrmi_step_plan *plan, const vrmi_step_settings *settings)
{
    const float ts = vrmi_step_time_scale(plan), s = vrmi_step_outside(plan);
    const float reaction = plan->steps == 0 ? settings->reaction : between;
    plan->wait = s > edge * plan->body.height ? plan->wait + vrmi_step_time : 0.0f;
    if (plan->wait >= reaction * ts) {
        if (gives_up(plan, s)) {
            enter(plan, VRMI_STEP_FALL);
        } else {
            start_swing(plan);
        }
        return;
    }
    if (!gathered(plan) || goes_home(plan)) {
        vrmi_flat nearest;
        const vrmi_hull lead = vrmi_step_sole(plan, plan->foot, calm_part);
        plan->calm =
            vrmi_hull_distance(&lead, vrmi_step_capture(plan), &nearest) <= 0.0f ? plan->calm + vrmi_step_time : 0.0f;
        if (plan->calm >= 0.12f * ts) {
            start_gather(plan);
        }
        return;
    }
    const float height = plan->body.height;
    const bool quiet = vrmi_flat_length(plan->drive) < 0.006f * height && vrmi_flat_length(plan->lean) < 0.02f &&
                       vrmi_flat_length(vrmi_flat_sub(plan->center, middle(plan))) < 0.002f * height &&
                       plan->drop < 0.002f * height;
    plan->calm = quiet ? plan->calm + vrmi_step_time : 0.0f;
    if (plan->calm >= 0.2f) {
        enter(plan, VRMI_STEP_DONE);
    }
}

// --- the foot in the air ---------------------------------------------------------------------------------------------

static void swing(vrmi_step_plan *plan)
{
    vrmi_step_foot *foot = &plan->feet[plan->foot];
    const float left = plan->duration - plan->time;
    if (plan->phase == VRMI_STEP_SWING && plan->time < 0.7f * plan->duration) {
        plan->target = find_target(plan, left);
    }
    if (left <= 1.5f * vrmi_step_time) {
        plan->steps += plan->phase == VRMI_STEP_SWING ? 1 : 0;
        foot->place = plan->target;
        foot->velocity = foot->acceleration = vrmi_flat_of(0.0f, 0.0f);
        foot->height = 0.0f;
        enter(plan, VRMI_STEP_STAND);
        return;
    }
    const float u = vrmi_clamp01((plan->time + vrmi_step_time) / plan->duration);
    if (u > swing_from) {
        vrmi_step_swing_axis(&foot->place.x, &foot->velocity.x, &foot->acceleration.x, plan->target.x, left);
        vrmi_step_swing_axis(&foot->place.z, &foot->velocity.z, &foot->acceleration.z, plan->target.z, left);
    }
    const float way = vrmi_flat_length(vrmi_flat_sub(plan->target, plan->from)), leg = plan->body.leg;
    const float rise = vrmi_step_smooth(u / swing_up);
    const float arc = rise * (1.0f - vrmi_step_smooth((u - swing_down) / (1.0f - swing_down)));
    foot->height = arc_height * leg * vrmi_min(1.0f, 0.55f + 0.45f * way / (0.5f * leg)) * arc;
}

// --- time ----------------------------------------------------------------------------------------------------------

void vrmi_step_begin(vrmi_step_plan *plan, const vrmi_step_body *body)
{
    *plan = (vrmi_step_plan){.body = *body, .phase = VRMI_STEP_STAND, .foot = 0};
    plan->feet[0].place = body->sole[0];
    plan->feet[1].place = body->sole[1];
    plan->center = plan->pressure = middle(plan);
}

// Legs that are too far apart pull the hips down. If the hips are low and also sink fast, the avatar falls. The drop is
// in lengths of the leg, the speed in m/s for a leg of 1 m (in a free fall from 1 m a body reaches 4.4 m/s).
static const float most_drop = 0.3f, fastest_drop = 3.2f;

void vrmi_step_advance(vrmi_step_plan *plan, const vrmi_step_settings *settings, const vrmi_step_shove *shove, float dt)
{
    const vrmi_flat push = shove->now;
    plan->rest += dt;
    const uint32_t count = (uint32_t)vrmi_clamp(plan->rest / vrmi_step_time + 1e-3f, 0.0f, 240.0f);
    plan->rest = vrmi_max(plan->rest - (float)count * vrmi_step_time, 0.0f);
    if (count == 0) { // no step of the model runs in this frame: the push is applied now, so that it is not lost
        plan->drive = vrmi_flat_more(plan->drive, push, shove->height / plan->body.center);
        return;
    }
    const vrmi_flat share = vrmi_flat_scale(push, 1.0f / (float)count);
    for (uint32_t i = 0; i < count && plan->phase != VRMI_STEP_FALL; ++i) {
        const bool refused = plan->time > taken_within && vrmi_step_is_away(plan, vrmi_step_way(plan));
        if (plan->phase == VRMI_STEP_DONE && (vrmi_flat_dot(push, push) > 0.0f || refused)) {
            plan->home = refused;
            plan->steps = 0;
            enter(plan, VRMI_STEP_STAND);
        }
        vrmi_step_push(plan, share, shove->height);
        balance(plan);
        if (plan->phase == VRMI_STEP_STAND) {
            stand(plan, settings);
        } else if (plan->phase == VRMI_STEP_SWING || plan->phase == VRMI_STEP_GATHER) {
            swing(plan);
        }
        plan->time += vrmi_step_time;
        vrmi_step_move_hips(plan);
        if (plan->drop > most_drop * plan->body.leg &&
            plan->drop_rate > fastest_drop * vrmi_sqrt(plan->body.leg)) { // see above
            enter(plan, VRMI_STEP_FALL);
        }
    }
}

vrmi_flat vrmi_step_way(const vrmi_step_plan *plan)
{
    return plan->phase == VRMI_STEP_WALK ? plan->feet[plan->foot].shift
                                         : vrmi_flat_sub(plan->feet[0].place, plan->body.sole[0]);
}

void vrmi_step_shift(vrmi_step_plan *plan, vrmi_flat way)
{
    for (int foot = 0; foot < 2; ++foot) {
        plan->feet[foot].place = vrmi_flat_sub(plan->feet[foot].place, way);
        plan->feet[foot].shift = vrmi_flat_sub(plan->feet[foot].shift, way);
    }
    plan->center = vrmi_flat_sub(plan->center, way);
    plan->pressure = vrmi_flat_sub(plan->pressure, way);
    plan->target = vrmi_flat_sub(plan->target, way);
    plan->from = vrmi_flat_sub(plan->from, way);
}

bool vrmi_step_over(const vrmi_step_plan *plan)
{
    const bool rests = vrmi_flat_length(plan->lean) < 2e-3f && plan->spread < 0.01f &&
                       plan->drop < 2e-4f * plan->body.height &&
                       vrmi_flat_length(vrmi_step_hips(plan)) < vrmi_step_near * plan->body.height;
    return plan->phase == VRMI_STEP_DONE && rests && plan->hold <= 0.0f &&
           vrmi_flat_length(vrmi_step_way(plan)) < vrmi_step_near * plan->body.height;
}
