// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Angles are in degrees; axes as in procedural_motion.c.

#include "get_up_motion.h"

#include "math/quat.h"

#include <string.h>

// Symmetric poses. Heights are parts of the hips' standing height, `forward` parts of it as well.
typedef struct get_up_key {
    float time;
    float pitch, height, forward; // of the hips
    float spine;                  // bend of spine and chest, each
    float thigh, knee;            // forward, bent
    float arms_down, arms_forward, elbow;
} get_up_key;

static const get_up_key from_back[] = {
    {0.0f, -90, 0.12f, 0.0f, 0, 4, 6, 70, 0, 10},
    {0.5f, -70, 0.13f, 0.0f, 14, 40, 70, 60, -30, 30},
    {1.1f, -25, 0.16f, 0.05f, 26, 95, 115, 55, -20, 10},
    {1.7f, 30, 0.34f, 0.38f, 22, 125, 135, 70, 40, 30},
    {2.6f, 0, 1.0f, 0.42f, 0, 3, 4, 74, 4, 14},
};
static const get_up_key from_front[] = {
    {0.0f, 90, 0.12f, 0.0f, 0, 0, 0, 4, 86, 100},
    {0.6f, 72, 0.24f, 0.0f, -12, 20, 60, 60, 90, 70},
    {1.2f, 60, 0.42f, 0.1f, 8, 95, 110, 70, 95, 15},
    {1.8f, 32, 0.36f, 0.3f, 20, 125, 135, 72, 50, 20},
    {2.6f, 0, 1.0f, 0.4f, 0, 3, 4, 74, 4, 14},
};
enum { KEYS = sizeof(from_back) / sizeof(from_back[0]) };

double scene_get_up_seconds(void)
{
    return (double)from_back[KEYS - 1].time;
}

static vrm_quat turn(float degrees, float x, float y, float z)
{
    return vrmi_quat_from_axis_angle(vrmi_vec3(x, y, z), degrees * (VRMI_PI / 180.0f));
}

static const get_up_key *keys_of(vrm_ragdoll_lying lying)
{
    return lying == VRM_RAGDOLL_LYING_BACK ? from_back : from_front;
}

// Eased between the keys around the moment.
static get_up_key pose_at(const get_up_key *keys, float time)
{
    int next = 1;
    while (next < KEYS - 1 && keys[next].time < time) {
        ++next;
    }
    const get_up_key *a = &keys[next - 1], *b = &keys[next];
    const float t = vrmi_clamp((time - a->time) / (b->time - a->time), 0.0f, 1.0f);
    const float eased = t * t * (3.0f - 2.0f * t);
    enum { NUMBERS = sizeof(get_up_key) / sizeof(float) };
    float from[NUMBERS], to[NUMBERS];
    memcpy(from, a, sizeof(from));
    memcpy(to, b, sizeof(to));
    for (int i = 0; i < NUMBERS; ++i) {
        from[i] = vrmi_lerp(from[i], to[i], eased);
    }
    get_up_key pose;
    memcpy(&pose, from, sizeof(pose));
    return pose;
}

// False for a bone that is not there, which leaves `out` as it is.
static bool get_rest_place(const vrm_avatar *avatar, vrm_human_bone bone, vrm_vec3 *out)
{
    vrm_node info = {.struct_size = sizeof info};
    const int32_t node = vrm_avatar_get_bone_node(avatar, bone);
    if (node < 0 || vrm_avatar_get_node(avatar, (uint32_t)node, &info) != VRM_SUCCESS) {
        return false;
    }
    *out = info.rest_position;
    return true;
}

void scene_get_up_end(vrm_instance *instance, vrm_ragdoll_lying lying)
{
    vrm_vec3 hips = {0.0f, 0.0f, 0.0f};
    (void)get_rest_place(vrm_instance_get_avatar(instance), VRM_HUMAN_BONE_HIPS, &hips);
    const float forward = keys_of(lying)[KEYS - 1].forward * hips.y;
    vrm_root root;
    vrm_instance_get_root(instance, &root);
    const vrm_vec3 way = vrmi_quat_rotate(root.rotation, vrmi_vec3(0.0f, 0.0f, forward * root.scale));
    root.translation.x += (double)way.x;
    root.translation.y += (double)way.y;
    root.translation.z += (double)way.z;
    (void)vrm_instance_set_root(instance, &root);
}

// Rotations of the humanoid bones in the T-pose's frame.
static void turn_bones(const get_up_key *key, vrm_quat turns[VRM_HUMAN_BONE_COUNT])
{
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        turns[bone] = vrmi_quat_identity();
    }
    turns[VRM_HUMAN_BONE_HIPS] = turn(key->pitch, 1, 0, 0);
    turns[VRM_HUMAN_BONE_SPINE] = turns[VRM_HUMAN_BONE_CHEST] = turn(key->spine, 1, 0, 0);
    turns[VRM_HUMAN_BONE_HEAD] = turn(0.3f * key->spine, 1, 0, 0);
    const vrm_quat forward = turn(-key->arms_forward, 1, 0, 0);
    turns[VRM_HUMAN_BONE_LEFT_UPPER_ARM] = vrmi_quat_mul(forward, turn(-key->arms_down, 0, 0, 1));
    turns[VRM_HUMAN_BONE_RIGHT_UPPER_ARM] = vrmi_quat_mul(forward, turn(key->arms_down, 0, 0, 1));
    turns[VRM_HUMAN_BONE_LEFT_LOWER_ARM] = turn(-key->elbow, 0, 1, 0);
    turns[VRM_HUMAN_BONE_RIGHT_LOWER_ARM] = turn(key->elbow, 0, 1, 0);
    for (int side = 0; side < 2; ++side) {
        const int thigh = side == 0 ? VRM_HUMAN_BONE_LEFT_UPPER_LEG : VRM_HUMAN_BONE_RIGHT_UPPER_LEG;
        turns[thigh] = turn(-key->thigh, 1, 0, 0);
        turns[thigh + 1] = turn(key->knee, 1, 0, 0);
        // Soles level where the leg carries, in line with the shin where it lies.
        const float level = key->thigh - key->knee - key->pitch;
        turns[thigh + 2] = turn(vrmi_clamp(level, -25.0f, 35.0f), 1, 0, 0);
    }
}

// How much higher the hips must be so that no limb is in the ground: joints keep at least their height of the rest pose
// above it, or a twentieth of the hips'. Legs and arms differ from avatar to avatar, the keys do not.
static float lift_needed(
    const vrm_avatar *avatar, const vrm_quat turns[VRM_HUMAN_BONE_COUNT], vrm_vec3 hips, float standing)
{
    vrm_vec3 rest[VRM_HUMAN_BONE_COUNT], place[VRM_HUMAN_BONE_COUNT];
    vrm_quat world[VRM_HUMAN_BONE_COUNT];
    float lift = 0.0f;
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        const int parent = vrm_human_bone_parent((vrm_human_bone)bone);
        if (!get_rest_place(avatar, (vrm_human_bone)bone, &rest[bone])) {
            if (parent >= 0) { // what is not there is where its parent is
                rest[bone] = rest[parent];
                place[bone] = place[parent];
                world[bone] = world[parent];
            }
            continue;
        }
        if (parent < 0) {
            place[bone] = hips;
            world[bone] = turns[bone];
            continue;
        }
        const vrm_vec3 way = vrmi_vec3_sub(rest[bone], rest[parent]);
        place[bone] = vrmi_vec3_add(place[parent], vrmi_quat_rotate(world[parent], way));
        world[bone] = vrmi_quat_mul(world[parent], turns[bone]);
        const float least = vrmi_min(vrmi_max(rest[bone].y, 0.0f), 0.05f * standing);
        lift = vrmi_max(lift, least - place[bone].y);
    }
    return lift;
}

void scene_get_up_apply(vrm_instance *instance, vrm_ragdoll_lying lying, double seconds)
{
    const get_up_key key = pose_at(keys_of(lying), (float)seconds);
    const vrm_avatar *avatar = vrm_instance_get_avatar(instance);
    vrm_quat turns[VRM_HUMAN_BONE_COUNT];
    turn_bones(&key, turns);
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        // Missing optional bones are left out.
        (void)vrm_instance_set_normalized_rotation(instance, (vrm_human_bone)bone, &turns[bone]);
    }
    vrm_vec3 hips;
    if (get_rest_place(avatar, VRM_HUMAN_BONE_HIPS, &hips)) {
        vrm_vec3 position = {hips.x, key.height * hips.y, hips.z + key.forward * hips.y};
        position.y += lift_needed(avatar, turns, position, hips.y);
        (void)vrm_instance_set_hips_position(instance, &position);
    }
}
