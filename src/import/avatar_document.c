// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include <string.h>

#include "base/checks.h"
#include "format/gltf/gltf_document.h"
#include "model/model.h"

bool vrm_avatar_is_from(const vrm_avatar *avatar, const vrm_gltf *gltf)
{
    if (!VRM_ASSERT(avatar != NULL && gltf != NULL)) {
        return false;
    }
    const vrmi_model *model = avatar->model;
    const uint32_t *file_node = vrmi_model_node_gltf(model);
    const uint32_t nodes = model->node_gltf.count;
    bool same = nodes == gltf->counts[VRM_GLTF_NODES] && (nodes == 0 || gltf->nodes != NULL) &&
                model->material.count == gltf->counts[VRM_GLTF_MATERIALS];
    for (uint32_t i = 0; i < nodes && same; ++i) {
        const vrmi_gltf_node *node = &gltf->nodes[file_node[i]];
        const int32_t parent = vrmi_model_node_parent(model)[i];
        same = node->parent == (parent < 0 ? -1 : (int32_t)file_node[parent]) &&
               memcmp(&node->local, &vrmi_model_node_rest(model)[i], sizeof node->local) == 0;
    }
    for (uint32_t i = 0; i < model->mesh.count && same; ++i) {
        const vrmi_mesh_row *mesh = &vrmi_model_mesh(model)[i];
        const vrmi_gltf_node *node = &gltf->nodes[file_node[mesh->node]];
        same = node->mesh == (int32_t)mesh->gltf_mesh && node->skin == mesh->gltf_skin;
    }
    return same;
}
