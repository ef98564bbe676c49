// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_VALIDATE_H
#define VRM_VALIDATE_H

/// @file validate.h
/// Finds all violations of the specifications in a file: those that loading and importing find, and those that a
/// specification forbids although readers accept them. Findings that Khronos' glTF validator knows have its codes. The
/// table of rules and codes is docs/validation.md.

#include <vrm/avatar.h>

/// Options of a validation.
typedef struct vrm_validate_params {
    uint32_t struct_size;
    vrm_allocator allocator;
    vrm_limits limits;
    vrm_read_fn *read; ///< NULL (default): files beside the document count as missing.
    void *read_user;
    vrm_progress_fn *progress; ///< NULL: no progress reports.
    void *progress_user;
    /// The version of VRM to check if the file contains both 0.x and 1.0. Default VRM_PREFER_1_0.
    vrm_prefer prefer;
    /// Unit of outputScale of a bone gaze in files from before the final 1.0. Default VRM_LOOK_AT_UNIT_AUTO.
    vrm_look_at_unit look_at_unit;
    /// [severity_count] A vrm_severity for each finding, indexed by the finding's number; VRM_SEVERITY_OFF suppresses the
    /// finding. Findings beyond the array, and all findings if it is NULL (default), have the severities of
    /// vrm_validate_get_severities(). Read only during the call.
    const uint8_t *severities;
    uint32_t severity_count; ///< Number of `severities`; default 0.
} vrm_validate_params;

/// Fills `def` with the defaults.
VRM_API void vrm_validate_params_default(vrm_validate_params *def, size_t size);
#define vrm_validate_params_default(def) vrm_validate_params_default(def, sizeof *(def))
/// Gives the severities that follow from the specifications, which the caller can then change. A violation that a
/// reader can understand in only one way is a warning when loading (vrm_finding_get_info()) and an error when
/// validating. Writes `count` entries, by the findings' numbers; VRM_SEVERITY_OFF for numbers that no finding has.
VRM_API void vrm_validate_get_severities(uint8_t *out_severities, uint32_t count);

/// A file that is part of a document: a buffer or an image.
typedef struct vrm_validate_resource {
    char pointer[32];       ///< "/images/3"
    const char *storage;    ///< "glb", "data-uri", "buffer-view" or "external". Static.
    const char *mime_type;  ///< Images: type by content; buffers: "application/gltf-buffer"; "" if unknown. Static.
    vrm_string uri;         ///< URI of an external resource, else empty.
    uint64_t byte_length;   ///< Number of bytes; 0 if the resource was not found.
    uint32_t width, height; ///< Pixels of an image; 0 if unknown.
} vrm_validate_resource;

/// Facts about a file, named as in the reports of Khronos' glTF validator. Strings and arrays are valid as long as the
/// validation.
typedef struct vrm_validate_info {
    uint32_t struct_size;                       ///< Set by the caller: sizeof(vrm_validate_info).
    const char *mime_type;                      ///< "model/gltf-binary", "model/gltf+json", or "" for any other file.
    bool is_gltf;                               ///< True: the file is a glTF, and the members below are filled.
    vrm_string version, min_version, generator; ///< Members of `asset`; may be empty.
    const vrm_string *extensions_used;          ///< [extensions_used_count]
    uint32_t extensions_used_count;             ///< Number of `extensions_used`.
    const vrm_string *extensions_required;      ///< [extensions_required_count]
    uint32_t extensions_required_count;         ///< Number of `extensions_required`.
    const vrm_validate_resource *resources;     ///< [resource_count]
    uint32_t resource_count;                    ///< Number of `resources`.
    uint32_t animation_count;                   ///< Number of animations.
    uint32_t material_count;                    ///< Number of materials.
    bool has_morph_targets, has_skins, has_textures, has_default_scene; ///< Whether the file has any of each.
    uint32_t draw_call_count; ///< Number of primitives, counted once for each node that uses them.
    /// Vertices and triangles, counted once for each node that uses them.
    uint64_t total_vertex_count, total_triangle_count;
    uint32_t max_uvs, max_influences, max_attributes; ///< Largest numbers in one primitive.
    const char *dialect; ///< "0.x", "1.0", "1.0-beta", "1.0-draft", "animation", or "" without VRM. Static.
} vrm_validate_info;

/// The result of a validation: facts about the file.
typedef struct vrm_validation vrm_validation;

/// Checks the bytes of a .vrm, .vrma, .glb or .gltf file completely and adds the findings to the report. `def` may be
/// NULL for the defaults. `out_validation` may be NULL, too; otherwise destroy the validation afterwards. It is NULL
/// after all errors except NOT_GLTF. SUCCESS means that the check was completed, not that the file has no errors: count
/// the errors in the report. Errors: INVALID_ARGUMENT, OUT_OF_MEMORY, CANCELLED, LIMIT, NOT_GLTF (the report has the
/// reason).
VRM_API vrm_result vrm_validate(const vrm_validate_params *def, const void *bytes, size_t size, vrm_report *report,
    vrm_validation **out_validation);
/// Gives the facts about the file.
VRM_API void vrm_validation_get_info(const vrm_validation *validation, vrm_validate_info *out_info);
/// Repairs the findings of a vrm_validate() report that have only one possible repair, in the file's own dialect. The
/// report must come from the same bytes. The function repairs bounds of accessors, names in extensionsUsed, empty lists
/// that need not be there, a matrix beside translation, rotation and scale, lengths of rotations and plane normals,
/// ranges of look-at, types of first-person annotations, mimeType of images, invalid skeletons, and everything that
/// loading repairs in the avatar (docs/validation.md).
///
/// Save the document afterwards and validate the saved bytes: a repair may reveal another finding, so that a second
/// report may have more to repair. `out_count` (may be NULL) receives the number of repairs. Errors: INVALID_ARGUMENT,
/// OUT_OF_MEMORY, LIMIT.
VRM_API vrm_result vrm_validate_repair(vrm_gltf *gltf, const vrm_report *report, uint32_t *out_count);
/// Frees the validation; NULL is allowed.
VRM_API void vrm_validation_destroy(vrm_validation *validation);

#endif
