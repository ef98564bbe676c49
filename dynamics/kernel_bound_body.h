// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The constraints of a step: joint limits, contacts with the ground, bodies that may collide. This file is compiled
// once for each kernel. Contacts are found before the shapes touch, and the step then keeps the gap from becoming
// negative. So nothing passes through the ground and nothing bounces.

// The fraction of a limit's violation that a step corrects, and the largest speed of the correction, rad/s.
static const float LIMIT_RETURN = 0.2f, LIMIT_RETURN_SPEED = 2.0f;
// A limit is skipped if it is farther away than this angle, radians, and farther than the joint rotates in a step and a
// half and while it is braked.
static const float LIMIT_REACH = 0.2f;

// --- limits: a world axis about which the joint has to rotate back, and the lowest speed
// -------------------------------

// `slack` is the angle that remains to the limit. It grows at the speed `factor` * axis . (angular velocity).
static inline void limit_row(
    const vrmi_step *s, float *limit, v3 axis, real slack, real factor, mask on, const float *limited)
{
    const real zero = ALL(0.0f), one = ALL(1.0f), rate = figure(s, VRMI_FIGURE_RATE);
    const real out = NEG(MUL(slack, rate));
    const real back = MIN(MUL(out, ALL(LIMIT_RETURN)), ALL(LIMIT_RETURN_SPEED));
    store3(row(limit, VRMI_ART_LIMIT_AXIS), axis);
    STORE(row(limit, VRMI_ART_LIMIT_TARGET), DIV(SELECT(LT(zero, slack), out, back), factor));
    STORE(row(limit, VRMI_ART_LIMIT_ON), SELECT(on, one, zero));
    const mask pushed = AND(on, LT(zero, LOAD(limited)));
    STORE(row(limit, VRMI_ART_LIMIT_PUSH), SELECT(pushed, figure(s, VRMI_FIGURE_LIMIT), zero));
}

// Switches off a limit that is far away in all lanes.
static inline void no_limit(float *limit)
{
    STORE(row(limit, VRMI_ART_LIMIT_ON), ALL(0.0f));
    STORE(row(limit, VRMI_ART_LIMIT_PUSH), ALL(0.0f));
}

// The joint's rotation as swing * twist; the twist is about X.
typedef struct swing_twist {
    real twist, swing; // radians; the swing from 0 to pi
    real y, z;         // the swing's axis, perpendicular to X
    real sine, cosine; // sine and cosine of half the swing
} swing_twist;

static swing_twist split(q4 q)
{
    const real zero = ALL(0.0f), one = ALL(1.0f), sign = SELECT(LT(q.w, zero), ALL(-1.0f), one);
    q = (q4){MUL(q.x, sign), MUL(q.y, sign), MUL(q.z, sign), MUL(q.w, sign)};
    const real n = SQRT(ADD(MUL(q.x, q.x), MUL(q.w, q.w)));
    const mask turned_over = LT(n, ALL(1e-6f));
    const real inverse = DIV(one, MAX(n, ALL(1e-6f)));
    const real x = SELECT(turned_over, zero, MUL(q.x, inverse)), w = SELECT(turned_over, one, MUL(q.w, inverse));
    const real y = SUB(MUL(q.y, w), MUL(q.z, x)), z = ADD(MUL(q.y, x), MUL(q.z, w));
    const real m = SQRT(ADD(MUL(y, y), MUL(z, z)));
    const mask straight = LT(m, ALL(1e-6f));
    const real across = DIV(one, MAX(m, ALL(1e-6f)));
    return (swing_twist){MUL(ALL(2.0f), real_atan2(x, w)), MUL(ALL(2.0f), real_atan2(m, n)),
        SELECT(straight, one, MUL(y, across)), SELECT(straight, zero, MUL(z, across)), m, n};
}

// Where a joint is: its body and the body's rows of the algorithm, the parent's rotation, and the angular velocity
// relative to the parent.
typedef struct limited {
    float *body, *out;
    m3 parent;
    v3 speed;
} limited;

static inline float *limit_of(const limited *j, uint32_t which)
{
    return row(j->out, VRMI_ART_LIMIT + which * VRMI_ART_LIMIT_ROWS);
}

// A joint without drive that approaches a limit is braked before, as by flesh: its speed towards the limit is at most
// the remaining angle, plus LIMIT_BRAKE_ANGLE, divided by LIMIT_BRAKE_TIME, seconds. The brake is a damping of the whole
// joint, at most LIMIT_BRAKE times the inertia in a step. (A constraint with a softer target needs further passes of the
// solver in most steps of a fall.) A joint with springs that approaches its limit faster than LIMIT_HIT_SPEED, rad/s, was
// hit; at twice this speed it is braked like one without drive.
static const float LIMIT_BRAKE_TIME = 0.06f, LIMIT_BRAKE_ANGLE = 0.03f, LIMIT_BRAKE = 2.0f, LIMIT_HIT_SPEED = 7.0f;

// Adds the brake for a limit that is `slack` away, radians, and approached at the speed `closing`, rad/s.
static inline void brake_joint(const limited *j, real slack, real closing, mask on)
{
    const real zero = ALL(0.0f), near = ADD(MAX(slack, zero), ALL(LIMIT_BRAKE_ANGLE));
    const real over = SUB(DIV(MUL(closing, ALL(LIMIT_BRAKE_TIME)), near), ALL(1.0f));
    const mask driven = LT(zero, LOAD(row(j->body, VRMI_STEP_FREQUENCY)));
    const real hit = MIN(MAX(SUB(MUL(closing, ALL(1.0f / LIMIT_HIT_SPEED)), ALL(1.0f)), zero), ALL(1.0f));
    const real part = SELECT(driven, hit, SUB(ALL(1.0f), LOAD(row(j->body, VRMI_STEP_LED))));
    const real brake = MUL(part, MIN(MAX(over, zero), ALL(LIMIT_BRAKE)));
    float *friction = row(j->out, VRMI_ART_FRICTION);
    STORE(friction, ADD(LOAD(friction), SELECT(on, brake, zero)));
}

// Writes the rows of a limit about `axis`, a vector of any length in the parent's joint frame.
static inline void joint_row(const vrmi_step *s, const limited *j, uint32_t which, v3 axis, real slack, mask on)
{
    const q4 frame = load4(row(j->body, VRMI_STEP_FRAME));
    const real length = SQRT(v3_dot(axis, axis));
    const v3 unit = v3_scale(axis, DIV(ALL(1.0f), MAX(length, ALL(1e-6f))));
    on = AND(on, LT(ALL(1e-6f), length));
    const v3 world = m3_mul(j->parent, q4_rotate(frame, unit));
    const real factor = MAX(length, ALL(1e-6f));
    limit_row(s, limit_of(j, which), world, slack, factor, on, row(j->body, VRMI_STEP_LIMITED + which));
    brake_joint(j, slack, NEG(MUL(factor, v3_dot(world, j->speed))), on);
}

// The change of the angles with the angular velocity v, in the parent's joint frame. Let u be the swing's axis, t = x
// cross u, and s the swing's angle. Then s' = u . v; the axis rotates about X by x . v + cot(s) t . v; and the twist
// changes by x . v - tan(s / 2) t . v.
static mask cone_row(const vrmi_step *s, const limited *j, const swing_twist *q, real reach)
{
    float *body = j->body;
    const real one = ALL(1.0f), zero = ALL(0.0f), minus = ALL(-1.0f);
    const real swing_y = LOAD(row(body, VRMI_STEP_SWING)), swing_z = LOAD(row(body, VRMI_STEP_SWING + 1));
    const real y = DIV(SUB(MUL(q->swing, q->y), LOAD(row(body, VRMI_STEP_MIDDLE))), swing_y);
    const real z = DIV(SUB(MUL(q->swing, q->z), LOAD(row(body, VRMI_STEP_MIDDLE + 1))), swing_z);
    const real level = SQRT(ADD(MUL(y, y), MUL(z, z)));
    const real inverse = DIV(one, MAX(level, ALL(0.1f)));
    const real gy = MUL(DIV(y, swing_y), inverse), gz = MUL(DIV(z, swing_z), inverse);
    const real steep = MAX(SQRT(ADD(MUL(gy, gy), MUL(gz, gz))), ALL(1e-6f));
    const real slack = DIV(SUB(one, level), steep);
    const mask on = AND(LT(ALL(0.1f), level), LT(slack, reach));
    if (BITS(on) == 0) {
        no_limit(limit_of(j, 0));
        return on;
    }
    const real along = DIV(ADD(MUL(gy, q->y), MUL(gz, q->z)), steep);
    const real across = DIV(SUB(MUL(gz, q->y), MUL(gy, q->z)), steep);
    // s cot(s) is 1 for small angles. Near pi it is unbounded, so it is clamped.
    const real sine = MUL(MUL(ALL(2.0f), q->sine), q->cosine);
    const real cosine = SUB(MUL(q->cosine, q->cosine), MUL(q->sine, q->sine));
    const real cotangent = MAX(DIV(MUL(q->swing, cosine), MAX(sine, ALL(1e-3f))), ALL(-10.0f));
    const real turn = SELECT(LT(ALL(1e-3f), sine), cotangent, SELECT(LT(zero, cosine), one, ALL(-10.0f)));
    const real bent = MUL(across, turn);
    const v3 axis = {MUL(minus, MUL(across, q->swing)), MUL(minus, SUB(MUL(q->y, along), MUL(q->z, bent))),
        MUL(minus, ADD(MUL(q->z, along), MUL(q->y, bent)))};
    joint_row(s, j, 0, axis, slack, on);
    return on;
}

static mask twist_row(const vrmi_step *s, const limited *j, const swing_twist *q, real reach)
{
    float *body = j->body;
    const real below = SUB(q->twist, LOAD(row(body, VRMI_STEP_ANGLES)));
    const real above = SUB(LOAD(row(body, VRMI_STEP_ANGLES + 1)), q->twist);
    const real slack = MIN(above, below);
    const mask on = LT(slack, reach);
    if (BITS(on) == 0) {
        no_limit(limit_of(j, 1));
        return on;
    }
    const real half_tangent = MIN(DIV(q->sine, MAX(q->cosine, ALL(1e-3f))), ALL(4.0f));
    const real sign = SELECT(LT(above, below), ALL(-1.0f), ALL(1.0f));
    const v3 axis = {sign, MUL(sign, MUL(half_tangent, q->z)), MUL(sign, NEG(MUL(half_tangent, q->y)))};
    joint_row(s, j, 1, axis, slack, on);
    return on;
}

static mask hinge_row(const vrmi_step *s, const limited *j, q4 q, real reach)
{
    float *body = j->body;
    const real zero = ALL(0.0f), one = ALL(1.0f), sign = SELECT(LT(q.w, zero), ALL(-1.0f), one);
    const real angle = MUL(ALL(2.0f), real_atan2(MUL(sign, q.x), MUL(sign, q.w)));
    const real below = SUB(angle, LOAD(row(body, VRMI_STEP_ANGLES)));
    const real above = SUB(LOAD(row(body, VRMI_STEP_ANGLES + 1)), angle);
    const real slack = MIN(above, below);
    const mask on = LT(slack, reach);
    // The axis is X; only its sign depends on the nearer limit.
    const real side = SELECT(LT(above, below), ALL(-1.0f), one);
    limit_row(s, limit_of(j, 0), (v3){side, zero, zero}, slack, one, on, row(body, VRMI_STEP_LIMITED));
    brake_joint(j, slack, NEG(MUL(side, v3_dot(load3(row(j->out, VRMI_ART_AXIS)), j->speed))), on);
    return on;
}

static void find_limits(const vrmi_step *s, uint32_t i)
{
    float *body = body_of(s, i), *out = rows_of(s, i), *up = body_of(s, (uint32_t)s->tree->parent[i]);
    const real zero = ALL(0.0f), one = ALL(1.0f), two = ALL(2.0f);
    const q4 parent = load4(row(up, VRMI_STEP_ROTATION)), frame = load4(row(body, VRMI_STEP_FRAME));
    const q4 relative = q4_mul(q4_conjugate(parent), load4(row(body, VRMI_STEP_ROTATION)));
    const q4 q = q4_mul(q4_mul(q4_conjugate(frame), relative), frame);
    const v3 speed = v3_sub(load3(row(body, VRMI_STEP_ANGULAR)), load3(row(up, VRMI_STEP_ANGULAR)));
    const real in_step =
        MUL(ADD(MUL(ALL(1.5f), figure(s, VRMI_FIGURE_STEP)), ALL(LIMIT_BRAKE_TIME)), SQRT(v3_dot(speed, speed)));
    const real reach = ADD(ALL(LIMIT_REACH), in_step);
    const limited joint = {body, out, load9(row(up, VRMI_STEP_MATRIX)), speed};
    if (s->tree->joint[i] == VRMI_ART_HINGE) {
        const q4 along = q4_mul(q4_conjugate(load4(row(body, VRMI_STEP_BEND))), relative);
        const mask on = hinge_row(s, &joint, q4_mul(q4_mul(q4_conjugate(frame), along), frame), reach);
        STORE(row(out, VRMI_ART_LIMIT_COUNT), SELECT(on, one, zero));
        return;
    }
    const swing_twist angles = split(q);
    const mask swings = cone_row(s, &joint, &angles, reach);
    const mask twists = twist_row(s, &joint, &angles, reach);
    STORE(row(out, VRMI_ART_LIMIT_COUNT), SELECT(twists, two, SELECT(swings, one, zero)));
}

// --- limits widened for the target pose
// --------------------------------------------------------------------------------

// A clip may bend a joint farther than a body can, push its soles into the ground or let hands penetrate. Limits and
// contacts that work against the target pose would visibly disturb every walk. So limits and contacts are widened to
// the target pose, in proportion to the drive. For a limp body they are unchanged.
static const float LIMIT_ROOM = 2.0f * VRMI_PI / 180.0f, CONE_ROOM = 0.03f;

static void admit_angles(float *body, real angle, real led)
{
    const real least = LOAD(row(body, VRMI_STEP_ANGLES)), most = LOAD(row(body, VRMI_STEP_ANGLES + 1));
    const real lower = MIN(least, SUB(angle, ALL(LIMIT_ROOM))), upper = MAX(most, ADD(angle, ALL(LIMIT_ROOM)));
    STORE(row(body, VRMI_STEP_ANGLES), ADD(least, MUL(led, SUB(lower, least))));
    STORE(row(body, VRMI_STEP_ANGLES + 1), ADD(most, MUL(led, SUB(upper, most))));
}

static void admit_joint(const vrmi_step *s, uint32_t i, real led)
{
    float *body = body_of(s, i), *up = body_of(s, (uint32_t)s->tree->parent[i]);
    const q4 frame = load4(row(body, VRMI_STEP_FRAME)), parent = load4(row(up, VRMI_STEP_TARGET_ROTATION));
    const q4 relative = q4_mul(q4_conjugate(parent), load4(row(body, VRMI_STEP_TARGET_ROTATION)));
    const swing_twist q = split(q4_mul(q4_mul(q4_conjugate(frame), relative), frame));
    admit_angles(body, q.twist, led); // for a hinge, its only angle
    if (s->tree->joint[i] == VRMI_ART_HINGE) {
        return;
    }
    const real swing_y = LOAD(row(body, VRMI_STEP_SWING)), swing_z = LOAD(row(body, VRMI_STEP_SWING + 1));
    const real y = DIV(SUB(MUL(q.swing, q.y), LOAD(row(body, VRMI_STEP_MIDDLE))), swing_y);
    const real z = DIV(SUB(MUL(q.swing, q.z), LOAD(row(body, VRMI_STEP_MIDDLE + 1))), swing_z);
    const real level = ADD(SQRT(ADD(MUL(y, y), MUL(z, z))), ALL(CONE_ROOM)), one = ALL(1.0f);
    const real wider = ADD(one, MUL(led, SUB(MAX(level, one), one)));
    STORE(row(body, VRMI_STEP_SWING), MUL(swing_y, wider));
    STORE(row(body, VRMI_STEP_SWING + 1), MUL(swing_z, wider));
}

static void admit_ground(const vrmi_step *s, float *body, real led)
{
    const real zero = ALL(0.0f);
    const m3 turn = q4_matrix(load4(row(body, VRMI_STEP_TARGET_ROTATION)));
    const v3 middle =
        v3_add(load3(row(body, VRMI_STEP_TARGET)), m3_mul(turn, load3(row(body, VRMI_STEP_SHAPE_CENTER))));
    const v3 along = m3_mul(turn, load3(row(body, VRMI_STEP_SHAPE_AXIS)));
    store3(row(body, VRMI_STEP_TARGET_MIDST), middle);
    store3(row(body, VRMI_STEP_TARGET_ALONG), along);
    real corner = zero;
    for (uint32_t k = 0; k < 3; ++k) {
        corner = ADD(corner, real_abs(m3_mul(turn, load3(row(body, VRMI_STEP_SIDES + 3 * k))).y));
    }
    const real end = ADD(real_abs(along.y), LOAD(row(body, VRMI_STEP_SHAPE_RADIUS)));
    const mask box = LT(zero, LOAD(row(body, VRMI_STEP_BOX)));
    const real lowest = SUB(middle.y, SELECT(box, corner, end));
    STORE(row(body, VRMI_STEP_DEPTH), MUL(led, MAX(SUB(figure(s, VRMI_FIGURE_HEIGHT), lowest), zero)));
}

static void admit(const vrmi_step *s)
{
    for (uint32_t i = 0; i < s->tree->body_count; ++i) {
        float *body = body_of(s, i);
        const real led = LOAD(row(body, VRMI_STEP_LED));
        admit_ground(s, body, led);
        if (i != 0 && any_above_zero(row(body, VRMI_STEP_LED))) {
            admit_joint(s, i, led);
        }
    }
}

// --- the ground ----------------------------------------------------------------------------------------------------

static void ground_contact(const vrmi_step *s, uint32_t i, uint32_t slot, v3 p, real feature, mask near)
{
    float *contact = row(vrmi_art_contact(s->contacts, WIDTH, i), slot * VRMI_ART_CONTACT_ROWS);
    const real zero = ALL(0.0f), one = ALL(1.0f);
    float *body = body_of(s, i);
    const real height = SUB(figure(s, VRMI_FIGURE_HEIGHT), LOAD(row(body, VRMI_STEP_DEPTH)));
    const real gap = SUB(p.y, height), rate = figure(s, VRMI_FIGURE_RATE);
    // In a walk on the spot the feet slide over the ground. So the ground is given the velocity of the feet's targets.
    const v3 target = load3(row(body, VRMI_STEP_TARGET_LINEAR)), turning = load3(row(body, VRMI_STEP_TARGET_ANGULAR));
    const v3 center = v3_add(load3(row(body, VRMI_STEP_POSITION)), load3(row(body, VRMI_STEP_ARM)));
    const v3 moving = v3_scale(v3_add(target, v3_cross(turning, v3_sub(p, center))), LOAD(row(body, VRMI_STEP_LED)));
    const real back = MIN(MUL(MUL(MAX(SUB(NEG(gap), ALL(VRMI_CONTACT_SLOP)), zero), ALL(VRMI_CONTACT_RETURN)), rate),
        ALL(VRMI_CONTACT_RETURN_SPEED));
    const real close = MIN(gap, ALL(VRMI_BRAKE_GAP)), far = SUB(gap, close),
               soft = MIN(ALL(1.0f / VRMI_BRAKE_TIME), rate);
    const real led = LOAD(row(body, VRMI_STEP_LED)), nearer = ADD(soft, MUL(led, SUB(rate, soft)));
    const real most = ADD(MUL(close, rate), MUL(far, nearer));
    store3(row(contact, VRMI_ART_CONTACT_POINT), v3_sub(p, load3(row(body_of(s, i), VRMI_STEP_POSITION))));
    store3(row(contact, VRMI_ART_CONTACT_NORMAL), (v3){zero, one, zero});
    store3(row(contact, VRMI_ART_CONTACT_SURFACE), (v3){moving.x, zero, moving.z});
    STORE(row(contact, VRMI_ART_CONTACT_TARGET), SELECT(LT(zero, gap), NEG(most), back));
    STORE(row(contact, VRMI_ART_CONTACT_ON), SELECT(near, one, zero));
    STORE(row(contact, VRMI_ART_CONTACT_IMPULSE), zero);
    STORE(row(contact, VRMI_ART_CONTACT_FEATURE), feature);
    STORE(row(contact, VRMI_ART_CONTACT_GAP), gap);
}

// A body's lowest points, the lowest first: a capsule's ends, or the four lowest corners of a box.
typedef struct low_points {
    v3 at[VRMI_ART_CONTACTS];
    real feature[VRMI_ART_CONTACTS];
    uint32_t count;
} low_points;

static void low_ends(float *body, low_points *out)
{
    const v3 center = load3(row(body, VRMI_STEP_MIDST)), axis = load3(row(body, VRMI_STEP_ALONG));
    const real zero = ALL(0.0f), radius = LOAD(row(body, VRMI_STEP_SHAPE_RADIUS));
    const mask down = LT(axis.y, zero);
    const v3 lower = v3_select(down, v3_add(center, axis), v3_sub(center, axis));
    const v3 upper = v3_select(down, v3_sub(center, axis), v3_add(center, axis));
    const real first = ALL((float)VRMI_FEATURE_END), second = ALL((float)VRMI_FEATURE_END + 1.0f);
    out->at[0] = (v3){lower.x, SUB(lower.y, radius), lower.z};
    out->at[1] = (v3){upper.x, SUB(upper.y, radius), upper.z};
    out->feature[0] = SELECT(down, second, first);
    out->feature[1] = SELECT(down, first, second);
    out->count = 2;
}

// Half of an edge of a box, directed upwards, and the difference of the corner numbers at the edge's upper and lower
// end.
typedef struct edge {
    v3 way;
    real number;
} edge;

static inline void put_lower_first(edge *a, edge *b)
{
    const mask wrong = LT(b->way.y, a->way.y);
    const edge low = {v3_select(wrong, b->way, a->way), SELECT(wrong, b->number, a->number)};
    *b = (edge){v3_select(wrong, a->way, b->way), SELECT(wrong, a->number, b->number)};
    *a = low;
}

// Finds four low corners: the lowest one, the two at the other ends of its flatter edges, and a last one. The last one
// is the end of the third edge or the corner after both flatter edges, whichever is lower.
static void low_corners(float *body, low_points *out)
{
    const real zero = ALL(0.0f), two = ALL(2.0f);
    const m3 turn = load9(row(body, VRMI_STEP_MATRIX));
    v3 lowest = load3(row(body, VRMI_STEP_MIDST));
    real number = ALL((float)VRMI_FEATURE_CORNER);
    edge edges[3];
    for (uint32_t k = 0; k < 3; ++k) {
        const v3 side = m3_mul(turn, load3(row(body, VRMI_STEP_SIDES + 3 * k)));
        const mask down = LT(side.y, zero); // if true, the corner at the end of `side` is lower
        const real bit = ALL((float)(1u << k));
        edges[k] = (edge){v3_select(down, v3_scale(side, ALL(-1.0f)), side), SELECT(down, NEG(bit), bit)};
        lowest = v3_sub(lowest, edges[k].way);
        number = ADD(number, SELECT(down, bit, zero));
    }
    put_lower_first(&edges[0], &edges[1]);
    put_lower_first(&edges[1], &edges[2]);
    put_lower_first(&edges[0], &edges[1]);
    const v3 both = v3_add(edges[0].way, edges[1].way);
    const mask flat = LT(both.y, edges[2].way.y);
    const v3 last = v3_select(flat, both, edges[2].way);
    const real last_number = SELECT(flat, ADD(edges[0].number, edges[1].number), edges[2].number);
    out->at[0] = lowest;
    out->at[1] = v3_add(lowest, v3_scale(edges[0].way, two));
    out->at[2] = v3_add(lowest, v3_scale(edges[1].way, two));
    out->at[3] = v3_add(lowest, v3_scale(last, two));
    out->feature[0] = number;
    out->feature[1] = ADD(number, edges[0].number);
    out->feature[2] = ADD(number, edges[1].number);
    out->feature[3] = ADD(number, last_number);
    out->count = 4;
}

static void meet_ground(const vrmi_step *s, uint32_t i)
{
    float *body = body_of(s, i), *out = rows_of(s, i);
    const real zero = ALL(0.0f);
    const v3 linear = load3(row(body, VRMI_STEP_LINEAR)), angular = load3(row(body, VRMI_STEP_ANGULAR));
    const real reach = LOAD(row(body, VRMI_STEP_REACH));
    const real speed = ADD(SQRT(v3_dot(linear, linear)), MUL(SQRT(v3_dot(angular, angular)), reach));
    const real margin = ADD(MUL(ALL(VRMI_CONTACT_MARGIN), figure(s, VRMI_FIGURE_SCALE)),
        MUL(ADD(MUL(ALL(1.5f), figure(s, VRMI_FIGURE_STEP)), ALL(VRMI_BRAKE_TIME)), speed));
    const real top = ADD(figure(s, VRMI_FIGURE_HEIGHT), margin);
    const mask grounded = AND(LT(zero, figure(s, VRMI_FIGURE_GROUND)), LT(LOAD(row(out, VRMI_ART_HELD)), ALL(0.5f)));
    const v3 arm = load3(row(body, VRMI_STEP_ARM)), place = load3(row(body, VRMI_STEP_POSITION));
    if (BITS(AND(grounded, LT(SUB(ADD(place.y, arm.y), reach), top))) == 0) {
        return; // CONTACT_COUNT is already 0
    }
    const mask box = LT(zero, LOAD(row(body, VRMI_STEP_BOX)));
    low_points points = {.count = 0};
    low_ends(body, &points);
    if (BITS(box) != 0) {
        low_points corners;
        low_corners(body, &corners);
        for (uint32_t k = 0; k < 2; ++k) {
            points.at[k] = v3_select(box, corners.at[k], points.at[k]);
            points.feature[k] = SELECT(box, corners.feature[k], points.feature[k]);
        }
        for (uint32_t k = 2; k < corners.count; ++k) {
            points.at[k] = corners.at[k];
            points.feature[k] = corners.feature[k];
        }
        points.count = corners.count;
    }
    real count = zero;
    for (uint32_t k = 0; k < points.count; ++k) {
        mask near = AND(grounded, LT(points.at[k].y, top));
        near = k < 2 ? near : AND(near, box);
        if (BITS(near) == 0) {
            break;
        }
        ground_contact(s, i, k, points.at[k], points.feature[k], near);
        count = SELECT(near, ALL((float)(k + 1)), count);
    }
    STORE(row(out, VRMI_ART_CONTACT_COUNT), count);
}

static void bound(const vrmi_step *s)
{
    for (uint32_t i = 0; i < s->tree->body_count; ++i) {
        if (i != 0) {
            find_limits(s, i);
        }
        meet_ground(s, i);
    }
}

// --- the last step's contacts --------------------------------------------------------------------------------------

static void remember(const vrmi_step *s)
{
    const real zero = ALL(0.0f), one = ALL(1.0f);
    real leaning = zero;
    for (uint32_t i = 0; i < s->tree->body_count; ++i) {
        const uint32_t count = (uint32_t)most(row(rows_of(s, i), VRMI_ART_CONTACT_COUNT));
        for (uint32_t k = 0; k < count; ++k) {
            float *contact = row(vrmi_art_contact(s->contacts, WIDTH, i), k * VRMI_ART_CONTACT_ROWS);
            const real feature = LOAD(row(contact, VRMI_ART_CONTACT_FEATURE));
            real push = zero, drag = zero;
            for (uint32_t j = 0; j < VRMI_ART_CONTACTS; ++j) {
                float *last = row(body_of(s, i), VRMI_STEP_LAST + 3 * j);
                const real off = real_abs(SUB(LOAD(last), feature));
                const mask same = LT(off, ALL(0.5f));
                push = SELECT(same, LOAD(row(last, 1)), push);
                drag = SELECT(same, LOAD(row(last, 2)), drag);
            }
            STORE(row(contact, VRMI_ART_CONTACT_PUSH), push);
            STORE(row(contact, VRMI_ART_CONTACT_DRAG), drag);
            const mask there = LT(ALL((float)k), LOAD(row(rows_of(s, i), VRMI_ART_CONTACT_COUNT)));
            leaning = SELECT(AND(there, LT(zero, push)), one, leaning);
        }
    }
    STORE(row(s->figure, VRMI_FIGURE_LEANING), leaning);
}

// --- self-contacts -------------------------------------------------------------------------------------------------

static inline real clamp_unit(real x)
{
    return MAX(MIN(x, ALL(1.0f)), ALL(-1.0f));
}

// The nearest points of two segments center +- axis (Ericson 2005, Real-Time Collision Detection, 5.1.9), as fractions
// of the axes.
static inline void nearest_of_segments(v3 between, v3 a, v3 b, real *out_s, real *out_t)
{
    const real aa = MAX(v3_dot(a, a), ALL(1e-12f)), bb = MAX(v3_dot(b, b), ALL(1e-12f)), ab = v3_dot(a, b);
    const real da = v3_dot(a, between), db = v3_dot(b, between);
    const real square = SUB(MUL(aa, bb), MUL(ab, ab)), least = MUL(MUL(ALL(1e-6f), aa), bb);
    const real s = clamp_unit(DIV(SUB(MUL(da, bb), MUL(db, ab)), MAX(square, least)));
    const real t = clamp_unit(DIV(SUB(MUL(SELECT(LT(least, square), s, ALL(0.0f)), ab), db), bb));
    *out_s = clamp_unit(DIV(ADD(MUL(t, ab), da), aa));
    *out_t = t;
}

static void overlap(const vrmi_step *s, uint32_t a, uint32_t b, float *out)
{
    float *body_a = body_of(s, a), *body_b = body_of(s, b);
    const v3 axis_a = load3(row(body_a, VRMI_STEP_TARGET_ALONG)), axis_b = load3(row(body_b, VRMI_STEP_TARGET_ALONG));
    const v3 between = v3_sub(load3(row(body_b, VRMI_STEP_TARGET_MIDST)), load3(row(body_a, VRMI_STEP_TARGET_MIDST)));
    real share_a, share_b;
    nearest_of_segments(between, axis_a, axis_b, &share_a, &share_b);
    const v3 off = v3_sub(v3_sub(v3_scale(axis_a, share_a), v3_scale(axis_b, share_b)), between);
    const real radii = ADD(LOAD(row(body_a, VRMI_STEP_SHAPE_RADIUS)), LOAD(row(body_b, VRMI_STEP_SHAPE_RADIUS)));
    STORE(out, SUB(radii, SQRT(v3_dot(off, off))));
}

static uint32_t meet(const vrmi_step *s, uint32_t a, uint32_t b, float *out)
{
    float *body_a = body_of(s, a), *body_b = body_of(s, b);
    const v3 center_a = load3(row(body_a, VRMI_STEP_MIDST)), center_b = load3(row(body_b, VRMI_STEP_MIDST));
    const v3 axis_a = load3(row(body_a, VRMI_STEP_ALONG)), axis_b = load3(row(body_b, VRMI_STEP_ALONG));
    const real radius_a = LOAD(row(body_a, VRMI_STEP_SHAPE_RADIUS)),
               radius_b = LOAD(row(body_b, VRMI_STEP_SHAPE_RADIUS));
    // The margin grows with the speed, so that a hand between trunk and ground is braked in time. Otherwise the trunk
    // would turn the hand over within a step.
    const v3 nearing = v3_sub(load3(row(body_a, VRMI_STEP_LINEAR)), load3(row(body_b, VRMI_STEP_LINEAR)));
    const real margin = ADD(MUL(ALL(VRMI_CONTACT_MARGIN), figure(s, VRMI_FIGURE_SCALE)),
        MUL(ALL(VRMI_BRAKE_TIME), SQRT(v3_dot(nearing, nearing))));
    const v3 between = v3_sub(center_b, center_a);
    const real spheres = ADD(ADD(LOAD(row(body_a, VRMI_STEP_SPHERE)), LOAD(row(body_b, VRMI_STEP_SPHERE))), margin);
    if (BITS(LT(v3_dot(between, between), MUL(spheres, spheres))) == 0) {
        return 0;
    }
    real share_a, share_b;
    nearest_of_segments(between, axis_a, axis_b, &share_a, &share_b);
    const v3 on_a = v3_add(center_a, v3_scale(axis_a, share_a)), on_b = v3_add(center_b, v3_scale(axis_b, share_b));
    const v3 off = v3_sub(on_a, on_b);
    const real distance = SQRT(v3_dot(off, off)), gap = SUB(SUB(distance, radius_a), radius_b);
    // If the axes intersect, the normal is undefined.
    const uint32_t near = BITS(AND(LT(gap, margin), LT(ALL(1e-5f), distance)));
    if (near == 0) {
        return 0;
    }
    const v3 normal = v3_scale(off, DIV(ALL(1.0f), MAX(distance, ALL(1e-5f))));
    const v3 at_a = v3_sub(on_a, v3_scale(normal, radius_a)), at_b = v3_add(on_b, v3_scale(normal, radius_b));
    store3(row(out, VRMI_MEET_NORMAL), normal);
    store3(row(out, VRMI_MEET_A), v3_sub(at_a, load3(row(body_a, VRMI_STEP_POSITION))));
    store3(row(out, VRMI_MEET_B), v3_sub(at_b, load3(row(body_b, VRMI_STEP_POSITION))));
    STORE(row(out, VRMI_MEET_GAP), gap);
    return near;
}
