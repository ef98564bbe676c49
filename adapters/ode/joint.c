// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Joints. ODE has hinges with stops, but no cone limits. Instead, a motor in user mode limits a cone. The motor's first
// axis receives the angle by which the bone is outside its ellipse; the second axis receives the twist angle. The child
// is ODE's first body, so that angles keep their signs.

#include "internal.h"

#include <math.h>

#define STOP_ERP 0.4
#define STOP_CFM 1e-6
#define PI 3.14159265358979323846

static void turned(const dQuaternion body, const vrm_ragdoll_joint *joint, const dReal v[3], dReal out[3])
{
    dQuaternion frame;
    vrmo_quat(joint->frame, frame);
    vrmo_rotate(frame, v, out);
    vrmo_rotate(body, out, out);
}

static dReal within_pi(float angle)
{
    const dReal most = PI - 1e-4; // ODE's angles wrap around at pi
    return (dReal)angle > most ? most : (dReal)angle < -most ? -most : (dReal)angle;
}

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

static dJointID make_amotor(const vrm_ode_ragdoll *r, dBodyID child, dBodyID parent, int axes)
{
    const dJointID motor = dJointCreateAMotor(r->world->world, NULL);
    dJointAttach(motor, child, parent);
    dJointSetAMotorMode(motor, dAMotorUser);
    dJointSetAMotorNumAxes(motor, axes);
    for (int i = 0; i < axes; ++i) {
        dJointSetAMotorAxis(motor, i, 0, i == 0, i == 1, i == 2);
        dJointSetAMotorParam(motor, dParamStopERP + i * dParamGroup, STOP_ERP);
        dJointSetAMotorParam(motor, dParamStopCFM + i * dParamGroup, STOP_CFM);
    }
    return motor;
}

// Returns true if ODE's joint motors apply the drive, or apply friction.
static bool has_motors(const vrm_ode_ragdoll *r)
{
    return r->drive == VRM_ODE_DRIVE_MOTORS || r->world->params.joint_friction > 0.0f;
}

void vrmo_make_joint(vrm_ode_ragdoll *r, uint32_t i)
{
    const vrm_ragdoll_body *body = &r->def.bodies[i];
    vrmo_body *own = &r->bodies[i];
    const dBodyID child = own->body, parent = r->bodies[body->parent].body;
    const dReal x[3] = {1, 0, 0}, none[4] = {1, 0, 0, 0};
    const vrm_vec3 m = body->center_of_mass;
    const dReal s = (dReal)r->scale, *p = dBodyGetPosition(child);
    const dReal at[3] = {p[0] - s * (dReal)m.x, p[1] - s * (dReal)m.y, p[2] - s * (dReal)m.z};
    dReal axis[3];
    turned(none, &body->joint, x, axis);
    own->spring_inertia = moved_inertia(r, i);
    if (body->joint.type == VRM_RAGDOLL_JOINT_HINGE) {
        own->joint = dJointCreateHinge(r->world->world, NULL);
        dJointAttach(own->joint, child, parent);
        dJointSetHingeAnchor(own->joint, at[0], at[1], at[2]);
        dJointSetHingeAxis(own->joint, axis[0], axis[1], axis[2]);
        dJointSetHingeParam(own->joint, dParamLoStop, within_pi(body->joint.min_angle));
        dJointSetHingeParam(own->joint, dParamHiStop, within_pi(body->joint.max_angle));
        dJointSetHingeParam(own->joint, dParamStopERP, STOP_ERP);
        dJointSetHingeParam(own->joint, dParamStopCFM, STOP_CFM);
        return;
    }
    own->joint = dJointCreateBall(r->world->world, NULL);
    dJointAttach(own->joint, child, parent);
    dJointSetBallAnchor(own->joint, at[0], at[1], at[2]);
    own->limit = make_amotor(r, child, parent, 2);
    if (has_motors(r)) {
        own->motor = make_amotor(r, child, parent, 3);
    }
}

// A hinge's anchor is fixed on its parent's own bone, so no animated node in between can move it.
void vrmo_move_anchors(vrm_ode_ragdoll *r, float h, float left)
{
    const float share = left > h ? h / left : 1.0f;
    for (uint32_t i = 1; i < r->def.body_count; ++i) {
        vrmo_body *b = &r->bodies[i];
        const vrm_vec3 a = b->anchor, n = b->next_anchor, m = r->def.bodies[r->def.bodies[i].parent].center_of_mass;
        if (r->def.bodies[i].joint.type == VRM_RAGDOLL_JOINT_HINGE || (a.x == n.x && a.y == n.y && a.z == n.z)) {
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

// --- limits ----------------------------------------------------------------------------------------------------------

// Returns the size of a swing relative to its ellipse, 1 on the rim. `out_rim` receives the swing, scaled back to the
// rim if it is outside.
static float on_ellipse(const vrm_ragdoll_joint *j, const float angles[3], float out_rim[2])
{
    const float y = (angles[1] - j->center_y) / j->swing_y, z = (angles[2] - j->center_z) / j->swing_z;
    const float size = sqrtf(y * y + z * z), factor = size > 1.0f ? 1.0f / size : 1.0f;
    out_rim[0] = j->center_y + (angles[1] - j->center_y) * factor;
    out_rim[1] = j->center_z + (angles[2] - j->center_z) * factor;
    return size;
}

float vrmo_violation(const vrm_ode_ragdoll *r, uint32_t i, const vrm_ragdoll_state *states)
{
    const vrm_ragdoll_body *body = &r->def.bodies[i];
    const vrm_ragdoll_joint *j = &body->joint;
    float angles[3], rim[2];
    vrm_ragdoll_get_joint_angles(j, states[body->parent].rotation, states[i].rotation, angles);
    const float twist = fmaxf(fmaxf(angles[0] - j->max_angle, j->min_angle - angles[0]), 0.0f);
    if (j->type == VRM_RAGDOLL_JOINT_HINGE || on_ellipse(j, angles, rim) <= 1.0f) {
        return twist;
    }
    return fmaxf(twist, hypotf(angles[1] - rim[0], angles[2] - rim[1]));
}

// Sets the stops of one axis of a motor from a row of the joint. The remaining angle in the row changes as the bodies
// rotate about `axis`.
static void set_stops(dJointID motor, int axis, const vrm_ragdoll_joint_row *row, dReal low)
{
    const vrm_vec3 a = row->axis;
    const dReal size = (dReal)sqrtf(a.x * a.x + a.y * a.y + a.z * a.z), near = size > 1e-6 ? size : 1;
    if (size > 1e-6) {
        dJointSetAMotorAxis(motor, axis, 0, (dReal)a.x, (dReal)a.y, (dReal)a.z);
    }
    dJointSetAMotorAngle(motor, axis, 0);
    dJointSetAMotorParam(motor, dParamLoStop + axis * dParamGroup, low / near);
    dJointSetAMotorParam(motor, dParamHiStop + axis * dParamGroup, (dReal)row->gap / near);
}

static void aim_limit(vrm_ode_ragdoll *r, uint32_t i, const vrm_ragdoll_state *states)
{
    const vrm_ragdoll_body *body = &r->def.bodies[i];
    const vrm_quat now[2] = {states[body->parent].rotation, states[i].rotation};
    vrm_ragdoll_joint_row rows[VRM_RAGDOLL_JOINT_ROWS];
    (void)vrm_ragdoll_get_joint_rows(&body->joint, now, NULL, rows);
    set_stops(r->bodies[i].limit, 0, &rows[2], -dInfinity);
    set_stops(r->bodies[i].limit, 1, &rows[0], -(dReal)rows[1].gap);
}

void vrmo_aim_limits(vrm_ode_ragdoll *r)
{
    vrm_ragdoll_state states[VRM_RAGDOLL_MAX_BODIES];
    vrmo_states(r, states);
    for (uint32_t i = 1; i < r->def.body_count; ++i) {
        if (r->bodies[i].limit != NULL) {
            aim_limit(r, i, states);
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
    vrmo_quat(r->wanted[i].state.rotation, wanted_child);
    vrmo_quat(r->wanted[above].state.rotation, wanted_parent);
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
    return limp ? (dReal)r->world->params.joint_friction * r->bodies[i].spring_inertia : 0;
}

// Applies spring and damper as a joint motor: the softness of ODE's constraints is exactly an implicit spring.
static void aim_motor(vrm_ode_ragdoll *r, uint32_t i, bool driven, dReal h)
{
    const vrm_ragdoll_target *t = &r->wanted[i], *above = &r->wanted[r->def.bodies[i].parent];
    const bool hinge = r->def.bodies[i].joint.type == VRM_RAGDOLL_JOINT_HINGE;
    const dJointID motor = hinge ? r->bodies[i].joint : r->bodies[i].motor;
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
        dVector3 axis;
        dJointGetHingeAxis(motor, axis);
        const dReal speed = axis[0] * (way[0] + erp / h * error[0]) + axis[1] * (way[1] + erp / h * error[1]) +
                            axis[2] * (way[2] + erp / h * error[2]);
        dJointSetHingeParam(motor, dParamVel, slack ? 0 : speed);
        dJointSetHingeParam(motor, dParamFMax, most);
        dJointSetHingeParam(motor, dParamCFM, slack ? 1e-7 : cfm);
        return;
    }
    for (int axis = 0; axis < 3; ++axis) {
        dJointSetAMotorParam(motor, dParamVel + axis * dParamGroup, slack ? 0 : way[axis] + erp / h * error[axis]);
        dJointSetAMotorParam(motor, dParamFMax + axis * dParamGroup, most);
        dJointSetAMotorParam(motor, dParamCFM + axis * dParamGroup, slack ? 1e-7 : cfm);
    }
}

void vrmo_aim_motors(vrm_ode_ragdoll *r, bool driven, float h)
{
    for (uint32_t i = 1; i < r->def.body_count && has_motors(r); ++i) {
        aim_motor(r, i, driven, (dReal)h);
    }
}
