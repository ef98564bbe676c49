// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include <vrm/validate.h>

#include <string.h>

#include "base/checks.h"
#include "base/text.h"
#include "math/scalar.h"
#include "validate/repair_part.h"

// Repairs that have only one possible result: the value that readers use anyway, or one that the file's own bytes show.
// Nothing is guessed. A repair is a lossless edit at a finding's path, so the file keeps its dialect.

typedef enum repair_kind {
    REMOVE,        // removes the value at the path
    REMOVE_BINDS,  // removes an optional list
    REMOVE_TRS,    // removes translation, rotation and scale beside a matrix
    SET_EXPECTED,  // sets the expected number
    SET_MIME_TYPE, // sets the expected word
    SET_FALSE,
    SET_AUTO,      // sets the type of a first-person annotation
    SET_UNIT,      // normalises the vector at the path
    SET_VERSION,   // sets the version of an extension other than VRMC_vrm
    CLAMP_DEGREES, // clamps to 0 to 180
    CLAMP_WHOLE,   // clamps to an integer range; `expected` is "LOW to HIGH"
    DECLARE        // declares the extension at the end of the path
} repair_kind;

static const struct {
    vrm_finding_id id;
    repair_kind kind;
} repairs[] = {
    {VRM_FINDING_UNDECLARED_EXTENSION, DECLARE},
    {VRM_FINDING_VRM1_EMPTY_ARRAY, REMOVE_BINDS},
    {VRM_FINDING_SCENE_NON_ROOT_NODE, REMOVE},
    {VRM_FINDING_SKIN_SKELETON_INVALID, REMOVE},
    {VRM_FINDING_VRM1_OVERRIDE_OWN_KIND, REMOVE},
    {VRM_FINDING_NODE_MATRIX_TRS, REMOVE_TRS},
    {VRM_FINDING_ACCESSOR_MIN_MISMATCH, SET_EXPECTED},
    {VRM_FINDING_ACCESSOR_MAX_MISMATCH, SET_EXPECTED},
    {VRM_FINDING_ACCESSOR_NORMALIZED_INVALID, SET_FALSE},
    {VRM_FINDING_IMAGE_MIME_TYPE_INVALID, SET_MIME_TYPE},
    {VRM_FINDING_ROTATION_NON_UNIT, SET_UNIT},
    {VRM_FINDING_VRM1_COLLIDER_PLANE_NORMAL, SET_UNIT},
    {VRM_FINDING_VRM1_LOOK_AT_RANGE, CLAMP_DEGREES},
    {VRM_FINDING_VRM1_FIRST_PERSON_DEFAULT, SET_AUTO},
    {VRM_FINDING_VRM1_SPEC_VERSION, SET_VERSION},
    {VRM_FINDING_VRM1_RENDER_QUEUE_OFFSET, CLAMP_WHOLE},
};

// --- single repairs --------------------------------------------------------------------------------------------------

static vrm_result set(vrm_gltf *gltf, const char *path, const char *text)
{
    return vrm_gltf_set_json(gltf, path, text, strlen(text));
}

// Normalises a vector of three or four numbers. Returns NOT_FOUND for anything else and for a zero vector.
static vrm_result set_unit(vrm_gltf *gltf, const char *path)
{
    vrm_string text;
    double v[4], sum = 0;
    uint32_t count = 0;
    if (vrm_gltf_get_json(gltf, path, &text) != VRM_SUCCESS) {
        return VRM_ERROR_NOT_FOUND;
    }
    for (size_t at = 0; at < text.length && count < 4;) {
        const size_t used = vrmi_parse_double(text.data + at, text.length - at, &v[count]);
        sum += used != 0 ? v[count] * v[count] : 0;
        count += used != 0;
        at += used != 0 ? used : 1;
    }
    const double length = (double)vrmi_sqrt((float)sum);
    if (count < 3 || !(length > 1e-6 && length < 1e18)) {
        return VRM_ERROR_NOT_FOUND;
    }
    char buffer[160];
    vrmi_text out = {.data = buffer, .capacity = sizeof(buffer)};
    for (uint32_t i = 0; i < count; ++i) {
        vrmi_text_add_string(&out, i == 0 ? "[" : ",");
        vrmi_text_add_float(&out, (float)(v[i] / length));
    }
    vrmi_text_add_string(&out, "]");
    return out.failed ? VRM_ERROR_NOT_FOUND : set(gltf, path, buffer);
}

// Sets the specVersion of an extension to 1.0, as readers assume for any version. For VRMC_vrm this would be a guess,
// because there the version decides how the rest is read.
static vrm_result set_version(vrm_gltf *gltf, const char *path)
{
    static const char before[] = "/extensions/VRMC_vrm", end[] = "/specVersion";
    const size_t length = strlen(path), size = sizeof(end) - 1;
    return length > size && strcmp(path + length - size, end) == 0 && strncmp(path, before, sizeof(before) - 1) != 0
               ? set(gltf, path, "\"1.0\"")
               : VRM_ERROR_NOT_FOUND;
}

// Clamps and truncates a number as loading does.
static vrm_result clamp_whole(vrm_gltf *gltf, const char *path, const char *range)
{
    static const char between[] = " to ";
    double number, low, high;
    char buffer[32];
    const size_t used = vrmi_parse_double(range, strlen(range), &low);
    if (used == 0 || strncmp(range + used, between, sizeof(between) - 1) != 0) {
        return VRM_ERROR_NOT_FOUND;
    }
    const char *rest = range + used + sizeof(between) - 1;
    if (vrmi_parse_double(rest, strlen(rest), &high) == 0 || !vrmi_repair_number_at(gltf, path, &number)) {
        return VRM_ERROR_NOT_FOUND;
    }
    const int allowed = (int)(number < low ? low : number > high ? high : number);
    return set(gltf, path, vrmi_format(buffer, sizeof(buffer), "%d", allowed));
}

static vrm_result clamp_degrees(vrm_gltf *gltf, const char *path)
{
    double number;
    if (!vrmi_repair_number_at(gltf, path, &number)) {
        return VRM_ERROR_NOT_FOUND;
    }
    return number >= 0 && number <= 180 ? VRM_ERROR_NOT_FOUND : set(gltf, path, number < 0 ? "0" : "180");
}

static vrm_result set_word(vrm_gltf *gltf, const char *path, const char *word)
{
    char buffer[64];
    return strlen(word) + 3 > sizeof(buffer) ? VRM_ERROR_NOT_FOUND
                                             : set(gltf, path, vrmi_format(buffer, sizeof(buffer), "\"%s\"", word));
}

static vrm_result remove_trs(vrm_gltf *gltf, const char *path)
{
    static const char *const members[] = {"translation", "rotation", "scale"};
    char member[VRMI_REPAIR_PATH];
    for (size_t i = 0; i < VRMI_COUNT_OF(members); ++i) {
        const vrm_result result =
            vrm_gltf_remove_json(gltf, vrmi_format(member, sizeof(member), "%s/%s", path, members[i]));
        if (result != VRM_SUCCESS && result != VRM_ERROR_NOT_FOUND) {
            return result;
        }
    }
    return VRM_SUCCESS;
}

// Adds the name after ".../extensions/" to extensionsUsed unless it is already listed.
static vrm_result declare(vrm_gltf *gltf, const char *path)
{
    static const char before[] = "/extensions/";
    const char *name = strrchr(path, '/');
    char quoted[128];
    vrm_string used;
    if (name == NULL || (size_t)(name - path) < sizeof(before) - 2 || strlen(name) + 3 > sizeof(quoted) ||
        memcmp(name - (sizeof(before) - 2), before, sizeof(before) - 2) != 0 || strchr(name, '~') != NULL) {
        return VRM_ERROR_NOT_FOUND;
    }
    vrmi_format(quoted, sizeof(quoted), "\"%s\"", name + 1);
    if (vrm_gltf_get_json(gltf, "/extensionsUsed", &used) != VRM_SUCCESS) {
        const vrm_result result = set(gltf, "/extensionsUsed", "[]");
        return result == VRM_SUCCESS ? set(gltf, "/extensionsUsed/-", quoted) : result;
    }
    for (size_t at = 0; at + strlen(quoted) <= used.length; ++at) {
        if (memcmp(used.data + at, quoted, strlen(quoted)) == 0) {
            return VRM_SUCCESS;
        }
    }
    return set(gltf, "/extensionsUsed/-", quoted);
}

// Copies a path without its last part to `out`. Returns false if there is no such part.
static bool owner_of(const char *path, char *out, size_t size)
{
    const char *last = strrchr(path, '/');
    if (last == NULL || (size_t)(last - path) >= size) {
        return false;
    }
    memcpy(out, path, (size_t)(last - path));
    out[last - path] = '\0';
    return true;
}

static vrm_result remove_binds(vrm_gltf *gltf, const char *path)
{
    static const char *const lists[] = {"morphTargetBinds", "materialColorBinds", "textureTransformBinds",
        "meshAnnotations", "colliderGroups", "springs", "references"};
    const char *last = strrchr(path, '/');
    for (size_t i = 0; i < VRMI_COUNT_OF(lists) && last != NULL; ++i) {
        if (strcmp(last + 1, lists[i]) == 0) {
            return vrm_gltf_remove_json(gltf, path);
        }
    }
    return VRM_ERROR_NOT_FOUND;
}

// Sets the type of an annotation to its older firstPersonFlag, or to "auto" if it has none.
static vrm_result set_first_person(vrm_gltf *gltf, const char *path)
{
    char flag[VRMI_REPAIR_PATH];
    vrm_string text;
    if (!owner_of(path, flag, sizeof(flag) - 20)) {
        return VRM_ERROR_NOT_FOUND;
    }
    vrmi_format(flag + strlen(flag), 20, "/firstPersonFlag");
    if (vrm_gltf_get_json(gltf, flag, &text) != VRM_SUCCESS) {
        return set(gltf, path, "\"auto\"");
    }
    char word[40];
    if (text.length >= sizeof(word)) {
        return VRM_ERROR_NOT_FOUND;
    }
    memcpy(word, text.data, text.length); // `text` is valid only until the next edit
    const vrm_result result = vrm_gltf_set_json(gltf, path, word, text.length);
    return result == VRM_SUCCESS ? vrm_gltf_remove_json(gltf, flag) : result;
}

static vrm_result apply(vrm_gltf *gltf, repair_kind kind, const vrm_finding *finding)
{
    switch (kind) {
    case REMOVE:
        return vrm_gltf_remove_json(gltf, finding->path);
    case REMOVE_BINDS:
        return remove_binds(gltf, finding->path);
    case REMOVE_TRS:
        return remove_trs(gltf, finding->path);
    case SET_EXPECTED:
        return finding->expected[0] != '\0' ? set(gltf, finding->path, finding->expected) : VRM_ERROR_NOT_FOUND;
    case SET_MIME_TYPE:
        return set_word(gltf, finding->path, finding->expected);
    case SET_FALSE:
        return set(gltf, finding->path, "false");
    case SET_AUTO:
        return set_first_person(gltf, finding->path);
    case SET_UNIT:
        return set_unit(gltf, finding->path);
    case SET_VERSION:
        return set_version(gltf, finding->path);
    case CLAMP_WHOLE:
        return clamp_whole(gltf, finding->path, finding->expected);
    case CLAMP_DEGREES:
        return clamp_degrees(gltf, finding->path);
    default:
        return declare(gltf, finding->path);
    }
}

vrm_result vrm_validate_repair(vrm_gltf *gltf, const vrm_report *report, uint32_t *out_count)
{
    uint32_t count = 0;
    if (!VRM_ASSERT(gltf != NULL && report != NULL)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    // Repairs from last to first, because removing a list element changes the indices of the elements after it.
    for (uint32_t i = vrm_report_get_count(report); i-- > 0;) {
        const vrm_finding *finding = vrm_report_get_finding(report, i);
        for (size_t r = 0; r < VRMI_COUNT_OF(repairs); ++r) {
            if (repairs[r].id != finding->id) {
                continue;
            }
            const vrm_result result = apply(gltf, repairs[r].kind, finding);
            if (result == VRM_ERROR_OUT_OF_MEMORY || result == VRM_ERROR_LIMIT) {
                return result;
            }
            count += result == VRM_SUCCESS;
        }
    }
    const vrm_result result = vrmi_repair_parts(gltf, report, &count);
    if (result != VRM_SUCCESS) {
        return result;
    }
    if (out_count != NULL) {
        *out_count = count;
    }
    return VRM_SUCCESS;
}
