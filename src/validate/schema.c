// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "validate/schema.h"

#include <string.h>

#include "base/text.h"
#include "validate/run.h"

// Recursion is safe: the tables determine its depth, not the file.
static void check_object(vrmi_run *run, uint32_t object, const vrmi_schema *schema);

static bool is_same(const char *a, const char *b, size_t length, bool any_case)
{
    for (size_t i = 0; i < length; ++i) {
        const bool letter = (a[i] | 32) >= 'a' && (a[i] | 32) <= 'z';
        if (a[i] != b[i] && !(any_case && letter && (a[i] | 32) == (b[i] | 32))) {
            return false;
        }
    }
    return true;
}

static bool is_word(const char *words, const char *word, size_t length, bool any_case)
{
    for (const char *at = words; *at != '\0';) {
        const size_t size = strcspn(at, " ");
        if (size == length && is_same(at, word, length, any_case)) {
            return true;
        }
        at += size + (at[size] == ' ');
    }
    return false;
}

static bool is_word_of(const vrmi_run *run, const char *words, uint32_t string, bool any_case)
{
    const vrmi_json_token *token = &run->json->tokens[string];
    char text[64];
    if (!token->escaped) {
        return is_word(words, run->json->text + token->start, token->end - token->start, any_case);
    }
    const size_t length = vrmi_json_unescape(run->json, string, text, sizeof(text));
    return length < sizeof(text) && is_word(words, text, length, any_case);
}

static void report_type(vrmi_run *run, uint32_t value, const vrmi_schema_rule *rule, bool element)
{
    static const char *const names[] = {
        "anything", "true or false", "a number", "a whole number", "an index", "a string", "an object"};
    vrmi_reader_report_value(
        &run->reader, element ? VRM_FINDING_ARRAY_TYPE_MISMATCH : VRM_FINDING_TYPE_MISMATCH, value, names[rule->type]);
}

// --- single values ---------------------------------------------------------------------------------------------------

static void check_range(vrmi_run *run, uint32_t value, const vrmi_schema_rule *rule, double number)
{
    if ((!rule->has_min || (rule->above ? number > rule->min : number >= rule->min)) &&
        (!rule->has_max || number <= rule->max)) {
        return;
    }
    char expected[96];
    vrmi_text text = {.data = expected, .capacity = sizeof(expected)};
    vrmi_text_add_string(&text, rule->has_min ? (rule->above ? "more than " : "at least ") : "");
    if (rule->has_min) {
        vrmi_text_add_double(&text, rule->min);
    }
    vrmi_text_add_string(&text, rule->has_max ? (rule->has_min ? ", at most " : "at most ") : "");
    if (rule->has_max) {
        vrmi_text_add_double(&text, rule->max);
    }
    vrmi_reader_report_value(&run->reader, VRM_FINDING_VALUE_NOT_IN_RANGE, value, expected);
}

static void check_number(vrmi_run *run, uint32_t value, const vrmi_schema_rule *rule, bool element)
{
    double number;
    if (!vrmi_json_is(run->json, value, VRMI_JSON_NUMBER)) {
        report_type(run, value, rule, element);
    } else if (!vrmi_json_number(run->json, value, &number)) {
        vrmi_reader_report_value(
            &run->reader, VRM_FINDING_VALUE_NOT_IN_RANGE, value, "a number that fits a 64-bit float");
    } else if (rule->type == VRMI_SCHEMA_INTEGER && number > -9e15 && number < 9e15 &&
               (double)(int64_t)number != number) {
        report_type(run, value, rule, element);
    } else {
        check_range(run, value, rule, number);
    }
}

static bool is_whole(const vrmi_json *json, uint32_t value, double *out)
{
    return vrmi_json_is(json, value, VRMI_JSON_NUMBER) && vrmi_json_number(json, value, out) &&
           (*out > 9e15 || *out < -9e15 || (double)(int64_t)*out == *out);
}

static void check_index(vrmi_run *run, uint32_t value, const vrmi_schema_rule *rule, bool element)
{
    double number = 0;
    const bool whole = is_whole(run->json, value, &number);
    if (!whole || number < 0) {
        if (element || whole) {
            vrmi_reader_report_value(&run->reader, VRM_FINDING_INVALID_INDEX, value, "an index");
        } else {
            report_type(run, value, rule, element);
        }
        return;
    }
    if (rule->of == VRM_GLTF_ARRAY_COUNT) {
        return;
    }
    const uint32_t count = run->gltf->counts[rule->of];
    const int32_t index = vrmi_run_index(run, value, (vrm_gltf_array)rule->of);
    if (index >= 0) {
        run->used[rule->of][index] = 1;
        return;
    }
    char expected[48];
    vrmi_reader_report_value(&run->reader, VRM_FINDING_UNRESOLVED_REFERENCE, value,
        count == 0 ? "no index, because the array that it refers to is empty"
                   : vrmi_format(expected, sizeof(expected), "an index from 0 to %u", count - 1));
}

// Writes the words of a rule, which are separated by spaces, as "one of A, B, C".
static const char *list_words(const char *words, char *out, size_t size)
{
    vrmi_text list = {.data = out, .capacity = size};
    vrmi_text_add_string(&list, "one of ");
    for (const char *c = words; *c != '\0'; ++c) {
        vrmi_text_add(&list, *c == ' ' ? ", " : c, *c == ' ' ? 2 : 1);
    }
    return out;
}

static void check_string(vrmi_run *run, uint32_t value, const vrmi_schema_rule *rule, bool element)
{
    if (!vrmi_json_is(run->json, value, VRMI_JSON_STRING)) {
        report_type(run, value, rule, element);
    } else if (rule->words != NULL && !is_word_of(run, rule->words, value, rule->any_case)) {
        char expected[256];
        vrmi_reader_report_value(&run->reader,
            rule->any_case ? VRM_FINDING_OLD_WORD_UNKNOWN : VRM_FINDING_VALUE_NOT_IN_LIST, value,
            list_words(rule->words, expected, sizeof(expected)));
    }
}

static void check_value(vrmi_run *run, uint32_t value, const vrmi_schema_rule *rule, bool element)
{
    switch (rule->type) {
    case VRMI_SCHEMA_ANY:
        return;
    case VRMI_SCHEMA_BOOL:
        if (!vrmi_json_is(run->json, value, VRMI_JSON_TRUE) && !vrmi_json_is(run->json, value, VRMI_JSON_FALSE)) {
            report_type(run, value, rule, element);
        }
        return;
    case VRMI_SCHEMA_NUMBER:
    case VRMI_SCHEMA_INTEGER:
        check_number(run, value, rule, element);
        return;
    case VRMI_SCHEMA_INDEX:
        check_index(run, value, rule, element);
        return;
    case VRMI_SCHEMA_STRING:
        check_string(run, value, rule, element);
        return;
    case VRMI_SCHEMA_OBJECT:
        if (vrmi_json_is(run->json, value, VRMI_JSON_OBJECT)) {
            check_object(run, value, rule->object);
        } else {
            report_type(run, value, rule, element);
        }
        return;
    }
}

// --- lists and maps --------------------------------------------------------------------------------------------------

static void check_map(vrmi_run *run, uint32_t value, const vrmi_schema_rule *rule)
{
    const vrmi_json *json = run->json;
    if (!vrmi_json_is(json, value, VRMI_JSON_OBJECT)) {
        vrmi_reader_report_value(&run->reader, VRM_FINDING_TYPE_MISMATCH, value, "an object");
        return;
    }
    if (rule->not_empty && vrmi_json_count(json, value) == 0) {
        vrmi_reader_report(&run->reader, VRM_FINDING_EMPTY_ENTITY, value, NULL, "{}", NULL);
    }
    for (uint32_t key = vrmi_json_first(json, value); key != VRMI_JSON_NONE; key = vrmi_json_next(json, key)) {
        check_value(run, vrmi_json_value(json, key), rule, rule->type == VRMI_SCHEMA_INDEX);
    }
}

static void check_unique(vrmi_run *run, uint32_t list, const vrmi_schema_rule *rule)
{
    const vrmi_json *json = run->json;
    if (rule->type == VRMI_SCHEMA_STRING) {
        vrmi_hash_set names;
        vrmi_hash_set_init(&names, &run->allocator);
        for (uint32_t e = vrmi_json_first(json, list); e != VRMI_JSON_NONE; e = vrmi_json_next(json, e)) {
            const vrm_string text = vrmi_json_text(json, e);
            if (!vrmi_hash_set_add(&names, vrmi_hash_text(0, text.data, text.length))) {
                vrmi_reader_report_value(&run->reader, VRM_FINDING_DUPLICATE_ELEMENTS, e, "each once");
            }
        }
        if (names.failed) {
            vrmi_run_stop(run, VRM_ERROR_OUT_OF_MEMORY);
        }
        vrmi_hash_set_free(&names);
        return;
    }
    for (uint32_t e = vrmi_json_first(json, list); e != VRMI_JSON_NONE; e = vrmi_json_next(json, e)) {
        const int32_t index = vrmi_run_index(run, e, (vrm_gltf_array)rule->of);
        if (index >= 0 && run->seen[index] != 0) {
            vrmi_reader_report_value(&run->reader, VRM_FINDING_DUPLICATE_ELEMENTS, e, "each once");
        } else if (index >= 0) {
            run->seen[index] = 1;
        }
    }
    for (uint32_t e = vrmi_json_first(json, list); e != VRMI_JSON_NONE; e = vrmi_json_next(json, e)) {
        const int32_t index = vrmi_run_index(run, e, (vrm_gltf_array)rule->of);
        if (index >= 0) {
            run->seen[index] = 0;
        }
    }
}

static void check_list(vrmi_run *run, uint32_t value, const vrmi_schema_rule *rule)
{
    const vrmi_json *json = run->json;
    if (!vrmi_json_is(json, value, VRMI_JSON_ARRAY)) {
        vrmi_reader_report_value(&run->reader, VRM_FINDING_TYPE_MISMATCH, value, "an array");
        return;
    }
    const uint32_t count = vrmi_json_count(json, value);
    if (count == 0 && rule->absent_if_empty) {
        vrmi_reader_report(&run->reader, VRM_FINDING_VRM1_EMPTY_ARRAY, value, NULL, NULL, NULL);
    } else if (count == 0 && rule->min_items != 0) {
        vrmi_reader_report(&run->reader, VRM_FINDING_EMPTY_ENTITY, value, NULL, "[]", NULL);
    } else if (count < rule->min_items || (rule->max_items != 0 && count > rule->max_items)) {
        char found[32], expected[32];
        vrmi_reader_report(&run->reader, VRM_FINDING_ARRAY_LENGTH_NOT_IN_LIST, value, NULL,
            vrmi_format(found, sizeof(found), "%u elements", count),
            vrmi_format(expected, sizeof(expected), "%u elements",
                (uint32_t)(count < rule->min_items ? rule->min_items : rule->max_items)));
    }
    for (uint32_t e = vrmi_json_first(json, value); e != VRMI_JSON_NONE; e = vrmi_json_next(json, e)) {
        if (rule->map) {
            check_map(run, e, rule);
        } else {
            check_value(run, e, rule, true);
        }
    }
    if (rule->unique) {
        check_unique(run, value, rule);
    }
}

// Checks a top-level array of glTF, such as /nodes. Its elements are checked like single values.
static void check_top_list(vrmi_run *run, uint32_t value, const vrmi_schema_rule *rule)
{
    const vrmi_json *json = run->json;
    if (vrmi_json_count(json, value) == 0 || !vrmi_json_is(json, value, VRMI_JSON_ARRAY)) {
        check_list(run, value, rule);
        return;
    }
    for (uint32_t e = vrmi_json_first(json, value); e != VRMI_JSON_NONE; e = vrmi_json_next(json, e)) {
        check_value(run, e, rule, false);
    }
}

// --- extensions ------------------------------------------------------------------------------------------------------

static bool has_one_of(const vrmi_run *run, uint32_t object, const char *words)
{
    if (!vrmi_json_is(run->json, object, VRMI_JSON_OBJECT)) {
        return false;
    }
    for (uint32_t key = vrmi_json_first(run->json, object); key != VRMI_JSON_NONE;
         key = vrmi_json_next(run->json, key)) {
        if (is_word_of(run, words, key, false)) {
            return true;
        }
    }
    return false;
}

static const vrmi_schema_extension *find_in(
    const vrmi_run *run, const vrmi_schema_extension *table, uint32_t name, uint32_t object)
{
    for (const vrmi_schema_extension *e = table; e->name != NULL; ++e) {
        if (vrmi_json_string_equal(run->json, name, e->name)) {
            const char *later = e->object != NULL ? e->object->later : NULL;
            return later != NULL && has_one_of(run, object, later) ? NULL : e;
        }
    }
    return NULL;
}

// Finds the definition of an extension by its name and its object, which may be NONE. For a draft's file, the drafts'
// definitions are tried first. Extensions that exist only in drafts are known in every file.
static const vrmi_schema_extension *find_extension(const vrmi_run *run, uint32_t name, uint32_t object)
{
    const vrmi_schema_extension *found = run->draft ? find_in(run, vrmi_schema_draft, name, object) : NULL;
    found = found != NULL ? found : find_in(run, vrmi_schema_vrm1, name, object);
    found = found != NULL ? found : find_in(run, vrmi_schema_khr, name, object);
    found = found != NULL ? found : find_in(run, vrmi_schema_vrm0, name, object);
    return found != NULL ? found : find_in(run, vrmi_schema_draft, name, object);
}

static bool is_of_draft(const vrmi_run *run, uint32_t name)
{
    return !run->draft && find_in(run, vrmi_schema_vrm1, name, VRMI_JSON_NONE) == NULL &&
           find_in(run, vrmi_schema_draft, name, VRMI_JSON_NONE) != NULL;
}

static uint64_t name_hash(const vrmi_run *run, uint32_t string)
{
    const vrmi_json_token *token = &run->json->tokens[string];
    return vrmi_hash_text(0, run->json->text + token->start, token->end - token->start);
}

static void check_extensions(vrmi_run *run, uint32_t value, const vrmi_schema *schema)
{
    const vrmi_json *json = run->json;
    if (!vrmi_json_is(json, value, VRMI_JSON_OBJECT)) {
        vrmi_reader_report_value(&run->reader, VRM_FINDING_TYPE_MISMATCH, value, "an object");
        return;
    }
    for (uint32_t key = vrmi_json_first(json, value); key != VRMI_JSON_NONE; key = vrmi_json_next(json, key)) {
        const uint32_t object = vrmi_json_value(json, key);
        const vrmi_schema_extension *extension = find_extension(run, key, object);
        if (!vrmi_hash_set_has(&run->declared, name_hash(run, key))) {
            vrmi_reader_report(&run->reader, VRM_FINDING_UNDECLARED_EXTENSION, object, NULL, NULL, NULL);
        }
        if (!vrmi_json_is(json, object, VRMI_JSON_OBJECT)) {
            vrmi_reader_report_value(&run->reader, VRM_FINDING_TYPE_MISMATCH, object, "an object");
        } else if (extension == NULL) {
            run->unknown = true;
        } else if (strcmp(extension->on, "*") != 0 &&
                   !is_word(extension->on, schema->name, strlen(schema->name), false)) {
            vrmi_reader_report(&run->reader, VRM_FINDING_UNEXPECTED_EXTENSION_OBJECT, object, NULL, NULL, NULL);
        } else if (extension->object != NULL) {
            check_object(run, object, extension->object);
        } else {
            run->unknown = true;
        }
        if (is_of_draft(run, key)) {
            vrmi_reader_report(&run->reader, VRM_FINDING_VRM1_DRAFT_EXTENSION, object, NULL, NULL, NULL);
        }
    }
}

// Returns the first string of an array. If the array has any element that is not a string, returns NONE.
static uint32_t first_name(const vrmi_json *json, uint32_t array)
{
    if (!vrmi_json_is(json, array, VRMI_JSON_ARRAY)) {
        return VRMI_JSON_NONE;
    }
    for (uint32_t name = vrmi_json_first(json, array); name != VRMI_JSON_NONE; name = vrmi_json_next(json, name)) {
        if (!vrmi_json_is(json, name, VRMI_JSON_STRING)) {
            return VRMI_JSON_NONE;
        }
    }
    return vrmi_json_first(json, array);
}

// Reads extensionsUsed. Names that are unknown, or whose contents are not checked, are reported.
static void read_declared(vrmi_run *run)
{
    const vrmi_json *json = run->json;
    const uint32_t used = vrmi_json_member(json, 0, "extensionsUsed");
    for (uint32_t name = first_name(json, used); name != VRMI_JSON_NONE; name = vrmi_json_next(json, name)) {
        vrmi_hash_set_add(&run->declared, name_hash(run, name));
        const vrmi_schema_extension *extension = find_extension(run, name, VRMI_JSON_NONE);
        if (extension == NULL || (extension->object == NULL && extension->on[0] != '\0')) {
            vrmi_reader_report_value(&run->reader, VRM_FINDING_INCOMPLETE_EXTENSION_SUPPORT, name, NULL);
        }
    }
    if (run->declared.failed) {
        vrmi_run_stop(run, VRM_ERROR_OUT_OF_MEMORY); // otherwise declared extensions could be reported as undeclared
    }
    const uint32_t required = vrmi_json_member(json, 0, "extensionsRequired");
    for (uint32_t name = first_name(json, required); name != VRMI_JSON_NONE; name = vrmi_json_next(json, name)) {
        if (!vrmi_hash_set_has(&run->declared, name_hash(run, name))) {
            vrmi_reader_report_value(&run->reader, VRM_FINDING_UNUSED_EXTENSION_REQUIRED, name, NULL);
        }
    }
}

// --- objects ---------------------------------------------------------------------------------------------------------

static const vrmi_schema_rule *find_rule(const vrmi_run *run, const vrmi_schema *schema, uint32_t key)
{
    for (const vrmi_schema_rule *rule = schema->rules; rule->name != NULL; ++rule) {
        if (vrmi_json_string_equal(run->json, key, rule->name)) {
            return rule;
        }
    }
    return NULL;
}

static void check_member(vrmi_run *run, uint32_t object, uint32_t key, const vrmi_schema_rule *rule)
{
    const uint32_t value = vrmi_json_value(run->json, key);
    if (rule->instead != NULL && vrmi_json_is(run->json, value, VRMI_JSON_OBJECT)) {
        check_object(run, value, rule->instead);
    } else if (rule->list && object == 0 && rule->type == VRMI_SCHEMA_OBJECT) {
        check_top_list(run, value, rule);
    } else if (rule->list) {
        check_list(run, value, rule);
    } else if (rule->map) {
        check_map(run, value, rule);
    } else {
        check_value(run, value, rule, false);
    }
    if (rule->required && vrmi_json_is(run->json, value, VRMI_JSON_NULL)) {
        vrmi_reader_report(&run->reader, VRM_FINDING_UNDEFINED_PROPERTY, value, NULL, "null", NULL);
    }
    if (rule->needs != NULL && vrmi_json_member(run->json, object, rule->needs) == VRMI_JSON_NONE) {
        vrmi_reader_report(&run->reader, VRM_FINDING_UNSATISFIED_DEPENDENCY, value, NULL, NULL, rule->needs);
    }
}

static void check_one_of(vrmi_run *run, uint32_t object, const vrmi_schema *schema)
{
    uint32_t there = 0;
    for (uint32_t key = vrmi_json_first(run->json, object); key != VRMI_JSON_NONE;
         key = vrmi_json_next(run->json, key)) {
        there += is_word_of(run, schema->one_of, key, false);
    }
    if (there != 1) {
        char expected[64];
        vrmi_reader_report(&run->reader, VRM_FINDING_ONE_OF_MISMATCH, object, NULL, NULL,
            list_words(schema->one_of, expected, sizeof(expected)));
    }
}

static void check_object(vrmi_run *run, uint32_t object, const vrmi_schema *schema)
{
    const vrmi_json *json = run->json;
    uint64_t there = 0;
    for (uint32_t key = vrmi_json_first(json, object); key != VRMI_JSON_NONE; key = vrmi_json_next(json, key)) {
        const vrmi_schema_rule *rule = find_rule(run, schema, key);
        if (rule != NULL) {
            there |= (uint64_t)1 << (rule - schema->rules);
            check_member(run, object, key, rule);
        } else if (vrmi_json_string_equal(json, key, "extensions")) {
            check_extensions(run, vrmi_json_value(json, key), schema);
        } else if (!vrmi_json_string_equal(json, key, "extras")) {
            vrmi_reader_report(
                &run->reader, VRM_FINDING_UNEXPECTED_PROPERTY, vrmi_json_value(json, key), NULL, NULL, NULL);
        }
    }
    for (const vrmi_schema_rule *rule = schema->rules; rule->name != NULL; ++rule) {
        if (rule->required && (there >> (rule - schema->rules) & 1) == 0) {
            vrmi_reader_report(&run->reader, VRM_FINDING_UNDEFINED_PROPERTY, object, rule->name, NULL, NULL);
        }
    }
    if (schema->one_of != NULL) {
        check_one_of(run, object, schema);
    }
}

void vrmi_validate_schema(vrmi_run *run)
{
    read_declared(run);
    check_object(run, 0, &vrmi_schema_gltf);
}
