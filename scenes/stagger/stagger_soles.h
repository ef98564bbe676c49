// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef SCENES_STAGGER_SOLES_H
#define SCENES_STAGGER_SOLES_H

// The corners of the boxes of feet, and the area that they enclose.

#include <vrm/vrm.h>

enum { SCENE_SOLES_CORNERS = 8 };

// Whether a body is a foot.
bool scene_soles_has(const vrm_ragdoll_body *body);
// Writes the corners of a foot's box, relative to the same origin as the state.
void scene_soles_find(const vrm_ragdoll_body *foot, const vrm_ragdoll_state *state, vrm_vec3 out[SCENE_SOLES_CORNERS]);
// Returns the horizontal distance of a point from the area that the corners enclose, negative inside, and the direction
// in which it is outside, or nearest to the edge.
float scene_soles_outside(const vrm_vec3 *corners, uint32_t count, vrm_vec3 point, vrm_vec3 *out_direction);

#endif
