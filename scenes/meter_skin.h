// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef SCENES_METER_SKIN_H
#define SCENES_METER_SKIN_H

// The avatar's vertices as shown in a frame, without morphs: the lowest point, the support area, and limbs that poke
// through.

#include <vrm/avatar.h>
#include <vrm/output.h>

typedef struct meter_skin meter_skin;

// NULL without memory. A document whose vertices cannot be read gives a skin without any.
meter_skin *meter_skin_create(const vrm_avatar *avatar, const vrm_gltf *gltf);
void meter_skin_destroy(meter_skin *skin);
bool meter_skin_is_empty(const meter_skin *skin);

enum { METER_DIRECTIONS = 32 }; // directions over the ground, evenly around

// A point on a sole, which is rigid enough to be fixed to a bone.
typedef struct meter_sole {
    vrm_human_bone bone;
    vrm_vec3 offset; // from the bone's joint, in the model's axes of the rest pose
} meter_sole;
enum { METER_SOLES = 6 }; // of the two feet

// Writes heel, ball and tip of both feet (the left one's first); a foot without vertices gets an estimate from its
// bones.
void meter_skin_find_soles(const meter_skin *skin, const vrm_avatar *avatar, meter_sole out[METER_SOLES]);

typedef struct meter_skin_frame {
    float lowest, lowest_hair; // of the body and of what springs move, relative to the origin; 1e30: there is none
    int32_t lowest_bone;
    // How far the part of the body within `near` of the ground reaches in each direction; -1e30: there is no such part.
    float reach[METER_DIRECTIONS];
    // Depths in metres; negative: not measured.
    float arm_poke, skirt_poke;
    int32_t arm_bone, skirt_bone;
} meter_skin_frame;

// `ground` and `near` are relative to the outputs' origin.
typedef struct meter_skin_look {
    const vrm_outputs *outputs;
    float ground, near;
    bool pokes;
} meter_skin_look;

void meter_skin_read(meter_skin *skin, const meter_skin_look *look, meter_skin_frame *out);

#endif
