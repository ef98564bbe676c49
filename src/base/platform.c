// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
// -std=c17 hides POSIX names; these macros make them visible again. Only this file needs them.
#if !defined(_WIN32)
#define _XOPEN_SOURCE 700 // realpath is in the XSI part
#define _GNU_SOURCE       // for O_TMPFILE, and for the set of processors that a process may use
#define _DARWIN_C_SOURCE
#define _DEFAULT_SOURCE // sysconf's number of processors
#define _FILE_OFFSET_BITS 64
#endif

#include "base/platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocator.h"

enum { LARGEST_STEP = 1 << 30, TEMPORARY_TRIES = 100 };

// Room for ".vrm-<process>-<number>.tmp" and a terminating zero after a folder's path.
enum { SUFFIX_SIZE = 40 };

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <malloc.h>
#include <windows.h>

#if !defined(ERROR_DISK_QUOTA_EXCEEDED) // MinGW-w64 10 does not define this constant
#define ERROR_DISK_QUOTA_EXCEEDED 1295L
#endif

static void *default_allocate(size_t size, size_t alignment, void *user)
{
    (void)user;
    return _aligned_malloc(size, alignment < sizeof(void *) ? sizeof(void *) : alignment);
}

static void default_release(void *memory, size_t size, void *user)
{
    (void)size;
    (void)user;
    _aligned_free(memory);
}

double vrmi_platform_seconds(void)
{
    LARGE_INTEGER frequency, now;
    QueryPerformanceFrequency(&frequency);
    QueryPerformanceCounter(&now);
    return (double)now.QuadPart / (double)frequency.QuadPart;
}

wchar_t *vrmi_platform_widen(const char *text)
{
    const int length = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, NULL, 0);
    wchar_t *wide = length > 0 ? malloc((size_t)length * sizeof(*wide)) : NULL;
    if (wide != NULL) {
        MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, wide, length);
    }
    return wide;
}

static vrm_result read_result(DWORD error)
{
    return error == ERROR_FILE_NOT_FOUND || error == ERROR_PATH_NOT_FOUND || error == ERROR_INVALID_NAME
               ? VRM_ERROR_NOT_FOUND
               : VRM_ERROR_READ;
}

// Opens a file of at most max_size bytes and returns its size in `out_size`.
static vrm_result open_regular(const char *path, uint64_t max_size, HANDLE *out_file, size_t *out_size)
{
    wchar_t *wide = vrmi_platform_widen(path);
    if (wide == NULL) {
        return VRM_ERROR_NOT_FOUND;
    }
    HANDLE file = CreateFileW(wide, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_DELETE, NULL, OPEN_EXISTING,
        FILE_ATTRIBUTE_NORMAL | FILE_FLAG_SEQUENTIAL_SCAN, NULL);
    const DWORD error = GetLastError();
    free(wide);
    if (file == INVALID_HANDLE_VALUE) {
        return read_result(error);
    }
    LARGE_INTEGER length;
    vrm_result result = VRM_SUCCESS;
    if (GetFileType(file) != FILE_TYPE_DISK || !GetFileSizeEx(file, &length)) {
        result = VRM_ERROR_READ;
    } else if ((uint64_t)length.QuadPart > max_size || (uint64_t)length.QuadPart >= SIZE_MAX) {
        result = VRM_ERROR_LIMIT;
    }
    if (result != VRM_SUCCESS) {
        CloseHandle(file);
        return result;
    }
    *out_file = file;
    *out_size = (size_t)length.QuadPart;
    return VRM_SUCCESS;
}

static vrm_result read_all(HANDLE file, size_t size, const vrm_allocator *allocator, vrm_bytes *out)
{
    uint8_t *data = size != 0 ? vrmi_allocate(allocator, size, 16) : NULL;
    if (size != 0 && data == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    for (size_t done = 0; done < size;) {
        DWORD got = 0;
        const size_t step = size - done < LARGEST_STEP ? size - done : LARGEST_STEP;
        if (!ReadFile(file, data + done, (DWORD)step, &got, NULL) || got == 0) {
            vrmi_release(allocator, data, size);
            return VRM_ERROR_READ;
        }
        done += got;
    }
    out->data = data;
    out->size = size;
    out->allocator = *allocator;
    return VRM_SUCCESS;
}

vrm_result vrmi_platform_read_file(
    const char *path, uint64_t max_size, const vrm_allocator *wanted, vrm_bytes *out_bytes)
{
    memset(out_bytes, 0, sizeof(*out_bytes));
    vrm_allocator allocator;
    vrmi_resolve_allocator(wanted, &allocator);
    HANDLE file;
    size_t size;
    vrm_result result = open_regular(path, max_size, &file, &size);
    if (result == VRM_SUCCESS) {
        result = read_all(file, size, &allocator, out_bytes);
        CloseHandle(file);
    }
    return result;
}

// Returns the real path of an open file or folder, which the caller frees; NULL on failure.
static wchar_t *final_path(HANDLE file)
{
    const DWORD size = GetFinalPathNameByHandleW(file, NULL, 0, 0);
    wchar_t *path = size != 0 ? malloc((size_t)size * sizeof(wchar_t)) : NULL;
    if (path != NULL && GetFinalPathNameByHandleW(file, path, size, 0) >= size) {
        free(path); // the file was renamed between the two calls
        return NULL;
    }
    return path;
}

// Whether the real path of an open file is inside `folder`, at any depth.
static bool lies_in(HANDLE file, const char *folder)
{
    wchar_t *wide = vrmi_platform_widen(folder);
    if (wide == NULL) {
        return false;
    }
    HANDLE opened = CreateFileW(wide, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, OPEN_EXISTING,
        FILE_FLAG_BACKUP_SEMANTICS, NULL);
    free(wide);
    if (opened == INVALID_HANDLE_VALUE) {
        return false;
    }
    wchar_t *outer = final_path(opened), *inner = final_path(file);
    CloseHandle(opened);
    size_t length = outer != NULL ? wcslen(outer) : 0;
    length -= length != 0 && outer[length - 1] == L'\\'; // the root of a drive ends with a separator
    const bool lies = outer != NULL && inner != NULL && wcsncmp(inner, outer, length) == 0 && inner[length] == L'\\';
    free(outer);
    free(inner);
    return lies;
}

static vrm_result read_within(
    const char *folder, const char *path, uint64_t max_size, const vrm_allocator *allocator, vrm_bytes *out_bytes)
{
    HANDLE file;
    size_t size;
    vrm_result result = open_regular(path, max_size, &file, &size);
    if (result == VRM_SUCCESS) {
        result = lies_in(file, folder) ? read_all(file, size, allocator, out_bytes) : VRM_ERROR_INVALID_ASSET;
        CloseHandle(file);
    }
    return result;
}

static void unmap(void *memory, size_t size, void *user)
{
    (void)size;
    (void)user;
    (void)UnmapViewOfFile(memory);
}

vrm_result vrmi_platform_map_file(const char *path, uint64_t max_size, vrm_bytes *out_bytes)
{
    memset(out_bytes, 0, sizeof(*out_bytes));
    HANDLE file;
    size_t size;
    const vrm_result result = open_regular(path, max_size, &file, &size);
    if (result != VRM_SUCCESS || size == 0) { // an empty file cannot be mapped
        if (result == VRM_SUCCESS) {
            CloseHandle(file);
        }
        return result;
    }
    HANDLE mapping = CreateFileMappingW(file, NULL, PAGE_READONLY, 0, 0, NULL);
    void *data = mapping != NULL ? MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, size) : NULL;
    if (mapping != NULL) {
        CloseHandle(mapping); // the view stays valid
    }
    CloseHandle(file);
    if (data == NULL) {
        return VRM_ERROR_READ;
    }
    *out_bytes = (vrm_bytes){data, size, {NULL, unmap, NULL}};
    return VRM_SUCCESS;
}

static vrm_result write_result(DWORD error)
{
    return error == ERROR_DISK_FULL || error == ERROR_HANDLE_DISK_FULL || error == ERROR_WRITE_FAULT ||
                   error == ERROR_IO_DEVICE || error == ERROR_DISK_QUOTA_EXCEEDED
               ? VRM_ERROR_DISK
               : VRM_ERROR_WRITE;
}

static vrm_result write_all(HANDLE file, const uint8_t *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        DWORD put = 0;
        const size_t step = size - done < LARGEST_STEP ? size - done : LARGEST_STEP;
        if (!WriteFile(file, bytes + done, (DWORD)step, &put, NULL) || put == 0) {
            return write_result(GetLastError());
        }
        done += put;
    }
    return FlushFileBuffers(file) ? VRM_SUCCESS : write_result(GetLastError());
}

static vrm_result write_and_rename(
    const wchar_t *path, const wchar_t *temporary, HANDLE file, const void *bytes, size_t size)
{
    vrm_result result = write_all(file, bytes, size);
    if (!CloseHandle(file) && result == VRM_SUCCESS) {
        result = write_result(GetLastError());
    }
    if (result == VRM_SUCCESS && !MoveFileExW(temporary, path, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH)) {
        result = write_result(GetLastError());
    }
    if (result != VRM_SUCCESS) {
        DeleteFileW(temporary);
    }
    return result;
}

vrm_result vrmi_platform_write_file(const char *path, const void *bytes, size_t size)
{
    const size_t length = strlen(path) + SUFFIX_SIZE;
    int folder_length = 0;
    for (size_t i = 0; i < length - SUFFIX_SIZE && i < LARGEST_STEP; ++i) {
        folder_length = path[i] == '/' || path[i] == '\\' || path[i] == ':' ? (int)i + 1 : folder_length;
    }
    char *name = malloc(length);
    wchar_t *wide = vrmi_platform_widen(path);
    vrm_result result = name == NULL || wide == NULL ? VRM_ERROR_OUT_OF_MEMORY : VRM_ERROR_WRITE;
    for (unsigned i = 0; name != NULL && wide != NULL && i < TEMPORARY_TRIES; ++i) {
        (void)snprintf(name, length, "%.*s.vrm-%u-%u.tmp", folder_length, path, (unsigned)GetCurrentProcessId(), i);
        wchar_t *temporary = vrmi_platform_widen(name);
        if (temporary == NULL) {
            result = VRM_ERROR_OUT_OF_MEMORY;
            break;
        }
        HANDLE file = CreateFileW(temporary, GENERIC_WRITE, 0, NULL, CREATE_NEW, FILE_ATTRIBUTE_NORMAL, NULL);
        const DWORD error = GetLastError();
        if (file != INVALID_HANDLE_VALUE) {
            result = write_and_rename(wide, temporary, file, bytes, size);
        } else {
            result = write_result(error);
        }
        free(temporary);
        if (file != INVALID_HANDLE_VALUE || error != ERROR_FILE_EXISTS) {
            break;
        }
    }
    free(wide);
    free(name);
    return result;
}

// --- threads -------------------------------------------------------------------------------------------------------

_Static_assert(sizeof(SRWLOCK) <= sizeof(vrmi_lock), "the system lock must fit in vrmi_lock");
_Static_assert(
    sizeof(CONDITION_VARIABLE) <= sizeof(vrmi_signal), "the system condition variable must fit in vrmi_signal");
_Static_assert(
    sizeof(HANDLE) <= sizeof(((vrmi_thread *)0)->handle), "the system thread handle must fit in vrmi_thread");

bool vrmi_lock_begin(vrmi_lock *lock)
{
    InitializeSRWLock((SRWLOCK *)lock);
    return true;
}

void vrmi_lock_end(vrmi_lock *lock)
{
    (void)lock;
}

void vrmi_lock_enter(vrmi_lock *lock)
{
    AcquireSRWLockExclusive((SRWLOCK *)lock);
}

void vrmi_lock_leave(vrmi_lock *lock)
{
    ReleaseSRWLockExclusive((SRWLOCK *)lock);
}

bool vrmi_signal_begin(vrmi_signal *signal)
{
    InitializeConditionVariable((CONDITION_VARIABLE *)signal);
    return true;
}

void vrmi_signal_end(vrmi_signal *signal)
{
    (void)signal;
}

void vrmi_signal_wait(vrmi_signal *signal, vrmi_lock *lock)
{
    SleepConditionVariableSRW((CONDITION_VARIABLE *)signal, (SRWLOCK *)lock, INFINITE, 0);
}

void vrmi_signal_all(vrmi_signal *signal)
{
    WakeAllConditionVariable((CONDITION_VARIABLE *)signal);
}

static DWORD WINAPI thread_main(void *user)
{
    const vrmi_thread *thread = user;
    thread->run(thread->user);
    return 0;
}

bool vrmi_thread_start(vrmi_thread *thread, void (*run)(void *user), void *user)
{
    *thread = (vrmi_thread){.run = run, .user = user};
    HANDLE handle = CreateThread(NULL, 0, thread_main, thread, 0, NULL);
    memcpy(&thread->handle, &handle, sizeof handle);
    return handle != NULL;
}

void vrmi_thread_join(vrmi_thread *thread)
{
    HANDLE handle;
    memcpy(&handle, &thread->handle, sizeof handle);
    WaitForSingleObject(handle, INFINITE);
    CloseHandle(handle);
}

uint32_t vrmi_platform_processors(void)
{
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return (uint32_t)info.dwNumberOfProcessors;
}

static bool is_separator(char c)
{
    return c == '/' || c == '\\' || c == ':';
}

#else
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#if defined(__linux__)
#include <sched.h>
#endif
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static void *default_allocate(size_t size, size_t alignment, void *user)
{
    (void)user;
    if (alignment <= 16) {
        return malloc(size);
    }
    if (size > SIZE_MAX - alignment) {
        return NULL;
    }
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void default_release(void *memory, size_t size, void *user)
{
    (void)size;
    (void)user;
    free(memory);
}

double vrmi_platform_seconds(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) {
        return 0;
    }
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

// Returns the number of bytes read, which is less than `size` only at the end of the file; -1 on error.
static int64_t read_some(int file, uint8_t *data, size_t size)
{
    size_t done = 0;
    while (done < size) {
        const size_t step = size - done < LARGEST_STEP ? size - done : LARGEST_STEP;
        const ssize_t got = read(file, data + done, step);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return -1;
        }
        if (got == 0) {
            break;
        }
        done += (size_t)got;
    }
    return (int64_t)done;
}

// Opens a file of at most max_size bytes and returns its size in `out_size`.
static vrm_result open_regular(const char *path, uint64_t max_size, int *out_file, size_t *out_size)
{
    // Non-blocking: opening a named pipe without a writer would otherwise block until the file's type can be checked.
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) {
        return errno == ENOENT || errno == ENOTDIR ? VRM_ERROR_NOT_FOUND : VRM_ERROR_READ;
    }
    struct stat status;
    vrm_result result = VRM_SUCCESS;
    // Only regular files are accepted. A pipe or device has no size, and reading it may never end.
    if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
        result = VRM_ERROR_READ;
    } else if ((uint64_t)status.st_size > max_size || (uint64_t)status.st_size >= SIZE_MAX) {
        result = VRM_ERROR_LIMIT;
    }
    if (result != VRM_SUCCESS) {
        close(file);
        return result;
    }
    *out_file = file;
    *out_size = (size_t)status.st_size;
    return VRM_SUCCESS;
}

static vrm_result read_all(int file, size_t size, const vrm_allocator *allocator, vrm_bytes *out)
{
    if (size == 0) {
        out->allocator = *allocator;
        return VRM_SUCCESS;
    }
    uint8_t *data = vrmi_allocate(allocator, size, 16);
    if (data == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    // If the file shrank during the read, this is an error. If it grew, only its first `size` bytes are read.
    if (read_some(file, data, size) != (int64_t)size) {
        vrmi_release(allocator, data, size);
        return VRM_ERROR_READ;
    }
    out->data = data;
    out->size = size;
    out->allocator = *allocator;
    return VRM_SUCCESS;
}

vrm_result vrmi_platform_read_file(
    const char *path, uint64_t max_size, const vrm_allocator *wanted, vrm_bytes *out_bytes)
{
    memset(out_bytes, 0, sizeof(*out_bytes));
    vrm_allocator allocator;
    vrmi_resolve_allocator(wanted, &allocator);
    int file;
    size_t size;
    vrm_result result = open_regular(path, max_size, &file, &size);
    if (result == VRM_SUCCESS) {
        result = read_all(file, size, &allocator, out_bytes);
        close(file);
    }
    return result;
}

// Whether a file is in a folder. Both paths must be real paths, without links.
static bool lies_in(const char *path, const char *folder)
{
    const size_t length = strlen(folder);
    const size_t shared = length - (folder[length - 1] == '/'); // the only real path that ends with a separator is "/"
    return strncmp(path, folder, shared) == 0 && path[shared] == '/';
}

static vrm_result read_within(
    const char *folder, const char *path, uint64_t max_size, const vrm_allocator *allocator, vrm_bytes *out_bytes)
{
    char *real = realpath(path, NULL), *real_folder = real != NULL ? realpath(folder, NULL) : NULL;
    vrm_result result = VRM_SUCCESS;
    if (real_folder == NULL) {
        result = errno == ENOENT || errno == ENOTDIR ? VRM_ERROR_NOT_FOUND
                 : errno == ENOMEM                   ? VRM_ERROR_OUT_OF_MEMORY
                                                     : VRM_ERROR_READ;
    } else if (!lies_in(real, real_folder)) {
        result = VRM_ERROR_INVALID_ASSET;
    } else {
        result = vrmi_platform_read_file(real, max_size, allocator, out_bytes);
    }
    free(real);
    free(real_folder);
    return result;
}

static void unmap(void *memory, size_t size, void *user)
{
    (void)user;
    (void)munmap(memory, size);
}

vrm_result vrmi_platform_map_file(const char *path, uint64_t max_size, vrm_bytes *out_bytes)
{
    memset(out_bytes, 0, sizeof(*out_bytes));
    int file;
    size_t size;
    const vrm_result result = open_regular(path, max_size, &file, &size);
    if (result != VRM_SUCCESS) {
        return result;
    }
    void *data = size != 0 ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0) : NULL; // an empty file cannot be mapped
    close(file);                                                                       // the mapping stays valid
    if (data == MAP_FAILED) {
        return VRM_ERROR_READ;
    }
    if (data != NULL) {
        *out_bytes = (vrm_bytes){data, size, {NULL, unmap, NULL}};
    }
    return VRM_SUCCESS;
}

// Errors of the storage medium are VRM_ERROR_DISK; errors of path or permission are VRM_ERROR_WRITE.
static vrm_result write_result(int error)
{
    return error == ENOSPC || error == EIO || error == EDQUOT || error == EFBIG ? VRM_ERROR_DISK : VRM_ERROR_WRITE;
}

static vrm_result write_all(int file, const uint8_t *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        const size_t step = size - done < LARGEST_STEP ? size - done : LARGEST_STEP;
        const ssize_t put = write(file, bytes + done, step);
        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put <= 0) {
            return put == 0 ? VRM_ERROR_DISK : write_result(errno);
        }
        done += (size_t)put;
    }
    // Some file systems do not support syncing (EINVAL, ENOTSUP). That is not an error.
    if (fsync(file) != 0 && errno != EINVAL && errno != ENOTSUP) {
        return write_result(errno);
    }
    return VRM_SUCCESS;
}

// Makes the renaming of a file durable by syncing its folder. Failure is not an error, since the file has already been
// written.
static void sync_folder(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash != NULL) {
        slash[slash == path] = '\0'; // the folder of "/file" is "/"
    }
    const int folder = open(slash != NULL ? path : ".", O_RDONLY | O_CLOEXEC);
    if (folder >= 0) {
        (void)fsync(folder);
        close(folder);
    }
}

// Writes a temporary name in the folder of `path`. It is not derived from the file's name, which may already be as long
// as the system allows.
static void format_temporary(const char *path, unsigned number, char *name, size_t name_size)
{
    const char *slash = strrchr(path, '/');
    const int folder_length = slash != NULL ? (int)(slash - path) + 1 : 0;
    (void)snprintf(name, name_size, "%.*s.vrm-%u-%u.tmp", folder_length, path, (unsigned)getpid(), number);
}

// Creates a new file with a temporary name in the folder of `path`, and returns that name in `name`.
static int create_temporary(const char *path, char *name, size_t name_size)
{
    for (unsigned i = 0; i < TEMPORARY_TRIES; ++i) {
        format_temporary(path, i, name, name_size);
        const int file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file >= 0 || errno != EEXIST) {
            return file;
        }
    }
    return -1;
}

// Creates a file without a name in the folder of `path`, so that no file remains if the process is killed. Returns -1
// if the file system or the operating system does not support such files.
static int create_unnamed(const char *path, char *name, size_t name_size)
{
#if defined(O_TMPFILE)
    const char *slash = strrchr(path, '/');
    const int folder_length = slash != NULL ? (int)(slash - path) + 1 : 2;
    (void)snprintf(name, name_size, "%.*s", folder_length, slash != NULL ? path : "./");
    return open(name, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
#else
    (void)path, (void)name, (void)name_size;
    return -1;
#endif
}

// Gives an unnamed file a temporary name, which can then be renamed. Returns false without /proc.
static bool name_unnamed(int file, const char *path, char *name, size_t name_size)
{
    char link[40];
    (void)snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    for (unsigned i = 0; i < TEMPORARY_TRIES; ++i) {
        format_temporary(path, i, name, name_size);
        if (linkat(AT_FDCWD, link, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0) {
            return true;
        }
        if (errno != EEXIST) {
            return false;
        }
    }
    return false;
}

typedef struct temporary {
    char *name; // buffer for one path; the file's temporary name if `named`
    size_t name_size;
    bool named;
} temporary;

// Writes contents and permissions to a temporary file beside `path`.
static vrm_result write_temporary(const char *path, mode_t mode, const void *bytes, size_t size, temporary *t)
{
    int file = t->named ? -1 : create_unnamed(path, t->name, t->name_size);
    const bool unnamed = file >= 0;
    if (!unnamed) {
        file = create_temporary(path, t->name, t->name_size);
        t->named = file >= 0;
    }
    if (file < 0) {
        return write_result(errno);
    }
    if (mode != 0) {
        (void)fchmod(file, mode & 0777);
    }
    vrm_result result = write_all(file, bytes, size);
    if (result == VRM_SUCCESS && unnamed) {
        t->named = name_unnamed(file, path, t->name, t->name_size);
    }
    if (close(file) != 0 && result == VRM_SUCCESS) {
        result = write_result(errno);
    }
    if (result == VRM_SUCCESS && !t->named) { // naming failed: write again, this time with a name
        t->named = true;
        return write_temporary(path, mode, bytes, size, t);
    }
    return result;
}

// Writes a temporary file and renames it to `path`. `mode` has the permissions of the old file, which are kept; 0 if
// there was no old file.
static vrm_result write_atomically(const char *path, mode_t mode, const void *bytes, size_t size)
{
    temporary t = {.name_size = strlen(path) + SUFFIX_SIZE};
    t.name = t.name_size < LARGEST_STEP ? malloc(t.name_size) : NULL;
    if (t.name == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    vrm_result result = write_temporary(path, mode, bytes, size, &t);
    if (result == VRM_SUCCESS && rename(t.name, path) != 0) {
        result = write_result(errno);
    }
    if (result == VRM_SUCCESS) {
        sync_folder(t.name);
    } else if (t.named) {
        (void)unlink(t.name);
    }
    free(t.name);
    return result;
}

static vrm_result write_device(const char *path, const void *bytes, size_t size)
{
    const int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) {
        return write_result(errno);
    }
    const vrm_result result = write_all(file, bytes, size);
    return close(file) != 0 && result == VRM_SUCCESS ? write_result(errno) : result;
}

vrm_result vrmi_platform_write_file(const char *path, const void *bytes, size_t size)
{
    struct stat old;
    if (stat(path, &old) != 0) {
        return write_atomically(path, 0, bytes, size);
    }
    if (!S_ISREG(old.st_mode)) {
        // Renaming a file to this path would replace a device such as /dev/null, or a pipe.
        return write_device(path, bytes, size);
    }
    // A symbolic link stays; the file that it points to is replaced.
    char *target = realpath(path, NULL);
    if (target == NULL) {
        return errno == ENOMEM ? VRM_ERROR_OUT_OF_MEMORY : VRM_ERROR_WRITE;
    }
    const vrm_result result = write_atomically(target, old.st_mode, bytes, size);
    free(target);
    return result;
}

// --- threads -------------------------------------------------------------------------------------------------------

_Static_assert(sizeof(pthread_mutex_t) <= sizeof(vrmi_lock), "the system lock must fit in vrmi_lock");
_Static_assert(sizeof(pthread_cond_t) <= sizeof(vrmi_signal), "the system condition variable must fit in vrmi_signal");
_Static_assert(
    sizeof(pthread_t) <= sizeof(((vrmi_thread *)0)->handle), "the system thread handle must fit in vrmi_thread");

bool vrmi_lock_begin(vrmi_lock *lock)
{
    return pthread_mutex_init((pthread_mutex_t *)lock, NULL) == 0;
}

void vrmi_lock_end(vrmi_lock *lock)
{
    (void)pthread_mutex_destroy((pthread_mutex_t *)lock);
}

void vrmi_lock_enter(vrmi_lock *lock)
{
    (void)pthread_mutex_lock((pthread_mutex_t *)lock);
}

void vrmi_lock_leave(vrmi_lock *lock)
{
    (void)pthread_mutex_unlock((pthread_mutex_t *)lock);
}

bool vrmi_signal_begin(vrmi_signal *signal)
{
    return pthread_cond_init((pthread_cond_t *)signal, NULL) == 0;
}

void vrmi_signal_end(vrmi_signal *signal)
{
    (void)pthread_cond_destroy((pthread_cond_t *)signal);
}

void vrmi_signal_wait(vrmi_signal *signal, vrmi_lock *lock)
{
    (void)pthread_cond_wait((pthread_cond_t *)signal, (pthread_mutex_t *)lock);
}

void vrmi_signal_all(vrmi_signal *signal)
{
    (void)pthread_cond_broadcast((pthread_cond_t *)signal);
}

static void *thread_main(void *user)
{
    const vrmi_thread *thread = user;
    thread->run(thread->user);
    return NULL;
}

bool vrmi_thread_start(vrmi_thread *thread, void (*run)(void *user), void *user)
{
    pthread_t handle;
    *thread = (vrmi_thread){.run = run, .user = user};
    const bool started = pthread_create(&handle, NULL, thread_main, thread) == 0;
    if (started) {
        memcpy(&thread->handle, &handle, sizeof handle); // the new thread does not read the handle
    }
    return started;
}

void vrmi_thread_join(vrmi_thread *thread)
{
    pthread_t handle;
    memcpy(&handle, &thread->handle, sizeof handle);
    (void)pthread_join(handle, NULL);
}

uint32_t vrmi_platform_processors(void)
{
#if defined(__linux__)
    cpu_set_t allowed; // this call fails if there are more processors than bits; then all processors are counted
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) {
        return (uint32_t)CPU_COUNT(&allowed);
    }
#endif
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (uint32_t)count : 1u;
}

static bool is_separator(char c)
{
    return c == '/';
}

#endif

void vrmi_default_allocator(vrm_allocator *out)
{
    out->allocate = default_allocate;
    out->release = default_release;
    out->user = NULL;
}

size_t vrmi_platform_folder_length(const char *path)
{
    size_t length = strlen(path);
    while (length > 0 && !is_separator(path[length - 1])) {
        --length;
    }
    return length;
}

vrm_result vrmi_platform_read_beside(
    const char *document, const char *uri, uint64_t max_size, const vrm_allocator *wanted, vrm_bytes *out_bytes)
{
    memset(out_bytes, 0, sizeof(*out_bytes));
    vrm_allocator allocator;
    vrmi_resolve_allocator(wanted, &allocator);
    const size_t length = vrmi_platform_folder_length(document), uri_size = strlen(uri) + 1;
    const size_t size = length + 2 + length + uri_size;
    char *folder = vrmi_allocate(&allocator, size, 1);
    if (folder == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    char *path = folder + length + 2;
    memcpy(folder, document, length);
    memcpy(folder + length, ".", 2); // a path without a folder is in the working directory
    memcpy(path, document, length);
    memcpy(path + length, uri, uri_size);
    const vrm_result result = read_within(folder, path, max_size, &allocator, out_bytes);
    vrmi_release(&allocator, folder, size);
    return result;
}
