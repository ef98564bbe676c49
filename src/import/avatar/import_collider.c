// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "import/avatar/import_collider.h"
#include "math/vec3.h"

#define EXTENDED "VRMC_springBone_extended_collider"

static vrm_vec3 read_vec3(vrmi_import *import, uint32_t object, const char *key, vrm_vec3 fallback)
{
    float v[3];
    if (vrmi_read_floats(&import->reader, object, key, VRMI_OPTIONAL, 3, v)) {
        return (vrm_vec3){v[0], v[1], v[2]};
    }
    return fallback;
}

static void read_sphere(vrmi_import *import, uint32_t shape, vrmi_collider_row *out)
{
    out->shape = VRM_COLLIDER_SPHERE;
    out->offset = read_vec3(import, shape, "offset", vrmi_vec3(0.0f, 0.0f, 0.0f));
    (void)vrmi_read_float_range(&import->reader, shape, "radius", 0.0f, 3.0e38f, &out->radius);
}

static void read_capsule(vrmi_import *import, uint32_t shape, vrmi_collider_row *out)
{
    read_sphere(import, shape, out);
    out->shape = VRM_COLLIDER_CAPSULE;
    out->tail = read_vec3(import, shape, "tail", vrmi_vec3(0.0f, 0.0f, 0.0f));
}

static bool read_plane(vrmi_import *import, uint32_t shape, vrmi_collider_row *out)
{
    out->shape = VRM_COLLIDER_PLANE;
    out->offset = read_vec3(import, shape, "offset", vrmi_vec3(0.0f, 0.0f, 0.0f));
    const vrm_vec3 normal = read_vec3(import, shape, "normal", vrmi_vec3(0.0f, 0.0f, 1.0f));
    const float length = vrmi_vec3_length(normal);
    out->tail = vrmi_vec3_normalize_or(normal, vrmi_vec3(0.0f, 0.0f, 1.0f));
    const uint32_t value = vrmi_json_member(import->json, shape, "normal");
    if (!(length > 1e-6f && length < 1e18f)) {
        vrmi_reader_report_value(&import->reader, VRM_FINDING_VRM1_COLLIDER_PLANE_NORMAL_ZERO, value, "a unit vector");
        return false;
    }
    if (vrmi_abs(length - 1.0f) > 1e-3f) {
        vrmi_reader_report_value(&import->reader, VRM_FINDING_VRM1_COLLIDER_PLANE_NORMAL, value, "a unit vector");
    }
    return true;
}

bool vrmi_import_shape(vrmi_import *import, uint32_t shape, bool extended, vrmi_collider_row *out)
{
    vrmi_reader *reader = &import->reader;
    const uint32_t sphere = vrmi_read_object(reader, shape, "sphere", VRMI_OPTIONAL);
    const uint32_t capsule = vrmi_read_object(reader, shape, "capsule", VRMI_OPTIONAL);
    const uint32_t plane = extended ? vrmi_read_object(reader, shape, "plane", VRMI_OPTIONAL) : VRMI_JSON_NONE;
    const int given = (sphere != VRMI_JSON_NONE) + (capsule != VRMI_JSON_NONE) + (plane != VRMI_JSON_NONE);
    bool inside = false;
    if (given == 0 && !extended && vrmi_json_member(import->json, shape, "tail") != VRMI_JSON_NONE) {
        vrmi_reader_report(reader, VRM_FINDING_VRM1_COLLIDER_SHAPE_BETA, shape, NULL, NULL, "capsule");
        read_capsule(import, shape, out);
        return true;
    }
    if (given != 1) {
        vrmi_reader_report(reader, VRM_FINDING_VRM1_COLLIDER_SHAPE, shape, NULL, NULL,
            extended ? "one of sphere, capsule, plane" : "one of sphere, capsule");
    }
    if (sphere != VRMI_JSON_NONE) {
        read_sphere(import, sphere, out);
        if (extended && vrmi_read_bool(reader, sphere, "inside", VRMI_OPTIONAL, &inside) && inside) {
            out->shape = VRM_COLLIDER_INSIDE_SPHERE;
        }
    } else if (capsule != VRMI_JSON_NONE) {
        read_capsule(import, capsule, out);
        if (extended && vrmi_read_bool(reader, capsule, "inside", VRMI_OPTIONAL, &inside) && inside) {
            out->shape = VRM_COLLIDER_INSIDE_CAPSULE;
        }
    } else if (plane != VRMI_JSON_NONE) {
        return read_plane(import, plane, out);
    }
    return given != 0;
}

// Reads a collider. The shape of VRMC_springBone_extended_collider replaces the base shape, which is a fallback for
// other readers. Some files omit the fallback or the extension's specVersion; libvrm reads both (three-vrm then uses
// the fallback, or fails).
static bool read_collider(vrmi_import *import, uint32_t collider, vrmi_collider_row *out)
{
    vrmi_reader *reader = &import->reader;
    const bool has_node = vrmi_import_node_index(import, collider, "node", VRMI_REQUIRED, &out->node);
    const uint32_t extensions = vrmi_json_member(import->json, collider, "extensions");
    const uint32_t extended = vrmi_json_member(import->json, extensions, EXTENDED);
    const uint32_t extended_shape = vrmi_read_object(reader, extended, "shape", VRMI_OPTIONAL);
    if (extended_shape != VRMI_JSON_NONE) {
        vrmi_import_spec_version(import, extended, "1.0-draft");
        if (vrmi_json_member(import->json, collider, "shape") == VRMI_JSON_NONE) {
            vrmi_reader_report(reader, VRM_FINDING_VRM1_COLLIDER_NO_FALLBACK, collider, "shape", NULL, "an object");
        }
        if (vrmi_import_shape(import, extended_shape, true, out)) {
            return has_node;
        }
    }
    const uint32_t shape =
        vrmi_read_object(reader, collider, "shape", extended_shape == VRMI_JSON_NONE ? VRMI_REQUIRED : VRMI_OPTIONAL);
    return shape != VRMI_JSON_NONE && vrmi_import_shape(import, shape, false, out) && has_node;
}

const bool *vrmi_import_colliders(vrmi_import *import, uint32_t array)
{
    const vrmi_json *json = import->json;
    bool *usable = vrmi_import_scratch(import, vrmi_json_count(json, array), sizeof *usable);
    uint32_t index = 0;
    for (uint32_t item = vrmi_json_first(json, array); item != VRMI_JSON_NONE && vrmi_import_tick(import, 1);
         item = vrmi_json_next(json, item), ++index) {
        vrmi_collider_row *row = vrmi_import_push(import, &import->model.collider);
        if (row == NULL) {
            return NULL;
        }
        if (vrmi_json_is(json, item, VRMI_JSON_OBJECT)) {
            usable[index] = read_collider(import, item, row);
        } else {
            vrmi_reader_report_value(&import->reader, VRM_FINDING_TYPE_MISMATCH, item, "an object");
        }
        if (!usable[index]) {
            *row = (vrmi_collider_row){.shape = VRM_COLLIDER_SPHERE};
        }
    }
    return usable;
}
