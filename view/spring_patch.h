// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VIEW_SPRING_PATCH_H
#define VIEW_SPRING_PATCH_H

// What was changed on the joints of springs, written down: as a JSON patch (RFC 6902) for the file's JSON chunk, or as
// a changed copy of the file. Files that are there are never written over, the original least of all.

#include "figure.h"

// Joints whose parameters differ from the file's.
uint32_t spring_patch_count(const figure *f);
// All joints as the file has them again.
void spring_patch_revert(figure *f);
// Both say in `message` what they wrote or why not.
bool spring_patch_write(const figure *f, const char *path, char message[FIGURE_MESSAGE]);
bool spring_patch_save_as(const figure *f, const char *path, char message[FIGURE_MESSAGE]);

#endif
