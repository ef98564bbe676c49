// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "sample/full/hair.h"

#include "base/text.h"

// Strands are tapering lofts along curves over the skull. A strand's spring chain follows the same curve, so that skin
// and bones agree.

enum { SAMPLES = 48, ON_DOME = 20, COLUMNS = 5 };

static const vrm_vec3 dome_center = {0.0f, 1.441f, -0.005f};
static const vrm_vec3 dome_radius = {0.0935f, 0.1130f, 0.1050f};

// The curve of a strand: points, directions away from the head, and arc length.
typedef struct path {
    vrm_vec3 point[SAMPLES], out[SAMPLES];
    float length[SAMPLES];
    float dome; // length of the curve on the dome
} path;

vrm_vec3 vrmi_full_dome_direction(float azimuth, float polar)
{
    const float degree = VRMI_PI / 180.0f;
    float sa, ca, sp, cp;
    vrmi_sincos(azimuth * degree, &sa, &ca);
    vrmi_sincos(polar * degree, &sp, &cp);
    return vrmi_vec3(sa * sp, cp, ca * sp);
}

vrm_vec3 vrmi_full_dome_point(vrm_vec3 direction, float lift)
{
    const vrm_vec3 r = vrmi_vec3_add(dome_radius, vrmi_vec3(lift, lift, lift));
    return vrmi_vec3_add(dome_center, vrmi_vec3_mul(direction, r));
}

static vrm_vec3 bezier(const vrm_vec3 p[4], float t)
{
    const vrm_vec3 a = vrmi_vec3_lerp(p[0], p[1], t), b = vrmi_vec3_lerp(p[1], p[2], t),
                   c = vrmi_vec3_lerp(p[2], p[3], t);
    return vrmi_vec3_lerp(vrmi_vec3_lerp(a, b, t), vrmi_vec3_lerp(b, c, t), t);
}

static vrm_vec3 strand_tip(const vrmi_sample_style *style, const vrmi_full_strand *s, vrm_vec3 leave)
{
    if (s->kind == VRMI_FULL_CHAIN_CROWN || style->hair_cut != VRM_SAMPLE_HAIR_LONG) {
        return s->tip;
    }
    // Shorter hair also hangs closer to the head.
    const float factor = style->hair_length * (s->kind == VRMI_FULL_CHAIN_BACK ? style->back_length : 1.0f);
    vrm_vec3 tip = vrmi_vec3_lerp(leave, s->tip, factor);
    if (factor > 1.0f) {
        tip.x = s->tip.x;
        tip.z = s->tip.z;
    }
    return tip;
}

static void make_hanging(const vrmi_sample_style *style, const vrmi_full_strand *s, int on_dome, path *out)
{
    const vrm_vec3 leave = out->point[on_dome - 1], down = {0.0f, -1.0f, 0.0f};
    const vrm_vec3 along = vrmi_vec3_normalize_or(vrmi_vec3_sub(leave, out->point[on_dome - 2]), down);
    const vrm_vec3 tip = strand_tip(style, s, leave);
    const float reach = vrmi_vec3_length(vrmi_vec3_sub(tip, leave)) * 0.36f;
    const vrm_vec3 end = vrmi_vec3_normalize_or(s->tip_direction, down);
    const vrm_vec3 control[4] = {leave, vrmi_vec3_add(leave, vrmi_vec3_scale(along, reach)),
        vrmi_vec3_sub(tip, vrmi_vec3_scale(end, reach)), tip};
    const vrm_vec3 across =
        vrmi_vec3_normalize_or(vrmi_vec3_cross(along, out->out[on_dome - 1]), vrmi_vec3(1.0f, 0.0f, 0.0f));
    for (int i = on_dome; i < SAMPLES; ++i) {
        const float t = (float)(i - on_dome + 1) / (float)(SAMPLES - on_dome);
        float sine, cosine;
        vrmi_sincos(t * 1.5f * VRMI_PI, &sine, &cosine);
        out->point[i] = vrmi_vec3_add(bezier(control, t), vrmi_vec3_scale(across, s->sway * sine * t));
        vrm_vec3 away = vrmi_vec3_sub(out->point[i], dome_center);
        away.y = 0.0f;
        const vrm_vec3 level = vrmi_vec3_normalize_or(away, out->out[on_dome - 1]);
        const vrm_vec3 from = out->out[on_dome - 1];
        out->out[i] = vrmi_vec3_normalize_or(vrmi_vec3_lerp(from, level, vrmi_min(2.0f * t, 1.0f)), level);
    }
}

// Returns a point on the great circle from one direction to another.
static vrm_vec3 between(vrm_vec3 a, vrm_vec3 b, float t)
{
    const float cosine = vrmi_vec3_dot(a, b), sine = vrmi_vec3_length(vrmi_vec3_cross(a, b));
    const float angle = vrmi_atan2(sine, cosine);
    float from, to, unused;
    vrmi_sincos((1.0f - t) * angle, &from, &unused);
    vrmi_sincos(t * angle, &to, &unused);
    return vrmi_vec3_normalize_or(vrmi_vec3_add(vrmi_vec3_scale(a, from), vrmi_vec3_scale(b, to)), b);
}

static void make_path(const vrmi_sample_style *style, const vrmi_full_strand *s, path *out)
{
    const int on_dome = s->kind == VRMI_FULL_CHAIN_CROWN ? 3 : (s->hangs ? ON_DOME : SAMPLES);
    const vrm_vec3 root = vrmi_full_dome_direction(s->root_azimuth, s->root_polar);
    const vrm_vec3 leave = vrmi_full_dome_direction(s->azimuth, s->polar);
    for (int i = 0; i < on_dome; ++i) {
        const float t = (float)i / (float)(on_dome - 1);
        const vrm_vec3 d = between(root, leave, t);
        // The strand is slightly closer to the skin at its root.
        out->point[i] = vrmi_full_dome_point(d, s->lift * vrmi_sample_smooth(-0.60f, 0.35f, t));
        out->out[i] = d;
    }
    if (s->hangs) {
        make_hanging(style, s, on_dome, out);
    }
    out->length[0] = 0.0f;
    for (int i = 1; i < SAMPLES; ++i) {
        out->length[i] = out->length[i - 1] + vrmi_vec3_length(vrmi_vec3_sub(out->point[i], out->point[i - 1]));
    }
    out->dome = out->length[on_dome - 1];
}

// Computes point, tangent and outward direction at a fraction of the length.
static void path_at(const path *p, float part, vrm_vec3 *out_point, vrm_vec3 *out_tangent, vrm_vec3 *out_out)
{
    const float wanted = part * p->length[SAMPLES - 1];
    int i = 0;
    while (i < SAMPLES - 2 && p->length[i + 1] < wanted) {
        ++i;
    }
    const float t = vrmi_clamp((wanted - p->length[i]) / vrmi_max(p->length[i + 1] - p->length[i], 1e-9f), 0.0f, 1.0f);
    *out_point = vrmi_vec3_lerp(p->point[i], p->point[i + 1], t);
    const int before = i > 0 ? i - 1 : i, after = i + 2 < SAMPLES ? i + 2 : i + 1;
    *out_tangent =
        vrmi_vec3_normalize_or(vrmi_vec3_sub(p->point[after], p->point[before]), vrmi_vec3(0.0f, -1.0f, 0.0f));
    *out_out = vrmi_vec3_normalize_or(vrmi_vec3_lerp(p->out[i], p->out[i + 1], t), vrmi_vec3(0.0f, 0.0f, 1.0f));
}

// A chain. `from` is the position of its first node along its curve, measured from the crown; `step` is the distance
// between its nodes.
typedef struct lead {
    const vrmi_sample_chain *chain;
    vrmi_full_chain kind;
    vrm_vec3 direction; // direction on the dome
    float from, step;
} lead;

// Returns the length from the crown to the root.
static float root_length(const vrmi_full_strand *s)
{
    return s->root_polar * (VRMI_PI / 180.0f) * 0.105f;
}

static void add_chain(vrmi_sample_figure *figure, const vrmi_full_strand *s, const path *p, lead *out)
{
    static const char *const names[] = {"fringe", "crown", "side", "back"};
    const bool is_short = s->kind == VRMI_FULL_CHAIN_FRINGE || s->kind == VRMI_FULL_CHAIN_CROWN;
    const float length = p->length[SAMPLES - 1];
    // The chain begins where the hair leaves the head; for the fringe it begins at the hairline.
    const float begin = s->kind == VRMI_FULL_CHAIN_FRINGE ? 0.45f : vrmi_min(0.92f * p->dome / length, 0.6f);
    vrmi_sample_chain *chain = &figure->chains[figure->chain_count];
    const float middle = vrmi_full_dome_direction(s->azimuth, 90.0f).x;
    *chain = (vrmi_sample_chain){.kind = (int)s->kind,
        .side = vrmi_abs(middle) < 0.05f ? 0 : (middle > 0.0f ? 1 : -1),
        .count = s->springs + 1,
        .radius = is_short ? 0.006f : 0.014f};
    vrmi_format(chain->name, sizeof(chain->name), "%s%d", names[s->kind], figure->chain_count);
    ++figure->chain_count;
    int parent = vrmi_sample_bone(VRM_HUMAN_BONE_HEAD);
    for (int k = 0; k <= s->springs; ++k) {
        vrm_vec3 point, tangent, away;
        path_at(p, begin + (0.98f - begin) * (float)k / (float)s->springs, &point, &tangent, &away);
        // The nodes of side strands are rotated at rest, with +Y along the strand, so that the sample also has chains
        // without identity rotations.
        const bool turned = s->kind == VRMI_FULL_CHAIN_SIDE;
        const vrm_quat rotation =
            turned ? vrmi_quat_from_to(vrmi_vec3(0.0f, 1.0f, 0.0f), tangent) : vrmi_quat_identity();
        char name[32];
        vrmi_format(name, sizeof(name), "%s_%d", chain->name, k);
        parent = vrmi_sample_add_node(figure, name, parent, point, rotation);
        chain->nodes[k] = parent;
    }
    *out = (lead){.chain = chain,
        .kind = s->kind,
        .direction = vrmi_full_dome_direction(s->azimuth, s->polar),
        .from = root_length(s) + begin * length,
        .step = (0.98f - begin) * length / (float)s->springs};
}

// Returns the nearest chain of the same kind.
static const lead *nearest(const lead *leads, int count, const vrmi_full_strand *s)
{
    const vrm_vec3 d = vrmi_full_dome_direction(s->azimuth, s->polar);
    const lead *best = NULL;
    float most = -2.0f;
    for (int i = 0; i < count; ++i) {
        const float near = vrmi_vec3_dot(d, leads[i].direction);
        if (leads[i].kind == s->kind && near > most) {
            most = near;
            best = &leads[i];
        }
    }
    return best;
}

// Returns the skin weights at a length. Each spring controls the strand from its node to the next one. Before the first
// node the head controls it.
static vrmi_sample_influence strand_skin(const lead *l, float length)
{
    int joints[VRMI_SAMPLE_CHAIN_NODES];
    float starts[VRMI_SAMPLE_CHAIN_NODES];
    joints[0] = vrmi_sample_bone(VRM_HUMAN_BONE_HEAD);
    starts[0] = -1.0f;
    const int springs = l->chain->count - 1;
    for (int k = 0; k < springs; ++k) {
        joints[k + 1] = l->chain->nodes[k];
        starts[k + 1] = l->from + l->step * (float)k;
    }
    return vrmi_sample_along(joints, starts, springs + 1, l->step * 0.5f, length);
}

static float strand_width(const vrmi_full_strand *s, float part)
{
    static const float fringe[][2] = {
        {0.0f, 0.22f}, {0.2f, 0.62f}, {0.45f, 1.0f}, {0.66f, 0.94f}, {0.82f, 0.62f}, {0.93f, 0.26f}, {1.0f, 0.0f}};
    static const float hanging[][2] = {{0.0f, 0.20f}, {0.10f, 0.58f}, {0.22f, 0.92f}, {0.42f, 1.0f}, {0.62f, 0.92f},
        {0.80f, 0.66f}, {0.92f, 0.32f}, {1.0f, 0.0f}};
    static const float under[][2] = {{0.0f, 0.7f}, {0.3f, 1.0f}, {0.7f, 0.85f}, {0.9f, 0.4f}, {1.0f, 0.0f}};
    static const float crown[][2] = {{0.0f, 0.2f}, {0.25f, 0.55f}, {0.5f, 1.0f}, {0.75f, 0.7f}, {1.0f, 0.0f}};
#define SHAPE(keys) vrmi_sample_curve(&(keys)[0][0], (int)VRMI_COUNT_OF(keys), 2, 1, part)
    if (s->kind == VRMI_FULL_CHAIN_FRINGE) {
        return SHAPE(fringe);
    }
    if (s->kind == VRMI_FULL_CHAIN_CROWN) {
        return SHAPE(crown);
    }
    return s->lift < 0.0f ? SHAPE(under) : SHAPE(hanging);
#undef SHAPE
}

// Cross-section of the strand: from the ridge over one edge and the flat inner side to the other edge.
static const float section[COLUMNS][2] = {
    {0.0f, 1.0f}, {0.60f, 0.70f}, {1.0f, -0.20f}, {-1.0f, -0.20f}, {-0.60f, 0.70f}};

// Returns the texture's row. On the head it follows from the polar angle, so that the highlight has the same height on
// all strands.
static float strand_v(const path *p, const vrmi_full_strand *s, float part, vrm_vec3 point)
{
    const vrm_vec3 d = vrmi_vec3_sub(point, dome_center);
    const vrm_vec3 n = vrmi_vec3_normalize_or(
        vrmi_vec3(d.x / dome_radius.x, d.y / dome_radius.y, d.z / dome_radius.z), vrmi_vec3(0.0f, 1.0f, 0.0f));
    const float level = vrmi_sqrt(n.x * n.x + n.z * n.z);
    const float polar = vrmi_atan2(level, n.y) * (180.0f / VRMI_PI);
    const float length = p->length[SAMPLES - 1];
    if (!s->hangs) {
        return 0.30f * vrmi_min(polar / 95.0f, 1.0f) + 0.35f * vrmi_sample_smooth(0.60f, 1.0f, part);
    }
    if (part * length <= p->dome) {
        return 0.30f * vrmi_min(polar / 95.0f, 1.0f);
    }
    return 0.30f + 0.69f * (part * length - p->dome) / (length - p->dome);
}

// Returns the position of a row along the strand. Rows are closer where the strand bends over the head.
static float row_part(const vrmi_full_strand *s, const path *p, int row)
{
    const float t = (float)row / (float)(s->rows - 1), dome = p->dome / p->length[SAMPLES - 1];
    if (!s->hangs || s->kind == VRMI_FULL_CHAIN_CROWN) {
        return t;
    }
    const float bent = (float)(s->rows * 3 / 5);
    const float place = (float)row;
    return place <= bent ? dome * place / bent : dome + (1.0f - dome) * (place - bent) / ((float)(s->rows - 1) - bent);
}

static void add_strand(vrmi_sample_figure *figure, int index, const vrmi_full_strand *s, const path *p, const lead *l)
{
    const int part_id = s->kind == VRMI_FULL_CHAIN_FRINGE ? VRMI_FULL_FRINGE : VRMI_FULL_HAIR;
    const float length = p->length[SAMPLES - 1];
    vrmi_sample_grid_begin(figure, (uint32_t)s->rows, COLUMNS, true);
    for (int r = 0; r < s->rows; ++r) {
        const float part = row_part(s, p, r);
        vrm_vec3 point, tangent, away;
        path_at(p, part, &point, &tangent, &away);
        const vrm_vec3 across = vrmi_vec3_normalize_or(vrmi_vec3_cross(tangent, away), vrmi_vec3(1.0f, 0.0f, 0.0f));
        const vrm_vec3 out = vrmi_vec3_cross(across, tangent);
        const float shape = r == s->rows - 1 ? 0.0f : strand_width(s, part);
        for (uint32_t c = 0; c <= COLUMNS; ++c) {
            const float *place = section[c % COLUMNS];
            vrmi_sample_vertex *v = &figure->grid.points[r][c];
            // The strand's edges bend around the head.
            const float x = place[0] * s->width * shape;
            const float y = place[1] * s->thickness * vrmi_sqrt(shape) - x * x / 0.19f;
            v->position = vrmi_vec3_add(point, vrmi_vec3_add(vrmi_vec3_scale(across, x), vrmi_vec3_scale(out, y)));
            v->u = ((float)(index % 4) + 0.5f + 0.46f * place[0]) * 0.25f;
            v->v = strand_v(p, s, part, point);
            v->skin = strand_skin(l, root_length(s) + part * length);
        }
    }
    vrmi_sample_grid_normals(figure);
    for (int r = 0; r < s->rows; ++r) {
        vrm_vec3 point, tangent, away;
        path_at(p, row_part(s, p, r), &point, &tangent, &away);
        for (uint32_t c = 0; c <= COLUMNS; ++c) {
            // All hair is lit as one surface: normals on the outside lean towards the normal of the dome.
            vrm_vec3 *n = &figure->grid.points[r][c].normal;
            const float lean = section[c % COLUMNS][1] > 0.0f ? 0.60f : 0.40f;
            *n = vrmi_vec3_normalize_or(vrmi_vec3_lerp(*n, away, lean), away);
        }
    }
    vrmi_sample_grid_emit(figure, part_id, VRMI_SAMPLE_EMIT_NORMALS);
}

// Adds a cap under the strands, so that the head is not visible through gaps.
static void add_cap(vrmi_sample_figure *figure)
{
    enum { ROWS = 9, AROUND = 28 };
    vrmi_sample_grid_begin(figure, ROWS, AROUND, true);
    for (uint32_t r = 0; r < ROWS; ++r) {
        for (uint32_t c = 0; c <= AROUND; ++c) {
            // Columns go from the front to the right as seen from above. Because rows go down, the outer side then
            // faces outwards.
            const float azimuth = 360.0f - (float)(c % AROUND) / (float)AROUND * 360.0f;
            const float side = azimuth > 180.0f ? 360.0f - azimuth : azimuth;
            const float rim = vrmi_lerp(60.0f, 98.0f, vrmi_sample_smooth(24.0f, 66.0f, side)) +
                              34.0f * vrmi_sample_smooth(88.0f, 130.0f, side);
            const float even = vrmi_min((float)r / (float)(ROWS - 2), 1.0f), t = r == 1 ? 7.0f / rim : even;
            // The last row turns inwards and closes the rim of the cap against the head.
            const vrm_vec3 d = vrmi_full_dome_direction(azimuth, rim * t);
            vrmi_sample_vertex *v = &figure->grid.points[r][c];
            // At the crown the cap covers the roots of the strands.
            const float lift = 0.0160f * (1.0f - vrmi_sample_smooth(3.0f, 16.0f, rim * t)) - 0.0045f;
            v->position = vrmi_full_dome_point(d, r == ROWS - 1 ? -0.022f : lift);
            v->u = 0.02f;
            v->v = 0.28f * t;
            v->skin = vrmi_sample_one(vrmi_sample_bone(VRM_HUMAN_BONE_HEAD));
        }
    }
    vrmi_sample_grid_emit(figure, VRMI_FULL_HAIR, 0);
}

void vrmi_full_add_hair(vrmi_sample_figure *figure)
{
    vrmi_full_strand strands[VRMI_FULL_MOST_STRANDS];
    lead leads[VRMI_SAMPLE_MAX_CHAINS];
    const int count = vrmi_full_cut_hair(&figure->style, strands);
    int lead_count = 0;
    path p;
    add_cap(figure);
    for (int i = 0; i < count; ++i) {
        if (strands[i].springs > 0) {
            make_path(&figure->style, &strands[i], &p);
            add_chain(figure, &strands[i], &p, &leads[lead_count++]);
        }
    }
    for (int i = 0; i < count; ++i) {
        make_path(&figure->style, &strands[i], &p);
        add_strand(figure, i, &strands[i], &p, nearest(leads, lead_count, &strands[i]));
    }
}

// Adds two crossing bars around the pin's node.
void vrmi_full_add_pin(vrmi_sample_figure *figure)
{
    static const float keys[][2] = {{-0.0190f, 0.0f}, {-0.0180f, 0.0028f}, {-0.0150f, 0.0042f}, {0.0150f, 0.0042f},
        {0.0180f, 0.0028f}, {0.0190f, 0.0f}};
    for (int bar = 0; bar < 2; ++bar) {
        float sine, cosine;
        vrmi_sincos(bar == 0 ? 0.7f : -0.7f, &sine, &cosine);
        const vrm_vec3 along = {cosine, sine, 0.0f}, side = {-sine, cosine, 0.0f}, out = {0.0f, 0.0f, 1.0f};
        vrmi_sample_grid_begin(figure, (uint32_t)VRMI_COUNT_OF(keys), 8, true);
        for (uint32_t r = 0; r < VRMI_COUNT_OF(keys); ++r) {
            const vrmi_sample_ring ring = {
                .center = vrmi_vec3_add(vrmi_vec3_scale(along, keys[r][0]), vrmi_vec3(0.0f, 0.0f, 0.001f * (float)bar)),
                .axis_a = side,
                .axis_b = out,
                .radius_a = keys[r][1],
                .radius_b = keys[r][1] * 0.7f,
                .v = 0.2f + 0.12f * (float)r,
                .u1 = 1.0f,
                .skin = vrmi_sample_one(0)};
            vrmi_sample_grid_ring(figure, r, &ring);
        }
        vrmi_sample_grid_emit(figure, VRMI_FULL_PIN, 0);
    }
}
