// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "sample/figure.h"

#include <string.h>

#include "base/abi.h"
#include "base/checks.h"

void(vrm_sample_params_default)(vrm_sample_params *def, size_t size)
{
    const vrm_sample_params own = {.struct_size = sizeof own};
    vrmi_write_defaults(def, size, &own, sizeof own);
}

static bool is_valid(const vrm_sample_params *def)
{
    const bool minimal = def->detail == VRM_SAMPLE_DETAIL_MINIMAL;
    const bool plain =
        def->outfit == VRM_SAMPLE_OUTFIT_BY_SEED && def->hair == VRM_SAMPLE_HAIR_BY_SEED && def->height == 0.0f;
    return def->detail >= 0 && def->detail < VRM_SAMPLE_DETAIL_COUNT && def->outfit >= 0 &&
           def->outfit < VRM_SAMPLE_OUTFIT_COUNT && def->hair >= 0 && def->hair < VRM_SAMPLE_HAIR_COUNT &&
           (def->height == 0.0f || (def->height >= VRM_SAMPLE_MIN_HEIGHT && def->height <= VRM_SAMPLE_MAX_HEIGHT)) &&
           (!minimal || plain);
}

static vrm_result make(
    vrmi_sample_figure *figure, const vrm_sample_params *def, const vrm_allocator *allocator, vrm_bytes *out_bytes)
{
    vrmi_sample_style_from_seed(def->seed, &figure->style);
    if (def->outfit != VRM_SAMPLE_OUTFIT_BY_SEED) {
        figure->style.outfit = def->outfit;
    }
    if (def->hair != VRM_SAMPLE_HAIR_BY_SEED) {
        figure->style.hair_cut = def->hair;
    }
    if (def->height != 0.0f) {
        vrmi_full_set_height(&figure->style, def->height);
    }
    if (!(def->detail == VRM_SAMPLE_DETAIL_MINIMAL ? vrmi_minimal_make(figure) : vrmi_full_make(figure)) ||
        !vrmi_sample_paint_thumbnail(figure)) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    return vrmi_sample_write(figure, allocator, out_bytes);
}

vrm_result vrm_sample_create(const vrm_sample_params *def, vrm_bytes *out_bytes)
{
    if (!VRM_ASSERT(out_bytes != NULL)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    memset(out_bytes, 0, sizeof(*out_bytes));
    vrm_sample_params own;
    vrm_sample_params_default(&own);
    if (!VRM_ASSERT(VRMI_READ_OPTIONS(vrm_sample_params, &own, def)) || !VRM_ASSERT(is_valid(&own))) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    def = &own;
    vrm_allocator allocator;
    vrmi_resolve_allocator(&def->allocator, &allocator);
    vrmi_arena arena;
    vrmi_arena_init(&arena, &allocator, 0);
    vrm_result result = VRM_ERROR_OUT_OF_MEMORY;
    vrmi_sample_figure *figure = vrmi_arena_alloc(&arena, 1, sizeof(*figure));
    if (figure != NULL) {
        figure->arena = arena;
        result = make(figure, def, &allocator, out_bytes);
        arena = figure->arena;
    }
    vrmi_arena_free(&arena);
    return result;
}
