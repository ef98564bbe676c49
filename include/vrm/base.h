// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_BASE_H
#define VRM_BASE_H

/// @file base.h
/// Included by every other header: export macros, version, allocator, assertion hook, strings.
///
/// Conventions of the whole library: metres, seconds, radians, kilograms; right-handed axes with +Y up; avatars face
/// +Z; quaternions are unit and stored as xyzw; matrices are column-major, except vrm_mat34; colours are linear. No
/// call keeps a pointer to a def, the struct of its options, after it has returned.
///
/// Programs and libraries of different versions work together. Every def and params struct begins with `struct_size`,
/// which its `_default` macro sets to the size of the struct in the program's headers. Members that an older program's
/// struct lacks take their defaults. Members of a newer program's struct that this library does not know are not read.
/// Every struct that a call fills also begins with `struct_size`, which the caller sets: `vrm_outputs out =
/// {.struct_size = sizeof out};`. The call writes no more bytes than that and sets members that this library does not
/// know to 0. A size is refused if it is 0, smaller than the first version of the struct, not a multiple of 4, or above
/// 65,536. Plain values and elements of arrays have no `struct_size` and never grow.
///
/// Numbers of enumerators never change and are never reused. `_COUNT` at the end of an enum counts the enumerators in
/// these headers; a newer library may return numbers at or above it. See docs/abi.md.

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

/// Major version of these headers. vrm_version() returns the version of the linked library.
#define VRM_VERSION_MAJOR 0
/// Minor version of these headers.
#define VRM_VERSION_MINOR 1
/// Patch version of these headers.
#define VRM_VERSION_PATCH 0
/// Version of these headers as text.
#define VRM_VERSION_STRING "0.1.0"

/// Returns the version of the linked library as major * 1000000 + minor * 1000 + patch.
VRM_API uint32_t vrm_version(void);

/// Functions that allocate and free memory. Every object keeps the allocator with which it was created, and is freed
/// with it. All members zero: malloc and free of the C library. In libvrm-runtime there is no such default: an
/// allocator must be given.
typedef struct vrm_allocator {
    /// Returns `size` bytes (never 0) aligned to `alignment` (a power of two, at most 64), or NULL if memory runs out.
    void *(*allocate)(size_t size, size_t alignment, void *user);
    /// Frees memory that `allocate` returned for the same `size`. Never called with NULL.
    void (*release)(void *memory, size_t size, void *user);
    /// Passed to both functions unchanged.
    void *user;
} vrm_allocator;

/// A view of UTF-8 text that is not zero-terminated. Valid as long as the object from which it was read.
typedef struct vrm_string {
    const char *data; ///< May be NULL when `length` is 0.
    uint32_t length;  ///< Length in bytes.
} vrm_string;

/// Working memory that the caller lends to a call, aligned to 64 bytes. The library does not use it after the call.
/// `memory` NULL: no working memory.
typedef struct vrm_scratch {
    void *memory; ///< The first byte.
    size_t size;  ///< Size in bytes.
} vrm_scratch;

/// Called if VRM_ASSERT finds a bug of the caller, with the text of the failed expression and its place in the source.
/// If the hook returns, the failed call continues safely: it does nothing or clamps the value. NULL, the default: no
/// hook.
typedef void vrm_assert_hook(const char *expression, const char *file, int line);

/// Sets the process-wide assertion hook, the only global state of the library. Call it before any other function.
VRM_API void vrm_set_assert_hook(vrm_assert_hook *hook);
/// Calls the assertion hook, if one is set. For libraries built on this one, such as libvrm-render, that check their
/// callers in the same way.
VRM_API void vrm_assert_failed(const char *expression, const char *file, int line);

#endif
