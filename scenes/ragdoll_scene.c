// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "ragdoll_scene.h"

#include <math.h>

#include "math/quat.h"
#include "procedural_motion.h"

// --- engines -------------------------------------------------------------------------------------------------------

static void step_light(void *self, const vrm_ragdoll_targets *targets, float dt, vrm_ragdoll_state *out_states)
{
    vrm_ragdoll_solver_step(self, targets, dt);
    vrm_ragdoll_solver_get_states(self, &targets->origin, out_states, targets->body_count);
}

static void end_light(void *self)
{
    vrm_ragdoll_solver_destroy(self);
}

static vrm_result make_light(const vrm_ragdoll_solver_def *params, scene_engine *out)
{
    vrm_ragdoll_solver *solver = NULL;
    const vrm_result result = vrm_ragdoll_solver_create(params, &solver);
    *out = (scene_engine){solver, step_light, end_light};
    return result;
}

vrm_result scene_light_engine(const scene_engine_params *params, scene_engine *out)
{
    vrm_ragdoll_solver_def solver;
    vrm_ragdoll_solver_def_default(&solver);
    solver.def = params->def;
    solver.ground_height = params->ground;
    solver.allocator = params->allocator;
    return make_light(&solver, out);
}

// --- scene ---------------------------------------------------------------------------------------------------------

vrm_result scene_ragdoll_begin_with(scene_ragdoll *scene, vrm_instance *instance, const vrm_ragdoll_def *def,
    const vrm_ragdoll_params *settings, const scene_engine *engine)
{
    *scene = (scene_ragdoll){.instance = instance, .def = def, .engine = *engine};
    return vrm_instance_set_ragdoll(instance, def, settings);
}

vrm_result scene_ragdoll_begin(scene_ragdoll *scene, vrm_instance *instance, const vrm_ragdoll_def *def,
    const vrm_ragdoll_params *settings, const vrm_ragdoll_solver_def *params)
{
    vrm_ragdoll_solver_def chosen;
    scene_engine engine;
    vrm_ragdoll_solver_def_default(&chosen);
    if (params != NULL) {
        chosen = *params;
    }
    chosen.def = def;
    *scene = (scene_ragdoll){.instance = instance};
    vrm_result result = make_light(&chosen, &engine);
    if (result == VRM_SUCCESS) {
        result = scene_ragdoll_begin_with(
            scene, instance, vrm_ragdoll_solver_get_ragdoll_def(engine.self), settings, &engine);
        scene->solver = engine.self;
    }
    if (result == VRM_SUCCESS && chosen.ground) {
        scene_ragdoll_ground(instance, chosen.ground_height);
    }
    return result;
}

void scene_ragdoll_ground(vrm_instance *instance, double height)
{
    vrm_spring_params springs = {.struct_size = sizeof springs};
    vrm_instance_get_spring_params(instance, &springs);
    springs.ground = true;
    springs.ground_height = height;
    (void)vrm_instance_set_spring_params(instance, &springs);
}

void scene_ragdoll_end(scene_ragdoll *scene)
{
    if (scene->engine.self != NULL) {
        scene->engine.end(scene->engine.self);
    }
    scene->engine.self = scene->solver = NULL;
}

void scene_ragdoll_frame(scene_ragdoll *scene, const vrm_update_params *params)
{
    vrm_update_pose(scene->instance, params);
    if (!scene->keeps_root) {
        (void)vrm_instance_take_requested_root(scene->instance);
    }
    vrm_ragdoll_targets targets = {.struct_size = sizeof targets};
    scene->stepped = vrm_instance_get_ragdoll_targets(scene->instance, &targets) == VRM_SUCCESS && targets.active;
    if (scene->stepped) {
        vrm_fall_params fall;
        vrm_fall_params_default(&fall);
        fall.def = scene->def;
        fall.states = scene->states;
        fall.dt = params->dt;
        scene_fall_frame(&scene->fall, scene->instance, &fall, &scene->origin, &targets);
        scene->origin = targets.origin;
        scene->engine.step(scene->engine.self, &targets, params->dt, scene->states);
        (void)vrm_instance_set_ragdoll_states(scene->instance, &targets.origin, scene->states, targets.body_count);
    }
    scene_carried_hair_frame(
        &scene->hair, scene->instance, scene->def, &targets.origin, scene->stepped ? scene->states : NULL, params->dt);
    vrm_update_secondary(scene->instance, params);
}

// --- stories -------------------------------------------------------------------------------------------------------

bool scene_moment_comes(double moment, double time, double dt)
{
    return moment < time - 1e-9 && moment >= time - dt - 1e-9;
}

int32_t scene_ragdoll_body(const vrm_ragdoll_def *def, vrm_human_bone bone)
{
    for (uint32_t i = 0; i < def->body_count; ++i) {
        if (def->bodies[i].bone == bone) {
            return (int32_t)i;
        }
    }
    return -1;
}

int32_t scene_ragdoll_body_above(const vrm_ragdoll_def *def, int32_t bone)
{
    int32_t body = -1;
    for (; body < 0 && bone >= 0; bone = vrm_human_bone_parent((vrm_human_bone)bone)) {
        body = scene_ragdoll_body(def, (vrm_human_bone)bone);
    }
    return body;
}

double scene_ragdoll_bottom(const vrm_ragdoll_shape *shape, vrm_quat rotation)
{
    const double middle = (double)vrmi_quat_rotate(rotation, shape->center).y;
    const vrm_quat turn = vrmi_quat_mul(rotation, shape->rotation);
    const double x = fabs((double)vrmi_quat_rotate(turn, vrmi_vec3(1.0f, 0.0f, 0.0f)).y);
    const double y = fabs((double)vrmi_quat_rotate(turn, vrmi_vec3(0.0f, 1.0f, 0.0f)).y);
    const double z = fabs((double)vrmi_quat_rotate(turn, vrmi_vec3(0.0f, 0.0f, 1.0f)).y);
    const vrm_vec3 e = shape->half_extents;
    return shape->type == VRM_RAGDOLL_SHAPE_CAPSULE ? middle - y * (double)shape->half_length - (double)shape->radius
                                                    : middle - x * (double)e.x - y * (double)e.y - z * (double)e.z;
}

double scene_ragdoll_beyond_limit(const vrm_ragdoll_joint *joint, vrm_quat parent, vrm_quat child)
{
    float angles[3];
    vrm_ragdoll_get_joint_angles(joint, parent, child, angles);
    const double turn = fmax((double)(angles[0] - joint->max_angle), (double)(joint->min_angle - angles[0]));
    double beyond = fmax(turn, 0.0);
    if (joint->type == VRM_RAGDOLL_JOINT_CONE) {
        const double y = (double)(angles[1] - joint->center_y), z = (double)(angles[2] - joint->center_z);
        const double level =
            sqrt(y * y / (double)(joint->swing_y * joint->swing_y) + z * z / (double)(joint->swing_z * joint->swing_z));
        beyond = fmax(beyond, level > 1.0 ? sqrt(y * y + z * z) * (1.0 - 1.0 / level) : 0.0);
    }
    return beyond * 57.29577951308232;
}

float scene_def_mass(const vrm_ragdoll_def *def)
{
    float mass = 0.0f;
    for (uint32_t i = 0; i < def->body_count; ++i) {
        mass += def->bodies[i].mass;
    }
    return mass;
}

// Hits a bone with an impulse in the root's axes: `speed`, m/s, times the mass of the whole figure.
static void hit(scene_ragdoll *scene, vrm_human_bone bone, vrm_vec3 speed)
{
    const vrm_ragdoll_def *def = scene->def;
    const float mass = scene_def_mass(def);
    int32_t body = -1;
    for (uint32_t i = 0; i < def->body_count; ++i) {
        body = def->bodies[i].bone == bone ? (int32_t)i : body;
    }
    const int32_t node = vrm_avatar_get_bone_node(vrm_instance_get_avatar(scene->instance), bone);
    if (node < 0) {
        return;
    }
    vrm_outputs outputs = {.struct_size = sizeof outputs};
    vrm_instance_get_outputs(scene->instance, &outputs);
    const vrm_world *world = &outputs.world[node];
    const vrm_dvec3 point = {outputs.origin.x + (double)world->m[0][3],
        outputs.origin.y + (double)world->m[1][3] + 0.05, outputs.origin.z + (double)world->m[2][3]};
    const vrm_vec3 impulse = vrmi_vec3_scale(speed, mass);
    (void)vrm_instance_hit_ragdoll(scene->instance, body, &point, &impulse);
}

void scene_ragdoll_tell(scene_ragdoll *scene, scene_ragdoll_story story, double time, double dt)
{
    switch (story) {
    case SCENE_RAGDOLL_STAND_AND_BE_HIT:
        scene_motion_apply(scene->instance, SCENE_MOTION_IDLE, time);
        if (scene_moment_comes(1.0, time, dt)) {
            hit(scene, VRM_HUMAN_BONE_CHEST, vrmi_vec3(0.0f, 0.0f, -0.6f));
        } else if (scene_moment_comes(3.0, time, dt)) {
            hit(scene, VRM_HUMAN_BONE_HEAD, vrmi_vec3(0.25f, 0.0f, 0.0f));
        }
        break;
    case SCENE_RAGDOLL_WALK_AND_BE_PUSHED:
        scene_motion_apply(scene->instance, SCENE_MOTION_WALK, time);
        for (int second = (int)(time - dt); second > 0 && second <= (int)time; ++second) {
            if (scene_moment_comes((double)second, time, dt)) {
                hit(scene, VRM_HUMAN_BONE_CHEST, vrmi_vec3(second % 2 == 0 ? 0.4f : -0.4f, 0.0f, 0.0f));
            }
        }
        break;
    case SCENE_RAGDOLL_EXPLOSION:
        scene_motion_apply(scene->instance, SCENE_MOTION_IDLE, time);
        if (scene_moment_comes(1.0, time, dt)) {
            const vrm_dvec3 center = {0.1, 0.2, 0.5};
            (void)vrm_instance_explode_ragdoll(scene->instance, &center, 200.0f, 3.0f);
        }
        break;
    case SCENE_RAGDOLL_ARM:
        scene_motion_apply(scene->instance, SCENE_MOTION_WALK, time);
        if (scene_moment_comes(0.0, time, dt)) {
            const vrm_ragdoll_weights limp = {0.0f, 0.0f, 1.0f};
            (void)vrm_instance_set_ragdoll_motion(scene->instance, VRM_RAGDOLL_GROUP_ALL, VRM_RAGDOLL_MOTION_KINEMATIC);
            (void)vrm_instance_set_ragdoll_motion(
                scene->instance, VRM_RAGDOLL_GROUP_LEFT_ARM, VRM_RAGDOLL_MOTION_DYNAMIC);
            (void)vrm_instance_set_ragdoll_weights(scene->instance, VRM_RAGDOLL_GROUP_LEFT_ARM, &limp, 0.0f);
        }
        break;
    default:
        break;
    }
}
