// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Chooses a level of detail for each avatar of a crowd, by size and budget. Input and output are plain data.

#include <vrm/lod.h>

#include "base/abi.h"
#include "base/checks.h"
#include "base/float_environment.h"
#include "math/scalar.h"

const char *vrm_lod_name(vrm_lod level)
{
    static const char *const names[VRM_LOD_COUNT] = {"full", "sleep"};
    return (uint32_t)level < VRM_LOD_COUNT ? names[level] : "UNKNOWN";
}

void(vrm_lod_params_default)(vrm_lod_params *rules, size_t size)
{
    const vrm_lod_params own = {
        .struct_size = sizeof own, .step_count = 3, .size = {0.15f, 0.04f, 0.0f}, .hysteresis = 0.15f};
    vrmi_write_defaults(rules, size, &own, sizeof own);
}

static bool within(float x, float low, float high)
{
    return x >= low && x <= high;
}

static bool rules_fit(const vrm_lod_params *rules)
{
    const float most = 1e9f;
    if (rules->step_count < 1 || rules->step_count > VRM_LOD_MAX_STEPS) {
        return false;
    }
    bool fit = within(rules->hysteresis, 0.0f, 0.9f) && within(rules->budget, 0.0f, most) &&
               rules->size[rules->step_count - 1] == 0.0f;
    for (uint32_t i = 0; i < rules->step_count; ++i) {
        fit = fit && within(rules->size[i], 0.0f, i > 0 ? rules->size[i - 1] : most) &&
              within(rules->cost[i], 0.0f, most);
    }
    return fit;
}

static float size_of(const vrm_lod_view *view)
{
    return vrmi_finite(view->size) && view->size > 0.0f ? view->size : 0.0f;
}

static uint32_t step_of(const vrm_lod_params *rules, const vrm_lod_view *view)
{
    return view->step < rules->step_count ? view->step : rules->step_count - 1;
}

static uint32_t step_by_size(const vrm_lod_params *rules, const vrm_lod_view *view)
{
    const float size = size_of(view);
    uint32_t step = step_of(rules, view);
    while (step > 0 && size > 0.0f && size >= rules->size[step - 1] * (1.0f + rules->hysteresis)) {
        --step;
    }
    while (step + 1 < rules->step_count && (size < rules->size[step] * (1.0f - rules->hysteresis) || size == 0.0f)) {
        ++step;
    }
    return step;
}

// --- budget ----------------------------------------------------------------------------------------------------------

typedef struct crowd {
    const vrm_lod_view *views;
    const vrm_lod_params *rules;
    uint32_t *heap; // indices; the next avatar to be reduced is at the top
    uint32_t count;
} crowd;

static float importance(const crowd *c, uint32_t index)
{
    const vrm_lod_view *view = &c->views[index];
    return size_of(view) * (1.0f + c->rules->hysteresis * (float)(c->rules->step_count - 1 - step_of(c->rules, view)));
}

static bool gives_way_before(const crowd *c, uint32_t a, uint32_t b)
{
    const float x = importance(c, a), y = importance(c, b);
    return x < y || (x == y && a > b);
}

static void sift(crowd *c, uint32_t at)
{
    while (2 * at + 1 < c->count) {
        uint32_t child = 2 * at + 1;
        if (child + 1 < c->count && gives_way_before(c, c->heap[child + 1], c->heap[child])) {
            ++child;
        }
        if (!gives_way_before(c, c->heap[child], c->heap[at])) {
            return;
        }
        const uint32_t moved = c->heap[at];
        c->heap[at] = c->heap[child];
        c->heap[child] = moved;
        at = child;
    }
}

// Reduces avatars until the cost is within the budget. Uses a heap, since usually few avatars have to be reduced.
static void keep_budget(double cost, crowd *c, uint32_t *steps)
{
    const vrm_lod_params *rules = c->rules;
    for (uint32_t i = 0; i < c->count; ++i) {
        c->heap[i] = i;
    }
    for (uint32_t i = c->count / 2; i-- > 0;) {
        sift(c, i);
    }
    while (c->count > 0 && cost > (double)rules->budget) {
        const uint32_t index = c->heap[0];
        uint32_t step = steps[index];
        for (uint32_t next = step + 1; next < rules->step_count && cost > (double)rules->budget; ++next) {
            if (rules->cost[next] < rules->cost[step]) {
                cost -= (double)rules->cost[step] - (double)rules->cost[next];
                step = next;
            }
        }
        steps[index] = step;
        c->heap[0] = c->heap[--c->count];
        sift(c, 0);
    }
}

vrm_result vrm_lod_pick(
    const vrm_lod_params *rules, const vrm_lod_view *views, uint32_t count, uint32_t *order, uint32_t *out_steps)
{
    vrm_lod_params own;
    vrm_lod_params_default(&own);
    if (rules == NULL || !VRMI_READ_OPTIONS(vrm_lod_params, &own, rules) || !rules_fit(&own) ||
        (count != 0 && (views == NULL || order == NULL || out_steps == NULL))) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    for (uint32_t i = 0; i < count; ++i) {
        if (views[i].step >= VRM_LOD_MAX_STEPS) {
            return VRM_ERROR_INVALID_ARGUMENT;
        }
    }
    rules = &own;
    const vrmi_float_environment host = vrmi_float_enter();
    // The cost is summed per step, so that it does not depend on the order of the avatars.
    uint32_t counts[VRM_LOD_MAX_STEPS] = {0};
    for (uint32_t i = 0; i < count; ++i) {
        out_steps[i] = step_by_size(rules, &views[i]);
        ++counts[out_steps[i]];
    }
    double cost = 0.0;
    for (uint32_t i = 0; i < rules->step_count; ++i) {
        cost += (double)counts[i] * (double)rules->cost[i];
    }
    if (rules->budget > 0.0f && cost > (double)rules->budget) {
        crowd c = {views, rules, order, count};
        keep_budget(cost, &c, out_steps);
    }
    vrmi_float_leave(host);
    return VRM_SUCCESS;
}
