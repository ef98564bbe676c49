// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The ground of vrm_spring_params: in any motion no tail is below the ground, and nothing else changes.

#include <vrm/output.h>
#include <vrm/update.h>

#include "model_fixture.h"
#include "runtime/core/instance.h"
#include "spring_paths.h"
#include "test.h"
#include "test_random.h"

#include <math.h>
#include <string.h>

enum { CHAINS = 3, CHAIN_JOINTS = 5, ALL_JOINTS = CHAINS * CHAIN_JOINTS };

static const double length = 0.12, radius = 0.02;
static fixture f;
static int32_t tops[CHAINS]; // first nodes of the chains

// Where vertices are around each bone, as the import measures them; all 0: none.
static vrmi_joint_reach_row around;

// Makes three chains that hang from the head: one straight down, one aslant, one with a limit and an uneven scale above
// it.
static vrm_avatar *make_avatar(void)
{
    fixture_begin(&f);
    fixture_humanoid(&f);
    for (int chain = 0; chain < CHAINS; ++chain) {
        int32_t above = f.bones[VRM_HUMAN_BONE_HEAD], nodes[CHAIN_JOINTS + 1];
        if (chain == 2) {
            vrm_transform uneven = fixture_at(0.1f, 0.0f, 0.0f);
            uneven.scale = (vrm_vec3){1.0f, 1.2f, 0.9f};
            above = fixture_node_add(&f, above, "uneven", uneven);
        }
        const float aside = chain == 1 ? 0.6f * (float)length : 0.0f, down = chain == 1 ? 0.8f : 1.0f;
        for (int i = 0; i <= CHAIN_JOINTS; ++i) {
            nodes[i] = fixture_node_add(&f, i == 0 ? above : nodes[i - 1], "hair",
                i == 0 ? fixture_at(0.2f * (float)(chain - 1), 0.0f, 0.0f)
                       : fixture_at(0.0f, -down * (float)length, aside));
        }
        tops[chain] = nodes[0];
        fixture_chain(&f, nodes, CHAIN_JOINTS + 1, fixture_joint_params(0.6f, 0.6f, 0.4f, (float)radius), -1);
        for (int i = 0; i < CHAIN_JOINTS; ++i) {
            *FIXTURE_PUSH(&f, joint_reach, vrmi_joint_reach_row) = around;
        }
    }
    return fixture_finish(&f);
}

static vrm_instance *make_instance(const vrm_avatar *avatar, bool ground, double height)
{
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = avatar;
    vrm_instance *instance = NULL;
    CHECK_INT(vrm_instance_create(&def, &instance), VRM_SUCCESS);
    vrm_spring_params springs;
    vrm_spring_params_default(&springs);
    CHECK(!springs.ground && !(fabs(springs.ground_height) > 0.0));
    springs.ground = ground;
    springs.ground_height = height;
    CHECK_INT(vrm_instance_set_spring_params(instance, &springs), VRM_SUCCESS);
    return instance;
}

static void place(vrm_instance *instance, double x, double y, double z, vrm_quat rotation, float scale)
{
    CHECK_INT(vrm_instance_set_root(instance, &(vrm_root){{x, y, z}, rotation, scale}), VRM_SUCCESS);
}

static double lowest(const vrm_instance *instance, vrm_dvec3 tails[ALL_JOINTS])
{
    double low = 1e30;
    CHECK_INT(vrm_instance_get_spring_tails(instance, tails, NULL, ALL_JOINTS), VRM_SUCCESS);
    for (int i = 0; i < ALL_JOINTS; ++i) {
        low = fmin(low, tails[i].y);
    }
    return low;
}

// The head sinks towards the ground, tumbles, and comes to rest. No joint is ever below the ground, at any frame rate.
static void no_tail_is_below(void)
{
    vrm_avatar *avatar = make_avatar();
    const float rates[] = {30.0f, 60.0f, 144.0f};
    for (int pass = 0; pass < 6; ++pass) {
        const bool ground = pass < 3;
        const double height = 30.0;
        const float rate = rates[pass % 3];
        vrm_instance *instance = make_instance(avatar, ground, height);
        vrm_dvec3 tails[ALL_JOINTS];
        double least = 1e30;
        for (float t = 0.0f; t < 2.0f; t += 1.0f / rate) {
            // The head falls from 1.6 to 0.4 above the ground.
            const double fallen = fmin(4.9 * (double)t * (double)t, 1.2);
            const vrm_quat tumble = vrmi_quat_from_axis_angle((vrm_vec3){0.6f, 0.0f, 0.8f}, 0.4f * vrmi_min(t, 1.0f));
            place(instance, 5000.0, height - fallen, 0.0, tumble, 1.0f);
            vrm_update_dt(instance, 1.0f / rate);
            least = fmin(least, lowest(instance, tails) - height);
        }
        // The chains are 0.6 m long. Heads of joints are floats some thousand metres from the origin.
        CHECK(ground ? least > radius - 1e-4 : least < -0.1);
        vrm_instance_destroy(instance);
    }
    vrm_avatar_release(avatar);
    CHECK_INT(f.memory.live, 0);
}

// A joint whose head is at the height `h` above the ground has its tail at the height of the hit radius, and
// sqrt(length^2 - (h - radius)^2) to the side. Lengths and radii scale with the root.
static void a_bone_turns_about_its_head(void)
{
    const float scales[] = {1.0f, 2.5f};
    vrm_avatar *avatar = make_avatar();
    for (int k = 0; k < 2; ++k) {
        const double scale = (double)scales[k];
        vrm_instance *instance = make_instance(avatar, true, 0.0);
        place(instance, 0.0, 0.0, 0.0, vrmi_quat_identity(), scales[k]);
        vrm_update_dt(instance, 0.0f);
        vrm_outputs out = {.struct_size = sizeof out};
        vrm_instance_get_outputs(instance, &out);
        const double top = (double)out.world[f.order[tops[0]]].m[1][3], above = 0.05 * scale;
        for (int frame = 0; frame < 240; ++frame) {
            place(instance, 0.0, above - top, 0.0, vrmi_quat_identity(), scales[k]);
            vrm_update_dt(instance, 1.0f / 60.0f);
        }
        vrm_instance_get_outputs(instance, &out);
        vrm_dvec3 tails[ALL_JOINTS];
        (void)lowest(instance, tails);
        for (int chain = 0; chain < 2; ++chain) { // not the third chain, whose lengths depend on directions
            const vrm_dvec3 *tail = &tails[chain * CHAIN_JOINTS];
            const float(*head)[4] = out.world[f.order[tops[chain]]].m;
            const double far = hypot(tail[0].x - (double)head[0][3], tail[0].z - (double)head[2][3]);
            const double drop = (double)head[1][3] + out.origin.y - scale * radius, reach = scale * length;
            CHECK_NEAR(tail[0].y, scale * radius, 1e-5 * scale);
            CHECK_NEAR(far, sqrt(reach * reach - drop * drop), 1e-4 * scale);
            for (int i = 1; i < CHAIN_JOINTS; ++i) { // the rest of the chain lies flat
                CHECK_NEAR(tail[i].y, scale * radius, 1e-4 * scale);
                CHECK_NEAR(hypot(tail[i].x - tail[i - 1].x, tail[i].z - tail[i - 1].z), reach, 1e-4 * scale);
            }
        }
        vrm_instance_destroy(instance);
    }
    vrm_avatar_release(avatar);
    CHECK_INT(f.memory.live, 0);
}

// The vertices of a chain that hangs straight down are up to 5 cm beside it, and up to 4 cm in front of it and behind
// it. If it lies down in the direction (x, z), their lowest corner is 5 cm * |x| + 4 cm * |z| below it.
static void vertices_around_a_bone_stay_above(void)
{
    for (int wide = 0; wide < 2; ++wide) {
        around = (vrmi_joint_reach_row){
            .half = {{0.05f, 0.0f, 0.0f}, {0.0f, 0.0f, wide ? 0.04f : 0.0f}}, .radius = 0.065f, .tip = 1.0f};
        vrm_avatar *avatar = make_avatar();
        around = (vrmi_joint_reach_row){.beyond = 0.0f};
        for (int k = 0; k < 2; ++k) {
            const float scale = k == 0 ? 1.0f : 2.5f;
            vrm_instance *instance = make_instance(avatar, true, 0.0);
            place(instance, 0.0, 0.0, 0.0, vrmi_quat_identity(), scale);
            vrm_update_dt(instance, 0.0f);
            vrm_outputs out = {.struct_size = sizeof out};
            vrm_instance_get_outputs(instance, &out);
            const double top = (double)out.world[f.order[tops[0]]].m[1][3];
            vrm_dvec3 tails[ALL_JOINTS];
            for (int frame = 0; frame < 300; ++frame) {
                place(instance, 0.0, 0.07 * (double)scale - top, 0.0, vrmi_quat_identity(), scale);
                vrm_update_dt(instance, 1.0f / 60.0f);
            }
            (void)lowest(instance, tails);
            const double x = tails[2].x - tails[1].x, z = tails[2].z - tails[1].z;
            const double corner = (0.05 * fabs(x) + (wide ? 0.04 : 0.0) * fabs(z)) / hypot(x, z);
            CHECK(corner > radius + 0.01);
            for (int i = 1; i < CHAIN_JOINTS; ++i) {
                CHECK_NEAR(tails[i].y, (double)scale * corner, 3e-3 * (double)scale); // the chain also bends sideways
            }
            vrm_instance_destroy(instance);
        }
        vrm_avatar_release(avatar);
        CHECK_INT(f.memory.live, 0);
    }
}

// Above the ground, and after the ground is removed, everything is as without a ground.
static void far_above_it_changes_nothing(void)
{
    vrm_avatar *avatar = make_avatar();
    vrm_instance *with = make_instance(avatar, true, -10.0), *without = make_instance(avatar, false, 0.0);
    for (int frame = 0; frame < 90; ++frame) {
        const vrm_quat turn = vrmi_quat_from_axis_angle((vrm_vec3){0.0f, 1.0f, 0.0f}, 0.05f * (float)frame);
        place(with, 0.01 * frame, 0.0, 0.0, turn, 1.0f);
        place(without, 0.01 * frame, 0.0, 0.0, turn, 1.0f);
        vrm_update_dt(with, 0.013f);
        vrm_update_dt(without, 0.013f);
    }
    vrm_dvec3 a[ALL_JOINTS], b[ALL_JOINTS];
    (void)lowest(with, a);
    (void)lowest(without, b);
    CHECK(memcmp(a, b, sizeof a) == 0);
    vrm_instance_destroy(with);
    vrm_instance_destroy(without);
    vrm_avatar_release(avatar);
    CHECK_INT(f.memory.live, 0);
}

static void tumble(vrm_instance *instance, test_random *random, int frame)
{
    const vrm_quat q = {test_random_float(random, -1.0f, 1.0f), test_random_float(random, -1.0f, 1.0f),
        test_random_float(random, -1.0f, 1.0f), 1.5f};
    place(instance, 0.02 * frame, 0.4 + (double)test_random_float(random, -1.0f, 0.3f), 0.0, vrmi_quat_normalize(q),
        frame < 60 ? 1.0f : 1.4f);
    vrm_update_dt(instance, frame % 3 == 0 ? 0.011f : 0.021f);
}

// Every path gives the same bits, and so does an instance that restores a snapshot.
static void paths_and_rollback_agree_on(const vrmi_joint_reach_row *vertices)
{
    around = *vertices;
    vrm_avatar *avatar = make_avatar();
    around = (vrmi_joint_reach_row){.beyond = 0.0f};
    static vrm_dvec3 truth[120][ALL_JOINTS];
    for (uint32_t path = 0; path <= VRMI_LANES_AVX2; ++path) {
        if (!spring_path_runs(path)) {
            continue;
        }
        vrm_instance *instance = make_instance(avatar, true, 0.3);
        instance->lanes = path;
        static unsigned char saved[1u << 16];
        size_t size = sizeof saved;
        test_random random = test_random_make(7), then = random;
        for (int frame = 0; frame < 120; ++frame) {
            if (frame == 50) {
                CHECK_INT(vrm_instance_snapshot(instance, saved, &size), VRM_SUCCESS);
                then = random;
            }
            tumble(instance, &random, frame);
            vrm_dvec3 tails[ALL_JOINTS];
            (void)lowest(instance, tails);
            if (path == 0) {
                memcpy(truth[frame], tails, sizeof tails);
            }
            CHECK(memcmp(truth[frame], tails, sizeof tails) == 0);
        }
        // Restores into an instance without a ground.
        vrm_instance *other = make_instance(avatar, false, 0.0);
        other->lanes = path;
        CHECK_INT(vrm_instance_restore(other, saved, size), VRM_SUCCESS);
        for (int frame = 50; frame < 120; ++frame) {
            tumble(other, &then, frame);
            vrm_dvec3 tails[ALL_JOINTS];
            (void)lowest(other, tails);
            CHECK(memcmp(truth[frame], tails, sizeof tails) == 0);
        }
        vrm_instance_destroy(instance);
        vrm_instance_destroy(other);
    }
    vrm_avatar_release(avatar);
    CHECK_INT(f.memory.live, 0);
}

static void paths_and_rollback_agree(void)
{
    static const vrmi_joint_reach_row vertices[] = {{.beyond = 0.0f},
        {{0.02f, 0.0f, -0.01f}, {{0.04f, 0.0f, 0.01f}, {-0.005f, 0.0f, 0.02f}}, 0.042f, 0.06f, 0.3f, 0.5f}};
    for (int i = 0; i < 2; ++i) {
        paths_and_rollback_agree_on(&vertices[i]);
    }
}

static void heights_must_be_finite(void)
{
    vrm_avatar *avatar = make_avatar();
    vrm_instance *instance = make_instance(avatar, true, 1.5);
    vrm_spring_params springs;
    vrm_spring_params_default(&springs);
    springs.ground_height = (double)INFINITY;
    CHECK_INT(vrm_instance_set_spring_params(instance, &springs), VRM_ERROR_INVALID_ARGUMENT);
    vrm_instance_get_spring_params(instance, &springs);
    CHECK(springs.ground);
    CHECK_NEAR(springs.ground_height, 1.5, 0.0);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
    CHECK_INT(f.memory.live, 0);
}

static const test_case cases[] = {
    {"no_tail_is_below", no_tail_is_below},
    {"a_bone_turns_about_its_head", a_bone_turns_about_its_head},
    {"vertices_around_a_bone_stay_above", vertices_around_a_bone_stay_above},
    {"far_above_it_changes_nothing", far_above_it_changes_nothing},
    {"paths_and_rollback_agree", paths_and_rollback_agree},
    {"heights_must_be_finite", heights_must_be_finite},
};

RUN_TESTS(cases)
