// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "import/upgrade/upgrade_constraint.h"

#include "base/checks.h"
#include "import/upgrade/upgrade.h"
#include "math/vec3.h"

uint32_t vrmi_draft_constraints_of(const vrmi_import *import, uint32_t node_json)
{
    static const char *const names[] = {
        "VRMC_constraints", "VRMC_constraints-1.0", NULL}; // the second is from the prose
    const uint32_t extensions = vrmi_json_member(import->json, node_json, "extensions");
    const char *name = vrmi_first_key(import->json, extensions, names);
    const uint32_t value = name != NULL ? vrmi_json_member(import->json, extensions, name) : VRMI_JSON_NONE;
    return vrmi_json_is(import->json, value, VRMI_JSON_OBJECT) ? value : VRMI_JSON_NONE;
}

bool vrmi_is_draft_constraint(const vrmi_json *json, uint32_t constraint)
{
    static const char *const keys[] = {"sourceSpace", "destinationSpace", "freezeAxes", "aimVector", "upVector", NULL};
    return vrmi_json_member(json, constraint, "position") != VRMI_JSON_NONE ||
           vrmi_first_key(json, vrmi_json_member(json, constraint, "rotation"), keys) != NULL ||
           vrmi_first_key(json, vrmi_json_member(json, constraint, "aim"), keys) != NULL;
}

static vrm_constraint_space read_space(vrmi_import *import, uint32_t object, const char *key)
{
    static const vrmi_word words[] = {{"model", VRM_CONSTRAINT_SPACE_MODEL}, {"local", VRM_CONSTRAINT_SPACE_LOCAL}};
    uint32_t space = VRM_CONSTRAINT_SPACE_MODEL;
    (void)vrmi_read_word(&import->reader, object, key, words, VRMI_COUNT_OF(words), &space);
    return (vrm_constraint_space)space;
}

// Reads freezeAxes. The draft says "Axes be constrained", so true means that an axis is constrained.
static void read_axes(vrmi_import *import, uint32_t object, uint32_t count, bool out[3])
{
    const vrmi_json *json = import->json;
    for (uint32_t i = 0; i < 3; ++i) {
        out[i] = i < count;
    }
    const uint32_t array = vrmi_read_array(&import->reader, object, "freezeAxes", VRMI_OPTIONAL);
    if (array != VRMI_JSON_NONE && vrmi_json_count(json, array) != count) {
        vrmi_reader_report(
            &import->reader, VRM_FINDING_ARRAY_LENGTH_NOT_IN_LIST, array, NULL, NULL, count == 3 ? "3" : "2");
        return;
    }
    uint32_t item = vrmi_json_first(json, array);
    for (uint32_t i = 0; i < count && item != VRMI_JSON_NONE; ++i, item = vrmi_json_next(json, item)) {
        if (vrmi_json_is(json, item, VRMI_JSON_TRUE) || vrmi_json_is(json, item, VRMI_JSON_FALSE)) {
            out[i] = vrmi_json_is(json, item, VRMI_JSON_TRUE);
        } else {
            vrmi_reader_report_value(&import->reader, VRM_FINDING_TYPE_MISMATCH, item, "true or false");
        }
    }
}

static vrm_vec3 read_axis(vrmi_import *import, uint32_t object, const char *key, vrm_vec3 fallback)
{
    float v[3];
    if (!vrmi_read_floats(&import->reader, object, key, VRMI_OPTIONAL, 3, v)) {
        return fallback;
    }
    return vrmi_vec3_normalize_or((vrm_vec3){v[0], v[1], v[2]}, fallback);
}

// Reads an aim constraint. For a missing up vector, the prose has [0, 1, 0]. The schema has [0, 0, 1], which cannot be
// meant because it is also the default of the aim vector.
static void read_aim(vrmi_import *import, uint32_t object, vrmi_constraint_row *out)
{
    const vrm_vec3 axes[2] = {{0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}};
    const vrm_vec3 none = {0.0f, 0.0f, 0.0f};
    out->axis = read_axis(import, object, "aimVector", axes[1]);
    vrm_vec3 up = read_axis(import, object, "upVector", axes[0]);
    for (int i = 0; i < 3; ++i) {
        const vrm_vec3 across = vrmi_vec3_sub(up, vrmi_vec3_scale(out->axis, vrmi_vec3_dot(up, out->axis)));
        if (vrmi_vec3_dot(across, across) > 1e-6f) {
            out->up = vrmi_vec3_normalize_or(across, none);
            return;
        }
        if (i == 0) {
            vrmi_reader_report(&import->reader, VRM_FINDING_VRM1_DRAFT_AIM_UP, object, "upVector", NULL, NULL);
        }
        up = axes[i < 2 ? i : 1];
    }
}

static bool read_one(
    vrmi_import *import, uint32_t object, vrm_constraint_type type, uint32_t node, vrmi_constraint_row *out)
{
    vrmi_reader *reader = &import->reader;
    *out = (vrmi_constraint_row){.type = type, .node = node, .weight = 1.0f};
    (void)vrmi_read_float_range(reader, object, "weight", 0.0f, 1.0f, &out->weight);
    out->source_space = read_space(import, object, "sourceSpace");
    out->destination_space = read_space(import, object, "destinationSpace");
    read_axes(import, object, type == VRM_CONSTRAINT_AIM_UP ? 2 : 3, out->axes);
    if (type == VRM_CONSTRAINT_AIM_UP) {
        read_aim(import, object, out);
    }
    if (!vrmi_import_node_index(import, object, "source", VRMI_REQUIRED, &out->source)) {
        return false;
    }
    if (out->source == node) {
        vrmi_reader_report(reader, VRM_FINDING_VRM1_CONSTRAINT_SELF, object, "source", NULL, "another node");
        return false;
    }
    return true;
}

uint32_t vrmi_read_draft_constraints(vrmi_import *import, uint32_t json, uint32_t node, vrmi_constraint_row out[2])
{
    vrmi_reader *reader = &import->reader;
    const uint32_t position = vrmi_read_object(reader, json, "position", VRMI_OPTIONAL);
    const uint32_t rotation = vrmi_read_object(reader, json, "rotation", VRMI_OPTIONAL);
    const uint32_t aim = vrmi_read_object(reader, json, "aim", VRMI_OPTIONAL);
    uint32_t count = 0;
    if (position != VRMI_JSON_NONE && read_one(import, position, VRM_CONSTRAINT_POSITION, node, &out[count])) {
        ++count;
    }
    if (rotation != VRMI_JSON_NONE && aim != VRMI_JSON_NONE) {
        vrmi_reader_report(reader, VRM_FINDING_VRM1_DRAFT_CONSTRAINTS, json, "aim", NULL, NULL);
    }
    if (rotation != VRMI_JSON_NONE) {
        count += read_one(import, rotation, VRM_CONSTRAINT_ROTATION_AXES, node, &out[count]) ? 1u : 0u;
    } else if (aim != VRMI_JSON_NONE) {
        count += read_one(import, aim, VRM_CONSTRAINT_AIM_UP, node, &out[count]) ? 1u : 0u;
    }
    return count;
}
