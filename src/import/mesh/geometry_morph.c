// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Morph targets. They are added to vertices when the vertices are written, or returned to the host as deltas.

#include <string.h>

#include "base/abi.h"
#include "import/mesh/geometry.h"

enum { CHUNK = VRMI_GEOMETRY_CHUNK };

enum { POSITIONS, NORMALS, TANGENTS, KINDS };

static const char *const names[KINDS] = {"POSITION", "NORMAL", "TANGENT"};

// Returns the JSON object with the attributes of a morph target.
static uint32_t target_at(const vrm_geometry *g, uint32_t target)
{
    return vrmi_json_element(&g->gltf->json, g->primitive->targets_json, target);
}

static int kind_of(vrm_vertex_semantic semantic)
{
    return semantic == VRM_VERTEX_POSITION ? POSITIONS : semantic == VRM_VERTEX_NORMAL ? NORMALS : TANGENTS;
}

bool vrmi_geometry_morph(const vrm_geometry *geometry, vrm_vertex_semantic semantic, const vrmi_morph_weights *morphs,
    uint32_t first, uint32_t count, float (*values)[4])
{
    bool moved = false;
    for (uint32_t t = 0; t < morphs->count; ++t) {
        const float weight = morphs->values[t];
        const vrmi_gltf_accessor *accessor =
            weight != 0.0f ? vrmi_geometry_find(geometry, target_at(geometry, t), names[kind_of(semantic)]) : NULL;
        if (accessor != NULL) {
            vrm_vec3 deltas[CHUNK];
            vrmi_geometry_floats(geometry, accessor, first, count, &deltas[0].x);
            for (uint32_t i = 0; i < count; ++i) {
                values[i][0] += weight * deltas[i].x;
                values[i][1] += weight * deltas[i].y;
                values[i][2] += weight * deltas[i].z;
            }
            moved = true;
        }
    }
    return moved;
}

// --- deltas for hosts ------------------------------------------------------------------------------------------------

typedef struct delta_source {
    const vrmi_gltf_accessor *accessors[KINDS]; // NULL: not requested, or not in the file
    vrm_vec3 *out[KINDS];
} delta_source;

static bool moves(const vrm_vec3 *v)
{
    return v->x != 0.0f || v->y != 0.0f || v->z != 0.0f;
}

static void put_deltas(const vrm_geometry *g, const delta_source *s, const vrm_vec3 values[KINDS], uint32_t at)
{
    for (int kind = 0; kind < KINDS; ++kind) {
        if (s->out[kind] != NULL) {
            s->out[kind][at] = kind == POSITIONS ? vrmi_axes_position(&g->axes, values[kind])
                                                 : vrmi_axes_direction(&g->axes, values[kind]);
        }
    }
}

static void read_chunk(
    const vrm_geometry *g, const delta_source *s, uint32_t first, uint32_t count, vrm_morph_deltas *deltas)
{
    vrm_vec3 values[KINDS][CHUNK];
    for (int kind = 0; kind < KINDS; ++kind) {
        if (s->accessors[kind] != NULL) {
            vrmi_geometry_floats(g, s->accessors[kind], first, count, &values[kind][0].x);
        } else {
            memset(values[kind], 0, sizeof(vrm_vec3) * count);
        }
    }
    for (uint32_t i = 0; i < count; ++i) {
        const vrm_vec3 own[KINDS] = {values[POSITIONS][i], values[NORMALS][i], values[TANGENTS][i]};
        if (deltas->vertices != NULL && !moves(&own[POSITIONS]) && !moves(&own[NORMALS]) && !moves(&own[TANGENTS])) {
            continue;
        }
        if (deltas->count < deltas->capacity) {
            put_deltas(g, s, own, deltas->count);
            if (deltas->vertices != NULL) {
                deltas->vertices[deltas->count] = first + i;
            }
        }
        ++deltas->count;
    }
}

vrm_result vrm_geometry_read_deltas(const vrm_geometry *geometry, uint32_t target, vrm_morph_deltas *deltas)
{
    if (!VRM_ASSERT(geometry != NULL && deltas != NULL && VRMI_OPTIONS_FIT(vrm_morph_deltas, deltas)) ||
        target >= geometry->info.target_count) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    const uint32_t attributes = target_at(geometry, target);
    const uint32_t vertices = geometry->info.vertex_count;
    delta_source source = {.out = {deltas->positions, deltas->normals, deltas->tangents}};
    for (int kind = 0; kind < KINDS; ++kind) {
        source.accessors[kind] =
            source.out[kind] != NULL ? vrmi_geometry_find(geometry, attributes, names[kind]) : NULL;
    }
    deltas->count = 0;
    for (uint32_t first = 0; first < vertices; first += CHUNK) {
        const uint32_t count = vertices - first < CHUNK ? vertices - first : CHUNK;
        read_chunk(geometry, &source, first, count, deltas);
    }
    return deltas->count <= deltas->capacity ? VRM_SUCCESS : VRM_ERROR_LIMIT;
}
