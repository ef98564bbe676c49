// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Finds bodies that must never collide: those that share a joint, and those that touch in the T-pose.

#include "ragdoll/build.h"

#define MARGIN 0.005f // fraction of the height; a pair closer than this counts as touching
enum { ROUNDS = 100 };

// A shape without its radius: a segment for a capsule, or a box.
typedef struct core {
    vrm_vec3 center;
    vrm_quat rotation;
    vrm_vec3 half;
    float radius;
} core;

static core core_of(const vrmi_ragdoll_build *build, uint32_t index)
{
    const vrm_ragdoll_body *body = &build->def->bodies[index];
    const vrm_ragdoll_shape *shape = &body->shape;
    const bool box = shape->type == VRM_RAGDOLL_SHAPE_BOX;
    return (core){vrmi_vec3_add(vrmi_ragdoll_place(build, (int32_t)body->bone), shape->center), shape->rotation,
        box ? shape->half_extents : vrmi_vec3(0.0f, shape->half_length, 0.0f), box ? 0.0f : shape->radius};
}

static vrm_vec3 nearest(const core *c, vrm_vec3 p)
{
    const vrm_vec3 local = vrmi_quat_rotate(vrmi_quat_conjugate(c->rotation), vrmi_vec3_sub(p, c->center));
    const vrm_vec3 inside = {vrmi_clamp(local.x, -c->half.x, c->half.x), vrmi_clamp(local.y, -c->half.y, c->half.y),
        vrmi_clamp(local.z, -c->half.z, c->half.z)};
    return vrmi_vec3_add(c->center, vrmi_quat_rotate(c->rotation, inside));
}

// Returns the distance of two convex cores. Projects alternately onto each core, which converges to their nearest
// points (Cheney and Goldstein 1959).
static float distance(const core *a, const core *b)
{
    vrm_vec3 on_a = a->center, on_b = nearest(b, on_a);
    for (uint32_t i = 0; i < ROUNDS; ++i) {
        on_a = nearest(a, on_b);
        on_b = nearest(b, on_a);
    }
    return vrmi_vec3_length(vrmi_vec3_sub(on_a, on_b)) - a->radius - b->radius;
}

static void forbid(vrm_ragdoll_def *def, uint32_t a, uint32_t b)
{
    def->bodies[a].no_contact |= UINT64_C(1) << b;
    def->bodies[b].no_contact |= UINT64_C(1) << a;
}

void vrmi_ragdoll_find_contacts(vrmi_ragdoll_build *build)
{
    vrm_ragdoll_def *def = build->def;
    for (uint32_t i = 0; i < def->body_count; ++i) {
        const core own = core_of(build, i);
        for (uint32_t j = 0; j < i; ++j) {
            const core other = core_of(build, j);
            if (def->bodies[i].parent == (int32_t)j || distance(&own, &other) < MARGIN * def->height) {
                forbid(def, i, j);
            }
        }
    }
}
