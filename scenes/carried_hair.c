// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "carried_hair.h"

#include <math.h>

#include "math/quat.h"
#include "math/rigid.h"

// The speed of a fast walk. Hair feels no higher speed, however fast the body is.
static const float felt_speed = 1.0f; // m/s

// Fraction of the stiffness that acts as weight on a fallen body. The rest keeps locks from hanging like ropes.
static const float most_hanging = 0.85f;
static const float hanging_time = 0.3f; // seconds from 0 to `most_hanging`

// The rigid motion that is nearest to the motion of all bodies.
typedef struct whole {
    vrm_vec3 center; // relative to the states' origin
    vrm_vec3 linear, angular;
    float speed; // root mean square of the speeds of this motion, weighted by mass
} whole;

static vrm_vec3 center_of(const vrm_ragdoll_body *body, const vrm_ragdoll_state *state)
{
    return vrmi_vec3_add(state->position, vrmi_quat_rotate(state->rotation, body->center_of_mass));
}

// Returns the angular velocity at which masses with the moments of inertia `j` have the angular momentum `spin`.
// Inverts the symmetric matrix by its cofactors.
static vrm_vec3 turn_by(const float j[6], vrm_vec3 spin)
{
    const float xx = j[0], yy = j[1], zz = j[2], xy = j[3], xz = j[4], yz = j[5];
    const vrm_vec3 a = {yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy};
    const vrm_vec3 b = {a.y, xx * zz - xz * xz, xy * xz - xx * yz};
    const vrm_vec3 c = {a.z, b.z, xx * yy - xy * xy};
    const float determinant = xx * a.x + xy * a.y + xz * a.z;
    const vrm_vec3 turned = {vrmi_vec3_dot(a, spin), vrmi_vec3_dot(b, spin), vrmi_vec3_dot(c, spin)};
    return determinant > 1e-12f ? vrmi_vec3_scale(turned, 1.0f / determinant) : vrmi_vec3(0.0f, 0.0f, 0.0f);
}

static bool find_whole(const vrm_ragdoll_def *def, const vrm_ragdoll_state *states, whole *out)
{
    float mass = 0.0f;
    *out = (whole){.speed = 0.0f};
    for (uint32_t i = 0; i < def->body_count; ++i) {
        const float m = def->bodies[i].mass;
        mass += m;
        out->center = vrmi_vec3_add(out->center, vrmi_vec3_scale(center_of(&def->bodies[i], &states[i]), m));
        out->linear = vrmi_vec3_add(out->linear, vrmi_vec3_scale(states[i].linear_velocity, m));
    }
    if (!(mass > 0.0f)) {
        return false;
    }
    out->center = vrmi_vec3_scale(out->center, 1.0f / mass);
    out->linear = vrmi_vec3_scale(out->linear, 1.0f / mass);
    float inertia[6] = {0.0f};
    vrm_vec3 spin = {0.0f, 0.0f, 0.0f};
    for (uint32_t i = 0; i < def->body_count; ++i) {
        const float m = def->bodies[i].mass;
        const vrm_vec3 r = vrmi_vec3_sub(center_of(&def->bodies[i], &states[i]), out->center);
        const vrm_vec3 v = vrmi_vec3_sub(states[i].linear_velocity, out->linear);
        spin = vrmi_vec3_add(spin, vrmi_vec3_scale(vrmi_vec3_cross(r, v), m));
        inertia[0] += m * (r.y * r.y + r.z * r.z);
        inertia[1] += m * (r.x * r.x + r.z * r.z);
        inertia[2] += m * (r.x * r.x + r.y * r.y);
        inertia[3] -= m * r.x * r.y;
        inertia[4] -= m * r.x * r.z;
        inertia[5] -= m * r.y * r.z;
    }
    out->angular = turn_by(inertia, spin);
    const float square = vrmi_vec3_dot(out->linear, out->linear) + vrmi_vec3_dot(out->angular, spin) / mass;
    out->speed = sqrtf(square > 0.0f ? square : 0.0f);
    return vrmi_vec3_finite(out->center) && vrmi_vec3_finite(out->linear) && vrmi_vec3_finite(out->angular);
}

// Whether the body has lost its balance, and neither the animation nor the body's own steps have caught it yet.
static bool is_thrown(const vrm_ragdoll_info *info)
{
    const vrm_ragdoll_balance b = info->balance;
    const bool steps = b == VRM_RAGDOLL_BALANCE_STEPS || b == VRM_RAGDOLL_BALANCE_GATHERS ||
                       b == VRM_RAGDOLL_BALANCE_GAVE_UP || b == VRM_RAGDOLL_BALANCE_STAGGERS;
    return info->phase == VRM_RAGDOLL_PHASE_LIMP || (info->phase == VRM_RAGDOLL_PHASE_ACTIVE && steps);
}

// Lets hair hang from the moment at which the body is thrown until it is back in its animation.
static void hang(scene_carried_hair *hair, vrm_instance *instance, const vrm_ragdoll_info *info, float dt)
{
    const bool down = is_thrown(info) || info->phase > VRM_RAGDOLL_PHASE_LIMP;
    const float before = hair->hanging, change = most_hanging * dt / hanging_time;
    hair->hanging = down ? fminf(hair->hanging + change, most_hanging) : fmaxf(hair->hanging - change, 0.0f);
    if (info->body_count == 0) {
        hair->hanging = 0.0f; // the ragdoll was removed
    }
    if (hair->hanging != before) {
        vrm_spring_params springs = {.struct_size = sizeof springs};
        vrm_instance_get_spring_params(instance, &springs);
        springs.hanging = hair->hanging;
        (void)vrm_instance_set_spring_params(instance, &springs);
    }
}

void scene_carried_hair_frame(scene_carried_hair *hair, vrm_instance *instance, const vrm_ragdoll_def *def,
    const vrm_dvec3 *origin, const vrm_ragdoll_state *states, float dt)
{
    vrm_ragdoll_info info = {.struct_size = sizeof info};
    vrm_instance_get_ragdoll_info(instance, &info);
    hang(hair, instance, &info, dt);
    whole body;
    if (!is_thrown(&info) || states == NULL || !find_whole(def, states, &body)) {
        if (hair->under_way) {
            (void)vrm_instance_set_platform(instance, NULL);
        }
        hair->under_way = false;
        return;
    }
    const vrm_dvec3 center = vrmi_dvec3_add(*origin, vrmi_dvec3_from(body.center));
    if (!hair->under_way) {
        hair->platform = (vrm_root){.translation = center, .rotation = vrmi_quat_identity(), .scale = 1.0f};
        hair->under_way = true;
    } else {
        const float time = dt * (1.0f - felt_speed / sqrtf(felt_speed * felt_speed + body.speed * body.speed));
        const vrm_quat turn = vrmi_quat_from_vector(vrmi_vec3_scale(body.angular, time));
        const vrm_dvec3 arm = vrmi_quat_rotate_double(turn, vrmi_dvec3_sub(hair->platform.translation, center));
        const vrm_dvec3 way = vrmi_dvec3_from(vrmi_vec3_scale(body.linear, time));
        hair->platform.translation = vrmi_dvec3_add(vrmi_dvec3_add(center, way), arm);
        hair->platform.rotation = vrmi_quat_normalize(vrmi_quat_mul(turn, hair->platform.rotation));
    }
    (void)vrm_instance_set_platform(instance, &hair->platform);
}
