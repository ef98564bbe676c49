// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_GET_UP_H
#define VRM_GET_UP_H

/// @file get_up.h
/// Creates a motion of getting up for one body, from the pose in which it lies: a clip that begins with the pose that
/// an instance shows and ends standing. Inverse kinematics puts hands, knees and feet onto the ground, and no skinned
/// vertex goes below the ground. For tools, and for hosts that may allocate memory when a body gets up; not part of
/// libvrm-runtime. See docs/active-ragdoll.md.

#include <vrm/clip.h>
#include <vrm/gltf.h>

/// Measures of an avatar's body for getting up: lengths of limbs, and distances from the bones to the skin.
typedef struct vrm_get_up_body vrm_get_up_body;

/// Options for measuring a body.
typedef struct vrm_get_up_body_def {
    uint32_t struct_size;
    vrm_allocator allocator;
    const vrm_avatar *avatar; ///< Required. The body keeps a reference.
    /// The avatar's document, for its vertices; NULL (default): the girths of an average body are assumed.
    const vrm_gltf *gltf;
} vrm_get_up_body_def;

/// Fills `def` with the defaults; the caller sets the avatar.
VRM_API void vrm_get_up_body_def_default(vrm_get_up_body_def *def, size_t size);
#define vrm_get_up_body_def_default(def) vrm_get_up_body_def_default(def, sizeof *(def))
/// Measures an avatar's body. Any number of instances can share it. Errors: INVALID_ARGUMENT (no avatar, or another
/// avatar's document), NOT_FOUND (an avatar without hips, legs, arms or head).
VRM_API vrm_result vrm_get_up_body_create(const vrm_get_up_body_def *def, vrm_get_up_body **out_body);
/// Frees the body; NULL is allowed.
VRM_API void vrm_get_up_body_destroy(vrm_get_up_body *body);

/// The pose in which a body lies, which decides how it gets up.
typedef enum vrm_get_up_way {
    VRM_GET_UP_FROM_BACK = 0,    ///< Sits up, folds one leg under the body, kneels on it, and stands up.
    VRM_GET_UP_FROM_FRONT = 1,   ///< Rises to hands and knees, kneels on one knee, and stands up.
    VRM_GET_UP_FROM_LEFT = 2,    ///< Rolls to the front first.
    VRM_GET_UP_FROM_RIGHT = 3,   ///< Rolls to the front first.
    VRM_GET_UP_FROM_SITTING = 4, ///< The same as from the back, without sitting up.
    VRM_GET_UP_FROM_KNEELING = 5 ///< Raises itself onto one knee, then stands.
} vrm_get_up_way;

/// Options for getting up.
typedef struct vrm_get_up_params {
    uint32_t struct_size;
    vrm_allocator allocator; ///< Allocator of the clip.
    double ground;           ///< Height of the ground, world, metres; default 0.
    float pace;              ///< Factor on all times, 0.5 to 4; default 1. At 1.2 the body looks heavy.
} vrm_get_up_params;

/// Fills `params` with the defaults.
VRM_API void vrm_get_up_params_default(vrm_get_up_params *params, size_t size);
#define vrm_get_up_params_default(params) vrm_get_up_params_default(params, sizeof *(params))
/// Creates a clip of getting up from the pose that the instance's last update has shown. The clip begins with that
/// pose, at rest, and ends standing above the root. Play it once, in the same frame as vrm_instance_start_get_up(),
/// which requests the root for it, and start the next motion with a transition. `params` NULL: the defaults. `*out_way`
/// (may be NULL) receives the pose in which the body lay. Errors: INVALID_ARGUMENT (an instance of another avatar, or a
/// number out of range), OUT_OF_MEMORY.
VRM_API vrm_result vrm_get_up_create_clip(const vrm_get_up_body *body, const vrm_instance *instance,
    const vrm_get_up_params *params, vrm_get_up_way *out_way, vrm_clip **out_clip);

#endif
