// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Code that the eyes and the look chain share: the target, and the range maps.

#include "runtime/core/instance.h"

// Returns the target relative to the root. Subtracted in double, because in float a target 100 km away would jump by
// centimetres. A target whose squares would overflow a float is moved nearer along its line, because only its direction
// matters.
vrm_vec3 vrmi_look_at_target(const vrm_instance *instance)
{
    // Both positions are halved first, because the difference of two finite numbers may overflow.
    const vrm_dvec3 way =
        vrmi_dvec3_sub(vrmi_dvec3_scale(instance->gaze.target, 0.5), vrmi_dvec3_scale(instance->root.translation, 0.5));
    const double parts[3] = {way.x, way.y, way.z};
    double largest = 0.0;
    for (int i = 0; i < 3; ++i) {
        const double size = parts[i] < 0.0 ? -parts[i] : parts[i];
        largest = size > largest ? size : largest;
    }
    return vrmi_vec3_from(vrmi_dvec3_scale(way, largest > 1e9 ? 1e9 / largest : 2.0));
}

const vrm_range_map *vrmi_look_at_map(const vrmi_look_at_row *look, vrm_look_direction direction)
{
    const vrm_range_map *const maps[VRM_LOOK_DIRECTION_COUNT] = {
        &look->horizontal_inner, &look->horizontal_outer, &look->vertical_down, &look->vertical_up};
    return maps[direction];
}

// Evaluates a curve of VRM 0.x: cubic Hermite between its keys, constant outside.
static float evaluate_curve(const vrm_curve_key *keys, uint32_t count, float time)
{
    if (!(time > keys[0].time)) {
        return keys[0].value;
    }
    if (time >= keys[count - 1].time) {
        return keys[count - 1].value;
    }
    uint32_t low = 0, high = count - 1;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (keys[middle].time <= time) {
            low = middle;
        } else {
            high = middle;
        }
    }
    const vrm_curve_key *a = &keys[low], *b = &keys[high];
    const float step = b->time - a->time, t = (time - a->time) / step, u = 1.0f - t;
    return u * u * ((1.0f + 2.0f * t) * a->value + t * step * a->out_tangent) +
           t * t * ((3.0f - 2.0f * t) * b->value - u * step * b->in_tangent);
}

// Returns min(|v|, max) / max * scale, for VRM 0.x with a curve applied before the scale. If max is 0, returns the
// scale unless v is 0.
float vrmi_look_at_mapped(const vrmi_model *model, vrm_look_direction direction, float v)
{
    const vrm_range_map *map = vrmi_look_at_map(&model->head.look_at, direction);
    const vrmi_range curve = model->head.look_curve[direction];
    const float size = vrmi_abs(v);
    float part = size > 0.0f ? 1.0f : 0.0f;
    if (map->input_max > 0.0f) {
        part = vrmi_min(size, map->input_max) / map->input_max;
    }
    if (curve.count != 0) {
        part = evaluate_curve(vrmi_model_look_curve_key(model) + curve.first, curve.count, part);
    }
    return part * map->output_scale;
}
