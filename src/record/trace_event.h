// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RECORD_TRACE_EVENT_H
#define VRMI_RECORD_TRACE_EVENT_H

// Reading the keys of a script's events: trace_event.c, and trace_ragdoll.c for those of a ragdoll.

#include "record/trace_script.h"

// Room for names of bones and expressions in a script; an avatar has no longer ones.
enum { VRMI_TRACE_NAME = 512 };

// The context for reading an event's keys.
typedef struct vrmi_trace_context {
    vrmi_trace_script *script;
    vrm_instance *instance;
    float *dt;
    vrm_result result; // out of memory; violations are counted by the reader
} vrmi_trace_context;

// Has one of the two functions; neither if the key was already read or belongs to other runtimes.
typedef struct vrmi_trace_key {
    const char *key;
    void (*apply)(vrmi_trace_context *c, uint32_t value);
    void (*each)(vrmi_trace_context *c, uint32_t key); // called for every member of the value, an object
} vrmi_trace_key;

// Keys of a ragdoll (trace_ragdoll.c).
extern const vrmi_trace_key vrmi_trace_ragdoll_keys[];
extern const uint32_t vrmi_trace_ragdoll_key_count;

// trace_read.c: readers of values; invalid ones are reported.
void vrmi_trace_refuse(vrmi_trace_context *c, uint32_t value, const char *expected);
void vrmi_trace_refuse_word(vrmi_trace_context *c, uint32_t value, const char *expected);
// True for an object; false (reported) for other types. Keys that are not listed are reported.
bool vrmi_trace_object(vrmi_trace_context *c, uint32_t value, const char *const *keys, uint32_t count);
bool vrmi_trace_numbers(vrmi_trace_context *c, uint32_t value, float *out, uint32_t count);
// A point in the world, or false (reported).
bool vrmi_trace_point(vrmi_trace_context *c, uint32_t value, vrm_dvec3 *out);
bool vrmi_trace_is_true(vrmi_trace_context *c, uint32_t value);

#endif
