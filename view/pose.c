// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "pose.h"

#include <math.h>
#include <string.h>

static const float degree = 3.14159265358979f / 180.0f;

static vrm_vec3 rotate(vrm_quat q, vrm_vec3 v)
{
    const vrm_vec3 u = {
        q.y * v.z - q.z * v.y + q.w * v.x, q.z * v.x - q.x * v.z + q.w * v.y, q.x * v.y - q.y * v.x + q.w * v.z};
    return (vrm_vec3){v.x + 2.0f * (q.y * u.z - q.z * u.y), v.y + 2.0f * (q.z * u.x - q.x * u.z),
        v.z + 2.0f * (q.x * u.y - q.y * u.x)};
}

// Finds the hips and the rest rotation of their parent. Returns false for an avatar without hips.
static bool find_hips(const vrm_avatar *avatar, vrm_node *out_hips, vrm_quat *out_parent)
{
    const int32_t node = vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_HIPS);
    if (node < 0 || vrm_avatar_get_node(avatar, (uint32_t)node, out_hips) != VRM_SUCCESS) {
        return false;
    }
    vrm_node parent = {.struct_size = sizeof parent};
    *out_parent = (vrm_quat){0, 0, 0, 1};
    if (out_hips->parent >= 0 && vrm_avatar_get_node(avatar, (uint32_t)out_hips->parent, &parent) == VRM_SUCCESS) {
        *out_parent = parent.rest_rotation;
    }
    return true;
}

void pose_take(const vrm_instance *instance, pose *out)
{
    const vrm_avatar *avatar = vrm_instance_get_avatar(instance);
    memset(out, 0, sizeof *out);
    for (int i = 0; i < VRM_HUMAN_BONE_COUNT; ++i) {
        if (vrm_instance_get_normalized_rotation(instance, (vrm_human_bone)i, &out->rotations[i]) != VRM_SUCCESS) {
            out->rotations[i] = (vrm_quat){0, 0, 0, 1};
        }
    }
    vrm_node hips = {.struct_size = sizeof hips};
    vrm_quat parent;
    vrm_transform local;
    if (!find_hips(avatar, &hips, &parent) ||
        vrm_instance_get_local(instance, (uint32_t)vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_HIPS), &local) !=
            VRM_SUCCESS) {
        return;
    }
    const vrm_vec3 way = {local.translation.x - hips.rest.translation.x, local.translation.y - hips.rest.translation.y,
        local.translation.z - hips.rest.translation.z};
    out->hips = rotate(parent, way);
}

void pose_put(vrm_instance *instance, const pose *p)
{
    vrm_node hips = {.struct_size = sizeof hips};
    vrm_quat parent;
    for (int i = 0; i < VRM_HUMAN_BONE_COUNT; ++i) {
        (void)vrm_instance_set_normalized_rotation(
            instance, (vrm_human_bone)i, &p->rotations[i]); // the avatar may lack the bone
    }
    if (find_hips(vrm_instance_get_avatar(instance), &hips, &parent)) {
        const vrm_vec3 at = {
            hips.rest_position.x + p->hips.x, hips.rest_position.y + p->hips.y, hips.rest_position.z + p->hips.z};
        (void)vrm_instance_set_hips_position(instance, &at);
    }
}

// --- text ----------------------------------------------------------------------------------------------------------

static void add_numbers(vrmi_text *out, const char *name, const float *values, int count)
{
    vrmi_text_format(out, "\"%s\": [", name);
    for (int i = 0; i < count; ++i) {
        vrmi_text_add_string(out, i > 0 ? ", " : "");
        vrmi_text_add_float(out, values[i]);
    }
    vrmi_text_add_string(out, "]");
}

void pose_write(const vrm_avatar *avatar, const pose *p, vrmi_text *out)
{
    bool comma = false;
    vrmi_text_add_string(out, "{");
    for (int i = 0; i < VRM_HUMAN_BONE_COUNT; ++i) {
        const vrm_quat *q = &p->rotations[i];
        const bool moved = i == VRM_HUMAN_BONE_HIPS && (p->hips.x != 0.0f || p->hips.y != 0.0f || p->hips.z != 0.0f);
        const bool turned = fabsf(q->x) + fabsf(q->y) + fabsf(q->z) > 1e-7f;
        if (vrm_avatar_get_bone_node(avatar, (vrm_human_bone)i) < 0 || (!moved && !turned)) {
            continue;
        }
        vrmi_text_format(out, "%s\n  \"%s\": {", comma ? "," : "", vrm_human_bone_name((vrm_human_bone)i));
        add_numbers(out, "rotation", &q->x, 4);
        if (moved) {
            vrmi_text_add_string(out, ", ");
            add_numbers(out, "position", &p->hips.x, 3);
        }
        vrmi_text_add_string(out, "}");
        comma = true;
    }
    vrmi_text_add_string(out, "\n}\n");
}

// Reads "[x, y, ...]" from the document.
static bool read_numbers(vrm_string text, float *out, int count)
{
    const char *c = text.data, *end = text.data + text.length;
    for (int i = 0; i < count; ++i) {
        while (c < end && (*c == ' ' || *c == '\n' || *c == '\r' || *c == '\t' || *c == (i == 0 ? '[' : ','))) {
            ++c;
        }
        double value = 0.0;
        const size_t used = vrmi_parse_double(c, (size_t)(end - c), &value);
        if (used == 0 || !isfinite(value)) {
            return false;
        }
        c += used;
        out[i] = (float)value;
    }
    while (c < end && (*c == ' ' || *c == '\n' || *c == '\r' || *c == '\t')) {
        ++c;
    }
    return c + 1 == end && *c == ']';
}

static bool read_bone(const vrm_gltf *document, int bone, pose *out, char *message, size_t message_size)
{
    const char *name = vrm_human_bone_name((vrm_human_bone)bone);
    char pointer[96];
    vrm_string text;
    vrm_quat q;
    if (vrm_gltf_get_json(document, vrmi_format(pointer, sizeof pointer, "/extras/%s/rotation", name), &text) ==
            VRM_SUCCESS &&
        !vrmi_string_equal(text, "null")) {
        const bool good = read_numbers(text, &q.x, 4);
        const float length = good ? sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w) : 0.0f;
        if (!(length > 1e-6f)) {
            vrmi_format(message, message_size, "/%s/rotation: %.*s is not a quaternion of four numbers", name,
                (int)(text.length < 80 ? text.length : 80), text.data);
            return false;
        }
        out->rotations[bone] = (vrm_quat){q.x / length, q.y / length, q.z / length, q.w / length};
    }
    if (bone == VRM_HUMAN_BONE_HIPS && vrm_gltf_get_json(document, "/extras/hips/position", &text) == VRM_SUCCESS &&
        !vrmi_string_equal(text, "null") && !read_numbers(text, &out->hips.x, 3)) {
        vrmi_format(message, message_size, "/hips/position: %.*s is not three numbers",
            (int)(text.length < 80 ? text.length : 80), text.data);
        return false;
    }
    return true;
}

// Reads a pose. The text is put into the extras of an empty document, so that the library's checked JSON parser reads
// it.
vrm_result pose_read(const char *text, size_t size, pose *out, char *message, size_t message_size)
{
    vrmi_text wrapped;
    vrm_gltf *document = NULL;
    vrmi_text_init(&wrapped, NULL);
    vrmi_text_add_string(&wrapped, "{\"asset\": {\"version\": \"2.0\"}, \"extras\": ");
    vrmi_text_add(&wrapped, text, size);
    vrmi_text_add_string(&wrapped, "}");
    vrm_string extras = {NULL, 0};
    vrm_result result =
        wrapped.failed ? VRM_ERROR_OUT_OF_MEMORY : vrm_gltf_load(NULL, wrapped.data, wrapped.size, NULL, &document);
    vrmi_text_free(&wrapped);
    if (result != VRM_SUCCESS || vrm_gltf_get_json(document, "/extras", &extras) != VRM_SUCCESS || extras.length == 0 ||
        extras.data[0] != '{') {
        vrm_gltf_destroy(document);
        vrmi_format(message, message_size, "this is not a pose; expected a JSON object of bones");
        return result == VRM_ERROR_OUT_OF_MEMORY ? result : VRM_ERROR_INVALID_ASSET;
    }
    pose read = {0};
    for (int i = 0; i < VRM_HUMAN_BONE_COUNT; ++i) {
        read.rotations[i] = (vrm_quat){0, 0, 0, 1};
    }
    for (int i = 0; i < VRM_HUMAN_BONE_COUNT && result == VRM_SUCCESS; ++i) {
        result = read_bone(document, i, &read, message, message_size) ? VRM_SUCCESS : VRM_ERROR_INVALID_ASSET;
    }
    vrm_gltf_destroy(document);
    if (result == VRM_SUCCESS) {
        *out = read;
    }
    return result;
}

// --- angles --------------------------------------------------------------------------------------------------------

void pose_angles(const vrm_quat *q, float degrees[3])
{
    const float sine = 2.0f * (q->w * q->y - q->z * q->x);
    degrees[0] = atan2f(2.0f * (q->w * q->x + q->y * q->z), 1.0f - 2.0f * (q->x * q->x + q->y * q->y)) / degree;
    degrees[1] = asinf(fmaxf(-1.0f, fminf(1.0f, sine))) / degree;
    degrees[2] = atan2f(2.0f * (q->w * q->z + q->x * q->y), 1.0f - 2.0f * (q->y * q->y + q->z * q->z)) / degree;
}

void pose_from_angles(const float degrees[3], vrm_quat *out)
{
    const float x = 0.5f * degrees[0] * degree, y = 0.5f * degrees[1] * degree, z = 0.5f * degrees[2] * degree;
    const float sx = sinf(x), cx = cosf(x), sy = sinf(y), cy = cosf(y), sz = sinf(z), cz = cosf(z);
    *out = (vrm_quat){sx * cy * cz - cx * sy * sz, cx * sy * cz + sx * cy * sz, cx * cy * sz - sx * sy * cz,
        cx * cy * cz + sx * sy * sz};
}

// --- history -------------------------------------------------------------------------------------------------------

static pose *slot(pose_history *h, uint32_t back)
{
    return &h->poses[(h->at + POSE_HISTORY - back) % POSE_HISTORY];
}

void pose_history_keep(pose_history *h, const vrm_instance *instance)
{
    pose_take(instance, slot(h, 0));
    h->at = (h->at + 1) % POSE_HISTORY;
    h->undo =
        h->undo + 1 < POSE_HISTORY ? h->undo + 1 : POSE_HISTORY - 1; // one entry keeps the present pose during undo
    h->redo = 0;
}

bool pose_history_undo(pose_history *h, vrm_instance *instance)
{
    if (h->undo == 0) {
        return false;
    }
    pose_take(instance, slot(h, 0));
    h->at = (h->at + POSE_HISTORY - 1) % POSE_HISTORY;
    pose_put(instance, slot(h, 0));
    --h->undo;
    ++h->redo;
    return true;
}

bool pose_history_redo(pose_history *h, vrm_instance *instance)
{
    if (h->redo == 0) {
        return false;
    }
    h->at = (h->at + 1) % POSE_HISTORY;
    pose_put(instance, slot(h, 0));
    ++h->undo;
    --h->redo;
    return true;
}
