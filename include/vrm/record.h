// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_RECORD_H
#define VRM_RECORD_H

/// @file record.h
/// Frames of an instance written down: as animation in a glTF file, and as the JSON trace by which runtimes are
/// compared. For tools; not in libvrm-runtime.

#include <vrm/clip.h>
#include <vrm/output.h>
#include <vrm/ragdoll.h>

/// Collects an instance's outputs frame by frame and bakes them into its document as a glTF animation.
typedef struct vrm_recorder vrm_recorder;

/// Options of a recorder.
typedef struct vrm_recorder_def {
    uint32_t struct_size;
    vrm_allocator allocator;
    /// Also write material values, which core glTF cannot animate, as KHR_animation_pointer; default false.
    bool pointers;
    const char *name; ///< Of the animation; default "simulation".
} vrm_recorder_def;

/// Fills it with the defaults.
VRM_API void vrm_recorder_def_default(vrm_recorder_def *def, size_t size);
#define vrm_recorder_def_default(def) vrm_recorder_def_default(def, sizeof *(def))
/// Makes an empty recorder for instances of this avatar. `def` may be NULL for the default.
VRM_API vrm_result vrm_recorder_create(
    const vrm_recorder_def *def, const vrm_avatar *avatar, vrm_recorder **out_recorder);
/// Frees it; NULL is allowed.
VRM_API void vrm_recorder_destroy(vrm_recorder *recorder);
/// Takes the instance's outputs as the frame at `time` (seconds, growing). OUT_OF_MEMORY, INVALID_ARGUMENT.
VRM_API vrm_result vrm_recorder_add(vrm_recorder *recorder, const vrm_instance *instance, double time);
/// Appends the animation to the document the avatar came from: only channels that move, morphs as weights, the root's
/// motion in the hips and in the nodes beside them (in the glTF roots if there are no hips, or if nodes above the hips
/// have non-uniform scale). What could not be written is reported (ANIMATION_NOT_BAKED: material values without
/// `pointers`). INVALID_ARGUMENT for another document, for one to which accessors or buffer views were appended since
/// it was loaded (save and load it first), and for a recorder without frames; LIMIT above 4 GiB of frames.
VRM_API vrm_result vrm_recorder_write(const vrm_recorder *recorder, vrm_gltf *gltf, vrm_report *report);

/// The script's description of the avatar's body ("ragdoll" in docs/trace.md), for the engine that makes it. Valid
/// during the call.
typedef struct vrm_trace_ragdoll {
    vrm_string engine;     ///< Name of the engine; "none": only the script's own "ragdollStates" move the bodies.
    vrm_string definition; ///< JSON as from vrm_ragdoll_def_to_json(); empty: build it from the avatar.
    double ground;         ///< Height of the ground, world, metres.
} vrm_trace_ragdoll;

/// The engine that moves the bodies of a trace, since a trace has none: the exchange of ragdoll.h as two calls.
typedef struct vrm_trace_engine {
    /// Called before the first frame of a script with a body: returns its definition and creates the engine (none for
    /// "none"). NOT_FOUND for an unknown engine, which is reported; other failures end the trace. NULL: scripts with a
    /// body are refused.
    vrm_result (*begin)(const vrm_trace_ragdoll *ragdoll, vrm_ragdoll_def *out_def, void *user);
    /// Advances by `dt` seconds and writes all states, relative to the targets' origin. Called for frames in which
    /// something is simulated, unless the script gives the states.
    void (*step)(const vrm_ragdoll_targets *targets, float dt, vrm_ragdoll_state *out_states, void *user);
    void *user;
} vrm_trace_engine;

/// The inputs of a trace.
typedef struct vrm_trace_params {
    uint32_t struct_size;
    vrm_allocator allocator;
    const char *file;  ///< Name of the model in the trace.
    const void *model; ///< The model's bytes, for its hash.
    size_t model_size; ///< Bytes of `model`.
    vrm_progress_fn *progress;
    void *progress_user;
    /// Played from its start at time frame * dt into the input pose, before the events of the frame; its end is held
    /// unless the script says "loop": true. Default NULL.
    vrm_clip *motion;
    vrm_trace_engine engine; ///< Default none.
    vrm_profile profile;     ///< Profile of the updates, default VRM_PROFILE_LIBVRM; others use `reference` time.
} vrm_trace_params;

/// Fills it with the defaults.
VRM_API void vrm_trace_params_default(vrm_trace_params *def, size_t size);
#define vrm_trace_params_default(def) vrm_trace_params_default(def, sizeof *(def))
/// Runs a script (JSON, see docs/trace.md) on the avatar and returns the trace as JSON text. Errors in the script are
/// INVALID_ASSET, reported with their path in the script. Failures of `engine.begin` are returned.
VRM_API vrm_result vrm_trace_run(
    const vrm_trace_params *def, const vrm_avatar *avatar, vrm_string script, vrm_report *report, vrm_bytes *out_trace);

#endif
