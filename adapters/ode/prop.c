// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "internal.h"

#include "base/abi.h"

#include <math.h>
#include <stdlib.h>

void vrmo_geom_rotation(const vrm_ragdoll_shape *shape, dQuaternion out)
{
    dQuaternion rotation;
    vrmo_quat(shape->rotation, rotation);
    // Rotates Z to Y, about X.
    const dQuaternion lay = {M_SQRT1_2, -M_SQRT1_2, 0, 0}, none = {1, 0, 0, 0};
    dQMultiply0(out, rotation, shape->type == VRM_RAGDOLL_SHAPE_CAPSULE ? lay : none);
    dNormalize4(out);
}

dGeomID vrmo_make_geom(dSpaceID space, const vrm_ragdoll_shape *shape, float scale)
{
    const dReal s = (dReal)scale;
    if (shape->type == VRM_RAGDOLL_SHAPE_BOX) {
        const vrm_vec3 h = shape->half_extents;
        return dCreateBox(space, 2 * s * (dReal)h.x, 2 * s * (dReal)h.y, 2 * s * (dReal)h.z);
    }
    const dReal radius = s * (dReal)shape->radius, length = 2 * s * (dReal)shape->half_length;
    return length > 1e-6 ? dCreateCapsule(space, radius, length) : dCreateSphere(space, radius);
}

void(vrm_ode_prop_def_default)(vrm_ode_prop_def *def, size_t size)
{
    const vrm_ode_prop_def own = {.struct_size = sizeof own,
        .shape = {.type = VRM_RAGDOLL_SHAPE_BOX, .rotation = {0, 0, 0, 1}, .half_extents = {0.25f, 0.25f, 0.25f}},
        .mass = 1.0f,
        .rotation = {0, 0, 0, 1}};
    vrmi_write_defaults(def, size, &own, sizeof own);
}

static bool is_length(float x)
{
    return x > 0.0f && x <= 1000.0f;
}

static bool usable(const vrm_ode_prop_def *def)
{
    const vrm_ragdoll_shape *s = &def->shape;
    const bool solid =
        s->type == VRM_RAGDOLL_SHAPE_BOX
            ? is_length(s->half_extents.x) && is_length(s->half_extents.y) && is_length(s->half_extents.z)
            : s->type == VRM_RAGDOLL_SHAPE_CAPSULE && is_length(s->radius) && s->half_length >= 0.0f &&
                  s->half_length <= 1000.0f;
    const vrm_ragdoll_state state = {s->center, def->rotation, def->linear_velocity, def->angular_velocity};
    return solid && def->mass >= 0.0f && def->mass <= 1e6f && vrmo_state_finite(&state) &&
           isfinite(def->position.x + def->position.y + def->position.z);
}

static void set_mass(dBodyID body, const vrm_ragdoll_shape *shape, float mass)
{
    dMass m;
    if (shape->type == VRM_RAGDOLL_SHAPE_BOX) {
        const vrm_vec3 h = shape->half_extents;
        dMassSetBoxTotal(&m, (dReal)mass, 2 * (dReal)h.x, 2 * (dReal)h.y, 2 * (dReal)h.z);
    } else {
        dMassSetCapsuleTotal(&m, (dReal)mass, 3, (dReal)shape->radius, 2 * (dReal)shape->half_length + 1e-9);
    }
    dBodySetMass(body, &m);
}

vrm_result vrm_ode_prop_create(vrm_ode_world *world, const vrm_ode_prop_def *def, vrm_ode_prop **out_prop)
{
    vrm_ode_prop_def known;
    vrm_ode_prop_def_default(&known);
    if (world == NULL || def == NULL || out_prop == NULL || !VRMI_READ_OPTIONS(vrm_ode_prop_def, &known, def) ||
        !usable(&known)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    def = &known;
    vrm_ode_prop *prop = calloc(1, sizeof *prop);
    if (prop == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    vrm_ragdoll_shape shape = def->shape;
    dQuaternion rotation, own, at;
    shape.rotation = (vrm_quat){0, 0, 0, 1}; // a prop has no body frame, so the shape's own rotation is ignored
    vrmo_quat(def->rotation, rotation);
    vrmo_geom_rotation(&shape, own);
    dQMultiply0(at, rotation, own);
    const dReal place[3] = {def->position.x - world->params.origin.x, def->position.y - world->params.origin.y,
        def->position.z - world->params.origin.z};
    prop->world = world;
    prop->geom = vrmo_make_geom(world->space, &shape, 1.0f);
    dGeomSetData(prop->geom, &prop->owner);
    if (def->mass > 0.0f) {
        prop->body = dBodyCreate(world->world);
        set_mass(prop->body, &shape, def->mass);
        dGeomSetBody(prop->geom, prop->body);
        dBodySetPosition(prop->body, place[0], place[1], place[2]);
        dBodySetQuaternion(prop->body, at);
        const vrm_vec3 v = def->linear_velocity, w = def->angular_velocity;
        dBodySetLinearVel(prop->body, (dReal)v.x, (dReal)v.y, (dReal)v.z);
        dBodySetAngularVel(prop->body, (dReal)w.x, (dReal)w.y, (dReal)w.z);
    } else {
        dGeomSetPosition(prop->geom, place[0], place[1], place[2]);
        dGeomSetQuaternion(prop->geom, at);
    }
    prop->next = world->props;
    if (prop->next != NULL) {
        prop->next->previous = prop;
    }
    world->props = prop;
    *out_prop = prop;
    return VRM_SUCCESS;
}

void vrm_ode_prop_destroy(vrm_ode_prop *prop)
{
    if (prop == NULL) {
        return;
    }
    *(prop->previous != NULL ? &prop->previous->next : &prop->world->props) = prop->next;
    if (prop->next != NULL) {
        prop->next->previous = prop->previous;
    }
    dGeomDestroy(prop->geom);
    if (prop->body != NULL) {
        dBodyDestroy(prop->body);
    }
    free(prop);
}

void vrm_ode_prop_get_state(const vrm_ode_prop *prop, const vrm_dvec3 *origin, vrm_ragdoll_state *out_state)
{
    const vrm_ode_world *world = prop->world;
    const dReal *p = dGeomGetPosition(prop->geom);
    dQuaternion q, at;
    dGeomGetQuaternion(prop->geom, q);
    // A capsule is along Z in ODE and along Y in the prop.
    const bool capsule = dGeomGetClass(prop->geom) == dCapsuleClass;
    const dQuaternion stand = {M_SQRT1_2, capsule ? M_SQRT1_2 : 0, 0, 0}, none = {1, 0, 0, 0};
    dQMultiply0(at, q, capsule ? stand : none);
    const vrm_dvec3 base = world->params.origin;
    *out_state = (vrm_ragdoll_state){.position = {(float)(p[0] + base.x - origin->x),
                                         (float)(p[1] + base.y - origin->y), (float)(p[2] + base.z - origin->z)},
        .rotation = {(float)at[1], (float)at[2], (float)at[3], (float)at[0]}};
    if (prop->body != NULL) {
        const dReal *v = dBodyGetLinearVel(prop->body), *w = dBodyGetAngularVel(prop->body);
        out_state->linear_velocity = (vrm_vec3){(float)v[0], (float)v[1], (float)v[2]};
        out_state->angular_velocity = (vrm_vec3){(float)w[0], (float)w[1], (float)w[2]};
    }
}
