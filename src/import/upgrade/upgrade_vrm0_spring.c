// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Reads secondaryAnimation of VRM 0.x. The subtree of each bone in a group becomes chains.

#include "import/avatar/spring_subtree.h"
#include "import/upgrade/upgrade.h"

typedef struct spring_upgrade {
    vrmi_import *import;
    vrmi_spring_subtrees subtrees;
    vrmi_range *groups; // indexed by collider group: range of its colliders
    uint32_t group_count;
} spring_upgrade;

// --- colliders -------------------------------------------------------------------------------------------------------

static void read_collider(vrmi_import *import, uint32_t collider, uint32_t node)
{
    vrmi_collider_row *row = vrmi_import_push(import, &import->model.collider);
    if (row == NULL) {
        return;
    }
    row->shape = VRM_COLLIDER_SPHERE;
    row->node = node;
    vrm_vec3 offset = {0.0f, 0.0f, 0.0f};
    (void)vrmi_read_xyz(&import->reader, collider, "offset", &offset);
    row->offset = (vrm_vec3){offset.x, offset.y, -offset.z}; // converted from left-handed axes
    (void)vrmi_read_float_range(&import->reader, collider, "radius", 0.0f, 3.0e38f, &row->radius);
}

static void read_collider_groups(spring_upgrade *u, uint32_t animation)
{
    vrmi_import *import = u->import;
    const vrmi_json *json = import->json;
    const uint32_t array = vrmi_read_array(&import->reader, animation, "colliderGroups", VRMI_OPTIONAL);
    u->group_count = vrmi_json_count(json, array);
    u->groups = vrmi_import_scratch(import, u->group_count, sizeof *u->groups);
    uint32_t index = 0;
    for (uint32_t group = vrmi_json_first(json, array); group != VRMI_JSON_NONE && vrmi_import_tick(import, 1);
         group = vrmi_json_next(json, group), ++index) {
        u->groups[index].first = import->model.collider.count;
        uint32_t node = 0;
        if (!vrmi_json_is(json, group, VRMI_JSON_OBJECT)) {
            vrmi_reader_report_value(&import->reader, VRM_FINDING_TYPE_MISMATCH, group, "an object");
            continue;
        }
        const uint32_t colliders = vrmi_read_array(&import->reader, group, "colliders", VRMI_OPTIONAL);
        if (!vrmi_read_index_or_none(&import->reader, group, "node", import->model.gltf_node.count, &node)) {
            continue; // an exporter's empty group, or an invalid index (reported)
        }
        node = VRMI_ROWS(import, gltf_node, uint32_t)[node];
        for (uint32_t item = vrmi_json_first(json, colliders); item != VRMI_JSON_NONE && vrmi_import_tick(import, 1);
             item = vrmi_json_next(json, item)) {
            read_collider(import, item, node);
        }
        u->groups[index].count = import->model.collider.count - u->groups[index].first;
    }
}

static void list_colliders(spring_upgrade *u, vrmi_spring_group *group)
{
    vrmi_import *import = u->import;
    const vrmi_json *json = import->json;
    const uint32_t array = vrmi_read_array(&import->reader, group->json, "colliderGroups", VRMI_OPTIONAL);
    vrmi_spring_group_begin(&u->subtrees, group);
    for (uint32_t item = vrmi_json_first(json, array); item != VRMI_JSON_NONE && vrmi_import_tick(import, 1);
         item = vrmi_json_next(json, item)) {
        uint32_t index = 0;
        double number = 0.0;
        if ((!vrmi_json_number(json, item, &number) || number >= 0.0) &&
            vrmi_read_index_element(&import->reader, item, u->group_count, &index)) {
            vrmi_spring_group_colliders(&u->subtrees, group, u->groups[index]);
        }
    }
}

// --- groups ----------------------------------------------------------------------------------------------------------

static void read_bone_group(spring_upgrade *u, uint32_t json_group, uint32_t index)
{
    vrmi_import *import = u->import;
    const vrmi_json *json = import->json;
    vrmi_reader *reader = &import->reader;
    vrmi_spring_group group = {.json = json_group, .index = index, .center = -1};
    // Values that the file omits get UniVRM's defaults.
    group.params = (vrm_spring_joint_params){0.02f, 1.0f, 0.0f, {0.0f, -1.0f, 0.0f}, 0.4f};
    (void)vrmi_read_float_range(reader, json_group, "hitRadius", 0.0f, 3.0e38f, &group.params.hit_radius);
    (void)vrmi_read_float_range(reader, json_group, "stiffiness", 0.0f, 3.0e38f, &group.params.stiffness);
    (void)vrmi_read_float_range(reader, json_group, "gravityPower", 0.0f, 3.0e38f, &group.params.gravity_power);
    (void)vrmi_read_float_range(reader, json_group, "dragForce", 0.0f, 1.0f, &group.params.drag_force);
    vrm_vec3 gravity;
    if (vrmi_read_xyz(reader, json_group, "gravityDir", &gravity)) {
        // The file's vector is left-handed, in a world where the avatar faces +Z. So it becomes (x, y, -z) and is
        // rotated by half a turn. UniVRM migrates it in the same way; three-vrm uses x and z unchanged.
        group.params.gravity_dir = (vrm_vec3){-gravity.x, gravity.y, gravity.z};
    }
    uint32_t node = 0;
    if (vrmi_read_index_or_none(reader, json_group, "center", import->model.gltf_node.count, &node)) {
        group.center = (int32_t)VRMI_ROWS(import, gltf_node, uint32_t)[node];
    }
    list_colliders(u, &group);
    const uint32_t bones = vrmi_read_array(reader, json_group, "bones", VRMI_OPTIONAL);
    for (uint32_t entry = vrmi_json_first(json, bones); entry != VRMI_JSON_NONE && vrmi_import_tick(import, 1);
         entry = vrmi_json_next(json, entry)) {
        double number = 0.0;
        if (vrmi_json_number(json, entry, &number) && number < 0.0) {
            continue; // -1: no bone
        }
        if (vrmi_read_index_element(reader, entry, import->model.gltf_node.count, &node)) {
            vrmi_spring_group_root(&u->subtrees, &group, VRMI_ROWS(import, gltf_node, uint32_t)[node], entry);
        }
    }
}

void vrmi_vrm0_springs(vrmi_import *import)
{
    const vrmi_json *json = import->json;
    const uint32_t animation = vrmi_read_object(&import->reader, import->vrm, "secondaryAnimation", VRMI_OPTIONAL);
    if (animation == VRMI_JSON_NONE) {
        return;
    }
    spring_upgrade u = {.import = import};
    read_collider_groups(&u, animation);
    vrmi_spring_subtrees_init(&u.subtrees, import);
    const uint32_t groups = vrmi_read_array(&import->reader, animation, "boneGroups", VRMI_OPTIONAL);
    uint32_t index = 0;
    for (uint32_t group = vrmi_json_first(json, groups); group != VRMI_JSON_NONE && vrmi_import_tick(import, 1);
         group = vrmi_json_next(json, group), ++index) {
        if (vrmi_json_is(json, group, VRMI_JSON_OBJECT)) {
            read_bone_group(&u, group, index);
        } else {
            vrmi_reader_report_value(&import->reader, VRM_FINDING_TYPE_MISMATCH, group, "an object");
        }
    }
    vrmi_spring_reading_finish(&u.subtrees.reading);
}
