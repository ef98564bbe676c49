// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_RAGDOLL_SOLVER_H
#define VRM_RAGDOLL_SOLVER_H

/// @file ragdoll_solver.h
/// The light solver: one ragdoll as an articulated body in reduced coordinates (joints cannot come apart), with joint
/// limits, ground, simple shapes and contacts with itself. It takes targets and gives states (ragdoll.h), as an engine
/// would. Part of libvrm-dynamics.
/// Time advances in fixed steps: the rest of a frame waits for the next one, and states are extrapolated from the last
/// step by that rest with their velocities (nothing of it is kept), so that there is no frame of delay and frame rates
/// agree. A step allocates nothing, cannot fail, and gives the same bits on every machine. A solver is owned by one
/// thread at a time.

#include <vrm/ragdoll.h>
#include <vrm/result.h>

/// Simulates the bodies of one or more ragdolls.
typedef struct vrm_ragdoll_solver vrm_ragdoll_solver;

/// Options of a solver.
typedef struct vrm_ragdoll_solver_def {
    uint32_t struct_size;
    uint32_t shape_slots; ///< Slots for shapes of the world (vrm_ragdoll_solver_set_shape()), at most 64; default 8.
    const vrm_ragdoll_def *def; ///< Required; copied.
    vrm_allocator allocator;    ///< Of vrm_ragdoll_solver_create(); all zero: the C library's.
    float step;                 ///< Seconds of a step, 1/480 to 1/30; default 1/120.
    /// Most steps in one call, 1 to 240; the rest of a longer frame is dropped (TIME_CLAMPED). Default 30.
    uint32_t max_steps;
    uint32_t iterations;  ///< Most iterations of a step with contacts, 1 to 16; default 8 (it usually takes 2 to 4).
    vrm_vec3 gravity;     ///< World, m/s^2; default (0, -9.81, 0).
    float joint_friction; ///< Friction of joints: damping, 1/s, and dry friction with it; 0 to 100, default 2.
    float friction;       ///< Coulomb friction between bodies and the world, 0 to 10; default 0.8.
    bool ground;          ///< The world has a ground plane y = ground_height; default true.
    bool self_contact;    ///< Bodies collide with each other, unless no_contact excludes the pair; default true.
    bool sleep;           ///< Bodies at rest are not stepped until something happens; default true.
    double ground_height; ///< World, metres; default 0.
} vrm_ragdoll_solver_def;

/// Fills it with the defaults.
VRM_API void vrm_ragdoll_solver_def_default(vrm_ragdoll_solver_def *params, size_t size);
#define vrm_ragdoll_solver_def_default(params) vrm_ragdoll_solver_def_default(params, sizeof *(params))
/// Bytes that vrm_ragdoll_solver_init() needs, aligned to 64; 0 for invalid params or an invalid def.
VRM_API size_t vrm_ragdoll_solver_get_size(const vrm_ragdoll_solver_def *params);
/// Makes a solver in the caller's memory (aligned to 64). The bodies are in the T-pose, the hips at the world's origin.
VRM_API vrm_result vrm_ragdoll_solver_init(
    const vrm_ragdoll_solver_def *params, void *memory, size_t size, vrm_ragdoll_solver **out_solver);
/// Allocates and inits.
VRM_API vrm_result vrm_ragdoll_solver_create(const vrm_ragdoll_solver_def *params, vrm_ragdoll_solver **out_solver);
/// Frees the memory if vrm_ragdoll_solver_create() took it. NULL is allowed.
VRM_API void vrm_ragdoll_solver_destroy(vrm_ragdoll_solver *solver);
/// The solver's copy of its definition.
VRM_API const vrm_ragdoll_def *vrm_ragdoll_solver_get_ragdoll_def(const vrm_ragdoll_solver *solver);

// --- the exchange --------------------------------------------------------------------------------------------------

/// Advances by `dt` seconds: moves the bodies to their places if `targets->moved` has changed, applies the impulses,
/// then steps. KINEMATIC bodies end at their targets and push only what is joined to them or touches them; OFF ones are
/// moved to their targets and touch nothing. A body whose target is not finite is limp, or stays in place if it is
/// held; targets for another number of bodies are ignored (INPUT_NOT_FINITE). An inactive ragdoll costs nothing and has
/// no state: the next active step moves the bodies to `places`, or to their targets.
VRM_API void vrm_ragdoll_solver_step(vrm_ragdoll_solver *solver, const vrm_ragdoll_targets *targets, float dt);
/// The same for several solvers. Up to eight neighbours of the array with the same structure (parents of bodies, types
/// of joints, iterations, friction) run at once in SIMD lanes, with the same bits as one by one. `solvers` and
/// `targets` hold `count` pointers; no solver twice. `scratch` is memory for the lanes,
/// vrm_ragdoll_solver_get_scratch_size() bytes of the largest; with none or less they run one by one.
VRM_API void vrm_ragdoll_solver_step_many(vrm_ragdoll_solver *const *solvers, const vrm_ragdoll_targets *const *targets,
    uint32_t count, float dt, vrm_scratch scratch);
/// Bytes of scratch that vrm_ragdoll_solver_step_many() needs for ragdolls with this number of bodies.
VRM_API size_t vrm_ragdoll_solver_get_scratch_size(uint32_t body_count);
/// Moves the bodies to `places` (relative to `targets->origin`, one per body), with their velocities. Joints are kept
/// together: positions follow from the root's position and all rotations. The next step does so by itself when `moved`
/// has increased.
VRM_API void vrm_ragdoll_solver_put(
    vrm_ragdoll_solver *solver, const vrm_ragdoll_targets *targets, const vrm_ragdoll_state *places);
/// Writes the states of all bodies (`count` at most) relative to `origin` (world), as they are now.
VRM_API void vrm_ragdoll_solver_get_states(
    const vrm_ragdoll_solver *solver, const vrm_dvec3 *origin, vrm_ragdoll_state *out_states, uint32_t count);
/// Applies an impulse in addition to those of the targets: N s at a point of the world, in the next step. Values that
/// are not finite are refused (INVALID_ARGUMENT), as is a body outside.
VRM_API vrm_result vrm_ragdoll_solver_apply_impulse(
    vrm_ragdoll_solver *solver, uint32_t body, const vrm_dvec3 *point_world, const vrm_vec3 *impulse);

// --- the world -----------------------------------------------------------------------------------------------------

/// Types of shapes of the world.
typedef enum vrm_ragdoll_world_shape_type {
    VRM_RAGDOLL_WORLD_SPHERE = 0,
    VRM_RAGDOLL_WORLD_CAPSULE = 1, ///< Along the shape's Y.
    VRM_RAGDOLL_WORLD_BOX = 2,
    VRM_RAGDOLL_WORLD_SHAPE_COUNT = 3
} vrm_ragdoll_world_shape_type;

/// A shape that bodies cannot move. With velocities it is kinematic: the solver moves it at these velocities until it
/// is set again.
typedef struct vrm_ragdoll_world_shape_def {
    uint32_t struct_size;
    vrm_ragdoll_world_shape_type type; ///< Default box.
    vrm_dvec3 center;                  ///< World, metres; default the origin.
    vrm_quat rotation;                 ///< World from shape; default identity.
    float radius;                      ///< Sphere and capsule, above 0; default 0.5.
    float half_length;                 ///< Capsule, not negative; default 0.5.
    vrm_vec3 half_extents;             ///< Box, above 0; default 0.5 each.
    vrm_vec3 linear_velocity;          ///< m/s; default 0.
    vrm_vec3 angular_velocity;         ///< rad/s; default 0.
} vrm_ragdoll_world_shape_def;

/// Fills it with the defaults.
VRM_API void vrm_ragdoll_world_shape_def_default(vrm_ragdoll_world_shape_def *shape, size_t size);
#define vrm_ragdoll_world_shape_def_default(shape) vrm_ragdoll_world_shape_def_default(shape, sizeof *(shape))
/// Fills a slot; NULL empties it. INVALID_ARGUMENT outside the ranges above and for a slot that was not reserved.
VRM_API vrm_result vrm_ragdoll_solver_set_shape(
    vrm_ragdoll_solver *solver, uint32_t slot, const vrm_ragdoll_world_shape_def *shape);
/// Sets the height of the ground plane (world, metres). Wakes the bodies if it has changed. INVALID_ARGUMENT if the
/// height is not finite.
VRM_API vrm_result vrm_ragdoll_solver_set_ground(vrm_ragdoll_solver *solver, double height);
/// Removes the ground plane. Wakes the bodies if there was one.
VRM_API vrm_result vrm_ragdoll_solver_clear_ground(vrm_ragdoll_solver *solver);

// --- results ---------------------------------------------------------------------------------------------------------

/// Problems that steps had to work around since the last vrm_ragdoll_solver_clear_status().
typedef enum vrm_ragdoll_solver_status {
    VRM_RAGDOLL_SOLVER_NOT_FINITE = 1 << 0, ///< The state became not finite; the bodies were moved to their targets.
    VRM_RAGDOLL_SOLVER_INPUT_NOT_FINITE = 1 << 1, ///< Targets or impulses were invalid and ignored.
    VRM_RAGDOLL_SOLVER_TIME_CLAMPED = 1 << 2      ///< The frame was longer than max_steps; the rest was dropped.
} vrm_ragdoll_solver_status;

/// Combination of vrm_ragdoll_solver_status.
VRM_API uint32_t vrm_ragdoll_solver_get_status(const vrm_ragdoll_solver *solver);
/// Forgets all status bits.
VRM_API void vrm_ragdoll_solver_clear_status(vrm_ragdoll_solver *solver);
/// Whether the bodies are asleep and not stepped.
VRM_API bool vrm_ragdoll_solver_is_asleep(const vrm_ragdoll_solver *solver);
/// Wakes the bodies. Impulses, moving targets and changes of the world do so by themselves.
VRM_API void vrm_ragdoll_solver_wake(vrm_ragdoll_solver *solver);

/// For debug lines and tests.
typedef struct vrm_ragdoll_contact {
    uint32_t body;   ///< Index in the definition.
    int32_t other;   ///< Body, or -1: the world.
    vrm_dvec3 point; ///< World.
    vrm_vec3 normal; ///< World, unit; pushes `body`.
    float gap;       ///< Metres at the beginning of the last step; negative: penetration.
    float impulse;   ///< N s along the normal in the last step.
} vrm_ragdoll_contact;

/// Contacts of the last step; returns how many there are and writes at most `count`.
VRM_API uint32_t vrm_ragdoll_solver_get_contacts(
    const vrm_ragdoll_solver *solver, vrm_ragdoll_contact *out_contacts, uint32_t count);

/// Totals over all bodies of a ragdoll, to judge a simulation by.
typedef struct vrm_ragdoll_energy {
    uint32_t struct_size;      ///< Set by the caller: sizeof(vrm_ragdoll_energy).
    float kinetic;             ///< J.
    float potential;           ///< J, of gravity, 0 with the centre of mass at the world's origin.
    vrm_vec3 momentum;         ///< N s, all bodies'.
    vrm_vec3 angular_momentum; ///< N m s, about the common centre of mass.
    vrm_dvec3 center_of_mass;  ///< World, all bodies'.
} vrm_ragdoll_energy;

/// Energy and momentum of all bodies as they were after the last step.
VRM_API void vrm_ragdoll_solver_get_energy(const vrm_ragdoll_solver *solver, vrm_ragdoll_energy *out_energy);

/// Saves the state as plain bytes: no pointers, nothing derived, little-endian. `*size` gives the room in `buffer` and
/// receives the size needed; with `buffer` NULL only the size is computed. LIMIT when there is too little room.
VRM_API vrm_result vrm_ragdoll_solver_snapshot(const vrm_ragdoll_solver *solver, void *buffer, size_t *size);
/// Restores a snapshot of a solver with the same params; the next step gives the same bits as it would have given then.
/// INVALID_ASSET for bytes that are not a snapshot; the solver is then unchanged.
VRM_API vrm_result vrm_ragdoll_solver_restore(vrm_ragdoll_solver *solver, const void *buffer, size_t size);

#endif
