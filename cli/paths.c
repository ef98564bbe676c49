// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "cli.h"

#include <string.h>

const char *cli_file_name(const char *path)
{
    const char *name = path + strlen(path);
    while (name > path && name[-1] != '/'
#if defined(_WIN32)
           && name[-1] != '\\'
#endif
    ) {
        --name;
    }
    return name;
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
