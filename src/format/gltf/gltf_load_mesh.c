// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/text.h"
#include "format/gltf/gltf_private.h"

// --- formats of attributes -------------------------------------------------------------------------------------------

enum {
    F32 = 1 << 0,
    U8 = 1 << 1,
    U16 = 1 << 2,
    U8N = 1 << 3, // normalised
    U16N = 1 << 4,
    I8 = 1 << 5,
    I16 = 1 << 6,
    I8N = 1 << 7,
    I16N = 1 << 8,
    ANY_SMALL = U8 | U16 | U8N | U16N | I8 | I16 | I8N | I16N
};

typedef struct attribute_rule {
    const char *prefix; // "TEXCOORD_" for "TEXCOORD_0"; the whole name if it has no number
    uint8_t min_components, max_components;
    uint16_t core;      // component types that are allowed in core glTF
    uint16_t quantized; // types that KHR_mesh_quantization adds
} attribute_rule;

static const attribute_rule attribute_rules[] = {
    {"POSITION", 3, 3, F32, ANY_SMALL},
    {"NORMAL", 3, 3, F32, I8N | I16N},
    {"TANGENT", 4, 4, F32, I8N | I16N},
    {"TEXCOORD_", 2, 2, F32 | U8N | U16N, U8 | U16 | I8 | I16 | I8N | I16N},
    {"COLOR_", 3, 4, F32 | U8N | U16N, 0},
    {"JOINTS_", 4, 4, U8 | U16, 0},
    {"WEIGHTS_", 4, 4, F32 | U8N | U16N, 0},
};

static const attribute_rule target_rules[] = {
    {"POSITION", 3, 3, F32, I8 | I16 | I8N | I16N},
    {"NORMAL", 3, 3, F32, I8N | I16N},
    {"TANGENT", 3, 3, F32, I8N | I16N},
    {"TEXCOORD_", 2, 2, F32 | U8N | U16N | I8N | I16N, U8 | U16 | I8 | I16},
    {"COLOR_", 3, 4, F32 | U8N | U16N | I8N | I16N, 0},
};

static uint16_t format_bit(const vrmi_gltf_accessor *a)
{
    switch (a->component_type) {
    case VRMI_GL_BYTE:
        return a->normalized ? I8N : I8;
    case VRMI_GL_UNSIGNED_BYTE:
        return a->normalized ? U8N : U8;
    case VRMI_GL_SHORT:
        return a->normalized ? I16N : I16;
    case VRMI_GL_UNSIGNED_SHORT:
        return a->normalized ? U16N : U16;
    case VRMI_GL_FLOAT:
        return F32;
    default:
        return 0;
    }
}

static const attribute_rule *find_rule(const vrmi_json *json, uint32_t key, const attribute_rule *rules, size_t count)
{
    const char *name = json->text + json->tokens[key].start;
    const size_t length = json->tokens[key].end - json->tokens[key].start;
    for (size_t i = 0; i < count; ++i) {
        const size_t prefix = strlen(rules[i].prefix);
        const bool numbered = rules[i].prefix[prefix - 1] == '_';
        if (length >= prefix && memcmp(name, rules[i].prefix, prefix) == 0 && (numbered || length == prefix)) {
            return &rules[i];
        }
    }
    return NULL; // an application's own attribute
}

vrmi_attribute_fit vrmi_gltf_attribute_fit(
    const vrmi_json *json, uint32_t key, vrmi_attribute_owner owner, const vrmi_gltf_accessor *a)
{
    const attribute_rule *rule = owner == VRMI_ATTRIBUTE_OF_PRIMITIVE
                                     ? find_rule(json, key, attribute_rules, VRMI_COUNT_OF(attribute_rules))
                                     : find_rule(json, key, target_rules, VRMI_COUNT_OF(target_rules));
    if (rule == NULL) {
        return VRMI_ATTRIBUTE_FREE;
    }
    const uint16_t format = format_bit(a);
    const bool shape =
        a->columns == 1 && a->components >= rule->min_components && a->components <= rule->max_components;
    return !shape || ((rule->core | rule->quantized) & format) == 0 ? VRMI_ATTRIBUTE_WRONG
           : (rule->core & format) == 0                             ? VRMI_ATTRIBUTE_QUANTIZED
                                                                    : VRMI_ATTRIBUTE_FITS;
}

static void check_format(vrmi_load *load, uint32_t key, vrmi_attribute_owner owner, const vrmi_gltf_accessor *a)
{
    const vrmi_attribute_fit fit = vrmi_gltf_attribute_fit(load->reader.json, key, owner, a);
    const uint32_t value = vrmi_json_value(load->reader.json, key);
    if (fit == VRMI_ATTRIBUTE_WRONG) {
        char found[48];
        vrmi_reader_report(&load->reader, VRM_FINDING_MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT, value, NULL,
            vrmi_format(found, sizeof(found), "%u components of type %u", (unsigned)a->components, a->component_type),
            NULL);
    } else if (fit == VRMI_ATTRIBUTE_QUANTIZED && !load->quantized) {
        vrmi_reader_report(&load->reader, VRM_FINDING_UNDECLARED_EXTENSION, value, NULL, "KHR_mesh_quantization", NULL);
    }
}

// --- primitives ------------------------------------------------------------------------------------------------------

static void check_count(
    vrmi_load *load, uint32_t value, const vrmi_gltf_accessor *a, uint32_t expected_count, vrm_finding_id id)
{
    if (a->count != expected_count) {
        char found[32], expected[32];
        vrmi_reader_report(&load->reader, id, value, NULL, vrmi_format(found, sizeof(found), "%u", a->count),
            vrmi_format(expected, sizeof(expected), "%u", expected_count));
    }
}

// Marks an accessor as compressed if it has no buffer view. Its elements are then in the Draco stream; without Draco
// they would be zero.
static void mark_compressed(vrmi_load *load, vrmi_gltf_accessor *a)
{
    if (a->view == UINT32_MAX && a->sparse_count == 0 && a->data == NULL) {
        a->state = VRMI_ACCESSOR_COMPRESSED;
        load->gltf->flags |= VRM_GLTF_GEOMETRY_UNREADABLE;
    }
}

static void read_attribute(vrmi_load *load, vrmi_gltf_primitive *primitive, uint32_t key, bool draco)
{
    const vrmi_json *json = load->reader.json;
    const uint32_t value = vrmi_json_value(json, key);
    const int32_t index = vrmi_load_index(load, value, load->gltf->counts[VRM_GLTF_ACCESSORS]);
    vrmi_gltf_accessor *a = vrmi_load_accessor(load, index);
    if (a == NULL) {
        return;
    }
    check_format(load, key, VRMI_ATTRIBUTE_OF_PRIMITIVE, a);
    if (primitive->vertex_count == 0) {
        primitive->vertex_count = a->count;
    }
    check_count(load, value, a, primitive->vertex_count, VRM_FINDING_MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT);
    if (draco) {
        mark_compressed(load, a);
    }
    primitive->compressed = primitive->compressed || a->state != VRMI_ACCESSOR_READABLE;
    if (vrmi_json_string_equal(json, key, "POSITION")) {
        primitive->position = index;
    } else if (vrmi_json_string_equal(json, key, "JOINTS_0")) {
        primitive->joints0 = index;
    } else if (vrmi_json_string_equal(json, key, "WEIGHTS_0")) {
        primitive->weights0 = index;
    }
}

static bool read_attributes(vrmi_load *load, vrmi_gltf_primitive *primitive, bool draco)
{
    vrmi_reader *reader = &load->reader;
    const vrmi_json *json = reader->json;
    primitive->attributes_json = vrmi_read_object(reader, primitive->json, "attributes", VRMI_REQUIRED);
    for (uint32_t key = vrmi_json_first(json, primitive->attributes_json); key != VRMI_JSON_NONE;
         key = vrmi_json_next(json, key)) {
        read_attribute(load, primitive, key, draco);
        if (!vrmi_load_work(load, VRMI_ELEMENT_WORK / 4)) {
            return false;
        }
    }
    if (primitive->attributes_json == VRMI_JSON_NONE) {
        return true;
    }
    if (vrmi_json_member(json, primitive->attributes_json, "POSITION") == VRMI_JSON_NONE) {
        vrmi_reader_report(
            reader, VRM_FINDING_MESH_PRIMITIVE_NO_POSITION, primitive->attributes_json, NULL, NULL, NULL);
    }
    if ((vrmi_json_member(json, primitive->attributes_json, "JOINTS_0") == VRMI_JSON_NONE) !=
        (vrmi_json_member(json, primitive->attributes_json, "WEIGHTS_0") == VRMI_JSON_NONE)) {
        vrmi_reader_report(
            reader, VRM_FINDING_MESH_PRIMITIVE_JOINTS_WEIGHTS_MISMATCH, primitive->attributes_json, NULL, NULL, NULL);
    }
    return true;
}

// Whether a morph target's deltas can be used; reports them if they cannot.
static bool target_attribute_fits(vrmi_load *load, const vrmi_gltf_primitive *primitive, uint32_t key)
{
    const vrmi_json *json = load->reader.json;
    const uint32_t value = vrmi_json_value(json, key);
    const int32_t index = vrmi_load_index(load, value, load->gltf->counts[VRM_GLTF_ACCESSORS]);
    const vrmi_gltf_accessor *a = vrmi_load_accessor(load, index);
    if (a == NULL) {
        return false;
    }
    check_format(load, key, VRMI_ATTRIBUTE_OF_TARGET, a);
    const bool counts = primitive->vertex_count == 0 || a->count == primitive->vertex_count;
    if (!counts) {
        check_count(
            load, value, a, primitive->vertex_count, VRM_FINDING_MESH_PRIMITIVE_MORPH_TARGET_INVALID_ATTRIBUTE_COUNT);
    }
    return counts && vrmi_gltf_attribute_fit(json, key, VRMI_ATTRIBUTE_OF_TARGET, a) != VRMI_ATTRIBUTE_WRONG;
}

// Reads a morph target. Attributes that do not fit are ignored, but the target keeps its index, because expressions and
// animations refer to it.
static bool read_target(vrmi_load *load, const vrmi_gltf_primitive *primitive, uint32_t target)
{
    const vrmi_json *json = load->reader.json;
    if (!vrmi_json_is(json, target, VRMI_JSON_OBJECT)) {
        vrmi_reader_report_value(&load->reader, VRM_FINDING_TYPE_MISMATCH, target, "an object");
        return true;
    }
    for (uint32_t key = vrmi_json_first(json, target); key != VRMI_JSON_NONE; key = vrmi_json_next(json, key)) {
        if (!target_attribute_fits(load, primitive, key) && load->reader.repairing) {
            load->gltf->json.tokens[key].shadowed = 1;
        }
        if (!vrmi_load_work(load, VRMI_ELEMENT_WORK / 4)) {
            return false;
        }
    }
    return true;
}

static bool read_targets(vrmi_load *load, vrmi_gltf_primitive *primitive)
{
    const vrmi_json *json = load->reader.json;
    bool goes_on = true;
    primitive->targets_json = vrmi_read_array(&load->reader, primitive->json, "targets", VRMI_OPTIONAL);
    primitive->target_count = vrmi_json_count(json, primitive->targets_json);
    vrmi_load_repair(load, true);
    for (uint32_t target = vrmi_json_first(json, primitive->targets_json); target != VRMI_JSON_NONE && goes_on;
         target = vrmi_json_next(json, target)) {
        goes_on = read_target(load, primitive, target);
    }
    vrmi_load_repair(load, false);
    return goes_on;
}

static void read_indices(vrmi_load *load, vrmi_gltf_primitive *primitive, bool draco)
{
    vrmi_reader *reader = &load->reader;
    uint32_t index = 0;
    if (!vrmi_read_index(
            reader, primitive->json, "indices", VRMI_OPTIONAL, load->gltf->counts[VRM_GLTF_ACCESSORS], &index)) {
        return;
    }
    vrmi_gltf_accessor *a = vrmi_load_accessor(load, (int32_t)index);
    if (a == NULL) {
        return;
    }
    const bool is_unsigned = a->component_type == VRMI_GL_UNSIGNED_BYTE ||
                             a->component_type == VRMI_GL_UNSIGNED_SHORT || a->component_type == VRMI_GL_UNSIGNED_INT;
    if (a->components != 1 || !is_unsigned || a->normalized) {
        vrmi_reader_report(
            reader, VRM_FINDING_MESH_PRIMITIVE_INDICES_ACCESSOR_INVALID_FORMAT, primitive->json, "indices", NULL, NULL);
        return;
    }
    if (a->has_view_stride) {
        vrmi_reader_report(reader, VRM_FINDING_MESH_PRIMITIVE_INDICES_ACCESSOR_WITH_BYTESTRIDE, primitive->json,
            "indices", NULL, NULL);
    }
    if (draco) {
        mark_compressed(load, a);
    }
    primitive->compressed = primitive->compressed || a->state != VRMI_ACCESSOR_READABLE;
    primitive->indices = (int32_t)index;
}

static bool read_primitive(vrmi_load *load, uint32_t object, vrmi_gltf_primitive *primitive)
{
    vrmi_reader *reader = &load->reader;
    const vrmi_json *json = reader->json;
    uint32_t material = 0;
    memset(primitive, 0, sizeof(*primitive));
    primitive->json = object;
    primitive->position = primitive->joints0 = primitive->weights0 = -1;
    primitive->indices = primitive->material = -1;
    primitive->mode = 4;
    primitive->targets_json = VRMI_JSON_NONE;
    const uint32_t draco = vrmi_gltf_extension(load->gltf, object, "KHR_draco_mesh_compression");
    if (draco != VRMI_JSON_NONE && load->def->decode_draco != NULL && load->part != VRMI_GLTF_JSON &&
        !vrmi_load_draco(load, draco, primitive)) {
        return false;
    }
    if (!read_attributes(load, primitive, draco != VRMI_JSON_NONE)) {
        return false;
    }
    read_indices(load, primitive, draco != VRMI_JSON_NONE);
    if (draco != VRMI_JSON_NONE) {
        uint32_t view;
        vrmi_read_index(reader, draco, "bufferView", VRMI_REQUIRED, load->gltf->counts[VRM_GLTF_BUFFER_VIEWS], &view);
    }
    if (vrmi_read_index(reader, object, "material", VRMI_OPTIONAL, load->gltf->counts[VRM_GLTF_MATERIALS], &material)) {
        primitive->material = (int32_t)material;
    }
    if (vrmi_read_uint(reader, object, "mode", VRMI_OPTIONAL, &primitive->mode) && primitive->mode > 6) {
        vrmi_reader_report_value(
            reader, VRM_FINDING_INVALID_GL_VALUE, vrmi_json_member(json, object, "mode"), "0 to 6");
    }
    return read_targets(load, primitive);
}

// --- meshes ----------------------------------------------------------------------------------------------------------

static uint32_t target_names(const vrmi_json *json, uint32_t object)
{
    const uint32_t names = vrmi_json_member(json, vrmi_json_member(json, object, "extras"), "targetNames");
    return vrmi_json_is(json, names, VRMI_JSON_ARRAY) ? names : VRMI_JSON_NONE;
}

static bool read_names(vrmi_load *load, vrmi_gltf_mesh *mesh)
{
    const vrmi_json *json = load->reader.json;
    mesh->target_names = vrmi_load_alloc(load, mesh->target_count, sizeof *mesh->target_names);
    uint32_t name = vrmi_json_first(json, mesh->target_names_json);
    for (uint32_t i = 0; i < mesh->target_count && mesh->target_names != NULL; ++i, name = vrmi_json_next(json, name)) {
        if (!vrmi_load_string(load, name, &mesh->target_names[i])) {
            return false;
        }
    }
    return mesh->target_names != NULL &&
           vrmi_load_string(load, vrmi_json_member(json, mesh->json, "name"), &mesh->name);
}

static bool read_mesh(vrmi_load *load, uint32_t mesh_index, uint32_t *next_primitive)
{
    vrmi_reader *reader = &load->reader;
    const vrmi_json *json = reader->json;
    const uint32_t object = vrmi_load_element(load, VRM_GLTF_MESHES, mesh_index);
    vrmi_gltf_mesh *mesh = &load->gltf->meshes[mesh_index];
    const uint32_t array = vrmi_read_array(reader, object, "primitives", VRMI_REQUIRED);
    mesh->json = object;
    mesh->primitives.first = *next_primitive;
    mesh->target_names_json = target_names(json, object);
    for (uint32_t element = vrmi_json_first(json, array); element != VRMI_JSON_NONE;
         element = vrmi_json_next(json, element)) {
        if (!vrmi_json_is(json, element, VRMI_JSON_OBJECT)) {
            vrmi_reader_report_value(reader, VRM_FINDING_TYPE_MISMATCH, element, "an object");
            continue;
        }
        vrmi_gltf_primitive *primitive = &load->gltf->primitives[*next_primitive];
        if (!read_primitive(load, element, primitive) || !vrmi_load_work(load, VRMI_ELEMENT_WORK)) {
            return false;
        }
        const bool first = mesh->primitives.count == 0;
        if (!first && primitive->target_count != mesh->target_count) {
            vrmi_reader_report(reader, VRM_FINDING_MESH_PRIMITIVES_UNEQUAL_TARGETS_COUNT, element, NULL, NULL, NULL);
        }
        if (primitive->target_count > mesh->target_count) {
            mesh->target_count = primitive->target_count;
        }
        if (mesh->target_names_json == VRMI_JSON_NONE) {
            mesh->target_names_json = target_names(json, element);
        }
        ++mesh->primitives.count;
        ++*next_primitive;
    }
    const uint32_t weights = vrmi_read_array(reader, object, "weights", VRMI_OPTIONAL);
    if (weights != VRMI_JSON_NONE && vrmi_json_count(json, weights) != mesh->target_count) {
        vrmi_reader_report(reader, VRM_FINDING_MESH_INVALID_WEIGHTS_COUNT, weights, NULL, NULL, NULL);
    }
    return read_names(load, mesh);
}

bool vrmi_load_meshes(vrmi_load *load)
{
    const vrmi_json *json = load->reader.json;
    const uint32_t count = load->gltf->counts[VRM_GLTF_MESHES];
    size_t primitives = 0; // at most the number of JSON tokens
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t object = vrmi_load_element(load, VRM_GLTF_MESHES, i);
        const uint32_t array = vrmi_json_member(json, object, "primitives");
        primitives += vrmi_json_is(json, array, VRMI_JSON_ARRAY) ? vrmi_json_count(json, array) : 0;
    }
    load->gltf->meshes = vrmi_load_alloc(load, count, sizeof(*load->gltf->meshes));
    load->gltf->primitives = vrmi_load_alloc(load, primitives, sizeof(*load->gltf->primitives));
    if (load->gltf->meshes == NULL || load->gltf->primitives == NULL) {
        return false;
    }
    uint32_t next_primitive = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (!read_mesh(load, i, &next_primitive)) {
            return false;
        }
    }
    return true;
}
