// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// One step over all chains: drivers' poses, colliders, then joint after joint from root to tip; what hangs on a joint
// gets its pose from it in the same step.

#include "runtime/spring_run.h"

#include "runtime/kernel_spring.h"

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
static vrm_vec3 scaled(const vrm_instance *instance, int32_t node, vrm_vec3 v)
{
    const vrm_quat rotation = node >= 0 ? instance->world_rotation[node] : instance->root_rotation;
    const vrm_vec3 turned = vrmi_mat34_vector(node_world(instance, node), v);
    const vrm_vec3 back = vrmi_quat_rotate(vrmi_quat_conjugate(rotation), turned);
    return vrmi_vec3_scale(back, inverse_root_scale(instance));
}

// A product of unit quaternions drifts: one Newton step brings it back.
static vrm_quat unit(vrm_quat q)
{
    const float s = 1.5f - 0.5f * vrmi_quat_dot(q, q);
    return (vrm_quat){q.x * s, q.y * s, q.z * s, q.w * s};
}

static vrmi_spring_pose compose(const vrmi_spring_pose *a, const vrmi_spring_pose *b)
{
    return (vrmi_spring_pose){vrmi_vec3_add(a->position, vrmi_quat_rotate(a->rotation, b->position)),
        unit(vrmi_quat_mul(a->rotation, b->rotation))};
}

static vrm_vec3 carry_vector(const vrmi_spring_carry *carry, vrm_vec3 v)
{
    return carry->turns ? vrmi_quat_rotate(carry->rotation, v) : v;
}

static vrm_vec3 carry_point(const vrmi_spring_carry *carry, vrm_vec3 p)
{
    return vrmi_vec3_add(carry_vector(carry, p), carry->translation);
}

static void carry_pose(const vrmi_spring_carry *carry, vrmi_spring_pose *pose)
{
    pose->position = carry_point(carry, pose->position);
    pose->rotation = carry->turns ? unit(vrmi_quat_mul(carry->rotation, pose->rotation)) : pose->rotation;
}

// The rigid motion that takes a pose to another.
static vrmi_spring_carry carry_between(const vrmi_spring_pose *from, const vrmi_spring_pose *to)
{
    const vrm_quat rotation = unit(vrmi_quat_mul(to->rotation, vrmi_quat_conjugate(from->rotation)));
    return (vrmi_spring_carry){
        true, rotation, vrmi_vec3_sub(to->position, vrmi_quat_rotate(rotation, from->position))};
}

static vrmi_spring_carry step_carry(const vrmi_spring_step *step)
{
    const vrm_quat q = step->turn;
    return (vrmi_spring_carry){q.x != 0.0f || q.y != 0.0f || q.z != 0.0f, q, step->shift};
}

// Where a node is in the local space of an ancestor (-1: the space above the roots), and the rotation from the node's
// parent to the ancestor: through the nodes between, which no spring turns.
static vrm_vec3 path_to(const vrm_instance *instance, int32_t node, int32_t ancestor, vrm_quat *out_rotation)
{
    const int32_t *parents = vrmi_model_node_parent(instance->model);
    vrm_vec3 position = instance->local[node].translation;
    *out_rotation = vrmi_quat_identity();
    for (int32_t n = parents[node]; n != ancestor && n >= 0; n = parents[n]) {
        const vrm_transform *local = &instance->local[n];
        position = vrmi_vec3_add(
            local->translation, vrmi_quat_rotate(local->rotation, vrmi_vec3_mul(local->scale, position)));
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

static uint32_t driver_rows(const vrm_instance *instance)
{
    return instance->springs.driver_count + instance->def.host_colliders;
}

// Forgets where a host's collider was.
static void start_host(vrm_instance *instance, uint32_t slot)
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

void vrmi_spring_refresh_drivers(vrm_instance *instance)
{
    const vrm_spring_joint *joints = vrmi_model_spring_joint(instance->model);
    for (uint32_t i = 0; i < driver_rows(instance); ++i) {
        vrmi_spring_driver *driver = &instance->spring_driver[i];
        if (driver->node == -2) {
            continue;
        }
        driver->scale = vrmi_mat34_max_scale(node_world(instance, driver->node)) * inverse_root_scale(instance);
        if (driver->carrier < 0) {
            driver->now = world_pose(instance, driver->node);
            continue;
        }
        const int32_t carrier = (int32_t)joints[driver->carrier].node;
        driver->now = (vrmi_spring_pose){{0.0f, 0.0f, 0.0f}, vrmi_quat_identity()};
        if (driver->node != carrier) {
            vrm_quat above;
            const vrm_vec3 position = path_to(instance, driver->node, carrier, &above);
            driver->now.position = scaled(instance, carrier, position);
            driver->now.rotation = unit(vrmi_quat_mul(above, instance->local[driver->node].rotation));
        }
    }
    for (uint32_t i = 0; i < instance->def.host_colliders; ++i) {
        if (instance->spring_host[i].jumped) {
            start_host(instance, i);
        }
    }
}

void vrmi_spring_keep_drivers(vrm_instance *instance)
{
    for (uint32_t i = 0; i < driver_rows(instance); ++i) {
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
    const vrm_vec3 position = vrmi_vec3_lerp(vrmi_quat_rotate(from_was, driver->last.position),
        vrmi_quat_rotate(from_is, driver->now.position), t);
    const vrm_quat rotation = vrmi_quat_nlerp(vrmi_quat_mul(from_was, driver->last.rotation),
        vrmi_quat_mul(from_is, driver->now.rotation), t);
    return (vrmi_spring_pose){vrmi_quat_rotate(root, position), unit(vrmi_quat_mul(root, rotation))};
}

// Poses for a step: between the two updates, or, on a joint, where it was at the last tick until the joint moves it.
static void place_drivers(vrm_instance *instance, const vrmi_spring_step *step)
{
    const vrmi_spring_carry carry = step_carry(step);
    const bool is_tick = step->kind != VRMI_SPRING_STEP_LOOK_AHEAD;
    const float t = (float)step->between;
    for (uint32_t i = 0; i < driver_rows(instance); ++i) {
        vrmi_spring_driver *driver = &instance->spring_driver[i];
        if (driver->carrier >= 0) {
            driver->pose = driver->tick;
            carry_pose(&carry, &driver->pose);
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
    const vrmi_spring_carry carry = step_carry(step);
    vrmi_spring_pose tick = driver->tick;
    carry_pose(&carry, &tick);
    const float t = 1.0f / step->part;
    return (vrmi_spring_pose){vrmi_vec3_lerp(tick.position, driver->pose.position, t),
        vrmi_quat_nlerp(tick.rotation, driver->pose.rotation, t)};
}

// Gives a joint's pose to all that hangs on it. `*cursor` runs over the carried drivers beside the joints.
static void carry_drivers(
    vrm_instance *instance, uint32_t joint, const vrmi_spring_pose *pose, bool is_tick, uint32_t *cursor)
{
    for (; *cursor < instance->springs.carried_count; ++*cursor) {
        vrmi_spring_driver *driver = &instance->spring_driver[instance->spring_carried[*cursor]];
        if ((uint32_t)driver->carrier > joint) {
            return;
        }
        driver->pose = compose(pose, &driver->now);
        if (is_tick) {
            driver->tick = driver->pose;
        }
    }
}

// --- colliders -----------------------------------------------------------------------------------------------------

// Fills in what follows from the shape, `a`, and `b` as it comes: capsule's span or plane's normal.
static void finish_collider(vrm_collider_shape shape, vrmi_spring_collider *out)
{
    const bool is_capsule = shape == VRM_COLLIDER_CAPSULE || shape == VRM_COLLIDER_INSIDE_CAPSULE;
    const bool is_inside = shape == VRM_COLLIDER_INSIDE_SPHERE || shape == VRM_COLLIDER_INSIDE_CAPSULE;
    const vrm_vec3 zero = {0.0f, 0.0f, 0.0f};
    out->inverse = 0.0f;
    out->side = is_inside ? -1.0f : 1.0f;
    if (shape == VRM_COLLIDER_PLANE) {
        out->b = vrmi_vec3_normalize_or(out->b, (vrm_vec3){0.0f, 0.0f, 1.0f});
        out->side = 0.0f;
    } else if (is_capsule) {
        const float squared = vrmi_vec3_dot(out->b, out->b);
        out->inverse = squared > 1e-18f ? 1.0f / squared : 0.0f;
    } else {
        out->b = zero;
    }
}

static void place_collider(const vrm_instance *instance, const vrmi_spring_driver *driver,
    const vrmi_spring_pose *pose, const vrm_collider *collider, vrmi_spring_collider *out)
{
    const bool is_plane = collider->shape == VRM_COLLIDER_PLANE;
    const vrm_vec3 b = is_plane ? collider->tail : vrmi_vec3_sub(collider->tail, collider->offset);
    const vrm_vec3 offset = scaled(instance, driver->node, collider->offset);
    out->a = vrmi_vec3_add(pose->position, vrmi_quat_rotate(pose->rotation, offset));
    out->b = vrmi_quat_rotate(pose->rotation, is_plane ? b : scaled(instance, driver->node, b));
    out->radius = collider->radius * driver->scale;
    finish_collider(collider->shape, out);
}

static vrm_vec3 to_float(const double *v)
{
    return (vrm_vec3){(float)v[0], (float)v[1], (float)v[2]};
}

// `ahead`: at the end of the tick under way; else at this step.
static void place_own_collider(vrm_instance *instance, uint32_t index, const vrmi_spring_step *step, bool ahead)
{
    const vrmi_spring_driver *driver = &instance->spring_driver[instance->spring_collider_driver[index]];
    const vrmi_spring_pose pose = ahead ? pose_ahead(driver, step) : driver->pose;
    place_collider(instance, driver, &pose, &vrmi_model_collider(instance->model)[index],
        &instance->spring_collider[index]);
}

static void place_host_collider(
    vrm_instance *instance, uint32_t slot, const vrmi_spring_step *step, bool ahead)
{
    const vrmi_spring_host *host = &instance->spring_host[slot];
    const vrm_host_collider *collider = &host->collider;
    vrmi_spring_collider *out = &instance->spring_host_collider[slot];
    out->chain = host->used && collider->enabled ? collider->chain : -2;
    if (out->chain == -2) {
        return;
    }
    if (collider->node >= 0) {
        const vrmi_spring_driver *driver = &instance->spring_driver[instance->springs.driver_count + slot];
        const vrmi_spring_pose pose = ahead ? pose_ahead(driver, step) : driver->pose;
        const vrm_collider fixed = {collider->shape, (uint32_t)collider->node, to_float(collider->offset),
            to_float(collider->tail), collider->radius};
        place_collider(instance, driver, &pose, &fixed, out);
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

static void place_colliders(vrm_instance *instance, const vrmi_spring_step *step, bool ahead)
{
    for (uint32_t i = 0; i < instance->model->collider.count; ++i) {
        place_own_collider(instance, i, step, ahead);
    }
    for (uint32_t i = 0; i < instance->def.host_colliders; ++i) {
        place_host_collider(instance, i, step, ahead);
    }
}

// What the chain can meet. Colliders on other springs' joints are where these put them in this step.
static vrmi_spring_contacts chain_contacts(
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

// --- chains --------------------------------------------------------------------------------------------------------

// What is the same for all joints of a chain in a step.
typedef struct chain_run {
    const vrmi_spring_step *step;
    vrmi_spring_carry carry;
    vrmi_spring_contacts contacts;
    uint32_t limit; // next of spring_limit
    bool lost;      // a state is not finite
} chain_run;

// A component too small to matter becomes 0, by comparison: what decays would end in denormals, slow on many
// processors and flushed by some hosts.
static float snap(float x)
{
    return x < 1e-20f && x > -1e-20f ? 0.0f : x;
}

static vrm_vec3 snap3(vrm_vec3 v)
{
    return (vrm_vec3){snap(v.x), snap(v.y), snap(v.z)};
}

static void gather(const vrm_instance *instance, uint32_t joint, const chain_run *run, vrmi_spring_bone *bone)
{
    const vrm_spring_settings *settings = &instance->springs.settings;
    const vrm_spring_joint_params *params = vrmi_spring_params(instance, joint);
    const vrm_vec3 gravity =
        vrmi_vec3_scale(params->gravity_dir, params->gravity_power * settings->gravity_scale);
    bone->force = vrmi_vec3_add(gravity, settings->external);
    bone->stiffness = params->stiffness * settings->stiffness_scale;
    bone->keep = 1.0f - params->drag_force;
    bone->hit_radius = params->hit_radius;
    bone->tail = carry_vector(&run->carry, instance->spring_tail[joint]);
    bone->velocity = carry_vector(&run->carry, instance->spring_velocity[joint]);
    const vrm_vec3 old_head = carry_point(&run->carry, instance->spring_head[joint]);
    bone->base = vrmi_vec3_add(bone->tail, vrmi_vec3_sub(old_head, bone->head));
}

// The rotation, in the joint's rest space, that turns the bone to a tail.
static vrm_quat swing_to(const vrmi_spring_bone *bone, vrm_vec3 tail)
{
    const vrm_vec3 direction = vrmi_vec3_scale(tail, 1.0f / bone->length);
    return vrmi_quat_from_to(bone->axis, vrmi_quat_rotate(vrmi_quat_conjugate(bone->rest), direction));
}

static void store(vrm_instance *instance, uint32_t joint, vrm_vec3 head, vrm_vec3 tail, vrm_vec3 velocity)
{
    instance->spring_tail[joint] = snap3(tail);
    instance->spring_velocity[joint] = snap3(velocity);
    instance->spring_head[joint] = head;
}

// One joint: from its parent's pose (`*pose`, that of node `parent`) to its own.
static void run_joint(
    vrm_instance *instance, uint32_t joint, int32_t parent, chain_run *run, vrmi_spring_pose *pose)
{
    const vrm_spring_joint *row = &vrmi_model_spring_joint(instance->model)[joint];
    const int32_t node = (int32_t)row->node;
    const vrmi_spring_limit_data *limit =
        row->limit.type == VRM_SPRING_LIMIT_NONE ? NULL : &instance->spring_limit[run->limit++];
    vrm_quat between;
    const vrm_vec3 offset = scaled(instance, parent, path_to(instance, node, parent, &between));
    const vrm_vec3 head = vrmi_vec3_add(pose->position, vrmi_quat_rotate(pose->rotation, offset));
    const vrm_quat parent_rotation = unit(vrmi_quat_mul(pose->rotation, between));
    const vrm_vec3 span = scaled(instance, node, row->tail);
    const float length = vrmi_vec3_length(span);
    const vrmi_spring_step_kind kind = run->step->kind;
    const vrm_vec3 zero = {0.0f, 0.0f, 0.0f};
    pose->position = head;
    if (!vrmi_spring_turns(row) || !(length > 1e-9f)) {
        pose->rotation = unit(vrmi_quat_mul(parent_rotation, instance->local[node].rotation));
        if (kind != VRMI_SPRING_STEP_LOOK_AHEAD) {
            store(instance, joint, head, zero, zero);
        }
        return;
    }
    vrmi_spring_bone bone = {.head = head, .length = length, .limit = limit};
    const vrm_quat rest = vrmi_model_node_rest(instance->model)[node].rotation;
    bone.rest = unit(vrmi_quat_mul(parent_rotation, rest));
    bone.axis = vrmi_vec3_scale(span, 1.0f / length);
    if (kind == VRMI_SPRING_STEP_STAND) {
        pose->rotation = unit(vrmi_quat_mul(parent_rotation, instance->spring_shown[joint]));
        store(instance, joint, head, vrmi_vec3_scale(vrmi_quat_rotate(pose->rotation, bone.axis), length), zero);
        instance->spring_hit[joint] = 0;
    } else {
        gather(instance, joint, run, &bone);
        vrm_vec3 tail;
        if (kind == VRMI_SPRING_STEP_TICK) {
            bool hit;
            tail = vrmi_spring_solve(&bone, &run->contacts, run->step->dt, &hit);
            store(instance, joint, head, tail, vrmi_vec3_sub(tail, bone.base));
            instance->spring_hit[joint] = hit;
        } else {
            tail = vrmi_spring_look_ahead(
                &bone, &run->contacts, run->step->dt, run->step->part, instance->spring_hit[joint] != 0);
        }
        const vrm_quat swing = swing_to(&bone, tail);
        instance->spring_shown[joint] = unit(vrmi_quat_mul(rest, swing));
        pose->rotation = unit(vrmi_quat_mul(bone.rest, swing));
    }
    const vrm_vec3 check = vrmi_vec3_add(
        vrmi_vec3_add(instance->spring_tail[joint], instance->spring_velocity[joint]), instance->spring_head[joint]);
    run->lost |= !vrmi_vec3_finite(check) || !vrmi_finite(instance->spring_shown[joint].w);
}

// All joints from root to tip. False when a state is not finite.
static bool run_joints(
    vrm_instance *instance, uint32_t chain, const vrmi_spring_step *step, chain_run *run, uint32_t *cursor)
{
    const vrmi_chain_row *row = &vrmi_model_spring_chain(instance->model)[chain];
    const vrmi_spring_chain_state *state = &instance->spring_chain_state[chain];
    const vrmi_spring_driver *root = &instance->spring_driver[state->root];
    vrmi_spring_pose pose = root->pose;
    int32_t parent = root->node;
    run->step = step;
    run->limit = state->first_limit;
    run->lost = false;
    for (uint32_t i = 0; i < row->joint_count; ++i) {
        const uint32_t joint = row->first_joint + i;
        run_joint(instance, joint, parent, run, &pose);
        parent = (int32_t)vrmi_model_spring_joint(instance->model)[joint].node;
        carry_drivers(instance, joint, &pose, step->kind != VRMI_SPRING_STEP_LOOK_AHEAD, cursor);
    }
    return !run->lost;
}

static void show_chain_rest(vrm_instance *instance, uint32_t chain)
{
    const vrmi_chain_row *row = &vrmi_model_spring_chain(instance->model)[chain];
    const vrm_spring_joint *joints = vrmi_model_spring_joint(instance->model);
    for (uint32_t i = row->first_joint; i < row->first_joint + row->joint_count; ++i) {
        instance->spring_shown[i] = vrmi_model_node_rest(instance->model)[joints[i].node].rotation;
    }
}

static void run_chain(
    vrm_instance *instance, uint32_t chain, const vrmi_spring_step *step, bool ahead, uint32_t *cursor)
{
    vrmi_spring_chain_state *state = &instance->spring_chain_state[chain];
    const vrmi_spring_pose *center = state->center >= 0 ? &instance->spring_driver[state->center].pose : NULL;
    const uint32_t first_carried = *cursor;
    chain_run run = {.step = step};
    run.carry = center != NULL ? carry_between(&state->center_tick, center) : step_carry(step);
    run.contacts = chain_contacts(instance, chain, step, ahead);
    if (!run_joints(instance, chain, step, &run, cursor)) {
        vrmi_spring_step stand = *step;
        stand.kind = VRMI_SPRING_STEP_STAND;
        instance->status |= VRM_STATUS_SPRING_RESET;
        show_chain_rest(instance, chain);
        *cursor = first_carried;
        (void)run_joints(instance, chain, &stand, &run, cursor); // still lost only while its parent's pose is
    }
    if (center != NULL && step->kind != VRMI_SPRING_STEP_LOOK_AHEAD) {
        state->center_tick = *center;
    }
}

void vrmi_spring_run(vrm_instance *instance, const vrmi_spring_step *step)
{
    const bool looks_ahead = step->kind == VRMI_SPRING_STEP_LOOK_AHEAD;
    bool ahead = looks_ahead;
    place_drivers(instance, step);
    place_colliders(instance, step, ahead);
    uint32_t cursor = 0;
    for (uint32_t chain = 0; chain < instance->model->spring_chain.count; ++chain) {
        // In center space the tick under way is seen from where the center is now: so are the colliders.
        const bool wants_ahead = looks_ahead && instance->spring_chain_state[chain].center < 0;
        if (wants_ahead != ahead) {
            ahead = wants_ahead;
            place_colliders(instance, step, ahead);
        }
        run_chain(instance, chain, step, ahead, &cursor);
    }
}

void vrmi_spring_show_rest(vrm_instance *instance)
{
    for (uint32_t chain = 0; chain < instance->model->spring_chain.count; ++chain) {
        show_chain_rest(instance, chain);
    }
}

void vrmi_spring_stand(vrm_instance *instance)
{
    vrmi_spring_globals *springs = &instance->springs;
    for (uint32_t i = 0; i < instance->def.host_colliders; ++i) {
        start_host(instance, i);
    }
    springs->root = instance->root;
    springs->platform_last = springs->platform;
    springs->had_platform = springs->has_platform;
    springs->turn = vrmi_quat_identity();
    springs->ticks = 0.0;
    for (int k = 0; k < 3; ++k) {
        springs->origin[k] = instance->root.translation[k];
    }
    const vrmi_spring_step step = {
        .kind = VRMI_SPRING_STEP_STAND, .between = 1.0, .turn = vrmi_quat_identity()};
    vrmi_spring_run(instance, &step);
    vrmi_spring_keep_drivers(instance);
}

void vrmi_spring_carry_chains(vrm_instance *instance, const vrmi_spring_step *step)
{
    const vrmi_spring_carry to_last = step_carry(step);
    place_drivers(instance, step);
    uint32_t cursor = 0;
    for (uint32_t chain = 0; chain < instance->model->spring_chain.count; ++chain) {
        const vrmi_chain_row *row = &vrmi_model_spring_chain(instance->model)[chain];
        vrmi_spring_chain_state *state = &instance->spring_chain_state[chain];
        const vrmi_spring_driver *root = &instance->spring_driver[state->root];
        vrmi_spring_carry carry;
        if (state->center >= 0) {
            const vrmi_spring_pose center = instance->spring_driver[state->center].pose;
            carry = carry_between(&state->center_tick, &center);
            state->center_tick = center;
        } else if (root->carrier >= 0) {
            carry = carry_between(&root->tick, &root->pose);
        } else {
            const vrmi_spring_carry moved = carry_between(&root->last, &root->pose);
            carry.turns = true;
            carry.rotation = unit(vrmi_quat_mul(moved.rotation, to_last.rotation));
            carry.translation = carry_point(&moved, to_last.translation);
        }
        for (uint32_t joint = row->first_joint; joint < row->first_joint + row->joint_count; ++joint) {
            instance->spring_tail[joint] = carry_vector(&carry, instance->spring_tail[joint]);
            instance->spring_velocity[joint] = carry_vector(&carry, instance->spring_velocity[joint]);
            instance->spring_head[joint] = carry_point(&carry, instance->spring_head[joint]);
            for (; cursor < instance->springs.carried_count; ++cursor) {
                vrmi_spring_driver *driver = &instance->spring_driver[instance->spring_carried[cursor]];
                if ((uint32_t)driver->carrier > joint) {
                    break;
                }
                // Where it is at the last tick moves as the chain that it hangs on does.
                driver->pose = driver->tick;
                carry_pose(&carry, &driver->pose);
            }
        }
    }
    for (uint32_t i = 0; i < driver_rows(instance); ++i) {
        instance->spring_driver[i].tick = instance->spring_driver[i].pose;
    }
}
