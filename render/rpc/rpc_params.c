// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "rpc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool rpc_fail(rpc_call *call, int code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vrmi_format_list(call->message, sizeof call->message, format, &arguments);
    va_end(arguments);
    call->code = code;
    return false;
}

bool rpc_fail_memory(rpc_call *call)
{
    return rpc_fail(call, RPC_INTERNAL, "%s", vrm_result_sentence(VRM_ERROR_OUT_OF_MEMORY));
}

void rpc_fail_data(rpc_call *call, const char *name, const char *text)
{
    vrmi_text_add_string(&call->data, text);
    if (call->data.failed) {
        (void)rpc_fail_memory(call);
    } else {
        call->data_name = name;
    }
}

// --- checking --------------------------------------------------------------------------------------------------------

static bool is_finite_number(const vrmi_json *json, uint32_t value)
{
    double number = 0.0;
    return vrmi_json_number(json, value, &number) && isfinite((float)number);
}

static bool is_vector(const vrmi_json *json, uint32_t value)
{
    if (!vrmi_json_is(json, value, VRMI_JSON_ARRAY) || vrmi_json_count(json, value) != 3) {
        return false;
    }
    for (uint32_t i = 0; i < 3; ++i) {
        if (!is_finite_number(json, vrmi_json_element(json, value, i))) {
            return false;
        }
    }
    return true;
}

static char small(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

// Returns the index of the text in a list of words, compared without case; -1 if it is not in the list.
static int find_word(const char *words, const char *text)
{
    const size_t length = strlen(text);
    for (int index = 0; *words != '\0'; ++index) {
        const size_t size = strcspn(words, " ");
        bool same = size == length;
        for (size_t i = 0; same && i < size; ++i) {
            same = small(words[i]) == small(text[i]);
        }
        if (same) {
            return index;
        }
        words += size + (words[size] == ' ');
    }
    return -1;
}

static int word_of(const vrmi_json *json, uint32_t value, const char *words)
{
    char text[48];
    return vrmi_json_unescape(json, value, text, sizeof text) < sizeof text ? find_word(words, text) : -1;
}

static const char *wanted(const rpc_parameter *p)
{
    static const char *const names[] = {
        "a string", "a number", "an integer from 0", "a boolean", "an array of three numbers", "an object"};
    return names[p->type];
}

static bool fits(const vrmi_json *json, uint32_t value, const rpc_parameter *p)
{
    uint32_t number;
    switch (p->type) {
    case RPC_STRING:
        return vrmi_json_is(json, value, VRMI_JSON_STRING);
    case RPC_NUMBER:
        return is_finite_number(json, value);
    case RPC_UINT:
        return vrmi_json_uint(json, value, &number);
    case RPC_BOOL:
        return vrmi_json_is(json, value, VRMI_JSON_TRUE) || vrmi_json_is(json, value, VRMI_JSON_FALSE);
    case RPC_VEC3:
        return is_vector(json, value);
    default:
        return vrmi_json_is(json, value, VRMI_JSON_OBJECT);
    }
}

static uint32_t member(const rpc_call *call, uint32_t object, const char *name)
{
    const uint32_t value = vrmi_json_member(call->json, object, name);
    return vrmi_json_is(call->json, value, VRMI_JSON_NULL) ? VRMI_JSON_NONE : value;
}

bool rpc_check(rpc_call *call, const rpc_parameter *parameters, uint32_t object, const char *where)
{
    for (uint32_t i = 0; i < RPC_MAX_PARAMETERS && parameters[i].name != NULL; ++i) {
        const rpc_parameter *p = &parameters[i];
        const uint32_t value = member(call, object, p->name);
        if (value == VRMI_JSON_NONE) {
            if (p->required) {
                return rpc_fail(call, RPC_PARAMS, "%s%s is missing: expected %s", where, p->name, wanted(p));
            }
            continue;
        }
        char found[64];
        if (!fits(call->json, value, p)) {
            return rpc_fail(call, RPC_PARAMS, "%s%s is %s: expected %s", where, p->name,
                vrmi_json_excerpt(call->json, value, found, sizeof found), wanted(p));
        }
        if (p->type == RPC_STRING && p->words != NULL && word_of(call->json, value, p->words) < 0) {
            return rpc_fail(call, RPC_PARAMS, "%s%s is %s: expected one of %s", where, p->name,
                vrmi_json_excerpt(call->json, value, found, sizeof found), p->words);
        }
    }
    return true;
}

// --- reading ---------------------------------------------------------------------------------------------------------

bool rpc_has(const rpc_call *call, uint32_t object, const char *name)
{
    return member(call, object, name) != VRMI_JSON_NONE;
}

double rpc_number(const rpc_call *call, uint32_t object, const char *name, double without)
{
    double value = without;
    (void)vrmi_json_number(call->json, member(call, object, name), &value);
    return value;
}

uint32_t rpc_uint(const rpc_call *call, uint32_t object, const char *name, uint32_t without)
{
    uint32_t value = without;
    (void)vrmi_json_uint(call->json, member(call, object, name), &value);
    return value;
}

bool rpc_flag(const rpc_call *call, uint32_t object, const char *name, bool without)
{
    const uint32_t value = member(call, object, name);
    return value == VRMI_JSON_NONE ? without : vrmi_json_is(call->json, value, VRMI_JSON_TRUE);
}

void rpc_vector(const rpc_call *call, uint32_t object, const char *name, double out[3])
{
    const uint32_t value = member(call, object, name);
    for (uint32_t i = 0; i < 3 && value != VRMI_JSON_NONE; ++i) {
        (void)vrmi_json_number(call->json, vrmi_json_element(call->json, value, i), &out[i]);
    }
}

int rpc_word(const rpc_call *call, uint32_t object, const char *name, const char *words, int without)
{
    const uint32_t value = member(call, object, name);
    return value == VRMI_JSON_NONE ? without : word_of(call->json, value, words);
}

char *rpc_text(rpc_call *call, uint32_t object, const char *name)
{
    const uint32_t value = member(call, object, name);
    const size_t length = vrmi_json_unescape(call->json, value, NULL, 0);
    char *text = malloc(length + 1);
    if (text == NULL) {
        rpc_fail_memory(call);
        return NULL;
    }
    (void)vrmi_json_unescape(call->json, value, text, length + 1);
    if (length == 0 || strlen(text) != length) {
        free(text);
        rpc_fail(call, RPC_PARAMS, "%s is empty or contains a zero byte", name);
        return NULL;
    }
    return text;
}
