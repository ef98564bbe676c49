// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The group kernel, included once per instruction set (kernel_spring_scalar.c and its kin) with VRMI_SPRING_GROUP, the
// function's name. Each step has its scalar counterpart of the same name in kernel_spring.c, spring_run.c or math/:
// change both or none.

#include "runtime/kernel_spring_lanes.h"

#include <string.h>

typedef struct v3 {
    vrmi_f8 x, y, z;
} v3;
typedef struct v4 {
    vrmi_f8 x, y, z, w;
} v4;

#define ADD vrmi_f8_add
#define SUB vrmi_f8_sub
#define MUL vrmi_f8_mul
#define DIV vrmi_f8_div
// A member of what eight pointers point to.
#define GATHER(p, member) \
    vrmi_f8_set((p)[0]->member, (p)[1]->member, (p)[2]->member, (p)[3]->member, (p)[4]->member, (p)[5]->member, \
        (p)[6]->member, (p)[7]->member)
#define GATHER3(p, member) ((v3){GATHER(p, member x), GATHER(p, member y), GATHER(p, member z)})

static inline v3 v3_add(v3 a, v3 b) { return (v3){ADD(a.x, b.x), ADD(a.y, b.y), ADD(a.z, b.z)}; }
static inline v3 v3_sub(v3 a, v3 b) { return (v3){SUB(a.x, b.x), SUB(a.y, b.y), SUB(a.z, b.z)}; }
static inline v3 v3_scale(v3 a, vrmi_f8 s) { return (v3){MUL(a.x, s), MUL(a.y, s), MUL(a.z, s)}; }
static inline vrmi_f8 v3_dot(v3 a, v3 b) { return ADD(ADD(MUL(a.x, b.x), MUL(a.y, b.y)), MUL(a.z, b.z)); }
static inline v3 v3_cross(v3 a, v3 b)
{
    return (v3){SUB(MUL(a.y, b.z), MUL(a.z, b.y)), SUB(MUL(a.z, b.x), MUL(a.x, b.z)),
        SUB(MUL(a.x, b.y), MUL(a.y, b.x))};
}
static inline vrmi_f8 v3_length(v3 a) { return vrmi_f8_sqrt(v3_dot(a, a)); }
static inline v3 v3_select(vrmi_m8 m, v3 a, v3 b)
{
    return (v3){vrmi_f8_select(m, a.x, b.x), vrmi_f8_select(m, a.y, b.y), vrmi_f8_select(m, a.z, b.z)};
}
static inline v3 v3_all(vrm_vec3 v) { return (v3){vrmi_f8_all(v.x), vrmi_f8_all(v.y), vrmi_f8_all(v.z)}; }
static inline v4 v4_select(vrmi_m8 m, v4 a, v4 b)
{
    return (v4){vrmi_f8_select(m, a.x, b.x), vrmi_f8_select(m, a.y, b.y), vrmi_f8_select(m, a.z, b.z),
        vrmi_f8_select(m, a.w, b.w)};
}
static inline v4 v4_scale(v4 q, vrmi_f8 s) { return (v4){MUL(q.x, s), MUL(q.y, s), MUL(q.z, s), MUL(q.w, s)}; }
static inline vrmi_f8 v4_dot(v4 a, v4 b)
{
    return ADD(ADD(ADD(MUL(a.x, b.x), MUL(a.y, b.y)), MUL(a.z, b.z)), MUL(a.w, b.w));
}
static inline v4 quat_mul(v4 a, v4 b)
{
    return (v4){
        SUB(ADD(ADD(MUL(a.w, b.x), MUL(a.x, b.w)), MUL(a.y, b.z)), MUL(a.z, b.y)),
        ADD(ADD(SUB(MUL(a.w, b.y), MUL(a.x, b.z)), MUL(a.y, b.w)), MUL(a.z, b.x)),
        ADD(SUB(ADD(MUL(a.w, b.z), MUL(a.x, b.y)), MUL(a.y, b.x)), MUL(a.z, b.w)),
        SUB(SUB(SUB(MUL(a.w, b.w), MUL(a.x, b.x)), MUL(a.y, b.y)), MUL(a.z, b.z)),
    };
}
static inline v4 quat_conjugate(v4 q)
{
    return (v4){vrmi_f8_neg(q.x), vrmi_f8_neg(q.y), vrmi_f8_neg(q.z), q.w};
}
static inline v3 quat_rotate(v4 q, v3 v)
{
    const v3 axis = {q.x, q.y, q.z};
    const v3 t = v3_scale(v3_cross(axis, v), vrmi_f8_all(2.0f));
    return v3_add(v3_add(v, v3_scale(t, q.w)), v3_cross(axis, t));
}
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

// Bits of the lanes where all are finite: x - x is NaN elsewhere.
static inline vrmi_m8 is_finite(vrmi_f8 x)
{
    return vrmi_f8_eq(SUB(x, x), vrmi_f8_all(0.0f));
}

static inline v4 quat_normalize(v4 q)
{
    const vrmi_f8 zero = vrmi_f8_all(0.0f), one = vrmi_f8_all(1.0f);
    const vrmi_f8 length = vrmi_f8_sqrt(v4_dot(q, q));
    const vrmi_m8 good = vrmi_m8_and(vrmi_f8_lt(vrmi_f8_all(1e-15f), length), is_finite(length));
    return v4_select(good, v4_scale(q, DIV(one, length)), (v4){zero, zero, zero, one});
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
    const v4 usual = quat_normalize((v4){axis.x, axis.y, axis.z, w});
    const vrmi_m8 is_usual = vrmi_f8_lt(vrmi_f8_all(1e-12f), w);
    return vrmi_m8_bits(is_usual) == 0xff ? usual : v4_select(is_usual, usual, half_turn(a));
}

static inline v3 v3_load(const float in[3][VRMI_LANES])
{
    return (v3){vrmi_f8_load(in[0]), vrmi_f8_load(in[1]), vrmi_f8_load(in[2])};
}

static inline v4 v4_load(const float in[4][VRMI_LANES])
{
    return (v4){vrmi_f8_load(in[0]), vrmi_f8_load(in[1]), vrmi_f8_load(in[2]), vrmi_f8_load(in[3])};
}

typedef struct bones {
    v4 rest;
    v3 axis, head, base, tail, velocity, force;
    vrmi_f8 length, stiffness, keep, hit_radius;
    v3 rest_direction;
} bones;

static inline v3 constrain(const bones *bone, v3 tail)
{
    return v3_scale(normalize_or(tail, bone->rest_direction), bone->length);
}

// One collider of each lane; the lanes that it pushed.
static inline vrmi_m8 meet(const bones *bone, v3 head, const vrmi_spring_collider_lanes *c, v3 *tail)
{
    const vrmi_f8 zero = vrmi_f8_all(0.0f), one = vrmi_f8_all(1.0f);
    const v3 a = v3_load(c->a), b = v3_load(c->b);
    const vrmi_f8 side = vrmi_f8_load(c->side), radius = vrmi_f8_load(c->radius);
    const v3 from_a = v3_sub(v3_add(head, *tail), a);
    const vrmi_f8 projected = v3_dot(b, from_a);
    const vrmi_f8 along = vrmi_f8_max(zero, vrmi_f8_min(one, MUL(projected, vrmi_f8_load(c->inverse))));
    const v3 d = v3_sub(from_a, v3_scale(b, along));
    const vrmi_f8 length = v3_length(d);
    const vrmi_m8 is_plane = vrmi_f8_eq(side, zero);
    const vrmi_f8 distance = vrmi_f8_select(is_plane, SUB(v3_dot(from_a, b), bone->hit_radius),
        SUB(MUL(side, SUB(length, radius)), bone->hit_radius));
    const vrmi_m8 hit = vrmi_f8_lt(distance, zero);
    if (vrmi_m8_bits(hit) == 0) {
        return hit;
    }
    const vrmi_f8 toward = vrmi_f8_select(vrmi_f8_lt(vrmi_f8_all(1e-12f), length), DIV(side, length), zero);
    const v3 direction = v3_select(is_plane, b, v3_scale(d, toward));
    vrmi_f8 way = vrmi_f8_neg(distance);
    const vrmi_f8 to_middle = SUB(SUB(radius, bone->hit_radius), distance);
    way = vrmi_f8_select(vrmi_f8_lt(side, zero), vrmi_f8_min(way, to_middle), way);
    *tail = v3_select(hit, constrain(bone, v3_add(*tail, v3_scale(direction, way))), *tail);
    return hit;
}

static inline vrmi_m8 meet_all(const bones *bone, v3 head, const vrmi_spring_group *group, v3 *tail)
{
    vrmi_m8 hit = vrmi_f8_lt(vrmi_f8_all(0.0f), vrmi_f8_all(0.0f));
    for (uint32_t i = 0; i < group->collider_count; ++i) {
        hit = vrmi_m8_or(hit, meet(bone, head, &group->colliders[i], tail));
    }
    return hit;
}

static inline v3 wish(const bones *bone, vrmi_f8 dt)
{
    const v3 inertia = v3_scale(bone->velocity, bone->keep);
    const v3 stiffness = v3_scale(bone->rest_direction, MUL(dt, bone->stiffness));
    return v3_add(v3_add(inertia, stiffness), v3_scale(bone->force, dt));
}

static inline v3 look_ahead(
    const bones *bone, const vrmi_spring_group *group, const vrmi_spring_step *step, vrmi_m8 hit, vrmi_m8 meets)
{
    const vrmi_f8 part = vrmi_f8_all(step->part);
    const v3 whole = wish(bone, vrmi_f8_all(step->dt));
    const v3 seen = constrain(bone, v3_add(bone->base, v3_scale(whole, part)));
    if (group->collider_count == 0) {
        return seen;
    }
    const v3 way_so_far = v3_sub(bone->tail, bone->base);
    const v3 head_way = v3_scale(way_so_far, DIV(vrmi_f8_all(1.0f), part));
    const v3 head = group->ahead ? v3_add(bone->head, v3_sub(head_way, way_so_far)) : bone->head;
    v3 end = constrain(bone, v3_sub(v3_add(bone->tail, whole), head_way));
    hit = vrmi_m8_and(vrmi_m8_or(meet_all(bone, head, group, &end), hit), meets);
    if (vrmi_m8_bits(hit) == 0) {
        return seen;
    }
    const v3 way = v3_sub(end, bone->tail);
    return v3_select(hit, constrain(bone, v3_add(bone->tail, v3_scale(way, part))), seen);
}

static inline vrmi_f8 snap(vrmi_f8 x)
{
    const vrmi_m8 small = vrmi_m8_and(vrmi_f8_lt(x, vrmi_f8_all(1e-20f)), vrmi_f8_lt(vrmi_f8_all(-1e-20f), x));
    return vrmi_f8_select(small, vrmi_f8_all(0.0f), x);
}

typedef struct rows {
    const vrm_spring_joint *joint[VRMI_LANES];
    const vrm_spring_joint_params *params[VRMI_LANES];
    const vrm_transform *rest[VRMI_LANES], *local[VRMI_LANES];
    const vrm_vec3 *tail[VRMI_LANES], *velocity[VRMI_LANES], *head[VRMI_LANES];
    uint32_t index[VRMI_LANES]; // of the joint
} rows;

// A lane whose chain has ended goes on with its last joint; what it computes is not stored.
static inline void find_rows(const vrm_instance *instance, const vrmi_spring_group *group, uint32_t depth, rows *out)
{
    const vrm_spring_joint *joints = vrmi_model_spring_joint(instance->model);
    const vrm_transform *rest = vrmi_model_node_rest(instance->model);
    for (uint32_t lane = 0; lane < VRMI_LANES; ++lane) {
        const uint32_t count = group->lane_joints[lane];
        const uint32_t joint = group->first_joint[lane] + (depth < count ? depth : count - (count != 0));
        const uint32_t node = joints[joint].node;
        out->index[lane] = joint;
        out->joint[lane] = &joints[joint];
        out->params[lane] = vrmi_spring_params(instance, joint);
        out->rest[lane] = &rest[node];
        out->local[lane] = &instance->local[node];
        out->tail[lane] = &instance->spring_tail[joint];
        out->velocity[lane] = &instance->spring_velocity[joint];
        out->head[lane] = &instance->spring_head[joint];
    }
}

static inline void gather(const vrm_instance *instance, const rows *row, const vrmi_spring_group *group, bones *bone)
{
    const vrm_spring_settings *settings = &instance->springs.settings;
    const vrmi_f8 power = MUL(GATHER(row->params, gravity_power), vrmi_f8_all(settings->gravity_scale));
    bone->force = v3_add(v3_scale(GATHER3(row->params, gravity_dir.), power), v3_all(settings->external));
    bone->stiffness = MUL(GATHER(row->params, stiffness), vrmi_f8_all(settings->stiffness_scale));
    bone->keep = SUB(vrmi_f8_all(1.0f), GATHER(row->params, drag_force));
    bone->hit_radius = GATHER(row->params, hit_radius);
    v3 old_head = GATHER3(row->head, );
    bone->tail = GATHER3(row->tail, );
    bone->velocity = GATHER3(row->velocity, );
    if (group->turns) {
        const v4 turn = v4_load(group->carry_rotation);
        old_head = quat_rotate(turn, old_head);
        bone->tail = quat_rotate(turn, bone->tail);
        bone->velocity = quat_rotate(turn, bone->velocity);
    }
    old_head = v3_add(old_head, v3_load(group->carry_translation));
    bone->base = v3_add(bone->tail, v3_sub(old_head, bone->head));
}

static inline void v3_store(float out[3][VRMI_LANES], v3 v)
{
    vrmi_f8_store(out[0], v.x);
    vrmi_f8_store(out[1], v.y);
    vrmi_f8_store(out[2], v.z);
}

// To the lanes' rows of an array of vectors.
static inline void scatter3(vrm_vec3 *array, const rows *row, uint32_t lanes, v3 v)
{
    float f[3][VRMI_LANES];
    v3_store(f, v);
    for (uint32_t lane = 0; lane < lanes; ++lane) {
        array[row->index[lane]] = (vrm_vec3){f[0][lane], f[1][lane], f[2][lane]};
    }
}

uint32_t VRMI_SPRING_GROUP(vrm_instance *instance, const vrmi_spring_group *group, const vrmi_spring_step *step)
{
    const bool is_tick = step->kind == VRMI_SPRING_STEP_TICK;
    v3 position = v3_load(group->position);
    v4 rotation = v4_load(group->rotation);
    uint32_t lost = 0, lanes = group->lane_count;
    for (uint32_t depth = 0; depth < group->joint_count; ++depth) {
        rows row;
        bones bone;
        find_rows(instance, group, depth, &row);
        while (lanes > 0 && group->lane_joints[lanes - 1] <= depth) {
            --lanes; // longest chains first
        }
        bone.head = v3_add(position, quat_rotate(rotation, GATHER3(row.local, translation.)));
        const v3 span = GATHER3(row.joint, tail.);
        const v4 rest = {GATHER(row.rest, rotation.x), GATHER(row.rest, rotation.y), GATHER(row.rest, rotation.z),
            GATHER(row.rest, rotation.w)};
        bone.length = v3_length(span);
        bone.rest = unit(quat_mul(rotation, rest));
        bone.axis = v3_scale(span, DIV(vrmi_f8_all(1.0f), bone.length));
        bone.rest_direction = quat_rotate(bone.rest, bone.axis);
        gather(instance, &row, group, &bone);
        v3 tail, check;
        if (is_tick) {
            tail = constrain(&bone, v3_add(bone.base, wish(&bone, vrmi_f8_all(step->dt))));
            const uint32_t hit = vrmi_m8_bits(meet_all(&bone, bone.head, group, &tail));
            for (uint32_t lane = 0; lane < lanes; ++lane) {
                instance->spring_hit[row.index[lane]] = (uint8_t)(hit >> lane & 1u);
            }
            v3 velocity = v3_sub(tail, bone.base);
            velocity = (v3){snap(velocity.x), snap(velocity.y), snap(velocity.z)};
            const v3 kept = {snap(tail.x), snap(tail.y), snap(tail.z)};
            scatter3(instance->spring_tail, &row, lanes, kept);
            scatter3(instance->spring_velocity, &row, lanes, velocity);
            scatter3(instance->spring_head, &row, lanes, bone.head);
            check = v3_add(v3_add(kept, velocity), bone.head);
        } else {
            float hits[VRMI_LANES], counts[VRMI_LANES];
            for (uint32_t lane = 0; lane < VRMI_LANES; ++lane) {
                hits[lane] = (float)instance->spring_hit[row.index[lane]];
                counts[lane] = (float)group->lane_colliders[lane];
            }
            const vrmi_f8 zero = vrmi_f8_all(0.0f);
            tail = look_ahead(&bone, group, step, vrmi_f8_lt(zero, vrmi_f8_load(hits)),
                vrmi_f8_lt(zero, vrmi_f8_load(counts)));
            check = v3_add(v3_add(GATHER3(row.tail, ), GATHER3(row.velocity, )), GATHER3(row.head, ));
        }
        const v3 direction = v3_scale(tail, DIV(vrmi_f8_all(1.0f), bone.length));
        const v4 swing = quat_from_to(bone.axis, quat_rotate(quat_conjugate(bone.rest), direction));
        const v4 shown = unit(quat_mul(rest, swing));
        rotation = unit(quat_mul(bone.rest, swing));
        position = bone.head;
        float f[4][VRMI_LANES];
        vrmi_f8_store(f[0], shown.x);
        vrmi_f8_store(f[1], shown.y);
        vrmi_f8_store(f[2], shown.z);
        vrmi_f8_store(f[3], shown.w);
        for (uint32_t lane = 0; lane < lanes; ++lane) {
            instance->spring_shown[row.index[lane]] = (vrm_quat){f[0][lane], f[1][lane], f[2][lane], f[3][lane]};
        }
        const vrmi_m8 finite = vrmi_m8_and(vrmi_m8_and(is_finite(check.x), is_finite(check.y)),
            vrmi_m8_and(is_finite(check.z), is_finite(shown.w)));
        lost |= ~vrmi_m8_bits(finite) & ((1u << lanes) - 1u);
    }
    return lost;
}

#undef ADD
#undef SUB
#undef MUL
#undef DIV
#undef GATHER
#undef GATHER3
