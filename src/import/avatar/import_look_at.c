// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include <float.h>

#include "base/text.h"
#include "import/avatar/import_parts.h"
#include "import/upgrade/upgrade.h"
#include "math/mat34.h"

#define RADIANS_PER_DEGREE (VRMI_PI / 180.0f)

static const char *const types[] = {"bone", "expression"};
static const vrmi_word draft_types[] = {{"bone", 0}, {"expression", 1}, {"blendShape", 1}};

// Keys by vrm_look_direction: the key of 1.0, of the draft's schema, and of its prose. A file with one of the older
// keys is a draft.
static const char *const map_keys[VRM_LOOK_DIRECTION_COUNT][4] = {
    {"rangeMapHorizontalInner", "lookAtHorizontalInner", "horizontalInner", NULL},
    {"rangeMapHorizontalOuter", "lookAtHorizontalOuter", "horizontalOuter", NULL},
    {"rangeMapVerticalDown", "lookAtVerticalDown", "verticalDown", NULL},
    {"rangeMapVerticalUp", "lookAtVerticalUp", "verticalUp", NULL},
};

// Outputs above this limit are degrees: no eye rotates by more radians, and no known exporter writes fewer degrees.
#define LARGEST_RADIANS 1.6f

static void report_default(vrmi_import *import, uint32_t object, const char *key, const char *value)
{
    vrmi_reader_report(&import->reader, VRM_FINDING_VRM1_LOOK_AT_DEFAULT, object, key, NULL, value);
}

// Returns the gaze's origin for files that do not state it, since the specification has no default. It is midway
// between the eyes, or three-vrm's value if there are no eyes.
vrm_vec3 vrmi_import_default_offset(const vrmi_import *import)
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

// Reads a range map. Returns false if the file does not give the output, which then keeps its default.
static bool read_range_map(
    vrmi_import *import, uint32_t look_at, const char *const *keys, float default_scale, vrm_range_map *out)
{
    const char *found = vrmi_first_key(import->json, look_at, keys);
    const char *key = found != NULL ? found : keys[0];
    vrmi_reader *reader = &import->reader;
    float input = 90.0f, scale = default_scale;
    const uint32_t map = vrmi_read_object(reader, look_at, key, VRMI_OPTIONAL);
    char text[48];
    if (map == VRMI_JSON_NONE || !vrmi_read_float(reader, map, "inputMaxValue", VRMI_OPTIONAL, &input)) {
        report_default(
            import, map == VRMI_JSON_NONE ? look_at : map, map == VRMI_JSON_NONE ? key : "inputMaxValue", "90");
    }
    const bool given = map != VRMI_JSON_NONE && vrmi_read_float(reader, map, "outputScale", VRMI_OPTIONAL, &scale);
    if (map != VRMI_JSON_NONE && !given) {
        vrmi_format(text, sizeof text, "%g", (double)default_scale);
        report_default(import, map, "outputScale", text);
    }
    const float most = import->def->look_at_range == VRM_LOOK_AT_RANGE_TEXT ? FLT_MAX : 180.0f;
    if (input < 0.0f || input > most) {
        vrmi_reader_report_value(
            reader, VRM_FINDING_VRM1_LOOK_AT_RANGE, vrmi_json_member(import->json, map, "inputMaxValue"), "0 to 180");
        input = vrmi_clamp(input, 0.0f, most);
    }
    out->input_max = input * RADIANS_PER_DEGREE;
    out->output_scale = scale;
    return given;
}

// Returns the unit of the outputs for bones that a file gives. Before 1.0, the prose says radians and the schemas say
// degrees.
static float unit_of(vrmi_import *import, uint32_t look_at, const vrm_range_map *maps[VRM_LOOK_DIRECTION_COUNT],
    const bool given[VRM_LOOK_DIRECTION_COUNT])
{
    const uint32_t dialect = import->model.head.dialect;
    if (dialect != VRMI_DIALECT_1_0_BETA && dialect != VRMI_DIALECT_1_0_DRAFT) {
        return RADIANS_PER_DEGREE;
    }
    if (import->def->look_at_unit != VRM_LOOK_AT_UNIT_AUTO) {
        return import->def->look_at_unit == VRM_LOOK_AT_UNIT_RADIANS ? 1.0f : RADIANS_PER_DEGREE;
    }
    bool radians = true, any = false;
    for (int i = 0; i < VRM_LOOK_DIRECTION_COUNT; ++i) {
        any = any || given[i];
        radians = radians && !(given[i] && vrmi_abs(maps[i]->output_scale) > LARGEST_RADIANS);
    }
    if (any) {
        vrmi_reader_report(&import->reader, VRM_FINDING_VRM1_LOOK_AT_UNIT, look_at, NULL,
            radians ? "read as radians" : "read as degrees", NULL);
    }
    return radians ? 1.0f : RADIANS_PER_DEGREE;
}

static void read_range_maps(vrmi_import *import, uint32_t look_at, vrmi_look_at_row *out)
{
    vrm_range_map *maps[VRM_LOOK_DIRECTION_COUNT] = {
        &out->horizontal_inner, &out->horizontal_outer, &out->vertical_down, &out->vertical_up};
    const vrm_range_map *read[VRM_LOOK_DIRECTION_COUNT] = {maps[0], maps[1], maps[2], maps[3]};
    bool given[VRM_LOOK_DIRECTION_COUNT];
    const bool bone = out->type == VRM_LOOK_AT_BONE;
    for (int i = 0; i < VRM_LOOK_DIRECTION_COUNT; ++i) {
        given[i] = read_range_map(import, look_at, map_keys[i], bone ? 10.0f : 1.0f, maps[i]);
    }
    if (bone) {
        const float unit = unit_of(import, look_at, read, given);
        for (int i = 0; i < VRM_LOOK_DIRECTION_COUNT; ++i) {
            maps[i]->output_scale *= given[i] ? unit : RADIANS_PER_DEGREE;
        }
    } else if (vrmi_import_is_draft(import) && given[VRM_LOOK_HORIZONTAL_INNER] &&
               (maps[0]->input_max != maps[1]->input_max || maps[0]->output_scale != maps[1]->output_scale)) {
        // The draft has a map for each eye, but one expression moves both eyes.
        vrmi_reader_report(&import->reader, VRM_FINDING_VRM1_LOOK_AT_INNER_IGNORED, look_at, NULL, NULL, NULL);
    }
}

static vrm_look_at_type read_type(vrmi_import *import, uint32_t look_at, const char **out_key)
{
    static const char *const keys[] = {"type", "lookAtType", NULL};
    uint32_t type = 0;
    *out_key = vrmi_first_key(import->json, look_at, keys);
    if (*out_key == NULL) {
        *out_key = "type";
        report_default(import, look_at, "type", "bone");
    } else if (vrmi_import_is_draft(import)) {
        (void)vrmi_read_word(
            &import->reader, look_at, *out_key, draft_types, sizeof draft_types / sizeof *draft_types, &type);
    } else {
        (void)vrmi_read_enum(&import->reader, look_at, *out_key, VRMI_OPTIONAL, types, 2, &type);
    }
    return type == 0 ? VRM_LOOK_AT_BONE : VRM_LOOK_AT_EXPRESSION;
}

void vrmi_import_check_look_at(vrmi_import *import, uint32_t look_at, const char *key)
{
    const vrmi_model_head *head = &import->model.head;
    vrm_finding_id id = VRM_FINDING_COUNT;
    if (head->look_at.type == VRM_LOOK_AT_BONE) {
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
        vrmi_reader_report(&import->reader, id, look_at, key, NULL, NULL);
    }
}

void vrmi_import_look_at(vrmi_import *import)
{
    vrmi_reader *reader = &import->reader;
    vrmi_look_at_row *out = &import->model.head.look_at;
    // Also needed without lookAt: the first-person viewpoint and the eye height are derived from this offset.
    out->offset_from_head_bone = vrmi_import_default_offset(import);
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
    const char *type_key;
    out->type = read_type(import, look_at, &type_key);
    read_range_maps(import, look_at, out);
    vrmi_import_check_look_at(import, look_at, type_key);
}
