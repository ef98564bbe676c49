// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef TESTS_SHARED_PATH_H
#define TESTS_SHARED_PATH_H

// Files that are not in the repository: "../shared", or the folder that VRM_SHARED names.

#include <stdio.h>
#include <stdlib.h>

#include "test.h"

static inline const char *shared_folder(void)
{
    const char *folder = getenv("VRM_SHARED");
    return folder != NULL ? folder : "../shared";
}

// The folder and `path` in it; returns `out`.
static inline const char *shared_path(const char *path, char *out, size_t size)
{
    CHECK(snprintf(out, size, "%s/%s", shared_folder(), path) < (int)size);
    return out;
}

#endif
