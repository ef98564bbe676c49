// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_RAGDOLL_SOLVER_H
#define VRM_RAGDOLL_SOLVER_H

/// @file ragdoll_solver.h
/// The light solver: one ragdoll as an articulated body in reduced coordinates (joints cannot come apart), with joint
/// limits, ground, simple shapes and contacts with itself. It takes targets and gives states (ragdoll.h), like an
/// engine. Part of libvrm-dynamics.
///
/// Time advances in fixed steps, and the rest of a frame waits for the next frame. The states that the solver gives are
/// extrapolated over that rest by the velocities of the last step; the extrapolation is not stored. So there is no
/// frame of delay, and different frame rates agree. A step allocates nothing, cannot fail, and gives the same bits on
/// every machine. A solver is owned by one thread at a time.

#include <vrm/ragdoll.h>
#include <vrm/result.h>

/// Simulates the bodies of a ragdoll.
typedef struct vrm_ragdoll_solver vrm_ragdoll_solver;

/// Options of a solver.
typedef struct vrm_ragdoll_solver_def {
    uint32_t struct_size;
    /// Number of slots for shapes of the world (vrm_ragdoll_solver_set_shape()), at most 64; default 8.
    uint32_t shape_slots;
    const vrm_ragdoll_def *def; ///< Required; copied.
    vrm_allocator allocator;    ///< Used by vrm_ragdoll_solver_create(); all zero: malloc and free.
    float step;                 ///< Seconds of a step, 1/480 to 1/30; default 1/120.
    /// Largest number of steps in one call, 1 to 240; default 30. The rest of a longer frame is dropped (TIME_CLAMPED).
    uint32_t max_steps;
    /// Largest number of iterations in a step with contacts, 1 to 16; default 8 (2 to 4 are usual).
    uint32_t iterations;
    vrm_vec3 gravity;     ///< Gravity in the world, m/s^2; default (0, -9.81, 0).
    float joint_friction; ///< Friction of joints, 0 to 100; default 2. It sets damping, 1/s, and dry friction together.
    float friction;       ///< Coulomb friction between bodies and the world, 0 to 10; default 0.8.
    bool ground;          ///< True: the world has a ground plane y = ground_height; default true.
    bool self_contact;    ///< True: bodies collide with each other, unless no_contact excludes the pair; default true.
    bool sleep;           ///< True: bodies at rest are not stepped until something happens; default true.
    double ground_height; ///< Height of the ground plane in the world, metres; default 0.
} vrm_ragdoll_solver_def;

/// Fills `params` with the defaults.
VRM_API void vrm_ragdoll_solver_def_default(vrm_ragdoll_solver_def *params, size_t size);
#define vrm_ragdoll_solver_def_default(params) vrm_ragdoll_solver_def_default(params, sizeof *(params))
/// Returns the number of bytes that vrm_ragdoll_solver_init() needs, aligned to 64; 0 for invalid params or an invalid
/// def.
VRM_API size_t vrm_ragdoll_solver_get_size(const vrm_ragdoll_solver_def *params);
/// Creates a solver in the caller's memory (aligned to 64). The bodies are in the T-pose, with the hips at the world's
/// origin.
VRM_API vrm_result vrm_ragdoll_solver_init(
    const vrm_ragdoll_solver_def *params, void *memory, size_t size, vrm_ragdoll_solver **out_solver);
/// Allocates memory and creates a solver in it.
VRM_API vrm_result vrm_ragdoll_solver_create(const vrm_ragdoll_solver_def *params, vrm_ragdoll_solver **out_solver);
/// Destroys the solver, and frees the memory that vrm_ragdoll_solver_create() allocated. NULL is allowed.
VRM_API void vrm_ragdoll_solver_destroy(vrm_ragdoll_solver *solver);
/// Returns the solver's copy of its ragdoll definition.
VRM_API const vrm_ragdoll_def *vrm_ragdoll_solver_get_ragdoll_def(const vrm_ragdoll_solver *solver);

// --- the exchange --------------------------------------------------------------------------------------------------

/// Advances by `dt` seconds: moves the bodies to their places if `targets->moved` has changed, applies the impulses,
/// then steps. KINEMATIC bodies end at their targets and push only bodies that are joined to them or touch them. OFF
/// bodies are moved to their targets and touch nothing. A body whose target is not finite is limp, or stays in place if
/// it is held. Targets for another number of bodies are ignored (INPUT_NOT_FINITE). An inactive ragdoll costs nothing
/// and has no state: the next active step moves the bodies to `places`, or to their targets.
VRM_API void vrm_ragdoll_solver_step(vrm_ragdoll_solver *solver, const vrm_ragdoll_targets *targets, float dt);
/// vrm_ragdoll_solver_step() for several solvers. Up to eight neighbours in the array with the same structure (parents
/// of bodies, types of joints, iterations, friction) run at once in SIMD lanes, with the same bits as one by one.
/// `solvers` and `targets` have `count` pointers; no solver may occur twice. `scratch` is memory for the lanes: as many
/// bytes as vrm_ragdoll_solver_get_scratch_size() returns for the largest ragdoll. With less memory the solvers run one
/// by one.
VRM_API void vrm_ragdoll_solver_step_many(vrm_ragdoll_solver *const *solvers, const vrm_ragdoll_targets *const *targets,
    uint32_t count, float dt, vrm_scratch scratch);
/// Returns the bytes of scratch that vrm_ragdoll_solver_step_many() needs for ragdolls with this number of bodies.
VRM_API size_t vrm_ragdoll_solver_get_scratch_size(uint32_t body_count);
/// Moves the bodies to `places` (relative to `targets->origin`, one per body), with their velocities. Joints are kept
/// together: positions are computed from the root's position and all rotations. If `moved` has increased, the next step
/// does this by itself.
VRM_API void vrm_ragdoll_solver_put(
    vrm_ragdoll_solver *solver, const vrm_ragdoll_targets *targets, const vrm_ragdoll_state *places);
/// Writes the current states of all bodies (at most `count`), relative to `origin` (world).
VRM_API void vrm_ragdoll_solver_get_states(
    const vrm_ragdoll_solver *solver, const vrm_dvec3 *origin, vrm_ragdoll_state *out_states, uint32_t count);
/// Applies an impulse in the next step, in addition to the impulses of the targets: N s, at a point of the world.
/// Returns INVALID_ARGUMENT for values that are not finite and for a body out of range.
VRM_API vrm_result vrm_ragdoll_solver_apply_impulse(
    vrm_ragdoll_solver *solver, uint32_t body, const vrm_dvec3 *point_world, const vrm_vec3 *impulse);

// --- the world -----------------------------------------------------------------------------------------------------

/// Types of shapes of the world.
typedef enum vrm_ragdoll_world_shape_type {
    VRM_RAGDOLL_WORLD_SPHERE = 0,
    VRM_RAGDOLL_WORLD_CAPSULE = 1, ///< A capsule along the shape's Y axis.
    VRM_RAGDOLL_WORLD_BOX = 2,
    VRM_RAGDOLL_WORLD_SHAPE_COUNT = 3
} vrm_ragdoll_world_shape_type;

/// A shape that bodies cannot move. With velocities it is kinematic: the solver moves it at these velocities until it
/// is set again.
typedef struct vrm_ragdoll_world_shape_def {
    uint32_t struct_size;
    vrm_ragdoll_world_shape_type type; ///< Default box.
    vrm_dvec3 center;                  ///< Centre in the world, metres; default the origin.
    vrm_quat rotation;                 ///< Rotation from the shape's axes to the world's; default identity.
    float radius;                      ///< Sphere and capsule: radius, above 0; default 0.5.
    float half_length;         ///< Capsule: distance from the centre to the centre of a cap, not negative; default 0.5.
    vrm_vec3 half_extents;     ///< Box: half of each side, above 0; default 0.5.
    vrm_vec3 linear_velocity;  ///< Velocity, m/s; default 0.
    vrm_vec3 angular_velocity; ///< Angular velocity, rad/s; default 0.
} vrm_ragdoll_world_shape_def;

/// Fills `shape` with the defaults.
VRM_API void vrm_ragdoll_world_shape_def_default(vrm_ragdoll_world_shape_def *shape, size_t size);
#define vrm_ragdoll_world_shape_def_default(shape) vrm_ragdoll_world_shape_def_default(shape, sizeof *(shape))
/// Sets the shape of a slot; NULL empties the slot. Returns INVALID_ARGUMENT for values out of range and for a slot
/// that was not reserved.
VRM_API vrm_result vrm_ragdoll_solver_set_shape(
    vrm_ragdoll_solver *solver, uint32_t slot, const vrm_ragdoll_world_shape_def *shape);
/// Sets the height of the ground plane (world, metres). Wakes the bodies if the height has changed. Returns
/// INVALID_ARGUMENT if the height is not finite.
VRM_API vrm_result vrm_ragdoll_solver_set_ground(vrm_ragdoll_solver *solver, double height);
/// Removes the ground plane. Wakes the bodies if there was one.
VRM_API vrm_result vrm_ragdoll_solver_clear_ground(vrm_ragdoll_solver *solver);

// --- results ---------------------------------------------------------------------------------------------------------

/// Problems that steps had to work around since the last vrm_ragdoll_solver_clear_status().
typedef enum vrm_ragdoll_solver_status {
    VRM_RAGDOLL_SOLVER_NOT_FINITE = 1 << 0, ///< The state became not finite; the bodies were moved to their targets.
    VRM_RAGDOLL_SOLVER_INPUT_NOT_FINITE = 1 << 1, ///< Targets or impulses were invalid and were ignored.
    VRM_RAGDOLL_SOLVER_TIME_CLAMPED = 1 << 2      ///< The frame was longer than max_steps; the rest of it was dropped.
} vrm_ragdoll_solver_status;

/// Returns a combination of vrm_ragdoll_solver_status.
VRM_API uint32_t vrm_ragdoll_solver_get_status(const vrm_ragdoll_solver *solver);
/// Clears all status bits.
VRM_API void vrm_ragdoll_solver_clear_status(vrm_ragdoll_solver *solver);
/// Returns true if the bodies are asleep, so that they are not stepped.
VRM_API bool vrm_ragdoll_solver_is_asleep(const vrm_ragdoll_solver *solver);
/// Wakes the bodies. Impulses, moving targets and changes of the world also wake them.
VRM_API void vrm_ragdoll_solver_wake(vrm_ragdoll_solver *solver);

/// A contact, for debug lines and tests.
typedef struct vrm_ragdoll_contact {
    uint32_t body;   ///< Index of the body in the definition.
    int32_t other;   ///< Index of the other body; -1: the world.
    vrm_dvec3 point; ///< World.
    vrm_vec3 normal; ///< World, unit; the direction in which `body` is pushed.
    float gap;       ///< Distance at the beginning of the last step, metres; negative: penetration.
    float impulse;   ///< Impulse along the normal in the last step, N s.
} vrm_ragdoll_contact;

/// Gives the contacts of the last step. Writes at most `count` and returns how many there are.
VRM_API uint32_t vrm_ragdoll_solver_get_contacts(
    const vrm_ragdoll_solver *solver, vrm_ragdoll_contact *out_contacts, uint32_t count);

/// Energy and momentum of all bodies of a ragdoll together, by which a simulation can be judged.
typedef struct vrm_ragdoll_energy {
    uint32_t struct_size;      ///< Set by the caller: sizeof(vrm_ragdoll_energy).
    float kinetic;             ///< J.
    float potential;           ///< Energy of gravity, J; 0 if the centre of mass is at the world's origin.
    vrm_vec3 momentum;         ///< Linear momentum of all bodies, N s.
    vrm_vec3 angular_momentum; ///< About the common centre of mass, N m s.
    vrm_dvec3 center_of_mass;  ///< Centre of mass of all bodies, world.
} vrm_ragdoll_energy;

/// Gives the energy and momentum of all bodies after the last step.
VRM_API void vrm_ragdoll_solver_get_energy(const vrm_ragdoll_solver *solver, vrm_ragdoll_energy *out_energy);

/// Saves the state as plain bytes: no pointers, no derived values, little-endian. `*size` gives the room in `buffer`
/// and receives the size needed; with `buffer` NULL only the size is computed. Returns LIMIT if there is too little
/// room.
VRM_API vrm_result vrm_ragdoll_solver_snapshot(const vrm_ragdoll_solver *solver, void *buffer, size_t *size);
/// Restores a snapshot of a solver with the same params. The next step then gives the same bits as the step that
/// followed the snapshot. For bytes that are not a snapshot, INVALID_ASSET is returned and the solver is unchanged.
VRM_API vrm_result vrm_ragdoll_solver_restore(vrm_ragdoll_solver *solver, const void *buffer, size_t size);

#endif
