// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "sample/minimal/face_shape.h"
#include "sample/paint.h"

static const vrm_vec3 white = {1.0f, 1.0f, 1.0f};

static vrmi_paint_pixel paint_skin(const vrmi_sample_style *style, float u, float v)
{
    (void)u;
    vrm_vec3 c = style->skin;
    // The chin's shadow on the neck, and a warmer tone towards the fingertips.
    c = vrmi_paint_mix(c, style->skin_shade, 0.85f * (1.0f - vrmi_sample_smooth(0.10f, 0.17f, v)));
    const vrm_vec3 warm = {1.0f, 0.80f, 0.76f};
    return vrmi_paint_opaque(vrmi_paint_mix(c, warm, 0.35f * vrmi_sample_smooth(0.75f, 1.0f, v)));
}

static vrmi_paint_pixel paint_mouth_swatch(float u)
{
    static const vrm_vec3 swatches[4] = {
        {0.52f, 0.20f, 0.24f}, {0.90f, 0.50f, 0.51f}, {1.0f, 0.99f, 0.98f}, {0.90f, 0.50f, 0.51f}};
    const int i = (int)(u * 4.0f);
    return vrmi_paint_opaque(swatches[i < 0 ? 0 : (i > 3 ? 3 : i)]);
}

static vrmi_paint_pixel paint_face(const vrmi_sample_style *style, float u, float v)
{
    if (v > 0.955f) {
        return paint_mouth_swatch(u);
    }
    const float x = (u - 0.5f) * 0.2f, y = 1.46f - v * 0.24f, side = vrmi_abs(x);
    const vrm_vec3 warm = {1.0f, 0.72f, 0.68f};
    vrm_vec3 c = style->skin;
    c = vrmi_paint_mix(
        c, warm, 0.22f * vrmi_paint_ellipse(side, y, (vrmi_paint_oval){0.050f, 1.308f, 0.030f, 0.018f, 0.9f}));
    c = vrmi_paint_mix(
        c, warm, 0.30f * vrmi_paint_ellipse(x, y, (vrmi_paint_oval){0.0f, 1.2985f, 0.007f, 0.0045f, 0.8f}));
    // Shadows below the nose, of the lower lip, of the lid's fold, and of the fringe.
    c = vrmi_paint_mix(c, style->skin_shade,
        0.85f * vrmi_paint_ellipse(x, y, (vrmi_paint_oval){0.0f, 1.2945f, 0.0045f, 0.0014f, 0.5f}));
    c = vrmi_paint_mix(c, style->skin_shade,
        0.55f * vrmi_paint_ellipse(x, y, (vrmi_paint_oval){0.0f, 1.2655f, 0.0070f, 0.0012f, 0.7f}));
    vrmi_minimal_face rest;
    vrmi_minimal_face_default(&rest);
    const float s = (side - VRMI_MINIMAL_EYE_X) / 0.0225f;
    if (s > -0.75f && s < 0.95f) {
        const float fold = vrmi_minimal_lid_upper(&rest, 0, s) + 0.0085f - 0.0015f * s;
        const float fade = vrmi_sample_smooth(-0.75f, -0.2f, s) * (1.0f - vrmi_sample_smooth(0.7f, 0.95f, s));
        const vrm_vec3 line = vrmi_vec3_mul(style->skin_shade, (vrm_vec3){0.82f, 0.70f, 0.70f});
        c = vrmi_paint_mix(c, line, 0.8f * fade * vrmi_paint_band(fold - 0.0005f, fold + 0.0005f, 0.0005f, y));
    }
    c = vrmi_paint_mix(c, style->skin_shade, 0.55f * vrmi_sample_smooth(1.385f, 1.410f, y));
    return vrmi_paint_opaque(c);
}

static vrmi_paint_pixel paint_white(const vrmi_sample_style *style, float u, float v)
{
    (void)style;
    (void)u;
    const vrm_vec3 shadow = {0.74f, 0.72f, 0.84f}, clear = {0.99f, 0.99f, 1.0f};
    return vrmi_paint_opaque(vrmi_paint_mix(shadow, clear, vrmi_sample_smooth(0.24f, 0.36f, v)));
}

// Paints two irises side by side: the normal one, and one with a star, which an expression selects.
static vrmi_paint_pixel paint_iris(const vrmi_sample_style *style, float u, float v)
{
    const bool second = u >= 0.5f;
    const float x = ((second ? u - 0.5f : u) - 0.25f) / 0.24f, y = (v - 0.5f) / 0.48f;
    const float r = vrmi_sqrt(x * x + y * y);
    const vrm_vec3 dark = vrmi_vec3_scale(style->eye, 0.38f);
    const vrm_vec3 deep = vrmi_vec3_scale(style->eye, 0.72f);
    vrm_vec3 c = vrmi_paint_mix(deep, style->eye, vrmi_sample_smooth(-0.6f, 0.1f, y));
    c = vrmi_paint_mix(c, style->eye_light, 0.95f * vrmi_sample_smooth(-0.05f, 0.95f, y));
    // Rays around the pupil, brightest in the lower half of the iris.
    const float angle = vrmi_atan2(x, y);
    const float rays = vrmi_paint_wave(angle / (2.0f * VRMI_PI) * 14.0f);
    c = vrmi_paint_mix(c, style->eye_light,
        0.35f * rays * vrmi_paint_band(0.45f, 0.80f, 0.12f, r) * vrmi_sample_smooth(-0.3f, 0.5f, y));
    c = vrmi_paint_mix(c, dark, 0.9f * (1.0f - vrmi_sample_smooth(-1.0f, -0.35f, y)));
    if (second) {
        c = vrmi_paint_mix(c, (vrm_vec3){1.0f, 0.93f, 0.62f}, vrmi_paint_star(x, y - 0.05f, 0.72f));
    } else {
        c = vrmi_paint_mix(c, vrmi_vec3_scale(dark, 0.75f),
            vrmi_paint_ellipse(x, y, (vrmi_paint_oval){0.0f, 0.02f, 0.36f, 0.42f, 0.12f}));
        c = vrmi_paint_mix(
            c, style->eye, 0.55f * vrmi_paint_ellipse(x, y, (vrmi_paint_oval){0.0f, 0.20f, 0.17f, 0.14f, 0.5f}));
    }
    c = vrmi_paint_mix(c, dark, vrmi_sample_smooth(0.84f, 0.92f, r));
    c = vrmi_paint_mix(
        c, style->eye_light, 0.8f * vrmi_paint_ellipse(x, y, (vrmi_paint_oval){0.0f, 0.66f, 0.42f, 0.16f, 0.35f}));
    c = vrmi_paint_mix(c, white, vrmi_paint_ellipse(x, y, (vrmi_paint_oval){-0.36f, -0.40f, 0.25f, 0.27f, 0.10f}));
    c = vrmi_paint_mix(
        c, white, 0.95f * vrmi_paint_ellipse(x, y, (vrmi_paint_oval){0.42f, 0.38f, 0.12f, 0.12f, 0.15f}));
    return vrmi_paint_opaque(c);
}

static vrmi_paint_pixel paint_blush(const vrmi_sample_style *style, float u, float v)
{
    (void)style;
    const float x = u * 2.0f - 1.0f, y = v * 2.0f - 1.0f;
    float alpha = 0.55f * (1.0f - vrmi_sample_smooth(0.25f, 1.0f, vrmi_sqrt(x * x + y * y)));
    // Three slanted strokes, as in drawings.
    for (int i = -1; i <= 1; ++i) {
        const float across = x - 0.34f * (float)i + 0.22f * y;
        const float stroke = vrmi_paint_band(-0.035f, 0.035f, 0.03f, across) * vrmi_paint_band(-0.34f, 0.30f, 0.08f, y);
        alpha = vrmi_max(alpha, 0.75f * stroke);
    }
    return (vrmi_paint_pixel){{0.98f, 0.42f, 0.45f}, alpha};
}

// --- clothes -------------------------------------------------------------------------------------------------------

static vrm_vec3 paint_torso(const vrmi_sample_style *style, float side, float v)
{
    // `side` is 0 in the middle of the front and 0.5 at the back. v goes from the neck (0) to the hem (0.4).
    vrm_vec3 c = style->cloth;
    // The shadow of the folds at the waist, and the shade under the arms.
    c = vrmi_paint_mix(c, style->cloth_shade, 0.45f * vrmi_paint_band(0.235f, 0.30f, 0.04f, v));
    c = vrmi_paint_mix(c, style->cloth_shade,
        0.35f * vrmi_paint_band(0.21f, 0.29f, 0.03f, side) * (1.0f - vrmi_sample_smooth(0.1f, 0.2f, v)));
    // The shirt in the neckline, the front edge and the buttons.
    const float opening = 0.075f - 0.42f * v;
    if (v < 0.18f) {
        c = vrmi_paint_mix(c, style->accent, vrmi_sample_smooth(opening + 0.002f, opening - 0.002f, side));
    }
    c = vrmi_paint_mix(
        c, style->accent, vrmi_paint_band(-1.0f, 0.0032f, 0.0015f, side) * vrmi_sample_smooth(0.15f, 0.17f, v));
    for (int i = 0; i < 3; ++i) {
        const float y = 0.205f + 0.055f * (float)i;
        c = vrmi_paint_mix(
            c, style->metal, vrmi_paint_ellipse(side, v, (vrmi_paint_oval){0.022f, y, 0.0075f, 0.0105f, 0.2f}));
    }
    // Princess seams, and two stripes along the hem.
    c = vrmi_paint_mix(c, style->cloth_shade,
        0.6f * vrmi_paint_band(0.118f, 0.1195f, 0.0012f, side) * vrmi_sample_smooth(0.10f, 0.13f, v));
    c = vrmi_paint_mix(c, style->accent, vrmi_paint_band(0.366f, 0.382f, 0.0015f, v));
    c = vrmi_paint_mix(c, style->metal, vrmi_paint_band(0.3555f, 0.3585f, 0.0012f, v));
    return vrmi_paint_mix(c, style->accent_shade, vrmi_sample_smooth(0.3985f, 0.3995f, v));
}

static vrm_vec3 paint_sleeve(const vrmi_sample_style *style, float v)
{
    vrm_vec3 c = style->cloth;
    c = vrmi_paint_mix(c, style->accent, vrmi_paint_band(0.562f, 0.5995f, 0.0010f, v));
    c = vrmi_paint_mix(c, style->metal, vrmi_paint_band(0.547f, 0.553f, 0.0008f, v));
    return vrmi_paint_mix(c, style->accent_shade, vrmi_sample_smooth(0.6000f, 0.6015f, v));
}

static vrmi_paint_pixel paint_cloth(const vrmi_sample_style *style, float u, float v)
{
    const float side = u < 0.5f ? u : 1.0f - u;
    if (v < 0.41f) {
        return vrmi_paint_opaque(paint_torso(style, side, v));
    }
    if (v < 0.61f) {
        return vrmi_paint_opaque(paint_sleeve(style, v));
    }
    if (v < 0.81f) {
        vrm_vec3 c = style->accent;
        c = vrmi_paint_mix(c, style->cloth, vrmi_paint_band(0.640f, 0.660f, 0.0008f, v));
        c = vrmi_paint_mix(c, style->ribbon, vrmi_paint_band(0.668f, 0.675f, 0.0008f, v));
        return vrmi_paint_opaque(c);
    }
    if (v < 0.89f) {
        return vrmi_paint_opaque(
            vrmi_paint_mix(style->accent, style->metal, vrmi_paint_band(0.862f, 0.868f, 0.0015f, v)));
    }
    if (v < 0.925f) {
        return vrmi_paint_opaque(style->accent_shade);
    }
    return vrmi_paint_opaque(v < 0.965f ? vrmi_paint_mix(style->accent, style->accent_shade, 0.45f) : style->sole);
}

static vrmi_paint_pixel paint_skirt(const vrmi_sample_style *style, float u, float v)
{
    // One pleat: bright at the ridge in the middle, dark in the folds.
    const float ridge = vrmi_paint_wave(u - 0.5f);
    vrm_vec3 c = vrmi_paint_mix(style->accent_shade, style->accent, 0.25f + 0.9f * ridge);
    c = vrmi_paint_mix(c, style->cloth, vrmi_paint_band(0.845f, 0.885f, 0.004f, v));
    c = vrmi_paint_mix(c, style->ribbon, vrmi_paint_band(0.905f, 0.920f, 0.004f, v));
    return vrmi_paint_opaque(
        vrmi_paint_mix(c, style->accent_shade, 0.5f * (1.0f - vrmi_sample_smooth(0.0f, 0.25f, v))));
}

static vrmi_paint_pixel paint_ribbon(const vrmi_sample_style *style, float u, float v)
{
    // Diagonal bands that repeat in both directions, so that the texture can scroll.
    const float glow = vrmi_paint_wave(2.0f * u + v);
    return vrmi_paint_opaque(vrmi_paint_mix(style->ribbon, style->ribbon_glow, glow * glow));
}

static vrmi_paint_pixel paint_mask(const vrmi_sample_style *style, float u, float v)
{
    (void)style;
    (void)u;
    const float moving = vrmi_paint_band(0.12f, 0.92f, 0.06f, v);
    return vrmi_paint_opaque(vrmi_vec3_scale(white, moving));
}

static vrmi_paint_pixel paint_hair(const vrmi_sample_style *style, float u, float v)
{
    vrm_vec3 c = vrmi_paint_mix(style->hair, style->hair_tip, vrmi_sample_smooth(0.45f, 1.05f, v));
    c = vrmi_paint_mix(c, style->hair_shade, 0.55f * (1.0f - vrmi_sample_smooth(0.0f, 0.10f, v)));
    // A few broad strands and finer ones in between.
    const float side = vrmi_abs(u - 0.5f) * 2.0f;
    const float strands =
        0.6f * vrmi_paint_wave(u * 3.0f + 0.12f) * vrmi_paint_wave(u * 7.0f) + 0.2f * vrmi_paint_wave(u * 17.0f);
    c = vrmi_paint_mix(c, style->hair_shade, 0.30f * strands);
    c = vrmi_paint_mix(c, style->hair_shade, 0.45f * vrmi_sample_smooth(0.72f, 1.0f, side));
    // The highlight has a jagged edge.
    const float teeth = 0.014f * vrmi_paint_wave(u * 4.0f) + 0.007f * vrmi_paint_wave(u * 9.0f + 0.3f);
    const float ring =
        vrmi_paint_band(0.150f + teeth, 0.192f - teeth, 0.004f, v) * (1.0f - vrmi_sample_smooth(0.72f, 0.92f, side));
    return vrmi_paint_opaque(vrmi_paint_mix(c, vrmi_paint_mix(style->hair_tip, white, 0.55f), 0.80f * ring));
}

static vrmi_paint_pixel paint_matcap(const vrmi_sample_style *style, float u, float v)
{
    (void)style;
    const float spot = vrmi_paint_ellipse(u, v, (vrmi_paint_oval){0.34f, 0.28f, 0.16f, 0.12f, 0.7f});
    const float low = vrmi_paint_ellipse(u, v, (vrmi_paint_oval){0.60f, 0.82f, 0.30f, 0.10f, 0.9f});
    return vrmi_paint_opaque(vrmi_vec3_scale(white, 0.55f * spot + 0.12f * low));
}

bool vrmi_minimal_paint_textures(vrmi_sample_figure *figure)
{
    static const vrmi_paint_job jobs[] = {
        {VRMI_MINIMAL_IMAGE_SKIN, 64, 128, paint_skin},
        {VRMI_MINIMAL_IMAGE_FACE, 512, 512, paint_face},
        {VRMI_MINIMAL_IMAGE_WHITE, 64, 64, paint_white},
        {VRMI_MINIMAL_IMAGE_IRIS, 512, 256, paint_iris},
        {VRMI_MINIMAL_IMAGE_BLUSH, 64, 64, paint_blush},
        {VRMI_MINIMAL_IMAGE_CLOTH, 512, 1024, paint_cloth},
        {VRMI_MINIMAL_IMAGE_SKIRT, 64, 256, paint_skirt},
        {VRMI_MINIMAL_IMAGE_RIBBON, 128, 128, paint_ribbon},
        {VRMI_MINIMAL_IMAGE_MASK, 64, 64, paint_mask},
        {VRMI_MINIMAL_IMAGE_HAIR, 256, 256, paint_hair},
        {VRMI_MINIMAL_IMAGE_MATCAP, 128, 128, paint_matcap},
    };
    return vrmi_paint_images(figure, jobs, VRMI_COUNT_OF(jobs));
}
