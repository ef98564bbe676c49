// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// A figure falls, lies, gets up and continues its earlier motion; getting up ends with a fade. A bug once ended it with
// a cut: fingers jumped by 58 degrees and a hand by 19 cm. With a motion that sets no pose, the whole figure jumped by
// 35 cm.

#include <math.h>
#include <string.h>

#include <vrm/vrm.h>

#include "get_up.h"
#include "procedural_motion.h"
#include "ragdoll_scene.h"
#include "reference_math.h"
#include "sample_avatar.h"
#include "test.h"

enum { FPS = 60, FRAMES = FPS * 16, SHORT = FPS * 10, NEVER = -1 };

typedef struct joint_path {
    ref_vec place[FRAMES];
    ref_quat turn[FRAMES];
} joint_path;

static joint_path paths[VRM_HUMAN_BONE_COUNT];

static void keep(const vrm_instance *instance, int frame)
{
    const vrm_avatar *avatar = vrm_instance_get_avatar(instance);
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(instance, &out);
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        const int32_t node = vrm_avatar_get_bone_node(avatar, (vrm_human_bone)bone);
        if (node >= 0) {
            const vrm_world *w = &out.world[node];
            vrm_transform local;
            paths[bone].place[frame] = ref_v((double)w->m[0][3] + out.origin.x, (double)w->m[1][3] + out.origin.y,
                (double)w->m[2][3] + out.origin.z);
            CHECK_INT(vrm_instance_write_locals(instance, (uint32_t)node, 1, &local), VRM_SUCCESS);
            paths[bone].turn[frame] = ref_quat_of(local.rotation);
        }
    }
}

typedef struct outcome {
    int lay, stood; // frames
    // Largest cut (jump in a frame) after the figure began to lie: degrees, metres. `limb`: of a hand, foot or the head,
    // which may stop within a frame when it hits the ground.
    double turn, limb, way;
    double hips; // final height, relative to the height at rest
} outcome;

static bool is_limb(vrm_human_bone bone)
{
    return bone == VRM_HUMAN_BONE_LEFT_HAND || bone == VRM_HUMAN_BONE_RIGHT_HAND || bone == VRM_HUMAN_BONE_LEFT_FOOT ||
           bone == VRM_HUMAN_BONE_RIGHT_FOOT || bone == VRM_HUMAN_BONE_HEAD;
}

typedef struct story {
    uint32_t seed;
    int motion; // of scene_motion; -1: none
    int hit;    // frames from the beginning of getting up to a push of the chest aside, or NEVER
    int frames;
    bool protects; // falls with a protective motion
} story;

static outcome run(const story *told)
{
    const int motion = told->motion, hit = told->hit, frames = told->frames;
    outcome out = {.lay = -1, .stood = -1};
    vrm_gltf *gltf = sample_document(told->seed);
    vrm_avatar *avatar = NULL;
    CHECK_INT(vrm_avatar_import(NULL, gltf, NULL, &avatar), VRM_SUCCESS);
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = avatar;
    def.ragdoll_bodies = VRM_RAGDOLL_MAX_BODIES;
    vrm_instance *instance = NULL;
    CHECK_INT(vrm_instance_create(&def, &instance), VRM_SUCCESS);
    static vrm_ragdoll_def bodies;
    bodies.struct_size = sizeof bodies;
    CHECK_INT(vrm_ragdoll_def_build(avatar, gltf, NULL, NULL, &bodies), VRM_SUCCESS);
    vrm_ragdoll_params settings = {.struct_size = sizeof settings};
    vrm_ragdoll_params_default(&settings);
    scene_get_up_settings(&settings);
    scene_ragdoll scene;
    CHECK_INT(scene_ragdoll_begin(&scene, instance, &bodies, &settings, NULL), VRM_SUCCESS);
    scene.fall.on = told->protects;
    scene.fall.seed = told->seed;
    scene_get_up get_up;
    const scene_get_up_def how = {.instance = instance, .gltf = gltf, .fall = &scene.fall};
    CHECK_INT(scene_get_up_begin(&get_up, &how), VRM_SUCCESS);
    vrm_update_params params;
    vrm_update_params_default(&params);
    for (int frame = 0; frame < frames; ++frame) {
        const double time = (double)frame / FPS;
        if (frame == FPS) {
            const vrm_dvec3 center = {0.1, 0.2, 0.5};
            CHECK_INT(vrm_instance_explode_ragdoll(instance, &center, 160.0f, 3.0f), VRM_SUCCESS);
        }
        if (out.lay >= 0 && hit != NEVER && frame == out.lay + hit) {
            const vrm_vec3 impulse = {50.0f, 0.0f, 0.0f};
            const double *chest = paths[VRM_HUMAN_BONE_CHEST].place[frame - 1].v;
            const vrm_dvec3 point = {chest[0], chest[1], chest[2]};
            CHECK_INT(vrm_instance_hit_ragdoll(instance, -1, &point, &impulse), VRM_SUCCESS);
        }
        const bool lying = get_up.clip != NULL;
        scene_get_up_frame(&get_up, 0.0, 1.0 / FPS);
        out.lay = out.lay < 0 && get_up.clip != NULL ? frame : out.lay;
        out.stood = lying && get_up.clip == NULL ? frame : out.stood;
        if (motion >= 0) {
            scene_motion_apply(instance, (scene_motion)motion, time);
        }
        params.dt = frame == 0 ? 0.0f : 1.0f / FPS;
        scene_ragdoll_frame(&scene, &params);
        keep(instance, frame);
    }
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        const bool eye = bone == VRM_HUMAN_BONE_LEFT_EYE || bone == VRM_HUMAN_BONE_RIGHT_EYE;
        if (vrm_avatar_get_bone_node(avatar, (vrm_human_bone)bone) < 0 || eye) {
            continue;
        }
        const joint_path *p = &paths[bone];
        for (int i = out.lay; i + 2 < frames && out.lay > 0; ++i) {
            double turns[3], ways[3];
            for (int k = 0; k < 3; ++k) {
                turns[k] = ref_angle(p->turn[i + k - 1], p->turn[i + k]) * 180 / REF_PI;
                ways[k] = ref_length(ref_sub(p->place[i + k - 1], p->place[i + k]));
            }
            // The hips' own rotation changes because the root is moved to the lying body. In the world nothing moves.
            const double turn = bone == VRM_HUMAN_BONE_HIPS ? 0 : turns[1] - fmax(turns[0], turns[2]);
            double *most = is_limb((vrm_human_bone)bone) ? &out.limb : &out.turn;
            *most = fmax(*most, turn);
            out.way = fmax(out.way, ways[1] - fmax(ways[0], ways[2]));
        }
    }
    vrm_node hips = {.struct_size = sizeof hips};
    CHECK_INT(vrm_avatar_get_node(avatar, (uint32_t)vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_HIPS), &hips),
        VRM_SUCCESS);
    out.hips = paths[VRM_HUMAN_BONE_HIPS].place[frames - 1].v[1] / (double)hips.rest_position.y;
    vrm_ragdoll_info info = {.struct_size = sizeof info};
    vrm_instance_get_ragdoll_info(instance, &info);
    CHECK_INT(info.phase, VRM_RAGDOLL_PHASE_OFF);
    CHECK(get_up.clip == NULL); // handed back
    scene_ragdoll_end(&scene);
    vrm_instance_destroy(instance);
    scene_get_up_free(&get_up);
    vrm_avatar_release(avatar);
    vrm_gltf_destroy(gltf);
    return out;
}

static void getting_up_ends_in_a_fade(void)
{
    static const int motions[] = {SCENE_MOTION_IDLE, SCENE_MOTION_WALK, -1};
    for (int i = 0; i < 3; ++i) {
        const outcome out = run(&(story){0, motions[i], NEVER, SHORT, false});
        printf("motion %d: lies at %.2f s, stands at %.2f s, cut %.2f degrees, %.1f mm\n", motions[i],
            (double)out.lay / FPS, (double)out.stood / FPS, fmax(out.turn, out.limb), out.way * 1e3);
        CHECK(out.lay > FPS && out.stood > out.lay + FPS && out.stood < SHORT - FPS);
        CHECK(out.turn < 6 && out.limb < 6);
        CHECK(out.way < 0.015);
        CHECK(out.hips > 0.95 && out.hips < 1.05);
    }
}

// Fingers have no body. They stretch while the figure falls, because curled fingers of a lying hand would be in the
// ground: once by 24 mm.
static void fingers_of_a_fallen_figure_are_stretched(void)
{
    const outcome out = run(&(story){0, SCENE_MOTION_IDLE, NEVER, SHORT, false});
    const vrm_human_bone bone = VRM_HUMAN_BONE_LEFT_LITTLE_PROXIMAL;
    const joint_path *p = &paths[bone];
    const double curled = ref_angle(p->turn[FPS - 1], p->turn[out.lay - 1]) * 180 / REF_PI;
    double fastest = 0;
    for (int i = FPS; i < out.lay; ++i) {
        fastest = fmax(fastest, ref_angle(p->turn[i - 1], p->turn[i]) * 180 / REF_PI);
    }
    const double still = ref_angle(p->turn[out.lay - 10], p->turn[out.lay - 1]) * 180 / REF_PI;
    printf(
        "a finger stretches by %.1f degrees, by at most %.1f in a frame, at the end by %.2f\n", curled, fastest, still);
    CHECK(curled > 5 && fastest < 200.0 / FPS + 0.1 && still < 0.5);
}

static bool is_within_bounds(const outcome *out)
{
    return out->lay > FPS && out->stood > out->lay && out->stood < FRAMES - FPS && out->turn < 6 && out->limb < 10 &&
           out->way < 0.023 && out->hips > 0.95 && out->hips < 1.05;
}

// Hits a figure while it gets up: it falls again or continues, and stands at the end. Repeats this with three figures,
// after a limp fall and after a protective one. Bugs once made an arm jump by 76 degrees, and after a protective fall
// one hit in six cut by up to 21 degrees: limbs that the motion pressed together pushed each other harder and harder.
static void what_is_hit_while_it_gets_up_gets_up(void)
{
    static const int after_limp[] = {5, 41, 53, 101, 149, 197}, after_protective[] = {35, 53, 65, 89, 95, 107};
    int count = 0;
    double turn = 0.0, limb = 0.0, way = 0.0;
    for (int i = 0; i < 36; i += TEST_SHARE) {
        const bool protects = i >= 18;
        const int hit = protects ? after_protective[i % 6] : after_limp[i % 6];
        const outcome out = run(&(story){(uint32_t)(i / 6) % 3, SCENE_MOTION_IDLE, hit, FRAMES, protects});
        const bool within = is_within_bounds(&out);
        if (!within) {
            printf("figure %d, %s, hit after %.2f s: stands at %.2f s, cut %.2f degrees (hand, foot or head %.2f), "
                   "%.1f mm\n",
                (i / 6) % 3, protects ? "protective" : "limp", hit / (double)FPS, (double)out.stood / FPS, out.turn,
                out.limb, out.way * 1e3);
        }
        CHECK(within);
        turn = fmax(turn, out.turn);
        limb = fmax(limb, out.limb);
        way = fmax(way, out.way);
        ++count;
    }
    printf("%d hits while figures get up: cuts of at most %.2f degrees (hands, feet and heads %.2f) and %.1f mm\n",
        count, turn, limb, way * 1e3);
}

typedef struct beginning {
    int lies, rises; // frames in which the figure's phase becomes lying, and in which it begins to get up
    vrm_fall_phase phase;
} beginning;

// Pushes the chest of a standing figure, which falls with a protective motion.
static beginning push_over(const vrm_avatar *avatar, const vrm_ragdoll_def *bodies, double angle, bool waits)
{
    beginning out = {.lies = NEVER, .rises = NEVER};
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = avatar;
    def.ragdoll_bodies = VRM_RAGDOLL_MAX_BODIES;
    vrm_instance *instance = NULL;
    CHECK_INT(vrm_instance_create(&def, &instance), VRM_SUCCESS);
    vrm_ragdoll_params settings = {.struct_size = sizeof settings};
    vrm_ragdoll_params_default(&settings);
    scene_get_up_settings(&settings);
    scene_ragdoll scene;
    CHECK_INT(scene_ragdoll_begin(&scene, instance, bodies, &settings, NULL), VRM_SUCCESS);
    scene.fall.on = true;
    scene_get_up get_up;
    const scene_get_up_def how = {.instance = instance, .fall = waits ? &scene.fall : NULL};
    CHECK_INT(scene_get_up_begin(&get_up, &how), VRM_SUCCESS);
    vrm_update_params params;
    vrm_update_params_default(&params);
    params.dt = 1.0f / FPS;
    for (int frame = 0; frame < SHORT && out.rises < 0; ++frame) {
        if (frame == FPS / 2) {
            const vrm_vec3 impulse = {(float)(110.0 * sin(angle)), 0.0f, (float)(110.0 * cos(angle))};
            const double *chest = paths[VRM_HUMAN_BONE_CHEST].place[frame - 1].v;
            const vrm_dvec3 point = {chest[0], chest[1], chest[2]};
            CHECK_INT(vrm_instance_hit_ragdoll(instance, -1, &point, &impulse), VRM_SUCCESS);
            CHECK_INT(vrm_instance_drop_ragdoll(instance), VRM_SUCCESS);
        }
        vrm_ragdoll_info info = {.struct_size = sizeof info};
        vrm_instance_get_ragdoll_info(instance, &info);
        out.lies = info.phase != VRM_RAGDOLL_PHASE_LYING ? NEVER : out.lies < 0 ? frame : out.lies;
        scene_get_up_frame(&get_up, 0.0, 1.0 / FPS);
        out.rises = get_up.clip != NULL ? frame : NEVER;
        out.phase = scene.fall.fall.phase;
        scene_motion_apply(instance, SCENE_MOTION_IDLE, (double)frame / FPS);
        scene_ragdoll_frame(&scene, &params);
        keep(instance, frame);
    }
    scene_ragdoll_end(&scene);
    vrm_instance_destroy(instance);
    scene_get_up_free(&get_up);
    return out;
}

// A slow figure is in the lying phase even if a leg is still falling. If the fall is given, getting up waits for its
// end, at most a second.
static void getting_up_waits_for_the_fall(void)
{
    vrm_gltf *gltf = sample_document(0);
    vrm_avatar *avatar = NULL;
    CHECK_INT(vrm_avatar_import(NULL, gltf, NULL, &avatar), VRM_SUCCESS);
    static vrm_ragdoll_def bodies;
    bodies.struct_size = sizeof bodies;
    CHECK_INT(vrm_ragdoll_def_build(avatar, gltf, NULL, NULL, &bodies), VRM_SUCCESS);
    int early = 0, longest = 0;
    for (int side = 0; side < 8; ++side) {
        const double angle = side * REF_PI / 4;
        const beginning at_once = push_over(avatar, &bodies, angle, false);
        CHECK(at_once.rises >= 0 && at_once.rises == at_once.lies);
        early += at_once.phase < VRM_FALL_PHASE_LIE ? 1 : 0;
        const beginning waits = push_over(avatar, &bodies, angle, true);
        CHECK(waits.rises >= 0);
        const int wait = waits.rises - waits.lies;
        CHECK(waits.phase == VRM_FALL_PHASE_LIE || wait >= FPS - 1);
        CHECK(wait <= FPS);
        longest = wait > longest ? wait : longest;
    }
    printf("at once %d of 8 get up before they lie; those that wait begin at most %.2f s later\n", early,
        (double)longest / FPS);
    CHECK(early > 0);
    vrm_avatar_release(avatar);
    vrm_gltf_destroy(gltf);
}

static const test_case cases[] = {
    {"getting_up_waits_for_the_fall", getting_up_waits_for_the_fall},
    {"getting_up_ends_in_a_fade", getting_up_ends_in_a_fade},
    {"fingers_of_a_fallen_figure_are_stretched", fingers_of_a_fallen_figure_are_stretched},
    {"what_is_hit_while_it_gets_up_gets_up", what_is_hit_while_it_gets_up_gets_up},
};

RUN_TESTS(cases)
