// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Creates a definition's bodies in ODE. An ODE body has its origin at the centre of mass, and the axes of the
// definition's body.

#include "base/abi.h"
#include "internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_PUSH 0.1f

// --- making and ending -----------------------------------------------------------------------------------------------

static void set_mass(const vrm_ragdoll_body *body, float scale, dBodyID out)
{
    const dReal s = (dReal)scale, volume = s * s * s;
    const dReal moments[3] = {(dReal)body->inertia.x, (dReal)body->inertia.y, (dReal)body->inertia.z};
    dQuaternion q;
    dReal tensor[3][3] = {{0}};
    vrmo_quat(body->inertia_rotation, q);
    for (int axis = 0; axis < 3; ++axis) {
        const dReal unit[3] = {axis == 0, axis == 1, axis == 2};
        dReal turned[3];
        vrmo_rotate(q, unit, turned);
        for (int i = 0; i < 3; ++i) {
            for (int k = 0; k < 3; ++k) {
                tensor[i][k] += moments[axis] * turned[i] * turned[k] * volume * s * s;
            }
        }
    }
    dMass m;
    dMassSetParameters(&m, (dReal)body->mass * volume, 0, 0, 0, tensor[0][0], tensor[1][1], tensor[2][2], tensor[0][1],
        tensor[0][2], tensor[1][2]);
    dBodySetMass(out, &m);
}

static void destroy_bodies(vrm_ode_ragdoll *r)
{
    for (uint32_t i = 0; i < r->def.body_count; ++i) {
        vrmo_body *b = &r->bodies[i];
        const dJointID joints[3] = {b->joint, b->limit, b->motor};
        for (int k = 0; k < 3; ++k) {
            if (joints[k] != NULL) {
                dJointDestroy(joints[k]);
            }
        }
        if (b->body != NULL) {
            dGeomDestroy(b->geom);
            dGeomDestroy(b->wanted_geom);
            dBodyDestroy(b->body);
        }
        *b = (vrmo_body){.owner = {r, i}, .motion = VRM_RAGDOLL_MOTION_DYNAMIC};
    }
}

static void make_body(vrm_ode_ragdoll *r, uint32_t i)
{
    const vrm_ragdoll_body *body = &r->def.bodies[i];
    vrmo_body *b = &r->bodies[i];
    const dReal s = (dReal)r->scale;
    const vrm_vec3 c = body->shape.center, m = body->center_of_mass;
    dQuaternion rotation;
    b->body = dBodyCreate(r->world->world);
    dBodySetAutoDisableFlag(b->body, 0);
    set_mass(body, r->scale, b->body);
    b->geom = vrmo_make_geom(r->world->space, &body->shape, r->scale);
    b->wanted_geom = vrmo_make_geom(NULL, &body->shape, r->scale);
    dGeomSetData(b->geom, &b->owner);
    dGeomSetBody(b->geom, b->body);
    dGeomSetOffsetPosition(b->geom, s * (dReal)(c.x - m.x), s * (dReal)(c.y - m.y), s * (dReal)(c.z - m.z));
    vrmo_geom_rotation(&body->shape, rotation);
    dGeomSetOffsetQuaternion(b->geom, rotation);
}

void vrmo_build(vrm_ode_ragdoll *r, float scale)
{
    vrm_ragdoll_state rest[VRM_RAGDOLL_MAX_BODIES];
    destroy_bodies(r);
    r->scale = scale;
    r->mass = 0;
    for (uint32_t i = 0; i < r->def.body_count; ++i) {
        const vrm_ragdoll_body *body = &r->def.bodies[i];
        r->mass += (dReal)(body->mass * scale * scale * scale);
        rest[i] = (vrm_ragdoll_state){.rotation = {0, 0, 0, 1}};
        if (body->parent >= 0) {
            const vrm_vec3 p = rest[body->parent].position, a = body->joint.anchor;
            rest[i].position = (vrm_vec3){p.x + a.x * scale, p.y + a.y * scale, p.z + a.z * scale};
        }
        make_body(r, i);
        r->bodies[i].anchor = r->bodies[i].next_anchor = body->joint.anchor;
        vrmo_put(r, i, &rest[i]);
        if (body->parent >= 0) {
            vrmo_make_joint(r, i);
        }
    }
}

vrm_result vrm_ode_ragdoll_create(
    vrm_ode_world *world, const vrm_ragdoll_def *def, vrm_ode_drive drive, vrm_ode_ragdoll **out_ragdoll)
{
    if (world == NULL || out_ragdoll == NULL || (uint32_t)drive >= VRM_ODE_DRIVE_COUNT ||
        vrm_ragdoll_def_check(def, NULL) != VRM_SUCCESS) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    vrm_ode_ragdoll *r = calloc(1, sizeof *r);
    if (r == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    r->world = world;
    r->def = *def;
    r->drive = drive;
    vrmo_build(r, 1.0f);
    r->next = world->ragdolls;
    if (r->next != NULL) {
        r->next->previous = r;
    }
    world->ragdolls = r;
    *out_ragdoll = r;
    return VRM_SUCCESS;
}

void vrm_ode_ragdoll_destroy(vrm_ode_ragdoll *r)
{
    if (r == NULL) {
        return;
    }
    destroy_bodies(r);
    *(r->previous != NULL ? &r->previous->next : &r->world->ragdolls) = r->next;
    if (r->next != NULL) {
        r->next->previous = r->previous;
    }
    free(r->impulses);
    free(r);
}

// --- targets in ------------------------------------------------------------------------------------------------------

static bool target_usable(const vrm_ragdoll_target *t)
{
    const float numbers[] = {t->rotation_weight, t->translation_weight, t->frequency, t->damping_ratio, t->max_torque,
        t->pin_frequency, t->load};
    const vrm_vec3 a = t->linear_acceleration, w = t->angular_acceleration;
    bool good = vrmo_state_finite(&t->state) && isfinite(a.x + a.y + a.z + w.x + w.y + w.z) &&
                (uint32_t)t->motion <= VRM_RAGDOLL_MOTION_DYNAMIC;
    for (uint32_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
        good = good && numbers[i] >= 0.0f && numbers[i] < 1e9f;
    }
    return good;
}

static vrm_vec3 moved_by(vrm_vec3 p, const vrm_dvec3 *from, const vrm_dvec3 *to)
{
    return (vrm_vec3){(float)((double)p.x + from->x - to->x), (float)((double)p.y + from->y - to->y),
        (float)((double)p.z + from->z - to->z)};
}

static void keep_impulses(vrm_ode_ragdoll *r, const vrm_ragdoll_targets *targets)
{
    for (uint32_t i = 0; i < targets->impulse_count; ++i) {
        vrm_ragdoll_impulse one = targets->impulses[i];
        const vrm_vec3 p = one.point, j = one.impulse;
        if (one.body >= r->def.body_count || !isfinite(p.x + p.y + p.z + j.x + j.y + j.z)) {
            r->status |= VRM_ODE_INPUT_NOT_FINITE;
            continue;
        }
        if (r->impulse_count == r->impulse_capacity) {
            const uint32_t more = r->impulse_capacity * 2 + 8;
            vrm_ragdoll_impulse *room = realloc(r->impulses, more * sizeof *room);
            if (room == NULL) {
                return; // out of memory: this impulse and those after it are skipped
            }
            r->impulses = room;
            r->impulse_capacity = more;
        }
        one.point = moved_by(p, &targets->origin, &r->world->params.origin);
        r->impulses[r->impulse_count++] = one;
    }
}

static void keep_anchors(vrm_ode_ragdoll *r, const vrm_ragdoll_targets *targets)
{
    for (uint32_t i = 1; i < r->def.body_count; ++i) {
        const vrm_vec3 a = targets->anchors != NULL ? targets->anchors[i] : r->def.bodies[i].joint.anchor;
        const bool usable = isfinite(a.x + a.y + a.z);
        r->bodies[i].next_anchor = usable ? a : r->def.bodies[i].joint.anchor;
        r->status |= usable ? 0u : (uint32_t)VRM_ODE_INPUT_NOT_FINITE;
    }
}

void vrm_ode_ragdoll_set_targets(vrm_ode_ragdoll *r, const vrm_ragdoll_targets *given)
{
    if (r == NULL || given == NULL) {
        return;
    }
    vrm_ragdoll_targets known = {.active = false};
    const vrm_ragdoll_targets *targets = &known;
    const vrm_dvec3 *origin = &targets->origin;
    bool good = VRMI_READ_OPTIONS(vrm_ragdoll_targets, &known, given) && targets->body_count == r->def.body_count &&
                isfinite(origin->x + origin->y + origin->z) && targets->root.scale > 0.0f &&
                targets->root.scale <= 1000.0f;
    for (uint32_t i = 0; good && i < r->def.body_count; ++i) {
        good = target_usable(&targets->bodies[i]);
    }
    if (!good) {
        r->status |= VRM_ODE_INPUT_NOT_FINITE;
        return;
    }
    const bool placed = r->put && r->has_targets && targets->moved == r->moved;
    r->targets = *targets;
    r->targets.bodies = r->wanted;
    r->targets.places = NULL;
    r->targets.impulses = NULL;
    r->targets.anchors = NULL;
    for (uint32_t i = 0; i < r->def.body_count; ++i) {
        r->wanted[i] = targets->bodies[i];
        r->wanted[i].state.position = moved_by(r->wanted[i].state.position, origin, &r->world->params.origin);
    }
    if (!placed || targets->root.scale != r->scale) {
        if (targets->root.scale != r->scale) {
            vrmo_build(r, targets->root.scale);
        }
        for (uint32_t i = 0; i < r->def.body_count; ++i) {
            const bool told = targets->places != NULL && vrmo_state_finite(&targets->places[i]);
            vrm_ragdoll_state state = told ? targets->places[i] : targets->bodies[i].state;
            state.position = moved_by(state.position, origin, &r->world->params.origin);
            vrmo_put(r, i, &state);
        }
    }
    r->has_targets = r->put = true;
    r->moved = targets->moved;
    keep_anchors(r, targets);
    vrmo_admit_ground(r);
    vrmo_place_wanted(r);
    if (!placed) {
        vrmo_move_anchors(r, 1.0f, 1.0f); // joints are assembled in the first target pose
    }
    keep_impulses(r, targets);
}

// --- the step --------------------------------------------------------------------------------------------------------

static void set_motion(vrm_ode_ragdoll *r, uint32_t i, vrm_ragdoll_motion motion)
{
    vrmo_body *b = &r->bodies[i];
    if (motion == VRM_RAGDOLL_MOTION_OFF) {
        vrm_ragdoll_state state = r->wanted[i].state;
        vrmo_put(r, i, &state);
    }
    if (motion == b->motion) {
        return;
    }
    b->motion = motion;
    if (motion == VRM_RAGDOLL_MOTION_DYNAMIC) {
        dBodySetDynamic(b->body);
        set_mass(&r->def.bodies[i], r->scale, b->body);
    } else {
        dBodySetKinematic(b->body);
    }
    dBodyEnable(b->body);
}

void vrmo_begin_frame(vrm_ode_ragdoll *r)
{
    if (!r->has_targets) {
        r->impulse_count = 0;
        return;
    }
    for (uint32_t i = 0; i < r->def.body_count; ++i) {
        set_motion(r, i, r->targets.active ? r->wanted[i].motion : VRM_RAGDOLL_MOTION_OFF);
    }
}

// The velocity drive would undo most of an impulse that arrives in parts, so it gets the whole at once.
void vrmo_push(vrm_ode_ragdoll *r, float h, float dt, bool first)
{
    const bool at_once = r->has_targets && r->targets.drive == VRM_RAGDOLL_DRIVE_VELOCITY;
    const dReal rate = at_once ? (first ? 1 / (dReal)h : 0) : 1 / (dReal)dt;
    for (uint32_t i = 0; i < r->impulse_count; ++i) {
        const vrm_ragdoll_impulse *one = &r->impulses[i];
        const vrm_vec3 j = one->impulse, p = one->point;
        const dBodyID body = r->bodies[one->body].body;
        dBodyEnable(body);
        dBodyAddForceAtPos(
            body, rate * (dReal)j.x, rate * (dReal)j.y, rate * (dReal)j.z, (dReal)p.x, (dReal)p.y, (dReal)p.z);
    }
}

// Moves a kinematic body by its velocity instead of its position, so that ODE's joints account for the motion.
static void lead(vrm_ode_ragdoll *r, uint32_t i, const vrm_ragdoll_state *now, float left)
{
    const vrm_ragdoll_state *wanted = &r->wanted[i].state;
    const vrm_quat back = {-now->rotation.x, -now->rotation.y, -now->rotation.z, now->rotation.w};
    dQuaternion to, from, way;
    dReal before[3], after[3], spin = 0;
    vrmo_quat(wanted->rotation, to);
    vrmo_quat(back, from);
    dQMultiply0(way, to, from);
    const dReal sine = sqrt(way[1] * way[1] + way[2] * way[2] + way[3] * way[3]);
    if (sine > 1e-12) {
        spin = 2 * atan2(way[0] < 0 ? -sine : sine, fabs(way[0])) / sine / (dReal)left;
    }
    vrmo_quat(now->rotation, from);
    vrmo_center_of(r, i, from, before);
    vrmo_center_of(r, i, to, after);
    const dReal rate = 1 / (dReal)left;
    const dBodyID body = r->bodies[i].body;
    dBodyEnable(body);
    dBodySetAngularVel(body, spin * way[1], spin * way[2], spin * way[3]);
    dBodySetLinearVel(body, rate * ((dReal)(wanted->position.x - now->position.x) + after[0] - before[0]),
        rate * ((dReal)(wanted->position.y - now->position.y) + after[1] - before[1]),
        rate * ((dReal)(wanted->position.z - now->position.z) + after[2] - before[2]));
}

static void set_velocities(vrm_ode_ragdoll *r, const vrm_ragdoll_drive_params *in)
{
    vrm_ragdoll_velocity v[VRM_RAGDOLL_MAX_BODIES];
    if (r->drive == VRM_ODE_DRIVE_PLAIN || r->drive == VRM_ODE_DRIVE_ARTICLE) {
        vrm_ragdoll_drive_velocities_plain(in, v);
    } else {
        vrm_ragdoll_drive_velocities(in, v);
    }
    bool driven = false;
    for (uint32_t i = 0; i < r->def.body_count; ++i) {
        driven = driven || r->wanted[i].rotation_weight > 0.0f || r->wanted[i].translation_weight > 0.0f;
    }
    for (uint32_t i = 0; driven && i < r->def.body_count; ++i) {
        const dBodyID body = r->bodies[i].body;
        if (r->bodies[i].motion == VRM_RAGDOLL_MOTION_DYNAMIC) {
            dBodyEnable(body);
            dBodySetLinearVel(body, (dReal)v[i].linear.x, (dReal)v[i].linear.y, (dReal)v[i].linear.z);
            dBodySetAngularVel(body, (dReal)v[i].angular.x, (dReal)v[i].angular.y, (dReal)v[i].angular.z);
        }
    }
}

// A drive torque does not account for an impulse that arrives after the torque was computed; without a limit, torque
// and impulse would amplify each other. No joint is stronger than the torque that lifts the whole body on a lever of
// its own height. No joint may rotate the bodies below it by more than MAX_PUSH radians in a step.
static float strongest(const vrm_ode_ragdoll *r)
{
    return 9.81f * (float)r->mass * (r->def.height > 0.0f ? r->def.height : 1.6f) * r->scale;
}

// Where motors are the springs, forces are needed only to hold bodies relative to the world: the root's rotation and the
// pins.
static void add_torques(vrm_ode_ragdoll *r, const vrm_ragdoll_drive_params *in)
{
    vrm_ragdoll_target wanted[VRM_RAGDOLL_MAX_BODIES];
    vrm_ragdoll_wrench wrench[VRM_RAGDOLL_MAX_BODIES];
    vrm_ragdoll_drive_params own = *in;
    bool driven = false;
    const float most = strongest(r);
    memcpy(wanted, r->aims, sizeof wanted);
    for (uint32_t i = 0; i < r->def.body_count; ++i) {
        wanted[i].frequency = vrmo_has_motor(r, i) ? 0.0f : wanted[i].frequency;
        const float own_most = wanted[i].max_torque;
        const float push = i > 0 ? MAX_PUSH * (float)r->bodies[i].spring_inertia / (in->dt * in->dt) : most;
        wanted[i].max_torque = fminf(most, push);
        if (own_most > 0.0f) {
            wanted[i].max_torque = fminf(wanted[i].max_torque, own_most);
        }
        driven = driven || wanted[i].frequency > 0.0f || wanted[i].pin_frequency > 0.0f || wanted[i].load > 0.0f;
    }
    if (!driven) {
        return;
    }
    own.targets = wanted;
    vrm_ragdoll_drive_torques(&own, wrench);
    for (uint32_t i = 0; i < r->def.body_count; ++i) {
        const vrm_vec3 t = wrench[i].torque, f = wrench[i].force;
        if (r->bodies[i].motion == VRM_RAGDOLL_MOTION_DYNAMIC && isfinite(t.x + t.y + t.z + f.x + f.y + f.z)) {
            dBodyEnable(r->bodies[i].body);
            dBodyAddTorque(r->bodies[i].body, (dReal)t.x, (dReal)t.y, (dReal)t.z);
            dBodyAddForce(r->bodies[i].body, (dReal)f.x, (dReal)f.y, (dReal)f.z);
        }
    }
}

void vrmo_drive(vrm_ode_ragdoll *r, float h, float left, float dt)
{
    const bool active = r->has_targets && r->targets.active;
    const bool by_torque = active && r->targets.drive == VRM_RAGDOLL_DRIVE_TORQUE;
    vrmo_move_anchors(r, h, left);
    if (active) {
        vrm_ragdoll_state now[VRM_RAGDOLL_MAX_BODIES];
        vrmo_states(r, now);
        vrm_ragdoll_drive_params in;
        vrm_ragdoll_drive_params_default(&in);
        in.def = &r->def;
        in.states = now;
        in.targets = r->wanted;
        in.scale = r->scale;
        in.gravity = r->world->params.gravity;
        in.velocity_mode =
            r->drive == VRM_ODE_DRIVE_ARTICLE ? VRM_RAGDOLL_VELOCITY_MODE_ARTICLE : VRM_RAGDOLL_VELOCITY_MODE_DEFAULT;
        in.dt = by_torque ? h : left; // velocities reach their targets at the end of the frame
        for (uint32_t i = 0; i < r->def.body_count; ++i) {
            if (r->bodies[i].motion == VRM_RAGDOLL_MOTION_KINEMATIC) {
                lead(r, i, &now[i], left);
            }
        }
        if (by_torque) {
            vrmo_aim_targets(r, h, left, dt);
            add_torques(r, &in);
        } else {
            set_velocities(r, &in);
        }
    }
    vrmo_aim_motors(r, h);
    vrmo_aim_limits(r, h);
}

// --- states out ------------------------------------------------------------------------------------------------------

void vrm_ode_ragdoll_get_states(
    const vrm_ode_ragdoll *r, const vrm_dvec3 *origin, vrm_ragdoll_state *out_states, uint32_t count)
{
    vrm_ragdoll_state states[VRM_RAGDOLL_MAX_BODIES];
    vrmo_states(r, states);
    for (uint32_t i = 0; i < r->def.body_count && i < count; ++i) {
        out_states[i] = states[i];
        out_states[i].position = moved_by(states[i].position, &r->world->params.origin, origin);
    }
}

uint32_t vrm_ode_ragdoll_take_status(vrm_ode_ragdoll *r)
{
    const uint32_t status = r->status;
    r->status = 0;
    return status;
}

static dReal distance_of_ends(const vrm_ode_ragdoll *r, uint32_t i)
{
    dVector3 a = {0}, b = {0};
    dJointGetBallAnchor(r->bodies[i].joint, a);
    dJointGetBallAnchor2(r->bodies[i].joint, b);
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

void vrm_ode_ragdoll_measure(const vrm_ode_ragdoll *r, vrm_ode_measure *out)
{
    vrm_ragdoll_state states[VRM_RAGDOLL_MAX_BODIES];
    const vrm_vec3 g = r->world->params.gravity;
    dReal kinetic = 0, potential = 0;
    vrm_ode_measure measure = {.penetration = (float)r->deepest};
    vrmo_states(r, states);
    for (uint32_t i = 0; i < r->def.body_count; ++i) {
        const dBodyID body = r->bodies[i].body;
        const dReal *p = dBodyGetPosition(body), *v = dBodyGetLinearVel(body), *w = dBodyGetAngularVel(body);
        dMass m;
        dVector3 local, turned;
        dBodyGetMass(body, &m);
        dBodyVectorFromWorld(body, w[0], w[1], w[2], local);
        dMultiply0_331(turned, m.I, local);
        kinetic += 0.5 * m.mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        kinetic += 0.5 * (local[0] * turned[0] + local[1] * turned[1] + local[2] * turned[2]);
        potential -= m.mass * ((dReal)g.x * p[0] + (dReal)g.y * p[1] + (dReal)g.z * p[2]);
        if (r->bodies[i].joint != NULL) {
            const float drift = (float)distance_of_ends(r, i), beyond = vrmo_violation(r, i, states);
            measure.joint_drift = drift > measure.joint_drift ? drift : measure.joint_drift;
            measure.limit_violation = beyond > measure.limit_violation ? beyond : measure.limit_violation;
        }
    }
    measure.kinetic = (float)kinetic;
    measure.potential = (float)potential;
    (void)VRMI_WRITE_OUTPUT(vrm_ode_measure, out, &measure);
}
