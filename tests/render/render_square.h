// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef TESTS_RENDER_SQUARE_H
#define TESTS_RENDER_SQUARE_H

// Squares in front of the camera.

#include "render_fixture.h"

static inline const uint8_t *pixel(const drawn *d, int x, int y)
{
    return d->pixels + (y * PICTURE + x) * 4;
}

// Adds a square of half the picture's width, centred at (x, 0, z), with a material. `attributes` and `targets` are JSON
// or "".
static inline void add_square(
    gltf_builder *b, double x, double z, int material, const char *attributes, const char *targets)
{
    const float p[12] = {(float)x - 0.5f, -0.5f, (float)z, (float)x + 0.5f, -0.5f, (float)z, (float)x - 0.5f, 0.5f,
        (float)z, (float)x + 0.5f, 0.5f, (float)z};
    const uint16_t indices[6] = {0, 1, 2, 2, 1, 3};
    const float normals[12] = {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1};
    const uint32_t at = gltf_builder_accessor(b, p, sizeof p, 5126, 4, "VEC3", ",\"min\":[-5,-5,-5],\"max\":[5,5,5]");
    const uint32_t normal = gltf_builder_floats(b, normals, 12, 4, "VEC3");
    const uint32_t index = gltf_builder_accessor(b, indices, sizeof indices, 5123, 6, "SCALAR", "");
    gltf_builder_add(b, "meshes",
        "{\"primitives\":[{\"attributes\":{\"POSITION\":%u,\"NORMAL\":%u%s},\"indices\":%u,\"material\":%d%s}]}", at,
        normal, attributes, index, material, targets);
}

static inline void add_unlit(gltf_builder *b, const char *color, const char *more)
{
    gltf_builder_add(b, "materials",
        "{\"pbrMetallicRoughness\":{\"baseColorFactor\":%s},\"extensions\":{\"KHR_materials_unlit\":{}}%s}", color,
        more);
}

static inline drawn *begin(gltf_builder *b, vrm_result *out_result)
{
    drawn *d = calloc(1, sizeof *d);
    vrm_renderer_def def;
    vrm_renderer_def_default(&def);
    def.samples = 1;
    gltf_builder_member(b, "extensionsUsed", "[\"KHR_materials_unlit\",\"VRMC_materials_mtoon\"]");
    *out_result = fixture_open(d, b, &def);
    fixture_camera(d, 4.0, 0.25); // the picture is 2 wide at z = 0
    d->scene.background = (vrm_vec4){0.2f, 0.2f, 0.2f, 1.0f};
    return d;
}

static inline drawn *one_square(const char *color, const char *more)
{
    gltf_builder b = {0};
    vrm_result result;
    gltf_builder_add(&b, "nodes", "{\"mesh\":0}");
    add_square(&b, 0, 0, 0, "", "");
    add_unlit(&b, color, more);
    drawn *d = begin(&b, &result);
    CHECK_INT(result, VRM_SUCCESS);
    return d;
}

#endif
