// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "stagger/stagger.h"

#include <vrm/ragdoll_build.h>

#include "math/quat.h"
#include "ragdoll_scene.h"
#include "stage_motion.h"
#include "stagger/stagger_share.h"
#include "stagger/stagger_soles.h"

static const double push_at = 0.2, longest = 20.0, rest_after = 2.0, rest_for = 3.0;
static const double share_for = 0.5; // seconds after a push without steps

typedef struct stance {
    vrm_vec3 mass;      // the mass centre, from the world's origin
    vrm_vec3 soles[16]; // corners of the feet
    uint32_t corners;
    vrm_vec3 hips;
} stance;

static stance look(const vrm_ragdoll_def *def, const vrm_instance *instance)
{
    vrm_ragdoll_state states[VRM_RAGDOLL_MAX_BODIES];
    vrm_ragdoll_get_pose_states(def, instance, states);
    vrm_root root;
    vrm_instance_get_root(instance, &root);
    const vrm_vec3 origin = vrmi_vec3_from(root.translation);
    stance out = {.hips = vrmi_vec3_add(origin, states[0].position)};
    float mass = 0.0f;
    for (uint32_t i = 0; i < def->body_count; ++i) {
        const vrm_ragdoll_body *b = &def->bodies[i];
        const vrm_vec3 at = vrmi_vec3_add(origin, states[i].position);
        const vrm_vec3 center = vrmi_vec3_add(at, vrmi_quat_rotate(states[i].rotation, b->center_of_mass));
        out.mass = vrmi_vec3_add(out.mass, vrmi_vec3_scale(center, b->mass));
        mass += b->mass;
        if (scene_soles_has(b)) {
            const vrm_ragdoll_state placed = {.position = at, .rotation = states[i].rotation};
            scene_soles_find(b, &placed, &out.soles[out.corners]);
            out.corners += SCENE_SOLES_CORNERS;
        }
    }
    out.mass = vrmi_vec3_scale(out.mass, 1.0f / mass);
    return out;
}

// Returns the horizontal distance of the mass centre from the area of all corners. Negative inside.
static float outside_of(const stance *s)
{
    vrm_vec3 direction;
    return scene_soles_outside(s->soles, s->corners, s->mass, &direction);
}

static void hit(const scene_stagger_push *push, vrm_instance *instance)
{
    const vrm_ragdoll_def *def = push->def;
    const float mass = scene_def_mass(def);
    float sine, cosine;
    uint32_t chest = 0;
    for (uint32_t i = 0; i < def->body_count; ++i) {
        chest = def->bodies[i].bone == VRM_HUMAN_BONE_CHEST ? i : chest;
    }
    // The push acts at the centre of the chest's body, not at its joint: at about 0.73 of the height.
    vrm_ragdoll_state states[VRM_RAGDOLL_MAX_BODIES];
    vrm_ragdoll_get_pose_states(def, instance, states);
    vrm_root root;
    vrm_instance_get_root(instance, &root);
    const vrm_vec3 arm = vrmi_quat_rotate(states[chest].rotation, def->bodies[chest].center_of_mass);
    const vrm_vec3 at = vrmi_vec3_add(states[chest].position, arm);
    const vrm_dvec3 point = vrmi_dvec3_add(root.translation, vrmi_dvec3_from(at));
    vrmi_sincos(push->angle, &sine, &cosine);
    const vrm_vec3 impulse = vrmi_vec3_scale(vrmi_vec3(sine, 0.0f, cosine), push->speed * mass);
    (void)vrm_instance_hit_ragdoll(instance, (int32_t)chest, &point, &impulse);
}

static void play(const scene_stagger_push *push, scene_ragdoll *scene, const scene_stagger_share *share,
    scene_stage_motion *motion, scene_stagger *out)
{
    vrm_instance *instance = scene->instance;
    vrm_update_params params;
    vrm_update_params_default(&params);
    vrm_ragdoll_info info = {.struct_size = sizeof info};
    vrm_vec3 first = {0.0f, 0.0f, 0.0f};
    double last = push_at;
    bool rests = false;
    for (uint32_t i = 0; (double)i < longest * push->rate; ++i) {
        const double time = (double)i / push->rate;
        scene_stage_motion_apply(motion, instance, time);
        if (scene_moment_comes(push_at, time, 1.0 / push->rate)) {
            hit(push, instance);
        }
        scene_ragdoll_frame(scene, &params);
        params.dt = (float)(1.0 / push->rate);
        vrm_instance_get_ragdoll_info(instance, &info);
        out->steps = info.step_count > out->steps ? info.step_count : out->steps;
        const vrm_ragdoll_balance b = info.balance;
        if (b == VRM_RAGDOLL_BALANCE_GAVE_UP || info.phase == VRM_RAGDOLL_PHASE_LIMP) {
            out->outcome = SCENE_STAGGER_FALLS;
            return;
        }
        const bool balances =
            b == VRM_RAGDOLL_BALANCE_SWAYS || b == VRM_RAGDOLL_BALANCE_STEPS || b == VRM_RAGDOLL_BALANCE_GATHERS;
        last = b == VRM_RAGDOLL_BALANCE_STEPS || b == VRM_RAGDOLL_BALANCE_GATHERS || (push->keeps_root && balances)
                   ? time
                   : last;
        out->share = time <= last || time < push_at + share_for ? scene_stagger_share_read(share) : out->share;
        if (time < last + rest_after || time < push_at + rest_after) {
            continue;
        }
        const stance now = look(push->def, instance);
        first = rests ? first : now.mass;
        out->outside = rests ? vrmi_max(out->outside, outside_of(&now)) : outside_of(&now);
        rests = true;
        const vrm_vec3 way = vrmi_vec3_sub(now.mass, first);
        out->drift = vrmi_max(out->drift, vrmi_vec3_length(way));
        if (time >= last + rest_after + rest_for) {
            vrm_root root;
            vrm_instance_get_root(instance, &root);
            out->went = vrmi_vec3_from(root.translation);
            const vrm_vec3 off = vrmi_vec3_sub(now.hips, out->went);
            out->away = vrmi_sqrt(off.x * off.x + off.z * off.z);
            break;
        }
    }
    out->touch_down = last - push_at;
    out->outcome = out->steps == 0   ? SCENE_STAGGER_SWAYS
                   : out->steps == 1 ? SCENE_STAGGER_ONE_STEP
                                     : SCENE_STAGGER_STEPS;
}

// The number of strides of a walk before and after the push. The last stride is evaluated.
enum { STRIDES_BEFORE = 3, STRIDES_AFTER = 7 };

static uint32_t frames_of(double seconds, double rate)
{
    return (uint32_t)(seconds * rate + 0.5);
}

static void walk(const scene_stagger_push *push, scene_ragdoll *scene, const scene_stagger_share *share,
    scene_stage_motion *motion, scene_stagger *out)
{
    vrm_instance *instance = scene->instance;
    vrm_update_params params;
    vrm_update_params_default(&params);
    vrm_ragdoll_info info = {.struct_size = sizeof info};
    // Half a stride must be a whole number of frames; otherwise mirrored pushes would differ.
    const double stride = (double)motion->duration;
    const uint32_t half = frames_of(0.5 * stride, push->rate), frames = 2 * half;
    vrm_ragdoll_params settings = {.struct_size = sizeof settings};
    vrm_instance_get_ragdoll_params(instance, &settings);
    const uint32_t at = STRIDES_BEFORE * frames + (uint32_t)((double)push->part * (double)frames + 0.5) -
                        frames_of(0.5 * (double)settings.hit_time, push->rate);
    vrm_vec3 before = {0.0f, 0.0f, 0.0f};
    for (uint32_t i = 0; i < at + STRIDES_AFTER * frames; ++i) {
        const double time = stride * (double)i / (double)frames;
        scene_stage_motion_apply(motion, instance, time);
        if (i == at) {
            hit(push, instance);
        }
        scene_ragdoll_frame(scene, &params);
        params.dt = (float)(stride / (double)frames);
        vrm_instance_get_ragdoll_info(instance, &info);
        out->steps = info.step_count > out->steps ? info.step_count : out->steps;
        if (info.balance == VRM_RAGDOLL_BALANCE_GAVE_UP || info.phase == VRM_RAGDOLL_PHASE_LIMP) {
            out->outcome = SCENE_STAGGER_FALLS;
            return;
        }
        out->share = scene_stagger_share_read(share);
        if (i == at + (STRIDES_AFTER - 1) * frames - 1) {
            before = look(push->def, instance).hips;
        }
    }
    const vrm_vec3 hips = look(push->def, instance).hips;
    vrm_root root;
    vrm_instance_get_root(instance, &root);
    out->went = vrmi_vec3_from(root.translation);
    out->went.z -= (float)motion->started;
    out->away = hips.x - out->went.x;
    out->speed = (float)((double)(hips.z - before.z) / stride);
    out->outcome = out->steps == 0   ? SCENE_STAGGER_SWAYS
                   : out->steps == 1 ? SCENE_STAGGER_ONE_STEP
                                     : SCENE_STAGGER_STEPS;
}

vrm_result scene_stagger_run(const scene_stagger_push *push, scene_stagger *out)
{
    *out = (scene_stagger){.outcome = SCENE_STAGGER_FALLS};
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = push->avatar;
    def.ragdoll_bodies = push->def->body_count;
    vrm_instance *instance = NULL;
    scene_ragdoll scene = {.instance = NULL};
    scene_stagger_share share;
    scene_stage_motion motion = {.plain = SCENE_MOTION_NONE};
    vrm_ragdoll_params settings;
    vrm_ragdoll_params_default(&settings);
    settings.steps = true;
    settings.step_assist = push->assist;
    settings.recovery = VRM_RAGDOLL_RECOVERY_MANUAL;
    vrm_result result = vrm_instance_create(&def, &instance);
    if (result == VRM_SUCCESS) {
        const char *word = push->walk > 0.0f ? "walk-ahead" : push->motion;
        result = scene_stage_motion_begin_at(&motion, word, push->avatar, push->def, push->walk);
    }
    if (result == VRM_SUCCESS) {
        result = scene_ragdoll_begin(&scene, instance, push->def, &settings, NULL);
    }
    scene.keeps_root = push->keeps_root;
    if (result == VRM_SUCCESS) {
        scene_stagger_share_begin(&share, &scene);
        (push->walk > 0.0f ? walk : play)(push, &scene, &share, &motion, out);
    }
    scene_ragdoll_end(&scene);
    scene_stage_motion_end(&motion);
    vrm_instance_destroy(instance);
    return result;
}
