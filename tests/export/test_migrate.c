// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// vrm_migrate() on generated files. The avatars before and after it move the same in the world (nodes, skinned
// vertices, morph weights, colours), with either kind of half turn. Features that 1.0 cannot express are reported with
// an error that a brute-force search confirms. test_migrate_rights.c tests permissions, test_migrate_*.mjs other
// people's files and three-vrm.

#include "migrate_fixture.h"

// Computes the skinned and morphed vertices of a mesh node in the world.
static void vertices(const model *m, uint32_t mesh, double out[VERTICES][3])
{
    vrm_outputs o = {.struct_size = sizeof o};
    vrm_instance_get_outputs(m->instance, &o);
    vrm_mesh_node row = {.struct_size = sizeof row};
    vrm_palette palette = {.struct_size = sizeof palette};
    float position[VERTICES * 3], smile[VERTICES * 3], frown[VERTICES * 3], weights[VERTICES * 4];
    uint32_t joints[VERTICES * 4];
    CHECK_INT(vrm_avatar_get_mesh_node(m->avatar, mesh, &row), VRM_SUCCESS);
    CHECK_INT(vrm_avatar_get_palette(m->avatar, (uint32_t)row.palette, &palette), VRM_SUCCESS);
    CHECK_INT(vrm_gltf_read_floats(m->gltf, 0, 0, VERTICES, position), VRM_SUCCESS);
    CHECK_INT(vrm_gltf_read_floats(m->gltf, 5, 0, VERTICES, smile), VRM_SUCCESS);
    CHECK_INT(vrm_gltf_read_floats(m->gltf, 6, 0, VERTICES, frown), VRM_SUCCESS);
    CHECK_INT(vrm_gltf_read_floats(m->gltf, 4, 0, VERTICES, weights), VRM_SUCCESS);
    CHECK_INT(vrm_gltf_read_uints(m->gltf, 3, 0, VERTICES, joints), VRM_SUCCESS);
    for (int v = 0; v < VERTICES; ++v) {
        double p[3];
        for (int k = 0; k < 3; ++k) {
            p[k] = (double)position[3 * v + k] + (double)o.morphs[row.first_morph] * (double)smile[3 * v + k] +
                   (double)o.morphs[row.first_morph + 1] * (double)frown[3 * v + k];
            out[v][k] = 0.0;
        }
        for (int j = 0; j < 2; ++j) {
            const vrm_mat34 *matrix = &o.palette[palette.first_joint + joints[4 * v + j]];
            for (int k = 0; k < 3; ++k) {
                out[v][k] +=
                    (double)weights[4 * v + j] * ((double)matrix->m[k][0] * p[0] + (double)matrix->m[k][1] * p[1] +
                                                     (double)matrix->m[k][2] * p[2] + (double)matrix->m[k][3]);
            }
        }
    }
}

static void set_pose(vrm_instance *instance, int frame, bool gaze)
{
    const float s = (float)frame / 60.0f;
    const vrm_avatar *avatar = vrm_instance_get_avatar(instance);
    static const vrm_human_bone moving[] = {
        VRM_HUMAN_BONE_HIPS, VRM_HUMAN_BONE_HEAD, VRM_HUMAN_BONE_LEFT_UPPER_ARM, VRM_HUMAN_BONE_RIGHT_LOWER_LEG};
    for (int i = 0; i < 4; ++i) {
        const float angle = 0.6f * sinf((float)(i + 2) * s);
        const vrm_quat q = {0.6f * sinf(angle), 0.8f * sinf(angle), 0.0f, cosf(angle)};
        CHECK_INT(vrm_instance_set_normalized_rotation(instance, moving[i], &q), VRM_SUCCESS);
    }
    vrm_root root;
    vrm_instance_get_root(instance, &root);
    root.translation.x = 0.3 * sin((double)s);
    CHECK_INT(vrm_instance_set_root(instance, &root), VRM_SUCCESS);
    const vrm_dvec3 target = {1.5 * sin(2.0 * (double)s), 1.2, 2.0};
    CHECK_INT(vrm_instance_set_look_at_target(instance, gaze ? &target : NULL), VRM_SUCCESS);
    const int32_t happy = vrm_avatar_find_preset(avatar, VRM_EXPRESSION_PRESET_HAPPY);
    const int32_t mine = vrm_avatar_find_expression(avatar, "mine", 4);
    if (happy >= 0 && mine >= 0) {
        CHECK_INT(
            vrm_instance_set_expression(instance, VRM_EXPRESSION_LAYER_HOST, (uint32_t)happy, 0.5f + 0.5f * sinf(s)),
            VRM_SUCCESS);
        CHECK_INT(vrm_instance_set_expression(
                      instance, VRM_EXPRESSION_LAYER_HOST, (uint32_t)mine, frame % 40 < 20 ? 0.75f : 0.25f),
            VRM_SUCCESS);
    }
    vrm_update_dt(instance, 1.0f / 60.0f);
}

static double worst_difference(const pair *p)
{
    vrm_outputs a = {.struct_size = sizeof a}, b = {.struct_size = sizeof b};
    vrm_instance_get_outputs(p->before.instance, &a);
    vrm_instance_get_outputs(p->after.instance, &b);
    double worst = 0.0;
    for (uint32_t i = 0; i < NODES; ++i) {
        const int32_t x = vrm_avatar_find_gltf_node(p->before.avatar, i),
                      y = vrm_avatar_find_gltf_node(p->after.avatar, i);
        for (int k = 0; k < 3; ++k) {
            worst = fmax(worst, fabs((double)a.world[x].m[k][3] - (double)b.world[y].m[k][3]));
        }
    }
    for (uint32_t i = 0; i < a.morph_count; ++i) {
        worst = fmax(worst, fabs((double)a.morphs[i] - (double)b.morphs[i]));
    }
    for (uint32_t i = 0; i < a.material_count; ++i) {
        const float *x = &a.materials[i].colors[0].x, *y = &b.materials[i].colors[0].x;
        vrm_material old = {.struct_size = sizeof old}, new = {.struct_size = sizeof new};
        CHECK_INT(vrm_avatar_get_material(p->before.avatar, i, &old), VRM_SUCCESS);
        CHECK_INT(vrm_avatar_get_material(p->after.avatar, i, &new), VRM_SUCCESS);
        for (int k = 0; k < 4 * VRM_MATERIAL_COLOR_COUNT; ++k) {
            const bool emission = k / 4 == VRM_MATERIAL_COLOR_EMISSION && k % 4 != 3;
            worst = fmax(worst, fabs((double)(x[k] * (emission ? old.params.emissive_strength : 1.0f)) -
                                     (double)(y[k] * (emission ? new.params.emissive_strength : 1.0f))));
        }
        for (int k = 0; k < 2; ++k) {
            worst = fmax(worst, fabs((double)a.materials[i].uv_scale[k] - (double)b.materials[i].uv_scale[k]));
            worst = fmax(worst, fabs((double)a.materials[i].uv_offset[k] - (double)b.materials[i].uv_offset[k]));
            worst = fmax(worst, fabs((double)a.materials[i].uv_scroll[k] - (double)b.materials[i].uv_scroll[k]));
        }
    }
    for (uint32_t mesh = 0; mesh < 2; ++mesh) {
        double x[VERTICES][3], y[VERTICES][3];
        vrm_mesh_node row = {.struct_size = sizeof row};
        CHECK_INT(vrm_avatar_get_mesh_node(p->before.avatar, mesh, &row), VRM_SUCCESS);
        if (row.palette < 0) {
            continue;
        }
        vertices(&p->before, mesh, x);
        vertices(&p->after, mesh, y);
        for (int i = 0; i < VERTICES * 3; ++i) {
            worst = fmax(worst, fabs(x[i / 3][i % 3] - y[i / 3][i % 3]));
        }
    }
    return worst;
}

static void check_same_motion(pair *p, double limit)
{
    double worst = 0.0;
    for (int frame = 0; frame < 120; ++frame) {
        set_pose(p->before.instance, frame, true);
        set_pose(p->after.instance, frame, true);
        worst = fmax(worst, worst_difference(p));
    }
    CHECK(worst <= limit);
}

// --- cases -----------------------------------------------------------------------------------------------------------

static const variant plain = {.camera_child = ""};

static void before_and_after_move_alike(void)
{
    static const variant variants[] = {{.camera_child = ""}, {.camera_child = "", .interleaved = true},
        {.camera_child = "", .small_normals = true, .extensions = ",\"KHR_mesh_quantization\""}};
    for (size_t i = 0; i < sizeof variants / sizeof *variants; ++i) {
        for (int turn = 0; turn < 2; ++turn) {
            pair p;
            vrm_migrate_params def;
            vrm_migrate_params_default(&def);
            def.turn = (vrm_half_turn)turn;
            if (migrate(&p, &variants[i], &def, VRM_SUCCESS)) {
                CHECK(find_finding(p.report, VRM_FINDING_MIGRATE_ROOT_TURNED, NULL) == NULL);
                // Either the vertices are rotated, or only a new node is added.
                float before[3], after[3];
                CHECK_INT(vrm_gltf_read_floats(p.before.gltf, 0, 0, 1, before), VRM_SUCCESS);
                CHECK_INT(vrm_gltf_read_floats(p.after.gltf, 0, 0, 1, after), VRM_SUCCESS);
                CHECK_NEAR(after[0], def.turn == VRM_HALF_TURN_DATA ? -before[0] : before[0], 0);
                CHECK(before[0] != 0.0f);
                check_same_motion(&p, 2e-5);
            }
            close_pair(&p);
        }
    }
}

static void turned_numbers_lose_no_digit(void)
{
    pair p;
    migrate(&p, &plain, NULL, VRM_SUCCESS);
    float before[48], after[48];
    const struct {
        uint32_t accessor, count, components;
        uint16_t mask;
    } turned[] = {{0, VERTICES, 3, 5}, {1, VERTICES, 3, 5}, {2, VERTICES, 4, 0}, {4, VERTICES, 4, 0},
        {5, VERTICES, 3, 5}, {6, VERTICES, 3, 5}, {7, 3, 16, 0x5a5a}, {9, 2, 3, 5}, {10, 2, 4, 5}, {11, 2, 3, 0}};
    for (size_t i = 0; i < sizeof turned / sizeof *turned; ++i) {
        CHECK_INT(vrm_gltf_read_floats(p.before.gltf, turned[i].accessor, 0, turned[i].count, before), VRM_SUCCESS);
        CHECK_INT(vrm_gltf_read_floats(p.after.gltf, turned[i].accessor, 0, turned[i].count, after), VRM_SUCCESS);
        for (uint32_t k = 0; k < turned[i].count * turned[i].components; ++k) {
            const bool turns = (turned[i].mask >> (k % turned[i].components) & 1) != 0;
            CHECK(after[k] == (turns ? -before[k] : before[k]));
            CHECK(!(after[k] == 0.0f && signbit(after[k]) && !signbit(before[k])));
        }
    }
    check_json(&p.after, "/nodes/20/extras", "{\"kept\":[1,2]}");
    check_json(&p.after, "/extras", "{\"mark\": [1, 2.50]}");
    check_json(&p.after, "/nodes/1/translation", "[0.01,0.1,-0.005]");
    check_json(&p.after, "/nodes/22/rotation", "[0,1,0,0]"); // the camera still looks at the same objects
    check_json(&p.after, "/meshes/0/primitives/0/attributes/TANGENT", "(nothing)");
    check_json(&p.after, "/meshes/0/primitives/0/targets/0/TANGENT", "(nothing)");
    check_json(&p.after, "/meshes/0/extras/targetNames", "[\"smile\",\"frown\"]");
    check_json(&p.after, "/extensions/VRM", "(nothing)");
    check_json(&p.after, "/nodes/7/extensions", "(nothing)"); // 0.x has no constraints
    CHECK(find_finding(p.report, VRM_FINDING_MIGRATE_TANGENTS_REMOVED, "/meshes") != NULL);
    CHECK(find_finding(p.report, VRM_FINDING_MIGRATE_MESH_SHARED, "/meshes/0") != NULL);
    close_pair(&p);
}

static void words_of_one(void)
{
    pair p;
    migrate(&p, &plain, NULL, VRM_SUCCESS);
#define VRMC "/extensions/VRMC_vrm/"
#define SPRING "/extensions/VRMC_springBone/"
    check_json(&p.after, VRMC "meta/thumbnailImage", "0");
    check_json(&p.after, VRMC "meta/references", "[\"R\"]");
    check_json(&p.after, VRMC "humanoid/humanBones/hips", "{\"node\":0}");
    check_json(&p.after, VRMC "firstPerson/meshAnnotations/0", "{\"node\":25,\"type\":\"auto\"}");
    check_json(&p.after, VRMC "firstPerson/meshAnnotations/2", "{\"node\":24,\"type\":\"thirdPersonOnly\"}");
    check_json(&p.after, VRMC "lookAt/offsetFromHeadBone", "[-0.01,0.06,0.02]");
    check_json(&p.after, VRMC "lookAt/rangeMapHorizontalOuter", "{\"inputMaxValue\":70,\"outputScale\":12}");
    check_json(&p.after, VRMC "expressions/preset/happy/morphTargetBinds",
        "[{\"node\":23,\"index\":0,\"weight\":0.75},{\"node\":24,\"index\":0,\"weight\":0.75}]");
    check_json(&p.after, VRMC "expressions/custom/mine/isBinary", "true");
    check_json(&p.after, VRMC "expressions/custom/mine 3/isBinary", "false");
    check_json(&p.after, VRMC "expressions/custom/expression 4/isBinary", "false");
    CHECK(find_finding(p.report, VRM_FINDING_MIGRATE_EXPRESSION_RENAMED, "/extensions/VRM/blendShapeMaster") != NULL);
    check_json(&p.after, SPRING "colliders/0",
        "{\"node\":4,\"shape\":{\"sphere\":{\"offset\":[-0.02,0.05,-0.03],\"radius\":0.08}}}");
    check_json(&p.after, SPRING "colliderGroups", "[{\"colliders\":[0,1]},{\"colliders\":[2]}]");
    check_json(&p.after, SPRING "springs/0/colliderGroups", "[1,0]");
    check_json(&p.after, SPRING "springs/0/center", "4");
    check_json(&p.after, SPRING "springs/0/name", "\"hair \\\"1\\\"\"");
    check_json(&p.after, SPRING "springs/0/joints/0",
        "{\"node\":19,\"hitRadius\":0.02,\"stiffness\":0.6,\"gravityPower\":0.2,\"gravityDir\":[-0.3,-1,0.2],"
        "\"dragForce\":0.45}");
    check_json(&p.after, SPRING "springs/0/joints/2", "{\"node\":26}"); // the tail is 7 cm beyond n20
    check_json(&p.after, SPRING "springs/1/joints/1", "{\"node\":27}"); // n21 begins a strand of its own
    check_json(&p.after, "/nodes/26/name", "\"n20_end\"");
    check_json(&p.after, "/nodes/20/children", "[26]");
    check_json(&p.after, "/materials/0/pbrMetallicRoughness/roughnessFactor", "0.5");
    check_json(&p.after, "/materials/0/pbrMetallicRoughness/baseColorTexture/extras", "{\"of\":\"others\"}");
    check_json(&p.after, "/materials/0/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform",
        "{\"offset\":[0.25,0.25],\"scale\":[0.5,0.25]}");
    check_json(&p.after, "/materials/0/alphaMode", "\"BLEND\"");
    check_json(&p.after, "/materials/0/alphaCutoff", "(nothing)");
    check_json(&p.after, "/materials/0/normalTexture/scale", "0.5");
    check_json(&p.after, "/materials/0/emissiveTexture", "(nothing)");
    check_json(&p.after, "/materials/0/emissiveFactor", "[1,0.25,0]");
    check_json(&p.after, "/materials/0/extensions/KHR_materials_emissive_strength", "{\"emissiveStrength\":2}");
    check_json(&p.after, "/materials/0/extensions/VRMC_materials_mtoon/outlineWidthFactor", "0.005");
    check_json(&p.after, "/materials/0/extensions/VRMC_materials_mtoon/matcapTexture", "{\"index\":0}");
    check_json(&p.after, "/materials/1/alphaMode", "\"MASK\"");
    check_json(&p.after, "/materials/1/extensions/KHR_materials_unlit", "{}");
    check_json(&p.after, "/extensionsUsed",
        "[\"VRMC_vrm\",\"VRMC_springBone\",\"VRMC_materials_mtoon\",\"KHR_materials_unlit\","
        "\"KHR_texture_transform\",\"KHR_materials_emissive_strength\"]");
    close_pair(&p);
}

static void what_cannot_be_turned_hangs_below_a_turn(void)
{
    static const struct {
        variant v;
        const char *reason;
    } rows[] = {
        {{.camera_child = "", .normals_as_colors = true}, "an accessor that is used in two ways"},
        {{.camera_child = "", .shared_output = true}, "an accessor that is used in two ways"},
        {{.camera_child = "", .unsigned_positions = true, .extensions = ",\"KHR_mesh_quantization\""},
            "integers that cannot be negated"},
        {{.camera_child = "", .shared_bytes = true}, "bytes that two accessors use differently"},
        {{.camera_child = ",\"mesh\":1"}, "a camera or light whose node has children or other content"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        pair p;
        if (migrate(&p, &rows[i].v, NULL, VRM_SUCCESS)) {
            const vrm_finding *f = find_finding(p.report, VRM_FINDING_MIGRATE_ROOT_TURNED, "");
            CHECK(f != NULL);
            CHECK_STRING(f != NULL ? f->found : "", rows[i].reason);
            check_json(&p.after, "/scenes/0/nodes", "[26]");
            check_json(&p.after, "/nodes/26", "{\"name\":\"half turn\",\"rotation\":[0,1,0,0],\"children\":[0,23,24]}");
            check_same_motion(&p, 2e-5);
        }
        close_pair(&p);
    }
}

static void a_stranger_extension_is_told(void)
{
    pair p;
    const variant v = {.camera_child = "", .extensions = ",\"ACME_arrows\",\"KHR_materials_sheen\""};
    migrate(&p, &v, NULL, VRM_SUCCESS);
    CHECK(find_finding(p.report, VRM_FINDING_MIGRATE_EXTENSION_KEPT, "/extensionsUsed/1") != NULL);
    CHECK(find_finding(p.report, VRM_FINDING_MIGRATE_EXTENSION_KEPT, "/extensionsUsed/2") == NULL);
    close_pair(&p);
}

static void strict_refuses(void)
{
    static const char *const losses[] = {
        "\"materialProperties\":[{\"shader\":\"VRM/MToon\",\"floatProperties\":{\"_ReceiveShadowRate\":0.5}}]",
        "\"materialProperties\":[{\"shader\":\"VRM/MToon\",\"floatProperties\":{\"_CullMode\":1}}]",
        "\"materialProperties\":[{\"shader\":\"VRM/UnlitTransparentZWrite\",\"floatProperties\":{}}]",
        "\"firstPerson\":{\"lookAtTypeName\":\"Bone\",\"lookAtVerticalUp\":{\"curve\":[0,0,0,0,1,1,0,0],\"yRange\":10}"
        "}",
    };
    vrm_migrate_params def;
    vrm_migrate_params_default(&def);
    def.strict = true;
    pair p;
    CHECK(migrate(&p, &plain, &def, VRM_SUCCESS));
    close_pair(&p);
    for (size_t i = 0; i < sizeof losses / sizeof *losses; ++i) {
        const variant v = {.camera_child = "", .vrm = losses[i]};
        migrate(&p, &v, &def, VRM_ERROR_UNSUPPORTED);
        close_pair(&p);
        CHECK(migrate(&p, &v, NULL, VRM_SUCCESS));
        close_pair(&p);
    }
}

// Checks on a grid of limits and scales that the reported error is the line's largest error, and that no other line has
// a smaller largest error.
static void curves_become_the_nearest_line(void)
{
    static const double curves[][8] = {
        {0, 0, 0, 0, 1, 1, 0, 0}, {0, 0, 0, 3, 1, 1, 0.5, 0}, {0, 0.2, 0, 1, 1, 0.8, 1, 0}};
    for (size_t i = 0; i < sizeof curves / sizeof *curves; ++i) {
        const double *k = curves[i];
        char vrm[512];
        snprintf(vrm, sizeof vrm,
            "\"firstPerson\":{\"lookAtTypeName\":\"Bone\",\"lookAtVerticalUp\":{\"curve\":[%g,%g,%g,%g,%g,%g,%g,%g],"
            "\"xRange\":90,\"yRange\":10}}",
            k[0], k[1], k[2], k[3], k[4], k[5], k[6], k[7]);
        const variant v = {.camera_child = "", .vrm = vrm};
        pair p;
        migrate(&p, &v, NULL, VRM_SUCCESS);
        const vrm_finding *f = find_finding(
            p.report, VRM_FINDING_MIGRATE_LOOK_AT_CURVE, "/extensions/VRM/firstPerson/lookAtVerticalUp/curve");
        const double told = f != NULL ? strtod(f->found + strlen("off by up to "), NULL) : -1.0;
        vrm_look_at look_at = {.struct_size = sizeof look_at};
        vrm_avatar_get_look_at(p.after.avatar, &look_at);
        const double limit = (double)look_at.vertical_up.input_max / 1.5707963,
                     scale = (double)look_at.vertical_up.output_scale * 57.2957795;
        double found = 0.0, best = 1e9;
        for (int l = 1; l <= 200; ++l) {
            for (int s = 0; s <= 240; ++s) {
                double worst = 0.0;
                for (int x = 0; x <= 100; ++x) {
                    const double t = x / 100.0, t2 = t * t, t3 = t2 * t;
                    const double curve = 10.0 * ((2 * t3 - 3 * t2 + 1) * k[1] + (t3 - 2 * t2 + t) * k[3] +
                                                    (3 * t2 - 2 * t3) * k[5] + (t3 - t2) * k[6]);
                    worst = fmax(worst, fabs(curve - s * 0.05 * fmin(t / (l / 200.0), 1.0)));
                    if (l == 1 && s == 0) {
                        found = fmax(found, fabs(curve - scale * fmin(t / limit, 1.0)));
                    }
                }
                best = fmin(best, worst);
            }
        }
        CHECK_NEAR(found, told, 0.02 * told + 0.01);
        CHECK(told <= best + 0.01);
        close_pair(&p);
    }
}

static void of_two_dialects_the_chosen_one(void)
{
    const variant v = {.camera_child = "",
        .more = ",\"VRMC_vrm\":{\"specVersion\":\"1.0\"},\"VRMC_springBone\":{\"specVersion\":\"1.0\"}"};
    size_t size = 0;
    uint8_t *bytes = build(&v, &size);
    vrm_avatar_def def;
    vrm_avatar_def_default(&def);
    def.prefer = VRM_PREFER_0_X;
    vrm_gltf *gltf = NULL;
    vrm_avatar *avatar = NULL;
    vrm_string text;
    CHECK_INT(vrm_gltf_load(NULL, bytes, size, NULL, &gltf), VRM_SUCCESS);
    CHECK_INT(vrm_avatar_import(&def, gltf, NULL, &avatar), VRM_SUCCESS);
    CHECK_INT(vrm_migrate(NULL, gltf, avatar, NULL), VRM_SUCCESS);
    CHECK_INT(vrm_gltf_get_json(gltf, "/extensions/VRMC_vrm/meta/name", &text), VRM_SUCCESS);
    CHECK_INT(vrm_gltf_get_json(gltf, "/extensions/VRMC_springBone/springs/1", &text), VRM_SUCCESS);
    CHECK_INT(vrm_gltf_get_json(gltf, "/extensions/VRM", &text), VRM_ERROR_NOT_FOUND);
    vrm_avatar_release(avatar);
    vrm_gltf_destroy(gltf);
    free(bytes);
}

static void wrong_arguments(void)
{
    size_t size = 0;
    uint8_t *bytes = build(&plain, &size);
    vrm_gltf *gltf = NULL, *other = NULL;
    vrm_avatar *avatar = NULL;
    static const char json[] = "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{}]}";
    CHECK_INT(vrm_gltf_load(NULL, bytes, size, NULL, &gltf), VRM_SUCCESS);
    CHECK_INT(vrm_gltf_load(NULL, json, strlen(json), NULL, &other), VRM_SUCCESS);
    CHECK_INT(vrm_avatar_import(NULL, gltf, NULL, &avatar), VRM_SUCCESS);
    vrm_migrate_params def = {0};
    CHECK_INT(vrm_migrate(&def, gltf, avatar, NULL), VRM_ERROR_INVALID_ARGUMENT);  // struct_size is not set
    CHECK_INT(vrm_migrate(NULL, other, avatar, NULL), VRM_ERROR_INVALID_ARGUMENT); // the document is another one
    vrm_migrate_params_default(&def);
    def.turn = (vrm_half_turn)(VRM_HALF_TURN_ROOT + 1);
    CHECK_INT(vrm_migrate(&def, gltf, avatar, NULL), VRM_ERROR_INVALID_ARGUMENT); // the half turn is invalid
    CHECK_INT(vrm_gltf_set_json(gltf, "/extras/mark", "1", 1), VRM_SUCCESS);
    CHECK_INT(vrm_migrate(NULL, gltf, avatar, NULL), VRM_ERROR_INVALID_ARGUMENT); // edited
    vrm_avatar_release(avatar);
    avatar = NULL;
    vrm_avatar_def plain_def;
    vrm_avatar_def_default(&plain_def);
    plain_def.allow_plain_gltf = true;
    CHECK_INT(vrm_avatar_import(&plain_def, other, NULL, &avatar), VRM_SUCCESS);
    CHECK_INT(vrm_migrate(NULL, other, avatar, NULL), VRM_ERROR_INVALID_ARGUMENT); // no VRM
    vrm_avatar_release(avatar);
    vrm_gltf_destroy(gltf);
    vrm_gltf_destroy(other);
    free(bytes);
}

// Each allocation fails once: the result reports it, and nothing leaks.
static void memory_runs_out(void)
{
    size_t size = 0;
    uint8_t *bytes = build(&plain, &size);
    vrm_avatar *avatar = NULL;
    CHECK_INT(vrm_avatar_load(NULL, bytes, size, NULL, &avatar), VRM_SUCCESS);
    bool done = false;
    for (uint64_t at = 0; at < 20000 && !done; at += at < 100 ? 1 : 7) {
        test_allocator memory = {.fail_at = UINT64_MAX};
        vrm_gltf_def def;
        vrm_gltf_def_default(&def);
        def.allocator = (vrm_allocator){test_allocate, test_release, &memory};
        vrm_migrate_params migrate_def;
        vrm_migrate_params_default(&migrate_def);
        migrate_def.allocator = def.allocator;
        vrm_gltf *gltf = NULL;
        CHECK_INT(vrm_gltf_load(&def, bytes, size, NULL, &gltf), VRM_SUCCESS);
        memory.fail_at = memory.calls + at;
        const vrm_result result = vrm_migrate(&migrate_def, gltf, avatar, NULL);
        done = result == VRM_SUCCESS;
        CHECK(done || result == VRM_ERROR_OUT_OF_MEMORY);
        vrm_gltf_destroy(gltf);
        CHECK_INT(memory.live_blocks, 0);
        CHECK_INT(memory.wrong, 0);
    }
    CHECK(done);
    vrm_avatar_release(avatar);
    free(bytes);
}

static const test_case cases[] = {
    {"before_and_after_move_alike", before_and_after_move_alike},
    {"turned_numbers_lose_no_digit", turned_numbers_lose_no_digit},
    {"words_of_one", words_of_one},
    {"what_cannot_be_turned_hangs_below_a_turn", what_cannot_be_turned_hangs_below_a_turn},
    {"a_stranger_extension_is_told", a_stranger_extension_is_told},
    {"strict_refuses", strict_refuses},
    {"curves_become_the_nearest_line", curves_become_the_nearest_line},
    {"of_two_dialects_the_chosen_one", of_two_dialects_the_chosen_one},
    {"wrong_arguments", wrong_arguments},
    {"memory_runs_out", memory_runs_out},
};

RUN_TESTS(cases)
