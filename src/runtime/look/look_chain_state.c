// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Initialises a look chain, advances the transition of its weight and its micro-saccades, and saves it.

#include "base/abi.h"
#include "base/checks.h"
#include "math/cursor.h"
#include "math/random.h"
#include "runtime/core/instance.h"
#include "runtime/look/look.h"

#define DEGREE (VRMI_PI / 180.0f)

void(vrm_look_chain_def_default)(vrm_look_chain_def *def, size_t size)
{
    const vrm_look_chain_def own = {
        .struct_size = sizeof own,
        .mode = VRM_LOOK_CHAIN_MODE_DEFAULT,
        .up = {0.0f, 1.0f, 0.0f},
        .blend_speed = 8.0f,
        .weight = 1.0f,
        .expression_yaw = 15.0f * DEGREE,
        .expression_pitch = 10.0f * DEGREE,
        .soft_limit = 0.2f,
        .behind_margin = 20.0f * DEGREE,
        .saccade_threshold = 5.0f * DEGREE,
        .saccade_speed = 500.0f * DEGREE,
        .head_delay = 0.1f,
        .head_speed = 150.0f * DEGREE,
        .idle_seed = 1,
        .idle_angle = 0.5f * DEGREE,
        .idle_interval_min = 0.4f,
        .idle_interval_max = 1.6f,
        .blink_angle = 35.0f * DEGREE,
        .turn_speed = 250.0f * DEGREE,
        .turn_acceleration = 1500.0f * DEGREE,
    };
    vrmi_write_defaults(def, size, &own, sizeof own);
}

void vrmi_look_chain_init(vrmi_look_chain *chain)
{
    *chain = (vrmi_look_chain){.bone_count = 0};
    vrm_look_chain_def_default(&chain->def);
    chain->random = vrmi_random_seeded(chain->def.idle_seed);
}

void vrmi_look_chain_skip(vrmi_look_chain *chain)
{
    chain->feeds_eyes = false;
    chain->line_count = 0;
    chain->started = false;
    chain->moving = false;
    chain->mix_speed = 0.0f;
    chain->has_eye_part = 0.0f;
    chain->state = (vrm_look_chain_state){.aiming = false};
}

void vrmi_look_chain_advance(vrmi_look_chain *chain, float dt)
{
    if (!chain->in_transition) {
        return;
    }
    // The weight is computed from the start of the transition, so that rounding does not accumulate over frames.
    chain->elapsed += (double)dt;
    if (chain->elapsed >= chain->duration) {
        chain->in_transition = false;
        chain->weight = chain->transition_to;
        return;
    }
    const float part = (float)(chain->elapsed / chain->duration);
    chain->weight = vrmi_lerp(chain->transition_from, chain->transition_to, part);
}

// The clock counts whole nanoseconds, as for blinks, so the frame rate does not affect the times of micro-saccades.
void vrmi_look_chain_idle(vrmi_look_chain *chain, float dt)
{
    const vrm_look_chain_def *def = &chain->def;
    chain->idle_time -= (int64_t)((double)vrmi_min(dt, 60.0f) * 1e9 + 0.5);
    while (chain->idle_time < 0) { // this loop ends: intervals are at least 0.05 s, and frames at most 60 s
        const float wait = vrmi_lerp(def->idle_interval_min, def->idle_interval_max, vrmi_random_unit(&chain->random));
        chain->idle_time += (int64_t)((double)wait * 1e9);
        // The square root makes the distribution uniform in the circle.
        const float size = def->idle_angle * vrmi_sqrt(vrmi_random_unit(&chain->random));
        float sine, cosine;
        vrmi_sincos(2.0f * VRMI_PI * vrmi_random_unit(&chain->random), &sine, &cosine);
        chain->idle_x = size * cosine;
        chain->idle_y = size * sine;
    }
}

// --- snapshot ------------------------------------------------------------------------------------------------------

static void walk_def(vrm_look_chain_def *def, vrmi_cursor *cursor)
{
    uint32_t mode = (uint32_t)def->mode;
    vrmi_cursor_u32(cursor, &mode, VRM_LOOK_CHAIN_MODE_ARTICLE);
    vrmi_cursor_vec3(cursor, &def->up);
    bool *const flags[] = {&def->draw_debug, &def->map_as_authored, &def->vergence, &def->saccade, &def->idle};
    for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); ++i) {
        vrmi_cursor_bool(cursor, flags[i]);
    }
#define WALK(field, min, max) vrmi_cursor_float(cursor, &def->field, min, max);
    VRMI_LOOK_CHAIN_RANGES(WALK)
#undef WALK
    vrmi_cursor_u32(cursor, &def->idle_seed, UINT32_MAX);
    if (cursor->mode == VRMI_CURSOR_LOAD && !cursor->failed) {
        def->mode = (vrm_look_chain_mode)mode;
    }
}

// Visits a node index or VRM_LOOK_CHAIN_EYES, which is -2.
static void walk_node(const vrm_instance *instance, int32_t *node, bool eyes_allowed, vrmi_cursor *cursor)
{
    const uint32_t nodes = instance->model->node_parent.count;
    const uint32_t read = vrmi_cursor_steer(cursor, (uint32_t)(*node - VRM_LOOK_CHAIN_EYES), nodes + 1);
    vrmi_cursor_require(cursor, read >= 2 ? vrmi_has_pose(instance, read - 2) : read == 0 && eyes_allowed);
    if (cursor->mode == VRMI_CURSOR_LOAD && !cursor->failed) {
        *node = (int32_t)read + VRM_LOOK_CHAIN_EYES;
    }
}

static void walk_bone(
    const vrm_instance *instance, vrmi_look_bone *bone, bool first, uint32_t *link, vrmi_cursor *cursor)
{
    walk_node(instance, &bone->node, first, cursor);
    vrmi_cursor_bool(cursor, &bone->reset);
    vrmi_cursor_bool(cursor, &bone->asymmetric);
#define WALK(field, min, max) vrmi_cursor_float(cursor, &bone->field, min, max);
    VRMI_LOOK_BONE_RANGES(WALK)
#undef WALK
    vrmi_cursor_vec3(cursor, &bone->forward);
    vrmi_cursor_quat(cursor, &bone->frame);
    vrmi_cursor_quat(cursor, &bone->shown);
    vrmi_cursor_quat(cursor, &bone->from);
    vrmi_cursor_vec3(cursor, &bone->speed);
    const uint32_t links = vrmi_cursor_steer(cursor, bone->link_count, UINT32_MAX);
    if (cursor->mode == VRMI_CURSOR_LOAD && !cursor->failed) {
        bone->first_link = *link;
        bone->link_count = links;
    }
    // The sum of links cannot overflow: the caller requires that it ends at a count within the reserved size.
    vrmi_cursor_require(cursor, links <= 1024);
    *link += links;
}

static void walk_state(vrmi_look_chain *chain, vrmi_cursor *cursor)
{
    vrmi_cursor_float(cursor, &chain->weight, 0.0f, 1.0f);
    vrmi_cursor_bool(cursor, &chain->in_transition);
    vrmi_cursor_float(cursor, &chain->transition_from, 0.0f, 1.0f);
    vrmi_cursor_float(cursor, &chain->transition_to, 0.0f, 1.0f);
    vrmi_cursor_double(cursor, &chain->elapsed, 0.0, VRMI_DOUBLE_MAX);
    vrmi_cursor_double(cursor, &chain->duration, 0.0, VRMI_DOUBLE_MAX);
    bool *const flags[] = {&chain->oriented, &chain->started, &chain->has_last, &chain->moving};
    for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); ++i) {
        vrmi_cursor_bool(cursor, flags[i]);
    }
    float *const numbers[] = {&chain->yaw, &chain->pitch, &chain->roll, &chain->mix, &chain->mix_speed, &chain->eye_mix,
        &chain->eye_x, &chain->eye_y, &chain->move_time, &chain->move_duration, &chain->idle_x, &chain->idle_y};
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); ++i) {
        vrmi_cursor_float(cursor, numbers[i], -1e9f, 1e9f);
    }
    vrmi_cursor_vec3(cursor, &chain->last);
    const uint32_t side = vrmi_cursor_steer(cursor, (uint32_t)(chain->side + 1), 2);
    vrmi_cursor_u64(cursor, &chain->random);
    const int64_t longest = (int64_t)4000 * 1000000000;
    uint64_t idle = (uint64_t)chain->idle_time;
    vrmi_cursor_u64(cursor, &idle);
    if (cursor->mode == VRMI_CURSOR_LOAD && !cursor->failed) {
        chain->side = (int32_t)side - 1;
        chain->idle_time = idle <= (uint64_t)longest ? (int64_t)idle : 0;
    }
}

void vrmi_look_chain_snapshot(vrm_instance *instance, vrmi_cursor *cursor)
{
    vrmi_look_chain *chain = &instance->look;
    const uint32_t bones = vrmi_cursor_steer(cursor, chain->bone_count, instance->def.look_chain_bones);
    const uint32_t links = vrmi_cursor_steer(cursor, chain->link_count, instance->def.look_chain_links);
    if (cursor->mode == VRMI_CURSOR_LOAD && !cursor->failed) {
        vrmi_look_chain_init(chain);
        chain->bone_count = bones;
        chain->link_count = links;
    }
    walk_def(&chain->def, cursor);
    walk_state(chain, cursor);
    uint32_t counted = 0;
    for (uint32_t i = 0; i < bones && !cursor->failed; ++i) {
        walk_bone(instance, &instance->look_bones[i], i == 0, &counted, cursor);
    }
    vrmi_cursor_require(cursor, counted == links);
    for (uint32_t i = 0; i < links && !cursor->failed; ++i) {
        walk_node(instance, &instance->look_links[i].node, false, cursor);
        vrmi_cursor_bool(cursor, &instance->look_links[i].reset);
    }
    vrmi_look_chain_find_eyes(instance);
}
