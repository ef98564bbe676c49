// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// A gaze by the whole spine while the light solver moves the body: the drawn pose is the simulated one.

#include "ragdoll_bones.h"
#include "ragdoll_scene_fixture.h"

static void rotate(vrm_quat q, const double v[3], double out[3])
{
    const double u[3] = {(double)q.x, (double)q.y, (double)q.z};
    double t[3];
    for (int k = 0; k < 3; ++k) {
        t[k] = 2.0 * (u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3]);
    }
    for (int k = 0; k < 3; ++k) {
        out[k] = v[k] + (double)q.w * t[k] + u[(k + 1) % 3] * t[(k + 2) % 3] - u[(k + 2) % 3] * t[(k + 1) % 3];
    }
}

// Lets the whole spine gaze at a target, without gravity, until the bodies are at rest. The caller ends the scene and
// destroys the instance.
static vrm_instance *gaze_until_rest(const vrm_ragdoll_def *bodies, const vrm_dvec3 *target, scene_ragdoll *scene)
{
    vrm_instance *instance = make_instance_for(bodies);
    vrm_ragdoll_params settings = manual_settings();
    settings.always = true;
    vrm_ragdoll_solver_def solver;
    vrm_ragdoll_solver_def_default(&solver);
    solver.gravity = (vrm_vec3){0.0f, 0.0f, 0.0f};
    solver.sleep = false;
    CHECK_INT(scene_ragdoll_begin(scene, instance, bodies, &settings, &solver), VRM_SUCCESS);
    vrm_look_chain_def chain = {.struct_size = sizeof chain};
    vrm_look_bone bones[VRM_LOOK_CHAIN_PRESET_BONES];
    CHECK_INT(vrm_look_chain_preset_def(avatar, VRM_LOOK_CHAIN_PRESET_WHOLE_SPINE, &chain, bones), VRM_SUCCESS);
    CHECK_INT(vrm_instance_set_look_chain(instance, &chain, NULL), VRM_SUCCESS);
    vrm_instance_set_look_at_target(instance, target);
    const vrm_update_params params = params_of(1.0f / 60.0f);
    for (int frame = 0; frame < 240; ++frame) {
        scene_ragdoll_frame(scene, &params);
    }
    return instance;
}

// The largest distance between the axes of a node as drawn and the axes of its simulated body.
static double drawn_off_simulated(const vrm_outputs *outputs, uint32_t node, vrm_quat body)
{
    vrm_node info = {.struct_size = sizeof info};
    vrm_avatar_get_node(avatar, node, &info);
    double farthest = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        const double unit[3] = {axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0};
        const double drawn[3] = {(double)outputs->world[node].m[0][axis], (double)outputs->world[node].m[1][axis],
            (double)outputs->world[node].m[2][axis]};
        double in_body[3], simulated[3];
        rotate(info.rest_rotation, unit, in_body);
        rotate(body, in_body, simulated);
        farthest = fmax(farthest, distance(drawn, simulated));
    }
    return farthest;
}

// After a gaze by the whole spine, without gravity and at rest, the shown head must be the simulated head.
static void look_with_bodies(const vrm_ragdoll_def *bodies, double within)
{
    const vrm_dvec3 target = {1.2, 1.6, 0.8};
    scene_ragdoll scene;
    vrm_instance *instance = gaze_until_rest(bodies, &target, &scene);
    const int32_t head = ragdoll_body_of(bodies, VRM_HUMAN_BONE_HEAD);
    vrm_ragdoll_state states[VRM_RAGDOLL_MAX_BODIES];
    const vrm_dvec3 origin = {0, 0, 0};
    vrm_ragdoll_solver_get_states(scene.solver, &origin, states, bodies->body_count);
    vrm_outputs outputs = {.struct_size = sizeof outputs};
    vrm_instance_get_outputs(instance, &outputs);
    const int32_t node = vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_HEAD);
    vrm_ragdoll_targets targets = {.struct_size = sizeof targets};
    CHECK_INT(vrm_instance_get_ragdoll_targets(instance, &targets), VRM_SUCCESS);
    const double angle = angle_between(states[head].rotation, targets.bodies[head].state.rotation);
    double seen[3];
    bone_place(instance, VRM_HUMAN_BONE_HEAD, seen);
    const double animated[3] = {(double)targets.bodies[head].state.position.x,
        (double)targets.bodies[head].state.position.y, (double)targets.bodies[head].state.position.z};
    printf("gaze with a ragdoll at rest: head %.2f mm and %.3f degrees from where the animation has it\n",
        1000.0 * distance(seen, animated), angle * 57.29578);
    // If every bone has a body, each joint has its own limits, and the gaze may exceed them. So the head is only
    // compared with the animation when there are fewer bodies.
    CHECK(bodies->body_count > 16 || (angle < 0.5 / 57.29578 && distance(seen, animated) < 0.001));
    // The drawn head points in the direction of its body.
    CHECK(drawn_off_simulated(&outputs, (uint32_t)node, states[head].rotation) < 0.5 / 57.29578);
    const double simulated_at[3] = {
        (double)states[head].position.x, (double)states[head].position.y, (double)states[head].position.z};
    printf("%u bodies: the head's is %.2f mm from the visible head\n", bodies->body_count,
        1000.0 * distance(seen, simulated_at));
    CHECK(distance(seen, simulated_at) < within);
    scene_ragdoll_end(&scene);
    vrm_instance_destroy(instance);
}

// With a body for every bone, the visible and the simulated head agree to a millimetre. With sixteen bodies the neck
// has none: the head's body hangs on the chest by a straight neck, but the gaze bends the visible neck, which moves the
// visible head a little.
static void the_visible_head_is_the_simulated_one(void)
{
    prepare();
    vrm_ragdoll_build_params params;
    vrm_ragdoll_build_params_default(&params);
    params.detail = VRM_RAGDOLL_DETAIL_ALL;
    vrm_ragdoll_def all = {.struct_size = sizeof all};
    CHECK_INT(vrm_ragdoll_def_build(avatar, NULL, &params, NULL, &all), VRM_SUCCESS);
    look_with_bodies(&all, 0.001);
    look_with_bodies(&definition, 0.004);
}

// A gaze beyond the head's limits, so that bodies differ from the animation. Neck and shoulders have the same parent
// bone, which has no body. All bodies are still shown as simulated.
static void bodies_on_one_bone_between_are_shown_as_simulated(void)
{
    const vrm_dvec3 target = {0.2, 0.0, 0.6};
    prepare();
    scene_ragdoll scene;
    vrm_instance *instance = gaze_until_rest(&definition, &target, &scene);
    vrm_ragdoll_state states[VRM_RAGDOLL_MAX_BODIES];
    const vrm_dvec3 origin = {0, 0, 0};
    vrm_ragdoll_solver_get_states(scene.solver, &origin, states, definition.body_count);
    vrm_outputs outputs = {.struct_size = sizeof outputs};
    vrm_instance_get_outputs(instance, &outputs);
    for (uint32_t i = 0; i < definition.body_count; ++i) {
        CHECK(drawn_off_simulated(&outputs, definition.bodies[i].node, states[i].rotation) < 0.1 / 57.29578);
    }
    scene_ragdoll_end(&scene);
    vrm_instance_destroy(instance);
}

static const test_case cases[] = {
    {"the_visible_head_is_the_simulated_one", the_visible_head_is_the_simulated_one},
    {"bodies_on_one_bone_between_are_shown_as_simulated", bodies_on_one_bone_between_are_shown_as_simulated},
};

RUN_TESTS(cases)
