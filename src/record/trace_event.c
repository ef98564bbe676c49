// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Applies a script's events to the instance.

#include "record/trace_event.h"

#include <vrm/lod.h>

#include "base/text.h"
#include "math/quat.h"
#include "model/model.h"

static const float degree = VRMI_PI / 180.0f;

static void unknown_name(vrmi_trace_context *c, uint32_t value, const char *name)
{
    vrmi_reader_report(
        &c->script->reader, VRM_FINDING_TRACE_UNKNOWN_NAME, value, NULL, name, "a name that the avatar has");
}

// Reads the key as text. Reports a key that is too long, and returns false.
static bool key_name(vrmi_trace_context *c, uint32_t key, char name[VRMI_TRACE_NAME], size_t *length)
{
    *length = vrmi_json_unescape(&c->script->json, key, name, VRMI_TRACE_NAME);
    if (*length >= VRMI_TRACE_NAME) {
        unknown_name(c, vrmi_json_value(&c->script->json, key), name);
        return false;
    }
    return true;
}

static int32_t bone_of(vrmi_trace_context *c, uint32_t key, uint32_t *out_node)
{
    char name[VRMI_TRACE_NAME];
    size_t length;
    if (!key_name(c, key, name, &length)) {
        return -1;
    }
    const int32_t bone = vrm_human_bone_from_name(name, length);
    const int32_t node =
        bone < 0 ? -1 : vrm_avatar_get_bone_node(vrm_instance_get_avatar(c->instance), (vrm_human_bone)bone);
    if (node < 0) {
        unknown_name(c, vrmi_json_value(&c->script->json, key), name);
        return -1;
    }
    *out_node = (uint32_t)node;
    return bone;
}

// Returns the rotation above the file's roots. A trace is in the file's own space, in which VRM 0.x faces -Z, but the
// avatar has a half turn above its roots. The trace's root undoes this half turn, and values in model space are rotated
// by it.
static vrm_quat above_nodes(const vrmi_trace_context *c)
{
    return vrm_instance_get_avatar(c->instance)->model->head.root_from_nodes;
}

static vrm_quat in_model(const vrmi_trace_context *c, vrm_quat q)
{
    const vrm_quat above = above_nodes(c);
    return vrmi_quat_mul(vrmi_quat_mul(above, q), vrmi_quat_conjugate(above));
}

static void set_bone_rotation(vrmi_trace_context *c, uint32_t key)
{
    uint32_t node;
    vrm_quat q;
    const uint32_t value = vrmi_json_value(&c->script->json, key);
    const int32_t bone = bone_of(c, key, &node);
    if (bone < 0 || !vrmi_trace_numbers(c, value, &q.x, 4)) {
        return;
    }
    const vrm_quat turned = in_model(c, q);
    const vrm_result result = c->script->normalized
                                  ? vrm_instance_set_normalized_rotation(c->instance, (vrm_human_bone)bone, &turned)
                                  : vrm_instance_set_rotation(c->instance, node, &q);
    if (result != VRM_SUCCESS) {
        vrmi_trace_refuse(c, value, "a unit quaternion");
    }
}

static void set_bone_translation(vrmi_trace_context *c, uint32_t key)
{
    uint32_t node;
    vrm_vec3 t;
    const uint32_t value = vrmi_json_value(&c->script->json, key);
    const int32_t bone = bone_of(c, key, &node);
    if (bone < 0 || !vrmi_trace_numbers(c, value, &t.x, 3)) {
        return;
    }
    vrm_result result = VRM_ERROR_INVALID_ARGUMENT;
    if (!c->script->normalized) {
        result = vrm_instance_set_translation(c->instance, node, &t);
    } else if (bone == VRM_HUMAN_BONE_HIPS) {
        const vrm_vec3 turned = vrmi_quat_rotate(above_nodes(c), t);
        result = vrm_instance_set_hips_position(c->instance, &turned);
    }
    if (result != VRM_SUCCESS) {
        vrmi_trace_refuse(c, value, "a position; in normalized mode only for the hips");
    }
}

// Sets a pose relative to rest: the rotation is applied before the rest rotation, the translation is added to the rest
// translation.
static void set_bone_pose(vrmi_trace_context *c, uint32_t key)
{
    static const char *const keys[] = {"rotation", "translation"};
    const uint32_t value = vrmi_json_value(&c->script->json, key);
    uint32_t index;
    const int32_t bone = bone_of(c, key, &index);
    if (bone < 0) {
        return;
    }
    vrmi_reader *reader = &c->script->reader;
    vrmi_read_keys(reader, value, keys, 2, VRM_FINDING_TRACE_UNKNOWN_KEY, VRMI_TRACE_KEY_EXPECTED);
    vrm_node node = {.struct_size = sizeof node};
    (void)vrm_avatar_get_node(vrm_instance_get_avatar(c->instance), index, &node);
    vrm_quat q;
    vrm_vec3 t;
    if (vrmi_read_floats(reader, value, "rotation", VRMI_OPTIONAL, 4, &q.x)) {
        const vrm_quat local = vrmi_quat_mul(q, node.rest.rotation);
        const vrm_quat turned = in_model(c, q);
        const vrm_result result = c->script->normalized
                                      ? vrm_instance_set_normalized_rotation(c->instance, (vrm_human_bone)bone, &turned)
                                      : vrm_instance_set_rotation(c->instance, index, &local);
        if (result != VRM_SUCCESS) {
            vrmi_trace_refuse(c, value, "a unit quaternion");
        }
    }
    if (vrmi_read_floats(reader, value, "translation", VRMI_OPTIONAL, 3, &t.x)) {
        vrm_result result = VRM_ERROR_INVALID_ARGUMENT;
        if (c->script->normalized && bone == VRM_HUMAN_BONE_HIPS) {
            const vrm_vec3 position = vrmi_vec3_add(node.rest_position, vrmi_quat_rotate(above_nodes(c), t));
            result = vrm_instance_set_hips_position(c->instance, &position);
        } else if (!c->script->normalized) {
            const vrm_vec3 local = vrmi_vec3_add(node.rest.translation, t);
            result = vrm_instance_set_translation(c->instance, index, &local);
        }
        if (result != VRM_SUCCESS) {
            vrmi_trace_refuse(c, value, "a translation; in normalized mode only for the hips");
        }
    }
}

// Returns the node that a key names by its glTF index. Reports an unknown one, and returns -1.
static int32_t node_of(vrmi_trace_context *c, uint32_t key)
{
    char name[VRMI_TRACE_NAME];
    size_t length;
    if (!key_name(c, key, name, &length)) {
        return -1;
    }
    uint32_t index = 0;
    bool ok = length > 0 && length < 10;
    for (size_t i = 0; ok && i < length; ++i) {
        ok = name[i] >= '0' && name[i] <= '9';
        index = index * 10 + (uint32_t)(name[i] - '0');
    }
    const int32_t node = ok ? vrm_avatar_find_gltf_node(vrm_instance_get_avatar(c->instance), index) : -1;
    if (node < 0) {
        unknown_name(c, vrmi_json_value(&c->script->json, key), name);
    }
    return node;
}

static void set_node_vec3(vrmi_trace_context *c, uint32_t key,
    vrm_result (*set)(vrm_instance *instance, uint32_t node, const vrm_vec3 *value))
{
    const uint32_t value = vrmi_json_value(&c->script->json, key);
    const int32_t node = node_of(c, key);
    vrm_vec3 v;
    if (node >= 0 && vrmi_trace_numbers(c, value, &v.x, 3) && set(c->instance, (uint32_t)node, &v) != VRM_SUCCESS) {
        vrmi_trace_refuse(c, value, "finite numbers, and a scale other than 0");
    }
}

static void set_node_translation(vrmi_trace_context *c, uint32_t key)
{
    set_node_vec3(c, key, vrm_instance_set_translation);
}

static void set_node_scale(vrmi_trace_context *c, uint32_t key)
{
    set_node_vec3(c, key, vrm_instance_set_scale);
}

static void set_node_rotation(vrmi_trace_context *c, uint32_t key)
{
    const uint32_t value = vrmi_json_value(&c->script->json, key);
    const int32_t node = node_of(c, key);
    vrm_quat q;
    if (node >= 0 && vrmi_trace_numbers(c, value, &q.x, 4) &&
        vrm_instance_set_rotation(c->instance, (uint32_t)node, &q) != VRM_SUCCESS) {
        vrmi_trace_refuse(c, value, "a unit quaternion");
    }
}

static void set_expression(vrmi_trace_context *c, uint32_t key)
{
    char name[VRMI_TRACE_NAME];
    size_t length;
    if (!key_name(c, key, name, &length)) {
        return;
    }
    const uint32_t value = vrmi_json_value(&c->script->json, key);
    const int32_t expression = vrm_avatar_find_expression(vrm_instance_get_avatar(c->instance), name, length);
    double weight;
    if (expression < 0) {
        unknown_name(c, value, name);
    } else if (!vrmi_json_number(&c->script->json, value, &weight) ||
               vrm_instance_set_expression(
                   c->instance, VRM_EXPRESSION_LAYER_HOST, (uint32_t)expression, (float)weight) != VRM_SUCCESS) {
        vrmi_trace_refuse(c, value, "a number");
    }
}

static void for_each_member(vrmi_trace_context *c, uint32_t object, void (*apply)(vrmi_trace_context *c, uint32_t key))
{
    if (!vrmi_json_is(&c->script->json, object, VRMI_JSON_OBJECT)) {
        vrmi_reader_report_value(&c->script->reader, VRM_FINDING_TYPE_MISMATCH, object, "an object");
        return;
    }
    for (uint32_t key = vrmi_json_first(&c->script->json, object); key != VRMI_JSON_NONE;
         key = vrmi_json_next(&c->script->json, key)) {
        apply(c, key);
    }
}

static void move_root(
    vrmi_trace_context *c, uint32_t value, vrm_result (*move)(vrm_instance *instance, const vrm_root *root))
{
    static const char *const keys[] = {"translation", "rotation", "scale"};
    vrmi_reader *reader = &c->script->reader;
    if (!vrmi_trace_object(c, value, keys, 3)) {
        return;
    }
    vrm_root root;
    vrm_instance_get_root(c->instance, &root);
    uint32_t v = vrmi_json_first(&c->script->json, vrmi_read_array(reader, value, "translation", VRMI_OPTIONAL));
    for (uint32_t i = 0; i < 3 && v != VRMI_JSON_NONE; ++i, v = vrmi_json_next(&c->script->json, v)) {
        (void)vrmi_json_number(&c->script->json, v, vrmi_dvec3_axis(&root.translation, i));
    }
    vrm_quat rotation;
    if (vrmi_read_floats(reader, value, "rotation", VRMI_OPTIONAL, 4, &rotation.x)) {
        root.rotation = vrmi_quat_mul(rotation, vrmi_quat_conjugate(above_nodes(c)));
    }
    const uint32_t scale = vrmi_json_member(&c->script->json, value, "scale");
    vrm_vec3 s = {root.scale, root.scale, root.scale};
    if (vrmi_json_is(&c->script->json, scale, VRMI_JSON_NUMBER)) {
        (void)vrmi_read_float(reader, value, "scale", VRMI_OPTIONAL, &s.x);
        s.y = s.z = s.x;
    } else if (scale != VRMI_JSON_NONE) {
        (void)vrmi_trace_numbers(c, scale, &s.x, 3);
    }
    root.scale = s.x;
    if (s.x != s.y || s.x != s.z || move(c->instance, &root) != VRM_SUCCESS) {
        vrmi_trace_refuse(c, value, "a translation, a unit rotation and a uniform scale from 0.01 to 100");
    }
}

static void apply_root(vrmi_trace_context *c, uint32_t value)
{
    move_root(c, value, vrm_instance_set_root);
}
static void apply_teleport(vrmi_trace_context *c, uint32_t value)
{
    move_root(c, value, vrm_instance_teleport);
}

static void apply_look_at_target(vrmi_trace_context *c, uint32_t value)
{
    if (vrmi_json_is(&c->script->json, value, VRMI_JSON_NULL)) {
        vrm_instance_clear_look_at(c->instance);
        return;
    }
    vrm_dvec3 target;
    if (vrmi_trace_point(c, value, &target) && vrm_instance_set_look_at_target(c->instance, &target) != VRM_SUCCESS) {
        vrmi_trace_refuse(c, value, "a position");
    }
}

static void apply_yaw_pitch(vrmi_trace_context *c, uint32_t value)
{
    float angles[2];
    if (vrmi_trace_numbers(c, value, angles, 2) &&
        vrm_instance_set_look_at_angles(c->instance, angles[0] * degree, angles[1] * degree) != VRM_SUCCESS) {
        vrmi_trace_refuse(c, value, "yaw and pitch in degrees");
    }
}

static void apply_look_chain(vrmi_trace_context *c, uint32_t value)
{
    static const char *const presets[VRM_LOOK_CHAIN_PRESET_COUNT] = {"eyes", "eyes-head", "upper-body", "whole-spine"};
    if (vrmi_json_is(&c->script->json, value, VRMI_JSON_NULL)) {
        vrm_instance_clear_look_chain(c->instance);
        return;
    }
    for (int i = 0; i < VRM_LOOK_CHAIN_PRESET_COUNT; ++i) {
        vrm_look_chain_def def = {.struct_size = sizeof def};
        vrm_look_bone bones[VRM_LOOK_CHAIN_PRESET_BONES];
        if (vrmi_json_string_equal(&c->script->json, value, presets[i]) &&
            vrm_look_chain_preset_def(vrm_instance_get_avatar(c->instance), (vrm_look_chain_preset)i, &def, bones) ==
                VRM_SUCCESS &&
            vrm_instance_set_look_chain(c->instance, &def, NULL) == VRM_SUCCESS) {
            return;
        }
    }
    vrmi_trace_refuse_word(
        c, value, "null, or one of eyes, eyes-head, upper-body and whole-spine whose bones the avatar has");
}

static void apply_lod(vrmi_trace_context *c, uint32_t value)
{
    for (int level = 0; level < VRM_LOD_COUNT; ++level) {
        if (vrmi_json_string_equal(&c->script->json, value, vrm_lod_name((vrm_lod)level))) {
            (void)vrm_instance_set_lod(c->instance, (vrm_lod)level);
            return;
        }
    }
    vrmi_trace_refuse_word(c, value, "full or sleep");
}

static void apply_update_interval(vrmi_trace_context *c, uint32_t value)
{
    double seconds = 0.0;
    if (!vrmi_json_number(&c->script->json, value, &seconds) ||
        vrm_instance_set_update_interval(c->instance, (float)seconds, 0.0f) != VRM_SUCCESS) {
        vrmi_trace_refuse(c, value, "seconds from 0 to 1");
    }
}

static void apply_look_weight(vrmi_trace_context *c, uint32_t value)
{
    double weight;
    if (!vrmi_json_number(&c->script->json, value, &weight) ||
        vrm_instance_set_look_chain_weight(c->instance, (float)weight) != VRM_SUCCESS) {
        vrmi_trace_refuse(c, value, "a number from 0 to 1, for an instance with a look chain");
    }
}

static vrm_dvec3 *read_tails(vrmi_trace_context *c, uint32_t value, const char *key, uint32_t count)
{
    const vrmi_json *json = &c->script->json;
    const uint32_t array = vrmi_read_array(&c->script->reader, value, key, VRMI_REQUIRED);
    if (array == VRMI_JSON_NONE) {
        return NULL;
    }
    if (vrmi_json_count(json, array) != 3 * count) {
        char found[64], expected[96];
        vrmi_format(found, sizeof found, "%u elements", vrmi_json_count(json, array));
        vrmi_format(expected, sizeof expected, "%u numbers: three for each of %u spring joints", 3 * count, count);
        vrmi_reader_report(&c->script->reader, VRM_FINDING_VALUE_NOT_IN_RANGE, array, NULL, found, expected);
        return NULL;
    }
    vrm_dvec3 *tails = vrmi_allocate(&c->script->allocator, count * sizeof(vrm_dvec3) + 1, 8);
    if (tails == NULL) {
        c->result = VRM_ERROR_OUT_OF_MEMORY;
        return NULL;
    }
    uint32_t v = vrmi_json_first(json, array);
    for (uint32_t i = 0; i < 3 * count; ++i, v = vrmi_json_next(json, v)) {
        double *number = vrmi_dvec3_axis(&tails[i / 3], i % 3);
        *number = 0.0;
        if (!vrmi_json_number(json, v, number)) {
            vrmi_trace_refuse(c, v, "a number");
        }
    }
    return tails;
}

static void apply_spring_tails(vrmi_trace_context *c, uint32_t value)
{
    static const char *const keys[] = {"current", "previous"};
    if (!vrmi_trace_object(c, value, keys, 2)) {
        return;
    }
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(vrm_instance_get_avatar(c->instance), &counts);
    const uint32_t count = counts.spring_joints;
    vrm_dvec3 *current = read_tails(c, value, "current", count);
    vrm_dvec3 *previous = read_tails(c, value, "previous", count);
    if (current != NULL && previous != NULL &&
        vrm_instance_set_spring_tails(c->instance, current, previous, count) != VRM_SUCCESS) {
        vrmi_trace_refuse(c, value, "finite positions");
    }
    vrmi_release(&c->script->allocator, current, count * sizeof(vrm_dvec3) + 1);
    vrmi_release(&c->script->allocator, previous, count * sizeof(vrm_dvec3) + 1);
}

static void apply_reset_pose(vrmi_trace_context *c, uint32_t value)
{
    if (vrmi_trace_is_true(c, value)) {
        vrm_instance_reset_pose(c->instance);
    }
}

static void apply_reset_springs(vrmi_trace_context *c, uint32_t value)
{
    if (vrmi_trace_is_true(c, value)) {
        vrm_instance_reset_springs(c->instance);
    }
}

static void apply_dt(vrmi_trace_context *c, uint32_t value)
{
    double dt;
    if (!vrmi_json_number(&c->script->json, value, &dt) || !(dt >= 0.0 && dt <= 10.0)) {
        vrmi_trace_refuse(c, value, "seconds from 0 to 10");
        return;
    }
    *c->dt = (float)dt;
}

static const vrmi_trace_key event_keys[] = {
    {.key = "frame"},
    {"humanBoneRotation", .each = set_bone_rotation},
    {"humanBoneTranslation", .each = set_bone_translation},
    {"humanPose", .each = set_bone_pose},
    {"resetPose", .apply = apply_reset_pose},
    {"nodeTranslation", .each = set_node_translation},
    {"nodeRotation", .each = set_node_rotation},
    {"nodeScale", .each = set_node_scale},
    {"root", .apply = apply_root},
    {"teleport", .apply = apply_teleport},
    {"expression", .each = set_expression},
    {"lookAtTarget", .apply = apply_look_at_target},
    {"yawPitch", .apply = apply_yaw_pitch},
    {"lookChain", .apply = apply_look_chain},
    {"lookWeight", .apply = apply_look_weight},
    {"lod", .apply = apply_lod},
    {"updateInterval", .apply = apply_update_interval},
    {"resetSprings", .apply = apply_reset_springs},
    {"springTails", .apply = apply_spring_tails},
    {"dt", .apply = apply_dt},
    {.key = "worldUpdate"},
    {.key = "initState"},
    {.key = "boneLength"},
    {.key = "rotateVRM0"},
};

static bool apply_key(vrmi_trace_context *c, uint32_t key, const vrmi_trace_key *keys, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        if (!vrmi_json_string_equal(&c->script->json, key, keys[i].key)) {
            continue;
        }
        const uint32_t value = vrmi_json_value(&c->script->json, key);
        if (keys[i].each != NULL) {
            for_each_member(c, value, keys[i].each);
        } else if (keys[i].apply != NULL) {
            keys[i].apply(c, value);
        }
        return true;
    }
    return false;
}

vrm_result vrmi_trace_script_apply(
    vrmi_trace_script *script, const vrmi_trace_event *event, vrm_instance *instance, float *dt)
{
    vrmi_trace_context c = {script, instance, dt, VRM_SUCCESS};
    const uint32_t errors = script->reader.errors;
    for (uint32_t key = vrmi_json_first(&script->json, event->json); key != VRMI_JSON_NONE;
         key = vrmi_json_next(&script->json, key)) {
        const size_t count = sizeof event_keys / sizeof event_keys[0];
        if (!apply_key(&c, key, event_keys, count) &&
            !apply_key(&c, key, vrmi_trace_ragdoll_keys, vrmi_trace_ragdoll_key_count)) {
            vrmi_reader_report(&script->reader, VRM_FINDING_TRACE_UNKNOWN_KEY, vrmi_json_value(&script->json, key),
                NULL, "", VRMI_TRACE_KEY_EXPECTED);
        }
    }
    if (c.result != VRM_SUCCESS) {
        return c.result;
    }
    return script->reader.errors != errors ? VRM_ERROR_INVALID_ASSET : VRM_SUCCESS;
}
