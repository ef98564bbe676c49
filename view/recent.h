// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VIEW_RECENT_H
#define VIEW_RECENT_H

// Files that were opened last, newest first, kept in $XDG_STATE_HOME/vrm/recent (or ~/.local/state), a path per line.

enum { RECENT_FILES = 12, RECENT_PATH = 1024 };

typedef struct recent {
    char store[RECENT_PATH]; // "" where there is no place to keep them
    char paths[RECENT_FILES][RECENT_PATH];
    int count;
} recent;

void recent_read(recent *r);
// Puts an absolute form of the path first and writes the list; that it cannot be written is no reason to complain.
void recent_add(recent *r, const char *path);

#endif
