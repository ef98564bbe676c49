// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "stagger/stagger_share.h"

#include "math/vec3.h"
#include "stagger/stagger_soles.h"

// A corner of a sole up to this height carries, metres.
static const float on_ground = 0.02f;

// Returns the way from the nearest point of the area of the soles on the ground to a point, in x and z. 0 within them.
static vrm_vec3 way_outside(const scene_stagger_share *share, const vrm_ragdoll_state *states, vrm_vec3 point)
{
    vrm_vec3 corners[2 * SCENE_SOLES_CORNERS], direction = {0.0f, 0.0f, 0.0f};
    uint32_t count = 0;
    for (uint32_t i = 0; i < share->def->body_count; ++i) {
        vrm_vec3 own[SCENE_SOLES_CORNERS];
        if (!scene_soles_has(&share->def->bodies[i])) {
            continue;
        }
        scene_soles_find(&share->def->bodies[i], &states[i], own);
        for (int k = 0; k < SCENE_SOLES_CORNERS; ++k) {
            if (own[k].y < on_ground) {
                corners[count++] = own[k];
            }
        }
    }
    const float far = count > 0 ? scene_soles_outside(corners, count, point, &direction) : 0.0f;
    return vrmi_vec3_scale(direction, vrmi_max(far, 0.0f));
}

static void step(void *self, const vrm_ragdoll_targets *targets, float dt, vrm_ragdoll_state *out_states)
{
    scene_stagger_share *share = self;
    float push_up = 0.0f;
    vrm_vec3 turn = {0.0f, 0.0f, 0.0f};
    const vrm_vec3 origin = vrmi_vec3_from(targets->origin);
    for (uint32_t i = 0; i < targets->impulse_count; ++i) {
        const vrm_ragdoll_impulse *blow = &targets->impulses[i];
        push_up += blow->impulse.y;
        turn = vrmi_vec3_add(turn, vrmi_vec3_cross(vrmi_vec3_add(origin, blow->point), blow->impulse));
    }
    share->engine.step(share->engine.self, targets, dt, out_states);
    vrm_ragdoll_energy energy = {.struct_size = sizeof energy};
    vrm_ragdoll_solver_get_energy(share->solver, &energy);
    const vrm_vec3 center = vrmi_vec3_from(energy.center_of_mass);
    const vrm_vec3 moment = vrmi_vec3_add(energy.angular_momentum, vrmi_vec3_cross(center, energy.momentum));
    if (share->known && dt > 0.0f) {
        // Impulses of this frame. Gravity pulls at the mass centre; the ground carries all of it and brakes its fall.
        const float weight = scene_def_mass(share->def) * 9.81f * dt,
                    ground = weight + energy.momentum.y - share->momentum.y - push_up;
        const vrm_vec3 change = vrmi_vec3_sub(vrmi_vec3_sub(moment, share->moment), turn);
        if (ground > 0.2f * weight) {
            const vrm_vec3 zero = {(change.z + center.x * weight) / ground - origin.x, 0.0f,
                (center.z * weight - change.x) / ground - origin.z};
            const vrm_vec3 out = way_outside(share, out_states, zero);
            share->taken = vrmi_vec3_add(share->taken, vrmi_vec3_scale(out, -ground));
        }
    }
    share->push = vrmi_vec3_add(share->push, vrmi_vec3(-turn.z, 0.0f, turn.x));
    share->momentum = energy.momentum;
    share->moment = moment;
    share->known = true;
}

static void end(void *self)
{
    scene_stagger_share *share = self;
    share->engine.end(share->engine.self);
}

void scene_stagger_share_begin(scene_stagger_share *share, scene_ragdoll *scene)
{
    *share = (scene_stagger_share){.engine = scene->engine, .solver = scene->solver, .def = scene->def};
    scene->engine = (scene_engine){share, step, end};
}

float scene_stagger_share_read(const scene_stagger_share *share)
{
    const float whole = vrmi_vec3_dot(share->push, share->push);
    return whole > 0.0f ? -vrmi_vec3_dot(share->taken, share->push) / whole : 0.0f;
}
