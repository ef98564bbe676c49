// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "sample/full/full.h"

// The skin of the head: a grid of rows and angles around the head, with a hole for each eye and for the mouth. Rings of
// points lead from the border of a hole to the lids or lips, so that lids and lips have their own vertices.

static const float rows[] = {1.3100f, 1.3118f, 1.3145f, 1.3180f, 1.3235f, 1.3305f, 1.3385f, 1.3460f, 1.3530f, 1.3600f,
    1.3665f, 1.3740f, 1.3820f, 1.3900f, 1.3990f, 1.4085f, 1.4180f, 1.4290f, 1.4420f, 1.4560f, 1.4720f, 1.4880f, 1.5040f,
    1.5190f};
#define ROWS ((int)VRMI_COUNT_OF(rows))

// Angles around the head in degrees, from the middle of the front to the middle of the back.
static const float turns[] = {0.0f, 2.6f, 5.2f, 7.8f, 14.4f, 21.0f, 27.7f, 34.3f, 40.9f, 47.6f, 54.2f, 60.8f, 68.0f,
    75.0f, 82.5f, 90.0f, 100.0f, 112.0f, 124.0f, 136.0f, 150.0f, 165.0f, 180.0f};
#define HALF ((int)VRMI_COUNT_OF(turns) - 1)
#define COLUMNS (2 * HALF + 1)

// Borders of the holes, as rows and columns of the grid.
enum { EYE_LOW = 10, EYE_HIGH = 16, EYE_IN = 3, EYE_OUT = 11, MOUTH_LOW = 4, MOUTH_HIGH = 8, MOUTH_SIDE = 6 };
enum { EYE_LOOP = 28, MOUTH_LOOP = 32, MOST = 32 };

typedef struct skin {
    vrmi_sample_figure *figure;
    const vrmi_full_face *face;
    vrmi_full_face rest;
    uint32_t index[ROWS][COLUMNS];
} skin;

typedef struct place {
    int row, column;
} place;

static void face_uv(vrmi_sample_vertex *vertex, float x, float y)
{
    vertex->u = 0.5f + x / 0.2f;
    vertex->v = vrmi_max((1.46f - y) / 0.16f, 0.004f);
}

static vrmi_sample_influence jaw_skin(float part)
{
    return vrmi_sample_mix(vrmi_sample_one(vrmi_sample_bone(VRM_HUMAN_BONE_HEAD)),
        vrmi_sample_one(vrmi_sample_bone(VRM_HUMAN_BONE_JAW)), part);
}

static void add_grid(skin *s)
{
    for (int r = 0; r < ROWS; ++r) {
        for (int c = -HALF; c <= HALF; ++c) {
            const float turn = turns[c < 0 ? -c : c], side = c < 0 ? -1.0f : 1.0f;
            vrmi_sample_vertex v = {.position = vrmi_full_head_point(turn, rows[r], 1.0f)};
            v.normal = vrmi_full_head_normal(turn, rows[r]);
            v.position.x *= side;
            v.normal.x *= side;
            const vrm_vec3 p = v.position;
            face_uv(&v, p.x, p.y);
            v.skin = jaw_skin(vrmi_full_jaw_part(p.x, p.y, p.z));
            v.position = vrmi_vec3_add(p, vrmi_full_face_motion(s->face, p.x, p.y, p.z));
            s->index[r][c + HALF] = vrmi_sample_add_vertex(s->figure, VRMI_FULL_FACE_SKIN, &v);
        }
    }
}

static bool in_hole(int row, int column)
{
    const int side = column < 0 ? -column - 1 : column;
    const bool eye = row >= EYE_LOW && row < EYE_HIGH && side >= EYE_IN && side < EYE_OUT;
    const bool mouth = row >= MOUTH_LOW && row < MOUTH_HIGH && side < MOUTH_SIDE;
    return eye || mouth;
}

static void quad(const skin *s, bool flip, const uint32_t corner[4])
{
    const uint32_t b = corner[flip ? 3 : 1], d = corner[flip ? 1 : 3];
    vrmi_sample_add_triangle(s->figure, VRMI_FULL_FACE_SKIN, corner[0], b, corner[2]);
    vrmi_sample_add_triangle(s->figure, VRMI_FULL_FACE_SKIN, corner[0], corner[2], d);
}

// Whether the cap of hair covers this cell.
static bool is_covered(int row, int column)
{
    const int side = column < 0 ? -column - 1 : column;
    return rows[row] > 1.515f || (rows[row] > 1.43f && turns[side] > 110.0f);
}

static void connect_grid(const skin *s)
{
    for (int r = 0; r + 1 < ROWS; ++r) {
        for (int c = -HALF; c < HALF; ++c) {
            if (in_hole(r, c) || is_covered(r, c)) {
                continue;
            }
            const uint32_t corner[4] = {s->index[r][c + HALF], s->index[r][c + 1 + HALF], s->index[r + 1][c + 1 + HALF],
                s->index[r + 1][c + HALF]};
            // Cells at the lower pole have only one triangle.
            if (r > 0) {
                vrmi_sample_add_triangle(s->figure, VRMI_FULL_FACE_SKIN, corner[0], corner[1], corner[2]);
            }
            vrmi_sample_add_triangle(s->figure, VRMI_FULL_FACE_SKIN, corner[0], corner[2], corner[3]);
        }
    }
}

// A point of a ring in the face's plane: its current position and its position at rest.
typedef struct ring_point {
    vrm_vec3 now, rest; // z is added to the depth
} ring_point;

static uint32_t add_ring_vertex(const skin *s, const ring_point *p, float jaw)
{
    vrmi_sample_vertex v = {.normal = vrmi_full_face_normal(p->rest.x, p->rest.y)};
    const float y = vrmi_max(p->now.y, 1.3200f);
    v.position = vrmi_vec3(
        p->now.x, p->now.y, vrmi_full_face_base(p->now.x, y) + vrmi_full_face_feature(p->rest.x, p->rest.y) + p->now.z);
    face_uv(&v, p->rest.x, p->rest.y);
    v.skin = jaw_skin(jaw);
    return vrmi_sample_add_vertex(s->figure, VRMI_FULL_FACE_SKIN, &v);
}

// Adds rings between border and edge, at the fractions `parts`, which ascend to 1. Adds the edge as the last ring.
static void add_rings(const skin *s, int count, const place *border, const ring_point *edge, const float *parts,
    int part_count, bool flip, bool is_mouth)
{
    uint32_t outer[MOST], inner[MOST];
    ring_point from[MOST];
    for (int i = 0; i < count; ++i) {
        const place p = border[i];
        const float turn = turns[p.column < 0 ? -p.column : p.column];
        outer[i] = s->index[p.row][p.column + HALF];
        vrm_vec3 rest = vrmi_full_head_point(turn, rows[p.row], 1.0f);
        rest.x *= p.column < 0 ? -1.0f : 1.0f;
        const vrm_vec3 d = vrmi_full_face_motion(s->face, rest.x, rest.y, rest.z);
        from[i].rest = vrmi_vec3(rest.x, rest.y, 0.0f);
        from[i].now = vrmi_vec3(rest.x + d.x, rest.y + d.y, d.z);
    }
    for (int k = 0; k < part_count; ++k) {
        for (int i = 0; i < count; ++i) {
            const ring_point p = {vrmi_vec3_lerp(from[i].now, edge[i].now, parts[k]),
                vrmi_vec3_lerp(from[i].rest, edge[i].rest, parts[k])};
            const float jaw = is_mouth ? (edge[i].rest.y < VRMI_FULL_MOUTH_Y ? 1.0f : 0.0f) : 0.0f;
            const float part = vrmi_lerp(vrmi_full_jaw_part(from[i].rest.x, from[i].rest.y, 0.08f), jaw, parts[k]);
            inner[i] = add_ring_vertex(s, &p, is_mouth ? part : 0.0f);
        }
        for (int i = 0; i < count; ++i) {
            const int n = (i + 1) % count;
            const uint32_t corner[4] = {outer[i], inner[i], inner[n], outer[n]};
            quad(s, flip, corner);
        }
        for (int i = 0; i < count; ++i) {
            outer[i] = inner[i];
        }
    }
}

static float loop_cosine(int i, int count)
{
    float sine, cosine;
    vrmi_sincos((float)i / (float)count * 2.0f * VRMI_PI, &sine, &cosine);
    return -cosine;
}

static void add_eye(const skin *s, int side)
{
    place border[EYE_LOOP];
    ring_point edge[EYE_LOOP];
    int n = 0;
    const int middle = (EYE_LOW + EYE_HIGH) / 2;
    for (int r = middle; r < EYE_HIGH; ++r) {
        border[n++] = (place){r, EYE_IN};
    }
    for (int c = EYE_IN; c < EYE_OUT; ++c) {
        border[n++] = (place){EYE_HIGH, c};
    }
    for (int r = EYE_HIGH; r > EYE_LOW; --r) {
        border[n++] = (place){r, EYE_OUT};
    }
    for (int c = EYE_OUT; c > EYE_IN; --c) {
        border[n++] = (place){EYE_LOW, c};
    }
    for (int r = EYE_LOW; r < middle; ++r) {
        border[n++] = (place){r, EYE_IN};
    }
    const float sign = side == 0 ? 1.0f : -1.0f;
    for (int i = 0; i < EYE_LOOP; ++i) {
        const float at = loop_cosine(i, EYE_LOOP), x = sign * vrmi_full_lid_x(at);
        const bool upper = i <= EYE_LOOP / 2;
        border[i].column = side == 0 ? border[i].column : -border[i].column;
        edge[i].rest =
            vrmi_vec3(x, upper ? vrmi_full_lid_upper(&s->rest, 0, at) : vrmi_full_lid_lower(&s->rest, 0, at), 0.0f);
        edge[i].now =
            vrmi_vec3(x, upper ? vrmi_full_lid_upper(s->face, side, at) : vrmi_full_lid_lower(s->face, side, at), 0.0f);
        // A closed upper lid bulges over the eye.
        const float close = upper ? vrmi_clamp(s->face->close[side], 0.0f, 1.0f) : 0.0f;
        edge[i].now.z = 0.0012f * close * (1.0f - at * at);
    }
    static const float parts[] = {0.40f, 0.72f, 0.90f, 1.0f};
    add_rings(s, EYE_LOOP, border, edge, parts, (int)VRMI_COUNT_OF(parts), side != 0, false);
}

static void add_lips(const skin *s)
{
    place border[MOUTH_LOOP];
    ring_point edge[MOUTH_LOOP];
    int n = 0;
    const int middle = (MOUTH_LOW + MOUTH_HIGH) / 2;
    for (int r = middle; r < MOUTH_HIGH; ++r) {
        border[n++] = (place){r, -MOUTH_SIDE};
    }
    for (int c = -MOUTH_SIDE; c < MOUTH_SIDE; ++c) {
        border[n++] = (place){MOUTH_HIGH, c};
    }
    for (int r = MOUTH_HIGH; r > MOUTH_LOW; --r) {
        border[n++] = (place){r, MOUTH_SIDE};
    }
    for (int c = MOUTH_SIDE; c > -MOUTH_SIDE; --c) {
        border[n++] = (place){MOUTH_LOW, c};
    }
    for (int r = MOUTH_LOW; r < middle; ++r) {
        border[n++] = (place){r, -MOUTH_SIDE};
    }
    for (int i = 0; i < MOUTH_LOOP; ++i) {
        const float at = loop_cosine(i, MOUTH_LOOP);
        const bool upper = i <= MOUTH_LOOP / 2;
        edge[i].rest = vrmi_vec3(vrmi_full_lip_x(&s->rest, at),
            upper ? vrmi_full_lip_upper(&s->rest, at) : vrmi_full_lip_lower(&s->rest, at), 0.0f);
        edge[i].now = vrmi_vec3(vrmi_full_lip_x(s->face, at),
            upper ? vrmi_full_lip_upper(s->face, at) : vrmi_full_lip_lower(s->face, at), 0.0f);
        const float roll = s->face->roll[upper ? 0 : 1];
        edge[i].now.z = 0.0045f * s->face->pucker - 0.0016f * roll + s->face->jaw_z * (upper ? 0.0f : 1.0f);
    }
    static const float parts[] = {0.35f, 0.62f, 0.82f, 1.0f};
    add_rings(s, MOUTH_LOOP, border, edge, parts, (int)VRMI_COUNT_OF(parts), false, true);
}

// Adds the ears as flat shells that stand off the head. They are visible between strands of hair.
static void add_ears(vrmi_sample_figure *figure)
{
    enum { AROUND = 10 };
    // Columns, from the back of the rim to the hollow: size, distance from the head.
    static const float rings[][2] = {
        {0.55f, -0.004f}, {0.95f, 0.004f}, {1.0f, 0.009f}, {0.82f, 0.0095f}, {0.55f, 0.005f}, {0.0f, 0.0045f}};
    vrmi_sample_grid_begin(figure, (uint32_t)VRMI_COUNT_OF(rings), AROUND, true);
    for (uint32_t r = 0; r < VRMI_COUNT_OF(rings); ++r) {
        for (uint32_t c = 0; c <= AROUND; ++c) {
            float sine, cosine;
            vrmi_sincos((float)(c % AROUND) / (float)AROUND * 2.0f * VRMI_PI, &sine, &cosine);
            const float up = 0.020f * sine * rings[r][0];
            const float along = 0.0135f * cosine * rings[r][0] * (sine > 0.0f ? 1.0f : 0.72f) - 0.15f * up;
            vrmi_sample_vertex *v = &figure->grid.points[r][c];
            v->position = vrmi_vec3(vrmi_full_head_width(1.404f) + rings[r][1] + 0.35f * vrmi_max(-along, 0.0f),
                1.404f + up, -0.014f + along);
            face_uv(v, 0.078f, 1.352f);
            v->skin = vrmi_sample_one(vrmi_sample_bone(VRM_HUMAN_BONE_HEAD));
        }
    }
    vrmi_sample_grid_emit_pair(figure, VRMI_FULL_FACE_SKIN, VRMI_SAMPLE_EMIT_FLIPPED);
}

void vrmi_full_add_face(vrmi_sample_figure *figure, const vrmi_full_face *face)
{
    skin s = {.figure = figure, .face = face};
    vrmi_full_face_rest(&s.rest);
    add_grid(&s);
    connect_grid(&s);
    add_eye(&s, 0);
    add_eye(&s, 1);
    add_lips(&s);
    add_ears(figure);
    vrmi_full_add_eyes(figure, face);
    vrmi_full_add_mouth(figure, face);
}
