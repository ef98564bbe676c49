// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Fits shapes to vertices. A capsule minimises the mean pinball loss of the vertices' distances from its surface; at
// the minimum a known fraction of the vertices is outside. (A hull would grow with every outlier, and a mean would
// leave half of the skin outside.) Left and right sides of similar shape are fitted together, so that a symmetric
// avatar gets a symmetric ragdoll.
//
// The search for the axis leaves more vertices outside than the final fit. With few vertices outside, empty space
// inside hardly costs anything, and a sphere around a forearm is as good as a capsule along it.

#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "model/names.h"
#include "ragdoll/build.h"

enum { ENOUGH = 12, MAX_CLOUD = 2 * VRMI_RAGDOLL_POINTS, BOX_ROUNDS = 7 };

#define INSIDE 0.92f // fraction of the vertices within a capsule
#define BALANCE 0.8f // fraction inside during the search for the axis
#define LENGTH_COST 0.001f
#define RADIUS_COST 0.1f
#define BOX_INSIDE 0.995f // fraction within each of a box's faces, at first
#define BENT_INSIDE 0.98f // fraction within each face of a box, and within the end of a limb, of vertices that bend
#define BOX_GAIN 0.005f   // fraction of the height by which a box must stick out less than a capsule
#define LYING_COST 0.01f  // fraction of the height by which a capsule fitted to the ground may stick out more

// The symmetry that a capsule keeps during the fit.
typedef enum symmetry {
    FREE,
    MIDDLE, // the axis lies in the plane x = 0
    ACROSS  // the axis is along X, the centre in the plane x = 0
} symmetry;

typedef struct cloud {
    uint32_t count;
    vrm_vec3 items[MAX_CLOUD];
} cloud;

// A body's vertices: in the T-pose, and where those are that bend (bent.c).
typedef struct clouds {
    cloud points, bent;
} clouds;

typedef struct capsule {
    vrm_vec3 a, b;
    float radius;
} capsule;

// --- capsules --------------------------------------------------------------------------------------------------------

static float axis_distance(const capsule *c, vrm_vec3 p)
{
    const vrm_vec3 way = vrmi_vec3_sub(c->b, c->a), from = vrmi_vec3_sub(p, c->a);
    const float square = vrmi_vec3_dot(way, way);
    const float t = square > 1e-12f ? vrmi_clamp(vrmi_vec3_dot(from, way) / square, 0.0f, 1.0f) : 0.0f;
    return vrmi_vec3_length(vrmi_vec3_sub(from, vrmi_vec3_scale(way, t)));
}

static float loss(const capsule *c, const cloud *points)
{
    float sum = 0.0f;
    for (uint32_t i = 0; i < points->count; ++i) {
        const float distance = axis_distance(c, points->items[i]) - c->radius;
        sum += distance > 0.0f ? BALANCE * distance : (BALANCE - 1.0f) * distance;
    }
    // The loss alone would let a capsule extend beyond a limb's last vertices, or become thick around a flat hand.
    // Small costs keep capsules short and slim.
    return sum / (float)points->count + RADIUS_COST * c->radius +
           LENGTH_COST * vrmi_vec3_length(vrmi_vec3_sub(c->b, c->a));
}

static void constrain(capsule *c, symmetry kind)
{
    if (kind == MIDDLE) {
        c->a.x = c->b.x = 0.0f;
    } else if (kind == ACROSS) {
        c->a = vrmi_vec3(-vrmi_max(c->b.x, 0.0f), c->b.y, c->b.z);
        c->b.x = -c->a.x;
    }
}

typedef struct capsule_fit {
    const cloud *points;
    symmetry kind;
    float size;
} capsule_fit;

// Constrains the capsule of the numbers, and returns its loss.
static float numbers_loss(const void *self, float numbers[VRMI_RAGDOLL_NUMBERS])
{
    const capsule_fit *fit = self;
    capsule c = {
        .a = {numbers[4], numbers[5], numbers[6]}, .b = {numbers[0], numbers[1], numbers[2]}, .radius = numbers[3]};
    constrain(&c, fit->kind);
    c.radius = vrmi_max(c.radius, 0.01f * fit->size);
    const float constrained[VRMI_RAGDOLL_NUMBERS] = {c.b.x, c.b.y, c.b.z, c.radius, c.a.x, c.a.y, c.a.z};
    memcpy(numbers, constrained, sizeof constrained);
    return loss(&c, fit->points);
}

static float search(capsule *c, const cloud *points, symmetry kind, float size)
{
    const capsule_fit fit = {points, kind, size};
    float numbers[VRMI_RAGDOLL_NUMBERS] = {c->b.x, c->b.y, c->b.z, c->radius, c->a.x, c->a.y, c->a.z};
    const float least = vrmi_ragdoll_search(numbers, VRMI_RAGDOLL_NUMBERS, size, numbers_loss, &fit);
    c->b = vrmi_vec3(numbers[0], numbers[1], numbers[2]);
    c->a = vrmi_vec3(numbers[4], numbers[5], numbers[6]);
    c->radius = numbers[3];
    return least;
}

static int compare_floats(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static void sort(float *values, uint32_t count)
{
    qsort(values, count, sizeof *values, compare_floats);
}

static float quantile(const float *sorted, uint32_t count, float share)
{
    return sorted[(uint32_t)((float)(count - 1) * share + 0.5f)];
}

// Writes the sorted coordinates of a cloud along an axis.
static void sort_along(const cloud *points, vrm_vec3 axis, float out[MAX_CLOUD])
{
    for (uint32_t i = 0; i < points->count; ++i) {
        out[i] = vrmi_vec3_dot(points->items[i], axis);
    }
    sort(out, points->count);
}

static vrm_vec3 across_of(vrm_vec3 axis)
{
    const vrm_vec3 other = vrmi_abs(axis.x) < 0.7f ? vrmi_vec3(1, 0, 0) : vrmi_vec3(0, 0, 1);
    return vrmi_vec3_normalize_or(vrmi_vec3_cross(axis, other), vrmi_vec3(0, 1, 0));
}

// Searches for the best capsule, starting from quantiles along an axis. Returns the loss.
static float fit_capsule(const cloud *points, vrm_vec3 axis, symmetry kind, capsule *out)
{
    const vrm_vec3 u = across_of(axis), v = vrmi_vec3_cross(axis, u);
    const vrm_vec3 axes[3] = {axis, u, v};
    float low[3], high[3], places[MAX_CLOUD];
    vrm_vec3 center = {0, 0, 0};
    for (uint32_t i = 0; i < 3; ++i) {
        sort_along(points, axes[i], places);
        low[i] = quantile(places, points->count, 0.03f);
        high[i] = quantile(places, points->count, 0.97f);
        center = vrmi_vec3_add(center, vrmi_vec3_scale(axes[i], 0.5f * (low[i] + high[i])));
    }
    const float length = high[0] - low[0], radius = 0.25f * (high[1] - low[1] + high[2] - low[2]);
    const float size = vrmi_max(vrmi_max(length, 2.0f * radius), 1e-4f);
    const vrm_vec3 half = vrmi_vec3_scale(axis, vrmi_max(0.5f * length - radius, 0.0f));
    *out = (capsule){vrmi_vec3_sub(center, half), vrmi_vec3_add(center, half), vrmi_max(radius, 0.01f * size)};
    constrain(out, kind);
    return search(out, points, kind, size);
}

// Returns the radius of a capsule that encloses the required fraction of the vertices.
static float enclosing_radius(const cloud *points, const capsule *c)
{
    float distances[MAX_CLOUD];
    for (uint32_t i = 0; i < points->count; ++i) {
        distances[i] = axis_distance(c, points->items[i]);
    }
    sort(distances, points->count);
    return quantile(distances, points->count, INSIDE);
}

static void finish_capsule(const cloud *points, const capsule *c, vrm_ragdoll_shape *out)
{
    const vrm_vec3 way = vrmi_vec3_sub(c->b, c->a);
    const float length = vrmi_vec3_length(way), radius = enclosing_radius(points, c);
    *out = (vrm_ragdoll_shape){.type = VRM_RAGDOLL_SHAPE_CAPSULE,
        .center = vrmi_vec3_lerp(c->a, c->b, 0.5f),
        .rotation = vrmi_quat_from_to(vrmi_vec3(0, 1, 0), vrmi_vec3_normalize_or(way, vrmi_vec3(0, 1, 0))),
        .radius = vrmi_max(radius, 1e-4f),
        .half_length = 0.5f * length};
}

static void fit_best_capsule(const cloud *points, vrm_vec3 axis, bool middle, vrm_ragdoll_shape *out)
{
    capsule best, other;
    float least = fit_capsule(points, axis, middle ? MIDDLE : FREE, &best);
    if (middle && fit_capsule(points, vrmi_vec3(1, 0, 0), ACROSS, &other) < least) {
        best = other;
    }
    finish_capsule(points, &best, out);
}

// --- boxes -----------------------------------------------------------------------------------------------------------

// Returns the direction of a foot's longer axis seen from above, as an angle from +Z to +X; 0 for a round foot.
static float heading(const cloud *points)
{
    float mx = 0, mz = 0, xx = 0, xz = 0, zz = 0;
    for (uint32_t i = 0; i < points->count; ++i) {
        mx += points->items[i].x / (float)points->count;
        mz += points->items[i].z / (float)points->count;
    }
    for (uint32_t i = 0; i < points->count; ++i) {
        const float x = points->items[i].x - mx, z = points->items[i].z - mz;
        xx += x * x;
        xz += x * z;
        zz += z * z;
    }
    return zz > 2.0f * xx ? 0.5f * vrmi_atan2(2.0f * xz, zz - xx) : 0.0f;
}

// The coordinates of a cloud along the axes of a box, sorted for each axis.
typedef struct sight {
    uint32_t count;
    vrm_quat rotation;
    vrm_vec3 axes[3];
    float places[3][MAX_CLOUD];
} sight;

static void look_along(const cloud *points, vrm_quat rotation, sight *out)
{
    out->count = points->count;
    out->rotation = rotation;
    out->axes[0] = vrmi_quat_rotate(rotation, vrmi_vec3(1, 0, 0));
    out->axes[1] = vrmi_quat_rotate(rotation, vrmi_vec3(0, 1, 0));
    out->axes[2] = vrmi_quat_rotate(rotation, vrmi_vec3(0, 0, 1));
    for (uint32_t axis = 0; axis < 3; ++axis) {
        sort_along(points, out->axes[axis], out->places[axis]);
    }
}

// Fits a box. `inside` is the fraction of the vertices within each face; with `down` the lower face is at the lowest
// vertex.
static void fit_box(const sight *seen, float inside, bool down, vrm_ragdoll_shape *out)
{
    float half[3];
    vrm_vec3 center = {0, 0, 0};
    for (uint32_t i = 0; i < 3; ++i) {
        const float low = quantile(seen->places[i], seen->count, down && i == 1 ? 0.0f : 1.0f - inside);
        const float high = quantile(seen->places[i], seen->count, inside);
        half[i] = 0.5f * (high - low) * 1.002f + 1e-4f; // keeps flat sides inside despite rounding errors
        center = vrmi_vec3_add(center, vrmi_vec3_scale(seen->axes[i], 0.5f * (low + high)));
    }
    *out = (vrm_ragdoll_shape){.type = VRM_RAGDOLL_SHAPE_BOX,
        .center = center,
        .rotation = seen->rotation,
        .half_extents = {half[0], half[1], half[2]}};
}

// Fits a box that is horizontal, so that the sole is on the ground, and rotated in the direction of the foot.
static void fit_foot(const cloud *points, vrm_ragdoll_shape *out)
{
    sight seen;
    look_along(points, vrmi_quat_from_axis_angle(vrmi_vec3(0, 1, 0), heading(points)), &seen);
    fit_box(&seen, BOX_INSIDE, true, out);
}

// --- which of them ---------------------------------------------------------------------------------------------------

// Returns the depth of a vertex inside the surface.
static float depth_of(const vrm_ragdoll_shape *shape, vrm_vec3 place)
{
    const vrm_vec3 p = vrmi_quat_rotate(vrmi_quat_conjugate(shape->rotation), vrmi_vec3_sub(place, shape->center));
    const vrm_vec3 beyond = {p.x, p.y - vrmi_clamp(p.y, -shape->half_length, shape->half_length), p.z};
    const vrm_vec3 h = shape->half_extents;
    const vrm_vec3 room = {h.x - vrmi_abs(p.x), h.y - vrmi_abs(p.y), h.z - vrmi_abs(p.z)};
    return shape->type == VRM_RAGDOLL_SHAPE_BOX ? vrmi_min(room.x, vrmi_min(room.y, room.z))
                                                : shape->radius - vrmi_vec3_length(beyond);
}

// Returns the mean distance from the skin to the surface of the shape around it.
static float air_of(const cloud *points, const vrm_ragdoll_shape *shape)
{
    float sum = 0.0f;
    for (uint32_t i = 0; i < points->count; ++i) {
        sum += vrmi_max(depth_of(shape, points->items[i]), 0.0f);
    }
    return sum / (float)points->count;
}

static float covered_by(const cloud *points, const vrm_ragdoll_shape *shape)
{
    uint32_t inside = 0;
    for (uint32_t i = 0; i < points->count; ++i) {
        inside += depth_of(shape, points->items[i]) >= 0.0f ? 1u : 0u;
    }
    return (float)inside / (float)points->count;
}

// Fits the smallest box that leaves no more vertices outside than a capsule does.
static void fit_tight_box(const cloud *points, vrm_quat rotation, vrm_ragdoll_shape *out)
{
    sight seen;
    look_along(points, rotation, &seen);
    fit_box(&seen, BOX_INSIDE, false, out);
    float loose = BOX_INSIDE, tight = INSIDE;
    for (uint32_t i = 0; i < BOX_ROUNDS; ++i) {
        vrm_ragdoll_shape between;
        const float inside = 0.5f * (loose + tight);
        fit_box(&seen, inside, false, &between);
        if (covered_by(points, &between) < INSIDE) {
            tight = inside;
        } else {
            loose = inside;
            *out = between;
        }
    }
}

// Lengthens a limb's capsule so that it extends from joint to joint without gaps.
static void reach(vrm_ragdoll_shape *shape, vrm_vec3 along, float from, float to)
{
    vrm_vec3 axis = vrmi_quat_rotate(shape->rotation, vrmi_vec3(0, 1, 0));
    const float cosine = vrmi_vec3_dot(axis, along);
    if (vrmi_abs(cosine) < 0.8f) {
        return; // not a limb
    }
    axis = vrmi_vec3_scale(axis, cosine < 0.0f ? -1.0f : 1.0f);
    const float at = vrmi_vec3_dot(shape->center, along), half = shape->half_length + shape->radius;
    const float below = vrmi_max(at - half - from, 0.0f), above = vrmi_max(to - at - half, 0.0f);
    shape->half_length += 0.5f * (below + above);
    shape->center = vrmi_vec3_add(shape->center, vrmi_vec3_scale(axis, 0.5f * (above - below)));
}

// Fits a capsule, which suits limbs and is best for physics engines, or a box, which suits flat hands, robots and
// backpacks.
static void fit_any(const cloud *points, vrm_vec3 axis, bool middle, float height, vrm_ragdoll_shape *out)
{
    fit_best_capsule(points, axis, middle, out);
    vrm_ragdoll_shape box;
    const vrm_quat rotation = middle ? vrmi_quat_identity() : vrmi_quat_from_to(vrmi_vec3(0, 1, 0), axis);
    fit_tight_box(points, rotation, &box);
    if (air_of(points, &box) < air_of(points, out) - BOX_GAIN * height) {
        *out = box;
    }
}

// Fits the shape of a head or of hips so that it lies on the ground like its vertices. A capsule around few vertices,
// such as a cube's, can get much larger by this; then it stays as it is.
static void lie(const cloud *points, vrm_vec3 neighbour, float height, vrm_ragdoll_shape *shape)
{
    if (shape->type == VRM_RAGDOLL_SHAPE_BOX) {
        sight seen;
        look_along(points, shape->rotation, &seen);
        fit_box(&seen, BOX_INSIDE, false, shape);
        return;
    }
    vrm_ragdoll_shape lying = *shape;
    vrmi_ragdoll_fit_support(points->items, points->count, neighbour, &lying);
    const vrm_vec3 half = vrmi_quat_rotate(lying.rotation, vrmi_vec3(0.0f, lying.half_length, 0.0f));
    const capsule c = {vrmi_vec3_sub(lying.center, half), vrmi_vec3_add(lying.center, half), lying.radius};
    // A slightly larger radius keeps vertices at the same distance inside despite rounding errors.
    lying.radius = vrmi_max(lying.radius, 1.001f * enclosing_radius(points, &c));
    if (air_of(points, &lying) < air_of(points, shape) + LYING_COST * height) {
        *shape = lying;
    }
}

// Enlarges a shape to contain the vertices of half closed fingers, and of the kneecap of a bent knee.
static void cover_bent(const cloud *bent, vrm_vec3 along, vrm_ragdoll_shape *shape)
{
    float places[MAX_CLOUD];
    if (bent->count < ENOUGH) {
        return;
    }
    if (shape->type == VRM_RAGDOLL_SHAPE_CAPSULE) {
        // An end does not become longer than by a half sphere, whatever the weights are.
        sort_along(bent, along, places);
        const float end = vrmi_vec3_dot(shape->center, along) + shape->half_length + shape->radius;
        reach(shape, along, end, vrmi_min(quantile(places, bent->count, BENT_INSIDE), end + shape->radius));
        return;
    }
    float *half[3] = {&shape->half_extents.x, &shape->half_extents.y, &shape->half_extents.z};
    for (uint32_t i = 0; i < 3; ++i) {
        const vrm_vec3 unit = {i == 0 ? 1.0f : 0.0f, i == 1 ? 1.0f : 0.0f, i == 2 ? 1.0f : 0.0f};
        const vrm_vec3 axis = vrmi_quat_rotate(shape->rotation, unit);
        sort_along(bent, axis, places);
        const float at = vrmi_vec3_dot(shape->center, axis);
        const float low = vrmi_min(quantile(places, bent->count, 1.0f - BENT_INSIDE), at - *half[i]);
        const float high = vrmi_max(quantile(places, bent->count, BENT_INSIDE), at + *half[i]);
        *half[i] = 0.5f * (high - low);
        shape->center = vrmi_vec3_add(shape->center, vrmi_vec3_scale(axis, 0.5f * (low + high) - at));
    }
}

// --- without vertices ------------------------------------------------------------------------------------------------

static void guess(const vrmi_ragdoll_build *build, vrm_human_bone bone, vrm_ragdoll_shape *out)
{
    const vrmi_anatomy *anatomy = vrmi_anatomy_of(bone);
    const float height = build->def->height, radius = anatomy->girth * height;
    float length;
    vrm_vec3 along = vrmi_ragdoll_direction(build, bone, &length);
    if (length < 0.5f * radius) {
        length = bone == VRM_HUMAN_BONE_HEAD ? 0.12f * height : 2.5f * radius;
    }
    if (anatomy->shape == VRM_RAGDOLL_SHAPE_BOX) {
        // The box extends from the joint down to the ground and has the length of a foot.
        const float down = vrmi_max(vrmi_ragdoll_place(build, (int32_t)bone).y, radius);
        const float reach = bone == VRM_HUMAN_BONE_LEFT_FOOT || bone == VRM_HUMAN_BONE_RIGHT_FOOT ? 0.07f : 0.03f;
        *out = (vrm_ragdoll_shape){.type = VRM_RAGDOLL_SHAPE_BOX,
            .center = {0.0f, -0.5f * down, 0.6f * reach * height},
            .rotation = {0, 0, 0, 1},
            .half_extents = {radius, 0.5f * vrmi_min(down, 0.1f * height), reach * height}};
        return;
    }
    if (bone == VRM_HUMAN_BONE_HIPS) {
        along = vrmi_vec3(1, 0, 0); // the pelvis is wider than it is high
        *out = (vrm_ragdoll_shape){.radius = radius, .half_length = 0.025f * height};
    } else {
        *out = (vrm_ragdoll_shape){.center = vrmi_vec3_scale(along, 0.5f * length),
            .radius = vrmi_min(radius, 0.6f * length),
            .half_length = vrmi_max(0.5f * length - 0.8f * vrmi_min(radius, 0.6f * length), 0.0f)};
    }
    out->type = VRM_RAGDOLL_SHAPE_CAPSULE;
    out->rotation = vrmi_quat_from_to(vrmi_vec3(0, 1, 0), along);
}

// --- bodies ----------------------------------------------------------------------------------------------------------

static void mirror_shape(vrm_ragdoll_shape *shape)
{
    shape->center = vrmi_ragdoll_mirror(shape->center);
    shape->rotation.y = -shape->rotation.y;
    shape->rotation.z = -shape->rotation.z;
}

static void add_points(cloud *out, const vrmi_ragdoll_points *points, bool mirrored)
{
    for (uint32_t i = 0; i < points->count; ++i) {
        out->items[out->count++] = mirrored ? vrmi_ragdoll_mirror(points->items[i]) : points->items[i];
    }
}

// Whether two sides are mirror images. Compares the middle and the ends of both clouds.
static bool alike(const vrmi_ragdoll_points *left, const vrmi_ragdoll_points *right)
{
    static const float shares[3] = {0.1f, 0.5f, 0.9f};
    cloud a = {.count = 0}, b = {.count = 0};
    add_points(&a, left, false);
    add_points(&b, right, true);
    if (a.count < ENOUGH || b.count < ENOUGH) {
        return a.count >= ENOUGH ||
               b.count >= ENOUGH; // if only one side has enough vertices, they are used for both sides
    }
    float size = 0.0f, difference = 0.0f, of_a[MAX_CLOUD], of_b[MAX_CLOUD];
    for (uint32_t axis = 0; axis < 3; ++axis) {
        const vrm_vec3 direction = {axis == 0 ? 1.0f : 0.0f, axis == 1 ? 1.0f : 0.0f, axis == 2 ? 1.0f : 0.0f};
        sort_along(&a, direction, of_a);
        sort_along(&b, direction, of_b);
        size = vrmi_max(size, quantile(of_a, a.count, 0.9f) - quantile(of_a, a.count, 0.1f));
        for (uint32_t i = 0; i < 3; ++i) {
            const float d = quantile(of_a, a.count, shares[i]) - quantile(of_b, b.count, shares[i]);
            difference = vrmi_max(difference, vrmi_abs(d));
        }
    }
    return difference <= 0.15f * size;
}

// Fits the shape of a middle or left bone, or of a right bone whose vertices are mirrored.
static void fit_cloud(const vrmi_ragdoll_build *build, vrm_human_bone bone, const clouds *seen, vrm_ragdoll_shape *out)
{
    const bool middle = vrmi_anatomy_is_middle(bone);
    const cloud *points = &seen->points;
    float length;
    vrm_vec3 along = vrmi_ragdoll_direction(build, bone, &length);
    if (middle) {
        along = vrmi_vec3_normalize_or(vrmi_vec3(0, along.y, along.z), vrmi_vec3(0, 1, 0));
    } else if (vrmi_anatomy_is_right(bone)) {
        along = vrmi_ragdoll_mirror(along);
    }
    if (vrmi_anatomy_of(bone)->shape == VRM_RAGDOLL_SHAPE_BOX) {
        fit_foot(points, out);
    } else {
        fit_any(points, along, middle, build->def->height, out);
        const bool round = out->type == VRM_RAGDOLL_SHAPE_CAPSULE;
        if (round && !middle) {
            reach(out, along, 0.0f, length);
        } else if (bone == VRM_HUMAN_BONE_HEAD) {
            lie(points, vrmi_vec3_scale(along, -1.0f), build->def->height, out);
        } else if (bone == VRM_HUMAN_BONE_HIPS) {
            lie(points, along, build->def->height, out);
        }
    }
    cover_bent(&seen->bent, along, out);
}

// Fits a body's shape. A right body is fitted as a left one with mirrored vertices. A pair of similar sides is fitted
// once, from the vertices of both.
static void fit_body(vrmi_ragdoll_build *build, uint32_t index)
{
    vrm_ragdoll_body *body = &build->def->bodies[index];
    const vrm_human_bone bone = body->bone, other = vrmi_human_bone_mirror(bone);
    const bool middle = other == bone, right = vrmi_anatomy_is_right(bone);
    const int32_t twin = middle ? -1 : build->body_of_bone[other];
    const bool pair =
        twin >= 0 && build->def->bodies[twin].bone == other &&
        alike(&build->points[right ? (uint32_t)twin : index], &build->points[right ? index : (uint32_t)twin]);
    if (pair && right) { // the left body comes first
        body->shape = build->def->bodies[twin].shape;
        mirror_shape(&body->shape);
        return;
    }
    clouds seen = {.points = {.count = 0}, .bent = {.count = 0}};
    const uint32_t also = middle ? index : (uint32_t)twin;
    add_points(&seen.points, &build->points[index], right);
    add_points(&seen.bent, &build->bent[index], right);
    if (middle || pair) {
        add_points(&seen.points, &build->points[also], true);
        add_points(&seen.bent, &build->bent[also], true);
    }
    if (seen.points.count < ENOUGH) {
        guess(build, bone, &body->shape);
        vrmi_report(build->report, VRM_FINDING_RAGDOLL_BODY_GUESSED, "", vrm_human_bone_name(bone), NULL);
        return;
    }
    fit_cloud(build, bone, &seen, &body->shape);
    if (right) {
        mirror_shape(&body->shape);
    }
}

void vrmi_ragdoll_fit_shapes(vrmi_ragdoll_build *build)
{
    for (uint32_t i = 0; i < build->def->body_count; ++i) {
        fit_body(build, i);
    }
}
