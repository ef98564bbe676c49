// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The strength, speed and damping of a joint's muscles during a fall.

#include "fall.h"

bool vrmi_fall_is_foot(vrm_human_bone bone)
{
    return bone == VRM_HUMAN_BONE_LEFT_FOOT || bone == VRM_HUMAN_BONE_RIGHT_FOOT || bone == VRM_HUMAN_BONE_LEFT_TOES ||
           bone == VRM_HUMAN_BONE_RIGHT_TOES;
}

// The factor by which ligaments make wrists and ankles stiffer than their muscles alone would.
static const float ligaments = 3.0f;

// Largest torques of adults in N m, divided by 50 kg and 1.6 m.
static float strength_of(vrm_human_bone bone, vrm_ragdoll_group group)
{
    switch (bone) {
    case VRM_HUMAN_BONE_LEFT_UPPER_ARM:
    case VRM_HUMAN_BONE_RIGHT_UPPER_ARM:
        return 60.0f / 80.0f;
    case VRM_HUMAN_BONE_LEFT_LOWER_ARM:
    case VRM_HUMAN_BONE_RIGHT_LOWER_ARM:
        return 40.0f / 80.0f;
    case VRM_HUMAN_BONE_LEFT_UPPER_LEG:
    case VRM_HUMAN_BONE_RIGHT_UPPER_LEG:
        return 150.0f / 80.0f;
    case VRM_HUMAN_BONE_LEFT_LOWER_LEG:
    case VRM_HUMAN_BONE_RIGHT_LOWER_LEG:
        return 120.0f / 80.0f;
    case VRM_HUMAN_BONE_LEFT_FOOT:
    case VRM_HUMAN_BONE_RIGHT_FOOT:
        return 80.0f / 80.0f;
    case VRM_HUMAN_BONE_LEFT_HAND:
    case VRM_HUMAN_BONE_RIGHT_HAND:
        return 25.0f / 80.0f;
    default:
        break;
    }
    return group == VRM_RAGDOLL_GROUP_TORSO  ? 120.0f / 80.0f
           : group == VRM_RAGDOLL_GROUP_HEAD ? 25.0f / 80.0f
                                             : 8.0f / 80.0f;
}

static bool is_leg(vrm_ragdoll_group group)
{
    return group == VRM_RAGDOLL_GROUP_LEFT_LEG || group == VRM_RAGDOLL_GROUP_RIGHT_LEG;
}

static bool is_hand(vrm_human_bone bone)
{
    return bone == VRM_HUMAN_BONE_LEFT_HAND || bone == VRM_HUMAN_BONE_RIGHT_HAND;
}

static bool is_forearm(vrm_human_bone bone)
{
    return bone == VRM_HUMAN_BONE_LEFT_LOWER_ARM || bone == VRM_HUMAN_BONE_RIGHT_LOWER_ARM;
}

vrmi_fall_muscle vrmi_fall_muscle_of(const vrm_fall *fall, const vrmi_fall_view *view, uint32_t body)
{
    const vrm_ragdoll_group group = view->def->bodies[body].group;
    const bool legs = is_leg(group), head = group == VRM_RAGDOLL_GROUP_HEAD, torso = group == VRM_RAGDOLL_GROUP_TORSO;
    const bool standing = fall->phase == VRM_FALL_PHASE_TOTTER;
    float level = head ? 1.0f : torso ? 0.6f : legs ? 0.35f : 0.8f;
    level = standing && !head ? vrmi_max(level, 0.8f) : level;
    vrmi_fall_muscle m = {head ? 5.0f : legs ? 2.0f : torso ? 3.0f : 4.0f, head ? 1.5f : legs ? 1.2f : 0.9f, 0.0f};
    const float touched = fall->touch_time[group];
    // Hands and feet are light. With a spring and a damper sized for their own inertia, the ground would turn them over
    // within a frame.
    const bool hand = is_hand(view->def->bodies[body].bone);
    if (hand || vrmi_fall_is_foot(view->def->bodies[body].bone)) {
        m.frequency = hand ? 6.0f : m.frequency;
        m.damping_ratio = 24.0f;
        level *= ligaments;
    } else if (touched >= 0.0f) { // the limb yields and does not spring back
        level *= head ? 1.0f : 0.4f;
        m.frequency *= is_forearm(view->def->bodies[body].bone) ? 1.5f : 0.7f;
        m.damping_ratio = 2.5f;
    }
    if (fall->phase >= VRM_FALL_PHASE_SETTLE) {
        const float part = fall->phase_time / (VRMI_FALL_LET_GO * view->time_scale);
        const bool lies = fall->phase == VRM_FALL_PHASE_LIE;
        const float t = lies ? 1.0f : vrmi_min(part, 1.0f);
        level *= 1.0f - t * (head ? 0.7f : 0.85f);
        // The damping outlasts the spring, so that a joint that the ground has bent returns slowly.
        const float before = m.frequency;
        m.frequency = vrmi_lerp(m.frequency, 1.0f, t);
        m.damping_ratio *= before / m.frequency * (1.0f - 0.6f * t);
        // If its muscles relaxed within one frame, a hand would drop onto the ground.
        level *= !lies ? 1.0f : hand ? vrmi_max(1.0f - part, 0.0f) : 0.0f;
    }
    m.torque = level * strength_of(view->def->bodies[body].bone, group);
    m.frequency /= view->time_scale;
    return m;
}
