// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Assigns vertices to bodies. A vertex belongs to the body whose bones have at least half of its weight, unless it is
// farther away than that body's reach. Vertices that are moved by spring joints (hair, skirts, tails) or by nodes below
// them belong to no body.

#include <string.h>

#include "base/report.h"
#include "format/gltf/gltf_document.h"
#include "math/mat34.h"
#include "ragdoll/build.h"

enum { CHUNK = 256, NOBODY = VRM_RAGDOLL_MAX_BODIES, OWNERS };

// The largest number of attribute values to read, since a file may use the same vertices with thousands of skins.
#define MAX_READS (UINT64_C(1) << 25)

typedef struct vertex_pass {
    vrmi_ragdoll_build *build;
    uint8_t *owner;           // one per node: a body or NOBODY
    vrmi_ragdoll_bend *bends; // one per node
    vrm_mat34 *skinning;      // vertex to model, for each joint of the mesh's palette
    uint64_t reads;
    // Values of the current chunk.
    vrm_vec3 position[CHUNK], skinned[CHUNK];
    float share[CHUNK][OWNERS];
    vrmi_ragdoll_vertex seen[CHUNK];
    float weights[CHUNK * 4];
    uint32_t joints[CHUNK * 4];
} vertex_pass;

// The mesh node that is being read.
typedef struct mesh_reading {
    uint32_t node;
    uint32_t joint_count; // 0: the mesh is not skinned
    const uint32_t *joint_nodes;
} mesh_reading;

static void find_owners(vertex_pass *pass)
{
    const vrmi_model *model = pass->build->model;
    const uint32_t count = model->node_parent.count;
    const int32_t *parents = vrmi_model_node_parent(model), *bones = vrmi_model_node_bone(model);
    memset(pass->owner, 0, count);
    for (uint32_t i = 0; i < model->spring_joint.count; ++i) {
        pass->owner[vrmi_model_spring_joint(model)[i].node] = NOBODY;
    }
    for (uint32_t node = 0; node < count; ++node) {
        if (bones[node] >= 0 && pass->build->body_of_bone[bones[node]] >= 0) {
            pass->owner[node] = (uint8_t)pass->build->body_of_bone[bones[node]];
        } else if (pass->owner[node] != NOBODY) {
            pass->owner[node] = parents[node] >= 0 ? pass->owner[parents[node]] : (uint8_t)NOBODY;
        }
    }
}

static void keep_point(vrmi_ragdoll_points *points, vrm_vec3 point)
{
    if (points->seen++ % points->stride != 0) {
        return;
    }
    if (points->count == VRMI_RAGDOLL_POINTS) {
        for (uint32_t i = 0; i < VRMI_RAGDOLL_POINTS / 2; ++i) {
            points->items[i] = points->items[2 * i];
        }
        points->count = VRMI_RAGDOLL_POINTS / 2;
        points->stride *= 2;
        if ((points->seen - 1) % points->stride != 0) {
            return;
        }
    }
    points->items[points->count++] = point;
}

// Keeps a vertex if it is within the body's reach.
static void keep_within_reach(vrmi_ragdoll_points *points, vrm_vec3 local)
{
    if (vrmi_vec3_finite(local) && vrmi_vec3_dot(local, local) <= points->reach * points->reach) {
        keep_point(points, local);
    }
}

static void show_chunk(const vertex_pass *pass, uint32_t count)
{
    const vrmi_ragdoll_watcher *watcher = &pass->build->watcher;
    for (uint32_t i = 0; i < count && watcher->see != NULL; ++i) {
        watcher->see(watcher->context, &pass->seen[i]);
    }
}

static void keep_chunk(vertex_pass *pass, uint32_t count)
{
    vrmi_ragdoll_build *build = pass->build;
    for (uint32_t i = 0; i < count; ++i) {
        float total = pass->share[i][NOBODY];
        uint32_t best = NOBODY;
        for (uint32_t owner = 0; owner < build->def->body_count; ++owner) {
            total += pass->share[i][owner];
            best = pass->share[i][owner] > pass->share[i][best] ? owner : best;
        }
        if (best == NOBODY || !(pass->share[i][best] >= 0.5f * total)) {
            continue;
        }
        const vrm_vec3 p = vrmi_vec3_scale(pass->skinned[i], 1.0f / total);
        const vrm_vec3 origin = vrmi_ragdoll_place(build, (int32_t)build->def->bodies[best].bone);
        vrm_vec3 bent;
        keep_within_reach(&build->points[best], vrmi_vec3_sub(p, origin));
        if (vrmi_ragdoll_bend_vertex(pass->bends, &pass->seen[i], &bent)) {
            keep_within_reach(&build->bent[best], vrmi_vec3_sub(bent, origin));
        }
        if (vrmi_vec3_finite(p)) {
            build->low = vrmi_min(build->low, p.y);
            build->high = vrmi_max(build->high, p.y);
        }
    }
}

static void add_share(vertex_pass *pass, uint32_t vertex, const vrmi_ragdoll_share *share)
{
    vrmi_ragdoll_vertex *seen = &pass->seen[vertex];
    pass->skinned[vertex] = vrmi_vec3_add(pass->skinned[vertex], vrmi_vec3_scale(share->place, share->weight));
    pass->share[vertex][pass->owner[share->node]] += share->weight;
    if (seen->count < VRMI_RAGDOLL_SHARES) {
        seen->shares[seen->count++] = *share;
    }
}

static vrm_result read_skin(
    vertex_pass *pass, const mesh_reading *mesh, const vrmi_gltf_primitive *primitive, uint32_t first, uint32_t count)
{
    const vrm_gltf *gltf = pass->build->gltf;
    uint32_t joints, weights;
    vrm_result result = VRM_SUCCESS;
    for (uint32_t set = 0; result == VRM_SUCCESS && vrmi_gltf_joint_set(gltf, primitive, set, &joints, &weights);
         ++set) {
        result = vrm_gltf_read_uints(gltf, joints, first, count, pass->joints);
        if (result == VRM_SUCCESS) {
            result = vrm_gltf_read_floats(gltf, weights, first, count, pass->weights);
        }
        pass->reads += (uint64_t)count * 8;
        for (uint32_t i = 0; i < count * 4 && result == VRM_SUCCESS; ++i) {
            const float weight = pass->weights[i];
            // Only joints with weight 0 can be outside of the skin, as the document was checked.
            if (weight > 0.0f && pass->joints[i] < mesh->joint_count) {
                const vrm_vec3 place = vrmi_mat34_point(&pass->skinning[pass->joints[i]], pass->position[i / 4]);
                const vrmi_ragdoll_share share = {mesh->joint_nodes[pass->joints[i]], weight, place};
                add_share(pass, i / 4, &share);
            }
        }
    }
    return result;
}

static bool is_vertex_set(const vrm_gltf *gltf, const vrmi_gltf_primitive *primitive)
{
    vrm_gltf_accessor info = {.struct_size = sizeof info};
    return primitive->position >= 0 && !primitive->compressed &&
           vrm_gltf_get_accessor(gltf, (uint32_t)primitive->position, &info) == VRM_SUCCESS && info.components == 3;
}

static vrm_result read_primitive(vertex_pass *pass, const mesh_reading *mesh, const vrmi_gltf_primitive *primitive)
{
    const vrm_gltf *gltf = pass->build->gltf;
    const vrm_mat34 *rest = vrmi_model_node_rest_matrix(pass->build->model);
    vrm_result result = VRM_SUCCESS;
    for (uint32_t first = 0; first < primitive->vertex_count && result == VRM_SUCCESS; first += CHUNK) {
        const uint32_t left = primitive->vertex_count - first, count = left < CHUNK ? left : CHUNK;
        result = vrm_gltf_read_floats(gltf, (uint32_t)primitive->position, first, count, &pass->position[0].x);
        pass->reads += (uint64_t)count * 3;
        memset(pass->share, 0, sizeof *pass->share * count);
        memset(pass->skinned, 0, sizeof *pass->skinned * count);
        for (uint32_t i = 0; i < count; ++i) {
            pass->seen[i].count = 0;
        }
        if (result == VRM_SUCCESS && mesh->joint_count != 0) {
            result = read_skin(pass, mesh, primitive, first, count);
        }
        for (uint32_t i = 0; i < count && mesh->joint_count == 0; ++i) {
            const vrmi_ragdoll_share share = {mesh->node, 1.0f, vrmi_mat34_point(&rest[mesh->node], pass->position[i])};
            add_share(pass, i, &share);
        }
        if (result == VRM_SUCCESS) {
            keep_chunk(pass, count);
            show_chunk(pass, count);
        }
    }
    // Unreadable vertices are treated as missing: bodies are then estimated, with a finding.
    return result == VRM_ERROR_OUT_OF_MEMORY ? result : VRM_SUCCESS;
}

// Whether an earlier primitive has the same vertices. Counting them again would give them more weight.
static bool is_repeated(const vrm_gltf *gltf, vrmi_gltf_range primitives, uint32_t index)
{
    const vrmi_gltf_primitive *all = gltf->primitives + primitives.first;
    for (uint32_t i = 0; i < index && i < 64; ++i) {
        if (all[i].position == all[index].position && all[i].joints0 == all[index].joints0) {
            return true;
        }
    }
    return false;
}

static vrm_result read_mesh(vertex_pass *pass, const vrmi_mesh_row *row)
{
    const vrm_gltf *gltf = pass->build->gltf;
    const vrmi_model *model = pass->build->model;
    const vrmi_gltf_range primitives = gltf->meshes[row->gltf_mesh].primitives;
    vrm_result result = VRM_SUCCESS;
    for (uint32_t i = 0; i < primitives.count && result == VRM_SUCCESS && pass->reads < MAX_READS; ++i) {
        const vrmi_gltf_primitive *primitive = &gltf->primitives[primitives.first + i];
        mesh_reading mesh = {.node = row->node};
        if (row->palette >= 0 && primitive->joints0 >= 0) {
            const vrmi_palette_row palette = vrmi_model_palette(model)[row->palette];
            mesh.joint_count = palette.joint_count;
            mesh.joint_nodes = vrmi_model_palette_node(model) + palette.first_joint;
            for (uint32_t joint = 0; joint < palette.joint_count; ++joint) {
                vrmi_mat34_mul(&vrmi_model_node_rest_matrix(model)[mesh.joint_nodes[joint]],
                    &vrmi_model_palette_inverse_bind(model)[palette.first_joint + joint], &pass->skinning[joint]);
            }
            pass->reads += palette.joint_count;
        }
        pass->reads += 16; // also limits the number of primitives
        if (is_vertex_set(gltf, primitive) && !is_repeated(gltf, primitives, i)) {
            result = read_primitive(pass, &mesh, primitive);
        }
    }
    return result;
}

vrm_result vrmi_ragdoll_read_vertices(vrmi_ragdoll_build *build)
{
    const vrmi_model *model = build->model;
    const uint32_t nodes = model->node_parent.count;
    uint32_t joints = 1;
    for (uint32_t i = 0; i < model->palette.count; ++i) {
        const uint32_t count = vrmi_model_palette(model)[i].joint_count;
        joints = count > joints ? count : joints;
    }
    const size_t skinning = sizeof(vertex_pass), bends = skinning + joints * sizeof(vrm_mat34);
    const size_t owners = bends + nodes * sizeof(vrmi_ragdoll_bend), size = owners + nodes;
    char *memory = vrmi_allocate(&build->allocator, size, 16);
    if (memory == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    vertex_pass *pass = (vertex_pass *)(void *)memory;
    pass->build = build;
    pass->reads = 0;
    pass->skinning = (vrm_mat34 *)(void *)(memory + skinning);
    pass->bends = (vrmi_ragdoll_bend *)(void *)(memory + bends);
    pass->owner = (uint8_t *)(memory + owners);
    vrmi_ragdoll_find_bends(build, pass->bends);
    find_owners(pass);
    vrm_result result = VRM_SUCCESS;
    for (uint32_t i = 0; i < model->mesh.count && result == VRM_SUCCESS && pass->reads < MAX_READS; ++i) {
        result = read_mesh(pass, &vrmi_model_mesh(model)[i]);
    }
    if (pass->reads >= MAX_READS) {
        vrmi_report(build->report, VRM_FINDING_RAGDOLL_VERTICES_LEFT_OUT, "/meshes", NULL, NULL);
    }
    vrmi_release(&build->allocator, memory, size);
    return result;
}
