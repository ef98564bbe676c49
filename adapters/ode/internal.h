// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef ADAPTERS_ODE_INTERNAL_H
#define ADAPTERS_ODE_INTERNAL_H

// Declarations shared by the files of libvrm-ode. world.c: world, the step; ragdoll.c: bodies, input of targets, output
// of states; target.c: the targets; joint.c: joints and their motors; limit.c: their limits; contact.c: contacts of bodies; ground.c: contacts
// with the ground; sleep.c: rest; state.c: conversion of a body's state to ODE and back; guard.c: keeps out values that
// ODE cannot handle; prop.c: other objects.

#include <ode/ode.h>

#include <vrm/ragdoll_drive.h>
#include <vrm_ode/ode.h>

// The owner of a geom. Every geom created by libvrm-ode points to its owner with ODE's data pointer.
typedef struct vrmo_owner {
    vrm_ode_ragdoll *ragdoll; // NULL for a prop or the ground
    uint32_t body;
} vrmo_owner;

typedef struct vrmo_body {
    dBodyID body;
    dGeomID geom;
    dGeomID wanted_geom;  // the same shape at the body's target, in no space
    dJointID joint;       // ball, NULL for the root
    dJointID limit;       // AMotor of the joint's limits, NULL for the root
    dJointID motor;       // AMotor of the joint's spring or friction, or NULL
    dReal spring_inertia; // moment of inertia that a motor's spring moves
    dReal admitted;       // depth to which the body may sink into the ground in this frame, metres
    vrmo_owner owner;
    vrm_ragdoll_motion motion; // the motion type that the body is set up for
    // Position of the joint in the parent's frame, before scaling: the position set in ODE, and the position at the end
    // of the frame.
    vrm_vec3 anchor, next_anchor;
} vrmo_body;

struct vrm_ode_ragdoll {
    vrm_ode_world *world;
    vrm_ode_ragdoll *next, *previous;
    vrm_ragdoll_def def;
    vrm_ode_drive drive;
    float scale;
    dReal mass; // of all bodies at this scale, kg
    uint32_t status;
    dReal deepest; // deepest contact of the last step
    bool asleep;
    float calm, drowsy;                                    // seconds without visible motion, and with slow motion
    vrm_ragdoll_state calm_states[VRM_RAGDOLL_MAX_BODIES]; // the states when `calm` was 0
    bool has_targets, put; // `has_targets`: the host has set targets; `put`: the bodies have been placed
    uint32_t moved;
    vrm_ragdoll_targets targets; // `bodies` points to `wanted`; the origin is the world's
    vrm_ragdoll_target wanted[VRM_RAGDOLL_MAX_BODIES];
    vrm_ragdoll_target aims[VRM_RAGDOLL_MAX_BODIES]; // torque drive: the targets at the end of the substep
    vrm_ragdoll_impulse *impulses;                   // [impulse_capacity], allocated with malloc
    uint32_t impulse_count, impulse_capacity;
    vrmo_body bodies[VRM_RAGDOLL_MAX_BODIES];
};

struct vrm_ode_prop {
    vrm_ode_world *world;
    vrm_ode_prop *next, *previous;
    dBodyID body; // NULL for a prop that never moves
    dGeomID geom;
    vrmo_owner owner;
};

struct vrm_ode_world {
    vrm_ode_world_params params;
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    unsigned long seed;
    vrmo_owner ground;
    vrm_ode_ragdoll *ragdolls;
    vrm_ode_prop *props;
};

// --- state.c -------------------------------------------------------------------------------------------------------

// Moves a body so that the origin of the definition's body has this state, relative to ODE's origin.
void vrmo_put(vrm_ode_ragdoll *ragdoll, uint32_t body, const vrm_ragdoll_state *state);
// Writes the states of all bodies relative to ODE's origin.
void vrmo_states(const vrm_ode_ragdoll *ragdoll, vrm_ragdoll_state *out);
bool vrmo_state_finite(const vrm_ragdoll_state *state);
// The vector from the origin of the definition's body to its centre of mass, rotated by q.
void vrmo_center_of(const vrm_ode_ragdoll *ragdoll, uint32_t body, const dQuaternion q, dReal out[3]);
// Rotates v by q.
void vrmo_rotate(const dQuaternion q, const dReal v[3], dReal out[3]);

// --- ragdoll.c -----------------------------------------------------------------------------------------------------

// Creates the definition's bodies, shapes and joints at a scale, in the T-pose. Frees the bodies, shapes and joints
// that were created before.
void vrmo_build(vrm_ode_ragdoll *ragdoll, float scale);
// Prepares a substep of `h` seconds: drives, kinematic bodies, limits. `left` is the time to the end of the frame, which
// has `dt` seconds.
void vrmo_drive(vrm_ode_ragdoll *ragdoll, float h, float left, float dt);
// At the beginning of a frame: changes the motion types of bodies.
void vrmo_begin_frame(vrm_ode_ragdoll *ragdoll);
// Before each substep of `h` seconds in a frame of `dt` seconds: applies the frame's impulses as forces.
void vrmo_push(vrm_ode_ragdoll *ragdoll, float h, float dt, bool first);
// --- target.c ------------------------------------------------------------------------------------------------------

// Whether a drive holds or moves the body.
bool vrmo_is_driven(const vrm_ode_ragdoll *ragdoll, uint32_t body);
// Fraction of the body's load that its drive bears, 0 to 1: the degree to which limits and contacts allow the target
// pose.
dReal vrmo_led(const vrm_ode_ragdoll *ragdoll, uint32_t body);
// Whether ODE's motor is the spring of the body's joint.
bool vrmo_has_motor(const vrm_ode_ragdoll *ragdoll, uint32_t body);
// Torque drive: writes the targets at the end of a substep of `h` seconds to `aims`. `left` is the time to the end of
// the frame, which has `dt` seconds.
void vrmo_aim_targets(vrm_ode_ragdoll *ragdoll, float h, float left, float dt);

// --- joint.c -------------------------------------------------------------------------------------------------------

void vrmo_make_joint(vrm_ode_ragdoll *ragdoll, uint32_t body);
// Moves the joints' anchors on their parents for a substep of `h` seconds; `left` is the time to the end of the frame.
void vrmo_move_anchors(vrm_ode_ragdoll *ragdoll, float h, float left);
// Sets the joint motors for the drive. A joint whose spring is no motor only has friction.
void vrmo_aim_motors(vrm_ode_ragdoll *ragdoll, float h);
// After a substep: moves the bodies by the distances by which their joints have separated. The centre of mass stays.
void vrmo_assemble(vrm_ode_ragdoll *ragdoll);
// Creates a motor between a body and its parent, with axes that the caller sets.
dJointID vrmo_make_motor(const vrm_ode_ragdoll *ragdoll, uint32_t body, int axes);

// --- limit.c -------------------------------------------------------------------------------------------------------

// Limits the joints' speeds in a substep of `h` seconds, so that no joint exceeds its limits.
void vrmo_aim_limits(vrm_ode_ragdoll *ragdoll, float h);
// Returns the angle in radians by which a joint exceeds its limits.
float vrmo_violation(const vrm_ode_ragdoll *ragdoll, uint32_t body, const vrm_ragdoll_state *states);

// --- contact.c -----------------------------------------------------------------------------------------------------

// Adds the contacts of a substep, except those of bodies with the ground.
void vrmo_find_contacts(vrm_ode_world *world);
// Moves the shapes of the targets to the targets. Call once per frame, after the targets are set.
void vrmo_place_wanted(vrm_ode_ragdoll *ragdoll);

// --- ground.c ------------------------------------------------------------------------------------------------------

// Computes the depth to which each body may sink into the ground. Call once per frame, after the targets are set.
void vrmo_admit_ground(vrm_ode_ragdoll *ragdoll);
// Adds the contacts of the bodies with the ground for a substep of `h` seconds.
void vrmo_touch_ground(vrm_ode_ragdoll *ragdoll, float h);

// --- sleep.c -------------------------------------------------------------------------------------------------------

// After a substep of `h` seconds: lets the ragdoll sleep if it has been at rest for long enough.
void vrmo_rest(vrm_ode_ragdoll *ragdoll, float h);
// Returns the friction of limp joints, rad/s^2, which grows while the ragdoll is slow.
dReal vrmo_joint_friction(const vrm_ode_ragdoll *ragdoll);

// --- guard.c -------------------------------------------------------------------------------------------------------

// Repairs values that ODE cannot handle, before or after a step of `h` seconds.
void vrmo_guard(vrm_ode_ragdoll *ragdoll, float h);
void vrmo_guard_body(dBodyID body, float h, uint32_t *status);

// --- prop.c --------------------------------------------------------------------------------------------------------

// Creates the geom of a shape at a scale, without a position.
dGeomID vrmo_make_geom(dSpaceID space, const vrm_ragdoll_shape *shape, float scale);
// Converts a shape's rotation to a rotation for ODE's geoms, whose capsules are along Z.
void vrmo_geom_rotation(const vrm_ragdoll_shape *shape, dQuaternion out);

static inline void vrmo_quat(vrm_quat q, dQuaternion out)
{
    out[0] = (dReal)q.w;
    out[1] = (dReal)q.x;
    out[2] = (dReal)q.y;
    out[3] = (dReal)q.z;
}

#endif
