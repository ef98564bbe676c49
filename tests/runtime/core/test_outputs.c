// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Palettes, boxes, viewpoint, UV animation, change bits, write functions.

#include <vrm/output.h>

#include "model_fixture.h"
#include "pose_of.h"
#include "reference_math.h"
#include "test.h"
#include "test_random.h"

static fixture fix;
static int32_t joints[6];

static uint32_t at(int32_t added)
{
    return (uint32_t)fix.order[added];
}
static bool bit(vrm_changes changes, uint32_t i)
{
    return (changes.bits[i / 32] >> (i % 32) & 1u) != 0;
}

// Makes a humanoid with a skinned body (0), a hat without a skin (1) and four materials: still, scrolling, rotating,
// and both of these through a mask.
static vrm_avatar *make_avatar(void)
{
    fixture_begin(&fix);
    fixture_humanoid(&fix);
    const int bones[6] = {VRM_HUMAN_BONE_HIPS, VRM_HUMAN_BONE_CHEST, VRM_HUMAN_BONE_HEAD, VRM_HUMAN_BONE_LEFT_HAND,
        VRM_HUMAN_BONE_RIGHT_HAND, VRM_HUMAN_BONE_LEFT_FOOT};
    for (int i = 0; i < 6; ++i) {
        joints[i] = fix.bones[bones[i]];
    }
    const int32_t body = fixture_node_add(&fix, 0, "body", fixture_at(0, 0, 0));
    const int32_t hat = fixture_node_add(&fix, fix.bones[VRM_HUMAN_BONE_HEAD], "hat", fixture_at(0, 0.2f, 0));
    fixture_mesh(&fix, body, 3, joints, 6, 0.1f);
    fixture_mesh(&fix, hat, 0, NULL, 0, 0.15f);
    fixture_material(&fix, "still");
    fixture_material(&fix, "scrolling")->params.uv_scroll_speed[0] = 0.3f;
    FIXTURE_ROW(&fix, material, vrmi_material_row, 1)->params.uv_scroll_speed[1] = -0.01f;
    fixture_material(&fix, "turning")->params.uv_rotation_speed = -2.0f;
    vrm_material_params *masked = &fixture_material(&fix, "masked")->params;
    masked->uv_scroll_speed[0] = -0.7f;
    masked->uv_rotation_speed = 3.0f;
    masked->textures[VRM_TEXTURE_UV_ANIMATION_MASK].index = 0;
    fixture_expression(&fix, VRM_EXPRESSION_PRESET_HAPPY, NULL);
    fixture_bind_morph(&fix, 1, 1.0f);
    return fixture_finish(&fix);
}

static void turn_everything(vrm_instance *instance, test_random *random)
{
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(instance, &out);
    for (uint32_t i = 0; i < out.node_count; ++i) {
        const vrm_quat q = vrmi_quat_from_axis_angle(
            vrmi_vec3_normalize_or(vrmi_vec3(test_random_float(random, -1, 1), test_random_float(random, -1, 1), 0.3f),
                vrmi_vec3(0, 1, 0)),
            test_random_float(random, -2, 2));
        vrm_instance_set_rotation(instance, i, &q);
    }
    const vrm_root root = {{1e5, 2, -3e4},
        vrmi_quat_from_axis_angle(vrmi_vec3(0, 1, 0), test_random_float(random, 0, 3)),
        test_random_float(random, 0.5f, 2.0f)};
    vrm_instance_set_root(instance, &root);
}

static ref_mat ref_of(const vrm_mat34 *m)
{
    ref_mat out;
    for (int i = 0; i < 12; ++i) {
        out.m[i / 4][i % 4] = (double)m->m[i / 4][i % 4];
    }
    return out;
}

static void palettes_and_boxes(void)
{
    vrm_avatar *avatar = make_avatar();
    vrm_instance *instance = fixture_instance(avatar);
    test_random random = test_random_make(9);
    vrm_outputs out = {.struct_size = sizeof out};
    for (int round = 0; round < 40; ++round) {
        if (round > 0) {
            turn_everything(instance, &random);
        }
        vrm_update_dt(instance, 0.01f);
        vrm_instance_get_outputs(instance, &out);
        CHECK_INT(out.palette_joint_count, 6);
        ref_vec low = ref_v(1e9, 1e9, 1e9), high = ref_v(-1e9, -1e9, -1e9);
        for (int j = 0; j < 6; ++j) {
            vrm_mat34 rest;
            fixture_rest_matrix(&fix, joints[j], &rest);
            // By the definition of a palette, world = palette * rest: it undoes the bind pose and applies the pose.
            const ref_mat posed = ref_mat_mul(ref_of(&out.palette[j]), ref_of(&rest));
            CHECK(ref_mat_distance(posed, &out.world[at(joints[j])]) < 2e-5);
            // Corners of the joint's box, skinned half to this joint and half to the next joint, must be in the mesh's
            // box.
            for (int corner = 0; corner < 8; ++corner) {
                const ref_vec local = ref_v(corner & 1 ? 0.1 : -0.1, corner & 2 ? 0.1 : -0.1, corner & 4 ? 0.1 : -0.1);
                const ref_vec whole = ref_point(ref_of(&out.world[at(joints[j])]), local);
                const ref_vec other = ref_point(ref_of(&out.world[at(joints[(j + 1) % 6])]), ref_v(0.05, -0.1, 0.1));
                const ref_vec mixed = ref_scale(ref_add(whole, other), 0.5);
                const double box_low[3] = {
                    (double)out.mesh_boxes[0].min.x, (double)out.mesh_boxes[0].min.y, (double)out.mesh_boxes[0].min.z};
                const double box_high[3] = {
                    (double)out.mesh_boxes[0].max.x, (double)out.mesh_boxes[0].max.y, (double)out.mesh_boxes[0].max.z};
                for (int axis = 0; axis < 3; ++axis) {
                    CHECK(whole.v[axis] >= box_low[axis] && whole.v[axis] <= box_high[axis]);
                    CHECK(mixed.v[axis] >= box_low[axis] && mixed.v[axis] <= box_high[axis]);
                    low.v[axis] = fmin(low.v[axis], whole.v[axis]);
                    high.v[axis] = fmax(high.v[axis], whole.v[axis]);
                }
            }
        }
        // The mesh's box is not wider than the joints' boxes.
        CHECK_NEAR(out.mesh_boxes[0].min.x, low.v[0], 1e-4);
        CHECK_NEAR(out.mesh_boxes[0].max.y, high.v[1], 1e-4);
        CHECK(out.box.max.y >= out.mesh_boxes[0].max.y && out.box.max.y >= out.mesh_boxes[1].max.y);
        CHECK(out.box.min.z <= out.mesh_boxes[0].min.z && out.box.min.z <= out.mesh_boxes[1].min.z);
        CHECK_NEAR(out.height, out.box.max.y, 0);
    }
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// Meshes with unreadable vertices, with and without a skin, have a box around their joints in each frame.
static void boxes_without_vertices(void)
{
    fixture_begin(&fix);
    fixture_humanoid(&fix);
    const int bones[2] = {VRM_HUMAN_BONE_CHEST, VRM_HUMAN_BONE_LEFT_HAND};
    for (int i = 0; i < 2; ++i) {
        joints[i] = fix.bones[bones[i]];
    }
    const int32_t hand = fix.bones[VRM_HUMAN_BONE_RIGHT_HAND];
    fixture_mesh(&fix, fixture_node_add(&fix, 0, "body", fixture_at(0, 0, 0)), 0, joints, 2, 0.1f);
    fixture_mesh(&fix, hand, 0, NULL, 0, 0.1f);
    for (uint32_t mesh = 0; mesh < 2; ++mesh) {
        FIXTURE_ROW(&fix, mesh_bounds, vrmi_range, mesh)->count = 0;
    }
    vrm_avatar *avatar = fixture_finish(&fix);
    vrm_instance *instance = fixture_instance(avatar);
    vrm_outputs out = {.struct_size = sizeof out};
    for (int round = 0; round < 5; ++round) {
        const vrm_quat turn = {0.0f, 0.0f, sinf(0.3f * (float)round), cosf(0.3f * (float)round)};
        CHECK_INT(vrm_instance_set_rotation(instance, at(fix.bones[VRM_HUMAN_BONE_SPINE]), &turn), VRM_SUCCESS);
        vrm_update_dt(instance, 0.01f);
        vrm_instance_get_outputs(instance, &out);
        const ref_vec a = ref_point(ref_of(&out.world[at(joints[0])]), ref_v(0, 0, 0));
        const ref_vec b = ref_point(ref_of(&out.world[at(joints[1])]), ref_v(0, 0, 0));
        const ref_vec own = ref_point(ref_of(&out.world[at(hand)]), ref_v(0, 0, 0));
        CHECK_NEAR(out.mesh_boxes[0].min.x, fmin(a.v[0], b.v[0]), 1e-6);
        CHECK_NEAR(out.mesh_boxes[0].max.x, fmax(a.v[0], b.v[0]), 1e-6);
        CHECK_NEAR(out.mesh_boxes[0].min.y, fmin(a.v[1], b.v[1]), 1e-6);
        CHECK_NEAR(out.mesh_boxes[0].max.y, fmax(a.v[1], b.v[1]), 1e-6);
        CHECK_NEAR(out.mesh_boxes[1].min.x, own.v[0], 1e-6);
        CHECK_NEAR(out.mesh_boxes[1].max.y, own.v[1], 1e-6);
        CHECK_NEAR(out.box.max.y, fmax(own.v[1], fmax(a.v[1], b.v[1])), 1e-6);
    }
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

static void viewpoint(void)
{
    vrm_avatar *avatar = make_avatar();
    vrm_instance *instance = fixture_instance(avatar);
    test_random random = test_random_make(10);
    turn_everything(instance, &random);
    vrm_update_dt(instance, 0.01f);
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(instance, &out);
    vrm_look_at look = {.struct_size = sizeof look};
    vrm_avatar_get_look_at(avatar, &look);
    const ref_vec eye =
        ref_point(ref_of(&out.world[at(fix.bones[VRM_HUMAN_BONE_HEAD])]), ref_vec_of(look.offset_from_head_bone));
    CHECK(ref_length(ref_sub(eye, ref_vec_of(out.viewpoint.translation))) < 1e-5);
    CHECK_NEAR(out.eye_height, eye.v[1], 1e-5);
    CHECK(out.viewpoint.scale.x == 1.0f);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

static void uv_animation(void)
{
    vrm_avatar *avatar = make_avatar();
    vrm_instance *instance = fixture_instance(avatar);
    vrm_outputs out = {.struct_size = sizeof out};
    for (int frame = 1; frame <= 4000; ++frame) {
        vrm_update_dt(instance, 0.125f);
        vrm_instance_get_outputs(instance, &out);
        const vrm_material_values *scrolling = &out.materials[1], *turning = &out.materials[2];
        const double time = 0.125 * frame;
        if (frame % 97 == 0 || frame < 60) {
            const double x = time * (double)0.3f, y = time * (double)-0.01f, a = time * -2.0;
            CHECK_NEAR(scrolling->uv_scroll[0], x - floor(x), 1e-7);
            CHECK_NEAR(scrolling->uv_scroll[1], y - floor(y), 1e-7);
            CHECK_NEAR(turning->uv_rotation, a - 2 * REF_PI * floor(a / (2 * REF_PI)), 1e-6);
            // A mask multiplies full turns by fractions of 255, so angles may only wrap after 255 turns.
            CHECK_NEAR(out.materials[3].uv_scroll[0], fmod(time * (double)-0.7f, 255.0), 3e-5);
            CHECK_NEAR(out.materials[3].uv_rotation, fmod(time * 3.0, 255.0 * 2 * REF_PI), 2e-4);
        }
        CHECK(scrolling->uv_scroll[0] >= 0 && scrolling->uv_scroll[0] < 1 && turning->uv_rotation >= 0);
        CHECK(turning->uv_rotation < 6.2831855f && out.materials[0].uv_scroll[0] == 0);
        CHECK(!bit(out.material_changes, 0) || frame == 1);
        CHECK(bit(out.material_changes, 1) && bit(out.material_changes, 2));
    }
    vrm_update_dt(instance, 0.0f); // no time passes
    vrm_instance_get_outputs(instance, &out);
    CHECK(!bit(out.material_changes, 1) && !bit(out.material_changes, 2));
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

static void change_bits(void)
{
    vrm_avatar *avatar = make_avatar();
    vrm_instance *instance = fixture_instance(avatar);
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(instance, &out);
    CHECK_INT(out.node_changes.counter, 0);
    vrm_update_dt(instance, 0.0f); // in the first frame, all outputs are new
    vrm_instance_get_outputs(instance, &out);
    for (uint32_t i = 0; i < out.node_count; ++i) {
        CHECK(bit(out.node_changes, i));
    }
    CHECK(bit(out.palette_changes, 0) && bit(out.morph_changes, 0) && bit(out.material_changes, 0));
    CHECK_INT(out.node_changes.counter, 1);
    CHECK_INT(out.palette_changes.counter, 1);

    vrm_update_dt(instance, 0.0f); // nothing
    vrm_instance_get_outputs(instance, &out);
    for (uint32_t i = 0; i < out.node_count; ++i) {
        CHECK(!bit(out.node_changes, i));
    }
    CHECK(!bit(out.palette_changes, 0) && !bit(out.morph_changes, 0));
    CHECK_INT(out.node_changes.counter, 1);

    // Rotating a lower leg changes its node, all nodes below it, and the palette.
    const vrm_quat turn = {0.6f, 0, 0, 0.8f};
    const uint32_t leg = at(fix.bones[VRM_HUMAN_BONE_LEFT_LOWER_LEG]);
    vrm_instance_set_rotation(instance, leg, &turn);
    vrm_update_dt(instance, 0.0f);
    vrm_instance_get_outputs(instance, &out);
    vrm_node node = {.struct_size = sizeof node};
    vrm_avatar_get_node(avatar, leg, &node);
    for (uint32_t i = 0; i < out.node_count; ++i) {
        CHECK_INT(bit(out.node_changes, i), i >= leg && i < node.subtree_end);
    }
    CHECK(bit(out.palette_changes, 0) && !bit(out.morph_changes, 0));
    CHECK_INT(out.node_changes.counter, 2);

    // An expression changes only the morph weights of the mesh.
    vrm_instance_set_expression(instance, VRM_EXPRESSION_LAYER_HOST, 0, 0.5f);
    vrm_update_dt(instance, 0.0f);
    vrm_instance_get_outputs(instance, &out);
    CHECK(bit(out.morph_changes, 0) && !bit(out.morph_changes, 1) && !bit(out.palette_changes, 0));
    CHECK_INT(out.node_changes.counter, 2);

    // A rotation of the root changes all outputs. A translation of the root changes no output, since outputs are
    // relative to the root.
    vrm_root root = {{0, 0, 0}, {0, 0.6f, 0, 0.8f}, 1.0f};
    vrm_instance_set_root(instance, &root);
    vrm_update_dt(instance, 0.0f);
    vrm_instance_get_outputs(instance, &out);
    CHECK(bit(out.node_changes, 0) && bit(out.node_changes, out.node_count - 1) && bit(out.palette_changes, 0));
    root.translation.x = 5.0;
    vrm_instance_set_root(instance, &root);
    vrm_update_dt(instance, 0.0f);
    vrm_instance_get_outputs(instance, &out);
    CHECK(!bit(out.node_changes, 0) && out.origin.x == 5.0);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

static void write_functions(void)
{
    vrm_avatar *avatar = make_avatar();
    vrm_instance *instance = fixture_instance(avatar);
    test_random random = test_random_make(12);
    turn_everything(instance, &random);
    vrm_update_dt(instance, 0.01f);
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(instance, &out);
    float columns[4][16], rows[6][20];
    vrm_matrix_target target = {sizeof(vrm_matrix_target), columns, 0, VRM_MATRIX_4X4_COLUMNS,
        {out.origin.x - 1, out.origin.y, out.origin.z + 2}, NULL};
    CHECK_INT(vrm_instance_write_world(instance, 3, 4, &target), VRM_SUCCESS);
    for (uint32_t i = 0; i < 4; ++i) {
        for (int row = 0; row < 3; ++row) {
            for (int column = 0; column < 4; ++column) {
                const double shift = column < 3 ? 0 : (row == 0 ? 1 : (row == 2 ? -2 : 0));
                CHECK_NEAR(columns[i][column * 4 + row], (double)out.world[3 + i].m[row][column] + shift, 1e-6);
            }
        }
        CHECK(columns[i][3] == 0 && columns[i][7] == 0 && columns[i][11] == 0 && columns[i][15] == 1);
    }
    // Memory and strides that are not aligned, and a basis that changes nothing, give the same bits.
    char bytes[4 * 65 + 1];
    vrm_basis own;
    CHECK_INT(vrm_basis_get_preset(VRM_BASIS_VRM, &own), VRM_SUCCESS);
    for (int k = 0; k < 2; ++k) {
        vrm_matrix_target other = target;
        other.memory = k == 0 ? (void *)(bytes + 1) : (void *)rows;
        other.stride = k == 0 ? 65 : sizeof(rows[0]);
        other.basis = k == 0 ? NULL : &own;
        CHECK_INT(vrm_instance_write_world(instance, 3, 4, &other), VRM_SUCCESS);
        for (uint32_t i = 0; i < 4; ++i) {
            CHECK(memcmp((char *)other.memory + i * other.stride, columns[i], sizeof(columns[i])) == 0);
        }
    }
    memset(rows, 0x55, sizeof(rows));
    const float untouched = rows[0][12];
    target =
        (vrm_matrix_target){sizeof(vrm_matrix_target), rows, sizeof(rows[0]), VRM_MATRIX_3X4_ROWS, {0, 0, 0}, NULL};
    CHECK_INT(vrm_instance_write_palette(instance, 0, &target), VRM_SUCCESS);
    for (int j = 0; j < 6; ++j) {
        CHECK(memcmp(rows[j], out.palette[j].m[0], 3 * sizeof(float)) == 0);
        CHECK_NEAR(rows[j][3], (double)out.palette[j].m[0][3] + out.origin.x, 0.01); // at 100 km, floats are 8 mm apart
        CHECK(memcmp(&rows[j][12], &untouched, sizeof(float)) == 0);
    }
    vrm_basis unreal;
    vrm_vec3 at_host = {out.world[3].m[0][3] + 1, out.world[3].m[1][3], out.world[3].m[2][3] - 2};
    CHECK_INT(vrm_basis_get_preset(VRM_BASIS_UNREAL, &unreal), VRM_SUCCESS);
    CHECK_INT(vrm_basis_to_host(&unreal, VRM_BASIS_POSITION, &at_host, 0, 1), VRM_SUCCESS);
    target = (vrm_matrix_target){sizeof(vrm_matrix_target), columns, 0, VRM_MATRIX_4X4_COLUMNS,
        {out.origin.x - 1, out.origin.y, out.origin.z + 2}, &unreal};
    CHECK_INT(vrm_instance_write_world(instance, 3, 1, &target), VRM_SUCCESS);
    CHECK_NEAR(columns[0][12], at_host.x, 1e-4);
    CHECK_NEAR(columns[0][13], at_host.y, 1e-4);
    CHECK_NEAR(columns[0][14], at_host.z, 1e-4);
    CHECK_NEAR(columns[0][0], out.world[3].m[2][2], 1e-6); // forward stays forward
    CHECK_NEAR(columns[0][5], out.world[3].m[0][0], 1e-6); // the sign is reversed twice
    CHECK_NEAR(columns[0][8], out.world[3].m[2][1], 1e-6); // column up, row forward
    unreal.unit = 0.0f;
    CHECK_INT(vrm_instance_write_world(instance, 3, 1, &target), VRM_ERROR_INVALID_ARGUMENT);
    vrm_transform locals[3];
    CHECK_INT(vrm_instance_write_gltf_locals(instance, 2, 3, locals), VRM_SUCCESS);
    for (int i = 0; i < 3; ++i) {
        const vrm_transform local = pose_of(instance, at(2 + i));
        CHECK(memcmp(&locals[i], &local, sizeof(local)) == 0);
    }
    CHECK_INT(vrm_instance_write_world(instance, out.node_count - 1, 2, &target), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_write_world(instance, out.node_count + 1, 0, &target), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_write_world(instance, 0, 1, NULL), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_write_palette(instance, 1, &target), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_write_gltf_locals(instance, out.node_count, 1, locals), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_write_gltf_locals(instance, 0, 1, NULL), VRM_ERROR_INVALID_ARGUMENT);
    target.stride = 47;
    CHECK_INT(vrm_instance_write_world(instance, 0, 1, &target), VRM_ERROR_INVALID_ARGUMENT);
    target.stride = 0;
    target.memory = NULL;
    CHECK_INT(vrm_instance_write_world(instance, 0, 1, &target), VRM_ERROR_INVALID_ARGUMENT);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// A scene without nodes and meshes has empty outputs.
static void empty(void)
{
    fixture_begin(&fix);
    vrm_avatar *avatar = fixture_finish(&fix);
    vrm_instance *instance = fixture_instance(avatar);
    vrm_update_dt(instance, 0.01f);
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(instance, &out);
    CHECK_INT(out.node_count, 0);
    CHECK_INT(out.node_changes.counter, 0);
    CHECK(out.box.min.x > out.box.max.x);
    vrm_instance_reset_pose(instance);
    vrm_instance_reset(instance);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

static const test_case cases[] = {{"palettes_and_boxes", palettes_and_boxes}, {"viewpoint", viewpoint},
    {"boxes_without_vertices", boxes_without_vertices}, {"uv_animation", uv_animation}, {"change_bits", change_bits},
    {"write_functions", write_functions}, {"empty", empty}};

RUN_TESTS(cases)
