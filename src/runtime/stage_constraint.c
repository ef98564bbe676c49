// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// VRMC_node_constraint-1.0. Constraints run in the model's order, sources before what follows them, and each one
// refreshes its subtree, so that the next one sees it. A constraint writes an absolute rotation: the input rotation of
// its node does not count, at weight 0 the node is at rest.

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
    vrm_mat34 parent_world;
    vrm_quat parent;
    vrmi_hierarchy_parent(instance, constraint->node, &parent_world, &parent);
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

static void run_constraint(vrm_instance *instance, const vrm_constraint *constraint)
{
    const vrm_quat rest = vrmi_model_node_rest(instance->model)[constraint->node].rotation;
    vrm_quat target = rest;
    switch (constraint->type) {
    case VRM_CONSTRAINT_ROLL:
        target = roll_target(instance, constraint, rest);
        break;
    case VRM_CONSTRAINT_AIM:
        target = aim_target(instance, constraint, rest);
        break;
    case VRM_CONSTRAINT_ROTATION:
        target = vrmi_quat_mul(rest, source_delta(instance, constraint));
        break;
    case VRM_CONSTRAINT_POSITION:
    case VRM_CONSTRAINT_ROTATION_AXES:
    case VRM_CONSTRAINT_AIM_UP:
        vrmi_run_draft_constraint(instance, constraint);
        return;
    }
    instance->local[constraint->node].rotation =
        constraint->weight < 1.0f ? vrmi_quat_slerp(rest, vrmi_quat_normalize(target), constraint->weight)
                                  : vrmi_quat_normalize(target);
    vrmi_hierarchy_update_subtree(instance, constraint->node);
}

void vrmi_stage_constraint(vrm_instance *instance)
{
    const vrm_constraint *constraints = vrmi_model_constraint(instance->model);
    for (uint32_t i = 0; i < instance->model->constraint.count; ++i) {
        run_constraint(instance, &constraints[i]);
    }
}
