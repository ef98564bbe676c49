// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "sample/minimal/face_shape.h"
#include "sample/surface.h"

// Builds the face for one state: skin with openings for eyes and mouth, the parts behind the openings, lashes and
// brows. Every state has the same vertices in the same order, so that a morph target is simply the difference of two
// faces.

// The skin of the face is a sheet: rows by height, columns by fraction of the face's width.
static const float row_y[] = {
    1.430f, 1.395f, 1.366f, 1.347f, 1.327f, 1.308f, 1.2985f, 1.288f, 1.275f, 1.262f, 1.250f, 1.243f};
static const float column_t[] = {0.0f, 0.14f, 0.31f, 0.48f, 0.65f, 0.82f, 0.92f, 0.98f, 1.0f};
#define ROWS ((int)VRMI_COUNT_OF(row_y))
#define HALF ((int)VRMI_COUNT_OF(column_t) - 1)

// The openings are blocks of cells that the sheet omits. A ring fills the space between a block's border and the lids
// or lips.
#define EYE_TOP 2
#define EYE_BOTTOM 5
#define EYE_INNER 1
#define EYE_OUTER 5
#define MOUTH_TOP 7
#define MOUTH_BOTTOM 9
#define MOUTH_SIDE 2

#define EYE_LOOP 14
#define MOUTH_LOOP 12

typedef struct sheet {
    uint32_t index[ROWS][2 * HALF + 1];
} sheet;

static void face_uv(vrmi_sample_vertex *vertex, float x, float y)
{
    vertex->u = 0.5f + x / 0.2f;
    vertex->v = (1.46f - y) / 0.24f;
}

// The chin follows the jaw.
static vrmi_sample_influence face_skin(float x, float y)
{
    const float jaw = vrmi_sample_smooth(1.275f, 1.255f, y) * vrmi_sample_smooth(0.055f, 0.030f, vrmi_abs(x));
    return vrmi_sample_mix(vrmi_sample_one(vrmi_sample_bone(VRM_HUMAN_BONE_HEAD)),
        vrmi_sample_one(vrmi_sample_bone(VRM_HUMAN_BONE_JAW)), jaw);
}

static vrmi_sample_vertex face_vertex(float x, float y, float lift)
{
    vrmi_sample_vertex vertex = {.position = vrmi_minimal_face_point(x, y, lift),
        .normal = vrmi_minimal_face_normal(x, y),
        .skin = face_skin(x, y)};
    face_uv(&vertex, x, y);
    return vertex;
}

static bool in_hole(int row, int column)
{
    const int c = column < 0 ? -column : column;
    const bool eye = row > EYE_TOP && row < EYE_BOTTOM && c > EYE_INNER && c < EYE_OUTER;
    return eye || (row > MOUTH_TOP && row < MOUTH_BOTTOM && c < MOUTH_SIDE);
}

static bool cell_is_open(int row, int column)
{
    // The index of the cell to the right of `column`, counted from the middle.
    const int c = column >= 0 ? column : -column - 1;
    const bool eye = row >= EYE_TOP && row < EYE_BOTTOM && c >= EYE_INNER && c < EYE_OUTER;
    return eye || (row >= MOUTH_TOP && row < MOUTH_BOTTOM && c < MOUTH_SIDE);
}

static void quad(vrmi_sample_figure *figure, int part, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    vrmi_sample_add_triangle(figure, part, a, b, c);
    vrmi_sample_add_triangle(figure, part, a, c, d);
}

static void add_sheet(vrmi_sample_figure *figure, sheet *out)
{
    for (int r = 0; r < ROWS; ++r) {
        for (int c = -HALF; c <= HALF; ++c) {
            if (in_hole(r, c)) {
                continue;
            }
            const float t = c < 0 ? -column_t[-c] : column_t[c];
            const vrmi_sample_vertex vertex = face_vertex(t * vrmi_minimal_face_width(row_y[r]), row_y[r], 0.0f);
            out->index[r][c + HALF] = vrmi_sample_add_vertex(figure, VRMI_MINIMAL_FACE_SKIN, &vertex);
        }
    }
    for (int r = 0; r + 1 < ROWS; ++r) {
        for (int c = -HALF; c < HALF; ++c) {
            if (!cell_is_open(r, c)) {
                const uint32_t *top = &out->index[r][c + HALF], *bottom = &out->index[r + 1][c + HALF];
                quad(figure, VRMI_MINIMAL_FACE_SKIN, top[0], bottom[0], bottom[1], top[1]);
            }
        }
    }
}

// Adds skin from the outline back over the temples. Gaps between locks would otherwise show the inside of the head.
static void add_temples(vrmi_sample_figure *figure, const sheet *skin)
{
    const int rows = 7;
    for (int side = 0; side < 2; ++side) {
        uint32_t previous[2] = {0, 0};
        for (int r = 0; r < rows; ++r) {
            const uint32_t edge = skin->index[r][side == 0 ? 2 * HALF : 0];
            vrmi_sample_vertex back = figure->parts[VRMI_MINIMAL_FACE_SKIN].vertices[edge];
            back.position.x *= 0.96f;
            back.position.z -= 0.055f;
            const uint32_t current[2] = {edge, vrmi_sample_add_vertex(figure, VRMI_MINIMAL_FACE_SKIN, &back)};
            if (r > 0 && side == 0) {
                quad(figure, VRMI_MINIMAL_FACE_SKIN, previous[0], current[0], current[1], previous[1]);
            } else if (r > 0) {
                quad(figure, VRMI_MINIMAL_FACE_SKIN, previous[1], current[1], current[0], previous[0]);
            }
            previous[0] = current[0];
            previous[1] = current[1];
        }
    }
}

// Adds skin from the outline of the jaw back to the neck.
static void add_jaw(vrmi_sample_figure *figure, const sheet *skin)
{
    uint32_t outline[2 * (ROWS - EYE_BOTTOM) + HALF];
    int count = 0;
    for (int r = EYE_BOTTOM; r < ROWS; ++r) {
        outline[count++] = skin->index[r][2 * HALF];
    }
    // Every second point along the chin is enough, since they are on a line.
    for (int c = HALF - 2; c >= -HALF; c -= 2) {
        outline[count++] = skin->index[ROWS - 1][c + HALF];
    }
    for (int r = ROWS - 2; r >= EYE_BOTTOM; --r) {
        outline[count++] = skin->index[r][0];
    }
    uint32_t previous[2] = {0, 0};
    for (int i = 0; i < count; ++i) {
        // The underside has vertices of its own, because the edge of the jaw is a crease.
        vrmi_sample_vertex edge = figure->parts[VRMI_MINIMAL_FACE_SKIN].vertices[outline[i]];
        const vrm_vec3 neck = {0.0f, edge.position.y + 0.012f, -0.025f};
        edge.normal =
            vrmi_vec3_normalize_or(vrmi_vec3(edge.position.x * 6.0f, -0.8f, 0.1f), vrmi_vec3(0.0f, -1.0f, 0.0f));
        vrmi_sample_vertex inner = edge;
        inner.position = vrmi_vec3_lerp(edge.position, neck, 0.6f);
        const uint32_t current[2] = {vrmi_sample_add_vertex(figure, VRMI_MINIMAL_FACE_SKIN, &edge),
            vrmi_sample_add_vertex(figure, VRMI_MINIMAL_FACE_SKIN, &inner)};
        if (i > 0) {
            quad(figure, VRMI_MINIMAL_FACE_SKIN, previous[0], current[0], current[1], previous[1]);
        }
        previous[0] = current[0];
        previous[1] = current[1];
    }
}

// --- eyes ----------------------------------------------------------------------------------------------------------

typedef struct loop_point {
    float s;
    int upper; // 1: upper lid, 0: lower lid
    int row, column;
} loop_point;

// Points of the lid and the border point next to each. They go clockwise as seen from the front, for the left eye.
static const loop_point eye_loop[EYE_LOOP] = {
    {-0.62f, 1, 2, 1},
    {-0.32f, 1, 2, 2},
    {0.0f, 1, 2, 3},
    {0.32f, 1, 2, 4},
    {0.62f, 1, 2, 5},
    {0.86f, 1, 3, 5},
    {1.0f, 0, 4, 5},
    {0.72f, 0, 5, 5},
    {0.38f, 0, 5, 4},
    {0.0f, 0, 5, 3},
    {-0.38f, 0, 5, 2},
    {-0.72f, 0, 5, 1},
    {-1.0f, 0, 4, 1},
    {-0.86f, 1, 3, 1},
};

typedef struct eye {
    vrmi_sample_figure *figure;
    const vrmi_minimal_face *face;
    int side;                          // 0: left, 1: right
    float sign;                        // sign of x
    vrm_vec3 center, direction, right; // frame of the eyeball; `right` is +X rotated with the eyeball
} eye;

static void eye_quad(const eye *e, int part, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    if (e->side == 0) {
        quad(e->figure, part, a, b, c, d);
    } else {
        quad(e->figure, part, d, c, b, a);
    }
}

static void eye_triangle(const eye *e, int part, uint32_t a, uint32_t b, uint32_t c)
{
    vrmi_sample_add_triangle(e->figure, part, a, e->side == 0 ? b : c, e->side == 0 ? c : b);
}

static uint32_t add_eye_vertex(const eye *e, int part, vrmi_sample_vertex vertex)
{
    vertex.skin = vrmi_sample_one(vrmi_sample_bone(VRM_HUMAN_BONE_HEAD));
    return vrmi_sample_add_vertex(e->figure, part, &vertex);
}

static float lid_y(const eye *e, float s, int upper)
{
    return upper ? vrmi_minimal_lid_upper(e->face, e->side, s) : vrmi_minimal_lid_lower(e->face, e->side, s);
}

// Adds the skin between the block and the lids, and the wall behind the upper lid.
static void add_lids(const eye *e, const sheet *skin)
{
    vrmi_minimal_face rest;
    vrmi_minimal_face_default(&rest);
    uint32_t lid[EYE_LOOP], border[EYE_LOOP];
    vrmi_sample_vertex edge[EYE_LOOP];
    for (int i = 0; i < EYE_LOOP; ++i) {
        const loop_point *p = &eye_loop[i];
        const float x = e->sign * vrmi_minimal_lid_x(p->s);
        edge[i] = face_vertex(x, lid_y(e, p->s, p->upper), 0.0f);
        // The texture stays at its place while the lid moves.
        face_uv(
            &edge[i], x, p->upper ? vrmi_minimal_lid_upper(&rest, 0, p->s) : vrmi_minimal_lid_lower(&rest, 0, p->s));
        lid[i] = add_eye_vertex(e, VRMI_MINIMAL_FACE_SKIN, edge[i]);
        border[i] = skin->index[p->row][(e->side == 0 ? p->column : -p->column) + HALF];
    }
    for (int i = 0; i < EYE_LOOP; ++i) {
        const int n = (i + 1) % EYE_LOOP;
        eye_quad(e, VRMI_MINIMAL_FACE_SKIN, border[i], lid[i], lid[n], border[n]);
    }
    // Behind the upper lid the wall has the lashes' colour. Elsewhere the white of the eye borders on the skin.
    for (int i = 0; i < 5; ++i) {
        uint32_t wall[4];
        for (int k = 0; k < 4; ++k) {
            vrmi_sample_vertex vertex = edge[k == 0 || k == 3 ? i : i + 1];
            if (k >= 2) {
                vertex.position = vrmi_vec3_add(vertex.position, vrmi_vec3_scale(e->direction, -0.007f));
            }
            wall[k] = add_eye_vertex(e, VRMI_MINIMAL_LINE, vertex);
        }
        eye_quad(e, VRMI_MINIMAL_LINE, wall[0], wall[3], wall[2], wall[1]);
    }
}

// Returns a point of the eyeball at (a, b) metres from its pole.
static vrm_vec3 ball_point(const eye *e, float a, float b, float radius)
{
    const vrm_vec3 offset = vrmi_vec3_add(vrmi_vec3_scale(e->right, e->sign * a), vrmi_vec3(0.0f, b, 0.0f));
    const vrm_vec3 d = vrmi_vec3_add(e->direction, vrmi_vec3_scale(offset, 1.0f / VRMI_MINIMAL_EYE_RADIUS));
    return vrmi_vec3_add(e->center, vrmi_vec3_scale(vrmi_vec3_normalize_or(d, e->direction), radius));
}

// Adds the white of the eye. It is parallel to the skin, so that no gap opens at the rim, and deeper than the iris for
// any gaze.
static void add_white(const eye *e)
{
    const float depth = -0.0066f;
    vrmi_sample_vertex vertex = face_vertex(e->sign * VRMI_MINIMAL_EYE_X, VRMI_MINIMAL_EYE_Y, depth);
    vertex.normal = e->direction;
    vertex.u = vertex.v = 0.5f;
    const uint32_t middle = add_eye_vertex(e, VRMI_MINIMAL_EYE_WHITE, vertex);
    for (int i = 0; i < EYE_LOOP; ++i) {
        float sine, cosine;
        vrmi_sincos((float)i / (float)EYE_LOOP * 2.0f * VRMI_PI, &sine, &cosine);
        const float y = sine * (sine > 0.0f ? 0.0270f : 0.0225f);
        vertex.position =
            vrmi_minimal_face_point(e->sign * (VRMI_MINIMAL_EYE_X + cosine * (cosine > 0.0f ? 0.0320f : 0.0262f)),
                VRMI_MINIMAL_EYE_Y + y, depth);
        vertex.u = 0.5f + 0.5f * cosine;
        vertex.v = 0.5f - y / 0.055f;
        add_eye_vertex(e, VRMI_MINIMAL_EYE_WHITE, vertex);
    }
    for (int i = 0; i < EYE_LOOP; ++i) {
        eye_triangle(
            e, VRMI_MINIMAL_EYE_WHITE, middle, middle + 1 + (uint32_t)i, middle + 1 + (uint32_t)((i + 1) % EYE_LOOP));
    }
}

static void add_iris(const eye *e)
{
    const int segments = 18;
    const int bone = vrmi_sample_bone(e->side == 0 ? VRM_HUMAN_BONE_LEFT_EYE : VRM_HUMAN_BONE_RIGHT_EYE);
    vrmi_sample_vertex vertex = {.normal = e->direction, .skin = vrmi_sample_one(bone)};
    const float x = e->sign * e->face->gaze_x, y = 0.0012f + e->face->gaze_y;
    vertex.position = ball_point(e, x, y, VRMI_MINIMAL_EYE_RADIUS);
    vertex.u = 0.25f;
    vertex.v = 0.5f;
    const uint32_t middle = vrmi_sample_add_vertex(e->figure, VRMI_MINIMAL_IRIS, &vertex);
    const uint32_t first = middle + 1;
    for (int i = 0; i < segments; ++i) {
        float sine, cosine;
        vrmi_sincos((float)i / (float)segments * 2.0f * VRMI_PI, &sine, &cosine);
        const float a = 0.0166f * e->face->iris * cosine, b = 0.0204f * e->face->iris * sine;
        vertex.position = ball_point(e, x + a, y + b, VRMI_MINIMAL_EYE_RADIUS);
        // The texture is not mirrored for the right eye, because light comes from one side.
        vertex.u = 0.25f + 0.24f * cosine * e->sign;
        vertex.v = 0.5f - 0.48f * sine;
        vrmi_sample_add_vertex(e->figure, VRMI_MINIMAL_IRIS, &vertex);
    }
    for (int i = 0; i < segments; ++i) {
        eye_triangle(e, VRMI_MINIMAL_IRIS, middle, first + (uint32_t)i, first + (uint32_t)((i + 1) % segments));
    }
}

// A point along a line on the face: both edges and their distances from the skin.
typedef struct band_point {
    float x, upper, lower, upper_lift, lower_lift;
} band_point;

static void add_band(const eye *e, int part, const band_point *points, int count)
{
    uint32_t previous[2] = {0, 0};
    for (int i = 0; i < count; ++i) {
        const band_point *p = &points[i];
        const uint32_t current[2] = {
            add_eye_vertex(e, part, face_vertex(e->sign * p->x, p->upper, p->upper_lift)),
            add_eye_vertex(e, part, face_vertex(e->sign * p->x, p->lower, p->lower_lift)),
        };
        if (i > 0) {
            eye_quad(e, part, previous[0], previous[1], current[1], current[0]);
        }
        previous[0] = current[0];
        previous[1] = current[1];
    }
}

static void add_lashes(const eye *e)
{
    // Columns: position along the lid, thickness of the upper lash. The last row is the flick beyond the corner.
    static const float upper_lash[][2] = {{-1.03f, 0.0003f}, {-0.90f, 0.0018f}, {-0.70f, 0.0030f}, {-0.40f, 0.0036f},
        {0.0f, 0.0042f}, {0.4f, 0.0049f}, {0.7f, 0.0056f}, {0.9f, 0.0062f}, {1.04f, 0.0056f}, {1.30f, 0.0004f}};
    band_point band[10];
    const float closed = vrmi_max(e->face->close[e->side], 0.0f);
    for (int i = 0; i < 10; ++i) {
        const float s = upper_lash[i][0];
        const float flick = s > 1.0f ? (s - 1.0f) * vrmi_lerp(0.022f, 0.006f, closed) : 0.0f;
        const float y = lid_y(e, vrmi_clamp(s, -1.0f, 1.0f), 1) + flick;
        band[i] = (band_point){.x = vrmi_minimal_lid_x(s),
            .upper = y + upper_lash[i][1] * vrmi_lerp(1.0f, 0.55f, closed),
            .lower = y - 0.0007f,
            .upper_lift = 0.0010f,
            .lower_lift = 0.0022f};
    }
    add_band(e, VRMI_MINIMAL_LINE, band, 10);
    static const float lower_lash[][2] = {{0.05f, 0.0002f}, {0.4f, 0.0010f}, {0.75f, 0.0014f}, {1.0f, 0.0008f}};
    for (int i = 0; i < 4; ++i) {
        const float s = lower_lash[i][0];
        const float y = lid_y(e, s, 0) + 0.0003f;
        band[i] = (band_point){vrmi_minimal_lid_x(s), y, y - lower_lash[i][1], 0.0012f, 0.0012f};
    }
    add_band(e, VRMI_MINIMAL_LINE, band, 4);
}

static void add_brow(const eye *e)
{
    // Columns, from the inner end of the brow: x, height, thickness.
    static const float brow[][3] = {{0.0165f, 1.3735f, 0.0010f}, {0.0240f, 1.3765f, 0.0034f},
        {0.0340f, 1.3790f, 0.0034f}, {0.0450f, 1.3795f, 0.0028f}, {0.0545f, 1.3765f, 0.0020f},
        {0.0620f, 1.3715f, 0.0002f}};
    band_point band[6];
    for (int i = 0; i < 6; ++i) {
        const float inner = 1.0f - (float)i / 5.0f;
        const float y = brow[i][1] + e->face->brow_y + e->face->brow_inner * (inner * inner - 0.25f);
        band[i] = (band_point){brow[i][0], y + 0.5f * brow[i][2], y - 0.5f * brow[i][2], 0.0016f, 0.0016f};
    }
    add_band(e, VRMI_MINIMAL_LINE, band, 6);
}

static void add_blush(const eye *e)
{
    const int segments = 10;
    const float cx = 0.0505f, cy = 1.3075f;
    vrmi_sample_vertex vertex = face_vertex(e->sign * cx, cy, 0.0014f);
    vertex.u = vertex.v = 0.5f;
    const uint32_t middle = add_eye_vertex(e, VRMI_MINIMAL_BLUSH, vertex);
    for (int i = 0; i < segments; ++i) {
        float sine, cosine;
        vrmi_sincos((float)i / (float)segments * 2.0f * VRMI_PI, &sine, &cosine);
        vertex = face_vertex(e->sign * (cx + 0.0165f * cosine), cy + 0.0095f * sine, 0.0014f);
        vertex.u = 0.5f + 0.5f * cosine * e->sign;
        vertex.v = 0.5f - 0.5f * sine;
        add_eye_vertex(e, VRMI_MINIMAL_BLUSH, vertex);
    }
    for (int i = 0; i < segments; ++i) {
        eye_triangle(
            e, VRMI_MINIMAL_BLUSH, middle, middle + 1 + (uint32_t)i, middle + 1 + (uint32_t)((i + 1) % segments));
    }
}

// --- mouth ---------------------------------------------------------------------------------------------------------

static const loop_point mouth_loop[MOUTH_LOOP] = {
    {-0.72f, 1, 7, -2},
    {-0.36f, 1, 7, -1},
    {0.0f, 1, 7, 0},
    {0.36f, 1, 7, 1},
    {0.72f, 1, 7, 2},
    {1.0f, 0, 8, 2},
    {0.72f, 0, 9, 2},
    {0.36f, 0, 9, 1},
    {0.0f, 0, 9, 0},
    {-0.36f, 0, 9, -1},
    {-0.72f, 0, 9, -2},
    {-1.0f, 0, 8, -2},
};

// Returns a vertex inside the mouth. Its colours are swatches below the chin in the face's texture.
static vrmi_sample_vertex mouth_vertex(float x, float y, float depth, float swatch, vrmi_sample_influence skin)
{
    vrmi_sample_vertex vertex = face_vertex(x, y, 0.0f);
    vertex.position.z -= depth;
    vertex.normal = vrmi_vec3(0.0f, 0.0f, 1.0f);
    vertex.u = swatch;
    vertex.v = 0.98f;
    vertex.skin = skin;
    return vertex;
}

static void add_lips(vrmi_sample_figure *figure, const vrmi_minimal_face *face, const sheet *skin)
{
    const vrmi_sample_influence head = vrmi_sample_one(vrmi_sample_bone(VRM_HUMAN_BONE_HEAD));
    const vrmi_sample_influence jaw = vrmi_sample_one(vrmi_sample_bone(VRM_HUMAN_BONE_JAW));
    uint32_t lip[MOUTH_LOOP], border[MOUTH_LOOP], edge[MOUTH_LOOP], back[MOUTH_LOOP];
    for (int i = 0; i < MOUTH_LOOP; ++i) {
        const loop_point *p = &mouth_loop[i];
        const float x = vrmi_minimal_lip_x(face, p->s);
        const float y = p->upper ? vrmi_minimal_lip_upper(face, p->s) : vrmi_minimal_lip_lower(face, p->s);
        const vrmi_sample_influence bone = p->upper ? head : vrmi_sample_mix(jaw, head, p->s * p->s);
        vrmi_sample_vertex vertex = face_vertex(x, y, 0.0f);
        face_uv(&vertex, 0.0125f * p->s, VRMI_MINIMAL_MOUTH_Y);
        vertex.skin = bone;
        lip[i] = vrmi_sample_add_vertex(figure, VRMI_MINIMAL_FACE_SKIN, &vertex);
        border[i] = skin->index[p->row][p->column + HALF];
        vertex = mouth_vertex(x, y, 0.0002f, 0.125f, bone);
        edge[i] = vrmi_sample_add_vertex(figure, VRMI_MINIMAL_MOUTH, &vertex);
        vertex = mouth_vertex(x * 0.9f, vrmi_lerp(y, VRMI_MINIMAL_MOUTH_Y, 0.1f), 0.011f, 0.125f, head);
        back[i] = vrmi_sample_add_vertex(figure, VRMI_MINIMAL_MOUTH, &vertex);
    }
    const vrmi_sample_vertex vertex = mouth_vertex(0.0f, VRMI_MINIMAL_MOUTH_Y, 0.014f, 0.125f, head);
    const uint32_t middle = vrmi_sample_add_vertex(figure, VRMI_MINIMAL_MOUTH, &vertex);
    for (int i = 0; i < MOUTH_LOOP; ++i) {
        const int n = (i + 1) % MOUTH_LOOP;
        quad(figure, VRMI_MINIMAL_FACE_SKIN, border[i], lip[i], lip[n], border[n]);
        quad(figure, VRMI_MINIMAL_MOUTH, edge[i], back[i], back[n], edge[n]);
        vrmi_sample_add_triangle(figure, VRMI_MINIMAL_MOUTH, middle, back[n], back[i]);
    }
}

static void add_teeth_and_tongue(vrmi_sample_figure *figure, const vrmi_minimal_face *face)
{
    const vrmi_sample_influence head = vrmi_sample_one(vrmi_sample_bone(VRM_HUMAN_BONE_HEAD));
    const vrmi_sample_influence jaw = vrmi_sample_one(vrmi_sample_bone(VRM_HUMAN_BONE_JAW));
    const float drop = vrmi_clamp((face->mouth_open - 0.003f) * 0.3f, 0.0f, 0.0028f);
    uint32_t previous[2] = {0, 0};
    for (int i = 0; i < 5; ++i) {
        const float s = -0.66f + 0.33f * (float)i;
        const float x = vrmi_minimal_lip_x(face, s);
        const float y = vrmi_minimal_lip_upper(face, s);
        const vrmi_sample_vertex top = mouth_vertex(x, y + 0.0005f, 0.003f, 0.625f, head);
        const vrmi_sample_vertex bottom = mouth_vertex(x, y - drop, 0.003f, 0.625f, head);
        const uint32_t current[2] = {vrmi_sample_add_vertex(figure, VRMI_MINIMAL_MOUTH, &top),
            vrmi_sample_add_vertex(figure, VRMI_MINIMAL_MOUTH, &bottom)};
        if (i > 0) {
            quad(figure, VRMI_MINIMAL_MOUTH, previous[0], previous[1], current[1], current[0]);
        }
        previous[0] = current[0];
        previous[1] = current[1];
    }
    // The tongue is a fan that rises from the lower lip as the mouth opens.
    const float low = vrmi_minimal_lip_lower(face, 0.0f);
    const float height = vrmi_clamp((face->mouth_open - 0.003f) * 0.42f, 0.0f, 0.007f);
    const float width = vrmi_minimal_lip_x(face, 0.62f);
    const vrmi_sample_vertex root = mouth_vertex(0.0f, low, 0.004f, 0.375f, jaw);
    const uint32_t first = vrmi_sample_add_vertex(figure, VRMI_MINIMAL_MOUTH, &root);
    for (int i = 0; i < 6; ++i) {
        float sine, cosine;
        vrmi_sincos((float)i / 5.0f * VRMI_PI, &sine, &cosine);
        const vrmi_sample_vertex rim = mouth_vertex(width * cosine, low + height * sine, 0.006f, 0.375f, jaw);
        vrmi_sample_add_vertex(figure, VRMI_MINIMAL_MOUTH, &rim);
        if (i > 0) {
            vrmi_sample_add_triangle(figure, VRMI_MINIMAL_MOUTH, first, first + (uint32_t)i, first + (uint32_t)i + 1);
        }
    }
}

void vrmi_minimal_add_head(vrmi_sample_figure *figure, const vrmi_minimal_face *face)
{
    sheet skin;
    add_sheet(figure, &skin);
    add_temples(figure, &skin);
    add_jaw(figure, &skin);
    for (int side = 0; side < 2; ++side) {
        eye e = {.figure = figure, .face = face, .side = side, .sign = side == 0 ? 1.0f : -1.0f};
        vrmi_minimal_eye_frame(side, &e.center, &e.direction);
        e.right = vrmi_vec3(e.direction.z, 0.0f, -e.direction.x);
        add_lids(&e, &skin);
        add_white(&e);
        add_iris(&e);
        add_lashes(&e);
        add_brow(&e);
        add_blush(&e);
    }
    add_lips(figure, face, &skin);
    add_teeth_and_tongue(figure, face);
}
