// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The command's readers of untrusted text, as targets for libFuzzer (fixtures/fuzz.h). Each reads a file in the same
// way as the command.

#include "test.h"

#if defined(_WIN32)
int main(void)
{
    return 77; // the fuzz targets redirect descriptors by POSIX calls
}
#else

#include <fcntl.h>
#include <unistd.h>

#include <vrm/vrm.h>

#include "cli.h"

#include "fuzz.h"
#include "look.h"
#include "many/manifest.h"

// Writes the bytes to a temporary file that no other process uses; returns its path.
static const char *as_file(const uint8_t *bytes, size_t size)
{
    static char path[64];
    const char *folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"; // a file system in memory if available
    snprintf(path, sizeof path, "%s/vrm-fuzz-%ld", folder, (long)getpid());
    CHECK_INT(vrm_write_file(path, bytes, size), VRM_SUCCESS);
    return path;
}

static void walk(char *json)
{
    cli_members outer = cli_members_of(json);
    cli_member member, inner;
    while (cli_next_member(&outer, &member)) {
        cli_members below = member.is_text ? (cli_members){0} : cli_members_of(member.value);
        while (cli_next_member(&below, &inner)) {
        }
    }
}

// Reads the manifest as `--manifest` does to resume, and as `vrm stats` does to count.
static void run_manifest(const uint8_t *bytes, size_t size)
{
    cli_job job = fuzz_job();
    cli_manifest manifest;
    const char *path = as_file(bytes, size);
    if (cli_manifest_open(&job, path, &manifest) == CLI_EXIT_DONE) {
        (void)cli_manifest_find(&manifest, "a.vrm", "b");
        cli_manifest_close(&manifest);
    }
    unlink(path);
    char *line = malloc(size + 1);
    for (size_t at = 0; at < size;) {
        const uint8_t *end = memchr(bytes + at, '\n', size - at);
        const size_t length = end != NULL ? (size_t)(end - bytes) - at : size - at;
        cli_record record;
        memcpy(line, bytes + at, length);
        if (cli_record_read(line, length, &record)) {
            char *parts[] = {(char *)record.rights, (char *)record.findings};
            for (int i = 0; i < 2; ++i) {
                char *copy = malloc(strlen(parts[i]) + 1);
                strcpy(copy, parts[i]);
                walk(copy);
                free(copy);
            }
        }
        at += length + 1;
    }
    free(line);
    fuzz_job_end(&job);
}

static void run_look_path(const uint8_t *bytes, size_t size)
{
    cli_job job = fuzz_job();
    look_path path;
    const char *name = as_file(bytes, size);
    if (look_path_read(&job, name, &path) == CLI_EXIT_DONE) {
        vrm_dvec3 target;
        for (int i = 0; i < 10; ++i) {
            look_path_at(&path, 0.3 * i, &target);
        }
    }
    look_path_free(&job, &path);
    unlink(name);
    fuzz_job_end(&job);
}

static void run_bone_map(const uint8_t *bytes, size_t size)
{
    cli_job job = fuzz_job();
    vrm_bytes map = {0};
    const char *name = as_file(bytes, size);
    (void)cli_read_bone_map(&job, name, &map);
    vrm_bytes_free(&map);
    unlink(name);
    fuzz_job_end(&job);
}

static vrm_bytes seed_manifest(void)
{
    static const char text[] =
        "{\"schemaVersion\":1,\"input\":\"a\\u00e9\\\"b.vrm\",\"inputBytes\":5,\"inputHash\":"
        "\"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\",\"command\":\"inspect\",\"optionsHash\":"
        "\"b\",\"exitCode\":0,\"output\":\"out/a.vrm\",\"outputBytes\":7,\"seconds\":0.25,\"memory\":4096,\"dialect\":"
        "\"1.0\",\"rights\":{\"modification\":\"allowed\",\"redistribution\":\"notStated\"},\"findings\":["
        "{\"code\":\"TYPE_MISMATCH\",\"severity\":1,\"pointer\":\"/nodes/0\"},{\"code\":\"UNUSED_OBJECT\"}]}\n"
        "[\"input\"]\n" // not an object: found by fuzzing
        "{\"input\":\"a.vrm\",\"inputHash\":\"short\",\"optionsHash\":\"b\",\"exitCode\":1e2,\"findings\":[]}\n{"
        "\"input\":";
    return fuzz_copy_of(text, sizeof text - 1);
}

static vrm_bytes seed_look_path(void)
{
    static const char text[] = "# time, x, y, z\n0, 0.5, 1.4 2\n\n0.5 1e-3 ; -1.5 +2\r\n1.25,0,0,1e3 # there\n";
    return fuzz_copy_of(text, sizeof text - 1);
}

static vrm_bytes seed_bone_map(void)
{
    static const char text[] = "# joint = bone\nHips = hips\n left arm\t=leftUpperArm\r\nProp =\nA = B = head\n";
    return fuzz_copy_of(text, sizeof text - 1);
}

static const fuzz_target targets[] = {
    {"manifest", run_manifest, seed_manifest},
    {"look_path", run_look_path, seed_look_path},
    {"bone_map", run_bone_map, seed_bone_map},
};

FUZZ_TARGETS(targets, (void)0)

#endif
