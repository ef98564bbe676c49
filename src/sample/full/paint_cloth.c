// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "sample/full/clothes.h"
#include "sample/full/paint.h"

// Textures of clothes, hair and shiny parts. The textures of the lit and the shaded side are the same drawing; the
// shaded one has deeper folds.

static const vrm_vec3 white = {1.0f, 1.0f, 1.0f};

#define MIX vrmi_paint_mix
#define BAND vrmi_paint_band
#define SMOOTH vrmi_sample_smooth
#define OVAL(x, y, ...) vrmi_paint_ellipse(x, y, (vrmi_paint_oval){__VA_ARGS__})

// A fold: a soft dark line from (x, y) to (x + dx, y + dy) that fades at both ends.
typedef struct fold {
    float x, y, dx, dy, width;
} fold;

static float folded(const fold *folds, size_t count, float x, float y)
{
    float most = 0.0f;
    for (size_t i = 0; i < count; ++i) {
        const fold *f = &folds[i];
        const float length = f->dx * f->dx + f->dy * f->dy;
        const float t = ((x - f->x) * f->dx + (y - f->y) * f->dy) / length;
        const float px = x - f->x - t * f->dx, py = y - f->y - t * f->dy;
        const float away = vrmi_sqrt(px * px + py * py) / f->width;
        const float ends = SMOOTH(0.0f, 0.35f, t) * (1.0f - SMOOTH(0.6f, 1.0f, t));
        most = vrmi_max(most, ends * (1.0f - SMOOTH(0.15f, 1.0f, away)));
    }
    return most;
}

// Returns the depth of the folds. `side` is 0 in front and 0.5 at the back; y is in metres.
static float trunk_folds(const vrmi_sample_style *style, float side, float y)
{
    static const fold blouse[] = {{0.10f, 1.060f, 0.035f, -0.090f, 0.012f}, {0.055f, 1.035f, 0.012f, -0.070f, 0.009f},
        {0.165f, 1.050f, -0.006f, -0.080f, 0.012f}, {0.230f, 1.160f, -0.045f, -0.050f, 0.012f},
        {0.250f, 1.120f, -0.070f, -0.030f, 0.012f}, {0.300f, 1.060f, 0.010f, -0.090f, 0.013f},
        {0.370f, 1.040f, 0.012f, -0.080f, 0.012f}, {0.440f, 1.050f, -0.008f, -0.085f, 0.012f}};
    static const fold hoodie[] = {{0.050f, 0.905f, 0.050f, -0.030f, 0.010f}, {0.140f, 0.930f, 0.010f, -0.065f, 0.012f},
        {0.225f, 1.160f, -0.060f, -0.080f, 0.015f}, {0.250f, 1.100f, -0.080f, -0.060f, 0.015f},
        {0.210f, 0.960f, 0.045f, -0.070f, 0.014f}, {0.300f, 0.980f, 0.050f, -0.085f, 0.016f},
        {0.390f, 0.960f, 0.020f, -0.080f, 0.014f}, {0.440f, 1.000f, 0.030f, -0.100f, 0.016f},
        {0.100f, 1.000f, 0.060f, -0.050f, 0.012f}};
    return style->outfit == VRM_SAMPLE_OUTFIT_UNIFORM ? folded(blouse, VRMI_COUNT_OF(blouse), side, y)
                                                      : folded(hoodie, VRMI_COUNT_OF(hoodie), side, y);
}

static vrm_vec3 paint_blouse(const vrmi_sample_style *style, float side, float y)
{
    vrm_vec3 c = style->cloth;
    // The bib's border, the placket with its buttons, and the seams at the sides.
    c = MIX(c, style->cloth_shade, 0.75f * BAND(0.0195f, 0.0210f, 0.0008f, side) * (1.0f - SMOOTH(1.10f, 1.12f, y)));
    const float border = BAND(VRMI_FULL_BIB - 0.0065f, VRMI_FULL_BIB - 0.0015f, 0.0008f, y);
    c = MIX(c, style->accent, border * (1.0f - SMOOTH(0.09f, 0.10f, side)));
    for (int i = 0; i < 3; ++i) {
        const float at = 1.075f - 0.034f * (float)i;
        c = MIX(c, style->metal, OVAL(side, (y - at) * 1.6f, 0.0f, 0.0f, 0.0090f, 0.0072f, 0.2f));
    }
    return MIX(c, style->cloth_shade, 0.6f * BAND(0.2490f, 0.2510f, 0.0012f, side) * (1.0f - SMOOTH(1.14f, 1.16f, y)));
}

static vrm_vec3 paint_hoodie(const vrmi_sample_style *style, float side, float y)
{
    vrm_vec3 c = style->cloth;
    // The pocket is the outline of a trapezium that is open at its slanted sides.
    const float wide = 0.150f - 0.060f * SMOOTH(0.905f, 0.960f, y);
    const float inside = (1.0f - SMOOTH(wide - 0.002f, wide + 0.002f, side)) * BAND(0.872f, 0.962f, 0.002f, y);
    const float outline = (1.0f - SMOOTH(wide + 0.004f, wide + 0.008f, side)) * BAND(0.869f, 0.966f, 0.002f, y);
    c = MIX(c, style->cloth_shade, 0.85f * (outline - inside));
    // A star on the chest and the ribbed hem.
    c = MIX(
        c, style->ribbon, vrmi_paint_star(side / 0.055f, (1.095f - y) / 0.030f, 0.85f) * (side < 0.1f ? 1.0f : 0.0f));
    const float rib = 0.5f + 0.5f * vrmi_paint_wave(side * 70.0f);
    const vrm_vec3 ribbed = MIX(style->accent, style->accent_shade, 0.55f * rib);
    return MIX(c, ribbed, 1.0f - SMOOTH(0.858f, 0.861f, y));
}

static vrm_vec3 paint_trunk(const vrmi_sample_style *style, float side, float v, float shade)
{
    const float y = VRMI_FULL_TRUNK_TOP - (v - 0.01f) / 0.39f * VRMI_FULL_TRUNK_HEIGHT;
    const bool uniform = style->outfit == VRM_SAMPLE_OUTFIT_UNIFORM;
    vrm_vec3 c = uniform ? paint_blouse(style, side, y) : paint_hoodie(style, side, y);
    // Shadows under the arms and the chest, and folds.
    const float under = 0.30f * BAND(0.20f, 0.30f, 0.04f, side) * BAND(1.08f, 1.19f, 0.03f, y);
    const float chest = uniform ? 0.35f * BAND(1.040f, 1.062f, 0.014f, y) * BAND(0.05f, 0.17f, 0.04f, side) : 0.0f;
    const float creases = (0.55f + 0.45f * shade) * trunk_folds(style, side, y);
    return MIX(c, style->cloth_shade, vrmi_max(vrmi_max(under, chest), creases) * (0.8f + 0.2f * shade));
}

static vrm_vec3 paint_sleeve(const vrmi_sample_style *style, float u, float v, float shade)
{
    u *= 4.0f;
    const float t = (v - VRMI_FULL_V_SLEEVE) / 0.18f; // 0: shoulder, 1: hem
    if (style->outfit == VRM_SAMPLE_OUTFIT_UNIFORM) {
        static const fold folds[] = {{0.15f, 0.20f, 0.08f, 0.60f, 0.030f}, {0.36f, 0.15f, -0.03f, 0.60f, 0.035f},
            {0.55f, 0.25f, 0.04f, 0.55f, 0.030f}, {0.74f, 0.20f, -0.02f, 0.60f, 0.035f},
            {0.92f, 0.2f, 0.03f, 0.6f, 0.03f}};
        vrm_vec3 c =
            MIX(style->cloth, style->cloth_shade, (0.5f + 0.4f * shade) * folded(folds, VRMI_COUNT_OF(folds), u, t));
        c = MIX(c, style->accent, SMOOTH(0.875f, 0.885f, t));
        return MIX(c, style->cloth, BAND(0.925f, 0.950f, 0.006f, t));
    }
    static const fold folds[] = {{0.10f, 0.42f, 0.28f, 0.10f, 0.030f}, {0.60f, 0.44f, 0.30f, 0.06f, 0.030f},
        {0.30f, 0.52f, 0.25f, 0.07f, 0.028f}, {0.80f, 0.55f, 0.20f, 0.05f, 0.028f},
        {0.05f, 0.78f, 0.25f, 0.04f, 0.022f}, {0.45f, 0.76f, 0.30f, 0.05f, 0.022f},
        {0.70f, 0.80f, 0.28f, -0.04f, 0.022f}, {0.20f, 0.10f, 0.10f, 0.20f, 0.035f},
        {0.70f, 0.10f, 0.08f, 0.22f, 0.035f}};
    vrm_vec3 c =
        MIX(style->accent, style->accent_shade, (0.6f + 0.4f * shade) * folded(folds, VRMI_COUNT_OF(folds), u, t));
    c = MIX(c, style->cloth, BAND(0.30f, 0.345f, 0.004f, t));
    c = MIX(c, style->ribbon, BAND(0.362f, 0.380f, 0.004f, t));
    const float rib = 0.5f + 0.5f * vrmi_paint_wave(u * 34.0f);
    return MIX(c, MIX(style->accent, style->accent_shade, 0.65f * rib), SMOOTH(0.885f, 0.893f, t));
}

static vrm_vec3 paint_collar(const vrmi_sample_style *style, float v)
{
    const float t = (v - VRMI_FULL_V_COLLAR) / 0.08f; // 1: outer edge
    vrm_vec3 c = MIX(style->accent, style->accent_shade, 0.35f * (1.0f - SMOOTH(0.0f, 0.3f, t)));
    c = MIX(c, style->cloth, BAND(0.80f, 0.835f, 0.008f, t));
    return MIX(c, style->cloth, BAND(0.885f, 0.920f, 0.008f, t));
}

static vrm_vec3 paint_sock(const vrmi_sample_style *style, float u, float v)
{
    u *= 4.0f;
    const float t = (v - VRMI_FULL_V_SOCK) / 0.115f; // 0 at the rim
    if (style->outfit != VRM_SAMPLE_OUTFIT_UNIFORM) {
        return MIX(style->sole, style->ribbon, BAND(0.10f, 0.30f, 0.02f, t));
    }
    vrm_vec3 c = MIX(style->accent, style->accent_shade, 0.25f * vrmi_paint_wave(u * 26.0f));
    c = MIX(c, style->cloth, BAND(0.240f, 0.275f, 0.006f, t));
    return MIX(c, style->cloth, BAND(0.315f, 0.340f, 0.006f, t));
}

static vrm_vec3 paint_shoe(const vrmi_sample_style *style, float u, float v)
{
    const float t = (v - VRMI_FULL_V_SHOE) / 0.06f,
                top = vrmi_abs(u - 0.25f); // t is 0 at the heel; u is 0.25 on the upper side
    if (style->outfit == VRM_SAMPLE_OUTFIT_UNIFORM) {
        const vrm_vec3 leather = {0.33f, 0.20f, 0.18f}, seam = {0.20f, 0.11f, 0.11f}, shine = {0.52f, 0.36f, 0.32f};
        vrm_vec3 c = MIX(leather, shine, 0.5f * OVAL(u, t, 0.25f, 0.86f, 0.10f, 0.05f, 0.8f));
        c = MIX(c, seam, BAND(0.50f, 0.515f, 0.006f, t) * (1.0f - SMOOTH(0.20f, 0.22f, top)));
        c = MIX(c, seam, BAND(0.58f, 0.595f, 0.006f, t) * (1.0f - SMOOTH(0.14f, 0.16f, top)));
        return MIX(c, seam, BAND(0.145f, 0.155f, 0.004f, top) * BAND(0.60f, 0.84f, 0.01f, t));
    }
    vrm_vec3 c = style->sole;
    // A coloured heel, a toe cap, and laces in between.
    c = MIX(c, style->ribbon, 1.0f - SMOOTH(0.20f, 0.215f, t));
    c = MIX(c, style->accent, BAND(0.19f, 0.24f, 0.008f, top) * BAND(0.22f, 0.78f, 0.01f, t));
    const float lace = vrmi_paint_wave(t * 15.0f);
    c = MIX(c, style->accent,
        SMOOTH(0.55f, 0.70f, lace) * (1.0f - SMOOTH(0.085f, 0.095f, top)) * BAND(0.42f, 0.72f, 0.01f, t));
    return MIX(c, style->cloth_shade, BAND(0.775f, 0.79f, 0.006f, t));
}

static vrm_vec3 paint_all(const vrmi_sample_style *style, float u, float v, float shade)
{
    // u is 0 at the back and 0.5 in front. Around arms and socks it covers only a quarter of the texture.
    if (v < 0.41f) {
        return paint_trunk(style, vrmi_abs(u - 0.5f), v, shade);
    }
    if (v < 0.61f) {
        return paint_sleeve(style, u, v, shade);
    }
    if (v < 0.71f) {
        return paint_collar(style, v);
    }
    if (v < 0.76f) {
        return MIX(style->cloth, style->cloth_shade, 0.4f * shade + 0.25f * vrmi_paint_wave(v * 40.0f));
    }
    if (v < 0.89f) {
        return paint_sock(style, u, v);
    }
    return v < 0.972f ? paint_shoe(style, u, v)
                      : vrmi_vec3_scale(style->sole, style->outfit == VRM_SAMPLE_OUTFIT_UNIFORM ? 0.35f : 1.0f);
}

vrmi_paint_pixel vrmi_full_paint_cloth(const vrmi_sample_style *style, float u, float v)
{
    return vrmi_paint_opaque(paint_all(style, u, v, 0.0f));
}

vrmi_paint_pixel vrmi_full_paint_cloth_shade(const vrmi_sample_style *style, float u, float v)
{
    return vrmi_paint_opaque(paint_all(style, u, v, 1.0f));
}

vrmi_paint_pixel vrmi_full_paint_bottom(const vrmi_sample_style *style, float u, float v)
{
    if (style->outfit != VRM_SAMPLE_OUTFIT_UNIFORM) {
        // Shorts, with v from 0.3 at the waist to 0.4 at the hem: a turned-up hem with a seam.
        const float t = (v - 0.30f) / 0.10f;
        vrm_vec3 c = MIX(style->accent_shade, style->accent, 0.45f);
        c = MIX(c, vrmi_vec3_scale(style->accent_shade, 0.75f), BAND(0.895f, 0.910f, 0.005f, t));
        return vrmi_paint_opaque(MIX(c, style->metal, BAND(0.928f, 0.938f, 0.004f, t)));
    }
    // One pleat: a bright edge, the pleat's face, the dark fold.
    vrm_vec3 c = MIX(style->accent, style->accent_shade, 0.55f * SMOOTH(0.30f, 0.85f, u));
    c = MIX(c, style->accent_shade, 0.9f * BAND(0.80f, 0.97f, 0.05f, u));
    c = MIX(c, white, 0.10f * BAND(0.02f, 0.10f, 0.03f, u));
    c = MIX(c, style->cloth, BAND(0.872f, 0.898f, 0.004f, v));
    c = MIX(c, style->ribbon, BAND(0.918f, 0.930f, 0.003f, v));
    const vrm_vec3 band = MIX(style->accent, style->accent_shade, 0.5f);
    return vrmi_paint_opaque(MIX(band, c, SMOOTH(0.085f, 0.095f, v)));
}

vrmi_paint_pixel vrmi_full_paint_ribbon(const vrmi_sample_style *style, float u, float v)
{
    // Diagonal bands that repeat in both directions, so that the texture can scroll.
    const float glow = vrmi_paint_wave(2.0f * u + v);
    return vrmi_paint_opaque(MIX(style->ribbon, style->ribbon_glow, 0.55f * glow * glow));
}

vrmi_paint_pixel vrmi_full_paint_mask(const vrmi_sample_style *style, float u, float v)
{
    (void)style;
    (void)u;
    return vrmi_paint_opaque(vrmi_vec3_scale(white, BAND(0.12f, 0.92f, 0.06f, v)));
}

vrmi_paint_pixel vrmi_full_paint_matcap(const vrmi_sample_style *style, float u, float v)
{
    (void)style;
    const float spot = OVAL(u, v, 0.34f, 0.28f, 0.16f, 0.12f, 0.7f);
    const float low = OVAL(u, v, 0.60f, 0.82f, 0.30f, 0.10f, 0.9f);
    return vrmi_paint_opaque(vrmi_vec3_scale(white, 0.32f * spot + 0.08f * low));
}

// Paints four strands side by side, each with its own streaks. v goes from the crown (0) over the hairline (0.3) to the
// tips (1).
static vrm_vec3 paint_strand(const vrmi_sample_style *style, float u, float v, float shade)
{
    const int tile = (int)(u * 4.0f);
    const float x = u * 4.0f - (float)tile, side = vrmi_abs(x - 0.5f) * 2.0f, own = 0.37f * (float)tile;
    vrm_vec3 c = MIX(style->hair, style->hair_tip, 0.92f * SMOOTH(0.36f, 1.02f, v));
    c = MIX(c, style->hair_shade, 0.45f * (1.0f - SMOOTH(0.0f, 0.07f, v)));
    // A few broad streaks and finer ones in between, slightly slanted.
    const float lean = x + 0.10f * vrmi_paint_wave(v * 1.3f + own);
    const float broad = vrmi_paint_wave(lean * 2.0f + own) * vrmi_paint_wave(lean * 5.0f + 1.7f * own);
    const float fine = vrmi_paint_wave(lean * 13.0f + own);
    c = MIX(c, style->hair_shade, (0.34f + 0.25f * shade) * broad + 0.12f * fine);
    c = MIX(c, style->hair_tip, 0.20f * vrmi_paint_wave(lean * 3.0f + 0.5f + own) * SMOOTH(0.10f, 0.35f, v));
    // The edges of a strand darken to a thin line.
    c = MIX(c, style->hair_shade, 0.55f * SMOOTH(0.66f, 0.97f, side));
    c = MIX(c, vrmi_vec3_scale(style->hair_shade, 0.72f), SMOOTH(0.955f, 0.985f, side));
    // The highlight has a jagged edge. Shaded hair has only a faint highlight.
    const float teeth = 0.020f * vrmi_paint_wave(lean * 3.0f + own) + 0.008f * vrmi_paint_wave(lean * 8.0f + 0.3f);
    const float ring = BAND(0.150f + 0.5f * teeth, 0.192f - teeth, 0.004f, v) * (1.0f - SMOOTH(0.70f, 0.90f, side));
    return MIX(c, MIX(style->hair_tip, white, 0.60f), 0.80f * ring * (1.0f - 0.75f * shade));
}

vrmi_paint_pixel vrmi_full_paint_hair(const vrmi_sample_style *style, float u, float v)
{
    return vrmi_paint_opaque(paint_strand(style, u, v, 0.0f));
}

vrmi_paint_pixel vrmi_full_paint_hair_shade(const vrmi_sample_style *style, float u, float v)
{
    return vrmi_paint_opaque(paint_strand(style, u, v, 1.0f));
}

bool vrmi_full_paint(vrmi_sample_figure *figure)
{
    static const vrmi_paint_job jobs[] = {
        {VRMI_FULL_IMAGE_SKIN, 128, 512, vrmi_full_paint_skin},
        {VRMI_FULL_IMAGE_FACE, 512, 512, vrmi_full_paint_face},
        {VRMI_FULL_IMAGE_WHITE, 64, 64, vrmi_full_paint_white},
        {VRMI_FULL_IMAGE_IRIS, 512, 256, vrmi_full_paint_iris},
        {VRMI_FULL_IMAGE_BLUSH, 64, 64, vrmi_full_paint_blush},
        {VRMI_FULL_IMAGE_CLOTH, 512, 1024, vrmi_full_paint_cloth},
        {VRMI_FULL_IMAGE_CLOTH_SHADE, 256, 512, vrmi_full_paint_cloth_shade},
        {VRMI_FULL_IMAGE_BOTTOM, 32, 512, vrmi_full_paint_bottom},
        {VRMI_FULL_IMAGE_RIBBON, 128, 128, vrmi_full_paint_ribbon},
        {VRMI_FULL_IMAGE_MASK, 64, 64, vrmi_full_paint_mask},
        {VRMI_FULL_IMAGE_HAIR, 512, 512, vrmi_full_paint_hair},
        {VRMI_FULL_IMAGE_HAIR_SHADE, 256, 256, vrmi_full_paint_hair_shade},
        {VRMI_FULL_IMAGE_MATCAP, 128, 128, vrmi_full_paint_matcap},
    };
    return vrmi_paint_images(figure, jobs, VRMI_COUNT_OF(jobs));
}
