// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The algorithm of articulated.h. This file is included once per width, after real_one.h or real_eight.h and
// real_vector.h. VRMI_ART_KERNEL is the name of the function that it defines.

#include "math/articulated.h"

// Inertia [J C; C' M] and momentum of a body with all its descendants.
typedef struct articulated {
    s3 j;
    m3 c;
    s3 m;
    v3 angular, linear;
} articulated;

static inline articulated load_sum(const float *p)
{
    return (articulated){
        load6(p), load9(p + 6 * WIDTH), load6(p + 15 * WIDTH), load3(p + 21 * WIDTH), load3(p + 24 * WIDTH)};
}
static inline void store_sum(float *p, const articulated *a)
{
    store6(p, a->j);
    store3(p + 6 * WIDTH, a->c.x);
    store3(p + 9 * WIDTH, a->c.y);
    store3(p + 12 * WIDTH, a->c.z);
    store6(p + 15 * WIDTH, a->m);
    store3(p + 21 * WIDTH, a->angular);
    store3(p + 24 * WIDTH, a->linear);
}
static inline ldl load_factor(const float *p)
{
    return (ldl){LOAD(p), LOAD(p + WIDTH), LOAD(p + 2 * WIDTH), load3(p + 3 * WIDTH)};
}
static inline void store_factor(float *p, const ldl *f)
{
    store3(p, (v3){f->l21, f->l31, f->l32});
    store3(p + 3 * WIDTH, f->inverse);
}

// --- inwards -------------------------------------------------------------------------------------------------------

static articulated own(float *body)
{
    const v3 mc = load3(row(body, VRMI_ART_MASS_CENTER));
    const real mass = LOAD(row(body, VRMI_ART_MASS)), zero = ALL(0.0f);
    return (articulated){
        load6(row(body, VRMI_ART_INERTIA)),
        {{zero, NEG(mc.z), mc.y}, {mc.z, zero, NEG(mc.x)}, {NEG(mc.y), mc.x, zero}},
        {mass, zero, zero, mass, zero, mass},
        load3(row(body, VRMI_ART_MOMENTUM)),
        load3(row(body, VRMI_ART_MOMENTUM + 3)),
    };
}

// Adds the inertia [0 0; 0 w] and the linear momentum `linear` at `p` from the origin.
static inline void add_at(articulated *a, v3 p, s3 w, v3 linear)
{
    const m3 c = cross_s3(p, w);
    a->j = s3_add(a->j, m3_upper(cross_m3(p, m3_transpose(c))));
    a->c = m3_add(a->c, c);
    a->m = s3_add(a->m, w);
    a->angular = v3_add(a->angular, v3_cross(p, linear));
    a->linear = v3_add(a->linear, linear);
}

static void add_contact(articulated *a, float *contact)
{
    const v3 normal = load3(row(contact, VRMI_ART_CONTACT_NORMAL));
    const real push = LOAD(row(contact, VRMI_ART_CONTACT_PUSH)), drag = LOAD(row(contact, VRMI_ART_CONTACT_DRAG));
    const real zero = ALL(0.0f);
    const s3 w = s3_add(s3_outer(normal, SUB(push, drag)), (s3){drag, zero, zero, drag, zero, drag});
    const v3 asked = v3_add(s3_mul(w, load3(row(contact, VRMI_ART_CONTACT_SURFACE))),
        v3_scale(normal, MUL(push, LOAD(row(contact, VRMI_ART_CONTACT_TARGET)))));
    add_at(a, load3(row(contact, VRMI_ART_CONTACT_POINT)), w, asked);
}

// Returns the inertia and momentum of a body with its contacts. Most contacts only may touch, and do not act. A lane
// whose contact does not act keeps its bits, even beside a lane whose contact acts.
static articulated with_contacts(float *body, float *contacts)
{
    articulated a = own(body);
    const real counts = LOAD(row(body, VRMI_ART_CONTACT_COUNT));
    const uint32_t count = (uint32_t)most(row(body, VRMI_ART_CONTACT_COUNT));
    for (uint32_t i = 0; i < count; ++i) {
        float *contact = row(contacts, i * VRMI_ART_CONTACT_ROWS);
        const real act = ADD(LOAD(row(contact, VRMI_ART_CONTACT_PUSH)), LOAD(row(contact, VRMI_ART_CONTACT_DRAG)));
        const mask has = AND(LT(ALL((float)i), counts), LT(ALL(0.0f), act));
        if (BITS(has) == 0) {
            continue;
        }
        articulated more = a;
        add_contact(&more, contact);
        a.j = s3_select(has, more.j, a.j);
        a.c = m3_select(has, more.c, a.c);
        a.m = s3_select(has, more.m, a.m);
        a.angular = v3_select(has, more.angular, a.angular);
        a.linear = v3_select(has, more.linear, a.linear);
    }
    return a;
}

// Returns the inertia and momentum of a body alone, before its descendants are added.
static articulated start(float *body, float *contacts, vrmi_art_pass pass)
{
    return pass == VRMI_ART_PASS_FREE ? own(body) : with_contacts(body, contacts);
}

// Computes mass, centre of mass and inertia of each body with all its descendants. At first a joint moves only the
// articulated inertia, which is smaller. But while a drive acts, the drives of the joints further out hold their bodies
// nearly rigid. Gains computed from the whole inertia therefore give hips, spine and hands the same response time. A
// joint that is driven more softly than its parent's joint is taken as less rigid in proportion. A limp joint adds only
// its mass, at the joint.
static void find_whole(const vrmi_art_tree *tree, float *rows)
{
    const real zero = ALL(0.0f);
    for (uint32_t i = 0; i < tree->body_count; ++i) {
        float *body = vrmi_art_row(rows, WIDTH, i, 0), *whole = row(body, VRMI_ART_WHOLE);
        STORE(whole, LOAD(row(body, VRMI_ART_MASS)));
        store3(row(whole, 1), load3(row(body, VRMI_ART_MASS_CENTER)));
        store6(row(whole, 4), load6(row(body, VRMI_ART_INERTIA)));
    }
    for (uint32_t i = tree->body_count - 1; i > 0; --i) {
        float *body = vrmi_art_row(rows, WIDTH, i, 0), *whole = row(body, VRMI_ART_WHOLE);
        float *sum = row(vrmi_art_row(rows, WIDTH, (uint32_t)tree->parent[i], 0), VRMI_ART_WHOLE);
        const v3 r = load3(row(body, VRMI_ART_OFFSET));
        const mask held = LT(zero, LOAD(row(body, VRMI_ART_HELD)));
        const real mass = SELECT(held, zero, LOAD(whole));
        const real asked = LOAD(vrmi_art_row(rows, WIDTH, (uint32_t)tree->parent[i], VRMI_ART_SPRING));
        const real firm = MIN(DIV(LOAD(row(body, VRMI_ART_SPRING)), MAX(asked, ALL(1e-20f))), ALL(1.0f));
        const real share = SELECT(held, zero, firm);
        const v3 mc = v3_scale(load3(row(whole, 1)), share), far = v3_scale(r, mass);
        // J + 2 (mc . r) 1 - mc r' - r mc' + mass (r . r 1 - r r')
        const v3 both = v3_add(v3_scale(mc, ALL(2.0f)), far);
        const real square = v3_dot(both, r);
        const s3 spread = {SUB(square, MUL(both.x, r.x)), MUL(ALL(-0.5f), ADD(MUL(both.x, r.y), MUL(both.y, r.x))),
            MUL(ALL(-0.5f), ADD(MUL(both.x, r.z), MUL(both.z, r.x))), SUB(square, MUL(both.y, r.y)),
            MUL(ALL(-0.5f), ADD(MUL(both.y, r.z), MUL(both.z, r.y))), SUB(square, MUL(both.z, r.z))};
        STORE(sum, ADD(LOAD(sum), mass));
        store3(row(sum, 1), v3_add(load3(row(sum, 1)), v3_add(mc, far)));
        store6(row(sum, 4), s3_add(load6(row(sum, 4)), s3_add(s3_scale(load6(row(whole, 4)), share), spread)));
    }
}

// A joint's drive and damping: stiffness `k` and right-hand side `t`.
typedef struct resistance {
    s3 k;
    v3 t;
} resistance;

static resistance drive_of(float *body, vrmi_art_pass pass, const articulated *a)
{
    s3 moved = a->j;
    if (pass == VRMI_ART_PASS_FREE) {
        if (most(row(body, VRMI_ART_SPRING)) > 0.0f) {
            const mask driven = LT(ALL(0.0f), LOAD(row(body, VRMI_ART_SPRING)));
            moved = s3_select(driven, load6(row(body, VRMI_ART_WHOLE + 4)), moved);
        }
        store6(row(body, VRMI_ART_MOVED), moved);
    } else {
        moved = load6(row(body, VRMI_ART_MOVED));
    }
    const real part = LOAD(row(body, VRMI_ART_PART));
    const real gain = ADD(MUL(part, LOAD(row(body, VRMI_ART_SPRING))), LOAD(row(body, VRMI_ART_FRICTION)));
    const v3 spring = s3_mul(moved, v3_scale(load3(row(body, VRMI_ART_WANTED)), part));
    return (resistance){s3_scale(moved, gain), v3_add(spring, load3(row(body, VRMI_ART_LOAD)))};
}

// Returns the inertia and momentum that act on the parent through a joint with three axes.
static articulated through_ball(float *body, vrmi_art_pass pass, const articulated *a)
{
    resistance r = drive_of(body, pass, a);
    const uint32_t limits = pass == VRMI_ART_PASS_FREE ? 0 : (uint32_t)most(row(body, VRMI_ART_LIMIT_COUNT));
    for (uint32_t i = 0; i < limits; ++i) {
        float *limit = row(body, VRMI_ART_LIMIT + i * VRMI_ART_LIMIT_ROWS);
        const v3 axis = load3(row(limit, VRMI_ART_LIMIT_AXIS));
        const real push = LOAD(row(limit, VRMI_ART_LIMIT_PUSH));
        const mask on = LT(ALL(0.0f), push);
        r.k = s3_select(on, s3_add(r.k, s3_outer(axis, push)), r.k);
        const v3 t = v3_add(r.t, v3_scale(axis, MUL(push, LOAD(row(limit, VRMI_ART_LIMIT_TARGET)))));
        r.t = v3_select(on, t, r.t);
    }
    const ldl f = s3_factor(s3_add(a->j, r.k));
    const v3 right = v3_add(r.t, a->angular);
    store_factor(row(body, VRMI_ART_FACTOR), &f);
    store3(row(body, VRMI_ART_FACTOR + 6), right);
    // The reduction that a Cholesky factorization of the whole inertia would subtract.
    const m3 j = ldl_forward_m3(&f, s3_rows(a->j)), c = ldl_forward_m3(&f, a->c);
    const m3 j_scaled = ldl_scale_m3(&f, j), c_scaled = ldl_scale_m3(&f, c);
    const v3 x = ldl_scale(&f, ldl_forward(&f, right));
    return (articulated){
        s3_sub(a->j, m3_mul_symmetric(j, j_scaled)),
        m3_sub(a->c, m3_mul_m3(m3_transpose(j), c_scaled)),
        s3_sub(a->m, m3_mul_symmetric(c, c_scaled)),
        v3_sub(a->angular, m3_mul_transposed(j, x)),
        v3_sub(a->linear, m3_mul_transposed(c, x)),
    };
}

// Returns the inertia and momentum that act on the parent through a hinge.
static articulated through_hinge(float *body, vrmi_art_pass pass, const articulated *a)
{
    const v3 axis = load3(row(body, VRMI_ART_AXIS));
    const resistance r = drive_of(body, pass, a);
    real k = v3_dot(axis, s3_mul(r.k, axis)), t = v3_dot(axis, r.t);
    const uint32_t limits = pass == VRMI_ART_PASS_FREE ? 0 : (uint32_t)most(row(body, VRMI_ART_LIMIT_COUNT));
    for (uint32_t i = 0; i < limits; ++i) {
        float *limit = row(body, VRMI_ART_LIMIT + i * VRMI_ART_LIMIT_ROWS);
        const real push = LOAD(row(limit, VRMI_ART_LIMIT_PUSH)), sign = LOAD(row(limit, VRMI_ART_LIMIT_AXIS));
        const mask on = LT(ALL(0.0f), push);
        k = SELECT(on, ADD(k, push), k);
        t = SELECT(on, ADD(t, MUL(MUL(sign, push), LOAD(row(limit, VRMI_ART_LIMIT_TARGET)))), t);
    }
    const v3 u = s3_mul(a->j, axis), w = m3_mul_transposed(a->c, axis);
    const real inverse = DIV(ALL(1.0f), MAX(ADD(v3_dot(axis, u), k), ALL(1e-20f)));
    const real right = ADD(t, v3_dot(axis, a->angular));
    const real x = MUL(inverse, right);
    float *factor = row(body, VRMI_ART_FACTOR);
    STORE(factor, inverse);
    store3(row(factor, 1), u);
    store3(row(factor, 4), w);
    STORE(row(factor, 7), right);
    const v3 scaled = v3_scale(u, inverse);
    return (articulated){
        s3_sub(a->j, s3_outer(u, inverse)),
        m3_sub(a->c, (m3){v3_scale(w, scaled.x), v3_scale(w, scaled.y), v3_scale(w, scaled.z)}),
        s3_sub(a->m, s3_outer(w, inverse)),
        v3_sub(a->angular, v3_scale(u, x)),
        v3_sub(a->linear, v3_scale(w, x)),
    };
}

// Moves the reference point of `a` from the body's origin to the parent's origin. `r` is the body's origin relative to
// the parent's.
static articulated felt_by_parent(const articulated *a, v3 r)
{
    // J - C r~ + r~ C' - r~ M r~, with C r~ = -(r~ C')'.
    const m3 turned = cross_m3(r, m3_transpose(a->c));
    const m3 far = cross_m3(r, m3_transpose(cross_s3(r, a->m)));
    return (articulated){
        s3_add(s3_add(a->j, m3_upper(far)), m3_upper(m3_add(turned, m3_transpose(turned)))),
        m3_add(a->c, cross_s3(r, a->m)),
        a->m,
        v3_add(a->angular, v3_cross(r, a->linear)),
        a->linear,
    };
}

// Adds a child's inertia and momentum to its parent, except in lanes where the child is held.
static articulated add_felt(const articulated *p, const articulated *felt, mask held)
{
    return (articulated){
        s3_select(held, p->j, s3_add(p->j, felt->j)),
        m3_select(held, p->c, m3_add(p->c, felt->c)),
        s3_select(held, p->m, s3_add(p->m, felt->m)),
        v3_select(held, p->angular, v3_add(p->angular, felt->angular)),
        v3_select(held, p->linear, v3_add(p->linear, felt->linear)),
    };
}

// --- outwards ------------------------------------------------------------------------------------------------------

typedef struct twist {
    v3 angular, linear;
} twist;

static twist root_velocity(float *body)
{
    const articulated a = load_sum(row(body, VRMI_ART_SUM));
    const ldl m = s3_factor(a.m);
    const m3 c = ldl_forward_m3(&m, m3_transpose(a.c));
    const ldl j = s3_factor(s3_sub(a.j, m3_mul_symmetric(c, ldl_scale_m3(&m, c))));
    const v3 linear = ldl_scale(&m, ldl_forward(&m, a.linear));
    const v3 angular = ldl_solve(&j, v3_sub(a.angular, m3_mul_transposed(c, linear)));
    return (twist){angular, ldl_solve(&m, v3_sub(a.linear, m3_mul_transposed(a.c, angular)))};
}

// Returns the joint's velocity if the parent moves with `p` at this body's origin.
static v3 ball_velocity(float *body, twist p)
{
    const ldl f = load_factor(row(body, VRMI_ART_FACTOR));
    const v3 right = load3(row(body, VRMI_ART_FACTOR + 6));
    const v3 given =
        v3_add(s3_mul(load6(row(body, VRMI_ART_SUM)), p.angular), m3_mul(load9(row(body, VRMI_ART_SUM + 6)), p.linear));
    return ldl_solve(&f, v3_sub(right, given));
}

static real hinge_velocity(float *body, twist p)
{
    float *factor = row(body, VRMI_ART_FACTOR);
    const real given = ADD(v3_dot(load3(row(factor, 1)), p.angular), v3_dot(load3(row(factor, 4)), p.linear));
    return MUL(LOAD(factor), SUB(LOAD(row(factor, 7)), given));
}

static inline void note_change(const vrmi_art_settings *settings, mask differs)
{
    STORE(settings->changed, SELECT(differs, ALL(1.0f), LOAD(settings->changed)));
}

// Stores the value in open lanes; closed lanes keep theirs.
static inline void store_open(mask open, float *p, real next)
{
    STORE(p, SELECT(open, next, LOAD(p)));
}
static inline void store3_open(mask open, float *p, v3 next)
{
    store3(p, v3_select(open, next, load3(p)));
}

static inline mask differ(real a, real b)
{
    return OR(LT(a, b), LT(b, a));
}

// Switches a contact on or off, and records the change.
static inline void switch_to(const vrmi_art_settings *settings, mask open, float *push, real next)
{
    note_change(settings, differ(next, LOAD(push)));
    store_open(open, push, next);
}

// Computes the drive's impulse, and the fraction of its spring that its strength allows in the next solve. Returns true
// if this fraction has changed.
static bool limit_drive(float *body, v3 relative, uint8_t joint, mask open, const vrmi_art_settings *settings)
{
    const real part = LOAD(row(body, VRMI_ART_PART)), strength = LOAD(row(body, VRMI_ART_STRENGTH));
    const v3 asked = v3_sub(load3(row(body, VRMI_ART_WANTED)), v3_scale(relative, LOAD(row(body, VRMI_ART_SPRING))));
    v3 spring = v3_scale(s3_mul(load6(row(body, VRMI_ART_MOVED)), asked), part);
    v3 impulse = v3_add(spring, load3(row(body, VRMI_ART_LOAD)));
    if (joint == VRMI_ART_HINGE) {
        const v3 axis = load3(row(body, VRMI_ART_AXIS));
        spring = v3_scale(axis, v3_dot(axis, spring));
        impulse = v3_scale(axis, v3_dot(axis, impulse));
    }
    store3_open(open, row(body, VRMI_ART_DRIVEN), impulse);
    const real length = MAX(SQRT(v3_dot(spring, spring)), ALL(1e-20f));
    const real allowed = MIN(DIV(MUL(part, strength), length), ALL(1.0f));
    const real next = SELECT(LT(ALL(0.0f), strength), MAX(allowed, ALL(1e-6f)), ALL(1.0f));
    // Only a change by a tenth or more requires another solve.
    note_change(settings, OR(LT(next, MUL(part, ALL(0.9f))), LT(MUL(part, ALL(1.1f)), next)));
    store_open(open, row(body, VRMI_ART_PART), next);
    return BITS(AND(open, differ(next, part))) != 0;
}

// Decides whether a contact or limit is on, so that none of them switches on and off without end. If bodies overlap
// (target not below 0), a contact that is on stays on, which can only take energy away. If there is a gap, keeping the
// contact would pull the body in, so it is released at the cost of a little overlap.
static inline mask last_switch(mask on, mask was, real target)
{
    return OR(AND(was, on), AND(LT(ALL(-1e-6f), target), OR(on, was)));
}

// Switches a limit on if the joint would exceed it in a solve without the limit, or still exceeds it in a solve with
// the limit. Returns true if the next solve uses other limits. A FREE pass uses none.
static bool switch_limits(
    float *body, v3 relative, uint8_t joint, vrmi_art_pass pass, mask open, const vrmi_art_settings *settings)
{
    const uint32_t count = (uint32_t)most(row(body, VRMI_ART_LIMIT_COUNT));
    const real hard = LOAD(settings->limit_hardness), zero = ALL(0.0f);
    const real along = joint == VRMI_ART_HINGE ? v3_dot(load3(row(body, VRMI_ART_AXIS)), relative) : zero;
    bool other = false;
    for (uint32_t i = 0; i < count; ++i) {
        float *limit = row(body, VRMI_ART_LIMIT + i * VRMI_ART_LIMIT_ROWS);
        const v3 axis = load3(row(limit, VRMI_ART_LIMIT_AXIS));
        const real rate = joint == VRMI_ART_HINGE ? MUL(axis.x, along) : v3_dot(axis, relative);
        float *push = row(limit, VRMI_ART_LIMIT_PUSH);
        const mask pushed = LT(zero, LOAD(push));
        mask on = AND(LT(rate, LOAD(row(limit, VRMI_ART_LIMIT_TARGET))), LT(zero, LOAD(row(limit, VRMI_ART_LIMIT_ON))));
        if (pass == VRMI_ART_PASS_FREE) {
            on = OR(pushed, AND(on, LT(LOAD(settings->leaning), ALL(0.5f))));
        } else if (pass == VRMI_ART_PASS_LAST) {
            on = last_switch(on, pushed, LOAD(row(limit, VRMI_ART_LIMIT_TARGET)));
        }
        const real next = SELECT(on, hard, zero), solved = pass == VRMI_ART_PASS_FREE ? zero : LOAD(push);
        other = other || BITS(AND(open, differ(next, solved))) != 0;
        switch_to(settings, open, push, next);
    }
    return other;
}

// Switches a contact on or off, as switch_limits() does for limits. Perpendicular to the normal it applies Coulomb
// friction at the present speed, limited by the hardness at which the contact sticks.
static bool switch_contact(
    float *body, float *contact, twist v, vrmi_art_pass pass, mask open, const vrmi_art_settings *settings)
{
    const real zero = ALL(0.0f), hard = LOAD(settings->hardness);
    const v3 normal = load3(row(contact, VRMI_ART_CONTACT_NORMAL));
    const v3 point = v3_add(v.linear, v3_cross(v.angular, load3(row(contact, VRMI_ART_CONTACT_POINT))));
    const v3 speed = v3_sub(point, load3(row(contact, VRMI_ART_CONTACT_SURFACE)));
    const real along = v3_dot(normal, speed);
    const v3 across = v3_sub(speed, v3_scale(normal, along));
    const real slow = SUB(LOAD(row(contact, VRMI_ART_CONTACT_TARGET)), along); // positive: approaches too fast
    const real push = LOAD(row(contact, VRMI_ART_CONTACT_PUSH));
    const mask pushed = LT(zero, push), exists = LT(zero, LOAD(row(contact, VRMI_ART_CONTACT_ON)));
    // A contact ends when it would pull. It begins only above a small threshold, so that a light touch does not switch
    // it on and off.
    mask on = AND(LT(SELECT(pushed, zero, ALL(1e-3f)), slow), exists);
    // A new contact has no impulse yet: the mass on it is assumed to be the body's own.
    const real impulse = MUL(slow, SELECT(pushed, push, LOAD(row(body, VRMI_ART_MASS))));
    const real speed_across = MAX(SQRT(v3_dot(across, across)), ALL(1e-6f));
    const real coulomb = DIV(MUL(ALL(settings->friction), MAX(impulse, zero)), speed_across);
    real drag = SELECT(on, MIN(coulomb, hard), zero);
    if (pass == VRMI_ART_PASS_FREE) {
        // This solve had no contacts, so the contacts of the last step are the better start.
        on = OR(AND(pushed, exists), AND(on, LT(LOAD(settings->leaning), ALL(0.5f))));
        drag = SELECT(AND(pushed, exists), LOAD(row(contact, VRMI_ART_CONTACT_DRAG)), drag);
    } else {
        if (pass == VRMI_ART_PASS_LAST) {
            on = AND(last_switch(on, pushed, LOAD(row(contact, VRMI_ART_CONTACT_TARGET))), exists);
        }
        store_open(open, row(contact, VRMI_ART_CONTACT_IMPULSE), SELECT(pushed, MAX(impulse, zero), zero));
    }
    const real next = SELECT(on, hard, zero);
    const mask other = OR(differ(next, push), differ(drag, LOAD(row(contact, VRMI_ART_CONTACT_DRAG))));
    switch_to(settings, open, row(contact, VRMI_ART_CONTACT_PUSH), next);
    store_open(open, row(contact, VRMI_ART_CONTACT_DRAG), drag);
    return pass == VRMI_ART_PASS_FREE || BITS(AND(open, other)) != 0;
}

static bool any_driven(const vrmi_art_tree *tree, float *rows)
{
    bool found = false;
    for (uint32_t i = 1; !found && i < tree->body_count; ++i) {
        found = most(vrmi_art_row(rows, WIDTH, i, VRMI_ART_SPRING)) > 0.0f;
    }
    return found;
}

// Returns the bodies whose sum differs from the last solve: bodies that changed, and all their ancestors.
static uint64_t find_stale(const vrmi_art_tree *tree, const vrmi_art_changes *changes)
{
    uint64_t stale = changes->bodies;
    for (uint32_t i = tree->body_count - 1; i > 0; --i) {
        if (((stale | changes->joints) >> i & 1u) != 0) {
            stale |= (uint64_t)1 << tree->parent[i];
        }
    }
    return stale;
}

// Recomputes the inertia and momentum that a body passes on to its parent.
static articulated feel(const vrmi_art_tree *tree, uint32_t i, vrmi_art_pass pass, float *body)
{
    articulated a = load_sum(row(body, VRMI_ART_SUM));
    // The part of the velocity that the joint is given needs no impulse from the joint.
    const v3 slide = load3(row(body, VRMI_ART_SLIDE));
    a.angular = v3_sub(a.angular, m3_mul(a.c, slide));
    a.linear = v3_sub(a.linear, s3_mul(a.m, slide));
    if (tree->joint[i] == VRMI_ART_HINGE) {
        const v3 bending = load3(row(body, VRMI_ART_BENDING));
        a.angular = v3_sub(a.angular, s3_mul(a.j, bending));
        a.linear = v3_sub(a.linear, m3_mul_transposed(a.c, bending));
    }
    const articulated through =
        tree->joint[i] == VRMI_ART_HINGE ? through_hinge(body, pass, &a) : through_ball(body, pass, &a);
    const articulated felt = felt_by_parent(&through, load3(row(body, VRMI_ART_OFFSET)));
    store_sum(row(body, VRMI_ART_FELT), &felt);
    return felt;
}

static void inwards(
    const vrmi_art_tree *tree, const vrmi_art_changes *changes, vrmi_art_pass pass, float *rows, float *contacts)
{
    if (pass == VRMI_ART_PASS_FREE && any_driven(tree, rows)) {
        find_whole(tree, rows);
    }
    const uint64_t stale = pass == VRMI_ART_PASS_FREE ? UINT64_MAX : find_stale(tree, changes);
    const uint64_t anew = stale | changes->joints;
    uint64_t begun = 0; // bit per body: a child was already added
    for (uint32_t i = tree->body_count - 1;; --i) {
        float *body = vrmi_art_row(rows, WIDTH, i, 0);
        if ((stale & ~begun) >> i & 1u) {
            const articulated a = start(body, vrmi_art_contact(contacts, WIDTH, i), pass);
            store_sum(row(body, VRMI_ART_SUM), &a);
        }
        if (i == 0) {
            return;
        }
        const uint32_t up = (uint32_t)tree->parent[i];
        if ((stale >> up & 1u) == 0) {
            continue;
        }
        const articulated felt = (anew >> i & 1u) != 0 ? feel(tree, i, pass, body) : load_sum(row(body, VRMI_ART_FELT));
        float *parent = vrmi_art_row(rows, WIDTH, up, 0);
        const articulated before = (begun >> up & 1u) != 0 ? load_sum(row(parent, VRMI_ART_SUM))
                                                           : start(parent, vrmi_art_contact(contacts, WIDTH, up), pass);
        const articulated sum = add_felt(&before, &felt, LT(ALL(0.0f), LOAD(row(body, VRMI_ART_HELD))));
        store_sum(row(parent, VRMI_ART_SUM), &sum);
        begun |= (uint64_t)1 << up;
    }
}

static void outwards(
    const vrmi_art_tree *tree, const vrmi_art_settings *settings, vrmi_art_pass pass, float *rows, float *contacts)
{
    const mask open = LT(ALL(0.0f), LOAD(settings->open));
    uint64_t bodies = 0, joints = 0;
    for (uint32_t i = 0; i < tree->body_count; ++i) {
        float *body = vrmi_art_row(rows, WIDTH, i, 0);
        twist v;
        if (i == 0) {
            v = root_velocity(body);
        } else {
            float *parent = vrmi_art_row(rows, WIDTH, (uint32_t)tree->parent[i], 0);
            twist p = {load3(row(parent, VRMI_ART_VELOCITY)), load3(row(parent, VRMI_ART_VELOCITY + 3))};
            p.linear = v3_add(p.linear, v3_cross(p.angular, load3(row(body, VRMI_ART_OFFSET))));
            const v3 relative = tree->joint[i] == VRMI_ART_HINGE
                                    ? v3_scale(load3(row(body, VRMI_ART_AXIS)), hinge_velocity(body, p))
                                    : ball_velocity(body, p);
            const bool driven = limit_drive(body, relative, tree->joint[i], open, settings);
            const bool limited = switch_limits(body, relative, tree->joint[i], pass, open, settings);
            joints |= (uint64_t)(driven || limited) << i;
            v = (twist){v3_add(p.angular, relative), v3_add(p.linear, load3(row(body, VRMI_ART_SLIDE)))};
            if (tree->joint[i] == VRMI_ART_HINGE) {
                v.angular = v3_add(v.angular, load3(row(body, VRMI_ART_BENDING)));
            }
        }
        const mask free = AND(open, LT(LOAD(row(body, VRMI_ART_HELD)), ALL(0.5f)));
        v.angular = v3_select(free, v.angular, load3(row(body, VRMI_ART_VELOCITY)));
        v.linear = v3_select(free, v.linear, load3(row(body, VRMI_ART_VELOCITY + 3)));
        store3(row(body, VRMI_ART_VELOCITY), v.angular);
        store3(row(body, VRMI_ART_VELOCITY + 3), v.linear);
        const uint32_t count = (uint32_t)most(row(body, VRMI_ART_CONTACT_COUNT));
        for (uint32_t k = 0; k < count; ++k) {
            float *contact = row(vrmi_art_contact(contacts, WIDTH, i), k * VRMI_ART_CONTACT_ROWS);
            const bool other = switch_contact(body, contact, v, pass, open, settings);
            bodies |= (uint64_t)other << i;
        }
    }
    *settings->changes = (vrmi_art_changes){bodies, joints};
}

static void VRMI_ART_KERNEL(
    const vrmi_art_tree *tree, const vrmi_art_settings *settings, vrmi_art_pass pass, float *rows, float *contacts)
{
    inwards(tree, settings->changes, pass, rows, contacts);
    outwards(tree, settings, pass, rows, contacts);
}
