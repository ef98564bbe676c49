// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "cli.h"

vrm_result cli_repair_once(
    cli_job *job, const char *path, const vrm_report *report, vrm_bytes *bytes, uint32_t *out_count)
{
    cli_beside beside = {path, job};
    vrm_gltf *gltf = NULL;
    vrm_bytes repaired = {0};
    vrm_gltf_def def;
    vrm_gltf_def_default(&def);
    def.borrow_bytes = true;
    def.allocator = job->allocator;
    def.limits = job->limits;
    def.read = cli_read_beside;
    def.read_user = &beside;
    *out_count = 0;
    vrm_result result = vrm_gltf_load(&def, bytes->data, bytes->size, NULL, &gltf);
    if (result == VRM_SUCCESS) {
        result = vrm_validate_repair(gltf, report, out_count);
    }
    if (result == VRM_SUCCESS && *out_count != 0) {
        result = vrm_gltf_save(gltf, &repaired);
    }
    vrm_gltf_destroy(gltf);
    if (result == VRM_SUCCESS && *out_count != 0) {
        vrm_bytes_free(bytes);
        *bytes = repaired;
    }
    return result;
}

static vrm_result validate(cli_job *job, const char *path, const vrm_bytes *bytes, vrm_report *report)
{
    cli_beside beside = {path, job};
    vrm_validate_params def;
    vrm_validate_params_default(&def);
    def.allocator = job->allocator;
    def.limits = job->limits;
    def.read = cli_read_beside;
    def.read_user = &beside;
    def.progress = cli_progress;
    def.progress_user = job;
    def.prefer = (vrm_prefer)job->dialect.prefer;
    def.look_at_unit = (vrm_look_at_unit)job->dialect.look_at_unit;
    return vrm_validate(&def, bytes->data, bytes->size, report, NULL);
}

vrm_result cli_repair(cli_job *job, const char *path, vrm_bytes *bytes)
{
    vrm_report_def def;
    vrm_report *report = NULL;
    uint32_t count = 1, all = 0;
    vrm_report_def_default(&def);
    def.allocator = job->allocator;
    vrm_result result = vrm_report_create(&def, &report);
    for (int round = 0; round < CLI_REPAIR_ROUNDS && count != 0 && result == VRM_SUCCESS; ++round) {
        vrm_report_clear(report);
        result = validate(job, path, bytes, report);
        if (result == VRM_SUCCESS) {
            result = cli_repair_once(job, path, report, bytes, &count);
            all += count;
        }
    }
    vrm_report_destroy(report);
    if (all != 0) {
        cli_say(job, all == 1 ? "%s: %u repair" : "%s: %u repairs", path, all);
    }
    // Bytes that are not a model are reported when the file is loaded.
    return result == VRM_ERROR_NOT_GLTF || result == VRM_ERROR_INVALID_ASSET ? VRM_SUCCESS : result;
}
