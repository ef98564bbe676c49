// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Arranges spring joints in lanes (spring_lanes.h), after chains and colliders are complete.

#include "model/spring_builder.h"

#include "base/allocator.h"

#include <stdlib.h>
#include <string.h>

// Longer lists are appended instead of merged: finding the colliders that two lists share takes time proportional to
// the product of their lengths.
enum { MAX_MERGED_COLLIDERS = 64 };
// Longer paths down from a joint are composed of pieces that all nodes below share. Otherwise a line of nodes with a
// collider on each would take time quadratic in their number.
enum { LONGEST_WAY = 64 };

#define ROWS(builder, table, type) ((type *)(builder)->table.items)

// The properties of a chain before it is placed.
typedef struct chain_plan {
    uint32_t chain, joint_count;
    uint32_t wave;
    bool centered, uneven;
    int32_t anchor, center; // nodes
} chain_plan;

typedef struct laying {
    vrmi_model_builder *b;
    uint32_t chains, nodes;
    chain_plan *plans;
    // Indexed by node: the joint on the node, or on its nearest ancestor with a joint, plus 1; 0 if there is none.
    uint32_t *owner;
    uint32_t *joint_chain; // indexed by joint: its chain
    uint32_t *below;       // indexed by node: depth below the node of the joint in `owner`
    uint32_t *bent;        // indexed by node: number of nodes with an uneven scale among the node and its ancestors
    vrmi_spring_ways ways;
    uint32_t way_count;
    uint32_t waves;
} laying;

static void *push(vrmi_model_builder *builder, vrmi_array *table)
{
    void *row = vrmi_array_push(table, &builder->allocator);
    builder->out_of_memory = builder->out_of_memory || row == NULL;
    return row;
}

// Appends `count` rows of zeros.
static bool extend(vrmi_model_builder *builder, vrmi_array *table, uint32_t count)
{
    if (!vrmi_array_reserve(table, &builder->allocator, count)) {
        builder->out_of_memory = true;
        return false;
    }
    if (count != 0) { // a table without rows has no memory
        memset((char *)table->items + (size_t)table->count * table->item_size, 0, (size_t)count * table->item_size);
    }
    table->count += count;
    return true;
}

static vrmi_spring_tables tables_of(const vrmi_model_builder *b)
{
    return (vrmi_spring_tables){ROWS(b, spring_chain, vrmi_chain_row), ROWS(b, spring_joint, vrmi_joint_row),
        ROWS(b, node_parent, int32_t), ROWS(b, node_rest, vrm_transform),
        ROWS(b, spring_anchor, vrmi_spring_anchor_row), NULL, NULL, NULL, 0};
}

// --- dependencies ----------------------------------------------------------------------------------------------------

static bool node_is_even(const laying *l, int32_t node)
{
    return node < 0 || vrmi_spring_even_scale(&ROWS(l->b, node_rest_matrix, vrm_mat34)[node]) > 0.0f;
}

static void find_owners(laying *l)
{
    const vrmi_joint_row *joints = ROWS(l->b, spring_joint, vrmi_joint_row);
    const int32_t *parents = ROWS(l->b, node_parent, int32_t);
    uint32_t *mask = ROWS(l->b, spring_mask, uint32_t);
    for (uint32_t c = 0; c < l->chains; ++c) {
        const vrmi_chain_row *row = &ROWS(l->b, spring_chain, vrmi_chain_row)[c];
        for (uint32_t j = row->first_joint; j < row->first_joint + row->joint_count; ++j) {
            l->owner[joints[j].node] = j + 1;
            l->joint_chain[j] = c;
        }
    }
    for (uint32_t node = 0; node < l->nodes; ++node) {
        const int32_t parent = parents[node];
        if (l->owner[node] == 0 && parent >= 0 && l->owner[parent] != 0) {
            l->owner[node] = l->owner[parent];
            l->below[node] = l->below[parent] + 1;
        }
        mask[node / 32] |= (l->owner[node] != 0 ? 1u : 0u) << node % 32;
        l->bent[node] = (parent >= 0 ? l->bent[parent] : 0) + (node_is_even(l, (int32_t)node) ? 0 : 1);
    }
}

static bool has_way(const laying *l, uint32_t node)
{
    return l->below[node] != 0 && l->below[node] % LONGEST_WAY == 0;
}

// Composes each path from the path above it.
static bool find_ways(laying *l)
{
    vrmi_model_builder *b = l->b;
    for (uint32_t node = 0; node < l->nodes; ++node) {
        l->way_count += has_way(l, node) ? 1 : 0;
    }
    if (l->way_count == 0) {
        return true;
    }
    vrm_mat34 *matrices = vrmi_allocate(&b->allocator, (size_t)l->way_count * sizeof(*matrices), sizeof(float));
    b->out_of_memory = b->out_of_memory || matrices == NULL;
    l->ways.matrix = matrices;
    vrmi_spring_tables tables = tables_of(b);
    tables.ways = &l->ways;
    uint32_t count = 0;
    for (uint32_t node = 0; matrices != NULL && node < l->nodes; ++node) {
        if (has_way(l, node)) {
            const uint32_t owner = tables.joints[l->owner[node] - 1].node;
            vrmi_spring_path(&tables, (int32_t)node, (int32_t)owner, &matrices[count]);
            l->ways.of_node[node] = ++count;
        }
    }
    return matrices != NULL;
}

// Returns 1 + the joint that moves a node; 0 if no joint moves it.
static uint32_t owner_of(const laying *l, int32_t node)
{
    return node < 0 ? 0 : l->owner[node];
}

// Returns true if all scales of the chain are even, starting with its parent's. Two uneven scales may cancel each other
// out, so each node in between is checked by itself. Each joint of a chain is an ancestor of the next
// (import_spring_order.c).
static bool chain_is_even(const laying *l, const vrmi_chain_row *row, int32_t anchor)
{
    const uint32_t last = ROWS(l->b, spring_joint, vrmi_joint_row)[row->first_joint + row->joint_count - 1].node;
    return node_is_even(l, anchor) && l->bent[last] == (anchor >= 0 ? l->bent[anchor] : 0);
}

// Returns the earliest wave after the chain that moves a node. Returns 0 if no chain moves the node, or if the moving
// chain does not run before `chain`: then the node's position from the last tick is used.
static uint32_t wave_after(const laying *l, int32_t node, uint32_t chain)
{
    const uint32_t owner = owner_of(l, node);
    const uint32_t above = owner == 0 ? chain : l->joint_chain[owner - 1];
    return above < chain ? l->plans[above].wave + 1 : 0;
}

static void plan_chain(laying *l, uint32_t index)
{
    const vrmi_chain_row *row = &ROWS(l->b, spring_chain, vrmi_chain_row)[index];
    const vrmi_joint_row *joints = ROWS(l->b, spring_joint, vrmi_joint_row);
    const uint32_t root = joints[row->first_joint].node;
    const int32_t parent = ROWS(l->b, node_parent, int32_t)[root];
    chain_plan *plan = &l->plans[index];
    *plan = (chain_plan){.chain = index, .joint_count = row->joint_count, .anchor = parent, .center = -1};
    if (owner_of(l, parent) != 0 && l->below[parent] < LONGEST_WAY) { // on longer paths the node itself is the anchor
        plan->anchor = (int32_t)joints[owner_of(l, parent) - 1].node;
    }
    plan->wave = wave_after(l, plan->anchor, index);
    if (row->center >= 0) {
        // A center on the chain's own first joint is replaced by the joint's parent. Otherwise the center would include
        // the swing of the spring itself. (three-vrm does feed the last frame's swing back there.)
        plan->center = (uint32_t)row->center == root ? parent : row->center;
        plan->centered = true;
        l->b->head.any_center = 1;
        const uint32_t wave = wave_after(l, plan->center, index);
        plan->wave = wave > plan->wave ? wave : plan->wave;
    }
    for (uint32_t i = 0; i < row->collider_count; ++i) {
        const uint32_t collider = ROWS(l->b, chain_collider, uint32_t)[row->first_collider + i];
        const uint32_t wave = wave_after(l, (int32_t)ROWS(l->b, collider, vrmi_collider_row)[collider].node, index);
        plan->wave = wave > plan->wave ? wave : plan->wave;
    }
    plan->uneven = !chain_is_even(l, row, plan->anchor);
    l->waves = plan->wave >= l->waves ? plan->wave + 1 : l->waves;
}

// --- anchors -------------------------------------------------------------------------------------------------------

static uint32_t anchor_wave(const laying *l, int32_t node)
{
    const uint32_t owner = owner_of(l, node);
    return owner == 0 ? 0 : l->plans[l->joint_chain[owner - 1]].wave + 1;
}

static void fill_anchor(laying *l, vrmi_spring_anchor_row *row)
{
    const uint32_t owner = owner_of(l, row->node);
    vrmi_spring_tables tables = tables_of(l->b);
    tables.ways = l->way_count != 0 ? &l->ways : NULL;
    int32_t carrier = -1;
    bool uneven = false;
    if (owner != 0) {
        carrier = (int32_t)tables.joints[owner - 1].node;
        uneven = l->plans[l->joint_chain[owner - 1]].uneven;
    }
    row->carrier = VRMI_SPRING_NONE; // set later, when the slots are known
    vrmi_spring_fill_anchor(&tables, ROWS(l->b, node_rest_matrix, vrm_mat34), carrier, uneven, row);
}

static int order_of_anchors(const void *a, const void *b)
{
    const vrmi_spring_anchor_row *p = a, *q = b;
    if (p->wave != q->wave) {
        return p->wave < q->wave ? -1 : 1;
    }
    return p->node < q->node ? -1 : p->node > q->node;
}

// `index_of` is indexed by node + 1. It first marks the nodes that need an anchor, then gives each node's anchor index.
static void write_anchors(laying *l, uint32_t *index_of)
{
    vrmi_model_builder *b = l->b;
    index_of[0] = 1; // the space above the root nodes always has an anchor
    for (uint32_t c = 0; c < l->chains; ++c) {
        index_of[l->plans[c].anchor + 1] = 1;
        index_of[l->plans[c].center + 1] = 1;
    }
    for (uint32_t i = 0; i < b->collider.count; ++i) {
        index_of[ROWS(b, collider, vrmi_collider_row)[i].node + 1] = 1;
    }
    for (uint32_t i = 0; i <= l->nodes; ++i) {
        vrmi_spring_anchor_row *row = index_of[i] != 0 ? push(b, &b->spring_anchor) : NULL;
        if (row != NULL) {
            row->node = (int32_t)i - 1;
            row->wave = anchor_wave(l, row->node);
        }
    }
    if (b->out_of_memory) {
        return;
    }
    vrmi_spring_anchor_row *anchors = ROWS(b, spring_anchor, vrmi_spring_anchor_row);
    qsort(anchors, b->spring_anchor.count, sizeof(*anchors), order_of_anchors);
    for (uint32_t i = 0; i < b->spring_anchor.count; ++i) {
        vrmi_spring_wave_row *wave = &ROWS(b, spring_wave, vrmi_spring_wave_row)[anchors[i].wave];
        wave->first_anchor = wave->anchor_count == 0 ? i : wave->first_anchor;
        ++wave->anchor_count;
        index_of[anchors[i].node + 1] = i;
        // The joint that moves this node belongs to a chain whose own anchor has an earlier wave.
        const uint32_t owner = owner_of(l, anchors[i].node);
        anchors[i].top = owner == 0 ? i : anchors[index_of[l->plans[l->joint_chain[owner - 1]].anchor + 1]].top;
        fill_anchor(l, &anchors[i]);
    }
}

// --- groups --------------------------------------------------------------------------------------------------------

static int order_of_plans(const void *a, const void *b)
{
    const chain_plan *p = a, *q = b;
    if (p->wave != q->wave) {
        return p->wave < q->wave ? -1 : 1;
    }
    if (p->uneven != q->uneven) {
        return q->uneven ? -1 : 1;
    }
    if (p->centered != q->centered) {
        return q->centered ? -1 : 1;
    }
    if (p->joint_count != q->joint_count) {
        return p->joint_count > q->joint_count ? -1 : 1; // so that chains of similar length share a group
    }
    return p->chain < q->chain ? -1 : 1;
}

static void add_collider(vrmi_model_builder *b, vrmi_spring_group_row *group, uint32_t collider, uint32_t lane)
{
    vrmi_spring_group_collider *row = push(b, &b->spring_group_collider);
    if (row != NULL) {
        *row = (vrmi_spring_group_collider){collider, 1u << lane};
        ++group->collider_count;
    }
}

// Merges a chain's colliders into the group's list, keeping their order.
static void merge_colliders(
    vrmi_model_builder *b, vrmi_spring_group_row *group, const vrmi_chain_row *chain, uint32_t lane)
{
    const uint32_t before = group->collider_count;
    const bool merges = before <= MAX_MERGED_COLLIDERS && chain->collider_count <= MAX_MERGED_COLLIDERS;
    uint32_t at = merges ? 0 : before; // after the first new collider, all later ones are appended, too
    for (uint32_t i = 0; i < chain->collider_count && !b->out_of_memory; ++i) {
        const uint32_t collider = ROWS(b, chain_collider, uint32_t)[chain->first_collider + i];
        vrmi_spring_group_collider *list =
            before != 0 ? ROWS(b, spring_group_collider, vrmi_spring_group_collider) + group->first_collider : NULL;
        uint32_t found = at;
        while (found < before && list[found].collider != collider) {
            ++found;
        }
        if (found < before) {
            list[found].lanes |= 1u << lane;
            at = found + 1;
        } else {
            add_collider(b, group, collider, lane);
            at = before;
        }
    }
}

static void write_row(laying *l, const vrmi_spring_group_row *group, uint32_t depth)
{
    vrmi_model_builder *b = l->b;
    const vrmi_spring_tables tables = tables_of(b);
    vrmi_spring_between between;
    vrmi_spring_limit_row limits;
    vrmi_spring_row *row = push(b, &b->spring_row);
    vrmi_spring_param_lanes *params = push(b, &b->spring_param_lanes);
    vrmi_spring_down *down = push(b, &b->spring_down);
    vrmi_spring_reach *reach = push(b, &b->spring_reach);
    if (row == NULL || params == NULL || down == NULL || reach == NULL) {
        return;
    }
    vrmi_spring_fill_params(&tables, group, depth, params);
    vrmi_spring_fill_down(&tables, ROWS(b, node_rest_matrix, vrm_mat34), group, depth, down);
    vrmi_spring_fill_reach(
        &tables, ROWS(b, joint_reach, vrmi_joint_reach_row), ROWS(b, node_rest_matrix, vrm_mat34), group, depth, reach);
    if (vrmi_spring_fill_row(&tables, group, depth, depth > 0 ? row - 1 : NULL, row, &between)) {
        vrmi_spring_between *place = push(b, &b->spring_between);
        row->between = (int32_t)b->spring_between.count - 1;
        if (place != NULL) {
            *place = between;
        }
    }
    if (vrmi_spring_fill_limits(&tables, group, depth, &limits)) {
        vrmi_spring_limit_row *place = push(b, &b->spring_limit);
        row->limit = (int32_t)b->spring_limit.count - 1;
        if (place != NULL) {
            *place = limits;
        }
    }
}

static void write_group(laying *l, const chain_plan *plans, uint32_t count, const uint32_t *anchor_of)
{
    vrmi_model_builder *b = l->b;
    const vrmi_chain_row *chains = ROWS(b, spring_chain, vrmi_chain_row);
    vrmi_spring_group_row group = {.first_row = b->spring_row.count,
        .chain_count = count,
        .uneven = plans[0].uneven ? 1u : 0u,
        .first_collider = b->spring_group_collider.count};
    for (uint32_t lane = 0; lane < VRMI_LANES; ++lane) {
        const chain_plan *plan = &plans[lane < count ? lane : 0];
        group.chains[lane] = lane < count ? (int32_t)plan->chain : VRMI_SPRING_NO_CHAIN;
        group.anchors[lane] = anchor_of[plan->anchor + 1];
        group.centers[lane] = anchor_of[plan->center + 1];
        const vrmi_chain_row *chain = &chains[plan->chain];
        for (uint32_t j = 0; lane < count && j < chain->joint_count; ++j) {
            ROWS(b, spring_slot, uint32_t)[chain->first_joint + j] = (group.first_row + j) * VRMI_LANES + lane;
        }
        if (lane < count) {
            group.row_count = plan->joint_count > group.row_count ? plan->joint_count : group.row_count;
            group.centered |= (plan->centered ? 1u : 0u) << lane;
            merge_colliders(b, &group, chain, lane);
        }
    }
    for (uint32_t depth = 0; depth < group.row_count && !b->out_of_memory; ++depth) {
        write_row(l, &group, depth);
    }
    vrmi_spring_group_row *row = push(b, &b->spring_group);
    if (row != NULL) {
        *row = group;
        ++ROWS(b, spring_wave, vrmi_spring_wave_row)[plans[0].wave].group_count;
    }
}

static void write_groups(laying *l, const uint32_t *anchor_of)
{
    for (uint32_t i = 0; i < l->chains && !l->b->out_of_memory;) {
        const chain_plan *first = &l->plans[i];
        vrmi_spring_wave_row *wave = &ROWS(l->b, spring_wave, vrmi_spring_wave_row)[first->wave];
        uint32_t count = 1;
        while (i + count < l->chains && count < VRMI_LANES && first[count].wave == first->wave &&
               first[count].uneven == first->uneven) {
            ++count;
        }
        if (wave->group_count == 0) {
            wave->first_group = l->b->spring_group.count;
        }
        write_group(l, first, count, anchor_of);
        i += count;
    }
}

// --- tables that depend on slots -------------------------------------------------------------------------------------

// Writes each anchor's joint by slot, and adds a frame for each row that contains such a joint.
static void write_frames(laying *l)
{
    vrmi_model_builder *b = l->b;
    for (uint32_t i = 0; i < b->spring_anchor.count; ++i) {
        vrmi_spring_anchor_row *anchor = &ROWS(b, spring_anchor, vrmi_spring_anchor_row)[i];
        const uint32_t owner = owner_of(l, anchor->node);
        if (owner == 0) {
            continue;
        }
        anchor->carrier = (int32_t)ROWS(b, spring_slot, uint32_t)[owner - 1];
        const uint32_t at = (uint32_t)anchor->carrier / VRMI_LANES;
        vrmi_spring_row *row = &ROWS(b, spring_row, vrmi_spring_row)[at];
        if (row->frame == VRMI_SPRING_NONE) {
            uint32_t *frame = push(b, &b->spring_frame);
            if (frame == NULL) {
                return;
            }
            *frame = at;
            row->frame = (int32_t)b->spring_frame.count - 1;
        }
    }
}

// All colliders are placed before the first wave. Before each later wave, only the colliders on anchors that have moved
// are placed again.
static void write_wave_colliders(laying *l, const uint32_t *anchor_of)
{
    vrmi_model_builder *b = l->b;
    const vrmi_spring_anchor_row *anchors = ROWS(b, spring_anchor, vrmi_spring_anchor_row);
    vrmi_spring_wave_row *waves = ROWS(b, spring_wave, vrmi_spring_wave_row);
    const uint32_t count = b->collider.count;
    uint32_t carried = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t anchor = anchor_of[ROWS(b, collider, vrmi_collider_row)[i].node + 1];
        ROWS(b, collider_anchor, uint32_t)[i] = anchor;
        if (anchors[anchor].wave != 0) {
            ++waves[anchors[anchor].wave].collider_count;
            ++carried;
        }
    }
    if (!extend(b, &b->spring_wave_collider, count + carried)) {
        return;
    }
    waves[0].collider_count = count;
    for (uint32_t wave = 1; wave <= l->waves; ++wave) {
        waves[wave].first_collider = waves[wave - 1].first_collider + waves[wave - 1].collider_count;
        waves[wave - 1].collider_count = 0;
    }
    waves[l->waves].collider_count = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t own = anchors[ROWS(b, collider_anchor, uint32_t)[i]].wave;
        uint32_t *list = ROWS(b, spring_wave_collider, uint32_t);
        list[waves[0].first_collider + waves[0].collider_count++] = i;
        if (own != 0) {
            list[waves[own].first_collider + waves[own].collider_count++] = i;
        }
    }
}

static bool is_on_path(const laying *l, int32_t node)
{
    return node >= 0 && (ROWS(l->b, spring_path, uint32_t)[node / 32] >> node % 32 & 1u) != 0;
}

// Paths end at joints and at anchors. If a node is already marked, the rest of the path above it is marked too, or will
// be marked with the joint or anchor that it belongs to.
static void mark_path(laying *l, int32_t node, int32_t above)
{
    uint32_t *path = ROWS(l->b, spring_path, uint32_t);
    for (int32_t n = node; n != above && n >= 0 && !is_on_path(l, n); n = ROWS(l->b, node_parent, int32_t)[n]) {
        path[n / 32] |= 1u << n % 32;
    }
}

static void watch(laying *l, int32_t node)
{
    uint32_t *place = is_on_path(l, node) ? push(l->b, &l->b->spring_watch) : NULL;
    if (place != NULL) {
        *place = (uint32_t)node;
    }
}

// Marks the nodes whose local transforms were used for rows and anchors. Lists those that stages before the springs
// write.
static void write_paths(laying *l)
{
    vrmi_model_builder *b = l->b;
    const vrmi_joint_row *joints = ROWS(b, spring_joint, vrmi_joint_row);
    for (uint32_t c = 0; c < l->chains; ++c) {
        const vrmi_chain_row *row = &ROWS(b, spring_chain, vrmi_chain_row)[l->plans[c].chain];
        for (uint32_t j = 0; j < row->joint_count; ++j) {
            const vrmi_joint_row *joint = &joints[row->first_joint + j];
            mark_path(l, (int32_t)joint->node, j == 0 ? l->plans[c].anchor : (int32_t)joint[-1].node);
        }
    }
    for (uint32_t i = 0; i < b->spring_anchor.count; ++i) {
        const int32_t node = ROWS(b, spring_anchor, vrmi_spring_anchor_row)[i].node;
        if (owner_of(l, node) != 0) {
            mark_path(l, node, (int32_t)joints[owner_of(l, node) - 1].node);
        }
    }
    uint32_t *turn = ROWS(b, spring_path_turn, uint32_t);
    memcpy(turn, b->spring_path.items, (size_t)b->spring_path.count * sizeof(*turn));
    for (uint32_t j = 0; j < b->spring_joint.count; ++j) {
        if (vrmi_vec3_dot(joints[j].tail, joints[j].tail) > 1e-18f) {
            turn[joints[j].node / 32] &= ~(1u << joints[j].node % 32);
        }
    }
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        watch(l, b->head.bone_node[bone]);
    }
    for (uint32_t i = 0; i < b->constraint.count; ++i) {
        watch(l, (int32_t)ROWS(b, constraint, vrmi_constraint_row)[i].node);
    }
}

static void lay(laying *l, uint32_t *anchor_of)
{
    vrmi_model_builder *b = l->b;
    const uint32_t words = (l->nodes + 31) / 32;
    if (!extend(b, &b->spring_mask, words) || !extend(b, &b->spring_path, words) ||
        !extend(b, &b->spring_path_turn, words) || !extend(b, &b->spring_slot, b->spring_joint.count) ||
        !extend(b, &b->collider_anchor, b->collider.count)) {
        return;
    }
    find_owners(l);
    if (!find_ways(l)) {
        return;
    }
    for (uint32_t c = 0; c < l->chains; ++c) {
        plan_chain(l, c);
    }
    // There is one more wave than the groups need. It updates the anchors that the last groups move.
    if (!extend(b, &b->spring_wave, l->waves + 1)) {
        return;
    }
    write_anchors(l, anchor_of);
    if (!b->out_of_memory) {
        write_wave_colliders(l, anchor_of);
        write_paths(l);
        qsort(l->plans, l->chains, sizeof(*l->plans), order_of_plans);
        write_groups(l, anchor_of);
    }
    if (!b->out_of_memory) {
        write_frames(l);
    }
}

void vrmi_model_builder_lay_springs(vrmi_model_builder *builder)
{
    // A model that was not imported has no vertices.
    if (builder->joint_reach.count != builder->spring_joint.count &&
        !extend(builder, &builder->joint_reach, builder->spring_joint.count - builder->joint_reach.count)) {
        return;
    }
    laying l = {.b = builder, .chains = builder->spring_chain.count, .nodes = builder->node_parent.count};
    if (l.chains == 0 || builder->out_of_memory) {
        return;
    }
    const size_t numbers = 5 * (size_t)l.nodes + 1 + builder->spring_joint.count;
    const size_t size = (size_t)l.chains * sizeof(chain_plan) + numbers * sizeof(uint32_t);
    void *memory = vrmi_allocate(&builder->allocator, size, sizeof(uint32_t));
    if (memory == NULL) {
        builder->out_of_memory = true;
        return;
    }
    memset(memory, 0, size);
    l.plans = memory;
    l.owner = (uint32_t *)(void *)(l.plans + l.chains);
    l.below = l.owner + l.nodes;
    l.bent = l.below + l.nodes;
    l.ways.of_node = l.bent + l.nodes;
    l.joint_chain = l.ways.of_node + l.nodes;
    lay(&l, l.joint_chain + builder->spring_joint.count);
    if (l.ways.matrix != NULL) {
        vrmi_release(&builder->allocator, l.ways.matrix, (size_t)l.way_count * sizeof(*l.ways.matrix));
    }
    vrmi_release(&builder->allocator, memory, size);
}
