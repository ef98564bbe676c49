// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef ADAPTERS_ODE_INTERNAL_H
#define ADAPTERS_ODE_INTERNAL_H

// Declarations shared by the files of libvrm-ode. world.c: world, contacts, the step; ragdoll.c: bodies, input of
// targets, output of states; joint.c: joints with limits and motors; ground.c: contacts with the ground; state.c:
// conversion of a body's state to ODE and back; guard.c: keeps out values that ODE cannot handle; prop.c: other
// objects.

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
    dJointID joint;       // hinge or ball, NULL for the root
    dJointID limit;       // AMotor of a cone's swing and twist, or NULL
    dJointID motor;       // AMotor of a cone's spring or friction, or NULL
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
    uint32_t status;
    dReal deepest;         // deepest contact of the last step
    bool has_targets, put; // `has_targets`: the host has set targets; `put`: the bodies have been placed
    uint32_t moved;
    vrm_ragdoll_targets targets; // `bodies` points to `wanted`; the origin is the world's
    vrm_ragdoll_target wanted[VRM_RAGDOLL_MAX_BODIES];
    vrm_ragdoll_impulse *impulses; // [impulse_capacity], allocated with malloc
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
// Prepares a substep of `h` seconds: drives, kinematic bodies, limits. `left` is the time to the end of the frame.
void vrmo_drive(vrm_ode_ragdoll *ragdoll, float h, float left);
// At the beginning of a frame: moves bodies to their requested states or targets.
void vrmo_begin_frame(vrm_ode_ragdoll *ragdoll, float h);

// --- joint.c -------------------------------------------------------------------------------------------------------

void vrmo_make_joint(vrm_ode_ragdoll *ragdoll, uint32_t body);
// Moves the joints' anchors on their parents for a substep of `h` seconds; `left` is the time to the end of the frame.
void vrmo_move_anchors(vrm_ode_ragdoll *ragdoll, float h, float left);
// Aligns the axes of the limit motors with the joints, and sets the motors' stops at the joint limits.
void vrmo_aim_limits(vrm_ode_ragdoll *ragdoll);
// Sets the joint motors for the drive; if `driven` is false, they only apply friction.
void vrmo_aim_motors(vrm_ode_ragdoll *ragdoll, bool driven, float h);
// Returns the angle in radians by which a joint exceeds its limits.
float vrmo_violation(const vrm_ode_ragdoll *ragdoll, uint32_t body, const vrm_ragdoll_state *states);

// --- ground.c ------------------------------------------------------------------------------------------------------

// Computes the depth to which each body may sink into the ground. Call once per frame, after the targets are set.
void vrmo_admit_ground(vrm_ode_ragdoll *ragdoll);
// Adapts the contact of a ragdoll's body with the ground to the body's target. Returns false if no contact remains.
bool vrmo_meet_ground(const vrmo_owner *owner, dContact *contact);

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
