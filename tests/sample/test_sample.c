// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "hash.h"
#include "report_fixture.h"
#include "sample_avatar.h"
#include "test_allocator.h"

#include <vrm/vrm.h>

#include <math.h>
#include <stdlib.h>

// The minimal sample, read back through the public interface. It contains what its description promises, is the same
// everywhere, and survives a lack of memory.

typedef struct sample {
    vrm_bytes bytes;
    vrm_gltf *gltf;
    vrm_avatar *avatar;
} sample;

static sample open_sample(uint32_t seed)
{
    sample s = {.bytes = sample_bytes(seed)};
    vrm_report *report = NULL;
    CHECK_INT(vrm_report_create(NULL, &report), VRM_SUCCESS);
    vrm_gltf_def def;
    vrm_gltf_def_default(&def);
    CHECK_INT(vrm_gltf_load(&def, s.bytes.data, s.bytes.size, report, &s.gltf), VRM_SUCCESS);
    if (s.gltf != NULL) {
        CHECK_INT(vrm_avatar_import(NULL, s.gltf, report, &s.avatar), VRM_SUCCESS);
    }
    CHECK_INT(vrm_report_get_severity_count(report, VRM_SEVERITY_ERROR), 0);
    CHECK_INT(vrm_report_get_severity_count(report, VRM_SEVERITY_WARNING), 0);
    print_report(report);
    vrm_report_destroy(report);
    return s;
}

static void close_sample(sample *s)
{
    vrm_avatar_release(s->avatar);
    vrm_gltf_destroy(s->gltf);
    vrm_bytes_free(&s->bytes);
}

// Returns the number at a JSON pointer, which is formatted by printf with two numbers, or -1 if there is none.
static long number_at(const vrm_gltf *gltf, const char *format, int a, int b)
{
    char pointer[128];
    snprintf(pointer, sizeof(pointer), format, a, b);
    vrm_string text;
    return vrm_gltf_get_json(gltf, pointer, &text) == VRM_SUCCESS ? strtol(text.data, NULL, 10) : -1;
}

static void every_seed_loads_without_a_warning(void)
{
    for (uint32_t seed = 0; seed < 4; ++seed) {
        sample s = open_sample(seed);
        CHECK(s.bytes.size < 1500000);
        close_sample(&s);
    }
    sample last = open_sample(UINT32_MAX);
    close_sample(&last);
}

static void springs_are_the_promised_load(void)
{
    sample s = open_sample(0);
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(s.avatar, &counts);
    CHECK_INT(counts.spring_joints, 136);
    CHECK_INT(counts.spring_chains, 32);
    int hair = 0, centers = 0;
    for (uint32_t i = 0; i < counts.spring_chains; ++i) {
        vrm_spring_chain chain = {.struct_size = sizeof chain};
        CHECK_INT(vrm_avatar_get_spring_chain(s.avatar, i, &chain), VRM_SUCCESS);
        CHECK_INT(chain.collider_count, 4);
        hair += chain.name.length < 5 || memcmp(chain.name.data, "skirt", 5) != 0;
        centers += chain.center >= 0;
    }
    CHECK_INT(hair, 20);
    CHECK_INT(centers, 7);
    int shapes[VRM_COLLIDER_PLANE + 1] = {0};
    for (uint32_t i = 0; i < counts.colliders; ++i) {
        vrm_collider collider = {.struct_size = sizeof collider};
        CHECK_INT(vrm_avatar_get_collider(s.avatar, i, &collider), VRM_SUCCESS);
        ++shapes[collider.shape];
    }
    for (int shape = 0; shape <= VRM_COLLIDER_PLANE; ++shape) {
        CHECK(shapes[shape] > 0);
    }
    close_sample(&s);
}

static void humanoid_is_whole_and_symmetric(void)
{
    static const char *const names[] = {
#define NAME(name, number, json, parent, required, needs) [number] = json,
        VRM_HUMAN_BONES(NAME)
#undef NAME
    };
    sample s = open_sample(3);
    for (int a = 0; a < VRM_HUMAN_BONE_COUNT; ++a) {
        CHECK(vrm_avatar_get_bone_node(s.avatar, (vrm_human_bone)a) >= 0);
        for (int b = 0; b < VRM_HUMAN_BONE_COUNT; ++b) {
            if (strncmp(names[a], "left", 4) != 0 || strncmp(names[b], "right", 5) != 0 ||
                strcmp(names[a] + 4, names[b] + 5) != 0) {
                continue;
            }
            vrm_node left = {.struct_size = sizeof left}, right = {.struct_size = sizeof right};
            vrm_avatar_get_node(s.avatar, (uint32_t)vrm_avatar_get_bone_node(s.avatar, (vrm_human_bone)a), &left);
            vrm_avatar_get_node(s.avatar, (uint32_t)vrm_avatar_get_bone_node(s.avatar, (vrm_human_bone)b), &right);
            CHECK_NEAR(left.rest_position.x, -right.rest_position.x, 1e-6);
            CHECK_NEAR(left.rest_position.y, right.rest_position.y, 1e-6);
            CHECK_NEAR(left.rest_position.z, right.rest_position.z, 1e-6);
            CHECK(left.rest_position.x > 0.0f);
            // Left and right are mirrored at x = 0, up to the quaternion's sign.
            const vrm_quat l = left.rest_rotation, r = right.rest_rotation;
            CHECK_NEAR(fabsf(l.x * r.x - l.y * r.y - l.z * r.z + l.w * r.w), 1.0, 1e-6);
        }
    }
    close_sample(&s);
}

static vrm_node bone(const sample *s, vrm_human_bone which)
{
    vrm_node node = {.struct_size = sizeof node};
    const int index = vrm_avatar_get_bone_node(s->avatar, which);
    CHECK(index >= 0 && vrm_avatar_get_node(s->avatar, (uint32_t)index, &node) == VRM_SUCCESS);
    return node;
}

// The T-pose of VRMC_vrm-1.0: arms along X, thumbs at 45 degrees towards the front, feet on the ground. Rest rotations
// may be anything, and this avatar has some.
static void stands_in_t_pose(void)
{
    sample s = open_sample(0);
    const vrm_node upper = bone(&s, VRM_HUMAN_BONE_LEFT_UPPER_ARM), lower = bone(&s, VRM_HUMAN_BONE_LEFT_LOWER_ARM);
    const vrm_node hand = bone(&s, VRM_HUMAN_BONE_LEFT_HAND), eye = bone(&s, VRM_HUMAN_BONE_LEFT_EYE);
    CHECK(upper.rest_position.x < lower.rest_position.x && lower.rest_position.x < hand.rest_position.x);
    CHECK_NEAR(upper.rest_position.y, hand.rest_position.y, 0.003);
    CHECK_NEAR(upper.rest_position.z, hand.rest_position.z, 0.003);
    const vrm_node base = bone(&s, VRM_HUMAN_BONE_LEFT_THUMB_PROXIMAL),
                   tip = bone(&s, VRM_HUMAN_BONE_LEFT_THUMB_DISTAL);
    const double angle = atan2(tip.rest_position.z - base.rest_position.z, tip.rest_position.x - base.rest_position.x);
    CHECK_NEAR(angle, 0.785398, 0.01);
    CHECK(fabsf(upper.rest_rotation.w) < 0.9f);
    CHECK(fabsf(eye.rest_rotation.w) < 0.9999f);
    vrm_avatar_body body = {.struct_size = sizeof body};
    vrm_avatar_get_body(s.avatar, &body);
    CHECK_NEAR(body.height, 1.52, 0.03); // with the strand on the crown
    const vrm_node head = bone(&s, VRM_HUMAN_BONE_HEAD);
    CHECK(body.eye_height > head.rest_position.y && body.eye_height < body.height);
    close_sample(&s);
}

static void check_part(const sample *s, int mesh, int primitive, uint32_t joints, float *low_y)
{
    static float values[4 * 4096];
    static uint32_t indices[4 * 4096];
    const long position = number_at(s->gltf, "/meshes/%d/primitives/%d/attributes/POSITION", mesh, primitive);
    const long normal = number_at(s->gltf, "/meshes/%d/primitives/%d/attributes/NORMAL", mesh, primitive);
    const long weight = number_at(s->gltf, "/meshes/%d/primitives/%d/attributes/WEIGHTS_0", mesh, primitive);
    const long joint = number_at(s->gltf, "/meshes/%d/primitives/%d/attributes/JOINTS_0", mesh, primitive);
    vrm_gltf_accessor info = {.struct_size = sizeof info};
    CHECK_INT(vrm_gltf_get_accessor(s->gltf, (uint32_t)position, &info), VRM_SUCCESS);
    CHECK(info.count <= 4096);
    CHECK_INT(vrm_gltf_read_floats(s->gltf, (uint32_t)position, 0, info.count, values), VRM_SUCCESS);
    for (uint32_t i = 0; i < info.count && weight >= 0; ++i) {
        *low_y = fminf(*low_y, values[i * 3 + 1]);
    }
    CHECK_INT(vrm_gltf_read_floats(s->gltf, (uint32_t)normal, 0, info.count, values), VRM_SUCCESS);
    for (uint32_t i = 0; i < info.count; ++i) {
        const float *n = &values[i * 3];
        CHECK_NEAR(n[0] * n[0] + n[1] * n[1] + n[2] * n[2], 1.0, 1e-5);
    }
    if (weight < 0) {
        return; // the mesh is rigidly attached to its node
    }
    CHECK_INT(vrm_gltf_read_floats(s->gltf, (uint32_t)weight, 0, info.count, values), VRM_SUCCESS);
    CHECK_INT(vrm_gltf_read_uints(s->gltf, (uint32_t)joint, 0, info.count, indices), VRM_SUCCESS);
    for (uint32_t i = 0; i < info.count; ++i) {
        const float *w = &values[i * 4];
        CHECK(w[0] + w[1] + w[2] + w[3] == 1.0f);
        for (int k = 0; k < 4; ++k) {
            CHECK(w[k] >= 0.0f && indices[i * 4 + (uint32_t)k] < joints);
        }
    }
}

static void surface_is_small_and_clean(void)
{
    sample s = open_sample(0);
    long triangles = 0;
    float low_y = 1.0f;
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(s.avatar, &counts);
    const int meshes = (int)vrm_gltf_get_count(s.gltf, VRM_GLTF_MESHES);
    for (int m = 0; m < meshes; ++m) {
        for (int p = 0; number_at(s.gltf, "/meshes/%d/primitives/%d/indices", m, p) >= 0; ++p) {
            const long accessor = number_at(s.gltf, "/meshes/%d/primitives/%d/indices", m, p);
            triangles += number_at(s.gltf, "/accessors/%d/count", (int)accessor, 0) / 3;
            check_part(&s, m, p, counts.palette_joints, &low_y);
        }
    }
    CHECK(triangles >= 2500 && triangles <= 4000);
    CHECK_NEAR(low_y, 0.0, 1e-6); // the soles are on the ground
    close_sample(&s);
}

// Returns the largest component of a morph target over all parts of the face, each of which has one target.
static double morph_size(const vrm_gltf *gltf, int target)
{
    static float values[3 * 4096];
    double size = 0.0;
    for (int p = 0; number_at(gltf, "/meshes/0/primitives/%d/indices", p, 0) >= 0; ++p) {
        const long accessor = number_at(gltf, "/meshes/0/primitives/%d/targets/%d/POSITION", p, target);
        vrm_gltf_accessor info = {.struct_size = sizeof info};
        CHECK_INT(vrm_gltf_get_accessor(gltf, (uint32_t)accessor, &info), VRM_SUCCESS);
        CHECK_INT(vrm_gltf_read_floats(gltf, (uint32_t)accessor, 0, info.count, values), VRM_SUCCESS);
        for (uint32_t i = 0; i < info.count * 3; ++i) {
            const double way = fabs((double)values[i]);
            size = way > size ? way : size;
        }
    }
    return size;
}

static void face_has_all_presets_and_more(void)
{
    sample s = open_sample(0);
    for (int preset = 0; preset < VRM_EXPRESSION_PRESET_COUNT; ++preset) {
        CHECK(vrm_avatar_find_preset(s.avatar, (vrm_expression_preset)preset) >= 0);
    }
    static const char *const custom[] = {"wink", "sparkle", "glow"};
    for (int i = 0; i < 3; ++i) {
        CHECK(vrm_avatar_find_expression(s.avatar, custom[i], strlen(custom[i])) >= 0);
    }
    vrm_expression happy = {.struct_size = sizeof happy}, sparkle = {.struct_size = sizeof sparkle};
    vrm_avatar_get_expression(
        s.avatar, (uint32_t)vrm_avatar_find_preset(s.avatar, VRM_EXPRESSION_PRESET_HAPPY), &happy);
    vrm_avatar_get_expression(s.avatar, (uint32_t)vrm_avatar_find_expression(s.avatar, "sparkle", 7), &sparkle);
    CHECK_INT(happy.override_blink, VRM_EXPRESSION_OVERRIDE_BLOCK);
    CHECK(sparkle.is_binary && !happy.is_binary);
    for (int target = 0; target < 19; ++target) {
        const double size = morph_size(s.gltf, target);
        CHECK(size > 0.0005 && size < 0.05); // visible, but not distorted
    }
    vrm_look_at look = {.struct_size = sizeof look};
    vrm_avatar_get_look_at(s.avatar, &look);
    CHECK_INT(look.type, VRM_LOOK_AT_BONE);
    close_sample(&s);
}

static void constraints_of_every_kind(void)
{
    sample s = open_sample(0);
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(s.avatar, &counts);
    int kinds[3] = {0};
    for (uint32_t i = 0; i < counts.constraints; ++i) {
        vrm_constraint constraint = {.struct_size = sizeof constraint};
        CHECK_INT(vrm_avatar_get_constraint(s.avatar, i, &constraint), VRM_SUCCESS);
        ++kinds[constraint.type];
    }
    CHECK_INT(kinds[VRM_CONSTRAINT_ROLL], 4);
    CHECK_INT(kinds[VRM_CONSTRAINT_AIM], 2);
    CHECK_INT(kinds[VRM_CONSTRAINT_ROTATION], 2);
    close_sample(&s);
}

static void may_be_used_by_everyone(void)
{
    sample s = open_sample(0);
    vrm_meta meta = {.struct_size = sizeof meta};
    vrm_avatar_get_meta(s.avatar, &meta);
    CHECK_INT(meta.avatar_permission, VRM_AVATAR_PERMISSION_EVERYONE);
    CHECK_INT(meta.commercial_usage, VRM_COMMERCIAL_USAGE_CORPORATION);
    vrm_gltf_image thumbnail = {.struct_size = sizeof thumbnail};
    CHECK_INT(vrm_gltf_get_image(s.gltf, 0, &thumbnail), VRM_SUCCESS);
    CHECK_STRING(thumbnail.mime_type, "image/png");
    CHECK(thumbnail.width == thumbnail.height && thumbnail.width == 256);
    close_sample(&s);
}

static void same_seed_same_bytes(void)
{
    vrm_bytes a = sample_bytes(5), b = sample_bytes(5), c = sample_bytes(6), d = sample_bytes(0);
    CHECK(a.size == b.size && memcmp(a.data, b.data, a.size) == 0);
    CHECK(a.size != c.size || memcmp(a.data, c.data, a.size) != 0);
    CHECK(a.size != d.size || memcmp(a.data, d.data, a.size) != 0);
    vrm_bytes_free(&a);
    vrm_bytes_free(&b);
    vrm_bytes_free(&c);
    vrm_bytes_free(&d);
}

// The FNV-1a hashes are the same with gcc and clang, in debug, release and sanitizer builds. Tests and benchmarks
// measure this avatar, so it never changes. Only a new version number, which the file contains, may require new hashes
// here.
static void bytes_are_the_same_everywhere(void)
{
    static const struct {
        uint32_t seed;
        uint64_t hash;
    } expected[] = {{0, 0xef2a179236466effu}, {9, 0x185674372639d830u}};
    for (int i = 0; i < 2; ++i) {
        vrm_bytes bytes = sample_bytes(expected[i].seed);
        const uint64_t hash = hash_more(HASH_OF_NOTHING, bytes.data, bytes.size);
        printf("seed %u: 0x%016llxu\n", expected[i].seed, (unsigned long long)hash);
        CHECK(hash == expected[i].hash);
        vrm_bytes_free(&bytes);
    }
}

static void wrong_arguments_are_refused(void)
{
    vrm_sample_params def;
    vrm_sample_params_default(&def);
    vrm_bytes bytes;
    CHECK_INT(vrm_sample_create(&def, NULL), VRM_ERROR_INVALID_ARGUMENT);
    def.struct_size = 1;
    CHECK_INT(vrm_sample_create(&def, &bytes), VRM_ERROR_INVALID_ARGUMENT);
    CHECK(bytes.data == NULL && bytes.size == 0);
}

static void every_lack_of_memory_is_survived(void)
{
    test_allocator state;
    vrm_sample_params def;
    vrm_sample_params_default(&def);
    def.allocator = test_allocator_make(&state);
    def.detail = VRM_SAMPLE_DETAIL_MINIMAL;
    vrm_bytes bytes;
    CHECK_INT(vrm_sample_create(&def, &bytes), VRM_SUCCESS);
    const uint64_t calls = state.calls;
    vrm_bytes_free(&bytes);
    CHECK_INT(state.live_blocks, 0);
    // The later allocations are all alike, for growing texts, so some of them are enough: fewer and fewer, as a call needs
    // the longer the later it fails. The allocator itself finds leaks and blocks that are freed twice, so sanitizers see
    // a third of the first ones.
    const uint64_t step = TEST_SHARE > 1 ? 3 : 1;
    for (uint64_t call = 0; call < calls; call += call < 40 || call + 6 > calls ? step : call / 6) {
        def.allocator = test_allocator_make(&state);
        state.fail_at = call;
        CHECK_INT(vrm_sample_create(&def, &bytes), VRM_ERROR_OUT_OF_MEMORY);
        CHECK(bytes.data == NULL);
        CHECK_INT(state.live_blocks, 0);
        CHECK_INT(state.wrong, 0);
    }
}

static const test_case cases[] = {
    {"every_seed_loads_without_a_warning", every_seed_loads_without_a_warning},
    {"springs_are_the_promised_load", springs_are_the_promised_load},
    {"humanoid_is_whole_and_symmetric", humanoid_is_whole_and_symmetric},
    {"stands_in_t_pose", stands_in_t_pose},
    {"surface_is_small_and_clean", surface_is_small_and_clean},
    {"face_has_all_presets_and_more", face_has_all_presets_and_more},
    {"constraints_of_every_kind", constraints_of_every_kind},
    {"may_be_used_by_everyone", may_be_used_by_everyone},
    {"same_seed_same_bytes", same_seed_same_bytes},
    {"bytes_are_the_same_everywhere", bytes_are_the_same_everywhere},
    {"wrong_arguments_are_refused", wrong_arguments_are_refused},
    {"every_lack_of_memory_is_survived", every_lack_of_memory_is_survived},
};
RUN_TESTS(cases)
