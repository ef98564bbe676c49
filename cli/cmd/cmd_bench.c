// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Measures the costs of a model: the stages of a frame, a crowd, memory, loading. The time of a stage is the difference
// between updates with and without it. Processor time is used, so that other programs do not add to it.

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/platform.h"
#include "bench.h"
#include "mixed_crowd.h"

enum { MAX_INSTANCES = 1000000 };

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static bench_figure figure_of(double values[BENCH_ROUNDS])
{
    qsort(values, BENCH_ROUNDS, sizeof *values, compare_doubles);
    return (bench_figure){values[BENCH_ROUNDS / 2], values[0], values[BENCH_ROUNDS - 1]};
}

static vrm_update_params params_of(uint32_t mask, double rate)
{
    vrm_update_params params;
    vrm_update_params_default(&params);
    params.dt = (float)(1.0 / rate);
    params.stages = mask;
    return params;
}

// --- one avatar ------------------------------------------------------------------------------------------------------

typedef void update_way(vrm_instance *instance, const vrm_update_params *params);

// Updates the springs in a second call, after the update of `params`. Leaving the spring stage out does not measure its
// cost: such an update moves the hair's nodes like the other nodes of the tree.
static void update_springs_apart(vrm_instance *instance, const vrm_update_params *params)
{
    vrm_update_params springs = *params;
    springs.stages = VRM_STAGE_SPRING;
    vrm_update(instance, params);
    vrm_update(instance, &springs);
}

// Applies the built-in motion. A clip needs no call, because the update itself applies it.
static void move(const bench *b, vrm_instance *instance, double when)
{
    if (b->clip == NULL) {
        scene_motion_apply(instance, b->motion, when);
    }
}

// Returns the microseconds of a frame, including the motion; with mask 0, those of the motion alone.
static double time_frames(const bench *b, uint32_t mask, double rate, update_way *update)
{
    const int frames = 120;
    const vrm_update_params params = params_of(mask, rate);
    const clock_t start = clock();
    for (int i = 0; i < frames; ++i) {
        move(b, b->one, (double)i / rate);
        if (mask != 0) {
            update(b->one, &params);
        }
    }
    return (double)(clock() - start) / CLOCKS_PER_SEC * 1e6 / frames;
}

// Returns the microseconds of the spring stage.
static double time_springs(const bench *b, double rate)
{
    uint32_t before = 0;
    for (int i = 0; i < BENCH_SPRINGS; ++i) {
        before |= bench_stages[i].mask;
    }
    return time_frames(b, before, rate, update_springs_apart) - time_frames(b, before, rate, vrm_update);
}

static bool measure_stages(bench *b)
{
    const double rate = b->options->rate;
    double spent[BENCH_STAGES][BENCH_ROUNDS], whole[BENCH_ROUNDS];
    for (int round = -1; round < BENCH_ROUNDS; ++round) { // the first round warms up the caches
        uint32_t mask = VRM_STAGE_SPRING;
        const double motion = time_frames(b, 0, rate, vrm_update);
        double before = time_frames(b, mask, rate, vrm_update);
        for (int i = 0; i < BENCH_STAGES; ++i) {
            double own;
            if (i == BENCH_SPRINGS) {
                own = time_springs(b, rate);
            } else {
                mask |= bench_stages[i].mask;
                const double with = time_frames(b, mask, rate, vrm_update);
                own = with - before;
                before = with;
            }
            if (round >= 0) {
                spent[i][round] = own > 0.0 ? own : 0.0;
            }
        }
        if (round >= 0) {
            whole[round] = time_frames(b, mask, rate, vrm_update) - motion;
        }
        if (!cli_progress(0.2f + 0.2f * (float)(round + 1) / BENCH_ROUNDS, "stages", b->job)) {
            return false;
        }
    }
    for (int i = 0; i < BENCH_STAGES; ++i) {
        b->stages[i] = figure_of(spent[i]);
    }
    b->update = figure_of(whole);
    return true;
}

// Measures the spring stage at the usual rates.
static bool measure_springs(bench *b)
{
    for (int i = 0; i < BENCH_RATES; ++i) {
        const double rate = bench_rates[i];
        if (rate == b->options->rate) { // measured already
            b->springs[i] = b->stages[BENCH_SPRINGS];
            continue;
        }
        double rounds[BENCH_ROUNDS];
        for (int round = -1; round < BENCH_ROUNDS; ++round) {
            const double own = time_springs(b, rate);
            if (round >= 0) {
                rounds[round] = own > 0.0 ? own : 0.0;
            }
        }
        b->springs[i] = figure_of(rounds);
        if (!cli_progress(0.4f + 0.1f * (float)(i + 1) / BENCH_RATES, "springs", b->job)) {
            return false;
        }
    }
    return true;
}

// --- the crowd -------------------------------------------------------------------------------------------------------

static vrm_lod level_of(const bench *b, uint32_t index)
{
    return b->options->lod == BENCH_MIXED ? scene_mixed_level(index) : (vrm_lod)b->options->lod;
}

// Returns processor time for one thread, and wall-clock time for several, since they work at the same time.
static double seconds_of(const bench *b)
{
    return vrm_task_pool_get_thread_count(b->pool) == 1 ? (double)clock() / CLOCKS_PER_SEC : vrmi_platform_seconds();
}

typedef void update_many_way(
    vrm_instance *const *instances, uint32_t count, const vrm_update_params *params, const vrm_tasks *tasks);

static void update_many_in_halves(
    vrm_instance *const *instances, uint32_t count, const vrm_update_params *params, const vrm_tasks *tasks)
{
    vrm_update_many_pose(instances, count, params, tasks);
    vrm_update_many_secondary(instances, count, params, tasks);
}

// How to measure a crowd.
typedef struct crowd_way {
    uint32_t mask;
    double rate;
    update_many_way *update;
    float progress; // value of the progress bar at the start
} crowd_way;

// Updates the avatars that should sleep until they are asleep.
static bool lull(const bench *b, const crowd_way *way)
{
    const vrm_update_params params = params_of(way->mask, way->rate);
    const int frames = (int)(3.0 * way->rate);
    for (uint32_t i = 0; i < (uint32_t)b->options->instances; ++i) {
        if (level_of(b, i) != VRM_LOD_SLEEP) {
            continue;
        }
        way->update(&b->instances[i], 1, &params, NULL);
        for (int frame = 0; frame < frames && !vrm_instance_is_asleep(b->instances[i]); ++frame) {
            way->update(&b->instances[i], 1, &params, NULL);
        }
        if (!cli_progress(way->progress, "crowd", b->job)) {
            return false;
        }
    }
    return true;
}

// Measures the microseconds per instance of one update of the whole crowd.
static bool measure_crowd(bench *b, const crowd_way *way, bench_figure *out)
{
    const uint32_t count = (uint32_t)b->options->instances;
    const vrm_update_params params = params_of(way->mask, way->rate);
    double rounds[BENCH_ROUNDS];
    if (!lull(b, way)) {
        return false;
    }
    for (int round = -1; round < BENCH_ROUNDS; ++round) {
        for (uint32_t i = 0; i < count; ++i) {
            if (level_of(b, i) != VRM_LOD_SLEEP) {
                move(b, b->instances[i], (double)(round + 1) / way->rate + 0.37 * (double)i); // no two alike
            }
        }
        const double start = seconds_of(b);
        way->update(b->instances, count, &params, vrm_task_pool_get_tasks(b->pool));
        if (round >= 0) {
            rounds[round] = (seconds_of(b) - start) * 1e6 / count;
        }
        if (!cli_progress(way->progress + 0.12f * (float)(round + 1) / BENCH_ROUNDS, "crowd", b->job)) {
            return false;
        }
    }
    *out = figure_of(rounds);
    return true;
}

static bool measure_crowds(bench *b)
{
    const double rate = b->options->rate;
    const crowd_way at_once = {VRM_STAGE_ALL, rate, vrm_update_many, 0.5f};
    const crowd_way halves = {VRM_STAGE_ALL, rate, update_many_in_halves, 0.62f};
    const crowd_way bare = {VRM_STAGE_ALL & ~(uint32_t)VRM_STAGE_SPRING, rate, update_many_in_halves, 0.74f};
    const crowd_way at_60 = {VRM_STAGE_ALL, 60.0, vrm_update_many, 0.86f};
    if (!measure_crowd(b, &at_once, &b->crowd) || !measure_crowd(b, &halves, &b->crowd_halves) ||
        !measure_crowd(b, &bare, &b->crowd_bare)) {
        return false;
    }
    b->crowd_60 = b->crowd;
    return rate == at_60.rate || measure_crowd(b, &at_60, &b->crowd_60);
}

// --- loading ---------------------------------------------------------------------------------------------------------

static bool measure_load(bench *b)
{
    double rounds[BENCH_ROUNDS];
    for (int round = -1; round < BENCH_ROUNDS && b->model.gltf != NULL; ++round) {
        scene_load load;
        const clock_t start = clock();
        (void)scene_load_run(&load, b->model.bytes.data, b->model.bytes.size, &b->job->allocator, &b->job->limits);
        if (round >= 0) {
            rounds[round] = (double)(clock() - start) / CLOCKS_PER_SEC * 1e3;
        }
        vrm_avatar_release(load.avatar);
        load.avatar = NULL;
        if (round <= 0 || scene_load_seconds(&load) < scene_load_seconds(&b->phases)) {
            b->phases = load;
        }
        if (!cli_progress(0.2f * (float)(round + 1) / BENCH_ROUNDS, "load", b->job)) {
            return false;
        }
    }
    if (b->model.gltf != NULL) {
        b->load = figure_of(rounds);
    }
    return true;
}

static bool measure_open(bench *b)
{
    enum { TIMES = 200 }; // opening an avatar once takes less time than a tick of the clock
    const vrm_allocator *allocator = &b->job->allocator;
    size_t size = 0;
    (void)vrm_avatar_save(b->model.avatar, NULL, &size);
    void *bytes = allocator->allocate(size, 64, allocator->user);
    double rounds[BENCH_ROUNDS] = {0};
    for (int round = 0; bytes != NULL && round < BENCH_ROUNDS; ++round) {
        (void)vrm_avatar_save(b->model.avatar, bytes, &size);
        const clock_t start = clock();
        for (int i = 0; i < TIMES; ++i) {
            vrm_avatar *avatar = NULL;
            (void)vrm_avatar_open(bytes, size, allocator, &avatar);
            vrm_avatar_release(avatar);
        }
        rounds[round] = (double)(clock() - start) / CLOCKS_PER_SEC * 1e6 / TIMES;
    }
    if (bytes != NULL) {
        allocator->release(bytes, size, allocator->user);
    }
    b->open = figure_of(rounds);
    return !cli_cancelled();
}

// --- the verb --------------------------------------------------------------------------------------------------------

// Plays the clip, from a different time for each avatar.
static vrm_result play(const bench *b, uint32_t index, vrm_instance *instance, vrm_clip_player **out_player)
{
    vrm_clip_info info = {.struct_size = sizeof info};
    vrm_clip_get_info(b->clip, &info);
    vrm_clip_player_def def;
    vrm_clip_player_def_default(&def);
    def.avatar = b->model.avatar;
    def.allocator = b->job->allocator;
    vrm_clip_play_params how;
    vrm_clip_play_params_default(&how);
    how.wrap = VRM_CLIP_WRAP_LOOP;
    how.start = info.duration > 0.0f ? (float)fmod(0.37 * (double)index, (double)info.duration) : 0.0f;
    vrm_result result = vrm_clip_player_create(&def, out_player);
    if (result == VRM_SUCCESS) {
        result = vrm_clip_player_play(*out_player, 0, b->clip, &how);
    }
    return result == VRM_SUCCESS ? vrm_instance_set_clip_player(instance, *out_player) : result;
}

static vrm_result cast(const bench *b, uint32_t index, vrm_lod level, bool still, vrm_instance **out_instance,
    vrm_clip_player **out_player)
{
    const vrm_dvec3 target = {0.4, 1.4, 2.0};
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = b->model.avatar;
    const vrm_result result = vrm_instance_create(&def, out_instance);
    if (result != VRM_SUCCESS) {
        return result;
    }
    (void)vrm_instance_set_look_at_target(*out_instance, &target);
    (void)vrm_instance_set_lod(*out_instance, level);
    return b->clip != NULL && !still ? play(b, index, *out_instance, out_player) : VRM_SUCCESS;
}

static vrm_result make_crowd(bench *b)
{
    vrm_result result = vrm_task_pool_create((uint32_t)b->options->threads, &b->job->allocator, &b->pool);
    if (result == VRM_SUCCESS) {
        result = cast(b, 0, level_of(b, 0), false, &b->one, &b->player);
    }
    const vrm_update_params params = params_of(VRM_STAGE_ALL, b->options->rate);
    for (uint32_t i = 0; i < (uint32_t)b->options->instances && result == VRM_SUCCESS; ++i) {
        const vrm_lod level = level_of(b, i);
        result = cast(b, i, level, level == VRM_LOD_SLEEP, &b->instances[i], &b->players[i]);
        // At some rates and levels, springs do not tick in every frame. These updates make the avatars tick in
        // different frames.
        for (uint32_t frame = 0; frame < i % 12 && result == VRM_SUCCESS; ++frame) {
            vrm_update(b->instances[i], &params);
        }
        if (cli_cancelled()) {
            return VRM_ERROR_CANCELLED;
        }
    }
    return result;
}

static int measure_and_print(bench *b)
{
    const vrm_result result = make_crowd(b);
    if (result != VRM_SUCCESS) {
        return cli_fail(b->job, cli_exit_of(b->job, result), "%s", cli_sentence_of(b->job, result));
    }
    if (!measure_load(b) || !measure_open(b) || !measure_stages(b) || !measure_springs(b) || !measure_crowds(b)) {
        return cli_fail(
            b->job, cli_exit_of(b->job, VRM_ERROR_CANCELLED), "%s", cli_sentence_of(b->job, VRM_ERROR_CANCELLED));
    }
    cli_progress_clear(b->job);
    vrmi_text out;
    vrmi_text_init(&out, &b->job->allocator);
    bench_report(b, &out);
    cli_print(&out);
    vrmi_text_free(&out);
    return CLI_EXIT_DONE;
}

static int bench_model(bench *b)
{
    const vrm_allocator *allocator = &b->job->allocator;
    const size_t count = (size_t)b->options->instances, size = count * (sizeof *b->instances + sizeof *b->players);
    void *room = allocator->allocate(size, sizeof(void *), allocator->user);
    if (room == NULL) {
        return cli_fail(b->job, cli_exit_of(b->job, VRM_ERROR_OUT_OF_MEMORY), "%s",
            cli_sentence_of(b->job, VRM_ERROR_OUT_OF_MEMORY));
    }
    memset(room, 0, size);
    b->instances = room;
    b->players = (vrm_clip_player **)(void *)(b->instances + count);
    const int code = measure_and_print(b);
    for (size_t i = 0; i < count; ++i) {
        vrm_instance_destroy(b->instances[i]);
        vrm_clip_player_destroy(b->players[i]);
    }
    vrm_instance_destroy(b->one);
    vrm_clip_player_destroy(b->player);
    allocator->release(room, size, allocator->user);
    vrm_task_pool_destroy(b->pool);
    return code;
}

static int run_bench(const cli_inputs *inputs, const void *options, cli_job *job)
{
    bench b = {.options = options, .job = job};
    int code = cli_load(job, inputs->items[0], CLI_LOAD_AVATAR | CLI_LOAD_PLAIN | CLI_LOAD_COOKED, &b.model);
    if (code == CLI_EXIT_DONE) {
        code = cli_choose_motion(job, b.options->motion, &b.motion, &b.clip);
    }
    if (code == CLI_EXIT_DONE) {
        code = bench_model(&b);
    }
    vrm_clip_release(b.clip);
    cli_model_free(&b.model);
    return code;
}

static void bench_defaults(void *options)
{
    *(bench_options *)options = (bench_options){.instances = 100, .threads = 1, .rate = 60.0, .motion = "walk"};
}

static const cli_option options[] = {
    {.name = "instances",
        .letter = 'n',
        .type = CLI_INTEGER,
        .offset = offsetof(bench_options, instances),
        .value = "N",
        .min = 1,
        .max = MAX_INSTANCES,
        .help = "Number of avatars in the crowd; default 100."},
    {.name = "threads",
        .letter = 't',
        .type = CLI_INTEGER,
        .offset = offsetof(bench_options, threads),
        .value = "N",
        .min = 0,
        .max = 64,
        .help = "Number of threads that update the crowd; 0: one for each processor; default 1."},
    {.name = "rate",
        .type = CLI_NUMBER,
        .offset = offsetof(bench_options, rate),
        .value = "HZ",
        .min = 1,
        .max = 1000,
        .help = "Frames per second; default 60."},
    {.name = "motion",
        .type = CLI_TEXT,
        .offset = offsetof(bench_options, motion),
        .value = "NAME|FILE",
        .help = "How avatars that are awake move: walk (default), sway, idle, none, or a .vrma, .bvh, .fbx, .dae or "
                "glTF animation, repeated."},
    {.name = "lod",
        .type = CLI_CHOICE,
        .offset = offsetof(bench_options, lod),
        .choices = "full sleep mixed",
        .help = "Level of detail of the avatars; default full. mixed: half of the crowd asleep."},
    {.name = "format",
        .type = CLI_CHOICE,
        .offset = offsetof(bench_options, format),
        .choices = "text json",
        .help = "Output format."},
};

const cli_command cli_bench = {
    .name = "bench",
    .summary = "Measure the cost of a model: each stage of a frame, a crowd, loading, memory.",
    .arguments = "MODEL",
    .description = "Runs the model with generated motion or a clip and prints the median, lowest and highest time of "
                   "nine rounds. Times are processor time of this process, or wall-clock time for a crowd on several "
                   "threads. The time for generating motion is excluded; a clip is played in the pose stage, and its "
                   "time is included.\n\nMODEL may be a cooked avatar (vrm cook); then there is no loading time.",
    .examples = "vrm bench avatar.vrm\n    one avatar, and a hundred of them on one thread\nvrm bench avatar.vrm -n "
                "1000 -t 0 --format json\n    a thousand on all processors, as JSON\nvrm bench avatar.vrm -n 1000 "
                "--lod mixed\n    a thousand, half of them asleep\n",
    .min_inputs = 1,
    .max_inputs = 1,
    .options = options,
    .option_count = sizeof(options) / sizeof(options[0]),
    .options_size = sizeof(bench_options),
    .defaults = bench_defaults,
    .run = run_bench,
};
