// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include <vrm/expression.h>
#include <vrm/humanoid.h>

#include <string.h>

#include "model/names.h"

typedef struct bone_info {
    const char *name;
    uint32_t length;
    int32_t parent;
    bool required;
} bone_info;

// The hips are their own parent in this table, because the enum has no value for "none".
static const bone_info bones[VRM_HUMAN_BONE_COUNT] = {
#define BONE(name, number, json, parent, required, needs_parent) \
    [number] = {json, sizeof(json) - 1, \
        VRM_HUMAN_BONE_##name == VRM_HUMAN_BONE_##parent ? -1 : (int32_t)VRM_HUMAN_BONE_##parent, (required) != 0},
    VRM_HUMAN_BONES(BONE)
#undef BONE
};

static const char *const preset_names[VRM_EXPRESSION_PRESET_COUNT] = {
#define PRESET(name, number, json, group) [number] = json,
    VRM_EXPRESSION_PRESETS(PRESET)
#undef PRESET
};

static const uint8_t preset_lengths[VRM_EXPRESSION_PRESET_COUNT] = {
#define PRESET(name, number, json, group) [number] = sizeof(json) - 1,
    VRM_EXPRESSION_PRESETS(PRESET)
#undef PRESET
};

static const uint8_t preset_groups[VRM_EXPRESSION_PRESET_COUNT] = {
#define PRESET(name, number, json, group) [number] = VRM_EXPRESSION_GROUP_##group,
    VRM_EXPRESSION_PRESETS(PRESET)
#undef PRESET
};

const char *vrm_human_bone_name(vrm_human_bone bone)
{
    return (uint32_t)bone < VRM_HUMAN_BONE_COUNT ? bones[bone].name : "";
}

int32_t vrm_human_bone_from_name(const char *name, size_t length)
{
    for (int32_t bone = 0; name != NULL && bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        if (bones[bone].length == length && memcmp(bones[bone].name, name, length) == 0) {
            return bone;
        }
    }
    return -1;
}

int32_t vrm_human_bone_parent(vrm_human_bone bone)
{
    return (uint32_t)bone < VRM_HUMAN_BONE_COUNT ? bones[bone].parent : -1;
}

const char *vrm_expression_preset_name(vrm_expression_preset preset)
{
    return (uint32_t)preset < VRM_EXPRESSION_PRESET_COUNT ? preset_names[preset] : "";
}

int32_t vrmi_preset_from_name(const char *name, size_t length)
{
    for (int32_t preset = 0; preset < VRM_EXPRESSION_PRESET_COUNT; ++preset) {
        if (preset_lengths[preset] == length && memcmp(preset_names[preset], name, length) == 0) {
            return preset;
        }
    }
    return -1;
}

vrm_expression_group vrmi_preset_group(vrm_expression_preset preset)
{
    return (uint32_t)preset < VRM_EXPRESSION_PRESET_COUNT ? (vrm_expression_group)preset_groups[preset]
                                                          : VRM_EXPRESSION_GROUP_NONE;
}

bool vrmi_human_bone_is_required(vrm_human_bone bone)
{
    return bones[bone].required;
}

vrm_human_bone vrmi_human_bone_mirror(vrm_human_bone bone)
{
    static const char *const sides[2] = {"left", "right"};
    static const uint32_t lengths[2] = {4, 5};
    for (uint32_t side = 0; side < 2 && (uint32_t)bone < VRM_HUMAN_BONE_COUNT; ++side) {
        const bone_info *info = &bones[bone];
        const uint32_t here = lengths[side], there = lengths[1 - side];
        if (info->length > here && memcmp(info->name, sides[side], here) == 0) {
            char other[48];
            memcpy(other, sides[1 - side], there);
            memcpy(other + there, info->name + here, info->length - here);
            return (vrm_human_bone)vrm_human_bone_from_name(other, there + info->length - here);
        }
    }
    return bone;
}
