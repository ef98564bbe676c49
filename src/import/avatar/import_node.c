// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "import/import.h"
#include "math/mat34.h"

// Numbers all nodes depth-first, with roots and children in the file's order. An explicit stack replaces recursion,
// whose depth the file would determine. Each node is pushed at most once.
static void number_nodes(vrmi_import *import)
{
    const vrm_gltf *gltf = import->gltf;
    const uint32_t count = gltf->counts[VRM_GLTF_NODES];
    uint32_t *stack = vrmi_import_scratch(import, count, sizeof *stack);
    vrmi_model_builder *model = &import->model;
    int32_t *parents = vrmi_import_extend(import, &model->node_parent, count);
    uint32_t *to_gltf = vrmi_import_extend(import, &model->node_gltf, count);
    uint32_t *from_gltf = vrmi_import_extend(import, &model->gltf_node, count);
    uint32_t *ends = vrmi_import_extend(import, &model->node_subtree_end, count);
    if (!vrmi_import_runs(import) || count == 0) {
        return;
    }
    uint32_t next = 0;
    for (uint32_t root = 0; root < count; ++root) {
        if (gltf->nodes[root].parent >= 0) {
            continue;
        }
        uint32_t depth = 0;
        stack[depth++] = root;
        while (depth != 0 && next < count) {
            const uint32_t node = stack[--depth];
            const vrmi_gltf_node *from = &gltf->nodes[node];
            parents[next] = from->parent < 0 ? -1 : (int32_t)from_gltf[from->parent];
            to_gltf[next] = node;
            from_gltf[node] = next++;
            for (uint32_t i = from->children.count; i-- > 0;) {
                const uint32_t child = gltf->indices[from->children.first + i];
                if (gltf->nodes[child].parent == (int32_t)node && depth < count) {
                    stack[depth++] = child;
                }
            }
        }
    }
    if (next != count) { // cannot happen: the document has no cycles and each node has at most one parent
        vrmi_import_stop(import, VRM_ERROR_INVALID_ASSET);
        return;
    }
    for (uint32_t i = count; i-- > 0;) {
        ends[i] = ends[i] > i + 1 ? ends[i] : i + 1;
        if (parents[i] >= 0 && ends[parents[i]] < ends[i]) {
            ends[parents[i]] = ends[i];
        }
    }
}

static void read_rest_pose(vrmi_import *import)
{
    vrmi_model_builder *model = &import->model;
    const uint32_t count = model->node_parent.count;
    vrm_transform *rest = vrmi_import_extend(import, &model->node_rest, count);
    vrm_quat *rotations = vrmi_import_extend(import, &model->node_rest_rotation, count);
    vrm_mat34 *matrices = vrmi_import_extend(import, &model->node_rest_matrix, count);
    int32_t *bones = vrmi_import_extend(import, &model->node_bone, count);
    int32_t *meshes = vrmi_import_extend(import, &model->node_mesh, count);
    vrmi_name *names = vrmi_import_extend(import, &model->node_name, count);
    if (!vrmi_import_runs(import)) {
        return;
    }
    const int32_t *parents = VRMI_ROWS(import, node_parent, int32_t);
    const uint32_t *to_gltf = VRMI_ROWS(import, node_gltf, uint32_t);
    const vrm_transform above = {{0.0f, 0.0f, 0.0f}, model->head.root_from_nodes, {1.0f, 1.0f, 1.0f}};
    vrm_mat34 root;
    vrmi_mat34_from_transform(&above, &root);
    for (uint32_t i = 0; i < count && vrmi_import_tick(import, 1); ++i) {
        const vrmi_gltf_node *from = &import->gltf->nodes[to_gltf[i]];
        rest[i] = from->local;
        bones[i] = -1;
        meshes[i] = -1;
        names[i] = vrmi_import_object_name(import, from->json);
        vrm_mat34 local;
        vrmi_mat34_from_transform(&from->local, &local);
        if (parents[i] < 0) {
            rotations[i] = vrmi_quat_normalize(vrmi_quat_mul(model->head.root_from_nodes, from->local.rotation));
            vrmi_mat34_mul(&root, &local, &matrices[i]);
        } else {
            rotations[i] = vrmi_quat_normalize(vrmi_quat_mul(rotations[parents[i]], from->local.rotation));
            vrmi_mat34_mul(&matrices[parents[i]], &local, &matrices[i]);
        }
        if (!vrmi_mat34_is_possible(&matrices[i])) {
            vrmi_reader_report(&import->reader, VRM_FINDING_VRM1_REST_POSE_OVERFLOW, from->json, NULL, NULL, NULL);
            vrmi_mat34_identity(&matrices[i]); // an identity matrix prevents reports about the node's descendants
        }
    }
}

void vrmi_import_nodes(vrmi_import *import)
{
    number_nodes(import);
    if (vrmi_import_runs(import)) {
        read_rest_pose(import);
    }
}
