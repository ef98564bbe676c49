// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "base/text.h"
#include "import/import.h"
#include "math/mat34.h"

#define RADIANS_PER_DEGREE (VRMI_PI / 180.0f)

static const char *const types[] = {"bone", "expression"};

static void report_default(vrmi_import *import, uint32_t object, const char *key, const char *value)
{
    vrmi_reader_report(&import->reader, VRM_FINDING_VRM1_LOOK_AT_DEFAULT, object, key, NULL, value);
}

// The specification names no default. Midway between the eyes is where a gaze starts; without eyes three-vrm's value.
static vrm_vec3 default_offset(const vrmi_import *import)
{
    const int32_t *bones = import->model.head.bone_node;
    const int32_t head = bones[VRM_HUMAN_BONE_HEAD];
    const int32_t left = bones[VRM_HUMAN_BONE_LEFT_EYE], right = bones[VRM_HUMAN_BONE_RIGHT_EYE];
    const vrm_mat34 *rest = VRMI_ROWS(import, node_rest_matrix, vrm_mat34);
    vrm_mat34 head_from_model;
    if (head < 0 || left < 0 || right < 0 || !vrmi_mat34_invert(&rest[head], &head_from_model)) {
        return (vrm_vec3){0.0f, 0.06f, 0.0f};
    }
    const vrm_vec3 middle =
        vrmi_vec3_scale(vrmi_vec3_add(vrmi_mat34_translation(&rest[left]), vrmi_mat34_translation(&rest[right])), 0.5f);
    return vrmi_mat34_point(&head_from_model, middle);
}

// `unit` turns the file's output into the model's: radians for bones, weights for expressions.
static void read_range_map(
    vrmi_import *import, uint32_t look_at, const char *key, float default_scale, float unit, vrm_range_map *out)
{
    vrmi_reader *reader = &import->reader;
    float input = 90.0f, scale = default_scale;
    const uint32_t map = vrmi_read_object(reader, look_at, key, VRMI_OPTIONAL);
    char text[48];
    if (map == VRMI_JSON_NONE || !vrmi_read_float(reader, map, "inputMaxValue", VRMI_OPTIONAL, &input)) {
        report_default(
            import, map == VRMI_JSON_NONE ? look_at : map, map == VRMI_JSON_NONE ? key : "inputMaxValue", "90");
    }
    if (map != VRMI_JSON_NONE && !vrmi_read_float(reader, map, "outputScale", VRMI_OPTIONAL, &scale)) {
        vrmi_format(text, sizeof text, "%g", (double)default_scale);
        report_default(import, map, "outputScale", text);
    }
    if (input < 0.0f || input > 180.0f) {
        vrmi_reader_report_value(
            reader, VRM_FINDING_VRM1_LOOK_AT_RANGE, vrmi_json_member(import->json, map, "inputMaxValue"), "0 to 180");
        input = vrmi_clamp(input, 0.0f, 180.0f);
    }
    out->input_max = input * RADIANS_PER_DEGREE;
    out->output_scale = scale * unit;
}

static void check_targets(vrmi_import *import, uint32_t look_at, vrm_look_at_type type)
{
    const vrmi_model_head *head = &import->model.head;
    vrm_finding_id id = VRM_FINDING_COUNT;
    if (type == VRM_LOOK_AT_BONE) {
        if (head->bone_node[VRM_HUMAN_BONE_LEFT_EYE] < 0 && head->bone_node[VRM_HUMAN_BONE_RIGHT_EYE] < 0) {
            id = VRM_FINDING_VRM1_LOOK_AT_NO_EYES;
        }
    } else if (head->preset_expression[VRM_EXPRESSION_PRESET_LOOK_UP] < 0 &&
               head->preset_expression[VRM_EXPRESSION_PRESET_LOOK_DOWN] < 0 &&
               head->preset_expression[VRM_EXPRESSION_PRESET_LOOK_LEFT] < 0 &&
               head->preset_expression[VRM_EXPRESSION_PRESET_LOOK_RIGHT] < 0) {
        id = VRM_FINDING_VRM1_LOOK_AT_NO_EXPRESSIONS;
    }
    if (id != VRM_FINDING_COUNT) {
        vrmi_reader_report(&import->reader, id, look_at, "type", NULL, NULL);
    }
}

void vrmi_import_look_at(vrmi_import *import)
{
    vrmi_reader *reader = &import->reader;
    vrm_look_at *out = &import->model.head.look_at;
    // Also without lookAt: the first-person viewpoint and the eye height come from it.
    out->offset_from_head_bone = default_offset(import);
    const uint32_t look_at = vrmi_read_object(reader, import->vrm, "lookAt", VRMI_OPTIONAL);
    if (look_at == VRMI_JSON_NONE) {
        return;
    }
    float offset[3];
    if (vrmi_read_floats(reader, look_at, "offsetFromHeadBone", VRMI_OPTIONAL, 3, offset)) {
        out->offset_from_head_bone = (vrm_vec3){offset[0], offset[1], offset[2]};
    } else if (vrmi_json_member(import->json, look_at, "offsetFromHeadBone") == VRMI_JSON_NONE) {
        report_default(import, look_at, "offsetFromHeadBone", "midway between the eyes, or [0, 0.06, 0]");
    }
    uint32_t type = 0;
    if (!vrmi_read_enum(reader, look_at, "type", VRMI_OPTIONAL, types, 2, &type) &&
        vrmi_json_member(import->json, look_at, "type") == VRMI_JSON_NONE) {
        report_default(import, look_at, "type", "bone");
    }
    out->type = type == 0 ? VRM_LOOK_AT_BONE : VRM_LOOK_AT_EXPRESSION;
    const float scale = type == 0 ? 10.0f : 1.0f, unit = type == 0 ? RADIANS_PER_DEGREE : 1.0f;
    read_range_map(import, look_at, "rangeMapHorizontalInner", scale, unit, &out->horizontal_inner);
    read_range_map(import, look_at, "rangeMapHorizontalOuter", scale, unit, &out->horizontal_outer);
    read_range_map(import, look_at, "rangeMapVerticalDown", scale, unit, &out->vertical_down);
    read_range_map(import, look_at, "rangeMapVerticalUp", scale, unit, &out->vertical_up);
    check_targets(import, look_at, out->type);
}
