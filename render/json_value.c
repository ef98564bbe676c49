// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// What the checked reads do not hand out: indices of a primitive's attributes, of textures and samplers. The document
// has been checked as a whole when it was loaded, so a value that is there is a sound one.

#include "internal.h"

#include <stdio.h>

static vrm_result find(const vrm_gltf *gltf, const char *format, const unsigned numbers[3], vrm_string *out_text)
{
    char pointer[160];
    // Formats are this library's own; each has at most three %u.
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#endif
    const int length = snprintf(pointer, sizeof pointer, format, numbers[0], numbers[1], numbers[2]);
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
    if (length < 0 || (size_t)length >= sizeof pointer) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    return vrm_gltf_get_json(gltf, pointer, out_text);
}

int64_t vrmr_json_integer(const vrm_gltf *gltf, int64_t missing, const char *format, unsigned a, unsigned b, unsigned c)
{
    vrm_string text;
    if (find(gltf, format, (const unsigned[3]){a, b, c}, &text) != VRM_SUCCESS) {
        return missing;
    }
    int64_t value = 0;
    uint32_t i = 0;
    for (; i < text.length && text.data[i] >= '0' && text.data[i] <= '9' && value < INT32_MAX; ++i) {
        value = value * 10 + (text.data[i] - '0');
    }
    return i > 0 && value < INT32_MAX ? value : missing;
}

bool vrmr_json_exists(const vrm_gltf *gltf, const char *format, unsigned a, unsigned b, unsigned c)
{
    vrm_string text;
    return find(gltf, format, (const unsigned[3]){a, b, c}, &text) == VRM_SUCCESS;
}
