// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MATH_CURSOR_H
#define VRMI_MATH_CURSOR_H

// Converts state to bytes and back. Each owner of state has one function that visits its values with a cursor. The
// cursor's mode decides whether the values are counted, saved, checked or loaded, so saving and loading always match. A
// restore runs the function twice. The first run, with CHECK, reads and validates but stores nothing, so that invalid
// bytes leave the owner unchanged.

#include <vrm/math.h>
#include <vrm/result.h>

typedef enum vrmi_cursor_mode {
    VRMI_CURSOR_SIZE, // counts bytes
    VRMI_CURSOR_SAVE,
    VRMI_CURSOR_CHECK, // reads and validates, but stores nothing
    VRMI_CURSOR_LOAD
} vrmi_cursor_mode;

typedef struct vrmi_cursor {
    vrmi_cursor_mode mode;
    bool failed;    // out of room, or a value out of range; all later calls do nothing
    uint8_t *bytes; // written only by SAVE
    size_t size, position;
} vrmi_cursor;

static inline bool vrmi_cursor_reads(const vrmi_cursor *cursor)
{
    return cursor->mode >= VRMI_CURSOR_CHECK;
}

// Visits a value that controls the walk (a count, an index, a tag). Saves `value` and returns it. When reading, even
// with CHECK, returns the stored value. A value above `max` fails the cursor. Returns 0 after a failure.
uint32_t vrmi_cursor_steer(vrmi_cursor *cursor, uint32_t value, uint32_t max);
// Visits the header of a snapshot: its magic, its version, and the sizes that its owner must have.
void vrmi_cursor_header(vrmi_cursor *cursor, const uint32_t *expected, size_t count);
// When reading, fails the cursor unless `condition`, computed from results of vrmi_cursor_steer(), is true.
void vrmi_cursor_require(vrmi_cursor *cursor, bool condition);

// Visit one of the owner's values. Reading fails on a value that is not finite or not in [min, max], and stores only
// with LOAD. Saving replaces such a value by one that reading accepts: the nearest value, 0, or the identity rotation.
void vrmi_cursor_u32(vrmi_cursor *cursor, uint32_t *value, uint32_t max);
void vrmi_cursor_u64(vrmi_cursor *cursor, uint64_t *value);
void vrmi_cursor_bool(vrmi_cursor *cursor, bool *value);
void vrmi_cursor_float(vrmi_cursor *cursor, float *value, float min, float max);
void vrmi_cursor_double(vrmi_cursor *cursor, double *value, double min, double max);
void vrmi_cursor_vec3(vrmi_cursor *cursor, vrm_vec3 *value);   // finite
void vrmi_cursor_quat(vrmi_cursor *cursor, vrm_quat *value);   // unit length within 1e-3
void vrmi_cursor_dvec3(vrmi_cursor *cursor, vrm_dvec3 *value); // finite
void vrmi_cursor_root(vrmi_cursor *cursor, vrm_root *value);

// The largest finite float. As a limit it allows any finite value.
#define VRMI_FLOAT_MAX 3.402823466e+38f
#define VRMI_DOUBLE_MAX 1.7976931348623157e+308

// Visits all of an object's state. With SIZE and SAVE it changes nothing in the object.
typedef void vrmi_snapshot_walk(void *state, vrmi_cursor *cursor);
// Implements the public functions that save a snapshot: computes the size, and saves if there is enough room. Returns
// LIMIT if there is not.
vrm_result vrmi_snapshot_save(vrmi_snapshot_walk *walk_state, void *state, void *buffer, size_t *size);
// Implements the public functions that restore a snapshot. Unless every byte is accepted, returns INVALID_ASSET and
// leaves the object unchanged.
vrm_result vrmi_snapshot_load(vrmi_snapshot_walk *walk_state, void *state, const void *buffer, size_t size);

#endif
