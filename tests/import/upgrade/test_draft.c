// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The draft of March 2021: the differences between its prose and its schemas, and its constraints at run time.

#include <math.h>

#include "avatar_file.h"
#include "plain_instance.h"
#include "pose_of.h"
#include "skeleton_json.h"

enum { PARENT = 15, FREE, SOURCE, CHILD, NODES };

// The bones, followed by two chains of two nodes: parent - free, and source - child.
static int parents[NODES] = {-1, 0, 1, 0, 3, 4, 0, 6, 7, 1, 9, 10, 1, 12, 13, -1, PARENT, -1, SOURCE};

static const char *more_bones = ""; // further members of humanBones: ,"name":{...}

// Loads a draft. `vrm` are further members of VRMC_vrm, `more` members of the document, `constraints` the extensions of
// node FREE.
static vrm_avatar *load_with(
    const vrm_avatar_def *def, const char *vrm, const char *more, const char *constraints, vrm_report *report)
{
    static char text[32768];
    char list[2048];
    size_t at = 0;
#define ADD(...) at += (size_t)snprintf(text + at, sizeof text - at, __VA_ARGS__)
    ADD("{\"asset\":{\"version\":\"2.0\"},\"nodes\":[");
    for (int i = 0; i < NODES; ++i) {
        ADD("%s{\"name\":\"n%d\",\"translation\":[%g,0.25,%g]", i == 0 ? "" : ",", i, i == SOURCE ? 0.5 : 0.0,
            i == FREE ? 0.125 : 0.0);
        if (i == FREE) {
            ADD(",\"rotation\":[0,0.6,0,0.8]%s", constraints);
        }
        ADD("%s}", skeleton_children(list, sizeof list, parents, NODES, i));
    }
    ADD("]%s,\"extensions\":{\"VRMC_vrm\":{\"specVersion\":\"1.0.0\",\"humanoid\":{\"humanBones\":{%s%s}}%s}}}", more,
        skeleton_human_bones(list, sizeof list, skeleton_bones, SKELETON_BONES, 0), more_bones, vrm);
#undef ADD
    vrm_avatar *avatar = avatar_json_load(def, text, at, report);
    CHECK_STRING(avatar != NULL ? vrm_avatar_get_dialect(avatar) : NULL, "1.0-draft");
    return avatar;
}

static vrm_avatar *load(const char *vrm, const char *more, const char *constraints, vrm_report *report)
{
    return load_with(NULL, vrm, more, constraints, report);
}

// The output of a range map is read in the chosen unit. Without a choice, 1.5 is read as radians and 8 as degrees.
static void gaze_has_the_unit_that_was_asked_for(void)
{
    const double degree = 3.14159265358979 / 180.0;
    for (int large = 0; large < 2; ++large) {
        for (int unit = VRM_LOOK_AT_UNIT_AUTO; unit <= VRM_LOOK_AT_UNIT_RADIANS; ++unit) {
            vrm_avatar_def def;
            vrm_avatar_def_default(&def);
            def.look_at_unit = (vrm_look_at_unit)unit;
            vrm_avatar *avatar = load_with(&def,
                large ? ",\"lookAt\":{\"type\":\"bone\",\"rangeMapHorizontalOuter\":{\"inputMaxValue\":90,"
                        "\"outputScale\":8}}"
                      : ",\"lookAt\":{\"type\":\"bone\",\"rangeMapHorizontalOuter\":{\"inputMaxValue\":90,"
                        "\"outputScale\":1.5}}",
                "", "", NULL);
            vrm_look_at look = {.struct_size = sizeof look};
            vrm_avatar_get_look_at(avatar, &look);
            const bool radians = unit == VRM_LOOK_AT_UNIT_RADIANS || (unit == VRM_LOOK_AT_UNIT_AUTO && !large);
            CHECK_NEAR(look.horizontal_outer.output_scale, (large ? 8 : 1.5) * (radians ? 1 : degree), 1e-5);
            vrm_avatar_release(avatar);
        }
    }
}

// The file maps 270 degrees of input to 9 of output. By the prose the file's 270 is the divisor; by the schema 180 is,
// so the eyes rotate further.
static void gaze_has_the_range_that_was_asked_for(void)
{
    const double degree = 3.14159265358979 / 180.0;
    for (int range = VRM_LOOK_AT_RANGE_SCHEMA; range <= VRM_LOOK_AT_RANGE_TEXT; ++range) {
        vrm_avatar_def def;
        vrm_avatar_def_default(&def);
        CHECK_INT(def.look_at_range, VRM_LOOK_AT_RANGE_SCHEMA);
        def.look_at_range = (vrm_look_at_range)range;
        vrm_report *report = NULL;
        vrm_report_create(NULL, &report);
        vrm_avatar *avatar = load_with(&def,
            ",\"lookAt\":{\"type\":\"bone\",\"rangeMapHorizontalOuter\":{\"inputMaxValue\":270,\"outputScale\":9},"
            "\"rangeMapVerticalUp\":{\"inputMaxValue\":-1,\"outputScale\":9}}",
            "", "", report);
        vrm_look_at look = {.struct_size = sizeof look};
        vrm_avatar_get_look_at(avatar, &look);
        const bool text = range == VRM_LOOK_AT_RANGE_TEXT;
        CHECK_NEAR(look.horizontal_outer.input_max, (text ? 270 : 180) * degree, 1e-5);
        CHECK_NEAR(look.vertical_up.input_max, 0, 0);
        CHECK_INT(has_finding(report, VRM_FINDING_VRM1_LOOK_AT_RANGE,
                      "/extensions/VRMC_vrm/lookAt/rangeMapHorizontalOuter/inputMaxValue"),
            !text);
        CHECK(has_finding(
            report, VRM_FINDING_VRM1_LOOK_AT_RANGE, "/extensions/VRMC_vrm/lookAt/rangeMapVerticalUp/inputMaxValue"));
        vrm_report_destroy(report);
        vrm_avatar_release(avatar);
    }
}

static void old_terms_are_kept_and_never_more(void)
{
    vrm_report *report;
    vrm_report_create(NULL, &report);
    vrm_avatar *avatar = load(",\"meta\":{\"name\":\"N\",\"version\":\"1\",\"authors\":[\"A\"],\"copyrights\":\"C\","
                              "\"reference\":\"R\",\"avatarPermission\":\"ExplicitlyLicensedPerson\","
                              "\"violentUsage\":true,\"gameUsage\":true,\"politicalOrReligiousUsage\":false,"
                              "\"commercialUsage\":\"PersonalNonCommercialProfit\",\"creditNotation\":\"Abandoned\","
                              "\"modify\":\"NotInherited\",\"allowRedistribution\":true,\"otherPermissionUrl\":\"u\"}",
        "", "", report);
    vrm_meta meta = {.struct_size = sizeof meta};
    vrm_avatar_get_meta(avatar, &meta);
    check_text(meta.copyright_information, "C", "copyrights", __LINE__);
    check_text(meta.references[0], "R", "reference", __LINE__);
    check_text(meta.other_license_url, "u", "otherPermissionUrl", __LINE__);
    CHECK_INT(meta.avatar_permission, VRM_AVATAR_PERMISSION_ONLY_SEPARATELY_LICENSED_PERSON);
    CHECK(meta.allow_excessively_violent_usage && !meta.allow_political_or_religious_usage);
    CHECK_INT(meta.commercial_usage, VRM_COMMERCIAL_USAGE_PERSONAL_NON_PROFIT);
    CHECK_INT(meta.credit_notation, VRM_CREDIT_NOTATION_REQUIRED);
    CHECK_INT(meta.modification, VRM_MODIFICATION_ALLOW_MODIFICATION);
    CHECK(meta.allow_redistribution);
    CHECK_INT(meta.old_term_count, 9);
    vrm_avatar_release(avatar);
    vrm_report_destroy(report);
}

static void expressions_are_an_array(void)
{
    vrm_report *report;
    vrm_report_create(NULL, &report);
    vrm_avatar *avatar =
        load(",\"meta\":{\"name\":\"N\",\"authors\":[\"A\"]},\"expressions\":[{\"preset\":\"Happy\",\"isBinary\":true,"
             "\"overrideBlink\":\"Block\",\"materialColorBinds\":[{\"material\":0,\"type\":\"uvScale\",\"targetValue\":"
             "[2,3,0,0]},{\"material\":0,\"type\":\"color\",\"targetValue\":[0,0,0,1]}],\"textureTransformBinds\":"
             "[{\"material\":0,\"scaling\":[4,5]}]},{\"preset\":\"happy\"},{\"preset\":\"custom\",\"name\":\"x\"},"
             "{\"preset\":\"custom\",\"name\":\"x\"}]",
            ",\"textures\":[{}],\"materials\":[{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0,"
            "\"extensions\":{\"KHR_texture_transform\":{\"scale\":[0.5,0.25]}}}},\"extensions\":{"
            "\"VMRC_materials_mtoon\":{\"version\":\"1\",\"shadeFactor\":[0.1,0.2,0.3],\"shadeMultiplyTexture\":0,"
            "\"shadingShiftFactor\":-0.2,\"shadingToonyFactor\":0.8,\"giIntensityFactor\":0.25,"
            "\"outlineColorMode\":\"fixedColor\"}}}]",
            "", report);
    CHECK(has_finding(report, VRM_FINDING_VRM1_EXPRESSION_DUPLICATE, "/extensions/VRMC_vrm/expressions/1/preset"));
    CHECK(has_finding(report, VRM_FINDING_VRM1_EXPRESSION_DUPLICATE, "/extensions/VRMC_vrm/expressions/3/name"));
    CHECK(has_finding(report, VRM_FINDING_VRM1_MISSPELT_EXTENSION, "/materials/0/extensions/VMRC_materials_mtoon"));
    vrm_material material = {.struct_size = sizeof material};
    CHECK_INT(vrm_avatar_get_material(avatar, 0, &material), VRM_SUCCESS);
    CHECK_INT(material.params.type, VRM_MATERIAL_MTOON);
    CHECK_NEAR(material.params.colors[VRM_MATERIAL_COLOR_SHADE].z, 0.3, 1e-7);
    CHECK_NEAR(material.params.shading_toony, 0.88, 1e-6); // the default of MToon 0.x
    CHECK_NEAR(material.params.gi_equalization, 0.75, 1e-6);
    CHECK_NEAR(material.params.outline_lighting_mix, 0, 0);
    // The base texture's transform replaces those of the other textures.
    CHECK_NEAR(material.params.textures[VRM_TEXTURE_SHADE_MULTIPLY].transform.scale[0], 0.5, 0);
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(avatar, &counts);
    CHECK_INT(counts.expressions, 2);
    vrm_expression expression = {.struct_size = sizeof expression};
    CHECK_INT(vrm_avatar_get_expression(avatar, 0, &expression), VRM_SUCCESS);
    CHECK_NEAR(expression.binary_threshold, 0, 0); // "not zero"
    CHECK_INT(expression.override_blink, VRM_EXPRESSION_OVERRIDE_BLOCK);
    CHECK_INT(expression.texture_bind_count, 2);
    CHECK_INT(expression.color_bind_count, 1);
    vrm_instance *instance = plain_instance(avatar);
    vrm_update_params params;
    vrm_update_params_default(&params);
    vrm_instance_set_expression(instance, VRM_EXPRESSION_LAYER_HOST, 0, 0.01f);
    vrm_update(instance, &params);
    vrm_outputs outputs = {.struct_size = sizeof outputs};
    vrm_instance_get_outputs(instance, &outputs);
    CHECK_NEAR(outputs.expressions[0].applied, 1, 0);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
    vrm_report_destroy(report);
}

// --- constraints -----------------------------------------------------------------------------------------------------

// Returns the local transform of FREE after one update. The parent is rotated by 90 degrees about Y, and the source has
// the given pose.
static vrm_transform run(const char *constraint, vrm_vec3 moved, vrm_quat turned)
{
    char extension[512];
    snprintf(extension, sizeof extension, ",\"extensions\":{\"VRMC_constraints\":{%s}}", constraint);
    vrm_report *report;
    vrm_report_create(NULL, &report);
    vrm_avatar *avatar = load(",\"meta\":{\"name\":\"N\",\"authors\":[\"A\"]}", "", extension, report);
    vrm_instance *instance = plain_instance(avatar);
    const uint32_t source = (uint32_t)vrm_avatar_find_gltf_node(avatar, SOURCE);
    const uint32_t parent = (uint32_t)vrm_avatar_find_gltf_node(avatar, PARENT);
    const vrm_quat quarter = {0, 0.70710678f, 0, 0.70710678f};
    const vrm_vec3 place = {0.5f + moved.x, 0.25f + moved.y, moved.z};
    vrm_instance_set_translation(instance, source, &place);
    vrm_instance_set_rotation(instance, source, &turned);
    vrm_instance_set_rotation(instance, parent, &quarter);
    vrm_root root = {{3, 4, 5}, {0, 0.6f, 0, 0.8f}, 2.0f}; // the avatar's position in the world must have no effect
    vrm_instance_set_root(instance, &root);
    vrm_update_params params;
    vrm_update_params_default(&params);
    vrm_update(instance, &params);
    vrm_outputs outputs = {.struct_size = sizeof outputs};
    vrm_instance_get_outputs(instance, &outputs);
    const vrm_transform out = pose_of(instance, vrm_avatar_find_gltf_node(avatar, FREE));
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
    vrm_report_destroy(report);
    return out;
}

#define CHECK_PLACE(t, ex, ey, ez) \
    do { \
        CHECK_NEAR((t).translation.x, ex, 1e-5); \
        CHECK_NEAR((t).translation.y, ey, 1e-5); \
        CHECK_NEAR((t).translation.z, ez, 1e-5); \
    } while (0)

static void positions(void)
{
    const vrm_quat none = {0, 0, 0, 1};
    const vrm_vec3 moved = {0.1f, 0.2f, 0.3f};
    vrm_transform t = run("\"position\":{\"source\":17,\"sourceSpace\":\"local\",\"destinationSpace\":\"local\","
                          "\"freezeAxes\":[true,false,true],\"weight\":0.5}",
        moved, none);
    CHECK_PLACE(t, 0.05, 0.25, 0.125 + 0.15);
    // In model axes. FREE's parent is rotated by 90 degrees, so the model's X is the parent's Z.
    t = run("\"position\":{\"source\":17}", moved, none);
    CHECK_PLACE(t, -0.3, 0.25 + 0.2, 0.125 + 0.1);
}

// Computes the rotation since rest (0, 0.6, 0, 0.8), as axis times angle in the node's rest axes.
static void turn_since_rest(vrm_quat q, double out[3])
{
    const double x = 0.8 * q.x - 0.6 * q.z, y = 0.8 * q.y - 0.6 * q.w, z = 0.8 * q.z + 0.6 * q.x,
                 w = 0.8 * q.w + 0.6 * q.y;
    const double s = sqrt(x * x + y * y + z * z), sign = w < 0 ? -1 : 1;
    const double angle = s > 0 ? 2 * atan2(s, sign * w) / s : 0;
    out[0] = sign * angle * x;
    out[1] = sign * angle * y;
    out[2] = sign * angle * z;
}

static void rotations(void)
{
    const vrm_vec3 here = {0, 0, 0};
    // A rotation of 0.6 rad about (2, 1, 2) / 3.
    const float s = sinf(0.3f) / 3, c = cosf(0.3f);
    const vrm_quat turned = {2 * s, s, 2 * s, c};
    double v[3];
    turn_since_rest(
        run("\"rotation\":{\"source\":17,\"sourceSpace\":\"local\",\"destinationSpace\":\"local\"}", here, turned)
            .rotation,
        v);
    CHECK_NEAR(v[0], 0.4, 1e-5);
    CHECK_NEAR(v[1], 0.2, 1e-5);
    CHECK_NEAR(v[2], 0.4, 1e-5);
    turn_since_rest(run("\"rotation\":{\"source\":17,\"sourceSpace\":\"local\",\"destinationSpace\":\"local\","
                        "\"freezeAxes\":[false,true,false],\"weight\":0.5}",
                        here, turned)
                        .rotation,
        v);
    CHECK_NEAR(v[0], 0, 1e-5);
    CHECK_NEAR(v[1], 0.1, 1e-5);
    CHECK_NEAR(v[2], 0, 1e-5);
    // In model axes. The node's rest axes are rotated by 90 + 2 * asin(0.6) degrees about Y.
    turn_since_rest(run("\"rotation\":{\"source\":17,\"freezeAxes\":[true,true,false]}", here, turned).rotation, v);
    const double a = -(3.14159265358979 / 2 + 2 * asin(0.6));
    CHECK_NEAR(v[0], 0.4 * cos(a), 1e-5);
    CHECK_NEAR(v[1], 0.2, 1e-5);
    CHECK_NEAR(v[2], -0.4 * sin(a), 1e-5);
}

static void aims(void)
{
    const vrm_quat none = {0, 0, 0, 1};
    // FREE is at (0.125, 0.5, 0) in the model, and its +Z is rotated by 90 degrees + 2 * asin(0.6). It must point at
    // the source at (0.5, 0.25, 0) + (1, 2, 3): exactly with both axes, only horizontally with yaw alone.
    const vrm_vec3 moved = {1, 2, 3};
    const double to[3] = {1.5 - 0.125, 2.25 - 0.5, 3};
    const double rest = 3.14159265358979 / 2 + 2 * asin(0.6);
    for (int level = 0; level < 2; ++level) {
        const vrm_transform t = run(level ? "\"aim\":{\"source\":17,\"freezeAxes\":[true,false]}"
                                          : "\"aim\":{\"source\":17,\"upVector\":[0,0,1]}",
            moved, none);
        double v[3];
        turn_since_rest(t.rotation, v);
        const double angle = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        // Rotates (0, 0, 1) by Rodrigues' formula, then by the rest rotation about Y.
        const double k[3] = {v[0] / angle, v[1] / angle, v[2] / angle}, cosine = cos(angle), sine = sin(angle);
        const double own[3] = {k[1] * sine + k[0] * k[2] * (1 - cosine), -k[0] * sine + k[1] * k[2] * (1 - cosine),
            cosine + k[2] * k[2] * (1 - cosine)};
        const double seen[3] = {
            own[0] * cos(rest) + own[2] * sin(rest), own[1], -own[0] * sin(rest) + own[2] * cos(rest)};
        const double y = level ? 0 : to[1], length = sqrt(to[0] * to[0] + y * y + to[2] * to[2]);
        CHECK_NEAR(seen[0], to[0] / length, 1e-5);
        CHECK_NEAR(seen[1], y / length, 1e-5);
        CHECK_NEAR(seen[2], to[2] / length, 1e-5);
    }
}

// Drafts before March 2021: springs are given by their roots and share settings.
static void springs_by_their_roots(void)
{
    static const char *const keys[] = {"springRoot", "rootSpring"};
    for (int i = 0; i < 2; ++i) {
        char springs[512];
        vrm_report *report;
        vrm_report_create(NULL, &report);
        snprintf(springs, sizeof springs,
            "},\"VRMC_springBone\":{\"settings\":[{\"stiffness\":9,\"gravityPower\":9,\"dragForce\":0.75},{"
            "\"stiffness\":0.5,"
            "\"gravityPower\":0.25,\"gravityDir\":[1,0,0],\"dragForce\":0.125}],\"springs\":[{\"setting\":1,\"%s\":%d,"
            "\"hitRadius\":0.0625},{\"setting\":0,\"%s\":%d,\"hitRadius\":0}]",
            keys[i], PARENT, keys[i], SOURCE);
        vrm_avatar *avatar = load(springs, "", "", report);
        vrm_avatar_counts counts = {.struct_size = sizeof counts};
        vrm_avatar_get_counts(avatar, &counts);
        CHECK_INT(counts.spring_chains, 2);
        CHECK_INT(counts.spring_joints, 4); // parent - free - 7 cm, and source - child - 7 cm
        for (uint32_t j = 0; j < counts.spring_joints; ++j) {
            vrm_spring_joint joint = {.struct_size = sizeof joint};
            CHECK_INT(vrm_avatar_get_spring_joint(avatar, j, &joint), VRM_SUCCESS);
            CHECK_NEAR(joint.params.stiffness, joint.spring == 0 ? 0.5 : 9, 0);
            CHECK_NEAR(joint.params.gravity_power, joint.spring == 0 ? 0.25 : 9, 0);
            CHECK_NEAR(joint.params.gravity_dir.x, joint.spring == 0 ? 1 : 0, 0);
            CHECK_NEAR(joint.params.drag_force, joint.spring == 0 ? 0.125 : 0.75, 0);
            CHECK_NEAR(joint.params.hit_radius, joint.spring == 0 ? 0.0625 : 0, 0);
            CHECK_INT(joint.tail_node >= 0, joint.joint == 0);
        }
        vrm_avatar_release(avatar);
        vrm_report_destroy(report);
    }
}

static void springs_by_their_roots_wrong(void)
{
    static const struct {
        const char *springs;
        vrm_finding_id finding;
        const char *path;
    } rows[] = {
        {"\"settings\":[],\"springs\":[{\"setting\":0,\"springRoot\":15}]", VRM_FINDING_UNRESOLVED_REFERENCE,
            "/springs/0/setting"},
        {"\"settings\":[{}],\"springs\":[{\"springRoot\":15}]", VRM_FINDING_UNDEFINED_PROPERTY, "/springs/0/setting"},
        {"\"settings\":[{}],\"springs\":[{\"setting\":0}]", VRM_FINDING_UNDEFINED_PROPERTY, "/springs/0/springRoot"},
        {"\"settings\":[7],\"springs\":[{\"setting\":0,\"springRoot\":15}]", VRM_FINDING_TYPE_MISMATCH, "/settings/0"},
        {"\"settings\":[{}],\"springs\":[{\"setting\":0,\"springRoot\":99}]", VRM_FINDING_UNRESOLVED_REFERENCE,
            "/springs/0/springRoot"},
        {"\"settings\":[{}],\"springs\":[5]", VRM_FINDING_TYPE_MISMATCH, "/springs/0"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        char text[2048], path[128];
        vrm_report *report;
        vrm_avatar *avatar = NULL;
        vrm_report_create(NULL, &report);
        size_t at = (size_t)snprintf(text, sizeof text,
            "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}],"
            "\"extensions\":{"
            "\"VRMC_vrm\":{\"specVersion\":\"1.0.0\",\"meta\":{\"name\":\"n\",\"authors\":[\"a\"]},\"humanoid\":{"
            "\"humanBones\":{}}},\"VRMC_springBone\":{%s}}}",
            rows[i].springs);
        (void)vrm_avatar_load_json(NULL, text, at, report, &avatar);
        snprintf(path, sizeof path, "/extensions/VRMC_springBone%s", rows[i].path);
        if (!has_finding(report, rows[i].finding, path)) {
            printf("  %s\n", rows[i].springs);
            print_report(report);
        }
        CHECK(has_finding(report, rows[i].finding, path));
        vrm_avatar_release(avatar);
        vrm_report_destroy(report);
    }
}

static bool has(const vrm_report *report, vrm_finding_id id)
{
    for (uint32_t i = 0; i < vrm_report_get_count(report); ++i) {
        if (vrm_report_get_finding(report, i)->id == id) {
            return true;
        }
    }
    return false;
}

// Only 1.0 requires a chest if there is an upperChest.
static void upper_chest_without_chest_is_no_error(void)
{
    vrm_report *report;
    vrm_report_create(NULL, &report);
    more_bones = ",\"upperChest\":{\"node\":15}";
    parents[PARENT] = 1; // inserts the node between the spine and its children
    parents[2] = parents[9] = parents[12] = PARENT;
    vrm_avatar *avatar = load("", "", "", report);
    more_bones = "";
    parents[PARENT] = -1;
    parents[2] = parents[9] = parents[12] = 1;
    CHECK(vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_UPPER_CHEST) >= 0);
    CHECK(!has(report, VRM_FINDING_VRM1_BONE_PARENT_MISSING));
    vrm_avatar_release(avatar);
    vrm_report_destroy(report);
}

static void version_and_names_of_presets_are_findings(void)
{
    for (int wrong = 0; wrong < 2; ++wrong) {
        vrm_report *report;
        vrm_report_create(NULL, &report);
        vrm_avatar *avatar = load(wrong ? ",\"meta\":{\"name\":\"N\",\"authors\":[\"A\"]},\"expressions\":[{\"preset\":"
                                          "\"happy\",\"name\":\"Joy\"}]"
                                        : ",\"meta\":{\"name\":\"N\",\"version\":\"1\",\"authors\":[\"A\"]},"
                                          "\"expressions\":[{\"preset\":\"happy\","
                                          "\"name\":\"\"},{\"preset\":\"custom\",\"name\":\"Joy\"}]",
            "", "", report);
        CHECK_INT(has(report, VRM_FINDING_VRM1_DRAFT_META_VERSION), wrong);
        CHECK_INT(has(report, VRM_FINDING_VRM1_DRAFT_PRESET_NAME), wrong);
        vrm_avatar_release(avatar);
        vrm_report_destroy(report);
    }
}

static const test_case cases[] = {
    {"upper_chest_without_chest_is_no_error", upper_chest_without_chest_is_no_error},
    {"version_and_names_of_presets_are_findings", version_and_names_of_presets_are_findings},
    {"springs_by_their_roots", springs_by_their_roots},
    {"springs_by_their_roots_wrong", springs_by_their_roots_wrong},
    {"gaze_has_the_unit_that_was_asked_for", gaze_has_the_unit_that_was_asked_for},
    {"gaze_has_the_range_that_was_asked_for", gaze_has_the_range_that_was_asked_for},
    {"old_terms_are_kept_and_never_more", old_terms_are_kept_and_never_more},
    {"expressions_are_an_array", expressions_are_an_array},
    {"positions", positions},
    {"rotations", rotations},
    {"aims", aims},
};

RUN_TESTS(cases)
