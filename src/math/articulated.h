// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MATH_ARTICULATED_H
#define VRMI_MATH_ARTICULATED_H

// The articulated-body algorithm (Featherstone 2008, Rigid Body Dynamics Algorithms, chapter 7), formulated with the
// velocities and momenta of one step. Given the momenta at the start of the step, it finds the velocities that satisfy
// the joints with the least change. Springs, joint limits and contacts enter implicitly, by their effect at the end of
// the step. The cost is linear in the number of bodies.
//
// Unlike the book, a step starts from momenta, not from joint velocities. After bodies have rotated, the velocities of
// the last step no longer satisfy the joints. The solve projects them, in the metric of mass, onto velocities that do.
// So there are no Coriolis terms, momentum is conserved exactly, and kinetic energy cannot grow with any step length.
// Reduced coordinates with explicit Coriolis terms gain energy (kilojoules in a passive fall at 60 Hz).
//
// Vectors are in world axes. A body's spatial quantities are about its joint, the origin of its frame.
//
// Numbers are stored in rows: row k of body b is `lanes` floats at rows + (b * VRMI_ART_ROWS + k) * lanes, one per
// ragdoll. A single ragdoll has one lane. Eight ragdolls are solved together with identical bits: articulated_body.h is
// included once per width (dynamics/kernel_step_*.c).

#include <vrm/math.h>

enum {
    VRMI_ART_CONTACTS = 4, // contacts of a body with the world
    VRMI_ART_LIMITS = 2,   // limits of a joint
    VRMI_ART_MAX_BODIES = 64
};

// A joint's degrees of freedom, equal in all lanes.
typedef enum vrmi_art_joint {
    VRMI_ART_FREE, // the joint of the root
    VRMI_ART_BALL,
    VRMI_ART_HINGE
} vrmi_art_joint;

typedef struct vrmi_art_tree {
    uint32_t body_count;
    int8_t parent[VRMI_ART_MAX_BODIES]; // index of the parent, which precedes its children; -1 for the root
    uint8_t joint[VRMI_ART_MAX_BODIES]; // vrmi_art_joint
} vrmi_art_tree;

// Rows of a contact. Constraint: (velocity of the point - surface velocity) along the normal >= target.
enum {
    VRMI_ART_CONTACT_POINT = 0,   // [3] position relative to the body's origin
    VRMI_ART_CONTACT_NORMAL = 3,  // [3]
    VRMI_ART_CONTACT_SURFACE = 6, // [3] velocity of the touched surface
    VRMI_ART_CONTACT_TARGET = 9,
    VRMI_ART_CONTACT_ON = 10,      // 1: the contact exists; 0: the slot is empty
    VRMI_ART_CONTACT_PUSH = 11,    // implicit coefficient along the normal: 0, or the given hardness
    VRMI_ART_CONTACT_DRAG = 12,    // implicit coefficient perpendicular to the normal
    VRMI_ART_CONTACT_IMPULSE = 13, // impulse along the normal, N s
    // Used only by the caller. FEATURE identifies the contact, so that it can be found again in the next step. GAP is
    // the distance in metres at the start of the step.
    VRMI_ART_CONTACT_FEATURE = 14,
    VRMI_ART_CONTACT_GAP = 15,
    VRMI_ART_CONTACT_ROWS = 16
};

// Rows of a joint limit. Constraint: axis . (relative angular velocity) >= target.
enum {
    VRMI_ART_LIMIT_AXIS = 0, // [3]; a hinge uses only [0], as a sign
    VRMI_ART_LIMIT_TARGET = 3,
    VRMI_ART_LIMIT_ON = 4,
    VRMI_ART_LIMIT_PUSH = 5, // 0, or the limit hardness
    VRMI_ART_LIMIT_ROWS = 6
};

// Rows of a body.
enum {
    // Input: the body.
    VRMI_ART_OFFSET = 0,      // [3] vector from the parent's origin to the body's origin
    VRMI_ART_MASS = 3,        // inertial mass, kg
    VRMI_ART_MASS_CENTER = 4, // [3] mass * position of the centre of mass relative to the origin
    VRMI_ART_INERTIA = 7,     // [6] about the origin: xx xy xz yy yz zz
    // [6] angular momentum about the origin, linear momentum; includes gravity and all other impulses.
    VRMI_ART_MOMENTUM = 13,
    VRMI_ART_HELD = 19, // 1: the body keeps VELOCITY; 0: free
    // Input: the body's joint with its parent.
    VRMI_ART_AXIS = 20,     // [3] axis of a hinge, unit
    VRMI_ART_SPRING = 23,   // drive: (2 pi f)^2 h^2 + 2 z (2 pi f) h; frequency f, damping ratio z, step h
    VRMI_ART_FRICTION = 24, // damping: n h; damping n in 1/s, step h
    VRMI_ART_WANTED = 25,   // [3] drive: (2 pi f)^2 h e + 2 z (2 pi f) h w; error e, velocity of the animation w
    VRMI_ART_STRENGTH = 28, // largest impulse of the drive's spring, N m s; 0: no limit
    VRMI_ART_SLIDE = 29,    // [3] given linear velocity of the joint relative to the parent
    VRMI_ART_BENDING = 32,  // [3] given angular velocity of a hinge relative to the parent, besides that about its axis
    VRMI_ART_LOAD = 35,     // [3] impulse of the drive besides its spring, N m s; STRENGTH does not limit it
    VRMI_ART_LIMIT = 38,    // VRMI_ART_LIMITS times VRMI_ART_LIMIT_ROWS
    // Input: the number of limits and contacts.
    VRMI_ART_LIMIT_COUNT = 50,   // number of limits that are on
    VRMI_ART_CONTACT_COUNT = 51, // number of contacts that are on; they are stored first
    // Kept between the solves of a step.
    VRMI_ART_PART = 52,  // fraction of the spring that its strength allows, 0 to 1
    VRMI_ART_MOVED = 53, // [6] inertia that the joint moves, without contacts; scales drive and damping
    // Output (input for a held body).
    VRMI_ART_VELOCITY = VRMI_ART_MOVED + 6,  // [6] angular velocity, linear velocity at the origin
    VRMI_ART_DRIVEN = VRMI_ART_VELOCITY + 6, // [3] the drive's impulse, N m s
    // Used only during a solve.
    VRMI_ART_SUM = VRMI_ART_DRIVEN + 3,  // [27] articulated inertia and momentum: J (6), C (9), M (6), momentum (6)
    VRMI_ART_FACTOR = VRMI_ART_SUM + 27, // [9] factors of the inertia about the joint (6), right-hand side (3)
    VRMI_ART_WHOLE =
        VRMI_ART_FACTOR + 9, // [10] mass, its centre and inertia of the body with all its descendants, as if rigid
    // [27] inertia and momentum, laid out as SUM, that are passed to the parent, about the parent's origin.
    VRMI_ART_FELT = VRMI_ART_WHOLE + 10,
    VRMI_ART_ROWS = VRMI_ART_FELT + 27
};

// The bodies whose input differs in any lane from the last solve, one bit per body. `bodies`: contacts or momentum
// differ; `joints`: the joint's drive or limits differ. An inward pass starts from these bodies only, since the results
// of all others are unchanged. Code that changes a body's momentum between passes sets the body's bit. A FREE pass
// ignores the bits.
typedef struct vrmi_art_changes {
    uint64_t bodies, joints;
} vrmi_art_changes;

// Settings for all lanes and bodies.
typedef struct vrmi_art_settings {
    float friction;              // Coulomb's
    const float *hardness;       // [lanes] implicit coefficient of contacts, kg
    const float *limit_hardness; // [lanes] implicit coefficient of limits, kg m^2
    const float *open;           // [lanes] 1: solve; 0: keep the results of an earlier pass
    const float *leaning;        // [lanes] 1: start from the last step's contacts instead of the pass without contacts
    float *changed;              // [lanes] output: set to 1 if a constraint was switched; never reset by the kernel
    vrmi_art_changes *changes;
} vrmi_art_settings;

// A step is one FREE pass, then BOUND passes until contacts, limits and strengths no longer change (2 or 3 passes).
// Each pass solves with the constraints that the previous pass switched on, then switches constraints according to its
// result. So Coulomb friction and unilateral contact need only a few linear solves. They start from the last step's
// result, so a body at rest gets an identical result again.
typedef enum vrmi_art_pass {
    VRMI_ART_PASS_FREE,  // without contacts and limits; computes MOVED
    VRMI_ART_PASS_BOUND, // with contacts and limits
    VRMI_ART_PASS_LAST   // as BOUND, but switches each constraint in one direction only, so that switching ends
} vrmi_art_pass;

// `contacts` may be NULL if no body has contacts.
typedef void vrmi_articulated_kernel(
    const vrmi_art_tree *tree, const vrmi_art_settings *settings, vrmi_art_pass pass, float *rows, float *contacts);

static inline float *vrmi_art_row(float *rows, uint32_t lanes, uint32_t body, uint32_t row)
{
    return rows + ((size_t)body * VRMI_ART_ROWS + row) * lanes;
}

// Returns the rows of a body's first contact. Contacts are stored apart from bodies, since most bodies have none.
static inline float *vrmi_art_contact(float *contacts, uint32_t lanes, uint32_t body)
{
    return contacts != NULL ? contacts + (size_t)body * VRMI_ART_CONTACTS * VRMI_ART_CONTACT_ROWS * lanes : NULL;
}

#endif
