// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Reads firstPerson of VRM 0.x: the origin of the gaze and the ranges and curves of the eyes or expressions.

#include "base/checks.h"
#include "import/avatar/import_parts.h"
#include "import/upgrade/upgrade.h"
#include "math/scalar.h"

#define RADIANS_PER_DEGREE (VRMI_PI / 180.0f)

enum { KEY_SIZE = 4 }; // time, value, in tangent, out tangent

static const vrmi_word types[] = {
    {"Bone", VRM_LOOK_AT_BONE}, {"BlendShape", VRM_LOOK_AT_EXPRESSION}, {"Expression", VRM_LOOK_AT_EXPRESSION}};

// Whether a curve goes from (0, 0) to (1, 1) with slope 1. Nearly every file has this curve, and it needs no table.
static bool is_linear(const vrm_curve_key *keys, uint32_t count)
{
    return count == 2 && keys[0].time == 0.0f && keys[0].value == 0.0f && keys[0].out_tangent == 1.0f &&
           keys[1].time == 1.0f && keys[1].value == 1.0f && keys[1].in_tangent == 1.0f;
}

static void read_curve(vrmi_import *import, uint32_t map, vrmi_range *out)
{
    const vrmi_json *json = import->json;
    vrmi_reader *reader = &import->reader;
    vrmi_array *table = &import->model.look_curve_key;
    *out = (vrmi_range){table->count, 0};
    const uint32_t array = vrmi_read_array(reader, map, "curve", VRMI_OPTIONAL);
    const uint32_t count = vrmi_json_count(json, array) / KEY_SIZE;
    bool good = vrmi_json_count(json, array) % KEY_SIZE == 0;
    uint32_t item = vrmi_json_first(json, array);
    for (uint32_t i = 0; i < count && good && vrmi_import_tick(import, KEY_SIZE); ++i) {
        float values[KEY_SIZE];
        for (int k = 0; k < KEY_SIZE; ++k, item = vrmi_json_next(json, item)) {
            double number = 0.0;
            good = good && vrmi_json_number(json, item, &number) && number > -3.0e38 && number < 3.0e38;
            values[k] = good ? (float)number : 0.0f;
        }
        vrm_curve_key *row = good ? vrmi_import_push(import, table) : NULL;
        if (row != NULL) {
            *row = (vrm_curve_key){values[0], values[1], values[2], values[3]};
            good = i == 0 || row[-1].time < row->time;
            ++out->count;
        }
    }
    if (!good) {
        vrmi_reader_report(reader, VRM_FINDING_VRM0_LOOK_AT_CURVE, array, NULL, NULL,
            "time, value, in tangent and out tangent of each key, by ascending time");
    }
    if (!good || (out->count != 0 && is_linear((const vrm_curve_key *)table->items + out->first, out->count))) {
        table->count = out->first;
        *out = (vrmi_range){0, 0};
    }
}

static void read_map(
    vrmi_import *import, uint32_t first_person, const char *key, vrm_look_direction direction, vrm_range_map *out)
{
    vrmi_reader *reader = &import->reader;
    vrmi_model_head *head = &import->model.head;
    const bool bone = head->look_at.type == VRM_LOOK_AT_BONE;
    const uint32_t map = vrmi_read_object(reader, first_person, key, VRMI_OPTIONAL);
    float x = 90.0f, y = bone ? 10.0f : 1.0f;
    if (map == VRMI_JSON_NONE) {
        vrmi_reader_report(reader, VRM_FINDING_VRM1_LOOK_AT_DEFAULT, first_person, key, NULL, NULL);
    } else {
        (void)vrmi_read_float(reader, map, "xRange", VRMI_OPTIONAL, &x);
        (void)vrmi_read_float(reader, map, "yRange", VRMI_OPTIONAL, &y);
        read_curve(import, map, &head->look_curve[direction]);
    }
    if (x < 0.0f || x > 180.0f) {
        vrmi_reader_report_value(
            reader, VRM_FINDING_VRM1_LOOK_AT_RANGE, vrmi_json_member(import->json, map, "xRange"), "0 to 180");
        x = vrmi_clamp(x, 0.0f, 180.0f);
    }
    *out = (vrm_range_map){x * RADIANS_PER_DEGREE, bone ? y * RADIANS_PER_DEGREE : y};
}

void vrmi_vrm0_look_at(vrmi_import *import)
{
    vrmi_reader *reader = &import->reader;
    vrmi_look_at_row *out = &import->model.head.look_at;
    out->offset_from_head_bone = vrmi_import_default_offset(import);
    const uint32_t first_person = vrmi_read_object(reader, import->vrm, "firstPerson", VRMI_OPTIONAL);
    if (first_person == VRMI_JSON_NONE) {
        return;
    }
    vrm_vec3 offset;
    if (vrmi_read_xyz(reader, first_person, "firstPersonBoneOffset", &offset)) {
        // Unity's vectors are left-handed, so z is negated. The offset belongs to firstPersonBone, which is the head in
        // every known file; UniVRM always measures from the head.
        out->offset_from_head_bone = (vrm_vec3){offset.x, offset.y, -offset.z};
    } else {
        vrmi_reader_report(reader, VRM_FINDING_VRM1_LOOK_AT_DEFAULT, first_person, "firstPersonBoneOffset", NULL, NULL);
    }
    uint32_t type = VRM_LOOK_AT_BONE;
    (void)vrmi_read_word(reader, first_person, "lookAtTypeName", types, VRMI_COUNT_OF(types), &type);
    out->type = (vrm_look_at_type)type;
    read_map(import, first_person, "lookAtHorizontalInner", VRM_LOOK_HORIZONTAL_INNER, &out->horizontal_inner);
    read_map(import, first_person, "lookAtHorizontalOuter", VRM_LOOK_HORIZONTAL_OUTER, &out->horizontal_outer);
    read_map(import, first_person, "lookAtVerticalDown", VRM_LOOK_VERTICAL_DOWN, &out->vertical_down);
    read_map(import, first_person, "lookAtVerticalUp", VRM_LOOK_VERTICAL_UP, &out->vertical_up);
    vrmi_import_check_look_at(import, first_person, "lookAtTypeName");
}
