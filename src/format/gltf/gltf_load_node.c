// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "format/gltf/decompose.h"
#include "format/gltf/gltf_private.h"

// --- transforms ------------------------------------------------------------------------------------------------------

// The largest deviation of a rotation's length from 1, as in Khronos' validator.
static const double unit_tolerance = 0.00005;

// Reads a translation, rotation or scale. When errors are repaired, an invalid number keeps the value in `out` and
// surplus numbers are ignored.
static bool read_place(vrmi_load *load, uint32_t object, const char *key, uint32_t count, float *out)
{
    vrmi_reader *reader = &load->reader;
    const vrmi_json *json = reader->json;
    const uint32_t array = vrmi_json_member(json, object, key);
    bool wrong = false, finite = true;
    vrmi_load_repair(load, true);
    const bool repairs =
        reader->repairing && vrmi_json_is(json, array, VRMI_JSON_ARRAY) && vrmi_json_count(json, array) >= count;
    if (repairs && vrmi_json_count(json, array) > count) {
        char expected[32];
        char found[32];
        vrmi_reader_report(reader, VRM_FINDING_ARRAY_LENGTH_NOT_IN_LIST, array, NULL,
            vrmi_format(found, sizeof found, "%u elements", vrmi_json_count(json, array)),
            vrmi_format(expected, sizeof expected, "%u numbers", count));
        wrong = true;
    }
    float read[4];
    for (uint32_t i = 0; i < count && repairs; ++i) {
        const uint32_t element = vrmi_json_element(json, array, i);
        double number = (double)out[i];
        if (!vrmi_json_number(json, element, &number)) {
            vrmi_reader_report_value(reader, VRM_FINDING_TYPE_MISMATCH, element, "a number");
            wrong = true;
        }
        read[i] = (float)number;
        finite = finite && isfinite(read[i]);
    }
    vrmi_load_repair(load, false);
    if (!wrong || !finite) {
        return vrmi_read_floats(reader, object, key, VRMI_OPTIONAL, count, out);
    }
    memcpy(out, read, count * sizeof *out);
    return true;
}

static void read_rotation(vrmi_load *load, uint32_t object, vrm_quat *out)
{
    float v[4] = {0, 0, 0, 1};
    if (!read_place(load, object, "rotation", 4, v)) {
        return;
    }
    const double q[4] = {(double)v[0], (double)v[1], (double)v[2], (double)v[3]};
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (fabs(length - 1.0) > unit_tolerance) {
        char found[48];
        vrmi_reader_report(&load->reader, VRM_FINDING_ROTATION_NON_UNIT, object, "rotation",
            vrmi_format(found, sizeof(found), "length %g", length), "length 1");
    }
    if (length > 1e-6) {
        *out =
            (vrm_quat){(float)(q[0] / length), (float)(q[1] / length), (float)(q[2] / length), (float)(q[3] / length)};
    }
}

static void read_transform(vrmi_load *load, uint32_t object, vrm_transform *out)
{
    vrmi_reader *reader = &load->reader;
    const vrmi_json *json = reader->json;
    float m[16], translation[3] = {0, 0, 0}, scale[3] = {1, 1, 1};
    *out = (vrm_transform){.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
    if (vrmi_read_floats(reader, object, "matrix", VRMI_OPTIONAL, 16, m)) {
        if (!vrmi_decompose(m, out)) {
            vrmi_reader_report(reader, VRM_FINDING_NODE_MATRIX_NON_TRS, object, "matrix", NULL, NULL);
        }
        if (vrmi_json_member(json, object, "translation") != VRMI_JSON_NONE ||
            vrmi_json_member(json, object, "rotation") != VRMI_JSON_NONE ||
            vrmi_json_member(json, object, "scale") != VRMI_JSON_NONE) {
            vrmi_reader_report(reader, VRM_FINDING_NODE_MATRIX_TRS, object, NULL, NULL, NULL);
        }
        return;
    }
    if (read_place(load, object, "translation", 3, translation)) {
        out->translation = (vrm_vec3){translation[0], translation[1], translation[2]};
    }
    read_rotation(load, object, &out->rotation);
    if (read_place(load, object, "scale", 3, scale)) {
        out->scale = (vrm_vec3){scale[0], scale[1], scale[2]};
    }
}

// --- the tree --------------------------------------------------------------------------------------------------------

static void add_child(vrmi_load *load, uint32_t parent, uint32_t value)
{
    vrmi_gltf_node *nodes = load->gltf->nodes;
    const int32_t child = vrmi_load_index(load, value, load->gltf->counts[VRM_GLTF_NODES]);
    if (child < 0) {
        return;
    }
    if (nodes[child].parent == (int32_t)parent) {
        vrmi_reader_report_value(&load->reader, VRM_FINDING_DUPLICATE_ELEMENTS, value, "each child once");
        return;
    }
    if (nodes[child].parent >= 0) {
        char expected[48];
        vrmi_reader_report_value(&load->reader, VRM_FINDING_NODE_PARENT_OVERRIDE, value,
            vrmi_format(expected, sizeof(expected), "only /nodes/%d", nodes[child].parent));
        return;
    }
    nodes[child].parent = (int32_t)parent;
    load->gltf->indices[load->index_count++] = (uint32_t)child;
    ++nodes[parent].children.count;
}

static bool read_children(vrmi_load *load, uint32_t index)
{
    vrmi_gltf_node *node = &load->gltf->nodes[index];
    const vrmi_json *json = load->reader.json;
    vrmi_load_repair(load, true); // without this list the child nodes have no parent
    const uint32_t children = vrmi_read_array(&load->reader, node->json, "children", VRMI_OPTIONAL);
    vrmi_load_repair(load, false);
    node->children.first = load->index_count;
    for (uint32_t value = vrmi_json_first(json, children); value != VRMI_JSON_NONE;
         value = vrmi_json_next(json, value)) {
        add_child(load, index, value);
    }
    return vrmi_load_work(load, VRMI_ELEMENT_WORK / 2);
}

// Finds loops by following the parents of every node. Each walk stops at a node that was visited before, so the time is
// linear.
static bool check_loops(vrmi_load *load)
{
    vrmi_gltf_node *nodes = load->gltf->nodes;
    const uint32_t count = load->gltf->counts[VRM_GLTF_NODES];
    uint32_t *walk = vrmi_load_alloc(load, count, sizeof(*walk));
    if (walk == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; ++i) {
        int32_t at = (int32_t)i;
        while (at >= 0 && walk[at] == 0) {
            walk[at] = i + 1;
            at = nodes[at].parent;
        }
        if (at >= 0 && walk[at] == i + 1) {
            vrmi_reader_report(&load->reader, VRM_FINDING_NODE_LOOP, nodes[at].json, NULL, NULL, NULL);
            nodes[at].parent = -1;
        }
    }
    return true;
}

// --- nodes -----------------------------------------------------------------------------------------------------------

static bool mesh_has_joints(const vrm_gltf *gltf, int32_t mesh)
{
    const vrmi_gltf_range range = gltf->meshes[mesh].primitives;
    for (uint32_t p = range.first; p < range.first + range.count; ++p) {
        if (gltf->primitives[p].joints0 >= 0) {
            return true;
        }
    }
    return false;
}

static bool read_node(vrmi_load *load, uint32_t index)
{
    vrmi_reader *reader = &load->reader;
    vrm_gltf *gltf = load->gltf;
    vrmi_gltf_node *node = &gltf->nodes[index];
    const uint32_t object = node->json;
    uint32_t mesh = 0, skin = 0, camera;
    read_transform(load, object, &node->local);
    node->mesh = vrmi_read_index(reader, object, "mesh", VRMI_OPTIONAL, gltf->counts[VRM_GLTF_MESHES], &mesh)
                     ? (int32_t)mesh
                     : -1;
    node->skin = vrmi_read_index(reader, object, "skin", VRMI_OPTIONAL, gltf->counts[VRM_GLTF_SKINS], &skin)
                     ? (int32_t)skin
                     : -1;
    vrmi_read_index(reader, object, "camera", VRMI_OPTIONAL, gltf->counts[VRM_GLTF_CAMERAS], &camera);
    const uint32_t weights = vrmi_read_array(reader, object, "weights", VRMI_OPTIONAL);
    const uint32_t targets = node->mesh >= 0 ? gltf->meshes[node->mesh].target_count : 0;
    if (weights != VRMI_JSON_NONE && vrmi_json_count(reader->json, weights) != targets) {
        vrmi_reader_report(reader, VRM_FINDING_NODE_WEIGHTS_INVALID, weights, NULL, NULL, NULL);
    }
    return read_children(load, index) && vrmi_load_work(load, VRMI_ELEMENT_WORK / 2);
}

// Checks that a node has a skin if, and only if, its mesh has joints. Each mesh is examined once, even if many nodes
// use it.
static bool check_skinned_meshes(vrmi_load *load)
{
    vrm_gltf *gltf = load->gltf;
    uint8_t *has_joints = vrmi_load_alloc(load, gltf->counts[VRM_GLTF_MESHES], 1);
    if (has_joints == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < gltf->counts[VRM_GLTF_MESHES]; ++i) {
        has_joints[i] = mesh_has_joints(gltf, (int32_t)i);
    }
    for (uint32_t i = 0; i < gltf->counts[VRM_GLTF_NODES]; ++i) {
        const vrmi_gltf_node *node = &gltf->nodes[i];
        const bool skinned = node->mesh >= 0 && has_joints[node->mesh];
        if (node->skin >= 0 && !skinned) {
            vrmi_reader_report(
                &load->reader, VRM_FINDING_NODE_SKIN_WITH_NON_SKINNED_MESH, node->json, NULL, NULL, NULL);
        } else if (node->skin < 0 && skinned) {
            vrmi_reader_report(&load->reader, VRM_FINDING_NODE_SKINNED_MESH_WITHOUT_SKIN, node->json, NULL, NULL, NULL);
        }
    }
    return true;
}

static bool read_scenes(vrmi_load *load)
{
    vrm_gltf *gltf = load->gltf;
    const vrmi_json *json = load->reader.json;
    uint32_t scene = 0;
    if (vrmi_read_index(&load->reader, 0, "scene", VRMI_OPTIONAL, gltf->counts[VRM_GLTF_SCENES], &scene)) {
        gltf->scene = (int32_t)scene;
    }
    for (uint32_t i = 0; i < gltf->counts[VRM_GLTF_SCENES]; ++i) {
        const uint32_t object = vrmi_load_element(load, VRM_GLTF_SCENES, i);
        const uint32_t roots = vrmi_read_array(&load->reader, object, "nodes", VRMI_OPTIONAL);
        for (uint32_t value = vrmi_json_first(json, roots); value != VRMI_JSON_NONE;
             value = vrmi_json_next(json, value)) {
            const int32_t node = vrmi_load_index(load, value, gltf->counts[VRM_GLTF_NODES]);
            if (node >= 0 && gltf->nodes[node].parent >= 0) {
                vrmi_reader_report_value(&load->reader, VRM_FINDING_SCENE_NON_ROOT_NODE, value, "a root");
            }
        }
        if (!vrmi_load_work(load, VRMI_ELEMENT_WORK)) {
            return false;
        }
    }
    return true;
}

bool vrmi_load_nodes(vrmi_load *load)
{
    const uint32_t count = load->gltf->counts[VRM_GLTF_NODES];
    load->gltf->nodes = vrmi_load_alloc(load, count, sizeof(*load->gltf->nodes));
    if (load->gltf->nodes == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; ++i) {
        load->gltf->nodes[i].json = vrmi_load_element(load, VRM_GLTF_NODES, i);
        load->gltf->nodes[i].parent = -1;
    }
    for (uint32_t i = 0; i < count; ++i) {
        if (!read_node(load, i)) {
            return false;
        }
    }
    return check_loops(load) && check_skinned_meshes(load) && read_scenes(load);
}
