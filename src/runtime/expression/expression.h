// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_EXPRESSION_H
#define VRMI_RUNTIME_EXPRESSION_H

// The state of the face between updates: weights in layers, the fade of emotions, automatic blink, lip-sync. The merge
// (expression_merge.c) combines them into one input weight per expression. The expression stage turns these weights
// into morphs and material values. Both do nothing while nothing changes, since most avatars of a crowd have a still
// face.

#include <vrm/output.h>

#include "math/blink.h"
#include "math/cursor.h"
#include "math/lip_sync.h"
#include "model/model.h"

// The weight of a layer for an expression, as set by the host. Updates do not write to it.
typedef struct vrmi_expression_entry {
    float weight;
    uint32_t set; // 1: this layer has a weight for the expression
} vrmi_expression_entry;

// The start of a fading emotion. The fade ends at the weight of the layer's entry.
typedef struct vrmi_fade_entry {
    float from;
    uint32_t active;
} vrmi_fade_entry;

// X(array, type, count), as in VRMI_INSTANCE_ARRAYS. The stage computes new values in `face_next_*`, to compare them
// with the old values.
#define VRMI_EXPRESSION_ARRAYS(X) \
    X(expressions, vrm_expression_weight, m->expression.count) /* 8: output; the merge writes `input` */ \
    X(morphs, float, m->morph_base.count)                      /* 4: output */ \
    X(materials, vrm_material_values, m->material.count)       /* 132: output; the output stage writes UV animation */ \
    X(face_next_morphs, float, m->morph_base.count) \
    X(face_next_materials, vrm_material_values, \
        m->color_bind.count + m->texture_bind.count != 0 ? m->material.count : 0) \
    X(layers, vrmi_expression_entry, m->expression.count *VRM_EXPRESSION_LAYER_COUNT) /* layer after layer */ \
    X(fades, vrmi_fade_entry, m->expression.count) \
    X(expression_groups, uint32_t, m->expression.count) /* presets: the model's; customs: set by the host */ \
    X(host_morphs, float, m->morph_base.count)

typedef struct vrmi_face {
    uint32_t modes[VRM_EXPRESSION_LAYER_COUNT]; // vrm_expression_mode
    float weights[VRM_EXPRESSION_LAYER_COUNT];
    uint32_t set_counts[VRM_EXPRESSION_LAYER_COUNT]; // number of entries that are set
    uint32_t fading;
    float fade_elapsed, fade_duration; // seconds
    vrmi_blink blink;
    vrmi_lip_sync lip_sync;
    // The fraction, 0 to 1, by which overrides reduce the gaze, computed by the last merge. Bone gaze is multiplied by
    // 1 minus this fraction. The weights in vrm_instance.look_weights are multiplied only by the expression stage.
    float look_at_rate;
    uint32_t inputs_changed;  // 1: the merge has to run again
    uint32_t look_was_active; // 1: `expressions[].input` contains look weights
    uint32_t weights_changed; // 1: the stage has to run again
    uint32_t outputs_stale;   // 1: compute morphs and materials even if no weight has changed
} vrmi_face;

// Resets the face: no inputs, default layers and parameters, outputs at their base values. The arrays of `instance`
// must exist.
void vrmi_expression_init(vrm_instance *instance);

// Advances fades, blink and lip-sync by dt (a negative dt or NaN counts as 0), and combines the layers into one input
// weight per expression (`expressions[].input`). Runs before look-at, in every update that runs the expression stage.
void vrmi_expression_merge(vrm_instance *instance, float dt);
// Returns the current weight of an expression in the EMOTION layer, also during a fade.
float vrmi_expression_emotion(const vrm_instance *instance, uint32_t expression);

// Whether everything except a planned blink stays still until the host sets something.
bool vrmi_expression_is_still(const vrm_instance *instance);

// Saves or loads inputs and state, but no derived values. After LOAD the outputs are outdated (math/cursor.h).
void vrmi_expression_snapshot(vrm_instance *instance, vrmi_cursor *cursor);

// Applies isBinary with its threshold (negative: not binary).
static inline float vrmi_expression_shown(const vrmi_expression_row *row, float input)
{
    if (row->binary_threshold < 0.0f) {
        return input;
    }
    return input > row->binary_threshold ? 1.0f : 0.0f;
}

// Returns the fraction by which this expression overrides a group, before the sum over expressions is clamped. Uses the
// binary output, as the specification demands: an expression that is not visible overrides nothing.
static inline float vrmi_expression_overriding(const vrmi_expression_row *row, uint32_t kind, float input)
{
    const uint32_t override_type = row->overrides[kind];
    if (override_type == VRM_EXPRESSION_OVERRIDE_NONE) {
        return 0.0f;
    }
    const float shown = vrmi_expression_shown(row, input);
    return override_type == VRM_EXPRESSION_OVERRIDE_BLOCK && shown > 0.0f ? 1.0f : shown;
}

#endif
