// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef SCENES_METER_FRAMES_H
#define SCENES_METER_FRAMES_H

// The frames that a meter keeps, for the files that compute figures from them.

#include "math/quat.h"
#include "meter_skin.h"
#include "motion_meter.h"

enum { METER_BONES = VRM_HUMAN_BONE_COUNT };

// Positions are relative to the first frame's origin, to keep them small; axes are the world's.
typedef struct meter_frame {
    vrm_vec3 places[METER_BONES];
    vrm_quat turns[METER_BONES]; // rotations since the T-pose, including the root's
    vrm_vec3 body_places[VRM_RAGDOLL_MAX_BODIES];
    vrm_quat body_turns[VRM_RAGDOLL_MAX_BODIES];  // rotations of the bodies in the engine
    vrm_quat shown_turns[VRM_RAGDOLL_MAX_BODIES]; // rotations of the bodies in the shown pose
    vrm_vec3 shown_places[VRM_RAGDOLL_MAX_BODIES];
    vrm_vec3 soles[METER_SOLES];
    vrm_vec3 mass_centre;
    vrm_vec3 root;
    vrm_quat root_turn;
    uint64_t shown;    // one bit per body that is shown exactly as the engine moves it
    uint64_t touching; // one bit per body whose shape touches the ground
    bool simulated;
    float outside; // distance of the mass centre from the support area, metres; 0 inside; 1e30: there is no support
    float lowest, lowest_hair, arm_poke, skirt_poke;
    int32_t lowest_bone, arm_bone, skirt_bone;
} meter_frame;

struct scene_meter {
    scene_meter_def def;
    bool there[METER_BONES];
    int32_t parent[METER_BONES]; // index of the nearest ancestor bone that exists
    uint32_t nodes[METER_BONES];
    vrm_quat rest[METER_BONES];
    meter_sole soles[METER_SOLES];
    meter_skin *skin; // NULL: the vertices are unknown
    float size;       // the figure's height relative to 1.6 m
    vrm_dvec3 origin; // origin of the first frame
    meter_frame *frames;
    uint32_t count, room;
};

// Returns the angle of a rotation in degrees.
double meter_degrees(vrm_quat turn);
// Returns the rotation from `from` to `to`.
vrm_quat meter_turn_between(vrm_quat from, vrm_quat to);
// Returns a joint's rotation relative to the bone above it; the rotation of the hips relative to the world.
vrm_quat meter_local(const scene_meter *meter, const meter_frame *frame, int bone);

#endif
