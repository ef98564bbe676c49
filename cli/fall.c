// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "fall.h"

#include <string.h>

typedef enum fall_kind { FALL_HIT, FALL_EXPLOSION, FALL_WEIGHTS } fall_kind;

struct fall_event {
    fall_kind kind;
    double time;
    int32_t target; // FALL_HIT: body; FALL_WEIGHTS: group
    double numbers[5];
};

static const char *const group_names[VRM_RAGDOLL_GROUP_COUNT] = {
    "pelvis", "torso", "head", "left-arm", "right-arm", "left-leg", "right-leg"};

// Seconds in which weights from the command line reach their values. A sudden change would look like a fault.
static const float weight_seconds = 0.25f;

// --- reading -------------------------------------------------------------------------------------------------------

typedef struct fields {
    const char *at[8];
    size_t length[8];
    uint32_t count;
} fields;

static fields split(const char *text)
{
    fields f = {.count = 0};
    while (f.count < 8) {
        const char *comma = strchr(text, ',');
        f.at[f.count] = text;
        f.length[f.count++] = comma != NULL ? (size_t)(comma - text) : strlen(text);
        if (comma == NULL) {
            break;
        }
        text = comma + 1;
    }
    return f;
}

static bool number(const fields *f, uint32_t i, double low, double high, double *out)
{
    return f->length[i] > 0 && vrmi_parse_double(f->at[i], f->length[i], out) == f->length[i] && *out >= low &&
           *out <= high;
}

static bool is_word(const fields *f, uint32_t i, const char *word)
{
    return strlen(word) == f->length[i] && memcmp(word, f->at[i], f->length[i]) == 0;
}

static bool read_hit(const fall *f, const char *text, fall_event *out)
{
    const fields words = split(text);
    *out = (fall_event){.kind = FALL_HIT, .target = -1};
    if (words.count != 5) {
        return false;
    }
    out->target = scene_ragdoll_body_above(f->def, vrm_human_bone_from_name(words.at[1], words.length[1]));
    return number(&words, 0, 0.0, 3600.0, &out->time) && out->target >= 0 &&
           number(&words, 2, -1e6, 1e6, &out->numbers[0]) && number(&words, 3, -1e6, 1e6, &out->numbers[1]) &&
           number(&words, 4, -1e6, 1e6, &out->numbers[2]);
}

static bool read_explosion(const fall *f, const char *text, fall_event *out)
{
    (void)f;
    const fields words = split(text);
    *out = (fall_event){.kind = FALL_EXPLOSION};
    return words.count == 6 && number(&words, 0, 0.0, 3600.0, &out->time) &&
           number(&words, 1, -1e6, 1e6, &out->numbers[0]) && number(&words, 2, -1e6, 1e6, &out->numbers[1]) &&
           number(&words, 3, -1e6, 1e6, &out->numbers[2]) && number(&words, 4, 0.0, 1e6, &out->numbers[3]) &&
           number(&words, 5, 1e-3, 1e6, &out->numbers[4]);
}

static bool read_weights(const fall *f, const char *text, fall_event *out)
{
    (void)f;
    const fields words = split(text);
    *out = (fall_event){.kind = FALL_WEIGHTS, .target = -1};
    for (int32_t group = 0; words.count == 5 && group < VRM_RAGDOLL_GROUP_COUNT; ++group) {
        out->target = is_word(&words, 1, group_names[group]) ? group : out->target;
    }
    out->target = words.count == 5 && is_word(&words, 1, "all") ? VRM_RAGDOLL_GROUP_ALL : out->target;
    return words.count == 5 && out->target >= 0 && number(&words, 0, 0.0, 3600.0, &out->time) &&
           number(&words, 2, 0.0, 1.0, &out->numbers[0]) && number(&words, 3, 0.0, 1.0, &out->numbers[1]) &&
           number(&words, 4, 0.0, 1.0, &out->numbers[2]);
}

static int read_events(fall *f, double duration)
{
    const fall_options *o = f->options;
    const struct {
        const cli_list *list;
        bool (*read)(const fall *, const char *, fall_event *);
        const char *option, *form;
    } kinds[] = {
        {&o->hits, read_hit, "--hit",
            "T,BONE,X,Y,Z with T in seconds, a humanoid bone (\"chest\") and an impulse in N s"},
        {&o->explosions, read_explosion, "--explode",
            "T,X,Y,Z,IMPULSE,RADIUS with T in seconds, a point in metres, N s and a radius above 0"},
        {&o->weights, read_weights, "--weights",
            "T,GROUP,PIN,MUSCLE,MAPPING with weights from 0 to 1 and GROUP one of pelvis, torso, head, left-arm, "
            "right-arm, left-leg, right-leg, all"},
    };
    const size_t most = (size_t)o->hits.count + o->explosions.count + o->weights.count + 1;
    f->events = f->job->allocator.allocate(most * sizeof(*f->events), 16, f->job->allocator.user);
    if (f->events == NULL) {
        return cli_fail(f->job, cli_exit_of(f->job, VRM_ERROR_OUT_OF_MEMORY), "%s",
            cli_sentence_of(f->job, VRM_ERROR_OUT_OF_MEMORY));
    }
    for (size_t kind = 0; kind < sizeof(kinds) / sizeof(kinds[0]); ++kind) {
        for (uint32_t i = 0; i < kinds[kind].list->count; ++i) {
            const char *text = kinds[kind].list->items[i];
            if (!kinds[kind].read(f, text, &f->events[f->event_count])) {
                return cli_fail(
                    f->job, CLI_EXIT_USAGE, "%s %s: expected %s", kinds[kind].option, text, kinds[kind].form);
            }
            if (f->events[f->event_count].time > duration) {
                return cli_fail(f->job, CLI_EXIT_USAGE,
                    "%s %s: is after the end of the simulation, at %g s (--duration)", kinds[kind].option, text,
                    duration);
            }
            ++f->event_count;
        }
    }
    return CLI_EXIT_DONE;
}

static int read_definition(fall *f, const cli_model *model)
{
    const char *path = f->options->definition;
    f->def = f->job->allocator.allocate(sizeof(*f->def), 16, f->job->allocator.user);
    vrm_result result = f->def != NULL ? VRM_SUCCESS : VRM_ERROR_OUT_OF_MEMORY;
    if (f->def != NULL) {
        vrm_ragdoll_def_default(f->def);
    }
    if (result == VRM_SUCCESS && path == NULL) {
        vrm_report_clear(f->job->report); // the model's findings are recorded already
        result = vrm_ragdoll_def_build(model->avatar, model->gltf, NULL, f->job->report, f->def);
        cli_record_findings(f->job);
        if (result == VRM_ERROR_INVALID_ARGUMENT) {
            return cli_fail(f->job, CLI_EXIT_ASSET, "%s: --ragdoll needs a humanoid", model->path);
        }
        cli_print_findings(f->job, model->path, VRM_SEVERITY_ERROR);
    } else if (result == VRM_SUCCESS) {
        vrm_bytes bytes = {0};
        const int code = cli_read_input(f->job, path, false, &bytes, &result);
        if (code == CLI_EXIT_DONE) {
            const vrm_string text = {(const char *)bytes.data, (uint32_t)bytes.size};
            result = bytes.size > UINT32_MAX
                         ? VRM_ERROR_LIMIT
                         : vrm_ragdoll_def_from_json(model->avatar, text, &f->job->allocator, f->job->report, f->def);
        }
        vrm_bytes_free(&bytes);
        if (code != CLI_EXIT_DONE) {
            return code;
        }
        cli_record_findings(f->job);
        cli_print_findings(f->job, path, VRM_SEVERITY_WARNING);
    }
    return result == VRM_SUCCESS ? CLI_EXIT_DONE
                                 : cli_fail(f->job, cli_exit_of(f->job, result), "%s: %s",
                                       path != NULL ? path : model->path, cli_sentence_of(f->job, result));
}

int fall_choose(cli_job *job, const fall_options *options, fall *out)
{
    *out = (fall){.options = options, .job = job};
    if (options->on) {
        return cli_find_engine(job, (cli_engine)options->engine, &out->make);
    }
    const struct {
        const char *name;
        bool given;
    } needing[] = {
        {"--hit", options->hits.count > 0},
        {"--explode", options->explosions.count > 0},
        {"--weights", options->weights.count > 0},
        {"--get-up", options->get_up != NULL},
        {"--definition", options->definition != NULL},
        {"--engine", options->engine != CLI_ENGINE_LIGHT},
        {"--drive", options->drive != 0},
        {"--steps", options->no_steps != 0},
        {"--fall", options->limp != 0},
        {"--ground", options->ground < 0.0 || options->ground > 0.0},
    };
    for (size_t i = 0; i < sizeof(needing) / sizeof(needing[0]); ++i) {
        if (needing[i].given) {
            return cli_fail(job, CLI_EXIT_USAGE, "%s needs --ragdoll", needing[i].name);
        }
    }
    return CLI_EXIT_DONE;
}

int fall_read(fall *f, const cli_model *model, double duration)
{
    const char *get_up = f->options->get_up;
    int code = f->options->on ? read_definition(f, model) : CLI_EXIT_DONE;
    if (code == CLI_EXIT_DONE && f->options->on) {
        code = read_events(f, duration);
    }
    const bool file = get_up != NULL && strcmp(get_up, "auto") != 0 && strcmp(get_up, "none") != 0;
    if (code == CLI_EXIT_DONE && file) {
        code = cli_load_clip(f->job, get_up, NULL, &f->clip);
    }
    return code;
}

// --- running -------------------------------------------------------------------------------------------------------

vrm_result fall_begin(
    fall *f, const cli_model *model, vrm_instance *instance, vrm_clip_player *player, float foot_weight)
{
    const char *get_up = f->options->get_up;
    vrm_ragdoll_params settings = {.struct_size = sizeof settings};
    vrm_ragdoll_params_default(&settings);
    settings.drive = f->options->drive == 0 ? VRM_RAGDOLL_DRIVE_TORQUE : VRM_RAGDOLL_DRIVE_VELOCITY;
    settings.steps = f->options->no_steps == 0;
    f->gets_up = get_up == NULL || strcmp(get_up, "none") != 0;
    if (f->gets_up && f->clip == NULL) {
        scene_get_up_settings(&settings);
    } else if (f->gets_up) {
        settings.recovery = VRM_RAGDOLL_RECOVERY_MANUAL;
    }
    scene_ragdoll_ground(instance, f->options->ground);
    const scene_engine_params params = {f->def, f->options->ground, f->job->allocator};
    scene_engine engine;
    vrm_result result = f->make(&params, &engine);
    if (result == VRM_SUCCESS) {
        result = scene_ragdoll_begin_with(&f->scene, instance, f->def, &settings, &engine);
    }
    f->scene.fall.on = f->options->limp == 0;
    f->scene.fall.ground = f->options->ground;
    if (result == VRM_SUCCESS && f->gets_up) {
        const scene_get_up_def def = {.instance = instance,
            .gltf = model->gltf,
            .player = player,
            .foot_weight = foot_weight,
            .file = f->clip,
            .fall = &f->scene.fall,
            .allocator = f->job->allocator};
        result = scene_get_up_begin(&f->get_up, &def);
        if (result == VRM_ERROR_NOT_FOUND) { // incomplete humanoid: the motion pulls it up instead
            f->gets_up = false;
            settings.recovery = VRM_RAGDOLL_RECOVERY_AUTOMATIC;
            result = vrm_instance_set_ragdoll_params(instance, &settings);
        }
    }
    return result;
}

static void run_event(fall *f, const fall_event *event)
{
    const double *n = event->numbers;
    if (event->kind == FALL_HIT) {
        vrm_outputs outputs = {.struct_size = sizeof outputs};
        vrm_instance_get_outputs(f->scene.instance, &outputs);
        const vrm_world *world = &outputs.world[f->def->bodies[event->target].node];
        const vrm_dvec3 at = outputs.origin;
        const vrm_dvec3 point = {
            at.x + (double)world->m[0][3], at.y + (double)world->m[1][3], at.z + (double)world->m[2][3]};
        const vrm_vec3 impulse = {(float)n[0], (float)n[1], (float)n[2]};
        (void)vrm_instance_hit_ragdoll(f->scene.instance, event->target, &point, &impulse);
    } else if (event->kind == FALL_EXPLOSION) {
        const vrm_dvec3 center = {n[0], n[1], n[2]};
        (void)vrm_instance_explode_ragdoll(f->scene.instance, &center, (float)n[3], (float)n[4]);
    } else {
        const vrm_ragdoll_weights weights = {(float)n[0], (float)n[1], (float)n[2]};
        (void)vrm_instance_set_ragdoll_weights(
            f->scene.instance, (vrm_ragdoll_group)event->target, &weights, weight_seconds);
    }
}

void fall_advance(fall *f, double time, double dt)
{
    if (!f->options->on) {
        return;
    }
    for (uint32_t i = 0; i < f->event_count; ++i) {
        if (scene_moment_comes(f->events[i].time, time, dt)) {
            run_event(f, &f->events[i]);
        }
    }
    if (f->gets_up) {
        scene_get_up_frame(&f->get_up, f->options->ground, dt);
    }
}

void fall_frame(fall *f, const vrm_update_params *params)
{
    scene_ragdoll_frame(&f->scene, params);
}

void fall_free(fall *f)
{
    if (f->job == NULL) {
        return;
    }
    const vrm_allocator *allocator = &f->job->allocator;
    const fall_options *o = f->options;
    scene_ragdoll_end(&f->scene);
    scene_get_up_free(&f->get_up);
    vrm_clip_release(f->clip);
    if (f->def != NULL) {
        allocator->release(f->def, sizeof(*f->def), allocator->user);
    }
    if (f->events != NULL) {
        const size_t most = (size_t)o->hits.count + o->explosions.count + o->weights.count + 1;
        allocator->release(f->events, most * sizeof(*f->events), allocator->user);
    }
}
