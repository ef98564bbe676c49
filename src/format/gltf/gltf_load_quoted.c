// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/checks.h"
#include "base/text.h"
#include "format/gltf/gltf_private.h"

// Accepts numbers in quotation marks for the integers of nodes, skins, meshes, accessors and buffers, and for the
// numbers of VRM's extensions. JavaScript converts such strings to numbers, and a load that repairs errors does the
// same. The file keeps its quotation marks.

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

bool vrmi_is_quoted_index(vrm_string text)
{
    bool whole = text.length >= 1 && text.length <= 9 && (text.data[0] != '0' || text.length == 1);
    for (uint32_t i = 0; i < text.length && whole; ++i) {
        whole = text.data[i] >= '0' && text.data[i] <= '9';
    }
    return whole;
}

bool vrmi_is_quoted_number(vrm_string text)
{
    double number;
    return text.length > 0 && vrmi_parse_double(text.data, text.length, &number) == text.length;
}

// Converts the string to a number if `accepts` returns true for its text.
static void convert(vrmi_load *load, uint32_t value, bool (*accepts)(vrm_string text))
{
    vrmi_json_token *token = &load->gltf->json.tokens[value];
    const vrm_string text = {load->gltf->json.text + token->start, token->end - token->start};
    if (token->kind == VRMI_JSON_STRING && accepts(text)) {
        vrmi_reader_report_value(&load->reader, VRM_FINDING_TYPE_MISMATCH, value, "a number without quotation marks");
        token->kind = VRMI_JSON_NUMBER;
        token->escaped = 1; // the token's text in the file still has quotation marks
    }
}

// Converts an index in quotation marks, or all such indices in an array or object.
static void read_indices(vrmi_load *load, uint32_t value)
{
    const vrmi_json *json = &load->gltf->json;
    if (value == VRMI_JSON_NONE) {
        return;
    }
    convert(load, value, vrmi_is_quoted_index);
    const bool object = vrmi_json_is(json, value, VRMI_JSON_OBJECT);
    for (uint32_t item = vrmi_json_first(json, value); item != VRMI_JSON_NONE; item = vrmi_json_next(json, item)) {
        convert(load, object ? vrmi_json_value(json, item) : item, vrmi_is_quoted_index);
    }
}

static void read_mesh(vrmi_load *load, uint32_t mesh)
{
    const vrmi_json *json = &load->gltf->json;
    const uint32_t primitives = vrmi_json_member(json, mesh, "primitives");
    for (uint32_t p = vrmi_json_first(json, primitives); p != VRMI_JSON_NONE; p = vrmi_json_next(json, p)) {
        read_indices(load, vrmi_json_member(json, p, "attributes"));
        read_indices(load, vrmi_json_member(json, p, "indices"));
        read_indices(load, vrmi_json_member(json, p, "material"));
        const uint32_t targets = vrmi_json_member(json, p, "targets");
        for (uint32_t t = vrmi_json_first(json, targets); t != VRMI_JSON_NONE; t = vrmi_json_next(json, t)) {
            read_indices(load, t);
        }
    }
}

// Converts the numbers of an extension, at any depth.
static void read_extension(vrmi_load *load, uint32_t extensions, const char *extension_name)
{
    const vrmi_json *json = &load->gltf->json;
    const uint32_t extension = vrmi_json_member(json, extensions, extension_name);
    if (extension == VRMI_JSON_NONE) {
        return;
    }
    const uint32_t end = json->tokens[extension].next;
    for (uint32_t key = extension + 1; key < end; ++key) {
        if (!json->tokens[key].is_key) {
            continue;
        }
        const vrm_string name = {json->text + json->tokens[key].start, json->tokens[key].end - json->tokens[key].start};
        const uint32_t value = key + 1;
        const bool array = vrmi_json_is(json, value, VRMI_JSON_ARRAY);
        const uint32_t first = array ? vrmi_json_first(json, value) : value;
        if (first == VRMI_JSON_NONE || (!array && !vrmi_json_is(json, value, VRMI_JSON_STRING)) ||
            !vrmi_extension_is_number(name)) {
            continue;
        }
        convert(load, first, vrmi_is_quoted_number);
        for (uint32_t item = array ? vrmi_json_next(json, first) : VRMI_JSON_NONE; item != VRMI_JSON_NONE;
             item = vrmi_json_next(json, item)) {
            convert(load, item, vrmi_is_quoted_number);
        }
    }
}

// Returns true for the keys "version" and "specVersion", whose values begin with a digit but are not numbers.
static bool is_version(const vrmi_json *json, const vrmi_json_token *key)
{
    static const char end[] = "ersion";
    const uint32_t length = sizeof(end) - 1;
    return key->is_key && key->end - key->start >= length && memcmp(json->text + key->end - length, end, length) == 0;
}

// Returns true if a string of the file may be a number in quotation marks. Most files have none, and one pass over the
// tokens takes less time than looking up every member above.
static bool may_have_quoted(const vrmi_json *json)
{
    for (uint32_t i = 1; i < json->count; ++i) {
        const vrmi_json_token *token = &json->tokens[i];
        if (token->kind == VRMI_JSON_STRING && !token->is_key && token->end > token->start) {
            const char first = json->text[token->start];
            if ((first == '-' || (first >= '0' && first <= '9')) && !is_version(json, &json->tokens[token->parent])) {
                return true;
            }
        }
    }
    return false;
}

void vrmi_load_quoted(vrmi_load *load)
{
    vrmi_load_repair(load, true);
    if (load->reader.repairing && may_have_quoted(&load->gltf->json)) {
        for (size_t i = 0; i < VRMI_COUNT_OF(places); ++i) {
            for (uint32_t e = 0; e < load->gltf->counts[places[i].of]; ++e) {
                const uint32_t element = vrmi_load_element(load, places[i].of, e);
                read_indices(load, vrmi_json_member(&load->gltf->json, element, places[i].member));
            }
        }
        for (uint32_t e = 0; e < load->gltf->counts[VRM_GLTF_MESHES]; ++e) {
            read_mesh(load, vrmi_load_element(load, VRM_GLTF_MESHES, e));
        }
        for (uint32_t e = 0; e < load->gltf->counts[VRM_GLTF_NODES]; ++e) {
            const uint32_t node = vrmi_load_element(load, VRM_GLTF_NODES, e);
            read_extension(load, vrmi_json_member(&load->gltf->json, node, "extensions"), "VRMC_node_constraint");
        }
        const uint32_t extensions = vrmi_json_member(&load->gltf->json, 0, "extensions");
        read_extension(load, extensions, "VRMC_vrm");
        read_extension(load, extensions, "VRMC_springBone");
        read_extension(load, extensions, "VRM");
    }
    vrmi_load_repair(load, false);
}
