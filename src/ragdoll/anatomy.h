// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RAGDOLL_ANATOMY_H
#define VRMI_RAGDOLL_ANATOMY_H

// Facts about the body of every humanoid, independent of the avatar: the bones with bodies, their fractions of the
// mass, the ranges of their joints. The table has the middle and the left side; the right side is the mirror image.

#include <vrm/ragdoll_build.h>

typedef enum vrmi_anatomy_frame {
    VRMI_FRAME_FIXED,  // the joint's X keeps the T-pose's direction, for any direction of the bone
    VRMI_FRAME_BONE,   // X follows the bone
    VRMI_FRAME_T_POSE, // X follows the bone; limits are relative to the T-pose, even if the rest pose has hanging arms
} vrmi_anatomy_frame;

typedef struct vrmi_anatomy {
    uint32_t details; // bit i: the bone has a body at vrm_ragdoll_detail i
    vrm_ragdoll_group group;
    float mass;  // per cent of the whole body
    float girth; // radius if there are no vertices, as a fraction of the height
    vrm_ragdoll_shape_type shape;
    vrm_ragdoll_joint_type joint;
    vrmi_anatomy_frame frame;
    vrm_vec3 x, y;                    // the joint's axes in the T-pose; a hinge bends about X
    float y_min, y_max, z_min, z_max; // limits of the swing, degrees
    float min, max;                   // limits of the twist or of the hinge, degrees
} vrmi_anatomy;

// Returns the facts about a bone of either side. Group and numbers are those of the left side.
const vrmi_anatomy *vrmi_anatomy_of(vrm_human_bone bone);
// Whether the bone is on the right side.
bool vrmi_anatomy_is_right(vrm_human_bone bone);
// Whether the bone is in the middle.
bool vrmi_anatomy_is_middle(vrm_human_bone bone);
// Returns the bone to which a bone may point, for choice 0, 1, ...; -1 after the last choice. The first choice that
// exists in the avatar is used.
int32_t vrmi_anatomy_tip(vrm_human_bone bone, uint32_t choice);

#endif
