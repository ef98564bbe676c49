// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_UPDATE_H
#define VRM_UPDATE_H

/// @file update.h
/// The update of one frame. The order is fixed: humanoid pose, look chain, ragdoll, look-at, expressions, constraints,
/// spring bones, outputs (VRMC_vrm-1.0, "update order"). Updates cannot fail, do not allocate, log or block, and do not
/// write the host's inputs.

#include <vrm/instance.h>

/// The stages of an update, in their order. A mask of stages runs any subset.
typedef enum vrm_stage {
    /// Mixes the player's clips (clip.h) over the input pose into the output pose. Without this stage the last output
    /// pose stays.
    VRM_STAGE_POSE = 1 << 0,
    VRM_STAGE_LOOK_CHAIN = 1 << 1, ///< Turns eyes, head, neck and spine to the target.
    /// Computes the bodies' targets at the end of the first half, and reads the bodies at the start of the second half.
    VRM_STAGE_RAGDOLL = 1 << 2,
    VRM_STAGE_LOOK_AT = 1 << 3,    ///< Moves the eyes, or sets the look expressions.
    VRM_STAGE_EXPRESSION = 1 << 4, ///< Computes weights, morphs and material values.
    VRM_STAGE_CONSTRAINT = 1 << 5,
    VRM_STAGE_SPRING = 1 << 6,
    VRM_STAGE_OUTPUT = 1 << 7, ///< Computes palettes, boxes, UV animation and change bits.
    VRM_STAGE_ALL = (1 << 8) - 1
} vrm_stage;

/// How springs advance in a frame.
typedef enum vrm_spring_time {
    /// Ticks of 1/60 s, and a preview of the rest of the frame that is not stored: the same motion at every frame rate.
    VRM_SPRING_TIME_DEFAULT = 0,
    /// One step of the specification's algorithm with the frame's own dt, as in other runtimes.
    VRM_SPRING_TIME_REFERENCE = 1
} vrm_spring_time;

/// The runtime that an instance imitates where that runtime behaves differently from libvrm. Based on the source code
/// of the runtimes (UniVRM of July 2026, three-vrm 3.5.5). docs/profiles.md lists all differences, including those that
/// no profile imitates.
typedef enum vrm_profile {
    VRM_PROFILE_LIBVRM = 0,
    VRM_PROFILE_SPEC = 1, ///< The same as LIBVRM, with VRM_SPRING_TIME_REFERENCE, which all profiles below also use.
    /// Constraints run before the gaze. A tail collides with the point of a capsule that is nearest to the tail's head,
    /// and its length is not restored after a plane or an inside collider has pushed it.
    VRM_PROFILE_UNIVRM = 2,
    /// The length of a bone is the distance from its current head to its tail in the last frame. The gaze starts from
    /// the head of the last frame. Up and down of a bone gaze are swapped. overrideLookAt has no effect on a bone gaze.
    /// An expression also overrides its own group.
    VRM_PROFILE_THREE_VRM = 3,
    VRM_PROFILE_COUNT = 4
} vrm_profile;

/// Options of an update.
typedef struct vrm_update_params {
    uint32_t struct_size;
    float dt;        ///< Seconds since the last update; default 0. If it is 0, negative or not finite, no time passes.
    uint32_t stages; ///< Combination of vrm_stage; default VRM_STAGE_ALL.
    vrm_spring_time spring_time; ///< Default VRM_SPRING_TIME_DEFAULT.
    vrm_profile profile;         ///< Default VRM_PROFILE_LIBVRM, which is also used for unknown values.
} vrm_update_params;

/// Fills `params` with the defaults.
VRM_API void vrm_update_params_default(vrm_update_params *params, size_t size);
#define vrm_update_params_default(params) vrm_update_params_default(params, sizeof *(params))
/// Runs the first half of a frame: the pose before physics. Then the host may read world positions, and run its own
/// inverse kinematics with vrm_instance_set_pose().
VRM_API void vrm_update_pose(vrm_instance *instance, const vrm_update_params *params);
/// Runs the second half of a frame: eyes, expressions, constraints, springs, outputs.
VRM_API void vrm_update_secondary(vrm_instance *instance, const vrm_update_params *params);
/// Runs both halves of a frame. `params` must not be NULL; vrm_update_dt() needs no params.
VRM_API void vrm_update(vrm_instance *instance, const vrm_update_params *params);
/// Runs both halves of a frame with the default params and this dt, in seconds.
VRM_API void vrm_update_dt(vrm_instance *instance, float dt);

/// Changes the output pose of a node between the two halves, for this frame only. Eyes, constraints and hair follow it.
VRM_API vrm_result vrm_instance_set_pose(vrm_instance *instance, uint32_t node, const vrm_transform *local);

#endif
