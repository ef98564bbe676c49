// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "import/import.h"
#include "math/scalar.h"
#include "validate/run.h"

// Checks the rules of springs on which the import does not depend. In VRM 1.0-beta, stiffness is at most 1. An extended
// collider needs a fallback shape that is harmless in readers without the extension.

static void check_stiffness(vrmi_run *run, uint32_t spring_bone)
{
    const vrmi_json *json = run->json;
    const uint32_t springs = vrmi_json_member(json, spring_bone, "springs");
    if (!vrmi_json_string_equal(json, vrmi_json_member(json, spring_bone, "specVersion"), "1.0-beta")) {
        return;
    }
    for (uint32_t s = vrmi_json_first(json, springs); s != VRMI_JSON_NONE; s = vrmi_json_next(json, s)) {
        const uint32_t joints = vrmi_json_member(json, s, "joints");
        for (uint32_t j = vrmi_json_first(json, joints); j != VRMI_JSON_NONE; j = vrmi_json_next(json, j)) {
            double stiffness = 0;
            const uint32_t value = vrmi_json_member(json, j, "stiffness");
            if (vrmi_json_number(json, value, &stiffness) && stiffness > 1) {
                vrmi_reader_report_value(&run->reader, VRM_FINDING_VRM1_BETA_STIFFNESS, value, "0 to 1");
                break; // reports only the first such joint of a spring
            }
        }
    }
}

typedef struct ball {
    float offset[3];
    float radius;
} ball;

// Reads a sphere's members. Returns false for any other shape.
static bool read_ball(const vrmi_json *json, uint32_t sphere, ball *out)
{
    vrmi_reader silent = {.json = json};
    *out = (ball){{0, 0, 0}, 0};
    (void)vrmi_read_floats(&silent, sphere, "offset", VRMI_OPTIONAL, 3, out->offset);
    (void)vrmi_read_float(&silent, sphere, "radius", VRMI_OPTIONAL, &out->radius);
    return vrmi_json_is(json, sphere, VRMI_JSON_OBJECT);
}

// Computes the fallback shape that the specification recommends. For an inside collider it is a sphere that nothing
// touches; for a plane, a sphere so large that it is nearly flat.
static bool recommended_fallback(const vrmi_json *json, uint32_t shape, ball *out)
{
    static const char *const insides[] = {"sphere", "capsule"};
    vrmi_reader silent = {.json = json};
    for (int i = 0; i < 2; ++i) {
        bool inside = false;
        (void)vrmi_read_bool(&silent, vrmi_json_member(json, shape, insides[i]), "inside", VRMI_OPTIONAL, &inside);
        if (inside) {
            *out = (ball){{0, -10000, 0}, 0};
            return true;
        }
    }
    const uint32_t plane = vrmi_json_member(json, shape, "plane");
    float offset[3] = {0, 0, 0}, normal[3] = {0, 0, 1};
    (void)vrmi_read_floats(&silent, plane, "offset", VRMI_OPTIONAL, 3, offset);
    (void)vrmi_read_floats(&silent, plane, "normal", VRMI_OPTIONAL, 3, normal);
    *out = (ball){.radius = 1000};
    for (int i = 0; i < 3; ++i) {
        out->offset[i] = offset[i] - 1000 * normal[i];
    }
    return vrmi_json_is(json, plane, VRMI_JSON_OBJECT);
}

static void check_fallback(vrmi_run *run, uint32_t collider)
{
    const vrmi_json *json = run->json;
    const uint32_t extension = vrmi_gltf_extension(run->gltf, collider, "VRMC_springBone_extended_collider");
    const uint32_t shape = vrmi_json_member(json, collider, "shape");
    ball wanted, there;
    if (!vrmi_json_is(json, shape, VRMI_JSON_OBJECT) ||
        !recommended_fallback(json, vrmi_json_member(json, extension, "shape"), &wanted)) {
        return;
    }
    bool same =
        read_ball(json, vrmi_json_member(json, shape, "sphere"), &there) && vrmi_abs(there.radius - wanted.radius) <= 1;
    for (int i = 0; i < 3; ++i) {
        same = same && vrmi_abs(there.offset[i] - wanted.offset[i]) <= 1;
    }
    if (!same) {
        vrmi_reader_report(&run->reader, VRM_FINDING_VRM1_COLLIDER_FALLBACK, shape, NULL, NULL,
            wanted.radius > 0 ? "a sphere of 1000 m behind the plane" : "a sphere of 0 m, 10000 m below");
    }
}

void vrmi_validate_springs(vrmi_run *run)
{
    const vrmi_json *json = run->json;
    const uint32_t spring_bone = vrmi_root_extension(json, "VRMC_springBone");
    const uint32_t colliders = vrmi_json_member(json, spring_bone, "colliders");
    check_stiffness(run, spring_bone);
    for (uint32_t c = vrmi_json_first(json, colliders); c != VRMI_JSON_NONE; c = vrmi_json_next(json, c)) {
        check_fallback(run, c);
    }
}
