// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Each joint has a frequency, a damping ratio and a largest torque of its own: in the definition, at run time, and by
// the builder for each part of the body. The motion of a joint that is hit is compared with the formula of a damped
// oscillator, or of a body that a constant torque brakes.

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
    double inertia[ENDS]; // about the joint, kg m^2
    double speed[ENDS];   // after the hit, rad/s
    double angles[ENDS][FRAMES];
} bench;

static bench bench_of(void)
{
    bench b = {.avatar = look_avatar(LOOK_RIG_PLAIN, VRM_LOOK_AT_BONE)};
    ragdoll_fixture_def(b.avatar, &b.def);
    for (uint32_t i = 0; i < b.def.body_count; ++i) {
        b.def.bodies[i].group = VRM_RAGDOLL_GROUP_TORSO;
    }
    for (int i = 0; i < ENDS; ++i) {
        b.bodies[i] = (uint32_t)ragdoll_body_of(&b.def, ends[i]);
        vrm_ragdoll_body *body = &b.def.bodies[b.bodies[i]];
        body->group = VRM_RAGDOLL_GROUP_HEAD;
        const double arm = (double)vrmi_vec3_length(body->center_of_mass);
        b.inertia[i] = (double)body->inertia.x + (double)body->mass * arm * arm; // X is across the stick
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
    solver.gravity = vrmi_vec3(0.0f, 0.0f, 0.0f);
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
        // Along Z, which is across every stick.
        const vrm_ragdoll_state *state = &scene.states[b->bodies[i]];
        const vrm_vec3 arm = vrmi_vec3_scale(b->def.bodies[b->bodies[i]].center_of_mass, 2.0f);
        const vrm_dvec3 point = vrmi_dvec3_add(
            scene.origin, vrmi_dvec3_from(vrmi_vec3_add(state->position, vrmi_quat_rotate(state->rotation, arm))));
        const vrm_vec3 impulse = {0.0f, 0.0f, (float)(b->speed[i] * b->inertia[i]) / vrmi_vec3_length(arm)};
        CHECK_INT(vrm_ragdoll_solver_apply_impulse(scene.solver, b->bodies[i], &point, &impulse), VRM_SUCCESS);
    }
    for (int frame = 0; frame < FRAMES; ++frame) {
        scene_ragdoll_frame(&scene, &params);
        for (int i = 0; i < ENDS; ++i) {
            const vrm_ragdoll_body *body = &b->def.bodies[b->bodies[i]];
            const vrm_quat parent = scene.states[body->parent].rotation, child = scene.states[b->bodies[i]].rotation;
            const vrm_vec3 turn = vrmi_quat_to_vector(vrmi_quat_mul(vrmi_quat_conjugate(parent), child));
            // The sign is that of the rotation by the hit.
            const vrm_vec3 axis = vrmi_vec3_cross(body->center_of_mass, vrmi_vec3(0.0f, 0.0f, 1.0f));
            b->angles[i][frame] = (double)(vrmi_vec3_dot(turn, axis) / vrmi_vec3_length(axis));
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
    bench b = bench_of();
    for (int i = 0; i < ENDS; ++i) {
        b.def.bodies[b.bodies[i]].joint.drive = own[i];
    }
    swing(&b, NULL);
    follows_its_own(&b, "definition");
    vrm_avatar_release(b.avatar);
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

// A firm spring with a small torque brakes evenly: a joint that begins with `speed` comes to rest after speed^2 * inertia
// / (2 torque).
static void each_joint_has_its_own_largest_torque(void)
{
    for (int late = 0; late < 2; ++late) {
        bench b = bench_of();
        vrm_ragdoll_joint_drive weak[ENDS];
        for (int i = 0; i < ENDS; ++i) {
            const double way = 0.06 * (i + 1);
            b.speed[i] = 3.0;
            weak[i] = (vrm_ragdoll_joint_drive){12.0f, 1.0f, (float)(4.5 * b.inertia[i] / way)};
            weak[i].max_torque = i == ENDS - 1 ? 0.0f : weak[i].max_torque; // the last one is strong
            b.def.bodies[b.bodies[i]].joint.drive = late != 0 ? own[i] : weak[i];
        }
        swing(&b, late != 0 ? weak : NULL);
        for (int i = 0; i < ENDS; ++i) {
            double largest = 0.0;
            for (int frame = 0; frame < FRAMES; ++frame) {
                largest = fmax(largest, b.angles[i][frame]);
            }
            const double due = i < ENDS - 1 ? 0.06 * (i + 1) : 3.0 / (2.0 * pi * 12.0 * exp(1.0));
            printf(
                "largest torque %.1f N m: %.3f rad, by the formula %.3f\n", (double)weak[i].max_torque, largest, due);
            CHECK_NEAR(largest, due, 0.1 * due);
        }
        vrm_avatar_release(b.avatar);
    }
}

// --- the builder -----------------------------------------------------------------------------------------------------

// Returns the drive that docs/active-ragdoll.md gives for the part of a bone.
static vrm_ragdoll_joint_drive drive_of_part(const vrm_ragdoll_body *body)
{
    static const vrm_ragdoll_joint_drive pin = {1.4f, 1.0f, 0.0f}, trunk = {2.0f, 0.35f, 0.0f},
                                         head = {2.6f, 0.45f, 0.0f}, arm = {1.0f, 0.2f, 0.0f},
                                         hand = {2.0f, 0.3f, 0.0f}, leg = {2.4f, 1.0f, 0.0f};
    const vrm_human_bone bone = body->bone;
    if (bone == VRM_HUMAN_BONE_HIPS) {
        return pin;
    }
    if (bone == VRM_HUMAN_BONE_NECK || bone == VRM_HUMAN_BONE_HEAD) {
        return head;
    }
    if (bone == VRM_HUMAN_BONE_LEFT_UPPER_ARM || bone == VRM_HUMAN_BONE_LEFT_LOWER_ARM ||
        bone == VRM_HUMAN_BONE_RIGHT_UPPER_ARM || bone == VRM_HUMAN_BONE_RIGHT_LOWER_ARM) {
        return arm;
    }
    if (bone >= VRM_HUMAN_BONE_LEFT_UPPER_LEG && bone <= VRM_HUMAN_BONE_RIGHT_TOES) {
        return leg;
    }
    if (bone == VRM_HUMAN_BONE_SPINE || bone == VRM_HUMAN_BONE_CHEST || bone == VRM_HUMAN_BONE_UPPER_CHEST ||
        bone == VRM_HUMAN_BONE_LEFT_SHOULDER || bone == VRM_HUMAN_BONE_RIGHT_SHOULDER) {
        return trunk;
    }
    return hand; // and fingers
}

// The drives of a built definition are those of the parts of the body, at every detail. Returns the bones with a body,
// a bit each.
static uint64_t builds_parts(uint32_t figure, vrm_ragdoll_detail detail)
{
    vrm_bytes bytes = {0};
    CHECK_INT(scene_figure_create(figure, &bytes), VRM_SUCCESS);
    vrm_gltf *gltf = NULL;
    vrm_avatar *avatar = NULL;
    CHECK_INT(vrm_gltf_load(NULL, bytes.data, bytes.size, NULL, &gltf), VRM_SUCCESS);
    CHECK_INT(vrm_avatar_import(NULL, gltf, NULL, &avatar), VRM_SUCCESS);
    vrm_ragdoll_build_params params;
    vrm_ragdoll_build_params_default(&params);
    params.detail = detail;
    vrm_ragdoll_def def;
    vrm_ragdoll_def_default(&def);
    CHECK_INT(vrm_ragdoll_def_build(avatar, gltf, &params, NULL, &def), VRM_SUCCESS);
    uint64_t bones = 0;
    for (uint32_t i = 0; i < def.body_count; ++i) {
        const vrm_ragdoll_joint_drive is = def.bodies[i].joint.drive, due = drive_of_part(&def.bodies[i]);
        CHECK_NEAR(is.frequency, due.frequency, 0);
        CHECK_NEAR(is.damping_ratio, due.damping_ratio, 0);
        CHECK_NEAR(is.max_torque, due.max_torque, 0);
        bones |= (uint64_t)1 << def.bodies[i].bone;
    }
    vrm_avatar_release(avatar);
    vrm_gltf_destroy(gltf);
    vrm_bytes_free(&bytes);
    return bones;
}

static void the_builder_drives_each_part_of_the_body(void)
{
    int with = 0, without = 0;
    for (uint32_t figure = 1; figure < 6; ++figure) {
        for (int detail = 0; detail < VRM_RAGDOLL_DETAIL_COUNT; ++detail) {
            const uint64_t bones = builds_parts(figure, (vrm_ragdoll_detail)detail);
            const bool has = (bones >> VRM_HUMAN_BONE_UPPER_CHEST & 1) != 0;
            with += has;
            without += !has;
        }
    }
    CHECK(with > 0 && without >= VRM_RAGDOLL_DETAIL_COUNT);
}

static const test_case cases[] = {
    {"each_joint_of_a_definition_has_its_own_frequency", each_joint_of_a_definition_has_its_own_frequency},
    {"each_joint_gets_its_own_frequency_at_run_time", each_joint_gets_its_own_frequency_at_run_time},
    {"each_joint_has_its_own_largest_torque", each_joint_has_its_own_largest_torque},
    {"the_builder_drives_each_part_of_the_body", the_builder_drives_each_part_of_the_body},
};

RUN_TESTS(cases)
