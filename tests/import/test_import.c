// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The tables of an avatar from a file that has every feature, checked one by one.

#include "avatar_file.h"
#include "model/model.h"

#define DEGREES (3.14159265358979323846 / 180.0)

static void with_the_file(void (*check)(vrm_avatar *avatar))
{
    vrm_report *report;
    vrm_avatar *avatar = avatar_file_load(&report);
    if (avatar != NULL) {
        check(avatar);
    }
    vrm_avatar_release(avatar);
    vrm_report_destroy(report);
}

// Defines a case that checks the loaded avatar, `avatar`.
#define OF_THE_FILE(name) \
    static void name##_in(vrm_avatar *avatar); \
    static void name(void) \
    { \
        with_the_file(name##_in); \
    } \
    static void name##_in(vrm_avatar *avatar)

#define CHECK_VEC3(actual, ex, ey, ez, tolerance) \
    do { \
        const vrm_vec3 test_v = (actual); \
        CHECK_NEAR(test_v.x, ex, tolerance); \
        CHECK_NEAR(test_v.y, ey, tolerance); \
        CHECK_NEAR(test_v.z, ez, tolerance); \
    } while (0)

// Computes a glTF node's pose in the world in doubles, with rotations as matrices, straight from the definition of TRS.
static void world_of(const file_node *nodes, int node, double out[3][4])
{
    double parent[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    if (nodes[node].parent >= 0) {
        world_of(nodes, nodes[node].parent, parent);
    }
    const file_node *n = &nodes[node];
    const double x = n->rotation[0], y = n->rotation[1], z = n->rotation[2], w = n->rotation[3];
    const double r[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
        {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
        {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            out[i][j] = 0;
            for (int k = 0; k < 3; ++k) {
                out[i][j] += parent[i][k] * r[k][j] * n->scale[j];
            }
        }
        out[i][3] = parent[i][3];
        for (int k = 0; k < 3; ++k) {
            out[i][3] += parent[i][k] * n->translation[k];
        }
    }
}

OF_THE_FILE(nodes_are_depth_first)
{
    file_node nodes[FILE_NODES];
    file_nodes(nodes);
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(avatar, &counts);
    CHECK_INT(counts.nodes, FILE_NODES);
    for (int i = 0; i < FILE_NODES; ++i) {
        const int32_t order = vrm_avatar_find_gltf_node(avatar, (uint32_t)i);
        vrm_node node = {.struct_size = sizeof node};
        CHECK_INT(vrm_avatar_get_node(avatar, (uint32_t)order, &node), VRM_SUCCESS);
        CHECK_INT(node.gltf_node, i);
        CHECK_INT(node.parent, nodes[i].parent < 0 ? -1 : vrm_avatar_find_gltf_node(avatar, (uint32_t)nodes[i].parent));
        CHECK(node.parent < order);
        double world[3][4];
        world_of(nodes, i, world);
        CHECK_VEC3(node.rest_position, world[0][3], world[1][3], world[2][3], 1e-5);
        CHECK_INT(node.human_bone, i >= FILE_BONES && i < FILE_BONES + VRM_HUMAN_BONE_COUNT ? i - FILE_BONES : -1);
        char name[32];
        snprintf(name, sizeof name, "node %d", i);
        CHECK_TEXT(node.name, name);
        CHECK_INT(vrm_avatar_find_node(avatar, name, strlen(name)), order);
        // Node j is in this node's range if and only if this node is j or one of its ancestors.
        for (int j = 0; j < FILE_NODES; ++j) {
            int above = j;
            while (above != i && above >= 0) {
                above = nodes[above].parent;
            }
            const int32_t other = vrm_avatar_find_gltf_node(avatar, (uint32_t)j);
            CHECK_INT(other >= order && (uint32_t)other < node.subtree_end, above == i);
        }
    }
    vrm_node node = {.struct_size = sizeof node};
    CHECK_INT(vrm_avatar_get_node(avatar, FILE_NODES, &node), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_avatar_find_gltf_node(avatar, FILE_NODES), -1);
    CHECK_INT(vrm_avatar_find_node(avatar, "nobody", 6), -1);
    const int32_t head = vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_HEAD);
    CHECK_INT(vrm_avatar_get_node(avatar, (uint32_t)head, &node), VRM_SUCCESS);
    CHECK_NEAR(node.rest_rotation.y, 0.70710678, 1e-6);
    CHECK_INT(vrm_avatar_get_bone_parent(avatar, VRM_HUMAN_BONE_HEAD), VRM_HUMAN_BONE_NECK);
    CHECK_INT(vrm_avatar_get_bone_parent(avatar, VRM_HUMAN_BONE_HIPS), -1);
}

static void the_file_is_clean(void)
{
    vrm_report *report;
    vrm_avatar *avatar = avatar_file_load(&report);
    // The file intentionally has a spring of a single joint.
    CHECK_INT(vrm_report_get_severity_count(report, VRM_SEVERITY_ERROR), 0);
    CHECK_INT(vrm_report_get_severity_count(report, VRM_SEVERITY_WARNING), 0);
    CHECK(has_finding(report, VRM_FINDING_VRM1_SPRING_TOO_SHORT, "/extensions/VRMC_springBone/springs/3/joints"));
    if (vrm_report_get_severity_count(report, VRM_SEVERITY_WARNING) != 0) {
        print_report(report);
    }
    CHECK_STRING(vrm_avatar_get_dialect(avatar), "1.0");
    vrm_avatar_release(avatar);
    vrm_report_destroy(report);
}

OF_THE_FILE(meta_is_read)
{
    vrm_meta meta = {.struct_size = sizeof meta};
    vrm_avatar_get_meta(avatar, &meta);
    CHECK_TEXT(meta.name, "Test \xC3\xA9");
    CHECK_TEXT(meta.version, "v7");
    CHECK_INT(meta.author_count, 2);
    CHECK_TEXT(meta.authors[0], "Ann");
    CHECK_TEXT(meta.authors[1], "Bob");
    CHECK_TEXT(meta.copyright_information, "(c)");
    CHECK_TEXT(meta.contact_information, "ann@example");
    CHECK_INT(meta.reference_count, 1);
    CHECK_TEXT(meta.references[0], "a book");
    CHECK_TEXT(meta.third_party_licenses, "none");
    CHECK_TEXT(meta.license_url, "https://vrm.dev/licenses/1.0/");
    CHECK_TEXT(meta.other_license_url, "https://example.org/");
    CHECK_INT(meta.thumbnail_image, 0);
    CHECK_INT(meta.avatar_permission, VRM_AVATAR_PERMISSION_ONLY_SEPARATELY_LICENSED_PERSON);
    CHECK_INT(meta.commercial_usage, VRM_COMMERCIAL_USAGE_PERSONAL_PROFIT);
    CHECK_INT(meta.credit_notation, VRM_CREDIT_NOTATION_UNNECESSARY);
    CHECK_INT(meta.modification, VRM_MODIFICATION_ALLOW_MODIFICATION);
    CHECK(meta.allow_excessively_violent_usage && !meta.allow_excessively_sexual_usage);
    CHECK(meta.allow_political_or_religious_usage && !meta.allow_antisocial_or_hate_usage);
    CHECK(meta.allow_redistribution);
    // allowAntisocialOrHateUsage is not in the file.
    CHECK_INT(meta.stated, 0x1FF & ~VRM_META_ANTISOCIAL_OR_HATE_USAGE);
}

OF_THE_FILE(meshes_are_read)
{
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(avatar, &counts);
    CHECK_INT(counts.meshes, 3);
    CHECK_INT(counts.morphs, 6);
    CHECK_INT(counts.palettes, 1); // the two skins are equal
    CHECK_INT(counts.palette_joints, 2);
    CHECK_INT(counts.flags, 0);
    vrm_node node = {.struct_size = sizeof node};
    vrm_mesh_node face = {.struct_size = sizeof face}, prop = {.struct_size = sizeof prop},
                  face2 = {.struct_size = sizeof face2};
    vrm_avatar_get_node(avatar, (uint32_t)vrm_avatar_find_gltf_node(avatar, FILE_FACE), &node);
    CHECK_INT(vrm_avatar_get_mesh_node(avatar, (uint32_t)node.mesh, &face), VRM_SUCCESS);
    vrm_avatar_get_node(avatar, (uint32_t)vrm_avatar_find_gltf_node(avatar, FILE_PROP), &node);
    CHECK_INT(vrm_avatar_get_mesh_node(avatar, (uint32_t)node.mesh, &prop), VRM_SUCCESS);
    vrm_avatar_get_node(avatar, (uint32_t)vrm_avatar_find_gltf_node(avatar, FILE_FACE2), &node);
    CHECK_INT(vrm_avatar_get_mesh_node(avatar, (uint32_t)node.mesh, &face2), VRM_SUCCESS);
    CHECK_INT(vrm_avatar_get_mesh_node(avatar, 3, &face2), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(face.gltf_mesh, 0);
    CHECK_INT(prop.gltf_mesh, 1);
    CHECK_INT(face.gltf_skin, 0);
    CHECK_INT(face2.gltf_skin, 1);
    CHECK_INT(prop.gltf_skin, -1);
    CHECK_INT(prop.palette, -1);
    CHECK_INT(face.palette, face2.palette);
    CHECK_INT(face.first_person, VRM_FIRST_PERSON_BOTH);
    CHECK_INT(prop.first_person, VRM_FIRST_PERSON_FIRST_PERSON_ONLY);
    CHECK_INT(face2.first_person, VRM_FIRST_PERSON_AUTO);
    CHECK_INT(face.morph_count, 3);
    CHECK_INT(prop.morph_count, 0);
    static const char *const names[3] = {"smile", "smile_1", "2"};
    const float *base = vrmi_model_morph_base(avatar->model);
    // The base is 0 if an expression binds the weight; otherwise it is the node's weight, or without one the mesh's.
    const double bases[2][3] = {{0, 0.5, 0}, {0.125, 0, 0.75}};
    for (uint32_t i = 0; i < 3; ++i) {
        vrm_string name;
        vrm_avatar_get_morph_name(avatar, face.first_morph + i, &name);
        CHECK_TEXT(name, names[i]);
        vrm_avatar_get_morph_name(avatar, face2.first_morph + i, &name);
        CHECK_TEXT(name, names[i]);
        CHECK_NEAR(base[face.first_morph + i], bases[0][i], 0);
        CHECK_NEAR(base[face2.first_morph + i], bases[1][i], 0);
    }
    vrm_palette palette = {.struct_size = sizeof palette};
    CHECK_INT(vrm_avatar_get_palette(avatar, (uint32_t)face.palette, &palette), VRM_SUCCESS);
    CHECK_INT(palette.joint_count, 2);
    CHECK_INT(palette.nodes[0], vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_HEAD));
    CHECK_INT(palette.nodes[1], vrm_avatar_find_gltf_node(avatar, FILE_HAIR));
    const vrm_mat34 *inverse = vrmi_model_palette_inverse_bind(avatar->model);
    for (int joint = 0; joint < 2; ++joint) {
        for (int i = 0; i < 12; ++i) { // the file's matrices are column-major
            CHECK_NEAR(inverse[joint].m[i / 4][i % 4], file_inverse_binds[joint * 16 + (i % 4) * 4 + i / 4], 0);
        }
    }
}

// The range of the vertices, computed by hand: sums of morph deltas per component, then the inverse bind matrices.
OF_THE_FILE(bounds_hold_every_morph)
{
    const vrmi_model *model = avatar->model;
    const int32_t face = vrmi_model_node_mesh(model)[vrm_avatar_find_gltf_node(avatar, FILE_FACE)];
    const int32_t prop = vrmi_model_node_mesh(model)[vrm_avatar_find_gltf_node(avatar, FILE_PROP)];
    const vrmi_range range = vrmi_model_mesh_bounds(model)[face];
    CHECK_INT(range.count, 2);
    // Vertex 0: y from 1 - 0.4 to 1 + 0.3; vertex 1: z from 0 to 0.3; vertex 2: x from -0.2 to 0.
    const double expected[2][6] = {{-0.5 - 1, 0.6 - 2, 0.0 - 3, 0.5 - 1, 1.5 - 2, 0.3 - 3}, // head: vertices 0 and 1
        {-1.5, -0.5, 0.0, -1.25, 0.0, 0.75}}; // hair: vertices 1 and 2, (-y, x, z)
    for (uint32_t i = 0; i < range.count; ++i) {
        const vrmi_bound_row *row = &vrmi_model_bound(model)[range.first + i];
        const int joint = row->node == (uint32_t)vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_HEAD) ? 0 : 1;
        CHECK_VEC3(row->box.min, expected[joint][0], expected[joint][1], expected[joint][2], 1e-6);
        CHECK_VEC3(row->box.max, expected[joint][3], expected[joint][4], expected[joint][5], 1e-6);
    }
    const vrmi_range rigid = vrmi_model_mesh_bounds(model)[prop];
    CHECK_INT(rigid.count, 1);
    const vrmi_bound_row *row = &vrmi_model_bound(model)[rigid.first];
    CHECK_INT(row->node, vrm_avatar_find_gltf_node(avatar, FILE_PROP));
    CHECK_VEC3(row->box.min, -0.5, 1.0, 0.0, 0);
    CHECK_VEC3(row->box.max, 0.5, 1.5, 0.75, 0);
}

OF_THE_FILE(body_is_measured)
{
    file_node nodes[FILE_NODES];
    file_nodes(nodes);
    double hips[3][4], head[3][4], hair[3][4], prop[3][4];
    world_of(nodes, FILE_BONE(HIPS), hips);
    world_of(nodes, FILE_BONE(HEAD), head);
    world_of(nodes, FILE_HAIR, hair);
    world_of(nodes, FILE_PROP, prop);
    double top = -1e9;
    for (int i = 0; i < 3; ++i) {
        const double x = file_positions[i * 3], y = file_positions[i * 3 + 1], z = file_positions[i * 3 + 2];
        const double in_head = head[1][0] * (x - 1) + head[1][1] * (y - 2) + head[1][2] * (z - 3) + head[1][3];
        const double in_hair = hair[1][0] * -y + hair[1][1] * x + hair[1][2] * z + hair[1][3];
        const double skinned = i == 0 ? in_head : i == 1 ? 0.5 * in_head + 0.5 * in_hair : in_hair;
        const double rigid = prop[1][0] * x + prop[1][1] * y + prop[1][2] * z + prop[1][3];
        top = skinned > top ? skinned : top;
        top = rigid > top ? rigid : top;
    }
    vrm_avatar_body body = {.struct_size = sizeof body};
    vrm_avatar_get_body(avatar, &body);
    CHECK_NEAR(body.hips_height, hips[1][3], 1e-6);
    CHECK_NEAR(body.eye_height, head[1][3] + 0.06, 1e-6);
    CHECK_NEAR(body.height, top, 1e-5);
}

OF_THE_FILE(expressions_are_read)
{
    const vrmi_model *model = avatar->model;
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(avatar, &counts);
    CHECK_INT(counts.expressions, 4);
    // Presets first, then customs in file order.
    static const char *const names[4] = {"happy", "blink", "wink!", "smirk"};
    vrm_expression e = {.struct_size = sizeof e};
    for (uint32_t i = 0; i < 4; ++i) {
        CHECK_INT(vrm_avatar_get_expression(avatar, i, &e), VRM_SUCCESS);
        CHECK_TEXT(e.name, names[i]);
        CHECK_INT(vrm_avatar_find_expression(avatar, names[i], strlen(names[i])), i);
    }
    CHECK_INT(vrm_avatar_get_expression(avatar, 4, &e), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_avatar_find_preset(avatar, VRM_EXPRESSION_PRESET_BLINK), 1);
    CHECK_INT(vrm_avatar_find_preset(avatar, VRM_EXPRESSION_PRESET_SAD), -1);
    vrm_avatar_get_expression(avatar, 0, &e);
    CHECK_INT(e.group, VRM_EXPRESSION_GROUP_NONE);
    CHECK_INT(e.override_mouth, VRM_EXPRESSION_OVERRIDE_BLOCK);
    CHECK_INT(e.override_blink, VRM_EXPRESSION_OVERRIDE_BLEND);
    CHECK_INT(e.override_look_at, VRM_EXPRESSION_OVERRIDE_NONE);
    CHECK(!e.is_binary);
    CHECK_INT(e.morph_bind_count, 2);
    CHECK_INT(e.color_bind_count, 6);
    CHECK_INT(e.texture_bind_count, 2);
    vrm_avatar_get_expression(avatar, 1, &e);
    CHECK_INT(e.group, VRM_EXPRESSION_GROUP_BLINK);
    CHECK(e.is_binary);
    CHECK_NEAR(e.binary_threshold, 0.5, 0);
    vrm_avatar_get_expression(avatar, 2, &e);
    CHECK_INT(e.preset, VRM_EXPRESSION_CUSTOM);
    CHECK_INT(e.override_look_at, VRM_EXPRESSION_OVERRIDE_BLOCK);
    const vrmi_expression_row *happy = vrmi_model_expression(model);
    const vrmi_morph_bind *morphs = vrmi_model_morph_bind(model) + happy->first_morph_bind;
    const int32_t face = vrmi_model_node_mesh(model)[vrm_avatar_find_gltf_node(avatar, FILE_FACE)];
    const int32_t face2 = vrmi_model_node_mesh(model)[vrm_avatar_find_gltf_node(avatar, FILE_FACE2)];
    CHECK_INT(morphs[0].morph, vrmi_model_mesh(model)[face].first_morph);
    CHECK_NEAR(morphs[0].weight, 0.5, 0);
    CHECK_INT(morphs[1].morph, vrmi_model_mesh(model)[face2].first_morph + 1);
    CHECK_NEAR(morphs[1].weight, 0.25, 0);
    const vrmi_color_bind *colors = vrmi_model_color_bind(model) + happy->first_color_bind;
    for (uint32_t i = 0; i < 6; ++i) {
        CHECK_INT(colors[i].color, i);
        CHECK_INT(colors[i].material, 0);
        CHECK_NEAR(colors[i].target.x, 1.0 - 0.1 * i, 1e-6);
        CHECK_NEAR(colors[i].target.z, 0.8 - 0.1 * i, 1e-6);
        CHECK_NEAR(colors[i].target.w, i == 0 ? 0.7 : 1.0, 1e-6);
    }
    const vrmi_texture_bind *textures = vrmi_model_texture_bind(model) + happy->first_texture_bind;
    CHECK_INT(textures[0].material, 1);
    CHECK_NEAR(textures[0].scale[1], 0.25, 0);
    CHECK_NEAR(textures[0].offset[0], 0.75, 0);
    CHECK_INT(textures[1].material, 2);
    CHECK_NEAR(textures[1].scale[0], 1, 0);
    CHECK_NEAR(textures[1].offset[1], 0, 0);
}

OF_THE_FILE(look_at_is_read)
{
    vrm_look_at look = {.struct_size = sizeof look};
    vrm_avatar_get_look_at(avatar, &look);
    CHECK_INT(look.type, VRM_LOOK_AT_BONE);
    CHECK_VEC3(look.offset_from_head_bone, 0.01, 0.06, 0.02, 1e-7);
    const vrm_range_map *maps[4] = {
        &look.horizontal_inner, &look.horizontal_outer, &look.vertical_down, &look.vertical_up};
    for (int i = 0; i < 4; ++i) {
        CHECK_NEAR(maps[i]->input_max, (90 - 10 * i) * DEGREES, 1e-6);
        CHECK_NEAR(maps[i]->output_scale, (10 + i) * DEGREES, 1e-6);
    }
}

OF_THE_FILE(springs_are_sorted)
{
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(avatar, &counts);
    CHECK_INT(counts.spring_chains, 3);
    CHECK_INT(counts.spring_joints, 2 + 1 + 3);
    vrm_spring_chain chain = {.struct_size = sizeof chain};
    // The hair moves the band's root and the skirt's collider, so it comes first. The others keep their file order.
    static const char *const names[3] = {"hair", "band", "skirt"};
    static const uint32_t springs[3] = {2, 0, 1}, joint_counts[3] = {3, 2, 1}, collider_counts[3] = {2, 5, 1};
    static const uint32_t colliders[3][5] = {{1, 0}, {1, 0, 2, 3, 4}, {5}};
    for (uint32_t i = 0; i < 3; ++i) {
        CHECK_INT(vrm_avatar_get_spring_chain(avatar, i, &chain), VRM_SUCCESS);
        CHECK_TEXT(chain.name, names[i]);
        CHECK_INT(chain.spring, springs[i]);
        CHECK_INT(chain.joint_count, joint_counts[i]);
        CHECK_INT(chain.collider_count, collider_counts[i]);
        for (uint32_t c = 0; c < chain.collider_count; ++c) {
            CHECK_INT(vrm_avatar_get_chain_colliders(avatar)[chain.first_collider + c], colliders[i][c]);
        }
    }
    CHECK_INT(vrm_avatar_get_spring_chain(avatar, 3, &chain), VRM_ERROR_INVALID_ARGUMENT);
    vrm_avatar_get_spring_chain(avatar, 0, &chain);
    CHECK_INT(chain.center, vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_HEAD));
    vrm_avatar_get_spring_chain(avatar, 2, &chain);
    CHECK_INT(chain.center, vrm_avatar_find_gltf_node(avatar, FILE_ROOT));
    vrm_avatar_get_spring_chain(avatar, 1, &chain);
    CHECK_INT(chain.center, -1);
    // In file order: band (2 joints), skirt (1), hair (3).
    static const uint32_t file_order[6] = {3, 4, 5, 0, 1, 2};
    for (uint32_t i = 0; i < 6; ++i) {
        CHECK_INT(vrmi_model_spring_file_order(avatar->model)[i], file_order[i]);
    }
}

OF_THE_FILE(spring_joints_are_read)
{
    vrm_spring_joint j = {.struct_size = sizeof j};
    CHECK_INT(vrm_avatar_get_spring_joint(avatar, 0, &j), VRM_SUCCESS);
    CHECK_INT(j.node, vrm_avatar_find_gltf_node(avatar, FILE_HAIR));
    CHECK_INT(j.tail_node, vrm_avatar_find_gltf_node(avatar, FILE_HAIR + 1));
    CHECK_INT(j.spring, 2);
    CHECK_INT(j.joint, 0);
    CHECK_NEAR(j.params.hit_radius, 0.01, 1e-8);
    CHECK_NEAR(j.params.stiffness, 2.5, 0);
    CHECK_NEAR(j.params.gravity_power, 0.3, 1e-7);
    CHECK_VEC3(j.params.gravity_dir, 0.6, -0.8, 0, 1e-7);
    CHECK_NEAR(j.params.drag_force, 0.7, 1e-7);
    CHECK_INT(j.limit.type, VRM_SPRING_LIMIT_CONE);
    CHECK_NEAR(j.limit.angle, 0.25, 0);
    CHECK_VEC3(j.tail, 0.02, -0.05 - 0.058, 0, 1e-6);
    vrm_avatar_get_spring_joint(avatar, 1, &j); // default values; the chain skips a node before this joint's tail
    CHECK_INT(j.tail_node, vrm_avatar_find_gltf_node(avatar, FILE_HAIR + 3));
    CHECK_NEAR(j.params.hit_radius, 0, 0);
    CHECK_NEAR(j.params.stiffness, 1, 0);
    CHECK_NEAR(j.params.gravity_power, 0, 0);
    CHECK_VEC3(j.params.gravity_dir, 0, -1, 0, 0);
    CHECK_NEAR(j.params.drag_force, 0.5, 0);
    CHECK_INT(j.limit.type, VRM_SPRING_LIMIT_HINGE);
    CHECK_NEAR(j.limit.angle, 3.14159265, 1e-6);
    // The skipped node is rotated by half a turn about Z and doubles the size: (0.02, -0.109) + 2 * -(0.02, -0.110).
    CHECK_VEC3(j.tail, 0.02 - 2 * 0.02, -0.109 + 2 * 0.110, 0, 1e-6);
    vrm_avatar_get_spring_joint(avatar, 5, &j);
    CHECK_INT(j.limit.type, VRM_SPRING_LIMIT_SPHERICAL);
    CHECK_NEAR(j.limit.angle, 0.5, 0);
    CHECK_NEAR(j.limit.yaw, 1.57079633, 1e-6);
    CHECK_NEAR(j.limit.rotation.z, 1, 0);
    CHECK_INT(vrm_avatar_get_spring_joint(avatar, 6, &j), VRM_ERROR_INVALID_ARGUMENT);
}

OF_THE_FILE(colliders_are_read)
{
    static const vrm_collider_shape shapes[6] = {VRM_COLLIDER_SPHERE, VRM_COLLIDER_CAPSULE, VRM_COLLIDER_INSIDE_SPHERE,
        VRM_COLLIDER_INSIDE_CAPSULE, VRM_COLLIDER_PLANE, VRM_COLLIDER_SPHERE};
    static const double values[6][7] = {{0.1, 0.2, 0.3, 0, 0, 0, 0.4}, {0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.5},
        {1, 2, 3, 0, 0, 0, 4}, {2, 3, 4, 6, 7, 8, 5}, {3, 4, 5, 0, 1, 0, 0}, {0, 0, 0, 0, 0, 0, 0.03}};
    static const uint32_t nodes[6] = {7, 4, 4, 4, 2, 58};
    vrm_collider c = {.struct_size = sizeof c};
    for (uint32_t i = 0; i < 6; ++i) {
        CHECK_INT(vrm_avatar_get_collider(avatar, i, &c), VRM_SUCCESS);
        CHECK_INT(c.shape, shapes[i]);
        CHECK_INT(c.node, vrm_avatar_find_gltf_node(avatar, nodes[i]));
        CHECK_VEC3(c.offset, values[i][0], values[i][1], values[i][2], 1e-6);
        CHECK_VEC3(c.tail, values[i][3], values[i][4], values[i][5], 1e-6);
        CHECK_NEAR(c.radius, values[i][6], 1e-6);
    }
    CHECK_INT(vrm_avatar_get_collider(avatar, 6, &c), VRM_ERROR_INVALID_ARGUMENT);
}

OF_THE_FILE(constraints_are_sorted)
{
    vrm_constraint c[3];
    uint32_t place[3] = {9, 9, 9};
    for (uint32_t i = 0; i < 3; ++i) {
        c[i].struct_size = sizeof c[i];
        CHECK_INT(vrm_avatar_get_constraint(avatar, i, &c[i]), VRM_SUCCESS);
        place[c[i].type] = i;
    }
    CHECK_INT(vrm_avatar_get_constraint(avatar, 3, &c[0]), VRM_ERROR_INVALID_ARGUMENT);
    // The source of the rotation constraint is the node of the roll constraint. The source of the aim constraint is a
    // child of the rotation constraint's node.
    CHECK_INT(place[VRM_CONSTRAINT_ROLL], 0);
    CHECK_INT(place[VRM_CONSTRAINT_ROTATION], 1);
    CHECK_INT(place[VRM_CONSTRAINT_AIM], 2);
    CHECK_INT(c[0].node, vrm_avatar_find_gltf_node(avatar, FILE_TWIST));
    CHECK_INT(c[0].source, vrm_avatar_find_gltf_node(avatar, 21));
    CHECK_VEC3(c[0].axis, 0, 1, 0, 0);
    CHECK_NEAR(c[0].weight, 0.25, 0);
    CHECK_INT(c[1].source, vrm_avatar_find_gltf_node(avatar, FILE_TWIST));
    CHECK_NEAR(c[1].weight, 0.75, 0);
    CHECK_INT(c[2].source, vrm_avatar_find_gltf_node(avatar, FILE_TWIST + 3));
    CHECK_VEC3(c[2].axis, 0, 0, -1, 0);
    CHECK_NEAR(c[2].weight, 1, 0);
}

OF_THE_FILE(materials_are_read)
{
    vrm_material m = {.struct_size = sizeof m};
    CHECK_INT(vrm_avatar_get_material(avatar, 0, &m), VRM_SUCCESS);
    const vrm_material_params *p = &m.params;
    CHECK_TEXT(m.name, "toon");
    CHECK_INT(p->type, VRM_MATERIAL_MTOON);
    CHECK_INT(p->alpha_mode, VRM_ALPHA_BLEND);
    CHECK(p->double_sided && p->transparent_with_z_write);
    CHECK_INT(p->render_queue_offset, 7);
    CHECK_INT(p->outline_mode, VRM_OUTLINE_SCREEN_COORDINATES);
    const double colors[VRM_MATERIAL_COLOR_COUNT][4] = {{0.1, 0.2, 0.3, 0.4}, {0.5, 0.6, 0.7, 1}, {0.11, 0.12, 0.13, 1},
        {0.31, 0.32, 0.33, 1}, {0.41, 0.42, 0.43, 1}, {0.51, 0.52, 0.53, 1}};
    for (int i = 0; i < VRM_MATERIAL_COLOR_COUNT; ++i) {
        CHECK_NEAR(p->colors[i].x, colors[i][0], 1e-6);
        CHECK_NEAR(p->colors[i].y, colors[i][1], 1e-6);
        CHECK_NEAR(p->colors[i].z, colors[i][2], 1e-6);
        CHECK_NEAR(p->colors[i].w, colors[i][3], 1e-6);
    }
    const double numbers[][2] = {{p->alpha_cutoff, 0.75}, {p->emissive_strength, 4.5}, {p->metallic, 0.15},
        {p->roughness, 0.85}, {p->shading_shift, -0.21}, {p->shading_toony, 0.81}, {p->gi_equalization, 0.71},
        {p->rim_fresnel_power, 3.5}, {p->rim_lift, 0.44}, {p->rim_lighting_mix, 0.45}, {p->outline_width, 0.0046},
        {p->outline_lighting_mix, 0.54}, {p->uv_scroll_speed[0], 0.55}, {p->uv_scroll_speed[1], -0.56},
        {p->uv_rotation_speed, 0.57}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
        CHECK_NEAR(numbers[i][0], numbers[i][1], 1e-6);
    }
    for (int slot = 0; slot < VRM_TEXTURE_SLOT_COUNT; ++slot) {
        CHECK_INT(p->textures[slot].index, slot + 1);
        const double scale = slot == VRM_TEXTURE_NORMAL          ? 0.625
                             : slot == VRM_TEXTURE_OCCLUSION     ? 0.375
                             : slot == VRM_TEXTURE_SHADING_SHIFT ? 0.22
                                                                 : 1.0;
        CHECK_NEAR(p->textures[slot].scale, scale, 1e-6);
    }
    const vrm_texture *base = &p->textures[VRM_TEXTURE_BASE_COLOR];
    CHECK_INT(base->tex_coord, 2);
    CHECK_NEAR(base->transform.offset[0], 0.5, 0);
    CHECK_NEAR(base->transform.offset[1], 0.25, 0);
    CHECK_NEAR(base->transform.scale[0], 2, 0);
    CHECK_NEAR(base->transform.scale[1], 3, 0);
    CHECK_NEAR(base->transform.rotation, 0.125, 0);
    vrm_avatar_get_material(avatar, 1, &m);
    CHECK_INT(m.params.type, VRM_MATERIAL_UNLIT);
    vrm_avatar_get_material(avatar, 2, &m);
    CHECK_INT(m.params.type, VRM_MATERIAL_PBR);
    CHECK_INT(m.params.alpha_mode, VRM_ALPHA_MASK);
    CHECK_NEAR(m.params.alpha_cutoff, 0.5, 0);
    CHECK_NEAR(m.params.emissive_strength, 2.5, 0);
    CHECK_NEAR(m.params.metallic, 1, 0);
    vrm_avatar_get_material(avatar, 3, &m); // the schema's defaults
    p = &m.params;
    CHECK_INT(p->type, VRM_MATERIAL_MTOON);
    CHECK_NEAR(p->colors[VRM_MATERIAL_COLOR_SHADE].x, 1, 0);
    CHECK_NEAR(p->colors[VRM_MATERIAL_COLOR_MATCAP].y, 1, 0);
    CHECK_NEAR(p->colors[VRM_MATERIAL_COLOR_RIM].z, 0, 0);
    CHECK_NEAR(p->shading_toony, 0.9, 1e-7);
    CHECK_NEAR(p->gi_equalization, 0.9, 1e-7);
    CHECK_NEAR(p->rim_fresnel_power, 5, 0);
    CHECK_NEAR(p->rim_lighting_mix, 1, 0);
    CHECK_NEAR(p->outline_lighting_mix, 1, 0);
    CHECK_INT(p->outline_mode, VRM_OUTLINE_NONE);
    for (int slot = 0; slot < VRM_TEXTURE_SLOT_COUNT; ++slot) {
        CHECK_INT(p->textures[slot].index, -1);
    }
    CHECK_INT(vrm_avatar_get_material(avatar, 4, &m), VRM_ERROR_INVALID_ARGUMENT);
}

static const test_case cases[] = {
    {"nodes_are_depth_first", nodes_are_depth_first},
    {"the_file_is_clean", the_file_is_clean},
    {"meta_is_read", meta_is_read},
    {"meshes_are_read", meshes_are_read},
    {"bounds_hold_every_morph", bounds_hold_every_morph},
    {"body_is_measured", body_is_measured},
    {"expressions_are_read", expressions_are_read},
    {"look_at_is_read", look_at_is_read},
    {"springs_are_sorted", springs_are_sorted},
    {"spring_joints_are_read", spring_joints_are_read},
    {"colliders_are_read", colliders_are_read},
    {"constraints_are_sorted", constraints_are_sorted},
    {"materials_are_read", materials_are_read},
};

RUN_TESTS(cases)
