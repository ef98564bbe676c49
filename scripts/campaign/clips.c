// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Damaged motions in bulk: `clips COUNT FIRST-SEED [FILE...]` damages a generated .vrma, a generated BVH and each file
// COUNT times, and loads, edits, writes and plays the results. Then it tests a motion of ten million keys, unless COUNT
// is 0. Prints rows in Markdown. Exits with 1 if a damaged file was neither played nor reported, or took longer than a
// second of processor time.

#include <time.h>

#include "clip_damage.h"

static int run_file(const char *name, const vrm_bytes *bytes, unsigned long long first, int count)
{
    stage s;
    set_stage(&s, 1);
    uint8_t *copy = malloc(bytes->size);
    int played = 0, slow = 0;
    double longest = 0;
    unsigned long long longest_seed = 0;
    for (int i = 0; i < count; ++i) {
        const clock_t start = clock();
        played += clip_damage_seed(&s, bytes, copy, first + (unsigned)i) == VRM_SUCCESS;
        const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
        slow += seconds >= 1.0;
        longest_seed = seconds > longest ? first + (unsigned)i : longest_seed;
        longest = seconds > longest ? seconds : longest;
    }
    printf("| %s | %zu | %d | %d | %d | %d | %.0f ms (seed %llu) |\n", name, bytes->size, count, played, count - played,
        slow, longest * 1e3, longest_seed);
    fflush(stdout);
    free(copy);
    strike(&s);
    return slow;
}

// Packs ten million keys, samples them in any order, reduces and writes them.
static void ten_million_keys(void)
{
    enum { MANY = 10000000 };
    vrmi_clip_builder b;
    vrmi_clip_builder_init(&b, NULL);
    const vrmi_clip_track track = {.kind = VRMI_TRACK_ROTATION, .interpolation = VRMI_LINEAR, .key_count = MANY};
    float *t, *v;
    CHECK(vrmi_clip_builder_track(&b, &track, &t, &v));
    for (int i = 0; i < MANY; ++i) {
        t[i] = (float)i / 4096.0f; // different floats for all keys
        v[(size_t)i * 4 + 3] = 1.0f;
    }
    CHECK_INT(vrmi_clip_builder_finish(&b), 0);
    vrm_clip *clip = NULL, *less = NULL;
    const clock_t start = clock();
    CHECK_INT(vrmi_clip_pack(&b, &clip), VRM_SUCCESS);
    vrmi_clip_builder_free(&b);
    const clock_t packed = clock();
    uint32_t seed = 1;
    for (int i = 0; i < 100000; ++i) {
        vrm_clip_pose pose = {.struct_size = sizeof pose};
        vrm_clip_sample(clip, (float)(noise(&seed) * 2441.0), &pose);
    }
    const clock_t sampled = clock();
    CHECK_INT(vrm_clip_reduce(clip, 0.001f, &less), VRM_SUCCESS);
    const clock_t reduced = clock();
    vrm_clip_info info = {.struct_size = sizeof info};
    vrm_clip_get_info(less, &info);
    printf("\nTen million keys: packed in %.0f ms, sampled anywhere in %.2f us, reduced to %llu in %.0f ms\n",
        (double)(packed - start) * 1e3 / CLOCKS_PER_SEC, (double)(sampled - packed) * 10 / CLOCKS_PER_SEC,
        (unsigned long long)info.keys, (double)(reduced - sampled) * 1e3 / CLOCKS_PER_SEC);
    vrm_clip_release(clip);
    vrm_clip_release(less);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: clips COUNT FIRST-SEED [FILE...]\n");
        return 2;
    }
    const int count = atoi(argv[1]);
    const unsigned long long first = strtoull(argv[2], NULL, 10);
    printf("| file | bytes | damaged | played | reported | slower than 1 s | slowest |\n"
           "| --- | --- | --- | --- | --- | --- | --- |\n");
    vrm_clip *clip = make_clip(31);
    vrm_bytes bytes = {0};
    int slow = 0;
    CHECK_INT(vrm_clip_write_vrma(NULL, clip, &bytes), VRM_SUCCESS);
    slow += run_file("a made .vrma", &bytes, first, count);
    vrm_bytes_free(&bytes);
    CHECK_INT(vrm_clip_write_bvh(NULL, clip, &bytes), VRM_SUCCESS);
    slow += run_file("a made .bvh", &bytes, first, count);
    vrm_bytes_free(&bytes);
    vrm_clip_release(clip);
    for (int i = 3; i < argc; ++i) {
        if (vrm_read_file(argv[i], UINT32_MAX, NULL, &bytes) != VRM_SUCCESS) {
            fprintf(stderr, "clips: cannot read %s\n", argv[i]);
            return 1;
        }
        const char *slash = strrchr(argv[i], '/');
        slow += run_file(slash != NULL ? slash + 1 : argv[i], &bytes, first, count);
        vrm_bytes_free(&bytes);
    }
    if (count > 0) {
        ten_million_keys();
    }
    printf("\n%d failed checks\n", test_failures);
    return slow != 0 || test_failures != 0;
}
