// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Setters of the face. They only store input, which the merge applies later.

#include "base/abi.h"
#include "base/float_environment.h"
#include "math/scalar.h"
#include "runtime/core/instance.h"

// Returns the entry of a layer, or NULL if the layer or the expression does not exist.
static vrmi_expression_entry *find_entry(vrm_instance *instance, vrm_expression_layer layer, uint32_t expression)
{
    if (instance == NULL || (uint32_t)layer >= VRM_EXPRESSION_LAYER_COUNT ||
        expression >= instance->model->expression.count) {
        return NULL;
    }
    return &instance->layers[(uint32_t)layer * instance->model->expression.count + expression];
}

// Notes that the merge has to run again.
static void touch(vrm_instance *instance)
{
    instance->face.inputs_changed = 1;
    vrmi_instance_stir(instance);
}

static void set_entry(vrm_instance *instance, uint32_t layer, vrmi_expression_entry *entry, float weight)
{
    instance->face.set_counts[layer] += entry->set ? 0u : 1u;
    *entry = (vrmi_expression_entry){.weight = weight, .set = 1};
    touch(instance);
}

static void clear_entry(vrm_instance *instance, uint32_t layer, vrmi_expression_entry *entry)
{
    instance->face.set_counts[layer] -= entry->set ? 1u : 0u;
    *entry = (vrmi_expression_entry){0};
    touch(instance);
}

vrm_result vrm_instance_set_expression_layer(
    vrm_instance *instance, vrm_expression_layer layer, vrm_expression_mode mode, float weight)
{
    if (instance == NULL || (uint32_t)layer >= VRM_EXPRESSION_LAYER_COUNT || (uint32_t)mode > VRM_EXPRESSION_MODE_ADD) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    if (!vrmi_finite(weight)) {
        return vrmi_instance_refuse_not_finite(instance);
    }
    if (weight < 0.0f || weight > 1.0f) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    if (instance->face.modes[layer] != (uint32_t)mode || instance->face.weights[layer] != weight) {
        instance->face.modes[layer] = (uint32_t)mode;
        instance->face.weights[layer] = weight;
        touch(instance);
    }
    return VRM_SUCCESS;
}

vrm_result vrm_instance_set_expression(
    vrm_instance *instance, vrm_expression_layer layer, uint32_t expression, float weight)
{
    vrmi_expression_entry *entry = find_entry(instance, layer, expression);
    if (entry == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    if (!vrmi_finite(weight)) {
        return vrmi_instance_refuse_not_finite(instance);
    }
    vrmi_instance_clamp(instance, &weight, VRMI_LARGEST_NUMBER); // keeps sums and fades of weights from overflowing
    if (layer == VRM_EXPRESSION_LAYER_EMOTION) {
        instance->fades[expression].active = 0;
    }
    // Hosts may set everything in every frame, so an unchanged value must not cause a new merge.
    if (!entry->set || entry->weight != weight) {
        set_entry(instance, (uint32_t)layer, entry, weight);
    }
    return VRM_SUCCESS;
}

vrm_result vrm_instance_clear_expression(vrm_instance *instance, vrm_expression_layer layer, uint32_t expression)
{
    vrmi_expression_entry *entry = find_entry(instance, layer, expression);
    if (entry == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    if (layer == VRM_EXPRESSION_LAYER_EMOTION) {
        instance->fades[expression].active = 0;
    }
    if (entry->set) {
        clear_entry(instance, (uint32_t)layer, entry);
    }
    return VRM_SUCCESS;
}

vrm_result vrm_instance_clear_expressions(vrm_instance *instance, vrm_expression_layer layer)
{
    if (instance == NULL || (uint32_t)layer >= VRM_EXPRESSION_LAYER_COUNT) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    for (uint32_t e = 0; e < instance->model->expression.count; ++e) {
        vrm_instance_clear_expression(instance, layer, e);
    }
    if (layer == VRM_EXPRESSION_LAYER_EMOTION) {
        instance->face.fading = 0;
    }
    return VRM_SUCCESS;
}

vrm_result vrm_instance_fade_emotion(vrm_instance *instance, int32_t expression, float weight, float seconds)
{
    const uint32_t layer = VRM_EXPRESSION_LAYER_EMOTION;
    if (instance == NULL || expression < -1 || expression >= (int64_t)instance->model->expression.count) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    if (!vrmi_finite(weight) || !vrmi_finite(seconds)) {
        return vrmi_instance_refuse_not_finite(instance);
    }
    if (seconds < 0.0f) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    vrmi_instance_clamp(instance, &weight, VRMI_LARGEST_NUMBER);
    vrmi_instance_clamp(instance, &seconds, VRMI_LARGEST_NUMBER);
    for (uint32_t e = 0; e < instance->model->expression.count; ++e) {
        vrmi_expression_entry *entry = &instance->layers[layer * instance->model->expression.count + e];
        const bool chosen = expression == (int32_t)e;
        if (!chosen && !entry->set) {
            continue;
        }
        instance->fades[e] = (vrmi_fade_entry){.from = vrmi_expression_emotion(instance, e), .active = 1};
        set_entry(instance, layer, entry, chosen ? weight : 0.0f);
    }
    instance->face.fading = seconds > 0.0f ? 1 : 0;
    instance->face.fade_elapsed = 0.0f;
    instance->face.fade_duration = seconds;
    return VRM_SUCCESS;
}

vrm_result vrm_instance_set_expression_group(vrm_instance *instance, uint32_t expression, vrm_expression_group group)
{
    if (instance == NULL || expression >= instance->model->expression.count ||
        (uint32_t)group >= VRM_EXPRESSION_GROUP_COUNT ||
        vrmi_model_expression(instance->model)[expression].preset != VRM_EXPRESSION_CUSTOM) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    if (instance->expression_groups[expression] != (uint32_t)group) {
        instance->expression_groups[expression] = (uint32_t)group;
        touch(instance);
    }
    return VRM_SUCCESS;
}

vrm_result vrm_instance_set_morph(vrm_instance *instance, uint32_t morph, float weight)
{
    if (instance == NULL || morph >= instance->model->morph_base.count) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    if (!vrmi_finite(weight)) {
        return vrmi_instance_refuse_not_finite(instance);
    }
    vrmi_instance_clamp(instance, &weight, VRMI_LARGEST_NUMBER);
    if (instance->host_morphs[morph] != weight) {
        instance->host_morphs[morph] = weight;
        instance->face.outputs_stale = 1;
        vrmi_instance_stir(instance);
    }
    return VRM_SUCCESS;
}

// --- blink ---------------------------------------------------------------------------------------------------------

static bool in_range(float x, float low, float high)
{
    return x >= low && x <= high;
}

vrm_result vrm_instance_set_blink(vrm_instance *instance, const vrm_blink_params *params)
{
    vrm_blink_params own;
    vrm_blink_params_default(&own);
    if (instance == NULL || params == NULL || !VRMI_READ_OPTIONS(vrm_blink_params, &own, params)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    params = &own;
    const float numbers[] = {params->interval_min, params->interval_max, params->close_time, params->hold_time,
        params->open_time, params->double_chance};
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); ++i) {
        if (!vrmi_finite(numbers[i])) {
            return vrmi_instance_refuse_not_finite(instance);
        }
    }
    if (!in_range(params->interval_min, 0.1f, 3600.0f) ||
        !in_range(params->interval_max, params->interval_min, 3600.0f) || !in_range(params->close_time, 0.0f, 4.0f) ||
        !in_range(params->hold_time, 0.0f, 4.0f) || !in_range(params->open_time, 0.0f, 4.0f) ||
        !in_range(params->double_chance, 0.0f, 1.0f)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const vrmi_float_environment host = vrmi_float_enter();
    if (vrmi_blink_set(&instance->face.blink, params)) {
        touch(instance);
    }
    vrmi_float_leave(host);
    return VRM_SUCCESS;
}

void vrm_instance_blink(vrm_instance *instance)
{
    if (instance != NULL) {
        const vrmi_float_environment host = vrmi_float_enter();
        vrmi_blink_now(&instance->face.blink);
        vrmi_instance_stir(instance);
        vrmi_float_leave(host);
    }
}

// --- lip-sync ------------------------------------------------------------------------------------------------------

vrm_result vrm_instance_set_lip_sync(vrm_instance *instance, const vrm_lip_sync_params *params)
{
    vrm_lip_sync_params own;
    vrm_lip_sync_params_default(&own);
    if (instance == NULL || params == NULL || !VRMI_READ_OPTIONS(vrm_lip_sync_params, &own, params)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    params = &own;
    if (!vrmi_finite(params->attack) || !vrmi_finite(params->release) || !vrmi_finite(params->gain)) {
        return vrmi_instance_refuse_not_finite(instance);
    }
    if (params->attack < 0.0f || params->release < 0.0f || params->gain < 0.0f) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    vrmi_instance_clamp(instance, &own.attack, VRMI_LARGEST_NUMBER);
    vrmi_instance_clamp(instance, &own.release, VRMI_LARGEST_NUMBER);
    vrmi_instance_clamp(instance, &own.gain, VRMI_LARGEST_NUMBER);
    const vrmi_float_environment host = vrmi_float_enter();
    vrmi_instance_put(instance, &instance->face.lip_sync.params, params, sizeof(*params));
    vrmi_lip_sync_aim(&instance->face.lip_sync);
    vrmi_float_leave(host);
    return VRM_SUCCESS;
}

static bool all_finite(const float *weights, int count)
{
    for (int i = 0; i < count; ++i) {
        if (!vrmi_finite(weights[i])) {
            return false;
        }
    }
    return true;
}

// Stores new lip-sync input. It replaces the earlier input, whether that was visemes, vowels or loudness.
static void hear(vrm_instance *instance, const float *vowels)
{
    vrmi_lip_sync *lip = &instance->face.lip_sync;
    for (int v = 0; v < VRMI_VOWEL_COUNT; ++v) {
        const float heard = vrmi_clamp01(vowels[v]);
        vrmi_instance_put(instance, &lip->heard[v], &heard, sizeof(heard));
    }
    if (lip->closing) {
        vrmi_instance_stir(instance);
    }
    if (!lip->active) {
        lip->active = 1;
        touch(instance); // lip-sync has become active, even if the mouth is still closed
    }
    lip->closing = 0;
    vrmi_lip_sync_aim(lip);
}

vrm_result vrm_instance_set_visemes(vrm_instance *instance, const float *weights, uint32_t count)
{
    if (instance == NULL || weights == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    float visemes[VRM_VISEME_COUNT] = {0};
    memcpy(visemes, weights, (count < VRM_VISEME_COUNT ? count : VRM_VISEME_COUNT) * sizeof(float));
    if (!all_finite(visemes, VRM_VISEME_COUNT)) {
        return vrmi_instance_refuse_not_finite(instance);
    }
    float vowels[VRMI_VOWEL_COUNT];
    const vrmi_float_environment host = vrmi_float_enter();
    vrmi_lip_sync_visemes(visemes, vowels);
    hear(instance, vowels);
    vrmi_float_leave(host);
    return VRM_SUCCESS;
}

vrm_result vrm_instance_set_vowels(vrm_instance *instance, const float weights[5])
{
    if (instance == NULL || weights == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    if (!all_finite(weights, VRMI_VOWEL_COUNT)) {
        return vrmi_instance_refuse_not_finite(instance);
    }
    const vrmi_float_environment host = vrmi_float_enter();
    hear(instance, weights);
    vrmi_float_leave(host);
    return VRM_SUCCESS;
}

vrm_result vrm_instance_set_loudness(vrm_instance *instance, float loudness)
{
    const float vowels[VRMI_VOWEL_COUNT] = {loudness, 0.0f, 0.0f, 0.0f, 0.0f};
    return vrm_instance_set_vowels(instance, vowels);
}

void vrm_instance_clear_lip_sync(vrm_instance *instance)
{
    if (instance != NULL && instance->face.lip_sync.active) {
        instance->face.lip_sync.closing = 1;
        vrmi_instance_stir(instance);
        vrmi_lip_sync_aim(&instance->face.lip_sync);
    }
}
