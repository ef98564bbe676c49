// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "import/avatar/spring_subtree.h"

#include "math/quat.h"
#include "math/vec3.h"

#define VIRTUAL_TAIL 0.07f // metres

void vrmi_spring_subtrees_init(vrmi_spring_subtrees *u, vrmi_import *import)
{
    *u = (vrmi_spring_subtrees){.import = import};
    vrmi_spring_reading_init(&u->reading, import);
    u->marks = vrmi_import_scratch(import, import->model.collider.count, sizeof *u->marks);
    u->owner = vrmi_import_scratch(import, import->model.node_gltf.count, sizeof *u->owner);
}

// --- colliders -------------------------------------------------------------------------------------------------------

void vrmi_spring_group_begin(vrmi_spring_subtrees *u, vrmi_spring_group *group)
{
    group->first_collider = u->import->model.chain_collider.count;
    group->collider_count = 0;
    ++u->lists;
}

void vrmi_spring_group_colliders(vrmi_spring_subtrees *u, vrmi_spring_group *group, vrmi_range colliders)
{
    vrmi_import *import = u->import;
    for (uint32_t i = 0; i < colliders.count && vrmi_spring_count_pairs(&u->reading, group->json, NULL, 1); ++i) {
        const uint32_t collider = colliders.first + i;
        uint32_t *row = u->marks[collider] == u->lists ? NULL : vrmi_import_push(import, &import->model.chain_collider);
        if (row != NULL) {
            u->marks[collider] = u->lists;
            *row = collider;
        }
    }
    group->collider_count = import->model.chain_collider.count - group->first_collider;
}

// --- chains ----------------------------------------------------------------------------------------------------------

// Returns a point 7 cm beyond the node on the line from its parent, in the node's own space.
static vrm_vec3 virtual_tail(const vrmi_import *import, uint32_t node)
{
    const vrm_transform *rest = &VRMI_ROWS(import, node_rest, vrm_transform)[node];
    const vrm_vec3 none = {0.0f, 0.0f, 0.0f};
    const vrm_vec3 way = vrmi_vec3_normalize_or(rest->translation, none);
    return vrmi_vec3_scale(vrmi_quat_rotate(vrmi_quat_conjugate(rest->rotation), way), VIRTUAL_TAIL);
}

// Adds a joint to the last spring of the reading, which is being built.
static vrmi_read_spring *add_joint(
    vrmi_spring_subtrees *u, const vrmi_spring_group *group, uint32_t node, uint32_t entry)
{
    vrmi_read_joint *joint = vrmi_import_push(u->import, &u->reading.joints);
    if (joint == NULL) {
        return NULL;
    }
    joint->json = entry;
    joint->index = group->joints; // unused for the last joint, which stands for the tail
    joint->node = node;
    joint->params = group->params;
    joint->limit = (vrm_spring_limit){VRM_SPRING_LIMIT_NONE, 0.0f, 0.0f, {0.0f, 0.0f, 0.0f, 1.0f}};
    vrmi_read_spring *spring = (vrmi_read_spring *)u->reading.springs.items + (u->reading.springs.count - 1);
    ++spring->joint_count;
    return spring;
}

// Claims a node for a chain. Returns false if another chain already moves it; the new chain then ends there.
static bool claim(vrmi_spring_subtrees *u, uint32_t node, uint32_t entry)
{
    if (u->owner[node] == 0) {
        u->owner[node] = entry;
        return true;
    }
    return false;
}

static void read_chain(vrmi_spring_subtrees *u, vrmi_spring_group *group, uint32_t node, uint32_t entry)
{
    vrmi_import *import = u->import;
    const uint32_t *ends = VRMI_ROWS(import, node_subtree_end, uint32_t);
    vrmi_read_spring *spring = vrmi_spring_count_pairs(&u->reading, group->json, NULL, group->collider_count)
                                   ? vrmi_import_push(import, &u->reading.springs)
                                   : NULL;
    if (spring == NULL) {
        return;
    }
    *spring = (vrmi_read_spring){.json = group->json,
        .index = group->index,
        .first_joint = u->reading.joints.count,
        .first_collider = group->first_collider,
        .collider_count = group->collider_count,
        .center = group->center};
    while (vrmi_import_tick(import, 1) && add_joint(u, group, node, entry) != NULL) {
        ++group->joints;
        const uint32_t child = node + 1; // in node order, a node's first child comes directly after it
        if (child >= ends[node]) {
            spring = add_joint(u, group, node, entry); // this joint becomes the tail
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

void vrmi_spring_group_root(vrmi_spring_subtrees *u, vrmi_spring_group *group, uint32_t root, uint32_t entry)
{
    vrmi_import *import = u->import;
    const int32_t *parents = VRMI_ROWS(import, node_parent, int32_t);
    const uint32_t *ends = VRMI_ROWS(import, node_subtree_end, uint32_t);
    for (uint32_t node = root; node < ends[root] && vrmi_import_tick(import, 1);) {
        const bool begins = node == root || parents[node] != (int32_t)node - 1;
        if (begins && !claim(u, node, entry)) {
            char other[256];
            vrmi_json_path(import->json, u->owner[node], other, sizeof other);
            vrmi_reader_report(&import->reader, VRM_FINDING_VRM1_SPRING_OVERLAP, entry, NULL, other,
                "nodes that no other spring uses");
            node = ends[node];
            continue;
        }
        if (begins) {
            read_chain(u, group, node, entry);
        }
        // If the chain ended at a first child of another group, the nodes below that child also belong to that group.
        node = u->owner[node] == entry ? node + 1 : ends[node];
    }
}
