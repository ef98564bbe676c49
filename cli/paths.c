// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "cli.h"

#include <string.h>

#include "base/platform.h"

const char *cli_file_name(const char *path)
{
    return path + vrmi_platform_folder_length(path);
}

bool cli_has_suffix(const char *path, const char *suffix, bool any_case)
{
    const size_t length = strlen(path), size = strlen(suffix);
    for (size_t i = 0; i < size && length > size; ++i) {
        const char c = path[length - size + i];
        if ((any_case && c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != suffix[i]) {
            return false;
        }
    }
    return length > size;
}
