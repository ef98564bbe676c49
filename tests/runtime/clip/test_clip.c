// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Clips and players. Sampling is compared with glTF's formulas in double, operations by their properties. Also mixing,
// transitions, folding, snapshots, BVH and written files.

#include "clip_fixture.h"
#include "minimal_sample.h"
#include "pose_of.h"

static double pose_distance(const vrm_clip_pose *a, const vrm_clip_pose *b)
{
    double most = 0;
    for (int i = 0; i < VRM_HUMAN_BONE_COUNT; ++i) {
        most = fmax(most, apart(a->rotations[i], b->rotations[i]));
    }
    most = fmax(most, fabs((double)(a->hips.x - b->hips.x)) + fabs((double)(a->hips.y - b->hips.y)) +
                          fabs((double)(a->hips.z - b->hips.z)));
    return fmax(most, fabs((double)(a->yaw - b->yaw)) + fabs((double)(a->pitch - b->pitch)));
}

static double clip_distance(const vrm_clip *a, const vrm_clip *b, float shift)
{
    double most = 0;
    for (float t = 0.013f; t < 1.9f; t += 0.0371f) {
        vrm_clip_pose pa = {.struct_size = sizeof pa}, pb = {.struct_size = sizeof pb};
        vrm_clip_sample(a, t + shift, &pa);
        vrm_clip_sample(b, t, &pb);
        most = fmax(most, pose_distance(&pa, &pb));
        for (uint32_t e = 0; e < 2; ++e) {
            most = fmax(most,
                fabs((double)(vrm_clip_sample_expression(a, e, t + shift) - vrm_clip_sample_expression(b, e, t))));
        }
    }
    return most;
}

// --- sampling --------------------------------------------------------------------------------------------------------

// Samples a track by glTF 2.0, appendix C, in double.
static void reference_sample(const vrm_clip *clip, const vrmi_clip_track *t, double time, double out[4])
{
    const float *x = clip->floats + t->times;
    const uint32_t width = vrmi_track_width(t->kind), stride = vrmi_track_stride(t);
    uint32_t k = 0;
    while (k + 1 < t->key_count && (double)x[k + 1] <= time) {
        ++k;
    }
    const float *a = clip->floats + t->values + (size_t)k * stride, *b = a + stride;
    const uint32_t skip = t->interpolation == VRMI_CUBIC ? width : 0;
    const bool inside = k + 1 < t->key_count && time > (double)x[0] && t->interpolation != VRMI_STEP;
    const double span = inside ? (double)x[k + 1] - (double)x[k] : 1, s = inside ? (time - (double)x[k]) / span : 0;
    double wa = 1 - s, wb = s, norm = 0;
    if (inside && t->interpolation == VRMI_LINEAR && width == 4) {
        double dot = 0;
        for (uint32_t i = 0; i < 4; ++i) {
            dot += (double)a[i] * (double)b[i];
        }
        const double angle = acos(fmin(fabs(dot), 1));
        wa = angle > 1e-9 ? sin((1 - s) * angle) / sin(angle) : 1 - s;
        wb = (dot < 0 ? -1 : 1) * (angle > 1e-9 ? sin(s * angle) / sin(angle) : s);
    }
    for (uint32_t i = 0; i < width; ++i) {
        if (inside && t->interpolation == VRMI_CUBIC) {
            const double s2 = s * s, s3 = s2 * s;
            out[i] = (2 * s3 - 3 * s2 + 1) * (double)a[width + i] +
                     span * (s3 - 2 * s2 + s) * (double)a[2 * width + i] + (3 * s2 - 2 * s3) * (double)b[width + i] +
                     span * (s3 - s2) * (double)b[i];
        } else {
            out[i] = inside ? wa * (double)a[i] + wb * (double)b[i] : (double)a[skip + i];
        }
        norm += out[i] * out[i];
    }
    for (uint32_t i = 0; i < width && width == 4; ++i) {
        out[i] /= sqrt(norm);
    }
}

static void sampling(void)
{
    vrm_clip *clip = make_clip(1);
    uint32_t seed = 5, cursors[16] = {0};
    for (int n = 0; n < 3000; ++n) {
        // First forwards, then in any order.
        const float time = n < 1000 ? 0.0021f * (float)n : (float)(2.4 * noise(&seed) - 0.2);
        for (uint32_t t = 0; t < clip->track_count; ++t) {
            float got[4], again[4];
            double want[4];
            vrmi_clip_sample_track(clip, t, time, &cursors[t], got);
            vrmi_clip_sample_track(clip, t, time, NULL, again);
            reference_sample(clip, &clip->tracks[t], (double)time, want);
            const uint32_t width = vrmi_track_width(clip->tracks[t].kind);
            CHECK(memcmp(got, again, width * sizeof(float)) == 0);
            double dot = 0;
            for (uint32_t i = 0; i < width; ++i) {
                dot += (double)got[i] * want[i];
            }
            for (uint32_t i = 0; i < width; ++i) {
                CHECK_NEAR((double)got[i] * (width == 4 && dot < 0 ? -1 : 1), want[i], 2e-5);
            }
        }
    }
    vrm_clip_info info = {.struct_size = sizeof info};
    vrm_clip_get_info(clip, &info);
    CHECK_NEAR(info.duration, 1.9, 1e-6);
    CHECK_INT(info.expressions, 2);
    CHECK_INT(info.keys, (MOVED + 4) * KEYS);
    CHECK(info.has_gaze && info.has_hips_position && !info.additive);
    vrm_clip_release(clip);
}

// NaN, times that do not rise, a single key, zero quaternions.
static void bad_keys(void)
{
    vrmi_clip_builder b;
    vrmi_clip_builder_init(&b, NULL);
    const vrmi_clip_track track = {.kind = VRMI_TRACK_ROTATION, .interpolation = VRMI_LINEAR, .key_count = 5};
    float *t, *v;
    CHECK(vrmi_clip_builder_track(&b, &track, &t, &v));
    const float bad_times[5] = {0.0f, NAN, 1.0f, 0.5f, 2.0f};
    memcpy(t, bad_times, sizeof bad_times);
    v[0] = NAN;
    v[2 * 4 + 1] = INFINITY;
    v[4 * 4 + 2] = 2.0f;
    CHECK_INT(vrmi_clip_builder_finish(&b), 2);
    vrm_clip *clip = NULL;
    CHECK_INT(vrmi_clip_pack(&b, &clip), VRM_SUCCESS);
    vrmi_clip_builder_free(&b);
    for (float time = -1.0f; time < 3.0f; time += 0.25f) {
        vrm_clip_pose pose = {.struct_size = sizeof pose};
        vrm_clip_sample(clip, time, &pose);
        const vrm_quat q = pose.rotations[0];
        CHECK_NEAR(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w, 1, 1e-5);
    }
    vrm_clip_release(clip);
}

// --- operations ------------------------------------------------------------------------------------------------------

static void operations(void)
{
    vrm_clip *clip = make_clip(2), *a = NULL, *b = NULL;
    CHECK_INT(vrm_clip_trim(clip, 0.47f, 1.51f, &a), VRM_SUCCESS);
    double most = 0;
    for (float t = 0.01f; t < 1.03f; t += 0.013f) {
        vrm_clip_pose pa = {.struct_size = sizeof pa}, pb = {.struct_size = sizeof pb};
        vrm_clip_sample(a, t, &pa);
        vrm_clip_sample(clip, t + 0.47f, &pb);
        most = fmax(most, pose_distance(&pa, &pb));
    }
    CHECK_NEAR(most, 0, 1e-4);
    vrm_clip_release(a);
    CHECK_INT(vrm_clip_trim(clip, 0.0f, 99.0f, &a), VRM_SUCCESS);
    CHECK_NEAR(clip_distance(a, clip, 0), 0, 1e-5);
    vrm_clip_release(a);

    CHECK_INT(vrm_clip_mirror(clip, &a), VRM_SUCCESS);
    vrm_clip_pose plain = {.struct_size = sizeof plain}, other = {.struct_size = sizeof other};
    vrm_clip_sample(clip, 0.8f, &plain);
    vrm_clip_sample(a, 0.8f, &other);
    const vrm_quat left = plain.rotations[BONE(LEFT_LOWER_ARM)];
    CHECK_NEAR(apart(other.rotations[BONE(RIGHT_LOWER_ARM)], (vrm_quat){left.x, -left.y, -left.z, left.w}), 0, 1e-6);
    CHECK_NEAR(other.hips.x, -plain.hips.x, 1e-6);
    CHECK_NEAR(other.yaw, -plain.yaw, 1e-6);
    vrm_string name;
    CHECK_INT(vrm_clip_get_expression(a, 1, &name), VRM_SUCCESS);
    CHECK_STRING(name.data, "blinkRight");
    CHECK_INT(vrm_clip_mirror(a, &b), VRM_SUCCESS);
    CHECK_NEAR(clip_distance(b, clip, 0), 0, 1e-6);
    vrm_clip_release(a);
    vrm_clip_release(b);

    CHECK_INT(vrm_clip_reverse(clip, &a), VRM_SUCCESS);
    for (float t = 0.01f; t < 1.9f; t += 0.0377f) { // not at keys, where a step has two values
        vrm_clip_sample(clip, 1.9f - t, &plain);
        vrm_clip_sample(a, t, &other);
        CHECK_NEAR(pose_distance(&plain, &other), 0, 1e-4);
    }
    CHECK_INT(vrm_clip_reverse(a, &b), VRM_SUCCESS);
    CHECK_NEAR(clip_distance(b, clip, 0), 0, 1e-4);
    vrm_clip_release(a);
    vrm_clip_release(b);

    CHECK_INT(vrm_clip_resample(clip, 50.0f, &a), VRM_SUCCESS);
    vrm_clip_sample(a, 0.5f, &other);
    vrm_clip_sample(clip, 0.5f, &plain);
    CHECK_NEAR(pose_distance(&plain, &other), 0, 1e-5);
    CHECK_INT(vrm_clip_reduce(a, 0.005f, &b), VRM_SUCCESS);
    vrm_clip_info before = {.struct_size = sizeof before}, after = {.struct_size = sizeof after};
    vrm_clip_get_info(a, &before);
    vrm_clip_get_info(b, &after);
    CHECK(after.keys < before.keys / 2);
    CHECK_NEAR(clip_distance(a, b, 0), 0, 0.02); // in radians: half a centimetre at the end of a limb
    vrm_clip_release(a);
    vrm_clip_release(b);

    CHECK_INT(vrm_clip_trim(clip, 1.0f, 1.0f, &a), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_clip_trim(clip, 5.0f, 6.0f, &a), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_clip_resample(clip, NAN, &a), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_clip_reduce(clip, 0.0f, &a), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_clip_mirror(NULL, &a), VRM_ERROR_INVALID_ARGUMENT);
    vrm_clip_release(clip);
}

// The end equals the beginning, nothing jumps before the end, and earlier frames do not change.
static void loops(void)
{
    vrm_clip *clip = make_clip(14), *loop = NULL;
    CHECK_INT(vrm_clip_make_loop(clip, 0.5f, 240.0f, &loop), VRM_SUCCESS);
    vrm_clip_info info = {.struct_size = sizeof info};
    vrm_clip_get_info(loop, &info);
    CHECK_NEAR(info.duration, 1.9, 1e-6);
    vrm_clip_pose first = {.struct_size = sizeof first}, last = {.struct_size = sizeof last},
                  plain = {.struct_size = sizeof plain}, other = {.struct_size = sizeof other};
    vrm_clip_sample(clip, 0.0f, &first);
    vrm_clip_sample(loop, info.duration, &last);
    vrm_clip_sample(clip, info.duration, &plain);
    CHECK_NEAR(last.hips.x, plain.hips.x, 1e-6); // horizontal movement is kept
    CHECK_NEAR(last.hips.z, plain.hips.z, 1e-6);
    last.hips.x = first.hips.x;
    last.hips.z = first.hips.z;
    CHECK_NEAR(pose_distance(&first, &last), 0, 1e-5);
    for (uint32_t e = 0; e < 2; ++e) {
        CHECK_NEAR(vrm_clip_sample_expression(loop, e, info.duration), vrm_clip_sample_expression(clip, e, 0.0f), 1e-5);
    }
    for (int key = 0; key < 336; ++key) { // up to 1.4 s
        vrm_clip_sample(clip, (float)((double)key / 240.0), &plain);
        vrm_clip_sample(loop, (float)((double)key / 240.0), &other);
        CHECK_NEAR(pose_distance(&plain, &other), 0, 1e-5);
    }
    vrm_clip *refused = NULL;
    CHECK_INT(vrm_clip_make_loop(clip, 2.0f, 60.0f, &refused), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_clip_make_loop(clip, 0.0f, 60.0f, &refused), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_clip_make_loop(clip, 0.5f, 0.0f, &refused), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_clip_make_loop(NULL, 0.5f, 60.0f, &refused), VRM_ERROR_INVALID_ARGUMENT);
    vrm_clip_release(clip);
    vrm_clip_release(loop);
}

// --- player ----------------------------------------------------------------------------------------------------------

static void playing(void)
{
    stage s;
    set_stage(&s, 2);
    vrm_clip *clip = make_clip(3);
    vrm_clip_play_params play;
    vrm_clip_play_params_default(&play);
    play.wrap = VRM_CLIP_WRAP_LOOP;
    CHECK_INT(vrm_clip_player_play(s.player, 0, clip, &play), VRM_SUCCESS);
    vrm_clip_pose pose = {.struct_size = sizeof pose};
    double time = 0;
    for (int frame = 0; frame < 200; ++frame) {
        vrm_update_dt(s.instance, frame == 0 ? 0.0f : 0.03f);
        time += frame == 0 ? 0 : (double)0.03f;
        vrm_clip_sample(clip, (float)fmod(time, (double)1.9f), &pose);
        CHECK_NEAR(apart(shown(&s, BONE(LEFT_LOWER_ARM)), pose.rotations[BONE(LEFT_LOWER_ARM)]), 0, 1e-4);
        CHECK_NEAR(vrm_clip_player_get_time(s.player, 0), fmod(time, (double)1.9f), 1e-4);
    }
    // A constant clip gives the same bits in each frame and does not change the input.
    const vrm_quat before = shown(&s, BONE(SPINE));
    vrm_update_dt(s.instance, 0.0f);
    const vrm_quat after = shown(&s, BONE(SPINE));
    CHECK(memcmp(&before, &after, sizeof before) == 0);
    vrm_transform input;
    CHECK_INT(vrm_instance_get_local(s.instance, (uint32_t)vrm_avatar_get_bone_node(s.avatar, BONE(SPINE)), &input),
        VRM_SUCCESS);
    vrm_node spine = {.struct_size = sizeof spine};
    CHECK_INT(
        vrm_avatar_get_node(s.avatar, (uint32_t)vrm_avatar_get_bone_node(s.avatar, BONE(SPINE)), &spine), VRM_SUCCESS);
    CHECK(memcmp(&input, &spine.rest, sizeof input) == 0);
    // Expressions and gaze.
    vrm_outputs outputs = {.struct_size = sizeof outputs};
    vrm_instance_get_outputs(s.instance, &outputs);
    const int32_t happy = vrm_avatar_find_preset(s.avatar, VRM_EXPRESSION_PRESET_HAPPY);
    CHECK_NEAR(outputs.expressions[happy].input,
        vrm_clip_sample_expression(clip, 0, vrm_clip_player_get_time(s.player, 0)), 1e-6);
    vrm_clip_sample(clip, vrm_clip_player_get_time(s.player, 0), &pose);
    CHECK_NEAR(outputs.look_yaw, pose.yaw, 1e-5);
    // Ping-pong plays back to the start; hold stays at the end.
    play.wrap = VRM_CLIP_WRAP_PING_PONG;
    CHECK_INT(vrm_clip_player_play(s.player, 0, clip, &play), VRM_SUCCESS);
    CHECK_INT(vrm_clip_player_set_time(s.player, 0, 1.9 + 0.4), VRM_SUCCESS);
    CHECK_NEAR(vrm_clip_player_get_time(s.player, 0), 1.5, 1e-5);
    play.wrap = VRM_CLIP_WRAP_HOLD;
    play.speed = 2.0f;
    CHECK_INT(vrm_clip_player_play(s.player, 0, clip, &play), VRM_SUCCESS);
    CHECK(!vrm_clip_player_is_finished(s.player, 0));
    vrm_update_dt(s.instance, 1.0f);
    CHECK_NEAR(vrm_clip_player_get_time(s.player, 0), 1.9, 1e-6);
    CHECK(vrm_clip_player_is_finished(s.player, 0));
    // After the clip is stopped, the input pose and the expression are back.
    CHECK_INT(vrm_clip_player_play(s.player, 0, NULL, NULL), VRM_SUCCESS);
    vrm_update_dt(s.instance, 0.01f);
    CHECK_NEAR(shown(&s, BONE(SPINE)).w, 1, 1e-6);
    vrm_instance_get_outputs(s.instance, &outputs);
    CHECK_NEAR(outputs.expressions[happy].input, 0, 0);
    // Refused arguments.
    play.seconds = -1.0f;
    CHECK_INT(vrm_clip_player_play(s.player, 0, clip, &play), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_clip_player_play(s.player, 2, clip, NULL), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_clip_player_set_time(s.player, 0, 0.0), VRM_ERROR_NOT_FOUND);
    vrm_clip_layer_params layer;
    vrm_clip_layer_params_default(&layer);
    layer.weight = 1.5f;
    CHECK_INT(vrm_clip_player_set_layer(s.player, 0, &layer), VRM_ERROR_INVALID_ARGUMENT);
    vrm_clip_release(clip);
    strike(&s);
}

static void layers(void)
{
    stage s;
    set_stage(&s, 2);
    vrm_clip *below = make_clip(4), *above = make_clip(5), *added = NULL;
    vrm_clip_play_params play;
    vrm_clip_play_params_default(&play);
    play.speed = 0.0f;
    play.start = 0.7f;
    vrm_clip_pose a = {.struct_size = sizeof a}, b = {.struct_size = sizeof b};
    vrm_clip_sample(below, 0.7f, &a);
    vrm_clip_sample(above, 0.7f, &b);
    CHECK_INT(vrm_clip_player_play(s.player, 0, below, &play), VRM_SUCCESS);
    CHECK_INT(vrm_clip_player_play(s.player, 1, above, &play), VRM_SUCCESS);
    vrm_clip_layer_params layer;
    vrm_clip_layer_params_default(&layer);
    layer.bones = UINT64_C(1) << BONE(HEAD);
    CHECK_INT(vrm_clip_player_set_layer(s.player, 1, &layer), VRM_SUCCESS);
    vrm_update_dt(s.instance, 0.0f);
    CHECK_NEAR(apart(shown(&s, BONE(HEAD)), b.rotations[BONE(HEAD)]), 0, 1e-5);
    CHECK_NEAR(apart(shown(&s, BONE(LEFT_LOWER_ARM)), a.rotations[BONE(LEFT_LOWER_ARM)]), 0, 1e-5);
    layer.weight = 0.5f; // half way: equally far from both clips
    CHECK_INT(vrm_clip_player_set_layer(s.player, 1, &layer), VRM_SUCCESS);
    vrm_update_dt(s.instance, 0.0f);
    const double whole = apart(a.rotations[BONE(HEAD)], b.rotations[BONE(HEAD)]);
    CHECK_NEAR(apart(shown(&s, BONE(HEAD)), a.rotations[BONE(HEAD)]),
        apart(shown(&s, BONE(HEAD)), b.rotations[BONE(HEAD)]), 1e-4 * whole + 1e-5);
    // Additive clips: the difference between a clip and a reference, added to the reference, gives the clip.
    CHECK_INT(vrm_clip_make_additive(above, below, 0.7f, &added), VRM_SUCCESS);
    CHECK_INT(vrm_clip_make_additive(added, NULL, 0.0f, &added), VRM_ERROR_INVALID_ARGUMENT);
    vrm_clip_layer_params_default(&layer);
    CHECK_INT(vrm_clip_player_set_layer(s.player, 1, &layer), VRM_SUCCESS);
    CHECK_INT(vrm_clip_player_play(s.player, 1, added, &play), VRM_SUCCESS);
    CHECK_INT(vrm_clip_player_set_time(s.player, 1, 1.3), VRM_SUCCESS);
    vrm_clip_sample(above, 1.3f, &b);
    vrm_update_dt(s.instance, 0.0f);
    for (int i = 0; i < MOVED; ++i) {
        if (vrm_avatar_get_bone_node(s.avatar, (vrm_human_bone)moved[i]) >= 0) {
            CHECK_NEAR(apart(shown(&s, (vrm_human_bone)moved[i]), b.rotations[moved[i]]), 0, 2e-5);
        }
    }
    vrm_clip_release(below);
    vrm_clip_release(above);
    vrm_clip_release(added);
    strike(&s);
}

// A player that is restored from a snapshot taken during transitions continues with the same bits.
static void saving(void)
{
    stage s;
    set_stage(&s, 2);
    vrm_clip *one = make_clip(8), *two = make_clip(9);
    vrm_clip_play_params play;
    vrm_clip_play_params_default(&play);
    play.wrap = VRM_CLIP_WRAP_LOOP;
    CHECK_INT(vrm_clip_player_play(s.player, 0, one, &play), VRM_SUCCESS);
    vrm_update_dt(s.instance, 0.02f);
    vrm_update_dt(s.instance, 0.02f);
    play.seconds = 0.5f;
    play.transition = VRM_CLIP_TRANSITION_INERTIAL;
    CHECK_INT(vrm_clip_player_play(s.player, 0, two, &play), VRM_SUCCESS);
    vrm_update_dt(s.instance, 0.02f);
    size_t size = 0;
    CHECK_INT(vrm_clip_player_snapshot(s.player, NULL, &size), VRM_SUCCESS);
    unsigned char *bytes = malloc(size);
    CHECK_INT(vrm_clip_player_snapshot(s.player, bytes, &size), VRM_SUCCESS);
    vrm_quat kept[10];
    for (int i = 0; i < 10; ++i) {
        vrm_update_dt(s.instance, 0.02f);
        kept[i] = shown(&s, BONE(LEFT_UPPER_ARM));
    }
    CHECK_INT(vrm_clip_player_restore(s.player, bytes, size), VRM_SUCCESS);
    for (int i = 0; i < 10; ++i) {
        vrm_update_dt(s.instance, 0.02f);
        const vrm_quat now = shown(&s, BONE(LEFT_UPPER_ARM));
        CHECK(memcmp(&now, &kept[i], sizeof now) == 0);
    }
    CHECK_INT(vrm_clip_player_restore(s.player, bytes, size - 1), VRM_ERROR_INVALID_ASSET);
    CHECK_INT(vrm_clip_player_play(s.player, 0, one, NULL), VRM_SUCCESS);
    CHECK_INT(vrm_clip_player_restore(s.player, bytes, size), VRM_ERROR_INVALID_ASSET); // another clip is playing
    // Destroying an instance releases its player. A clone has no player.
    vrm_instance *clone = NULL;
    CHECK_INT(vrm_instance_clone(s.instance, &clone), VRM_SUCCESS);
    vrm_update_dt(clone, 0.02f);
    vrm_instance_destroy(clone);
    vrm_instance_destroy(s.instance);
    s.instance = NULL;
    free(bytes);
    vrm_clip_release(one);
    vrm_clip_release(two);
    strike(&s);
}

// The host gets the hips' displacement, which accumulates over loops.
static void root_motion(void)
{
    stage s;
    set_stage(&s, 1);
    vrm_clip *clip = make_clip(10);
    vrm_clip_layer_params layer;
    vrm_clip_layer_params_default(&layer);
    layer.root_motion = true;
    CHECK_INT(vrm_clip_player_set_layer(s.player, 0, &layer), VRM_SUCCESS);
    vrm_clip_play_params play;
    vrm_clip_play_params_default(&play);
    play.wrap = VRM_CLIP_WRAP_LOOP;
    CHECK_INT(vrm_clip_player_play(s.player, 0, clip, &play), VRM_SUCCESS);
    vrm_avatar_body body = {.struct_size = sizeof body};
    vrm_avatar_get_body(s.avatar, &body);
    const double scale = (double)body.hips_height / 0.9;
    vrm_clip_pose first = {.struct_size = sizeof first}, last = {.struct_size = sizeof last};
    vrm_clip_sample(clip, 0.0f, &first);
    vrm_clip_sample(clip, 1.9f, &last);
    vrm_update_dt(s.instance, 0.0f);
    double x = 0;
    for (int i = 0; i < 190; ++i) { // two rounds
        vrm_update_dt(s.instance, 0.02f);
        vrm_vec3 way;
        vrm_clip_player_get_root_motion(s.player, &way);
        x += (double)way.x;
    }
    CHECK_NEAR(x, 2 * scale * (double)(last.hips.x - first.hips.x), 1e-3);
    vrm_clip_release(clip);
    strike(&s);
}

// --- retargeting -----------------------------------------------------------------------------------------------------

// The avatar has no upperChest, so neck and shoulders get its rotation. Limbs point as in the source.
static void folding(void)
{
    vrm_bytes bytes;
    CHECK_INT(scene_minimal_sample(0, &bytes), VRM_SUCCESS);
    vrm_gltf *gltf = NULL;
    CHECK_INT(vrm_gltf_load(NULL, bytes.data, bytes.size, NULL, &gltf), VRM_SUCCESS);
    if (vrm_gltf_remove_json(gltf, "/extensions/VRMC_vrm/humanoid/humanBones/upperChest") != VRM_SUCCESS) {
        vrm_gltf_destroy(gltf);
        vrm_bytes_free(&bytes);
        SKIP("the sample has no upperChest");
    }
    vrm_bytes less;
    CHECK_INT(vrm_gltf_save(gltf, &less), VRM_SUCCESS);
    vrm_clip *clip = make_clip(11);
    vrm_quat arm[2];
    const vrm_bytes files[2] = {bytes, less};
    for (int i = 0; i < 2; ++i) {
        stage s = {0};
        CHECK_INT(vrm_avatar_load(NULL, files[i].data, files[i].size, NULL, &s.avatar), VRM_SUCCESS);
        vrm_instance_def instance;
        vrm_instance_def_default(&instance);
        instance.avatar = s.avatar;
        CHECK_INT(vrm_instance_create(&instance, &s.instance), VRM_SUCCESS);
        vrm_clip_player_def player;
        vrm_clip_player_def_default(&player);
        player.avatar = s.avatar;
        CHECK_INT(vrm_clip_player_create(&player, &s.player), VRM_SUCCESS);
        CHECK_INT(vrm_instance_set_clip_player(s.instance, s.player), VRM_SUCCESS);
        CHECK_INT(vrm_clip_player_play(s.player, 0, clip, NULL), VRM_SUCCESS);
        vrm_update_dt(s.instance, 0.6f);
        vrm_outputs outputs = {.struct_size = sizeof outputs};
        vrm_instance_get_outputs(s.instance, &outputs);
        const int32_t node = vrm_avatar_get_bone_node(s.avatar, BONE(LEFT_LOWER_ARM));
        // The rotation in the world is the product of the local rotations.
        arm[i] = (vrm_quat){0, 0, 0, 1};
        for (int32_t n = node; n >= 0;) {
            vrm_node row = {.struct_size = sizeof row};
            CHECK_INT(vrm_avatar_get_node(s.avatar, (uint32_t)n, &row), VRM_SUCCESS);
            arm[i] = times(pose_of(s.instance, n).rotation, arm[i]);
            n = row.parent;
        }
        strike(&s);
    }
    CHECK_NEAR(apart(arm[0], arm[1]), 0, 0.1 * 3.14159265 / 180);
    vrm_clip_release(clip);
    vrm_gltf_destroy(gltf);
    vrm_bytes_free(&less);
    vrm_bytes_free(&bytes);
}

// --- files -----------------------------------------------------------------------------------------------------------

static void written(void)
{
    vrm_clip *clip = make_clip(12), *back = NULL;
    vrm_bytes bytes;
    CHECK_INT(vrm_clip_write_vrma(NULL, clip, &bytes), VRM_SUCCESS);
    CHECK_INT(vrm_clip_load(NULL, bytes.data, bytes.size, NULL, &back), VRM_SUCCESS);
    CHECK_NEAR(clip_distance(clip, back, 0), 0, 1e-5);
    vrm_bytes_free(&bytes);
    vrm_clip_release(back);

    vrm_clip_write_params def;
    vrm_clip_write_params_default(&def);
    def.rate = 50.0f;
    CHECK_INT(vrm_clip_write_bvh(&def, clip, &bytes), VRM_SUCCESS);
    CHECK_INT(vrm_clip_load(NULL, bytes.data, bytes.size, NULL, &back), VRM_SUCCESS);
    for (int frame = 0; frame <= 95; frame += 5) {
        vrm_clip_pose a = {.struct_size = sizeof a}, b = {.struct_size = sizeof b};
        vrm_clip_sample(clip, (float)frame / 50.0f, &a);
        vrm_clip_sample(back, (float)frame / 50.0f, &b);
        for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
            // A frame may be on either side of a step, so stepped tracks are not compared.
            if (clip->bone_track[bone] < 0 || clip->tracks[clip->bone_track[bone]].interpolation != VRMI_STEP) {
                CHECK_NEAR(apart(a.rotations[bone], b.rotations[bone]), 0, 0.05 * 3.14159265 / 180);
            }
        }
    }
    vrm_bytes_free(&bytes);
    vrm_clip_release(back);
    vrm_clip *added = NULL;
    CHECK_INT(vrm_clip_make_additive(clip, NULL, 0.0f, &added), VRM_SUCCESS);
    CHECK_INT(vrm_clip_write_bvh(NULL, added, &bytes), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_clip_write_vrma(NULL, added, &bytes), VRM_ERROR_INVALID_ARGUMENT);
    vrm_clip_release(added);
    vrm_clip_release(clip);
}

// --- two bones -------------------------------------------------------------------------------------------------------

static vrm_vec3 turned(vrm_quat q, vrm_vec3 v)
{
    const vrm_quat p = times(times(q, (vrm_quat){v.x, v.y, v.z, 0}), (vrm_quat){-q.x, -q.y, -q.z, q.w});
    return (vrm_vec3){p.x, p.y, p.z};
}

static void two_bones(void)
{
    uint32_t seed = 3;
    for (int n = 0; n < 500; ++n) {
        vrm_two_bone_limb limb = {.root = {0.1f, 1.4f, 0},
            .middle = {0.35f, 1.35f, 0.05f},
            .end = {0.6f, 1.4f, 0},
            .weight = 1.0f,
            .pole = {0.3f, 1.0f, -0.5f}};
        limb.target = (vrm_vec3){(float)noise(&seed), (float)(1 + noise(&seed)), (float)(noise(&seed) - 0.5)};
        vrm_quat upper, lower;
        vrm_two_bone_ik(&limb, &upper, &lower);
        const vrm_vec3 a = turned(upper, (vrm_vec3){0.25f, -0.05f, 0.05f});
        const vrm_vec3 b = turned(lower, (vrm_vec3){0.25f, 0.05f, -0.05f});
        const double e[3] = {(double)(0.1f + a.x + b.x), (double)(1.4f + a.y + b.y), (double)(a.z + b.z)};
        const double d[3] = {(double)limb.target.x - 0.1, (double)limb.target.y - (double)1.4f, (double)limb.target.z};
        const double far = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), reach = 2 * sqrt(0.0675);
        const double part = far > reach ? reach / far : 1;
        const double miss = sqrt(
            pow(e[0] - 0.1 - d[0] * part, 2) + pow(e[1] - (double)1.4f - d[1] * part, 2) + pow(e[2] - d[2] * part, 2));
        CHECK_NEAR(miss, 0, 1e-3);
        limb.soft = 0.1f; // the limb never becomes quite straight
        limb.target = (vrm_vec3){9, 1.4f, 0};
        vrm_two_bone_ik(&limb, &upper, &lower);
        const vrm_vec3 c = turned(upper, (vrm_vec3){0.25f, -0.05f, 0.05f});
        const vrm_vec3 f = turned(lower, (vrm_vec3){0.25f, 0.05f, -0.05f});
        CHECK(c.x + f.x < (float)reach + 1e-5f);
    }
    const vrm_two_bone_limb nothing = {.weight = 1.0f};
    vrm_quat upper, lower;
    vrm_two_bone_ik(&nothing, &upper, &lower);
    CHECK_NEAR(upper.w, 1, 0);
    CHECK_NEAR(apart(about(0, 0, 1, 0.3), about(0, 0, 2, 0.3)), 0, 1e-6);
}

static const test_case cases[] = {{"sampling", sampling}, {"bad_keys", bad_keys}, {"operations", operations},
    {"loops", loops}, {"playing", playing}, {"layers", layers}, {"saving", saving}, {"root_motion", root_motion},
    {"folding", folding}, {"written", written}, {"two_bones", two_bones}};
RUN_TESTS(cases)
