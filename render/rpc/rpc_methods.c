// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The operations with their parameters, for the loop, the checks and `vrm rpc describe`.

#include "rpc.h"

#define SESSION \
    { \
        "session_id", RPC_STRING, true, NULL \
    }
#define PICTURE \
    {"width", RPC_UINT, true, NULL}, {"height", RPC_UINT, true, NULL}, \
        {"color_space", RPC_STRING, true, "Linear Srgb"}, {"msaa", RPC_UINT, true, NULL}, \
    { \
        "output_type", RPC_STRING, true, "Color" \
    }
#define VERSION \
    { \
        "as_spec_version", RPC_STRING, false, "0.x 1.0" \
    }
#define BENCHMARK \
    SESSION, PICTURE, {"warmup_frames", RPC_UINT, false, NULL}, {"measured_frames", RPC_UINT, false, NULL}, \
    { \
        "animate_root_transform", RPC_OBJECT, false, NULL \
    }

const rpc_method rpc_methods[] = {
    {"load_vrm", NULL, rpc_load_vrm, true,
        {{"path", RPC_STRING, true, NULL}, {"augment_colliders", RPC_BOOL, false, NULL}}},
    {"set_camera", NULL, rpc_set_camera, false,
        {SESSION, {"position", RPC_VEC3, true, NULL}, {"target", RPC_VEC3, true, NULL}, {"up", RPC_VEC3, true, NULL},
            {"fov_degrees", RPC_NUMBER, true, NULL}}},
    {"set_lighting", NULL, rpc_set_lighting, false,
        {SESSION, {"directional", RPC_OBJECT, true, NULL}, {"ambient", RPC_OBJECT, true, NULL},
            {"cast_shadows", RPC_BOOL, false, NULL}, {"receive_shadows", RPC_BOOL, false, NULL}}},
    {"set_post_processing", NULL, rpc_set_post_processing, false,
        {SESSION, {"tone_mapping", RPC_STRING, true, "None Linear Reinhard Aces"},
            {"exposure", RPC_NUMBER, true, NULL}}},
    {"render", NULL, rpc_render, false, {SESSION, PICTURE, {"output_path", RPC_STRING, true, NULL}}},
    {"dispose", NULL, rpc_dispose, false, {SESSION}},
    {"step_physics", NULL, rpc_step_physics, false,
        {SESSION, {"dt_seconds", RPC_NUMBER, true, NULL}, {"count", RPC_UINT, true, NULL}}},
    {"reset_physics", NULL, rpc_reset_physics, false, {SESSION, {"settle_steps", RPC_UINT, true, NULL}}},
    {"animate_root_transform", NULL, rpc_animate_root, false,
        {SESSION, {"translation_start", RPC_VEC3, true, NULL}, {"translation_end", RPC_VEC3, true, NULL},
            {"duration_seconds", RPC_NUMBER, true, NULL}, {"fps", RPC_UINT, true, NULL}}},
    {"dump_bone_positions", NULL, rpc_dump_positions, false, {SESSION, {"spring_index", RPC_UINT, false, NULL}}},
    {"load_vrma", NULL, rpc_load_vrma, true, {{"vrma_path", RPC_STRING, true, NULL}}},
    {"apply_vrma_at_time", NULL, rpc_apply_vrma, false,
        {SESSION, {"vrma_handle", RPC_UINT, true, NULL}, {"vrm_handle", RPC_UINT, false, NULL},
            {"time_seconds", RPC_NUMBER, true, NULL}}},
    {"dump_humanoid_pose", NULL, rpc_dump_pose, false, {SESSION, VERSION}},
    {"dump_expression_weights", NULL, rpc_dump_expressions, false, {SESSION, VERSION}},
    {"dump_look_at_state", NULL, rpc_dump_look_at, false, {SESSION, VERSION}},
    {"render_sequence", NULL, rpc_render_sequence, false,
        {SESSION, PICTURE, {"output_dir", RPC_STRING, true, NULL}, {"frame_count", RPC_UINT, true, NULL},
            {"frame_hz", RPC_NUMBER, true, NULL}, {"physics_dt_seconds", RPC_NUMBER, true, NULL},
            {"output_format", RPC_STRING, true, "png_sequence mp4 mov"},
            {"animate_root_transform", RPC_OBJECT, false, NULL}, {"apply_vrma", RPC_OBJECT, false, NULL},
            {"capture_positions", RPC_BOOL, false, NULL}, {"capture_synthetic_colliders", RPC_BOOL, false, NULL}}},
    {"benchmark_plan", NULL, rpc_benchmark_plan, false, {BENCHMARK}},
    {"benchmark_execute", NULL, rpc_benchmark_execute, false, {BENCHMARK}},
    {"set_environment", "v1.x", NULL, false, {{0}}},
    {"set_expression", "Phase 3", NULL, false, {{0}}},
    {"set_humanoid_pose", "Phase 2", NULL, false, {{0}}},
    {"set_root_transform", "Phase 2", NULL, false, {{0}}},
};
const uint32_t rpc_method_count = sizeof rpc_methods / sizeof rpc_methods[0];

bool rpc_run(rpc_call *call, const rpc_method *method)
{
    if (method->run == NULL) {
        rpc_fail(call, RPC_UNIMPLEMENTED, "%s is reserved and not implemented", method->name);
        rpc_fail_data(call, "phase", method->phase);
        return false;
    }
    if (!rpc_check(call, method->parameters, call->params, "")) {
        return false;
    }
    call->session = method->sessionless ? NULL : rpc_find_session(call);
    return (method->sessionless || call->session != NULL) && method->run(call);
}
