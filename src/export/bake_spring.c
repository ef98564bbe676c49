// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Converts those values of springs that are given in a node's axes, in every dialect. Gravity is in world axes and does
// not change. A collider's radius scales with its node, but a joint's radius does not.

#include "export/bake.h"
#include "math/quat.h"
#include "math/vec3.h"

static void turn(vrmi_bake *bake, uint32_t object, const char *key, uint32_t node)
{
    const double none[3] = {0.0, 0.0, 0.0};
    double v[3], turned[3];
    vrmi_bake_get_floats(bake, object, key, 3, none, v);
    vrmi_matrix_vector(&vrmi_bake_node_at(bake, node)->world, v, turned);
    vrmi_bake_set_floats(bake, object, key, turned, 3, none);
}

static void grow(vrmi_bake *bake, uint32_t object, uint32_t node)
{
    double radius = 0.0;
    if (vrmi_json_number(bake->json, vrmi_json_member(bake->json, object, "radius"), &radius)) {
        vrmi_bake_set_float(bake, object, "radius", radius * (double)vrmi_bake_node_at(bake, node)->scale, 0.0);
    }
}

// Returns a unit vector. The vector is first scaled to about 1, because squaring a length of 1e10 or more could
// overflow.
static vrm_vec3 direction_of(const double v[3], vrm_vec3 otherwise)
{
    double size = 0.0;
    for (int i = 0; i < 3; ++i) {
        const double a = v[i] < 0.0 ? -v[i] : v[i];
        size = a > size ? a : size;
    }
    size = size > 0.0 ? size : 1.0;
    return vrmi_vec3_normalize_or(
        vrmi_vec3((float)(v[0] / size), (float)(v[1] / size), (float)(v[2] / size)), otherwise);
}

// Converts the normal of a plane by the inverse transpose of the node's matrix.
static void turn_normal(vrmi_bake *bake, uint32_t plane, uint32_t node)
{
    const double missing[3] = {0.0, 0.0, 1.0};
    double v[3], c[3][3];
    vrmi_bake_get_floats(bake, plane, "normal", 3, missing, v);
    const double sign = vrmi_matrix_cofactors(&vrmi_bake_node_at(bake, node)->world, c) < 0.0 ? -1.0 : 1.0;
    double turned_normal[3];
    for (int i = 0; i < 3; ++i) {
        turned_normal[i] = sign * (c[i][0] * v[0] + c[i][1] * v[1] + c[i][2] * v[2]);
    }
    const vrm_vec3 up = {0.0f, 0.0f, 1.0f}, n = direction_of(turned_normal, up);
    const double turned[3] = {(double)n.x, (double)n.y, (double)n.z};
    if (vrmi_bake_node_at(bake, node)->turned) {
        vrmi_bake_set_floats(bake, plane, "normal", turned, 3, missing);
    }
}

static void bake_round(vrmi_bake *bake, uint32_t object, uint32_t node, bool capsule)
{
    if (vrmi_json_is(bake->json, object, VRMI_JSON_OBJECT)) {
        turn(bake, object, "offset", node);
        grow(bake, object, node);
        if (capsule) {
            turn(bake, object, "tail", node);
        }
    }
}

static void bake_shape(vrmi_bake *bake, uint32_t shape, uint32_t node)
{
    const vrmi_json *json = bake->json;
    const uint32_t plane = vrmi_json_member(json, shape, "plane");
    bake_round(bake, vrmi_json_member(json, shape, "sphere"), node, false);
    bake_round(bake, vrmi_json_member(json, shape, "capsule"), node, true);
    if (vrmi_json_is(json, plane, VRMI_JSON_OBJECT)) {
        turn(bake, plane, "offset", node);
        turn_normal(bake, plane, node);
    }
    if (vrmi_json_member(json, shape, "tail") != VRMI_JSON_NONE) { // a capsule of the beta without the key "capsule"
        bake_round(bake, shape, node, true);
    }
}

static void bake_colliders(vrmi_bake *bake, uint32_t spring_bone)
{
    const vrmi_json *json = bake->json;
    const uint32_t array = vrmi_json_member(json, spring_bone, "colliders");
    for (uint32_t item = vrmi_json_first(json, array); item != VRMI_JSON_NONE && vrmi_bake_tick(bake);
         item = vrmi_json_next(json, item)) {
        const uint32_t extended =
            vrmi_json_member(json, vrmi_json_member(json, item, "extensions"), "VRMC_springBone_extended_collider");
        uint32_t node = 0;
        if (vrmi_bake_get_node(bake, item, "node", &node)) {
            bake_shape(bake, vrmi_json_member(json, item, "shape"), node);
            bake_shape(bake, vrmi_json_member(json, extended, "shape"), node);
        }
    }
}

// Bakes the colliders of drafts, which are on the nodes themselves.
static void bake_node_colliders(vrmi_bake *bake)
{
    const vrmi_json *json = bake->json;
    for (uint32_t node = 0; node < bake->nodes.count && vrmi_writer_runs(&bake->out); ++node) {
        const uint32_t extension = vrmi_gltf_extension(bake->gltf, bake->gltf->nodes[node].json, "VRMC_node_collider");
        const uint32_t shapes = vrmi_json_member(json, extension, "shapes");
        for (uint32_t item = vrmi_json_first(json, shapes); item != VRMI_JSON_NONE; item = vrmi_json_next(json, item)) {
            bake_shape(bake, item, node);
        }
    }
}

// Converts the rotation of a limit. The limit's axes are the bone's axes, rotated by the file's rotation. The bone's +Y
// points to the next bone. Both the bone's axes and the file's rotation depend on the node's axes.
static void bake_limit(vrmi_bake *bake, uint32_t spring_bone, const vrmi_joint_row *joint)
{
    static const char *const kinds[] = {"cone", "hinge", "spherical"};
    const vrmi_json *json = bake->json;
    const uint32_t node = vrmi_model_node_gltf(bake->model)[joint->node];
    const uint32_t spring = vrmi_json_element(json, vrmi_json_member(json, spring_bone, "springs"), joint->spring);
    const uint32_t json_joint = vrmi_json_element(json, vrmi_json_member(json, spring, "joints"), joint->joint);
    const uint32_t extension =
        vrmi_json_member(json, vrmi_json_member(json, json_joint, "extensions"), "VRMC_springBone_limit");
    const uint32_t limit = vrmi_json_member(json, extension, "limit");
    if (!vrmi_bake_node_at(bake, node)->turned) {
        return;
    }
    const double *r = vrmi_bake_node_at(bake, node)->rotation;
    const vrm_quat rotation = {(float)r[0], (float)r[1], (float)r[2], (float)r[3]};
    const double tail[3] = {(double)joint->tail.x, (double)joint->tail.y, (double)joint->tail.z};
    double way[3];
    vrmi_matrix_vector(&vrmi_bake_node_at(bake, node)->world, tail, way);
    const vrm_vec3 up = {0.0f, 1.0f, 0.0f};
    const vrm_quat before = vrmi_quat_from_to(up, vrmi_vec3_normalize_or(joint->tail, up));
    const vrm_quat now = vrmi_quat_from_to(up, direction_of(way, up));
    const vrm_quat in_world =
        vrmi_quat_mul(rotation, vrmi_quat_mul(before, vrmi_quat_normalize(joint->limit.rotation)));
    const vrm_quat q = vrmi_quat_normalize(vrmi_quat_mul(vrmi_quat_conjugate(now), in_world));
    const double values[4] = {(double)q.x, (double)q.y, (double)q.z, (double)q.w}, missing[4] = {0.0, 0.0, 0.0, 1.0};
    for (int i = 0; i < 3; ++i) {
        const uint32_t kind = vrmi_json_member(json, limit, kinds[i]);
        if (vrmi_json_is(json, kind, VRMI_JSON_OBJECT)) {
            vrmi_bake_set_floats(bake, kind, "rotation", values, 4, missing);
        }
    }
}

// Reports a virtual tail that moves. In 0.x a leaf has a tail 7 cm away, whatever the leaf's scale is.
static void report_virtual_tail(vrmi_bake *bake, const vrmi_joint_row *joint)
{
    const uint32_t node = vrmi_model_node_gltf(bake->model)[joint->node];
    const float scale = vrmi_bake_node_at(bake, node)->scale;
    if (joint->tail_node < 0 && !vrmi_bake_same(1.0, (double)scale)) {
        char found[48];
        vrmi_format(found, sizeof found, "%g m", 0.07 * (double)scale);
        vrmi_bake_report(bake, VRM_FINDING_BAKE_VIRTUAL_TAIL, bake->gltf->nodes[node].json, NULL, found);
    }
}

static void bake_vrm0(vrmi_bake *bake)
{
    const vrmi_json *json = bake->json;
    const uint32_t vrm = vrmi_gltf_extension(bake->gltf, bake->gltf->root, "VRM");
    const uint32_t groups = vrmi_json_member(json, vrmi_json_member(json, vrm, "secondaryAnimation"), "colliderGroups");
    for (uint32_t group = vrmi_json_first(json, groups); group != VRMI_JSON_NONE && vrmi_bake_tick(bake);
         group = vrmi_json_next(json, group)) {
        const uint32_t colliders = vrmi_json_member(json, group, "colliders");
        uint32_t node = 0;
        for (uint32_t item = vrmi_bake_get_node(bake, group, "node", &node) ? vrmi_json_first(json, colliders)
                                                                            : VRMI_JSON_NONE;
             item != VRMI_JSON_NONE; item = vrmi_json_next(json, item)) {
            vrmi_bake_set_xyz(bake, item, "offset", node);
            grow(bake, item, node);
        }
    }
}

void vrmi_bake_springs(vrmi_bake *bake)
{
    const uint32_t spring_bone = vrmi_gltf_extension(bake->gltf, bake->gltf->root, "VRMC_springBone");
    const vrmi_joint_row *joints = vrmi_model_spring_joint(bake->model);
    bake_colliders(bake, spring_bone);
    bake_node_colliders(bake);
    bake_vrm0(bake);
    for (uint32_t i = 0; i < bake->model->spring_joint.count && vrmi_bake_tick(bake); ++i) {
        if (joints[i].limit.type != VRM_SPRING_LIMIT_NONE) {
            bake_limit(bake, spring_bone, &joints[i]);
        }
        report_virtual_tail(bake, &joints[i]);
    }
}
