// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Reads a geometry's vertices from the file.

#include "base/text.h"
#include "import/mesh/geometry.h"

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

// Counts the vertices from `first` on that are consecutive in the file.
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

void vrmi_geometry_uints(const vrm_geometry *geometry, const vrmi_gltf_accessor *accessor, uint32_t first,
    uint32_t count, uint32_t (*out)[4])
{
    for (uint32_t done = 0; done < count;) {
        const uint32_t run = run_of(geometry, first + done, count - done);
        vrmi_accessor_uints(accessor, origin_of(geometry, first + done), run, out[done]);
        done += run;
    }
}
