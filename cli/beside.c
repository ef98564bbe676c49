// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "cli.h"

#include <string.h>

#include "base/platform.h"

vrm_result cli_read_beside(const vrm_read_request *request, vrm_bytes *out_bytes, void *user)
{
    const cli_beside *where = user;
    if (strcmp(where->path, "-") == 0) {
        return VRM_ERROR_NOT_FOUND;
    }
    vrmi_text path;
    vrmi_text_init(&path, &request->allocator);
    vrmi_text_add(&path, where->path, (size_t)(cli_file_name(where->path) - where->path));
    vrmi_text_add_string(&path, request->uri);
    const vrm_result result =
        path.failed || (where->job != NULL && !cli_note_input(where->job, path.data))
            ? VRM_ERROR_OUT_OF_MEMORY
            : vrmi_platform_read_beside(where->path, request->uri, request->max_size, &request->allocator, out_bytes);
    vrmi_text_free(&path);
    return result;
}
