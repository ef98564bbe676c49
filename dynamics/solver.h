// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_DYNAMICS_SOLVER_H
#define VRMI_DYNAMICS_SOLVER_H

// The light solver's inside. A step is: solver_prepare.c fills the rows of the articulated-body algorithm
// (math/articulated.h) from bodies, targets and what they touch; the algorithm runs a few times, self-contacts in
// between; solver_integrate.c moves the bodies by the velocities that come out. One ragdoll and eight in lanes run the
// same functions but for the algorithm's width (solver_step.c).

#include "math/articulated.h"
#include "math/quat.h"

#include <vrm/ragdoll_drive.h>
#include <vrm/ragdoll_solver.h>

enum {
    VRMI_SOLVER_SELF = 24,     // self-contacts at a time
    VRMI_SOLVER_NO_FEATURE = 0 // of an empty contact slot
};

// Symmetric: xx xy xz yy yz zz.
typedef struct vrmi_tensor {
    float v[6];
} vrmi_tensor;

// What follows from the definition and the scale.
typedef struct vrmi_solver_constant {
    vrmi_tensor inertia;               // about the centre of mass, body's axes
    vrm_vec3 center;                   // of mass, from the origin
    vrm_vec3 anchor;                   // in the parent's frame
    vrm_vec3 axis;                     // the joint's X in the parent's frame
    vrm_vec3 shape_center, shape_axis; // of the capsule that stands for the shape; the axis has its half length
    float shape_radius;
    float reach; // from the centre of mass to the farthest of the shape
    float mass;
    float held_mass, held_inertia; // of the body and all that hangs on it: what a pin holds
} vrmi_solver_constant;

// State of a body; all of it is in a snapshot.
typedef struct vrmi_solver_body {
    vrm_ragdoll_state state;  // relative to the solver's origin
    vrm_vec3 spin;            // angular momentum about the centre of mass: what is kept while the inertia turns
    vrm_vec3 blow, blow_spin; // impulse and its moment about the centre of mass, for the next step
    float part;               // of the drive that its strength allowed
    uint32_t feature[VRMI_ART_CONTACTS]; // which contact a slot held; VRMI_SOLVER_NO_FEATURE: none
    float push[VRMI_ART_CONTACTS], drag[VRMI_ART_CONTACTS];
} vrmi_solver_body;

// Two bodies that may meet.
typedef struct vrmi_solver_pair {
    uint8_t a, b;
    float impulse; // state: of the last step
} vrmi_solver_pair;

// A self-contact of the step under way.
typedef struct vrmi_solver_meeting {
    uint32_t pair;
    vrm_vec3 at_a, at_b; // from the bodies' origins
    vrm_vec3 normal;     // pushes a
    float gap, target, mass, impulse;
} vrmi_solver_meeting;

typedef struct vrmi_solver_shape {
    bool used;
    vrm_ragdoll_world_shape shape;
} vrmi_solver_shape;

// A contact of the step under way or, for reading, of the last one.
typedef struct vrmi_solver_contact {
    uint32_t feature;
    vrm_vec3 point; // from the body's origin
    vrm_vec3 place; // relative to the solver's origin
    vrm_vec3 normal, surface;
    float gap;
} vrmi_solver_contact;

typedef struct vrmi_solver_contacts {
    uint32_t count;
    vrmi_solver_contact slot[VRMI_ART_CONTACTS];
    float impulse[VRMI_ART_CONTACTS];
} vrmi_solver_contacts;

// What is the same in all sub-steps of a call.
typedef struct vrmi_solver_frame {
    const vrm_ragdoll_targets *targets;
    vrm_vec3 shift; // from the targets' origin to the solver's
    uint32_t steps; // to make
    float later;    // from the end of the first step to the targets' time, seconds
} vrmi_solver_frame;

struct vrm_ragdoll_solver {
    vrm_ragdoll_solver_params params;
    vrm_allocator allocator;
    bool owned; // the block came from the allocator
    size_t size;
    vrm_ragdoll_def def;
    vrmi_art_tree tree;
    uint32_t pair_count;
    vrmi_solver_body *bodies;
    vrmi_solver_constant *constants;
    vrmi_tensor *inertias;          // about the centre of mass, world's axes, of the last step
    vrmi_solver_contacts *contacts; // of the last step
    vrmi_solver_pair *pairs;
    vrmi_solver_shape *shapes;
    vrm_ragdoll_target *targets; // of the step under way; then of the last one, relative to the solver's origin
    float *rows;
    vrmi_solver_meeting meetings[VRMI_SOLVER_SELF + 1]; // one more to look into
    uint32_t meeting_count;
    vrmi_solver_frame frame;                    // of the call under way
    float total_mass, hardness, limit_hardness; // by the scale
    // State.
    double origin[3]; // of the world, moved only when the ragdoll is far from it
    double rest;      // time that no step has had yet, seconds
    float scale;
    float calm; // seconds that it has been still
    bool placed, asleep;
    uint32_t moved;
    uint32_t status;
};

// solver.c: the definition's tree; everything that depends on the scale.
void vrmi_solver_tree(vrm_ragdoll_solver *solver);
void vrmi_solver_scale(vrm_ragdoll_solver *solver, float scale);
// solver_state.c
void vrmi_solver_place(vrm_ragdoll_solver *solver); // positions from the root's place and all rotations
bool vrmi_solver_is_held(const vrm_ragdoll_solver *solver, uint32_t body);
// As the state will be `time` later if nothing happens.
void vrmi_solver_carry(const vrm_ragdoll_solver *solver, float time, vrm_ragdoll_state *out_states);
// Springs to the world: mass and moment that resist, and the impulses that they ask for at the body's origin.
typedef struct vrmi_pin {
    float mass, inertia;
    vrm_vec3 linear, angular;
} vrmi_pin;
vrmi_pin vrmi_solver_pin(const vrm_ragdoll_solver *solver, uint32_t body);
// solver_prepare.c: the rows of lane `lane`; `later` as in vrmi_solver_frame, of this step.
void vrmi_solver_prepare(vrm_ragdoll_solver *solver, float later, float *rows, uint32_t lanes, uint32_t lane);
// solver_contact.c: fills solver->contacts[body] with what the body may touch in this step.
void vrmi_solver_find_contacts(vrm_ragdoll_solver *solver, uint32_t body);
// solver_limit.c: the limit rows of a body's joint; returns how many are on.
uint32_t vrmi_solver_limits(
    const vrm_ragdoll_solver *solver, uint32_t body, float rows[VRMI_ART_LIMITS][VRMI_ART_LIMIT_ROWS]);
// solver_self.c: finds who meets whom; takes back, corrects and gives the impulses by what a pass found.
void vrmi_solver_find_meetings(vrm_ragdoll_solver *solver, float *rows, uint32_t lanes, uint32_t lane);
// Returns the largest change of a velocity that it made, m/s.
float vrmi_solver_correct_meetings(vrm_ragdoll_solver *solver, float *rows, uint32_t lanes, uint32_t lane);
void vrmi_solver_end_meetings(vrm_ragdoll_solver *solver);
// solver_integrate.c
void vrmi_solver_integrate(vrm_ragdoll_solver *solver, float *rows, uint32_t lanes, uint32_t lane);
// solver_sleep.c: after a step; and whether this frame has anything that wakes it.
void vrmi_solver_rest(vrm_ragdoll_solver *solver);
bool vrmi_solver_is_disturbed(const vrm_ragdoll_solver *solver);

// Axes and inertia in the world, kernel-free helpers of several files.
static inline vrm_vec3 vrmi_tensor_mul(const vrmi_tensor *a, vrm_vec3 v)
{
    return vrmi_vec3(a->v[0] * v.x + a->v[1] * v.y + a->v[2] * v.z, a->v[1] * v.x + a->v[3] * v.y + a->v[4] * v.z,
        a->v[2] * v.x + a->v[4] * v.y + a->v[5] * v.z);
}
// vrmi_quat_to_vector() at a third of its time.
static inline vrm_vec3 vrmi_turn_of(vrm_quat q)
{
    const float sign = q.w < 0.0f ? -1.0f : 1.0f;
    const vrm_vec3 v = {sign * q.x, sign * q.y, sign * q.z};
    const float sine = vrmi_vec3_length(v);
    return vrmi_vec3_scale(v, sine > 1e-6f ? 2.0f * vrmi_atan2_fast(sine, sign * q.w) / sine : 2.0f);
}
vrmi_tensor vrmi_tensor_rotated(const vrmi_tensor *a, vrm_quat q);
// Velocity of a point at `offset` from what turns with `angular` and moves with `linear`.
static inline vrm_vec3 vrmi_velocity_at(vrm_vec3 linear, vrm_vec3 angular, vrm_vec3 offset)
{
    return vrmi_vec3_add(linear, vrmi_vec3_cross(angular, offset));
}

#endif
