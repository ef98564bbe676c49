// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Creates a clip of getting up. Measures the lying pose, builds a plan from it, and solves the plan's frames three
// times: first to find the depth of the skin in the ground; then with limbs and trunk lifted by a smooth curve above
// that depth; last with longer times for frames in which a joint would be too fast. All this happens before the clip
// plays.

#include "ragdoll/get_up.h"

#include <string.h>

#include <vrm/instance.h>
#include <vrm/output.h>

#include "base/abi.h"
#include "base/checks.h"
#include "model/clip.h"

#define DEGREE (VRMI_PI / 180.0f)

enum { MOST_FRAMES = 320, LIFTS = 7, SMOOTHING = 7, SIDES_REACH = 5, ROUNDS = 8 };

static const float frame_time = 1.0f / 60.0f;
static const float begun = 0.18f; // seconds after which lifts are whole
// The largest speed of a joint between keys, radians per second. The interpolation may exceed it a little.
static const float fastest = 560.0f * DEGREE;
// The largest speed of any bone, including fingertips, in body heights per second.
static const float fastest_way = 2.7f;

typedef struct get_up {
    const vrm_get_up_body *body;
    vrmi_get_up_start start;
    vrmi_get_up_plan plan;
    vrmi_get_up_difference difference;
    uint32_t frames;
    float lifts[MOST_FRAMES][LIFTS];  // the members of vrmi_get_up_lift in their order
    float smooth[MOST_FRAMES][LIFTS]; // what the earlier passes have added to `lifts`
    vrmi_get_up_sides sides[MOST_FRAMES];
    bool has_sides;
    float times[MOST_FRAMES]; // of the clip
    vrmi_get_up_pose poses[MOST_FRAMES];
} get_up;

void(vrm_get_up_params_default)(vrm_get_up_params *params, size_t size)
{
    const vrm_get_up_params own = {.struct_size = sizeof own, .pace = 1.0f};
    vrmi_write_defaults(params, size, &own, sizeof own);
}

// --- the lying pose --------------------------------------------------------------------------------------------------

// Reads the shown pose, in the world's axes. Positions are relative to a point on the ground below the hips, in the
// model's lengths.
static void read_pose(const vrm_get_up_body *body, const vrm_instance *instance, double ground, vrmi_get_up_pose *out)
{
    vrm_outputs outputs = {.struct_size = sizeof outputs};
    vrm_root root;
    vrm_instance_get_outputs(instance, &outputs);
    vrm_instance_get_root(instance, &root);
    const float size = 1.0f / root.scale;
    const int32_t *nodes = body->model->head.bone_node;
    const vrm_mat34 *hips = &outputs.world[nodes[VRM_HUMAN_BONE_HIPS]];
    const float floor = (float)(ground - outputs.origin.y);
    for (int32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        if (body->parent[bone] == -2) {
            continue;
        }
        const vrm_mat34 *world = &outputs.world[nodes[bone]];
        vrm_transform t;
        (void)vrmi_mat34_decompose(world, &t);
        const vrm_quat rest = vrmi_model_node_rest_rotation(body->model)[nodes[bone]];
        out->turn[bone] = vrmi_quat_normalize(vrmi_quat_mul(t.rotation, vrmi_quat_conjugate(rest)));
        out->place[bone] = vrmi_vec3_scale(
            vrmi_vec3(t.translation.x - hips->m[0][3], t.translation.y - floor, t.translation.z - hips->m[2][3]), size);
    }
}

static int32_t chest_of(const vrm_get_up_body *body)
{
    static const int32_t bones[] = {VRM_HUMAN_BONE_UPPER_CHEST, VRM_HUMAN_BONE_CHEST, VRM_HUMAN_BONE_SPINE};
    for (size_t i = 0; i < VRMI_COUNT_OF(bones); ++i) {
        if (body->parent[bones[i]] > -2) {
            return bones[i];
        }
    }
    return VRM_HUMAN_BONE_HIPS;
}

static vrm_get_up_way way_of(const vrm_get_up_body *body, const vrmi_get_up_pose *pose)
{
    const vrm_quat top = pose->turn[chest_of(body)], hips = pose->turn[VRM_HUMAN_BONE_HIPS];
    const vrm_vec3 y = {0.0f, 1.0f, 0.0f}, x = {1.0f, 0.0f, 0.0f}, z = {0.0f, 0.0f, 1.0f};
    const float up = vrmi_quat_rotate(top, y).y;
    const float front = 0.5f * (vrmi_quat_rotate(top, z).y + vrmi_quat_rotate(hips, z).y);
    const float left = 0.5f * (vrmi_quat_rotate(top, x).y + vrmi_quat_rotate(hips, x).y);
    const float height =
        0.5f * (pose->place[VRM_HUMAN_BONE_LEFT_UPPER_LEG].y + pose->place[VRM_HUMAN_BONE_RIGHT_UPPER_LEG].y);
    const float knee =
        vrmi_min(pose->place[VRM_HUMAN_BONE_LEFT_LOWER_LEG].y, pose->place[VRM_HUMAN_BONE_RIGHT_LOWER_LEG].y);
    if (up > 0.5f) {
        const bool kneels = height > 0.3f * body->leg && knee < vrmi_max(0.2f * body->leg, 0.35f * height);
        return kneels ? VRM_GET_UP_FROM_KNEELING : VRM_GET_UP_FROM_SITTING;
    }
    if (front > 0.5f || front < -0.5f) {
        return front > 0.0f ? VRM_GET_UP_FROM_BACK : VRM_GET_UP_FROM_FRONT;
    }
    return left < 0.0f ? VRM_GET_UP_FROM_LEFT : VRM_GET_UP_FROM_RIGHT;
}

// Returns the rotation about the vertical from the plan's frame to the world. The frame's z is the direction in which
// the figure will face.
static vrm_quat heading_of(const vrmi_get_up_pose *pose, vrm_get_up_way way)
{
    const vrm_vec3 y = {0.0f, 1.0f, 0.0f}, z = {0.0f, 0.0f, 1.0f};
    const vrm_vec3 shoulders =
        vrmi_vec3_lerp(pose->place[VRM_HUMAN_BONE_LEFT_UPPER_ARM], pose->place[VRM_HUMAN_BONE_RIGHT_UPPER_ARM], 0.5f);
    const vrm_vec3 pelvis =
        vrmi_vec3_lerp(pose->place[VRM_HUMAN_BONE_LEFT_UPPER_LEG], pose->place[VRM_HUMAN_BONE_RIGHT_UPPER_LEG], 0.5f);
    vrm_vec3 ahead = vrmi_vec3_sub(shoulders, pelvis);
    if (way == VRM_GET_UP_FROM_BACK) {
        ahead = vrmi_vec3_scale(ahead, -1.0f);
    } else if (way == VRM_GET_UP_FROM_SITTING || way == VRM_GET_UP_FROM_KNEELING) {
        ahead = vrmi_quat_rotate(pose->turn[VRM_HUMAN_BONE_HIPS], z);
    }
    return vrmi_quat_from_axis_angle(y, vrmi_atan2(ahead.x, ahead.z));
}

static void measure_start(get_up *g, const vrm_instance *instance, double ground)
{
    vrmi_get_up_pose *pose = &g->start.pose;
    read_pose(g->body, instance, ground, pose);
    g->start.way = way_of(g->body, pose);
    const vrm_quat back = vrmi_quat_conjugate(heading_of(pose, g->start.way));
    for (int32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        if (g->body->parent[bone] > -2) {
            pose->turn[bone] = vrmi_quat_normalize(vrmi_quat_mul(back, pose->turn[bone]));
            pose->place[bone] = vrmi_quat_rotate(back, pose->place[bone]);
        }
    }
}

// --- frames ----------------------------------------------------------------------------------------------------------

static vrmi_get_up_lift lift_of(const float *numbers)
{
    return (vrmi_get_up_lift){numbers[0], {numbers[1], numbers[2]}, {numbers[3], numbers[4]}, {numbers[5], numbers[6]}};
}

static float time_of(const get_up *g, uint32_t frame)
{
    return vrmi_min((float)frame * frame_time, g->plan.keys[g->plan.count - 1].time);
}

static void solve_frame(get_up *g, uint32_t frame, vrmi_get_up_pose *out)
{
    const vrmi_get_up_moment moment = {.time = time_of(g, frame),
        .lift = lift_of(g->lifts[frame]),
        .difference = &g->difference,
        .sides = g->has_sides ? &g->sides[frame] : NULL};
    vrmi_get_up_solve(g->body, &g->plan, &moment, out);
}

// Finds the rotation of each bone from the plan's first pose to the lying pose.
static void find_difference(get_up *g)
{
    vrmi_get_up_pose planned;
    const vrmi_get_up_moment begin = {.time = 0.0f};
    vrmi_get_up_solve(g->body, &g->plan, &begin, &planned);
    for (int32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        if (g->body->parent[bone] > -2) {
            const vrm_quat lies = vrmi_get_up_local(g->body, &g->start.pose, bone);
            const vrm_quat local = vrmi_get_up_local(g->body, &planned, bone);
            g->difference.turn[bone] = vrmi_quat_normalize(vrmi_quat_mul(lies, vrmi_quat_conjugate(local)));
        }
    }
    g->difference.hips = vrmi_vec3_sub(g->start.pose.place[VRM_HUMAN_BONE_HIPS], planned.place[VRM_HUMAN_BONE_HIPS]);
}

// Raises the lifts of a frame by the depths of its skin in the ground. Returns false if nothing is in the ground.
static bool lift_frame(get_up *g, uint32_t frame)
{
    vrmi_get_up_pose pose;
    solve_frame(g, frame, &pose);
    const float time = time_of(g, frame);
    const float kneels[2] = {vrmi_get_up_kneels(&g->plan, 0, time), vrmi_get_up_kneels(&g->plan, 1, time)};
    const vrmi_get_up_lift sunk = vrmi_get_up_sunk(g->body, &pose, kneels);
    const float more[LIFTS] = {
        sunk.trunk, sunk.hand[0], sunk.hand[1], sunk.foot[0], sunk.foot[1], sunk.knee[0], sunk.knee[1]};
    bool any = false;
    for (int i = 0; i < LIFTS; ++i) {
        g->lifts[frame][i] += more[i];
        any = any || more[i] > 1e-5f;
    }
    return any;
}

static void find_lifts(get_up *g, uint32_t first)
{
    for (uint32_t frame = first; frame < g->frames; ++frame) {
        for (int round = 0; round < ROUNDS && lift_frame(g, frame); ++round) {
        }
    }
}

// Makes what a pass has added to each lift a smooth curve that is nowhere below the needed heights: takes the maximum
// of neighbouring frames, then averages twice. The curve starts at 0, so that the lying pose stays unchanged.
static void smooth_lifts(get_up *g)
{
    float wide[MOST_FRAMES], next[MOST_FRAMES];
    const int frames = (int)g->frames, reach = SMOOTHING;
    for (int lift = 0; lift < LIFTS; ++lift) {
        for (int frame = 0; frame < frames; ++frame) {
            wide[frame] = 0.0f;
            for (int near = -2 * reach; near <= 2 * reach; ++near) {
                const int at = frame + near < 0 ? 0 : (frame + near >= frames ? frames - 1 : frame + near);
                wide[frame] = vrmi_max(wide[frame], g->lifts[at][lift] - g->smooth[at][lift]);
            }
        }
        for (int pass = 0; pass < 2; ++pass) {
            for (int frame = 0; frame < frames; ++frame) {
                float sum = 0.0f;
                for (int near = -reach; near <= reach; ++near) {
                    const int at = frame + near < 0 ? 0 : (frame + near >= frames ? frames - 1 : frame + near);
                    sum += wide[at];
                }
                next[frame] = sum / (float)(2 * reach + 1);
            }
            memcpy(wide, next, sizeof(float) * (size_t)frames);
        }
        for (int frame = 0; frame < frames; ++frame) {
            const float t = vrmi_min((float)frame * frame_time / begun, 1.0f);
            const float left = vrmi_min((float)(frames - 1 - frame) * frame_time / 0.3f, 1.0f);
            g->smooth[frame][lift] += wide[frame] * t * t * (3.0f - 2.0f * t) * left * left * (3.0f - 2.0f * left);
            g->lifts[frame][lift] = g->smooth[frame][lift];
        }
    }
}

// Makes the directions of knees and elbows smooth. A limb whose middle joint swings out of the ground, or that points at
// its pole, finds a very different direction within a few frames. Hands and feet stay where they are. The window is
// smaller near both ends, so that the first pose stays unchanged.
static void smooth_sides(get_up *g)
{
    const int frames = (int)g->frames;
    for (int frame = 0; frame < frames; ++frame) {
        solve_frame(g, (uint32_t)frame, &g->poses[frame]);
    }
    for (int frame = 0; frame < frames; ++frame) {
        const int before = frame, after = frames - 1 - frame, room = before < after ? before : after;
        const int reach = room < SIDES_REACH ? room : SIDES_REACH;
        for (int limb = 0; limb < 4; ++limb) {
            vrm_vec3 sum = {0.0f, 0.0f, 0.0f};
            for (int near = -reach; near <= reach; ++near) {
                const float weight = (float)(reach + 1 - (near < 0 ? -near : near));
                const vrm_vec3 side = g->poses[frame + near].sides.limb[limb / 2][limb % 2];
                sum = vrmi_vec3_add(sum, vrmi_vec3_scale(side, weight));
            }
            const vrm_vec3 own = g->poses[frame].sides.limb[limb / 2][limb % 2];
            g->sides[frame].limb[limb / 2][limb % 2] = vrmi_vec3_normalize_or(sum, own);
        }
    }
    g->has_sides = true;
}

static float turn_between(vrm_quat a, vrm_quat b)
{
    return vrmi_vec3_length(vrmi_quat_to_vector(vrmi_quat_mul(b, vrmi_quat_conjugate(a))));
}

// Finds the time that each frame must last so that no joint rotates too fast and no bone moves too fast.
static void find_spans(const get_up *g, float spans[MOST_FRAMES])
{
    for (uint32_t frame = 0; frame < g->frames; ++frame) {
        spans[frame] = frame_time;
        for (int32_t bone = 0; frame > 0 && bone < VRM_HUMAN_BONE_COUNT; ++bone) {
            if (g->body->parent[bone] > -2) {
                const float turned = turn_between(vrmi_get_up_local(g->body, &g->poses[frame - 1], bone),
                    vrmi_get_up_local(g->body, &g->poses[frame], bone));
                const vrm_vec3 way = vrmi_vec3_sub(g->poses[frame].place[bone], g->poses[frame - 1].place[bone]);
                const float time = vrmi_vec3_length(way) / (fastest_way * g->body->height);
                spans[frame] = vrmi_max(spans[frame], vrmi_max(turned / fastest, time));
            }
        }
    }
}

// A knee or an elbow jumps when its limb is nearly straight or very short. A frame in which a joint moves farther than
// in both neighbouring frames, by more than `most`, gets more time.
static void soften_leaps(const get_up *g, int32_t bone, float most, float spans[MOST_FRAMES])
{
    float steps[MOST_FRAMES] = {0.0f};
    for (uint32_t frame = 1; frame < g->frames; ++frame) {
        const vrm_vec3 way = vrmi_vec3_sub(g->poses[frame].place[bone], g->poses[frame - 1].place[bone]);
        steps[frame] = vrmi_vec3_length(way) * frame_time; // divided by a span, this is the distance in a shown frame
    }
    for (uint32_t frame = 2; frame + 1 < g->frames; ++frame) {
        const float before = steps[frame - 1] / spans[frame - 1], after = steps[frame + 1] / spans[frame + 1];
        const float allowed = vrmi_max(before, after) + most;
        spans[frame] = vrmi_max(spans[frame], steps[frame] / allowed);
    }
}

// Finds the poses of all frames and their times.
static void find_times(get_up *g, float pace)
{
    float spans[MOST_FRAMES] = {0};
    for (uint32_t frame = 0; frame < g->frames; ++frame) {
        solve_frame(g, frame, &g->poses[frame]);
    }
    find_spans(g, spans);
    for (int32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        if (g->body->parent[bone] > -2) {
            soften_leaps(g, bone, 0.004f * g->body->height, spans);
        }
    }
    // A long span also stretches its neighbours, so that the pace changes gradually.
    double time = 0.0;
    for (int frame = 0; frame < (int)g->frames; ++frame) {
        float longest = frame_time;
        for (int near = -3; near <= 3; ++near) {
            const int at = frame + near;
            if (at > 0 && at < (int)g->frames) {
                const float part = 1.0f - 0.25f * (float)(near < 0 ? -near : near);
                longest = vrmi_max(longest, frame_time + (spans[at] - frame_time) * part);
            }
        }
        time += frame > 0 ? (double)(longest * pace) : 0.0;
        g->times[frame] = (float)time;
    }
}

// --- the clip --------------------------------------------------------------------------------------------------------

// The clip's keys have equal intervals. A joint that rotates far between two frames, which then last long, gets keys in
// between and moves evenly. The player's interpolation alone would not do that.
static uint32_t count_keys(const get_up *g)
{
    return (uint32_t)(g->times[g->frames - 1] / frame_time + 0.999f) + 1;
}

// Returns the frame before a time, and the time's fraction of the interval to the next frame.
static uint32_t frame_at(const get_up *g, float time, uint32_t frame, float *out_part)
{
    while (frame + 2 < g->frames && g->times[frame + 1] <= time) {
        ++frame;
    }
    *out_part = vrmi_clamp01((time - g->times[frame]) / (g->times[frame + 1] - g->times[frame]));
    return frame;
}

static bool add_track(const get_up *g, vrmi_clip_builder *builder, int32_t bone, bool hips)
{
    const vrmi_clip_track track = {.kind = hips ? VRMI_TRACK_HIPS : VRMI_TRACK_ROTATION,
        .target = (uint32_t)bone,
        .interpolation = VRMI_LINEAR,
        .key_count = count_keys(g)};
    float *times, *values;
    if (!vrmi_clip_builder_track(builder, &track, &times, &values)) {
        return false;
    }
    // The clip ends with the figure standing above the root.
    const vrm_vec3 end = g->poses[g->frames - 1].place[VRM_HUMAN_BONE_HIPS];
    const vrm_vec3 rest = g->body->rest[VRM_HUMAN_BONE_HIPS];
    uint32_t frame = 0;
    for (uint32_t key = 0; key < track.key_count; ++key) {
        float part;
        times[key] = vrmi_min((float)key * frame_time, g->times[g->frames - 1]);
        frame = frame_at(g, times[key], frame, &part);
        const vrmi_get_up_pose *a = &g->poses[frame], *b = &g->poses[frame + 1];
        if (hips) {
            vrm_vec3 place = vrmi_vec3_lerp(a->place[bone], b->place[bone], part);
            place.x += rest.x - end.x;
            place.z += rest.z - end.z;
            memcpy(values + (size_t)key * 3, &place, sizeof place);
        } else {
            const vrm_quat q =
                vrmi_quat_slerp(vrmi_get_up_local(g->body, a, bone), vrmi_get_up_local(g->body, b, bone), part);
            memcpy(values + (size_t)key * 4, &q, sizeof q);
        }
    }
    (void)vrmi_clip_builder_finish(builder);
    return true;
}

static vrm_result make_clip(const get_up *g, const vrm_allocator *allocator, vrm_clip **out_clip)
{
    static const char name[] = "get up";
    vrmi_clip_builder builder;
    vrmi_clip_builder_init(&builder, allocator);
    builder.head.name_length = sizeof name - 1;
    builder.head.name = vrmi_clip_builder_name(&builder, name, sizeof name - 1);
    builder.head.hips_rest = g->body->rest[VRM_HUMAN_BONE_HIPS];
    bool fits = add_track(g, &builder, VRM_HUMAN_BONE_HIPS, true);
    for (int32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT && fits; ++bone) {
        const bool eye =
            bone == VRM_HUMAN_BONE_LEFT_EYE || bone == VRM_HUMAN_BONE_RIGHT_EYE || bone == VRM_HUMAN_BONE_JAW;
        if (g->body->parent[bone] > -2) {
            builder.head.skeleton |= UINT64_C(1) << bone;
            builder.head.rest[bone] = g->body->rest[bone];
            fits = eye || add_track(g, &builder, bone, false);
        }
    }
    const vrm_result result = fits ? vrmi_clip_pack(&builder, out_clip) : VRM_ERROR_OUT_OF_MEMORY;
    vrmi_clip_builder_free(&builder);
    return result;
}

vrm_result vrm_get_up_create_clip(const vrm_get_up_body *body, const vrm_instance *instance,
    const vrm_get_up_params *params, vrm_get_up_way *out_way, vrm_clip **out_clip)
{
    vrm_get_up_params own;
    vrm_get_up_params_default(&own);
    if (out_clip != NULL) {
        *out_clip = NULL;
    }
    if (out_clip == NULL || body == NULL || instance == NULL || vrm_instance_get_avatar(instance) != body->avatar ||
        !VRMI_READ_OPTIONS(vrm_get_up_params, &own, params) || !(own.pace >= 0.5f && own.pace <= 4.0f) ||
        !(own.ground - own.ground == 0.0)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    vrm_allocator allocator;
    vrmi_resolve_allocator(&own.allocator, &allocator);
    get_up *g = vrmi_allocate(&allocator, sizeof *g, 16);
    if (g == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    memset(g, 0, sizeof *g);
    g->body = body;
    measure_start(g, instance, own.ground);
    vrmi_get_up_make_plan(body, &g->start, &g->plan);
    const float whole = g->plan.keys[g->plan.count - 1].time;
    g->frames = (uint32_t)(whole / frame_time + 1.5f);
    g->frames = g->frames < MOST_FRAMES ? g->frames : MOST_FRAMES;
    find_difference(g);
    // A smooth lift of the trunk moves hands and feet, which may need another one. The first frames keep what they have:
    // there the lying pose may be in the ground.
    find_lifts(g, 0);
    smooth_lifts(g);
    smooth_sides(g);
    find_lifts(g, (uint32_t)(begun / frame_time));
    smooth_lifts(g);
    find_times(g, own.pace);
    const vrm_result result = make_clip(g, &allocator, out_clip);
    if (out_way != NULL && result == VRM_SUCCESS) {
        *out_way = g->start.way;
    }
    vrmi_release(&allocator, g, sizeof *g);
    return result;
}
