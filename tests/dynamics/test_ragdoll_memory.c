// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// No frame of an active ragdoll allocates memory, whatever happens to the figure. The rule `symbols` shows beside it
// that neither the runtime nor the light solver can call malloc; this test counts the calls of the allocator.

#include "ragdoll_story.h"
#include "test_allocator.h"

typedef struct counted {
    test_allocator memory;
    uint64_t calls; // allocations before the first frame
    story story;
} counted;

static void frames(counted *c, int count)
{
    for (int i = 0; i < count; ++i) {
        story_frame(&c->story);
        CHECK_INT(c->memory.calls, c->calls);
    }
}

// Continues until the figure is in a phase, at most for ten seconds.
static void frames_until(counted *c, vrm_ragdoll_phase phase)
{
    for (int i = 0; i < 600 && (i == 0 || story_phase(&c->story) != phase); ++i) {
        frames(c, 1);
    }
    CHECK_INT(story_phase(&c->story), phase);
}

// Saves instance and solver, and restores them a few frames later.
static void roll_back(counted *c)
{
    static uint8_t bytes[1 << 18], solver[1 << 16];
    story *s = &c->story;
    size_t size = sizeof bytes, solver_size = sizeof solver;
    CHECK_INT(vrm_instance_snapshot(s->instance, bytes, &size), VRM_SUCCESS);
    CHECK_INT(vrm_ragdoll_solver_snapshot(s->scene.solver, solver, &solver_size), VRM_SUCCESS);
    const scene_carried_hair hair = s->scene.hair; // the host keeps the hair's state
    frames(c, 3);
    CHECK_INT(vrm_instance_restore(s->instance, bytes, size), VRM_SUCCESS);
    CHECK_INT(vrm_ragdoll_solver_restore(s->scene.solver, solver, solver_size), VRM_SUCCESS);
    s->scene.hair = hair;
    CHECK_INT(c->memory.calls, c->calls);
}

// A hit and recovery steps.
static void is_pushed(counted *c, float angle)
{
    frames(c, 20);
    story_push(&c->story, 1.1f, angle);
    frames(c, 20);
    roll_back(c);
    frames_until(c, VRM_RAGDOLL_PHASE_OFF);
    CHECK(c->story.balances >> VRM_RAGDOLL_BALANCE_STEPS & 1);
}

// An explosion, a fall with a protective motion, lying, getting up. The clip is made in the frame in which getting up
// begins, with malloc.
static void is_thrown(counted *c)
{
    vrm_root root;
    vrm_instance_get_root(c->story.instance, &root);
    const vrm_dvec3 beside = {root.translation.x + 0.1, 0.2, root.translation.z + 0.5};
    CHECK_INT(vrm_instance_explode_ragdoll(c->story.instance, &beside, 200.0f, 3.0f), VRM_SUCCESS);
    frames(c, 30);
    CHECK(c->story.scene.fall.under_way);
    roll_back(c);
    frames_until(c, VRM_RAGDOLL_PHASE_LYING);
    roll_back(c);
    frames_until(c, VRM_RAGDOLL_PHASE_RECOVERING);
    CHECK(c->story.get_up.clip != NULL);
    frames_until(c, VRM_RAGDOLL_PHASE_OFF);
    frames(c, 300);
    CHECK(c->story.get_up.clip == NULL);
}

// A hand that is pinned, a joint with another drive, an arm that is kinematic, the article's drive.
static void is_changed(counted *c)
{
    vrm_instance *instance = c->story.instance;
    const vrm_ragdoll_weights held = {1.0f, 0.5f, 1.0f};
    const int32_t hand = scene_ragdoll_body(&c->story.figure->def, VRM_HUMAN_BONE_LEFT_HAND);
    const vrm_ragdoll_joint_drive stiff = {.frequency = 12.0f, .damping_ratio = 0.5f, .max_torque = 5.0f};
    CHECK_INT(vrm_instance_set_ragdoll_body_weights(instance, (uint32_t)hand, &held, 0.1f), VRM_SUCCESS);
    CHECK_INT(vrm_instance_set_ragdoll_joint_drive(instance, (uint32_t)hand, &stiff), VRM_SUCCESS);
    CHECK_INT(vrm_instance_set_ragdoll_motion(instance, VRM_RAGDOLL_GROUP_RIGHT_ARM, VRM_RAGDOLL_MOTION_KINEMATIC),
        VRM_SUCCESS);
    frames(c, 30);
    vrm_ragdoll_params settings = {.struct_size = sizeof settings};
    vrm_instance_get_ragdoll_params(instance, &settings);
    settings.drive = VRM_RAGDOLL_DRIVE_VELOCITY;
    CHECK_INT(vrm_instance_set_ragdoll_params(instance, &settings), VRM_SUCCESS);
    story_push(&c->story, 0.5f, 0.0f);
    frames(c, 30);
    CHECK_INT(story_phase(&c->story), VRM_RAGDOLL_PHASE_ACTIVE);
    CHECK_INT(vrm_instance_stop_ragdoll(instance), VRM_SUCCESS);
    frames(c, 10);
}

static void live(uint32_t number, const char *motion, float angle)
{
    counted c;
    const vrm_allocator allocator = test_allocator_make(&c.memory);
    figure f = figure_number(number);
    vrm_avatar_release(f.avatar);
    vrm_avatar_def def;
    vrm_avatar_def_default(&def);
    def.allocator = allocator;
    CHECK_INT(vrm_avatar_import(&def, f.gltf, NULL, &f.avatar), VRM_SUCCESS);
    c.calls = c.memory.calls;
    story_begin(&c.story, &f, motion, allocator);
    CHECK(c.memory.calls >= c.calls + 5); // instance, solver, two players and the body's measures are counted
    c.calls = c.memory.calls;
    is_pushed(&c, angle);
    is_thrown(&c);
    is_changed(&c);
    story_end(&c.story);
    figure_free(&f);
    CHECK_INT(c.memory.live_blocks, 0);
    CHECK_INT(c.memory.wrong, 0);
}

static void the_sample_allocates_nothing_in_a_frame(void)
{
    live(0, "idle", 0.0f);
}

static void another_figure_allocates_nothing_in_a_frame(void)
{
    live(3, "none", 2.0f * quarter);
}

static const test_case cases[] = {
    {"the_sample_allocates_nothing_in_a_frame", the_sample_allocates_nothing_in_a_frame},
    {"another_figure_allocates_nothing_in_a_frame", another_figure_allocates_nothing_in_a_frame},
};

RUN_TESTS(cases)
