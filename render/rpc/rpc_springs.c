// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "rpc.h"

#include <math.h>

enum { MOST_STEPS = 1000000 };

// Runs a number of steps. Returns false if the process must stop.
static bool run_steps(rpc_call *call, double dt, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        if (i % 1024 == 1023 && cli_cancelled()) {
            return rpc_fail(call, RPC_INTERNAL, "%s", vrm_result_sentence(VRM_ERROR_CANCELLED));
        }
        rpc_update(call->session, dt);
    }
    return true;
}

static bool check_count(rpc_call *call, const char *name, double count)
{
    return count <= MOST_STEPS ||
           rpc_fail(call, RPC_PARAMS, "%s: %g steps: expected at most %d", name, count, MOST_STEPS);
}

static bool check_time(rpc_call *call, const char *name, double seconds)
{
    return (seconds >= 0.0 && seconds <= 10.0) ||
           rpc_fail(call, RPC_PARAMS, "%s is %g: expected 0 to 10 seconds", name, seconds);
}

bool rpc_step_physics(rpc_call *call)
{
    const double dt = rpc_number(call, call->params, "dt_seconds", 0.0);
    const uint32_t count = rpc_uint(call, call->params, "count", 0);
    return check_time(call, "dt_seconds", dt) && check_count(call, "count", count) && run_steps(call, dt, count);
}

bool rpc_reset_physics(rpc_call *call)
{
    const uint32_t steps = rpc_uint(call, call->params, "settle_steps", 0);
    if (!check_count(call, "settle_steps", steps)) {
        return false;
    }
    vrm_instance_reset_springs(call->session->instance);
    rpc_update(call->session, 0.0);
    return run_steps(call, 1.0 / 60.0, steps);
}

bool rpc_animate_root(rpc_call *call)
{
    double start[3] = {0}, end[3] = {0}, now[3];
    rpc_vector(call, call->params, "translation_start", start);
    rpc_vector(call, call->params, "translation_end", end);
    const double duration = rpc_number(call, call->params, "duration_seconds", 0.0);
    const uint32_t fps = rpc_uint(call, call->params, "fps", 0);
    if (fps == 0) {
        return rpc_fail(call, RPC_PARAMS, "fps is 0: expected at least 1");
    }
    if (!(duration >= 0.0)) {
        return rpc_fail(call, RPC_PARAMS, "duration_seconds is %g: expected at least 0", duration);
    }
    const double steps = fmax(1.0, round(duration * fps));
    if (!check_count(call, "duration_seconds times fps", steps)) {
        return false;
    }
    for (uint32_t i = 1; i <= (uint32_t)steps; ++i) {
        for (int k = 0; k < 3; ++k) {
            now[k] = start[k] + (end[k] - start[k]) * (i / steps);
        }
        rpc_place(call->session, now);
        if (!run_steps(call, 1.0 / fps, 1)) {
            return false;
        }
    }
    return true;
}

// --- positions of joints ---------------------------------------------------------------------------------------------

static void add_place(rpc_call *call, uint32_t node)
{
    const vrm_dvec3 place = rpc_node_place(call->session, node);
    cli_json_floats(call->result, NULL, (const float[]){(float)place.x, (float)place.y, (float)place.z}, 3);
}

// Adds the positions of a chain's simulated joints and of the node at its end. In VRM 0.x the last tail is not a node.
static void add_chain(rpc_call *call, const vrm_spring_chain *chain)
{
    const vrm_avatar *avatar = call->session->model.avatar;
    vrm_spring_joint joint = {.struct_size = sizeof joint};
    for (uint32_t i = 0; i < chain->joint_count; ++i) {
        (void)vrm_avatar_get_spring_joint(avatar, chain->first_joint + i, &joint);
        add_place(call, joint.node);
    }
    if (chain->joint_count > 0 && joint.tail_node >= 0) {
        add_place(call, (uint32_t)joint.tail_node);
    }
}

bool rpc_add_springs(rpc_call *call, const char *name, int64_t wanted)
{
    const vrm_avatar *avatar = call->session->model.avatar;
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(avatar, &counts);
    cli_json_open(call->result, name, '[');
    // The avatar lists chains in the order of simulation; the result lists them in the file's order of springs.
    int64_t index = 0;
    for (uint32_t spring = 0, left = counts.spring_chains; left > 0; ++spring) {
        for (uint32_t c = 0; c < counts.spring_chains; ++c) {
            vrm_spring_chain chain = {.struct_size = sizeof chain};
            (void)vrm_avatar_get_spring_chain(avatar, c, &chain);
            if (chain.spring != spring) {
                continue;
            }
            --left;
            if (wanted < 0 || index == wanted) {
                cli_json_open(call->result, NULL, '{');
                cli_json_view(call->result, "name", chain.name);
                cli_json_open(call->result, "joint_positions", '[');
                add_chain(call, &chain);
                cli_json_close(call->result, ']');
                cli_json_close(call->result, '}');
            }
            ++index;
        }
    }
    cli_json_close(call->result, ']');
    return true;
}

bool rpc_dump_positions(rpc_call *call)
{
    const bool one = rpc_has(call, call->params, "spring_index");
    return rpc_add_springs(call, "springs", one ? (int64_t)rpc_uint(call, call->params, "spring_index", 0) : -1);
}
