// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// This function is in its own file because it uses the default allocator, which libvrm-runtime does not have.

#include "solver.h"

#include "base/block.h"

vrm_result vrm_ragdoll_solver_create(const vrm_ragdoll_solver_def *params, vrm_ragdoll_solver **out_solver)
{
    if (out_solver == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    *out_solver = NULL;
    const size_t size = vrm_ragdoll_solver_get_size(params);
    if (size == 0) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    vrm_allocator allocator;
    vrmi_resolve_allocator(&params->allocator, &allocator);
    void *memory = vrmi_allocate(&allocator, size, VRMI_BLOCK_ALIGNMENT);
    if (memory == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    const vrm_result result = vrm_ragdoll_solver_init(params, memory, size, out_solver);
    if (result != VRM_SUCCESS) {
        vrmi_release(&allocator, memory, size);
        return result;
    }
    (*out_solver)->allocator = allocator;
    (*out_solver)->owned = true;
    return VRM_SUCCESS;
}
