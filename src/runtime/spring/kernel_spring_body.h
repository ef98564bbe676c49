// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The arithmetic of the springs over `real`, included once per width (by kernel_spring_one.c and similar files). The
// including file defines VRMI_SPRING_KERNELS, the declaration of the table.

#include "math/real_vector.h"

#include "math/real_limit.h"
#include "runtime/core/kernel_matrix.h"
#include "runtime/spring/spring_step.h"

// A row of joints in a step: the values that one phase passes to the next. Heads and frames are kept for the row below.
typedef struct bones {
    // First the axes of the space above, later those of the joints' parents, at last those of the joints. If `uneven`,
    // the axes include scales.
    m3 frame;
    m3 inverse; // if uneven: inverse of the frame of the joints' parents
    v3 head, base, tail;
    v3 rest_direction;
    v3 seen, end;            // tails: `seen` as a look ahead without contact shows them; `end` first before, then after
                             // contacts
    v3 meeting_head;         // start of the segment that is tested for collisions; `end` is its other end
    q4 swing;                // rotation from the bones at rest to the tails, in the space of the joints' parents
    v3 check;                // finite if and only if the state is finite
    real stretch, unstretch; // even scale relative to the scale at rest, and its inverse
    real length, hit_radius;
    const vrmi_spring_row *row;
    const vrmi_spring_between *between; // NULL: none
    const vrmi_spring_limit_row *limit; // NULL: none
    uint32_t at;                        // index of the row
    uint32_t lane;
    vrm_profile profile;  // the step's
    uint32_t active, hit; // bit masks of lanes; `active`: with a joint in this row; `hit`: pushed by a collider
    bool uneven;
} bones;

// Further values that determine the motion of the tails.
typedef struct forces {
    v3 velocity, force;
    real stiffness, keep;
} forces;

// --- directions ----------------------------------------------------------------------------------------------------

// Returns the unit direction to a tail in the space of the joints' parents, or the rest direction if the tail has none.
VRMI_SIMD_INLINE v3 to_parent(const bones *bone, v3 tail)
{
    const v3 axis = load_vec3(&bone->row->axis, bone->lane);
    const v3 direction = bone->uneven ? m3_mul(bone->inverse, tail) : m3_mul_transposed(bone->frame, tail);
    return v3_normalize_or(direction, axis);
}

// Restores the bone's length in the space of the joints' parents, however that space is stretched, and applies the
// bone's limit. (Functions out of line take vectors by address. If they took them by value, compilers would copy the
// vectors in halves, and a full load would have to wait for both halves.)
VRMI_SIMD_RARE v3 constrain_in_parent(const bones *bone, const v3 *tail)
{
    v3 direction = to_parent(bone, *tail);
    if (bone->limit != NULL) {
        const vrmi_spring_limit_row *limit = bone->limit;
        const uint32_t lane = bone->lane;
        const m3 space = load_matrix(limit->matrix, lane);
        direction = v3_limited(LOAD(&limit->type[lane]), LOAD(&limit->cos_angle[lane]), LOAD(&limit->sin_angle[lane]),
            LOAD(&limit->sin_yaw[lane]), m3_mul_transposed(space, direction));
        direction = m3_mul(space, direction);
    }
    return v3_scale(m3_mul(bone->frame, direction), bone->length);
}

// Restores the bone's length. A tail without a direction from its head gets the rest direction.
VRMI_SIMD_INLINE v3 constrain(const bones *bone, v3 tail)
{
    if (bone->uneven || bone->limit != NULL) {
        const v3 unconstrained = tail; // a copy, otherwise compilers would keep `tail` in memory for every bone
        return constrain_in_parent(bone, &unconstrained);
    }
    const real length = v3_length(tail);
    const v3 scaled = v3_scale(tail, DIV(bone->length, length));
    const mask has_direction = LT(ALL(1e-18f), length);
    if (BITS(has_direction) == FULL) {
        return scaled;
    }
    return v3_select(has_direction, scaled, v3_scale(bone->rest_direction, bone->length));
}

// --- colliders -----------------------------------------------------------------------------------------------------

// Moves the tails in lanes that were hit by shapes for which UniVRM does not restore the bone's length.
VRMI_SIMD_RARE void push_rarely(const bones *bone, uint32_t hit, const v3 *displacement, v3 *tail)
{
    const v3 pushed = v3_add(*tail, *displacement);
    *tail = v3_select(FROM_BITS(hit), bone->profile == VRM_PROFILE_UNIVRM ? pushed : constrain(bone, pushed), *tail);
}

// Moves the tails in lanes that were hit, and restores their length.
VRMI_SIMD_INLINE void push(const bones *bone, uint32_t hit, v3 displacement, v3 *tail)
{
    *tail = v3_select(FROM_BITS(hit), constrain(bone, v3_add(*tail, displacement)), *tail);
}

VRMI_SIMD_RARE uint32_t collide_plane(
    const bones *bone, const v3 *from_a, const vrmi_spring_collider *c, uint32_t lanes, v3 *tail)
{
    const v3 normal = v3_all(c->b);
    const real distance = SUB(v3_dot(*from_a, normal), bone->hit_radius);
    const uint32_t hit = BITS(LT(distance, ALL(0.0f))) & lanes;
    if (hit != 0) {
        const v3 by = v3_scale(normal, NEG(distance));
        push_rarely(bone, hit, &by, tail);
    }
    return hit;
}

// Collides with a shape that keeps joints inside. A joint larger than the shape moves to its middle; otherwise it would
// swing in every step.
VRMI_SIMD_RARE uint32_t collide_inside(
    const bones *bone, const v3 *from_a, const vrmi_spring_collider *c, uint32_t lanes, v3 *tail)
{
    const real zero = ALL(0.0f), radius = ALL(c->radius);
    const v3 d =
        c->shape == VRM_COLLIDER_INSIDE_CAPSULE ? v3_from_segment(v3_all(c->b), ALL(c->inverse), *from_a) : *from_a;
    const real squared = v3_dot(d, d), reach = SUB(radius, bone->hit_radius);
    const mask touches = OR(LT(reach, zero), LT(MUL(reach, reach), squared));
    const uint32_t hit = BITS(touches) & lanes;
    if (hit != 0) {
        const real length = SQRT(squared), side = ALL(-1.0f);
        const real distance = SUB(MUL(side, SUB(length, radius)), bone->hit_radius);
        const mask has_direction = LT(ALL(1e-12f), length);
        const real toward = SELECT(has_direction, DIV(side, length), zero);
        const real far = MIN(NEG(distance), SUB(reach, distance));
        const v3 by = v3_scale(v3_scale(d, toward), far);
        push_rarely(bone, hit, &by, tail);
    }
    return hit;
}

// Collides with one collider and returns the lanes that it pushed. `point` is head + tail. Most joints do not collide,
// which is detected without a square root.
VRMI_SIMD_INLINE uint32_t collide(const bones *bone, v3 point, const vrmi_spring_collider *c, uint32_t lanes, v3 *tail)
{
    lanes = LANE_BITS(lanes, bone->lane) & bone->active;
    v3 d = v3_sub(point, v3_all(c->a));
    if (c->shape >= VRM_COLLIDER_INSIDE_SPHERE) {
        const v3 from_a = d; // a copy, otherwise compilers would keep `d` in memory for every shape
        return c->shape == VRM_COLLIDER_PLANE ? collide_plane(bone, &from_a, c, lanes, tail)
                                              : collide_inside(bone, &from_a, c, lanes, tail);
    }
    if (c->shape == VRM_COLLIDER_CAPSULE && bone->profile == VRM_PROFILE_UNIVRM) { // uses the point nearest to the head
        const v3 from_a = v3_sub(bone->head, v3_all(c->a));
        d = v3_add(v3_sub(d, from_a), v3_from_segment(v3_all(c->b), ALL(c->inverse), from_a));
    } else if (c->shape == VRM_COLLIDER_CAPSULE) {
        d = v3_from_segment(v3_all(c->b), ALL(c->inverse), d);
    }
    const real radius = ALL(c->radius), squared = v3_dot(d, d), reach = ADD(radius, bone->hit_radius);
    const uint32_t hit = BITS(LT(squared, MUL(reach, reach))) & lanes;
    if (hit != 0) {
        const real length = SQRT(squared);
        const real distance = SUB(SUB(length, radius), bone->hit_radius);
        const mask has_direction = LT(ALL(1e-12f), length);
        const real toward = SELECT(has_direction, DIV(ALL(1.0f), length), ALL(0.0f));
        push(bone, hit, v3_scale(v3_scale(d, toward), NEG(distance)), tail);
    }
    return hit;
}

// Returns the lanes of a group whose chains collide with a host's collider; `chain` -1: all.
VRMI_SIMD_INLINE uint32_t lanes_of(const vrmi_spring_group_row *group, int32_t chain)
{
    uint32_t lanes = chain < 0 ? 0xffu : 0u;
    for (uint32_t lane = 0; chain >= 0 && lane < group->chain_count; ++lane) {
        lanes |= (group->chains[lane] == chain ? 1u : 0u) << lane;
    }
    return lanes;
}

// Collides with all colliders of the group, then with the host's colliders. Returns the lanes of `among` that were
// pushed.
VRMI_SIMD_INLINE uint32_t collide_all(const vrm_instance *instance, const vrmi_spring_group_row *group,
    const vrmi_spring_collider *colliders, uint32_t among, const bones *bone, v3 head, v3 *tail)
{
    const vrmi_model *model = instance->model;
    const vrmi_spring_group_collider *list = vrmi_model_spring_group_collider(model) + group->first_collider;
    uint32_t hit = 0;
    v3 point = v3_add(head, *tail);
    for (uint32_t i = 0; i < group->collider_count; ++i) {
        const uint32_t pushed = collide(bone, point, &colliders[list[i].collider], list[i].lanes & among, tail);
        if (pushed != 0) {
            hit |= pushed;
            point = v3_add(head, *tail);
        }
    }
    for (uint32_t i = 0; i < instance->springs.host_count; ++i) {
        const vrmi_spring_collider *c = &colliders[instance->spring_host_enabled[i]];
        const uint32_t pushed = collide(bone, point, c, lanes_of(group, c->chain) & among, tail);
        if (pushed != 0) {
            hit |= pushed;
            point = v3_add(head, *tail);
        }
    }
    return hit;
}

static inline bool has_contacts(const vrm_instance *instance, const vrmi_spring_group_run *run)
{
    return run->group->collider_count + instance->springs.met_count != 0;
}

// --- a row in phases -----------------------------------------------------------------------------------------------

// Each phase needs the results of the phase before. A phase runs for all groups before the next phase begins, so that
// the processor works on another group while a result is not ready. The functions are compiled separately for each
// common kind of step.

typedef enum row_kind { ROW_TICK, ROW_LOOK_AHEAD, ROW_STAND, ROW_SHOW } row_kind;

// Returns the displacement of the tails by inertia, stiffness and forces.
VRMI_SIMD_INLINE v3 displacement_of(const bones *bone, const forces *f, real dt)
{
    const v3 inertia = v3_scale(f->velocity, f->keep);
    const v3 stiffness = v3_scale(bone->rest_direction, MUL(dt, f->stiffness));
    return v3_add(v3_add(inertia, stiffness), v3_scale(f->force, dt));
}

// Turns a fraction of the stiffness into weight (vrm_spring_params.hanging).
VRMI_SIMD_RARE void hang(const vrm_instance *instance, const bones *bone, real *stiffness, v3 *force)
{
    const vrmi_spring_down *down = &vrmi_model_spring_down(instance->model)[bone->at];
    const real part = MUL(LOAD(&down->cosine[bone->lane]), ALL(instance->springs.settings.hanging));
    const real weight = MUL(*stiffness, part);
    *stiffness = SUB(*stiffness, weight);
    force->y = SUB(force->y, weight);
}

// Transforms the stored state to the space of this step.
VRMI_SIMD_INLINE void gather(const vrm_instance *instance, const vrmi_spring_group_run *run,
    const vrmi_spring_step *step, bones *bone, forces *f)
{
    const vrm_spring_params *settings = &instance->springs.settings;
    const uint32_t lane = bone->lane;
    const vrmi_spring_param_lanes *params =
        (instance->def.spring_parameters ? instance->spring_params : vrmi_model_spring_param_lanes(instance->model)) +
        bone->at;
    const vrmi_spring_state_lanes *state = &instance->spring_state[bone->at];
    const real power = MUL(LOAD(&params->gravity_power[lane]), ALL(settings->gravity_scale));
    f->force = v3_add(v3_scale(load_vec3(&params->gravity_dir, lane), power), v3_all(settings->external));
    f->stiffness = MUL(LOAD(&params->stiffness[lane]), ALL(settings->stiffness_scale));
    if (settings->hanging > 0.0f) {
        v3 force = f->force; // copies, otherwise compilers would keep both in memory for every bone
        real stiffness = f->stiffness;
        hang(instance, bone, &stiffness, &force);
        f->force = force;
        f->stiffness = stiffness;
    }
    f->keep = SUB(ALL(1.0f), LOAD(&params->drag_force[lane]));
    bone->hit_radius = LOAD(&params->hit_radius[lane]);
    v3 old_head = load_vec3(&state->head, lane);
    bone->tail = load_vec3(&state->tail, lane);
    f->velocity = load_vec3(&state->velocity, lane);
    if (run->turns) {
        const q4 turn = run->centered ? load_quat(&run->carry_rotation, lane) : q4_all(step->turn);
        old_head = q4_rotate(turn, old_head);
        bone->tail = q4_rotate(turn, bone->tail);
        f->velocity = q4_rotate(turn, f->velocity);
    }
    old_head = v3_add(old_head, run->centered ? load_vec3(&run->carry_translation, lane) : v3_all(step->shift));
    bone->base = v3_add(bone->tail, v3_sub(old_head, bone->head));
}

// For a look ahead, computes the tails as shown without contact, and the tails at the end of the current tick. A
// partial step in contact would flicker by half a millimetre. So a tail in contact moves a fraction of the way to its
// position at the end of the whole tick. This assumes that the head and the colliders continue to move as since the
// last tick.
VRMI_SIMD_INLINE void aim_ahead(const vrm_instance *instance, const vrmi_spring_group_run *run,
    const vrmi_spring_step *step, bones *bone, const forces *f)
{
    const real part = ALL(step->part);
    const v3 whole = displacement_of(bone, f, ALL(step->dt));
    bone->seen = v3_add(bone->base, v3_scale(whole, part));
    if (!has_contacts(instance, run)) {
        return;
    }
    const v3 so_far = v3_sub(bone->tail, bone->base);
    const v3 head_displacement = v3_scale(so_far, DIV(ALL(1.0f), part));
    const v3 head_ahead = v3_add(bone->head, v3_sub(head_displacement, so_far));
    bone->meeting_head = v3_select(FROM_BITS(LANE_BITS(run->ahead, bone->lane)), head_ahead, bone->head);
    bone->end = v3_sub(v3_add(bone->tail, whole), head_displacement);
    bone->hit = LANE_BITS((uint32_t)instance->spring_hit[bone->at], bone->lane);
}

// Transforms the frame from the space above to the space of the joints' parents: applies the nodes in between and, if
// uneven, also computes the inverse.
VRMI_SIMD_RARE void enter_parent(bones *bone)
{
    if (bone->between != NULL) {
        bone->frame = m3_mul_m3(bone->frame, load_matrix(bone->between->matrix, bone->lane));
    }
    if (bone->uneven) {
        bone->inverse = m3_inverse(bone->frame); // if there is none, bones keep their rest direction
    }
}

// Computes the current row for this pose, instead of the model's row.
VRMI_SIMD_RARE void pose_row(
    const vrm_instance *instance, const vrmi_spring_group_run *run, uint32_t depth, bones *bone)
{
    vrmi_spring_tables tables = vrmi_model_spring_tables(instance->model);
    vrmi_spring_pose_tables(instance, &tables);
    vrmi_spring_posed *posed = run->posed;
    vrmi_spring_row *row = &posed->row[depth % 2];
    const int32_t frame = bone->row->frame, limit = bone->row->limit;
    (void)vrmi_spring_fill_row(
        &tables, run->group, depth, depth > 0 ? &posed->row[1 - depth % 2] : NULL, row, &posed->between);
    row->frame = frame;
    row->limit = limit;
    bone->row = row;
    bone->between = &posed->between;
}

VRMI_SIMD_INLINE void take_row(
    const vrm_instance *instance, const vrmi_spring_group_run *run, uint32_t depth, bones *bone)
{
    const vrmi_model *model = instance->model;
    bone->at = run->group->first_row + depth;
    bone->lane = run->lane;
    bone->uneven = run->uneven;
    bone->hit = 0;
    bone->row = &vrmi_model_spring_row(model)[bone->at];
    const int32_t between = bone->row->between, limit = bone->row->limit;
    bone->between = between >= 0 ? &vrmi_model_spring_between(model)[between] : NULL;
    bone->limit = limit >= 0 ? &vrmi_model_spring_limit(model)[limit] : NULL;
    bone->active = LANE_BITS(bone->row->lanes & run->only, bone->lane);
    if (run->posed != NULL) {
        pose_row(instance, run, depth, bone);
    }
}

// Returns the lanes whose joints have a node at the tail.
static uint32_t lanes_with_tail(const vrm_instance *instance, const vrmi_spring_group_run *run, uint32_t depth)
{
    uint32_t lanes = 0;
    for (uint32_t lane = 0; lane < run->group->chain_count; ++lane) {
        const vrmi_chain_row *chain = &vrmi_model_spring_chain(instance->model)[run->group->chains[lane]];
        const bool there = depth < chain->joint_count;
        lanes |= there && vrmi_model_spring_joint(instance->model)[chain->first_joint + depth].tail_node >= 0
                     ? 1u << lane
                     : 0u;
    }
    return lanes;
}

// Measures the bones' lengths as three-vrm does: from their current heads to the positions at which the tails' nodes
// were shown in the last frame.
VRMI_SIMD_RARE void measure_row(
    const vrm_instance *instance, const vrmi_spring_group_run *run, uint32_t depth, bones *bone)
{
    const real zero = ALL(0.0f), long_ago = v3_length(bone->tail);
    const v3 shown = v3_scale(bone->tail, DIV(bone->length, long_ago)), way = v3_sub(bone->base, bone->tail);
    const mask turns = AND(LT(zero, bone->length), LT(ALL(1e-18f), long_ago));
    const mask measured = AND(turns, FROM_BITS(LANE_BITS(lanes_with_tail(instance, run, depth), bone->lane)));
    bone->length = SELECT(measured, v3_length(v3_add(shown, way)), bone->length);
}

// Computes heads, rest directions under the parents, and the tails before collisions.
VRMI_SIMD_INLINE void aim_row(const vrm_instance *instance, const vrmi_spring_group_run *run, uint32_t depth,
    const vrmi_spring_step *step, row_kind kind, bones *bone)
{
    take_row(instance, run, depth, bone);
    const vrmi_spring_row *row = bone->row;
    const v3 offset = v3_scale(load_vec3(&row->offset, bone->lane), bone->stretch);
    bone->head = v3_add(bone->head, m3_mul(bone->frame, offset));
    if (bone->between != NULL || bone->uneven) {
        enter_parent(bone);
    }
    if (kind == ROW_SHOW) {
        return;
    }
    bone->length = MUL(LOAD(&row->length[bone->lane]), bone->stretch);
    if (kind == ROW_STAND) {
        return;
    }
    forces f;
    bone->rest_direction = m3_mul(bone->frame, load_vec3(&row->axis, bone->lane));
    if (bone->uneven) {
        bone->rest_direction = v3_normalize_or(bone->rest_direction, bone->rest_direction);
    }
    gather(instance, run, step, bone, &f);
    bone->profile = step->profile;
    if (step->profile == VRM_PROFILE_THREE_VRM) {
        measure_row(instance, run, depth, bone);
    }
    if (kind == ROW_LOOK_AHEAD) {
        aim_ahead(instance, run, step, bone, &f);
    } else {
        bone->end = v3_add(bone->base, displacement_of(bone, &f, ALL(step->dt)));
    }
}

// Restores the tails' distances from the heads.
VRMI_SIMD_INLINE void constrain_row(
    const vrm_instance *instance, const vrmi_spring_group_run *run, row_kind kind, bones *bone)
{
    if (kind == ROW_LOOK_AHEAD) {
        bone->seen = constrain(bone, bone->seen);
    }
    if (kind != ROW_LOOK_AHEAD || has_contacts(instance, run)) {
        bone->end = constrain(bone, bone->end);
    }
}

VRMI_SIMD_INLINE void collide_row(
    const vrm_instance *instance, const vrmi_spring_group_run *run, row_kind kind, bones *bone)
{
    if (has_contacts(instance, run)) {
        // In center space, a tick is computed relative to the center's pose in this frame, so it meets the colliders of
        // this frame, not interpolated ones.
        const uint32_t ahead = kind == ROW_LOOK_AHEAD ? run->ahead : 0;
        const v3 head = kind == ROW_LOOK_AHEAD ? bone->meeting_head : bone->head;
        if (ahead != 0xffu) {
            const vrmi_spring_collider *now = instance->spring_collider;
            bone->hit |= collide_all(instance, run->group, now, ~ahead, bone, head, &bone->end);
        }
        if (ahead != 0) {
            const vrmi_spring_collider *then = instance->spring_ahead;
            bone->hit |= collide_all(instance, run->group, then, ahead, bone, head, &bone->end);
        }
    }
}

// Returns a vector of the same length that ends at this height, in the horizontal direction of `tail`. If `tail` is
// vertical, uses the horizontal rest direction; if that is vertical, too, any direction.
VRMI_SIMD_INLINE v3 turn_to_height(const bones *bone, v3 tail, real height, real length)
{
    const real zero = ALL(0.0f), least = ALL(1e-12f);
    const real y = MIN(height, length), left = SUB(MUL(length, length), MUL(y, y));
    const v3 rest = {bone->rest_direction.x, zero, bone->rest_direction.z};
    const mask rests = LT(least, v3_dot(rest, rest));
    v3 way = {tail.x, zero, tail.z};
    const mask goes = LT(least, v3_dot(way, way));
    way = v3_select(goes, way, v3_select(rests, rest, (v3){zero, zero, ALL(-1.0f)}));
    const real far = DIV(SELECT(LT(zero, left), left, zero), v3_dot(way, way));
    return v3_add(v3_scale(way, SQRT(far)), (v3){zero, y, zero});
}

// Returns the rotation of a row of bones back to rest. `direction`: of the bones, in the space of their parents.
VRMI_SIMD_INLINE q4 back_to_rest(const vrmi_spring_row *row, uint32_t lane, v3 direction)
{
    return q4_conjugate(q4_from_to(load_vec3(&row->axis, lane), direction));
}

// Returns how far the lowest vertices beside a row of bones are below the bones. `up` is up in the world, in the space
// of the parents and rotated with the bones back to rest; `along` is its component along the bones.
VRMI_SIMD_INLINE real depth_beside(const vrmi_spring_reach *reach, uint32_t lane, v3 up, real along)
{
    const real a = v3_dot(up, load_vec3(&reach->half[0], lane)), b = v3_dot(up, load_vec3(&reach->half[1], lane));
    const real rectangle = ADD(MAX(a, NEG(a)), MAX(b, NEG(b)));
    const real level = MAX(SUB(v3_dot(up, up), MUL(along, along)), ALL(0.0f));
    const real circle = MUL(SQRT(level), LOAD(&reach->radius[lane]));
    return SUB(MIN(rectangle, circle), v3_dot(up, load_vec3(&reach->center, lane)));
}

// Returns how far the lowest vertices near the tails are below the tails, if the bones point to `tail`. There, vertices
// follow these bones and the bones below, which still point as in the last tick.
VRMI_SIMD_INLINE real depth_below(
    const vrm_instance *instance, const vrmi_spring_group_run *run, const bones *bone, v3 tail)
{
    const vrmi_spring_reach *reach = &vrmi_model_spring_reach(instance->model)[bone->at];
    const uint32_t lane = bone->lane, next = bone->at + 1;
    const q4 back = back_to_rest(bone->row, lane, to_parent(bone, tail));
    const v3 up = q4_rotate(back, bone->frame.y);
    const real along = v3_dot(up, load_vec3(&bone->row->axis, lane));
    const real beside = depth_beside(reach, lane, up, along);
    const real beyond = MAX(ALL(0.0f), NEG(MUL(along, LOAD(&reach->beyond[lane]))));
    real depth =
        MAX(ADD(beside, MUL(beyond, LOAD(&reach->shoulder[lane]))), ADD(MUL(beside, LOAD(&reach->tip[lane])), beyond));
    if (next < run->group->first_row + run->group->row_count) {
        const vrmi_spring_row *below = &vrmi_model_spring_row(instance->model)[next];
        const q4 rest = load_quat(&bone->row->rest, lane), unrest = q4_conjugate(rest);
        const v3 last = to_parent(bone, load_vec3(&instance->spring_state[next].tail, lane));
        const q4 back_below = back_to_rest(below, lane, q4_rotate(unrest, q4_rotate(back, last)));
        const v3 up_below = q4_rotate(back_below, q4_rotate(unrest, up));
        const real along_below = v3_dot(up_below, load_vec3(&below->axis, lane));
        const real there = MAX(depth_beside(reach, lane, q4_rotate(rest, up_below), along_below),
            depth_beside(reach + 1, lane, up_below, along_below));
        depth = SELECT(FROM_BITS(LANE_BITS(below->lanes, lane)), MAX(depth, there), depth);
    }
    return MUL(depth, bone->stretch);
}

// Returns the height to which the tails must rise for the vertices around them. Bones that start too low for their
// vertices rise by 30 degrees at most, and the bones below rise further. Otherwise a wide lock that starts at the ground
// would stand up.
VRMI_SIMD_INLINE real height_of_reach(
    const vrm_instance *instance, const vrmi_spring_group_run *run, const bones *bone, real ground, v3 tail)
{
    return MIN(ADD(ground, depth_below(instance, run, bone, tail)), MUL(bone->length, ALL(0.5f)));
}

// Rotates bones about their heads until their tails have this height. If tails were pushed along the normal, as for
// planes, they would need several ticks, and a tail that points straight down would never reach the ground. If a bone's
// length depends on its direction, this takes a few iterations.
VRMI_SIMD_INLINE v3 turn_to_ground(const bones *bone, real height)
{
    v3 turned = turn_to_height(bone, bone->end, height, bone->length);
    for (int i = 0; i < 4 && (bone->uneven || bone->limit != NULL); ++i) {
        const v3 kept = constrain(bone, turned);
        turned = i < 3 ? turn_to_height(bone, kept, height, v3_length(kept)) : kept;
    }
    return turned;
}

// Keeps tails above the ground by the hit radius, and the vertices around them above the ground.
VRMI_SIMD_RARE void collide_ground(
    const vrm_instance *instance, const vrmi_spring_group_run *run, row_kind kind, bones *bone)
{
    const real head = kind == ROW_LOOK_AHEAD ? bone->meeting_head.y : bone->head.y;
    const real ground = SUB(ALL(instance->springs.ground), head), least = ADD(ground, bone->hit_radius);
    const vrmi_spring_reach *reach = &vrmi_model_spring_reach(instance->model)[bone->at];
    const real most = MUL(LOAD(&reach->most[bone->lane]), bone->stretch);
    if ((BITS(LT(bone->end.y, MAX(least, ADD(ground, most)))) & bone->active) == 0) {
        return;
    }
    const real height = MAX(least, height_of_reach(instance, run, bone, ground, bone->end));
    const uint32_t hit = BITS(LT(bone->end.y, height)) & bone->active;
    if (hit != 0) {
        // A bone that turns also turns its vertices, so that its tail may need more height or less. The line through
        // both differences gives a good estimate.
        v3 turned = turn_to_ground(bone, height);
        const real rise = SUB(height, bone->end.y), zero = ALL(0.0f);
        const real more = SUB(MAX(least, height_of_reach(instance, run, bone, ground, turned)), height);
        const real part = DIV(rise, SUB(rise, MIN(more, zero)));
        turned = turn_to_ground(bone, ADD(bone->end.y, MUL(ADD(rise, MAX(more, zero)), part)));
        bone->end = v3_select(FROM_BITS(hit), turned, bone->end);
        bone->hit |= hit;
    }
}

// Stores the state of a tick. Slots without a joint are not used.
VRMI_SIMD_INLINE void keep_row(vrm_instance *instance, bones *bone, v3 head, v3 tail, v3 velocity)
{
    vrmi_spring_state_lanes *state = &instance->spring_state[bone->at];
    const uint32_t lane = bone->lane, was_hit = instance->spring_hit[bone->at];
    tail = v3_snap(tail);
    velocity = v3_snap(velocity);
    store_vec3(&state->velocity, lane, velocity);
    store_vec3(&state->tail, lane, tail);
    store_vec3(&state->head, lane, head);
    bone->check = v3_add(v3_add(tail, velocity), head);
    instance->spring_hit[bone->at] = (uint8_t)((was_hit & ~(bone->active << lane)) | bone->hit << lane);
}

// Returns the tail that is shown between two ticks.
VRMI_SIMD_INLINE v3 tail_ahead(
    const vrm_instance *instance, const vrmi_spring_group_run *run, const vrmi_spring_step *step, const bones *bone)
{
    if (!has_contacts(instance, run) || bone->hit == 0) {
        return bone->seen;
    }
    const v3 displacement = v3_scale(v3_sub(bone->end, bone->tail), ALL(step->part));
    return v3_select(FROM_BITS(bone->hit), constrain(bone, v3_add(bone->tail, displacement)), bone->seen);
}

// Computes the rotations from the bones at rest to the tails.
VRMI_SIMD_INLINE void swing_row(
    vrm_instance *instance, const vrmi_spring_group_run *run, const vrmi_spring_step *step, row_kind kind, bones *bone)
{
    const uint32_t lane = bone->lane;
    v3 tail;
    if (kind == ROW_TICK) {
        const real zero = ALL(0.0f);
        const mask turns = LT(zero, bone->length);
        tail = bone->end;
        const v3 velocity = v3_select(turns, v3_sub(tail, bone->base), (v3){zero, zero, zero});
        keep_row(instance, bone, bone->head, tail, velocity);
    } else {
        const vrmi_spring_state_lanes *state = &instance->spring_state[bone->at];
        tail = tail_ahead(instance, run, step, bone);
        bone->check = v3_add(
            v3_add(load_vec3(&state->tail, lane), load_vec3(&state->velocity, lane)), load_vec3(&state->head, lane));
    }
    const v3 axis = load_vec3(&bone->row->axis, lane);
    v3 direction;
    if (bone->uneven || step->profile > VRM_PROFILE_SPEC) { // the tail's distance may differ from the bone's length
        direction = to_parent(bone, tail);
    } else {
        const real inverse_length = MUL(LOAD(&bone->row->inverse_length[lane]), bone->unstretch);
        direction = m3_mul_transposed(bone->frame, v3_scale(tail, inverse_length));
    }
    bone->swing = q4_from_to(axis, direction);
}

// Computes the tails of joints that keep their shown rotation, without motion. Lanes that do not take part keep their
// state.
VRMI_SIMD_INLINE void stand_row(vrm_instance *instance, bones *bone, q4 shown)
{
    const q4 swing = q4_mul(shown, q4_conjugate(load_quat(&bone->row->rest, bone->lane)));
    const v3 direction = q4_rotate(swing, load_vec3(&bone->row->axis, bone->lane));
    const vrmi_spring_state_lanes *state = &instance->spring_state[bone->at];
    const mask stands = FROM_BITS(bone->active);
    const v3 tail = v3_scale(m3_mul(bone->frame, direction), bone->length);
    const real zero = ALL(0.0f);
    bone->hit = 0;
    keep_row(instance, bone, v3_select(stands, bone->head, load_vec3(&state->head, bone->lane)),
        v3_select(stands, tail, load_vec3(&state->tail, bone->lane)),
        v3_select(stands, (v3){zero, zero, zero}, load_vec3(&state->velocity, bone->lane)));
}

VRMI_SIMD_RARE void store_frame(vrmi_spring_frame *frame, const bones *bone)
{
    store_vec3(&frame->head, bone->lane, bone->head);
    store_matrix(frame->matrix, bone->lane, bone->frame);
}

// Writes to the outputs. If only some lanes are shown, the results of the others are discarded.
VRMI_SIMD_INLINE void show_row(
    vrm_instance *instance, const vrmi_spring_group_run *run, const bones *bone, uint32_t shows, q4 shown)
{
    float scratch[12];
    float *local[WIDTH], *world[WIDTH];
    bool posed = false; // the rotations of hair stay in the state, unless the pose has rows for hair
    for (uint32_t i = 0; i < WIDTH; ++i) {
        const bool on = shows == FULL || (shows >> i & 1u) != 0;
        const uint32_t node = bone->row->node[bone->lane + i];
        const bool has_pose = on && vrmi_has_pose(instance, node);
        posed = posed || has_pose;
        local[i] = has_pose ? &vrmi_local(instance, node)->rotation.x : scratch;
        world[i] = on ? &instance->world[node].m[0][0] : scratch;
    }
    if (posed) {
        store_rows(local, 0, shown);
    }
    const real root = ALL(instance->root.scale);
    const real even = MUL(MUL(LOAD(&bone->row->scale[bone->lane]), bone->stretch), root);
    v3 scale = {even, even, even};
    if (run->group->uneven != 0) {
        scale = v3_scale(load_vec3(&bone->between->scale, bone->lane), root);
    }
    const v3 rows[3] = {bone->frame.x, bone->frame.y, bone->frame.z};
    const real translation[3] = {MUL(bone->head.x, root), MUL(bone->head.y, root), MUL(bone->head.z, root)};
    for (int k = 0; k < 3; ++k) {
        const v3 scaled = v3_mul(rows[k], scale);
        store_rows(world, 4 * k, (q4){scaled.x, scaled.y, scaled.z, translation[k]});
    }
}

// Computes the joints' rotations and their shown pose.
VRMI_SIMD_INLINE void turn_row(vrm_instance *instance, vrmi_spring_group_run *run, row_kind kind, bones *bone)
{
    vrmi_spring_state_lanes *state = &instance->spring_state[bone->at];
    const uint32_t lane = bone->lane;
    q4 shown;
    if (kind == ROW_SHOW || kind == ROW_STAND) {
        // Joints that cannot rotate are shown in their current pose.
        const mask turns = LT(ALL(0.0f), LOAD(&bone->row->length[lane]));
        shown = q4_select(turns, load_quat(&state->shown, lane), load_quat(&bone->row->rest, lane));
        if (kind == ROW_STAND) {
            stand_row(instance, bone, shown);
        }
    } else {
        shown = q4_mul(bone->swing, load_quat(&bone->row->rest, lane));
        const real sum = ADD(ADD(bone->check.x, bone->check.y), ADD(bone->check.z, shown.w));
        // If x is not finite, x - x is NaN.
        const uint32_t finite = BITS(EQ(SUB(sum, sum), ALL(0.0f)));
        run->lost |= ~finite & bone->active;
        store_quat(&state->shown, lane, shown);
    }
    bone->frame = m3_mul_m3(bone->frame, q4_matrix(shown));
    const int32_t frame = instance->def.host_colliders != 0 ? instance->spring_row_frame[bone->at] : bone->row->frame;
    if (frame >= 0) {
        store_frame(&instance->spring_frame[frame], bone);
    }
    const uint32_t shows = LANE_BITS(run->shows, lane) & bone->active;
    if (shows != 0) {
        show_row(instance, run, bone, shows, shown);
    }
}

// Starts at the poses of the chains' anchors.
VRMI_SIMD_INLINE void take_roots(const vrm_instance *instance, const vrmi_spring_group_run *run, bones *bone)
{
    const float *pose[WIDTH], *stretch[WIDTH];
    float scales[WIDTH], folds[WIDTH];
    for (uint32_t i = 0; i < WIDTH; ++i) {
        const uint32_t index = run->group->anchors[run->lane + i];
        const vrmi_spring_anchor *anchor = &instance->spring_anchor[index];
        pose[i] = &anchor->pose.position.x;
        stretch[i] = instance->spring_stretch[index].m;
        scales[i] = anchor->scale;
        folds[i] = anchor->fold;
    }
    q4 rotation;
    load_poses(pose, &bone->head, &rotation);
    bone->frame = q4_matrix(rotation);
    bone->stretch = bone->unstretch = ALL(1.0f);
    if (run->uneven) {
        m3 by = load_matrices(stretch);
        if (run->group->uneven != 0) {
            by = m3_scale(by, LOAD(folds));
        }
        bone->frame = m3_mul_m3(bone->frame, by);
    } else if (run->stretched) {
        bone->stretch = LOAD(scales);
        bone->unstretch = DIV(ALL(1.0f), bone->stretch);
    }
}

VRMI_SIMD_INLINE void go_down(vrm_instance *instance, vrmi_spring_group_run *runs, uint32_t run_count,
    const vrmi_spring_step *step, row_kind kind, bool lies)
{
    const bool moves = kind == ROW_TICK || kind == ROW_LOOK_AHEAD;
    bones bone[VRMI_SPRING_BATCH];
    uint32_t row_count = 0;
    for (uint32_t i = 0; i < run_count; ++i) {
        take_roots(instance, &runs[i], &bone[i]);
        row_count = runs[i].group->row_count > row_count ? runs[i].group->row_count : row_count;
    }
    for (uint32_t depth = 0; depth < row_count; ++depth) {
        for (uint32_t i = 0; i < run_count; ++i) {
            if (depth < runs[i].group->row_count) {
                aim_row(instance, &runs[i], depth, step, kind, &bone[i]);
            }
        }
        for (uint32_t i = 0; moves && i < run_count; ++i) {
            if (depth < runs[i].group->row_count) {
                constrain_row(instance, &runs[i], kind, &bone[i]);
            }
        }
        for (uint32_t i = 0; moves && i < run_count; ++i) {
            if (depth < runs[i].group->row_count) {
                collide_row(instance, &runs[i], kind, &bone[i]);
            }
        }
        for (uint32_t i = 0; lies && i < run_count; ++i) {
            if (depth < runs[i].group->row_count) {
                collide_ground(instance, &runs[i], kind, &bone[i]);
            }
        }
        for (uint32_t i = 0; moves && i < run_count; ++i) {
            if (depth < runs[i].group->row_count) {
                swing_row(instance, &runs[i], step, kind, &bone[i]);
            }
        }
        for (uint32_t i = 0; i < run_count; ++i) {
            if (depth < runs[i].group->row_count) {
                turn_row(instance, &runs[i], kind, &bone[i]);
            }
        }
    }
}

static void run_groups(
    vrm_instance *instance, vrmi_spring_group_run *runs, uint32_t run_count, const vrmi_spring_step *step)
{
    const bool lies = instance->springs.settings.ground;
    const bool tick = step->kind == VRMI_SPRING_STEP_TICK;
    const row_kind kind = tick                                        ? ROW_TICK
                          : step->kind == VRMI_SPRING_STEP_LOOK_AHEAD ? ROW_LOOK_AHEAD
                          : step->kind == VRMI_SPRING_STEP_STAND      ? ROW_STAND
                                                                      : ROW_SHOW;
#if defined(VRM_BARE)
    // Web packages compile one version for all cases.
    go_down(instance, runs, run_count, step, kind, lies && (tick || kind == ROW_LOOK_AHEAD));
#else
    // A tick with the ground is compiled separately, so that it does not slow down ticks without it.
    if (tick && !lies) {
        go_down(instance, runs, run_count, step, ROW_TICK, false);
    } else if (tick) {
        go_down(instance, runs, run_count, step, ROW_TICK, true);
    } else if (kind == ROW_LOOK_AHEAD) {
        go_down(instance, runs, run_count, step, ROW_LOOK_AHEAD, lies);
    } else {
        go_down(instance, runs, run_count, step, kind, false);
    }
#endif
}

// --- anchors and colliders -----------------------------------------------------------------------------------------

static void take_anchors(vrm_instance *instance, uint32_t first_anchor, uint32_t count)
{
    const real unscaled = ALL(1.0f / instance->root.scale);
    for (uint32_t first = 0; first < count; first += WIDTH) {
        const float *world[WIDTH], *world_rotation[WIDTH];
        float *out[WIDTH];
        for (uint32_t i = 0; i < WIDTH; ++i) {
            const uint32_t index =
                first_anchor + (first + i < count ? first + i : count - 1); // unused lanes repeat the last one
            const vrmi_spring_anchor_row *row = vrmi_spring_anchor_row_of(instance, index);
            const int32_t node = row->carrier < 0 ? row->node : -1; // a joint's pose is computed later
            world[i] = node < 0 ? &instance->root_world.m[0][0] : &instance->world[node].m[0][0];
            world_rotation[i] = node < 0 ? &instance->root_rotation.x : &vrmi_world_rotation(instance, node)->x;
            out[i] = &instance->spring_anchor[index].now.position.x;
        }
        const v3 place = {load_rows(world, 0).w, load_rows(world, 4).w, load_rows(world, 8).w};
        store_poses(out, v3_scale(place, unscaled), q4_normalize(load_rows(world_rotation, 0)));
    }
}

// Writes the space of a joint in the current step to a lane: rows of a matrix, then the head.
VRMI_SIMD_INLINE void take_frame(const vrm_instance *instance, uint32_t slot, uint32_t i, float out[12][WIDTH])
{
    const uint32_t at = slot / VRMI_LANES, lane = slot % VRMI_LANES;
    const vrmi_spring_row *row = &vrmi_model_spring_row(instance->model)[at];
    const int32_t index = instance->def.host_colliders != 0 ? instance->spring_row_frame[at] : row->frame;
    const vrmi_spring_frame *frame = &instance->spring_frame[index];
    for (int k = 0; k < 9; ++k) {
        out[k][i] = frame->matrix[k][lane];
    }
    out[9][i] = frame->head.x[lane];
    out[10][i] = frame->head.y[lane];
    out[11][i] = frame->head.z[lane];
}

static void take_carried(vrm_instance *instance, uint32_t first_anchor, uint32_t count)
{
    for (uint32_t first = 0; first < count; first += WIDTH) {
        float frames[12][WIDTH];
        vrm_mat34 posed[WIDTH];
        const float *relative[WIDTH];
        float *pose[WIDTH], *stretch[WIDTH];
        for (uint32_t i = 0; i < WIDTH; ++i) {
            const uint32_t index =
                first_anchor + (first + i < count ? first + i : count - 1); // unused lanes repeat the last one
            const vrmi_spring_anchor_row *row = vrmi_spring_anchor_row_of(instance, index);
            take_frame(instance, (uint32_t)row->carrier, i, frames);
            relative[i] = &row->relative.m[0][0];
            if (instance->springs.posed) {
                vrmi_spring_posed_relative(instance, row, &posed[i]);
                relative[i] = &posed[i].m[0][0];
            }
            pose[i] = &instance->spring_anchor[index].pose.position.x;
            stretch[i] = instance->spring_stretch[index].m;
        }
        const m3 frame = {{LOAD(frames[0]), LOAD(frames[1]), LOAD(frames[2])},
            {LOAD(frames[3]), LOAD(frames[4]), LOAD(frames[5])}, {LOAD(frames[6]), LOAD(frames[7]), LOAD(frames[8])}};
        const v3 head = {LOAD(frames[9]), LOAD(frames[10]), LOAD(frames[11])};
        const q4 a = load_rows(relative, 0), b = load_rows(relative, 4), c = load_rows(relative, 8);
        const m3 by = {{a.x, a.y, a.z}, {b.x, b.y, b.z}, {c.x, c.y, c.z}};
        const v3 position = v3_add(head, m3_mul(frame, (v3){a.w, b.w, c.w}));
        const m3 columns = m3_transpose(m3_mul_m3(frame, by)), axes = m3_square(columns);
        store_poses(pose, position, q4_from_axes(axes.x, axes.y, axes.z));
        if (instance->springs.stretched) {
            store_matrices(stretch, m3_mul_m3(axes, m3_transpose(columns)));
        }
    }
}

static void place_colliders(vrm_instance *instance, const uint32_t *list, uint32_t count, bool ahead)
{
    const real zero = ALL(0.0f), one = ALL(1.0f);
    for (uint32_t first = 0; first < count; first += WIDTH) {
        const float *pose[WIDTH], *shape[WIDTH], *stretch[WIDTH];
        float *out[WIDTH], folds[WIDTH], scales[WIDTH];
        uint32_t capsules = 0, planes = 0;
        bool uneven = false;
        for (uint32_t i = 0; i < WIDTH; ++i) {
            const uint32_t index = list[first + i < count ? first + i : count - 1]; // unused lanes repeat the last one
            uint32_t anchor_index;
            const vrmi_collider_row *collider = vrmi_spring_collider_of(instance, index, &anchor_index);
            const vrmi_spring_anchor *anchor = &instance->spring_anchor[anchor_index];
            const vrm_collider_shape kind = collider->shape;
            pose[i] = ahead ? &anchor->ahead.position.x : &anchor->pose.position.x;
            stretch[i] = instance->spring_stretch[anchor_index].m;
            shape[i] = &collider->offset.x;
            out[i] = &(ahead ? instance->spring_ahead : instance->spring_collider)[index].a.x;
            folds[i] = anchor->fold;
            scales[i] = anchor->scale * anchor->fold; // the largest scale if uneven
            capsules |= (kind == VRM_COLLIDER_CAPSULE || kind == VRM_COLLIDER_INSIDE_CAPSULE ? 1u : 0u) << i;
            planes |= (kind == VRM_COLLIDER_PLANE ? 1u : 0u) << i;
            uneven |= anchor->stretch == VRMI_SPRING_STRETCHED;
        }
        v3 position, offset;
        q4 rotation, shape_end; // `tail` and `radius` of the collider
        load_poses(pose, &position, &rotation);
        load_poses(shape, &offset, &shape_end);
        m3 frame = q4_matrix(rotation);
        if (uneven) {
            frame = m3_mul_m3(frame, load_matrices(stretch));
        }
        const real largest = LOAD(scales), scale = uneven ? LOAD(folds) : largest;
        const v3 tail = {shape_end.x, shape_end.y, shape_end.z};
        const mask is_capsule = FROM_BITS(capsules);
        const v3 place = v3_add(position, m3_mul(frame, v3_scale(offset, scale)));
        const v3 span = m3_mul(frame, v3_scale(v3_sub(tail, offset), scale));
        v3 b = v3_select(is_capsule, span, (v3){zero, zero, zero});
        const real squared = v3_dot(b, b);
        const mask has_length = LT(ALL(1e-18f), squared);
        const real inverse = SELECT(has_length, DIV(one, squared), zero);
        if (planes != 0) {
            // Normals are transformed by the inverse transpose. A reflection does not turn a plane inside out.
            const m3 cofactors = m3_cofactors(frame);
            const mask mirrored = LT(v3_dot(frame.x, cofactors.x), zero);
            v3 normal = m3_mul(cofactors, tail);
            normal = v3_scale(normal, SELECT(mirrored, NEG(one), one));
            b = v3_select(FROM_BITS(planes), v3_normalize_or(normal, (v3){zero, zero, one}), b);
        }
        const real radius = MUL(shape_end.w, largest);
        store_rows(out, 0, (q4){place.x, place.y, place.z, radius});
        store_rows(out, 4, (q4){b.x, b.y, b.z, inverse});
    }
}

VRMI_SPRING_KERNELS = {run_groups, take_anchors, take_carried, place_colliders};
