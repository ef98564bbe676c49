// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_EXPRESSION_H
#define VRM_EXPRESSION_H

/// @file expression.h
/// Expressions of an avatar (VRMC_vrm-1.0 expressions): static description. Weights are set on an instance.

#include <vrm/math.h>

/// X(NAME, "jsonName", GROUP): the 18 presets.
#define VRM_EXPRESSION_PRESETS(X) \
    X(HAPPY, "happy", NONE) \
    X(ANGRY, "angry", NONE) \
    X(SAD, "sad", NONE) \
    X(RELAXED, "relaxed", NONE) \
    X(SURPRISED, "surprised", NONE) \
    X(AA, "aa", MOUTH) \
    X(IH, "ih", MOUTH) \
    X(OU, "ou", MOUTH) \
    X(EE, "ee", MOUTH) \
    X(OH, "oh", MOUTH) \
    X(BLINK, "blink", BLINK) \
    X(BLINK_LEFT, "blinkLeft", BLINK) \
    X(BLINK_RIGHT, "blinkRight", BLINK) \
    X(LOOK_UP, "lookUp", LOOK_AT) \
    X(LOOK_DOWN, "lookDown", LOOK_AT) \
    X(LOOK_LEFT, "lookLeft", LOOK_AT) \
    X(LOOK_RIGHT, "lookRight", LOOK_AT) \
    X(NEUTRAL, "neutral", NONE)

/// The specification's presets in its order, then VRM_EXPRESSION_CUSTOM (VRMC_vrm, expressions).
typedef enum vrm_expression_preset {
#define VRM_EXPRESSION_PRESET_ENUM(name, json, group) VRM_EXPRESSION_PRESET_##name,
    VRM_EXPRESSION_PRESETS(VRM_EXPRESSION_PRESET_ENUM)
#undef VRM_EXPRESSION_PRESET_ENUM
        VRM_EXPRESSION_PRESET_COUNT,
    VRM_EXPRESSION_CUSTOM = VRM_EXPRESSION_PRESET_COUNT
} vrm_expression_preset;

/// The kinds that another expression may override.
typedef enum vrm_expression_group {
    VRM_EXPRESSION_GROUP_NONE,
    VRM_EXPRESSION_GROUP_BLINK,
    VRM_EXPRESSION_GROUP_LOOK_AT,
    VRM_EXPRESSION_GROUP_MOUTH,
    VRM_EXPRESSION_GROUP_COUNT
} vrm_expression_group;

/// What an expression does to those of a group while it shows (overrideBlink, overrideLookAt, overrideMouth).
typedef enum vrm_expression_override {
    VRM_EXPRESSION_OVERRIDE_NONE,
    VRM_EXPRESSION_OVERRIDE_BLOCK,
    VRM_EXPRESSION_OVERRIDE_BLEND
} vrm_expression_override;

/// One expression. Its index counts the avatar's expressions: presets in enum order, then customs in file order.
typedef struct vrm_expression {
    vrm_string name;              ///< "happy", or the custom name.
    vrm_expression_preset preset; ///< VRM_EXPRESSION_CUSTOM for customs.
    vrm_expression_group group;   ///< Presets: the specification's; customs: NONE (an instance may move them).
    vrm_expression_override override_mouth; ///< Default NONE, as for the other two.
    vrm_expression_override override_blink;
    vrm_expression_override override_look_at;
    bool is_binary;         ///< It shows all or nothing.
    float binary_threshold; ///< Output is 1 above it, else 0; 0.5 in VRM 1.0. Only when is_binary.
    uint32_t morph_bind_count, color_bind_count, texture_bind_count;
} vrm_expression;

/// "happy" etc.; static, "" outside the presets.
VRM_API const char *vrm_expression_preset_name(vrm_expression_preset preset);

#endif
