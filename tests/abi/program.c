// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// A program compiled against other headers than the library's. test_frozen.py compiles it twice: with the headers of
// version 1, and with headers that have further fields (PROGRAM_GROWN). It runs both with today's library and with one
// that has further fields (an argument).

#include <stdio.h>
#include <string.h>

#include <vrm/vrm.h>

static int failures;
static bool grown_library;

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #condition); \
            ++failures; \
        } \
    } while (0)

// A struct, and memory behind it that the library must not write to.
typedef struct guard {
    unsigned char bytes[64];
} guard;

static guard fresh_guard(void)
{
    guard g;
    memset(&g, 0xa5, sizeof g);
    return g;
}

static bool is_whole(const guard *g)
{
    const guard fresh = fresh_guard();
    return memcmp(g, &fresh, sizeof fresh) == 0;
}

static void options_and_enumerators(void)
{
    struct {
        vrm_lod_params params;
        guard behind;
    } s;
    memset(&s.params, 0xff, sizeof s.params);
    s.behind = fresh_guard();
    vrm_lod_params_default(&s.params);
    CHECK(is_whole(&s.behind));
    CHECK(s.params.struct_size == sizeof s.params);
    CHECK(s.params.step_count == 3);
    CHECK(s.params.hysteresis == 0.15f && s.params.budget == 0.0f);

    const vrm_lod_view views[2] = {{0.5f, 0}, {0.0f, 0}};
    uint32_t order[2];
    uint32_t steps[2];
    CHECK(vrm_lod_pick(&s.params, views, 2, order, steps) == VRM_SUCCESS);
    CHECK(steps[0] == 0 && steps[1] == 2); // if an older program lacks a field, the field keeps its default, 1
    CHECK(strcmp(vrm_lod_name((vrm_lod)2), grown_library ? "grown" : "UNKNOWN") == 0);
#ifdef PROGRAM_GROWN
    CHECK(s.params.magnification == (grown_library ? 1.0f : 0.0f)); // an older library does not know this field
    s.params.magnification = 0.2f;
    CHECK(vrm_lod_pick(&s.params, views, 2, order, steps) == VRM_SUCCESS);
    CHECK(steps[0] == (grown_library ? 1u : 0u));
#endif
}

static void outputs(void)
{
    vrm_bytes bytes;
    vrm_avatar *avatar = NULL;
    CHECK(vrm_sample_create(NULL, &bytes) == VRM_SUCCESS);
    CHECK(vrm_avatar_load(NULL, bytes.data, bytes.size, NULL, &avatar) == VRM_SUCCESS);
    struct {
        vrm_avatar_counts counts;
        guard behind;
    } s = {.counts = {.struct_size = sizeof s.counts}};
    memset((char *)&s.counts + sizeof(uint32_t), 0xff, sizeof s.counts - sizeof(uint32_t));
    s.behind = fresh_guard();
    vrm_avatar_get_counts(avatar, &s.counts);
    CHECK(is_whole(&s.behind));
    CHECK(s.counts.struct_size == sizeof s.counts);
    CHECK(s.counts.nodes > 20 && s.counts.nodes < 1000 && s.counts.bytes > 1000);
#ifdef PROGRAM_GROWN
    CHECK(s.counts.twice_the_nodes == (grown_library ? 2 * s.counts.nodes : 0));
#endif
    vrm_avatar_release(avatar);
    vrm_bytes_free(&bytes);
}

int main(int argc, char **argv)
{
    grown_library = argc > 1 && strcmp(argv[1], "grown") == 0;
    options_and_enumerators();
    outputs();
    return failures == 0 ? 0 : 1;
}
