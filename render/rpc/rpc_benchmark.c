// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Measures frames. A frame is an update and a picture, including the reading of its pixels, so that the GPU's time
// counts.

#include "rpc.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_FRAMES = 100000 };

typedef struct measure {
    rpc_picture picture;
    uint32_t warmup, frames;
    bool moves;
    double start[3], end[3];
    double *ms; // [frames]
} measure;

static bool read_measure(rpc_call *call, measure *m)
{
    static const rpc_parameter way[] = {
        {"translation_start", RPC_VEC3, true, NULL}, {"translation_end", RPC_VEC3, true, NULL}, {0}};
    m->warmup = rpc_uint(call, call->params, "warmup_frames", 30);
    m->frames = rpc_uint(call, call->params, "measured_frames", 300);
    m->moves = rpc_has(call, call->params, "animate_root_transform");
    if (m->frames == 0 || m->frames > MOST_FRAMES || m->warmup > MOST_FRAMES) {
        return rpc_fail(call, RPC_PARAMS, "%u frames after %u warm-up frames: expected 1 to %d after 0 to %d",
            m->frames, m->warmup, MOST_FRAMES, MOST_FRAMES);
    }
    if (m->moves) {
        const uint32_t object = vrmi_json_member(call->json, call->params, "animate_root_transform");
        if (!rpc_check(call, way, object, "animate_root_transform.")) {
            return false;
        }
        rpc_vector(call, object, "translation_start", m->start);
        rpc_vector(call, object, "translation_end", m->end);
    }
    return rpc_read_picture(call, &m->picture);
}

static bool draw_frame(rpc_call *call, const measure *m, double part)
{
    double now[3];
    for (int k = 0; k < 3; ++k) {
        now[k] = m->start[k] + (m->end[k] - m->start[k]) * part;
    }
    if (m->moves) {
        rpc_place(call->session, now);
    }
    rpc_update(call->session, 1.0 / 60.0);
    if (cli_cancelled()) {
        return rpc_fail(call, RPC_INTERNAL, "%s", vrm_result_sentence(VRM_ERROR_CANCELLED));
    }
    return rpc_draw(call, &m->picture);
}

static bool run(rpc_call *call, measure *m)
{
    for (uint32_t i = 0; i < m->warmup; ++i) {
        if (!draw_frame(call, m, 0.0)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < m->frames; ++i) {
        const double started = cli_platform_seconds();
        if (!draw_frame(call, m, m->frames > 1 ? (double)i / (m->frames - 1) : 0.0)) {
            return false;
        }
        m->ms[i] = (cli_platform_seconds() - started) * 1000.0;
    }
    return true;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void add_timing(rpc_call *call, const measure *m)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < m->frames; ++i) {
        sum += m->ms[i];
    }
    qsort(m->ms, m->frames, sizeof *m->ms, compare);
    static const struct {
        const char *name;
        double part;
    } parts[] = {{"p50", 0.5}, {"p95", 0.95}, {"p99", 0.99}};
    cli_json_open(call->result, "timing", '{');
    cli_json_open(call->result, "frame_time_ms", '{');
    for (int i = 0; i < 3; ++i) {
        const double at = ceil(parts[i].part * m->frames) - 1.0; // nearest-rank method
        cli_json_float(call->result, parts[i].name, (float)m->ms[at > 0.0 ? (uint32_t)at : 0]);
    }
    cli_json_close(call->result, '}');
    cli_json_float(call->result, "fps_mean", (float)(1000.0 * m->frames / fmax(sum, 1e-6)));
    cli_json_text(call->result, "clock", "gpu_cpu");
    cli_json_close(call->result, '}');
}

static vrm_render_statistics cost(const rpc_session *s)
{
    vrm_render_statistics cost = {.struct_size = sizeof cost};
    vrm_render_model_get_statistics(s->meshes, &cost);
    return cost;
}

static void add_result(rpc_call *call, const measure *m)
{
    const rpc_session *s = call->session;
    const vrm_render_statistics model = cost(s);
    cli_json *out = call->result;
    cli_machine machine;
    cli_platform_machine(&machine);
    cli_json_open(out, "protocol", '{');
    cli_json_uint(out, "warmup_frames", m->warmup);
    cli_json_uint(out, "measured_frames", m->frames);
    cli_json_bool(out, "animated", m->moves);
    cli_json_close(out, '}');
    add_timing(call, m);
    cli_json_open(out, "geometry", '{');
    cli_json_uint(out, "triangles", model.triangles);
    cli_json_uint(out, "vertices", model.vertices);
    cli_json_close(out, '}');
    cli_json_open(out, "resources", '{');
    cli_json_uint(out, "peak_memory_bytes", machine.peak_memory);
    cli_json_text(out, "memory_kind", "host");
    cli_json_float(out, "load_ms", (float)s->load_ms);
    cli_json_float(out, "first_frame_ms", (float)s->first_frame_ms);
    cli_json_close(out, '}');
    const char *driver = vrm_renderer_get_driver(call->server->renderer);
    cli_json_open(out, "host", '{');
    cli_json_text(out, "os", machine.system);
    cli_json_text(out, "os_version", machine.version);
    cli_json_text(out, "gpu_vendor", "unknown");
    cli_json_text(out, "gpu_model", driver);
    cli_json_text(out, "driver_version", "unknown");
    cli_json_text(out, "build_flags", "libvrm " VRM_VERSION_STRING);
    cli_json_close(out, '}');
    cli_json_open(out, "capabilities", '[');
    cli_json_text(out, NULL, "timing");
    cli_json_text(out, NULL, "geometry");
    cli_json_text(out, NULL, "resources");
    cli_json_close(out, ']');
}

bool rpc_benchmark_execute(rpc_call *call)
{
    measure m = {0};
    if (!read_measure(call, &m)) {
        return false;
    }
    m.ms = malloc(m.frames * sizeof *m.ms);
    const vrm_dvec3 before = call->session->root;
    const bool good = m.ms != NULL ? run(call, &m) : rpc_fail_memory(call);
    if (m.moves) {
        rpc_place(call->session, (const double[]){before.x, before.y, before.z});
        rpc_update(call->session, 0.0);
    }
    if (good) {
        add_result(call, &m);
    }
    free(m.ms);
    return good;
}

bool rpc_benchmark_plan(rpc_call *call)
{
    enum { SHOTS = 3 };
    measure m = {0};
    if (!read_measure(call, &m)) {
        return false;
    }
    // The first frame includes the start of the driver, so the fastest of several frames predicts the time of the
    // others.
    double best = 1e30;
    for (int i = 0; i < SHOTS; ++i) {
        const double started = cli_platform_seconds();
        if (!rpc_draw(call, &m.picture)) {
            return false;
        }
        best = fmin(best, cli_platform_seconds() - started);
    }
    const vrm_render_statistics model = cost(call->session);
    char summary[120];
    vrmi_format(summary, sizeof summary, "%u primitives, %u triangles, %u vertices, %u textures", model.primitives,
        model.triangles, model.vertices, model.textures);
    cli_json_uint(call->result, "estimated_frames", (uint64_t)m.warmup + m.frames);
    cli_json_float(call->result, "estimated_seconds", (float)(best * ((double)m.warmup + m.frames)));
    cli_json_text(call->result, "scene_summary", summary);
    return true;
}
