// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Compares expressions of random avatars with an evaluator in double that is written from the specification alone.

#include "model_fixture.h"
#include "test.h"
#include "test_random.h"

#include <vrm/vrm.h>

static fixture f;

static void update(vrm_instance *instance, float dt)
{
    vrm_update_params params;
    vrm_update_params_default(&params);
    params.dt = dt;
    params.stages = VRM_STAGE_LOOK_AT | VRM_STAGE_EXPRESSION;
    vrm_update(instance, &params);
}

static void end(vrm_instance *instance, vrm_avatar *avatar)
{
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
    CHECK_INT(f.memory.live, 0);
}

// --- the specification in double -------------------------------------------------------------------------------------

enum { MAX_EXPRESSIONS = 32, MAX_MORPHS = 12, MAX_MATERIALS = 3, MAX_BINDS = 4 };

typedef struct plain_expression {
    int preset, group; // group: the application sets it for custom expressions
    int binary;
    double threshold;
    int overrides[VRM_EXPRESSION_GROUP_COUNT];
    int morph_binds, color_binds, texture_binds;
    struct {
        int morph;
        double weight;
    } morphs[MAX_BINDS];
    struct {
        int material, color;
        double target[4];
    } colors[MAX_BINDS];
    struct {
        int material;
        double scale[2], offset[2];
    } textures[MAX_BINDS];
} plain_expression;

typedef struct plain_avatar {
    int count, morph_count, material_count;
    plain_expression expressions[MAX_EXPRESSIONS];
    double base_morphs[MAX_MORPHS];
    double base_colors[MAX_MATERIALS][VRM_MATERIAL_COLOR_COUNT][4];
    double base_scale[2], base_offset[2]; // scale and offset of a texture without expressions
} plain_avatar;

typedef struct plain_result {
    double out[MAX_EXPRESSIONS];
    double morphs[MAX_MORPHS];
    double colors[MAX_MATERIALS][VRM_MATERIAL_COLOR_COUNT][4];
    double scale[MAX_MATERIALS][2], offset[MAX_MATERIALS][2];
} plain_result;

static double clamp01(double x)
{
    return x < 0.0 ? 0.0 : (x > 1.0 ? 1.0 : x);
}

static void evaluate_weights(const plain_avatar *avatar, const double *weights, double *out)
{
    double seen[MAX_EXPRESSIONS];
    for (int e = 0; e < avatar->count; ++e) {
        const plain_expression *x = &avatar->expressions[e];
        seen[e] = clamp01(weights[e]); // "a number with a value in the range [0-1] ... should clamp"
        if (x->binary) {
            seen[e] = seen[e] > x->threshold ? 1.0 : 0.0; // "a value greater than 0.5 is 1.0, otherwise 0.0"
        }
    }
    for (int e = 0; e < avatar->count; ++e) {
        const plain_expression *x = &avatar->expressions[e];
        double value = 0.0;
        for (int o = 0; o < avatar->count && x->group != VRM_EXPRESSION_GROUP_NONE; ++o) {
            const plain_expression *other = &avatar->expressions[o];
            if (other->group == x->group) {
                continue; // "settings for the same kind are treated as invalid"
            }
            if (other->overrides[x->group] == VRM_EXPRESSION_OVERRIDE_BLOCK && seen[o] > 0.0) {
                value += 1.0; // "when happy.weight > 0, the weight ... is overridden to 0"
            }
            if (other->overrides[x->group] == VRM_EXPRESSION_OVERRIDE_BLEND && seen[o] > 0.0) {
                value += seen[o];
            }
        }
        const double factor = 1.0 - clamp01(value);
        out[e] = seen[e] * factor;
        if (x->binary && value > 0.0) {
            out[e] = 0.0; // "MUST be completely suppressed if the effect received is greater than 0.0"
        }
    }
}

static void evaluate(const plain_avatar *avatar, const double *weights, plain_result *out)
{
    memset(out, 0, sizeof(*out));
    evaluate_weights(avatar, weights, out->out);
    memcpy(out->morphs, avatar->base_morphs, sizeof(out->morphs));
    memcpy(out->colors, avatar->base_colors, sizeof(out->colors));
    for (int m = 0; m < avatar->material_count; ++m) {
        memcpy(out->scale[m], avatar->base_scale, sizeof(out->scale[m]));
        memcpy(out->offset[m], avatar->base_offset, sizeof(out->offset[m]));
    }
    for (int e = 0; e < avatar->count; ++e) {
        const plain_expression *x = &avatar->expressions[e];
        const double w = out->out[e];
        for (int i = 0; i < x->morph_binds; ++i) {
            out->morphs[x->morphs[i].morph] += w * x->morphs[i].weight;
        }
        for (int i = 0; i < x->color_binds; ++i) {
            const int m = x->colors[i].material, c = x->colors[i].color;
            for (int k = 0; k < (c == VRM_MATERIAL_COLOR_BASE ? 4 : 3); ++k) {
                out->colors[m][c][k] += (x->colors[i].target[k] - avatar->base_colors[m][c][k]) * w;
            }
        }
        for (int i = 0; i < x->texture_binds; ++i) {
            const int m = x->textures[i].material;
            for (int k = 0; k < 2; ++k) {
                out->scale[m][k] += (x->textures[i].scale[k] - avatar->base_scale[k]) * w;
                out->offset[m][k] += (x->textures[i].offset[k] - avatar->base_offset[k]) * w;
            }
        }
    }
}

// --- random avatars ------------------------------------------------------------------------------------------------

static int random_override(test_random *r)
{
    return test_random_below(r, 3) != 0 ? VRM_EXPRESSION_OVERRIDE_NONE : 1 + (int)test_random_below(r, 2);
}

static void random_binds(test_random *r, const plain_avatar *avatar, plain_expression *x)
{
    x->morph_binds = (int)test_random_below(r, MAX_BINDS + 1);
    for (int i = 0; i < x->morph_binds; ++i) {
        x->morphs[i].morph = (int)test_random_below(r, (uint32_t)avatar->morph_count);
        x->morphs[i].weight = (double)test_random_float(r, 0.0f, 1.0f);
    }
    x->color_binds = (int)test_random_below(r, 3);
    for (int i = 0; i < x->color_binds; ++i) {
        x->colors[i].material = (int)test_random_below(r, (uint32_t)avatar->material_count);
        x->colors[i].color = (int)test_random_below(r, VRM_MATERIAL_COLOR_COUNT);
        for (int k = 0; k < 4; ++k) {
            x->colors[i].target[k] = (double)test_random_float(r, 0.0f, 2.0f);
        }
    }
    x->texture_binds = (int)test_random_below(r, 2);
    for (int i = 0; i < x->texture_binds; ++i) {
        x->textures[i].material = (int)test_random_below(r, (uint32_t)avatar->material_count);
        for (int k = 0; k < 2; ++k) {
            x->textures[i].scale[k] = (double)test_random_float(r, 0.1f, 3.0f);
            x->textures[i].offset[k] = (double)test_random_float(r, -1.0f, 1.0f);
        }
    }
}

static int preset_group(int preset)
{
    if (preset >= VRM_EXPRESSION_PRESET_AA && preset <= VRM_EXPRESSION_PRESET_OH) {
        return VRM_EXPRESSION_GROUP_MOUTH;
    }
    if (preset >= VRM_EXPRESSION_PRESET_BLINK && preset <= VRM_EXPRESSION_PRESET_BLINK_RIGHT) {
        return VRM_EXPRESSION_GROUP_BLINK;
    }
    if (preset >= VRM_EXPRESSION_PRESET_LOOK_UP && preset <= VRM_EXPRESSION_PRESET_LOOK_RIGHT) {
        return VRM_EXPRESSION_GROUP_LOOK_AT;
    }
    return VRM_EXPRESSION_GROUP_NONE;
}

static void random_expression(test_random *r, plain_avatar *avatar, int preset)
{
    plain_expression *x = &avatar->expressions[avatar->count++];
    memset(x, 0, sizeof(*x));
    x->preset = preset;
    x->group =
        preset < VRM_EXPRESSION_CUSTOM ? preset_group(preset) : (int)test_random_below(r, VRM_EXPRESSION_GROUP_COUNT);
    x->binary = test_random_below(r, 3) == 0;
    x->threshold = test_random_below(r, 4) == 0 ? 0.0 : 0.5; // the draft's "not zero", or 1.0's
    for (int kind = 1; kind < VRM_EXPRESSION_GROUP_COUNT; ++kind) {
        x->overrides[kind] = random_override(r);
    }
    random_binds(r, avatar, x);
}

static void random_avatar(test_random *r, plain_avatar *avatar)
{
    avatar->count = 0;
    avatar->morph_count = 2 + (int)test_random_below(r, MAX_MORPHS - 1);
    avatar->material_count = 1 + (int)test_random_below(r, MAX_MATERIALS);
    for (int i = 0; i < MAX_MORPHS; ++i) {
        avatar->base_morphs[i] = test_random_below(r, 4) == 0 ? (double)test_random_float(r, 0.0f, 1.0f) : 0.0;
    }
    for (int m = 0; m < MAX_MATERIALS; ++m) {
        for (int c = 0; c < VRM_MATERIAL_COLOR_COUNT; ++c) {
            for (int k = 0; k < 4; ++k) {
                avatar->base_colors[m][c][k] = (double)test_random_float(r, 0.0f, 1.0f);
            }
        }
    }
    for (int k = 0; k < 2; ++k) {
        avatar->base_scale[k] = (double)test_random_float(r, 0.5f, 2.0f);
        avatar->base_offset[k] = (double)test_random_float(r, -1.0f, 1.0f);
    }
    for (int preset = 0; preset < VRM_EXPRESSION_PRESET_COUNT; ++preset) {
        if (test_random_below(r, 4) != 0) {
            random_expression(r, avatar, preset);
        }
    }
    for (uint32_t i = test_random_below(r, 6); i > 0; --i) {
        random_expression(r, avatar, VRM_EXPRESSION_CUSTOM);
    }
}

static void add_expression(const plain_expression *x)
{
    fixture_expression(&f, (vrm_expression_preset)x->preset, "custom");
    vrmi_expression_row *row = fixture_last_expression(&f);
    row->binary_threshold = x->binary ? (float)x->threshold : -1.0f;
    for (int kind = 1; kind < VRM_EXPRESSION_GROUP_COUNT; ++kind) {
        row->overrides[kind] = (uint32_t)x->overrides[kind];
    }
    for (int i = 0; i < x->morph_binds; ++i) {
        fixture_bind_morph(&f, (uint32_t)x->morphs[i].morph, (float)x->morphs[i].weight);
    }
    for (int i = 0; i < x->color_binds; ++i) {
        const double *t = x->colors[i].target;
        const vrm_vec4 target = {(float)t[0], (float)t[1], (float)t[2], (float)t[3]};
        fixture_bind_color(&f, (uint32_t)x->colors[i].material, (vrm_material_color)x->colors[i].color, target);
    }
    for (int i = 0; i < x->texture_binds; ++i) {
        const float scale[2] = {(float)x->textures[i].scale[0], (float)x->textures[i].scale[1]};
        const float offset[2] = {(float)x->textures[i].offset[0], (float)x->textures[i].offset[1]};
        fixture_bind_texture(&f, (uint32_t)x->textures[i].material, scale, offset);
    }
}

static vrm_avatar *make_avatar(const plain_avatar *avatar)
{
    fixture_begin(&f);
    const int32_t root = fixture_node_add(&f, -1, "root", fixture_at(0, 0, 0));
    const uint32_t split = (uint32_t)avatar->morph_count / 2;
    fixture_mesh(&f, root, split, NULL, 0, 1.0f);
    fixture_mesh(&f, fixture_node_add(&f, root, "two", fixture_at(0, 0, 0)), (uint32_t)avatar->morph_count - split,
        NULL, 0, 1.0f);
    for (int i = 0; i < avatar->morph_count; ++i) {
        *FIXTURE_ROW(&f, morph_base, float, i) = (float)avatar->base_morphs[i];
    }
    for (int m = 0; m < avatar->material_count; ++m) {
        vrmi_material_row *row = fixture_material(&f, "material");
        for (int c = 0; c < VRM_MATERIAL_COLOR_COUNT; ++c) {
            const double *b = avatar->base_colors[m][c];
            row->params.colors[c] = (vrm_vec4){(float)b[0], (float)b[1], (float)b[2], (float)b[3]};
        }
    }
    for (int e = 0; e < avatar->count; ++e) {
        add_expression(&avatar->expressions[e]);
    }
    return fixture_finish(&f);
}

static float random_weight(test_random *r)
{
    switch (test_random_below(r, 6)) {
    case 0:
    case 1:
        return 0.0f;
    case 2:
        return 0.5f;
    case 3:
        return test_random_float(r, -1.0f, 2.0f);
    default:
        return test_random_float(r, 0.0f, 1.0f);
    }
}

static void compare(const vrm_instance *instance, const plain_avatar *avatar, const plain_result *expected)
{
    vrm_outputs outputs = {.struct_size = sizeof outputs};
    vrm_instance_get_outputs(instance, &outputs);
    CHECK_INT(outputs.expression_count, avatar->count);
    for (int e = 0; e < avatar->count; ++e) {
        CHECK_NEAR(outputs.expressions[e].applied, expected->out[e], 1e-6);
    }
    for (int i = 0; i < avatar->morph_count; ++i) {
        CHECK_NEAR(outputs.morphs[i], expected->morphs[i], 1e-5);
    }
    for (int m = 0; m < avatar->material_count; ++m) {
        const vrm_material_values *values = &outputs.materials[m];
        for (int c = 0; c < VRM_MATERIAL_COLOR_COUNT; ++c) {
            const vrm_vec4 color = values->colors[c];
            CHECK_NEAR(color.x, expected->colors[m][c][0], 1e-5);
            CHECK_NEAR(color.y, expected->colors[m][c][1], 1e-5);
            CHECK_NEAR(color.z, expected->colors[m][c][2], 1e-5);
            CHECK_NEAR(color.w, expected->colors[m][c][3], 1e-5);
        }
        for (int k = 0; k < 2; ++k) {
            CHECK_NEAR((double)values->uv_base * avatar->base_scale[k] + (double)values->uv_scale[k],
                expected->scale[m][k], 2e-5);
            CHECK_NEAR((double)values->uv_base * avatar->base_offset[k] + (double)values->uv_offset[k],
                expected->offset[m][k], 2e-5);
        }
    }
}

// 1,000 random avatars with three frames each: all weights new, a few weights changed, all weights back to 0.
static void random_avatars_agree_with_the_text(void)
{
    test_random r = test_random_make(1);
    static plain_avatar avatar;
    static plain_result expected;
    for (int round = 0; round < 1000 && test_failures == 0; ++round) {
        random_avatar(&r, &avatar);
        vrm_avatar *built = make_avatar(&avatar);
        vrm_instance *instance = fixture_instance(built);
        double weights[MAX_EXPRESSIONS] = {0};
        for (int e = 0; e < avatar.count; ++e) {
            if (avatar.expressions[e].preset == VRM_EXPRESSION_CUSTOM) {
                CHECK_INT(vrm_instance_set_expression_group(
                              instance, (uint32_t)e, (vrm_expression_group)avatar.expressions[e].group),
                    VRM_SUCCESS);
            }
        }
        for (int frame = 0; frame < 3; ++frame) {
            for (int e = 0; e < avatar.count; ++e) {
                if (frame == 0 || frame == 2 || test_random_below(&r, 4) == 0) {
                    const float weight = frame == 2 ? 0.0f : random_weight(&r);
                    weights[e] = (double)weight;
                    vrm_instance_set_expression(instance, VRM_EXPRESSION_LAYER_HOST, (uint32_t)e, weight);
                }
            }
            update(instance, 1.0f / 60.0f);
            evaluate(&avatar, weights, &expected);
            compare(instance, &avatar, &expected);
        }
        end(instance, built);
        if (test_failures != 0) {
            printf("round %d\n", round);
        }
    }
}

static const test_case cases[] = {
    {"random_avatars_agree_with_the_text", random_avatars_agree_with_the_text},
};

RUN_TESTS(cases)
