// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Capture point steps, after Pratt et al. and Koolen et al. (capturability); times are those of a mass centre at 0.9 m
// and go with the root of its height, lengths with the figure's.

#include "runtime/ragdoll/step_plan.h"

static const float step_time = 1.0f / 240.0f, gravity = 9.81f;
static const float lag = 0.04f;            // of the centre of pressure
static const float pressure_gain = 1.5f;   // how much farther out than the capture point it goes
static const float trunk_inertia = 0.035f; // of mass and height squared
static const float trunk_torque = 1.6f;    // N m per kg and metre of height, at most
static const float bow_part = 0.6f;        // of that, with which the trunk bows into the fall
static const float bow_angle = 20.0f * VRMI_PI / 180.0f;
static const float lean_most = 40.0f * VRMI_PI / 180.0f;
static const float edge = -0.006f;  // out of balance from so far outside of the soles on, of the height
static const float between = 0.05f; // reaction between steps
static const float outward = 0.02f; // beyond the capture point a foot is put, of the height
static const float aside = 0.09f;   // least distance of the ankles sideways, of the height
static const float squat = 0.88f;   // of the leg's length, at the widest step
static const float swing_least = 0.22f, swing_most = 0.42f, gather_time = 0.42f;
static const uint32_t steps_most = 3, small_most = 2;
// When in its swing a foot goes along, and when up and down.
static const float swing_from = 0.08f, swing_over = 0.86f, swing_up = 0.4f, swing_down = 0.56f;
static const float calm_part = 0.5f;     // of the sole that leads: in it the other foot may come beside it
static const float taken_within = 0.25f; // seconds in which a host takes the root along
// A heel begins to rise and is all up with the hip so far ahead of the ankle, of the leg's length.
static const float heel_from = 0.25f, heel_to = 0.7f, heel_pitch = 45.0f * VRMI_PI / 180.0f;
static const float drop_stiffness = 250.0f;
// Of the leg's length: what the hips sink for in time, and what they have to sink for. A knee that is nearly straight
// turns far for little, and would jump.
static const float bent = 0.96f, straight = 0.985f, rest_within = 0.15f;
static const float small_step = 0.06f; // of the height

static vrmi_flat flat(float x, float z)
{
    return (vrmi_flat){x, z};
}

static vrmi_flat add(vrmi_flat a, vrmi_flat b)
{
    return flat(a.x + b.x, a.z + b.z);
}

static vrmi_flat sub(vrmi_flat a, vrmi_flat b)
{
    return flat(a.x - b.x, a.z - b.z);
}

static vrmi_flat scale(vrmi_flat a, float s)
{
    return flat(a.x * s, a.z * s);
}

static vrmi_flat more(vrmi_flat a, vrmi_flat b, float s) // a + b * s
{
    return flat(a.x + b.x * s, a.z + b.z * s);
}

static float dot(vrmi_flat a, vrmi_flat b)
{
    return a.x * b.x + a.z * b.z;
}

static float length(vrmi_flat a)
{
    return vrmi_sqrt(dot(a, a));
}

static vrmi_flat unit(vrmi_flat a)
{
    const float l = length(a);
    return l > 1e-9f ? scale(a, 1.0f / l) : flat(0.0f, 0.0f);
}

static float smooth(float t)
{
    const float u = vrmi_clamp01(t);
    return u * u * (3.0f - 2.0f * u);
}

// --- soles ---------------------------------------------------------------------------------------------------------

typedef struct hull {
    uint32_t count;
    vrmi_flat points[8]; // counter-clockwise with x to the right and z up
} hull;

static float turn_of(vrmi_flat a, vrmi_flat b, vrmi_flat c)
{
    return (b.x - a.x) * (c.z - a.z) - (b.z - a.z) * (c.x - a.x);
}

static void add_sole(const vrmi_step_plan *plan, uint32_t foot, float size, hull *out)
{
    const vrmi_flat ahead = plan->body.ahead[foot], side = flat(ahead.z, -ahead.x);
    for (int corner = 0; corner < 4; ++corner) {
        const float x = corner == 0 || corner == 3 ? -size : size, z = corner < 2 ? -size : size;
        vrmi_flat point = more(plan->feet[foot].place, side, x * plan->body.half.x);
        point = more(point, ahead, z * plan->body.half.z);
        out->points[out->count++] = point;
    }
}

// Jarvis: from the leftmost point along the outermost turns.
static hull wrap(const hull *points)
{
    hull out = {0};
    uint32_t first = 0;
    for (uint32_t i = 1; i < points->count; ++i) {
        const vrmi_flat a = points->points[i], b = points->points[first];
        first = a.x < b.x || (a.x <= b.x && a.z < b.z) ? i : first;
    }
    uint32_t at = first;
    do {
        out.points[out.count++] = points->points[at];
        uint32_t next = at == 0 ? 1 : 0;
        for (uint32_t i = 0; i < points->count; ++i) {
            const float turn = turn_of(points->points[at], points->points[next], points->points[i]);
            next = i != at && turn < 0.0f ? i : next;
        }
        at = next;
    } while (at != first && out.count < 8);
    return out;
}

static bool stands(const vrmi_step_plan *plan, uint32_t foot)
{
    const bool swings = plan->phase == VRMI_STEP_SWING || plan->phase == VRMI_STEP_GATHER;
    return !swings || plan->foot != foot;
}

static hull support(const vrmi_step_plan *plan)
{
    hull points = {0};
    for (uint32_t foot = 0; foot < 2; ++foot) {
        if (stands(plan, foot)) {
            add_sole(plan, foot, 1.0f, &points);
        }
    }
    return wrap(&points);
}

static hull sole_of(const vrmi_step_plan *plan, uint32_t foot, float size)
{
    hull points = {0};
    add_sole(plan, foot, size, &points);
    return wrap(&points);
}

// Signed distance of a point from a hull, negative inside, and the hull's nearest point to it (itself inside).
static float distance_to(const hull *h, vrmi_flat point, vrmi_flat *nearest)
{
    float inside = -1e30f, best = 1e30f;
    *nearest = point;
    for (uint32_t i = 0; i < h->count; ++i) {
        const vrmi_flat a = h->points[i], way = sub(h->points[(i + 1) % h->count], a), to = sub(point, a);
        const float l = dot(way, way), part = l > 0.0f ? vrmi_clamp01(dot(to, way) / l) : 0.0f;
        const vrmi_flat on = more(a, way, part);
        const float far = length(sub(point, on)), side = (way.z * to.x - way.x * to.z) / vrmi_sqrt(vrmi_max(l, 1e-12f));
        inside = vrmi_max(inside, side);
        if (far < best) {
            best = far;
            *nearest = on;
        }
    }
    if (inside <= 0.0f) {
        *nearest = point;
        return inside;
    }
    return best;
}

// --- the pendulum --------------------------------------------------------------------------------------------------

static float rate_of(const vrmi_step_plan *plan)
{
    return vrmi_sqrt(gravity / plan->body.center);
}

static float time_scale(const vrmi_step_plan *plan)
{
    return vrmi_sqrt(plan->body.center / 0.9f);
}

static vrmi_flat capture(const vrmi_step_plan *plan)
{
    return more(plan->center, plan->drive, 1.0f / rate_of(plan));
}

static vrmi_flat middle(const vrmi_step_plan *plan)
{
    return scale(add(plan->feet[0].place, plan->feet[1].place), 0.5f);
}

static bool gathered(const vrmi_step_plan *plan)
{
    const vrmi_flat apart = sub(plan->feet[0].place, plan->feet[1].place);
    return length(sub(apart, sub(plan->body.sole[0], plan->body.sole[1]))) < 1e-4f * plan->body.height;
}

static bool goes_home(const vrmi_step_plan *plan)
{
    return plan->home && length(vrmi_step_way(plan)) > 1e-3f * plan->body.height;
}

float vrmi_step_outside(const vrmi_step_plan *plan)
{
    vrmi_flat nearest;
    const hull h = support(plan);
    return distance_to(&h, capture(plan), &nearest);
}

// The mass centre is to stand over the middle, or over the foot that leads until the other one has come.
static vrmi_flat wanted_pressure(const vrmi_step_plan *plan, const hull *h)
{
    const vrmi_flat xi = capture(plan);
    vrmi_flat out;
    if (plan->phase == VRMI_STEP_SWING) {
        const hull stance = sole_of(plan, 1 - plan->foot, 0.9f);
        (void)distance_to(&stance, xi, &out);
        return out;
    }
    const uint32_t lead = plan->phase == VRMI_STEP_GATHER ? 1 - plan->foot : plan->foot;
    const vrmi_flat reference = gathered(plan) && !goes_home(plan) ? middle(plan) : plan->feet[lead].place;
    (void)distance_to(h, more(xi, sub(xi, reference), pressure_gain), &out);
    return out;
}

static void move_trunk(vrmi_step_plan *plan, vrmi_flat fall, bool falls)
{
    const float height = plan->body.height, inertia = trunk_inertia * height * height, ts = time_scale(plan);
    const float most = trunk_torque * height;
    vrmi_flat torque = scale(plan->lean, -14.0f * inertia / (ts * ts));
    torque = more(torque, plan->lean_rate, -6.5f * inertia / ts);
    if (falls && dot(plan->lean, fall) < bow_angle) {
        torque = more(torque, fall, bow_part * most);
    }
    const float size = length(torque);
    torque = size > most ? scale(torque, most / size) : torque;
    plan->lean_rate = more(plan->lean_rate, torque, step_time / inertia);
    plan->lean = more(plan->lean, plan->lean_rate, step_time);
    const float far = length(plan->lean);
    if (far > lean_most) {
        plan->lean = scale(plan->lean, lean_most / far);
        plan->lean_rate = flat(0.0f, 0.0f);
    }
}

static void move_center(vrmi_step_plan *plan, vrmi_flat push, float push_height)
{
    const hull h = support(plan);
    const float w = rate_of(plan), height = plan->body.height, z = plan->body.center;
    const float inertia = trunk_inertia * height * height;
    vrmi_flat nearest;
    const vrmi_flat xi = capture(plan);
    const float s = distance_to(&h, xi, &nearest);
    plan->drive = more(plan->drive, push, push_height / z);
    plan->lean_rate = more(plan->lean_rate, push, (push_height - z) / inertia);
    const vrmi_flat wanted = wanted_pressure(plan, &h);
    plan->pressure =
        more(plan->pressure, sub(wanted, plan->pressure), 1.0f - vrmi_exp(-step_time / (lag * time_scale(plan))));
    move_trunk(plan, unit(sub(xi, nearest)), s > 0.0f);
    plan->drive = more(plan->drive, sub(plan->center, plan->pressure), w * w * step_time);
    const vrmi_flat velocity = more(plan->drive, plan->lean_rate, -inertia / z);
    plan->center = more(plan->center, velocity, step_time);
}

// --- deciding ------------------------------------------------------------------------------------------------------

static vrmi_flat ankle(const vrmi_step_plan *plan, uint32_t foot)
{
    return add(plan->feet[foot].place, plan->body.ankles[foot]);
}

static float widest(const vrmi_step_plan *plan)
{
    return 2.0f * plan->body.leg * vrmi_sqrt(1.0f - squat * squat);
}

// Farther from the stance ankle than this, the capture point is lost with so many steps left (Koolen et al. 2012).
static float capture_limit(const vrmi_step_plan *plan, uint32_t steps, float first_reaction)
{
    const float r = 0.9f * plan->body.half.z, w = rate_of(plan), ts = time_scale(plan);
    float d = r;
    for (uint32_t i = 0; i < steps; ++i) {
        // The last one in time is the first one that this loop adds.
        const float reaction = i + 1 == steps ? first_reaction : between * ts;
        const float seconds = reaction + ts * (1.25f * swing_least + lag);
        d = (widest(plan) + d - r) * vrmi_exp(-w * seconds) + r;
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
    const vrmi_flat lean = sub(plan->center, plan->pressure);
    return s + 0.9f * plan->body.half.z > 1.1f * d || length(lean) > 0.93f * plan->body.center;
}

static uint32_t choose_foot(const vrmi_step_plan *plan)
{
    const vrmi_flat way = sub(capture(plan), middle(plan)), fall = unit(way);
    const float apart = dot(sub(plan->feet[0].place, plan->feet[1].place), fall);
    if (plan->steps > 0 && vrmi_abs(apart) > 0.25f * plan->body.leg) {
        return apart > 0.0f ? 1 : 0; // the one that lags behind
    }
    if (plan->steps == 0 && vrmi_abs(way.x) > 0.35f * length(way)) {
        return way.x > 0.0f ? 0 : 1;
    }
    return plan->steps == 0 ? 1 : 1 - plan->foot;
}

// Where to put the foot so that it meets the capture point when it comes down, `left` seconds from now.
static vrmi_flat find_target(const vrmi_step_plan *plan, float left)
{
    const uint32_t stance = 1 - plan->foot;
    const float w = rate_of(plan), height = plan->body.height;
    const hull sole = sole_of(plan, stance, 0.9f);
    const vrmi_flat xi = capture(plan), from = ankle(plan, stance);
    vrmi_flat p;
    (void)distance_to(&sole, xi, &p);
    const float late = lag * time_scale(plan);
    const vrmi_flat b = scale(sub(plan->pressure, p), w * late / (1.0f + w * late));
    const vrmi_flat grows = scale(sub(sub(xi, p), b), vrmi_exp(w * left));
    const vrmi_flat meets = add(add(p, grows), scale(b, vrmi_exp(-left / late)));
    vrmi_flat target = more(meets, unit(sub(meets, from)), outward * height);
    // No crossing, and no farther than the legs reach.
    vrmi_flat way = sub(add(target, plan->body.ankles[plan->foot]), from);
    const float own = plan->foot == 0 ? 1.0f : -1.0f;
    way.x = own * vrmi_max(own * way.x, aside * height);
    const float far = length(way), most = widest(plan);
    way = far > most ? scale(way, most / far) : way;
    way.x = own * vrmi_max(own * way.x, aside * height);
    target = sub(add(from, way), plan->body.ankles[plan->foot]);
    return target;
}

static void enter(vrmi_step_plan *plan, vrmi_step_phase phase)
{
    plan->phase = phase;
    plan->time = plan->wait = plan->calm = 0.0f;
}

static void start_swing(vrmi_step_plan *plan)
{
    const float ts = time_scale(plan);
    plan->foot = choose_foot(plan);
    plan->from = plan->feet[plan->foot].place;
    plan->duration = ts * swing_least;
    for (int round = 0; round < 4; ++round) {
        plan->target = find_target(plan, plan->duration);
        const float way = length(sub(plan->target, plan->from));
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
        plan->target = add(plan->feet[lead].place, sub(plan->body.sole[plan->foot], plan->body.sole[lead]));
    } else {
        const vrmi_flat way = sub(plan->body.sole[plan->foot], plan->from);
        const float far = length(way), most = 0.35f * plan->body.leg;
        plan->target = more(plan->from, way, far > most ? most / far : 1.0f);
    }
    plan->duration = time_scale(plan) * gather_time;
    enter(plan, VRMI_STEP_GATHER);
}

static void stand(vrmi_step_plan *plan, const vrmi_step_settings *settings)
{
    const float ts = time_scale(plan), s = vrmi_step_outside(plan);
    const float reaction = plan->steps == 0 ? settings->reaction : between;
    plan->wait = s > edge * plan->body.height ? plan->wait + step_time : 0.0f;
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
        const hull lead = sole_of(plan, plan->foot, calm_part);
        plan->calm = distance_to(&lead, capture(plan), &nearest) <= 0.0f ? plan->calm + step_time : 0.0f;
        if (plan->calm >= 0.12f * ts) {
            start_gather(plan);
        }
        return;
    }
    const float height = plan->body.height;
    const bool quiet = length(plan->drive) < 0.006f * height && length(plan->lean) < 0.02f &&
                       length(sub(plan->center, middle(plan))) < 0.002f * height && plan->drop < 0.002f * height;
    plan->calm = quiet ? plan->calm + step_time : 0.0f;
    if (plan->calm >= 0.2f) {
        enter(plan, VRMI_STEP_DONE);
    }
}

// --- feet and hips -------------------------------------------------------------------------------------------------

// A step of the quintic that goes from here to the target, at rest there after `left` seconds: minimum jerk, and the
// target may move.
static void swing_axis(float *x, float *v, float *a, float target, float left)
{
    const float t = left, e = target - *x, h = step_time;
    const float c3 = (10.0f * e - 6.0f * *v * t - 1.5f * *a * t * t) / (t * t * t);
    const float c4 = (-15.0f * e + 8.0f * *v * t + 1.5f * *a * t * t) / (t * t * t * t);
    const float c5 = (6.0f * e - 3.0f * *v * t - 0.5f * *a * t * t) / (t * t * t * t * t);
    const float x0 = *x, v0 = *v, a0 = *a;
    *x = x0 + h * (v0 + h * (0.5f * a0 + h * (c3 + h * (c4 + h * c5))));
    *v = v0 + h * (a0 + h * (3.0f * c3 + h * (4.0f * c4 + h * 5.0f * c5)));
    *a = a0 + h * (6.0f * c3 + h * (12.0f * c4 + h * 20.0f * c5));
}

static void swing(vrmi_step_plan *plan)
{
    vrmi_step_foot *foot = &plan->feet[plan->foot];
    const float left = plan->duration - plan->time;
    if (plan->phase == VRMI_STEP_SWING && plan->time < 0.7f * plan->duration) {
        plan->target = find_target(plan, left);
    }
    if (left <= 1.5f * step_time) {
        plan->steps += plan->phase == VRMI_STEP_SWING ? 1 : 0;
        *foot = (vrmi_step_foot){.place = plan->target, .pitch = foot->pitch};
        enter(plan, VRMI_STEP_STAND);
        return;
    }
    // Up, over and down, so that nothing moves along the ground.
    const float u = vrmi_clamp01((plan->time + step_time) / plan->duration),
                over = swing_over * plan->duration - plan->time;
    if (over <= 1.5f * step_time) {
        foot->place = plan->target;
        foot->velocity = foot->acceleration = flat(0.0f, 0.0f);
    } else if (u > swing_from) {
        swing_axis(&foot->place.x, &foot->velocity.x, &foot->acceleration.x, plan->target.x, over);
        swing_axis(&foot->place.z, &foot->velocity.z, &foot->acceleration.z, plan->target.z, over);
    }
    const float way = length(sub(plan->target, plan->from)), leg = plan->body.leg;
    const float arc = smooth(u / swing_up) * (1.0f - smooth((u - swing_down) / (1.0f - swing_down)));
    foot->height = 0.09f * leg * vrmi_min(1.0f, 0.55f + 0.45f * way / (0.5f * leg)) * arc;
}

// A heel comes off the ground where the hips are far ahead of it.
static float pitch_for(const vrmi_step_plan *plan, uint32_t foot)
{
    const vrmi_step_body *b = &plan->body;
    const vrmi_flat middle_at_rest = scale(add(b->sole[0], b->sole[1]), 0.5f);
    const vrmi_flat hip = add(add(middle_at_rest, b->hips[foot]), vrmi_step_hips(plan));
    const float ahead = dot(sub(hip, ankle(plan, foot)), b->ahead[foot]) / b->leg;
    return heel_pitch * smooth((ahead - heel_from) / (heel_to - heel_from));
}

// Ankle of a foot with its heel up, from where it is with a flat sole: ahead of it and above.
static void raise_heel(const vrmi_step_plan *plan, uint32_t foot, vrmi_flat *ankle_at, float *up)
{
    const vrmi_step_body *b = &plan->body;
    const float from_ball = b->ball[foot], above = b->ankle - b->ball_height[foot];
    float sine, cosine;
    vrmi_sincos(plan->feet[foot].pitch, &sine, &cosine);
    *ankle_at = more(*ankle_at, b->ahead[foot], from_ball * (1.0f - cosine) + above * sine);
    *up = from_ball * sine - above * (1.0f - cosine);
}

// How much lower the hips are for a foot at a place to be within a part of the leg's length.
static float drop_for(
    const vrmi_step_plan *plan, uint32_t foot, vrmi_flat place, vrmi_flat hips, float height, float part)
{
    const vrmi_step_body *b = &plan->body;
    const vrmi_flat rest_middle = scale(add(b->sole[0], b->sole[1]), 0.5f), hip = add(rest_middle, b->hips[foot]);
    vrmi_flat at = add(place, b->ankles[foot]);
    float up_by;
    raise_heel(plan, foot, &at, &up_by);
    const vrmi_flat way = sub(at, add(hips, hip));
    // A leg that is straight at rest is so again where it stands as it does then.
    const vrmi_flat rest = sub(add(b->sole[foot], b->ankles[foot]), hip);
    const float rest_up = b->hip - b->ankle, still = vrmi_sqrt(dot(rest, rest) + rest_up * rest_up);
    const float away = smooth(length(sub(way, rest)) / (rest_within * b->leg));
    const float wanted = part * b->leg, reach = wanted + vrmi_max(still - wanted, 0.0f) * (1.0f - away);
    const float up = vrmi_sqrt(vrmi_max(reach * reach - dot(way, way), 0.04f * reach * reach));
    return b->hip - b->ankle - height - up_by - up;
}

// The same for both feet, and for where the one in the air will be.
static float drop_needed(const vrmi_step_plan *plan, float part, bool foresee)
{
    const vrmi_flat hips = vrmi_step_hips(plan);
    float needed = 0.0f;
    for (uint32_t foot = 0; foot < 2; ++foot) {
        const vrmi_step_foot *f = &plan->feet[foot];
        needed = vrmi_max(needed, drop_for(plan, foot, f->place, hips, f->height, part));
        if (foresee && !stands(plan, foot)) {
            const float soon = smooth(1.6f * plan->time / plan->duration), left = plan->duration - plan->time;
            const vrmi_flat then = more(hips, plan->drive, 0.7f * left);
            const float later = drop_for(plan, foot, plan->target, then, 0.0f, part);
            needed = vrmi_max(needed, later * soon);
        }
    }
    return needed;
}

static void move_hips(vrmi_step_plan *plan)
{
    const float ts = time_scale(plan), k = drop_stiffness / (ts * ts);
    for (uint32_t foot = 0; foot < 2; ++foot) {
        plan->feet[foot].pitch = pitch_for(plan, foot);
    }
    const float least = drop_needed(plan, straight, false), before = plan->drop;
    plan->drop_rate +=
        step_time * (k * (drop_needed(plan, bent, true) - plan->drop) - 2.0f * vrmi_sqrt(k) * plan->drop_rate);
    plan->drop += step_time * plan->drop_rate;
    if (plan->drop < least) { // the legs are not longer
        plan->drop = least;
        plan->drop_rate = (least - before) / step_time;
    }
    plan->hold = vrmi_clamp01(plan->hold + step_time * (plan->phase == VRMI_STEP_DONE ? -3.0f : 10.0f) / ts);
    const float s = vrmi_step_outside(plan);
    const float out = plan->phase == VRMI_STEP_DONE ? 0.0f : vrmi_clamp01(s / (0.08f * plan->body.height) + 0.1f);
    const float rate = out > plan->spread ? 9.0f : 2.5f;
    plan->spread += (out - plan->spread) * (1.0f - vrmi_exp(-rate * step_time / ts));
}

// --- time ----------------------------------------------------------------------------------------------------------

void vrmi_step_begin(vrmi_step_plan *plan, const vrmi_step_body *body)
{
    *plan = (vrmi_step_plan){.body = *body, .phase = VRMI_STEP_STAND, .foot = 0};
    plan->feet[0].place = body->sole[0];
    plan->feet[1].place = body->sole[1];
    plan->center = plan->pressure = middle(plan);
}

void vrmi_step_advance(
    vrmi_step_plan *plan, const vrmi_step_settings *settings, vrmi_flat push, float push_height, float dt)
{
    plan->rest += dt;
    const uint32_t count = (uint32_t)vrmi_clamp(plan->rest / step_time + 1e-3f, 0.0f, 240.0f);
    plan->rest = vrmi_max(plan->rest - (float)count * step_time, 0.0f);
    if (count == 0) { // the push must not be lost
        plan->drive = more(plan->drive, push, push_height / plan->body.center);
        return;
    }
    const vrmi_flat share = scale(push, 1.0f / (float)count);
    for (uint32_t i = 0; i < count && plan->phase != VRMI_STEP_FALL; ++i) {
        const bool refused = plan->time > taken_within && length(vrmi_step_way(plan)) > 1e-3f * plan->body.height;
        if (plan->phase == VRMI_STEP_DONE && (dot(push, push) > 0.0f || refused)) {
            plan->home = refused;
            plan->steps = 0;
            enter(plan, VRMI_STEP_STAND);
        }
        move_center(plan, share, push_height);
        if (plan->phase == VRMI_STEP_STAND) {
            stand(plan, settings);
        } else if (plan->phase == VRMI_STEP_SWING || plan->phase == VRMI_STEP_GATHER) {
            swing(plan);
        }
        plan->time += step_time;
        move_hips(plan);
    }
}

vrmi_flat vrmi_step_hips(const vrmi_step_plan *plan)
{
    const vrmi_flat rest = scale(add(plan->body.sole[0], plan->body.sole[1]), 0.5f);
    return more(sub(plan->center, rest), plan->lean, -plan->body.lever);
}

vrmi_flat vrmi_step_way(const vrmi_step_plan *plan)
{
    return sub(plan->feet[0].place, plan->body.sole[0]);
}

void vrmi_step_shift(vrmi_step_plan *plan, vrmi_flat way)
{
    for (int foot = 0; foot < 2; ++foot) {
        plan->feet[foot].place = sub(plan->feet[foot].place, way);
    }
    plan->center = sub(plan->center, way);
    plan->pressure = sub(plan->pressure, way);
    plan->target = sub(plan->target, way);
    plan->from = sub(plan->from, way);
}

bool vrmi_step_over(const vrmi_step_plan *plan)
{
    const bool rests = length(plan->lean) < 2e-3f && plan->spread < 0.01f && plan->drop < 2e-4f * plan->body.height &&
                       length(vrmi_step_hips(plan)) < 5e-4f * plan->body.height;
    return plan->phase == VRMI_STEP_DONE && rests && plan->hold <= 0.0f &&
           length(vrmi_step_way(plan)) < 1e-3f * plan->body.height;
}
