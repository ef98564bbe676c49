// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Converts look-at. A curve of VRM 0.x becomes the nearest range map of 1.0, which is a straight line up to a limit.

#include "export/migrate.h"
#include "math/scalar.h"

#define DEGREES_PER_RADIAN (180.0 / 3.14159265358979323846)

enum { SAMPLES = 128, LIMITS = 40, MOST_STEPS = 64 };

static const char *const map_keys[VRM_LOOK_DIRECTION_COUNT] = {
    "HorizontalInner", "HorizontalOuter", "VerticalDown", "VerticalUp"};

// --- curves ----------------------------------------------------------------------------------------------------------

// Evaluates a curve: cubic Hermite between keys, constant outside.
static double curve_at(const vrm_curve_key *keys, uint32_t count, double x)
{
    uint32_t next = 0;
    while (next < count && (double)keys[next].time <= x) {
        ++next;
    }
    if (next == 0 || next == count) {
        return (double)keys[next == 0 ? 0 : count - 1].value;
    }
    const vrm_curve_key *a = &keys[next - 1], *b = &keys[next];
    const double d = (double)b->time - (double)a->time, t = (x - (double)a->time) / d;
    const double t2 = t * t, t3 = t2 * t;
    return (2.0 * t3 - 3.0 * t2 + 1.0) * (double)a->value + (t3 - 2.0 * t2 + t) * d * (double)a->out_tangent +
           (3.0 * t2 - 2.0 * t3) * (double)b->value + (t3 - t2) * d * (double)b->in_tangent;
}

// The largest distances by which the line scale * min(x / limit, 1) is above and below the curve.
typedef struct line_errors {
    double above, below;
    int highest, lowest; // sample indices
} line_errors;

static double line_at(double limit, int sample)
{
    const double x = (double)sample / SAMPLES;
    return x < limit ? x / limit : 1.0;
}

static line_errors measure_line(const double *curve, double limit, double scale)
{
    line_errors e = {-1e30, -1e30, 0, 0};
    for (int i = 0; i <= SAMPLES; ++i) {
        const double above = scale * line_at(limit, i) - curve[i];
        e.highest = above > e.above ? i : e.highest;
        e.above = above > e.above ? above : e.above;
        e.lowest = -above > e.below ? i : e.lowest;
        e.below = -above > e.below ? -above : e.below;
    }
    return e;
}

// Finds the scale with the smallest error for a given limit. As the scale grows, errors above the curve grow and errors
// below it shrink, so the best scale makes both equal. Each step makes the errors of the two worst samples equal. If
// that leaves the bracket, the middle of the bracket is used.
static double best_scale(const double *curve, double limit, double low, double high, double *out_error)
{
    double scale = 0.5 * (low + high);
    for (int i = 0;; ++i) {
        const line_errors e = measure_line(curve, limit, scale);
        const double rise = line_at(limit, e.highest) + line_at(limit, e.lowest);
        *out_error = e.above > e.below ? e.above : e.below;
        if (e.above > e.below) {
            high = scale;
        } else {
            low = scale;
        }
        const double equal = rise > 0.0 ? (curve[e.highest] + curve[e.lowest]) / rise : low;
        const double next = equal >= low && equal <= high ? equal : 0.5 * (low + high);
        const double step = next > scale ? next - scale : scale - next;
        if (i == MOST_STEPS || step <= 1e-12 * (1.0 + (scale < 0.0 ? -scale : scale))) {
            return scale;
        }
        scale = next;
    }
}

// Fits a line to the curve. The curve is multiplied by `*scale` and clamped to `most`, the largest possible weight.
// `*scale` becomes the line's scale, and `*out_limit` its limit as a fraction of the map's range. Returns the largest
// error.
static double fit_line(const vrm_curve_key *keys, uint32_t count, double most, double *out_limit, double *scale)
{
    double curve[SAMPLES + 1], low = 0.0, high = 0.0, best = 1e30;
    const double output = *scale;
    for (int i = 0; i <= SAMPLES; ++i) {
        curve[i] = curve_at(keys, count, (double)i / SAMPLES) * output;
        curve[i] = curve[i] < most ? curve[i] : most;
        low = curve[i] < low ? curve[i] : low;
        high = curve[i] > high ? curve[i] : high;
    }
    // The first pass searches the whole range; the second searches around the best limit.
    double from = 0.0, step = 1.0 / LIMITS;
    for (int pass = 0; pass < 2; ++pass) {
        for (int i = 1; i <= LIMITS; ++i) {
            const double limit = from + step * i;
            double error = best;
            const double found = limit <= 1.0 ? best_scale(curve, limit, low, high, &error) : 0.0;
            if (error < best - 1e-9) {
                best = error;
                *out_limit = limit;
                *scale = found;
            }
        }
        from = *out_limit - step;
        step = 2.0 * step / LIMITS;
    }
    return best;
}

// --- maps ------------------------------------------------------------------------------------------------------------

static void add_map(vrmi_migration *m, vrmi_text *text, vrm_look_direction direction, const vrm_range_map *map)
{
    const bool bone = m->model->head.look_at.type == VRM_LOOK_AT_BONE;
    const vrmi_range curve = m->model->head.look_curve[direction];
    double input = (double)map->input_max * DEGREES_PER_RADIAN;
    double output = (double)map->output_scale * (bone ? DEGREES_PER_RADIAN : 1.0);
    if (curve.count != 0) {
        double limit = 1.0;
        const double error =
            fit_line(vrmi_model_look_curve_key(m->model) + curve.first, curve.count, bone ? 1e9 : 1.0, &limit, &output);
        char key[32], found[64];
        const uint32_t first_person = vrmi_json_member(m->json, m->vrm, "firstPerson");
        vrmi_format(key, sizeof key, "lookAt%s", map_keys[direction]);
        vrmi_text told = {.data = found, .capacity = sizeof found};
        vrmi_text_add_string(&told, "off by up to ");
        vrmi_text_add_digits(&told, error, 3);
        vrmi_text_add_string(&told, bone ? " degrees" : " of the weight");
        vrmi_migrate_report(
            m, VRM_FINDING_MIGRATE_LOOK_AT_CURVE, vrmi_json_member(m->json, first_person, key), "curve", found, NULL);
        input *= limit;
    }
    // Seven digits are enough, because reading converts the angle to radians in single precision.
    vrmi_text_format(text, ",\"rangeMap%s\":{\"inputMaxValue\":", map_keys[direction]);
    vrmi_text_add_digits(text, input, 7);
    vrmi_text_add_string(text, ",\"outputScale\":");
    vrmi_text_add_digits(text, output, 7);
    vrmi_text_add_string(text, "}");
}

void vrmi_migrate_look_at(vrmi_migration *m, vrmi_text *text)
{
    const vrmi_look_at_row *look_at = &m->model->head.look_at;
    if (look_at->type == VRM_LOOK_AT_NONE) {
        return;
    }
    vrmi_text_add_string(text, ",\"lookAt\":{\"offsetFromHeadBone\":");
    vrmi_migrate_add_vector(text, vrmi_migrate_vector(m, look_at->offset_from_head_bone));
    vrmi_text_format(text, ",\"type\":\"%s\"", look_at->type == VRM_LOOK_AT_BONE ? "bone" : "expression");
    add_map(m, text, VRM_LOOK_HORIZONTAL_INNER, &look_at->horizontal_inner);
    add_map(m, text, VRM_LOOK_HORIZONTAL_OUTER, &look_at->horizontal_outer);
    add_map(m, text, VRM_LOOK_VERTICAL_DOWN, &look_at->vertical_down);
    add_map(m, text, VRM_LOOK_VERTICAL_UP, &look_at->vertical_up);
    vrmi_text_add_string(text, "}");
}
