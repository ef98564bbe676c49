// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// VRM 0.x secondaryAnimation: the subtree of each bone of a group becomes chains. A node swings towards its first
// child; its other children begin chains of their own; a leaf swings towards a point 7 cm on in its own direction.

#include <string.h>

#include "import/import_spring.h"
#include "import/upgrade.h"
#include "math/quat.h"
#include "math/vec3.h"

#define VIRTUAL_TAIL 0.07f // metres

typedef struct spring_upgrade {
    vrmi_import *import;
    vrmi_spring_reading reading;
    vrmi_range *groups;     // colliders of each collider group
    uint32_t group_count;
    uint32_t *marks;        // by collider: last list that has it, plus 1
    uint32_t lists;
    uint64_t pairs;         // of chains and colliders
    uint32_t *owner;        // by node: JSON of the group's entry that swings it, 0 for none
} spring_upgrade;

// What all chains of a bone group share.
typedef struct bone_group {
    uint32_t json, index;
    uint32_t joints; // so far
    uint32_t first_collider, collider_count;
    int32_t center;
    vrm_spring_joint_params params;
} bone_group;

// --- colliders -------------------------------------------------------------------------------------------------------

static void read_collider(vrmi_import *import, uint32_t collider, uint32_t node)
{
    vrm_collider *row = vrmi_import_push(import, &import->model.collider);
    if (row == NULL) {
        return;
    }
    row->shape = VRM_COLLIDER_SPHERE;
    row->node = node;
    vrm_vec3 offset = {0.0f, 0.0f, 0.0f};
    (void)vrmi_read_xyz(&import->reader, collider, "offset", &offset);
    row->offset = (vrm_vec3){offset.x, offset.y, -offset.z}; // left-handed
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
            vrmi_reader_report_value(&import->reader, VRM_FINDING_TYPE_MISMATCH, group, "object");
            continue;
        }
        const uint32_t colliders = vrmi_read_array(&import->reader, group, "colliders", VRMI_OPTIONAL);
        if (!vrmi_read_index_or_none(&import->reader, group, "node", import->model.gltf_node.count, &node)) {
            continue; // an empty group of an exporter, or reported
        }
        node = VRMI_ROWS(import, gltf_node, uint32_t)[node];
        for (uint32_t item = vrmi_json_first(json, colliders); item != VRMI_JSON_NONE && vrmi_import_tick(import, 1);
             item = vrmi_json_next(json, item)) {
            read_collider(import, item, node);
        }
        u->groups[index].count = import->model.collider.count - u->groups[index].first;
    }
}

// Lists of colliders grow as products, which no bytes of the file back (and which nobody could run).
static bool count_pairs(spring_upgrade *u, const bone_group *group, uint32_t more)
{
    u->pairs += more;
    if (u->pairs > u->import->def->limits.max_elements) {
        vrmi_reader_report(&u->import->reader, VRM_FINDING_LIMIT_EXCEEDED, group->json, NULL, NULL,
            "fewer pairs of springs and colliders");
        vrmi_import_stop(u->import, VRM_ERROR_LIMIT);
    }
    return vrmi_import_tick(u->import, more);
}

// The colliders of a bone group, each once.
static void list_colliders(spring_upgrade *u, bone_group *group)
{
    vrmi_import *import = u->import;
    const vrmi_json *json = import->json;
    const uint32_t array = vrmi_read_array(&import->reader, group->json, "colliderGroups", VRMI_OPTIONAL);
    group->first_collider = import->model.chain_collider.count;
    ++u->lists;
    for (uint32_t item = vrmi_json_first(json, array); item != VRMI_JSON_NONE && vrmi_import_tick(import, 1);
         item = vrmi_json_next(json, item)) {
        uint32_t index = 0;
        double number = 0.0;
        if ((vrmi_json_number(json, item, &number) && number < 0.0) ||
            !vrmi_read_index_element(&import->reader, item, u->group_count, &index)) {
            continue;
        }
        for (uint32_t i = 0; i < u->groups[index].count && count_pairs(u, group, 1); ++i) {
            const uint32_t collider = u->groups[index].first + i;
            uint32_t *row =
                u->marks[collider] == u->lists ? NULL : vrmi_import_push(import, &import->model.chain_collider);
            if (row != NULL) {
                u->marks[collider] = u->lists;
                *row = collider;
            }
        }
    }
    group->collider_count = import->model.chain_collider.count - group->first_collider;
}

// --- chains ----------------------------------------------------------------------------------------------------------

// 7 cm on from where the node lies to its parent, along that line; in the node's own space.
static vrm_vec3 virtual_tail(const vrmi_import *import, uint32_t node)
{
    const vrm_transform *rest = &VRMI_ROWS(import, node_rest, vrm_transform)[node];
    const vrm_vec3 none = {0.0f, 0.0f, 0.0f};
    const vrm_vec3 way = vrmi_vec3_normalize_or(rest->translation, none);
    return vrmi_vec3_scale(vrmi_quat_rotate(vrmi_quat_conjugate(rest->rotation), way), VIRTUAL_TAIL);
}

// Adds a joint to the chain under construction, the last of the reading.
static vrmi_read_spring *add_joint(spring_upgrade *u, const bone_group *group, uint32_t node, uint32_t entry)
{
    vrmi_read_joint *joint = vrmi_import_push(u->import, &u->reading.joints);
    if (joint == NULL) {
        return NULL;
    }
    joint->json = entry;
    joint->node = node;
    joint->params = group->params;
    joint->limit = (vrm_spring_limit){VRM_SPRING_LIMIT_NONE, 0.0f, 0.0f, {0.0f, 0.0f, 0.0f, 1.0f}};
    vrmi_read_spring *spring = (vrmi_read_spring *)u->reading.springs.items + (u->reading.springs.count - 1);
    ++spring->joint_count;
    return spring;
}

// Whoever swings a node already keeps it: the chain ends there.
static bool claim(spring_upgrade *u, uint32_t node, uint32_t entry)
{
    if (u->owner[node] == 0) {
        u->owner[node] = entry;
        return true;
    }
    return false;
}

static void read_chain(spring_upgrade *u, bone_group *group, uint32_t node, uint32_t entry)
{
    vrmi_import *import = u->import;
    const uint32_t *ends = VRMI_ROWS(import, node_subtree_end, uint32_t);
    vrmi_read_spring *spring =
        count_pairs(u, group, group->collider_count) ? vrmi_import_push(import, &u->reading.springs) : NULL;
    if (spring == NULL) {
        return;
    }
    *spring = (vrmi_read_spring){.json = group->json,
        .index = group->index,
        .first_index = group->joints,
        .first_joint = u->reading.joints.count,
        .first_collider = group->first_collider,
        .collider_count = group->collider_count,
        .center = group->center};
    while (vrmi_import_tick(import, 1) && add_joint(u, group, node, entry) != NULL) {
        ++group->joints;
        const uint32_t child = node + 1; // in node order the first child follows its parent
        if (child >= ends[node]) {
            spring = add_joint(u, group, node, entry); // stands for the tail
            if (spring != NULL) {
                spring->virtual_tail = true;
                spring->tail = virtual_tail(import, node);
            }
            return;
        }
        if (!claim(u, child, entry)) {
            (void)add_joint(u, group, child, entry);
            return;
        }
        node = child;
    }
}

static void read_root(spring_upgrade *u, bone_group *group, uint32_t root, uint32_t entry)
{
    vrmi_import *import = u->import;
    const int32_t *parents = VRMI_ROWS(import, node_parent, int32_t);
    const uint32_t *ends = VRMI_ROWS(import, node_subtree_end, uint32_t);
    for (uint32_t node = root; node < ends[root] && vrmi_import_tick(import, 1);) {
        const bool begins = node == root || parents[node] != (int32_t)node - 1;
        if (begins && !claim(u, node, entry)) {
            char other[256];
            vrmi_json_path(import->json, u->owner[node], other, sizeof other);
            vrmi_reader_report(
                &import->reader, VRM_FINDING_VRM1_SPRING_OVERLAP, entry, NULL, other, "nodes of its own");
            node = ends[node];
            continue;
        }
        if (begins) {
            read_chain(u, group, node, entry);
        }
        // A first child that another group has ended the chain: what hangs on it is the other group's too.
        node = u->owner[node] == entry ? node + 1 : ends[node];
    }
}

static void read_bone_group(spring_upgrade *u, uint32_t json_group, uint32_t index)
{
    vrmi_import *import = u->import;
    const vrmi_json *json = import->json;
    vrmi_reader *reader = &import->reader;
    bone_group group = {.json = json_group, .index = index, .center = -1};
    // What UniVRM's component holds where the file is silent.
    group.params = (vrm_spring_joint_params){0.02f, 1.0f, 0.0f, {0.0f, -1.0f, 0.0f}, 0.4f};
    (void)vrmi_read_float_range(reader, json_group, "hitRadius", 0.0f, 3.0e38f, &group.params.hit_radius);
    (void)vrmi_read_float_range(reader, json_group, "stiffiness", 0.0f, 3.0e38f, &group.params.stiffness);
    (void)vrmi_read_float_range(reader, json_group, "gravityPower", 0.0f, 3.0e38f, &group.params.gravity_power);
    (void)vrmi_read_float_range(reader, json_group, "dragForce", 0.0f, 1.0f, &group.params.drag_force);
    vrm_vec3 gravity;
    if (vrmi_read_xyz(reader, json_group, "gravityDir", &gravity)) {
        // Left-handed, in a world where the avatar faces +Z: (x, y, -z) in the file, then half a turn. As UniVRM
        // migrates it; three-vrm takes x and z as they are.
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
            continue; // -1: none
        }
        if (vrmi_read_index_element(reader, entry, import->model.gltf_node.count, &node)) {
            read_root(u, &group, VRMI_ROWS(import, gltf_node, uint32_t)[node], entry);
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
    vrmi_spring_reading_init(&u.reading, import);
    read_collider_groups(&u, animation);
    u.marks = vrmi_import_scratch(import, import->model.collider.count, sizeof *u.marks);
    u.owner = vrmi_import_scratch(import, import->model.node_gltf.count, sizeof *u.owner);
    const uint32_t groups = vrmi_read_array(&import->reader, animation, "boneGroups", VRMI_OPTIONAL);
    uint32_t index = 0;
    for (uint32_t group = vrmi_json_first(json, groups); group != VRMI_JSON_NONE && vrmi_import_tick(import, 1);
         group = vrmi_json_next(json, group), ++index) {
        if (vrmi_json_is(json, group, VRMI_JSON_OBJECT)) {
            read_bone_group(&u, group, index);
        } else {
            vrmi_reader_report_value(&import->reader, VRM_FINDING_TYPE_MISMATCH, group, "object");
        }
    }
    vrmi_spring_reading_finish(&u.reading);
}
