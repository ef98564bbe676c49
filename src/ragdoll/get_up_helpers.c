// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Helpers: nodes of the skin that are not bones and that a constraint of VRMC_node_constraint-1.0 rotates. A pose
// contains only bones, and helpers follow from it by the formulas of the constraint stage. Constraints of the drafts
// are ignored: their nodes move with the bone above, like all other nodes.

#include <string.h>

#include "ragdoll/get_up.h"

#include "math/real_one.h"

#include "math/real_vector.h"

#include "math/constraint_body.h"

// Limits for files with far too many constraints. Constraints beyond the limits are ignored.
enum { SPRINGS = VRMI_GET_UP_JOINTS, CONSTRAINED = SPRINGS + 1, MOST_LOOKS = 4 * VRMI_GET_UP_HELPERS };

static const vrmi_constraint_row *constraint_of(const vrmi_model *model, uint32_t node)
{
    const vrmi_constraint_row *rows = vrmi_model_constraint(model);
    for (uint32_t i = 0; i < model->constraint.count; ++i) {
        if (rows[i].node == node) {
            return &rows[i];
        }
    }
    return NULL;
}

// Returns the joint that a constraint follows: a bone, or a helper that is already in the list; -1 if it is neither.
static int32_t source_of(const vrm_get_up_body *body, uint32_t source)
{
    const int32_t bone = vrmi_model_node_bone(body->model)[source];
    for (uint32_t i = 0; bone < 0 && i < body->skin.helper_count; ++i) {
        if (body->skin.helpers[i].node == source) {
            return (int32_t)(VRM_HUMAN_BONE_COUNT + i);
        }
    }
    return bone;
}

// Adds a helper and returns its joint. Returns `above` if the node only moves with that joint.
static int32_t add_helper(vrm_get_up_body *body, uint32_t node, int32_t above)
{
    const vrmi_model *model = body->model;
    const vrm_quat *rotations = vrmi_model_node_rest_rotation(model);
    const vrmi_constraint_row *row = constraint_of(model, node);
    const int32_t source = row != NULL ? source_of(body, row->source) : -1;
    if (source < 0 || row->type > VRM_CONSTRAINT_ROTATION) {
        return above;
    }
    vrmi_get_up_helper *h = &body->skin.helpers[body->skin.helper_count++];
    *h = (vrmi_get_up_helper){.node = node,
        .above = above,
        .bone = above < VRM_HUMAN_BONE_COUNT ? above : body->skin.helpers[above - VRM_HUMAN_BONE_COUNT].bone,
        .source = source,
        .source_above = source < VRM_HUMAN_BONE_COUNT ? body->parent[source]
                                                      : body->skin.helpers[source - VRM_HUMAN_BONE_COUNT].above,
        .type = row->type,
        .weight = row->weight,
        .axis = row->axis,
        .rest = vrmi_mat34_translation(&vrmi_model_node_rest_matrix(model)[node]),
        .rest_rotation = rotations[node],
        .local_rest = vrmi_model_node_rest(model)[node].rotation,
        .source_rotation = rotations[row->source],
        .source_local = vrmi_model_node_rest(model)[row->source].rotation};
    return (int32_t)(VRM_HUMAN_BONE_COUNT + body->skin.helper_count) - 1;
}

void vrmi_get_up_find_helpers(vrm_get_up_body *body, uint8_t *out_joint_of_node)
{
    const vrmi_model *model = body->model;
    const int32_t *parents = vrmi_model_node_parent(model), *bones = vrmi_model_node_bone(model);
    uint32_t looks = 0;
    memset(out_joint_of_node, 0, model->node_parent.count);
    for (uint32_t i = 0; i < model->constraint.count; ++i) {
        out_joint_of_node[vrmi_model_constraint(model)[i].node] = CONSTRAINED;
    }
    for (uint32_t i = 0; i < model->spring_joint.count; ++i) {
        out_joint_of_node[vrmi_model_spring_joint(model)[i].node] = SPRINGS;
    }
    for (uint32_t node = 0; node < model->node_parent.count; ++node) { // parents come before children
        const int32_t above = parents[node] >= 0 ? out_joint_of_node[parents[node]] : (int32_t)SPRINGS;
        const uint8_t mark = out_joint_of_node[node];
        int32_t joint = mark == SPRINGS ? (int32_t)SPRINGS : above;
        if (bones[node] >= 0) {
            joint = bones[node];
        } else if (mark == CONSTRAINED && above != SPRINGS && looks++ < MOST_LOOKS &&
                   body->skin.helper_count < VRMI_GET_UP_HELPERS) {
            joint = add_helper(body, node, above);
        }
        out_joint_of_node[node] = (uint8_t)joint;
    }
}

// --- in a pose -------------------------------------------------------------------------------------------------------

static q4 row_of(vrm_quat q)
{
    return (q4){q.x, q.y, q.z, q.w};
}

static v3 row3_of(vrm_vec3 v)
{
    return (v3){v.x, v.y, v.z};
}

// Returns a helper's rotation relative to its parent. `held` is the parent's rotation.
static vrm_quat local_of(const vrmi_get_up_helper *h, const vrmi_get_up_joints *joints, vrm_quat held, vrm_vec3 place)
{
    const q4 rest = row_of(h->local_rest), source_rest = row_of(h->source_local);
    q4 local;
    if (h->type == VRM_CONSTRAINT_AIM) {
        mask lost;
        const vrm_vec3 way = vrmi_vec3_sub(joints->place[h->source], place);
        local = aim_constraint(rest, row_of(held), row3_of(h->axis), row3_of(way), &lost);
    } else {
        // Converts the source's rotation from the model's axes to the axes of the source's rest pose.
        const vrm_quat above = h->source_above >= 0 ? joints->turn[h->source_above] : vrmi_quat_identity();
        const vrm_quat turned = vrmi_quat_mul(vrmi_quat_conjugate(above), joints->turn[h->source]);
        const q4 own = row_of(h->source_rotation);
        const q4 delta = turn_of_source(own, q4_mul(row_of(turned), own));
        local = h->type == VRM_CONSTRAINT_ROTATION ? rotation_constraint(rest, delta)
                                                   : roll_constraint(rest, source_rest, delta, row3_of(h->axis));
    }
    return (vrm_quat){local.x, local.y, local.z, local.w};
}

void vrmi_get_up_place_joints(const vrm_get_up_body *body, const vrmi_get_up_pose *pose, vrmi_get_up_joints *out)
{
    memcpy(out->turn, pose->turn, sizeof pose->turn);
    memcpy(out->place, pose->place, sizeof pose->place);
    for (uint32_t i = 0; i < body->skin.helper_count; ++i) {
        const vrmi_get_up_helper *h = &body->skin.helpers[i];
        const int32_t joint = (int32_t)(VRM_HUMAN_BONE_COUNT + i);
        const vrm_vec3 way = vrmi_vec3_sub(h->rest, vrmi_get_up_rest(body, h->above));
        out->place[joint] = vrmi_vec3_add(out->place[h->above], vrmi_quat_rotate(out->turn[h->above], way));
        const vrm_quat held_rest = vrmi_quat_mul(h->rest_rotation, vrmi_quat_conjugate(h->local_rest));
        const vrm_quat held = vrmi_quat_mul(out->turn[h->above], held_rest);
        const vrm_quat target = vrmi_quat_normalize(local_of(h, out, held, out->place[joint]));
        const vrm_quat local = vrmi_quat_slerp(h->local_rest, target, h->weight);
        out->turn[joint] =
            vrmi_quat_normalize(vrmi_quat_mul(vrmi_quat_mul(held, local), vrmi_quat_conjugate(h->rest_rotation)));
    }
}
