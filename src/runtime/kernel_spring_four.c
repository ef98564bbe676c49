// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Two fours: what every x86-64 and 64-bit ARM processor has, and WebAssembly built for SIMD.

#include "runtime/kernel_spring_lanes.h"

#if defined(VRMI_SIMD_FOUR)

#define VRMI_SPRING_GROUP vrmi_spring_group_four
#define VRMI_SPRING_DRIVERS vrmi_spring_drivers_four
#define VRMI_SPRING_COLLIDERS vrmi_spring_colliders_four

#include "runtime/kernel_place_body.h"
#include "runtime/kernel_spring_body.h"

bool vrmi_spring_has_four(void)
{
    return true;
}

#else

void vrmi_spring_group_four(
    vrm_instance *instance, vrmi_spring_lane_run *runs, uint32_t run_count, const vrmi_spring_step *step)
{
    vrmi_spring_group_scalar(instance, runs, run_count, step);
}

void vrmi_spring_drivers_four(vrm_instance *instance, uint32_t count)
{
    vrmi_spring_drivers_scalar(instance, count);
}

void vrmi_spring_colliders_four(vrm_instance *instance, bool ahead)
{
    vrmi_spring_colliders_scalar(instance, ahead);
}

bool vrmi_spring_has_four(void)
{
    return false;
}

#endif
