// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The load calls: arguments, references, memory, cancelling, and the check that an avatar comes from a document.

#include "avatar_file.h"
#include "model/model.h"
#include "test_allocator.h"

static void json_alone_is_enough(void)
{
    gltf_builder b = {0};
    avatar_file_build(&b);
    size_t size;
    char *json = gltf_builder_json(&b, 1, &size);
    vrm_report *report;
    vrm_report_create(NULL, &report);
    vrm_avatar *avatar = NULL;
    CHECK_INT(vrm_avatar_load_json(NULL, json, size, report, &avatar), VRM_SUCCESS);
    CHECK_INT(vrm_report_get_severity_count(report, VRM_SEVERITY_ERROR), 0);
    if (avatar != NULL) {
        vrm_avatar_counts counts = {.struct_size = sizeof counts};
        vrm_avatar_get_counts(avatar, &counts);
        CHECK_INT(counts.flags, VRM_AVATAR_NO_BOUNDS);
        CHECK_INT(counts.spring_joints, 6);
        const vrm_mat34 *inverse = vrmi_model_palette_inverse_bind(avatar->model);
        CHECK_NEAR(inverse[0].m[0][3], 0, 0);
        CHECK_NEAR(inverse[0].m[1][1], 1, 0);
        // Without vertices, a joint's box is a point.
        const vrmi_range range = vrmi_model_mesh_bounds(avatar->model)[0];
        CHECK_INT(range.count, 2);
        const vrm_vec3 corner = vrmi_model_bound(avatar->model)[range.first].box.max;
        CHECK(corner.x == 0 && corner.y == 0 && corner.z == 0);
    } else {
        print_report(report);
    }
    vrm_avatar_release(avatar);
    vrm_report_destroy(report);
    free(json);
    gltf_builder_free(&b);
}

static void arguments_are_checked(void)
{
    size_t size;
    uint8_t *glb = avatar_file_make(&size);
    vrm_avatar *avatar = (vrm_avatar *)(void *)glb;
    vrm_avatar_def def;
    vrm_avatar_def_default(&def);
    def.struct_size = 3;
    CHECK_INT(vrm_avatar_load(&def, glb, size, NULL, &avatar), VRM_ERROR_INVALID_ARGUMENT);
    CHECK(avatar == NULL);
    CHECK_INT(vrm_avatar_load(NULL, NULL, 0, NULL, &avatar), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_avatar_load(NULL, glb, size, NULL, NULL), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_avatar_import(NULL, NULL, NULL, &avatar), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_avatar_load_file(NULL, "no such file.vrm", NULL, &avatar), VRM_ERROR_NOT_FOUND);
    CHECK_INT(vrm_avatar_load(NULL, "hello", 5, NULL, &avatar), VRM_ERROR_NOT_GLTF);
    vrm_avatar_release(NULL);
    CHECK_INT(vrm_avatar_get_bone_node(NULL, VRM_HUMAN_BONE_HIPS), -1);
    CHECK_STRING(vrm_human_bone_name(VRM_HUMAN_BONE_COUNT), "");
    CHECK_INT(vrm_human_bone_from_name("leftHand", 8), VRM_HUMAN_BONE_LEFT_HAND);
    CHECK_INT(vrm_human_bone_from_name("lefthand", 8), -1);
    CHECK_INT(vrm_human_bone_parent(VRM_HUMAN_BONE_HIPS), -1);
    CHECK_INT(vrm_human_bone_parent(VRM_HUMAN_BONE_LEFT_SHOULDER), VRM_HUMAN_BONE_UPPER_CHEST);
    CHECK_STRING(vrm_expression_preset_name(VRM_EXPRESSION_PRESET_LOOK_UP), "lookUp");
    CHECK_STRING(vrm_expression_preset_name(VRM_EXPRESSION_CUSTOM), "");
    free(glb);
}

static void references_are_counted(void)
{
    size_t size;
    uint8_t *glb = avatar_file_make(&size);
    test_allocator state;
    vrm_avatar_def def;
    vrm_avatar_def_default(&def);
    def.allocator = test_allocator_make(&state);
    vrm_avatar *avatar = NULL;
    CHECK_INT(vrm_avatar_load(&def, glb, size, NULL, &avatar), VRM_SUCCESS);
    CHECK_INT(state.live_blocks, 1); // only the avatar is left
    if (avatar != NULL) {
        vrm_avatar_counts counts = {.struct_size = sizeof counts};
        vrm_avatar_get_counts(avatar, &counts);
        CHECK_INT(counts.bytes, state.live);
        CHECK(vrm_avatar_retain(avatar) == avatar);
        vrm_avatar_release(avatar);
        CHECK_INT(state.live_blocks, 1);
        vrm_avatar_release(avatar);
    }
    CHECK_INT(state.live_blocks, 0);
    CHECK_INT(state.wrong, 0);
    free(glb);
}

static void the_same_file_gives_the_same_bytes(void)
{
    vrm_report *reports[2];
    vrm_avatar *avatars[2] = {avatar_file_load(&reports[0]), avatar_file_load(&reports[1])};
    if (avatars[0] != NULL && avatars[1] != NULL) {
        CHECK_INT(avatars[0]->model->size, avatars[1]->model->size);
        CHECK(memcmp(avatars[0]->model, avatars[1]->model, avatars[0]->model->size) == 0);
    }
    for (int i = 0; i < 2; ++i) {
        vrm_avatar_release(avatars[i]);
        vrm_report_destroy(reports[i]);
    }
}

static void every_allocation_may_fail(void)
{
    size_t size;
    uint8_t *glb = avatar_file_make(&size);
    uint64_t fail_at = 0;
    for (;; ++fail_at) {
        test_allocator state;
        vrm_avatar_def def;
        vrm_avatar_def_default(&def);
        def.allocator = test_allocator_make(&state);
        state.fail_at = fail_at;
        vrm_avatar *avatar = NULL;
        const vrm_result result = vrm_avatar_load(&def, glb, size, NULL, &avatar);
        const int done = result == VRM_SUCCESS;
        if (!done) {
            CHECK_INT(result, VRM_ERROR_OUT_OF_MEMORY);
            CHECK(avatar == NULL);
        }
        vrm_avatar_release(avatar);
        CHECK_INT(state.live_blocks, 0);
        if (done || fail_at > 10000) {
            break;
        }
    }
    CHECK(fail_at > 20 && fail_at <= 10000);
    free(glb);
}

// The limits of an avatar's def also apply to its document.
static void limits_are_the_documents(void)
{
    size_t size;
    uint8_t *glb = avatar_file_make(&size);
    for (uint32_t nodes = FILE_NODES - 1; nodes <= FILE_NODES; ++nodes) {
        vrm_avatar_def def;
        vrm_avatar *avatar = NULL;
        vrm_avatar_def_default(&def);
        def.limits.max_nodes = nodes;
        CHECK_INT(vrm_avatar_load(&def, glb, size, NULL, &avatar), nodes < FILE_NODES ? VRM_ERROR_LIMIT : VRM_SUCCESS);
        vrm_avatar_release(avatar);
    }
    free(glb);
}

typedef struct cancel_state {
    uint32_t calls, stop_at;
    float last;
    bool backwards;
} cancel_state;

static bool cancel_progress(float fraction, const char *phase, void *user)
{
    cancel_state *state = user;
    state->backwards = state->backwards || fraction < state->last || fraction > 1.0f || phase == NULL;
    state->last = fraction;
    return state->calls++ != state->stop_at;
}

static void every_progress_call_may_cancel(void)
{
    size_t size;
    uint8_t *glb = avatar_file_make(&size);
    uint32_t stop_at = 0;
    for (;; ++stop_at) {
        cancel_state state = {0, stop_at, 0.0f, false};
        test_allocator memory;
        vrm_avatar_def def;
        vrm_avatar_def_default(&def);
        def.allocator = test_allocator_make(&memory);
        def.progress = cancel_progress;
        def.progress_user = &state;
        vrm_avatar *avatar = NULL;
        const vrm_result result = vrm_avatar_load(&def, glb, size, NULL, &avatar);
        CHECK(!state.backwards);
        CHECK_INT(result, state.calls > stop_at ? VRM_ERROR_CANCELLED : VRM_SUCCESS);
        vrm_avatar_release(avatar);
        CHECK_INT(memory.live_blocks, 0);
        if (result == VRM_SUCCESS || stop_at > 1000) {
            break;
        }
    }
    CHECK(stop_at > 10 && stop_at <= 1000);
    free(glb);
}

// Loads a document of two nodes, a mesh and a material, and its avatar on request.
static vrm_gltf *small_document(const char *nodes, const char *materials, vrm_avatar **out_avatar)
{
    const float triangle[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    gltf_builder b = {0};
    const uint32_t positions = gltf_builder_floats(&b, triangle, 9, 3, "VEC3");
    gltf_builder_add(&b, "meshes", "{\"primitives\":[{\"attributes\":{\"POSITION\":%u}}]}", positions);
    gltf_builder_add(&b, "meshes", "{\"primitives\":[{\"attributes\":{\"POSITION\":%u}}]}", positions);
    gltf_builder_member(&b, "nodes", nodes);
    gltf_builder_member(&b, "materials", materials);
    size_t size;
    uint8_t *glb = gltf_builder_glb(&b, &size);
    gltf_builder_free(&b);
    vrm_gltf *gltf = NULL;
    CHECK_INT(vrm_gltf_load(NULL, glb, size, NULL, &gltf), VRM_SUCCESS);
    free(glb);
    if (out_avatar != NULL) {
        vrm_avatar_def def;
        vrm_avatar_def_default(&def);
        def.allow_plain_gltf = true;
        CHECK_INT(vrm_avatar_import(&def, gltf, NULL, out_avatar), VRM_SUCCESS);
    }
    return gltf;
}

static void an_avatar_belongs_to_its_document(void)
{
    static const char nodes[] = "[{\"children\":[1],\"rotation\":[0,1,0,0]},{\"mesh\":0,\"translation\":[0,1,0]}]";
    static const struct {
        const char *nodes, *materials;
        bool same;
    } others[] = {
        {nodes, "[{}]", true},
        {nodes, "[{\"name\":\"red\"}]", true}, // names are not compared
        {nodes, "[{},{}]", false},
        {"[{\"rotation\":[0,1,0,0]},{\"mesh\":0,\"translation\":[0,1,0]}]", "[{}]", false},
        {"[{\"children\":[1],\"rotation\":[0,1,0,0]},{\"mesh\":1,\"translation\":[0,1,0]}]", "[{}]", false},
        {"[{\"children\":[1],\"rotation\":[0,1,0,0]},{\"translation\":[0,1,0]}]", "[{}]", false},
        {"[{\"children\":[1],\"rotation\":[0,1,0,0]},{\"mesh\":0,\"translation\":[0,1.0000001,0]}]", "[{}]", false},
        {"[{\"mesh\":0}]", "[{}]", false},
    };
    vrm_avatar *avatar = NULL;
    vrm_gltf *gltf = small_document(nodes, "[{}]", &avatar);
    for (size_t i = 0; avatar != NULL && i < sizeof others / sizeof others[0]; ++i) {
        vrm_gltf *other = small_document(others[i].nodes, others[i].materials, NULL);
        CHECK_INT(vrm_avatar_is_from(avatar, other), others[i].same);
        vrm_gltf_destroy(other);
    }
    CHECK(!vrm_avatar_is_from(avatar, NULL) && !vrm_avatar_is_from(NULL, gltf));
    vrm_avatar_release(avatar);
    vrm_gltf_destroy(gltf);
}

static const test_case cases[] = {
    {"limits_are_the_documents", limits_are_the_documents},
    {"json_alone_is_enough", json_alone_is_enough},
    {"arguments_are_checked", arguments_are_checked},
    {"an_avatar_belongs_to_its_document", an_avatar_belongs_to_its_document},
    {"references_are_counted", references_are_counted},
    {"the_same_file_gives_the_same_bytes", the_same_file_gives_the_same_bytes},
    {"every_allocation_may_fail", every_allocation_may_fail},
    {"every_progress_call_may_cancel", every_progress_call_may_cancel},
};

RUN_TESTS(cases)
