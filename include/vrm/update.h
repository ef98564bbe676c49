// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_UPDATE_H
#define VRM_UPDATE_H

/// @file update.h
/// One frame. The order is fixed: humanoid pose, look chain, ragdoll, look-at, expressions, constraints, spring bones,
/// outputs (VRMC_vrm-1.0, "update order"). Updates cannot fail, allocate, log or block, and write none of the host's
/// inputs.

#include <vrm/instance.h>

/// The stages, in their order. A mask runs any subset.
typedef enum vrm_stage {
    /// Clips of the player (clip.h) over the input pose -> output pose. Without it the last output pose stays.
    VRM_STAGE_POSE = 1 << 0,
    VRM_STAGE_LOOK_CHAIN = 1 << 1, ///< Eyes, head, neck and spine to the target.
    /// Targets of the bodies at the end of the first half, read back at the start of the second.
    VRM_STAGE_RAGDOLL = 1 << 2,
    VRM_STAGE_LOOK_AT = 1 << 3,    ///< Eyes, or look expressions.
    VRM_STAGE_EXPRESSION = 1 << 4, ///< Weights, morphs, material values.
    VRM_STAGE_CONSTRAINT = 1 << 5,
    VRM_STAGE_SPRING = 1 << 6,
    VRM_STAGE_OUTPUT = 1 << 7, ///< Palettes, boxes, UV animation, change bits.
    VRM_STAGE_ALL = (1 << 8) - 1
} vrm_stage;

/// How springs advance in a frame.
typedef enum vrm_spring_time {
    /// Ticks of 1/60 s and an unstored preview of the rest: the same motion at every frame rate.
    VRM_SPRING_TIME_DEFAULT = 0,
    /// One step of the specification's algorithm with the frame's own dt, as other runtimes do it.
    VRM_SPRING_TIME_REFERENCE = 1
} vrm_spring_time;

/// The runtime whose behaviour an instance imitates: where that runtime departs from libvrm, the stages do the same.
/// Based on their source code (UniVRM of July 2026, three-vrm 3.5.5); docs/profiles.md lists all differences, including
/// those that no profile imitates.
typedef enum vrm_profile {
    VRM_PROFILE_LIBVRM = 0,
    VRM_PROFILE_SPEC = 1, ///< As libvrm, in VRM_SPRING_TIME_REFERENCE, as all of the following.
    /// Constraints run before the gaze; a tail collides with the point of a capsule that is nearest to its head, and
    /// its length is not restored after a plane or an inside collider has pushed it.
    VRM_PROFILE_UNIVRM = 2,
    /// A bone's length is the distance from its current head to its tail in the last frame; the gaze starts from the
    /// last frame's head; up and down of a bone gaze are swapped; overrideLookAt has no effect on a bone gaze; an
    /// expression overrides its own kind, too.
    VRM_PROFILE_THREE_VRM = 3,
    VRM_PROFILE_COUNT = 4
} vrm_profile;

/// How an instance is updated.
typedef struct vrm_update_params {
    uint32_t struct_size;
    float dt;        ///< Seconds since the last update; 0, negative or not finite: no time passes. Default 0.
    uint32_t stages; ///< Combination of vrm_stage; default VRM_STAGE_ALL.
    vrm_spring_time spring_time; ///< Default VRM_SPRING_TIME_DEFAULT.
    vrm_profile profile;         ///< Default VRM_PROFILE_LIBVRM, also used for unknown values.
} vrm_update_params;

/// Fills it with the defaults.
VRM_API void vrm_update_params_default(vrm_update_params *params, size_t size);
#define vrm_update_params_default(params) vrm_update_params_default(params, sizeof *(params))
/// First half: the pose before physics. Then the host may read world positions and run its own IK with
/// vrm_instance_set_pose().
VRM_API void vrm_update_pose(vrm_instance *instance, const vrm_update_params *params);
/// Second half: eyes, expressions, constraints, springs, outputs.
VRM_API void vrm_update_secondary(vrm_instance *instance, const vrm_update_params *params);
/// Both. `params` NULL is not allowed; a plain frame is vrm_update_dt().
VRM_API void vrm_update(vrm_instance *instance, const vrm_update_params *params);
/// Both, with default parameters and this dt.
VRM_API void vrm_update_dt(vrm_instance *instance, float dt);

/// Changes the output pose of a node between the two halves, for this frame: eyes, constraints and hair follow it.
VRM_API vrm_result vrm_instance_set_pose(vrm_instance *instance, uint32_t node, const vrm_transform *local);

#endif
