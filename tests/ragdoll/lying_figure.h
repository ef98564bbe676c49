// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef TESTS_LYING_FIGURE_H
#define TESTS_LYING_FIGURE_H

// Figures in six ways of lying, and the poses of the clips with which they get up.

#include <vrm/vrm.h>

#include "figure_shapes.h"
#include "minimal_sample.h"
#include "plain_instance.h"
#include "reference_math.h"
#include "test.h"

#define DEGREES (REF_PI / 180)
#define BONE(name) VRM_HUMAN_BONE_##name

typedef struct figure {
    vrm_bytes bytes;
    vrm_gltf *gltf;
    vrm_avatar *avatar;
    vrm_instance *instance;
    vrm_get_up_body *body;
    double height, leg, hips; // hips: their height at rest
} figure;

static inline vrm_vec3 rest_of(const figure *f, int bone)
{
    vrm_node node = {.struct_size = sizeof node};
    CHECK_INT(
        vrm_avatar_get_node(f->avatar, (uint32_t)vrm_avatar_get_bone_node(f->avatar, (vrm_human_bone)bone), &node),
        VRM_SUCCESS);
    return node.rest_position;
}

// Opens a figure. If `made` is not 0, it is a generated figure, whose skeleton is stretched in its skin. Otherwise it
// is the file, or the sample if `path` is NULL.
static inline bool open_figure(figure *f, const char *path, uint32_t made)
{
    *f = (figure){0};
    vrm_result result = VRM_SUCCESS;
    if (path == NULL) {
        result = made == 0 ? scene_minimal_sample(0, &f->bytes) : scene_figure_create(made, &f->bytes);
        result = result == VRM_SUCCESS ? vrm_gltf_load(NULL, f->bytes.data, f->bytes.size, NULL, &f->gltf) : result;
    } else {
        result = vrm_gltf_load_file(NULL, path, NULL, &f->gltf);
    }
    if (result != VRM_SUCCESS) {
        CHECK(path != NULL);
        return false;
    }
    CHECK_INT(vrm_avatar_import(NULL, f->gltf, NULL, &f->avatar), VRM_SUCCESS);
    f->instance = plain_instance(f->avatar);
    vrm_get_up_body_def def;
    vrm_get_up_body_def_default(&def);
    def.avatar = f->avatar;
    def.gltf = f->gltf;
    CHECK_INT(vrm_get_up_body_create(&def, &f->body), VRM_SUCCESS);
    f->hips = (double)rest_of(f, BONE(HIPS)).y;
    f->height = (double)rest_of(f, BONE(HEAD)).y * 8 / 7;
    f->leg = (double)(rest_of(f, BONE(LEFT_UPPER_LEG)).y - rest_of(f, BONE(LEFT_FOOT)).y);
    return true;
}

static inline void build_bodies(const figure *f, vrm_ragdoll_def *out)
{
    out->struct_size = sizeof *out;
    CHECK_INT(vrm_ragdoll_def_build(f->avatar, f->gltf, NULL, NULL, out), VRM_SUCCESS);
}

static inline void close_figure(figure *f)
{
    vrm_get_up_body_destroy(f->body);
    vrm_instance_destroy(f->instance);
    vrm_avatar_release(f->avatar);
    vrm_gltf_destroy(f->gltf);
    vrm_bytes_free(&f->bytes);
}

static inline ref_quat about(double x, double y, double z, double degrees)
{
    return ref_axis_angle(ref_v(x, y, z), degrees * DEGREES);
}

static inline void turn(const figure *f, int bone, ref_quat q)
{
    const vrm_quat turned = {(float)q.q[0], (float)q.q[1], (float)q.q[2], (float)q.q[3]};
    CHECK_INT(vrm_instance_set_normalized_rotation(f->instance, (vrm_human_bone)bone, &turned), VRM_SUCCESS);
}

// Poses the figure so that it lies, sits or kneels. One leg is slightly higher than the other.
static inline void lie(const figure *f, vrm_get_up_way way, double heading, double side)
{
    static const double heights[6] = {0.075, 0.075, 0.11, 0.11, 0.08, 0};
    const bool on_side = way == VRM_GET_UP_FROM_LEFT || way == VRM_GET_UP_FROM_RIGHT;
    ref_quat hips = about(1, 0, 0, way == VRM_GET_UP_FROM_BACK ? -90 : 90);
    hips = on_side ? ref_mul(hips, about(0, 1, 0, way == VRM_GET_UP_FROM_RIGHT ? 90 : -90)) : hips;
    hips = way == VRM_GET_UP_FROM_SITTING ? about(1, 0, 0, -12) : hips;
    hips = way == VRM_GET_UP_FROM_KNEELING ? about(1, 0, 0, 6) : hips;
    turn(f, BONE(HIPS), ref_mul(about(0, 1, 0, side * heading), hips));
    for (int s = 0; s < 2; ++s) {
        const bool uneven = (s == 1) == (side > 0); // this side's leg is slightly higher
        const double out = s == 0 ? 1 : -1;
        const ref_quat forward = about(0, 1, 0, on_side ? -out * 65 : 0);
        turn(f, BONE(LEFT_UPPER_ARM) + (s == 0 ? 0 : BONE(RIGHT_UPPER_ARM) - BONE(LEFT_UPPER_ARM)),
            ref_mul(forward, about(0, 0, 1, -out * (on_side ? 5 : 50))));
        double thigh = on_side ? (uneven ? 30 : 20) : (uneven ? 12 : 6),
               knee = on_side ? 40 : (way == VRM_GET_UP_FROM_BACK ? 14 : 4);
        thigh = way == VRM_GET_UP_FROM_FRONT ? (uneven ? -5 : -1) : thigh;
        thigh = way == VRM_GET_UP_FROM_SITTING ? (uneven ? 82 : 74) : thigh;
        thigh = way == VRM_GET_UP_FROM_KNEELING ? (uneven ? 8 : 4) : thigh;
        knee = way == VRM_GET_UP_FROM_KNEELING ? 96 : knee;
        const int leg = s == 0 ? BONE(LEFT_UPPER_LEG) : BONE(RIGHT_UPPER_LEG);
        turn(f, leg, about(1, 0, 0, -thigh));
        turn(f, leg + 1, about(1, 0, 0, knee));
        turn(f, leg + 2, about(1, 0, 0, way == VRM_GET_UP_FROM_FRONT || way == VRM_GET_UP_FROM_KNEELING ? 45 : 0));
    }
    const double kneels = f->leg * 0.5 + 0.05 * f->height + f->hips - (double)rest_of(f, BONE(LEFT_UPPER_LEG)).y;
    const vrm_vec3 place = {
        (float)(side * 0.4), (float)(way == VRM_GET_UP_FROM_KNEELING ? kneels : heights[way] * f->height), -0.3f};
    CHECK_INT(vrm_instance_set_hips_position(f->instance, &place), VRM_SUCCESS);
    vrm_update_dt(f->instance, 0.0f);
}

static inline vrm_clip *clip_of(const figure *f, vrm_get_up_way *out_way)
{
    vrm_clip *clip = NULL;
    CHECK_INT(vrm_get_up_create_clip(f->body, f->instance, NULL, out_way, &clip), VRM_SUCCESS);
    return clip;
}

static inline void show(const figure *f, const vrm_clip_pose *pose)
{
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        (void)vrm_instance_set_normalized_rotation(f->instance, (vrm_human_bone)bone, &pose->rotations[bone]);
    }
    CHECK_INT(vrm_instance_set_hips_position(f->instance, &pose->hips), VRM_SUCCESS);
    vrm_update_dt(f->instance, 0.0f);
}

static inline ref_vec shown_place(const figure *f, int bone)
{
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(f->instance, &out);
    const vrm_world *w = &out.world[vrm_avatar_get_bone_node(f->avatar, (vrm_human_bone)bone)];
    return ref_v(
        (double)w->m[0][3] + out.origin.x, (double)w->m[1][3] + out.origin.y, (double)w->m[2][3] + out.origin.z);
}

#endif
