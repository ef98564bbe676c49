// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/text.h"
#include "validate/run.h"

// Checks skins and the nodes that use skinned meshes. The joints of a skin must have one root, which must be in the
// scene of the mesh.

// Whether the node `skeleton` is above every joint. Each node is visited once; `seen` marks visited nodes.
static bool is_common_root(vrmi_run *run, const vrmi_gltf_skin *skin, int32_t skeleton)
{
    const uint32_t *joints = run->gltf->indices + skin->joints.first;
    bool common = true;
    for (uint32_t i = 0; i < skin->joints.count && common; ++i) {
        int32_t node = (int32_t)joints[i];
        while (node >= 0 && node != skeleton && run->seen[node] == 0) {
            run->seen[node] = 1;
            node = run->parents[node];
        }
        common = node >= 0; // reached the skeleton, or a node that an earlier joint visited
    }
    for (uint32_t i = 0; i < skin->joints.count; ++i) {
        for (int32_t node = (int32_t)joints[i]; node >= 0 && run->seen[node] != 0; node = run->parents[node]) {
            run->seen[node] = 0;
        }
    }
    return common;
}

// Checks that the last row of each matrix is exactly 0 0 0 1, as readers assume.
static void check_last_rows(vrmi_run *run, uint32_t skin, int32_t ibm)
{
    static const float last[4] = {0, 0, 0, 1};
    const vrmi_gltf_accessor *a = vrmi_gltf_readable(run->gltf, (uint32_t)ibm);
    if (a == NULL || a->components != 16 || a->component_type != VRMI_GL_FLOAT || !vrmi_run_scan(run, a)) {
        return;
    }
    vrmi_gltf_accessor raw = *a;
    raw.non_finite = false;
    for (uint32_t i = 0; i < raw.count; ++i) {
        float m[16];
        char found[48];
        vrmi_accessor_floats(&raw, i, 1, m);
        for (int c = 0; c < 4; ++c) {
            if (m[4 * c + 3] != last[c]) {
                vrmi_reader_report(&run->reader, VRM_FINDING_ACCESSOR_INVALID_IBM, skin, "inverseBindMatrices",
                    vrmi_format(found, sizeof(found), "%g in matrix %u", (double)m[4 * c + 3], i), NULL);
                return;
            }
        }
    }
}

static void check_skin(vrmi_run *run, uint32_t index)
{
    const vrmi_gltf_skin *skin = &run->gltf->skins[index];
    const int32_t ibm = vrmi_run_member_index(run, skin->json, "inverseBindMatrices", VRM_GLTF_ACCESSORS);
    const int32_t skeleton = vrmi_run_member_index(run, skin->json, "skeleton", VRM_GLTF_NODES);
    const uint32_t *joints = run->gltf->indices + skin->joints.first;
    vrmi_use_accessor(run, ibm, VRMI_USAGE_IBM, skin->json, "inverseBindMatrices");
    vrmi_forbid_stride(run, ibm, VRM_FINDING_SKIN_IBM_ACCESSOR_WITH_BYTESTRIDE, skin->json, "inverseBindMatrices");
    if (ibm >= 0) {
        const vrmi_accessor_row *row = &run->accessors[ibm];
        if (row->components != 16 || row->component_type != VRMI_GL_FLOAT || row->normalized) {
            vrmi_reader_report(&run->reader, VRM_FINDING_SKIN_IBM_INVALID_FORMAT, skin->json, "inverseBindMatrices",
                NULL, "MAT4 of floats");
        }
        check_last_rows(run, skin->json, ibm);
        const uint32_t wanted = vrmi_json_count(run->json, vrmi_json_member(run->json, skin->json, "joints"));
        if (row->count < wanted) {
            char found[32], expected[48];
            vrmi_reader_report(&run->reader, VRM_FINDING_INVALID_IBM_ACCESSOR_COUNT, skin->json, "inverseBindMatrices",
                vrmi_format(found, sizeof(found), "%u", row->count),
                vrmi_format(expected, sizeof(expected), "at least %u", wanted));
        }
    }
    bool one_root = true;
    const int32_t root = skin->joints.count != 0 ? run->roots[joints[0]] : -1;
    for (uint32_t i = 1; i < skin->joints.count; ++i) {
        one_root = one_root && run->roots[joints[i]] == root;
    }
    const bool lost =
        skin->joints.count == 0 && vrmi_json_count(run->json, vrmi_json_member(run->json, skin->json, "joints")) != 0;
    if (!one_root || lost) {
        vrmi_reader_report(&run->reader, VRM_FINDING_SKIN_NO_COMMON_ROOT, skin->json, "joints", NULL, NULL);
    }
    if (skeleton >= 0 && (skin->joints.count == 0 || !is_common_root(run, skin, skeleton))) {
        vrmi_reader_report(&run->reader, VRM_FINDING_SKIN_SKELETON_INVALID, skin->json, "skeleton", NULL, NULL);
    }
}

// Sets for each node the bits of the scenes that list it. Only the first 64 scenes are used; files usually have one or
// two. Returns false if there are more.
static bool read_scenes(vrmi_run *run, uint64_t *scenes)
{
    const vrmi_json *json = run->json;
    const uint32_t count = run->gltf->counts[VRM_GLTF_SCENES];
    for (uint32_t i = 0; i < count && i < 64; ++i) {
        const uint32_t nodes = vrmi_json_member(json, vrmi_gltf_element(run->gltf, VRM_GLTF_SCENES, i), "nodes");
        if (!vrmi_json_is(json, nodes, VRMI_JSON_ARRAY)) {
            continue;
        }
        for (uint32_t n = vrmi_json_first(json, nodes); n != VRMI_JSON_NONE; n = vrmi_json_next(json, n)) {
            const int32_t node = vrmi_run_index(run, n, VRM_GLTF_NODES);
            if (node >= 0) {
                scenes[node] |= (uint64_t)1 << i;
            }
        }
    }
    return count <= 64;
}

// Adds the scenes of parents to their children. Each path goes up to a finished node and then down again, so each node
// is finished once.
static void spread_scenes(vrmi_run *run, uint64_t *scenes, int32_t *way)
{
    const uint32_t count = run->gltf->counts[VRM_GLTF_NODES];
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t length = 0;
        for (int32_t node = (int32_t)i; node >= 0 && run->seen[node] == 0; node = run->parents[node]) {
            run->seen[node] = 1;
            way[length++] = node;
        }
        while (length-- > 0) {
            const int32_t node = way[length];
            scenes[node] |= run->parents[node] >= 0 ? scenes[run->parents[node]] : 0;
        }
    }
    memset(run->seen, 0, count);
}

// Finds for each skin the scenes that contain the roots of all its joints.
static const uint64_t *find_joint_scenes(vrmi_run *run, const uint64_t *scenes)
{
    const uint32_t count = run->gltf->counts[VRM_GLTF_SKINS];
    uint64_t *joint_scenes = vrmi_run_alloc(run, count, sizeof(*joint_scenes));
    for (uint32_t s = 0; s < count && joint_scenes != NULL; ++s) {
        const vrmi_gltf_range joints = run->gltf->skins[s].joints;
        joint_scenes[s] = UINT64_MAX;
        for (uint32_t i = joints.first; i < joints.first + joints.count; ++i) {
            joint_scenes[s] &= scenes[run->roots[run->gltf->indices[i]]];
        }
    }
    return joint_scenes;
}

// Reports a parent or transform of a node with a skinned mesh: neither has an effect, because the mesh follows the
// joints.
static void check_skinned_node(vrmi_run *run, const vrmi_gltf_node *node, bool has_parent)
{
    const vrm_transform *t = &node->local;
    const bool stands = t->translation.x == 0.0f && t->translation.y == 0.0f && t->translation.z == 0.0f &&
                        t->rotation.x == 0.0f && t->rotation.y == 0.0f && t->rotation.z == 0.0f &&
                        t->rotation.w == 1.0f && t->scale.x == 1.0f && t->scale.y == 1.0f && t->scale.z == 1.0f;
    if (has_parent) {
        vrmi_reader_report(&run->reader, VRM_FINDING_NODE_SKINNED_MESH_NON_ROOT, node->json, NULL, NULL, NULL);
    }
    if (!stands) {
        vrmi_reader_report(&run->reader, VRM_FINDING_NODE_SKINNED_MESH_LOCAL_TRANSFORMS, node->json, NULL, NULL, NULL);
    }
}

static void check_nodes(vrmi_run *run)
{
    const uint32_t count = run->gltf->counts[VRM_GLTF_NODES];
    uint64_t *scenes = vrmi_run_alloc(run, count, sizeof(*scenes));
    int32_t *way = vrmi_run_alloc(run, count, sizeof(*way));
    if (scenes == NULL || way == NULL) {
        return;
    }
    const bool known = read_scenes(run, scenes);
    spread_scenes(run, scenes, way);
    const uint64_t *joint_scenes = find_joint_scenes(run, scenes);
    if (joint_scenes == NULL) {
        return;
    }
    for (uint32_t i = 0; i < count; ++i) {
        const vrmi_gltf_node *node = &run->gltf->nodes[i];
        if (node->mesh < 0 || node->skin < 0) {
            continue;
        }
        check_skinned_node(run, node, run->parents[i] >= 0);
        const vrmi_gltf_skin *skin = &run->gltf->skins[node->skin];
        uint32_t *limit = &run->joint_limits[node->mesh];
        *limit = skin->joints.count != 0 && skin->joints.count < *limit ? skin->joints.count : *limit;
        if (known && (scenes[i] & joint_scenes[node->skin]) != scenes[i]) {
            vrmi_reader_report(&run->reader, VRM_FINDING_NODE_SKIN_NO_SCENE, node->json, NULL, NULL, NULL);
        }
    }
}

void vrmi_validate_skins(vrmi_run *run)
{
    const uint32_t count = run->gltf->counts[VRM_GLTF_NODES], meshes = run->gltf->counts[VRM_GLTF_MESHES];
    run->roots = vrmi_run_alloc(run, count, sizeof(*run->roots));
    run->joint_limits = vrmi_run_alloc(run, meshes, sizeof(*run->joint_limits));
    if (run->roots == NULL || run->joint_limits == NULL) {
        return;
    }
    memset(run->joint_limits, 0xFF, meshes * sizeof(*run->joint_limits));
    for (uint32_t i = 0; i < count; ++i) {
        run->roots[i] = -1;
    }
    for (uint32_t i = 0; i < count; ++i) {
        // Go up to a node whose root is known, then down again. Each node is written once.
        int32_t top = (int32_t)i;
        while (run->roots[top] < 0 && run->parents[top] >= 0) {
            top = run->parents[top];
        }
        const int32_t root = run->roots[top] >= 0 ? run->roots[top] : top;
        for (int32_t node = (int32_t)i; node >= 0 && run->roots[node] < 0; node = run->parents[node]) {
            run->roots[node] = root;
        }
    }
    check_nodes(run);
    for (uint32_t i = 0; i < run->gltf->counts[VRM_GLTF_SKINS] && vrmi_run_tick(run); ++i) {
        check_skin(run, i);
    }
}
