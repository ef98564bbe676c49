// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Creates, copies and destroys instances. An instance is one block of memory, laid out by VRMI_INSTANCE_ARRAYS. Each
// part initialises its own members.

#include "runtime/core/instance.h"

#include "base/abi.h"
#include "base/block.h"
#include "base/float_environment.h"
#include "runtime/clip/clip.h"
#include "runtime/core/hierarchy.h"
#include "runtime/core/kernel_matrix.h"

#include <string.h>

enum {
#if defined(VRM_NO_LOOK_CHAIN)
    MOST_LOOK_CHAIN_BONES = 0,
#else
    MOST_LOOK_CHAIN_BONES = VRM_LOOK_CHAIN_MAX_BONES,
#endif
    MAX_LOOK_CHAIN_LINKS = 1024,
    MAX_HOST_COLLIDERS = 65536 // far above any use, so that the size of a def cannot overflow
};

void(vrm_instance_def_default)(vrm_instance_def *def, size_t size)
{
    const vrm_instance_def own = {.struct_size = sizeof own};
    vrmi_write_defaults(def, size, &own, sizeof own);
}

// Reads the caller's def. Returns false if it is invalid or out of range.
static bool read_def(const vrm_instance_def *given, vrm_instance_def *def)
{
    vrm_instance_def_default(def);
    return given != NULL && VRMI_READ_OPTIONS(vrm_instance_def, def, given) && def->avatar != NULL &&
           def->host_colliders <= MAX_HOST_COLLIDERS && def->look_chain_bones <= MOST_LOOK_CHAIN_BONES &&
           def->look_chain_links <= MAX_LOOK_CHAIN_LINKS && def->ragdoll_bodies <= VRMI_RAGDOLL_MOST_BODIES &&
           (def->allocator.allocate == NULL) == (def->allocator.release == NULL);
}

// Returns the size of the block, 0 if it overflows. If `instance` is given, also sets its array pointers; the instance
// is at the start of the block.
static size_t lay_out(const vrm_instance_def *d, vrm_instance *instance)
{
    const vrmi_model *m = d->avatar->model;
    size_t total = sizeof(vrm_instance);
    void *at;
#define LAY_OUT(array, type, count) \
    at = vrmi_block_take(instance, (size_t)(count), sizeof(type), &total); \
    if (instance != NULL) { \
        instance->array = at; \
    }
    VRMI_INSTANCE_ARRAYS(LAY_OUT)
#undef LAY_OUT
    return vrmi_block_size(total);
}

size_t vrm_instance_get_size(const vrm_instance_def *def)
{
    vrm_instance_def own;
    return read_def(def, &own) ? lay_out(&own, NULL) : 0;
}

// Initialises everything except memory, avatar and def.
static void set_up(vrm_instance *instance)
{
    const uint32_t nodes = instance->model->node_parent.count;
    const vrmi_float_environment host = vrmi_float_enter();
    instance->status = 0;
    instance->root = (vrm_root){{0.0, 0.0, 0.0}, {0.0f, 0.0f, 0.0f, 1.0f}, 1.0f};
    instance->clock = 0.0;
    instance->outputs_stale = true;
    instance->scaled = instance->local_set = false;
    instance->hair_stale = true;
    vrmi_lod_init(instance);
    vrmi_hierarchy_root(instance);
    if (nodes != 0) {
        vrmi_instance_rest_input(instance);
        vrmi_instance_rest(instance, true, instance->local);
    }
    vrmi_hierarchy_update(instance, 0, nodes);
    vrmi_hierarchy_hair(instance, true);
    instance->pose_changed = false;
    vrmi_clip_init(instance);
    vrmi_look_init(instance);
    vrmi_ragdoll_init(instance);
    vrmi_expression_init(instance);
    vrmi_spring_init(instance);
    vrmi_float_leave(host);
}

static vrm_allocator allocator_of(const vrm_instance_def *def)
{
    return def->allocator.allocate != NULL ? def->allocator : def->avatar->allocator;
}

// Initialises an instance in memory of sufficient size.
static vrm_instance *begin(const vrm_instance_def *def, void *memory, size_t size)
{
    memset(memory, 0, size);
    vrm_instance *instance = memory;
    instance->avatar = def->avatar;
    instance->model = def->avatar->model;
    instance->def = *def;
    instance->allocator = allocator_of(def);
    instance->size = size;
    instance->pose_rows = VRMI_POSE_ROWS(instance->model, def);
    instance->lanes = vrmi_lanes_best_path();
    lay_out(def, instance);
    // Dropping const is safe: only the avatar's reference count changes.
    (void)vrm_avatar_retain((vrm_avatar *)def->avatar);
    set_up(instance);
    return instance;
}

vrm_result vrm_instance_init(const vrm_instance_def *def, void *memory, size_t size, vrm_instance **out_instance)
{
    if (out_instance == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    *out_instance = NULL;
    vrm_instance_def own;
    const size_t needed = read_def(def, &own) ? lay_out(&own, NULL) : 0;
    if (!vrmi_block_fits(memory, size, needed)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    *out_instance = begin(&own, memory, needed);
    return VRM_SUCCESS;
}

vrm_result vrm_instance_create(const vrm_instance_def *def, vrm_instance **out_instance)
{
    if (out_instance == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    *out_instance = NULL;
    vrm_instance_def own;
    if (!read_def(def, &own)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const size_t size = lay_out(&own, NULL);
    const vrm_allocator allocator = allocator_of(&own);
    void *memory = vrmi_block_allocate(&allocator, size);
    if (memory == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    *out_instance = begin(&own, memory, size);
    (*out_instance)->allocated = true;
    return VRM_SUCCESS;
}

void vrm_instance_destroy(vrm_instance *instance)
{
    if (instance == NULL) {
        return;
    }
    vrmi_clip_detach(instance);
    const vrm_allocator allocator = instance->allocator;
    vrm_avatar *avatar = (vrm_avatar *)instance->avatar;
    const size_t size = instance->size;
    if (instance->allocated) {
        vrmi_release(&allocator, instance, size);
    }
    vrm_avatar_release(avatar);
}

vrm_result vrm_instance_clone(const vrm_instance *instance, vrm_instance **out_instance)
{
    if (out_instance == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    *out_instance = NULL;
    if (instance == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    vrm_instance *clone = vrmi_block_allocate(&instance->allocator, instance->size);
    if (clone == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    memcpy(clone, instance, instance->size);
    clone->allocated = true;
    clone->player = NULL; // a player can be attached to one instance only
    vrmi_clip_init(clone);
    clone->face.inputs_changed = 1;
    vrmi_instance_stir(clone);
    lay_out(&clone->def, clone);
    (void)vrm_avatar_retain((vrm_avatar *)clone->avatar);
    *out_instance = clone;
    return VRM_SUCCESS;
}

void vrm_instance_reset(vrm_instance *instance)
{
    if (VRM_ASSERT(instance != NULL)) {
        set_up(instance);
    }
}

const vrm_avatar *vrm_instance_get_avatar(const vrm_instance *instance)
{
    return VRM_ASSERT(instance != NULL) ? instance->avatar : NULL;
}

uint32_t vrm_instance_get_status(const vrm_instance *instance)
{
    return VRM_ASSERT(instance != NULL) ? instance->status : 0;
}

void vrm_instance_clear_status(vrm_instance *instance)
{
    if (VRM_ASSERT(instance != NULL)) {
        instance->status = 0;
    }
}
