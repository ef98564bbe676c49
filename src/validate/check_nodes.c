// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "base/text.h"
#include "model/model.h"
#include "validate/rest_pose.h"

// Checks VRM's requirements for nodes and skins in the rest pose. 1.0 allows only positive scales that are equal on all
// axes. 0.x and drafts allow neither rotation nor scale, and drafts allow only translations as inverse bind matrices.
// If there are several such nodes, the first is reported with their number.

typedef struct node_count {
    uint32_t first; // lowest glTF index; UINT32_MAX: none
    uint32_t count;
} node_count;

static void count_node(node_count *count, const vrmi_model *model, uint32_t node)
{
    const uint32_t gltf = vrmi_model_node_gltf(model)[node];
    ++count->count;
    count->first = gltf < count->first ? gltf : count->first;
}

static void report_nodes(
    vrmi_run *run, const node_count *nodes, vrm_finding_id id, const char *key, const char *expected)
{
    char found[48];
    if (nodes->count > 0) {
        vrmi_reader_report(&run->reader, id, vrmi_gltf_element(run->gltf, VRM_GLTF_NODES, nodes->first), key,
            vrmi_format(found, sizeof(found),
                nodes->count == 1 ? "%u node with other values" : "%u nodes with other values", nodes->count),
            expected);
    }
}

static bool is_turned(const vrm_transform *rest)
{
    const vrm_quat r = rest->rotation;
    return r.x * r.x + r.y * r.y + r.z * r.z > VRMI_SLIGHT * VRMI_SLIGHT || vrmi_is_scaled(rest->scale);
}

static bool is_unevenly_scaled(vrm_vec3 s)
{
    const float least = vrmi_min(s.x, vrmi_min(s.y, s.z)), most = vrmi_max(s.x, vrmi_max(s.y, s.z));
    return !(least > 0.0f) || most - least > VRMI_SLIGHT * most;
}

static void check_transforms(vrmi_run *run, const vrmi_model *model)
{
    const bool old = model->head.dialect == VRMI_DIALECT_0_X || model->head.dialect == VRMI_DIALECT_1_0_DRAFT;
    node_count turned = {UINT32_MAX, 0}, uneven = {UINT32_MAX, 0};
    for (uint32_t i = 0; i < model->node_rest.count; ++i) {
        const vrm_transform *rest = &vrmi_model_node_rest(model)[i];
        if (old && is_turned(rest)) {
            count_node(&turned, model, i);
        } else if (!old && vrmi_model_node_bone(model)[i] < 0 &&
                   is_unevenly_scaled(rest->scale)) { // importing reports the scales of bones
            count_node(&uneven, model, i);
        }
    }
    report_nodes(run, &turned, VRM_FINDING_VRM0_NODE_TURNED, NULL, "translations only");
    report_nodes(run, &uneven, VRM_FINDING_VRM1_NODE_SCALE, NULL, "the same positive scale for all axes");
}

// Reports a node that is between the hips and both legs but not above the spine. The hips are then at the waist, and
// the pelvis is below them.
static void check_pelvis(vrmi_run *run, const vrmi_model *model)
{
    const int32_t *end = (const int32_t *)vrmi_model_node_subtree_end(model);
    const int32_t hips = model->head.bone_node[VRM_HUMAN_BONE_HIPS];
    const int32_t left = model->head.bone_node[VRM_HUMAN_BONE_LEFT_UPPER_LEG];
    const int32_t right = model->head.bone_node[VRM_HUMAN_BONE_RIGHT_UPPER_LEG];
    const int32_t spine = model->head.bone_node[VRM_HUMAN_BONE_SPINE];
    if (hips < 0 || left < 0 || right < 0) {
        return;
    }
    for (int32_t node = vrmi_model_node_parent(model)[left]; node > hips; node = vrmi_model_node_parent(model)[node]) {
        const bool holds_both = node < right && right < end[node];
        if (holds_both && !(node < spine && spine < end[node])) {
            vrmi_reader_report(&run->reader, VRM_FINDING_VRM1_INVERTED_PELVIS,
                vrmi_gltf_element(run->gltf, VRM_GLTF_NODES, vrmi_model_node_gltf(model)[node]), NULL, NULL, NULL);
            return;
        }
    }
}

static bool only_moves(const vrm_mat34 *m)
{
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) {
            if (vrmi_abs(m->m[row][column] - (row == column ? 1.0f : 0.0f)) > VRMI_SLIGHT) {
                return false;
            }
        }
    }
    return true;
}

static void check_inverse_binds(vrmi_run *run, const vrmi_model *model)
{
    const vrm_mat34 *binds = vrmi_model_palette_inverse_bind(model);
    for (uint32_t m = 0; m < model->mesh.count; ++m) {
        const vrmi_mesh_row *mesh = &vrmi_model_mesh(model)[m];
        const vrmi_palette_row row =
            mesh->palette >= 0 ? vrmi_model_palette(model)[mesh->palette] : (vrmi_palette_row){0, 0};
        for (uint32_t j = 0; j < row.joint_count; ++j) {
            if (!only_moves(&binds[row.first_joint + j])) {
                char found[32];
                vrmi_reader_report(&run->reader, VRM_FINDING_VRM1_DRAFT_INVERSE_BIND,
                    run->gltf->skins[mesh->gltf_skin].json, "inverseBindMatrices",
                    vrmi_format(found, sizeof(found), "matrix %u", j), "translations only");
                return;
            }
        }
    }
}

void vrmi_validate_nodes(vrmi_run *run, const vrm_avatar *avatar)
{
    const vrmi_model *model = avatar->model;
    if (model->head.dialect == VRMI_DIALECT_NONE) {
        return;
    }
    check_transforms(run, model);
    check_pelvis(run, model);
    if (model->head.dialect == VRMI_DIALECT_1_0_DRAFT) {
        check_inverse_binds(run, model);
    }
}
