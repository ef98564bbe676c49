// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "base/checks.h"
#include "format/gltf/gltf_private.h"

// Accepts numbers in quotation marks for the integers of nodes, skins, meshes, accessors and buffers. JavaScript
// converts such strings to numbers, and a load that repairs errors does the same. The file keeps its quotation marks.

static const struct {
    vrm_gltf_array of;
    const char *member; // a number, or an array or object of numbers
} places[] = {
    {VRM_GLTF_SCENES, "nodes"},
    {VRM_GLTF_NODES, "children"},
    {VRM_GLTF_NODES, "mesh"},
    {VRM_GLTF_NODES, "skin"},
    {VRM_GLTF_SKINS, "joints"},
    {VRM_GLTF_SKINS, "skeleton"},
    {VRM_GLTF_SKINS, "inverseBindMatrices"},
    {VRM_GLTF_ACCESSORS, "bufferView"},
    {VRM_GLTF_ACCESSORS, "byteOffset"},
    {VRM_GLTF_ACCESSORS, "componentType"},
    {VRM_GLTF_ACCESSORS, "count"},
    {VRM_GLTF_BUFFER_VIEWS, "buffer"},
    {VRM_GLTF_BUFFER_VIEWS, "byteOffset"},
    {VRM_GLTF_BUFFER_VIEWS, "byteLength"},
    {VRM_GLTF_BUFFER_VIEWS, "byteStride"},
    {VRM_GLTF_BUFFERS, "byteLength"},
};

static void read_number(vrmi_load *load, uint32_t value)
{
    vrmi_json_token *token = &load->gltf->json.tokens[value];
    const char *digits = load->gltf->json.text + token->start;
    const uint32_t count = token->end - token->start;
    bool whole = token->kind == VRMI_JSON_STRING && count >= 1 && count <= 9 && (digits[0] != '0' || count == 1);
    for (uint32_t i = 0; i < count && whole; ++i) {
        whole = digits[i] >= '0' && digits[i] <= '9';
    }
    if (whole) {
        vrmi_reader_report_value(&load->reader, VRM_FINDING_TYPE_MISMATCH, value, "a number without quotation marks");
        token->kind = VRMI_JSON_NUMBER;
        token->escaped = 1; // the token's text in the file still has quotation marks
    }
}

// Converts a number, or all numbers in an array or object.
static void read_numbers(vrmi_load *load, uint32_t value)
{
    const vrmi_json *json = &load->gltf->json;
    if (value == VRMI_JSON_NONE) {
        return;
    }
    read_number(load, value);
    const bool object = vrmi_json_is(json, value, VRMI_JSON_OBJECT);
    for (uint32_t item = vrmi_json_first(json, value); item != VRMI_JSON_NONE; item = vrmi_json_next(json, item)) {
        read_number(load, object ? vrmi_json_value(json, item) : item);
    }
}

static void read_mesh(vrmi_load *load, uint32_t mesh)
{
    const vrmi_json *json = &load->gltf->json;
    const uint32_t primitives = vrmi_json_member(json, mesh, "primitives");
    for (uint32_t p = vrmi_json_first(json, primitives); p != VRMI_JSON_NONE; p = vrmi_json_next(json, p)) {
        read_numbers(load, vrmi_json_member(json, p, "attributes"));
        read_numbers(load, vrmi_json_member(json, p, "indices"));
        read_numbers(load, vrmi_json_member(json, p, "material"));
        const uint32_t targets = vrmi_json_member(json, p, "targets");
        for (uint32_t t = vrmi_json_first(json, targets); t != VRMI_JSON_NONE; t = vrmi_json_next(json, t)) {
            read_numbers(load, t);
        }
    }
}

void vrmi_load_quoted(vrmi_load *load)
{
    vrmi_load_repair(load, true);
    if (load->reader.repairing) {
        for (size_t i = 0; i < VRMI_COUNT_OF(places); ++i) {
            for (uint32_t e = 0; e < load->gltf->counts[places[i].of]; ++e) {
                const uint32_t element = vrmi_load_element(load, places[i].of, e);
                read_numbers(load, vrmi_json_member(&load->gltf->json, element, places[i].member));
            }
        }
        for (uint32_t e = 0; e < load->gltf->counts[VRM_GLTF_MESHES]; ++e) {
            read_mesh(load, vrmi_load_element(load, VRM_GLTF_MESHES, e));
        }
    }
    vrmi_load_repair(load, false);
}
