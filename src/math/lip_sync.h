// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MATH_LIP_SYNC_H
#define VRMI_MATH_LIP_SYNC_H

// Converts lip-sync input to vowels, and moves the mouth towards them.

#include <vrm/instance.h>

enum { VRMI_VOWEL_COUNT = 5 }; // aa, ih, ou, ee, oh: the order of the presets

typedef struct vrmi_lip_sync {
    vrm_lip_sync_params params;
    float heard[VRMI_VOWEL_COUNT];   // the host's input, before gain
    float target[VRMI_VOWEL_COUNT];  // the two strongest, sum at most 1
    float current[VRMI_VOWEL_COUNT]; // moving towards the target
    float value[VRMI_VOWEL_COUNT];   // `current` with its sum limited to 1
    uint32_t active;                 // 1: there is input
    uint32_t closing;                // 1: input was cleared; inactive after the mouth has closed
} vrmi_lip_sync;

void vrmi_lip_sync_init(vrmi_lip_sync *lip);
// Chooses the target again, after the parameters or the heard vowels have changed.
void vrmi_lip_sync_aim(vrmi_lip_sync *lip);
void vrmi_lip_sync_visemes(const float *visemes, float *out_vowels);
bool vrmi_lip_sync_advance(vrmi_lip_sync *lip, float dt);

#endif
