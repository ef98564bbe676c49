// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Structs of programs that were compiled with older or newer headers than the library's.

#include <stdlib.h>

#include "avatar_file.h"
#include "base/abi.h"
#include "test.h"

typedef struct grown {
    uint32_t struct_size;
    float old;
    uint64_t older; // the last member of the first version of the struct
    float later, latest;
} grown;

static void older_defs_keep_the_defaults(void)
{
    const size_t least = VRMI_UP_TO(grown, older);
    CHECK_INT(least, 16);
    grown given = {.struct_size = 16, .old = 2, .older = 3, .later = 90, .latest = 91};
    grown own = {.struct_size = sizeof own, .old = 5, .older = 6, .later = 7, .latest = 8};
    CHECK(vrmi_read_options(&own, sizeof own, &given, least));
    CHECK_INT(own.struct_size, sizeof own);
    CHECK_NEAR(own.old, 2, 0);
    CHECK_INT(own.older, 3);
    CHECK_NEAR(own.later, 7, 0);
    CHECK_NEAR(own.latest, 8, 0);
    given.struct_size = 20; // the size in a version between the first and the current one
    CHECK(vrmi_read_options(&own, sizeof own, &given, least));
    CHECK_NEAR(own.later, 90, 0);
    CHECK_NEAR(own.latest, 8, 0);
    CHECK(vrmi_read_options(&own, sizeof own, NULL, least));
    CHECK_NEAR(own.later, 90, 0);
}

static void newer_defs_are_read_as_far_as_they_are_known(void)
{
    grown given = {.struct_size = sizeof given, .old = 2, .older = 3, .later = 90, .latest = 91};
    struct {
        uint32_t struct_size;
        float old;
        uint64_t older, behind;
    } own = {16, 0, 0, 77};
    CHECK(vrmi_read_options(&own, 16, &given, 16));
    CHECK_INT(own.struct_size, 16);
    CHECK_INT(own.older, 3);
    CHECK_INT(own.behind, 77);
}

// Calls a function with a def that is valid except for its size. An invalid size is refused; the larger size of a newer
// program is accepted.
#define SIZES(type, fill, call) \
    do { \
        union { \
            type def; \
            unsigned char room[sizeof(type) + 64]; \
        } u; \
        memset(&u, 0xff, sizeof u); \
        type##_default(&u.def); \
        type *d = &u.def; \
        fill; \
        const uint32_t own = d->struct_size; \
        CHECK_INT(own, sizeof(type)); \
        CHECK_INT(VRMI_LEAST_##type, sizeof(type)); \
        const uint32_t refused[] = {0, 1, 4, own - 4, own - 1, own + 1, own + 2, 65540, 0xfffffffc}; \
        for (size_t i = 0; i < sizeof refused / sizeof refused[0]; ++i) { \
            d->struct_size = refused[i]; \
            CHECK_INT(call, VRM_ERROR_INVALID_ARGUMENT); \
        } \
        d->struct_size = own + 64; \
        CHECK_INT(call, VRM_SUCCESS); \
        d->struct_size = own; \
        CHECK_INT(call, VRM_SUCCESS); \
    } while (0)

// Keeps the call's result in a statement of its own, since C does not fix the order in which arguments are evaluated.
static vrm_result kept;
#define ENDED(call, object, destroy) (kept = (call), ended(kept, object, destroy))

static vrm_result ended(vrm_result result, void *object, void (*destroy)(void *))
{
    if (result == VRM_SUCCESS) {
        destroy(object);
    }
    return result;
}

static void drop_avatar(void *avatar)
{
    vrm_avatar_release(avatar);
}

static void drop_gltf(void *gltf)
{
    vrm_gltf_destroy(gltf);
}

static void drop_report(void *report)
{
    vrm_report_destroy(report);
}

static void drop_instance(void *instance)
{
    vrm_instance_destroy(instance);
}

static void drop_player(void *player)
{
    vrm_clip_player_destroy(player);
}

static void drop_recorder(void *recorder)
{
    vrm_recorder_destroy(recorder);
}

static void drop_solver(void *solver)
{
    vrm_ragdoll_solver_destroy(solver);
}

static void drop_bytes(void *bytes)
{
    vrm_bytes_free(bytes);
}

static void drop_split(void *split)
{
    vrm_first_person_split_destroy(split);
}

static void defs_of_loading(void)
{
    size_t size;
    uint8_t *glb = avatar_file_make(&size);
    vrm_avatar *avatar = NULL;
    vrm_gltf *gltf = NULL;
    vrm_report *report = NULL;
    vrm_bytes bytes;
    SIZES(vrm_report_def, , ENDED(vrm_report_create(d, &report), report, drop_report));
    SIZES(vrm_gltf_def, , ENDED(vrm_gltf_load(d, glb, size, NULL, &gltf), gltf, drop_gltf));
    SIZES(vrm_avatar_def, , ENDED(vrm_avatar_load(d, glb, size, NULL, &avatar), avatar, drop_avatar));
    SIZES(vrm_validate_params, , vrm_validate(d, glb, size, NULL, NULL));
    SIZES(vrm_sample_params, , ENDED(vrm_sample_create(d, &bytes), &bytes, drop_bytes));

    CHECK_INT(vrm_gltf_load(NULL, glb, size, NULL, &gltf), VRM_SUCCESS);
    CHECK_INT(vrm_avatar_import(NULL, gltf, NULL, &avatar), VRM_SUCCESS);
    vrm_avatar *again = NULL;
    vrm_first_person_split *split = NULL;
    SIZES(vrm_avatar_def, , ENDED(vrm_avatar_import(d, gltf, NULL, &again), again, drop_avatar));
    SIZES(
        vrm_first_person_split_def, , ENDED(vrm_first_person_split_create(d, gltf, avatar, &split), split, drop_split));
    SIZES(vrm_migrate_params, ,
        vrm_migrate(d, gltf, avatar, NULL)); // the file has version 1.0, so there is nothing to migrate
    vrm_avatar_release(avatar);
    vrm_gltf_destroy(gltf);
    free(glb);
}

static void defs_of_instances(void)
{
    size_t size;
    uint8_t *glb = avatar_file_make(&size);
    vrm_avatar *avatar = NULL;
    CHECK_INT(vrm_avatar_load(NULL, glb, size, NULL, &avatar), VRM_SUCCESS);
    vrm_instance *instance = NULL;
    vrm_clip_player *player = NULL;
    vrm_recorder *recorder = NULL;
    vrm_bytes bytes;
    SIZES(vrm_instance_def, d->avatar = avatar, ENDED(vrm_instance_create(d, &instance), instance, drop_instance));
    SIZES(vrm_clip_player_def, d->avatar = avatar, ENDED(vrm_clip_player_create(d, &player), player, drop_player));
    SIZES(vrm_recorder_def, , ENDED(vrm_recorder_create(d, avatar, &recorder), recorder, drop_recorder));
    const char *text = "{\"frames\": 1}";
    const vrm_string script = {text, (uint32_t)strlen(text)};
    if (vrm_trace_run(NULL, avatar, script, NULL, &bytes) == VRM_SUCCESS) {
        vrm_bytes_free(&bytes);
        SIZES(vrm_trace_params, , ENDED(vrm_trace_run(d, avatar, script, NULL, &bytes), &bytes, drop_bytes));
    }

    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = avatar;
    def.host_colliders = 1;
    def.look_chain_bones = VRM_LOOK_CHAIN_PRESET_BONES;
    def.ragdoll_bodies = VRM_RAGDOLL_MAX_BODIES;
    CHECK_INT(vrm_instance_create(&def, &instance), VRM_SUCCESS);
    SIZES(vrm_blink_params, , vrm_instance_set_blink(instance, d));
    SIZES(vrm_lip_sync_params, , vrm_instance_set_lip_sync(instance, d));
    SIZES(vrm_spring_params, , vrm_instance_set_spring_params(instance, d));
    SIZES(vrm_host_collider_def, , vrm_instance_set_host_collider(instance, 0, d));
    vrm_look_bone bones[VRM_LOOK_CHAIN_PRESET_BONES];
    SIZES(vrm_look_chain_def,
        CHECK_INT(vrm_look_chain_preset_def(avatar, VRM_LOOK_CHAIN_PRESET_EYES_HEAD, d, bones), VRM_SUCCESS),
        vrm_instance_set_look_chain(instance, d, NULL));

    // An update whose params have an invalid size does nothing; an update whose params have the size of a newer program
    // runs.
    vrm_outputs outputs = {.struct_size = sizeof outputs};
    vrm_instance_get_outputs(instance, &outputs);
    const uint32_t before = outputs.node_changes.counter;
    struct {
        vrm_update_params params;
        uint64_t later;
    } update;
    vrm_update_params_default(&update.params);
    update.params.struct_size = 4;
    vrm_update(instance, &update.params);
    vrm_instance_get_outputs(instance, &outputs);
    CHECK_INT(outputs.node_changes.counter, before);
    const vrm_quat turned = {0, 1, 0, 0};
    CHECK_INT(
        vrm_instance_set_rotation(instance, (uint32_t)vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_HEAD), &turned),
        VRM_SUCCESS);
    update.params.struct_size = sizeof update;
    vrm_update(instance, &update.params);
    vrm_instance_get_outputs(instance, &outputs);
    CHECK(outputs.node_changes.counter != before);

    CHECK_INT(
        vrm_clip_player_create(
            &(vrm_clip_player_def){.struct_size = sizeof(vrm_clip_player_def), .layers = 1, .avatar = avatar}, &player),
        VRM_SUCCESS);
    SIZES(vrm_clip_layer_params, , vrm_clip_player_set_layer(player, 0, d));
    SIZES(vrm_clip_play_params, , vrm_clip_player_play(player, 0, NULL, d));
    vrm_clip_player_destroy(player);

    static vrm_ragdoll_def ragdoll = {.struct_size = sizeof ragdoll}; // large
    SIZES(vrm_ragdoll_build_params, , vrm_ragdoll_def_build(avatar, NULL, d, NULL, &ragdoll));
    SIZES(vrm_ragdoll_def, *d = ragdoll, vrm_ragdoll_def_check(d, NULL));
    SIZES(vrm_ragdoll_params, , vrm_instance_set_ragdoll(instance, &ragdoll, d));
    SIZES(vrm_ragdoll_params, , vrm_instance_set_ragdoll_params(instance, d));
    vrm_ragdoll_solver *solver = NULL;
    SIZES(vrm_ragdoll_solver_def, d->def = &ragdoll, ENDED(vrm_ragdoll_solver_create(d, &solver), solver, drop_solver));
    vrm_ragdoll_solver_def solver_def;
    vrm_ragdoll_solver_def_default(&solver_def);
    solver_def.def = &ragdoll;
    CHECK_INT(vrm_ragdoll_solver_create(&solver_def, &solver), VRM_SUCCESS);
    SIZES(vrm_ragdoll_world_shape_def, , vrm_ragdoll_solver_set_shape(solver, 0, d));
    vrm_ragdoll_solver_destroy(solver);

    const vrm_lod_view view = {0};
    uint32_t order;
    uint32_t step;
    SIZES(vrm_lod_params, , vrm_lod_pick(d, &view, 1, &order, &step));
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
    free(glb);
}

static void outputs_are_written_as_far_as_there_is_room(void)
{
    const grown found = {.old = 2, .older = 3, .later = 90, .latest = 91};
    grown out = {.struct_size = 16, .later = 7};
    CHECK(vrmi_write_output(&out, &found, sizeof found, 16));
    CHECK_INT(out.struct_size, 16);
    CHECK_INT(out.older, 3);
    CHECK_NEAR(out.later, 7, 0);
    out.struct_size = sizeof out;
    CHECK(vrmi_write_output(&out, &found, 16, 16)); // as an older library writes it
    CHECK_INT(out.struct_size, sizeof out);
    CHECK_NEAR(out.later, 0, 0);
}

#define OUTPUT(type, call, member, refused) \
    do { \
        union { \
            type out; \
            unsigned char room[sizeof(type) + 64]; \
        } u; \
        memset(&u, 0xa5, sizeof u); \
        u.out.struct_size = sizeof(type); \
        CHECK_INT(VRMI_LEAST_##type, sizeof(type)); \
        CHECK_INT((call, 0), 0); \
        CHECK_INT(u.out.struct_size, sizeof(type)); \
        const type found = u.out; \
        CHECK_INT(u.room[sizeof(type)], 0xa5); \
        u.out.struct_size = sizeof u; \
        CHECK_INT((call, 0), 0); \
        CHECK(memcmp(&u.out.member, &found.member, sizeof found.member) == 0); \
        CHECK_INT(u.room[sizeof(type)], 0); \
        const uint32_t sizes[] = {0, 4, sizeof(type) - 4, sizeof(type) + 2, 65540}; \
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) { \
            memset(&u, 0xa5, sizeof u); \
            u.out.struct_size = sizes[i]; \
            refused; \
            CHECK_INT(u.room[4], 0xa5); \
            CHECK_INT(u.room[sizeof(type) - 1], 0xa5); \
        } \
    } while (0)

static void outputs_have_the_size_that_they_say(void)
{
    size_t size;
    uint8_t *glb = avatar_file_make(&size);
    vrm_avatar *avatar = NULL;
    CHECK_INT(vrm_avatar_load(NULL, glb, size, NULL, &avatar), VRM_SUCCESS);
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = avatar;
    vrm_instance *instance = NULL;
    CHECK_INT(vrm_instance_create(&def, &instance), VRM_SUCCESS);
    OUTPUT(vrm_outputs, vrm_instance_get_outputs(instance, &u.out), world, vrm_instance_get_outputs(instance, &u.out));
    OUTPUT(vrm_material, vrm_avatar_get_material(avatar, 0, &u.out), name,
        CHECK_INT(vrm_avatar_get_material(avatar, 0, &u.out), VRM_ERROR_INVALID_ARGUMENT));
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
    free(glb);
}

static const test_case cases[] = {
    {"outputs_are_written_as_far_as_there_is_room", outputs_are_written_as_far_as_there_is_room},
    {"outputs_have_the_size_that_they_say", outputs_have_the_size_that_they_say},
    {"older_defs_keep_the_defaults", older_defs_keep_the_defaults},
    {"newer_defs_are_read_as_far_as_they_are_known", newer_defs_are_read_as_far_as_they_are_known},
    {"defs_of_loading", defs_of_loading},
    {"defs_of_instances", defs_of_instances},
};

RUN_TESTS(cases)
