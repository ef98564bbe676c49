// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "base/text.h"
#include "sample/minimal/minimal.h"
#include "sample/surface.h"

// Hair consists of locks. A lock begins at the crown, lies on a dome around the skull and then hangs. It is a tapering
// loft along one curve, and its spring chain follows the same curve, so that skin and bones agree.

static const vrm_vec3 dome_center = {0.0f, 1.388f, -0.008f};
static const vrm_vec3 dome_radius = {0.106f, 0.112f, 0.116f};

// A lock on the left side or in the middle. Angles are degrees: the azimuth is 0 in front and 90 on the left, the polar
// angle is 0 at the crown.
typedef struct lock {
    const char *name;
    vrmi_minimal_chain_kind kind;
    float azimuth_root, azimuth_tip; // azimuths on the dome
    float polar_root, polar_tip;     // range of polar angles on the dome
    vrm_vec3 tip;                    // position of the end, if the lock hangs
    vrm_vec3 tip_direction;          // direction at the end
    float lift;                      // height above the dome, metres
    float width, thickness;          // half width and half thickness at the widest point, metres
    int springs;
    int rows;    // rows of the grid
    float start; // fraction of the length at which the chain begins
    bool middle, hangs;
} lock;

static const lock locks[] = {
    {"fringe0", VRMI_MINIMAL_CHAIN_FRINGE, 13.0f, 9.0f, 1.0f, 109.0f, {0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, 0.006f,
        0.0245f, 0.0085f, 3, 8, 0.40f, false, false},
    {"fringe1", VRMI_MINIMAL_CHAIN_FRINGE, 35.0f, 31.0f, 1.0f, 105.0f, {0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, 0.003f,
        0.0245f, 0.0085f, 3, 8, 0.40f, false, false},
    {"fringe2", VRMI_MINIMAL_CHAIN_FRINGE, 57.0f, 54.0f, 1.0f, 118.0f, {0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, 0.006f,
        0.0240f, 0.0085f, 3, 8, 0.40f, false, false},
    {"side", VRMI_MINIMAL_CHAIN_SIDE, 75.0f, 74.0f, 1.0f, 92.0f, {0.090f, 1.100f, 0.090f}, {-0.40f, -1.0f, 0.0f},
        0.003f, 0.0205f, 0.0100f, 6, 12, 0.32f, false, true},
    {"back0", VRMI_MINIMAL_CHAIN_BACK, 97.0f, 100.0f, 1.0f, 94.0f, {0.178f, 0.985f, -0.100f}, {0.75f, -1.0f, 0.15f},
        0.007f, 0.0270f, 0.0110f, 5, 11, 0.30f, false, true},
    {"back1", VRMI_MINIMAL_CHAIN_BACK, 121.0f, 123.0f, 1.0f, 94.0f, {0.138f, 0.925f, -0.155f}, {0.5f, -1.0f, -0.1f},
        0.003f, 0.0280f, 0.0110f, 5, 11, 0.30f, false, true},
    {"back2", VRMI_MINIMAL_CHAIN_BACK, 145.0f, 146.0f, 1.0f, 94.0f, {0.085f, 0.885f, -0.190f}, {0.3f, -1.0f, -0.3f},
        0.007f, 0.0280f, 0.0110f, 5, 10, 0.30f, false, true},
    {"back3", VRMI_MINIMAL_CHAIN_BACK, 168.0f, 168.0f, 1.0f, 94.0f, {0.030f, 0.870f, -0.205f}, {0.1f, -1.0f, -0.4f},
        0.003f, 0.0280f, 0.0110f, 5, 10, 0.30f, false, true},
    {"under0", VRMI_MINIMAL_CHAIN_BACK, 128.0f, 132.0f, 60.0f, 96.0f, {0.100f, 0.985f, -0.110f}, {0.2f, -1.0f, 0.0f},
        -0.006f, 0.0420f, 0.0100f, 5, 5, 0.18f, false, true},
    {"under1", VRMI_MINIMAL_CHAIN_BACK, 180.0f, 180.0f, 60.0f, 96.0f, {0.0f, 0.965f, -0.135f}, {0.0f, -1.0f, -0.1f},
        -0.006f, 0.0520f, 0.0100f, 5, 6, 0.18f, true, true},
    {"crown", VRMI_MINIMAL_CHAIN_CROWN, 0.0f, 0.0f, 0.0f, 4.0f, {0.034f, 1.528f, 0.062f}, {0.6f, -0.75f, 0.5f}, -0.004f,
        0.0075f, 0.0045f, 3, 6, 0.05f, true, true},
};

#define SAMPLES 48

// The curve of a lock: points, directions away from the head, and arc length.
typedef struct path {
    vrm_vec3 point[SAMPLES], out[SAMPLES];
    float length[SAMPLES];
} path;

static vrm_vec3 dome_direction(float azimuth, float polar)
{
    const float degree = VRMI_PI / 180.0f;
    float sa, ca, sp, cp;
    vrmi_sincos(azimuth * degree, &sa, &ca);
    vrmi_sincos(polar * degree, &sp, &cp);
    // A lock in the middle of the back stays exactly in the middle.
    return vrmi_vec3(azimuth == 180.0f ? 0.0f : sa * sp, cp, ca * sp);
}

static vrm_vec3 dome_point(float azimuth, float polar, float lift)
{
    const vrm_vec3 d = dome_direction(azimuth, polar);
    const vrm_vec3 r = vrmi_vec3_add(dome_radius, vrmi_vec3(lift, lift, lift));
    return vrmi_vec3_add(dome_center, vrmi_vec3_mul(d, r));
}

static vrm_vec3 bezier(const vrm_vec3 p[4], float t)
{
    const vrm_vec3 a = vrmi_vec3_lerp(p[0], p[1], t), b = vrmi_vec3_lerp(p[1], p[2], t),
                   c = vrmi_vec3_lerp(p[2], p[3], t);
    return vrmi_vec3_lerp(vrmi_vec3_lerp(a, b, t), vrmi_vec3_lerp(b, c, t), t);
}

static vrm_vec3 lock_tip(const vrmi_sample_style *style, const lock *l)
{
    vrm_vec3 tip = l->tip;
    if (l->kind != VRMI_MINIMAL_CHAIN_CROWN) {
        const float factor = style->hair_length * (l->kind == VRMI_MINIMAL_CHAIN_BACK ? style->back_length : 1.0f);
        const vrm_vec3 leave = dome_point(l->azimuth_tip, l->polar_tip, l->lift);
        // Shorter hair also hangs closer to the head.
        tip = vrmi_vec3_lerp(leave, tip, factor);
        tip.x = factor < 1.0f ? tip.x : l->tip.x;
        tip.z = factor < 1.0f ? tip.z : l->tip.z;
    }
    return tip;
}

static void make_path(const vrmi_sample_style *style, const lock *l, path *out)
{
    const bool fringe = l->kind == VRMI_MINIMAL_CHAIN_FRINGE;
    const float polar_tip = l->polar_tip + (fringe ? style->fringe * 500.0f : 0.0f);
    const int on_dome = l->hangs ? SAMPLES * 2 / 5 : SAMPLES;
    for (int i = 0; i < on_dome; ++i) {
        const float t = (float)i / (float)(on_dome - 1);
        const float azimuth = vrmi_lerp(l->azimuth_root, l->azimuth_tip, t * t);
        out->point[i] = dome_point(azimuth, vrmi_lerp(l->polar_root, polar_tip, t), l->lift);
        out->out[i] = dome_direction(azimuth, vrmi_lerp(l->polar_root, polar_tip, t));
    }
    if (l->hangs) {
        const vrm_vec3 leave = out->point[on_dome - 1];
        const vrm_vec3 along =
            vrmi_vec3_normalize_or(vrmi_vec3_sub(leave, out->point[on_dome - 2]), vrmi_vec3(0.0f, -1.0f, 0.0f));
        const vrm_vec3 tip = lock_tip(style, l);
        const float reach = vrmi_vec3_length(vrmi_vec3_sub(tip, leave)) * 0.36f;
        const vrm_vec3 end = vrmi_vec3_normalize_or(l->tip_direction, vrmi_vec3(0.0f, -1.0f, 0.0f));
        const vrm_vec3 control[4] = {leave, vrmi_vec3_add(leave, vrmi_vec3_scale(along, reach)),
            vrmi_vec3_sub(tip, vrmi_vec3_scale(end, reach)), tip};
        for (int i = on_dome; i < SAMPLES; ++i) {
            const float t = (float)(i - on_dome + 1) / (float)(SAMPLES - on_dome);
            out->point[i] = bezier(control, t);
            // A slow sideways wave, so that long hair does not hang like a curtain.
            float sine, cosine;
            vrmi_sincos((0.9f * t + 0.02f * l->azimuth_root) * 2.0f * VRMI_PI, &sine, &cosine);
            const float sway = l->middle || l->lift < 0.0f ? 0.0f : 0.011f * t * sine;
            const vrm_vec3 across = vrmi_vec3_cross(along, out->out[on_dome - 1]);
            out->point[i] = vrmi_vec3_add(out->point[i], vrmi_vec3_scale(across, sway));
            vrm_vec3 away = vrmi_vec3_sub(out->point[i], dome_center);
            away.y = 0.0f;
            const vrm_vec3 level = vrmi_vec3_normalize_or(away, out->out[on_dome - 1]);
            out->out[i] = vrmi_vec3_normalize_or(vrmi_vec3_lerp(out->out[on_dome - 1], level, t), level);
        }
    }
    out->length[0] = 0.0f;
    for (int i = 1; i < SAMPLES; ++i) {
        out->length[i] = out->length[i - 1] + vrmi_vec3_length(vrmi_vec3_sub(out->point[i], out->point[i - 1]));
    }
}

// Computes point, tangent and outward direction at a fraction of the length.
static void path_at(const path *p, float part, vrm_vec3 *out_point, vrm_vec3 *out_tangent, vrm_vec3 *out_out)
{
    const float wanted = part * p->length[SAMPLES - 1];
    int i = 0;
    while (i < SAMPLES - 2 && p->length[i + 1] < wanted) {
        ++i;
    }
    const float t = (wanted - p->length[i]) / vrmi_max(p->length[i + 1] - p->length[i], 1e-9f);
    *out_point = vrmi_vec3_lerp(p->point[i], p->point[i + 1], vrmi_clamp(t, 0.0f, 1.0f));
    *out_tangent = vrmi_vec3_normalize_or(vrmi_vec3_sub(p->point[i + 1], p->point[i]), vrmi_vec3(0.0f, -1.0f, 0.0f));
    *out_out = vrmi_vec3_normalize_or(vrmi_vec3_lerp(p->out[i], p->out[i + 1], t), vrmi_vec3(0.0f, 0.0f, 1.0f));
}

// Adds nodes along the curve. Nodes of the right side are mirror images of the left ones.
static void add_chain(vrmi_sample_figure *figure, const lock *l, const path *p, int side, vrmi_sample_chain *out)
{
    *out = (vrmi_sample_chain){.kind = (int)l->kind,
        .side = l->middle ? 0 : side,
        .count = l->springs + 1,
        .radius = l->kind == VRMI_MINIMAL_CHAIN_FRINGE || l->kind == VRMI_MINIMAL_CHAIN_CROWN ? 0.006f : 0.014f};
    const char *prefix = l->middle ? "middle" : (side > 0 ? "left" : "right");
    vrmi_format(out->name, sizeof(out->name), "%s_%s", prefix, l->name);
    int parent = vrmi_sample_bone(VRM_HUMAN_BONE_HEAD);
    for (int k = 0; k <= l->springs; ++k) {
        const float part = l->start + (0.98f - l->start) * (float)k / (float)l->springs;
        vrm_vec3 point, tangent, away;
        path_at(p, part, &point, &tangent, &away);
        point.x *= (float)side;
        tangent.x *= (float)side;
        // The nodes of side locks are rotated at rest, with +Y along the lock, so that the sample also has chains
        // without identity rotations.
        const bool turned = l->kind == VRMI_MINIMAL_CHAIN_SIDE;
        const vrm_quat rotation =
            turned ? vrmi_quat_from_to(vrmi_vec3(0.0f, 1.0f, 0.0f), tangent) : vrmi_quat_identity();
        char name[32];
        vrmi_format(name, sizeof(name), "%s_%d", out->name, k);
        parent = vrmi_sample_add_node(figure, name, parent, point, rotation);
        out->nodes[k] = parent;
    }
}

// Returns the skin weights at a fraction of the length. Each spring controls the lock from its node to the next one.
// Before the first node the head controls it.
static vrmi_sample_influence lock_skin(const lock *l, const vrmi_sample_chain *chain, float part)
{
    int joints[VRMI_SAMPLE_CHAIN_NODES];
    float starts[VRMI_SAMPLE_CHAIN_NODES];
    const float step = (0.98f - l->start) / (float)l->springs;
    joints[0] = vrmi_sample_bone(VRM_HUMAN_BONE_HEAD);
    starts[0] = 0.0f;
    for (int k = 0; k < l->springs; ++k) {
        joints[k + 1] = chain->nodes[k];
        starts[k + 1] = l->start + step * (float)k;
    }
    return vrmi_sample_along(joints, starts, l->springs + 1, step * 0.5f, part);
}

static float lock_width(const lock *l, float part)
{
    static const float fringe[][2] = {
        {0.0f, 0.10f}, {0.25f, 0.70f}, {0.5f, 1.0f}, {0.7f, 0.92f}, {0.88f, 0.50f}, {1.0f, 0.0f}};
    static const float hanging[][2] = {{0.0f, 0.08f}, {0.12f, 0.60f}, {0.24f, 0.95f}, {0.45f, 1.0f}, {0.65f, 0.95f},
        {0.82f, 0.66f}, {0.93f, 0.32f}, {1.0f, 0.0f}};
    static const float under[][2] = {{0.0f, 0.7f}, {0.3f, 1.0f}, {0.7f, 0.85f}, {0.9f, 0.4f}, {1.0f, 0.0f}};
    static const float crown[][2] = {{0.0f, 0.9f}, {0.4f, 1.0f}, {0.75f, 0.6f}, {1.0f, 0.0f}};
    if (l->kind == VRMI_MINIMAL_CHAIN_FRINGE) {
        return vrmi_sample_curve(&fringe[0][0], (int)VRMI_COUNT_OF(fringe), 2, 1, part);
    }
    if (l->kind == VRMI_MINIMAL_CHAIN_CROWN) {
        return vrmi_sample_curve(&crown[0][0], (int)VRMI_COUNT_OF(crown), 2, 1, part);
    }
    if (l->lift < 0.0f) {
        return vrmi_sample_curve(&under[0][0], (int)VRMI_COUNT_OF(under), 2, 1, part);
    }
    return vrmi_sample_curve(&hanging[0][0], (int)VRMI_COUNT_OF(hanging), 2, 1, part);
}

// Cross-section of the lock: the ridge, one edge, one point inside, the other edge. The grid requires this order.
#define SECTION 4u
static const float section[SECTION][2] = {{0.0f, 0.85f}, {1.0f, -0.20f}, {0.0f, -0.55f}, {-1.0f, -0.20f}};

// Returns the position of a row along the lock. Rows are closer where the lock bends over the head.
static float row_part(const lock *l, const path *p, int row)
{
    const int bent = l->rows >= 11 ? 5 : 4;
    const float t = (float)row / (float)(l->rows - 1);
    if (!l->hangs || l->rows < 8 || l->kind == VRMI_MINIMAL_CHAIN_CROWN) {
        return t;
    }
    const float dome = p->length[SAMPLES * 2 / 5 - 1] / p->length[SAMPLES - 1];
    return row <= bent ? dome * (float)row / (float)bent
                       : dome + (1.0f - dome) * (float)(row - bent) / (float)(l->rows - 1 - bent);
}

static void fill_lock(vrmi_sample_figure *figure, const lock *l, const path *p, const vrmi_sample_chain *chain)
{
    vrmi_sample_grid_begin(figure, (uint32_t)l->rows, SECTION, true);
    for (int r = 0; r < l->rows; ++r) {
        const float part = row_part(l, p, r);
        vrm_vec3 point, tangent, away;
        path_at(p, part, &point, &tangent, &away);
        const vrm_vec3 across = vrmi_vec3_normalize_or(vrmi_vec3_cross(tangent, away), vrmi_vec3(1.0f, 0.0f, 0.0f));
        const vrm_vec3 out = vrmi_vec3_cross(across, tangent);
        const float shape = r == l->rows - 1 ? 0.0f : lock_width(l, part);
        const float width = l->width * shape;
        const float thickness = l->thickness * vrmi_sqrt(shape);
        for (uint32_t c = 0; c <= SECTION; ++c) {
            const float *place = section[c % SECTION];
            vrmi_sample_vertex *v = &figure->grid.points[r][c];
            // The lock's edges bend around the head.
            const float x = place[0] * width;
            const float y = place[1] * thickness - x * x / 0.22f;
            v->position = vrmi_vec3_add(point, vrmi_vec3_add(vrmi_vec3_scale(across, x), vrmi_vec3_scale(out, y)));
            v->u = 0.5f + 0.5f * place[0];
            v->v = vrmi_min(part * p->length[SAMPLES - 1] / 0.66f, 1.0f);
            v->skin = lock_skin(l, chain, part);
        }
    }
    vrmi_sample_grid_normals(figure);
    for (int r = 0; r < l->rows; ++r) {
        vrm_vec3 point, tangent, away;
        path_at(p, row_part(l, p, r), &point, &tangent, &away);
        for (uint32_t c = 0; c <= SECTION; ++c) {
            // All hair is lit as one surface: normals on the outside lean towards the normal of the dome.
            vrm_vec3 *n = &figure->grid.points[r][c].normal;
            const float lean = section[c % SECTION][1] > 0.0f ? 0.55f : 0.15f;
            *n = vrmi_vec3_normalize_or(vrmi_vec3_lerp(*n, away, lean), away);
        }
    }
}

static void add_lock(vrmi_sample_figure *figure, const lock *l)
{
    path p;
    make_path(&figure->style, l, &p);
    vrmi_sample_chain *left = &figure->chains[figure->chain_count++];
    add_chain(figure, l, &p, 1, left);
    if (l->middle) {
        fill_lock(figure, l, &p, left);
        vrmi_sample_grid_emit(figure, VRMI_MINIMAL_HAIR, VRMI_SAMPLE_EMIT_NORMALS);
        return;
    }
    vrmi_sample_chain *right = &figure->chains[figure->chain_count++];
    add_chain(figure, l, &p, -1, right);
    for (int k = 0; k < left->count; ++k) {
        vrmi_sample_pair_nodes(figure, left->nodes[k], right->nodes[k]);
    }
    fill_lock(figure, l, &p, left);
    vrmi_sample_grid_emit_pair(figure, VRMI_MINIMAL_HAIR, VRMI_SAMPLE_EMIT_NORMALS);
}

// Adds a band under the locks, so that the inside of the head is not visible through gaps. The locks cover the crown.
static void add_cap(vrmi_sample_figure *figure)
{
    const uint32_t rows = 4, columns = 12;
    vrmi_sample_grid_begin(figure, rows, columns, true);
    for (uint32_t r = 0; r < rows; ++r) {
        for (uint32_t c = 0; c <= columns; ++c) {
            // Columns go from the front to the right as seen from above. Because rows go down, the outer side then
            // faces outwards.
            const uint32_t column = (columns - c) % columns;
            const uint32_t half = column <= columns / 2 ? column : columns - column;
            const float azimuth = (float)half / (float)columns * 360.0f;
            const float rim = vrmi_lerp(66.0f, 128.0f, vrmi_sample_smooth(40.0f, 95.0f, azimuth));
            const float t = vrmi_min(0.45f + 0.275f * (float)r, 1.0f);
            // The last row turns inwards and closes the rim of the cap against the face.
            vrm_vec3 p = dome_point(azimuth, rim * t, r == rows - 1 ? -0.024f : -0.006f);
            p.x = column <= columns / 2 ? p.x : -p.x;
            vrmi_sample_vertex *v = &figure->grid.points[r][c];
            v->position = p;
            v->u = 0.5f;
            v->v = 0.30f;
            v->skin = vrmi_sample_one(vrmi_sample_bone(VRM_HUMAN_BONE_HEAD));
        }
    }
    vrmi_sample_grid_emit(figure, VRMI_MINIMAL_HAIR, 0);
}

void vrmi_minimal_add_hair(vrmi_sample_figure *figure)
{
    add_cap(figure);
    for (size_t i = 0; i < VRMI_COUNT_OF(locks); ++i) {
        add_lock(figure, &locks[i]);
    }
}
