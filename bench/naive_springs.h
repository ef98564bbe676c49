// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef BENCH_NAIVE_SPRINGS_H
#define BENCH_NAIVE_SPRINGS_H

// Spring bones as a C programmer writes them from the specification's text (VRMC_springBone-1.0, "Algorithm"): an array of
// structures, world space, one joint after the other, 4x4 matrices. The baseline of the benchmark, not of the library.

#include <vrm/output.h>

typedef struct naive_collider {
    int node;
    vrm_collider_shape shape;
    vrm_vec3 offset, tail;
    float radius;
} naive_collider;

typedef struct naive_joint {
    int node, parent; // nodes
    int center;       // node, or -1
    float stiffness, gravity_power, drag, hit_radius;
    vrm_vec3 gravity_dir;
    vrm_quat rest_rotation; // local
    vrm_vec3 rest_translation;
    vrm_vec3 bone_axis; // unit, local
    float bone_length;
    int first_collider, collider_count;   // in the list of indices
    vrm_vec3 previous_tail, current_tail; // world, or the center's space
} naive_joint;

typedef struct naive_springs {
    naive_joint *joints; // chain after chain, root to tip
    int joint_count;
    naive_collider *colliders;
    const unsigned *collider_indices;
    float (*world)[16];  // column-major, of all nodes
    vrm_quat *rotations; // local, of all nodes
} naive_springs;

// Takes what the avatar's springs are; joints begin at rest. False without memory, or for what it does not know: limits, and
// springs that hang on no node.
int naive_springs_make(naive_springs *out, const vrm_avatar *avatar);
void naive_springs_free(naive_springs *springs);
// World matrices of everything above the springs, as an instance has them now.
void naive_springs_place(naive_springs *springs, const vrm_outputs *outputs);
// One step, with the world matrices of the joints.
void naive_springs_step(naive_springs *springs, float dt);

#endif
