// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "glb_motion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <vrm/instance.h>
#include <vrm/update.h>

#include "base/text.h"
#include "math/quat.h"

typedef enum path { TRANSLATION, ROTATION, SCALE, PATHS } path;

// A channel of the animation and its keys.
typedef struct channel {
    int32_t node; // node order
    path path;
    bool step;
    uint32_t count;
    float *times, *values; // [count] times; [count * 3 or 4] values
} channel;

struct scene_glb_motion {
    channel *items;
    uint32_t count;
};

static bool word_at(const vrm_gltf *gltf, const char *pointer, vrm_string *out)
{
    return vrm_gltf_get_json(gltf, pointer, out) == VRM_SUCCESS;
}

static int64_t number_at(const vrm_gltf *gltf, const char *pointer)
{
    vrm_string text;
    double value;
    const bool is = word_at(gltf, pointer, &text) && vrmi_parse_double(text.data, text.length, &value) > 0;
    return is ? (int64_t)value : -1;
}

static vrm_result read_keys(const vrm_gltf *gltf, int64_t input, int64_t output, channel *out)
{
    vrm_gltf_accessor times = {.struct_size = sizeof times}, values = {.struct_size = sizeof values};
    const uint32_t width = out->path == ROTATION ? 4 : 3;
    if (input < 0 || output < 0 || vrm_gltf_get_accessor(gltf, (uint32_t)input, &times) != VRM_SUCCESS ||
        vrm_gltf_get_accessor(gltf, (uint32_t)output, &values) != VRM_SUCCESS || values.components != width ||
        values.count != times.count || times.count == 0) {
        return VRM_ERROR_INVALID_ASSET;
    }
    out->count = times.count;
    out->times = malloc(times.count * sizeof(float));
    out->values = malloc((size_t)times.count * width * sizeof(float));
    if (out->times == NULL || out->values == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    const vrm_result result = vrm_gltf_read_floats(gltf, (uint32_t)input, 0, times.count, out->times);
    return result == VRM_SUCCESS ? vrm_gltf_read_floats(gltf, (uint32_t)output, 0, times.count, out->values) : result;
}

// Reads the channel with this index in the file. The channel's node is -1 if the channel does not animate a node's
// transform.
static vrm_result read_channel(const vrm_gltf *gltf, const vrm_avatar *avatar, uint32_t index, channel *out)
{
    static const char *const words[PATHS] = {"\"translation\"", "\"rotation\"", "\"scale\""};
    char pointer[96];
    vrm_string word;
    *out = (channel){.node = -1, .path = PATHS};
    const int64_t node =
        number_at(gltf, vrmi_format(pointer, sizeof pointer, "/animations/0/channels/%u/target/node", index));
    vrmi_format(pointer, sizeof pointer, "/animations/0/channels/%u/target/path", index);
    for (int i = 0; i < PATHS && node >= 0 && word_at(gltf, pointer, &word); ++i) {
        out->path = vrmi_string_equal(word, words[i]) ? (path)i : out->path;
    }
    if (out->path == PATHS) {
        return VRM_SUCCESS;
    }
    const int64_t sampler =
        number_at(gltf, vrmi_format(pointer, sizeof pointer, "/animations/0/channels/%u/sampler", index));
    vrmi_format(pointer, sizeof pointer, "/animations/0/samplers/%lld/interpolation", (long long)sampler);
    if (word_at(gltf, pointer, &word)) {
        out->step = vrmi_string_equal(word, "\"STEP\"");
        if (!out->step && !vrmi_string_equal(word, "\"LINEAR\"")) {
            return VRM_ERROR_UNSUPPORTED;
        }
    }
    vrmi_format(pointer, sizeof pointer, "/animations/0/samplers/%lld/input", (long long)sampler);
    const int64_t input = number_at(gltf, pointer);
    vrmi_format(pointer, sizeof pointer, "/animations/0/samplers/%lld/output", (long long)sampler);
    out->node = vrm_avatar_find_gltf_node(avatar, (uint32_t)node);
    return read_keys(gltf, input, number_at(gltf, pointer), out);
}

void scene_glb_motion_end(scene_glb_motion *motion)
{
    for (uint32_t i = 0; motion != NULL && i < motion->count; ++i) {
        free(motion->items[i].times);
        free(motion->items[i].values);
    }
    if (motion != NULL) {
        free(motion->items);
    }
    free(motion);
}

static vrm_result read_channels(const vrm_gltf *gltf, const vrm_avatar *avatar, scene_glb_motion *out)
{
    char pointer[64];
    vrm_string text;
    vrm_result result = VRM_SUCCESS;
    while (result == VRM_SUCCESS &&
           word_at(gltf, vrmi_format(pointer, sizeof pointer, "/animations/0/channels/%u", out->count), &text)) {
        channel *items = realloc(out->items, (out->count + 1) * sizeof *items);
        if (items == NULL) {
            return VRM_ERROR_OUT_OF_MEMORY;
        }
        out->items = items;
        result = read_channel(gltf, avatar, out->count, &items[out->count]);
        ++out->count;
    }
    return result == VRM_SUCCESS && out->count == 0 ? VRM_ERROR_NOT_FOUND : result;
}

// Returns the value at a time by the rules of glTF: constant before the first and after the last key, with rotations
// along the shorter way.
static void sample(const channel *c, float time, vrm_transform *out)
{
    uint32_t low = 0, high = c->count - 1;
    while (high - low > 1) {
        const uint32_t middle = (low + high) / 2;
        *(c->times[middle] <= time ? &low : &high) = middle;
    }
    const float span = c->times[high] - c->times[low];
    float t = span > 0.0f ? vrmi_clamp01((time - c->times[low]) / span) : 0.0f;
    t = c->step && t < 1.0f ? 0.0f : t;
    const uint32_t width = c->path == ROTATION ? 4 : 3;
    const float *a = &c->values[(size_t)low * width], *b = &c->values[(size_t)high * width];
    if (c->path == ROTATION) {
        const vrm_quat from = {a[0], a[1], a[2], a[3]}, to = {b[0], b[1], b[2], b[3]};
        out->rotation = vrmi_quat_slerp(from, to, t);
        return;
    }
    const vrm_vec3 value = vrmi_vec3_lerp(vrmi_vec3(a[0], a[1], a[2]), vrmi_vec3(b[0], b[1], b[2]), t);
    *(c->path == TRANSLATION ? &out->translation : &out->scale) = value;
}

vrm_result scene_glb_motion_begin(const vrm_gltf *gltf, const vrm_avatar *avatar, scene_glb_motion **out)
{
    *out = calloc(1, sizeof **out);
    if (*out == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    const vrm_result result = read_channels(gltf, avatar, *out);
    if (result != VRM_SUCCESS) {
        scene_glb_motion_end(*out);
        *out = NULL;
    }
    return result;
}

double scene_glb_motion_duration(const scene_glb_motion *motion)
{
    float end = 0.0f;
    for (uint32_t i = 0; i < motion->count; ++i) {
        const channel *c = &motion->items[i];
        end = c->node >= 0 ? fmaxf(end, c->times[c->count - 1]) : end;
    }
    return (double)end;
}

vrm_result scene_glb_motion_apply(const scene_glb_motion *motion, vrm_instance *instance, double seconds)
{
    for (uint32_t i = 0; i < motion->count; ++i) {
        const channel *c = &motion->items[i];
        vrm_transform local;
        if (c->node < 0 || vrm_instance_get_local(instance, (uint32_t)c->node, &local) != VRM_SUCCESS) {
            continue;
        }
        sample(c, (float)seconds, &local);
        const vrm_result result = vrm_instance_set_local(instance, (uint32_t)c->node, &local);
        if (result != VRM_SUCCESS) {
            return result;
        }
    }
    return VRM_SUCCESS;
}

static vrm_result play(const scene_glb_motion *motion, vrm_instance *instance, double rate, scene_meter *meter)
{
    const uint32_t frames = (uint32_t)(scene_glb_motion_duration(motion) * rate + 0.5) + 1;
    vrm_update_params params;
    vrm_update_params_default(&params);
    params.stages = VRM_STAGE_POSE | VRM_STAGE_OUTPUT;
    for (uint32_t frame = 0; frame < frames; ++frame) {
        const vrm_result result = scene_glb_motion_apply(motion, instance, (double)frame / rate);
        if (result != VRM_SUCCESS) {
            return result;
        }
        vrm_update(instance, &params);
        if (!scene_meter_add(meter, instance, NULL)) {
            return VRM_ERROR_OUT_OF_MEMORY;
        }
    }
    return VRM_SUCCESS;
}

vrm_result scene_glb_motion_measure(const vrm_gltf *gltf, const vrm_avatar *avatar, double rate, scene_meter *meter)
{
    scene_glb_motion *motion = NULL;
    vrm_result result = scene_glb_motion_begin(gltf, avatar, &motion);
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = avatar;
    def.hair_inputs = true;
    vrm_instance *instance = NULL;
    result = result == VRM_SUCCESS ? vrm_instance_create(&def, &instance) : result;
    if (result == VRM_SUCCESS) {
        result = play(motion, instance, rate, meter);
    }
    vrm_instance_destroy(instance);
    scene_glb_motion_end(motion);
    return result;
}
