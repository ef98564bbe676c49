// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The end of a step: bodies rotate with the new velocities; positions follow from the root's position and the joints.
// This file is compiled once for each kernel.

// Half of a step's rotation is small, so a normalised first-order step suffices: its error is a third of the cube of
// that angle.
static inline q4 turned(q4 q, v3 angular, real h)
{
    const v3 half = v3_scale(angular, MUL(ALL(0.5f), h));
    const q4 d = q4_mul((q4){half.x, half.y, half.z, ALL(0.0f)}, q);
    return q4_normalize((q4){ADD(q.x, d.x), ADD(q.y, d.y), ADD(q.z, d.z), ADD(q.w, d.w)});
}

// Keeps only two components of a hinge's rotation: its bend and the rotation about its axis. The remainder comes from
// rounding and the finite step.
static inline q4 on_axis(q4 parent, q4 child, v3 axis, q4 bend)
{
    const q4 q = q4_mul(q4_mul(q4_conjugate(parent), child), q4_conjugate(bend));
    const real along = v3_dot((v3){q.x, q.y, q.z}, axis);
    const q4 turn = q4_normalize((q4){MUL(axis.x, along), MUL(axis.y, along), MUL(axis.z, along), q.w});
    return q4_normalize(q4_mul(parent, q4_mul(turn, bend)));
}

static void keep_contacts(const vrmi_step *s, uint32_t i)
{
    const real zero = ALL(0.0f), count = LOAD(row(rows_of(s, i), VRMI_ART_CONTACT_COUNT));
    for (uint32_t k = 0; k < VRMI_ART_CONTACTS; ++k) {
        float *contact = row(vrmi_art_contact(s->contacts, WIDTH, i), k * VRMI_ART_CONTACT_ROWS);
        float *last = row(body_of(s, i), VRMI_STEP_LAST + 3 * k);
        const mask used = LT(ALL((float)k), count);
        STORE(last, SELECT(used, LOAD(row(contact, VRMI_ART_CONTACT_FEATURE)), zero));
        STORE(row(last, 1), SELECT(used, LOAD(row(contact, VRMI_ART_CONTACT_PUSH)), zero));
        STORE(row(last, 2), SELECT(used, LOAD(row(contact, VRMI_ART_CONTACT_DRAG)), zero));
    }
}

static void keep_limits(const vrmi_step *s, uint32_t i)
{
    const real zero = ALL(0.0f), one = ALL(1.0f), count = LOAD(row(rows_of(s, i), VRMI_ART_LIMIT_COUNT));
    for (uint32_t k = 0; k < VRMI_ART_LIMITS; ++k) {
        const uint32_t push = VRMI_ART_LIMIT + k * VRMI_ART_LIMIT_ROWS + VRMI_ART_LIMIT_PUSH;
        const mask pushed = AND(LT(ALL((float)k), count), LT(zero, LOAD(row(rows_of(s, i), push))));
        STORE(row(body_of(s, i), VRMI_STEP_LIMITED + k), SELECT(pushed, one, zero));
    }
}

// Whether gravity is the only external force on the ragdoll. In that case the centre of mass follows its parabola
// exactly, to the last bit of a float, however the limbs move.
static mask flies(const vrmi_step *s)
{
    const real zero = ALL(0.0f);
    real outside = zero;
    for (uint32_t i = 0; i < s->tree->body_count; ++i) {
        float *body = body_of(s, i);
        outside = ADD(outside, ADD(LOAD(row(rows_of(s, i), VRMI_ART_HELD)), LOAD(row(body, VRMI_STEP_PIN))));
        for (uint32_t k = 0; k < VRMI_ART_CONTACTS; ++k) {
            outside = ADD(outside, LOAD(row(body, VRMI_STEP_LAST + 3 * k + 1)));
        }
    }
    return LT(outside, ALL(1e-30f));
}

static inline v3 weighed_center(float *body, v3 arm)
{
    return v3_scale(v3_add(load3(row(body, VRMI_STEP_POSITION)), arm), LOAD(row(body, VRMI_STEP_OWN_MASS)));
}

// Computes new velocities and rotations, and the positions of the root and of held bodies.
static void turn_bodies(const vrmi_step *s)
{
    const real h = figure(s, VRMI_FIGURE_STEP);
    for (uint32_t i = 0; i < s->tree->body_count; ++i) {
        float *body = body_of(s, i), *rows = rows_of(s, i);
        const v3 angular = load3(row(rows, VRMI_ART_VELOCITY)), arm = load3(row(body, VRMI_STEP_ARM));
        const v3 linear = v3_add(load3(row(rows, VRMI_ART_VELOCITY + 3)), v3_cross(angular, arm));
        store3(row(body, VRMI_STEP_ANGULAR), angular);
        store3(row(body, VRMI_STEP_LINEAR), linear);
        store3(row(body, VRMI_STEP_SPIN), s3_mul(load6(row(body, VRMI_STEP_TURNED)), angular));
        q4 rotation = turned(load4(row(body, VRMI_STEP_ROTATION)), angular, h);
        if (i != 0 && s->tree->joint[i] == VRMI_ART_HINGE) {
            float *up = body_of(s, (uint32_t)s->tree->parent[i]);
            rotation = on_axis(load4(row(up, VRMI_STEP_ROTATION)), rotation, load3(row(body, VRMI_STEP_AXIS)),
                load4(row(body, VRMI_STEP_BEND)));
        }
        const mask held = LT(ALL(0.5f), LOAD(row(rows, VRMI_ART_HELD)));
        rotation = q4_select(held, load4(row(body, VRMI_STEP_WANTED_ROTATION)), rotation);
        store4(row(body, VRMI_STEP_ROTATION), rotation);
        v3 place = load3(row(body, VRMI_STEP_POSITION));
        if (i == 0) {
            // The root's centre of mass moves in a straight line, and the root's joint rotates about it.
            const v3 there = v3_add(v3_add(place, arm), v3_scale(linear, h));
            place = v3_sub(there, q4_rotate(rotation, load3(row(body, VRMI_STEP_CENTER))));
        }
        store3(row(body, VRMI_STEP_POSITION), v3_select(held, load3(row(body, VRMI_STEP_WANTED)), place));
    }
}

static void place_bodies(const vrmi_step *s)
{
    const real later = figure(s, VRMI_FIGURE_LATER);
    for (uint32_t i = 1; i < s->tree->body_count; ++i) {
        float *body = body_of(s, i), *up = body_of(s, (uint32_t)s->tree->parent[i]);
        const v3 now = v3_sub(load3(row(body, VRMI_STEP_ANCHOR)), v3_scale(load3(row(body, VRMI_STEP_SLIDE)), later));
        const v3 anchor = q4_rotate(load4(row(up, VRMI_STEP_ROTATION)), now);
        const mask held = LT(ALL(0.5f), LOAD(row(rows_of(s, i), VRMI_ART_HELD)));
        const v3 place = v3_add(load3(row(up, VRMI_STEP_POSITION)), anchor);
        store3(row(body, VRMI_STEP_POSITION), v3_select(held, load3(row(body, VRMI_STEP_POSITION)), place));
    }
}

// Moves all bodies so that the common centre of mass follows its momentum. `before` is the previous position of that
// centre times the mass.
static void correct_flight(const vrmi_step *s, v3 before, mask flying)
{
    const real zero = ALL(0.0f), h = figure(s, VRMI_FIGURE_STEP);
    v3 wanted = before, is = {zero, zero, zero};
    for (uint32_t i = 0; i < s->tree->body_count; ++i) {
        float *body = body_of(s, i);
        const real mass = LOAD(row(body, VRMI_STEP_OWN_MASS));
        wanted = v3_add(wanted, v3_scale(load3(row(body, VRMI_STEP_LINEAR)), MUL(mass, h)));
        const q4 rotation = load4(row(body, VRMI_STEP_ROTATION));
        is = v3_add(is, weighed_center(body, q4_rotate(rotation, load3(row(body, VRMI_STEP_CENTER)))));
    }
    const v3 off = v3_scale(v3_sub(wanted, is), DIV(ALL(1.0f), figure(s, VRMI_FIGURE_MASS)));
    for (uint32_t i = 0; i < s->tree->body_count; ++i) {
        float *place = row(body_of(s, i), VRMI_STEP_POSITION);
        store3(place, v3_select(flying, v3_add(load3(place), off), load3(place)));
    }
}

// Computes the squares of the ragdoll's highest speeds, which show whether it is still. Also computes the sum of its
// state, which is finite only if every value is finite.
static void measure(const vrmi_step *s)
{
    const real zero = ALL(0.0f);
    real speed = zero, turn = zero, sum = zero;
    for (uint32_t i = 0; i < s->tree->body_count; ++i) {
        float *body = body_of(s, i);
        const v3 linear = load3(row(body, VRMI_STEP_LINEAR)), angular = load3(row(body, VRMI_STEP_ANGULAR));
        const v3 place = load3(row(body, VRMI_STEP_POSITION)), spin = load3(row(body, VRMI_STEP_SPIN));
        const q4 q = load4(row(body, VRMI_STEP_ROTATION));
        const v3 all = v3_add(v3_add(place, linear), v3_add(angular, spin));
        speed = MAX(v3_dot(linear, linear), speed);
        turn = MAX(v3_dot(angular, angular), turn);
        sum = ADD(sum, ADD(ADD(all.x, all.y), ADD(all.z, ADD(ADD(q.x, q.y), ADD(q.z, q.w)))));
    }
    STORE(row(s->figure, VRMI_FIGURE_SPEED), speed);
    STORE(row(s->figure, VRMI_FIGURE_TURN), turn);
    STORE(row(s->figure, VRMI_FIGURE_SUM), sum);
}

static void integrate(const vrmi_step *s)
{
    const real zero = ALL(0.0f);
    v3 before = {zero, zero, zero};
    for (uint32_t i = 0; i < s->tree->body_count; ++i) {
        float *body = body_of(s, i);
        keep_contacts(s, i);
        keep_limits(s, i);
        before = v3_add(before, weighed_center(body, load3(row(body, VRMI_STEP_ARM))));
        const v3 none = {zero, zero, zero};
        for (uint32_t k = 0; k < 6; k += 3) {
            store3(row(body, VRMI_STEP_BLOW + k), none);
            store3(row(body, VRMI_STEP_CHANGE + k), load3(row(body, VRMI_STEP_OWED + k)));
            store3(row(body, VRMI_STEP_OWED + k), none);
        }
    }
    const mask flying = flies(s);
    turn_bodies(s);
    place_bodies(s);
    if (BITS(flying) != 0) {
        correct_flight(s, before, flying);
    }
    measure(s);
}
