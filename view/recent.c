// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "recent.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "platform.h"

#include <vrm/gltf.h>

// Creates the folders of the path. Returns false if there is no home folder.
static bool find_store(char store[RECENT_PATH])
{
    char folder[RECENT_PATH - 16];
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    if (state != NULL && state[0] == '/') {
        vrmi_format(folder, sizeof folder, "%s/vrm", state);
    } else if (home != NULL && home[0] == '/') {
        vrmi_format(folder, sizeof folder, "%s/.local/state/vrm", home);
    } else {
        return false;
    }
    for (char *slash = strchr(folder + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)cli_platform_make_folder(folder);
        *slash = '/';
    }
    vrmi_format(store, RECENT_PATH, "%s/recent", folder);
    return cli_platform_make_folder(folder);
}

static void add_line(recent *r, const char *line, size_t length)
{
    if (length != 0 && length < RECENT_PATH && r->count < RECENT_FILES) {
        memcpy(r->paths[r->count], line, length);
        r->paths[r->count++][length] = '\0';
    }
}

void recent_read(recent *r)
{
    vrm_bytes bytes = {0};
    memset(r, 0, sizeof *r);
    if (!find_store(r->store)) {
        r->store[0] = '\0';
        return;
    }
    if (vrm_read_file(r->store, 1 << 20, NULL, &bytes) != VRM_SUCCESS) {
        return;
    }
    const char *text = bytes.data, *end = text + bytes.size;
    while (text < end) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        stop = stop != NULL ? stop : end;
        add_line(r, text, (size_t)(stop - text));
        text = stop + 1;
    }
    vrm_bytes_free(&bytes);
}

void recent_add(recent *r, const char *path)
{
    char *whole = cli_platform_whole_path(path);
    if (whole == NULL || strlen(whole) >= RECENT_PATH || strchr(whole, '\n') != NULL) {
        free(whole);
        return;
    }
    int at = 0;
    while (at < r->count && strcmp(r->paths[at], whole) != 0) {
        ++at;
    }
    if (at == r->count) {
        at = r->count < RECENT_FILES ? r->count++ : RECENT_FILES - 1;
    }
    memmove(r->paths[1], r->paths[0], (size_t)at * RECENT_PATH);
    memcpy(r->paths[0], whole, strlen(whole) + 1);
    free(whole);
    vrmi_text text;
    vrmi_text_init(&text, NULL);
    for (int i = 0; i < r->count; ++i) {
        vrmi_text_format(&text, "%s\n", r->paths[i]);
    }
    if (!text.failed && r->store[0] != '\0') {
        (void)vrm_write_file(r->store, text.data, text.size);
    }
    vrmi_text_free(&text);
}
