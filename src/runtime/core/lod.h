// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_LOD_H
#define VRMI_RUNTIME_LOD_H

// Decides which updates of an instance run: no update while the instance sleeps, and not every update if it has an
// interval.

#include <vrm/lod.h>

struct vrmi_cursor;

// How a frame runs. Decided in the frame's first half, and used in its second half.
typedef enum vrmi_lod_frame {
    VRMI_LOD_UNDECIDED,
    VRMI_LOD_RUN,
    VRMI_LOD_GATHER, // the interval has not elapsed: only adds up dt
    VRMI_LOD_SLEEP
} vrmi_lod_frame;

// Together with the clock this is one cache line, and all memory that an update of a sleeping instance accesses.
typedef struct vrmi_lod {
    uint32_t level; // vrm_lod
    bool asleep;
    bool stirred;             // an input has changed since the last update that ran
    bool unchanged;           // no change bit was set in the last frame
    bool scrolls;             // some material changes with time
    bool blinks;              // the instance sleeps with a blink planned
    uint8_t frame;            // vrmi_lod_frame
    float still;              // seconds without any change
    uint32_t stages;          // stages of the last update that ran
    float interval;           // seconds; 0: no interval
    float wait;               // seconds until the next update that runs
    float gathered;           // seconds since the last update that ran
    float made_up;            // seconds that the current frame covers in addition to its own dt
    vrm_update_params params; // the params of the frame's first half, whether it ran or not
} vrmi_lod;

// Sets the level FULL, awake, without an interval.
void vrmi_lod_init(vrm_instance *instance);
// Decides how the new frame runs. Sets `params->dt` to the whole time that the frame covers.
vrmi_lod_frame vrmi_lod_begin(vrm_instance *instance, vrm_update_params *params);
// Whether the next frame of this length would probably run. This is only an estimate.
static inline bool vrmi_lod_will_run(const vrmi_lod *lod, float dt)
{
    return !lod->asleep && (lod->interval == 0.0f || lod->wait <= dt);
}
// Wakes the instance in the frame with these `params`, which then runs.
vrmi_lod_frame vrmi_lod_wake(vrm_instance *instance, vrm_update_params *params);
// Call after a frame that ran. Measures the time for which everything has been still.
void vrmi_lod_settle(vrm_instance *instance, const vrm_update_params *params);
void vrmi_lod_snapshot(vrm_instance *instance, struct vrmi_cursor *cursor);

#endif
