// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "sample/figure.h"

// Colours and proportions. Those of seed 0 are fixed. Other seeds draw from palettes of matching colours, and no two
// successive seeds look alike.

typedef struct hair_colors {
    uint32_t base, tip, shade;
} hair_colors;

static const hair_colors hair_palette[] = {
    {0x7d8fd8, 0xf0c3e6, 0x5662b4}, // periwinkle
    {0xe3a0a8, 0xfbd8d0, 0xb96f88}, // rose
    {0x8a5b48, 0xc8936c, 0x5f3a3a}, // chestnut
    {0xe9c98f, 0xfbeec6, 0xbb9166}, // straw
    {0x62b5a8, 0xb6ecd2, 0x3f8490}, // sea
    {0xc9c6d8, 0xf3f0fa, 0x918fb4}, // silver
    {0x3f4463, 0x7d83b5, 0x2a2b48}, // ink
    {0xd9785a, 0xf7bd84, 0xa24c4c}, // copper
};

typedef struct eye_colors {
    uint32_t base, light;
} eye_colors;

static const eye_colors eye_palette[] = {
    {0x1f8f93, 0x8ff0d2},
    {0xb8631f, 0xffd27a},
    {0x7a4bb5, 0xd9b0ff},
    {0x2c66c4, 0x9ad8ff},
    {0xb13a52, 0xffa7a0},
    {0x4f8a34, 0xd3ee86},
};

typedef struct dress_colors {
    uint32_t cloth, cloth_shade, accent, accent_shade, ribbon, glow;
} dress_colors;

static const dress_colors dress_palette[] = {
    {0xfaf8f5, 0xc6c6e0, 0x323a68, 0x20234a, 0xff6f61, 0xffb05c}, // white, navy, coral
    {0xf7efe2, 0xd3bfb8, 0x4f6f5c, 0x31483f, 0xf2a33c, 0xffe08a}, // cream, fir, amber
    {0x39405e, 0x262a44, 0xb8bfd8, 0x7e84a8, 0x5fd0e8, 0xa8fff2}, // night, mist, ice
    {0xf6dfe4, 0xd2a3b8, 0x7a4763, 0x4f2b47, 0x8f6bd8, 0xd8b8ff}, // blush, plum, violet
    {0xe6eef4, 0xa9bcd6, 0x8a3d45, 0x5a2537, 0xf0c552, 0xfff0a0}, // frost, wine, gold
};

static vrm_vec3 color(uint32_t rgb)
{
    return (vrm_vec3){
        (float)(rgb >> 16 & 255u) / 255.0f, (float)(rgb >> 8 & 255u) / 255.0f, (float)(rgb & 255u) / 255.0f};
}

// Returns a random number: splitmix64's mixer over a counter.
static uint32_t draw(uint64_t *state)
{
    *state += 0x9e3779b97f4a7c15u;
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ (z >> 31)) >> 32);
}

static float draw_between(uint64_t *state, float low, float high)
{
    return low + (high - low) * ((float)(draw(state) >> 8) / 16777216.0f);
}

static void set_colors(vrmi_sample_style *out, uint32_t hair, uint32_t eye, uint32_t dress)
{
    out->skin = color(0xffebdf);
    out->skin_shade = color(0xf3bfae);
    out->hair = color(hair_palette[hair].base);
    out->hair_tip = color(hair_palette[hair].tip);
    out->hair_shade = color(hair_palette[hair].shade);
    out->eye = color(eye_palette[eye].base);
    out->eye_light = color(eye_palette[eye].light);
    out->cloth = color(dress_palette[dress].cloth);
    out->cloth_shade = color(dress_palette[dress].cloth_shade);
    out->accent = color(dress_palette[dress].accent);
    out->accent_shade = color(dress_palette[dress].accent_shade);
    out->ribbon = color(dress_palette[dress].ribbon);
    out->ribbon_glow = color(dress_palette[dress].glow);
    out->metal = color(0xf2cf73);
    out->sole = color(0xf4efe9);
}

void vrmi_sample_style_from_seed(uint32_t seed, vrmi_sample_style *out)
{
    *out = (vrmi_sample_style){
        .height = 1.0f, .hair_length = 1.0f, .back_length = 1.0f, .skirt_length = 1.0f, .fringe = 0.0f, .legs = 1.0f};
    out->outfit = VRM_SAMPLE_OUTFIT_UNIFORM;
    out->hair_cut = VRM_SAMPLE_HAIR_LONG;
    set_colors(out, 0, 0, 0);
    if (seed == 0) {
        return;
    }
    uint64_t state = (uint64_t)seed * 0xd1342543de82ef95u;
    // The factors have no common divisor with the palettes' sizes, so successive seeds differ in hair, eyes and
    // clothes.
    const uint32_t hair = seed % 8u * 3u % (uint32_t)VRMI_COUNT_OF(hair_palette);
    const uint32_t eye = seed % 6u * 5u % (uint32_t)VRMI_COUNT_OF(eye_palette);
    const uint32_t dress = seed % 5u * 2u % (uint32_t)VRMI_COUNT_OF(dress_palette);
    set_colors(out, hair, eye, dress);
    out->height = draw_between(&state, 0.94f, 1.08f);
    out->hair_length = draw_between(&state, 0.85f, 1.15f);
    out->back_length = draw_between(&state, 0.5f, 1.15f);
    out->skirt_length = draw_between(&state, 0.85f, 1.3f);
    out->fringe = draw_between(&state, -0.006f, 0.006f);
    out->legs = draw_between(&state, 0.95f, 1.06f);
    // Slightly varies the palettes' colours, so that seeds with the same palettes differ.
    const float tone = draw_between(&state, 0.0f, 0.08f);
    out->skin = vrmi_vec3_lerp(out->skin, color(0xe8b890), tone * 4.0f);
    out->skin_shade = vrmi_vec3_lerp(out->skin_shade, color(0xb87a62), tone * 4.0f);
    out->hair = vrmi_vec3_lerp(out->hair, out->hair_tip, draw_between(&state, 0.0f, 0.25f));
    out->outfit = draw(&state) % 2u == 0 ? VRM_SAMPLE_OUTFIT_UNIFORM : VRM_SAMPLE_OUTFIT_HOODIE;
    out->hair_cut = draw(&state) % 2u == 0 ? VRM_SAMPLE_HAIR_LONG : VRM_SAMPLE_HAIR_SHORT;
}
