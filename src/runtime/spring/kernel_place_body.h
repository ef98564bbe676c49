// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// What spring_place.c does one by one, eight at a time, where no node has a scale: where drivers are in an update and
// colliders in a step. Included once per instruction set, before kernel_spring_body.h.

#include "runtime/core/kernel_vector.h"
#include "runtime/spring/kernel_spring_lanes.h"

// world_pose() of all that no joint carries.
static void place_drivers(vrm_instance *instance, uint32_t count)
{
    const vrmi_f8 zero = vrmi_f8_all(0.0f), one = vrmi_f8_all(1.0f);
    const vrmi_f8 unscaled = vrmi_f8_all(1.0f / instance->root.scale);
    for (uint32_t first = 0; first < count; first += VRMI_LANES) {
        float scratch[7];
        const float *world[VRMI_LANES], *world_rotation[VRMI_LANES];
        float *out[VRMI_LANES];
        for (uint32_t lane = 0; lane < VRMI_LANES; ++lane) {
            vrmi_spring_driver *driver = &instance->spring_driver[first + lane < count ? first + lane : count - 1];
            const bool on = driver->node != -2 && driver->carrier < 0;
            const bool on_root = !on || driver->node < 0;
            world[lane] = on_root ? &instance->root_world.m[0][0] : &instance->world[driver->node].m[0][0];
            world_rotation[lane] = on_root ? &instance->root_rotation.x : &instance->world_rotation[driver->node].x;
            out[lane] = on ? &driver->now.position.x : scratch;
        }
        vrmi_f8 x[4], y[4], z[4], r[4];
        vrmi_f8_load_rows(world, 0, x);
        vrmi_f8_load_rows(world, 4, y);
        vrmi_f8_load_rows(world, 8, z);
        vrmi_f8_load_rows(world_rotation, 0, r);
        const v3 position = v3_scale((v3){x[3], y[3], z[3]}, unscaled);
        // vrmi_quat_normalize()
        const v4 rotation = {r[0], r[1], r[2], r[3]};
        const vrmi_f8 length = vrmi_f8_sqrt(v4_dot(rotation, rotation));
        const vrmi_m8 has_length = vrmi_m8_and(vrmi_f8_lt(vrmi_f8_all(1e-15f), length), is_finite(length));
        const v4 q = v4_select(has_length, v4_scale(rotation, DIV(one, length)), (v4){zero, zero, zero, one});
        const vrmi_f8 first_part[4] = {position.x, position.y, position.z, q.x};
        const vrmi_f8 second_part[4] = {q.x, q.y, q.z, q.w}; // from the fourth float on
        vrmi_f8_store_rows(out, 0, first_part);
        vrmi_f8_store_rows(out, 3, second_part);
    }
}

// place_collider() and finish_collider(), but for planes. `ahead`: where drivers are ahead.
static void place_colliders(vrm_instance *instance, bool ahead)
{
    const vrm_collider *colliders = vrmi_model_collider(instance->model);
    const uint32_t count = instance->model->collider.count;
    const vrmi_f8 zero = vrmi_f8_all(0.0f);
    for (uint32_t first = 0; first < count; first += VRMI_LANES) {
        const float *pose[VRMI_LANES], *shape[VRMI_LANES];
        float *out[VRMI_LANES];
        uint32_t capsules = 0;
        for (uint32_t lane = 0; lane < VRMI_LANES; ++lane) {
            const uint32_t i = first + lane < count ? first + lane : count - 1; // the last one again
            const vrmi_spring_driver *driver = &instance->spring_driver[instance->spring_collider_driver[i]];
            pose[lane] = ahead ? &driver->ahead.position.x : &driver->pose.position.x;
            shape[lane] = &colliders[i].offset.x;
            out[lane] = &instance->spring_collider[i].a.x;
            capsules |= (vrmi_spring_is_capsule(colliders[i].shape) ? 1u : 0u) << lane;
        }
        // A pose is seven floats: position, rotation; so is a shape: offset, tail, radius.
        vrmi_f8 p[4], q[4], o[4], t[4];
        vrmi_f8_load_rows(pose, 0, p);
        vrmi_f8_load_rows(pose, 3, q);
        vrmi_f8_load_rows(shape, 0, o);
        vrmi_f8_load_rows(shape, 3, t);
        const v3 offset = {o[0], o[1], o[2]}, tail = {t[0], t[1], t[2]};
        const v4 rotation = {q[0], q[1], q[2], q[3]};
        const vrmi_m8 is_capsule = vrmi_m8_from_bits(capsules);
        const v3 a = v3_add((v3){p[0], p[1], p[2]}, quat_rotate(rotation, offset));
        const v3 span = quat_rotate(rotation, v3_sub(tail, offset));
        const v3 b = v3_select(is_capsule, span, (v3){zero, zero, zero});
        const vrmi_f8 squared = v3_dot(b, b);
        const vrmi_m8 has_length = vrmi_f8_lt(vrmi_f8_all(1e-18f), squared);
        const vrmi_f8 inverse = vrmi_f8_select(has_length, DIV(vrmi_f8_all(1.0f), squared), zero);
        const vrmi_f8 first_half[4] = {a.x, a.y, a.z, t[3]}, second_half[4] = {b.x, b.y, b.z, inverse};
        vrmi_f8_store_rows(out, 0, first_half);
        vrmi_f8_store_rows(out, 4, second_half);
    }
}
