// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "base/text.h"
#include "math/scalar.h"
#include "validate/run.h"

// Checks animations: samplers, their accessors, and the targets of channels.

enum { BLOCK = 1024 };
static const float unit_tolerance = 0.00769f; // allows normalised 8-bit rotations; value of Khronos' validator

typedef enum target_path { TRANSLATION, ROTATION, SCALE, WEIGHTS, OTHER_PATH } target_path;

typedef struct sampler_row {
    int32_t input, output;
    bool cubic;
} sampler_row;

static bool is_word(const vrmi_run *run, uint32_t value, const char *word)
{
    return vrmi_json_is(run->json, value, VRMI_JSON_STRING) && vrmi_json_string_equal(run->json, value, word);
}

// --- samplers --------------------------------------------------------------------------------------------------------

static void read_sampler(vrmi_run *run, uint32_t object, sampler_row *out)
{
    out->input = vrmi_run_member_index(run, object, "input", VRM_GLTF_ACCESSORS);
    out->output = vrmi_run_member_index(run, object, "output", VRM_GLTF_ACCESSORS);
    out->cubic = is_word(run, vrmi_json_member(run->json, object, "interpolation"), "CUBICSPLINE");
    vrmi_use_accessor(run, out->input, VRMI_USAGE_ANIMATION_INPUT, object, "input");
    vrmi_use_accessor(run, out->output, VRMI_USAGE_ANIMATION_OUTPUT, object, "output");
    vrmi_forbid_stride(run, out->input, VRM_FINDING_ANIMATION_SAMPLER_ACCESSOR_WITH_BYTESTRIDE, object, "input");
    vrmi_forbid_stride(run, out->output, VRM_FINDING_ANIMATION_SAMPLER_ACCESSOR_WITH_BYTESTRIDE, object, "output");
    if (out->input < 0) {
        return;
    }
    const vrmi_accessor_row *input = &run->accessors[out->input];
    if (input->components != 1 || input->component_type != VRMI_GL_FLOAT || input->normalized) {
        vrmi_reader_report(&run->reader, VRM_FINDING_ANIMATION_SAMPLER_INPUT_ACCESSOR_INVALID_FORMAT, object, "input",
            NULL, "SCALAR of floats");
    }
    if (!input->has_min || !input->has_max) {
        vrmi_reader_report(
            &run->reader, VRM_FINDING_ANIMATION_SAMPLER_INPUT_ACCESSOR_WITHOUT_BOUNDS, object, "input", NULL, NULL);
    }
    if (out->cubic && input->count == 1) {
        vrmi_reader_report(
            &run->reader, VRM_FINDING_ANIMATION_SAMPLER_INPUT_ACCESSOR_TOO_FEW_ELEMENTS, object, "input", NULL, NULL);
    }
}

// --- channels --------------------------------------------------------------------------------------------------------

// Checks that rotations have unit length. Of each key of a cubic spline only the middle value is checked, because the
// other two are tangents.
static void check_rotations(vrmi_run *run, uint32_t channel, const sampler_row *sampler)
{
    float values[BLOCK * 4];
    const vrmi_gltf_accessor *a = vrmi_gltf_readable(run->gltf, (uint32_t)sampler->output);
    if (a == NULL || a->components != 4 || a->columns != 1 || run->looked[sampler->output] != 0 ||
        !vrmi_run_scan(run, a)) {
        return;
    }
    run->looked[sampler->output] = 1;
    for (uint32_t first = 0; first < a->count && vrmi_run_tick(run); first += BLOCK) {
        const uint32_t part = a->count - first < BLOCK ? a->count - first : BLOCK;
        vrmi_accessor_floats(a, first, part, values);
        for (uint32_t i = 0; i < part; ++i) {
            const float *q = values + 4 * (size_t)i;
            const float length = vrmi_sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
            if ((!sampler->cubic || (first + i) % 3 == 1) && !(vrmi_abs(length - 1.0f) <= unit_tolerance)) {
                char found[64];
                vrmi_reader_report(&run->reader,
                    VRM_FINDING_ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION, channel, "sampler",
                    vrmi_format(found, sizeof(found), "length %g at value %u", (double)length, first + i), NULL);
                return;
            }
        }
    }
}

static void check_output(
    vrmi_run *run, uint32_t channel, const sampler_row *sampler, target_path path, uint32_t morph_targets)
{
    static const uint8_t components[] = {3, 4, 3, 1};
    const vrmi_accessor_row *output = &run->accessors[sampler->output];
    // Integers are fractions of 1, so only rotations and weights can use them.
    const bool integers =
        output->normalized && (path == ROTATION || path == WEIGHTS) && output->component_type != VRMI_GL_UNSIGNED_INT;
    if (output->components != components[path] || output->columns != 1 ||
        !(output->component_type == VRMI_GL_FLOAT ? !output->normalized : integers)) {
        vrmi_reader_report(
            &run->reader, VRM_FINDING_ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT, channel, "sampler", NULL, NULL);
    }
    const uint32_t keys = sampler->input >= 0 ? run->accessors[sampler->input].count : 0;
    const uint64_t wanted = (uint64_t)keys * (sampler->cubic ? 3 : 1) * (path == WEIGHTS ? morph_targets : 1);
    if (wanted != 0 && output->count != 0 && wanted != output->count) {
        char found[32], expected[32];
        vrmi_reader_report(&run->reader, VRM_FINDING_ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT, channel,
            "sampler", vrmi_format(found, sizeof(found), "%u", output->count),
            vrmi_format(expected, sizeof(expected), "%llu", (unsigned long long)wanted));
    }
}

static uint32_t morph_targets_of(const vrmi_run *run, int32_t node)
{
    const int32_t mesh = node >= 0 ? run->gltf->nodes[node].mesh : -1;
    const vrmi_gltf_range range = mesh >= 0 ? run->gltf->meshes[mesh].primitives : (vrmi_gltf_range){0, 0};
    return range.count != 0 ? run->gltf->primitives[range.first].target_count : 0;
}

static target_path path_of(const vrmi_run *run, uint32_t target)
{
    static const char *const names[] = {"translation", "rotation", "scale", "weights"};
    const uint32_t value = vrmi_json_member(run->json, target, "path");
    for (int i = 0; i < OTHER_PATH; ++i) {
        if (is_word(run, value, names[i])) {
            return (target_path)i;
        }
    }
    return OTHER_PATH;
}

static void check_channel(vrmi_run *run, uint32_t channel, const sampler_row *samplers, uint32_t sampler_count)
{
    const vrmi_json *json = run->json;
    const uint32_t target = vrmi_json_member(json, channel, "target");
    const int32_t node = vrmi_run_member_index(run, target, "node", VRM_GLTF_NODES);
    const target_path path = path_of(run, target);
    if (node >= 0 && path < WEIGHTS &&
        vrmi_json_member(json, run->gltf->nodes[node].json, "matrix") != VRMI_JSON_NONE) {
        vrmi_reader_report(&run->reader, VRM_FINDING_ANIMATION_CHANNEL_TARGET_NODE_MATRIX, target, NULL, NULL, NULL);
    }
    if (node >= 0 && path == WEIGHTS && morph_targets_of(run, node) == 0) {
        vrmi_reader_report(
            &run->reader, VRM_FINDING_ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS, target, NULL, NULL, NULL);
    }
    if (node >= 0 && path != OTHER_PATH) {
        // One bit for each path of a node in this animation.
        const uint8_t bit = (uint8_t)(1 << path);
        if ((run->seen[node] & bit) != 0) {
            vrmi_reader_report(&run->reader, VRM_FINDING_ANIMATION_DUPLICATE_TARGETS, channel, "target", NULL, NULL);
        }
        run->seen[node] |= bit;
    }
    uint32_t index;
    const uint32_t value = vrmi_json_member(json, channel, "sampler");
    if (!vrmi_json_uint(json, value, &index)) {
        return;
    }
    if (index >= sampler_count) {
        vrmi_reader_report_value(&run->reader, VRM_FINDING_UNRESOLVED_REFERENCE, value, "a sampler of this animation");
    } else if (samplers[index].output >= 0 && path != OTHER_PATH) {
        check_output(run, channel, &samplers[index], path, morph_targets_of(run, node));
        if (path == ROTATION) {
            check_rotations(run, channel, &samplers[index]);
        }
    }
}

static void forget_targets(vrmi_run *run, uint32_t channels)
{
    const vrmi_json *json = run->json;
    for (uint32_t c = vrmi_json_first(json, channels); c != VRMI_JSON_NONE; c = vrmi_json_next(json, c)) {
        const int32_t node = vrmi_run_member_index(run, vrmi_json_member(json, c, "target"), "node", VRM_GLTF_NODES);
        if (node >= 0) {
            run->seen[node] = 0;
        }
    }
}

static void check_animation(vrmi_run *run, uint32_t object)
{
    const vrmi_json *json = run->json;
    const uint32_t list = vrmi_json_member(json, object, "samplers");
    const uint32_t channels = vrmi_json_member(json, object, "channels");
    if (!vrmi_json_is(json, list, VRMI_JSON_ARRAY) || !vrmi_json_is(json, channels, VRMI_JSON_ARRAY)) {
        return;
    }
    const uint32_t count = vrmi_json_count(json, list);
    sampler_row *samplers = vrmi_run_alloc(run, count, sizeof(*samplers));
    if (samplers == NULL) {
        return;
    }
    uint32_t element = vrmi_json_first(json, list);
    for (uint32_t i = 0; i < count; ++i, element = vrmi_json_next(json, element)) {
        read_sampler(run, element, &samplers[i]);
    }
    for (uint32_t c = vrmi_json_first(json, channels); c != VRMI_JSON_NONE; c = vrmi_json_next(json, c)) {
        check_channel(run, c, samplers, count);
    }
    forget_targets(run, channels);
}

void vrmi_validate_animations(vrmi_run *run)
{
    for (uint32_t i = 0; i < run->gltf->counts[VRM_GLTF_ANIMATIONS] && vrmi_run_tick(run); ++i) {
        check_animation(run, vrmi_gltf_element(run->gltf, VRM_GLTF_ANIMATIONS, i));
    }
}
