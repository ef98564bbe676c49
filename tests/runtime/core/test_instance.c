// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Creation and destruction of an instance, and the inputs of its pose.

#include <vrm/clip.h>
#include <vrm/output.h>
#include <vrm/update.h>

#include "model_fixture.h"
#include "plain_instance.h"
#include "pose_of.h"
#include "reference_math.h"
#include "test.h"
#include "test_random.h"

static fixture fix; // too large for a stack

static vrm_avatar *make_avatar(void)
{
    fixture_begin(&fix);
    fixture_humanoid(&fix);
    fixture_hair(&fix, fix.bones[VRM_HUMAN_BONE_HEAD], 5, 0.08f);
    return fixture_finish(&fix);
}

static uint32_t node_of(int bone)
{
    return (uint32_t)fix.order[fix.bones[bone]];
}

// Computes world matrices from a pose in double, by definition.
static void reference_world(const vrm_avatar *avatar, const vrm_root *root, const vrm_transform *pose, ref_mat *out)
{
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(avatar, &counts);
    const double s = (double)root->scale;
    for (uint32_t i = 0; i < counts.nodes; ++i) {
        vrm_node node = {.struct_size = sizeof node};
        vrm_avatar_get_node(avatar, i, &node);
        const ref_mat parent =
            node.parent >= 0 ? out[node.parent] : ref_trs(ref_v(0, 0, 0), ref_quat_of(root->rotation), ref_v(s, s, s));
        out[i] = ref_mat_mul(parent, ref_trs_of(&pose[i]));
    }
}

static void life(void)
{
    vrm_avatar *avatar = make_avatar();
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    CHECK_INT(vrm_instance_get_size(&def), 0); // no avatar
    def.avatar = avatar;
    const size_t size = vrm_instance_get_size(&def);
    CHECK(size != 0 && size % 64 == 0);
    def.struct_size = 0;
    CHECK_INT(vrm_instance_get_size(&def), 0);
    def.struct_size = sizeof(def);
    CHECK_INT(vrm_instance_get_size(NULL), 0);

    char *memory = aligned_alloc(64, size + 64);
    vrm_instance *instance = NULL;
    CHECK_INT(vrm_instance_init(&def, memory, size - 1, &instance), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_init(&def, memory + 8, size, &instance), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_init(&def, NULL, size, &instance), VRM_ERROR_INVALID_ARGUMENT);
    CHECK(instance == NULL);
    memset(memory, 0xa5, size + 64); // any content
    CHECK_INT(vrm_instance_init(&def, memory, size, &instance), VRM_SUCCESS);
    CHECK((void *)instance == (void *)memory);
    CHECK(vrm_instance_get_avatar(instance) == avatar);
    for (size_t i = size; i < size + 64; ++i) {
        CHECK_INT((unsigned char)memory[i], 0xa5);
    }
    vrm_avatar_release(avatar); // the instance keeps the avatar alive
    vrm_update_dt(instance, 0.016f);
    const long live = fix.memory.live;
    vrm_instance_destroy(instance);
    // Only the avatar's memory is freed; the instance's memory belongs to the test.
    CHECK_INT(fix.memory.live, live - 1);
    CHECK_INT(fix.memory.live, 0);
    free(memory);
    vrm_instance_destroy(NULL);
}

static void out_of_memory(void)
{
    vrm_avatar *avatar = make_avatar();
    vrm_instance *instance = fixture_instance(avatar), *clone = NULL;
    fix.memory.fail_after = fix.memory.allocations;
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = avatar;
    vrm_instance *none = NULL;
    CHECK_INT(vrm_instance_create(&def, &none), VRM_ERROR_OUT_OF_MEMORY);
    CHECK(none == NULL);
    CHECK_INT(vrm_instance_clone(instance, &clone), VRM_ERROR_OUT_OF_MEMORY);
    CHECK(clone == NULL);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
    CHECK_INT(fix.memory.live, 0);
}

// Returns memory that is misaligned by eight bytes, and counts open allocations.
static void *allocate_askew(size_t size, size_t alignment, void *user)
{
    char *memory = aligned_alloc(alignment, (size + 2 * alignment - 1) / alignment * alignment);
    *(int *)user += memory != NULL;
    return memory != NULL ? memory + 8 : NULL;
}

static void release_askew(void *memory, size_t size, void *user)
{
    (void)size;
    --*(int *)user;
    free((char *)memory - 8);
}

static void allocator_without_alignment(void)
{
    vrm_avatar *avatar = make_avatar();
    int live = 0;
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = avatar;
    def.allocator = (vrm_allocator){allocate_askew, release_askew, &live};
    vrm_instance *instance = NULL;
    CHECK_INT(vrm_instance_create(&def, &instance), VRM_ERROR_OUT_OF_MEMORY);
    vrm_clip_player_def player_def;
    vrm_clip_player_def_default(&player_def);
    player_def.avatar = avatar;
    player_def.allocator = def.allocator;
    vrm_clip_player *player = NULL;
    CHECK_INT(vrm_clip_player_create(&player_def, &player), VRM_ERROR_OUT_OF_MEMORY);
    CHECK(instance == NULL && player == NULL);
    CHECK_INT(live, 0);
    vrm_avatar_release(avatar);
}

static void rest_is_the_default(void)
{
    vrm_avatar *avatar = make_avatar();
    vrm_instance *instance = fixture_instance(avatar);
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(instance, &out);
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(avatar, &counts);
    CHECK_INT(out.node_count, counts.nodes);
    for (int updates = 0; updates < 2; ++updates) { // first without an update, then after one
        for (uint32_t i = 0; i < counts.nodes; ++i) {
            vrm_node node = {.struct_size = sizeof node};
            vrm_avatar_get_node(avatar, i, &node);
            CHECK_NEAR(out.world[i].m[0][3], node.rest_position.x, 1e-6);
            CHECK_NEAR(out.world[i].m[1][3], node.rest_position.y, 1e-6);
            CHECK_NEAR(out.world[i].m[2][3], node.rest_position.z, 1e-6);
        }
        vrm_update_dt(instance, 0.0f);
        vrm_instance_get_outputs(instance, &out);
    }
    vrm_root root;
    vrm_instance_get_root(instance, &root);
    CHECK(root.scale == 1.0f && root.rotation.w == 1.0f && root.translation.x == 0.0);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

static void hierarchy_against_double(void)
{
    vrm_avatar *avatar = make_avatar();
    vrm_instance *instance = instance_with_hair_inputs(avatar);
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(instance, &out);
    test_random random = test_random_make(7);
    vrm_update_params params;
    vrm_update_params_default(&params);
    params.stages = VRM_STAGE_POSE;
    for (int round = 0; round < 50; ++round) {
        vrm_transform pose[128];
        for (uint32_t i = 0; i < out.node_count; ++i) {
            vrm_instance_get_local(instance, i, &pose[i]);
            pose[i].rotation = vrmi_quat_from_axis_angle(
                vrmi_vec3_normalize_or(vrmi_vec3(test_random_float(&random, -1, 1), test_random_float(&random, -1, 1),
                                           test_random_float(&random, -1, 1)),
                    vrmi_vec3(0, 1, 0)),
                test_random_float(&random, -3, 3));
            pose[i].translation.x += test_random_float(&random, -0.1f, 0.1f);
            const float scale = test_random_float(&random, 0.8f, 1.25f);
            pose[i].scale = vrmi_vec3(scale, scale, scale);
            CHECK_INT(vrm_instance_set_local(instance, i, &pose[i]), VRM_SUCCESS);
        }
        const vrm_root root = {{1e5, -7.0, 3e6}, vrmi_quat_from_axis_angle(vrmi_vec3(0, 1, 0), (float)round), 2.5f};
        CHECK_INT(vrm_instance_set_root(instance, &root), VRM_SUCCESS);
        vrm_update(instance, &params);
        vrm_instance_get_outputs(instance, &out);
        ref_mat expected[128];
        reference_world(avatar, &root, pose, expected);
        for (uint32_t i = 0; i < out.node_count; ++i) {
            CHECK(ref_mat_distance(expected[i], &out.world[i]) < 5e-5);
        }
        CHECK(out.origin.x == 1e5 && out.origin.z == 3e6);
    }
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

static void setters_refuse(void)
{
    vrm_avatar *avatar = make_avatar();
    vrm_instance *instance = fixture_instance(avatar);
    const uint32_t count = avatar->model->node_parent.count;
    const float nan = NAN, infinity = INFINITY;
    vrm_transform before, after;
    vrm_instance_get_local(instance, 2, &before);
    vrm_transform bad = before;
    CHECK_INT(vrm_instance_set_local(instance, count, &before), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_set_local(instance, 2, NULL), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_set_local(NULL, 2, &before), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_get_local(instance, count, &after), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_get_status(instance), 0);
    const vrm_quat zero = {0, 0, 0, 0}, not_a_number = {0, nan, 0, 1};
    const vrm_vec3 infinite = {0, infinity, 0};
    CHECK_INT(vrm_instance_set_rotation(instance, 2, &zero), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_get_status(instance), 0);
    CHECK_INT(vrm_instance_set_rotation(instance, 2, &not_a_number), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_get_status(instance), VRM_STATUS_INPUT_NOT_FINITE);
    vrm_instance_clear_status(instance);
    CHECK_INT(vrm_instance_set_translation(instance, 2, &infinite), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_get_status(instance), VRM_STATUS_INPUT_NOT_FINITE);
    vrm_instance_clear_status(instance);
    CHECK_INT(vrm_instance_set_scale(instance, 2, &infinite), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_get_status(instance), VRM_STATUS_INPUT_NOT_FINITE);
    vrm_instance_clear_status(instance);
    bad.scale.z = nan;
    CHECK_INT(vrm_instance_set_local(instance, 2, &bad), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_get_status(instance), VRM_STATUS_INPUT_NOT_FINITE);
    vrm_instance_clear_status(instance);
    CHECK_INT(vrm_instance_set_pose(instance, 2, &bad), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_get_status(instance), VRM_STATUS_INPUT_NOT_FINITE);
    CHECK_INT(vrm_instance_set_pose(instance, count, &before), VRM_ERROR_INVALID_ARGUMENT);
    vrm_instance_clear_status(instance);
    CHECK_INT(
        vrm_instance_set_normalized_rotation(instance, VRM_HUMAN_BONE_HEAD, &not_a_number), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_get_status(instance), VRM_STATUS_INPUT_NOT_FINITE);
    CHECK_INT(vrm_instance_set_normalized_rotation(instance, VRM_HUMAN_BONE_HEAD, &zero), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(
        vrm_instance_set_normalized_rotation(instance, VRM_HUMAN_BONE_JAW, &before.rotation), VRM_ERROR_NOT_FOUND);
    CHECK_INT(vrm_instance_set_normalized_rotation(instance, VRM_HUMAN_BONE_COUNT, &before.rotation),
        VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_set_hips_position(instance, &infinite), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_set_hips_position(instance, NULL), VRM_ERROR_INVALID_ARGUMENT);
    vrm_instance_get_local(instance, 2, &after);
    CHECK(memcmp(&before, &after, sizeof(before)) == 0);

    vrm_root root = {{0, 0, 0}, {0, 0, 0, 1}, 0.009f};
    CHECK_INT(vrm_instance_set_root(instance, &root), VRM_ERROR_INVALID_ARGUMENT);
    root.scale = 101.0f;
    CHECK_INT(vrm_instance_set_root(instance, &root), VRM_ERROR_INVALID_ARGUMENT);
    root.scale = 1.0f;
    root.rotation = zero;
    CHECK_INT(vrm_instance_set_root(instance, &root), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_set_root(instance, NULL), VRM_ERROR_INVALID_ARGUMENT);
    vrm_instance_clear_status(instance);
    root.rotation.w = 1.0f;
    root.translation.y = (double)infinity;
    CHECK_INT(vrm_instance_set_root(instance, &root), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_get_status(instance), VRM_STATUS_INPUT_NOT_FINITE);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

static void many_at_once(void)
{
    vrm_avatar *avatar = make_avatar();
    vrm_instance *instance = fixture_instance(avatar);
    struct { // a host's own layout with unaligned floats
        char tag;
        char bytes[sizeof(vrm_transform)];
    } rows[3];
    const uint32_t nodes[3] = {4, 1, 7};
    vrm_transform set[3];
    for (int i = 0; i < 3; ++i) {
        set[i] = fixture_turned((float)i, 1, 2, vrmi_vec3(1, 0, 0), 0.3f * (float)i);
        memcpy(rows[i].bytes, &set[i], sizeof(set[i]));
    }
    vrm_local_array array = {sizeof(vrm_local_array), rows[0].bytes, sizeof(rows[0]), nodes, 3, NULL};
    CHECK_INT(vrm_instance_set_locals(instance, &array), VRM_SUCCESS);
    vrm_transform got, rest0;
    for (int i = 0; i < 3; ++i) {
        vrm_instance_get_local(instance, nodes[i], &got);
        CHECK(memcmp(&got, &set[i], sizeof(got)) == 0);
    }
    // Values of Unreal: centimetres, (x, y, z) for (z, -x, y).
    vrm_basis unreal;
    CHECK_INT(vrm_basis_get_preset(VRM_BASIS_UNREAL, &unreal), VRM_SUCCESS);
    vrm_transform theirs = {{300, -100, 200}, {-0.6f, 0, 0, 0.8f}, {4, 2, 3}};
    const uint32_t hers = 4;
    const vrm_local_array foreign = {sizeof(vrm_local_array), &theirs, 0, &hers, 1, &unreal};
    CHECK_INT(vrm_instance_set_locals(instance, &foreign), VRM_SUCCESS);
    vrm_instance_get_local(instance, hers, &got);
    CHECK_NEAR(got.translation.x, 1, 1e-6);
    CHECK_NEAR(got.translation.y, 2, 1e-6);
    CHECK_NEAR(got.translation.z, 3, 1e-6);
    // About Unreal's forward axis; the sign differs because its axes are left-handed.
    CHECK_NEAR(got.rotation.z, 0.6, 1e-6);
    CHECK(got.scale.x == 2 && got.scale.y == 3 && got.scale.z == 4);
    unreal.up = VRM_AXIS_NEGATIVE_X; // the forward axis again, so the basis is invalid
    CHECK_INT(vrm_instance_set_locals(instance, &foreign), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_set_local(instance, hers, &set[0]), VRM_SUCCESS);
    // If an index is out of range, no node is set. If a value is not finite, only its node is skipped.
    const uint32_t outside[3] = {4, 1, 100000};
    set[0].translation.x = 9.0f;
    const vrm_local_array wrong = {sizeof(vrm_local_array), set, 0, outside, 3, NULL};
    CHECK_INT(vrm_instance_set_locals(instance, &wrong), VRM_ERROR_INVALID_ARGUMENT);
    vrm_instance_get_local(instance, 4, &got);
    CHECK(got.translation.x == 0.0f);
    const vrm_local_array too_many = {sizeof(vrm_local_array), set, 0, NULL, 100000, NULL};
    CHECK_INT(vrm_instance_set_locals(instance, &too_many), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_set_locals(instance, NULL), VRM_ERROR_INVALID_ARGUMENT);
    const vrm_local_array nothing = {sizeof(vrm_local_array), NULL, 0, NULL, 3, NULL};
    CHECK_INT(vrm_instance_set_locals(instance, &nothing), VRM_ERROR_INVALID_ARGUMENT);
    set[1].rotation.y = NAN;
    memset(&set[2].rotation, 0, sizeof(set[2].rotation));
    const vrm_local_array tracker = {sizeof(vrm_local_array), set, 0, NULL, 3, NULL}; // for nodes 0, 1, 2
    vrm_instance_get_local(instance, 1, &rest0);
    CHECK_INT(vrm_instance_set_locals(instance, &tracker), VRM_SUCCESS);
    CHECK_INT(vrm_instance_get_status(instance), VRM_STATUS_INPUT_NOT_FINITE | VRM_STATUS_DEGENERATE);
    vrm_instance_get_local(instance, 0, &got);
    CHECK(got.translation.x == 9.0f);
    vrm_instance_get_local(instance, 1, &got);
    CHECK(memcmp(&got, &rest0, sizeof(got)) == 0);
    vrm_instance_reset_pose(instance);
    for (uint32_t i = 0; i < avatar->model->node_parent.count; ++i) {
        vrm_node node = {.struct_size = sizeof node};
        vrm_avatar_get_node(avatar, i, &node);
        vrm_instance_get_local(instance, i, &got);
        CHECK(memcmp(&got, &node.rest, sizeof(got)) == 0);
    }
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

static void rotations_are_normalised(void)
{
    vrm_avatar *avatar = make_avatar();
    vrm_instance *instance = fixture_instance(avatar);
    const vrm_quat twice = {0, 2, 0, 2};
    vrm_transform got;
    CHECK_INT(vrm_instance_set_rotation(instance, 3, &twice), VRM_SUCCESS);
    vrm_instance_get_local(instance, 3, &got);
    CHECK_NEAR(got.rotation.y, sqrt(0.5), 1e-7);
    CHECK_NEAR(got.rotation.w, sqrt(0.5), 1e-7);
    const vrm_transform before = got; // setting the values that were read changes no bit
    CHECK_INT(vrm_instance_set_local(instance, 3, &got), VRM_SUCCESS);
    vrm_instance_get_local(instance, 3, &got);
    CHECK(memcmp(&before, &got, sizeof(got)) == 0);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// The normalized rotation N rotates the bone, and all nodes below it, about the model's axes. The bone's rotation in
// the model is the product of N of all bones above, N, and the rest rotation. Checked on a chain of bones with rest
// rotations.
static void normalized_humanoid(void)
{
    vrm_avatar *avatar = make_avatar();
    vrm_instance *instance = fixture_instance(avatar);
    const int bones[] = {VRM_HUMAN_BONE_HIPS, VRM_HUMAN_BONE_SPINE, VRM_HUMAN_BONE_CHEST, VRM_HUMAN_BONE_NECK,
        VRM_HUMAN_BONE_HEAD, VRM_HUMAN_BONE_LEFT_EYE};
    test_random random = test_random_make(3);
    ref_quat model_turn = {{0, 0, 0, 1}};
    vrm_update_params params;
    vrm_update_params_default(&params);
    params.stages = VRM_STAGE_POSE;
    for (size_t i = 0; i < sizeof(bones) / sizeof(bones[0]); ++i) {
        const ref_vec axis =
            ref_v((double)test_random_float(&random, -1, 1), (double)test_random_float(&random, -1, 1), 0.5);
        const ref_quat n = ref_axis_angle(axis, (double)test_random_float(&random, -2, 2));
        const vrm_quat rotation = {(float)n.q[0], (float)n.q[1], (float)n.q[2], (float)n.q[3]};
        CHECK_INT(vrm_instance_set_normalized_rotation(instance, (vrm_human_bone)bones[i], &rotation), VRM_SUCCESS);
        vrm_quat got;
        CHECK_INT(vrm_instance_get_normalized_rotation(instance, (vrm_human_bone)bones[i], &got), VRM_SUCCESS);
        CHECK(ref_angle(ref_quat_of(got), n) < 1e-6);
        model_turn = ref_mul(model_turn, n);
        vrm_update(instance, &params);
        vrm_node node = {.struct_size = sizeof node};
        vrm_avatar_get_node(avatar, node_of(bones[i]), &node);
        const ref_quat expected = ref_mul(model_turn, ref_quat_of(node.rest_rotation));
        vrm_outputs out = {.struct_size = sizeof out};
        vrm_instance_get_outputs(instance, &out);
        const ref_mat turned =
            ref_trs(ref_v((double)out.world[node_of(bones[i])].m[0][3], (double)out.world[node_of(bones[i])].m[1][3],
                        (double)out.world[node_of(bones[i])].m[2][3]),
                expected, ref_v(1, 1, 1));
        CHECK(ref_mat_distance(turned, &out.world[node_of(bones[i])]) < 1e-5);
    }
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

static void hips_position_is_in_model_space(void)
{
    fixture_begin(&fix);
    // The parent of the hips is moved, rotated and scaled.
    fixture_humanoid(&fix);
    fix.nodes[0].rest = fixture_turned(0.5f, 0.2f, -1.0f, vrmi_vec3(1, 2, 0), 0.7f);
    fix.nodes[0].rest.scale = vrmi_vec3(0.5f, 0.5f, 0.5f);
    vrm_avatar *avatar = fixture_finish(&fix);
    vrm_instance *instance = fixture_instance(avatar);
    const vrm_vec3 position = {0.3f, 1.1f, -0.4f};
    CHECK_INT(vrm_instance_set_hips_position(instance, &position), VRM_SUCCESS);
    vrm_update_dt(instance, 0.0f);
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(instance, &out);
    const vrm_mat34 *hips = &out.world[node_of(VRM_HUMAN_BONE_HIPS)];
    CHECK_NEAR(hips->m[0][3], 0.3, 1e-6);
    CHECK_NEAR(hips->m[1][3], 1.1, 1e-6);
    CHECK_NEAR(hips->m[2][3], -0.4, 1e-6);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// A change that the host makes between the halves lasts for that frame and does not change the input. Two updates with
// dt 0 give the same bits.
static void halves(void)
{
    vrm_avatar *avatar = make_avatar();
    vrm_instance *instance = fixture_instance(avatar);
    const uint32_t arm = node_of(VRM_HUMAN_BONE_LEFT_LOWER_ARM), hand = node_of(VRM_HUMAN_BONE_LEFT_HAND);
    vrm_update_params params;
    vrm_update_params_default(&params);
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_update_pose(instance, &params);
    vrm_instance_get_outputs(instance, &out);
    const vrm_mat34 before = out.world[hand];
    vrm_transform bent = pose_of(instance, arm);
    bent.rotation = vrmi_quat_from_axis_angle(vrmi_vec3(0, 0, 1), 1.2f);
    CHECK_INT(vrm_instance_set_pose(instance, arm, &bent), VRM_SUCCESS);
    vrm_update_secondary(instance, &params);
    vrm_instance_get_outputs(instance, &out);
    const vrm_transform taken = pose_of(instance, arm);
    CHECK(memcmp(&taken, &bent, sizeof(bent)) == 0);
    CHECK(ref_length(ref_sub(ref_v((double)before.m[0][3], (double)before.m[1][3], (double)before.m[2][3]),
              ref_v((double)out.world[hand].m[0][3], (double)out.world[hand].m[1][3],
                  (double)out.world[hand].m[2][3]))) > 0.2);
    vrm_update(instance, &params);
    vrm_instance_get_outputs(instance, &out);
    CHECK(memcmp(&out.world[hand], &before, sizeof(before)) == 0);

    // Without the pose stage, the last output pose stays.
    params.stages = VRM_STAGE_ALL & ~(uint32_t)VRM_STAGE_POSE;
    CHECK_INT(vrm_instance_set_pose(instance, arm, &bent), VRM_SUCCESS);
    vrm_update(instance, &params);
    vrm_update(instance, &params);
    vrm_instance_get_outputs(instance, &out);
    const vrm_transform kept = pose_of(instance, arm);
    CHECK(memcmp(&kept, &bent, sizeof(bent)) == 0);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

static void reset_and_clone(void)
{
    vrm_avatar *avatar = make_avatar();
    vrm_instance *fresh = fixture_instance(avatar), *used = fixture_instance(avatar), *clone = NULL;
    const vrm_root root = {{3, 4, 5}, {0, 0.6f, 0, 0.8f}, 2.0f};
    const vrm_dvec3 target = {1, 2, 3};
    const vrm_quat turn = {0.1f, 0.2f, 0.3f, 0.9f};
    for (int frame = 0; frame < 20; ++frame) {
        vrm_instance_set_root(used, &root);
        vrm_instance_set_look_at_target(used, &target);
        vrm_instance_set_normalized_rotation(used, VRM_HUMAN_BONE_HEAD, &turn);
        vrm_instance_set_eye_angles(used, VRM_HUMAN_BONE_LEFT_EYE, 0.1f * (float)frame, 0);
        vrm_update_dt(used, 0.02f);
    }
    CHECK_INT(vrm_instance_clone(used, &clone), VRM_SUCCESS);
    vrm_outputs a = {.struct_size = sizeof a}, b = {.struct_size = sizeof b};
    for (int frame = 0; frame < 5; ++frame) {
        vrm_update_dt(used, 0.02f);
        vrm_update_dt(clone, 0.02f);
        vrm_instance_get_outputs(used, &a);
        vrm_instance_get_outputs(clone, &b);
        CHECK(a.world != b.world);
        CHECK(same_poses(used, clone));
        CHECK(memcmp(a.world, b.world, a.node_count * sizeof(*a.world)) == 0);
    }
    vrm_instance_reset(used);
    for (int frame = 0; frame < 5; ++frame) {
        vrm_update_dt(used, 0.02f);
        vrm_update_dt(fresh, 0.02f);
        vrm_instance_get_outputs(used, &a);
        vrm_instance_get_outputs(fresh, &b);
        CHECK(same_poses(used, fresh));
        CHECK(memcmp(a.world, b.world, a.node_count * sizeof(*a.world)) == 0);
        CHECK(a.origin.x == 0.0);
    }
    vrm_instance_destroy(used);
    vrm_instance_destroy(fresh);
    vrm_instance_destroy(clone);
    vrm_avatar_release(avatar);
    CHECK_INT(fix.memory.live, 0);
}

static void updates_do_not_allocate(void)
{
    vrm_avatar *avatar = make_avatar();
    vrm_instance *instance = fixture_instance(avatar);
    const long before = fix.memory.allocations;
    const vrm_dvec3 target = {1, 2, 3};
    vrm_instance_set_look_at_target(instance, &target);
    for (int frame = 0; frame < 1000; ++frame) {
        const vrm_quat turn = vrmi_quat_from_axis_angle(vrmi_vec3(0, 1, 0), 0.01f * (float)frame);
        vrm_instance_set_normalized_rotation(instance, VRM_HUMAN_BONE_HEAD, &turn);
        vrm_update_dt(instance, 1.0f / 60.0f);
    }
    CHECK_INT(fix.memory.allocations, before);
    CHECK_INT(vrm_instance_get_status(instance), 0);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// With an invalid dt the time does not advance, and outputs stay finite.
static void strange_steps(void)
{
    vrm_avatar *avatar = make_avatar();
    vrm_instance *instance = fixture_instance(avatar);
    const float steps[] = {0.0f, -1.0f, NAN, INFINITY, -INFINITY, 1e-40f};
    vrm_update_dt(instance, 0.1f);
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(instance, &out);
    vrm_mat34 before[128];
    memcpy(before, out.world, out.node_count * sizeof(*out.world));
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); ++i) {
        vrm_update_dt(instance, steps[i]);
        vrm_instance_get_outputs(instance, &out);
        CHECK(memcmp(before, out.world, out.node_count * sizeof(*out.world)) == 0);
    }
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// Random inputs, sometimes NaN: every output must be finite.
static void random_frames(void)
{
    fixture_begin(&fix);
    fixture_everything(&fix);
    vrm_avatar *avatar = fixture_finish(&fix);
    vrm_instance *instance = fixture_instance(avatar);
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(instance, &out);
    test_random random = test_random_make(99);
    long not_finite = 0;
    for (int frame = 0; frame < 10000; ++frame) {
        for (int i = 0; i < 20; ++i) {
            const uint32_t node = test_random_below(&random, out.node_count);
            vrm_transform t;
            vrm_instance_get_local(instance, node, &t);
            float *values = &t.translation.x; // the transform is ten consecutive floats
            const uint32_t which = test_random_below(&random, 10);
            values[which] = test_random_float(&random, -2, 2);
            if (test_random_below(&random, 50) == 0) {
                values[which] = i % 2 == 0 ? NAN : INFINITY;
            }
            if (test_random_below(&random, 50) == 0) {
                t.scale = vrmi_vec3(0, 0, 0);
            }
            (void)vrm_instance_set_local(instance, node, &t);
        }
        const vrm_root root = {{(double)test_random_float(&random, -1e6f, 1e6f), 0, frame % 100 == 0 ? (double)NAN : 3},
            {test_random_float(&random, -1, 1), 0, test_random_float(&random, -1, 1), 0.3f},
            test_random_float(&random, 0.005f, 120)};
        if (frame % 7 == 0) {
            (void)vrm_instance_set_root(instance, &root);
        }
        const vrm_dvec3 target = {root.translation.x, (double)test_random_float(&random, -9, 9), root.translation.z};
        (void)vrm_instance_set_look_at_target(instance, &target);
        vrm_instance_set_expression(
            instance, VRM_EXPRESSION_LAYER_HOST, test_random_below(&random, 19), test_random_float(&random, -1, 2));
        if (frame % 50 == 0) {
            vrm_instance_reset_pose(instance);
        }
        vrm_update_dt(instance, frame % 31 == 0 ? 0.5f : test_random_float(&random, -0.01f, 0.05f));
        vrm_instance_get_outputs(instance, &out);
        vrm_transform *locals = poses_of(instance);
        const float *numbers[] = {&locals->translation.x, &out.world[0].m[0][0], &out.palette[0].m[0][0], out.morphs,
            &out.mesh_boxes[0].min.x, &out.viewpoint.translation.x};
        const size_t counts[] = {out.node_count * 10u, out.node_count * 12u, out.palette_joint_count * 12u,
            out.morph_count, out.mesh_count * 6u, 10};
        for (size_t a = 0; a < sizeof(counts) / sizeof(counts[0]); ++a) {
            for (size_t i = 0; i < counts[a]; ++i) {
                not_finite += !isfinite(numbers[a][i]);
            }
        }
        free(locals);
    }
    CHECK_INT(not_finite, 0);
    CHECK((vrm_instance_get_status(instance) & VRM_STATUS_INPUT_NOT_FINITE) != 0);
    CHECK((vrm_instance_get_status(instance) & VRM_STATUS_SPRING_RESET) == 0);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

static const test_case cases[] = {{"life", life}, {"out_of_memory", out_of_memory},
    {"allocator_without_alignment", allocator_without_alignment}, {"rest_is_the_default", rest_is_the_default},
    {"hierarchy_against_double", hierarchy_against_double}, {"setters_refuse", setters_refuse},
    {"many_at_once", many_at_once}, {"rotations_are_normalised", rotations_are_normalised},
    {"normalized_humanoid", normalized_humanoid}, {"hips_position_is_in_model_space", hips_position_is_in_model_space},
    {"halves", halves}, {"reset_and_clone", reset_and_clone}, {"updates_do_not_allocate", updates_do_not_allocate},
    {"strange_steps", strange_steps}, {"random_frames", random_frames}};

RUN_TESTS(cases)
