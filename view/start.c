// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Sets the initial state, also for resets.

#include "view.h"

static void set_defaults(view *v)
{
    v->look = (view_look){.gaze = VIEW_GAZE_CAMERA, .weight = 1.0f, .blend_speed = 8.0f, .soft_limit = 0.2f};
    v->face = (view_face){.voice = VIEW_VOICE_NONE};
    vrm_blink_params_default(&v->face.blink);
    v->face.blink.enabled = true;
    v->wind = (view_wind){.yaw = 90.0f, .gusts = 0.5f};
    vrm_spring_params_default(&v->springs);
    v->motion = scene_stage_find_word("idle");
    v->speed = 1.0f;
    v->time = 0.0;
    v->paused = false;
}

static void set_drawing(view *v)
{
    v->drawing = (view_drawing){
        .background = {0.150f, 0.175f, 0.215f}, .light_pitch = 36.0f, .light = 0.92f, .ambient = 0.1f, .ground = true};
}

void view_start(view *v, cli_job *job, const view_options *options)
{
    v->job = job;
    v->options = options;
    set_defaults(v);
    set_drawing(v);
    v->asker = VRM_USER_EVERYONE;
    scene_puppet_defaults(&v->puppet);
    repertoire_start(&v->repertoire);
    recent_read(&v->recent);
    orbit_frame(&v->orbit, NULL, NULL, ORBIT_BODY, 1.0);
}

void view_end(view *v)
{
    loader_end(&v->loader);
    stage_times_forget(&v->stage_times);
    scene_puppet_end(&v->puppet);
    figure_destroy(v->arriving);
    figure_destroy(v->figure);
    repertoire_end(&v->repertoire);
    gallery_end(&v->gallery);
}

void view_frame_camera(view *v, orbit_part part)
{
    const double aspect = v->picture.height > 0.0f ? (double)v->picture.width / (double)v->picture.height : 1.0;
    orbit_frame(&v->orbit, v->renderer, v->figure, part, aspect);
    v->wearing = false;
}

void view_wear(view *v)
{
    v->wearing = v->figure != NULL;
    v->wearer_yaw = v->wearer_pitch = 0.0;
}

void view_begin_anew(view *v)
{
    set_defaults(v);
    v->angles_known = false;
    if (v->figure == NULL) {
        return;
    }
    figure *f = v->figure;
    scene_puppet_end(&v->puppet);
    vrm_instance_reset(f->instance);
    for (uint32_t i = 0; i < f->counts.expressions; ++i) {
        f->weights[i] = -1.0f;
    }
    (void)vrm_instance_set_clip_player(f->instance, f->player);
    acting_set_chain(v);
    acting_apply(v, 1.0 / 60.0);
    (void)vrm_instance_settle_springs(f->instance, 1.0f);
    vrm_update_dt(f->instance, 0.0f);
    view_frame_camera(v, ORBIT_BODY);
}

void view_reset(view *v)
{
    set_drawing(v);
    if (v->figure != NULL) {
        repertoire_play(&v->repertoire, v->figure, -1);
    }
    view_begin_anew(v);
}
