// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RECORD_TRACE_EVENT_H
#define VRMI_RECORD_TRACE_EVENT_H

// Reads the keys of a script's events. trace_event.c has all keys except those of a ragdoll, which are in
// trace_ragdoll.c.

#include "record/trace_script.h"

// Space for names of bones and expressions in a script. An avatar's names are shorter.
enum { VRMI_TRACE_NAME = 512 };

// The context in which an event's keys are read.
typedef struct vrmi_trace_context {
    vrmi_trace_script *script;
    vrm_instance *instance;
    float *dt;
    vrm_result result; // OUT_OF_MEMORY, or success; the reader counts invalid values
} vrmi_trace_context;

// A key and its function. A key has one of the two functions. It has neither if it was already read or belongs to other
// runtimes.
typedef struct vrmi_trace_key {
    const char *key;
    void (*apply)(vrmi_trace_context *c, uint32_t value);
    void (*each)(vrmi_trace_context *c, uint32_t key); // called for every member of the value, which is an object
} vrmi_trace_key;

// The keys of a ragdoll (trace_ragdoll.c).
extern const vrmi_trace_key vrmi_trace_ragdoll_keys[];
extern const uint32_t vrmi_trace_ragdoll_key_count;

// trace_read.c: functions that read values. They report invalid values.
void vrmi_trace_refuse(vrmi_trace_context *c, uint32_t value, const char *expected);
void vrmi_trace_refuse_word(vrmi_trace_context *c, uint32_t value, const char *expected);
// Returns true for an object. Reports values of other types, and keys that are not listed.
bool vrmi_trace_object(vrmi_trace_context *c, uint32_t value, const char *const *keys, uint32_t count);
bool vrmi_trace_numbers(vrmi_trace_context *c, uint32_t value, float *out, uint32_t count);
// Reads a point in the world. Returns false after reporting an invalid value.
bool vrmi_trace_point(vrmi_trace_context *c, uint32_t value, vrm_dvec3 *out);
bool vrmi_trace_is_true(vrmi_trace_context *c, uint32_t value);

#endif
