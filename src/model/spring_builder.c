// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Lays spring joints out in lanes (spring_lanes.h), once chains and colliders are known.

#include "model/spring_builder.h"

#include "base/allocator.h"

#include <string.h>

enum { MAX_CHAIN_COLLIDERS = 32 }; // of a chain in lockstep

#define ROWS(builder, table, type) ((type *)(builder)->table.items)

static void *push(vrmi_model_builder *builder, vrmi_array *table)
{
    void *row = vrmi_array_push(table, &builder->allocator);
    builder->out_of_memory = builder->out_of_memory || row == NULL;
    return row;
}

static vrmi_spring_tables tables_of(const vrmi_model_builder *builder)
{
    return (vrmi_spring_tables){ROWS(builder, spring_chain, vrmi_chain_row),
        ROWS(builder, spring_joint, vrm_spring_joint), ROWS(builder, node_parent, int32_t),
        ROWS(builder, node_rest, vrm_transform)};
}

// Sort key: simple chains first, so that groups are of one kind; longest first, so that chains of about one length
// share a group.
static uint32_t key_of(const vrmi_spring_tables *tables, uint32_t chain, uint32_t longest)
{
    const uint32_t shorter = longest - tables->chains[chain].joint_count;
    return vrmi_spring_chain_is_simple(tables, chain) ? shorter : longest + 1 + shorter;
}

// Chains by key, those of one key in their order: a counting sort. `starts` has room for all keys and one more.
static void sort_chains(
    const vrmi_spring_tables *tables, uint32_t count, uint32_t longest, uint32_t *starts, uint32_t *out_order)
{
    for (uint32_t i = 0; i < count; ++i) {
        ++starts[key_of(tables, i, longest) + 1];
    }
    for (uint32_t key = 0; key < 2 * (longest + 1); ++key) {
        starts[key + 1] += starts[key];
    }
    for (uint32_t i = 0; i < count; ++i) {
        out_order[starts[key_of(tables, i, longest)]++] = i;
    }
}

// Merges a chain's colliders into the group's list in their order; false when they are too many.
static bool merge_colliders(
    vrmi_model_builder *builder, vrmi_spring_group_row *group, const vrmi_chain_row *chain, uint32_t lane)
{
    const uint32_t *indices = ROWS(builder, chain_collider, uint32_t) + chain->first_collider;
    if (chain->collider_count > MAX_CHAIN_COLLIDERS) {
        return false;
    }
    uint32_t at = 0, places[MAX_CHAIN_COLLIDERS], count = group->collider_count;
    const vrmi_spring_group_collider *list =
        ROWS(builder, spring_group_collider, vrmi_spring_group_collider) + group->first_collider;
    for (uint32_t i = 0; i < chain->collider_count; ++i) {
        uint32_t found = at;
        while (found < group->collider_count && list[found].collider != indices[i]) {
            ++found;
        }
        const bool is_new = found == group->collider_count; // those after a new one stand behind it
        places[i] = is_new ? count++ : found;
        at = is_new ? found : found + 1;
    }
    if (count > VRMI_SPRING_MAX_GROUP_COLLIDERS) {
        return false;
    }
    for (uint32_t i = 0; i < chain->collider_count; ++i) {
        if (places[i] >= group->collider_count) {
            vrmi_spring_group_collider *row = push(builder, &builder->spring_group_collider);
            if (row == NULL) {
                return false;
            }
            row->collider = indices[i];
            ++group->collider_count;
        }
        vrmi_spring_group_collider *row = ROWS(builder, spring_group_collider, vrmi_spring_group_collider);
        row[group->first_collider + places[i]].lanes |= 1u << lane;
    }
    return true;
}

static void write_group(vrmi_model_builder *builder, const uint32_t *chains, uint32_t count)
{
    const vrmi_spring_tables tables = tables_of(builder);
    vrmi_spring_group_row group = {
        .first_row = builder->spring_bone_lanes.count, .first_collider = builder->spring_group_collider.count};
    uint32_t *slots = ROWS(builder, spring_slot, uint32_t);
    for (uint32_t lane = 0; lane < VRMI_LANES; ++lane) {
        group.chains[lane] = lane < count ? (int32_t)chains[lane] : VRMI_SPRING_NO_CHAIN;
        if (lane >= count) {
            continue;
        }
        const vrmi_chain_row *chain = &tables.chains[chains[lane]];
        group.row_count = chain->joint_count > group.row_count ? chain->joint_count : group.row_count;
        for (uint32_t j = 0; j < chain->joint_count; ++j) {
            slots[chain->first_joint + j] = (group.first_row + j) * VRMI_LANES + lane;
        }
        if (vrmi_spring_chain_is_simple(&tables, chains[lane]) && merge_colliders(builder, &group, chain, lane)) {
            group.lanes |= 1u << lane;
        }
    }
    for (uint32_t depth = 0; depth < group.row_count && !builder->out_of_memory; ++depth) {
        vrmi_spring_bone_lanes *bones = push(builder, &builder->spring_bone_lanes);
        vrmi_spring_param_lanes *params = push(builder, &builder->spring_param_lanes);
        if (bones != NULL && params != NULL) {
            vrmi_spring_fill_row(&tables, &group, depth, bones, params);
        }
    }
    vrmi_spring_group_row *row = push(builder, &builder->spring_group);
    if (row != NULL) {
        *row = group;
    }
}

void vrmi_model_builder_lay_springs(vrmi_model_builder *builder)
{
    const vrmi_spring_tables tables = tables_of(builder);
    const uint32_t chains = builder->spring_chain.count, joints = builder->spring_joint.count;
    if (chains == 0 || builder->out_of_memory) {
        return;
    }
    uint32_t longest = 0;
    for (uint32_t i = 0; i < chains; ++i) {
        longest = tables.chains[i].joint_count > longest ? tables.chains[i].joint_count : longest;
    }
    const size_t scratch = ((size_t)chains + 2 * ((size_t)longest + 1) + 1) * sizeof(uint32_t);
    uint32_t *order = vrmi_allocate(&builder->allocator, scratch, sizeof(uint32_t));
    if (order == NULL || !vrmi_array_reserve(&builder->spring_slot, &builder->allocator, joints)) {
        builder->out_of_memory = true;
    } else {
        memset(order, 0, scratch);
        builder->spring_slot.count = joints;
        sort_chains(&tables, chains, longest, order + chains, order);
        for (uint32_t i = 0; i < chains && !builder->out_of_memory; i += VRMI_LANES) {
            write_group(builder, order + i, chains - i < VRMI_LANES ? chains - i : VRMI_LANES);
        }
    }
    vrmi_release(&builder->allocator, order, scratch);
}
