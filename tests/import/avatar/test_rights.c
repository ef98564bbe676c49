// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// If a permission's word differs from the words of the schema, even in case, the file grants only what every value of
// the field would grant. This holds in every dialect, and the avatar loads.

#include "avatar_file.h"

typedef enum dialect { DIALECT_1_0, DIALECT_0_X, DIALECT_DRAFT, DIALECT_COUNT } dialect;

enum { MOST_WORDS = 9 };

// A field with all its words, in the schema's order. The other fields grant as much as possible, so that this field
// decides.
typedef struct field {
    dialect dialect;
    const char *key;
    const char *words[MOST_WORDS + 1];
    const char *others; // the other members of meta
} field;

#define OTHERS_1_0 \
    "\"allowExcessivelyViolentUsage\":true,\"allowExcessivelySexualUsage\":true,\"allowPoliticalOrReligiousUsage\":" \
    "true," \
    "\"allowAntisocialOrHateUsage\":true,\"allowRedistribution\":true"
#define EVERYONE "\"avatarPermission\":\"everyone\","
#define CORPORATION "\"commercialUsage\":\"corporation\","
#define NO_CREDIT "\"creditNotation\":\"unnecessary\","
#define MODIFY "\"modification\":\"allowModificationRedistribution\","
#define OTHERS_0 "\"sexualUssageName\":\"Allow\""
#define EVERYONE_0 "\"allowedUserName\":\"Everyone\","
#define COMMERCIAL_0 "\"commercialUssageName\":\"Allow\","
#define CC0 "\"licenseName\":\"CC0\","

static const field fields[] = {
    {DIALECT_1_0, "avatarPermission", {"onlyAuthor", "onlySeparatelyLicensedPerson", "everyone"},
        CORPORATION NO_CREDIT MODIFY OTHERS_1_0},
    {DIALECT_1_0, "commercialUsage", {"personalNonProfit", "personalProfit", "corporation"},
        EVERYONE NO_CREDIT MODIFY OTHERS_1_0},
    {DIALECT_1_0, "creditNotation", {"required", "unnecessary"}, EVERYONE CORPORATION MODIFY OTHERS_1_0},
    {DIALECT_1_0, "modification", {"prohibited", "allowModification", "allowModificationRedistribution"},
        EVERYONE CORPORATION NO_CREDIT OTHERS_1_0},
    {DIALECT_0_X, "allowedUserName", {"OnlyAuthor", "ExplicitlyLicensedPerson", "Everyone"}, COMMERCIAL_0 CC0 OTHERS_0},
    {DIALECT_0_X, "violentUssageName", {"Disallow", "Allow"}, EVERYONE_0 COMMERCIAL_0 CC0 OTHERS_0},
    {DIALECT_0_X, "commercialUssageName", {"Disallow", "Allow"}, EVERYONE_0 CC0 OTHERS_0},
    {DIALECT_0_X, "licenseName",
        {"Redistribution_Prohibited", "CC0", "CC_BY", "CC_BY_NC", "CC_BY_SA", "CC_BY_NC_SA", "CC_BY_ND", "CC_BY_NC_ND",
            "Other"},
        EVERYONE_0 COMMERCIAL_0 OTHERS_0},
    {DIALECT_DRAFT, "avatarPermission", {"onlyAuthor", "explicitlyLicensedPerson", "everyone"},
        CORPORATION NO_CREDIT OTHERS_1_0},
    {DIALECT_DRAFT, "commercialUsage", {"personalNonProfit", "personalProfit", "corporation"},
        EVERYONE NO_CREDIT OTHERS_1_0},
    {DIALECT_DRAFT, "creditNotation", {"required", "unnecessary", "abandoned"}, EVERYONE CORPORATION OTHERS_1_0},
    {DIALECT_DRAFT, "modification", {"prohibited", "inherited", "notInherited"}, EVERYONE CORPORATION OTHERS_1_0},
};

static void write_humanoid(gltf_builder_member_text *text, dialect of)
{
    file_append(text, of == DIALECT_0_X ? ",\"humanoid\":{\"humanBones\":[" : ",\"humanoid\":{\"humanBones\":{");
    bool first = true;
#define BONE(name, number, json, parent, required, needs_parent) \
    if (required) { \
        file_append(text, of == DIALECT_0_X ? "%s{\"bone\":\"%s\",\"node\":%d}" : "%s\"%s\":{\"node\":%d}", \
            first ? "" : ",", json, number); \
        first = false; \
    }
    VRM_HUMAN_BONES(BONE)
#undef BONE
    file_append(text, of == DIALECT_0_X ? "]}" : "}}");
}

// Loads a file in which the field has this JSON `value`.
static bool read_meta(const field *f, const char *value, bool *granted, vrm_report *report, char *out_kept, size_t size)
{
    static const char *const heads[DIALECT_COUNT] = {
        "\"VRMC_vrm\":{\"specVersion\":\"1.0\",\"meta\":{\"name\":\"N\",\"authors\":[\"A\"],\"licenseUrl\":"
        "\"https://vrm.dev/licenses/1.0/\"",
        "\"VRM\":{\"meta\":{\"title\":\"N\",\"author\":\"A\"",
        "\"VRMC_vrm\":{\"specVersion\":\"1.0-draft\",\"meta\":{\"name\":\"N\",\"authors\":[\"A\"]"};
    static const int parents[VRM_HUMAN_BONE_COUNT] = {
#define PARENT(name, number, json, parent, required, needs_parent) [number] = VRM_HUMAN_BONE_##parent,
        VRM_HUMAN_BONES(PARENT)
#undef PARENT
    };
    gltf_builder_member_text text = {0};
    file_append(&text, "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[");
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        file_append(&text, bone == 0 ? "{" : ",{");
        bool first = true;
        for (int child = 1; child < VRM_HUMAN_BONE_COUNT; ++child) {
            if (parents[child] == bone) {
                file_append(&text, first ? "\"children\":[%d" : ",%d", child);
                first = false;
            }
        }
        file_append(&text, first ? "}" : "]}");
    }
    const char *const pieces[] = {
        "],\"extensions\":{", heads[f->dialect], ",\"", f->key, "\":", value, ",", f->others, "}"};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; ++i) {
        gltf_builder_append(&text, pieces[i], strlen(pieces[i]));
    }
    write_humanoid(&text, f->dialect);
    file_append(&text, "}}}");
    vrm_avatar *avatar = NULL;
    const vrm_result result = vrm_avatar_load_json(NULL, text.text, text.size, report, &avatar);
    free(text.text);
    if (result != VRM_SUCCESS) {
        return false;
    }
    vrm_meta meta = {.struct_size = sizeof meta};
    vrm_avatar_get_meta(avatar, &meta);
    int next = 0;
    for (int use = 0; use < VRM_USE_COUNT; ++use) {
        for (int who = 0; who < 3; ++who) {
            const vrm_permission permission = vrm_meta_get_permission(&meta, (vrm_use)use, (vrm_user)who, NULL);
            granted[next++] = permission == VRM_PERMISSION_ALLOWED; // allowed without credit, the most permissive value
            granted[next++] = permission == VRM_PERMISSION_ALLOWED || permission == VRM_PERMISSION_ALLOWED_WITH_CREDIT;
        }
    }
    out_kept[0] = 0;
    for (uint32_t i = 0; i < meta.old_term_count; ++i) {
        if (strcmp(meta.old_terms[2 * i].data, f->key) == 0) {
            snprintf(out_kept, size, "%.*s", (int)meta.old_terms[2 * i + 1].length, meta.old_terms[2 * i + 1].data);
        }
    }
    vrm_avatar_release(avatar);
    return true;
}

enum { ANSWERS = 2 * 3 * VRM_USE_COUNT };

static void check_variant(const field *f, const char *value, const bool *strictest)
{
    bool granted[ANSWERS];
    char kept[128], found[128];
    vrm_report *report;
    vrm_report_create(NULL, &report);
    CHECK(read_meta(f, value, granted, report, kept, sizeof kept));
    bool more = false;
    for (int i = 0; i < ANSWERS; ++i) {
        more = more || (granted[i] && !strictest[i]);
    }
    CHECK(!more);
    snprintf(found, sizeof found, value[0] == '"' ? "\"%s\"" : "%s", kept);
    CHECK_STRING(found, value); // the value is kept as an old term, for vrm inspect
    uint32_t warnings = vrm_report_get_severity_count(report, VRM_SEVERITY_WARNING);
    CHECK(warnings != 0);
    if (more || strcmp(found, value) != 0 || warnings == 0) {
        printf("  dialect %d, %s: %s\n", f->dialect, f->key, value);
    }
    vrm_report_destroy(report);
}

static void change_case(const char *word, int how, char *out)
{
    size_t i = 0;
    for (; word[i] != '\0'; ++i) {
        const char lower = (char)(word[i] >= 'A' && word[i] <= 'Z' ? word[i] + 32 : word[i]);
        const char upper = (char)(word[i] >= 'a' && word[i] <= 'z' ? word[i] - 32 : word[i]);
        out[i] = how == 0 ? lower : how == 1 || i % 2 == 1 ? upper : lower;
    }
    out[i] = '\0';
}

static void a_miscased_permission_never_grants(void)
{
    static const char *const others[] = {"\"\"", "\"all\"", "true", "1", "[\"everyone\"]", "null"};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; ++i) {
        const field *f = &fields[i];
        bool strictest[ANSWERS], granted[ANSWERS];
        char quoted[96], kept[128];
        memset(strictest, 1, sizeof strictest);
        bool any = false; // false if the field decides nothing: then the test would prove nothing
        for (int w = 0; w < MOST_WORDS && f->words[w] != NULL; ++w) {
            snprintf(quoted, sizeof quoted, "\"%s\"", f->words[w]);
            CHECK(read_meta(f, quoted, granted, NULL, kept, sizeof kept));
            for (int a = 0; a < ANSWERS; ++a) {
                any = any || granted[a] != strictest[a];
                strictest[a] = strictest[a] && granted[a];
            }
        }
        CHECK(any);
        for (int w = 0; w < MOST_WORDS && f->words[w] != NULL; ++w) {
            char word[80];
            for (int how = 0; how < 3; ++how) {
                change_case(f->words[w], how, word);
                snprintf(quoted, sizeof quoted, "\"%s\"", word);
                if (strcmp(word, f->words[w]) != 0) {
                    check_variant(f, quoted, strictest);
                }
            }
            snprintf(quoted, sizeof quoted, "\"%s \"", f->words[w]);
            check_variant(f, quoted, strictest);
        }
        for (size_t o = 0; o < sizeof others / sizeof *others; ++o) {
            check_variant(f, others[o], strictest);
        }
    }
}

// The draft's prose capitalises the words of its schemas. Both spellings are read, but the rest of the word must match.
static void prose_of_the_draft_is_exact_too(void)
{
    const field *f = &fields[8];
    bool schema[ANSWERS], prose[ANSWERS];
    char kept[128];
    CHECK(read_meta(f, "\"everyone\"", schema, NULL, kept, sizeof kept));
    CHECK(read_meta(f, "\"Everyone\"", prose, NULL, kept, sizeof kept));
    CHECK(memcmp(schema, prose, sizeof schema) == 0);
}

static const test_case cases[] = {
    {"a_miscased_permission_never_grants", a_miscased_permission_never_grants},
    {"prose_of_the_draft_is_exact_too", prose_of_the_draft_is_exact_too},
};

RUN_TESTS(cases)
