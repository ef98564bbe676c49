// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_SPRING_STATE_H
#define VRMI_RUNTIME_SPRING_STATE_H

// What the spring stage keeps between updates: per-joint state as arrays of the instance's block, the rest in one struct.

#include <vrm/update.h>

#include "runtime/snapshot.h"

// X(array, type, count), as VRMI_INSTANCE_ARRAYS.
#define VRMI_SPRING_ARRAYS(X) \
    X(spring_current, vrm_vec3, m->spring_joint.count)

typedef struct vrmi_spring_globals {
    vrm_spring_settings settings;
} vrmi_spring_globals;

// A fresh state: default settings, chain weights 1, no host colliders, the next update starts from rest. `instance` has its
// arrays. Also what vrm_instance_reset() calls.
void vrmi_spring_init(vrm_instance *instance);
// Inputs and state, nothing derived (see snapshot.h).
void vrmi_spring_snapshot(vrm_instance *instance, vrmi_cursor *cursor);

#endif
