// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MATH_LOOK_FOLLOW_H
#define VRMI_MATH_LOOK_FOLLOW_H

// Moves the bones of a look to their targets with limited speed and acceleration, and exponentially near the end. The
// rotation of each bone is a rotation vector (axis times angle). Speed and acceleration limit the sum of the vectors'
// lengths, which is at least the angle by which the last bone, the head, rotates.

#include <vrm/math.h>

#include <stdint.h>

typedef struct vrmi_look_follow {
    float rate;         // 1/s, of the exponential approach
    float speed;        // highest speed, radians per second
    float acceleration; // highest acceleration, radians per second squared
} vrmi_look_follow;

// Returns the highest speed from which the motion can still stop within the remaining rotation `way`.
float vrmi_look_follow_speed(const vrmi_look_follow *rule, float way);

// Advances by dt. `way` is each bone's remaining rotation on input and its rotation in this frame on output. `speed` is
// in radians per second and is kept between calls.
void vrmi_look_follow_step(const vrmi_look_follow *rule, vrm_vec3 *way, vrm_vec3 *speed, uint32_t count, float dt);

#endif
