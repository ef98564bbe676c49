// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef SCENES_MIXED_CROWD_H
#define SCENES_MIXED_CROWD_H

// A crowd in which half of the avatars are asleep. Of every twenty avatars, 4 are near and awake, 6 are far and awake,
// and 10 are asleep.

#include <vrm/lod.h>

vrm_lod scene_mixed_level(uint32_t index);
// Whether the avatar is small enough on the screen for a longer update interval.
bool scene_mixed_is_far(uint32_t index);
// Returns the phase of an avatar's update interval. In each of four frames, a quarter of the near and a quarter of the
// far avatars are due.
float scene_mixed_phase(uint32_t index);

#endif
