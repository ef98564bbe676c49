// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "import/import.h"
#include "model/names.h"
#include "validate/rest_pose.h"

// Checks requirements of VRM animations that importing does not need: all required bones, a file without an avatar,
// nodes without scale, and a T-pose at rest.

static void check_bones(vrmi_run *run, uint32_t bones)
{
    const vrmi_json *json = run->json;
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        const char *name = vrm_human_bone_name((vrm_human_bone)bone);
        if (vrmi_human_bone_is_required((vrm_human_bone)bone) &&
            vrmi_json_member(json, bones, name) == VRMI_JSON_NONE) {
            vrmi_reader_report(&run->reader, VRM_FINDING_VRMA_REQUIRED_BONE_MISSING, bones, name, NULL,
                "an object that names the bone's node");
        }
    }
}

// Checks the scale of bones and of the nodes above them. Each node is reported once.
static void check_scales(vrmi_run *run, uint32_t bones)
{
    const vrmi_json *json = run->json;
    for (uint32_t key = vrmi_json_first(json, bones); key != VRMI_JSON_NONE; key = vrmi_json_next(json, key)) {
        int32_t node = vrmi_run_member_index(run, vrmi_json_value(json, key), "node", VRM_GLTF_NODES);
        for (; node >= 0 && run->seen[node] == 0; node = run->parents[node]) {
            run->seen[node] = 1;
            if (vrmi_is_scaled(run->gltf->nodes[node].local.scale)) {
                vrmi_reader_report(
                    &run->reader, VRM_FINDING_VRMA_NODE_SCALED, run->gltf->nodes[node].json, NULL, NULL, "no scale");
            }
        }
    }
    for (uint32_t key = vrmi_json_first(json, bones); key != VRMI_JSON_NONE; key = vrmi_json_next(json, key)) {
        int32_t node = vrmi_run_member_index(run, vrmi_json_value(json, key), "node", VRM_GLTF_NODES);
        for (; node >= 0 && run->seen[node] != 0; node = run->parents[node]) {
            run->seen[node] = 0;
        }
    }
}

void vrmi_validate_motion(vrmi_run *run)
{
    const vrmi_json *json = run->json;
    const uint32_t motion = vrmi_root_extension(json, "VRMC_vrm_animation");
    if (!vrmi_json_is(json, motion, VRMI_JSON_OBJECT)) {
        return;
    }
    if (vrmi_root_extension(json, "VRMC_vrm") != VRMI_JSON_NONE) {
        vrmi_reader_report(&run->reader, VRM_FINDING_VRMA_WITH_AVATAR, motion, NULL, NULL, NULL);
    }
    const uint32_t bones = vrmi_json_member(json, vrmi_json_member(json, motion, "humanoid"), "humanBones");
    if (vrmi_json_is(json, bones, VRMI_JSON_OBJECT)) {
        check_bones(run, bones);
        check_scales(run, bones);
        vrmi_validate_motion_pose(run, bones);
    }
    const uint32_t look_at = vrmi_json_member(json, motion, "lookAt");
    if (vrmi_json_is(json, look_at, VRMI_JSON_OBJECT) && vrmi_json_member(json, look_at, "node") == VRMI_JSON_NONE) {
        vrmi_reader_report(&run->reader, VRM_FINDING_VRMA_LOOK_AT_WITHOUT_NODE, look_at, "node", NULL, "an index");
    }
}
