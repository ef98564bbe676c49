// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// VRMC_node_constraint-1.0. Constraints run in the model's order, sources before what follows them, and each one
// refreshes its subtree, so that the next one sees it. A constraint writes an absolute rotation: the input rotation of
// its node does not count, at weight 0 the node is at rest.

#include "math/quat_lanes.h"
#include "runtime/core/hierarchy.h"
#include "runtime/stages.h"

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

// Constraints that do not see each other: their rotations are made side by side.
typedef struct batch {
    uint32_t count;
    bool rolls; // one of them does
    const vrm_constraint *rows[VRMI_LANES];
    vrmi_quat_lanes rest, source_rest, source; // local
    vrmi_quat_lanes target;                    // of those that aim; then of all
    vrmi_vec3_lanes axis;
    float weight[VRMI_LANES];
} batch;

// The part of the sources' turns that goes about the axes. Source and destination are taken to hang on parents with the
// same axes, as the specification does.
static void roll(const batch *b, const vrmi_quat_lanes *delta, vrmi_quat_lanes *out)
{
    vrmi_quat_lanes back, turn, swing;
    vrmi_quat_mul_lanes(&b->source_rest, delta, &turn); // in the parent ...
    vrmi_quat_conjugate_lanes(&b->source_rest, &back);
    vrmi_quat_mul_lanes(&turn, &back, &turn);
    vrmi_quat_conjugate_lanes(&b->rest, &back); // ... and in the destination
    vrmi_quat_mul_lanes(&back, &turn, &turn);
    vrmi_quat_mul_lanes(&turn, &b->rest, &turn);
    // Half a turn of the axis has no shortest way back; vrmi_quat_from_to() takes the same one everywhere.
    vrmi_quat_swing_lanes(&turn, &b->axis, &swing);
    vrmi_quat_conjugate_lanes(&swing, &swing);
    vrmi_quat_mul_lanes(&swing, &turn, &turn);
    vrmi_quat_mul_lanes(&b->rest, &turn, out);
}

static void find_targets(batch *b)
{
    vrmi_quat_lanes delta, copied, rolled; // delta: how far the source is turned from its rest, in its own rest axes
    vrmi_quat_conjugate_lanes(&b->source_rest, &delta);
    vrmi_quat_mul_lanes(&delta, &b->source, &delta);
    vrmi_quat_mul_lanes(&b->rest, &delta, &copied);
    if (b->rolls) {
        roll(b, &delta, &rolled);
    }
    for (uint32_t lane = 0; lane < b->count; ++lane) {
        if (b->rows[lane]->type != VRM_CONSTRAINT_AIM) {
            const bool rolls = b->rows[lane]->type == VRM_CONSTRAINT_ROLL;
            vrmi_lane_set_quat(&b->target, lane, vrmi_lane_quat(rolls ? &rolled : &copied, lane));
        }
    }
}

static void put(batch *b, uint32_t lane, vrm_quat rest, vrm_quat source_rest, vrm_quat source, vrm_vec3 axis)
{
    vrmi_lane_set_quat(&b->rest, lane, rest);
    vrmi_lane_set_quat(&b->source_rest, lane, source_rest);
    vrmi_lane_set_quat(&b->source, lane, source);
    vrmi_lane_set_vec3(&b->axis, lane, axis);
}

static void add(vrm_instance *instance, batch *b, const vrm_constraint *constraint)
{
    const vrm_transform *rests = vrmi_model_node_rest(instance->model);
    const vrm_quat rest = rests[constraint->node].rotation;
    const uint32_t lane = b->count++;
    b->rows[lane] = constraint;
    b->rolls = b->rolls || constraint->type == VRM_CONSTRAINT_ROLL;
    b->weight[lane] = constraint->weight;
    put(b, lane, rest, rests[constraint->source].rotation, instance->local[constraint->source].rotation,
        constraint->axis);
    if (constraint->type == VRM_CONSTRAINT_AIM) {
        vrmi_lane_set_quat(&b->target, lane, aim_target(instance, constraint, rest));
    }
}

static void finish(vrm_instance *instance, batch *b)
{
    if (b->count == 0) {
        return;
    }
    const vrm_quat identity = vrmi_quat_identity();
    for (uint32_t lane = b->count; lane < VRMI_LANES; ++lane) {
        put(b, lane, identity, identity, identity, vrmi_vec3(1.0f, 0.0f, 0.0f));
        vrmi_lane_set_quat(&b->target, lane, identity);
        b->weight[lane] = 0.0f;
    }
    vrmi_quat_lanes part;
    find_targets(b);
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
    b->rolls = false;
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

void vrmi_stage_constraint(vrm_instance *instance)
{
    const vrm_constraint *constraints = vrmi_model_constraint(instance->model);
    batch b;
    b.count = 0;
    b.rolls = false;
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
