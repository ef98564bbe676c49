// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "model/spring_lanes.h"

#include "math/vec3.h"
#include "model/model.h"

bool vrmi_spring_turns(const vrm_spring_joint *joint)
{
    return vrmi_vec3_dot(joint->tail, joint->tail) > 1e-18f;
}

bool vrmi_spring_chain_is_simple(const vrmi_spring_tables *tables, uint32_t chain)
{
    const vrmi_chain_row *row = &tables->chains[chain];
    const vrm_spring_joint *joints = tables->joints + row->first_joint;
    for (uint32_t j = 0; j < row->joint_count; ++j) {
        const bool follows = j == 0 || tables->node_parents[joints[j].node] == (int32_t)joints[j - 1].node;
        if (!follows || joints[j].limit.type != VRM_SPRING_LIMIT_NONE || !vrmi_spring_turns(&joints[j])) {
            return false;
        }
    }
    return row->joint_count != 0;
}

vrm_spring_joint_params vrmi_spring_lane_params(const vrmi_spring_param_lanes *row, uint32_t lane)
{
    return (vrm_spring_joint_params){row->hit_radius[lane], row->stiffness[lane], row->gravity_power[lane],
        vrmi_lane_vec3(&row->gravity_dir, lane), row->drag_force[lane]};
}

void vrmi_spring_set_lane_params(vrmi_spring_param_lanes *row, uint32_t lane, const vrm_spring_joint_params *params)
{
    vrmi_lane_set_vec3(&row->gravity_dir, lane, params->gravity_dir);
    row->gravity_power[lane] = params->gravity_power;
    row->stiffness[lane] = params->stiffness;
    row->drag_force[lane] = params->drag_force;
    row->hit_radius[lane] = params->hit_radius;
}

// The joint in a lane, or NULL.
static const vrm_spring_joint *joint_in(
    const vrmi_spring_tables *tables, const vrmi_spring_group_row *group, uint32_t depth, uint32_t lane)
{
    if (group->chains[lane] == VRMI_SPRING_NO_CHAIN) {
        return NULL;
    }
    const vrmi_chain_row *chain = &tables->chains[group->chains[lane]];
    return depth < chain->joint_count ? &tables->joints[chain->first_joint + depth] : NULL;
}

void vrmi_spring_fill_row(const vrmi_spring_tables *tables, const vrmi_spring_group_row *group, uint32_t depth,
    vrmi_spring_bone_lanes *out_bones, vrmi_spring_param_lanes *out_params)
{
    const vrm_spring_joint_params no_params = {.gravity_power = 0.0f};
    uint32_t some_lane = 0;
    while (joint_in(tables, group, depth, some_lane) == NULL) {
        ++some_lane; // a row has a joint at least
    }
    const uint32_t some_node = joint_in(tables, group, depth, some_lane)->node;
    for (uint32_t lane = 0; lane < VRMI_LANES; ++lane) {
        const vrm_spring_joint *joint = joint_in(tables, group, depth, lane);
        const bool turns = joint != NULL && vrmi_spring_turns(joint);
        const float length = turns ? vrmi_vec3_length(joint->tail) : 1.0f;
        const vrm_vec3 up = {0.0f, 1.0f, 0.0f};
        const vrm_quat identity = {0.0f, 0.0f, 0.0f, 1.0f};
        out_bones->node[lane] = joint != NULL ? joint->node : some_node;
        out_bones->length[lane] = length;
        out_bones->inverse_length[lane] = 1.0f / length;
        vrmi_lane_set_quat(&out_bones->rest, lane, joint != NULL ? tables->node_rest[joint->node].rotation : identity);
        vrmi_lane_set_vec3(&out_bones->axis, lane, turns ? vrmi_vec3_scale(joint->tail, 1.0f / length) : up);
        vrmi_spring_set_lane_params(out_params, lane, joint != NULL ? &joint->params : &no_params);
    }
}
