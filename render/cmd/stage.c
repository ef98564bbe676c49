// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "cmd.h"
#include "procedural_motion.h"

#include <math.h>
#include <string.h>

static const scene_motion motions[] = {SCENE_MOTION_NONE, SCENE_MOTION_IDLE, SCENE_MOTION_SWAY, SCENE_MOTION_WALK};

int stage_failed(stage *s, vrm_result result)
{
    const char *why = s->renderer != NULL ? vrm_renderer_error(s->renderer) : "";
    return cli_fail(s->job, cli_exit_of(s->job, result), "%s: %s", s->model.path,
        why[0] != '\0' ? why : vrm_result_sentence(result));
}

static void measure_face(stage *s)
{
    vrm_body body;
    vrm_node head;
    vrm_avatar_get_body(s->model.avatar, &body);
    const int32_t node = vrm_avatar_bone_node(s->model.avatar, VRM_HUMAN_BONE_HEAD);
    s->face_height = 0.25f;
    if (node >= 0 && vrm_avatar_get_node(s->model.avatar, (uint32_t)node, &head) == VRM_SUCCESS) {
        const float size = body.height - head.rest_position.y;
        // Ears and hats are tall: never more than a third of the figure.
        s->face_height = size > 0.02f ? fminf(size, 0.33f * body.height) : fmaxf(0.14f * body.height, 0.05f);
    }
}

int stage_begin(stage *s, cli_job *job, const char *path, const render_figure *figure, uint32_t samples)
{
    *s = (stage){.job = job, .figure = figure};
    int code = cli_load(job, path, CLI_LOAD_AVATAR | CLI_LOAD_PLAIN, &s->model);
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
    def.samples = samples;
    result = vrm_renderer_create(&def, &s->renderer);
    if (result != VRM_SUCCESS) {
        return stage_failed(s, result);
    }
    cli_progress(0.0f, "uploading", job);
    vrm_report_clear(job->report);
    result = vrm_render_model_create(s->renderer, s->model.gltf, s->model.avatar, job->report, &s->meshes);
    cli_print_findings(job, path);
    if (result != VRM_SUCCESS) {
        return stage_failed(s, result);
    }
    vrm_instance_def instance;
    vrm_instance_def_default(&instance);
    instance.avatar = s->model.avatar;
    result = vrm_instance_create(&instance, &s->instance);
    measure_face(s);
    return result == VRM_SUCCESS ? CLI_EXIT_DONE : stage_failed(s, result);
}

void stage_end(stage *s)
{
    vrm_instance_destroy(s->instance);
    vrm_render_model_destroy(s->meshes);
    vrm_renderer_destroy(s->renderer);
    vrm_render_context_destroy(s->context);
    cli_model_free(&s->model);
}

// --- pose ----------------------------------------------------------------------------------------------------------

// Rotations about the model's axes, degrees, applied X then Y then Z.
typedef struct joint_turn {
    vrm_human_bone bone;
    float x, y, z;
} joint_turn;

static const joint_turn a_pose[] = {
    {VRM_HUMAN_BONE_LEFT_UPPER_ARM, 0, 0, -45},
    {VRM_HUMAN_BONE_RIGHT_UPPER_ARM, 0, 0, 45},
};

static const joint_turn relaxed_pose[] = {
    {VRM_HUMAN_BONE_LEFT_UPPER_ARM, 0, 0, -68},
    {VRM_HUMAN_BONE_RIGHT_UPPER_ARM, 0, 0, 68},
    {VRM_HUMAN_BONE_LEFT_LOWER_ARM, 0, -14, 0},
    {VRM_HUMAN_BONE_RIGHT_LOWER_ARM, 0, 14, 0},
};

static const joint_turn wave_pose[] = {
    {VRM_HUMAN_BONE_LEFT_UPPER_ARM, 0, 0, -66},
    {VRM_HUMAN_BONE_LEFT_LOWER_ARM, 0, -20, 0},
    {VRM_HUMAN_BONE_RIGHT_UPPER_ARM, 0, 20, 42},
    {VRM_HUMAN_BONE_RIGHT_LOWER_ARM, 0, 10, -122},
    {VRM_HUMAN_BONE_RIGHT_HAND, 0, 0, 8},
    {VRM_HUMAN_BONE_HEAD, 0, 4, -6},
    {VRM_HUMAN_BONE_CHEST, 0, 4, 1},
};

static vrm_quat multiply(vrm_quat a, vrm_quat b)
{
    return (vrm_quat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

static void turn(vrm_instance *instance, const joint_turn *joint)
{
    const float half = 3.14159265f / 360.0f;
    const vrm_quat x = {sinf(joint->x * half), 0, 0, cosf(joint->x * half)};
    const vrm_quat y = {0, sinf(joint->y * half), 0, cosf(joint->y * half)};
    const vrm_quat z = {0, 0, sinf(joint->z * half), cosf(joint->z * half)};
    const vrm_quat rotation = multiply(multiply(x, y), z);
    (void)vrm_instance_set_normalized_rotation(instance, joint->bone, &rotation); // bones may be missing
}

static void bend_fingers(vrm_instance *instance)
{
    for (int bone = VRM_HUMAN_BONE_LEFT_INDEX_PROXIMAL; bone <= VRM_HUMAN_BONE_RIGHT_LITTLE_DISTAL; ++bone) {
        const bool left = bone <= VRM_HUMAN_BONE_LEFT_LITTLE_DISTAL;
        if (left || bone >= VRM_HUMAN_BONE_RIGHT_INDEX_PROXIMAL) {
            turn(instance, &(joint_turn){(vrm_human_bone)bone, 0, 0, left ? -12.6f : 12.6f});
        }
    }
}

static void set_pose(vrm_instance *instance, int pose)
{
    static const struct {
        const joint_turn *joints;
        uint32_t count;
    } poses[] = {{relaxed_pose, sizeof relaxed_pose / sizeof relaxed_pose[0]}, {NULL, 0},
        {a_pose, sizeof a_pose / sizeof a_pose[0]}, {wave_pose, sizeof wave_pose / sizeof wave_pose[0]}};
    vrm_instance_reset_pose(instance);
    for (uint32_t i = 0; i < poses[pose].count; ++i) {
        turn(instance, &poses[pose].joints[i]);
    }
    if (pose == RENDER_POSE_RELAXED || pose == RENDER_POSE_WAVE) {
        bend_fingers(instance);
    }
}

// --- face ----------------------------------------------------------------------------------------------------------

static int list_names(stage *s, const char *text, size_t length)
{
    vrmi_text names;
    vrmi_text_init(&names, NULL);
    vrmi_text_add(&names, text, length);
    vrmi_text_add_string(&names, "\" is none of: ");
    vrm_avatar_counts counts;
    vrm_avatar_get_counts(s->model.avatar, &counts);
    for (uint32_t i = 0; i < counts.expressions; ++i) {
        vrm_expression expression;
        (void)vrm_avatar_get_expression(s->model.avatar, i, &expression);
        vrmi_text_add_string(&names, i > 0 ? ", " : "");
        cli_add_file_text(&names, expression.name.data, expression.name.length);
    }
    const int code = cli_fail(s->job, CLI_EXIT_USAGE, "--expression: \"%s%s", names.data != NULL ? names.data : "",
        counts.expressions == 0 ? "(the avatar has none)" : "");
    vrmi_text_free(&names);
    return code;
}

// "NAME=W,NAME,...": each from 0 to 1.
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
        (void)vrm_instance_set_expression(
            s->instance, VRM_EXPRESSION_LAYER_HOST, (uint32_t)expression, (float)weight);
        text += text[length] == ',' ? length + 1 : length;
    }
    return CLI_EXIT_DONE;
}

static void set_gaze(stage *s)
{
    const double *target = s->figure->look_at;
    if (target[0] == target[0]) {
        (void)vrm_instance_set_look_at_target(s->instance, target);
    } else {
        (void)vrm_instance_set_look_at_angles(s->instance, 0.0f, 0.0f);
    }
}

int stage_pose(stage *s, const char *expression)
{
    vrm_instance_reset(s->instance);
    const int code = set_expressions(s, expression);
    if (code != CLI_EXIT_DONE) {
        return code;
    }
    set_gaze(s);
    if (s->figure->motion == 0) {
        set_pose(s->instance, s->figure->pose);
    } else {
        scene_motion_apply(s->instance, motions[s->figure->motion], 0.0);
    }
    (void)vrm_instance_settle_springs(s->instance, (float)s->figure->settle);
    vrm_update_dt(s->instance, 0.0f);
    return CLI_EXIT_DONE;
}

void stage_move(stage *s, double seconds, double dt)
{
    if (s->figure->motion != 0) {
        scene_motion_apply(s->instance, motions[s->figure->motion], seconds);
    }
    vrm_update_dt(s->instance, (float)dt);
}

int stage_draw(stage *s, const vrm_render_scene *scene, bool first_person, uint8_t *pixels)
{
    const vrm_render_item item = {.model = s->meshes, .instance = s->instance, .first_person = first_person};
    vrm_result result = vrm_renderer_draw(s->renderer, scene, &item, 1);
    if (result == VRM_SUCCESS) {
        result = vrm_renderer_read(s->renderer, pixels, (size_t)scene->width * scene->height * 4);
    }
    return result == VRM_SUCCESS ? CLI_EXIT_DONE : stage_failed(s, result);
}
