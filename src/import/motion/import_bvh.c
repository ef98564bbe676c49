// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Converts BVH to a clip. Bones are found by the joints' names. BVH joints have no rest rotation, so a joint's world
// rotation is its rotation from the rest pose. Bones use world rotations, so joints between two bones contribute to the
// lower one.

#include <string.h>

#include "base/arena.h"
#include "base/checks.h"
#include "base/report.h"
#include "base/text.h"
#include "import/motion/bvh_parse.h"
#include "import/motion/import_clip.h"
#include "import/motion/motion_rig.h"
#include "math/scalar.h"
#include "model/names.h"

typedef struct bvh_import {
    const vrm_clip_def *def;
    vrm_report *report;
    vrmi_bvh bvh;
    vrmi_rig rig;
    vrmi_rig_joint *rig_joints;
    vrm_quat *rotation; // indexed by joint, in world space
    vrm_vec3 *position;
    bool absolute_root; // the root's position channels replace its offset instead of being added
    float unit;
    vrmi_clip_builder builder;
    uint32_t count;
} bvh_import;

static const vrmi_bvh_joint *joints_of(const bvh_import *import)
{
    return import->bvh.joints.items;
}

static void place_rest(bvh_import *import)
{
    const vrmi_bvh_joint *joints = joints_of(import);
    for (uint32_t i = 0; i < import->count; ++i) {
        const vrm_vec3 above =
            joints[i].parent >= 0 ? import->rig_joints[joints[i].parent].position : vrmi_vec3(0.0f, 0.0f, 0.0f);
        import->rig_joints[i] = (vrmi_rig_joint){joints[i].parent, joints[i].end,
            {joints[i].name != NULL ? joints[i].name : "", joints[i].name_length},
            vrmi_vec3_add(above, joints[i].offset)};
    }
}

static void local_of(
    const vrmi_bvh_joint *joint, const float *frame, bool absolute, vrm_quat *out_rotation, vrm_vec3 *out_position)
{
    vrm_vec3 moved = {0.0f, 0.0f, 0.0f};
    bool moves = false;
    *out_rotation = vrmi_quat_identity();
    for (uint32_t i = 0; i < joint->channel_count; ++i) {
        const float value = frame[joint->first_channel + i];
        const uint32_t channel = joint->channels[i];
        if (channel < VRMI_BVH_X_ROTATION) {
            float *axis[3] = {&moved.x, &moved.y, &moved.z};
            *axis[channel] = value;
            moves = true;
        } else {
            const uint32_t axis = channel - VRMI_BVH_X_ROTATION;
            const vrm_vec3 unit = {axis == 0 ? 1.0f : 0.0f, axis == 1 ? 1.0f : 0.0f, axis == 2 ? 1.0f : 0.0f};
            const float turns = value / 360.0f; // whole turns are removed for precision
            const float whole =
                vrmi_abs(turns) < 8388608.0f ? (float)(int32_t)turns : turns; // larger floats are all whole numbers
            const float angle = (turns - whole) * 2.0f * VRMI_PI;
            *out_rotation = vrmi_quat_mul(*out_rotation, vrmi_quat_from_axis_angle(unit, angle));
        }
    }
    *out_position = absolute && moves ? moved : vrmi_vec3_add(joint->offset, moved);
}

// Computes world rotations and positions of all joints in a frame, in the file's axes and units.
static void pose_frame(bvh_import *import, uint32_t frame)
{
    const vrmi_bvh_joint *joints = joints_of(import);
    const float *values = (const float *)import->bvh.values.items + (size_t)frame * import->bvh.channel_count;
    for (uint32_t i = 0; i < import->count; ++i) {
        vrm_quat rotation;
        vrm_vec3 position;
        const int32_t parent = joints[i].parent;
        local_of(&joints[i], values, parent < 0 && import->absolute_root, &rotation, &position);
        if (parent < 0) {
            import->rotation[i] = rotation;
            import->position[i] = position;
        } else {
            import->rotation[i] = vrmi_quat_normalize(vrmi_quat_mul(import->rotation[parent], rotation));
            import->position[i] =
                vrmi_vec3_add(import->position[parent], vrmi_quat_rotate(import->rotation[parent], position));
        }
    }
}

// Whether the root's position channels include its offset: some tools write the position to both.
static bool is_root_absolute(const bvh_import *import)
{
    const vrmi_bvh_joint *root = joints_of(import);
    const float size = vrmi_vec3_length(root->offset);
    if (!(size > 0.0f) || import->bvh.frame_count == 0 || root->channel_count == 0) {
        return false;
    }
    vrm_quat rotation;
    vrm_vec3 position;
    local_of(root, import->bvh.values.items, true, &rotation, &position);
    return vrmi_vec3_length(vrmi_vec3_sub(position, root->offset)) < 0.5f * size;
}

// Guesses metres per unit. Legs are about 0.9 m long, which is enough to distinguish metres, centimetres, millimetres
// and inches.
static float guess_unit(float hips_height)
{
    static const float units[] = {1.0f, 0.0254f, 0.01f, 0.001f};
    if (!(hips_height > 1e-6f)) {
        return 0.01f;
    }
    float best = 0.9f / hips_height, best_ratio = 1.8f; // if no usual unit is near: the unit that gives 0.9 m
    for (size_t i = 0; i < VRMI_COUNT_OF(units); ++i) {
        const float height = hips_height * units[i];
        const float ratio = height > 0.9f ? height / 0.9f : 0.9f / height;
        if (ratio < best_ratio) {
            best = units[i];
            best_ratio = ratio;
        }
    }
    return best;
}

static void report_doubts(const bvh_import *import)
{
    char found[48];
    vrmi_report(import->report,
        import->rig.by_shape ? VRM_FINDING_MOTION_BONES_BY_SHAPE : VRM_FINDING_MOTION_BONES_BY_NAME, "", NULL, NULL);
    if (import->rig.unmapped != 0) {
        vrmi_report(import->report, VRM_FINDING_MOTION_JOINT_UNMAPPED, "",
            vrmi_format(found, sizeof found, "%u", import->rig.unmapped), NULL);
    }
    if (import->def->unit == 0.0f) {
        vrmi_report(import->report, VRM_FINDING_MOTION_UNIT_GUESSED, "",
            vrmi_format(found, sizeof found, "%g m", (double)import->unit), NULL);
    }
    if (import->rig.corrected) {
        vrmi_report(import->report, VRM_FINDING_MOTION_REST_GUESSED, "", NULL, NULL);
    }
    char missing[256] = ""; // all names together have 176 letters
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        if (vrmi_human_bone_is_required((vrm_human_bone)bone) && import->rig.joint[bone] < 0) {
            const size_t at = strlen(missing);
            vrmi_format(missing + at, sizeof missing - at, "%s%s", at > 0 ? ", " : "",
                vrm_human_bone_name((vrm_human_bone)bone));
        }
    }
    if (missing[0] != '\0') { // a single finding, because a skeleton that is not humanoid lacks nearly all bones
        vrmi_report(import->report, VRM_FINDING_MOTION_BONE_MISSING, "", NULL, missing);
    }
}

static void read_skeleton(bvh_import *import)
{
    vrmi_clip_head *head = &import->builder.head;
    const vrmi_rig *rig = &import->rig;
    const vrm_vec3 hips = rig->rest[VRM_HUMAN_BONE_HIPS];
    import->unit = import->def->unit > 0.0f ? import->def->unit : guess_unit(hips.y);
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        if (rig->joint[bone] >= 0) {
            head->skeleton |= UINT64_C(1) << bone;
            // The rest pose is moved so that the hips are above the origin.
            const vrm_vec3 place = vrmi_vec3_sub(rig->rest[bone], vrmi_vec3(hips.x, 0.0f, hips.z));
            head->rest[bone] = vrmi_vec3_scale(place, import->unit);
        }
    }
    head->hips_rest = head->rest[VRM_HUMAN_BONE_HIPS];
}

static int32_t parent_bone(const bvh_import *import, int32_t bone)
{
    do {
        bone = vrm_human_bone_parent((vrm_human_bone)bone);
    } while (bone >= 0 && import->rig.joint[bone] < 0);
    return bone;
}

// Returns a bone's normalised rotation in model space, which is its rotation from the T-pose.
static vrm_quat world_of(const bvh_import *import, int32_t bone)
{
    const vrmi_rig *rig = &import->rig;
    const vrm_quat turned = import->rotation[rig->joint[bone]];
    const vrm_quat in_model = vrmi_quat_mul(vrmi_quat_mul(rig->basis, turned), vrmi_quat_conjugate(rig->basis));
    return vrmi_quat_mul(in_model, vrmi_quat_conjugate(rig->correction[bone]));
}

// Adds the tracks. `offsets` gets the position of each track's values in the builder's floats.
static vrm_result add_tracks(bvh_import *import, uint32_t offsets[VRM_HUMAN_BONE_COUNT + 1])
{
    for (int32_t bone = 0; bone <= VRM_HUMAN_BONE_COUNT; ++bone) {
        const bool hips = bone == VRM_HUMAN_BONE_COUNT;
        offsets[bone] = UINT32_MAX;
        if (import->rig.joint[hips ? VRM_HUMAN_BONE_HIPS : bone] < 0) {
            continue;
        }
        const vrmi_clip_track track = {.kind = hips ? VRMI_TRACK_HIPS : VRMI_TRACK_ROTATION,
            .target = hips ? VRM_HUMAN_BONE_HIPS : (uint32_t)bone,
            .interpolation = VRMI_LINEAR,
            .key_count = import->bvh.frame_count};
        float *times, *values;
        if (!vrmi_clip_builder_track(&import->builder, &track, &times, &values)) {
            return VRM_ERROR_OUT_OF_MEMORY;
        }
        for (uint32_t i = 0; i < track.key_count; ++i) {
            times[i] = (float)((double)i * (double)import->bvh.frame_time);
        }
        offsets[bone] = (uint32_t)(values - (float *)import->builder.floats.items);
    }
    return VRM_SUCCESS;
}

static vrm_result read_frames(bvh_import *import)
{
    uint32_t offsets[VRM_HUMAN_BONE_COUNT + 1];
    const vrm_result result = add_tracks(import, offsets);
    if (result != VRM_SUCCESS) {
        return result;
    }
    float *floats = import->builder.floats.items;
    for (uint32_t frame = 0; frame < import->bvh.frame_count; ++frame) {
        pose_frame(import, frame);
        for (int32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
            if (offsets[bone] == UINT32_MAX) {
                continue;
            }
            vrm_quat own = world_of(import, bone);
            const int32_t parent = parent_bone(import, bone);
            own = parent >= 0 ? vrmi_quat_mul(vrmi_quat_conjugate(world_of(import, parent)), own) : own;
            own = vrmi_quat_normalize(own);
            memcpy(floats + offsets[bone] + (size_t)frame * 4, &own, sizeof own);
        }
        const vrm_vec3 hips = vrmi_vec3_scale(
            vrmi_quat_rotate(import->rig.basis, import->position[import->rig.joint[VRM_HUMAN_BONE_HIPS]]),
            import->unit);
        memcpy(floats + offsets[VRM_HUMAN_BONE_COUNT] + (size_t)frame * 3, &hips, sizeof hips);
        if (import->def->progress != NULL && frame % 256 == 0 &&
            !import->def->progress(
                (float)frame / (float)import->bvh.frame_count, "frames", import->def->progress_user)) {
            return VRM_ERROR_CANCELLED;
        }
    }
    return VRM_SUCCESS;
}

static vrm_result convert(bvh_import *import)
{
    const vrm_allocator *allocator = &import->builder.allocator;
    vrmi_arena scratch;
    vrmi_arena_init(&scratch, allocator, import->def->limits.max_memory);
    import->count = import->bvh.joints.count;
    import->rig_joints = vrmi_arena_alloc(&scratch, import->count, sizeof *import->rig_joints);
    import->rotation = vrmi_arena_alloc(&scratch, import->count, sizeof *import->rotation);
    import->position = vrmi_arena_alloc(&scratch, import->count, sizeof *import->position);
    vrm_result result = VRM_ERROR_OUT_OF_MEMORY;
    if (import->rig_joints != NULL && import->rotation != NULL && import->position != NULL) {
        place_rest(import);
        import->absolute_root = is_root_absolute(import);
        vrmi_rig_map(&import->rig, import->rig_joints, import->count, import->def->bone_map, import->report);
        vrmi_rig_align(&import->rig, import->rig_joints, import->count);
        read_skeleton(import);
        report_doubts(import);
        // Without frames, the clip is the rest pose.
        result = import->bvh.frame_count != 0 ? read_frames(import) : VRM_SUCCESS;
    }
    vrmi_arena_free(&scratch);
    return result;
}

vrm_result vrmi_clip_from_bvh(
    const vrm_clip_def *def, const char *text, size_t size, vrm_report *report, vrm_clip **out_clip)
{
    bvh_import import;
    memset(&import, 0, sizeof import);
    import.def = def;
    import.report = report;
    vrmi_clip_builder_init(&import.builder, &def->allocator);
    vrm_result result = vrmi_bvh_parse(&import.bvh, text, size, &import.builder.allocator, report);
    if (result == VRM_SUCCESS) {
        result = convert(&import);
    }
    if (result == VRM_SUCCESS) {
        result = vrmi_clip_pack(&import.builder, out_clip);
    }
    vrmi_bvh_free(&import.bvh, &import.builder.allocator);
    vrmi_clip_builder_free(&import.builder);
    return result;
}
