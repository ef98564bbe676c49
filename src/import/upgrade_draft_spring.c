// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The draft's springs: they name nodes to collide with, and colliders are on the nodes (VRMC_node_collider).

#include "import/import_collider.h"
#include "import/import_spring.h"
#include "import/upgrade.h"

typedef struct draft_springs {
    vrmi_import *import;
    vrmi_spring_reading reading;
    vrmi_range *on_node; // colliders by node
    uint32_t *marks;     // by collider: last spring that has it, plus 1
    uint64_t pairs;
} draft_springs;

static void read_shapes(draft_springs *d, uint32_t node, uint32_t extension)
{
    vrmi_import *import = d->import;
    const vrmi_json *json = import->json;
    const uint32_t shapes = vrmi_read_array(&import->reader, extension, "shapes", VRMI_REQUIRED);
    d->on_node[node].first = import->model.collider.count;
    for (uint32_t item = vrmi_json_first(json, shapes); item != VRMI_JSON_NONE && vrmi_import_tick(import, 1);
         item = vrmi_json_next(json, item)) {
        vrm_collider *row = vrmi_import_push(import, &import->model.collider);
        if (row == NULL) {
            return;
        }
        row->node = node;
        vrmi_import_shape(import, item, false, row);
    }
    d->on_node[node].count = import->model.collider.count - d->on_node[node].first;
}

static void read_colliders(draft_springs *d)
{
    vrmi_import *import = d->import;
    const uint32_t count = import->model.gltf_node.count;
    for (uint32_t gltf = 0; gltf < count && vrmi_import_tick(import, 1); ++gltf) { // file order
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
        d->pairs += range.count;
        if (d->pairs > import->def->limits.max_elements) {
            vrmi_reader_report(&import->reader, VRM_FINDING_LIMIT_EXCEEDED, spring->json, "colliders", NULL,
                "fewer pairs of springs and colliders");
            vrmi_import_stop(import, VRM_ERROR_LIMIT);
            return;
        }
        for (uint32_t i = range.first; i < range.first + range.count && vrmi_import_tick(import, 1); ++i) {
            uint32_t *row = d->marks[i] == spring->index + 1
                                ? NULL
                                : vrmi_import_push(import, &import->model.chain_collider);
            if (row != NULL) {
                d->marks[i] = spring->index + 1;
                *row = i;
            }
        }
    }
    spring->collider_count = import->model.chain_collider.count - spring->first_collider;
}

void vrmi_draft_springs(vrmi_import *import)
{
    const vrmi_json *json = import->json;
    if (import->spring_bone == VRMI_JSON_NONE) {
        return;
    }
    static const char *const later[] = {"colliders", "colliderGroups", NULL};
    if (vrmi_first_key(json, import->spring_bone, later) != NULL) { // colliders have moved there already
        vrmi_import_springs(import);
        return;
    }
    draft_springs d = {.import = import};
    vrmi_spring_reading_init(&d.reading, import);
    d.on_node = vrmi_import_scratch(import, import->model.gltf_node.count, sizeof *d.on_node);
    if (d.on_node != NULL) {
        read_colliders(&d);
    }
    d.marks = vrmi_import_scratch(import, import->model.collider.count, sizeof *d.marks);
    const uint32_t springs = vrmi_read_array(&import->reader, import->spring_bone, "springs", VRMI_OPTIONAL);
    uint32_t index = 0;
    for (uint32_t item = vrmi_json_first(json, springs); item != VRMI_JSON_NONE && vrmi_import_tick(import, 1);
         item = vrmi_json_next(json, item), ++index) {
        if (!vrmi_json_is(json, item, VRMI_JSON_OBJECT)) {
            vrmi_reader_report_value(&import->reader, VRM_FINDING_TYPE_MISMATCH, item, "object");
            continue;
        }
        vrmi_read_spring *spring = vrmi_import_push(import, &d.reading.springs);
        if (spring == NULL) {
            break;
        }
        *spring = (vrmi_read_spring){.json = item, .index = index, .center = -1};
        uint32_t center = 0;
        if (vrmi_import_node_index(import, item, "center", VRMI_OPTIONAL, &center)) { // not of the draft, but clear
            spring->center = (int32_t)center;
        }
        vrmi_read_spring_joints(&d.reading, spring);
        read_spring_colliders(&d, spring);
    }
    vrmi_spring_reading_finish(&d.reading);
}
