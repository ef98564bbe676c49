// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RECORD_TRACE_RAGDOLL_H
#define VRMI_RECORD_TRACE_RAGDOLL_H

// The body of a trace: its description in the script, the exchange with the engine, its part of the record.

#include "base/text.h"
#include "record/trace_script.h"

// Reads the script's "ragdoll", gets definition and engine from the host and gives the instance its body; does nothing
// without one. Errors are reported with their path.
vrm_result vrmi_trace_ragdoll_begin(vrmi_trace_script *script, const vrm_trace_engine *engine, vrm_instance *instance);
// Between the halves of a frame: bodies go to the engine and come back, or come from the script.
void vrmi_trace_ragdoll_step(
    vrmi_trace_script *script, const vrm_trace_engine *engine, vrm_instance *instance, float dt);
// The member "ragdoll" of the head and of a frame; nothing without one.
void vrmi_trace_ragdoll_head(const vrmi_trace_script *script, vrmi_text *out);
void vrmi_trace_ragdoll_frame(const vrmi_trace_script *script, const vrm_instance *instance, vrmi_text *out);

#endif
