// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The effects of a look chain's fields, as look_chain.h describes them, for values other than the defaults.

#include "look_fixture.h"
#include "pose_of.h"
#include "runtime/core/instance.h"

static vrm_look_bone preset_bones[VRM_LOOK_CHAIN_PRESET_BONES];

static vrm_look_chain_def preset_of(const vrm_avatar *avatar, vrm_look_chain_preset preset)
{
    vrm_look_chain_def def = {.struct_size = sizeof def};
    CHECK_INT(vrm_look_chain_preset_def(avatar, preset, &def, preset_bones), VRM_SUCCESS);
    return def;
}

static void use(vrm_instance *instance, const vrm_look_chain_def *def)
{
    CHECK_INT(vrm_instance_set_look_chain(instance, def, NULL), VRM_SUCCESS);
}

static vrm_look_chain_state state_of(const vrm_instance *instance)
{
    vrm_look_chain_state state = {.struct_size = sizeof state};
    vrm_instance_get_look_chain_state(instance, &state);
    return state;
}

// --- the article's ---------------------------------------------------------------------------------------------------

// A bone that rotates only about the up vector uses the given vector, in the root's axes.
static void up_is_the_axis_of_yaw(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_RANDOM, VRM_LOOK_AT_BONE);
    vrm_instance *instance = look_instance(avatar);
    const int32_t head = look_node(VRM_HUMAN_BONE_HEAD);
    const vrm_root root = {{1, 2, 3}, vrmi_quat_from_axis_angle(vrmi_vec3(1, 0, 0), 0.7f), 1.0f};
    CHECK_INT(vrm_instance_set_root(instance, &root), VRM_SUCCESS);
    const vrm_vec3 ups[3] = {{0, 1, 0}, {0.6f, 0.8f, 0}, {0, 3, -4}};
    for (int i = 0; i < 3; ++i) {
        look_setup s;
        look_setup_make(&s, VRM_LOOK_CHAIN_MODE_DEFAULT, &head, 1);
        s.bones[0].around_up = 1.0f;
        s.def.up = ups[i];
        look_set(instance, &s);
        vrm_instance_clear_look_at(instance);
        look_once(instance);
        ref_mat matrix;
        ref_quat was, is;
        look_world(instance, head, &matrix, &was);
        const ref_vec forward = look_forward(instance, head),
                      side = ref_rotate(ref_quat_of(root.rotation), ref_v(1, 0, 0));
        look_at(instance, ref_add(look_position(instance, head), ref_add(forward, ref_scale(side, 0.5))));
        look_once(instance);
        look_world(instance, head, &matrix, &is);
        const ref_quat turned = ref_mul(is, ref_inverse(was));
        const ref_vec axis = ref_v(turned.q[0], turned.q[1], turned.q[2]);
        const ref_vec up = ref_rotate(ref_quat_of(root.rotation), ref_unit(ref_vec_of(ups[i])));
        CHECK(ref_length(axis) > 0.05);
        CHECK(ref_length(ref_cross(ref_unit(axis), up)) < 1e-4);
    }
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// The forward vector is given in the bone's own axes. In article mode, limits are measured from a forward vector in the
// parent's axes.
static void forward_vectors_are_as_given(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_RANDOM, VRM_LOOK_AT_BONE);
    vrm_instance *instance = look_instance(avatar);
    int32_t head = look_node(VRM_HUMAN_BONE_HEAD);
    const vrm_vec3 axes[3] = {{0, 0, 1}, {1, 0, 0}, {0.6f, -0.8f, 0}};
    ref_mat matrix;
    ref_quat rotation;
    for (int i = 0; i < 3; ++i) {
        look_setup s;
        look_setup_make(&s, VRM_LOOK_CHAIN_MODE_DEFAULT, &head, 1);
        s.bones[0].forward = axes[i];
        look_set(instance, &s);
        const ref_vec target = ref_v(1, 2, 2);
        look_at(instance, target);
        look_once(instance);
        look_world(instance, head, &matrix, &rotation);
        const ref_vec way = ref_sub(target, look_position(instance, head));
        CHECK(look_angle(ref_rotate(rotation, ref_vec_of(axes[i])), way) < 1e-4);
    }
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
    avatar = look_avatar(LOOK_RIG_PLAIN, VRM_LOOK_AT_BONE);
    instance = look_instance(avatar);
    head = look_node(VRM_HUMAN_BONE_HEAD);
    for (int side = -1; side <= 1; side += 2) {
        look_setup s;
        look_setup_make(&s, VRM_LOOK_CHAIN_MODE_ARTICLE, &head, 1);
        s.bones[0].limit = (float)(30 * DEGREES);
        s.bones[0].parent_forward = vrmi_vec3((float)sin(20 * DEGREES), 0, (float)cos(20 * DEGREES));
        look_set(instance, &s);
        vrm_instance_clear_look_at(instance);
        look_once(instance);
        look_at(instance, look_around(instance, head, side * 90 * DEGREES, 0, 2));
        look_once(instance);
        const ref_vec forward = look_forward(instance, head);
        CHECK_NEAR(atan2(forward.v[0], forward.v[2]), (20 + side * 30) * DEGREES, 1e-4);
    }
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// A new chain has the weight of its def.
static void a_chain_begins_with_its_weight(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_RANDOM, VRM_LOOK_AT_BONE);
    vrm_instance *instance = look_instance(avatar);
    const int32_t head = look_node(VRM_HUMAN_BONE_HEAD);
    double turned[3];
    for (int i = 0; i < 3; ++i) {
        look_setup s;
        look_setup_make(&s, VRM_LOOK_CHAIN_MODE_DEFAULT, &head, 1);
        s.def.weight = 0.5f * (float)i;
        look_set(instance, &s);
        look_at(instance, ref_v(1, 1.5, 2));
        look_once(instance);
        turned[i] = look_turn(instance, head);
    }
    CHECK_NEAR(turned[0], 0, 1e-4);
    CHECK_NEAR(turned[1], turned[2] / 2, 1e-4);
    CHECK(turned[2] > 20 * DEGREES);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

static void lines_are_drawn_when_asked_for(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_PLAIN, VRM_LOOK_AT_BONE);
    vrm_instance *instance = look_instance(avatar);
    const int32_t nodes[2] = {look_node(VRM_HUMAN_BONE_HEAD), look_node(VRM_HUMAN_BONE_SPINE)};
    for (int drawn = 0; drawn < 2; ++drawn) {
        look_setup s;
        look_setup_make(&s, VRM_LOOK_CHAIN_MODE_DEFAULT, nodes, 2);
        s.def.draw_debug = drawn != 0;
        look_set(instance, &s);
        look_at(instance, ref_v(1, 1.5, 2));
        look_once(instance);
        vrm_outputs out = {.struct_size = sizeof out};
        vrm_instance_get_outputs(instance, &out);
        CHECK_INT(out.debug_line_count, drawn ? 4 : 0);
    }
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// --- eyes by expressions ---------------------------------------------------------------------------------------------

// The angle at weight 1 determines the shown weight and the eyes' largest angle, even with the map as authored.
static void expressions_turn_by_their_angles(void)
{
    fixture *f = &look_fix;
    fixture_begin(f);
    fixture_humanoid(f);
    vrmi_look_at_row *look = &f->builder.head.look_at;
    const vrm_range_map map = {(float)(60 * DEGREES), 0.5f};
    *look = (vrmi_look_at_row){VRM_LOOK_AT_EXPRESSION, look->offset_from_head_bone, map, map, map, map};
    vrm_avatar *avatar = fixture_finish(f);
    vrm_instance *instance = look_instance(avatar);
    const double full[2][2] = {{15, 10}, {40, 24}};
    for (int k = 0; k < 2; ++k) {
        vrm_look_chain_def def = preset_of(avatar, VRM_LOOK_CHAIN_PRESET_EYES);
        def.blend_speed = 0.0f;
        def.expression_yaw = (float)(full[k][0] * DEGREES);
        def.expression_pitch = (float)(full[k][1] * DEGREES);
        const struct {
            double x, y, wanted; // degrees
            int weight;
            double angle; // of weight 1
        } rows[] = {{4, 0, 4, VRMI_LOOK_LEFT, full[k][0]}, {-4, 0, 4, VRMI_LOOK_RIGHT, full[k][0]},
            {0, 4, 4, VRMI_LOOK_UP, full[k][1]}, {0, -4, 4, VRMI_LOOK_DOWN, full[k][1]},
            {50, 0, 50, VRMI_LOOK_LEFT, full[k][0]}, {0, 50, 50, VRMI_LOOK_UP, full[k][1]},
            {0, -50, 50, VRMI_LOOK_DOWN, full[k][1]}};
        for (int authored = 0; authored < 2; ++authored) {
            def.map_as_authored = authored != 0;
            for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
                use(instance, &def);
                look_at(instance, ref_v(0, 1.5, 5));
                look_once(instance);
                const ref_vec left = look_position(instance, look_node(VRM_HUMAN_BONE_LEFT_EYE));
                const ref_vec right = look_position(instance, look_node(VRM_HUMAN_BONE_RIGHT_EYE));
                const ref_vec middle = ref_scale(ref_add(left, right), 0.5);
                const double yaw = rows[i].x * DEGREES, pitch = rows[i].y * DEGREES;
                look_at(instance, ref_add(middle, ref_v(sin(yaw), sin(pitch), cos(yaw) * cos(pitch))));
                look_once(instance);
                // The map's output is 0.5, so it limits the angle to half of the full angle.
                const double angle = fmin(rows[i].wanted, 0.5 * rows[i].angle);
                const double shown = authored ? 0.5 * angle / 60 : angle / rows[i].angle;
                CHECK_NEAR(instance->look_weights[rows[i].weight], shown, 1e-4);
            }
        }
    }
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// --- beyond the article ----------------------------------------------------------------------------------------------

// A target circles behind the figure. The head changes sides when the target is beyond the middle by the margin.
static void the_side_changes_past_the_margin(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_PLAIN, VRM_LOOK_AT_BONE);
    const int32_t head = look_node(VRM_HUMAN_BONE_HEAD);
    for (int margin = 10; margin <= 40; margin += 15) {
        vrm_instance *instance = look_instance(avatar);
        vrm_look_chain_def def = preset_of(avatar, VRM_LOOK_CHAIN_PRESET_WHOLE_SPINE);
        def.blend_speed = 0.0f;
        def.behind_margin = (float)(margin * DEGREES);
        use(instance, &def);
        int changed = 0;
        for (int yaw = 90; yaw <= 230 && changed == 0; ++yaw) {
            look_at(instance, ref_v(2 * sin(yaw * DEGREES), 1.5, 2 * cos(yaw * DEGREES)));
            vrm_update_dt(instance, 1.0f / 60.0f);
            changed = look_forward(instance, head).v[0] < 0 ? yaw : 0;
        }
        CHECK_NEAR(changed, 180 + margin, 2.5); // the angle is measured from between the eyes
        vrm_instance_destroy(instance);
    }
    vrm_avatar_release(avatar);
}

// The eyes move at their highest speed. The head waits and then makes a minimum-jerk movement, whose peak speed is 15/8
// of its mean speed.
static void saccades_go_by_their_numbers(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_PLAIN, VRM_LOOK_AT_BONE);
    vrm_instance *instance = look_instance(avatar);
    const int32_t head = look_node(VRM_HUMAN_BONE_HEAD);
    vrm_look_chain_def def = preset_of(avatar, VRM_LOOK_CHAIN_PRESET_EYES_HEAD);
    def.saccade = true;
    def.saccade_threshold = (float)(12 * DEGREES);
    def.saccade_speed = (float)(200 * DEGREES);
    def.head_delay = 0.2f;
    def.head_speed = (float)(60 * DEGREES);
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(instance, &out);
    for (int jumps = 0; jumps < 2; ++jumps) {
        use(instance, &def);
        look_at(instance, ref_v(0, 1.45, 5));
        vrm_update_dt(instance, 0.01f);
        vrm_update_dt(instance, 0.01f);
        const ref_quat begin = ref_quat_of(pose_of(instance, head).rotation);
        look_at(instance, ref_v(5 * tan((jumps ? 30 : 11) * DEGREES), 1.45, 5));
        double angles[240];
        for (int i = 0; i < 240; ++i) {
            vrm_update_dt(instance, 0.005f);
            angles[i] = ref_angle(begin, ref_quat_of(pose_of(instance, head).rotation));
            if (jumps && i == 5) {
                CHECK_NEAR(state_of(instance).eye_yaw, 0.03 * 200 * DEGREES, 1e-4);
            }
        }
        if (jumps) {
            const double whole = angles[239], duration = 1.875 * whole / (60 * DEGREES);
            CHECK(whole > 10 * DEGREES);
            CHECK(angles[37] < 1e-6);
            for (int i = 44; i < 200; i += 5) {
                const double t = fmin(1, (0.005 * (i + 1) - 0.2) / duration);
                CHECK_NEAR(angles[i], whole * t * t * t * (10 + t * (6 * t - 15)), 1e-3);
            }
        } else {
            CHECK(angles[3] > 1e-4); // without a saccade the head moves from the first frame on
        }
    }
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

typedef struct idle_path {
    float yaw[400], pitch[400];
    int changes;
    double farthest;
} idle_path;

// Records the direction of the eyes during 20 s of idle gaze, relative to the gaze without it.
static void follow_idle(const vrm_avatar *avatar, const vrm_look_chain_def *def, idle_path *out)
{
    vrm_instance *instance = look_instance(avatar);
    *out = (idle_path){0};
    use(instance, def);
    look_at(instance, ref_v(0, 1.5, 5));
    look_once(instance);
    const vrm_look_chain_state still = state_of(instance);
    for (int i = 0; i < 400; ++i) {
        vrm_update_dt(instance, 0.05f);
        const vrm_look_chain_state now = state_of(instance);
        out->yaw[i] = now.eye_yaw - still.eye_yaw;
        out->pitch[i] = now.eye_pitch - still.eye_pitch;
        out->changes += i > 0 && (out->yaw[i] != out->yaw[i - 1] || out->pitch[i] != out->pitch[i - 1]);
        out->farthest = fmax(out->farthest, hypot((double)out->yaw[i], (double)out->pitch[i]));
    }
    vrm_instance_destroy(instance);
}

static void idle_gaze_goes_by_its_numbers(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_PLAIN, VRM_LOOK_AT_BONE);
    vrm_look_chain_def def = preset_of(avatar, VRM_LOOK_CHAIN_PRESET_EYES);
    def.blend_speed = 0.0f;
    static idle_path a, b;
    follow_idle(avatar, &def, &a);
    CHECK(a.changes == 0 && a.farthest < 1e-6);
    // The directions are uniformly distributed in a disc, so the farthest of many is near the edge.
    def.idle = true;
    def.idle_seed = 5;
    def.idle_angle = 0.05f;
    def.idle_interval_min = 0.2f;
    def.idle_interval_max = 0.3f;
    follow_idle(avatar, &def, &a);
    CHECK(a.changes >= 60 && a.changes <= 100);
    CHECK(a.farthest > 0.04 && a.farthest < 0.051);
    def.idle_interval_min = 2.0f;
    def.idle_interval_max = 4.0f;
    follow_idle(avatar, &def, &b);
    CHECK(b.changes >= 4 && b.changes <= 10);
    def.idle_interval_max = 2.0f; // all intervals have the same length
    follow_idle(avatar, &def, &b);
    CHECK(b.changes >= 9 && b.changes <= 10);
    // Only the seed changes the result.
    def.idle_interval_min = 0.2f;
    def.idle_interval_max = 0.3f;
    follow_idle(avatar, &def, &b);
    CHECK(memcmp(&a, &b, sizeof a) == 0);
    def.idle_seed = 6;
    follow_idle(avatar, &def, &b);
    CHECK(memcmp(a.yaw, b.yaw, sizeof a.yaw) != 0);
    vrm_avatar_release(avatar);
}

// If the gaze changes by more than the angle, the avatar blinks, but only with idle gaze on.
static void large_changes_blink(void)
{
    vrm_avatar *avatar = look_avatar(LOOK_RIG_PLAIN, VRM_LOOK_AT_BONE);
    for (int k = 0; k < 3; ++k) {
        vrm_instance *instance = look_instance(avatar);
        vrm_look_chain_def def = preset_of(avatar, VRM_LOOK_CHAIN_PRESET_EYES_HEAD);
        def.idle = k != 2;
        def.blink_angle = (float)((k == 0 ? 60 : 50) * DEGREES);
        use(instance, &def);
        look_at(instance, ref_v(0, 1.45, 5));
        vrm_update_dt(instance, 0.01f);
        look_at(instance, ref_v(5 * tan(55 * DEGREES), 1.45, 5));
        vrm_update_dt(instance, 0.01f);
        CHECK_INT(instance->face.blink.pending != 0, k == 1);
        vrm_instance_destroy(instance);
    }
    vrm_avatar_release(avatar);
}

static const test_case cases[] = {
    {"up_is_the_axis_of_yaw", up_is_the_axis_of_yaw},
    {"forward_vectors_are_as_given", forward_vectors_are_as_given},
    {"a_chain_begins_with_its_weight", a_chain_begins_with_its_weight},
    {"lines_are_drawn_when_asked_for", lines_are_drawn_when_asked_for},
    {"expressions_turn_by_their_angles", expressions_turn_by_their_angles},
    {"the_side_changes_past_the_margin", the_side_changes_past_the_margin},
    {"saccades_go_by_their_numbers", saccades_go_by_their_numbers},
    {"idle_gaze_goes_by_its_numbers", idle_gaze_goes_by_its_numbers},
    {"large_changes_blink", large_changes_blink},
};

RUN_TESTS(cases)
