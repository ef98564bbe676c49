// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "stagger/stagger_body.h"

#include <vrm/active_ragdoll.h>
#include <vrm/output.h>
#include <vrm/update.h>

#include <math.h>

#include "math/quat.h"
#include "meter_skin.h"
#include "ragdoll_scene.h"
#include "stage_motion.h"

static double between(vrm_vec3 a, vrm_vec3 b)
{
    return (double)vrmi_vec3_length(vrmi_vec3_sub(a, b));
}

static void measure_mass(const vrm_ragdoll_def *def, const vrm_ragdoll_state *states, scene_stagger_body *out)
{
    double mass = 0.0, moment = 0.0;
    for (uint32_t i = 0; i < def->body_count; ++i) {
        const double height = (double)(states[i].position.y + def->bodies[i].center_of_mass.y);
        mass += (double)def->bodies[i].mass;
        moment += (double)def->bodies[i].mass * height;
        out->push = i == 0 || def->bodies[i].bone == VRM_HUMAN_BONE_CHEST ? height : out->push;
    }
    out->height = (double)def->height;
    out->center = moment / mass;
}

// The left sole as a rectangle, from the foot's shape.
static void take_shape(const vrm_ragdoll_body *foot, vrm_vec3 ankle, vrm_vec3 *least, vrm_vec3 *most)
{
    const vrm_vec3 h = foot->shape.half_extents, middle = vrmi_vec3_add(ankle, foot->shape.center);
    *least = vrmi_vec3_sub(middle, h);
    *most = vrmi_vec3_add(middle, h);
}

vrm_result scene_stagger_measure(
    const vrm_avatar *avatar, const vrm_gltf *gltf, const vrm_ragdoll_def *def, scene_stagger_body *out)
{
    *out = (scene_stagger_body){.height = 0.0};
    const int32_t thigh = scene_ragdoll_body(def, VRM_HUMAN_BONE_LEFT_UPPER_LEG),
                  shank = scene_ragdoll_body(def, VRM_HUMAN_BONE_LEFT_LOWER_LEG),
                  foot = scene_ragdoll_body(def, VRM_HUMAN_BONE_LEFT_FOOT);
    if (thigh < 0 || shank < 0 || foot < 0) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    vrm_ragdoll_state states[VRM_RAGDOLL_MAX_BODIES];
    vrm_ragdoll_get_rest_states(def, avatar, states);
    measure_mass(def, states, out);
    vrm_ragdoll_params settings;
    vrm_ragdoll_params_default(&settings);
    out->duration = (double)settings.hit_time;
    const vrm_vec3 ankle = states[foot].position;
    out->leg = between(states[thigh].position, states[shank].position) + between(states[shank].position, ankle);
    out->hips = 2.0 * fabs((double)states[thigh].position.x); // the figure is symmetric
    vrm_vec3 least, most;
    take_shape(&def->bodies[foot], ankle, &least, &most);
    meter_skin *skin = gltf != NULL ? meter_skin_create(avatar, gltf) : NULL;
    if (gltf != NULL && skin == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    if (skin != NULL) {
        (void)meter_skin_find_footprint(skin, VRM_HUMAN_BONE_LEFT_FOOT, &least, &most);
    }
    meter_skin_destroy(skin);
    out->half_width = 0.5 * (double)(most.x - least.x);
    out->half_length = 0.5 * (double)(most.z - least.z);
    out->apart = fabs((double)(most.x + least.x));
    out->behind = fabs(0.5 * (double)(most.z + least.z) - (double)ankle.z);
    return VRM_SUCCESS;
}

vrm_result scene_stagger_measure_gait(
    const vrm_avatar *avatar, const vrm_ragdoll_def *def, float speed, scene_stagger_gait *out)
{
    *out = (scene_stagger_gait){.time = 0.0};
    vrm_instance_def instance_def;
    vrm_instance_def_default(&instance_def);
    instance_def.avatar = avatar;
    vrm_instance *instance = NULL;
    scene_stage_motion motion = {.plain = SCENE_MOTION_NONE};
    vrm_result result = vrm_instance_create(&instance_def, &instance);
    if (result == VRM_SUCCESS) {
        result = scene_stage_motion_begin_at(&motion, "walk-ahead", avatar, def, speed);
    }
    if (result == VRM_SUCCESS) {
        vrm_update_params params;
        vrm_update_params_default(&params);
        scene_stage_motion_apply(&motion, instance, 0.0); // the left foot touches down
        vrm_update(instance, &params);
        vrm_outputs outputs = {.struct_size = sizeof outputs};
        vrm_instance_get_outputs(instance, &outputs);
        const vrm_world *left = &outputs.world[vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_LEFT_FOOT)],
                        *right = &outputs.world[vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_RIGHT_FOOT)];
        out->width = fabs((double)(left->m[0][3] - right->m[0][3]));
        out->time = 0.5 * (double)motion.duration;
        out->length = (double)speed * out->time;
    }
    scene_stage_motion_end(&motion);
    vrm_instance_destroy(instance);
    return result;
}
