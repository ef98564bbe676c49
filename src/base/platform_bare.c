// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Replaces platform.c where there is no operating system (VRM_BARE). Memory comes from the C library; there are no
// files, clocks or threads.

#include "base/platform.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocator.h"

static void *default_allocate(size_t size, size_t alignment, void *user)
{
    (void)user;
    // Small C libraries align malloc to only 8 bytes, but vectors need 16.
    const size_t least = alignment < 16 ? 16 : alignment;
    return size > SIZE_MAX - least ? NULL : aligned_alloc(least, (size + least - 1) / least * least);
}

static void default_release(void *memory, size_t size, void *user)
{
    (void)size;
    (void)user;
    free(memory);
}

void vrmi_default_allocator(vrm_allocator *out)
{
    out->allocate = default_allocate;
    out->release = default_release;
    out->user = NULL;
}

double vrmi_platform_seconds(void)
{
    return 0;
}

size_t vrmi_platform_folder_length(const char *path)
{
    const char *separator = strrchr(path, '/');
    return separator != NULL ? (size_t)(separator - path) + 1 : 0;
}

vrm_result vrmi_platform_read_file(
    const char *path, uint64_t max_size, const vrm_allocator *allocator, vrm_bytes *out_bytes)
{
    (void)path;
    (void)max_size;
    (void)allocator;
    memset(out_bytes, 0, sizeof(*out_bytes));
    return VRM_ERROR_NOT_FOUND;
}

vrm_result vrmi_platform_read_beside(
    const char *document, const char *uri, uint64_t max_size, const vrm_allocator *allocator, vrm_bytes *out_bytes)
{
    (void)document;
    return vrmi_platform_read_file(uri, max_size, allocator, out_bytes);
}

vrm_result vrmi_platform_map_file(const char *path, uint64_t max_size, vrm_bytes *out_bytes)
{
    return vrmi_platform_read_file(path, max_size, NULL, out_bytes);
}

vrm_result vrmi_platform_write_file(const char *path, const void *bytes, size_t size)
{
    (void)path;
    (void)bytes;
    (void)size;
    return VRM_ERROR_WRITE;
}

// --- one thread, so every lock is free
// --------------------------------------------------------------------------------

bool vrmi_lock_begin(vrmi_lock *lock)
{
    (void)lock;
    return true;
}

void vrmi_lock_end(vrmi_lock *lock)
{
    (void)lock;
}

void vrmi_lock_enter(vrmi_lock *lock)
{
    (void)lock;
}

void vrmi_lock_leave(vrmi_lock *lock)
{
    (void)lock;
}

bool vrmi_signal_begin(vrmi_signal *signal)
{
    (void)signal;
    return true;
}

void vrmi_signal_end(vrmi_signal *signal)
{
    (void)signal;
}

void vrmi_signal_wait(vrmi_signal *signal, vrmi_lock *lock)
{
    (void)signal;
    (void)lock;
}

void vrmi_signal_all(vrmi_signal *signal)
{
    (void)signal;
}

bool vrmi_thread_start(vrmi_thread *thread, void (*run)(void *user), void *user)
{
    (void)thread;
    (void)run;
    (void)user;
    return false;
}

void vrmi_thread_join(vrmi_thread *thread)
{
    (void)thread;
}

uint32_t vrmi_platform_processors(void)
{
    return 1;
}
