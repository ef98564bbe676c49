// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Root motion with its rotation, feet that do not slide, and markers.

#include "clip_fixture.h"

#define PI 3.14159265358979323846

// --- root motion -----------------------------------------------------------------------------------------------------

// A walk along a circle: a quarter turn to the left in two seconds, with slightly swaying hips.
static const double radius = 2.0, whole_turn = PI / 2;

static vrm_clip *make_circle(void)
{
    enum { COUNT = 61 };
    vrmi_clip_builder b;
    vrmi_clip_builder_init(&b, NULL);
    b.head.hips_rest = (vrm_vec3){0.0f, 0.9f, 0.0f};
    const vrmi_clip_track tracks[2] = {{.kind = VRMI_TRACK_ROTATION, .interpolation = VRMI_LINEAR, .key_count = COUNT},
        {.kind = VRMI_TRACK_HIPS, .interpolation = VRMI_LINEAR, .key_count = COUNT}};
    for (int i = 0; i < 2; ++i) {
        float *t, *v;
        CHECK(vrmi_clip_builder_track(&b, &tracks[i], &t, &v));
        for (int key = 0; key < COUNT; ++key) {
            const double a = whole_turn * key / (COUNT - 1);
            t[key] = (float)(2.0 * key / (COUNT - 1));
            if (i == 0) {
                const vrm_quat q = times(about(0, 1, 0, a), about(1, 0, 0, 0.1));
                memcpy(v + (size_t)key * 4, &q, sizeof q);
            } else { // forward is +Z, so a turn to the left goes towards +X
                v[key * 3] = (float)(radius * (1 - cos(a)));
                v[key * 3 + 1] = 0.9f;
                v[key * 3 + 2] = (float)(radius * sin(a));
            }
        }
        CHECK_INT(vrmi_clip_builder_finish(&b), 0);
    }
    vrm_clip *clip = NULL;
    CHECK_INT(vrmi_clip_pack(&b, &clip), VRM_SUCCESS);
    vrmi_clip_builder_free(&b);
    return clip;
}

// While the clip loops, the host moves the root by the reported motion. The avatar walks the whole circle and returns.
static void circle(float speed, float step)
{
    stage s;
    set_stage(&s, 1);
    vrm_clip *clip = make_circle();
    vrm_clip_layer_params layer;
    vrm_clip_layer_params_default(&layer);
    layer.root_motion = true;
    layer.root_turn = true;
    CHECK_INT(vrm_clip_player_set_layer(s.player, 0, &layer), VRM_SUCCESS);
    vrm_clip_play_params play;
    vrm_clip_play_params_default(&play);
    play.wrap = VRM_CLIP_WRAP_LOOP;
    play.speed = speed;
    CHECK_INT(vrm_clip_player_play(s.player, 0, clip, &play), VRM_SUCCESS);
    vrm_avatar_body body = {.struct_size = sizeof body};
    vrm_avatar_get_body(s.avatar, &body);
    const double size = radius * (double)body.hips_height / 0.9;
    vrm_update_dt(s.instance, 0.0f);
    double x = 0, z = 0, heading = 0, gone = 0;
    for (; gone < 8.0 - 1e-6; gone += (double)(step * fabsf(speed))) {
        vrm_update_dt(s.instance, step);
        vrm_vec3 way;
        vrm_clip_player_get_root_motion(s.player, &way);
        x += cos(heading) * (double)way.x + sin(heading) * (double)way.z;
        z += cos(heading) * (double)way.z - sin(heading) * (double)way.x;
        heading += (double)vrm_clip_player_get_root_turn(s.player);
        const double a = heading;
        if (speed > 0) {
            CHECK_NEAR(x, size * (1 - cos(a)), 2e-2 * size); // the avatar is always on the circle; keys give chords of
                                                             // the circle
            CHECK_NEAR(z, size * sin(a), 2e-2 * size);
        }
        // The shown pose faces forward and leans as the clip does.
        CHECK_NEAR(apart(shown(&s, BONE(HIPS)), about(1, 0, 0, 0.1)), 0, 1e-4);
    }
    CHECK_NEAR(heading, (speed > 0 ? 1 : -1) * 2 * PI, 1e-3);
    CHECK_NEAR(x, 0, 1e-2);
    CHECK_NEAR(z, 0, 1e-2);
    vrm_clip_release(clip);
    strike(&s);
}

static void root_turn(void)
{
    circle(1.0f, 0.02f);
    circle(-1.0f, 0.02f);
    circle(1.0f, 0.8f);
    circle(8.0f, 0.5f); // two loops in one update
}

// --- feet ------------------------------------------------------------------------------------------------------------

// Returns a bone's position in the model.
static vrm_vec3 place_of(const stage *s, vrm_human_bone bone)
{
    vrm_outputs outputs = {.struct_size = sizeof outputs};
    vrm_instance_get_outputs(s->instance, &outputs);
    const vrm_world *world = &outputs.world[vrm_avatar_get_bone_node(s->avatar, bone)];
    return (vrm_vec3){world->m[0][3], world->m[1][3], world->m[2][3]};
}

// Makes a clip whose hips rock above standing feet, on a skeleton with long shins. The legs' angles come from the
// triangle of thigh and shin.
static vrm_clip *make_rocking(double *out_ankle_x)
{
    enum { COUNT = 41 };
    const double thigh = 0.3, shin = 0.5, high = 0.9, ankle = 0.12;
    vrmi_clip_builder b;
    vrmi_clip_builder_init(&b, NULL);
    const int bones[4] = {BONE(HIPS), BONE(LEFT_UPPER_LEG), BONE(LEFT_LOWER_LEG), BONE(LEFT_FOOT)};
    const vrm_vec3 rest[4] = {{0, 0.9f, 0}, {0.1f, 0.9f, 0}, {0.1f, 0.6f, 0}, {0.1f, 0.1f, 0}};
    for (int i = 0; i < 4; ++i) {
        b.head.skeleton |= UINT64_C(1) << bones[i];
        b.head.rest[bones[i]] = rest[i];
    }
    b.head.hips_rest = rest[0];
    *out_ankle_x = 0.1;
    for (int i = 0; i < 4; ++i) { // the hips' position and three rotations
        const vrmi_clip_track track = {.kind = i == 0 ? VRMI_TRACK_HIPS : VRMI_TRACK_ROTATION,
            .target = (uint32_t)bones[i],
            .interpolation = VRMI_LINEAR,
            .key_count = COUNT};
        float *t, *v;
        CHECK(vrmi_clip_builder_track(&b, &track, &t, &v));
        for (int key = 0; key < COUNT; ++key) {
            const double at = key * 0.05, y = high - 0.06 - 0.05 * sin(3 * at), z = 0.1 * sin(2 * at);
            t[key] = (float)at;
            // The distance in the plane x = 0.1 from the hip at (y, z) to the ankle at (ankle, 0).
            const double far = sqrt((y - ankle) * (y - ankle) + z * z);
            const double lean = atan2(z, y - ankle); // lean of the whole leg about X; positive if the foot is behind
            const double hip = acos((thigh * thigh + far * far - shin * shin) / (2 * thigh * far));
            const double knee = PI - acos((thigh * thigh + shin * shin - far * far) / (2 * thigh * shin));
            const double angles[4] = {0, lean - hip, knee, hip - knee - lean};
            if (i == 0) {
                const float place[3] = {0.0f, (float)y, (float)z};
                memcpy(v + (size_t)key * 3, place, sizeof place);
            } else {
                const vrm_quat q = about(1, 0, 0, angles[i]);
                memcpy(v + (size_t)key * 4, &q, sizeof q);
            }
        }
        CHECK_INT(vrmi_clip_builder_finish(&b), 0);
    }
    vrm_clip *clip = NULL;
    CHECK_INT(vrmi_clip_pack(&b, &clip), VRM_SUCCESS);
    vrmi_clip_builder_free(&b);
    return clip;
}

// Returns the distance that the left ankle moves over the ground, although it does not move in the clip.
static double sliding(float weight, double *out_level)
{
    stage s;
    double ankle_x;
    set_stage(&s, 1);
    vrm_clip *clip = make_rocking(&ankle_x);
    vrm_clip_layer_params layer;
    vrm_clip_layer_params_default(&layer);
    layer.foot_weight = weight;
    CHECK_INT(vrm_clip_player_set_layer(s.player, 0, &layer), VRM_SUCCESS);
    CHECK_INT(vrm_clip_player_play(s.player, 0, clip, NULL), VRM_SUCCESS);
    vrm_vec3 low = {9, 9, 9}, high = {-9, -9, -9};
    *out_level = 0;
    for (int frame = 0; frame < 39; ++frame) { // frames at keys, since the clip's own foot moves between keys
        vrm_update_dt(s.instance, frame == 0 ? 0.0f : 0.05f);
        const vrm_vec3 at = place_of(&s, BONE(LEFT_FOOT));
        low = (vrm_vec3){fminf(low.x, at.x), fminf(low.y, at.y), fminf(low.z, at.z)};
        high = (vrm_vec3){fmaxf(high.x, at.x), fmaxf(high.y, at.y), fmaxf(high.z, at.z)};
        // The foot must be level, as in the clip.
        const vrm_quat world =
            times(times(times(shown(&s, BONE(HIPS)), shown(&s, BONE(LEFT_UPPER_LEG))), shown(&s, BONE(LEFT_LOWER_LEG))),
                shown(&s, BONE(LEFT_FOOT)));
        *out_level = fmax(*out_level, apart(world, (vrm_quat){0, 0, 0, 1}));
    }
    vrm_clip_release(clip);
    strike(&s);
    return (double)fmaxf(high.x - low.x, fmaxf(high.y - low.y, high.z - low.z));
}

static void feet(void)
{
    double level;
    const double without = sliding(0.0f, &level), half = sliding(0.5f, &level), with = sliding(1.0f, &level);
    printf("an ankle that stands: wanders %.4f m, with the correction %.5f m\n", without, with);
    CHECK(without > 0.005);
    CHECK(with < 0.001);
    CHECK(half > 0.3 * without && half < 0.7 * without);
    CHECK_NEAR(level, 0, 1e-3);
}

// Makes a clip of a figure that drifts on stretched legs, as captured people do, by up to 24 mm at 2 cm a second, and
// then walks away.
static vrm_clip *make_drifting(void)
{
    enum { COUNT = 81 };
    vrmi_clip_builder b;
    vrmi_clip_builder_init(&b, NULL);
    const int bones[4] = {BONE(HIPS), BONE(LEFT_UPPER_LEG), BONE(LEFT_LOWER_LEG), BONE(LEFT_FOOT)};
    const vrm_vec3 rest[4] = {{0, 0.9f, 0}, {0.1f, 0.9f, 0}, {0.1f, 0.5f, 0}, {0.1f, 0.1f, 0}};
    for (int i = 0; i < 4; ++i) {
        b.head.skeleton |= UINT64_C(1) << bones[i];
        b.head.rest[bones[i]] = rest[i];
    }
    b.head.hips_rest = rest[0];
    const vrmi_clip_track track = {
        .kind = VRMI_TRACK_HIPS, .target = BONE(HIPS), .interpolation = VRMI_LINEAR, .key_count = COUNT};
    float *t, *v;
    CHECK(vrmi_clip_builder_track(&b, &track, &t, &v));
    for (int key = 0; key < COUNT; ++key) {
        const double at = key * 0.05, away = at > 3 ? 0.8 * (at - 3) : 0;
        t[key] = (float)at;
        v[3 * key] = (float)(0.012 * sin(1.6 * at) + away);
        v[3 * key + 1] = 0.9f;
    }
    CHECK_INT(vrmi_clip_builder_finish(&b), 0);
    for (int i = 1; i < 4; ++i) {
        const vrmi_clip_track still = {
            .kind = VRMI_TRACK_ROTATION, .target = (uint32_t)bones[i], .interpolation = VRMI_LINEAR, .key_count = 1};
        CHECK(vrmi_clip_builder_track(&b, &still, &t, &v));
        v[3] = 1.0f;
        CHECK_INT(vrmi_clip_builder_finish(&b), 0);
    }
    vrm_clip *clip = NULL;
    CHECK_INT(vrmi_clip_pack(&b, &clip), VRM_SUCCESS);
    vrmi_clip_builder_free(&b);
    return clip;
}

// A bug once let the feet drift nearly as much as without the correction. The feet also floated, because stretched legs
// did not reach the ground.
static void feet_of_a_motion_that_drifts_stand(void)
{
    stage s, other;
    set_stage(&s, 1);
    set_stage(&other, 1);
    vrm_clip *clip = make_drifting();
    vrm_clip_layer_params layer;
    vrm_clip_layer_params_default(&layer);
    layer.foot_weight = 1.0f;
    stage *const both[2] = {&s, &other};
    for (int i = 0; i < 2; ++i) {
        CHECK_INT(vrm_clip_player_set_layer(both[i]->player, 0, &layer), VRM_SUCCESS);
        CHECK_INT(vrm_clip_player_play(both[i]->player, 0, clip, NULL), VRM_SUCCESS);
    }
    vrm_update_dt(s.instance, 0.0f);
    const float rest = place_of(&s, BONE(LEFT_FOOT)).y;
    float low = 9, high = -9, float_up = 0, hips_low = 9, hips_high = -9, cut = 0;
    vrm_vec3 before = place_of(&s, BONE(LEFT_FOOT));
    const float aside = before.x - place_of(&s, BONE(HIPS)).x;
    for (int frame = 1; frame <= 240; ++frame) {
        vrm_update_dt(s.instance, 1.0f / 60.0f);
        const vrm_vec3 at = place_of(&s, BONE(LEFT_FOOT)), hips = place_of(&s, BONE(HIPS));
        if (frame > 30 && frame < 180) {
            low = fminf(low, at.x);
            high = fmaxf(high, at.x);
            hips_low = fminf(hips_low, hips.x);
            hips_high = fmaxf(hips_high, hips.x);
            float_up = fmaxf(float_up, fabsf(at.y - rest));
        }
        cut = fmaxf(cut, fabsf(at.x - before.x) - 0.8f / 60.0f);
        before = at;
        if (frame == 100) { // the snapshot contains the position at which the foot is held
            static uint8_t buffer[1 << 16];
            size_t size = sizeof buffer;
            CHECK_INT(vrm_clip_player_snapshot(s.player, buffer, &size), VRM_SUCCESS);
            CHECK_INT(vrm_clip_player_restore(other.player, buffer, size), VRM_SUCCESS);
        }
        if (frame > 100) {
            vrm_update_dt(other.instance, 1.0f / 60.0f);
            const vrm_vec3 same = place_of(&other, BONE(LEFT_FOOT));
            CHECK(memcmp(&same, &at, sizeof at) == 0);
        }
    }
    CHECK(hips_high - hips_low > 0.015f);
    printf("drifting by %.1f mm: the foot wanders %.2f mm, is %.2f mm off its height\n",
        (double)(hips_high - hips_low) * 1e3, (double)(high - low) * 1e3, (double)float_up * 1e3);
    CHECK(high - low < 0.001f && float_up < 0.002f);
    // When the figure walks away, the foot is released and catches up without a jump.
    const vrm_vec3 end = place_of(&s, BONE(LEFT_FOOT)), hips = place_of(&s, BONE(HIPS));
    CHECK_NEAR(end.x - hips.x, aside, 0.002);
    CHECK(cut < 0.02f);
    vrm_clip_release(clip);
    strike(&s);
    strike(&other);
}

// --- markers ---------------------------------------------------------------------------------------------------------

static vrm_clip *with_markers(uint32_t seed)
{
    static const vrm_clip_marker markers[] = {
        {1.5f, {"late", 4}}, {0.0f, {"start", 5}}, {0.4f, {"step", 4}}, {0.4f, {"", 0}}};
    vrm_clip *plain = make_clip(seed), *clip = NULL;
    CHECK_INT(vrm_clip_set_markers(plain, markers, 4, &clip), VRM_SUCCESS);
    const vrm_clip_marker late = {2.5f, {"x", 1}};
    vrm_clip *refused = NULL;
    CHECK_INT(vrm_clip_set_markers(plain, &late, 1, &refused), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(vrm_clip_set_markers(plain, NULL, 1, &refused), VRM_ERROR_INVALID_ARGUMENT);
    vrm_clip_release(plain);
    return clip;
}

static void check_marker(const vrm_clip *clip, uint32_t index, double time, const char *name)
{
    vrm_clip_marker marker = {-1, {NULL, 0}};
    CHECK_INT(vrm_clip_get_marker(clip, index, &marker), VRM_SUCCESS);
    CHECK_NEAR(marker.time, time, 1e-6);
    CHECK_STRING(marker.name.data, name);
}

// Files and operations keep the markers.
static void kept_markers(void)
{
    vrm_clip *clip = with_markers(20), *made = NULL;
    vrm_clip_info info = {.struct_size = sizeof info};
    vrm_clip_get_info(clip, &info);
    CHECK_INT(info.markers, 4);
    check_marker(clip, 0, 0.0, "start");
    check_marker(clip, 1, 0.4, "step");
    check_marker(clip, 3, 1.5, "late");
    vrm_clip_marker marker;
    CHECK_INT(vrm_clip_get_marker(clip, 4, &marker), VRM_ERROR_INVALID_ARGUMENT);
    vrm_bytes bytes;
    CHECK_INT(vrm_clip_write_vrma(NULL, clip, &bytes), VRM_SUCCESS);
    CHECK_INT(vrm_clip_load(NULL, bytes.data, bytes.size, NULL, &made), VRM_SUCCESS);
    vrm_bytes_free(&bytes);
    check_marker(made, 0, 0.0, "start");
    check_marker(made, 3, 1.5, "late");
    vrm_clip_release(made);
    CHECK_INT(vrm_clip_trim(clip, 0.3f, 1.0f, &made), VRM_SUCCESS);
    vrm_clip_get_info(made, &info);
    CHECK_INT(info.markers, 2);
    check_marker(made, 0, 0.1, "step");
    vrm_clip_release(made);
    CHECK_INT(vrm_clip_reverse(clip, &made), VRM_SUCCESS);
    check_marker(made, 0, 0.4, "late");
    check_marker(made, 3, 1.9, "start");
    vrm_clip_release(made);
    CHECK_INT(vrm_clip_resample(clip, 30.0f, &made), VRM_SUCCESS);
    check_marker(made, 3, 1.5, "late");
    vrm_clip_release(made);
    vrm_clip_release(clip);
}

// Checks which markers a playback passes, given as letters.
static void passes(vrm_clip_wrap wrap, float speed, float start, float step, int updates, const char *want)
{
    stage s;
    set_stage(&s, 1);
    vrm_clip *clip = with_markers(21);
    vrm_clip_play_params play;
    vrm_clip_play_params_default(&play);
    play.wrap = wrap;
    play.speed = speed;
    play.start = start;
    CHECK_INT(vrm_clip_player_play(s.player, 0, clip, &play), VRM_SUCCESS);
    char got[64] = "";
    for (int i = 0; i < updates; ++i) {
        vrm_update_dt(s.instance, step);
        uint32_t markers[16];
        const uint32_t count = vrm_clip_player_get_markers(s.player, 0, markers, 16);
        CHECK(count <= 16);
        for (uint32_t k = 0; k < count && strlen(got) + 2 < sizeof got; ++k) {
            const char letter[2] = {(char)('a' + (int)markers[k]), '\0'};
            strcat(got, letter);
        }
    }
    CHECK_STRING(got, want);
    vrm_clip_release(clip);
    strike(&s);
}

static void passed_markers(void)
{
    // The clip is 1.9 seconds long, with marker a at 0, b and c at 0.4, and d at 1.5.
    passes(VRM_CLIP_WRAP_HOLD, 1, 0, 0.1f, 30, "abcd");
    passes(VRM_CLIP_WRAP_HOLD, 1, 0, 5.0f, 3, "abcd");
    passes(VRM_CLIP_WRAP_HOLD, 1, 0, 0.0f, 3, "a");
    passes(VRM_CLIP_WRAP_HOLD, -1, 1.9f, 0.1f, 30, "dcba");
    passes(VRM_CLIP_WRAP_HOLD, 1, 0.5f, 0.1f, 30, "d");
    passes(VRM_CLIP_WRAP_HOLD, 0, 0, 0.1f, 3, "a");
    passes(VRM_CLIP_WRAP_LOOP, 1, 0, 0.1f, 39, "abcdabcda");
    passes(VRM_CLIP_WRAP_LOOP, 1, 0, 3.9f, 1, "abcdabcda");
    passes(VRM_CLIP_WRAP_LOOP, -1, 0, 0.1f, 20, "adcba");
    passes(VRM_CLIP_WRAP_PING_PONG, 1, 0, 0.1f, 45, "abcddcbabc");
    stage s;
    set_stage(&s, 1);
    vrm_clip *clip = with_markers(22);
    CHECK_INT(vrm_clip_player_get_markers(s.player, 0, NULL, 0), 0);
    CHECK_INT(vrm_clip_player_play(s.player, 0, clip, NULL), VRM_SUCCESS);
    vrm_update_dt(s.instance, 0.1f);
    CHECK_INT(vrm_clip_player_get_markers(s.player, 0, NULL, 0), 1);
    CHECK_INT(vrm_clip_player_set_time(s.player, 0, 1.8), VRM_SUCCESS); // a jump in time passes no marker
    CHECK_INT(vrm_clip_player_get_markers(s.player, 0, NULL, 0), 0);
    vrm_update_dt(s.instance, 0.1f);
    CHECK_INT(vrm_clip_player_get_markers(s.player, 0, NULL, 0), 0);
    CHECK_INT(vrm_clip_player_get_markers(s.player, 9, NULL, 0), 0);
    vrm_clip_release(clip);
    strike(&s);
}

// --- hostile state -----------------------------------------------------------------------------------------------------

// Damaged snapshots are refused or playback continues. No update hangs or gives a value that is not finite.
static void damaged_snapshots(void)
{
    stage s;
    set_stage(&s, 2);
    vrm_clip *clip = make_circle();
    vrm_clip_layer_params layer;
    vrm_clip_layer_params_default(&layer);
    layer.root_motion = layer.root_turn = true;
    layer.foot_weight = 1.0f;
    CHECK_INT(vrm_clip_player_set_layer(s.player, 0, &layer), VRM_SUCCESS);
    vrm_clip_play_params play;
    vrm_clip_play_params_default(&play);
    play.wrap = VRM_CLIP_WRAP_LOOP;
    play.transition = VRM_CLIP_TRANSITION_INERTIAL;
    play.seconds = 0.5f;
    CHECK_INT(vrm_clip_player_play(s.player, 0, clip, &play), VRM_SUCCESS);
    vrm_update_dt(s.instance, 0.02f);
    vrm_update_dt(s.instance, 0.02f);
    CHECK_INT(vrm_clip_player_play(s.player, 0, clip, &play), VRM_SUCCESS);
    vrm_update_dt(s.instance, 0.02f);
    size_t size = 0;
    CHECK_INT(vrm_clip_player_snapshot(s.player, NULL, &size), VRM_SUCCESS);
    unsigned char *bytes = malloc(size), *damaged = malloc(size);
    CHECK_INT(vrm_clip_player_snapshot(s.player, bytes, &size), VRM_SUCCESS);
    int good = 0;
    uint32_t seed = 1;
    const size_t words = size / 4;
    for (size_t i = 0; i < 2 * words; ++i) { // first sets each word to a large number, then writes random bytes
        memcpy(damaged, bytes, size);
        const float large = i % 2 == 0 ? 1e30f : -1e9f;
        if (i < words) {
            memcpy(damaged + 4 * i, &large, sizeof large);
        } else {
            damaged[(size_t)(noise(&seed) * (double)size)] = (unsigned char)(noise(&seed) * 256.0);
        }
        good += vrm_clip_player_restore(s.player, damaged, size) == VRM_SUCCESS;
        vrm_update_dt(s.instance, 0.02f);
        vrm_vec3 way;
        vrm_clip_player_get_root_motion(s.player, &way);
        CHECK(fabsf(vrm_clip_player_get_root_turn(s.player)) < 3.2f);
        const vrm_quat head = shown(&s, BONE(HEAD));
        CHECK(isfinite(head.x) && isfinite(head.w));
    }
    CHECK(good > 0);
    free(bytes);
    free(damaged);
    vrm_clip_release(clip);
    strike(&s);
}

// The clip is shorter than a double's resolution after a long time. Markers, root motion and updates must still end.
static void endless_rounds(void)
{
    vrm_clip *circle_clip = make_circle(), *tiny = NULL, *marked = NULL;
    CHECK_INT(vrm_clip_trim(circle_clip, 0.0f, 1e-6f, &tiny), VRM_SUCCESS);
    const vrm_clip_marker marker = {0.0f, {"x", 1}};
    CHECK_INT(vrm_clip_set_markers(tiny, &marker, 1, &marked), VRM_SUCCESS);
    static const double moments[] = {1e12, -1e12, 1e9, -1e9, 5.0};
    for (int i = 0; i < 10; ++i) {
        stage s;
        set_stage(&s, 1);
        vrm_clip_layer_params layer;
        vrm_clip_layer_params_default(&layer);
        layer.root_motion = layer.root_turn = true;
        CHECK_INT(vrm_clip_player_set_layer(s.player, 0, &layer), VRM_SUCCESS);
        vrm_clip_play_params play;
        vrm_clip_play_params_default(&play);
        play.wrap = i % 2 == 0 ? VRM_CLIP_WRAP_LOOP : VRM_CLIP_WRAP_PING_PONG;
        CHECK_INT(vrm_clip_player_play(s.player, 0, marked, &play), VRM_SUCCESS);
        CHECK_INT(vrm_clip_player_set_time(s.player, 0, moments[i / 2]), VRM_SUCCESS);
        for (int frame = 0; frame < 3; ++frame) {
            vrm_update_dt(s.instance, 0.02f);
            CHECK(vrm_clip_player_get_markers(s.player, 0, NULL, 0) < 200);
            const float now = vrm_clip_player_get_time(s.player, 0);
            CHECK(now >= 0.0f && now <= 1.01e-6f);
        }
        strike(&s);
    }
    vrm_clip_release(circle_clip);
    vrm_clip_release(tiny);
    vrm_clip_release(marked);
}

static const test_case cases[] = {
    {"damaged_snapshots", damaged_snapshots},
    {"endless_rounds", endless_rounds},
    {"kept_markers", kept_markers},
    {"passed_markers", passed_markers},
    {"root_turn", root_turn},
    {"feet", feet},
    {"feet_of_a_motion_that_drifts_stand", feet_of_a_motion_that_drifts_stand},
};

RUN_TESTS(cases)
