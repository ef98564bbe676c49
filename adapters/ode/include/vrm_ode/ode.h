// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_ODE_ODE_H
#define VRM_ODE_ODE_H

/// @file ode.h Ragdolls that collide with props and with each other, in a world of the Open Dynamics Engine (ODE). Like
/// the light solver, the world takes targets and returns states (vrm/ragdoll.h). The code is in a separate library,
/// libvrm-ode; libvrm itself depends on no engine. ODE aborts the process when a state diverges, so every body is
/// checked before each step. A body that is not finite is moved to its target, a body that is too fast is slowed down,
/// and the status reports both. A world must be used by one thread at a time. ODE has a single random number generator,
/// so worlds that several threads step are not reproducible.

#include <vrm/ragdoll.h>

/// An ODE world with ground and contacts.
typedef struct vrm_ode_world vrm_ode_world;
/// The bodies and joints of one ragdoll in a world.
typedef struct vrm_ode_ragdoll vrm_ode_ragdoll;
/// A body that is not part of a ragdoll.
typedef struct vrm_ode_prop vrm_ode_prop;

/// The parameters of a new world.
typedef struct vrm_ode_world_params {
    uint32_t struct_size;
    /// Substeps per step of 1/60 s or less, 1 to 16; default 4. A longer step has proportionally more. 2 are enough for
    /// distant ragdolls.
    uint32_t substeps;
    /// Iterations of QuickStep, 1 to 1000; default 40. With fewer, lying ragdolls tremble. 0: ODE's exact step instead,
    /// which takes twice as long.
    uint32_t iterations;
    uint32_t seed;        ///< Seed of ODE's random numbers; default 1. Equal worlds and calls give identical bits.
    vrm_dvec3 origin;     ///< World position of ODE's origin; default 0.
    vrm_vec3 gravity;     ///< World space, m/s^2; default (0, -9.81, 0).
    float friction;       ///< Coulomb friction, 0 to 100; default 0.8.
    bool ground;          ///< Adds the ground plane y = ground_height (world space); default true.
    double ground_height; ///< Default 0.
    /// Dry friction of joints without a drive: the rate at which it slows the bodies, rad/s^2, 0 to 1000. Default 5,
    /// which brings hands and feet to rest. While the ragdoll is slow it grows to five times the value. 0: no friction.
    float joint_friction;
} vrm_ode_world_params;

/// Fills the parameters with their defaults.
VRM_API void vrm_ode_world_params_default(vrm_ode_world_params *params, size_t size);
#define vrm_ode_world_params_default(params) vrm_ode_world_params_default(params, sizeof *(params))
/// Creates a world. `params` may be NULL. Initialises ODE for this thread; the host has to close ODE (dCloseODE).
/// Errors: INVALID_ARGUMENT, OUT_OF_MEMORY.
VRM_API vrm_result vrm_ode_world_create(const vrm_ode_world_params *params, vrm_ode_world **out_world);
/// Frees the world with all its ragdolls and props. NULL is allowed.
VRM_API void vrm_ode_world_destroy(vrm_ode_world *world);
/// Advances the world by `dt` seconds (0 to 1; other values do nothing) towards the targets last given to
/// vrm_ode_ragdoll_set_targets().
VRM_API void vrm_ode_world_step(vrm_ode_world *world, float dt);
/// Returns ODE's own dWorldID, so that the host can add other objects to the world. The host's geoms must have no data
/// pointer.
VRM_API void *vrm_ode_world_handle(const vrm_ode_world *world);
VRM_API void *vrm_ode_world_space(const vrm_ode_world *world); ///< Returns the dSpaceID.

// --- ragdolls ------------------------------------------------------------------------------------------------------

/// How the drives are passed to ODE.
typedef enum vrm_ode_drive {
    /// Velocities from vrm_ragdoll_drive_velocities(). Torques from vrm_ragdoll_drive_torques() for bodies that bear their
    /// load; for others, which fall or lie, ODE's joint motors act as the springs, so they react to contacts.
    VRM_ODE_DRIVE_DEFAULT,
    VRM_ODE_DRIVE_PLAIN, ///< Velocities from vrm_ragdoll_drive_velocities_plain(), torques as in DEFAULT.
    /// Velocities as in DEFAULT. ODE's joint motors act as the springs of all bodies.
    VRM_ODE_DRIVE_MOTORS,
    VRM_ODE_DRIVE_ARTICLE, ///< The same as PLAIN, but velocities are computed with VRM_RAGDOLL_VELOCITY_MODE_ARTICLE.
    VRM_ODE_DRIVE_COUNT
} vrm_ode_drive;

/// Adds a ragdoll and copies its definition. Until the first targets, the bodies are in the T-pose with the hips at the
/// world's origin. Errors: INVALID_ARGUMENT (faulty definition), OUT_OF_MEMORY.
VRM_API vrm_result vrm_ode_ragdoll_create(
    vrm_ode_world *world, const vrm_ragdoll_def *def, vrm_ode_drive drive, vrm_ode_ragdoll **out_ragdoll);
/// Removes the ragdoll from its world. NULL is allowed.
VRM_API void vrm_ode_ragdoll_destroy(vrm_ode_ragdoll *ragdoll);
/// Copies the targets of the next step. Impulses are applied once. Targets that are not finite, or that have the wrong
/// number of bodies, are refused: the previous targets remain, and the status reports the refusal.
VRM_API void vrm_ode_ragdoll_set_targets(vrm_ode_ragdoll *ragdoll, const vrm_ragdoll_targets *targets);
/// Writes the states of the first `count` bodies relative to `origin`, a position in the world.
VRM_API void vrm_ode_ragdoll_get_states(
    const vrm_ode_ragdoll *ragdoll, const vrm_dvec3 *origin, vrm_ragdoll_state *out_states, uint32_t count);
/// Whether all bodies of the ragdoll are at rest and are not stepped.
VRM_API bool vrm_ode_ragdoll_is_asleep(const vrm_ode_ragdoll *ragdoll);

/// Corrections that were necessary on a ragdoll.
typedef enum vrm_ode_status {
    VRM_ODE_NOT_FINITE = 1 << 0,      ///< A state was no longer finite; the ragdoll was moved to its targets.
    VRM_ODE_TOO_FAST = 1 << 1,        ///< A body was slowed down to 100 m/s, or to 0.4 radians per substep.
    VRM_ODE_INPUT_NOT_FINITE = 1 << 2 ///< Unusable targets or impulses were ignored.
} vrm_ode_status;

/// Returns the vrm_ode_status bits set since the last call, and clears them.
VRM_API uint32_t vrm_ode_ragdoll_take_status(vrm_ode_ragdoll *ragdoll);

/// Errors and energy of a ragdoll in its current state, for tests and comparisons.
typedef struct vrm_ode_measure {
    uint32_t struct_size;  ///< Set by the caller: sizeof(vrm_ode_measure).
    float joint_drift;     ///< Largest distance between the two anchor points of a joint, metres.
    float limit_violation; ///< Largest angle beyond a joint limit, radians.
    float penetration;     ///< Deepest contact of any body in the last step, metres.
    /// Kinetic and potential energy, joules. The potential energy is that of gravity, 0 at ODE's origin.
    float kinetic, potential;
} vrm_ode_measure;

/// Measures the ragdoll in its current state.
VRM_API void vrm_ode_ragdoll_measure(const vrm_ode_ragdoll *ragdoll, vrm_ode_measure *out_measure);

// --- props ---------------------------------------------------------------------------------------------------------

/// A solid object in the world.
typedef struct vrm_ode_prop_def {
    uint32_t struct_size;
    vrm_ragdoll_shape shape;   ///< The shape's centre is the prop's origin. Default: a box of 0.5 m.
    float mass;                ///< Kilograms; 0: a prop that never moves. Default 1.
    vrm_dvec3 position;        ///< World.
    vrm_quat rotation;         ///< Rotation from the prop to the world, unit; default identity.
    vrm_vec3 linear_velocity;  ///< m/s; default 0.
    vrm_vec3 angular_velocity; ///< rad/s; default 0.
} vrm_ode_prop_def;

/// Fills the definition with its defaults.
VRM_API void vrm_ode_prop_def_default(vrm_ode_prop_def *def, size_t size);
#define vrm_ode_prop_def_default(def) vrm_ode_prop_def_default(def, sizeof *(def))
/// Adds a prop. Errors: INVALID_ARGUMENT, OUT_OF_MEMORY.
VRM_API vrm_result vrm_ode_prop_create(vrm_ode_world *world, const vrm_ode_prop_def *def, vrm_ode_prop **out_prop);
/// Removes the prop from its world. NULL is allowed.
VRM_API void vrm_ode_prop_destroy(vrm_ode_prop *prop);
/// Writes the prop's pose and velocities, relative to `origin` (world).
VRM_API void vrm_ode_prop_get_state(const vrm_ode_prop *prop, const vrm_dvec3 *origin, vrm_ragdoll_state *out_state);

#endif
