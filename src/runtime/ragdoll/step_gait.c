// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "runtime/ragdoll/step_gait.h"

#include "runtime/ragdoll/step_figure.h"

// Metres, m/s and seconds at a height of 1.6 m. A point of a sole is on the ground if it is at most `ground_height`
// above the lowest point, and at most `ground_speed` fast relative to the ground. The ground is assumed to be at rest
// until no point has been on it for `lost_time`: then the avatar is walking on the spot.
static const float ground_height = 0.06f, ground_speed = 0.45f, lost_time = 0.1f;
static const float least_air = 0.08f;   // seconds for which a foot must be in the air to count as a step
static const float slowest_step = 1.2f; // seconds; a longer step counts as standing
static const float jump = 25.0f;        // m/s; a faster movement is a teleport
static const float most_off = 1e3f;     // largest distance from the ground, relative to the above

// Returns how far a foot's ball is ahead of the middle of its shape, for a foot with toes. It rolls over its ball, and
// its tip dips below the ground meanwhile.
static float find_ball(const vrm_instance *instance, int side, const vrm_ragdoll_shape *shape, vrm_quat turn, float end)
{
    const int32_t toes = vrmi_step_node(instance, side == 0 ? VRM_HUMAN_BONE_LEFT_TOES : VRM_HUMAN_BONE_RIGHT_TOES);
    if (toes < 0) {
        return end;
    }
    const vrm_vec3 ankle = vrmi_step_place(instance, vrmi_step_legs[side][2]);
    const vrm_vec3 way = vrmi_vec3_sub(vrmi_mat34_translation(&instance->world[toes]), ankle);
    const vrm_vec3 own = vrmi_vec3_scale(vrmi_quat_rotate(vrmi_quat_conjugate(turn), way), 1.0f / instance->root.scale);
    const vrm_vec3 at = vrmi_quat_rotate(vrmi_quat_conjugate(shape->rotation), vrmi_vec3_sub(own, shape->center));
    return vrmi_clamp(shape->type == VRM_RAGDOLL_SHAPE_BOX ? at.z : at.y, -end, end);
}

static void find_points(const vrm_instance *instance, vrm_vec3 points[4])
{
    const float scale = instance->root.scale;
    for (int i = 0; i < 4; ++i) {
        const vrm_human_bone bone = vrmi_step_legs[i / 2][2];
        const uint32_t body = (uint32_t)vrmi_step_body_of(instance, bone);
        const vrm_ragdoll_shape *shape = &instance->ragdoll_bodies[body].shape;
        const vrm_quat turn = vrmi_ragdoll_animated(instance, body);
        const bool box = shape->type == VRM_RAGDOLL_SHAPE_BOX;
        const float half = box ? shape->half_extents.z : shape->half_length;
        const float end = i % 2 == 0 ? -half : find_ball(instance, i / 2, shape, turn, half);
        const vrm_vec3 along = box ? vrmi_vec3(0.0f, -shape->half_extents.y, end) : vrmi_vec3(0.0f, end, 0.0f);
        const vrm_vec3 own = vrmi_vec3_add(shape->center, vrmi_quat_rotate(shape->rotation, along));
        points[i] = vrmi_vec3_add(vrmi_step_place(instance, bone), vrmi_quat_rotate(turn, vrmi_vec3_scale(own, scale)));
    }
}

// Finds how far the feet are off the ground. Returns false if the avatar has jumped.
static bool find_contacts(
    vrmi_gait *gait, const vrm_instance *instance, const vrm_vec3 points[4], float dt, float off[2])
{
    const float tall = instance->ragdoll.height > 0.0f ? instance->ragdoll.height / 1.6f : 1.0f;
    const float scale = instance->root.scale * tall;
    const vrm_vec3 travel = vrmi_vec3_between(gait->origin, instance->root.translation);
    vrm_vec3 speeds[4];
    float least = points[0].y;
    for (int i = 0; i < 4; ++i) {
        const vrm_vec3 way = vrmi_vec3_add(vrmi_vec3_sub(points[i], gait->points[i]), travel);
        speeds[i] = vrmi_step_to_root(instance, vrmi_vec3_scale(way, 1.0f / dt));
        least = vrmi_min(least, points[i].y);
        if (vrmi_vec3_length(speeds[i]) > jump * scale) {
            return false;
        }
    }
    const vrm_vec3 ground = {gait->ground.x, 0.0f, gait->ground.z};
    int slowest = -1;
    for (int i = 0; i < 4; ++i) {
        const float high = (points[i].y - least) / (ground_height * scale);
        const float fast = vrmi_vec3_length(vrmi_vec3_sub(speeds[i], ground)) / (ground_speed * scale);
        const float most = high < most_off && fast < most_off ? vrmi_max(high, fast) : most_off; // also of NaN
        off[i / 2] = i % 2 == 0 ? most : vrmi_min(off[i / 2], most);
        const bool slower = slowest < 0 || vrmi_vec3_length(speeds[i]) < vrmi_vec3_length(speeds[slowest]);
        slowest = high < 1.0f && slower ? i : slowest;
    }
    gait->lost = off[0] < 1.0f || off[1] < 1.0f ? 0.0f : gait->lost + dt;
    // In a walk on the spot, the foot on the ground is the slower one. Far from the origin no point may be found,
    // because rounding exceeds the allowed height above the lowest point.
    if (gait->lost > lost_time && slowest >= 0) {
        gait->ground = vrmi_step_flatten(speeds[slowest]);
        gait->lost = 0.0f;
    }
    return true;
}

static void come_down(vrmi_gait *gait, const vrm_instance *instance, uint32_t foot)
{
    const uint32_t other = 1 - foot;
    const vrm_vec3 hip = vrmi_step_place(instance, vrmi_step_legs[foot][0]);
    const vrm_vec3 leg = vrmi_vec3_sub(vrmi_step_place(instance, vrmi_step_legs[foot][2]), hip);
    gait->landing[foot] = vrmi_step_to_root(instance, leg);
    if (gait->count == 0 || gait->lead == foot || gait->since > slowest_step) {
        gait->count = 1;
    } else {
        vrm_vec3 middles[2];
        for (uint32_t i = 0; i < 2; ++i) {
            const vrm_vec3 both = vrmi_vec3_add(gait->points[2 * i], gait->points[2 * i + 1]);
            middles[i] = vrmi_step_to_root(instance, vrmi_vec3_scale(both, 0.5f));
        }
        gait->step[foot] = vrmi_flat_sub(vrmi_step_flatten(middles[foot]), vrmi_step_flatten(middles[other]));
        gait->step_time = gait->since;
        if (gait->count == 1) { // the step of the other foot is not known yet
            gait->step[other] = vrmi_flat_of(-gait->step[foot].x, gait->step[foot].z);
            gait->landing[other] = gait->landing[foot];
            gait->landing[other].x = -gait->landing[foot].x;
        }
        gait->count = gait->count < 3 ? gait->count + 1 : 3;
    }
    gait->lead = foot;
    gait->since = 0.0f;
}

// Returns the seconds for which a foot has been in the air. It rose between two frames: at both, its distance from the
// ground is known, and it grew evenly.
static float time_in_air(const vrmi_gait *gait, uint32_t foot, float off, float dt)
{
    const float before = gait->off[foot];
    if (off < 1.0f) {
        return 0.0f;
    }
    return before < 1.0f ? dt * (off - 1.0f) / (off - before) : gait->up[foot] + dt;
}

void vrmi_gait_watch(vrm_instance *instance, float dt)
{
    vrmi_gait *gait = instance->ragdoll_gait;
    if (!instance->ragdoll.settings.steps || !vrmi_step_has_legs(instance)) {
        *gait = (vrmi_gait){.rotation = vrmi_quat_identity()};
        return;
    }
    if (!(dt > 0.0f)) {
        return;
    }
    vrm_vec3 points[4];
    float off[2] = {0.0f, 0.0f};
    find_points(instance, points);
    const bool known = gait->known && find_contacts(gait, instance, points, dt, off);
    for (int i = 0; i < 4; ++i) {
        gait->points[i] = points[i];
    }
    gait->origin = instance->root.translation;
    gait->rotation = instance->root.rotation;
    if (!known) {
        gait->known = true;
        gait->count = 0;
        gait->down[0] = gait->down[1] = true;
        gait->off[0] = gait->off[1] = 0.0f;
        gait->up[0] = gait->up[1] = gait->lost = 0.0f;
        gait->ground = vrmi_flat_of(0.0f, 0.0f);
        return;
    }
    gait->since = vrmi_min(gait->since + dt, 2.0f * slowest_step);
    for (uint32_t foot = 0; foot < 2; ++foot) {
        const bool down = off[foot] < 1.0f, lands = down && !gait->down[foot] && gait->up[foot] > least_air;
        gait->up[foot] = time_in_air(gait, foot, off[foot], dt);
        gait->down[foot] = down;
        gait->off[foot] = off[foot];
        if (lands) {
            come_down(gait, instance, foot);
        }
    }
}

bool vrmi_gait_walks(const vrmi_gait *gait)
{
    return gait->count >= 2 && gait->since < 1.6f * gait->step_time;
}
