// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Hits push for a while, as real ones do: the force is half a sine wave over `hit_time`. A whole impulse in a single
// step would rotate a spine by 17 degrees in one frame, which looks like a cut in a film.

#include "runtime/core/instance.h"
#include "runtime/ragdoll/ragdoll.h"

bool vrmi_ragdoll_blow_add(vrm_instance *instance, const vrmi_ragdoll_blow *blow, vrm_vec3 at)
{
    vrmi_ragdoll *ragdoll = &instance->ragdoll;
    if (ragdoll->blow_count >= 2 * instance->def.ragdoll_bodies) {
        return false;
    }
    vrm_vec3 position;
    vrm_quat rotation;
    vrmi_ragdoll_get_place(instance, blow->body, &position, &rotation);
    vrmi_ragdoll_blow *own = &instance->ragdoll_blows[ragdoll->blow_count++];
    *own = *blow;
    own->arm = vrmi_quat_rotate(vrmi_quat_conjugate(rotation), vrmi_vec3_sub(at, position));
    return true;
}

// Writes the fraction of its strength that each body loses by a hit: `loss` at the body that is hit, and `spread` times
// less with every joint between.
static void spread_loss(const vrm_instance *instance, uint32_t hit, float loss, float *out)
{
    const float spread = instance->ragdoll.settings.hit_spread;
    const vrm_ragdoll_body *bodies = instance->ragdoll_bodies;
    uint64_t above = 0; // the hit body and its ancestors
    for (int32_t i = (int32_t)hit; i >= 0; i = bodies[i].parent) {
        above |= (uint64_t)1 << i;
        out[i] = loss;
        loss *= spread;
    }
    for (uint32_t i = 0; i < instance->ragdoll.body_count; ++i) { // a parent precedes its children
        if ((above >> i & 1u) == 0) {
            out[i] = out[bodies[i].parent] * spread;
        }
    }
}

// Reduces the strength of all bodies by a fraction of the hit's loss, less for bodies farther away. With a loss above
// 1, farther bodies can also lose all strength: a hard hit on the chest also takes the strength of the hips, even
// before the whole impulse has acted. The factors of successive frames multiply to the whole loss.
static void take_strength(vrm_instance *instance, const vrmi_ragdoll_blow *blow, float next)
{
    const vrmi_ragdoll *ragdoll = &instance->ragdoll;
    float left[VRM_RAGDOLL_MAX_BODIES];
    spread_loss(instance, blow->body, blow->loss, left);
    for (uint32_t i = 0; i < ragdoll->body_count; ++i) {
        const float before = 1.0f - left[i] * blow->done, after = vrmi_max(1.0f - left[i] * next, 0.0f);
        instance->ragdoll_rows[i].strength_scale *= before > 0.0f ? after / before : 0.0f;
    }
}

// Returns the fraction of a push that has acted after `elapsed` of `whole` seconds.
static float share_after(float elapsed, float whole)
{
    if (elapsed >= whole) {
        return 1.0f;
    }
    float sine, cosine;
    vrmi_sincos(VRMI_PI * elapsed / whole, &sine, &cosine);
    return 0.5f * (1.0f - cosine);
}

void vrmi_ragdoll_blow_advance(vrm_instance *instance, float dt)
{
    vrmi_ragdoll *ragdoll = &instance->ragdoll;
    uint32_t left = 0;
    ragdoll->impulse_count = 0;
    for (uint32_t i = 0; i < ragdoll->blow_count; ++i) {
        vrmi_ragdoll_blow blow = instance->ragdoll_blows[i];
        blow.elapsed += dt;
        const float next = vrmi_max(share_after(blow.elapsed, ragdoll->settings.hit_time), blow.done);
        if (next > blow.done) {
            vrm_vec3 position;
            vrm_quat rotation;
            vrmi_ragdoll_get_place(instance, blow.body, &position, &rotation);
            instance->ragdoll_impulses[ragdoll->impulse_count++] = (vrm_ragdoll_impulse){.body = blow.body,
                .point = vrmi_vec3_add(position, vrmi_quat_rotate(rotation, blow.arm)),
                .impulse = vrmi_vec3_scale(blow.impulse, next - blow.done)};
            take_strength(instance, &blow, next);
            blow.done = next;
        }
        if (blow.done < 1.0f) {
            instance->ragdoll_blows[left++] = blow;
        }
    }
    ragdoll->blow_count = left;
}
