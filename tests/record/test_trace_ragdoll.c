// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// A ragdoll in a trace. The script's keys have the effects of the calls. A record of body states replays without an
// engine, with the same text to the last digit.

#include <math.h>
#include <stdlib.h>

#include <vrm/vrm.h>

#include "base/text.h"
#include "format/json/json.h"
#include "ragdoll_scene.h"
#include "sample_avatar.h"
#include "test.h"

static vrm_gltf *gltf;
static vrm_avatar *avatar;

static void open_sample(void)
{
    gltf = sample_document(0);
    CHECK_INT(vrm_avatar_import(NULL, gltf, NULL, &avatar), VRM_SUCCESS);
}

static void close_sample(void)
{
    vrm_avatar_release(avatar);
    vrm_gltf_destroy(gltf);
}

// --- the host's side ------------------------------------------------------------------------------------------------

typedef struct host {
    scene_engine engine;
    uint32_t begun, steps;
    double ground;
    uint32_t broken_step; // step in which the chest is not finite; 0: none
} host;

static vrm_result begin(const vrm_trace_ragdoll *ragdoll, vrm_ragdoll_def *out_def, void *user)
{
    host *h = user;
    ++h->begun;
    h->ground = ragdoll->ground;
    vrm_result result = VRM_ERROR_NOT_FOUND;
    if (strcmp(ragdoll->engine.data, "light") == 0 || strcmp(ragdoll->engine.data, "none") == 0) {
        result = ragdoll->definition.length > 0
                     ? vrm_ragdoll_def_from_json(avatar, ragdoll->definition, NULL, NULL, out_def)
                     : vrm_ragdoll_def_build(avatar, gltf, NULL, NULL, out_def);
    }
    const scene_engine_params params = {.def = out_def, .ground = ragdoll->ground};
    return result == VRM_SUCCESS && ragdoll->engine.data[0] == 'l' ? scene_light_engine(&params, &h->engine) : result;
}

static void step(const vrm_ragdoll_targets *targets, float dt, vrm_ragdoll_state *out_states, void *user)
{
    host *h = user;
    h->engine.step(h->engine.self, targets, dt, out_states);
    if (++h->steps == h->broken_step) {
        out_states[2].position.x = NAN;
    }
}

static vrm_result run(host *h, const char *script, vrm_report *report, vrm_bytes *out)
{
    vrm_trace_params def;
    vrm_trace_params_default(&def);
    if (h != NULL) {
        def.engine = (vrm_trace_engine){begin, step, h};
    }
    const vrm_result result = vrm_trace_run(&def, avatar, (vrm_string){script, (uint32_t)strlen(script)}, report, out);
    if (h != NULL && h->engine.self != NULL) {
        h->engine.end(h->engine.self);
        h->engine.self = NULL;
    }
    return result;
}

static bool parse(const vrm_bytes *trace, vrmi_json *out)
{
    vrm_allocator allocator;
    vrmi_resolve_allocator(NULL, &allocator);
    return vrmi_json_parse(out, trace->data, trace->size, &allocator, NULL, NULL) == VRM_SUCCESS;
}

// Returns the member of a frame's "ragdoll", NONE if there is none.
static uint32_t value_of(const vrmi_json *json, uint32_t frame, const char *name)
{
    char pointer[64];
    vrmi_format(pointer, sizeof pointer, "/frames/%u/ragdoll/%s", frame, name);
    return vrmi_json_at(json, pointer);
}

static bool phase_is(const vrmi_json *json, uint32_t frame, const char *phase)
{
    return vrmi_json_string_equal(json, value_of(json, frame, "phase"), phase);
}

static const char happenings[] =
    "{\"frame\":5,\"humanPose\":{\"leftUpperArm\":{\"rotation\":[0,0,-0.6,0.8]}},\"lookAtTarget\":[1,1.4,2]},"
    "{\"frame\":10,\"hit\":{\"bone\":\"chest\",\"impulse\":[0,0,-30]}},"
    "{\"frame\":20,\"hit\":{\"point\":[0.3,1.1,0],\"impulse\":[3,0,2]},\"ragdollWeights\":{\"leftArm\":{\"muscle\":0,"
    "\"seconds\":0.1}},\"ragdollBodyWeights\":{\"rightHand\":{\"pin\":1}},"
    "\"ragdollJointDrive\":{\"rightUpperArm\":{\"frequency\":3,\"dampingRatio\":0.5,\"maxTorque\":30}}},"
    "{\"frame\":40,\"ragdollMotion\":{\"head\":\"kinematic\"},\"ragdoll\":{\"frequency\":6,\"fallTilt\":60}},"
    "{\"frame\":60,\"explode\":{\"center\":[0.1,0.2,0.5],\"impulse\":200,\"radius\":3},\"ragdollMotion\":{\"all\":"
    "\"dynamic\"}},"
    "{\"frame\":90,\"teleport\":{\"translation\":[1000.5,0,-20.25],\"rotation\":[0,0.6,0,0.8]}},"
    "{\"frame\":240,\"getUp\":true,\"ragdollWeights\":{\"leftArm\":{\"muscle\":1}},\"ragdollBodyWeights\":{"
    "\"rightHand\":{\"pin\":0}}},"
    "{\"frame\":330,\"drop\":true},{\"frame\":350,\"recover\":true},{\"frame\":390,\"stopRagdoll\":true}";
static const char body[] = "\"recovery\":\"manual\",\"dampingRatio\":0.8";

static void write_script(vrmi_text *out, const char *engine, const vrmi_json *recorded)
{
    vrmi_text_format(out, "{\"frames\":420,\"mode\":\"normalized\",\"ragdoll\":{\"engine\":\"%s\",%s},\"events\":[%s",
        engine, body, happenings);
    for (uint32_t frame = 0; recorded != NULL && frame < 420; ++frame) {
        const uint32_t states = value_of(recorded, frame, "states");
        if (vrmi_json_count(recorded, states) > 0 || vrmi_json_is(recorded, states, VRMI_JSON_NULL)) {
            const vrm_string text = vrmi_json_text(recorded, states);
            vrmi_text_format(out, ",{\"frame\":%u,\"ragdollStates\":%.*s}", frame, (int)text.length, text.data);
        }
    }
    vrmi_text_add_string(out, "]}");
}

static void a_record_replays_without_an_engine(void)
{
    open_sample();
    vrmi_text script, again;
    vrmi_text_init(&script, NULL);
    vrmi_text_init(&again, NULL);
    vrm_bytes first = {0}, second = {0};
    vrmi_json json = {0};
    host h = {.broken_step = 7}, nobody = {0};
    write_script(&script, "light", NULL);
    CHECK_INT(run(&h, script.data, NULL, &first), VRM_SUCCESS);
    CHECK(h.steps > 200);
    CHECK(parse(&first, &json));
    write_script(&again, "none", &json);
    CHECK_INT(run(&nobody, again.data, NULL, &second), VRM_SUCCESS);
    CHECK_INT(nobody.steps, 0);
    // The figure must have lain, got up, fallen and returned to the animation. Otherwise the comparison would prove
    // little.
    CHECK(phase_is(&json, 9, "off") && phase_is(&json, 10, "active") && phase_is(&json, 60, "limp"));
    CHECK(phase_is(&json, 239, "lying") && phase_is(&json, 240, "recovering"));
    CHECK(phase_is(&json, 349, "limp") && phase_is(&json, 350, "recovering") && phase_is(&json, 390, "off"));
    vrmi_json_free(&json);
    const char *a = first.data != NULL ? strstr(first.data, "\"frames\"") : NULL;
    const char *b = second.data != NULL ? strstr(second.data, "\"frames\"") : NULL;
    CHECK(a != NULL && b != NULL);
    const size_t left = a != NULL ? first.size - (size_t)(a - (const char *)first.data) : 0;
    CHECK(b != NULL && left == second.size - (size_t)(b - (const char *)second.data));
    CHECK(a != NULL && b != NULL && memcmp(a, b, left) == 0);
    vrm_bytes_free(&second);
    vrm_bytes_free(&first);
    vrmi_text_free(&again);
    vrmi_text_free(&script);
    close_sample();
}

// The keys of a script have the same effects as the calls that this test makes.
static void keys_are_the_calls(void)
{
    enum { FRAMES = 90 };
    open_sample();
    vrm_ragdoll_def def = {.struct_size = sizeof def};
    CHECK_INT(vrm_ragdoll_def_build(avatar, gltf, NULL, NULL, &def), VRM_SUCCESS);
    vrm_instance_def instance_def;
    vrm_instance *instance;
    vrm_instance_def_default(&instance_def);
    instance_def.avatar = avatar;
    instance_def.ragdoll_bodies = VRM_RAGDOLL_MAX_BODIES;
    CHECK_INT(vrm_instance_create(&instance_def, &instance), VRM_SUCCESS);
    vrm_ragdoll_params settings;
    vrm_ragdoll_params_default(&settings);
    settings.drive = VRM_RAGDOLL_DRIVE_VELOCITY;
    settings.hit_recovery = 2.0f;
    settings.always = true;
    scene_ragdoll scene;
    vrm_ragdoll_solver_def params;
    vrm_ragdoll_solver_def_default(&params);
    params.ground_height = -0.125;
    CHECK_INT(scene_ragdoll_begin(&scene, instance, &def, &settings, &params), VRM_SUCCESS);

    host h = {0};
    vrm_bytes trace = {0};
    vrmi_json json = {0};
    CHECK_INT(
        run(&h,
            "{\"frames\":90,\"ragdoll\":{\"drive\":\"velocity\",\"hitRecovery\":2,\"always\":true,\"ground\":-0.125},"
            "\"events\":[{\"frame\":3,\"ragdollWeights\":{\"all\":{\"muscle\":0.5,\"mapping\":0.75,\"seconds\":0.5}}},"
            "{\"frame\":30,\"hit\":{\"bone\":\"leftHand\",\"impulse\":[1,2,3]}},"
            "{\"frame\":40,\"explode\":{\"center\":[0,0.5,1],\"impulse\":60,\"radius\":2}}]}",
            NULL, &trace),
        VRM_SUCCESS);
    CHECK_INT(h.begun, 1);
    CHECK_NEAR(h.ground, -0.125, 0.0);
    CHECK(parse(&trace, &json));
    vrm_update_params update;
    vrm_update_params_default(&update);
    update.dt = 1.0f / 60.0f;
    for (uint32_t frame = 0; frame < FRAMES; ++frame) {
        for (uint32_t i = 0; frame == 3 && i < def.body_count; ++i) {
            const vrm_ragdoll_weights weights = {i == 0 ? 1.0f : 0.0f, 0.5f, 0.75f};
            CHECK_INT(vrm_instance_set_ragdoll_body_weights(instance, i, &weights, 0.5f), VRM_SUCCESS);
        }
        if (frame == 30) {
            const int32_t node = vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_LEFT_HAND);
            vrm_outputs outputs = {.struct_size = sizeof outputs};
            vrm_instance_get_outputs(instance, &outputs);
            const vrm_world *world = &outputs.world[node];
            const vrm_dvec3 point = {(double)world->m[0][3], (double)world->m[1][3], (double)world->m[2][3]};
            int32_t hand = -1;
            for (uint32_t i = 0; i < def.body_count; ++i) {
                hand = def.bodies[i].bone == VRM_HUMAN_BONE_LEFT_HAND ? (int32_t)i : hand;
            }
            CHECK_INT(vrm_instance_hit_ragdoll(instance, hand, &point, &(vrm_vec3){1, 2, 3}), VRM_SUCCESS);
        }
        if (frame == 40) {
            const vrm_dvec3 center = {0, 0.5, 1};
            CHECK_INT(vrm_instance_explode_ragdoll(instance, &center, 60.0f, 2.0f), VRM_SUCCESS);
        }
        scene_ragdoll_frame(&scene, &update);
        vrm_ragdoll_targets targets = {.struct_size = sizeof targets};
        vrm_ragdoll_state states[VRM_RAGDOLL_MAX_BODIES];
        CHECK_INT(vrm_instance_get_ragdoll_targets(instance, &targets), VRM_SUCCESS);
        vrm_ragdoll_solver_get_states(scene.solver, &targets.origin, states, def.body_count);
        const uint32_t array = value_of(&json, frame, "states");
        CHECK_INT(vrmi_json_count(&json, array), 13 * def.body_count);
        for (uint32_t k = 0; k < 13 * def.body_count; k += 17) {
            double number = -1e9;
            CHECK(vrmi_json_number(&json, vrmi_json_element(&json, array, k), &number));
            CHECK((float)number == (&states[0].position.x)[k]);
        }
        double weight = -1.0;
        vrm_ragdoll_weights weights;
        CHECK_INT(vrm_instance_get_ragdoll_body_weights(instance, 5, &weights), VRM_SUCCESS);
        CHECK(vrmi_json_number(&json, vrmi_json_element(&json, value_of(&json, frame, "weights"), 3 * 5 + 1), &weight));
        CHECK((float)weight == weights.muscle);
    }
    CHECK(phase_is(&json, 39, "active") && phase_is(&json, 40, "limp"));
    vrmi_json_free(&json);
    vrm_bytes_free(&trace);
    scene_ragdoll_end(&scene);
    vrm_instance_destroy(instance);
    close_sample();
}

static void lost_bodies_show_the_animation(void)
{
    open_sample();
    host h = {0};
    vrm_bytes trace = {0};
    vrmi_json json = {0};
    CHECK_INT(run(&h,
                  "{\"frames\":30,\"ragdoll\":{},\"nodes\":[],\"events\":[{\"frame\":1,\"drop\":true},"
                  "{\"frame\":20,\"ragdollStates\":null}]}",
                  NULL, &trace),
        VRM_SUCCESS);
    CHECK(parse(&trace, &json));
    CHECK_INT(vrmi_json_count(&json, value_of(&json, 0, "states")), 0);
    CHECK(vrmi_json_count(&json, value_of(&json, 19, "states")) > 0);
    CHECK(vrmi_json_is(&json, value_of(&json, 20, "states"), VRMI_JSON_NULL));
    CHECK(vrmi_json_count(&json, value_of(&json, 21, "states")) > 0); // the engine continues
    CHECK_INT(h.steps, 28);
    vrmi_json_free(&json);
    vrm_bytes_free(&trace);
    close_sample();
}

static void a_definition_stands_in_the_script(void)
{
    open_sample();
    vrm_ragdoll_def def = {.struct_size = sizeof def};
    vrm_bytes text = {0}, trace = {0};
    vrmi_text script;
    vrmi_json json = {0};
    vrm_ragdoll_build_params params;
    vrm_ragdoll_build_params_default(&params);
    params.detail = VRM_RAGDOLL_DETAIL_7;
    params.mass = 80.0f;
    CHECK_INT(vrm_ragdoll_def_build(avatar, gltf, &params, NULL, &def), VRM_SUCCESS);
    CHECK_INT(vrm_ragdoll_def_to_json(&def, NULL, &text), VRM_SUCCESS);
    vrmi_text_init(&script, NULL);
    vrmi_text_format(
        &script, "{\"frames\":1,\"ragdoll\":{\"definition\":%.*s}}", (int)text.size, (const char *)text.data);
    host h = {0};
    CHECK_INT(run(&h, script.data, NULL, &trace), VRM_SUCCESS);
    CHECK(parse(&trace, &json));
    CHECK_INT(vrmi_json_count(&json, vrmi_json_at(&json, "/ragdoll/bodies")), 7);
    double mass = 0.0;
    CHECK(vrmi_json_number(&json, vrmi_json_at(&json, "/ragdoll/mass"), &mass));
    CHECK_NEAR(mass, 80.0, 1e-4);
    vrmi_json_free(&json);
    vrm_bytes_free(&trace);
    vrm_bytes_free(&text);
    vrmi_text_free(&script);
    close_sample();
}

static void expect_finding(host *h, const char *script, vrm_finding_id id, const char *path)
{
    vrm_report *report;
    vrm_bytes out = {0};
    bool found = false;
    CHECK_INT(vrm_report_create(NULL, &report), VRM_SUCCESS);
    CHECK_INT(run(h, script, report, &out), VRM_ERROR_INVALID_ASSET);
    for (uint32_t k = 0; k < vrm_report_get_count(report); ++k) {
        const vrm_finding *finding = vrm_report_get_finding(report, k);
        found = found || (finding->id == id && strcmp(finding->path, path) == 0);
    }
    if (!found) {
        printf("script %s\n", script);
        for (uint32_t k = 0; k < vrm_report_get_count(report) && k < 8; ++k) {
            const vrm_finding *finding = vrm_report_get_finding(report, k);
            printf("  found %s at \"%s\"\n", vrm_finding_get_info(finding->id)->name, finding->path);
        }
    }
    CHECK(found);
    vrm_report_destroy(report);
}

static void wrong_scripts_are_refused(void)
{
    static const struct {
        const char *body, *event;
        vrm_finding_id id;
        const char *path;
    } rows[] = {
        {"\"frequency\":-1", "", VRM_FINDING_VALUE_NOT_IN_RANGE, "/ragdoll/frequency"},
        {"\"fallTilt\":181", "", VRM_FINDING_VALUE_NOT_IN_RANGE, "/ragdoll/fallTilt"},
        {"\"springs\":1", "", VRM_FINDING_TRACE_UNKNOWN_KEY, "/ragdoll/springs"},
        {"\"drive\":\"magic\"", "", VRM_FINDING_VALUE_NOT_IN_LIST, "/ragdoll/drive"},
        {"\"engine\":\"bullet\"", "", VRM_FINDING_VALUE_NOT_IN_LIST, "/ragdoll/engine"},
        {"\"ground\":\"low\"", "", VRM_FINDING_VALUE_NOT_IN_RANGE, "/ragdoll/ground"},
        {"\"definition\":{}", "", VRM_FINDING_VALUE_NOT_IN_RANGE, "/ragdoll"},
        {"\"always\":1", "", VRM_FINDING_TYPE_MISMATCH, "/ragdoll/always"},
        {"", "\"ragdoll\":{\"ground\":1}", VRM_FINDING_TRACE_UNKNOWN_KEY, "/events/0/ragdoll/ground"},
        {"", "\"ragdoll\":{\"hitSpread\":2}", VRM_FINDING_VALUE_NOT_IN_RANGE, "/events/0/ragdoll/hitSpread"},
        {"", "\"ragdollWeights\":{\"tail\":{\"pin\":1}}", VRM_FINDING_VALUE_NOT_IN_LIST,
            "/events/0/ragdollWeights/tail"},
        {"", "\"ragdollWeights\":{\"head\":{\"pin\":2}}", VRM_FINDING_VALUE_NOT_IN_RANGE,
            "/events/0/ragdollWeights/head/pin"},
        {"", "\"ragdollJointDrive\":{\"head\":{\"frequency\":61}}", VRM_FINDING_VALUE_NOT_IN_RANGE,
            "/events/0/ragdollJointDrive/head/frequency"},
        {"", "\"ragdollBodyWeights\":{\"tail\":{\"pin\":1}}", VRM_FINDING_TRACE_UNKNOWN_NAME,
            "/events/0/ragdollBodyWeights/tail"},
        {"", "\"ragdollMotion\":{\"head\":\"off\"}", VRM_FINDING_VALUE_NOT_IN_LIST, "/events/0/ragdollMotion/head"},
        {"", "\"hit\":{\"bone\":\"tail\",\"impulse\":[0,0,1]}", VRM_FINDING_TRACE_UNKNOWN_NAME, "/events/0/hit/bone"},
        {"", "\"hit\":{\"bone\":\"head\"}", VRM_FINDING_UNDEFINED_PROPERTY, "/events/0/hit/impulse"},
        {"", "\"hit\":{\"impulse\":[0,0,1]}", VRM_FINDING_VALUE_NOT_IN_RANGE, "/events/0/hit"},
        {"", "\"explode\":{\"center\":[0,0,0],\"impulse\":1,\"radius\":0}", VRM_FINDING_VALUE_NOT_IN_RANGE,
            "/events/0/explode"},
        {"", "\"explode\":{\"impulse\":1,\"radius\":1}", VRM_FINDING_UNDEFINED_PROPERTY, "/events/0/explode/center"},
        {"", "\"drop\":1", VRM_FINDING_TYPE_MISMATCH, "/events/0/drop"},
        {"", "\"ragdollStates\":[1,2,3]", VRM_FINDING_VALUE_NOT_IN_RANGE, "/events/0/ragdollStates"},
    };
    open_sample();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        char script[400];
        host h = {0};
        vrmi_format(script, sizeof script, "{\"frames\":1,\"ragdoll\":{%s},\"events\":[{\"frame\":0%s%s}]}",
            rows[i].body, rows[i].event[0] != '\0' ? "," : "", rows[i].event);
        expect_finding(&h, script, rows[i].id, rows[i].path);
    }
    // Events for a body that does not exist, and for a host without a ragdoll.
    static const char *const calls[] = {"\"hit\":{\"point\":[0,0,0],\"impulse\":[0,0,1]}", "\"drop\":true",
        "\"explode\":{\"center\":[0,0,0],\"impulse\":1,\"radius\":1}", "\"recover\":true", "\"getUp\":true",
        "\"stopRagdoll\":true", "\"ragdollStates\":null", "\"ragdoll\":{}"};
    static const char *const paths[] = {
        "hit", "drop", "explode", "recover", "getUp", "stopRagdoll", "ragdollStates", "ragdoll"};
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; ++i) {
        char script[200], path[64];
        host h = {0};
        vrmi_format(script, sizeof script, "{\"frames\":1,\"events\":[{\"frame\":0,%s}]}", calls[i]);
        vrmi_format(path, sizeof path, "/events/0/%s", paths[i]);
        expect_finding(&h, script, VRM_FINDING_VALUE_NOT_IN_RANGE, path);
        CHECK_INT(h.begun, 0);
    }
    expect_finding(NULL, "{\"frames\":1,\"ragdoll\":{}}", VRM_FINDING_VALUE_NOT_IN_LIST, "/ragdoll/engine");
    close_sample();
}

static const test_case cases[] = {
    {"a_record_replays_without_an_engine", a_record_replays_without_an_engine},
    {"keys_are_the_calls", keys_are_the_calls},
    {"lost_bodies_show_the_animation", lost_bodies_show_the_animation},
    {"a_definition_stands_in_the_script", a_definition_stands_in_the_script},
    {"wrong_scripts_are_refused", wrong_scripts_are_refused},
};

RUN_TESTS(cases)
