// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "avatar_file.h"
#include "test_allocator.h"

// --- permissions ---------------------------------------------------------------------------------------------------

// Returns a meta that allows and states everything.
static vrm_meta generous(void)
{
    return (vrm_meta){.struct_size = sizeof(vrm_meta),
        .stated = 0x1FF,
        .avatar_permission = VRM_AVATAR_PERMISSION_EVERYONE,
        .commercial_usage = VRM_COMMERCIAL_USAGE_CORPORATION,
        .credit_notation = VRM_CREDIT_NOTATION_UNNECESSARY,
        .modification = VRM_MODIFICATION_ALLOW_MODIFICATION_REDISTRIBUTION,
        .allow_excessively_violent_usage = true,
        .allow_excessively_sexual_usage = true,
        .allow_political_or_religious_usage = true,
        .allow_antisocial_or_hate_usage = true,
        .allow_redistribution = true};
}

static void all_is_allowed_when_all_is_stated(void)
{
    const vrm_meta meta = generous();
    for (int use = 0; use < VRM_USE_COUNT; ++use) {
        CHECK_INT(vrm_meta_get_permission(&meta, (vrm_use)use, VRM_USER_EVERYONE, NULL), VRM_PERMISSION_ALLOWED);
        CHECK_INT(vrm_meta_get_permission(&meta, (vrm_use)use, VRM_USER_LICENSED_PERSON, NULL), VRM_PERMISSION_ALLOWED);
    }
}

static void nothing_stated_is_nothing_allowed(void)
{
    const vrm_meta meta = {.struct_size = sizeof meta, .thumbnail_image = -1};
    for (int use = 0; use < VRM_USE_COUNT; ++use) {
        const char *field = NULL;
        CHECK_INT(vrm_meta_get_permission(&meta, (vrm_use)use, VRM_USER_EVERYONE, &field), VRM_PERMISSION_NOT_STATED);
        CHECK(field != NULL && field[0] != '\0');
        CHECK_INT(
            vrm_meta_get_permission(&meta, (vrm_use)use, VRM_USER_LICENSED_PERSON, NULL), VRM_PERMISSION_NOT_STATED);
        CHECK_INT(vrm_meta_get_permission(&meta, (vrm_use)use, VRM_USER_AUTHOR, &field), VRM_PERMISSION_ALLOWED);
        CHECK_STRING(field, "authors");
    }
}

static void credit_is_asked_for(void)
{
    vrm_meta meta = generous();
    meta.credit_notation = VRM_CREDIT_NOTATION_REQUIRED;
    for (int use = 0; use < VRM_USE_COUNT; ++use) {
        CHECK_INT(
            vrm_meta_get_permission(&meta, (vrm_use)use, VRM_USER_EVERYONE, NULL), VRM_PERMISSION_ALLOWED_WITH_CREDIT);
        CHECK_INT(vrm_meta_get_permission(&meta, (vrm_use)use, VRM_USER_AUTHOR, NULL), VRM_PERMISSION_ALLOWED);
    }
}

// Removing one permission from generous() forbids exactly these uses, and the field is the reason.
typedef struct taken {
    const char *field;
    uint32_t uses; // one bit for each vrm_use
} taken;

#define USE_BIT(name) (1u << VRM_USE_##name)
#define BEING_IT \
    (((1u << VRM_USE_COUNT) - 1u) & ~(USE_BIT(REDISTRIBUTE) | USE_BIT(REDISTRIBUTE_MODIFIED) | USE_BIT(SELL)))

static void take(vrm_meta *meta, int which)
{
    switch (which) {
    case 0:
        meta->avatar_permission = VRM_AVATAR_PERMISSION_ONLY_AUTHOR;
        break;
    case 1:
        meta->commercial_usage = VRM_COMMERCIAL_USAGE_PERSONAL_PROFIT;
        break;
    case 2:
        meta->commercial_usage = VRM_COMMERCIAL_USAGE_PERSONAL_NON_PROFIT;
        break;
    case 3:
        meta->allow_excessively_violent_usage = false;
        break;
    case 4:
        meta->allow_excessively_sexual_usage = false;
        break;
    case 5:
        meta->allow_political_or_religious_usage = false;
        break;
    case 6:
        meta->allow_antisocial_or_hate_usage = false;
        break;
    case 7:
        meta->allow_redistribution = false;
        break;
    case 8:
        meta->modification = VRM_MODIFICATION_ALLOW_MODIFICATION;
        break;
    default:
        meta->modification = VRM_MODIFICATION_PROHIBITED;
        break;
    }
}

static void each_permission_forbids_its_uses(void)
{
    static const taken table[10] = {
        {"avatarPermission", BEING_IT},
        {"commercialUsage", USE_BIT(CORPORATE)},
        {"commercialUsage", USE_BIT(CORPORATE) | USE_BIT(STREAM_FOR_PROFIT) | USE_BIT(SELL)},
        {"allowExcessivelyViolentUsage", USE_BIT(VIOLENCE)},
        {"allowExcessivelySexualUsage", USE_BIT(SEXUAL)},
        {"allowPoliticalOrReligiousUsage", USE_BIT(POLITICAL_OR_RELIGIOUS)},
        {"allowAntisocialOrHateUsage", USE_BIT(ANTISOCIAL_OR_HATE)},
        {"allowRedistribution", USE_BIT(REDISTRIBUTE) | USE_BIT(SELL)},
        {"modification", USE_BIT(REDISTRIBUTE_MODIFIED)},
        {"modification", USE_BIT(REDISTRIBUTE_MODIFIED) | USE_BIT(MODIFY)},
    };
    for (int i = 0; i < 10; ++i) {
        vrm_meta meta = generous();
        take(&meta, i);
        for (int use = 0; use < VRM_USE_COUNT; ++use) {
            const char *field = NULL;
            const int forbidden = (table[i].uses & (1u << use)) != 0;
            CHECK_INT(vrm_meta_get_permission(&meta, (vrm_use)use, VRM_USER_EVERYONE, &field),
                forbidden ? VRM_PERMISSION_NOT_ALLOWED : VRM_PERMISSION_ALLOWED);
            if (forbidden) {
                CHECK_STRING(field, table[i].field);
            }
        }
    }
}

static void a_separate_licence_counts_where_the_file_says_so(void)
{
    vrm_meta meta = generous();
    meta.avatar_permission = VRM_AVATAR_PERMISSION_ONLY_SEPARATELY_LICENSED_PERSON;
    CHECK_INT(vrm_meta_get_permission(&meta, VRM_USE_PERFORM, VRM_USER_LICENSED_PERSON, NULL), VRM_PERMISSION_ALLOWED);
    CHECK_INT(vrm_meta_get_permission(&meta, VRM_USE_PERFORM, VRM_USER_EVERYONE, NULL), VRM_PERMISSION_NOT_ALLOWED);
    meta.avatar_permission = VRM_AVATAR_PERMISSION_ONLY_AUTHOR;
    CHECK_INT(
        vrm_meta_get_permission(&meta, VRM_USE_PERFORM, VRM_USER_LICENSED_PERSON, NULL), VRM_PERMISSION_NOT_ALLOWED);
}

static void names_of_uses(void)
{
    CHECK_STRING(vrm_use_name(VRM_USE_STREAM_FOR_PROFIT), "stream-for-profit");
    CHECK_STRING(vrm_use_name(VRM_USE_COUNT), "");
    CHECK_STRING(vrm_use_sentence(VRM_USE_COUNT), "");
    CHECK(vrm_use_sentence(VRM_USE_SELL)[0] != '\0');
    CHECK_INT(vrm_meta_get_permission(NULL, VRM_USE_PERFORM, VRM_USER_EVERYONE, NULL), VRM_PERMISSION_NOT_ALLOWED);
    const vrm_meta meta = generous();
    CHECK_INT(vrm_meta_get_permission(&meta, VRM_USE_COUNT, VRM_USER_EVERYONE, NULL), VRM_PERMISSION_NOT_ALLOWED);
}

// --- peek ------------------------------------------------------------------------------------------------------------

static void check_peek(const vrm_peek *peek)
{
    vrm_peek_info info = {.struct_size = sizeof info};
    vrm_peek_get_info(peek, &info);
    vrm_meta meta = {.struct_size = sizeof meta};
    vrm_peek_get_meta(peek, &meta);
    CHECK_STRING(info.dialect, "1.0");
    CHECK_TEXT(info.spec_version, "1.0");
    CHECK_TEXT(info.generator, "");
    CHECK_TEXT(meta.name, "Test \xC3\xA9");
    CHECK_INT(meta.author_count, 2);
    CHECK_TEXT(meta.authors[1], "Bob");
    CHECK_TEXT(meta.references[0], "a book");
    CHECK_INT(meta.commercial_usage, VRM_COMMERCIAL_USAGE_PERSONAL_PROFIT);
    CHECK_INT(info.thumbnail_size, 33);
    CHECK(info.thumbnail != NULL && memcmp(info.thumbnail, "\x89PNG", 4) == 0);
    CHECK_INT(info.node_count, FILE_NODES);
    CHECK_INT(info.mesh_count, 2);
    CHECK_INT(info.material_count, 4);
    CHECK_INT(info.texture_count, 12);
    CHECK_INT(info.image_count, 1);
    CHECK_INT(info.skin_count, 2);
    CHECK_INT(info.animation_count, 0);
    CHECK_INT(info.triangle_count, 2);
    CHECK_INT(info.vertex_count, 6);
    CHECK_INT(info.expression_count, 4);
    CHECK_INT(info.spring_count, 4);
    CHECK_INT(info.spring_joint_count, 6);
    CHECK_INT(info.collider_count, 6);
    CHECK_INT(info.constraint_count, 3);
    CHECK_INT(info.texture_memory, 8 * 4 * 16 / 3);
}

static void a_peek_shows_what_there_is(void)
{
    gltf_builder b = {0};
    avatar_file_build(&b);
    size_t size;
    uint8_t *glb = gltf_builder_glb(&b, &size);
    vrm_peek *peek = NULL;
    CHECK_INT(vrm_peek_create(NULL, glb, size, NULL, &peek), VRM_SUCCESS);
    check_peek(peek);
    vrm_peek_destroy(peek);
    vrm_peek_destroy(NULL);
    // Peeking at a document gives the same result.
    vrm_gltf *gltf = NULL;
    CHECK_INT(vrm_gltf_load(NULL, glb, size, NULL, &gltf), VRM_SUCCESS);
    CHECK_INT(vrm_peek_create_from_gltf(gltf, &peek), VRM_SUCCESS);
    check_peek(peek);
    vrm_peek_destroy(peek);
    vrm_gltf_destroy(gltf);
    CHECK_INT(vrm_peek_create_from_gltf(NULL, &peek), VRM_ERROR_INVALID_ARGUMENT);
    CHECK(peek == NULL);
    free(glb);
    gltf_builder_free(&b);
}

// A file that loading refuses can still be peeked at, as long as its JSON is valid.
static void a_peek_forgives(void)
{
    static const char *const texts[][2] = {
        {"{\"asset\":{\"version\":\"2.0\",\"generator\":\"g\"},\"nodes\":[{\"children\":[0,5]}],\"meshes\":[4],"
         "\"extensions\":{\"VRMC_vrm\":[]}}",
            "1.0"},
        {"{\"asset\":{\"version\":\"2.0\"},\"extensionsRequired\":[\"NO_such\"],"
         "\"extensions\":{\"VRM\":{\"specVersion\":\"0.0\",\"meta\":{\"texture\":9}}}}",
            "0.x"},
        {"{\"asset\":{\"version\":\"2.0\"}}", ""},
        {"{\"asset\":{\"version\":\"2.0\"},\"extensions\":{\"VRMC_vrm\":{\"specVersion\":\"1.0-beta\"}}}", "1.0-beta"},
        {"{\"asset\":{\"version\":\"2.0\"},\"extensions\":{\"VRMC_vrm\":{\"specVersion\":\"1.0.0\","
         "\"expressions\":[]}}}",
            "1.0-draft"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        vrm_peek *peek = NULL;
        CHECK_INT(vrm_peek_create(NULL, texts[i][0], strlen(texts[i][0]), NULL, &peek), VRM_SUCCESS);
        vrm_peek_info info = {.struct_size = sizeof info, .dialect = "?"};
        if (peek != NULL) {
            vrm_peek_get_info(peek, &info);
        }
        CHECK_STRING(info.dialect, texts[i][1]);
        CHECK(info.thumbnail == NULL);
        vrm_peek_destroy(peek);
    }
    vrm_peek *peek = NULL;
    CHECK_INT(vrm_peek_create(NULL, "{\"asset\":", 9, NULL, &peek), VRM_ERROR_NOT_GLTF);
    CHECK_INT(vrm_peek_create(NULL, NULL, 0, NULL, &peek), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_peek_create(NULL, "{}", 2, NULL, NULL), VRM_ERROR_INVALID_ARGUMENT);
}

static void a_peek_survives_without_memory(void)
{
    size_t size;
    uint8_t *glb = avatar_file_make(&size);
    for (uint64_t fail_at = 0; fail_at < 10000; ++fail_at) {
        test_allocator state;
        vrm_gltf_def def;
        vrm_gltf_def_default(&def);
        def.allocator = test_allocator_make(&state);
        state.fail_at = fail_at;
        vrm_peek *peek = NULL;
        const vrm_result result = vrm_peek_create(&def, glb, size, NULL, &peek);
        CHECK_INT(result, peek != NULL ? VRM_SUCCESS : VRM_ERROR_OUT_OF_MEMORY);
        vrm_peek_destroy(peek);
        CHECK_INT(state.live_blocks, 0);
        if (result == VRM_SUCCESS) {
            break;
        }
    }
    free(glb);
}

static const test_case cases[] = {
    {"all_is_allowed_when_all_is_stated", all_is_allowed_when_all_is_stated},
    {"nothing_stated_is_nothing_allowed", nothing_stated_is_nothing_allowed},
    {"credit_is_asked_for", credit_is_asked_for},
    {"each_permission_forbids_its_uses", each_permission_forbids_its_uses},
    {"a_separate_licence_counts_where_the_file_says_so", a_separate_licence_counts_where_the_file_says_so},
    {"names_of_uses", names_of_uses},
    {"a_peek_shows_what_there_is", a_peek_shows_what_there_is},
    {"a_peek_forgives", a_peek_forgives},
    {"a_peek_survives_without_memory", a_peek_survives_without_memory},
};

RUN_TESTS(cases)
