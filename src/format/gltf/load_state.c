// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Functions used by every pass of a load: memory, progress, limits, indices, findings.

#include "base/report.h"
#include "base/text.h"
#include "format/gltf/gltf_private.h"

bool vrmi_load_stop(vrmi_load *load, vrm_result result)
{
    if (load->stopped == VRM_SUCCESS) {
        load->stopped = result;
    }
    return false;
}

vrm_result vrmi_load_no_memory(const vrmi_load *load)
{
    return load->data->budget.limit_hit ? VRM_ERROR_LIMIT : VRM_ERROR_OUT_OF_MEMORY;
}

void *vrmi_load_alloc(vrmi_load *load, size_t count, size_t size)
{
    void *memory = vrmi_arena_alloc(&load->gltf->arena, count, size);
    if (memory == NULL) {
        vrmi_load_stop(load, vrmi_load_no_memory(load));
    }
    return memory;
}

bool vrmi_load_progress(vrmi_load *load)
{
    load->unreported = 0;
    if (load->def->progress == NULL) {
        return true;
    }
    float part = load->phase_work == 0 ? 0.0f : (float)((double)load->done / (double)load->phase_work);
    part = part > 1.0f ? 1.0f : part;
    const float fraction = load->phase_from + (load->phase_to - load->phase_from) * part;
    return load->def->progress(fraction, load->phase, load->def->progress_user)
               ? true
               : vrmi_load_stop(load, VRM_ERROR_CANCELLED);
}

bool vrmi_load_enter(vrmi_load *load, const char *phase, float from, float to, uint64_t work)
{
    load->phase = phase;
    load->phase_from = from;
    load->phase_to = to;
    load->phase_work = work;
    load->done = 0;
    return vrmi_load_progress(load);
}

bool vrmi_load_work(vrmi_load *load, uint64_t work)
{
    load->done += work;
    load->unreported += work;
    return load->unreported < VRMI_PROGRESS_WORK || vrmi_load_progress(load);
}

bool vrmi_load_limit(vrmi_load *load, uint32_t value, const char *expected)
{
    load->reader.repairing = false;
    vrmi_reader_report(&load->reader, VRM_FINDING_LIMIT_EXCEEDED, value, NULL, NULL, expected);
    return vrmi_load_stop(load, VRM_ERROR_LIMIT);
}

bool vrmi_load_scan(vrmi_load *load, uint64_t bytes)
{
    if (bytes > load->max_scan - load->scanned) {
        return vrmi_load_limit(load, load->gltf->root, "accessors that refer to the same bytes at most a few times");
    }
    load->scanned += bytes;
    return true;
}

int32_t vrmi_load_index(vrmi_load *load, uint32_t value, uint32_t limit)
{
    uint32_t index;
    char expected[48];
    if (!vrmi_json_uint(load->reader.json, value, &index) || index > INT32_MAX) {
        vrmi_reader_report_value(&load->reader, VRM_FINDING_INVALID_INDEX, value, "an index");
        return -1;
    }
    if (index >= limit) {
        vrmi_reader_report_value(&load->reader, VRM_FINDING_UNRESOLVED_REFERENCE, value,
            vrmi_format(expected, sizeof(expected), "an index below %u", limit));
        return -1;
    }
    return (int32_t)index;
}

bool vrmi_load_string(vrmi_load *load, uint32_t value, vrm_string *out)
{
    const vrmi_json *json = load->reader.json;
    *out = (vrm_string){0};
    if (!vrmi_json_is(json, value, VRMI_JSON_STRING)) {
        return true;
    }
    const vrmi_json_token *token = &json->tokens[value];
    *out = (vrm_string){json->text + token->start, token->end - token->start};
    if (token->escaped == 0) {
        return true;
    }
    const size_t size = (size_t)out->length + 1;
    char *text = vrmi_load_alloc(load, size, 1);
    if (text != NULL) {
        *out = (vrm_string){text, (uint32_t)vrmi_json_unescape(json, value, text, size)};
    }
    return text != NULL;
}

void vrmi_load_repair(vrmi_load *load, bool on)
{
    load->reader.repairing = on && !load->def->strict && load->part != VRMI_GLTF_FAULTY;
}

vrmi_gltf_accessor *vrmi_load_accessor(vrmi_load *load, int32_t index)
{
    vrmi_gltf_accessor *accessor = index < 0 ? NULL : &load->data->accessors[index];
    return accessor != NULL && accessor->state != VRMI_ACCESSOR_INVALID ? accessor : NULL;
}

void vrmi_load_report_offset(vrmi_load *load, vrm_finding_id id, size_t offset, const char *found, const char *expected)
{
    load->reader.errors += vrm_finding_get_info(id)->severity == VRM_SEVERITY_ERROR;
    vrmi_report_offset(load->report, id, (int64_t)offset, found, expected);
}
