// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_RECORD_H
#define VRM_RECORD_H

/// @file record.h
/// Records frames of an instance, either as an animation in a glTF file or as a JSON trace, which serves to compare
/// runtimes. For tools; not part of libvrm-runtime.

#include <vrm/clip.h>
#include <vrm/output.h>
#include <vrm/ragdoll.h>

/// Collects an instance's outputs frame by frame and writes them into the avatar's document as a glTF animation.
typedef struct vrm_recorder vrm_recorder;

/// Options of a recorder.
typedef struct vrm_recorder_def {
    uint32_t struct_size;
    vrm_allocator allocator;
    /// True: material values are also written, as KHR_animation_pointer, because core glTF cannot animate them. Default
    /// false.
    bool pointers;
    const char *name; ///< Name of the animation; default "simulation".
} vrm_recorder_def;

/// Fills `def` with the defaults.
VRM_API void vrm_recorder_def_default(vrm_recorder_def *def, size_t size);
#define vrm_recorder_def_default(def) vrm_recorder_def_default(def, sizeof *(def))
/// Creates an empty recorder for instances of this avatar. `def` may be NULL for the defaults.
VRM_API vrm_result vrm_recorder_create(
    const vrm_recorder_def *def, const vrm_avatar *avatar, vrm_recorder **out_recorder);
/// Frees the recorder; NULL is allowed.
VRM_API void vrm_recorder_destroy(vrm_recorder *recorder);
/// Adds the instance's current outputs as the frame at `time` (seconds, later than the frame before). Errors:
/// OUT_OF_MEMORY, INVALID_ARGUMENT.
VRM_API vrm_result vrm_recorder_add(vrm_recorder *recorder, const vrm_instance *instance, double time);
/// Appends the animation to the document from which the avatar was imported. Only channels that move are written: morph
/// targets as weights, and the root's motion in the hips and in the nodes beside them (in the glTF roots if there are
/// no hips, or if nodes above the hips have non-uniform scale). Values that cannot be written are reported as
/// ANIMATION_NOT_BAKED (material values without `pointers`). Errors: INVALID_ARGUMENT (another document, a recorder
/// without frames, or a document to which accessors or buffer views were appended since it was loaded: save and load it
/// first), LIMIT (more than 4 GiB of frames).
VRM_API vrm_result vrm_recorder_write(const vrm_recorder *recorder, vrm_gltf *gltf, vrm_report *report);

/// The ragdoll that a trace script asks for ("ragdoll" in docs/trace.md), passed to the engine that creates its bodies.
/// Valid during the call.
typedef struct vrm_trace_ragdoll {
    vrm_string engine; ///< Name of the engine; "none": only the script's own "ragdollStates" move the bodies.
    /// The definition as JSON, as from vrm_ragdoll_def_to_json(); empty: build it from the avatar.
    vrm_string definition;
    double ground; ///< Height of the ground in the world, metres.
} vrm_trace_ragdoll;

/// The physics engine that moves the ragdoll's bodies in a trace, as two callbacks that exchange the data of ragdoll.h.
/// vrm_trace_run() has no engine of its own.
typedef struct vrm_trace_engine {
    /// Called before the first frame of a script with a ragdoll. Gives the ragdoll's definition and creates the engine
    /// (no engine for "none"). Returns NOT_FOUND for an unknown engine, which is reported; other failures end the
    /// trace. NULL: scripts with a ragdoll are refused.
    vrm_result (*begin)(const vrm_trace_ragdoll *ragdoll, vrm_ragdoll_def *out_def, void *user);
    /// Advances the bodies by `dt` seconds and writes all states, relative to the targets' origin. Called for each
    /// frame in which something is simulated, unless the script gives the states.
    void (*step)(const vrm_ragdoll_targets *targets, float dt, vrm_ragdoll_state *out_states, void *user);
    void *user;
} vrm_trace_engine;

/// The inputs of a trace.
typedef struct vrm_trace_params {
    uint32_t struct_size;
    vrm_allocator allocator;
    const char *file;  ///< Name of the model, as written in the trace.
    const void *model; ///< Bytes of the model; the trace contains their hash.
    size_t model_size; ///< Number of bytes of `model`.
    vrm_progress_fn *progress;
    void *progress_user;
    /// Clip that is played into the input pose, sampled at `frame * dt`, before the events of the frame. After its end the
    /// last pose stays, unless the script has "loop": true. Default NULL.
    vrm_clip *motion;
    vrm_trace_engine engine; ///< Physics engine for scripts with a ragdoll; default none.
    /// Profile of the updates; default VRM_PROFILE_LIBVRM. All others use VRM_SPRING_TIME_REFERENCE.
    vrm_profile profile;
} vrm_trace_params;

/// Fills `def` with the defaults.
VRM_API void vrm_trace_params_default(vrm_trace_params *def, size_t size);
#define vrm_trace_params_default(def) vrm_trace_params_default(def, sizeof *(def))
/// Runs a script (JSON, see docs/trace.md) on the avatar and returns the trace as JSON text. Errors in the script are
/// reported with their path in the script, and INVALID_ASSET is returned. If `engine.begin` fails, its result is
/// returned.
VRM_API vrm_result vrm_trace_run(
    const vrm_trace_params *def, const vrm_avatar *avatar, vrm_string script, vrm_report *report, vrm_bytes *out_trace);

#endif
