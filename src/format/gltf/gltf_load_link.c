// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "base/text.h"
#include "format/gltf/gltf_private.h"

// Checks the references in textures, materials and animations. Their other values are read when they are used.

static bool check_texture_info(vrmi_load *load, uint32_t object, const char *key)
{
    uint32_t index;
    const uint32_t info = vrmi_read_object(&load->reader, object, key, VRMI_OPTIONAL);
    return info == VRMI_JSON_NONE ||
           vrmi_read_index(&load->reader, info, "index", VRMI_REQUIRED, load->gltf->counts[VRM_GLTF_TEXTURES], &index);
}

static bool check_materials(vrmi_load *load)
{
    for (uint32_t i = 0; i < load->gltf->counts[VRM_GLTF_MATERIALS]; ++i) {
        const uint32_t object = vrmi_load_element(load, VRM_GLTF_MATERIALS, i);
        const uint32_t pbr = vrmi_read_object(&load->reader, object, "pbrMetallicRoughness", VRMI_OPTIONAL);
        check_texture_info(load, pbr, "baseColorTexture");
        check_texture_info(load, pbr, "metallicRoughnessTexture");
        check_texture_info(load, object, "normalTexture");
        check_texture_info(load, object, "occlusionTexture");
        check_texture_info(load, object, "emissiveTexture");
        if (!vrmi_load_work(load, VRMI_ELEMENT_WORK)) {
            return false;
        }
    }
    return true;
}

static bool check_textures(vrmi_load *load)
{
    uint32_t index;
    for (uint32_t i = 0; i < load->gltf->counts[VRM_GLTF_TEXTURES]; ++i) {
        const uint32_t object = vrmi_load_element(load, VRM_GLTF_TEXTURES, i);
        vrmi_read_index(&load->reader, object, "source", VRMI_OPTIONAL, load->gltf->counts[VRM_GLTF_IMAGES], &index);
        vrmi_read_index(&load->reader, object, "sampler", VRMI_OPTIONAL, load->gltf->counts[VRM_GLTF_SAMPLERS], &index);
        if (!vrmi_load_work(load, VRMI_ELEMENT_WORK)) {
            return false;
        }
    }
    return true;
}

// Checks textures and materials. A broken reference to a texture, image or sampler is repaired, because the material
// remains usable without it.
static bool check_appearance(vrmi_load *load)
{
    vrmi_load_repair(load, true);
    const bool goes_on = check_textures(load) && check_materials(load);
    vrmi_load_repair(load, false);
    load->gltf->flags |= load->reader.repairs != 0 ? VRM_GLTF_REPAIRED : 0;
    return goes_on;
}

// --- animations ------------------------------------------------------------------------------------------------------

typedef struct sampler {
    const vrmi_gltf_accessor *input, *output; // NULL if invalid (already reported)
    bool cubic;
} sampler;

enum { BLOCK = 1024 };

// Checks that key times increase. If they do not, reports this once and keeps the times, since players have to handle
// such files anyway.
static bool check_times(vrmi_load *load, uint32_t index, const vrmi_gltf_accessor *a)
{
    float times[BLOCK], previous = 0.0f;
    if (a->state != VRMI_ACCESSOR_READABLE) {
        return true;
    }
    if (!vrmi_load_scan(load, (uint64_t)a->count * 4)) {
        return false;
    }
    const uint32_t json = vrmi_load_element(load, VRM_GLTF_ACCESSORS, index);
    for (uint32_t first = 0; first < a->count; first += BLOCK) {
        const uint32_t part = a->count - first < BLOCK ? a->count - first : BLOCK;
        vrmi_accessor_floats(a, first, part, times);
        for (uint32_t i = 0; i < part; ++i) {
            const bool negative = times[i]<0.0f, falling = first + i> 0 && !(times[i] > previous);
            if (negative || falling) {
                char found[48];
                vrmi_reader_report(&load->reader,
                    negative ? VRM_FINDING_ACCESSOR_ANIMATION_INPUT_NEGATIVE
                             : VRM_FINDING_ACCESSOR_ANIMATION_INPUT_NON_INCREASING,
                    json, NULL, vrmi_format(found, sizeof(found), "%g at %u", (double)times[i], first + i), NULL);
                return true;
            }
            previous = times[i];
        }
        if (!vrmi_load_work(load, (uint64_t)part * 4)) {
            return false;
        }
    }
    return true;
}

static bool read_sampler(vrmi_load *load, uint32_t object, uint8_t *checked_times, sampler *out)
{
    static const char *const interpolations[] = {"LINEAR", "STEP", "CUBICSPLINE"};
    vrmi_reader *reader = &load->reader;
    const uint32_t accessors = load->gltf->counts[VRM_GLTF_ACCESSORS];
    uint32_t input = 0, output = 0, interpolation = 0;
    if (!vrmi_json_is(reader->json, object, VRMI_JSON_OBJECT)) {
        vrmi_reader_report_value(reader, VRM_FINDING_TYPE_MISMATCH, object, "an object");
        return true;
    }
    vrmi_read_enum(reader, object, "interpolation", VRMI_OPTIONAL, interpolations, 3, &interpolation);
    out->cubic = interpolation == 2;
    if (vrmi_read_index(reader, object, "output", VRMI_REQUIRED, accessors, &output)) {
        out->output = vrmi_load_accessor(load, (int32_t)output);
    }
    if (!vrmi_read_index(reader, object, "input", VRMI_REQUIRED, accessors, &input)) {
        return true;
    }
    out->input = vrmi_load_accessor(load, (int32_t)input);
    if (out->input == NULL) {
        return true;
    }
    if (out->input->components != 1 || out->input->component_type != VRMI_GL_FLOAT) {
        vrmi_reader_report(
            reader, VRM_FINDING_ANIMATION_SAMPLER_INPUT_ACCESSOR_INVALID_FORMAT, object, "input", NULL, NULL);
        out->input = NULL;
        return true;
    }
    if (checked_times[input] != 0) {
        return true;
    }
    checked_times[input] = 1;
    return check_times(load, input, out->input);
}

typedef enum path { PATH_TRANSLATION, PATH_ROTATION, PATH_SCALE, PATH_WEIGHTS, PATH_OTHER } path;

static void check_output(vrmi_load *load, uint32_t channel, const sampler *s, path what, uint32_t targets)
{
    static const uint8_t components[] = {3, 4, 3, 1};
    char found[32], expected[32];
    const bool format = s->output->columns == 1 && s->output->components == components[what] &&
                        (s->output->component_type == VRMI_GL_FLOAT || s->output->normalized);
    if (!format) {
        vrmi_reader_report(&load->reader, VRM_FINDING_ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT, channel,
            "sampler", NULL, NULL);
        return;
    }
    const uint64_t count = (uint64_t)s->input->count * (s->cubic ? 3 : 1) * (what == PATH_WEIGHTS ? targets : 1);
    if (count != s->output->count) {
        vrmi_reader_report(&load->reader, VRM_FINDING_ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT, channel,
            "sampler", vrmi_format(found, sizeof(found), "%u", s->output->count),
            vrmi_format(expected, sizeof(expected), "%llu", (unsigned long long)count));
    }
}

static void check_channel(vrmi_load *load, uint32_t channel, const sampler *samplers, uint32_t sampler_count)
{
    static const char *const paths[] = {"translation", "rotation", "scale", "weights"};
    vrmi_reader *reader = &load->reader;
    const vrmi_json *json = reader->json;
    uint32_t index = 0, node = 0, what = PATH_OTHER;
    if (!vrmi_json_is(json, channel, VRMI_JSON_OBJECT)) {
        vrmi_reader_report_value(reader, VRM_FINDING_TYPE_MISMATCH, channel, "an object");
        return;
    }
    const bool has_sampler = vrmi_read_index(reader, channel, "sampler", VRMI_REQUIRED, sampler_count, &index);
    const uint32_t target = vrmi_read_object(reader, channel, "target", VRMI_REQUIRED);
    const bool has_node =
        vrmi_read_index(reader, target, "node", VRMI_OPTIONAL, load->gltf->counts[VRM_GLTF_NODES], &node);
    const uint32_t name = vrmi_json_member(json, target, "path");
    for (uint32_t i = 0; i < VRMI_COUNT_OF(paths) && vrmi_json_is(json, name, VRMI_JSON_STRING); ++i) {
        what = vrmi_json_string_equal(json, name, paths[i]) ? i : what;
    }
    // Other paths, such as "pointer", belong to extensions. A channel without a node has no effect.
    if (!has_sampler || !has_node || what == PATH_OTHER || samplers[index].input == NULL ||
        samplers[index].output == NULL) {
        return;
    }
    const int32_t mesh = load->gltf->nodes[node].mesh;
    check_output(load, channel, &samplers[index], (path)what, mesh >= 0 ? load->gltf->meshes[mesh].target_count : 0);
}

static bool check_animation(vrmi_load *load, uint32_t object, uint8_t *checked_times)
{
    const vrmi_json *json = load->reader.json;
    const uint32_t list = vrmi_read_array(&load->reader, object, "samplers", VRMI_REQUIRED);
    const uint32_t channels = vrmi_read_array(&load->reader, object, "channels", VRMI_REQUIRED);
    const uint32_t count = vrmi_json_count(json, list);
    sampler *samplers = vrmi_load_alloc(load, count, sizeof(*samplers));
    if (samplers == NULL) {
        return false;
    }
    uint32_t element = vrmi_json_first(json, list);
    for (uint32_t i = 0; i < count; ++i, element = vrmi_json_next(json, element)) {
        if (!read_sampler(load, element, checked_times, &samplers[i]) || !vrmi_load_work(load, VRMI_ELEMENT_WORK)) {
            return false;
        }
    }
    for (uint32_t channel = vrmi_json_first(json, channels); channel != VRMI_JSON_NONE;
         channel = vrmi_json_next(json, channel)) {
        check_channel(load, channel, samplers, count);
        if (!vrmi_load_work(load, VRMI_ELEMENT_WORK)) {
            return false;
        }
    }
    return true;
}

bool vrmi_load_links(vrmi_load *load)
{
    uint8_t *checked_times = vrmi_load_alloc(load, load->gltf->counts[VRM_GLTF_ACCESSORS], 1);
    if (checked_times == NULL || !check_appearance(load)) {
        return false;
    }
    for (uint32_t i = 0; i < load->gltf->counts[VRM_GLTF_ANIMATIONS]; ++i) {
        if (!check_animation(load, vrmi_load_element(load, VRM_GLTF_ANIMATIONS, i), checked_times)) {
            return false;
        }
    }
    return true;
}
