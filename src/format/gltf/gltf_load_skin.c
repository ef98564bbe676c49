// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "base/text.h"
#include "format/gltf/gltf_private.h"

// Allocates room for all children of nodes and all joints of skins. Their number is at most the number of JSON tokens.
static bool allocate_indices(vrmi_load *load)
{
    static const struct {
        vrm_gltf_array array;
        const char *member;
    } lists[] = {{VRM_GLTF_NODES, "children"}, {VRM_GLTF_SKINS, "joints"}};
    const vrmi_json *json = load->reader.json;
    size_t total = 0;
    for (size_t k = 0; k < VRMI_COUNT_OF(lists); ++k) {
        for (uint32_t i = 0; i < load->gltf->counts[lists[k].array]; ++i) {
            const uint32_t list = vrmi_json_member(json, vrmi_load_element(load, lists[k].array, i), lists[k].member);
            total += vrmi_json_is(json, list, VRMI_JSON_ARRAY) ? vrmi_json_count(json, list) : 0;
        }
    }
    load->gltf->indices = vrmi_load_alloc(load, total, sizeof(*load->gltf->indices));
    return load->gltf->indices != NULL;
}

static bool read_joints(vrmi_load *load, uint32_t object, vrmi_gltf_skin *skin)
{
    const vrmi_json *json = load->reader.json;
    const uint32_t joints = vrmi_read_array(&load->reader, object, "joints", VRMI_REQUIRED);
    if (joints != VRMI_JSON_NONE && vrmi_json_count(json, joints) == 0) {
        vrmi_reader_report_value(&load->reader, VRM_FINDING_ARRAY_LENGTH_NOT_IN_LIST, joints, "at least 1");
    }
    skin->joints.first = load->index_count;
    for (uint32_t joint = vrmi_json_first(json, joints); joint != VRMI_JSON_NONE; joint = vrmi_json_next(json, joint)) {
        const int32_t node = vrmi_load_index(load, joint, load->gltf->counts[VRM_GLTF_NODES]);
        if (node >= 0) {
            load->gltf->indices[load->index_count++] = (uint32_t)node;
            ++skin->joints.count;
        }
        if (!vrmi_load_work(load, VRMI_ELEMENT_WORK / 4)) {
            return false;
        }
    }
    return true;
}

static void read_inverse_binds(vrmi_load *load, uint32_t object, vrmi_gltf_skin *skin)
{
    vrmi_reader *reader = &load->reader;
    uint32_t index = 0;
    if (!vrmi_read_index(
            reader, object, "inverseBindMatrices", VRMI_OPTIONAL, load->gltf->counts[VRM_GLTF_ACCESSORS], &index)) {
        return;
    }
    const vrmi_gltf_accessor *a = vrmi_load_accessor(load, (int32_t)index);
    if (a == NULL) {
        return;
    }
    if (a->columns != 4 || a->rows != 4 || a->component_type != VRMI_GL_FLOAT) {
        vrmi_reader_report(
            reader, VRM_FINDING_SKIN_IBM_INVALID_FORMAT, object, "inverseBindMatrices", NULL, "MAT4 of floats");
        return;
    }
    if (a->count < skin->joints.count) {
        char found[32], expected[48];
        vrmi_reader_report(reader, VRM_FINDING_INVALID_IBM_ACCESSOR_COUNT, object, "inverseBindMatrices",
            vrmi_format(found, sizeof(found), "%u", a->count),
            vrmi_format(expected, sizeof(expected), "at least %u", skin->joints.count));
        return;
    }
    skin->inverse_bind_matrices = (int32_t)index;
}

bool vrmi_load_skins(vrmi_load *load)
{
    const uint32_t count = load->gltf->counts[VRM_GLTF_SKINS];
    load->gltf->skins = vrmi_load_alloc(load, count, sizeof(*load->gltf->skins));
    if (load->gltf->skins == NULL || !allocate_indices(load)) {
        return false;
    }
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t object = vrmi_load_element(load, VRM_GLTF_SKINS, i);
        vrmi_gltf_skin *skin = &load->gltf->skins[i];
        uint32_t skeleton;
        skin->json = object;
        skin->inverse_bind_matrices = -1;
        if (!read_joints(load, object, skin)) {
            return false;
        }
        read_inverse_binds(load, object, skin);
        vrmi_read_index(
            &load->reader, object, "skeleton", VRMI_OPTIONAL, load->gltf->counts[VRM_GLTF_NODES], &skeleton);
    }
    return true;
}
