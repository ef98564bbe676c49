// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "sample/write.h"

// Writes VRMC_vrm and VRMC_node_constraint.

static const char *const bone_names[] = {
#define BONE_NAME(name, number, json, parent, required, needs) [number] = json,
    VRM_HUMAN_BONES(BONE_NAME)
#undef BONE_NAME
};

static void put_meta(vrmi_text *text)
{
    // The work is dedicated to the public domain (CC0). In addition, the authors ask that the figure is not used in
    // excessively violent, sexual or hateful scenes. So the sample's permission table contains all possible answers.
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
    vrmi_text_add_string(text, ",\"firstPerson\":{\"meshAnnotations\":[");
    for (int m = 0; m < figure->plan->mesh_count; ++m) {
        vrmi_text_format(text, "%s{\"node\":%d,\"type\":\"%s\"}", m > 0 ? "," : "", vrmi_sample_mesh_node(figure, m),
            figure->plan->meshes[m].first_person);
    }
    vrmi_text_add_string(text, "]}");
}

static void put_range(vrmi_text *text, const char *name, int input, float output)
{
    vrmi_text_format(text, ",\"rangeMap%s\":{\"inputMaxValue\":%d,\"outputScale\":", name, input);
    vrmi_text_add_float(text, output);
    vrmi_text_add_string(text, "}");
}

static void put_look_at(vrmi_text *text, const vrmi_sample_figure *figure)
{
    // The point is between the eyes, where the lenses of a headset would be. It was chosen by hand, so four digits
    // suffice.
    const vrmi_sample_gaze *gaze = &figure->plan->gaze;
    vrmi_text_add_string(text, ",\"lookAt\":{\"offsetFromHeadBone\":[0,");
    vrmi_text_add_digits(text, (double)figure->look_y, 4);
    vrmi_text_add_string(text, ",");
    vrmi_text_add_digits(text, (double)figure->look_z, 4);
    vrmi_text_add_string(text, "],\"type\":\"bone\"");
    put_range(text, "HorizontalInner", 60, gaze->inner);
    put_range(text, "HorizontalOuter", 60, gaze->outer);
    put_range(text, "VerticalDown", 45, gaze->down);
    put_range(text, "VerticalUp", 45, gaze->up);
    vrmi_text_add_string(text, "}");
}

static void put_expression(vrmi_text *text, const vrmi_sample_figure *figure, const vrmi_sample_expression *e)
{
    vrmi_text_format(text, "\"%s\":{", e->name);
    if (e->morph >= 0) {
        vrmi_text_format(text, "\"morphTargetBinds\":[{\"node\":%d,\"index\":%d,\"weight\":1}],",
            vrmi_sample_mesh_node(figure, 0), e->morph);
    }
    vrmi_text_format(
        text, "\"isBinary\":%s%s", e->is_binary ? "true" : "false", e->overrides != NULL ? e->overrides : "");
    if (e->moved_material != 0) {
        vrmi_text_format(text, ",\"textureTransformBinds\":[{\"material\":%d,\"offset\":[0.5,0]}]", e->moved_material);
    }
    int written = 0;
    for (; written < VRMI_SAMPLE_COLOR_BINDS && e->colors[written].type != NULL; ++written) {
        const vrmi_sample_color_bind *bind = &e->colors[written];
        vrmi_text_format(text, "%s{\"material\":%d,\"type\":\"%s\",\"targetValue\":%s}",
            written == 0 ? ",\"materialColorBinds\":[" : ",", bind->material, bind->type, bind->value);
    }
    vrmi_text_add_string(text, written > 0 ? "]}" : "}");
}

static void put_expressions(vrmi_text *text, const vrmi_sample_figure *figure)
{
    vrmi_text_add_string(text, ",\"expressions\":{\"preset\":{");
    for (int i = 0; i < figure->plan->expression_count; ++i) {
        const vrmi_sample_expression *e = &figure->plan->expressions[i];
        if (i > 0) {
            vrmi_text_add_string(text, e->is_custom && !e[-1].is_custom ? "},\"custom\":{" : ",");
        }
        put_expression(text, figure, e);
    }
    vrmi_text_add_string(text, "}}");
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

void vrmi_sample_put_constraint(vrmi_text *text, const vrmi_sample_figure *figure, int node)
{
    for (int i = 0; i < figure->constraint_count; ++i) {
        const vrmi_sample_constraint *c = &figure->constraints[i];
        if (c->node == node) {
            vrmi_text_format(text,
                ",\"extensions\":{\"VRMC_node_constraint\":{\"specVersion\":\"1.0\",\"constraint\":{\"%s\":{"
                "\"source\":%d%s,\"weight\":",
                c->type, c->source, c->axis);
            vrmi_text_add_float(text, c->weight);
            vrmi_text_add_string(text, "}}}}");
        }
    }
}
