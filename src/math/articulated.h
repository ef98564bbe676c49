// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MATH_ARTICULATED_H
#define VRMI_MATH_ARTICULATED_H

// The articulated-body algorithm (Featherstone 2008, Rigid Body Dynamics Algorithms, chapter 7) in terms of the
// velocities and momenta of one step. Given the momenta at the start of the step, it finds the velocities that satisfy
// the joints with the least change. Springs, joint limits and contacts enter implicitly, by their effect at the end of
// the step. Its cost is linear in the number of bodies.
//
// It differs from the book in what a step starts from: momenta, not joint velocities. Velocities of the last step no
// longer satisfy the joints after bodies have turned; they are projected (in the metric of mass) onto those that do. So
// there are no Coriolis terms, momentum is conserved exactly and kinetic energy cannot grow with any step length.
// Reduced coordinates with explicit Coriolis terms do gain energy (kilojoules in a passive fall at 60 Hz).
//
// Axes are the world's. A body's spatial quantities are about its joint, the origin of its frame.
//
// Numbers lie in rows: row k of body b is `lanes` floats at rows + (b * VRMI_ART_ROWS + k) * lanes, one per ragdoll.
// One ragdoll has one lane; eight are solved together, with the same bits: articulated_body.h is included once per
// width (dynamics/kernel_step_*.c).

#include <vrm/math.h>

enum {
    VRMI_ART_CONTACTS = 4, // of a body with the world
    VRMI_ART_LIMITS = 2,   // of a joint
    VRMI_ART_MAX_BODIES = 64
};

// The degrees of freedom of a joint; the same in all lanes.
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

// Rows of a contact. Its constraint: normal part of (velocity of the point - surface) >= target.
enum {
    VRMI_ART_CONTACT_POINT = 0,   // [3] from the body's origin
    VRMI_ART_CONTACT_NORMAL = 3,  // [3]
    VRMI_ART_CONTACT_SURFACE = 6, // [3] velocity of the touched surface
    VRMI_ART_CONTACT_TARGET = 9,
    VRMI_ART_CONTACT_ON = 10,      // 1: there is such a contact; 0: the slot is empty
    VRMI_ART_CONTACT_PUSH = 11,    // implicit coefficient along the normal: 0 or the given hardness
    VRMI_ART_CONTACT_DRAG = 12,    // implicit coefficient across
    VRMI_ART_CONTACT_IMPULSE = 13, // along the normal, N s
    // For the caller: an identifier of the contact between steps; the distance in metres at the start of the step.
    VRMI_ART_CONTACT_FEATURE = 14,
    VRMI_ART_CONTACT_GAP = 15,
    VRMI_ART_CONTACT_ROWS = 16
};

// Rows of a joint limit. Its constraint: axis . (relative angular velocity) >= target.
enum {
    VRMI_ART_LIMIT_AXIS = 0, // [3]; a hinge uses only the sign, in [0]
    VRMI_ART_LIMIT_TARGET = 3,
    VRMI_ART_LIMIT_ON = 4,
    VRMI_ART_LIMIT_PUSH = 5, // 0 or the hardness
    VRMI_ART_LIMIT_ROWS = 6
};

// Rows of a body.
enum {
    // In: the body.
    VRMI_ART_OFFSET = 0,      // [3] from the parent's origin to its own
    VRMI_ART_MASS = 3,        // inertial mass, kg
    VRMI_ART_MASS_CENTER = 4, // [3] mass * (centre of mass from the origin)
    VRMI_ART_INERTIA = 7,     // [6] about the origin: xx xy xz yy yz zz
    VRMI_ART_MOMENTUM = 13,   // [6] angular about the origin, linear; with gravity's and other impulses
    VRMI_ART_HELD = 19,       // 1: keeps VELOCITY whatever acts on it; 0: free
    // In: its joint with the parent.
    VRMI_ART_AXIS = 20,     // [3] of a hinge, unit
    VRMI_ART_SPRING = 23,   // (2 pi f)^2 h^2 + 2 z (2 pi f) h, of the drive
    VRMI_ART_FRICTION = 24, // n h, for a damping n in 1/s
    VRMI_ART_WANTED = 25,   // [3] (2 pi f)^2 h e + 2 z (2 pi f) h w: error e, the animation's velocity w
    VRMI_ART_STRENGTH = 28, // largest impulse of the drive, N m s; 0: no limit
    VRMI_ART_SLIDE = 29,    // [3] given velocity of the joint relative to the parent
    VRMI_ART_LOAD = 32,     // [3] impulse of the drive in addition to its spring, N m s; counts towards its strength
    VRMI_ART_LIMIT = 35,    // VRMI_ART_LIMITS times VRMI_ART_LIMIT_ROWS
    // In: its limits and contacts.
    VRMI_ART_LIMIT_COUNT = 47,   // limits that are on
    VRMI_ART_CONTACT_COUNT = 48, // contacts that are on; they come first
    // Kept between the solves of a step.
    VRMI_ART_PART = 49,  // fraction of the drive that its strength allows, 0 to 1
    VRMI_ART_MOVED = 50, // [6] inertia that the joint moves, without contacts: drive and damping scale with it
    // Out (in for a held body).
    VRMI_ART_VELOCITY = VRMI_ART_MOVED + 6,  // [6] angular, linear of the origin
    VRMI_ART_DRIVEN = VRMI_ART_VELOCITY + 6, // [3] the drive's impulse, N m s
    // Used within the solve.
    VRMI_ART_SUM = VRMI_ART_DRIVEN + 3,  // [27] articulated inertia and momentum: J (6), C (9), M (6), momentum (6)
    VRMI_ART_FACTOR = VRMI_ART_SUM + 27, // [9] factors of the inertia about the joint (6), its right side (3)
    VRMI_ART_WHOLE =
        VRMI_ART_FACTOR + 9, // [10] mass, its centre and inertia of the body with all its descendants, as if rigid
    VRMI_ART_FELT = VRMI_ART_WHOLE + 10, // [27] inertia and momentum passed to the parent, about its origin, as SUM
    VRMI_ART_ROWS = VRMI_ART_FELT + 27
};

// Which bodies' input differs, in any lane, from the last solve, one bit per body: its contacts or momentum; its
// joint's drive or limits. An inward pass starts from these bodies only, since all others have the same bits as before.
// Code that changes a momentum between passes sets its bit; a FREE pass ignores these bits.
typedef struct vrmi_art_changes {
    uint64_t bodies, joints;
} vrmi_art_changes;

// Settings for all lanes and bodies.
typedef struct vrmi_art_settings {
    float friction;              // Coulomb's
    const float *hardness;       // [lanes] contacts' implicit coefficient, kg
    const float *limit_hardness; // [lanes] implicit coefficient of limits, kg m^2
    const float *open;           // [lanes] 1: solve; 0: keep the result of an earlier pass
    const float *leaning; // [lanes] 1: the last step's contacts are a better start than the pass without contacts
    float *changed;       // [lanes] out: 1 where a constraint was switched; never reset here
    vrmi_art_changes *changes;
} vrmi_art_settings;

// A step is one FREE pass, then BOUND passes until contacts, limits and strengths have settled (2 or 3). Each pass
// solves with the constraints that the pass before switched on, then switches them by its result. So Coulomb friction
// and unilateral contact take a few linear solves, which begin with the last step's answer; a body at rest gets the
// same answer again.
typedef enum vrmi_art_pass {
    VRMI_ART_PASS_FREE,  // without contacts and limits; finds MOVED
    VRMI_ART_PASS_BOUND, // with contacts and limits
    VRMI_ART_PASS_LAST   // as BOUND, but no contact is switched on or off
} vrmi_art_pass;

// `contacts` may be NULL where all counts of contacts are 0.
typedef void vrmi_articulated_kernel(
    const vrmi_art_tree *tree, const vrmi_art_settings *settings, vrmi_art_pass pass, float *rows, float *contacts);

static inline float *vrmi_art_row(float *rows, uint32_t lanes, uint32_t body, uint32_t row)
{
    return rows + ((size_t)body * VRMI_ART_ROWS + row) * lanes;
}

// A body's first contact. Contacts have rows of their own, as most bodies have none.
static inline float *vrmi_art_contact(float *contacts, uint32_t lanes, uint32_t body)
{
    return contacts != NULL ? contacts + (size_t)body * VRMI_ART_CONTACTS * VRMI_ART_CONTACT_ROWS * lanes : NULL;
}

#endif
