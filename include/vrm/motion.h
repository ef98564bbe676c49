// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_MOTION_H
#define VRM_MOTION_H

/// @file motion.h
/// Built-in motions as clips, created for the proportions of one avatar: walk, run, idle, wave, bow, sit down, stand
/// up. Standing feet do not slide (two-bone inverse kinematics on the avatar's own legs), joints stay within the limits
/// of the built-in ragdoll, and loops close. Play the clips with a vrm_clip_player, mix them with other clips, or write
/// them as .vrma.

#include <vrm/clip.h>
#include <vrm/ragdoll_def.h>

/// The built-in motions.
typedef enum vrm_motion {
    VRM_MOTION_IDLE = 0, ///< Stands, breathes, shifts the weight, glances about. A loop of 12 s.
    VRM_MOTION_WALK = 1, ///< A loop of one stride: heel strike, toe-off, arms swinging against the legs.
    VRM_MOTION_RUN = 2,  ///< A loop of one stride, with a flight phase in each step.
    VRM_MOTION_WAVE = 3, ///< Raises the right hand and waves; begins and ends with the first pose of IDLE.
    VRM_MOTION_BOW = 4,  ///< Bows from the hips; begins and ends with the first pose of IDLE.
    /// Sits down from IDLE onto a seat at knee height, with the hands on the thighs. Hold the last pose.
    VRM_MOTION_SIT_DOWN = 5,
    VRM_MOTION_STAND_UP = 6, ///< The reverse of SIT_DOWN.
    VRM_MOTION_COUNT = 7
} vrm_motion;

/// Returns the motion's name ("sit-down"); "" for a value outside the enum. The string is static.
VRM_API const char *vrm_motion_name(vrm_motion motion);
/// Returns the motion with this name, or -1.
VRM_API int32_t vrm_motion_from_name(const char *name, size_t length);
/// Returns true if the motion is a loop (IDLE, WALK, RUN).
VRM_API bool vrm_motion_is_loop(vrm_motion motion);

/// Options of a motion.
typedef struct vrm_motion_def {
    uint32_t struct_size;
    vrm_motion motion;        ///< Default VRM_MOTION_IDLE.
    const vrm_avatar *avatar; ///< Required: a humanoid. Read only while the clip is created.
    /// The avatar's ragdoll, which gives the length of the soles and the width of the trunk. NULL, the default: these
    /// are guessed from the bones.
    const vrm_ragdoll_def *ragdoll;
    /// WALK and RUN: speed, m/s, 0.2 to 3 times the default speed. 0, the default: a comfortable speed for the legs
    /// (0.97 m/s and 2.0 m/s with legs of 80 cm, proportional to the square root of their length).
    float speed;
    /// WALK and RUN, true: the hips stay in place, and the feet move backwards at the speed. Default false: each loop
    /// moves forward by the speed times the duration (vrm_clip_layer_params.root_motion).
    bool in_place;
    vrm_allocator allocator; ///< Allocator of the clip; all zero: malloc and free.
} vrm_motion_def;

/// Fills `def` with the defaults.
VRM_API void vrm_motion_def_default(vrm_motion_def *def, size_t size);
#define vrm_motion_def_default(def) vrm_motion_def_default(def, sizeof *(def))
/// Creates the clip of a motion. The steps of WALK and RUN are markers "left" and "right". Errors: INVALID_ARGUMENT
/// (also for an avatar without legs or arms, and a speed out of range), OUT_OF_MEMORY.
VRM_API vrm_result vrm_motion_create(const vrm_motion_def *def, vrm_clip **out_clip);
/// Returns the speed of WALK or RUN with this def, m/s; 0 for other motions and for a faulty def.
VRM_API float vrm_motion_get_speed(const vrm_motion_def *def);

#endif
