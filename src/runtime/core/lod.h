// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_LOD_H
#define VRMI_RUNTIME_LOD_H

// Decides which updates of an instance run: none while it sleeps, and with an interval not every one.

#include <vrm/lod.h>

struct vrmi_cursor;

// How a frame runs: decided in its first half, used in the second.
typedef enum vrmi_lod_frame {
    VRMI_LOD_UNDECIDED,
    VRMI_LOD_RUN,
    VRMI_LOD_GATHER, // the interval has not elapsed
    VRMI_LOD_SLEEP
} vrmi_lod_frame;

// One cache line together with the clock: all memory that a sleeping instance's update touches.
typedef struct vrmi_lod {
    uint32_t level; // vrm_lod
    bool asleep;
    bool stirred;             // an input has changed since the last update that ran
    bool unchanged;           // no change bit was set in the last frame
    bool scrolls;             // materials change with time
    bool blinks;              // asleep with a blink planned
    uint8_t frame;            // vrmi_lod_frame
    float still;              // seconds without any change
    uint32_t stages;          // stages of the last update that ran
    float interval;           // seconds; 0: none
    float wait;               // seconds until the next update that runs
    float gathered;           // seconds since the last update that ran
    float made_up;            // extra time that the current frame makes up for, beyond its own dt
    vrm_update_params params; // params of the frame's first half, run or not
} vrmi_lod;

// Full, awake, no interval.
void vrmi_lod_init(vrm_instance *instance);
// Decides how the new frame runs; `params->dt` becomes the total time that it covers.
vrmi_lod_frame vrmi_lod_begin(vrm_instance *instance, vrm_update_params *params);
// Whether the next frame of this length would probably run; only an estimate.
static inline bool vrmi_lod_will_run(const vrmi_lod *lod, float dt)
{
    return !lod->asleep && (lod->interval == 0.0f || lod->wait <= dt);
}
// Wakes the instance in the frame of `params`, which then runs.
vrmi_lod_frame vrmi_lod_wake(vrm_instance *instance, vrm_update_params *params);
// After a frame that ran: measures whether, and for how long, everything has been still.
void vrmi_lod_settle(vrm_instance *instance, const vrm_update_params *params);
void vrmi_lod_snapshot(vrm_instance *instance, struct vrmi_cursor *cursor);

#endif
