// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "write.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct writer {
    const struct aiScene *scene;
    const skeleton *skeleton;
    vrmi_text json, floats, accessors, samplers, channels;
    uint32_t accessor_count, sampler_count;
} writer;

static void add_floats(vrmi_text *json, const char *name, const float *values, uint32_t count)
{
    vrmi_text_format(json, ",\"%s\":[", name);
    for (uint32_t i = 0; i < count; ++i) {
        vrmi_text_add_string(json, i > 0 ? "," : "");
        vrmi_text_add_float(json, values[i] - values[i] == 0.0f ? values[i] : 0.0f);
    }
    vrmi_text_add_string(json, "]");
}

static void add_children(writer *w, int32_t parent)
{
    bool any = false;
    for (uint32_t i = 0; i < w->skeleton->count; ++i) {
        if (w->skeleton->bones[i].parent == parent) {
            vrmi_text_format(&w->json, any ? ",%u" : ",\"children\":[%u", i);
            any = true;
        }
    }
    vrmi_text_add_string(&w->json, any ? "]" : "");
}

// Writes the bones in index order, then a node above them all that converts the file's units to metres.
static void add_nodes(writer *w)
{
    vrmi_text_add_string(&w->json, ",\"nodes\":[");
    for (uint32_t i = 0; i < w->skeleton->count; ++i) {
        const bone *b = &w->skeleton->bones[i];
        bone_key rest;
        bone_rest(b, &rest);
        const float place[3] = {rest.position.x, rest.position.y, rest.position.z};
        const float turn[4] = {rest.rotation.x, rest.rotation.y, rest.rotation.z, rest.rotation.w};
        const float size[3] = {rest.scale.x, rest.scale.y, rest.scale.z};
        vrmi_text_add_string(&w->json, "{\"name\":");
        vrmi_text_add_json_string(&w->json, b->node->mName.data, strlen(b->node->mName.data));
        add_floats(&w->json, "translation", place, 3);
        add_floats(&w->json, "rotation", turn, 4);
        add_floats(&w->json, "scale", size, 3);
        add_children(w, (int32_t)i);
        vrmi_text_add_string(&w->json, "},");
    }
    const float unit[3] = {w->skeleton->unit, w->skeleton->unit, w->skeleton->unit};
    vrmi_text_add_string(&w->json, "{\"name\":\"metres\"");
    add_floats(&w->json, "scale", unit, 3);
    add_children(w, -1);
    vrmi_text_add_string(&w->json, "}]");
}

// --- animations ------------------------------------------------------------------------------------------------------

static uint32_t add_accessor(writer *w, const char *type, size_t offset, uint32_t count)
{
    vrmi_text_format(&w->accessors,
        "%s{\"bufferView\":0,\"byteOffset\":%zu,\"componentType\":5126,\"count\":%u,\"type\":\"%s\"",
        w->accessor_count > 0 ? "," : "", offset, count, type);
    return w->accessor_count++;
}

// Writes `width` floats of each key as an accessor; `from` is their byte offset in the key.
static uint32_t add_values(
    writer *w, const char *type, uint32_t width, const bone_key *keys, uint32_t count, size_t from)
{
    const size_t offset = w->floats.size;
    for (uint32_t k = 0; k < count; ++k) {
        float values[4];
        memcpy(values, (const char *)&keys[k] + from, width * sizeof(float));
        if (width == 4) { // assimp stores w first
            memcpy(values, (const float[]){values[1], values[2], values[3], values[0]}, sizeof values);
        }
        vrmi_text_add(&w->floats, (const char *)values, width * sizeof(float));
    }
    const uint32_t accessor = add_accessor(w, type, offset, count);
    if (width == 1) {
        add_floats(&w->accessors, "min", &keys[0].time, 1);
        add_floats(&w->accessors, "max", &keys[count - 1].time, 1);
    }
    vrmi_text_add_string(&w->accessors, "}");
    return accessor;
}

static void add_channel(writer *w, uint32_t node, const char *path, uint32_t input, uint32_t output)
{
    const char *comma = w->sampler_count > 0 ? "," : "";
    vrmi_text_format(&w->samplers, "%s{\"input\":%u,\"output\":%u}", comma, input, output);
    vrmi_text_format(&w->channels, "%s{\"sampler\":%u,\"target\":{\"node\":%u,\"path\":\"%s\"}}", comma,
        w->sampler_count++, node, path);
}

// Returns true if the bone's translation changes. Only the hips and their ancestors normally do; the other bones keep
// their offset from the parent, and their translations are not written.
static bool moves(const bone_key *keys, uint32_t count)
{
    bool any = false;
    for (uint32_t k = 1; k < count; ++k) {
        const struct aiVector3D a = keys[0].position, b = keys[k].position;
        any = any || (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z) > 1e-10f;
    }
    return any;
}

static void add_animation(writer *w, const struct aiAnimation *animation)
{
    vrmi_text_init(&w->samplers, NULL);
    vrmi_text_init(&w->channels, NULL);
    w->sampler_count = 0;
    for (uint32_t i = 0; i < w->skeleton->count; ++i) {
        uint32_t count;
        bone_key *keys = bone_keys(&w->skeleton->bones[i], animation, &count);
        w->json.failed = w->json.failed || (keys == NULL && count != 0);
        if (keys == NULL) {
            continue;
        }
        const uint32_t input = add_values(w, "SCALAR", 1, keys, count, offsetof(bone_key, time));
        add_channel(w, i, "rotation", input, add_values(w, "VEC4", 4, keys, count, offsetof(bone_key, rotation)));
        if (moves(keys, count)) {
            add_channel(
                w, i, "translation", input, add_values(w, "VEC3", 3, keys, count, offsetof(bone_key, position)));
        }
        free(keys);
    }
    if (w->sampler_count > 0) {
        const bool first = w->json.size > 0 && w->json.data[w->json.size - 1] == '[';
        vrmi_text_add_string(&w->json, first ? "{\"name\":" : ",{\"name\":");
        vrmi_text_add_json_string(&w->json, animation->mName.data, strlen(animation->mName.data));
        vrmi_text_format(&w->json, ",\"samplers\":[%s],\"channels\":[%s]}", w->samplers.data, w->channels.data);
    }
    w->json.failed = w->json.failed || w->samplers.failed || w->channels.failed;
    vrmi_text_free(&w->samplers);
    vrmi_text_free(&w->channels);
}

static void add_chunk(vrmi_text *out, const char *type, vrmi_text *data, const char *padding)
{
    while (data->size % 4 != 0 && !data->failed) {
        vrmi_text_add(data, padding, 1);
    }
    const uint32_t size = (uint32_t)data->size;
    const unsigned char head[4] = {
        (unsigned char)size, (unsigned char)(size >> 8), (unsigned char)(size >> 16), (unsigned char)(size >> 24)};
    vrmi_text_add(out, (const char *)head, 4);
    vrmi_text_add(out, type, 4);
    vrmi_text_add(out, data->data, data->size);
    out->failed = out->failed || data->failed;
}

bool write_motion(const struct aiScene *scene, const skeleton *s, vrmi_text *out)
{
    writer w = {.scene = scene, .skeleton = s};
    vrmi_text_init(&w.json, NULL);
    vrmi_text_init(&w.floats, NULL);
    vrmi_text_init(&w.accessors, NULL);
    vrmi_text_format(&w.json, "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[%u]}]", s->count);
    add_nodes(&w);
    vrmi_text_add_string(&w.json, ",\"animations\":[");
    for (unsigned i = 0; i < scene->mNumAnimations; ++i) {
        add_animation(&w, scene->mAnimations[i]);
    }
    vrmi_text_format(&w.json,
        "],\"accessors\":[%s],\"bufferViews\":[{\"buffer\":0,\"byteLength\":%zu}],\"buffers\":[{\"byteLength\":%zu}]}",
        w.accessors.data != NULL ? w.accessors.data : "", w.floats.size, w.floats.size);
    const bool any = w.floats.size > 0;
    vrmi_text body;
    vrmi_text_init(&body, NULL);
    add_chunk(&body, "JSON", &w.json, " ");
    add_chunk(&body, "BIN\0", &w.floats, "");
    const uint32_t size = (uint32_t)body.size + 12;
    const unsigned char head[8] = {2, 0, 0, 0, (unsigned char)size, (unsigned char)(size >> 8),
        (unsigned char)(size >> 16), (unsigned char)(size >> 24)};
    vrmi_text_add_string(out, "glTF");
    vrmi_text_add(out, (const char *)head, sizeof head);
    vrmi_text_add(out, body.data, body.size);
    out->failed = out->failed || body.failed || w.accessors.failed || body.size > UINT32_MAX - 12;
    vrmi_text_free(&body);
    vrmi_text_free(&w.json);
    vrmi_text_free(&w.floats);
    vrmi_text_free(&w.accessors);
    return any;
}
