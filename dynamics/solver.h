// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_DYNAMICS_SOLVER_H
#define VRMI_DYNAMICS_SOLVER_H

// Internals of the light solver. A call loads a solver's state into a lane of a step (step.h, solver_lane.c), makes the
// steps there (solver_step.c) and stores the state back. A single ragdoll and eight ragdolls in lanes use the same
// functions. Work that all bodies need in every step is in the kernel (kernel_step_body.h). The rest is done lane by
// lane: the host's shapes (solver_contact.c), self-contacts (solver_self.c), the velocity drive.

#include "math/quat.h"
#include "step.h"

#include <vrm/ragdoll_drive.h>
#include <vrm/ragdoll_solver.h>

enum { VRMI_SOLVER_SELF = 24 }; // largest number of self-contacts in a step

// A symmetric matrix: xx xy xz yy yz zz.
typedef struct vrmi_tensor {
    float v[6];
} vrmi_tensor;

// Values that follow from the definition and the scale. The first rows of a step (step.h) contain these values in the
// same order.
typedef struct vrmi_solver_constant {
    vrmi_tensor inertia; // about the centre of mass, in the body's axes
    vrm_vec3 center;     // centre of mass, relative to the body's origin
    vrm_vec3 anchor;     // the joint's position in the parent's frame, in the T-pose
    vrm_vec3 axis;       // the joint's X axis in the parent's frame
    vrm_quat frame;      // of the joint
    float swing_y, swing_z, center_y, center_z, min_angle, max_angle;
    vrm_vec3 shape_center, shape_axis; // capsule for the shape: centre; vector from there to one end
    float shape_radius;
    float sphere;      // radius of the sphere around the shape's capsule
    vrm_vec3 sides[3]; // half edges of a box
    float box;         // 1 if the shape is a box
    float reach;       // distance from the centre of mass to the farthest point of the shape
    float mass;
    float friction; // of the joint, relative to the others'
    // Moment of inertia of the body and all bodies below it about the body's joint. A spring to the world acts on it.
    float held_inertia;
} vrmi_solver_constant;

// The state of a body. A snapshot contains all of it.
typedef struct vrmi_solver_body {
    vrm_ragdoll_state state;  // relative to the solver's origin
    vrm_vec3 spin;            // angular momentum about the centre of mass, kept when the inertia changes
    vrm_vec3 blow, blow_spin; // impulse for the next step, and its moment about the centre of mass
    vrm_vec3 anchor;          // the joint's position in the parent's frame, after the last step
    vrm_vec3 next_anchor;     // the joint's position at the end of the frame
    // Change of the target's velocity that no step has made yet, and the target's displacement since the last step's
    // end, less that with the velocity of that step (solver_lane.c).
    vrm_ragdoll_velocity owed, ahead;
    vrm_quat bend;    // for a hinge: the part of the child's rotation that is not about the hinge's axis
    vrm_vec3 bending; // angular velocity with which `bend` is reached, in the parent's frame; set by every call
    float part;       // fraction of the drive's torque that its strength allowed
    uint32_t feature[VRMI_ART_CONTACTS]; // for each contact, the feature that touches, or VRMI_FEATURE_NONE
    float push[VRMI_ART_CONTACTS], drag[VRMI_ART_CONTACTS];
    bool limited[VRMI_ART_LIMITS]; // whether each limit pushed in the last step
} vrmi_solver_body;

// Two bodies that may collide.
typedef struct vrmi_solver_pair {
    uint8_t a, b;
    float impulse; // impulse of the last step; part of the state
} vrmi_solver_pair;

// A self-contact of the current step.
typedef struct vrmi_solver_meeting {
    uint32_t pair;
    vrm_vec3 at_a, at_b; // contact points, relative to the bodies' origins
    vrm_vec3 normal;     // direction in which body a is pushed
    float gap, target, impulse;
    float mass; // 0: not computed yet
    float most; // largest impulse, N s
} vrmi_solver_meeting;

typedef struct vrmi_solver_shape {
    bool used;
    vrm_ragdoll_world_shape_def shape;
} vrmi_solver_shape;

typedef struct vrmi_solver_contact {
    uint32_t feature;
    vrm_vec3 point; // relative to the body's origin
    vrm_vec3 place; // relative to the solver's origin
    vrm_vec3 normal, surface;
    float gap;
} vrmi_solver_contact;

// A body's contacts with the world in the last step.
typedef struct vrmi_solver_contacts {
    uint32_t count;
    vrmi_solver_contact slot[VRMI_ART_CONTACTS];
    float impulse[VRMI_ART_CONTACTS];
} vrmi_solver_contacts;

// Values that are the same in all steps of a call.
typedef struct vrmi_solver_frame {
    const vrm_ragdoll_targets *targets;
    vrm_vec3 shift; // vector from the origin of the targets to the origin of the solver
    uint32_t steps; // number of steps to make
    float share;    // fraction of the first step that lies in this frame
    float dt;       // seconds of the frame
    float later;    // seconds from the end of the first step to the time of the targets
} vrmi_solver_frame;

struct vrm_ragdoll_solver {
    vrm_ragdoll_solver_def params;
    vrm_allocator allocator;
    bool owned; // the solver allocated its block
    size_t size;
    vrm_ragdoll_def def;
    vrmi_art_tree tree;
    uint32_t pair_count;
    vrmi_solver_body *bodies;
    vrmi_solver_constant *constants;
    vrmi_solver_contacts *contacts;
    vrmi_solver_pair *pairs;
    vrmi_solver_shape *shapes;
    vrm_ragdoll_target *targets;   // targets of the last call that made a step, relative to the solver's origin
    float *rows;                   // rows for a step of one ragdoll
    const vrmi_step_kernel *lanes; // the best kernel of this processor, kept because finding it takes as long as a step
    vrmi_solver_meeting meetings[VRMI_SOLVER_SELF + 1]; // the last element is scratch space
    uint32_t meeting_count;
    vrmi_solver_frame frame;                    // values of the current call
    float total_mass, hardness, limit_hardness; // values for the current scale
    // State.
    vrm_dvec3 origin; // the solver's origin in the world; moved only when the ragdoll is far from it
    double rest;      // time that no step has simulated yet, seconds
    float scale;
    float calm;   // seconds for which the ragdoll has been still
    float drowsy; // seconds for which the ragdoll has been slow without new targets
    bool placed, asleep;
    uint32_t moved;
    uint32_t status;
};

// Whether a body is at its target, whatever pushes it.
static inline bool vrmi_solver_is_held(const vrm_ragdoll_solver *solver, uint32_t body)
{
    return solver->targets[body].motion != VRM_RAGDOLL_MOTION_DYNAMIC;
}
// solver.c: computes the tree of a definition.
void vrmi_solver_tree(const vrm_ragdoll_def *def, vrmi_art_tree *out);
// solver_scale.c: vrmi_solver_scale_body() computes the constants of a body except held_inertia,
// vrmi_solver_find_held() the held_inertia of all bodies, and vrmi_solver_scale() everything that depends on the scale.
void vrmi_solver_scale_body(const vrm_ragdoll_body *body, float scale, vrmi_solver_constant *out);
void vrmi_solver_find_held(const vrm_ragdoll_def *def, vrmi_solver_constant *constants);
void vrmi_solver_scale(vrm_ragdoll_solver *solver, float scale);
// solver_state.c: computes all positions from the root's position and the rotations.
void vrmi_solver_place(vrm_ragdoll_solver *solver);
// Sets the joints' positions of a frame, from the targets or the definition. With `put` the joints are there at once,
// otherwise the steps move them there.
void vrmi_solver_take_anchors(vrm_ragdoll_solver *solver, const vrm_ragdoll_targets *targets, bool put);
// Writes the state `time` seconds later without forces.
void vrmi_solver_carry(const vrm_ragdoll_solver *solver, float time, vrm_ragdoll_state *out_states);
// solver_hinge.c: these functions set `bend` of all hinges. vrmi_solver_put_hinges() takes it from the bodies when they
// are placed, vrmi_solver_bend_hinges() from the targets during the steps of a call.
void vrmi_solver_put_hinges(vrm_ragdoll_solver *solver);
void vrmi_solver_bend_hinges(vrm_ragdoll_solver *solver);
// solver_lane.c: converts a target to the form that a step needs. Returns false for an invalid target, and replaces it
// by the current state.
bool vrmi_solver_check_target(
    const vrm_ragdoll_target *wanted, const vrm_ragdoll_state *state, vrm_ragdoll_target *out);
// Stores the targets of the call relative to the solver's origin.
void vrmi_solver_take_targets(vrm_ragdoll_solver *solver);
// Takes the animation's changes of velocity in a call of `dt` seconds without a step.
void vrmi_solver_lead_on(vrm_ragdoll_solver *solver, float dt);
// These two functions load members into the lanes whose bits in `which` are set, and store them back.
void vrmi_solver_load(vrm_ragdoll_solver *const *members, uint32_t which, const vrmi_step *step);
void vrmi_solver_store(vrm_ragdoll_solver *const *members, uint32_t which, const vrmi_step *step);
void vrmi_solver_load_constant(
    const vrmi_solver_constant *constant, const vrmi_step *step, uint32_t lane, uint32_t body);
// Sets the velocities of the article named in ragdoll_drive.h before the step. The algorithm then makes them consistent
// at the joints.
void vrmi_solver_drive_velocities(const vrm_ragdoll_solver *solver, const vrmi_step *step, uint32_t lane);
// solver_step.c: vrm_ragdoll_solver_step_many() with a given kernel; NULL steps the solvers one after the other.
void vrmi_solver_step_many(const vrmi_step_kernel *kernel, vrm_ragdoll_solver *const *solvers,
    const vrm_ragdoll_targets *const *targets, uint32_t count, float dt, void *scratch, size_t scratch_size);
// drive_torque.c: vrm_ragdoll_drive_torques_many() with a given kernel; NULL computes the inputs one after the other.
void vrmi_drive_torques_many(const vrmi_step_kernel *kernel, const vrm_ragdoll_drive_params *const *inputs,
    vrm_ragdoll_wrench *const *out, uint32_t count, void *scratch, size_t scratch_size);
// solver_contact.c: vrmi_solver_contact_target() returns the least speed at which a gap has to change. `led`, 0 to 1,
// is the degree to which the animation controls the bodies in contact. vrmi_solver_meet_shapes() adds the lane's
// possible contacts with the host's shapes. vrmi_solver_move_shapes() moves the shapes by a step.
float vrmi_solver_contact_target(float gap, float led, float step);
void vrmi_solver_meet_shapes(const vrm_ragdoll_solver *solver, const vrmi_step *step, uint32_t lane);
void vrmi_solver_move_shapes(vrm_ragdoll_solver *solver);
// solver_self.c: finds the pairs in contact in the lanes of `active`.
void vrmi_solver_find_meetings(
    vrm_ragdoll_solver *const *members, uint32_t active, const vrmi_step_kernel *kernel, const vrmi_step *step);
// Corrects a lane's impulses after a pass; returns the largest change of a velocity, m/s.
float vrmi_solver_correct_meetings(vrm_ragdoll_solver *solver, const vrmi_step *step, uint32_t lane);
void vrmi_solver_end_meetings(vrm_ragdoll_solver *solver);
// solver_sleep.c: decides after a step whether the ragdoll is still, from the squares of the speeds of its fastest
// body.
void vrmi_solver_rest(vrm_ragdoll_solver *solver, float speed, float turn);
float vrmi_solver_joint_friction(const vrm_ragdoll_solver *solver); // damping of joints in the next step, 1/s
void vrmi_solver_stop(vrm_ragdoll_solver *solver);                  // sets the speeds of a sleeping ragdoll to 0
// Whether anything in this frame wakes a sleeping ragdoll.
bool vrmi_solver_is_disturbed(const vrm_ragdoll_solver *solver);

// Helpers of several files that are not part of a kernel: inertia and velocities in the world's axes.
static inline vrm_vec3 vrmi_tensor_mul(const vrmi_tensor *a, vrm_vec3 v)
{
    return vrmi_vec3(a->v[0] * v.x + a->v[1] * v.y + a->v[2] * v.z, a->v[1] * v.x + a->v[3] * v.y + a->v[4] * v.z,
        a->v[2] * v.x + a->v[4] * v.y + a->v[5] * v.z);
}
vrmi_tensor vrmi_tensor_rotated(const vrmi_tensor *a, vrm_quat q);
// Velocity of a point at `offset` on a body that rotates with `angular` and moves with `linear`.
static inline vrm_vec3 vrmi_velocity_at(vrm_vec3 linear, vrm_vec3 angular, vrm_vec3 offset)
{
    return vrmi_vec3_add(linear, vrmi_vec3_cross(angular, offset));
}

#endif
