// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "sample/full/paint.h"

// Textures of skin, face and eyes.

static const vrm_vec3 white = {1.0f, 1.0f, 1.0f};
static const vrm_vec3 warm = {1.0f, 0.70f, 0.66f};

#define MIX vrmi_paint_mix
#define BAND vrmi_paint_band
#define OVAL(x, y, ...) vrmi_paint_ellipse(x, y, (vrmi_paint_oval){__VA_ARGS__})

vrmi_paint_pixel vrmi_full_paint_skin(const vrmi_sample_style *style, float u, float v)
{
    vrm_vec3 c = style->skin;
    // The chin's shadow on the neck, and a warmer tone of elbows and knees just above the plain skin at v = 0.5.
    c = MIX(c, style->skin_shade, 0.80f * (1.0f - vrmi_sample_smooth(0.09f, 0.17f, v)));
    c = MIX(c, warm, 0.40f * BAND(0.43f, 0.47f, 0.04f, v) * vrmi_sample_smooth(0.5f, 0.42f, v));
    // The collarbones, which rise towards the shoulders.
    const float side = vrmi_abs(u - 0.5f), bone = 0.252f - 0.15f * side;
    c = MIX(
        c, style->skin_shade, 0.55f * BAND(bone - 0.002f, bone + 0.002f, 0.005f, v) * BAND(0.035f, 0.12f, 0.03f, side));
    // Fingers from v = 0.7: warmer tips, and nails on the upper side, at u = 0.5.
    c = MIX(c, warm, 0.28f * vrmi_sample_smooth(0.86f, 1.0f, v));
    const float nail = OVAL(u, v, 0.5f, 0.942f, 0.115f, 0.028f, 0.12f);
    const float rim = OVAL(u, v, 0.5f, 0.942f, 0.135f, 0.032f, 0.15f);
    c = MIX(c, vrmi_vec3_mul(style->skin_shade, vrmi_vec3(0.95f, 0.82f, 0.82f)), 0.45f * rim);
    c = MIX(c, MIX(white, warm, 0.42f), 0.9f * nail);
    return vrmi_paint_opaque(c);
}

// Returns the colours of the mouth and of the lid's fold.
static vrmi_paint_pixel paint_swatch(const vrmi_sample_style *style, float u)
{
    static const vrm_vec3 swatches[3] = {{0.50f, 0.17f, 0.22f}, {0.93f, 0.50f, 0.52f}, {1.0f, 0.99f, 0.98f}};
    if (u >= 0.75f) {
        return vrmi_paint_opaque(vrmi_vec3_mul(style->skin_shade, vrmi_vec3(0.82f, 0.66f, 0.66f)));
    }
    return vrmi_paint_opaque(swatches[(int)(vrmi_clamp(u, 0.0f, 0.74f) * 4.0f)]);
}

vrmi_paint_pixel vrmi_full_paint_face(const vrmi_sample_style *style, float u, float v)
{
    if (v > 0.962f) {
        return paint_swatch(style, u);
    }
    const float x = (u - 0.5f) * 0.2f, y = 1.46f - v * 0.16f, side = vrmi_abs(x), mouth = VRMI_FULL_MOUTH_Y;
    vrmi_full_face rest;
    vrmi_full_face_rest(&rest);
    vrm_vec3 c = style->skin;
    const vrm_vec3 line = vrmi_vec3_mul(style->skin_shade, vrmi_vec3(0.80f, 0.64f, 0.64f));
    c = MIX(c, warm, 0.26f * OVAL(side, y, 0.0480f, 1.3625f, 0.030f, 0.019f, 0.95f));
    c = MIX(c, warm, 0.20f * OVAL(x, y, 0.0f, 1.3632f, 0.0075f, 0.0050f, 0.9f));
    // The nose has a highlight on its ridge and a shadow below it.
    c = MIX(c, white, 0.55f * OVAL(x, y, 0.0008f, 1.3662f, 0.0013f, 0.0034f, 0.7f));
    c = MIX(c, style->skin_shade, 0.85f * OVAL(x, y, 0.0f, 1.3577f, 0.0042f, 0.0013f, 0.6f));
    // The lips have a soft tint; the lower lip has a highlight and a shadow.
    const vrm_vec3 lip = MIX(style->skin, vrmi_vec3(0.95f, 0.45f, 0.47f), 0.55f);
    c = MIX(c, lip, 0.75f * OVAL(x, y, 0.0f, mouth + 0.0008f, 0.0135f, 0.0032f, 0.45f));
    c = MIX(c, lip, 0.80f * OVAL(x, y, 0.0f, mouth - 0.0022f, 0.0105f, 0.0045f, 0.40f));
    c = MIX(c, white, 0.45f * OVAL(x, y, 0.0f, mouth - 0.0034f, 0.0036f, 0.0010f, 0.8f));
    c = MIX(c, style->skin_shade, 0.60f * OVAL(x, y, 0.0f, mouth - 0.0098f, 0.0065f, 0.0011f, 0.8f));
    c = MIX(c, line, 0.55f * OVAL(side, y, 0.0137f, mouth + 0.0004f, 0.0022f, 0.0012f, 0.8f));
    // The tint around the eye.
    const float s = (side - VRMI_FULL_EYE_X) / 0.0240f;
    if (s > -1.0f && s < 1.05f) {
        const float lid = vrmi_full_lid_upper(&rest, 0, vrmi_clamp(s, -0.98f, 0.98f));
        const float fade = vrmi_sample_smooth(-0.85f, -0.35f, s) * (1.0f - vrmi_sample_smooth(0.75f, 1.0f, s));
        c = MIX(c, warm,
            0.22f * fade * (1.0f - vrmi_sample_smooth(lid + 0.0005f, lid + 0.0050f, y)) *
                vrmi_sample_smooth(lid - 0.002f, lid, y));
        const float low = vrmi_full_lid_lower(&rest, 0, vrmi_clamp(s, -0.98f, 0.98f));
        c = MIX(c, warm,
            0.38f * (1.0f - vrmi_sample_smooth(0.0f, 0.0040f, low - y)) * vrmi_sample_smooth(-0.001f, 0.0f, low - y) *
                vrmi_sample_smooth(-0.9f, 0.0f, s));
    }
    // The shadow of the fringe.
    c = MIX(c, style->skin_shade, 0.60f * vrmi_sample_smooth(1.4300f, 1.4480f, y - 0.05f * side));
    return vrmi_paint_opaque(c);
}

vrmi_paint_pixel vrmi_full_paint_white(const vrmi_sample_style *style, float u, float v)
{
    (void)style;
    const vrm_vec3 shadow = {0.72f, 0.70f, 0.83f}, clear = {0.985f, 0.985f, 1.0f}, rim = {0.86f, 0.77f, 0.83f};
    vrm_vec3 c = MIX(shadow, clear, vrmi_sample_smooth(0.28f, 0.46f, v));
    // Towards both corners and the bottom the white gets the skin's tone, as under the lids.
    c = MIX(c, rim, 0.75f * vrmi_sample_smooth(0.30f, 0.44f, vrmi_abs(u - 0.5f)));
    c = MIX(c, rim, 0.65f * vrmi_sample_smooth(0.72f, 0.82f, v));
    return vrmi_paint_opaque(c);
}

// Paints two irises side by side: the normal one, and one with a star, which an expression selects.
vrmi_paint_pixel vrmi_full_paint_iris(const vrmi_sample_style *style, float u, float v)
{
    const bool second = u >= 0.5f;
    const float x = ((second ? u - 0.5f : u) - 0.25f) / 0.24f, y = (v - 0.5f) / 0.48f;
    const float r = vrmi_sqrt(x * x + y * y), angle = vrmi_atan2(x, y) / (2.0f * VRMI_PI);
    const vrm_vec3 dark = vrmi_vec3_scale(style->eye, 0.30f), deep = vrmi_vec3_scale(style->eye, 0.68f);
    vrm_vec3 c = MIX(deep, style->eye, vrmi_sample_smooth(-0.5f, 0.15f, y));
    c = MIX(c, style->eye_light, 0.90f * vrmi_sample_smooth(0.0f, 0.95f, y));
    // Fibres around the pupil, brightest in the lower half of the iris.
    const float fibres = vrmi_paint_wave(angle * 22.0f) * 0.6f + vrmi_paint_wave(angle * 9.0f + 0.3f) * 0.4f;
    c = MIX(c, style->eye_light, 0.42f * fibres * BAND(0.48f, 0.80f, 0.10f, r) * vrmi_sample_smooth(-0.35f, 0.4f, y));
    c = MIX(c, deep, 0.35f * (1.0f - fibres) * BAND(0.50f, 0.85f, 0.08f, r));
    // The shadow of the lid.
    c = MIX(c, dark, 0.92f * (1.0f - vrmi_sample_smooth(-0.85f, -0.20f, y)));
    if (second) {
        c = MIX(c, vrmi_vec3(1.0f, 0.93f, 0.62f), vrmi_paint_star(x, y - 0.05f, 0.72f));
    } else {
        c = MIX(c, vrmi_vec3_scale(dark, 0.70f), OVAL(x, y, 0.0f, 0.03f, 0.34f, 0.40f, 0.14f));
        c = MIX(c, style->eye, 0.65f * OVAL(x, y, 0.0f, 0.24f, 0.17f, 0.12f, 0.6f));
    }
    c = MIX(c, dark, 0.95f * vrmi_sample_smooth(0.84f, 0.93f, r));
    // A glow from below, then the two highlights that drawn eyes have.
    c = MIX(c, style->eye_light, 0.85f * OVAL(x, y, 0.0f, 0.66f, 0.46f, 0.17f, 0.40f));
    c = MIX(c, white, 0.55f * OVAL(x, y, 0.0f, 0.72f, 0.24f, 0.08f, 0.6f));
    c = MIX(c, white, OVAL(x, y, -0.36f, -0.34f, 0.24f, 0.25f, 0.10f));
    return vrmi_paint_opaque(MIX(c, white, 0.95f * OVAL(x, y, 0.42f, 0.36f, 0.12f, 0.12f, 0.18f)));
}

vrmi_paint_pixel vrmi_full_paint_blush(const vrmi_sample_style *style, float u, float v)
{
    (void)style;
    const float x = u * 2.0f - 1.0f, y = v * 2.0f - 1.0f;
    float alpha = 0.55f * (1.0f - vrmi_sample_smooth(0.20f, 1.0f, vrmi_sqrt(x * x + y * y)));
    // Three slanted strokes, as in drawings.
    for (int i = -1; i <= 1; ++i) {
        const float across = x - 0.34f * (float)i + 0.22f * y;
        const float stroke = BAND(-0.030f, 0.030f, 0.03f, across) * BAND(-0.34f, 0.30f, 0.08f, y);
        alpha = vrmi_max(alpha, 0.70f * stroke);
    }
    return (vrmi_paint_pixel){{0.98f, 0.42f, 0.45f}, alpha};
}
