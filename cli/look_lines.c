// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Writes the look chain's lines. Each line is a node with a segment from (0, 0, 0) to (0, 0, 1): the node's translation
// is the start of the line, and its rotation and scale move (0, 0, 1) to the end. The lines therefore move in any
// viewer that plays node animations.

#include <math.h>
#include <string.h>

#include "look.h"

void look_lines_begin(cli_job *job, look_lines *lines, uint32_t per_frame, uint32_t frames)
{
    *lines = (look_lines){.per_frame = per_frame, .room = frames};
    if (per_frame == 0) {
        return;
    }
    lines->lines =
        job->allocator.allocate((size_t)per_frame * frames * sizeof(vrm_debug_line), 16, job->allocator.user);
    lines->times = job->allocator.allocate(frames * sizeof(float), 16, job->allocator.user);
    lines->failed = lines->lines == NULL || lines->times == NULL;
}

void look_lines_free(cli_job *job, look_lines *lines)
{
    if (lines->lines != NULL) {
        job->allocator.release(
            lines->lines, (size_t)lines->per_frame * lines->room * sizeof(vrm_debug_line), job->allocator.user);
    }
    if (lines->times != NULL) {
        job->allocator.release(lines->times, lines->room * sizeof(float), job->allocator.user);
    }
    *lines = (look_lines){0};
}

static void move(vrm_vec3 *v, const vrm_dvec3 *by)
{
    v->x = (float)((double)v->x + by->x);
    v->y = (float)((double)v->y + by->y);
    v->z = (float)((double)v->z + by->z);
}

void look_lines_add(look_lines *lines, const vrm_instance *instance, double time)
{
    if (lines->per_frame == 0 || lines->failed || lines->frames == lines->room) {
        return;
    }
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(instance, &out);
    vrm_debug_line *row = lines->lines + (size_t)lines->per_frame * lines->frames;
    for (uint32_t i = 0; i < lines->per_frame; ++i) {
        row[i] = i < out.debug_line_count ? out.debug_lines[i] : (vrm_debug_line){0}; // no line: length 0
        move(&row[i].from, &out.origin);
        move(&row[i].to, &out.origin);
    }
    lines->times[lines->frames++] = (float)time;
}

// --- into the document ---------------------------------------------------------------------------------------------

typedef struct writer {
    cli_job *job;
    vrm_gltf *gltf;
    uint32_t accessors; // index of the next accessor
    vrm_result result;
} writer;

static void set_text(writer *w, const char *pointer, const vrmi_text *text)
{
    if (w->result == VRM_SUCCESS) {
        w->result =
            text->failed ? VRM_ERROR_OUT_OF_MEMORY : vrm_gltf_set_json(w->gltf, pointer, text->data, text->size);
    }
}

// Adds numbers as an accessor of floats and returns its index. `bounds` is JSON with the members min and max, or "".
static uint32_t add_floats(
    writer *w, const float *values, uint32_t count, const char *type, uint32_t components, const char *bounds)
{
    uint32_t view = 0;
    if (w->result == VRM_SUCCESS) {
        w->result = vrm_gltf_append_buffer_view(w->gltf, values, (size_t)count * components * sizeof(float), &view);
    }
    vrmi_text text;
    vrmi_text_init(&text, &w->job->allocator);
    vrmi_text_format(
        &text, "{\"bufferView\":%u,\"componentType\":5126,\"count\":%u,\"type\":\"%s\"%s}", view, count, type, bounds);
    set_text(w, "/accessors/-", &text);
    vrmi_text_free(&text);
    return w->accessors++;
}

static uint32_t add_times(writer *w, const look_lines *lines)
{
    vrmi_text bounds;
    vrmi_text_init(&bounds, &w->job->allocator);
    vrmi_text_add_string(&bounds, ",\"min\":[");
    vrmi_text_add_float(&bounds, lines->times[0]);
    vrmi_text_add_string(&bounds, "],\"max\":[");
    vrmi_text_add_float(&bounds, lines->times[lines->frames - 1]);
    vrmi_text_add_string(&bounds, "]");
    const uint32_t index =
        add_floats(w, lines->times, lines->frames, "SCALAR", 1, bounds.data != NULL ? bounds.data : "");
    vrmi_text_free(&bounds);
    return index;
}

static void add_string(writer *w, const char *pointer, const char *json)
{
    vrmi_text text;
    vrmi_text_init(&text, &w->job->allocator);
    vrmi_text_add_string(&text, json);
    set_text(w, pointer, &text);
    vrmi_text_free(&text);
}

// Adds two meshes of one segment, red and green. Returns the index of the first mesh.
static uint32_t add_meshes(writer *w)
{
    static const float ends[6] = {0, 0, 0, 0, 0, 1};
    static const char *const colors[2] = {"1,0,0,1", "0,1,0,1"};
    const uint32_t positions = add_floats(w, ends, 2, "VEC3", 3, ",\"min\":[0,0,0],\"max\":[0,0,1]");
    const uint32_t materials = vrm_gltf_get_count(w->gltf, VRM_GLTF_MATERIALS);
    const uint32_t meshes = vrm_gltf_get_count(w->gltf, VRM_GLTF_MESHES);
    for (uint32_t i = 0; i < 2; ++i) {
        vrmi_text text;
        vrmi_text_init(&text, &w->job->allocator);
        vrmi_text_format(&text,
            "{\"name\":\"%s\",\"pbrMetallicRoughness\":{\"baseColorFactor\":[%s],"
            "\"metallicFactor\":0},\"extensions\":{\"KHR_materials_unlit\":{}}}",
            i == 0 ? "look target" : "look forward", colors[i]);
        set_text(w, "/materials/-", &text);
        vrmi_text_free(&text);
        vrmi_text_init(&text, &w->job->allocator);
        vrmi_text_format(&text, "{\"primitives\":[{\"attributes\":{\"POSITION\":%u},\"mode\":1,\"material\":%u}]}",
            positions, materials + i);
        set_text(w, "/meshes/-", &text);
        vrmi_text_free(&text);
    }
    vrm_string used;
    if (vrm_gltf_get_json(w->gltf, "/extensionsUsed", &used) != VRM_SUCCESS) {
        add_string(w, "/extensionsUsed", "[\"KHR_materials_unlit\"]");
    } else {
        bool there = false;
        for (uint32_t i = 0; i + 19 <= used.length && !there; ++i) {
            there = memcmp(used.data + i, "KHR_materials_unlit", 19) == 0;
        }
        if (!there) {
            add_string(w, "/extensionsUsed/-", "\"KHR_materials_unlit\"");
        }
    }
    return meshes;
}

// Computes the shortest rotation from +Z to a direction.
static void rotation_to(const double d[3], float out[4])
{
    const double w = 1.0 + d[2];
    const double length = w > 1e-9 ? sqrt(d[0] * d[0] + d[1] * d[1] + w * w) : 0.0;
    out[0] = length > 0.0 ? (float)(-d[1] / length) : 1.0f;
    out[1] = length > 0.0 ? (float)(d[0] / length) : 0.0f;
    out[2] = 0.0f;
    out[3] = length > 0.0 ? (float)(w / length) : 0.0f;
}

// Computes a line's translation, rotation and scale in all frames. `out` has ten floats per frame: first all
// translations, then all rotations, then all scales.
static void frames_of(const look_lines *lines, uint32_t line, float *out)
{
    const uint32_t frames = lines->frames;
    for (uint32_t f = 0; f < frames; ++f) {
        const vrm_debug_line *l = &lines->lines[(size_t)lines->per_frame * f + line];
        memcpy(out + 3 * (size_t)f, &l->from, 3 * sizeof(float));
        double d[3] = {(double)l->to.x - (double)l->from.x, (double)l->to.y - (double)l->from.y,
            (double)l->to.z - (double)l->from.z};
        const double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        for (int i = 0; i < 3; ++i) {
            d[i] = length > 0.0 ? d[i] / length : (i == 2 ? 1.0 : 0.0);
        }
        rotation_to(d, out + 3 * (size_t)frames + 4 * (size_t)f);
        float *scale = out + 7 * (size_t)frames + 3 * (size_t)f;
        scale[0] = scale[1] = 1.0f;
        scale[2] = (float)length;
    }
}

// Returns the number of elements of an array of the document, including edits.
static uint32_t count_of(const vrm_gltf *gltf, const char *array)
{
    uint32_t count = 0;
    for (vrm_result there = VRM_SUCCESS; there == VRM_SUCCESS; ++count) {
        char pointer[96];
        vrm_string unused;
        vrmi_format(pointer, sizeof pointer, "%s/%u", array, count);
        there = vrm_gltf_get_json(gltf, pointer, &unused);
    }
    return count - 1;
}

// Adds the channels of the lines to the recording's own animation, since viewers play only one animation.
static void add_channels(writer *w, const look_lines *lines, uint32_t first_node, float *values)
{
    static const char *const paths[3] = {"translation", "rotation", "scale"};
    const uint32_t times = add_times(w, lines), frames = lines->frames;
    const uint32_t animations = vrm_gltf_get_count(w->gltf, VRM_GLTF_ANIMATIONS);
    const uint32_t animation = animations > 0 ? animations - 1 : 0;
    if (animations == 0) {
        add_string(w, "/animations", "[{\"samplers\":[],\"channels\":[]}]");
    }
    char samplers[64], channels[64], pointer[96];
    vrmi_format(samplers, sizeof samplers, "/animations/%u/samplers", animation);
    vrmi_format(channels, sizeof channels, "/animations/%u/channels", animation);
    uint32_t sampler = count_of(w->gltf, samplers);
    for (uint32_t i = 0; i < lines->per_frame; ++i) {
        frames_of(lines, i, values);
        const float *parts[3] = {values, values + 3 * (size_t)frames, values + 7 * (size_t)frames};
        for (uint32_t part = 0; part < 3; ++part) {
            const bool rotation = part == 1;
            const uint32_t output =
                add_floats(w, parts[part], frames, rotation ? "VEC4" : "VEC3", rotation ? 4 : 3, "");
            vrmi_text text;
            vrmi_text_init(&text, &w->job->allocator);
            vrmi_text_format(&text, "{\"input\":%u,\"output\":%u}", times, output);
            vrmi_format(pointer, sizeof pointer, "%s/-", samplers);
            set_text(w, pointer, &text);
            vrmi_text_free(&text);
            vrmi_text_init(&text, &w->job->allocator);
            vrmi_text_format(&text, "{\"sampler\":%u,\"target\":{\"node\":%u,\"path\":\"%s\"}}", sampler++,
                first_node + i, paths[part]);
            vrmi_format(pointer, sizeof pointer, "%s/-", channels);
            set_text(w, pointer, &text);
            vrmi_text_free(&text);
        }
    }
}

static void add_nodes(writer *w, const look_lines *lines, uint32_t meshes)
{
    const uint32_t first = vrm_gltf_get_count(w->gltf, VRM_GLTF_NODES);
    for (uint32_t i = 0; i < lines->per_frame; ++i) {
        vrmi_text text;
        vrmi_text_init(&text, &w->job->allocator);
        vrmi_text_format(
            &text, "{\"name\":\"look %s %u\",\"mesh\":%u}", i % 2 == 0 ? "target" : "forward", i / 2, meshes + i % 2);
        set_text(w, "/nodes/-", &text);
        vrmi_text_free(&text);
        vrmi_text_init(&text, &w->job->allocator);
        vrmi_text_format(&text, "%u", first + i);
        set_text(w, "/scenes/0/nodes/-", &text);
        vrmi_text_free(&text);
    }
}

static void write_all(writer *w, const look_lines *lines)
{
    const size_t size = (size_t)lines->frames * 10 * sizeof(float);
    float *values = w->job->allocator.allocate(size, 16, w->job->allocator.user);
    if (values == NULL) {
        w->result = VRM_ERROR_OUT_OF_MEMORY;
        return;
    }
    const uint32_t first_node = vrm_gltf_get_count(w->gltf, VRM_GLTF_NODES);
    w->accessors = vrm_gltf_get_count(w->gltf, VRM_GLTF_ACCESSORS);
    add_nodes(w, lines, add_meshes(w));
    add_channels(w, lines, first_node, values);
    w->job->allocator.release(values, size, w->job->allocator.user);
}

vrm_result look_lines_write(cli_job *job, const look_lines *lines, vrm_bytes *bytes)
{
    if (lines->per_frame == 0 || lines->frames == 0) {
        return VRM_SUCCESS;
    }
    if (lines->failed) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    vrm_gltf_def def;
    vrm_gltf_def_default(&def);
    def.allocator = job->allocator;
    def.limits = job->limits;
    writer w = {.job = job};
    w.result = vrm_gltf_load(&def, bytes->data, bytes->size, NULL, &w.gltf);
    if (w.result != VRM_SUCCESS) {
        return w.result;
    }
    write_all(&w, lines);
    vrm_bytes with = {0};
    if (w.result == VRM_SUCCESS) {
        w.result = vrm_gltf_save(w.gltf, &with);
    }
    vrm_gltf_destroy(w.gltf);
    if (w.result == VRM_SUCCESS) {
        vrm_bytes_free(bytes);
        *bytes = with;
    }
    return w.result;
}
