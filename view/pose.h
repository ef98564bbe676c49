// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VIEW_POSE_H
#define VIEW_POSE_H

// Poses of the normalized humanoid: taken, put back, written and read as three-vrm's VRMPose
// ({"hips": {"rotation": [x, y, z, w], "position": [x, y, z]}, ...}; the hips' position is the way from rest, metres in
// the model's axes), and a history for undo.

#include <vrm/instance.h>

#include "base/text.h"

typedef struct pose {
    vrm_quat rotations[VRM_HUMAN_BONE_COUNT];
    vrm_vec3 hips; // from rest, model's axes
} pose;

void pose_take(const vrm_instance *instance, pose *out);
void pose_put(vrm_instance *instance, const pose *p);
// Bones that the avatar lacks are left out, and those at rest.
void pose_write(const vrm_avatar *avatar, const pose *p, vrmi_text *out);
// Bones that the text does not name are at rest. INVALID_ASSET for text that is no pose; `message` says where.
vrm_result pose_read(const char *text, size_t size, pose *out, char *message, size_t message_size);
// Degrees about X, then Y, then Z of the model's axes (q = z * y * x), and back.
void pose_angles(const vrm_quat *q, float degrees[3]);
void pose_from_angles(const float degrees[3], vrm_quat *out);

enum { POSE_HISTORY = 64 };

typedef struct pose_history {
    pose poses[POSE_HISTORY];
    uint32_t undo, redo; // how many steps there are either way
    uint32_t at;         // ring index of the next one to be kept
} pose_history;

// Before a change: keeps the pose and forgets what was undone.
void pose_history_keep(pose_history *h, const vrm_instance *instance);
bool pose_history_undo(pose_history *h, vrm_instance *instance);
bool pose_history_redo(pose_history *h, vrm_instance *instance);

#endif
