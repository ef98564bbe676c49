// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The weight of a figure that gets up. A trunk that leans by the same angle for all figures would be too far forward for
// a large head on short legs, and too far back for long legs.

#include "ragdoll/get_up_reach.h"

#include "ragdoll/anatomy.h"

static const float least_lean = 0.3f; // smallest lean, as a fraction of the planned one

// --- masses ----------------------------------------------------------------------------------------------------------

static int32_t tip_of(const vrm_get_up_body *body, int32_t bone)
{
    int32_t tip = vrmi_anatomy_tip((vrm_human_bone)bone, 0);
    for (uint32_t choice = 1; tip >= 0 && body->parent[tip] == -2; ++choice) {
        tip = vrmi_anatomy_tip((vrm_human_bone)bone, choice);
    }
    return tip;
}

// Returns the distance from a joint to its skin. The direction is straight down, rotated about X (axis 0) or Z (2).
static float extent(const vrm_get_up_body *body, int32_t bone, int axis, float angle)
{
    const vrm_vec3 about = vrmi_vec3(axis == 0 ? 1.0f : 0.0f, 0.0f, axis == 0 ? 0.0f : 1.0f);
    return vrmi_get_up_depth(body, bone, vrmi_quat_from_axis_angle(about, angle));
}

// Returns the head's mass as a multiple of the mass in the table of adults. A large head looks heavy.
static float head_factor(const vrm_get_up_body *body)
{
    const int32_t head = VRM_HUMAN_BONE_HEAD;
    const float quarter = 0.5f * VRMI_PI;
    const float x = extent(body, head, 2, quarter) + extent(body, head, 2, -quarter);
    const float y = extent(body, head, 0, VRMI_PI) + extent(body, head, 0, 0.0f);
    const float z = extent(body, head, 0, quarter) + extent(body, head, 0, -quarter);
    // The head of an adult of 1.7 m is 0.15 m wide, 0.23 m high and 0.19 m long.
    const float volume = x * y * z / (body->height * body->height * body->height) * (4.913f / (0.15f * 0.23f * 0.19f));
    return vrmi_clamp(volume, 1.0f, 2.5f);
}

static vrm_vec3 middle_of(const vrm_get_up_body *body, int32_t bone)
{
    const int32_t tip = tip_of(body, bone);
    if (tip >= 0) {
        return vrmi_vec3_scale(vrmi_vec3_sub(body->rest[tip], body->rest[bone]), 0.5f);
    }
    if (bone != VRM_HUMAN_BONE_HEAD) {
        return vrmi_vec3(0.0f, 0.0f, 0.0f);
    }
    const float up = extent(body, bone, 0, VRMI_PI), down = extent(body, bone, 0, 0.0f);
    return vrmi_vec3(0.0f, 0.5f * (up - down), 0.0f);
}

void vrmi_get_up_weigh(vrm_get_up_body *body)
{
    float sum = 0.0f;
    for (int32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        float mass = vrmi_anatomy_of((vrm_human_bone)bone)->mass;
        mass *= bone == VRM_HUMAN_BONE_HEAD ? head_factor(body) : 1.0f;
        int32_t carrier = bone; // a missing bone's mass belongs to its nearest ancestor
        while (carrier > 0 && body->parent[carrier] == -2) {
            carrier = vrm_human_bone_parent((vrm_human_bone)carrier);
        }
        body->mass[carrier] += mass;
        sum += mass;
    }
    for (int32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        body->mass[bone] /= sum;
        body->middle[bone] = body->parent[bone] > -2 ? middle_of(body, bone) : body->middle[bone];
    }
}

static vrm_vec3 mass_centre(const vrm_get_up_body *body, const vrmi_get_up_pose *pose)
{
    vrm_vec3 sum = {0.0f, 0.0f, 0.0f};
    for (int32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        const vrm_vec3 place = vrmi_vec3_add(pose->place[bone], vrmi_quat_rotate(pose->turn[bone], body->middle[bone]));
        sum = vrmi_vec3_add(sum, vrmi_vec3_scale(place, body->mass[bone]));
    }
    return sum;
}

// --- the lunge -------------------------------------------------------------------------------------------------------

// Puts the rear leg of the lunge within its reach. A leg that does not reach its foot hangs in the air. The foot rolls
// over its toes as far as the leg allows, and is drawn towards the hip if this is not enough.
static void reach_back(const vrm_get_up_body *body, vrmi_get_up_plan *plan)
{
    enum { STEPS = 6 };
    vrmi_get_up_key *key = &plan->keys[plan->lunge];
    const int rear = 1 - plan->front;
    const float most = 0.955f * body->leg, hip = key->x + body->rest[vrmi_get_up_legs[rear].upper].x;
    const float from = key->foot_pitch[rear], rolled = key[-1].foot_pitch[rear];
    float *foot = key->foot[rear], x = 0.0f, z = 0.0f, far = 0.0f, reach = 0.0f, before, now, sine;
    vrmi_sincos(from, &sine, &before);
    const float toes = foot[2] + body->foot * before;
    for (int i = 0; i <= STEPS && (i == 0 || far > reach); ++i) {
        key->foot_pitch[rear] = vrmi_lerp(from, rolled, (float)i / STEPS);
        vrmi_sincos(key->foot_pitch[rear], &sine, &now);
        foot[2] = toes - body->foot * now;
        const vrm_quat turn = vrmi_quat_from_axis_angle(vrmi_vec3(1.0f, 0.0f, 0.0f), key->foot_pitch[rear]);
        const float down = key->y - foot[1] - vrmi_get_up_sole(body, rear, turn);
        x = foot[0] - hip;
        z = foot[2] - key->z;
        far = vrmi_sqrt(x * x + z * z);
        reach = vrmi_sqrt(vrmi_max(most * most - down * down, 0.0f));
    }
    if (far > reach) {
        const float part = reach / far;
        foot[0] = hip + part * x;
        foot[2] = key->z + part * z;
        key->step[rear] = vrmi_min(1.0f, 0.013f * body->leg / (far - reach)); // it does not slide, not even a short way
    }
}

// Finds the lean with which the mass centre is above the key's `aim`.
static void lean(const vrm_get_up_body *body, vrmi_get_up_plan *plan, vrmi_get_up_key *key)
{
    const vrmi_get_up_moment moment = {.time = key->time};
    const float pitch = key->pitch, bend = key->bend;
    float low = least_lean, high = 1.0f;
    for (int i = 0; i < 7; ++i) {
        vrmi_get_up_pose pose;
        const float part = 0.5f * (low + high);
        key->pitch = part * pitch;
        key->bend = part * bend;
        vrmi_get_up_solve(body, plan, &moment, &pose);
        *(mass_centre(body, &pose).z < key->aim ? &low : &high) = part;
    }
}

void vrmi_get_up_balance(const vrm_get_up_body *body, vrmi_get_up_plan *plan)
{
    reach_back(body, plan);
    for (uint32_t i = 1; i < plan->count; ++i) {
        vrmi_get_up_key *key = &plan->keys[i];
        if (key->balances) {
            lean(body, plan, key);
        }
    }
}
