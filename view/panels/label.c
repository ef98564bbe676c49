// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "view.h"

const char *panel_name(char *buffer, size_t size, vrm_string name, const char *missing)
{
    if (name.length == 0) {
        return vrmi_format(buffer, size, "%s", missing);
    }
    vrmi_format(buffer, size, "%.*s", (int)name.length, name.data);
    for (char *c = buffer; *c != '\0'; ++c) {
        *c = (unsigned char)*c < 0x20 || *c == 0x7f ? ' ' : *c;
    }
    return buffer;
}
