// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef SCENES_CARRIED_HAIR_H
#define SCENES_CARRIED_HAIR_H

// Hair and skirts of a falling body, for the command, the viewer and the acts (fall_act.h).
//
// In each tick springs lose a fraction of their motion through the world. This damping is tuned for a body that stands
// or walks. A typical lock has a terminal velocity of about 0.4 m/s, so in a fall it would stand up like a spike, and a
// skirt would open like an umbrella. Real hair falls with its head. So hair is carried along by the component of the
// body's motion that exceeds a walk, as by a lift (vrm_instance_set_platform()), and feels only the remaining motion.
//
// Files give much hair more stiffness than gravity. On a body that lies, such hair would stand out as in the rest pose.
// So while the body is down, most of the stiffness acts as weight (vrm_spring_params.hanging).

#include <vrm/active_ragdoll.h>

// State of the host, to be kept with the instance's snapshot.
typedef struct scene_carried_hair {
    bool under_way;
    vrm_root platform; // the motion that carries hair
    float hanging;     // vrm_spring_params.hanging
} scene_carried_hair;

// Updates the instance's platform and its `hanging`. Call it after the engine's step and before vrm_update_secondary().
// `states` are those of all bodies of `def`, relative to `origin`. While the body neither falls nor takes recovery steps,
// the instance has no platform.
void scene_carried_hair_frame(scene_carried_hair *hair, vrm_instance *instance, const vrm_ragdoll_def *def,
    const vrm_dvec3 *origin, const vrm_ragdoll_state *states, float dt);

#endif
