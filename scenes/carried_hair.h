// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef SCENES_CARRIED_HAIR_H
#define SCENES_CARRIED_HAIR_H

// Hair and skirts of a falling body, in command, viewer and acts.
//
// Springs lose a fraction of their motion through the world in each tick. That is tuned for a body that stands or
// walks: a common lock has a terminal velocity of about 0.4 m/s, so in a fall it stands up like a spike and a skirt
// opens like an umbrella. Real hair falls with its head. So the part of the whole body's motion that exceeds a walk
// carries hair along, as a lift would (vrm_instance_set_platform()), and hair feels only the rest.

#include <vrm/active_ragdoll.h>

// The host keeps it with the instance's snapshot, as other state of its own.
typedef struct scene_carried_hair {
    bool under_way;
    vrm_root platform; // the motion that carries hair
} scene_carried_hair;

// After the engine's step, before vrm_update_secondary(). `states` of all bodies of `def`, relative to `origin`. While the body
// does not fall, the instance has no platform.
void scene_carried_hair_frame(scene_carried_hair *hair, vrm_instance *instance, const vrm_ragdoll_def *def,
    const vrm_dvec3 *origin, const vrm_ragdoll_state *states, float dt);

#endif
