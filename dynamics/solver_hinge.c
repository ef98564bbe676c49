// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Elbows and knees have one axis, but clips also rotate them about other axes: a knee bends about the model's axis
// while the thigh slants by ten degrees. A hinge with only its own axis could not follow such a walk. So the hinge
// adopts the target's bend, in proportion to the drive, and returns slowly when the drive ends. The body beyond the hinge
// has the velocity of this bending, too: without it the shin of a walk had the right place and the wrong velocity, and
// its foot lagged by up to 3 degrees.

#include "solver.h"

// The highest speed at which a hinge's bend changes, rad/s.
static const float BEND_RATE = 3.0f;

// Returns the part of the child's rotation, in the parent's frame, that is not about the hinge's axis.
static vrm_quat bend_of(const vrm_ragdoll_joint *joint, vrm_quat parent, vrm_quat child)
{
    const vrm_quat relative = vrmi_quat_mul(vrmi_quat_conjugate(parent), child);
    const vrm_quat q = vrmi_quat_mul(vrmi_quat_mul(vrmi_quat_conjugate(joint->frame), relative), joint->frame);
    const float length = vrmi_sqrt(q.x * q.x + q.w * q.w);
    if (!(length > 0.1f)) {
        return vrmi_quat_identity(); // the bend is undefined at half a turn
    }
    const vrm_quat back = {-q.x / length, 0.0f, 0.0f, q.w / length};
    const vrm_quat beside = vrmi_quat_mul(q, back);
    return vrmi_quat_normalize(vrmi_quat_mul(vrmi_quat_mul(joint->frame, beside), vrmi_quat_conjugate(joint->frame)));
}

void vrmi_solver_put_hinges(vrm_ragdoll_solver *solver)
{
    for (uint32_t i = 0; i < solver->def.body_count; ++i) {
        vrmi_solver_body *body = &solver->bodies[i];
        body->bend = vrmi_quat_identity();
        if (solver->tree.joint[i] == VRMI_ART_HINGE) {
            const vrm_quat parent = solver->bodies[solver->tree.parent[i]].state.rotation;
            body->bend = bend_of(&solver->def.bodies[i].joint, parent, body->state.rotation);
        }
    }
}

void vrmi_solver_bend_hinges(vrm_ragdoll_solver *solver)
{
    // The target's bend is reached at the frame's end. The steps of this call may end earlier.
    const float time = solver->params.step * (float)solver->frame.steps, most = BEND_RATE * time;
    const float whole_time = solver->frame.later + solver->params.step;
    const vrm_quat none = {0.0f, 0.0f, 0.0f, 1.0f};
    for (uint32_t i = 1; i < solver->def.body_count; ++i) {
        if (solver->tree.joint[i] != VRMI_ART_HINGE) {
            continue;
        }
        const vrm_ragdoll_target *target = &solver->targets[i];
        vrm_quat *bend = &solver->bodies[i].bend;
        vrm_quat wanted = none;
        if (target->load > 0.0f) {
            const vrm_quat parent = solver->targets[solver->tree.parent[i]].state.rotation;
            const vrm_quat whole = bend_of(&solver->def.bodies[i].joint, parent, target->state.rotation);
            wanted = vrmi_quat_slerp(none, whole, vrmi_min(target->load, 1.0f));
        }
        vrm_vec3 way = vrmi_quat_to_vector(vrmi_quat_mul(wanted, vrmi_quat_conjugate(*bend)));
        way = vrmi_vec3_scale(way, time / whole_time);
        const float far = vrmi_vec3_length(way);
        const vrm_vec3 allowed = vrmi_vec3_scale(way, far > most ? most / far : 1.0f);
        const vrm_quat turn = vrmi_quat_from_vector(allowed);
        // Only the animation's own bending is a motion. To return from a bend with a velocity would throw the limbs of
        // a figure that has lost its drive.
        solver->bodies[i].bending = vrmi_vec3_scale(allowed, far > most ? 0.0f : target->load / time);
        *bend = far > 0.0f ? vrmi_quat_normalize(vrmi_quat_mul(turn, *bend)) : *bend;
    }
}
