// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include <string.h>

#include "bench.h"
#include "bench_memory.h"

// Returns nanoseconds per joint. A difference below a thousandth of a nanosecond is rounding: a sleeping crowd takes as
// long with springs as without.
static double per_joint(double with, double without, uint32_t joints)
{
    const double ns = joints != 0 ? (with - without) * 1e3 / joints : 0.0;
    return ns > 1e-3 ? ns : 0.0;
}

static void add_number(cli_json *json, const char *name, double value)
{
    cli_json_float(json, name, (float)value);
}

static void add_figure(cli_json *json, const char *name, const bench_figure *f)
{
    cli_json_open(json, name, '{');
    add_number(json, "median", f->median);
    add_number(json, "low", f->low);
    add_number(json, "high", f->high);
    cli_json_close(json, '}');
}

static const char *lod_name(const bench *b)
{
    return b->options->lod == BENCH_MIXED ? "mixed" : vrm_lod_name((vrm_lod)b->options->lod);
}

static double avatars_at_60_hz(const bench *b)
{
    return 1e6 / 60.0 / b->crowd_60.median;
}

static void print_load_json(const bench *b, cli_json *json)
{
    add_number(json, "loadMs", b->load.median);
    cli_json_open(json, "loadPhasesMs", '{');
    for (int i = 0; i < b->phases.count; ++i) {
        add_number(json, cli_json_camel(b->phases.names[i]).text, b->phases.seconds[i] * 1e3);
    }
    cli_json_close(json, '}');
    add_number(json, "jsonMbPerS", scene_load_json_rate(&b->phases));
}

static void print_json(const bench *b, const vrm_avatar_counts *counts, vrmi_text *out)
{
    cli_json json = {.out = out};
    cli_json_open(&json, NULL, '{');
    cli_json_uint(&json, "schemaVersion", 1);
    cli_json_text(&json, "file", b->model.path);
    cli_json_uint(&json, "instances", (uint64_t)b->options->instances);
    cli_json_text(&json, "lod", lod_name(b));
    cli_json_text(&json, "motion", b->options->motion);
    cli_json_uint(&json, "threads", vrm_task_pool_get_thread_count(b->pool));
    add_number(&json, "rate", b->options->rate);
    cli_json_uint(&json, "nodes", counts->nodes);
    cli_json_uint(&json, "joints", counts->spring_joints);
    add_number(&json, "nsPerSpringJoint", per_joint(b->stages[BENCH_SPRINGS].median, 0.0, counts->spring_joints));
    cli_json_open(&json, "nsPerSpringJointByRate", '{');
    for (int i = 0; i < BENCH_RATES; ++i) {
        char rate[8];
        vrmi_format(rate, sizeof rate, "%g", bench_rates[i]);
        add_number(&json, rate, per_joint(b->springs[i].median, 0.0, counts->spring_joints));
    }
    cli_json_close(&json, '}');
    add_number(
        &json, "crowdNsPerSpringJoint", per_joint(b->crowd_halves.median, b->crowd_bare.median, counts->spring_joints));
    add_number(&json, "usPerUpdate", b->update.median);
    add_number(&json, "crowdUsPerUpdate", b->crowd.median);
    add_number(&json, "avatarsAt60Hz", avatars_at_60_hz(b));
    add_number(&json, "avatarsAt60HzPerThread", avatars_at_60_hz(b) / vrm_task_pool_get_thread_count(b->pool));
    cli_json_open(&json, "stages", '{');
    for (int i = 0; i < BENCH_STAGES; ++i) {
        add_number(&json, cli_json_camel(bench_stages[i].name).text, b->stages[i].median);
    }
    cli_json_close(&json, '}');
    cli_json_open(&json, "spread", '{');
    add_figure(&json, "update", &b->update);
    add_figure(&json, "crowd", &b->crowd);
    if (b->model.gltf != NULL) {
        add_figure(&json, "load", &b->load);
    }
    add_figure(&json, "open", &b->open);
    cli_json_close(&json, '}');
    const bench_memory memory = bench_memory_of(b->one);
    bench_memory_json(&memory, &json);
    if (b->model.gltf != NULL) {
        print_load_json(b, &json);
    }
    add_number(&json, "cookedOpenUs", b->open.median);
    cli_json_close(&json, '}');
    vrmi_text_add_string(out, "\n");
}

static void print_row(vrmi_text *out, const char *name, const bench_figure *f, const char *unit)
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

// Prints the phases of the fastest load that take at least a hundredth of its time.
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

// Prints the spring stage's median time per joint, at the requested rate and at the usual ones.
static void print_joints(const bench *b, uint32_t joints, vrmi_text *out)
{
    if (joints == 0) {
        return;
    }
    vrmi_text_add_string(out, "  per spring joint ");
    vrmi_text_add_digits(out, per_joint(b->stages[BENCH_SPRINGS].median, 0.0, joints), 3);
    vrmi_text_add_string(out, " ns;");
    for (int i = 0; i < BENCH_RATES; ++i) {
        vrmi_text_format(out, "%s at %g Hz ", i > 0 ? "," : "", bench_rates[i]);
        vrmi_text_add_digits(out, per_joint(b->springs[i].median, 0.0, joints), 3);
    }
    vrmi_text_add_string(out, "\n");
}

static void print_crowd(const bench *b, uint32_t joints, vrmi_text *out)
{
    const uint32_t threads = vrm_task_pool_get_thread_count(b->pool);
    const cli_count crowd[] = {{(uint64_t)b->options->instances, "avatar", NULL}, {threads, "thread", NULL}};
    cli_add_counts(out, crowd, 2);
    vrmi_text_format(out, ", level of detail %s\n  ", lod_name(b));
    print_row(out, "each", &b->crowd, "us");
    if (joints > 0) {
        vrmi_text_add_string(out, "  per spring joint ");
        vrmi_text_add_digits(out, per_joint(b->crowd_halves.median, b->crowd_bare.median, joints), 3);
        vrmi_text_add_string(out, " ns\n");
    }
    vrmi_text_add_string(out, "  at 60 Hz ");
    vrmi_text_add_digits(out, avatars_at_60_hz(b), 3);
    vrmi_text_add_string(out, " avatars");
    if (threads > 1) {
        vrmi_text_add_string(out, ", ");
        vrmi_text_add_digits(out, avatars_at_60_hz(b) / threads, 3);
        vrmi_text_add_string(out, " a thread");
    }
    vrmi_text_add_string(out, "\n");
}

static void print_text(const bench *b, const vrm_avatar_counts *counts, vrmi_text *out)
{
    cli_add_file_text(out, b->model.path, strlen(b->model.path));
    const cli_count contents[] = {{counts->nodes, "node", NULL}, {counts->spring_joints, "spring joint", NULL}};
    vrmi_text_add_string(out, ": ");
    cli_add_counts(out, contents, 2);
    vrmi_text_add_string(out, "\n");
    const bench_memory memory = bench_memory_of(b->one);
    bench_memory_text(&memory, out);
    if (b->model.gltf != NULL) {
        print_row(out, "load", &b->load, "ms");
        print_phases(&b->phases, out);
    }
    print_row(out, "open cooked", &b->open, "us");
    vrmi_text_format(out, "one avatar at %g Hz, by stage: median (lowest to highest of %d rounds)\n", b->options->rate,
        BENCH_ROUNDS);
    for (int i = 0; i < BENCH_STAGES; ++i) {
        vrmi_text_add_string(out, "  ");
        print_row(out, bench_stages[i].name, &b->stages[i], "us");
    }
    vrmi_text_add_string(out, "  ");
    print_row(out, "all, at once", &b->update, "us");
    print_joints(b, counts->spring_joints, out);
    print_crowd(b, counts->spring_joints, out);
}

void bench_report(const bench *b, vrmi_text *out)
{
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(b->model.avatar, &counts);
    (b->options->format == 0 ? print_text : print_json)(b, &counts, out);
}
