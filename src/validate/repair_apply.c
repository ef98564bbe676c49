// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include <string.h>

#include <vrm/avatar.h>

#include "base/text.h"
#include "format/gltf/gltf_document.h"
#include "validate/repair_part.h"

// Applies the edits of repairs. Their order ensures that no edit changes a path that a later edit uses.

static vrm_result set(vrm_gltf *gltf, const char *path, const char *text)
{
    return vrm_gltf_set_json(gltf, path, text, strlen(text));
}

static bool number_of(const char *text, double *out)
{
    return vrmi_parse_double(text, strlen(text), out) != 0;
}

// Clamps a number to a range: "LOW to HIGH", "at least LOW", "at most HIGH" or "at least LOW, at most HIGH".
static vrm_result clamp(vrm_gltf *gltf, const char *path, const char *range)
{
    static const char least[] = "at least ", most[] = "at most ", between[] = " to ";
    const char *low_text = strncmp(range, least, sizeof(least) - 1) == 0 ? range + sizeof(least) - 1 : range;
    const char *to = strstr(range, between), *end = strstr(range, most);
    double low, high, number;
    char buffer[40];
    vrmi_text out = {.data = buffer, .capacity = sizeof(buffer)};
    const bool has_low = number_of(low_text, &low);
    const bool has_high = number_of(to != NULL    ? to + sizeof(between) - 1
                                    : end != NULL ? end + sizeof(most) - 1
                                                  : "",
        &high);
    if (!vrmi_repair_number_at(gltf, path, &number) || !((has_low && number < low) || (has_high && number > high))) {
        return VRM_ERROR_NOT_FOUND;
    }
    vrmi_text_add_double(&out, has_low && number < low ? low : high);
    return out.failed ? VRM_ERROR_NOT_FOUND : set(gltf, path, buffer);
}

// Removes all elements of an array except the first `count`.
static vrm_result shorten(vrm_gltf *gltf, const char *path, const char *count)
{
    double keep;
    char element[VRMI_REPAIR_PATH];
    vrm_result result = number_of(count, &keep) ? VRM_SUCCESS : VRM_ERROR_NOT_FOUND;
    while (result == VRM_SUCCESS) {
        result = vrm_gltf_remove_json(gltf, vrmi_format(element, sizeof(element), "%s/%d", path, (int)keep));
    }
    return result == VRM_ERROR_NOT_FOUND ? VRM_SUCCESS : result;
}

// Keeps only the first of the members listed in `words`. Returns NOT_FOUND if there is none.
static vrm_result keep_one(vrm_gltf *gltf, const char *path, const char *words)
{
    bool found = false;
    char member[VRMI_REPAIR_PATH];
    vrm_string any;
    for (const char *word = words; *word != '\0';) {
        const size_t length = strcspn(word, " ");
        vrmi_format(member, sizeof(member), "%s/%.*s", path, (int)length, word);
        if (vrm_gltf_get_json(gltf, member, &any) == VRM_SUCCESS) {
            const vrm_result result = found ? vrm_gltf_remove_json(gltf, member) : VRM_SUCCESS;
            if (result != VRM_SUCCESS) {
                return result;
            }
            found = true;
        }
        word += length + (word[length] == ' ');
    }
    return found ? VRM_SUCCESS : VRM_ERROR_NOT_FOUND;
}

// --- morph targets ---------------------------------------------------------------------------------------------------

// Reads the number after `name` at `*at` and moves `*at` behind it.
static bool read_part(const char **at, const char *name, uint32_t *out)
{
    const size_t length = strlen(name);
    double number;
    if (strncmp(*at, name, length) != 0) {
        return false;
    }
    const size_t used = vrmi_parse_double(*at + length, strlen(*at + length), &number);
    *at += length + used;
    *out = used != 0 && number >= 0.0 && number < 4e9 ? (uint32_t)number : UINT32_MAX;
    return *out != UINT32_MAX;
}

static uint32_t vertices_of(const vrm_gltf *gltf, const char *path)
{
    uint32_t mesh, primitive, target;
    if (!read_part(&path, "/meshes/", &mesh) || !read_part(&path, "/primitives/", &primitive) ||
        !read_part(&path, "/targets/", &target) || mesh >= gltf->counts[VRM_GLTF_MESHES] ||
        primitive >= gltf->meshes[mesh].primitives.count) {
        return 0;
    }
    return gltf->primitives[gltf->meshes[mesh].primitives.first + primitive].vertex_count;
}

// Replaces a morph target, or one of its attributes, by a new accessor of zeros. The zeros need no bytes, because an
// accessor without a buffer view is zero.
static vrm_result make_still(vrm_gltf *gltf, const char *path)
{
    char text[160], where[32];
    vrm_string any;
    const uint32_t vertices = vertices_of(gltf, path);
    const char *last = strrchr(path, '/');
    if (vertices == 0 || last == NULL) {
        return VRM_ERROR_NOT_FOUND;
    }
    uint32_t index = gltf->counts[VRM_GLTF_ACCESSORS];
    while (vrm_gltf_get_json(gltf, vrmi_format(where, sizeof where, "/accessors/%u", index), &any) == VRM_SUCCESS) {
        ++index; // another repair has appended this accessor
    }
    vrmi_format(text, sizeof text,
        "{\"componentType\":5126,\"count\":%u,\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[0,0,0]}", vertices);
    const vrm_result result = vrm_gltf_set_json(gltf, "/accessors/-", text, strlen(text));
    const bool whole = last[1] >= '0' && last[1] <= '9';
    vrmi_format(text, sizeof text, whole ? "{\"POSITION\":%u}" : "%u", index);
    return result == VRM_SUCCESS ? vrm_gltf_set_json(gltf, path, text, strlen(text)) : result;
}

// --- steps -----------------------------------------------------------------------------------------------------------

typedef struct repair_step {
    const vrm_finding *finding;
    vrmi_part_repair part;
} repair_step;

// Compares paths part by part. Numbers are compared by value, and a path comes after those that contain it.
static int compare_paths(const repair_step *a, const repair_step *b)
{
    size_t i = 0;
    while (i < a->part.length && i < b->part.length && a->finding->path[i] == b->finding->path[i]) {
        ++i;
    }
    const char *x = a->finding->path, *y = b->finding->path;
    if (i == a->part.length || i == b->part.length) {
        return (a->part.length > b->part.length) - (a->part.length < b->part.length);
    }
    while (i > 0 && x[i - 1] >= '0' && x[i - 1] <= '9') {
        --i;
    }
    double m, n;
    if (vrmi_parse_double(x + i, a->part.length - i, &m) != 0 &&
        vrmi_parse_double(y + i, b->part.length - i, &n) != 0) {
        return (m > n) - (m < n);
    }
    return strncmp(x + i, y + i, (a->part.length < b->part.length ? a->part.length : b->part.length) - i);
}

// Sorts steps by heap sort, last path first, because removing a list element changes the indices of the elements after
// it.
static void sort_steps(repair_step *steps, uint32_t count)
{
    for (uint32_t end = count, start = count / 2; end > 1;) {
        if (start > 0) {
            --start;
        } else {
            const repair_step first = steps[0];
            steps[0] = steps[--end];
            steps[end] = first;
        }
        for (uint32_t root = start, child = 2 * start + 1; child < end; root = child, child = 2 * root + 1) {
            child += child + 1 < end && compare_paths(&steps[child], &steps[child + 1]) > 0;
            if (compare_paths(&steps[root], &steps[child]) <= 0) {
                break;
            }
            const repair_step swap = steps[root];
            steps[root] = steps[child];
            steps[child] = swap;
        }
    }
}

static vrm_result apply_part(vrm_gltf *gltf, const repair_step *step, const char *path)
{
    char element[VRMI_REPAIR_PATH];
    switch (step->part.cure) {
    case VRMI_PART_LEFT_OUT:
        return vrm_gltf_remove_json(gltf, path);
    case VRMI_PART_LEFT_OUT_NUMBERED:
        return vrmi_repair_numbered(gltf, path);
    case VRMI_PART_SET:
    case VRMI_PART_SET_WHERE_ABSENT:
        return step->part.text != NULL ? set(gltf, path, step->part.text)
                                       : set(gltf, vrmi_format(element, sizeof(element), "%s/-", path), "1");
    case VRMI_PART_UNQUOTED:
        return vrm_gltf_set_json(gltf, path, step->part.text + 1, strlen(step->part.text) - 2);
    case VRMI_PART_CLAMPED:
        return clamp(gltf, path, step->finding->expected);
    case VRMI_PART_SHORTENED:
        return shorten(gltf, path, step->part.text);
    case VRMI_PART_STILL:
        return make_still(gltf, path);
    case VRMI_PART_ONE_OF:
        return keep_one(gltf, path, step->part.text);
    default:
        return VRM_ERROR_NOT_FOUND;
    }
}
// If a shape, limit or constraint has none of the members in `text`, changes the step to remove the collider or
// extension that contains it.
static void leave_out_empty(vrm_gltf *gltf, repair_step *step)
{
    char member[VRMI_REPAIR_PATH];
    vrm_string any;
    for (const char *word = step->part.text; *word != '\0'; word += strspn(word, " ")) {
        const size_t length = strcspn(word, " ");
        vrmi_format(
            member, sizeof(member), "%.*s/%.*s", (int)step->part.length, step->finding->path, (int)length, word);
        if (vrm_gltf_get_json(gltf, member, &any) == VRM_SUCCESS) {
            return;
        }
        word += length;
    }
    while (step->part.length > 0 && step->finding->path[--step->part.length] != '/') {
    }
    const char last = step->part.length > 0 ? step->finding->path[step->part.length - 1] : '/';
    step->part.cure = last >= '0' && last <= '9' ? VRMI_PART_LEFT_OUT_NUMBERED : VRMI_PART_LEFT_OUT;
}

static bool is_done(vrm_result result, uint32_t *count)
{
    *count += result == VRM_SUCCESS;
    return result == VRM_ERROR_OUT_OF_MEMORY || result == VRM_ERROR_LIMIT;
}

// Applies the steps that remove list elements and renumber references (`numbered`), or all other steps. Each path is
// used once.
static vrm_result apply_steps(
    vrm_gltf *gltf, const repair_step *steps, uint32_t step_count, bool numbered, uint32_t *count)
{
    char path[VRMI_REPAIR_PATH];
    for (uint32_t i = 0; i < step_count; ++i) {
        const repair_step *step = &steps[i];
        const size_t length = step->part.length;
        if ((step->part.cure == VRMI_PART_LEFT_OUT_NUMBERED) != numbered || length >= sizeof(path) ||
            (i > 0 && steps[i - 1].part.length == length && steps[i - 1].part.cure == step->part.cure &&
                memcmp(steps[i - 1].finding->path, step->finding->path, length) == 0)) {
            continue;
        }
        memcpy(path, step->finding->path, length);
        path[length] = '\0';
        const vrm_result result = apply_part(gltf, step, path);
        if (is_done(result, count)) {
            return result;
        }
    }
    return VRM_SUCCESS;
}

// Replaces springs by those that loading makes of them, last spring first. Joints must have the same indices as when
// `avatar` was loaded.
static vrm_result apply_springs(vrm_gltf *gltf, const repair_step *steps, uint32_t step_count, uint32_t *count)
{
    static const char springs[] = "/extensions/VRMC_springBone/springs/";
    vrm_avatar_def def;
    vrm_avatar *avatar = NULL;
    vrm_avatar_def_default(&def);
    def.allocator = gltf->allocator;
    def.limits = gltf->limits;
    vrm_result result = vrm_avatar_import(&def, gltf, NULL, &avatar);
    double last = -1;
    for (uint32_t i = 0; i < step_count && result == VRM_SUCCESS; ++i) {
        const char *path = steps[i].finding->path;
        double spring;
        if (strncmp(path, springs, sizeof(springs) - 1) == 0 && number_of(path + sizeof(springs) - 1, &spring) &&
            spring != last) {
            const vrm_result done = vrmi_repair_spring(gltf, avatar, (uint32_t)spring);
            result = is_done(done, count) ? done : VRM_SUCCESS;
            last = spring;
        }
    }
    vrm_avatar_release(avatar);
    return result == VRM_ERROR_OUT_OF_MEMORY || result == VRM_ERROR_LIMIT ? result : VRM_SUCCESS;
}

// Springs are replaced only if nothing else in VRMC_springBone needs repair. List elements whose removal renumbers
// references are removed last.
vrm_result vrmi_repair_parts(vrm_gltf *gltf, const vrm_report *report, uint32_t *count)
{
    vrmi_array steps = {.item_size = sizeof(repair_step)}, springs = {.item_size = sizeof(repair_step)};
    vrm_result result = VRM_SUCCESS;
    bool in_springs = false;
    for (uint32_t i = 0; i < vrm_report_get_count(report) && result == VRM_SUCCESS; ++i) {
        const vrm_finding *finding = vrm_report_get_finding(report, i);
        repair_step step = {finding, vrmi_find_part_repair(finding)};
        if (step.part.cure == VRMI_PART_KEPT) {
            continue;
        }
        if (step.part.cure == VRMI_PART_ONE_OF) {
            leave_out_empty(gltf, &step);
        }
        const bool is_spring = step.part.cure == VRMI_PART_SPRING;
        in_springs = in_springs || (!is_spring && strncmp(finding->path, "/extensions/VRMC_springBone/", 28) == 0);
        repair_step *row = vrmi_array_push(is_spring ? &springs : &steps, &gltf->allocator);
        if (row == NULL) {
            result = VRM_ERROR_OUT_OF_MEMORY;
        } else {
            *row = step;
        }
    }
    sort_steps(steps.items, steps.count);
    sort_steps(springs.items, springs.count);
    if (result == VRM_SUCCESS && springs.count != 0 && !in_springs) {
        result = apply_springs(gltf, springs.items, springs.count, count);
    }
    result = result == VRM_SUCCESS ? apply_steps(gltf, steps.items, steps.count, false, count) : result;
    result = result == VRM_SUCCESS ? apply_steps(gltf, steps.items, steps.count, true, count) : result;
    vrmi_array_free(&steps, &gltf->allocator);
    vrmi_array_free(&springs, &gltf->allocator);
    return result;
}
