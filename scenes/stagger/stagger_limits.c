// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Durations are for a mass centre at a height of 0.9 m. They scale with the square root of that height.

#include "stagger/stagger_limits.h"

#include <math.h>

static const double gravity = 9.81, lag = 0.04;            // lag of the centre of pressure, seconds
static const double reaction = 0.08, between = 0.05;       // delay before the first step and before each later step, s
static const double swing_least = 0.22, swing_most = 0.42; // least and greatest duration of a swing, seconds
static const double lift_time = 0.1, foot_speed = 3.6;     // `lift_time`: seconds of a swing; `foot_speed`: m/s at a
                                                           // height of 1.6 m
static const double squat = 0.88;                 // height of the hips in the longest step / length of the legs
static const double usable = 0.9;                 // usable fraction of a sole's size
static const double edge = 0.006, outward = 0.02; // margins of the soles and of a foothold / height
static const double trunk_inertia = 0.035;        // moment of inertia / (mass * height^2)
static const double bow = 20.0 * 3.14159265358979 / 180.0; // lean of the trunk in the direction of the fall
static const double aside = 0.09;                          // least sideways distance of the ankles / height
static const double gain = 1.5; // the centre of pressure leads the capture point by this multiple of its distance
// A push is treated as an impulse at the middle of its duration. The centre of pressure and the reaction begin earlier
// than that, by this fraction of the duration.
static const double head_start = 0.2;
// In a walk: `soonest` is the least time in which a foot in the air can come down, seconds. `correction_speed` is the
// speed at which its foothold can be corrected, m/s at a height of 1.6 m. `walk_bow` is the mean lean as a fraction of
// `bow`. `both_down` is the fraction of a step, at its beginning, for which both feet are on the ground.
static const double soonest = 0.1, correction_speed = 5.1, walk_bow = 0.5, both_down = 0.2;
enum { WALK_STEPS = 5, HALVINGS = 40 };

// A point or vector on the ground: x to the figure's left, z ahead.
typedef struct spot {
    double x, z;
} spot;

static spot more(spot a, spot b, double scale) // a + b * scale
{
    return (spot){a.x + b.x * scale, a.z + b.z * scale};
}

static spot less(spot a, spot b)
{
    return more(a, b, -1.0);
}

static double length(spot a)
{
    return hypot(a.x, a.z);
}

static spot unit(spot a)
{
    const double l = length(a);
    return l > 1e-12 ? (spot){a.x / l, a.z / l} : (spot){0.0, 0.0};
}

static double clamp(double v, double least, double most)
{
    return fmin(fmax(v, least), most);
}

static spot into(spot point, spot middle, double half_x, double half_z)
{
    return (spot){
        clamp(point.x, middle.x - half_x, middle.x + half_x), clamp(point.z, middle.z - half_z, middle.z + half_z)};
}

// --- the pendulum --------------------------------------------------------------------------------------------------

static double rate(const scene_stagger_body *b)
{
    return sqrt(gravity / b->center);
}

static double time_scale(const scene_stagger_body *b)
{
    return sqrt(b->center / 0.9);
}

static double longest_step(const scene_stagger_body *b)
{
    return 2.0 * b->leg * sqrt(1.0 - squat * squat);
}

// Returns the distance by which a push of 1 N s/kg moves the capture point. Includes the angular momentum that the push
// has about the ground.
static double capture_by(const scene_stagger_body *b)
{
    return b->push / (b->center * rate(b)) * exp(-rate(b) * head_start * b->duration);
}

// Returns the apparent displacement of the centre of pressure per radian of the trunk's lean, metres.
static double lean_arm(const scene_stagger_body *b)
{
    return trunk_inertia * b->height * b->height / b->center;
}

typedef struct pendulum {
    spot capture, pressure;
} pendulum;

// Returns the exact state after `seconds` in which the centre of pressure approaches `wanted` with its lag.
static pendulum after(const scene_stagger_body *b, pendulum p, spot wanted, spot lean, double seconds)
{
    const double w = rate(b), late = lag * time_scale(b);
    const spot behind = less(p.pressure, wanted), about = more(wanted, lean, 1.0);
    const spot rest = {behind.x * w * late / (1.0 + w * late), behind.z * w * late / (1.0 + w * late)};
    const spot grows = less(less(p.capture, about), rest);
    pendulum out = {more(about, grows, exp(w * seconds)), more(wanted, behind, exp(-seconds / late))};
    out.capture = more(out.capture, rest, exp(-seconds / late));
    return out;
}

// --- standing ------------------------------------------------------------------------------------------------------

typedef struct soles {
    spot middles[2]; // left, right
    spot hull[8];    // anticlockwise seen with x to the right and z up
    uint32_t count;
} soles;

static double turn(spot a, spot b, spot c)
{
    return (b.x - a.x) * (c.z - a.z) - (b.z - a.z) * (c.x - a.x);
}

// Computes the convex hull of both soles by gift wrapping.
static void wrap(const scene_stagger_body *b, soles *s)
{
    spot corners[8];
    uint32_t first = 0;
    for (uint32_t i = 0; i < 8; ++i) {
        corners[i] = more(s->middles[i / 4],
            (spot){i & 1 ? b->half_width : -b->half_width, i & 2 ? b->half_length : -b->half_length}, 1.0);
        const spot a = corners[i], f = corners[first];
        first = a.x < f.x || (a.x <= f.x && a.z < f.z) ? i : first;
    }
    s->count = 0;
    uint32_t at = first;
    do {
        s->hull[s->count++] = corners[at];
        uint32_t next = at == 0 ? 1 : 0;
        for (uint32_t i = 0; i < 8; ++i) {
            next = i != at && turn(corners[at], corners[next], corners[i]) < 0.0 ? i : next;
        }
        at = next;
    } while (at != first && s->count < 8);
}

// Returns the depth of a point inside the hull; negative outside.
static double depth_in(const soles *s, spot point)
{
    double depth = 1e30;
    for (uint32_t i = 0; i < s->count; ++i) {
        const spot a = s->hull[i], c = s->hull[(i + 1) % s->count];
        const double l = length(less(c, a));
        depth = l > 0.0 ? fmin(depth, turn(a, c, point) / l) : depth;
    }
    return depth;
}

// Returns the point at which a ray that begins inside the hull leaves the hull.
static spot leave_at(const soles *s, spot from, spot direction)
{
    double best = 1e30;
    for (uint32_t i = 0; i < s->count; ++i) {
        const spot a = s->hull[i], side = less(s->hull[(i + 1) % s->count], a), outwards = {side.z, -side.x};
        const double speed = direction.x * outwards.x + direction.z * outwards.z;
        const spot way = less(a, from);
        if (speed > 1e-12) {
            best = fmin(best, (way.x * outwards.x + way.z * outwards.z) / speed);
        }
    }
    return more(from, direction, best);
}

static spot nearest_in(const soles *s, spot point)
{
    if (depth_in(s, point) >= 0.0) {
        return point;
    }
    spot best = s->hull[0];
    for (uint32_t i = 0; i < s->count; ++i) {
        const spot a = s->hull[i], side = less(s->hull[(i + 1) % s->count], a), way = less(point, a);
        const double part = (way.x * side.x + way.z * side.z) / (side.x * side.x + side.z * side.z);
        const spot on = more(a, side, clamp(part, 0.0, 1.0));
        best = length(less(point, on)) < length(less(point, best)) ? on : best;
    }
    return best;
}

static soles at_rest(const scene_stagger_body *b)
{
    soles s = {.middles = {{0.5 * b->apart, 0.0}, {-0.5 * b->apart, 0.0}}};
    wrap(b, &s);
    return s;
}

// Whether the figure keeps its balance without a step. The centre of pressure moves to the edge of the soles with its
// lag, and must stop the capture point there. The push also swings the trunk, which adds the Laplace transform of its
// lean (a spring of 14 and a damper of 6.5 at scale 1).
static bool sways(const scene_stagger_body *b, double speed, spot direction)
{
    const soles s = at_rest(b);
    const double w = rate(b), ts = time_scale(b),
                 swing = speed * (b->push - b->center) / (trunk_inertia * b->height * b->height);
    const double lean = w * swing / (w * w + 6.5 / ts * w + 14.0 / (ts * ts));
    const double reach = length(leave_at(&s, (spot){0.0, 0.0}, direction)) - edge * b->height;
    return speed * capture_by(b) <= reach / (1.0 + w * lag * ts) + lean_arm(b) * lean;
}

// Returns the foothold of a swinging foot. It is beyond the point that the capture point will reach, does not cross the
// other leg, and is within the reach of the legs.
static spot foothold(const scene_stagger_body *b, int foot, spot stance, spot capture)
{
    const double own = foot == 0 ? 1.0 : -1.0, most = longest_step(b);
    const spot ankle = {stance.x, stance.z - b->behind}, beyond = unit(less(capture, ankle));
    spot way = less(more(more(capture, beyond, outward * b->height), (spot){0.0, -b->behind}, 1.0), ankle);
    way.x = own * fmax(own * way.x, aside * b->height);
    if (length(way) > most) {
        way = (spot){way.x * most / length(way), way.z * most / length(way)};
        way.x = own * fmax(own * way.x, aside * b->height);
    }
    return more(stance, way, 1.0);
}

// Returns the state at the end of a swing, when the foot touches down. The duration of a swing grows with its length.
static pendulum swing_over(const scene_stagger_body *b, pendulum p, soles *s, int foot, spot lean)
{
    const double ts = time_scale(b);
    const spot stance = s->middles[1 - foot], from = s->middles[foot];
    const spot wanted = into(p.capture, stance, usable * b->half_width, usable * b->half_length);
    double seconds = ts * swing_least;
    pendulum out = p;
    for (int round = 0; round < 6; ++round) {
        out = after(b, p, wanted, lean, seconds);
        s->middles[foot] = foothold(b, foot, stance, out.capture);
        const double way = length(less(s->middles[foot], from));
        seconds = ts * clamp(lift_time + way / (foot_speed * b->height / 1.6), swing_least, swing_most);
    }
    wrap(b, s);
    return out;
}

static int next_foot(const scene_stagger_body *b, const soles *s, int last, spot capture)
{
    const spot middle = {0.5 * (s->middles[0].x + s->middles[1].x), 0.5 * (s->middles[0].z + s->middles[1].z)};
    const spot fall = unit(less(capture, middle)), apart = less(s->middles[0], s->middles[1]);
    const double along = apart.x * fall.x + apart.z * fall.z;
    return fabs(along) > 0.25 * b->leg ? (along > 0.0 ? 1 : 0) : 1 - last;
}

static bool stops(const scene_stagger_body *b, double speed, spot direction, uint32_t steps)
{
    soles s = at_rest(b);
    const double ts = time_scale(b), arm = bow * lean_arm(b);
    const spot none = {0.0, 0.0}, lean = {arm * direction.x, arm * direction.z};
    const pendulum start = {more(none, direction, speed * capture_by(b)), none};
    const spot beyond = nearest_in(&s, more(start.capture, start.capture, gain));
    pendulum p = after(b, start, beyond, more(none, lean, 0.5), reaction * ts);
    // The foot on the side of the fall steps first. In a fall ahead or back it is the right foot.
    int foot = fabs(direction.x) > 0.35 && direction.x > 0.0 ? 0 : 1;
    for (uint32_t i = 0; i < steps; ++i) {
        p = swing_over(b, p, &s, foot, lean);
        const spot wanted = nearest_in(&s, more(p.capture, less(p.capture, s.middles[foot]), gain));
        p = after(b, p, wanted, lean, between * ts);
        if (depth_in(&s, p.capture) >= edge * b->height) {
            return true;
        }
        foot = next_foot(b, &s, foot, p.capture);
    }
    return false;
}

double scene_stagger_limit(const scene_stagger_body *body, double angle, uint32_t steps)
{
    const spot direction = {sin(angle), cos(angle)};
    double least = 0.0, most = 10.0;
    for (int i = 0; i < HALVINGS; ++i) {
        const double speed = 0.5 * (least + most);
        const bool bears = sways(body, speed, direction) || (steps > 0 && stops(body, speed, direction, steps));
        least = bears ? speed : least;
        most = bears ? most : speed;
    }
    return least;
}

// --- walking -------------------------------------------------------------------------------------------------------

// All values are differences from the undisturbed walk.
typedef struct stumble {
    pendulum p;
    spot shifts[2]; // of the feet
    int foot;       // foot in the air, or the next one to leave the ground
} stumble;

// Returns the shift of the landing foot. It is as close to the wanted shift as the legs can reach without crossing.
static spot shift_of(const scene_stagger_body *b, const scene_stagger_gait *g, const stumble *s, double seconds)
{
    const double own = s->foot == 0 ? 1.0 : -1.0, most = longest_step(b);
    const spot stance = s->shifts[1 - s->foot], step = {own * g->width, g->length};
    spot way = less(s->p.capture, stance);
    way = more(way, unit(way), outward * b->height);
    way.x = own * fmax(own * (step.x + way.x), fmin(g->width, aside * b->height)) - step.x;
    // Each leg reaches from the point below its own hip joint. Finds the largest fraction for which |legs + fraction *
    // way| <= most.
    const spot legs = {own * (g->width - b->hips), g->length};
    const double a = way.x * way.x + way.z * way.z, c = legs.x * legs.x + legs.z * legs.z - most * most,
                 half = legs.x * way.x + legs.z * way.z;
    if (a > 0.0 && a + 2.0 * half + c > 0.0) {
        const double fraction = clamp((sqrt(fmax(half * half - a * c, 0.0)) - half) / a, 0.0, 1.0);
        way = (spot){way.x * fraction, way.z * fraction};
    }
    const spot from = s->shifts[s->foot], wanted = less(more(stance, way, 1.0), from);
    const double within = correction_speed * b->height / 1.6 * seconds;
    return more(from, unit(wanted), fmin(length(wanted), within));
}

static bool walks_on(
    const scene_stagger_body *b, const scene_stagger_gait *g, double speed, spot direction, double part)
{
    const double ts = time_scale(b), left = g->time * (1.0 - part), up = fmax(g->time * (part - both_down), 0.0);
    const double sole_x = usable * b->half_width, sole_z = usable * b->half_length;
    const spot none = {0.0, 0.0};
    stumble s = {.p = {.capture = more(none, direction, speed * capture_by(b))}, .foot = 1};
    // A person who stumbles puts the foot down early.
    double seconds = fmin(left, fmax(soonest, swing_least - up) * ts);
    for (int i = 0; i < WALK_STEPS; ++i) {
        const spot wanted = into(s.p.capture, s.shifts[1 - s.foot], sole_x, sole_z), out = less(s.p.capture, wanted);
        if (length(out) < 1e-3 * b->height) {
            return true;
        }
        const double lean = walk_bow * bow * lean_arm(b) * (i == 0 ? 0.5 : 1.0);
        s.p = after(b, s.p, wanted, more(none, unit(out), lean), seconds);
        s.shifts[s.foot] = shift_of(b, g, &s, seconds);
        s.foot = 1 - s.foot;
        seconds = swing_least * ts;
    }
    return false;
}

double scene_stagger_walk_limit(
    const scene_stagger_body *body, const scene_stagger_gait *gait, double angle, double part)
{
    const spot direction = {sin(angle), cos(angle)};
    double least = 0.0, most = 20.0;
    for (int i = 0; i < HALVINGS; ++i) {
        const double speed = 0.5 * (least + most);
        const bool bears = walks_on(body, gait, speed, direction, part);
        least = bears ? speed : least;
        most = bears ? most : speed;
    }
    return least;
}
