// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "import/upgrade/upgrade.h"

#include <string.h>

#include "base/checks.h"
#include "base/text.h"

enum { WORD_SIZE = 64, LIST_SIZE = 512 }; // longer than any word of a dialect

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool vrmi_same_word(const char *a, const char *b)
{
    while (*a != '\0' && lower(*a) == lower(*b)) {
        ++a;
        ++b;
    }
    return *a == *b;
}

const char *vrmi_first_key(const vrmi_json *json, uint32_t object, const char *const *keys)
{
    for (; *keys != NULL; ++keys) {
        if (vrmi_json_member(json, object, *keys) != VRMI_JSON_NONE) {
            return *keys;
        }
    }
    return NULL;
}

// Compares a word exactly, except that its first letter may be upper-case: the draft's prose writes words in this way.
static bool is_exactly(const char *text, const char *word)
{
    const char first = word[0] >= 'a' && word[0] <= 'z' ? (char)(word[0] - 'a' + 'A') : word[0];
    return (text[0] == word[0] || text[0] == first) && (word[0] == '\0' || strcmp(text + 1, word + 1) == 0);
}

typedef bool compare_words(const char *text, const char *word);

static bool read_word(
    vrmi_reader *reader, uint32_t value, compare_words *same, const vrmi_word *words, uint32_t count, uint32_t *out)
{
    if (value == VRMI_JSON_NONE) {
        return false;
    }
    char text[WORD_SIZE];
    vrmi_json_unescape(
        reader->json, value, text, sizeof text); // a longer word is cut off and matches no word of the list
    for (uint32_t i = 0; i < count; ++i) {
        if (same(text, words[i].text)) {
            *out = words[i].value;
            return true;
        }
    }
    char expected[LIST_SIZE];
    vrmi_text list = {.data = expected, .capacity = sizeof expected};
    vrmi_text_add_string(&list, "one of ");
    for (uint32_t i = 0; i < count; ++i) {
        vrmi_text_add_string(&list, i == 0 ? "" : ", ");
        vrmi_text_add_string(&list, words[i].text);
    }
    vrmi_reader_report_value(reader, VRM_FINDING_OLD_WORD_UNKNOWN, value, expected);
    return false;
}

bool vrmi_read_word(
    vrmi_reader *reader, uint32_t object, const char *key, const vrmi_word *words, uint32_t count, uint32_t *out)
{
    const uint32_t value = vrmi_read_string(reader, object, key, VRMI_OPTIONAL);
    return read_word(reader, value, vrmi_same_word, words, count, out);
}

bool vrmi_read_right(
    vrmi_reader *reader, uint32_t object, const char *key, const vrmi_word *words, uint32_t count, uint32_t *out)
{
    const uint32_t value = vrmi_read_string(reader, object, key, VRMI_OPTIONAL);
    return read_word(reader, value, is_exactly, words, count, out);
}

bool vrmi_read_index_or_none(vrmi_reader *reader, uint32_t object, const char *key, uint32_t limit, uint32_t *out)
{
    double number = 0.0;
    const uint32_t value = vrmi_json_member(reader->json, object, key);
    if (value == VRMI_JSON_NONE || (vrmi_json_number(reader->json, value, &number) && number < 0.0)) {
        return false;
    }
    return vrmi_read_index(reader, object, key, VRMI_OPTIONAL, limit, out);
}

bool vrmi_read_xyz(vrmi_reader *reader, uint32_t object, const char *key, vrm_vec3 *out)
{
    const uint32_t vector = vrmi_read_object(reader, object, key, VRMI_OPTIONAL);
    if (vector == VRMI_JSON_NONE) {
        return false;
    }
    vrm_vec3 read = {0.0f, 0.0f, 0.0f};
    (void)vrmi_read_float(reader, vector, "x", VRMI_OPTIONAL, &read.x);
    (void)vrmi_read_float(reader, vector, "y", VRMI_OPTIONAL, &read.y);
    (void)vrmi_read_float(reader, vector, "z", VRMI_OPTIONAL, &read.z);
    *out = read;
    return true;
}

bool vrmi_keep_name(vrmi_reader *reader, vrmi_model_builder *model, vrmi_array *table, uint32_t value)
{
    const vrmi_name name = vrmi_import_name(reader->json, model, value);
    if (name.length == 0) {
        return false;
    }
    vrmi_name *row = vrmi_array_push(table, &model->allocator);
    if (row == NULL) {
        model->out_of_memory = true;
        return false;
    }
    *row = name;
    return true;
}

bool vrmi_find_mesh_users(vrmi_import *import, vrmi_mesh_users *out)
{
    const vrmi_mesh_row *rows = VRMI_ROWS(import, mesh, vrmi_mesh_row);
    out->first = vrmi_import_scratch(import, import->gltf->counts[VRM_GLTF_MESHES], sizeof *out->first);
    out->next = vrmi_import_scratch(import, import->model.mesh.count, sizeof *out->next);
    for (uint32_t i = import->model.mesh.count; vrmi_import_runs(import) && i-- > 0;) {
        out->next[i] = out->first[rows[i].gltf_mesh];
        out->first[rows[i].gltf_mesh] = i + 1;
    }
    return vrmi_import_runs(import);
}

bool vrmi_is_read_as_vrm0(const vrmi_json *json, vrm_prefer prefer)
{
    return vrmi_root_extension(json, "VRM") != VRMI_JSON_NONE &&
           (vrmi_root_extension(json, "VRMC_vrm") == VRMI_JSON_NONE || prefer == VRM_PREFER_0_X);
}

uint32_t vrmi_draft_form(const vrmi_json *json, uint32_t vrm)
{
    static const char *const lists[] = {"expressions", "expression"};
    static const char *const gaze[] = {
        "lookAtType", "horizontalInner", "horizontalOuter", "verticalDown", "verticalUp", NULL};
    for (size_t i = 0; i < VRMI_COUNT_OF(lists); ++i) {
        const uint32_t list = vrmi_json_member(json, vrm, lists[i]);
        if (vrmi_json_is(json, list, VRMI_JSON_ARRAY)) {
            return list;
        }
    }
    const uint32_t look_at = vrmi_json_member(json, vrm, "lookAt");
    const char *key = vrmi_first_key(json, look_at, gaze);
    return key != NULL ? vrmi_json_member(json, look_at, key) : VRMI_JSON_NONE;
}

vrmi_dialect vrmi_dialect_of(const vrmi_json *json, uint32_t vrm)
{
    const uint32_t version = vrmi_json_member(json, vrm, "specVersion");
    if (vrmi_json_string_equal(json, version, "1.0-draft") || vrmi_json_string_equal(json, version, "1.0.0") ||
        vrmi_draft_form(json, vrm) != VRMI_JSON_NONE) {
        return VRMI_DIALECT_1_0_DRAFT;
    }
    return vrmi_json_string_equal(json, version, "1.0-beta") ? VRMI_DIALECT_1_0_BETA : VRMI_DIALECT_1_0;
}
