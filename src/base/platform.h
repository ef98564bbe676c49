// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_BASE_PLATFORM_H
#define VRMI_BASE_PLATFORM_H

// Everything that POSIX and Windows do differently. platform.c is the only file that calls either.

#include <vrm/gltf.h>

// Whole file, at most max_size bytes (VRM_ERROR_LIMIT above). Folders and devices are VRM_ERROR_READ.
vrm_result vrmi_platform_read_file(
    const char *path, uint64_t max_size, const vrm_allocator *allocator, vrm_bytes *out_bytes);
// Reads a file that a document names by a relative URI. Links are followed first: VRM_ERROR_INVALID_ASSET for a file
// that really lies outside the document's folder.
vrm_result vrmi_platform_read_beside(
    const char *document, const char *uri, uint64_t max_size, const vrm_allocator *allocator, vrm_bytes *out_bytes);
// As vrmi_platform_read_file(), mapped instead of read.
vrm_result vrmi_platform_map_file(const char *path, uint64_t max_size, vrm_bytes *out_bytes);
// Temporary file in the same folder, flushed, renamed. Devices and pipes are written in place.
vrm_result vrmi_platform_write_file(const char *path, const void *bytes, size_t size);
// Seconds of a steady clock.
double vrmi_platform_seconds(void);
// The length of a path up to and including its last separator; 0 for a file in the working directory.
size_t vrmi_platform_folder_length(const char *path);
// Windows only: UTF-16 of a UTF-8 text, for free(). NULL without memory or for ill-formed UTF-8.
wchar_t *vrmi_platform_widen(const char *text);

// --- threads -------------------------------------------------------------------------------------------------------

// Room for the system's own types; platform.c checks that they fit. None may be moved while in use.
typedef union vrmi_lock {
    void *align;
    unsigned char room[64];
} vrmi_lock;

typedef union vrmi_signal {
    void *align;
    unsigned char room[64];
} vrmi_signal;

typedef struct vrmi_thread {
    void (*run)(void *user);
    void *user;
    union {
        void *align;
        unsigned char room[8];
    } handle;
} vrmi_thread;

bool vrmi_lock_begin(vrmi_lock *lock);
void vrmi_lock_end(vrmi_lock *lock);
void vrmi_lock_enter(vrmi_lock *lock);
void vrmi_lock_leave(vrmi_lock *lock);
bool vrmi_signal_begin(vrmi_signal *signal);
void vrmi_signal_end(vrmi_signal *signal);
// Call it with the lock held; the lock is released during the wait. May return without a signal.
void vrmi_signal_wait(vrmi_signal *signal, vrmi_lock *lock);
void vrmi_signal_all(vrmi_signal *signal);
// Runs `run(user)` on a new thread until it is joined; false when no thread can be started.
bool vrmi_thread_start(vrmi_thread *thread, void (*run)(void *user), void *user);
void vrmi_thread_join(vrmi_thread *thread);
// Processors that this process may use.
uint32_t vrmi_platform_processors(void);

#endif
