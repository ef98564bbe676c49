// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_BASE_PLATFORM_H
#define VRMI_BASE_PLATFORM_H

// Everything that POSIX and Windows do differently. platform.c is the only file that calls either.

#include <vrm/gltf.h>

// Whole file, at most max_size bytes (VRM_ERROR_LIMIT above). Folders and devices are VRM_ERROR_READ.
vrm_result vrmi_platform_read_file(
    const char *path, uint64_t max_size, const vrm_allocator *allocator, vrm_bytes *out_bytes);
// The same, mapped instead of read.
vrm_result vrmi_platform_map_file(const char *path, uint64_t max_size, vrm_bytes *out_bytes);
// Temporary file in the same folder, flushed, renamed. Devices and pipes are written in place.
vrm_result vrmi_platform_write_file(const char *path, const void *bytes, size_t size);
// Seconds of a steady clock.
double vrmi_platform_seconds(void);

#endif
