// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Finds the markers that an update passed, from the clip's time before and after the update. They are computed only on
// request.

#include "base/checks.h"
#include "runtime/clip/clip.h"

// After an update of more rounds than this, only markers of the last rounds are returned.
enum { ROUNDS_MAX = 64 };

typedef struct passing {
    double from, to; // times before wrapping; from > to if the clip plays backwards
    bool with_first; // includes a marker at `from` itself
    uint32_t *out;
    uint32_t capacity, count;
} passing;

static void pass(passing *p, double time, uint32_t marker)
{
    const double low = p->from < p->to ? p->from : p->to, high = p->from < p->to ? p->to : p->from;
    if ((time > low && time < high) || time == p->to || (time == p->from && p->with_first)) {
        if (p->count < p->capacity) {
            p->out[p->count] = marker;
        }
        ++p->count;
    }
}

// Adds the markers of a round in the order of play. `start` is the time at which the round begins. A `mirrored` round
// plays from end to beginning.
static void pass_round(passing *p, const vrm_clip *clip, double start, bool mirrored)
{
    const double length = (double)clip->head.duration;
    const bool descending = (p->from > p->to) != mirrored;
    for (uint32_t i = 0; i < clip->marker_count; ++i) {
        const uint32_t marker = descending ? clip->marker_count - 1 - i : i;
        const double time = (double)clip->markers[marker].time;
        if (mirrored && (time <= 0.0 || time >= length)) {
            continue; // markers at the turning points belong to the neighbouring rounds
        }
        pass(p, start + (mirrored ? length - time : time), marker);
    }
}

uint32_t vrm_clip_player_get_markers(
    const vrm_clip_player *player, uint32_t layer, uint32_t *out_markers, uint32_t capacity)
{
    if (!VRM_ASSERT(player != NULL && (out_markers != NULL || capacity == 0)) || layer >= player->layer_count) {
        return 0;
    }
    const vrmi_clip_slot *slot = &player->layers[layer].now;
    if (slot->clip == NULL || slot->clip->marker_count == 0 || (slot->earlier == slot->time && !slot->began)) {
        return 0;
    }
    passing p = {slot->earlier, slot->time, slot->began, out_markers, capacity, 0};
    const double length = (double)slot->clip->head.duration;
    if (slot->wrap == VRM_CLIP_WRAP_HOLD || !(length > 0.0)) {
        pass_round(&p, slot->clip, 0.0, false);
        return p.count;
    }
    double rest;
    double first = vrmi_slot_rounds(p.from, length, &rest), last = vrmi_slot_rounds(p.to, length, &rest);
    const double step = p.from <= p.to ? 1.0 : -1.0;
    // A marker at the end of a round has the same time as the beginning of the next round, so both rounds are checked.
    first -= step;
    first = (last - first) * step > ROUNDS_MAX ? last - ROUNDS_MAX * step : first;
    for (double round = first; (last + step - round) * step >= 0.0; round += step) {
        const bool mirrored =
            slot->wrap == VRM_CLIP_WRAP_PING_PONG && vrmi_slot_rounds(round, 2.0, &rest) * 2.0 != round;
        pass_round(&p, slot->clip, round * length, mirrored);
    }
    return p.count;
}
