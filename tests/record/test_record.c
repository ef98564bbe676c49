// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Recording: the file has the recorded values. Traces: scripts have their effects, and wrong scripts are refused with
// the path.

#include <stdlib.h>

#include <math.h>

#include <vrm/vrm.h>

#include "base/text.h"
#include "format/json/json.h"
#include "minimal_sample.h"
#include "plain_instance.h"
#include "skeleton_json.h"
#include "test.h"

typedef struct stage {
    vrm_bytes bytes;
    vrm_gltf *gltf;
    vrm_avatar *avatar;
    vrm_instance *instance;
} stage;

static void load_stage(stage *s, const void *data, size_t size)
{
    CHECK_INT(vrm_gltf_load(NULL, data, size, NULL, &s->gltf), VRM_SUCCESS);
    CHECK_INT(vrm_avatar_import(NULL, s->gltf, NULL, &s->avatar), VRM_SUCCESS);
    s->instance = plain_instance(s->avatar);
}

static void open_stage(stage *s)
{
    *s = (stage){0};
    CHECK_INT(scene_minimal_sample(0, &s->bytes), VRM_SUCCESS);
    load_stage(s, s->bytes.data, s->bytes.size);
}

static void close_stage(stage *s)
{
    vrm_instance_destroy(s->instance);
    vrm_avatar_release(s->avatar);
    vrm_gltf_destroy(s->gltf);
    vrm_bytes_free(&s->bytes);
}

// Finds the accessors of the sampler for a node and path. Returns false if the animation has no such channel.
static bool find_channel(
    const vrm_gltf *gltf, uint32_t gltf_node, const char *path, uint32_t *out_input, uint32_t *out_output)
{
    vrm_string text;
    vrmi_json json;
    vrm_allocator allocator;
    vrmi_resolve_allocator(NULL, &allocator);
    const vrmi_json_limits limits = {.max_depth = 64, .max_memory = UINT32_MAX};
    bool found = false;
    if (vrm_gltf_get_json(gltf, "/animations/0", &text) != VRM_SUCCESS ||
        vrmi_json_parse(&json, text.data, text.length, &allocator, &limits, NULL) != VRM_SUCCESS) {
        return false;
    }
    const uint32_t channels = vrmi_json_member(&json, 0, "channels");
    const uint32_t samplers = vrmi_json_member(&json, 0, "samplers");
    for (uint32_t c = vrmi_json_first(&json, channels); c != VRMI_JSON_NONE && !found; c = vrmi_json_next(&json, c)) {
        const uint32_t target = vrmi_json_member(&json, c, "target");
        uint32_t node = UINT32_MAX, sampler = 0;
        (void)vrmi_json_uint(&json, vrmi_json_member(&json, target, "node"), &node);
        (void)vrmi_json_uint(&json, vrmi_json_member(&json, c, "sampler"), &sampler);
        if (node == gltf_node && vrmi_json_string_equal(&json, vrmi_json_member(&json, target, "path"), path)) {
            const uint32_t row = vrmi_json_element(&json, samplers, sampler);
            found = vrmi_json_uint(&json, vrmi_json_member(&json, row, "input"), out_input) &&
                    vrmi_json_uint(&json, vrmi_json_member(&json, row, "output"), out_output);
        }
    }
    vrmi_json_free(&json);
    return found;
}

static vrm_quat nod(int frame)
{
    const float half = 0.02f * (float)frame;
    const float s = half - half * half * half / 6.0f;
    const vrm_quat q = {s, 0.0f, 0.0f, 1.0f - half * half / 2.0f};
    return q;
}

static vrm_gltf *write_and_load(stage *s, const vrm_recorder *recorder, vrm_report *report)
{
    vrm_bytes saved = {0};
    vrm_gltf *again = NULL;
    CHECK_INT(vrm_recorder_write(recorder, s->gltf, report), VRM_SUCCESS);
    CHECK_INT(vrm_gltf_save(s->gltf, &saved), VRM_SUCCESS);
    CHECK_INT(vrm_gltf_load(NULL, saved.data, saved.size, NULL, &again), VRM_SUCCESS);
    vrm_bytes_free(&saved);
    return again;
}

static void what_moved_is_in_the_file(void)
{
    enum { FRAMES = 12 };
    stage s;
    open_stage(&s);
    vrm_recorder *recorder;
    CHECK_INT(vrm_recorder_create(NULL, s.avatar, &recorder), VRM_SUCCESS);
    const uint32_t head = (uint32_t)vrm_avatar_get_bone_node(s.avatar, VRM_HUMAN_BONE_HEAD);
    const uint32_t foot = (uint32_t)vrm_avatar_get_bone_node(s.avatar, VRM_HUMAN_BONE_LEFT_FOOT);
    const int32_t happy = vrm_avatar_find_preset(s.avatar, VRM_EXPRESSION_PRESET_HAPPY);
    vrm_quat expected[FRAMES];
    vrm_update_params params;
    vrm_update_params_default(&params);
    params.stages = VRM_STAGE_ALL & ~(uint32_t)VRM_STAGE_SPRING;
    float morphs[FRAMES][8];
    vrm_mesh_node mesh = {.struct_size = sizeof mesh};
    for (uint32_t m = 0; mesh.morph_count == 0 && vrm_avatar_get_mesh_node(s.avatar, m, &mesh) == VRM_SUCCESS; ++m) {
    }
    CHECK(mesh.morph_count > 0);
    for (int i = 0; i < FRAMES; ++i) {
        const vrm_quat q = nod(i);
        CHECK_INT(vrm_instance_set_rotation(s.instance, head, &q), VRM_SUCCESS);
        CHECK_INT(
            vrm_instance_set_expression(s.instance, VRM_EXPRESSION_LAYER_HOST, (uint32_t)happy, (float)i / FRAMES),
            VRM_SUCCESS);
        vrm_update(s.instance, &params);
        vrm_transform local;
        CHECK_INT(vrm_instance_get_local(s.instance, head, &local), VRM_SUCCESS);
        expected[i] = local.rotation;
        vrm_outputs outputs = {.struct_size = sizeof outputs};
        vrm_instance_get_outputs(s.instance, &outputs);
        for (uint32_t k = 0; k < 8 && k < mesh.morph_count; ++k) {
            morphs[i][k] = outputs.morphs[mesh.first_morph + k];
        }
        CHECK_INT(vrm_recorder_add(recorder, s.instance, i / 30.0), VRM_SUCCESS);
    }
    CHECK_INT(vrm_recorder_add(recorder, s.instance, 0.1), VRM_ERROR_INVALID_ARGUMENT); // time must increase
    vrm_gltf *again = write_and_load(&s, recorder, NULL);
    vrm_node node = {.struct_size = sizeof node};
    uint32_t input, output;
    (void)vrm_avatar_get_node(s.avatar, head, &node);
    CHECK(find_channel(again, node.gltf_node, "rotation", &input, &output));
    CHECK(!find_channel(again, node.gltf_node, "translation", &input, &output));
    CHECK(find_channel(again, node.gltf_node, "rotation", &input, &output));
    for (uint32_t i = 0; i < FRAMES; ++i) {
        float time;
        vrm_quat q;
        CHECK_INT(vrm_gltf_read_floats(again, input, i, 1, &time), VRM_SUCCESS);
        CHECK_INT(vrm_gltf_read_floats(again, output, i, 1, &q.x), VRM_SUCCESS);
        CHECK_NEAR(time, i / 30.0, 1e-6);
        CHECK_NEAR(q.x, expected[i].x, 1e-6);
        CHECK_NEAR(q.w, expected[i].w, 1e-6);
    }
    (void)vrm_avatar_get_node(s.avatar, foot, &node);
    CHECK(!find_channel(again, node.gltf_node, "rotation", &input, &output));
    (void)vrm_avatar_get_node(s.avatar, mesh.node, &node);
    CHECK(find_channel(again, node.gltf_node, "weights", &input, &output));
    for (uint32_t i = 0; i < FRAMES; ++i) {
        for (uint32_t k = 0; k < 8 && k < mesh.morph_count; ++k) {
            float weight;
            CHECK_INT(vrm_gltf_read_floats(again, output, i * mesh.morph_count + k, 1, &weight), VRM_SUCCESS);
            CHECK(weight == morphs[i][k]);
        }
    }
    vrm_gltf_destroy(again);
    vrm_recorder_destroy(recorder);
    close_stage(&s);
}

// An avatar of VRM 0.x faces -Z in its file. The animation is in the file's space, too, as every program that plays it
// expects.
static void the_root_of_vrm0_moves_in_the_files_space(void)
{
    static char text[8192];
    char list[2048];
    size_t at = (size_t)snprintf(text, sizeof text, "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[");
    for (int i = 0; i < SKELETON_BONES; ++i) {
        at += (size_t)snprintf(text + at, sizeof text - at, "%s{\"translation\":[0,0.125,0.25]%s}", i == 0 ? "" : ",",
            skeleton_children(list, sizeof list, skeleton_parents, SKELETON_BONES, i));
    }
    at += (size_t)snprintf(text + at, sizeof text - at,
        "],\"extensions\":{\"VRM\":{\"humanoid\":{\"humanBones\":[%s]},\"meta\":{\"title\":\"T\",\"author\":\"A\"}}}}",
        skeleton_human_bones(list, sizeof list, skeleton_bones, SKELETON_BONES, 1));
    stage s = {0};
    load_stage(&s, text, at);
    vrm_recorder *recorder;
    CHECK_INT(vrm_recorder_create(NULL, s.avatar, &recorder), VRM_SUCCESS);
    for (int i = 0; i < 2; ++i) {
        const vrm_root root = {{3.0 * i, 0.5 * i, 2.0 * i}, {0.0f, i ? 0.6f : 0.0f, 0.0f, i ? 0.8f : 1.0f}, 2.0f};
        CHECK_INT(vrm_instance_set_root(s.instance, &root), VRM_SUCCESS);
        vrm_update_dt(s.instance, 0.0f);
        CHECK_INT(vrm_recorder_add(recorder, s.instance, i), VRM_SUCCESS);
    }
    vrm_gltf *again = write_and_load(&s, recorder, NULL);
    uint32_t input, output;
    float t[3], q[4];
    CHECK(find_channel(again, 0, "translation", &input, &output));
    CHECK_INT(vrm_gltf_read_floats(again, output, 1, 1, t), VRM_SUCCESS);
    // The hips are 0.5 in front of the root, which is rotated by 2 atan(0.6 / 0.8) about Y: sine 0.96, cosine 0.28.
    CHECK_NEAR(t[0], -3.0 + 0.96 * 0.5, 1e-6);
    CHECK_NEAR(t[1], 0.5 + 0.25, 1e-6);
    CHECK_NEAR(t[2], -2.0 + 0.28 * 0.5, 1e-6);
    CHECK(find_channel(again, 0, "rotation", &input, &output));
    CHECK_INT(vrm_gltf_read_floats(again, output, 1, 1, q), VRM_SUCCESS);
    CHECK_NEAR(q[1], 0.6, 1e-6);
    CHECK_NEAR(q[3], 0.8, 1e-6);
    vrm_gltf_destroy(again);
    vrm_recorder_destroy(recorder);
    close_stage(&s);
}

static uint32_t count_finding(const vrm_report *report, vrm_finding_id id)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < vrm_report_get_count(report); ++i) {
        count += vrm_report_get_finding(report, i)->id == id;
    }
    return count;
}

// Returns an expression of the sample that changes a material colour.
static int32_t coloring_expression(const vrm_avatar *avatar)
{
    vrm_expression e = {.struct_size = sizeof e};
    for (uint32_t i = 0; vrm_avatar_get_expression(avatar, i, &e) == VRM_SUCCESS; ++i) {
        if (e.color_bind_count > 0) {
            return (int32_t)i;
        }
    }
    return -1;
}

static void colors_need_pointers(void)
{
    for (int pointers = 0; pointers < 2; ++pointers) {
        stage s;
        open_stage(&s);
        vrm_report *report;
        CHECK_INT(vrm_report_create(NULL, &report), VRM_SUCCESS);
        vrm_recorder_def def;
        vrm_recorder_def_default(&def);
        def.pointers = pointers == 1;
        vrm_recorder *recorder;
        CHECK_INT(vrm_recorder_create(&def, s.avatar, &recorder), VRM_SUCCESS);
        const int32_t expression = coloring_expression(s.avatar);
        CHECK(expression >= 0);
        for (int i = 0; i < 3; ++i) {
            (void)vrm_instance_set_expression(
                s.instance, VRM_EXPRESSION_LAYER_HOST, (uint32_t)expression, 0.5f * (float)i);
            vrm_update_dt(s.instance, 0.0f);
            CHECK_INT(vrm_recorder_add(recorder, s.instance, i), VRM_SUCCESS);
        }
        vrm_gltf *again = write_and_load(&s, recorder, report);
        vrm_string used;
        CHECK_INT(vrm_gltf_get_json(again, "/extensionsUsed", &used), VRM_SUCCESS);
        bool names_pointer = false;
        for (uint32_t i = 0; i + 21 <= used.length; ++i) {
            names_pointer = names_pointer || memcmp(used.data + i, "KHR_animation_pointer", 21) == 0;
        }
        CHECK_INT(names_pointer, pointers == 1);
        CHECK_INT(count_finding(report, VRM_FINDING_ANIMATION_NOT_BAKED) > 0, pointers == 0);
        vrm_gltf_destroy(again);
        vrm_recorder_destroy(recorder);
        vrm_report_destroy(report);
        close_stage(&s);
    }
}

static vrm_result run_script(const stage *s, const char *script, vrm_report *report, vrm_bytes *out)
{
    return vrm_trace_run(NULL, s->avatar, (vrm_string){script, (uint32_t)strlen(script)}, report, out);
}

// The same motion gives another trace if the hair sleeps or if there is an update interval. Level full without an
// interval gives the same trace.
static void scripts_set_the_level(void)
{
    static const char *const scripts[] = {
        "{\"frames\":240,\"events\":[{\"frame\":5,\"root\":{\"translation\":[1,0,0]}}]}",
        "{\"frames\":240,\"events\":[{\"frame\":0,\"lod\":\"full\",\"updateInterval\":0},"
        "{\"frame\":5,\"root\":{\"translation\":[1,0,0]}}]}",
        "{\"frames\":240,\"events\":[{\"frame\":0,\"lod\":\"sleep\"},"
        "{\"frame\":5,\"root\":{\"translation\":[1,0,0]}}]}",
        "{\"frames\":240,\"events\":[{\"frame\":0,\"updateInterval\":0.05},"
        "{\"frame\":5,\"root\":{\"translation\":[1,0,0]}}]}"};
    stage s;
    vrm_bytes out[4];
    open_stage(&s);
    for (int i = 0; i < 4; ++i) {
        CHECK_INT(run_script(&s, scripts[i], NULL, &out[i]), VRM_SUCCESS);
    }
    CHECK(out[0].size == out[1].size && memcmp(out[0].data, out[1].data, out[0].size) == 0);
    for (int i = 2; i < 4; ++i) {
        CHECK(out[0].size != out[i].size || memcmp(out[0].data, out[i].data, out[0].size) != 0);
    }
    for (int i = 0; i < 4; ++i) {
        vrm_bytes_free(&out[i]);
    }
    close_stage(&s);
}

// Other runtimes use the same scripts. Their commands have no effect here, in an event or outside of events.
static void keys_of_other_runtimes_are_accepted(void)
{
#define KEYS "\"worldUpdate\":true,\"initState\":\"rest\",\"boneLength\":1,\"rotateVRM0\":false"
    static const char *const scripts[] = {
        "{\"frames\":2}", "{\"frames\":2," KEYS "}", "{\"frames\":2,\"events\":[{\"frame\":1," KEYS "}]}"};
#undef KEYS
    stage s;
    vrm_bytes first = {0};
    open_stage(&s);
    CHECK_INT(run_script(&s, scripts[0], NULL, &first), VRM_SUCCESS);
    for (size_t i = 1; i < sizeof scripts / sizeof scripts[0]; ++i) {
        vrm_bytes out = {0};
        CHECK_INT(run_script(&s, scripts[i], NULL, &out), VRM_SUCCESS);
        CHECK(out.size == first.size && out.size != 0 && memcmp(out.data, first.data, out.size) == 0);
        vrm_bytes_free(&out);
    }
    vrm_bytes_free(&first);
    close_stage(&s);
}

static void wrong_scripts_are_refused(void)
{
    static const struct {
        const char *script;
        vrm_finding_id id;
        const char *path;
    } rows[] = {
        {"{\"frames\":1,\"speed\":2}", VRM_FINDING_TRACE_UNKNOWN_KEY, "/speed"},
        {"{\"dt\":0.1}", VRM_FINDING_UNDEFINED_PROPERTY, "/frames"},
        {"{\"frames\":-1}", VRM_FINDING_VALUE_NOT_IN_RANGE, "/frames"},
        {"{\"frames\":1,\"mode\":\"cooked\"}", VRM_FINDING_VALUE_NOT_IN_LIST, "/mode"},
        {"{\"frames\":1,\"sample\":{\"every\":0}}", VRM_FINDING_VALUE_NOT_IN_RANGE, "/sample/every"},
        {"{\"frames\":1,\"events\":[{\"frame\":0,\"dance\":1}]}", VRM_FINDING_TRACE_UNKNOWN_KEY, "/events/0/dance"},
        {"{\"frames\":1,\"events\":[{\"frame\":0,\"humanBoneRotation\":{\"tail\":[0,0,0,1]}}]}",
            VRM_FINDING_TRACE_UNKNOWN_NAME, "/events/0/humanBoneRotation/tail"},
        {"{\"frames\":1,\"events\":[{\"frame\":0,\"humanBoneRotation\":{\"head\":[0,0,1]}}]}",
            VRM_FINDING_VALUE_NOT_IN_RANGE, "/events/0/humanBoneRotation/head"},
        {"{\"frames\":1,\"events\":[{\"frame\":0,\"nodeScale\":{\"99999\":[1,1,1]}}]}", VRM_FINDING_TRACE_UNKNOWN_NAME,
            "/events/0/nodeScale/99999"},
        {"{\"frames\":1,\"events\":[{\"frame\":0,\"expression\":{\"sleepy\":1}}]}", VRM_FINDING_TRACE_UNKNOWN_NAME,
            "/events/0/expression/sleepy"},
        {"{\"frames\":1,\"events\":[{\"frame\":0,\"root\":{\"scale\":[1,2,1]}}]}", VRM_FINDING_VALUE_NOT_IN_RANGE,
            "/events/0/root"},
        {"{\"frames\":1,\"events\":[{\"frame\":0,\"springTails\":{\"current\":[1],\"previous\":[1]}}]}",
            VRM_FINDING_VALUE_NOT_IN_RANGE, "/events/0/springTails/current"},
        {"{\"frames\":1,\"events\":[{\"frame\":0,\"lod\":\"quarter\"}]}", VRM_FINDING_VALUE_NOT_IN_LIST,
            "/events/0/lod"},
        {"{\"frames\":1,\"events\":[{\"frame\":0,\"lookChain\":\"tail\"}]}", VRM_FINDING_VALUE_NOT_IN_LIST,
            "/events/0/lookChain"},
        {"{\"frames\":1,\"events\":[{\"frame\":0,\"updateInterval\":2}]}", VRM_FINDING_VALUE_NOT_IN_RANGE,
            "/events/0/updateInterval"},
        {"{\"frames\":1", VRM_FINDING_INVALID_JSON, ""},
    };
    stage s;
    open_stage(&s);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        vrm_report *report;
        vrm_bytes out;
        CHECK_INT(vrm_report_create(NULL, &report), VRM_SUCCESS);
        CHECK(run_script(&s, rows[i].script, report, &out) != VRM_SUCCESS);
        bool found = false;
        for (uint32_t k = 0; k < vrm_report_get_count(report); ++k) {
            const vrm_finding *finding = vrm_report_get_finding(report, k);
            found = found || (finding->id == rows[i].id && strcmp(finding->path, rows[i].path) == 0);
        }
        if (!found) {
            printf("script %s\n", rows[i].script);
            for (uint32_t k = 0; k < vrm_report_get_count(report); ++k) {
                const vrm_finding *finding = vrm_report_get_finding(report, k);
                printf("  found %s at \"%s\"\n", vrm_finding_get_info(finding->id)->name, finding->path);
            }
        }
        CHECK(found);
        vrm_report_destroy(report);
    }
    close_stage(&s);
}

static void a_trace_says_what_the_script_did(void)
{
    stage s;
    open_stage(&s);
    vrm_bytes out = {0};
    CHECK_INT(run_script(&s,
                  "{\"dt\":0.02,\"frames\":5,\"loop\":true,\"sample\":{\"frames\":[1,4]},\"events\":["
                  "{\"frame\":3,\"humanBoneRotation\":{\"head\":[0.6,0,0,0.8]}},"
                  "{\"frame\":1,\"expression\":{\"happy\":0.25},\"worldUpdate\":true},"
                  "{\"frame\":2,\"root\":{\"translation\":[5,0,0]}}]}",
                  NULL, &out),
        VRM_SUCCESS);
    vrmi_json json;
    vrm_allocator allocator;
    vrmi_resolve_allocator(NULL, &allocator);
    const vrmi_json_limits limits = {.max_depth = 64, .max_memory = UINT32_MAX};
    CHECK_INT(vrmi_json_parse(&json, out.data, out.size, &allocator, &limits, NULL), VRM_SUCCESS);
    CHECK_INT(vrmi_json_count(&json, vrmi_json_at(&json, "/frames")), 2);
    vrm_node head = {.struct_size = sizeof head};
    char pointer[96];
    double number = 0.0;
    (void)vrm_avatar_get_node(s.avatar, (uint32_t)vrm_avatar_get_bone_node(s.avatar, VRM_HUMAN_BONE_HEAD), &head);
    CHECK(vrmi_json_number(&json, vrmi_json_at(&json, "/frames/0/expressions/happy/weight"), &number));
    CHECK_NEAR(number, 0.25, 1e-7);
    CHECK(vrmi_json_number(&json, vrmi_json_at(&json, "/frames/1/time"), &number));
    CHECK_NEAR(number, 0.1, 1e-6);
    CHECK(vrmi_json_number(&json,
        vrmi_json_at(&json, vrmi_format(pointer, sizeof pointer, "/frames/1/nodes/r/%u", 4 * head.gltf_node)),
        &number));
    CHECK_NEAR(number, 0.6, 1e-6);
    CHECK(vrmi_json_number(&json,
        vrmi_json_at(&json, vrmi_format(pointer, sizeof pointer, "/frames/1/nodes/w/%u", 16 * head.gltf_node + 12)),
        &number));
    CHECK_NEAR(number, 5.0 + (double)head.rest_position.x, 1e-5);
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(s.avatar, &counts);
    CHECK_INT(vrmi_json_count(&json, vrmi_json_at(&json, "/frames/1/springTails")), 3 * counts.spring_joints);
    vrmi_json_free(&json);
    vrm_bytes_free(&out);
    close_stage(&s);
}

// In default time, too, a tail is at the shown position of the node at the end of its bone, even between two ticks.
static void tails_are_where_they_are_shown(void)
{
    stage s;
    open_stage(&s);
    vrm_bytes out = {0};
    CHECK_INT(run_script(&s,
                  "{\"dt\":0.0123,\"frames\":20,\"sample\":{\"every\":3,\"start\":1},\"events\":["
                  "{\"frame\":0,\"humanBoneRotation\":{\"head\":[0.6,0,0,0.8]}},"
                  "{\"frame\":4,\"root\":{\"translation\":[0.4,0,0],\"rotation\":[0,0.6,0,0.8]}},"
                  "{\"frame\":9,\"root\":{\"translation\":[0,0.2,0]}}]}",
                  NULL, &out),
        VRM_SUCCESS);
    vrmi_json json;
    vrm_allocator allocator;
    vrmi_resolve_allocator(NULL, &allocator);
    const vrmi_json_limits limits = {.max_depth = 64, .max_memory = UINT32_MAX};
    CHECK_INT(vrmi_json_parse(&json, out.data, out.size, &allocator, &limits, NULL), VRM_SUCCESS);
    const uint32_t joints = vrmi_json_count(&json, vrmi_json_at(&json, "/springJoints"));
    const uint32_t frames = vrmi_json_count(&json, vrmi_json_at(&json, "/frames"));
    CHECK(joints > 10 && frames > 5);
    double farthest = 0.0;
    for (uint32_t f = 0; f < frames; ++f) {
        for (uint32_t i = 0; i < 3 * joints; ++i) {
            char pointer[96];
            double node = -1.0, tail = 0.0, shown = 1e9;
            vrmi_format(pointer, sizeof pointer, "/springJoints/%u/tail", i / 3);
            (void)vrmi_json_number(&json, vrmi_json_at(&json, pointer), &node);
            vrmi_format(pointer, sizeof pointer, "/frames/%u/springTails/%u", f, i);
            (void)vrmi_json_number(&json, vrmi_json_at(&json, pointer), &tail);
            vrmi_format(pointer, sizeof pointer, "/frames/%u/nodes/w/%u", f, 16 * (uint32_t)node + 12 + i % 3);
            (void)vrmi_json_number(&json, vrmi_json_at(&json, pointer), &shown);
            farthest = fabs(tail - shown) > farthest ? fabs(tail - shown) : farthest;
        }
    }
    CHECK_NEAR(farthest, 0.0, 2e-5);
    vrmi_json_free(&json);
    vrm_bytes_free(&out);
    close_stage(&s);
}

// Head and neck follow the target, by half the angle with weight 0.5, and stop without a chain.
static void a_trace_with_a_look_chain(void)
{
    stage s;
    open_stage(&s);
    vrm_bytes out = {0};
    CHECK_INT(run_script(&s,
                  "{\"dt\":0.5,\"frames\":30,\"sample\":{\"frames\":[0,9,19,29]},\"events\":["
                  "{\"frame\":1,\"lookChain\":\"upper-body\",\"lookAtTarget\":[2,1.4,0.5]},"
                  "{\"frame\":10,\"lookWeight\":0.5},{\"frame\":20,\"lookChain\":null}]}",
                  NULL, &out),
        VRM_SUCCESS);
    vrmi_json json;
    vrm_allocator allocator;
    vrmi_resolve_allocator(NULL, &allocator);
    const vrmi_json_limits limits = {.max_depth = 64, .max_memory = UINT32_MAX};
    CHECK_INT(vrmi_json_parse(&json, out.data, out.size, &allocator, &limits, NULL), VRM_SUCCESS);
    vrm_node head = {.struct_size = sizeof head};
    (void)vrm_avatar_get_node(s.avatar, (uint32_t)vrm_avatar_get_bone_node(s.avatar, VRM_HUMAN_BONE_HEAD), &head);
    double turned[4], yaw = 0.0, w = 0.0;
    for (uint32_t i = 0; i < 4; ++i) {
        char pointer[96];
        CHECK(vrmi_json_number(&json,
            vrmi_json_at(
                &json, vrmi_format(pointer, sizeof pointer, "/frames/%u/nodes/r/%u", i, 4 * head.gltf_node + 1)),
            &yaw));
        CHECK(vrmi_json_number(&json,
            vrmi_json_at(
                &json, vrmi_format(pointer, sizeof pointer, "/frames/%u/nodes/r/%u", i, 4 * head.gltf_node + 3)),
            &w));
        turned[i] = 2.0 * atan2(yaw, w);
    }
    CHECK_NEAR(turned[0], 0.0, 1e-3);
    CHECK(turned[1] > 0.5);
    CHECK_NEAR(turned[2], 0.5 * turned[1], 0.02);
    CHECK_NEAR(turned[3], turned[0], 1e-3);
    vrmi_json_free(&json);
    vrm_bytes_free(&out);
    CHECK_INT(run_script(&s, "{\"frames\":2,\"events\":[{\"frame\":0,\"lookChain\":\"tail\"}]}", NULL, &out),
        VRM_ERROR_INVALID_ASSET);
    CHECK_INT(run_script(&s, "{\"frames\":2,\"events\":[{\"frame\":0,\"lookWeight\":1}]}", NULL, &out),
        VRM_ERROR_INVALID_ASSET);
    close_stage(&s);
}

static const test_case cases[] = {
    {"what_moved_is_in_the_file", what_moved_is_in_the_file},
    {"the_root_of_vrm0_moves_in_the_files_space", the_root_of_vrm0_moves_in_the_files_space},
    {"colors_need_pointers", colors_need_pointers},
    {"scripts_set_the_level", scripts_set_the_level},
    {"keys_of_other_runtimes_are_accepted", keys_of_other_runtimes_are_accepted},
    {"wrong_scripts_are_refused", wrong_scripts_are_refused},
    {"a_trace_says_what_the_script_did", a_trace_says_what_the_script_did},
    {"tails_are_where_they_are_shown", tails_are_where_they_are_shown},
    {"a_trace_with_a_look_chain", a_trace_with_a_look_chain},
};
RUN_TESTS(cases)
