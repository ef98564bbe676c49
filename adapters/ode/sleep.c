// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Rest. ODE's own rule compares mean velocities of each body, and limbs that lie on each other tremble above its
// thresholds for ever. Here the whole ragdoll sleeps once no body has moved visibly for a while, and its joints stiffen
// before.

#include "internal.h"

#include <math.h>
#include <string.h>

// A ragdoll is slow below these speeds, m/s and rad/s, and calm while no body moves or turns farther than these
// distances, metres and radians. It sleeps when it has been calm for CALM_TIME, seconds.
#define SLOW_SPEED 0.2f
#define SLOW_TURN 1.0f
#define CALM_WAY 0.005f
#define CALM_ANGLE 0.035f
#define CALM_TIME 0.5f
// While a ragdoll is slow, the friction of its limp joints grows by STIFFENING of its value per second, for at most
// STIFFEST_TIME seconds.
#define STIFFENING 2.0f
#define STIFFEST_TIME 2.0f

dReal vrmo_joint_friction(const vrm_ode_ragdoll *r)
{
    return (dReal)(r->world->params.joint_friction * (1.0f + STIFFENING * fminf(r->drowsy, STIFFEST_TIME)));
}

static float square(vrm_vec3 v)
{
    return v.x * v.x + v.y * v.y + v.z * v.z;
}

// Under the same gravity, smaller figures move like large ones, but with lower speeds and faster rotations, by the
// square root of the size.
static bool is_slow(const vrm_ode_ragdoll *r, const vrm_ragdoll_state *now)
{
    const float speed = SLOW_SPEED * SLOW_SPEED * r->scale, turn = SLOW_TURN * SLOW_TURN / fminf(r->scale, 1.0f);
    for (uint32_t i = 0; i < r->def.body_count; ++i) {
        if (vrmo_is_driven(r, i) || square(now[i].linear_velocity) > speed || square(now[i].angular_velocity) > turn) {
            return false;
        }
    }
    return true;
}

static bool is_calm(const vrm_ode_ragdoll *r, const vrm_ragdoll_state *now)
{
    const float way = CALM_WAY * r->scale, half_angle = 0.5f * CALM_ANGLE;
    for (uint32_t i = 0; i < r->def.body_count; ++i) {
        const vrm_vec3 p = now[i].position, q = r->calm_states[i].position;
        const vrm_quat a = now[i].rotation, b = r->calm_states[i].rotation;
        const float dot = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
        if (square((vrm_vec3){p.x - q.x, p.y - q.y, p.z - q.z}) > way * way ||
            1.0f - dot * dot > half_angle * half_angle) {
            return false;
        }
    }
    return true;
}

static void fall_asleep(vrm_ode_ragdoll *r)
{
    for (uint32_t i = 0; i < r->def.body_count; ++i) {
        const dBodyID body = r->bodies[i].body;
        dBodySetLinearVel(body, 0, 0, 0);
        dBodySetAngularVel(body, 0, 0, 0);
        dBodyDisable(body);
    }
    r->asleep = true;
}

bool vrm_ode_ragdoll_is_asleep(const vrm_ode_ragdoll *r)
{
    for (uint32_t i = 0; i < r->def.body_count; ++i) {
        if (dBodyIsEnabled(r->bodies[i].body)) {
            return false;
        }
    }
    return true;
}

void vrmo_rest(vrm_ode_ragdoll *r, float h)
{
    vrm_ragdoll_state now[VRM_RAGDOLL_MAX_BODIES];
    if (vrm_ode_ragdoll_is_asleep(r)) {
        return;
    }
    vrmo_states(r, now);
    const bool slow = is_slow(r, now), calm = slow && !r->asleep && is_calm(r, now); // `asleep`: something woke it
    r->asleep = false;
    r->drowsy = slow ? r->drowsy + h : 0.0f;
    r->calm = calm ? r->calm + h : 0.0f;
    if (!calm) {
        memcpy(r->calm_states, now, sizeof now);
    } else if (r->calm >= CALM_TIME) {
        fall_asleep(r);
    }
}
