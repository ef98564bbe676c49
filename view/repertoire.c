// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "repertoire.h"

void repertoire_start(repertoire *r)
{
    *r = (repertoire){.playing = -1, .fade = 0.4f, .speed = 1.0f, .wrap = VRM_CLIP_WRAP_LOOP};
}

void repertoire_end(repertoire *r)
{
    for (uint32_t i = 0; i < r->count; ++i) {
        vrm_clip_release(r->clips[i].clip);
    }
    r->count = 0;
}

static int32_t add(repertoire *r, vrm_clip *clip, const char *file, bool embedded)
{
    if (r->count == REPERTOIRE_CLIPS) {
        vrm_clip_release(clip);
        return -1;
    }
    vrm_clip_info info = {.struct_size = sizeof info};
    vrm_clip_get_info(clip, &info);
    repertoire_clip *slot = &r->clips[r->count];
    *slot = (repertoire_clip){.clip = clip, .embedded = embedded};
    if (info.name.length != 0 && embedded) {
        vrmi_format(slot->name, sizeof slot->name, "%.*s", (int)info.name.length, info.name.data);
    } else {
        vrmi_format(slot->name, sizeof slot->name, "%s", file);
    }
    return (int32_t)r->count++;
}

int32_t repertoire_add(repertoire *r, cli_job *job, const char *path, char message[FIGURE_MESSAGE])
{
    vrm_clip *clip = NULL;
    if (cli_load_clip(job, path, NULL, &clip) != CLI_EXIT_DONE) {
        figure_describe(path, VRM_ERROR_READ, job->report, message);
        return -1;
    }
    const int32_t index = add(r, clip, cli_file_name(path), false);
    if (index < 0) {
        vrmi_format(message, FIGURE_MESSAGE, "%s: %d clips are open already", cli_file_name(path), REPERTOIRE_CLIPS);
    }
    return index;
}

void repertoire_meet(repertoire *r, figure *f)
{
    uint32_t kept = 0;
    int32_t playing = -1;
    for (uint32_t i = 0; i < r->count; ++i) {
        if (r->clips[i].embedded) {
            vrm_clip_release(r->clips[i].clip);
            continue;
        }
        playing = r->playing == (int32_t)i ? (int32_t)kept : playing;
        r->clips[kept++] = r->clips[i];
    }
    r->count = kept;
    const uint32_t animations = vrm_gltf_get_count(f->gltf, VRM_GLTF_ANIMATIONS);
    for (uint32_t i = 0; i < animations && r->count < REPERTOIRE_CLIPS; ++i) {
        vrm_clip_def def;
        vrm_clip *clip;
        vrm_clip_def_default(&def);
        def.animation = i;
        if (vrm_clip_import(&def, f->gltf, NULL, &clip) == VRM_SUCCESS) { // some animations do not move a humanoid
            (void)add(r, clip, f->name, true);
        }
    }
    r->playing = -1;
    repertoire_play(r, f, playing);
}

static void play(repertoire *r, figure *f, float start, float seconds)
{
    vrm_clip_play_params how;
    vrm_clip_play_params_default(&how);
    how.wrap = (vrm_clip_wrap)r->wrap;
    how.speed = r->speed;
    how.seconds = seconds;
    how.start = start;
    how.transition = r->inertial ? VRM_CLIP_TRANSITION_INERTIAL : VRM_CLIP_TRANSITION_FADE;
    (void)vrm_clip_player_play(f->player, 0, r->playing >= 0 ? r->clips[r->playing].clip : NULL, &how);
}

void repertoire_play(repertoire *r, figure *f, int32_t clip)
{
    const bool begins = r->playing < 0;
    r->playing = clip;
    if (f != NULL) {
        // An inertial transition needs a clip to start from.
        const bool inertial = r->inertial;
        r->inertial = inertial && !begins && clip >= 0;
        play(r, f, 0.0f, r->fade);
        r->inertial = inertial;
    }
}

void repertoire_retune(repertoire *r, figure *f)
{
    if (f != NULL && r->playing >= 0) {
        play(r, f, vrm_clip_player_get_time(f->player, 0), 0.0f);
    }
}
