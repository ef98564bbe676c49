// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Tests the closed formulas for the largest pushes that a figure withstands. For average proportions the formulas agree
// with a prototype. Simulated figures of other proportions agree with the formulas.

#include "figure_shapes.h"
#include "stagger/stagger.h"
#include "stagger/stagger_limits.h"
#include "stagger_fixture.h"

#include <math.h>

static const double eighth = 0.78539816339744831; // of a turn

// --- the formulas --------------------------------------------------------------------------------------------------

// The prototype's figure. Its pushes are instantaneous.
static scene_stagger_body average(double height)
{
    return (scene_stagger_body){.height = height,
        .center = 0.5625 * height,
        .leg = 0.47 * height,
        .hips = 0.1 * height,
        .push = 0.73 * height,
        .half_width = 0.03 * height,
        .half_length = 0.075 * height,
        .apart = 0.115 * height,
        .behind = 0.0225 * height};
}

enum { CLASSES = 3 };
static const uint32_t most_steps[CLASSES] = {0, 1, 5}; // sway, one step, several

static double mean_limit(const scene_stagger_body *body, int class)
{
    double sum = 0.0;
    for (int side = 0; side < 8; ++side) {
        sum += scene_stagger_limit(body, side * eighth, most_steps[class]);
    }
    return sum / 8.0;
}

static void check_means(const scene_stagger_body *body, const double means[CLASSES], double within)
{
    for (int class = 0; class < CLASSES; ++class) {
        if (means[class] > 0.0) {
            CHECK_NEAR(mean_limit(body, class), means[class], within * means[class]);
        }
    }
}

// The limits are those of pushes in directions from ahead to back, N s/kg for a height of 1.6 m.
static void average_figures_agree_with_the_prototype(void)
{
    static const double limits[5][CLASSES] = {
        {0.26, 0.80, 0.93}, {0.37, 0.65, 0.77}, {0.31, 0.54, 0.67}, {0.37, 0.67, 0.77}, {0.26, 0.82, 0.93}};
    const scene_stagger_body body = average(1.6);
    for (int side = 0; side < 8; ++side) {
        for (int class = 0; class < CLASSES; ++class) {
            const double limit = limits[side <= 4 ? side : 8 - side][class];
            CHECK_NEAR(scene_stagger_limit(&body, side * eighth, most_steps[class]), limit, 0.12 * limit);
        }
    }
}

// Changes height, length of the soles, length of the legs and height of the push one at a time, and compares the mean
// limits of eight directions.
static void other_proportions_agree_with_the_prototype(void)
{
    static const struct row {
        double height, sole, leg, push, means[CLASSES]; // 0: not known
    } rows[] = {{0.9, 0.15, 0.47, 0.73, {0.24, 0.49, 0.58}}, {1.2, 0.15, 0.47, 0.73, {0.27, 0.57, 0.68}},
        {1.85, 0.15, 0.47, 0.73, {0.34, 0.71, 0.83}}, {2.1, 0.15, 0.47, 0.73, {0.36, 0.75, 0.89}},
        {1.6, 0.10, 0.47, 0.73, {0.24, 0.63, 0.0}}, {1.6, 0.20, 0.47, 0.73, {0.39, 0.70, 0.0}},
        {1.6, 0.15, 0.36, 0.73, {0.0, 0.57, 0.0}}, {1.6, 0.15, 0.54, 0.73, {0.0, 0.68, 0.0}},
        {1.6, 0.15, 0.47, 0.56, {0.0, 0.90, 0.0}}, {1.6, 0.15, 0.47, 0.93, {0.0, 0.51, 0.0}}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        scene_stagger_body body = average(rows[i].height);
        body.half_length = 0.5 * rows[i].sole * body.height;
        body.leg = rows[i].leg * body.height;
        body.push = rows[i].push * body.height;
        check_means(&body, rows[i].means, 0.12);
    }
}

static double weakest_moment(const scene_stagger_body *body, const scene_stagger_gait *gait, int side)
{
    double least = 1e30;
    for (int moment = 0; moment < 8; ++moment) {
        least = fmin(least, scene_stagger_walk_limit(body, gait, side * eighth, moment / 8.0));
    }
    return least;
}

// The speed is 1.2 m/s for a height of 1.6 m, and proportional to the square root of the height. The two limits of a
// pair are those of pushes from the left and from the right, for which the other foot swings.
static void average_walks_agree_with_the_prototype(void)
{
    static const double heights[3] = {0.9, 1.6, 2.1};
    static const double limits[3][5][2] = {{{0.47, 0.47}, {0.37, 0.50}, {0.30, 0.59}, {0.48, 0.94}, {1.35, 1.35}},
        {{0.58, 0.58}, {0.49, 0.60}, {0.46, 0.71}, {0.73, 1.12}, {1.79, 1.79}},
        {{0.68, 0.68}, {0.54, 0.74}, {0.46, 0.89}, {0.73, 1.43}, {2.06, 2.06}}};
    for (int i = 0; i < 3; ++i) {
        const scene_stagger_body body = average(heights[i]);
        const scene_stagger_gait gait = {0.3375 * heights[i], 0.1 * heights[i], 0.45 * sqrt(heights[i] / 1.6)};
        for (int side = 0; side <= 4; ++side) {
            const double a = weakest_moment(&body, &gait, side), b = weakest_moment(&body, &gait, (8 - side) % 8);
            CHECK_NEAR(fmin(a, b), limits[i][side][0], 0.26 * limits[i][side][0]);
            CHECK_NEAR(fmax(a, b), limits[i][side][1], 0.26 * limits[i][side][1]);
        }
    }
}

// --- figures -------------------------------------------------------------------------------------------------------

// The sample, generated figures (small, tall, broad, thin), and Godette, who is broad and has short legs and wide feet.
enum { MADE = 5, FIGURES = MADE + 2, TRIED = TEST_SHARE > 1 ? 1 : FIGURES };

static const float assist = 1.5f;

static scene_stagger_outcome outcome_of(const figure *f, double speed, double angle)
{
    const scene_stagger_push push = {.avatar = f->avatar,
        .def = &f->def,
        .motion = "none",
        .speed = (float)speed,
        .angle = (float)angle,
        .assist = assist,
        .rate = 60.0};
    scene_stagger out;
    CHECK_INT(scene_stagger_run(&push, &out), VRM_SUCCESS);
    return out.outcome;
}

static const double half_step = 0.025; // half the distance of pushes in the charts of the campaigns, N s/kg

// After a push a quarter below a limit, the outcome is no worse than the limit allows. After a push a quarter above it,
// the outcome is worse.
static void figures_stand_what_their_proportions_allow(void)
{
    for (int index = 0; index < TRIED; ++index) {
        figure f;
        if (!figure_or_godette((uint32_t)index, &f)) {
            continue;
        }
        scene_stagger_body body;
        CHECK_INT(scene_stagger_measure(f.avatar, f.gltf, &f.def, &body), VRM_SUCCESS);
        for (int side = 0; side <= 4; ++side) { // the other directions are mirror images
            const double angle = side * eighth;
            for (int class = 0; class < CLASSES; ++class) {
                const double limit = (double)assist * scene_stagger_limit(&body, angle, most_steps[class]);
                const int below = (int)outcome_of(&f, 0.75 * limit - half_step, angle),
                          above = (int)outcome_of(&f, 1.25 * limit + half_step, angle);
                CHECK(below <= class);
                CHECK(above > class);
                if (below > class || above <= class) {
                    printf("figure %d, side %d: limit %.2f of class %d, but %d below it and %d above\n", index, side,
                        limit, class, below, above);
                }
            }
        }
        figure_free(&f);
    }
}

static bool walks_on(const figure *f, double speed, int side, int moment, float walk)
{
    const scene_stagger_push push = {.avatar = f->avatar,
        .def = &f->def,
        .speed = (float)speed,
        .angle = (float)(side * eighth),
        .assist = assist,
        .rate = 60.0,
        .walk = walk,
        .part = 0.0625f * (float)moment};
    scene_stagger out;
    CHECK_INT(scene_stagger_run(&push, &out), VRM_SUCCESS);
    return out.outcome != SCENE_STAGGER_FALLS;
}

// If a push is a quarter below the limit of the weakest moment, the figure walks on, whatever the moment of the push
// is. If it is a quarter above that limit, the figure falls at least at one moment.
static void walks_bear_what_their_proportions_allow(void)
{
    for (int index = 0; index < TRIED; index += 3) { // more are in the campaign
        figure f;
        if (!figure_or_godette((uint32_t)index, &f)) {
            continue;
        }
        const float walk = 1.2f * sqrtf(f.def.height / 1.6f);
        scene_stagger_body body;
        scene_stagger_gait gait;
        CHECK_INT(scene_stagger_measure(f.avatar, f.gltf, &f.def, &body), VRM_SUCCESS);
        CHECK_INT(scene_stagger_measure_gait(f.avatar, &f.def, walk, &gait), VRM_SUCCESS);
        for (int side = 0; side < 8; ++side) {
            const double limit = (double)assist * weakest_moment(&body, &gait, side);
            int below = 0, above = 0;
            for (int moment = 0; moment < 8; ++moment) {
                below += walks_on(&f, 0.75 * limit - half_step, side, moment, walk) ? 1 : 0;
                above += walks_on(&f, 1.25 * limit + half_step, side, moment, walk) ? 1 : 0;
            }
            CHECK_INT(below, 8);
            CHECK(above < 8);
            if (below < 8 || above == 8) {
                printf("figure %d, side %d: limit %.2f, walks on at %d moments below it and at %d above\n", index, side,
                    limit, below, above);
            }
        }
        figure_free(&f);
    }
}

// Godette wears a wide dress. Her soles are 0.092 m wide and 0.199 m long, and their middles 0.322 m apart, as her file's
// vertices say.
static void soles_are_those_on_the_ground(void)
{
    figure f;
    if (!figure_or_godette(FIGURES - 1, &f)) {
        SKIP("Godette of ../shared is not there");
        return;
    }
    scene_stagger_body body;
    CHECK_INT(scene_stagger_measure(f.avatar, f.gltf, &f.def, &body), VRM_SUCCESS);
    CHECK_NEAR(2.0 * body.half_width, 0.092, 0.002);
    CHECK_NEAR(2.0 * body.half_length, 0.199, 0.002);
    CHECK_NEAR(body.apart, 0.322, 0.002);
    // The feet's shapes, on which the figure balances, are as wide as the soles.
    CHECK_INT(scene_stagger_measure(f.avatar, NULL, &f.def, &body), VRM_SUCCESS);
    CHECK_NEAR(2.0 * body.half_width, 0.092, 0.004);
    CHECK_NEAR(body.apart, 0.322, 0.004);
    figure_free(&f);
}

static const test_case cases[] = {
    {"average_figures_agree_with_the_prototype", average_figures_agree_with_the_prototype},
    {"other_proportions_agree_with_the_prototype", other_proportions_agree_with_the_prototype},
    {"average_walks_agree_with_the_prototype", average_walks_agree_with_the_prototype},
    {"figures_stand_what_their_proportions_allow", figures_stand_what_their_proportions_allow},
    {"walks_bear_what_their_proportions_allow", walks_bear_what_their_proportions_allow},
    {"soles_are_those_on_the_ground", soles_are_those_on_the_ground},
};

RUN_TESTS(cases)
