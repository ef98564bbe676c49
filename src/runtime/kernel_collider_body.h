// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Where the avatar's colliders are in a step, eight at a time; included once per instruction set with
// VRMI_SPRING_COLLIDERS, the function's name. The bits of place_collider() and finish_collider() in spring_place.c, which
// places planes.

#include "runtime/kernel_spring_lanes.h"
#include "runtime/kernel_vector.h"

void VRMI_SPRING_COLLIDERS(vrm_instance *instance, bool ahead)
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
