// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Computes each body's constants from the definition and the scale.

#include "solver.h"

static const float FINGER_FRICTION = 100.0f; // relative to the other joints

vrmi_tensor vrmi_tensor_rotated(const vrmi_tensor *a, vrm_quat q)
{
    // Computes R a R', column by column of R a.
    const vrm_vec3 x = vrmi_quat_rotate(q, vrmi_vec3(1.0f, 0.0f, 0.0f));
    const vrm_vec3 y = vrmi_quat_rotate(q, vrmi_vec3(0.0f, 1.0f, 0.0f));
    const vrm_vec3 z = vrmi_vec3_cross(x, y);
    const vrm_vec3 rows[3] = {{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}};
    const vrm_vec3 b[3] = {vrmi_tensor_mul(a, rows[0]), vrmi_tensor_mul(a, rows[1]), vrmi_tensor_mul(a, rows[2])};
    return (vrmi_tensor){{vrmi_vec3_dot(rows[0], b[0]), vrmi_vec3_dot(rows[0], b[1]), vrmi_vec3_dot(rows[0], b[2]),
        vrmi_vec3_dot(rows[1], b[1]), vrmi_vec3_dot(rows[1], b[2]), vrmi_vec3_dot(rows[2], b[2])}};
}

// The capsule that replaces a shape in self-contacts and in contacts with thin objects. The capsule of a box is along
// its longest side.
static void find_capsule(const vrm_ragdoll_shape *shape, float scale, vrmi_solver_constant *out)
{
    vrm_vec3 axis = {0.0f, shape->half_length, 0.0f};
    float radius = shape->radius;
    if (shape->type == VRM_RAGDOLL_SHAPE_BOX) {
        const vrm_vec3 e = shape->half_extents;
        // The radius is the mean of the two shorter half sides, so that the capsule extends beyond the box about as
        // much as it falls short of it.
        if (e.x >= e.y && e.x >= e.z) {
            radius = 0.5f * (e.y + e.z);
            axis = vrmi_vec3(vrmi_max(e.x - radius, 0.0f), 0.0f, 0.0f);
        } else if (e.y >= e.z) {
            radius = 0.5f * (e.x + e.z);
            axis = vrmi_vec3(0.0f, vrmi_max(e.y - radius, 0.0f), 0.0f);
        } else {
            radius = 0.5f * (e.x + e.y);
            axis = vrmi_vec3(0.0f, 0.0f, vrmi_max(e.z - radius, 0.0f));
        }
    }
    out->shape_center = vrmi_vec3_scale(shape->center, scale);
    out->shape_axis = vrmi_vec3_scale(vrmi_quat_rotate(shape->rotation, axis), scale);
    out->shape_radius = radius * scale;
    out->sphere = vrmi_vec3_length(out->shape_axis) + out->shape_radius;
    const vrm_vec3 e = vrmi_vec3_scale(shape->half_extents, scale);
    out->box = shape->type == VRM_RAGDOLL_SHAPE_BOX ? 1.0f : 0.0f;
    out->sides[0] = vrmi_quat_rotate(shape->rotation, vrmi_vec3(e.x, 0.0f, 0.0f));
    out->sides[1] = vrmi_quat_rotate(shape->rotation, vrmi_vec3(0.0f, e.y, 0.0f));
    out->sides[2] = vrmi_quat_rotate(shape->rotation, vrmi_vec3(0.0f, 0.0f, e.z));
}

static float reach_of(const vrm_ragdoll_body *body, const vrmi_solver_constant *c, float scale)
{
    const vrm_vec3 off = vrmi_vec3_sub(c->shape_center, c->center);
    const float size =
        body->shape.type == VRM_RAGDOLL_SHAPE_BOX ? vrmi_vec3_length(body->shape.half_extents) * scale : c->sphere;
    return vrmi_vec3_length(off) + size;
}

// Friction is relative to the inertia that a joint moves. That of a finger is a thousandth of an arm's, but tendons and
// skin brake fingers much more than in proportion: a real one stops within 5 to 20 ms. Without this, limp fingers swing
// by 80 degrees in a frame.
static float friction_of(vrm_human_bone bone)
{
    const bool toes = bone == VRM_HUMAN_BONE_LEFT_TOES || bone == VRM_HUMAN_BONE_RIGHT_TOES;
    return toes || bone >= VRM_HUMAN_BONE_LEFT_THUMB_METACARPAL ? FINGER_FRICTION : 1.0f;
}

void vrmi_solver_scale_body(const vrm_ragdoll_body *body, float scale, vrmi_solver_constant *out)
{
    const float volume = scale * scale * scale;
    const vrmi_tensor principal = {{body->inertia.x, 0.0f, 0.0f, body->inertia.y, 0.0f, body->inertia.z}};
    out->inertia = vrmi_tensor_rotated(&principal, body->inertia_rotation);
    for (int i = 0; i < 6; ++i) {
        out->inertia.v[i] *= volume * scale * scale;
    }
    out->mass = body->mass * volume;
    out->friction = friction_of(body->bone);
    out->center = vrmi_vec3_scale(body->center_of_mass, scale);
    out->anchor = vrmi_vec3_scale(body->joint.anchor, scale);
    const vrm_ragdoll_joint *joint = &body->joint;
    out->frame = joint->frame;
    out->axis = vrmi_quat_rotate(joint->frame, vrmi_vec3(1.0f, 0.0f, 0.0f));
    out->swing_y = joint->swing_y;
    out->swing_z = joint->swing_z;
    out->center_y = joint->center_y;
    out->center_z = joint->center_z;
    out->min_angle = joint->min_angle;
    out->max_angle = joint->max_angle;
    find_capsule(&body->shape, scale, out);
    out->reach = reach_of(body, out, scale);
}

// Computes, in the T-pose, the mean moment of inertia of each body and all bodies below it about the body's joint.
void vrmi_solver_find_held(const vrm_ragdoll_def *def, vrmi_solver_constant *constants)
{
    vrm_vec3 place[VRM_RAGDOLL_MAX_BODIES];
    for (uint32_t i = 0; i < def->body_count; ++i) {
        const int32_t parent = def->bodies[i].parent;
        place[i] = parent < 0 ? vrmi_vec3(0.0f, 0.0f, 0.0f) : vrmi_vec3_add(place[parent], constants[i].anchor);
        constants[i].held_inertia = 0.0f;
    }
    for (uint32_t i = 0; i < def->body_count; ++i) {
        const vrmi_solver_constant *c = &constants[i];
        const float own = (c->inertia.v[0] + c->inertia.v[3] + c->inertia.v[5]) / 3.0f;
        for (int32_t up = (int32_t)i; up >= 0; up = def->bodies[up].parent) {
            const vrm_vec3 arm = vrmi_vec3_sub(vrmi_vec3_add(place[i], c->center), place[up]);
            constants[up].held_inertia += own + c->mass * vrmi_vec3_dot(arm, arm) * (2.0f / 3.0f);
        }
    }
}

void vrmi_solver_scale(vrm_ragdoll_solver *solver, float scale)
{
    solver->scale = scale;
    solver->total_mass = 0.0f;
    for (uint32_t i = 0; i < solver->def.body_count; ++i) {
        vrmi_solver_scale_body(&solver->def.bodies[i], scale, &solver->constants[i]);
        solver->total_mass += solver->constants[i].mass;
    }
    vrmi_solver_find_held(&solver->def, solver->constants);
    // A contact that bears the whole weight yields by mass * g * h^2 / hardness per unit of push-back, which is
    // hundredths of a millimetre. A higher hardness would lose precision in floats, first for light bodies such as a
    // hand.
    solver->hardness = 20.0f * solver->total_mass;
    // The hardness of limits is sized in the same way: a limit bears the weight with a lever arm of a tenth of the
    // height.
    const float arm = 0.1f * vrmi_max(solver->def.height, 0.1f) * scale;
    solver->limit_hardness = 10.0f * solver->total_mass * arm * arm;
}
