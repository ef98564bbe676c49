// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Linked into vrm-ragdoll.wasm: the active ragdoll of scenes/puppet/puppet.h, with the functions that
// web/src/ragdoll.js calls.

#include <stdlib.h>
#include <string.h>

#include "puppet/puppet.h"

VRM_API scene_puppet *vrm_web_puppet_create(bool falls, bool gets_up);
VRM_API void vrm_web_puppet_end(scene_puppet *p);
VRM_API void vrm_web_puppet_free(scene_puppet *p);
VRM_API void *vrm_web_puppet_settings(scene_puppet *p);
VRM_API void *vrm_web_puppet_build(scene_puppet *p);
VRM_API void *vrm_web_puppet_engine(scene_puppet *p);
VRM_API void *vrm_web_puppet_def(scene_puppet *p);
VRM_API void *vrm_web_puppet_solver(scene_puppet *p);
VRM_API vrm_result vrm_web_puppet_begin(scene_puppet *p, vrm_instance *instance, const vrm_gltf *gltf,
    vrm_clip_player *player, uint32_t layer, const vrm_ragdoll_def *ragdoll, vrm_report *report);
VRM_API void vrm_web_puppet_update(scene_puppet *p, float dt);
VRM_API bool vrm_web_puppet_is_getting_up(const scene_puppet *p);
VRM_API void vrm_web_puppet_set_ground(scene_puppet *p, double height);
VRM_API int32_t vrm_web_puppet_touch(const scene_puppet *p, const double ray[6], double out_place[4]);
VRM_API void vrm_web_puppet_hold(scene_puppet *p, int32_t body, const double point[3]);
VRM_API void vrm_web_puppet_move_hand(scene_puppet *p, const double point[3]);
VRM_API void vrm_web_puppet_let_go(scene_puppet *p);
VRM_API uint32_t vrm_web_puppet_lines(const scene_puppet *p, vrm_debug_line *lines, uint32_t capacity);

// Creates a puppet, whose parts are filled in before vrm_web_puppet_begin(). Returns NULL if memory runs out.
scene_puppet *vrm_web_puppet_create(bool falls, bool gets_up)
{
    scene_puppet *p = malloc(sizeof *p);
    if (p != NULL) {
        scene_puppet_defaults(p);
        p->fall.on = falls;
        p->gets_up = gets_up;
        p->settings.recovery = gets_up ? VRM_RAGDOLL_RECOVERY_MANUAL : VRM_RAGDOLL_RECOVERY_AUTOMATIC;
    }
    return p;
}

void vrm_web_puppet_end(scene_puppet *p)
{
    scene_puppet_end(p);
}

// Frees a puppet, even if its instance is gone already: JavaScript's garbage collection has no fixed order.
void vrm_web_puppet_free(scene_puppet *p)
{
    scene_get_up_free(&p->get_up);
    vrm_ragdoll_solver_destroy(p->solver);
    free(p);
}

void *vrm_web_puppet_settings(scene_puppet *p)
{
    return &p->settings;
}

void *vrm_web_puppet_build(scene_puppet *p)
{
    return &p->build;
}

void *vrm_web_puppet_engine(scene_puppet *p)
{
    return &p->engine;
}

void *vrm_web_puppet_def(scene_puppet *p)
{
    return &p->def;
}

void *vrm_web_puppet_solver(scene_puppet *p)
{
    return p->solver;
}

vrm_result vrm_web_puppet_begin(scene_puppet *p, vrm_instance *instance, const vrm_gltf *gltf, vrm_clip_player *player,
    uint32_t layer, const vrm_ragdoll_def *ragdoll, vrm_report *report)
{
    const scene_puppet_def def = {
        .instance = instance, .gltf = gltf, .player = player, .layer = layer, .ragdoll = ragdoll, .report = report};
    return scene_puppet_begin(p, &def);
}

void vrm_web_puppet_update(scene_puppet *p, float dt)
{
    scene_puppet_update(p, dt);
}

bool vrm_web_puppet_is_getting_up(const scene_puppet *p)
{
    return p->get_up.clip != NULL;
}

void vrm_web_puppet_set_ground(scene_puppet *p, double height)
{
    p->engine.ground_height = height;
}

// Returns the body that a ray (origin, unit direction) meets first, or -1. `out_place` is the point and the distance
// along the ray.
int32_t vrm_web_puppet_touch(const scene_puppet *p, const double ray[6], double out_place[4])
{
    scene_touch touch;
    scene_puppet_touch_ray(p, ray, ray + 3, &touch);
    memcpy(out_place, touch.point, sizeof touch.point);
    out_place[3] = touch.distance;
    return touch.body;
}

void vrm_web_puppet_hold(scene_puppet *p, int32_t body, const double point[3])
{
    scene_touch touch = {.body = body};
    memcpy(touch.point, point, sizeof touch.point);
    scene_puppet_hold(p, &touch);
}

void vrm_web_puppet_move_hand(scene_puppet *p, const double point[3])
{
    memcpy(p->hand, point, sizeof p->hand);
}

void vrm_web_puppet_let_go(scene_puppet *p)
{
    scene_puppet_let_go(p);
}

// Writes lines for targets, torques and contacts of the last frame, then for the bodies with their joints and limits,
// up to the capacity. Returns the number of all lines.
uint32_t vrm_web_puppet_lines(const scene_puppet *p, vrm_debug_line *lines, uint32_t capacity)
{
    vrm_ragdoll_state states[VRM_RAGDOLL_MAX_BODIES];
    vrm_root root;
    vrm_ragdoll_lines_params params;
    vrm_instance_get_root(p->actor.instance, &root);
    vrm_ragdoll_get_pose_states(&p->def, p->actor.instance, states);
    vrm_ragdoll_lines_params_default(&params);
    params.def = &p->def;
    params.states = states;
    params.scale = root.scale;
    const uint32_t first = p->line_count < capacity ? p->line_count : capacity;
    memcpy(lines, p->lines, first * sizeof *lines);
    return p->line_count + vrm_ragdoll_get_lines(&params, lines + first, capacity - first);
}
