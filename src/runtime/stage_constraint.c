// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// VRMC_node_constraint-1.0. Constraints run in the model's order, sources before what follows them, and each one
// refreshes its subtree, so that the next one sees it. A constraint writes an absolute rotation: the input rotation of
// its node does not count, at weight 0 the node is at rest.

#include "math/quat_lanes.h"
#include "runtime/constraint_draft.h"
#include "runtime/hierarchy.h"
#include "runtime/stages.h"

// How far the source is turned from its rest, in its own rest axes.
static vrm_quat source_delta(const vrm_instance *instance, const vrm_constraint *constraint)
{
    const vrm_quat rest = vrmi_model_node_rest(instance->model)[constraint->source].rotation;
    return vrmi_quat_mul(vrmi_quat_conjugate(rest), instance->local[constraint->source].rotation);
}

// The part of the source's turn that goes about the axis. Source and destination are taken to hang on parents with the
// same axes, as the specification does.
static vrm_quat roll_target(const vrm_instance *instance, const vrm_constraint *constraint, vrm_quat rest)
{
    const vrm_quat source_rest = vrmi_model_node_rest(instance->model)[constraint->source].rotation;
    const vrm_quat delta = source_delta(instance, constraint);
    const vrm_quat in_parent = vrmi_quat_mul(vrmi_quat_mul(source_rest, delta), vrmi_quat_conjugate(source_rest));
    const vrm_quat in_destination = vrmi_quat_mul(vrmi_quat_mul(vrmi_quat_conjugate(rest), in_parent), rest);
    const vrm_vec3 turned =
        vrmi_vec3_normalize_or(vrmi_quat_rotate(in_destination, constraint->axis), constraint->axis);
    // Half a turn of the axis has no shortest way back; vrmi_quat_from_to() takes the same one everywhere.
    const vrm_quat swing = vrmi_quat_from_to(constraint->axis, turned);
    return vrmi_quat_mul(rest, vrmi_quat_mul(vrmi_quat_conjugate(swing), in_destination));
}

static vrm_quat aim_target(vrm_instance *instance, const vrm_constraint *constraint, vrm_quat rest)
{
    const vrm_quat parent = vrmi_hierarchy_parent_rotation(instance, constraint->node);
    const vrm_vec3 way = vrmi_vec3_sub(vrmi_mat34_translation(&instance->world[constraint->source]),
        vrmi_mat34_translation(&instance->world[constraint->node]));
    const vrm_vec3 nowhere = {0.0f, 0.0f, 0.0f};
    const vrm_vec3 to = vrmi_vec3_normalize_or(way, nowhere);
    if (vrmi_vec3_dot(to, to) == 0.0f) { // the source is where the node is: nothing to aim at
        instance->status |= VRM_STATUS_DEGENERATE;
        return rest;
    }
    const vrm_vec3 from =
        vrmi_vec3_normalize_or(vrmi_quat_rotate(parent, vrmi_quat_rotate(rest, constraint->axis)), constraint->axis);
    const vrm_quat turn = vrmi_quat_from_to(from, to);
    return vrmi_quat_mul(vrmi_quat_mul(vrmi_quat_mul(vrmi_quat_conjugate(parent), turn), parent), rest);
}

static vrm_quat target_of(vrm_instance *instance, const vrm_constraint *constraint)
{
    const vrm_quat rest = vrmi_model_node_rest(instance->model)[constraint->node].rotation;
    switch (constraint->type) {
    case VRM_CONSTRAINT_ROLL:
        return roll_target(instance, constraint, rest);
    case VRM_CONSTRAINT_AIM:
        return aim_target(instance, constraint, rest);
    default:
        return vrmi_quat_mul(rest, source_delta(instance, constraint));
    }
}

// Constraints that do not see each other: their rotations are made side by side.
typedef struct batch {
    uint32_t count;
    const vrm_constraint *rows[VRMI_LANES];
    vrmi_quat_lanes rest, target;
    float weight[VRMI_LANES];
} batch;

static void finish(vrm_instance *instance, batch *b)
{
    if (b->count == 0) {
        return;
    }
    for (uint32_t lane = b->count; lane < VRMI_LANES; ++lane) {
        vrmi_lane_set_quat(&b->rest, lane, vrmi_quat_identity());
        vrmi_lane_set_quat(&b->target, lane, vrmi_quat_identity());
        b->weight[lane] = 0.0f;
    }
    vrmi_quat_lanes part;
    vrmi_quat_normalize_lanes(&b->target);
    vrmi_quat_slerp_lanes(&b->rest, &b->target, b->weight, &part);
    for (uint32_t lane = 0; lane < b->count; ++lane) {
        const bool whole = !(b->weight[lane] < 1.0f);
        instance->local[b->rows[lane]->node].rotation = vrmi_lane_quat(whole ? &b->target : &part, lane);
    }
    for (uint32_t lane = 0; lane < b->count; ++lane) {
        vrmi_hierarchy_update_subtree(instance, b->rows[lane]->node);
    }
    b->count = 0;
}

static bool is_within(uint32_t node, uint32_t first, uint32_t end)
{
    return node >= first && node < end;
}

// Does one of the batch turn what this one looks at, or where it hangs?
static bool sees(const vrmi_model *model, const batch *b, const vrm_constraint *constraint)
{
    bool any = false;
    for (uint32_t lane = 0; lane < b->count; ++lane) {
        const uint32_t first = b->rows[lane]->node, end = vrmi_model_node_subtree_end(model)[first];
        any = any || is_within(constraint->source, first, end) || is_within(constraint->node, first, end);
    }
    return any;
}

static void add(vrm_instance *instance, batch *b, const vrm_constraint *constraint)
{
    const uint32_t lane = b->count++;
    b->rows[lane] = constraint;
    b->weight[lane] = constraint->weight;
    vrmi_lane_set_quat(&b->rest, lane, vrmi_model_node_rest(instance->model)[constraint->node].rotation);
    vrmi_lane_set_quat(&b->target, lane, target_of(instance, constraint));
}

void vrmi_stage_constraint(vrm_instance *instance)
{
    const vrm_constraint *constraints = vrmi_model_constraint(instance->model);
    batch b;
    b.count = 0;
    for (uint32_t i = 0; i < instance->model->constraint.count; ++i) {
        const vrm_constraint *constraint = &constraints[i];
        const bool is_draft = constraint->type >= VRM_CONSTRAINT_POSITION;
        if (is_draft || b.count == VRMI_LANES || sees(instance->model, &b, constraint)) {
            finish(instance, &b);
        }
        if (is_draft) {
            vrmi_run_draft_constraint(instance, constraint);
        } else {
            add(instance, &b, constraint);
        }
    }
    finish(instance, &b);
}
