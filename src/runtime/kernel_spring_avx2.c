// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Eight lanes in one register. Compiled for AVX2; it runs where cpuid says so.

#include "runtime/kernel_spring_lanes.h"

#if !defined(VRM_SCALAR) && defined(__AVX2__)

#define VRMI_SPRING_GROUP vrmi_spring_group_avx2
#define VRMI_SPRING_DRIVERS vrmi_spring_drivers_avx2
#define VRMI_SPRING_COLLIDERS vrmi_spring_colliders_avx2

#include "runtime/kernel_place_body.h"
#include "runtime/kernel_spring_body.h"

bool vrmi_spring_has_avx2(void)
{
    return true;
}

#else

void vrmi_spring_group_avx2(
    vrm_instance *instance, vrmi_spring_lane_run *runs, uint32_t run_count, const vrmi_spring_step *step)
{
    vrmi_spring_group_scalar(instance, runs, run_count, step);
}

void vrmi_spring_drivers_avx2(vrm_instance *instance, uint32_t count)
{
    vrmi_spring_drivers_scalar(instance, count);
}

void vrmi_spring_colliders_avx2(vrm_instance *instance, bool ahead)
{
    vrmi_spring_colliders_scalar(instance, ahead);
}

bool vrmi_spring_has_avx2(void)
{
    return false;
}

#endif
