// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_FORMAT_JSON_READ_H
#define VRMI_FORMAT_JSON_READ_H

// Reads members and checks their rules: type, range, enumeration, required or optional. Each violation is one finding
// at its path: TYPE_MISMATCH, UNDEFINED_PROPERTY, VALUE_NOT_IN_RANGE, VALUE_NOT_IN_LIST, ARRAY_LENGTH_NOT_IN_LIST or
// UNRESOLVED_REFERENCE. Functions that return bool return true for a valid value. Otherwise they leave `out` unchanged,
// so that it may contain the default.

#include "format/json/json.h"

typedef struct vrmi_reader {
    const vrmi_json *json;
    vrm_report *report; // may be NULL
    uint32_t errors;    // number of findings with severity error
    uint32_t repairs;   // number of errors that were repaired instead of reported as errors
    // Whether errors are repaired. They then become warnings: a number out of range is clamped, and an array that is
    // too long is cut. In other cases reading continues with the default or without the invalid value.
    bool repairing;
} vrmi_reader;

typedef enum vrmi_need { VRMI_OPTIONAL, VRMI_REQUIRED } vrmi_need;

// Adds a finding at a value, or at its member `key` if key is not NULL. Counts errors and repairs.
void vrmi_reader_report(
    vrmi_reader *reader, vrm_finding_id id, uint32_t value, const char *key, const char *found, const char *expected);
// Adds a finding at a value, with the value's text as `found`.
void vrmi_reader_report_value(vrmi_reader *reader, vrm_finding_id id, uint32_t value, const char *expected);

// Returns a member that is an object; otherwise NONE. vrmi_read_array() returns a member that is an array.
uint32_t vrmi_read_object(vrmi_reader *reader, uint32_t object, const char *key, vrmi_need need);
uint32_t vrmi_read_array(vrmi_reader *reader, uint32_t object, const char *key, vrmi_need need);
bool vrmi_read_bool(vrmi_reader *reader, uint32_t object, const char *key, vrmi_need need, bool *out);
bool vrmi_read_float(vrmi_reader *reader, uint32_t object, const char *key, vrmi_need need, float *out);
// Reads a number from `low` to `high`. For a number out of this range the finding is VALUE_NOT_IN_RANGE, and a
// repairing reader returns the nearer limit.
bool vrmi_read_float_range(vrmi_reader *reader, uint32_t object, const char *key, float low, float high, float *out);
// Reads an array of exactly `count` finite numbers.
bool vrmi_read_floats(
    vrmi_reader *reader, uint32_t object, const char *key, vrmi_need need, uint32_t count, float *out);
bool vrmi_read_uint(vrmi_reader *reader, uint32_t object, const char *key, vrmi_need need, uint32_t *out);
// Reads an index below `limit`. The finding for other indices is UNRESOLVED_REFERENCE.
bool vrmi_read_index(
    vrmi_reader *reader, uint32_t object, const char *key, vrmi_need need, uint32_t limit, uint32_t *out);
// Returns the token of a string; NONE if it is missing or not a string.
uint32_t vrmi_read_string(vrmi_reader *reader, uint32_t object, const char *key, vrmi_need need);
// Reads a string and gives its index in `names`. The comparison is exact.
bool vrmi_read_enum(vrmi_reader *reader, uint32_t object, const char *key, vrmi_need need, const char *const *names,
    uint32_t count, uint32_t *out);
// Reports each key of an object that is not in `keys`. The finding is `unknown`.
void vrmi_read_keys(vrmi_reader *reader, uint32_t object, const char *const *keys, uint32_t count,
    vrm_finding_id unknown, const char *expected);

#endif
