// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef TESTS_RAGDOLL_AVATAR_H
#define TESTS_RAGDOLL_AVATAR_H

// Loaded avatars with the ragdolls that are built for them, and some geometry.

#include <math.h>

#include "avatar_file.h"
#include "plain_quat.h"
#include "ragdoll_bones.h"
#include "sample_avatar.h"

typedef struct loaded {
    vrm_gltf *gltf;
    vrm_avatar *avatar;
    vrm_instance *instance;
    vrm_outputs rest; // `world` is the T-pose in model space
} loaded;

static inline void unload(loaded *l)
{
    vrm_instance_destroy(l->instance);
    vrm_avatar_release(l->avatar);
    vrm_gltf_destroy(l->gltf);
    *l = (loaded){0};
}

// Returns false for files without a humanoid.
static inline bool finish_load(loaded *l)
{
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    if (l->gltf == NULL || vrm_avatar_import(NULL, l->gltf, NULL, &l->avatar) != VRM_SUCCESS ||
        vrm_avatar_get_bone_node(l->avatar, VRM_HUMAN_BONE_HIPS) < 0) {
        unload(l);
        return false;
    }
    def.avatar = l->avatar;
    CHECK_INT(vrm_instance_create(&def, &l->instance), VRM_SUCCESS);
    vrm_update_dt(l->instance, 0.0f);
    l->rest.struct_size = sizeof l->rest;
    l->rest.struct_size = sizeof l->rest;
    vrm_instance_get_outputs(l->instance, &l->rest);
    return true;
}

static inline bool load_path(const char *path, loaded *out)
{
    *out = (loaded){0};
    (void)vrm_gltf_load_file(NULL, path, NULL, &out->gltf);
    return finish_load(out);
}

static inline void load_sample(loaded *out)
{
    *out = (loaded){.gltf = sample_document(0)};
    CHECK(finish_load(out));
}

static inline vrm_ragdoll_def build(const loaded *l, vrm_ragdoll_detail detail)
{
    vrm_ragdoll_def def = {.struct_size = sizeof def};
    vrm_ragdoll_build_params params;
    vrm_ragdoll_build_params_default(&params);
    params.detail = detail;
    vrm_ragdoll_def_default(&def);
    CHECK_INT(vrm_ragdoll_def_build(l->avatar, l->gltf, &params, NULL, &def), VRM_SUCCESS);
    vrm_ragdoll_error error = {.struct_size = sizeof error};
    CHECK_INT(vrm_ragdoll_def_check_avatar(&def, l->avatar, &error), VRM_SUCCESS);
    CHECK_STRING(vrm_ragdoll_fault_name(error.fault), "NONE");
    return def;
}

static inline vrm_vec3 rotate(vrm_quat q, vrm_vec3 v)
{
    const float tx = 2 * (q.y * v.z - q.z * v.y), ty = 2 * (q.z * v.x - q.x * v.z), tz = 2 * (q.x * v.y - q.y * v.x);
    return (vrm_vec3){v.x + q.w * tx + q.y * tz - q.z * ty, v.y + q.w * ty + q.z * tx - q.x * tz,
        v.z + q.w * tz + q.x * ty - q.y * tx};
}

static inline float length(vrm_vec3 v)
{
    return sqrtf(v.x * v.x + v.y * v.y + v.z * v.z);
}

static inline vrm_vec3 minus(vrm_vec3 a, vrm_vec3 b)
{
    return (vrm_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline vrm_vec3 rest_place(const loaded *l, uint32_t node)
{
    vrm_node info = {.struct_size = sizeof info};
    CHECK_INT(vrm_avatar_get_node(l->avatar, node, &info), VRM_SUCCESS);
    return info.rest_position;
}

// Returns the distance of a point, in the body's frame, from the shape's surface; negative inside.
static inline float surface_distance(const vrm_ragdoll_shape *shape, vrm_vec3 p)
{
    const vrm_vec3 local = rotate(inverse(shape->rotation), minus(p, shape->center));
    if (shape->type == VRM_RAGDOLL_SHAPE_CAPSULE) {
        const float along = fminf(fmaxf(local.y, -shape->half_length), shape->half_length);
        return length((vrm_vec3){local.x, local.y - along, local.z}) - shape->radius;
    }
    const vrm_vec3 h = shape->half_extents;
    const vrm_vec3 over = {fabsf(local.x) - h.x, fabsf(local.y) - h.y, fabsf(local.z) - h.z};
    const vrm_vec3 outside = {fmaxf(over.x, 0), fmaxf(over.y, 0), fmaxf(over.z, 0)};
    return length(outside) + fminf(fmaxf(over.x, fmaxf(over.y, over.z)), 0.0f);
}

static inline double total_mass(const vrm_ragdoll_def *def)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < def->body_count; ++i) {
        sum += (double)def->bodies[i].mass;
    }
    return sum;
}

static inline void near_vector(vrm_vec3 a, vrm_vec3 b, double tolerance)
{
    CHECK_NEAR(length(minus(a, b)), 0.0, tolerance);
}

static inline vrm_quat turn_about(vrm_vec3 axis, float angle)
{
    const float s = sinf(0.5f * angle);
    return (vrm_quat){axis.x * s, axis.y * s, axis.z * s, cosf(0.5f * angle)};
}

#endif
