// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "import/avatar/import_reach.h"

#include "math/mat34.h"

// A vertex counts for the joints that move it at least half as much as the strongest joint does.
static const float least_weight = 0.5f;
// A vertex counts if springs have more than this fraction of its weights. (Files have vertices that hair and body share
// by mistake, far from the hair.)
static const float most_weight = 0.6f;
// Vertices nearer to the bone's head than this fraction of its length hardly move when the bone turns.
static const float nearest = 0.25f;
// Bones shorter than this have no direction.
static const float shortest_bone = 1e-9f;
// The largest distance, so that squares and sums of distances are finite.
static const float farthest = 1e6f;

// cos(pi * i / 8); the sine of direction i is the cosine of direction i - 4, with sign.
static const float cosines[VRMI_REACH_WAYS] = {
    1.0f, 0.92387953f, 0.70710678f, 0.38268343f, 0.0f, -0.38268343f, -0.70710678f, -0.92387953f};

static float sine(int way)
{
    return way < 4 ? -cosines[way + 4] : cosines[way - 4];
}

static void begin_box(const vrmi_import *import, uint32_t joint, vrmi_reach_box *box)
{
    const vrmi_joint_row *row = &VRMI_ROWS(import, spring_joint, vrmi_joint_row)[joint];
    const vrm_mat34 *rest = &VRMI_ROWS(import, node_rest_matrix, vrm_mat34)[row->node];
    const vrm_vec3 tail = vrmi_mat34_vector(rest, row->tail), down = {0.0f, -1.0f, 0.0f};
    const float length = vrmi_vec3_length(tail);
    *box = (vrmi_reach_box){.head = {rest->m[0][3], rest->m[1][3], rest->m[2][3]},
        .length = length > shortest_bone && length < farthest ? length : 0.0f};
    const vrm_vec3 along = vrmi_vec3_normalize_or(tail, down);
    const vrm_vec3 other = vrmi_abs(along.x) < 0.7f ? (vrm_vec3){1.0f, 0.0f, 0.0f} : (vrm_vec3){0.0f, 0.0f, 1.0f};
    box->along = along;
    box->side[0] = vrmi_vec3_normalize_or(vrmi_vec3_cross(along, other), other);
    box->side[1] = vrmi_vec3_cross(along, box->side[0]);
    for (int way = 0; way < VRMI_REACH_WAYS; ++way) {
        box->low[way] = farthest;
        box->high[way] = -farthest;
    }
}

void vrmi_reach_init(vrmi_reach *reach, vrmi_import *import, uint32_t joints)
{
    const uint32_t nodes = import->model.node_parent.count, springs = import->model.spring_joint.count;
    *reach = (vrmi_reach){.import = import,
        .boxes = vrmi_import_scratch(import, springs, sizeof *reach->boxes),
        .owner = vrmi_import_scratch(import, nodes, sizeof *reach->owner),
        .box_of = vrmi_import_scratch(import, joints, sizeof *reach->box_of),
        .model_from_vertex = vrmi_import_scratch(import, joints, sizeof *reach->model_from_vertex)};
    if (!vrmi_import_runs(import)) {
        return;
    }
    for (uint32_t i = 0; i < springs; ++i) {
        begin_box(import, i, &reach->boxes[i]);
        reach->owner[VRMI_ROWS(import, spring_joint, vrmi_joint_row)[i].node] = i + 1;
    }
    for (uint32_t i = 0; i < import->model.spring_chain.count; ++i) {
        const vrmi_chain_row *chain = &VRMI_ROWS(import, spring_chain, vrmi_chain_row)[i];
        reach->boxes[chain->first_joint].first = true;
    }
    for (uint32_t node = 0; node < nodes; ++node) {
        const int32_t parent = VRMI_ROWS(import, node_parent, int32_t)[node];
        if (reach->owner[node] == 0 && parent >= 0) {
            reach->owner[node] = reach->owner[parent];
        }
    }
}

void vrmi_reach_begin_mesh(vrmi_reach *reach)
{
    reach->any = false;
}

void vrmi_reach_begin_joint(vrmi_reach *reach, uint32_t joint, uint32_t node, const vrm_mat34 *model_from_vertex)
{
    const uint32_t owner = reach->owner[node];
    reach->box_of[joint] = owner != 0 && reach->boxes[owner - 1].length > 0.0f ? owner : 0;
    reach->model_from_vertex[joint] = *model_from_vertex;
    reach->any = reach->any || reach->box_of[joint] != 0;
}

// Adds a vertex. Near the head of a bone it hardly moves when this bone turns, so it counts for the bone above.
static void include(vrmi_reach_box *box, vrm_vec3 p)
{
    vrm_vec3 from_head = vrmi_vec3_sub(p, box->head);
    float along = vrmi_vec3_dot(from_head, box->along);
    if (along < nearest * box->length && !box->first && box[-1].length > 0.0f) {
        --box;
        from_head = vrmi_vec3_sub(p, box->head);
        along = vrmi_vec3_dot(from_head, box->along);
    }
    if (!(along >= nearest * box->length)) {
        return;
    }
    const float x = vrmi_vec3_dot(from_head, box->side[0]), y = vrmi_vec3_dot(from_head, box->side[1]);
    const float beside = vrmi_sqrt(x * x + y * y), beyond = vrmi_max(along - box->length, 0.0f);
    box->beside = vrmi_max(beside, box->beside);
    box->beyond = vrmi_max(beyond, box->beyond);
    box->sum = vrmi_max(beside + beyond, box->sum);
    for (int way = 0; way < VRMI_REACH_WAYS; ++way) {
        const float far = x * cosines[way] + y * sine(way);
        box->low[way] = vrmi_min(far, box->low[way]); // if `far` is NaN, the limit stays
        box->high[way] = vrmi_max(far, box->high[way]);
    }
}

// Whether the springs alone move a vertex, but for a rest.
static bool is_on_springs(const vrmi_reach *reach, const uint32_t joints[4], const float weights[4], uint32_t count)
{
    float springs = 0.0f, all = 0.0f;
    for (int k = 0; k < 4; ++k) {
        const float weight = joints[k] < count ? weights[k] : 0.0f;
        all += weight;
        springs += weight > 0.0f && reach->box_of[joints[k]] != 0 ? weight : 0.0f;
    }
    return springs > most_weight * all;
}

void vrmi_reach_include(vrmi_reach *reach, const vrmi_bounds_chunk *chunk, uint32_t count, uint32_t joint_count)
{
    for (uint32_t i = 0; reach->any && i < count; ++i) {
        const uint32_t *joints = &chunk->joints[i * 4];
        const float *weights = &chunk->weights[i * 4], *p = &chunk->position[i * 3];
        if (!is_on_springs(reach, joints, weights, joint_count)) {
            continue;
        }
        const float most = vrmi_max(vrmi_max(weights[0], weights[1]), vrmi_max(weights[2], weights[3]));
        for (int k = 0; k < 4; ++k) {
            if (joints[k] < joint_count && weights[k] > 0.0f && weights[k] >= least_weight * most &&
                reach->box_of[joints[k]] != 0) {
                const vrm_mat34 *matrix = &reach->model_from_vertex[joints[k]];
                include(&reach->boxes[reach->box_of[joints[k]] - 1],
                    vrmi_mat34_point(matrix, (vrm_vec3){p[0], p[1], p[2]}));
            }
        }
    }
}

static float width_of(const vrmi_reach_box *box, int way)
{
    return box->high[way] - box->low[way];
}

static vrm_vec3 direction_of(const vrmi_reach_box *box, int way)
{
    return vrmi_vec3_add(vrmi_vec3_scale(box->side[0], cosines[way]), vrmi_vec3_scale(box->side[1], sine(way)));
}

static float held(float x)
{
    return vrmi_clamp(x, -farthest, farthest);
}

static bool is_empty(const vrmi_reach_box *box)
{
    return box->length <= 0.0f || !(width_of(box, 0) >= 0.0f); // without vertices, the limits are in reverse
}

// Returns the radius of a circle around a point of the plane that contains all vertices: they are in a polygon with 16
// sides.
static float radius_around(const vrmi_reach_box *box, vrm_vec3 center)
{
    const float to_corner = 1.0195911f; // 1 / cos(pi / 16)
    float far = 0.0f;
    for (int way = 0; way < VRMI_REACH_WAYS; ++way) {
        const float middle = vrmi_vec3_dot(center, direction_of(box, way));
        far = vrmi_max(far, vrmi_max(held(box->high[way]) - middle, middle - held(box->low[way])));
    }
    return far * to_corner;
}

// Chooses the smallest of the rectangles that the directions allow.
static vrmi_joint_reach_row row_of(const vrmi_reach_box *box)
{
    enum { QUARTER = VRMI_REACH_WAYS / 2 };
    int best = 0;
    for (int way = 1; way < QUARTER; ++way) {
        if (width_of(box, way) * width_of(box, way + QUARTER) < width_of(box, best) * width_of(box, best + QUARTER)) {
            best = way;
        }
    }
    vrm_vec3 half[2], center = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < 2; ++i) {
        const int way = best + i * QUARTER;
        const float low = held(box->low[way]), high = held(box->high[way]);
        const vrm_vec3 direction = direction_of(box, way);
        half[i] = vrmi_vec3_scale(direction, 0.5f * (high - low));
        center = vrmi_vec3_add(center, vrmi_vec3_scale(direction, 0.5f * (high + low)));
    }
    // Vertices both beside and beyond: the largest sum of both distances cuts the corners off.
    const float beside = held(box->beside), beyond = held(box->beyond), sum = held(box->sum);
    return (vrmi_joint_reach_row){.center = center,
        .half = {half[0], half[1]},
        .radius = radius_around(box, center),
        .beyond = beyond,
        .shoulder = vrmi_clamp((sum - beside) / vrmi_max(beyond, shortest_bone), 0.0f, 1.0f),
        .tip = vrmi_clamp((sum - beyond) / vrmi_max(beside, shortest_bone), 0.0f, 1.0f)};
}

void vrmi_reach_finish(vrmi_reach *reach)
{
    vrmi_import *import = reach->import;
    const uint32_t count = import->model.spring_joint.count;
    vrmi_joint_reach_row *rows = vrmi_import_extend(import, &import->model.joint_reach, count);
    bool below = false; // bones further down the chain have vertices
    for (uint32_t i = count; rows != NULL && i-- > 0;) {
        const vrmi_reach_box *box = &reach->boxes[i];
        if (!is_empty(box)) {
            rows[i] = row_of(box);
            rows[i].beyond = below ? 0.0f : rows[i].beyond; // otherwise these vertices follow the next bone, too
            below = true;
        }
        below = below && !box->first;
    }
}
