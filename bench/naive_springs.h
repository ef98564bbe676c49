// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef BENCH_NAIVE_SPRINGS_H
#define BENCH_NAIVE_SPRINGS_H

// Spring bones as a C programmer would write them from the specification (VRMC_springBone-1.0, "Algorithm"): an array
// of structures, world space, one joint after the other, 4x4 matrices. The baseline of the benchmark, not part of the
// library.

#include <vrm/output.h>

typedef struct naive_node {
    int parent; // -1: a root
    vrm_transform rest;
} naive_node;

typedef struct naive_collider {
    int node;
    vrm_collider_shape shape;
    vrm_vec3 offset, tail;
    float radius;       // in its node's space
    float world_radius; // from naive_springs_rest() on, as scales do not change
} naive_collider;

typedef struct naive_joint {
    int node;
    int center; // node, or -1
    float stiffness, gravity_power, drag, hit_radius;
    vrm_vec3 gravity_dir;
    vrm_vec3 bone_axis; // unit, local
    float tail_length;  // local
    float bone_length;  // world, from naive_springs_rest() on
    bool uneven;        // under a scale that makes the bone's length depend on its direction
    vrm_spring_limit limit;
    vrm_quat limit_space;                 // local
    int first_between, between_count;     // nodes between it and the joint above that are not joints; range of the list
    int first_collider, collider_count;   // range of the list of indices
    vrm_vec3 previous_tail, current_tail; // world, or the center's space
} naive_joint;

typedef struct naive_springs {
    naive_joint *joints; // chain after chain, root to tip
    int joint_count;
    naive_node *nodes;
    int node_count;
    naive_collider *colliders;
    int collider_count;
    const unsigned *collider_indices;
    int *between;        // nodes, parents first
    float (*world)[16];  // column-major, of all nodes
    vrm_quat *rotations; // local, of all nodes
} naive_springs;

// Copies the avatar's springs. False without memory, or for springs that begin on a root of the file.
bool naive_springs_make(naive_springs *out, const vrm_avatar *avatar);
void naive_springs_free(naive_springs *springs);
// Copies the world matrices of all nodes from an instance. A step overwrites those of joints.
void naive_springs_place(naive_springs *springs, const vrm_outputs *outputs);
// Sets all joints to rest in the current pose.
void naive_springs_rest(naive_springs *springs);
// One step, including the world matrices of the joints.
void naive_springs_step(naive_springs *springs, float dt);
// The largest distance in metres between tails here and in an instance.
double naive_springs_difference(const naive_springs *springs, const vrm_outputs *outputs);

#endif
