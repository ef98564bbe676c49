// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "validate_fix.h"

#include <string.h>

int validate_fix_begin(cli_job *job, const validate_fix_options *options, const cli_inputs *inputs)
{
    if (options->on != (options->output != NULL)) {
        return cli_fail(job, CLI_EXIT_USAGE, "--fix and --output belong together");
    }
    if (!options->on) {
        return CLI_EXIT_DONE;
    }
    if (inputs->count != 1) {
        return cli_fail(job, CLI_EXIT_USAGE, "--fix repairs one file at a time");
    }
    if (strcmp(options->output, "-") == 0) {
        return cli_fail(job, CLI_EXIT_USAGE, "--output: the report goes to stdout; give a file");
    }
    return cli_begin_output(job, options->output, options->force);
}

static vrm_result load(cli_job *job, cli_beside *beside, const vrm_bytes *bytes, vrm_gltf **out_gltf)
{
    vrm_gltf_def def;
    vrm_gltf_def_default(&def);
    def.borrow_bytes = true;
    def.allocator = job->allocator;
    def.limits = job->limits;
    def.read = cli_read_beside;
    def.read_user = beside;
    return vrm_gltf_load(&def, bytes->data, bytes->size, NULL, out_gltf);
}

static vrm_result repair(cli_job *job, cli_beside *beside, const vrm_bytes *bytes, vrm_bytes *out, uint32_t *out_count)
{
    vrm_gltf *gltf = NULL;
    vrm_result result = load(job, beside, bytes, &gltf);
    if (result == VRM_SUCCESS) {
        result = vrm_validate_repair(gltf, job->report, out_count);
    }
    if (result == VRM_SUCCESS) {
        result = vrm_gltf_save(gltf, out);
    }
    vrm_gltf_destroy(gltf);
    return result;
}

// The report names places in the file as it was, so that it is repaired as it was and made a GLB afterwards.
static vrm_result pack(cli_job *job, cli_beside *beside, vrm_bytes *bytes)
{
    vrm_gltf *gltf = NULL;
    vrm_bytes packed = {0};
    vrm_result result = load(job, beside, bytes, &gltf);
    if (result == VRM_SUCCESS && (vrm_gltf_get_flags(gltf) & VRM_GLTF_BINARY) == 0) {
        result = vrm_gltf_pack(gltf, &packed);
    }
    vrm_gltf_destroy(gltf);
    if (result == VRM_SUCCESS && packed.data != NULL) {
        vrm_bytes_free(bytes);
        *bytes = packed;
    }
    return result;
}

static vrm_result write(cli_job *job, const char *output, const vrm_bytes *bytes)
{
    const int code = cli_write_output(job, output, bytes->data, bytes->size);
    return code == CLI_EXIT_DONE    ? VRM_SUCCESS
           : cli_cancelled()        ? VRM_ERROR_CANCELLED
           : code == CLI_EXIT_AGAIN ? VRM_ERROR_DISK
                                    : VRM_ERROR_WRITE;
}

vrm_result validate_fix(cli_job *job, const char *path, const char *output, vrm_bytes *bytes)
{
    cli_beside beside = {path, job};
    vrm_bytes repaired = {0};
    uint32_t count = 0;
    vrm_result result = repair(job, &beside, bytes, &repaired, &count);
    if (result == VRM_SUCCESS && cli_wants_glb(job)) {
        result = pack(job, &beside, &repaired);
    }
    if (result == VRM_SUCCESS) {
        result = write(job, output, &repaired);
    }
    if (result != VRM_SUCCESS) {
        vrm_bytes_free(&repaired);
        return result;
    }
    cli_say(job, count == 1 ? "%u repair, written to %s" : "%u repairs, written to %s", count, output);
    vrm_bytes_free(bytes);
    *bytes = repaired;
    return VRM_SUCCESS;
}
