// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Fits a capsule by its support function: the extent in each direction, which decides how high a body lies on a plane.
// Heads with hair and ears, and hips in wide clothes, are far from the shape of a capsule. Even if few of their
// vertices are outside of the capsule, these vertices can be the ones that lie on the ground: such heads sank into the
// ground by a sixth of their radius.

#include "ragdoll/build.h"

enum { DIRECTIONS = VRMI_RAGDOLL_DIRECTIONS, NUMBERS = 5 };

#define SINKS 8.0f     // weight of a vertex's depth in the ground, relative to that of an equal gap above the ground
#define MOST_OUT 0.25f // fraction of the radius; vertices farther out belong to a hat or a horn and have no effect
#define JOINED 0.6f    // cosine of an angle; a body does not lie on a side within this angle of its neighbour

typedef struct support {
    vrm_vec3 directions[DIRECTIONS];
    float extents[DIRECTIONS]; // extent of the vertices in each direction
    float weights[DIRECTIONS]; // weight of a vertex outside of the capsule, relative to an equal gap inside
    float least_radius;        // metres; a capsule with a smaller radius is not allowed
    float most_out;            // metres
    bool across;               // the capsule's axis is along X, otherwise in the plane x = 0
} support;

static void look_around(const vrm_vec3 *points, uint32_t count, vrm_vec3 neighbour, support *out)
{
    vrmi_ragdoll_directions(out->directions);
    for (uint32_t d = 0; d < DIRECTIONS; ++d) {
        float extent = vrmi_vec3_dot(points[0], out->directions[d]);
        for (uint32_t i = 1; i < count; ++i) {
            extent = vrmi_max(extent, vrmi_vec3_dot(points[i], out->directions[d]));
        }
        out->extents[d] = extent;
        out->weights[d] = vrmi_vec3_dot(out->directions[d], neighbour) > JOINED ? 1.0f : SINKS;
    }
}

// A capsule's numbers are y and z of both ends and the radius, or if its axis is along X: y, z and x of an end, 0, and
// the radius.
static void ends_of(const support *s, const float numbers[VRMI_RAGDOLL_NUMBERS], vrm_vec3 ends[2])
{
    const float x = s->across ? numbers[2] : 0.0f;
    ends[0] = vrmi_vec3(-x, numbers[0], numbers[1]);
    ends[1] = s->across ? vrmi_vec3(x, numbers[0], numbers[1]) : vrmi_vec3(0.0f, numbers[2], numbers[3]);
}

static float loss(const void *self, float numbers[VRMI_RAGDOLL_NUMBERS])
{
    const support *s = self;
    if (numbers[NUMBERS - 1] < s->least_radius) {
        return 1e30f;
    }
    vrm_vec3 ends[2];
    ends_of(s, numbers, ends);
    float sum = 0.0f;
    for (uint32_t d = 0; d < DIRECTIONS; ++d) {
        const float along =
            vrmi_max(vrmi_vec3_dot(ends[0], s->directions[d]), vrmi_vec3_dot(ends[1], s->directions[d]));
        const float out = s->extents[d] - along - numbers[4];
        const float cost = out > 0.0f ? s->weights[d] * vrmi_min(out, s->most_out) : out;
        sum += cost * cost;
    }
    return sum;
}

void vrmi_ragdoll_fit_support(const vrm_vec3 *points, uint32_t count, vrm_vec3 neighbour, vrm_ragdoll_shape *shape)
{
    support s;
    look_around(points, count, neighbour, &s);
    const vrm_vec3 upright = {0.0f, 1.0f, 0.0f}, axis = vrmi_quat_rotate(shape->rotation, upright), c = shape->center;
    const float size = shape->radius, y = axis.y * shape->half_length, z = axis.z * shape->half_length;
    s.most_out = MOST_OUT * size;
    s.least_radius = 0.5f * size;
    s.across = vrmi_abs(axis.x) > 0.5f;
    float numbers[VRMI_RAGDOLL_NUMBERS] = {c.y - y, c.z - z, c.y + y, c.z + z, size};
    if (s.across) {
        numbers[2] = shape->half_length;
        numbers[3] = 0.0f;
    }
    (void)vrmi_ragdoll_search(numbers, NUMBERS, size, loss, &s);
    vrm_vec3 ends[2];
    ends_of(&s, numbers, ends);
    const vrm_vec3 way = vrmi_vec3_sub(ends[1], ends[0]);
    shape->center = vrmi_vec3_lerp(ends[0], ends[1], 0.5f);
    shape->rotation = vrmi_quat_from_to(upright, vrmi_vec3_normalize_or(way, upright));
    shape->half_length = 0.5f * vrmi_vec3_length(way);
    shape->radius = numbers[NUMBERS - 1];
}
