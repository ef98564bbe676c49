// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_BASE_COOKED_MAGIC_H
#define VRMI_BASE_COOKED_MAGIC_H

// The first bytes of a cooked avatar. They let the glTF reader recognise a cooked file, instead of reporting malformed
// glTF.

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
