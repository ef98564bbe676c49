// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "inspect.h"

const char *inspect_permission_word(vrm_permission permission)
{
    static const char *const words[] = {"allowed", "allowed with credit", "not allowed", "not stated"};
    return words[permission];
}

const char *inspect_user_word(vrm_user who)
{
    static const char *const words[] = {"author", "licensed", "everyone"};
    return words[who];
}

const char *inspect_override_word(vrm_expression_override override)
{
    static const char *const words[] = {"none", "block", "blend"};
    return words[override];
}

const char *inspect_collider_word(vrm_collider_shape shape)
{
    static const char *const words[] = {"sphere", "capsule", "insideSphere", "insideCapsule", "plane"};
    return words[shape];
}

const char *inspect_constraint_word(vrm_constraint_type type)
{
    static const char *const words[] = {"roll", "aim", "rotation", "position", "rotationAxes", "aimUp"};
    return words[type];
}

const char *inspect_material_word(vrm_material_type type)
{
    static const char *const words[] = {"pbr", "unlit", "mtoon"};
    return words[type];
}

const char *inspect_texture_word(vrm_texture_slot slot)
{
    static const char *const words[VRM_TEXTURE_SLOT_COUNT] = {"baseColor", "metallicRoughness", "normal", "occlusion",
        "emissive", "shadeMultiply", "shadingShift", "matcap", "rimMultiply", "outlineWidthMultiply",
        "uvAnimationMask"};
    return words[slot];
}

uint32_t inspect_spring_joints(const inspection *file)
{
    const uint32_t named = file->info.spring_joint_count;
    return named == 0 && file->model.avatar != NULL ? file->counts.spring_joints : named;
}

bool inspect_is_required(const inspect_require *require)
{
    for (int use = 0; use < VRM_USE_COUNT; ++use) {
        if (require->wanted[use]) {
            return true;
        }
    }
    return false;
}

bool inspect_is_granted(vrm_permission permission)
{
    return permission == VRM_PERMISSION_ALLOWED || permission == VRM_PERMISSION_ALLOWED_WITH_CREDIT;
}

int32_t inspect_texture_image(const vrm_gltf *gltf, uint32_t texture)
{
    char pointer[64];
    vrm_string text;
    double index;
    vrmi_format(pointer, sizeof(pointer), "/textures/%u/source", texture);
    if (vrm_gltf_get_json(gltf, pointer, &text) != VRM_SUCCESS ||
        vrmi_parse_double(text.data, text.length, &index) == 0 ||
        !(index >= 0 && index < (double)vrm_gltf_get_count(gltf, VRM_GLTF_IMAGES)) || index != (double)(int32_t)index) {
        return -1;
    }
    return (int32_t)index;
}

uint64_t inspect_image_memory(const vrm_gltf_image *image)
{
    return (uint64_t)image->width * image->height * 4 * 4 / 3;
}
