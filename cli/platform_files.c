// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#if !defined(_WIN32)
#define _POSIX_C_SOURCE 200809L
#define _XOPEN_SOURCE 700 // realpath
#endif

#include "platform.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/platform.h"

#if defined(_WIN32)

#include <fcntl.h>
#include <io.h>
#include <windows.h>

int64_t cli_platform_read(int file, void *buffer, size_t size)
{
    return _read(file, buffer, size > 1u << 30 ? 1u << 30 : (unsigned)size);
}

bool cli_platform_open_stream(const char *path, int *out_file)
{
    (void)path;
    (void)out_file;
    return false;
}

void cli_platform_close(int file)
{
    _close(file);
}

cli_path_kind cli_platform_path_kind(const char *path, bool follow_links)
{
    (void)follow_links;
    wchar_t *wide = vrmi_platform_widen(path);
    const DWORD attributes = wide != NULL ? GetFileAttributesW(wide) : INVALID_FILE_ATTRIBUTES;
    free(wide);
    if (attributes == INVALID_FILE_ATTRIBUTES) {
        return CLI_PATH_MISSING;
    }
    return (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0 ? CLI_PATH_FOLDER : CLI_PATH_FILE;
}

static bool id_of(HANDLE file, bool folders, cli_file_id *out_id)
{
    BY_HANDLE_FILE_INFORMATION info;
    if (GetFileType(file) != FILE_TYPE_DISK || !GetFileInformationByHandle(file, &info) ||
        (!folders && (info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0)) {
        return false;
    }
    *out_id = (cli_file_id){info.dwVolumeSerialNumber, (uint64_t)info.nFileIndexHigh << 32 | info.nFileIndexLow};
    return true;
}

static bool path_id(const char *path, bool folders, cli_file_id *out_id)
{
    wchar_t *wide = vrmi_platform_widen(path);
    HANDLE file = wide == NULL ? INVALID_HANDLE_VALUE
                               : CreateFileW(wide, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                                     OPEN_EXISTING, folders ? FILE_FLAG_BACKUP_SEMANTICS : 0, NULL);
    free(wide);
    if (file == INVALID_HANDLE_VALUE) {
        return false;
    }
    const bool good = id_of(file, folders, out_id);
    CloseHandle(file);
    return good;
}

bool cli_platform_file_id(const char *path, cli_file_id *out_id)
{
    return strcmp(path, "-") == 0 ? id_of(GetStdHandle(STD_INPUT_HANDLE), false, out_id) : path_id(path, false, out_id);
}

bool cli_platform_real_id(const char *path, cli_file_id *out_id)
{
    return path_id(path, true, out_id);
}

// Returns true if a write may succeed. On Windows only an attempt shows that; this function can only check that the
// folder exists and that the name is not a folder.
bool cli_platform_can_write(const char *path)
{
    char folder[4096];
    size_t length = strlen(path);
    while (length > 0 && path[length - 1] != '/' && path[length - 1] != '\\' && path[length - 1] != ':') {
        --length;
    }
    if (path[0] == '\0' || length >= sizeof folder || cli_platform_path_kind(path, true) == CLI_PATH_FOLDER) {
        return false;
    }
    memcpy(folder, path, length);
    folder[length] = '\0';
    return length == 0 || cli_platform_path_kind(folder, true) == CLI_PATH_FOLDER;
}

bool cli_platform_list(const char *folder, bool (*each)(const char *name, void *user), void *user)
{
    wchar_t *wide = vrmi_platform_widen(folder);
    const size_t length = wide != NULL ? wcslen(wide) : 0;
    wchar_t *pattern = wide != NULL ? malloc((length + 3) * sizeof(*pattern)) : NULL;
    WIN32_FIND_DATAW found;
    HANDLE search = INVALID_HANDLE_VALUE;
    if (pattern != NULL) {
        memcpy(pattern, wide, length * sizeof(*pattern));
        memcpy(pattern + length, L"\\*", 3 * sizeof(*pattern));
        search = FindFirstFileW(pattern, &found);
    }
    free(pattern);
    free(wide);
    if (search == INVALID_HANDLE_VALUE) {
        return false;
    }
    bool good = true;
    do {
        if (wcscmp(found.cFileName, L".") != 0 && wcscmp(found.cFileName, L"..") != 0) {
            char *name = cli_platform_narrow(found.cFileName);
            good = name != NULL && each(name, user);
            free(name);
        }
    } while (good && FindNextFileW(search, &found));
    FindClose(search);
    return good;
}

int cli_platform_open(const char *path)
{
    wchar_t *wide = vrmi_platform_widen(path);
    const int file = wide != NULL ? _wopen(wide, _O_RDONLY | _O_BINARY | _O_NOINHERIT) : -1;
    free(wide);
    return file;
}

bool cli_platform_shorten(const char *path, uint64_t size)
{
    wchar_t *wide = vrmi_platform_widen(path);
    const int file = wide != NULL ? _wopen(wide, _O_WRONLY | _O_BINARY | _O_NOINHERIT) : -1;
    free(wide);
    const bool good = file >= 0 && _chsize_s(file, (__int64)size) == 0;
    if (file >= 0) {
        _close(file);
    }
    return good;
}

FILE *cli_platform_append(const char *path)
{
    wchar_t *wide = vrmi_platform_widen(path);
    FILE *file = wide != NULL ? _wfopen(wide, L"ab") : NULL;
    free(wide);
    return file;
}

bool cli_platform_make_folder(const char *path)
{
    wchar_t *wide = vrmi_platform_widen(path);
    const bool good = wide != NULL && (CreateDirectoryW(wide, NULL) || GetLastError() == ERROR_ALREADY_EXISTS);
    free(wide);
    return good;
}

bool cli_platform_wait(int file, int milliseconds)
{
    return WaitForSingleObject((HANDLE)_get_osfhandle(file), (DWORD)milliseconds) == WAIT_OBJECT_0;
}

char *cli_platform_whole_path(const char *path)
{
    wchar_t *wide = cli_platform_path_kind(path, true) != CLI_PATH_MISSING ? vrmi_platform_widen(path) : NULL;
    const DWORD size = wide != NULL ? GetFullPathNameW(wide, 0, NULL, NULL) : 0;
    wchar_t *whole = size != 0 ? malloc(size * sizeof(*whole)) : NULL;
    char *text = whole != NULL && GetFullPathNameW(wide, size, whole, NULL) < size ? cli_platform_narrow(whole) : NULL;
    free(whole);
    free(wide);
    return text;
}

#else

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

int64_t cli_platform_read(int file, void *buffer, size_t size)
{
    for (;;) {
        // A signal that another thread receives does not interrupt the read() of this thread.
        while (!cli_platform_wait(file, 100)) {
            if (cli_platform_stop() != CLI_STOP_NONE) {
                return -2;
            }
        }
        const ssize_t got = read(file, buffer, size);
        if (got >= 0) {
            return got;
        }
        if (errno != EINTR) {
            return -1;
        }
        if (cli_platform_stop() != CLI_STOP_NONE) {
            return -2;
        }
    }
}

bool cli_platform_open_stream(const char *path, int *out_file)
{
    struct stat info;
    if (stat(path, &info) != 0 || !(S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode))) {
        return false;
    }
    *out_file = open(path, O_RDONLY | O_CLOEXEC);
    return *out_file >= 0;
}

void cli_platform_close(int file)
{
    close(file);
}

cli_path_kind cli_platform_path_kind(const char *path, bool follow_links)
{
    struct stat info;
    if ((follow_links ? stat(path, &info) : lstat(path, &info)) != 0) {
        return CLI_PATH_MISSING;
    }
    return S_ISREG(info.st_mode) ? CLI_PATH_FILE : S_ISDIR(info.st_mode) ? CLI_PATH_FOLDER : CLI_PATH_OTHER;
}

bool cli_platform_file_id(const char *path, cli_file_id *out_id)
{
    struct stat info;
    if ((strcmp(path, "-") == 0 ? fstat(0, &info) : stat(path, &info)) != 0 || !S_ISREG(info.st_mode)) {
        return false;
    }
    *out_id = (cli_file_id){(uint64_t)info.st_dev, (uint64_t)info.st_ino};
    return true;
}

bool cli_platform_real_id(const char *path, cli_file_id *out_id)
{
    struct stat info;
    if (stat(path, &info) != 0) {
        return false;
    }
    *out_id = (cli_file_id){(uint64_t)info.st_dev, (uint64_t)info.st_ino};
    return true;
}

bool cli_platform_can_write(const char *path)
{
    const cli_path_kind kind = cli_platform_path_kind(path, true);
    if (kind == CLI_PATH_FOLDER || kind == CLI_PATH_OTHER || path[0] == '\0') {
        return kind == CLI_PATH_OTHER && access(path, W_OK) == 0;
    }
    // Links are resolved first, so that the file itself is replaced, not the link.
    char *target = kind == CLI_PATH_FILE ? realpath(path, NULL) : strdup(path);
    char *slash = target != NULL ? strrchr(target, '/') : NULL;
    if (slash != NULL) {
        slash[1] = '\0';
    }
    const bool good = target == NULL || access(slash != NULL ? target : ".", W_OK | X_OK) == 0;
    free(target);
    return good;
}

bool cli_platform_list(const char *folder, bool (*each)(const char *name, void *user), void *user)
{
    DIR *directory = opendir(folder);
    if (directory == NULL) {
        return false;
    }
    bool good = true;
    const struct dirent *entry;
    while (good && (entry = readdir(directory)) != NULL) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            good = each(entry->d_name, user);
        }
    }
    closedir(directory);
    return good;
}

int cli_platform_open(const char *path)
{
    return open(path, O_RDONLY | O_CLOEXEC);
}

bool cli_platform_shorten(const char *path, uint64_t size)
{
    return truncate(path, (off_t)size) == 0;
}

FILE *cli_platform_append(const char *path)
{
    return fopen(path, "ab");
}

bool cli_platform_make_folder(const char *path)
{
    return mkdir(path, 0777) == 0 || cli_platform_path_kind(path, true) == CLI_PATH_FOLDER;
}

bool cli_platform_wait(int file, int milliseconds)
{
    struct pollfd input = {.fd = file, .events = POLLIN};
    return poll(&input, 1, milliseconds) > 0;
}

char *cli_platform_whole_path(const char *path)
{
    return realpath(path, NULL);
}

#endif
