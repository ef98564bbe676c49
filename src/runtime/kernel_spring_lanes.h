// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_KERNEL_SPRING_LANES_H
#define VRMI_RUNTIME_KERNEL_SPRING_LANES_H

// Up to eight chains in lockstep, one joint of each at a time, root to tip. For chains that use none of what
// spring_run.c does besides (plain ones: spring_group.c), operation by operation the arithmetic of spring_run.c and
// kernel_spring.c, so that both give the same bits (tests/test_lanes.c).

#include "math/simd.h"
#include "runtime/spring_place.h"

// What the kernel is compiled for; the instance holds the best that the processor has.
typedef enum vrmi_lanes_path {
    VRMI_LANES_NONE, // chain after chain
    VRMI_LANES_SCALAR,
    VRMI_LANES_FOUR,
    VRMI_LANES_AVX2,
    VRMI_LANES_PATH_COUNT
} vrmi_lanes_path;

// A collider of each lane, transposed.
typedef struct vrmi_spring_collider_lanes {
    float a[3][VRMI_LANES], b[3][VRMI_LANES];
    float radius[VRMI_LANES], inverse[VRMI_LANES], side[VRMI_LANES];
} vrmi_spring_collider_lanes;

typedef struct vrmi_spring_group {
    uint32_t lane_count;                                       // lanes in use; all lanes hold valid rows
    uint32_t joint_count;                                      // of the longest chain
    uint32_t first_joint[VRMI_LANES], lane_joints[VRMI_LANES]; // 0 joints: a lane that is not in use
    float position[3][VRMI_LANES], rotation[4][VRMI_LANES];    // of what the chains hang on
    // What carries the last tick's state to this step (vrmi_spring_carry).
    float carry_translation[3][VRMI_LANES], carry_rotation[4][VRMI_LANES];
    bool turns;
    bool ahead; // as in vrmi_spring_contacts
    const vrmi_spring_collider_lanes *colliders;
    uint32_t collider_count; // of the lane with most; others hold one that nothing meets
    uint32_t lane_colliders[VRMI_LANES];
} vrmi_spring_group;

// Runs the group's step (a tick or a look ahead). Returns a bit for each lane whose state is not finite.
typedef uint32_t vrmi_spring_group_kernel(
    vrm_instance *instance, const vrmi_spring_group *group, const vrmi_spring_step *step);

vrmi_spring_group_kernel vrmi_spring_group_scalar;
vrmi_spring_group_kernel vrmi_spring_group_four;
vrmi_spring_group_kernel vrmi_spring_group_avx2;
// False where the build has no such path.
bool vrmi_spring_has_four(void);
bool vrmi_spring_has_avx2(void);

#endif
