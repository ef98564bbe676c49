// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Reports how the memory of an instance is divided among its parts.

#include "base/checks.h"
#include "runtime/core/instance.h"

#include <string.h>

const char *vrm_instance_part_name(vrm_instance_part part)
{
    static const char *const names[VRM_INSTANCE_PART_COUNT] = {
        "single", "nodes", "springs", "palettes", "meshes", "face", "look_chain", "ragdoll"};
    return (uint32_t)part < VRM_INSTANCE_PART_COUNT ? names[part] : NULL;
}

static void measure_parts(const vrm_instance_def *def, size_t parts[VRM_INSTANCE_PART_COUNT])
{
    memset(parts, 0, VRM_INSTANCE_PART_COUNT * sizeof(*parts));
    const size_t size = vrm_instance_get_size(def);
    if (size == 0) {
        return;
    }
    const vrm_instance_def *d = def;
    const vrmi_model *m = def->avatar->model;
    size_t *part = parts;
#define ADD(array, type, count) *part += (size_t)(count) * sizeof(type);
    part = &parts[VRM_INSTANCE_PART_NODES];
    VRMI_NODE_HOT_ARRAYS(ADD)
    VRMI_NODE_COLD_ARRAYS(ADD)
    part = &parts[VRM_INSTANCE_PART_SPRINGS];
    VRMI_SPRING_ARRAYS(ADD)
    part = &parts[VRM_INSTANCE_PART_PALETTES];
    VRMI_PALETTE_ARRAYS(ADD)
    part = &parts[VRM_INSTANCE_PART_MESHES];
    VRMI_MESH_ARRAYS(ADD)
    part = &parts[VRM_INSTANCE_PART_EXPRESSIONS];
    VRMI_EXPRESSION_ARRAYS(ADD)
    VRMI_MATERIAL_ARRAYS(ADD)
    part = &parts[VRM_INSTANCE_PART_LOOK_CHAIN];
    VRMI_LOOK_CHAIN_ARRAYS(ADD)
    part = &parts[VRM_INSTANCE_PART_RAGDOLL];
    VRMI_RAGDOLL_ARRAYS(ADD)
#undef ADD
    parts[VRM_INSTANCE_PART_SINGLE] = size;
    for (int i = VRM_INSTANCE_PART_SINGLE + 1; i < VRM_INSTANCE_PART_COUNT; ++i) {
        parts[VRM_INSTANCE_PART_SINGLE] -= parts[i];
    }
}

void vrm_instance_get_memory(const vrm_instance_def *def, size_t *out_bytes, uint32_t count)
{
    if (!VRM_ASSERT(out_bytes != NULL || count == 0)) {
        return;
    }
    size_t parts[VRM_INSTANCE_PART_COUNT];
    measure_parts(def, parts);
    for (uint32_t i = 0; i < count; ++i) {
        out_bytes[i] = i < VRM_INSTANCE_PART_COUNT ? parts[i] : 0;
    }
    for (uint32_t i = count; count != 0 && i < VRM_INSTANCE_PART_COUNT; ++i) {
        out_bytes[VRM_INSTANCE_PART_SINGLE] += parts[i];
    }
}
