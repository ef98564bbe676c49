// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef TESTS_RAGDOLL_SCENE_FIXTURE_H
#define TESTS_RAGDOLL_SCENE_FIXTURE_H

// The sample avatar with its built definition on the stage of scenes/, and some geometry.

#include <math.h>

#include "ragdoll_scene.h"
#include "sample_avatar.h"
#include "test.h"

static vrm_avatar *avatar;
static vrm_ragdoll_def definition = {.struct_size = sizeof definition};

static inline bool prepare(void)
{
    if (avatar != NULL) {
        return true;
    }
    vrm_gltf *gltf = sample_document(0);
    CHECK_INT(vrm_avatar_import(NULL, gltf, NULL, &avatar), VRM_SUCCESS);
    CHECK_INT(vrm_ragdoll_def_build(avatar, gltf, NULL, NULL, &definition), VRM_SUCCESS);
    vrm_gltf_destroy(gltf);
    return avatar != NULL;
}

static inline vrm_instance *make_instance_for(const vrm_ragdoll_def *bodies)
{
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = avatar;
    def.ragdoll_bodies = bodies->body_count;
    def.look_chain_bones = VRM_LOOK_CHAIN_MAX_BONES;
    vrm_instance *instance = NULL;
    CHECK_INT(vrm_instance_create(&def, &instance), VRM_SUCCESS);
    return instance;
}

static inline vrm_instance *make_instance(void)
{
    prepare();
    return make_instance_for(&definition);
}

static inline vrm_update_params params_of(float dt)
{
    vrm_update_params params;
    vrm_update_params_default(&params);
    params.dt = dt;
    return params;
}

static inline vrm_ragdoll_params manual_settings(void)
{
    vrm_ragdoll_params settings;
    vrm_ragdoll_params_default(&settings);
    settings.recovery = VRM_RAGDOLL_RECOVERY_MANUAL;
    return settings;
}

static inline void bone_place(const vrm_instance *instance, vrm_human_bone bone, double out[3])
{
    vrm_outputs outputs = {.struct_size = sizeof outputs};
    vrm_instance_get_outputs(instance, &outputs);
    const vrm_world *world = &outputs.world[vrm_avatar_get_bone_node(avatar, bone)];
    out[0] = outputs.origin.x + (double)world->m[0][3];
    out[1] = outputs.origin.y + (double)world->m[1][3];
    out[2] = outputs.origin.z + (double)world->m[2][3];
}

static inline double distance(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

static inline double angle_between(vrm_quat a, vrm_quat b)
{
    const double x = (double)(a.w * b.x - a.x * b.w + a.z * b.y - a.y * b.z);
    const double y = (double)(a.w * b.y - a.y * b.w + a.x * b.z - a.z * b.x);
    const double z = (double)(a.w * b.z - a.z * b.w + a.y * b.x - a.x * b.y);
    return 2.0 * asin(fmin(1.0, sqrt(x * x + y * y + z * z)));
}

#endif
