// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef TESTS_LOD_SCENES_H
#define TESTS_LOD_SCENES_H

// Motion that hair feels, by formulas of the time.

#include <math.h>

#include "procedural_motion.h"
#include "test.h"

typedef enum scene { WALK, THROW, TURN, SCENES } scene;
static const char *const scene_names[SCENES] = {"walk", "throw", "turn"};

static inline double smooth(double t)
{
    const double x = t < 0 ? 0 : (t > 1 ? 1 : t);
    return x * x * (3 - 2 * x);
}

// Six seconds: walking on the spot; thrown 2 m aside in 0.6 s and back; turned by 180 degrees in 0.6 s and back.
static inline void perform(vrm_instance *instance, scene what, double t)
{
    scene_motion_apply(instance, what == WALK ? SCENE_MOTION_WALK : SCENE_MOTION_IDLE, t);
    const double there = smooth((t - 1.0) / 0.6) - smooth((t - 3.5) / 0.6), angle = there * 3.14159265358979;
    vrm_root root = {{what == THROW ? 2.0 * there : 0.0, 0.0, 0.0}, {0, 0, 0, 1}, 1.0f};
    if (what == TURN) {
        root.rotation = (vrm_quat){0, (float)sin(angle / 2), 0, (float)cos(angle / 2)};
    }
    CHECK_INT(vrm_instance_set_root(instance, &root), VRM_SUCCESS);
}

#endif
