// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include <math.h>

#include "view.h"

static const double pi = 3.14159265358979323846;

void acting_set_chain(view *v)
{
    view_look *l = &v->look;
    l->fault = VRM_LOOK_CHAIN_FAULT_NONE;
    if (v->figure == NULL) {
        return;
    }
    if (l->chain == 0) {
        vrm_instance_clear_look_chain(v->figure->instance);
        return;
    }
    vrm_look_chain_def def = {.struct_size = sizeof def};
    vrm_look_bone bones[VRM_LOOK_CHAIN_PRESET_BONES];
    vrm_look_chain_error error = {.struct_size = sizeof error, .fault = VRM_LOOK_CHAIN_FAULT_EMPTY};
    if (vrm_look_chain_preset_def(v->figure->avatar, (vrm_look_chain_preset)(l->chain - 1), &def, bones) !=
        VRM_SUCCESS) {
        l->fault = VRM_LOOK_CHAIN_FAULT_EMPTY;
        vrm_instance_clear_look_chain(v->figure->instance);
        return;
    }
    def.weight = l->weight;
    def.blend_speed = l->blend_speed;
    def.soft_limit = l->soft_limit;
    def.vergence = l->vergence;
    def.saccade = l->saccade;
    def.idle = l->idle;
    def.draw_debug = l->lines;
    if (vrm_instance_set_look_chain(v->figure->instance, &def, &error) != VRM_SUCCESS) {
        l->fault = error.fault;
        vrm_instance_clear_look_chain(v->figure->instance);
    }
}

void acting_mouse_ray(const view *v, double eye[3], double direction[3])
{
    const double aspect = (double)v->picture.width / fmax((double)v->picture.height, 1.0);
    orbit_eye(&v->orbit, eye);
    orbit_ray(&v->orbit, aspect, (v->mouse_x - (double)v->picture.x) / fmax((double)v->picture.width, 1.0),
        (v->mouse_y - (double)v->picture.y) / fmax((double)v->picture.height, 1.0), direction);
}

// Returns the target for a gaze at the mouse: a point between camera and head.
static void mouse_target(const view *v, vrm_dvec3 *out_target)
{
    double eye[3], direction[3];
    acting_mouse_ray(v, eye, direction);
    const double far = 0.6 * v->orbit.distance;
    *out_target = (vrm_dvec3){eye[0] + far * direction[0], eye[1] + far * direction[1], eye[2] + far * direction[2]};
}

static void set_gaze(view *v)
{
    vrm_instance *instance = v->figure->instance;
    vrm_dvec3 target;
    double eye[3];
    switch (v->look.gaze) {
    case VIEW_GAZE_CAMERA:
        orbit_eye(&v->orbit, eye);
        target = (vrm_dvec3){eye[0], eye[1], eye[2]};
        (void)vrm_instance_set_look_at_target(instance, &target);
        break;
    case VIEW_GAZE_MOUSE:
        mouse_target(v, &target);
        (void)vrm_instance_set_look_at_target(instance, &target);
        break;
    case VIEW_GAZE_ANGLES:
        (void)vrm_instance_set_look_at_angles(
            instance, v->look.yaw * (float)(pi / 180.0), v->look.pitch * (float)(pi / 180.0));
        break;
    default:
        vrm_instance_clear_look_at(instance);
    }
}

// Moves the mouth as in speech, without sound: a few sine waves form syllables.
static void talk(vrm_instance *instance, double time)
{
    float vowels[5];
    const double syllable = 0.5 + 0.5 * sin(2.0 * pi * 4.3 * time),
                 phrase = sin(2.0 * pi * 0.23 * time) > -0.55 ? 1.0 : 0.0;
    for (int i = 0; i < 5; ++i) {
        const double turn = sin(2.0 * pi * (0.71 + 0.37 * i) * time + 1.7 * i);
        vowels[i] = (float)(phrase * syllable * fmax(turn, 0.0));
    }
    (void)vrm_instance_set_vowels(instance, vowels);
}

static void set_voice(view *v)
{
    vrm_instance *instance = v->figure->instance;
    switch (v->face.voice) {
    case VIEW_VOICE_LOUDNESS:
        (void)vrm_instance_set_loudness(instance, v->face.loudness);
        break;
    case VIEW_VOICE_VOWELS:
        (void)vrm_instance_set_vowels(instance, v->face.vowels);
        break;
    case VIEW_VOICE_TALK:
        talk(instance, v->time);
        break;
    default:
        vrm_instance_clear_lip_sync(instance);
    }
}

static void set_springs(view *v)
{
    const double yaw = (double)v->wind.yaw * pi / 180.0;
    // The sum of two waves whose frequencies have no common multiple gives gusts without a rhythm.
    const double gust = 1.0 + (double)v->wind.gusts * (0.6 * sin(2.1 * v->time) + 0.4 * sin(5.3 * v->time + 1.0));
    const double force = (double)v->wind.strength * fmax(gust, 0.0);
    v->springs.external = (vrm_vec3){(float)(force * sin(yaw)), 0.0f, (float)(force * cos(yaw))};
    v->springs.ground = v->puppet.on; // at height 0, like the ground of the ragdoll's solver
    v->springs.hanging = v->puppet.hair.hanging;
    (void)vrm_instance_set_spring_params(v->figure->instance, &v->springs);
}

void acting_apply(view *v, double dt)
{
    (void)vrm_instance_set_blink(v->figure->instance, &v->face.blink);
    set_gaze(v);
    set_voice(v);
    set_springs(v);
    if (!scene_puppet_tell(&v->puppet, dt) && v->motion != SCENE_MOTION_NONE && dt > 0.0) {
        figure_move(v->figure, v->motion, v->time);
    }
}
