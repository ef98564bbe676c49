// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef SCENES_METER_SKIN_H
#define SCENES_METER_SKIN_H

// The avatar's vertices as shown in a frame, without morphs. They give the lowest point, the support area, and limbs
// that penetrate other parts.

#include <vrm/avatar.h>
#include <vrm/output.h>

typedef struct meter_skin meter_skin;

// Returns NULL if memory runs out. A document whose vertices cannot be read gives an empty skin.
meter_skin *meter_skin_create(const vrm_avatar *avatar, const vrm_gltf *gltf);
void meter_skin_destroy(meter_skin *skin);
bool meter_skin_is_empty(const meter_skin *skin);

enum { METER_DIRECTIONS = 32 }; // number of horizontal directions, evenly distributed

// A point on a sole. A sole is rigid enough to be fixed to a bone.
typedef struct meter_sole {
    vrm_human_bone bone;
    vrm_vec3 offset; // from the bone's joint, in the model's axes in the rest pose
} meter_sole;
enum { METER_SOLES = 6 }; // number of points on the soles of both feet

// Writes the points at heel, ball and tip of both feet, the left foot first. The points of a foot without vertices are
// estimated from its bones.
void meter_skin_find_soles(const meter_skin *skin, const vrm_avatar *avatar, meter_sole out[METER_SOLES]);

// Finds the corners of the rectangle over the ground that encloses a foot's sole at rest: the vertices of the foot and
// its toes near the lowest one. Returns false, with unchanged corners, if the foot has no vertices.
bool meter_skin_find_footprint(const meter_skin *skin, vrm_human_bone foot, vrm_vec3 *out_least, vrm_vec3 *out_most);

typedef struct meter_skin_frame {
    float lowest, lowest_hair; // heights of the body and of nodes on springs, relative to the origin; 1e30: no vertices
    int32_t lowest_bone;
    // The distance to which the body, within the height `near` above the ground, extends in each direction; -1e30: no
    // part of the body is within this height.
    float reach[METER_DIRECTIONS];
    // Depths in metres; negative: not measured.
    float arm_poke, skirt_poke;
    int32_t arm_bone, skirt_bone;
} meter_skin_frame;

// The frame to read. `ground` and `near` are relative to the outputs' origin.
typedef struct meter_skin_look {
    const vrm_outputs *outputs;
    float ground, near;
    bool pokes;
} meter_skin_look;

void meter_skin_read(meter_skin *skin, const meter_skin_look *look, meter_skin_frame *out);

#endif
