// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_EXPRESSION_H
#define VRMI_RUNTIME_EXPRESSION_H

// The state of the face between updates: weights in layers, the fade of emotions, automatic blink, lip-sync. The merge
// (expression_merge.c) combines them into one input weight per expression; the expression stage turns these into morphs
// and material values. Both do nothing while nothing changes, since most avatars of a crowd keep a still face.

#include <vrm/output.h>

#include "math/blink.h"
#include "math/cursor.h"
#include "math/lip_sync.h"
#include "model/model.h"

// A layer's weight for an expression, as set by the host; updates do not write it.
typedef struct vrmi_expression_entry {
    float weight;
    uint32_t set; // this layer has a weight for the expression
} vrmi_expression_entry;

// The start of a fading emotion; the fade ends at the weight of its entry.
typedef struct vrmi_fade_entry {
    float from;
    uint32_t active;
} vrmi_fade_entry;

// X(array, type, count), as VRMI_INSTANCE_ARRAYS. The stage builds new values in `face_next_*` to compare them.
#define VRMI_EXPRESSION_ARRAYS(X) \
    X(expressions, vrm_expression_weight, m->expression.count) /* 8: output; `input` is what the merge gave */ \
    X(morphs, float, m->morph_base.count)                      /* 4: output */ \
    X(materials, vrm_material_values, m->material.count)       /* 132: output; UV animation is the output stage's */ \
    X(face_next_morphs, float, m->morph_base.count) \
    X(face_next_materials, vrm_material_values, \
        m->color_bind.count + m->texture_bind.count != 0 ? m->material.count : 0) \
    X(layers, vrmi_expression_entry, m->expression.count *VRM_EXPRESSION_LAYER_COUNT) /* layer after layer */ \
    X(fades, vrmi_fade_entry, m->expression.count) \
    X(expression_groups, uint32_t, m->expression.count) /* presets: the model's; customs: as set */ \
    X(host_morphs, float, m->morph_base.count)

typedef struct vrmi_face {
    uint32_t modes[VRM_EXPRESSION_LAYER_COUNT]; // vrm_expression_mode
    float weights[VRM_EXPRESSION_LAYER_COUNT];
    uint32_t set_counts[VRM_EXPRESSION_LAYER_COUNT]; // entries that are set
    uint32_t fading;
    float fade_elapsed, fade_duration; // seconds
    vrmi_blink blink;
    vrmi_lip_sync lip_sync;
    // How much overrides reduce the gaze, 0 to 1, by the last merge: bone gaze is multiplied by 1 minus this. The
    // weights in vrm_instance.look_weights are not multiplied yet: the expression stage does so.
    float look_at_rate;
    uint32_t inputs_changed;  // the merge has to run again
    uint32_t look_was_active; // look weights were in `expressions[].input`
    uint32_t weights_changed; // the stage has to run again
    uint32_t outputs_stale;   // build morphs and materials even if no weight has changed
} vrmi_face;

// Resets the face: no inputs, default layers and parameters, outputs at their base values. `instance` has its arrays.
void vrmi_expression_init(vrm_instance *instance);

// Runs before look-at: advances fades, blink and lip-sync by dt (below 0 or NaN: 0), and combines the layers into one
// input weight per expression (`expressions[].input`). Runs whenever the expression stage will.
void vrmi_expression_merge(vrm_instance *instance, float dt);
// The current weight of an expression in the EMOTION layer, also during a fade.
float vrmi_expression_emotion(const vrm_instance *instance, uint32_t expression);

// Whether nothing will move until something is set, except for a planned blink.
bool vrmi_expression_is_still(const vrm_instance *instance);

// Saves or loads inputs and state, nothing derived; outputs are stale after LOAD (math/cursor.h).
void vrmi_expression_snapshot(vrm_instance *instance, vrmi_cursor *cursor);

// Applies isBinary with its threshold (below 0: not binary).
static inline float vrmi_expression_shown(const vrmi_expression_row *row, float input)
{
    if (row->binary_threshold < 0.0f) {
        return input;
    }
    return input > row->binary_threshold ? 1.0f : 0.0f;
}

// By how much this expression overrides a kind (before the sum is clamped). It uses the binary output, as the
// specification demands: an expression that is not visible overrides nothing.
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
