// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The second half of expressions (VRMC_vrm-1.0 expressions, "Expression update algorithm"). Applies isBinary and
// overrides to the merged input weights, and computes morph weights, colours and texture transforms. If a weight has
// changed, everything is computed again from base values, never from the last frame. Otherwise nothing is written.

#include "runtime/stages.h"

#include "math/scalar.h"

#include <string.h>

// Replaces the layers' weights of the look expressions by the weights of the gaze.
static void place_look_weights(vrm_instance *instance)
{
    const int32_t *preset = &instance->model->head.preset_expression[VRM_EXPRESSION_PRESET_LOOK_UP];
    for (int i = 0; i < VRMI_LOOK_COUNT; ++i) {
        if (preset[i] >= 0) {
            instance->expressions[preset[i]].input = vrmi_clamp01(instance->look_weights[i]);
        }
    }
    instance->face.look_was_active = 1;
    instance->face.weights_changed = 1;
}

// Computes the override rates of all groups from weights before any override, as UniVRM and three-vrm do. So if
// `happy` blocks `blink`, `blink` still overrides the mouth, and the order of the groups does not matter.
static void override_rates(const vrm_instance *instance, vrm_profile profile, float *rates)
{
    const vrmi_expression_row *rows = vrmi_model_expression(instance->model);
    for (uint32_t kind = 0; kind < VRM_EXPRESSION_GROUP_COUNT; ++kind) {
        rates[kind] = 0.0f;
    }
    for (uint32_t e = 0; e < instance->model->expression.count; ++e) {
        const float input = instance->expressions[e].input;
        if (input == 0.0f) {
            continue;
        }
        for (uint32_t kind = VRM_EXPRESSION_GROUP_NONE + 1; kind < VRM_EXPRESSION_GROUP_COUNT; ++kind) {
            // In the specification an expression does not override its own group; in three-vrm it does.
            if (instance->expression_groups[e] != kind || profile == VRM_PROFILE_THREE_VRM) {
                rates[kind] += vrmi_expression_overriding(&rows[e], kind, input);
            }
        }
    }
    for (uint32_t kind = 0; kind < VRM_EXPRESSION_GROUP_COUNT; ++kind) {
        rates[kind] = vrmi_clamp01(rates[kind]);
    }
}

// Applies isBinary and the overrides. Returns true if an applied weight has changed.
static bool apply_overrides(vrm_instance *instance, vrm_profile profile)
{
    const vrmi_expression_row *rows = vrmi_model_expression(instance->model);
    float rates[VRM_EXPRESSION_GROUP_COUNT];
    override_rates(instance, profile, rates);
    bool changed = false;
    for (uint32_t e = 0; e < instance->model->expression.count; ++e) {
        vrm_expression_weight *weight = &instance->expressions[e];
        float applied = 0.0f;
        if (weight->input > 0.0f) {
            const float rate = rates[instance->expression_groups[e]]; // 0 for NONE
            applied = vrmi_expression_shown(&rows[e], weight->input);
            if (rate > 0.0f) {
                applied = rows[e].binary_threshold >= 0.0f ? 0.0f : applied * (1.0f - rate);
            }
        }
        changed = changed || applied != weight->applied;
        weight->applied = applied;
    }
    return changed;
}

static void build_morphs(vrm_instance *instance)
{
    const vrmi_model *model = instance->model;
    const vrmi_expression_row *rows = vrmi_model_expression(model);
    const vrmi_morph_bind *binds = vrmi_model_morph_bind(model);
    const float *base = vrmi_model_morph_base(model);
    float *next = instance->face_next_morphs;
    for (uint32_t i = 0; i < model->morph_base.count; ++i) {
        next[i] = base[i] + instance->host_morphs[i];
    }
    for (uint32_t e = 0; e < model->expression.count; ++e) {
        const float applied = instance->expressions[e].applied;
        if (applied == 0.0f) {
            continue;
        }
        const vrmi_morph_bind *bind = &binds[rows[e].first_morph_bind];
        for (uint32_t i = 0; i < rows[e].morph_bind_count; ++i) {
            next[bind[i].morph] += bind[i].weight * applied;
        }
    }
    const vrmi_mesh_row *meshes = vrmi_model_mesh(model);
    for (uint32_t m = 0; m < model->mesh.count; ++m) {
        const uint32_t first = meshes[m].first_morph;
        const size_t size = meshes[m].morph_count * sizeof(float);
        if (memcmp(&instance->morphs[first], &next[first], size) != 0) {
            memcpy(&instance->morphs[first], &next[first], size);
            instance->mesh_changed[m / 32] |= 1u << (m % 32);
        }
    }
}

static void add_color(vrm_vec4 *color, const vrm_vec4 *base, const vrmi_color_bind *bind, float weight)
{
    color->x += (bind->target.x - base->x) * weight;
    color->y += (bind->target.y - base->y) * weight;
    color->z += (bind->target.z - base->z) * weight;
    if (bind->color == VRM_MATERIAL_COLOR_BASE) { // only the base colour has alpha
        color->w += (bind->target.w - base->w) * weight;
    }
}

// Adds a bind: target * w + base * (1 - w), summed over binds. The base differs between textures. uv_base is the factor
// of the base; the sum of the targets is the same for all textures.
static void add_texture_transform(vrm_material_values *values, const vrmi_texture_bind *bind, float weight)
{
    values->uv_base -= weight;
    for (int axis = 0; axis < 2; ++axis) {
        values->uv_scale[axis] += bind->scale[axis] * weight;
        values->uv_offset[axis] += bind->offset[axis] * weight;
    }
}

static void base_values(const vrmi_material_row *row, vrm_material_values *out)
{
    memset(out, 0, sizeof(*out));
    memcpy(out->colors, row->params.colors, sizeof(out->colors));
    out->uv_base = 1.0f;
}

static void build_materials(vrm_instance *instance)
{
    const vrmi_model *model = instance->model;
    if (model->color_bind.count + model->texture_bind.count == 0) {
        return;
    }
    const vrmi_expression_row *rows = vrmi_model_expression(model);
    const vrmi_material_row *materials = vrmi_model_material(model);
    vrm_material_values *next = instance->face_next_materials;
    for (uint32_t m = 0; m < model->material.count; ++m) {
        base_values(&materials[m], &next[m]);
    }
    for (uint32_t e = 0; e < model->expression.count; ++e) {
        const float applied = instance->expressions[e].applied;
        if (applied == 0.0f) {
            continue;
        }
        const vrmi_color_bind *color = &vrmi_model_color_bind(model)[rows[e].first_color_bind];
        for (uint32_t i = 0; i < rows[e].color_bind_count; ++i) {
            add_color(&next[color[i].material].colors[color[i].color],
                &materials[color[i].material].params.colors[color[i].color], &color[i], applied);
        }
        const vrmi_texture_bind *texture = &vrmi_model_texture_bind(model)[rows[e].first_texture_bind];
        for (uint32_t i = 0; i < rows[e].texture_bind_count; ++i) {
            add_texture_transform(&next[texture[i].material], &texture[i], applied);
        }
    }
    for (uint32_t m = 0; m < model->material.count; ++m) {
        // UV animation belongs to the output stage, so it is copied and not compared.
        memcpy(next[m].uv_scroll, instance->materials[m].uv_scroll, sizeof(next[m].uv_scroll));
        next[m].uv_rotation = instance->materials[m].uv_rotation;
        if (memcmp(&instance->materials[m], &next[m], sizeof(next[m])) != 0) {
            instance->materials[m] = next[m];
            instance->material_changed[m / 32] |= 1u << (m % 32);
        }
    }
}

void vrmi_stage_expression(vrm_instance *instance, vrm_profile profile)
{
    vrmi_face *face = &instance->face;
    if (instance->look_active) {
        place_look_weights(instance);
    }
    const bool stale = face->outputs_stale != 0;
    bool changed = false;
    if (face->weights_changed || stale) {
        changed = apply_overrides(instance, profile);
    }
    if (changed || stale) {
        build_morphs(instance);
        build_materials(instance);
    }
    face->weights_changed = 0;
    face->outputs_stale = 0;
}
