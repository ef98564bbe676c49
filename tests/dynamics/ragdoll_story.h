// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef TESTS_RAGDOLL_STORY_H
#define TESTS_RAGDOLL_STORY_H

// A figure as a host shows it, to which things happen: it moves, is pushed, takes recovery steps, falls with a
// protective motion, lies and gets up.

#include "get_up.h"
#include "stage_motion.h"
#include "stagger_fixture.h"

#include "math/scalar.h"

typedef struct story {
    const figure *figure;
    vrm_instance *instance;
    scene_ragdoll scene;
    scene_stage_motion motion;
    scene_get_up get_up;
    int frame;                 // number of frames so far
    uint32_t phases, balances; // bit i: phase or balance i has occurred
} story;

// Begins the story. `allocator` is for the solver and for getting up, all zero for the default; the instance uses its
// avatar's.
static inline void story_begin(story *s, const figure *f, const char *motion, vrm_allocator allocator)
{
    *s = (story){.figure = f};
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = f->avatar;
    def.ragdoll_bodies = f->def.body_count;
    CHECK_INT(vrm_instance_create(&def, &s->instance), VRM_SUCCESS);
    vrm_ragdoll_params settings;
    vrm_ragdoll_params_default(&settings);
    scene_get_up_settings(&settings);
    settings.steps = true;
    vrm_ragdoll_solver_def solver;
    vrm_ragdoll_solver_def_default(&solver);
    solver.allocator = allocator;
    CHECK_INT(scene_ragdoll_begin(&s->scene, s->instance, &f->def, &settings, &solver), VRM_SUCCESS);
    s->scene.fall.on = true;
    CHECK_INT(scene_stage_motion_begin(&s->motion, motion, f->avatar, &f->def), VRM_SUCCESS);
    const scene_get_up_def get_up = {
        .instance = s->instance, .gltf = f->gltf, .fall = &s->scene.fall, .allocator = allocator};
    CHECK_INT(scene_get_up_begin(&s->get_up, &get_up), VRM_SUCCESS);
}

static inline void story_end(story *s)
{
    scene_ragdoll_end(&s->scene);
    scene_stage_motion_end(&s->motion);
    vrm_instance_destroy(s->instance);
    scene_get_up_free(&s->get_up);
}

static inline vrm_ragdoll_phase story_phase(const story *s)
{
    vrm_ragdoll_info info = {.struct_size = sizeof info};
    vrm_instance_get_ragdoll_info(s->instance, &info);
    return info.phase;
}

// Shows the next frame.
static inline void story_frame(story *s)
{
    vrm_update_params params;
    vrm_update_params_default(&params);
    params.dt = s->frame > 0 ? 1.0f / 60.0f : 0.0f;
    scene_get_up_frame(&s->get_up, 0.0, (double)params.dt);
    if (s->get_up.clip == NULL) { // a figure that gets up stays where it is
        scene_stage_motion_apply(&s->motion, s->instance, (double)s->frame / 60.0);
    }
    scene_ragdoll_frame(&s->scene, &params);
    ++s->frame;
    vrm_ragdoll_info info = {.struct_size = sizeof info};
    vrm_instance_get_ragdoll_info(s->instance, &info);
    s->phases |= 1u << info.phase;
    s->balances |= 1u << info.balance;
}

// Pushes the chest with `speed` N s/kg. Angle 0 is ahead, a quarter turn is to the figure's left at the root's first
// direction.
static inline void story_push(story *s, float speed, float angle)
{
    vrm_root root;
    vrm_instance_get_root(s->instance, &root);
    const float push = speed * scene_def_mass(&s->figure->def);
    const vrm_dvec3 chest = {
        root.translation.x, root.translation.y + 0.73 * (double)s->figure->def.height, root.translation.z};
    vrm_vec3 impulse = {0.0f, 0.0f, 0.0f};
    vrmi_sincos(angle, &impulse.x, &impulse.z);
    impulse.x *= push;
    impulse.z *= push;
    CHECK_INT(vrm_instance_hit_ragdoll(s->instance, -1, &chest, &impulse), VRM_SUCCESS);
}

#endif
