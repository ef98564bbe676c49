// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_SPRING_STATE_H
#define VRMI_RUNTIME_SPRING_STATE_H

// What the spring stage keeps between updates: per-joint state as arrays of the instance's block, the rest in one struct.

#include <vrm/instance.h>

// X(array, type, count), as VRMI_INSTANCE_ARRAYS.
#define VRMI_SPRING_ARRAYS(X) \
    X(spring_current, vrm_vec3, m->spring_joint.count)

typedef struct vrmi_spring_globals {
    vrm_spring_settings settings;
} vrmi_spring_globals;

#endif
