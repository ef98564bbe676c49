// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Decides for each accessor whether its values can be overwritten. A first pass collects the conversions that its users
// need. If they are all the same, the values are overwritten; otherwise each conversion gets its own accessor.

#include "export/bake.h"
#include "format/edit/edit_accessor.h"

enum { GL_ARRAY_BUFFER = 34962 };

typedef struct claimed_accessor {
    bool any, mixed;
    vrmi_bake_claim claim;
    uint32_t made; // 1 + index of the newest row in `made`; 0: none
} claimed_accessor;

typedef struct made_accessor {
    vrmi_bake_claim claim;
    uint32_t accessor;
    uint32_t next; // 1 + index of the next row; 0: none
} made_accessor;

static bool same_claim(vrmi_bake_claim a, vrmi_bake_claim b)
{
    return a.kind == b.kind && a.index == b.index;
}

static claimed_accessor *row_of(const vrmi_bake *bake, uint32_t accessor)
{
    return accessor < bake->claimed.count ? (claimed_accessor *)bake->claimed.items + accessor : NULL;
}

void vrmi_bake_claim_accessor(vrmi_bake *bake, uint32_t accessor, vrmi_bake_claim claim)
{
    if (bake->claimed.items == NULL) {
        bake->claimed.item_size = sizeof(claimed_accessor);
        bake->made.item_size = sizeof(made_accessor);
        (void)vrmi_writer_reserve(&bake->out, &bake->claimed, bake->gltf->counts[VRM_GLTF_ACCESSORS]);
    }
    claimed_accessor *row = row_of(bake, accessor);
    if (row == NULL) {
        return;
    }
    row->mixed = row->mixed || (row->any && !same_claim(row->claim, claim));
    row->any = true;
    row->claim = claim;
}

bool vrmi_bake_find(const vrmi_bake *bake, uint32_t accessor, vrmi_bake_claim claim, uint32_t *out_accessor)
{
    const claimed_accessor *row = row_of(bake, accessor);
    const made_accessor *made = bake->made.items;
    for (uint32_t at = row != NULL ? row->made : 0; at != 0; at = made[at - 1].next) {
        if (same_claim(made[at - 1].claim, claim)) {
            *out_accessor = made[at - 1].accessor;
            return true;
        }
    }
    return false;
}

float *vrmi_bake_read(vrmi_bake *bake, uint32_t accessor, size_t *out_size)
{
    vrm_gltf_accessor info = {.struct_size = sizeof info};
    vrm_result result = vrm_gltf_get_accessor(bake->gltf, accessor, &info);
    *out_size = result == VRM_SUCCESS ? (size_t)info.count * info.components * sizeof(float) : 0;
    if (!vrmi_writer_runs(&bake->out) || result != VRM_SUCCESS) {
        vrmi_writer_fail(&bake->out, result);
        return NULL;
    }
    float *values = vrmi_allocate(&bake->out.allocator, *out_size, 16);
    if (values == NULL) {
        vrmi_writer_fail(&bake->out, VRM_ERROR_OUT_OF_MEMORY);
        return NULL;
    }
    result = vrm_gltf_read_floats(bake->gltf, accessor, 0, info.count, values);
    if (result != VRM_SUCCESS) {
        vrmi_writer_fail(&bake->out, result);
        vrmi_release(&bake->out.allocator, values, *out_size);
        return NULL;
    }
    return values;
}

static uint32_t append(vrmi_bake *bake, uint32_t accessor, vrmi_bake_claim_kind kind, const float *values)
{
    vrm_gltf_accessor info = {.struct_size = sizeof info};
    uint32_t made = accessor;
    (void)vrm_gltf_get_accessor(bake->gltf, accessor, &info);
    const bool vertices = kind >= VRMI_BAKE_POSITION && kind <= VRMI_BAKE_MORPH_NORMAL;
    const vrmi_floats floats = {.values = values,
        .count = info.count,
        .components = info.components,
        .bounds = kind == VRMI_BAKE_POSITION || kind == VRMI_BAKE_MORPH_POSITION,
        .target = vertices ? GL_ARRAY_BUFFER : 0};
    vrmi_writer_fail(&bake->out, vrmi_gltf_append_floats(bake->out.gltf, &floats, &made));
    return made;
}

static bool all_finite(const float *values, const vrm_gltf_accessor *info)
{
    float sum = 0.0f;
    for (size_t i = 0; i < (size_t)info->count * info->components; ++i) {
        sum += values[i] * 0.0f; // NaN if the value is not finite
    }
    return sum == 0.0f;
}

uint32_t vrmi_bake_write(vrmi_bake *bake, uint32_t accessor, vrmi_bake_claim claim, const float *values)
{
    claimed_accessor *row = row_of(bake, accessor);
    vrm_gltf_accessor info = {.struct_size = sizeof info};
    if (!vrmi_writer_runs(&bake->out) || row == NULL ||
        vrm_gltf_get_accessor(bake->gltf, accessor, &info) != VRM_SUCCESS) {
        return accessor;
    }
    if (!all_finite(values, &info)) {
        vrmi_writer_fail(&bake->out, VRM_ERROR_INVALID_ASSET);
        return accessor;
    }
    bool done = false;
    if (!row->mixed) {
        vrmi_writer_fail(&bake->out, vrmi_gltf_overwrite_floats(bake->out.gltf, accessor, values, &done));
    }
    const uint32_t made = done || !vrmi_writer_runs(&bake->out) ? accessor : append(bake, accessor, claim.kind, values);
    made_accessor *note = vrmi_writer_runs(&bake->out) ? vrmi_array_push(&bake->made, &bake->out.allocator) : NULL;
    if (note == NULL) {
        vrmi_writer_fail(&bake->out, VRM_ERROR_OUT_OF_MEMORY);
        return accessor;
    }
    *note = (made_accessor){claim, made, row->made};
    row->made = bake->made.count;
    return made;
}
