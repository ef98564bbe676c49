// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MATH_BLINK_H
#define VRMI_MATH_BLINK_H

// When the eyes close by themselves, and how far.

#include <vrm/instance.h>

// Automatic blink. Times are whole nanoseconds, which do not drift: hours later the blinks still fall on the same
// moments at every frame rate.
typedef struct vrmi_blink {
    vrm_blink_params params;
    uint64_t random;            // state of the generator
    int64_t time;               // since the beginning of the blink that runs; below 0: until the next one
    uint32_t close, hold, open; // of that blink
    uint32_t closures;          // 2: a double blink
    uint32_t pending;           // there is one
    float value;                // 0 open to 1 closed
} vrmi_blink;

void vrmi_blink_init(vrmi_blink *blink);
// False when these are the parameters that it has.
bool vrmi_blink_set(vrmi_blink *blink, const vrm_blink_params *params);
void vrmi_blink_now(vrmi_blink *blink);
// Moves on by dt >= 0; true when `value` changed.
bool vrmi_blink_advance(vrmi_blink *blink, float dt);
// Lets dt pass while the eyes stay open. Returns false and changes nothing if the lids would move within dt.
bool vrmi_blink_wait(vrmi_blink *blink, float dt);

#endif
