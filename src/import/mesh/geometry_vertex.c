// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include <string.h>

#include "import/mesh/geometry.h"
#include "math/vec3.h"

enum { CHUNK = VRMI_GEOMETRY_CHUNK };

// --- numbers ---------------------------------------------------------------------------------------------------------

// Returns a unit vector. A vector that is too short to have a direction gives `fallback`; one whose length overflows
// gives +Z.
static vrm_vec3 unit_of(vrm_vec3 v, vrm_vec3 fallback)
{
    const vrm_vec3 unit = vrmi_vec3_normalize_or(v, fallback);
    return vrmi_vec3_dot(unit, unit) < 2.0f ? unit : vrmi_vec3(0.0f, 0.0f, 1.0f);
}

// Computes normals for primitives without normals (glTF 2.0, 3.7.2.2): each triangle gets its own normal, after morph
// targets are applied.
static void flat_normals(
    const vrm_geometry *g, const vrmi_morph_weights *morphs, uint32_t first, uint32_t count, float (*out)[4])
{
    const vrmi_gltf_accessor *positions = vrmi_geometry_find(g, g->primitive->attributes_json, "POSITION");
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t corner = (first + i) / 3 * 3;
        float read[9], p[3][4];
        vrmi_geometry_floats(g, positions, corner, 3, read);
        for (int k = 0; k < 3; ++k) {
            memcpy(p[k], read + k * 3, 3 * sizeof(float));
        }
        vrmi_geometry_morph(g, VRM_VERTEX_POSITION, morphs, corner, 3, p);
        const vrm_vec3 a = {p[0][0], p[0][1], p[0][2]}, b = {p[1][0], p[1][1], p[1][2]},
                       c = {p[2][0], p[2][1], p[2][2]};
        const vrm_vec3 across = vrmi_vec3_cross(vrmi_vec3_sub(b, a), vrmi_vec3_sub(c, a));
        const vrm_vec3 normal = unit_of(across, vrmi_vec3(0.0f, 0.0f, 1.0f));
        memcpy(out[i], &normal, sizeof normal);
    }
}

static const vrmi_gltf_accessor *find_accessor(const vrm_geometry *g, const vrm_vertex_attribute *attribute)
{
    const uint32_t attributes = g->primitive->attributes_json;
    switch (attribute->semantic) {
    case VRM_VERTEX_POSITION:
        return vrmi_geometry_find(g, attributes, "POSITION");
    case VRM_VERTEX_NORMAL:
        return g->flat ? NULL : vrmi_geometry_find(g, attributes, "NORMAL");
    case VRM_VERTEX_TANGENT:
        return g->tangents != NULL || !g->info.has_tangents ? NULL : vrmi_geometry_find(g, attributes, "TANGENT");
    case VRM_VERTEX_TEX_COORD:
        return vrmi_geometry_find_set(g, "TEXCOORD_", attribute->set);
    case VRM_VERTEX_COLOR:
        return vrmi_geometry_find_set(g, "COLOR_", attribute->set);
    default:
        return NULL;
    }
}

// Normalises directions whose length morph targets have changed. A direction that became zero is left unchanged.
static void normalize(uint32_t count, float (*values)[4])
{
    for (uint32_t i = 0; i < count; ++i) {
        const vrm_vec3 moved = {values[i][0], values[i][1], values[i][2]};
        const vrm_vec3 direction = unit_of(moved, moved);
        memcpy(values[i], &direction, sizeof direction);
    }
}

void vrmi_geometry_values(const vrm_geometry *geometry, const vrm_vertex_attribute *attribute,
    const vrmi_morph_weights *morphs, uint32_t first, uint32_t count, float (*out)[4])
{
    static const float missing[VRM_VERTEX_SEMANTIC_COUNT][4] = {[VRM_VERTEX_POSITION] = {0.0f, 0.0f, 0.0f, 1.0f},
        [VRM_VERTEX_TANGENT] = {0.0f, 0.0f, 0.0f, 1.0f},
        [VRM_VERTEX_COLOR] = {1.0f, 1.0f, 1.0f, 1.0f}};
    const vrm_vertex_semantic semantic = attribute->semantic;
    const vrmi_gltf_accessor *accessor = find_accessor(geometry, attribute);
    for (uint32_t i = 0; i < count; ++i) {
        memcpy(out[i], missing[semantic], sizeof out[i]);
    }
    if (semantic == VRM_VERTEX_NORMAL && geometry->flat) {
        flat_normals(geometry, morphs, first, count, out);
    } else if (semantic == VRM_VERTEX_TANGENT && geometry->tangents != NULL) {
        memcpy(out, geometry->tangents + first, sizeof *out * count);
    } else if (accessor != NULL) {
        float values[CHUNK * 4];
        const uint32_t components = accessor->components;
        vrmi_geometry_floats(geometry, accessor, first, count, values);
        for (uint32_t i = 0; i < count; ++i) {
            memcpy(out[i], values + (size_t)i * components, components * sizeof(float));
        }
        if (semantic <= VRM_VERTEX_TANGENT && vrmi_geometry_morph(geometry, semantic, morphs, first, count, out) &&
            semantic != VRM_VERTEX_POSITION) {
            normalize(count, out);
        }
    }
}

// --- joints ----------------------------------------------------------------------------------------------------------

static void read_set(
    const vrm_geometry *g, uint32_t set, uint32_t first, uint32_t count, uint32_t (*joints)[4], float (*weights)[4])
{
    const vrmi_gltf_accessor *j = set < g->file_joint_sets ? vrmi_geometry_find_set(g, "JOINTS_", set) : NULL;
    const vrmi_gltf_accessor *w = j != NULL ? vrmi_geometry_find_set(g, "WEIGHTS_", set) : NULL;
    memset(joints, 0, sizeof *joints * count);
    memset(weights, 0, sizeof *weights * count);
    if (w != NULL) {
        vrmi_geometry_uints(g, j, first, count, joints);
        vrmi_geometry_floats(g, w, first, count, &weights[0][0]);
    }
}

// Replaces the smallest of four weights if `weight` is larger.
static void keep_largest(uint32_t joint, float weight, uint32_t joints[4], float weights[4])
{
    uint32_t least = 0;
    for (uint32_t k = 1; k < 4; ++k) {
        least = weights[k] < weights[least] ? k : least;
    }
    if (weight > weights[least]) {
        joints[least] = joint;
        weights[least] = weight;
    }
}

static void reduce(const vrm_geometry *g, uint32_t first, uint32_t count, uint32_t (*joints)[4], float (*weights)[4])
{
    for (uint32_t set = 1; set < g->file_joint_sets; ++set) {
        uint32_t more[CHUNK][4];
        float their[CHUNK][4];
        read_set(g, set, first, count, more, their);
        for (uint32_t i = 0; i < count * 4; ++i) {
            keep_largest(more[i / 4][i % 4], their[i / 4][i % 4], joints[i / 4], weights[i / 4]);
        }
    }
    for (uint32_t i = 0; i < count; ++i) {
        const float sum = weights[i][0] + weights[i][1] + weights[i][2] + weights[i][3];
        for (uint32_t k = 0; k < 4 && sum > 0.0f; ++k) {
            weights[i][k] /= sum;
        }
    }
}

// Vertices whose weights are all 0 follow the rigid joint, stored in the first set.
static void hold_rigid(
    const vrm_geometry *g, uint32_t first, uint32_t count, uint32_t (*joints)[4], float (*weights)[4])
{
    float sums[CHUNK];
    for (uint32_t set = 0; set < (g->info.joint_sets > 0 ? g->info.joint_sets : 1); ++set) {
        uint32_t unused[CHUNK][4];
        float more[CHUNK][4];
        if (set > 0) {
            read_set(g, set, first, count, unused, more);
        }
        for (uint32_t i = 0; i < count; ++i) {
            const float *w = set > 0 ? more[i] : weights[i];
            sums[i] = (set > 0 ? sums[i] : 0.0f) + w[0] + w[1] + w[2] + w[3];
        }
    }
    for (uint32_t i = 0; i < count; ++i) {
        if (!(sums[i] > 0.0f)) {
            joints[i][0] = (uint32_t)g->rigid_joint;
            weights[i][0] = 1.0f;
        }
    }
}

void vrmi_geometry_influences(const vrm_geometry *geometry, uint32_t set, uint32_t first, uint32_t count,
    uint32_t (*joints)[4], float (*weights)[4])
{
    read_set(geometry, geometry->four_joints && set != 0 ? UINT32_MAX : set, first, count, joints, weights);
    if (geometry->four_joints && set == 0) {
        reduce(geometry, first, count, joints, weights);
    }
    for (uint32_t i = 0; i < count * 4; ++i) {
        uint32_t *joint = &joints[i / 4][i % 4];
        *joint = geometry->first_joint + (geometry->joint_count == 0 || *joint < geometry->joint_count ? *joint : 0);
    }
    if (geometry->rigid_joint >= 0 && set == 0) {
        hold_rigid(geometry, first, count, joints, weights);
    }
}
