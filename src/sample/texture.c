// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "sample/face_shape.h"
#include "sample/surface.h"

// Pictures are functions of the place, evaluated once per pixel: edges are smooth steps, so nothing needs sampling.

typedef struct pixel {
    vrm_vec3 color; // sRGB
    float alpha;
} pixel;

typedef pixel paint_fn(const vrmi_sample_style *style, float u, float v);

static const vrm_vec3 white = {1.0f, 1.0f, 1.0f};

static vrm_vec3 mix(vrm_vec3 a, vrm_vec3 b, float t)
{
    return vrmi_vec3_lerp(a, b, vrmi_clamp(t, 0.0f, 1.0f));
}
static pixel opaque(vrm_vec3 color)
{
    return (pixel){color, 1.0f};
}

// 1 between low and high with soft edges of `soft`.
static float band(float low, float high, float soft, float x)
{
    return vrmi_sample_smooth(low - soft, low + soft, x) * (1.0f - vrmi_sample_smooth(high - soft, high + soft, x));
}

// 1 inside the ellipse.
static float ellipse(float x, float y, float cx, float cy, float rx, float ry, float soft)
{
    const float dx = (x - cx) / rx, dy = (y - cy) / ry;
    const float r = vrmi_sqrt(dx * dx + dy * dy);
    return 1.0f - vrmi_sample_smooth(1.0f - soft, 1.0f + soft, r);
}

static float wave(float turns)
{
    float sine, cosine;
    vrmi_sincos(turns * 2.0f * VRMI_PI, &sine, &cosine);
    return 0.5f + 0.5f * cosine;
}

static pixel paint_skin(const vrmi_sample_style *style, float u, float v)
{
    (void)u;
    vrm_vec3 c = style->skin;
    // The chin's shadow on the neck; a warmer tone towards the fingertips.
    c = mix(c, style->skin_shade, 0.85f * (1.0f - vrmi_sample_smooth(0.10f, 0.17f, v)));
    const vrm_vec3 warm = {1.0f, 0.80f, 0.76f};
    return opaque(mix(c, warm, 0.35f * vrmi_sample_smooth(0.75f, 1.0f, v)));
}

static pixel paint_mouth_swatch(float u)
{
    static const vrm_vec3 swatches[4] = {
        {0.52f, 0.20f, 0.24f}, {0.90f, 0.50f, 0.51f}, {1.0f, 0.99f, 0.98f}, {0.90f, 0.50f, 0.51f}};
    const int i = (int)(u * 4.0f);
    return opaque(swatches[i < 0 ? 0 : (i > 3 ? 3 : i)]);
}

static pixel paint_face(const vrmi_sample_style *style, float u, float v)
{
    if (v > 0.955f) {
        return paint_mouth_swatch(u);
    }
    const float x = (u - 0.5f) * 0.2f, y = 1.46f - v * 0.24f, side = vrmi_abs(x);
    const vrm_vec3 warm = {1.0f, 0.72f, 0.68f};
    vrm_vec3 c = style->skin;
    c = mix(c, warm, 0.22f * ellipse(side, y, 0.050f, 1.308f, 0.030f, 0.018f, 0.9f));
    c = mix(c, warm, 0.30f * ellipse(x, y, 0.0f, 1.2985f, 0.007f, 0.0045f, 0.8f));
    // Under the nose, the lower lip, the fold of the lid, and what the fringe shades.
    c = mix(c, style->skin_shade, 0.85f * ellipse(x, y, 0.0f, 1.2945f, 0.0045f, 0.0014f, 0.5f));
    c = mix(c, style->skin_shade, 0.55f * ellipse(x, y, 0.0f, 1.2655f, 0.0070f, 0.0012f, 0.7f));
    vrmi_sample_face rest;
    vrmi_sample_face_default(&rest);
    const float s = (side - VRMI_SAMPLE_EYE_X) / 0.0225f;
    if (s > -0.75f && s < 0.95f) {
        const float fold = vrmi_sample_lid_upper(&rest, 0, s) + 0.0085f - 0.0015f * s;
        const float fade = vrmi_sample_smooth(-0.75f, -0.2f, s) * (1.0f - vrmi_sample_smooth(0.7f, 0.95f, s));
        const vrm_vec3 line = vrmi_vec3_mul(style->skin_shade, (vrm_vec3){0.82f, 0.70f, 0.70f});
        c = mix(c, line, 0.8f * fade * band(fold - 0.0005f, fold + 0.0005f, 0.0005f, y));
    }
    c = mix(c, style->skin_shade, 0.55f * vrmi_sample_smooth(1.385f, 1.410f, y));
    return opaque(c);
}

static pixel paint_white(const vrmi_sample_style *style, float u, float v)
{
    (void)style;
    (void)u;
    const vrm_vec3 shadow = {0.74f, 0.72f, 0.84f}, clear = {0.99f, 0.99f, 1.0f};
    return opaque(mix(shadow, clear, vrmi_sample_smooth(0.24f, 0.36f, v)));
}

static float star(float x, float y, float radius)
{
    // Distance along five directions; the outline lies where the smallest sum is constant.
    const float angle = vrmi_atan2(x, -y);
    const float r = vrmi_sqrt(x * x + y * y);
    const float turn = angle / (2.0f * VRMI_PI) * 5.0f + 5.5f;
    const float part = vrmi_abs(turn - (float)(int)turn - 0.5f) * 2.0f; // 0 at a point of the star, 1 between two
    const float edge = radius * (0.46f + 0.54f * (1.0f - part) * (1.0f - part));
    return 1.0f - vrmi_sample_smooth(edge - 0.03f, edge + 0.03f, r);
}

// Two irises side by side: the usual one, and the one with a star that an expression moves to.
static pixel paint_iris(const vrmi_sample_style *style, float u, float v)
{
    const bool second = u >= 0.5f;
    const float x = ((second ? u - 0.5f : u) - 0.25f) / 0.24f, y = (v - 0.5f) / 0.48f;
    const float r = vrmi_sqrt(x * x + y * y);
    const vrm_vec3 dark = vrmi_vec3_scale(style->eye, 0.38f);
    const vrm_vec3 deep = vrmi_vec3_scale(style->eye, 0.72f);
    vrm_vec3 c = mix(deep, style->eye, vrmi_sample_smooth(-0.6f, 0.1f, y));
    c = mix(c, style->eye_light, 0.95f * vrmi_sample_smooth(-0.05f, 0.95f, y));
    // Rays around the pupil, brightest in the lower half.
    const float angle = vrmi_atan2(x, y);
    const float rays = wave(angle / (2.0f * VRMI_PI) * 14.0f);
    c = mix(c, style->eye_light, 0.35f * rays * band(0.45f, 0.80f, 0.12f, r) * vrmi_sample_smooth(-0.3f, 0.5f, y));
    c = mix(c, dark, 0.9f * (1.0f - vrmi_sample_smooth(-1.0f, -0.35f, y)));
    if (second) {
        c = mix(c, (vrm_vec3){1.0f, 0.93f, 0.62f}, star(x, y - 0.05f, 0.72f));
    } else {
        c = mix(c, vrmi_vec3_scale(dark, 0.75f), ellipse(x, y, 0.0f, 0.02f, 0.36f, 0.42f, 0.12f));
        c = mix(c, style->eye, 0.55f * ellipse(x, y, 0.0f, 0.20f, 0.17f, 0.14f, 0.5f));
    }
    c = mix(c, dark, vrmi_sample_smooth(0.84f, 0.92f, r));
    c = mix(c, style->eye_light, 0.8f * ellipse(x, y, 0.0f, 0.66f, 0.42f, 0.16f, 0.35f));
    c = mix(c, white, ellipse(x, y, -0.36f, -0.40f, 0.25f, 0.27f, 0.10f));
    c = mix(c, white, 0.95f * ellipse(x, y, 0.42f, 0.38f, 0.12f, 0.12f, 0.15f));
    return opaque(c);
}

static pixel paint_blush(const vrmi_sample_style *style, float u, float v)
{
    (void)style;
    const float x = u * 2.0f - 1.0f, y = v * 2.0f - 1.0f;
    float alpha = 0.55f * (1.0f - vrmi_sample_smooth(0.25f, 1.0f, vrmi_sqrt(x * x + y * y)));
    // Three slanted strokes.
    for (int i = -1; i <= 1; ++i) {
        const float across = x - 0.34f * (float)i + 0.22f * y;
        const float stroke = band(-0.035f, 0.035f, 0.03f, across) * band(-0.34f, 0.30f, 0.08f, y);
        alpha = vrmi_max(alpha, 0.75f * stroke);
    }
    return (pixel){{0.98f, 0.42f, 0.45f}, alpha};
}

// --- clothes -------------------------------------------------------------------------------------------------------

static vrm_vec3 paint_torso(const vrmi_sample_style *style, float side, float v)
{
    // `side` is 0 in the middle of the front and 0.5 at the back; v runs from the neck (0) to the hem (0.4).
    vrm_vec3 c = style->cloth;
    // The fold shadows of the waist, the shade under the arms.
    c = mix(c, style->cloth_shade, 0.45f * band(0.235f, 0.30f, 0.04f, v));
    c = mix(
        c, style->cloth_shade, 0.35f * band(0.21f, 0.29f, 0.03f, side) * (1.0f - vrmi_sample_smooth(0.1f, 0.2f, v)));
    // Shirt in the neckline, lapel, the line of the front, buttons.
    const float opening = 0.075f - 0.42f * v;
    if (v < 0.18f) {
        c = mix(c, style->accent, vrmi_sample_smooth(opening + 0.002f, opening - 0.002f, side));
    }
    c = mix(c, style->accent, band(-1.0f, 0.0032f, 0.0015f, side) * vrmi_sample_smooth(0.15f, 0.17f, v));
    for (int i = 0; i < 3; ++i) {
        const float y = 0.205f + 0.055f * (float)i;
        c = mix(c, style->metal, ellipse(side, v, 0.022f, y, 0.0075f, 0.0105f, 0.2f));
    }
    // Princess seams, two stripes along the hem.
    c = mix(c, style->cloth_shade, 0.6f * band(0.118f, 0.1195f, 0.0012f, side) * vrmi_sample_smooth(0.10f, 0.13f, v));
    c = mix(c, style->accent, band(0.366f, 0.382f, 0.0015f, v));
    c = mix(c, style->metal, band(0.3555f, 0.3585f, 0.0012f, v));
    return mix(c, style->accent_shade, vrmi_sample_smooth(0.3985f, 0.3995f, v));
}

static vrm_vec3 paint_sleeve(const vrmi_sample_style *style, float v)
{
    vrm_vec3 c = style->cloth;
    c = mix(c, style->accent, band(0.562f, 0.5995f, 0.0010f, v));
    c = mix(c, style->metal, band(0.547f, 0.553f, 0.0008f, v));
    return mix(c, style->accent_shade, vrmi_sample_smooth(0.6000f, 0.6015f, v));
}

static pixel paint_cloth(const vrmi_sample_style *style, float u, float v)
{
    const float side = u < 0.5f ? u : 1.0f - u;
    if (v < 0.41f) {
        return opaque(paint_torso(style, side, v));
    }
    if (v < 0.61f) {
        return opaque(paint_sleeve(style, v));
    }
    if (v < 0.81f) {
        vrm_vec3 c = style->accent;
        c = mix(c, style->cloth, band(0.640f, 0.660f, 0.0008f, v));
        c = mix(c, style->ribbon, band(0.668f, 0.675f, 0.0008f, v));
        return opaque(c);
    }
    if (v < 0.89f) {
        return opaque(mix(style->accent, style->metal, band(0.862f, 0.868f, 0.0015f, v)));
    }
    if (v < 0.925f) {
        return opaque(style->accent_shade);
    }
    return opaque(v < 0.965f ? mix(style->accent, style->accent_shade, 0.45f) : style->sole);
}

static pixel paint_skirt(const vrmi_sample_style *style, float u, float v)
{
    // One pleat: bright ridge in the middle, dark in the folds.
    const float ridge = wave(u - 0.5f);
    vrm_vec3 c = mix(style->accent_shade, style->accent, 0.25f + 0.9f * ridge);
    c = mix(c, style->cloth, band(0.845f, 0.885f, 0.004f, v));
    c = mix(c, style->ribbon, band(0.905f, 0.920f, 0.004f, v));
    return opaque(mix(c, style->accent_shade, 0.5f * (1.0f - vrmi_sample_smooth(0.0f, 0.25f, v))));
}

static pixel paint_ribbon(const vrmi_sample_style *style, float u, float v)
{
    // Diagonal bands that repeat in both directions, so that the picture may scroll.
    const float glow = wave(2.0f * u + v);
    return opaque(mix(style->ribbon, style->ribbon_glow, glow * glow));
}

static pixel paint_mask(const vrmi_sample_style *style, float u, float v)
{
    (void)style;
    (void)u;
    const float moving = band(0.12f, 0.92f, 0.06f, v);
    return opaque(vrmi_vec3_scale(white, moving));
}

static pixel paint_hair(const vrmi_sample_style *style, float u, float v)
{
    vrm_vec3 c = mix(style->hair, style->hair_tip, vrmi_sample_smooth(0.45f, 1.05f, v));
    c = mix(c, style->hair_shade, 0.55f * (1.0f - vrmi_sample_smooth(0.0f, 0.10f, v)));
    // Strands: a few broad ones and finer ones between, fading at crown and tip.
    const float side = vrmi_abs(u - 0.5f) * 2.0f;
    const float strands = 0.6f * wave(u * 3.0f + 0.12f) * wave(u * 7.0f) + 0.2f * wave(u * 17.0f);
    c = mix(c, style->hair_shade, 0.30f * strands);
    c = mix(c, style->hair_shade, 0.45f * vrmi_sample_smooth(0.72f, 1.0f, side));
    // The ring of light, with teeth.
    const float teeth = 0.014f * wave(u * 4.0f) + 0.007f * wave(u * 9.0f + 0.3f);
    const float ring =
        band(0.150f + teeth, 0.192f - teeth, 0.004f, v) * (1.0f - vrmi_sample_smooth(0.72f, 0.92f, side));
    return opaque(mix(c, mix(style->hair_tip, white, 0.55f), 0.80f * ring));
}

static pixel paint_matcap(const vrmi_sample_style *style, float u, float v)
{
    (void)style;
    const float spot = ellipse(u, v, 0.34f, 0.28f, 0.16f, 0.12f, 0.7f);
    const float low = ellipse(u, v, 0.60f, 0.82f, 0.30f, 0.10f, 0.9f);
    return opaque(vrmi_vec3_scale(white, 0.55f * spot + 0.12f * low));
}

static uint8_t to_byte(float x)
{
    return (uint8_t)(vrmi_clamp(x, 0.0f, 1.0f) * 255.0f + 0.5f);
}

bool vrmi_sample_paint_textures(vrmi_sample_figure *figure)
{
    static const struct {
        vrmi_sample_image_id id;
        uint32_t width, height;
        paint_fn *paint;
    } jobs[] = {
        {VRMI_SAMPLE_IMAGE_SKIN, 64, 128, paint_skin},
        {VRMI_SAMPLE_IMAGE_FACE, 512, 512, paint_face},
        {VRMI_SAMPLE_IMAGE_WHITE, 64, 64, paint_white},
        {VRMI_SAMPLE_IMAGE_IRIS, 512, 256, paint_iris},
        {VRMI_SAMPLE_IMAGE_BLUSH, 64, 64, paint_blush},
        {VRMI_SAMPLE_IMAGE_CLOTH, 512, 1024, paint_cloth},
        {VRMI_SAMPLE_IMAGE_SKIRT, 64, 256, paint_skirt},
        {VRMI_SAMPLE_IMAGE_RIBBON, 128, 128, paint_ribbon},
        {VRMI_SAMPLE_IMAGE_MASK, 64, 64, paint_mask},
        {VRMI_SAMPLE_IMAGE_HAIR, 256, 256, paint_hair},
        {VRMI_SAMPLE_IMAGE_MATCAP, 128, 128, paint_matcap},
    };
    for (size_t j = 0; j < VRMI_COUNT_OF(jobs); ++j) {
        vrmi_sample_image *image = &figure->images[jobs[j].id];
        image->width = jobs[j].width;
        image->height = jobs[j].height;
        image->rgba = vrmi_arena_alloc(&figure->arena, (size_t)image->width * image->height, 4);
        if (image->rgba == NULL) {
            return false;
        }
        for (uint32_t y = 0; y < image->height; ++y) {
            for (uint32_t x = 0; x < image->width; ++x) {
                const float u = ((float)x + 0.5f) / (float)image->width, v = ((float)y + 0.5f) / (float)image->height;
                const pixel p = jobs[j].paint(&figure->style, u, v);
                uint8_t *out = image->rgba + ((size_t)y * image->width + x) * 4;
                out[0] = to_byte(p.color.x);
                out[1] = to_byte(p.color.y);
                out[2] = to_byte(p.color.z);
                out[3] = to_byte(p.alpha);
            }
        }
    }
    return true;
}
