// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Converts between libvrm's space and a host's space. A conversion permutes the axes, may negate them, and scales
// lengths.

#include "math/basis.h"

#include <string.h>

#include "math/scalar.h"

static const vrm_basis presets[VRM_BASIS_PRESET_COUNT] = {
    [VRM_BASIS_VRM] = {VRM_HANDEDNESS_RIGHT, VRM_AXIS_POSITIVE_Y, VRM_AXIS_POSITIVE_Z, 1.0f},
    [VRM_BASIS_UNITY] = {VRM_HANDEDNESS_LEFT, VRM_AXIS_POSITIVE_Y, VRM_AXIS_POSITIVE_Z, 1.0f},
    [VRM_BASIS_UNREAL] = {VRM_HANDEDNESS_LEFT, VRM_AXIS_POSITIVE_Z, VRM_AXIS_POSITIVE_X, 0.01f},
    [VRM_BASIS_GODOT] = {VRM_HANDEDNESS_RIGHT, VRM_AXIS_POSITIVE_Y, VRM_AXIS_POSITIVE_Z, 1.0f},
    [VRM_BASIS_BLENDER] = {VRM_HANDEDNESS_RIGHT, VRM_AXIS_POSITIVE_Z, VRM_AXIS_NEGATIVE_Y, 1.0f},
};

vrm_result vrm_basis_get_preset(vrm_basis_preset preset, vrm_basis *out_basis)
{
    if (out_basis == NULL || (uint32_t)preset >= VRM_BASIS_PRESET_COUNT) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    *out_basis = presets[preset];
    return VRM_SUCCESS;
}

const char *vrm_basis_preset_name(vrm_basis_preset preset)
{
    static const char *const names[VRM_BASIS_PRESET_COUNT] = {"vrm", "unity", "unreal", "godot", "blender"};
    return (uint32_t)preset < VRM_BASIS_PRESET_COUNT ? names[preset] : "";
}

bool vrmi_axes_to_host(const vrm_basis *basis, vrmi_axes *out)
{
    const vrm_basis *b = basis != NULL ? basis : &presets[VRM_BASIS_VRM];
    const bool known = (uint32_t)b->up <= VRM_AXIS_NEGATIVE_Z && (uint32_t)b->forward <= VRM_AXIS_NEGATIVE_Z &&
                       (uint32_t)b->handedness <= VRM_HANDEDNESS_LEFT;
    if (!known || b->up % 3 == b->forward % 3 || !(b->unit > 0.0f) || !vrmi_finite(b->unit)) {
        return false;
    }
    const uint32_t up = (uint32_t)b->up % 3, forward = (uint32_t)b->forward % 3, left = 3 - up - forward;
    const int up_sign = b->up < VRM_AXIS_NEGATIVE_X ? 1 : -1, forward_sign = b->forward < VRM_AXIS_NEGATIVE_X ? 1 : -1;
    // Left, up and forward are the axes X, Y and Z in libvrm. If their order is cyclic and the signs agree, the axes
    // are right-handed.
    const int order = (left + 1) % 3 == up ? 1 : -1, hand = b->handedness == VRM_HANDEDNESS_RIGHT ? 1 : -1;
    out->from[left] = 0;
    out->sign[left] = (int8_t)(order * hand * up_sign * forward_sign);
    out->from[up] = 1;
    out->sign[up] = (int8_t)up_sign;
    out->from[forward] = 2;
    out->sign[forward] = (int8_t)forward_sign;
    out->hand = (int8_t)hand;
    out->scale = 1.0 / (double)b->unit;
    return true;
}

bool vrmi_axes_from_host(const vrm_basis *basis, vrmi_axes *out)
{
    vrmi_axes to;
    if (!vrmi_axes_to_host(basis, &to)) {
        return false;
    }
    for (uint32_t i = 0; i < 3; ++i) {
        out->from[to.from[i]] = (uint8_t)i;
        out->sign[to.from[i]] = to.sign[i];
    }
    out->hand = to.hand;
    out->scale = basis != NULL ? (double)basis->unit : 1.0;
    return true;
}

static void turn(const vrmi_axes *axes, const float in[3], float factor, float out[3])
{
    for (uint32_t i = 0; i < 3; ++i) {
        out[i] = in[axes->from[i]] * (float)axes->sign[i] * factor;
    }
}

vrm_vec3 vrmi_axes_direction(const vrmi_axes *axes, vrm_vec3 v)
{
    float out[3];
    turn(axes, (const float[3]){v.x, v.y, v.z}, 1.0f, out);
    return (vrm_vec3){out[0], out[1], out[2]};
}

vrm_vec3 vrmi_axes_position(const vrmi_axes *axes, vrm_vec3 v)
{
    float out[3];
    turn(axes, (const float[3]){v.x, v.y, v.z}, (float)axes->scale, out);
    return (vrm_vec3){out[0], out[1], out[2]};
}

// A reflection reverses the direction of rotation.
static vrm_vec3 axial(const vrmi_axes *axes, vrm_vec3 v)
{
    float out[3];
    turn(axes, (const float[3]){v.x, v.y, v.z}, (float)axes->hand, out);
    return (vrm_vec3){out[0], out[1], out[2]};
}

vrm_quat vrmi_axes_rotation(const vrmi_axes *axes, vrm_quat q)
{
    const vrm_vec3 v = axial(axes, (vrm_vec3){q.x, q.y, q.z});
    return (vrm_quat){v.x, v.y, v.z, q.w};
}

vrm_transform vrmi_axes_transform(const vrmi_axes *axes, const vrm_transform *t)
{
    const float scale[3] = {t->scale.x, t->scale.y, t->scale.z}; // scale factors are permuted, without signs
    return (vrm_transform){vrmi_axes_position(axes, t->translation), vrmi_axes_rotation(axes, t->rotation),
        {scale[axes->from[0]], scale[axes->from[1]], scale[axes->from[2]]}};
}

void vrmi_axes_matrix(const vrmi_axes *axes, const vrm_mat34 *matrix, vrm_mat34 *out)
{
    vrm_mat34 m;
    for (uint32_t row = 0; row < 3; ++row) {
        const float *from = matrix->m[axes->from[row]];
        const float sign = (float)axes->sign[row];
        turn(axes, from, sign, m.m[row]);
        m.m[row][3] = from[3] * sign * (float)axes->scale;
    }
    *out = m;
}

static vrm_dvec3 double_position(const vrmi_axes *axes, vrm_dvec3 v)
{
    const double in[3] = {v.x, v.y, v.z};
    return (vrm_dvec3){in[axes->from[0]] * axes->sign[0] * axes->scale, in[axes->from[1]] * axes->sign[1] * axes->scale,
        in[axes->from[2]] * axes->sign[2] * axes->scale};
}

typedef union item {
    vrm_vec3 vector;
    vrm_quat rotation;
    vrm_transform transform;
    vrm_mat34 matrix;
    vrm_dvec3 place;
} item;

static void convert_one(const vrmi_axes *axes, vrm_basis_item kind, item *value)
{
    switch (kind) {
    case VRM_BASIS_POSITION:
        value->vector = vrmi_axes_position(axes, value->vector);
        break;
    case VRM_BASIS_DIRECTION:
        value->vector = vrmi_axes_direction(axes, value->vector);
        break;
    case VRM_BASIS_AXIAL:
        value->vector = axial(axes, value->vector);
        break;
    case VRM_BASIS_ROTATION:
        value->rotation = vrmi_axes_rotation(axes, value->rotation);
        break;
    case VRM_BASIS_TRANSFORM:
        value->transform = vrmi_axes_transform(axes, &value->transform);
        break;
    case VRM_BASIS_MATRIX_3X4:
        vrmi_axes_matrix(axes, &value->matrix, &value->matrix);
        break;
    case VRM_BASIS_DOUBLE_POSITION:
        value->place = double_position(axes, value->place);
        break;
    case VRM_BASIS_ITEM_COUNT:
        break;
    }
}

static vrm_result convert(const vrmi_axes *axes, vrm_basis_item kind, void *items, size_t stride, uint32_t count)
{
    static const size_t sizes[VRM_BASIS_ITEM_COUNT] = {sizeof(vrm_vec3), sizeof(vrm_vec3), sizeof(vrm_vec3),
        sizeof(vrm_quat), sizeof(vrm_transform), sizeof(vrm_mat34), sizeof(vrm_dvec3)};
    if ((uint32_t)kind >= VRM_BASIS_ITEM_COUNT || (items == NULL && count != 0)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const size_t step = stride != 0 ? stride : sizes[kind];
    for (uint32_t i = 0; i < count; ++i) {
        item value; // copied, because the host's stride may leave floats unaligned
        memcpy(&value, (char *)items + i * step, sizes[kind]);
        convert_one(axes, kind, &value);
        memcpy((char *)items + i * step, &value, sizes[kind]);
    }
    return VRM_SUCCESS;
}

vrm_result vrm_basis_to_host(const vrm_basis *basis, vrm_basis_item kind, void *items, size_t stride, uint32_t count)
{
    vrmi_axes axes;
    return basis != NULL && vrmi_axes_to_host(basis, &axes) ? convert(&axes, kind, items, stride, count)
                                                            : VRM_ERROR_INVALID_ARGUMENT;
}

vrm_result vrm_basis_from_host(const vrm_basis *basis, vrm_basis_item kind, void *items, size_t stride, uint32_t count)
{
    vrmi_axes axes;
    return basis != NULL && vrmi_axes_from_host(basis, &axes) ? convert(&axes, kind, items, stride, count)
                                                              : VRM_ERROR_INVALID_ARGUMENT;
}
