// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VIEW_SPRING_PATCH_H
#define VIEW_SPRING_PATCH_H

// Writes changed parameters of spring joints, as a JSON patch (RFC 6902) for the file's JSON chunk, or as a changed
// copy of the file. Existing files are never overwritten.

#include "figure.h"

// Returns the number of joints whose parameters differ from the file's.
uint32_t spring_patch_count(const figure *f);
// Resets all joints to the file's parameters.
void spring_patch_revert(figure *f);
// Both functions set `message` to the name of the written file, or to the reason of a failure.
bool spring_patch_write(const figure *f, const char *path, char message[FIGURE_MESSAGE]);
bool spring_patch_save_as(const figure *f, const char *path, char message[FIGURE_MESSAGE]);

#endif
