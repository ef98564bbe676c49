// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/checks.h"
#include "base/text.h"
#include "validate/run.h"
#include "validate/vertices.h"

// Checks primitives: names, formats and counts of attributes, and the attributes that materials require. Values are
// checked in vertices.c.

// --- names -----------------------------------------------------------------------------------------------------------

// Returns the number in a name such as "TEXCOORD_0", or -1.
static int32_t set_number(const char *name, size_t length, const char *prefix)
{
    const size_t before = strlen(prefix);
    int32_t number = 0;
    if (length <= before || length > before + 4 || memcmp(name, prefix, before) != 0 ||
        (name[before] == '0' && length > before + 1)) {
        return -1;
    }
    for (size_t i = before; i < length; ++i) {
        if (name[i] < '0' || name[i] > '9') {
            return -1;
        }
        number = number * 10 + (name[i] - '0');
    }
    return number;
}

static const char *const sets[VRMI_SET_COUNT] = {"TEXCOORD_", "COLOR_", "JOINTS_", "WEIGHTS_"};

// Counts the sets of each kind and finds their highest number. An unknown attribute name is a finding.
static void read_names(vrmi_run *run, vrmi_primitive_check *p)
{
    const vrmi_json *json = run->json;
    for (uint32_t key = vrmi_json_first(json, p->attributes); key != VRMI_JSON_NONE; key = vrmi_json_next(json, key)) {
        const char *name = json->text + json->tokens[key].start;
        const size_t length = json->tokens[key].end - json->tokens[key].start;
        bool known = (length > 0 && name[0] == '_') || vrmi_json_string_equal(json, key, "POSITION");
        if (vrmi_json_string_equal(json, key, "NORMAL")) {
            known = p->has_normal = true;
        } else if (vrmi_json_string_equal(json, key, "TANGENT")) {
            known = p->has_tangent = true;
        }
        for (int s = 0; s < VRMI_SET_COUNT && !known; ++s) {
            const int32_t number = set_number(name, length, sets[s]);
            if (number >= 0) {
                known = true;
                ++p->sets[s];
                p->highest[s] = number + 1 > p->highest[s] ? number + 1 : p->highest[s];
            }
        }
        if (!known) {
            vrmi_reader_report(&run->reader, VRM_FINDING_MESH_PRIMITIVE_INVALID_ATTRIBUTE, vrmi_json_value(json, key),
                NULL, NULL, NULL);
        }
    }
    for (int s = 0; s < VRMI_SET_COUNT; ++s) {
        if (p->sets[s] != p->highest[s]) {
            vrmi_reader_report(&run->reader, VRM_FINDING_MESH_PRIMITIVE_INDEXED_SEMANTIC_CONTINUITY, p->attributes,
                NULL, sets[s], NULL);
        }
    }
    if (p->sets[VRMI_SET_JOINTS] != p->sets[VRMI_SET_WEIGHTS]) {
        vrmi_reader_report(
            &run->reader, VRM_FINDING_MESH_PRIMITIVE_JOINTS_WEIGHTS_MISMATCH, p->attributes, NULL, NULL, NULL);
    }
    if (p->has_tangent && !p->has_normal) {
        vrmi_reader_report(
            &run->reader, VRM_FINDING_MESH_PRIMITIVE_TANGENT_WITHOUT_NORMAL, p->attributes, NULL, NULL, NULL);
    }
}

// --- formats ---------------------------------------------------------------------------------------------------------

static void check_format(vrmi_run *run, uint32_t key, const vrmi_accessor_row *row, vrmi_attribute_owner owner)
{
    const uint32_t value = vrmi_json_value(run->json, key);
    const vrmi_gltf_accessor format = {.columns = row->columns,
        .components = row->components,
        .component_type = row->component_type,
        .normalized = row->normalized};
    const vrmi_attribute_fit fit = vrmi_gltf_attribute_fit(run->json, key, owner, &format);
    if (fit == VRMI_ATTRIBUTE_WRONG || (fit == VRMI_ATTRIBUTE_QUANTIZED && !run->quantized)) {
        char found[48];
        vrmi_reader_report(&run->reader, VRM_FINDING_MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT, value, NULL,
            vrmi_format(
                found, sizeof(found), "%u components of type %u", (unsigned)row->components, row->component_type),
            NULL);
    } else if (fit == VRMI_ATTRIBUTE_FREE && row->component_type == VRMI_GL_UNSIGNED_INT) {
        vrmi_reader_report(
            &run->reader, VRM_FINDING_MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_UNSIGNED_INT, value, NULL, NULL, NULL);
    }
}

// Checks the layout of an attribute: vertices start at multiples of 4 bytes, and may share a view only if it has a
// stride.
static void check_layout(vrmi_run *run, uint32_t value, int32_t accessor)
{
    const vrmi_accessor_row *row = &run->accessors[accessor];
    const uint32_t size = vrmi_component_size(row->component_type) * row->components;
    if (row->view < 0) {
        return;
    }
    vrmi_view_row *view = &run->views[row->view];
    if (row->offset % 4 != 0 || (size % 4 != 0 && view->stride == 0)) {
        vrmi_reader_report(&run->reader, VRM_FINDING_MESH_PRIMITIVE_ACCESSOR_UNALIGNED, value, NULL, NULL, NULL);
    }
    if (view->stride == 0) {
        if (view->vertex_accessor < 0) {
            view->vertex_accessor = accessor;
        } else if (view->vertex_accessor != accessor && !view->vertex_twice) {
            view->vertex_twice = true;
            vrmi_reader_report(
                &run->reader, VRM_FINDING_MESH_PRIMITIVE_ACCESSOR_WITHOUT_BYTESTRIDE, value, NULL, NULL, NULL);
        }
    }
}

static void report_count(vrmi_run *run, uint32_t value, uint32_t count, uint32_t expected_count, vrm_finding_id id)
{
    char found[32], expected[32];
    vrmi_reader_report(&run->reader, id, value, NULL, vrmi_format(found, sizeof(found), "%u", count),
        vrmi_format(expected, sizeof(expected), "%u", expected_count));
}

static void check_attribute(vrmi_run *run, uint32_t key, vrmi_attribute_owner owner, int32_t accessor)
{
    const vrmi_accessor_row *row = &run->accessors[accessor];
    const uint32_t value = vrmi_json_value(run->json, key);
    vrmi_use_accessor(run, accessor, VRMI_USAGE_ATTRIBUTE, value, NULL);
    if (vrmi_json_string_equal(run->json, key, "POSITION") && (!row->has_min || !row->has_max)) {
        vrmi_reader_report(
            &run->reader, VRM_FINDING_MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS, value, NULL, NULL, NULL);
    }
    check_format(run, key, row, owner);
    check_layout(run, value, accessor);
}

static void check_attributes(vrmi_run *run, vrmi_primitive_check *p)
{
    const vrmi_json *json = run->json;
    for (uint32_t key = vrmi_json_first(json, p->attributes); key != VRMI_JSON_NONE; key = vrmi_json_next(json, key)) {
        const int32_t accessor = vrmi_run_index(run, vrmi_json_value(json, key), VRM_GLTF_ACCESSORS);
        if (accessor < 0) {
            continue;
        }
        check_attribute(run, key, VRMI_ATTRIBUTE_OF_PRIMITIVE, accessor);
        const uint32_t count = run->accessors[accessor].count;
        if (p->vertex_count == 0) {
            p->vertex_count = count;
        } else if (count != p->vertex_count) {
            report_count(run, vrmi_json_value(json, key), count, p->vertex_count,
                VRM_FINDING_MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT);
        }
    }
}

static void check_target(vrmi_run *run, const vrmi_primitive_check *p, uint32_t target)
{
    const vrmi_json *json = run->json;
    if (!vrmi_json_is(json, target, VRMI_JSON_OBJECT)) {
        return;
    }
    for (uint32_t key = vrmi_json_first(json, target); key != VRMI_JSON_NONE; key = vrmi_json_next(json, key)) {
        const uint32_t value = vrmi_json_value(json, key);
        const int32_t accessor = vrmi_run_index(run, value, VRM_GLTF_ACCESSORS);
        char name[32];
        const bool fits = vrmi_json_unescape(json, key, name, sizeof(name)) < sizeof(name);
        const int32_t base = fits ? vrmi_run_member_index(run, p->attributes, name, VRM_GLTF_ACCESSORS) : -1;
        if (accessor < 0) {
            continue;
        }
        check_attribute(run, key, VRMI_ATTRIBUTE_OF_TARGET, accessor);
        if (base < 0) {
            vrmi_reader_report(
                &run->reader, VRM_FINDING_MESH_PRIMITIVE_MORPH_TARGET_NO_BASE_ACCESSOR, value, NULL, NULL, NULL);
        } else if (run->accessors[base].count != run->accessors[accessor].count) {
            report_count(run, value, run->accessors[accessor].count, run->accessors[base].count,
                VRM_FINDING_MESH_PRIMITIVE_MORPH_TARGET_INVALID_ATTRIBUTE_COUNT);
        }
    }
}

// --- indices and materials -------------------------------------------------------------------------------------------

static void check_indices(vrmi_run *run, vrmi_primitive_check *p)
{
    p->indices = vrmi_run_member_index(run, p->object, "indices", VRM_GLTF_ACCESSORS);
    if (p->indices < 0) {
        return;
    }
    const vrmi_accessor_row *row = &run->accessors[p->indices];
    const bool is_unsigned = row->component_type == VRMI_GL_UNSIGNED_BYTE ||
                             row->component_type == VRMI_GL_UNSIGNED_SHORT ||
                             row->component_type == VRMI_GL_UNSIGNED_INT;
    vrmi_use_accessor(run, p->indices, VRMI_USAGE_INDICES, p->object, "indices");
    vrmi_forbid_stride(
        run, p->indices, VRM_FINDING_MESH_PRIMITIVE_INDICES_ACCESSOR_WITH_BYTESTRIDE, p->object, "indices");
    if (row->components != 1 || !is_unsigned || row->normalized) {
        vrmi_reader_report(
            &run->reader, VRM_FINDING_MESH_PRIMITIVE_INDICES_ACCESSOR_INVALID_FORMAT, p->object, "indices", NULL, NULL);
    }
}

// Checks that the primitive has the texture coordinates that a texture, or its transform, uses.
static void check_texture(vrmi_run *run, const vrmi_primitive_check *p, uint32_t owner, const char *key)
{
    const vrmi_json *json = run->json;
    const uint32_t info = vrmi_json_member(json, owner, key);
    if (!vrmi_json_is(json, info, VRMI_JSON_OBJECT)) {
        return;
    }
    const uint32_t transform = vrmi_gltf_extension(run->gltf, info, "KHR_texture_transform");
    const uint32_t set = vrmi_run_uint(run, transform, "texCoord", vrmi_run_uint(run, info, "texCoord", 0));
    if (set >= (uint32_t)p->highest[VRMI_SET_TEXCOORD]) {
        char found[48];
        vrmi_reader_report(&run->reader, VRM_FINDING_MESH_PRIMITIVE_TOO_FEW_TEXCOORDS, p->object, "material",
            vrmi_format(found, sizeof(found), "TEXCOORD_%u for %s", set, key), NULL);
    }
}

static void check_material(vrmi_run *run, const vrmi_primitive_check *p)
{
    static const char *const mtoon_textures[] = {"shadeMultiplyTexture", "shadingShiftTexture", "rimMultiplyTexture",
        "outlineWidthMultiplyTexture", "uvAnimationMaskTexture"};
    const int32_t index = vrmi_run_member_index(run, p->object, "material", VRM_GLTF_MATERIALS);
    if (index < 0) {
        return;
    }
    const uint32_t material = vrmi_gltf_element(run->gltf, VRM_GLTF_MATERIALS, (uint32_t)index);
    const uint32_t pbr = vrmi_json_member(run->json, material, "pbrMetallicRoughness");
    const uint32_t mtoon = vrmi_gltf_extension(run->gltf, material, "VRMC_materials_mtoon");
    check_texture(run, p, pbr, "baseColorTexture");
    check_texture(run, p, pbr, "metallicRoughnessTexture");
    check_texture(run, p, material, "normalTexture");
    check_texture(run, p, material, "occlusionTexture");
    check_texture(run, p, material, "emissiveTexture");
    for (size_t i = 0; i < VRMI_COUNT_OF(mtoon_textures); ++i) {
        check_texture(run, p, mtoon, mtoon_textures[i]);
    }
    // VRM files need no tangents, because all readers compute the same ones by MikkTSpace.
    if (run->vrm || vrmi_json_member(run->json, p->attributes, "TANGENT") != VRMI_JSON_NONE) {
        return;
    }
    if (vrmi_json_member(run->json, material, "normalTexture") != VRMI_JSON_NONE) {
        vrmi_reader_report(
            &run->reader, VRM_FINDING_MESH_PRIMITIVE_GENERATED_TANGENT_SPACE, p->object, "material", NULL, NULL);
    }
}

// --- meshes ----------------------------------------------------------------------------------------------------------

static void check_primitive(vrmi_run *run, uint32_t object, uint32_t mesh)
{
    const vrmi_json *json = run->json;
    vrmi_primitive_check p = {.object = object, .mesh = mesh, .indices = -1};
    p.attributes = vrmi_json_member(json, object, "attributes");
    p.mode = vrmi_run_uint(run, object, "mode", 4);
    if (!vrmi_json_is(json, p.attributes, VRMI_JSON_OBJECT)) {
        return;
    }
    read_names(run, &p);
    check_attributes(run, &p);
    check_indices(run, &p);
    const uint32_t targets = vrmi_json_member(json, object, "targets");
    if (vrmi_json_is(json, targets, VRMI_JSON_ARRAY)) {
        for (uint32_t t = vrmi_json_first(json, targets); t != VRMI_JSON_NONE; t = vrmi_json_next(json, t)) {
            check_target(run, &p, t);
        }
    }
    check_material(run, &p);
    vrmi_check_vertices(run, &p);
}

void vrmi_validate_meshes(vrmi_run *run)
{
    const vrmi_json *json = run->json;
    for (uint32_t i = 0; i < run->gltf->counts[VRM_GLTF_MESHES] && vrmi_run_tick(run); ++i) {
        const uint32_t mesh = vrmi_gltf_element(run->gltf, VRM_GLTF_MESHES, i);
        const uint32_t primitives = vrmi_json_member(json, mesh, "primitives");
        if (!vrmi_json_is(json, primitives, VRMI_JSON_ARRAY)) {
            continue;
        }
        for (uint32_t p = vrmi_json_first(json, primitives); p != VRMI_JSON_NONE; p = vrmi_json_next(json, p)) {
            if (vrmi_json_is(json, p, VRMI_JSON_OBJECT)) {
                check_primitive(run, p, i);
            }
        }
    }
}
