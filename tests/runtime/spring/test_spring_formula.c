// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Springs, compared with closed formulas: how a joint comes to rest, and how it lags behind its moving parent.

#include <math.h>

#include <vrm/vrm.h>

#include "model_fixture.h"
#include "plain_instance.h"
#include "test.h"

static const float frame = 1.0f / 60.0f;

enum { BONE_CM = 10 };

// Makes an avatar whose only hair is a joint 10 cm long that hangs down.
static vrm_avatar *one_joint(float stiffness, float gravity, float drag)
{
    static fixture fix;
    fixture_begin(&fix);
    fixture_humanoid(&fix);
    const int32_t hips = fix.bones[VRM_HUMAN_BONE_HIPS]; // the hips have no rotation at rest
    int32_t nodes[2];
    nodes[0] = fixture_node_add(&fix, hips, "hair", fixture_at(0.0f, 0.0f, 0.1f));
    nodes[1] = fixture_node_add(&fix, nodes[0], "end", fixture_at(0.0f, -0.01f * BONE_CM, 0.0f));
    fixture_chain(&fix, nodes, 2, fixture_joint_params(stiffness, gravity, drag, 0.0f), -1);
    return fixture_finish(&fix);
}

static void tail_of(const vrm_instance *instance, vrm_dvec3 *out)
{
    CHECK_INT(vrm_instance_get_spring_tails(instance, out, NULL, 1), VRM_SUCCESS);
}

// A joint released slightly away from its rest follows the linearised step. With s = L / (L + w) and w the displacement
// by stiffness and gravity per tick: x[n + 1] = s * (x[n] + keep * (x[n] - x[n - 1])).
static void decays_by_the_formula(void)
{
    const float cases[][3] = {{1.0f, 0.0f, 0.4f}, {0.3f, 0.5f, 0.2f}, {4.0f, 0.0f, 0.1f}, {0.05f, 0.0f, 0.9f}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c) {
        vrm_avatar *avatar = one_joint(cases[c][0], cases[c][1], cases[c][2]);
        vrm_instance *instance = plain_instance(avatar);
        vrm_update_dt(instance, 0.0f);
        vrm_dvec3 rest, tail;
        tail_of(instance, &rest);
        const double away = 0.0005, length = 0.01 * BONE_CM;
        tail = rest;
        tail.x += away;
        CHECK_INT(vrm_instance_set_spring_tails(instance, &tail, &tail, 1), VRM_SUCCESS);
        const double keep = 1.0 - (double)cases[c][2];
        const double s = length / (length + ((double)cases[c][0] + (double)cases[c][1]) / 60.0);
        double before = away, now = away, farthest = 0;
        for (int tick = 1; tick <= 60; ++tick) {
            const double next = s * (now + keep * (now - before));
            before = now;
            now = next;
            vrm_update_dt(instance, frame);
            tail_of(instance, &tail);
            farthest = fmax(farthest, fabs(tail.x - rest.x - now));
        }
        if (!(farthest < 1e-3 * away)) {
            printf("stiffness %g gravity %g drag %g: off by %.3g of %.3g m\n", (double)cases[c][0], (double)cases[c][1],
                (double)cases[c][2], farthest, away);
            ++test_failures;
        }
        vrm_instance_destroy(instance);
        vrm_avatar_release(avatar);
    }
}

// A joint that moves at constant speed lags by the motion that drag removes. In the direction of motion, w * sin + c *
// (1 - keep) * cos = 0, where c is the head's displacement per tick. With the rest direction straight down, tan = c *
// (1 - keep) / w.
static void lags_by_the_formula(void)
{
    const double speed = 0.5, keep = 0.6, stiffness = 1.0;
    vrm_avatar *avatar = one_joint((float)stiffness, 0.0f, (float)(1.0 - keep));
    vrm_instance *instance = plain_instance(avatar);
    vrm_outputs out = {.struct_size = sizeof out};
    for (int i = 1; i <= 240; ++i) {
        const vrm_root root = {{speed * i / 60.0, 0, 0}, {0, 0, 0, 1}, 1.0f};
        CHECK_INT(vrm_instance_set_root(instance, &root), VRM_SUCCESS);
        vrm_update_dt(instance, frame);
    }
    vrm_instance_get_outputs(instance, &out);
    vrm_spring_joint joint = {.struct_size = sizeof joint};
    CHECK_INT(vrm_avatar_get_spring_joint(avatar, 0, &joint), VRM_SUCCESS);
    const vrm_mat34 *a = &out.world[joint.node], *b = &out.world[joint.tail_node];
    const double lag = (double)(a->m[0][3] - b->m[0][3]) / (double)(a->m[1][3] - b->m[1][3]);
    CHECK_NEAR(lag, speed / 60.0 * (1.0 - keep) / (stiffness / 60.0), 1e-4);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

static const test_case cases[] = {
    {"decays_by_the_formula", decays_by_the_formula},
    {"lags_by_the_formula", lags_by_the_formula},
};
RUN_TESTS(cases)
