// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_FORMAT_JSON_READ_H
#define VRMI_FORMAT_JSON_READ_H

// Reads members with their rules: type, range, enumeration, required or not. Each violation is one finding
// (TYPE_MISMATCH, UNDEFINED_PROPERTY, VALUE_NOT_IN_RANGE, VALUE_NOT_IN_LIST, ARRAY_LENGTH_NOT_IN_LIST,
// UNRESOLVED_REFERENCE) at its path. All functions return true for a valid value; otherwise `out` is untouched, so that
// it may hold the default.

#include "format/json/json.h"

typedef struct vrmi_reader {
    const vrmi_json *json;
    vrm_report *report; // may be NULL
    uint32_t errors;    // findings of severity error so far
    uint32_t repairs;   // errors that were repaired instead
    // Repairs errors: they become warnings, a number out of range is clamped to it, and an array that is too long is
    // cut. Otherwise reading continues with defaults or without the broken part.
    bool repairing;
} vrmi_reader;

typedef enum vrmi_need { VRMI_OPTIONAL, VRMI_REQUIRED } vrmi_need;

// Adds a finding at a value (or at `value`/`key` when key is not NULL), counting errors and repairs.
void vrmi_reader_report(
    vrmi_reader *reader, vrm_finding_id id, uint32_t value, const char *key, const char *found, const char *expected);
// The same with the value's text as `found`.
void vrmi_reader_report_value(vrmi_reader *reader, vrm_finding_id id, uint32_t value, const char *expected);

// The member if it is an object or array; NONE otherwise.
uint32_t vrmi_read_object(vrmi_reader *reader, uint32_t object, const char *key, vrmi_need need);
uint32_t vrmi_read_array(vrmi_reader *reader, uint32_t object, const char *key, vrmi_need need);
bool vrmi_read_bool(vrmi_reader *reader, uint32_t object, const char *key, vrmi_need need, bool *out);
bool vrmi_read_float(vrmi_reader *reader, uint32_t object, const char *key, vrmi_need need, float *out);
// Also VALUE_NOT_IN_RANGE outside [low, high]; a repairing reader gives the nearer end.
bool vrmi_read_float_range(vrmi_reader *reader, uint32_t object, const char *key, float low, float high, float *out);
// Exactly `count` finite numbers.
bool vrmi_read_floats(
    vrmi_reader *reader, uint32_t object, const char *key, vrmi_need need, uint32_t count, float *out);
bool vrmi_read_uint(vrmi_reader *reader, uint32_t object, const char *key, vrmi_need need, uint32_t *out);
// An index below `limit`: UNRESOLVED_REFERENCE otherwise.
bool vrmi_read_index(
    vrmi_reader *reader, uint32_t object, const char *key, vrmi_need need, uint32_t limit, uint32_t *out);
// The string's token; NONE when it is absent or not a string.
uint32_t vrmi_read_string(vrmi_reader *reader, uint32_t object, const char *key, vrmi_need need);
// Index into `names`; compared exactly.
bool vrmi_read_enum(vrmi_reader *reader, uint32_t object, const char *key, vrmi_need need, const char *const *names,
    uint32_t count, uint32_t *out);
// Reports every key of an object that is not in the list as the finding `unknown`.
void vrmi_read_keys(vrmi_reader *reader, uint32_t object, const char *const *keys, uint32_t count,
    vrm_finding_id unknown, const char *expected);

#endif
