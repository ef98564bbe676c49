// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// VRM's eyes as the first bone of the look chain, and the chain's behaviour over time: blending, hysteresis, saccades,
// idle gaze.

#include "look_fixture.h"
#include "pose_of.h"
#include "runtime/core/instance.h"

static vrm_look_bone preset_bones[VRM_LOOK_CHAIN_PRESET_BONES];

static vrm_look_chain_def preset_of(const vrm_avatar *avatar, vrm_look_chain_preset preset)
{
    vrm_look_chain_def def = {.struct_size = sizeof def};
    CHECK_INT(vrm_look_chain_preset_def(avatar, preset, &def, preset_bones), VRM_SUCCESS);
    def.blend_speed = 0.0f;
    return def;
}

static void use(vrm_instance *instance, const vrm_look_chain_def *def)
{
    CHECK_INT(vrm_instance_set_look_chain(instance, def, NULL), VRM_SUCCESS);
}

static double yaw_of(ref_vec forward)
{
    return atan2(forward.v[0], forward.v[2]);
}

// --- eyes ----------------------------------------------------------------------------------------------------------

// The line of sight meets the target: from the middle between the eyes, and with vergence from each eye.
static void bone_eyes_meet_the_target(void)
{
    double worst[2] = {0, 0};
    int met[2] = {0, 0};
    for (int rig = 0; rig < LOOK_RIG_COUNT; ++rig) {
        for (int vergence = 0; vergence < 2; ++vergence) {
            vrm_avatar *avatar = look_avatar((look_rig)rig, VRM_LOOK_AT_BONE);
            vrm_instance *instance = look_instance(avatar);
            const int32_t eyes[2] = {look_node(VRM_HUMAN_BONE_LEFT_EYE), look_node(VRM_HUMAN_BONE_RIGHT_EYE)};
            test_random random = test_random_make(3);
            for (int round = 0; round < 200; ++round) {
                vrm_look_chain_def def =
                    preset_of(avatar, (vrm_look_chain_preset)(round % VRM_LOOK_CHAIN_PRESET_COUNT));
                def.vergence = vergence != 0;
                use(instance, &def);
                const ref_vec target = ref_v((double)test_random_float(&random, -1.5f, 1.5f),
                    1.4 + (double)test_random_float(&random, -0.6f, 0.6f), (double)test_random_float(&random, 0.6f, 3));
                look_at(instance, target);
                vrm_update_dt(instance, 0);
                vrm_look_chain_state state = {.struct_size = sizeof state};
                vrm_instance_get_look_chain_state(instance, &state);
                const bool within = fabs((double)state.eye_yaw) < 7 * DEGREES; // leaves room for vergence
                if ((double)state.error > 0.1 * DEGREES || (vergence && !within)) {
                    continue;
                }
                ++met[vergence];
                const ref_vec at[2] = {look_position(instance, eyes[0]), look_position(instance, eyes[1])};
                const ref_vec middle = ref_scale(ref_add(at[0], at[1]), 0.5);
                for (int side = 0; side < 2; ++side) {
                    const ref_vec from = vergence ? at[side] : middle;
                    const double off = look_angle(look_forward(instance, eyes[side]), ref_sub(target, from));
                    worst[vergence] = fmax(worst[vergence], off);
                    CHECK(off < 1.0 * DEGREES);
                }
                CHECK(fabs((double)state.eye_yaw) <= 10 * DEGREES + 1e-6);
                CHECK(fabs((double)state.eye_pitch) <= 10 * DEGREES + 1e-6);
                CHECK((double)state.map_error < (vergence ? 1.0 : 1e-5));
            }
            vrm_instance_destroy(instance);
            vrm_avatar_release(avatar);
        }
    }
    printf("eyes: %d targets missed by at most %.3f degrees; with vergence %d by %.3f\n", met[0], worst[0] / DEGREES,
        met[1], worst[1] / DEGREES);
    CHECK(met[0] > 200 && met[1] > 60);
}

// Maps with different limits. Each eye's input comes from the inverse of its own map, and the smaller limit applies.
// With maps as authored the eyes rotate less. A map without an inverse stays unchanged and is reported.
static void maps(void)
{
    fixture *f = &look_fix;
    fixture_begin(f);
    fixture_humanoid(f);
    vrmi_look_at_row *look = &f->builder.head.look_at;
    look->horizontal_inner = (vrm_range_map){(float)(80 * DEGREES), (float)(8 * DEGREES)};
    look->horizontal_outer = (vrm_range_map){(float)(60 * DEGREES), (float)(12 * DEGREES)};
    look->vertical_up = (vrm_range_map){0.0f, (float)(10 * DEGREES)};
    vrm_avatar *avatar = fixture_finish(f);
    vrm_instance *instance = look_instance(avatar);
    const int32_t eyes[2] = {look_node(VRM_HUMAN_BONE_LEFT_EYE), look_node(VRM_HUMAN_BONE_RIGHT_EYE)};
    vrm_look_chain_def def = preset_of(avatar, VRM_LOOK_CHAIN_PRESET_EYES);
    use(instance, &def);
    vrm_update_dt(instance, 0);
    const ref_vec middle = ref_scale(ref_add(look_position(instance, eyes[0]), look_position(instance, eyes[1])), 0.5);
    const double angles[] = {5, -5, 7.9, 20};
    for (int i = 0; i < 4; ++i) {
        const double a = angles[i] * DEGREES, expected = fmin(a, 8 * DEGREES);
        look_at(instance, ref_add(middle, ref_v(2 * sin(a), 0, 2 * cos(a))));
        vrm_update_dt(instance, 0);
        for (int side = 0; side < 2; ++side) {
            CHECK_NEAR(yaw_of(look_forward(instance, eyes[side])), expected, 1e-5);
        }
    }
    vrm_look_chain_state state = {.struct_size = sizeof state};
    vrm_instance_get_look_chain_state(instance, &state);
    CHECK_INT(state.fixed_maps, VRM_LOOK_MAP_UP);
    // Off by 12 degrees to the side and 10 up, since the map without an inverse rotates the eyes by 10 for the smallest
    // angle.
    CHECK_NEAR(state.error, acos(cos(12 * DEGREES) * cos(10 * DEGREES)), 3e-3);
    def.map_as_authored = true;
    use(instance, &def);
    look_at(instance, ref_add(middle, ref_v(2 * sin(5 * DEGREES), 0, 2 * cos(5 * DEGREES))));
    vrm_update_dt(instance, 0);
    vrm_instance_get_look_chain_state(instance, &state);
    CHECK_NEAR(yaw_of(look_forward(instance, eyes[0])), 1 * DEGREES, 1e-4);   // the outer map: 5 / 60 * 12
    CHECK_NEAR(yaw_of(look_forward(instance, eyes[1])), 0.5 * DEGREES, 1e-4); // the inner map: 5 / 80 * 8
    // The yaw is off by 4.5 degrees. The map for up has no inverse and rotates the eyes by 10 for the smallest angle.
    CHECK_NEAR(state.map_error, hypot(4.5, 10) * DEGREES, 1e-3);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

static double pitch_of(ref_vec forward)
{
    return -asin(forward.v[1]);
}

// If the map for down has no inverse, it stays as authored, even if the chain asks for nothing in that direction. The
// chain controls the other direction.
static void only_the_map_downwards_is_fixed(void)
{
    fixture *f = &look_fix;
    fixture_begin(f);
    fixture_humanoid(f);
    f->builder.head.look_at.vertical_down = (vrm_range_map){0.0f, (float)(7 * DEGREES)};
    vrm_avatar *avatar = fixture_finish(f);
    vrm_instance *instance = look_instance(avatar);
    const int32_t eyes[2] = {look_node(VRM_HUMAN_BONE_LEFT_EYE), look_node(VRM_HUMAN_BONE_RIGHT_EYE)};
    vrm_look_chain_def def = preset_of(avatar, VRM_LOOK_CHAIN_PRESET_EYES);
    use(instance, &def);
    vrm_update_dt(instance, 0);
    const ref_vec middle = ref_scale(ref_add(look_position(instance, eyes[0]), look_position(instance, eyes[1])), 0.5);
    const struct {
        double asked, given;
    } table[] = {{20, 7}, {3, 7}, {-4, -4}};
    for (int i = 0; i < 3; ++i) {
        const double a = table[i].asked * DEGREES;
        look_at(instance, ref_add(middle, ref_v(0, -2 * sin(a), 2 * cos(a))));
        vrm_update_dt(instance, 0);
        vrm_look_chain_state state = {.struct_size = sizeof state};
        vrm_instance_get_look_chain_state(instance, &state);
        CHECK_INT(state.fixed_maps, VRM_LOOK_MAP_DOWN);
        for (int side = 0; side < 2; ++side) {
            CHECK_NEAR(pitch_of(look_forward(instance, eyes[side])), table[i].given * DEGREES, 1e-5);
        }
    }
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// Curves of VRM 0.x. By default only a curve's end value matters, as the eyes' limit: below it the eyes rotate by the
// angle that the chain asks for, whatever the curve's shape. With the authored curves, the eyes follow them, and weights
// are limited to 1.
static void curves_of_the_older_format(void)
{
    for (int type = 0; type < 2; ++type) {
        const bool bone = type == 0;
        fixture *f = &look_fix;
        fixture_begin(f);
        fixture_humanoid(f);
        const vrm_range_map map = {(float)(60 * DEGREES), bone ? (float)(20 * DEGREES) : 7.1f};
        vrmi_look_at_row *look = &f->builder.head.look_at;
        *look = (vrmi_look_at_row){
            bone ? VRM_LOOK_AT_BONE : VRM_LOOK_AT_EXPRESSION, look->offset_from_head_bone, map, map, map, map};
        // t * t * (3 - 2 * t), from 0 to 0.6
        *FIXTURE_PUSH(f, look_curve_key, vrm_curve_key) = (vrm_curve_key){0, 0, 0, 0};
        *FIXTURE_PUSH(f, look_curve_key, vrm_curve_key) = (vrm_curve_key){1, 0.6f, 0, 0};
        for (int i = 0; i < VRM_LOOK_DIRECTION_COUNT; ++i) {
            f->builder.head.look_curve[i] = (vrmi_range){0, 2};
        }
        vrm_avatar *avatar = fixture_finish(f);
        vrm_instance *instance = look_instance(avatar);
        const int32_t eye = look_node(VRM_HUMAN_BONE_LEFT_EYE);
        const double full = 25 * DEGREES, most = bone ? 12 * DEGREES : full;
        vrm_look_chain_def def = preset_of(avatar, VRM_LOOK_CHAIN_PRESET_EYES);
        def.expression_yaw = (float)full;
        use(instance, &def);
        vrm_update_dt(instance, 0);
        const ref_vec middle = ref_scale(
            ref_add(look_position(instance, eye), look_position(instance, look_node(VRM_HUMAN_BONE_RIGHT_EYE))), 0.5);
        for (int authored = 0; authored < 2; ++authored) {
            def.map_as_authored = authored != 0;
            use(instance, &def);
            for (double degrees = 1; degrees < 50; degrees += 6) {
                const double a = degrees * DEGREES, wanted = fmin(a, most), t = wanted / (60 * DEGREES);
                look_at(instance, ref_add(middle, ref_v(2 * sin(a), 0, 2 * cos(a))));
                vrm_update_dt(instance, 0);
                const double mapped = 0.6 * t * t * (3 - 2 * t) * (double)map.output_scale;
                const double given = !authored ? wanted : (bone ? mapped : fmin(mapped, 1) * full);
                vrm_look_chain_state state = {.struct_size = sizeof state};
                vrm_instance_get_look_chain_state(instance, &state);
                CHECK_INT(state.fixed_maps, 0);
                CHECK_NEAR(state.error, fabs(a - given), 1e-4);
                CHECK_NEAR(state.map_error, fabs(wanted - given), 1e-4);
                if (bone) {
                    CHECK_NEAR(yaw_of(look_forward(instance, eye)), given, 1e-5);
                } else {
                    CHECK_NEAR(instance->look_weights[VRMI_LOOK_LEFT], given / full, 1e-5);
                }
            }
        }
        vrm_instance_destroy(instance);
        vrm_avatar_release(avatar);
    }
}

// Expression type: the weight is the angle divided by the calibrated full angle, and the head rotates by the rest.
static void expression_eyes(void)
{
    fixture *f = &look_fix;
    fixture_begin(f);
    fixture_humanoid(f);
    vrmi_look_at_row *look = &f->builder.head.look_at;
    const vrm_range_map map = {(float)(60 * DEGREES), 0.8f};
    *look = (vrmi_look_at_row){VRM_LOOK_AT_EXPRESSION, look->offset_from_head_bone, map, map, map, map};
    vrm_avatar *avatar = fixture_finish(f);
    vrm_instance *instance = look_instance(avatar);
    vrm_look_chain_def def = preset_of(avatar, VRM_LOOK_CHAIN_PRESET_EYES_HEAD);
    def.expression_yaw = (float)(25 * DEGREES);
    def.expression_pitch = (float)(20 * DEGREES);
    use(instance, &def);
    vrm_update_dt(instance, 0);
    const ref_vec eye = look_position(instance, look_node(VRM_HUMAN_BONE_LEFT_EYE));
    const ref_vec other = look_position(instance, look_node(VRM_HUMAN_BONE_RIGHT_EYE));
    const ref_vec middle = ref_scale(ref_add(eye, other), 0.5);
    look_at(instance, ref_add(middle, ref_v(2 * sin(10 * DEGREES), 0, 2 * cos(10 * DEGREES))));
    vrm_update_dt(instance, 0);
    CHECK(instance->look_active);
    CHECK_NEAR(instance->look_weights[VRMI_LOOK_LEFT], 10.0 / 25, 1e-5);
    CHECK_NEAR(instance->look_weights[VRMI_LOOK_RIGHT], 0, 0);
    look_at(instance, ref_add(middle, ref_v(0, -2 * sin(8 * DEGREES), 2 * cos(8 * DEGREES))));
    vrm_update_dt(instance, 0);
    CHECK_NEAR(instance->look_weights[VRMI_LOOK_DOWN], 8.0 / 20, 1e-5);
    look_at(instance, ref_add(middle, ref_v(-2 * sin(40 * DEGREES), 0, 2 * cos(40 * DEGREES))));
    vrm_update_dt(instance, 0);
    vrm_look_chain_state state = {.struct_size = sizeof state};
    vrm_instance_get_look_chain_state(instance, &state);
    CHECK(instance->look_weights[VRMI_LOOK_RIGHT] <= 0.8f + 1e-6f && instance->look_weights[VRMI_LOOK_RIGHT] > 0.6f);
    CHECK((double)state.error < 0.1 * DEGREES);
    CHECK(look_bend(instance, look_node(VRM_HUMAN_BONE_HEAD)) > 15 * DEGREES);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// The host rotates the head between the two halves of an update: the eyes compensate for it in the same frame.
static void host_turns_the_head(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_RANDOM, VRM_LOOK_AT_BONE);
    vrm_instance *instance = look_instance(avatar);
    const int32_t head = look_node(VRM_HUMAN_BONE_HEAD), eye = look_node(VRM_HUMAN_BONE_LEFT_EYE);
    vrm_look_chain_def def = preset_of(avatar, VRM_LOOK_CHAIN_PRESET_EYES_HEAD);
    def.vergence = true;
    use(instance, &def);
    const ref_vec target = ref_v(0.1, 1.5, 3);
    look_at(instance, target);
    vrm_update_params params;
    vrm_update_params_default(&params);
    vrm_update_pose(instance, &params);
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(instance, &out);
    vrm_transform t = pose_of(instance, head);
    const vrm_quat nudge = vrmi_quat_from_axis_angle(vrmi_vec3(0.3f, 0.9f, 0.316f), (float)(4 * DEGREES));
    t.rotation = vrmi_quat_mul(t.rotation, nudge);
    CHECK_INT(vrm_instance_set_pose(instance, (uint32_t)head, &t), VRM_SUCCESS);
    vrm_update_secondary(instance, &params);
    CHECK(look_angle(look_forward(instance, eye), ref_sub(target, look_position(instance, eye))) < 0.2 * DEGREES);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// --- time ----------------------------------------------------------------------------------------------------------

enum { RATES = 4, BONES = 4 };

static double frame_time(int rate, int frame)
{
    static const double rates[RATES - 1] = {30, 60, 144};
    return rate < 3 ? 1 / rates[rate] : 0.004 + 0.021 * (0.5 + 0.5 * sin(12.9 * frame));
}

// Returns the chain's rotation after a time, for a total rotation in radians that starts from rest. The chain
// accelerates fully up to the speed that the remaining rotation allows. This is the smallest of three: the highest
// speed, rate times the remaining rotation, and the speed from which a constant braking leads into the exponential.
// Computed in very short steps.
static double limited_way(double whole, double rate, double speed, double acceleration, double time)
{
    const double step = 1e-5, slow = acceleration / rate;
    double left = whole, now = 0;
    for (int i = 0; i < (int)(time / step + 0.5); ++i) {
        const double braking = left > slow / rate ? sqrt(2 * acceleration * left - slow * slow) : rate * left;
        now = fmin(now + acceleration * step, fmin(speed, braking));
        left -= now * step;
    }
    return whole - left;
}

// With constant targets, every frame rate follows the reference along the great circle to the next pose.
static void frame_rates_held(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_RANDOM, VRM_LOOK_AT_BONE);
    const int32_t nodes[BONES] = {look_node(VRM_HUMAN_BONE_HEAD), look_node(VRM_HUMAN_BONE_NECK),
        look_node(VRM_HUMAN_BONE_CHEST), look_node(VRM_HUMAN_BONE_SPINE)};
    const ref_vec targets[3] = {{{0.2, 1.5, 2}}, {{1.8, 1.2, 0.4}}, {{-1.5, 1.9, 1}}};
    const double rate = 6, speed = 200 * DEGREES, acceleration = 900 * DEGREES;
    ref_quat solved[3][BONES];
    vrm_look_chain_def def = preset_of(avatar, VRM_LOOK_CHAIN_PRESET_WHOLE_SPINE);
    vrm_instance *instance = look_instance(avatar);
    for (int t = 0; t < 3; ++t) {
        use(instance, &def);
        look_at(instance, targets[t]);
        vrm_update_dt(instance, 0);
        for (int i = 0; i < BONES; ++i) {
            solved[t][i] = ref_quat_of(pose_of(instance, nodes[i]).rotation);
        }
    }
    def.blend_speed = (float)rate;
    def.turn_speed = (float)speed;
    def.turn_acceleration = (float)acceleration;
    double worst = 0, fastest = 0;
    for (int r = 0; r < RATES; ++r) {
        use(instance, &def);
        look_at(instance, targets[0]);
        vrm_update_dt(instance, 0);
        for (int event = 1; event < 3; ++event) {
            double whole = 0, time = 0;
            for (int i = 0; i < BONES; ++i) {
                whole += ref_angle(solved[event - 1][i], solved[event][i]);
            }
            look_at(instance, targets[event]);
            for (int stop = 1; stop <= 6; ++stop) { // 0.1 s to 3.2 s
                const double end = 0.05 * (1 << stop), before = time;
                for (int frame = 0; time < end - 1e-9; ++frame) {
                    const double dt = fmin(frame_time(r, frame), end - time);
                    vrm_update_dt(instance, (float)dt);
                    time += dt;
                }
                const double part = limited_way(whole, rate, speed, acceleration, time) / whole;
                fastest = fmax(fastest,
                    (part - limited_way(whole, rate, speed, acceleration, before) / whole) * whole / (time - before));
                for (int i = 0; i < BONES; ++i) {
                    const ref_quat expected = ref_slerp(solved[event - 1][i], solved[event][i], part);
                    const double off = ref_angle(expected, ref_quat_of(pose_of(instance, nodes[i]).rotation));
                    worst = fmax(worst, off);
                    CHECK(off < 1e-4);
                }
            }
        }
    }
    printf(
        "held targets at 30, 60, 144 Hz and irregular frames: %.2g rad from the reference, at up to %.0f degrees/s\n",
        worst, fastest / DEGREES);
    CHECK(fastest > 0.9 * speed);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// In article mode the chain approaches its target exponentially and by nothing else, as in the article (document 003).
static void article_blends_by_an_exponential(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_PLAIN, VRM_LOOK_AT_BONE);
    vrm_instance *instance = look_instance(avatar);
    const int32_t head = look_node(VRM_HUMAN_BONE_HEAD);
    look_setup s;
    look_setup_make(&s, VRM_LOOK_CHAIN_MODE_ARTICLE, &head, 1);
    s.def.blend_speed = 6.0f;
    look_set(instance, &s);
    look_at(instance, look_around(instance, head, 0, 0, 3));
    vrm_update_dt(instance, 0);
    look_at(instance, look_around(instance, head, 1, 0, 3));
    for (int frame = 1; frame <= 30; ++frame) {
        vrm_update_dt(instance, 1.0f / 60.0f);
        CHECK_NEAR(yaw_of(look_forward(instance, head)), 1 - exp(-6 * frame / 60.0), 1e-4);
    }
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// Measures the error that the length of a frame causes with a moving target, compared with 1 kHz.
static void frame_rates_moving(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_RANDOM, VRM_LOOK_AT_BONE);
    const int32_t head = look_node(VRM_HUMAN_BONE_HEAD);
    vrm_look_chain_def def = preset_of(avatar, VRM_LOOK_CHAIN_PRESET_WHOLE_SPINE);
    def.blend_speed = 8.0f;
    ref_vec fine[101];
    const int rates[] = {1000, 30, 60, 144};
    for (int r = 0; r < 4; ++r) {
        vrm_instance *instance = look_instance(avatar);
        use(instance, &def);
        double worst = 0, time = 0;
        int next = 0;
        for (int frame = 0; next <= 100; ++frame) {
            time = (double)frame / rates[r];
            look_at(instance, ref_v(2 * sin(3 * time), 1.4 + 0.4 * sin(2 * time), 1.5));
            vrm_update_dt(instance, frame == 0 ? 0.0f : (float)(1.0 / rates[r]));
            if (time >= 0.1 * next * (1 - 1e-12) && fabs(time - 0.1 * next) < 1e-9) {
                const ref_vec forward = look_forward(instance, head);
                if (r == 0) {
                    fine[next] = forward;
                }
                worst = fmax(worst, look_angle(fine[next], forward));
                ++next;
            } else if (time > 0.1 * next) {
                ++next; // at 144 Hz not every tenth of a second is a frame
            }
        }
        if (r > 0) {
            printf("moving target, %d Hz: head within %.2f degrees of 1 kHz\n", rates[r], worst / DEGREES);
            CHECK(worst < (rates[r] == 30 ? 5.0 : (rates[r] == 60 ? 2.5 : 1.2)) * DEGREES);
        }
        vrm_instance_destroy(instance);
    }
    vrm_avatar_release(avatar);
}

// A target circles around the figure. Behind the back the chain stays on its side until the margin is passed. Then it
// changes sides at its own speed, and no frame jumps.
static void behind_the_back(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_PLAIN, VRM_LOOK_AT_BONE);
    const int32_t head = look_node(VRM_HUMAN_BONE_HEAD);
    for (int hysteresis = 0; hysteresis < 2; ++hysteresis) {
        vrm_instance *instance = look_instance(avatar);
        vrm_look_chain_def def = preset_of(avatar, VRM_LOOK_CHAIN_PRESET_WHOLE_SPINE);
        def.behind_margin = hysteresis ? (float)(20 * DEGREES) : 0.0f;
        use(instance, &def);
        int flips = 0;
        double flipped_at = 0, largest = 0;
        ref_vec before = ref_v(0, 0, 1);
        for (int step = 0; step <= 230; ++step) { // one degree per step; the last targets are behind the figure again
            const double yaw = (step <= 210 ? step : 210 - (step - 210)) * DEGREES;
            look_at(instance, ref_v(2 * sin(yaw), 1.5, 2 * cos(yaw)));
            vrm_update_dt(instance, 1.0f / 60.0f);
            const ref_vec forward = look_forward(instance, head);
            if (step > 0 && step < 230) {
                const double moved = look_angle(before, forward);
                if (moved > 20 * DEGREES) {
                    ++flips;
                    flipped_at = yaw;
                } else {
                    largest = fmax(largest, moved);
                }
            }
            before = forward;
        }
        if (hysteresis) {
            CHECK_INT(flips, 1);
            CHECK_NEAR(flipped_at, 201 * DEGREES, 1.5 * DEGREES); // beyond the margin, and not back at 190 degrees
            CHECK(largest < 4 * DEGREES);
            printf("around the back: %.2f degrees of the head per degree of the target at most\n", largest / DEGREES);
        }
        vrm_instance_destroy(instance);
    }
    vrm_avatar_release(avatar);
}

// Targets behind the figure that are out of reach: the head turns over the shoulder to the target's height, not over
// the top. The error is the angle to the target itself. Targets within reach are met.
static void over_the_shoulder(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_RANDOM, VRM_LOOK_AT_BONE);
    vrm_instance *instance = look_instance(avatar);
    const int32_t head = look_node(VRM_HUMAN_BONE_HEAD);
    const vrm_look_chain_def def = preset_of(avatar, VRM_LOOK_CHAIN_PRESET_WHOLE_SPINE);
    use(instance, &def);
    for (int side = -1; side <= 1; side += 2) {
        for (int height = -45; height <= 45; height += 15) {
            for (int yaw = 95; yaw <= 175; yaw += 10) {
                const double y = side * yaw * DEGREES, h = height * DEGREES;
                const ref_vec target = ref_v(
                    // The targets are so far away that positions have no effect.
                    50 * sin(y) * cos(h), 1.4 + 50 * sin(h), 50 * cos(y) * cos(h));
                vrm_instance_reset(instance);
                use(instance, &def);
                look_at(instance, target);
                vrm_update_dt(instance, 0.0f);
                vrm_look_chain_state state = {.struct_size = sizeof state};
                vrm_instance_get_look_chain_state(instance, &state);
                const ref_vec forward = look_forward(instance, head);
                const double up = asin(forward.v[1]) / DEGREES, round = side * yaw_of(forward) / DEGREES;
                CHECK(up > height - 12 && up < height + 12);
                CHECK(round > fmin(yaw, 100) - 25 && round < yaw + 12);
                const double away = look_error(instance, head, target); // the eyes add about ten degrees
                CHECK_NEAR((double)state.error, away > 12 * DEGREES ? away - 9 * DEGREES : 0, 12 * DEGREES);
                CHECK(yaw > 105 || (double)state.error < 0.11 * DEGREES);
                CHECK(yaw < 165 || (double)state.error > 10 * DEGREES);
            }
        }
    }
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// The target jumps. The eyes arrive at their highest speed; the head waits and then makes a minimum-jerk movement.
static void saccade(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_PLAIN, VRM_LOOK_AT_BONE);
    vrm_instance *instance = look_instance(avatar);
    const int32_t head = look_node(VRM_HUMAN_BONE_HEAD);
    vrm_look_chain_def def = preset_of(avatar, VRM_LOOK_CHAIN_PRESET_EYES_HEAD);
    def.blend_speed = 8.0f;
    def.saccade = true;
    use(instance, &def);
    look_at(instance, ref_v(0, 1.45, 5));
    for (int i = 0; i < 60; ++i) {
        vrm_update_dt(instance, 0.01f);
    }
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(instance, &out);
    const ref_quat begin = ref_quat_of(pose_of(instance, head).rotation);
    look_at(instance, ref_v(2.5, 1.45, 5)); // 27 degrees
    double angles[200], gaze[200];
    for (int i = 0; i < 200; ++i) {
        vrm_update_dt(instance, 0.005f);
        vrm_look_chain_state state = {.struct_size = sizeof state};
        vrm_instance_get_look_chain_state(instance, &state);
        angles[i] = ref_angle(begin, ref_quat_of(pose_of(instance, head).rotation));
        gaze[i] = (double)state.eye_yaw;
    }
    const double whole = angles[199], duration = 1.875 * whole / (150 * DEGREES);
    CHECK(whole > 10 * DEGREES);
    CHECK(angles[18] < 1e-6);                // 0.095 s: the head still waits
    CHECK_NEAR(gaze[5], 10 * DEGREES, 1e-5); // 0.03 s: the eyes are at their limit
    CHECK_NEAR(gaze[1], 5 * DEGREES, 1e-5);  // 0.01 s at 500 degrees per second
    for (int i = 20; i < 60; i += 5) {
        const double t = fmin(1, (0.005 * (i + 1) - 0.1) / duration);
        CHECK_NEAR(angles[i], whole * t * t * t * (10 + t * (6 * t - 15)), 1e-4);
    }
    CHECK(gaze[199] < 10 * DEGREES + 1e-6 && gaze[199] > 0);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// Micro-saccades are the same at two frame rates, stay within their size, and move only the eyes. A large change of
// gaze causes a blink.
static void idle_gaze(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_PLAIN, VRM_LOOK_AT_BONE);
    vrm_instance *a = look_instance(avatar), *b = look_instance(avatar), *still = look_instance(avatar);
    vrm_look_chain_def def = preset_of(avatar, VRM_LOOK_CHAIN_PRESET_EYES_HEAD);
    use(still, &def);
    def.idle = true;
    def.idle_angle = 0.02f;
    use(a, &def);
    use(b, &def);
    const ref_vec target = ref_v(0.1, 1.5, 4);
    look_at(a, target);
    look_at(b, target);
    look_at(still, target);
    vrm_look_chain_state sa = {.struct_size = sizeof sa}, sb = {.struct_size = sizeof sb},
                         ss = {.struct_size = sizeof ss};
    int changes = 0;
    float last = 0;
    for (int i = 0; i < 200; ++i) {
        vrm_update_dt(a, 0.0625f);
        vrm_update_dt(b, 0.03125f);
        vrm_update_dt(b, 0.03125f);
        vrm_update_dt(still, 0.0625f);
        vrm_instance_get_look_chain_state(a, &sa);
        vrm_instance_get_look_chain_state(b, &sb);
        vrm_instance_get_look_chain_state(still, &ss);
        CHECK(sa.eye_yaw == sb.eye_yaw && sa.eye_pitch == sb.eye_pitch);
        CHECK(hypot((double)(sa.eye_yaw - ss.eye_yaw), (double)(sa.eye_pitch - ss.eye_pitch)) < 0.0205);
        changes += i > 0 && sa.eye_yaw != last;
        last = sa.eye_yaw;
    }
    CHECK(changes > 200 * 0.0625 / 1.6 - 1 && changes < 200 * 0.0625 / 0.4 + 1);
    CHECK(!a->face.blink.pending);
    look_at(a, ref_v(4, 1.5, 0.5));
    vrm_update_dt(a, 0.01f);
    CHECK(a->face.blink.pending);
    vrm_instance_destroy(a);
    vrm_instance_destroy(b);
    vrm_instance_destroy(still);
    vrm_avatar_release(avatar);
}

// A target that appears or disappears fades in or out. Without a target the clip is shown bit by bit.
static void target_comes_and_goes(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_RANDOM, VRM_LOOK_AT_BONE);
    vrm_instance *instance = look_instance(avatar);
    const int32_t head = look_node(VRM_HUMAN_BONE_HEAD);
    vrm_look_chain_def def = preset_of(avatar, VRM_LOOK_CHAIN_PRESET_UPPER_BODY);
    def.blend_speed = 16.0f;
    use(instance, &def);
    double before = 0, largest = 0;
    for (int i = 0; i < 400; ++i) {
        if (i % 200 == 20) {
            look_at(instance, ref_v(2, 1.5, 0.5));
        } else if (i % 200 == 100) {
            vrm_instance_clear_look_at(instance);
        }
        vrm_update_dt(instance, 0.01f);
        const double turned = look_turn(instance, head);
        largest = fmax(largest, fabs(turned - before));
        before = turned;
        if (i % 200 == 199 || i < 20) {
            vrm_transform input;
            vrm_outputs out = {.struct_size = sizeof out};
            CHECK_INT(vrm_instance_get_local(instance, (uint32_t)head, &input), VRM_SUCCESS);
            vrm_instance_get_outputs(instance, &out);
            CHECK(ref_angle(ref_quat_of(input.rotation), ref_quat_of(pose_of(instance, head).rotation)) < 2e-5);
        }
    }
    CHECK(largest < 0.148 * 45 * DEGREES * 1.1); // the first step of an exponential over 45 degrees
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

static const test_case cases[] = {
    {"bone_eyes_meet_the_target", bone_eyes_meet_the_target},
    {"maps", maps},
    {"only_the_map_downwards_is_fixed", only_the_map_downwards_is_fixed},
    {"curves_of_the_older_format", curves_of_the_older_format},
    {"expression_eyes", expression_eyes},
    {"host_turns_the_head", host_turns_the_head},
    {"frame_rates_held", frame_rates_held},
    {"article_blends_by_an_exponential", article_blends_by_an_exponential},
    {"frame_rates_moving", frame_rates_moving},
    {"behind_the_back", behind_the_back},
    {"over_the_shoulder", over_the_shoulder},
    {"saccade", saccade},
    {"idle_gaze", idle_gaze},
    {"target_comes_and_goes", target_comes_and_goes},
};

RUN_TESTS(cases)
