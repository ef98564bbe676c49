// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Converts constraints of drafts. If 1.0 cannot express a constraint, each kind of constraint in 1.0 is compared with
// it for a number of poses of the source. The nearest kind is written and its error is reported. 1.0 has no counterpart
// for position constraints.

#include <string.h>

#include "base/checks.h"
#include "export/migrate.h"
#include "math/mat34.h"
#include "math/quat.h"

#define DEGREES_PER_RADIAN 57.2957795f
#define EXACT 2e-3f               // radians: largest error due to rounding and interpolation
#define LARGEST_TURN 0.785398163f // radians: compared poses are rotated by up to 45 degrees

enum { TURNS = 3, ROLLS = 3, AIMS = 6 };

static const char *const roll_axes[ROLLS] = {"X", "Y", "Z"};
static const char *const aim_axes[AIMS] = {
    "PositiveX", "NegativeX", "PositiveY", "NegativeY", "PositiveZ", "NegativeZ"};

// The rest poses of a constraint's node and source, in the loaded file's model space.
typedef struct rest_pose {
    vrm_quat node, node_parent; // node: local rotation; node_parent: in model space
    vrm_quat source, source_parent;
    vrm_vec3 node_place, source_place; // in model space
    vrm_transform source_local, node_local;
} rest_pose;

static vrm_quat rotation_in_model(const vrmi_model *model, int32_t node)
{
    return node < 0 ? vrmi_quat_identity()
                    : vrmi_quat_mul(
                          vrmi_quat_conjugate(model->head.root_from_nodes), vrmi_model_node_rest_rotation(model)[node]);
}

static rest_pose rest_of(const vrmi_model *model, const vrmi_constraint_row *c)
{
    const vrm_transform *rest = vrmi_model_node_rest(model);
    const vrm_mat34 *matrices = vrmi_model_node_rest_matrix(model);
    const int32_t *parents = vrmi_model_node_parent(model);
    return (rest_pose){
        .node = rest[c->node].rotation,
        .node_parent = rotation_in_model(model, parents[c->node]),
        .source = rest[c->source].rotation,
        .source_parent = rotation_in_model(model, parents[c->source]),
        .node_place = vrmi_mat34_translation(&matrices[c->node]),
        .source_place = vrmi_mat34_translation(&matrices[c->source]),
        .node_local = rest[c->node],
        .source_local = rest[c->source],
    };
}

static float angle_between(vrm_quat a, vrm_quat b)
{
    const vrm_quat d = vrmi_quat_mul(vrmi_quat_conjugate(a), b);
    return 2.0f * vrmi_atan2(vrmi_sqrt(d.x * d.x + d.y * d.y + d.z * d.z), vrmi_abs(d.w));
}

static vrm_vec3 unit(uint32_t axis, float sign)
{
    return (vrm_vec3){axis == 0 ? sign : 0.0f, axis == 1 ? sign : 0.0f, axis == 2 ? sign : 0.0f};
}

static vrm_quat between(vrm_quat rest, vrm_quat target, float weight)
{
    return vrmi_quat_slerp(rest, vrmi_quat_normalize(target), weight);
}

// --- rotations -------------------------------------------------------------------------------------------------------

// Computes a draft's rotation constraint (runtime/core/constraint_draft.c) if the source is rotated by `turn` from its
// rest pose.
static vrm_quat draft_rotation(const vrmi_constraint_row *c, const rest_pose *rest, vrm_quat turn)
{
    vrm_quat turned = turn;
    if (c->source_space == VRM_CONSTRAINT_SPACE_MODEL) {
        const vrm_quat frame = vrmi_quat_mul(rest->source_parent, rest->source);
        turned = vrmi_quat_mul(vrmi_quat_mul(frame, turn), vrmi_quat_conjugate(frame));
    }
    const float sign = turned.w < 0.0f ? -1.0f : 1.0f;
    const vrm_vec3 v = {turned.x * sign, turned.y * sign, turned.z * sign};
    const float size = vrmi_vec3_length(v), angle = 2.0f * vrmi_atan2(size, turned.w * sign);
    const float factor = size > 1e-12f ? angle / size : 2.0f;
    const vrm_vec3 masked = {
        c->axes[0] ? v.x * factor : 0.0f, c->axes[1] ? v.y * factor : 0.0f, c->axes[2] ? v.z * factor : 0.0f};
    const vrm_vec3 x = {1.0f, 0.0f, 0.0f};
    turned = vrmi_quat_from_axis_angle(vrmi_vec3_normalize_or(masked, x), vrmi_vec3_length(masked));
    if (c->destination_space == VRM_CONSTRAINT_SPACE_MODEL) {
        const vrm_quat in_parent =
            vrmi_quat_mul(vrmi_quat_mul(vrmi_quat_conjugate(rest->node_parent), turned), rest->node_parent);
        return between(rest->node, vrmi_quat_mul(in_parent, rest->node), c->weight);
    }
    return between(rest->node, vrmi_quat_mul(rest->node, turned), c->weight);
}

// Computes a rotation constraint of VRMC_node_constraint-1.0 (`roll` -1), or a roll about one axis.
static vrm_quat final_rotation(const rest_pose *rest, vrm_quat turn, int roll, float weight)
{
    if (roll < 0) {
        return between(rest->node, vrmi_quat_mul(rest->node, turn), weight);
    }
    const vrm_quat in_parent = vrmi_quat_mul(vrmi_quat_mul(rest->source, turn), vrmi_quat_conjugate(rest->source));
    const vrm_quat in_node = vrmi_quat_mul(vrmi_quat_mul(vrmi_quat_conjugate(rest->node), in_parent), rest->node);
    const vrm_vec3 axis = unit((uint32_t)roll, 1.0f);
    const vrm_quat swing = vrmi_quat_from_to(axis, vrmi_quat_rotate(in_node, axis));
    return between(rest->node, vrmi_quat_mul(rest->node, vrmi_quat_mul(vrmi_quat_conjugate(swing), in_node)), weight);
}

// Returns a test rotation. The axes are the 26 directions to a cube's corners, edges and faces.
static vrm_quat pose(int direction, int step)
{
    const int at = direction < 13 ? direction : direction + 1; // skips the cube's centre
    const vrm_vec3 v = {(float)(at % 3 - 1), (float)(at / 3 % 3 - 1), (float)(at / 9 - 1)};
    const vrm_vec3 x = {1.0f, 0.0f, 0.0f};
    return vrmi_quat_from_axis_angle(vrmi_vec3_normalize_or(v, x), LARGEST_TURN * (float)(step + 1) / (float)TURNS);
}

// Finds the kind that is nearest to the draft's constraint. -1: rotation; 0 to 2: roll about the x, y or z axis.
static int fit_rotation(const vrmi_constraint_row *c, const rest_pose *rest, float *out_error)
{
    int best = -1;
    *out_error = 1e9f;
    for (int roll = -1; roll < ROLLS; ++roll) {
        float worst = 0.0f;
        for (int i = 0; i < 26 * TURNS; ++i) {
            const vrm_quat turn = pose(i / TURNS, i % TURNS);
            worst = vrmi_max(
                worst, angle_between(draft_rotation(c, rest, turn), final_rotation(rest, turn, roll, c->weight)));
        }
        if (worst < *out_error) {
            *out_error = worst;
            best = roll;
        }
    }
    return best;
}

// --- aims ------------------------------------------------------------------------------------------------------------

// Computes a draft's aim constraint. `moved` is the source's offset from its rest position in model space.
static vrm_quat draft_aim(const vrmi_constraint_row *c, const rest_pose *rest, vrm_vec3 moved)
{
    const vrm_vec3 nowhere = {0.0f, 0.0f, 0.0f};
    const vrm_vec3 local = vrmi_quat_rotate(vrmi_quat_conjugate(rest->source_parent), moved);
    const bool from_model = c->source_space == VRM_CONSTRAINT_SPACE_MODEL;
    const bool in_model = c->destination_space == VRM_CONSTRAINT_SPACE_MODEL;
    const vrm_vec3 target =
        from_model ? vrmi_vec3_add(rest->source_place, moved) : vrmi_vec3_add(rest->source_local.translation, local);
    const vrm_vec3 here = in_model ? rest->node_place : rest->node_local.translation;
    const vrm_vec3 way = vrmi_vec3_normalize_or(vrmi_vec3_sub(target, here), nowhere);
    const vrm_quat frame = in_model ? vrmi_quat_mul(rest->node_parent, rest->node) : rest->node;
    const vrm_vec3 seen = vrmi_quat_rotate(vrmi_quat_conjugate(frame), way);
    const vrm_vec3 right = vrmi_vec3_cross(c->up, c->axis);
    const float x = vrmi_vec3_dot(seen, right), y = vrmi_vec3_dot(seen, c->up), z = vrmi_vec3_dot(seen, c->axis);
    const float yaw = c->axes[0] ? vrmi_atan2(x, z) : 0.0f;
    const float pitch = c->axes[1] ? vrmi_atan2(-y, vrmi_sqrt(x * x + z * z)) : 0.0f;
    const vrm_quat turn = vrmi_quat_mul(vrmi_quat_from_axis_angle(c->up, yaw), vrmi_quat_from_axis_angle(right, pitch));
    return between(rest->node, vrmi_quat_mul(rest->node, turn), c->weight);
}

static vrm_quat final_aim(const rest_pose *rest, vrm_vec3 moved, vrm_vec3 axis, float weight)
{
    const vrm_quat world = vrmi_quat_mul(rest->node_parent, rest->node);
    const vrm_vec3 from = vrmi_quat_rotate(world, axis);
    const vrm_vec3 to =
        vrmi_vec3_normalize_or(vrmi_vec3_sub(vrmi_vec3_add(rest->source_place, moved), rest->node_place), from);
    const vrm_quat turn = vrmi_quat_from_to(from, to);
    const vrm_quat target = vrmi_quat_mul(vrmi_quat_conjugate(rest->node_parent), vrmi_quat_mul(turn, world));
    return between(rest->node, target, weight);
}

// Finds the axis in aim_axes that is nearest to the draft's constraint.
static int fit_aim(const vrmi_constraint_row *c, const rest_pose *rest, float *out_error)
{
    int best = 0;
    *out_error = 1e9f;
    const vrm_vec3 way = vrmi_vec3_sub(rest->source_place, rest->node_place);
    for (int axis = 0; axis < AIMS; ++axis) {
        float worst = 0.0f;
        for (int i = 0; i < 26 * TURNS; ++i) {
            const vrm_vec3 moved = vrmi_vec3_sub(vrmi_quat_rotate(pose(i / TURNS, i % TURNS), way), way);
            const vrm_quat found =
                final_aim(rest, moved, unit((uint32_t)axis / 2, axis % 2 == 0 ? 1.0f : -1.0f), c->weight);
            worst = vrmi_max(worst, angle_between(draft_aim(c, rest, moved), found));
        }
        if (worst < *out_error) {
            *out_error = worst;
            best = axis;
        }
    }
    return best;
}

// --- the whole pass --------------------------------------------------------------------------------------------------

static void write_constraint(vrmi_migration *m, const vrmi_constraint_row *c)
{
    const uint32_t node = vrmi_migrate_node(m, c->node), json = m->gltf->nodes[node].json;
    const rest_pose rest = rest_of(m->model, c);
    float error = 0.0f;
    char kind[48];
    if (c->type == VRM_CONSTRAINT_ROTATION_AXES) {
        const int roll = fit_rotation(c, &rest, &error);
        if (roll >= 0) {
            vrmi_format(kind, sizeof kind, "\"roll\":{\"rollAxis\":\"%s\",", roll_axes[roll]);
        } else {
            vrmi_format(kind, sizeof kind, "\"rotation\":{");
        }
    } else {
        vrmi_format(kind, sizeof kind, "\"aim\":{\"aimAxis\":\"%s\",", aim_axes[fit_aim(c, &rest, &error)]);
    }
    if (error > EXACT) {
        char found[64];
        vrmi_text text = {.data = found, .capacity = sizeof found};
        vrmi_text_add_string(&text, "off by up to ");
        vrmi_text_add_digits(&text, (double)(error * DEGREES_PER_RADIAN), 3);
        vrmi_text_add_string(&text, " degrees for rotations up to 45 degrees");
        vrmi_migrate_report(m, VRM_FINDING_MIGRATE_CONSTRAINT, json, "extensions", found, NULL);
    }
    vrmi_text text;
    vrmi_text_init(&text, &m->out.allocator);
    vrmi_text_format(&text, "{\"specVersion\":\"1.0\",\"constraint\":{%s\"source\":%u,\"weight\":", kind,
        vrmi_migrate_node(m, c->source));
    vrmi_text_add_float(&text, c->weight);
    vrmi_text_add_string(&text, "}}}");
    vrmi_write_text(&m->out, &text, "/nodes/%u/extensions/VRMC_node_constraint", node);
    vrmi_migrate_use(m, VRMI_USES_NODE_CONSTRAINT);
}

// Removes the constraint extensions of drafts, and sets the version of VRMC_node_constraint. A file read as 0.x loses
// all constraints. If it also contains VRM 1.0, that version's constraints would otherwise become active.
static void write_extensions(vrmi_migration *m)
{
    static const char *const old[] = {"VRMC_constraints", "VRMC_constraints-1.0"};
    for (uint32_t i = 0; i < m->gltf->counts[VRM_GLTF_NODES]; ++i) {
        const uint32_t json = m->gltf->nodes[i].json;
        const bool final = vrmi_gltf_extension(m->gltf, json, "VRMC_node_constraint") != VRMI_JSON_NONE;
        for (size_t k = 0; k < VRMI_COUNT_OF(old); ++k) {
            if (vrmi_gltf_extension(m->gltf, json, old[k]) != VRMI_JSON_NONE) {
                vrmi_write_extension_removal(&m->out, old[k], "/nodes/%u", i);
            }
        }
        if (final && m->is_vrm0) {
            vrmi_write_extension_removal(&m->out, "VRMC_node_constraint", "/nodes/%u", i);
        } else if (final) {
            vrmi_write_json(&m->out, "\"1.0\"", 5, "/nodes/%u/extensions/VRMC_node_constraint/specVersion", i);
        }
    }
}

void vrmi_migrate_constraints(vrmi_migration *m)
{
    const vrmi_constraint_row *rows = vrmi_model_constraint(m->model);
    write_extensions(m);
    for (uint32_t i = 0; i < m->model->constraint.count && vrmi_writer_runs(&m->out); ++i) {
        const uint32_t node = vrmi_migrate_node(m, rows[i].node);
        if (rows[i].type == VRM_CONSTRAINT_POSITION) {
            vrmi_migrate_report(
                m, VRM_FINDING_MIGRATE_CONSTRAINT_DROPPED, m->gltf->nodes[node].json, "extensions", "position", NULL);
            // If the node has another constraint, it is written again later.
            vrmi_write_extension_removal(&m->out, "VRMC_node_constraint", "/nodes/%u", node);
        } else if (rows[i].type > VRM_CONSTRAINT_POSITION) {
            write_constraint(m, &rows[i]);
        }
    }
}
