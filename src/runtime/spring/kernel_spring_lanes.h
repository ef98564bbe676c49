// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_KERNEL_SPRING_LANES_H
#define VRMI_RUNTIME_KERNEL_SPRING_LANES_H

// Up to eight chains in lockstep, one joint of each at a time, root to tip. For chains that use none of what
// spring_run.c does besides (plain ones: spring_group.h), operation by operation the arithmetic of spring_run.c and
// kernel_spring.c, so that both give the same bits (tests/test_lanes.c).

#include "math/simd.h"
#include "runtime/core/kernel_matrix.h"
#include "runtime/spring/spring_place.h"

typedef enum vrmi_spring_contact_kind {
    VRMI_SPRING_CONTACT_SPHERE, // or a capsule without length
    VRMI_SPRING_CONTACT_CAPSULE,
    VRMI_SPRING_CONTACT_INSIDE, // either, keeping in
    VRMI_SPRING_CONTACT_PLANE
} vrmi_spring_contact_kind;

// A collider in a step, and which lanes meet it.
typedef struct vrmi_spring_lane_contact {
    const vrmi_spring_collider *collider;
    uint32_t lanes; // bits
    vrmi_spring_contact_kind kind;
} vrmi_spring_lane_contact;

// A group in a step.
typedef struct vrmi_spring_lane_run {
    uint32_t group;
    uint32_t first_row, row_count; // down to the last joint that runs
    uint32_t lanes, lost;          // bits: those that run; those whose state is not finite
    const float *lane_joints;      // joints that run of each lane's chain
    const vrmi_spring_pose *root;  // what all chains hang on; or NULL, and the poses of what each of them does:
    vrmi_vec3_lanes position;
    vrmi_quat_lanes rotation;
    // What carries the last tick's state to this step (vrmi_spring_carry); where no chain has a center, the step's.
    bool centered;
    vrmi_vec3_lanes carry_translation;
    vrmi_quat_lanes carry_rotation;
    uint32_t turns; // bits: lanes with a rotation in that
    uint32_t meets; // bits: lanes with a contact
    uint32_t shows; // bits: lanes whose joints go to the outputs
    bool ahead;     // as in vrmi_spring_contacts
    bool whole;     // no chain of the group stands aside, none is frozen: slots that do not run are nobody's
    const vrmi_spring_lane_contact *contacts;
    uint32_t contact_count;
} vrmi_spring_lane_run;

enum { VRMI_SPRING_BATCH = 4 }; // groups that go down together

typedef struct vrmi_spring_kernels {
    // Runs a step of some groups. They go down together: a row waits for the one above it, and the processor fills that
    // time with the other groups' rows.
    void (*groups)(
        vrm_instance *instance, vrmi_spring_lane_run *runs, uint32_t run_count, const vrmi_spring_step *step);
    // Where no node has a scale (kernel_place_body.h): `now` of the first `count` drivers, but of those that a joint
    // carries; and the avatar's colliders but its planes, `ahead`: where drivers are ahead.
    void (*drivers)(vrm_instance *instance, uint32_t count);
    void (*colliders)(vrm_instance *instance, bool ahead);
} vrmi_spring_kernels;

// Those of a vrmi_lanes_path, or of the next lower one that the build has.
const vrmi_spring_kernels *vrmi_spring_kernels_of(uint32_t path);

extern const vrmi_spring_kernels vrmi_spring_kernels_scalar;
// NULL where the build has no such path.
const vrmi_spring_kernels *vrmi_spring_kernels_four(void);
const vrmi_spring_kernels *vrmi_spring_kernels_avx2(void);

#endif
