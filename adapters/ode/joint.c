// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Joints: a ball at the anchor, a motor for the limits (limit.c), and a motor for springs or friction. The child is ODE's
// first body, so that angles keep their signs.

#include "internal.h"

#include <math.h>

#define STOP_CFM 1e-6
#define PI 3.14159265358979323846

// Returns the mean moment of inertia, about the joint, of all bodies that the joint moves, in the T-pose.
static dReal moved_inertia(const vrm_ode_ragdoll *r, uint32_t joint)
{
    vrm_vec3 place[VRM_RAGDOLL_MAX_BODIES]; // position relative to the joint
    bool hangs[VRM_RAGDOLL_MAX_BODIES] = {false};
    dReal sum = 0;
    for (uint32_t i = joint; i < r->def.body_count; ++i) {
        const vrm_ragdoll_body *b = &r->def.bodies[i];
        hangs[i] = i == joint || (b->parent >= (int32_t)joint && hangs[b->parent]);
        if (!hangs[i]) {
            continue;
        }
        place[i] = (vrm_vec3){0, 0, 0};
        if (i != joint) {
            const vrm_vec3 p = place[b->parent], a = b->joint.anchor;
            place[i] = (vrm_vec3){p.x + a.x, p.y + a.y, p.z + a.z};
        }
        const vrm_vec3 c = {
            place[i].x + b->center_of_mass.x, place[i].y + b->center_of_mass.y, place[i].z + b->center_of_mass.z};
        sum += (dReal)(b->mass * (c.x * c.x + c.y * c.y + c.z * c.z)) * 2 / 3;
        sum += (dReal)(b->inertia.x + b->inertia.y + b->inertia.z) / 3;
    }
    return sum * pow((dReal)r->scale, 5);
}

dJointID vrmo_make_motor(const vrm_ode_ragdoll *r, uint32_t i, int axes)
{
    const dJointID motor = dJointCreateAMotor(r->world->world, NULL);
    dJointAttach(motor, r->bodies[i].body, r->bodies[r->def.bodies[i].parent].body);
    dJointSetAMotorMode(motor, dAMotorUser);
    dJointSetAMotorNumAxes(motor, axes);
    for (int axis = 0; axis < axes; ++axis) {
        dJointSetAMotorAxis(motor, axis, 0, axis == 0, axis == 1, axis == 2);
        dJointSetAMotorParam(motor, dParamStopCFM + axis * dParamGroup, STOP_CFM);
    }
    return motor;
}

void vrmo_make_joint(vrm_ode_ragdoll *r, uint32_t i)
{
    const vrm_ragdoll_body *body = &r->def.bodies[i];
    const bool hinge = body->joint.type == VRM_RAGDOLL_JOINT_HINGE;
    vrmo_body *own = &r->bodies[i];
    const vrm_vec3 m = body->center_of_mass;
    const dReal s = (dReal)r->scale, *p = dBodyGetPosition(own->body);
    own->spring_inertia = moved_inertia(r, i);
    own->joint = dJointCreateBall(r->world->world, NULL);
    dJointAttach(own->joint, own->body, r->bodies[body->parent].body);
    dJointSetBallAnchor(own->joint, p[0] - s * (dReal)m.x, p[1] - s * (dReal)m.y, p[2] - s * (dReal)m.z);
    own->limit = vrmo_make_motor(r, i, hinge ? 3 : 2);
    own->motor = vrmo_make_motor(r, i, hinge ? 1 : 3);
}

void vrmo_move_anchors(vrm_ode_ragdoll *r, float h, float left)
{
    const float share = left > h ? h / left : 1.0f;
    for (uint32_t i = 1; i < r->def.body_count; ++i) {
        vrmo_body *b = &r->bodies[i];
        const vrm_vec3 a = b->anchor, n = b->next_anchor, m = r->def.bodies[r->def.bodies[i].parent].center_of_mass;
        if (a.x == n.x && a.y == n.y && a.z == n.z) {
            continue;
        }
        b->anchor = share < 1.0f
                        ? (vrm_vec3){a.x + share * (n.x - a.x), a.y + share * (n.y - a.y), a.z + share * (n.z - a.z)}
                        : n;
        const dReal s = (dReal)r->scale;
        dJointSetBallAnchor2(
            b->joint, s * (dReal)(b->anchor.x - m.x), s * (dReal)(b->anchor.y - m.y), s * (dReal)(b->anchor.z - m.z));
    }
}

// Writes where a body's centre of mass belongs, given its rotation and the place of its parent's centre of mass.
static void place_at_joint(const vrm_ode_ragdoll *r, uint32_t i, const dReal parent_place[3], dReal out[3])
{
    const int32_t above = r->def.bodies[i].parent;
    const vrm_vec3 a = r->bodies[i].anchor, m = r->def.bodies[above].center_of_mass;
    const dReal s = (dReal)r->scale, arm[3] = {s * (dReal)(a.x - m.x), s * (dReal)(a.y - m.y), s * (dReal)(a.z - m.z)};
    dReal joint[3], center[3];
    vrmo_rotate(dBodyGetQuaternion(r->bodies[above].body), arm, joint);
    vrmo_center_of(r, i, dBodyGetQuaternion(r->bodies[i].body), center);
    for (int k = 0; k < 3; ++k) {
        out[k] = parent_place[k] + joint[k] + center[k];
    }
}

void vrmo_assemble(vrm_ode_ragdoll *r)
{
    dReal place[VRM_RAGDOLL_MAX_BODIES][3], shift[3] = {0, 0, 0}, mass = 0;
    bool held = false;
    for (uint32_t i = 0; i < r->def.body_count; ++i) {
        const dReal *p = dBodyGetPosition(r->bodies[i].body);
        const bool moves = r->bodies[i].motion == VRM_RAGDOLL_MOTION_DYNAMIC;
        held = held || !moves;
        for (int k = 0; k < 3; ++k) {
            place[i][k] = p[k];
        }
        if (i > 0 && moves) {
            place_at_joint(r, i, place[r->def.bodies[i].parent], place[i]);
        }
        for (int k = 0; k < 3; ++k) {
            shift[k] += (dReal)r->def.bodies[i].mass * (p[k] - place[i][k]);
        }
        mass += (dReal)r->def.bodies[i].mass;
    }
    const dReal part = held ? 0 : 1 / mass; // bodies on a held one stay with it
    for (uint32_t i = 0; i < r->def.body_count; ++i) {
        if (r->bodies[i].motion == VRM_RAGDOLL_MOTION_DYNAMIC) {
            dBodySetPosition(r->bodies[i].body, place[i][0] + part * shift[0], place[i][1] + part * shift[1],
                place[i][2] + part * shift[2]);
        }
    }
}

// --- motors ----------------------------------------------------------------------------------------------------------

// Computes the world rotation vector from the child's orientation to its target orientation, which is relative to the
// parent.
static void error_of(const vrm_ode_ragdoll *r, uint32_t i, dReal out[3])
{
    const int32_t above = r->def.bodies[i].parent;
    const dReal *child = dBodyGetQuaternion(r->bodies[i].body), *parent = dBodyGetQuaternion(r->bodies[above].body);
    dQuaternion wanted_child, wanted_parent, beside, wanted, way;
    vrmo_quat(r->aims[i].state.rotation, wanted_child);
    vrmo_quat(r->aims[above].state.rotation, wanted_parent);
    dQMultiply1(beside, wanted_parent, wanted_child); // inverse(wanted_parent) * wanted_child
    dQMultiply0(wanted, parent, beside);
    dQMultiply2(way, wanted, child); // wanted * inverse(child)
    const dReal sine = sqrt(way[1] * way[1] + way[2] * way[2] + way[3] * way[3]);
    const dReal factor = sine > 1e-12 ? 2 * atan2(way[0] < 0 ? -sine : sine, fabs(way[0])) / sine : 2;
    for (int k = 0; k < 3; ++k) {
        out[k] = factor * way[k + 1];
    }
}

// Limp joints have friction: a motor with target speed 0 and limited torque. Without friction, small bodies would
// jitter between contacts and limits. A driven joint has the drive's damper instead.
static dReal friction_of(const vrm_ode_ragdoll *r, uint32_t i)
{
    const vrm_ragdoll_target *t = &r->wanted[i];
    const float pull = r->targets.drive == VRM_RAGDOLL_DRIVE_TORQUE ? t->frequency : t->rotation_weight;
    const bool limp = !r->has_targets || !r->targets.active || !(pull > 0.0f);
    return limp ? vrmo_joint_friction(r) * r->bodies[i].spring_inertia : 0;
}

// Applies spring and damper as a joint motor: the softness of ODE's constraints is exactly an implicit spring.
static void aim_motor(vrm_ode_ragdoll *r, uint32_t i, dReal h)
{
    const bool driven = vrmo_has_motor(r, i);
    const vrm_ragdoll_target *t = &r->wanted[i], *above = &r->wanted[r->def.bodies[i].parent];
    const bool hinge = r->def.bodies[i].joint.type == VRM_RAGDOLL_JOINT_HINGE;
    const dJointID motor = r->bodies[i].motor;
    const dReal w = 2 * PI * (driven ? (dReal)t->frequency : 0), inertia = r->bodies[i].spring_inertia;
    const dReal k = inertia * w * w, d = 2 * (dReal)t->damping_ratio * w * inertia;
    const bool slack = !driven || k * h + d <= 0;
    const dReal erp = slack ? 0 : h * k / (h * k + d), cfm = slack ? 0 : 1 / (h * k + d);
    const dReal most = slack ? friction_of(r, i) : t->max_torque > 0.0f ? (dReal)t->max_torque : 1e6;
    const vrm_vec3 own = t->state.angular_velocity, up = above->state.angular_velocity;
    dReal error[3] = {0}, way[3] = {(dReal)(own.x - up.x), (dReal)(own.y - up.y), (dReal)(own.z - up.z)};
    if (!slack) {
        error_of(r, i, error);
        dBodyEnable(r->bodies[i].body);
    }
    if (hinge) {
        dQuaternion frame;
        dReal axis[3] = {1, 0, 0};
        vrmo_quat(r->def.bodies[i].joint.frame, frame);
        vrmo_rotate(frame, axis, axis);
        vrmo_rotate(dBodyGetQuaternion(r->bodies[i].body), axis, axis);
        const dReal speed = axis[0] * (way[0] + erp / h * error[0]) + axis[1] * (way[1] + erp / h * error[1]) +
                            axis[2] * (way[2] + erp / h * error[2]);
        dJointSetAMotorAxis(motor, 0, 0, axis[0], axis[1], axis[2]);
        dJointSetAMotorParam(motor, dParamVel, slack ? 0 : speed);
        dJointSetAMotorParam(motor, dParamFMax, most);
        dJointSetAMotorParam(motor, dParamCFM, slack ? 1e-7 : cfm);
        return;
    }
    for (int axis = 0; axis < 3; ++axis) {
        dJointSetAMotorParam(motor, dParamVel + axis * dParamGroup, slack ? 0 : way[axis] + erp / h * error[axis]);
        dJointSetAMotorParam(motor, dParamFMax + axis * dParamGroup, most);
        dJointSetAMotorParam(motor, dParamCFM + axis * dParamGroup, slack ? 1e-7 : cfm);
    }
}

void vrmo_aim_motors(vrm_ode_ragdoll *r, float h)
{
    for (uint32_t i = 1; i < r->def.body_count; ++i) {
        aim_motor(r, i, (dReal)h);
    }
}
