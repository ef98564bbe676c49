// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "runtime/ragdoll/step_feet.h"

#include "runtime/ragdoll/step_soles.h"

// A heel begins to rise when the hip is ahead of the ankle by heel_from, and is fully up at heel_to; both in lengths of
// the leg. A foot whose heel is fully up has the pitch heel_pitch.
static const float heel_from = 0.25f, heel_to = 0.7f, heel_pitch = 45.0f * VRMI_PI / 180.0f;
static const float drop_stiffness = 250.0f, pitch_stiffness = 1200.0f;
// In lengths of the leg. The hips sink smoothly to keep each leg within the first reach, and at once to keep it within
// the second. The knee of a nearly straight leg rotates far for a short distance, so it would jump.
static const float bent = 0.96f, straight = 0.97f, rest_within = 0.15f;
static const float ready = 0.06f; // lengths of the leg by which the hips sink before a step

void vrmi_step_swing_axis(float *x, float *v, float *a, float target, float left)
{
    const float t = left, e = target - *x, h = vrmi_step_time;
    const float c3 = (10.0f * e - 6.0f * *v * t - 1.5f * *a * t * t) / (t * t * t);
    const float c4 = (-15.0f * e + 8.0f * *v * t + 1.5f * *a * t * t) / (t * t * t * t);
    const float c5 = (6.0f * e - 3.0f * *v * t - 0.5f * *a * t * t) / (t * t * t * t * t);
    const float x0 = *x, v0 = *v, a0 = *a;
    *x = x0 + h * (v0 + h * (0.5f * a0 + h * (c3 + h * (c4 + h * c5))));
    *v = v0 + h * (a0 + h * (3.0f * c3 + h * (4.0f * c4 + h * 5.0f * c5)));
    *a = a0 + h * (6.0f * c3 + h * (12.0f * c4 + h * 20.0f * c5));
}

// Returns the pitch of a foot: its heel rises when the hips are far ahead of it.
static float pitch_for(const vrmi_step_plan *plan, uint32_t foot)
{
    const vrmi_step_body *b = &plan->body;
    const vrmi_flat middle_at_rest = vrmi_flat_scale(vrmi_flat_add(b->sole[0], b->sole[1]), 0.5f);
    const vrmi_flat hip = vrmi_flat_add(vrmi_flat_add(middle_at_rest, b->hips[foot]), vrmi_step_hips(plan));
    const float ahead = vrmi_flat_dot(vrmi_flat_sub(hip, vrmi_step_ankle(plan, foot)), b->ahead[foot]) / b->leg;
    return heel_pitch * vrmi_step_smooth((ahead - heel_from) / (heel_to - heel_from));
}

// Computes the ankle of a foot with its heel up, from the ankle's position with a flat sole: farther ahead and higher.
static void raise_heel(const vrmi_step_plan *plan, uint32_t foot, vrmi_flat *ankle_at, float *up)
{
    const vrmi_step_body *b = &plan->body;
    const float from_ball = b->ball[foot], above = b->ankle - b->ball_height[foot];
    float sine, cosine;
    vrmi_sincos(plan->feet[foot].pitch, &sine, &cosine);
    *ankle_at = vrmi_flat_more(*ankle_at, b->ahead[foot], from_ball * (1.0f - cosine) + above * sine);
    *up = from_ball * sine - above * (1.0f - cosine);
}

// Returns the distance that the hips must be lowered for a foot to be within a fraction of the leg's length.
static float drop_for(
    const vrmi_step_plan *plan, uint32_t foot, vrmi_flat place, vrmi_flat hips, float height, float part)
{
    const vrmi_step_body *b = &plan->body;
    const vrmi_flat rest_middle = vrmi_flat_scale(vrmi_flat_add(b->sole[0], b->sole[1]), 0.5f),
                    hip = vrmi_flat_add(rest_middle, b->hips[foot]);
    vrmi_flat at = vrmi_flat_add(place, b->ankles[foot]);
    float up_by;
    raise_heel(plan, foot, &at, &up_by);
    const vrmi_flat way = vrmi_flat_sub(at, vrmi_flat_add(hips, hip));
    // A leg may be as straight as at rest if its foot is at its rest position relative to the hip.
    const vrmi_flat rest = vrmi_flat_sub(vrmi_flat_add(b->sole[foot], b->ankles[foot]), hip);
    const float rest_up = b->hip - b->ankle, still = vrmi_sqrt(vrmi_flat_dot(rest, rest) + rest_up * rest_up);
    const float away = vrmi_step_smooth(vrmi_flat_length(vrmi_flat_sub(way, rest)) / (rest_within * b->leg));
    const float wanted = part * b->leg, reach = wanted + vrmi_max(still - wanted, 0.0f) * (1.0f - away);
    const float up = vrmi_sqrt(vrmi_max(reach * reach - vrmi_flat_dot(way, way), 0.04f * reach * reach));
    return b->hip + vrmi_step_raised(plan, foot) - b->ankle - height - up_by - up;
}

// Returns the larger of the drops that the two feet need. With `foresee`, also considers the future position of the
// foot in the air.
static float drop_needed(const vrmi_step_plan *plan, float part, bool foresee)
{
    const vrmi_flat hips = vrmi_step_hips(plan);
    // Knees bend a little before a step, because a straight one would have to turn fast.
    float needed = foresee && plan->wait > 0.0f ? ready * plan->body.leg : 0.0f;
    for (uint32_t foot = 0; foot < 2; ++foot) {
        const vrmi_step_foot *f = &plan->feet[foot];
        needed = vrmi_max(needed, drop_for(plan, foot, f->place, hips, f->height, part));
        if (foresee && !vrmi_step_stands(plan, foot)) {
            const float ahead = 1.4f / vrmi_sqrt(drop_stiffness) * vrmi_step_time_scale(plan);
            const float soon = vrmi_step_smooth(1.3f * (plan->time + ahead) / plan->duration),
                        left = plan->duration - plan->time;
            const vrmi_flat then = vrmi_flat_more(hips, plan->drive, 0.7f * left);
            const float later = drop_for(plan, foot, plan->target, then, 0.0f, part);
            needed = vrmi_max(needed, later * soon);
        }
    }
    return needed;
}

void vrmi_step_move_hips(vrmi_step_plan *plan)
{
    const float ts = vrmi_step_time_scale(plan), k = drop_stiffness / (ts * ts);
    for (uint32_t foot = 0; foot < 2; ++foot) {
        vrmi_step_foot *f = &plan->feet[foot];
        const float wanted = pitch_for(plan, foot), q = pitch_stiffness / (ts * ts);
        f->pitch_rate += vrmi_step_time * (q * (wanted - f->pitch) - 2.0f * vrmi_sqrt(q) * f->pitch_rate);
        f->pitch += vrmi_step_time * f->pitch_rate;
    }
    const float least = drop_needed(plan, straight, false), before = plan->drop;
    plan->drop_rate +=
        vrmi_step_time * (k * (drop_needed(plan, bent, true) - plan->drop) - 2.0f * vrmi_sqrt(k) * plan->drop_rate);
    plan->drop += vrmi_step_time * plan->drop_rate;
    if (plan->drop < least) { // the legs cannot reach farther, so the hips sink at once
        plan->drop = least;
        plan->drop_rate = (least - before) / vrmi_step_time;
    }
    plan->hold = vrmi_clamp01(plan->hold + vrmi_step_time * (plan->phase == VRMI_STEP_DONE ? -3.0f : 10.0f) / ts);
    const float s = vrmi_step_outside(plan);
    const float out = plan->phase == VRMI_STEP_DONE ? 0.0f : vrmi_clamp01(s / (0.08f * plan->body.height) + 0.1f);
    const float rate = out > plan->spread ? 9.0f : 2.5f;
    plan->spread += (out - plan->spread) * (1.0f - vrmi_exp(-rate * vrmi_step_time / ts));
}
