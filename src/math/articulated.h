// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MATH_ARTICULATED_H
#define VRMI_MATH_ARTICULATED_H

// The articulated-body algorithm (Featherstone 2008, Rigid Body Dynamics Algorithms, chapter 7), told in velocities and
// momenta of one step: given the momenta that bodies bring into the step, it finds the velocities that fit the joints
// with the least change, springs, joint limits and contacts included as what they do by the step's end (implicit).
// Linear in the number of bodies.
//
// It differs from the book in what a step is. Momenta go in, not velocities of joints: velocities of the last step,
// which no longer fit the joints after bodies have turned, are projected (in the metric of mass) onto those that do. So
// there are no Coriolis terms, momentum is kept exactly and kinetic energy cannot grow, whatever the step: what reduced
// coordinates with explicit Coriolis terms do grow at (kilojoules out of a passive fall at 60 Hz).
//
// Axes are the world's. A body's spatial quantities are about its joint, the origin of its frame.
//
// Numbers lie in rows: row k of body b is `lanes` floats at rows + (b * VRMI_ART_ROWS + k) * lanes, one per ragdoll.
// One ragdoll has one lane, eight go together, with the same bits: articulated_body.h is included once per width
// (dynamics/kernel_step_*.c).

#include <vrm/math.h>

enum {
    VRMI_ART_CONTACTS = 4, // of a body with the world
    VRMI_ART_LIMITS = 2,   // of a joint
    VRMI_ART_MAX_BODIES = 64
};

// What a joint lets free; the same in all lanes.
typedef enum vrmi_art_joint {
    VRMI_ART_FREE, // the root's
    VRMI_ART_BALL,
    VRMI_ART_HINGE
} vrmi_art_joint;

typedef struct vrmi_art_tree {
    uint32_t body_count;
    int8_t parent[VRMI_ART_MAX_BODIES]; // before its children; -1: the root
    uint8_t joint[VRMI_ART_MAX_BODIES]; // vrmi_art_joint
} vrmi_art_tree;

// Rows of a contact. What is asked: normal part of (velocity of the point - surface) >= target.
enum {
    VRMI_ART_CONTACT_POINT = 0,   // [3] from the body's origin
    VRMI_ART_CONTACT_NORMAL = 3,  // [3]
    VRMI_ART_CONTACT_SURFACE = 6, // [3] velocity of what is touched
    VRMI_ART_CONTACT_TARGET = 9,
    VRMI_ART_CONTACT_ON = 10,      // 1: there is such a contact; 0: the slot is empty
    VRMI_ART_CONTACT_PUSH = 11,    // implicit coefficient along the normal: 0 or the given hardness
    VRMI_ART_CONTACT_DRAG = 12,    // implicit coefficient across
    VRMI_ART_CONTACT_IMPULSE = 13, // along the normal, N s
    // The caller's: which contact this is, to know it again; metres between, at the step's beginning.
    VRMI_ART_CONTACT_FEATURE = 14,
    VRMI_ART_CONTACT_GAP = 15,
    VRMI_ART_CONTACT_ROWS = 16
};

// Rows of a joint limit. What is asked: axis . (relative angular velocity) >= target.
enum {
    VRMI_ART_LIMIT_AXIS = 0, // [3]; of a hinge only its sign is used: [0]
    VRMI_ART_LIMIT_TARGET = 3,
    VRMI_ART_LIMIT_ON = 4,
    VRMI_ART_LIMIT_PUSH = 5, // 0 or the hardness
    VRMI_ART_LIMIT_ROWS = 6
};

// Rows of a body.
enum {
    // In: the body.
    VRMI_ART_OFFSET = 0,      // [3] from the parent's origin to its own
    VRMI_ART_MASS = 3,        // what resists moving
    VRMI_ART_MASS_CENTER = 4, // [3] mass * (centre of mass from the origin)
    VRMI_ART_INERTIA = 7,     // [6] about the origin: xx xy xz yy yz zz
    VRMI_ART_MOMENTUM = 13,   // [6] angular about the origin, linear; with gravity's and other impulses
    VRMI_ART_HELD = 19,       // 1: moves as VELOCITY says, whatever happens; 0: free
    // In: its joint.
    VRMI_ART_AXIS = 20,     // [3] of a hinge, unit
    VRMI_ART_SPRING = 23,   // (2 pi f)^2 h^2 + 2 z (2 pi f) h: of the drive
    VRMI_ART_FRICTION = 24, // n h: of a damping n, 1/s
    VRMI_ART_WANTED = 25,   // [3] (2 pi f)^2 h e + 2 z (2 pi f) h w: error e, the animation's velocity w
    VRMI_ART_STRENGTH = 28, // largest impulse of the drive, N m s; 0: any
    VRMI_ART_SLIDE = 29,    // [3] velocity of its place against the parent, whatever happens
    VRMI_ART_LOAD = 32,     // [3] impulse that the drive gives beside its spring, N m s; counts for its strength
    VRMI_ART_LIMIT = 35,    // VRMI_ART_LIMITS times VRMI_ART_LIMIT_ROWS
    // In: what it touches.
    VRMI_ART_LIMIT_COUNT = 47,   // limits that are on
    VRMI_ART_CONTACT_COUNT = 48, // contacts that are on; they come first
    // Between the solves of a step.
    VRMI_ART_PART = 49,  // of the drive that its strength allows, 0 to 1
    VRMI_ART_MOVED = 50, // [6] inertia that the joint moves, without contacts: what drive and friction scale with
    // Out (of a held body in).
    VRMI_ART_VELOCITY = VRMI_ART_MOVED + 6,  // [6] angular, linear of the origin
    VRMI_ART_DRIVEN = VRMI_ART_VELOCITY + 6, // [3] the drive's impulse, N m s
    // The solve's own.
    VRMI_ART_SUM = VRMI_ART_DRIVEN + 3,  // [27] articulated inertia and momentum: J (6), C (9), M (6), momentum (6)
    VRMI_ART_FACTOR = VRMI_ART_SUM + 27, // [9] factors of what the joint feels (6), its right side (3)
    VRMI_ART_WHOLE =
        VRMI_ART_FACTOR + 9, // [10] mass, its centre and inertia of the body with all bodies beyond it, as if rigid
    VRMI_ART_FELT = VRMI_ART_WHOLE + 10, // [27] what the parent feels, about its origin, as SUM
    VRMI_ART_ROWS = VRMI_ART_FELT + 27
};

// The differences, in any lane, from the input of the last solve, one bit per body: its contacts or momentum; its
// joint's drive or limits. A pass goes inwards from these only, since everything else has the same bits as before. Code
// that changes a momentum between passes sets its bit; a FREE pass ignores these bits.
typedef struct vrmi_art_changes {
    uint64_t bodies, joints;
} vrmi_art_changes;

// Of all lanes and bodies.
typedef struct vrmi_art_settings {
    float friction;              // Coulomb's
    const float *hardness;       // [lanes] contacts' implicit coefficient, kg
    const float *limit_hardness; // [lanes] limits', kg m^2
    const float *open;           // [lanes] 1: solve; 0: what came of an earlier pass stays
    const float *leaning; // [lanes] 1: the last step's contacts are a better start than the pass without contacts
    float *changed;       // [lanes] out: 1 where something was switched; never set back here
    vrmi_art_changes *changes;
} vrmi_art_settings;

// A step is one FREE pass, then BOUND ones until contacts, limits and strengths have settled (2 or 3): each solves with
// the set that the one before has switched on, then switches by its result. Coulomb's friction and unilateral contact
// thus take a few linear solves that begin with the last step's answer; a body at rest gets the same answer again.
typedef enum vrmi_art_pass {
    VRMI_ART_PASS_FREE,  // without contacts and limits; finds MOVED
    VRMI_ART_PASS_BOUND, // with them
    VRMI_ART_PASS_LAST   // the same, but no contact is switched on or off
} vrmi_art_pass;

// `contacts` may be NULL where all counts of contacts are 0.
typedef void vrmi_articulated_kernel(
    const vrmi_art_tree *tree, const vrmi_art_settings *settings, vrmi_art_pass pass, float *rows, float *contacts);

static inline float *vrmi_art_row(float *rows, uint32_t lanes, uint32_t body, uint32_t row)
{
    return rows + ((size_t)body * VRMI_ART_ROWS + row) * lanes;
}

// A body's first contact; contacts lie in rows of their own, as most bodies have none.
static inline float *vrmi_art_contact(float *contacts, uint32_t lanes, uint32_t body)
{
    return contacts != NULL ? contacts + (size_t)body * VRMI_ART_CONTACTS * VRMI_ART_CONTACT_ROWS * lanes : NULL;
}

#endif
