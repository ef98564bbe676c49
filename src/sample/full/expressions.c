// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "sample/full/expressions.h"

// The expressions, and for each its binds other than the morph target.

const char *const vrmi_full_morphs[] = {
#define MORPH_NAME(name) #name,
    VRMI_FULL_PRESETS(MORPH_NAME) VRMI_FULL_TRACKED(MORPH_NAME)
#undef MORPH_NAME
};
const int vrmi_full_morph_count = VRMI_FULL_MORPH_COUNT;

#define OVERRIDE(kind, type) ",\"override" kind "\":\"" type "\""
#define MORPH(preset) .name = #preset, .morph = VRMI_FULL_MORPH_##preset
#define BLUSH .colors = {{VRMI_FULL_BLUSH, "color", "[1,1,1,1]"}}
#define TRACKED(preset) {MORPH(preset), .is_custom = true},

const vrmi_sample_expression vrmi_full_expressions[] = {
    {MORPH(happy), .overrides = OVERRIDE("Blink", "block") OVERRIDE("Mouth", "blend"), BLUSH},
    {MORPH(angry), .overrides = OVERRIDE("Mouth", "blend")}, {MORPH(sad), .overrides = OVERRIDE("Blink", "blend")},
    {MORPH(relaxed), .overrides = OVERRIDE("Blink", "blend"), BLUSH},
    {MORPH(surprised), .overrides = OVERRIDE("Blink", "block") OVERRIDE("LookAt", "blend")}, {MORPH(aa)}, {MORPH(ih)},
    {MORPH(ou)}, {MORPH(ee)}, {MORPH(oh)}, {MORPH(blink)}, {MORPH(blinkLeft)}, {MORPH(blinkRight)}, {MORPH(lookUp)},
    {MORPH(lookDown)}, {MORPH(lookLeft)}, {MORPH(lookRight)}, {MORPH(neutral)},
    {MORPH(wink), .is_custom = true, .overrides = OVERRIDE("Blink", "block") OVERRIDE("Mouth", "block")},
    // Stars in the eyes. The expression is either on or off: halfway, the texture would show the border between two
    // irises.
    {"sparkle", .morph = -1, .is_custom = true, .is_binary = true, .moved_material = VRMI_FULL_IRIS,
        .colors = {{VRMI_FULL_IRIS, "emissionColor", "[0.06,0.06,0.04,1]"},
            {VRMI_FULL_PIN, "emissionColor", "[1,0.85,0.5,1]"}, {VRMI_FULL_PIN, "rimColor", "[1,1,1,1]"},
            {VRMI_FULL_BLUSH, "color", "[1,1,1,0.8]"}}},
    // Slightly changes everything that a material bind can change: shade, matcap and outline.
    {"glow", .morph = -1, .is_custom = true,
        .colors = {{VRMI_FULL_RIBBON, "emissionColor", "[1,0.6,0.35,1]"},
            {VRMI_FULL_RIBBON, "shadeColor", "[1,0.8,0.75,1]"}, {VRMI_FULL_SHOES, "matcapColor", "[1,0.9,0.7,1]"},
            {VRMI_FULL_HAIR, "outlineColor", "[0.9,0.7,0.4,1]"}}},
    VRMI_FULL_TRACKED(TRACKED)};
const int vrmi_full_expression_count = (int)VRMI_COUNT_OF(vrmi_full_expressions);
