// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The key poses of getting up, described by their contacts with the ground. Heights and distances are fractions of the
// body's own limbs. A figure either sits up and folds a leg under itself, or pushes itself up to hands and knees. Both
// ways continue on one knee and are asymmetric: the foot that is nearer to its next position moves first.

#include "ragdoll/get_up.h"

#define DEGREE (VRMI_PI / 180.0f)

typedef struct planner {
    const vrm_get_up_body *body;
    vrmi_get_up_plan *plan;
    int first;                      // 0: the left foot steps first, 1: the right foot
    float shoulder[2], ankle_at[2]; // sideways distances at rest
} planner;

static vrmi_get_up_key *add_key(planner *p, float time)
{
    vrmi_get_up_key *key = &p->plan->keys[p->plan->count];
    *key = key[-1];
    key->time = time;
    key->balances = false;
    ++p->plan->count;
    return key;
}

// Lets the trunk lean by at most `pitch` and `bend`, degrees, to bring the mass centre over `aim`.
static void lean_to(vrmi_get_up_key *key, float aim, float pitch, float bend)
{
    key->balances = true;
    key->aim = aim;
    key->pitch = pitch * DEGREE;
    key->bend = bend * DEGREE;
}

static void put(float out[3], float x, float y, float z)
{
    out[0] = x;
    out[1] = y;
    out[2] = z;
}

// Returns the pelvis' pitch at which the shoulders have the height `shoulders`.
static float pitch_for(const planner *p, float hips, float shoulders)
{
    return 0.5f * VRMI_PI - vrmi_asin(vrmi_clamp((shoulders - hips) / p->body->trunk, -1.0f, 1.0f));
}

static void hands_to(planner *p, vrmi_get_up_key *key, float aside, float z)
{
    for (int side = 0; side < 2; ++side) {
        const float out = side == 0 ? aside : -aside;
        put(key->hand[side], p->shoulder[side] + out, 0.0f, z);
        key->hand_free[side] = 0.0f;
    }
}

// Puts a knee onto the ground, and the foot behind it.
static void kneel_on(planner *p, vrmi_get_up_key *key, int side, float x, float z, float pitch)
{
    const vrm_quat turn = vrmi_quat_from_axis_angle(vrmi_vec3(1.0f, 0.0f, 0.0f), pitch * DEGREE);
    const float up = vrmi_get_up_sole(p->body, side, turn) - p->plan->knee, shank = p->body->shank;
    key->knee[side][0] = x;
    key->knee[side][1] = z;
    key->kneels[side] = 1.0f;
    put(key->foot[side], x, 0.0f, z - vrmi_sqrt(vrmi_max(shank * shank - up * up, 0.0f)));
    key->foot_pitch[side] = pitch * DEGREE;
}

static void stand_on(planner *p, vrmi_get_up_key *key, int side, float z)
{
    put(key->foot[side], p->ankle_at[side], 0.0f, z);
    key->foot_pitch[side] = 0.0f;
    key->kneels[side] = 0.0f;
}

// Adds the keys from one knee to standing. `time` is the time of the half-kneel, `ahead` the distance of the front foot
// from the knee.
static void rise(planner *p, float time, float z, float ahead)
{
    const vrm_get_up_body *b = p->body;
    const int a = p->first, c = 1 - a;
    vrmi_get_up_key *key = add_key(p, time + 0.40f); // the weight moves over the front foot
    key->x = 0.85f * p->ankle_at[a];
    key->y = b->ankle + 0.60f * b->leg;
    key->z = z + 0.74f * ahead;
    key->roll = 0.0f;
    lean_to(key, z + ahead + 0.3f * b->foot, 46.0f, 14.0f);
    p->plan->lunge = p->plan->count - 1;
    p->plan->front = a;
    // The foot rolls over its toes, which stay where they are.
    const float before = key->foot_pitch[c];
    float sine, from, to;
    key->foot_pitch[c] = 75.0f * DEGREE;
    vrmi_sincos(before, &sine, &from);
    vrmi_sincos(key->foot_pitch[c], &sine, &to);
    key->foot[c][2] += b->foot * (from - to);
    key->kneels[c] = 0.0f;
    key->hand_free[0] = key->hand_free[1] = 1.0f;
    key = add_key(p, time + 0.75f);
    key->x = 0.85f * p->ankle_at[a];
    key->y = b->ankle + 0.88f * b->leg;
    key->z = z + 0.95f * ahead;
    key->pitch = 16.0f * DEGREE;
    key->bend = 6.0f * DEGREE;
    stand_on(p, key, c, z + ahead);
    key->step[c] = 0.05f;
    key->knee_out[0] = key->knee_out[1] = 0.0f;
    key = add_key(p, time + 1.05f);
    key->x = 0.0f;
    key->y = b->pelvis.y;
    key->z = z + ahead + b->pelvis.z - b->rest[VRM_HUMAN_BONE_LEFT_FOOT].z;
    key->pitch = key->bend = 0.0f;
    for (int side = 0; side < 2; ++side) { // the soles end at their rest positions
        static const int32_t feet[2] = {VRM_HUMAN_BONE_LEFT_FOOT, VRM_HUMAN_BONE_RIGHT_FOOT};
        key->foot[side][1] = b->rest[feet[side]].y - vrmi_get_up_sole(b, side, vrmi_quat_identity());
    }
}

// `knee` is on the ground; its height is ignored.
static void half_kneel(planner *p, float time, vrm_vec3 knee, float ahead, float pitch)
{
    const vrm_get_up_body *b = p->body;
    const int a = p->first, c = 1 - a;
    vrmi_get_up_key *key = add_key(p, time);
    key->x = 0.6f * (knee.x - p->ankle_at[c]);
    key->y = b->thigh + p->plan->knee;
    key->z = knee.z + 0.10f * b->thigh;
    lean_to(key, knee.z + 0.6f * ahead, pitch, 12.0f);
    key->roll = 0.0f;
    stand_on(p, key, a, knee.z + ahead);
    kneel_on(p, key, c, knee.x, knee.z, 90.0f);
    key->knee_out[a] = 0.0f;
    key->knee_out[c] = 0.0f;
    key->hand_free[0] = key->hand_free[1] = 1.0f;
    rise(p, time, knee.z, ahead);
}

static void from_front(planner *p, float later)
{
    const vrm_get_up_body *b = p->body;
    const int a = p->first, c = 1 - a;
    const float z0 = p->plan->keys[0].z, four = b->thigh + p->plan->knee;
    const float hands = z0 + b->trunk - 0.10f * b->arm; // the hands are beside the chest
    const float on_four = pitch_for(p, four, 0.86f * b->arm);
    float sine, cosine;
    vrmi_sincos(on_four, &sine, &cosine);
    const float knees = hands - b->trunk * sine;
    vrmi_get_up_key *key = add_key(p, later + 0.35f);
    key->x = 0.0f;
    key->y = 0.07f * b->height;
    key->pitch = 88.0f * DEGREE;
    key->bend = 0.0f;
    hands_to(p, key, 0.15f * b->arm, hands);
    for (int side = 0; side < 2; ++side) {
        put(key->foot[side], p->ankle_at[side], 0.0f, z0 - 0.97f * b->leg);
        key->foot_pitch[side] = 130.0f * DEGREE;
    }
    key = add_key(p, later + 0.75f);
    key->y = 0.07f * b->height + 0.22f * b->leg;
    key->z = z0 + 0.35f * (knees - z0);
    key->pitch = pitch_for(p, key->y, 0.62f * b->arm);
    key->bend = -6.0f * DEGREE;
    const float up = key->y - p->plan->knee, back = vrmi_sqrt(vrmi_max(b->thigh * b->thigh - up * up, 0.0f));
    for (int side = 0; side < 2; ++side) {
        kneel_on(p, key, side, p->ankle_at[side], key->z - back, 130.0f);
    }
    key = add_key(p, later + 1.10f);
    key->y = four;
    key->z = knees;
    key->pitch = on_four;
    for (int side = 0; side < 2; ++side) {
        kneel_on(p, key, side, p->ankle_at[side], knees, 90.0f);
    }
    const float ahead = 0.85f * b->thigh;
    key = add_key(p, later + 1.60f); // a foot steps between the hands, which carry the trunk
    key->x = 0.5f * p->ankle_at[c];
    key->z = knees + 0.08f * b->thigh;
    key->pitch = on_four - 8.0f * DEGREE;
    key->bend = 8.0f * DEGREE;
    kneel_on(p, key, c, p->ankle_at[c], knees, 90.0f);
    stand_on(p, key, a, knees + ahead);
    key->step[a] = 0.05f;
    half_kneel(p, later + 2.0f, vrmi_vec3(p->ankle_at[c], 0.0f, knees), ahead, 34.0f);
}

// Returns the height of the pelvis of a figure that sits on the ground.
static float seat_height(const planner *p, float pitch, float roll)
{
    const vrm_get_up_body *b = p->body;
    const vrm_vec3 x = {1.0f, 0.0f, 0.0f}, z = {0.0f, 0.0f, 1.0f};
    const vrm_quat turn = vrmi_quat_mul(vrmi_quat_from_axis_angle(z, -roll), vrmi_quat_from_axis_angle(x, pitch));
    const vrm_vec3 up = vrmi_quat_rotate(turn, vrmi_vec3_sub(b->rest[VRM_HUMAN_BONE_HIPS], b->pelvis));
    const float hips = vrmi_get_up_depth(b, VRM_HUMAN_BONE_HIPS, turn) - up.y;
    const vrm_quat level = vrmi_quat_from_axis_angle(x, -0.5f * VRMI_PI);
    const float thigh = vrmi_get_up_depth(b, VRM_HUMAN_BONE_LEFT_UPPER_LEG, level);
    return vrmi_clamp(vrmi_max(hips, thigh), 0.03f * b->height, 0.12f * b->height);
}

static void fold_and_rise(planner *p, float time)
{
    const vrm_get_up_body *b = p->body;
    const int a = p->first, c = 1 - a;
    const float seat = p->plan->keys[p->plan->count - 1].z, out = c == 0 ? 1.0f : -1.0f;
    const float aside = 0.10f * b->leg; // the pelvis slides to the side of the leg that folds, and leans to the other
    const float ahead = 0.72f * b->thigh, roll = -out * 12.0f * DEGREE;
    vrmi_get_up_key *key = add_key(p, time + 0.30f); // a foot goes aside, with its knee up
    key->x = out * 0.5f * aside;
    key->bend = 14.0f * DEGREE;
    key->roll = 0.5f * roll;
    key->y = seat_height(p, key->pitch, key->roll);
    put(key->foot[c], p->ankle_at[c] + out * 0.38f * b->leg, 0.0f, seat + 0.22f * b->leg);
    key->foot_pitch[c] = 30.0f * DEGREE;
    key = add_key(p, time + 0.65f); // the knee goes down to the ground, and the leg is folded beside the seat
    key->x = out * aside;
    key->bend = 18.0f * DEGREE;
    key->roll = roll;
    key->y = seat_height(p, key->pitch, roll);
    float sine, cosine;
    vrmi_sincos(roll, &sine, &cosine);
    const float up = key->y - p->plan->knee - sine * p->ankle_at[c];
    const float reach = vrmi_sqrt(vrmi_max(b->thigh * b->thigh - up * up, 0.0f));
    const vrm_vec3 knee = {key->x + p->ankle_at[c] + out * 0.52f * reach, 0.0f, seat + 0.85f * reach};
    kneel_on(p, key, c, knee.x, knee.z, 90.0f);
    key->knee_out[c] = 0.0f;
    stand_on(p, key, a, knee.z + ahead);
    key = add_key(p, time + 1.05f); // the weight moves onto the knee
    key->x = out * (aside + 0.2f * b->thigh);
    key->y = 0.60f * b->thigh + p->plan->knee;
    key->z = seat + 0.35f * b->thigh;
    lean_to(key, knee.z + 0.15f * ahead, 34.0f, 26.0f);
    key->roll = -out * 5.0f * DEGREE;
    key->hand_free[a] = 1.0f;
    kneel_on(p, key, c, knee.x, knee.z, 90.0f);
    key->knee_out[c] = 0.0f;
    half_kneel(p, time + 1.45f, knee, ahead, 30.0f);
}

static void sit_and_rise(planner *p, float time)
{
    const vrm_get_up_body *b = p->body;
    const float z0 = p->plan->keys[0].z;
    vrmi_get_up_key *key = add_key(p, time);
    const float lean =
        vrmi_max(18.0f * DEGREE, vrmi_acos(vrmi_clamp((0.88f * b->arm - 0.06f * b->height) / b->trunk, -1.0f, 1.0f)));
    key->pitch = -lean;
    key->y = seat_height(p, -lean, 0.0f);
    key->bend = 10.0f * DEGREE;
    for (int side = 0; side < 2; ++side) {
        stand_on(p, key, side, z0 + 0.64f * b->leg);
        key->knee_out[side] = 0.15f;
    }
    float sine, cosine;
    vrmi_sincos(lean, &sine, &cosine);
    hands_to(p, key, 0.36f * b->arm, z0 - b->trunk * sine - 0.12f * b->arm);
    fold_and_rise(p, time);
}

static void from_back(planner *p)
{
    const vrm_get_up_body *b = p->body;
    const float z0 = p->plan->keys[0].z;
    vrmi_get_up_key *key = add_key(p, 0.40f); // the knees rise and the elbows push
    key->x = 0.0f;
    key->y = 0.07f * b->height;
    key->pitch = -68.0f * DEGREE;
    key->bend = 22.0f * DEGREE;
    for (int side = 0; side < 2; ++side) {
        stand_on(p, key, side, z0 + 0.64f * b->leg);
        key->knee_out[side] = 0.15f;
    }
    hands_to(p, key, 0.25f * b->arm, z0 - 0.45f * b->trunk);
    sit_and_rise(p, 0.80f);
}

// Writes the lying pose as the first key.
static void measure_start(const vrm_get_up_body *body, const vrmi_get_up_start *start, vrmi_get_up_plan *plan)
{
    static const int32_t hands[2] = {VRM_HUMAN_BONE_LEFT_HAND, VRM_HUMAN_BONE_RIGHT_HAND};
    static const int32_t feet[2] = {VRM_HUMAN_BONE_LEFT_FOOT, VRM_HUMAN_BONE_RIGHT_FOOT};
    const vrmi_get_up_pose *pose = &start->pose;
    vrmi_get_up_key *key = &plan->keys[0];
    *key = (vrmi_get_up_key){.time = 0.0f, .step = {0.12f, 0.12f}};
    const vrm_vec3 pelvis =
        vrmi_vec3_lerp(pose->place[VRM_HUMAN_BONE_LEFT_UPPER_LEG], pose->place[VRM_HUMAN_BONE_RIGHT_UPPER_LEG], 0.5f);
    const vrm_quat hips = pose->turn[VRM_HUMAN_BONE_HIPS];
    const vrm_vec3 up = vrmi_quat_rotate(hips, vrmi_vec3(0.0f, 1.0f, 0.0f));
    key->x = pelvis.x;
    key->y = pelvis.y;
    key->z = pelvis.z;
    key->pitch = vrmi_atan2(up.z, up.y);
    const vrm_quat pitched = vrmi_quat_from_axis_angle(vrmi_vec3(1.0f, 0.0f, 0.0f), key->pitch);
    plan->lean = vrmi_quat_mul(vrmi_quat_conjugate(pitched), hips);
    for (int side = 0; side < 2; ++side) {
        const vrm_vec3 wrist = pose->place[hands[side]], ankle = pose->place[feet[side]];
        const vrm_vec3 toes = vrmi_quat_rotate(pose->turn[feet[side]], vrmi_vec3(0.0f, 0.0f, 1.0f));
        key->foot_pitch[side] = vrmi_atan2(-toes.y, toes.z);
        // A foot is in the air if it is higher above the ground than its skin extends below it.
        const vrm_quat turn = vrmi_quat_from_axis_angle(vrmi_vec3(1.0f, 0.0f, 0.0f), key->foot_pitch[side]);
        const float foot = vrmi_get_up_sole(body, side, turn), hand = 0.02f * body->height;
        put(key->foot[side], ankle.x, vrmi_max(ankle.y - foot, 0.0f), ankle.z);
        put(key->hand[side], wrist.x, vrmi_max(wrist.y - hand, 0.0f), wrist.z);
    }
    plan->count = 1;
}

void vrmi_get_up_make_plan(const vrm_get_up_body *body, const vrmi_get_up_start *start, vrmi_get_up_plan *out)
{
    planner p = {.body = body, .plan = out};
    measure_start(body, start, out);
    const vrmi_get_up_key *lying = &out->keys[0];
    const bool back = start->way == VRM_GET_UP_FROM_BACK || start->way == VRM_GET_UP_FROM_SITTING;
    // The foot that is farther ahead steps first; if both are equal, the right foot.
    p.first = lying->foot[0][2] > lying->foot[1][2] + 1e-3f * body->leg ? 0 : 1;
    const vrm_quat kneels = vrmi_quat_from_axis_angle(vrmi_vec3(1.0f, 0.0f, 0.0f), 0.5f * VRMI_PI);
    const float shank = vrmi_get_up_depth(body, VRM_HUMAN_BONE_LEFT_LOWER_LEG, kneels);
    const float thigh = vrmi_get_up_depth(body, VRM_HUMAN_BONE_LEFT_UPPER_LEG, vrmi_quat_identity()) - body->thigh;
    out->knee = vrmi_clamp(vrmi_max(shank, thigh), 0.02f * body->height, 0.08f * body->height);
    p.shoulder[0] = body->rest[VRM_HUMAN_BONE_LEFT_UPPER_ARM].x;
    p.shoulder[1] = body->rest[VRM_HUMAN_BONE_RIGHT_UPPER_ARM].x;
    p.ankle_at[0] = body->rest[VRM_HUMAN_BONE_LEFT_FOOT].x;
    p.ankle_at[1] = body->rest[VRM_HUMAN_BONE_RIGHT_FOOT].x;
    if (start->way == VRM_GET_UP_FROM_KNEELING) {
        const float knee =
            start->pose.place[p.first == 0 ? VRM_HUMAN_BONE_RIGHT_LOWER_LEG : VRM_HUMAN_BONE_LEFT_LOWER_LEG].z;
        half_kneel(&p, 0.55f, vrmi_vec3(p.ankle_at[1 - p.first], 0.0f, knee), 0.8f * body->thigh, 20.0f);
    } else if (start->way == VRM_GET_UP_FROM_SITTING) {
        sit_and_rise(&p, 0.35f);
    } else if (back) {
        from_back(&p);
    } else {
        from_front(&p, start->way == VRM_GET_UP_FROM_FRONT ? 0.0f : 0.3f);
    }
    for (int side = 0; side < 2; ++side) { // use the shorter rotation
        const float way = out->keys[1].foot_pitch[side] - out->keys[0].foot_pitch[side];
        out->keys[0].foot_pitch[side] += way > VRMI_PI ? 2.0f * VRMI_PI : way < -VRMI_PI ? -2.0f * VRMI_PI : 0.0f;
    }
    vrmi_get_up_find_hinges(body, &start->pose, out);
    vrmi_get_up_balance(body, out);
}
