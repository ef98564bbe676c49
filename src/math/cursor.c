// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "math/cursor.h"

#include "math/scalar.h"

#include <string.h>

// Saves or reads `size` (1, 4 or 8) bytes of `*bits`, low byte first. Returns false if nothing was read or written.
static bool walk_bytes(vrmi_cursor *cursor, uint64_t *bits, size_t size)
{
    if (cursor->failed || (cursor->mode != VRMI_CURSOR_SIZE && cursor->size - cursor->position < size)) {
        cursor->failed = true;
        return false;
    }
    uint8_t *at = cursor->mode == VRMI_CURSOR_SIZE ? NULL : cursor->bytes + cursor->position;
    cursor->position += size;
    if (cursor->mode == VRMI_CURSOR_SAVE) {
        for (size_t i = 0; i < size; ++i) {
            at[i] = (uint8_t)(*bits >> (8 * i));
        }
    } else if (at != NULL) {
        *bits = 0;
        for (size_t i = 0; i < size; ++i) {
            *bits |= (uint64_t)at[i] << (8 * i);
        }
    }
    return true;
}

void vrmi_cursor_require(vrmi_cursor *cursor, bool condition)
{
    cursor->failed = cursor->failed || (vrmi_cursor_reads(cursor) && !condition);
}

uint32_t vrmi_cursor_steer(vrmi_cursor *cursor, uint32_t value, uint32_t max)
{
    uint64_t bits = value;
    walk_bytes(cursor, &bits, 4);
    vrmi_cursor_require(cursor, bits <= max);
    return cursor->failed ? 0 : (uint32_t)bits;
}

void vrmi_cursor_header(vrmi_cursor *cursor, const uint32_t *expected, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        const uint32_t found = vrmi_cursor_steer(cursor, expected[i], UINT32_MAX);
        vrmi_cursor_require(cursor, found == expected[i]);
    }
}

static bool stores(const vrmi_cursor *cursor)
{
    return cursor->mode == VRMI_CURSOR_LOAD && !cursor->failed;
}

void vrmi_cursor_u32(vrmi_cursor *cursor, uint32_t *value, uint32_t max)
{
    const uint32_t read = vrmi_cursor_steer(cursor, *value, max);
    if (stores(cursor)) {
        *value = read;
    }
}

void vrmi_cursor_u64(vrmi_cursor *cursor, uint64_t *value)
{
    uint64_t bits = *value;
    if (walk_bytes(cursor, &bits, 8) && stores(cursor)) {
        *value = bits;
    }
}

void vrmi_cursor_bool(vrmi_cursor *cursor, bool *value)
{
    uint64_t bits = *value ? 1u : 0u;
    walk_bytes(cursor, &bits, 1);
    vrmi_cursor_require(cursor, bits <= 1u);
    if (stores(cursor)) {
        *value = bits != 0;
    }
}

// Returns a value that a restore accepts. A value that overflowed, such as a position under a scale of 1e30, is
// clamped, so that every snapshot can be restored.
static double accepted(double value, double min, double max)
{
    const double at_least = value >= min ? value : min; // NaN becomes min
    const double held = at_least <= max ? at_least : max;
    return value == value || min > 0.0 || max < 0.0 ? held : 0.0;
}

void vrmi_cursor_float(vrmi_cursor *cursor, float *value, float min, float max)
{
    uint32_t pattern;
    const float saved =
        *value >= min && *value <= max ? *value : (float)accepted((double)*value, (double)min, (double)max);
    memcpy(&pattern, &saved, sizeof(pattern));
    uint64_t bits = pattern;
    if (!walk_bytes(cursor, &bits, 4)) {
        return;
    }
    pattern = (uint32_t)bits;
    float read;
    memcpy(&read, &pattern, sizeof(read));
    vrmi_cursor_require(cursor, vrmi_finite(read) && read >= min && read <= max);
    if (stores(cursor)) {
        *value = read;
    }
}

void vrmi_cursor_double(vrmi_cursor *cursor, double *value, double min, double max)
{
    uint64_t bits;
    const double saved = *value >= min && *value <= max ? *value : accepted(*value, min, max);
    memcpy(&bits, &saved, sizeof(bits));
    if (!walk_bytes(cursor, &bits, 8)) {
        return;
    }
    double read;
    memcpy(&read, &bits, sizeof(read));
    vrmi_cursor_require(cursor, vrmi_finite_double(read) && read >= min && read <= max);
    if (stores(cursor)) {
        *value = read;
    }
}

void vrmi_cursor_vec3(vrmi_cursor *cursor, vrm_vec3 *value)
{
    vrmi_cursor_float(cursor, &value->x, -VRMI_FLOAT_MAX, VRMI_FLOAT_MAX);
    vrmi_cursor_float(cursor, &value->y, -VRMI_FLOAT_MAX, VRMI_FLOAT_MAX);
    vrmi_cursor_float(cursor, &value->z, -VRMI_FLOAT_MAX, VRMI_FLOAT_MAX);
}

// Returns true if the quaternion's length is 1 within 1e-3; false for NaN.
static bool is_unit(const float q[4])
{
    return vrmi_abs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1.0f) < 2e-3f;
}

void vrmi_cursor_quat(vrmi_cursor *cursor, vrm_quat *value)
{
    float q[4] = {value->x, value->y, value->z, value->w};
    const vrmi_cursor_mode mode = cursor->mode;
    if (!vrmi_cursor_reads(cursor) && !is_unit(q)) {
        q[0] = q[1] = q[2] = 0.0f;
        q[3] = 1.0f;
    }
    // Reads all four numbers even in CHECK mode, because one check covers all four.
    cursor->mode = mode == VRMI_CURSOR_CHECK ? VRMI_CURSOR_LOAD : mode;
    for (int i = 0; i < 4; ++i) {
        vrmi_cursor_float(cursor, &q[i], -1.001f, 1.001f);
    }
    cursor->mode = mode;
    vrmi_cursor_require(cursor, is_unit(q));
    if (stores(cursor)) {
        *value = (vrm_quat){q[0], q[1], q[2], q[3]};
    }
}

void vrmi_cursor_dvec3(vrmi_cursor *cursor, vrm_dvec3 *value)
{
    vrmi_cursor_double(cursor, &value->x, -VRMI_DOUBLE_MAX, VRMI_DOUBLE_MAX);
    vrmi_cursor_double(cursor, &value->y, -VRMI_DOUBLE_MAX, VRMI_DOUBLE_MAX);
    vrmi_cursor_double(cursor, &value->z, -VRMI_DOUBLE_MAX, VRMI_DOUBLE_MAX);
}

void vrmi_cursor_root(vrmi_cursor *cursor, vrm_root *value)
{
    vrmi_cursor_dvec3(cursor, &value->translation);
    vrmi_cursor_quat(cursor, &value->rotation);
    vrmi_cursor_float(cursor, &value->scale, 0.01f, 100.0f);
}

vrm_result vrmi_snapshot_save(vrmi_snapshot_walk *walk_state, void *state, void *buffer, size_t *size)
{
    vrmi_cursor counter = {.mode = VRMI_CURSOR_SIZE};
    walk_state(state, &counter);
    const size_t room = *size;
    *size = counter.position;
    if (buffer == NULL) {
        return VRM_SUCCESS;
    }
    if (room < counter.position) {
        return VRM_ERROR_LIMIT;
    }
    vrmi_cursor saver = {.mode = VRMI_CURSOR_SAVE, .bytes = buffer, .size = counter.position};
    walk_state(state, &saver);
    return VRM_SUCCESS;
}

vrm_result vrmi_snapshot_load(vrmi_snapshot_walk *walk_state, void *state, const void *buffer, size_t size)
{
    vrmi_cursor cursor = {.mode = VRMI_CURSOR_CHECK, .bytes = (uint8_t *)buffer, .size = size};
    walk_state(state, &cursor);
    if (cursor.failed || cursor.position != size) {
        return VRM_ERROR_INVALID_ASSET;
    }
    cursor = (vrmi_cursor){.mode = VRMI_CURSOR_LOAD, .bytes = (uint8_t *)buffer, .size = size};
    walk_state(state, &cursor);
    return VRM_SUCCESS;
}
