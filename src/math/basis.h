// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MATH_BASIS_H
#define VRMI_MATH_BASIS_H

#include <vrm/basis.h>

// A conversion from one space to another: component i of the result is sign[i] times component from[i].
typedef struct vrmi_axes {
    uint8_t from[3];
    int8_t sign[3];
    int8_t hand; // -1 if the handedness changes, else 1
    double scale;
} vrmi_axes;

// Returns false for an invalid basis. NULL selects libvrm's own basis.
bool vrmi_axes_to_host(const vrm_basis *basis, vrmi_axes *out);
bool vrmi_axes_from_host(const vrm_basis *basis, vrmi_axes *out);
vrm_vec3 vrmi_axes_direction(const vrmi_axes *axes, vrm_vec3 v);
vrm_vec3 vrmi_axes_position(const vrmi_axes *axes, vrm_vec3 v);
vrm_quat vrmi_axes_rotation(const vrmi_axes *axes, vrm_quat q);
vrm_transform vrmi_axes_transform(const vrmi_axes *axes, const vrm_transform *t);
void vrmi_axes_matrix(const vrmi_axes *axes, const vrm_mat34 *matrix, vrm_mat34 *out);

#endif
