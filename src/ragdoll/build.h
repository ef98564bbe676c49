// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RAGDOLL_BUILD_H
#define VRMI_RAGDOLL_BUILD_H

// The data of a build: the avatar, the definition, and the passes that lead from one to the other (build.c lists them).

#include <vrm/ragdoll_build.h>

#include "math/quat.h"
#include "model/model.h"
#include "ragdoll/anatomy.h"

enum { VRMI_RAGDOLL_POINTS = 1024, VRMI_RAGDOLL_SHARES = 8, VRMI_RAGDOLL_NUMBERS = 7 };

// The directions in which a body's extent is measured: the cells on the surface of a cube of 5 x 5 x 5 cells. They are
// at most 13 degrees apart.
enum {
    VRMI_RAGDOLL_CUBE = 5,
    VRMI_RAGDOLL_DIRECTIONS = VRMI_RAGDOLL_CUBE * VRMI_RAGDOLL_CUBE * VRMI_RAGDOLL_CUBE -
                              (VRMI_RAGDOLL_CUBE - 2) * (VRMI_RAGDOLL_CUBE - 2) * (VRMI_RAGDOLL_CUBE - 2)
};

// Vertices of a body in its frame: at most VRMI_RAGDOLL_POINTS, chosen evenly from all of them.
typedef struct vrmi_ragdoll_points {
    uint32_t count;
    float reach;     // metres from the joint; vertices farther away do not belong to the body
    uint32_t stride; // every stride-th vertex is kept
    uint32_t seen;
    vrm_vec3 items[VRMI_RAGDOLL_POINTS];
} vrmi_ragdoll_points;

// A node's share of a vertex. `place` is the vertex's position in the T-pose if only this node moved it. If the
// skeleton differs from the skin's bind pose, each node gives another position.
typedef struct vrmi_ragdoll_share {
    uint32_t node;
    float weight;
    vrm_vec3 place;
} vrmi_ragdoll_share;

typedef struct vrmi_ragdoll_vertex {
    uint32_t count;
    vrmi_ragdoll_share shares[VRMI_RAGDOLL_SHARES];
} vrmi_ragdoll_vertex;

// A node's motion from the T-pose to a pose with half closed hands and bent joints: a point p moves to turn * p + shift.
typedef struct vrmi_ragdoll_bend {
    vrm_quat turn;
    vrm_vec3 shift;
    bool bent; // false: the node stays
} vrmi_ragdoll_bend;

// Receives each vertex that is read. `see` may be NULL.
typedef struct vrmi_ragdoll_watcher {
    void (*see)(void *context, const vrmi_ragdoll_vertex *vertex);
    void *context;
} vrmi_ragdoll_watcher;

typedef struct vrmi_ragdoll_build {
    const vrmi_model *model;
    const vrm_gltf *gltf; // or NULL
    const vrm_ragdoll_build_params *params;
    vrm_allocator allocator;
    vrm_report *report;
    vrmi_ragdoll_watcher watcher;
    vrm_ragdoll_def *def;
    int32_t body_of_bone[VRM_HUMAN_BONE_COUNT]; // body that contains the bone; -1 if the bone does not exist
    vrmi_ragdoll_points *points;                // one per body
    vrmi_ragdoll_points *bent;                  // one per body: vertices that bent nodes move, after their motion
    float low, high;                            // heights of the lowest and highest vertex of the bodies, model space
} vrmi_ragdoll_build;

static inline vrm_vec3 vrmi_ragdoll_mirror(vrm_vec3 v)
{
    return vrmi_vec3(-v.x, v.y, v.z);
}

// Returns a bone's position in the T-pose, model space.
static inline vrm_vec3 vrmi_ragdoll_place(const vrmi_ragdoll_build *build, int32_t bone)
{
    const vrm_mat34 *m = &vrmi_model_node_rest_matrix(build->model)[build->model->head.bone_node[bone]];
    return vrmi_vec3(m->m[0][3], m->m[1][3], m->m[2][3]);
}
// Returns the bone's direction in the T-pose, and the distance to its tip: 0 for the head and other ends.
vrm_vec3 vrmi_ragdoll_direction(const vrmi_ragdoll_build *build, vrm_human_bone bone, float *out_length);
// Fills the array with unit vectors in all directions.
void vrmi_ragdoll_directions(vrm_vec3 out[VRMI_RAGDOLL_DIRECTIONS]);
// Returns the largest distance of a limb's vertices from its joint, estimated from the lengths of its bones and of the
// bone above.
float vrmi_ragdoll_reach(const vrmi_ragdoll_build *build, uint32_t body);

// Chooses the bodies and reads their vertices. `params` and `def` must live as long as the build. Set `report` and
// `watcher` before the call. Release the build even after a failure.
vrm_result vrmi_ragdoll_gather(vrmi_ragdoll_build *build, const vrm_avatar *avatar, const vrm_gltf *gltf,
    const vrm_ragdoll_build_params *params, vrm_ragdoll_def *def);
void vrmi_ragdoll_release(vrmi_ragdoll_build *build);

// The passes that follow the choice of bodies, in their order.
vrm_result vrmi_ragdoll_read_vertices(vrmi_ragdoll_build *build);
// Writes the motions of all nodes, relative to their bodies, and the position of a vertex after them. Returns false if
// no bent node moves the vertex.
void vrmi_ragdoll_find_bends(const vrmi_ragdoll_build *build, vrmi_ragdoll_bend *out);
bool vrmi_ragdoll_bend_vertex(const vrmi_ragdoll_bend *nodes, const vrmi_ragdoll_vertex *vertex, vrm_vec3 *out);
void vrmi_ragdoll_fit_shapes(vrmi_ragdoll_build *build);
// Returns the loss of a fit's numbers. May first change the numbers to allowed values.
typedef float vrmi_ragdoll_loss(const void *self, float numbers[VRMI_RAGDOLL_NUMBERS]);
// Changes `count` numbers until their loss is least, and returns that loss. `size` is the size of what is fitted. Tries
// one number after the other, and halves the step when no number helps: robust for a loss with kinks.
float vrmi_ragdoll_search(
    float numbers[VRMI_RAGDOLL_NUMBERS], uint32_t count, float size, vrmi_ragdoll_loss *loss, const void *self);
// Changes the capsule of a body in the middle so that its vertices lie on the ground, not in it. `neighbour` is the
// direction of the adjacent body. The body cannot lie on that side.
void vrmi_ragdoll_fit_support(const vrm_vec3 *points, uint32_t count, vrm_vec3 neighbour, vrm_ragdoll_shape *shape);
void vrmi_ragdoll_share_mass(vrmi_ragdoll_build *build);
void vrmi_ragdoll_place_joints(vrmi_ragdoll_build *build);
void vrmi_ragdoll_find_contacts(vrmi_ragdoll_build *build);

#endif
