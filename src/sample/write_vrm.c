// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "sample/write.h"

// VRMC_vrm and VRMC_node_constraint.

static const char *const bone_names[] = {
#define BONE_NAME(name, number, json, parent, required, needs) [number] = json,
    VRM_HUMAN_BONES(BONE_NAME)
#undef BONE_NAME
};

static void put_meta(vrmi_text *text)
{
    // The work is given away (CC0). Beyond copyright the authors say how they want their figure to be shown: not in
    // excessively violent, sexual or hateful scenes. So the permission table of the sample has all answers, too.
    vrmi_text_add_string(text,
        "\"meta\":{\"name\":\"libvrm sample\",\"version\":\"1\",\"authors\":[\"The libvrm authors\"],"
        "\"copyrightInformation\":\"CC0 1.0 Universal: no rights reserved\","
        "\"licenseUrl\":\"https://vrm.dev/licenses/1.0/\","
        "\"otherLicenseUrl\":\"https://creativecommons.org/publicdomain/zero/1.0/\","
        "\"thumbnailImage\":0,\"avatarPermission\":\"everyone\",\"allowExcessivelyViolentUsage\":false,"
        "\"allowExcessivelySexualUsage\":false,\"commercialUsage\":\"corporation\","
        "\"allowPoliticalOrReligiousUsage\":true,\"allowAntisocialOrHateUsage\":false,"
        "\"creditNotation\":\"unnecessary\",\"allowRedistribution\":true,"
        "\"modification\":\"allowModificationRedistribution\"}");
}

static void put_humanoid(vrmi_text *text)
{
    vrmi_text_add_string(text, ",\"humanoid\":{\"humanBones\":{");
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        vrmi_text_format(text, "%s\"%s\":{\"node\":%d}", bone > 0 ? "," : "", bone_names[bone], bone + 1);
    }
    vrmi_text_add_string(text, "}}");
}

static void put_first_person(vrmi_text *text, const vrmi_sample_figure *figure)
{
    static const char *const types[VRMI_SAMPLE_MESH_COUNT] = {"thirdPersonOnly", "auto", "auto", "both"};
    vrmi_text_add_string(text, ",\"firstPerson\":{\"meshAnnotations\":[");
    for (int m = 0; m < VRMI_SAMPLE_MESH_COUNT; ++m) {
        vrmi_text_format(text, "%s{\"node\":%d,\"type\":\"%s\"}", m > 0 ? "," : "",
            vrmi_sample_mesh_node(figure, (vrmi_sample_mesh_id)m), types[m]);
    }
    vrmi_text_add_string(text, "]}");
}

static void put_look_at(vrmi_text *text, const vrmi_sample_figure *figure)
{
    const vrm_vec3 head = figure->nodes[vrmi_sample_bone(VRM_HUMAN_BONE_HEAD)].position;
    // Between the eyes, where the lenses of a headset would be; rounded, it is a made number anyway.
    const float height = figure->style.height;
    vrmi_text_add_string(text, ",\"lookAt\":{\"offsetFromHeadBone\":[0,");
    vrmi_text_add_digits(text, (double)(1.3325f * height - head.y + 0.865f * height * (figure->style.legs - 1.0f)), 4);
    vrmi_text_add_string(text, ",");
    vrmi_text_add_digits(text, (double)(0.075f * height - head.z), 4);
    vrmi_text_add_string(text, "],\"type\":\"bone\","
                               "\"rangeMapHorizontalInner\":{\"inputMaxValue\":60,\"outputScale\":4.5},"
                               "\"rangeMapHorizontalOuter\":{\"inputMaxValue\":60,\"outputScale\":5.5},"
                               "\"rangeMapVerticalDown\":{\"inputMaxValue\":45,\"outputScale\":4},"
                               "\"rangeMapVerticalUp\":{\"inputMaxValue\":45,\"outputScale\":4}}");
}

// What a preset has besides its morph target.
typedef struct expression_row {
    const char *name;
    const char *rest; // members after the binds, each with its comma before it
    bool blush;
} expression_row;

#define OVERRIDE(kind, type) ",\"override" kind "\":\"" type "\""

static const expression_row rows[] = {
    {"happy", OVERRIDE("Blink", "block") OVERRIDE("Mouth", "blend"), true},
    {"angry", OVERRIDE("Mouth", "blend"), false},
    {"sad", OVERRIDE("Blink", "blend"), false},
    {"relaxed", OVERRIDE("Blink", "blend"), true},
    {"surprised", OVERRIDE("Blink", "block") OVERRIDE("LookAt", "blend"), false},
    {"wink", OVERRIDE("Blink", "block") OVERRIDE("Mouth", "block"), false},
};

static void put_color_bind(vrmi_text *text, int material, const char *type, const char *value, bool first)
{
    vrmi_text_format(
        text, "%s{\"material\":%d,\"type\":\"%s\",\"targetValue\":%s}", first ? "" : ",", material, type, value);
}

static void put_expression(vrmi_text *text, const vrmi_sample_figure *figure, int morph, const char *name)
{
    const expression_row *row = NULL;
    for (size_t i = 0; i < VRMI_COUNT_OF(rows); ++i) {
        row = vrmi_string_equal(vrmi_string(name), rows[i].name) ? &rows[i] : row;
    }
    vrmi_text_format(text, "\"%s\":{\"morphTargetBinds\":[{\"node\":%d,\"index\":%d,\"weight\":1}],\"isBinary\":false",
        name, vrmi_sample_mesh_node(figure, VRMI_SAMPLE_MESH_FACE), morph);
    if (row != NULL) {
        vrmi_text_add_string(text, row->rest);
        if (row->blush) {
            vrmi_text_add_string(text, ",\"materialColorBinds\":[");
            put_color_bind(text, VRMI_SAMPLE_BLUSH, "color", "[1,1,1,1]", true);
            vrmi_text_add_string(text, "]");
        }
    }
    vrmi_text_add_string(text, "}");
}

static void put_expressions(vrmi_text *text, const vrmi_sample_figure *figure)
{
    static const char *const names[] = {
#define MORPH_NAME(name) #name,
        VRMI_SAMPLE_MORPHS(MORPH_NAME)
#undef MORPH_NAME
    };
    vrmi_text_add_string(text, ",\"expressions\":{\"preset\":{");
    for (int m = 0; m < VRMI_SAMPLE_MORPH_wink; ++m) {
        vrmi_text_add_string(text, m > 0 ? "," : "");
        put_expression(text, figure, m, names[m]);
    }
    vrmi_text_add_string(text, "},\"custom\":{");
    put_expression(text, figure, VRMI_SAMPLE_MORPH_wink, names[VRMI_SAMPLE_MORPH_wink]);
    // Stars in the eyes: on or off, since halfway the texture would show the border between two irises.
    vrmi_text_format(text,
        ",\"sparkle\":{\"isBinary\":true,\"textureTransformBinds\":[{\"material\":%d,\"offset\":[0.5,0]}],"
        "\"materialColorBinds\":[",
        VRMI_SAMPLE_IRIS);
    put_color_bind(text, VRMI_SAMPLE_IRIS, "emissionColor", "[0.06,0.06,0.04,1]", true);
    put_color_bind(text, VRMI_SAMPLE_PIN, "emissionColor", "[1,0.85,0.5,1]", false);
    put_color_bind(text, VRMI_SAMPLE_PIN, "rimColor", "[1,1,1,1]", false);
    put_color_bind(text, VRMI_SAMPLE_BLUSH, "color", "[1,1,1,0.8]", false);
    // All that a material bind can reach, moved a little: shade, matcap and outline.
    vrmi_text_add_string(text, "]},\"glow\":{\"isBinary\":false,\"materialColorBinds\":[");
    put_color_bind(text, VRMI_SAMPLE_RIBBON, "emissionColor", "[1,0.6,0.35,1]", true);
    put_color_bind(text, VRMI_SAMPLE_RIBBON, "shadeColor", "[1,0.8,0.75,1]", false);
    put_color_bind(text, VRMI_SAMPLE_SHOES, "matcapColor", "[1,0.9,0.7,1]", false);
    put_color_bind(text, VRMI_SAMPLE_HAIR, "outlineColor", "[0.9,0.7,0.4,1]", false);
    vrmi_text_add_string(text, "]}}}");
}

void vrmi_sample_put_vrm(vrmi_text *text, const vrmi_sample_figure *figure)
{
    vrmi_text_add_string(text, "\"VRMC_vrm\":{\"specVersion\":\"1.0\",");
    put_meta(text);
    put_humanoid(text);
    put_first_person(text, figure);
    put_look_at(text, figure);
    put_expressions(text, figure);
    vrmi_text_add_string(text, "}");
}

static void put_constraint(vrmi_text *text, const char *constraint, int source, const char *more)
{
    vrmi_text_format(text,
        ",\"extensions\":{\"VRMC_node_constraint\":{\"specVersion\":\"1.0\",\"constraint\":{\"%s\":{\"source\":%d%s,"
        "\"weight\":0.5}}}}",
        constraint, source, more);
}

void vrmi_sample_put_constraint(vrmi_text *text, const vrmi_sample_figure *figure, int node)
{
    const vrmi_sample_helpers *h = &figure->helpers;
    for (int side = 0; side < 2; ++side) {
        const int lower_arm =
            vrmi_sample_bone(side == 0 ? VRM_HUMAN_BONE_LEFT_LOWER_ARM : VRM_HUMAN_BONE_RIGHT_LOWER_ARM);
        const int hand = vrmi_sample_bone(side == 0 ? VRM_HUMAN_BONE_LEFT_HAND : VRM_HUMAN_BONE_RIGHT_HAND);
        const int lower_leg =
            vrmi_sample_bone(side == 0 ? VRM_HUMAN_BONE_LEFT_LOWER_LEG : VRM_HUMAN_BONE_RIGHT_LOWER_LEG);
        if (node == h->upper_arm_twist[side]) {
            put_constraint(text, "roll", lower_arm, ",\"rollAxis\":\"Y\"");
        } else if (node == h->lower_arm_twist[side]) {
            put_constraint(text, "roll", hand, ",\"rollAxis\":\"Y\"");
        } else if (node == h->shoulder_pad[side]) {
            put_constraint(
                text, "aim", lower_arm, side == 0 ? ",\"aimAxis\":\"PositiveX\"" : ",\"aimAxis\":\"NegativeX\"");
        } else if (node == h->knee[side]) {
            put_constraint(text, "rotation", lower_leg, "");
        }
    }
}
