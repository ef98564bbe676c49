// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Converts the axes of constraints from the node's old axes to the new ones. VRM 1.0 has only six axes: any other
// direction is replaced by the nearest axis, and the error is reported. Constraints of drafts have vectors for any
// direction.

#include <string.h>

#include "export/bake.h"

#define DEGREES_PER_RADIAN 57.29577951308232

static const char *const roll_axes[] = {"X", "Y", "Z"};
static const char *const aim_axes[] = {"PositiveX", "NegativeX", "PositiveY", "NegativeY", "PositiveZ", "NegativeZ"};

static double size_of(double value)
{
    return value < 0.0 ? -value : value;
}

static const double *rotation_of(const vrmi_bake *bake, uint32_t node)
{
    return vrmi_bake_node_at(bake, node)->rotation;
}

// Returns the world rotation of a node's parent.
static void parent_rotation(const vrmi_bake *bake, uint32_t node, double out[4])
{
    static const double none[4] = {0.0, 0.0, 0.0, 1.0};
    const int32_t parent = bake->gltf->nodes[node].parent;
    memcpy(out, parent >= 0 ? rotation_of(bake, (uint32_t)parent) : none, 4 * sizeof(double));
}

// Returns the angle between two rotations in degrees.
static double angle_between(const double a[4], const double b[4])
{
    double inverse[4], way[4];
    vrmi_rotation_conjugate(a, inverse);
    vrmi_rotation_mul(inverse, b, way);
    const double sine = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
    return 2.0 * (double)vrmi_atan2((float)sine, (float)size_of(way[3])) * DEGREES_PER_RADIAN;
}

static void report_angle(vrmi_bake *bake, vrm_finding_id id, uint32_t value, double degrees)
{
    char found[48];
    if (degrees > 0.01) {
        vrmi_format(found, sizeof found, "%g degrees", (double)(uint32_t)(degrees * 100.0 + 0.5) / 100.0);
        vrmi_bake_report(bake, id, value, NULL, found);
    }
}

// Replaces a named axis by the name in `names` that is nearest to its direction in the new axes.
static void turn_named_axis(
    vrmi_bake *bake, uint32_t object, const char *key, uint32_t node, const char *const *names, uint32_t count)
{
    const vrmi_json *json = bake->json;
    const uint32_t value = vrmi_json_member(json, object, key), signs = count / 3;
    for (uint32_t i = 0; i < count; ++i) {
        if (!vrmi_json_string_equal(json, value, names[i])) {
            continue;
        }
        const double sign = signs == 2 && i % 2 == 1 ? -1.0 : 1.0;
        double axis[3] = {0.0, 0.0, 0.0}, turned[3];
        axis[i / signs] = sign;
        vrmi_rotation_turn(rotation_of(bake, node), axis, turned);
        uint32_t nearest = 0;
        for (uint32_t k = 1; k < 3; ++k) {
            nearest = size_of(turned[k]) > size_of(turned[nearest]) + 1e-9 ? k : nearest;
        }
        const double across = sqrt(turned[(nearest + 1) % 3] * turned[(nearest + 1) % 3] +
                                   turned[(nearest + 2) % 3] * turned[(nearest + 2) % 3]);
        report_angle(bake, VRM_FINDING_BAKE_CONSTRAINT_AXIS, object,
            (double)vrmi_atan2((float)across, (float)size_of(turned[nearest])) * DEGREES_PER_RADIAN);
        const uint32_t now = nearest * signs + (signs == 2 && turned[nearest] < 0.0 ? 1u : 0u);
        if (now != i) {
            char path[VRMI_BAKE_PATH], text[16];
            vrmi_format(text, sizeof text, "\"%s\"", names[now]);
            vrmi_write_json(&bake->out, text, strlen(text), "%s", vrmi_json_path(json, value, path, sizeof path));
        }
    }
}

static void bake_roll(vrmi_bake *bake, uint32_t roll, uint32_t node)
{
    uint32_t source = 0;
    turn_named_axis(bake, roll, "rollAxis", node, roll_axes, 3);
    if (vrmi_bake_get_node(bake, roll, "source", &source)) { // the specification assumes equal axes of both parents
        double own[4], other[4];
        parent_rotation(bake, node, own);
        parent_rotation(bake, source, other);
        report_angle(bake, VRM_FINDING_BAKE_CONSTRAINT_FRAMES, roll, angle_between(own, other));
    }
}

// Reports the angle between the old axes of the node and of the source. The constraint copied the rotation between
// these axes, but now both nodes have the model's axes.
static void bake_rotation(vrmi_bake *bake, uint32_t rotation, uint32_t node)
{
    uint32_t source = 0;
    if (vrmi_bake_get_node(bake, rotation, "source", &source)) {
        report_angle(bake, VRM_FINDING_BAKE_CONSTRAINT_FRAMES, rotation,
            angle_between(rotation_of(bake, node), rotation_of(bake, source)));
    }
}

// --- drafts ----------------------------------------------------------------------------------------------------------

static void turn_vector(vrmi_bake *bake, uint32_t object, const char *key, uint32_t node, const double *missing)
{
    double v[3], turned[3];
    vrmi_bake_get_floats(bake, object, key, 3, missing, v);
    vrmi_rotation_turn(rotation_of(bake, node), v, turned);
    if (vrmi_bake_node_at(bake, node)->turned) {
        vrmi_bake_set_floats(bake, object, key, turned, 3, missing);
    }
}

static bool is_local(const vrmi_bake *bake, uint32_t object, const char *key)
{
    const uint32_t value = vrmi_json_member(bake->json, object, key);
    return vrmi_json_string_equal(bake->json, value, "local") || vrmi_json_string_equal(bake->json, value, "Local");
}

// Reports a local constraint whose effect changes. A local difference is measured in the source's axes and applied in
// the node's axes: the parents' axes for a position, their own for a rotation. In model axes the effect is the same
// only if neither was rotated.
static void report_local(vrmi_bake *bake, uint32_t object, uint32_t node, bool own_axes)
{
    static const double none[4] = {0.0, 0.0, 0.0, 1.0};
    uint32_t source = 0;
    double turned = 0.0;
    if (!vrmi_bake_get_node(bake, object, "source", &source)) {
        return;
    }
    const uint32_t nodes[2] = {source, node};
    const bool local[2] = {is_local(bake, object, "sourceSpace"), is_local(bake, object, "destinationSpace")};
    for (int i = 0; i < 2; ++i) {
        double q[4];
        parent_rotation(bake, nodes[i], q);
        const double angle = local[i] ? angle_between(own_axes ? rotation_of(bake, nodes[i]) : q, none) : 0.0;
        turned = angle > turned ? angle : turned;
    }
    report_angle(bake, VRM_FINDING_BAKE_CONSTRAINT_FRAMES, object, turned);
}

static void bake_draft_aim(vrmi_bake *bake, uint32_t aim, uint32_t node)
{
    static const double forward[3] = {0.0, 0.0, 1.0}, up[3] = {0.0, 1.0, 0.0};
    turn_vector(bake, aim, "aimVector", node, forward);
    turn_vector(bake, aim, "upVector", node, up);
    if (is_local(bake, aim, "sourceSpace") || is_local(bake, aim, "destinationSpace")) {
        report_local(bake, aim, node, false);
    }
}

static bool is_draft(const vrmi_bake *bake, uint32_t object)
{
    static const char *const keys[] = {"sourceSpace", "destinationSpace", "freezeAxes", "aimVector", "upVector"};
    bool any = false;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; ++i) {
        any = any || vrmi_json_member(bake->json, object, keys[i]) != VRMI_JSON_NONE;
    }
    return any;
}

// Converts a constraint object of 1.0 or of a draft. An early file may have a draft's object where 1.0 has its own
// object.
static void bake_constraint(vrmi_bake *bake, uint32_t constraint, uint32_t node, bool draft)
{
    const vrmi_json *json = bake->json;
    const uint32_t roll = vrmi_json_member(json, constraint, "roll"), aim = vrmi_json_member(json, constraint, "aim");
    const uint32_t rotation = vrmi_json_member(json, constraint, "rotation");
    const uint32_t position = vrmi_json_member(json, constraint, "position");
    if (vrmi_json_is(json, position, VRMI_JSON_OBJECT)) {
        report_local(bake, position, node, false);
    }
    if (vrmi_json_is(json, rotation, VRMI_JSON_OBJECT) && (draft || is_draft(bake, rotation))) {
        report_local(bake, rotation, node, true);
    } else if (vrmi_json_is(json, rotation, VRMI_JSON_OBJECT)) {
        bake_rotation(bake, rotation, node);
    }
    if (vrmi_json_is(json, aim, VRMI_JSON_OBJECT) && (draft || is_draft(bake, aim))) {
        bake_draft_aim(bake, aim, node);
    } else if (vrmi_json_is(json, aim, VRMI_JSON_OBJECT)) {
        turn_named_axis(bake, aim, "aimAxis", node, aim_axes, 6);
    }
    if (vrmi_json_is(json, roll, VRMI_JSON_OBJECT)) {
        bake_roll(bake, roll, node);
    }
}

void vrmi_bake_constraints(vrmi_bake *bake)
{
    static const char *const drafts[] = {"VRMC_constraints", "VRMC_constraints-1.0"};
    const vrmi_json *json = bake->json;
    for (uint32_t node = 0; node < bake->nodes.count && vrmi_bake_tick(bake); ++node) {
        const uint32_t object = bake->gltf->nodes[node].json;
        const uint32_t extension = vrmi_gltf_extension(bake->gltf, object, "VRMC_node_constraint");
        bake_constraint(bake, vrmi_json_member(json, extension, "constraint"), node, false);
        for (size_t i = 0; i < sizeof drafts / sizeof drafts[0]; ++i) {
            bake_constraint(bake, vrmi_gltf_extension(bake->gltf, object, drafts[i]), node, true);
        }
    }
}
