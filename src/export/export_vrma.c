// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Writes a clip as VRMC_vrm_animation-1.0. Its nodes have no rest rotations, so a node's rotation is the normalised
// rotation of its bone.

#include <string.h>

#include "base/abi.h"
#include "base/checks.h"
#include "base/text.h"
#include "math/vec3.h"
#include "model/clip.h"

typedef struct vrma_writer {
    const vrm_clip *clip;
    vrm_allocator allocator;
    vrmi_array data; // floats: the contents of the BIN chunk
    vrmi_text accessors, samplers, channels, json;
    uint32_t accessor_count, sampler_count;
    uint32_t node_count;
    int32_t bone_node[VRM_HUMAN_BONE_COUNT];
    uint32_t first_expression; // node index
    int32_t gaze_node;
    // The times that were written last, to be shared by tracks with the same times.
    uint32_t times_first, times_count, times_accessor;
    bool out_of_memory;
} vrma_writer;

void(vrm_clip_write_params_default)(vrm_clip_write_params *def, size_t size)
{
    const vrm_clip_write_params own = {.struct_size = sizeof own, .rate = 30.0f, .unit = 0.01f};
    vrmi_write_defaults(def, size, &own, sizeof own);
}

static bool is_eye(int32_t bone)
{
    return bone == VRM_HUMAN_BONE_LEFT_EYE || bone == VRM_HUMAN_BONE_RIGHT_EYE;
}

static bool has_bone(const vrma_writer *w, int32_t bone)
{
    return !is_eye(bone) && (w->clip->head.skeleton >> bone & 1u) != 0;
}

static int32_t parent_bone(const vrma_writer *w, int32_t bone)
{
    do {
        bone = vrm_human_bone_parent((vrm_human_bone)bone);
    } while (bone >= 0 && !has_bone(w, bone));
    return bone;
}

static uint32_t push_floats(vrma_writer *w, const float *values, uint32_t count)
{
    const uint32_t at = w->data.count;
    if (!vrmi_array_reserve(&w->data, &w->allocator, count)) {
        w->out_of_memory = true;
        return 0;
    }
    memcpy((float *)w->data.items + at, values, count * sizeof(float));
    w->data.count += count;
    return at;
}

static uint32_t add_accessor(vrma_writer *w, uint32_t first, uint32_t count, const char *type)
{
    vrmi_text_format(&w->accessors,
        "%s{\"bufferView\":0,\"byteOffset\":%llu,\"componentType\":5126,\"count\":%u,\"type\":\"%s\"",
        w->accessor_count > 0 ? "," : "", (unsigned long long)first * sizeof(float), count, type);
    return w->accessor_count++;
}

static uint32_t add_times(vrma_writer *w, const vrmi_clip_track *track)
{
    const float *times = w->clip->floats + track->times;
    const uint32_t count = track->key_count;
    if (w->times_count == count && !w->out_of_memory &&
        memcmp((const float *)w->data.items + w->times_first, times, count * sizeof(float)) == 0) {
        return w->times_accessor;
    }
    w->times_first = push_floats(w, times, count);
    w->times_count = count;
    w->times_accessor = add_accessor(w, w->times_first, count, "SCALAR");
    vrmi_text_add_string(&w->accessors, ",\"min\":[");
    vrmi_text_add_float(&w->accessors, times[0]);
    vrmi_text_add_string(&w->accessors, "],\"max\":[");
    vrmi_text_add_float(&w->accessors, times[count - 1]);
    vrmi_text_add_string(&w->accessors, "]}");
    return w->times_accessor;
}

static void add_track(vrma_writer *w, const vrmi_clip_track *track, uint32_t node)
{
    static const char *const interpolations[] = {"STEP", "LINEAR", "CUBICSPLINE"};
    const bool rotation = vrmi_track_is_quat(track->kind), weight = track->kind == VRMI_TRACK_EXPRESSION;
    const uint32_t parts = track->interpolation == VRMI_CUBIC ? 3 : 1;
    const uint32_t times = add_times(w, track);
    const float *values = w->clip->floats + track->values;
    uint32_t first = w->data.count;
    if (weight) { // a weight is stored as x of a translation
        for (uint32_t i = 0; i < track->key_count * parts; ++i) {
            const float v[3] = {values[i], 0.0f, 0.0f};
            push_floats(w, v, 3);
        }
    } else {
        first = push_floats(w, values, track->key_count * vrmi_track_stride(track));
    }
    const uint32_t output = add_accessor(w, first, track->key_count * parts, rotation ? "VEC4" : "VEC3");
    vrmi_text_add_string(&w->accessors, "}");
    const char *between = w->sampler_count > 0 ? "," : "";
    vrmi_text_format(&w->samplers, "%s{\"input\":%u,\"output\":%u,\"interpolation\":\"%s\"}", between, times, output,
        interpolations[track->interpolation]);
    vrmi_text_format(&w->channels, "%s{\"sampler\":%u,\"target\":{\"node\":%u,\"path\":\"%s\"}}", between,
        w->sampler_count, node, rotation ? "rotation" : "translation");
    ++w->sampler_count;
}

static void add_tracks(vrma_writer *w)
{
    const vrm_clip *clip = w->clip;
    for (uint32_t i = 0; i < clip->track_count; ++i) {
        const vrmi_clip_track *track = &clip->tracks[i];
        switch (track->kind) {
        case VRMI_TRACK_EXPRESSION:
            if (clip->expression_track[track->target] == (int32_t)i) {
                add_track(w, track, w->first_expression + track->target);
            }
            break;
        case VRMI_TRACK_GAZE:
            if (clip->gaze_track == (int32_t)i) {
                add_track(w, track, (uint32_t)w->gaze_node);
            }
            break;
        default: {
            const bool hips = track->kind == VRMI_TRACK_HIPS;
            const int32_t node = w->bone_node[hips ? VRM_HUMAN_BONE_HIPS : track->target];
            if (node >= 0 && (hips ? clip->hips_track : clip->bone_track[track->target]) == (int32_t)i) {
                add_track(w, track, (uint32_t)node);
            }
        }
        }
    }
}

// --- nodes -----------------------------------------------------------------------------------------------------------

static void add_vector(vrmi_text *text, vrm_vec3 v)
{
    const float values[3] = {v.x, v.y, v.z};
    for (int i = 0; i < 3; ++i) {
        vrmi_text_add_string(text, i == 0 ? "[" : ",");
        vrmi_text_add_float(text, values[i]);
    }
    vrmi_text_add_string(text, "]");
}

static void number_nodes(vrma_writer *w)
{
    for (int32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        w->bone_node[bone] = has_bone(w, bone) ? (int32_t)w->node_count++ : -1;
    }
    w->first_expression = w->node_count;
    w->node_count += w->clip->expression_count;
    w->gaze_node = w->clip->gaze_track >= 0 ? (int32_t)w->node_count++ : -1;
}

static void write_bone(vrma_writer *w, int32_t bone)
{
    const int32_t parent = parent_bone(w, bone);
    const vrm_vec3 *rest = w->clip->head.rest;
    const vrm_vec3 local = parent >= 0 ? vrmi_vec3_sub(rest[bone], rest[parent]) : rest[bone];
    vrmi_text_format(&w->json, "%s{\"name\":\"%s\",\"translation\":", w->bone_node[bone] > 0 ? "," : "",
        vrm_human_bone_name((vrm_human_bone)bone));
    add_vector(&w->json, local);
    const char *between = ",\"children\":[";
    bool any = false;
    for (int32_t child = bone + 1; child < VRM_HUMAN_BONE_COUNT; ++child) {
        if (has_bone(w, child) && parent_bone(w, child) == bone) {
            vrmi_text_format(&w->json, "%s%u", between, (unsigned)w->bone_node[child]);
            between = ",";
            any = true;
        }
    }
    vrmi_text_add_string(&w->json, any ? "]}" : "}");
}

static vrm_string expression_name(const vrma_writer *w, uint32_t expression)
{
    const vrmi_clip_expression *row = &w->clip->expressions[expression];
    return (vrm_string){w->clip->names + row->name, row->length};
}

static void write_nodes(vrma_writer *w)
{
    vrmi_text_add_string(&w->json, "\"nodes\":[");
    for (int32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        if (has_bone(w, bone)) {
            write_bone(w, bone);
        }
    }
    for (uint32_t i = 0; i < w->clip->expression_count; ++i) {
        const vrm_string name = expression_name(w, i);
        vrmi_text_format(&w->json, "%s{\"name\":", w->first_expression + i > 0 ? "," : "");
        vrmi_text_add_json_string(&w->json, name.data, name.length);
        vrmi_text_add_string(&w->json, "}");
    }
    if (w->gaze_node >= 0) {
        vrmi_text_format(&w->json, "%s{\"name\":\"lookAt\"}", w->gaze_node > 0 ? "," : "");
    }
    vrmi_text_add_string(&w->json, "],\"scene\":0,\"scenes\":[{\"nodes\":[");
    const char *between = "";
    for (uint32_t node = 0; node < w->node_count; ++node) {
        bool root = true;
        for (int32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
            root = root && (w->bone_node[bone] != (int32_t)node || parent_bone(w, bone) < 0);
        }
        if (root) {
            vrmi_text_format(&w->json, "%s%u", between, node);
            between = ",";
        }
    }
    vrmi_text_add_string(&w->json, "]}]");
}

static void write_expressions(vrma_writer *w, bool preset)
{
    const char *between = "";
    vrmi_text_format(&w->json, "\"%s\":{", preset ? "preset" : "custom");
    for (uint32_t i = 0; i < w->clip->expression_count; ++i) {
        if ((w->clip->expressions[i].preset >= 0) == preset) {
            const vrm_string name = expression_name(w, i);
            vrmi_text_add_string(&w->json, between);
            vrmi_text_add_json_string(&w->json, name.data, name.length);
            vrmi_text_format(&w->json, ":{\"node\":%u}", w->first_expression + i);
            between = ",";
        }
    }
    vrmi_text_add_string(&w->json, "}");
}

static void write_extension(vrma_writer *w)
{
    vrmi_text_add_string(&w->json,
        ",\"extensionsUsed\":[\"VRMC_vrm_animation\"],\"extensions\":{\"VRMC_vrm_animation\":{\"specVersion\":\"1.0\"");
    const char *between = ",\"humanoid\":{\"humanBones\":{";
    bool any = false;
    for (int32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        if (w->bone_node[bone] >= 0) {
            vrmi_text_format(&w->json, "%s\"%s\":{\"node\":%u}", between, vrm_human_bone_name((vrm_human_bone)bone),
                (unsigned)w->bone_node[bone]);
            between = ",";
            any = true;
        }
    }
    vrmi_text_add_string(&w->json, any ? "}}" : "");
    if (w->clip->expression_count > 0) {
        vrmi_text_add_string(&w->json, ",\"expressions\":{");
        write_expressions(w, true);
        vrmi_text_add_string(&w->json, ",");
        write_expressions(w, false);
        vrmi_text_add_string(&w->json, "}");
    }
    if (w->gaze_node >= 0) {
        vrmi_text_format(&w->json, ",\"lookAt\":{\"node\":%u,\"offsetFromHeadBone\":", (unsigned)w->gaze_node);
        add_vector(&w->json, w->clip->head.look_offset);
        vrmi_text_add_string(&w->json, "}");
    }
    vrmi_text_add_string(&w->json, "}}");
}

static void add_text(vrmi_text *to, const vrmi_text *part)
{
    if (part->size != 0) {
        vrmi_text_add(to, part->data, part->size);
    }
}

static void write_markers(vrma_writer *w)
{
    for (uint32_t i = 0; i < w->clip->marker_count; ++i) {
        const vrmi_clip_marker *row = &w->clip->markers[i];
        vrmi_text_add_string(&w->json, i == 0 ? ",\"extras\":{\"markers\":[{\"time\":" : ",{\"time\":");
        vrmi_text_add_float(&w->json, row->time);
        vrmi_text_add_string(&w->json, ",\"name\":");
        vrmi_text_add_json_string(&w->json, w->clip->names + row->name, row->length);
        vrmi_text_add_string(&w->json, "}");
    }
    vrmi_text_add_string(&w->json, w->clip->marker_count != 0 ? "]}" : "");
}

static void write_json(vrma_writer *w)
{
    vrmi_text_format(&w->json, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"libvrm %s\"},", VRM_VERSION_STRING);
    write_nodes(w);
    vrmi_text_add_string(&w->json, ",\"animations\":[{\"name\":");
    vrmi_text_add_json_string(&w->json, w->clip->names + w->clip->head.name, w->clip->head.name_length);
    vrmi_text_add_string(&w->json, ",\"channels\":[");
    add_text(&w->json, &w->channels);
    vrmi_text_add_string(&w->json, "],\"samplers\":[");
    add_text(&w->json, &w->samplers);
    vrmi_text_add_string(&w->json, "]");
    write_markers(w);
    vrmi_text_add_string(&w->json, "}],\"accessors\":[");
    add_text(&w->json, &w->accessors);
    const unsigned long long bytes = (unsigned long long)w->data.count * sizeof(float);
    vrmi_text_format(&w->json,
        "],\"bufferViews\":[{\"buffer\":0,\"byteLength\":%llu}],\"buffers\":[{\"byteLength\":%llu}]", bytes, bytes);
    write_extension(w);
    vrmi_text_add_string(&w->json, "}");
    while (!w->json.failed && w->json.size % 4 != 0) {
        vrmi_text_add_string(&w->json, " ");
    }
}

static void put_u32(unsigned char *at, uint32_t value)
{
    for (int i = 0; i < 4; ++i) {
        at[i] = (unsigned char)(value >> (8 * i));
    }
}

static vrm_result write_glb(const vrma_writer *w, vrm_bytes *out_bytes)
{
    enum { HEADER = 12, CHUNK = 8 };
    const uint64_t bin = (uint64_t)w->data.count * sizeof(float);
    const uint64_t total = HEADER + CHUNK + w->json.size + CHUNK + bin;
    if (total > UINT32_MAX) {
        return VRM_ERROR_LIMIT;
    }
    unsigned char *bytes = vrmi_allocate(&w->allocator, (size_t)total, 16);
    if (bytes == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    unsigned char *at = bytes;
    memcpy(at, "glTF", 4);
    put_u32(at + 4, 2);
    put_u32(at + 8, (uint32_t)total);
    put_u32(at + 12, (uint32_t)w->json.size);
    memcpy(at + 16, "JSON", 4);
    memcpy(at + 20, w->json.data, w->json.size);
    at += 20 + w->json.size;
    put_u32(at, (uint32_t)bin);
    memcpy(at + 4, "BIN\0", 4);
    const float *floats = w->data.items;
    for (uint32_t i = 0; i < w->data.count; ++i) { // written little-endian on every host
        uint32_t bits;
        memcpy(&bits, &floats[i], sizeof bits);
        put_u32(at + 8 + (size_t)i * 4, bits);
    }
    *out_bytes = (vrm_bytes){bytes, (size_t)total, w->allocator};
    return VRM_SUCCESS;
}

vrm_result vrm_clip_write_vrma(const vrm_clip_write_params *def, const vrm_clip *clip, vrm_bytes *out_bytes)
{
    if (out_bytes == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    *out_bytes = (vrm_bytes){0};
    vrm_clip_write_params own;
    vrm_clip_write_params_default(&own);
    if (clip == NULL || clip->head.additive || clip->track_count == 0 ||
        !VRMI_READ_OPTIONS(vrm_clip_write_params, &own, def)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    vrma_writer w;
    memset(&w, 0, sizeof w);
    w.clip = clip;
    vrmi_resolve_allocator(&own.allocator, &w.allocator);
    w.data.item_size = sizeof(float);
    vrmi_text *const texts[] = {&w.accessors, &w.samplers, &w.channels, &w.json};
    for (size_t i = 0; i < VRMI_COUNT_OF(texts); ++i) {
        vrmi_text_init(texts[i], &w.allocator);
    }
    number_nodes(&w);
    add_tracks(&w);
    write_json(&w);
    bool failed = w.out_of_memory;
    for (size_t i = 0; i < VRMI_COUNT_OF(texts); ++i) {
        failed = failed || texts[i]->failed;
    }
    const vrm_result result = failed ? VRM_ERROR_OUT_OF_MEMORY : write_glb(&w, out_bytes);
    for (size_t i = 0; i < VRMI_COUNT_OF(texts); ++i) {
        vrmi_text_free(texts[i]);
    }
    vrmi_array_free(&w.data, &w.allocator);
    return result;
}
