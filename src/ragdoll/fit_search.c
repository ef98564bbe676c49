// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The search by which shapes are fitted to vertices.

#include <string.h>

#include "ragdoll/build.h"

float vrmi_ragdoll_search(
    float numbers[VRMI_RAGDOLL_NUMBERS], uint32_t count, float size, vrmi_ragdoll_loss *loss, const void *self)
{
    float best = loss(self, numbers);
    for (float step = 0.25f * size; step > 0.004f * size; step *= 0.5f) {
        bool better = true;
        for (uint32_t round = 0; better && round < 12; ++round) {
            better = false;
            for (uint32_t i = 0; i < 2 * count; ++i) {
                float moved[VRMI_RAGDOLL_NUMBERS];
                memcpy(moved, numbers, count * sizeof *moved);
                moved[i / 2] += i % 2 == 0 ? step : -step;
                const float value = loss(self, moved);
                if (value < best) {
                    best = value;
                    memcpy(numbers, moved, count * sizeof *moved);
                    better = true;
                }
            }
        }
    }
    return best;
}
