// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "motion_cover.h"

#include <string.h>

#include "base/text.h"
#include "math/vec3.h"

static const uint32_t counts[SCENE_FACTORS] = {SCENE_COVER_FIGURES, SCENE_COVER_BONES, SCENE_COVER_DIRECTIONS,
    SCENE_COVER_IMPULSES, SCENE_COVER_MOTIONS, SCENE_COVER_DRIVES, SCENE_COVER_ENGINES};
enum { MOST = 8 };

// The bone that is hit, and its fraction of the impulse. An impulse that throws a person over would tear off a hand.
static const struct {
    vrm_human_bone bone;
    float part;
} bones[SCENE_COVER_BONES] = {{VRM_HUMAN_BONE_CHEST, 1.0f}, {VRM_HUMAN_BONE_HEAD, 0.4f}, {VRM_HUMAN_BONE_HIPS, 1.0f},
    {VRM_HUMAN_BONE_LEFT_UPPER_ARM, 0.3f}, {VRM_HUMAN_BONE_RIGHT_HAND, 0.05f}, {VRM_HUMAN_BONE_LEFT_UPPER_LEG, 0.5f},
    {VRM_HUMAN_BONE_RIGHT_FOOT, 0.1f}, {VRM_HUMAN_BONE_SPINE, 1.0f}};
static const struct {
    const char *word;
    vrm_vec3 way;
} directions[SCENE_COVER_DIRECTIONS] = {
    {"the front", {0, 0, -1}}, {"behind", {0, 0, 1}}, {"the left", {-1, 0, 0}}, {"the right", {1, 0, 0}}};
// Impulses in N s per kilogram: a nudge, a push, a push that causes a step, a push that causes a fall.
static const float impulses[SCENE_COVER_IMPULSES] = {0.15f, 0.5f, 1.2f, 2.4f};
static const char *const motions[SCENE_COVER_MOTIONS] = {"idle", "walk-ahead", "none"};

uint32_t scene_cover_count(scene_factor factor)
{
    return (unsigned)factor < SCENE_FACTORS ? counts[factor] : 0;
}

typedef struct pairs {
    bool seen[SCENE_FACTORS][MOST][SCENE_FACTORS][MOST];
} pairs;

static uint32_t new_pairs(const pairs *p, const scene_cover_row *row)
{
    uint32_t found = 0;
    for (int a = 0; a < SCENE_FACTORS; ++a) {
        for (int b = a + 1; b < SCENE_FACTORS; ++b) {
            found += p->seen[a][row->values[a]][b][row->values[b]] ? 0 : 1;
        }
    }
    return found;
}

static void note(pairs *p, const scene_cover_row *row)
{
    for (int a = 0; a < SCENE_FACTORS; ++a) {
        for (int b = a + 1; b < SCENE_FACTORS; ++b) {
            p->seen[a][row->values[a]][b][row->values[b]] = true;
        }
    }
}

// Sets all values except figure and bone from one number.
static void set_rest(scene_cover_row *row, uint32_t number)
{
    for (int factor = SCENE_FACTOR_DIRECTION; factor < SCENE_FACTORS; ++factor) {
        row->values[factor] = number % counts[factor];
        number /= counts[factor];
    }
}

// A greedy choice: each row takes the values that give the largest number of new pairs.
void scene_cover_make(scene_cover_row out[SCENE_COVER_ROWS])
{
    static const uint32_t all =
        SCENE_COVER_DIRECTIONS * SCENE_COVER_IMPULSES * SCENE_COVER_MOTIONS * SCENE_COVER_DRIVES * SCENE_COVER_ENGINES;
    pairs seen;
    memset(&seen, 0, sizeof seen);
    for (uint32_t i = 0; i < SCENE_COVER_ROWS; ++i) {
        scene_cover_row row = {{i % SCENE_COVER_FIGURES, i / SCENE_COVER_FIGURES}};
        uint32_t best = 0, most = 0;
        for (uint32_t k = 0; k < all; ++k) {
            const uint32_t number =
                (k + 37 * i) % all; // begins elsewhere for each row, so that ties are not always won by the same values
            set_rest(&row, number);
            const uint32_t found = new_pairs(&seen, &row);
            if (found > most) {
                most = found;
                best = number;
            }
        }
        set_rest(&row, most > 0 ? best : 37 * i % all);
        note(&seen, &row);
        out[i] = row;
    }
}

float scene_cover_impulse(const scene_cover_row *row)
{
    return impulses[row->values[SCENE_FACTOR_IMPULSE]] * bones[row->values[SCENE_FACTOR_BONE]].part;
}

void scene_cover_act(const scene_cover_row *row, const vrm_avatar *avatar, const vrm_ragdoll_def *def, scene_act *out)
{
    const float mass = scene_def_mass(def);
    *out = (scene_act){.avatar = avatar,
        .def = def,
        .motion = motions[row->values[SCENE_FACTOR_MOTION]],
        .event = SCENE_EVENT_HIT,
        .when = 0.5,
        .duration = 2.5,
        .rate = 60.0,
        .bone = bones[row->values[SCENE_FACTOR_BONE]].bone,
        .impulse =
            vrmi_vec3_scale(directions[row->values[SCENE_FACTOR_DIRECTION]].way, scene_cover_impulse(row) * mass),
        .drive = row->values[SCENE_FACTOR_DRIVE] == 0 ? VRM_RAGDOLL_DRIVE_TORQUE : VRM_RAGDOLL_DRIVE_VELOCITY};
}

const char *scene_cover_describe(const scene_cover_row *row, scene_cover_words *buffer)
{
    const int hundredths = (int)(100.0f * scene_cover_impulse(row) + 0.5f);
    return vrmi_format(buffer->text, sizeof buffer->text, "figure %u, %s: %s from %s, %d.%d%d N s/kg, %s, %s",
        row->values[SCENE_FACTOR_FIGURE], motions[row->values[SCENE_FACTOR_MOTION]],
        vrm_human_bone_name(bones[row->values[SCENE_FACTOR_BONE]].bone),
        directions[row->values[SCENE_FACTOR_DIRECTION]].word, hundredths / 100, hundredths / 10 % 10, hundredths % 10,
        row->values[SCENE_FACTOR_DRIVE] == 0 ? "torque" : "velocity",
        row->values[SCENE_FACTOR_ENGINE] == 0 ? "light" : "other");
}
