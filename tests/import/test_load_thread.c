// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Loading on a separate thread, as a game does behind its loading screen. The main thread may stop the load at any
// time, and takes over the avatar. Also several loads at once from the same bytes.

#include <vrm/vrm.h>

#include "sample_avatar.h"
#include "test.h"
#include "test_allocator.h"

// WebAssembly has threads only if requested.
#if !defined(__unix__) || (defined(__EMSCRIPTEN__) && !defined(__EMSCRIPTEN_PTHREADS__))
int main(void)
{
    printf("skipped: no POSIX threads\n");
    return 77;
}
#else

#include <pthread.h>

typedef struct loader {
    const vrm_bytes *bytes;
    int hold_at; // number of the progress call that waits for the main thread; 0: none
    test_allocator memory;
    vrm_avatar *avatar;
    vrm_result result;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    // The lock protects the members below.
    int calls;
    bool holds, may_go_on, stop, has_ended;
} loader;

static bool tell(float fraction, const char *phase, void *user)
{
    (void)fraction;
    (void)phase;
    loader *l = user;
    pthread_mutex_lock(&l->lock);
    if (++l->calls == l->hold_at) {
        l->holds = true;
        pthread_cond_broadcast(&l->changed);
        while (!l->may_go_on) {
            pthread_cond_wait(&l->changed, &l->lock);
        }
    }
    const bool go_on = !l->stop;
    pthread_mutex_unlock(&l->lock);
    return go_on;
}

static void *load(void *user)
{
    loader *l = user;
    vrm_avatar_def def;
    vrm_avatar_def_default(&def);
    def.allocator = test_allocator_make(&l->memory);
    def.progress = tell;
    def.progress_user = l;
    l->result = vrm_avatar_load(&def, l->bytes->data, l->bytes->size, NULL, &l->avatar);
    pthread_mutex_lock(&l->lock);
    l->has_ended = true;
    pthread_cond_broadcast(&l->changed);
    pthread_mutex_unlock(&l->lock);
    return NULL;
}

static pthread_t start(loader *l, const vrm_bytes *bytes, int hold_at)
{
    *l = (loader){.bytes = bytes, .hold_at = hold_at};
    pthread_mutex_init(&l->lock, NULL);
    pthread_cond_init(&l->changed, NULL);
    pthread_t thread;
    CHECK_INT(pthread_create(&thread, NULL, load, l), 0);
    return thread;
}

static void end(loader *l, pthread_t thread)
{
    pthread_join(thread, NULL);
    pthread_cond_destroy(&l->changed);
    pthread_mutex_destroy(&l->lock);
}

// Stops the load in its progress call number `at`. Returns false if there are fewer calls.
static bool stop_at(const vrm_bytes *bytes, int at)
{
    loader l;
    const pthread_t thread = start(&l, bytes, at);
    pthread_mutex_lock(&l.lock);
    while (!l.holds && !l.has_ended) {
        pthread_cond_wait(&l.changed, &l.lock);
    }
    const bool there = l.holds;
    const int calls = l.calls;
    l.stop = there;
    l.may_go_on = true;
    pthread_cond_broadcast(&l.changed);
    pthread_mutex_unlock(&l.lock);
    end(&l, thread);
    CHECK_INT(l.result, there ? VRM_ERROR_CANCELLED : VRM_SUCCESS);
    CHECK(!there || l.calls == calls); // the load ends at once, without another call
    CHECK((l.avatar == NULL) == there);
    vrm_avatar_release(l.avatar);
    CHECK_INT(l.memory.live_blocks, 0);
    CHECK_INT(l.memory.wrong, 0);
    return there;
}

static void stopped_from_another_thread(void)
{
    vrm_bytes bytes = sample_bytes(0);
    int stopped = 0;
    for (int at = 1; at < 10000 && stop_at(&bytes, at); ++at) {
        ++stopped;
    }
    CHECK(stopped >= 15);
    vrm_bytes_free(&bytes);
}

static void several_at_once(void)
{
    enum { COUNT = 3 };
    vrm_bytes bytes = sample_bytes(0);
    loader loaders[COUNT];
    pthread_t threads[COUNT];
    for (int i = 0; i < COUNT; ++i) {
        threads[i] = start(&loaders[i], &bytes, 0);
    }
    for (int i = 0; i < COUNT; ++i) {
        end(&loaders[i], threads[i]);
        CHECK_INT(loaders[i].result, VRM_SUCCESS);
        vrm_instance_def def;
        vrm_instance_def_default(&def);
        def.avatar = loaders[i].avatar;
        vrm_instance *instance = NULL;
        CHECK_INT(vrm_instance_create(&def, &instance), VRM_SUCCESS);
        vrm_update_dt(instance, 1.0f / 60.0f);
        vrm_instance_destroy(instance);
        vrm_avatar_release(loaders[i].avatar);
        CHECK_INT(loaders[i].memory.live_blocks, 0);
    }
    vrm_bytes_free(&bytes);
}

static const test_case cases[] = {
    {"stopped_from_another_thread", stopped_from_another_thread}, {"several_at_once", several_at_once}};
RUN_TESTS(cases)

#endif
