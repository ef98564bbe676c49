// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Where everything is that springs hang on or meet: drivers from the world matrices, interpolated to the step at hand or
// taken from the joint that they hang on, and the colliders on them.

#include "runtime/spring/spring_place.h"

#include "runtime/core/kernel_matrix.h"
#include "runtime/spring/kernel_spring_lanes.h"

// --- spaces --------------------------------------------------------------------------------------------------------

static const vrm_mat34 *node_world(const vrm_instance *instance, int32_t node)
{
    return node >= 0 ? &instance->world[node] : &instance->root_world;
}

static float inverse_root_scale(const vrm_instance *instance)
{
    return 1.0f / instance->root.scale;
}

// A vector in a node's local space with the scales of the node and of all above but the root applied, still in the
// node's axes. The world matrix may have another rotation by now than the node will get: only its scale counts here.
vrm_vec3 vrmi_spring_scaled(const vrm_instance *instance, int32_t node, vrm_vec3 v)
{
    if (!instance->springs.scaled) {
        return v; // the way there and back would round
    }
    const vrm_quat rotation = node >= 0 ? instance->world_rotation[node] : instance->root_rotation;
    const vrm_vec3 turned = vrmi_mat34_vector(node_world(instance, node), v);
    const vrm_vec3 back = vrmi_quat_rotate(vrmi_quat_conjugate(rotation), turned);
    return vrmi_vec3_scale(back, inverse_root_scale(instance));
}

// Where a node is in the local space of an ancestor (-1: the space above the roots), and the rotation from the node's
// parent to the ancestor: through the nodes between, which no spring turns.
vrm_vec3 vrmi_spring_path_to(const vrm_instance *instance, int32_t node, int32_t ancestor, vrm_quat *out_rotation)
{
    const int32_t *parents = vrmi_model_node_parent(instance->model);
    vrm_vec3 position = instance->local[node].translation;
    *out_rotation = vrmi_quat_identity();
    for (int32_t n = parents[node]; n != ancestor && n >= 0; n = parents[n]) {
        const vrm_transform *local = &instance->local[n];
        position =
            vrmi_vec3_add(local->translation, vrmi_quat_rotate(local->rotation, vrmi_vec3_mul(local->scale, position)));
        *out_rotation = vrmi_quat_mul(local->rotation, *out_rotation);
    }
    return position;
}

// --- drivers -------------------------------------------------------------------------------------------------------

static vrmi_spring_pose world_pose(const vrm_instance *instance, int32_t node)
{
    return (vrmi_spring_pose){
        vrmi_vec3_scale(vrmi_mat34_translation(node_world(instance, node)), inverse_root_scale(instance)),
        vrmi_quat_normalize(node >= 0 ? instance->world_rotation[node] : instance->root_rotation)};
}

uint32_t vrmi_spring_driver_rows(const vrm_instance *instance)
{
    return instance->springs.driver_count + instance->def.host_colliders;
}

// Forgets where a host's collider was.
void vrmi_spring_forget_host(vrm_instance *instance, uint32_t slot)
{
    vrmi_spring_host *host = &instance->spring_host[slot];
    vrmi_spring_driver *driver = &instance->spring_driver[instance->springs.driver_count + slot];
    for (int k = 0; k < 3; ++k) {
        host->last_offset[k] = host->collider.offset[k];
        host->last_tail[k] = host->collider.tail[k];
    }
    if (driver->node != -2) {
        driver->last = driver->tick = world_pose(instance, driver->node);
    }
    host->jumped = false;
}

// Nodes are looked through only after something has given one a scale, and while one has it.
static bool find_scale(vrm_instance *instance)
{
    vrmi_spring_globals *springs = &instance->springs;
    const uint32_t nodes = instance->model->node_parent.count;
    springs->scaled = springs->may_scale && vrmi_kernel_has_scale(instance->local, nodes);
    springs->may_scale = springs->scaled || (springs->may_scale && vrmi_kernel_has_scale(instance->input, nodes));
    return springs->scaled;
}

void vrmi_spring_refresh_drivers(vrm_instance *instance)
{
    const vrm_spring_joint *joints = vrmi_model_spring_joint(instance->model);
    const bool scaled = find_scale(instance);
    const bool in_lanes = !scaled && instance->lanes != VRMI_LANES_NONE;
    if (in_lanes) {
        vrmi_spring_kernels_of(instance->lanes)->drivers(instance, vrmi_spring_driver_rows(instance));
    }
    for (uint32_t i = 0; i < vrmi_spring_driver_rows(instance); ++i) {
        vrmi_spring_driver *driver = &instance->spring_driver[i];
        if (driver->node == -2) {
            continue;
        }
        driver->scale =
            scaled ? vrmi_mat34_max_scale(node_world(instance, driver->node)) * inverse_root_scale(instance) : 1.0f;
        if (driver->carrier < 0) {
            if (!in_lanes) {
                driver->now = world_pose(instance, driver->node);
            }
            continue;
        }
        const int32_t carrier = (int32_t)joints[driver->carrier].node;
        driver->now = (vrmi_spring_pose){{0.0f, 0.0f, 0.0f}, vrmi_quat_identity()};
        if (driver->node != carrier) {
            vrm_quat above;
            const vrm_vec3 position = vrmi_spring_path_to(instance, driver->node, carrier, &above);
            driver->now.position = vrmi_spring_scaled(instance, carrier, position);
            driver->now.rotation = vrmi_spring_unit(vrmi_quat_mul(above, instance->local[driver->node].rotation));
        }
    }
    for (uint32_t i = 0; i < instance->def.host_colliders; ++i) {
        if (instance->spring_host[i].jumped) {
            vrmi_spring_forget_host(instance, i);
        }
    }
}

void vrmi_spring_keep_drivers(vrm_instance *instance)
{
    for (uint32_t i = 0; i < vrmi_spring_driver_rows(instance); ++i) {
        vrmi_spring_driver *driver = &instance->spring_driver[i];
        driver->last = driver->carrier < 0 ? driver->now : driver->last;
    }
    for (uint32_t i = 0; i < instance->def.host_colliders; ++i) {
        vrmi_spring_host *host = &instance->spring_host[i];
        for (int k = 0; k < 3; ++k) {
            host->last_offset[k] = host->collider.offset[k];
            host->last_tail[k] = host->collider.tail[k];
        }
    }
}

// Between two updates' poses. Each is seen from its root, whose rotation is interpolated by itself: so a turning root
// takes all on an arc, the one on which hair is carried when it is not to feel the turn.
static vrmi_spring_pose pose_between(const vrm_instance *instance, const vrmi_spring_driver *driver, float t)
{
    const vrm_quat was = instance->springs.root.rotation, is = instance->root.rotation;
    if (was.x == is.x && was.y == is.y && was.z == is.z && was.w == is.w) { // the way there and back would round
        return (vrmi_spring_pose){vrmi_vec3_lerp(driver->last.position, driver->now.position, t),
            vrmi_quat_nlerp(driver->last.rotation, driver->now.rotation, t)};
    }
    const vrm_quat from_was = vrmi_quat_conjugate(was), from_is = vrmi_quat_conjugate(is);
    const vrm_quat root = vrmi_quat_nlerp(was, is, t);
    const vrm_vec3 position = vrmi_vec3_lerp(
        vrmi_quat_rotate(from_was, driver->last.position), vrmi_quat_rotate(from_is, driver->now.position), t);
    const vrm_quat rotation = vrmi_quat_nlerp(
        vrmi_quat_mul(from_was, driver->last.rotation), vrmi_quat_mul(from_is, driver->now.rotation), t);
    return (vrmi_spring_pose){vrmi_quat_rotate(root, position), vrmi_spring_unit(vrmi_quat_mul(root, rotation))};
}

// Poses for a step: between the two updates, or, on a joint, where it was at the last tick until the joint moves it.
void vrmi_spring_place_drivers(vrm_instance *instance, const vrmi_spring_step *step)
{
    const vrmi_spring_carry carry = vrmi_spring_step_carry(step);
    const bool is_tick = vrmi_spring_step_is_kept(step);
    const float t = (float)step->between;
    for (uint32_t i = 0; i < vrmi_spring_driver_rows(instance); ++i) {
        vrmi_spring_driver *driver = &instance->spring_driver[i];
        if (driver->carrier >= 0) {
            driver->pose = driver->tick;
            vrmi_spring_carry_pose(&carry, &driver->pose);
        } else if (step->between > 1.0 - 1e-6) {
            driver->pose = driver->now; // exactly, which interpolation is not
        } else {
            driver->pose = pose_between(instance, driver, t);
        }
        if (is_tick && driver->carrier < 0) {
            driver->tick = driver->pose;
        }
    }
}

// Where the driver will be when the tick that is under way ends, if it goes on as since the last one.
static vrmi_spring_pose pose_ahead(const vrmi_spring_driver *driver, const vrmi_spring_step *step)
{
    const vrmi_spring_carry carry = vrmi_spring_step_carry(step);
    vrmi_spring_pose tick = driver->tick;
    vrmi_spring_carry_pose(&carry, &tick);
    const float t = 1.0f / step->part;
    return (vrmi_spring_pose){vrmi_vec3_lerp(tick.position, driver->pose.position, t),
        vrmi_quat_nlerp(tick.rotation, driver->pose.rotation, t)};
}

// Gives a joint's pose to all that hangs on it. `*cursor` runs over the carried drivers beside the joints.
void vrmi_spring_carry_drivers(
    vrm_instance *instance, uint32_t joint, const vrmi_spring_pose *pose, bool is_tick, uint32_t *cursor)
{
    for (; *cursor < instance->springs.carried_count; ++*cursor) {
        vrmi_spring_driver *driver = &instance->spring_driver[instance->spring_carried[*cursor]];
        if ((uint32_t)driver->carrier > joint) {
            return;
        }
        driver->pose = vrmi_spring_compose(pose, &driver->now);
        if (is_tick) {
            driver->tick = driver->pose;
        }
    }
}

// --- colliders -----------------------------------------------------------------------------------------------------

// Fills in what follows from the shape, `a`, and `b` as it comes: capsule's span or plane's normal.
static void finish_collider(vrm_collider_shape shape, vrmi_spring_collider *out)
{
    const vrm_vec3 zero = {0.0f, 0.0f, 0.0f};
    out->inverse = 0.0f;
    out->side = vrmi_spring_side(shape);
    if (shape == VRM_COLLIDER_PLANE) {
        out->b = vrmi_vec3_normalize_or(out->b, (vrm_vec3){0.0f, 0.0f, 1.0f});
    } else if (vrmi_spring_is_capsule(shape)) {
        const float squared = vrmi_vec3_dot(out->b, out->b);
        out->inverse = squared > 1e-18f ? 1.0f / squared : 0.0f;
    } else {
        out->b = zero;
    }
}

static void place_collider(const vrm_instance *instance, const vrmi_spring_driver *driver, const vrmi_spring_pose *pose,
    const vrm_collider *collider, vrmi_spring_collider *out)
{
    const bool is_plane = collider->shape == VRM_COLLIDER_PLANE;
    const vrm_vec3 b = is_plane ? collider->tail : vrmi_vec3_sub(collider->tail, collider->offset);
    const vrm_vec3 offset = vrmi_spring_scaled(instance, driver->node, collider->offset);
    out->a = vrmi_vec3_add(pose->position, vrmi_quat_rotate(pose->rotation, offset));
    out->b = vrmi_quat_rotate(pose->rotation, is_plane ? b : vrmi_spring_scaled(instance, driver->node, b));
    out->radius = collider->radius * driver->scale;
    finish_collider(collider->shape, out);
}

static vrm_vec3 to_float(const double *v)
{
    return (vrm_vec3){(float)v[0], (float)v[1], (float)v[2]};
}

// `ahead`: at the end of the tick under way; else at this step.
static const vrmi_spring_pose *pose_to_meet(vrmi_spring_driver *driver, const vrmi_spring_step *step, bool ahead)
{
    if (ahead && driver->carrier >= 0) { // a joint has moved it since
        driver->ahead = pose_ahead(driver, step);
    }
    return ahead ? &driver->ahead : &driver->pose;
}

static void place_own_collider(vrm_instance *instance, uint32_t index, const vrmi_spring_step *step, bool ahead)
{
    vrmi_spring_driver *driver = &instance->spring_driver[instance->spring_collider_driver[index]];
    place_collider(instance, driver, pose_to_meet(driver, step, ahead), &vrmi_model_collider(instance->model)[index],
        &instance->spring_collider[index]);
}

static void place_host_collider(vrm_instance *instance, uint32_t slot, const vrmi_spring_step *step, bool ahead)
{
    const vrmi_spring_host *host = &instance->spring_host[slot];
    const vrm_host_collider *collider = &host->collider;
    vrmi_spring_collider *out = &instance->spring_host_collider[slot];
    out->chain = host->used && collider->enabled ? collider->chain : -2;
    if (out->chain == -2) {
        return;
    }
    if (collider->node >= 0) {
        vrmi_spring_driver *driver = &instance->spring_driver[instance->springs.driver_count + slot];
        const vrm_collider fixed = {collider->shape, (uint32_t)collider->node, to_float(collider->offset),
            to_float(collider->tail), collider->radius};
        place_collider(instance, driver, pose_to_meet(driver, step, ahead), &fixed, out);
        return;
    }
    const vrm_root *from = &instance->springs.root, *to = &instance->root;
    const double t = step->between, scale = 1.0 / (double)instance->root.scale;
    double a[3], b[3];
    for (int k = 0; k < 3; ++k) {
        const double origin = from->translation[k] + (to->translation[k] - from->translation[k]) * t;
        const double offset = host->last_offset[k] + (collider->offset[k] - host->last_offset[k]) * t;
        const double tail = host->last_tail[k] + (collider->tail[k] - host->last_tail[k]) * t;
        a[k] = (offset - origin) * scale;
        b[k] = collider->shape == VRM_COLLIDER_PLANE ? tail : (tail - offset) * scale;
    }
    out->a = to_float(a);
    out->b = to_float(b);
    out->radius = collider->radius * (float)scale;
    finish_collider(collider->shape, out);
}

static void place_own_colliders(vrm_instance *instance, const vrmi_spring_step *step, bool ahead)
{
    const bool in_lanes = !instance->springs.scaled && instance->lanes != VRMI_LANES_NONE;
    if (in_lanes) {
        vrmi_spring_kernels_of(instance->lanes)->colliders(instance, ahead);
    }
    for (uint32_t i = 0; i < instance->model->collider.count; ++i) {
        if (!in_lanes || vrmi_model_collider(instance->model)[i].shape == VRM_COLLIDER_PLANE) {
            place_own_collider(instance, i, step, ahead);
        }
    }
}

void vrmi_spring_place_colliders(vrm_instance *instance, const vrmi_spring_step *step, bool ahead)
{
    for (uint32_t i = 0; ahead && i < vrmi_spring_driver_rows(instance); ++i) {
        instance->spring_driver[i].ahead = pose_ahead(&instance->spring_driver[i], step);
    }
    place_own_colliders(instance, step, ahead);
    for (uint32_t i = 0; i < instance->def.host_colliders; ++i) {
        place_host_collider(instance, i, step, ahead);
    }
}

// What the chain can meet. Colliders on other springs' joints are where these put them in this step.
vrmi_spring_contacts vrmi_spring_chain_contacts(
    vrm_instance *instance, uint32_t chain, const vrmi_spring_step *step, bool ahead)
{
    const vrmi_chain_row *row = &vrmi_model_spring_chain(instance->model)[chain];
    const uint32_t *indices = vrmi_model_chain_collider(instance->model) + row->first_collider;
    for (uint32_t i = 0; instance->springs.carried_count != 0 && i < row->collider_count; ++i) {
        if (instance->spring_driver[instance->spring_collider_driver[indices[i]]].carrier >= 0) {
            place_own_collider(instance, indices[i], step, ahead);
        }
    }
    uint32_t host_count = 0;
    for (uint32_t i = 0; i < instance->def.host_colliders; ++i) {
        const int32_t only = instance->spring_host_collider[i].chain;
        if (only == -1 || only == (int32_t)chain) {
            host_count = instance->def.host_colliders;
            if (instance->spring_driver[instance->springs.driver_count + i].carrier >= 0) {
                place_host_collider(instance, i, step, ahead);
            }
        }
    }
    return (vrmi_spring_contacts){instance->spring_collider, indices, row->collider_count,
        instance->spring_host_collider, host_count, (int32_t)chain, ahead};
}
