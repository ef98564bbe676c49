// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#if !defined(_WIN32)
#define _XOPEN_SOURCE 700
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

#include <stdlib.h>

#include <vrm/gltf.h>
#include <vrm/result.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/atomic.h"
#include "base/checks.h"
#include "base/platform.h"
#include "base/report.h"
#include "test.h"
#include "test_allocator.h"

static int asserted;

static void count_assertion(const char *expression, const char *file, int line)
{
    asserted += expression[0] != '\0' && file[0] != '\0' && line > 0;
}

// Checks that a call that violates its contract does no harm and is reported to the hook.
#define CHECK_ASSERTS(statement) \
    do { \
        asserted = 0; \
        vrm_set_assert_hook(count_assertion); \
        statement; \
        vrm_set_assert_hook(NULL); \
        CHECK_INT(asserted, 1); \
    } while (0)

static void version(void)
{
    CHECK_INT(vrm_version(), VRM_VERSION_MAJOR * 1000000 + VRM_VERSION_MINOR * 1000 + VRM_VERSION_PATCH);
    char text[32];
    snprintf(text, sizeof(text), "%d.%d.%d", VRM_VERSION_MAJOR, VRM_VERSION_MINOR, VRM_VERSION_PATCH);
    CHECK_STRING(VRM_VERSION_STRING, text);
}

static void own_checks(void)
{
    CHECK_ASSERTS(vrm_assert_failed("of a library beside this one", __FILE__, __LINE__));
    vrm_assert_failed("nobody hears it", __FILE__, __LINE__);
}

static void results(void)
{
    CHECK_STRING(vrm_result_name(VRM_SUCCESS), "SUCCESS");
    CHECK_STRING(vrm_result_name(VRM_ERROR_READ), "ERROR_READ");
    CHECK_STRING(vrm_result_name(VRM_RESULT_COUNT), "UNKNOWN");
    CHECK_STRING(vrm_result_name((vrm_result)-1), "UNKNOWN");
    for (int i = 0; i < VRM_RESULT_COUNT; ++i) {
        CHECK(strlen(vrm_result_sentence((vrm_result)i)) > 3);
        for (int j = 0; j < i; ++j) {
            CHECK(strcmp(vrm_result_name((vrm_result)i), vrm_result_name((vrm_result)j)) != 0);
        }
    }
    CHECK(strlen(vrm_result_sentence(VRM_RESULT_COUNT)) > 3);
}

static void catalogue(void)
{
    CHECK(vrm_finding_get_info(VRM_FINDING_COUNT) == NULL);
    CHECK(vrm_finding_get_info((vrm_finding_id)-1) == NULL);
    CHECK_STRING(vrm_finding_get_info(VRM_FINDING_INVALID_JSON)->name, "INVALID_JSON");
    for (int i = 0; i < VRM_FINDING_COUNT; ++i) {
        const vrm_finding_info *info = vrm_finding_get_info((vrm_finding_id)i);
        CHECK((unsigned)info->severity < VRM_SEVERITY_COUNT);
        const size_t length = strlen(info->sentence);
        const bool ends =
            length > 10 && (info->sentence[length - 1] == '.' || strcmp(info->sentence + length - 2, ".)") == 0);
        if (!ends) {
            printf("%s: \"%s\" is no sentence\n", info->name, info->sentence);
            CHECK(false);
        }
        CHECK(info->hint != NULL && info->section != NULL);
    }
}

static void array_grows(void)
{
    test_allocator state;
    const vrm_allocator allocator = test_allocator_make(&state);
    vrmi_array array = {.item_size = sizeof(uint64_t)};
    for (uint64_t i = 0; i < 1000; ++i) {
        uint64_t *item = vrmi_array_push(&array, &allocator);
        CHECK(item != NULL && *item == 0);
        *item = i * i;
    }
    CHECK_INT(array.count, 1000);
    for (uint64_t i = 0; i < 1000; ++i) {
        CHECK(((const uint64_t *)array.items)[i] == i * i);
    }
    CHECK(state.calls < 12); // doubling
    CHECK(vrmi_array_reserve(&array, &allocator, 5000) && array.capacity >= 6000);
    const uint64_t calls = state.calls;
    CHECK(vrmi_array_reserve(&array, &allocator, 5000));
    CHECK(state.calls == calls);
    // A failed allocation leaves the array unchanged.
    CHECK(!vrmi_array_reserve(&array, &allocator, UINT32_MAX));
    state.fail_at = 0;
    CHECK(!vrmi_array_reserve(&array, &allocator, 100000));
    CHECK_INT(array.count, 1000);
    CHECK(((const uint64_t *)array.items)[999] == 999u * 999u);
    vrmi_array_free(&array, &allocator);
    vrmi_array_free(&array, &allocator);
    CHECK_INT(state.live_blocks, 0);
    CHECK_INT(state.wrong, 0);
}

static void arena_gives_zeroed_aligned_memory(void)
{
    test_allocator state;
    const vrm_allocator allocator = test_allocator_make(&state);
    vrmi_arena arena;
    vrmi_arena_init(&arena, &allocator, 0);
    unsigned char *blocks[400];
    for (size_t i = 0; i < 400; ++i) {
        const size_t size = i % 50 == 49 ? 300000 : i * 7 % 500;
        blocks[i] = vrmi_arena_alloc(&arena, size, 1);
        CHECK(blocks[i] != NULL && (uintptr_t)blocks[i] % 16 == 0);
        for (size_t b = 0; b < size; ++b) {
            if (blocks[i][b] != 0) {
                CHECK(false);
                break;
            }
        }
        memset(blocks[i], (int)(i & 255), size);
    }
    for (size_t i = 0; i < 400; ++i) {
        const size_t size = i % 50 == 49 ? 300000 : i * 7 % 500;
        CHECK(size == 0 || (blocks[i][0] == (i & 255) && blocks[i][size - 1] == (i & 255)));
    }
    CHECK_INT(arena.allocated, state.live);
    CHECK(vrmi_arena_alloc(&arena, SIZE_MAX, 2) == NULL);
    CHECK(vrmi_arena_alloc(&arena, SIZE_MAX, 1) == NULL);
    CHECK(!arena.limit_hit);
    CHECK(vrmi_arena_alloc(&arena, 0, 100) != NULL);
    vrmi_arena_free(&arena);
    CHECK_INT(state.live_blocks, 0);
    CHECK_INT(state.wrong, 0);
}

static void arena_keeps_its_limit(void)
{
    test_allocator state;
    const vrm_allocator allocator = test_allocator_make(&state);
    vrmi_arena arena;
    vrmi_arena_init(&arena, &allocator, 100000);
    size_t given = 0;
    while (vrmi_arena_alloc(&arena, 1000, 1) != NULL) {
        given += 1000;
    }
    CHECK(arena.limit_hit);
    CHECK(given > 90000); // the arena can use nearly its whole limit, without wasting a chunk
    CHECK(state.peak <= 100000);
    CHECK(vrmi_arena_alloc(&arena, 200000, 1) == NULL && arena.limit_hit);
    vrmi_arena_free(&arena);
    CHECK(vrmi_arena_alloc(&arena, 10, 1) != NULL); // usable again
    state.fail_at = state.calls;
    CHECK(vrmi_arena_alloc(&arena, 50000, 1) == NULL && !arena.limit_hit);
    vrmi_arena_free(&arena);
    CHECK_INT(state.live_blocks, 0);
}

static void reference_count(void)
{
    uint32_t count = 1;
    vrmi_atomic_retain(&count);
    CHECK(!vrmi_atomic_release(&count));
    CHECK(vrmi_atomic_release(&count));
}

static void sizes_do_not_overflow(void)
{
    size_t size;
    CHECK(vrmi_add_size(SIZE_MAX - 1, 1, &size) && size == SIZE_MAX);
    CHECK(!vrmi_add_size(SIZE_MAX, 1, &size));
    CHECK(vrmi_mul_size(SIZE_MAX / 2, 2, &size) && size == SIZE_MAX - 1);
    CHECK(!vrmi_mul_size(SIZE_MAX / 2 + 1, 2, &size));
    CHECK(vrmi_mul_size(SIZE_MAX, 0, &size) && size == 0);
}

static void report_keeps_findings(void)
{
    vrm_report *report;
    CHECK_INT(vrm_report_create(NULL, &report), VRM_SUCCESS);
    char path[] = "/nodes/3";
    vrmi_report(report, VRM_FINDING_DUPLICATE_KEY, path, NULL, "one");
    path[7] = '4'; // the report has copied the path
    vrmi_report_offset(report, VRM_FINDING_INVALID_JSON, 17, "x", NULL);
    const vrm_finding own = {.id = VRM_FINDING_INVALID_JSON, .severity = VRM_SEVERITY_HINT, .offset = -1};
    vrm_report_add(report, &own);
    CHECK_INT(vrm_report_get_count(report), 3);
    const vrm_finding *finding = vrm_report_get_finding(report, 0);
    CHECK_INT(finding->id, VRM_FINDING_DUPLICATE_KEY);
    CHECK_INT(finding->severity, VRM_SEVERITY_WARNING);
    CHECK_INT(finding->offset, -1);
    CHECK_STRING(finding->path, "/nodes/3");
    CHECK_STRING(finding->found, "");
    CHECK_STRING(finding->expected, "one");
    finding = vrm_report_get_finding(report, 1);
    CHECK_INT(finding->offset, 17);
    CHECK_STRING(finding->path, "");
    CHECK_INT(vrm_report_get_finding(report, 2)->severity, VRM_SEVERITY_HINT);
    CHECK(vrm_report_get_finding(report, 3) == NULL);
    CHECK_INT(vrm_report_get_severity_count(report, VRM_SEVERITY_ERROR), 1);
    CHECK_INT(vrm_report_get_severity_count(report, VRM_SEVERITY_WARNING), 1);
    CHECK_INT(vrm_report_get_severity_count(report, VRM_SEVERITY_INFO), 0);
    CHECK(!vrm_report_is_truncated(report));
    vrm_report_clear(report);
    CHECK_INT(vrm_report_get_count(report), 0);
    CHECK_INT(vrm_report_get_severity_count(report, VRM_SEVERITY_ERROR), 0);
    vrmi_report(report, VRM_FINDING_INVALID_JSON, "", "", "");
    CHECK_INT(vrm_report_get_count(report), 1);
    vrm_report_destroy(report);
    vrm_report_destroy(NULL);
    vrmi_report(NULL, VRM_FINDING_INVALID_JSON, "", "", "");
}

static void report_is_truncated_not_failing(void)
{
    test_allocator state;
    vrm_report_def def;
    vrm_report_def_default(&def);
    CHECK_INT(def.max_findings, 10000);
    def.allocator = test_allocator_make(&state);
    def.max_findings = 5;
    vrm_report *report;
    CHECK_INT(vrm_report_create(&def, &report), VRM_SUCCESS);
    for (int i = 0; i < 8; ++i) {
        vrmi_report(report, VRM_FINDING_INVALID_JSON, "/a", "b", "c");
    }
    CHECK_INT(vrm_report_get_count(report), 5);
    CHECK_INT(vrm_report_get_severity_count(report, VRM_SEVERITY_ERROR), 8);
    CHECK(vrm_report_is_truncated(report));
    vrm_report_destroy(report);
    CHECK_INT(state.live_blocks, 0);
    CHECK_INT(state.wrong, 0);
    for (uint64_t fail_at = 0; fail_at < 4; ++fail_at) {
        def.allocator = test_allocator_make(&state);
        state.fail_at = fail_at;
        const vrm_result result = vrm_report_create(&def, &report);
        CHECK_INT(result, fail_at == 0 ? VRM_ERROR_OUT_OF_MEMORY : VRM_SUCCESS);
        if (result == VRM_SUCCESS) {
            vrmi_report(report, VRM_FINDING_INVALID_JSON, "/a", "b", "c");
            CHECK(vrm_report_is_truncated(report) == (vrm_report_get_count(report) == 0));
            CHECK_INT(vrm_report_get_severity_count(report, VRM_SEVERITY_ERROR), 1);
            vrm_report_destroy(report);
        } else {
            CHECK(report == NULL);
        }
        CHECK_INT(state.live_blocks, 0);
    }
}

static void broken_contracts_are_told(void)
{
    vrm_report *report;
    vrm_report_def def = {0}; // vrm_report_def_default() was not called
    vrm_bytes bytes;
    CHECK_ASSERTS(CHECK_INT(vrm_report_create(&def, &report), VRM_ERROR_INVALID_ARGUMENT));
    CHECK(report == NULL);
    CHECK_ASSERTS(CHECK_INT(vrm_report_create(NULL, NULL), VRM_ERROR_INVALID_ARGUMENT));
    CHECK_ASSERTS(CHECK_INT(vrm_report_get_count(NULL), 0));
    CHECK_ASSERTS(CHECK_INT(vrm_report_get_severity_count(NULL, VRM_SEVERITY_ERROR), 0));
    CHECK_ASSERTS(CHECK(!vrm_report_is_truncated(NULL)));
    CHECK_ASSERTS(CHECK(vrm_report_get_finding(NULL, 0) == NULL));
    CHECK_ASSERTS(vrm_report_clear(NULL));
    CHECK_ASSERTS(vrm_report_add(NULL, NULL));
    CHECK_ASSERTS((vrm_report_def_default)(NULL, 4));
    CHECK_INT(vrm_report_create(NULL, &report), VRM_SUCCESS);
    const vrm_finding unknown = {.id = VRM_FINDING_COUNT};
    CHECK_ASSERTS(vrm_report_add(report, &unknown));
    CHECK_ASSERTS(CHECK_INT(vrm_report_get_severity_count(report, VRM_SEVERITY_COUNT), 0));
    CHECK_INT(vrm_report_get_count(report), 0);
    vrm_report_destroy(report);
    CHECK_ASSERTS(vrm_bytes_free(NULL));
    CHECK_ASSERTS(CHECK_INT(vrm_read_file(NULL, 1, NULL, &bytes), VRM_ERROR_INVALID_ARGUMENT));
    CHECK_ASSERTS(CHECK_INT(vrm_read_file("x", 1, NULL, NULL), VRM_ERROR_INVALID_ARGUMENT));
    CHECK_ASSERTS(CHECK_INT(vrm_map_file(NULL, 1, &bytes), VRM_ERROR_INVALID_ARGUMENT));
    CHECK_ASSERTS(CHECK_INT(vrm_map_file("x", 1, NULL), VRM_ERROR_INVALID_ARGUMENT));
    CHECK_ASSERTS(CHECK_INT(vrm_write_file(NULL, "", 0), VRM_ERROR_INVALID_ARGUMENT));
    CHECK_ASSERTS(CHECK_INT(vrm_write_file("x", NULL, 1), VRM_ERROR_INVALID_ARGUMENT));
}

static void default_allocator_aligns(void)
{
    vrm_allocator allocator;
    vrmi_resolve_allocator(NULL, &allocator);
    for (size_t alignment = 1; alignment <= 64; alignment *= 2) {
        for (size_t size = 1; size < 300; size += 37) {
            void *memory = vrmi_allocate(&allocator, size, alignment);
            CHECK(memory != NULL && (uintptr_t)memory % alignment == 0);
            memset(memory, 1, size);
            vrmi_release(&allocator, memory, size);
        }
    }
    CHECK(vrmi_allocate(&allocator, SIZE_MAX - 10, 64) == NULL);
    const double before = vrmi_platform_seconds();
    CHECK(vrmi_platform_seconds() >= before);
}

#if !defined(_WIN32)
static char folder[256];

static char *in_folder(const char *name)
{
    static char paths[4][600];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof(paths[0]), "%s/%s", folder, name);
    return path;
}

static void make_folder(void)
{
    const char *temporary = getenv("TMPDIR");
    snprintf(folder, sizeof(folder), "%s/vrm-test-XXXXXX", temporary != NULL ? temporary : "/tmp");
    CHECK(mkdtemp(folder) != NULL);
}

// Returns the number of files in the folder; removes them and the folder on request.
static int count_files(int remove_them)
{
    int count = 0;
    DIR *directory = opendir(folder);
    for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            ++count;
            if (remove_them && unlink(in_folder(entry->d_name)) != 0) {
                rmdir(in_folder(entry->d_name));
            }
        }
    }
    if (directory != NULL) {
        closedir(directory);
    }
    if (remove_them) {
        rmdir(folder);
    }
    return count;
}

static int file_is(const char *path, const void *expected, size_t size)
{
    test_allocator state;
    const vrm_allocator allocator = test_allocator_make(&state);
    vrm_bytes bytes;
    int same = vrm_read_file(path, 1 << 30, &allocator, &bytes) == VRM_SUCCESS && bytes.size == size &&
               (size == 0 || memcmp(bytes.data, expected, size) == 0);
    vrm_bytes_free(&bytes);
    vrm_bytes_free(&bytes); // freeing cleared bytes is allowed
    CHECK_INT(state.live_blocks, 0);
    CHECK_INT(state.wrong, 0);
    CHECK_INT(vrm_map_file(path, size, &bytes), VRM_SUCCESS);
    same = same && bytes.size == size && (size == 0 || memcmp(bytes.data, expected, size) == 0);
    vrm_bytes_free(&bytes);
    CHECK(bytes.data == NULL);
    return same;
}

static void files_come_back(void)
{
    make_folder();
    const char *path = in_folder("\xE3\x82\xA2\xE3\x83\x90 \xC3\xA9.vrm");
    static char large[3000000];
    for (size_t i = 0; i < sizeof(large); ++i) {
        large[i] = (char)(i * 7);
    }
    CHECK_INT(vrm_write_file(path, large, sizeof(large)), VRM_SUCCESS);
    CHECK(file_is(path, large, sizeof(large)));
    CHECK_INT(vrm_write_file(path, "short", 5), VRM_SUCCESS);
    CHECK(file_is(path, "short", 5));
    CHECK_INT(vrm_write_file(path, NULL, 0), VRM_SUCCESS);
    CHECK(file_is(path, "", 0));
    CHECK_INT(count_files(0), 1);
    char name[251]; // the longest name that is allowed, so that no suffix fits
    memset(name, 'n', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    CHECK_INT(vrm_write_file(in_folder(name), "x", 1), VRM_SUCCESS);
    CHECK(file_is(in_folder(name), "x", 1));
    CHECK_INT(count_files(1), 2);
}

static void unreadable_files(void)
{
    make_folder();
    vrm_bytes bytes;
    test_allocator state;
    const vrm_allocator allocator = test_allocator_make(&state);
    CHECK_INT(vrm_read_file(in_folder("none"), 100, NULL, &bytes), VRM_ERROR_NOT_FOUND);
    CHECK_INT(vrm_read_file(in_folder("none/below"), 100, NULL, &bytes), VRM_ERROR_NOT_FOUND);
    CHECK_INT(vrm_read_file(folder, 100, NULL, &bytes), VRM_ERROR_READ);
    CHECK_INT(vrm_read_file("/dev/zero", 100, NULL, &bytes), VRM_ERROR_READ);
    CHECK_INT(mkfifo(in_folder("pipe"), 0600), 0);
    CHECK_INT(vrm_read_file(in_folder("pipe"), 100, NULL, &bytes), VRM_ERROR_READ); // the call does not wait for a
                                                                                    // writer
    CHECK_INT(vrm_write_file(in_folder("ten"), "0123456789", 10), VRM_SUCCESS);
    CHECK_INT(vrm_map_file(in_folder("none"), 100, &bytes), VRM_ERROR_NOT_FOUND);
    CHECK_INT(vrm_map_file(folder, 100, &bytes), VRM_ERROR_READ);
    CHECK_INT(vrm_map_file(in_folder("pipe"), 100, &bytes), VRM_ERROR_READ);
    CHECK_INT(vrm_map_file(in_folder("ten"), 9, &bytes), VRM_ERROR_LIMIT);
    CHECK(bytes.data == NULL && bytes.size == 0);
    CHECK_INT(vrm_read_file(in_folder("ten"), 9, NULL, &bytes), VRM_ERROR_LIMIT);
    CHECK(bytes.data == NULL && bytes.size == 0);
    CHECK_INT(vrm_read_file(in_folder("ten"), 10, NULL, &bytes), VRM_SUCCESS);
    vrm_bytes_free(&bytes);
    state.fail_at = 0;
    CHECK_INT(vrm_read_file(in_folder("ten"), 10, &allocator, &bytes), VRM_ERROR_OUT_OF_MEMORY);
    count_files(1);
}

static void unwritable_paths(void)
{
    make_folder();
    CHECK_INT(vrm_write_file(in_folder("none/file"), "x", 1), VRM_ERROR_WRITE);
    CHECK_INT(vrm_write_file(folder, "x", 1), VRM_ERROR_WRITE);
    CHECK_INT(vrm_write_file("", "x", 1), VRM_ERROR_WRITE);
    CHECK_INT(vrm_write_file("/proc/none", "x", 1), VRM_ERROR_WRITE);
    CHECK_INT(count_files(1), 0);
}

static void devices_links_and_modes(void)
{
    make_folder();
    struct stat status;
    CHECK_INT(vrm_write_file("/dev/null", "x", 1), VRM_SUCCESS);
    CHECK(stat("/dev/null", &status) == 0 && S_ISCHR(status.st_mode));
    CHECK_INT(vrm_write_file(in_folder("target"), "old", 3), VRM_SUCCESS);
    CHECK_INT(chmod(in_folder("target"), 0640), 0);
    CHECK_INT(symlink("target", in_folder("link")), 0);
    CHECK_INT(vrm_write_file(in_folder("link"), "new", 3), VRM_SUCCESS);
    CHECK(lstat(in_folder("link"), &status) == 0 && S_ISLNK(status.st_mode));
    CHECK(file_is(in_folder("target"), "new", 3));
    CHECK(stat(in_folder("target"), &status) == 0 && (status.st_mode & 0777) == 0640);
    CHECK_INT(count_files(1), 2);
}

// Uses a device that is always full, and a limit on file sizes in place of a full disk.
static void full_disk_leaves_the_old_file(void)
{
    make_folder();
    const char *path = in_folder("avatar.vrm");
    static char large[100000];
    CHECK_INT(vrm_write_file(path, "old", 3), VRM_SUCCESS);
    if (access("/dev/full", W_OK) == 0) {
        CHECK_INT(vrm_write_file("/dev/full", large, sizeof(large)), VRM_ERROR_DISK);
    }
    struct rlimit before, small;
    CHECK_INT(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 50000;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    CHECK_INT(setrlimit(RLIMIT_FSIZE, &small), 0);
    const vrm_result result = vrm_write_file(path, large, sizeof(large));
    CHECK_INT(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, handler);
    CHECK_INT(result, VRM_ERROR_DISK);
    CHECK(file_is(path, "old", 3));
    CHECK_INT(count_files(1), 1);
}

static void temporary_names_of_others_stay(void)
{
    make_folder();
    char name[64];
    snprintf(name, sizeof(name), ".vrm-%u-0.tmp", (unsigned)getpid());
    FILE *other = fopen(in_folder(name), "wb");
    CHECK(other != NULL);
    if (other != NULL) {
        fclose(other);
    }
    CHECK_INT(vrm_write_file(in_folder("file"), "x", 1), VRM_SUCCESS);
    CHECK_INT(count_files(1), 2);
}
#endif

static const test_case cases[] = {
    {"version", version},
    {"own_checks", own_checks},
    {"results", results},
    {"catalogue", catalogue},
    {"array_grows", array_grows},
    {"arena_gives_zeroed_aligned_memory", arena_gives_zeroed_aligned_memory},
    {"arena_keeps_its_limit", arena_keeps_its_limit},
    {"reference_count", reference_count},
    {"sizes_do_not_overflow", sizes_do_not_overflow},
    {"report_keeps_findings", report_keeps_findings},
    {"report_is_truncated_not_failing", report_is_truncated_not_failing},
    {"broken_contracts_are_told", broken_contracts_are_told},
    {"default_allocator_aligns", default_allocator_aligns},
#if !defined(_WIN32)
    {"files_come_back", files_come_back},
    {"unreadable_files", unreadable_files},
    {"unwritable_paths", unwritable_paths},
    {"devices_links_and_modes", devices_links_and_modes},
    {"full_disk_leaves_the_old_file", full_disk_leaves_the_old_file},
    {"temporary_names_of_others_stay", temporary_names_of_others_stay},
#endif
};

RUN_TESTS(cases)
