// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "runtime/spring/spring_show.h"

#include "runtime/core/hierarchy.h"
#include "runtime/spring/spring_joint.h"

#include <string.h>

enum { TIP_BATCH = 64 }; // chains whose tips are placed at once

uint32_t vrmi_spring_loose_capacity(const vrmi_model *model)
{
    const uint32_t nodes = model->node_parent.count, joints = model->spring_joint.count;
    return joints != 0 && joints < nodes ? nodes - joints : 0;
}

// --- subtrees ------------------------------------------------------------------------------------------------------

// Marks of a node: flags, and from OWNER on the row of the plain chain that it is under, plus 1.
#define IS_JOINT 1u
#define IS_ROOT 2u
#define IS_NEEDED 4u // of a root: something before the springs reads a world matrix under it
enum { OWNER = 3 };

static void mark_needed(const vrm_instance *instance, uint32_t *marks, int32_t node)
{
    const uint32_t owner = node >= 0 ? marks[node] >> OWNER : 0;
    if (owner != 0) {
        const vrmi_chain_row *row = &vrmi_model_spring_chain(instance->model)[owner - 1];
        marks[vrmi_model_spring_joint(instance->model)[row->first_joint].node] |= IS_NEEDED;
    }
}

static void mark_nodes(const vrm_instance *instance, uint32_t *marks)
{
    const vrmi_model *model = instance->model;
    const vrm_spring_joint *joints = vrmi_model_spring_joint(model);
    for (uint32_t c = 0; c < model->spring_chain.count; ++c) {
        const vrmi_chain_row *row = &vrmi_model_spring_chain(model)[c];
        for (uint32_t j = 0; instance->spring_chain_state[c].plain && j < row->joint_count; ++j) {
            marks[joints[row->first_joint + j].node] |= IS_JOINT | (j == 0 ? IS_ROOT : 0) | (c + 1) << OWNER;
        }
    }
    for (uint32_t node = 0; node < model->node_parent.count; ++node) {
        const int32_t parent = vrmi_model_node_parent(model)[node];
        if (marks[node] == 0 && parent >= 0) {
            marks[node] = marks[parent] >> OWNER << OWNER;
        }
    }
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        mark_needed(instance, marks, model->head.bone_node[bone]);
    }
    for (uint32_t i = 0; i < model->constraint.count; ++i) {
        mark_needed(instance, marks, (int32_t)vrmi_model_constraint(model)[i].node);
        mark_needed(instance, marks, (int32_t)vrmi_model_constraint(model)[i].source);
    }
}

// Nodes under plain chains that are no joints: those right under a joint, or the others.
static void list_loose(vrm_instance *instance, const uint32_t *marks, bool direct)
{
    const uint32_t capacity = vrmi_spring_loose_capacity(instance->model);
    vrmi_spring_globals *springs = &instance->springs;
    for (uint32_t node = 0; node < instance->model->node_parent.count; ++node) {
        const int32_t parent = vrmi_model_node_parent(instance->model)[node];
        const bool is_direct = parent >= 0 && (marks[parent] & IS_JOINT) != 0;
        if (marks[node] >> OWNER != 0 && (marks[node] & IS_JOINT) == 0 && is_direct == direct &&
            springs->loose_count < capacity) {
            instance->spring_loose[springs->loose_count++] = node;
        }
    }
}

// Is each node that the model lets wait in one of the subtrees? `marks` are 0.
static bool all_wait(const vrm_instance *instance, uint32_t *marks)
{
    const vrmi_model *model = instance->model;
    for (uint32_t i = 0; i < instance->springs.subtree_count; ++i) {
        for (uint32_t node = instance->spring_subtree[i].first; node < instance->spring_subtree[i].end; ++node) {
            marks[node] = 1;
        }
    }
    bool all = true;
    for (uint32_t i = model->head.first_waiting; i < model->node_row.count; ++i) {
        all = all && marks[vrmi_model_node_row(model)[i]] != 0;
    }
    return all;
}

void vrmi_spring_find_subtrees(vrm_instance *instance)
{
    const uint32_t nodes = instance->model->node_parent.count;
    const uint32_t *ends = vrmi_model_node_subtree_end(instance->model);
    vrmi_spring_globals *springs = &instance->springs;
    uint32_t *marks = instance->node_hash;
    memset(marks, 0, nodes * sizeof(*marks));
    mark_nodes(instance, marks);
    springs->loose_count = springs->subtree_count = 0;
    list_loose(instance, marks, true);
    springs->loose_direct = springs->loose_count;
    list_loose(instance, marks, false);
    for (uint32_t node = 0; node < nodes; ++node) {
        if ((marks[node] & (IS_ROOT | IS_NEEDED)) != IS_ROOT) {
            continue;
        }
        vrmi_spring_subtree *before = &instance->spring_subtree[springs->subtree_count - (springs->subtree_count != 0)];
        if (springs->subtree_count != 0 && before->end == node) {
            before->end = ends[node];
        } else {
            instance->spring_subtree[springs->subtree_count++] = (vrmi_spring_subtree){node, ends[node]};
        }
    }
    memset(marks, 0, nodes * sizeof(*marks));
    springs->all_wait = all_wait(instance, marks);
    memset(marks, 0, nodes * sizeof(*marks));
}

// --- what waits ----------------------------------------------------------------------------------------------------

static bool waits(const vrm_instance *instance, uint32_t node)
{
    bool inside = false;
    for (uint32_t i = 0; i < instance->springs.subtree_count; ++i) {
        inside |= node >= instance->spring_subtree[i].first && node < instance->spring_subtree[i].end;
    }
    return inside;
}

void vrmi_spring_defer(vrm_instance *instance)
{
    bool may = instance->springs.has_plain;
    for (uint32_t i = 0; may && i < instance->ragdoll.body_count; ++i) {
        may = !waits(instance, instance->ragdoll_bodies[i].node);
    }
    for (uint32_t i = 0; may && i < instance->look.link_count; ++i) {
        may = !waits(instance, (uint32_t)instance->look_links[i].node);
    }
    instance->springs.deferring = may;
}

void vrmi_spring_stop_waiting(vrm_instance *instance)
{
    const bool waited = instance->springs.deferring;
    instance->springs.deferring = false;
    for (uint32_t i = 0; waited && i < instance->springs.subtree_count; ++i) {
        vrmi_hierarchy_update(instance, instance->spring_subtree[i].first, instance->spring_subtree[i].end);
    }
}

bool vrmi_spring_next_range(const vrm_instance *instance, uint32_t *first, uint32_t end, vrmi_spring_subtree *out_range)
{
    for (uint32_t i = 0; instance->springs.deferring && i < instance->springs.subtree_count; ++i) {
        const vrmi_spring_subtree *subtree = &instance->spring_subtree[i];
        if (subtree->end <= *first) {
            continue;
        }
        if (*first < subtree->first) {
            *out_range = (vrmi_spring_subtree){*first, subtree->first < end ? subtree->first : end};
            *first = subtree->end;
            return out_range->first < out_range->end;
        }
        *first = subtree->end;
    }
    *out_range = (vrmi_spring_subtree){*first, end};
    *first = end;
    return out_range->first < end;
}

// --- showing -------------------------------------------------------------------------------------------------------

// Chains with all of their weight, whole or with their tips at rest: what else is shown is mixed from more than the step
// knows.
static void find_shown(vrm_instance *instance)
{
    vrmi_spring_globals *springs = &instance->springs;
    const vrmi_chain_row *rows = vrmi_model_spring_chain(instance->model);
    springs->chosen = springs->all_shown = true;
    springs->shown_mark = 0;
    for (uint32_t c = 0; c < instance->model->spring_chain.count; ++c) {
        vrmi_spring_chain_state *state = &instance->spring_chain_state[c];
        const uint32_t joints = rows[c].joint_count;
        const bool is_whole = state->live == joints && (springs->tip_mix <= 0.0f || state->tips == joints);
        const bool is_frozen = state->live < joints && springs->tip_mix >= 1.0f;
        state->shown = state->plain && state->weight >= 1.0f && (is_whole || is_frozen);
        springs->all_shown &= state->shown && is_whole;
        springs->shown_mark = springs->shown_mark * 0x9e3779b1u + (state->shown ? c + 1 : 0);
    }
    const vrmi_spring_group_row *groups = vrmi_model_spring_group(instance->model);
    for (uint32_t i = 0; i < instance->model->spring_group.count; ++i) {
        uint32_t shown = 0;
        for (uint32_t lane = 0; lane < VRMI_LANES && groups[i].chains[lane] >= 0; ++lane) {
            shown |= (instance->spring_chain_state[groups[i].chains[lane]].shown ? 1u : 0u) << lane;
        }
        instance->spring_plain[i].shown = (uint8_t)shown;
    }
}

void vrmi_spring_choose_shown(vrm_instance *instance, const vrmi_spring_step *step)
{
    vrmi_spring_globals *springs = &instance->springs;
    springs->shown = step->shows && !springs->scaled && !springs->thaws;
    if (springs->shown && !springs->chosen) {
        find_shown(instance);
    }
}

bool vrmi_spring_is_shown(const vrm_instance *instance, uint32_t chain)
{
    return instance->springs.shown && instance->spring_chain_state[chain].shown;
}

bool vrmi_spring_shows_otherwise(vrm_instance *instance)
{
    vrmi_spring_globals *springs = &instance->springs;
    const uint32_t mark = springs->shown ? springs->shown_mark : 0, told = springs->told_mark;
    springs->told_mark = mark;
    return mark != told;
}

void vrmi_spring_show_joint(vrm_instance *instance, uint32_t node, vrm_quat shown, const vrmi_spring_pose *pose)
{
    const float scale = instance->root.scale;
    const vrm_transform world = {vrmi_vec3_scale(pose->position, scale), pose->rotation, {scale, scale, scale}};
    instance->local[node].rotation = shown;
    instance->world_rotation[node] = pose->rotation;
    vrmi_mat34_from_transform(&world, &instance->world[node]);
}

typedef struct tip {
    const vrm_spring_joint *joint; // the next one
    uint32_t left;
} tip;

// All first joints, then all second ones: those of one depth do not hang on each other.
static void place_tips(vrm_instance *instance, tip *tips, uint32_t count)
{
    const vrm_transform *rest = vrmi_model_node_rest(instance->model);
    vrmi_hierarchy_rows rows;
    vrmi_hierarchy_get_rows(instance, &rows);
    while (count != 0) {
        uint32_t nodes[TIP_BATCH], left = 0;
        for (uint32_t i = 0; i < count; ++i) {
            nodes[i] = tips[i].joint->node;
            instance->local[nodes[i]].rotation = rest[nodes[i]].rotation;
        }
        vrmi_matrix_kernels_of(instance->lanes)->nodes(&rows, nodes, count);
        for (uint32_t i = 0; i < count; ++i) {
            if (tips[i].left > 1) {
                tips[left++] = (tip){tips[i].joint + 1, tips[i].left - 1};
            }
        }
        count = left;
    }
}

// Tips of chains whose other joints are shown, at rest.
static void show_tips(vrm_instance *instance)
{
    const vrm_spring_joint *joints = vrmi_model_spring_joint(instance->model);
    const vrmi_chain_row *rows = vrmi_model_spring_chain(instance->model);
    tip tips[TIP_BATCH];
    uint32_t count = 0;
    for (uint32_t c = 0; c < instance->model->spring_chain.count; ++c) {
        const vrmi_spring_chain_state *state = &instance->spring_chain_state[c];
        if (state->shown && state->live < rows[c].joint_count) {
            tips[count++] = (tip){joints + rows[c].first_joint + state->live, rows[c].joint_count - state->live};
        }
        if (count == TIP_BATCH) {
            place_tips(instance, tips, count);
            count = 0;
        }
    }
    place_tips(instance, tips, count);
}

// Rotations of a chain that no step has written.
static void show_rotations(vrm_instance *instance, uint32_t chain, bool pose_is_fresh)
{
    const vrm_spring_joint *joints = vrmi_model_spring_joint(instance->model);
    const vrmi_chain_row *row = &vrmi_model_spring_chain(instance->model)[chain];
    const float weight = instance->spring_chain_state[chain].weight, tip_mix = instance->springs.tip_mix;
    for (uint32_t j = row->first_joint; j < row->first_joint + row->joint_count; ++j) {
        const uint32_t node = joints[j].node;
        if (!vrmi_spring_turns(&joints[j])) {
            continue;
        }
        // Without the pose stage `local` still holds what was shown last: blending with it would creep.
        const vrm_quat input = pose_is_fresh ? instance->local[node].rotation : instance->input[node].rotation;
        vrm_quat shown = vrmi_spring_get_shown(instance, vrmi_spring_slot(instance, j));
        if (tip_mix > 0.0f && j - row->first_joint >= instance->spring_chain_state[chain].tips) {
            const vrm_quat rest = vrmi_model_node_rest(instance->model)[node].rotation;
            shown = tip_mix < 1.0f ? vrmi_quat_nlerp(shown, rest, tip_mix) : rest;
        }
        instance->local[node].rotation = weight >= 1.0f   ? shown
                                         : weight <= 0.0f ? input
                                                          : vrmi_quat_slerp(input, shown, weight);
    }
}

// Nodes under the joints that steps have shown.
static void place_loose(vrm_instance *instance)
{
    vrmi_hierarchy_rows rows;
    vrmi_hierarchy_get_rows(instance, &rows);
    const uint32_t *nodes = instance->spring_loose;
    uint32_t done = instance->springs.loose_direct;
    vrmi_matrix_kernels_of(instance->lanes)->nodes(&rows, nodes, done);
    for (; done < instance->springs.loose_count; ++done) {
        vrmi_kernel_worlds(&rows, nodes[done], nodes[done] + 1);
    }
}

void vrmi_spring_show(vrm_instance *instance, bool pose_is_fresh)
{
    const vrmi_model *model = instance->model;
    const vrmi_chain_row *rows = vrmi_model_spring_chain(model);
    if (!instance->springs.shown && instance->springs.has_plain && !instance->springs.scaled) {
        const vrmi_spring_step step = {
            .kind = VRMI_SPRING_STEP_SHOW, .between = 1.0, .shows = true, .turn = vrmi_quat_identity()};
        vrmi_spring_run(instance, &step);
    }
    instance->springs.deferring = false;
    if (instance->springs.shown && instance->springs.all_shown) {
        place_loose(instance);
        return;
    }
    if (instance->springs.shown) {
        show_tips(instance);
        place_loose(instance);
    }
    for (uint32_t c = 0; c < model->spring_chain.count; ++c) {
        if (!vrmi_spring_is_shown(instance, c)) {
            show_rotations(instance, c, pose_is_fresh);
        }
    }
    for (uint32_t c = 0; c < model->spring_chain.count; ++c) {
        // A chain under another's joint is in that one's subtree.
        if (!vrmi_spring_is_shown(instance, c) && rows[c].joint_count != 0 &&
            instance->spring_driver[instance->spring_chain_state[c].root].carrier < 0) {
            vrmi_hierarchy_update_subtree(instance, vrmi_model_spring_joint(model)[rows[c].first_joint].node);
        }
    }
}
