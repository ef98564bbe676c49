// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// What a model costs: a frame by stage, a crowd, memory, loading. Stages are timed by the difference between a mask
// with them and one without, in time of this process, so that other programs do not add to them.

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/platform.h"
#include "bench_memory.h"
#include "cli.h"
#include "load_phases.h"
#include "procedural_motion.h"

enum { ROUNDS = 9, MAX_INSTANCES = 1000000 };

typedef struct bench_options {
    int64_t instances, threads;
    double rate;
    int motion, lod, format;
} bench_options;

static const struct {
    const char *name;
    uint32_t mask;
} stages[] = {
    {"pose", VRM_STAGE_POSE},
    {"look_at", VRM_STAGE_LOOK_AT},
    {"expression", VRM_STAGE_EXPRESSION},
    {"constraint", VRM_STAGE_CONSTRAINT},
    {"spring", VRM_STAGE_SPRING},
    {"output", VRM_STAGE_OUTPUT},
};
enum { STAGES = sizeof stages / sizeof stages[0] };

// Median and spread of some rounds.
typedef struct figure {
    double median, low, high;
} figure;

typedef struct bench {
    const bench_options *options;
    cli_job *job;
    const vrm_avatar *avatar;
    vrm_instance **instances;
    vrm_task_pool *pool;
    figure stages[STAGES]; // microseconds, one instance
    figure update;         // microseconds, one instance
    figure crowd;          // microseconds per instance, all of them, on all threads
    figure crowd_halves;   // the same in halves
    figure crowd_rigid;    // and without springs
    figure load;           // milliseconds
    scene_load phases;     // of the fastest load
    figure open;           // microseconds, cooked
} bench;

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static figure figure_of(double values[ROUNDS])
{
    qsort(values, ROUNDS, sizeof *values, compare_doubles);
    return (figure){values[ROUNDS / 2], values[0], values[ROUNDS - 1]};
}

static vrm_update_params params_of(const bench *b, uint32_t mask)
{
    vrm_update_params params;
    vrm_update_params_default(&params);
    params.dt = (float)(1.0 / b->options->rate);
    params.stages = mask;
    return params;
}

typedef void update_way(vrm_instance *instance, const vrm_update_params *params);

// Stages are timed so: at once, world matrices of hair wait for the springs, and stages' times would not be their own.
static void update_in_halves(vrm_instance *instance, const vrm_update_params *params)
{
    vrm_update_pose(instance, params);
    vrm_update_secondary(instance, params);
}

// Microseconds of a frame, motion included, of one instance; mask 0: of the motion alone.
static double time_frames(const bench *b, uint32_t mask, update_way *update)
{
    const int frames = 120;
    const vrm_update_params params = params_of(b, mask);
    const clock_t start = clock();
    for (int i = 0; i < frames; ++i) {
        scene_motion_apply(b->instances[0], (scene_motion)b->options->motion, (double)i / b->options->rate);
        if (mask != 0) {
            update(b->instances[0], &params);
        }
    }
    return (double)(clock() - start) / CLOCKS_PER_SEC * 1e6 / frames;
}

static bool measure_stages(bench *b)
{
    double spent[STAGES][ROUNDS], whole[ROUNDS];
    for (int round = -1; round < ROUNDS; ++round) { // the first one warms up
        uint32_t mask = 0;
        const double motion = time_frames(b, 0, update_in_halves);
        double before = motion;
        for (int i = 0; i < STAGES; ++i) {
            mask |= stages[i].mask;
            const double with = time_frames(b, mask, update_in_halves);
            if (round >= 0) {
                spent[i][round] = with > before ? with - before : 0.0;
            }
            before = with;
        }
        if (round >= 0) {
            whole[round] = time_frames(b, mask, vrm_update) - motion;
        }
        if (!cli_progress(0.2f + 0.3f * (float)(round + 1) / ROUNDS, "stages", b->job)) {
            return false;
        }
    }
    for (int i = 0; i < STAGES; ++i) {
        b->stages[i] = figure_of(spent[i]);
    }
    b->update = figure_of(whole);
    return true;
}

// Time of this process on one thread; on several the clock on the wall, since they work at the same time.
static double seconds_of(const bench *b)
{
    return vrm_task_pool_threads(b->pool) == 1 ? (double)clock() / CLOCKS_PER_SEC : vrmi_platform_seconds();
}

static void update_many_in_halves(
    vrm_instance *const *instances, uint32_t count, const vrm_update_params *params, const vrm_tasks *tasks)
{
    vrm_update_many_pose(instances, count, params, tasks);
    vrm_update_many_secondary(instances, count, params, tasks);
}

typedef void update_many_way(
    vrm_instance *const *instances, uint32_t count, const vrm_update_params *params, const vrm_tasks *tasks);

// Microseconds per instance of one update of all.
static bool measure_crowd(bench *b, uint32_t mask, update_many_way *update, float progress, figure *out)
{
    const uint32_t count = (uint32_t)b->options->instances;
    const vrm_update_params params = params_of(b, mask);
    double rounds[ROUNDS];
    // A second to come to rest, and as long to fall asleep.
    for (int i = 0; b->options->lod == VRM_LOD_SLEEP && i < 2 * (int)b->options->rate; ++i) {
        vrm_update_many(b->instances, count, &params, vrm_task_pool_tasks(b->pool));
    }
    for (int round = -1; round < ROUNDS; ++round) {
        for (uint32_t i = 0; i < count; ++i) {
            const double when = (double)(round + 1) / b->options->rate + 0.37 * (double)i; // no two alike
            scene_motion_apply(b->instances[i], (scene_motion)b->options->motion, when);
        }
        const double start = seconds_of(b);
        update(b->instances, count, &params, vrm_task_pool_tasks(b->pool));
        if (round >= 0) {
            rounds[round] = (seconds_of(b) - start) * 1e6 / count;
        }
        if (!cli_progress(progress + 0.16f * (float)(round + 1) / ROUNDS, "crowd", b->job)) {
            return false;
        }
    }
    *out = figure_of(rounds);
    return true;
}

static bool measure_load(bench *b, const cli_model *model)
{
    double rounds[ROUNDS];
    for (int round = -1; round < ROUNDS; ++round) {
        scene_load load;
        const clock_t start = clock();
        (void)scene_load_run(&load, model->bytes.data, model->bytes.size, &b->job->allocator, &b->job->limits);
        if (round >= 0) {
            rounds[round] = (double)(clock() - start) / CLOCKS_PER_SEC * 1e3;
        }
        vrm_avatar_release(load.avatar);
        load.avatar = NULL;
        if (round <= 0 || scene_load_seconds(&load) < scene_load_seconds(&b->phases)) {
            b->phases = load;
        }
        if (!cli_progress(0.2f * (float)(round + 1) / ROUNDS, "load", b->job)) {
            return false;
        }
    }
    b->load = figure_of(rounds);
    return true;
}

static bool measure_open(bench *b)
{
    enum { TIMES = 200 }; // one is over before a clock has moved
    const vrm_allocator *allocator = &b->job->allocator;
    size_t size = 0;
    (void)vrm_avatar_save(b->avatar, NULL, &size);
    void *bytes = allocator->allocate(size, 64, allocator->user);
    double rounds[ROUNDS] = {0};
    for (int round = 0; bytes != NULL && round < ROUNDS; ++round) {
        (void)vrm_avatar_save(b->avatar, bytes, &size);
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

static double per_joint(double with, double without, uint32_t joints)
{
    return joints != 0 && with > without ? (with - without) * 1e3 / joints : 0.0;
}

static void add_number(cli_json *json, const char *name, double value)
{
    cli_json_float(json, name, (float)value);
}

static void add_figure(cli_json *json, const char *name, const figure *f)
{
    cli_json_open(json, name, '{');
    add_number(json, "median", f->median);
    add_number(json, "low", f->low);
    add_number(json, "high", f->high);
    cli_json_close(json, '}');
}

static void print_json(const bench *b, const char *path, const vrm_avatar_counts *counts, vrmi_text *out)
{
    cli_json json = {.out = out};
    cli_json_open(&json, NULL, '{');
    cli_json_uint(&json, "schemaVersion", 1);
    cli_json_text(&json, "file", path);
    cli_json_uint(&json, "instances", (uint64_t)b->options->instances);
    cli_json_text(&json, "lod", vrm_lod_name((vrm_lod)b->options->lod));
    cli_json_uint(&json, "threads", vrm_task_pool_threads(b->pool));
    add_number(&json, "rate", b->options->rate);
    cli_json_uint(&json, "nodes", counts->nodes);
    cli_json_uint(&json, "joints", counts->spring_joints);
    add_number(&json, "ns_per_spring_joint", per_joint(b->stages[4].median, 0.0, counts->spring_joints));
    add_number(&json, "crowd_ns_per_spring_joint",
        per_joint(b->crowd_halves.median, b->crowd_rigid.median, counts->spring_joints));
    add_number(&json, "us_per_update", b->update.median);
    add_number(&json, "crowd_us_per_update", b->crowd.median);
    add_number(&json, "avatars_at_60_hz", 1e6 / 60.0 / b->crowd.median);
    cli_json_open(&json, "stages", '{');
    for (int i = 0; i < STAGES; ++i) {
        add_number(&json, stages[i].name, b->stages[i].median);
    }
    cli_json_close(&json, '}');
    cli_json_open(&json, "spread", '{');
    add_figure(&json, "update", &b->update);
    add_figure(&json, "crowd", &b->crowd);
    add_figure(&json, "load", &b->load);
    add_figure(&json, "open", &b->open);
    cli_json_close(&json, '}');
    const bench_memory memory = bench_memory_of(b->instances[0]);
    bench_memory_json(&memory, &json);
    add_number(&json, "load_ms", b->load.median);
    cli_json_open(&json, "load_phases_ms", '{');
    for (int i = 0; i < b->phases.count; ++i) {
        add_number(&json, b->phases.names[i], b->phases.seconds[i] * 1e3);
    }
    cli_json_close(&json, '}');
    add_number(&json, "json_mb_per_s", scene_load_json_rate(&b->phases));
    add_number(&json, "cooked_open_us", b->open.median);
    cli_json_close(&json, '}');
    vrmi_text_add_string(out, "\n");
}

static void print_row(vrmi_text *out, const char *name, const figure *f, const char *unit)
{
    vrmi_text_format(out, "%s", name);
    for (size_t i = strlen(name); i < 14; ++i) {
        vrmi_text_add_string(out, " ");
    }
    vrmi_text_add_digits(out, f->median, 4);
    vrmi_text_format(out, " %s (", unit);
    vrmi_text_add_digits(out, f->low, 4);
    vrmi_text_add_string(out, " to ");
    vrmi_text_add_digits(out, f->high, 4);
    vrmi_text_add_string(out, ")\n");
}

// Those of a hundredth of the load and more, of the fastest one.
static void print_phases(const scene_load *load, vrmi_text *out)
{
    const char *before = "  ";
    for (int i = 0; i < load->count; ++i) {
        if (load->seconds[i] >= 0.01 * scene_load_seconds(load)) {
            vrmi_text_format(out, "%s%s ", before, load->names[i]);
            vrmi_text_add_digits(out, load->seconds[i] * 1e3, 3);
            before = ", ";
        }
    }
    vrmi_text_add_string(out, "\n  JSON at ");
    vrmi_text_add_digits(out, scene_load_json_rate(load), 3);
    vrmi_text_add_string(out, " MB/s\n");
}

static void print_text(const bench *b, const char *path, const vrm_avatar_counts *counts, vrmi_text *out)
{
    cli_add_file_text(out, path, strlen(path));
    const cli_count contents[] = {{counts->nodes, "node", NULL}, {counts->spring_joints, "spring joint", NULL}};
    const cli_count crowd[] = {{(uint64_t)b->options->instances, "avatar", NULL},
        {vrm_task_pool_threads(b->pool), "thread", NULL}};
    vrmi_text_add_string(out, ": ");
    cli_add_counts(out, contents, 2);
    vrmi_text_add_string(out, "\n");
    const bench_memory memory = bench_memory_of(b->instances[0]);
    bench_memory_text(&memory, out);
    print_row(out, "load", &b->load, "ms");
    print_phases(&b->phases, out);
    print_row(out, "open cooked", &b->open, "us");
    vrmi_text_format(out, "one avatar at %g Hz, by stage: median (lowest to highest of %d rounds)\n", b->options->rate,
        ROUNDS);
    for (int i = 0; i < STAGES; ++i) {
        vrmi_text_add_string(out, "  ");
        print_row(out, stages[i].name, &b->stages[i], "us");
    }
    vrmi_text_add_string(out, "  ");
    print_row(out, "all, at once", &b->update, "us");
    vrmi_text_add_string(out, "  per spring joint ");
    vrmi_text_add_digits(out, per_joint(b->stages[4].median, 0.0, counts->spring_joints), 3);
    vrmi_text_add_string(out, " ns\n");
    cli_add_counts(out, crowd, 2);
    vrmi_text_add_string(out, "\n  ");
    print_row(out, "each", &b->crowd, "us");
    vrmi_text_add_string(out, "  per spring joint ");
    vrmi_text_add_digits(out, per_joint(b->crowd_halves.median, b->crowd_rigid.median, counts->spring_joints), 3);
    vrmi_text_add_string(out, " ns\n  at 60 Hz ");
    vrmi_text_add_digits(out, 1e6 / 60.0 / b->crowd.median, 3);
    vrmi_text_add_string(out, " avatars\n");
}

static int measure_and_print(bench *b, const cli_model *model)
{
    const uint32_t rigid = VRM_STAGE_ALL & ~(uint32_t)VRM_STAGE_SPRING;
    if (!measure_load(b, model) || !measure_open(b) || !measure_stages(b) ||
        !measure_crowd(b, VRM_STAGE_ALL, vrm_update_many, 0.5f, &b->crowd) ||
        !measure_crowd(b, VRM_STAGE_ALL, update_many_in_halves, 0.67f, &b->crowd_halves) ||
        !measure_crowd(b, rigid, update_many_in_halves, 0.83f, &b->crowd_rigid)) {
        return cli_fail(b->job, cli_exit_of(b->job, VRM_ERROR_CANCELLED), "stopped");
    }
    cli_progress_clear(b->job);
    vrm_avatar_counts counts;
    vrm_avatar_get_counts(b->avatar, &counts);
    vrmi_text out;
    vrmi_text_init(&out, &b->job->allocator);
    (b->options->format == 0 ? print_text : print_json)(b, model->path, &counts, &out);
    cli_print(&out);
    vrmi_text_free(&out);
    return CLI_EXIT_DONE;
}

static vrm_result make_crowd(bench *b)
{
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = b->avatar;
    vrm_result result = vrm_task_pool_create((uint32_t)b->options->threads, &b->job->allocator, &b->pool);
    for (int64_t i = 0; i < b->options->instances && result == VRM_SUCCESS; ++i) {
        const double target[3] = {0.4, 1.4, 2.0};
        result = vrm_instance_create(&def, &b->instances[i]);
        if (result == VRM_SUCCESS) {
            (void)vrm_instance_set_look_at_target(b->instances[i], target);
            (void)vrm_instance_set_lod(b->instances[i], (vrm_lod)b->options->lod);
        }
    }
    return result;
}

static int run_bench(const cli_inputs *inputs, const void *options_in, cli_job *job)
{
    const bench_options *options = options_in;
    cli_model model = {0};
    int code = cli_load(job, inputs->items[0], CLI_LOAD_AVATAR | CLI_LOAD_PLAIN, &model);
    bench b = {.options = options, .job = job, .avatar = model.avatar};
    if (code == CLI_EXIT_DONE) {
        const size_t size = (size_t)options->instances * sizeof(vrm_instance *);
        b.instances = job->allocator.allocate(size, sizeof(void *), job->allocator.user);
        vrm_result result = VRM_ERROR_OUT_OF_MEMORY;
        if (b.instances != NULL) {
            memset(b.instances, 0, size);
            result = make_crowd(&b);
        }
        code = result == VRM_SUCCESS ? measure_and_print(&b, &model)
                                     : cli_fail(job, cli_exit_of(job, result), "%s", cli_sentence_of(job, result));
        for (int64_t i = 0; b.instances != NULL && i < options->instances; ++i) {
            vrm_instance_destroy(b.instances[i]);
        }
        if (b.instances != NULL) {
            job->allocator.release(b.instances, size, job->allocator.user);
        }
        vrm_task_pool_destroy(b.pool);
    }
    cli_model_free(&model);
    return code;
}

static void bench_defaults(void *options)
{
    *(bench_options *)options = (bench_options){.instances = 100, .threads = 1, .rate = 60.0, .motion = SCENE_MOTION_WALK};
}

static const cli_option options[] = {
    {.name = "instances", .letter = 'n', .type = CLI_INTEGER, .offset = offsetof(bench_options, instances), .value = "N",
        .min = 1, .max = MAX_INSTANCES, .help = "Avatars in the crowd; default 100."},
    {.name = "threads", .letter = 't', .type = CLI_INTEGER, .offset = offsetof(bench_options, threads), .value = "N",
        .min = 0, .max = 64, .help = "Threads that the crowd is spread over; 0: all processors; default 1."},
    {.name = "rate", .type = CLI_NUMBER, .offset = offsetof(bench_options, rate), .value = "HZ", .min = 1, .max = 1000,
        .help = "Frames per second; default 60."},
    {.name = "motion", .type = CLI_CHOICE, .offset = offsetof(bench_options, motion), .choices = "none idle sway walk",
        .help = "What the avatars do; default walk."},
    {.name = "lod", .type = CLI_CHOICE, .offset = offsetof(bench_options, lod),
        .choices = "full half-rate tips-frozen sleep",
        .help = "Level of detail of the avatars; default full. With sleep and --motion none the crowd sleeps."},
    {.name = "format", .letter = 'f', .type = CLI_CHOICE, .offset = offsetof(bench_options, format),
        .choices = "text json", .help = "How the figures are printed."},
};

const cli_command cli_bench = {
    .name = "bench",
    .summary = "Measure what a model costs: a frame by stage, a crowd, loading, memory.",
    .arguments = "MODEL",
    .description = "Runs the model with generated motion and prints times, as median, lowest and highest of nine rounds. "
                   "Times are those of this process; those of a crowd on several threads are by the clock on the "
                   "wall. What moves the body is not counted.",
    .examples = "vrm bench avatar.vrm\n    one avatar, and a hundred of them on one thread\n"
                "vrm bench avatar.vrm -n 1000 -t 0 --format json\n    a thousand on all processors, for a program\n",
    .min_inputs = 1,
    .max_inputs = 1,
    .options = options,
    .option_count = sizeof(options) / sizeof(options[0]),
    .options_size = sizeof(bench_options),
    .defaults = bench_defaults,
    .run = run_bench,
};
