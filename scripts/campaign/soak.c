// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// soak [AVATARS [SECONDS [THREADS [SEED]]]]: runs a crowd with random input (tests/fixtures/soak.h) for some simulated
// time. For each simulated minute it prints the memory of the process, which must not grow, and the time of a frame per
// avatar.

#include "soak.h"
#include "base/platform.h"

#include <unistd.h>

// Returns the megabytes of memory that the process uses now, 0 if the system does not report them.
static double resident(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    long pages = 0, unused;
    if (file != NULL) {
        if (fscanf(file, "%ld %ld", &unused, &pages) != 2) {
            pages = 0;
        }
        fclose(file);
    }
    return (double)pages * (double)sysconf(_SC_PAGESIZE) / 1e6;
}

int main(int argc, char **argv)
{
    const uint32_t count = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 10000;
    const double seconds = argc > 2 ? atof(argv[2]) : 600.0;
    const uint32_t threads = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 0;
    if (count == 0 || !(seconds > 0.0)) {
        fprintf(stderr, "usage: soak [AVATARS [SECONDS [THREADS [SEED]]]]\n");
        return 2;
    }
    vrm_task_pool *pool = NULL;
    CHECK_INT(vrm_task_pool_create(threads, NULL, &pool), VRM_SUCCESS);
    soak s;
    soak_begin(&s, count, argc > 4 ? strtoull(argv[4], NULL, 10) : 1);
    printf("%u avatars, %u threads\n", count, vrm_task_pool_get_thread_count(pool));
    printf("| simulated s | frames | updates | resident MB | clock us per update |\n| --- | --- | --- | --- | --- |\n");
    const double start = vrmi_platform_seconds();
    double first = 0.0, time = 0.0, next = 60.0;
    uint64_t frames = 0;
    while (time < seconds && test_failures == 0) {
        time += (double)soak_frame(&s, vrm_task_pool_get_tasks(pool));
        if (++frames == 60) {
            first = resident(); // by now all pages have been used
        }
        if (frames % 1000 == 0) {
            soak_check(&s);
        }
        if (time >= next || time >= seconds) {
            next += 60.0;
            printf("| %.0f | %llu | %llu | %.1f | %.2f |\n", time, (unsigned long long)frames,
                (unsigned long long)s.updates, resident(), (vrmi_platform_seconds() - start) * 1e6 / (double)s.updates);
            fflush(stdout);
        }
    }
    soak_check(&s);
    const double last = resident();
    CHECK(last <= 1.01 * first + 1.0);
    printf("resident: %.1f MB after a second, %.1f MB at the end\n", first, last);
    soak_end(&s);
    vrm_task_pool_destroy(pool);
    printf("%d failed checks\n", test_failures);
    return test_failures != 0;
}
