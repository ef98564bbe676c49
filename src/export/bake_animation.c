// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Converts the file's animations to the new axes. Each key is multiplied by constant rotations from the left and the
// right, so that the motion is the same for every kind of interpolation.

#include <string.h>

#include "export/bake.h"

typedef struct channel {
    uint32_t animation, index; // position in the file
    uint32_t json, sampler_json;
    uint32_t sampler, output;
    uint32_t node;
    vrmi_bake_claim_kind kind; // AS_IS: no conversion
    bool changed;
} channel;

static bool is_turned(const double q[4])
{
    return !vrmi_bake_same(1.0, q[3] < 0.0 ? -q[3] : q[3]) || !vrmi_bake_same(0.0, q[0]) ||
           !vrmi_bake_same(0.0, q[1]) || !vrmi_bake_same(0.0, q[2]);
}

static bool changes(const vrmi_bake *bake, uint32_t node, vrmi_bake_claim_kind kind)
{
    const vrmi_gltf_node *from = &bake->gltf->nodes[node];
    const vrmi_bake_node *own = vrmi_bake_node_at(bake, node);
    const vrmi_bake_node *parent = from->parent >= 0 ? vrmi_bake_node_at(bake, (uint32_t)from->parent) : NULL;
    const vrm_vec3 scale = from->local.scale;
    switch (kind) {
    case VRMI_BAKE_TRANSLATION:
        return parent != NULL && parent->turned;
    case VRMI_BAKE_ROTATION:
        return is_turned(own->rotation) || (parent != NULL && is_turned(parent->rotation));
    case VRMI_BAKE_SCALE:
        return is_turned(own->rotation) || scale.x != 1.0f || scale.y != 1.0f || scale.z != 1.0f;
    default:
        return false;
    }
}

static channel read_channel(const vrmi_bake *bake, uint32_t animation, uint32_t index, uint32_t json_channel)
{
    static const struct {
        const char *path;
        vrmi_bake_claim_kind kind;
    } paths[] = {{"translation", VRMI_BAKE_TRANSLATION}, {"rotation", VRMI_BAKE_ROTATION}, {"scale", VRMI_BAKE_SCALE}};
    const vrmi_json *json = bake->json;
    channel c = {.animation = animation, .index = index, .json = json_channel, .kind = VRMI_BAKE_AS_IS};
    const uint32_t samplers =
        vrmi_json_member(json, vrmi_gltf_element(bake->gltf, VRM_GLTF_ANIMATIONS, animation), "samplers");
    const uint32_t target = vrmi_json_member(json, json_channel, "target");
    const bool found = vrmi_json_uint(json, vrmi_json_member(json, json_channel, "sampler"), &c.sampler);
    c.sampler_json = found ? vrmi_json_element(json, samplers, c.sampler) : VRMI_JSON_NONE;
    if (vrmi_json_uint(json, vrmi_json_member(json, c.sampler_json, "output"), &c.output) &&
        vrmi_bake_get_node(bake, target, "node", &c.node)) {
        for (size_t i = 0; i < sizeof paths / sizeof paths[0]; ++i) {
            if (vrmi_json_string_equal(json, vrmi_json_member(json, target, "path"), paths[i].path)) {
                c.kind = paths[i].kind;
            }
        }
    }
    c.changed = changes(bake, c.node, c.kind);
    return c;
}

typedef void channel_fn(vrmi_bake *bake, const channel *c, void *user);

static void for_channels(vrmi_bake *bake, channel_fn *visit, void *user)
{
    const vrmi_json *json = bake->json;
    for (uint32_t i = 0; i < bake->gltf->counts[VRM_GLTF_ANIMATIONS]; ++i) {
        const uint32_t channels =
            vrmi_json_member(json, vrmi_gltf_element(bake->gltf, VRM_GLTF_ANIMATIONS, i), "channels");
        uint32_t index = 0;
        for (uint32_t item = vrmi_json_first(json, channels); item != VRMI_JSON_NONE && vrmi_bake_tick(bake);
             item = vrmi_json_next(json, item)) {
            const channel c = read_channel(bake, i, index++, item);
            visit(bake, &c, user);
        }
    }
}

// --- claims ----------------------------------------------------------------------------------------------------------

static void claim_channel(vrmi_bake *bake, const channel *c, void *user)
{
    (void)user;
    const vrmi_bake_claim as_is = {VRMI_BAKE_AS_IS, 0}, changed = {c->kind, c->node};
    uint32_t input = 0;
    if (vrmi_json_uint(bake->json, vrmi_json_member(bake->json, c->sampler_json, "input"), &input)) {
        vrmi_bake_claim_accessor(bake, input, as_is);
    }
    if (c->sampler_json != VRMI_JSON_NONE) {
        vrmi_bake_claim_accessor(bake, c->output, c->changed ? changed : as_is);
    }
}

void vrmi_bake_claim_animations(vrmi_bake *bake)
{
    if (vrmi_writer_runs(&bake->out)) {
        for_channels(bake, claim_channel, NULL);
    }
}

// --- values ----------------------------------------------------------------------------------------------------------

// Computes parent * q * own^-1, the rotation relative to the rest pose in world axes.
static void turn_rotation(const vrmi_bake *bake, const channel *c, float *value)
{
    const int32_t parent = bake->gltf->nodes[c->node].parent;
    const double q[4] = {(double)value[0], (double)value[1], (double)value[2], (double)value[3]};
    double inverse[4], turned[4];
    vrmi_rotation_conjugate(vrmi_bake_node_at(bake, c->node)->rotation, inverse);
    vrmi_rotation_mul(q, inverse, turned);
    if (parent >= 0) {
        vrmi_rotation_mul(vrmi_bake_node_at(bake, (uint32_t)parent)->rotation, turned, turned);
    }
    for (int i = 0; i < 4; ++i) {
        value[i] = (float)turned[i];
    }
}

static void turn_translation(const vrmi_bake *bake, const channel *c, float *value)
{
    const int32_t parent = bake->gltf->nodes[c->node].parent;
    const double v[3] = {(double)value[0], (double)value[1], (double)value[2]};
    double turned[3];
    vrmi_matrix_vector(&vrmi_bake_node_at(bake, (uint32_t)parent)->world, v, turned);
    for (int i = 0; i < 3; ++i) {
        value[i] = (float)turned[i];
    }
}

// Converts a scale to the scale relative to the rest pose, along world axes. This is exact if the factors are equal or
// the node's axes are world axes in any order. Otherwise the nearest scale is used; returns the error.
static double turn_scale(const vrmi_bake *bake, const channel *c, float *value)
{
    const vrm_vec3 rest = bake->gltf->nodes[c->node].local.scale;
    const float at_rest[3] = {rest.x, rest.y, rest.z};
    double factor[3], axes[3][3], lost = 0.0;
    for (int k = 0; k < 3; ++k) {
        const double axis[3] = {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0};
        factor[k] = at_rest[k] != 0.0f ? (double)value[k] / (double)at_rest[k] : (double)value[k];
        vrmi_rotation_turn(vrmi_bake_node_at(bake, c->node)->rotation, axis, axes[k]);
    }
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            double sum = 0.0;
            for (int k = 0; k < 3; ++k) {
                sum += axes[k][i] * factor[k] * axes[k][j];
            }
            value[i] = i == j ? (float)sum : value[i];
            const double size = sum < 0.0 ? -sum : sum;
            lost = i != j && size > lost ? size : lost;
        }
    }
    return lost;
}

static uint32_t bake_output(vrmi_bake *bake, const channel *c)
{
    const vrmi_bake_claim wanted = {c->kind, c->node};
    const uint32_t components = c->kind == VRMI_BAKE_ROTATION ? 4 : 3;
    uint32_t made = c->output;
    size_t size = 0;
    if (vrmi_bake_find(bake, c->output, wanted, &made)) {
        return made;
    }
    float *values = vrmi_bake_read(bake, c->output, &size);
    const size_t count = size / (components * sizeof(float));
    double lost = 0.0;
    if (values == NULL || count * components * sizeof(float) != size) {
        vrmi_release(&bake->out.allocator, values, size);
        return made;
    }
    for (size_t i = 0; i < count; ++i) {
        float *value = values + i * components;
        if (c->kind == VRMI_BAKE_ROTATION) {
            turn_rotation(bake, c, value);
        } else if (c->kind == VRMI_BAKE_TRANSLATION) {
            turn_translation(bake, c, value);
        } else {
            const double own = turn_scale(bake, c, value);
            lost = own > lost ? own : lost;
        }
    }
    if (lost > 1e-5) {
        char found[48];
        vrmi_format(found, sizeof found, "shear of up to %g", (double)(float)lost);
        vrmi_bake_report(bake, VRM_FINDING_BAKE_SCALE_ANIMATION, c->json, NULL, found);
    }
    made = vrmi_bake_write(bake, c->output, wanted, values);
    vrmi_release(&bake->out.allocator, values, size);
    return made;
}

// Number of samplers in the current animation, including those appended.
typedef struct appended {
    uint32_t animation, samplers;
} appended;

// Gives a channel its own sampler if the channel's accessor changes, because other channels may use the old sampler.
static void bake_channel(vrmi_bake *bake, const channel *c, void *user)
{
    appended *state = user;
    const vrmi_json *json = bake->json;
    if (!c->changed) {
        return;
    }
    const uint32_t made = bake_output(bake, c);
    if (made == c->output || !vrmi_writer_runs(&bake->out)) {
        return;
    }
    if (state->animation != c->animation) {
        const uint32_t animation = vrmi_gltf_element(bake->gltf, VRM_GLTF_ANIMATIONS, c->animation);
        *state = (appended){c->animation, vrmi_json_count(json, vrmi_json_member(json, animation, "samplers"))};
    }
    const vrm_string text = vrmi_json_text(json, c->sampler_json);
    vrmi_write_json(&bake->out, text.data, text.length, "/animations/%u/samplers/-", c->animation);
    vrmi_write_uint(&bake->out, made, "/animations/%u/samplers/%u/output", c->animation, state->samplers);
    vrmi_write_uint(&bake->out, state->samplers++, "/animations/%u/channels/%u/sampler", c->animation, c->index);
}

void vrmi_bake_animations(vrmi_bake *bake)
{
    appended state = {UINT32_MAX, 0};
    for_channels(bake, bake_channel, &state);
}
