// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The beginning of a step: writes bodies, joints and targets to the rows of the algorithm. This file is compiled once
// for each kernel.

// Dry friction of joints: rad/s^2 per 1/s of damping, and the speed (rad/s) below which it acts like damping.
static const float DRY_FRICTION = 2.5f, SLOW_TURN = 0.1f;

static inline real figure(const vrmi_step *s, uint32_t k)
{
    return LOAD(row(s->figure, k));
}
static inline float *body_of(const vrmi_step *s, uint32_t i)
{
    return s->bodies + (size_t)i * VRMI_STEP_ROWS * WIDTH;
}
static inline float *rows_of(const vrmi_step *s, uint32_t i)
{
    return vrmi_art_row(s->rows, WIDTH, i, 0);
}
static inline bool any_above_zero(const float *p)
{
    return most(p) > 0.0f;
}

// --- targets and rotations -----------------------------------------------------------------------------------------

// Computes a body's target `later` seconds before the frame's end.
static void carry_target(float *body, real later)
{
    const v3 angular = load3(row(body, VRMI_STEP_TARGET_ANGULAR));
    const q4 rotation = load4(row(body, VRMI_STEP_TARGET_ROTATION));
    const v3 center = q4_rotate(rotation, load3(row(body, VRMI_STEP_CENTER)));
    const v3 speed = v3_sub(load3(row(body, VRMI_STEP_TARGET_LINEAR)), v3_cross(angular, center));
    store3(row(body, VRMI_STEP_WANTED), v3_sub(load3(row(body, VRMI_STEP_TARGET)), v3_scale(speed, later)));
    const q4 turn = q4_from_vector(v3_scale(angular, NEG(later)));
    const mask now = AND(LT(ALL(-1e-6f), later), LT(later, ALL(1e-6f)));
    store4(row(body, VRMI_STEP_WANTED_ROTATION), q4_select(now, rotation, q4_mul(turn, rotation)));
}

// Return the mean velocity of the target in this step, which may begin in an earlier frame.
static inline v3 target_linear(float *body)
{
    return v3_sub(load3(row(body, VRMI_STEP_TARGET_LINEAR)), load3(row(body, VRMI_STEP_OWED)));
}
static inline v3 target_angular(float *body)
{
    return v3_sub(load3(row(body, VRMI_STEP_TARGET_ANGULAR)), load3(row(body, VRMI_STEP_OWED + 3)));
}

static void turn_body(float *body)
{
    const m3 turn = q4_matrix(load4(row(body, VRMI_STEP_ROTATION)));
    store9(row(body, VRMI_STEP_MATRIX), turn);
    store3(row(body, VRMI_STEP_ARM), m3_mul(turn, load3(row(body, VRMI_STEP_CENTER))));
    const v3 position = load3(row(body, VRMI_STEP_POSITION));
    store3(row(body, VRMI_STEP_PLACE), position);
    store3(row(body, VRMI_STEP_MIDST), v3_add(position, m3_mul(turn, load3(row(body, VRMI_STEP_SHAPE_CENTER)))));
    store3(row(body, VRMI_STEP_ALONG), m3_mul(turn, load3(row(body, VRMI_STEP_SHAPE_AXIS))));
    const s3 inertia = load6(row(body, VRMI_STEP_INERTIA));
    const m3 half = {s3_mul(inertia, turn.x), s3_mul(inertia, turn.y), s3_mul(inertia, turn.z)};
    store6(row(body, VRMI_STEP_TURNED), (s3){v3_dot(turn.x, half.x), v3_dot(turn.x, half.y), v3_dot(turn.x, half.z),
                                            v3_dot(turn.y, half.y), v3_dot(turn.y, half.z), v3_dot(turn.z, half.z)});
}

static void aim(const vrmi_step *s)
{
    const real later = figure(s, VRMI_FIGURE_LATER);
    for (uint32_t i = 0; i < s->tree->body_count; ++i) {
        carry_target(body_of(s, i), later);
        turn_body(body_of(s, i));
    }
}

// Computes angular momenta from angular velocities.
static void spin(const vrmi_step *s)
{
    for (uint32_t i = 0; i < s->tree->body_count; ++i) {
        float *body = body_of(s, i);
        const v3 angular = load3(row(body, VRMI_STEP_ANGULAR));
        store3(row(body, VRMI_STEP_SPIN), s3_mul(load6(row(body, VRMI_STEP_TURNED)), angular));
    }
}

// --- loads ---------------------------------------------------------------------------------------------------------

// Returns the rows of the force, and of the moment about the joint, that a joint must exert on its body and all bodies
// beyond. The solver overwrites these rows later.
static inline float *asked_of(const vrmi_step *s, uint32_t i)
{
    return row(rows_of(s, i), VRMI_ART_FELT);
}

// Computes the impulses that hold each body against gravity and give it the animation's acceleration in its current
// pose (recursive Newton-Euler: Featherstone 2008, 5.3). A joint's drive exerts its fraction of that load. The parent
// body receives a reaction only from this fraction and from the structure of a hinge.
static void find_loads(const vrmi_step *s)
{
    const real zero = ALL(0.0f), one = ALL(1.0f), h = figure(s, VRMI_FIGURE_STEP);
    const v3 fall = v3_scale(load3(row(s->figure, VRMI_FIGURE_GRAVITY)), h), none = {zero, zero, zero};
    bool any = false;
    for (uint32_t i = 0; i < s->tree->body_count; ++i) {
        any = any || any_above_zero(row(body_of(s, i), VRMI_STEP_BORNE));
        store3(row(rows_of(s, i), VRMI_ART_LOAD), none);
    }
    for (uint32_t i = 0; any && i < s->tree->body_count; ++i) {
        float *body = body_of(s, i), *asked = asked_of(s, i);
        const v3 change = v3_sub(load3(row(body, VRMI_STEP_CHANGE)), fall);
        const v3 force = v3_scale(change, LOAD(row(body, VRMI_STEP_OWN_MASS)));
        const v3 turn = load3(row(body, VRMI_STEP_CHANGE + 3));
        const s3 inertia = load6(row(body, VRMI_STEP_TURNED));
        const v3 angular = target_angular(body);
        const v3 gyroscopic = v3_scale(v3_cross(angular, s3_mul(inertia, angular)), h);
        const v3 spun = v3_add(s3_mul(inertia, turn), gyroscopic);
        store3(asked, force);
        store3(row(asked, 3), v3_add(v3_cross(load3(row(body, VRMI_STEP_ARM)), force), spun));
    }
    for (uint32_t i = s->tree->body_count - 1; any && i > 0; --i) {
        float *rows = rows_of(s, i), *asked = asked_of(s, i), *above = asked_of(s, (uint32_t)s->tree->parent[i]);
        const v3 force = load3(asked);
        v3 moment = load3(row(asked, 3));
        const real share = LOAD(row(body_of(s, i), VRMI_STEP_BORNE));
        if (s->tree->joint[i] == VRMI_ART_HINGE) {
            const v3 axis = load3(row(rows, VRMI_ART_AXIS));
            const v3 along = v3_scale(axis, v3_dot(axis, moment));
            moment = v3_sub(moment, v3_scale(along, SUB(one, share)));
        } else {
            moment = v3_scale(moment, share);
        }
        const mask held = LT(ALL(0.5f), LOAD(row(rows, VRMI_ART_HELD))), bears = LT(zero, share);
        store3(row(rows, VRMI_ART_LOAD), v3_select(bears, moment, none));
        const v3 passed = v3_add(moment, v3_cross(load3(row(rows, VRMI_ART_OFFSET)), force));
        store3(above, v3_add(load3(above), v3_select(held, none, force)));
        store3(row(above, 3), v3_add(load3(row(above, 3)), v3_select(held, none, passed)));
    }
    // The spring that pins the root to the world bears the root's load: the force, and the moment about the joint.
    float *root = body_of(s, 0);
    const real share = LOAD(row(root, VRMI_STEP_BORNE));
    const mask bears = LT(zero, share);
    for (uint32_t k = 0; k < 2; ++k) {
        const v3 borne = any ? v3_select(bears, v3_scale(load3(row(asked_of(s, 0), 3 * k)), share), none) : none;
        store3(row(root, VRMI_STEP_CARRY + 3 * k), borne);
    }
}

// --- bodies --------------------------------------------------------------------------------------------------------

// The highest speed at which a pin (a spring to the world) pulls its body, m/s at scale 1. Without this limit a body
// far from its target would jump, and might pull a limb through the ground.
static const float PIN_SPEED = 1.0f;

// Computes a body's springs to the world: the mass and moment of inertia that resist them, and their impulses at the
// body's origin. Every pin is sized for the mass of the whole figure, since the whole figure may hang from it. The
// figure then sags by g / w^2. (A hand's pin sized for the bodies below the hand would carry 0.3 kg, and hardly more
// with the articulated inertia.)
static void find_hold(const vrmi_step *s, uint32_t i)
{
    float *body = body_of(s, i);
    const real zero = ALL(0.0f), h = figure(s, VRMI_FIGURE_STEP), ratio = LOAD(row(body, VRMI_STEP_RATIO));
    const q4 wanted = load4(row(body, VRMI_STEP_WANTED_ROTATION));
    const v3 angular = target_angular(body);
    const v3 center = q4_rotate(wanted, load3(row(body, VRMI_STEP_CENTER)));
    const v3 speed = v3_sub(target_linear(body), v3_cross(angular, center));
    const v3 off = v3_sub(load3(row(body, VRMI_STEP_WANTED)), load3(row(body, VRMI_STEP_POSITION)));
    // With a joint's damping ratio a pin would oscillate, so it is at least critically damped.
    const real w = LOAD(row(body, VRMI_STEP_PIN)), held = figure(s, VRMI_FIGURE_MASS), steady = MAX(ratio, ALL(2.0f));
    const real pull = MUL(MUL(w, w), h), damping = MUL(MUL(steady, w), h);
    const real most = MUL(MUL(ALL(PIN_SPEED), figure(s, VRMI_FIGURE_SCALE)), DIV(steady, MAX(w, ALL(1e-3f))));
    const real far = SQRT(v3_dot(off, off));
    const v3 way = v3_select(LT(most, far), v3_scale(off, DIV(most, MAX(far, ALL(1e-6f)))), off);
    STORE(row(body, VRMI_STEP_HOLD), MUL(held, ADD(MUL(pull, h), damping)));
    v3 drawn = v3_scale(v3_add(v3_scale(way, pull), v3_scale(speed, damping)), held);
    drawn = i == 0 ? v3_add(drawn, load3(row(body, VRMI_STEP_CARRY))) : drawn;
    store3(row(body, VRMI_STEP_HOLD + 2), drawn);
    // No joint holds the root, so a spring to the world holds its rotation.
    const real u = i == 0 ? LOAD(row(body, VRMI_STEP_FREQUENCY)) : zero;
    const real turn_pull = MUL(MUL(u, u), h), turn_damping = MUL(MUL(ratio, u), h);
    const v3 error = q4_to_vector(q4_mul(wanted, q4_conjugate(load4(row(body, VRMI_STEP_ROTATION)))));
    const real inertia = LOAD(row(body, VRMI_STEP_HELD_INERTIA));
    const v3 asked = v3_scale(v3_add(v3_scale(error, turn_pull), v3_scale(angular, turn_damping)), inertia);
    const real strength = MUL(LOAD(row(body, VRMI_STEP_STRENGTH)), h);
    const real length = SQRT(v3_dot(asked, asked));
    const mask weak = AND(LT(zero, strength), LT(strength, length));
    const real part = SELECT(weak, DIV(strength, MAX(length, ALL(1e-20f))), ALL(1.0f));
    STORE(row(body, VRMI_STEP_HOLD + 1), MUL(MUL(inertia, ADD(MUL(turn_pull, h), turn_damping)), part));
    const v3 turned = v3_scale(asked, part);
    store3(row(body, VRMI_STEP_HOLD + 5), i == 0 ? v3_add(turned, load3(row(body, VRMI_STEP_CARRY + 3))) : turned);
}

static void prepare_body(const vrmi_step *s, uint32_t i)
{
    float *body = body_of(s, i), *out = rows_of(s, i);
    const v3 arm = load3(row(body, VRMI_STEP_ARM));
    const real mass = LOAD(row(body, VRMI_STEP_OWN_MASS)), square = v3_dot(arm, arm);
    s3 inertia = s3_add(load6(row(body, VRMI_STEP_TURNED)),
        s3_scale((s3){SUB(square, MUL(arm.x, arm.x)), NEG(MUL(arm.x, arm.y)), NEG(MUL(arm.x, arm.z)),
                     SUB(square, MUL(arm.y, arm.y)), NEG(MUL(arm.y, arm.z)), SUB(square, MUL(arm.z, arm.z))},
            mass));
    const v3 fall = v3_scale(load3(row(s->figure, VRMI_FIGURE_GRAVITY)), figure(s, VRMI_FIGURE_STEP));
    v3 linear = v3_scale(v3_add(load3(row(body, VRMI_STEP_LINEAR)), fall), mass);
    linear = v3_add(linear, load3(row(body, VRMI_STEP_BLOW)));
    const v3 spin = v3_add(load3(row(body, VRMI_STEP_SPIN)), load3(row(body, VRMI_STEP_BLOW + 3)));
    v3 angular = v3_add(spin, v3_cross(arm, linear));
    real whole = mass;
    if (any_above_zero(row(body, VRMI_STEP_PIN)) || (i == 0 && any_above_zero(row(body, VRMI_STEP_FREQUENCY)))) {
        find_hold(s, i);
        const real zero = ALL(0.0f), u = i == 0 ? LOAD(row(body, VRMI_STEP_FREQUENCY)) : zero;
        const mask pinned = OR(LT(zero, LOAD(row(body, VRMI_STEP_PIN))), LT(zero, u));
        const real more = LOAD(row(body, VRMI_STEP_HOLD + 1));
        whole = SELECT(pinned, ADD(mass, LOAD(row(body, VRMI_STEP_HOLD))), mass);
        inertia = s3_select(pinned, s3_add(inertia, (s3){more, zero, zero, more, zero, more}), inertia);
        angular = v3_select(pinned, v3_add(angular, load3(row(body, VRMI_STEP_HOLD + 5))), angular);
        linear = v3_select(pinned, v3_add(linear, load3(row(body, VRMI_STEP_HOLD + 2))), linear);
    }
    STORE(row(out, VRMI_ART_MASS), whole);
    store3(row(out, VRMI_ART_MASS_CENTER), v3_scale(arm, mass));
    store6(row(out, VRMI_ART_INERTIA), inertia);
    store3(row(out, VRMI_ART_MOMENTUM), angular);
    store3(row(out, VRMI_ART_MOMENTUM + 3), linear);
}

// Gives a held body the velocity with which it reaches its target at the step's end.
static void prepare_held(const vrmi_step *s, uint32_t i)
{
    float *body = body_of(s, i), *out = rows_of(s, i);
    if (!any_above_zero(row(out, VRMI_ART_HELD))) {
        return; // VELOCITY is overwritten later
    }
    const real rate = figure(s, VRMI_FIGURE_RATE);
    const q4 turn =
        q4_mul(load4(row(body, VRMI_STEP_WANTED_ROTATION)), q4_conjugate(load4(row(body, VRMI_STEP_ROTATION))));
    const v3 way = v3_sub(load3(row(body, VRMI_STEP_WANTED)), load3(row(body, VRMI_STEP_POSITION)));
    store3(row(out, VRMI_ART_VELOCITY), v3_scale(q4_to_vector(turn), rate));
    store3(row(out, VRMI_ART_VELOCITY + 3), v3_scale(way, rate));
}

// --- joints --------------------------------------------------------------------------------------------------------

// A pinned body whose target is slower stands, m/s at scale 1.
static const float STANDING_SPEED = 0.3f;

// Writes the spring of the joint's drive.
static void prepare_drive(const vrmi_step *s, uint32_t i)
{
    float *body = body_of(s, i), *out = rows_of(s, i), *up = body_of(s, (uint32_t)s->tree->parent[i]);
    const real zero = ALL(0.0f), h = figure(s, VRMI_FIGURE_STEP);
    if (!any_above_zero(row(body, VRMI_STEP_FREQUENCY))) {
        STORE(row(out, VRMI_ART_SPRING), zero);
        STORE(row(out, VRMI_ART_STRENGTH), zero);
        store3(row(out, VRMI_ART_WANTED), (v3){zero, zero, zero});
        return;
    }
    const real w = LOAD(row(body, VRMI_STEP_FREQUENCY));
    const real pull = MUL(MUL(w, w), h), damping = MUL(MUL(LOAD(row(body, VRMI_STEP_RATIO)), w), h);
    // Rotates from the parent's target rotation to the parent's current rotation.
    const q4 turn = q4_mul(load4(row(up, VRMI_STEP_ROTATION)), q4_conjugate(load4(row(up, VRMI_STEP_WANTED_ROTATION))));
    q4 wanted = q4_mul(turn, load4(row(body, VRMI_STEP_WANTED_ROTATION)));
    v3 speed = q4_rotate(turn, v3_sub(target_angular(body), target_angular(up)));
    if (any_above_zero(row(body, VRMI_STEP_PIN))) {
        // A pinned body that stands keeps its rotation in the world, so a foot does not turn with its leg. The parent's
        // velocity at the step's end is expected to change as its target's does.
        const v3 going = load3(row(body, VRMI_STEP_TARGET_LINEAR));
        const real slow = MUL(ALL(STANDING_SPEED), figure(s, VRMI_FIGURE_SCALE));
        const mask stands = AND(LT(zero, LOAD(row(body, VRMI_STEP_PIN))), LT(v3_dot(going, going), MUL(slow, slow)));
        wanted = q4_select(stands, load4(row(body, VRMI_STEP_WANTED_ROTATION)), wanted);
        const v3 carried = v3_add(load3(row(up, VRMI_STEP_ANGULAR)), load3(row(up, VRMI_STEP_CHANGE + 3)));
        speed = v3_select(stands, v3_sub(target_angular(body), carried), speed);
    }
    const v3 error = q4_to_vector(q4_mul(wanted, q4_conjugate(load4(row(body, VRMI_STEP_ROTATION)))));
    const mask driven = LT(zero, w);
    STORE(row(out, VRMI_ART_SPRING), ADD(MUL(pull, h), damping));
    STORE(row(out, VRMI_ART_STRENGTH), SELECT(driven, MUL(LOAD(row(body, VRMI_STEP_STRENGTH)), h), zero));
    v3 asked = v3_add(v3_scale(error, pull), v3_scale(speed, damping));
    if (s->tree->joint[i] == VRMI_ART_HINGE) { // the spring's velocity is that about the axis
        asked = v3_sub(asked, v3_scale(load3(row(out, VRMI_ART_BENDING)), LOAD(row(out, VRMI_ART_SPRING))));
    }
    store3(row(out, VRMI_ART_WANTED), v3_select(driven, asked, (v3){zero, zero, zero}));
}

// Damping, 1/s: the host's setting, plus dry friction. Dry friction slows by the same amount per second at any speed,
// and so stops motion that damping alone would never end.
static real joint_friction(const vrmi_step *s, float *body, float *up)
{
    const real viscous = MUL(figure(s, VRMI_FIGURE_FRICTION), LOAD(row(body, VRMI_STEP_OWN_FRICTION)));
    const v3 relative = v3_sub(load3(row(body, VRMI_STEP_ANGULAR)), load3(row(up, VRMI_STEP_ANGULAR)));
    const real speed = MAX(SQRT(v3_dot(relative, relative)), ALL(SLOW_TURN));
    // A driven joint has its own damper. Dry friction would stop the swing of a soft drive.
    const real rubs = SUB(ALL(1.0f), LOAD(row(body, VRMI_STEP_BORNE)));
    const real all = ADD(viscous, DIV(MUL(ALL(DRY_FRICTION), viscous), speed));
    return MUL(MUL(all, rubs), figure(s, VRMI_FIGURE_STEP));
}

static void prepare_joint(const vrmi_step *s, uint32_t i)
{
    float *body = body_of(s, i), *out = rows_of(s, i), *up = body_of(s, (uint32_t)s->tree->parent[i]);
    store3(row(out, VRMI_ART_OFFSET), v3_sub(load3(row(body, VRMI_STEP_POSITION)), load3(row(up, VRMI_STEP_POSITION))));
    store3(row(out, VRMI_ART_SLIDE), m3_mul(load9(row(up, VRMI_STEP_MATRIX)), load3(row(body, VRMI_STEP_SLIDE))));
    if (s->tree->joint[i] == VRMI_ART_HINGE) {
        const m3 parent = load9(row(up, VRMI_STEP_MATRIX));
        store3(row(out, VRMI_ART_AXIS), m3_mul(parent, load3(row(body, VRMI_STEP_AXIS))));
        store3(row(out, VRMI_ART_BENDING), m3_mul(parent, load3(row(body, VRMI_STEP_BENDING))));
    }
    STORE(row(out, VRMI_ART_FRICTION), joint_friction(s, body, up));
    prepare_drive(s, i);
}

static void prepare(const vrmi_step *s)
{
    const real zero = ALL(0.0f);
    for (uint32_t i = 0; i < s->tree->body_count; ++i) {
        prepare_held(s, i);
        STORE(row(rows_of(s, i), VRMI_ART_LIMIT_COUNT), zero);
        STORE(row(rows_of(s, i), VRMI_ART_CONTACT_COUNT), zero);
        if (i == 0) {
            store3(row(rows_of(s, i), VRMI_ART_OFFSET), (v3){zero, zero, zero});
            STORE(row(rows_of(s, i), VRMI_ART_SPRING), zero);
        } else {
            prepare_joint(s, i);
        }
    }
    find_loads(s);
    for (uint32_t i = 0; i < s->tree->body_count; ++i) {
        prepare_body(s, i);
    }
}
