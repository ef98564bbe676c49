// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MATH_LOOK_FOLLOW_H
#define VRMI_MATH_LOOK_FOLLOW_H

// Moves the bones of a look to their targets: with a highest speed and a highest acceleration, and near the end
// exponentially. Each bone is a rotation vector (axis times angle). The sum of their lengths is limited, which is at
// least the angle that the last bone, the head, turns by.

#include <vrm/math.h>

#include <stdint.h>

typedef struct vrmi_look_follow {
    float rate;         // 1/s, of the exponential at the end
    float speed;        // radians per second, highest
    float acceleration; // radians per second squared, highest
} vrmi_look_follow;

// Advances by dt. `way`: in: the remaining rotation, out: the rotation of this frame; `speed`: radians per second, kept
// between calls.
void vrmi_look_follow_step(const vrmi_look_follow *rule, vrm_vec3 *way, vrm_vec3 *speed, uint32_t count, float dt);

#endif
