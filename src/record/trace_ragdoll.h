// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RECORD_TRACE_RAGDOLL_H
#define VRMI_RECORD_TRACE_RAGDOLL_H

// The ragdoll of a trace: its description in the script, its exchange with the engine, and its output.

#include "base/text.h"
#include "record/trace_script.h"

// Reads the script's "ragdoll", gets definition and engine from the host, and gives the instance its ragdoll. Does
// nothing if the script has no ragdoll. Errors are reported with their path.
vrm_result vrmi_trace_ragdoll_begin(vrmi_trace_script *script, const vrm_trace_engine *engine, vrm_instance *instance);
// Sends the bodies to the engine and reads them back, or takes them from the script. Call it between the two halves of
// a frame.
void vrmi_trace_ragdoll_step(
    vrmi_trace_script *script, const vrm_trace_engine *engine, vrm_instance *instance, float dt);
// Write the member "ragdoll" of the head and of a frame, or nothing if the script has no ragdoll.
void vrmi_trace_ragdoll_head(const vrmi_trace_script *script, vrmi_text *out);
void vrmi_trace_ragdoll_frame(const vrmi_trace_script *script, const vrm_instance *instance, vrmi_text *out);

#endif
