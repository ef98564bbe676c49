// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VIEW_RECENT_H
#define VIEW_RECENT_H

// Recently opened files, newest first. They are kept in $XDG_STATE_HOME/vrm/recent (or ~/.local/state), one path per
// line.

enum { RECENT_FILES = 12, RECENT_PATH = 1024 };

typedef struct recent {
    char store[RECENT_PATH]; // path of that file; "" if it cannot be written
    char paths[RECENT_FILES][RECENT_PATH];
    int count;
} recent;

void recent_read(recent *r);
// Puts the absolute path first in the list and writes the list. A failure to write is ignored.
void recent_add(recent *r, const char *path);

#endif
