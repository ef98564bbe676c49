// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The shadow of a horizontal square above the ground, seen from above. The shadow is where the light through the
// square's corners meets the ground; it is softer, the higher the square is.

#include "render_square.h"

// Creates a horizontal square of 1 m at a height. The picture shows the ground from -1 to 1, with x to the right and z
// down.
static drawn *level_square(double height, const char *color, const char *more)
{
    gltf_builder b = {0};
    vrm_result result;
    gltf_builder_add(
        &b, "nodes", "{\"mesh\":0,\"translation\":[0,%g,0],\"rotation\":[-0.70710678,0,0,0.70710678]}", height);
    add_square(&b, 0, 0, 0, "", "");
    add_unlit(&b, color, more);
    drawn *d = begin(&b, &result);
    CHECK_INT(result, VRM_SUCCESS);
    static const double above[16] = {1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 0, -4, 1};
    memcpy(d->scene.view, above, sizeof above);
    d->scene.light_direction = (vrm_vec3){1.0f, 1.0f, 0.0f};
    d->scene.shadow = true;
    return d;
}

// Returns the fraction of light that the ground loses by the shadow.
static double darkness(const drawn *d, double x, double z)
{
    const double c = pixel(d, (int)((x + 1.0) * 0.5 * PICTURE), (int)((z + 1.0) * 0.5 * PICTURE))[0] / 255.0;
    return 1.0 - (c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4)) / 0.2;
}

static void it_falls_where_the_light_through_the_square_goes(void)
{
    if (fixture_no_driver()) {
        SKIP("no OpenGL ES 3.0");
    }
    drawn *d = level_square(0.4, "[1,1,1,1]", ",\"doubleSided\":true");
    CHECK_INT(fixture_draw(d), VRM_SUCCESS); // the shadow is at x from -0.9 to 0.1; the square covers it from -0.56 on
    CHECK_NEAR(darkness(d, -0.7, 0.0), 0.42, 0.02);
    CHECK_NEAR(darkness(d, -0.7, 0.35), 0.42, 0.02);
    CHECK_NEAR(darkness(d, -0.9, 0.0), 0.21, 0.06);
    CHECK_NEAR(darkness(d, -0.98, 0.0), 0.0, 0.02);
    CHECK_NEAR(darkness(d, -0.7, 0.6), 0.0, 0.02);
    CHECK_NEAR(darkness(d, 0.7, 0.0), 0.0, 0.02);
    CHECK_NEAR(darkness(d, -0.7, -0.995), 0.0, 0.01); // and no grid
    d->scene.light_direction = (vrm_vec3){0.0f, 1.0f, -1.0f};
    CHECK_INT(fixture_draw(d), VRM_SUCCESS);
    CHECK_NEAR(darkness(d, -0.7, 0.0), 0.0, 0.02);
    CHECK_NEAR(darkness(d, 0.0, 0.7), 0.42, 0.02);
    d->scene.light_direction = (vrm_vec3){0.0f, -1.0f, -1.0f}; // from below
    CHECK_INT(fixture_draw(d), VRM_SUCCESS);
    CHECK_NEAR(darkness(d, 0.0, 0.7), 0.0, 0.01);
    d->scene.light_direction = (vrm_vec3){0.0f, 1.0f, -1.0f};
    d->scene.shadow = false;
    CHECK_INT(fixture_draw(d), VRM_SUCCESS);
    CHECK_NEAR(darkness(d, 0.0, 0.7), 0.0, 0.01);
    fixture_close(d);
}

// Returns the distance over which the ground beyond the edge is still darkened, metres.
static double width_of_edge(double height)
{
    drawn *d = level_square(height, "[1,1,1,1]", ",\"doubleSided\":true");
    d->scene.light_direction = (vrm_vec3){(float)(0.35 / height), 1.0f, 0.0f}; // the shadow's edge is at -0.85
    CHECK_INT(fixture_draw(d), VRM_SUCCESS);
    int none = 0;
    for (int x = 0; x < PICTURE / 6; ++x) {
        const double at = 2.0 * (x + 0.5) / PICTURE - 1.0;
        none += darkness(d, at, 0.0) < 0.04;
    }
    const int edge = (int)((1.0 - 0.85) * 0.5 * PICTURE);
    fixture_close(d);
    return 2.0 * (edge - none) / PICTURE;
}

static void what_is_high_has_a_soft_one(void)
{
    if (fixture_no_driver()) {
        SKIP("no OpenGL ES 3.0");
    }
    const double low = width_of_edge(0.1), high = width_of_edge(0.5);
    CHECK(low >= 0.0 && low < 0.04);
    CHECK(high > low + 0.03 && high < 0.12);
}

static void only_what_is_seen_has_one(void)
{
    if (fixture_no_driver()) {
        SKIP("no OpenGL ES 3.0");
    }
    static const struct {
        const char *color, *more;
        double dark;
    } cases[] = {{"[1,1,1,0.2]", ",\"alphaMode\":\"BLEND\"", 0.0}, {"[1,1,1,0.8]", ",\"alphaMode\":\"BLEND\"", 0.42},
        {"[1,1,1,0.2]", ",\"alphaMode\":\"MASK\"", 0.0}, {"[1,1,1,0.2]", "", 0.42}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        drawn *d = level_square(0.4, cases[i].color, cases[i].more);
        CHECK_INT(fixture_draw(d), VRM_SUCCESS);
        CHECK_NEAR(darkness(d, -0.7, 0.0), cases[i].dark, 0.02);
        fixture_close(d);
    }
}

// Far from the world's origin, floats are coarser than millimetres.
static void it_goes_with_the_root(void)
{
    if (fixture_no_driver()) {
        SKIP("no OpenGL ES 3.0");
    }
    drawn *d = level_square(0.4, "[1,1,1,1]", ",\"doubleSided\":true");
    vrm_root root;
    vrm_instance_get_root(d->instance, &root);
    root.translation = (vrm_dvec3){100000.0, 0.0, -50000.0};
    CHECK_INT(vrm_instance_set_root(d->instance, &root), VRM_SUCCESS);
    vrm_update_dt(d->instance, 0.0f);
    d->scene.view[12] = -100000.0;
    d->scene.view[13] = -50000.0;
    CHECK_INT(fixture_draw(d), VRM_SUCCESS);
    CHECK_NEAR(darkness(d, -0.7, 0.0), 0.42, 0.02);
    CHECK_NEAR(darkness(d, -0.98, 0.0), 0.0, 0.02);
    CHECK_NEAR(darkness(d, 0.7, 0.0), 0.0, 0.02);
    fixture_close(d);
}

static const test_case cases[] = {
    {"it_falls_where_the_light_through_the_square_goes", it_falls_where_the_light_through_the_square_goes},
    {"what_is_high_has_a_soft_one", what_is_high_has_a_soft_one},
    {"only_what_is_seen_has_one", only_what_is_seen_has_one},
    {"it_goes_with_the_root", it_goes_with_the_root},
};

RUN_TESTS(cases)
