// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "cmd.h"

#include <stdlib.h>
#include <string.h>

int load_drawn(cli_job *job, const char *path, uint32_t flags, cli_model *out_model)
{
#if defined(VRMR_HAVE_WEBP)
    job->decodes = "EXT_texture_webp";
#endif
    return cli_load(job, path, flags, out_model);
}

int stage_begin(stage *s, cli_job *job, const char *path, const render_figure *figure, const vrm_renderer_def *how)
{
    *s = (stage){.job = job, .figure = figure};
    int code = load_drawn(job, path, CLI_LOAD_AVATAR | CLI_LOAD_PLAIN, &s->model);
    if (code != CLI_EXIT_DONE) {
        return code;
    }
    const char *why = "";
    vrm_result result = vrm_render_context_create(&s->context, &why);
    if (result != VRM_SUCCESS) {
        return cli_fail(job, cli_exit_of(job, result), "%s", why[0] != '\0' ? why : vrm_result_sentence(result));
    }
    vrm_renderer_def def;
    vrm_renderer_def_default(&def);
    def = how != NULL ? *how : def;
    if (job->common.max_memory != 0) { // the model's images may use what is left of the memory limit
        const uint64_t left = job->common.max_memory > job->used ? job->common.max_memory - job->used : 1;
        def.max_texture_bytes = left < def.max_texture_bytes ? left : def.max_texture_bytes;
    }
    result = vrm_renderer_create(&def, &s->renderer);
    if (result != VRM_SUCCESS) {
        return stage_failed(s, result);
    }
    cli_progress(0.0f, "uploading", job);
    vrm_report_clear(job->report);
    result = vrm_render_model_create(s->renderer, s->model.gltf, s->model.avatar, job->report, &s->meshes);
    cli_record_findings(job);
    cli_print_findings(job, path, VRM_SEVERITY_WARNING);
    if (result != VRM_SUCCESS) {
        return stage_failed(s, result);
    }
    vrm_instance_def instance;
    vrm_instance_def_default(&instance);
    instance.avatar = s->model.avatar;
    instance.hair_inputs = figure->motion != NULL && strcmp(figure->motion, "own") == 0;
    instance.look_chain_bones = VRM_LOOK_CHAIN_PRESET_BONES;
    result = vrm_instance_create(&instance, &s->instance);
    code = result == VRM_SUCCESS ? CLI_EXIT_DONE : stage_failed(s, result);
    code = code == CLI_EXIT_DONE ? pose_begin(s) : code;
    return code == CLI_EXIT_DONE ? gaze_begin(s) : code;
}

void stage_end(stage *s)
{
    pose_end(s);
    look_path_free(s->job, &s->gaze);
    vrm_instance_destroy(s->instance);
    vrm_render_model_destroy(s->meshes);
    vrm_renderer_destroy(s->renderer);
    vrm_render_context_destroy(s->context);
    free(s->ragdoll);
    cli_model_free(&s->model);
}

// --- face ----------------------------------------------------------------------------------------------------------

static int list_names(stage *s, const char *text, size_t length)
{
    vrmi_text names;
    vrmi_text_init(&names, NULL);
    vrmi_text_add(&names, text, length);
    vrmi_text_add_string(&names, "\" is not one of: ");
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(s->model.avatar, &counts);
    for (uint32_t i = 0; i < counts.expressions; ++i) {
        vrm_expression expression = {.struct_size = sizeof expression};
        (void)vrm_avatar_get_expression(s->model.avatar, i, &expression);
        vrmi_text_add_string(&names, i > 0 ? ", " : "");
        cli_add_file_text(&names, expression.name.data, expression.name.length);
    }
    const int code = cli_fail(s->job, CLI_EXIT_USAGE, "--expression: \"%s%s", names.data != NULL ? names.data : "",
        counts.expressions == 0 ? "(the avatar has none)" : "");
    vrmi_text_free(&names);
    return code;
}

// Sets the expressions of "NAME=W,NAME,...", with weights from 0 to 1.
static int set_expressions(stage *s, const char *text)
{
    (void)vrm_instance_clear_expressions(s->instance, VRM_EXPRESSION_LAYER_HOST);
    while (text != NULL && *text != '\0') {
        const size_t length = strcspn(text, ",");
        size_t name = 0;
        while (name < length && text[name] != '=') {
            ++name;
        }
        double weight = 1.0;
        const size_t rest = name < length ? length - name - 1 : 0;
        if (name < length && (vrmi_parse_double(text + name + 1, rest, &weight) != rest || rest == 0 ||
                                 !(weight >= 0.0 && weight <= 1.0))) {
            return cli_fail(s->job, CLI_EXIT_USAGE, "--expression %s: weights are numbers from 0 to 1", text);
        }
        const int32_t expression = vrm_avatar_find_expression(s->model.avatar, text, name);
        if (expression < 0) {
            return list_names(s, text, name);
        }
        (void)vrm_instance_set_expression(s->instance, VRM_EXPRESSION_LAYER_HOST, (uint32_t)expression, (float)weight);
        text += text[length] == ',' ? length + 1 : length;
    }
    return CLI_EXIT_DONE;
}

// Advances a frame. With the model's own animation nothing is simulated.
static void advance(stage *s, double dt)
{
    vrm_update_params params;
    vrm_update_params_default(&params);
    params.dt = (float)dt;
    if (s->own != NULL) {
        params.stages = VRM_STAGE_POSE | VRM_STAGE_EXPRESSION | VRM_STAGE_OUTPUT;
    }
    vrm_update(s->instance, &params);
}

int stage_pose(stage *s, const stage_face *face)
{
    vrm_instance_reset(s->instance);
    const int code = set_expressions(s, face->text);
    if (face->expression >= 0) {
        (void)vrm_instance_set_expression(s->instance, VRM_EXPRESSION_LAYER_HOST, (uint32_t)face->expression, 1.0f);
    }
    if (code != CLI_EXIT_DONE) {
        return code;
    }
    pose_start(s);
    gaze_follow(s, 0.0);
    const vrm_result result = gaze_start(s);
    if (result != VRM_SUCCESS) {
        return stage_failed(s, result);
    }
    (void)vrm_instance_settle_springs(s->instance, (float)s->figure->settle);
    advance(s, 0.0);
    return CLI_EXIT_DONE;
}

void stage_move(stage *s, double seconds, double dt)
{
    pose_move(s, seconds);
    gaze_follow(s, seconds);
    advance(s, dt);
}

static vrm_result make_ragdoll(stage *s)
{
    s->ragdoll = malloc(sizeof *s->ragdoll);
    if (s->ragdoll == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    vrm_ragdoll_def_default(s->ragdoll);
    return vrm_ragdoll_def_build(s->model.avatar, s->model.gltf, NULL, s->job->report, s->ragdoll);
}

int stage_draw(stage *s, const vrm_render_scene *scene, bool first_person, uint8_t *pixels)
{
    const bool asked = (scene->debug & VRM_RENDER_DEBUG_RAGDOLL) != 0 && s->ragdoll == NULL;
    vrm_result result = asked ? make_ragdoll(s) : VRM_SUCCESS;
    if (result != VRM_SUCCESS) {
        cli_print_findings(s->job, s->model.path, VRM_SEVERITY_ERROR);
        return cli_fail(s->job, cli_exit_of(s->job, result), "%s: %s", s->model.path, cli_sentence_of(s->job, result));
    }
    vrm_debug_line ball[GAZE_BALL_LINES];
    const vrm_render_item item = {.model = s->meshes,
        .instance = s->instance,
        .first_person = first_person,
        .ragdoll = s->ragdoll,
        .lines = ball,
        .line_count = (scene->debug & VRM_RENDER_DEBUG_GAZE) != 0 ? gaze_draw_ball(s, ball) : 0};
    result = vrm_renderer_draw(s->renderer, scene, &item, 1);
    if (result == VRM_SUCCESS) {
        result = vrm_renderer_read_pixels(s->renderer, pixels, (size_t)scene->width * scene->height * 4);
    }
    return result == VRM_SUCCESS ? CLI_EXIT_DONE : stage_failed(s, result);
}
