// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef TESTS_RENDER_FIXTURE_H
#define TESTS_RENDER_FIXTURE_H

// Draws a sphere or a square without a display, with a material given as JSON. Texture coordinates are linear in the
// position, so that they are exact in every pixel: u = 0.5 + 0.5 x, v = 0.5 - 0.5 y.

#include <math.h>

#include <vrm_render/render.h>

#include <spng.h>

#include "gltf_builder.h"
#include "test.h"

enum { PICTURE = 192, TEXELS = 16 };

typedef struct drawn {
    vrm_gltf *gltf;
    vrm_avatar *avatar;
    vrm_instance *instance;
    vrm_render_context *context;
    vrm_renderer *renderer;
    vrm_render_model *model;
    vrm_report *report;
    vrm_render_scene scene;
    uint8_t pixels[PICTURE * PICTURE * 4];
    uint8_t *bytes;
} drawn;

// Returns channel c of texel (x, y), 0 to 255. Texels vary smoothly and differently in each channel.
static inline int texel(int x, int y, int c)
{
    return c == 0 ? 40 + 12 * x : c == 1 ? 240 - 9 * y : c == 2 ? 30 + 6 * x + 6 * y : 255;
}

static inline void *fixture_png(int width, int height, size_t *out_size)
{
    uint8_t *pixels = malloc((size_t)(width * height * 4));
    for (int i = 0; i < width * height * 4; ++i) {
        pixels[i] = (uint8_t)texel(i / 4 % width, i / 4 / width, i % 4);
    }
    spng_ctx *png = spng_ctx_new(SPNG_CTX_ENCODER);
    struct spng_ihdr header = {.width = (uint32_t)width, .height = (uint32_t)height, .bit_depth = 8, .color_type = 6};
    int error = 0;
    spng_set_option(png, SPNG_ENCODE_TO_BUFFER, 1);
    spng_set_ihdr(png, &header);
    spng_encode_image(png, pixels, (size_t)(width * height * 4), SPNG_FMT_PNG, SPNG_ENCODE_FINALIZE);
    void *bytes = spng_get_png_buffer(png, out_size, &error);
    spng_ctx_free(png);
    free(pixels);
    return bytes;
}

// Adds a mesh with material 0: a sphere of radius 1 about the origin.
static inline void fixture_sphere(gltf_builder *b)
{
    enum { RINGS = 96, SIDES = 192, COUNT = (RINGS + 1) * (SIDES + 1) };
    float *p = malloc(COUNT * 3 * sizeof *p), *uv = malloc(COUNT * 2 * sizeof *uv);
    uint16_t *indices = malloc(RINGS * SIDES * 6 * sizeof *indices);
    for (int i = 0; i < COUNT; ++i) {
        const double theta = 3.14159265358979 * (i / (SIDES + 1)) / RINGS;
        const double phi = 2.0 * 3.14159265358979 * (i % (SIDES + 1)) / SIDES;
        p[3 * i] = (float)(sin(theta) * sin(phi));
        p[3 * i + 1] = (float)cos(theta);
        p[3 * i + 2] = (float)(sin(theta) * cos(phi));
        uv[2 * i] = 0.5f + 0.5f * p[3 * i];
        uv[2 * i + 1] = 0.5f - 0.5f * p[3 * i + 1];
    }
    for (int i = 0; i < RINGS * SIDES; ++i) {
        const int a = i / SIDES * (SIDES + 1) + i % SIDES, c = a + SIDES + 1;
        const int corners[6] = {a, c, a + 1, a + 1, c, c + 1};
        for (int k = 0; k < 6; ++k) {
            indices[6 * i + k] = (uint16_t)corners[k];
        }
    }
    const uint32_t positions =
        gltf_builder_accessor(b, p, COUNT * 12, 5126, COUNT, "VEC3", ",\"min\":[-1,-1,-1],\"max\":[1,1,1]");
    const uint32_t uvs = gltf_builder_floats(b, uv, COUNT * 2, COUNT, "VEC2");
    const uint32_t index =
        gltf_builder_accessor(b, indices, RINGS * SIDES * 6 * sizeof *indices, 5123, RINGS * SIDES * 6, "SCALAR", "");
    gltf_builder_add(b, "meshes",
        "{\"primitives\":[{\"attributes\":{\"POSITION\":%u,\"NORMAL\":%u,\"TEXCOORD_0\":%u},\"indices\":%u,"
        "\"material\":0}]}",
        positions, positions, uvs, index);
    free(p);
    free(uv);
    free(indices);
}

static inline void fixture_texture(gltf_builder *b)
{
    size_t size = 0;
    void *png = fixture_png(TEXELS, TEXELS, &size);
    const uint32_t view = gltf_builder_view(b, png, size, "");
    free(png);
    gltf_builder_add(b, "images", "{\"bufferView\":%u,\"mimeType\":\"image/png\"}", view);
    gltf_builder_add(b, "samplers", "{\"magFilter\":9729,\"minFilter\":9729}");
    gltf_builder_add(b, "textures", "{\"source\":0,\"sampler\":0}");
}

static inline bool fixture_no_driver(void)
{
    vrm_render_context *context;
    if (vrm_render_context_create(&context, NULL) != VRM_SUCCESS) {
        return true;
    }
    vrm_render_context_destroy(context);
    return false;
}

// Loads d->bytes and sets the other members of `d`.
static inline vrm_result fixture_load(drawn *d, size_t size, const vrm_renderer_def *def)
{
    vrm_avatar_def plain;
    vrm_avatar_def_default(&plain);
    plain.allow_plain_gltf = true;
    vrm_instance_def instance;
    vrm_instance_def_default(&instance);
    vrm_report_create(NULL, &d->report);
    vrm_render_scene_default(&d->scene);
    d->scene.width = d->scene.height = PICTURE;
    vrm_result result = vrm_gltf_load(NULL, d->bytes, size, d->report, &d->gltf);
    result = result == VRM_SUCCESS ? vrm_avatar_import(&plain, d->gltf, d->report, &d->avatar) : result;
    instance.avatar = d->avatar;
    result = result == VRM_SUCCESS ? vrm_instance_create(&instance, &d->instance) : result;
    CHECK_INT(result, VRM_SUCCESS);
    for (uint32_t i = 0; result != VRM_SUCCESS && i < vrm_report_get_count(d->report); ++i) {
        const vrm_finding *f = vrm_report_get_finding(d->report, i);
        printf("%s %s\n", vrm_finding_get_info(f->id)->name, f->path);
    }
    if (result != VRM_SUCCESS || vrm_render_context_create(&d->context, NULL) != VRM_SUCCESS) {
        return VRM_ERROR_NOT_FOUND;
    }
    vrm_update_dt(d->instance, 0.0f);
    vrm_report_clear(d->report);
    result = vrm_renderer_create(def, &d->renderer);
    return result == VRM_SUCCESS ? vrm_render_model_create(d->renderer, d->gltf, d->avatar, d->report, &d->model)
                                 : result;
}

static inline vrm_result fixture_open(drawn *d, gltf_builder *b, const vrm_renderer_def *def)
{
    size_t size = 0;
    gltf_builder_add(b, "scenes", "{\"nodes\":[0]}");
    gltf_builder_member(b, "scene", "0");
    d->bytes = gltf_builder_glb(b, &size);
    gltf_builder_free(b);
    return fixture_load(d, size, def);
}

static inline vrm_result fixture_draw(drawn *d)
{
    const vrm_render_item item = {.model = d->model, .instance = d->instance};
    const vrm_result result = vrm_renderer_draw(d->renderer, &d->scene, &item, 1);
    return result == VRM_SUCCESS ? vrm_renderer_read_pixels(d->renderer, d->pixels, sizeof d->pixels) : result;
}

static inline void fixture_close(drawn *d)
{
    vrm_instance_destroy(d->instance);
    vrm_render_model_destroy(d->model);
    vrm_renderer_destroy(d->renderer);
    vrm_render_context_destroy(d->context);
    vrm_avatar_release(d->avatar);
    vrm_gltf_destroy(d->gltf);
    vrm_report_destroy(d->report);
    free(d->bytes);
    free(d);
}

// Sets a camera at (0, 0, distance) that looks along -z. `half` is the tangent of half its field of view.
static inline void fixture_camera(drawn *d, double distance, double half)
{
    const double near = 0.1, far = 20.0;
    d->scene.view[14] = -distance;
    memset(d->scene.projection, 0, sizeof d->scene.projection);
    d->scene.projection[0] = d->scene.projection[5] = (float)(1.0 / half);
    d->scene.projection[10] = (float)((far + near) / (near - far));
    d->scene.projection[11] = -1.0f;
    d->scene.projection[14] = (float)(2.0 * far * near / (near - far));
}

#endif
