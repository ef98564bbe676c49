// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "record/trace_ragdoll.h"

#include <string.h>

#include "model/model.h"
#include "model/names.h"
#include "record/trace_event.h"
#include "record/trace_text.h"
#include "runtime/ragdoll/ragdoll.h"

enum { NUMBERS_OF_STATE = sizeof(vrm_ragdoll_state) / sizeof(float) };

static const char *const drive_names[] = {"velocity", "torque"};
static const char *const recovery_names[] = {"automatic", "manual"};

// --- the script's description of the body ----------------------------------------------------------------------------

#define NUMBER_KEY(field, key, unit, least, most) key,
#define SWITCH_KEY(field, key) key,
// The first KEYS_OF_BODY keys are only allowed in the script's own object.
static const char *const keys[] = {"engine", "ground", "definition", "drive", "recovery",
    VRMI_RAGDOLL_NUMBERS(NUMBER_KEY) VRMI_RAGDOLL_SWITCHES(SWITCH_KEY)};
#undef NUMBER_KEY
#undef SWITCH_KEY
enum { ALL_KEYS = sizeof keys / sizeof keys[0], KEYS_OF_BODY = 3 };

static void read_settings(vrmi_reader *reader, uint32_t object, vrm_ragdoll_params *out)
{
    uint32_t choice = (uint32_t)out->drive;
    (void)vrmi_read_enum(reader, object, "drive", VRMI_OPTIONAL, drive_names, 2, &choice);
    out->drive = (vrm_ragdoll_drive)choice;
    choice = (uint32_t)out->recovery;
    (void)vrmi_read_enum(reader, object, "recovery", VRMI_OPTIONAL, recovery_names, 2, &choice);
    out->recovery = (vrm_ragdoll_recovery)choice;
#define READ(field, key) (void)vrmi_read_bool(reader, object, key, VRMI_OPTIONAL, &out->field);
    VRMI_RAGDOLL_SWITCHES(READ)
#undef READ
    float number;
#define READ(field, key, unit, least, most) \
    if (vrmi_read_float_range(reader, object, key, (least) / (unit), (most) / (unit), &number)) { \
        out->field = vrmi_clamp(number * (unit), least, most); \
    }
    VRMI_RAGDOLL_NUMBERS(READ)
#undef READ
}

// Reports why the host cannot create the ragdoll.
static void tell_begin(vrmi_trace_script *script, vrm_result result, const char *engine)
{
    vrmi_reader *reader = &script->reader;
    const uint32_t object = script->ragdoll.json;
    if (result == VRM_ERROR_NOT_FOUND) {
        vrmi_reader_report(reader, VRM_FINDING_VALUE_NOT_IN_LIST, object, "engine", engine,
            "none, or an engine that this program contains");
    } else if (result == VRM_ERROR_INVALID_ASSET || result == VRM_ERROR_INVALID_ARGUMENT) {
        vrmi_reader_report(reader, VRM_FINDING_VALUE_NOT_IN_RANGE, object, NULL, "the body",
            "a humanoid avatar, and a definition (docs/ragdoll.md) that fits it");
    }
}

static vrm_result ask_host(vrmi_trace_script *script, const vrm_trace_engine *engine)
{
    vrmi_trace_ragdoll *r = &script->ragdoll;
    double ground = 0.0;
    const uint32_t height = vrmi_json_member(&script->json, r->json, "ground");
    const uint32_t definition = vrmi_read_object(&script->reader, r->json, "definition", VRMI_OPTIONAL);
    const uint32_t word = vrmi_read_string(&script->reader, r->json, "engine", VRMI_OPTIONAL);
    size_t length = 5;
    vrmi_format(r->engine, sizeof r->engine, "light");
    if (word != VRMI_JSON_NONE) {
        length = vrmi_json_unescape(&script->json, word, r->engine, sizeof r->engine);
    }
    if (height != VRMI_JSON_NONE &&
        (!vrmi_json_number(&script->json, height, &ground) || !(ground >= -1e6 && ground <= 1e6))) {
        vrmi_reader_report_value(&script->reader, VRM_FINDING_VALUE_NOT_IN_RANGE, height, "a height in metres");
    }
    if (script->reader.errors > 0) {
        return VRM_ERROR_INVALID_ASSET;
    }
    vrm_result result = VRM_ERROR_NOT_FOUND;
    r->def = vrmi_allocate(&script->allocator, sizeof *r->def, 16);
    if (r->def == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    vrm_ragdoll_def_default(r->def);
    const vrm_trace_ragdoll body = {
        .engine = {r->engine, (uint32_t)length},
        .definition = definition != VRMI_JSON_NONE ? vrmi_json_text(&script->json, definition) : (vrm_string){0},
        .ground = ground,
    };
    if (engine->begin != NULL && length < sizeof r->engine) {
        result = engine->begin(&body, r->def, engine->user);
    }
    tell_begin(script, result, r->engine);
    return result == VRM_ERROR_NOT_FOUND || result == VRM_ERROR_INVALID_ARGUMENT ? VRM_ERROR_INVALID_ASSET : result;
}

vrm_result vrmi_trace_ragdoll_begin(vrmi_trace_script *script, const vrm_trace_engine *engine, vrm_instance *instance)
{
    vrmi_trace_ragdoll *r = &script->ragdoll;
    if (r->json == VRMI_JSON_NONE) {
        return VRM_SUCCESS;
    }
    vrm_ragdoll_params settings;
    vrm_ragdoll_params_default(&settings);
    vrmi_read_keys(&script->reader, r->json, keys, ALL_KEYS, VRM_FINDING_TRACE_UNKNOWN_KEY, VRMI_TRACE_KEY_EXPECTED);
    read_settings(&script->reader, r->json, &settings);
    vrm_result result = ask_host(script, engine);
    if (result == VRM_SUCCESS) {
        r->steps = engine->step != NULL && strcmp(r->engine, "none") != 0;
        result = vrm_instance_set_ragdoll(instance, r->def, &settings);
        tell_begin(script, result, r->engine);
    }
    return result == VRM_ERROR_INVALID_ARGUMENT ? VRM_ERROR_INVALID_ASSET : result;
}

// --- events ----------------------------------------------------------------------------------------------------------

// Reports a call that the instance has refused. `expected` is what the value should be.
static void expect(vrmi_trace_context *c, uint32_t value, vrm_result result, const char *expected)
{
    if (result != VRM_SUCCESS) {
        vrmi_trace_refuse(
            c, value, result == VRM_ERROR_UNSUPPORTED ? "a script with the member \"ragdoll\"" : expected);
    }
}

static void apply_settings(vrmi_trace_context *c, uint32_t value)
{
    vrm_ragdoll_params settings = {.struct_size = sizeof settings};
    vrm_instance_get_ragdoll_params(c->instance, &settings);
    if (!vrmi_trace_object(c, value, keys + KEYS_OF_BODY, ALL_KEYS - KEYS_OF_BODY)) {
        return;
    }
    read_settings(&c->script->reader, value, &settings);
    expect(c, value, vrm_instance_set_ragdoll_params(c->instance, &settings),
        "settings that docs/active-ragdoll.md lists");
}

// Returns the body group that a key names, or ALL for the whole body. Reports an unknown name, and returns -1.
static int32_t group_of(vrmi_trace_context *c, uint32_t key)
{
    for (int32_t i = 0; i < VRM_RAGDOLL_GROUP_COUNT; ++i) {
        if (vrmi_json_string_equal(&c->script->json, key, vrmi_ragdoll_group_names[i])) {
            return i;
        }
    }
    if (vrmi_json_string_equal(&c->script->json, key, "all")) {
        return VRM_RAGDOLL_GROUP_ALL;
    }
    vrmi_reader_report_value(&c->script->reader, VRM_FINDING_VALUE_NOT_IN_LIST, key,
        "all, pelvis, torso, head, leftArm, rightArm, leftLeg or rightLeg");
    return -1;
}

// Returns the body of a bone or of its nearest ancestor with a body. Reports an unknown bone, and returns -1.
static int32_t body_of(vrmi_trace_context *c, uint32_t token)
{
    char name[VRMI_TRACE_NAME];
    const size_t length = vrmi_json_unescape(&c->script->json, token, name, sizeof name);
    const vrm_ragdoll_def *def = c->script->ragdoll.def;
    int32_t bone = length < sizeof name ? vrm_human_bone_from_name(name, length) : -1;
    for (; def != NULL && bone >= 0; bone = vrm_human_bone_parent((vrm_human_bone)bone)) {
        for (uint32_t i = 0; i < def->body_count; ++i) {
            if ((int32_t)def->bodies[i].bone == bone) {
                return (int32_t)i;
            }
        }
    }
    vrmi_reader_report(&c->script->reader, VRM_FINDING_TRACE_UNKNOWN_NAME, token, NULL, name,
        def != NULL ? "a bone of the ragdoll" : "a script with the member \"ragdoll\"");
    return -1;
}

static void set_weights(vrmi_trace_context *c, uint32_t value, uint32_t body)
{
    static const char *const members[] = {"pin", "muscle", "mapping", "seconds"};
    vrmi_reader *reader = &c->script->reader;
    vrm_ragdoll_weights weights;
    float seconds = 0.0f;
    (void)vrm_instance_get_ragdoll_body_weights(c->instance, body, &weights);
    if (!vrmi_trace_object(c, value, members, 4)) {
        return;
    }
    (void)vrmi_read_float_range(reader, value, "pin", 0.0f, 1.0f, &weights.pin);
    (void)vrmi_read_float_range(reader, value, "muscle", 0.0f, 1.0f, &weights.muscle);
    (void)vrmi_read_float_range(reader, value, "mapping", 0.0f, 1.0f, &weights.mapping);
    (void)vrmi_read_float_range(reader, value, "seconds", 0.0f, 3600.0f, &seconds);
    expect(
        c, value, vrm_instance_set_ragdoll_body_weights(c->instance, body, &weights, seconds), "weights from 0 to 1");
}

static void set_group_weights(vrmi_trace_context *c, uint32_t key)
{
    const vrm_ragdoll_def *def = c->script->ragdoll.def;
    const uint32_t value = vrmi_json_value(&c->script->json, key);
    const int32_t group = group_of(c, key);
    if (group < 0) {
        return;
    }
    if (def == NULL) {
        expect(c, value, VRM_ERROR_UNSUPPORTED, "");
        return;
    }
    const uint32_t errors = c->script->reader.errors;
    for (uint32_t i = 0; i < def->body_count && c->script->reader.errors == errors; ++i) {
        if (group == VRM_RAGDOLL_GROUP_ALL || (int32_t)def->bodies[i].group == group) {
            set_weights(c, value, i);
        }
    }
}

static void set_body_weights(vrmi_trace_context *c, uint32_t key)
{
    const int32_t body = body_of(c, key);
    if (body >= 0) {
        set_weights(c, vrmi_json_value(&c->script->json, key), (uint32_t)body);
    }
}

// Sets a joint's drive. Missing members are 0, as in the settings.
static void set_joint_drive(vrmi_trace_context *c, uint32_t key)
{
    static const char *const members[] = {"frequency", "dampingRatio", "maxTorque"};
    vrmi_reader *reader = &c->script->reader;
    const uint32_t value = vrmi_json_value(&c->script->json, key);
    const int32_t body = body_of(c, key);
    vrm_ragdoll_joint_drive drive = {0.0f, 0.0f, 0.0f};
    if (body < 0 || !vrmi_trace_object(c, value, members, 3)) {
        return;
    }
    (void)vrmi_read_float_range(reader, value, "frequency", 0.0f, 60.0f, &drive.frequency);
    (void)vrmi_read_float_range(reader, value, "dampingRatio", 0.0f, 10.0f, &drive.damping_ratio);
    (void)vrmi_read_float_range(reader, value, "maxTorque", 0.0f, 1e9f, &drive.max_torque);
    expect(c, value, vrm_instance_set_ragdoll_joint_drive(c->instance, (uint32_t)body, &drive),
        "settings of a joint's drive, as in docs/trace.md");
}

static void set_group_motion(vrmi_trace_context *c, uint32_t key)
{
    const uint32_t value = vrmi_json_value(&c->script->json, key);
    const int32_t group = group_of(c, key);
    const bool led = vrmi_json_string_equal(&c->script->json, value, "kinematic");
    if (group < 0) {
        return;
    }
    if (!led && !vrmi_json_string_equal(&c->script->json, value, "dynamic")) {
        vrmi_reader_report_value(&c->script->reader, VRM_FINDING_VALUE_NOT_IN_LIST, value, "kinematic or dynamic");
        return;
    }
    expect(c, value,
        vrm_instance_set_ragdoll_motion(
            c->instance, (vrm_ragdoll_group)group, led ? VRM_RAGDOLL_MOTION_KINEMATIC : VRM_RAGDOLL_MOTION_DYNAMIC),
        "");
}

// Returns the position of a body's joint after the last frame.
static vrm_dvec3 place_of(const vrmi_trace_context *c, int32_t body)
{
    vrm_outputs outputs = {.struct_size = sizeof outputs};
    vrm_instance_get_outputs(c->instance, &outputs);
    const vrm_world *world = &outputs.world[c->script->ragdoll.def->bodies[body].node];
    return vrmi_dvec3_add(outputs.origin, vrmi_dvec3_from(vrmi_mat34_translation(world)));
}

static void apply_hit(vrmi_trace_context *c, uint32_t value)
{
    static const char *const members[] = {"bone", "point", "impulse"};
    vrmi_reader *reader = &c->script->reader;
    if (!vrmi_trace_object(c, value, members, 3)) {
        return;
    }
    const uint32_t bone = vrmi_read_string(reader, value, "bone", VRMI_OPTIONAL);
    const uint32_t at = vrmi_json_member(&c->script->json, value, "point");
    vrm_vec3 impulse;
    vrm_dvec3 point;
    const int32_t body = bone != VRMI_JSON_NONE ? body_of(c, bone) : -1;
    if (!vrmi_read_floats(reader, value, "impulse", VRMI_REQUIRED, 3, &impulse.x) ||
        (bone != VRMI_JSON_NONE && body < 0)) {
        return;
    }
    if (at == VRMI_JSON_NONE && body >= 0) {
        point = place_of(c, body);
    } else if (!vrmi_trace_point(c, at != VRMI_JSON_NONE ? at : value, &point)) {
        return;
    }
    expect(c, value, vrm_instance_hit_ragdoll(c->instance, body, &point, &impulse),
        "a finite impulse, and at most twice as many hits in a frame as there are bodies");
}

static void apply_explode(vrmi_trace_context *c, uint32_t value)
{
    static const char *const members[] = {"center", "impulse", "radius"};
    vrmi_reader *reader = &c->script->reader;
    const uint32_t errors = reader->errors;
    vrm_dvec3 center = {0};
    float impulse = 0.0f, radius = 1.0f;
    if (!vrmi_trace_object(c, value, members, 3)) {
        return;
    }
    const uint32_t at = vrmi_read_array(reader, value, "center", VRMI_REQUIRED);
    (void)vrmi_read_float(reader, value, "impulse", VRMI_REQUIRED, &impulse);
    (void)vrmi_read_float(reader, value, "radius", VRMI_REQUIRED, &radius);
    if (at != VRMI_JSON_NONE && vrmi_trace_point(c, at, &center) && reader->errors == errors) {
        expect(c, value, vrm_instance_explode_ragdoll(c->instance, &center, impulse, radius),
            "finite numbers, an impulse of at least 0 and a radius above 0");
    }
}

static void apply_call(vrmi_trace_context *c, uint32_t value, vrm_result (*call)(vrm_instance *instance))
{
    if (vrmi_trace_is_true(c, value)) {
        expect(c, value, call(c->instance), "");
    }
}

static void apply_drop(vrmi_trace_context *c, uint32_t value)
{
    apply_call(c, value, vrm_instance_drop_ragdoll);
}
static void apply_recover(vrmi_trace_context *c, uint32_t value)
{
    apply_call(c, value, vrm_instance_recover_ragdoll);
}
static void apply_get_up(vrmi_trace_context *c, uint32_t value)
{
    apply_call(c, value, vrm_instance_start_get_up);
}
static void apply_stop(vrmi_trace_context *c, uint32_t value)
{
    apply_call(c, value, vrm_instance_stop_ragdoll);
}

// Takes the engine's states for this frame from the script. null means that all bodies are lost, a null element that
// this body is lost.
static void apply_states(vrmi_trace_context *c, uint32_t value)
{
    const vrmi_json *json = &c->script->json;
    vrmi_trace_ragdoll *r = &c->script->ragdoll;
    r->given = r->def != NULL;
    r->lost = vrmi_json_is(json, value, VRMI_JSON_NULL);
    if (r->def == NULL) {
        expect(c, value, VRM_ERROR_UNSUPPORTED, "");
    } else if (!r->lost && (!vrmi_json_is(json, value, VRMI_JSON_ARRAY) ||
                               vrmi_json_count(json, value) != NUMBERS_OF_STATE * r->def->body_count)) {
        vrmi_trace_refuse(c, value, "null, or 13 numbers for each body");
    } else if (!r->lost) {
        float *out = &r->states[0].position.x;
        for (uint32_t v = vrmi_json_first(json, value); v != VRMI_JSON_NONE; v = vrmi_json_next(json, v)) {
            double number = (double)NAN;
            if (!vrmi_json_is(json, v, VRMI_JSON_NULL) && !vrmi_json_number(json, v, &number)) {
                vrmi_trace_refuse(c, v, "a number or null");
            }
            *out++ = (float)number;
        }
    }
}

const vrmi_trace_key vrmi_trace_ragdoll_keys[] = {
    {"ragdoll", .apply = apply_settings},
    {"ragdollWeights", .each = set_group_weights},
    {"ragdollBodyWeights", .each = set_body_weights},
    {"ragdollJointDrive", .each = set_joint_drive},
    {"ragdollMotion", .each = set_group_motion},
    {"hit", .apply = apply_hit},
    {"explode", .apply = apply_explode},
    {"drop", .apply = apply_drop},
    {"recover", .apply = apply_recover},
    {"getUp", .apply = apply_get_up},
    {"stopRagdoll", .apply = apply_stop},
    {"ragdollStates", .apply = apply_states},
};
const uint32_t vrmi_trace_ragdoll_key_count = sizeof vrmi_trace_ragdoll_keys / sizeof vrmi_trace_ragdoll_keys[0];

// --- frames ---------------------------------------------------------------------------------------------------------

void vrmi_trace_ragdoll_step(
    vrmi_trace_script *script, const vrm_trace_engine *engine, vrm_instance *instance, float dt)
{
    vrmi_trace_ragdoll *r = &script->ragdoll;
    vrm_ragdoll_targets targets = {.struct_size = sizeof targets};
    if (r->json == VRMI_JSON_NONE || vrm_instance_get_ragdoll_targets(instance, &targets) != VRM_SUCCESS) {
        return;
    }
    if (!r->given && r->steps && targets.active) {
        engine->step(&targets, dt, r->states, engine->user);
        r->given = true;
        r->lost = false;
    }
    r->read = r->given;
    r->given = false;
    if (r->read) {
        (void)vrm_instance_set_ragdoll_states(
            instance, &targets.origin, r->lost ? NULL : r->states, targets.body_count);
    }
}

void vrmi_trace_ragdoll_head(const vrmi_trace_script *script, vrmi_text *out)
{
    const vrmi_trace_ragdoll *r = &script->ragdoll;
    if (r->def == NULL) {
        return;
    }
    vrmi_text_format(out, ",\n\"ragdoll\":{\"engine\":\"%s\",\"bodies\":[", r->engine);
    double mass = 0.0;
    for (uint32_t i = 0; i < r->def->body_count; ++i) {
        vrmi_text_format(out, "%s\"%s\"", i > 0 ? "," : "", vrm_human_bone_name(r->def->bodies[i].bone));
        mass += (double)r->def->bodies[i].mass;
    }
    vrmi_text_add_string(out, "],\"mass\":");
    vrmi_trace_add_number(out, mass);
    vrmi_text_add_string(out, "}");
}

static void add_targets(const vrm_instance *instance, vrmi_text *out)
{
    vrm_ragdoll_targets targets = {.struct_size = sizeof targets};
    (void)vrm_instance_get_ragdoll_targets(instance, &targets);
    vrmi_text_add_string(out, ",\"targets\":[");
    for (uint32_t i = 0; targets.active && i < targets.body_count; ++i) {
        vrmi_text_add_string(out, i > 0 ? "," : "");
        vrmi_trace_add_numbers(out, &targets.bodies[i].state.position.x, NUMBERS_OF_STATE);
    }
    vrmi_text_format(out, "],\"moved\":%u", targets.moved);
}

void vrmi_trace_ragdoll_frame(const vrmi_trace_script *script, const vrm_instance *instance, vrmi_text *out)
{
    static const char *const phases[VRM_RAGDOLL_PHASE_COUNT] = {
        "off", "active", "limp", "lying", "recovering", "blending"};
    static const char *const sides[] = {"not", "back", "front", "leftSide", "rightSide"};
    const vrmi_trace_ragdoll *r = &script->ragdoll;
    if (r->def == NULL) {
        return;
    }
    vrm_ragdoll_info info = {.struct_size = sizeof info};
    vrm_instance_get_ragdoll_info(instance, &info);
    vrm_ragdoll_params settings = {.struct_size = sizeof settings};
    vrm_instance_get_ragdoll_params(instance, &settings);
    vrmi_text_format(out, ",\"ragdoll\":{\"drive\":\"%s\",\"phase\":\"%s\",\"lying\":\"%s\"",
        drive_names[settings.drive], phases[info.phase], sides[info.lying]);
    const struct {
        const char *key;
        float value;
    } numbers[] = {{"phaseTime", info.phase_time}, {"speed", info.speed}, {"deviation", info.deviation}};
    for (uint32_t i = 0; i < 3; ++i) {
        vrmi_trace_add_key(out, numbers[i].key, false);
        vrmi_trace_add_number(out, (double)numbers[i].value);
    }
    vrmi_text_add_string(out, ",\"weights\":[");
    for (uint32_t i = 0; i < info.body_count; ++i) {
        vrm_ragdoll_weights weights;
        (void)vrm_instance_get_ragdoll_body_weights(instance, i, &weights);
        vrmi_text_add_string(out, i > 0 ? "," : "");
        vrmi_trace_add_numbers(out, &weights.pin, 3);
    }
    vrmi_text_add_string(out, "]");
    add_targets(instance, out);
    if (r->read && r->lost) {
        vrmi_text_add_string(out, ",\"states\":null}");
        return;
    }
    vrmi_text_add_string(out, ",\"states\":[");
    vrmi_trace_add_numbers(out, &r->states[0].position.x, r->read ? NUMBERS_OF_STATE * info.body_count : 0);
    vrmi_text_add_string(out, "]}");
}
