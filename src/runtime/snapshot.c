// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Snapshots: the host's input, and the state that depends on time. They are little-endian and contain no derived
// values.

#include "base/checks.h"
#include "base/float_environment.h"
#include "math/cursor.h"
#include "runtime/clip/clip.h"
#include "runtime/core/hierarchy.h"

#include <string.h>

#define SNAPSHOT_MAGIC 0x53524d56u // "VMRS"
#define SNAPSHOT_VERSION 15u

// Visits values that a snapshot must match: the sizes of the avatar and of the def.
static void walk_header(const vrm_instance *instance, vrmi_cursor *cursor)
{
    const vrmi_model *m = instance->model;
    const uint32_t expected[] = {SNAPSHOT_MAGIC, SNAPSHOT_VERSION, m->size, m->node_parent.count, m->expression.count,
        m->morph_base.count, m->spring_chain.count, m->spring_joint.count, instance->def.host_colliders,
        (instance->def.spring_parameters ? 1u : 0u) | (instance->def.hair_inputs ? 2u : 0u),
        instance->def.look_chain_bones, instance->def.look_chain_links, instance->def.ragdoll_bodies};
    vrmi_cursor_header(cursor, expected, VRMI_COUNT_OF(expected));
}

// Returns a bit mask of the members in which two transforms differ, compared bit by bit.
static uint32_t parts_that_differ(const vrm_transform *a, const vrm_transform *b)
{
    return (memcmp(&a->translation, &b->translation, sizeof(a->translation)) != 0 ? 1u : 0u) |
           (memcmp(&a->rotation, &b->rotation, sizeof(a->rotation)) != 0 ? 2u : 0u) |
           (memcmp(&a->scale, &b->scale, sizeof(a->scale)) != 0 ? 4u : 0u);
}

static uint32_t parts_of_input(const vrm_instance *instance, uint32_t node)
{
    return vrmi_has_pose(instance, node)
               ? parts_that_differ(vrmi_input(instance, node), &vrmi_model_node_rest(instance->model)[node])
               : 0;
}

// Visits only nodes that are not at rest, and of these only the members that differ from the rest pose. An entry is
// node * 8 + mask, then the members.
static void walk_pose(vrm_instance *instance, vrmi_cursor *cursor)
{
    const uint32_t nodes = instance->model->node_parent.count;
    const bool reads = vrmi_cursor_reads(cursor);
    uint32_t count = 0;
    for (uint32_t node = 0; !reads && node < nodes; ++node) {
        count += parts_of_input(instance, node) != 0 ? 1u : 0u;
    }
    count = vrmi_cursor_steer(cursor, count, nodes);
    if (cursor->mode == VRMI_CURSOR_LOAD) {
        vrmi_instance_rest_input(instance);
    }
    uint32_t node = 0; // the next node that may have an entry
    for (uint32_t i = 0; i < count && !cursor->failed; ++i) {
        uint32_t parts = 0;
        while (!reads && (parts = parts_of_input(instance, node)) == 0) {
            ++node;
        }
        const uint32_t low = node * 8;
        const uint32_t entry = vrmi_cursor_steer(cursor, node * 8 + parts, nodes * 8 - 1);
        node = entry / 8;
        parts = entry % 8;
        vrmi_cursor_require(cursor, entry >= low && parts != 0 && vrmi_has_pose(instance, node));
        if (cursor->failed) {
            return;
        }
        if (cursor->mode == VRMI_CURSOR_LOAD) {
            vrmi_instance_mark_input(instance, node);
        }
        vrm_transform *input = vrmi_input(instance, node++);
        if (parts & 1u) {
            vrmi_cursor_vec3(cursor, &input->translation);
        }
        if (parts & 2u) {
            vrmi_cursor_quat(cursor, &input->rotation);
        }
        if (parts & 4u) {
            vrmi_cursor_vec3(cursor, &input->scale);
        }
    }
}

static void walk(void *state, vrmi_cursor *cursor)
{
    vrm_instance *instance = state;
    walk_header(instance, cursor);
    vrmi_cursor_u32(cursor, &instance->status, UINT32_MAX);
    vrmi_cursor_root(cursor, &instance->root);
    vrmi_cursor_double(cursor, &instance->clock, 0.0, VRMI_DOUBLE_MAX);
    vrmi_lod_snapshot(instance, cursor);
    walk_pose(instance, cursor);
    vrmi_clip_snapshot(instance, cursor);
    vrmi_look_snapshot(instance, cursor);
    vrmi_ragdoll_snapshot(instance, cursor);
    vrmi_expression_snapshot(instance, cursor);
    vrmi_spring_snapshot(instance, cursor);
}

vrm_result vrm_instance_snapshot(const vrm_instance *instance, void *buffer, size_t *size)
{
    if (instance == NULL || size == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    vrm_instance *unchanged = (vrm_instance *)instance; // counting and saving change nothing
    return vrmi_snapshot_save(walk, unchanged, buffer, size);
}

vrm_result vrm_instance_restore(vrm_instance *instance, const void *buffer, size_t size)
{
    if (instance == NULL || buffer == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const vrmi_float_environment host = vrmi_float_enter();
    const vrm_result result = vrmi_snapshot_load(walk, instance, buffer, size);
    if (result == VRM_SUCCESS) {
        const uint32_t nodes = instance->model->node_parent.count;
        memcpy(instance->local, instance->input, instance->pose_rows * sizeof(*instance->local));
        vrmi_hierarchy_root(instance);
        vrmi_hierarchy_update(instance, 0, nodes);
        instance->pose_changed = false;
        instance->hair_at_rest = true; // because `local` is a copy of the input, not the springs' result
        instance->look_active = false;
        instance->outputs_stale = true;
    }
    vrmi_float_leave(host);
    return result;
}
