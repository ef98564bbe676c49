// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "motion_act.h"

#include "get_up.h"
#include "math/vec3.h"

static void hit(const scene_act *act, vrm_instance *instance)
{
    const int32_t body = scene_ragdoll_body_above(act->def, (int32_t)act->bone);
    if (body < 0) {
        return;
    }
    vrm_outputs outputs = {.struct_size = sizeof outputs};
    vrm_instance_get_outputs(instance, &outputs);
    const vrm_world *world = &outputs.world[act->def->bodies[body].node];
    const vrm_vec3 joint = {world->m[0][3], world->m[1][3], world->m[2][3]};
    const vrm_dvec3 point = vrmi_dvec3_add(outputs.origin, vrmi_dvec3_from(joint));
    (void)vrm_instance_hit_ragdoll(instance, body, &point, &act->impulse);
}

static void pin_hand(const scene_act *act, vrm_instance *instance)
{
    const vrm_ragdoll_weights limp = {0.0f, 0.0f, 1.0f}, pinned = {1.0f, 0.0f, 1.0f};
    const int32_t hand = scene_ragdoll_body_above(act->def, VRM_HUMAN_BONE_LEFT_HAND);
    (void)vrm_instance_set_ragdoll_weights(instance, VRM_RAGDOLL_GROUP_ALL, &limp, 0.0f);
    if (hand >= 0) {
        (void)vrm_instance_set_ragdoll_body_weights(instance, (uint32_t)hand, &pinned, 0.0f);
    }
}

static void limp_arm(vrm_instance *instance)
{
    const vrm_ragdoll_weights limp = {0.0f, 0.0f, 1.0f};
    (void)vrm_instance_set_ragdoll_motion(instance, VRM_RAGDOLL_GROUP_ALL, VRM_RAGDOLL_MOTION_KINEMATIC);
    (void)vrm_instance_set_ragdoll_motion(instance, VRM_RAGDOLL_GROUP_LEFT_ARM, VRM_RAGDOLL_MOTION_DYNAMIC);
    (void)vrm_instance_set_ragdoll_weights(instance, VRM_RAGDOLL_GROUP_LEFT_ARM, &limp, 0.0f);
}

static void happen(const scene_act *act, vrm_instance *instance)
{
    const vrm_dvec3 before_feet = {0.1, 0.2, 0.5};
    switch (act->event) {
    case SCENE_EVENT_HIT:
        hit(act, instance);
        break;
    case SCENE_EVENT_EXPLOSION:
        (void)vrm_instance_explode_ragdoll(instance, &before_feet, 160.0f, 3.0f);
        break;
    case SCENE_EVENT_DROP:
        (void)vrm_instance_drop_ragdoll(instance);
        break;
    case SCENE_EVENT_LIMP_ARM:
        limp_arm(instance);
        break;
    case SCENE_EVENT_PIN:
        pin_hand(act, instance);
        break;
    default:
        break;
    }
}

// The state of the act.
typedef struct staging {
    vrm_instance *instance;
    scene_ragdoll ragdoll;
    scene_get_up get_up;
    scene_stage_motion motion;
} staging;

static vrm_result play(const scene_act *act, staging *stage, scene_meter *meter)
{
    vrm_instance *instance = stage->instance;
    scene_ragdoll *scene = &stage->ragdoll;
    const uint32_t frames = (uint32_t)(act->duration * act->rate + 0.5) + 1;
    const bool ragdoll = act->event != SCENE_EVENT_NONE;
    vrm_update_params params;
    vrm_update_params_default(&params);
    (void)vrm_instance_settle_springs(instance, 2.0f);
    for (uint32_t frame = 0; frame < frames; ++frame) {
        const bool is_odd = act->uneven && frame % 2 == 1;
        const double length = (!act->uneven ? 1.0 : is_odd ? 0.4 : 1.6) / act->rate;
        const double time = ((double)frame - (is_odd ? 0.6 : 0.0)) / act->rate;
        params.dt = frame == 0 ? params.dt : (float)length; // the first frame is the start, before any time has passed
        if (ragdoll && scene_moment_comes(act->when, time, length)) {
            happen(act, instance);
        }
        if (ragdoll) {
            scene_get_up_frame(&stage->get_up, 0.0, (double)params.dt);
        }
        if (stage->get_up.clip == NULL) { // a figure that gets up stays where it is
            scene_stage_motion_apply(&stage->motion, instance, time);
        }
        if (ragdoll) {
            scene_ragdoll_frame(scene, &params);
        } else {
            vrm_update(instance, &params);
        }
        const scene_meter_bodies bodies = {scene->states, scene->origin, scene_meter_shown_bodies(instance)};
        if (!scene_meter_add(meter, instance, ragdoll && scene->stepped ? &bodies : NULL)) {
            return VRM_ERROR_OUT_OF_MEMORY;
        }
    }
    return VRM_SUCCESS;
}

vrm_result scene_act_run(const scene_act *act, scene_meter *meter)
{
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = act->avatar;
    def.ragdoll_bodies = act->def->body_count;
    staging stage = {0};
    vrm_result result = vrm_instance_create(&def, &stage.instance);
    if (result == VRM_SUCCESS) {
        result = act->clip != NULL ? scene_stage_motion_begin_clip(&stage.motion, act->clip, act->avatar)
                                   : scene_stage_motion_begin(&stage.motion, act->motion, act->avatar, act->def);
    }
    vrm_ragdoll_params settings;
    vrm_ragdoll_params_default(&settings);
    settings.drive = act->drive;
    settings.always = act->always;
    settings.steps = act->steps;
    settings.recovery = VRM_RAGDOLL_RECOVERY_MANUAL;
    settings.detect_fall = act->event != SCENE_EVENT_PIN;
    const scene_engine_params params = {.def = act->def};
    scene_engine engine;
    if (result == VRM_SUCCESS) {
        result = (act->engine != NULL ? act->engine : scene_light_engine)(&params, &engine);
    }
    if (result == VRM_SUCCESS) {
        result = scene_ragdoll_begin_with(&stage.ragdoll, stage.instance, act->def, &settings, &engine);
    }
    stage.ragdoll.fall.on = true;
    if (result == VRM_SUCCESS) {
        const scene_get_up_def get_up = {.instance = stage.instance, .gltf = act->gltf, .fall = &stage.ragdoll.fall};
        result = scene_get_up_begin(&stage.get_up, &get_up);
    }
    if (result == VRM_SUCCESS) {
        scene_ragdoll_ground(stage.instance, params.ground);
        result = play(act, &stage, meter);
    }
    scene_ragdoll_end(&stage.ragdoll);
    scene_stage_motion_end(&stage.motion);
    vrm_instance_destroy(stage.instance);
    scene_get_up_free(&stage.get_up);
    return result;
}

vrm_result scene_act_measure(const scene_act *act, const vrm_gltf *gltf, bool beside, scene_meter_report *out)
{
    const scene_meter_def def = {.avatar = act->avatar, .gltf = gltf, .def = act->def, .rate = act->rate};
    scene_meter_def plain = def;
    plain.gltf = NULL; // the vertices of the act without its event are not needed
    scene_act still = *act;
    still.event = SCENE_EVENT_NONE;
    scene_meter *meter = scene_meter_create(&def), *without = beside ? scene_meter_create(&plain) : NULL;
    vrm_result result = meter != NULL && (without != NULL || !beside) ? VRM_SUCCESS : VRM_ERROR_OUT_OF_MEMORY;
    result = result == VRM_SUCCESS ? scene_act_run(act, meter) : result;
    result = result == VRM_SUCCESS && beside ? scene_act_run(&still, without) : result;
    if (result == VRM_SUCCESS) {
        scene_meter_read(meter, &(scene_meter_question){.event = act->when, .reference = without}, out);
    }
    scene_meter_destroy(meter);
    scene_meter_destroy(without);
    return result;
}
