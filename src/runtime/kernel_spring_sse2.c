// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Pairs of four lanes: what every x86-64 processor has.

#include "runtime/kernel_spring_lanes.h"

#if !defined(VRM_SCALAR) && (defined(__SSE2__) || defined(_M_X64))

#define VRMI_SPRING_GROUP vrmi_spring_group_sse2

#include "runtime/kernel_spring_body.h"

bool vrmi_spring_has_sse2(void)
{
    return true;
}

#else

uint32_t vrmi_spring_group_sse2(vrm_instance *instance, const vrmi_spring_group *group, const vrmi_spring_step *step)
{
    return vrmi_spring_group_scalar(instance, group, step);
}

bool vrmi_spring_has_sse2(void)
{
    return false;
}

#endif
