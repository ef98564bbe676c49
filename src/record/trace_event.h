// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RECORD_TRACE_EVENT_H
#define VRMI_RECORD_TRACE_EVENT_H

// How the keys of a script's events are read: trace_event.c, and trace_ragdoll.c for those of a ragdoll.

#include "record/trace_script.h"

// Room for the names of bones and expressions in a script; longer ones are not those of an avatar.
enum { VRMI_TRACE_NAME = 512 };

// What an event's key is read with.
typedef struct vrmi_trace_context {
    vrmi_trace_script *script;
    vrm_instance *instance;
    float *dt;
    vrm_result result; // out of memory; broken rules are counted by the reader
} vrmi_trace_context;

// One of the two; neither, where the key was read before or belongs to other runtimes.
typedef struct vrmi_trace_key {
    const char *key;
    void (*apply)(vrmi_trace_context *c, uint32_t value);
    void (*each)(vrmi_trace_context *c, uint32_t key); // of every member of the value, an object
} vrmi_trace_key;

// Those of a ragdoll (trace_ragdoll.c).
extern const vrmi_trace_key vrmi_trace_ragdoll_keys[];
extern const uint32_t vrmi_trace_ragdoll_key_count;

// trace_read.c: values, reported where they are anything else.
void vrmi_trace_refuse(vrmi_trace_context *c, uint32_t value, const char *expected);
void vrmi_trace_refuse_word(vrmi_trace_context *c, uint32_t value, const char *expected);
// True for an object; false (reported) for anything else. Other keys than these are reported.
bool vrmi_trace_object(vrmi_trace_context *c, uint32_t value, const char *const *keys, uint32_t count);
bool vrmi_trace_numbers(vrmi_trace_context *c, uint32_t value, float *out, uint32_t count);
// A point in the world, or false (reported).
bool vrmi_trace_point(vrmi_trace_context *c, uint32_t value, vrm_dvec3 *out);
bool vrmi_trace_is_true(vrmi_trace_context *c, uint32_t value);

#endif
