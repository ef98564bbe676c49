// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "runtime/ragdoll/step_walk.h"

#include "runtime/ragdoll/step_feet.h"

// The largest distance of the centre of pressure from its animated position, in half sizes of a sole.
static const float sole_part = 0.65f;
static const float pressure_gain = 1.5f;
// A stumbling person puts the foot down early, but the animated foot does not land earlier. So the pin of the hips, an
// external force, holds the capture point in place until this many seconds before the foot lands.
static const float stumble_time = 0.22f;
// Fractions of the height: a change of a foothold below the first is ignored, a change above the second is applied
// fully.
static const float still_step = 0.008f, whole_step = 0.02f;
static const float soonest = 0.07f; // least stumble time of a foot that is in the air during the push, seconds
static const float outward = 0.02f; // fraction of the height: distance of a foot beyond the capture point
static const float aside =
    0.045f; // fraction of the height: least sideways distance of the soles' middles; a smaller distance in the
            // animation is kept
// A foot's correction has a mean speed of at most foot_speed (m/s at a height of 1.6 m) and a jerk of at most foot_jerk
// (m/s^3): a foot that lands soon moves less.
static const float foot_speed = 2.7f, foot_jerk = 15000.0f;
// Peaks of a minimum-jerk motion over distance 1 in time 1.
static const float peak_acceleration = 5.77f, peak_jerk = 60.0f;
static const float over_part = 0.95f;  // fraction of the remaining time in which a foot is corrected
static const float doubt = 0.05f;      // the avatar gives up if the steps do not help within this time, seconds
static const float even_part = 0.012f; // fraction of the height: feet and hips with smaller differences are even
static const float counted = 0.04f;    // fraction of the height: a foothold with a larger difference counts as a step
// Speed of the return to the root: `home_rate` (1/s) times the distance, but at most `home_speed` times the height per
// second.
static const float home_rate = 1.0f, home_speed = 0.05f;
static const float taken_within = 0.25f, even_within = 0.1f; // seconds
// Fractions of the leg's length: the largest distance from hip to ankle, and the change up to which an animated leg may
// stay straighter than that.
static const float bent = 0.96f, apart_within = 0.1f;
static const float drop_stiffness = 250.0f;
// The hips sink for a foot that will land: with at most this acceleration (m/s^2) and by at most this part of the leg.
static const float sink_acceleration = 14.0f, most_drop = 0.3f;
// Lengths of the leg: a leg in the air reaches freely to the first, and never beyond the second. After lift-off this
// comes gradually, in `free_within` seconds.
static const float soft_from = 0.95f, soft_to = 0.985f, free_within = 0.12f;
enum { STEPS_AHEAD = 5 };

static vrmi_flat none(void)
{
    return vrmi_flat_of(0.0f, 0.0f);
}

// Limits a point to the distances from `base` that the centre of pressure can have.
static vrmi_flat press(const vrmi_step_plan *plan, vrmi_flat base, vrmi_flat wanted)
{
    const vrmi_flat ahead = plan->body.ahead[plan->foot], side = vrmi_flat_of(ahead.z, -ahead.x);
    const vrmi_flat way = vrmi_flat_sub(wanted, base);
    const float x = sole_part * plan->body.half.x, z = sole_part * plan->body.half.z;
    const float along = vrmi_clamp(vrmi_flat_dot(way, ahead), -z, z),
                across = vrmi_clamp(vrmi_flat_dot(way, side), -x, x);
    return vrmi_flat_more(vrmi_flat_more(base, ahead, along), side, across);
}

// Returns the point nearest to `point` between the shifts of the feet on the ground.
static vrmi_flat nearest_base(const vrmi_step_plan *plan, const vrmi_gait *gait, vrmi_flat point)
{
    const vrmi_flat lead = plan->feet[gait->lead].shift, other = plan->feet[1 - gait->lead].shift;
    if (!gait->down[1 - gait->lead]) {
        return lead;
    }
    const vrmi_flat way = vrmi_flat_sub(other, lead);
    const float square = vrmi_flat_dot(way, way);
    const float part = square > 0.0f ? vrmi_clamp01(vrmi_flat_dot(vrmi_flat_sub(point, lead), way) / square) : 0.0f;
    return vrmi_flat_more(lead, way, part);
}

// Returns the shift of a landing foot beside a foot that is shifted by `stance`: as near to `wanted` as the legs reach
// without crossing.
static vrmi_flat within_reach(
    const vrmi_step_plan *plan, const vrmi_gait *gait, uint32_t foot, vrmi_flat stance, vrmi_flat wanted)
{
    const float own = foot == 0 ? 1.0f : -1.0f, most = vrmi_step_widest(plan);
    const vrmi_flat step = gait->step[foot];
    vrmi_flat way = vrmi_flat_sub(wanted, stance);
    const float least = vrmi_min(aside * plan->body.height, own * step.x);
    way.x = own * vrmi_max(own * (step.x + way.x), least) - step.x;
    // A leg reaches from below its own hip joint. Finds the largest `part` with |legs + part * way| <= most.
    const vrmi_flat legs = vrmi_flat_sub(step, vrmi_flat_sub(plan->body.hips[foot], plan->body.hips[1 - foot]));
    const float a = vrmi_flat_dot(way, way), b = vrmi_flat_dot(legs, way), c = vrmi_flat_dot(legs, legs) - most * most;
    if (a > 0.0f && a + 2.0f * b + c > 0.0f) {
        const float root = vrmi_sqrt(vrmi_max(b * b - a * c, 0.0f));
        way = vrmi_flat_scale(way, vrmi_clamp01((root - b) / a));
    }
    return vrmi_flat_add(stance, way);
}

// Returns the shift of a foot for a capture point that will be at `meets` when the foot lands.
static vrmi_flat foothold(
    const vrmi_step_plan *plan, const vrmi_gait *gait, uint32_t foot, vrmi_flat stance, vrmi_flat meets)
{
    const float height = plan->body.height;
    if (plan->home) {
        return within_reach(plan, gait, foot, stance, vrmi_flat_length(meets) < whole_step * height ? none() : meets);
    }
    const vrmi_flat way = vrmi_flat_sub(meets, stance);
    const float far = vrmi_flat_length(way);
    const float part = vrmi_step_smooth((far / height - still_step) / (whole_step - still_step));
    const float margin = outward * height * vrmi_step_smooth((far / height - 0.05f) / 0.1f);
    const vrmi_flat wanted = vrmi_flat_more(vrmi_flat_more(stance, way, part), vrmi_flat_unit(way), margin);
    return within_reach(plan, gait, foot, stance, wanted);
}

// Returns the capture point after `seconds` over a foot that is shifted by `base`.
static vrmi_flat capture_in(const vrmi_step_plan *plan, vrmi_flat xi, vrmi_flat base, float seconds, bool lags)
{
    const float w = vrmi_step_rate(plan), late = vrmi_step_lag * vrmi_step_time_scale(plan);
    const vrmi_flat p = press(plan, base, xi);
    const vrmi_flat b = lags ? vrmi_flat_scale(vrmi_flat_sub(plan->pressure, p), w * late / (1.0f + w * late)) : none();
    const vrmi_flat grows = vrmi_flat_scale(vrmi_flat_sub(vrmi_flat_sub(xi, p), b), vrmi_exp(w * seconds));
    return vrmi_flat_add(vrmi_flat_add(p, grows), vrmi_flat_scale(b, vrmi_exp(-seconds / late)));
}

// Return the seconds for which nothing holds the capture point, in the current step or a later step that ends after
// `left` seconds.
static float free_now(const vrmi_step_plan *plan, float left)
{
    return vrmi_min(left, plan->free);
}

static float free_later(const vrmi_step_plan *plan, float left)
{
    return vrmi_min(left, stumble_time * vrmi_step_time_scale(plan));
}

static float time_left(const vrmi_step_plan *plan, const vrmi_gait *gait)
{
    return vrmi_max(gait->step_time - gait->since - plan->time, 0.0f);
}

// The line from a hip joint to its ankle: on the ground and down.
typedef struct leg_line {
    vrmi_flat way;
    float down;
} leg_line;

// Returns a leg of the animated pose.
static leg_line animated_leg(const vrmi_step_plan *plan, uint32_t foot)
{
    const vrmi_step_body *b = &plan->body;
    const vrmi_flat middle = vrmi_flat_scale(vrmi_flat_add(b->sole[0], b->sole[1]), 0.5f);
    const vrmi_flat ankle = vrmi_flat_add(b->sole[foot], b->ankles[foot]);
    return (leg_line){vrmi_flat_sub(ankle, vrmi_flat_add(middle, b->hips[foot])), b->joints[foot]};
}

// Returns the distance at which a leg's ankle may be from the hip, `most` for a leg that is far from its animated line.
static float reach_of(const vrmi_step_plan *plan, const leg_line *animated, vrmi_flat way, float most)
{
    // A leg that is nearly straight in the animation may stay so near its animated position. Farther away its knee
    // would snap.
    const float own = vrmi_sqrt(vrmi_flat_dot(animated->way, animated->way) + animated->down * animated->down);
    const float apart = vrmi_flat_length(vrmi_flat_sub(way, animated->way)) / (apart_within * plan->body.leg);
    return vrmi_max(most, vrmi_lerp(own, most, vrmi_step_smooth(apart)));
}

// Returns the distance that the hip must be lowered so that the leg reaches its foot, shifted from the animated line.
static float drop_for(const vrmi_step_plan *plan, uint32_t foot, const leg_line *animated, vrmi_flat shift)
{
    const vrmi_flat way = vrmi_flat_add(animated->way, shift);
    const float reach = reach_of(plan, animated, way, bent * plan->body.leg);
    return animated->down + vrmi_step_raised(plan, foot) -
           vrmi_sqrt(vrmi_max(reach * reach - vrmi_flat_dot(way, way), 0.04f * reach * reach));
}

// Limits the shift of a foot in the air: its leg must reach it from hips that are lowered by `drop`, without snapping
// its knee.
static vrmi_flat within_leg(
    const vrmi_step_plan *plan, uint32_t foot, const leg_line *animated, vrmi_flat shift, float drop)
{
    const vrmi_flat way = vrmi_flat_add(animated->way, vrmi_flat_sub(shift, vrmi_step_hips(plan)));
    const float down = animated->down + vrmi_step_raised(plan, foot) - drop, far = vrmi_flat_length(way);
    const float from = reach_of(plan, animated, way, soft_from * plan->body.leg);
    const float room = (soft_to - soft_from) * plan->body.leg, whole = vrmi_sqrt(far * far + down * down);
    if (whole <= from) {
        return shift;
    }
    const float reach = from + room * (1.0f - vrmi_exp(-(whole - from) / room));
    const float most = vrmi_sqrt(vrmi_max(reach * reach - down * down, 0.0f));
    return vrmi_flat_more(shift, way, far > most ? most / far - 1.0f : 0.0f);
}

static vrmi_flat within_present_leg(const vrmi_step_plan *plan, uint32_t foot)
{
    const leg_line now = animated_leg(plan, foot);
    return within_leg(plan, foot, &now, plan->feet[foot].shift, plan->drop);
}

// Returns the leg of the animation's next touch-down, as that of the last one.
static leg_line landing_leg(const vrmi_gait *gait, uint32_t foot)
{
    return (leg_line){vrmi_flat_of(gait->landing[foot].x, gait->landing[foot].z), -gait->landing[foot].y};
}

// Returns how far the hips can be lowered in `seconds`.
static float lowest_drop(const vrmi_step_plan *plan, float seconds)
{
    const float lower = plan->drop_rate * seconds + sink_acceleration * seconds * seconds / peak_acceleration;
    return vrmi_clamp(plan->drop + lower, plan->drop, vrmi_max(plan->drop, most_drop * plan->body.leg));
}

// Limits a desired shift to what the foot can reach in `seconds`, and its leg when it lands after `left` seconds.
static vrmi_flat within_time(
    const vrmi_step_plan *plan, const vrmi_gait *gait, uint32_t foot, vrmi_flat wanted, float seconds, float left)
{
    const leg_line then = landing_leg(gait, foot);
    const vrmi_flat reached = within_leg(plan, foot, &then, wanted, lowest_drop(plan, left));
    const vrmi_flat from = plan->feet[foot].shift, way = vrmi_flat_sub(reached, from);
    const float far = vrmi_flat_length(way), speed = foot_speed * plan->body.height / 1.6f;
    const float most = seconds * vrmi_min(speed, foot_jerk * seconds * seconds / peak_jerk);
    return far > most ? vrmi_flat_more(from, way, most / far) : reached;
}

// Returns true if the next footholds stop the avatar.
static bool is_caught(const vrmi_step_plan *plan, const vrmi_gait *gait, vrmi_flat coming)
{
    vrmi_flat xi = vrmi_flat_add(vrmi_step_capture(plan), coming), stance = nearest_base(plan, gait, xi);
    uint32_t foot = 1 - gait->lead;
    float left = time_left(plan, gait);
    for (int i = 0; i < STEPS_AHEAD; ++i) {
        if (vrmi_flat_length(vrmi_flat_sub(xi, press(plan, stance, xi))) < 1e-3f * plan->body.height) {
            return true;
        }
        const vrmi_flat meets =
            capture_in(plan, xi, stance, i == 0 ? free_now(plan, left) : free_later(plan, left), i == 0);
        vrmi_flat next = foothold(plan, gait, foot, stance, meets);
        next = i == 0 ? within_time(plan, gait, foot, next, over_part * left, left) : next;
        xi = meets;
        stance = next;
        foot = 1 - foot;
        left = gait->step_time;
    }
    return false;
}

static void swing(vrmi_step_plan *plan, const vrmi_gait *gait, vrmi_flat coming)
{
    const uint32_t foot = 1 - gait->lead;
    vrmi_step_foot *f = &plan->feet[foot];
    if (gait->down[foot]) {
        plan->target = f->shift;
        f->velocity = f->acceleration = none();
        return;
    }
    const float left = time_left(plan, gait), over = left - (1.0f - over_part) * gait->step_time;
    if (over <= 1.5f * vrmi_step_time) {
        f->shift = over > 0.0f ? plan->target : f->shift;
        f->velocity = f->acceleration = none();
        return;
    }
    if (over > 0.2f * gait->step_time || plan->duration <= 0.0f) {
        const vrmi_flat stance = plan->feet[gait->lead].shift;
        const vrmi_flat xi = vrmi_flat_add(vrmi_step_capture(plan), coming);
        const vrmi_flat meets = capture_in(plan, xi, stance, free_now(plan, left), true);
        plan->target = within_time(plan, gait, foot, foothold(plan, gait, foot, stance, meets), over, left);
        plan->duration = left;
    }
    vrmi_step_swing_axis(&f->shift.x, &f->velocity.x, &f->acceleration.x, plan->target.x, over);
    vrmi_step_swing_axis(&f->shift.z, &f->velocity.z, &f->acceleration.z, plan->target.z, over);
}

// Lowers the hips so that the legs reach their feet, with a spring; for the foot in the air until it lands.
static void sink(vrmi_step_plan *plan, const vrmi_gait *gait)
{
    const float ts = vrmi_step_time_scale(plan), k = drop_stiffness / (ts * ts);
    const vrmi_flat hips = vrmi_step_hips(plan);
    float needed = 0.0f;
    for (uint32_t foot = 0; foot < 2; ++foot) {
        const leg_line now = animated_leg(plan, foot);
        needed = vrmi_max(needed, drop_for(plan, foot, &now, vrmi_flat_sub(plan->feet[foot].shift, hips)));
    }
    float change = k * (needed - plan->drop) - 2.0f * vrmi_sqrt(k) * plan->drop_rate;
    const uint32_t swings = 1 - gait->lead;
    const float left = time_left(plan, gait);
    if (!gait->down[swings] && left > 1.5f * vrmi_step_time) {
        const leg_line then = landing_leg(gait, swings);
        const float lands =
            vrmi_min(drop_for(plan, swings, &then, vrmi_flat_sub(plan->target, hips)), lowest_drop(plan, left));
        if (lands > plan->drop) {
            float x = plan->drop, v = plan->drop_rate, a = plan->drop_change;
            vrmi_step_swing_axis(&x, &v, &a, lands, left);
            change = vrmi_max(change, a);
        }
    }
    plan->drop_change = change;
    plan->drop_rate += vrmi_step_time * change;
    plan->drop += vrmi_step_time * plan->drop_rate;
}

static bool is_settled(const vrmi_step_plan *plan)
{
    // Once the legs return to the animation, three times as much does not stop them.
    const float little = (plan->hold < 1.0f ? 3.0f : 1.0f) * vrmi_step_near * plan->body.height;
    return vrmi_flat_length(plan->feet[0].shift) < little && vrmi_flat_length(plan->feet[1].shift) < little &&
           vrmi_flat_length(vrmi_step_hips(plan)) < little && vrmi_flat_length(vrmi_step_capture(plan)) < little &&
           vrmi_flat_length(plan->lean) < 2e-3f && plan->spread < 0.01f && plan->drop < little;
}

static void move_hips(vrmi_step_plan *plan, const vrmi_gait *gait, float outside)
{
    const float ts = vrmi_step_time_scale(plan);
    sink(plan, gait);
    plan->hold = vrmi_clamp01(plan->hold + vrmi_step_time * (is_settled(plan) ? -5.0f : 10.0f) / ts);
    const float out = vrmi_clamp01(outside / (0.08f * plan->body.height)), rate = out > plan->spread ? 9.0f : 2.5f;
    plan->spread += (out - plan->spread) * (1.0f - vrmi_exp(-rate * vrmi_step_time / ts));
}

bool vrmi_walk_is_even(const vrmi_step_plan *plan)
{
    return plan->phase == VRMI_STEP_WALK && plan->calm >= even_within;
}

// Checks whether feet and hips have the same difference from the animation, and no difference grows.
static void look_whether_even(vrmi_step_plan *plan)
{
    const float most = even_part * plan->body.height;
    const vrmi_flat base = plan->feet[plan->foot].shift, other = plan->feet[1 - plan->foot].shift;
    const bool even = vrmi_flat_length(vrmi_flat_sub(other, base)) < most &&
                      vrmi_flat_length(vrmi_flat_sub(vrmi_step_capture(plan), base)) < most;
    const bool away = vrmi_step_is_away(plan, base);
    plan->calm = even ? plan->calm + vrmi_step_time : 0.0f;
    plan->calm = away ? plan->calm : vrmi_min(plan->calm, even_within); // a host is given `taken_within` from here on
    // The avatar walks back to the root if no host moves the root.
    plan->home = plan->home ? away || vrmi_step_is_away(plan, other) : away && plan->calm > even_within + taken_within;
}

// Removes the remaining difference when the animation no longer walks.
static void fade(vrmi_step_plan *plan)
{
    const float part = vrmi_exp(-vrmi_step_time / 0.15f);
    plan->center = vrmi_flat_scale(plan->center, part);
    plan->drive = plan->lean_rate = none();
    plan->lean = vrmi_flat_scale(plan->lean, part);
    for (int foot = 0; foot < 2; ++foot) {
        plan->feet[foot].shift = vrmi_flat_scale(plan->feet[foot].shift, part);
    }
}

// Returns the desired centre of pressure. It pushes the capture point back to the foot that bears the avatar, or
// towards the root on the way back.
static vrmi_flat wanted_pressure(const vrmi_step_plan *plan, vrmi_flat xi, vrmi_flat base)
{
    const float far = vrmi_flat_length(xi);
    if (!plan->home || !vrmi_step_is_away(plan, base)) {
        return vrmi_flat_more(xi, vrmi_flat_sub(xi, base), pressure_gain);
    }
    const float speed = vrmi_min(home_rate * far, home_speed * plan->body.height);
    return vrmi_flat_more(xi, vrmi_flat_unit(xi), speed / vrmi_step_rate(plan));
}

static void go_on(vrmi_step_plan *plan, const vrmi_gait *gait, vrmi_flat coming)
{
    const vrmi_flat xi = vrmi_step_capture(plan), base = nearest_base(plan, gait, xi), held = press(plan, base, xi);
    const vrmi_flat out = vrmi_flat_sub(xi, held);
    const float outside = vrmi_flat_length(out);
    const vrmi_flat fall = outside > 1e-3f * plan->body.height ? vrmi_flat_unit(out) : none();
    const vrmi_flat wanted = wanted_pressure(plan, xi, base);
    const float left = time_left(plan, gait);
    vrmi_step_move_center(plan, left > free_now(plan, left) && outside > 0.0f ? xi : press(plan, base, wanted), fall);
    swing(plan, gait, coming);
    look_whether_even(plan);
    plan->wait = is_caught(plan, gait, coming) ? 0.0f : plan->wait + vrmi_step_time;
    if (plan->wait > doubt * vrmi_step_time_scale(plan)) {
        plan->phase = VRMI_STEP_FALL;
    }
    move_hips(plan, gait, outside);
}

void vrmi_walk_begin(vrmi_step_plan *plan, const vrmi_step_body *body, const vrmi_gait *gait)
{
    *plan = (vrmi_step_plan){.body = *body, .phase = VRMI_STEP_WALK, .foot = gait->lead};
    const float ts = vrmi_step_time_scale(plan);
    plan->free = vrmi_max(stumble_time * ts - gait->up[1 - gait->lead], soonest * ts);
}

void vrmi_walk_advance(vrmi_step_plan *plan, const vrmi_gait *gait, const vrmi_step_shove *shove, float dt)
{
    plan->rest += dt;
    const uint32_t count = (uint32_t)vrmi_clamp(plan->rest / vrmi_step_time + 1e-3f, 0.0f, 240.0f);
    plan->rest = vrmi_max(plan->rest - (float)count * vrmi_step_time, 0.0f);
    if (plan->foot != gait->lead) { // the swinging foot has landed
        plan->feet[gait->lead].shift = within_present_leg(plan, gait->lead);
        const vrmi_flat way = vrmi_flat_sub(plan->feet[gait->lead].shift, plan->feet[plan->foot].shift);
        plan->steps += vrmi_flat_length(way) > counted * plan->body.height ? 1 : 0;
        plan->foot = gait->lead;
        plan->free = stumble_time * vrmi_step_time_scale(plan);
        plan->duration = 0.0f;
    }
    vrmi_step_push(plan, shove->now, shove->height);
    plan->home = plan->home && vrmi_flat_dot(shove->now, shove->now) <= 0.0f;
    // The distance by which the rest of the push will still move the capture point.
    const vrmi_flat coming = vrmi_flat_scale(shove->later, shove->height / (plan->body.center * vrmi_step_rate(plan)));
    const bool walks = vrmi_gait_walks(gait);
    plan->time = -dt; // the times of the gait are those at the end of the frame
    for (uint32_t i = 0; i < count && plan->phase == VRMI_STEP_WALK; ++i) {
        plan->time += dt / (float)count;
        if (walks) {
            go_on(plan, gait, coming);
        } else {
            fade(plan);
            move_hips(plan, gait, 0.0f);
        }
    }
    for (uint32_t foot = 0; foot < 2; ++foot) {
        const vrmi_flat shift = plan->feet[foot].shift, less = vrmi_flat_sub(within_present_leg(plan, foot), shift);
        const float aloft = gait->down[foot] ? 0.0f : gait->up[foot] / vrmi_step_time_scale(plan);
        const float free = vrmi_step_smooth(aloft / free_within);
        plan->feet[foot].place = vrmi_flat_more(vrmi_flat_add(plan->body.sole[foot], shift), less, free);
    }
    if (plan->phase == VRMI_STEP_WALK && is_settled(plan) && plan->hold <= 0.0f) {
        plan->phase = VRMI_STEP_OFF;
    }
}

void vrmi_walk_turn(vrmi_step_plan *plan, float sine, float cosine)
{
    vrmi_flat *const kept[] = {&plan->center, &plan->drive, &plan->lean, &plan->lean_rate, &plan->pressure,
        &plan->target, &plan->feet[0].shift, &plan->feet[0].velocity, &plan->feet[0].acceleration, &plan->feet[1].shift,
        &plan->feet[1].velocity, &plan->feet[1].acceleration};
    for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); ++i) {
        const vrmi_flat v = *kept[i];
        *kept[i] = vrmi_flat_of(v.x * cosine + v.z * sine, v.z * cosine - v.x * sine);
    }
}

void vrmi_walk_stop(vrmi_step_plan *plan)
{
    const vrmi_flat middle = vrmi_flat_scale(vrmi_flat_add(plan->body.sole[0], plan->body.sole[1]), 0.5f);
    plan->center = vrmi_flat_add(plan->center, middle);
    plan->pressure = vrmi_flat_add(plan->pressure, middle);
    plan->phase = VRMI_STEP_STAND;
    plan->time = plan->wait = plan->calm = 0.0f;
    plan->home = false;
    for (int foot = 0; foot < 2; ++foot) {
        vrmi_step_foot *f = &plan->feet[foot];
        *f = (vrmi_step_foot){
            .place = vrmi_flat_add(plan->body.sole[foot], f->shift), .tilt = f->tilt, .tilt_rate = f->tilt_rate};
    }
}
