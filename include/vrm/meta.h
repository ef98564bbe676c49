// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_META_H
#define VRM_META_H

/// @file meta.h
/// The author of an avatar and the permitted uses (VRMC_vrm-1.0 meta). A use that the file does not state is not
/// allowed.

#include <vrm/gltf.h>

typedef struct vrm_avatar vrm_avatar;

/// Who may use this avatar: meta.avatarPermission, strictest first.
typedef enum vrm_avatar_permission {
    VRM_AVATAR_PERMISSION_ONLY_AUTHOR = 0,
    VRM_AVATAR_PERMISSION_ONLY_SEPARATELY_LICENSED_PERSON = 1,
    VRM_AVATAR_PERMISSION_EVERYONE = 2
} vrm_avatar_permission;

/// Commercial use: meta.commercialUsage, strictest first.
typedef enum vrm_commercial_usage {
    VRM_COMMERCIAL_USAGE_PERSONAL_NON_PROFIT = 0,
    VRM_COMMERCIAL_USAGE_PERSONAL_PROFIT = 1,
    VRM_COMMERCIAL_USAGE_CORPORATION = 2
} vrm_commercial_usage;

/// Whether the author must be named: meta.creditNotation.
typedef enum vrm_credit_notation {
    VRM_CREDIT_NOTATION_REQUIRED = 0,
    VRM_CREDIT_NOTATION_UNNECESSARY = 1
} vrm_credit_notation;

/// Whether modified versions may be made and redistributed: meta.modification, strictest first.
typedef enum vrm_modification {
    VRM_MODIFICATION_PROHIBITED = 0,
    VRM_MODIFICATION_ALLOW_MODIFICATION = 1,
    VRM_MODIFICATION_ALLOW_MODIFICATION_REDISTRIBUTION = 2
} vrm_modification;

/// Bits of vrm_meta.stated: the permissions that the file states. The others have their strictest value.
typedef enum vrm_meta_field {
    VRM_META_AVATAR_PERMISSION = 1 << 0,
    VRM_META_VIOLENT_USAGE = 1 << 1,
    VRM_META_SEXUAL_USAGE = 1 << 2,
    VRM_META_COMMERCIAL_USAGE = 1 << 3,
    VRM_META_POLITICAL_OR_RELIGIOUS_USAGE = 1 << 4,
    VRM_META_ANTISOCIAL_OR_HATE_USAGE = 1 << 5,
    VRM_META_CREDIT_NOTATION = 1 << 6,
    VRM_META_REDISTRIBUTION = 1 << 7,
    VRM_META_MODIFICATION = 1 << 8
} vrm_meta_field;

/// The meta object. Strings are valid as long as the avatar (or peek) from which they were read; absent strings are
/// empty.
typedef struct vrm_meta {
    uint32_t struct_size; ///< Set by the caller: sizeof(vrm_meta).
    vrm_string name;
    vrm_string version;
    vrm_string copyright_information;
    vrm_string contact_information;
    vrm_string third_party_licenses;
    vrm_string license_url;
    vrm_string other_license_url;
    const vrm_string *authors;    ///< [author_count]
    const vrm_string *references; ///< [reference_count]
    uint32_t author_count;        ///< Number of `authors`.
    uint32_t reference_count;     ///< Number of `references`.
    int32_t thumbnail_image;      ///< Index of the glTF image, or -1.
    uint32_t stated;              ///< Combination of vrm_meta_field.
    vrm_avatar_permission avatar_permission;
    vrm_commercial_usage commercial_usage;
    vrm_credit_notation credit_notation;
    vrm_modification modification;
    /// The avatar may be shown in excessively violent scenes. False if not stated, like all permissions below.
    bool allow_excessively_violent_usage;
    bool allow_excessively_sexual_usage;     ///< The avatar may be shown in excessively sexual scenes.
    bool allow_political_or_religious_usage; ///< The avatar may be used for political or religious purposes.
    bool allow_antisocial_or_hate_usage;     ///< The avatar may be used for antisocial or hateful content.
    bool allow_redistribution;               ///< The unchanged file may be redistributed.
    /// Permission terms of an older dialect of VRM (0.x or a draft), as text: key, value, key, value, ... They are read
    /// as the strictest terms of 1.0 that cover them, never as more permissive ones. In a file of 1.0: the terms that
    /// vrm_migrate() kept, and each permission whose value is not valid for its field, which counts as the strictest
    /// value.
    const vrm_string *old_terms;
    uint32_t old_term_count; ///< Number of pairs of strings in `old_terms`.
} vrm_meta;

/// X(NAME, number, "option-name", sentence): every way to use an avatar.
#define VRM_USES(X) \
    X(PERFORM, 0, "perform", "Be seen as this avatar (chat, play, stream without income)") \
    X(STREAM_FOR_PROFIT, 1, "stream-for-profit", "Earn money with the avatar as a person") \
    X(CORPORATE, 2, "corporate", "Use the avatar in a company's work") \
    X(VIOLENCE, 3, "violence", "Show the avatar in excessively violent scenes") \
    X(SEXUAL, 4, "sexual", "Show the avatar in excessively sexual scenes") \
    X(POLITICAL_OR_RELIGIOUS, 5, "political-or-religious", "Use the avatar for political or religious purposes") \
    X(ANTISOCIAL_OR_HATE, 6, "antisocial-or-hate", "Use the avatar for antisocial or hateful content") \
    X(REDISTRIBUTE, 7, "redistribute", "Redistribute the file unchanged") \
    X(MODIFY, 8, "modify", "Change the avatar for personal use") \
    X(REDISTRIBUTE_MODIFIED, 9, "redistribute-modified", "Redistribute a changed file") \
    X(SELL, 10, "sell", "Sell copies of the file")

/// A way to use an avatar; VRM_USES has a sentence for each.
typedef enum vrm_use {
#define VRM_USE_ENUM(name, number, option, sentence) VRM_USE_##name = (number),
    VRM_USES(VRM_USE_ENUM)
#undef VRM_USE_ENUM
        VRM_USE_COUNT = 11
} vrm_use;

/// The person who wants to use an avatar.
typedef enum vrm_user {
    VRM_USER_AUTHOR = 0,          ///< The author: everything is allowed.
    VRM_USER_LICENSED_PERSON = 1, ///< A person whom the author has separately licensed to be this avatar.
    VRM_USER_EVERYONE = 2         ///< Anybody else.
} vrm_user;

/// Answer of vrm_meta_get_permission().
typedef enum vrm_permission {
    VRM_PERMISSION_ALLOWED = 0,
    VRM_PERMISSION_ALLOWED_WITH_CREDIT = 1,
    VRM_PERMISSION_NOT_ALLOWED = 2,
    VRM_PERMISSION_NOT_STATED = 3 ///< The file does not state the permission; treat it as not allowed.
} vrm_permission;

/// Returns whether `who` may put the avatar to this use. `*out_field` (may be NULL) receives the meta field that
/// decides, e.g. "commercialUsage": the field of the first condition that is not met, else the use's own field;
/// "authors" for the author.
///
///     use                       conditions (all of them)
///     PERFORM                   avatarPermission for `who`
///     STREAM_FOR_PROFIT         avatarPermission, commercialUsage personalProfit or corporation
///     CORPORATE                 avatarPermission, commercialUsage corporation
///     VIOLENCE ... HATE         avatarPermission, the allow... field of that name
///     MODIFY                    avatarPermission, modification other than prohibited
///     REDISTRIBUTE              allowRedistribution
///     REDISTRIBUTE_MODIFIED     modification allowModificationRedistribution (allowRedistribution is about the
///                               unchanged file)
///     SELL                      allowRedistribution, commercialUsage personalProfit or corporation (VRM has no field
///                               of its own for selling)
///
/// avatarPermission is met for EVERYONE by `everyone`, and for a LICENSED_PERSON also by
/// `onlySeparatelyLicensedPerson`. If all conditions are met, the answer is ALLOWED_WITH_CREDIT, or ALLOWED if
/// creditNotation is `unnecessary`. If one is not met, the answer is NOT_ALLOWED if the file states the field, else
/// NOT_STATED. The answer repeats the file and is not legal advice: other_license_url may have further terms.
VRM_API vrm_permission vrm_meta_get_permission(const vrm_meta *meta, vrm_use use, vrm_user who, const char **out_field);
/// Returns the use's name ("stream-for-profit"); "" for a value outside the enum. The string is static.
VRM_API const char *vrm_use_name(vrm_use use);
/// Returns the use's sentence in VRM_USES. The string is static.
VRM_API const char *vrm_use_sentence(vrm_use use);

// --- peek ----------------------------------------------------------------------------------------------------------

/// Information for lists of files, from the JSON chunk and the headers of images only. Nothing else is read or checked.
typedef struct vrm_peek vrm_peek;

/// Contents of a file, read from its JSON alone.
typedef struct vrm_peek_info {
    uint32_t struct_size;    ///< Set by the caller: sizeof(vrm_peek_info).
    const char *dialect;     ///< "1.0", "1.0-beta", "1.0-draft", "0.x", or "" for a glTF without VRM.
    vrm_string spec_version; ///< specVersion, as in the file.
    vrm_string generator;    ///< asset.generator.
    /// Encoded bytes of the thumbnail; NULL if there is none, or if it is a file beside the document.
    const void *thumbnail;
    size_t thumbnail_size; ///< Number of bytes; 0 without a thumbnail.
    uint32_t node_count, mesh_count, material_count, texture_count, image_count, skin_count,
        animation_count;       ///< Numbers of elements of the file's arrays.
    uint32_t triangle_count;   ///< Triangles of all primitives, from the counts of accessors.
    uint32_t vertex_count;     ///< Vertices of all primitives.
    uint32_t expression_count; ///< Preset and custom expressions.
    uint32_t spring_count, spring_joint_count, collider_count, constraint_count; ///< Numbers of entries in the file.
    uint64_t texture_memory; ///< Estimate in bytes: width * height * 4 * 4/3 for each image with a readable header.
} vrm_peek_info;

/// Peeks at a file's bytes, which must live as long as the peek. `def` gives allocator and limits (NULL: the defaults).
/// Errors: as vrm_gltf_load(), but INVALID_ASSET only if the JSON itself is damaged.
VRM_API vrm_result vrm_peek_create(
    const vrm_gltf_def *def, const void *bytes, size_t size, vrm_report *report, vrm_peek **out_peek);
/// Creates a peek from a loaded document (without later edits), which must live as long as the peek. Nothing is parsed
/// again. Errors: INVALID_ARGUMENT, OUT_OF_MEMORY.
VRM_API vrm_result vrm_peek_create_from_gltf(const vrm_gltf *gltf, vrm_peek **out_peek);
/// Frees the peek; NULL is allowed.
VRM_API void vrm_peek_destroy(vrm_peek *peek);
/// Gives the contents of the file. Views are valid as long as the peek.
VRM_API void vrm_peek_get_info(const vrm_peek *peek, vrm_peek_info *out_info);
/// Gives the meta object; empty for a glTF without VRM. Strings are valid as long as the peek.
VRM_API void vrm_peek_get_meta(const vrm_peek *peek, vrm_meta *out_meta);

#endif
