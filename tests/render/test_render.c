// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// MToon and glTF's standard material on a sphere. Each pixel is computed from the specifications in double precision
// and compared with the picture: within 2 of 255 for each factor.

#include "render_fixture.h"

static const double distance = 4.0, half_angle = 0.28, outline_zoom = 1.2;

typedef struct vec {
    double x, y, z;
} vec;

// A material and its light. 0 stands for the default where the specification's default is 0.
typedef struct look {
    const char *name;
    double base[4], shade[3];
    double toony, shift, gi;
    double rim[3], rim_power, rim_lift, rim_mix;
    double matcap[3], emissive[3], strength;
    double shift_scale; // scale of the shift texture
    double outline;     // width in metres; white, lit as the surface
    bool base_texture, shade_texture, shift_texture, matcap_texture, rim_texture, emissive_texture, mask_texture;
    double scroll[2], rotation, time;
    double transform[5]; // scale, offset and rotation of the base texture; scale 0: no transform
    double light, up, down;
} look;

#define PLAIN \
    .base = {0.9, 0.6, 0.4, 1}, .shade = {0.3, 0.2, 0.5}, .toony = 0.9, .gi = 0.9, .rim_power = 5, .rim_mix = 1, \
    .strength = 1, .light = 0.8, .up = 0.1, .down = 0.1

// Each row is the plain look with one change.
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Woverride-init"
#endif
static const look looks[] = {
    {PLAIN, .name = "plain"},
    {PLAIN, .name = "toony 0", .toony = 0},
    {PLAIN, .name = "toony 0.5", .toony = 0.5},
    {PLAIN, .name = "toony 1", .toony = 1},
    {PLAIN, .name = "shift -0.4", .toony = 0.3, .shift = -0.4},
    {PLAIN, .name = "shift 0.5", .toony = 0.3, .shift = 0.5},
    {PLAIN, .name = "shift texture", .toony = 0.4, .shift = -0.5, .shift_texture = true, .shift_scale = 0.8},
    {PLAIN, .name = "base texture", .base_texture = true},
    {PLAIN, .name = "shade texture", .shade_texture = true, .shade = {1, 1, 1}},
    {PLAIN, .name = "gi 0", .gi = 0, .up = 0.5, .down = 0.05},
    {PLAIN, .name = "gi 0.5", .gi = 0.5, .up = 0.5, .down = 0.05},
    {PLAIN, .name = "gi 1", .gi = 1, .up = 0.5, .down = 0.05},
    {PLAIN, .name = "rim", .rim = {0.8, 0.7, 0.2}},
    {PLAIN, .name = "rim power 1, mix 0", .rim = {0.3, 0.5, 0.2}, .rim_power = 1, .rim_mix = 0},
    {PLAIN, .name = "rim power 20, lift 0.3", .rim = {0.8, 0.5, 0.2}, .rim_power = 20, .rim_lift = 0.3},
    {PLAIN, .name = "rim mix 0.5, lift -0.2", .rim = {0.8, 0.5, 0.2}, .rim_power = 2, .rim_lift = -0.2, .rim_mix = 0.5},
    {PLAIN, .name = "rim texture", .rim = {0.8, 0.7, 0.9}, .rim_power = 1, .rim_texture = true},
    {PLAIN, .name = "matcap", .matcap = {0.4, 0.3, 0.5}, .matcap_texture = true, .base = {0.2, 0.2, 0.3, 1}},
    {PLAIN, .name = "matcap and rim texture", .matcap = {0.4, 0.3, 0.5}, .matcap_texture = true, .rim_texture = true,
        .rim_mix = 0.5},
    {PLAIN, .name = "emission", .emissive = {0.1, 0.4, 0.2}},
    {PLAIN, .name = "emission strength and texture", .emissive = {0.1, 0.2, 0.3}, .strength = 2,
        .emissive_texture = true},
    {PLAIN, .name = "UV scroll", .base_texture = true, .scroll = {0.15, -0.1}, .time = 0.5},
    {PLAIN, .name = "UV rotation", .base_texture = true, .rotation = 0.7, .time = 0.5},
    {PLAIN, .name = "UV rotation, scroll and mask", .base_texture = true, .rotation = 0.7, .scroll = {0.1, 0.15},
        .time = 0.5, .mask_texture = true},
    {PLAIN, .name = "texture transform", .base_texture = true, .transform = {0.5, 0.4, 0.2, 0.3, 0.4}},
    {PLAIN, .name = "animation before transform", .base_texture = true, .transform = {0.5, 0.4, 0.3, 0.3, 0.4},
        .rotation = 0.5, .scroll = {0.1, 0}, .time = 0.5},
    {PLAIN, .name = "dark", .light = 0.2, .up = 0.02, .down = 0.02},
};

// --- the specification -----------------------------------------------------------------------------------------------

static double decode(double c)
{
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double encode(double c)
{
    c = fmin(fmax(c, 0.0), 1.0);
    return c <= 0.0031308 ? c * 12.92 : 1.055 * pow(c, 1.0 / 2.4) - 0.055;
}

static double clamp01(double x)
{
    return fmin(fmax(x, 0.0), 1.0);
}

static double dot(vec a, vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vec scaled(vec a, double s)
{
    return (vec){a.x * s, a.y * s, a.z * s};
}

static vec unit(vec a)
{
    return scaled(a, 1.0 / sqrt(dot(a, a)));
}

static vec cross(vec a, vec b)
{
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// Samples the texture: bilinear, repeating. Colours are decoded before they are filtered.
static double sample(double u, double v, int channel, bool color)
{
    const double x = u * TEXELS - 0.5, y = v * TEXELS - 0.5, fx = x - floor(x), fy = y - floor(y);
    double sum = 0.0;
    for (int i = 0; i < 4; ++i) {
        const int tx = (((int)floor(x) + i % 2) % TEXELS + TEXELS) % TEXELS;
        const int ty = (((int)floor(y) + i / 2) % TEXELS + TEXELS) % TEXELS;
        const double value = texel(tx, ty, channel) / 255.0;
        sum += (i % 2 != 0 ? fx : 1.0 - fx) * (i / 2 != 0 ? fy : 1.0 - fy) * (color ? decode(value) : value);
    }
    return sum;
}

static void animate(const look *l, double *u, double *v)
{
    const double mask = l->mask_texture ? sample(*u, *v, 2, false) : 1.0;
    const double angle = l->rotation * l->time * mask, c = cos(angle), s = sin(angle), x = *u - 0.5, y = *v - 0.5;
    // Counter-clockwise in the image, whose v points down.
    *u = c * x + s * y + 0.5 + l->scroll[0] * l->time * mask;
    *v = c * y - s * x + 0.5 + l->scroll[1] * l->time * mask;
}

static void transform(const look *l, double *u, double *v)
{
    if (l->transform[0] != 0.0) {
        const double c = cos(l->transform[4]), s = sin(l->transform[4]);
        const double x = *u * l->transform[0], y = *v * l->transform[1];
        *u = c * x + s * y + l->transform[2];
        *v = c * y - s * x + l->transform[3];
    }
}

static double shading(const look *l, vec n, vec light, double u, double v)
{
    const double shift = l->shift + (l->shift_texture ? sample(u, v, 0, false) * l->shift_scale : 0.0);
    const double x = dot(n, light) + shift, low = -1.0 + l->toony, high = 1.0 - l->toony;
    return high > low ? clamp01((x - low) / (high - low)) : x >= 0.0 ? 1.0 : 0.0;
}

// Computes the colour of a sphere's point `at` with the normal `n`, seen from the camera.
static void expected(const look *l, vec at, vec n, vec light, double out[3])
{
    const vec to_eye = unit((vec){-at.x, -at.y, distance - at.z});
    double u = 0.5 + 0.5 * n.x, v = 0.5 - 0.5 * n.y;
    animate(l, &u, &v);
    double bu = u, bv = v;
    transform(l, &bu, &bv);
    const double s = shading(l, n, light, u, v);
    const double raw = l->down + (l->up - l->down) * (0.5 + 0.5 * n.y), mean = 0.5 * (l->up + l->down);
    const double gi = raw + (mean - raw) * l->gi;
    const vec across = unit((vec){to_eye.z, 0.0, -to_eye.x}), upward = cross(to_eye, across);
    const double mu = 0.495 * dot(across, n) + 0.5, mv = 1.0 - (0.495 * dot(upward, n) + 0.5);
    const double edge = pow(clamp01(1.0 - dot(n, to_eye) + l->rim_lift), fmax(l->rim_power, 1e-5));
    for (int c = 0; c < 3; ++c) {
        const double base = l->base[c] * (l->base_texture ? sample(bu, bv, c, true) : 1.0);
        const double shade = l->shade[c] * (l->shade_texture ? sample(u, v, c, true) : 1.0);
        double rim = l->rim[c] * edge + (l->matcap_texture ? l->matcap[c] * sample(mu, mv, c, true) : 0.0);
        rim *= l->rim_texture ? sample(u, v, c, true) : 1.0;
        const double lighting = l->light + gi, mixed = 1.0 + (lighting - 1.0) * l->rim_mix;
        const double glow = l->emissive[c] * l->strength * (l->emissive_texture ? sample(u, v, c, true) : 1.0);
        out[c] = (shade + (base - shade) * s) * l->light + base * gi + rim * mixed + glow;
    }
}

// --- the picture -------------------------------------------------------------------------------------------------------

static void add_material(gltf_builder *b, const look *l)
{
    char transform_text[200] = "";
    if (l->transform[0] != 0.0) {
        snprintf(transform_text, sizeof transform_text,
            ",\"extensions\":{\"KHR_texture_transform\":{\"scale\":[%g,%g],\"offset\":[%g,%g],\"rotation\":%g}}",
            l->transform[0], l->transform[1], l->transform[2], l->transform[3], l->transform[4]);
    }
    char base_text[300] = "", shift_text[80] = "";
    if (l->base_texture) {
        snprintf(base_text, sizeof base_text, ",\"baseColorTexture\":{\"index\":0%s}", transform_text);
    }
    if (l->shift_texture) {
        snprintf(shift_text, sizeof shift_text, ",\"shadingShiftTexture\":{\"index\":0,\"scale\":%g}", l->shift_scale);
    }
    gltf_builder_add(b, "materials",
        "{\"pbrMetallicRoughness\":{\"baseColorFactor\":[%g,%g,%g,%g]%s},\"emissiveFactor\":[%g,%g,%g]%s,"
        "\"extensions\":{"
        "\"KHR_materials_emissive_strength\":{\"emissiveStrength\":%g},\"VRMC_materials_mtoon\":{\"specVersion\":\"1."
        "0\","
        "\"shadeColorFactor\":[%g,%g,%g],\"shadingToonyFactor\":%g,\"shadingShiftFactor\":%g,\"giEqualizationFactor\":%"
        "g,"
        "\"parametricRimColorFactor\":[%g,%g,%g],\"parametricRimFresnelPowerFactor\":%g,\"parametricRimLiftFactor\":%g,"
        "\"rimLightingMixFactor\":%g,\"matcapFactor\":[%g,%g,%g],\"uvAnimationScrollXSpeedFactor\":%g,"
        "\"uvAnimationScrollYSpeedFactor\":%g,\"uvAnimationRotationSpeedFactor\":%g,\"outlineWidthMode\":\"%s\","
        "\"outlineWidthFactor\":%g,\"outlineColorFactor\":[1,1,1],\"outlineLightingMixFactor\":1%s%s%s%s%s}}}",
        l->base[0], l->base[1], l->base[2], l->base[3], base_text, l->emissive[0], l->emissive[1], l->emissive[2],
        l->emissive_texture ? ",\"emissiveTexture\":{\"index\":0}" : "", l->strength, l->shade[0], l->shade[1],
        l->shade[2], l->toony, l->shift, l->gi, l->rim[0], l->rim[1], l->rim[2], l->rim_power, l->rim_lift, l->rim_mix,
        l->matcap[0], l->matcap[1], l->matcap[2], l->scroll[0], l->scroll[1], l->rotation,
        l->outline > 0.0 ? "worldCoordinates" : "none", l->outline,
        l->shade_texture ? ",\"shadeMultiplyTexture\":{\"index\":0}" : "", shift_text,
        l->matcap_texture ? ",\"matcapTexture\":{\"index\":0}" : "",
        l->rim_texture ? ",\"rimMultiplyTexture\":{\"index\":0}" : "",
        l->mask_texture ? ",\"uvAnimationMaskTexture\":{\"index\":0}" : "");
}

static drawn *open_look(const look *l, vrm_result *out_result)
{
    drawn *d = calloc(1, sizeof *d);
    gltf_builder b = {0};
    gltf_builder_member(&b, "extensionsUsed",
        "[\"VRMC_materials_mtoon\",\"KHR_materials_emissive_strength\",\"KHR_texture_transform\"]");
    gltf_builder_add(&b, "nodes", "{\"mesh\":0}");
    fixture_sphere(&b);
    fixture_texture(&b);
    add_material(&b, l);
    vrm_renderer_def def;
    vrm_renderer_def_default(&def);
    def.samples = 1;
    *out_result = fixture_open(d, &b, &def);
    fixture_camera(d, distance, half_angle);
    d->scene.light_direction = (vrm_vec3){-0.4f, 0.5f, 0.6f};
    const float light = (float)l->light, up = (float)l->up, down = (float)l->down;
    d->scene.light_color = (vrm_vec3){light, light, light};
    d->scene.ambient_up = (vrm_vec3){up, up, up};
    d->scene.ambient_down = (vrm_vec3){down, down, down};
    return d;
}

// Finds the point where the ray through a pixel's centre hits the sphere. Returns false outside the sphere and near its
// edge.
static bool meet(int x, int y, vec *out)
{
    const vec ray = unit(
        (vec){((x + 0.5) / PICTURE * 2.0 - 1.0) * half_angle, (1.0 - (y + 0.5) / PICTURE * 2.0) * half_angle, -1.0});
    const double along = -ray.z * distance, inside = along * along - distance * distance + 1.0;
    if (inside < 0.03) {
        return false;
    }
    const double t = along - sqrt(inside);
    *out = (vec){ray.x * t, ray.y * t, distance + ray.z * t};
    return true;
}

// Finds the point where the ray leaves an outline of this width beyond the sphere's edge: the hull is seen from inside.
static bool meet_outline(int x, int y, double width, vec *out)
{
    const double half = half_angle * outline_zoom;
    const vec ray =
        unit((vec){((x + 0.5) / PICTURE * 2.0 - 1.0) * half, (1.0 - (y + 0.5) / PICTURE * 2.0) * half, -1.0});
    const double along = -ray.z * distance, gap = distance * distance - along * along;
    const double radius = 1.0 + width;
    if (gap < 1.01 || gap > radius * radius - 0.03) {
        return false;
    }
    const double t = along + sqrt(radius * radius - gap);
    *out = (vec){ray.x * t, ray.y * t, distance + ray.z * t};
    return true;
}

static void compare(const look *l, vrm_render_blend blend)
{
    vrm_result result;
    drawn *d = open_look(l, &result);
    d->scene.blend = blend;
    vrm_update_dt(d->instance, (float)l->time);
    result = result == VRM_SUCCESS ? fixture_draw(d) : result;
    CHECK_INT(result, VRM_SUCCESS);
    const vec light = unit((vec){-0.4, 0.5, 0.6});
    double worst = 0.0;
    int compared = 0, worst_x = 0, worst_y = 0, off = 0;
    for (int y = 0; y < PICTURE && result == VRM_SUCCESS; ++y) {
        for (int x = 0; x < PICTURE; ++x) {
            vec n;
            double color[3];
            // With toony 1 the shading has a sharp edge. Pixels on the edge may fall to either side.
            if (!meet(x, y, &n) || (l->toony > 0.99 && fabs(dot(n, light) + l->shift) < 0.01)) {
                continue;
            }
            expected(l, n, n, light, color);
            ++compared;
            for (int c = 0; c < 3; ++c) {
                const double difference = fabs(encode(color[c]) * 255.0 - d->pixels[(y * PICTURE + x) * 4 + c]);
                off += difference > 2.0;
                if (difference > worst) {
                    worst = difference;
                    worst_x = x;
                    worst_y = y;
                }
            }
        }
    }
    CHECK(compared > 15000);
    CHECK_INT(off, 0);
    if (off != 0) {
        printf("  %s: %d values off, worst by %.2f at (%d, %d)\n", l->name, off, worst, worst_x, worst_y);
    }
    fixture_close(d);
}

static void every_factor_by_the_specification(void)
{
    if (fixture_no_driver()) {
        SKIP("no OpenGL ES 3.0");
    }
    for (size_t i = 0; i < sizeof looks / sizeof looks[0]; ++i) {
        compare(&looks[i], VRM_RENDER_BLEND_LINEAR);
    }
    compare(&looks[0], VRM_RENDER_BLEND_ENCODED);
}

// A white outline with full lighting shows the surface's light, computed with the surface's normals.
static void an_outline_is_lit_as_its_surface(void)
{
    if (fixture_no_driver()) {
        SKIP("no OpenGL ES 3.0");
    }
    const look l = {PLAIN, .name = "outline", .toony = 0.2, .rim = {0.4, 0.2, 0.1}, .outline = 0.2};
    const vec light = unit((vec){-0.4, 0.5, 0.6});
    vrm_result result;
    drawn *d = open_look(&l, &result);
    CHECK_INT(result, VRM_SUCCESS);
    fixture_camera(d, distance, half_angle * outline_zoom);
    CHECK_INT(fixture_draw(d), VRM_SUCCESS);
    int compared = 0, off = 0;
    for (int i = 0; i < PICTURE * PICTURE; ++i) {
        vec at;
        double color[3];
        if (!meet_outline(i % PICTURE, i / PICTURE, l.outline, &at)) {
            continue;
        }
        expected(&l, at, unit(at), light, color);
        ++compared;
        for (int c = 0; c < 3; ++c) {
            off += fabs(encode(color[c]) * 255.0 - d->pixels[4 * i + c]) > 2.0;
        }
    }
    CHECK(compared > 3000);
    CHECK_INT(off, 0);
    fixture_close(d);
}

// glTF 2.0, appendix B: the Lambert term and GGX with Smith's height-correlated visibility, under a single light.
static void expected_standard(vec n, vec light, double metallic, double roughness, double out[3])
{
    static const double base[3] = {0.9, 0.6, 0.4};
    const vec view = unit((vec){-n.x, -n.y, distance - n.z});
    const vec half = unit((vec){view.x + light.x, view.y + light.y, view.z + light.z});
    const double nl = fmax(dot(n, light), 0.0), nv = dot(n, view), nh = dot(n, half), a2 = pow(roughness, 4.0);
    const double width = nh * nh * (a2 - 1.0) + 1.0,
                 distribution = a2 / (width * width); // multiplied by pi, like the light
    const double visible = 0.5 / (nl * sqrt(nv * nv * (1.0 - a2) + a2) + nv * sqrt(nl * nl * (1.0 - a2) + a2));
    for (int c = 0; c < 3; ++c) {
        const double f0 = 0.04 + (base[c] - 0.04) * metallic;
        const double fresnel = f0 + (1.0 - f0) * pow(1.0 - dot(view, half), 5.0);
        out[c] = ((1.0 - fresnel) * base[c] * (1.0 - metallic) + fresnel * distribution * visible) * nl;
    }
}

static void standard_materials_by_appendix_b(void)
{
    if (fixture_no_driver()) {
        SKIP("no OpenGL ES 3.0");
    }
    const vec light = unit((vec){-0.4, 0.5, 0.6});
    for (int i = 0; i < 9; ++i) {
        const double metallic = 0.5 * (i % 3), roughness = 0.25 + 0.375 * (i / 3);
        drawn *d = calloc(1, sizeof *d);
        gltf_builder b = {0};
        gltf_builder_add(&b, "nodes", "{\"mesh\":0}");
        fixture_sphere(&b);
        gltf_builder_add(&b, "materials",
            "{\"pbrMetallicRoughness\":{\"baseColorFactor\":[0.9,0.6,0.4,1],\"metallicFactor\":%g,\"roughnessFactor\":%"
            "g}}",
            metallic, roughness);
        CHECK_INT(fixture_open(d, &b, NULL), VRM_SUCCESS);
        fixture_camera(d, distance, half_angle);
        d->scene.light_direction = (vrm_vec3){-0.4f, 0.5f, 0.6f};
        d->scene.light_color = (vrm_vec3){1, 1, 1};
        d->scene.ambient_up = d->scene.ambient_down = d->scene.environment = (vrm_vec3){0};
        CHECK_INT(fixture_draw(d), VRM_SUCCESS);
        int compared = 0, off = 0;
        for (int k = 0; k < PICTURE * PICTURE; ++k) {
            vec n;
            double color[3];
            if (!meet(k % PICTURE, k / PICTURE, &n) || fabs(dot(n, light)) < 0.02) {
                continue; // the shading is steep at the light's edge
            }
            expected_standard(n, light, metallic, roughness, color);
            ++compared;
            for (int c = 0; c < 3; ++c) {
                off += fabs(encode(color[c]) * 255.0 - d->pixels[4 * k + c]) > 2.0;
            }
        }
        CHECK(compared > 15000);
        CHECK_INT(off, 0);
        fixture_close(d);
    }
}

// The white furnace test: white metal that reflects a constant environment is equally bright everywhere, at any
// roughness. Smooth metal seen head-on reflects the fraction of its colour. A material that is not metal reflects
// nothing.
static void metal_mirrors_the_environment(void)
{
    if (fixture_no_driver()) {
        SKIP("no OpenGL ES 3.0");
    }
    static const struct {
        double color, metallic, roughness, middle;
        bool everywhere;
    } rows[] = {{1.0, 1.0, 0.0, 0.3, true}, {1.0, 1.0, 0.5, 0.3, true}, {1.0, 1.0, 1.0, 0.3, true},
        {0.4, 1.0, 0.0, 0.12, false}, {0.4, 0.5, 0.0, 0.06, false}, {0.4, 0.0, 0.0, 0.0, true}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        drawn *d = calloc(1, sizeof *d);
        gltf_builder b = {0};
        gltf_builder_add(&b, "nodes", "{\"mesh\":0}");
        fixture_sphere(&b);
        gltf_builder_add(&b, "materials",
            "{\"pbrMetallicRoughness\":{\"baseColorFactor\":[%g,%g,%g,1],\"metallicFactor\":%g,\"roughnessFactor\":%g}"
            "}",
            rows[i].color, rows[i].color, rows[i].color, rows[i].metallic, rows[i].roughness);
        CHECK_INT(fixture_open(d, &b, NULL), VRM_SUCCESS);
        fixture_camera(d, distance, half_angle);
        d->scene.light_color = d->scene.ambient_up = d->scene.ambient_down = (vrm_vec3){0};
        d->scene.environment = (vrm_vec3){0.3f, 0.3f, 0.3f};
        CHECK_INT(fixture_draw(d), VRM_SUCCESS);
        int off = 0;
        for (int k = 0; k < PICTURE * PICTURE && rows[i].everywhere; ++k) {
            vec n;
            if (meet(k % PICTURE, k / PICTURE, &n)) {
                off += fabs(encode(rows[i].middle) * 255.0 - d->pixels[4 * k]) > 1.5;
            }
        }
        CHECK_INT(off, 0);
        const double middle = d->pixels[4 * (PICTURE / 2 * PICTURE + PICTURE / 2)];
        CHECK_NEAR(middle, encode(rows[i].middle) * 255.0, 3.0);
        fixture_close(d);
    }
}

static const test_case cases[] = {
    {"every_factor_by_the_specification", every_factor_by_the_specification},
    {"an_outline_is_lit_as_its_surface", an_outline_is_lit_as_its_surface},
    {"standard_materials_by_appendix_b", standard_materials_by_appendix_b},
    {"metal_mirrors_the_environment", metal_mirrors_the_environment},
};

RUN_TESTS(cases)
