// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Snapshots. A restored instance continues with the same bits; invalid bytes change nothing.

#include <vrm/lod.h>
#include <vrm/output.h>

#include "model_fixture.h"
#include "pose_of.h"
#include "test.h"
#include "test_random.h"

static fixture fix;

static vrm_avatar *make_avatar(void)
{
    fixture_begin(&fix);
    fixture_everything(&fix);
    return fixture_finish(&fix);
}

static vrm_instance *make_instance(const vrm_avatar *avatar)
{
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = avatar;
    def.host_colliders = 2;
    def.spring_parameters = true;
    vrm_instance *instance = NULL;
    CHECK_INT(vrm_instance_create(&def, &instance), VRM_SUCCESS);
    return instance;
}

// Runs a frame in which every input changes. The whole humanoid is posed.
static void live(vrm_instance *instance, int frame)
{
    const float t = 0.1f * (float)frame;
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        float s, c;
        vrmi_sincos(t + (float)bone, &s, &c);
        const vrm_quat turn = vrmi_quat_from_axis_angle(vrmi_vec3(0, 1, 0), 0.3f * s);
        (void)vrm_instance_set_normalized_rotation(instance, (vrm_human_bone)bone, &turn);
    }
    const vrm_vec3 hips = {0.1f * t, 0.9f, 0};
    vrm_instance_set_hips_position(instance, &hips);
    const vrm_root root = {{1000.0 + (double)t, 0, 0}, vrmi_quat_from_axis_angle(vrmi_vec3(0, 1, 0), t), 1.5f};
    vrm_instance_set_root(instance, &root);
    const vrm_dvec3 target = {1000, 3 - (double)t, 1};
    vrm_instance_set_look_at_target(instance, &target);
    vrm_instance_set_eye_angles(instance, VRM_HUMAN_BONE_RIGHT_EYE, 0.1f * t, 0);
    vrm_instance_set_expression(instance, VRM_EXPRESSION_LAYER_TRACKER, 2, 0.01f * (float)(frame % 100));
    if (frame == 5) {
        vrm_blink_params blink;
        vrm_blink_params_default(&blink);
        blink.enabled = true;
        blink.interval_min = 0.1f;
        blink.interval_max = 0.5f;
        vrm_instance_set_blink(instance, &blink);
        vrm_instance_fade_emotion(instance, 0, 0.8f, 3.0f);
        vrm_host_collider_def collider;
        vrm_host_collider_def_default(&collider);
        collider.offset.x = 1000;
        collider.offset.y = 1;
        collider.radius = 0.3f;
        vrm_instance_set_host_collider(instance, 1, &collider);
        vrm_spring_params settings;
        vrm_spring_params_default(&settings);
        settings.external = vrmi_vec3(0.1f, 0, 0.2f);
        vrm_instance_set_spring_params(instance, &settings);
        vrm_instance_set_chain_weight(instance, 4, 0.5f);
    }
    vrm_instance_set_lod(instance, (vrm_lod)(frame / 9 % VRM_LOD_COUNT));
    const float vowels[5] = {0.3f, 0, 0.01f * (float)(frame % 50), 0, 0};
    vrm_instance_set_vowels(instance, vowels);
    vrm_update_dt(instance, frame % 3 == 0 ? 0.011f : 0.021f);
}

static bool same_outputs(const vrm_instance *a, const vrm_instance *b)
{
    vrm_outputs x = {.struct_size = sizeof x}, y = {.struct_size = sizeof y};
    vrm_instance_get_outputs(a, &x);
    vrm_instance_get_outputs(b, &y);
    return same_poses(a, b) && memcmp(x.world, y.world, x.node_count * sizeof(*x.world)) == 0 &&
           memcmp(x.palette, y.palette, x.palette_joint_count * sizeof(*x.palette)) == 0 &&
           memcmp(x.morphs, y.morphs, x.morph_count * sizeof(*x.morphs)) == 0 &&
           memcmp(x.materials, y.materials, x.material_count * sizeof(*x.materials)) == 0 &&
           memcmp(x.expressions, y.expressions, x.expression_count * sizeof(*x.expressions)) == 0 &&
           memcmp(x.mesh_boxes, y.mesh_boxes, x.mesh_count * sizeof(*x.mesh_boxes)) == 0 &&
           memcmp(&x.viewpoint, &y.viewpoint, sizeof(x.viewpoint)) == 0 && x.look_yaw == y.look_yaw;
}

static void *save(const vrm_instance *instance, size_t *out_size)
{
    size_t size = 0;
    CHECK_INT(vrm_instance_snapshot(instance, NULL, &size), VRM_SUCCESS);
    void *bytes = malloc(size);
    *out_size = size;
    CHECK_INT(vrm_instance_snapshot(instance, bytes, out_size), VRM_SUCCESS);
    CHECK_INT(*out_size, size);
    return bytes;
}

// For any scales that the host sets, even if they are clamped, an instance accepts its own snapshot, and every output
// rotation and matrix is finite.
static void takes_its_own_snapshot_at_any_scale(void)
{
    static const float scales[] = {0.0f, -0.0f, 1e-38f, 1e-20f, 1e-12f, 1e12f, -1e20f, 1e20f, 1e30f, 3e38f};
    vrm_avatar *avatar = make_avatar();
    vrm_instance *a = make_instance(avatar), *b = make_instance(avatar);
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(avatar, &counts);
    const uint32_t nodes = counts.nodes;
    for (uint32_t node = 0; node < nodes; ++node) {
        for (uint32_t i = 0; i < 2 * sizeof scales / sizeof *scales; ++i) {
            const float x = scales[i / 2];
            const vrm_vec3 scale = i % 2 == 0 ? vrmi_vec3(x, x, x) : vrmi_vec3(1, x, 1), one = {1, 1, 1};
            for (int frame = 0; frame < 4; ++frame) {
                vrm_instance_set_scale(a, node, frame < 3 ? &scale : &one);
                vrm_instance_set_scale(a, (node + 7) % nodes, frame == 2 ? &scale : &one);
                live(a, (int)i + frame);
                vrm_outputs out = {.struct_size = sizeof out};
                vrm_instance_get_outputs(a, &out);
                for (uint32_t n = 0; n < nodes; ++n) {
                    const vrm_quat q = pose_of(a, n).rotation;
                    const bool unit = vrmi_abs(vrmi_quat_dot(q, q) - 1) < 1e-3f;
                    bool finite = true;
                    for (int k = 0; k < 12; ++k) {
                        finite = finite && vrmi_finite(out.world[n].m[k / 4][k % 4]);
                    }
                    if (!unit || !finite) {
                        printf("node %u, scale %g (%u), frame %d: node %u: %d %d\n", node, (double)x, i % 2, frame, n,
                            unit, finite);
                        CHECK(false);
                        break;
                    }
                }
                size_t size;
                void *bytes = save(a, &size);
                const vrm_result result = vrm_instance_restore(b, bytes, size);
                if (result != VRM_SUCCESS) {
                    printf("node %u, scale %g (%u), frame %d refused\n", node, (double)x, i % 2, frame);
                }
                CHECK_INT(result, VRM_SUCCESS);
                free(bytes);
            }
        }
    }
    vrm_instance_destroy(a);
    vrm_instance_destroy(b);
    vrm_avatar_release(avatar);
}

static void go_on_with_the_same_bits(void)
{
    vrm_avatar *avatar = make_avatar();
    vrm_instance *a = make_instance(avatar), *b = make_instance(avatar);
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(avatar, &counts);
    CHECK_INT(counts.spring_joints, 136);
    const int moments[] = {0, 1, 30, 77};
    int frame = 0;
    for (int m = 0; m < 4; ++m) {
        for (; frame < moments[m]; ++frame) {
            live(a, frame);
        }
        size_t size;
        void *bytes = save(a, &size);
        printf("snapshot at frame %d: %zu bytes\n", frame, size);
        CHECK(size <= 16 * 1024);
        for (int stray = 0; stray < m; ++stray) { // b has another state before it is restored
            live(b, 1000 + stray);
        }
        CHECK_INT(vrm_instance_restore(b, bytes, size), VRM_SUCCESS);
        CHECK_INT(vrm_instance_get_status(b), vrm_instance_get_status(a));
        // A snapshot of the restored instance is the same.
        size_t again_size;
        void *again = save(b, &again_size);
        CHECK_INT(again_size, size);
        CHECK(again_size == size && memcmp(again, bytes, size) == 0);
        vrm_instance *reference = NULL;
        CHECK_INT(vrm_instance_clone(a, &reference), VRM_SUCCESS);
        vrm_update_dt(reference, 0.0f); // shows the stored inputs without advancing time
        vrm_update_dt(b, 0.0f);
        CHECK(same_outputs(reference, b));
        CHECK_INT(vrm_instance_restore(b, bytes, size), VRM_SUCCESS);
        vrm_instance_destroy(reference);
        CHECK_INT(vrm_instance_clone(a, &reference), VRM_SUCCESS);
        for (int ahead = 0; ahead < 40; ++ahead) {
            live(reference, frame + ahead);
            live(b, frame + ahead);
            CHECK(same_outputs(reference, b));
        }
        vrm_instance_destroy(reference);
        free(bytes);
        free(again);
    }
    vrm_instance_destroy(a);
    vrm_instance_destroy(b);
    vrm_avatar_release(avatar);
}

static void room(void)
{
    vrm_avatar *avatar = make_avatar();
    vrm_instance *instance = make_instance(avatar);
    live(instance, 5);
    size_t size = 0;
    CHECK_INT(vrm_instance_snapshot(instance, NULL, NULL), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_snapshot(NULL, NULL, &size), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_snapshot(instance, NULL, &size), VRM_SUCCESS);
    char *bytes = malloc(size);
    size_t less = size - 1;
    CHECK_INT(vrm_instance_snapshot(instance, bytes, &less), VRM_ERROR_LIMIT);
    CHECK_INT(less, size); // the size that is needed
    free(bytes);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// Any bytes are refused without a change, or accepted and then safe to run.
static void bad_bytes(void)
{
    vrm_avatar *avatar = make_avatar();
    vrm_instance *a = make_instance(avatar), *b = make_instance(avatar), *untouched = NULL;
    for (int frame = 0; frame < 20; ++frame) {
        live(a, frame);
        live(b, frame + 7);
    }
    size_t size;
    unsigned char *bytes = save(a, &size);
    vrm_instance_clone(b, &untouched);
    CHECK_INT(vrm_instance_restore(b, NULL, size), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_instance_restore(NULL, bytes, size), VRM_ERROR_INVALID_ARGUMENT);
    for (size_t cut = 0; cut < size; cut += cut < 200 ? 1 : 97) { // a block of exactly this length, for the sanitizer
        unsigned char *part = malloc(cut + 1);
        memcpy(part, bytes, cut);
        unsigned char *exact = realloc(part, cut == 0 ? 1 : cut);
        CHECK_INT(vrm_instance_restore(b, exact, cut), VRM_ERROR_INVALID_ASSET);
        free(exact);
    }
    vrm_update_dt(b, 0.01f);
    vrm_update_dt(untouched, 0.01f);
    CHECK(same_outputs(b, untouched));

    test_random random = test_random_make(13);
    int taken = 0;
    for (int round = 0; round < 400; ++round) {
        unsigned char *changed = malloc(size);
        memcpy(changed, bytes, size);
        for (int edits = 0; edits < 1 + round % 4; ++edits) {
            changed[test_random_below(&random, (uint32_t)size)] = (unsigned char)test_random_bits(&random);
        }
        vrm_instance *before = NULL;
        vrm_instance_clone(b, &before);
        const vrm_result result = vrm_instance_restore(b, changed, size);
        CHECK(result == VRM_SUCCESS || result == VRM_ERROR_INVALID_ASSET);
        taken += result == VRM_SUCCESS;
        for (int frame = 0; frame < 3; ++frame) {
            vrm_update_dt(b, 0.02f);
            if (result != VRM_SUCCESS) {
                vrm_update_dt(before, 0.02f);
            }
        }
        CHECK(result == VRM_SUCCESS || same_outputs(b, before));
        vrm_instance_destroy(before);
        free(changed);
    }
    printf("%d of 400 damaged snapshots were taken\n", taken);
    free(bytes);
    vrm_instance_destroy(a);
    vrm_instance_destroy(b);
    vrm_instance_destroy(untouched);
    vrm_avatar_release(avatar);
}

static void of_another_avatar(void)
{
    vrm_avatar *avatar = make_avatar();
    vrm_instance *a = make_instance(avatar), *plain = fixture_instance(avatar);
    size_t size;
    void *bytes = save(a, &size);
    CHECK_INT(vrm_instance_restore(plain, bytes, size), VRM_ERROR_INVALID_ASSET); // another def
    static fixture other;
    fixture_begin(&other);
    fixture_humanoid(&other);
    vrm_avatar *small = fixture_finish(&other);
    vrm_instance *b = fixture_instance(small);
    CHECK_INT(vrm_instance_restore(b, bytes, size), VRM_ERROR_INVALID_ASSET);
    CHECK_INT(vrm_instance_restore(a, bytes, size), VRM_SUCCESS);
    ((unsigned char *)bytes)[4] -= 1; // the previous version of the format
    CHECK_INT(vrm_instance_restore(a, bytes, size), VRM_ERROR_INVALID_ASSET);
    free(bytes);
    vrm_instance_destroy(a);
    vrm_instance_destroy(b);
    vrm_instance_destroy(plain);
    vrm_avatar_release(avatar);
    vrm_avatar_release(small);
}

static const test_case cases[] = {{"takes_its_own_snapshot_at_any_scale", takes_its_own_snapshot_at_any_scale},
    {"go_on_with_the_same_bits", go_on_with_the_same_bits}, {"room", room}, {"bad_bytes", bad_bytes},
    {"of_another_avatar", of_another_avatar}};

RUN_TESTS(cases)
