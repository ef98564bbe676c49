// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Automatic blink. Each blink is planned in advance with a separate random generator, on a clock in whole nanoseconds.
// A frame only evaluates the eyelids at its time. So blinks do not depend on the frame rate: two avatars with the same
// seed blink together even at different frame rates.

#include "math/blink.h"

#include "base/abi.h"
#include "base/checks.h"
#include "math/random.h"
#include "math/scalar.h"

static int64_t nanoseconds(float seconds)
{
    return (int64_t)((double)seconds * 1e9 + 0.5);
}

static int64_t closure_length(const vrmi_blink *blink)
{
    return (int64_t)blink->close + blink->hold + blink->open;
}

static int64_t blink_length(const vrmi_blink *blink)
{
    return closure_length(blink) * blink->closures;
}

static bool running(const vrmi_blink *blink)
{
    return blink->pending && blink->time >= 0;
}

// Plans a blink and fixes its shape, so that parameters that change during the blink do not make the eyelids jump.
static void plan(vrmi_blink *blink, int64_t time, uint32_t closures)
{
    blink->time = time;
    blink->closures = closures;
    blink->close = (uint32_t)nanoseconds(blink->params.close_time);
    blink->hold = (uint32_t)nanoseconds(blink->params.hold_time);
    blink->open = (uint32_t)nanoseconds(blink->params.open_time);
    blink->pending = 1;
}

// Plans the next blink, one interval after a moment that was `since` nanoseconds ago. Always draws two random numbers,
// whatever the parameters are, so that parameters do not shift the later draws.
static void plan_next(vrmi_blink *blink, int64_t since)
{
    const float wait = vrmi_random_unit(&blink->random);
    const float twice = vrmi_random_unit(&blink->random);
    const float interval = vrmi_lerp(blink->params.interval_min, blink->params.interval_max, wait);
    plan(blink, since - nanoseconds(interval), twice < blink->params.double_chance ? 2 : 1);
}

static float smooth(int64_t part, int64_t whole)
{
    const float s = (float)part / (float)whole;
    return s * s * (3.0f - 2.0f * s);
}

static float lids(const vrmi_blink *blink)
{
    if (!running(blink)) {
        return 0.0f;
    }
    int64_t t = blink->time;
    const int64_t length = closure_length(blink);
    t = t >= length ? t - length : t; // a blink closes the eyes at most twice
    if (t < blink->close) {
        return smooth(t, blink->close);
    }
    const int64_t closed = (int64_t)blink->close + blink->hold;
    if (t < closed) {
        return 1.0f;
    }
    return t < length ? 1.0f - smooth(t - closed, blink->open) : 0.0f;
}

void(vrm_blink_params_default)(vrm_blink_params *params, size_t size)
{
    const vrm_blink_params own = {
        .struct_size = sizeof own,
        .enabled = false,
        .seed = 1,
        .interval_min = 2.0f,
        .interval_max = 6.0f,
        .close_time = 0.06f,
        .hold_time = 0.04f,
        .open_time = 0.12f,
        .double_chance = 0.1f,
    };
    vrmi_write_defaults(params, size, &own, sizeof own);
}

void vrmi_blink_init(vrmi_blink *blink)
{
    *blink = (vrmi_blink){0};
    vrm_blink_params_default(&blink->params);
    blink->random = vrmi_random_seeded(blink->params.seed);
}

static bool same_params(const vrm_blink_params *a, const vrm_blink_params *b)
{
    return a->enabled == b->enabled && a->seed == b->seed && a->interval_min == b->interval_min &&
           a->interval_max == b->interval_max && a->close_time == b->close_time && a->hold_time == b->hold_time &&
           a->open_time == b->open_time && a->double_chance == b->double_chance;
}

bool vrmi_blink_set(vrmi_blink *blink, const vrm_blink_params *params)
{
    // Setting the same parameters every frame must not keep the avatar from blinking.
    if (same_params(&blink->params, params)) {
        return false;
    }
    const bool fresh = !blink->params.enabled || blink->params.seed != params->seed;
    blink->params = *params;
    if (params->enabled && fresh) {
        blink->random = vrmi_random_seeded(params->seed);
    }
    if (running(blink)) {
        return true; // closed eyelids open first; then the next blink is planned
    }
    if (params->enabled) {
        plan_next(blink, 0);
    } else {
        blink->pending = 0;
    }
    return true;
}

void vrmi_blink_now(vrmi_blink *blink)
{
    // A running blink is not restarted, since the eyelids would jump. The next automatic blink is planned again after
    // this one, so that the two do not directly follow each other.
    if (!running(blink)) {
        plan(blink, 0, 1);
    }
}

bool vrmi_blink_wait(vrmi_blink *blink, float dt)
{
    const int64_t time = blink->time + (blink->pending ? nanoseconds(dt) : 0);
    if (blink->pending && time >= 0) {
        return false;
    }
    blink->time = time;
    return true;
}

bool vrmi_blink_advance(vrmi_blink *blink, float dt)
{
    if (blink->pending) {
        blink->time += nanoseconds(dt);
        // The loop ends, because the merge of expressions limits dt, and no interval is shorter than a tenth of a
        // second.
        while (blink->pending && blink->time >= blink_length(blink)) {
            if (blink->params.enabled) {
                plan_next(blink, blink->time - blink_length(blink));
            } else {
                blink->pending = 0;
            }
        }
    }
    const float before = blink->value;
    blink->value = lids(blink);
    return blink->value != before;
}
