// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The legs of a figure that gets up bend as far as their joints allow. Once, the foot of a leg that folded beside the
// seat pointed ahead, by up to 105 degrees beyond the limit of its ankle, and the leg that stepped between the hands
// turned by up to 150 degrees beyond the limit of its hip, with its knee above the shoulders.

#include <math.h>

#include "lying_figure.h"
#include "ragdoll_scene.h"
#include "shared_path.h"

enum { HIP, KNEE, ANKLE, JOINTS };

typedef struct seen {
    double beyond[JOINTS]; // degrees beyond the limits, both sides
    double knee;           // height of a knee above the shoulders, in heights of the figure
} seen;

static const vrm_ragdoll_joint *joint_of(const vrm_ragdoll_def *bodies, int bone)
{
    for (uint32_t i = 0; i < bodies->body_count; ++i) {
        if ((int)bodies->bodies[i].bone == bone) {
            return &bodies->bodies[i].joint;
        }
    }
    CHECK(false);
    return &bodies->bodies[0].joint;
}

static seen play(const figure *f, const vrm_ragdoll_def *bodies, vrm_get_up_way way, double side)
{
    static const int first[2] = {BONE(LEFT_UPPER_LEG), BONE(RIGHT_UPPER_LEG)};
    const vrm_quat none = {0, 0, 0, 1};
    seen out = {.knee = -9};
    lie(f, way, 37, side);
    vrm_clip *clip = clip_of(f, NULL);
    vrm_clip_info info = {.struct_size = sizeof info};
    vrm_clip_get_info(clip, &info);
    for (int frame = 1; frame <= (int)((double)info.duration * 60); ++frame) {
        vrm_clip_pose pose = {.struct_size = sizeof pose};
        vrm_clip_sample(clip, (float)frame / 60.0f, &pose);
        show(f, &pose);
        double knee = -9;
        for (int s = 0; s < 2; ++s) {
            for (int i = 0; i < JOINTS; ++i) {
                const int bone = first[s] + i;
                out.beyond[i] =
                    fmax(out.beyond[i], scene_ragdoll_beyond_limit(joint_of(bodies, bone), none, pose.rotations[bone]));
            }
            knee = fmax(knee, shown_place(f, first[s] + KNEE).v[1]);
        }
        const double shoulders =
            0.5 * (shown_place(f, BONE(LEFT_UPPER_ARM)).v[1] + shown_place(f, BONE(RIGHT_UPPER_ARM)).v[1]);
        // At the beginning the knees may lie anywhere.
        out.knee = frame > 30 ? fmax(out.knee, (knee - shoulders) / f->height) : out.knee;
    }
    vrm_clip_release(clip);
    return out;
}

// Checks all ways of lying, mirrored too. `most` has the bounds of the joints, degrees, and `sits` that of the
// knee's height when the figure sits up.
static void check_figure(const char *name, const char *path, uint32_t made, const double most[JOINTS], double sits)
{
    figure f;
    static vrm_ragdoll_def bodies;
    if (!open_figure(&f, path, made)) {
        SKIP("a figure of ../shared is not there");
        return;
    }
    build_bodies(&f, &bodies);
    for (int i = 0; i < 12; ++i) {
        const vrm_get_up_way way = (vrm_get_up_way)(i / 2);
        const seen s = play(&f, &bodies, way, i % 2 == 0 ? 1 : -1);
        printf("%s, way %d%s: hips %.0f, knees %.0f, ankles %.0f degrees beyond the limits; a knee %.2f of the height "
               "above the shoulders\n",
            name, (int)way, i % 2 == 0 ? "" : " mirrored", s.beyond[HIP], s.beyond[KNEE], s.beyond[ANKLE], s.knee);
        for (int joint = 0; joint < JOINTS; ++joint) {
            CHECK(s.beyond[joint] < most[joint]);
        }
        CHECK(s.knee < (way == VRM_GET_UP_FROM_BACK || way == VRM_GET_UP_FROM_SITTING ? sits : 0.03));
    }
    close_figure(&f);
}

static void legs_bend_as_their_joints_allow(void)
{
    static const double most[JOINTS] = {15, 20, 25};
    check_figure("sample", NULL, 0, most, 0.1);
    check_figure("figure 4", NULL, 4, most, 0.05);
    check_figure("figure 5", NULL, 5, most, 0.05);
    check_figure("figure 11", NULL, 11, most, 0.05);
}

// Short shanks and thick boots leave little room to kneel.
static void so_do_short_legs(void)
{
    static const double most[JOINTS] = {27, 25, 45};
    char path[512];
    check_figure("Godette", shared_path("models/avatars/Godette_vrm_v4.vrm", path, sizeof path), 0, most, 0.0);
}

static const test_case cases[] = {
    {"legs_bend_as_their_joints_allow", legs_bend_as_their_joints_allow},
    {"so_do_short_legs", so_do_short_legs},
};

RUN_TESTS(cases)
