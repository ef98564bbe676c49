// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef CLI_FALL_H
#define CLI_FALL_H

// The parts of `vrm simulate --ragdoll`: the body's definition and solver, timed impulses and weights, and getting up.

#include "cli.h"
#include "engine.h"
#include "get_up.h"
#include "ragdoll_scene.h"

typedef struct fall_options {
    bool on;
    int drive;  // 0: torque, 1: velocity
    int engine; // cli_engine
    int limp;   // 0: falls with a protective motion; 1: limp
    const char *definition;
    cli_list hits, explosions, weights;
    const char *get_up; // "auto" (or NULL), "none" or a file
    double ground;
    int no_steps; // 0: takes recovery steps; 1: does not
} fall_options;

#define FALL_OPTIONS(options, field) \
    {.name = "ragdoll", \
        .type = CLI_FLAG, \
        .offset = offsetof(options, field.on), \
        .help = "Let physics move the body while the motion pulls it along; the physics starts when something " \
                "happens to the body."}, \
        {.name = "drive", \
            .type = CLI_CHOICE, \
            .offset = offsetof(options, field.drive), \
            .choices = "torque velocity", \
            .help = "How the motion pulls the body: by springs at the joints (torque, default), or by velocities."}, \
        {.name = "engine", \
            .type = CLI_CHOICE, \
            .offset = offsetof(options, field.engine), \
            .choices = CLI_ENGINE_WORDS, \
            .help = "The solver that moves the bodies: libvrm's own (light, default), or the Open Dynamics Engine " \
                    "(ode)."}, \
        {.name = "definition", \
            .type = CLI_TEXT, \
            .offset = offsetof(options, field.definition), \
            .value = "FILE", \
            .help = \
                "The ragdoll definition, as `vrm ragdoll --format json` writes it (default: built from the avatar)."}, \
        {.name = "hit", \
            .type = CLI_LIST, \
            .offset = offsetof(options, field.hits), \
            .value = "T,BONE,X,Y,Z", \
            .help = "Hit a bone with an impulse (N s, world axes) at T seconds; may be repeated."}, \
        {.name = "explode", \
            .type = CLI_LIST, \
            .offset = offsetof(options, field.explosions), \
            .value = "T,X,Y,Z,IMPULSE,RADIUS", \
            .help = "Push the body away from a point (metres) by an explosion at T seconds; may be repeated."}, \
        {.name = "weights", \
            .type = CLI_LIST, \
            .offset = offsetof(options, field.weights), \
            .value = "T,GROUP,PIN,MUSCLE,MAPPING", \
            .help = "Change the weights of pelvis, torso, head, left-arm, right-arm, left-leg, right-leg or all " \
                    "within a quarter of a second from T seconds on; may be repeated."}, \
        {.name = "fall", \
            .type = CLI_CHOICE, \
            .offset = offsetof(options, field.limp), \
            .choices = "protect limp", \
            .help = "How the body falls. protect (default): the knees give way and the hands reach for the ground; " \
                    "limp: without a reaction."}, \
        {.name = "steps", \
            .type = CLI_CHOICE, \
            .offset = offsetof(options, field.no_steps), \
            .choices = "on off", \
            .help = "Whether a body that loses its balance while standing takes recovery steps, and falls only if " \
                    "they do not help (default on; works with --drive torque)."}, \
        {.name = "get-up", \
            .type = CLI_TEXT, \
            .offset = offsetof(options, field.get_up), \
            .value = "auto|none|FILE", \
            .help = "How a fallen body that lies still gets up: by a motion generated for it (auto, default), by a " \
                    "motion file that begins lying down, or by being pulled up (none)."}, \
    { \
        .name = "ground", .type = CLI_NUMBER, .offset = offsetof(options, field.ground), .value = "Y", .min = -1e6, \
        .max = 1e6, .help = "Height of the ground in metres (default 0)." \
    }

typedef struct fall_event fall_event;

typedef struct fall {
    const fall_options *options;
    cli_job *job;
    scene_engine_make *make;
    scene_ragdoll scene;
    vrm_ragdoll_def *def;
    fall_event *events;
    uint32_t event_count;
    vrm_clip *clip; // clip for getting up, or NULL
    bool gets_up;
    scene_get_up get_up;
} fall;

// Checks, before anything is read, that the options fit together, and finds the engine. Prints errors and returns the
// exit code.
int fall_choose(cli_job *job, const fall_options *options, fall *out);
// Reads the options for this model: events, definition, clip. Prints errors and returns the exit code.
int fall_read(fall *f, const cli_model *model, double duration);
// Gives the instance its ragdoll. `player` may be NULL; otherwise it plays the motion in layer 0 with this foot weight,
// and has a second layer.
vrm_result fall_begin(
    fall *f, const cli_model *model, vrm_instance *instance, vrm_clip_player *player, float foot_weight);
// Applies the events of the frame that ends at `time`, and advances getting up.
void fall_advance(fall *f, double time, double dt);
// The frame.
void fall_frame(fall *f, const vrm_update_params *params);
void fall_free(fall *f);

#endif
