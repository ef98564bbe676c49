// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Measures a motion: `measure_motion FILE.glb [RATE [EVENT]]` of a file as `vrm simulate` writes it (an avatar with an
// animation of its nodes), `measure_motion [--steps] --act MODEL.vrm|sample MOTION [BONE X Y Z]` of a motion by its
// name, without or with an impulse after a second. It prints every figure of motion_meter.h with its place.
// docs/motion-meter.md.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vrm/vrm.h>

#include "glb_motion.h"
#include "minimal_sample.h"
#include "motion_act.h"

typedef struct figure {
    vrm_gltf *gltf;
    vrm_avatar *avatar;
    vrm_ragdoll_def def;
} figure;

static int fail(const char *what, vrm_result result)
{
    fprintf(stderr, "measure_motion: %s: %s\n", what, vrm_result_sentence(result));
    return 1;
}

static vrm_result load(const char *path, figure *out)
{
    vrm_result result;
    if (strcmp(path, "sample") == 0) {
        vrm_bytes bytes = {0};
        result = scene_minimal_sample(0, &bytes);
        result = result == VRM_SUCCESS ? vrm_gltf_load(NULL, bytes.data, bytes.size, NULL, &out->gltf) : result;
        vrm_bytes_free(&bytes);
    } else {
        result = vrm_gltf_load_file(NULL, path, NULL, &out->gltf);
    }
    result = result == VRM_SUCCESS ? vrm_avatar_import(NULL, out->gltf, NULL, &out->avatar) : result;
    vrm_ragdoll_def_default(&out->def);
    return result == VRM_SUCCESS ? vrm_ragdoll_def_build(out->avatar, out->gltf, NULL, NULL, &out->def) : result;
}

static scene_meter *make_meter(const figure *f, double rate)
{
    const scene_meter_def def = {.avatar = f->avatar, .gltf = f->gltf, .def = &f->def, .rate = rate, .pokes = true};
    return scene_meter_create(&def);
}

static int measure_file(const char *path, double rate, double event)
{
    figure f = {0};
    vrm_result result = load(path, &f);
    scene_meter *meter = result == VRM_SUCCESS ? make_meter(&f, rate) : NULL;
    result = result == VRM_SUCCESS && meter == NULL ? VRM_ERROR_OUT_OF_MEMORY : result;
    result = result == VRM_SUCCESS ? scene_glb_motion_measure(f.gltf, f.avatar, rate, meter) : result;
    if (result == VRM_SUCCESS) {
        scene_meter_report report;
        scene_meter_read(meter, &(scene_meter_question){.event = event}, &report);
        scene_meter_print(&report, rate);
    }
    scene_meter_destroy(meter);
    vrm_avatar_release(f.avatar);
    vrm_gltf_destroy(f.gltf);
    return result == VRM_SUCCESS ? 0 : fail(path, result);
}

static int measure_act(char **words, bool blow, bool steps)
{
    figure f = {0};
    vrm_result result = load(words[0], &f);
    scene_act act = {.avatar = f.avatar,
        .def = &f.def,
        .motion = words[1],
        .event = blow ? SCENE_EVENT_HIT : SCENE_EVENT_NONE,
        .when = 1.0,
        .duration = steps ? 8.0 : 4.0,
        .rate = 60.0,
        .drive = VRM_RAGDOLL_DRIVE_TORQUE,
        .steps = steps,
        .gltf = f.gltf};
    if (blow) {
        act.bone = (vrm_human_bone)vrm_human_bone_from_name(words[2], strlen(words[2]));
        act.impulse = (vrm_vec3){(float)atof(words[3]), (float)atof(words[4]), (float)atof(words[5])};
    }
    result = scene_stage_find_word(words[1]) < 0 || (int)act.bone < 0 ? VRM_ERROR_INVALID_ARGUMENT : result;
    scene_meter *meter = result == VRM_SUCCESS ? make_meter(&f, act.rate) : NULL;
    scene_meter *without = result == VRM_SUCCESS ? make_meter(&f, act.rate) : NULL;
    result = result == VRM_SUCCESS && (meter == NULL || without == NULL) ? VRM_ERROR_OUT_OF_MEMORY : result;
    result = result == VRM_SUCCESS ? scene_act_run(&act, meter) : result;
    act.event = SCENE_EVENT_NONE;
    result = result == VRM_SUCCESS ? scene_act_run(&act, without) : result;
    if (result == VRM_SUCCESS) {
        scene_meter_report report;
        scene_meter_read(meter,
            &(scene_meter_question){.event = blow ? act.when : -1.0, .reference = blow ? without : NULL}, &report);
        scene_meter_print(&report, act.rate);
    }
    scene_meter_destroy(meter);
    scene_meter_destroy(without);
    vrm_avatar_release(f.avatar);
    vrm_gltf_destroy(f.gltf);
    return result == VRM_SUCCESS ? 0 : fail(words[0], result);
}

int main(int argc, char **argv)
{
    const bool steps = argc > 1 && strcmp(argv[1], "--steps") == 0;
    argv += steps ? 1 : 0;
    argc -= steps ? 1 : 0;
    if ((argc == 4 || argc == 8) && strcmp(argv[1], "--act") == 0) {
        return measure_act(argv + 2, argc == 8, steps);
    }
    if (argc < 2 || argc > 4 || argv[1][0] == '-') {
        fprintf(stderr, "usage: measure_motion FILE.glb [RATE [EVENT]]\n"
                        "       measure_motion [--steps] --act MODEL.vrm|sample MOTION [BONE X Y Z]\n");
        return 2;
    }
    const double rate = argc > 2 ? atof(argv[2]) : 60.0;
    if (!(rate >= 1.0 && rate <= 1000.0)) {
        fprintf(stderr, "measure_motion: the rate is from 1 to 1000 frames per second\n");
        return 2;
    }
    return measure_file(argv[1], rate, argc > 3 ? atof(argv[3]) : -1.0);
}
