// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Levels of detail for a crowd: thresholds with hysteresis, a budget, independence of the order.

#include <math.h>

#include <vrm/lod.h>

#include "test.h"
#include "test_random.h"

enum { CROWD = 500, FINEST = 0, MIDDLE = 1, COARSEST = 2 };
enum { STEPS = COARSEST + 1 }; // by default

static vrm_lod_params rules_with_budget(float budget)
{
    vrm_lod_params rules;
    vrm_lod_params_default(&rules);
    const float cost[STEPS] = {20.0f, 14.0f, 0.1f};
    memcpy(rules.cost, cost, sizeof cost);
    rules.budget = budget;
    return rules;
}

static uint32_t pick_one(const vrm_lod_params *rules, float size, uint32_t step)
{
    const vrm_lod_view view = {size, step};
    uint32_t order;
    uint32_t picked = STEPS;
    CHECK_INT(vrm_lod_pick(rules, &view, 1, &order, &picked), VRM_SUCCESS);
    return picked;
}

static void borders_have_hysteresis(void)
{
    vrm_lod_params rules;
    vrm_lod_params_default(&rules);
    // Within the band around 0.15, from 0.1275 to 0.1725, an avatar keeps either step.
    CHECK_INT(pick_one(&rules, 0.13f, FINEST), FINEST);
    CHECK_INT(pick_one(&rules, 0.125f, FINEST), MIDDLE);
    CHECK_INT(pick_one(&rules, 0.17f, MIDDLE), MIDDLE);
    CHECK_INT(pick_one(&rules, 0.175f, MIDDLE), FINEST);
    // The band around 0.04 is from 0.034 to 0.046.
    CHECK_INT(pick_one(&rules, 0.035f, MIDDLE), MIDDLE);
    CHECK_INT(pick_one(&rules, 0.033f, MIDDLE), COARSEST);
    CHECK_INT(pick_one(&rules, 0.045f, COARSEST), COARSEST);
    CHECK_INT(pick_one(&rules, 0.047f, COARSEST), MIDDLE);
    // A change of size beyond both thresholds skips a step.
    CHECK_INT(pick_one(&rules, 1.0f, COARSEST), FINEST);
    CHECK_INT(pick_one(&rules, 0.01f, FINEST), COARSEST);
    // Invisible.
    CHECK_INT(pick_one(&rules, 0.0f, FINEST), COARSEST);
    CHECK_INT(pick_one(&rules, -1.0f, FINEST), COARSEST);
    CHECK_INT(pick_one(&rules, NAN, FINEST), COARSEST);
    // A size that varies around a threshold by less than the band changes the step at most once.
    uint32_t step = COARSEST;
    int changes = 0;
    for (int i = 0; i < 200; ++i) {
        const uint32_t next = pick_one(&rules, 0.15f * (1.0f + 0.14f * (float)sin(0.7 * i)), step);
        changes += next != step;
        step = next;
    }
    CHECK_INT(changes, 1);
}

// The host's own thresholds, each with its band.
static void borders_are_as_given(void)
{
    vrm_lod_params rules;
    vrm_lod_params_default(&rules);
    rules.hysteresis = 0.4f;
    for (int i = 0; i + 1 < STEPS; ++i) {
        rules.size[i] = 0.8f * powf(0.2f, (float)i); // bands apart
    }
    for (uint32_t i = 0; i + 1 < STEPS; ++i) {
        const uint32_t above = i, below = i + 1;
        CHECK_INT(pick_one(&rules, 0.61f * rules.size[i], above), above);
        CHECK_INT(pick_one(&rules, 0.59f * rules.size[i], above), below);
        CHECK_INT(pick_one(&rules, 1.39f * rules.size[i], below), below);
        CHECK_INT(pick_one(&rules, 1.41f * rules.size[i], below), above);
    }
}

// One of two avatars of similar size has to be reduced. Without hysteresis the smaller one is reduced; with hysteresis
// it is the one that was reduced before.
static void hysteresis_decides_who_gives_way(void)
{
    const vrm_lod_view views[2] = {{0.50f, FINEST}, {0.55f, COARSEST}};
    for (int k = 0; k < 2; ++k) {
        vrm_lod_params rules;
        vrm_lod_params_default(&rules);
        rules.hysteresis = k == 0 ? 0.0f : 0.05f;
        rules.cost[FINEST] = 10.0f;
        rules.budget = 15.0f;
        uint32_t order[2];
        uint32_t steps[2];
        CHECK_INT(vrm_lod_pick(&rules, views, 2, order, steps), VRM_SUCCESS);
        CHECK_INT(steps[0] == FINEST, k == 1);
        CHECK_INT(steps[1] == FINEST, k == 0);
    }
}

static double cost_of(const vrm_lod_params *rules, const uint32_t *steps, uint32_t count)
{
    double cost = 0;
    for (uint32_t i = 0; i < count; ++i) {
        cost += (double)rules->cost[steps[i]];
    }
    return cost;
}

static void make_crowd(vrm_lod_view *views, uint32_t seed)
{
    test_random random = test_random_make(seed);
    for (uint32_t i = 0; i < CROWD; ++i) {
        views[i].size = test_random_float(&random, 0.0f, 0.8f);
        views[i].step = test_random_below(&random, STEPS);
    }
}

static void budget_is_kept(void)
{
    vrm_lod_view views[CROWD];
    uint32_t by_size[CROWD], steps[CROWD];
    uint32_t order[CROWD];
    for (uint32_t seed = 1; seed < 40; ++seed) {
        make_crowd(views, seed);
        const vrm_lod_params open = rules_with_budget(0.0f), tight = rules_with_budget(200.0f * (float)seed);
        CHECK_INT(vrm_lod_pick(&open, views, CROWD, order, by_size), VRM_SUCCESS);
        CHECK_INT(vrm_lod_pick(&tight, views, CROWD, order, steps), VRM_SUCCESS);
        const double cost = cost_of(&tight, steps, CROWD);
        CHECK(cost <= (double)tight.budget);
        // No more than necessary is reduced: without the last reduction the cost would exceed the budget, or nothing
        // was reduced.
        CHECK(cost > (double)tight.budget - 20.0 || cost == cost_of(&open, by_size, CROWD));
        // The weighted size of a reduced avatar is not above that of an avatar that was not reduced.
        float highest = 0.0f, lowest = 1e9f;
        for (uint32_t i = 0; i < CROWD; ++i) {
            const float counts = views[i].size * (1.0f + 0.15f * (float)((int)COARSEST - (int)views[i].step));
            CHECK(steps[i] >= by_size[i]);
            if (steps[i] > by_size[i] && steps[i] == COARSEST) {
                highest = counts > highest ? counts : highest;
            } else if (steps[i] == by_size[i] && by_size[i] != COARSEST) {
                lowest = counts < lowest ? counts : lowest;
            }
        }
        CHECK(highest <= lowest);
    }
    // The budget is below the cost of the coarsest steps.
    const vrm_lod_params none = rules_with_budget(1.0f);
    CHECK_INT(vrm_lod_pick(&none, views, CROWD, order, steps), VRM_SUCCESS);
    for (uint32_t i = 0; i < CROWD; ++i) {
        CHECK_INT(steps[i], COARSEST);
    }
    // A step that costs more than the finer step is skipped, but a cheaper step after it is used.
    const vrm_lod_view one = {0.8f, FINEST};
    vrm_lod_params odd = rules_with_budget(19.5f);
    odd.cost[MIDDLE] = 21.0f;
    CHECK_INT(vrm_lod_pick(&odd, &one, 1, order, steps), VRM_SUCCESS);
    CHECK_INT(steps[0], COARSEST);
    odd.cost[COARSEST] = 20.0f; // no step is cheaper than the finest
    CHECK_INT(vrm_lod_pick(&odd, &one, 1, order, steps), VRM_SUCCESS);
    CHECK_INT(steps[0], FINEST);
    odd.cost[MIDDLE] = 14.0f; // the coarsest step is not cheaper than this
    odd.budget = 1.0f;
    CHECK_INT(vrm_lod_pick(&odd, &one, 1, order, steps), VRM_SUCCESS);
    CHECK_INT(steps[0], MIDDLE);
}

static void order_does_not_matter(void)
{
    vrm_lod_view views[CROWD], shuffled[CROWD];
    uint32_t steps[CROWD], other[CROWD];
    uint32_t order[CROWD], place[CROWD];
    const vrm_lod_params rules = rules_with_budget(3000.0f);
    make_crowd(views, 77);
    test_random random = test_random_make(5);
    for (uint32_t i = 0; i < CROWD; ++i) {
        place[i] = i;
    }
    for (uint32_t i = CROWD - 1; i > 0; --i) {
        const uint32_t k = (uint32_t)test_random_float(&random, 0.0f, (float)i + 0.99f), kept = place[i];
        place[i] = place[k];
        place[k] = kept;
    }
    for (uint32_t i = 0; i < CROWD; ++i) {
        shuffled[place[i]] = views[i];
    }
    CHECK_INT(vrm_lod_pick(&rules, views, CROWD, order, steps), VRM_SUCCESS);
    CHECK_INT(vrm_lod_pick(&rules, shuffled, CROWD, order, other), VRM_SUCCESS);
    for (uint32_t i = 0; i < CROWD; ++i) {
        CHECK_INT(other[place[i]], steps[i]);
    }
    // Among equal avatars, the later ones of the array get the coarser level.
    for (uint32_t i = 0; i < CROWD; ++i) {
        views[i] = (vrm_lod_view){0.5f, FINEST};
    }
    CHECK_INT(vrm_lod_pick(&rules, views, CROWD, order, steps), VRM_SUCCESS);
    CHECK_INT(steps[0], FINEST);
    CHECK_INT(steps[CROWD - 1], COARSEST);
    for (uint32_t i = 1; i < CROWD; ++i) {
        CHECK(steps[i] >= steps[i - 1]);
    }
}

// If sizes vary slightly, no avatar changes its step from frame to frame, even if the budget determines the steps.
static void nobody_takes_turns(void)
{
    vrm_lod_view views[CROWD];
    uint32_t steps[CROWD];
    uint32_t order[CROWD];
    const vrm_lod_params rules = rules_with_budget(3000.0f);
    test_random random = test_random_make(9);
    float sizes[CROWD];
    for (uint32_t i = 0; i < CROWD; ++i) {
        sizes[i] = 0.42f + 0.2f * (float)i / CROWD;
        views[i] = (vrm_lod_view){sizes[i], COARSEST};
    }
    int changes = 0;
    for (int frame = 0; frame < 60; ++frame) {
        CHECK_INT(vrm_lod_pick(&rules, views, CROWD, order, steps), VRM_SUCCESS);
        for (uint32_t i = 0; i < CROWD; ++i) {
            changes += frame > 2 && steps[i] != views[i].step;
            views[i].step = steps[i];
            views[i].size = sizes[i] * test_random_float(&random, 0.98f, 1.02f);
        }
    }
    printf("%d changes of %d avatars in 57 frames\n", changes, CROWD);
    CHECK(changes <= 4); // one avatar may be exactly at the budget's limit
}

// The host may define fewer or more steps. A view may have a step that no longer exists.
static void steps_end_where_the_host_says(void)
{
    vrm_lod_params rules;
    vrm_lod_params_default(&rules);
    CHECK_INT(rules.step_count, STEPS);
    CHECK_INT(pick_one(&rules, 0.0f, FINEST), COARSEST);
    rules.step_count = 2;
    rules.size[1] = 0.0f;
    CHECK_INT(pick_one(&rules, 0.0f, FINEST), MIDDLE);
    CHECK_INT(pick_one(&rules, 0.0f, COARSEST), MIDDLE);
    CHECK_INT(pick_one(&rules, 1.0f, COARSEST), FINEST);
    vrm_lod_params_default(&rules);
    rules.step_count = VRM_LOD_MAX_STEPS;
    for (uint32_t i = 0; i + 1 < VRM_LOD_MAX_STEPS; ++i) {
        rules.size[i] = 0.8f * powf(0.5f, (float)i);
    }
    CHECK_INT(pick_one(&rules, 0.0f, FINEST), VRM_LOD_MAX_STEPS - 1);
    CHECK_INT(pick_one(&rules, 0.12f, VRM_LOD_MAX_STEPS - 1), 3); // the first threshold below 0.12 is 0.1
    rules.step_count = VRM_LOD_MAX_STEPS + 1;
    const vrm_lod_view view = {0.5f, FINEST};
    uint32_t order, step;
    CHECK_INT(vrm_lod_pick(&rules, &view, 1, &order, &step), VRM_ERROR_INVALID_ARGUMENT);
    rules.step_count = 0;
    CHECK_INT(vrm_lod_pick(&rules, &view, 1, &order, &step), VRM_ERROR_INVALID_ARGUMENT);
}

static void bad_rules_are_refused(void)
{
    const vrm_lod_view view = {0.5f, FINEST}, wrong = {0.5f, VRM_LOD_MAX_STEPS};
    uint32_t order, step;
    vrm_lod_params rules;
    vrm_lod_params_default(&rules);
    CHECK_INT(vrm_lod_pick(NULL, &view, 1, &order, &step), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_lod_pick(&rules, NULL, 1, &order, &step), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_lod_pick(&rules, &view, 1, NULL, &step), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_lod_pick(&rules, &view, 1, &order, NULL), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_lod_pick(&rules, &wrong, 1, &order, &step), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_lod_pick(&rules, NULL, 0, NULL, NULL), VRM_SUCCESS);
    for (int i = 0; i < 7; ++i) {
        vrm_lod_params_default(&rules);
        switch (i) {
        case 0:
            rules.struct_size = 1;
            break;
        case 1:
            rules.size[1] = 0.5f;
            break; // thresholds must not rise
        case 2:
            rules.size[COARSEST] = 0.01f;
            break;
        case 3:
            rules.hysteresis = 0.95f;
            break;
        case 4:
            rules.cost[2] = -1.0f;
            break;
        case 5:
            rules.budget = NAN;
            break;
        default:
            rules.size[0] = INFINITY;
            break;
        }
        CHECK_INT(vrm_lod_pick(&rules, &view, 1, &order, &step), VRM_ERROR_INVALID_ARGUMENT);
    }
}

static void levels_have_names(void)
{
    CHECK_STRING(vrm_lod_name(VRM_LOD_FULL), "full");
    CHECK_STRING(vrm_lod_name(VRM_LOD_SLEEP), "sleep");
    CHECK_STRING(vrm_lod_name(VRM_LOD_COUNT), "UNKNOWN");
}

static const test_case cases[] = {
    {"steps_end_where_the_host_says", steps_end_where_the_host_says},
    {"borders_have_hysteresis", borders_have_hysteresis},
    {"borders_are_as_given", borders_are_as_given},
    {"hysteresis_decides_who_gives_way", hysteresis_decides_who_gives_way},
    {"budget_is_kept", budget_is_kept},
    {"order_does_not_matter", order_does_not_matter},
    {"nobody_takes_turns", nobody_takes_turns},
    {"bad_rules_are_refused", bad_rules_are_refused},
    {"levels_have_names", levels_have_names},
};
RUN_TESTS(cases)
