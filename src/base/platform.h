// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_BASE_PLATFORM_H
#define VRMI_BASE_PLATFORM_H

// Everything that differs between POSIX and Windows. Only platform.c calls functions of either.

#include <vrm/gltf.h>

// Reads a whole file. Files above max_size bytes give VRM_ERROR_LIMIT, folders and devices VRM_ERROR_READ.
vrm_result vrmi_platform_read_file(
    const char *path, uint64_t max_size, const vrm_allocator *allocator, vrm_bytes *out_bytes);
// Reads a file that a document refers to by a relative URI. Links are followed first; a file outside the document's
// folder gives VRM_ERROR_INVALID_ASSET.
vrm_result vrmi_platform_read_beside(
    const char *document, const char *uri, uint64_t max_size, const vrm_allocator *allocator, vrm_bytes *out_bytes);
// Maps a file into memory. Same errors as vrmi_platform_read_file().
vrm_result vrmi_platform_map_file(const char *path, uint64_t max_size, vrm_bytes *out_bytes);
// Writes a temporary file in the same folder, flushes it and renames it to `path`. Devices and pipes are written
// directly.
vrm_result vrmi_platform_write_file(const char *path, const void *bytes, size_t size);
// Returns the time of a monotonic clock in seconds.
double vrmi_platform_seconds(void);
// Returns the length of a path up to and including its last separator; 0 if there is no separator.
size_t vrmi_platform_folder_length(const char *path);
// Windows only: converts UTF-8 to UTF-16, to be freed with free(). Returns NULL if memory runs out or the text is
// ill-formed.
wchar_t *vrmi_platform_widen(const char *text);

// --- threads -------------------------------------------------------------------------------------------------------

// Each of the types below has room for the system's own type; platform.c checks the sizes. Do not move an object of
// these types while it is in use.
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
// Call it with the lock held; the lock is released while waiting. It may return without a signal.
void vrmi_signal_wait(vrmi_signal *signal, vrmi_lock *lock);
void vrmi_signal_all(vrmi_signal *signal);
// Calls `run(user)` on a new thread. Returns false if the thread cannot be started.
bool vrmi_thread_start(vrmi_thread *thread, void (*run)(void *user), void *user);
void vrmi_thread_join(vrmi_thread *thread);
// Returns the number of processors that this process may use.
uint32_t vrmi_platform_processors(void);

#endif
