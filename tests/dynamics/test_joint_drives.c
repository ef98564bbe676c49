// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Each joint has a frequency, a damping ratio and a largest torque of its own: in the definition, in its JSON, at run
// time, and by the builder for each part of the body. The motion of a joint that is hit is compared with the formula of
// a damped oscillator, or of a body that a constant torque brakes.

#include <math.h>

#include "figure_shapes.h"
#include "ragdoll_fixture.h"
#include "ragdoll_scene.h"
#include "sample_avatar.h"

static const double pi = 3.14159265358979;

enum { ENDS = 5, RATE = 480, FRAMES = RATE };

// The joints that are hit: head, forearms and shanks. All other bodies are kinematic, so each joint is a pendulum of
// its own.
static const vrm_human_bone ends[ENDS] = {VRM_HUMAN_BONE_HEAD, VRM_HUMAN_BONE_LEFT_LOWER_ARM,
    VRM_HUMAN_BONE_RIGHT_LOWER_ARM, VRM_HUMAN_BONE_LEFT_LOWER_LEG, VRM_HUMAN_BONE_RIGHT_LOWER_LEG};

typedef struct bench {
    vrm_avatar *avatar;
    vrm_ragdoll_def def;
    uint32_t bodies[ENDS];
    vrm_vec3 axes[ENDS];  // about which the joints turn, in the bodies' frames
    double inertia[ENDS]; // about the joint, kg m^2
    double speed[ENDS];   // after the hit, rad/s
    float gravity;
    double angles[ENDS][FRAMES];
} bench;

// Makes the bodies of five bones dynamic and all others kinematic. Each of the five turns about the axis that is across
// its centre of mass and Z.
static void choose_ends(bench *b, const vrm_human_bone *bones)
{
    for (uint32_t i = 0; i < b->def.body_count; ++i) {
        b->def.bodies[i].group = VRM_RAGDOLL_GROUP_TORSO;
    }
    for (int i = 0; i < ENDS; ++i) {
        b->bodies[i] = (uint32_t)ragdoll_body_of(&b->def, bones[i]);
        vrm_ragdoll_body *body = &b->def.bodies[b->bodies[i]];
        body->group = VRM_RAGDOLL_GROUP_HEAD;
        const vrm_vec3 arm = body->center_of_mass;
        const vrm_vec3 axis = vrmi_vec3_scale(vrmi_vec3_cross(arm, vrmi_vec3(0, 0, 1)), 1.0f / hypotf(arm.x, arm.y));
        const vrm_vec3 own = vrmi_quat_rotate(vrmi_quat_conjugate(body->inertia_rotation), axis);
        const double off = (double)vrmi_vec3_dot(arm, axis), far = (double)vrmi_vec3_dot(arm, arm) - off * off;
        b->axes[i] = axis;
        b->inertia[i] = (double)vrmi_vec3_dot(own, vrmi_vec3_mul(own, body->inertia)) + (double)body->mass * far;
    }
}

static bench bench_of(void)
{
    bench b = {.avatar = look_avatar(LOOK_RIG_PLAIN, VRM_LOOK_AT_BONE)};
    ragdoll_fixture_def(b.avatar, &b.def);
    choose_ends(&b, ends);
    for (int i = 0; i < ENDS; ++i) {
        b.speed[i] = 1.5;
    }
    return b;
}

// Hits the ends of the five bodies at their first moment, and records the angles of their joints for a second.
// `changes` are drives that are set at run time, NULL: none.
static void swing(bench *b, const vrm_ragdoll_joint_drive *changes)
{
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = b->avatar;
    def.ragdoll_bodies = b->def.body_count;
    vrm_instance *instance = NULL;
    CHECK_INT(vrm_instance_create(&def, &instance), VRM_SUCCESS);
    vrm_ragdoll_params settings;
    ragdoll_settings_always(&settings);
    vrm_ragdoll_solver_def solver;
    vrm_ragdoll_solver_def_default(&solver);
    solver.step = 1.0f / RATE;
    solver.gravity = vrmi_vec3(0.0f, -b->gravity, 0.0f);
    solver.joint_friction = 0.0f;
    solver.ground = solver.self_contact = false;
    scene_ragdoll scene;
    CHECK_INT(scene_ragdoll_begin(&scene, instance, &b->def, &settings, &solver), VRM_SUCCESS);
    CHECK_INT(
        vrm_instance_set_ragdoll_motion(instance, VRM_RAGDOLL_GROUP_TORSO, VRM_RAGDOLL_MOTION_KINEMATIC), VRM_SUCCESS);
    for (int i = 0; changes != NULL && i < ENDS; ++i) {
        CHECK_INT(vrm_instance_set_ragdoll_joint_drive(instance, b->bodies[i], &changes[i]), VRM_SUCCESS);
    }
    vrm_update_params params;
    vrm_update_params_default(&params);
    params.dt = 1.0f / RATE;
    scene_ragdoll_frame(&scene, &params);
    for (int i = 0; i < ENDS; ++i) {
        // Two impulses without a sum, which turn the body by their moment.
        const vrm_ragdoll_state *state = &scene.states[b->bodies[i]];
        const vrm_vec3 axis = vrmi_quat_rotate(state->rotation, b->axes[i]), ahead = {0.0f, 0.0f, 0.1f};
        const vrm_vec3 way = vrmi_vec3_cross(axis, vrmi_vec3(0.0f, 0.0f, 1.0f));
        const vrm_vec3 impulse = vrmi_vec3_scale(way, (float)(b->speed[i] * b->inertia[i] / 0.2));
        for (int side = -1; side <= 1; side += 2) {
            const vrm_dvec3 point = vrmi_dvec3_add(
                scene.origin, vrmi_dvec3_from(vrmi_vec3_add(state->position, vrmi_vec3_scale(ahead, (float)side))));
            const vrm_vec3 half = vrmi_vec3_scale(impulse, (float)side);
            CHECK_INT(vrm_ragdoll_solver_apply_impulse(scene.solver, b->bodies[i], &point, &half), VRM_SUCCESS);
        }
    }
    for (int frame = 0; frame < FRAMES; ++frame) {
        scene_ragdoll_frame(&scene, &params);
        for (int i = 0; i < ENDS; ++i) {
            const vrm_ragdoll_body *body = &b->def.bodies[b->bodies[i]];
            const vrm_quat parent = scene.states[body->parent].rotation, child = scene.states[b->bodies[i]].rotation;
            const vrm_vec3 turn = vrmi_quat_to_vector(vrmi_quat_mul(vrmi_quat_conjugate(parent), child));
            b->angles[i][frame] = (double)vrmi_vec3_dot(turn, b->axes[i]);
        }
    }
    scene_ragdoll_end(&scene);
    vrm_instance_destroy(instance);
}

// Returns the angle of a damped oscillator that starts at 0 with `speed`.
static double oscillator(const vrm_ragdoll_joint_drive *drive, double speed, double seconds)
{
    const double w = 2.0 * pi * (double)drive->frequency, damping = (double)drive->damping_ratio;
    if (damping >= 1.0) {
        return speed * seconds * exp(-w * seconds);
    }
    const double across = w * sqrt(1.0 - damping * damping);
    return speed / across * exp(-damping * w * seconds) * sin(across * seconds);
}

// Returns the largest difference of a joint's motion from the formula, as a fraction of its largest angle.
static double off_formula(const bench *b, int end, const vrm_ragdoll_joint_drive *drive)
{
    double off = 0.0, largest = 0.0;
    for (int frame = 0; frame < FRAMES; ++frame) {
        const double due = oscillator(drive, b->speed[end], (double)(frame + 1) / RATE);
        off = fmax(off, fabs(b->angles[end][frame] - due));
        largest = fmax(largest, fabs(due));
    }
    return off / largest;
}

// Frequencies and damping ratios that differ from joint to joint, also within a side. The last joint has no drive of
// its own and gets that of the settings: 4 Hz, damping ratio 1.
static const vrm_ragdoll_joint_drive own[ENDS] = {
    {1.2f, 0.2f, 0.0f}, {2.0f, 0.35f, 0.0f}, {3.0f, 1.0f, 0.0f}, {1.6f, 0.7f, 0.0f}, {0.0f, 0.0f, 0.0f}};
static const vrm_ragdoll_joint_drive of_settings = {4.0f, 1.0f, 0.0f};

static const vrm_ragdoll_joint_drive *effective(int end)
{
    return own[end].frequency > 0.0f ? &own[end] : &of_settings;
}

static void follows_its_own(const bench *b, const char *how)
{
    for (int i = 0; i < ENDS; ++i) {
        const double off = off_formula(b, i, effective(i));
        printf("%s: a joint of %.1f Hz and damping ratio %.2f is within %.1f %% of the formula\n", how,
            (double)effective(i)->frequency, (double)effective(i)->damping_ratio, 100.0 * off);
        CHECK(off < 0.06);
        for (int k = 0; k < ENDS; ++k) { // the formula tells the joints apart
            CHECK(k == i || off_formula(b, i, effective(k)) > 0.2);
        }
    }
}

static void each_joint_of_a_definition_has_its_own_frequency(void)
{
    for (int written = 0; written < 2; ++written) {
        bench b = bench_of();
        for (int i = 0; i < ENDS; ++i) {
            b.def.bodies[b.bodies[i]].joint.drive = own[i];
        }
        if (written == 1) { // the definition is written to JSON and read back
            vrm_bytes json = {0};
            CHECK_INT(vrm_ragdoll_def_to_json(&b.def, NULL, &json), VRM_SUCCESS);
            b.def = (vrm_ragdoll_def){.struct_size = sizeof b.def};
            const vrm_string text = {(const char *)json.data, (uint32_t)json.size};
            CHECK_INT(vrm_ragdoll_def_from_json(b.avatar, text, NULL, NULL, &b.def), VRM_SUCCESS);
            vrm_bytes_free(&json);
        }
        swing(&b, NULL);
        follows_its_own(&b, written == 1 ? "JSON" : "definition");
        vrm_avatar_release(b.avatar);
    }
}

static void each_joint_gets_its_own_frequency_at_run_time(void)
{
    bench b = bench_of();
    for (int i = 0; i < ENDS; ++i) { // the joints' first drives, which are replaced
        b.def.bodies[b.bodies[i]].joint.drive = own[ENDS - 1 - i];
    }
    swing(&b, own);
    follows_its_own(&b, "run time");
    vrm_avatar_release(b.avatar);
}

// Returns a joint's largest angle.
static double farthest(const bench *b, int end)
{
    double largest = 0.0;
    for (int frame = 0; frame < FRAMES; ++frame) {
        largest = fmax(largest, b->angles[end][frame]);
    }
    return largest;
}

// A firm spring with a small torque brakes evenly: a joint that begins with `speed` comes to rest after speed^2 *
// inertia / (2 torque). The torque that holds the body against gravity is not a part of the largest torque.
static void each_joint_has_its_own_largest_torque(void)
{
    for (int way = 0; way < 3; ++way) {
        const bool late = way == 1;
        bench b = bench_of();
        b.gravity = way == 2 ? 9.81f : 0.0f;
        vrm_ragdoll_joint_drive weak[ENDS];
        for (int i = 0; i < ENDS; ++i) {
            const double turn = 0.06 * (i + 1);
            b.speed[i] = 3.0;
            weak[i] = (vrm_ragdoll_joint_drive){12.0f, 1.0f, (float)(4.5 * b.inertia[i] / turn)};
            weak[i].max_torque = i == ENDS - 1 ? 0.0f : weak[i].max_torque; // the last one is strong
            b.def.bodies[b.bodies[i]].joint.drive = late ? own[i] : weak[i];
        }
        swing(&b, late ? weak : NULL);
        for (int i = 0; i < ENDS; ++i) {
            const double largest = farthest(&b, i),
                         due = i < ENDS - 1 ? 0.06 * (i + 1) : 3.0 / (2.0 * pi * 12.0 * exp(1.0));
            printf(
                "largest torque %.1f N m: %.3f rad, by the formula %.3f\n", (double)weak[i].max_torque, largest, due);
            CHECK_NEAR(largest, due, 0.1 * due);
        }
        vrm_avatar_release(b.avatar);
    }
}

// --- the builder -----------------------------------------------------------------------------------------------------

// Returns the drive that docs/active-ragdoll.md gives for the part of a bone, with the largest torque for 1 kg and 1 m.
static vrm_ragdoll_joint_drive drive_of_part(const vrm_ragdoll_body *body)
{
    static const struct {
        vrm_human_bone first, last;
        vrm_ragdoll_joint_drive drive;
    } parts[] = {
        {VRM_HUMAN_BONE_HIPS, VRM_HUMAN_BONE_HIPS, {1.4f, 1.0f, 0.0f}},
        {VRM_HUMAN_BONE_SPINE, VRM_HUMAN_BONE_UPPER_CHEST, {2.0f, 0.35f, 2.0f}},
        {VRM_HUMAN_BONE_NECK, VRM_HUMAN_BONE_HEAD, {2.6f, 0.45f, 0.35f}},
        {VRM_HUMAN_BONE_LEFT_UPPER_LEG, VRM_HUMAN_BONE_LEFT_UPPER_LEG, {2.4f, 1.0f, 1.7f}},
        {VRM_HUMAN_BONE_LEFT_LOWER_LEG, VRM_HUMAN_BONE_LEFT_LOWER_LEG, {2.4f, 1.0f, 1.5f}},
        {VRM_HUMAN_BONE_LEFT_FOOT, VRM_HUMAN_BONE_LEFT_FOOT, {2.4f, 1.0f, 0.9f}},
        {VRM_HUMAN_BONE_LEFT_TOES, VRM_HUMAN_BONE_LEFT_TOES, {2.4f, 1.0f, 0.1f}},
        {VRM_HUMAN_BONE_RIGHT_UPPER_LEG, VRM_HUMAN_BONE_RIGHT_UPPER_LEG, {2.4f, 1.0f, 1.7f}},
        {VRM_HUMAN_BONE_RIGHT_LOWER_LEG, VRM_HUMAN_BONE_RIGHT_LOWER_LEG, {2.4f, 1.0f, 1.5f}},
        {VRM_HUMAN_BONE_RIGHT_FOOT, VRM_HUMAN_BONE_RIGHT_FOOT, {2.4f, 1.0f, 0.9f}},
        {VRM_HUMAN_BONE_RIGHT_TOES, VRM_HUMAN_BONE_RIGHT_TOES, {2.4f, 1.0f, 0.1f}},
        {VRM_HUMAN_BONE_LEFT_SHOULDER, VRM_HUMAN_BONE_LEFT_SHOULDER, {2.0f, 0.35f, 0.8f}},
        {VRM_HUMAN_BONE_LEFT_UPPER_ARM, VRM_HUMAN_BONE_LEFT_UPPER_ARM, {1.0f, 0.2f, 0.55f}},
        {VRM_HUMAN_BONE_LEFT_LOWER_ARM, VRM_HUMAN_BONE_LEFT_LOWER_ARM, {1.0f, 0.2f, 0.45f}},
        {VRM_HUMAN_BONE_LEFT_HAND, VRM_HUMAN_BONE_LEFT_HAND, {2.0f, 0.3f, 0.1f}},
        {VRM_HUMAN_BONE_RIGHT_SHOULDER, VRM_HUMAN_BONE_RIGHT_SHOULDER, {2.0f, 0.35f, 0.8f}},
        {VRM_HUMAN_BONE_RIGHT_UPPER_ARM, VRM_HUMAN_BONE_RIGHT_UPPER_ARM, {1.0f, 0.2f, 0.55f}},
        {VRM_HUMAN_BONE_RIGHT_LOWER_ARM, VRM_HUMAN_BONE_RIGHT_LOWER_ARM, {1.0f, 0.2f, 0.45f}},
        {VRM_HUMAN_BONE_RIGHT_HAND, VRM_HUMAN_BONE_RIGHT_HAND, {2.0f, 0.3f, 0.1f}},
        {VRM_HUMAN_BONE_LEFT_THUMB_METACARPAL, VRM_HUMAN_BONE_RIGHT_LITTLE_DISTAL, {2.0f, 0.3f, 0.02f}},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) {
        if (body->bone >= parts[i].first && body->bone <= parts[i].last) {
            return parts[i].drive;
        }
    }
    CHECK(false);
    return parts[0].drive;
}

typedef struct made {
    vrm_gltf *gltf;
    vrm_avatar *avatar;
} made;

static made make(uint32_t figure)
{
    made m = {NULL, NULL};
    vrm_bytes bytes = {0};
    CHECK_INT(scene_figure_create(figure, &bytes), VRM_SUCCESS);
    CHECK_INT(vrm_gltf_load(NULL, bytes.data, bytes.size, NULL, &m.gltf), VRM_SUCCESS);
    CHECK_INT(vrm_avatar_import(NULL, m.gltf, NULL, &m.avatar), VRM_SUCCESS);
    vrm_bytes_free(&bytes);
    return m;
}

static void release(made *m)
{
    vrm_avatar_release(m->avatar);
    vrm_gltf_destroy(m->gltf);
}

// Builds a definition of `mass` kilograms, 0: of the default mass.
static void build(const made *m, vrm_ragdoll_detail detail, float mass, vrm_ragdoll_def *def)
{
    vrm_ragdoll_build_params params;
    vrm_ragdoll_build_params_default(&params);
    params.detail = detail;
    params.mass = mass;
    vrm_ragdoll_def_default(def);
    CHECK_INT(vrm_ragdoll_def_build(m->avatar, m->gltf, &params, NULL, def), VRM_SUCCESS);
}

// The drives of a built definition are those of the parts of the body, at every detail and mass. Returns the bones with
// a body, a bit each.
static uint64_t builds_parts(const made *m, vrm_ragdoll_detail detail, float mass)
{
    vrm_ragdoll_def def = {.struct_size = sizeof def};
    build(m, detail, mass, &def);
    double total = 0.0;
    for (uint32_t i = 0; i < def.body_count; ++i) {
        total += (double)def.bodies[i].mass;
    }
    const double size = total * (double)def.height;
    CHECK(mass <= 0.0f || fabs(total - (double)mass) < 1e-3);
    uint64_t bones = 0;
    for (uint32_t i = 0; i < def.body_count; ++i) {
        const vrm_ragdoll_joint_drive is = def.bodies[i].joint.drive, due = drive_of_part(&def.bodies[i]);
        CHECK_NEAR(is.frequency, due.frequency, 0);
        CHECK_NEAR(is.damping_ratio, due.damping_ratio, 0);
        CHECK_NEAR(is.max_torque, (double)due.max_torque * size, 1e-5 * size);
        bones |= (uint64_t)1 << def.bodies[i].bone;
    }
    return bones;
}

static void the_builder_drives_each_part_of_the_body(void)
{
    int with = 0, without = 0;
    for (uint32_t figure = 1; figure < 6; ++figure) {
        made m = make(figure);
        for (int detail = 0; detail < VRM_RAGDOLL_DETAIL_COUNT; ++detail) {
            const float mass = figure % 2 == 0 ? 30.0f * (float)figure : 0.0f;
            const uint64_t bones = builds_parts(&m, (vrm_ragdoll_detail)detail, mass);
            const bool has = (bones >> VRM_HUMAN_BONE_UPPER_CHEST & 1) != 0;
            with += has;
            without += !has;
        }
        release(&m);
    }
    CHECK(with > 0 && without >= VRM_RAGDOLL_DETAIL_COUNT);
}

// A blow that is too strong for a built joint's largest torque turns the joint as far as a constant torque lets it, in
// figures of different masses and heights: by speed^2 * inertia / (2 torque), less half a step's turn. Only the
// frequencies are set, to firm ones.
static void a_blow_above_the_largest_torque_makes_a_joint_give_way(void)
{
    for (uint32_t figure = 1; figure < 4; ++figure) {
        made m = make(figure);
        bench b = {.avatar = m.avatar, .def = {.struct_size = sizeof b.def}};
        build(&m, VRM_RAGDOLL_DETAIL_11, 0.0f, &b.def);
        choose_ends(&b, ends);
        for (int i = 0; i < ENDS; ++i) {
            vrm_ragdoll_joint_drive *drive = &b.def.bodies[b.bodies[i]].joint.drive;
            drive->frequency = 20.0f;
            drive->damping_ratio = 1.0f;
            b.speed[i] = sqrt(2.0 * 0.3 * (double)drive->max_torque / b.inertia[i]);
            // Knees bend to the other side.
            const bool knee = ends[i] == VRM_HUMAN_BONE_LEFT_LOWER_LEG || ends[i] == VRM_HUMAN_BONE_RIGHT_LOWER_LEG;
            b.axes[i] = vrmi_vec3_scale(b.axes[i], knee ? -1.0f : 1.0f);
        }
        swing(&b, NULL);
        for (int i = 0; i < ENDS; ++i) {
            const double is = farthest(&b, i), due = 0.3 - 0.5 * b.speed[i] / RATE;
            printf("figure %u, bone %d: %.1f N m, %.1f rad/s, %.3f rad, by the formula %.3f\n", figure, (int)ends[i],
                (double)b.def.bodies[b.bodies[i]].joint.drive.max_torque, b.speed[i], is, due);
            CHECK_NEAR(is, due, 0.05 * due);
        }
        release(&m);
    }
}

static const test_case cases[] = {
    {"each_joint_of_a_definition_has_its_own_frequency", each_joint_of_a_definition_has_its_own_frequency},
    {"each_joint_gets_its_own_frequency_at_run_time", each_joint_gets_its_own_frequency_at_run_time},
    {"each_joint_has_its_own_largest_torque", each_joint_has_its_own_largest_torque},
    {"the_builder_drives_each_part_of_the_body", the_builder_drives_each_part_of_the_body},
    {"a_blow_above_the_largest_torque_makes_a_joint_give_way", a_blow_above_the_largest_torque_makes_a_joint_give_way},
};

RUN_TESTS(cases)
