// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Runs a trace script on an instance and writes the results by glTF index (docs/trace.md).

#include <string.h>

#include "base/abi.h"
#include "base/checks.h"
#include "base/sha256.h"
#include "base/text.h"
#include "math/quat.h"
#include "model/model.h"
#include "record/trace_ragdoll.h"
#include "record/trace_text.h"

static const double degrees = 57.29577951308232;

void(vrm_trace_params_default)(vrm_trace_params *def, size_t size)
{
    const vrm_trace_params own = {.struct_size = sizeof own, .file = ""};
    vrmi_write_defaults(def, size, &own, sizeof own);
}

// The state for writing frames.
typedef struct tracer {
    const vrm_avatar *avatar;
    vrm_avatar_counts counts;
    vrmi_trace_script script;
    vrm_instance *instance;
    vrm_clip_player *player; // the player of the motion, or NULL
    vrm_outputs outputs;
    vrm_dvec3 *tails;            // tails of spring joints
    const uint32_t *file_joints; // indices of spring joints in file order
    vrmi_text out;
} tracer;

// --- head ----------------------------------------------------------------------------------------------------------

static void write_bones(tracer *t)
{
    bool first = true;
    vrmi_text_add_string(&t->out, ",\n\"humanBones\":{");
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        vrm_node node = {.struct_size = sizeof node};
        const int32_t index = vrm_avatar_get_bone_node(t->avatar, (vrm_human_bone)bone);
        if (index >= 0 && vrm_avatar_get_node(t->avatar, (uint32_t)index, &node) == VRM_SUCCESS) {
            vrmi_trace_add_key(&t->out, vrm_human_bone_name((vrm_human_bone)bone), first);
            vrmi_text_add_uint(&t->out, node.gltf_node);
            first = false;
        }
    }
    vrmi_text_add_string(&t->out, "}");
}

static int64_t gltf_index(const tracer *t, int32_t node)
{
    vrm_node row = {.struct_size = sizeof row};
    return node >= 0 && vrm_avatar_get_node(t->avatar, (uint32_t)node, &row) == VRM_SUCCESS ? (int64_t)row.gltf_node
                                                                                            : -1;
}

static int32_t center_of(const tracer *t, uint32_t joint, uint32_t *out_colliders)
{
    for (uint32_t i = 0; i < t->counts.spring_chains; ++i) {
        vrm_spring_chain chain = {.struct_size = sizeof chain};
        (void)vrm_avatar_get_spring_chain(t->avatar, i, &chain);
        if (joint >= chain.first_joint && joint < chain.first_joint + chain.joint_count) {
            *out_colliders = chain.collider_count;
            return chain.center;
        }
    }
    *out_colliders = 0;
    return -1;
}

static void write_springs(tracer *t)
{
    vrmi_text_add_string(&t->out, ",\n\"springJoints\":[");
    uint32_t pairs = 0;
    for (uint32_t i = 0; i < t->counts.spring_joints; ++i) {
        vrm_spring_joint joint = {.struct_size = sizeof joint};
        uint32_t colliders;
        (void)vrm_avatar_get_spring_joint(t->avatar, t->file_joints[i], &joint);
        const int32_t center = center_of(t, t->file_joints[i], &colliders);
        pairs += colliders;
        vrmi_text_format(&t->out, "%s{\"node\":%lld,\"tail\":%lld,\"center\":%lld}", i > 0 ? "," : "",
            (long long)gltf_index(t, (int32_t)joint.node), (long long)gltf_index(t, joint.tail_node),
            (long long)gltf_index(t, center));
    }
    uint32_t bones = 0;
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        bones += vrm_avatar_get_bone_node(t->avatar, (vrm_human_bone)bone) >= 0;
    }
    vrmi_text_format(&t->out,
        "],\n\"stats\":{\"nodes\":%u,\"humanBones\":%u,\"expressions\":%u,\"springs\":%u,\"springJoints\":%u,"
        "\"colliders\":%u,\"jointColliderPairs\":%u,\"constraints\":%u,\"materials\":%u,\"morphs\":%u}",
        t->counts.nodes, bones, t->counts.expressions, t->counts.spring_chains, t->counts.spring_joints,
        t->counts.colliders, pairs, t->counts.constraints, t->counts.materials, t->counts.morphs);
}

static void write_head(tracer *t, const vrm_trace_params *def)
{
    char hash[65];
    vrmi_sha256_hex(def->model, def->model_size, hash);
    const char *file = def->file != NULL ? def->file : "";
    vrmi_text_add_string(&t->out, "{\"schemaVersion\":1,\"model\":{\"file\":");
    vrmi_text_add_json_string(&t->out, file, strlen(file));
    vrmi_text_format(&t->out, ",\"sha256\":\"%s\"},\n\"metaVersion\":\"%s\",\"mode\":\"%s\",\"dt\":", hash,
        vrm_avatar_get_dialect(t->avatar)[0] == '0' ? "0" : "1", t->script.normalized ? "normalized" : "raw");
    vrmi_trace_add_number(&t->out, (double)t->script.dt);
    write_bones(t);
    write_springs(t);
    vrmi_trace_ragdoll_head(&t->script, &t->out);
    vrmi_text_add_string(&t->out, ",\n\"frames\":[");
}

// --- frames --------------------------------------------------------------------------------------------------------

// Returns the next glTF node of the script's selection, -1 at the end. `*cursor` starts at 0 (or at the list's first
// value) and is advanced.
static int32_t next_node(const tracer *t, uint32_t *cursor)
{
    const vrmi_json *json = &t->script.json;
    if (t->script.nodes == VRMI_JSON_NONE) {
        return *cursor < t->counts.nodes ? vrm_avatar_find_gltf_node(t->avatar, (*cursor)++) : -1;
    }
    uint32_t index;
    if (*cursor == VRMI_JSON_NONE || !vrmi_json_uint(json, *cursor, &index)) {
        return -1;
    }
    *cursor = vrmi_json_next(json, *cursor);
    return vrm_avatar_find_gltf_node(t->avatar, index);
}

static uint32_t first_node(const tracer *t)
{
    return t->script.nodes == VRMI_JSON_NONE ? 0 : vrmi_json_first(&t->script.json, t->script.nodes);
}

static void add_local(tracer *t, int32_t node, uint32_t part)
{
    static const uint32_t offsets[3] = {0, 3, 7}, widths[3] = {3, 4, 3};
    vrm_transform local;
    (void)vrm_instance_write_locals(t->instance, (uint32_t)node, 1, &local);
    vrmi_trace_add_numbers(&t->out, (const float *)(const void *)&local + offsets[part], widths[part]);
}

static void add_world(tracer *t, int32_t node)
{
    float matrix[16];
    const vrm_matrix_target target = {.struct_size = sizeof target, .memory = matrix, .format = VRM_MATRIX_4X4_COLUMNS};
    (void)vrm_instance_write_world(t->instance, (uint32_t)node, 1, &target);
    vrmi_trace_add_numbers(&t->out, matrix, 16);
}

static void write_nodes(tracer *t)
{
    static const char *const keys[4] = {"t", "r", "s", "w"};
    vrmi_text_add_string(&t->out, ",\"nodes\":{");
    for (uint32_t part = 0; part < 4; ++part) {
        vrmi_trace_add_key(&t->out, keys[part], part == 0);
        vrmi_text_add_string(&t->out, "[");
        uint32_t cursor = first_node(t);
        const char *between = "";
        for (int32_t node = next_node(t, &cursor); node >= 0; node = next_node(t, &cursor)) {
            vrmi_text_add_string(&t->out, between);
            between = ",";
            if (part < 3) {
                add_local(t, node, part);
            } else {
                add_world(t, node);
            }
        }
        vrmi_text_add_string(&t->out, "]");
    }
    vrmi_text_add_string(&t->out, "}");
}

static void write_expressions(tracer *t)
{
    vrmi_text_add_string(&t->out, ",\"expressions\":{");
    for (uint32_t i = 0; i < t->counts.expressions; ++i) {
        vrm_expression expression = {.struct_size = sizeof expression};
        (void)vrm_avatar_get_expression(t->avatar, i, &expression);
        vrmi_text_add_string(&t->out, i > 0 ? "," : "");
        vrmi_text_add_json_string(&t->out, expression.name.data, expression.name.length);
        vrmi_text_add_string(&t->out, ":{\"weight\":");
        vrmi_trace_add_number(&t->out, (double)t->outputs.expressions[i].input);
        vrmi_text_add_string(&t->out, ",\"applied\":");
        vrmi_trace_add_number(&t->out, (double)t->outputs.expressions[i].applied);
        vrmi_text_add_string(&t->out, "}");
    }
    vrmi_text_add_string(&t->out, "}");
}

static void write_morphs(tracer *t)
{
    vrmi_text_add_string(&t->out, ",\"morphs\":{");
    bool first = true;
    for (uint32_t i = 0; i < t->counts.meshes; ++i) {
        vrm_mesh_node mesh = {.struct_size = sizeof mesh};
        (void)vrm_avatar_get_mesh_node(t->avatar, i, &mesh);
        if (mesh.morph_count > 0) {
            vrmi_text_format(&t->out, "%s\"%lld\":[", first ? "" : ",", (long long)gltf_index(t, (int32_t)mesh.node));
            vrmi_trace_add_numbers(&t->out, t->outputs.morphs + mesh.first_morph, mesh.morph_count);
            vrmi_text_add_string(&t->out, "]");
            first = false;
        }
    }
    vrmi_text_add_string(&t->out, "}");
}

// three-vrm's names of the textures that are sampled by UVs. NULL for the matcap, which UVs do not sample.
static const char *const texture_names[VRM_TEXTURE_SLOT_COUNT] = {"map", "metallicRoughnessMap", "normalMap", "aoMap",
    "emissiveMap", "shadeMultiplyTexture", "shadingShiftTexture", NULL, "rimMultiplyTexture",
    "outlineWidthMultiplyTexture", "uvAnimationMaskTexture"};

static void write_textures(tracer *t, const vrm_material *material, const vrm_material_values *values)
{
    vrmi_text_add_string(&t->out, ",\"textures\":{");
    bool first = true;
    for (uint32_t slot = 0; slot < VRM_TEXTURE_SLOT_COUNT; ++slot) {
        const vrm_texture *texture = &material->params.textures[slot];
        if (texture->index < 0 || texture_names[slot] == NULL) {
            continue;
        }
        const vrm_texture_transform *base = &texture->transform;
        const float numbers[5] = {
            values->uv_base * base->offset[0] + values->uv_offset[0],
            values->uv_base * base->offset[1] + values->uv_offset[1],
            values->uv_base * base->scale[0] + values->uv_scale[0],
            values->uv_base * base->scale[1] + values->uv_scale[1],
            base->rotation,
        };
        vrmi_text_format(&t->out, "%s\"%s\":{\"offset\":[", first ? "" : ",", texture_names[slot]);
        vrmi_trace_add_numbers(&t->out, numbers, 2);
        vrmi_text_add_string(&t->out, "],\"scale\":[");
        vrmi_trace_add_numbers(&t->out, numbers + 2, 2);
        vrmi_text_add_string(&t->out, "],\"rotation\":");
        vrmi_trace_add_numbers(&t->out, numbers + 4, 1);
        vrmi_text_add_string(&t->out, "}");
        first = false;
    }
    vrmi_text_add_string(&t->out, "}");
}

static void write_materials(tracer *t)
{
    static const char *const names[VRM_MATERIAL_COLOR_COUNT] = {
        "color", "emissive", "shadeColor", "matcap", "rimColor", "outlineColor"};
    vrmi_text_add_string(&t->out, ",\"materials\":{");
    for (uint32_t i = 0; i < t->counts.materials; ++i) {
        vrm_material material = {.struct_size = sizeof material};
        (void)vrm_avatar_get_material(t->avatar, i, &material);
        const vrm_material_values *values = &t->outputs.materials[i];
        const bool mtoon = material.params.type == VRM_MATERIAL_MTOON;
        vrmi_text_format(&t->out, "%s\"%u\":{\"opacity\":", i > 0 ? "," : "", i);
        vrmi_trace_add_number(&t->out, (double)values->colors[VRM_MATERIAL_COLOR_BASE].w);
        for (uint32_t c = 0; c < (mtoon ? (uint32_t)VRM_MATERIAL_COLOR_COUNT : (uint32_t)VRM_MATERIAL_COLOR_SHADE);
             ++c) {
            vrmi_trace_add_key(&t->out, names[c], false);
            vrmi_text_add_string(&t->out, "[");
            vrmi_trace_add_numbers(&t->out, &values->colors[c].x, 3);
            vrmi_text_add_string(&t->out, "]");
        }
        write_textures(t, &material, values);
        vrmi_text_add_string(&t->out, "}");
    }
    vrmi_text_add_string(&t->out, "}");
}

static void write_look_at(tracer *t)
{
    vrmi_text_add_string(&t->out, ",\"lookAt\":{\"yaw\":");
    vrmi_trace_add_number(&t->out, (double)t->outputs.look_yaw * degrees);
    vrmi_text_add_string(&t->out, ",\"pitch\":");
    vrmi_trace_add_number(&t->out, (double)t->outputs.look_pitch * degrees);
    vrmi_text_add_string(&t->out, ",\"eyes\":{");
    bool first = true;
    for (int bone = VRM_HUMAN_BONE_LEFT_EYE; bone <= VRM_HUMAN_BONE_RIGHT_EYE; ++bone) {
        const int32_t node = vrm_avatar_get_bone_node(t->avatar, (vrm_human_bone)bone);
        if (node >= 0) {
            vrmi_trace_add_key(&t->out, vrm_human_bone_name((vrm_human_bone)bone), first);
            vrmi_text_add_string(&t->out, "[");
            add_local(t, node, 1);
            vrmi_text_add_string(&t->out, "]");
            first = false;
        }
    }
    vrmi_text_add_string(&t->out, "}}");
}

// Computes the ends of the bones as they are shown. The springs' own tails belong to the last tick, which may be before
// or after the shown time.
static void place_tails(tracer *t)
{
    for (uint32_t i = 0; i < t->counts.spring_joints; ++i) {
        vrm_spring_joint joint = {.struct_size = sizeof joint};
        float m[16];
        const vrm_matrix_target target = {.struct_size = sizeof target, .memory = m, .format = VRM_MATRIX_4X4_COLUMNS};
        (void)vrm_avatar_get_spring_joint(t->avatar, t->file_joints[i], &joint);
        (void)vrm_instance_write_world(t->instance, joint.node, 1, &target);
        const float tail[3] = {joint.tail.x, joint.tail.y, joint.tail.z};
        for (uint32_t axis = 0; axis < 3; ++axis) {
            *vrmi_dvec3_axis(&t->tails[i], axis) = (double)m[12 + axis] + (double)m[axis] * (double)tail[0] +
                                                   (double)m[4 + axis] * (double)tail[1] +
                                                   (double)m[8 + axis] * (double)tail[2];
        }
    }
}

static void write_tails(tracer *t)
{
    const uint32_t count = t->counts.spring_joints;
    if (t->script.spring_time == VRM_SPRING_TIME_REFERENCE) {
        (void)vrm_instance_get_spring_tails(t->instance, t->tails, NULL, count);
    } else {
        place_tails(t);
    }
    vrmi_text_add_string(&t->out, ",\"springTails\":[");
    for (uint32_t i = 0; i < 3 * count; ++i) {
        vrmi_text_add_string(&t->out, i > 0 ? "," : "");
        vrmi_trace_add_number(&t->out, *vrmi_dvec3_axis(&t->tails[i / 3], i % 3));
    }
    vrmi_text_add_string(&t->out, "]");
}

static void write_frame(tracer *t, uint32_t frame, double time, bool first)
{
    t->outputs.struct_size = sizeof t->outputs;
    vrm_instance_get_outputs(t->instance, &t->outputs);
    vrmi_text_format(&t->out, "%s\n{\"frame\":%u,\"time\":", first ? "" : ",", frame);
    vrmi_trace_add_number(&t->out, time);
    write_nodes(t);
    write_expressions(t);
    write_morphs(t);
    write_materials(t);
    write_look_at(t);
    write_tails(t);
    vrmi_trace_ragdoll_frame(&t->script, t->instance, &t->out);
    vrmi_text_add_string(&t->out, "}");
}

// Starts a player that does not advance by itself. Each frame sets its time, so that the motion follows the time of the
// trace.
static vrm_result start_motion(tracer *t, vrm_clip *motion)
{
    vrm_clip_player_def def;
    vrm_clip_player_def_default(&def);
    def.avatar = t->avatar;
    def.allocator = t->out.allocator;
    const vrm_result result = vrm_clip_player_create(&def, &t->player);
    if (result != VRM_SUCCESS) {
        return result;
    }
    vrm_clip_play_params play;
    vrm_clip_play_params_default(&play);
    play.speed = 0.0f;
    play.wrap = t->script.loop ? VRM_CLIP_WRAP_LOOP : VRM_CLIP_WRAP_HOLD;
    return vrm_clip_player_play(t->player, 0, motion, &play);
}

// --- run -----------------------------------------------------------------------------------------------------------

static vrm_result run_frames(tracer *t, const vrm_trace_params *def)
{
    vrm_update_params params;
    vrm_update_params_default(&params);
    params.dt = t->script.dt;
    params.spring_time = t->script.spring_time;
    params.profile = def->profile;
    const vrmi_trace_event *events = t->script.events.items;
    uint32_t next_event = 0;
    double time = 0.0;
    bool first = true;
    for (uint32_t frame = 0; frame < t->script.frames; ++frame) {
        if (t->player != NULL) {
            (void)vrm_clip_player_set_time(t->player, 0, time);
            (void)vrm_clip_player_apply(t->player, t->instance);
        }
        for (; next_event < t->script.events.count && events[next_event].frame <= frame; ++next_event) {
            const vrm_result result = vrmi_trace_script_apply(&t->script, &events[next_event], t->instance, &params.dt);
            if (result != VRM_SUCCESS) {
                return result;
            }
        }
        vrm_update_pose(t->instance, &params);
        (void)vrm_instance_take_requested_root(t->instance);
        vrmi_trace_ragdoll_step(&t->script, &def->engine, t->instance, params.dt);
        vrm_update_secondary(t->instance, &params);
        time += (double)params.dt;
        if (vrmi_trace_script_samples(&t->script, frame)) {
            write_frame(t, frame, time, first);
            first = false;
        }
        if (t->out.failed) {
            return VRM_ERROR_OUT_OF_MEMORY;
        }
        if (def->progress != NULL &&
            !def->progress((float)(frame + 1) / (float)t->script.frames, "frames", def->progress_user)) {
            return VRM_ERROR_CANCELLED;
        }
    }
    vrmi_text_add_string(&t->out, "\n]}\n");
    return t->out.failed ? VRM_ERROR_OUT_OF_MEMORY : VRM_SUCCESS;
}

// Moves the instance into the file's own space, which a trace uses. For VRM 0.x, which faces -Z, this removes the half
// turn above the roots. Gravity is in world axes and must be rotated, too.
static vrm_result enter_file_space(tracer *t)
{
    const vrm_quat back = vrmi_quat_conjugate(t->avatar->model->head.root_from_nodes);
    vrm_root root;
    vrm_instance_get_root(t->instance, &root);
    root.rotation = back;
    vrm_result result = vrm_instance_set_root(t->instance, &root);
    const bool turned = t->avatar->model->head.dialect == VRMI_DIALECT_0_X;
    for (uint32_t i = 0; i < t->counts.spring_joints && turned && result == VRM_SUCCESS; ++i) {
        vrm_spring_joint joint = {.struct_size = sizeof joint};
        (void)vrm_avatar_get_spring_joint(t->avatar, i, &joint);
        joint.params.gravity_dir = vrmi_quat_rotate(back, joint.params.gravity_dir);
        result = vrm_instance_set_spring_joint(t->instance, i, &joint.params);
    }
    return result;
}

static vrm_result run(tracer *t, const vrm_trace_params *def)
{
    vrm_instance_def instance_def;
    vrm_instance_def_default(&instance_def);
    instance_def.avatar = t->avatar;
    instance_def.look_chain_bones = VRM_LOOK_CHAIN_PRESET_BONES;
    instance_def.allocator = t->out.allocator;
    instance_def.ragdoll_bodies = t->script.ragdoll.json != VRMI_JSON_NONE ? VRM_RAGDOLL_MAX_BODIES : 0;
    instance_def.hair_inputs = true;
    instance_def.spring_parameters = t->avatar->model->head.dialect == VRMI_DIALECT_0_X;
    vrm_result result = vrm_instance_create(&instance_def, &t->instance);
    if (result == VRM_SUCCESS) {
        result = enter_file_space(t);
    }
    if (result == VRM_SUCCESS) {
        result = vrmi_trace_ragdoll_begin(&t->script, &def->engine, t->instance);
    }
    if (result == VRM_SUCCESS && def->motion != NULL) {
        result = start_motion(t, def->motion);
    }
    if (result != VRM_SUCCESS) {
        return result;
    }
    write_head(t, def);
    return run_frames(t, def);
}

vrm_result vrm_trace_run(
    const vrm_trace_params *def, const vrm_avatar *avatar, vrm_string script, vrm_report *report, vrm_bytes *out_trace)
{
    vrm_trace_params own;
    vrm_trace_params_default(&own);
    if (avatar == NULL || out_trace == NULL || !VRMI_READ_OPTIONS(vrm_trace_params, &own, def) ||
        (script.data == NULL && script.length > 0) || (own.model == NULL && own.model_size > 0)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    def = &own;
    *out_trace = (vrm_bytes){0};
    vrm_allocator allocator;
    vrmi_resolve_allocator(&def->allocator, &allocator);
    tracer t = {.avatar = avatar};
    vrm_result result = vrmi_trace_script_parse(&t.script, script, &allocator, report);
    if (result != VRM_SUCCESS) {
        return result;
    }
    t.counts.struct_size = sizeof t.counts;
    vrm_avatar_get_counts(avatar, &t.counts);
    vrmi_text_init(&t.out, &allocator);
    const size_t tails_size = (size_t)t.counts.spring_joints * sizeof(vrm_dvec3) + 1;
    t.tails = vrmi_allocate(&allocator, tails_size, 8);
    t.file_joints = vrmi_model_spring_file_order(avatar->model);
    result = t.tails != NULL ? run(&t, def) : VRM_ERROR_OUT_OF_MEMORY;
    if (result == VRM_SUCCESS) {
        out_trace->allocator = allocator;
        out_trace->data = vrmi_text_take(&t.out, &out_trace->size);
        result = out_trace->data != NULL ? VRM_SUCCESS : VRM_ERROR_OUT_OF_MEMORY;
    }
    vrm_clip_player_destroy(t.player);
    vrm_instance_destroy(t.instance);
    vrmi_release(&allocator, t.tails, tails_size);
    vrmi_text_free(&t.out);
    vrmi_trace_script_free(&t.script);
    return result;
}
