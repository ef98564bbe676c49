// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_VALIDATE_REPAIR_PART_H
#define VRMI_VALIDATE_REPAIR_PART_H

// What loading makes of a wrong part of VRM's extensions, materials and textures, as an edit of the file.

#include <vrm/avatar.h>
#include <vrm/gltf.h>

enum { VRMI_REPAIR_PATH = 1100 }; // longer than the paths of findings

typedef enum vrmi_part_cure {
    VRMI_PART_KEPT,              // no repair: it would have to be guessed, or loading keeps it, too
    VRMI_PART_LEFT_OUT,          // the part is removed
    VRMI_PART_LEFT_OUT_NUMBERED, // the same, and what refers to it by number is renumbered
    VRMI_PART_SET,               // the part becomes `text`
    VRMI_PART_SET_WHERE_ABSENT,  // the same, of a required member that is not there
    VRMI_PART_CLAMPED,           // the number goes to the nearer end of the range that the finding expected
    VRMI_PART_SHORTENED,         // the array keeps as many elements as `text` says
    VRMI_PART_ONE_OF,            // the object keeps the first of the members that `text` names; left out without any
    VRMI_PART_STILL,             // the morph target, or an attribute of it, moves nothing
    VRMI_PART_SPRING             // the spring becomes the springs that loading makes of it
} vrmi_part_cure;

typedef struct vrmi_part_repair {
    vrmi_part_cure cure;
    size_t length; // of the finding's path that leads to the part
    const char *text;
} vrmi_part_repair;

vrmi_part_repair vrmi_find_part_repair(const vrm_finding *finding);
// Makes the edits that the findings of a report ask for, and adds their number to `count`.
vrm_result vrmi_repair_parts(vrm_gltf *gltf, const vrm_report *report, uint32_t *count);
// The number at a pointer; false if there is none.
bool vrmi_repair_number_at(const vrm_gltf *gltf, const char *path, double *out);

// The edits that are more than one value. All return NOT_FOUND when there is nothing to be done.

// Removes an element of an array of VRMC_springBone (or of 0.x' secondaryAnimation), and renumbers what refers to it.
vrm_result vrmi_repair_numbered(vrm_gltf *gltf, const char *path);
// Rewrites the springs of VRMC_springBone whose indices are given as `avatar`, which was loaded from the document as it
// is, has them.
vrm_result vrmi_repair_spring(vrm_gltf *gltf, const vrm_avatar *avatar, uint32_t spring);

#endif
