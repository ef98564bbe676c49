// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The constraints of the drafts of VRM 1.0, which were later replaced. The drafts leave formulas open. Here a constraint
// works as follows:
// source   the difference of the source from its rest: either of its local values (a rotation in its own rest axes, as
//          final constraints measure it), or of its pose in the space of the glTF scene's root
// axes     mask the components of this difference; for a rotation, of its rotation vector, so that one axis alone is a
//          twist about this axis
// node     its rest plus the masked difference times the weight, in the node's own axes or in the model's axes

#include "math/mat34.h"
#include "math/scalar.h"
#include "runtime/core/hierarchy.h"

// Converts a position in the instance's world to model space, which is relative to the root.
static vrm_vec3 to_model(const vrm_instance *instance, vrm_vec3 world)
{
    vrm_mat34 model_from_root;
    const vrm_vec3 none = {0.0f, 0.0f, 0.0f};
    return vrmi_mat34_invert(&instance->root_world, &model_from_root) ? vrmi_mat34_point(&model_from_root, world)
                                                                      : none;
}

static vrm_vec3 model_position(const vrm_instance *instance, uint32_t node)
{
    return to_model(instance, vrmi_mat34_translation(&instance->world[node]));
}

// Converts a rotation in the world to the space of the glTF scene's root.
static vrm_quat to_model_rotation(const vrm_instance *instance, vrm_quat world)
{
    const vrm_quat root = vrmi_quat_mul(instance->root.rotation, instance->model->head.root_from_nodes);
    return vrmi_quat_mul(vrmi_quat_conjugate(root), world);
}

// Returns the node's rest position in the space of the glTF scene's root, without the half turn above it.
static vrm_vec3 rest_position(const vrmi_model *model, uint32_t node)
{
    const vrm_vec3 turned = vrmi_mat34_translation(&vrmi_model_node_rest_matrix(model)[node]);
    return vrmi_quat_rotate(vrmi_quat_conjugate(model->head.root_from_nodes), turned);
}

static vrm_quat rest_rotation(const vrmi_model *model, uint32_t node)
{
    return vrmi_quat_mul(vrmi_quat_conjugate(model->head.root_from_nodes), vrmi_model_node_rest_rotation(model)[node]);
}

// Computes the matrix and the rotation of the node's parent in model space.
static void parent_in_model(vrm_instance *instance, uint32_t node, vrm_mat34 *out_matrix, vrm_quat *out_rotation)
{
    vrm_mat34 world, model_from_root;
    vrmi_hierarchy_parent(instance, node, &world);
    if (vrmi_mat34_invert(&instance->root_world, &model_from_root)) {
        vrmi_mat34_mul(&model_from_root, &world, out_matrix);
    } else {
        *out_matrix = world;
    }
    *out_rotation = to_model_rotation(instance, vrmi_hierarchy_parent_rotation(instance, node));
}

// --- position --------------------------------------------------------------------------------------------------------

static void run_position(vrm_instance *instance, const vrmi_constraint_row *c)
{
    const vrmi_model *model = instance->model;
    const vrm_transform *rest = vrmi_model_node_rest(model);
    vrm_vec3 moved = c->source_space == VRM_CONSTRAINT_SPACE_MODEL
                         ? vrmi_vec3_sub(model_position(instance, c->source), rest_position(model, c->source))
                         : vrmi_vec3_sub(vrmi_local(instance, c->source)->translation, rest[c->source].translation);
    moved = (vrm_vec3){c->axes[0] ? moved.x : 0.0f, c->axes[1] ? moved.y : 0.0f, c->axes[2] ? moved.z : 0.0f};
    if (c->destination_space == VRM_CONSTRAINT_SPACE_MODEL) {
        vrm_mat34 parent, inverse;
        vrm_quat rotation;
        parent_in_model(instance, c->node, &parent, &rotation);
        if (!vrmi_mat34_invert(&parent, &inverse)) {
            instance->status |= VRM_STATUS_DEGENERATE;
            return;
        }
        const vrm_vec3 none = {0.0f, 0.0f, 0.0f};
        moved = vrmi_vec3_sub(vrmi_mat34_point(&inverse, moved), vrmi_mat34_point(&inverse, none));
    }
    vrmi_local(instance, c->node)->translation =
        vrmi_vec3_add(rest[c->node].translation, vrmi_vec3_scale(moved, c->weight));
}

// --- rotation --------------------------------------------------------------------------------------------------------

static void write_rotation(vrm_instance *instance, const vrmi_constraint_row *c, vrm_quat rest, vrm_quat target)
{
    vrmi_local(instance, c->node)->rotation = vrmi_quat_slerp(rest, vrmi_quat_normalize(target), c->weight);
}

static void run_rotation(vrm_instance *instance, const vrmi_constraint_row *c)
{
    const vrmi_model *model = instance->model;
    const vrm_transform *rest = vrmi_model_node_rest(model);
    vrm_quat turned;
    if (c->source_space == VRM_CONSTRAINT_SPACE_MODEL) {
        turned = vrmi_quat_mul(to_model_rotation(instance, *vrmi_world_rotation(instance, c->source)),
            vrmi_quat_conjugate(rest_rotation(model, c->source)));
    } else {
        turned =
            vrmi_quat_mul(vrmi_quat_conjugate(rest[c->source].rotation), vrmi_local(instance, c->source)->rotation);
    }
    if (!(c->axes[0] && c->axes[1] && c->axes[2])) {
        const vrm_vec3 v = vrmi_quat_to_vector(turned);
        turned = vrmi_quat_from_vector(
            (vrm_vec3){c->axes[0] ? v.x : 0.0f, c->axes[1] ? v.y : 0.0f, c->axes[2] ? v.z : 0.0f});
    }
    const vrm_quat node_rest = rest[c->node].rotation;
    if (c->destination_space == VRM_CONSTRAINT_SPACE_MODEL) {
        vrm_mat34 matrix;
        vrm_quat parent;
        parent_in_model(instance, c->node, &matrix, &parent);
        const vrm_quat in_parent = vrmi_quat_mul(vrmi_quat_mul(vrmi_quat_conjugate(parent), turned), parent);
        write_rotation(instance, c, node_rest, vrmi_quat_mul(in_parent, node_rest));
    } else {
        write_rotation(instance, c, node_rest, vrmi_quat_mul(node_rest, turned));
    }
}

// --- aim -------------------------------------------------------------------------------------------------------------

// Rotates by yaw about the up vector and by pitch perpendicular to it, each only if it is constrained.
static void run_aim(vrm_instance *instance, const vrmi_constraint_row *c)
{
    const vrm_vec3 nowhere = {0.0f, 0.0f, 0.0f};
    const vrm_quat rest = vrmi_model_node_rest(instance->model)[c->node].rotation;
    const bool from_model = c->source_space == VRM_CONSTRAINT_SPACE_MODEL;
    const bool in_model = c->destination_space == VRM_CONSTRAINT_SPACE_MODEL;
    const vrm_vec3 target =
        from_model ? model_position(instance, c->source) : vrmi_local(instance, c->source)->translation;
    const vrm_vec3 here = in_model ? model_position(instance, c->node) : vrmi_local(instance, c->node)->translation;
    const vrm_vec3 way = vrmi_vec3_normalize_or(vrmi_vec3_sub(target, here), nowhere);
    if (vrmi_vec3_dot(way, way) == 0.0f) {
        instance->status |= VRM_STATUS_DEGENERATE;
        vrmi_local(instance, c->node)->rotation = rest;
        return;
    }
    vrm_quat frame = rest;
    if (in_model) {
        vrm_mat34 matrix;
        vrm_quat parent;
        parent_in_model(instance, c->node, &matrix, &parent);
        frame = vrmi_quat_mul(parent, rest);
    }
    const vrm_vec3 seen = vrmi_quat_rotate(vrmi_quat_conjugate(frame), way);
    const vrm_vec3 right = vrmi_vec3_cross(c->up, c->axis);
    const float x = vrmi_vec3_dot(seen, right), y = vrmi_vec3_dot(seen, c->up), z = vrmi_vec3_dot(seen, c->axis);
    const float yaw = c->axes[0] ? vrmi_atan2(x, z) : 0.0f;
    const float pitch = c->axes[1] ? vrmi_atan2(-y, vrmi_sqrt(x * x + z * z)) : 0.0f;
    const vrm_quat turn = vrmi_quat_mul(
        vrmi_quat_from_vector(vrmi_vec3_scale(c->up, yaw)), vrmi_quat_from_vector(vrmi_vec3_scale(right, pitch)));
    write_rotation(instance, c, rest, vrmi_quat_mul(rest, turn));
}

void vrmi_run_draft_constraint(vrm_instance *instance, const vrmi_constraint_row *constraint)
{
    if (constraint->type == VRM_CONSTRAINT_POSITION) {
        run_position(instance, constraint);
    } else if (constraint->type == VRM_CONSTRAINT_ROTATION_AXES) {
        run_rotation(instance, constraint);
    } else {
        run_aim(instance, constraint);
    }
    vrmi_hierarchy_update_subtree(instance, constraint->node);
}
