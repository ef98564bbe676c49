// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// A motion that animates nodes which are not bones, above the hips and between two bones. The clip's bones must follow
// these nodes, at keys and between them, as in the scene composed in double. (A bug once flipped a fall written by
// another tool by 153 degrees; its translation was in the root.)

#include <math.h>
#include <stdlib.h>

#include <vrm/vrm.h>

#include "held_skeleton.h"
#include "reference_math.h"
#include "test.h"

enum { MOST_KEYS = 5, CHANNELS = 7 };

typedef struct key_list {
    int node;
    const char *path; // translation, rotation or scale
    int count;
    double times[MOST_KEYS];
    double values[MOST_KEYS][4]; // rotations: the axis times the angle
    bool steps;
} key_list;

static const key_list keys[CHANNELS] = {
    {HELD_WORLD, "rotation", 3, {0, 1, 2}, {{0, 0.2, 0}, {1.2, 0.9, 0}, {2.4, 1.3, 0.4}}, false},
    {HELD_WORLD, "translation", 2, {0.3, 1.9}, {{0, 0, 0}, {2, 0.5, -1}}, false},
    {HELD_ARMATURE, "scale", 2, {0, 2}, {{0.5, 0.5, 0.5}, {0.7, 0.7, 0.7}}, false},
    {0, "rotation", 4, {0, 0.5, 1.2, 2}, {{0, 0, 1}, {0, 1, 1}, {1, 1, 0}, {0.3, 0, 0.2}}, false},
    {0, "translation", 3, {0, 0.8, 1.6}, {{0, 1.8, 0.1}, {0.3, 1.2, 0}, {0, 0.4, -0.2}}, false},
    {HELD_TWIST, "rotation", 3, {0.1, 0.9, 1.7}, {{0.3, 0, 0}, {1.5, 0, 0}, {-1, 0.2, 0}}, false},
    {HELD_LOWER_ARM, "rotation", 3, {0, 1, 2}, {{0, 0.5, 0}, {0, 2, 0.3}, {0, 0.1, 0.9}}, false},
};

static ref_quat turn_of(const double *v)
{
    const ref_vec axis = ref_v(v[0], v[1], v[2]);
    const double angle = ref_length(axis);
    return angle > 0 ? ref_axis_angle(ref_scale(axis, 1 / angle), angle) : (ref_quat){{0, 0, 0, 1}};
}

// --- the file --------------------------------------------------------------------------------------------------------

static void add_channel(gltf_builder *b, const key_list *list, char *samplers, char *channels, size_t size)
{
    float times[MOST_KEYS], values[MOST_KEYS * 4];
    const bool rotates = list->path[0] == 'r';
    const uint32_t width = rotates ? 4 : 3;
    for (int i = 0; i < list->count; ++i) {
        const ref_quat q = turn_of(list->values[i]);
        times[i] = (float)list->times[i];
        for (uint32_t k = 0; k < width; ++k) {
            values[(uint32_t)i * width + k] = (float)(rotates ? q.q[k] : list->values[i][k]);
        }
    }
    char range[96];
    snprintf(range, sizeof range, ",\"min\":[%.9g],\"max\":[%.9g]", (double)times[0], (double)times[list->count - 1]);
    const uint32_t count = (uint32_t)list->count;
    const uint32_t input = gltf_builder_accessor(b, times, count * sizeof(float), 5126, count, "SCALAR", range);
    const uint32_t output = gltf_builder_floats(b, values, count * width, count, rotates ? "VEC4" : "VEC3");
    const size_t s = strlen(samplers), c = strlen(channels);
    const int index = (int)(s > 0 ? 1 : 0);
    snprintf(samplers + s, size - s, "%s{\"input\":%u,\"output\":%u%s}", index ? "," : "", input, output,
        list->steps ? ",\"interpolation\":\"STEP\"" : "");
    int before = 0;
    for (const char *at = channels; (at = strstr(at, "\"sampler\"")) != NULL; ++at) {
        ++before;
    }
    snprintf(channels + c, size - c, "%s{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}", index ? "," : "",
        before, list->node, list->path);
}

static vrm_clip *load_clip(const key_list *lists, int count)
{
    gltf_builder b = {0};
    char samplers[2048] = "", channels[2048] = "", animation[4200];
    held_skeleton(&b);
    for (int i = 0; i < count; ++i) {
        add_channel(&b, &lists[i], samplers, channels, sizeof samplers);
    }
    snprintf(animation, sizeof animation, "[{\"samplers\":[%s],\"channels\":[%s]}]", samplers, channels);
    gltf_builder_member(&b, "animations", animation);
    size_t size;
    uint8_t *glb = gltf_builder_glb(&b, &size);
    gltf_builder_free(&b);
    vrm_gltf *gltf = NULL;
    vrm_clip *clip = NULL;
    CHECK_INT(vrm_gltf_load(NULL, glb, size, NULL, &gltf), VRM_SUCCESS);
    CHECK_INT(vrm_clip_import(NULL, gltf, NULL, &clip), VRM_SUCCESS);
    vrm_gltf_destroy(gltf);
    free(glb);
    return clip;
}

// --- the reference ---------------------------------------------------------------------------------------------------

typedef struct placed {
    ref_quat rotation;
    ref_vec position;
} placed;

static const double rest_values[HELD_NODES][10] = {
    [HELD_WORLD] = {0.1, 0, 0.2, 0, 0.6, 0, 0.8, 1, 1, 1},
    [HELD_ARMATURE] = {0, 0, 0, -0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5},
    [HELD_TWIST] = {0.1, 0, 0, 0.28, 0, 0, 0.96, 1, 1, 1},
    [0] = {0, 1.8, 0.1, 0, 0, 0.6, 0.8, 1, 1, 1},
};

// Returns a node's pose at a time, or at rest if the time is below 0. Rotations and positions can be computed
// separately, because the file's scales are uniform.
static placed place_node(const key_list *lists, int count, int node, double time)
{
    int parents[HELD_NODES];
    held_parents(parents);
    placed out = {{{0, 0, 0, 1}}, ref_v(0, 0, 0)};
    for (; node >= 0; node = parents[node]) {
        static const double others[10] = {0.05, 0.3, 0.1, 0, 0.28, 0, 0.96, 1, 1, 1};
        const bool known = rest_values[node][6] > 0;
        const double *r = known ? rest_values[node] : others;
        ref_vec t = ref_v(r[0], r[1], r[2]);
        ref_quat q = {{r[3], r[4], r[5], r[6]}};
        double scale = r[7];
        for (int i = 0; i < count && time >= 0; ++i) {
            const key_list *l = &lists[i];
            if (l->node != node) {
                continue;
            }
            int k = 0;
            while (k + 2 < l->count && time >= l->times[k + 1]) {
                ++k;
            }
            const double along = fmin(fmax((time - l->times[k]) / (l->times[k + 1] - l->times[k]), 0), 1);
            const double part = l->steps ? floor(along) : along;
            const double *a = l->values[k], *b = l->values[k + 1];
            const ref_vec v =
                ref_v(a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part, a[2] + (b[2] - a[2]) * part);
            t = l->path[0] == 't' ? v : t;
            scale = l->path[0] == 's' ? v.v[0] : scale;
            q = l->path[0] == 'r' ? ref_slerp(turn_of(a), turn_of(b), part) : q;
        }
        out.rotation = ref_mul(q, out.rotation);
        out.position = ref_add(t, ref_rotate(q, ref_scale(out.position, scale)));
    }
    return out;
}

static ref_quat turned(const key_list *lists, int count, int node, double time)
{
    return ref_mul(
        place_node(lists, count, node, time).rotation, ref_inverse(place_node(lists, count, node, -1).rotation));
}

// --- cases -----------------------------------------------------------------------------------------------------------

static void check_clip(const key_list *lists, int count)
{
    vrm_clip *clip = load_clip(lists, count);
    double turn_off = 0, place_off = 0;
    for (int i = 0; i <= 300; ++i) {
        const double time = i * 2.0 / 300;
        vrm_clip_pose pose = {.struct_size = sizeof pose};
        vrm_clip_sample(clip, (float)time, &pose);
        const ref_quat hips = turned(lists, count, 0, time), arm = turned(lists, count, 9, time);
        const ref_quat lower = ref_mul(ref_inverse(arm), turned(lists, count, HELD_LOWER_ARM, time));
        turn_off = fmax(turn_off, ref_angle(hips, ref_quat_of(pose.rotations[VRM_HUMAN_BONE_HIPS])));
        turn_off = fmax(turn_off, ref_angle(lower, ref_quat_of(pose.rotations[VRM_HUMAN_BONE_LEFT_LOWER_ARM])));
        const ref_vec place = place_node(lists, count, 0, time).position;
        place_off = fmax(place_off, ref_length(ref_sub(place, ref_vec_of(pose.hips))));
    }
    printf("%d channels: bones within %.3f degrees, hips within %.3f mm of the scene\n", count, turn_off * 180 / REF_PI,
        place_off * 1e3);
    CHECK(turn_off < 0.05 * REF_PI / 180);
    CHECK(place_off < 2e-4);
    vrm_clip_release(clip);
}

static void nodes_above_bones_move_them(void)
{
    check_clip(keys, CHANNELS);
}

// The whole movement may be in the root, without a track for the hips.
static void a_root_alone_moves_the_hips(void)
{
    check_clip(keys, 2);
    check_clip(keys, 1);
}

// Tools write a track for every node. If the track of a node above a bone never leaves the rest pose, the
// bone keeps its own keys.
static void tracks_that_stand_still_change_nothing(void)
{
    const key_list still = {HELD_ARMATURE, "scale", 2, {0, 2}, {{0.5, 0.5, 0.5}, {0.5, 0.5, 0.5}}, false};
    const key_list lists[] = {keys[3], keys[4], still};
    vrm_clip *clip = load_clip(lists, 3);
    vrm_clip_info info = {.struct_size = sizeof info};
    vrm_clip_get_info(clip, &info);
    CHECK_INT(info.keys, 7);
    vrm_clip_release(clip);
    check_clip(lists, 3);
}

// If a node above a bone jumps at a key, the bone jumps, too.
static void steps_stay_steps(void)
{
    key_list jump = {HELD_WORLD, "translation", 3, {0, 1, 2}, {{0, 0, 0}, {3, 0, 0}, {3, 0, 1}}, true};
    const key_list lists[] = {keys[3], jump};
    check_clip(lists, 2);
}

static const test_case cases[] = {
    {"nodes_above_bones_move_them", nodes_above_bones_move_them},
    {"a_root_alone_moves_the_hips", a_root_alone_moves_the_hips},
    {"tracks_that_stand_still_change_nothing", tracks_that_stand_still_change_nothing},
    {"steps_stay_steps", steps_stay_steps},
};

RUN_TESTS(cases)
