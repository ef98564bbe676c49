// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Where vertices are in other poses than the T-pose. Some bones without a body move in their body's frame, and the
// body's shape has to contain their vertices: fingers, which a resting hand half closes, and helper joints that turn
// with a joint below the body, such as a kneecap that turns by half of the knee's angle.

#include "ragdoll/build.h"

#define HALF_CLOSED 0.3f // of each finger joint, radians: a hand that rests
#define MOST_BENT 2.2f   // of the knee or elbow that a helper joint follows, radians

// Whether a bone is a finger joint, but not one of the thumb, which stays beside the hand.
static bool is_finger(int32_t bone)
{
    return (bone >= VRM_HUMAN_BONE_LEFT_INDEX_PROXIMAL && bone <= VRM_HUMAN_BONE_LEFT_LITTLE_DISTAL) ||
           (bone >= VRM_HUMAN_BONE_RIGHT_INDEX_PROXIMAL && bone <= VRM_HUMAN_BONE_RIGHT_LITTLE_DISTAL);
}

static bool has_own_body(const vrmi_ragdoll_build *build, int32_t bone)
{
    const int32_t body = bone >= 0 ? build->body_of_bone[bone] : -1;
    return body >= 0 && (int32_t)build->def->bodies[body].bone == bone;
}

// Returns the rotation of a hinge's child about the hinge's axis, model space.
static vrm_quat bend_of(vrm_human_bone bone, float angle)
{
    const vrm_quat turn = vrmi_quat_from_axis_angle(vrmi_anatomy_of(bone)->x, angle);
    return vrmi_anatomy_is_right(bone) ? (vrm_quat){turn.x, -turn.y, -turn.z, turn.w} : turn;
}

// Writes each node's own rotation in the bent pose.
static void turn_nodes(const vrmi_ragdoll_build *build, vrmi_ragdoll_bend *out)
{
    const int32_t *bones = vrmi_model_node_bone(build->model);
    for (uint32_t node = 0; node < build->model->node_parent.count; ++node) {
        out[node] = (vrmi_ragdoll_bend){.turn = vrmi_quat_identity()};
        if (is_finger(bones[node]) && !has_own_body(build, bones[node])) {
            const float sign = vrmi_anatomy_is_right((vrm_human_bone)bones[node]) ? 1.0f : -1.0f;
            out[node].turn = vrmi_quat_from_axis_angle(vrmi_vec3(0, 0, 1), sign * HALF_CLOSED);
            out[node].bent = true;
        }
    }
    for (uint32_t i = 0; i < build->model->constraint.count; ++i) {
        const vrmi_constraint_row *row = &vrmi_model_constraint(build->model)[i];
        const int32_t source = bones[row->source];
        if (row->type == VRM_CONSTRAINT_ROTATION && bones[row->node] < 0 && has_own_body(build, source) &&
            vrmi_anatomy_of((vrm_human_bone)source)->joint == VRM_RAGDOLL_JOINT_HINGE) {
            out[row->node].turn = bend_of((vrm_human_bone)source, MOST_BENT * row->weight);
            out[row->node].bent = true;
        }
    }
}

void vrmi_ragdoll_find_bends(const vrmi_ragdoll_build *build, vrmi_ragdoll_bend *out)
{
    const vrmi_model *model = build->model;
    const int32_t *parents = vrmi_model_node_parent(model), *bones = vrmi_model_node_bone(model);
    turn_nodes(build, out);
    for (uint32_t node = 0; node < model->node_parent.count; ++node) { // a parent precedes its children
        const bool moves = !has_own_body(build, bones[node]) && parents[node] >= 0;
        const vrmi_ragdoll_bend above = moves ? out[parents[node]] : (vrmi_ragdoll_bend){.turn = vrmi_quat_identity()};
        const vrm_quat turn = out[node].turn;
        const vrm_mat34 *rest = &vrmi_model_node_rest_matrix(model)[node];
        const vrm_vec3 place = vrmi_vec3(rest->m[0][3], rest->m[1][3], rest->m[2][3]);
        const vrm_vec3 arm = vrmi_vec3_sub(place, vrmi_quat_rotate(turn, place));
        out[node] = (vrmi_ragdoll_bend){.turn = vrmi_quat_mul(above.turn, turn),
            .shift = vrmi_vec3_add(above.shift, vrmi_quat_rotate(above.turn, arm)),
            .bent = above.bent || out[node].bent};
    }
}

bool vrmi_ragdoll_bend_vertex(const vrmi_ragdoll_bend *nodes, const vrmi_ragdoll_vertex *vertex, vrm_vec3 *out)
{
    vrm_vec3 sum = {0.0f, 0.0f, 0.0f};
    float total = 0.0f;
    bool bent = false;
    for (uint32_t i = 0; i < vertex->count; ++i) {
        const vrmi_ragdoll_share *share = &vertex->shares[i];
        const vrmi_ragdoll_bend *bend = &nodes[share->node];
        const vrm_vec3 place = vrmi_vec3_add(vrmi_quat_rotate(bend->turn, share->place), bend->shift);
        sum = vrmi_vec3_add(sum, vrmi_vec3_scale(place, share->weight));
        total += share->weight;
        bent = bent || bend->bent;
    }
    *out = vrmi_vec3_scale(sum, 1.0f / total);
    return bent;
}
