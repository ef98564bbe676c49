// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The support of a figure that moves on the ground without falling: is the mass centre above what touches the ground,
// and do feet rest on the ground or travel?

#include <math.h>

#include "meter_frames.h"

// Distances at a height of 1.6 m, metres; speeds in metres per second.
static const double near_support = 0.05, aloft = 0.04, slow = 0.25;

static bool hangs(const scene_meter *meter, uint32_t frame, int side)
{
    double lowest = 9.0, speed = 0.0;
    for (int i = 3 * side; i < 3 * side + 3; ++i) {
        const vrm_vec3 here = meter->frames[frame].soles[i], before = meter->frames[frame - 1].soles[i];
        const double height = (double)here.y + meter->origin.y - meter->def.ground;
        lowest = fmin(lowest, height);
        speed = fmax(speed, (double)vrmi_vec3_length(vrmi_vec3_sub(here, before)) * meter->def.rate);
    }
    const double size = (double)meter->size;
    return lowest > aloft * size && speed < slow * size;
}

scene_meter_support scene_meter_read_support(const scene_meter *meter, double from, double to)
{
    scene_meter_support out = {.frames = 0};
    const double rate = meter->def.rate, size = (double)meter->size;
    uint32_t outside = 0, run = 0, longest = 0, hanging[2] = {0, 0}, longest_hanging = 0;
    for (uint32_t i = 1; i < meter->count && meter->skin != NULL; ++i) {
        const double time = (double)i / rate;
        if (time < from || (to > 0.0 && time > to)) {
            continue;
        }
        const double away = (double)meter->frames[i].outside;
        const bool off = away > near_support * size;
        out.largest = away < 1e29 ? fmax(out.largest, 1000.0 * away) : out.largest;
        outside += off ? 1 : 0;
        run = off ? run + 1 : 0;
        longest = run > longest ? run : longest;
        for (int side = 0; side < 2; ++side) {
            hanging[side] = hangs(meter, i, side) ? hanging[side] + 1 : 0;
            longest_hanging = hanging[side] > longest_hanging ? hanging[side] : longest_hanging;
        }
        ++out.frames;
    }
    out.outside = out.frames > 0 ? (double)outside / out.frames : 0.0;
    out.longest = (double)longest / rate;
    out.hanging = (double)longest_hanging / rate;
    return out;
}
