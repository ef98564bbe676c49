// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_EXPRESSION_H
#define VRM_EXPRESSION_H

/// @file expression.h
/// Expressions of an avatar (VRMC_vrm-1.0 expressions): static description. Weights are set on an instance.

#include <vrm/math.h>

/// X(NAME, number, "jsonName", GROUP): the 18 presets.
#define VRM_EXPRESSION_PRESETS(X) \
    X(HAPPY, 0, "happy", NONE) \
    X(ANGRY, 1, "angry", NONE) \
    X(SAD, 2, "sad", NONE) \
    X(RELAXED, 3, "relaxed", NONE) \
    X(SURPRISED, 4, "surprised", NONE) \
    X(AA, 5, "aa", MOUTH) \
    X(IH, 6, "ih", MOUTH) \
    X(OU, 7, "ou", MOUTH) \
    X(EE, 8, "ee", MOUTH) \
    X(OH, 9, "oh", MOUTH) \
    X(BLINK, 10, "blink", BLINK) \
    X(BLINK_LEFT, 11, "blinkLeft", BLINK) \
    X(BLINK_RIGHT, 12, "blinkRight", BLINK) \
    X(LOOK_UP, 13, "lookUp", LOOK_AT) \
    X(LOOK_DOWN, 14, "lookDown", LOOK_AT) \
    X(LOOK_LEFT, 15, "lookLeft", LOOK_AT) \
    X(LOOK_RIGHT, 16, "lookRight", LOOK_AT) \
    X(NEUTRAL, 17, "neutral", NONE)

/// The specification's presets in its order, then VRM_EXPRESSION_CUSTOM (VRMC_vrm, expressions).
typedef enum vrm_expression_preset {
#define VRM_EXPRESSION_PRESET_ENUM(name, number, json, group) VRM_EXPRESSION_PRESET_##name = (number),
    VRM_EXPRESSION_PRESETS(VRM_EXPRESSION_PRESET_ENUM)
#undef VRM_EXPRESSION_PRESET_ENUM
        VRM_EXPRESSION_CUSTOM = 255, ///< Above the number of any future preset.
    VRM_EXPRESSION_PRESET_COUNT = 18
} vrm_expression_preset;

/// The kinds that another expression may override.
typedef enum vrm_expression_group {
    VRM_EXPRESSION_GROUP_NONE = 0,
    VRM_EXPRESSION_GROUP_BLINK = 1,
    VRM_EXPRESSION_GROUP_LOOK_AT = 2,
    VRM_EXPRESSION_GROUP_MOUTH = 3,
    VRM_EXPRESSION_GROUP_COUNT = 4
} vrm_expression_group;

/// What an expression does to the expressions of a group while it is active (overrideBlink, overrideLookAt,
/// overrideMouth).
typedef enum vrm_expression_override {
    VRM_EXPRESSION_OVERRIDE_NONE = 0,
    VRM_EXPRESSION_OVERRIDE_BLOCK = 1,
    VRM_EXPRESSION_OVERRIDE_BLEND = 2
} vrm_expression_override;

/// One expression. Its index counts the avatar's expressions: presets in enum order, then customs in file order.
typedef struct vrm_expression {
    uint32_t struct_size;         ///< Set by the caller: sizeof(vrm_expression).
    vrm_string name;              ///< "happy", or the custom name.
    vrm_expression_preset preset; ///< VRM_EXPRESSION_CUSTOM for customs.
    vrm_expression_group group;   ///< Presets: the specification's; customs: NONE (an instance may move them).
    vrm_expression_override override_mouth; ///< Default NONE, as for the other two.
    vrm_expression_override override_blink;
    vrm_expression_override override_look_at;
    bool is_binary;         ///< It is applied completely or not at all.
    float binary_threshold; ///< Threshold above which the output is 1, else 0; 0.5 in VRM 1.0. Only when is_binary.
    uint32_t morph_bind_count, color_bind_count, texture_bind_count; ///< Of each kind.
} vrm_expression;

/// "happy" etc.; static, "" outside the presets.
VRM_API const char *vrm_expression_preset_name(vrm_expression_preset preset);

#endif
