// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MODEL_ROWS_H
#define VRMI_MODEL_ROWS_H

// Rows of the avatar's tables that the API copies member by member, with the same member names. The public structs
// begin with their size and may grow; these rows have a fixed layout, because cooked files contain them and the
// springs' loops read them.

#include <vrm/avatar.h>

// vrm_mesh_node
typedef struct vrmi_mesh_row {
    uint32_t node, gltf_mesh;
    int32_t gltf_skin, palette;
    uint32_t first_morph, morph_count;
    vrm_first_person first_person;
} vrmi_mesh_row;

// vrm_spring_joint
typedef struct vrmi_joint_row {
    uint32_t node;
    int32_t tail_node;
    vrm_vec3 tail;
    uint32_t spring, joint; // indices in the file
    vrm_spring_joint_params params;
    vrm_spring_limit limit;
} vrmi_joint_row;

// Where the vertices on a spring joint are around its bone, in model space in the rest pose: in a rectangle and in a
// circle perpendicular to the bone, and beyond the tail if no bone below has vertices. All 0: no vertices.
typedef struct vrmi_joint_reach_row {
    vrm_vec3 center;  // of rectangle and circle, from the bone
    vrm_vec3 half[2]; // from the center to two sides of the rectangle
    float radius;     // of the circle
    float beyond;     // the largest distance beyond the tail
    float shoulder;   // fraction of `beyond` at which vertices are as far from the bone's line as anywhere
    float tip;        // largest distance from that line at the end of `beyond`, as a fraction of the largest one
} vrmi_joint_reach_row;

// vrm_collider
typedef struct vrmi_collider_row {
    vrm_collider_shape shape;
    uint32_t node;
    vrm_vec3 offset, tail;
    float radius;
} vrmi_collider_row;

// vrm_constraint
typedef struct vrmi_constraint_row {
    vrm_constraint_type type;
    uint32_t node, source;
    vrm_vec3 axis;
    float weight;
    vrm_constraint_space source_space, destination_space;
    bool axes[3];
    vrm_vec3 up;
} vrmi_constraint_row;

// vrm_look_at
typedef struct vrmi_look_at_row {
    vrm_look_at_type type;
    vrm_vec3 offset_from_head_bone;
    vrm_range_map horizontal_inner, horizontal_outer, vertical_down, vertical_up;
} vrmi_look_at_row;

// vrm_avatar_body
typedef struct vrmi_body_row {
    float hips_height, eye_height, height;
} vrmi_body_row;

#endif
