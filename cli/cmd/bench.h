// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef CLI_BENCH_H
#define CLI_BENCH_H

// The measurements of `vrm bench` (cmd_bench.c) and their output (bench_report.c).

#include "cli.h"
#include "load_phases.h"
#include "procedural_motion.h"

enum { BENCH_ROUNDS = 9, BENCH_STAGES = 6, BENCH_SPRINGS = 4, BENCH_RATES = 3, BENCH_MIXED = VRM_LOD_COUNT };

typedef struct bench_options {
    int64_t instances, threads;
    double rate;
    const char *motion;
    int lod; // a vrm_lod or BENCH_MIXED
    int format;
} bench_options;

// A stage of the frame. bench_stages.c lists the stages in order, with the spring stage at BENCH_SPRINGS.
typedef struct bench_stage {
    const char *name;
    uint32_t mask;
} bench_stage;
extern const bench_stage bench_stages[BENCH_STAGES];

// Frames per second at which the spring stage is always measured.
extern const double bench_rates[BENCH_RATES];

// Median and range of several rounds.
typedef struct bench_figure {
    double median, low, high;
} bench_figure;

typedef struct bench {
    const bench_options *options;
    cli_job *job;
    cli_model model;
    scene_motion motion;
    vrm_clip *clip;            // the clip of --motion; NULL for a built-in motion
    vrm_instance *one;         // the instance whose stages are timed
    vrm_clip_player *player;   // plays the clip for `one`; NULL without a clip
    vrm_instance **instances;  // the crowd
    vrm_clip_player **players; // play the clip for the crowd; NULL for sleeping avatars and without a clip
    vrm_task_pool *pool;
    bench_figure stages[BENCH_STAGES]; // microseconds, one instance
    bench_figure springs[BENCH_RATES]; // the spring stage at each of bench_rates
    bench_figure update;               // microseconds, one instance
    bench_figure crowd;                // microseconds per instance when all are updated, on all threads
    bench_figure crowd_60;             // as `crowd`, but at 60 Hz
    bench_figure crowd_halves;         // as `crowd`, but updated in two halves: pose, then secondary motion
    bench_figure crowd_bare;           // as `crowd_halves`, but without springs
    bench_figure load;                 // milliseconds; unused for a cooked avatar
    scene_load phases;                 // phases of the fastest load; unused for a cooked avatar
    bench_figure open;                 // microseconds to open the cooked avatar
} bench;

// Prints all measurements in the format of the options.
void bench_report(const bench *b, vrmi_text *out);

#endif
