// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// RIGID beside a twin at FULL: what hair shows is the input pose and the twin's hair, mixed by what half a second of fading
// leaves of each; once it has faded it is the input pose to the bit, and springs do nothing.

#include <stdlib.h>

#include <vrm/vrm.h>

#include "lod_scenes.h"
#include "plain_instance.h"
#include "pose_of.h"
#include "sample_avatar.h"
#include "test.h"
#include "world_tree.h"

static const float frame = 1.0f / 60.0f;
static const vrm_quat bent = {0.19866933f, 0.0f, 0.0f, 0.98006658f}; // input of some hair: 23 degrees
enum { MOST_JOINTS = 256, FADE = 30 };                               // frames

typedef struct stage {
    vrm_avatar *avatar;
    vrm_avatar_counts counts;
    vrm_instance *instance, *twin;
    vrm_quat input[MOST_JOINTS]; // by joint
    float weight[MOST_JOINTS];   // of its chain, in `instance`; the twin shows all
    double rigid;                // how much of the input pose hair should show
} stage;

// Each third chain's first joint has an input of its own, and with `weights` chains show as much as they do in turn.
static void open_stage(stage *s, bool weights)
{
    static const float turns[] = {1.0f, 0.5f, 0.0f, 0.25f};
    *s = (stage){.avatar = sample_avatar(0)};
    s->counts.struct_size = sizeof s->counts;
    vrm_avatar_get_counts(s->avatar, &s->counts);
    CHECK(s->counts.spring_joints <= MOST_JOINTS);
    s->instance = instance_with_hair_inputs(s->avatar);
    s->twin = instance_with_hair_inputs(s->avatar);
    for (uint32_t c = 0; c < s->counts.spring_chains; ++c) {
        vrm_spring_chain chain = {.struct_size = sizeof chain};
        CHECK_INT(vrm_avatar_get_spring_chain(s->avatar, c, &chain), VRM_SUCCESS);
        const float weight = weights ? turns[c % 4] : 1.0f;
        CHECK_INT(vrm_instance_set_chain_weight(s->instance, c, weight), VRM_SUCCESS);
        for (uint32_t j = chain.first_joint; j < chain.first_joint + chain.joint_count; ++j) {
            vrm_spring_joint joint = {.struct_size = sizeof joint};
            vrm_node node = {.struct_size = sizeof node};
            CHECK_INT(vrm_avatar_get_spring_joint(s->avatar, j, &joint), VRM_SUCCESS);
            CHECK_INT(vrm_avatar_get_node(s->avatar, joint.node, &node), VRM_SUCCESS);
            s->weight[j] = weight;
            s->input[j] = node.rest.rotation;
            if (c % 3 == 0 && j == chain.first_joint) {
                s->input[j] = bent;
                CHECK_INT(vrm_instance_set_rotation(s->instance, joint.node, &bent), VRM_SUCCESS);
                CHECK_INT(vrm_instance_set_rotation(s->twin, joint.node, &bent), VRM_SUCCESS);
            }
        }
    }
}

static void close_stage(stage *s)
{
    vrm_instance_destroy(s->instance);
    vrm_instance_destroy(s->twin);
    vrm_avatar_release(s->avatar);
}

// The same frame for both. Where hair is simulated again after it was rigid it starts from rest: so does the twin's.
static void play(stage *s, scene what, int i, uint32_t left_out)
{
    const bool wanted = vrm_instance_get_lod(s->instance) == VRM_LOD_RIGID;
    vrm_update_params params;
    vrm_update_params_default(&params);
    params.dt = frame;
    params.stages &= ~left_out;
    perform(s->instance, what, i / 60.0);
    perform(s->twin, what, i / 60.0);
    if (!wanted && s->rigid == 1.0) {
        vrm_instance_reset_springs(s->twin);
    }
    const double rigid = s->rigid + (wanted ? 1.0 : -1.0) / FADE;
    s->rigid = rigid > 1.0 - 1e-6 ? 1.0 : (rigid < 1e-6 ? 0.0 : rigid);
    vrm_update(s->instance, &params);
    vrm_update(s->twin, &params);
}

static void slerp(vrm_quat a, vrm_quat b, double part, double *out)
{
    const double p[4] = {(double)a.x, (double)a.y, (double)a.z, (double)a.w};
    const double q[4] = {(double)b.x, (double)b.y, (double)b.z, (double)b.w};
    double dot = 0;
    for (int k = 0; k < 4; ++k) {
        dot += p[k] * q[k];
    }
    const double sign = dot < 0 ? -1 : 1, angle = acos(fmin(1.0, sign * dot));
    const double from = angle < 1e-6 ? 1 - part : sin((1 - part) * angle) / sin(angle);
    const double to = angle < 1e-6 ? part : sin(part * angle) / sin(angle);
    for (int k = 0; k < 4; ++k) {
        out[k] = from * p[k] + sign * to * q[k];
    }
}

// Farthest component of a joint's rotation from what it should be.
static double farthest_joint(const stage *s)
{
    vrm_outputs x = {.struct_size = sizeof x}, y = {.struct_size = sizeof y};
    vrm_instance_get_outputs(s->instance, &x);
    vrm_instance_get_outputs(s->twin, &y);
    double farthest = 0;
    for (uint32_t j = 0; j < s->counts.spring_joints; ++j) {
        vrm_spring_joint joint = {.struct_size = sizeof joint};
        CHECK_INT(vrm_avatar_get_spring_joint(s->avatar, j, &joint), VRM_SUCCESS);
        const vrm_quat shown = pose_of(s->instance, joint.node).rotation;
        const double is[4] = {(double)shown.x, (double)shown.y, (double)shown.z, (double)shown.w};
        double wanted[4], same = 0, opposite = 0;
        slerp(s->input[j], pose_of(s->twin, joint.node).rotation, (double)s->weight[j] * (1.0 - s->rigid), wanted);
        for (int k = 0; k < 4; ++k) {
            same = fmax(same, fabs(is[k] - wanted[k]));
            opposite = fmax(opposite, fabs(is[k] + wanted[k]));
        }
        farthest = fmax(farthest, fmin(same, opposite));
    }
    return farthest;
}

static bool is_input(const stage *s)
{
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(s->instance, &out);
    bool all = true;
    for (uint32_t j = 0; j < s->counts.spring_joints; ++j) {
        vrm_spring_joint joint = {.struct_size = sizeof joint};
        vrm_transform input;
        CHECK_INT(vrm_avatar_get_spring_joint(s->avatar, j, &joint), VRM_SUCCESS);
        CHECK_INT(vrm_instance_get_local(s->instance, joint.node, &input), VRM_SUCCESS);
        const vrm_quat shown = pose_of(s->instance, joint.node).rotation;
        all = all && memcmp(&shown, &input.rotation, sizeof shown) == 0;
    }
    return all;
}

static void tails_of(const stage *s, const vrm_instance *instance, vrm_dvec3 *out)
{
    CHECK_INT(vrm_instance_get_spring_tails(instance, out, out + MOST_JOINTS, s->counts.spring_joints), VRM_SUCCESS);
}

// When levels change: out of hair's motion, half way back and forth, rigid for long while the avatar is thrown away, back.
static const struct {
    int frame;
    vrm_lod level;
} changes[] = {{50, VRM_LOD_RIGID}, {60, VRM_LOD_FULL}, {75, VRM_LOD_RIGID}, {90, VRM_LOD_SLEEP}, {95, VRM_LOD_RIGID},
    {230, VRM_LOD_SLEEP}, {240, VRM_LOD_RIGID}, {300, VRM_LOD_FULL}};
enum { FRAMES = 360, CHANGES = sizeof changes / sizeof changes[0] };

static void change(vrm_instance *instance, int i)
{
    for (int k = 0; k < CHANGES; ++k) {
        if (changes[k].frame == i) {
            CHECK_INT(vrm_instance_set_lod(instance, changes[k].level), VRM_SUCCESS);
        }
    }
}

static void fades_beside_its_twin(scene what, bool weights, bool without_pose)
{
    static vrm_dvec3 before[2 * MOST_JOINTS], now[2 * MOST_JOINTS], twins[2 * MOST_JOINTS];
    stage s;
    open_stage(&s, weights);
    double farthest = 0, worst = 0, moved = 0;
    int rigid_frames = 0;
    for (int i = 0; i < FRAMES; ++i) {
        const bool was_rigid = s.rigid == 1.0;
        change(s.instance, i);
        play(&s, what, i, without_pose && i % 3 == 1 ? (uint32_t)VRM_STAGE_POSE : 0u);
        farthest = fmax(farthest, farthest_joint(&s));
        vrm_outputs out = {.struct_size = sizeof out};
        vrm_instance_get_outputs(s.instance, &out);
        worst = fmax(worst, error_of_tree(s.instance));
        tails_of(&s, s.instance, now);
        if (s.rigid == 1.0) { // springs have nothing to do: their state is what it was
            CHECK(is_input(&s));
            CHECK(!was_rigid || memcmp(before, now, sizeof now) == 0);
            tails_of(&s, s.twin, twins);
            moved = fmax(moved, fabs(twins[0].x - now[0].x));
            ++rigid_frames;
        }
        memcpy(before, now, sizeof before);
    }
    printf("%s%s%s: off the mixed pose by %.2g, off the tree by %.2g m; %d frames rigid\n", scene_names[what],
        weights ? ", weights" : "", without_pose ? ", without poses" : "", farthest, worst, rigid_frames);
    CHECK(farthest < 2e-5);
    CHECK(worst < 3e-6);
    CHECK(rigid_frames > 100);
    CHECK(moved > 0.001);
    close_stage(&s);
}

static void fades_and_follows(void)
{
    for (int what = 0; what < SCENES; ++what) {
        fades_beside_its_twin((scene)what, false, false);
    }
}

static void mixes_with_chain_weights(void)
{
    fades_beside_its_twin(THROW, true, false);
}

static void without_new_poses(void)
{
    fades_beside_its_twin(TURN, false, true);
    fades_beside_its_twin(TURN, true, true);
}

// --- no jump -----------------------------------------------------------------------------------------------------------

static double degrees_between(vrm_quat a, vrm_quat b)
{
    const double p[4] = {(double)a.x, (double)a.y, (double)a.z, (double)a.w};
    const double q[4] = {(double)b.x, (double)b.y, (double)b.z, (double)b.w};
    double apart = 0, together = 0;
    for (int k = 0; k < 4; ++k) {
        apart += (p[k] - q[k]) * (p[k] - q[k]);
        together += (p[k] + q[k]) * (p[k] + q[k]);
    }
    return 57.29577951 * 4 * asin(fmin(1.0, sqrt(fmin(apart, together)) / 2));
}

static double largest_turn(const stage *s, vrm_quat *before)
{
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(s->instance, &out);
    double largest = 0;
    for (uint32_t j = 0; j < s->counts.spring_joints; ++j) {
        vrm_spring_joint joint = {.struct_size = sizeof joint};
        CHECK_INT(vrm_avatar_get_spring_joint(s->avatar, j, &joint), VRM_SUCCESS);
        largest = fmax(largest, degrees_between(pose_of(s->instance, joint.node).rotation, before[j]));
        before[j] = pose_of(s->instance, joint.node).rotation;
    }
    return largest;
}

// Where a fade begins or ends no joint turns farther in a frame than its neighbours in time and a thirtieth of all that it
// fades by let it. Hair with an input of its own would jump by 23 degrees.
static void does_not_jump(void)
{
    enum { OUT = 60, BACK = 150, LAST = 220 };
    for (int what = 0; what < SCENES; ++what) {
        vrm_quat before[MOST_JOINTS] = {{0.0f, 0.0f, 0.0f, 0.0f}};
        double turn[LAST];
        stage s;
        open_stage(&s, false);
        for (int i = 0; i < LAST; ++i) {
            if (i == OUT || i == BACK) {
                CHECK_INT(vrm_instance_set_lod(s.instance, i == OUT ? VRM_LOD_RIGID : VRM_LOD_FULL), VRM_SUCCESS);
            }
            play(&s, (scene)what, i, 0);
            turn[i] = largest_turn(&s, before);
        }
        double beyond = 0;
        const int edges[] = {OUT, OUT + FADE, BACK, BACK + FADE};
        for (size_t e = 0; e < sizeof edges / sizeof edges[0]; ++e) {
            for (int i = edges[e] - 1; i <= edges[e] + 1; ++i) {
                const double around = fmax(fmax(turn[i - 4], turn[i - 3]), fmax(turn[i + 3], turn[i + 4]));
                beyond = fmax(beyond, turn[i] - around);
            }
        }
        printf("%s: at the ends of fades at most %.2f degrees beyond the frames around\n", scene_names[what], beyond);
        CHECK(beyond < 1.5);
        close_stage(&s);
    }
}

// --- what else -------------------------------------------------------------------------------------------------------

// No change of a node goes uncounted, at any level and between them: with a body that moves and one that stands, inputs of
// hair that change, and updates in which no time passes.
static void changes_are_counted(void)
{
    stage s;
    open_stage(&s, true);
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(s.instance, &out);
    vrm_mat34 *before = calloc(out.node_count, sizeof *before);
    int uncounted = 0, changed = 0, at_rest = 0;
    for (int i = 0; i < FRAMES; ++i) {
        change(s.instance, i);
        if (i / 20 % 2 == 0) {
            perform(s.instance, WALK, i / 60.0);
        }
        if (i % 7 == 0) {
            vrm_spring_joint joint = {.struct_size = sizeof joint};
            const vrm_quat turned = {0.0f, 0.01f * (float)(i % 20), 0.1f, 1.0f};
            CHECK_INT(vrm_avatar_get_spring_joint(s.avatar, (uint32_t)i % s.counts.spring_joints, &joint), VRM_SUCCESS);
            CHECK_INT(vrm_instance_set_rotation(s.instance, joint.node, &turned), VRM_SUCCESS);
        }
        vrm_update_dt(s.instance, i % 5 == 0 ? 0.0f : frame);
        vrm_instance_get_outputs(s.instance, &out);
        int now = 0;
        for (uint32_t n = 0; n < out.node_count; ++n) {
            const bool differs = memcmp(&before[n], &out.world[n], sizeof *before) != 0;
            now += differs;
            uncounted += differs && (out.node_changes.bits[n / 32] >> n % 32 & 1u) == 0;
        }
        changed += now;
        at_rest += now == 0;
        memcpy(before, out.world, out.node_count * sizeof *before);
    }
    CHECK_INT(uncounted, 0);
    CHECK(changed > 10000 && at_rest > 50);
    free(before);
    close_stage(&s);
}

// A snapshot at any moment of a fade goes on with the same bits in another instance.
static void restores_within_a_fade(void)
{
    static const int moments[] = {50, 51, 58, 65, 80, 92, 100, 200, 230, 231, 238, 245, 299, 300, 310};
    static vrm_dvec3 x[2 * MOST_JOINTS], y[2 * MOST_JOINTS];
    for (size_t m = 0; m < sizeof moments / sizeof moments[0]; ++m) {
        stage s;
        open_stage(&s, true);
        vrm_instance *other = instance_with_hair_inputs(s.avatar);
        for (int i = 0; i < FRAMES; ++i) {
            change(s.instance, i);
            if (i == moments[m]) {
                size_t size = 0;
                CHECK_INT(vrm_instance_snapshot(s.instance, NULL, &size), VRM_SUCCESS);
                void *bytes = malloc(size);
                CHECK_INT(vrm_instance_snapshot(s.instance, bytes, &size), VRM_SUCCESS);
                CHECK_INT(vrm_instance_restore(other, bytes, size), VRM_SUCCESS);
                free(bytes);
            }
            perform(s.instance, THROW, i / 60.0);
            vrm_update_dt(s.instance, frame);
            if (i < moments[m]) {
                continue;
            }
            if (i > moments[m]) {
                change(other, i);
            }
            perform(other, THROW, i / 60.0);
            vrm_update_dt(other, frame);
            vrm_outputs a = {.struct_size = sizeof a}, b = {.struct_size = sizeof b};
            vrm_instance_get_outputs(s.instance, &a);
            vrm_instance_get_outputs(other, &b);
            tails_of(&s, s.instance, x);
            tails_of(&s, other, y);
            if (memcmp(a.world, b.world, a.node_count * sizeof *a.world) != 0 || memcmp(x, y, sizeof x) != 0) {
                printf("restored at frame %d it differs in frame %d\n", moments[m], i);
                ++test_failures;
                break;
            }
        }
        vrm_instance_destroy(other);
        close_stage(&s);
    }
}

// Both halves in one update or apart give the same bits through all fades; so do fades while springs are paused.
static void halves_are_the_whole(void)
{
    stage s;
    open_stage(&s, true);
    for (uint32_t c = 0; c < s.counts.spring_chains; ++c) {
        CHECK_INT(vrm_instance_set_chain_weight(s.twin, c, s.weight[0] * 0.5f), VRM_SUCCESS);
        CHECK_INT(vrm_instance_set_chain_weight(s.instance, c, s.weight[0] * 0.5f), VRM_SUCCESS);
    }
    vrm_update_params params;
    vrm_update_params_default(&params);
    params.dt = frame;
    for (int i = 0; i < FRAMES; ++i) {
        vrm_spring_params settings = {.struct_size = sizeof settings};
        vrm_instance_get_spring_params(s.instance, &settings);
        settings.paused = i / 25 % 4 == 3;
        vrm_instance *const both[] = {s.instance, s.twin};
        for (int k = 0; k < 2; ++k) {
            change(both[k], i);
            CHECK_INT(vrm_instance_set_spring_params(both[k], &settings), VRM_SUCCESS);
            perform(both[k], THROW, i / 60.0);
        }
        vrm_update(s.instance, &params);
        vrm_update_pose(s.twin, &params);
        vrm_update_secondary(s.twin, &params);
        vrm_outputs a = {.struct_size = sizeof a}, b = {.struct_size = sizeof b};
        vrm_instance_get_outputs(s.instance, &a);
        vrm_instance_get_outputs(s.twin, &b);
        CHECK(memcmp(a.world, b.world, a.node_count * sizeof *a.world) == 0);
    }
    close_stage(&s);
}

static const test_case cases[] = {
    {"fades_and_follows", fades_and_follows},
    {"mixes_with_chain_weights", mixes_with_chain_weights},
    {"without_new_poses", without_new_poses},
    {"does_not_jump", does_not_jump},
    {"changes_are_counted", changes_are_counted},
    {"restores_within_a_fade", restores_within_a_fade},
    {"halves_are_the_whole", halves_are_the_whole},
};
RUN_TESTS(cases)
