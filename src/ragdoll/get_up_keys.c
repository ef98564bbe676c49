// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The key poses of getting up, described by their contacts with the ground. Heights and distances are fractions of the
// body's own limbs. A figure either sits up and puts a knee down in front of a foot beside its seat, or pushes itself up
// to hands and knees and kneels upright. Both ways continue on one knee and are asymmetric: the foot that is nearer to
// its next position moves first.

#include "ragdoll/get_up.h"

#define DEGREE (VRMI_PI / 180.0f)

// The same angle as in the built-in motions, so that feet do not rotate when such a motion follows.
static const float toes_out = 5.0f * DEGREE;

typedef struct planner {
    const vrm_get_up_body *body;
    vrmi_get_up_plan *plan;
    int first;                      // 0: the left foot steps first, 1: the right foot
    float shoulder[2], ankle_at[2]; // sideways distances at rest
    float toes;                     // pitch of the foot of a kneeling leg, radians
} planner;

static vrmi_get_up_key *add_key(planner *p, float time)
{
    vrmi_get_up_key *key = &p->plan->keys[p->plan->count];
    *key = key[-1];
    key->time = time;
    key->balances = false;
    key->foot_free[0] = key->foot_free[1] = 0.0f;
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

static float toes_of(int side)
{
    return side == 0 ? toes_out : -toes_out;
}

// Puts a knee onto the ground, and the foot behind it. `yaw` is the direction from the foot to the knee.
static void kneel_on(planner *p, vrmi_get_up_key *key, int side, vrm_vec3 knee, float yaw, float pitch)
{
    const vrm_quat turn = vrmi_quat_from_axis_angle(vrmi_vec3(1.0f, 0.0f, 0.0f), pitch);
    const float up = vrmi_get_up_sole(p->body, side, turn) - p->plan->knee, shank = p->body->shank;
    const float back = vrmi_sqrt(vrmi_max(shank * shank - up * up, 0.0f));
    float sine, cosine;
    vrmi_sincos(yaw, &sine, &cosine);
    put(key->knee[side], knee.x, 0.0f, knee.z);
    key->knee_aims[side] = key->kneels[side] = 1.0f;
    put(key->foot[side], knee.x - sine * back, 0.0f, knee.z - cosine * back);
    key->foot_pitch[side] = pitch;
    key->foot_yaw[side] = yaw;
}

static void stand_on(planner *p, vrmi_get_up_key *key, int side, float z)
{
    put(key->foot[side], p->ankle_at[side], 0.0f, z);
    key->foot_pitch[side] = 0.0f;
    key->foot_yaw[side] = toes_of(side);
    key->knee_aims[side] = key->kneels[side] = 0.0f;
}

// Adds the keys from one knee to standing. `time` is the time of the half-kneel, `ahead` the distance of the front foot
// from the knee.
static void rise(planner *p, float time, float z, float ahead)
{
    const vrm_get_up_body *b = p->body;
    const int a = p->first, c = 1 - a;
    vrmi_get_up_key *key = add_key(p, time + 0.40f); // the weight moves over the front foot
    key->x = 0.85f * p->ankle_at[a];
    key->y = b->ankle + 0.72f * b->leg;
    key->z = z + 0.58f * ahead;
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
    float yaw_sine, yaw_cosine;
    vrmi_sincos(key->foot_yaw[c], &yaw_sine, &yaw_cosine);
    key->foot[c][0] += yaw_sine * b->foot * (from - to);
    key->foot[c][2] += yaw_cosine * b->foot * (from - to);
    key->knee_aims[c] = key->kneels[c] = 0.0f;
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

// A figure on one knee.
typedef struct half {
    float time;
    vrm_vec3 knee;   // on the ground; its height is ignored
    float yaw;       // direction from the foot behind it to the knee
    float ahead;     // z of the front foot from the knee
    float x, pelvis; // x of the pelvis, and its z from the knee
    float aim;       // z of the mass centre from the knee
    float pitch;     // largest pitch of the pelvis, degrees
} half;

static void half_kneel(planner *p, const half *h)
{
    const vrm_get_up_body *b = p->body;
    const int a = p->first, c = 1 - a;
    vrmi_get_up_key *key = add_key(p, h->time);
    key->x = h->x;
    key->y = b->thigh + p->plan->knee;
    key->z = h->knee.z + h->pelvis;
    lean_to(key, h->knee.z + h->aim, h->pitch, 12.0f);
    key->roll = 0.0f;
    stand_on(p, key, a, h->knee.z + h->ahead);
    key->step[a] = 0.06f;
    kneel_on(p, key, c, h->knee, h->yaw, p->toes);
    key->knee_out[0] = key->knee_out[1] = 0.0f;
    key->hand_free[0] = key->hand_free[1] = 1.0f;
    rise(p, h->time, h->knee.z, h->ahead);
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
        key->foot_free[side] = 1.0f;
    }
    key = add_key(p, later + 0.75f);
    key->y = 0.07f * b->height + 0.22f * b->leg;
    key->z = z0 + 0.35f * (knees - z0);
    key->pitch = pitch_for(p, key->y, 0.62f * b->arm);
    key->bend = -6.0f * DEGREE;
    const float up = key->y - p->plan->knee, back = vrmi_sqrt(vrmi_max(b->thigh * b->thigh - up * up, 0.0f));
    for (int side = 0; side < 2; ++side) {
        kneel_on(p, key, side, vrmi_vec3(p->ankle_at[side], 0.0f, key->z - back), toes_of(side),
            vrmi_max(130.0f * DEGREE, p->toes));
        key->foot_free[side] = 1.0f;
    }
    key = add_key(p, later + 1.10f);
    key->y = four;
    key->z = knees;
    key->pitch = on_four;
    for (int side = 0; side < 2; ++side) {
        kneel_on(p, key, side, vrmi_vec3(p->ankle_at[side], 0.0f, knees), toes_of(side), p->toes);
    }
    const float ahead = 0.92f * b->thigh;
    key = add_key(p, later + 1.40f); // the weight moves back onto the shanks
    key->z = knees - 0.40f * b->thigh;
    key->y = four - 0.08f * b->thigh;
    key->pitch = pitch_for(p, key->y, 0.84f * b->arm);
    key->bend = 12.0f * DEGREE;
    key = add_key(p, later + 1.70f); // the hands push the trunk up
    key->x = 0.2f * p->ankle_at[c];
    key->z = knees - 0.25f * b->thigh;
    key->y = four;
    lean_to(key, knees, 40.0f, 16.0f);
    key->hand_free[0] = key->hand_free[1] = 1.0f;
    const half h = {.time = later + 2.04f,
        .knee = vrmi_vec3(p->ankle_at[c], 0.0f, knees),
        .yaw = toes_of(c),
        .ahead = ahead,
        .x = 0.8f * p->ankle_at[c],
        .pelvis = -0.15f * b->thigh,
        .aim = 0.0f,
        .pitch = 26.0f};
    half_kneel(p, &h);
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

// How a figure that sits gets a knee below itself: hands and feet lift the pelvis, and the foot of one leg goes beside
// the seat. Then the knee of that leg comes down in front of its foot.
typedef struct fold {
    float sit_pitch, pitch; // of the pelvis, seated and lifted
    float y, z;             // of the lifted pelvis; z from the seat
    vrm_vec3 ankle, knee;   // relative to the seat
    float yaw;              // direction from the ankle to the knee
    float foot;             // z of the foot that stays in front, from the seat
} fold;

static fold find_fold(const planner *p)
{
    const vrm_get_up_body *b = p->body;
    const int c = 1 - p->first;
    const float out = c == 0 ? 1.0f : -1.0f, shoulders = 0.92f * b->arm;
    fold f = {0};
    f.sit_pitch =
        -vrmi_max(18.0f * DEGREE, vrmi_acos(vrmi_clamp((shoulders - 0.06f * b->height) / b->trunk, -1.0f, 1.0f)));
    float sit_sine, sine, cosine;
    vrmi_sincos(-f.sit_pitch, &sit_sine, &cosine);
    const float wanted = 0.30f * b->leg + p->plan->knee;
    f.pitch =
        -vrmi_clamp(vrmi_acos(vrmi_clamp((shoulders - wanted) / b->trunk, -1.0f, 1.0f)), -f.sit_pitch, 58.0f * DEGREE);
    vrmi_sincos(-f.pitch, &sine, &cosine);
    f.y = vrmi_min(vrmi_max(shoulders - b->trunk * cosine, 0.15f * b->leg), wanted);
    f.z = 0.7f * b->trunk * (sine - sit_sine); // the shoulders stay nearly above the hands
    f.yaw = -out * 18.0f * DEGREE;
    vrmi_sincos(f.yaw, &sine, &cosine);
    f.ankle = vrmi_vec3(p->ankle_at[c] + out * 0.32f * b->leg, 0.0f, f.z);
    f.knee = vrmi_vec3(f.ankle.x + sine * b->shank, 0.0f, f.ankle.z + cosine * b->shank);
    f.foot = vrmi_min(f.knee.z + 0.75f * b->thigh, 0.87f * b->leg);
    return f;
}

static void fold_and_rise(planner *p, const fold *f, float time)
{
    const vrm_get_up_body *b = p->body;
    const int a = p->first, c = 1 - a;
    const float seat = p->plan->keys[p->plan->count - 1].z, out = c == 0 ? 1.0f : -1.0f;
    const float ahead = f->foot - f->knee.z;
    const vrm_vec3 knee = {f->knee.x, 0.0f, seat + f->knee.z};
    vrmi_get_up_key *key = add_key(p, time + 0.45f); // hands and feet lift the pelvis, a foot goes beside it
    key->x = 0.0f;
    key->y = f->y;
    key->z = seat + f->z;
    key->pitch = f->pitch;
    key->bend = 14.0f * DEGREE;
    key->roll = -out * 11.0f * DEGREE;
    kneel_on(p, key, c, knee, f->yaw, p->toes);
    key->knee[c][1] = 0.5f * b->thigh;
    key->kneels[c] = 0.0f;
    key->knee_out[0] = key->knee_out[1] = 0.0f;
    key->step[c] = 0.03f;
    key->foot_free[0] = key->foot_free[1] = 1.0f;
    key = add_key(p, time + 0.66f); // the knee comes down
    key->roll = -out * 10.0f * DEGREE;
    kneel_on(p, key, c, knee, f->yaw, p->toes);
    key->x = 0.85f * (knee.x - p->ankle_at[c]);
    const float up = 0.62f * b->thigh, x = knee.x - p->ankle_at[c] - key->x;
    key->y = up + p->plan->knee;
    key->z = knee.z - vrmi_sqrt(vrmi_max(b->thigh * b->thigh - up * up - x * x, 0.0f));
    key->pitch = -10.0f * DEGREE;
    key->bend = 18.0f * DEGREE;
    key->hand_free[0] = key->hand_free[1] = 1.0f;
    key->foot_free[c] = 1.0f;
    key = add_key(p, time + 0.93f); // the weight moves onto the knee
    key->x = 0.8f * (knee.x - p->ankle_at[c]);
    key->z = knee.z - 0.30f * b->thigh;
    key->y = 0.9f * b->thigh + p->plan->knee;
    lean_to(key, knee.z - 0.1f * b->thigh, 30.0f, 26.0f);
    key->roll = -out * 3.0f * DEGREE;
    const half h = {.time = time + 1.36f,
        .knee = knee,
        .yaw = f->yaw,
        .ahead = ahead,
        .x = 0.6f * (knee.x - p->ankle_at[c]),
        .pelvis = 0.10f * b->thigh,
        .aim = 0.6f * ahead,
        .pitch = 30.0f};
    half_kneel(p, &h);
}

static void sit_and_rise(planner *p, const fold *f, float time)
{
    const vrm_get_up_body *b = p->body;
    const float z0 = p->plan->keys[0].z;
    vrmi_get_up_key *key = add_key(p, time);
    key->pitch = f->sit_pitch;
    key->y = seat_height(p, f->sit_pitch, 0.0f);
    key->bend = 10.0f * DEGREE;
    for (int side = 0; side < 2; ++side) {
        stand_on(p, key, side, z0 + f->foot);
        key->knee_out[side] = 0.08f;
    }
    float sine, cosine;
    vrmi_sincos(-f->sit_pitch, &sine, &cosine);
    hands_to(p, key, 0.36f * b->arm, z0 - b->trunk * sine - 0.12f * b->arm);
    fold_and_rise(p, f, time);
}

static void from_back(planner *p, const fold *f)
{
    const vrm_get_up_body *b = p->body;
    const float z0 = p->plan->keys[0].z;
    vrmi_get_up_key *key = add_key(p, 0.40f); // the knees rise and the elbows push
    key->x = 0.0f;
    key->y = 0.07f * b->height;
    key->pitch = -68.0f * DEGREE;
    key->bend = 22.0f * DEGREE;
    for (int side = 0; side < 2; ++side) {
        stand_on(p, key, side, z0 + f->foot);
        key->knee_out[side] = 0.08f;
    }
    hands_to(p, key, 0.25f * b->arm, z0 - 0.45f * b->trunk);
    sit_and_rise(p, f, 0.80f);
}

// Whether a figure sits up first, and does not push itself up to hands and knees.
static bool sits_up(vrm_get_up_way way)
{
    return way == VRM_GET_UP_FROM_BACK || way == VRM_GET_UP_FROM_SITTING;
}

// Writes the lying pose as the first key.
static void measure_start(const vrm_get_up_body *body, const vrmi_get_up_start *start, vrmi_get_up_plan *plan)
{
    static const int32_t hands[2] = {VRM_HUMAN_BONE_LEFT_HAND, VRM_HUMAN_BONE_RIGHT_HAND};
    static const int32_t feet[2] = {VRM_HUMAN_BONE_LEFT_FOOT, VRM_HUMAN_BONE_RIGHT_FOOT};
    const vrmi_get_up_pose *pose = &start->pose;
    const bool sits = sits_up(start->way);
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
        // A foot that lies on its edge points anywhere. If the soles come to the ground next, only its tilt counts.
        const float ahead = sits ? vrmi_sqrt(toes.x * toes.x + toes.z * toes.z) : toes.z;
        key->foot_pitch[side] = vrmi_atan2(-toes.y, ahead);
        // A foot is in the air if it is higher above the ground than its skin extends below it.
        const vrm_quat turn = vrmi_quat_from_axis_angle(vrmi_vec3(1.0f, 0.0f, 0.0f), key->foot_pitch[side]);
        const float foot = vrmi_get_up_sole(body, side, turn), hand = 0.02f * body->height;
        key->foot_yaw[side] = toes_of(side);
        put(key->foot[side], ankle.x, vrmi_max(ankle.y - foot, 0.0f), ankle.z);
        put(key->hand[side], wrist.x, vrmi_max(wrist.y - hand, 0.0f), wrist.z);
    }
    plan->count = 1;
}

// Finds the height of a knee on the ground while the toes of its foot are on the ground, too, and the foot's pitch. The
// shank slopes down to the knee: a thick boot at its other end must not lift the knee. The foot stands on its toes, or
// lies flatter if a steep shank would bend the ankle too far.
static void find_kneeling(planner *p)
{
    const vrm_get_up_body *b = p->body;
    const vrm_vec3 x = {1.0f, 0.0f, 0.0f};
    const float most = 18.0f * DEGREE, step = 5.0f * DEGREE, flat = 140.0f * DEGREE;
    const float thigh = vrmi_get_up_depth(b, VRM_HUMAN_BONE_LEFT_UPPER_LEG, vrmi_quat_identity()) - b->thigh;
    float slope = 0.0f, knee = 0.04f * b->height;
    p->toes = 0.5f * VRMI_PI - step;
    do {
        p->toes += step;
        const float sole = vrmi_get_up_sole(b, 0, vrmi_quat_from_axis_angle(x, p->toes));
        for (int i = 0; i < 3; ++i) {
            slope = vrmi_asin(vrmi_clamp((sole - knee) / b->shank, -1.0f, 1.0f));
            const vrm_quat turn = vrmi_quat_from_axis_angle(x, 0.5f * VRMI_PI + slope);
            const float shank = vrmi_get_up_depth(b, VRM_HUMAN_BONE_LEFT_LOWER_LEG, turn);
            knee = vrmi_clamp(vrmi_max(shank, thigh), 0.02f * b->height, 0.08f * b->height);
        }
    } while (0.5f * VRMI_PI + slope - p->toes > most && p->toes < flat);
    p->plan->knee = knee;
}

void vrmi_get_up_make_plan(const vrm_get_up_body *body, const vrmi_get_up_start *start, vrmi_get_up_plan *out)
{
    planner p = {.body = body, .plan = out};
    measure_start(body, start, out);
    vrmi_get_up_key *lying = &out->keys[0];
    lying->foot_free[0] = lying->foot_free[1] = sits_up(start->way) ? 0.0f : 1.0f;
    // The foot that is farther ahead steps first; if both are equal, the right foot.
    p.first = lying->foot[0][2] > lying->foot[1][2] + 1e-3f * body->leg ? 0 : 1;
    find_kneeling(&p);
    p.shoulder[0] = body->rest[VRM_HUMAN_BONE_LEFT_UPPER_ARM].x;
    p.shoulder[1] = body->rest[VRM_HUMAN_BONE_RIGHT_UPPER_ARM].x;
    p.ankle_at[0] = body->rest[VRM_HUMAN_BONE_LEFT_FOOT].x;
    p.ankle_at[1] = body->rest[VRM_HUMAN_BONE_RIGHT_FOOT].x;
    if (start->way == VRM_GET_UP_FROM_KNEELING) {
        const float knee =
            start->pose.place[p.first == 0 ? VRM_HUMAN_BONE_RIGHT_LOWER_LEG : VRM_HUMAN_BONE_LEFT_LOWER_LEG].z;
        const half h = {.time = 0.55f,
            .knee = vrmi_vec3(p.ankle_at[1 - p.first], 0.0f, knee),
            .yaw = toes_of(1 - p.first),
            .ahead = 0.8f * body->thigh,
            .pelvis = 0.10f * body->thigh,
            .aim = 0.48f * body->thigh,
            .pitch = 20.0f};
        half_kneel(&p, &h);
    } else if (sits_up(start->way)) {
        const fold f = find_fold(&p);
        start->way == VRM_GET_UP_FROM_BACK ? from_back(&p, &f) : sit_and_rise(&p, &f, 0.35f);
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
