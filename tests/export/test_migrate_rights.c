// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Permissions after a migration, for all combinations that VRM 0.x and the draft of 1.0 can express. They are compared
// with tables written here and must never exceed the old file's.

#include <vrm/vrm.h>

#include <stdlib.h>

#include "skeleton_json.h"
#include "test.h"

// Builds the smallest avatar. `meta` is the rest of its meta object, after name and author.
static size_t build(char *out, size_t size, bool draft, const char *meta)
{
    char list[1024];
    size_t at = 0;
#define ADD(...) at += (size_t)snprintf(out + at, size - at, __VA_ARGS__)
    ADD("{\"asset\":{\"version\":\"2.0\"},\"nodes\":[");
    for (int i = 0; i < SKELETON_BONES; ++i) {
        ADD("%s{\"translation\":[0,0.25,0]%s}", i == 0 ? "" : ",",
            skeleton_children(list, sizeof list, skeleton_parents, SKELETON_BONES, i));
    }
    ADD("],\"scenes\":[{\"nodes\":[0]}],\"extensions\":{\"%s\":{%s\"humanoid\":{\"humanBones\":%s%s%s},\"meta\":{%s%s}}"
        "}}",
        draft ? "VRMC_vrm" : "VRM", draft ? "\"specVersion\":\"1.0-draft\"," : "", draft ? "{" : "[",
        skeleton_human_bones(list, sizeof list, skeleton_bones, SKELETON_BONES, !draft), draft ? "}" : "]",
        draft ? "\"name\":\"N\",\"authors\":[\"A\"]" : "\"title\":\"N\",\"author\":\"A\"", meta);
#undef ADD
    return at;
}

typedef struct both {
    vrm_avatar *before, *after;
    vrm_meta old, new;
} both;

static both migrate(bool draft, const char *meta)
{
    static char text[8192];
    const size_t size = build(text, sizeof text, draft, meta);
    both b = {0};
    vrm_gltf *gltf = NULL;
    vrm_bytes bytes = {0};
    CHECK_INT(vrm_gltf_load(NULL, text, size, NULL, &gltf), VRM_SUCCESS);
    CHECK_INT(vrm_avatar_import(NULL, gltf, NULL, &b.before), VRM_SUCCESS);
    CHECK_INT(vrm_migrate(NULL, gltf, b.before, NULL), VRM_SUCCESS);
    CHECK_INT(vrm_gltf_save(gltf, &bytes), VRM_SUCCESS);
    CHECK_INT(vrm_avatar_load(NULL, bytes.data, bytes.size, NULL, &b.after), VRM_SUCCESS);
    vrm_bytes_free(&bytes);
    vrm_gltf_destroy(gltf);
    b.old.struct_size = sizeof b.old;
    b.new.struct_size = sizeof b.new;
    vrm_avatar_get_meta(b.before, &b.old);
    vrm_avatar_get_meta(b.after, &b.new);
    return b;
}

static void release(both *b)
{
    vrm_avatar_release(b->before);
    vrm_avatar_release(b->after);
}

// Ranks permissions by how much they grant.
static int rank(vrm_permission permission)
{
    return permission == VRM_PERMISSION_ALLOWED ? 2 : permission == VRM_PERMISSION_ALLOWED_WITH_CREDIT ? 1 : 0;
}

// Checks that nobody may do more than before, unstated permissions stay unstated, and all old words are kept.
static void check_never_more(const both *b, const char *meta)
{
    const int before = test_failures;
    for (int use = 0; use < VRM_USE_COUNT; ++use) {
        for (int who = 0; who <= VRM_USER_EVERYONE; ++who) {
            const int old = rank(vrm_meta_get_permission(&b->old, (vrm_use)use, (vrm_user)who, NULL));
            const int new = rank(vrm_meta_get_permission(&b->new, (vrm_use)use, (vrm_user)who, NULL));
            CHECK(new <= old);
        }
    }
    CHECK_INT(b->new.stated & ~b->old.stated, 0);
    CHECK_INT(b->new.old_term_count, b->old.old_term_count);
    for (uint32_t i = 0; i < 2 * b->new.old_term_count &&i < 2 * b->old.old_term_count; ++i) {
        CHECK_INT(b->new.old_terms[i].length, b->old.old_terms[i].length);
        CHECK(memcmp(b->new.old_terms[i].data, b->old.old_terms[i].data, b->new.old_terms[i].length) == 0);
    }
    if (test_failures != before) {
        printf("  after %s\n", meta);
    }
}

static int add_term(char *out, size_t size, const char *key, const char *value)
{
    return value == NULL ? 0 : snprintf(out, size, ",\"%s\":\"%s\"", key, value);
}

// NULL: the file does not state the value. "?" stands for an unknown word.
static void all_of_vrm0(void)
{
    static const char *const users[] = {NULL, "?", "OnlyAuthor", "ExplicitlyLicensedPerson", "Everyone"};
    static const char *const usages[] = {NULL, "Disallow", "Allow"};
    static const char *const licenses[] = {NULL, "?", "Redistribution_Prohibited", "CC0", "CC_BY", "CC_BY_NC",
        "CC_BY_SA", "CC_BY_NC_SA", "CC_BY_ND", "CC_BY_NC_ND", "Other"};
    for (int i = 0; i < 5 * 3 * 3 * 3 * 11; ++i) {
        const int user = i % 5, violent = i / 5 % 3, sexual = i / 15 % 3, commercial = i / 45 % 3, license = i / 135;
        char meta[512];
        int at = add_term(meta, sizeof meta, "allowedUserName", users[user]);
        meta[at] = '\0';
        at += add_term(meta + at, sizeof meta - (size_t)at, "violentUssageName", usages[violent]);
        at += add_term(meta + at, sizeof meta - (size_t)at, "sexualUssageName", usages[sexual]);
        at += add_term(meta + at, sizeof meta - (size_t)at, "commercialUssageName", usages[commercial]);
        at += add_term(meta + at, sizeof meta - (size_t)at, "licenseName", licenses[license]);
        both b = migrate(false, meta);
        const vrm_meta *m = &b.new;
        // Licence 1 is unknown, so it may be non-commercial.
        const bool nc = license == 1 || license == 5 || license == 7 || license == 9;
        CHECK_INT(m->avatar_permission, user < 2 ? VRM_AVATAR_PERMISSION_ONLY_AUTHOR : user - 2);
        CHECK_INT(m->allow_excessively_violent_usage, violent == 2);
        CHECK_INT(m->allow_excessively_sexual_usage, sexual == 2);
        CHECK_INT(m->commercial_usage,
            commercial == 2 && !nc ? VRM_COMMERCIAL_USAGE_PERSONAL_PROFIT : VRM_COMMERCIAL_USAGE_PERSONAL_NON_PROFIT);
        const bool cc0 = license == 3; // only CC0 keeps the permissions
        CHECK(!m->allow_political_or_religious_usage && !m->allow_antisocial_or_hate_usage);
        CHECK_INT(m->allow_redistribution, cc0);
        CHECK_INT(
            m->modification, cc0 ? VRM_MODIFICATION_ALLOW_MODIFICATION_REDISTRIBUTION : VRM_MODIFICATION_PROHIBITED);
        CHECK_INT(m->credit_notation, cc0 ? VRM_CREDIT_NOTATION_UNNECESSARY : VRM_CREDIT_NOTATION_REQUIRED);
        check_never_more(&b, meta);
        release(&b);
    }
}

// For every user and use, the old and the new file give the same answer.
static void inspect_and_migrate_agree_about_cc0(void)
{
    const char *meta = ",\"allowedUserName\":\"Everyone\",\"commercialUssageName\":\"Allow\",\"licenseName\":\"CC0\"";
    both b = migrate(false, meta);
    for (int use = 0; use < VRM_USE_COUNT; ++use) {
        for (int who = 0; who <= VRM_USER_EVERYONE; ++who) {
            CHECK_INT(vrm_meta_get_permission(&b.new, (vrm_use)use, (vrm_user)who, NULL),
                vrm_meta_get_permission(&b.old, (vrm_use)use, (vrm_user)who, NULL));
        }
    }
    CHECK_INT(vrm_meta_get_permission(&b.new, VRM_USE_REDISTRIBUTE, VRM_USER_EVERYONE, NULL), VRM_PERMISSION_ALLOWED);
    check_never_more(&b, meta);
    release(&b);
}

typedef struct word {
    const char *text; // NULL: not in the file
    int value;
} word;

static const word avatar_words[] = {{NULL, 0}, {"?", 0}, {"OnlyAuthor", 0}, {"onlyAuthor", 0},
    {"ExplicitlyLicensedPerson", 1}, {"explicitlyLicensedPerson", 1}, {"Everyone", 2}, {"everyone", 2}};
static const word commercial_words[] = {{NULL, 0}, {"?", 0}, {"PersonalNonCommercialNonProfit", 0},
    {"PersonalNonCommercialProfit", 0}, {"PersonalCommercial", 1}, {"Corporation", 2}, {"personalNonProfit", 0},
    {"personalProfit", 1}, {"corporation", 2}};
static const word credit_words[] = {{NULL, 0}, {"?", 0}, {"Required", 0}, {"Unnecessary", 1}, {"Abandoned", 0},
    {"required", 0}, {"unnecessary", 1}, {"abandoned", 0}};
static const word modify_words[] = {{NULL, 0}, {"?", 0}, {"Prohibited", 0}, {"Inherited", 1}, {"NotInherited", 1},
    {"prohibited", 0}, {"inherited", 1}, {"notInherited", 1}};

enum { AVATARS = 8, COMMERCIALS = 9, CREDITS = 8, MODIFIES = 8, USAGES = 6 };

// Tests the words of the draft's prose and the words of its schema. Usages are set one at a time, because each has its
// own field.
static void all_of_the_draft(void)
{
    static const char *const usage_keys[USAGES][2] = {{"violentUsage", "allowExcessivelyViolentUsage"},
        {"sexualUsage", "allowExcessivelySexualUsage"}, {"politicalOrReligiousUsage", "allowPoliticalOrReligiousUsage"},
        {"gameUsage", "gameUsage"}, {"allowRedistribution", "allowRedistribution"},
        {"allowAntisocialOrHateUsage", "allowAntisocialOrHateUsage"}};
    for (int i = 0; i < AVATARS * COMMERCIALS * CREDITS * MODIFIES; ++i) {
        const word *avatar = &avatar_words[i % AVATARS], *commercial = &commercial_words[i / AVATARS % COMMERCIALS];
        const word *credit = &credit_words[i / AVATARS / COMMERCIALS % CREDITS];
        const word *modify = &modify_words[i / AVATARS / COMMERCIALS / CREDITS];
        const int usage = i % (3 * USAGES), said = usage % 3; // said: not stated, false, true
        char meta[512] = "";
        int at = add_term(meta, sizeof meta, "avatarPermission", avatar->text);
        at += add_term(meta + at, sizeof meta - (size_t)at, "commercialUsage", commercial->text);
        at += add_term(meta + at, sizeof meta - (size_t)at, "creditNotation", credit->text);
        at += add_term(meta + at, sizeof meta - (size_t)at, i % 2 != 0 ? "modify" : "modification", modify->text);
        if (said != 0) {
            snprintf(meta + at, sizeof meta - (size_t)at, ",\"%s\":%s", usage_keys[usage / 3][i / 7 % 2],
                said == 2 ? "true" : "false");
        }
        both b = migrate(true, meta);
        const vrm_meta *m = &b.new;
        CHECK_INT(m->avatar_permission, avatar->value);
        CHECK_INT(m->commercial_usage, commercial->value);
        CHECK_INT(m->credit_notation, credit->value);
        CHECK_INT(m->modification, modify->value);
        CHECK_INT(m->allow_excessively_violent_usage, said == 2 && usage / 3 == 0);
        CHECK_INT(m->allow_excessively_sexual_usage, said == 2 && usage / 3 == 1);
        CHECK_INT(m->allow_political_or_religious_usage, said == 2 && usage / 3 == 2);
        CHECK_INT(m->allow_redistribution, said == 2 && usage / 3 == 4);
        CHECK_INT(m->allow_antisocial_or_hate_usage, said == 2 && usage / 3 == 5);
        check_never_more(&b, meta);
        release(&b);
    }
}

// All combinations of three values for each of the draft's usages.
static void all_usages_of_the_draft(void)
{
    static const char *const keys[5] = {"violentUsage", "sexualUsage", "politicalOrReligiousUsage",
        "allowRedistribution", "allowAntisocialOrHateUsage"};
    for (int i = 0; i < 243; ++i) {
        char meta[512] = "";
        int at = 0, rest = i, said[5];
        for (int k = 0; k < 5; ++k, rest /= 3) {
            said[k] = rest % 3;
            if (said[k] != 0) {
                at += snprintf(
                    meta + at, sizeof meta - (size_t)at, ",\"%s\":%s", keys[k], said[k] == 2 ? "true" : "false");
            }
        }
        both b = migrate(true, meta);
        CHECK_INT(b.new.allow_excessively_violent_usage, said[0] == 2);
        CHECK_INT(b.new.allow_excessively_sexual_usage, said[1] == 2);
        CHECK_INT(b.new.allow_political_or_religious_usage, said[2] == 2);
        CHECK_INT(b.new.allow_redistribution, said[3] == 2);
        CHECK_INT(b.new.allow_antisocial_or_hate_usage, said[4] == 2);
        check_never_more(&b, meta);
        release(&b);
    }
}

static const test_case cases[] = {
    {"all_of_vrm0", all_of_vrm0},
    {"inspect_and_migrate_agree_about_cc0", inspect_and_migrate_agree_about_cc0},
    {"all_of_the_draft", all_of_the_draft},
    {"all_usages_of_the_draft", all_usages_of_the_draft},
};

RUN_TESTS(cases)
