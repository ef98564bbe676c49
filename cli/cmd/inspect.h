// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef CLI_INSPECT_H
#define CLI_INSPECT_H

// The data that `vrm inspect` collects from one file (cmd_inspect.c), and its two forms of output.

#include "cli.h"

typedef struct inspect_require {
    bool wanted[VRM_USE_COUNT];
    vrm_user who;
} inspect_require;

// Everything that could be read from one file. A file with errors still has a peek; if the peek failed too, there are
// only findings.
typedef struct inspection {
    const char *path;
    int code; // exit code of this file
    vrm_result result;
    uint64_t size;
    cli_model model; // gltf and avatar may be NULL
    vrm_peek *peek;
    vrm_peek_info info; // zero if there is no peek
    bool has_meta;
    vrm_meta meta;
    vrm_avatar_counts counts; // counts of the avatar, if it was loaded
    vrm_avatar_body body;
    vrm_box box; // box of the rest pose; empty without an avatar
    const inspect_require *require;
} inspection;

void inspect_text(vrmi_text *out, const inspection *file, const vrm_report *report, bool color);
// Writes the members of one file's JSON object.
void inspect_json(cli_json *json, const inspection *file, const vrm_report *report);

// Functions of both outputs: words, and properties of a file (inspect_words.c).
bool inspect_is_required(const inspect_require *require);
bool inspect_is_granted(vrm_permission permission);
// Returns the index of a texture's image, or -1.
int32_t inspect_texture_image(const vrm_gltf *gltf, uint32_t texture);
// Returns the bytes of the decoded image with mipmaps; 0 if its size is unknown.
uint64_t inspect_image_memory(const vrm_gltf_image *image);
// Returns the number of simulated spring joints. Files of VRM 0.x and of the first drafts name only the roots of their
// springs.
uint32_t inspect_spring_joints(const inspection *file);
const char *inspect_permission_word(vrm_permission permission);
const char *inspect_user_word(vrm_user who);
const char *inspect_override_word(vrm_expression_override override);
const char *inspect_collider_word(vrm_collider_shape shape);
const char *inspect_constraint_word(vrm_constraint_type type);
const char *inspect_material_word(vrm_material_type type);
const char *inspect_texture_word(vrm_texture_slot slot);

#endif
