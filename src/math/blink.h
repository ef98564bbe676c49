// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MATH_BLINK_H
#define VRMI_MATH_BLINK_H

// Automatic blink: the times at which the eyes close, and how far they are closed.

#include <vrm/instance.h>

// Automatic blink. Times are whole nanoseconds, which do not drift: hours later the blinks still start at the same
// moments at every frame rate.
typedef struct vrmi_blink {
    vrm_blink_params params;
    uint64_t random;            // state of the random generator
    int64_t time;               // since the start of the blink; negative: until the planned blink starts
    uint32_t close, hold, open; // durations of the blink's phases
    uint32_t closures;          // 2 for a double blink
    uint32_t pending;           // 1: a blink is planned or running
    float value;                // 0 open to 1 closed
} vrmi_blink;

void vrmi_blink_init(vrmi_blink *blink);
// Sets the parameters. Returns false if these parameters are already set.
bool vrmi_blink_set(vrmi_blink *blink, const vrm_blink_params *params);
void vrmi_blink_now(vrmi_blink *blink);
// Advances by dt >= 0. Returns true if `value` changed.
bool vrmi_blink_advance(vrmi_blink *blink, float dt);
// Advances by dt while the eyes stay open. Returns false and changes nothing if the eyelids would move within dt.
bool vrmi_blink_wait(vrmi_blink *blink, float dt);

#endif
