// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_BASE_COOKED_MAGIC_H
#define VRMI_BASE_COOKED_MAGIC_H

// How a cooked avatar begins. Known here, because readers of glTF say what such a file is instead of what it is not.

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define VRMI_COOKED_MAGIC "VRMCOOK\n"
enum { VRMI_COOKED_MAGIC_SIZE = 8 };

static inline bool vrmi_is_cooked(const void *bytes, size_t size)
{
    return size >= VRMI_COOKED_MAGIC_SIZE && memcmp(bytes, VRMI_COOKED_MAGIC, VRMI_COOKED_MAGIC_SIZE) == 0;
}

#endif
