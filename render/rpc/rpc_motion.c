// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// VRM animations: a clip is sampled at one time, and the result becomes the session's input, which operations can dump.

#include "rpc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double degrees = 180.0 / 3.14159265358979323846;

static uint32_t count_bones(uint64_t bones)
{
    uint32_t count = 0;
    for (; bones != 0; bones &= bones - 1) {
        ++count;
    }
    return count;
}

static bool fail_clip(rpc_call *call, int code, const char *path)
{
    vrmi_text report;
    vrmi_text_init(&report, NULL);
    cli_findings_text(&report, call->server->job->report, VRM_SEVERITY_WARNING, false);
    rpc_fail(call, code == CLI_EXIT_AGAIN ? RPC_INTERNAL : RPC_LOAD, "%s: no animation could be read", path);
    rpc_fail_data(call, "validator_report", report.size > 0 && report.data != NULL ? report.data : call->message);
    vrmi_text_free(&report);
    return false;
}

bool rpc_open_clip(rpc_call *call, const char *path)
{
    rpc_server *server = call->server;
    vrm_clip **clips = realloc(server->clips, (server->clip_count + 1) * sizeof(vrm_clip *));
    if (clips == NULL) {
        return rpc_fail_memory(call);
    }
    server->clips = clips;
    vrm_clip *clip = NULL;
    vrm_report_clear(server->job->report);
    const int code = strcmp(path, "-") == 0 ? CLI_EXIT_INPUT : cli_load_clip(server->job, path, NULL, &clip);
    if (code != CLI_EXIT_DONE) {
        return fail_clip(call, code, path);
    }
    server->clips[server->clip_count++] = clip;
    return true;
}

bool rpc_load_vrma(rpc_call *call)
{
    rpc_server *server = call->server;
    char *path = rpc_text(call, call->params, "vrma_path");
    const bool good = path != NULL && rpc_open_clip(call, path);
    free(path);
    if (!good) {
        return false;
    }
    vrm_clip_info info = {.struct_size = sizeof info};
    vrm_clip_get_info(server->clips[server->clip_count - 1], &info);
    cli_json_uint(call->result, "vrma_handle", server->clip_count);
    cli_json_open(call->result, "channel_summary", '{');
    cli_json_uint(call->result, "humanoid_bones", count_bones(info.bones));
    cli_json_uint(call->result, "expressions", info.expressions);
    cli_json_bool(call->result, "has_look_at", info.has_gaze);
    cli_json_float(call->result, "duration_seconds", info.duration);
    cli_json_close(call->result, '}');
    return true;
}

vrm_clip *rpc_find_clip(rpc_call *call, uint32_t handle)
{
    if (handle == 0 || handle > call->server->clip_count) {
        rpc_fail(call, RPC_PARAMS, "vrma_handle is %u: there is no such animation", handle);
        return NULL;
    }
    return call->server->clips[handle - 1];
}

bool rpc_apply_clip(rpc_call *call, vrm_clip *clip, double time)
{
    rpc_session *s = call->session;
    vrm_clip_play_params play;
    vrm_clip_play_params_default(&play);
    play.speed = 0.0f;
    vrm_result result = VRM_SUCCESS;
    if (s->player == NULL) {
        vrm_clip_player_def def;
        vrm_clip_player_def_default(&def);
        def.avatar = s->model.avatar;
        result = vrm_clip_player_create(&def, &s->player);
    }
    result = result == VRM_SUCCESS ? vrm_clip_player_play(s->player, 0, clip, &play) : result;
    result = result == VRM_SUCCESS ? vrm_clip_player_set_time(s->player, 0, time) : result;
    result = result == VRM_SUCCESS ? vrm_clip_player_apply(s->player, s->instance) : result;
    return result == VRM_SUCCESS || rpc_fail(call, RPC_INTERNAL, "%s", vrm_result_sentence(result));
}

// Reports the parts of the clip that apply to the avatar.
static void add_applied(rpc_call *call, const vrm_clip *clip)
{
    const vrm_avatar *avatar = call->session->model.avatar;
    vrm_clip_info info = {.struct_size = sizeof info};
    vrm_look_at look = {.struct_size = sizeof look};
    vrm_clip_get_info(clip, &info);
    vrm_avatar_get_look_at(avatar, &look);
    uint32_t bones = 0, expressions = 0;
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        bones += (info.bones >> bone & 1) != 0 && vrm_avatar_get_bone_node(avatar, (vrm_human_bone)bone) >= 0;
    }
    for (uint32_t i = 0; i < info.expressions; ++i) {
        vrm_string name = {0};
        (void)vrm_clip_get_expression(clip, i, &name);
        expressions += vrm_avatar_find_expression(avatar, name.data, name.length) >= 0;
    }
    cli_json_open(call->result, "channels_applied", '{');
    cli_json_uint(call->result, "humanoid_bones", bones);
    cli_json_uint(call->result, "expressions", expressions);
    cli_json_bool(call->result, "look_at", info.has_gaze && look.type != VRM_LOOK_AT_NONE);
    cli_json_close(call->result, '}');
}

bool rpc_apply_vrma(rpc_call *call)
{
    const double time = rpc_number(call, call->params, "time_seconds", 0.0);
    vrm_clip *clip = rpc_find_clip(call, rpc_uint(call, call->params, "vrma_handle", 0));
    if (clip == NULL || !rpc_apply_clip(call, clip, fmax(time, 0.0))) {
        return false;
    }
    rpc_update(call->session, 0.0);
    add_applied(call, clip);
    return true;
}

// --- dumps ---------------------------------------------------------------------------------------------------------

// Adds the file's version. Rejects a request for the other version if the conversion is not defined.
static bool add_version(rpc_call *call)
{
    const int wanted = rpc_word(call, call->params, "as_spec_version", "0.x 1.0", 1);
    if (wanted == 0 && !call->session->old) {
        rpc_fail(call, RPC_LOAD, "NormalizationDirectionUnsupported: a 1.0 model cannot be reported as 0.x");
        rpc_fail_data(call, "validator_report", "NormalizationDirectionUnsupported");
        return false;
    }
    cli_json_text(call->result, "source_spec_version", call->session->old ? "0.x" : "1.0");
    return true;
}

static const vrm_human_bone dumped_bones[] = {VRM_HUMAN_BONE_HIPS, VRM_HUMAN_BONE_SPINE, VRM_HUMAN_BONE_CHEST,
    VRM_HUMAN_BONE_NECK, VRM_HUMAN_BONE_HEAD, VRM_HUMAN_BONE_LEFT_SHOULDER, VRM_HUMAN_BONE_RIGHT_SHOULDER,
    VRM_HUMAN_BONE_LEFT_UPPER_ARM, VRM_HUMAN_BONE_RIGHT_UPPER_ARM, VRM_HUMAN_BONE_LEFT_LOWER_ARM,
    VRM_HUMAN_BONE_RIGHT_LOWER_ARM, VRM_HUMAN_BONE_LEFT_HAND, VRM_HUMAN_BONE_RIGHT_HAND, VRM_HUMAN_BONE_LEFT_UPPER_LEG,
    VRM_HUMAN_BONE_RIGHT_UPPER_LEG, VRM_HUMAN_BONE_LEFT_LOWER_LEG, VRM_HUMAN_BONE_RIGHT_LOWER_LEG,
    VRM_HUMAN_BONE_LEFT_FOOT, VRM_HUMAN_BONE_RIGHT_FOOT};
enum { DUMPED_BONES = sizeof dumped_bones / sizeof dumped_bones[0] };

bool rpc_dump_pose(rpc_call *call)
{
    const rpc_session *s = call->session;
    if (!add_version(call)) {
        return false;
    }
    cli_json_open(call->result, "bones", '[');
    for (int i = 0; i < DUMPED_BONES; ++i) {
        vrm_quat q;
        if (vrm_instance_get_normalized_rotation(s->instance, dumped_bones[i], &q) != VRM_SUCCESS) {
            continue;
        }
        // Axes of the file: those of VRM 0.x are turned by 180 degrees from libvrm's.
        const float side = s->old ? -1.0f : 1.0f;
        cli_json_open(call->result, NULL, '{');
        cli_json_text(call->result, "name", vrm_human_bone_name(dumped_bones[i]));
        cli_json_floats(call->result, "local_rotation_quat", (const float[]){side * q.x, q.y, side * q.z, q.w}, 4);
        cli_json_close(call->result, '}');
    }
    cli_json_close(call->result, ']');
    const int32_t hips = vrm_avatar_get_bone_node(s->model.avatar, VRM_HUMAN_BONE_HIPS);
    const vrm_dvec3 place = rpc_node_place(s, (uint32_t)(hips >= 0 ? hips : 0));
    cli_json_floats(call->result, "hips_translation",
        (const float[]){(float)(place.x - s->root.x), (float)(place.y - s->root.y), (float)(place.z - s->root.z)}, 3);
    cli_json_open(call->result, "bones_missing", '[');
    for (int i = 0; i < DUMPED_BONES; ++i) {
        if (vrm_avatar_get_bone_node(s->model.avatar, dumped_bones[i]) < 0) {
            cli_json_text(call->result, NULL, vrm_human_bone_name(dumped_bones[i]));
        }
    }
    cli_json_close(call->result, ']');
    return true;
}

static bool is_gaze(int preset)
{
    return preset >= VRM_EXPRESSION_PRESET_LOOK_UP && preset <= VRM_EXPRESSION_PRESET_LOOK_RIGHT;
}

bool rpc_dump_expressions(rpc_call *call)
{
    const vrm_avatar *avatar = call->session->model.avatar;
    vrm_outputs out = {.struct_size = sizeof out};
    if (!add_version(call)) {
        return false;
    }
    vrm_instance_get_outputs(call->session->instance, &out);
    cli_json_open(call->result, "presets", '{');
    for (int preset = 0; preset < VRM_EXPRESSION_PRESET_COUNT; ++preset) {
        const int32_t index = vrm_avatar_find_preset(avatar, (vrm_expression_preset)preset);
        if (!is_gaze(preset)) {
            cli_json_float(call->result, vrm_expression_preset_name((vrm_expression_preset)preset),
                index >= 0 ? out.expressions[index].input : 0.0f);
        }
    }
    cli_json_close(call->result, '}');
    cli_json_open(call->result, "custom", '{');
    for (uint32_t i = 0; i < out.expression_count; ++i) {
        vrm_expression expression = {.struct_size = sizeof expression};
        (void)vrm_avatar_get_expression(avatar, i, &expression);
        if (expression.preset != VRM_EXPRESSION_CUSTOM) {
            continue;
        }
        vrmi_text name;
        vrmi_text_init(&name, NULL);
        vrmi_text_add(&name, expression.name.data, expression.name.length);
        cli_json_float(call->result, name.data != NULL ? name.data : "", out.expressions[i].input);
        vrmi_text_free(&name);
    }
    cli_json_close(call->result, '}');
    return true;
}

bool rpc_dump_look_at(rpc_call *call)
{
    static const char *const via[] = {"off", "bone", "expression"};
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_look_at look = {.struct_size = sizeof look};
    if (!add_version(call)) {
        return false;
    }
    vrm_instance_get_outputs(call->session->instance, &out);
    vrm_avatar_get_look_at(call->session->model.avatar, &look);
    const double yaw = (double)out.look_yaw, pitch = (double)out.look_pitch;
    const double sy = sin(0.5 * yaw), cy = cos(0.5 * yaw), sp = sin(0.5 * pitch), cp = cos(0.5 * pitch);
    cli_json_floats(call->result, "gaze_direction_quat",
        (const float[]){(float)(cy * sp), (float)(sy * cp), (float)(-sy * sp), (float)(cy * cp)}, 4);
    cli_json_float(call->result, "yaw_deg", (float)(yaw * degrees));
    cli_json_float(call->result, "pitch_deg", (float)(pitch * degrees));
    cli_json_text(call->result, "applied_via", via[look.type]);
    const vrm_vec3 offset = look.offset_from_head_bone;
    cli_json_floats(call->result, "offset_from_head_bone", (const float[]){offset.x, offset.y, offset.z}, 3);
    return true;
}
