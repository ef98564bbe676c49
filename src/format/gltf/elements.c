// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "format/gltf/elements.h"

enum { POINTS, LINES, LINE_LOOP, LINE_STRIP, TRIANGLES, TRIANGLE_STRIP, TRIANGLE_FAN };

vrmi_elements vrmi_take_apart(uint32_t mode, uint32_t size)
{
    const vrmi_elements none = {mode, 0, 3, size};
    switch (mode) {
    case POINTS:
        return (vrmi_elements){mode, size, 1, size};
    case LINES:
        return (vrmi_elements){mode, size / 2, 2, size};
    case LINE_LOOP:
        return (vrmi_elements){mode, size >= 2 ? size : 0, 2, size};
    case LINE_STRIP:
        return (vrmi_elements){mode, size >= 2 ? size - 1 : 0, 2, size};
    case TRIANGLES:
        return (vrmi_elements){mode, size / 3, 3, size};
    case TRIANGLE_STRIP:
    case TRIANGLE_FAN:
        return (vrmi_elements){mode, size >= 3 ? size - 2 : 0, 3, size};
    default:
        return none;
    }
}

void vrmi_element_corners(const vrmi_elements *e, uint32_t i, uint32_t out[3])
{
    switch (e->mode) {
    case LINE_LOOP:
        out[0] = i;
        out[1] = i + 1 < e->size ? i + 1 : 0;
        break;
    case LINE_STRIP:
        out[0] = i;
        out[1] = i + 1;
        break;
    case TRIANGLE_STRIP:
        out[0] = i;
        out[1] = i + 1 + i % 2;
        out[2] = i + 2 - i % 2;
        break;
    case TRIANGLE_FAN:
        out[0] = i + 1;
        out[1] = i + 2;
        out[2] = 0;
        break;
    default: // separate elements
        for (uint32_t corner = 0; corner < e->corners; ++corner) {
            out[corner] = i * e->corners + corner;
        }
    }
}

uint32_t vrmi_elements_mode(const vrmi_elements *e)
{
    return e->corners == 3 ? TRIANGLES : e->corners == 2 ? LINES : POINTS;
}

uint32_t vrmi_gltf_drawing_size(const vrm_gltf *gltf, const vrmi_gltf_primitive *primitive)
{
    vrm_gltf_accessor info = {.struct_size = sizeof info, .count = primitive->vertex_count};
    if (primitive->indices >= 0) {
        (void)vrm_gltf_get_accessor(
            gltf, (uint32_t)primitive->indices, &info); // cannot fail: loading has checked the index
    }
    return info.count;
}

vrm_result vrmi_gltf_read_drawing(const vrm_gltf *gltf, const vrmi_gltf_primitive *primitive, uint32_t *out)
{
    const uint32_t size = vrmi_gltf_drawing_size(gltf, primitive);
    if (primitive->indices >= 0) {
        return vrm_gltf_read_uints(gltf, (uint32_t)primitive->indices, 0, size, out);
    }
    for (uint32_t i = 0; i < size; ++i) {
        out[i] = i;
    }
    return VRM_SUCCESS;
}
