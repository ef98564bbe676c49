// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "runtime/spring/spring_joint.h"
#include "runtime/spring/spring_run.h"

// Of the bone's length in a tick: 0.2 degrees a second. Hair at rest moves by rounding, a thirtieth of this.
static const float still_way = 5e-5f;

bool vrmi_spring_is_still(const vrm_instance *instance)
{
    const vrmi_spring_globals *springs = &instance->springs;
    if (springs->settings.paused) {
        return (springs->pending & ~(uint32_t)VRMI_SPRING_PENDING_CARRY) == 0;
    }
    bool still = springs->pending == 0 && !springs->thaws && vrmi_spring_tips_are_still(springs);
    for (uint32_t c = 0; still && c < instance->model->spring_chain.count; ++c) {
        const uint32_t first = vrmi_model_spring_chain(instance->model)[c].first_joint;
        for (uint32_t i = first; still && i < first + instance->spring_chain_state[c].live; ++i) {
            const vrmi_spring_motion motion = vrmi_spring_get_motion(instance, vrmi_spring_slot(instance, i));
            const float way = vrmi_vec3_dot(motion.velocity, motion.velocity);
            still = way <= still_way * still_way * vrmi_vec3_dot(motion.tail, motion.tail);
        }
    }
    return still;
}
