// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "sample/full/hair.h"

// Two haircuts. Widths, lengths and positions vary from strand to strand by a fixed pseudo-random pattern. So no two
// strands are alike, and each figure is the same on every machine.

typedef struct cut {
    const vrmi_sample_style *style;
    vrmi_full_strand *out;
    int count;
    bool is_long;
} cut;

// Returns a pseudo-random number from -1 to 1.
static float play(int i, int k)
{
    const uint32_t x = ((uint32_t)i * 7919u + (uint32_t)k * 104729u + 12345u) * 2654435761u;
    return (float)(x >> 8) / 8388608.0f - 1.0f;
}

static vrmi_full_strand *next(cut *c)
{
    VRM_VALIDATE(c->count < VRMI_FULL_MOST_STRANDS);
    vrmi_full_strand *s = &c->out[c->count++];
    *s = (vrmi_full_strand){0};
    return s;
}

static void turn(float azimuth, float *out_sine, float *out_cosine)
{
    vrmi_sincos(azimuth * (VRMI_PI / 180.0f), out_sine, out_cosine);
}

// Adds wide strands below all others, which close the gaps between the other strands.
static void add_under(cut *c)
{
    static const float azimuths[] = {112.0f, 146.0f, 180.0f, 214.0f, 248.0f};
    for (int i = 0; i < 5; ++i) {
        float sine, cosine;
        turn(azimuths[i], &sine, &cosine);
        vrmi_full_strand *s = next(c);
        *s = (vrmi_full_strand){.kind = VRMI_FULL_CHAIN_BACK,
            .root_azimuth = azimuths[i],
            .root_polar = 55.0f,
            .azimuth = azimuths[i],
            .polar = 100.0f,
            .hangs = true,
            .lift = -0.004f,
            .width = 0.042f,
            .thickness = 0.010f,
            .rows = 9};
        s->tip = c->is_long ? vrmi_vec3(0.085f * sine, 0.960f + 0.03f * play(i, 1), -0.085f + 0.055f * cosine)
                            : vrmi_vec3(0.062f * sine, 1.300f + 0.006f * play(i, 1), -0.012f + 0.070f * cosine);
        s->tip_direction = c->is_long ? vrmi_vec3(0.0f, -1.0f, 0.0f) : vrmi_vec3(-0.3f * sine, -1.0f, -0.3f * cosine);
    }
}

static void add_back(cut *c)
{
    enum { COUNT = 13 };
    for (int i = 0; i < COUNT; ++i) {
        const float azimuth = 96.0f + 14.0f * (float)i + 3.0f * play(i, 2);
        float sine, cosine;
        turn(azimuth, &sine, &cosine);
        const bool leads = i % 2 == 1; // six chains, none of them in the middle
        vrmi_full_strand *s = next(c);
        *s = (vrmi_full_strand){.kind = VRMI_FULL_CHAIN_BACK,
            .root_azimuth = azimuth,
            .root_polar = 5.0f,
            .azimuth = azimuth,
            .polar = 97.0f,
            .hangs = true,
            .lift = 0.0020f + 0.0020f * (float)(i % 3),
            .width = 0.0215f + 0.0045f * play(i, 3),
            .thickness = 0.0105f,
            .rows = c->is_long ? 18 : 16,
            .springs = leads ? (c->is_long ? 5 : 2) : 0};
        if (c->is_long) {
            s->tip =
                vrmi_vec3((0.150f + 0.018f * play(i, 4)) * sine, 0.905f + 0.045f * play(i, 5) - 0.03f * cosine * cosine,
                    -0.098f + (0.085f + 0.012f * play(i, 6)) * cosine);
            s->tip_direction = vrmi_vec3(0.45f * play(i, 7) - 0.35f * sine, -1.0f, -0.15f * cosine);
            s->sway = 0.016f * play(i, 8);
        } else {
            s->tip = vrmi_vec3((0.081f + 0.005f * play(i, 4)) * sine, 1.290f + 0.008f * play(i, 5),
                -0.008f + (0.084f + 0.005f * play(i, 6)) * cosine);
            s->tip_direction = vrmi_vec3(-0.65f * sine, -1.0f, -0.65f * cosine);
        }
    }
}

// Adds shorter strands over the back and the sides.
static void add_top(cut *c)
{
    enum { COUNT = 10 };
    for (int i = 0; i < COUNT; ++i) {
        const float azimuth = 84.0f + 21.3f * (float)i + 4.0f * play(i, 12);
        float sine, cosine;
        turn(azimuth, &sine, &cosine);
        vrmi_full_strand *s = next(c);
        *s = (vrmi_full_strand){.kind = VRMI_FULL_CHAIN_BACK,
            .root_azimuth = azimuth,
            .root_polar = 3.0f,
            .azimuth = azimuth,
            .polar = 96.0f,
            .hangs = true,
            .lift = 0.0085f + 0.0012f * (float)(i % 2),
            .width = 0.0170f + 0.0050f * play(i, 13),
            .thickness = 0.0075f,
            .rows = 15};
        if (c->is_long) {
            s->tip = vrmi_vec3(
                (0.112f + 0.008f * play(i, 14)) * sine, 1.225f + 0.045f * play(i, 15), -0.030f + 0.100f * cosine);
            s->tip_direction = vrmi_vec3(0.35f * sine + 0.3f * play(i, 16), -1.0f, 0.35f * cosine);
        } else {
            s->tip = vrmi_vec3(
                (0.096f + 0.004f * play(i, 14)) * sine, 1.352f + 0.018f * play(i, 15), -0.008f + 0.100f * cosine);
            s->tip_direction = vrmi_vec3(-0.25f * sine, -1.0f, -0.25f * cosine);
        }
    }
}

// Adds two strands in front of each ear.
static void add_sides(cut *c)
{
    for (int i = 0; i < 4; ++i) {
        const float side = i < 2 ? 1.0f : -1.0f;
        const bool front = i % 2 == 0;
        vrmi_full_strand *s = next(c);
        *s = (vrmi_full_strand){.kind = VRMI_FULL_CHAIN_SIDE,
            .root_azimuth = side > 0.0f ? 20.0f : -40.0f,
            .root_polar = front ? 18.0f : 8.0f,
            .azimuth = side * (front ? 64.0f : 80.0f),
            .polar = front ? 99.0f : 98.0f,
            .hangs = true,
            .lift = front ? 0.0045f : 0.0015f,
            .width = front ? 0.0175f : 0.0195f,
            .thickness = 0.0090f,
            .rows = c->is_long ? 16 : 13,
            .springs = front ? (c->is_long ? 5 : 2) : 0};
        if (c->is_long) {
            s->tip = front ? vrmi_vec3(side * 0.088f, 1.135f + 0.010f * play(i, 21), 0.082f)
                           : vrmi_vec3(side * 0.110f, 1.080f + 0.010f * play(i, 21), 0.058f);
            s->tip_direction = vrmi_vec3(-0.35f * side, -1.0f, 0.10f);
            s->sway = (front ? 0.012f : -0.010f) * side;
        } else {
            s->tip = front ? vrmi_vec3(side * 0.066f, 1.306f, 0.058f) : vrmi_vec3(side * 0.078f, 1.292f, 0.024f);
            s->tip_direction = vrmi_vec3(-0.75f * side, -1.0f, 0.10f);
        }
    }
}

// Adds the fringe, from the parting over the forehead. It is longer between and beside the eyes than in front of them.
static void add_fringe(cut *c)
{
    // Columns: azimuth and polar angle of the tip, half width, 1 if the strand lies above its neighbours.
    static const float rows[][4] = {{-62.0f, 124.0f, 0.0150f, 0.0f}, {62.0f, 124.0f, 0.0150f, 0.0f},
        {-37.0f, 105.0f, 0.0125f, 0.0f}, {33.0f, 103.0f, 0.0120f, 0.0f}, {-13.0f, 106.0f, 0.0115f, 0.0f},
        {8.0f, 108.0f, 0.0125f, 0.0f}, {-50.0f, 114.0f, 0.0160f, 1.0f}, {48.0f, 112.0f, 0.0165f, 1.0f},
        {-25.0f, 103.0f, 0.0160f, 1.0f}, {20.0f, 104.0f, 0.0165f, 1.0f}, {-3.0f, 112.0f, 0.0085f, 1.0f}};
    for (int i = 0; i < (int)VRMI_COUNT_OF(rows); ++i) {
        const float *r = rows[i];
        vrmi_full_strand *s = next(c);
        *s = (vrmi_full_strand){.kind = VRMI_FULL_CHAIN_FRINGE,
            .root_azimuth = vrmi_lerp(-14.0f, r[0], 0.15f),
            .root_polar = 24.0f,
            .azimuth = r[0],
            .polar = r[1] + 500.0f * c->style->fringe,
            .lift = 0.0050f + 0.0045f * r[3],
            .width = r[2],
            .thickness = 0.0065f,
            .rows = 10,
            .springs = r[3] > 0.0f ? 2 : 0};
    }
}

// Adds a strand that sticks up.
static void add_crown(cut *c)
{
    vrmi_full_strand *s = next(c);
    *s = (vrmi_full_strand){.kind = VRMI_FULL_CHAIN_CROWN,
        .root_azimuth = -20.0f,
        .root_polar = 6.0f,
        .azimuth = -8.0f,
        .polar = 9.0f,
        .hangs = true,
        .tip = {0.040f, 1.583f, 0.066f},
        .tip_direction = {0.55f, -0.85f, 0.45f},
        .lift = -0.012f, // the root is below the cap
        .width = 0.0080f,
        .thickness = 0.0045f,
        .rows = 9,
        .springs = 3};
}

int vrmi_full_cut_hair(const vrmi_sample_style *style, vrmi_full_strand out[VRMI_FULL_MOST_STRANDS])
{
    cut c = {.style = style, .out = out, .is_long = style->hair_cut == VRM_SAMPLE_HAIR_LONG};
    add_under(&c);
    add_back(&c);
    add_top(&c);
    add_sides(&c);
    add_crown(&c);
    add_fringe(&c);
    return c.count;
}
