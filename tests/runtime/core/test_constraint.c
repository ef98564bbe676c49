// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Node constraints, compared with the specification's formulas in double precision. Also cases that the specification
// leaves undefined.

#include <vrm/output.h>

#include "model_fixture.h"
#include "pose_of.h"
#include "reference_math.h"
#include "runtime/core/instance.h"
#include "runtime/core/kernel_matrix.h"
#include "test.h"
#include "test_random.h"

static fixture fix;

static ref_quat random_rotation(test_random *random, double most)
{
    const ref_vec axis = ref_v((double)test_random_float(random, -1, 1), (double)test_random_float(random, -1, 1),
        (double)test_random_float(random, 0.1f, 1));
    return ref_axis_angle(axis, (double)test_random_float(random, (float)-most, (float)most));
}

static vrm_quat to_quat(ref_quat a)
{
    return (vrm_quat){(float)a.q[0], (float)a.q[1], (float)a.q[2], (float)a.q[3]};
}

static vrm_transform placed(test_random *random, ref_quat rotation)
{
    vrm_transform t = fixture_at(test_random_float(random, -1, 1), test_random_float(random, -1, 1), 0.5f);
    t.rotation = to_quat(rotation);
    return t;
}

typedef struct scene {
    vrm_avatar *avatar;
    vrm_instance *instance;
    int32_t root, source, destination;
    ref_quat root_turn, source_rest, destination_rest;
} scene;

// Makes a root with two children, the source and the destination. All three have rest rotations.
static void make_scene(scene *s, test_random *random, vrm_constraint_type type, vrm_vec3 axis, float weight)
{
    fixture_begin(&fix);
    s->root_turn = random_rotation(random, 3);
    s->source_rest = random_rotation(random, 3);
    s->destination_rest = random_rotation(random, 3);
    s->root = fixture_node_add(&fix, -1, "root", placed(random, s->root_turn));
    s->source = fixture_node_add(&fix, s->root, "source", placed(random, s->source_rest));
    s->destination = fixture_node_add(&fix, s->root, "destination", placed(random, s->destination_rest));
    fixture_constraint(&fix, type, s->destination, s->source, axis, weight);
    s->avatar = fixture_finish(&fix);
    s->instance = fixture_instance(s->avatar);
}

static void end_scene(scene *s)
{
    vrm_instance_destroy(s->instance);
    vrm_avatar_release(s->avatar);
}

static uint32_t at(int32_t added)
{
    return (uint32_t)fix.order[added];
}

static ref_quat result_of(const scene *s, ref_quat source)
{
    const vrm_quat rotation = to_quat(source);
    vrm_instance_set_rotation(s->instance, at(s->source), &rotation);
    vrm_update_dt(s->instance, 0.01f);
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(s->instance, &out);
    return ref_quat_of(pose_of(s->instance, at(s->destination)).rotation);
}

static void rotation(void)
{
    test_random random = test_random_make(1);
    for (int round = 0; round < 60; ++round) {
        scene s;
        const float weight = round % 3 == 0 ? 1.0f : test_random_float(&random, 0, 1);
        make_scene(&s, &random, VRM_CONSTRAINT_ROTATION, vrmi_vec3(0, 0, 0), weight);
        const ref_quat source = ref_mul(s.source_rest, random_rotation(&random, 2.5));
        const ref_quat target = ref_mul(s.destination_rest, ref_mul(ref_inverse(s.source_rest), source));
        const ref_quat expected = ref_slerp(s.destination_rest, target, (double)weight);
        CHECK(ref_angle(expected, result_of(&s, source)) < 3e-6);
        end_scene(&s);
    }
}

static void roll(void)
{
    test_random random = test_random_make(2);
    for (int round = 0; round < 60; ++round) {
        scene s;
        const float weight = round % 3 == 0 ? 1.0f : test_random_float(&random, 0, 1);
        const vrm_vec3 axis = {round % 3 == 0, round % 3 == 1, round % 3 == 2};
        make_scene(&s, &random, VRM_CONSTRAINT_ROLL, axis, weight);
        const ref_quat source = ref_mul(s.source_rest, random_rotation(&random, 2.0));
        const ref_quat delta = ref_mul(ref_inverse(s.source_rest), source);
        const ref_quat in_parent = ref_mul(s.source_rest, ref_mul(delta, ref_inverse(s.source_rest)));
        const ref_quat own = ref_mul(ref_inverse(s.destination_rest), ref_mul(in_parent, s.destination_rest));
        const ref_vec along = ref_vec_of(axis);
        const ref_quat swing = ref_from_to(along, ref_rotate(own, along));
        const ref_quat target = ref_mul(s.destination_rest, ref_mul(ref_inverse(swing), own));
        CHECK(ref_angle(ref_slerp(s.destination_rest, target, (double)weight), result_of(&s, source)) < 1e-5);
        end_scene(&s);
    }
}

static void aim(void)
{
    test_random random = test_random_make(4);
    const vrm_vec3 axes[] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    for (int round = 0; round < 60; ++round) {
        scene s;
        const float weight = round % 2 == 0 ? 1.0f : test_random_float(&random, 0, 1);
        make_scene(&s, &random, VRM_CONSTRAINT_AIM, axes[round % 6], weight);
        const vrm_root root = {{1e5, 0, 0}, to_quat(random_rotation(&random, 3)), 2.0f};
        vrm_instance_set_root(s.instance, &root);
        const ref_quat got = result_of(&s, s.source_rest);
        const ref_quat parent = ref_mul(ref_quat_of(root.rotation), s.root_turn);
        const ref_vec from = ref_rotate(ref_mul(parent, s.destination_rest), ref_vec_of(axes[round % 6]));
        const ref_vec way = ref_sub(
            ref_vec_of(fix.nodes[s.source].rest.translation), ref_vec_of(fix.nodes[s.destination].rest.translation));
        const ref_vec to = ref_unit(ref_rotate(parent, way));
        const ref_quat turn = ref_from_to(from, to);
        const ref_quat target = ref_mul(ref_inverse(parent), ref_mul(turn, ref_mul(parent, s.destination_rest)));
        CHECK(ref_angle(ref_slerp(s.destination_rest, target, (double)weight), got) < 2e-5);
        if (weight == 1.0f) { // the axis points at the source
            const ref_vec points = ref_rotate(ref_mul(parent, got), ref_vec_of(axes[round % 6]));
            CHECK(ref_length(ref_sub(points, to)) < 2e-5);
        }
        end_scene(&s);
    }
}

// A constraint sets an absolute rotation: the node's input has no effect, even at weight 0.
static void input_of_the_node_is_lost(void)
{
    test_random random = test_random_make(6);
    scene s;
    make_scene(&s, &random, VRM_CONSTRAINT_ROTATION, vrmi_vec3(0, 0, 0), 0.0f);
    const vrm_quat own = to_quat(random_rotation(&random, 2));
    vrm_instance_set_rotation(s.instance, at(s.destination), &own);
    const ref_quat got = result_of(&s, random_rotation(&random, 2));
    CHECK(ref_angle(got, s.destination_rest) < 2e-6);
    end_scene(&s);
}

static void aim_without_a_direction(void)
{
    fixture_begin(&fix);
    const int32_t root = fixture_node_add(&fix, -1, "root", fixture_at(0, 0, 0));
    const int32_t source = fixture_node_add(&fix, root, "source", fixture_at(1, 2, 3));
    const vrm_transform rest = fixture_turned(1, 2, 3, vrmi_vec3(0, 1, 0), 0.5f);
    const int32_t destination = fixture_node_add(&fix, root, "destination", rest);
    fixture_constraint(&fix, VRM_CONSTRAINT_AIM, destination, source, vrmi_vec3(0, 0, 1), 1.0f);
    vrm_avatar *avatar = fixture_finish(&fix);
    vrm_instance *instance = fixture_instance(avatar);
    vrm_update_dt(instance, 0.01f);
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(instance, &out);
    CHECK(ref_angle(ref_quat_of(pose_of(instance, at(destination)).rotation), ref_quat_of(rest.rotation)) < 1e-6);
    CHECK_INT(vrm_instance_get_status(instance), VRM_STATUS_DEGENERATE);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// The source is straight behind the axis. The constraint rotates by half a turn, and the axis then points at the
// source.
static void aim_backwards(void)
{
    const vrm_vec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -1}};
    for (size_t i = 0; i < 4; ++i) {
        fixture_begin(&fix);
        const int32_t root = fixture_node_add(&fix, -1, "root", fixture_at(0, 0, 0));
        const int32_t source = fixture_node_add(&fix, root, "source", fixture_at(-axes[i].x, -axes[i].y, -axes[i].z));
        const int32_t destination = fixture_node_add(&fix, root, "destination", fixture_at(0, 0, 0));
        fixture_constraint(&fix, VRM_CONSTRAINT_AIM, destination, source, axes[i], 1.0f);
        vrm_avatar *avatar = fixture_finish(&fix);
        vrm_instance *instance = fixture_instance(avatar);
        vrm_update_dt(instance, 0.01f);
        vrm_outputs out = {.struct_size = sizeof out};
        vrm_instance_get_outputs(instance, &out);
        const ref_quat got = ref_quat_of(pose_of(instance, at(destination)).rotation);
        CHECK(ref_length(ref_add(ref_rotate(got, ref_vec_of(axes[i])), ref_vec_of(axes[i]))) < 1e-5);
        CHECK_INT(vrm_instance_get_status(instance), 0);
        vrm_instance_destroy(instance);
        vrm_avatar_release(avatar);
    }
}

// The source of the roll has rotated the axis by half a turn.
static void roll_over(void)
{
    fixture_begin(&fix);
    const int32_t root = fixture_node_add(&fix, -1, "root", fixture_at(0, 0, 0));
    const int32_t source = fixture_node_add(&fix, root, "source", fixture_at(0, 0, 0));
    const int32_t destination = fixture_node_add(&fix, root, "destination", fixture_at(0, 0, 0));
    fixture_constraint(&fix, VRM_CONSTRAINT_ROLL, destination, source, vrmi_vec3(0, 1, 0), 1.0f);
    vrm_avatar *avatar = fixture_finish(&fix);
    vrm_instance *instance = fixture_instance(avatar);
    const vrm_quat over = {1, 0, 0, 0};
    vrm_instance_set_rotation(instance, at(source), &over);
    vrm_update_dt(instance, 0.01f);
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(instance, &out);
    const ref_quat got = ref_quat_of(pose_of(instance, at(destination)).rotation);
    const ref_vec kept = ref_rotate(got, ref_v(0, 1, 0)); // whatever the roll is, the axis does not swing
    CHECK(ref_length(ref_sub(kept, ref_v(0, 1, 0))) < 1e-6);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

// A constraint's result moves the source of the next constraint, even if that source is a child.
static void one_after_the_other(void)
{
    fixture_begin(&fix);
    const int32_t root = fixture_node_add(&fix, -1, "root", fixture_at(0, 0, 0));
    const int32_t source = fixture_node_add(&fix, root, "source", fixture_at(0, 0, 0));
    const int32_t arm = fixture_node_add(&fix, root, "arm", fixture_at(0, 0, 0));
    const int32_t tip = fixture_node_add(&fix, arm, "tip", fixture_at(1, 0, 0));
    const int32_t watcher = fixture_node_add(&fix, root, "watcher", fixture_at(0, 0, 1));
    fixture_constraint(&fix, VRM_CONSTRAINT_ROTATION, arm, source, vrmi_vec3(0, 0, 0), 1.0f);
    fixture_constraint(&fix, VRM_CONSTRAINT_AIM, watcher, tip, vrmi_vec3(1, 0, 0), 1.0f);
    vrm_avatar *avatar = fixture_finish(&fix);
    vrm_instance *instance = fixture_instance(avatar);
    const vrm_quat quarter = vrmi_quat_from_axis_angle(vrmi_vec3(0, 0, 1), 1.57079633f);
    vrm_instance_set_rotation(instance, at(source), &quarter);
    vrm_update_dt(instance, 0.01f);
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(instance, &out);
    CHECK_NEAR(out.world[at(tip)].m[1][3], 1.0, 1e-6); // rotated by the first constraint
    const ref_vec points = ref_rotate(ref_quat_of(pose_of(instance, at(watcher)).rotation), ref_v(1, 0, 0));
    const ref_vec to = ref_unit(ref_v(0, 1, -1));
    CHECK(ref_length(ref_sub(points, to)) < 2e-6);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
}

enum { CROWD_NODES = 40, CROWD_CONSTRAINTS = 24 };

// Creates an instance with constraints of all types and random dependencies. With `apart`, an unused node after each
// constraint has a position constraint, which only drafts of VRM have, so that no two constraints are computed in one
// batch.
static vrm_instance *crowd(uint64_t seed, bool apart)
{
    test_random random = test_random_make(seed);
    fixture_begin(&fix);
    int32_t nodes[CROWD_NODES];
    for (int i = 0; i < CROWD_NODES; ++i) {
        const int32_t parent = i == 0 ? -1 : nodes[test_random_below(&random, (uint32_t)i)];
        nodes[i] = fixture_node_add(&fix, parent, "node", placed(&random, random_rotation(&random, 3)));
    }
    const int32_t dummy = fixture_node_add(&fix, nodes[0], "dummy", fixture_at(0, 0, 0));
    for (int i = 0; i < CROWD_CONSTRAINTS; ++i) {
        const int32_t node = nodes[1 + (i * 7) % (CROWD_NODES - 1)];
        int32_t source = node;
        while (source == node) {
            source = nodes[test_random_below(&random, CROWD_NODES)];
        }
        const vrm_constraint_type type = (vrm_constraint_type)(test_random_below(&random, 3));
        const uint32_t kind = test_random_below(&random, 3);
        const float weight = kind == 0 ? 1.0f : (kind == 1 ? 0.5f : test_random_float(&random, 0, 1));
        fixture_constraint(&fix, type, node, source, vrmi_vec3(0, 1, 0), weight);
        if (apart) {
            fixture_constraint(&fix, VRM_CONSTRAINT_POSITION, dummy, nodes[0], vrmi_vec3(0, 0, 0), 0.0f);
        }
    }
    vrm_avatar *avatar = fixture_finish(&fix);
    vrm_instance *instance = fixture_instance(avatar);
    for (int i = 0; i < CROWD_NODES; ++i) {
        const vrm_quat turned = to_quat(random_rotation(&random, 3));
        vrm_instance_set_rotation(instance, at(nodes[i]), &turned);
    }
    vrm_avatar_release(avatar);
    return instance;
}

static void side_by_side_as_one_by_one(void)
{
    for (uint64_t seed = 1; seed <= 100; ++seed) {
        vrm_instance *const both[2] = {crowd(seed, false), crowd(seed, true)};
        vrm_outputs out[2] = {{.struct_size = sizeof out[0]}, {.struct_size = sizeof out[1]}};
        for (int i = 0; i < 2; ++i) {
            vrm_update_dt(both[i], 0.01f);
            out[i].struct_size = sizeof out[i];
            vrm_instance_get_outputs(both[i], &out[i]);
        }
        vrm_transform *locals[2] = {poses_of(both[0]), poses_of(both[1])};
        CHECK(memcmp(locals[0], locals[1], (CROWD_NODES + 1) * sizeof(*locals[0])) == 0);
        free(locals[0]);
        free(locals[1]);
        CHECK(memcmp(out[0].world, out[1].world, (CROWD_NODES + 1) * sizeof(*out[0].world)) == 0);
        vrm_instance_destroy(both[0]);
        vrm_instance_destroy(both[1]);
    }
}

// Computes one constraint by the specification's formulas, with quat.h.
static vrm_quat turned(const vrm_instance *instance, const vrmi_constraint_row *constraint)
{
    const vrm_transform *rests = vrmi_model_node_rest(instance->model);
    const vrm_quat rest = rests[constraint->node].rotation, source_rest = rests[constraint->source].rotation;
    const vrm_quat delta =
        vrmi_quat_mul(vrmi_quat_conjugate(source_rest), vrmi_local(instance, constraint->source)->rotation);
    vrm_quat target = vrmi_quat_mul(rest, delta);
    if (constraint->type == VRM_CONSTRAINT_ROLL) {
        const vrm_quat in_parent = vrmi_quat_mul(vrmi_quat_mul(source_rest, delta), vrmi_quat_conjugate(source_rest));
        const vrm_quat turn = vrmi_quat_mul(vrmi_quat_mul(vrmi_quat_conjugate(rest), in_parent), rest);
        const vrm_vec3 to = vrmi_vec3_normalize_or(vrmi_quat_rotate(turn, constraint->axis), constraint->axis);
        const vrm_quat swing = vrmi_quat_from_to(constraint->axis, to);
        target = vrmi_quat_mul(rest, vrmi_quat_mul(vrmi_quat_conjugate(swing), turn));
    } else if (constraint->type == VRM_CONSTRAINT_AIM) {
        const vrm_quat parent = instance->world_rotation[vrmi_model_node_parent(instance->model)[constraint->node]];
        const vrm_vec3 way = vrmi_vec3_sub(vrmi_mat34_translation(&instance->world[constraint->source]),
            vrmi_mat34_translation(&instance->world[constraint->node]));
        const vrm_vec3 from = vrmi_vec3_normalize_or(
            vrmi_quat_rotate(parent, vrmi_quat_rotate(rest, constraint->axis)), constraint->axis);
        const vrm_quat turn = vrmi_quat_from_to(from, vrmi_vec3_normalize_or(way, from));
        const vrm_quat aimed =
            vrmi_quat_mul(vrmi_quat_mul(vrmi_quat_mul(vrmi_quat_conjugate(parent), turn), parent), rest);
        target = vrmi_vec3_dot(way, way) > 0.0f ? aimed : rest;
    }
    target = vrmi_quat_normalize(target);
    return constraint->weight < 1.0f ? vrmi_quat_slerp(rest, target, constraint->weight) : target;
}

enum { PAIRS = 21 }; // the last batch is not full

// Creates an instance whose sources are rotated much, slightly, not at all, or by half a turn; some are at the position
// of the constrained node.
static vrm_instance *pairs(test_random *random)
{
    fixture_begin(&fix);
    int32_t sources[PAIRS];
    vrm_quat turns[PAIRS];
    const int32_t root = fixture_node_add(&fix, -1, "root", placed(random, random_rotation(random, 3)));
    for (int i = 0; i < PAIRS; ++i) {
        const float kind = test_random_float(random, 0, 1);
        const double size = kind < 0.2f ? 1e-5 : (kind < 0.4f ? 2e-3 : 3.1);
        vrm_transform node = placed(random, random_rotation(random, kind < 0.6f ? 3 : 0));
        vrm_transform source = placed(random, random_rotation(random, kind < 0.6f ? 3 : 0));
        source.translation = kind > 0.9f ? node.translation : source.translation;
        const vrm_quat turn = kind > 0.8f ? (vrm_quat){1, 0, 0, 0} : to_quat(random_rotation(random, size));
        turns[i] = vrmi_quat_mul(source.rotation, turn);
        sources[i] = fixture_node_add(&fix, root, "source", source);
        const uint32_t ends = test_random_below(random, 4);
        const float weight = ends == 0 ? 1.0f : (ends == 1 ? 0.0f : test_random_float(random, 0, 1));
        fixture_constraint(&fix, (vrm_constraint_type)test_random_below(random, 3),
            fixture_node_add(&fix, root, "node", node), sources[i], vrmi_vec3(0, 1, 0), weight);
    }
    vrm_avatar *avatar = fixture_finish(&fix);
    vrm_instance *instance = fixture_instance(avatar);
    for (int i = 0; i < PAIRS; ++i) {
        vrm_instance_set_rotation(instance, at(sources[i]), &turns[i]);
    }
    vrm_avatar_release(avatar);
    return instance;
}

static void every_path_as_one_by_one(void)
{
    test_random random = test_random_make(8);
    for (int n = 0; n < 300; ++n) {
        vrm_instance *instance = pairs(&random);
        const vrmi_constraint_row *constraints = vrmi_model_constraint(instance->model);
        for (uint32_t path = 0; path <= vrmi_lanes_best_path(); ++path) {
            instance->lanes = path;
            vrm_update_dt(instance, 0.01f);
            for (int i = 0; i < PAIRS; ++i) {
                const vrm_quat expected = turned(instance, &constraints[i]);
                const vrm_quat got = vrmi_local(instance, constraints[i].node)->rotation;
                CHECK(memcmp(&got, &expected, sizeof got) == 0);
            }
        }
        vrm_instance_destroy(instance);
    }
}

static const test_case cases[] = {{"rotation", rotation}, {"roll", roll}, {"aim", aim},
    {"input_of_the_node_is_lost", input_of_the_node_is_lost}, {"aim_without_a_direction", aim_without_a_direction},
    {"aim_backwards", aim_backwards}, {"roll_over", roll_over}, {"one_after_the_other", one_after_the_other},
    {"side_by_side_as_one_by_one", side_by_side_as_one_by_one}, {"every_path_as_one_by_one", every_path_as_one_by_one}};

RUN_TESTS(cases)
