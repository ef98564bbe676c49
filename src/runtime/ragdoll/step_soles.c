// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "runtime/ragdoll/step_soles.h"

static float turn_of(vrmi_flat a, vrmi_flat b, vrmi_flat c)
{
    return (b.x - a.x) * (c.z - a.z) - (b.z - a.z) * (c.x - a.x);
}

static void add_sole(const vrmi_step_plan *plan, uint32_t foot, float size, vrmi_hull *out)
{
    const vrmi_flat ahead = plan->body.ahead[foot], side = vrmi_flat_of(ahead.z, -ahead.x);
    for (int corner = 0; corner < 4; ++corner) {
        const float x = corner == 0 || corner == 3 ? -size : size, z = corner < 2 ? -size : size;
        vrmi_flat point = vrmi_flat_more(plan->feet[foot].place, side, x * plan->body.half.x);
        point = vrmi_flat_more(point, ahead, z * plan->body.half.z);
        out->points[out->count++] = point;
    }
}

// Jarvis' algorithm: starts at the leftmost point and always continues with the outermost next point.
static vrmi_hull wrap(const vrmi_hull *points)
{
    vrmi_hull out = {0};
    uint32_t first = 0;
    for (uint32_t i = 1; i < points->count; ++i) {
        const vrmi_flat a = points->points[i], b = points->points[first];
        first = a.x < b.x || (a.x <= b.x && a.z < b.z) ? i : first;
    }
    uint32_t at = first;
    do {
        out.points[out.count++] = points->points[at];
        uint32_t next = at == 0 ? 1 : 0;
        for (uint32_t i = 0; i < points->count; ++i) {
            const float turn = turn_of(points->points[at], points->points[next], points->points[i]);
            next = i != at && turn < 0.0f ? i : next;
        }
        at = next;
    } while (at != first && out.count < 8);
    return out;
}

bool vrmi_step_stands(const vrmi_step_plan *plan, uint32_t foot)
{
    const bool swings = plan->phase == VRMI_STEP_SWING || plan->phase == VRMI_STEP_GATHER;
    return !swings || plan->foot != foot;
}

vrmi_hull vrmi_step_support(const vrmi_step_plan *plan)
{
    vrmi_hull points = {0};
    for (uint32_t foot = 0; foot < 2; ++foot) {
        if (vrmi_step_stands(plan, foot)) {
            add_sole(plan, foot, 1.0f, &points);
        }
    }
    return wrap(&points);
}

vrmi_hull vrmi_step_sole(const vrmi_step_plan *plan, uint32_t foot, float size)
{
    vrmi_hull points = {0};
    add_sole(plan, foot, size, &points);
    return wrap(&points);
}

float vrmi_hull_distance(const vrmi_hull *h, vrmi_flat point, vrmi_flat *nearest)
{
    float inside = -1e30f, best = 1e30f;
    *nearest = point;
    for (uint32_t i = 0; i < h->count; ++i) {
        const vrmi_flat a = h->points[i], way = vrmi_flat_sub(h->points[(i + 1) % h->count], a),
                        to = vrmi_flat_sub(point, a);
        const float l = vrmi_flat_dot(way, way), part = l > 0.0f ? vrmi_clamp01(vrmi_flat_dot(to, way) / l) : 0.0f;
        const vrmi_flat on = vrmi_flat_more(a, way, part);
        const float far = vrmi_flat_length(vrmi_flat_sub(point, on)),
                    side = (way.z * to.x - way.x * to.z) / vrmi_sqrt(vrmi_max(l, 1e-12f));
        inside = vrmi_max(inside, side);
        if (far < best) {
            best = far;
            *nearest = on;
        }
    }
    if (inside <= 0.0f) {
        *nearest = point;
        return inside;
    }
    return best;
}

float vrmi_step_outside(const vrmi_step_plan *plan)
{
    vrmi_flat nearest;
    const vrmi_hull h = vrmi_step_support(plan);
    return vrmi_hull_distance(&h, vrmi_step_capture(plan), &nearest);
}
