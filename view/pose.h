// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VIEW_POSE_H
#define VIEW_POSE_H

// Poses of the normalized humanoid: read from and set on an instance; written and parsed as three-vrm's VRMPose; and a
// history for undo.
// A VRMPose is {"hips": {"rotation": [x, y, z, w], "position": [x, y, z]}, ...}. The hips' position is the offset from
// rest, in metres along the model's axes.

#include <vrm/instance.h>

#include "base/text.h"

typedef struct pose {
    vrm_quat rotations[VRM_HUMAN_BONE_COUNT];
    vrm_vec3 hips; // offset of the hips from rest, model axes
} pose;

void pose_take(const vrm_instance *instance, pose *out);
void pose_put(vrm_instance *instance, const pose *p);
// Writes a pose. It omits bones that the avatar lacks and bones that are at rest.
void pose_write(const vrm_avatar *avatar, const pose *p, vrmi_text *out);
// Reads a pose. Bones missing from the text are at rest. Returns INVALID_ASSET for text that is not a pose; `message`
// then has the place and the reason.
vrm_result pose_read(const char *text, size_t size, pose *out, char *message, size_t message_size);
// Converts a rotation to degrees about X, then Y, then Z of the model's axes (q = z * y * x), and back.
void pose_angles(const vrm_quat *q, float degrees[3]);
void pose_from_angles(const float degrees[3], vrm_quat *out);

enum { POSE_HISTORY = 64 };

typedef struct pose_history {
    pose poses[POSE_HISTORY];
    uint32_t undo, redo; // number of steps available in each direction
    uint32_t at;         // ring index of the next pose to keep
} pose_history;

// Keeps the pose and discards undone poses. Call this function before a change.
void pose_history_keep(pose_history *h, const vrm_instance *instance);
bool pose_history_undo(pose_history *h, vrm_instance *instance);
bool pose_history_redo(pose_history *h, vrm_instance *instance);

#endif
