// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "rpc.h"

#include <stdlib.h>
#include <string.h>

// --- the model's position --------------------------------------------------------------------------------------------

void rpc_place(rpc_session *session, const double root[3])
{
    // The conformance suite expects VRM 0.x models to face -Z, as in their files. libvrm turns these models to +Z, and
    // this rotation turns them back.
    const vrm_root place = {.translation = {root[0], root[1], root[2]},
        .rotation = session->old ? (vrm_quat){0.0f, 1.0f, 0.0f, 0.0f} : (vrm_quat){0.0f, 0.0f, 0.0f, 1.0f},
        .scale = 1.0f};
    session->root = place.translation;
    (void)vrm_instance_set_root(session->instance, &place);
}

void rpc_update(rpc_session *session, double dt)
{
    vrm_update_params params;
    vrm_update_params_default(&params);
    params.dt = (float)dt;
    params.spring_time = VRM_SPRING_TIME_REFERENCE;
    vrm_update(session->instance, &params);
}

vrm_dvec3 rpc_node_place(const rpc_session *session, uint32_t node)
{
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(session->instance, &out);
    const vrm_world *world = &out.world[node];
    return (vrm_dvec3){out.origin.x + (double)world->m[0][3], out.origin.y + (double)world->m[1][3],
        out.origin.z + (double)world->m[2][3]};
}

// --- sessions ------------------------------------------------------------------------------------------------------

static rpc_session *new_session(rpc_server *server)
{
    for (uint32_t i = 0; i < server->session_count; ++i) {
        if (server->sessions[i].id == 0) {
            return &server->sessions[i];
        }
    }
    rpc_session *sessions = realloc(server->sessions, (server->session_count + 1) * sizeof *sessions);
    if (sessions == NULL) {
        return NULL;
    }
    server->sessions = sessions;
    sessions[server->session_count] = (rpc_session){0};
    return &sessions[server->session_count++];
}

void rpc_close_session(rpc_session *session)
{
    vrm_clip_player_destroy(session->player);
    vrm_instance_destroy(session->instance);
    vrm_render_model_destroy(session->meshes);
    cli_model_free(&session->model);
    free(session->path);
    *session = (rpc_session){0};
}

void rpc_server_free(rpc_server *server)
{
    for (uint32_t i = 0; i < server->session_count; ++i) {
        rpc_close_session(&server->sessions[i]);
    }
    for (uint32_t i = 0; i < server->clip_count; ++i) {
        vrm_clip_release(server->clips[i]);
    }
    free(server->sessions);
    free(server->clips);
    free(server->pixels);
    vrm_renderer_destroy(server->renderer);
    vrm_render_context_destroy(server->context);
}

// Reports why the model could not be loaded, as the suite's validator_report.
static bool fail_load(rpc_call *call, int code, const cli_model *model)
{
    cli_words words;
    const cli_job *job = call->server->job;
    const char *why = model->bytes.data == NULL && model->gltf == NULL ? cli_why_unread(job, model->path, model->result)
                                                                       : cli_why_unloaded(job, model->result, &words);
    if (model->result == VRM_ERROR_OUT_OF_MEMORY || code == CLI_EXIT_AGAIN) {
        return rpc_fail(call, RPC_INTERNAL, "%s: %s", model->path, why);
    }
    rpc_fail(call, RPC_LOAD, "%s: %s", model->path, why);
    vrmi_text report;
    vrmi_text_init(&report, NULL);
    cli_findings_text(&report, job->report, VRM_SEVERITY_WARNING, false);
    rpc_fail_data(call, "validator_report", report.data != NULL && report.size > 0 ? report.data : why);
    vrmi_text_free(&report);
    return false;
}

static bool begin(rpc_call *call, rpc_session *s)
{
    const double started = cli_platform_seconds();
    vrm_report_clear(call->server->job->report);
    // The command reads stdin for the path "-", but here stdin is the connection.
    int code = CLI_EXIT_INPUT;
    if (strcmp(s->path, "-") == 0) {
        s->model = (cli_model){.path = s->path, .result = VRM_ERROR_NOT_FOUND};
    } else {
        code = cli_load(call->server->job, s->path, CLI_LOAD_AVATAR | CLI_LOAD_SILENT, &s->model);
    }
    if (code != CLI_EXIT_DONE) {
        return fail_load(call, code, &s->model);
    }
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = s->model.avatar;
    const vrm_result result = vrm_instance_create(&def, &s->instance);
    if (result != VRM_SUCCESS) {
        return rpc_fail(call, RPC_INTERNAL, "%s: %s", s->path, vrm_result_sentence(result));
    }
    s->old = strcmp(vrm_avatar_get_dialect(s->model.avatar), "0.x") == 0;
    s->load_ms = (cli_platform_seconds() - started) * 1000.0;
    s->first_frame_ms = -1.0;
    return true;
}

// Sets the scene with which the suite's own plans begin, for clients that set no scene.
static void default_scene(rpc_session *s)
{
    const double front = s->old ? -1.5 : 1.5;
    memcpy(s->eye, (const double[]){0.0, 1.4, front}, sizeof s->eye);
    memcpy(s->target, (const double[]){0.0, 1.4, 0.0}, sizeof s->target);
    memcpy(s->up, (const double[]){0.0, 1.0, 0.0}, sizeof s->up);
    s->fov = 30.0;
    s->light_direction = (vrm_vec3){0.3f, 0.6f, s->old ? -0.7f : 0.7f};
    s->light_color = (vrm_vec3){1.0f, 1.0f, 1.0f};
    s->ambient = (vrm_vec3){0.15f, 0.15f, 0.15f};
    s->exposure = 1.0;
}

bool rpc_open(rpc_call *call, char *path)
{
    rpc_server *server = call->server;
    rpc_session *s = new_session(server);
    if (s == NULL) {
        free(path);
        return rpc_fail_memory(call);
    }
    s->path = path;
    if (!begin(call, s)) {
        rpc_close_session(s);
        return false;
    }
    s->id = ++server->next_session;
    default_scene(s);
    rpc_place(s, (const double[]){0.0, 0.0, 0.0});
    rpc_update(s, 0.0);
    call->session = s;
    return true;
}

bool rpc_load_vrm(rpc_call *call)
{
    char *path = rpc_text(call, call->params, "path");
    if (path == NULL || !rpc_open(call, path)) {
        return false;
    }
    char name[32];
    cli_json_text(call->result, "session_id",
        vrmi_format(name, sizeof name, "libvrm-%llu", (unsigned long long)call->session->id));
    return true;
}

bool rpc_dispose(rpc_call *call)
{
    rpc_close_session(call->session);
    return true;
}

rpc_session *rpc_find_session(rpc_call *call)
{
    char text[40], name[32];
    const uint32_t value = vrmi_json_member(call->json, call->params, "session_id");
    const bool whole = vrmi_json_unescape(call->json, value, text, sizeof text) < sizeof text;
    for (uint32_t i = 0; whole && i < call->server->session_count; ++i) {
        rpc_session *s = &call->server->sessions[i];
        vrmi_format(name, sizeof name, "libvrm-%llu", (unsigned long long)s->id);
        if (s->id != 0 && strcmp(name, text) == 0) {
            return s;
        }
    }
    char found[64];
    rpc_fail(call, RPC_PARAMS, "session_id is %s: there is no such session",
        vrmi_json_excerpt(call->json, value, found, sizeof found));
    return NULL;
}
