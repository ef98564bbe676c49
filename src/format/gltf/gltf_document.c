// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "format/gltf/gltf_document.h"

#include <string.h>

#include "base/abi.h"
#include "base/checks.h"
#include "base/text.h"
#include "format/gltf/gltf_private.h"

void(vrm_gltf_def_default)(vrm_gltf_def *def, size_t size)
{
    const vrm_gltf_def own = {.struct_size = sizeof own,
        .limits = {.max_file_size = (uint64_t)2 << 30,
            .max_memory = (uint64_t)4 << 30,
            .max_depth = 128,
            .max_nodes = 65536,
            .max_elements = 16777216}};
    vrmi_write_defaults(def, size, &own, sizeof own);
}

void vrm_gltf_destroy(vrm_gltf *gltf)
{
    if (gltf == NULL) {
        return;
    }
    vrmi_gltf_private *data = gltf->private_data;
    for (uint32_t i = 0; data->buffers != NULL && i < gltf->counts[VRM_GLTF_BUFFERS]; ++i) {
        vrm_bytes_free(&data->buffers[i].owned);
    }
    for (uint32_t i = 0; data->images != NULL && i < gltf->counts[VRM_GLTF_IMAGES]; ++i) {
        vrm_bytes_free(&data->images[i].owned);
    }
    vrmi_array_free(&data->negated, &data->edit.allocator);
    vrmi_edit_free(&data->edit);
    vrmi_json_free(&gltf->json);
    vrmi_arena_free(&gltf->arena);
    vrm_bytes_free(&data->copy);
    const vrm_allocator allocator = gltf->allocator;
    vrmi_release(&allocator, data, sizeof(*data));
    vrmi_release(&allocator, gltf, sizeof(*gltf));
}

uint32_t vrm_gltf_get_flags(const vrm_gltf *gltf)
{
    return VRM_ASSERT(gltf != NULL) ? gltf->flags : 0;
}

uint32_t vrm_gltf_get_count(const vrm_gltf *gltf, vrm_gltf_array array)
{
    return VRM_ASSERT(gltf != NULL && (unsigned)array < VRM_GLTF_ARRAY_COUNT) ? gltf->counts[array] : 0;
}

bool vrmi_gltf_is_unedited(const vrm_gltf *gltf)
{
    return gltf->private_data->edit.version == 0;
}

bool vrmi_gltf_has_grown(const vrm_gltf *gltf)
{
    static const struct {
        const char *name;
        vrm_gltf_array array;
    } arrays[] = {{"nodes", VRM_GLTF_NODES}, {"meshes", VRM_GLTF_MESHES}, {"accessors", VRM_GLTF_ACCESSORS}};
    bool grown = false;
    for (size_t i = 0; i < VRMI_COUNT_OF(arrays) && !grown; ++i) {
        char pointer[64];
        vrm_string text;
        vrmi_format(pointer, sizeof pointer, "/%s/%u", arrays[i].name, gltf->counts[arrays[i].array]);
        grown = vrm_gltf_get_json(gltf, pointer, &text) != VRM_ERROR_NOT_FOUND;
    }
    return grown;
}

uint32_t vrmi_gltf_element(const vrm_gltf *gltf, vrm_gltf_array array, uint32_t index)
{
    return index < gltf->counts[array] ? gltf->private_data->elements[array][index] : VRMI_JSON_NONE;
}

uint32_t vrmi_gltf_extension(const vrm_gltf *gltf, uint32_t object, const char *name)
{
    return vrmi_json_member(&gltf->json, vrmi_json_member(&gltf->json, object, "extensions"), name);
}

bool vrmi_gltf_joint_set(const vrm_gltf *gltf, const vrmi_gltf_primitive *primitive, uint32_t set, uint32_t *out_joints,
    uint32_t *out_weights)
{
    const vrmi_json *json = &gltf->json;
    char name[32];
    vrmi_format(name, sizeof name, "JOINTS_%u", set);
    const bool joints = vrmi_json_uint(json, vrmi_json_member(json, primitive->attributes_json, name), out_joints);
    vrmi_format(name, sizeof name, "WEIGHTS_%u", set);
    return joints && vrmi_json_uint(json, vrmi_json_member(json, primitive->attributes_json, name), out_weights);
}

vrm_result vrm_gltf_get_image(const vrm_gltf *gltf, uint32_t image, vrm_gltf_image *out_info)
{
    if (!VRM_ASSERT(gltf != NULL && out_info != NULL) || image >= gltf->counts[VRM_GLTF_IMAGES]) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const vrmi_gltf_image_data *source = &gltf->private_data->images[image];
    const vrm_gltf_image info = {.bytes = source->data,
        .size = source->size,
        .mime_type = source->mime_type,
        .width = source->width,
        .height = source->height,
        .name = source->name};
    return VRMI_ANSWER(vrm_gltf_image, out_info, &info);
}
