// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_LOD_H
#define VRMI_RUNTIME_LOD_H

// Which updates of an instance run: none of a sleeper's, and with an interval not every one.

#include <vrm/lod.h>

struct vrmi_cursor;

// What becomes of a frame: decided by its first half, asked by the second.
typedef enum vrmi_lod_frame {
    VRMI_LOD_UNDECIDED,
    VRMI_LOD_RUN,
    VRMI_LOD_GATHER, // the interval is not over
    VRMI_LOD_SLEEP
} vrmi_lod_frame;

// With the clock beside it one cache line: all that a sleeper's update touches.
typedef struct vrmi_lod {
    uint32_t level; // vrm_lod
    bool asleep;
    bool stirred;             // an input has changed since the last update that ran
    bool unchanged;           // no change bit is set any more
    bool scrolls;             // materials change with time alone
    bool blinks;              // asleep: a blink waits
    uint8_t frame;            // vrmi_lod_frame
    float still;              // seconds since anything changed
    uint32_t stages;          // of the last update that ran
    float interval;           // seconds; 0: none
    float wait;               // seconds until the next update that runs
    float gathered;           // seconds that have passed since the last one
    float made_up;            // how much more than its own dt the frame under way has to make up for
    vrm_update_params params; // of the frame's first half: as it ran, or would have
} vrmi_lod;

// Full, awake, no interval.
void vrmi_lod_init(vrm_instance *instance);
// Decides on the frame that begins; `params->dt` becomes the time that it has to make up for.
vrmi_lod_frame vrmi_lod_begin(vrm_instance *instance, vrm_update_params *params);
// Does it look as if the next frame of this length would run? For guesses alone.
static inline bool vrmi_lod_will_run(const vrmi_lod *lod, float dt)
{
    return !lod->asleep && (lod->interval == 0.0f || lod->wait <= dt);
}
// A sleeper wakes in the frame of `params`, which runs.
vrmi_lod_frame vrmi_lod_wake(vrm_instance *instance, vrm_update_params *params);
// After a frame that ran: is everything still, and for how long?
void vrmi_lod_settle(vrm_instance *instance, const vrm_update_params *params);
void vrmi_lod_snapshot(vrm_instance *instance, struct vrmi_cursor *cursor);

#endif
