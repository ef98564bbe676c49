// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include <vrm/ragdoll_build.h>

#include "base/checks.h"
#include "base/text.h"
#include "math/scalar.h"
#include "model/names.h"
#include "ragdoll/json_names.h"

const char *const vrmi_ragdoll_shape_names[VRM_RAGDOLL_SHAPE_COUNT] = {"capsule", "box"};
const char *const vrmi_ragdoll_joint_names[VRM_RAGDOLL_JOINT_COUNT] = {"free", "cone", "hinge"};

static void add_numbers(vrmi_text *out, const char *name, const float *values, uint32_t count)
{
    vrmi_text_format(out, "\"%s\": ", name);
    vrmi_text_add_string(out, count > 1 ? "[" : "");
    for (uint32_t i = 0; i < count; ++i) {
        vrmi_text_add_string(out, i > 0 ? ", " : "");
        vrmi_text_add_float(out, values[i]);
    }
    vrmi_text_add_string(out, count > 1 ? "]" : "");
}

// Writes the shortest number of degrees that gives back the same radians. Nine digits always suffice.
static void add_angle(vrmi_text *out, float radians)
{
    const double degrees = (double)radians / VRMI_RAGDOLL_DEGREE;
    for (int digits = 3; digits <= 9; ++digits) {
        const size_t before = out->size;
        double read = 0.0;
        vrmi_text_add_digits(out, degrees, digits);
        if (out->failed || digits == 9) {
            return;
        }
        (void)vrmi_parse_double(out->data + before, out->size - before, &read);
        if ((float)(read * VRMI_RAGDOLL_DEGREE) == radians) {
            return;
        }
        out->size = before;
    }
}

static void add_angles(vrmi_text *out, const char *name, float a, float b)
{
    vrmi_text_format(out, "\"%s\": [", name);
    add_angle(out, a);
    vrmi_text_add_string(out, ", ");
    add_angle(out, b);
    vrmi_text_add_string(out, "]");
}

static void add_shape(vrmi_text *out, const vrm_ragdoll_shape *shape)
{
    vrmi_text_format(out, "      \"shape\": {\"type\": \"%s\", ", vrmi_ragdoll_shape_names[shape->type]);
    add_numbers(out, "center", &shape->center.x, 3);
    vrmi_text_add_string(out, ", ");
    add_numbers(out, "rotation", &shape->rotation.x, 4);
    vrmi_text_add_string(out, ", ");
    if (shape->type == VRM_RAGDOLL_SHAPE_CAPSULE) {
        add_numbers(out, "radius", &shape->radius, 1);
        vrmi_text_add_string(out, ", ");
        add_numbers(out, "halfLength", &shape->half_length, 1);
    } else {
        add_numbers(out, "halfExtents", &shape->half_extents.x, 3);
    }
    vrmi_text_add_string(out, "},\n");
}

static void add_joint(vrmi_text *out, const vrm_ragdoll_joint *joint)
{
    vrmi_text_format(out, "      \"joint\": {\"type\": \"%s\"", vrmi_ragdoll_joint_names[joint->type]);
    if (joint->type != VRM_RAGDOLL_JOINT_FREE) {
        vrmi_text_add_string(out, ", ");
        add_numbers(out, "anchor", &joint->anchor.x, 3);
        vrmi_text_add_string(out, ", ");
        add_numbers(out, "frame", &joint->frame.x, 4);
        vrmi_text_add_string(out, ",\n        ");
    }
    if (joint->type == VRM_RAGDOLL_JOINT_CONE) {
        add_angles(out, "swing", joint->swing_y, joint->swing_z);
        vrmi_text_add_string(out, ", ");
        add_angles(out, "swingCenter", joint->center_y, joint->center_z);
        vrmi_text_add_string(out, ", ");
    }
    if (joint->type != VRM_RAGDOLL_JOINT_FREE) {
        add_angles(out, joint->type == VRM_RAGDOLL_JOINT_CONE ? "twist" : "angle", joint->min_angle, joint->max_angle);
    }
    vrmi_text_add_string(out, ",\n        \"drive\": {");
    add_numbers(out, "frequency", &joint->drive.frequency, 1);
    vrmi_text_add_string(out, ", ");
    add_numbers(out, "dampingRatio", &joint->drive.damping_ratio, 1);
    vrmi_text_add_string(out, ", ");
    add_numbers(out, "maxTorque", &joint->drive.max_torque, 1);
    vrmi_text_add_string(out, "}");
    vrmi_text_add_string(out, "},\n");
}

static void add_body(vrmi_text *out, const vrm_ragdoll_def *def, uint32_t index)
{
    const vrm_ragdoll_body *body = &def->bodies[index];
    vrmi_text_format(out, "    {\"bone\": \"%s\", ", vrm_human_bone_name(body->bone));
    if (body->parent >= 0) {
        vrmi_text_format(out, "\"parent\": \"%s\", ", vrm_human_bone_name(def->bodies[body->parent].bone));
    }
    vrmi_text_format(out, "\"group\": \"%s\",\n      ", vrmi_ragdoll_group_names[body->group]);
    add_numbers(out, "mass", &body->mass, 1);
    vrmi_text_add_string(out, ", ");
    add_numbers(out, "centerOfMass", &body->center_of_mass.x, 3);
    vrmi_text_add_string(out, ",\n      ");
    add_numbers(out, "inertia", &body->inertia.x, 3);
    vrmi_text_add_string(out, ", ");
    add_numbers(out, "inertiaRotation", &body->inertia_rotation.x, 4);
    vrmi_text_add_string(out, ",\n");
    add_shape(out, &body->shape);
    add_joint(out, &body->joint);
    vrmi_text_add_string(out, "      \"noContact\": [");
    bool comma = false;
    for (uint32_t i = 0; i < def->body_count; ++i) {
        if ((body->no_contact >> i & 1u) != 0) {
            vrmi_text_format(out, "%s\"%s\"", comma ? ", " : "", vrm_human_bone_name(def->bodies[i].bone));
            comma = true;
        }
    }
    vrmi_text_format(out, "]}%s\n", index + 1 < def->body_count ? "," : "");
}

vrm_result vrm_ragdoll_def_to_json(const vrm_ragdoll_def *def, const vrm_allocator *allocator, vrm_bytes *out_bytes)
{
    if (!VRM_ASSERT(out_bytes != NULL) || vrm_ragdoll_def_check(def, NULL) != VRM_SUCCESS) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    vrm_allocator chosen;
    vrmi_resolve_allocator(allocator, &chosen);
    *out_bytes = (vrm_bytes){.allocator = chosen};
    vrmi_text out;
    vrmi_text_init(&out, &chosen);
    vrmi_text_format(&out, "{\n  \"version\": %d,\n  ", VRMI_RAGDOLL_JSON_VERSION);
    add_numbers(&out, "height", &def->height, 1);
    vrmi_text_add_string(&out, ",\n  \"bodies\": [\n");
    for (uint32_t i = 0; i < def->body_count; ++i) {
        add_body(&out, def, i);
    }
    vrmi_text_add_string(&out, "  ]\n}\n");
    out_bytes->data = vrmi_text_take(&out, &out_bytes->size);
    return out_bytes->data != NULL ? VRM_SUCCESS : VRM_ERROR_OUT_OF_MEMORY;
}
