// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "ragdoll/build.h"

vrm_vec3 vrmi_ragdoll_direction(const vrmi_ragdoll_build *build, vrm_human_bone bone, float *out_length)
{
    const vrm_vec3 from = vrmi_ragdoll_place(build, (int32_t)bone);
    vrm_vec3 way = {0.0f, 0.0f, 0.0f};
    int32_t tip = vrmi_anatomy_tip(bone, 0);
    for (uint32_t choice = 0; tip >= 0; tip = vrmi_anatomy_tip(bone, ++choice)) {
        if (build->model->head.bone_node[tip] >= 0) {
            way = vrmi_vec3_sub(vrmi_ragdoll_place(build, tip), from);
            break;
        }
    }
    *out_length = vrmi_vec3_length(way);
    // A bone without a tip points in its usual direction of the T-pose.
    const vrmi_anatomy *anatomy = vrmi_anatomy_of(bone);
    vrm_vec3 usual = anatomy->joint == VRM_RAGDOLL_JOINT_HINGE ? anatomy->y : anatomy->x;
    usual = vrmi_anatomy_is_right(bone) ? vrmi_ragdoll_mirror(usual) : usual;
    return vrmi_vec3_normalize_or(way, usual);
}

void vrmi_ragdoll_directions(vrm_vec3 out[VRMI_RAGDOLL_DIRECTIONS])
{
    uint32_t count = 0;
    const int side = VRMI_RAGDOLL_CUBE, last = side - 1;
    for (int cell = 0; cell < side * side * side; ++cell) {
        const int x = cell % side, y = cell / side % side, z = cell / (side * side);
        if (x == 0 || y == 0 || z == 0 || x == last || y == last || z == last) {
            const vrm_vec3 way = {(float)(2 * x - last), (float)(2 * y - last), (float)(2 * z - last)};
            out[count++] = vrmi_vec3_normalize_or(way, vrmi_vec3(0.0f, 1.0f, 0.0f));
        }
    }
}

float vrmi_ragdoll_reach(const vrmi_ragdoll_build *build, uint32_t body)
{
    // In 33 figures, including robots and misshapen ones, no vertex of a limb is farther from its joint than 1.8
    // times the longest bone at that joint. Trunk and head have no limit, since they are as thick as they are long and
    // wear hats and rucksacks.
    static const float lengths = 2.5f, everything = 1e18f;
    const vrm_human_bone bone = build->def->bodies[body].bone;
    if (build->def->bodies[body].group < VRM_RAGDOLL_GROUP_LEFT_ARM) {
        return everything;
    }
    const int32_t *nodes = build->model->head.bone_node, *parents = build->model->head.bone_parent;
    const vrm_vec3 joint = vrmi_ragdoll_place(build, (int32_t)bone);
    float longest = 0.0f;
    for (int32_t other = 0; other < VRM_HUMAN_BONE_COUNT; ++other) {
        const int32_t above = nodes[other] >= 0 ? parents[other] : -1;
        if ((above >= 0 && build->body_of_bone[above] == (int32_t)body) || other == parents[bone]) {
            const vrm_vec3 way = vrmi_vec3_sub(vrmi_ragdoll_place(build, other), joint);
            longest = vrmi_max(longest, vrmi_vec3_length(way));
        }
    }
    return lengths * longest;
}
