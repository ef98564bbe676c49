// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_BASE_H
#define VRM_BASE_H

/// @file base.h
/// The basis of every other header: export macros, version, allocator, assertion hook, strings.
///
/// Conventions of the whole library: metres, seconds, radians, kilograms; right-handed, +Y up, avatars face +Z;
/// quaternions xyzw and unit; matrices column-major; colours linear. No call keeps a def after it has returned.
///
/// Programs and libraries of different versions work together. Every def and params struct begins with `struct_size`,
/// which its `_default` macro fills with the size in the program's headers. Members that an older program does not have
/// take their defaults, and members of a newer program that this library does not know are not read. Every struct that
/// a call fills begins with `struct_size`, too, which the caller sets (`vrm_outputs out = {.struct_size = sizeof
/// out};`); no more is written, and members that this library does not know become 0. A size of 0, less than the first
/// version had, no multiple of 4 or more than 65,536 is refused. Plain values and elements of arrays have no size and
/// never grow.
///
/// Numbers of enumerators never change, and none is used twice. `_COUNT` at the end of an enum belongs to these
/// headers: a newer library may return numbers that are not below it. See docs/abi.md.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32) && defined(VRM_SHARED)
#if defined(VRM_BUILD)
#define VRM_EXPORT __declspec(dllexport)
#else
#define VRM_EXPORT __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define VRM_EXPORT __attribute__((visibility("default")))
#else
#define VRM_EXPORT
#endif

#ifdef __cplusplus
#define VRM_API extern "C" VRM_EXPORT
#else
#define VRM_API VRM_EXPORT
#endif

/// The version of these headers; vrm_version() gives that of the linked library.
#define VRM_VERSION_MAJOR 0
/// Second part of the version.
#define VRM_VERSION_MINOR 1
/// Third part of the version.
#define VRM_VERSION_PATCH 0
/// The version as text.
#define VRM_VERSION_STRING "0.1.0"

/// Version of the linked library as major * 1000000 + minor * 1000 + patch.
VRM_API uint32_t vrm_version(void);

/// The source of memory. Every object keeps the allocator with which it was created, and is freed with it. All zero
/// means the C library's malloc and free (not available in libvrm-runtime, see there).
typedef struct vrm_allocator {
    /// Returns `size` bytes (never 0) aligned to `alignment` (a power of two, at most 64), or NULL when there is no
    /// memory.
    void *(*allocate)(size_t size, size_t alignment, void *user);
    /// Frees memory from `allocate`, with the same size. Never called with NULL.
    void (*release)(void *memory, size_t size, void *user);
    /// Handed to both, untouched.
    void *user;
} vrm_allocator;

/// A view of UTF-8 text, not terminated. Lives as long as the object that it was read from.
typedef struct vrm_string {
    const char *data; ///< May be NULL when `length` is 0.
    uint32_t length;  ///< Bytes.
} vrm_string;

/// Working memory that the caller lends to a call, aligned to 64. Nothing in it is used after the call. `memory` NULL:
/// none.
typedef struct vrm_scratch {
    void *memory; ///< The first byte.
    size_t size;  ///< Bytes.
} vrm_scratch;

/// Called when a caller's bug is found (VRM_ASSERT): the expression's text and its place. If it returns, the call
/// that asserted goes on safely (it does nothing or clamps). NULL, the default: no hook.
typedef void vrm_assert_hook(const char *expression, const char *file, int line);

/// Sets the process-wide assertion hook, the only global of the library. Call it before any other function.
VRM_API void vrm_set_assert_hook(vrm_assert_hook *hook);
/// Calls the hook, if there is one. For libraries built on this one that check their callers in the same way, like
/// libvrm-render.
VRM_API void vrm_assert_failed(const char *expression, const char *file, int line);

#endif
