// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Compares the sample avatar with the last reviewed pictures, tests/render/golden/*.png, which Mesa's software driver
// drew. After an intended change VRM_RENEW=1 writes the pictures again; review them. Other drivers draw edges
// differently, so there is a tolerance. Deliberately broken shaders show that the tolerance is narrow enough.

#include <vrm/sample.h>

#include "minimal_sample.h"
#include "render_fixture.h"

enum { WIDE = PICTURE, BYTES = WIDE * WIDE * 4 };

// Limits over the figure: the fraction of pixels that differ by more than 32 levels, and the mean difference in levels.
static const double most_off = 0.03, most_mean = 2.0;

typedef struct golden {
    const char *name;
    double eye[3], middle[3], half; // half: tangent of half the field of view
    const char *expression;
    bool encoded, transparent, ground, first_person;
    uint32_t debug;
    vrm_render_channel channel;
} golden;

static const golden goldens[] = {
    {.name = "body", .eye = {0.9, 1.2, 4.4}, .middle = {0, 0.78, 0}, .half = 0.21, .ground = true},
    {.name = "face",
        .eye = {-0.3, 1.5, 1.1},
        .middle = {0, 1.4, 0},
        .half = 0.17,
        .expression = "happy",
        .encoded = true},
    {.name = "back", .eye = {-1.0, 1.5, -2.6}, .middle = {0, 1.1, 0}, .half = 0.22, .transparent = true},
    {.name = "inside",
        .eye = {0.4, 1.0, 4.4},
        .middle = {0, 0.8, 0},
        .half = 0.2,
        .debug = VRM_RENDER_DEBUG_WIREFRAME - 1},
    {.name = "normals",
        .eye = {0.6, 1.3, 1.6},
        .middle = {0, 1.25, 0},
        .half = 0.25,
        .channel = VRM_RENDER_CHANNEL_NORMAL},
    {.name = "shading",
        .eye = {0.6, 1.3, 1.6},
        .middle = {0, 1.25, 0},
        .half = 0.25,
        .channel = VRM_RENDER_CHANNEL_SHADING},
    {.name = "own",
        .eye = {0, 1.42, 0.1},
        .middle = {0.1, 0.2, 0.6},
        .half = 0.9,
        .first_person = true,
        .ground = true},
};

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; ++i) {
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
    }
}

static void aim(drawn *d, const golden *g)
{
    const double up[3] = {0, 1, 0};
    double rows[3][3];
    fixture_camera(d, 0.0, g->half);
    for (int i = 0; i < 3; ++i) {
        rows[2][i] = g->eye[i] - g->middle[i];
    }
    cross(up, rows[2], rows[0]);
    cross(rows[2], rows[0], rows[1]);
    for (int r = 0; r < 3; ++r) {
        const double length = sqrt(rows[r][0] * rows[r][0] + rows[r][1] * rows[r][1] + rows[r][2] * rows[r][2]);
        d->scene.view[12 + r] = 0.0;
        for (int c = 0; c < 3; ++c) {
            d->scene.view[4 * c + r] = rows[r][c] / length;
            d->scene.view[12 + r] -= rows[r][c] / length * g->eye[c];
        }
    }
}

static void pose(drawn *d, const golden *g)
{
    const vrm_quat left = {0, 0, -0.5f, 0.8660254f}, right = {0, 0, 0.5f, 0.8660254f};
    vrm_instance_reset(d->instance);
    vrm_instance_set_normalized_rotation(d->instance, VRM_HUMAN_BONE_LEFT_UPPER_ARM, &left);
    vrm_instance_set_normalized_rotation(d->instance, VRM_HUMAN_BONE_RIGHT_UPPER_ARM, &right);
    vrm_instance_set_look_at_angles(d->instance, 0.3f, -0.1f);
    if (g->expression != NULL) {
        const int32_t index = vrm_avatar_find_expression(d->avatar, g->expression, strlen(g->expression));
        vrm_instance_set_expression(d->instance, VRM_EXPRESSION_LAYER_HOST, (uint32_t)index, 0.8f);
    }
    vrm_update_dt(d->instance, 0.0f);
}

static vrm_result draw(drawn *d, const golden *g)
{
    pose(d, g);
    aim(d, g);
    d->scene.background = g->transparent ? (vrm_vec4){0} : (vrm_vec4){0.75f, 0.8f, 0.9f, 1};
    d->scene.blend = g->encoded ? VRM_RENDER_BLEND_ENCODED : VRM_RENDER_BLEND_LINEAR;
    d->scene.ground = g->ground;
    d->scene.debug = g->debug;
    d->scene.channel = g->channel;
    const vrm_render_item item = {.model = d->model, .instance = d->instance, .first_person = g->first_person};
    const vrm_result result = vrm_renderer_draw(d->renderer, &d->scene, &item, 1);
    return result == VRM_SUCCESS ? vrm_renderer_read_pixels(d->renderer, d->pixels, sizeof d->pixels) : result;
}

static drawn *open_sample(const char *prelude, vrm_result *out_result)
{
    drawn *d = calloc(1, sizeof *d);
    vrm_bytes sample;
    vrm_renderer_def def;
    vrm_renderer_def_default(&def);
    def.shader_prelude = prelude;
    CHECK_INT(scene_minimal_sample(0, &sample), VRM_SUCCESS);
    d->bytes = malloc(sample.size);
    memcpy(d->bytes, sample.data, sample.size);
    *out_result = fixture_load(d, sample.size, &def);
    vrm_bytes_free(&sample);
    return d;
}

static void name_file(char *out, size_t size, const char *name)
{
    snprintf(out, size, "tests/render/golden/%s.png", name);
}

static bool read_golden(const char *name, uint8_t *pixels)
{
    char path[64];
    name_file(path, sizeof path, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return false;
    }
    spng_ctx *png = spng_ctx_new(0);
    spng_set_png_file(png, file);
    const bool good = spng_decode_image(png, pixels, BYTES, SPNG_FMT_RGBA8, SPNG_DECODE_TRNS) == 0;
    spng_ctx_free(png);
    fclose(file);
    return good;
}

static void write_golden(const char *name, const uint8_t *pixels)
{
    char path[64];
    name_file(path, sizeof path, name);
    FILE *file = fopen(path, "wb");
    spng_ctx *png = spng_ctx_new(SPNG_CTX_ENCODER);
    struct spng_ihdr header = {.width = WIDE, .height = WIDE, .bit_depth = 8, .color_type = 6};
    spng_set_png_file(png, file);
    spng_set_ihdr(png, &header);
    spng_set_option(png, SPNG_IMG_COMPRESSION_LEVEL, 9);
    CHECK_INT(spng_encode_image(png, pixels, BYTES, SPNG_FMT_PNG, SPNG_ENCODE_FINALIZE), 0);
    spng_ctx_free(png);
    fclose(file);
}

// Returns true if two pictures agree within the tolerance.
static bool alike(const uint8_t *a, const uint8_t *b, double *out_off, double *out_mean)
{
    int figure = 0, off = 0;
    double sum = 0.0;
    for (int i = 0; i < WIDE * WIDE; ++i) {
        int background = 0, difference = 0;
        for (int c = 0; c < 4; ++c) {
            const int one = abs((int)a[4 * i + c] - (int)b[4 * i + c]);
            difference = one > difference ? one : difference;
            background += a[4 * i + c] == a[c] && b[4 * i + c] == a[c];
        }
        figure += background != 4;
        off += difference > 32;
        sum += difference;
    }
    *out_off = (double)off / figure;
    *out_mean = sum / figure;
    return figure > 1000 && *out_off <= most_off && *out_mean <= most_mean;
}

static void the_sample_looks_as_it_did(void)
{
    if (fixture_no_driver()) {
        SKIP("no OpenGL ES 3.0");
    }
    vrm_result result;
    drawn *d = open_sample(NULL, &result);
    uint8_t *golden_pixels = malloc(BYTES);
    CHECK_INT(result, VRM_SUCCESS);
    for (size_t i = 0; i < sizeof goldens / sizeof goldens[0]; ++i) {
        double off = 1.0, mean = 255.0;
        CHECK_INT(draw(d, &goldens[i]), VRM_SUCCESS);
        if (getenv("VRM_RENEW") != NULL) {
            write_golden(goldens[i].name, d->pixels);
        }
        CHECK(read_golden(goldens[i].name, golden_pixels));
        CHECK(alike(d->pixels, golden_pixels, &off, &mean));
        if (off > most_off || mean > most_mean) {
            printf("  %s: %.2f %% off, mean %.2f\n", goldens[i].name, 100.0 * off, mean);
        }
    }
    free(golden_pixels);
    fixture_close(d);
}

// Breaks each shader by a macro before its text, and compares the picture that is fastest to draw.
static void a_broken_shader_is_noticed(void)
{
    static const struct {
        const char *break_by, *picture;
    } breaks[] = {
        {"#define texture(sampler, uv) vec4(1.0)\n", "face"},
        {"#define texelFetch(sampler, place, level) vec4(0.02)\n", "normals"},
        {"#define pow(a, b) (a)\n", "normals"},
    };
    if (fixture_no_driver() || getenv("VRM_SANITIZE") != NULL) {
        SKIP("no OpenGL ES 3.0, or sanitizers, which drivers' compilers do not have");
    }
    uint8_t *golden_pixels = malloc(BYTES);
    for (size_t k = 0; k < sizeof breaks / sizeof breaks[0]; ++k) {
        vrm_result result;
        drawn *d = open_sample(breaks[k].break_by, &result);
        CHECK_INT(result, VRM_SUCCESS);
        for (size_t i = 0; i < sizeof goldens / sizeof goldens[0]; ++i) {
            double off, mean;
            if (strcmp(goldens[i].name, breaks[k].picture) == 0) {
                CHECK_INT(draw(d, &goldens[i]), VRM_SUCCESS);
                CHECK(read_golden(goldens[i].name, golden_pixels));
                CHECK(!alike(d->pixels, golden_pixels, &off, &mean));
            }
        }
        fixture_close(d);
    }
    free(golden_pixels);
}

static const test_case cases[] = {
    {"the_sample_looks_as_it_did", the_sample_looks_as_it_did},
    {"a_broken_shader_is_noticed", a_broken_shader_is_noticed},
};

RUN_TESTS(cases)
