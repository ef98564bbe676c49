// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "figure_shapes.h"

#include "minimal_sample.h"

#include <vrm/avatar.h>
#include <vrm/sample.h>

#include "base/text.h"
#include "math/quat.h"
#include "math/random.h"

typedef struct figure_draft {
    vrm_gltf *gltf;
    const vrm_avatar *avatar;
    bool failed;
} figure_draft;

static void set_vector(figure_draft *d, uint32_t gltf_node, const char *member, vrm_vec3 v)
{
    char pointer[64];
    vrmi_text text;
    vrmi_text_init(&text, NULL);
    vrmi_text_add_string(&text, "[");
    vrmi_text_add_float(&text, v.x);
    vrmi_text_add_string(&text, ",");
    vrmi_text_add_float(&text, v.y);
    vrmi_text_add_string(&text, ",");
    vrmi_text_add_float(&text, v.z);
    vrmi_text_add_string(&text, "]");
    vrmi_format(pointer, sizeof pointer, "/nodes/%u/%s", gltf_node, member);
    d->failed |= text.failed || vrm_gltf_set_json(d->gltf, pointer, text.data, text.size) != VRM_SUCCESS;
    vrmi_text_free(&text);
}

static bool get_bone(const figure_draft *d, int bone, vrm_node *out)
{
    const int32_t node = vrm_avatar_get_bone_node(d->avatar, (vrm_human_bone)bone);
    return node >= 0 && vrm_avatar_get_node(d->avatar, (uint32_t)node, out) == VRM_SUCCESS;
}

// Scales the distance of a bone from its parent.
static void stretch(figure_draft *d, int bone, float factor)
{
    vrm_node node = {.struct_size = sizeof node};
    if (get_bone(d, bone, &node)) {
        set_vector(d, node.gltf_node, "translation", vrmi_vec3_scale(node.rest.translation, factor));
    }
}

// Lengthens the legs and broadens the hips. Moves the hips up or down, so that the feet stay on the ground.
static void stretch_legs(figure_draft *d, float factor, float breadth)
{
    vrm_node hips = {.struct_size = sizeof hips}, upper = {.struct_size = sizeof upper},
             foot = {.struct_size = sizeof foot};
    for (int side = 0; side < 2; ++side) {
        const int leg = side == 0 ? VRM_HUMAN_BONE_LEFT_UPPER_LEG : VRM_HUMAN_BONE_RIGHT_UPPER_LEG;
        stretch(d, leg + 1, factor);
        stretch(d, leg + 2, factor);
    }
    if (get_bone(d, VRM_HUMAN_BONE_HIPS, &hips) && get_bone(d, VRM_HUMAN_BONE_LEFT_UPPER_LEG, &upper) &&
        get_bone(d, VRM_HUMAN_BONE_LEFT_FOOT, &foot)) {
        vrm_vec3 place = hips.rest.translation;
        place.y += (factor - 1.0f) * (upper.rest_position.y - foot.rest_position.y) +
                   (breadth - 1.0f) * (hips.rest_position.y - upper.rest_position.y);
        set_vector(d, hips.gltf_node, "translation", place);
    }
}

static void leave_out(figure_draft *d, vrm_human_bone bone)
{
    char pointer[96];
    vrmi_format(pointer, sizeof pointer, "/extensions/VRMC_vrm/humanoid/humanBones/%s", vrm_human_bone_name(bone));
    (void)vrm_gltf_remove_json(d->gltf, pointer);
}

// Scales the whole figure by the scale of the root node above the hips.
static void scale_all(figure_draft *d, float factor)
{
    vrm_node node = {.struct_size = sizeof node};
    if (!get_bone(d, VRM_HUMAN_BONE_HIPS, &node) || node.parent < 0) {
        d->failed = true;
        return;
    }
    for (int32_t at = node.parent; at >= 0; at = node.parent) {
        (void)vrm_avatar_get_node(d->avatar, (uint32_t)at, &node);
    }
    set_vector(d, node.gltf_node, "scale", vrmi_vec3_scale(node.rest.scale, factor));
}

static float between(uint64_t *random, float low, float high)
{
    return low + (high - low) * vrmi_random_unit(random);
}

static void change(figure_draft *d, uint32_t seed)
{
    uint64_t random = vrmi_random_seeded(seed);
    vrm_avatar_body body = {.struct_size = sizeof body};
    vrm_avatar_get_body(d->avatar, &body);
    const float legs = between(&random, 0.75f, 1.3f), arms = between(&random, 0.8f, 1.2f);
    const float trunk = between(&random, 0.85f, 1.2f), breadth = between(&random, 0.85f, 1.35f);
    const float height = between(&random, 0.9f, 2.1f);
    stretch_legs(d, legs, breadth);
    for (int bone = VRM_HUMAN_BONE_SPINE; bone <= VRM_HUMAN_BONE_UPPER_CHEST; ++bone) {
        stretch(d, bone, trunk);
    }
    for (int side = 0; side < 2; ++side) {
        const int arm = side == 0 ? VRM_HUMAN_BONE_LEFT_UPPER_ARM : VRM_HUMAN_BONE_RIGHT_UPPER_ARM;
        stretch(d, arm, breadth);
        stretch(d, arm + 1, arms);
        stretch(d, arm + 2, arms);
        stretch(d, side == 0 ? VRM_HUMAN_BONE_LEFT_UPPER_LEG : VRM_HUMAN_BONE_RIGHT_UPPER_LEG, breadth);
    }
    // Half of the sample's height is legs, and only this half is scaled by `legs`.
    scale_all(d, height / (body.height * (0.5f + 0.5f * legs)));
    const uint32_t without = vrmi_random_next(&random) >> 16;
    static const vrm_human_bone optional[] = {VRM_HUMAN_BONE_UPPER_CHEST, VRM_HUMAN_BONE_NECK,
        VRM_HUMAN_BONE_LEFT_SHOULDER, VRM_HUMAN_BONE_RIGHT_SHOULDER, VRM_HUMAN_BONE_LEFT_TOES,
        VRM_HUMAN_BONE_RIGHT_TOES};
    static const uint32_t bits[] = {0, 1, 2, 2, 3, 3};
    for (int i = 0; i < 6; ++i) {
        if ((without >> bits[i] & 1) != 0) {
            leave_out(d, optional[i]);
        }
    }
}

vrm_result scene_figure_create(uint32_t seed, vrm_bytes *out_bytes)
{
    figure_draft d = {0};
    vrm_bytes bytes = {0};
    vrm_avatar *avatar = NULL;
    vrm_result result = scene_minimal_sample(0, &bytes);
    result = result == VRM_SUCCESS ? vrm_gltf_load(NULL, bytes.data, bytes.size, NULL, &d.gltf) : result;
    result = result == VRM_SUCCESS ? vrm_avatar_import(NULL, d.gltf, NULL, &avatar) : result;
    vrm_bytes_free(&bytes);
    if (result == VRM_SUCCESS) {
        d.avatar = avatar;
        change(&d, seed);
        result = d.failed ? VRM_ERROR_OUT_OF_MEMORY : vrm_gltf_save(d.gltf, out_bytes);
    }
    vrm_avatar_release(avatar);
    vrm_gltf_destroy(d.gltf);
    return result;
}
