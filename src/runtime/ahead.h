// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_AHEAD_H
#define VRMI_RUNTIME_AHEAD_H

// Crowds come from memory: while one instance is computed, the next one is fetched into the cache, a part after each
// stage, since the processor waits where too much is asked for at once.

#include "runtime/instance.h"

// Whom the updates that follow fetch beside their own work, or NULL.
static inline void vrmi_ahead_set(vrm_instance *instance, const vrm_instance *next)
{
    instance->ahead_of = next;
    instance->ahead = (const char *)next;
    instance->ahead_end = next != NULL ? (const char *)next + next->hot : NULL;
}

// The next part of it; before the second one, when it is known where that is, what its player reads and writes for one clip.
static inline void vrmi_ahead_fetch(vrm_instance *instance)
{
#if defined(__GNUC__)
    enum { LINE = 64, LINES = 200, PLAYER_LINES = 12 };
    const char *at = instance->ahead;
    if (at != NULL && instance->ahead_of != NULL && at != (const char *)instance->ahead_of) {
        const char *player = (const char *)instance->ahead_of->player;
        for (int i = 0; i < PLAYER_LINES && player != NULL; ++i) {
            __builtin_prefetch(player + i * LINE);
        }
        instance->ahead_of = NULL;
    }
    for (int i = 0; i < LINES && at < instance->ahead_end; ++i, at += LINE) {
        __builtin_prefetch(at);
    }
    instance->ahead = at;
#else
    (void)instance;
#endif
}

#endif
