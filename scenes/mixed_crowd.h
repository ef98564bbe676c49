// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef SCENES_MIXED_CROWD_H
#define SCENES_MIXED_CROWD_H

// A crowd at all levels of detail: 20 % full, 30 % rigid, 50 % asleep, in every twenty.

#include <vrm/lod.h>

vrm_lod scene_mixed_level(uint32_t index);
// Where an avatar of this crowd begins its update interval: of each level a quarter is due in each of four frames.
float scene_mixed_phase(uint32_t index);

#endif
