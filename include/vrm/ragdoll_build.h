// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_RAGDOLL_BUILD_H
#define VRM_RAGDOLL_BUILD_H

/// @file ragdoll_build.h
/// Builds a ragdoll's definition from any avatar without extra data, reads and writes it as JSON, and draws it as
/// lines. See docs/ragdoll.md.

#include <vrm/avatar.h>
#include <vrm/output.h>
#include <vrm/ragdoll.h>
#include <vrm/ragdoll_drive.h>
#include <vrm/ragdoll_solver.h>

/// The number of bodies. A bone without a body belongs to the body of the nearest bone above it (the neck to the head).
typedef enum vrm_ragdoll_detail {
    /// Hips, spine, chest, head; upper arms, lower arms, hands; upper legs, lower legs, feet. The default.
    VRM_RAGDOLL_DETAIL_16 = 0,
    VRM_RAGDOLL_DETAIL_11 = 1,  ///< The bodies of DETAIL_16 without spine, hands and feet.
    VRM_RAGDOLL_DETAIL_7 = 2,   ///< Hips, chest, head, upper arms, upper legs; each limb is one body.
    VRM_RAGDOLL_DETAIL_ALL = 3, ///< Every humanoid bone except eyes and jaw, which the gaze and the face move.
    VRM_RAGDOLL_DETAIL_COUNT = 4
} vrm_ragdoll_detail;

/// Options for building a definition.
typedef struct vrm_ragdoll_build_params {
    uint32_t struct_size;
    vrm_ragdoll_detail detail; ///< Default VRM_RAGDOLL_DETAIL_16.
    /// Mass of the whole body, kg; 0 (default): 21.5 kg/m^2 (a body mass index) times the height squared.
    float mass;
    /// Largest ratio between the masses of a body and its parent, in either direction, 1.5 or more; 0: unlimited.
    /// Larger ratios are reduced and the total mass is kept, because solvers that iterate over contacts and joints
    /// become unstable otherwise. Default 6, which does not change the bodies of DETAIL_16.
    float max_mass_ratio;
    vrm_allocator allocator; ///< For temporary copies of vertices. Default: malloc and free.
} vrm_ragdoll_build_params;

/// Fills `params` with the defaults.
VRM_API void vrm_ragdoll_build_params_default(vrm_ragdoll_build_params *params, size_t size);
#define vrm_ragdoll_build_params_default(params) vrm_ragdoll_build_params_default(params, sizeof *(params))

/// Builds the definition of a humanoid avatar. Bodies are capsules, or boxes for feet and where a box fits much better.
/// They enclose the vertices that mostly follow the body's bones, except vertices that springs move and vertices out of
/// a limb's reach (2.5 times the longest of its bones and the bone above). Masses are those of de Leva 1996, limits
/// those of the American Academy of Orthopaedic Surgeons 1965. Pairs that touch in the T-pose never collide.
///
/// `gltf` is the document from which the avatar was imported. If it is NULL, or a body has no vertices, sizes are
/// derived from the lengths of the bones. `params` and `report` may be NULL; guesses are reported. Errors:
/// INVALID_ARGUMENT (also for a document of another avatar, and an avatar without a humanoid), OUT_OF_MEMORY,
/// INVALID_ASSET (masses or moments cannot be computed for so small or large an avatar; the report names the height and
/// the body). After an error `*out_def` is unchanged.
VRM_API vrm_result vrm_ragdoll_def_build(const vrm_avatar *avatar, const vrm_gltf *gltf,
    const vrm_ragdoll_build_params *params, vrm_report *report, vrm_ragdoll_def *out_def);

/// Writes a definition as JSON, with angles in degrees and every number in its shortest exact form. Reading the JSON
/// gives the same definition, bit by bit. Errors: INVALID_ARGUMENT (the definition does not pass
/// vrm_ragdoll_def_check()), OUT_OF_MEMORY.
VRM_API vrm_result vrm_ragdoll_def_to_json(
    const vrm_ragdoll_def *def, const vrm_allocator *allocator, vrm_bytes *out_bytes);
/// Reads a whole definition for this avatar from JSON. On failure the report says where and why, and `*out_def` is
/// unchanged. `allocator` and `report` may be NULL. Errors: INVALID_ARGUMENT, INVALID_ASSET (not JSON, a member that is
/// missing or of the wrong type, another avatar's bones, or a definition that does not pass vrm_ragdoll_def_check()),
/// OUT_OF_MEMORY, LIMIT.
VRM_API vrm_result vrm_ragdoll_def_from_json(const vrm_avatar *avatar, vrm_string json, const vrm_allocator *allocator,
    vrm_report *report, vrm_ragdoll_def *out_def);
/// Changes a definition by JSON of the same structure, in which everything except the `bone` of a body may be left out.
/// Omitted members keep their values. `totalMass` scales all masses; the `mass` of a body without `inertia` scales its
/// moments of inertia. Errors: as vrm_ragdoll_def_from_json(). On failure `*def` is unchanged.
VRM_API vrm_result vrm_ragdoll_def_edit_json(const vrm_avatar *avatar, vrm_string json, const vrm_allocator *allocator,
    vrm_report *report, vrm_ragdoll_def *def);

/// Kinds of lines; they can be combined.
typedef enum vrm_ragdoll_line {
    /// Capsules and boxes, by group: pelvis and torso yellow, head white, left limbs green, right limbs orange.
    VRM_RAGDOLL_LINE_SHAPES = 1 << 0,
    VRM_RAGDOLL_LINE_JOINTS = 1 << 1, ///< The joint's axes at its anchor: X red, Y green, Z blue.
    VRM_RAGDOLL_LINE_LIMITS = 1 << 2  ///< The cone's rim and axis magenta, a hinge's arc cyan.
} vrm_ragdoll_line;

/// Input of vrm_ragdoll_get_lines(), in the caller's memory.
typedef struct vrm_ragdoll_lines_params {
    uint32_t struct_size;
    uint32_t what;              ///< Combination of vrm_ragdoll_line; default all.
    const vrm_ragdoll_def *def; ///< Required.
    /// [body_count] States of the bodies; NULL, the default: the T-pose, hips at the origin.
    const vrm_ragdoll_state *states;
    float scale; ///< Scale of the root (vrm_root.scale); default 1.
} vrm_ragdoll_lines_params;

/// Fills `params` with the defaults, except the definition, which the caller sets.
VRM_API void vrm_ragdoll_lines_params_default(vrm_ragdoll_lines_params *params, size_t size);
#define vrm_ragdoll_lines_params_default(params) vrm_ragdoll_lines_params_default(params, sizeof *(params))
/// Writes lines that show the bodies in their states, for code that draws vrm_debug_line. Positions are relative to the
/// origin of the states. Writes at most `capacity` lines and returns how many there are; `lines` may be NULL if
/// `capacity` is 0. A pure function.
VRM_API uint32_t vrm_ragdoll_get_lines(
    const vrm_ragdoll_lines_params *params, vrm_debug_line *lines, uint32_t capacity);

/// Targets, torques and contacts of the bodies in an engine, in the caller's memory.
typedef struct vrm_ragdoll_exchange_params {
    uint32_t struct_size;
    uint32_t contact_count;              ///< Number of `contacts`.
    const vrm_ragdoll_def *def;          ///< Required.
    const vrm_ragdoll_targets *targets;  ///< Required.
    const vrm_ragdoll_state *states;     ///< [body_count] States, relative to the targets' origin. Required.
    const vrm_ragdoll_wrench *wrenches;  ///< [body_count] Torques from vrm_ragdoll_drive_torques(); NULL: none.
    const vrm_ragdoll_contact *contacts; ///< [contact_count] Contacts from the light solver; NULL: none.
} vrm_ragdoll_exchange_params;

/// Fills `exchange` with the defaults: all pointers NULL and no contacts.
VRM_API void vrm_ragdoll_exchange_params_default(vrm_ragdoll_exchange_params *exchange, size_t size);
#define vrm_ragdoll_exchange_params_default(exchange) vrm_ragdoll_exchange_params_default(exchange, sizeof *(exchange))
/// Writes lines that show the exchange, relative to the targets' origin. The targets' joints are blue, with a red line
/// from each joint to its target. Torques are magenta along their axis, 1 cm per N m, and forces yellow, 1 mm per N.
/// Contacts are green along the normal, 5 cm per N s of the last step. No line is longer than half a metre or shorter
/// than 0.1 mm. Writes at most `capacity` lines and returns how many there are; `lines` may be NULL if `capacity` is 0.
/// A pure function.
VRM_API uint32_t vrm_ragdoll_get_exchange_lines(
    const vrm_ragdoll_exchange_params *exchange, vrm_debug_line *lines, uint32_t capacity);

/// Gives the state of every body in the T-pose: at rest, with identity rotations, in the model's axes, with the model's
/// origin between the feet. The position of the hips comes from `avatar`.
VRM_API void vrm_ragdoll_get_rest_states(
    const vrm_ragdoll_def *def, const vrm_avatar *avatar, vrm_ragdoll_state out_states[VRM_RAGDOLL_MAX_BODIES]);
/// Gives the states of the bodies in the instance's last outputs, relative to vrm_outputs.origin; velocities 0.
VRM_API void vrm_ragdoll_get_pose_states(
    const vrm_ragdoll_def *def, const vrm_instance *instance, vrm_ragdoll_state out_states[VRM_RAGDOLL_MAX_BODIES]);

#endif
