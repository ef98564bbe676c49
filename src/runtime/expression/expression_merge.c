// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Combines the layers into one input weight per expression. Runs before look-at, and costs nothing while nothing
// changes.

#include "math/scalar.h"
#include "runtime/core/instance.h"

// A longer frame is assumed to be a pause of the program, which limits the number of blinks in it.
static const float longest_frame = 60.0f;

// Blink and lip-sync as one value per preset, in addition to the host's weights in the PROCEDURAL layer.
typedef struct procedural {
    float values[VRM_EXPRESSION_PRESET_COUNT];
    uint32_t says; // bit mask of presets with a value
} procedural;

static void say(procedural *out, const vrmi_model *model, uint32_t preset, float value)
{
    if (model->head.preset_expression[preset] >= 0) {
        out->values[preset] = value;
        out->says |= 1u << preset;
    }
}

static void gather_procedural(const vrm_instance *instance, procedural *out)
{
    const vrmi_face *face = &instance->face;
    const vrmi_model *model = instance->model;
    out->says = 0;
    if (face->blink.pending) {
        if (model->head.preset_expression[VRM_EXPRESSION_PRESET_BLINK] >= 0) {
            say(out, model, VRM_EXPRESSION_PRESET_BLINK, face->blink.value);
        } else {
            say(out, model, VRM_EXPRESSION_PRESET_BLINK_LEFT, face->blink.value);
            say(out, model, VRM_EXPRESSION_PRESET_BLINK_RIGHT, face->blink.value);
        }
    }
    if (face->lip_sync.active) {
        for (uint32_t v = 0; v < VRMI_VOWEL_COUNT; ++v) {
            say(out, model, VRM_EXPRESSION_PRESET_AA + v, face->lip_sync.value[v]);
        }
    }
}

static float meet(uint32_t mode, float layer_weight, float before, float value)
{
    const float scaled = value * layer_weight;
    switch (mode) {
    case VRM_EXPRESSION_MODE_MAX:
        return vrmi_max(before, scaled);
    case VRM_EXPRESSION_MODE_ADD:
        return before + scaled;
    default:
        // At full weight this is exactly the value; a lerp in floats would be inexact.
        return layer_weight >= 1.0f ? value : vrmi_lerp(before, value, layer_weight);
    }
}

// Computes a layer's own weight for an expression. Returns false if the layer has none.
static bool layer_says(
    const vrm_instance *instance, const procedural *automatic, uint32_t layer, uint32_t expression, float *out)
{
    const uint32_t count = instance->model->expression.count;
    const vrmi_expression_entry *entry = &instance->layers[layer * count + expression];
    const vrmi_expression_entry *clips = instance->clip_expressions;
    if (layer == VRM_EXPRESSION_LAYER_CLIP && clips != NULL && clips[expression].set) {
        *out = clips[expression].weight; // the weight of a clip replaces the host's weight
        return true;
    }
    if (layer == VRM_EXPRESSION_LAYER_EMOTION) {
        *out = vrmi_expression_emotion(instance, expression);
        return entry->set != 0;
    }
    const uint32_t preset = vrmi_model_expression(instance->model)[expression].preset;
    const bool by_itself = layer == VRM_EXPRESSION_LAYER_PROCEDURAL && preset < VRM_EXPRESSION_PRESET_COUNT &&
                           (automatic->says >> preset & 1u) != 0;
    if (by_itself && entry->set) {
        *out = vrmi_max(entry->weight, automatic->values[preset]);
    } else {
        *out = by_itself ? automatic->values[preset] : entry->weight;
    }
    return by_itself || entry->set;
}

static void merge_layers(vrm_instance *instance, const procedural *automatic)
{
    const vrmi_face *face = &instance->face;
    const uint32_t count = instance->model->expression.count;
    vrm_expression_weight *merged = instance->expressions;
    for (uint32_t e = 0; e < count; ++e) {
        merged[e].input = 0.0f;
    }
    for (uint32_t layer = 0; layer < VRM_EXPRESSION_LAYER_COUNT; ++layer) {
        const bool by_itself = (layer == VRM_EXPRESSION_LAYER_PROCEDURAL && automatic->says != 0) ||
                               (layer == VRM_EXPRESSION_LAYER_CLIP && instance->clip_expressions != NULL);
        if ((face->set_counts[layer] == 0 && !by_itself) || face->weights[layer] == 0.0f) {
            continue;
        }
        const vrmi_expression_entry *entries = &instance->layers[layer * count];
        for (uint32_t e = 0; e < count; ++e) {
            float value;
            if ((by_itself || entries[e].set) && layer_says(instance, automatic, layer, e, &value)) {
                merged[e].input = meet(face->modes[layer], face->weights[layer], merged[e].input, value);
            }
        }
    }
    for (uint32_t e = 0; e < count; ++e) {
        merged[e].input = vrmi_clamp01(merged[e].input);
    }
}

// Returns an expression's contribution to closing the eyes: a binary blink closes them fully or not at all.
static float counted(const vrm_instance *instance, uint32_t preset, int32_t expression, float input)
{
    const vrmi_expression_row *row = &vrmi_model_expression(instance->model)[expression];
    return preset == VRM_EXPRESSION_PRESET_BLINK ? vrmi_expression_shown(row, input) : input;
}

// Returns the largest sum of these presets in a single layer, at least 1. Several layers together may not exceed it.
static float joint_limit(const vrm_instance *instance, const procedural *automatic, const uint32_t *presets, int count)
{
    float limit = 1.0f;
    for (uint32_t layer = 0; layer < VRM_EXPRESSION_LAYER_COUNT; ++layer) {
        float total = 0.0f;
        for (int i = 0; i < count; ++i) {
            const int32_t e = instance->model->head.preset_expression[presets[i]];
            float value;
            if (e >= 0 && layer_says(instance, automatic, layer, (uint32_t)e, &value)) {
                total += counted(instance, presets[i], e, vrmi_clamp01(value * instance->face.weights[layer]));
            }
        }
        limit = vrmi_max(limit, total);
    }
    return limit;
}

// Keeps eyes from closing twice: blink and blinkLeft (or blinkRight) together close an eye once, unless a single layer
// asks for more. (three-vrm sums them; libvrm then does the same.) blink is not reduced, because both eyes share it.
static void limit_eyes(vrm_instance *instance, const procedural *automatic)
{
    const int32_t *preset = instance->model->head.preset_expression;
    const int32_t blink = preset[VRM_EXPRESSION_PRESET_BLINK];
    if (blink < 0 || instance->expressions[blink].input == 0.0f) {
        return;
    }
    const float both = counted(instance, VRM_EXPRESSION_PRESET_BLINK, blink, instance->expressions[blink].input);
    for (uint32_t side = VRM_EXPRESSION_PRESET_BLINK_LEFT; side <= VRM_EXPRESSION_PRESET_BLINK_RIGHT; ++side) {
        if (preset[side] < 0) {
            continue;
        }
        float *input = &instance->expressions[preset[side]].input;
        if (both + *input > 1.0f) {
            const uint32_t eye[2] = {VRM_EXPRESSION_PRESET_BLINK, side};
            const float limit = joint_limit(instance, automatic, eye, 2);
            *input = both + *input > limit ? vrmi_clamp01(limit - both) : *input;
        }
    }
}

// Keeps the mouth from opening twice: the sum of all vowels is scaled down to 1, or to the largest sum of a single
// layer.
static void limit_mouth(vrm_instance *instance, const procedural *automatic)
{
    const int32_t *preset = instance->model->head.preset_expression;
    uint32_t vowels[VRMI_VOWEL_COUNT];
    float total = 0.0f;
    for (uint32_t v = 0; v < VRMI_VOWEL_COUNT; ++v) {
        vowels[v] = VRM_EXPRESSION_PRESET_AA + v;
        total += preset[vowels[v]] >= 0 ? instance->expressions[preset[vowels[v]]].input : 0.0f;
    }
    if (total <= 1.0f) {
        return;
    }
    const float limit = joint_limit(instance, automatic, vowels, VRMI_VOWEL_COUNT);
    if (total <= limit) {
        return;
    }
    for (uint32_t v = 0; v < VRMI_VOWEL_COUNT; ++v) {
        if (preset[vowels[v]] >= 0) {
            instance->expressions[preset[vowels[v]]].input *= limit / total;
        }
    }
}

// Returns the fraction by which expressions override the gaze. Look-at expressions do not override it (the
// specification ignores overrides of an expression's own group), so the result does not depend on the gaze.
static float look_at_override(const vrm_instance *instance)
{
    const vrmi_expression_row *rows = vrmi_model_expression(instance->model);
    float rate = 0.0f;
    for (uint32_t e = 0; e < instance->model->expression.count; ++e) {
        const float input = instance->expressions[e].input;
        if (input > 0.0f && instance->expression_groups[e] != VRM_EXPRESSION_GROUP_LOOK_AT) {
            rate += vrmi_expression_overriding(&rows[e], VRM_EXPRESSION_GROUP_LOOK_AT, input);
        }
    }
    return vrmi_clamp01(rate);
}

float vrmi_expression_emotion(const vrm_instance *instance, uint32_t expression)
{
    const vrmi_face *face = &instance->face;
    const vrmi_fade_entry *fade = &instance->fades[expression];
    const uint32_t count = instance->model->expression.count;
    const float to = instance->layers[VRM_EXPRESSION_LAYER_EMOTION * count + expression].weight;
    return face->fading && fade->active ? vrmi_lerp(fade->from, to, face->fade_elapsed / face->fade_duration) : to;
}

bool vrmi_expression_is_still(const vrm_instance *instance)
{
    const vrmi_face *face = &instance->face;
    const vrmi_lip_sync *lip = &face->lip_sync;
    bool still = !face->fading && !(face->blink.pending && face->blink.time >= 0) && !(lip->active && lip->closing);
    for (int v = 0; v < VRMI_VOWEL_COUNT; ++v) {
        still = still && (!lip->active || lip->current[v] == lip->target[v]);
    }
    return still;
}

void vrmi_expression_merge(vrm_instance *instance, float dt)
{
    vrmi_face *face = &instance->face;
    const float step = dt > 0.0f ? vrmi_min(dt, longest_frame) : 0.0f;
    bool changed = face->inputs_changed || face->look_was_active;
    if (face->fading) {
        face->fade_elapsed += step;
        face->fading = face->fade_elapsed < face->fade_duration ? 1 : 0;
        changed = true;
    }
    if (face->blink.pending) {
        const bool moved = vrmi_blink_advance(&face->blink, step);
        changed = changed || moved || !face->blink.pending;
    }
    if (face->lip_sync.active) {
        const bool moved = vrmi_lip_sync_advance(&face->lip_sync, step);
        changed = changed || moved;
    }
    if (!changed) {
        return;
    }
    procedural automatic;
    gather_procedural(instance, &automatic);
    merge_layers(instance, &automatic);
    limit_eyes(instance, &automatic);
    limit_mouth(instance, &automatic);
    face->look_at_rate = look_at_override(instance);
    face->inputs_changed = 0;
    face->look_was_active = 0;
    face->weights_changed = 1;
}
