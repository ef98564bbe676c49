// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "base/abi.h"
#include "format/gltf/gltf_document.h"
#include "format/gltf/progress_part.h"
#include "import/import.h"

// The fraction of the progress for loading the document. The rest is for the import.
#define DOCUMENT_SHARE 0.75f

// The file or bytes to load from.
typedef struct load_source {
    const char *path; // NULL to load from bytes
    const void *bytes;
    size_t size;
    vrmi_gltf_part part;
} load_source;

static vrm_result load_document(
    const vrm_gltf_def *def, const load_source *source, vrm_report *report, vrm_gltf **out_gltf)
{
    return source->path != NULL ? vrm_gltf_load_file(def, source->path, report, out_gltf)
                                : vrmi_gltf_load_part(def, source->part, source->bytes, source->size, report, out_gltf);
}

static vrm_result load_avatar(
    const vrm_avatar_def *def, const load_source *source, vrm_report *report, vrm_avatar **out_avatar)
{
    if (out_avatar == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    *out_avatar = NULL;
    vrm_avatar_def avatar_def;
    vrm_avatar_def_default(&avatar_def);
    if ((source->path == NULL && source->bytes == NULL) || !VRMI_READ_OPTIONS(vrm_avatar_def, &avatar_def, def)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    vrmi_progress_part part = {avatar_def.progress, avatar_def.progress_user, 0.0f, DOCUMENT_SHARE};
    vrm_gltf_def gltf_def;
    vrm_gltf_def_default(&gltf_def);
    gltf_def.borrow_bytes = true; // safe: the document is destroyed before this function returns
    gltf_def.allocator = avatar_def.allocator;
    gltf_def.limits = avatar_def.limits;
    gltf_def.strict = avatar_def.strict;
    if (part.progress != NULL) {
        gltf_def.progress = avatar_def.progress = vrmi_tell_part;
        gltf_def.progress_user = avatar_def.progress_user = &part;
    }
    vrm_gltf *gltf = NULL;
    vrm_result result = load_document(&gltf_def, source, report, &gltf);
    if (result == VRM_SUCCESS) {
        part.first = DOCUMENT_SHARE;
        part.share = 1.0f - DOCUMENT_SHARE;
        result = vrm_avatar_import(&avatar_def, gltf, report, out_avatar);
        vrm_gltf_destroy(gltf);
    }
    return result;
}

vrm_result vrm_avatar_load(
    const vrm_avatar_def *def, const void *bytes, size_t size, vrm_report *report, vrm_avatar **out_avatar)
{
    const load_source source = {.bytes = bytes, .size = size, .part = VRMI_GLTF_WHOLE};
    return load_avatar(def, &source, report, out_avatar);
}

vrm_result vrm_avatar_load_file(
    const vrm_avatar_def *def, const char *path, vrm_report *report, vrm_avatar **out_avatar)
{
    const load_source source = {.path = path, .part = VRMI_GLTF_WHOLE};
    return load_avatar(def, &source, report, out_avatar);
}

vrm_result vrm_avatar_load_json(
    const vrm_avatar_def *def, const void *json, size_t size, vrm_report *report, vrm_avatar **out_avatar)
{
    const load_source source = {.bytes = json, .size = size, .part = VRMI_GLTF_JSON};
    return load_avatar(def, &source, report, out_avatar);
}
