// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_VALIDATE_REPAIR_PART_H
#define VRMI_VALIDATE_REPAIR_PART_H

// Edits of the file that do what loading does with an invalid part of VRM's extensions, materials and textures.

#include <vrm/avatar.h>
#include <vrm/gltf.h>

enum { VRMI_REPAIR_PATH = 1100 }; // longer than the paths of findings

typedef enum vrmi_part_cure {
    VRMI_PART_KEPT,              // no repair: it would be a guess, or loading keeps the value, too
    VRMI_PART_LEFT_OUT,          // the part is removed
    VRMI_PART_LEFT_OUT_NUMBERED, // the same, and indices that refer to elements after it are decremented
    VRMI_PART_SET,               // the part becomes `text`
    VRMI_PART_SET_WHERE_ABSENT,  // the same, for a required member that is missing
    VRMI_PART_CLAMPED,           // the number is clamped to the range that the finding expected
    VRMI_PART_SHORTENED,         // the array keeps as many elements as `text` states
    VRMI_PART_UNQUOTED,          // `text` without its quotation marks
    VRMI_PART_ONE_OF,            // the object keeps the first of the members in `text`; it is removed without any
    VRMI_PART_STILL,             // the morph target, or an attribute of it, moves nothing
    VRMI_PART_SPRING             // the spring is replaced by the springs that loading makes of it
} vrmi_part_cure;

typedef struct vrmi_part_repair {
    vrmi_part_cure cure;
    size_t length; // length of the path to the part, within the finding's path
    const char *text;
} vrmi_part_repair;

vrmi_part_repair vrmi_find_part_repair(const vrm_finding *finding);
// Makes the edits for the findings of a report, and adds their number to `count`.
vrm_result vrmi_repair_parts(vrm_gltf *gltf, const vrm_report *report, uint32_t *count);
// The number at a pointer; false if there is none.
bool vrmi_repair_number_at(const vrm_gltf *gltf, const char *path, double *out);

// Edits of more than one value. All return NOT_FOUND when there is nothing to do.

// Removes an element of an array of VRMC_springBone (or of 0.x' secondaryAnimation), and renumbers references to it.
vrm_result vrmi_repair_numbered(vrm_gltf *gltf, const char *path);
// Rewrites springs of VRMC_springBone as `avatar` has them, which was loaded from the document in its present state.
vrm_result vrmi_repair_spring(vrm_gltf *gltf, const vrm_avatar *avatar, uint32_t spring);

#endif
