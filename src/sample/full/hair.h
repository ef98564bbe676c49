// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_FULL_HAIR_H
#define VRMI_FULL_HAIR_H

#include "sample/full/full.h"

// A strand begins on the dome around the skull and lies on the dome. It may then leave the dome and hang down. Azimuths
// are degrees, 0 in front, 90 on the left, 180 behind; polar angles are degrees, 0 at the crown.
typedef struct vrmi_full_strand {
    vrmi_full_chain kind;
    float root_azimuth, root_polar;
    float azimuth, polar; // where the strand leaves the dome, or ends
    bool hangs;
    vrm_vec3 tip, tip_direction; // only for a hanging strand
    float sway;                  // amplitude of the hanging strand's sideways wave, metres
    float lift;                  // height above the dome, metres
    float width, thickness;      // half width and half thickness at the widest point, metres
    int rows;
    int springs; // number of springs in the strand's own chain; 0: the strand follows the nearest chain
} vrmi_full_strand;

#define VRMI_FULL_MOST_STRANDS 56

// Writes the strands of the style's cut, from back to front with the fringe last. Returns their number.
int vrmi_full_cut_hair(const vrmi_sample_style *style, vrmi_full_strand out[VRMI_FULL_MOST_STRANDS]);

vrm_vec3 vrmi_full_dome_direction(float azimuth, float polar);
vrm_vec3 vrmi_full_dome_point(vrm_vec3 direction, float lift);

#endif
