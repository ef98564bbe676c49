// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "base/cooked_magic.h"
#include "import/motion/import_clip.h"

// Whether the bytes are probably BVH: a text that begins with a letter. GLB begins with "glTF", JSON with a bracket.
// Cooked avatars are left to the glTF reader, which reports them.
static bool looks_like_bvh(const unsigned char *bytes, size_t size)
{
    if (vrmi_is_cooked(bytes, size)) {
        return false;
    }
    size_t at = size >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF ? 3 : 0;
    while (at < size && (bytes[at] == ' ' || bytes[at] == '\t' || bytes[at] == '\r' || bytes[at] == '\n')) {
        ++at;
    }
    if (size - at >= 4 && bytes[at] == 'g' && bytes[at + 1] == 'l' && bytes[at + 2] == 'T' && bytes[at + 3] == 'F') {
        return false;
    }
    return at < size && ((bytes[at] >= 'A' && bytes[at] <= 'Z') || (bytes[at] >= 'a' && bytes[at] <= 'z'));
}

static vrm_result load(
    const vrm_clip_def *def, const char *path, const void *bytes, size_t size, vrm_report *report, vrm_clip **out_clip)
{
    if (looks_like_bvh(bytes, size)) {
        return vrmi_clip_from_bvh(def, bytes, size, report, out_clip);
    }
    vrm_gltf_def gltf_def;
    vrm_gltf_def_default(&gltf_def);
    gltf_def.borrow_bytes = true; // safe: the document is destroyed before this function returns
    gltf_def.allocator = def->allocator;
    gltf_def.limits = def->limits;
    gltf_def.progress = def->progress;
    gltf_def.progress_user = def->progress_user;
    vrm_gltf *gltf = NULL;
    vrm_result result = path != NULL ? vrm_gltf_load_file(&gltf_def, path, report, &gltf)
                                     : vrm_gltf_load(&gltf_def, bytes, size, report, &gltf);
    if (result == VRM_SUCCESS) {
        result = vrm_clip_import(def, gltf, report, out_clip);
        vrm_gltf_destroy(gltf);
    }
    return result;
}

// Copies the def and checks its unit too, because the file may be BVH.
static bool choose_def(const vrm_clip_def *def, vrm_clip_def *out)
{
    return vrmi_clip_choose_def(def, out) && (out->unit == 0.0f || (out->unit >= 0.0001f && out->unit <= 100.0f));
}

vrm_result vrm_clip_load(
    const vrm_clip_def *def, const void *bytes, size_t size, vrm_report *report, vrm_clip **out_clip)
{
    vrm_clip_def chosen;
    if (out_clip == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    *out_clip = NULL;
    if (bytes == NULL || !choose_def(def, &chosen)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    return load(&chosen, NULL, bytes, size, report, out_clip);
}

vrm_result vrm_clip_load_file(const vrm_clip_def *def, const char *path, vrm_report *report, vrm_clip **out_clip)
{
    vrm_clip_def chosen;
    if (out_clip == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    *out_clip = NULL;
    if (path == NULL || !choose_def(def, &chosen)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    vrm_bytes bytes = {0};
    vrm_result result = vrm_read_file(path, chosen.limits.max_file_size, &chosen.allocator, &bytes);
    if (result == VRM_SUCCESS) {
        result = load(&chosen, path, bytes.data, bytes.size, report, out_clip);
        vrm_bytes_free(&bytes);
    }
    return result;
}
