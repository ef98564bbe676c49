// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Arranges nodes in rows of eight whose world matrices are computed at once; each node's parent is in an earlier row. A
// node belongs either to the tree or to the hair, and the hair comes last. The hair consists of the subtrees of spring
// chains in which no node is needed before the springs run.

#include "model/node_builder.h"

#include "base/allocator.h"

#include <string.h>

#define ROWS(builder, table, type) ((type *)(builder)->table.items)

typedef enum node_kind { TREE, HAIR, FOLLOWER } node_kind;

typedef struct laying {
    vrmi_model_builder *builder;
    uint32_t count;
    uint32_t *height; // length of the longest path down, by node
    uint32_t *kind;   // node_kind of each node: selects its rows
    uint32_t *heap;   // nodes whose parents are already placed, the highest first
    uint32_t ready;   // number of nodes in the heap
} laying;

// Nodes with the longest path below them come first, so that long branches begin early; otherwise these branches would
// end in rows with few nodes. Nodes with equal paths are in node order.
static bool comes_before(const laying *l, uint32_t a, uint32_t b)
{
    return l->height[a] != l->height[b] ? l->height[a] > l->height[b] : a < b;
}

static void make_ready(laying *l, uint32_t node)
{
    uint32_t at = l->ready++;
    for (; at > 0 && comes_before(l, node, l->heap[(at - 1) / 2]); at = (at - 1) / 2) {
        l->heap[at] = l->heap[(at - 1) / 2];
    }
    l->heap[at] = node;
}

static uint32_t take_first(laying *l)
{
    const uint32_t first = l->heap[0], last = l->heap[--l->ready];
    uint32_t at = 0;
    for (uint32_t child = 1; child < l->ready; child = 2 * at + 1) {
        child += child + 1 < l->ready && comes_before(l, l->heap[child + 1], l->heap[child]) ? 1u : 0u;
        if (!comes_before(l, l->heap[child], last)) {
            break;
        }
        l->heap[at] = l->heap[child];
        at = child;
    }
    l->heap[at] = last;
    return first;
}

static void measure_heights(laying *l)
{
    const int32_t *parents = ROWS(l->builder, node_parent, int32_t);
    for (uint32_t i = l->count; i-- > 0;) {
        if (parents[i] >= 0 && l->height[parents[i]] <= l->height[i]) {
            l->height[parents[i]] = l->height[i] + 1;
        }
    }
}

// Bones, and nodes that constraints read or write, are needed before springs run, so they are not hair.
static void find_hair(laying *l)
{
    vrmi_model_builder *b = l->builder;
    uint32_t *needed = l->heap; // number of needed nodes before each node; the heap is not in use yet
    memset(needed, 0, l->count * sizeof(*needed));
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        if (b->head.bone_node[bone] >= 0) {
            needed[b->head.bone_node[bone]] = 1;
        }
    }
    for (uint32_t i = 0; i < b->constraint.count; ++i) {
        needed[ROWS(b, constraint, vrmi_constraint_row)[i].node] = 1;
        needed[ROWS(b, constraint, vrmi_constraint_row)[i].source] = 1;
    }
    uint32_t sum = 0;
    for (uint32_t i = 0; i < l->count; ++i) {
        const uint32_t own = needed[i];
        needed[i] = sum;
        sum += own;
    }
    for (uint32_t c = 0; c < b->spring_chain.count; ++c) {
        const vrmi_chain_row *chain = &ROWS(b, spring_chain, vrmi_chain_row)[c];
        const uint32_t first = ROWS(b, spring_joint, vrmi_joint_row)[chain->first_joint].node;
        const uint32_t end = ROWS(b, node_subtree_end, uint32_t)[first];
        l->kind[first] = (end < l->count ? needed[end] : sum) == needed[first] ? HAIR : TREE;
    }
    const int32_t *parents = ROWS(b, node_parent, int32_t);
    const uint32_t *ends = ROWS(b, node_subtree_end, uint32_t);
    for (uint32_t i = 0; i < l->count; ++i) {
        const bool below = parents[i] >= 0 && l->kind[parents[i]] == HAIR;
        if (l->kind[i] == HAIR && !below) {
            vrmi_range *range = vrmi_array_push(&b->hair_range, &b->allocator);
            b->out_of_memory = b->out_of_memory || range == NULL;
            if (range != NULL) {
                *range = (vrmi_range){i, ends[i] - i};
            }
        }
        l->kind[i] = below ? (uint32_t)HAIR : l->kind[i];
    }
}

// Assigns the positions of the nodes' poses in instances: the tree's nodes first, then the hair's.
static void lay_poses(laying *l)
{
    vrmi_model_builder *b = l->builder;
    uint32_t *rows = ROWS(b, node_pose, uint32_t);
    uint32_t tree = 0;
    for (uint32_t i = 0; i < l->count; ++i) {
        tree += l->kind[i] == HAIR ? 0 : 1u;
    }
    b->head.tree_count = tree;
    if (!vrmi_array_reserve(&b->hair, &b->allocator, l->count - tree)) {
        b->out_of_memory = true;
        return;
    }
    b->hair.count = l->count - tree;
    vrmi_hair_row *hair = ROWS(b, hair, vrmi_hair_row);
    for (uint32_t i = 0, next = 0, next_hair = 0; i < l->count; ++i) {
        if (l->kind[i] == HAIR) {
            hair[next_hair] = (vrmi_hair_row){.slot = -1};
            rows[i] = tree + next_hair++;
        } else {
            rows[i] = next++;
        }
    }
    for (uint32_t c = 0; c < b->spring_chain.count; ++c) {
        const vrmi_chain_row *chain = &ROWS(b, spring_chain, vrmi_chain_row)[c];
        for (uint32_t j = chain->first_joint; j < chain->first_joint + chain->joint_count; ++j) {
            const uint32_t row = rows[ROWS(b, spring_joint, vrmi_joint_row)[j].node];
            const uint32_t slot = ROWS(b, spring_slot, uint32_t)[j];
            const vrmi_spring_row *lanes = &ROWS(b, spring_row, vrmi_spring_row)[slot / VRMI_LANES];
            if (row >= tree && lanes->length[slot % VRMI_LANES] > 0.0f) {
                hair[row - tree] = (vrmi_hair_row){(int32_t)slot, c};
            }
        }
    }
}

// Finds nodes under joints that are not joints themselves: their world matrices are computed from the joints' matrices.
static void find_followers(laying *l)
{
    vrmi_model_builder *b = l->builder;
    const uint32_t *mask = ROWS(b, spring_mask, uint32_t);
    for (uint32_t i = 0; i < l->count; ++i) {
        l->kind[i] = mask != NULL && (mask[i / 32] >> i % 32 & 1u) != 0 ? FOLLOWER : TREE;
    }
    for (uint32_t i = 0; i < b->spring_joint.count; ++i) {
        l->kind[ROWS(b, spring_joint, vrmi_joint_row)[i].node] = TREE;
    }
}

// Appends the rows of one kind of node to a table. `slots`, indexed by node, may be NULL.
static void write_rows(laying *l, node_kind kind, vrmi_array *table, uint32_t *slots)
{
    vrmi_model_builder *b = l->builder;
    const int32_t *parents = ROWS(b, node_parent, int32_t);
    const uint32_t *ends = ROWS(b, node_subtree_end, uint32_t);
    l->ready = 0;
    for (uint32_t i = 0; i < l->count; ++i) {
        if (l->kind[i] == kind && (parents[i] < 0 || l->kind[parents[i]] != kind)) {
            make_ready(l, i);
        }
    }
    while (l->ready != 0 && !b->out_of_memory) {
        const uint32_t first = table->count;
        b->out_of_memory = !vrmi_array_reserve(table, &b->allocator, VRMI_LANES);
        if (b->out_of_memory) {
            return;
        }
        uint32_t *row = (uint32_t *)table->items + first;
        table->count += VRMI_LANES;
        uint32_t taken = 0;
        for (; taken < VRMI_LANES && l->ready != 0; ++taken) {
            row[taken] = take_first(l);
            if (slots != NULL) {
                slots[row[taken]] = first + taken;
            }
        }
        for (uint32_t lane = taken; lane < VRMI_LANES; ++lane) {
            row[lane] = row[taken - 1]; // repeats the last node
        }
        for (uint32_t lane = 0; lane < taken; ++lane) {
            for (uint32_t child = row[lane] + 1; child < ends[row[lane]]; child = ends[child]) {
                if (l->kind[child] == kind) {
                    make_ready(l, child);
                }
            }
        }
    }
}

void vrmi_model_builder_lay_nodes(vrmi_model_builder *builder)
{
    const uint32_t count = builder->node_parent.count;
    if (count == 0 || builder->out_of_memory) {
        return;
    }
    const size_t scratch = 3 * (size_t)count * sizeof(uint32_t);
    uint32_t *memory = vrmi_allocate(&builder->allocator, scratch, sizeof(uint32_t));
    if (memory == NULL || !vrmi_array_reserve(&builder->node_slot, &builder->allocator, count) ||
        !vrmi_array_reserve(&builder->node_pose, &builder->allocator, count)) {
        builder->out_of_memory = true;
    } else {
        memset(memory, 0, scratch);
        builder->node_slot.count = builder->node_pose.count = count;
        laying l = {builder, count, memory, memory + count, memory + 2 * (size_t)count, 0};
        measure_heights(&l);
        uint32_t *slots = ROWS(builder, node_slot, uint32_t);
        find_hair(&l);
        lay_poses(&l);
        write_rows(&l, TREE, &builder->node_row, slots);
        builder->head.first_hair = builder->node_row.count;
        write_rows(&l, HAIR, &builder->node_row, slots);
        find_followers(&l);
        write_rows(&l, FOLLOWER, &builder->hair_follower, NULL);
    }
    vrmi_release(&builder->allocator, memory, scratch);
}
