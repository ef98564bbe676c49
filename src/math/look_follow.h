// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MATH_LOOK_FOLLOW_H
#define VRMI_MATH_LOOK_FOLLOW_H

// How bones that look somewhere get there: with a highest speed and a highest acceleration, and near the end by an
// exponential. Bones are vectors of rotation (axis times angle) that count together: the sum of their lengths is at least
// what the last of them, the head, turns by.

#include <vrm/math.h>

#include <stdint.h>

typedef struct vrmi_look_follow {
    float rate;         // 1/s, of the exponential at the end
    float speed;        // radians per second, highest
    float acceleration; // radians per second squared, highest
} vrmi_look_follow;

// Goes on for dt. `way`: in: what is left, out: what was gone; `speed`: radians per second, kept between calls.
void vrmi_look_follow_step(const vrmi_look_follow *rule, vrm_vec3 *way, vrm_vec3 *speed, uint32_t count, float dt);

#endif
