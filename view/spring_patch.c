// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "spring_patch.h"

#include <string.h>

#include "base/text.h"
#include "platform.h"

static bool differs(const vrm_spring_joint_params *a, const vrm_spring_joint_params *b)
{
    return a->hit_radius != b->hit_radius || a->stiffness != b->stiffness || a->gravity_power != b->gravity_power ||
           a->drag_force != b->drag_force || a->gravity_dir.x != b->gravity_dir.x ||
           a->gravity_dir.y != b->gravity_dir.y || a->gravity_dir.z != b->gravity_dir.z;
}

static bool changed_joint(const figure *f, uint32_t joint, vrm_spring_joint *out_file, vrm_spring_joint_params *out_now)
{
    return vrm_avatar_get_spring_joint(f->avatar, joint, out_file) == VRM_SUCCESS &&
           vrm_instance_get_spring_joint(f->instance, joint, out_now) == VRM_SUCCESS &&
           differs(&out_file->params, out_now);
}

uint32_t spring_patch_count(const figure *f)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < f->counts.spring_joints; ++i) {
        vrm_spring_joint file = {.struct_size = sizeof file};
        vrm_spring_joint_params now;
        count += changed_joint(f, i, &file, &now);
    }
    return count;
}

void spring_patch_revert(figure *f)
{
    for (uint32_t i = 0; i < f->counts.spring_joints; ++i) {
        vrm_spring_joint file = {.struct_size = sizeof file};
        if (vrm_avatar_get_spring_joint(f->avatar, i, &file) == VRM_SUCCESS) {
            (void)vrm_instance_set_spring_joint(f->instance, i, &file.params);
        }
    }
}

// --- changes ---------------------------------------------------------------------------------------------------------

// Receives a member of a joint, as its name and its value in JSON. Called for each member that differs from the file.
typedef bool change_fn(const char *pointer, const char *json, void *user);

static bool each_member(const vrm_spring_joint *file, const vrm_spring_joint_params *now, change_fn *each, void *user)
{
    char pointer[128], json[96];
    const struct {
        const char *name;
        float was, is;
    } members[] = {{"hitRadius", file->params.hit_radius, now->hit_radius},
        {"stiffness", file->params.stiffness, now->stiffness},
        {"gravityPower", file->params.gravity_power, now->gravity_power},
        {"dragForce", file->params.drag_force, now->drag_force}};
    static const char base[] = "/extensions/VRMC_springBone/springs/%u/joints/%u/%s";
    for (size_t i = 0; i < sizeof members / sizeof members[0]; ++i) {
        if (members[i].was == members[i].is) {
            continue;
        }
        vrmi_text value;
        vrmi_text_init(&value, NULL);
        vrmi_text_add_float(&value, members[i].is);
        vrmi_format(json, sizeof json, "%s", value.data != NULL ? value.data : "");
        vrmi_text_free(&value);
        vrmi_format(pointer, sizeof pointer, base, file->spring, file->joint, members[i].name);
        if (!each(pointer, json, user)) {
            return false;
        }
    }
    const vrm_vec3 *a = &file->params.gravity_dir, *b = &now->gravity_dir;
    if (a->x == b->x && a->y == b->y && a->z == b->z) {
        return true;
    }
    vrmi_format(json, sizeof json, "[%g, %g, %g]", (double)b->x, (double)b->y, (double)b->z);
    vrmi_format(pointer, sizeof pointer, base, file->spring, file->joint, "gravityDir");
    return each(pointer, json, user);
}

static bool each_change(const figure *f, change_fn *each, void *user)
{
    for (uint32_t i = 0; i < f->counts.spring_joints; ++i) {
        vrm_spring_joint file = {.struct_size = sizeof file};
        vrm_spring_joint_params now;
        if (changed_joint(f, i, &file, &now) && !each_member(&file, &now, each, user)) {
            return false;
        }
    }
    return true;
}

// Returns false, with a message, if the changes cannot be written. Older dialects have one set of parameters for a
// whole group of hair, and none for a single joint.
static bool can_write(const figure *f, const char *path, char message[FIGURE_MESSAGE])
{
    vrm_string springs;
    if (vrm_gltf_get_json(f->gltf, "/extensions/VRMC_springBone/springs", &springs) != VRM_SUCCESS) {
        vrmi_format(message, FIGURE_MESSAGE,
            "%s: VRM %s has no values for single joints; convert the file to VRM 1.0 first", f->name,
            vrm_avatar_get_dialect(f->avatar));
        return false;
    }
    if (path[0] == '\0') {
        vrmi_format(message, FIGURE_MESSAGE, "enter a name for the new file");
        return false;
    }
    if (cli_platform_path_kind(path, true) != CLI_PATH_MISSING) {
        vrmi_format(message, FIGURE_MESSAGE, "%s: exists already and is not overwritten", path);
        return false;
    }
    return true;
}

static bool write_file(const char *path, const void *bytes, size_t size, uint32_t joints, char message[FIGURE_MESSAGE])
{
    const vrm_result result = vrm_write_file(path, bytes, size);
    if (result != VRM_SUCCESS) {
        vrmi_format(message, FIGURE_MESSAGE, "%s: %s", path, vrm_result_sentence(result));
        return false;
    }
    vrmi_format(message, FIGURE_MESSAGE, "wrote %s: %u joint%s changed", path, joints, joints == 1 ? "" : "s");
    return true;
}

// --- patch ---------------------------------------------------------------------------------------------------------

static bool add_operation(const char *pointer, const char *json, void *user)
{
    vrmi_text *out = user;
    // "add" also replaces an existing member, and works if the file omits it.
    vrmi_text_format(
        out, "%s\n  {\"op\": \"add\", \"path\": \"%s\", \"value\": %s}", out->size > 1 ? "," : "", pointer, json);
    return true;
}

bool spring_patch_write(const figure *f, const char *path, char message[FIGURE_MESSAGE])
{
    if (!can_write(f, path, message)) {
        return false;
    }
    vrmi_text text;
    vrmi_text_init(&text, NULL);
    vrmi_text_add_string(&text, "[");
    (void)each_change(f, add_operation, &text);
    vrmi_text_add_string(&text, "\n]\n");
    if (text.failed) {
        vrmi_format(message, FIGURE_MESSAGE, "%s", vrm_result_sentence(VRM_ERROR_OUT_OF_MEMORY));
    }
    const bool good = !text.failed && write_file(path, text.data, text.size, spring_patch_count(f), message);
    vrmi_text_free(&text);
    return good;
}

// --- copy ----------------------------------------------------------------------------------------------------------

static bool apply_change(const char *pointer, const char *json, void *user)
{
    return vrm_gltf_set_json(user, pointer, json, strlen(json)) == VRM_SUCCESS;
}

bool spring_patch_save_as(const figure *f, const char *path, char message[FIGURE_MESSAGE])
{
    if (!can_write(f, path, message)) {
        return false;
    }
    // The changes are made in a separate document; the displayed one stays as loaded.
    vrm_gltf *copy = NULL;
    vrm_bytes bytes = {0};
    vrm_result result = vrm_gltf_load_file(NULL, f->path, NULL, &copy);
    result = result == VRM_SUCCESS && !each_change(f, apply_change, copy) ? VRM_ERROR_INVALID_ASSET : result;
    result = result == VRM_SUCCESS ? vrm_gltf_save(copy, &bytes) : result;
    vrm_gltf_destroy(copy);
    if (result != VRM_SUCCESS) {
        vrmi_format(message, FIGURE_MESSAGE, "%s: %s", f->path, vrm_result_sentence(result));
        return false;
    }
    const bool good = write_file(path, bytes.data, bytes.size, spring_patch_count(f), message);
    vrm_bytes_free(&bytes);
    return good;
}
