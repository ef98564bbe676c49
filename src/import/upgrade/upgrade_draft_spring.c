// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Reads the springs of drafts. A spring refers to nodes, and these have the colliders (VRMC_node_collider). Before
// March 2021 a spring has a root node and a setting, which several springs may share.

#include "import/avatar/import_collider.h"
#include "import/avatar/spring_subtree.h"
#include "import/upgrade/upgrade.h"

typedef struct draft_springs {
    vrmi_import *import;
    vrmi_spring_reading reading;
    vrmi_range *on_node; // indexed by node: range of colliders
    uint32_t *marks;     // indexed by collider: 1 + the last spring that lists it
} draft_springs;

static void read_shapes(draft_springs *d, uint32_t node, uint32_t extension)
{
    vrmi_import *import = d->import;
    const vrmi_json *json = import->json;
    const uint32_t shapes = vrmi_read_array(&import->reader, extension, "shapes", VRMI_REQUIRED);
    d->on_node[node].first = import->model.collider.count;
    for (uint32_t item = vrmi_json_first(json, shapes); item != VRMI_JSON_NONE && vrmi_import_tick(import, 1);
         item = vrmi_json_next(json, item)) {
        vrmi_collider_row *row = vrmi_import_push(import, &import->model.collider);
        if (row == NULL) {
            return;
        }
        row->node = node;
        if (!vrmi_import_shape(import, item, false, row)) {
            --import->model.collider
                  .count; // removed again: the error is reported, and no index refers to this collider
        }
    }
    d->on_node[node].count = import->model.collider.count - d->on_node[node].first;
}

static void read_colliders(draft_springs *d)
{
    vrmi_import *import = d->import;
    const uint32_t count = import->model.gltf_node.count;
    for (uint32_t gltf = 0; gltf < count && vrmi_import_tick(import, 1); ++gltf) { // in the file's order
        const uint32_t extension =
            vrmi_gltf_extension(import->gltf, import->gltf->nodes[gltf].json, "VRMC_node_collider");
        if (extension != VRMI_JSON_NONE) {
            read_shapes(d, VRMI_ROWS(import, gltf_node, uint32_t)[gltf], extension);
        }
    }
}

static void read_spring_colliders(draft_springs *d, vrmi_read_spring *spring)
{
    vrmi_import *import = d->import;
    const vrmi_json *json = import->json;
    const uint32_t array = vrmi_read_array(&import->reader, spring->json, "colliders", VRMI_OPTIONAL);
    spring->first_collider = import->model.chain_collider.count;
    for (uint32_t item = vrmi_json_first(json, array); item != VRMI_JSON_NONE && vrmi_import_tick(import, 1);
         item = vrmi_json_next(json, item)) {
        uint32_t node = 0;
        if (!vrmi_read_index_element(&import->reader, item, import->model.gltf_node.count, &node)) {
            continue;
        }
        const vrmi_range range = d->on_node[VRMI_ROWS(import, gltf_node, uint32_t)[node]];
        if (range.count == 0) {
            vrmi_reader_report_value(&import->reader, VRM_FINDING_VRM1_NODE_COLLIDER_MISSING, item, NULL);
        }
        if (!vrmi_spring_count_pairs(&d->reading, spring->json, "colliders", range.count)) {
            return;
        }
        for (uint32_t i = range.first; i < range.first + range.count; ++i) {
            uint32_t *row =
                d->marks[i] == spring->index + 1 ? NULL : vrmi_import_push(import, &import->model.chain_collider);
            if (row != NULL) {
                d->marks[i] = spring->index + 1;
                *row = i;
            }
        }
    }
    spring->collider_count = import->model.chain_collider.count - spring->first_collider;
}

// --- before March 2021 -----------------------------------------------------------------------------------------------

static const char *const root_keys[] = {"springRoot", "rootSpring", NULL}; // names in the schema and in the prose

static void read_setting(vrmi_import *import, uint32_t spring, uint32_t settings, vrm_spring_joint_params *out)
{
    vrmi_reader *reader = &import->reader;
    uint32_t index = 0;
    float direction[3];
    *out = (vrm_spring_joint_params){0.0f, 1.0f, 0.0f, {0.0f, -1.0f, 0.0f}, 0.5f}; // defaults of the later drafts
    (void)vrmi_read_float_range(reader, spring, "hitRadius", 0.0f, 3.0e38f, &out->hit_radius);
    if (!vrmi_read_index(reader, spring, "setting", VRMI_REQUIRED, vrmi_json_count(import->json, settings), &index)) {
        return;
    }
    const uint32_t setting = vrmi_json_element(import->json, settings, index);
    if (!vrmi_json_is(import->json, setting, VRMI_JSON_OBJECT)) {
        vrmi_reader_report_value(reader, VRM_FINDING_TYPE_MISMATCH, setting, "an object");
        return;
    }
    (void)vrmi_read_float_range(reader, setting, "stiffness", 0.0f, 3.0e38f, &out->stiffness);
    (void)vrmi_read_float_range(reader, setting, "gravityPower", 0.0f, 3.0e38f, &out->gravity_power);
    (void)vrmi_read_float_range(reader, setting, "dragForce", 0.0f, 1.0f, &out->drag_force);
    if (vrmi_read_floats(reader, setting, "gravityDir", VRMI_OPTIONAL, 3, direction)) {
        out->gravity_dir = (vrm_vec3){direction[0], direction[1], direction[2]};
    }
}

static void read_rooted_spring(
    vrmi_spring_subtrees *subtrees, const vrmi_range *on_node, uint32_t spring, uint32_t settings, uint32_t index)
{
    vrmi_import *import = subtrees->import;
    const vrmi_json *json = import->json;
    const uint32_t *order = VRMI_ROWS(import, gltf_node, uint32_t);
    vrmi_spring_group group = {.json = spring, .index = index, .center = -1};
    read_setting(import, spring, settings, &group.params);
    vrmi_spring_group_begin(subtrees, &group);
    const uint32_t colliders = vrmi_read_array(&import->reader, spring, "colliders", VRMI_OPTIONAL);
    uint32_t node = 0;
    for (uint32_t item = vrmi_json_first(json, colliders); item != VRMI_JSON_NONE && vrmi_import_tick(import, 1);
         item = vrmi_json_next(json, item)) {
        if (vrmi_read_index_element(&import->reader, item, import->model.gltf_node.count, &node)) {
            if (on_node[order[node]].count == 0) {
                vrmi_reader_report_value(&import->reader, VRM_FINDING_VRM1_NODE_COLLIDER_MISSING, item, NULL);
            }
            vrmi_spring_group_colliders(subtrees, &group, on_node[order[node]]);
        }
    }
    const char *key = vrmi_first_key(json, spring, root_keys);
    key = key != NULL ? key : root_keys[0];
    if (vrmi_import_node_index(import, spring, key, VRMI_REQUIRED, &node) && vrmi_import_runs(import)) {
        vrmi_spring_group_root(subtrees, &group, node, vrmi_json_member(json, spring, key));
    }
}

// Reads springs that have only a root. The subtree of each root becomes chains. The draft says only that the nodes
// below the root move, so chains are formed as in 0.x, from which this form comes.
static void read_rooted_springs(vrmi_import *import, const vrmi_range *on_node, uint32_t springs)
{
    const vrmi_json *json = import->json;
    const uint32_t settings = vrmi_read_array(&import->reader, import->spring_bone, "settings", VRMI_OPTIONAL);
    vrmi_spring_subtrees subtrees;
    vrmi_spring_subtrees_init(&subtrees, import);
    uint32_t index = 0;
    for (uint32_t item = vrmi_json_first(json, springs); item != VRMI_JSON_NONE && vrmi_import_tick(import, 1);
         item = vrmi_json_next(json, item), ++index) {
        if (vrmi_json_is(json, item, VRMI_JSON_OBJECT)) {
            read_rooted_spring(&subtrees, on_node, item, settings, index);
        } else {
            vrmi_reader_report_value(&import->reader, VRM_FINDING_TYPE_MISMATCH, item, "an object");
        }
    }
    vrmi_spring_reading_finish(&subtrees.reading);
}

static bool are_rooted(const vrmi_import *import, uint32_t springs)
{
    const vrmi_json *json = import->json;
    const uint32_t first = vrmi_json_first(json, springs);
    return vrmi_json_member(json, import->spring_bone, "settings") != VRMI_JSON_NONE ||
           vrmi_first_key(json, first, root_keys) != NULL;
}

void vrmi_draft_springs(vrmi_import *import)
{
    const vrmi_json *json = import->json;
    if (import->spring_bone == VRMI_JSON_NONE) {
        return;
    }
    static const char *const later[] = {"colliders", "colliderGroups", NULL};
    if (vrmi_first_key(json, import->spring_bone, later) != NULL) { // the file has the later keys for colliders
        vrmi_import_springs(import);
        return;
    }
    draft_springs d = {.import = import};
    d.on_node = vrmi_import_scratch(import, import->model.gltf_node.count, sizeof *d.on_node);
    if (d.on_node != NULL) {
        read_colliders(&d);
    }
    const uint32_t springs = vrmi_read_array(&import->reader, import->spring_bone, "springs", VRMI_OPTIONAL);
    if (vrmi_import_runs(import) && are_rooted(import, springs)) {
        read_rooted_springs(import, d.on_node, springs);
        return;
    }
    vrmi_spring_reading_init(&d.reading, import);
    d.marks = vrmi_import_scratch(import, import->model.collider.count, sizeof *d.marks);
    uint32_t index = 0;
    for (uint32_t item = vrmi_json_first(json, springs); item != VRMI_JSON_NONE && vrmi_import_tick(import, 1);
         item = vrmi_json_next(json, item), ++index) {
        if (!vrmi_json_is(json, item, VRMI_JSON_OBJECT)) {
            vrmi_reader_report_value(&import->reader, VRM_FINDING_TYPE_MISMATCH, item, "an object");
            continue;
        }
        vrmi_read_spring *spring = vrmi_import_push(import, &d.reading.springs);
        if (spring == NULL) {
            break;
        }
        *spring = (vrmi_read_spring){.json = item, .index = index, .center = -1};
        uint32_t center = 0;
        if (vrmi_import_node_index(
                import, item, "center", VRMI_OPTIONAL, &center)) { // not in the draft, but its meaning is clear
            spring->center = (int32_t)center;
        }
        vrmi_read_spring_joints(&d.reading, spring);
        read_spring_colliders(&d, spring);
    }
    vrmi_spring_reading_finish(&d.reading);
}
