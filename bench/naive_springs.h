// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef BENCH_NAIVE_SPRINGS_H
#define BENCH_NAIVE_SPRINGS_H

// Spring bones as a C programmer would write them from the specification (VRMC_springBone-1.0, "Algorithm"): an array
// of structures, world space, one joint after the other, 4x4 matrices. The benchmarks compare libvrm with this program.
// It is not part of the library.

#include <vrm/output.h>

typedef struct naive_node {
    int parent; // -1: a root
    vrm_transform rest;
} naive_node;

typedef struct naive_collider {
    int node;
    vrm_collider_shape shape;
    vrm_vec3 offset, tail;
    float radius;       // in the space of the collider's node
    float world_radius; // set by naive_springs_rest(), since scales do not change
} naive_collider;

typedef struct naive_joint {
    int node;
    int center; // node, or -1
    float stiffness, gravity_power, drag, hit_radius;
    vrm_vec3 gravity_dir;
    vrm_vec3 bone_axis; // unit, local
    float tail_length;  // local
    float bone_length;  // world, set by naive_springs_rest()
    bool uneven;        // the joint's scale makes the bone's length depend on its direction
    vrm_spring_limit limit;
    vrm_quat limit_space;                 // local
    int first_between, between_count;     // range of `between`: nodes up to the joint above that are not joints
    int first_collider, collider_count;   // range of `collider_indices`
    vrm_vec3 previous_tail, current_tail; // in the world or in the center's space
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
    float (*world)[16];  // column-major, for all nodes
    vrm_quat *rotations; // local, for all nodes
} naive_springs;

// Copies the avatar's springs. Returns false if memory runs out, or for springs that begin on a root of the file.
bool naive_springs_make(naive_springs *out, const vrm_avatar *avatar);
void naive_springs_free(naive_springs *springs);
// Copies the world matrices of all nodes from an instance. A step overwrites the matrices of joints.
void naive_springs_place(naive_springs *springs, const vrm_outputs *outputs);
// Sets all joints to rest in the current pose.
void naive_springs_rest(naive_springs *springs);
// Makes one step, including the world matrices of the joints.
void naive_springs_step(naive_springs *springs, float dt);
// Returns the largest distance between the tails of this program and those of an instance, metres.
double naive_springs_difference(const naive_springs *springs, const vrm_outputs *outputs);

#endif
