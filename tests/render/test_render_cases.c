// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The renderer's features besides MToon's formulas: alpha, outlines, order, morph targets, skins, instances, lines.

#include "plain_instance.h"
#include "render_square.h"

static double encode(double c)
{
    return c <= 0.0031308 ? c * 12.92 * 255.0 : (1.055 * pow(c, 1.0 / 2.4) - 0.055) * 255.0;
}

static void alpha_is_blended_as_light_or_as_encoded_values(void)
{
    if (fixture_no_driver()) {
        SKIP("no OpenGL ES 3.0");
    }
    drawn *d = one_square("[0.8,0.5,0.1,0.25]", ",\"alphaMode\":\"BLEND\"");
    CHECK_INT(fixture_draw(d), VRM_SUCCESS);
    CHECK_NEAR(pixel(d, PICTURE / 2, PICTURE / 2)[0], encode(0.25 * 0.8 + 0.75 * 0.2), 1.0);
    CHECK_NEAR(pixel(d, PICTURE / 2, PICTURE / 2)[2], encode(0.25 * 0.1 + 0.75 * 0.2), 1.0);
    CHECK_NEAR(pixel(d, 2, 2)[0], encode(0.2), 1.0);
    d->scene.blend = VRM_RENDER_BLEND_ENCODED;
    CHECK_INT(fixture_draw(d), VRM_SUCCESS);
    CHECK_NEAR(pixel(d, PICTURE / 2, PICTURE / 2)[0], 0.25 * encode(0.8) + 0.75 * encode(0.2), 1.0);
    // Over an empty background, colour and alpha stay unchanged.
    for (int blend = 0; blend < 2; ++blend) {
        d->scene.blend = (vrm_render_blend)blend;
        d->scene.background = (vrm_vec4){0};
        CHECK_INT(fixture_draw(d), VRM_SUCCESS);
        CHECK_NEAR(pixel(d, PICTURE / 2, PICTURE / 2)[0], encode(0.8), 3.0);
        CHECK_NEAR(pixel(d, PICTURE / 2, PICTURE / 2)[3], 0.25 * 255, 1.0);
        CHECK_INT(pixel(d, 2, 2)[3], 0);
    }
    fixture_close(d);
}

// Returns the colour in the middle of a square with the given material, whose vertex colours have half brightness.
static int colored_square(const char *material)
{
    gltf_builder b = {0};
    vrm_result result;
    const float half[16] = {0.5f, 0.5f, 0.5f, 1, 0.5f, 0.5f, 0.5f, 1, 0.5f, 0.5f, 0.5f, 1, 0.5f, 0.5f, 0.5f, 1};
    char attributes[32];
    gltf_builder_add(&b, "nodes", "{\"mesh\":0}");
    snprintf(attributes, sizeof attributes, ",\"COLOR_0\":%u", gltf_builder_floats(&b, half, 16, 4, "VEC4"));
    add_square(&b, 0, 0, 0, attributes, "");
    gltf_builder_add(&b, "materials", "%s", material);
    drawn *d = begin(&b, &result);
    CHECK_INT(result, VRM_SUCCESS);
    CHECK_INT(fixture_draw(d), VRM_SUCCESS);
    const int red = pixel(d, PICTURE / 2, PICTURE / 2)[0];
    fixture_close(d);
    return red;
}

static void mtoon_leaves_out_colors_of_vertices(void)
{
    if (fixture_no_driver()) {
        SKIP("no OpenGL ES 3.0");
    }
    // The materials only emit, so light has no effect.
    const char *mtoon =
        "{\"pbrMetallicRoughness\":{\"baseColorFactor\":[0,0,0,1]},\"emissiveFactor\":[0.8,0.8,0.8],"
        "\"extensions\":{\"VRMC_materials_mtoon\":{\"specVersion\":\"1.0\",\"shadeColorFactor\":[0,0,0]}}}";
    const char *unlit = "{\"pbrMetallicRoughness\":{\"baseColorFactor\":[0.8,0.8,0.8,1]},"
                        "\"extensions\":{\"KHR_materials_unlit\":{}}}";
    const char *lit =
        "{\"extensions\":{\"VRMC_materials_mtoon\":{\"specVersion\":\"1.0\",\"shadeColorFactor\":[1,1,1]}}}";
    CHECK_NEAR(colored_square(unlit), encode(0.4), 1.5);
    CHECK_NEAR(colored_square(mtoon), encode(0.8), 1.5);
    CHECK(colored_square(lit) > 1.5 * encode(0.4)); // white in full light; vertex colours would halve it
}

static void masked_pixels_are_there_or_not(void)
{
    if (fixture_no_driver()) {
        SKIP("no OpenGL ES 3.0");
    }
    for (int i = 0; i < 2; ++i) {
        drawn *d = one_square("[0.8,0.5,0.1,0.4]",
            i == 0 ? ",\"alphaMode\":\"MASK\",\"alphaCutoff\":0.3" : ",\"alphaMode\":\"MASK\",\"alphaCutoff\":0.5");
        CHECK_INT(fixture_draw(d), VRM_SUCCESS);
        CHECK_NEAR(pixel(d, PICTURE / 2, PICTURE / 2)[0], encode(i == 0 ? 0.8 : 0.2), 1.0);
        fixture_close(d);
    }
}

static void a_back_face_is_culled_unless_double_sided(void)
{
    if (fixture_no_driver()) {
        SKIP("no OpenGL ES 3.0");
    }
    for (int i = 0; i < 2; ++i) {
        drawn *d = one_square("[0.8,0.5,0.1,1]", i == 0 ? "" : ",\"doubleSided\":true");
        d->scene.view[0] = d->scene.view[10] = -1.0; // from behind
        CHECK_INT(fixture_draw(d), VRM_SUCCESS);
        CHECK_NEAR(pixel(d, PICTURE / 2, PICTURE / 2)[0], encode(i == 0 ? 0.2 : 0.8), 1.0);
        fixture_close(d);
    }
}

// Red is behind green. The squares are transparent and in either order in the file; then green also gets a lower queue.
static void transparent_squares_are_drawn_by_queue_and_from_far_to_near(void)
{
    if (fixture_no_driver()) {
        SKIP("no OpenGL ES 3.0");
    }
    for (int i = 0; i < 4; ++i) {
        gltf_builder b = {0};
        vrm_result result;
        const bool swapped = i % 2 != 0, queued = i >= 2;
        gltf_builder_add(&b, "nodes", "{\"children\":[1,2]}");
        gltf_builder_add(&b, "nodes", "{\"mesh\":%d,\"translation\":[0,0,%d]}", swapped, swapped ? 1 : -1);
        gltf_builder_add(&b, "nodes", "{\"mesh\":%d,\"translation\":[0,0,%d]}", !swapped, swapped ? -1 : 1);
        for (int m = 0; m < 2; ++m) {
            add_square(&b, 0, 0, m, "", "");
            gltf_builder_add(&b, "materials",
                "{\"pbrMetallicRoughness\":{\"baseColorFactor\":[%d,%d,0,0.5]},\"alphaMode\":\"BLEND\",\"extensions\":{"
                "\"VRMC_materials_mtoon\":{\"specVersion\":\"1.0\",\"shadeColorFactor\":[%d,%d,0],"
                "\"renderQueueOffsetNumber\":%d}}}",
                m == 0, m == 1, m == 0, m == 1, queued && m == 1 ? -3 : 0);
        }
        drawn *d = begin(&b, &result);
        CHECK_INT(result, VRM_SUCCESS);
        d->scene.light_direction = (vrm_vec3){0, 0, 1};
        d->scene.light_color = (vrm_vec3){1, 1, 1};
        d->scene.ambient_up = d->scene.ambient_down = (vrm_vec3){0};
        CHECK_INT(fixture_draw(d), VRM_SUCCESS);
        // The square drawn last contributes half of its light, the square drawn before it a quarter.
        CHECK_NEAR(pixel(d, PICTURE / 2, PICTURE / 2)[0], encode(queued ? 0.55 : 0.3), 1.5);
        CHECK_NEAR(pixel(d, PICTURE / 2, PICTURE / 2)[1], encode(queued ? 0.3 : 0.55), 1.5);
        fixture_close(d);
    }
}

// Returns the number of red columns in the middle row.
static int red_pixels(const drawn *d)
{
    int count = 0;
    for (int x = 0; x < PICTURE; ++x) {
        const uint8_t *p = pixel(d, x, PICTURE / 2);
        count += p[0] > 200 && p[1] < 60;
    }
    return count;
}

static void outlines_are_as_wide_as_they_say(void)
{
    if (fixture_no_driver()) {
        SKIP("no OpenGL ES 3.0");
    }
    for (int i = 0; i < 2; ++i) {
        gltf_builder b = {0};
        vrm_result result;
        gltf_builder_add(&b, "nodes", "{\"mesh\":0}");
        fixture_sphere(&b);
        gltf_builder_add(&b, "materials",
            "{\"extensions\":{\"VRMC_materials_mtoon\":{\"specVersion\":\"1.0\",\"outlineWidthMode\":\"%s\","
            "\"outlineWidthFactor\":%g,"
            "\"outlineColorFactor\":[1,0,0],\"outlineLightingMixFactor\":0}}}",
            i == 0 ? "worldCoordinates" : "screenCoordinates", i == 0 ? 0.1 : 0.05);
        drawn *d = begin(&b, &result);
        CHECK_INT(result, VRM_SUCCESS);
        const double far = 8.0, half = 0.25;
        fixture_camera(d, far, half);
        CHECK_INT(fixture_draw(d), VRM_SUCCESS);
        // Half the width of a sphere's silhouette at this distance, in pixels.
        const double inner = 1.0 / sqrt(far * far - 1.0) / half * PICTURE / 2;
        const double outer = i == 0 ? 1.1 / sqrt(far * far - 1.21) / half * PICTURE / 2 : inner + 0.05 * PICTURE;
        CHECK_NEAR(red_pixels(d), 2.0 * (outer - inner), 2.5);
        d->scene.no_outlines = true;
        CHECK_INT(fixture_draw(d), VRM_SUCCESS);
        CHECK_INT(red_pixels(d), 0);
        fixture_close(d);
    }
}

// Finds the first and last column of the white square in the middle row.
static void find_square(const drawn *d, int *out_first, int *out_last)
{
    *out_first = *out_last = -1;
    for (int x = 0; x < PICTURE; ++x) {
        if (pixel(d, x, PICTURE / 2)[0] > 240) {
            *out_first = *out_first < 0 ? x : *out_first;
            *out_last = x;
        }
    }
}

static void morph_targets_move_vertices(void)
{
    if (fixture_no_driver()) {
        SKIP("no OpenGL ES 3.0");
    }
    gltf_builder b = {0};
    vrm_result result;
    char targets[200];
    // Target 0 moves all corners by 0.4, target 1 only the last two by 1. Both have the weight 0.5.
    const float all[12] = {0.4f, 0, 0, 0.4f, 0, 0, 0.4f, 0, 0, 0.4f, 0, 0},
                some[12] = {0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0};
    const uint32_t first =
        gltf_builder_accessor(&b, all, sizeof all, 5126, 4, "VEC3", ",\"min\":[0,0,0],\"max\":[1,1,1]");
    const uint32_t second =
        gltf_builder_accessor(&b, some, sizeof some, 5126, 4, "VEC3", ",\"min\":[0,0,0],\"max\":[1,1,1]");
    snprintf(targets, sizeof targets, ",\"targets\":[{\"POSITION\":%u},{\"POSITION\":%u}]", first, second);
    gltf_builder_add(&b, "nodes", "{\"mesh\":0}");
    add_square(&b, 0, 0, 0, "", targets);
    add_unlit(&b, "[1,1,1,1]", "");
    drawn *d = begin(&b, &result);
    CHECK_INT(result, VRM_SUCCESS);
    CHECK_INT(vrm_instance_set_morph(d->instance, 0, 0.5f), VRM_SUCCESS);
    CHECK_INT(vrm_instance_set_morph(d->instance, 1, 0.5f), VRM_SUCCESS);
    vrm_update_dt(d->instance, 0.0f);
    CHECK_INT(fixture_draw(d), VRM_SUCCESS);
    int left, right, top = 0;
    find_square(d, &left, &right);
    CHECK_NEAR(left, PICTURE * 0.35, 1.0);
    CHECK_NEAR(right, PICTURE * 0.85, 1.5);
    while (top < PICTURE && pixel(d, PICTURE * 6 / 10, top)[0] < 240) {
        ++top;
    }
    CHECK_NEAR(top, 0, 1.0); // the square has moved from 0.5 to 1.0 above the middle, which is the picture's edge
    fixture_close(d);
}

static void joints_carry_vertices(void)
{
    if (fixture_no_driver()) {
        SKIP("no OpenGL ES 3.0");
    }
    gltf_builder b = {0};
    vrm_result result;
    char attributes[80];
    const uint8_t joints[16] = {0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0};
    const float weights[16] = {0.5f, 0.5f, 0, 0, 0.5f, 0.5f, 0, 0, 0.5f, 0.5f, 0, 0, 0.5f, 0.5f, 0, 0};
    const uint32_t j = gltf_builder_accessor(&b, joints, sizeof joints, 5121, 4, "VEC4", "");
    const uint32_t w = gltf_builder_floats(&b, weights, 16, 4, "VEC4");
    snprintf(attributes, sizeof attributes, ",\"JOINTS_0\":%u,\"WEIGHTS_0\":%u", j, w);
    gltf_builder_add(&b, "nodes", "{\"children\":[1,2,3]}");
    gltf_builder_add(&b, "nodes", "{\"mesh\":0,\"skin\":0}");
    gltf_builder_add(&b, "nodes", "{}");
    gltf_builder_add(&b, "nodes", "{}");
    gltf_builder_add(&b, "skins", "{\"joints\":[2,3]}");
    add_square(&b, 0, 0, 0, attributes, "");
    add_unlit(&b, "[1,1,1,1]", "");
    drawn *d = begin(&b, &result);
    CHECK_INT(result, VRM_SUCCESS);
    const vrm_vec3 aside = {-0.6f, 0, 0};
    const int32_t node = vrm_avatar_find_gltf_node(d->avatar, 3);
    CHECK_INT(vrm_instance_set_translation(d->instance, (uint32_t)node, &aside), VRM_SUCCESS);
    vrm_update_dt(d->instance, 0.0f);
    CHECK_INT(fixture_draw(d), VRM_SUCCESS);
    int left, right;
    find_square(d, &left, &right);
    CHECK_NEAR(left, PICTURE * 0.1, 1.0); // the square is moved by half of 0.6
    CHECK_NEAR(right, PICTURE * 0.6, 1.5);
    fixture_close(d);
}

// With hundreds of targets and joints, the last target and the last joint move the square.
static void hundreds_of_morph_targets_and_joints(void)
{
    if (fixture_no_driver()) {
        SKIP("no OpenGL ES 3.0");
    }
    enum { MANY = 400 };
    gltf_builder b = {0};
    vrm_result result;
    char *list = calloc(MANY, 24), attributes[80];
    const float still[12] = {0}, up[12] = {0, 0.4f, 0, 0, 0.4f, 0, 0, 0.4f, 0, 0, 0.4f, 0};
    const uint16_t joints[16] = {MANY - 1, 0, 0, 0, MANY - 1, 0, 0, 0, MANY - 1, 0, 0, 0, MANY - 1, 0, 0, 0};
    const float weights[16] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
    const uint32_t none =
        gltf_builder_accessor(&b, still, sizeof still, 5126, 4, "VEC3", ",\"min\":[0,0,0],\"max\":[0,0,0]");
    const uint32_t last = gltf_builder_accessor(&b, up, sizeof up, 5126, 4, "VEC3", ",\"min\":[0,0,0],\"max\":[0,1,0]");
    const uint32_t j = gltf_builder_accessor(&b, joints, sizeof joints, 5123, 4, "VEC4", "");
    const uint32_t w = gltf_builder_floats(&b, weights, 16, 4, "VEC4");
    snprintf(attributes, sizeof attributes, ",\"JOINTS_0\":%u,\"WEIGHTS_0\":%u", j, w);
    strcpy(list, ",\"targets\":[");
    for (int i = 0; i < MANY; ++i) {
        snprintf(list + strlen(list), 24, "%s{\"POSITION\":%u}", i > 0 ? "," : "", i == MANY - 1 ? last : none);
    }
    strcat(list, "]");
    gltf_builder_add(&b, "nodes", "{\"children\":[1,2]}");
    gltf_builder_add(&b, "nodes", "{\"mesh\":0,\"skin\":0}");
    for (int i = 0; i < MANY; ++i) {
        gltf_builder_add(&b, "nodes", i < MANY - 1 ? "{\"children\":[%d]}" : "{}", i + 3);
    }
    add_square(&b, 0, 0, 0, attributes, list);
    for (int i = 0; i < MANY; ++i) {
        snprintf(list + (i == 0 ? 0 : strlen(list)), 24, "%s%d", i > 0 ? "," : "{\"joints\":[", i + 2);
    }
    strcat(list, "]}");
    gltf_builder_add(&b, "skins", "%s", list);
    free(list);
    add_unlit(&b, "[1,1,1,1]", "");
    drawn *d = begin(&b, &result);
    CHECK_INT(result, VRM_SUCCESS);
    const vrm_vec3 aside = {-0.3f, 0, 0};
    const int32_t node = vrm_avatar_find_gltf_node(d->avatar, MANY + 1);
    CHECK_INT(vrm_instance_set_translation(d->instance, (uint32_t)node, &aside), VRM_SUCCESS);
    CHECK_INT(vrm_instance_set_morph(d->instance, MANY - 1, 1.0f), VRM_SUCCESS);
    vrm_update_dt(d->instance, 0.0f);
    CHECK_INT(fixture_draw(d), VRM_SUCCESS);
    CHECK_INT(pixel(d, PICTURE / 2 - PICTURE * 38 / 100, PICTURE / 2)[0], 255); // left edge at -0.8
    CHECK(pixel(d, PICTURE / 2 + PICTURE / 5, PICTURE / 2)[0] < 240);           // right edge at 0.2
    CHECK_INT(pixel(d, PICTURE / 2, PICTURE * 8 / 100)[0], 255);                // top at 0.9
    CHECK(pixel(d, PICTURE / 2, PICTURE * 5 / 10 + PICTURE / 10)[0] < 240);     // bottom at -0.1
    fixture_close(d);
}

// Two instances share a model, each with its own position. An instance outside the view does not affect the other.
static void instances_share_a_model(void)
{
    if (fixture_no_driver()) {
        SKIP("no OpenGL ES 3.0");
    }
    drawn *d = one_square("[1,1,1,1]", "");
    vrm_instance *second = plain_instance(d->avatar);
    const double places[2] = {1.0, 40.0}; // half a square beyond the edge of the first square; out of sight
    for (int i = 0; i < 2; ++i) {
        const vrm_root root = {{places[i], 0, 0}, {0, 0, 0, 1}, 1.0f};
        CHECK_INT(vrm_instance_set_root(second, &root), VRM_SUCCESS);
        vrm_update_dt(second, 0.0f);
        const vrm_render_item items[2] = {
            {.model = d->model, .instance = d->instance}, {.model = d->model, .instance = second}};
        CHECK_INT(vrm_renderer_draw(d->renderer, &d->scene, items, 2), VRM_SUCCESS);
        CHECK_INT(vrm_renderer_read_pixels(d->renderer, d->pixels, sizeof d->pixels), VRM_SUCCESS);
        CHECK_INT(pixel(d, PICTURE / 2, PICTURE / 2)[0], 255);
        CHECK_INT(pixel(d, PICTURE * 9 / 10, PICTURE / 2)[0] == 255, i == 0);
    }
    vrm_instance_destroy(second);
    fixture_close(d);
}

static void far_from_the_origin_it_looks_the_same(void)
{
    if (fixture_no_driver()) {
        SKIP("no OpenGL ES 3.0");
    }
    drawn *d = one_square("[0.8,0.5,0.1,1]", "");
    uint8_t *near = malloc(sizeof d->pixels);
    CHECK_INT(fixture_draw(d), VRM_SUCCESS);
    memcpy(near, d->pixels, sizeof d->pixels);
    const vrm_root root = {{1e5, -2e5, 3e5}, {0, 0, 0, 1}, 1.0f};
    CHECK_INT(vrm_instance_set_root(d->instance, &root), VRM_SUCCESS);
    vrm_update_dt(d->instance, 0.0f);
    d->scene.view[12] -= root.translation.x;
    d->scene.view[13] -= root.translation.y;
    d->scene.view[14] -= root.translation.z;
    CHECK_INT(fixture_draw(d), VRM_SUCCESS);
    CHECK(memcmp(near, d->pixels, sizeof d->pixels) == 0);
    free(near);
    fixture_close(d);
}

static void many_materials_and_odd_primitives_are_drawn(void)
{
    if (fixture_no_driver()) {
        SKIP("no OpenGL ES 3.0");
    }
    gltf_builder b = {0};
    vrm_result result;
    gltf_builder_add(&b, "nodes", "{\"mesh\":0}");
    add_square(&b, 0, 0, 9999, "", "");
    for (int i = 0; i < 10000; ++i) {
        add_unlit(&b, i == 9999 ? "[1,1,1,1]" : "[0,0,0,1]", "");
    }
    // The square as a strip without indices, as a line, and without a material.
    const float p[12] = {-0.9f, 0.6f, 0, -0.6f, 0.6f, 0, -0.9f, 0.9f, 0, -0.6f, 0.9f, 0};
    const uint32_t at = gltf_builder_accessor(&b, p, sizeof p, 5126, 4, "VEC3", ",\"min\":[-1,0,0],\"max\":[0,1,0]");
    gltf_builder_add(&b, "meshes",
        "{\"primitives\":[{\"attributes\":{\"POSITION\":%u},\"mode\":5,\"material\":9999},{\"attributes\":{"
        "\"POSITION\":%u},\"mode\":1}]}",
        at, at);
    gltf_builder_find(&b, "nodes")->size = 0;
    gltf_builder_find(&b, "nodes")->count = 0;
    gltf_builder_add(&b, "nodes", "{\"children\":[1,2]}");
    gltf_builder_add(&b, "nodes", "{\"mesh\":0}");
    gltf_builder_add(&b, "nodes", "{\"mesh\":1}");
    drawn *d = begin(&b, &result);
    CHECK_INT(result, VRM_SUCCESS);
    CHECK_INT(fixture_draw(d), VRM_SUCCESS);
    CHECK_INT(pixel(d, PICTURE / 2, PICTURE / 2)[0], 255);
    CHECK_INT(pixel(d, PICTURE / 8, PICTURE / 8)[0], 255);
    vrm_render_statistics statistics = {.struct_size = sizeof statistics};
    vrm_render_model_get_statistics(d->model, &statistics);
    CHECK_INT(statistics.triangles, 4);
    fixture_close(d);
}

// Points, lines, a loop and a strip, drawn in red on white. They are unlit, since they have no normals.
static void points_and_lines_are_drawn(void)
{
    if (fixture_no_driver()) {
        SKIP("no OpenGL ES 3.0");
    }
    const float p[12] = {-0.5f, 0.01f, 0, 0.5f, 0.01f, 0, 0.5f, 0.71f, 0, -0.5f, 0.71f, 0};
    // Whether something is drawn in the middle of the lower side, of the right side and of the left side, and at a
    // corner.
    static const bool seen[4][4] = {
        {false, false, false, true}, {true, false, false, true}, {true, true, true, true}, {true, true, false, true}};
    for (int mode = 0; mode < 4; ++mode) {
        gltf_builder b = {0};
        vrm_result result;
        const uint32_t at =
            gltf_builder_accessor(&b, p, sizeof p, 5126, 4, "VEC3", ",\"min\":[-1,0,0],\"max\":[1,1,0]");
        gltf_builder_add(&b, "nodes", "{\"mesh\":0}");
        gltf_builder_add(
            &b, "meshes", "{\"primitives\":[{\"attributes\":{\"POSITION\":%u},\"mode\":%d,\"material\":0}]}", at, mode);
        gltf_builder_add(&b, "materials", "{\"pbrMetallicRoughness\":{\"baseColorFactor\":[1,0,0,1]}}");
        drawn *d = begin(&b, &result);
        CHECK_INT(result, VRM_SUCCESS);
        d->scene.background = (vrm_vec4){1, 1, 1, 1};
        CHECK_INT(fixture_draw(d), VRM_SUCCESS);
        const int places[4][2] = {{0, 0}, {1, 1}, {-1, 1}, {-1, 0}};
        for (int i = 0; i < 4; ++i) {
            int red = 0;
            for (int k = 0; k < 25; ++k) { // drivers differ in a line's position by up to a pixel
                const int x = PICTURE / 2 + places[i][0] * PICTURE / 4 + k % 5 - 2;
                const int y = PICTURE / 2 - (i == 1 || i == 2 ? PICTURE * 18 / 100 : 0) + k / 5 - 2;
                red += pixel(d, x, y)[1] < 200 && pixel(d, x, y)[0] > 250;
            }
            CHECK_INT(red > 0, seen[mode][i]);
        }
        fixture_close(d);
    }
}

static void channels_debug_lines_and_ground_are_drawn(void)
{
    if (fixture_no_driver()) {
        SKIP("no OpenGL ES 3.0");
    }
    drawn *d = one_square("[0.8,0.5,0.1,1]", "");
    d->scene.channel = VRM_RENDER_CHANNEL_NORMAL;
    CHECK_INT(fixture_draw(d), VRM_SUCCESS);
    CHECK_NEAR(pixel(d, PICTURE / 2, PICTURE / 2)[0], 127.5, 1.0);
    CHECK_NEAR(pixel(d, PICTURE / 2, PICTURE / 2)[2], 255.0, 1.0);
    d->scene.channel = VRM_RENDER_CHANNEL_COLOR;
    d->scene.debug = (VRM_RENDER_DEBUG_WIREFRAME << 1) - 1;
    d->scene.ground = true;
    CHECK_INT(fixture_draw(d), VRM_SUCCESS);
    int drawn_pixels = 0;
    for (int i = 0; i < PICTURE * PICTURE; ++i) {
        drawn_pixels += d->pixels[4 * i] != d->pixels[0];
    }
    CHECK(drawn_pixels > 200 && drawn_pixels < PICTURE * PICTURE / 2);
    CHECK_NEAR(pixel(d, PICTURE / 2 + 5, PICTURE / 2 + 20)[0], encode(0.2), 60.0); // only the square's edges are drawn
    fixture_close(d);
}

static const test_case cases[] = {
    {"alpha_is_blended_as_light_or_as_encoded_values", alpha_is_blended_as_light_or_as_encoded_values},
    {"mtoon_leaves_out_colors_of_vertices", mtoon_leaves_out_colors_of_vertices},
    {"masked_pixels_are_there_or_not", masked_pixels_are_there_or_not},
    {"a_back_face_is_culled_unless_double_sided", a_back_face_is_culled_unless_double_sided},
    {"transparent_squares_are_drawn_by_queue_and_from_far_to_near",
        transparent_squares_are_drawn_by_queue_and_from_far_to_near},
    {"outlines_are_as_wide_as_they_say", outlines_are_as_wide_as_they_say},
    {"morph_targets_move_vertices", morph_targets_move_vertices},
    {"joints_carry_vertices", joints_carry_vertices},
    {"hundreds_of_morph_targets_and_joints", hundreds_of_morph_targets_and_joints},
    {"instances_share_a_model", instances_share_a_model},
    {"far_from_the_origin_it_looks_the_same", far_from_the_origin_it_looks_the_same},
    {"many_materials_and_odd_primitives_are_drawn", many_materials_and_odd_primitives_are_drawn},
    {"points_and_lines_are_drawn", points_and_lines_are_drawn},
    {"channels_debug_lines_and_ground_are_drawn", channels_debug_lines_and_ground_are_drawn},
};

RUN_TESTS(cases)
