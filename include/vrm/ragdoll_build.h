// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_RAGDOLL_BUILD_H
#define VRM_RAGDOLL_BUILD_H

/// @file ragdoll_build.h
/// A ragdoll's definition from any avatar, without extra data; as JSON; as lines over a picture.
/// See docs/ragdoll.md.

#include <vrm/avatar.h>
#include <vrm/output.h>
#include <vrm/ragdoll.h>
#include <vrm/ragdoll_drive.h>
#include <vrm/ragdoll_solver.h>

/// The number of bodies. Bones without a body belong to the nearest one above (the neck to the head).
typedef enum vrm_ragdoll_detail {
    /// Hips, spine, chest, head; upper arms, lower arms, hands; upper legs, lower legs, feet. The default.
    VRM_RAGDOLL_DETAIL_16 = 0,
    VRM_RAGDOLL_DETAIL_11 = 1,  ///< Without spine, hands and feet.
    VRM_RAGDOLL_DETAIL_7 = 2,   ///< Hips, chest, head, upper arms, upper legs: a limb is one body.
    VRM_RAGDOLL_DETAIL_ALL = 3, ///< Every humanoid bone but eyes and jaw, which the gaze and the face move.
    VRM_RAGDOLL_DETAIL_COUNT = 4
} vrm_ragdoll_detail;

/// Options for building a definition.
typedef struct vrm_ragdoll_build_params {
    uint32_t struct_size;
    vrm_ragdoll_detail detail; ///< Default 16.
    /// Mass of the whole body, kg; 0 (default): 21.5 kg/m^2 (a body mass index) times the height squared.
    float mass;
    /// Largest ratio of masses between a body and its parent, either way, 1.5 or more; larger ratios are reduced and
    /// the total is kept (solvers that iterate over contacts and joints become unstable otherwise). Default 6, which
    /// does not change the bodies of DETAIL_16; 0: unlimited.
    float max_mass_ratio;
    vrm_allocator allocator; ///< For temporary copies of vertices. Default: malloc and free.
} vrm_ragdoll_build_params;

/// Fills it with the defaults.
VRM_API void vrm_ragdoll_build_params_default(vrm_ragdoll_build_params *params, size_t size);
#define vrm_ragdoll_build_params_default(params) vrm_ragdoll_build_params_default(params, sizeof *(params))

/// Builds the definition of a humanoid avatar: capsules (boxes for feet, and where they fit much better) around the
/// vertices that mostly follow each body's bones, except vertices that springs move and those out of a limb's reach
/// (2.5 times the longest of its bones and the bone above); masses by de Leva 1996; limits by the American Academy of
/// Orthopaedic Surgeons 1965; pairs that touch in the T-pose never collide. `gltf` is the document the avatar was
/// imported from; if it is NULL, or a body has no vertices, sizes follow from the bones' lengths. `params` may be NULL;
/// guesses are reported to `report` (may be NULL). Errors: INVALID_ARGUMENT (also a document of another avatar, and an
/// avatar without humanoid), OUT_OF_MEMORY, INVALID_ASSET (so small or large that masses or moments cannot be computed;
/// the report names the height and the body). `*out_def` is untouched then.
VRM_API vrm_result vrm_ragdoll_def_build(const vrm_avatar *avatar, const vrm_gltf *gltf,
    const vrm_ragdoll_build_params *params, vrm_report *report, vrm_ragdoll_def *out_def);

/// Writes a definition as JSON, angles in degrees, every number in its shortest exact form. Reading it gives the
/// same definition, bit by bit. INVALID_ARGUMENT for a definition that does not pass vrm_ragdoll_def_check();
/// OUT_OF_MEMORY.
VRM_API vrm_result vrm_ragdoll_def_to_json(
    const vrm_ragdoll_def *def, const vrm_allocator *allocator, vrm_bytes *out_bytes);
/// Reads a whole definition for this avatar; on failure the report says where and why, and `*out_def` is untouched.
/// `allocator` may be NULL, `report` too.
/// Errors: INVALID_ARGUMENT, INVALID_ASSET (not JSON, something missing or of the wrong kind, another avatar's bones, a
/// definition that does not pass vrm_ragdoll_def_check()), OUT_OF_MEMORY, LIMIT.
VRM_API vrm_result vrm_ragdoll_def_from_json(const vrm_avatar *avatar, vrm_string json, const vrm_allocator *allocator,
    vrm_report *report, vrm_ragdoll_def *out_def);
/// Changes a definition by a JSON of the same structure in which everything except the bodies' `bone` may be left out;
/// omitted members keep their values. `totalMass` scales all masses; a body's `mass` without `inertia` scales its
/// moments. Errors as above; on failure `*def` is untouched.
VRM_API vrm_result vrm_ragdoll_def_edit_json(const vrm_avatar *avatar, vrm_string json, const vrm_allocator *allocator,
    vrm_report *report, vrm_ragdoll_def *def);

/// Kinds of lines, to be combined.
typedef enum vrm_ragdoll_line {
    /// Capsules and boxes, by group: pelvis and torso yellow, head white, left limbs green, right limbs orange.
    VRM_RAGDOLL_LINE_SHAPES = 1 << 0,
    VRM_RAGDOLL_LINE_JOINTS = 1 << 1, ///< The joint's axes at its anchor: X red, Y green, Z blue.
    VRM_RAGDOLL_LINE_LIMITS = 1 << 2  ///< The cone's rim and axis magenta, a hinge's arc cyan.
} vrm_ragdoll_line;

/// Input of vrm_ragdoll_get_lines(): views of the caller's memory.
typedef struct vrm_ragdoll_lines_params {
    uint32_t struct_size;
    uint32_t what;                   ///< Combination of vrm_ragdoll_line; default all.
    const vrm_ragdoll_def *def;      ///< Required.
    const vrm_ragdoll_state *states; ///< [body_count] NULL, the default: the T-pose, hips at the origin.
    float scale;                     ///< Of the root (vrm_root.scale); default 1.
} vrm_ragdoll_lines_params;

/// Fills it with the defaults; the definition is the caller's.
VRM_API void vrm_ragdoll_lines_params_default(vrm_ragdoll_lines_params *params, size_t size);
#define vrm_ragdoll_lines_params_default(params) vrm_ragdoll_lines_params_default(params, sizeof *(params))
/// Writes lines that show bodies in their states, for code that draws vrm_debug_line: positions have the origin of the
/// states. Writes at most `capacity` lines and returns how many there are; `lines` may be NULL with capacity 0. Pure.
VRM_API uint32_t vrm_ragdoll_get_lines(
    const vrm_ragdoll_lines_params *params, vrm_debug_line *lines, uint32_t capacity);

/// Targets, torques and contacts of the bodies in an engine; views of the caller's memory.
typedef struct vrm_ragdoll_exchange_params {
    uint32_t struct_size;
    uint32_t contact_count;              ///< Elements of `contacts`.
    const vrm_ragdoll_def *def;          ///< Required.
    const vrm_ragdoll_targets *targets;  ///< Required.
    const vrm_ragdoll_state *states;     ///< [body_count] Relative to the targets' origin. Required.
    const vrm_ragdoll_wrench *wrenches;  ///< [body_count] Of vrm_ragdoll_drive_torques(); NULL: none.
    const vrm_ragdoll_contact *contacts; ///< [contact_count] Of the light solver; NULL: none.
} vrm_ragdoll_exchange_params;

/// Sets everything to none.
VRM_API void vrm_ragdoll_exchange_params_default(vrm_ragdoll_exchange_params *exchange, size_t size);
#define vrm_ragdoll_exchange_params_default(exchange) vrm_ragdoll_exchange_params_default(exchange, sizeof *(exchange))
/// Writes lines that show these, relative to the targets' origin: the targets' joints blue, from each joint to its
/// target red; torques magenta (along their axis, 1 cm per N m), forces yellow (1 mm per N); contacts green along the
/// normal (5 cm per N s of the last step); none longer than half a metre, none shorter than 0.1 mm. Writes at most
/// `capacity` lines and returns how many there are; `lines` may be NULL with capacity 0. Pure.
VRM_API uint32_t vrm_ragdoll_get_exchange_lines(
    const vrm_ragdoll_exchange_params *exchange, vrm_debug_line *lines, uint32_t capacity);

/// Gives the state of every body in the T-pose: at rest, rotations identity, in the model's axes with the model's
/// origin between the feet. The position of the hips comes from `avatar`.
VRM_API void vrm_ragdoll_get_rest_states(
    const vrm_ragdoll_def *def, const vrm_avatar *avatar, vrm_ragdoll_state out_states[VRM_RAGDOLL_MAX_BODIES]);
/// Gives the states of the bodies in the instance's last outputs, relative to vrm_outputs.origin; velocities 0.
VRM_API void vrm_ragdoll_get_pose_states(
    const vrm_ragdoll_def *def, const vrm_instance *instance, vrm_ragdoll_state out_states[VRM_RAGDOLL_MAX_BODIES]);

#endif
