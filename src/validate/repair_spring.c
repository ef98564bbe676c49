// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include <string.h>

#include <vrm/avatar.h>
#include <vrm/gltf.h>

#include "base/text.h"
#include "validate/repair_part.h"

// Repairs of springs that change more than one value.

enum { PATH_SIZE = 256 };

#define SPRINGS "/extensions/VRMC_springBone/springs"

static vrm_result set(vrm_gltf *gltf, const char *path, const char *text)
{
    return vrm_gltf_set_json(gltf, path, text, strlen(text));
}

// --- renumbering -----------------------------------------------------------------------------------------------------

// Removes the index `gone` from an array of indices, and decrements higher ones.
static vrm_result renumber(vrm_gltf *gltf, const char *path, double gone)
{
    char element[PATH_SIZE], text[32];
    for (uint32_t i = 0;;) {
        double number = 0;
        vrm_string any;
        vrmi_format(element, sizeof(element), "%s/%u", path, i);
        if (vrm_gltf_get_json(gltf, element, &any) != VRM_SUCCESS) {
            return VRM_SUCCESS;
        }
        vrm_result result = VRM_SUCCESS;
        if (!vrmi_repair_number_at(gltf, element, &number) || number < gone) {
            ++i;
        } else if (number == gone) {
            result = vrm_gltf_remove_json(gltf, element);
        } else {
            result = set(gltf, element, vrmi_format(text, sizeof(text), "%g", number - 1.0));
            ++i;
        }
        if (result != VRM_SUCCESS) {
            return result;
        }
    }
}

// Arrays of spring data and the references to their elements: `list`[i].`member` has indices into `array`.
static const struct {
    const char *array, *list, *member;
} references[] = {
    {"/extensions/VRMC_springBone/colliders", "/extensions/VRMC_springBone/colliderGroups", "colliders"},
    {"/extensions/VRMC_springBone/colliderGroups", SPRINGS, "colliderGroups"},
    {"/extensions/VRM/secondaryAnimation/colliderGroups", "/extensions/VRM/secondaryAnimation/boneGroups",
        "colliderGroups"},
};

vrm_result vrmi_repair_numbered(vrm_gltf *gltf, const char *path)
{
    for (size_t r = 0; r < sizeof(references) / sizeof(references[0]); ++r) {
        const size_t length = strlen(references[r].array);
        double gone = 0;
        if (strncmp(path, references[r].array, length) != 0 || path[length] != '/' ||
            vrmi_parse_double(path + length + 1, strlen(path + length + 1), &gone) != strlen(path + length + 1)) {
            continue;
        }
        vrm_result result = vrm_gltf_remove_json(gltf, path);
        char owner[PATH_SIZE], list[PATH_SIZE];
        vrm_string any;
        for (uint32_t i = 0; result == VRM_SUCCESS; ++i) {
            vrmi_format(owner, sizeof(owner), "%s/%u", references[r].list, i);
            if (vrm_gltf_get_json(gltf, owner, &any) != VRM_SUCCESS) {
                break;
            }
            result = renumber(gltf, vrmi_format(list, sizeof(list), "%s/%s", owner, references[r].member), gone);
        }
        return result;
    }
    return VRM_ERROR_NOT_FOUND;
}

// --- springs as they are loaded --------------------------------------------------------------------------------------

static void add_joint(vrm_gltf *gltf, vrmi_text *out, uint32_t spring, uint32_t joint)
{
    char path[PATH_SIZE];
    vrm_string text;
    vrmi_format(path, sizeof(path), SPRINGS "/%u/joints/%u", spring, joint);
    if (vrm_gltf_get_json(gltf, path, &text) == VRM_SUCCESS) {
        vrmi_text_add_string(out, out->size > 1 ? "," : "");
        vrmi_text_add(out, text.data, text.length);
    } else {
        out->failed = true;
    }
}

// Returns the first joint after `after` that is on the node; UINT32_MAX if there is none.
static uint32_t joint_on(vrm_gltf *gltf, uint32_t spring, uint32_t after, uint32_t gltf_node)
{
    for (uint32_t joint = after + 1;; ++joint) {
        char path[PATH_SIZE];
        vrm_string any;
        double node = 0;
        vrmi_format(path, sizeof(path), SPRINGS "/%u/joints/%u", spring, joint);
        if (vrm_gltf_get_json(gltf, path, &any) != VRM_SUCCESS) {
            return UINT32_MAX;
        }
        vrmi_format(path, sizeof(path), SPRINGS "/%u/joints/%u/node", spring, joint);
        if (vrmi_repair_number_at(gltf, path, &node) && node == (double)gltf_node) {
            return joint;
        }
    }
}

// Writes the joints of a chain as a JSON array, including the tail.
static void write_joints(vrm_gltf *gltf, const vrm_avatar *avatar, const vrm_spring_chain *chain, vrmi_text *out)
{
    vrm_spring_joint joint = {.struct_size = sizeof(joint)};
    vrmi_text_add_string(out, "[");
    for (uint32_t i = 0; i < chain->joint_count; ++i) {
        vrm_avatar_get_spring_joint(avatar, chain->first_joint + i, &joint);
        add_joint(gltf, out, chain->spring, joint.joint);
    }
    vrm_node tail = {.struct_size = sizeof(tail)};
    if (joint.tail_node < 0) {
        out->failed = true; // the tail has no node: the springs of early drafts have no joints
        return;
    }
    vrm_avatar_get_node(avatar, (uint32_t)joint.tail_node, &tail);
    add_joint(gltf, out, chain->spring, joint_on(gltf, chain->spring, joint.joint, tail.gltf_node));
    vrmi_text_add_string(out, "]");
}

// Appends a copy of the spring with other joints.
static vrm_result append_spring(vrm_gltf *gltf, uint32_t spring, const vrmi_text *joints)
{
    char path[PATH_SIZE];
    vrm_string text;
    vrmi_text copy;
    vrmi_text_init(&copy, NULL);
    vrm_result result = vrm_gltf_get_json(gltf, vrmi_format(path, sizeof(path), SPRINGS "/%u", spring), &text);
    uint32_t count = spring + 1;
    vrm_string any;
    if (result == VRM_SUCCESS) {
        vrmi_text_add(&copy, text.data, text.length);
        while (vrm_gltf_get_json(gltf, vrmi_format(path, sizeof(path), SPRINGS "/%u", count), &any) == VRM_SUCCESS) {
            ++count;
        }
        result = copy.failed ? VRM_ERROR_OUT_OF_MEMORY : vrm_gltf_set_json(gltf, SPRINGS "/-", copy.data, copy.size);
    }
    vrmi_text_free(&copy);
    return result == VRM_SUCCESS ? vrm_gltf_set_json(gltf, vrmi_format(path, sizeof(path), SPRINGS "/%u/joints", count),
                                       joints->data, joints->size)
                                 : result;
}

// Finds the chain of a spring whose first joint comes next after `after` in the file (-1: the first chain). Returns
// false if there is none.
static bool next_chain(const vrm_avatar *avatar, uint32_t spring, int64_t after, vrm_spring_chain *out, int64_t *out_at)
{
    vrm_avatar_counts counts = {.struct_size = sizeof(counts)};
    vrm_avatar_get_counts(avatar, &counts);
    *out_at = INT64_MAX;
    for (uint32_t i = 0; i < counts.spring_chains; ++i) {
        vrm_spring_chain chain = {.struct_size = sizeof(chain)};
        vrm_spring_joint joint = {.struct_size = sizeof(joint)};
        vrm_avatar_get_spring_chain(avatar, i, &chain);
        vrm_avatar_get_spring_joint(avatar, chain.first_joint, &joint);
        if (chain.spring == spring && (int64_t)joint.joint > after && (int64_t)joint.joint < *out_at) {
            *out_at = joint.joint;
            *out = chain;
        }
    }
    return *out_at != INT64_MAX;
}

vrm_result vrmi_repair_spring(vrm_gltf *gltf, const vrm_avatar *avatar, uint32_t spring)
{
    char path[PATH_SIZE];
    vrm_spring_chain chain;
    int64_t at = -1;
    vrmi_text first, other;
    vrmi_text_init(&first, NULL);
    vrmi_text_init(&other, NULL);
    vrm_result result = VRM_SUCCESS;
    for (bool begun = false; result == VRM_SUCCESS && next_chain(avatar, spring, at, &chain, &at); begun = true) {
        vrmi_text *joints = begun ? &other : &first;
        joints->size = 0;
        write_joints(gltf, avatar, &chain, joints);
        result = joints->failed ? VRM_ERROR_NOT_FOUND : VRM_SUCCESS;
        if (result == VRM_SUCCESS && begun) {
            result = append_spring(gltf, spring, joints);
        }
    }
    vrmi_format(path, sizeof(path), first.size != 0 ? SPRINGS "/%u/joints" : SPRINGS "/%u", spring);
    if (result == VRM_SUCCESS) { // done last, because the other springs are copies of the original one
        result =
            first.size != 0 ? vrm_gltf_set_json(gltf, path, first.data, first.size) : vrm_gltf_remove_json(gltf, path);
    }
    vrmi_text_free(&first);
    vrmi_text_free(&other);
    return result;
}
