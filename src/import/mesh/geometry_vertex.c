// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include <string.h>

#include "base/text.h"
#include "import/mesh/geometry.h"
#include "math/vec3.h"

enum { CHUNK = VRMI_GEOMETRY_CHUNK };

const vrmi_gltf_accessor *vrmi_geometry_find(const vrm_geometry *geometry, uint32_t attributes, const char *name)
{
    const vrmi_json *json = &geometry->gltf->json;
    uint32_t index;
    return vrmi_json_uint(json, vrmi_json_member(json, attributes, name), &index)
               ? vrmi_gltf_readable(geometry->gltf, index)
               : NULL;
}

const vrmi_gltf_accessor *vrmi_geometry_find_set(const vrm_geometry *geometry, const char *prefix, uint32_t set)
{
    char name[32];
    return vrmi_geometry_find(
        geometry, geometry->primitive->attributes_json, vrmi_format(name, sizeof name, "%s%u", prefix, set));
}

static uint32_t origin_of(const vrm_geometry *g, uint32_t vertex)
{
    return vertex < g->kept ? vertex : g->origins[vertex - g->kept];
}

// How many of the vertices from `first` on lie one after the other in the file.
static uint32_t run_of(const vrm_geometry *g, uint32_t first, uint32_t count)
{
    const uint32_t origin = origin_of(g, first);
    uint32_t run = 1;
    while (run < count && origin_of(g, first + run) == origin + run) {
        ++run;
    }
    return run;
}

void vrmi_geometry_floats(
    const vrm_geometry *geometry, const vrmi_gltf_accessor *accessor, uint32_t first, uint32_t count, float *out)
{
    for (uint32_t done = 0; done < count;) {
        const uint32_t run = run_of(geometry, first + done, count - done);
        vrmi_accessor_floats(
            accessor, origin_of(geometry, first + done), run, out + (size_t)done * accessor->components);
        done += run;
    }
}

static void read_uints(
    const vrm_geometry *g, const vrmi_gltf_accessor *accessor, uint32_t first, uint32_t count, uint32_t (*out)[4])
{
    for (uint32_t done = 0; done < count;) {
        const uint32_t run = run_of(g, first + done, count - done);
        vrmi_accessor_uints(accessor, origin_of(g, first + done), run, out[done]);
        done += run;
    }
}

// --- numbers ---------------------------------------------------------------------------------------------------------

static void flat_normals(const vrm_geometry *g, uint32_t first, uint32_t count, float (*out)[4])
{
    const vrmi_gltf_accessor *positions = vrmi_geometry_find(g, g->primitive->attributes_json, "POSITION");
    for (uint32_t i = 0; i < count; ++i) {
        vrm_vec3 p[3];
        vrmi_geometry_floats(g, positions, (first + i) / 3 * 3, 3, &p[0].x);
        const vrm_vec3 across = vrmi_vec3_cross(vrmi_vec3_sub(p[1], p[0]), vrmi_vec3_sub(p[2], p[0]));
        const vrm_vec3 normal = vrmi_vec3_normalize_or(across, vrmi_vec3(0.0f, 0.0f, 1.0f));
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

void vrmi_geometry_values(const vrm_geometry *geometry, const vrm_vertex_attribute *attribute, uint32_t first,
    uint32_t count, float (*out)[4])
{
    static const float missing[VRM_VERTEX_SEMANTIC_COUNT][4] = {[VRM_VERTEX_POSITION] = {0.0f, 0.0f, 0.0f, 1.0f},
        [VRM_VERTEX_TANGENT] = {0.0f, 0.0f, 0.0f, 1.0f},
        [VRM_VERTEX_COLOR] = {1.0f, 1.0f, 1.0f, 1.0f}};
    const vrmi_gltf_accessor *accessor = find_accessor(geometry, attribute);
    for (uint32_t i = 0; i < count; ++i) {
        memcpy(out[i], missing[attribute->semantic], sizeof out[i]);
    }
    if (attribute->semantic == VRM_VERTEX_NORMAL && geometry->flat) {
        flat_normals(geometry, first, count, out);
    } else if (attribute->semantic == VRM_VERTEX_TANGENT && geometry->tangents != NULL) {
        memcpy(out, geometry->tangents + first, sizeof *out * count);
    } else if (accessor != NULL) {
        float values[CHUNK * 4];
        const uint32_t components = accessor->components;
        vrmi_geometry_floats(geometry, accessor, first, count, values);
        for (uint32_t i = 0; i < count; ++i) {
            memcpy(out[i], values + (size_t)i * components, components * sizeof(float));
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
        read_uints(g, j, first, count, joints);
        vrmi_geometry_floats(g, w, first, count, &weights[0][0]);
    }
}

// Puts what weighs more than the least of four in its place.
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
}
