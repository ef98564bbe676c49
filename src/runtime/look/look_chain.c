// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Setters of the look chain. A chain is checked completely before it is copied; if a check fails, nothing changes.

#include "runtime/look/look.h"

#include "base/abi.h"
#include "base/checks.h"
#include "base/float_environment.h"
#include "math/random.h"
#include "runtime/core/instance.h"

#define DEGREE (VRMI_PI / 180.0f)

void vrm_look_bone_default(vrm_look_bone *bone)
{
    if (VRM_ASSERT(bone != NULL)) {
        *bone = (vrm_look_bone){.node = -1,
            .limit = VRMI_PI,
            .limit_yaw = VRMI_PI,
            .limit_up = VRMI_PI,
            .limit_down = VRMI_PI,
            .limit_roll = VRMI_PI};
    }
}

// --- presets -------------------------------------------------------------------------------------------------------

static const struct {
    vrm_human_bone bone;
    float degrees, around_up, share;
} preset_bones[] = {
    {VRM_HUMAN_BONE_HEAD, 45.0f, 0.0f, 0.5f},
    {VRM_HUMAN_BONE_NECK, 25.0f, 0.0f, 0.3f},
    {VRM_HUMAN_BONE_UPPER_CHEST, 12.0f, 0.1f, 0.1f},
    {VRM_HUMAN_BONE_CHEST, 12.0f, 0.2f, 0.1f},
    {VRM_HUMAN_BONE_SPINE, 15.0f, 0.7f, 0.1f},
};

vrm_result vrm_look_chain_preset_def(
    const vrm_avatar *avatar, vrm_look_chain_preset preset, vrm_look_chain_def *def, vrm_look_bone *bones)
{
    static const uint32_t lengths[VRM_LOOK_CHAIN_PRESET_COUNT] = {0, 1, 4, 5}; // number of preset_bones used, by preset
    if (avatar == NULL || def == NULL || bones == NULL || (int)preset < 0 || preset >= VRM_LOOK_CHAIN_PRESET_COUNT) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    vrm_look_chain_def own = {.struct_size = sizeof own};
    vrm_look_chain_def_default(&own);
    own.bones = bones;
    const int32_t *nodes = avatar->model->head.bone_node;
    if (vrmi_has_eyes(avatar->model)) {
        vrm_look_bone_default(&bones[0]);
        bones[own.bone_count++].node = VRM_LOOK_CHAIN_EYES;
    }
    for (uint32_t i = 0; i < lengths[preset]; ++i) {
        if (nodes[preset_bones[i].bone] >= 0) {
            vrm_look_bone *bone = &bones[own.bone_count++];
            vrm_look_bone_default(bone);
            bone->node = nodes[preset_bones[i].bone];
            bone->limit = preset_bones[i].degrees * DEGREE;
            bone->around_up = preset_bones[i].around_up;
            bone->orientation_share = preset_bones[i].share;
        }
    }
    const vrm_result result = VRMI_ANSWER(vrm_look_chain_def, def, &own);
    return result != VRM_SUCCESS || own.bone_count > 0 ? result : VRM_ERROR_NOT_FOUND;
}

// --- checks --------------------------------------------------------------------------------------------------------

const char *vrm_look_chain_fault_name(vrm_look_chain_fault fault)
{
    static const char *const names[] = {
#define FAULT_NAME(name, number, sentence) [number] = #name,
        VRM_LOOK_CHAIN_FAULTS(FAULT_NAME)
#undef FAULT_NAME
    };
    return (int)fault >= 0 && fault < VRM_LOOK_CHAIN_FAULT_COUNT ? names[fault] : "UNKNOWN";
}

const char *vrm_look_chain_fault_sentence(vrm_look_chain_fault fault)
{
    static const char *const sentences[] = {
#define FAULT_SENTENCE(name, number, sentence) [number] = sentence,
        VRM_LOOK_CHAIN_FAULTS(FAULT_SENTENCE)
#undef FAULT_SENTENCE
    };
    return (int)fault >= 0 && fault < VRM_LOOK_CHAIN_FAULT_COUNT ? sentences[fault] : "UNKNOWN";
}

static bool within(float value, float low, float high)
{
    return value >= low && value <= high; // false for NaN
}

// Returns true if `above` is an ancestor of `node`, or `node` itself. The nodes can be the same only if they are the
// head, after VRM_LOOK_CHAIN_EYES.
static bool holds(const vrmi_model *model, int32_t above, int32_t node)
{
    return node >= above && (uint32_t)node < vrmi_model_node_subtree_end(model)[above];
}

static bool is_axis(vrm_vec3 v)
{
    const float size = v.x * v.x + v.y * v.y + v.z * v.z;
    return size == 0.0f || within(size, 1e-12f, 1e12f);
}

static bool values_fit(const vrm_look_bone *b)
{
#define FITS(field, min, max) within(b->field, min, max) &&
    return VRMI_LOOK_BONE_RANGES(FITS) is_axis(b->forward) && is_axis(b->parent_forward);
#undef FITS
}

static bool settings_fit(const vrm_look_chain_def *d)
{
    const float up = d->up.x * d->up.x + d->up.y * d->up.y + d->up.z * d->up.z;
#define FITS(field, min, max) within(d->field, min, max) &&
    return VRMI_LOOK_CHAIN_RANGES(FITS) d->idle_interval_min <= d->idle_interval_max &&
           d->mode >= VRM_LOOK_CHAIN_MODE_DEFAULT && d->mode <= VRM_LOOK_CHAIN_MODE_ARTICLE &&
           within(up, 1e-12f, 1e12f);
#undef FITS
}

static vrm_look_chain_fault check_bone(const vrm_instance *instance, const vrm_look_chain_def *def, uint32_t index)
{
    const vrmi_model *model = instance->model;
    const vrm_look_bone *bone = &def->bones[index];
    if (bone->node == VRM_LOOK_CHAIN_EYES) {
        if (index != 0) {
            return VRM_LOOK_CHAIN_FAULT_EYES_NOT_FIRST;
        }
        return !vrmi_has_eyes(model) ? VRM_LOOK_CHAIN_FAULT_EYES_MISSING
                                     : (values_fit(bone) ? VRM_LOOK_CHAIN_FAULT_NONE : VRM_LOOK_CHAIN_FAULT_BONE_VALUE);
    }
    if (bone->node < 0 || (uint32_t)bone->node >= model->node_parent.count) {
        return VRM_LOOK_CHAIN_FAULT_BONE_MISSING;
    }
    if (!vrmi_has_pose(instance, (uint32_t)bone->node)) {
        return VRM_LOOK_CHAIN_FAULT_HAIR;
    }
    for (uint32_t i = 0; i < index; ++i) {
        if (def->bones[i].node == bone->node) {
            return VRM_LOOK_CHAIN_FAULT_BONE_REPEATED;
        }
    }
    if (index > 0) {
        const int32_t before = def->bones[index - 1].node;
        const int32_t held = before == VRM_LOOK_CHAIN_EYES ? model->head.bone_node[VRM_HUMAN_BONE_HEAD] : before;
        if (!holds(model, bone->node, held)) {
            return VRM_LOOK_CHAIN_FAULT_BONE_NOT_ANCESTOR;
        }
    }
    return values_fit(bone) ? VRM_LOOK_CHAIN_FAULT_NONE : VRM_LOOK_CHAIN_FAULT_BONE_VALUE;
}

static bool is_in_chain(const vrm_look_chain_def *def, int32_t node)
{
    for (uint32_t i = 0; i < def->bone_count; ++i) {
        if (def->bones[i].node == node) {
            return true;
        }
    }
    return false;
}

static bool linked_before(const vrm_look_chain_def *def, uint32_t bone, uint32_t link)
{
    const int32_t node = def->bones[bone].links[link].node;
    for (uint32_t b = 0; b <= bone; ++b) {
        const uint32_t end = b == bone ? link : def->bones[b].link_count;
        for (uint32_t l = 0; l < end; ++l) {
            if (def->bones[b].links[l].node == node) {
                return true;
            }
        }
    }
    return false;
}

static vrm_look_chain_error check_links(const vrm_instance *instance, const vrm_look_chain_def *def)
{
    uint32_t total = 0;
    for (uint32_t b = 0; b < def->bone_count; ++b) {
        const vrm_look_bone *bone = &def->bones[b];
        if (bone->link_count > instance->def.look_chain_links - total ||
            (bone->link_count > 0 && (bone->links == NULL || bone->node == VRM_LOOK_CHAIN_EYES))) {
            return (vrm_look_chain_error){.fault = VRM_LOOK_CHAIN_FAULT_TOO_MANY_LINKS, .bone = (int32_t)b, .link = -1};
        }
        total += bone->link_count;
        for (uint32_t l = 0; l < bone->link_count; ++l) {
            const int32_t node = bone->links[l].node;
            if (node < 0 || (uint32_t)node >= instance->model->node_parent.count) {
                return (vrm_look_chain_error){
                    .fault = VRM_LOOK_CHAIN_FAULT_LINK_MISSING, .bone = (int32_t)b, .link = (int32_t)l};
            }
            if (!vrmi_has_pose(instance, (uint32_t)node)) {
                return (vrm_look_chain_error){
                    .fault = VRM_LOOK_CHAIN_FAULT_HAIR, .bone = (int32_t)b, .link = (int32_t)l};
            }
            if (is_in_chain(def, node) || linked_before(def, b, l)) {
                return (vrm_look_chain_error){
                    .fault = VRM_LOOK_CHAIN_FAULT_LINK_REPEATED, .bone = (int32_t)b, .link = (int32_t)l};
            }
        }
    }
    return (vrm_look_chain_error){.fault = VRM_LOOK_CHAIN_FAULT_NONE, .bone = -1, .link = -1};
}

static vrm_look_chain_error check(const vrm_instance *instance, const vrm_look_chain_def *def)
{
    const vrm_look_chain_error none = {.fault = VRM_LOOK_CHAIN_FAULT_NONE, .bone = -1, .link = -1};
    if (!settings_fit(def)) {
        return (vrm_look_chain_error){.fault = VRM_LOOK_CHAIN_FAULT_VALUE, .bone = -1, .link = -1};
    }
    if (def->bone_count == 0 || def->bones == NULL) {
        return (vrm_look_chain_error){.fault = VRM_LOOK_CHAIN_FAULT_EMPTY, .bone = -1, .link = -1};
    }
    if (def->bone_count > instance->def.look_chain_bones) {
        return (vrm_look_chain_error){.fault = VRM_LOOK_CHAIN_FAULT_TOO_LONG, .bone = -1, .link = -1};
    }
    for (uint32_t i = 0; i < def->bone_count; ++i) {
        const vrm_look_chain_fault fault = check_bone(instance, def, i);
        if (fault != VRM_LOOK_CHAIN_FAULT_NONE) {
            return (vrm_look_chain_error){.fault = fault, .bone = (int32_t)i, .link = -1};
        }
    }
    const vrm_look_chain_error links = check_links(instance, def);
    return links.fault != VRM_LOOK_CHAIN_FAULT_NONE ? links : none;
}

// --- setting -------------------------------------------------------------------------------------------------------

static bool is_zero(vrm_vec3 v)
{
    return v.x == 0.0f && v.y == 0.0f && v.z == 0.0f;
}

// Resolves the axes of a bone. If no forward vector is given, it is the model's +Z at rest, whatever the rest rotations
// are.
static void resolve_axes(const vrmi_model *model, const vrm_look_bone *in, bool article, vrmi_look_bone *out)
{
    const vrm_vec3 ahead = {0.0f, 0.0f, 1.0f};
    const int32_t parent = in->node >= 0 ? vrmi_model_node_parent(model)[in->node] : -1;
    const vrm_quat held =
        in->node < 0 ? vrmi_quat_identity()
                     : (parent >= 0 ? vrmi_model_node_rest_rotation(model)[parent] : model->head.root_from_nodes);
    const vrm_quat rest = in->node < 0 ? vrmi_quat_identity() : vrmi_model_node_rest_rotation(model)[in->node];
    out->forward = is_zero(in->forward) ? vrmi_quat_rotate(vrmi_quat_conjugate(rest), ahead)
                                        : vrmi_vec3_normalize_or(in->forward, ahead);
    vrm_vec3 center = is_zero(in->forward) ? ahead : vrmi_quat_rotate(rest, out->forward);
    if (article) {
        center = is_zero(in->parent_forward)
                     ? ahead
                     : vrmi_quat_rotate(held, vrmi_vec3_normalize_or(in->parent_forward, ahead));
    }
    const vrm_quat turn =
        is_zero(vrmi_vec3_sub(center, ahead)) ? vrmi_quat_identity() : vrmi_quat_from_to(ahead, center);
    out->frame = vrmi_quat_normalize(vrmi_quat_mul(vrmi_quat_conjugate(held), turn));
}

static void store(vrm_instance *instance, const vrm_look_chain_def *def)
{
    vrmi_look_chain *chain = &instance->look;
    const bool oriented = chain->oriented;
    const float yaw = chain->yaw, pitch = chain->pitch, roll = chain->roll;
    vrmi_look_chain_init(chain);
    chain->oriented = oriented;
    chain->yaw = yaw;
    chain->pitch = pitch;
    chain->roll = roll;
    chain->def = *def;
    chain->def.bones = NULL;
    chain->def.up = vrmi_vec3_normalize_or(def->up, vrmi_vec3(0.0f, 1.0f, 0.0f));
    chain->weight = def->weight;
    chain->random = vrmi_random_seeded(def->idle_seed);
    for (uint32_t b = 0; b < def->bone_count; ++b) {
        const vrm_look_bone *in = &def->bones[b];
        vrmi_look_bone *out = &instance->look_bones[b];
        *out = (vrmi_look_bone){.node = in->node,
            .reset = in->reset,
            .asymmetric = in->asymmetric && def->mode == VRM_LOOK_CHAIN_MODE_DEFAULT,
            .limit = in->limit,
            .around_up = in->around_up,
            .limit_yaw = in->limit_yaw,
            .limit_up = in->limit_up,
            .limit_down = in->limit_down,
            .limit_roll = in->limit_roll,
            .orientation_share = in->orientation_share,
            .first_link = chain->link_count,
            .link_count = in->link_count,
            .shown = vrmi_quat_identity(),
            .from = vrmi_quat_identity()};
        resolve_axes(instance->model, in, def->mode == VRM_LOOK_CHAIN_MODE_ARTICLE, out);
        for (uint32_t l = 0; l < in->link_count; ++l) {
            instance->look_links[chain->link_count++] =
                (vrmi_look_link_row){.node = in->links[l].node, .reset = in->links[l].reset};
        }
    }
    chain->bone_count = def->bone_count;
    vrmi_look_chain_find_eyes(instance);
}

// Writes the error. `out_error` may be NULL.
static void tell(vrm_look_chain_error *out_error, const vrm_look_chain_error *error)
{
    (void)VRM_ASSERT(out_error == NULL || VRMI_WRITE_OUTPUT(vrm_look_chain_error, out_error, error));
}

vrm_result vrm_instance_set_look_chain(
    vrm_instance *instance, const vrm_look_chain_def *def, vrm_look_chain_error *out_error)
{
    vrm_look_chain_def own = {.struct_size = sizeof own};
    vrm_look_chain_def_default(&own);
    if (instance == NULL || def == NULL || !VRMI_READ_OPTIONS(vrm_look_chain_def, &own, def)) {
        tell(out_error, &(vrm_look_chain_error){.fault = VRM_LOOK_CHAIN_FAULT_VALUE, .bone = -1, .link = -1});
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const vrmi_float_environment host = vrmi_float_enter();
    const vrm_look_chain_error error = check(instance, &own);
    if (error.fault == VRM_LOOK_CHAIN_FAULT_NONE) {
        store(instance, &own);
        vrmi_instance_stir(instance);
    }
    vrmi_float_leave(host);
    tell(out_error, &error);
    return error.fault == VRM_LOOK_CHAIN_FAULT_NONE ? VRM_SUCCESS : VRM_ERROR_INVALID_ARGUMENT;
}

void vrm_instance_clear_look_chain(vrm_instance *instance)
{
    if (VRM_ASSERT(instance != NULL)) {
        vrmi_look_chain_init(&instance->look);
        vrmi_instance_stir(instance);
    }
}

// --- weight --------------------------------------------------------------------------------------------------------

vrm_result vrm_instance_set_look_chain_weight(vrm_instance *instance, float weight)
{
    if (instance == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    if (!vrmi_finite(weight)) {
        return vrmi_instance_refuse_not_finite(instance);
    }
    if (!within(weight, 0.0f, 1.0f) || instance->look.bone_count == 0) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    vrmi_instance_put(instance, &instance->look.weight, &weight, sizeof(weight));
    instance->look.in_transition = false;
    return VRM_SUCCESS;
}

float vrm_instance_get_look_chain_weight(const vrm_instance *instance)
{
    return VRM_ASSERT(instance != NULL) && instance->look.bone_count > 0 ? instance->look.weight : 0.0f;
}

static vrm_result begin_transition(vrm_instance *instance, float to, float seconds, uint32_t flags)
{
    if (instance == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    if (!vrmi_finite(seconds)) {
        return vrmi_instance_refuse_not_finite(instance);
    }
    vrmi_look_chain *chain = &instance->look;
    if (seconds < 0.0f || (flags & ~(uint32_t)VRM_TRANSITION_KEEP) != 0 || chain->bone_count == 0) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    vrmi_instance_clamp(instance, &seconds, VRMI_LARGEST_NUMBER);
    if (chain->in_transition && (flags & VRM_TRANSITION_KEEP) != 0) {
        return VRM_SUCCESS;
    }
    chain->in_transition = seconds > 0.0f;
    chain->transition_from = chain->weight;
    chain->transition_to = to;
    chain->elapsed = 0.0;
    chain->duration = (double)seconds;
    chain->weight = chain->in_transition ? chain->weight : to;
    vrmi_instance_stir(instance);
    return VRM_SUCCESS;
}

vrm_result vrm_instance_enable_look_chain(vrm_instance *instance, float seconds, uint32_t flags)
{
    return begin_transition(instance, 1.0f, seconds, flags);
}

vrm_result vrm_instance_disable_look_chain(vrm_instance *instance, float seconds, uint32_t flags)
{
    return begin_transition(instance, 0.0f, seconds, flags);
}

bool vrm_instance_is_look_chain_in_transition(const vrm_instance *instance)
{
    return VRM_ASSERT(instance != NULL) && instance->look.in_transition;
}

float vrm_instance_get_look_chain_transition_time_left(const vrm_instance *instance)
{
    const bool runs = VRM_ASSERT(instance != NULL) && instance->look.in_transition;
    return runs ? (float)(instance->look.duration - instance->look.elapsed) : 0.0f;
}

// --- orientation and results -----------------------------------------------------------------------------------------

vrm_result vrm_instance_set_head_orientation(vrm_instance *instance, float yaw, float pitch, float roll)
{
    if (instance == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    if (!vrmi_finite(yaw) || !vrmi_finite(pitch) || !vrmi_finite(roll)) {
        return vrmi_instance_refuse_not_finite(instance);
    }
    const float most = VRMI_PI + 1e-6f;
    if (!within(yaw, -most, most) || !within(pitch, -most, most) || !within(roll, -most, most)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    vrmi_look_chain *chain = &instance->look;
    if (!chain->oriented || chain->yaw != yaw || chain->pitch != pitch || chain->roll != roll) {
        chain->oriented = true;
        chain->yaw = yaw;
        chain->pitch = pitch;
        chain->roll = roll;
        vrmi_instance_stir(instance);
    }
    return VRM_SUCCESS;
}

void vrm_instance_clear_head_orientation(vrm_instance *instance)
{
    if (VRM_ASSERT(instance != NULL)) {
        const bool none = false;
        vrmi_instance_put(instance, &instance->look.oriented, &none, sizeof(none));
    }
}

void vrm_instance_get_look_chain_state(const vrm_instance *instance, vrm_look_chain_state *out_state)
{
    (void)VRM_ASSERT(instance != NULL && out_state != NULL &&
                     VRMI_WRITE_OUTPUT(vrm_look_chain_state, out_state, &instance->look.state));
}
