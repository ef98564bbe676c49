// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Random damage in bulk: `mutations COUNT FIRST-SEED [FILE...]` damages the sample and each file COUNT times, and loads
// and runs the results. Prints a row in Markdown for each file. Exits with 1 if a damaged file was neither loaded nor
// reported, or took longer than a second of processor time. scripts/campaign/run shows how to build it with sanitizers.
//
// After a crash `--verbose` shows the seed; COUNT 1 with that seed repeats the crash.

#include <time.h>

#include "damage.h"
#include "minimal_sample.h"

typedef struct tally {
    int loaded, refused, slow;
    double longest; // seconds of processor time
    unsigned long long longest_seed;
} tally;

static void run_seed(const vrm_bytes *original, uint8_t *copy, unsigned long long seed, tally *out)
{
    test_random random = test_random_make(seed);
    memcpy(copy, original->data, original->size);
    const size_t left = damage(&random, copy, original->size, damage_json_end(original->data, original->size));
    const clock_t start = clock();
    const vrm_result result = damage_survive(copy, left);
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    out->loaded += result == VRM_SUCCESS;
    out->refused += result != VRM_SUCCESS;
    out->slow += seconds >= 1.0;
    if (seconds > out->longest) {
        out->longest = seconds;
        out->longest_seed = seed;
    }
}

static int run_file(const char *name, const vrm_bytes *bytes, unsigned long long first, int count, int verbose)
{
    uint8_t *copy = malloc(bytes->size);
    tally t = {0};
    if (copy == NULL || damage_json_end(bytes->data, bytes->size) == 0) {
        fprintf(stderr, "mutations: %s: no .glb\n", name);
        free(copy);
        return 0;
    }
    for (int i = 0; i < count; ++i) {
        if (verbose) {
            fprintf(stderr, "%s seed %llu\n", name, first + (unsigned)i);
        }
        run_seed(bytes, copy, first + (unsigned)i, &t);
    }
    printf("| %s | %zu | %d | %d | %d | %d | %.0f ms (seed %llu) |\n", name, bytes->size, count, t.loaded, t.refused,
        t.slow, t.longest * 1e3, t.longest_seed);
    fflush(stdout);
    free(copy);
    return t.slow;
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

int main(int argc, char **argv)
{
    const int verbose = argc > 1 && strcmp(argv[1], "--verbose") == 0;
    argc -= verbose;
    argv += verbose;
    if (argc < 3 || atoi(argv[1]) < 1) {
        fprintf(stderr, "usage: mutations [--verbose] COUNT FIRST-SEED [FILE...]\n");
        return 2;
    }
    const int count = atoi(argv[1]);
    const unsigned long long first = strtoull(argv[2], NULL, 10);
    printf("| file | bytes | damaged | run 60 frames | reported | slower than 1 s | slowest |\n"
           "| --- | --- | --- | --- | --- | --- | --- |\n");
    vrm_bytes bytes = {0};
    int slow = 0;
    if (scene_minimal_sample(0, &bytes) == VRM_SUCCESS) {
        slow += run_file("the sample", &bytes, first, count, verbose);
    }
    vrm_bytes_free(&bytes);
    for (int i = 3; i < argc; ++i) {
        if (vrm_read_file(argv[i], UINT32_MAX, NULL, &bytes) != VRM_SUCCESS) {
            fprintf(stderr, "mutations: cannot read %s\n", argv[i]);
            return 1;
        }
        slow += run_file(name_of(argv[i]), &bytes, first, count, verbose);
        vrm_bytes_free(&bytes);
    }
    printf("\n%d failed checks\n", test_failures);
    return slow != 0 || test_failures != 0;
}
