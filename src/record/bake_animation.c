// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Writes recorded frames as a glTF animation into the document: one buffer view with the times and the values of all
// channels, and one accessor and sampler per channel. A channel is written only for values that change or differ from
// the file.

#include <string.h>

#include "base/report.h"
#include "base/text.h"
#include "math/quat.h"
#include "record/recorder.h"

// A glTF animation under construction.
typedef struct baker {
    const vrm_recorder *recorder;
    vrm_gltf *gltf;
    vrm_report *report;
    vrmi_array data; // floats: times, then values
    vrmi_text accessors, samplers, channels;
    uint32_t view;           // index of the buffer view for the data
    uint32_t accessor_count; // number of accessors in the whole document, including new ones
    uint32_t sampler_count;
    int32_t single_time; // accessor that has only the first time; -1: not yet written
    uint32_t time_accessor;
    bool out_of_memory;
    bool uses_pointer, uses_transform;
} baker;

static uint32_t frame_count(const baker *b)
{
    return b->recorder->times.count;
}

static const float *frame_at(const baker *b, uint32_t frame)
{
    return (const float *)b->recorder->frames.items + (size_t)frame * b->recorder->row;
}

static void push_floats(baker *b, const float *values, uint32_t count)
{
    if (!vrmi_array_reserve(&b->data, &b->recorder->allocator, count)) {
        b->out_of_memory = true;
        return;
    }
    memcpy((float *)b->data.items + b->data.count, values, count * sizeof(float));
    b->data.count += count;
}

static void comma(vrmi_text *text, uint32_t before)
{
    if (before > 0) {
        vrmi_text_add_string(text, ",");
    }
}

// Adds an accessor over data that starts at float `first`; returns its index.
static uint32_t add_accessor(baker *b, uint32_t first, uint32_t count, const char *type, const float *time_range)
{
    comma(&b->accessors, b->accessor_count);
    vrmi_text_format(&b->accessors,
        "{\"bufferView\":%u,\"byteOffset\":%u,\"componentType\":5126,\"count\":%u,\"type\":\"%s\"", b->view,
        first * (uint32_t)sizeof(float), count, type);
    if (time_range != NULL) {
        vrmi_text_add_string(&b->accessors, ",\"min\":[");
        vrmi_text_add_float(&b->accessors, time_range[0]);
        vrmi_text_add_string(&b->accessors, "],\"max\":[");
        vrmi_text_add_float(&b->accessors, time_range[1]);
        vrmi_text_add_string(&b->accessors, "]");
    }
    vrmi_text_add_string(&b->accessors, "}");
    return b->accessor_count++;
}

static void add_times(baker *b)
{
    const double *times = b->recorder->times.items;
    for (uint32_t i = 0; i < frame_count(b); ++i) {
        const float time = (float)times[i];
        push_floats(b, &time, 1);
    }
    const float range[2] = {(float)times[0], (float)times[frame_count(b) - 1]};
    b->time_accessor = add_accessor(b, 0, frame_count(b), "SCALAR", range);
}

static uint32_t single_time(baker *b)
{
    if (b->single_time < 0) {
        const float time = (float)((const double *)b->recorder->times.items)[0];
        const float range[2] = {time, time};
        b->single_time = (int32_t)add_accessor(b, 0, 1, "SCALAR", range);
    }
    return (uint32_t)b->single_time;
}

// The position of a channel's values in each frame's row.
typedef struct channel_source {
    uint32_t offset; // in floats, from the row's start
    uint32_t width;  // in floats, per frame
    bool rotation;   // a quaternion, whose sign must be the one nearer to the previous frame
    const char *type;
    uint32_t elements; // accessor elements per frame; each morph weight is one element
} channel_source;

static bool moves(const baker *b, const channel_source *source)
{
    const float *first = frame_at(b, 0) + source->offset;
    for (uint32_t i = 1; i < frame_count(b); ++i) {
        if (memcmp(first, frame_at(b, i) + source->offset, source->width * sizeof(float)) != 0) {
            return true;
        }
    }
    return false;
}

// Adds a sampler over the values and returns its index. The sampler has all frames if the values change, otherwise one
// key.
static uint32_t add_sampler(baker *b, const channel_source *source, bool moving)
{
    const uint32_t frames = moving ? frame_count(b) : 1;
    const uint32_t first = b->data.count;
    vrm_quat last = {0.0f, 0.0f, 0.0f, 1.0f};
    for (uint32_t i = 0; i < frames; ++i) {
        const float *values = frame_at(b, i) + source->offset;
        vrm_quat q;
        if (source->rotation) {
            memcpy(&q, values, sizeof q);
            q = vrmi_quat_normalize(q);
            if (i > 0 && vrmi_quat_dot(q, last) < 0.0f) {
                q = (vrm_quat){-q.x, -q.y, -q.z, -q.w};
            }
            last = q;
            values = &q.x;
        }
        push_floats(b, values, source->width);
    }
    const uint32_t output = add_accessor(b, first, frames * source->elements, source->type, NULL);
    const uint32_t input = moving ? b->time_accessor : single_time(b);
    comma(&b->samplers, b->sampler_count);
    vrmi_text_format(&b->samplers, "{\"input\":%u,\"output\":%u}", input, output);
    return b->sampler_count++;
}

static void add_node_channel(baker *b, const channel_source *source, const char *path, uint32_t gltf_node, bool moving)
{
    const uint32_t sampler = add_sampler(b, source, moving);
    comma(&b->channels, sampler);
    vrmi_text_format(
        &b->channels, "{\"sampler\":%u,\"target\":{\"node\":%u,\"path\":\"%s\"}}", sampler, gltf_node, path);
}

static void add_pointer_channel(baker *b, const channel_source *source, const char *pointer, bool moving)
{
    const uint32_t sampler = add_sampler(b, source, moving);
    comma(&b->channels, sampler);
    vrmi_text_format(&b->channels,
        "{\"sampler\":%u,\"target\":{\"path\":\"pointer\",\"extensions\":{\"KHR_animation_pointer\":{\"pointer\":\"%"
        "s\"}}}}",
        sampler, pointer);
    b->uses_pointer = true;
}

// An animated node must not have a matrix. The matrix is replaced by translation, rotation and scale.
static vrm_result replace_matrix(baker *b, const vrm_node *node)
{
    char pointer[64];
    vrm_string text;
    vrmi_format(pointer, sizeof pointer, "/nodes/%u/matrix", node->gltf_node);
    if (vrm_gltf_get_json(b->gltf, pointer, &text) != VRM_SUCCESS) {
        return VRM_SUCCESS;
    }
    vrm_result result = vrm_gltf_remove_json(b->gltf, pointer);
    const struct {
        const char *key;
        const float *values;
        uint32_t count;
    } parts[] = {{"translation", &node->rest.translation.x, 3}, {"rotation", &node->rest.rotation.x, 4},
        {"scale", &node->rest.scale.x, 3}};
    for (uint32_t i = 0; i < 3 && result == VRM_SUCCESS; ++i) {
        vrmi_text value;
        vrmi_text_init(&value, &b->recorder->allocator);
        for (uint32_t k = 0; k < parts[i].count; ++k) {
            vrmi_text_add_string(&value, k == 0 ? "[" : ",");
            vrmi_text_add_float(&value, parts[i].values[k]);
        }
        vrmi_text_add_string(&value, "]");
        vrmi_format(pointer, sizeof pointer, "/nodes/%u/%s", node->gltf_node, parts[i].key);
        result = value.failed ? VRM_ERROR_OUT_OF_MEMORY : vrm_gltf_set_json(b->gltf, pointer, value.data, value.size);
        vrmi_text_free(&value);
    }
    return result;
}

static vrm_result add_nodes(baker *b)
{
    static const struct {
        const char *path, *type;
        uint32_t offset, width;
    } parts[] = {{"translation", "VEC3", 0, 3}, {"rotation", "VEC4", 3, 4}, {"scale", "VEC3", 7, 3}};
    for (uint32_t i = 0; i < b->recorder->counts.nodes; ++i) {
        vrm_node node = {.struct_size = sizeof node};
        (void)vrm_avatar_get_node(b->recorder->avatar, i, &node);
        bool animated = false;
        for (uint32_t p = 0; p < 3; ++p) {
            const channel_source source = {
                i * VRMI_RECORD_NODE_FLOATS + parts[p].offset, parts[p].width, p == 1, parts[p].type, 1};
            const float *rest = (const float *)(const void *)&node.rest + parts[p].offset;
            const bool moving = moves(b, &source);
            if (moving || memcmp(rest, frame_at(b, 0) + source.offset, source.width * sizeof(float)) != 0) {
                add_node_channel(b, &source, parts[p].path, node.gltf_node, moving);
                animated = true;
            }
        }
        const vrm_result result = animated ? replace_matrix(b, &node) : VRM_SUCCESS;
        if (result != VRM_SUCCESS) {
            return result;
        }
    }
    return VRM_SUCCESS;
}

static void add_morphs(baker *b)
{
    const uint32_t morphs = b->recorder->counts.nodes * VRMI_RECORD_NODE_FLOATS;
    for (uint32_t i = 0; i < b->recorder->counts.meshes; ++i) {
        vrm_mesh_node mesh = {.struct_size = sizeof mesh};
        vrm_node node = {.struct_size = sizeof node};
        (void)vrm_avatar_get_mesh_node(b->recorder->avatar, i, &mesh);
        if (mesh.morph_count == 0) {
            continue;
        }
        (void)vrm_avatar_get_node(b->recorder->avatar, mesh.node, &node);
        const channel_source source = {morphs + mesh.first_morph, mesh.morph_count, false, "SCALAR", mesh.morph_count};
        const bool moving = moves(b, &source);
        bool standing = false;
        for (uint32_t k = 0; k < mesh.morph_count; ++k) {
            standing = standing || frame_at(b, 0)[source.offset + k] != 0.0f;
        }
        if (moving || standing) {
            add_node_channel(b, &source, "weights", node.gltf_node, moving);
        }
    }
}

typedef struct color_target {
    const char *pointer; // path below the material
    const char *option;  // name in expressions
    uint32_t components;
} color_target;

static const color_target color_targets[VRM_MATERIAL_COLOR_COUNT] = {
    {"pbrMetallicRoughness/baseColorFactor", "color", 4},
    {"emissiveFactor", "emissionColor", 3},
    {"extensions/VRMC_materials_mtoon/shadeColorFactor", "shadeColor", 3},
    {"extensions/VRMC_materials_mtoon/matcapFactor", "matcapColor", 3},
    {"extensions/VRMC_materials_mtoon/parametricRimColorFactor", "rimColor", 3},
    {"extensions/VRMC_materials_mtoon/outlineColorFactor", "outlineColor", 3},
};

// Paths, below the material, of textures that are sampled by UVs. NULL for the matcap, which UVs do not sample.
static const char *const texture_pointers[VRM_TEXTURE_SLOT_COUNT] = {
    "pbrMetallicRoughness/baseColorTexture",
    "pbrMetallicRoughness/metallicRoughnessTexture",
    "normalTexture",
    "occlusionTexture",
    "emissiveTexture",
    "extensions/VRMC_materials_mtoon/shadeMultiplyTexture",
    "extensions/VRMC_materials_mtoon/shadingShiftTexture",
    NULL,
    "extensions/VRMC_materials_mtoon/rimMultiplyTexture",
    "extensions/VRMC_materials_mtoon/outlineWidthMultiplyTexture",
    "extensions/VRMC_materials_mtoon/uvAnimationMaskTexture",
};

static void report_not_baked(baker *b, uint32_t material, const char *what)
{
    char path[64];
    vrmi_format(path, sizeof path, "/materials/%u", material);
    vrmi_report(b->report, VRM_FINDING_ANIMATION_NOT_BAKED, path, what, "a value that core glTF can animate");
}

static void add_material_colors(baker *b, uint32_t material, uint32_t row)
{
    for (uint32_t c = 0; c < VRM_MATERIAL_COLOR_COUNT; ++c) {
        const channel_source source = {
            row + 4 * c, color_targets[c].components, false, color_targets[c].components == 4 ? "VEC4" : "VEC3", 1};
        if (!moves(b, &source)) {
            continue;
        }
        if (!b->recorder->pointers) {
            report_not_baked(b, material, color_targets[c].option);
            continue;
        }
        char pointer[128];
        vrmi_format(pointer, sizeof pointer, "/materials/%u/%s", material, color_targets[c].pointer);
        add_pointer_channel(b, &source, pointer, true);
    }
}

// Adds the final scale and offset of one texture in every frame, as two channels.
static vrm_result add_texture_transform(
    baker *b, uint32_t material, uint32_t row, const vrm_texture *texture, const char *below)
{
    static const char *const keys[2] = {"scale", "offset"};
    char pointer[192];
    vrmi_format(pointer, sizeof pointer, "/materials/%u/%s/extensions/KHR_texture_transform", material, below);
    vrm_string text;
    if (vrm_gltf_get_json(b->gltf, pointer, &text) != VRM_SUCCESS) {
        const vrm_result result = vrm_gltf_set_json(b->gltf, pointer, "{}", 2);
        if (result != VRM_SUCCESS) {
            return result;
        }
        b->uses_transform = true;
    }
    const float *base[2] = {texture->transform.scale, texture->transform.offset};
    for (uint32_t k = 0; k < 2; ++k) {
        const uint32_t first = b->data.count;
        for (uint32_t i = 0; i < frame_count(b); ++i) {
            const float *uv = frame_at(b, i) + row + 4 * VRM_MATERIAL_COLOR_COUNT;
            const float value[2] = {uv[0] * base[k][0] + uv[1 + 2 * k], uv[0] * base[k][1] + uv[2 + 2 * k]};
            push_floats(b, value, 2);
        }
        const uint32_t output = add_accessor(b, first, frame_count(b), "VEC2", NULL);
        comma(&b->samplers, b->sampler_count);
        vrmi_text_format(&b->samplers, "{\"input\":%u,\"output\":%u}", b->time_accessor, output);
        comma(&b->channels, b->sampler_count);
        vrmi_text_format(&b->channels,
            "{\"sampler\":%u,\"target\":{\"path\":\"pointer\",\"extensions\":{\"KHR_animation_pointer\":{\"pointer\":"
            "\"%s/%s\"}}}}",
            b->sampler_count, pointer, keys[k]);
        b->sampler_count++;
        b->uses_pointer = true;
    }
    return VRM_SUCCESS;
}

static vrm_result add_materials(baker *b)
{
    const vrm_avatar_counts *counts = &b->recorder->counts;
    for (uint32_t m = 0; m < counts->materials; ++m) {
        const uint32_t row = counts->nodes * VRMI_RECORD_NODE_FLOATS + counts->morphs + m * VRMI_RECORD_MATERIAL_FLOATS;
        add_material_colors(b, m, row);
        const channel_source uv = {row + 4 * VRM_MATERIAL_COLOR_COUNT, 5, false, "SCALAR", 5};
        if (!moves(b, &uv)) {
            continue;
        }
        if (!b->recorder->pointers) {
            report_not_baked(b, m, "texture transform");
            continue;
        }
        vrm_material material = {.struct_size = sizeof material};
        (void)vrm_avatar_get_material(b->recorder->avatar, m, &material);
        for (uint32_t slot = 0; slot < VRM_TEXTURE_SLOT_COUNT; ++slot) {
            const vrm_texture *texture = &material.params.textures[slot];
            if (texture->index >= 0 && texture_pointers[slot] != NULL) {
                const vrm_result result = add_texture_transform(b, m, row, texture, texture_pointers[slot]);
                if (result != VRM_SUCCESS) {
                    return result;
                }
            }
        }
    }
    return VRM_SUCCESS;
}

// Sets a top-level array to its old text followed by more elements.
static vrm_result append_elements(baker *b, const char *pointer, const vrmi_text *elements, bool comma_first)
{
    vrmi_text all;
    vrmi_text_init(&all, &b->recorder->allocator);
    vrm_string old;
    if (vrm_gltf_get_json(b->gltf, pointer, &old) == VRM_SUCCESS && old.length > 1) {
        vrmi_text_add(&all, old.data, old.length - 1); // without the closing bracket
        vrmi_text_add_string(&all, comma_first ? "," : "");
    } else {
        vrmi_text_add_string(&all, "[");
    }
    vrmi_text_add(&all, elements->data, elements->size);
    vrmi_text_add_string(&all, "]");
    const vrm_result result =
        all.failed ? VRM_ERROR_OUT_OF_MEMORY : vrm_gltf_set_json(b->gltf, pointer, all.data, all.size);
    vrmi_text_free(&all);
    return result;
}

static vrm_result use_extension(baker *b, const char *name)
{
    vrmi_text element;
    vrmi_text_init(&element, &b->recorder->allocator);
    vrmi_text_format(&element, "\"%s\"", name);
    vrm_result result = element.failed ? VRM_ERROR_OUT_OF_MEMORY : VRM_SUCCESS;
    vrm_string used = {NULL, 0};
    const bool any = vrm_gltf_get_json(b->gltf, "/extensionsUsed", &used) == VRM_SUCCESS && used.length > 2;
    bool there = false;
    for (uint32_t i = 0; result == VRM_SUCCESS && any && i + element.size <= used.length && !there; ++i) {
        there = memcmp(used.data + i, element.data, element.size) == 0;
    }
    if (result == VRM_SUCCESS && !there) {
        result = append_elements(b, "/extensionsUsed", &element, any);
    }
    vrmi_text_free(&element);
    return result;
}

static vrm_result write_document(baker *b)
{
    uint32_t view;
    vrm_result result = vrm_gltf_append_buffer_view(b->gltf, b->data.items, b->data.count * sizeof(float), &view);
    if (result == VRM_SUCCESS) {
        // No comma is added here: elements are numbered from the document's count, so the text already begins with a
        // comma if one is needed.
        result = append_elements(b, "/accessors", &b->accessors, false);
    }
    if (result != VRM_SUCCESS) {
        return result;
    }
    vrmi_text animation;
    vrmi_text_init(&animation, &b->recorder->allocator);
    vrmi_text_add_string(&animation, "{\"name\":");
    vrmi_text_add_json_string(&animation, b->recorder->name, b->recorder->name_size - 1);
    vrmi_text_add_string(&animation, ",\"samplers\":[");
    vrmi_text_add(&animation, b->samplers.data, b->samplers.size);
    vrmi_text_add_string(&animation, "],\"channels\":[");
    vrmi_text_add(&animation, b->channels.data, b->channels.size);
    vrmi_text_add_string(&animation, "]}");
    result = animation.failed ? VRM_ERROR_OUT_OF_MEMORY
                              : vrm_gltf_set_json(b->gltf, "/animations/-", animation.data, animation.size);
    vrmi_text_free(&animation);
    if (result == VRM_SUCCESS && b->uses_pointer) {
        result = use_extension(b, "KHR_animation_pointer");
    }
    if (result == VRM_SUCCESS && b->uses_transform) {
        result = use_extension(b, "KHR_texture_transform");
    }
    return result;
}

// Whether elements were appended to an array since the document was loaded. In that case the array's count does not
// give the indices of new elements.
static bool array_has_grown(const vrm_gltf *gltf, const char *name, vrm_gltf_array array)
{
    char pointer[64];
    vrm_string text;
    vrmi_format(pointer, sizeof pointer, "/%s/%u", name, vrm_gltf_get_count(gltf, array));
    return vrm_gltf_get_json(gltf, pointer, &text) == VRM_SUCCESS;
}

vrm_result vrm_recorder_write(const vrm_recorder *recorder, vrm_gltf *gltf, vrm_report *report)
{
    if (recorder == NULL || gltf == NULL || recorder->times.count == 0 ||
        vrm_gltf_get_count(gltf, VRM_GLTF_NODES) != recorder->counts.nodes ||
        array_has_grown(gltf, "bufferViews", VRM_GLTF_BUFFER_VIEWS) ||
        array_has_grown(gltf, "accessors", VRM_GLTF_ACCESSORS)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    // The accessors' byte offsets have 32 bits here. Only a recording of hours exceeds that.
    if ((uint64_t)recorder->times.count * (recorder->row + 1u) * sizeof(float) > UINT32_MAX) {
        return VRM_ERROR_LIMIT;
    }
    baker b = {.recorder = recorder,
        .gltf = gltf,
        .report = report,
        .data = {.item_size = sizeof(float)},
        .view = vrm_gltf_get_count(gltf, VRM_GLTF_BUFFER_VIEWS),
        .accessor_count = vrm_gltf_get_count(gltf, VRM_GLTF_ACCESSORS),
        .single_time = -1};
    vrmi_text_init(&b.accessors, &recorder->allocator);
    vrmi_text_init(&b.samplers, &recorder->allocator);
    vrmi_text_init(&b.channels, &recorder->allocator);
    add_times(&b);
    vrm_result result = add_nodes(&b);
    add_morphs(&b);
    result = result == VRM_SUCCESS ? add_materials(&b) : result;
    if (b.out_of_memory || b.accessors.failed || b.samplers.failed || b.channels.failed) {
        result = VRM_ERROR_OUT_OF_MEMORY;
    }
    // glTF requires at least one channel. If nothing moves, no animation is written, and this is not an error.
    if (result == VRM_SUCCESS && b.sampler_count > 0) {
        result = write_document(&b);
    }
    vrmi_text_free(&b.accessors);
    vrmi_text_free(&b.samplers);
    vrmi_text_free(&b.channels);
    vrmi_array_free(&b.data, &recorder->allocator);
    return result;
}
