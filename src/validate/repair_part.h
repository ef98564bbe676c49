// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_VALIDATE_REPAIR_PART_H
#define VRMI_VALIDATE_REPAIR_PART_H

// Edits that make the same changes to invalid values in a file as loading makes in memory.

#include <vrm/avatar.h>
#include <vrm/gltf.h>

enum { VRMI_REPAIR_PATH = 1100 }; // longer than the paths of findings

typedef enum vrmi_part_cure {
    VRMI_PART_KEPT,              // no repair: loading also keeps the value, or the repair would be a guess
    VRMI_PART_LEFT_OUT,          // the value is removed
    VRMI_PART_LEFT_OUT_NUMBERED, // the list element is removed, and indices of later elements are decremented
    VRMI_PART_SET,               // the value becomes `text`
    VRMI_PART_SET_WHERE_ABSENT,  // a required member that is missing becomes `text`
    VRMI_PART_CLAMPED,           // the number is clamped to the expected range
    VRMI_PART_SHORTENED,         // the array is cut to the length in `text`
    VRMI_PART_UNQUOTED,          // the value becomes `text` without its quotation marks
    VRMI_PART_ONE_OF,            // the object keeps the first member of those in `text`, or is removed if it has none
    VRMI_PART_STILL,             // the morph target, or one of its attributes, becomes zero
    VRMI_PART_SPRING             // the spring is replaced by those that loading makes of it
} vrmi_part_cure;

typedef struct vrmi_part_repair {
    vrmi_part_cure cure;
    size_t length; // length of the path to repair, a prefix of the finding's path
    const char *text;
} vrmi_part_repair;

vrmi_part_repair vrmi_find_part_repair(const vrm_finding *finding);
// Makes the edits for the findings of a report, and adds the number of edits to `count`.
vrm_result vrmi_repair_parts(vrm_gltf *gltf, const vrm_report *report, uint32_t *count);
// Reads the number at a JSON pointer. Returns false if there is none.
bool vrmi_repair_number_at(const vrm_gltf *gltf, const char *path, double *out);

// The following edits change more than one value. They return NOT_FOUND if there is nothing to change.

// Removes an element of an array in VRMC_springBone or in secondaryAnimation of 0.x, and renumbers the references to
// later elements.
vrm_result vrmi_repair_numbered(vrm_gltf *gltf, const char *path);
// Replaces a spring of VRMC_springBone by the springs that `avatar` has instead. The avatar must have been loaded from
// the document in its current state.
vrm_result vrmi_repair_spring(vrm_gltf *gltf, const vrm_avatar *avatar, uint32_t spring);

#endif
