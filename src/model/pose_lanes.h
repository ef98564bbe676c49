// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MODEL_POSE_LANES_H
#define VRMI_MODEL_POSE_LANES_H

// A rotation for each human bone, stored in groups of eight bones; kernels read and write whole groups.

#include <string.h>

#include <vrm/humanoid.h>
#include <vrm/math.h>

enum {
    VRMI_POSE_GROUP = 8,
    VRMI_POSE_GROUPS = (VRM_HUMAN_BONE_COUNT + VRMI_POSE_GROUP - 1) / VRMI_POSE_GROUP,
    VRMI_POSE_LANES = VRMI_POSE_GROUPS * VRMI_POSE_GROUP,
    VRMI_POSE_GROUP_FLOATS = 4 * VRMI_POSE_GROUP
};

typedef struct vrmi_pose_lanes {
    float v[VRMI_POSE_GROUPS][4][VRMI_POSE_GROUP]; // x, y, z, w
} vrmi_pose_lanes;

static inline vrm_quat vrmi_pose_get(const vrmi_pose_lanes *pose, int32_t bone)
{
    const float(*group)[VRMI_POSE_GROUP] = pose->v[(uint32_t)bone / VRMI_POSE_GROUP];
    const uint32_t lane = (uint32_t)bone % VRMI_POSE_GROUP;
    return (vrm_quat){group[0][lane], group[1][lane], group[2][lane], group[3][lane]};
}

static inline void vrmi_pose_set(vrmi_pose_lanes *pose, int32_t bone, vrm_quat q)
{
    float(*group)[VRMI_POSE_GROUP] = pose->v[(uint32_t)bone / VRMI_POSE_GROUP];
    const uint32_t lane = (uint32_t)bone % VRMI_POSE_GROUP;
    group[0][lane] = q.x;
    group[1][lane] = q.y;
    group[2][lane] = q.z;
    group[3][lane] = q.w;
}

static inline void vrmi_pose_identity_group(vrmi_pose_lanes *pose, uint32_t group)
{
    memset(pose->v[group], 0, sizeof pose->v[group]);
    for (uint32_t lane = 0; lane < VRMI_POSE_GROUP; ++lane) {
        pose->v[group][3][lane] = 1.0f;
    }
}

static inline void vrmi_pose_identity(vrmi_pose_lanes *pose)
{
    for (uint32_t group = 0; group < VRMI_POSE_GROUPS; ++group) {
        vrmi_pose_identity_group(pose, group);
    }
}

// Returns one bit for each group that contains one of the bones.
static inline uint32_t vrmi_pose_groups(uint64_t bones)
{
    uint32_t groups = 0;
    for (uint32_t group = 0; group < VRMI_POSE_GROUPS; ++group) {
        groups |= (bones >> (group * VRMI_POSE_GROUP) & 0xffu) != 0 ? 1u << group : 0u;
    }
    return groups;
}

#endif
