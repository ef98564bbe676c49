// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Computes the pose that becomes the rest pose: the file's own pose, or a T-pose derived from it.

#include "base/checks.h"
#include "export/bake.h"

// Computes a node's world transform from its parent's. The local rotation is that of the pose; translation and scale
// are the file's.
static void place_node(const vrmi_bake *bake, uint32_t index)
{
    vrmi_bake_node *nodes = bake->nodes.items, *node = &nodes[index];
    const vrmi_gltf_node *from = &bake->gltf->nodes[index];
    const vrm_transform *local = &from->local;
    const double at[3] = {(double)local->translation.x, (double)local->translation.y, (double)local->translation.z};
    const double scale[3] = {(double)local->scale.x, (double)local->scale.y, (double)local->scale.z};
    vrmi_matrix matrix;
    vrmi_matrix_from(node->local_rotation, scale, at, &matrix);
    if (from->parent >= 0) {
        vrmi_matrix_mul(&nodes[from->parent].world, &matrix, &node->world);
        vrmi_rotation_mul(nodes[from->parent].rotation, node->local_rotation, node->rotation);
    } else {
        node->world = matrix;
        for (int i = 0; i < 4; ++i) {
            node->rotation[i] = node->local_rotation[i];
        }
    }
}

static void place_all(const vrmi_bake *bake, uint32_t first)
{
    const uint32_t end = vrmi_model_node_subtree_end(bake->model)[first];
    for (uint32_t i = first; i < end; ++i) { // in node order, parents come before children
        place_node(bake, vrmi_model_node_gltf(bake->model)[i]);
    }
}

static void place_roots(const vrmi_bake *bake)
{
    for (uint32_t i = 0; i < bake->model->node_parent.count; i = vrmi_model_node_subtree_end(bake->model)[i]) {
        place_all(bake, i);
    }
}

static void read_rotations(vrmi_bake *bake)
{
    vrmi_bake_node *nodes = bake->nodes.items;
    for (uint32_t i = 0; i < bake->nodes.count; ++i) {
        const vrm_quat q = bake->gltf->nodes[i].local.rotation;
        const double v[4] = {(double)q.x, (double)q.y, (double)q.z, (double)q.w};
        const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3]);
        for (int k = 0; k < 4; ++k) {
            nodes[i].local_rotation[k] = length > 1e-9 ? v[k] / length : (k == 3 ? 1.0 : 0.0);
        }
    }
}

// --- T-pose ----------------------------------------------------------------------------------------------------------

static bool bone_place(const vrmi_bake *bake, int32_t bone, double out[3])
{
    const int32_t node = bone >= 0 ? bake->model->head.bone_node[bone] : -1;
    if (node < 0) {
        return false;
    }
    const vrmi_bake_node *at = vrmi_bake_node_at(bake, vrmi_model_node_gltf(bake->model)[node]);
    for (int i = 0; i < 3; ++i) {
        out[i] = at->world.m[i][3];
    }
    return true;
}

static bool bone_direction(const vrmi_bake *bake, int32_t from, int32_t to, double out[3])
{
    double a[3], b[3];
    if (!bone_place(bake, from, a) || !bone_place(bake, to, b)) {
        return false;
    }
    for (int i = 0; i < 3; ++i) {
        out[i] = b[i] - a[i];
    }
    const double length = sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
    for (int i = 0; i < 3; ++i) {
        out[i] = length > 1e-9 ? out[i] / length : 0.0;
    }
    return length > 1e-9;
}

// Rotates a bone and its children, in world axes.
static void turn_bone(vrmi_bake *bake, int32_t bone, const double turn[4])
{
    const uint32_t node = (uint32_t)bake->model->head.bone_node[bone];
    const uint32_t index = vrmi_model_node_gltf(bake->model)[node];
    const int32_t parent = bake->gltf->nodes[index].parent;
    vrmi_bake_node *nodes = bake->nodes.items;
    double world[4];
    vrmi_rotation_mul(turn, nodes[index].rotation, world);
    if (parent >= 0) {
        double inverse[4];
        vrmi_rotation_conjugate(nodes[parent].rotation, inverse);
        vrmi_rotation_mul(inverse, world, nodes[index].local_rotation);
    } else {
        for (int i = 0; i < 4; ++i) {
            nodes[index].local_rotation[i] = world[i];
        }
    }
    place_all(bake, node);
}

// Rotates a bone by the smallest angle so that the direction to the bone `to` becomes `wanted`. Returns false if the
// cosine between the directions already exceeds `cosine`, or if a bone is missing.
static bool straighten(vrmi_bake *bake, int32_t bone, int32_t to, const double wanted[3], double cosine)
{
    double way[3];
    if (!bone_direction(bake, bone, to, way)) {
        return false;
    }
    const double dot = way[0] * wanted[0] + way[1] * wanted[1] + way[2] * wanted[2];
    if (dot > cosine) {
        return false;
    }
    double turn[4] = {way[1] * wanted[2] - way[2] * wanted[1], way[2] * wanted[0] - way[0] * wanted[2],
        way[0] * wanted[1] - way[1] * wanted[0], 1.0 + dot};
    const double length = sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2] + turn[3] * turn[3]);
    if (!(length > 1e-6)) { // exactly opposite: half a turn about the forward axis
        turn[2] = 1.0;
        turn[3] = 0.0;
    }
    for (int i = 0; i < 4 && length > 1e-6; ++i) {
        turn[i] /= length;
    }
    turn_bone(bake, bone, turn);
    return true;
}

// Restores a bone's earlier world rotation.
static void keep_rotation(vrmi_bake *bake, int32_t bone, const double before[4])
{
    const uint32_t node = (uint32_t)bake->model->head.bone_node[bone];
    const vrmi_bake_node *now = vrmi_bake_node_at(bake, vrmi_model_node_gltf(bake->model)[node]);
    double inverse[4], turn[4];
    vrmi_rotation_conjugate(now->rotation, inverse);
    vrmi_rotation_mul(before, inverse, turn);
    turn_bone(bake, bone, turn);
}

static bool has_bone(const vrmi_bake *bake, int32_t bone)
{
    return bake->model->head.bone_node[bone] >= 0;
}

// Cosines of the largest deviation for which a bone is not rotated.
#define ARM_COSINE 0.99939 // 2 degrees
#define HAND_COSINE 0.985  // 10 degrees: real hands and fingers are not exactly straight
#define LEG_COSINE 0.940   // 20 degrees: standing with the feet apart is natural

static uint32_t straighten_arm(vrmi_bake *bake, bool left, double side)
{
    static const int32_t fingers[] = {VRM_HUMAN_BONE_LEFT_INDEX_PROXIMAL, VRM_HUMAN_BONE_LEFT_MIDDLE_PROXIMAL,
        VRM_HUMAN_BONE_LEFT_RING_PROXIMAL, VRM_HUMAN_BONE_LEFT_LITTLE_PROXIMAL};
    const int32_t other = left ? 0 : VRM_HUMAN_BONE_RIGHT_UPPER_ARM - VRM_HUMAN_BONE_LEFT_UPPER_ARM;
    const int32_t finger_other = left ? 0 : VRM_HUMAN_BONE_RIGHT_INDEX_PROXIMAL - VRM_HUMAN_BONE_LEFT_INDEX_PROXIMAL;
    const double out[3] = {side, 0.0, 0.0};
    const int32_t upper = VRM_HUMAN_BONE_LEFT_UPPER_ARM + other, lower = VRM_HUMAN_BONE_LEFT_LOWER_ARM + other;
    const int32_t hand = VRM_HUMAN_BONE_LEFT_HAND + other;
    uint32_t turned = 0;
    turned += straighten(bake, upper, lower, out, ARM_COSINE);
    turned += straighten(bake, lower, hand, out, ARM_COSINE);
    turned += straighten(bake, hand, VRM_HUMAN_BONE_LEFT_MIDDLE_PROXIMAL + finger_other, out, HAND_COSINE);
    for (size_t i = 0; i < VRMI_COUNT_OF(fingers); ++i) {
        for (int32_t joint = 0; joint < 2; ++joint) { // the last bone of a finger has no bone to point to
            const int32_t bone = fingers[i] + finger_other + joint;
            turned += straighten(bake, bone, bone + 1, out, HAND_COSINE);
        }
    }
    return turned;
}

static uint32_t straighten_leg(vrmi_bake *bake, bool left)
{
    const int32_t other = left ? 0 : VRM_HUMAN_BONE_RIGHT_UPPER_LEG - VRM_HUMAN_BONE_LEFT_UPPER_LEG;
    const int32_t upper = VRM_HUMAN_BONE_LEFT_UPPER_LEG + other, lower = VRM_HUMAN_BONE_LEFT_LOWER_LEG + other;
    const int32_t foot = VRM_HUMAN_BONE_LEFT_FOOT + other;
    const double down[3] = {0.0, -1.0, 0.0};
    double before[4] = {0.0, 0.0, 0.0, 1.0};
    if (!has_bone(bake, foot)) {
        return 0;
    }
    const uint32_t node = (uint32_t)bake->model->head.bone_node[foot];
    for (int i = 0; i < 4; ++i) {
        before[i] = vrmi_bake_node_at(bake, vrmi_model_node_gltf(bake->model)[node])->rotation[i];
    }
    uint32_t turned = straighten(bake, upper, lower, down, LEG_COSINE);
    turned += straighten(bake, lower, foot, down, LEG_COSINE);
    if (turned != 0) {
        keep_rotation(bake, foot, before);
    }
    return turned;
}

static double lowest_foot(const vrmi_bake *bake)
{
    static const int32_t feet[] = {VRM_HUMAN_BONE_LEFT_FOOT, VRM_HUMAN_BONE_RIGHT_FOOT};
    double lowest = 0.0;
    bool any = false;
    for (size_t i = 0; i < VRMI_COUNT_OF(feet); ++i) {
        double place[3];
        if (bone_place(bake, feet[i], place)) {
            lowest = !any || place[1] < lowest ? place[1] : lowest;
            any = true;
        }
    }
    return lowest;
}

// Moves the hips and everything below by `height`, so that the soles stay on the ground.
static void lift(const vrmi_bake *bake, double height)
{
    vrmi_bake_node *nodes = bake->nodes.items;
    const int32_t hips = bake->model->head.bone_node[VRM_HUMAN_BONE_HIPS];
    if (hips < 0) {
        return;
    }
    const uint32_t end = vrmi_model_node_subtree_end(bake->model)[hips];
    for (uint32_t i = (uint32_t)hips; i < end; ++i) {
        nodes[vrmi_model_node_gltf(bake->model)[i]].world.m[1][3] += height;
    }
}

static void make_t_pose(vrmi_bake *bake)
{
    // The avatar's left is +X if it faces +Z, and -X if it faces -Z, as in 0.x.
    const vrm_vec3 forward = {0.0f, 0.0f, 1.0f};
    const double left = vrmi_quat_rotate(bake->model->head.root_from_nodes, forward).z < 0.0f ? -1.0 : 1.0;
    const double before = lowest_foot(bake);
    const uint32_t turned = straighten_arm(bake, true, left) + straighten_arm(bake, false, -left) +
                            straighten_leg(bake, true) + straighten_leg(bake, false);
    lift(bake, before - lowest_foot(bake));
    if (turned != 0) {
        char found[48];
        vrmi_bake_report(bake, VRM_FINDING_BAKE_POSED, bake->gltf->root, NULL,
            vrmi_format(found, sizeof found, "%u bones were rotated", turned));
    }
}

// --- results ---------------------------------------------------------------------------------------------------------

static void describe_scale(vrmi_bake *bake, uint32_t index)
{
    vrmi_bake_node *node = (vrmi_bake_node *)bake->nodes.items + index;
    double square[3] = {0.0, 0.0, 0.0}, cofactors[3][3];
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            square[k] += node->world.m[i][k] * node->world.m[i][k];
        }
    }
    double largest = square[0], smallest = square[0];
    for (int k = 1; k < 3; ++k) {
        largest = square[k] > largest ? square[k] : largest;
        smallest = square[k] < smallest ? square[k] : smallest;
    }
    const double determinant = vrmi_matrix_cofactors(&node->world, cofactors);
    node->scale = (float)sqrt(largest);
    node->scale = vrmi_bake_same(1.0, (double)node->scale) ? 1.0f : node->scale;
    node->even = determinant > 0.0 && smallest > largest * (1.0 - 1e-4);
    node->turned = false;
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            node->turned = node->turned || !vrmi_bake_same(i == k ? 1.0 : 0.0, node->world.m[i][k]);
        }
    }
    // Reports an uneven scale. A node without children can keep any scale, but children are stretched when the node
    // rotates. Only the topmost such node is reported.
    const int32_t parent = bake->gltf->nodes[index].parent;
    const bool first = parent < 0 || vrmi_bake_node_at(bake, (uint32_t)parent)->even;
    if (!node->even && first && bake->gltf->nodes[index].children.count != 0) {
        char found[64];
        const vrm_vec3 s = bake->gltf->nodes[index].local.scale;
        vrmi_format(found, sizeof found, "%g, %g, %g", (double)s.x, (double)s.y, (double)s.z);
        vrmi_bake_report(bake, VRM_FINDING_BAKE_SCALE_UNEVEN, bake->gltf->nodes[index].json, "scale", found);
    }
}

// Computes the translations to write. They are rounded to floats, so later ones are computed from the rounded
// positions.
static void place_baked(vrmi_bake *bake, uint32_t index)
{
    vrmi_bake_node *nodes = bake->nodes.items, *node = &nodes[index];
    const vrmi_gltf_node *from = &bake->gltf->nodes[index];
    const float old[3] = {from->local.translation.x, from->local.translation.y, from->local.translation.z};
    for (int i = 0; i < 3; ++i) {
        const double parent = from->parent >= 0 ? nodes[from->parent].place[i] : 0.0;
        const double way = node->world.m[i][3] - parent;
        node->translation[i] = vrmi_bake_same(way, (double)old[i]) ? old[i] : (float)way;
        node->place[i] = parent + (double)node->translation[i];
    }
}

void vrmi_bake_pose(vrmi_bake *bake)
{
    bake->nodes.item_size = sizeof(vrmi_bake_node);
    if (vrmi_writer_reserve(&bake->out, &bake->nodes, bake->gltf->counts[VRM_GLTF_NODES]) == NULL) {
        return;
    }
    read_rotations(bake);
    place_roots(bake);
    if (bake->def->t_pose) {
        make_t_pose(bake);
    }
    for (uint32_t i = 0; i < bake->model->node_parent.count; ++i) {
        const uint32_t index = vrmi_model_node_gltf(bake->model)[i];
        describe_scale(bake, index);
        place_baked(bake, index);
    }
}
