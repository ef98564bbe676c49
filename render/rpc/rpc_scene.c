// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Camera, light and tone mapping, which a session sets once and uses for every picture.

#include "rpc.h"

#include <math.h>
#include <string.h>

bool rpc_set_camera(rpc_call *call)
{
    rpc_session *s = call->session;
    double eye[3] = {0}, target[3] = {0}, up[3] = {0};
    rpc_vector(call, call->params, "position", eye);
    rpc_vector(call, call->params, "target", target);
    rpc_vector(call, call->params, "up", up);
    const double fov = rpc_number(call, call->params, "fov_degrees", 0.0);
    if (!(fov >= 0.01 && fov <= 179.0)) {
        return rpc_fail(call, RPC_PARAMS, "fov_degrees is %g: expected 0.01 to 179", fov);
    }
    if (memcmp(eye, target, sizeof eye) == 0) {
        return rpc_fail(call, RPC_PARAMS, "position and target are the same point");
    }
    if (up[0] == 0.0 && up[1] == 0.0 && up[2] == 0.0) {
        return rpc_fail(call, RPC_PARAMS, "up is zero");
    }
    memcpy(s->eye, eye, sizeof eye);
    memcpy(s->target, target, sizeof target);
    memcpy(s->up, up, sizeof up);
    s->fov = fov;
    return true;
}

static bool read_light(rpc_call *call, const char *name, uint32_t object, double out[3])
{
    const double intensity = rpc_number(call, object, "intensity", 0.0);
    rpc_vector(call, object, "color", out);
    for (int i = 0; i < 3; ++i) {
        out[i] *= intensity;
        if (!(out[i] >= 0.0 && out[i] <= 1e6)) {
            return rpc_fail(call, RPC_PARAMS, "%s: color times intensity is %g: expected 0 to 1000000", name, out[i]);
        }
    }
    return true;
}

static vrm_vec3 to_vec3(const double v[3])
{
    return (vrm_vec3){(float)v[0], (float)v[1], (float)v[2]};
}

bool rpc_set_lighting(rpc_call *call)
{
    static const rpc_parameter sun[] = {
        {"dir", RPC_VEC3, true, NULL}, {"color", RPC_VEC3, true, NULL}, {"intensity", RPC_NUMBER, true, NULL}, {0}};
    static const rpc_parameter around[] = {{"color", RPC_VEC3, true, NULL}, {"intensity", RPC_NUMBER, true, NULL}, {0}};
    const uint32_t directional = vrmi_json_member(call->json, call->params, "directional");
    const uint32_t ambient = vrmi_json_member(call->json, call->params, "ambient");
    double way[3] = {0}, light[3] = {0}, sky[3] = {0};
    if (!rpc_check(call, sun, directional, "directional.") || !rpc_check(call, around, ambient, "ambient.") ||
        !read_light(call, "directional", directional, light) || !read_light(call, "ambient", ambient, sky)) {
        return false;
    }
    rpc_vector(call, directional, "dir", way);
    const double longest = fmax(fabs(way[0]), fmax(fabs(way[1]), fabs(way[2])));
    if (longest == 0.0) {
        return rpc_fail(call, RPC_PARAMS, "directional.dir is zero");
    }
    // The contract's direction is that of the light's rays; the renderer's direction points towards the light.
    for (int i = 0; i < 3; ++i) {
        way[i] /= -longest;
    }
    call->session->light_direction = to_vec3(way);
    call->session->light_color = to_vec3(light);
    call->session->ambient = to_vec3(sky);
    return true;
}

bool rpc_set_post_processing(rpc_call *call)
{
    const double exposure = rpc_number(call, call->params, "exposure", 1.0);
    if (!(exposure >= 0.0 && exposure <= 1e6)) {
        return rpc_fail(call, RPC_PARAMS, "exposure is %g: expected 0 to 1000000", exposure);
    }
    call->session->tone_mapping = rpc_word(call, call->params, "tone_mapping", "None Linear Reinhard Aces", 0);
    call->session->exposure = exposure;
    return true;
}
