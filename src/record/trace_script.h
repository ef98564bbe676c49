// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RECORD_TRACE_SCRIPT_H
#define VRMI_RECORD_TRACE_SCRIPT_H

// A trace script, which controls the avatar frame by frame (docs/trace.md).

#include <vrm/active_ragdoll.h>
#include <vrm/look_chain.h>
#include <vrm/record.h>

#include "base/array.h"
#include "format/json/json_read.h"

#define VRMI_TRACE_KEY_EXPECTED "a key that docs/trace.md lists"

typedef struct vrmi_trace_event {
    uint32_t frame;
    uint32_t order; // position in the file
    uint32_t json;  // the event's JSON object
} vrmi_trace_event;

// The script's ragdoll, if it has one (trace_ragdoll.c).
typedef struct vrmi_trace_ragdoll {
    uint32_t json;        // the JSON of "ragdoll", or NONE
    vrm_ragdoll_def *def; // created by the host; NULL: none
    char engine[32];      // the engine's name in the script
    bool steps;           // true: an engine moves the bodies; false: the script gives their states
    bool given, lost;     // given: the script has the next frame's states; lost: all bodies are lost
    bool read;            // the last frame had states
    vrm_ragdoll_state states[VRM_RAGDOLL_MAX_BODIES];
} vrmi_trace_ragdoll;

typedef struct vrmi_trace_script {
    vrm_allocator allocator;
    vrmi_json json;
    vrmi_reader reader;
    float dt;
    uint32_t frames;
    bool normalized;
    vrm_spring_time spring_time;
    bool loop; // the motion loops
    uint32_t sample_every, sample_start;
    uint32_t sample_frames; // JSON array of frames, or NONE: use sample_every and sample_start
    uint32_t nodes;         // JSON array of glTF nodes, or NONE: all
    vrmi_array events;      // vrmi_trace_event, sorted by frame, then by order
    vrmi_trace_ragdoll ragdoll;
} vrmi_trace_script;

// Parses and checks the whole script, except the values of events. These are checked when they are applied.
vrm_result vrmi_trace_script_parse(
    vrmi_trace_script *out, vrm_string text, const vrm_allocator *allocator, vrm_report *report);
void vrmi_trace_script_free(vrmi_trace_script *script);
// Whether this frame is sampled.
bool vrmi_trace_script_samples(const vrmi_trace_script *script, uint32_t frame);
// Applies one event (trace_event.c), which may change `*dt`. Returns INVALID_ASSET if the event has errors; they are in
// the report.
vrm_result vrmi_trace_script_apply(
    vrmi_trace_script *script, const vrmi_trace_event *event, vrm_instance *instance, float *dt);

#endif
