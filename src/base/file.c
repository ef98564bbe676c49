// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include <vrm/gltf.h>

#include <string.h>

#include "base/allocator.h"
#include "base/checks.h"
#include "base/platform.h"

// The public functions for files. They check their arguments and call platform.c.

void vrm_bytes_free(vrm_bytes *bytes)
{
    if (!VRM_ASSERT(bytes != NULL)) {
        return;
    }
    if (bytes->allocator.release != NULL) {
        vrmi_release(&bytes->allocator, bytes->data, bytes->size);
    }
    memset(bytes, 0, sizeof(*bytes));
}

vrm_result vrm_read_file(const char *path, uint64_t max_size, const vrm_allocator *allocator, vrm_bytes *out_bytes)
{
    if (!VRM_ASSERT(out_bytes != NULL)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    memset(out_bytes, 0, sizeof(*out_bytes));
    if (!VRM_ASSERT(path != NULL)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    return vrmi_platform_read_file(path, max_size, allocator, out_bytes);
}

vrm_result vrm_map_file(const char *path, uint64_t max_size, vrm_bytes *out_bytes)
{
    if (!VRM_ASSERT(out_bytes != NULL)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    memset(out_bytes, 0, sizeof(*out_bytes));
    if (!VRM_ASSERT(path != NULL)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    return vrmi_platform_map_file(path, max_size, out_bytes);
}

vrm_result vrm_write_file(const char *path, const void *bytes, size_t size)
{
    if (!VRM_ASSERT(path != NULL && (bytes != NULL || size == 0))) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    return vrmi_platform_write_file(path, bytes, size);
}
