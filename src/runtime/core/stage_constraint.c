// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// VRMC_node_constraint-1.0. Constraints run in the model's order, sources first, and each updates its subtree before
// the next one runs. A constraint writes an absolute rotation: it ignores the input rotation of its node, and at weight
// 0 the node is at rest.

#include "runtime/core/hierarchy.h"
#include "runtime/core/kernel_constraint.h"
#include "runtime/stages.h"

// Constraints that do not depend on each other; their rotations are computed together.
typedef struct batch {
    uint32_t count;
    const vrmi_constraint_row *rows[VRMI_LANES];
} batch;

static void finish(vrm_instance *instance, batch *b)
{
    if (b->count == 0) {
        return;
    }
    vrmi_constraint_kernel_of(instance->lanes)(instance, b->rows, b->count);
    for (uint32_t lane = 0; lane < b->count; ++lane) {
        vrmi_hierarchy_update_subtree(instance, b->rows[lane]->node);
    }
    b->count = 0;
}

static bool is_within(uint32_t node, uint32_t first, uint32_t end)
{
    return node >= first && node < end;
}

// Returns true if a constraint of the batch affects the source of this constraint, or a parent of its node.
static bool sees(const vrmi_model *model, const batch *b, const vrmi_constraint_row *constraint)
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
    const vrmi_constraint_row *constraints = vrmi_model_constraint(instance->model);
    batch b;
    b.count = 0;
    for (uint32_t i = 0; i < instance->model->constraint.count; ++i) {
        const vrmi_constraint_row *constraint = &constraints[i];
        const bool is_draft = constraint->type >= VRM_CONSTRAINT_POSITION;
        if (is_draft || b.count == VRMI_LANES || sees(instance->model, &b, constraint)) {
            finish(instance, &b);
        }
        if (is_draft) {
            vrmi_run_draft_constraint(instance, constraint);
        } else {
            b.rows[b.count++] = constraint;
        }
    }
    finish(instance, &b);
}
