// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// A step's end: bodies turn by the velocities that were found, places follow from the root's and the joints.

#include "solver.h"

static vrm_vec3 get3(const float *rows, uint32_t lanes, uint32_t lane, uint32_t body, uint32_t row)
{
    const float *p = rows + ((size_t)body * VRMI_ART_ROWS + row) * lanes + lane;
    return vrmi_vec3(p[0], p[lanes], p[2 * lanes]);
}

// Half of a step's turn is small; a normalised first-order step is off by a third of its cube.
static vrm_quat turned(vrm_quat q, vrm_vec3 angular, float h)
{
    const vrm_quat w = {angular.x * 0.5f * h, angular.y * 0.5f * h, angular.z * 0.5f * h, 0.0f};
    const vrm_quat d = vrmi_quat_mul(w, q);
    return vrmi_quat_normalize((vrm_quat){q.x + d.x, q.y + d.y, q.z + d.z, q.w + d.w});
}

// A hinge's rotation about its axis alone: what rounding and the finite step put off it goes.
static vrm_quat on_axis(vrm_quat parent, vrm_quat child, vrm_vec3 axis)
{
    const vrm_quat q = vrmi_quat_mul(vrmi_quat_conjugate(parent), child);
    const float along = q.x * axis.x + q.y * axis.y + q.z * axis.z;
    return vrmi_quat_normalize(
        vrmi_quat_mul(parent, vrmi_quat_normalize((vrm_quat){axis.x * along, axis.y * along, axis.z * along, q.w})));
}

// Centre of mass of all, times the mass.
static vrm_vec3 weighed_center(const vrm_ragdoll_solver *solver)
{
    vrm_vec3 sum = {0.0f, 0.0f, 0.0f};
    for (uint32_t i = 0; i < solver->def.body_count; ++i) {
        const vrm_ragdoll_state *s = &solver->bodies[i].state;
        const vrm_vec3 center = vrmi_vec3_add(s->position, vrmi_quat_rotate(s->rotation, solver->constants[i].center));
        sum = vrmi_vec3_add(sum, vrmi_vec3_scale(center, solver->constants[i].mass));
    }
    return sum;
}

static void keep_contacts(vrm_ragdoll_solver *solver, const float *rows, uint32_t lanes, uint32_t lane)
{
    for (uint32_t i = 0; i < solver->def.body_count; ++i) {
        vrmi_solver_body *body = &solver->bodies[i];
        vrmi_solver_contacts *contacts = &solver->contacts[i];
        for (uint32_t k = 0; k < VRMI_ART_CONTACTS; ++k) {
            const float *row =
                rows + ((size_t)i * VRMI_ART_ROWS + VRMI_ART_CONTACT + k * VRMI_ART_CONTACT_ROWS) * lanes + lane;
            const bool used = k < contacts->count;
            body->feature[k] = used ? contacts->slot[k].feature : VRMI_SOLVER_NO_FEATURE;
            body->push[k] = used ? row[VRMI_ART_CONTACT_PUSH * lanes] : 0.0f;
            body->drag[k] = used ? row[VRMI_ART_CONTACT_DRAG * lanes] : 0.0f;
            contacts->impulse[k] = used ? row[VRMI_ART_CONTACT_IMPULSE * lanes] : 0.0f;
        }
        body->part = i == 0 ? 1.0f : rows[((size_t)i * VRMI_ART_ROWS + VRMI_ART_PART) * lanes + lane];
    }
}

// Whether nothing outside acts on it but gravity: then its centre of mass flies as it must, to the last bit that a
// float has, whatever the limbs do.
static bool flies(const vrm_ragdoll_solver *solver)
{
    for (uint32_t i = 0; i < solver->def.body_count; ++i) {
        if (solver->targets[i].motion != VRM_RAGDOLL_MOTION_DYNAMIC || solver->targets[i].pin_frequency > 0.0f) {
            return false;
        }
        for (uint32_t k = 0; k < VRMI_ART_CONTACTS; ++k) {
            if (solver->bodies[i].push[k] > 0.0f) {
                return false;
            }
        }
    }
    return true;
}

static void move_shapes(vrm_ragdoll_solver *solver)
{
    const float h = solver->params.step;
    for (uint32_t i = 0; i < solver->params.shape_slots; ++i) {
        vrm_ragdoll_world_shape *s = &solver->shapes[i].shape;
        if (solver->shapes[i].used) {
            s->center[0] += (double)(s->linear_velocity.x * h);
            s->center[1] += (double)(s->linear_velocity.y * h);
            s->center[2] += (double)(s->linear_velocity.z * h);
            s->rotation = turned(s->rotation, s->angular_velocity, h);
        }
    }
}

void vrmi_solver_integrate(vrm_ragdoll_solver *solver, float *rows, uint32_t lanes, uint32_t lane)
{
    const float h = solver->params.step;
    const uint32_t n = solver->def.body_count;
    keep_contacts(solver, rows, lanes, lane);
    const vrm_vec3 before = weighed_center(solver);
    vrm_vec3 momentum = {0.0f, 0.0f, 0.0f};
    for (uint32_t i = 0; i < n; ++i) {
        vrm_ragdoll_state *s = &solver->bodies[i].state;
        const vrm_vec3 center = vrmi_quat_rotate(s->rotation, solver->constants[i].center);
        const vrm_vec3 angular = get3(rows, lanes, lane, i, VRMI_ART_VELOCITY);
        s->angular_velocity = angular;
        s->linear_velocity = vrmi_velocity_at(get3(rows, lanes, lane, i, VRMI_ART_VELOCITY + 3), angular, center);
        solver->bodies[i].spin = vrmi_tensor_mul(&solver->inertias[i], angular);
        momentum = vrmi_vec3_add(momentum, vrmi_vec3_scale(s->linear_velocity, solver->constants[i].mass));
        if (vrmi_solver_is_held(solver, i)) {
            s->rotation = solver->targets[i].state.rotation;
            s->position = solver->targets[i].state.position;
            continue;
        }
        s->rotation = turned(s->rotation, angular, h);
        if (i == 0) {
            // The root's centre of mass goes straight on, its joint turns about it.
            const vrm_vec3 there =
                vrmi_vec3_add(vrmi_vec3_add(s->position, center), vrmi_vec3_scale(s->linear_velocity, h));
            s->position = vrmi_vec3_sub(there, vrmi_quat_rotate(s->rotation, solver->constants[0].center));
        } else if (solver->tree.joint[i] == VRMI_ART_HINGE) {
            const vrm_quat parent = solver->bodies[solver->tree.parent[i]].state.rotation;
            s->rotation = on_axis(parent, s->rotation, solver->constants[i].axis);
        }
    }
    vrmi_solver_place(solver);
    if (flies(solver)) {
        const vrm_vec3 wanted = vrmi_vec3_add(before, vrmi_vec3_scale(momentum, h));
        const vrm_vec3 off = vrmi_vec3_scale(vrmi_vec3_sub(wanted, weighed_center(solver)), 1.0f / solver->total_mass);
        for (uint32_t i = 0; i < n; ++i) {
            solver->bodies[i].state.position = vrmi_vec3_add(solver->bodies[i].state.position, off);
        }
    }
    move_shapes(solver);
}
