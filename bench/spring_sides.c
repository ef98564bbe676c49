// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "spring_sides.h"

#include <math.h>

#include "procedural_motion.h"

vrm_update_params spring_sides_frame(uint32_t stages)
{
    vrm_update_params params;
    vrm_update_params_default(&params);
    params.dt = 1.0f / 60.0f;
    params.stages = stages;
    return params;
}

bool spring_sides_make(spring_sides *out, const vrm_avatar *avatar)
{
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = avatar;
    *out = (spring_sides){NULL};
    if (vrm_instance_create(&def, &out->instance) != VRM_SUCCESS || !naive_springs_make(&out->naive, avatar)) {
        return false;
    }
    vrm_outputs outputs = {.struct_size = sizeof outputs};
    vrm_update_dt(out->instance, 0.0f);
    vrm_instance_get_outputs(out->instance, &outputs);
    naive_springs_place(&out->naive, &outputs);
    naive_springs_rest(&out->naive);
    return true;
}

void spring_sides_free(spring_sides *sides)
{
    naive_springs_free(&sides->naive);
    vrm_instance_destroy(sides->instance);
    *sides = (spring_sides){NULL};
}

double spring_sides_difference(const vrm_avatar *avatar)
{
    spring_sides sides;
    double most = spring_sides_make(&sides, avatar) ? 0.0 : (double)NAN;
    vrm_update_params params = spring_sides_frame(VRM_STAGE_ALL);
    params.spring_time = VRM_SPRING_TIME_REFERENCE;
    for (int frame = 1; frame <= 60 && most >= 0.0; ++frame) {
        vrm_outputs outputs = {.struct_size = sizeof outputs};
        scene_motion_apply(sides.instance, SCENE_MOTION_SWAY, frame / 60.0);
        vrm_update(sides.instance, &params);
        vrm_instance_get_outputs(sides.instance, &outputs);
        // The world matrices of the nodes above are copied from the instance. The program computes those of joints
        // itself.
        naive_springs_place(&sides.naive, &outputs);
        naive_springs_step(&sides.naive, params.dt);
        most = fmax(most, naive_springs_difference(&sides.naive, &outputs));
    }
    spring_sides_free(&sides);
    return most;
}
