// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_FULL_HAIR_H
#define VRMI_FULL_HAIR_H

#include "sample/full/full.h"

// A strand begins on the dome around the skull, lies on it, and may then leave it and hang down. Azimuths are degrees,
// 0 in front, 90 on the left, 180 behind; polar angles are 0 at the crown.
typedef struct vrmi_full_strand {
    vrmi_full_chain kind;
    float root_azimuth, root_polar;
    float azimuth, polar; // where it leaves the dome, or ends
    bool hangs;
    vrm_vec3 tip, tip_direction; // for a hanging strand
    float sway;                  // metres of its sideways wave on the way down
    float lift;                  // height above the dome, metres
    float width, thickness;      // half, at the widest point
    int rows;
    int springs; // springs of its own chain; 0: follows the nearest chain
} vrmi_full_strand;

#define VRMI_FULL_MOST_STRANDS 56

// The strands of the style's cut, from back to front, with the fringe last; returns their number.
int vrmi_full_cut_hair(const vrmi_sample_style *style, vrmi_full_strand out[VRMI_FULL_MOST_STRANDS]);

vrm_vec3 vrmi_full_dome_direction(float azimuth, float polar);
vrm_vec3 vrmi_full_dome_point(vrm_vec3 direction, float lift);

#endif
