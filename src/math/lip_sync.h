// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MATH_LIP_SYNC_H
#define VRMI_MATH_LIP_SYNC_H

// What is heard as vowels, and the mouth that follows them.

#include <vrm/instance.h>

enum { VRMI_VOWEL_COUNT = 5 }; // aa, ih, ou, ee, oh: the order of the presets

typedef struct vrmi_lip_sync {
    vrm_lip_sync_params params;
    float heard[VRMI_VOWEL_COUNT];   // as the host said, before gain
    float target[VRMI_VOWEL_COUNT];  // two strongest, sum at most 1
    float current[VRMI_VOWEL_COUNT]; // on its way there
    float value[VRMI_VOWEL_COUNT];   // current with its sum limited to 1
    uint32_t active;                 // says something
    uint32_t closing;                // cleared: becomes inactive once the mouth is shut
} vrmi_lip_sync;

void vrmi_lip_sync_init(vrmi_lip_sync *lip);
// New parameters or newly heard vowels: chooses the target.
void vrmi_lip_sync_aim(vrmi_lip_sync *lip);
void vrmi_lip_sync_visemes(const float *visemes, float *out_vowels);
bool vrmi_lip_sync_advance(vrmi_lip_sync *lip, float dt);

#endif
