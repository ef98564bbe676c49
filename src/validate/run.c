// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "validate/run.h"

void vrmi_run_stop(vrmi_run *run, vrm_result result)
{
    if (run->result == VRM_SUCCESS) {
        run->result = result;
    }
}

void *vrmi_run_alloc(vrmi_run *run, size_t count, size_t size)
{
    void *memory = vrmi_arena_alloc(&run->arena, count, size);
    if (memory == NULL) {
        vrmi_run_stop(run, run->arena.limit_hit ? VRM_ERROR_LIMIT : VRM_ERROR_OUT_OF_MEMORY);
    }
    return memory;
}

bool vrmi_run_tick(vrmi_run *run)
{
    if (run->def->progress != NULL && vrmi_run_goes_on(run) && ++run->ticks % 64 == 0 &&
        !run->def->progress(run->fraction, run->phase, run->def->progress_user)) {
        vrmi_run_stop(run, VRM_ERROR_CANCELLED);
    }
    return vrmi_run_goes_on(run);
}

bool vrmi_run_scan(vrmi_run *run, const vrmi_gltf_accessor *accessor)
{
    const uint64_t bytes = (uint64_t)accessor->count * accessor->components * accessor->component_size;
    if (bytes > run->max_scan - run->scanned) {
        vrmi_reader_report(&run->reader, VRM_FINDING_LIMIT_EXCEEDED, 0, NULL, NULL,
            "accessors that refer to the same bytes at most a few times");
        vrmi_run_stop(run, VRM_ERROR_LIMIT);
        return false;
    }
    run->scanned += bytes;
    return vrmi_run_tick(run);
}

int32_t vrmi_run_index(const vrmi_run *run, uint32_t value, vrm_gltf_array array)
{
    uint32_t index;
    return vrmi_json_uint(run->json, value, &index) &&
                   vrmi_json_is(run->json, vrmi_gltf_element(run->gltf, array, index), VRMI_JSON_OBJECT)
               ? (int32_t)index
               : -1;
}

int32_t vrmi_run_member_index(const vrmi_run *run, uint32_t object, const char *key, vrm_gltf_array array)
{
    return vrmi_run_index(run, vrmi_json_member(run->json, object, key), array);
}

uint32_t vrmi_run_uint(const vrmi_run *run, uint32_t object, const char *key, uint32_t otherwise)
{
    uint32_t number;
    return vrmi_json_uint(run->json, vrmi_json_member(run->json, object, key), &number) ? number : otherwise;
}
