// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "record/trace_script.h"

#include <stdlib.h>

static int compare_events(const void *a, const void *b)
{
    const vrmi_trace_event *x = a, *y = b;
    if (x->frame != y->frame) {
        return x->frame < y->frame ? -1 : 1;
    }
    return x->order < y->order ? -1 : 1;
}

static void parse_sample(vrmi_trace_script *script)
{
    static const char *const keys[] = {"every", "start", "frames"};
    vrmi_reader *reader = &script->reader;
    const uint32_t sample = vrmi_read_object(reader, 0, "sample", VRMI_OPTIONAL);
    vrmi_read_keys(reader, sample, keys, 3, VRM_FINDING_TRACE_UNKNOWN_KEY, VRMI_TRACE_KEY_EXPECTED);
    (void)vrmi_read_uint(reader, sample, "every", VRMI_OPTIONAL, &script->sample_every);
    (void)vrmi_read_uint(reader, sample, "start", VRMI_OPTIONAL, &script->sample_start);
    if (script->sample_every == 0) {
        vrmi_reader_report(reader, VRM_FINDING_VALUE_NOT_IN_RANGE, sample, "every", "0", "at least 1");
    }
    script->sample_frames = vrmi_read_array(reader, sample, "frames", VRMI_OPTIONAL);
    for (uint32_t v = vrmi_json_first(reader->json, script->sample_frames); v != VRMI_JSON_NONE;
         v = vrmi_json_next(reader->json, v)) {
        uint32_t frame;
        if (!vrmi_json_uint(reader->json, v, &frame)) {
            vrmi_reader_report_value(reader, VRM_FINDING_TYPE_MISMATCH, v, "a frame number");
        }
    }
}

static vrm_result parse_events(vrmi_trace_script *script)
{
    vrmi_reader *reader = &script->reader;
    const uint32_t events = vrmi_read_array(reader, 0, "events", VRMI_OPTIONAL);
    uint32_t order = 0;
    for (uint32_t v = vrmi_json_first(reader->json, events); v != VRMI_JSON_NONE; v = vrmi_json_next(reader->json, v)) {
        vrmi_trace_event event = {0, order++, v};
        if (!vrmi_json_is(reader->json, v, VRMI_JSON_OBJECT)) {
            vrmi_reader_report_value(reader, VRM_FINDING_TYPE_MISMATCH, v, "an object");
            continue;
        }
        (void)vrmi_read_uint(reader, v, "frame", VRMI_REQUIRED, &event.frame);
        vrmi_trace_event *slot = vrmi_array_push(&script->events, &script->allocator);
        if (slot == NULL) {
            return VRM_ERROR_OUT_OF_MEMORY;
        }
        *slot = event;
    }
    if (script->events.count > 1) {
        qsort(script->events.items, script->events.count, sizeof(vrmi_trace_event), compare_events);
    }
    return VRM_SUCCESS;
}

static vrm_result parse_root(vrmi_trace_script *script)
{
    // The keys in the last row control other runtimes, and are ignored here and in events.
    static const char *const keys[] = {"dt", "frames", "mode", "time", "sample", "nodes", "events", "loop", "ragdoll",
        "worldUpdate", "initState", "boneLength", "rotateVRM0"};
    static const char *const modes[] = {"raw", "normalized"};
    static const char *const times[] = {"default", "reference"};
    vrmi_reader *reader = &script->reader;
    if (!vrmi_json_is(&script->json, 0, VRMI_JSON_OBJECT)) {
        vrmi_reader_report_value(reader, VRM_FINDING_TYPE_MISMATCH, 0, "an object");
        return VRM_ERROR_INVALID_ASSET;
    }
    vrmi_read_keys(
        reader, 0, keys, sizeof keys / sizeof keys[0], VRM_FINDING_TRACE_UNKNOWN_KEY, VRMI_TRACE_KEY_EXPECTED);
    (void)vrmi_read_float_range(reader, 0, "dt", 0.0f, 10.0f, &script->dt);
    (void)vrmi_read_uint(reader, 0, "frames", VRMI_REQUIRED, &script->frames);
    uint32_t choice = 0;
    (void)vrmi_read_enum(reader, 0, "mode", VRMI_OPTIONAL, modes, 2, &choice);
    script->normalized = choice == 1;
    choice = 0;
    (void)vrmi_read_bool(reader, 0, "loop", VRMI_OPTIONAL, &script->loop);
    (void)vrmi_read_enum(reader, 0, "time", VRMI_OPTIONAL, times, 2, &choice);
    script->spring_time = choice == 1 ? VRM_SPRING_TIME_REFERENCE : VRM_SPRING_TIME_DEFAULT;
    script->nodes = vrmi_read_array(reader, 0, "nodes", VRMI_OPTIONAL);
    script->ragdoll.json = vrmi_read_object(reader, 0, "ragdoll", VRMI_OPTIONAL);
    parse_sample(script);
    const vrm_result result = parse_events(script);
    return result == VRM_SUCCESS && reader->errors > 0 ? VRM_ERROR_INVALID_ASSET : result;
}

vrm_result vrmi_trace_script_parse(
    vrmi_trace_script *out, vrm_string text, const vrm_allocator *allocator, vrm_report *report)
{
    *out = (vrmi_trace_script){.allocator = *allocator,
        .dt = 1.0f / 60.0f,
        .sample_every = 1,
        .sample_frames = VRMI_JSON_NONE,
        .nodes = VRMI_JSON_NONE,
        .events = {.item_size = sizeof(vrmi_trace_event)},
        .ragdoll = {.json = VRMI_JSON_NONE}};
    const vrmi_json_limits limits = {.max_depth = 64, .max_memory = UINT32_MAX};
    vrm_result result = vrmi_json_parse(&out->json, text.data, text.length, allocator, &limits, report);
    if (result == VRM_SUCCESS) {
        out->reader = (vrmi_reader){.json = &out->json, .report = report};
        result = parse_root(out);
    }
    if (result != VRM_SUCCESS) {
        vrmi_trace_script_free(out);
    }
    return result;
}

void vrmi_trace_script_free(vrmi_trace_script *script)
{
    vrmi_release(&script->allocator, script->ragdoll.def, sizeof *script->ragdoll.def);
    vrmi_array_free(&script->events, &script->allocator);
    vrmi_json_free(&script->json);
}

bool vrmi_trace_script_samples(const vrmi_trace_script *script, uint32_t frame)
{
    if (script->sample_frames == VRMI_JSON_NONE) {
        return frame >= script->sample_start && (frame - script->sample_start) % script->sample_every == 0;
    }
    for (uint32_t v = vrmi_json_first(&script->json, script->sample_frames); v != VRMI_JSON_NONE;
         v = vrmi_json_next(&script->json, v)) {
        uint32_t wanted;
        if (vrmi_json_uint(&script->json, v, &wanted) && wanted == frame) {
            return true;
        }
    }
    return false;
}
