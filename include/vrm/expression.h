// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_EXPRESSION_H
#define VRM_EXPRESSION_H

/// @file expression.h
/// Static description of an avatar's expressions (VRMC_vrm-1.0 expressions). Weights are set on an instance.

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

/// The specification's presets in its order, followed by VRM_EXPRESSION_CUSTOM (VRMC_vrm, expressions).
typedef enum vrm_expression_preset {
#define VRM_EXPRESSION_PRESET_ENUM(name, number, json, group) VRM_EXPRESSION_PRESET_##name = (number),
    VRM_EXPRESSION_PRESETS(VRM_EXPRESSION_PRESET_ENUM)
#undef VRM_EXPRESSION_PRESET_ENUM
        VRM_EXPRESSION_CUSTOM = 255, ///< Above the number of any future preset.
    VRM_EXPRESSION_PRESET_COUNT = 18
} vrm_expression_preset;

/// The groups of expressions that another expression can override.
typedef enum vrm_expression_group {
    VRM_EXPRESSION_GROUP_NONE = 0,
    VRM_EXPRESSION_GROUP_BLINK = 1,
    VRM_EXPRESSION_GROUP_LOOK_AT = 2,
    VRM_EXPRESSION_GROUP_MOUTH = 3,
    VRM_EXPRESSION_GROUP_COUNT = 4
} vrm_expression_group;

/// Effect of an active expression on the expressions of a group (overrideBlink, overrideLookAt, overrideMouth).
typedef enum vrm_expression_override {
    VRM_EXPRESSION_OVERRIDE_NONE = 0,
    VRM_EXPRESSION_OVERRIDE_BLOCK = 1,
    VRM_EXPRESSION_OVERRIDE_BLEND = 2
} vrm_expression_override;

/// One expression. The avatar's expressions are numbered: presets in enum order, then custom expressions in file order.
typedef struct vrm_expression {
    uint32_t struct_size;         ///< Set by the caller: sizeof(vrm_expression).
    vrm_string name;              ///< "happy", or the name of a custom expression.
    vrm_expression_preset preset; ///< VRM_EXPRESSION_CUSTOM for custom expressions.
    /// The group that the specification gives the preset. NONE for a custom expression; an instance can assign it to a
    /// group.
    vrm_expression_group group;
    vrm_expression_override override_mouth; ///< Effect on the mouth group; default NONE.
    vrm_expression_override override_blink;
    vrm_expression_override override_look_at;
    bool is_binary;         ///< The expression is applied completely or not at all.
    float binary_threshold; ///< A binary expression is 1 if its weight is above this threshold, else 0; 0.5 in VRM 1.0.
    uint32_t morph_bind_count, color_bind_count, texture_bind_count; ///< Numbers of binds.
} vrm_expression;

/// Returns the preset's name ("happy"); "" for a value that is not a preset. The string is static.
VRM_API const char *vrm_expression_preset_name(vrm_expression_preset preset);

#endif
