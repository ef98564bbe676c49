// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Initialisation and snapshots of the face.

#include "math/scalar.h"
#include "runtime/core/instance.h"

#include <string.h>

void vrmi_expression_init(vrm_instance *instance)
{
    const vrmi_model *model = instance->model;
    const uint32_t count = model->expression.count;
    vrmi_face *face = &instance->face;
    memset(face, 0, sizeof(*face));
    for (uint32_t layer = 0; layer < VRM_EXPRESSION_LAYER_COUNT; ++layer) {
        const bool mixes = layer == VRM_EXPRESSION_LAYER_EMOTION || layer == VRM_EXPRESSION_LAYER_PROCEDURAL;
        face->modes[layer] = mixes ? VRM_EXPRESSION_MODE_MAX : VRM_EXPRESSION_MODE_REPLACE;
        face->weights[layer] = 1.0f;
    }
    vrmi_blink_init(&face->blink);
    vrmi_lip_sync_init(&face->lip_sync);
    memset(instance->layers, 0, (size_t)count * VRM_EXPRESSION_LAYER_COUNT * sizeof(*instance->layers));
    memset(instance->fades, 0, count * sizeof(*instance->fades));
    memset(instance->host_morphs, 0, model->morph_base.count * sizeof(*instance->host_morphs));
    for (uint32_t e = 0; e < count; ++e) {
        instance->expression_groups[e] = vrmi_model_expression(model)[e].group;
    }
    face->inputs_changed = 1;
    face->outputs_stale = 1;
    memset(instance->expressions, 0, model->expression.count * sizeof(*instance->expressions));
    memcpy(instance->morphs, vrmi_model_morph_base(model), model->morph_base.count * sizeof(*instance->morphs));
    memset(instance->materials, 0, model->material.count * sizeof(*instance->materials));
    for (uint32_t m = 0; m < model->material.count; ++m) {
        memcpy(instance->materials[m].colors, vrmi_model_material(model)[m].params.colors,
            sizeof(instance->materials[m].colors));
        instance->materials[m].uv_base = 1.0f;
    }
}

// --- snapshot ------------------------------------------------------------------------------------------------------

static bool loads(const vrmi_cursor *cursor)
{
    return cursor->mode == VRMI_CURSOR_LOAD;
}

// Visits the entries of a layer that are set, as (expression, weight), in increasing order of expressions.
static void walk_layer(vrm_instance *instance, vrmi_cursor *cursor, uint32_t layer)
{
    const uint32_t count = instance->model->expression.count;
    uint32_t *set_count = &instance->face.set_counts[layer];
    vrmi_expression_entry *entries = &instance->layers[layer * count];
    vrmi_cursor_u32(cursor, &instance->face.modes[layer], VRM_EXPRESSION_MODE_ADD);
    vrmi_cursor_float(cursor, &instance->face.weights[layer], 0.0f, 1.0f);
    const uint32_t set = vrmi_cursor_steer(cursor, *set_count, count);
    if (loads(cursor)) {
        memset(entries, 0, count * sizeof(*entries));
        *set_count = set;
    }
    uint32_t next = 0;
    for (uint32_t i = 0; i < set && !cursor->failed; ++i) {
        while (!vrmi_cursor_reads(cursor) && next + 1 < count && !entries[next].set) {
            ++next;
        }
        const uint32_t e = vrmi_cursor_steer(cursor, next, count - 1);
        vrmi_cursor_require(cursor, e >= next);
        vrmi_cursor_float(cursor, &entries[e].weight, -VRMI_FLOAT_MAX, VRMI_FLOAT_MAX);
        if (loads(cursor)) {
            entries[e].set = 1;
        }
        next = e + 1;
    }
}

static void walk_fades(vrm_instance *instance, vrmi_cursor *cursor)
{
    const uint32_t count = instance->model->expression.count;
    vrmi_face *face = &instance->face;
    vrmi_cursor_u32(cursor, &face->fading, 1);
    vrmi_cursor_float(cursor, &face->fade_elapsed, 0.0f, VRMI_FLOAT_MAX);
    vrmi_cursor_float(cursor, &face->fade_duration, 0.0f, VRMI_FLOAT_MAX);
    for (uint32_t e = 0; e < count && !cursor->failed; ++e) {
        vrmi_fade_entry *fade = &instance->fades[e];
        const uint32_t active = vrmi_cursor_steer(cursor, fade->active, 1);
        if (loads(cursor)) {
            *fade = (vrmi_fade_entry){.active = active};
        }
        if (active) {
            vrmi_cursor_float(cursor, &fade->from, -VRMI_FLOAT_MAX, VRMI_FLOAT_MAX);
        }
    }
}

static void walk_blink(vrmi_blink *blink, vrmi_cursor *cursor)
{
    const int64_t longest_wait = 3600000000000; // nanoseconds: the largest interval that the setter accepts
    const uint32_t longest_phase = 4000000000u;
    vrm_blink_params *params = &blink->params;
    vrmi_cursor_bool(cursor, &params->enabled);
    vrmi_cursor_u32(cursor, &params->seed, UINT32_MAX);
    vrmi_cursor_float(cursor, &params->interval_min, 0.1f, 3600.0f);
    vrmi_cursor_float(cursor, &params->interval_max, 0.1f, 3600.0f);
    vrmi_cursor_float(cursor, &params->close_time, 0.0f, 4.0f);
    vrmi_cursor_float(cursor, &params->hold_time, 0.0f, 4.0f);
    vrmi_cursor_float(cursor, &params->open_time, 0.0f, 4.0f);
    vrmi_cursor_float(cursor, &params->double_chance, 0.0f, 1.0f);
    vrmi_cursor_u64(cursor, &blink->random);
    vrmi_cursor_u32(cursor, &blink->pending, 1);
    vrmi_cursor_u32(cursor, &blink->close, longest_phase);
    vrmi_cursor_u32(cursor, &blink->hold, longest_phase);
    vrmi_cursor_u32(cursor, &blink->open, longest_phase);
    vrmi_cursor_u32(cursor, &blink->closures, 2);
    vrmi_cursor_float(cursor, &blink->value, 0.0f, 1.0f);
    // The wait is added, so that the stored time is not negative.
    const uint64_t time = (uint64_t)(blink->time + longest_wait);
    const uint64_t low = vrmi_cursor_steer(cursor, (uint32_t)time, UINT32_MAX);
    const uint64_t high = vrmi_cursor_steer(cursor, (uint32_t)(time >> 32), UINT32_MAX);
    const uint64_t read = high << 32 | low;
    // No blink takes longer than 24 seconds.
    vrmi_cursor_require(cursor, read <= (uint64_t)longest_wait + 24000000000u);
    if (loads(cursor)) {
        blink->time = (int64_t)read - longest_wait;
    }
}

static void walk_lip_sync(vrmi_lip_sync *lip, vrmi_cursor *cursor)
{
    vrmi_cursor_float(cursor, &lip->params.attack, 0.0f, VRMI_FLOAT_MAX);
    vrmi_cursor_float(cursor, &lip->params.release, 0.0f, VRMI_FLOAT_MAX);
    vrmi_cursor_float(cursor, &lip->params.gain, 0.0f, VRMI_FLOAT_MAX);
    vrmi_cursor_u32(cursor, &lip->active, 1);
    vrmi_cursor_u32(cursor, &lip->closing, 1);
    for (int v = 0; v < VRMI_VOWEL_COUNT; ++v) {
        vrmi_cursor_float(cursor, &lip->heard[v], 0.0f, VRMI_FLOAT_MAX);
        vrmi_cursor_float(cursor, &lip->target[v], 0.0f, 1.0f);
        vrmi_cursor_float(cursor, &lip->current[v], 0.0f, 1.0f);
        vrmi_cursor_float(cursor, &lip->value[v], 0.0f, 1.0f);
    }
}

// Visits groups of custom expressions, and morphs set by the host, if they differ from the defaults.
static void walk_own_values(vrm_instance *instance, vrmi_cursor *cursor)
{
    const vrmi_model *model = instance->model;
    for (uint32_t e = 0; e < model->expression.count && !cursor->failed; ++e) {
        if (vrmi_model_expression(model)[e].preset == VRM_EXPRESSION_CUSTOM) {
            vrmi_cursor_u32(cursor, &instance->expression_groups[e], VRM_EXPRESSION_GROUP_COUNT - 1);
        }
    }
    const uint32_t count = model->morph_base.count;
    uint32_t used = 0;
    for (uint32_t i = 0; i < count; ++i) {
        used += instance->host_morphs[i] != 0.0f ? 1u : 0u;
    }
    used = vrmi_cursor_steer(cursor, used, count);
    if (loads(cursor)) {
        memset(instance->host_morphs, 0, count * sizeof(*instance->host_morphs));
    }
    uint32_t next = 0;
    for (uint32_t i = 0; i < used && !cursor->failed; ++i) {
        while (!vrmi_cursor_reads(cursor) && next + 1 < count && instance->host_morphs[next] == 0.0f) {
            ++next;
        }
        const uint32_t morph = vrmi_cursor_steer(cursor, next, count - 1);
        vrmi_cursor_require(cursor, morph >= next);
        vrmi_cursor_float(cursor, &instance->host_morphs[morph], -VRMI_FLOAT_MAX, VRMI_FLOAT_MAX);
        next = morph + 1;
    }
}

void vrmi_expression_snapshot(vrm_instance *instance, vrmi_cursor *cursor)
{
    for (uint32_t layer = 0; layer < VRM_EXPRESSION_LAYER_COUNT && !cursor->failed; ++layer) {
        walk_layer(instance, cursor, layer);
    }
    walk_fades(instance, cursor);
    walk_blink(&instance->face.blink, cursor);
    walk_lip_sync(&instance->face.lip_sync, cursor);
    walk_own_values(instance, cursor);
    if (loads(cursor)) {
        instance->face.inputs_changed = 1;
        instance->face.outputs_stale = 1;
        // The override of the gaze is not saved. Updates without the expression stage need it, too, so it is computed
        // here.
        vrmi_expression_merge(instance, 0.0f);
    }
}
