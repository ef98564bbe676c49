// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "sample/surface.h"

#include <string.h>

// The portrait in the file: the figure's own triangles in parallel projection, with their textures and two tones of
// light. It is drawn at twice its size and averaged.

#define SIZE 256u
#define DETAIL 512u

typedef struct canvas {
    const vrmi_sample_figure *figure;
    float *depth;
    uint8_t *color; // RGB
    float left, top, scale;
} canvas;

static vrm_vec3 texel(const vrmi_sample_image *image, float u, float v)
{
    u -= (float)(int)u;
    v = vrmi_clamp(v, 0.0f, 0.9999f);
    const uint32_t x = (uint32_t)(vrmi_clamp(u, 0.0f, 0.9999f) * (float)image->width);
    const uint32_t y = (uint32_t)(v * (float)image->height);
    const uint8_t *p = image->rgba + ((size_t)y * image->width + x) * 4;
    return vrmi_vec3((float)p[0] / 255.0f, (float)p[1] / 255.0f, (float)p[2] / 255.0f);
}

static vrm_vec3 to_canvas(const canvas *c, vrm_vec3 p)
{
    return vrmi_vec3((p.x - c->left) * c->scale, (c->top - p.y) * c->scale, p.z);
}

static float edge(vrm_vec3 a, vrm_vec3 b, float x, float y)
{
    return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
}

static int pixel_floor(float x)
{
    return (int)vrmi_clamp(x, 0.0f, (float)(DETAIL - 1));
}

static void draw_triangle(canvas *c, const vrmi_sample_vertex *v[3], const vrmi_sample_material *how)
{
    vrm_vec3 p[3];
    for (int i = 0; i < 3; ++i) {
        p[i] = to_canvas(c, v[i]->position);
    }
    // The picture's y axis points down, so triangles that face the viewer have a negative area.
    const float area = edge(p[0], p[1], p[2].x, p[2].y);
    if (area >= -1e-6f) {
        return;
    }
    const int x0 = pixel_floor(vrmi_min(p[0].x, vrmi_min(p[1].x, p[2].x)));
    const int x1 = pixel_floor(vrmi_max(p[0].x, vrmi_max(p[1].x, p[2].x)));
    const int y0 = pixel_floor(vrmi_min(p[0].y, vrmi_min(p[1].y, p[2].y)));
    const int y1 = pixel_floor(vrmi_max(p[0].y, vrmi_max(p[1].y, p[2].y)));
    const vrm_vec3 light = {0.35f, 0.50f, 0.79f};
    for (int y = y0; y <= y1; ++y) {
        for (int x = x0; x <= x1; ++x) {
            const float px = (float)x + 0.5f, py = (float)y + 0.5f;
            const float w[3] = {
                edge(p[1], p[2], px, py) / area, edge(p[2], p[0], px, py) / area, edge(p[0], p[1], px, py) / area};
            if (w[0] < 0.0f || w[1] < 0.0f || w[2] < 0.0f) {
                continue;
            }
            const float z = w[0] * p[0].z + w[1] * p[1].z + w[2] * p[2].z;
            const size_t at = (size_t)y * DETAIL + (size_t)x;
            if (z <= c->depth[at]) {
                continue;
            }
            c->depth[at] = how->blend == VRMI_SAMPLE_BLEND ? c->depth[at] : z;
            float u = 0.0f, t = 0.0f, lit = 0.0f;
            for (int i = 0; i < 3; ++i) {
                u += w[i] * v[i]->u;
                t += w[i] * v[i]->v;
                lit += w[i] * vrmi_vec3_dot(v[i]->normal, light);
            }
            vrm_vec3 color =
                how->image == VRMI_SAMPLE_NO_IMAGE ? how->flat : texel(&c->figure->images[how->image], u, t);
            const vrm_vec3 dark = vrmi_vec3_mul(color, how->portrait_shade);
            color = vrmi_vec3_lerp(dark, color, vrmi_sample_smooth(0.10f, 0.20f, lit));
            c->color[at * 3] = (uint8_t)(color.x * 255.0f + 0.5f);
            c->color[at * 3 + 1] = (uint8_t)(color.y * 255.0f + 0.5f);
            c->color[at * 3 + 2] = (uint8_t)(color.z * 255.0f + 0.5f);
        }
    }
}

static void draw_part(canvas *c, int part)
{
    const vrmi_sample_plan *plan = c->figure->plan;
    const vrmi_sample_part *source = &c->figure->parts[part];
    const vrmi_sample_node *pin = &c->figure->nodes[c->figure->helpers.pin];
    const bool is_rigid = plan->meshes[plan->parts[part].mesh].is_rigid;
    for (uint32_t i = 0; i < source->index_count; i += 3) {
        vrmi_sample_vertex corners[3];
        const vrmi_sample_vertex *v[3];
        for (uint32_t k = 0; k < 3; ++k) {
            corners[k] = source->vertices[source->indices[i + k]];
            if (is_rigid) {
                corners[k].position =
                    vrmi_vec3_add(pin->position, vrmi_quat_rotate(pin->rotation, corners[k].position));
                corners[k].normal = vrmi_quat_rotate(pin->rotation, corners[k].normal);
            }
            v[k] = &corners[k];
        }
        draw_triangle(c, v, &c->figure->materials[part]);
    }
}

// Draws all parts. Materials that write no depth are drawn last, in the order of their queue. Materials that are
// transparent at rest are skipped.
static void draw_figure(canvas *c)
{
    for (int queue = -10; queue <= 0; ++queue) {
        for (int part = 0; part < c->figure->plan->part_count; ++part) {
            const vrmi_sample_material *how = &c->figure->materials[part];
            const int own = how->blend == VRMI_SAMPLE_BLEND ? how->queue : -10;
            if (own == queue && how->alpha > 0.0f) {
                draw_part(c, part);
            }
        }
    }
}

static void draw_background(canvas *c)
{
    const vrmi_sample_style *style = &c->figure->style;
    const vrm_vec3 pale = vrmi_vec3_lerp(style->hair_tip, vrmi_vec3(1.0f, 1.0f, 1.0f), 0.72f);
    const vrm_vec3 deep = vrmi_vec3_lerp(style->hair, vrmi_vec3(1.0f, 1.0f, 1.0f), 0.45f);
    for (uint32_t y = 0; y < DETAIL; ++y) {
        const vrm_vec3 color = vrmi_vec3_lerp(pale, deep, (float)y / (float)DETAIL);
        for (uint32_t x = 0; x < DETAIL; ++x) {
            const size_t at = (size_t)y * DETAIL + x;
            c->depth[at] = -1e9f;
            c->color[at * 3] = (uint8_t)(color.x * 255.0f + 0.5f);
            c->color[at * 3 + 1] = (uint8_t)(color.y * 255.0f + 0.5f);
            c->color[at * 3 + 2] = (uint8_t)(color.z * 255.0f + 0.5f);
        }
    }
}

// Whether the depth jumps at a pixel. Lines are drawn there, like the outlines of the materials.
static bool at_edge(const canvas *c, uint32_t x, uint32_t y)
{
    const float here = c->depth[(size_t)y * DETAIL + x];
    for (int k = 0; k < 4; ++k) {
        const uint32_t nx = x + (k == 0 ? 1u : 0u) - (k == 1 ? 1u : 0u),
                       ny = y + (k == 2 ? 1u : 0u) - (k == 3 ? 1u : 0u);
        if (nx < DETAIL && ny < DETAIL && c->depth[(size_t)ny * DETAIL + nx] - here > 0.008f) {
            return true;
        }
    }
    return false;
}

static void average(const canvas *c, uint8_t *rgba)
{
    for (uint32_t y = 0; y < SIZE; ++y) {
        for (uint32_t x = 0; x < SIZE; ++x) {
            bool is_edge[4];
            for (uint32_t s = 0; s < 4; ++s) {
                is_edge[s] = at_edge(c, x * 2 + s % 2, y * 2 + s / 2);
            }
            for (uint32_t k = 0; k < 3; ++k) {
                uint32_t sum = 0;
                for (uint32_t s = 0; s < 4; ++s) {
                    const uint32_t sx = x * 2 + s % 2, sy = y * 2 + s / 2;
                    const uint32_t value = c->color[((size_t)sy * DETAIL + sx) * 3 + k];
                    sum += is_edge[s] ? value * 45 / 100 : value;
                }
                rgba[((size_t)y * SIZE + x) * 4 + k] = (uint8_t)((sum + 2) / 4);
            }
            rgba[((size_t)y * SIZE + x) * 4 + 3] = 255;
        }
    }
}

bool vrmi_sample_paint_thumbnail(vrmi_sample_figure *figure)
{
    vrmi_sample_image *image = &figure->images[0];
    image->width = image->height = SIZE;
    image->rgba = vrmi_arena_alloc(&figure->arena, (size_t)SIZE * SIZE, 4);
    canvas c = {.figure = figure};
    c.depth = vrmi_arena_alloc(&figure->arena, (size_t)DETAIL * DETAIL, sizeof(float));
    c.color = vrmi_arena_alloc(&figure->arena, (size_t)DETAIL * DETAIL, 3);
    if (image->rgba == NULL || c.depth == NULL || c.color == NULL) {
        return false;
    }
    const vrm_vec3 head = figure->nodes[vrmi_sample_bone(VRM_HUMAN_BONE_HEAD)].position;
    const float width = figure->plan->portrait_width * figure->style.height;
    c.scale = (float)DETAIL / width;
    c.left = -0.5f * width;
    c.top = head.y + figure->plan->portrait_top * figure->style.height;
    draw_background(&c);
    draw_figure(&c);
    average(&c, image->rgba);
    return true;
}
