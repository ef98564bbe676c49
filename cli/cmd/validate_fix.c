// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "validate_fix.h"

#include <string.h>

int validate_fix_begin(cli_job *job, const validate_fix_options *options, const cli_inputs *inputs)
{
    if (options->on != (options->output != NULL)) {
        return cli_fail(job, CLI_EXIT_USAGE, "--fix and --output must be given together");
    }
    if (!options->on) {
        return CLI_EXIT_DONE;
    }
    if (inputs->count != 1) {
        return cli_fail(job, CLI_EXIT_USAGE, "--fix repairs one file at a time");
    }
    if (strcmp(options->output, "-") == 0) {
        return cli_fail(job, CLI_EXIT_USAGE, "--output: the report is printed on stdout, so name a file");
    }
    return cli_begin_output(job, options->output, options->force);
}

// Converts the repaired file to a GLB. This comes after the repairs, because the report refers to places in the
// original file.
static vrm_result pack(cli_job *job, const char *path, vrm_bytes *bytes)
{
    cli_beside beside = {path, job};
    vrm_gltf *gltf = NULL;
    vrm_bytes packed = {0};
    vrm_gltf_def def;
    vrm_gltf_def_default(&def);
    def.borrow_bytes = true;
    def.allocator = job->allocator;
    def.limits = job->limits;
    def.read = cli_read_beside;
    def.read_user = &beside;
    vrm_result result = vrm_gltf_load(&def, bytes->data, bytes->size, NULL, &gltf);
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

vrm_result validate_fix_write(cli_job *job, const char *path, const char *output, uint32_t repairs, vrm_bytes *bytes)
{
    const vrm_result result = cli_wants_glb(job) ? pack(job, path, bytes) : VRM_SUCCESS;
    if (result != VRM_SUCCESS) {
        return result;
    }
    const int code = cli_write_output(job, output, bytes->data, bytes->size);
    if (code != CLI_EXIT_DONE) {
        return cli_cancelled() ? VRM_ERROR_CANCELLED : code == CLI_EXIT_AGAIN ? VRM_ERROR_DISK : VRM_ERROR_WRITE;
    }
    cli_say(job, repairs == 1 ? "%u repair, written to %s" : "%u repairs, written to %s", repairs, output);
    return VRM_SUCCESS;
}
