// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The article's five pictures of the velocity drive, as numbers. docs/active-ragdoll.md lists them.

#include "plain_quat.h"
#include "ragdoll_scene_fixture.h"

typedef struct outcome {
    double pose, position,
        push; // means over the walk: joint error in radians, body error in metres; largest joint error of a frame
} outcome;

// Measures how well the bodies keep the animation's joint rotations and positions under the velocity drive, while the
// figure walks and is pushed every second.
static outcome walk_with(float rotation, float translation)
{
    vrm_instance *instance = make_instance();
    vrm_ragdoll_params settings;
    vrm_ragdoll_params_default(&settings);
    settings.drive = VRM_RAGDOLL_DRIVE_VELOCITY;
    settings.always = true;
    settings.detect_fall = false;
    settings.hit_spread = 0.0f;
    settings.hit_speed = 1e6f; // pushes do not reduce the weights, which are under test
    scene_ragdoll scene;
    vrm_ragdoll_solver_def solver;
    vrm_ragdoll_solver_def_default(&solver);
    solver.ground = false; // floating, as in the article's table
    solver.gravity = (vrm_vec3){0.0f, 0.0f, 0.0f};
    CHECK_INT(scene_ragdoll_begin(&scene, instance, &definition, &settings, &solver), VRM_SUCCESS);
    const vrm_ragdoll_weights weights = {translation, rotation, 1.0f};
    CHECK_INT(vrm_instance_set_ragdoll_weights(instance, VRM_RAGDOLL_GROUP_ALL, &weights, 0.0f), VRM_SUCCESS);
    const vrm_update_params params = params_of(1.0f / 60.0f);
    outcome out = {0, 0, 0};
    int frames = 0;
    for (int frame = 0; frame < 240; ++frame) {
        scene_ragdoll_tell(&scene, SCENE_RAGDOLL_WALK_AND_BE_PUSHED, frame / 60.0, 1.0 / 60.0);
        scene_ragdoll_frame(&scene, &params);
        vrm_ragdoll_targets targets = {.struct_size = sizeof targets};
        vrm_ragdoll_state states[VRM_RAGDOLL_MAX_BODIES];
        (void)vrm_instance_get_ragdoll_targets(instance, &targets);
        vrm_ragdoll_solver_get_states(scene.solver, &targets.origin, states, definition.body_count);
        double angle = 0.0, off = 0.0;
        for (uint32_t i = 1; i < definition.body_count; ++i) {
            const int32_t parent = definition.bodies[i].parent;
            const vrm_quat joint = times(inverse(states[parent].rotation), states[i].rotation);
            const vrm_quat wanted =
                times(inverse(targets.bodies[parent].state.rotation), targets.bodies[i].state.rotation);
            angle += angle_between(joint, wanted) / (definition.body_count - 1);
        }
        for (uint32_t i = 0; i < definition.body_count; ++i) {
            const vrm_vec3 s = states[i].position, t = targets.bodies[i].state.position;
            off += sqrt((double)((s.x - t.x) * (s.x - t.x) + (s.y - t.y) * (s.y - t.y) + (s.z - t.z) * (s.z - t.z))) /
                   definition.body_count;
        }
        if (frame >= 60) {
            out.pose += angle;
            out.position += off;
            out.push = fmax(out.push, angle);
            ++frames;
        }
    }
    out.pose /= frames;
    out.position /= frames;
    scene_ragdoll_end(&scene);
    vrm_instance_destroy(instance);
    return out;
}

static void the_articles_five_pictures(void)
{
    static const struct {
        const char *what;
        float rotation, translation;
    } rows[] = {{"1 / 0", 1.0f, 0.0f}, {"0.5 / 0", 0.5f, 0.0f}, {"0.1 / 0", 0.1f, 0.0f}, {"1 / 1", 1.0f, 1.0f},
        {"0.3 / 0.3", 0.3f, 0.3f}};
    outcome out[5];
    printf("rotation / translation: mean joint error, degrees; mean place error, mm; largest mean joint error after a "
           "push\n");
    for (int i = 0; i < 5; ++i) {
        out[i] = walk_with(rows[i].rotation, rows[i].translation);
        printf("%-10s %6.2f %8.1f %6.2f\n", rows[i].what, out[i].pose * 57.29578, out[i].position * 1000.0,
            out[i].push * 57.29578);
    }
    CHECK(out[0].pose < out[1].pose); // weight 1 follows the joints more closely than 0.5
    CHECK(out[1].pose < out[2].pose); // weight 0.1 is loose
    CHECK(out[0].pose < 3.0 / 57.29578);
    CHECK(out[2].pose < 40.0 / 57.29578);     // weight 0.1 still keeps a trace of the pose
    CHECK(out[3].position < out[0].position); // weights 1 / 1 keep the animation's positions as well
    CHECK(out[3].position < 0.03);
    CHECK(out[4].pose > out[3].pose); // weights 0.3 / 0.3 are smoother
}

static const test_case cases[] = {
    {"the_articles_five_pictures", the_articles_five_pictures},
};

RUN_TESTS(cases)
