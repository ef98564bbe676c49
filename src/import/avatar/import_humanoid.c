// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include <string.h>

#include "import/avatar/import_parts.h"
#include "math/scalar.h"
#include "model/names.h"

static const bool bone_needs_parent[VRM_HUMAN_BONE_COUNT] = {
#define RULE(name, number, json, parent, required, needs_parent) [number] = needs_parent,
    VRM_HUMAN_BONES(RULE)
#undef RULE
};

enum { BONE_NAME_SIZE = 64 }; // longer than any bone's name; longer keys are truncated and match no bone

// Before 2022 thumb bones were named like those of the other fingers. A file never has both a metacarpal and the old
// intermediate bone. The intermediate thumb bone of a side therefore shows that the side uses the old names.
typedef struct thumb_names {
    vrm_human_bone metacarpal, proximal;
    const char *old_middle;
} thumb_names;

static const thumb_names thumbs[2] = {
    {VRM_HUMAN_BONE_LEFT_THUMB_METACARPAL, VRM_HUMAN_BONE_LEFT_THUMB_PROXIMAL, "leftThumbIntermediate"},
    {VRM_HUMAN_BONE_RIGHT_THUMB_METACARPAL, VRM_HUMAN_BONE_RIGHT_THUMB_PROXIMAL, "rightThumbIntermediate"},
};

int32_t vrmi_bone_of_key(const vrmi_json *json, uint32_t key, const bool old_thumbs[2])
{
    char name[BONE_NAME_SIZE];
    vrmi_json_unescape(json, key, name, sizeof name);
    for (int side = 0; side < 2; ++side) {
        if (old_thumbs[side]) {
            if (strcmp(name, vrm_human_bone_name(thumbs[side].proximal)) == 0) {
                return (int32_t)thumbs[side].metacarpal;
            }
            if (strcmp(name, thumbs[side].old_middle) == 0) {
                return (int32_t)thumbs[side].proximal;
            }
        }
    }
    return vrm_human_bone_from_name(name, strlen(name));
}

void vrmi_find_old_thumbs(const vrmi_json *json, uint32_t bones, bool draft, bool out_old[2])
{
    for (int side = 0; side < 2; ++side) {
        const bool middle = vrmi_json_member(json, bones, thumbs[side].old_middle) != VRMI_JSON_NONE;
        const uint32_t metacarpal = vrmi_json_member(json, bones, vrm_human_bone_name(thumbs[side].metacarpal));
        out_old[side] = (middle || draft) && metacarpal == VRMI_JSON_NONE;
    }
}

static void report_old_thumbs(vrmi_import *import, uint32_t bones, const bool old[2])
{
    for (int side = 0; side < 2; ++side) {
        if (old[side] && !vrmi_import_is_draft(import)) { // drafts have no other names
            vrmi_reader_report(&import->reader, VRM_FINDING_VRM1_OLD_THUMB_NAMES,
                vrmi_json_member(import->json, bones, thumbs[side].old_middle), NULL, NULL, NULL);
        }
    }
}

static void check_scale(vrmi_import *import, uint32_t node)
{
    const vrm_vec3 s = VRMI_ROWS(import, node_rest, vrm_transform)[node].scale;
    const uint32_t json = import->gltf->nodes[VRMI_ROWS(import, node_gltf, uint32_t)[node]].json;
    vrm_finding_id id = VRM_FINDING_COUNT;
    const float low = vrmi_min(s.x, vrmi_min(s.y, s.z)), high = vrmi_max(s.x, vrmi_max(s.y, s.z));
    if (s.x == 0.0f || s.y == 0.0f || s.z == 0.0f) {
        id = VRM_FINDING_VRM1_BONE_SCALE_ZERO;
    } else if (low < 0.0f) {
        id = VRM_FINDING_VRM1_BONE_SCALE_NEGATIVE;
    } else if (high - low > 1e-4f * high) {
        id = VRM_FINDING_VRM1_BONE_SCALE_NOT_UNIFORM;
    }
    if (id != VRM_FINDING_COUNT) {
        vrmi_reader_report(&import->reader, id, json, "scale", NULL, "positive and equal");
    }
}

// Errors in a required bone are not repaired, because no runtime loads an avatar without that bone.
static void repair_unless_required(vrmi_import *import, vrm_human_bone bone)
{
    import->reader.repairing = !import->def->strict && !vrmi_human_bone_is_required(bone);
}

void vrmi_import_bone(vrmi_import *import, vrm_human_bone bone, uint32_t json)
{
    uint32_t node = 0;
    repair_unless_required(import, bone);
    const bool has_node = vrmi_import_node_index(import, json, "node", VRMI_REQUIRED, &node);
    import->reader.repairing = !import->def->strict;
    if (!has_node) {
        return;
    }
    int32_t *owner = &VRMI_ROWS(import, node_bone, int32_t)[node];
    if (*owner >= 0) {
        vrmi_reader_report(&import->reader, VRM_FINDING_VRM1_BONE_NOT_UNIQUE, json, "node",
            vrm_human_bone_name((vrm_human_bone)*owner), "a node that no other bone uses");
        return;
    }
    *owner = (int32_t)bone;
    import->model.head.bone_node[bone] = (int32_t)node;
    check_scale(import, node);
}

static void read_bones(vrmi_import *import, uint32_t bones, uint32_t bone_json[VRM_HUMAN_BONE_COUNT])
{
    const vrmi_json *json = import->json;
    bool old_thumbs[2];
    vrmi_find_old_thumbs(json, bones, vrmi_import_is_draft(import), old_thumbs);
    report_old_thumbs(import, bones, old_thumbs);
    for (uint32_t key = vrmi_json_first(json, bones); key != VRMI_JSON_NONE; key = vrmi_json_next(json, key)) {
        const int32_t bone = vrmi_bone_of_key(json, key, old_thumbs);
        const uint32_t value = vrmi_json_value(json, key);
        if (bone < 0) {
            vrmi_reader_report(&import->reader, VRM_FINDING_VRM1_UNKNOWN_BONE, value, NULL, NULL, NULL);
            continue;
        }
        if (!vrmi_json_is(json, value, VRMI_JSON_OBJECT)) {
            repair_unless_required(import, (vrm_human_bone)bone);
            vrmi_reader_report_value(&import->reader, VRM_FINDING_TYPE_MISMATCH, value, "an object");
            bone_json[bone] = value; // the bone is present but wrong, so it is not also reported as missing
            continue;
        }
        bone_json[bone] = value;
        vrmi_import_bone(import, (vrm_human_bone)bone, value);
    }
}

static bool is_above(const vrmi_import *import, int32_t bone, int32_t below)
{
    const int32_t *nodes = import->model.head.bone_node;
    return vrmi_import_contains(import, (uint32_t)nodes[bone], (uint32_t)nodes[below]);
}

// Finds the parent of each bone. In the table, parents come before children. If a bone's node is not below the node of
// its parent bone, the bone keeps its node, as in other runtimes. Its parent is then the nearest bone whose node is
// above its own.
void vrmi_import_link_bones(vrmi_import *import, uint32_t bones, const uint32_t bone_json[VRM_HUMAN_BONE_COUNT])
{
    vrmi_model_head *head = &import->model.head;
    for (int32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        if (bone_json[bone] == VRMI_JSON_NONE && vrmi_human_bone_is_required((vrm_human_bone)bone)) {
            import->reader.repairing = false;
            vrmi_reader_report(&import->reader, VRM_FINDING_VRM1_REQUIRED_BONE_MISSING, bones,
                vrm_human_bone_name((vrm_human_bone)bone), NULL, "an object");
        }
        import->reader.repairing = !import->def->strict;
        if (head->bone_node[bone] < 0) {
            continue;
        }
        int32_t parent = vrm_human_bone_parent((vrm_human_bone)bone);
        const bool parent_exists = parent < 0 || bone_json[parent] != VRMI_JSON_NONE;
        const bool is_free =
            bone == VRM_HUMAN_BONE_UPPER_CHEST && vrmi_import_is_draft(import); // this rule is new in 1.0
        if (bone_needs_parent[bone] && !parent_exists && !is_free) {
            vrmi_reader_report(&import->reader, VRM_FINDING_VRM1_BONE_PARENT_MISSING, bone_json[bone], NULL, NULL,
                vrm_human_bone_name((vrm_human_bone)parent));
        }
        while (parent >= 0 && head->bone_node[parent] < 0) {
            parent = vrm_human_bone_parent((vrm_human_bone)parent);
        }
        if (parent >= 0 && !is_above(import, parent, bone)) {
            vrmi_reader_report(&import->reader, VRM_FINDING_VRM1_BONE_HIERARCHY, bone_json[bone], "node", NULL,
                vrm_human_bone_name((vrm_human_bone)parent));
            while (parent >= 0 && (head->bone_node[parent] < 0 || !is_above(import, parent, bone))) {
                parent = vrm_human_bone_parent((vrm_human_bone)parent);
            }
        }
        head->bone_parent[bone] = parent;
    }
}

void vrmi_import_humanoid(vrmi_import *import)
{
    import->reader.repairing = false; // required: there is no avatar without a humanoid
    const uint32_t humanoid = vrmi_read_object(&import->reader, import->vrm, "humanoid", VRMI_REQUIRED);
    const uint32_t bones = humanoid != VRMI_JSON_NONE
                               ? vrmi_read_object(&import->reader, humanoid, "humanBones", VRMI_REQUIRED)
                               : VRMI_JSON_NONE;
    if (bones == VRMI_JSON_NONE) {
        return;
    }
    import->reader.repairing = !import->def->strict;
    uint32_t bone_json[VRM_HUMAN_BONE_COUNT];
    for (int i = 0; i < VRM_HUMAN_BONE_COUNT; ++i) {
        bone_json[i] = VRMI_JSON_NONE;
    }
    read_bones(import, bones, bone_json);
    vrmi_import_link_bones(import, bones, bone_json);
}
