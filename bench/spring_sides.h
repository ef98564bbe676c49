// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef BENCH_SPRING_SIDES_H
#define BENCH_SPRING_SIDES_H

// The two sides of a spring benchmark: an instance of libvrm, and the plain program with the same joints.

#include <vrm/vrm.h>

#include "naive_springs.h"

typedef struct spring_sides {
    vrm_instance *instance;
    naive_springs naive;
} spring_sides;

// Creates both sides at rest. Returns false if memory runs out, or for springs that the plain program does not support.
bool spring_sides_make(spring_sides *out, const vrm_avatar *avatar);
void spring_sides_free(spring_sides *sides);
// Returns the parameters of a frame at 60 Hz.
vrm_update_params spring_sides_frame(uint32_t stages);
// Verifies that both sides have the same results. Returns the largest distance between shown tails during one second of
// motion from rest, metres.
double spring_sides_difference(const vrm_avatar *avatar);

#endif
