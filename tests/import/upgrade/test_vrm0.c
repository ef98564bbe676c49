// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// VRM 0.x, field by field, compared with known numbers and closed formulas.

#include <math.h>

#include "avatar_file.h"
#include "plain_instance.h"
#include "skeleton_json.h"

enum { HAIR = 17, HAIR2, SIDE, BAND, NODES };

static const char *const bones[17] = {"hips", "spine", "chest", "neck", "head", "leftUpperArm", "leftLowerArm",
    "leftHand", "rightUpperArm", "rightLowerArm", "rightHand", "leftUpperLeg", "leftLowerLeg", "leftFoot",
    "rightUpperLeg", "rightLowerLeg", "rightFoot"};
static const int parents[NODES] = {-1, 0, 1, 2, 3, 2, 5, 6, 2, 8, 9, 0, 11, 12, 0, 14, 15, 4, HAIR, HAIR, SIDE};

// Loads a file with seventeen bones and some hair. `vrm` are further members of extensions.VRM, `more` members of the
// document.
static vrm_avatar *load(const vrm_avatar_def *def, const char *vrm, const char *more, vrm_report *report)
{
    static char text[32768];
    char list[2048];
    size_t at = 0;
#define ADD(...) at += (size_t)snprintf(text + at, sizeof text - at, __VA_ARGS__)
    ADD("{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"VRM\"],\"nodes\":[");
    for (int i = 0; i < NODES; ++i) {
        ADD("%s{\"name\":\"n%d\",\"translation\":[%g,%g,%g]%s}", i == 0 ? "" : ",", i, i == HAIR2 ? 0.03 : 0.0,
            i >= HAIR ? -0.04 : 0.125, i == BAND ? 0.03 : 0.0, skeleton_children(list, sizeof list, parents, NODES, i));
    }
    ADD("]%s,\"extensions\":{%s\"VRM\":{\"humanoid\":{\"humanBones\":[%s,{\"bone\":\"jaw\",\"node\":-1}]}%s}}}", more,
        def != NULL && def->prefer == VRM_PREFER_0_X ? "\"VRMC_vrm\":{}," : "",
        skeleton_human_bones(list, sizeof list, bones, 17, 1), vrm);
#undef ADD
    return avatar_json_load(def, text, at, report);
}

#define META ",\"meta\":{\"title\":\"T\",\"author\":\"A\"}"

static void the_turn_is_above_the_roots(void)
{
    vrm_report *report;
    vrm_report_create(NULL, &report);
    vrm_avatar *avatar = load(NULL, META, "", report);
    CHECK_STRING(vrm_avatar_get_dialect(avatar), "0.x");
    CHECK(has_finding(report, VRM_FINDING_VRM0_VRM_EXTENSION, "/extensions/VRM"));
    vrm_node node = {.struct_size = sizeof node};
    CHECK_INT(vrm_avatar_get_node(avatar, (uint32_t)vrm_avatar_find_gltf_node(avatar, BAND), &node), VRM_SUCCESS);
    CHECK_NEAR(node.rest.translation.z, 0.03, 1e-7); // local, as in the file
    CHECK_NEAR(node.rest_position.z, -0.03, 1e-7);   // in the model, rotated by half a turn
    vrm_avatar_release(avatar);
    vrm_report_destroy(report);
}

static void meta_never_loosens(void)
{
    static const char *const users[3] = {"OnlyAuthor", "ExplicitlyLicensedPerson", "Everyone"};
    static const char *const licenses[9] = {"Redistribution_Prohibited", "CC0", "CC_BY", "CC_BY_NC", "CC_BY_SA",
        "CC_BY_NC_SA", "CC_BY_ND", "CC_BY_NC_ND", "Other"};
    for (int i = 0; i < 3 * 9 * 8; ++i) {
        const int user = i % 3, license = i / 3 % 9, bits = i / 27;
        char text[512];
        snprintf(text, sizeof text,
            ",\"meta\":{\"title\":\"T\",\"author\":\"A\",\"texture\":-1,\"allowedUserName\":\"%s\",\"licenseName\":\"%"
            "s\","
            "\"commercialUssageName\":\"%s\",\"violentUssageName\":\"%s\",\"sexualUssageName\":\"%s\","
            "\"otherLicenseUrl\":\"u\",\"otherPermissionUrl\":\"v\"}",
            users[user], licenses[license], bits & 1 ? "Allow" : "Disallow", bits & 2 ? "Allow" : "Disallow",
            bits & 4 ? "Allow" : "Disallow");
        vrm_report *report;
        vrm_report_create(NULL, &report);
        vrm_avatar *avatar = load(NULL, text, "", report);
        vrm_meta meta = {.struct_size = sizeof meta};
        vrm_avatar_get_meta(avatar, &meta);
        const bool cc = license >= 1 && license <= 7;
        const bool nc = license == 3 || license == 5 || license == 7;
        const bool nd = license == 6 || license == 7, sa = license == 4 || license == 5;
        CHECK_INT(meta.avatar_permission, user);
        CHECK_INT(meta.commercial_usage,
            (bits & 1) != 0 && !nc ? VRM_COMMERCIAL_USAGE_PERSONAL_PROFIT : VRM_COMMERCIAL_USAGE_PERSONAL_NON_PROFIT);
        CHECK_INT(meta.allow_excessively_violent_usage, (bits & 2) != 0);
        CHECK_INT(meta.allow_excessively_sexual_usage, (bits & 4) != 0);
        CHECK_INT(meta.allow_redistribution, cc);
        CHECK_INT(meta.modification, !cc || nd ? VRM_MODIFICATION_PROHIBITED
                                     : sa      ? VRM_MODIFICATION_ALLOW_MODIFICATION
                                               : VRM_MODIFICATION_ALLOW_MODIFICATION_REDISTRIBUTION);
        CHECK_INT(meta.credit_notation, license == 1);
        CHECK(!meta.allow_political_or_religious_usage && !meta.allow_antisocial_or_hate_usage);
        CHECK_INT(meta.stated & (VRM_META_POLITICAL_OR_RELIGIOUS_USAGE | VRM_META_ANTISOCIAL_OR_HATE_USAGE), 0);
        CHECK_INT(meta.old_term_count, 7);
        check_text(meta.other_license_url, "u, v", "both URLs", __LINE__);
        vrm_avatar_release(avatar);
        vrm_report_destroy(report);
    }
}

// Hermite interpolation by its basis polynomials, in double.
static double hermite(const double k[2][4], double t)
{
    const double d = k[1][0] - k[0][0], s = (t - k[0][0]) / d, s2 = s * s, s3 = s2 * s;
    return (2 * s3 - 3 * s2 + 1) * k[0][1] + (s3 - 2 * s2 + s) * d * k[0][3] + (3 * s2 - 2 * s3) * k[1][1] +
           (s3 - s2) * d * k[1][2];
}

static void gaze_follows_curves(void)
{
    static const double keys[2][4] = {{0.125, 0.25, 0, 3.0}, {0.875, 0.75, -1.0, 0}};
    vrm_report *report;
    vrm_report_create(NULL, &report);
    vrm_avatar *avatar = load(NULL,
        META ",\"firstPerson\":{\"firstPersonBone\":4,\"firstPersonBoneOffset\":{\"x\":0.01,\"y\":0.02,\"z\":0.03},"
             "\"lookAtTypeName\":\"BlendShape\",\"lookAtHorizontalOuter\":{\"curve\":[0.125,0.25,0,3,0.875,0.75,-1,0],"
             "\"xRange\":80,\"yRange\":0.5},\"lookAtHorizontalInner\":{\"curve\":[1,2,3]},"
             "\"lookAtVerticalDown\":{\"curve\":[0,0,0,1,1,1,1,0],\"xRange\":60,\"yRange\":0.9}},"
             "\"blendShapeMaster\":{\"blendShapeGroups\":[{\"name\":\"x\",\"presetName\":\"LookLeft\"}]}",
        "", report);
    CHECK(
        has_finding(report, VRM_FINDING_VRM0_LOOK_AT_CURVE, "/extensions/VRM/firstPerson/lookAtHorizontalInner/curve"));
    vrm_look_at look = {.struct_size = sizeof look};
    vrm_avatar_get_look_at(avatar, &look);
    CHECK_INT(look.type, VRM_LOOK_AT_EXPRESSION);
    CHECK_NEAR(look.offset_from_head_bone.x, 0.01, 1e-7);
    CHECK_NEAR(look.offset_from_head_bone.z, -0.03, 1e-7); // the file is left-handed
    uint32_t count = 0;
    CHECK(vrm_avatar_get_look_curve(avatar, VRM_LOOK_HORIZONTAL_OUTER, &count) != NULL);
    CHECK_INT(count, 2);
    CHECK(vrm_avatar_get_look_curve(avatar, VRM_LOOK_VERTICAL_DOWN, &count) == NULL);
    vrm_instance *instance = plain_instance(avatar);
    vrm_update_params params;
    vrm_update_params_default(&params);
    for (double degrees = 1; degrees <= 100 && instance != NULL; degrees += 3) {
        vrm_instance_set_look_at_angles(instance, (float)(degrees * 3.14159265358979 / 180), 0.0f);
        vrm_update(instance, &params);
        vrm_outputs outputs = {.struct_size = sizeof outputs};
        vrm_instance_get_outputs(instance, &outputs);
        const double t = degrees < 80 ? degrees / 80 : 1;
        const double value = t <= 0.125 ? 0.25 : t >= 0.875 ? 0.75 : hermite(keys, t);
        CHECK_NEAR(outputs.expressions[0].input, value * 0.5, 1e-6);
    }
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
    vrm_report_destroy(report);
}

// Found by fuzzing: the first curve of a file had no keys, and its list was read at NULL. Only clang's
// -fsanitize=pointer-overflow sees it, which the preset clang has.
static void a_curve_without_keys_is_a_straight_line(void)
{
    vrm_report *report;
    vrm_report_create(NULL, &report);
    vrm_avatar *avatar = load(NULL,
        META ",\"firstPerson\":{\"lookAtTypeName\":\"BlendShape\",\"lookAtHorizontalInner\":{\"curve\":[]},"
             "\"lookAtHorizontalOuter\":{\"curve\":[],\"xRange\":80,\"yRange\":0.5}},"
             "\"blendShapeMaster\":{\"blendShapeGroups\":[{\"name\":\"x\",\"presetName\":\"LookLeft\"}]}",
        "", report);
    for (uint32_t i = 0; i < vrm_report_get_count(report); ++i) {
        CHECK(vrm_report_get_finding(report, i)->id != VRM_FINDING_VRM0_LOOK_AT_CURVE);
    }
    for (int direction = 0; direction < VRM_LOOK_DIRECTION_COUNT; ++direction) {
        uint32_t count = 1;
        CHECK(vrm_avatar_get_look_curve(avatar, (vrm_look_direction)direction, &count) == NULL);
        CHECK_INT(count, 0);
    }
    vrm_instance *instance = plain_instance(avatar);
    vrm_instance_set_look_at_angles(instance, 40.0f * 3.14159265f / 180.0f, 0.0f);
    vrm_update_dt(instance, 0.0f);
    vrm_outputs outputs = {.struct_size = sizeof outputs};
    vrm_instance_get_outputs(instance, &outputs);
    CHECK_NEAR(outputs.expressions[0].input, 0.25, 1e-6); // half of the range gives half of 0.5
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
    vrm_report_destroy(report);
}

static void a_subtree_becomes_chains(void)
{
    vrm_report *report;
    vrm_report_create(NULL, &report);
    vrm_avatar *avatar = load(NULL,
        META ",\"secondaryAnimation\":{\"boneGroups\":[{\"comment\":\"hair\",\"stiffiness\":2.5,\"gravityPower\":0.5,"
             "\"gravityDir\":{\"x\":0.25,\"y\":-1,\"z\":0.5},\"dragForce\":0.3,\"center\":-1,\"hitRadius\":0.01,"
             "\"bones\":[17],\"colliderGroups\":[0]},{\"stiffiness\":1,\"gravityPower\":0,\"dragForce\":0.4,"
             "\"hitRadius\":0,\"bones\":[19]}],"
             "\"colliderGroups\":[{\"node\":4,\"colliders\":[{\"offset\":{\"x\":0.1,\"y\":0.2,\"z\":0.3},"
             "\"radius\":0.05}]}]}",
        "", report);
    CHECK(has_finding(
        report, VRM_FINDING_VRM1_SPRING_OVERLAP, "/extensions/VRM/secondaryAnimation/boneGroups/1/bones/0"));
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(avatar, &counts);
    CHECK_INT(counts.spring_chains, 2); // hair - hair2 - tail, and side - band - tail
    CHECK_INT(counts.spring_joints, 4);
    vrm_collider collider = {.struct_size = sizeof collider};
    CHECK_INT(vrm_avatar_get_collider(avatar, 0, &collider), VRM_SUCCESS);
    CHECK_NEAR(collider.offset.x, 0.1, 1e-7);
    CHECK_NEAR(collider.offset.z, -0.3, 1e-7);
    vrm_spring_joint joint = {.struct_size = sizeof joint};
    CHECK_INT(vrm_avatar_get_spring_joint(avatar, 1, &joint), VRM_SUCCESS);
    CHECK_INT(joint.node, vrm_avatar_find_gltf_node(avatar, HAIR2));
    CHECK_INT(joint.tail_node, -1);
    CHECK_NEAR(joint.tail.x, 0.07 * 0.6, 1e-7); // 7 cm in the direction (0.03, -0.04, 0)
    CHECK_NEAR(joint.tail.y, 0.07 * -0.8, 1e-7);
    CHECK_NEAR(joint.params.gravity_dir.x, -0.25, 0); // in axes in which the avatar faces +Z
    CHECK_NEAR(joint.params.gravity_dir.z, 0.5, 0);
    CHECK_NEAR(joint.params.stiffness, 2.5, 0);
    CHECK_NEAR(joint.params.drag_force, 0.3, 1e-7);
    vrm_avatar_release(avatar);
    vrm_report_destroy(report);
}

static double to_linear(double x)
{
    return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
}

static void materials_and_their_values(void)
{
    vrm_report *report;
    vrm_report_create(NULL, &report);
    vrm_avatar *avatar = load(NULL,
        META ",\"materialProperties\":[{\"name\":\"skin\",\"shader\":\"VRM/MToon\",\"renderQueue\":3010,"
             "\"floatProperties\":{\"_BlendMode\":2,\"_ShadeShift\":-0.2,\"_ShadeToony\":0.8,\"_OutlineWidth\":0.5,"
             "\"_OutlineWidthMode\":1,\"_UvAnimScrollY\":0.25,\"_UvAnimRotation\":0.5,\"_CullMode\":0,"
             "\"_IndirectLightIntensity\":0.1},\"vectorProperties\":{\"_Color\":[0.5,0.02,1,0.25],"
             "\"_MainTex\":[0.1,0.2,0.5,0.25]},\"textureProperties\":{\"_MainTex\":0}},"
             "{\"name\":\"hair\",\"shader\":\"VRM/UnlitTransparent\",\"renderQueue\":3000,\"floatProperties\":{},"
             "\"vectorProperties\":{},\"textureProperties\":{}},{\"name\":\"odd\",\"shader\":\"Other\"}],"
             "\"blendShapeMaster\":{\"blendShapeGroups\":["
             "{\"name\":\"Joy\",\"presetName\":\"unknown\",\"isBinary\":true,\"materialValues\":["
             "{\"materialName\":\"skin\",\"propertyName\":\"_Color\",\"targetValue\":[0.5,0.5,0.5,1]},"
             "{\"materialName\":\"skin\",\"propertyName\":\"_MainTex_ST_S\",\"targetValue\":[2,9,0.5,9]},"
             "{\"materialName\":\"none\",\"propertyName\":\"_Color\",\"targetValue\":[0,0,0,0]}]},"
             "{\"name\":\"Mine\",\"presetName\":\"unknown\"},{\"name\":\"\",\"presetName\":\"JOY\"}]}",
        ",\"images\":[{\"uri\":\"a.png\"}],\"textures\":[{\"source\":0}],"
        "\"materials\":[{\"name\":\"skin\"},{\"name\":\"hair\"},{\"name\":\"odd\"}]",
        report);
    CHECK(has_finding(
        report, VRM_FINDING_VRM1_EXPRESSION_DUPLICATE, "/extensions/VRM/blendShapeMaster/blendShapeGroups/2"));
    CHECK(has_finding(report, VRM_FINDING_VRM0_BIND_NO_TARGET,
        "/extensions/VRM/blendShapeMaster/blendShapeGroups/0/materialValues/2/propertyName"));
    CHECK(has_finding(report, VRM_FINDING_VRM0_UNKNOWN_SHADER, "/extensions/VRM/materialProperties/2/shader"));
    vrm_material skin = {.struct_size = sizeof skin}, hair = {.struct_size = sizeof hair};
    CHECK_INT(vrm_avatar_get_material(avatar, 0, &skin), VRM_SUCCESS);
    CHECK_INT(vrm_avatar_get_material(avatar, 1, &hair), VRM_SUCCESS);
    const vrm_material_params *p = &skin.params;
    CHECK_INT(p->type, VRM_MATERIAL_MTOON);
    CHECK_INT(p->alpha_mode, VRM_ALPHA_BLEND);
    CHECK(p->double_sided);
    CHECK_NEAR(p->colors[VRM_MATERIAL_COLOR_BASE].x, to_linear(0.5), 1e-6);
    CHECK_NEAR(p->colors[VRM_MATERIAL_COLOR_BASE].y, to_linear(0.02), 1e-7);
    CHECK_NEAR(p->colors[VRM_MATERIAL_COLOR_BASE].w, 0.25, 0);
    // The shading changes between -0.2 and 0.04: width 0.24, middle -0.08.
    CHECK_NEAR(p->shading_toony, 1 - 0.24 / 2, 1e-6);
    CHECK_NEAR(p->shading_shift, 0.08, 1e-6);
    CHECK_NEAR(p->gi_equalization, 0.9, 1e-6);
    CHECK_INT(p->outline_mode, VRM_OUTLINE_WORLD_COORDINATES);
    CHECK_NEAR(p->outline_width, 0.005, 1e-8);
    CHECK_NEAR(p->uv_scroll_speed[1], -0.25, 0);
    CHECK_NEAR(p->uv_rotation_speed, 3.14159265358979, 1e-6);
    const vrm_texture_transform *t = &p->textures[VRM_TEXTURE_BASE_COLOR].transform;
    CHECK_NEAR(t->scale[1], 0.25, 0);
    CHECK_NEAR(t->offset[0], 0.1, 1e-7);
    CHECK_NEAR(t->offset[1], 1 - 0.2 - 0.25, 1e-7);
    CHECK_INT(hair.params.type, VRM_MATERIAL_UNLIT);
    CHECK_INT(p->render_queue_offset, 0); // the later of the two render queues
    CHECK_INT(hair.params.render_queue_offset, -1);
    const int32_t joy = vrm_avatar_find_preset(avatar, VRM_EXPRESSION_PRESET_HAPPY);
    vrm_expression expression = {.struct_size = sizeof expression};
    CHECK_INT(vrm_avatar_get_expression(avatar, (uint32_t)joy, &expression), VRM_SUCCESS);
    CHECK(expression.is_binary);
    CHECK_INT(expression.color_bind_count, 1);
    CHECK_INT(expression.texture_bind_count, 1);
    CHECK_INT(vrm_avatar_find_expression(avatar, "Mine", 4), 1);
    vrm_instance *instance = plain_instance(avatar);
    vrm_update_params params;
    vrm_update_params_default(&params);
    vrm_instance_set_expression(instance, VRM_EXPRESSION_LAYER_HOST, (uint32_t)joy, 0.75f);
    vrm_update(instance, &params);
    vrm_outputs outputs = {.struct_size = sizeof outputs};
    vrm_instance_get_outputs(instance, &outputs);
    const vrm_material_values *v = &outputs.materials[0];
    CHECK_NEAR(v->colors[VRM_MATERIAL_COLOR_BASE].y, to_linear(0.5), 1e-6);
    CHECK_NEAR(v->uv_base * t->scale[0] + v->uv_scale[0], 2.0, 1e-6);
    CHECK_NEAR(v->uv_base * t->scale[1] + v->uv_scale[1], 0.25, 1e-6); // S only
    CHECK_NEAR(v->uv_base * t->offset[1] + v->uv_offset[1], 0.55, 1e-6);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
    vrm_report_destroy(report);
}

static int32_t find(const vrm_avatar *avatar, const char *name)
{
    return vrm_avatar_find_expression(avatar, name, strlen(name));
}

// A group that is read as a preset keeps its name from the file. A group whose own name matches takes precedence over
// it.
static void a_group_named_surprised_is_found_by_its_own_name(void)
{
    vrm_avatar *avatar = load(NULL,
        META ",\"blendShapeMaster\":{\"blendShapeGroups\":[{\"name\":\"Surprised\",\"presetName\":\"unknown\"},"
             "{\"name\":\"Smile\",\"presetName\":\"joy\"},{\"name\":\"\",\"presetName\":\"a\"},"
             "{\"name\":\"Wink\",\"presetName\":\"blink_l\"},{\"name\":\"Wink\",\"presetName\":\"unknown\"}]}",
        "", NULL);
    const int32_t surprised = vrm_avatar_find_preset(avatar, VRM_EXPRESSION_PRESET_SURPRISED);
    CHECK(surprised >= 0);
    CHECK_INT(find(avatar, "Surprised"), surprised);
    CHECK_INT(find(avatar, "surprised"), surprised);
    CHECK_INT(find(avatar, "Smile"), vrm_avatar_find_preset(avatar, VRM_EXPRESSION_PRESET_HAPPY));
    CHECK_INT(find(avatar, ""), -1);
    CHECK_INT(find(avatar, "smile"), -1);
    vrm_expression wink = {.struct_size = sizeof wink};
    CHECK_INT(vrm_avatar_get_expression(avatar, (uint32_t)find(avatar, "Wink"), &wink), VRM_SUCCESS);
    CHECK_INT(wink.preset, VRM_EXPRESSION_CUSTOM);
    vrm_avatar_release(avatar);
}

static void two_dialects_in_one_file(void)
{
    vrm_avatar_def def;
    vrm_avatar_def_default(&def);
    def.prefer = VRM_PREFER_0_X;
    vrm_report *report;
    vrm_report_create(NULL, &report);
    vrm_avatar *avatar = load(&def, META, "", report);
    CHECK_STRING(vrm_avatar_get_dialect(avatar), "0.x");
    CHECK(has_finding(report, VRM_FINDING_VRM_TWO_DIALECTS, "/extensions/VRM"));
    vrm_avatar_release(avatar);
    vrm_report_destroy(report);
}

static const test_case cases[] = {
    {"the_turn_is_above_the_roots", the_turn_is_above_the_roots},
    {"meta_never_loosens", meta_never_loosens},
    {"gaze_follows_curves", gaze_follows_curves},
    {"a_curve_without_keys_is_a_straight_line", a_curve_without_keys_is_a_straight_line},
    {"a_subtree_becomes_chains", a_subtree_becomes_chains},
    {"materials_and_their_values", materials_and_their_values},
    {"a_group_named_surprised_is_found_by_its_own_name", a_group_named_surprised_is_found_by_its_own_name},
    {"two_dialects_in_one_file", two_dialects_in_one_file},
};

RUN_TESTS(cases)
