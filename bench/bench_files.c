// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Measures inspect, validate and migrate of a whole file, as calls in a warm process: `bench_files FILE... [--json]`. A
// call takes bytes in memory and gives a result in memory, without reading, printing or writing. Prints the time of the
// fastest round, and the most memory that a call allocated in addition to the file. bench/beside/bench.mjs compares
// other programs.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vrm/vrm.h>

#include "base/platform.h"

enum { ROUNDS = 15, VERBS = 3 };

typedef struct counter {
    size_t used, peak;
} counter;

static void *count_allocate(size_t size, size_t alignment, void *user)
{
    counter *c = user;
    void *memory = alignment <= 16 ? malloc(size) : aligned_alloc(alignment, (size + alignment - 1) & ~(alignment - 1));
    c->used += memory != NULL ? size : 0;
    c->peak = c->used > c->peak ? c->used : c->peak;
    return memory;
}

static void count_release(void *memory, size_t size, void *user)
{
    ((counter *)user)->used -= size;
    free(memory);
}

static vrm_result load(
    const vrm_allocator *allocator, const vrm_bytes *file, vrm_gltf **out_gltf, vrm_avatar **out_avatar)
{
    vrm_gltf_def gltf;
    vrm_avatar_def avatar;
    vrm_gltf_def_default(&gltf);
    vrm_avatar_def_default(&avatar);
    gltf.allocator = avatar.allocator = *allocator;
    gltf.borrow_bytes = true;
    avatar.allow_plain_gltf = true;
    const vrm_result result = vrm_gltf_load(&gltf, file->data, file->size, NULL, out_gltf);
    return result == VRM_SUCCESS ? vrm_avatar_import(&avatar, *out_gltf, NULL, out_avatar) : result;
}

static vrm_result inspect(const vrm_allocator *allocator, const vrm_bytes *file)
{
    vrm_gltf *gltf = NULL;
    vrm_avatar *avatar = NULL;
    vrm_peek *peek = NULL;
    vrm_result result = load(allocator, file, &gltf, &avatar);
    result = result == VRM_SUCCESS ? vrm_peek_create_from_gltf(gltf, &peek) : result;
    vrm_peek_destroy(peek);
    vrm_avatar_release(avatar);
    vrm_gltf_destroy(gltf);
    return result;
}

static vrm_result validate(const vrm_allocator *allocator, const vrm_bytes *file)
{
    vrm_validate_params def;
    vrm_report_def report_def;
    vrm_report *report = NULL;
    vrm_validation *validation = NULL;
    vrm_validate_params_default(&def);
    vrm_report_def_default(&report_def);
    def.allocator = report_def.allocator = *allocator;
    vrm_result result = vrm_report_create(&report_def, &report);
    result = result == VRM_SUCCESS ? vrm_validate(&def, file->data, file->size, report, &validation) : result;
    vrm_validation_destroy(validation);
    vrm_report_destroy(report);
    return result;
}

static vrm_result migrate(const vrm_allocator *allocator, const vrm_bytes *file)
{
    vrm_gltf *gltf = NULL;
    vrm_avatar *avatar = NULL;
    vrm_bytes saved = {0};
    vrm_migrate_params def;
    vrm_migrate_params_default(&def);
    def.allocator = *allocator;
    vrm_result result = load(allocator, file, &gltf, &avatar);
    result = result == VRM_SUCCESS ? vrm_migrate(&def, gltf, avatar, NULL) : result;
    result = result == VRM_SUCCESS ? vrm_gltf_save(gltf, &saved) : result;
    vrm_bytes_free(&saved);
    vrm_avatar_release(avatar);
    vrm_gltf_destroy(gltf);
    return result;
}

static const struct {
    const char *name;
    vrm_result (*work)(const vrm_allocator *allocator, const vrm_bytes *file);
} verbs[VERBS] = {{"inspect", inspect}, {"validate", validate}, {"migrate", migrate}};

static int measure(const char *path, bool json)
{
    vrm_bytes file;
    vrm_result result = vrm_read_file(path, UINT64_MAX, NULL, &file);
    if (!json) {
        printf("%s, %.2f MB\n", path, (double)file.size / 1e6);
    }
    for (int verb = 0; verb < VERBS && result == VRM_SUCCESS; ++verb) {
        double best = 1e9;
        counter c = {0};
        const vrm_allocator allocator = {count_allocate, count_release, &c};
        for (int round = 0; round < ROUNDS && result == VRM_SUCCESS; ++round) {
            const double start = vrmi_platform_seconds();
            result = verbs[verb].work(&allocator, &file);
            const double seconds = vrmi_platform_seconds() - start;
            best = seconds < best ? seconds : best;
        }
        if (json) {
            printf("%s\"%s\":{\"seconds\":%g,\"bytes\":%zu}", verb == 0 ? "{" : ",", verbs[verb].name, best, c.peak);
        } else {
            printf("  %-10s %8.3f ms %8.1f MB/s, %7.2f MB besides the file\n", verbs[verb].name, best * 1e3,
                (double)file.size / 1e6 / best, (double)c.peak / 1e6);
        }
    }
    if (json) {
        printf("}\n");
    }
    vrm_bytes_free(&file);
    if (result != VRM_SUCCESS) {
        fprintf(stderr, "bench_files: %s: %s\n", path, vrm_result_sentence(result));
    }
    return result == VRM_SUCCESS ? 0 : 1;
}

int main(int argc, char **argv)
{
    const bool json = argc > 1 && strcmp(argv[argc - 1], "--json") == 0;
    const int end = json ? argc - 1 : argc;
    if (end < 2) {
        fprintf(stderr, "usage: bench_files FILE... [--json]\n");
        return 2;
    }
    int code = 0;
    for (int i = 1; i < end; ++i) {
        code |= measure(argv[i], json);
    }
    return code;
}
