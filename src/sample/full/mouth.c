// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "sample/full/full.h"

// The mouth behind the lips: the cavity, teeth and tongue. Its colours are swatches below the chin in the face's
// texture.

enum { LOOP = 32 };
#define SWATCH_HOLLOW 0.125f
#define SWATCH_TONGUE 0.375f
#define SWATCH_TEETH 0.625f

static vrmi_sample_vertex inside(float x, float y, float depth, float swatch, vrmi_sample_influence skin)
{
    return (vrmi_sample_vertex){.position = {x, y, vrmi_full_face_base(x, vrmi_max(y, 1.32f)) - depth},
        .normal = {0.0f, 0.0f, 1.0f},
        .u = swatch,
        .v = 0.985f,
        .skin = skin};
}

static void quad(vrmi_sample_figure *figure, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    vrmi_sample_add_triangle(figure, VRMI_FULL_MOUTH, a, b, c);
    vrmi_sample_add_triangle(figure, VRMI_FULL_MOUTH, a, c, d);
}

static void add_hollow(
    vrmi_sample_figure *figure, const vrmi_full_face *face, vrmi_sample_influence head, vrmi_sample_influence jaw)
{
    vrmi_full_face rest;
    vrmi_full_face_rest(&rest);
    uint32_t edge[LOOP], back[LOOP];
    for (int i = 0; i < LOOP; ++i) {
        float sine, cosine;
        vrmi_sincos((float)i / (float)LOOP * 2.0f * VRMI_PI, &sine, &cosine);
        const float s = -cosine, x = vrmi_full_lip_x(face, s);
        const bool upper = i <= LOOP / 2;
        const float y = upper ? vrmi_full_lip_upper(face, s) : vrmi_full_lip_lower(face, s);
        const float rest_y = upper ? vrmi_full_lip_upper(&rest, s) : vrmi_full_lip_lower(&rest, s);
        // The depth of the lips, so that no gap opens beside them.
        const float depth =
            0.0004f - vrmi_full_face_feature(vrmi_full_lip_x(&rest, s), rest_y) - 0.0045f * face->pucker;
        vrmi_sample_vertex v = inside(x, y, depth, SWATCH_HOLLOW, upper ? head : jaw);
        edge[i] = vrmi_sample_add_vertex(figure, VRMI_FULL_MOUTH, &v);
        v = inside(x * 0.92f, vrmi_lerp(y, VRMI_FULL_MOUTH_Y, 0.08f), 0.012f, SWATCH_HOLLOW, head);
        back[i] = vrmi_sample_add_vertex(figure, VRMI_FULL_MOUTH, &v);
    }
    const vrmi_sample_vertex v =
        inside(face->shift, VRMI_FULL_MOUTH_Y - 0.4f * face->open, 0.016f, SWATCH_HOLLOW, head);
    const uint32_t middle = vrmi_sample_add_vertex(figure, VRMI_FULL_MOUTH, &v);
    for (int i = 0; i < LOOP; ++i) {
        const int n = (i + 1) % LOOP;
        quad(figure, edge[i], back[i], back[n], edge[n]);
        vrmi_sample_add_triangle(figure, VRMI_FULL_MOUTH, middle, back[n], back[i]);
    }
}

// Adds the upper or lower row of teeth. Its visible edge follows the lip, so that a closed mouth hides the teeth.
static void add_teeth(vrmi_sample_figure *figure, const vrmi_full_face *face, vrmi_sample_influence skin, bool upper)
{
    enum { STEPS = 8 };
    const float gap =
        face->open + 0.5f * (face->upper_up[0] + face->upper_up[1] + face->lower_down[0] + face->lower_down[1]);
    const float high =
        upper ? vrmi_clamp((gap - 0.0055f) * 0.40f, 0.0f, 0.0034f) : vrmi_clamp((gap - 0.0080f) * 0.22f, 0.0f, 0.0018f);
    const float hidden = 0.0006f * (1.0f - vrmi_min(high / 0.0008f, 1.0f));
    uint32_t previous[2] = {0, 0};
    for (int i = 0; i <= STEPS; ++i) {
        const float s = (upper ? 0.80f : 0.66f) * (2.0f * (float)i / (float)STEPS - 1.0f);
        const float x = vrmi_full_lip_x(face, s);
        const float y = upper ? vrmi_full_lip_upper(face, s) : vrmi_full_lip_lower(face, s);
        // Hidden teeth extend farther behind the lip. With their few segments they would otherwise be visible where the
        // lip curves.
        const float end = high * (1.0f - 0.5f * s * s) - hidden;
        const vrmi_sample_vertex top = inside(x, upper ? y + 0.0006f : y + end, 0.0028f, SWATCH_TEETH, skin);
        const vrmi_sample_vertex low = inside(x, upper ? y - end : y - 0.0006f, 0.0028f, SWATCH_TEETH, skin);
        const uint32_t current[2] = {vrmi_sample_add_vertex(figure, VRMI_FULL_MOUTH, &top),
            vrmi_sample_add_vertex(figure, VRMI_FULL_MOUTH, &low)};
        if (i > 0) {
            quad(figure, previous[0], previous[1], current[1], current[0]);
        }
        previous[0] = current[0];
        previous[1] = current[1];
    }
}

// Adds the tongue, a mound that rises from the lower lip as the mouth opens and comes out between the lips.
static void add_tongue(vrmi_sample_figure *figure, const vrmi_full_face *face, vrmi_sample_influence jaw)
{
    enum { AROUND = 10, RINGS = 3 };
    const float low = vrmi_full_lip_lower(face, 0.0f), out = face->tongue;
    const float high = vrmi_clamp((face->open - 0.0030f) * 0.45f, 0.0f, 0.0080f) + 0.0015f * out;
    const float width = vrmi_full_lip_x(face, 0.66f) - face->shift;
    uint32_t previous[AROUND + 1];
    const vrmi_sample_vertex tip =
        inside(face->shift, low + 0.3f * high - 0.0125f * out, 0.0040f - 0.0170f * out, SWATCH_TONGUE, jaw);
    const uint32_t first = vrmi_sample_add_vertex(figure, VRMI_FULL_MOUTH, &tip);
    for (int r = 1; r <= RINGS; ++r) {
        const float t = (float)r / (float)RINGS;
        uint32_t current[AROUND + 1];
        for (int i = 0; i <= AROUND; ++i) {
            float sine, cosine;
            vrmi_sincos((float)i / (float)AROUND * VRMI_PI, &sine, &cosine);
            // A tongue that is stuck out goes over the lip first and then down.
            const float down = out * (1.0f - t) * (1.0f - t), ahead = out * (1.0f - t * t * t * t);
            const vrmi_sample_vertex v = inside(face->shift + width * cosine * vrmi_lerp(t, 0.35f + 0.65f * t, out),
                low + high * sine * t - 0.0110f * down, 0.0040f + 0.0030f * t * t - 0.0165f * ahead, SWATCH_TONGUE,
                jaw);
            current[i] = vrmi_sample_add_vertex(figure, VRMI_FULL_MOUTH, &v);
        }
        for (int i = 0; i < AROUND; ++i) {
            if (r == 1) {
                vrmi_sample_add_triangle(figure, VRMI_FULL_MOUTH, first, current[i], current[i + 1]);
            } else {
                quad(figure, previous[i], current[i], current[i + 1], previous[i + 1]);
            }
        }
        for (int i = 0; i <= AROUND; ++i) {
            previous[i] = current[i];
        }
    }
}

void vrmi_full_add_mouth(vrmi_sample_figure *figure, const vrmi_full_face *face)
{
    const vrmi_sample_influence head = vrmi_sample_one(vrmi_sample_bone(VRM_HUMAN_BONE_HEAD));
    const vrmi_sample_influence jaw = vrmi_sample_one(vrmi_sample_bone(VRM_HUMAN_BONE_JAW));
    add_hollow(figure, face, head, jaw);
    add_teeth(figure, face, head, true);
    add_teeth(figure, face, jaw, false);
    add_tongue(figure, face, jaw);
}
