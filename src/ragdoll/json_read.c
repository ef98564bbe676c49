// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Reads a definition from JSON. The JSON is either a whole definition, in which everything is required, or an edit, in
// which missing members keep their values. The same code reads both; `need` is the only difference.

#include <vrm/ragdoll_build.h>

#include "base/abi.h"
#include "base/checks.h"
#include "base/text.h"
#include "format/json/json_read.h"
#include "math/scalar.h"
#include "model/model.h"
#include "model/names.h"
#include "ragdoll/json_names.h"

typedef struct ragdoll_json {
    const vrm_avatar *avatar;
    vrmi_reader reader;
    vrmi_need need;
    vrm_ragdoll_def def;
    uint32_t body_json[VRM_RAGDOLL_MAX_BODIES]; // each body's object, or VRMI_JSON_NONE
} ragdoll_json;

static const char body_expected[] = "a bone with a body";

// Reports unknown keys of an object. `expected` says what a key should be.
#define CHECK_KEYS(r, object, expected, ...) \
    do { \
        static const char *const keys[] = {__VA_ARGS__}; \
        vrmi_read_keys(&(r)->reader, object, keys, VRMI_COUNT_OF(keys), VRM_FINDING_RAGDOLL_UNKNOWN_KEY, expected); \
    } while (0)

// Reads two angles in degrees, as doubles. Degrees in floats would not give back the written radians.
static void read_angles(ragdoll_json *r, uint32_t object, const char *key, float *out_a, float *out_b)
{
    float checked[2];
    if (vrmi_read_floats(&r->reader, object, key, r->need, 2, checked)) {
        const uint32_t array = vrmi_json_member(r->reader.json, object, key);
        double a = 0.0, b = 0.0;
        (void)vrmi_json_number(r->reader.json, vrmi_json_element(r->reader.json, array, 0), &a);
        (void)vrmi_json_number(r->reader.json, vrmi_json_element(r->reader.json, array, 1), &b);
        *out_a = (float)(a * VRMI_RAGDOLL_DEGREE);
        *out_b = (float)(b * VRMI_RAGDOLL_DEGREE);
    }
}

static void read_number(ragdoll_json *r, uint32_t object, const char *key, float *out)
{
    (void)vrmi_read_float(&r->reader, object, key, r->need, out);
}

static void read_numbers(ragdoll_json *r, uint32_t object, const char *key, uint32_t count, float *out)
{
    (void)vrmi_read_floats(&r->reader, object, key, r->need, count, out);
}

// Returns the bone that a string names; -1 if there is none.
static int32_t bone_of(const ragdoll_json *r, uint32_t string)
{
    char name[48];
    const size_t length = vrmi_json_unescape(r->reader.json, string, name, sizeof name);
    return length < sizeof name ? vrm_human_bone_from_name(name, length) : -1;
}

static int32_t body_of(const ragdoll_json *r, int32_t bone)
{
    for (uint32_t i = 0; i < r->def.body_count; ++i) {
        if ((int32_t)r->def.bodies[i].bone == bone) {
            return (int32_t)i;
        }
    }
    return -1;
}

// Finds a body by the name of its bone, and reports a name without a body.
static int32_t read_body_name(ragdoll_json *r, uint32_t string)
{
    const int32_t body = vrmi_json_is(r->reader.json, string, VRMI_JSON_STRING) ? body_of(r, bone_of(r, string)) : -1;
    if (body < 0) {
        vrmi_reader_report_value(&r->reader, VRM_FINDING_RAGDOLL_UNKNOWN_BODY, string, body_expected);
    }
    return body;
}

static void read_shape(ragdoll_json *r, uint32_t object, vrm_ragdoll_shape *shape)
{
    const uint32_t json = vrmi_read_object(&r->reader, object, "shape", r->need);
    if (json == VRMI_JSON_NONE) {
        return;
    }
    uint32_t type = (uint32_t)shape->type;
    (void)vrmi_read_enum(&r->reader, json, "type", r->need, vrmi_ragdoll_shape_names, VRM_RAGDOLL_SHAPE_COUNT, &type);
    // If the type changes, the sizes of the old type are not kept.
    const vrmi_need need = r->need;
    r->need = type != (uint32_t)shape->type ? VRMI_REQUIRED : need;
    shape->type = (vrm_ragdoll_shape_type)type;
    if (shape->type == VRM_RAGDOLL_SHAPE_CAPSULE) {
        CHECK_KEYS(r, json, "a key of a capsule", "type", "center", "rotation", "radius", "halfLength");
        read_number(r, json, "radius", &shape->radius);
        read_number(r, json, "halfLength", &shape->half_length);
    } else {
        CHECK_KEYS(r, json, "a key of a box", "type", "center", "rotation", "halfExtents");
        read_numbers(r, json, "halfExtents", 3, &shape->half_extents.x);
    }
    r->need = need;
    read_numbers(r, json, "center", 3, &shape->center.x);
    read_numbers(r, json, "rotation", 4, &shape->rotation.x);
}

// The drive is optional, because older files have no drives of joints.
static void read_drive(ragdoll_json *r, uint32_t object, vrm_ragdoll_joint_drive *drive)
{
    const uint32_t json = vrmi_read_object(&r->reader, object, "drive", VRMI_OPTIONAL);
    if (json == VRMI_JSON_NONE) {
        return;
    }
    CHECK_KEYS(r, json, "a key of a joint's drive", "frequency", "dampingRatio", "maxTorque");
    read_number(r, json, "frequency", &drive->frequency);
    read_number(r, json, "dampingRatio", &drive->damping_ratio);
    read_number(r, json, "maxTorque", &drive->max_torque);
}

static void read_joint(ragdoll_json *r, uint32_t object, vrm_ragdoll_joint *joint)
{
    const uint32_t json = vrmi_read_object(&r->reader, object, "joint", r->need);
    if (json == VRMI_JSON_NONE) {
        return;
    }
    uint32_t type = (uint32_t)joint->type;
    (void)vrmi_read_enum(&r->reader, json, "type", r->need, vrmi_ragdoll_joint_names, VRM_RAGDOLL_JOINT_COUNT, &type);
    const vrmi_need need = r->need;
    r->need = type != (uint32_t)joint->type ? VRMI_REQUIRED : need;
    joint->type = (vrm_ragdoll_joint_type)type;
    if (joint->type == VRM_RAGDOLL_JOINT_CONE) {
        CHECK_KEYS(r, json, "a key of a cone", "type", "anchor", "frame", "swing", "swingCenter", "twist", "drive");
        read_angles(r, json, "swing", &joint->swing_y, &joint->swing_z);
        read_angles(r, json, "swingCenter", &joint->center_y, &joint->center_z);
        read_angles(r, json, "twist", &joint->min_angle, &joint->max_angle);
    } else if (joint->type == VRM_RAGDOLL_JOINT_HINGE) {
        CHECK_KEYS(r, json, "a key of a hinge", "type", "anchor", "frame", "angle", "drive");
        read_angles(r, json, "angle", &joint->min_angle, &joint->max_angle);
    } else {
        CHECK_KEYS(r, json, "a key of a free joint", "type", "drive");
    }
    r->need = need;
    if (joint->type != VRM_RAGDOLL_JOINT_FREE) {
        read_numbers(r, json, "anchor", 3, &joint->anchor.x);
        read_numbers(r, json, "frame", 4, &joint->frame.x);
    }
    read_drive(r, json, &joint->drive);
}

static void read_mass(ragdoll_json *r, uint32_t json, vrm_ragdoll_body *body)
{
    const float before = body->mass;
    read_number(r, json, "mass", &body->mass);
    read_numbers(r, json, "centerOfMass", 3, &body->center_of_mass.x);
    read_numbers(r, json, "inertiaRotation", 4, &body->inertia_rotation.x);
    if (!vrmi_read_floats(&r->reader, json, "inertia", r->need, 3, &body->inertia.x) && before > 0.0f) {
        const float factor = body->mass / before;
        body->inertia.x *= factor;
        body->inertia.y *= factor;
        body->inertia.z *= factor;
    }
}

static void read_body(ragdoll_json *r, uint32_t json, uint32_t index)
{
    vrm_ragdoll_body *body = &r->def.bodies[index];
    const uint32_t parent = vrmi_read_string(&r->reader, json, "parent", index > 0 ? r->need : VRMI_OPTIONAL);
    if (parent != VRMI_JSON_NONE) {
        const int32_t found = read_body_name(r, parent);
        body->parent = found >= 0 ? found : body->parent;
    }
    uint32_t group = (uint32_t)body->group;
    (void)vrmi_read_enum(&r->reader, json, "group", r->need, vrmi_ragdoll_group_names, VRM_RAGDOLL_GROUP_COUNT, &group);
    body->group = (vrm_ragdoll_group)group;
    read_mass(r, json, body);
    read_shape(r, json, &body->shape);
    read_joint(r, json, &body->joint);
}

// Returns the body that an element describes: in an edit an existing body, otherwise a new one. Returns -1 after
// reporting a fault.
static int32_t read_bone(ragdoll_json *r, uint32_t json)
{
    if (!vrmi_json_is(r->reader.json, json, VRMI_JSON_OBJECT)) {
        vrmi_reader_report_value(&r->reader, VRM_FINDING_TYPE_MISMATCH, json, "an object");
        return -1;
    }
    CHECK_KEYS(r, json, "a key of a body", "bone", "parent", "group", "mass", "centerOfMass", "inertia",
        "inertiaRotation", "shape", "joint", "noContact");
    const uint32_t name = vrmi_read_string(&r->reader, json, "bone", VRMI_REQUIRED);
    if (name == VRMI_JSON_NONE) {
        return -1;
    }
    if (r->need == VRMI_OPTIONAL) {
        const int32_t body = read_body_name(r, name);
        if (body >= 0 && r->body_json[body] != VRMI_JSON_NONE) {
            vrmi_reader_report_value(&r->reader, VRM_FINDING_RAGDOLL_UNKNOWN_BODY, name, "each bone once");
            return -1;
        }
        return body;
    }
    const int32_t bone = bone_of(r, name), node = bone >= 0 ? r->avatar->model->head.bone_node[bone] : -1;
    if (node < 0 || body_of(r, bone) >= 0) {
        vrmi_reader_report_value(&r->reader, VRM_FINDING_RAGDOLL_UNKNOWN_BODY, name,
            node < 0 ? "a bone of this avatar" : "a bone that has no body yet");
        return -1;
    }
    const uint32_t index = r->def.body_count++; // bones are not repeated, so there is room for the body
    r->def.bodies[index] = (vrm_ragdoll_body){.bone = (vrm_human_bone)bone,
        .node = (uint32_t)node,
        .parent = -1,
        .joint = {.type = index > 0 ? VRM_RAGDOLL_JOINT_CONE : VRM_RAGDOLL_JOINT_FREE, .frame = {0, 0, 0, 1}}};
    return (int32_t)index;
}

static void read_contacts(ragdoll_json *r, uint32_t index)
{
    vrm_ragdoll_def *def = &r->def;
    const uint32_t list = vrmi_read_array(&r->reader, r->body_json[index], "noContact", r->need);
    if (list == VRMI_JSON_NONE) {
        return;
    }
    def->bodies[index].no_contact = 0;
    for (uint32_t i = 0; i < def->body_count && r->need == VRMI_OPTIONAL; ++i) {
        def->bodies[i].no_contact &=
            ~(UINT64_C(1) << index); // the pair is stored in both bodies, and an edit changes both
    }
    for (uint32_t item = vrmi_json_first(r->reader.json, list); item != VRMI_JSON_NONE;
         item = vrmi_json_next(r->reader.json, item)) {
        const int32_t other = read_body_name(r, item);
        if (other >= 0) {
            def->bodies[index].no_contact |= UINT64_C(1) << other;
            def->bodies[other].no_contact |= r->need == VRMI_OPTIONAL ? UINT64_C(1) << index : 0;
        }
    }
}

static void read_total_mass(ragdoll_json *r)
{
    float total = 0.0f, sum = 0.0f;
    if (!vrmi_read_float_range(&r->reader, 0, "totalMass", 1e-3f, 1e6f, &total)) {
        return;
    }
    for (uint32_t i = 0; i < r->def.body_count; ++i) {
        sum += r->def.bodies[i].mass;
    }
    for (uint32_t i = 0; i < r->def.body_count && sum > 0.0f; ++i) {
        vrm_ragdoll_body *body = &r->def.bodies[i];
        const float factor = total / sum;
        body->mass *= factor;
        body->inertia = (vrm_vec3){body->inertia.x * factor, body->inertia.y * factor, body->inertia.z * factor};
        body->joint.drive.max_torque *= factor;
    }
}

// A whole definition may have an unknown height, 0. An edit must set a real height, if any.
static void read_height(ragdoll_json *r)
{
    if (r->need == VRMI_OPTIONAL) {
        (void)vrmi_read_float_range(&r->reader, 0, "height", 0.01f, 1000.0f, &r->def.height);
    } else {
        read_number(r, 0, "height", &r->def.height);
    }
}

// Reports a shape that is too large, for example because of a mistyped digit.
static void check_size(ragdoll_json *r, uint32_t index, float height)
{
    const vrm_ragdoll_shape *shape = &r->def.bodies[index].shape;
    const vrm_vec3 h = shape->half_extents;
    const float half = shape->type == VRM_RAGDOLL_SHAPE_CAPSULE ? shape->half_length + shape->radius
                                                                : vrmi_max(h.x, vrmi_max(h.y, h.z));
    if (height > 0.0f && !(half <= height)) {
        vrmi_reader_report(&r->reader, VRM_FINDING_RAGDOLL_INVALID, r->body_json[index], "shape",
            "a shape that is larger than the whole body", NULL);
    }
}

static void read_all(ragdoll_json *r)
{
    uint32_t version = VRMI_RAGDOLL_JSON_VERSION;
    CHECK_KEYS(r, 0, "a key of a ragdoll", "version", "height", "totalMass", "bodies");
    if (vrmi_read_uint(&r->reader, 0, "version", r->need, &version) && version != VRMI_RAGDOLL_JSON_VERSION) {
        vrmi_reader_report_value(
            &r->reader, VRM_FINDING_VALUE_NOT_IN_RANGE, vrmi_json_member(r->reader.json, 0, "version"), "1");
        return;
    }
    read_height(r);
    const float height = r->need == VRMI_OPTIONAL ? r->def.height : 0.0f;
    const uint32_t bodies = vrmi_read_array(&r->reader, 0, "bodies", r->need);
    for (uint32_t json = vrmi_json_first(r->reader.json, bodies); json != VRMI_JSON_NONE;
         json = vrmi_json_next(r->reader.json, json)) {
        const int32_t index = read_bone(r, json);
        if (index >= 0) {
            r->body_json[index] = json;
            read_body(r, json, (uint32_t)index);
            check_size(r, (uint32_t)index, height);
        }
    }
    for (uint32_t i = 0; i < r->def.body_count; ++i) {
        if (r->body_json[i] != VRMI_JSON_NONE) {
            read_contacts(r, i);
        }
    }
    read_total_mass(r);
}

// Writes the JSON key for the field that a check names: the field's first part, in camel case.
static void key_of(const char *field, char *out, size_t size)
{
    size_t at = 0;
    for (; *field != '\0' && *field != '.' && at + 1 < size; ++field) {
        const bool raise = *field == '_' && field[1] != '\0';
        field += raise;
        out[at++] = (char)(raise ? *field - 'a' + 'A' : *field);
    }
    out[at] = '\0';
}

static void report_fault(ragdoll_json *r, const vrm_ragdoll_error *error)
{
    char key[32], found[240];
    const uint32_t json = error->body >= 0 ? r->body_json[error->body] : VRMI_JSON_NONE;
    key_of(error->field, key, sizeof key);
    vrmi_format(found, sizeof found, "%s: %s", error->field, vrm_ragdoll_fault_sentence(error->fault));
    vrmi_reader_report(&r->reader, VRM_FINDING_RAGDOLL_INVALID, json != VRMI_JSON_NONE ? json : 0,
        json != VRMI_JSON_NONE ? key : NULL, found, NULL);
}

static vrm_result read_json(const vrm_avatar *avatar, const void *text, size_t size, const vrm_allocator *wanted,
    vrm_report *report, vrmi_need need, vrm_ragdoll_def *def)
{
    vrm_allocator allocator;
    vrmi_resolve_allocator(wanted, &allocator);
    ragdoll_json r = {.avatar = avatar, .need = need};
    for (uint32_t i = 0; i < VRM_RAGDOLL_MAX_BODIES; ++i) {
        r.body_json[i] = VRMI_JSON_NONE;
    }
    vrm_ragdoll_def_default(&r.def);
    if (need == VRMI_OPTIONAL) {
        (void)VRMI_READ_OPTIONS(vrm_ragdoll_def, &r.def, def); // cannot fail, as the caller has checked the size
    }
    vrmi_json json;
    const vrm_result result = vrmi_json_parse(&json, text, size, &allocator, NULL, report);
    if (result != VRM_SUCCESS) {
        return result;
    }
    r.reader = (vrmi_reader){.json = &json, .report = report};
    if (vrmi_json_is(&json, 0, VRMI_JSON_OBJECT)) {
        read_all(&r);
    } else {
        vrmi_reader_report_value(&r.reader, VRM_FINDING_TYPE_MISMATCH, 0, "an object");
    }
    vrm_ragdoll_error error = {.struct_size = sizeof error};
    if (r.reader.errors == 0 && vrm_ragdoll_def_check_avatar(&r.def, avatar, &error) != VRM_SUCCESS) {
        report_fault(&r, &error);
    }
    vrmi_json_free(&json);
    return r.reader.errors == 0 ? VRMI_ANSWER(vrm_ragdoll_def, def, &r.def) : VRM_ERROR_INVALID_ASSET;
}

vrm_result vrm_ragdoll_def_from_json(const vrm_avatar *avatar, vrm_string json, const vrm_allocator *allocator,
    vrm_report *report, vrm_ragdoll_def *out_def)
{
    if (!VRM_ASSERT(avatar != NULL && json.data != NULL && out_def != NULL)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    return read_json(avatar, json.data, json.length, allocator, report, VRMI_REQUIRED, out_def);
}

vrm_result vrm_ragdoll_def_edit_json(
    const vrm_avatar *avatar, vrm_string json, const vrm_allocator *allocator, vrm_report *report, vrm_ragdoll_def *def)
{
    if (!VRM_ASSERT(avatar != NULL && json.data != NULL && def != NULL) ||
        vrm_ragdoll_def_check_avatar(def, avatar, NULL) != VRM_SUCCESS) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    return read_json(avatar, json.data, json.length, allocator, report, VRMI_OPTIONAL, def);
}
