// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_SPRING_JOINT_H
#define VRMI_RUNTIME_SPRING_JOINT_H

// One joint's state among the lanes, for all that is not done eight at a time.

#include "runtime/core/instance.h"

typedef struct vrmi_spring_motion {
    vrm_vec3 tail, velocity, head; // vrmi_spring_state_lanes
} vrmi_spring_motion;

static inline uint32_t vrmi_spring_slot(const vrm_instance *instance, uint32_t joint)
{
    return vrmi_model_spring_slot(instance->model)[joint];
}

static inline vrmi_spring_motion vrmi_spring_get_motion(const vrm_instance *instance, uint32_t slot)
{
    const vrmi_spring_state_lanes *row = &instance->spring_state[slot / VRMI_LANES];
    const uint32_t lane = slot % VRMI_LANES;
    return (vrmi_spring_motion){
        vrmi_lane_vec3(&row->tail, lane), vrmi_lane_vec3(&row->velocity, lane), vrmi_lane_vec3(&row->head, lane)};
}

static inline void vrmi_spring_set_motion(vrm_instance *instance, uint32_t slot, const vrmi_spring_motion *motion)
{
    vrmi_spring_state_lanes *row = &instance->spring_state[slot / VRMI_LANES];
    const uint32_t lane = slot % VRMI_LANES;
    vrmi_lane_set_vec3(&row->tail, lane, motion->tail);
    vrmi_lane_set_vec3(&row->velocity, lane, motion->velocity);
    vrmi_lane_set_vec3(&row->head, lane, motion->head);
}

static inline vrm_quat vrmi_spring_get_shown(const vrm_instance *instance, uint32_t slot)
{
    return vrmi_lane_quat(&instance->spring_state[slot / VRMI_LANES].shown, slot % VRMI_LANES);
}

static inline void vrmi_spring_set_shown(vrm_instance *instance, uint32_t slot, vrm_quat shown)
{
    vrmi_lane_set_quat(&instance->spring_state[slot / VRMI_LANES].shown, slot % VRMI_LANES, shown);
}

static inline bool vrmi_spring_get_hit(const vrm_instance *instance, uint32_t slot)
{
    const uint32_t row = instance->spring_hit[slot / VRMI_LANES];
    return (row >> slot % VRMI_LANES & 1u) != 0;
}

static inline void vrmi_spring_set_hit(vrm_instance *instance, uint32_t slot, bool hit)
{
    uint8_t *row = &instance->spring_hit[slot / VRMI_LANES];
    const uint32_t bit = 1u << slot % VRMI_LANES;
    *row = (uint8_t)(hit ? *row | bit : *row & ~bit);
}

// The rows of parameters that hold: the instance's own or the avatar's.
static inline const vrmi_spring_param_lanes *vrmi_spring_param_rows(const vrm_instance *instance)
{
    return instance->def.spring_parameters ? instance->spring_params : vrmi_model_spring_param_lanes(instance->model);
}

#endif
