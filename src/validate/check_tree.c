// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "base/text.h"
#include "validate/run.h"

// Checks the node tree of the file's JSON. The loaded document no longer has second parents and loops, so it cannot
// show all errors.

static void read_children(vrmi_run *run, uint32_t index, int32_t *parents)
{
    const vrmi_json *json = run->json;
    const uint32_t children = vrmi_json_member(json, vrmi_gltf_element(run->gltf, VRM_GLTF_NODES, index), "children");
    if (!vrmi_json_is(json, children, VRMI_JSON_ARRAY)) {
        return;
    }
    for (uint32_t c = vrmi_json_first(json, children); c != VRMI_JSON_NONE; c = vrmi_json_next(json, c)) {
        const int32_t child = vrmi_run_index(run, c, VRM_GLTF_NODES);
        if (child < 0) {
            continue;
        }
        if (parents[child] >= 0) {
            char expected[48];
            vrmi_reader_report_value(&run->reader, VRM_FINDING_NODE_PARENT_OVERRIDE, c,
                vrmi_format(expected, sizeof(expected), "only /nodes/%d", parents[child]));
        }
        parents[child] = (int32_t)index; // the last parent wins, as in other readers
    }
}

// Finds loops by following the parents of every node. Each walk stops at a node that was visited before, so the time is
// linear.
static void find_loops(vrmi_run *run, int32_t *parents, uint32_t *walk)
{
    for (uint32_t i = 0; i < run->gltf->counts[VRM_GLTF_NODES]; ++i) {
        int32_t at = (int32_t)i;
        while (at >= 0 && walk[at] == 0) {
            walk[at] = i + 1;
            at = parents[at];
        }
        if (at >= 0 && walk[at] == i + 1) {
            vrmi_reader_report(&run->reader, VRM_FINDING_NODE_LOOP,
                vrmi_gltf_element(run->gltf, VRM_GLTF_NODES, (uint32_t)at), NULL, NULL, NULL);
            parents[at] = -1; // cuts the loop for later passes
        }
    }
}

static void check_scenes(vrmi_run *run, const int32_t *parents)
{
    const vrmi_json *json = run->json;
    for (uint32_t i = 0; i < run->gltf->counts[VRM_GLTF_SCENES]; ++i) {
        const uint32_t nodes = vrmi_json_member(json, vrmi_gltf_element(run->gltf, VRM_GLTF_SCENES, i), "nodes");
        if (!vrmi_json_is(json, nodes, VRMI_JSON_ARRAY)) {
            continue;
        }
        for (uint32_t n = vrmi_json_first(json, nodes); n != VRMI_JSON_NONE; n = vrmi_json_next(json, n)) {
            const int32_t node = vrmi_run_index(run, n, VRM_GLTF_NODES);
            if (node >= 0 && parents[node] >= 0) {
                vrmi_reader_report_value(&run->reader, VRM_FINDING_SCENE_NON_ROOT_NODE, n, "a root");
            }
        }
    }
}

void vrmi_validate_tree(vrmi_run *run)
{
    const uint32_t count = run->gltf->counts[VRM_GLTF_NODES];
    int32_t *parents = run->parents = vrmi_run_alloc(run, count, sizeof(*parents));
    uint32_t *walk = vrmi_run_alloc(run, count, sizeof(*walk));
    if (parents == NULL || walk == NULL) {
        return;
    }
    for (uint32_t i = 0; i < count; ++i) {
        parents[i] = -1;
    }
    for (uint32_t i = 0; i < count; ++i) {
        read_children(run, i, parents);
    }
    check_scenes(run, parents);
    find_loops(run, parents, walk);
}
