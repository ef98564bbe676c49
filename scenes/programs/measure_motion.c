// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Measures a motion and prints every figure of motion_meter.h, with the bone and the time where it occurred
// (docs/motion-meter.md).
// `measure_motion FILE.glb [RATE [EVENT]]` measures a file written by `vrm simulate`: an avatar with an animation of
// its nodes.
// `measure_motion [--steps] [--rate RATE] --act MODEL.vrm|sample MOTION [BONE X Y Z]` measures a named motion, with an
// impulse on a bone after one second if a bone is given.

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

static void print_difference(const scene_meter *meter, const scene_meter *without, double rate)
{
    scene_meter_difference d;
    scene_meter_compare(meter, without, &d);
    printf(
        "apart       %.1f degrees, %s, at %.3f s: rotation of a joint relative to the same motion without the event\n",
        d.turn, vrm_human_bone_name((vrm_human_bone)d.turn_bone), d.turn_frame / rate);
    printf("apart foot  %.1f degrees, %s, at %.3f s: this rotation for feet and toes\n", d.foot_turn,
        vrm_human_bone_name((vrm_human_bone)d.foot_bone), d.foot_frame / rate);
    printf("apart way   %.1f mm, %s, at %.3f s: displacement of a joint relative to the same motion\n", d.way,
        vrm_human_bone_name((vrm_human_bone)d.way_bone), d.way_frame / rate);
}

static int measure_act(char **words, double rate, bool blow, bool steps)
{
    figure f = {0};
    vrm_result result = load(words[0], &f);
    scene_act act = {.avatar = f.avatar,
        .def = &f.def,
        .motion = words[1],
        .event = blow ? SCENE_EVENT_HIT : SCENE_EVENT_NONE,
        .when = 1.0,
        .duration = steps ? 8.0 : 4.0,
        .rate = rate,
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
        if (blow) {
            print_difference(meter, without, act.rate);
        }
    }
    scene_meter_destroy(meter);
    scene_meter_destroy(without);
    vrm_avatar_release(f.avatar);
    vrm_gltf_destroy(f.gltf);
    return result == VRM_SUCCESS ? 0 : fail(words[0], result);
}

static bool is_rate(double rate)
{
    const bool valid = rate >= 1.0 && rate <= 1000.0;
    if (!valid) {
        fprintf(stderr, "measure_motion: the rate must be from 1 to 1000 frames per second\n");
    }
    return valid;
}

int main(int argc, char **argv)
{
    bool steps = false;
    double rate = 60.0;
    for (;;) {
        if (argc > 1 && strcmp(argv[1], "--steps") == 0) {
            steps = true;
            argv += 1;
            argc -= 1;
        } else if (argc > 2 && strcmp(argv[1], "--rate") == 0) {
            rate = atof(argv[2]);
            argv += 2;
            argc -= 2;
        } else {
            break;
        }
    }
    if ((argc == 4 || argc == 8) && strcmp(argv[1], "--act") == 0) {
        return is_rate(rate) ? measure_act(argv + 2, rate, argc == 8, steps) : 2;
    }
    if (argc < 2 || argc > 4 || argv[1][0] == '-') {
        fprintf(stderr, "usage: measure_motion FILE.glb [RATE [EVENT]]\n"
                        "       measure_motion [--steps] [--rate RATE] --act MODEL.vrm|sample MOTION [BONE X Y Z]\n");
        return 2;
    }
    rate = argc > 2 ? atof(argv[2]) : 60.0;
    return is_rate(rate) ? measure_file(argv[1], rate, argc > 3 ? atof(argv[3]) : -1.0) : 2;
}
