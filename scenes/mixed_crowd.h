// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef SCENES_MIXED_CROWD_H
#define SCENES_MIXED_CROWD_H

// A crowd of which half sleeps; of every twenty, 4 are near and awake, 6 far and awake, 10 asleep.

#include <vrm/lod.h>

vrm_lod scene_mixed_level(uint32_t index);
// Whether it is small enough on the screen for a longer update interval.
bool scene_mixed_is_far(uint32_t index);
// Where an avatar of this crowd begins its update interval: of near and far a quarter each is due in each of four frames.
float scene_mixed_phase(uint32_t index);

#endif
