// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Getting up from six ways of lying. The clip begins with the shown pose and ends standing. During the clip no vertex
// is below the ground, no joint is too fast, and feet that bear weight do not slide. A mirrored pose gives a mirrored
// motion.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <vrm/vrm.h>

#include "fall_act.h"
#include "lying_figure.h"
#include "shared_path.h"

// --- skin, from the file's own vertices ------------------------------------------------------------------------------

static uint32_t index_at(const vrm_gltf *gltf, const char *format, uint32_t mesh, uint32_t primitive)
{
    char pointer[96];
    vrm_string text;
    snprintf(pointer, sizeof pointer, format, mesh, primitive);
    return vrm_gltf_get_json(gltf, pointer, &text) == VRM_SUCCESS ? (uint32_t)atoi(text.data) : UINT32_MAX;
}

static bool is_hair(const figure *f, uint32_t node)
{
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(f->avatar, &counts);
    for (uint32_t i = 0; i < counts.spring_joints; ++i) {
        vrm_spring_joint joint = {.struct_size = sizeof joint};
        vrm_node info = {.struct_size = sizeof info};
        CHECK_INT(vrm_avatar_get_spring_joint(f->avatar, i, &joint), VRM_SUCCESS);
        CHECK_INT(vrm_avatar_get_node(f->avatar, joint.node, &info), VRM_SUCCESS);
        if (node >= joint.node && node < info.subtree_end) {
            return true;
        }
    }
    return false;
}

static double lowest_of_primitive(const figure *f, const vrm_mesh_node *row, uint32_t primitive, const bool *hair)
{
    const uint32_t position =
        index_at(f->gltf, "/meshes/%u/primitives/%u/attributes/POSITION", row->gltf_mesh, primitive);
    const uint32_t joints =
        index_at(f->gltf, "/meshes/%u/primitives/%u/attributes/JOINTS_0", row->gltf_mesh, primitive);
    const uint32_t weights =
        index_at(f->gltf, "/meshes/%u/primitives/%u/attributes/WEIGHTS_0", row->gltf_mesh, primitive);
    vrm_gltf_accessor info = {.struct_size = sizeof info};
    double low = 9;
    if (row->palette < 0 || joints == UINT32_MAX || vrm_gltf_get_accessor(f->gltf, position, &info) != VRM_SUCCESS) {
        return low;
    }
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(f->instance, &out);
    vrm_palette palette = {.struct_size = sizeof palette};
    CHECK_INT(vrm_avatar_get_palette(f->avatar, (uint32_t)row->palette, &palette), VRM_SUCCESS);
    const uint32_t step = info.count > 4000 ? info.count / 4000 : 1;
    for (uint32_t v = 0; v < info.count; v += step) {
        float p[3], w[4];
        uint32_t j[4];
        CHECK_INT(vrm_gltf_read_floats(f->gltf, position, v, 1, p), VRM_SUCCESS);
        CHECK_INT(vrm_gltf_read_floats(f->gltf, weights, v, 1, w), VRM_SUCCESS);
        CHECK_INT(vrm_gltf_read_uints(f->gltf, joints, v, 1, j), VRM_SUCCESS);
        double y = 0;
        bool counts = true;
        for (int k = 0; k < 4; ++k) {
            const vrm_mat34 *m = &out.palette[palette.first_joint + j[k]];
            y += (double)w[k] * ((double)m->m[1][0] * (double)p[0] + (double)m->m[1][1] * (double)p[1] +
                                    (double)m->m[1][2] * (double)p[2] + (double)m->m[1][3]);
            counts = counts && !(w[k] > 0.2f && hair[palette.nodes[j[k]]]);
        }
        low = counts ? fmin(low, y) : low;
    }
    return low + out.origin.y;
}

// Returns the height of the lowest skinned vertex, or of the lowest joint of a figure without skin. (The robot of boxes
// has the same large box at every bone, so its boxes are in the ground even at rest.)
static double lowest_vertex(const figure *f, const bool *hair)
{
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(f->avatar, &counts);
    double low = 9, joint = 9;
    for (uint32_t m = 0; m < counts.meshes; ++m) {
        vrm_mesh_node row = {.struct_size = sizeof row};
        CHECK_INT(vrm_avatar_get_mesh_node(f->avatar, m, &row), VRM_SUCCESS);
        for (uint32_t p = 0;
             index_at(f->gltf, "/meshes/%u/primitives/%u/attributes/POSITION", row.gltf_mesh, p) != UINT32_MAX; ++p) {
            low = fmin(low, lowest_of_primitive(f, &row, p, hair));
        }
    }
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT && low == 9; ++bone) {
        if (vrm_avatar_get_bone_node(f->avatar, (vrm_human_bone)bone) >= 0) {
            joint = fmin(joint, shown_place(f, bone).v[1]);
        }
    }
    return fmin(low, joint);
}

// --- cases -----------------------------------------------------------------------------------------------------------

typedef struct measured {
    // fastest: degrees per second; low: metres; cut: degrees by which a joint's rotation in a frame exceeds the frames
    // before and after.
    double seconds, fastest, low, cut;
} measured;

static measured play(const figure *f, const vrm_clip *clip, const bool *hair)
{
    vrm_clip_info info = {.struct_size = sizeof info};
    vrm_clip_get_info(clip, &info);
    measured m = {.seconds = (double)info.duration, .low = 9};
    static double turned[VRM_HUMAN_BONE_COUNT][1024];
    vrm_clip_pose before = {.struct_size = sizeof before};
    vrm_clip_sample(clip, 0.0f, &before);
    const int frames = (int)(m.seconds * 60) + 1;
    for (int frame = 1; frame < frames && frame < 1024; ++frame) {
        vrm_clip_pose pose = {.struct_size = sizeof pose};
        vrm_clip_sample(clip, (float)frame / 60.0f, &pose);
        for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
            turned[bone][frame] =
                ref_angle(ref_quat_of(before.rotations[bone]), ref_quat_of(pose.rotations[bone])) / DEGREES;
            m.fastest = fmax(m.fastest, turned[bone][frame] * 60);
            if (frame > 2) {
                m.cut = fmax(m.cut, turned[bone][frame - 1] - fmax(turned[bone][frame - 2], turned[bone][frame]));
            }
        }
        before = pose;
        if (frame % 5 == 0 && frame > 20) {
            show(f, &pose);
            m.low = fmin(m.low, lowest_vertex(f, hair));
        }
    }
    return m;
}

static void check_figure(const char *name, const char *path, uint32_t made)
{
    figure f;
    if (!open_figure(&f, path, made)) {
        SKIP("a figure of ../shared is not there");
        return;
    }
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(f.avatar, &counts);
    bool *hair = calloc(counts.nodes, sizeof *hair);
    for (uint32_t i = 0; i < counts.nodes; ++i) {
        hair[i] = is_hair(&f, i);
    }
    for (int way = 0; way < 6; ++way) {
        vrm_get_up_way found;
        lie(&f, (vrm_get_up_way)way, 37, 1);
        const ref_vec lies[3] = {
            shown_place(&f, BONE(HEAD)), shown_place(&f, BONE(LEFT_HAND)), shown_place(&f, BONE(RIGHT_FOOT))};
        vrm_clip *clip = clip_of(&f, &found);
        CHECK_INT(found, way);
        // The clip begins with the shown pose. The pose is only moved over the ground and rotated about the vertical.
        vrm_clip_pose pose = {.struct_size = sizeof pose};
        vrm_clip_sample(clip, 0.0f, &pose);
        show(&f, &pose);
        const ref_vec begins[3] = {
            shown_place(&f, BONE(HEAD)), shown_place(&f, BONE(LEFT_HAND)), shown_place(&f, BONE(RIGHT_FOOT))};
        for (int i = 0; i < 3; ++i) {
            CHECK_NEAR(begins[i].v[1], lies[i].v[1], 1e-3);
            CHECK_NEAR(ref_length(ref_sub(begins[i], begins[(i + 1) % 3])),
                ref_length(ref_sub(lies[i], lies[(i + 1) % 3])), 1e-3);
        }
        const measured m = play(&f, clip, hair);
        printf("%s, way %d: %.2f s, joints at most %.0f degrees/s, cut %.1f degrees, skin %.1f mm above the ground\n",
            name, way, m.seconds, m.fastest, m.cut, m.low * 1e3);
        CHECK(m.seconds > 1.0 && m.seconds < 4.5);
        CHECK(m.fastest < 700);
        CHECK(m.cut < 4);
        CHECK(m.low > -0.010 && m.low < 0.100);
        // The clip ends with the figure standing above the root.
        vrm_clip_sample(clip, 100.0f, &pose);
        show(&f, &pose);
        const vrm_vec3 hips = rest_of(&f, BONE(HIPS));
        CHECK(ref_length(ref_sub(shown_place(&f, BONE(HIPS)), ref_vec_of(hips))) < 0.01 * f.height);
        for (int bone = BONE(LEFT_FOOT); bone <= BONE(RIGHT_FOOT); bone += BONE(RIGHT_FOOT) - BONE(LEFT_FOOT)) {
            CHECK(ref_length(ref_sub(shown_place(&f, bone), ref_vec_of(rest_of(&f, bone)))) < 0.03 * f.height);
        }
        vrm_clip_release(clip);
    }
    free(hair);
    close_figure(&f);
}

static void the_sample_gets_up_from_six_ways_of_lying(void)
{
    check_figure("sample", NULL, 0);
}

static void others_get_up_too(void)
{
    char path[512];
    check_figure("Godette", shared_path("models/avatars/Godette_vrm_v4.vrm", path, sizeof path), 0);
    check_figure("debug_robot", shared_path("models/blender/debug_robot.vrm", path, sizeof path), 0);
}

// A generated figure has the sample's skin over bones of other lengths, so a knee of the skin is not at the end of a
// bone.
static void stretched_skins_stay_above_the_ground(void)
{
    check_figure("figure 4", NULL, 4);
    check_figure("figure 5", NULL, 5);
    check_figure("figure 11", NULL, 11);
}

// A pushed figure comes to lie on a twisted arm. Raising the target of its hand once moved the hand down, by 0.35 m.
static void a_hand_below_the_trunk_stays_above_the_ground(void)
{
    figure f;
    CHECK(open_figure(&f, NULL, 8));
    static vrm_ragdoll_def bodies;
    build_bodies(&f, &bodies);
    double mass = 0;
    for (uint32_t i = 0; i < bodies.body_count; ++i) {
        mass += (double)bodies.bodies[i].mass;
    }
    const double impulse = 1.5 * mass * sqrt((double)bodies.height / 1.6);
    const vrm_vec3 push = {(float)(-sqrt(0.5) * impulse), 0.0f, (float)(sqrt(0.5) * impulse)};
    const scene_fall_act act = {
        .avatar = f.avatar, .gltf = f.gltf, .def = &bodies, .gets_up = true, .when = 0.67, .seed = 659, .push = push};
    scene_fall_report report;
    CHECK_INT(scene_fall_act_run(&act, &report), VRM_SUCCESS);
    const double low = report.rise.figures[SCENE_FIGURE_LOWEST].value;
    printf("the lowest vertex is at %.1f mm\n", low);
    CHECK(report.stands && low > -10); // an upper arm begins in the ground
    close_figure(&f);
}

// A bug once turned a leg over when the foot passed below the belly: the hip's axis rotated by 170 degrees in a quarter
// of a second.
static void no_leg_turns_over(void)
{
    static const char *const paths[3] = {NULL, "models/avatars/Godette_vrm_v4.vrm", "models/blender/debug_robot.vrm"};
    for (int i = 0; i < 3; ++i) {
        figure f;
        char path[512];
        if (!open_figure(&f, paths[i] != NULL ? shared_path(paths[i], path, sizeof path) : NULL, 0)) {
            continue;
        }
        for (int way = 0; way < 6; ++way) {
            lie(&f, (vrm_get_up_way)way, 37, 1);
            vrm_clip *clip = clip_of(&f, NULL);
            double worst = 1;
            for (double time = 0; time < 4.5; time += 1.0 / 60) {
                vrm_clip_pose pose = {.struct_size = sizeof pose};
                vrm_clip_sample(clip, (float)time, &pose);
                for (int leg = BONE(LEFT_UPPER_LEG); leg <= BONE(RIGHT_UPPER_LEG);
                     leg += BONE(RIGHT_UPPER_LEG) - BONE(LEFT_UPPER_LEG)) {
                    const ref_vec axis = ref_rotate(ref_quat_of(pose.rotations[leg]), ref_v(1, 0, 0));
                    worst = fmin(worst, axis.v[0]);
                }
            }
            printf("figure %d, way %d: a hip's axis turns by %.0f degrees\n", i, way, acos(worst) / DEGREES);
            CHECK(worst > -0.3); // a leg that is folded beside the seat lies on its inner side
            vrm_clip_release(clip);
        }
        close_figure(&f);
    }
}

// If left and right are exchanged, the motion is mirrored.
static void mirrored_lying_is_a_mirrored_motion(void)
{
    figure f;
    CHECK(open_figure(&f, NULL, 0));
    for (int way = 0; way < 6; ++way) {
        const int mirrored = way == VRM_GET_UP_FROM_LEFT    ? VRM_GET_UP_FROM_RIGHT
                             : way == VRM_GET_UP_FROM_RIGHT ? VRM_GET_UP_FROM_LEFT
                                                            : way;
        vrm_get_up_way found;
        lie(&f, (vrm_get_up_way)way, 25, 1);
        vrm_clip *a = clip_of(&f, NULL);
        lie(&f, (vrm_get_up_way)mirrored, 25, -1);
        vrm_clip *b = clip_of(&f, &found), *c = NULL;
        CHECK_INT(found, mirrored);
        CHECK_INT(vrm_clip_mirror(b, &c), VRM_SUCCESS);
        double worst = 0;
        for (double time = 0; time < 3; time += 0.1) {
            vrm_clip_pose pa = {.struct_size = sizeof pa}, pc = {.struct_size = sizeof pc};
            vrm_clip_sample(a, (float)time, &pa);
            vrm_clip_sample(c, (float)time, &pc);
            for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
                worst = fmax(worst, ref_angle(ref_quat_of(pa.rotations[bone]), ref_quat_of(pc.rotations[bone])));
            }
        }
        printf("way %d: mirrored within %.2f degrees\n", way, worst / DEGREES);
        CHECK(worst < 12 * DEGREES);
        vrm_clip_release(a);
        vrm_clip_release(b);
        vrm_clip_release(c);
    }
    close_figure(&f);
}

static void bad_calls(void)
{
    figure f;
    CHECK(open_figure(&f, NULL, 0));
    vrm_clip *clip = NULL;
    vrm_get_up_params params;
    vrm_get_up_params_default(&params);
    CHECK_INT(vrm_get_up_create_clip(NULL, f.instance, NULL, NULL, &clip), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_get_up_create_clip(f.body, NULL, NULL, NULL, &clip), VRM_ERROR_INVALID_ARGUMENT);
    params.pace = 0.4f;
    CHECK_INT(vrm_get_up_create_clip(f.body, f.instance, &params, NULL, &clip), VRM_ERROR_INVALID_ARGUMENT);
    params.pace = 4.1f;
    CHECK_INT(vrm_get_up_create_clip(f.body, f.instance, &params, NULL, &clip), VRM_ERROR_INVALID_ARGUMENT);
    CHECK(clip == NULL);
    // The pace scales all times, and the ground may have any height.
    vrm_clip_info once = {.struct_size = sizeof once}, twice = {.struct_size = sizeof twice};
    lie(&f, VRM_GET_UP_FROM_BACK, 0, 1);
    params.pace = 1.0f;
    CHECK_INT(vrm_get_up_create_clip(f.body, f.instance, &params, NULL, &clip), VRM_SUCCESS);
    vrm_clip_get_info(clip, &once);
    vrm_clip_release(clip);
    params.pace = 2.0f;
    CHECK_INT(vrm_get_up_create_clip(f.body, f.instance, &params, NULL, &clip), VRM_SUCCESS);
    vrm_clip_get_info(clip, &twice);
    CHECK_NEAR(twice.duration, 2 * once.duration, 1e-4);
    vrm_clip_release(clip);
    params = (vrm_get_up_params){.struct_size = sizeof params, .ground = -0.5, .pace = 1.0f};
    CHECK_INT(vrm_get_up_create_clip(f.body, f.instance, &params, NULL, &clip), VRM_SUCCESS);
    vrm_clip_pose pose = {.struct_size = sizeof pose};
    vrm_clip_sample(clip, 0.0f, &pose);
    CHECK_NEAR(pose.hips.y, shown_place(&f, BONE(HIPS)).v[1] + 0.5, 1e-4);
    vrm_clip_release(clip);
    vrm_get_up_body *body = NULL;
    vrm_get_up_body_def def;
    vrm_get_up_body_def_default(&def);
    CHECK_INT(vrm_get_up_body_create(&def, &body), VRM_ERROR_INVALID_ARGUMENT);
    def.avatar = f.avatar; // without vertices, the body's size is estimated
    CHECK_INT(vrm_get_up_body_create(&def, &body), VRM_SUCCESS);
    CHECK_INT(vrm_get_up_create_clip(body, f.instance, NULL, NULL, &clip), VRM_SUCCESS);
    vrm_clip_release(clip);
    vrm_get_up_body_destroy(body);
    vrm_get_up_body_destroy(NULL);
    close_figure(&f);
}

static const test_case cases[] = {
    {"the_sample_gets_up_from_six_ways_of_lying", the_sample_gets_up_from_six_ways_of_lying},
    {"others_get_up_too", others_get_up_too},
    {"stretched_skins_stay_above_the_ground", stretched_skins_stay_above_the_ground},
    {"a_hand_below_the_trunk_stays_above_the_ground", a_hand_below_the_trunk_stays_above_the_ground},
    {"mirrored_lying_is_a_mirrored_motion", mirrored_lying_is_a_mirrored_motion},
    {"no_leg_turns_over", no_leg_turns_over},
    {"bad_calls", bad_calls},
};

RUN_TESTS(cases)
