// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Checks whether a ragdoll's definition can be simulated. Instances, solver, adapters and files all use this check.
// Also computes the positions of its bodies in the T-pose.

#include <vrm/ragdoll_build.h>

#include "base/abi.h"
#include "base/checks.h"
#include "math/mat34.h"
#include "math/quat.h"
#include "model/model.h"
#include "model/names.h"

const char *const vrmi_ragdoll_group_names[VRM_RAGDOLL_GROUP_COUNT] = {
    "pelvis", "torso", "head", "leftArm", "rightArm", "leftLeg", "rightLeg"};

const char *vrm_ragdoll_fault_name(vrm_ragdoll_fault fault)
{
    static const char *const names[] = {
#define FAULT_NAME(name, number, sentence) [number] = #name,
        VRM_RAGDOLL_FAULTS(FAULT_NAME)
#undef FAULT_NAME
    };
    return (int)fault >= 0 && fault < VRM_RAGDOLL_FAULT_COUNT ? names[fault] : "UNKNOWN";
}

const char *vrm_ragdoll_fault_sentence(vrm_ragdoll_fault fault)
{
    static const char *const sentences[] = {
#define FAULT_SENTENCE(name, number, sentence) [number] = sentence,
        VRM_RAGDOLL_FAULTS(FAULT_SENTENCE)
#undef FAULT_SENTENCE
    };
    return (int)fault >= 0 && fault < VRM_RAGDOLL_FAULT_COUNT ? sentences[fault] : "UNKNOWN";
}

void(vrm_ragdoll_def_default)(vrm_ragdoll_def *def, size_t size)
{
    const vrm_ragdoll_def own = {.struct_size = sizeof own};
    vrmi_write_defaults(def, size, &own, sizeof own);
}

// Records the fault, unless an earlier one is recorded.
static void demand(vrm_ragdoll_error *error, bool condition, vrm_ragdoll_fault fault, const char *field)
{
    if (!condition && error->fault == VRM_RAGDOLL_FAULT_NONE) {
        error->fault = fault;
        error->field = field;
    }
}

// No real body has sizes, masses or moments of inertia outside this range, and values computed from them still fit
// floats.
static const float smallest = 1e-9f, largest = 1e9f;

static bool possible_size(float value)
{
    return value >= smallest && value <= largest;
}

// Moments of inertia scale with the square of lengths, so a toy's finger has a very small one.
static bool possible_moment(float value)
{
    return value >= 1e-15f && value <= largest;
}

static bool possible_place(vrm_vec3 p)
{
    const vrm_vec3 a = {vrmi_abs(p.x), vrmi_abs(p.y), vrmi_abs(p.z)};
    return a.x <= largest && a.y <= largest && a.z <= largest; // false for NaN
}

static bool possible_angle(float angle)
{
    return angle >= -VRMI_PI && angle <= VRMI_PI;
}

static bool is_unit(vrm_quat q)
{
    return vrmi_abs(vrmi_quat_dot(q, q) - 1.0f) < 1e-3f;
}

// No principal moment of inertia exceeds the sum of the other two; for a thin rod they are equal.
static bool possible_moments(vrm_vec3 i)
{
    const float slack = 1.001f;
    return possible_moment(i.x) && possible_moment(i.y) && possible_moment(i.z) && i.x <= slack * (i.y + i.z) &&
           i.y <= slack * (i.z + i.x) && i.z <= slack * (i.x + i.y);
}

static void check_shape(const vrm_ragdoll_shape *shape, vrm_ragdoll_error *error)
{
    const vrm_ragdoll_fault fault = VRM_RAGDOLL_FAULT_SHAPE;
    const vrm_vec3 h = shape->half_extents;
    demand(error, (uint32_t)shape->type < VRM_RAGDOLL_SHAPE_COUNT, fault, "shape.type");
    demand(error, possible_place(shape->center), fault, "shape.center");
    demand(error, is_unit(shape->rotation), fault, "shape.rotation");
    if (shape->type == VRM_RAGDOLL_SHAPE_CAPSULE) {
        demand(error, possible_size(shape->radius), fault, "shape.radius");
        demand(error, shape->half_length >= 0.0f && shape->half_length <= largest, fault, "shape.half_length");
    } else {
        demand(error, possible_size(h.x) && possible_size(h.y) && possible_size(h.z), fault, "shape.half_extents");
    }
}

static void check_mass(const vrm_ragdoll_body *body, vrm_ragdoll_error *error)
{
    const vrm_ragdoll_fault fault = VRM_RAGDOLL_FAULT_MASS;
    demand(error, possible_size(body->mass), fault, "mass");
    demand(error, possible_place(body->center_of_mass), fault, "center_of_mass");
    demand(error, is_unit(body->inertia_rotation), fault, "inertia_rotation");
    demand(error, possible_moments(body->inertia), fault, "inertia");
}

static void check_joint(const vrm_ragdoll_body *body, vrm_ragdoll_error *error)
{
    const vrm_ragdoll_fault fault = VRM_RAGDOLL_FAULT_JOINT, limit = VRM_RAGDOLL_FAULT_LIMIT;
    const vrm_ragdoll_joint *joint = &body->joint;
    const bool is_free = joint->type == VRM_RAGDOLL_JOINT_FREE;
    demand(
        error, (uint32_t)joint->type < VRM_RAGDOLL_JOINT_COUNT && is_free == (body->parent < 0), fault, "joint.type");
    demand(error, possible_place(joint->anchor), fault, "joint.anchor");
    demand(error, is_unit(joint->frame), fault, "joint.frame");
    const vrm_ragdoll_joint_drive *drive = &joint->drive;
    demand(error, drive->frequency >= 0.0f && drive->frequency <= 60.0f, fault, "joint.drive.frequency");
    demand(error, drive->damping_ratio >= 0.0f && drive->damping_ratio <= 10.0f, fault, "joint.drive.damping_ratio");
    demand(error, drive->max_torque >= 0.0f && drive->max_torque <= 1e9f, fault, "joint.drive.max_torque");
    if (is_free) {
        return;
    }
    demand(error, possible_angle(joint->min_angle), limit, "joint.min_angle");
    demand(error, possible_angle(joint->max_angle) && joint->min_angle <= joint->max_angle, limit, "joint.max_angle");
    if (joint->type == VRM_RAGDOLL_JOINT_CONE) {
        demand(error, possible_size(joint->swing_y) && joint->swing_y <= VRMI_PI, limit, "joint.swing_y");
        demand(error, possible_size(joint->swing_z) && joint->swing_z <= VRMI_PI, limit, "joint.swing_z");
        demand(error, possible_angle(joint->center_y), limit, "joint.center_y");
        demand(error, possible_angle(joint->center_z), limit, "joint.center_z");
    }
}

static bool contacts_agree(const vrm_ragdoll_def *def, uint32_t body)
{
    if (def->bodies[body].no_contact >> def->body_count !=
        0) { // checks for bits of bodies that do not exist; there are fewer than 64 bodies
        return false;
    }
    for (uint32_t other = 0; other < def->body_count; ++other) {
        const bool here = (def->bodies[body].no_contact >> other & 1u) != 0;
        const bool there = (def->bodies[other].no_contact >> body & 1u) != 0;
        if (here != there) {
            return false;
        }
    }
    return true;
}

static bool is_bone_new(const vrm_ragdoll_def *def, uint32_t index)
{
    const vrm_human_bone bone = def->bodies[index].bone;
    for (uint32_t i = 0; i < index; ++i) {
        if (def->bodies[i].bone == bone) {
            return false;
        }
    }
    return (uint32_t)bone < VRM_HUMAN_BONE_COUNT;
}

static void check_body(const vrm_ragdoll_def *def, uint32_t index, vrm_ragdoll_error *error)
{
    const vrm_ragdoll_body *body = &def->bodies[index];
    demand(error, is_bone_new(def, index), VRM_RAGDOLL_FAULT_BONE, "bone");
    demand(
        error, body->parent < (int32_t)index && (body->parent < 0) == (index == 0), VRM_RAGDOLL_FAULT_PARENT, "parent");
    demand(error, (uint32_t)body->group < VRM_RAGDOLL_GROUP_COUNT, VRM_RAGDOLL_FAULT_GROUP, "group");
    check_shape(&body->shape, error);
    check_mass(body, error);
    check_joint(body, error);
    demand(error, contacts_agree(def, index), VRM_RAGDOLL_FAULT_NO_CONTACT, "no_contact");
}

// Returns true if the joints are about as far apart as the avatar's. Rotating a bone keeps its length, so the rest pose
// does not matter. Numbers may have been edited by hand, so the skeleton must be more than a tenth larger or smaller to
// be rejected as another avatar's.
static bool joints_fit(const vrm_ragdoll_def *def, const vrmi_model *model)
{
    const vrm_mat34 *rest = vrmi_model_node_rest_matrix(model);
    float given = 0.0f, own = 0.0f;
    for (uint32_t i = 1; i < def->body_count; ++i) {
        const vrm_ragdoll_body *body = &def->bodies[i];
        const vrm_vec3 here = vrmi_mat34_translation(&rest[body->node]);
        given += vrmi_vec3_length(body->joint.anchor);
        own += vrmi_vec3_length(vrmi_vec3_sub(here, vrmi_mat34_translation(&rest[def->bodies[body->parent].node])));
    }
    return given <= 1.1f * own + 0.01f && own <= 1.1f * given + 0.01f;
}

static vrm_ragdoll_error find_fault(const vrm_ragdoll_def *def, const vrm_avatar *avatar)
{
    vrm_ragdoll_error error = {.fault = VRM_RAGDOLL_FAULT_NONE, .body = -1, .field = ""};
    demand(&error, def != NULL && VRMI_OPTIONS_FIT(vrm_ragdoll_def, def), VRM_RAGDOLL_FAULT_STRUCT_SIZE, "struct_size");
    if (error.fault != VRM_RAGDOLL_FAULT_NONE) {
        return error;
    }
    demand(&error, def->body_count != 0 && def->body_count <= VRM_RAGDOLL_MAX_BODIES, VRM_RAGDOLL_FAULT_BODY_COUNT,
        "body_count");
    demand(&error, def->height >= 0.0f && def->height <= largest, VRM_RAGDOLL_FAULT_HEIGHT, "height");
    for (uint32_t i = 0; error.fault == VRM_RAGDOLL_FAULT_NONE && i < def->body_count; ++i) {
        const vrm_ragdoll_body *body = &def->bodies[i];
        check_body(def, i, &error);
        if (error.fault == VRM_RAGDOLL_FAULT_NONE && avatar != NULL) {
            const int32_t node = avatar->model->head.bone_node[body->bone];
            demand(&error, node >= 0 && (uint32_t)node == body->node, VRM_RAGDOLL_FAULT_NODE, "node");
        }
        error.body = error.fault != VRM_RAGDOLL_FAULT_NONE ? (int32_t)i : -1;
    }
    if (error.fault == VRM_RAGDOLL_FAULT_NONE && avatar != NULL) {
        demand(&error, joints_fit(def, avatar->model), VRM_RAGDOLL_FAULT_SIZE, "bodies");
    }
    return error;
}

static vrm_result answer(vrm_ragdoll_error error, vrm_ragdoll_error *out_error)
{
    (void)VRM_ASSERT(out_error == NULL || VRMI_WRITE_OUTPUT(vrm_ragdoll_error, out_error, &error));
    return error.fault == VRM_RAGDOLL_FAULT_NONE ? VRM_SUCCESS : VRM_ERROR_INVALID_ARGUMENT;
}

vrm_result vrm_ragdoll_def_check(const vrm_ragdoll_def *def, vrm_ragdoll_error *out_error)
{
    return answer(find_fault(def, NULL), out_error);
}

vrm_result vrm_ragdoll_def_check_avatar(
    const vrm_ragdoll_def *def, const vrm_avatar *avatar, vrm_ragdoll_error *out_error)
{
    return VRM_ASSERT(avatar != NULL) ? answer(find_fault(def, avatar), out_error) : VRM_ERROR_INVALID_ARGUMENT;
}

void vrm_ragdoll_get_rest_states(
    const vrm_ragdoll_def *def, const vrm_avatar *avatar, vrm_ragdoll_state out_states[VRM_RAGDOLL_MAX_BODIES])
{
    if (!VRM_ASSERT(def != NULL && avatar != NULL && def->body_count <= VRM_RAGDOLL_MAX_BODIES)) {
        return;
    }
    for (uint32_t i = 0; i < def->body_count; ++i) {
        const vrm_ragdoll_body *body = &def->bodies[i];
        out_states[i] = (vrm_ragdoll_state){.rotation = vrmi_quat_identity()};
        if (body->parent >= 0) {
            out_states[i].position = vrmi_vec3_add(out_states[body->parent].position, body->joint.anchor);
        } else if (body->node < avatar->model->node_parent.count) {
            const vrm_mat34 *rest = &vrmi_model_node_rest_matrix(avatar->model)[body->node];
            out_states[i].position = vrmi_vec3(rest->m[0][3], rest->m[1][3], rest->m[2][3]);
        }
    }
}
