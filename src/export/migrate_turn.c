// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Rotates an avatar of VRM 0.x by half a turn about Y. With R being the half turn, each node's world transform W
// becomes R W R^-1. So bones without a rotation still have none, as in UniVRM's migration. This negates x and z of
// vectors and rotations, and a matrix's entries between {x, z} and {y, w}. No number is rounded.

#include <string.h>

#include "export/migrate.h"
#include "format/edit/negate.h"

enum { X_AND_Z = 0x5, MATRIX = 0x5a5a }; // components whose sign changes

// --- accessors -------------------------------------------------------------------------------------------------------

typedef struct accessor_marks {
    vrmi_migration *m;
    uint16_t *masks;
    uint8_t *kept;
} accessor_marks;

static void mark(const accessor_marks *marks, uint32_t value, uint16_t mask)
{
    uint32_t index = 0;
    if (vrmi_json_uint(marks->m->json, value, &index) && index < marks->m->gltf->counts[VRM_GLTF_ACCESSORS]) {
        marks->masks[index] |= mask;
        marks->kept[index] |= mask == 0;
    }
}

static void mark_attributes(const accessor_marks *marks, uint32_t attributes)
{
    const vrmi_json *json = marks->m->json;
    for (uint32_t key = vrmi_json_first(json, attributes); key != VRMI_JSON_NONE; key = vrmi_json_next(json, key)) {
        if (vrmi_json_string_equal(json, key, "TANGENT")) {
            continue; // removed
        }
        const bool turns = vrmi_json_string_equal(json, key, "POSITION") || vrmi_json_string_equal(json, key, "NORMAL");
        mark(marks, vrmi_json_value(json, key), turns ? X_AND_Z : 0);
    }
}

static void mark_meshes(const accessor_marks *marks)
{
    const vrm_gltf *gltf = marks->m->gltf;
    const vrmi_json *json = marks->m->json;
    for (uint32_t i = 0; i < gltf->counts[VRM_GLTF_MESHES]; ++i) {
        const vrmi_gltf_range range = gltf->meshes[i].primitives;
        for (uint32_t p = 0; p < range.count; ++p) {
            const vrmi_gltf_primitive *primitive = &gltf->primitives[range.first + p];
            mark(marks, vrmi_json_member(json, primitive->json, "indices"), 0);
            mark_attributes(marks, primitive->attributes_json);
            for (uint32_t target = vrmi_json_first(json, primitive->targets_json); target != VRMI_JSON_NONE;
                 target = vrmi_json_next(json, target)) {
                mark_attributes(marks, target);
            }
        }
    }
    for (uint32_t i = 0; i < gltf->counts[VRM_GLTF_SKINS]; ++i) {
        mark(marks, vrmi_json_member(json, gltf->skins[i].json, "inverseBindMatrices"), MATRIX);
    }
}

static void mark_animations(const accessor_marks *marks)
{
    const vrmi_json *json = marks->m->json;
    for (uint32_t i = 0; i < marks->m->gltf->counts[VRM_GLTF_ANIMATIONS]; ++i) {
        const uint32_t animation = vrmi_gltf_element(marks->m->gltf, VRM_GLTF_ANIMATIONS, i);
        const uint32_t samplers = vrmi_json_member(json, animation, "samplers");
        for (uint32_t s = vrmi_json_first(json, samplers); s != VRMI_JSON_NONE; s = vrmi_json_next(json, s)) {
            mark(marks, vrmi_json_member(json, s, "input"), 0);
        }
        const uint32_t channels = vrmi_json_member(json, animation, "channels");
        for (uint32_t c = vrmi_json_first(json, channels); c != VRMI_JSON_NONE; c = vrmi_json_next(json, c)) {
            uint32_t sampler = 0;
            const uint32_t path = vrmi_json_member(json, vrmi_json_member(json, c, "target"), "path");
            const bool turns =
                vrmi_json_string_equal(json, path, "translation") || vrmi_json_string_equal(json, path, "rotation");
            if (vrmi_json_uint(json, vrmi_json_member(json, c, "sampler"), &sampler)) {
                mark(marks, vrmi_json_member(json, vrmi_json_element(json, samplers, sampler), "output"),
                    turns ? X_AND_Z : 0);
            }
        }
    }
}

// Converts the bounds of an accessor. For components whose sign changes, min and max are negated and swapped.
static void turn_limits(vrmi_migration *m, uint32_t accessor, uint16_t mask)
{
    static const char *const keys[2] = {"min", "max"};
    const uint32_t object = vrmi_gltf_element(m->gltf, VRM_GLTF_ACCESSORS, accessor);
    const uint32_t limits[2] = {vrmi_json_member(m->json, object, keys[0]), vrmi_json_member(m->json, object, keys[1])};
    const uint32_t count = vrmi_json_count(m->json, limits[0]);
    if (limits[0] == VRMI_JSON_NONE && limits[1] == VRMI_JSON_NONE) {
        return;
    }
    if (count != vrmi_json_count(m->json, limits[1]) || count > 16) { // a single bound cannot be converted
        vrmi_write_removal(&m->out, "/accessors/%u/min", accessor);
        vrmi_write_removal(&m->out, "/accessors/%u/max", accessor);
        return;
    }
    for (int side = 0; side < 2; ++side) {
        vrmi_text text;
        vrmi_text_init(&text, &m->out.allocator);
        for (uint32_t i = 0; i < count; ++i) {
            const bool turns = ((uint32_t)mask >> i & 1u) != 0;
            double value = 0.0;
            (void)vrmi_json_number(m->json, vrmi_json_element(m->json, limits[turns ? 1 - side : side], i), &value);
            vrmi_text_add_string(&text, i == 0 ? "[" : ",");
            vrmi_text_add_double(&text, turns ? 0.0 - value : value);
        }
        vrmi_text_add_string(&text, count == 0 ? "[]" : "]");
        vrmi_write_text(&m->out, &text, "/accessors/%u/%s", accessor, keys[side]);
    }
}

// Converts accessors. Returns NULL, or the reason why it is impossible.
static const char *turn_accessors(vrmi_migration *m)
{
    const uint32_t count = m->gltf->counts[VRM_GLTF_ACCESSORS];
    const char *reason = NULL;
    vrmi_array masks = {.item_size = sizeof(uint16_t)}, kept = {.item_size = 1};
    const accessor_marks marks = {
        m, vrmi_writer_reserve(&m->out, &masks, count), vrmi_writer_reserve(&m->out, &kept, count)};
    if (vrmi_writer_runs(&m->out)) {
        mark_meshes(&marks);
        mark_animations(&marks);
        for (uint32_t i = 0; i < count && reason == NULL; ++i) {
            reason = marks.masks[i] != 0 && marks.kept[i] != 0 ? "an accessor that is used in two ways" : NULL;
        }
    }
    if (vrmi_writer_runs(&m->out) && reason == NULL) {
        vrmi_writer_fail(&m->out, vrmi_gltf_negate(m->out.gltf, marks.masks, &reason));
    }
    for (uint32_t i = 0; i < count && reason == NULL && vrmi_writer_runs(&m->out); ++i) {
        if (marks.masks[i] != 0) {
            turn_limits(m, i, marks.masks[i]);
        }
    }
    vrmi_array_free(&masks, &m->out.allocator);
    vrmi_array_free(&kept, &m->out.allocator);
    return reason;
}

// --- nodes -----------------------------------------------------------------------------------------------------------

static bool has_view(const vrmi_migration *m, uint32_t node_json)
{
    return vrmi_json_member(m->json, node_json, "camera") != VRMI_JSON_NONE ||
           vrmi_gltf_extension(m->gltf, node_json, "KHR_lights_punctual") != VRMI_JSON_NONE;
}

static void mark_animated(const vrmi_migration *m, uint8_t *busy)
{
    for (uint32_t i = 0; i < m->gltf->counts[VRM_GLTF_ANIMATIONS]; ++i) {
        const uint32_t channels =
            vrmi_json_member(m->json, vrmi_gltf_element(m->gltf, VRM_GLTF_ANIMATIONS, i), "channels");
        for (uint32_t c = vrmi_json_first(m->json, channels); c != VRMI_JSON_NONE; c = vrmi_json_next(m->json, c)) {
            uint32_t node = 0;
            const uint32_t target = vrmi_json_member(m->json, c, "target");
            if (vrmi_json_uint(m->json, vrmi_json_member(m->json, target, "node"), &node) &&
                node < m->gltf->counts[VRM_GLTF_NODES]) {
                busy[node] = 1;
            }
        }
    }
}

// Marks the nodes, by glTF index, that have data in their own space.
static void mark_busy(const vrmi_migration *m, uint8_t *busy)
{
    const vrmi_model *model = m->model;
    const vrmi_collider_row *colliders = vrmi_model_collider(model);
    const vrmi_joint_row *joints = vrmi_model_spring_joint(model);
    for (uint32_t i = 0; i < model->node_gltf.count; ++i) {
        busy[vrmi_migrate_node(m, i)] = vrmi_model_node_bone(model)[i] >= 0 || vrmi_model_node_mesh(model)[i] >= 0;
    }
    for (uint32_t i = 0; i < model->palette_node.count; ++i) {
        busy[vrmi_migrate_node(m, vrmi_model_palette_node(model)[i])] = 1;
    }
    for (uint32_t i = 0; i < model->collider.count; ++i) {
        busy[vrmi_migrate_node(m, colliders[i].node)] = 1;
    }
    for (uint32_t i = 0; i < model->spring_joint.count; ++i) {
        busy[vrmi_migrate_node(m, joints[i].node)] = 1;
    }
    mark_animated(m, busy);
}

// Checks cameras and lights. They look along their node's -Z, which must keep its direction, so the node becomes R W
// instead of R W R^-1. This is possible only for a node without children and other content.
static const char *check_views(vrmi_migration *m)
{
    const char *reason = NULL;
    const uint32_t count = m->gltf->counts[VRM_GLTF_NODES];
    vrmi_array marks = {.item_size = 1};
    uint8_t *busy = vrmi_writer_reserve(&m->out, &marks, count);
    if (busy != NULL) {
        mark_busy(m, busy);
    }
    for (uint32_t i = 0; i < count && busy != NULL; ++i) {
        const vrmi_gltf_node *node = &m->gltf->nodes[i];
        if (has_view(m, node->json) && (node->children.count != 0 || busy[i] != 0 ||
                                           vrmi_json_member(m->json, node->json, "matrix") != VRMI_JSON_NONE)) {
            reason = "a camera or light whose node has children or other content";
        }
    }
    vrmi_array_free(&marks, &m->out.allocator);
    return reason;
}

static void turn_numbers(vrmi_migration *m, uint32_t node, const char *key, uint32_t count, uint32_t mask)
{
    const uint32_t array = vrmi_json_member(m->json, m->gltf->nodes[node].json, key);
    if (vrmi_json_count(m->json, array) != count) {
        return;
    }
    vrmi_text text;
    vrmi_text_init(&text, &m->out.allocator);
    uint32_t i = 0;
    for (uint32_t item = vrmi_json_first(m->json, array); item != VRMI_JSON_NONE;
         item = vrmi_json_next(m->json, item), ++i) {
        double value = 0.0;
        (void)vrmi_json_number(m->json, item, &value);
        vrmi_text_add_string(&text, i == 0 ? "[" : ",");
        vrmi_text_add_double(&text, (mask >> i & 1u) != 0 ? 0.0 - value : value);
    }
    vrmi_text_add_string(&text, "]");
    vrmi_write_text(&m->out, &text, "/nodes/%u/%s", node, key);
}

static void turn_node(vrmi_migration *m, uint32_t index)
{
    const vrmi_gltf_node *node = &m->gltf->nodes[index];
    turn_numbers(m, index, "translation", 3, X_AND_Z);
    if (has_view(m, node->json)) {
        // The half turn (0, 1, 0, 0) times the rotation.
        const vrm_quat q = node->local.rotation;
        const float turned[4] = {q.z, q.w, 0.0f - q.x, 0.0f - q.y};
        vrmi_text text;
        vrmi_text_init(&text, &m->out.allocator);
        vrmi_migrate_add_floats(&text, turned, 4);
        vrmi_write_text(&m->out, &text, "/nodes/%u/rotation", index);
    } else {
        turn_numbers(m, index, "rotation", 4, X_AND_Z);
        turn_numbers(m, index, "matrix", 16, MATRIX);
    }
}

// --- above the roots -------------------------------------------------------------------------------------------------

// Adds a node with the half turn to every scene. The scene's roots become its children.
static void turn_roots(vrmi_migration *m)
{
    const uint32_t nodes = m->gltf->counts[VRM_GLTF_NODES];
    vrmi_array seen = {.item_size = 1};
    uint8_t *in_scene = vrmi_writer_reserve(&m->out, &seen, nodes);
    for (uint32_t i = 0; i < m->gltf->counts[VRM_GLTF_SCENES] && vrmi_writer_runs(&m->out); ++i) {
        const uint32_t list = vrmi_json_member(m->json, vrmi_gltf_element(m->gltf, VRM_GLTF_SCENES, i), "nodes");
        for (uint32_t item = vrmi_json_first(m->json, list); item != VRMI_JSON_NONE;
             item = vrmi_json_next(m->json, item)) {
            uint32_t node = 0;
            if (vrmi_json_uint(m->json, item, &node) && node < nodes && in_scene[node]++ != 0) {
                vrmi_writer_fail(&m->out, VRM_ERROR_UNSUPPORTED); // a root of two scenes would get two parents
            }
        }
        if (vrmi_json_count(m->json, list) == 0) {
            continue;
        }
        const vrm_string roots = vrmi_json_text(m->json, list);
        vrmi_text text;
        vrmi_text_init(&text, &m->out.allocator);
        vrmi_text_format(
            &text, "{\"name\":\"half turn\",\"rotation\":[0,1,0,0],\"children\":%.*s}", (int)roots.length, roots.data);
        vrmi_write_text(&m->out, &text, "/nodes/-");
        vrmi_text_init(&text, &m->out.allocator);
        vrmi_text_format(&text, "[%u]", m->node_count++);
        vrmi_write_text(&m->out, &text, "/scenes/%u/nodes", i);
    }
    vrmi_array_free(&seen, &m->out.allocator);
}

// --- the whole turn --------------------------------------------------------------------------------------------------

// Whether the contents of an extension have no direction. Known names are compared by their beginnings.
static bool has_no_direction(const vrmi_json *json, uint32_t name)
{
    static const char *const known[] = {"VRM", "VMRC_", "KHR_materials_", "KHR_texture_", "EXT_texture_", "KHR_xmp",
        "KHR_mesh_quantization", "KHR_draco_", "EXT_meshopt_", "KHR_meshopt_", "KHR_lights_punctual",
        "KHR_node_visibility", "MSFT_texture_"};
    const vrm_string text = vrmi_json_text(json, name);
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
        const size_t length = strlen(known[i]);
        if (text.length > length && memcmp(text.data + 1, known[i], length) == 0) {
            return true;
        }
    }
    return false;
}

static void report_unknown(vrmi_migration *m)
{
    const uint32_t list = vrmi_json_member(m->json, 0, "extensionsUsed");
    for (uint32_t item = vrmi_json_first(m->json, list); item != VRMI_JSON_NONE; item = vrmi_json_next(m->json, item)) {
        if (!has_no_direction(m->json, item)) {
            vrmi_reader_report_value(&m->reader, VRM_FINDING_MIGRATE_EXTENSION_KEPT, item, NULL);
        }
    }
}

void vrmi_migrate_turn(vrmi_migration *m, vrm_half_turn turn)
{
    const char *reason = turn == VRM_HALF_TURN_ROOT ? "as asked" : check_views(m);
    if (reason == NULL) {
        reason = turn_accessors(m);
    }
    m->data_turned = reason == NULL;
    if (!m->data_turned) {
        if (turn != VRM_HALF_TURN_ROOT) {
            vrmi_migrate_report(m, VRM_FINDING_MIGRATE_ROOT_TURNED, 0, NULL, reason, NULL);
        }
        turn_roots(m);
        return;
    }
    for (uint32_t i = 0; i < m->gltf->counts[VRM_GLTF_NODES] && vrmi_writer_runs(&m->out); ++i) {
        turn_node(m, i);
    }
    report_unknown(m);
}
