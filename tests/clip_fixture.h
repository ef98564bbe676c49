// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef TESTS_CLIP_FIXTURE_H
#define TESTS_CLIP_FIXTURE_H

// Made clips of every interpolation, and the sample avatar that plays them.

#include <math.h>
#include <stdlib.h>

#include <vrm/vrm.h>

#include "model/clip.h"
#include "plain_quat.h"
#include "sample_avatar.h"
#include "test.h"

#define BONE(name) VRM_HUMAN_BONE_##name

static inline vrm_quat about(double x, double y, double z, double angle)
{
    const double s = sin(angle / 2) / sqrt(x * x + y * y + z * z);
    return (vrm_quat){(float)(x * s), (float)(y * s), (float)(z * s), (float)cos(angle / 2)};
}

static inline double apart(vrm_quat a, vrm_quat b)
{
    const double aa[4] = {a.x, a.y, a.z, a.w}, bb[4] = {b.x, b.y, b.z, b.w};
    double minus = 0, plus = 0;
    for (int i = 0; i < 4; ++i) {
        minus += (aa[i] - bb[i]) * (aa[i] - bb[i]);
        plus += (aa[i] + bb[i]) * (aa[i] + bb[i]);
    }
    return 2 * sqrt(minus < plus ? minus : plus);
}

// --- made clips ------------------------------------------------------------------------------------------------------

static inline double noise(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / 16777216.0;
}

static const int moved[] = {BONE(HIPS), BONE(SPINE), BONE(UPPER_CHEST), BONE(HEAD), BONE(LEFT_UPPER_ARM),
    BONE(RIGHT_UPPER_ARM), BONE(LEFT_LOWER_ARM), BONE(RIGHT_LOWER_LEG)};
enum { MOVED = sizeof moved / sizeof *moved, KEYS = 7 };

static inline void add_keys(
    vrmi_clip_builder *b, uint32_t kind, uint32_t target, uint32_t interpolation, uint32_t *seed)
{
    const vrmi_clip_track track = {.kind = kind, .target = target, .interpolation = interpolation, .key_count = KEYS};
    float *t, *v;
    CHECK(vrmi_clip_builder_track(b, &track, &t, &v));
    const uint32_t width = vrmi_track_width(kind), parts = interpolation == VRMI_CUBIC ? 3 : 1;
    for (uint32_t key = 0; key < KEYS; ++key) {
        t[key] = 0.1f + 0.3f * (float)key;
        for (uint32_t i = 0; i < width * parts; ++i) {
            v[(size_t)key * width * parts + i] = (float)(noise(seed) - 0.5) + (i % width == 3 ? 1.0f : 0.0f) -
                                                 (parts == 3 && i % width == 3 && i / width != 1 ? 1.0f : 0.0f);
        }
    }
    CHECK_INT(vrmi_clip_builder_finish(b), 0);
}

// A T-pose: what hangs on an arm lies along X, what hangs on a leg along -Y.
static inline vrm_vec3 rest_of(int bone)
{
    if (bone == BONE(HIPS)) {
        return (vrm_vec3){0.0f, 0.9f, 0.0f};
    }
    const char *name = vrm_human_bone_name((vrm_human_bone)bone);
    const float side = strncmp(name, "left", 4) == 0 ? 1.0f : (strncmp(name, "right", 5) == 0 ? -1.0f : 0.0f);
    const bool leg = strstr(name, "Leg") != NULL || strstr(name, "Foot") != NULL || strstr(name, "Toes") != NULL;
    vrm_vec3 place = rest_of((int)vrm_human_bone_parent((vrm_human_bone)bone));
    place.x += side * (leg ? (strstr(name, "UpperLeg") != NULL ? 0.1f : 0.0f) : 0.12f);
    place.y += leg ? -0.25f : (side == 0.0f ? 0.1f : 0.0f);
    return place;
}

static inline vrm_clip *make_clip(uint32_t seed)
{
    vrmi_clip_builder b;
    vrmi_clip_builder_init(&b, NULL);
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        b.head.skeleton |= UINT64_C(1) << bone;
        b.head.rest[bone] = rest_of(bone);
    }
    b.head.rest[0] = b.head.hips_rest = (vrm_vec3){0.0f, 0.9f, 0.0f};
    for (uint32_t i = 0; i < MOVED; ++i) {
        add_keys(&b, VRMI_TRACK_ROTATION, (uint32_t)moved[i], i % 3, &seed);
    }
    add_keys(&b, VRMI_TRACK_HIPS, 0, VRMI_CUBIC, &seed);
    add_keys(&b, VRMI_TRACK_EXPRESSION, vrmi_clip_builder_expression(&b, "happy", 5, 0), VRMI_LINEAR, &seed);
    add_keys(&b, VRMI_TRACK_EXPRESSION,
        vrmi_clip_builder_expression(&b, "blinkLeft", 9, VRM_EXPRESSION_PRESET_BLINK_LEFT), VRMI_CUBIC, &seed);
    add_keys(&b, VRMI_TRACK_GAZE, 0, VRMI_LINEAR, &seed);
    vrm_clip *clip = NULL;
    CHECK_INT(vrmi_clip_pack(&b, &clip), VRM_SUCCESS);
    vrmi_clip_builder_free(&b);
    return clip;
}

// --- an avatar with a player -----------------------------------------------------------------------------------------

typedef struct stage {
    vrm_avatar *avatar;
    vrm_instance *instance;
    vrm_clip_player *player;
} stage;

// The sample is made and read once; every stage plays with the same avatar.
static inline const vrm_avatar *stage_avatar(void)
{
    static vrm_avatar *avatar;
    if (avatar == NULL) {
        avatar = sample_avatar(0);
    }
    return avatar;
}

static inline void set_stage(stage *s, uint32_t layers)
{
    s->avatar = vrm_avatar_retain((vrm_avatar *)stage_avatar());
    vrm_instance_def instance;
    vrm_instance_def_default(&instance);
    instance.avatar = s->avatar;
    CHECK_INT(vrm_instance_create(&instance, &s->instance), VRM_SUCCESS);
    vrm_clip_player_def player;
    vrm_clip_player_def_default(&player);
    player.avatar = s->avatar;
    player.layers = layers;
    CHECK_INT(vrm_clip_player_create(&player, &s->player), VRM_SUCCESS);
    CHECK_INT(vrm_instance_set_clip_player(s->instance, s->player), VRM_SUCCESS);
}

static inline void strike(stage *s)
{
    vrm_clip_player_destroy(s->player);
    vrm_instance_destroy(s->instance);
    vrm_avatar_release(s->avatar);
}

static inline vrm_quat shown(const stage *s, vrm_human_bone bone)
{
    vrm_outputs outputs;
    vrm_instance_get_outputs(s->instance, &outputs);
    // Normalized: N = P q W^-1, with P and W the rest rotations of the parent and of the bone in the model.
    vrm_node node, parent = {.rest_rotation = {0, 0, 0, 1}};
    const int32_t index = vrm_avatar_bone_node(s->avatar, bone);
    CHECK_INT(vrm_avatar_get_node(s->avatar, (uint32_t)index, &node), VRM_SUCCESS);
    if (node.parent >= 0) {
        CHECK_INT(vrm_avatar_get_node(s->avatar, (uint32_t)node.parent, &parent), VRM_SUCCESS);
    }
    const vrm_quat w = {-node.rest_rotation.x, -node.rest_rotation.y, -node.rest_rotation.z, node.rest_rotation.w};
    return times(times(parent.rest_rotation, outputs.local[index].rotation), w);
}

#endif
