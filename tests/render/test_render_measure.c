// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Finds the extent of objects in a picture. The camera determines the squares' positions: an object that is 1 wide at z
// = 0 has half the picture's width.

#include "render_square.h"

#include "sample_avatar.h"

static vrm_render_extent measure(drawn *d, bool first_person)
{
    vrm_render_extent out = {0};
    const vrm_render_item item = {.model = d->model, .instance = d->instance, .first_person = first_person};
    CHECK_INT(vrm_renderer_measure(d->renderer, &d->scene, &item, 1, &out), VRM_SUCCESS);
    return out;
}

static void check_rectangle(const vrm_render_rectangle *r, double left, double right, double bottom, double top)
{
    CHECK_NEAR(r->left, left, 0.011);
    CHECK_NEAR(r->right, right, 0.011);
    CHECK_NEAR(r->bottom, bottom, 0.011);
    CHECK_NEAR(r->top, top, 0.011);
}

static void a_square_is_where_the_camera_puts_it(void)
{
    if (fixture_no_driver()) {
        SKIP("no OpenGL ES 3.0");
    }
    drawn *d = one_square("[0.8,0.5,0.1,1]", "");
    vrm_render_extent e = measure(d, false);
    check_rectangle(&e.whole, -0.5, 0.5, -0.5, 0.5);
    CHECK_NEAR(e.seen, 0.25, 0.01);
    CHECK_NEAR(e.covered, 0.25, 0.01);
    CHECK(e.head.left > e.head.right && e.head_and_hair.left > e.head_and_hair.right); // empty, since there is no head
    d->scene.view[12] = 0.25;                                                          // moves the square to the right
    d->scene.view[14] = -8.0;                                                          // halves the object's size
    e = measure(d, false);
    check_rectangle(&e.whole, -0.125, 0.375, -0.25, 0.25);
    d->scene.width = 2 * d->scene.height; // another aspect ratio, but the same matrices
    e = measure(d, false);
    check_rectangle(&e.whole, -0.125, 0.375, -0.25, 0.25);
    CHECK_NEAR(e.seen, 1.0 / 16.0, 0.005);
    d->scene.view[12] = 90.0; // outside the picture
    e = measure(d, false);
    CHECK(e.whole.left > e.whole.right);
    CHECK_NEAR(e.covered, 0.0, 0.0);
    fixture_close(d);
}

static void it_leaves_the_picture_and_the_next_one_as_they_are(void)
{
    if (fixture_no_driver()) {
        SKIP("no OpenGL ES 3.0");
    }
    static uint8_t before[sizeof((drawn *)0)->pixels];
    drawn *d = one_square("[0.8,0.5,0.1,0.5]", ",\"alphaMode\":\"BLEND\"");
    CHECK_INT(fixture_draw(d), VRM_SUCCESS);
    memcpy(before, d->pixels, sizeof before);
    (void)measure(d, false);
    CHECK_INT(vrm_renderer_read_pixels(d->renderer, d->pixels, sizeof d->pixels), VRM_SUCCESS);
    CHECK(memcmp(d->pixels, before, sizeof before) == 0);
    CHECK_INT(fixture_draw(d), VRM_SUCCESS);
    CHECK(memcmp(d->pixels, before, sizeof before) == 0);
    fixture_close(d);
}

static void what_alpha_and_sides_hide_is_not_seen(void)
{
    if (fixture_no_driver()) {
        SKIP("no OpenGL ES 3.0");
    }
    static const struct {
        const char *color, *more;
        bool from_behind;
        double seen, covered;
    } cases[] = {
        {"[1,1,1,0]", ",\"alphaMode\":\"BLEND\"", false, 0.0, 0.25},
        {"[1,1,1,0.01]", ",\"alphaMode\":\"BLEND\"", false, 0.0, 0.25},
        {"[1,1,1,0.03]", ",\"alphaMode\":\"BLEND\"", false, 0.25, 0.25},
        {"[1,1,1,0.4]", ",\"alphaMode\":\"MASK\",\"alphaCutoff\":0.5", false, 0.0, 0.25},
        {"[1,1,1,0.6]", ",\"alphaMode\":\"MASK\",\"alphaCutoff\":0.5", false, 0.25, 0.25},
        {"[1,1,1,0]", "", false, 0.25, 0.25}, // the material is opaque, so alpha has no effect
        {"[1,1,1,1]", "", true, 0.0, 0.0},
        {"[1,1,1,1]", ",\"doubleSided\":true", true, 0.25, 0.25},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        drawn *d = one_square(cases[i].color, cases[i].more);
        if (cases[i].from_behind) {
            d->scene.view[0] = d->scene.view[10] = -1.0;
        }
        const vrm_render_extent e = measure(d, false);
        CHECK_NEAR(e.seen, cases[i].seen, 0.01);
        CHECK_NEAR(e.covered, cases[i].covered, 0.01);
        fixture_close(d);
    }
}

static void morph_targets_move_it(void)
{
    if (fixture_no_driver()) {
        SKIP("no OpenGL ES 3.0");
    }
    for (int weight = 0; weight < 2; ++weight) {
        gltf_builder b = {0};
        vrm_result result;
        const float delta[12] = {0.3f, 0.2f, 0, 0.3f, 0.2f, 0, 0.3f, 0.2f, 0, 0.3f, 0.2f, 0};
        char targets[64];
        gltf_builder_add(&b, "nodes", "{\"mesh\":0,\"weights\":[%d]}", weight);
        snprintf(
            targets, sizeof targets, ",\"targets\":[{\"POSITION\":%u}]", gltf_builder_floats(&b, delta, 12, 4, "VEC3"));
        add_square(&b, 0, 0, 0, "", targets);
        add_unlit(&b, "[1,1,1,1]", "");
        drawn *d = begin(&b, &result);
        CHECK_INT(result, VRM_SUCCESS);
        const vrm_render_extent e = measure(d, false);
        check_rectangle(&e.whole, -0.5 + 0.3 * weight, 0.5 + 0.3 * weight, -0.5 + 0.2 * weight, 0.5 + 0.2 * weight);
        fixture_close(d);
    }
}

// The sample's head bone moves face and hair. Long hair is moved by springs that hang on the head bone.
static void head_and_hair_are_told_apart(void)
{
    if (fixture_no_driver()) {
        SKIP("no OpenGL ES 3.0");
    }
    drawn *d = calloc(1, sizeof *d);
    vrm_bytes sample = sample_bytes(1);
    d->bytes = sample.data;
    CHECK_INT(fixture_load(d, sample.size, NULL), VRM_SUCCESS);
    fixture_camera(d, 8.0, 0.125); // 2 m high
    d->scene.view[13] = -0.9;
    const vrm_render_extent e = measure(d, false);
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(d->instance, &out);
    const int32_t head = vrm_avatar_get_bone_node(d->avatar, VRM_HUMAN_BONE_HEAD);
    const double neck = (double)out.world[head].m[1][3] - 0.9;
    CHECK(e.whole.bottom < -0.85f && e.whole.top > 0.4f);
    CHECK(e.head.top > neck && e.head.top <= e.head_and_hair.top && e.head_and_hair.top <= e.whole.top + 1e-6f);
    CHECK_NEAR(e.head.bottom, neck, 0.1);
    CHECK(e.head_and_hair.bottom < e.head.bottom); // hair hangs down the back
    CHECK_NEAR(e.head.left + e.head.right, 0.0, 0.06);
    CHECK(
        measure(d, true).whole.top < e.whole.top - 0.05f); // in a first-person view the wearer's own head is not drawn
    const vrm_vec3 hips = {0.5f, 0.9f, 0.0f};
    CHECK_INT(vrm_instance_set_hips_position(d->instance, &hips), VRM_SUCCESS);
    vrm_update_dt(d->instance, 0.0f);
    const vrm_render_extent moved = measure(d, false);
    CHECK_NEAR(moved.head.left - e.head.left, 0.5, 0.02);
    fixture_close(d);
}

static void what_cannot_be_measured_is_refused(void)
{
    if (fixture_no_driver()) {
        SKIP("no OpenGL ES 3.0");
    }
    drawn *d = one_square("[1,1,1,1]", "");
    vrm_render_extent e;
    const vrm_render_item nobody = {.model = d->model};
    CHECK_INT(vrm_renderer_measure(d->renderer, &d->scene, &nobody, 1, &e), VRM_ERROR_INVALID_ARGUMENT);
    d->scene.width = 0;
    CHECK_INT(vrm_renderer_measure(d->renderer, &d->scene, NULL, 0, &e), VRM_ERROR_INVALID_ARGUMENT);
    d->scene.width = 10;
    CHECK_INT(vrm_renderer_measure(d->renderer, &d->scene, NULL, 0, &e), VRM_SUCCESS);
    CHECK(e.whole.left > e.whole.right);
    fixture_close(d);
}

static const test_case cases[] = {
    {"a_square_is_where_the_camera_puts_it", a_square_is_where_the_camera_puts_it},
    {"it_leaves_the_picture_and_the_next_one_as_they_are", it_leaves_the_picture_and_the_next_one_as_they_are},
    {"what_alpha_and_sides_hide_is_not_seen", what_alpha_and_sides_hide_is_not_seen},
    {"morph_targets_move_it", morph_targets_move_it},
    {"head_and_hair_are_told_apart", head_and_hair_are_told_apart},
    {"what_cannot_be_measured_is_refused", what_cannot_be_measured_is_refused},
};

RUN_TESTS(cases)
