// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_EXPRESSION_H
#define VRMI_RUNTIME_EXPRESSION_H

// What the face keeps between updates: weights in layers, the fade of emotions, automatic blink, lip-sync. The merge
// (expression_merge.c) turns them into one input weight per expression, the expression stage turns those into morphs and
// material values. Both do nothing while nothing changes: most avatars of a crowd hold a still face.

#include <vrm/output.h>

#include "math/blink.h"
#include "math/cursor.h"
#include "math/lip_sync.h"
#include "model/model.h"

// What one layer says about one expression, as the host has set it: an update writes none of them.
typedef struct vrmi_expression_entry {
    float weight;
    uint32_t set; // this layer says something about the expression
} vrmi_expression_entry;

// Where a fading emotion comes from; it goes to the weight of its entry.
typedef struct vrmi_fade_entry {
    float from;
    uint32_t active;
} vrmi_fade_entry;

// X(array, type, count), as VRMI_INSTANCE_ARRAYS. `face_next_*` are where the stage builds new values to compare.
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
    // How much of the gaze overrides take away, 0 to 1, by the last merge: bone gaze is multiplied by 1 minus this, weights in
    // vrm_instance.look_weights are not (the expression stage does that).
    float look_at_rate;
    uint32_t inputs_changed;  // merge again
    uint32_t look_was_active; // look weights stood in `expressions[].input`
    uint32_t weights_changed; // run the stage again
    uint32_t outputs_stale;   // build morphs and materials even if no weight changed
} vrmi_face;

// A fresh face: no inputs, default layers and parameters, outputs at their base values. `instance` has its arrays.
void vrmi_expression_init(vrm_instance *instance);

// Before look-at: fades, blink and lip-sync move on by dt (below 0 or NaN: 0), and the layers become one input weight
// per expression (`expressions[].input`). Runs whenever the expression stage will.
void vrmi_expression_merge(vrm_instance *instance, float dt);
// The weight of an expression in the EMOTION layer now: on its way while it fades.
float vrmi_expression_emotion(const vrm_instance *instance, uint32_t expression);

// Does nothing move while nobody sets anything, but for a blink that waits?
bool vrmi_expression_is_still(const vrm_instance *instance);

// Inputs and state, nothing derived; outputs are stale after LOAD (math/cursor.h).
void vrmi_expression_snapshot(vrm_instance *instance, vrmi_cursor *cursor);

// isBinary with its threshold (below 0: not binary).
static inline float vrmi_expression_shown(const vrmi_expression_row *row, float input)
{
    if (row->binary_threshold < 0.0f) {
        return input;
    }
    return input > row->binary_threshold ? 1.0f : 0.0f;
}

// How much of a kind this expression takes away (before clamping the sum); by its binary output, as the
// specification demands: what is not seen overrides nothing.
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
