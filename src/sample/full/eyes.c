// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "sample/full/full.h"

// The eyes behind the lids, and the lines on the face: lashes, brows, blush.

enum { LOOP = 28, IRIS_SEGMENTS = 28 };

typedef struct eye {
    vrmi_sample_figure *figure;
    const vrmi_full_face *face;
    vrmi_full_face rest;
    int side;                          // 0: left, 1: right
    float sign;                        // sign of x
    vrm_vec3 center, direction, right; // frame of the eyeball; `right` is +X rotated with the eyeball
} eye;

static void quad(const eye *e, int part, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    const bool flip = e->side != 0;
    vrmi_sample_add_triangle(e->figure, part, a, flip ? c : b, flip ? b : c);
    vrmi_sample_add_triangle(e->figure, part, a, flip ? d : c, flip ? c : d);
}

static uint32_t add(const eye *e, int part, vrmi_sample_vertex v)
{
    v.skin = vrmi_sample_one(vrmi_sample_bone(VRM_HUMAN_BONE_HEAD));
    return vrmi_sample_add_vertex(e->figure, part, &v);
}

// Returns a point `lift` in front of the face's skin at (x, y). The point is for the left eye and is mirrored for the
// right eye.
static vrmi_sample_vertex on_face(const eye *e, float x, float y, float lift)
{
    vrmi_sample_vertex v = {.position = vrmi_full_face_point(e->sign * x, y, lift)};
    v.normal = vrmi_full_face_normal(e->sign * x, y);
    return v;
}

// Computes a point of the rim of the eye's opening. `i` goes around from the inner corner over the upper lid. `size`
// scales about the eye's middle.
static void rim(const vrmi_full_face *face, int side, int i, float size, float *out_x, float *out_y)
{
    float sine, cosine;
    vrmi_sincos((float)i / (float)LOOP * 2.0f * VRMI_PI, &sine, &cosine);
    const float x = vrmi_full_lid_x(-cosine);
    const float y = i <= LOOP / 2 ? vrmi_full_lid_upper(face, side, -cosine) : vrmi_full_lid_lower(face, side, -cosine);
    *out_x = VRMI_FULL_EYE_X + (x - VRMI_FULL_EYE_X) * size;
    *out_y = VRMI_FULL_EYE_Y + (y - VRMI_FULL_EYE_Y) * size;
}

// Adds the white of the eye and the wall from the lids to it. They form one closed pocket, so that the inside of the
// head is not visible from any angle.
static void add_white(const eye *e)
{
    // Columns, from the lids inwards: size of the ring about the eye at rest, depth below the skin.
    static const float rings[][2] = {
        {0.0f, 0.0006f}, {1.16f, 0.0052f}, {0.86f, 0.0064f}, {0.45f, 0.0072f}, {0.0f, 0.0074f}};
    uint32_t outer[LOOP], inner[LOOP];
    for (int r = 0; r < (int)VRMI_COUNT_OF(rings); ++r) {
        for (int i = 0; i < LOOP; ++i) {
            float x, y;
            // The first ring is the lids' edge in the current state of the face.
            rim(r == 0 ? e->face : &e->rest, r == 0 ? e->side : 0, i, r == 0 ? 1.0f : rings[r][0], &x, &y);
            vrmi_sample_vertex v = on_face(e, x, y, -rings[r][1]);
            v.normal = e->direction;
            v.u = 0.5f + (x - VRMI_FULL_EYE_X) / 0.066f;
            v.v = vrmi_clamp(0.5f - (y - VRMI_FULL_EYE_Y) / 0.062f, 0.02f, 0.98f);
            inner[i] = add(e, VRMI_FULL_EYE_WHITE, v);
        }
        for (int i = 0; i < LOOP && r > 0; ++i) {
            const int n = (i + 1) % LOOP;
            quad(e, VRMI_FULL_EYE_WHITE, outer[i], inner[i], inner[n], outer[n]);
        }
        for (int i = 0; i < LOOP; ++i) {
            outer[i] = inner[i];
        }
    }
}

static vrm_vec3 ball_point(const eye *e, float a, float b)
{
    const vrm_vec3 offset = vrmi_vec3_add(vrmi_vec3_scale(e->right, e->sign * a), vrmi_vec3(0.0f, b, 0.0f));
    const vrm_vec3 d = vrmi_vec3_add(e->direction, vrmi_vec3_scale(offset, 1.0f / VRMI_FULL_EYE_RADIUS));
    return vrmi_vec3_add(e->center, vrmi_vec3_scale(vrmi_vec3_normalize_or(d, e->direction), VRMI_FULL_EYE_RADIUS));
}

// Adds a cap of the sphere. Its middle is slightly deeper, as under a cornea.
static void add_iris(const eye *e)
{
    static const float sizes[] = {0.0f, 0.45f, 0.80f, 1.0f};
    const int bone = vrmi_sample_bone(e->side == 0 ? VRM_HUMAN_BONE_LEFT_EYE : VRM_HUMAN_BONE_RIGHT_EYE);
    const float x = e->face->gaze_x[e->side] * e->sign, y = 0.0010f + e->face->gaze_y[e->side];
    uint32_t outer[IRIS_SEGMENTS], inner[IRIS_SEGMENTS];
    for (int r = 0; r < (int)VRMI_COUNT_OF(sizes); ++r) {
        for (int i = 0; i < IRIS_SEGMENTS; ++i) {
            float sine, cosine;
            vrmi_sincos((float)i / (float)IRIS_SEGMENTS * 2.0f * VRMI_PI, &sine, &cosine);
            const float a = 0.0174f * e->face->iris * cosine * sizes[r], b = 0.0200f * e->face->iris * sine * sizes[r];
            vrmi_sample_vertex v = {.position = ball_point(e, x + a, y + b), .normal = e->direction};
            const float hollow = 0.0009f * (1.0f - sizes[r] * sizes[r]);
            v.position = vrmi_vec3_sub(v.position, vrmi_vec3_scale(e->direction, hollow));
            // The texture is not mirrored for the right eye, because light comes from one side.
            v.u = 0.25f + 0.24f * cosine * e->sign * sizes[r];
            v.v = 0.5f - 0.48f * sine * sizes[r];
            v.skin = vrmi_sample_one(bone);
            inner[i] = r == 0 && i > 0 ? inner[0] : vrmi_sample_add_vertex(e->figure, VRMI_FULL_IRIS, &v);
        }
        for (int i = 0; i < IRIS_SEGMENTS && r > 0; ++i) {
            const int n = (i + 1) % IRIS_SEGMENTS;
            if (r == 1) {
                vrmi_sample_add_triangle(
                    e->figure, VRMI_FULL_IRIS, outer[0], inner[e->side == 0 ? i : n], inner[e->side == 0 ? n : i]);
            } else {
                quad(e, VRMI_FULL_IRIS, inner[i], inner[n], outer[n], outer[i]);
            }
        }
        for (int i = 0; i < IRIS_SEGMENTS; ++i) {
            outer[i] = inner[i];
        }
    }
}

// A point along a line on the face: both edges and their distances from the skin. The middle between the edges is
// farther from the skin.
typedef struct band_point {
    float x, upper, lower, upper_lift, lower_lift;
} band_point;

static void add_band(const eye *e, int part, const band_point *points, int count)
{
    uint32_t previous[3] = {0, 0, 0};
    for (int i = 0; i < count; ++i) {
        const band_point *p = &points[i];
        const float middle = 0.5f * (p->upper + p->lower);
        const float lift = 0.5f * (p->upper_lift + p->lower_lift) + 0.15f * vrmi_abs(p->upper - p->lower);
        const uint32_t current[3] = {
            add(e, part, on_face(e, p->x, p->upper, p->upper_lift)),
            add(e, part, on_face(e, p->x, middle, lift)),
            add(e, part, on_face(e, p->x, p->lower, p->lower_lift)),
        };
        for (int k = 0; k < 2 && i > 0; ++k) {
            quad(e, part, previous[k], previous[k + 1], current[k + 1], current[k]);
        }
        for (int k = 0; k < 3; ++k) {
            previous[k] = current[k];
        }
    }
}

static float lid_y(const eye *e, float s, bool upper)
{
    s = vrmi_clamp(s, -1.0f, 1.0f);
    return upper ? vrmi_full_lid_upper(e->face, e->side, s) : vrmi_full_lid_lower(e->face, e->side, s);
}

static void add_lashes(const eye *e)
{
    // Columns: position along the lid, thickness. The last row is the flick beyond the corner.
    static const float upper[][2] = {{-1.03f, 0.0004f}, {-0.96f, 0.0018f}, {-0.84f, 0.0030f}, {-0.65f, 0.0038f},
        {-0.42f, 0.0042f}, {-0.18f, 0.0044f}, {0.08f, 0.0046f}, {0.33f, 0.0048f}, {0.56f, 0.0051f}, {0.75f, 0.0055f},
        {0.90f, 0.0057f}, {1.00f, 0.0052f}, {1.11f, 0.0032f}, {1.24f, 0.0002f}};
    enum { COUNT = (int)VRMI_COUNT_OF(upper) };
    band_point band[COUNT];
    const float closed = vrmi_clamp(e->face->close[e->side], 0.0f, 1.0f);
    const float droop = closed * (1.0f - e->face->smile[e->side]);
    for (int i = 0; i < COUNT; ++i) {
        const float s = upper[i][0], over = vrmi_max(s - 0.95f, 0.0f);
        const float y = lid_y(e, s, true) + over * vrmi_lerp(0.012f, -0.006f, closed);
        const float thick = upper[i][1] * vrmi_lerp(1.0f, 0.62f, closed);
        band[i] = (band_point){.x = vrmi_full_lid_x(s),
            .upper = y + thick * vrmi_lerp(1.0f, 0.25f, droop),
            .lower = y - 0.0008f - thick * 0.75f * droop,
            .upper_lift = 0.0008f + 0.0018f * closed,
            .lower_lift = 0.0016f + 0.0018f * closed};
    }
    add_band(e, VRMI_FULL_LINE, band, COUNT);
    // Three separate lashes near the outer corner.
    static const float spikes[3][3] = {{0.62f, 0.0040f, 0.0046f}, {0.80f, 0.0052f, 0.0052f}, {0.97f, 0.0060f, 0.0046f}};
    for (int k = 0; k < 3; ++k) {
        const float s = spikes[k][0], x = vrmi_full_lid_x(s);
        const float up = vrmi_lerp(1.0f, -0.55f, droop), y = lid_y(e, s, true) + 0.0028f * up;
        const uint32_t a = add(e, VRMI_FULL_LINE, on_face(e, x - 0.0016f, y, 0.0012f));
        const uint32_t b = add(e, VRMI_FULL_LINE, on_face(e, x + 0.0022f, y - 0.0012f * up, 0.0012f));
        const uint32_t c = add(e, VRMI_FULL_LINE, on_face(e, x + spikes[k][1], y + spikes[k][2] * up, 0.0030f));
        vrmi_sample_add_triangle(e->figure, VRMI_FULL_LINE, a, b, c);
    }
    static const float lower[][2] = {
        {-0.15f, 0.0002f}, {0.1f, 0.0007f}, {0.35f, 0.0011f}, {0.6f, 0.0014f}, {0.82f, 0.0015f}, {1.0f, 0.0010f}};
    for (int i = 0; i < (int)VRMI_COUNT_OF(lower); ++i) {
        const float s = lower[i][0], y = lid_y(e, s, false) + 0.0003f;
        band[i] = (band_point){vrmi_full_lid_x(s), y, y - lower[i][1], 0.0008f, 0.0008f};
    }
    add_band(e, VRMI_FULL_LINE, band, (int)VRMI_COUNT_OF(lower));
}

// Adds the fold above the lid as a line in a colour of the skin. It disappears when the lid closes.
static void add_fold(const eye *e)
{
    enum { COUNT = 11 };
    const float open = 1.0f - vrmi_clamp(e->face->close[e->side], 0.0f, 1.0f);
    uint32_t previous[2] = {0, 0};
    for (int i = 0; i < COUNT; ++i) {
        const float s = -0.72f + 1.62f * (float)i / (float)(COUNT - 1), t = (float)i / (float)(COUNT - 1);
        const float y = lid_y(e, s, true) + (0.0078f - 0.0012f * s) * vrmi_lerp(0.9f, 1.0f, open);
        const float half = 0.00055f * open * vrmi_sqrt(t * (1.0f - t)) * 2.0f;
        uint32_t current[2];
        for (int k = 0; k < 2; ++k) {
            vrmi_sample_vertex v = on_face(e, vrmi_full_lid_x(s), y + (k == 0 ? half : -half), 0.0005f);
            v.u = 0.875f;
            v.v = 0.985f;
            current[k] = add(e, VRMI_FULL_FACE_SKIN, v);
        }
        if (i > 0) {
            quad(e, VRMI_FULL_FACE_SKIN, previous[0], previous[1], current[1], current[0]);
        }
        previous[0] = current[0];
        previous[1] = current[1];
    }
}

static void add_brow(const eye *e)
{
    // Columns, from the inner end: position, height, thickness.
    static const float brow[][3] = {{0.0170f, 1.4343f, 0.0020f}, {0.0205f, 1.4349f, 0.0036f},
        {0.0265f, 1.4361f, 0.0040f}, {0.0330f, 1.4371f, 0.0039f}, {0.0400f, 1.4375f, 0.0035f},
        {0.0470f, 1.4369f, 0.0030f}, {0.0535f, 1.4351f, 0.0023f}, {0.0595f, 1.4323f, 0.0013f},
        {0.0635f, 1.4297f, 0.0002f}};
    enum { COUNT = (int)VRMI_COUNT_OF(brow) };
    band_point band[COUNT];
    const vrmi_full_face *f = e->face;
    for (int i = 0; i < COUNT; ++i) {
        const float t = (float)i / (float)(COUNT - 1), in = (1.0f - t) * (1.0f - t), out = t * t;
        const float y = brow[i][1] + f->brow_y[e->side] + f->brow_inner[e->side] * (in - 0.2f) +
                        f->brow_outer[e->side] * (out + 0.25f * (1.0f - in - out));
        const float x = brow[i][0] - f->brow_squeeze * in;
        band[i] = (band_point){x, y + 0.5f * brow[i][2], y - 0.5f * brow[i][2], 0.0010f, 0.0010f};
    }
    add_band(e, VRMI_FULL_BROW, band, COUNT);
}

static void add_blush(const eye *e)
{
    enum { SEGMENTS = 14 };
    static const float sizes[] = {0.0f, 0.55f, 1.0f};
    uint32_t outer[SEGMENTS], inner[SEGMENTS];
    for (int r = 0; r < 3; ++r) {
        for (int i = 0; i < SEGMENTS; ++i) {
            float sine, cosine;
            vrmi_sincos((float)i / (float)SEGMENTS * 2.0f * VRMI_PI, &sine, &cosine);
            const float x = cosine * sizes[r], y = sine * sizes[r];
            const vrm_vec3 d =
                vrmi_full_face_motion(e->face, e->sign * (0.0465f + 0.0155f * x), 1.3632f + 0.0095f * y, 0.06f);
            vrmi_sample_vertex v = on_face(e, 0.0465f + 0.0155f * x, 1.3632f + 0.0095f * y, 0.0009f);
            v.position = vrmi_vec3_add(v.position, d);
            v.u = 0.5f + 0.5f * x * e->sign;
            v.v = 0.5f - 0.5f * y;
            inner[i] = r == 0 && i > 0 ? inner[0] : add(e, VRMI_FULL_BLUSH, v);
        }
        for (int i = 0; i < SEGMENTS && r > 0; ++i) {
            const int n = (i + 1) % SEGMENTS;
            if (r == 1) {
                vrmi_sample_add_triangle(
                    e->figure, VRMI_FULL_BLUSH, outer[0], inner[e->side == 0 ? i : n], inner[e->side == 0 ? n : i]);
            } else {
                quad(e, VRMI_FULL_BLUSH, inner[i], inner[n], outer[n], outer[i]);
            }
        }
        for (int i = 0; i < SEGMENTS; ++i) {
            outer[i] = inner[i];
        }
    }
}

void vrmi_full_add_eyes(vrmi_sample_figure *figure, const vrmi_full_face *face)
{
    for (int side = 0; side < 2; ++side) {
        eye e = {.figure = figure, .face = face, .side = side, .sign = side == 0 ? 1.0f : -1.0f};
        vrmi_full_face_rest(&e.rest);
        vrmi_full_eye_frame(&e.center, &e.direction);
        e.center.x *= e.sign;
        e.direction.x *= e.sign;
        e.right = vrmi_vec3(e.direction.z, 0.0f, -e.direction.x);
        add_white(&e);
        add_iris(&e);
        add_lashes(&e);
        add_fold(&e);
        add_brow(&e);
        add_blush(&e);
    }
}
