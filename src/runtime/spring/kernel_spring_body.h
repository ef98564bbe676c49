// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The kernel of groups, included once per instruction set (kernel_spring_scalar.c and its kin) with VRMI_SPRING_KERNELS,
// the declaration of the table. Each step has its scalar counterpart of the same name in kernel_spring.c, spring_run.c or
// math/: change both or none.

#include "runtime/core/kernel_vector.h"
#include "runtime/spring/kernel_spring_lanes.h"
#include "runtime/spring/spring_joint.h"

// vrmi_spring_unit()
static inline v4 unit(v4 q)
{
    return v4_scale(q, SUB(vrmi_f8_all(1.5f), MUL(vrmi_f8_all(0.5f), v4_dot(q, q))));
}
// vrmi_vec3_normalize_or()
static inline v3 normalize_or(v3 a, v3 fallback)
{
    const vrmi_f8 length = v3_length(a);
    const v3 scaled = v3_scale(a, DIV(vrmi_f8_all(1.0f), length));
    return v3_select(vrmi_f8_lt(vrmi_f8_all(1e-18f), length), scaled, fallback);
}

// vrmi_quat_from_to() for anti-parallel vectors.
static v4 half_turn(v3 a)
{
    const vrmi_f8 zero = vrmi_f8_all(0.0f), one = vrmi_f8_all(1.0f);
    const v3 x = {one, zero, zero}, y = {zero, one, zero};
    v3 axis = v3_sub(x, v3_scale(a, a.x));
    const vrmi_m8 along_x = vrmi_f8_lt(v3_dot(axis, axis), vrmi_f8_all(1e-6f));
    axis = normalize_or(v3_select(along_x, v3_sub(y, v3_scale(a, a.y)), axis), x);
    return (v4){axis.x, axis.y, axis.z, zero};
}

static inline v4 quat_from_to(v3 a, v3 b)
{
    const v3 sum = v3_add(a, b);
    const vrmi_f8 w = MUL(vrmi_f8_all(0.5f), v3_dot(sum, sum));
    const v3 axis = v3_cross(a, sum);
    // vrmi_quat_normalize(); what it guards against is not usual.
    v4 usual = {axis.x, axis.y, axis.z, w};
    usual = v4_scale(usual, DIV(vrmi_f8_all(1.0f), vrmi_f8_sqrt(v4_dot(usual, usual))));
    const vrmi_m8 is_usual = vrmi_f8_lt(vrmi_f8_all(1e-12f), w);
    return vrmi_m8_bits(is_usual) == 0xff ? usual : v4_select(is_usual, usual, half_turn(a));
}

static inline v3 v3_load(const vrmi_vec3_lanes *in)
{
    return (v3){vrmi_f8_load(in->x), vrmi_f8_load(in->y), vrmi_f8_load(in->z)};
}

static inline v4 v4_load(const vrmi_quat_lanes *in)
{
    return (v4){vrmi_f8_load(in->x), vrmi_f8_load(in->y), vrmi_f8_load(in->z), vrmi_f8_load(in->w)};
}

static inline v4 v4_all(vrm_quat q)
{
    return (v4){vrmi_f8_all(q.x), vrmi_f8_all(q.y), vrmi_f8_all(q.z), vrmi_f8_all(q.w)};
}

static inline void v3_store(vrmi_vec3_lanes *out, v3 v)
{
    vrmi_f8_store(out->x, v.x);
    vrmi_f8_store(out->y, v.y);
    vrmi_f8_store(out->z, v.z);
}

static inline void v4_store(vrmi_quat_lanes *out, v4 v)
{
    vrmi_f8_store(out->x, v.x);
    vrmi_f8_store(out->y, v.y);
    vrmi_f8_store(out->z, v.z);
    vrmi_f8_store(out->w, v.w);
}

// A row of joints in a step: what its phases hand on to the next. Between rows heads and rotations stay, for the one
// below.
typedef struct bones {
    v4 rotation; // of what the joints hang on, then of the joints
    v4 rest;     // rotation that the joints have at rest under their parents
    v3 head, base, tail;
    v3 first_base;   // after lead(): the base before it
    v3 seen, end;    // tails: as a look ahead without contact shows it; before and after contacts
    v3 meeting_head; // from which `end` meets colliders
    v4 swing;        // from the bones at rest to the tails
    v3 check;        // finite where the state is
    vrmi_f8 length, hit_radius;
    const vrmi_spring_bone_lanes *lanes;
    uint32_t row;
    uint32_t active, hit; // bits: lanes that have a joint here and run; lanes that a collider has pushed
} bones;

// What decides where they go, besides.
typedef struct urge {
    v3 velocity, force, rest_direction;
    vrmi_f8 stiffness, keep;
} urge;

// Where a tail has no direction from its head, it gets that of the bone at rest.
VRMI_SIMD_INLINE v3 constrain(const bones *bone, v3 tail)
{
    const vrmi_f8 length = v3_length(tail);
    const v3 scaled = v3_scale(tail, DIV(bone->length, length));
    const vrmi_m8 has_direction = vrmi_f8_lt(vrmi_f8_all(1e-18f), length);
    if (vrmi_m8_bits(has_direction) == 0xff) {
        return scaled;
    }
    const v3 rest_direction = quat_rotate(bone->rest, v3_load(&bone->lanes->axis));
    return v3_select(has_direction, scaled, v3_scale(rest_direction, bone->length));
}

// from_middle() of a capsule that has a length.
static inline v3 from_middle(const vrmi_spring_collider *c, v3 from_a)
{
    const v3 b = v3_all(c->b);
    const vrmi_f8 projected = MUL(v3_dot(b, from_a), vrmi_f8_all(c->inverse));
    const vrmi_f8 along = vrmi_f8_max(vrmi_f8_all(0.0f), vrmi_f8_min(vrmi_f8_all(1.0f), projected));
    return v3_sub(from_a, v3_scale(b, along));
}

// Moves the tails of the lanes that were hit.
VRMI_SIMD_INLINE void push(const bones *bone, uint32_t hit, v3 way, v3 *tail)
{
    *tail = v3_select(vrmi_m8_from_bits(hit), constrain(bone, v3_add(*tail, way)), *tail);
}

// meet() for a plane.
static inline uint32_t meet_plane(const bones *bone, v3 from_a, const vrmi_spring_lane_contact *contact, v3 *tail)
{
    const v3 normal = v3_all(contact->collider->b);
    const vrmi_f8 distance = SUB(v3_dot(from_a, normal), bone->hit_radius);
    const uint32_t hit = vrmi_m8_bits(vrmi_f8_lt(distance, vrmi_f8_all(0.0f))) & contact->lanes & bone->active;
    if (hit != 0) {
        push(bone, hit, v3_scale(normal, vrmi_f8_neg(distance)), tail);
    }
    return hit;
}

// meet() for what keeps in.
static inline uint32_t meet_inside(const bones *bone, v3 from_a, const vrmi_spring_lane_contact *contact, v3 *tail)
{
    const vrmi_spring_collider *c = contact->collider;
    const vrmi_f8 zero = vrmi_f8_all(0.0f), radius = vrmi_f8_all(c->radius);
    const v3 d = c->inverse != 0.0f ? from_middle(c, from_a) : from_a;
    const vrmi_f8 squared = v3_dot(d, d), reach = SUB(radius, bone->hit_radius);
    const vrmi_m8 touches = vrmi_m8_or(vrmi_f8_lt(reach, zero), vrmi_f8_lt(MUL(reach, reach), squared));
    const uint32_t hit = vrmi_m8_bits(touches) & contact->lanes & bone->active;
    if (hit != 0) {
        const vrmi_f8 length = vrmi_f8_sqrt(squared), side = vrmi_f8_all(-1.0f);
        const vrmi_f8 distance = SUB(MUL(side, SUB(length, radius)), bone->hit_radius);
        const vrmi_f8 toward = vrmi_f8_select(vrmi_f8_lt(vrmi_f8_all(1e-12f), length), DIV(side, length), zero);
        const vrmi_f8 way = vrmi_f8_min(vrmi_f8_neg(distance), SUB(reach, distance));
        push(bone, hit, v3_scale(v3_scale(d, toward), way), tail);
    }
    return hit;
}

// meet(): the lanes that it pushed. `point` is head + tail. Most are not met, and that is found without a square root.
VRMI_SIMD_INLINE uint32_t meet(const bones *bone, v3 point, const vrmi_spring_lane_contact *contact, v3 *tail)
{
    const vrmi_spring_collider *c = contact->collider;
    v3 d = v3_sub(point, v3_all(c->a));
    if (contact->kind >= VRMI_SPRING_CONTACT_INSIDE) {
        return contact->kind == VRMI_SPRING_CONTACT_PLANE ? meet_plane(bone, d, contact, tail)
                                                          : meet_inside(bone, d, contact, tail);
    }
    if (contact->kind == VRMI_SPRING_CONTACT_CAPSULE) {
        d = from_middle(c, d);
    }
    const vrmi_f8 radius = vrmi_f8_all(c->radius), squared = v3_dot(d, d), reach = ADD(radius, bone->hit_radius);
    const uint32_t hit = vrmi_m8_bits(vrmi_f8_lt(squared, MUL(reach, reach))) & contact->lanes & bone->active;
    if (hit != 0) {
        const vrmi_f8 length = vrmi_f8_sqrt(squared);
        const vrmi_f8 distance = SUB(SUB(length, radius), bone->hit_radius);
        const vrmi_f8 toward =
            vrmi_f8_select(vrmi_f8_lt(vrmi_f8_all(1e-12f), length), DIV(vrmi_f8_all(1.0f), length), vrmi_f8_all(0.0f));
        push(bone, hit, v3_scale(v3_scale(d, toward), vrmi_f8_neg(distance)), tail);
    }
    return hit;
}

static inline v3 wish(const urge *urges, vrmi_f8 dt)
{
    const v3 inertia = v3_scale(urges->velocity, urges->keep);
    const v3 stiffness = v3_scale(urges->rest_direction, MUL(dt, urges->stiffness));
    return v3_add(v3_add(inertia, stiffness), v3_scale(urges->force, dt));
}

// Meets all colliders from a head; the lanes that were pushed.
VRMI_SIMD_INLINE uint32_t meet_all(const bones *bone, v3 head, const vrmi_spring_lane_run *run, v3 *tail)
{
    uint32_t hit = 0;
    v3 point = v3_add(head, *tail);
    for (uint32_t i = 0; i < run->contact_count; ++i) {
        const uint32_t pushed = meet(bone, point, &run->contacts[i], tail);
        if (pushed != 0) {
            hit |= pushed;
            point = v3_add(head, *tail);
        }
    }
    return hit;
}

// vrmi_spring_lead()
static inline void lead(
    bones *bone, urge *urges, const vrmi_spring_lane_run *run, const vrmi_spring_step *step, uint32_t hit)
{
    const v3 way = v3_sub(bone->base, bone->tail);
    const v3 start = v3_add(bone->tail, v3_scale(way, vrmi_f8_all(step->lead)));
    v3 tail = constrain(bone, v3_add(start, wish(urges, vrmi_f8_all(step->dt))));
    if (hit != 0) {
        bones touching = *bone;
        touching.active &= hit;
        (void)meet_all(&touching, bone->head, run, &tail);
    }
    bone->first_base = bone->base;
    urges->velocity = v3_sub(tail, start);
    bone->tail = tail;
    bone->base = v3_add(tail, v3_scale(way, vrmi_f8_all(1.0f - step->lead)));
}

// The same as in spring_run.c.
static inline v3 skim(
    bones *bone, urge *urges, const vrmi_spring_lane_run *run, const vrmi_spring_step *step, uint32_t hit)
{
    const vrmi_f8 ticks = vrmi_f8_all(step->lead > 0.0f ? 1.0f + step->part : step->part);
    const v3 sliding = v3_add(bone->base, v3_scale(urges->velocity, ticks));
    if (step->lead > 0.0f) {
        lead(bone, urges, run, step, 0);
    }
    const v3 way = v3_scale(wish(urges, vrmi_f8_all(step->dt)), vrmi_f8_all(step->part));
    return constrain(bone, v3_select(vrmi_m8_from_bits(hit), sliding, v3_add(bone->base, way)));
}

static inline vrmi_f8 snap(vrmi_f8 x)
{
    const vrmi_f8 step = vrmi_f8_all(VRMI_SPRING_SNAP);
    return SUB(ADD(x, step), step);
}

static inline v3 snap3(v3 v)
{
    return (v3){snap(v.x), snap(v.y), snap(v.z)};
}

// The state as it is, carried to this step.
VRMI_SIMD_INLINE void gather(const vrm_instance *instance, const vrmi_spring_lane_run *run,
    const vrmi_spring_step *step, bones *bone, urge *urges)
{
    const vrm_spring_settings *settings = &instance->springs.settings;
    const vrmi_spring_param_lanes *params = &vrmi_spring_param_rows(instance)[bone->row];
    const vrmi_spring_state_lanes *state = &instance->spring_state[bone->row];
    const vrmi_f8 power = MUL(vrmi_f8_load(params->gravity_power), vrmi_f8_all(settings->gravity_scale));
    urges->force = v3_add(v3_scale(v3_load(&params->gravity_dir), power), v3_all(settings->external));
    urges->stiffness = MUL(vrmi_f8_load(params->stiffness), vrmi_f8_all(settings->stiffness_scale));
    urges->keep = SUB(vrmi_f8_all(1.0f), vrmi_f8_load(params->drag_force));
    bone->hit_radius = vrmi_f8_load(params->hit_radius);
    v3 old_head = v3_load(&state->head);
    bone->tail = v3_load(&state->tail);
    urges->velocity = v3_load(&state->velocity);
    if (run->turns != 0) {
        const v4 turn = run->centered ? v4_load(&run->carry_rotation) : v4_all(step->turn);
        const vrmi_m8 turns = vrmi_m8_from_bits(run->turns);
        old_head = v3_select(turns, quat_rotate(turn, old_head), old_head);
        bone->tail = v3_select(turns, quat_rotate(turn, bone->tail), bone->tail);
        urges->velocity = v3_select(turns, quat_rotate(turn, urges->velocity), urges->velocity);
    }
    old_head = v3_add(old_head, run->centered ? v3_load(&run->carry_translation) : v3_all(step->shift));
    bone->base = v3_add(bone->tail, v3_sub(old_head, bone->head));
}

// Where the nodes of a row are in their parents.
static inline v3 load_translations(const vrm_instance *instance, const vrmi_spring_bone_lanes *row)
{
    const float *rows[VRMI_LANES];
    for (uint32_t lane = 0; lane < VRMI_LANES; ++lane) {
        rows[lane] = (const float *)(const void *)&instance->local[row->node[lane]];
    }
    vrmi_f8 parts[4]; // and a component of the rotation, which comes behind
    vrmi_f8_load_rows(rows, 0, parts);
    return (v3){parts[0], parts[1], parts[2]};
}

// vrmi_spring_show_joint(). Where not all lanes show something, the others' go nowhere.
VRMI_SIMD_INLINE void show_row(vrm_instance *instance, const bones *bone, uint32_t shows, bool all, v4 shown)
{
    float scratch[12];
    float *local[VRMI_LANES], *world[VRMI_LANES], *world_rotation[VRMI_LANES];
    for (uint32_t lane = 0; lane < VRMI_LANES; ++lane) {
        const bool on = all || (shows >> lane & 1u) != 0;
        const uint32_t node = bone->lanes->node[lane];
        local[lane] = on ? &instance->local[node].rotation.x : scratch;
        world[lane] = on ? &instance->world[node].m[0][0] : scratch;
        world_rotation[lane] = on ? &instance->world_rotation[node].x : scratch;
    }
    const vrmi_f8 local_columns[4] = {shown.x, shown.y, shown.z, shown.w};
    const vrmi_f8 rotation_columns[4] = {bone->rotation.x, bone->rotation.y, bone->rotation.z, bone->rotation.w};
    vrmi_f8_store_rows(local, 0, local_columns);
    vrmi_f8_store_rows(world_rotation, 0, rotation_columns);
    const vrmi_f8 scale = vrmi_f8_all(instance->root.scale);
    const vrmi_f8 scales[3] = {scale, scale, scale};
    const vrmi_f8 translation[3] = {MUL(bone->head.x, scale), MUL(bone->head.y, scale), MUL(bone->head.z, scale)};
    vrmi_f8 matrix[3][4];
    put_transform(translation, bone->rotation, scales, matrix);
    for (int row = 0; row < 3; ++row) {
        vrmi_f8_store_rows(world, 4 * row, matrix[row]);
    }
}

// --- a row in phases -----------------------------------------------------------------------------------------------
//
// Each waits for the one before; a phase goes over all groups before the next begins, so that the processor finds
// another group's work while one waits. Compiled for each kind of step that is usual by itself.

typedef enum row_kind {
    ROW_TICK,
    ROW_LOOK_AHEAD,
    ROW_LEAD, // a tick after another one
    ROW_SKIM,
    ROW_SHOW
} row_kind;

static inline row_kind kind_of(const vrmi_spring_step *step)
{
    if (step->kind == VRMI_SPRING_STEP_SHOW) {
        return ROW_SHOW;
    }
    if (step->kind == VRMI_SPRING_STEP_TICK) {
        return step->lead > 0.0f ? ROW_LEAD : ROW_TICK;
    }
    return step->skims ? ROW_SKIM : ROW_LOOK_AHEAD;
}

// Of a look ahead: the tails as it shows them without contact, and at the end of the tick under way.
VRMI_SIMD_INLINE void aim_ahead(
    const vrmi_spring_lane_run *run, const vrmi_spring_step *step, bones *bone, const urge *urges, uint32_t was_hit)
{
    const vrmi_f8 part = vrmi_f8_all(step->part);
    const v3 whole = wish(urges, vrmi_f8_all(step->dt));
    bone->seen = v3_add(bone->base, v3_scale(whole, part));
    if (run->contact_count == 0) {
        return;
    }
    const v3 way_so_far = v3_sub(bone->tail, bone->base);
    const v3 head_way = v3_scale(way_so_far, DIV(vrmi_f8_all(1.0f), part));
    bone->meeting_head = run->ahead ? v3_add(bone->head, v3_sub(head_way, way_so_far)) : bone->head;
    bone->end = v3_sub(v3_add(bone->tail, whole), head_way);
    bone->hit = was_hit;
}

// Where heads are, the bones at rest under their parents, and where tails go without colliders.
VRMI_SIMD_INLINE void aim_row(const vrm_instance *instance, const vrmi_spring_lane_run *run, uint32_t depth,
    const vrmi_spring_step *step, row_kind kind, bones *bone)
{
    bone->row = run->first_row + depth;
    bone->lanes = &vrmi_model_spring_bone_lanes(instance->model)[bone->row];
    bone->active = vrmi_m8_bits(vrmi_f8_lt(vrmi_f8_all((float)depth), vrmi_f8_load(run->lane_joints))) & run->lanes;
    bone->hit = 0;
    bone->head = v3_add(bone->head, quat_rotate(bone->rotation, load_translations(instance, bone->lanes)));
    if (kind == ROW_SHOW) {
        return;
    }
    urge urges;
    bone->length = vrmi_f8_load(bone->lanes->length);
    bone->rest = quat_mul(bone->rotation, v4_load(&bone->lanes->rest));
    urges.rest_direction = quat_rotate(bone->rest, v3_load(&bone->lanes->axis));
    gather(instance, run, step, bone, &urges);
    const uint32_t was_hit = instance->spring_hit[bone->row];
    if (kind == ROW_LOOK_AHEAD) {
        aim_ahead(run, step, bone, &urges, was_hit);
    } else if (kind == ROW_SKIM) {
        bone->seen = skim(bone, &urges, run, step, was_hit);
    } else {
        if (kind == ROW_LEAD) {
            lead(bone, &urges, run, step, was_hit);
        }
        bone->end = v3_add(bone->base, wish(&urges, vrmi_f8_all(step->dt)));
    }
}

// Gives the tails their distance from the heads.
VRMI_SIMD_INLINE void constrain_row(const vrmi_spring_lane_run *run, row_kind kind, bones *bone)
{
    if (kind == ROW_LOOK_AHEAD) {
        bone->seen = constrain(bone, bone->seen);
    }
    if (kind != ROW_LOOK_AHEAD || run->contact_count != 0) {
        bone->end = constrain(bone, bone->end);
    }
}

VRMI_SIMD_INLINE void meet_row(const vrmi_spring_lane_run *run, row_kind kind, bones *bone)
{
    if (run->contact_count != 0) {
        bone->hit |= meet_all(bone, kind == ROW_LOOK_AHEAD ? bone->meeting_head : bone->head, run, &bone->end);
    }
}

// Keeps a tick's state. Lanes that do not run keep theirs, unless there is none.
VRMI_SIMD_INLINE void keep_row(vrm_instance *instance, const vrmi_spring_lane_run *run, row_kind kind, bones *bone)
{
    vrmi_spring_state_lanes *state = &instance->spring_state[bone->row];
    const uint32_t was_hit = instance->spring_hit[bone->row];
    v3 velocity = v3_sub(bone->end, bone->base);
    if (kind == ROW_LEAD) {
        const v3 mean = v3_scale(v3_sub(bone->end, bone->first_base), vrmi_f8_all(0.5f));
        velocity = v3_select(vrmi_m8_from_bits(bone->hit & was_hit), mean, velocity);
    }
    velocity = snap3(velocity);
    v3 tail = snap3(bone->end), head = bone->head;
    if (!run->whole) {
        const vrmi_m8 active = vrmi_m8_from_bits(bone->active);
        velocity = v3_select(active, velocity, v3_load(&state->velocity));
        tail = v3_select(active, tail, v3_load(&state->tail));
        head = v3_select(active, head, v3_load(&state->head));
    }
    v3_store(&state->velocity, velocity);
    v3_store(&state->tail, tail);
    v3_store(&state->head, head);
    bone->check = v3_add(v3_add(tail, velocity), head);
    instance->spring_hit[bone->row] = (uint8_t)((was_hit & ~bone->active) | bone->hit);
}

// The tail that a look ahead shows.
static inline v3 tail_ahead(const vrmi_spring_lane_run *run, const vrmi_spring_step *step, const bones *bone)
{
    const uint32_t hit = bone->hit & run->meets;
    if (hit == 0) {
        return bone->seen;
    }
    const v3 way = v3_scale(v3_sub(bone->end, bone->tail), vrmi_f8_all(step->part));
    return v3_select(vrmi_m8_from_bits(hit), constrain(bone, v3_add(bone->tail, way)), bone->seen);
}

// Rotations from the bones at rest to the tails.
VRMI_SIMD_INLINE void swing_row(
    vrm_instance *instance, const vrmi_spring_lane_run *run, const vrmi_spring_step *step, row_kind kind, bones *bone)
{
    v3 tail;
    if (kind == ROW_TICK || kind == ROW_LEAD) {
        tail = bone->end;
        keep_row(instance, run, kind, bone);
    } else {
        const vrmi_spring_state_lanes *state = &instance->spring_state[bone->row];
        tail = tail_ahead(run, step, bone);
        bone->check = v3_add(v3_add(v3_load(&state->tail), v3_load(&state->velocity)), v3_load(&state->head));
    }
    const v3 direction = v3_scale(tail, vrmi_f8_load(bone->lanes->inverse_length));
    bone->swing = quat_from_to(v3_load(&bone->lanes->axis), quat_rotate(quat_conjugate(bone->rest), direction));
}

// The joints' rotations, and what they show.
VRMI_SIMD_INLINE void turn_row(vrm_instance *instance, vrmi_spring_lane_run *run, row_kind kind, bones *bone)
{
    vrmi_spring_state_lanes *state = &instance->spring_state[bone->row];
    v4 shown;
    if (kind == ROW_SHOW) {
        shown = v4_load(&state->shown);
    } else {
        shown = quat_mul(v4_load(&bone->lanes->rest), bone->swing);
        if (!run->whole) {
            shown = v4_select(vrmi_m8_from_bits(bone->active), shown, v4_load(&state->shown));
        }
        const vrmi_f8 sum = ADD(ADD(bone->check.x, bone->check.y), ADD(bone->check.z, shown.w));
        run->lost |= ~vrmi_m8_bits(is_finite(sum)) & bone->active;
        v4_store(&state->shown, shown);
    }
    bone->rotation = unit(quat_mul(bone->rotation, shown));
    const uint32_t shows = run->shows & bone->active;
    if (shows == 0xff) {
        show_row(instance, bone, shows, true, shown);
    } else if (shows != 0) {
        show_row(instance, bone, shows, false, shown);
    }
}

VRMI_SIMD_INLINE void go_down(
    vrm_instance *instance, vrmi_spring_lane_run *runs, uint32_t run_count, const vrmi_spring_step *step, row_kind kind)
{
    bones bone[VRMI_SPRING_BATCH];
    uint32_t row_count = 0;
    for (uint32_t i = 0; i < run_count; ++i) {
        const vrmi_spring_pose *root = runs[i].root;
        bone[i].head = root != NULL ? v3_all(root->position) : v3_load(&runs[i].position);
        bone[i].rotation = root != NULL ? v4_all(root->rotation) : v4_load(&runs[i].rotation);
        row_count = runs[i].row_count > row_count ? runs[i].row_count : row_count;
    }
    for (uint32_t depth = 0; depth < row_count; ++depth) {
        for (uint32_t i = 0; i < run_count; ++i) {
            if (depth < runs[i].row_count) {
                aim_row(instance, &runs[i], depth, step, kind, &bone[i]);
            }
        }
        for (uint32_t i = 0; kind != ROW_SHOW && kind != ROW_SKIM && i < run_count; ++i) {
            if (depth < runs[i].row_count) {
                constrain_row(&runs[i], kind, &bone[i]);
            }
        }
        for (uint32_t i = 0; kind != ROW_SHOW && kind != ROW_SKIM && i < run_count; ++i) {
            if (depth < runs[i].row_count) {
                meet_row(&runs[i], kind, &bone[i]);
            }
        }
        for (uint32_t i = 0; kind != ROW_SHOW && i < run_count; ++i) {
            if (depth < runs[i].row_count) {
                swing_row(instance, &runs[i], step, kind, &bone[i]);
            }
        }
        for (uint32_t i = 0; i < run_count; ++i) {
            if (depth < runs[i].row_count) {
                turn_row(instance, &runs[i], kind, &bone[i]);
            }
        }
    }
}

static void run_groups(
    vrm_instance *instance, vrmi_spring_lane_run *runs, uint32_t run_count, const vrmi_spring_step *step)
{
    const row_kind kind = kind_of(step);
    if (kind == ROW_TICK) {
        go_down(instance, runs, run_count, step, ROW_TICK);
    } else if (kind == ROW_LOOK_AHEAD) {
        go_down(instance, runs, run_count, step, ROW_LOOK_AHEAD);
    } else {
        go_down(instance, runs, run_count, step, kind);
    }
}

VRMI_SPRING_KERNELS = {run_groups, place_drivers, place_colliders};
