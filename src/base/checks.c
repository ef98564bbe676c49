// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "base/checks.h"

// The library's only mutable global. It is set before any other call and read only when a check fails.
static vrm_assert_hook *assert_hook;

uint32_t vrm_version(void)
{
    return VRM_VERSION_MAJOR * 1000000u + VRM_VERSION_MINOR * 1000u + VRM_VERSION_PATCH;
}

void vrm_set_assert_hook(vrm_assert_hook *hook)
{
    assert_hook = hook;
}

void vrm_assert_failed(const char *expression, const char *file, int line)
{
    if (assert_hook != NULL) {
        assert_hook(expression, file, line);
    }
}
