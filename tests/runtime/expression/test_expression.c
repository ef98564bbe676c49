// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The face without the specification's algorithm (test_expression_text.c tests that): layers, limits, fades, groups,
// gaze, setters, snapshots.

#include "model_fixture.h"
#include "runtime/core/instance.h"
#include "shared_path.h"
#include "test.h"
#include "test_random.h"

#include <vrm/vrm.h>

#include <math.h>
#include <stdio.h>

static fixture f;

static void update(vrm_instance *instance, float dt)
{
    vrm_update_params params;
    vrm_update_params_default(&params);
    params.dt = dt;
    params.stages = VRM_STAGE_LOOK_AT | VRM_STAGE_EXPRESSION;
    vrm_update(instance, &params);
}

static vrm_expression_weight weight_of(const vrm_instance *instance, int32_t expression)
{
    vrm_outputs outputs = {.struct_size = sizeof outputs};
    vrm_instance_get_outputs(instance, &outputs);
    return outputs.expressions[expression];
}

static void end(vrm_instance *instance, vrm_avatar *avatar)
{
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
    CHECK_INT(f.memory.live, 0);
}

// --- a small face --------------------------------------------------------------------------------------------------

// All presets in enum order, then two custom expressions. Preset p moves morph p with weight 1.
enum { CUSTOM_A = VRM_EXPRESSION_PRESET_COUNT, CUSTOM_B, FACE_EXPRESSIONS };

static void begin_face(void)
{
    fixture_begin(&f);
    fixture_humanoid(&f);
    fixture_mesh(&f, f.bones[VRM_HUMAN_BONE_HEAD], FACE_EXPRESSIONS, NULL, 0, 0.1f);
    fixture_mesh(&f, f.bones[VRM_HUMAN_BONE_NECK], 1, NULL, 0, 0.1f);
    for (uint32_t e = 0; e < FACE_EXPRESSIONS; ++e) {
        const bool custom = e >= CUSTOM_A;
        fixture_expression(&f, custom ? VRM_EXPRESSION_CUSTOM : (vrm_expression_preset)e, e == CUSTOM_A ? "a" : "b");
        fixture_bind_morph(&f, e, 1.0f);
    }
}

static void overrides(uint32_t expression, vrm_expression_group kind, vrm_expression_override how)
{
    FIXTURE_ROW(&f, expression, vrmi_expression_row, expression)->overrides[kind] = how;
}

static void set(vrm_instance *instance, vrm_expression_layer layer, uint32_t expression, float weight)
{
    CHECK_INT(vrm_instance_set_expression(instance, layer, expression, weight), VRM_SUCCESS);
}

static void layers_merge_in_their_order(void)
{
    begin_face();
    vrm_avatar *avatar = fixture_finish(&f);
    vrm_instance *instance = fixture_instance(avatar);
    set(instance, VRM_EXPRESSION_LAYER_CLIP, 0, 0.5f);
    update(instance, 0.0f);
    CHECK_NEAR(weight_of(instance, 0).input, 0.5, 0);
    // The emotion layer takes the maximum by default.
    set(instance, VRM_EXPRESSION_LAYER_EMOTION, 0, 0.25f);
    update(instance, 0.0f);
    CHECK_NEAR(weight_of(instance, 0).input, 0.5, 0);
    set(instance, VRM_EXPRESSION_LAYER_EMOTION, 0, 0.75f);
    update(instance, 0.0f);
    CHECK_NEAR(weight_of(instance, 0).input, 0.75, 0);
    // The tracker layer replaces by default, here by a quarter: 0.75 + (0.15 - 0.75) / 4.
    set(instance, VRM_EXPRESSION_LAYER_TRACKER, 0, 0.15f);
    CHECK_INT(
        vrm_instance_set_expression_layer(instance, VRM_EXPRESSION_LAYER_TRACKER, VRM_EXPRESSION_MODE_REPLACE, 0.25f),
        VRM_SUCCESS);
    update(instance, 0.0f);
    CHECK_NEAR(weight_of(instance, 0).input, 0.6, 1e-6);
    // The host layer adds half of -0.2. Only the sum is clamped, so the part above 1 still counts.
    CHECK_INT(vrm_instance_set_expression_layer(instance, VRM_EXPRESSION_LAYER_HOST, VRM_EXPRESSION_MODE_ADD, 0.5f),
        VRM_SUCCESS);
    set(instance, VRM_EXPRESSION_LAYER_HOST, 0, -0.2f);
    update(instance, 0.0f);
    CHECK_NEAR(weight_of(instance, 0).input, 0.5, 1e-6);
    set(instance, VRM_EXPRESSION_LAYER_HOST, 0, 100.0f);
    update(instance, 0.0f);
    CHECK_NEAR(weight_of(instance, 0).input, 1.0, 0);
    CHECK_INT(vrm_instance_clear_expression(instance, VRM_EXPRESSION_LAYER_HOST, 0), VRM_SUCCESS);
    CHECK_INT(vrm_instance_clear_expressions(instance, VRM_EXPRESSION_LAYER_TRACKER), VRM_SUCCESS);
    update(instance, 0.0f);
    CHECK_NEAR(weight_of(instance, 0).input, 0.75, 0);
    // A layer of weight 0 has no effect. Other expressions are never affected.
    vrm_instance_set_expression_layer(instance, VRM_EXPRESSION_LAYER_EMOTION, VRM_EXPRESSION_MODE_MAX, 0.0f);
    update(instance, 0.0f);
    CHECK_NEAR(weight_of(instance, 0).input, 0.5, 0);
    CHECK_NEAR(weight_of(instance, 1).input, 0.0, 0);
    end(instance, avatar);
}

// Three sources close the left eye, but it closes only once. A single source is not limited.
static void eyes_never_close_twice(void)
{
    const uint32_t blink = VRM_EXPRESSION_PRESET_BLINK, left = VRM_EXPRESSION_PRESET_BLINK_LEFT,
                   right = VRM_EXPRESSION_PRESET_BLINK_RIGHT;
    begin_face();
    vrm_avatar *avatar = fixture_finish(&f);
    vrm_instance *instance = fixture_instance(avatar);
    test_random r = test_random_make(7);
    for (int round = 0; round < 500; ++round) {
        const float clip = test_random_float(&r, 0, 1), tracker = test_random_float(&r, 0, 1),
                    host = test_random_float(&r, 0, 1);
        set(instance, VRM_EXPRESSION_LAYER_CLIP, blink, clip);
        set(instance, VRM_EXPRESSION_LAYER_TRACKER, left, tracker);
        set(instance, VRM_EXPRESSION_LAYER_HOST, right, host);
        update(instance, 0.0f);
        const vrm_expression_weight b = weight_of(instance, (int32_t)blink), l = weight_of(instance, (int32_t)left),
                                    n = weight_of(instance, (int32_t)right);
        CHECK_NEAR(b.applied, clip, 0);
        CHECK_NEAR(l.applied, clip + tracker > 1.0f ? 1.0f - clip : tracker, 1e-6);
        CHECK_NEAR(n.applied, clip + host > 1.0f ? 1.0f - clip : host, 1e-6);
        CHECK(b.applied + l.applied <= 1.0f && b.applied + n.applied <= 1.0f);
    }
    vrm_instance_clear_expressions(instance, VRM_EXPRESSION_LAYER_CLIP);
    vrm_instance_clear_expressions(instance, VRM_EXPRESSION_LAYER_TRACKER);
    vrm_instance_clear_expressions(instance, VRM_EXPRESSION_LAYER_HOST);
    set(instance, VRM_EXPRESSION_LAYER_TRACKER, blink, 0.8f);
    set(instance, VRM_EXPRESSION_LAYER_TRACKER, left, 0.7f);
    update(instance, 0.0f);
    CHECK_NEAR(weight_of(instance, (int32_t)left).applied, 0.7f, 0);
    // Another source that adds a little does not replace the tracker's value, so nothing jumps.
    vrm_instance_set_expression_layer(instance, VRM_EXPRESSION_LAYER_HOST, VRM_EXPRESSION_MODE_ADD, 1.0f);
    set(instance, VRM_EXPRESSION_LAYER_HOST, blink, 0.001f);
    update(instance, 0.0f);
    CHECK_NEAR(weight_of(instance, (int32_t)left).applied, 0.7f, 0.0011);
    end(instance, avatar);
}

static void mouth_never_opens_twice(void)
{
    begin_face();
    vrm_avatar *avatar = fixture_finish(&f);
    vrm_instance *instance = fixture_instance(avatar);
    set(instance, VRM_EXPRESSION_LAYER_CLIP, VRM_EXPRESSION_PRESET_AA, 1.0f);
    set(instance, VRM_EXPRESSION_LAYER_CLIP, VRM_EXPRESSION_PRESET_HAPPY, 1.0f);
    set(instance, VRM_EXPRESSION_LAYER_TRACKER, VRM_EXPRESSION_PRESET_OH, 0.6f);
    update(instance, 0.0f);
    CHECK_NEAR(weight_of(instance, VRM_EXPRESSION_PRESET_AA).input, 1.0 / 1.6, 1e-6);
    CHECK_NEAR(weight_of(instance, VRM_EXPRESSION_PRESET_OH).input, 0.6 / 1.6, 1e-6);
    CHECK_NEAR(weight_of(instance, VRM_EXPRESSION_PRESET_HAPPY).input, 1.0, 0);
    set(instance, VRM_EXPRESSION_LAYER_TRACKER, VRM_EXPRESSION_PRESET_AA, 1.0f);
    vrm_instance_clear_expressions(instance, VRM_EXPRESSION_LAYER_CLIP);
    update(instance, 0.0f); // a single source is not limited
    CHECK_NEAR(weight_of(instance, VRM_EXPRESSION_PRESET_AA).input, 1.0, 0);
    CHECK_NEAR(weight_of(instance, VRM_EXPRESSION_PRESET_OH).input, 0.6f, 0);
    end(instance, avatar);
}

// Fades are linear in time at any frame rate. Other emotions fade to 0 from their current weights.
static void emotions_fade(void)
{
    begin_face();
    vrm_avatar *avatar = fixture_finish(&f);
    static const int rates[] = {24, 60, 144};
    for (int k = 0; k < 3; ++k) {
        vrm_instance *instance = fixture_instance(avatar);
        const float dt = 1.0f / (float)rates[k];
        set(instance, VRM_EXPRESSION_LAYER_EMOTION, VRM_EXPRESSION_PRESET_SAD, 0.4f);
        CHECK_INT(vrm_instance_fade_emotion(instance, VRM_EXPRESSION_PRESET_HAPPY, 0.8f, 2.0f), VRM_SUCCESS);
        for (int frame = 1; frame <= rates[k]; ++frame) {
            update(instance, dt);
            const double t = (double)frame / rates[k];
            CHECK_NEAR(weight_of(instance, VRM_EXPRESSION_PRESET_HAPPY).input, 0.8 * t / 2.0, 1e-5);
            CHECK_NEAR(weight_of(instance, VRM_EXPRESSION_PRESET_SAD).input, 0.4 * (1.0 - t / 2.0), 1e-5);
        }
        // During the fade to angry, happy fades from 0.4 and sad from 0.2.
        CHECK_INT(vrm_instance_fade_emotion(instance, VRM_EXPRESSION_PRESET_ANGRY, 1.0f, 1.0f), VRM_SUCCESS);
        for (int frame = 1; frame <= rates[k] / 2; ++frame) {
            update(instance, dt);
        }
        CHECK_NEAR(weight_of(instance, VRM_EXPRESSION_PRESET_ANGRY).input, 0.5, 1e-5);
        CHECK_NEAR(weight_of(instance, VRM_EXPRESSION_PRESET_HAPPY).input, 0.2, 1e-5);
        CHECK_NEAR(weight_of(instance, VRM_EXPRESSION_PRESET_SAD).input, 0.1, 1e-5);
        for (int frame = 0; frame <= rates[k]; ++frame) {
            update(instance, dt);
        }
        CHECK_NEAR(weight_of(instance, VRM_EXPRESSION_PRESET_ANGRY).input, 1.0, 0);
        CHECK_NEAR(weight_of(instance, VRM_EXPRESSION_PRESET_HAPPY).input, 0.0, 0);
        // Clears all emotions at once. Then a value set by hand ends the fade of its emotion.
        CHECK_INT(vrm_instance_fade_emotion(instance, -1, 0.0f, 0.0f), VRM_SUCCESS);
        update(instance, 0.0f);
        CHECK_NEAR(weight_of(instance, VRM_EXPRESSION_PRESET_ANGRY).input, 0.0, 0);
        vrm_instance_fade_emotion(instance, VRM_EXPRESSION_PRESET_RELAXED, 1.0f, 1.0f);
        set(instance, VRM_EXPRESSION_LAYER_EMOTION, VRM_EXPRESSION_PRESET_RELAXED, 0.3f);
        update(instance, 0.5f);
        CHECK_NEAR(weight_of(instance, VRM_EXPRESSION_PRESET_RELAXED).input, 0.3f, 0);
        vrm_instance_destroy(instance);
    }
    vrm_avatar_release(avatar);
}

static void customs_join_a_group(void)
{
    begin_face();
    overrides(VRM_EXPRESSION_PRESET_HAPPY, VRM_EXPRESSION_GROUP_MOUTH, VRM_EXPRESSION_OVERRIDE_BLEND);
    overrides(CUSTOM_A, VRM_EXPRESSION_GROUP_MOUTH, VRM_EXPRESSION_OVERRIDE_BLOCK);
    vrm_avatar *avatar = fixture_finish(&f);
    vrm_instance *instance = fixture_instance(avatar);
    set(instance, VRM_EXPRESSION_LAYER_HOST, CUSTOM_A, 1.0f);
    set(instance, VRM_EXPRESSION_LAYER_HOST, CUSTOM_B, 0.5f);
    set(instance, VRM_EXPRESSION_LAYER_HOST, VRM_EXPRESSION_PRESET_HAPPY, 0.75f);
    update(instance, 0.0f);
    CHECK_NEAR(weight_of(instance, CUSTOM_B).applied, 0.5, 0);
    CHECK_INT(vrm_instance_set_expression_group(instance, CUSTOM_B, VRM_EXPRESSION_GROUP_MOUTH), VRM_SUCCESS);
    update(instance, 0.0f);
    CHECK_NEAR(weight_of(instance, CUSTOM_B).applied, 0.0, 0); // blocked by A
    CHECK_INT(vrm_instance_set_expression_group(instance, CUSTOM_A, VRM_EXPRESSION_GROUP_MOUTH), VRM_SUCCESS);
    update(instance, 0.0f); // A is now in the same group, so only happy has an effect
    CHECK_NEAR(weight_of(instance, CUSTOM_B).applied, 0.125, 1e-7);
    CHECK_NEAR(weight_of(instance, CUSTOM_A).applied, 0.25, 1e-7);
    end(instance, avatar);
}

// A suppressed expression still overrides other groups, so the order of groups has no effect. (UniVRM and three-vrm
// compute all rates before they apply any.)
static void suppressed_expressions_still_override(void)
{
    begin_face();
    overrides(VRM_EXPRESSION_PRESET_HAPPY, VRM_EXPRESSION_GROUP_BLINK, VRM_EXPRESSION_OVERRIDE_BLOCK);
    overrides(VRM_EXPRESSION_PRESET_BLINK, VRM_EXPRESSION_GROUP_MOUTH, VRM_EXPRESSION_OVERRIDE_BLEND);
    vrm_avatar *avatar = fixture_finish(&f);
    vrm_instance *instance = fixture_instance(avatar);
    set(instance, VRM_EXPRESSION_LAYER_HOST, VRM_EXPRESSION_PRESET_HAPPY, 0.1f);
    set(instance, VRM_EXPRESSION_LAYER_HOST, VRM_EXPRESSION_PRESET_BLINK, 0.5f);
    set(instance, VRM_EXPRESSION_LAYER_HOST, VRM_EXPRESSION_PRESET_AA, 1.0f);
    update(instance, 0.0f);
    CHECK_NEAR(weight_of(instance, VRM_EXPRESSION_PRESET_BLINK).applied, 0.0, 0);
    CHECK_NEAR(weight_of(instance, VRM_EXPRESSION_PRESET_AA).applied, 0.5, 0);
    end(instance, avatar);
}

// A gaze by expressions replaces the layers' values of the look expressions. Overrides reduce it.
static void gaze_sets_look_expressions(void)
{
    begin_face();
    f.builder.head.look_at.type = VRM_LOOK_AT_EXPRESSION;
    f.builder.head.look_at.horizontal_outer = (vrm_range_map){1.0f, 1.0f};
    f.builder.head.look_at.vertical_up = (vrm_range_map){2.0f, 0.5f};
    overrides(VRM_EXPRESSION_PRESET_HAPPY, VRM_EXPRESSION_GROUP_LOOK_AT, VRM_EXPRESSION_OVERRIDE_BLEND);
    overrides(VRM_EXPRESSION_PRESET_LOOK_LEFT, VRM_EXPRESSION_GROUP_MOUTH, VRM_EXPRESSION_OVERRIDE_BLEND);
    vrm_avatar *avatar = fixture_finish(&f);
    vrm_instance *instance = fixture_instance(avatar);
    set(instance, VRM_EXPRESSION_LAYER_HOST, VRM_EXPRESSION_PRESET_LOOK_LEFT, 0.9f);
    set(instance, VRM_EXPRESSION_LAYER_HOST, VRM_EXPRESSION_PRESET_LOOK_RIGHT, 0.8f);
    set(instance, VRM_EXPRESSION_LAYER_HOST, VRM_EXPRESSION_PRESET_AA, 1.0f);
    CHECK_INT(vrm_instance_set_look_at_angles(instance, 0.25f, -1.0f), VRM_SUCCESS);
    update(instance, 0.0f);
    CHECK_NEAR(weight_of(instance, VRM_EXPRESSION_PRESET_LOOK_LEFT).applied, 0.25, 1e-6);
    CHECK_NEAR(weight_of(instance, VRM_EXPRESSION_PRESET_LOOK_RIGHT).applied, 0.0, 0);
    CHECK_NEAR(weight_of(instance, VRM_EXPRESSION_PRESET_LOOK_UP).applied, 0.25, 1e-6);
    CHECK_NEAR(weight_of(instance, VRM_EXPRESSION_PRESET_LOOK_DOWN).applied, 0.0, 0);
    CHECK_NEAR(weight_of(instance, VRM_EXPRESSION_PRESET_AA).applied, 0.75, 1e-6); // lookLeft overrides the mouth, too
    set(instance, VRM_EXPRESSION_LAYER_HOST, VRM_EXPRESSION_PRESET_HAPPY, 0.5f);
    update(instance, 0.0f);
    CHECK_NEAR(weight_of(instance, VRM_EXPRESSION_PRESET_LOOK_LEFT).applied, 0.125, 1e-6);
    CHECK_NEAR(instance->face.look_at_rate, 0.5, 0);
    vrm_instance_clear_look_at(instance);
    update(instance, 0.0f); // without a gaze, the layers' values apply again
    CHECK_NEAR(weight_of(instance, VRM_EXPRESSION_PRESET_LOOK_LEFT).input, 0.9f, 0);
    CHECK_NEAR(weight_of(instance, VRM_EXPRESSION_PRESET_LOOK_RIGHT).input, 0.8f, 0);
    end(instance, avatar);
}

// overrideLookAt reduces a gaze by bones in the same frame in which the expression is set.
static void overrides_damp_bone_gaze_without_lag(void)
{
    begin_face();
    overrides(VRM_EXPRESSION_PRESET_HAPPY, VRM_EXPRESSION_GROUP_LOOK_AT, VRM_EXPRESSION_OVERRIDE_BLOCK);
    vrm_avatar *avatar = fixture_finish(&f);
    vrm_instance *instance = fixture_instance(avatar);
    const int32_t eye = vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_LEFT_EYE);
    vrm_instance_set_look_at_angles(instance, 0.5f, 0.3f);
    update(instance, 0.0f);
    const vrm_quat turned = vrmi_local(instance, eye)->rotation;
    set(instance, VRM_EXPRESSION_LAYER_CLIP, VRM_EXPRESSION_PRESET_HAPPY, 0.01f);
    update(instance, 0.0f);
    const vrm_quat held = vrmi_local(instance, eye)->rotation,
                   rest = vrmi_model_node_rest(instance->model)[eye].rotation;
    CHECK(fabs((double)vrmi_quat_dot(turned, rest)) < 0.9999);
    CHECK_NEAR(fabs((double)vrmi_quat_dot(held, rest)), 1.0, 1e-6);
    end(instance, avatar);
}

static void morphs_of_the_host_lie_on_top(void)
{
    begin_face();
    // No expression binds this weight: the file's default.
    *FIXTURE_ROW(&f, morph_base, float, FACE_EXPRESSIONS) = 0.25f;
    vrm_avatar *avatar = fixture_finish(&f);
    vrm_instance *instance = fixture_instance(avatar);
    vrm_outputs outputs = {.struct_size = sizeof outputs};
    vrm_instance_get_outputs(instance, &outputs);
    CHECK_NEAR(outputs.morphs[FACE_EXPRESSIONS], 0.25, 0); // the default is shown before the first update
    set(instance, VRM_EXPRESSION_LAYER_HOST, 0, 0.5f);
    CHECK_INT(vrm_instance_set_morph(instance, 0, 0.25f), VRM_SUCCESS);
    CHECK_INT(vrm_instance_set_morph(instance, FACE_EXPRESSIONS, 0.5f), VRM_SUCCESS);
    update(instance, 0.0f);
    vrm_instance_get_outputs(instance, &outputs);
    CHECK_NEAR(outputs.morphs[0], 0.75, 0);
    CHECK_NEAR(outputs.morphs[FACE_EXPRESSIONS], 0.75, 0);
    // Updates accumulate nothing: repeated updates give the same bits.
    for (int i = 0; i < 10; ++i) {
        update(instance, 0.0f);
    }
    CHECK_NEAR(outputs.morphs[0], 0.75, 0);
    end(instance, avatar);
}

static void change_bits_tell_which_mesh(void)
{
    begin_face();
    fixture_material(&f, "still");
    fixture_material(&f, "blushing");
    fixture_bind_color(&f, 1, VRM_MATERIAL_COLOR_BASE, (vrm_vec4){1, 0, 0, 1}); // of CUSTOM_B
    vrm_avatar *avatar = fixture_finish(&f);
    vrm_instance *instance = fixture_instance(avatar);
    update(instance, 0.0f);
    update(instance, 0.1f);
    CHECK_INT(instance->mesh_changed[0], 0);
    CHECK_INT(instance->material_changed[0], 0);
    set(instance, VRM_EXPRESSION_LAYER_HOST, CUSTOM_B, 0.5f);
    update(instance, 0.1f);
    CHECK_INT(instance->mesh_changed[0], 1);
    CHECK_INT(instance->material_changed[0], 2);
    set(instance, VRM_EXPRESSION_LAYER_HOST, CUSTOM_B, 0.5f);
    update(instance, 0.1f);
    CHECK_INT(instance->mesh_changed[0], 0);
    CHECK_INT(instance->material_changed[0], 0);
    vrm_instance_set_morph(instance, FACE_EXPRESSIONS, 1.0f);
    update(instance, 0.1f);
    CHECK_INT(instance->mesh_changed[0], 2);
    CHECK_INT(instance->material_changed[0], 0);
    end(instance, avatar);
}

static void time_stands_still_but_weights_apply(void)
{
    begin_face();
    vrm_avatar *avatar = fixture_finish(&f);
    vrm_instance *instance = fixture_instance(avatar);
    vrm_instance_fade_emotion(instance, VRM_EXPRESSION_PRESET_HAPPY, 1.0f, 1.0f);
    update(instance, 0.5f);
    static const float still[] = {0.0f, -1.0f, NAN};
    for (int i = 0; i < 3; ++i) {
        set(instance, VRM_EXPRESSION_LAYER_HOST, VRM_EXPRESSION_PRESET_SAD, 0.1f * (float)(i + 1));
        update(instance, still[i]);
        CHECK_NEAR(weight_of(instance, VRM_EXPRESSION_PRESET_HAPPY).input, 0.5, 0);
        CHECK_NEAR(weight_of(instance, VRM_EXPRESSION_PRESET_SAD).input, 0.1f * (float)(i + 1), 0);
    }
    end(instance, avatar);
}

static void setters_refuse(void)
{
    begin_face();
    vrm_avatar *avatar = fixture_finish(&f);
    vrm_instance *x = fixture_instance(avatar);
    const vrm_result bad = VRM_ERROR_INVALID_ARGUMENT;
    const vrm_expression_layer host = VRM_EXPRESSION_LAYER_HOST;
    set(x, host, 0, 0.5f);
    CHECK_INT(vrm_instance_set_expression(NULL, host, 0, 0), bad);
    CHECK_INT(vrm_instance_set_expression(x, VRM_EXPRESSION_LAYER_COUNT, 0, 0), bad);
    CHECK_INT(vrm_instance_set_expression(x, host, FACE_EXPRESSIONS, 0), bad);
    CHECK_INT(vrm_instance_clear_expression(x, VRM_EXPRESSION_LAYER_COUNT, 0), bad);
    CHECK_INT(vrm_instance_clear_expression(x, host, FACE_EXPRESSIONS), bad);
    CHECK_INT(vrm_instance_clear_expressions(x, VRM_EXPRESSION_LAYER_COUNT), bad);
    CHECK_INT(vrm_instance_set_expression_layer(x, VRM_EXPRESSION_LAYER_COUNT, VRM_EXPRESSION_MODE_MAX, 1), bad);
    CHECK_INT(vrm_instance_set_expression_layer(x, host, (vrm_expression_mode)3, 1), bad);
    CHECK_INT(vrm_instance_set_expression_layer(x, host, VRM_EXPRESSION_MODE_MAX, 1.5f), bad);
    CHECK_INT(vrm_instance_set_expression_layer(x, host, VRM_EXPRESSION_MODE_MAX, -0.5f), bad);
    CHECK_INT(vrm_instance_fade_emotion(x, FACE_EXPRESSIONS, 1, 1), bad);
    CHECK_INT(vrm_instance_fade_emotion(x, -2, 1, 1), bad);
    CHECK_INT(vrm_instance_fade_emotion(x, 0, 1, -1), bad);
    CHECK_INT(vrm_instance_set_expression_group(x, 0, VRM_EXPRESSION_GROUP_BLINK), bad);
    CHECK_INT(vrm_instance_set_expression_group(x, CUSTOM_A, VRM_EXPRESSION_GROUP_COUNT), bad);
    CHECK_INT(vrm_instance_set_expression_group(x, FACE_EXPRESSIONS, VRM_EXPRESSION_GROUP_BLINK), bad);
    CHECK_INT(vrm_instance_set_morph(x, FACE_EXPRESSIONS + 1, 0), bad);
    CHECK_INT(vrm_instance_get_status(x), 0);
    static const float not_finite[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; ++i) {
        const float n = not_finite[i];
        vrm_instance_clear_status(x);
        vrm_instance_set_expression(x, host, 0, n);
        CHECK_INT(vrm_instance_get_status(x), VRM_STATUS_INPUT_NOT_FINITE);
        vrm_instance_clear_status(x);
        vrm_instance_set_expression_layer(x, host, VRM_EXPRESSION_MODE_MAX, n);
        CHECK_INT(vrm_instance_get_status(x), VRM_STATUS_INPUT_NOT_FINITE);
        vrm_instance_clear_status(x);
        vrm_instance_set_morph(x, 0, n);
        CHECK_INT(vrm_instance_get_status(x), VRM_STATUS_INPUT_NOT_FINITE);
        vrm_instance_clear_status(x);
        vrm_instance_fade_emotion(x, 0, n, 1);
        CHECK_INT(vrm_instance_get_status(x), VRM_STATUS_INPUT_NOT_FINITE);
        vrm_instance_clear_status(x);
        vrm_instance_fade_emotion(x, 0, 1, n);
        CHECK_INT(vrm_instance_get_status(x), VRM_STATUS_INPUT_NOT_FINITE);
    }
    update(x, 1.0f);
    CHECK_NEAR(weight_of(x, 0).input, 0.5, 0);
    CHECK_NEAR(x->morphs[0], 0.5, 0);
    // Huge numbers do no harm.
    set(x, VRM_EXPRESSION_LAYER_CLIP, 1, 3e38f);
    set(x, VRM_EXPRESSION_LAYER_EMOTION, 1, -3e38f);
    vrm_instance_fade_emotion(x, 1, 3e38f, 3e38f);
    vrm_instance_set_expression_layer(x, VRM_EXPRESSION_LAYER_EMOTION, VRM_EXPRESSION_MODE_ADD, 1.0f);
    update(x, 1e30f);
    CHECK(weight_of(x, 1).input >= 0.0f && weight_of(x, 1).input <= 1.0f);
    end(x, avatar);
}

// Makes random calls of every kind, which overlap fades, blinks and speech.
static void stir(vrm_instance *x, test_random *r)
{
    const vrm_expression_layer layer = (vrm_expression_layer)test_random_below(r, VRM_EXPRESSION_LAYER_COUNT);
    const uint32_t e = test_random_below(r, FACE_EXPRESSIONS);
    float vowels[5];
    for (int i = 0; i < 5; ++i) {
        vowels[i] = test_random_float(r, 0, 1);
    }
    switch (test_random_below(r, 9)) {
    case 0:
        vrm_instance_fade_emotion(x, (int32_t)e - 1, test_random_float(r, 0, 1), test_random_float(r, 0, 1));
        break;
    case 1:
        vrm_instance_clear_expression(x, layer, e);
        break;
    case 2:
        vrm_instance_set_vowels(x, vowels);
        break;
    case 3:
        vrm_instance_blink(x);
        break;
    case 4:
        vrm_instance_set_morph(x, e, test_random_float(r, 0, 1));
        break;
    case 5:
        vrm_instance_set_expression_group(x, CUSTOM_A, (vrm_expression_group)test_random_below(r, 4));
        break;
    case 6:
        vrm_instance_set_expression_layer(
            x, layer, (vrm_expression_mode)test_random_below(r, 3), test_random_float(r, 0, 1));
        break;
    case 7:
        vrm_instance_clear_lip_sync(x);
        break;
    default:
        vrm_instance_set_expression(x, layer, e, test_random_float(r, 0, 1));
    }
}

static bool same_face(const vrm_instance *a, const vrm_instance *b)
{
    return memcmp(a->expressions, b->expressions, FACE_EXPRESSIONS * sizeof(*a->expressions)) == 0 &&
           memcmp(a->morphs, b->morphs, (FACE_EXPRESSIONS + 1) * sizeof(*a->morphs)) == 0;
}

static void restored_faces_go_on(void)
{
    static unsigned char bytes[65536];
    begin_face();
    overrides(VRM_EXPRESSION_PRESET_HAPPY, VRM_EXPRESSION_GROUP_BLINK, VRM_EXPRESSION_OVERRIDE_BLEND);
    vrm_avatar *avatar = fixture_finish(&f);
    vrm_instance *a = fixture_instance(avatar);
    vrm_blink_params blink;
    vrm_blink_params_default(&blink);
    blink.enabled = true;
    blink.interval_min = blink.interval_max = 0.3f;
    vrm_instance_set_blink(a, &blink);
    test_random r = test_random_make(9);
    for (int round = 0; round < 200; ++round) {
        stir(a, &r);
        update(a, test_random_float(&r, 0, 0.1f));
        stir(a, &r); // an input that no update has seen yet
        size_t size = sizeof(bytes);
        CHECK_INT(vrm_instance_snapshot(a, bytes, &size), VRM_SUCCESS);
        vrm_instance *b = fixture_instance(avatar);
        stir(b, &r); // restoring must replace this state
        CHECK_INT(vrm_instance_restore(b, bytes, size), VRM_SUCCESS);
        vrm_instance *c = NULL;
        CHECK_INT(vrm_instance_clone(a, &c), VRM_SUCCESS);
        for (int frame = 0; frame < 20; ++frame) {
            update(a, 1.0f / 60.0f);
            update(b, 1.0f / 60.0f);
            update(c, 1.0f / 60.0f);
            CHECK(same_face(a, b));
            CHECK(same_face(a, c));
        }
        vrm_instance_destroy(b);
        vrm_instance_destroy(c);
    }
    end(a, avatar);
}

static void reset_makes_a_fresh_face(void)
{
    begin_face();
    vrm_avatar *avatar = fixture_finish(&f);
    vrm_instance *a = fixture_instance(avatar), *fresh = fixture_instance(avatar);
    test_random r = test_random_make(10);
    for (int i = 0; i < 100; ++i) {
        stir(a, &r);
        update(a, 0.02f);
    }
    vrm_instance_reset(a);
    for (int i = 0; i < 3; ++i) {
        update(a, 0.02f);
        update(fresh, 0.02f);
        CHECK(same_face(a, fresh));
    }
    CHECK_INT(a->face.blink.pending, 0);
    vrm_instance_destroy(fresh);
    end(a, avatar);
}

// A published conformance file: happy is binary and overrides blink with "blend"; both expressions move textures.
static void conformance_of_binary_overrides(void)
{
    char path[512];
    shared_path("models/conformance/VRMC_vrm_expressions_isBinary_Overrides.vrm", path, sizeof path);
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        SKIP("no shared models");
    }
    fclose(file);
    vrm_avatar *avatar = NULL;
    CHECK_INT(vrm_avatar_load_file(NULL, path, NULL, &avatar), VRM_SUCCESS);
    if (avatar == NULL) {
        return;
    }
    vrm_instance *instance = fixture_instance(avatar);
    const int32_t happy = vrm_avatar_find_preset(avatar, VRM_EXPRESSION_PRESET_HAPPY);
    const int32_t blink = vrm_avatar_find_preset(avatar, VRM_EXPRESSION_PRESET_BLINK);
    CHECK(happy >= 0 && blink >= 0);
    static const struct {
        float happy, blink, happy_out, blink_out;
    } rows[] = {{0.0f, 0.5f, 0.0f, 0.5f}, {0.4f, 0.5f, 0.0f, 0.5f}, {0.5f, 1.0f, 0.0f, 1.0f}, {0.51f, 1.0f, 1.0f, 0.0f},
        {1.0f, 0.25f, 1.0f, 0.0f}};
    for (int i = 0; i < 5; ++i) {
        set(instance, VRM_EXPRESSION_LAYER_HOST, (uint32_t)happy, rows[i].happy);
        set(instance, VRM_EXPRESSION_LAYER_HOST, (uint32_t)blink, rows[i].blink);
        update(instance, 0.0f);
        const float h = rows[i].happy_out, b = rows[i].blink_out;
        CHECK_NEAR(weight_of(instance, happy).applied, h, 0);
        CHECK_NEAR(weight_of(instance, blink).applied, b, 0);
        // Material 0: happy sets scale 1/8 and offset (7/8, 0), blink sets scale 1/8 and offset (0, 7/8).
        const vrm_material_values *m = &instance->materials[0];
        CHECK_NEAR(m->uv_base, 1.0f - h - b, 0);
        CHECK_NEAR(m->uv_scale[0], (h + b) / 8, 0);
        CHECK_NEAR(m->uv_scale[1], (h + b) / 8, 0);
        CHECK_NEAR(m->uv_offset[0], h * 7 / 8, 0);
        CHECK_NEAR(m->uv_offset[1], b * 7 / 8, 0);
        CHECK_NEAR(instance->materials[2].uv_base, 1.0f - h, 0);
        CHECK_NEAR(instance->materials[3].uv_base, 1.0f - b, 0);
        CHECK_NEAR(instance->materials[3].uv_scale[0], 0.498046875 * (double)b, 0);
    }
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

static const test_case cases[] = {
    {"layers_merge_in_their_order", layers_merge_in_their_order},
    {"eyes_never_close_twice", eyes_never_close_twice},
    {"mouth_never_opens_twice", mouth_never_opens_twice},
    {"emotions_fade", emotions_fade},
    {"customs_join_a_group", customs_join_a_group},
    {"suppressed_expressions_still_override", suppressed_expressions_still_override},
    {"gaze_sets_look_expressions", gaze_sets_look_expressions},
    {"overrides_damp_bone_gaze_without_lag", overrides_damp_bone_gaze_without_lag},
    {"morphs_of_the_host_lie_on_top", morphs_of_the_host_lie_on_top},
    {"change_bits_tell_which_mesh", change_bits_tell_which_mesh},
    {"time_stands_still_but_weights_apply", time_stands_still_but_weights_apply},
    {"setters_refuse", setters_refuse},
    {"restored_faces_go_on", restored_faces_go_on},
    {"reset_makes_a_fresh_face", reset_makes_a_fresh_face},
    {"conformance_of_binary_overrides", conformance_of_binary_overrides},
};

RUN_TESTS(cases)
