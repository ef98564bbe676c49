// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The pose kernels. slerp is compared with its formula in double. Every path gives the same bits, also for whole
// players. A clip's bank has the same motion as its tracks.

#include "clip_fixture.h"
#include "math/quat.h"
#include "pose_of.h"
#include "runtime/clip/clip.h"
#include "test_random.h"

enum { POSES = 4000, ALL = (1 << VRMI_POSE_GROUPS) - 1 };

static const vrmi_clip_kernels *paths[3];
static int path_count;

static void find_paths(void)
{
    path_count = 0;
    paths[path_count++] = &vrmi_clip_kernels_scalar;
    if (vrmi_clip_kernels_four() != NULL) {
        paths[path_count++] = vrmi_clip_kernels_four();
    }
    if (vrmi_clip_kernels_best() == vrmi_clip_kernels_avx2()) {
        paths[path_count++] = vrmi_clip_kernels_avx2();
    }
}

static vrm_quat random_quat(test_random *random)
{
    const vrm_quat q = {test_random_float(random, -1, 1), test_random_float(random, -1, 1),
        test_random_float(random, -1, 1), test_random_float(random, -1, 1)};
    return vrmi_quat_normalize(q);
}

// Returns a rotation near `q`: successive keys are usually about a degree apart.
static vrm_quat near_quat(test_random *random, vrm_quat q, float size)
{
    const vrm_quat turn = {test_random_float(random, -size, size), test_random_float(random, -size, size),
        test_random_float(random, -size, size), 1.0f};
    const vrm_quat out = vrmi_quat_mul(vrmi_quat_normalize(turn), q);
    return test_random_float(random, 0, 1) < 0.5f ? out : (vrm_quat){-out.x, -out.y, -out.z, -out.w};
}

// Returns the angle between slerp in double and the result `got`, radians.
static double slerp_error(vrm_quat a, vrm_quat b, double t, vrm_quat got)
{
    const double p[4] = {(double)a.x, (double)a.y, (double)a.z, (double)a.w};
    const double q[4] = {(double)b.x, (double)b.y, (double)b.z, (double)b.w};
    const double g[4] = {(double)got.x, (double)got.y, (double)got.z, (double)got.w};
    double dot = 0, pp = 0, qq = 0, off = 0, other = 0;
    for (int i = 0; i < 4; ++i) {
        dot += p[i] * q[i];
        pp += p[i] * p[i];
        qq += q[i] * q[i];
    }
    const double sign = dot < 0 ? -1 : 1, angle = acos(fmin(1, fabs(dot) / sqrt(pp * qq)));
    const double wa = angle > 1e-7 ? sin((1 - t) * angle) / sin(angle) : 1 - t;
    const double wb = angle > 1e-7 ? sin(t * angle) / sin(angle) : t;
    for (int i = 0; i < 4; ++i) {
        const double want = wa * p[i] / sqrt(pp) + sign * wb * q[i] / sqrt(qq);
        off += (want - g[i]) * (want - g[i]);
        other += (want + g[i]) * (want + g[i]);
    }
    return 2 * sqrt(fmin(off, other));
}

static void slerps(void)
{
    find_paths();
    test_random random = test_random_make(11);
    double worst = 0;
    for (int n = 0; n < POSES / VRMI_POSE_LANES; ++n) {
        vrmi_pose_lanes a, b, results[3];
        float parts[VRMI_POSE_LANES];
        vrmi_pose_identity(&a);
        vrmi_pose_identity(&b);
        for (int32_t bone = 0; bone < VRMI_POSE_LANES; ++bone) {
            const vrm_quat q = random_quat(&random);
            vrmi_pose_set(&a, bone, q);
            vrmi_pose_set(&b, bone, n % 2 == 0 ? random_quat(&random) : near_quat(&random, q, 0.01f));
            parts[bone] = bone % 8 == 0 ? 0.0f : (bone % 8 == 1 ? 1.0f : test_random_float(&random, 0, 1));
        }
        for (int path = 0; path < path_count; ++path) {
            results[path] = a;
            paths[path]->blend(&results[path], &b, parts, ALL);
            CHECK(memcmp(&results[path], &results[0], sizeof(vrmi_pose_lanes)) == 0);
        }
        for (int32_t bone = 0; bone < VRMI_POSE_LANES; ++bone) {
            const vrm_quat p = vrmi_pose_get(&a, bone), q = vrmi_pose_get(&b, bone),
                           got = vrmi_pose_get(&results[0], bone);
            worst = fmax(worst, slerp_error(p, q, (double)parts[bone], got));
            if (bone % 8 < 2) { // exact at both ends
                const vrm_quat end = bone % 8 == 0 ? p : q;
                CHECK_NEAR(fabs((double)(got.x * end.x + got.y * end.y + got.z * end.z + got.w * end.w)), 1, 1e-6);
                CHECK(bone % 8 == 1 || memcmp(&got, &end, sizeof got) == 0);
            }
        }
    }
    printf("slerp in lanes: within %.1e rad\n", worst);
    CHECK(worst < 2e-6);
}

static void fits(void)
{
    find_paths();
    test_random random = test_random_make(12);
    for (int n = 0; n < POSES / VRMI_POSE_LANES; ++n) {
        vrmi_pose_lanes p[3];
        vrm_quat results[3][VRMI_POSE_LANES];
        for (int i = 0; i < 3; ++i) {
            for (int32_t bone = 0; bone < VRMI_POSE_LANES; ++bone) {
                vrmi_pose_set(&p[i], bone, random_quat(&random));
            }
        }
        for (int path = 0; path < path_count; ++path) {
            paths[path]->fit(&p[0], &p[1], &p[2], ALL, results[path]);
            CHECK(memcmp(results[path], results[0], sizeof results[0]) == 0);
        }
        for (int32_t bone = 0; bone < VRMI_POSE_LANES; ++bone) {
            const vrm_quat want =
                times(times(vrmi_pose_get(&p[0], bone), vrmi_pose_get(&p[1], bone)), vrmi_pose_get(&p[2], bone));
            CHECK_NEAR(apart(results[0][bone], want), 0, 1e-6);
        }
    }
}

// Makes a clip whose bones have the same times, as in VRM animations and BVH files. Some bones are constant, and some
// have their own times.
static vrm_clip *make_baked(uint32_t seed, uint32_t keys)
{
    vrmi_clip_builder b;
    test_random random = test_random_make(seed);
    vrmi_clip_builder_init(&b, NULL);
    b.head.hips_rest = (vrm_vec3){0.0f, 0.9f, 0.0f};
    for (uint32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        const bool still = bone % 7 == 3, own = bone % 11 == 5;
        const uint32_t interpolation = bone % 13 == 6 ? VRMI_CUBIC : (bone % 17 == 9 ? VRMI_STEP : VRMI_LINEAR);
        const vrmi_clip_track track = {.kind = VRMI_TRACK_ROTATION,
            .target = bone,
            .interpolation = interpolation,
            .key_count = still ? 1u : keys};
        float *t, *v;
        CHECK(vrmi_clip_builder_track(&b, &track, &t, &v));
        vrm_quat q = random_quat(&random);
        for (uint32_t key = 0; key < track.key_count; ++key) {
            t[key] = 0.2f + (float)key / 30.0f + (own ? 0.01f : 0.0f);
            q = near_quat(&random, q, 0.2f); // the quaternion may have the opposite sign
            float *value = v + (size_t)key * vrmi_track_stride(&track) + (interpolation == VRMI_CUBIC ? 4 : 0);
            memcpy(value, &q, sizeof q);
        }
        CHECK_INT(vrmi_clip_builder_finish(&b), 0);
    }
    vrm_clip *clip = NULL;
    CHECK_INT(vrmi_clip_pack(&b, &clip), VRM_SUCCESS);
    vrmi_clip_builder_free(&b);
    return clip;
}

// The player's pose on each path equals vrm_clip_sample(), for times in any order.
static void players(void)
{
    find_paths();
    vrm_clip *clips[] = {make_baked(1, 40), make_baked(2, 1), make_clip(3)};
    CHECK(clips[0]->bank_bones != 0 && clips[0]->bank_bones != clips[0]->bones);
    for (int c = 0; c < 3; ++c) {
        stage s;
        set_stage(&s, 1);
        CHECK_INT(vrm_clip_player_play(s.player, 0, clips[c], NULL), VRM_SUCCESS);
        test_random random = test_random_make(21);
        for (int n = 0; n < 200; ++n) {
            const float time = n < 100 ? 0.017f * (float)n : test_random_float(&random, 0, 2);
            vrm_transform *shown_first = NULL;
            vrm_outputs outputs = {.struct_size = sizeof outputs};
            for (int path = 0; path < path_count; ++path) {
                s.player->kernels = paths[path];
                CHECK_INT(vrm_clip_player_set_time(s.player, 0, (double)time), VRM_SUCCESS);
                vrm_update_dt(s.instance, 0.0f);
                vrm_instance_get_outputs(s.instance, &outputs);
                const size_t size = outputs.node_count * sizeof(vrm_transform);
                vrm_transform *shown = poses_of(s.instance);
                CHECK(path == 0 || memcmp(shown_first, shown, size) == 0);
                if (path == 0) {
                    shown_first = shown;
                } else {
                    free(shown);
                }
            }
            free(shown_first);
            vrm_clip_pose pose = {.struct_size = sizeof pose};
            vrm_clip_info info = {.struct_size = sizeof info};
            vrm_clip_get_info(clips[c], &info);
            vrm_clip_sample(clips[c], time < info.duration ? time : info.duration, &pose);
            for (int32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
                const int32_t node = vrm_avatar_get_bone_node(s.avatar, (vrm_human_bone)bone);
                const int32_t above = vrm_human_bone_parent((vrm_human_bone)bone);
                const bool folds = above >= 0 && vrm_avatar_get_bone_node(s.avatar, (vrm_human_bone)above) < 0;
                if (node >= 0 && !folds && bone != VRM_HUMAN_BONE_LEFT_EYE && bone != VRM_HUMAN_BONE_RIGHT_EYE &&
                    (clips[c]->bones >> bone & 1u) != 0) {
                    CHECK_NEAR(apart(shown(&s, (vrm_human_bone)bone), pose.rotations[bone]), 0, 5e-6);
                }
            }
        }
        strike(&s);
        vrm_clip_release(clips[c]);
    }
}

static const test_case cases[] = {{"slerps", slerps}, {"fits", fits}, {"players", players}};
RUN_TESTS(cases)
