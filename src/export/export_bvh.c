// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Writes the humanoid of a clip as BVH. BVH's offsets can express the T-pose exactly, as it has no rest rotations.

#include <string.h>

#include "base/abi.h"
#include "base/checks.h"
#include "base/text.h"
#include "math/quat.h"
#include "model/clip.h"

typedef struct bvh_writer {
    const vrm_clip *clip;
    float scale; // units per metre
    vrmi_text out;
    int32_t order[VRM_HUMAN_BONE_COUNT]; // bones in the order in which they are written
    uint32_t count;
} bvh_writer;

static bool has_bone(const bvh_writer *w, int32_t bone)
{
    return (w->clip->head.skeleton >> bone & 1u) != 0;
}

static int32_t parent_bone(const bvh_writer *w, int32_t bone)
{
    do {
        bone = vrm_human_bone_parent((vrm_human_bone)bone);
    } while (bone >= 0 && !has_bone(w, bone));
    return bone;
}

static void indent(bvh_writer *w, uint32_t depth)
{
    for (uint32_t i = 0; i < depth; ++i) {
        vrmi_text_add_string(&w->out, "\t");
    }
}

static void add_number(bvh_writer *w, float value)
{
    // The number is written without an exponent, which few BVH readers understand.
    vrmi_text_add_string(&w->out, " ");
    vrmi_text_add_digits(&w->out, vrmi_abs(value) < 1e-5f ? 0.0 : (double)value, 8);
}

static void add_vector(bvh_writer *w, vrm_vec3 v)
{
    add_number(w, v.x * w->scale);
    add_number(w, v.y * w->scale);
    add_number(w, v.z * w->scale);
}

static void open_bone(bvh_writer *w, int32_t bone, uint32_t depth)
{
    const int32_t parent = parent_bone(w, bone);
    const vrm_vec3 *rest = w->clip->head.rest;
    indent(w, depth);
    vrmi_text_format(&w->out, "%s %s\n", parent < 0 ? "ROOT" : "JOINT", vrm_human_bone_name((vrm_human_bone)bone));
    indent(w, depth);
    vrmi_text_add_string(&w->out, "{\n");
    indent(w, depth + 1);
    vrmi_text_add_string(&w->out, "OFFSET");
    // The hips' offset is 0, and their position is only in the channels: readers differ in whether they add the offset.
    add_vector(w, parent < 0 ? vrmi_vec3(0.0f, 0.0f, 0.0f) : vrmi_vec3_sub(rest[bone], rest[parent]));
    vrmi_text_add_string(&w->out, "\n");
    indent(w, depth + 1);
    vrmi_text_add_string(&w->out, parent < 0
                                      ? "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
                                      : "CHANNELS 3 Zrotation Xrotation Yrotation\n");
    w->order[w->count++] = bone;
}

// Writes the tip of a leaf, in the direction of the leaf's own offset. The tip of a foot is on the ground, so that
// readers can find the ground's height.
static void end_site(bvh_writer *w, int32_t bone, uint32_t depth)
{
    const int32_t parent = parent_bone(w, bone);
    const vrm_vec3 *rest = w->clip->head.rest;
    vrm_vec3 tip =
        parent >= 0 ? vrmi_vec3_scale(vrmi_vec3_sub(rest[bone], rest[parent]), 0.5f) : vrmi_vec3(0.0f, 0.1f, 0.0f);
    if (bone == VRM_HUMAN_BONE_LEFT_FOOT || bone == VRM_HUMAN_BONE_RIGHT_FOOT || bone == VRM_HUMAN_BONE_LEFT_TOES ||
        bone == VRM_HUMAN_BONE_RIGHT_TOES) {
        tip.y = -rest[bone].y;
    }
    indent(w, depth);
    vrmi_text_add_string(&w->out, "End Site\n");
    indent(w, depth);
    vrmi_text_add_string(&w->out, "{\n");
    indent(w, depth + 1);
    vrmi_text_add_string(&w->out, "OFFSET");
    add_vector(w, tip);
    vrmi_text_add_string(&w->out, "\n");
    indent(w, depth);
    vrmi_text_add_string(&w->out, "}\n");
}

// Writes bones depth-first without recursion. `next` is the bone from which to search the next child.
static void write_hierarchy(bvh_writer *w)
{
    int32_t stack[VRM_HUMAN_BONE_COUNT], next[VRM_HUMAN_BONE_COUNT];
    bool leaf[VRM_HUMAN_BONE_COUNT];
    uint32_t depth = 0;
    vrmi_text_add_string(&w->out, "HIERARCHY\n");
    open_bone(w, VRM_HUMAN_BONE_HIPS, 0);
    stack[0] = VRM_HUMAN_BONE_HIPS;
    next[0] = 1;
    leaf[0] = true;
    for (;;) {
        int32_t child = next[depth];
        while (child < VRM_HUMAN_BONE_COUNT && (!has_bone(w, child) || parent_bone(w, child) != stack[depth])) {
            ++child;
        }
        if (child < VRM_HUMAN_BONE_COUNT) {
            next[depth] = child + 1;
            leaf[depth] = false;
            ++depth;
            stack[depth] = child;
            next[depth] = child + 1;
            leaf[depth] = true;
            open_bone(w, child, depth);
            continue;
        }
        if (leaf[depth]) {
            end_site(w, stack[depth], depth + 1);
        }
        indent(w, depth);
        vrmi_text_add_string(&w->out, "}\n");
        if (depth == 0) {
            return;
        }
        --depth;
    }
}

// Writes Euler angles of R = Rz Rx Ry. Each rotation is about an axis that the previous ones have rotated.
static void add_euler(bvh_writer *w, vrm_quat q)
{
    const float degrees = 180.0f / VRMI_PI;
    const float r01 = 2.0f * (q.x * q.y - q.w * q.z), r11 = 1.0f - 2.0f * (q.x * q.x + q.z * q.z);
    const float r20 = 2.0f * (q.x * q.z - q.w * q.y), r22 = 1.0f - 2.0f * (q.x * q.x + q.y * q.y);
    const float r21 = 2.0f * (q.y * q.z + q.w * q.x);
    const float across = vrmi_sqrt(r20 * r20 + r22 * r22);
    float z = vrmi_atan2(-r01, r11), y = vrmi_atan2(-r20, r22);
    if (!(across > 1e-6f)) { // Z and Y have the same axis, so Z gets the whole angle
        const float r00 = 1.0f - 2.0f * (q.y * q.y + q.z * q.z), r10 = 2.0f * (q.x * q.y + q.w * q.z);
        z = vrmi_atan2(r10, r00);
        y = 0.0f;
    }
    add_number(w, z * degrees);
    add_number(w, vrmi_atan2(r21, across) * degrees);
    add_number(w, y * degrees);
}

static void write_motion(bvh_writer *w, float rate)
{
    const uint32_t frames = (uint32_t)(w->clip->head.duration * rate + 0.5f) + 1;
    vrmi_text_format(&w->out, "MOTION\nFrames: %u\nFrame Time: ", frames);
    vrmi_text_add_digits(&w->out, 1.0 / (double)rate, 9);
    vrmi_text_add_string(&w->out, "\n");
    for (uint32_t frame = 0; frame < frames && !w->out.failed; ++frame) {
        vrm_clip_pose pose = {.struct_size = sizeof pose};
        vrm_clip_sample(w->clip, (float)((double)frame / (double)rate), &pose);
        add_vector(w, pose.hips);
        for (uint32_t i = 0; i < w->count; ++i) {
            add_euler(w, pose.rotations[w->order[i]]);
        }
        vrmi_text_add_string(&w->out, "\n");
    }
}

vrm_result vrm_clip_write_bvh(const vrm_clip_write_params *def, const vrm_clip *clip, vrm_bytes *out_bytes)
{
    vrm_clip_write_params chosen;
    vrm_clip_write_params_default(&chosen);
    if (out_bytes == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    *out_bytes = (vrm_bytes){0};
    if (clip == NULL || clip->head.additive || (clip->head.skeleton & 1u) == 0 ||
        !VRMI_READ_OPTIONS(vrm_clip_write_params, &chosen, def) || !(chosen.rate >= 1.0f && chosen.rate <= 1000.0f) ||
        !(chosen.unit >= 0.0001f && chosen.unit <= 100.0f)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    if (!(clip->head.duration * chosen.rate < 16777216.0f)) {
        return VRM_ERROR_LIMIT;
    }
    bvh_writer w = {.clip = clip, .scale = 1.0f / chosen.unit};
    vrm_allocator allocator;
    vrmi_resolve_allocator(&chosen.allocator, &allocator);
    vrmi_text_init(&w.out, &allocator);
    write_hierarchy(&w);
    write_motion(&w, chosen.rate);
    out_bytes->allocator = allocator;
    out_bytes->data = vrmi_text_take(&w.out, &out_bytes->size);
    vrmi_text_free(&w.out);
    return out_bytes->data != NULL ? VRM_SUCCESS : VRM_ERROR_OUT_OF_MEMORY;
}
