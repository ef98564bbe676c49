// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "fall_act.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/mat34.h"
#include "math/quat.h"
#include "ragdoll_scene.h"
#include "stage_motion.h"

enum { RATE = 60, FALL_FRAMES = 10 * RATE, RISE_FRAMES = 9 * RATE };

static const double degrees = 57.29577951308232;
static const double touching = 0.006; // largest gap of a contact, metres

// --- frames ----------------------------------------------------------------------------------------------------------

// The shown pose of a frame, by bone: rotation relative to the parent bone, and position.
typedef struct frame_pose {
    vrm_quat locals[VRM_HUMAN_BONE_COUNT];
    vrm_vec3 places[VRM_HUMAN_BONE_COUNT];
} frame_pose;

typedef struct acting {
    const scene_fall_act *act;
    vrm_instance *instance;
    scene_ragdoll ragdoll;
    scene_stage_motion motion;
    scene_get_up get_up;
    scene_meter *meter;
    frame_pose *poses;
    uint32_t frames, pushed, plank_since;
    bool there[VRM_HUMAN_BONE_COUNT];
    double bone_landed[VRM_HUMAN_BONE_COUNT]; // seconds after the push, -1: not yet
    scene_fall_report *out;
} acting;

static int parent_of(const acting *a, int bone)
{
    int parent = vrm_human_bone_parent((vrm_human_bone)bone);
    while (parent >= 0 && !a->there[parent]) {
        parent = vrm_human_bone_parent((vrm_human_bone)parent);
    }
    return parent;
}

static void keep_pose(acting *a)
{
    vrm_outputs outputs = {.struct_size = sizeof outputs};
    vrm_instance_get_outputs(a->instance, &outputs);
    frame_pose *pose = &a->poses[a->frames];
    vrm_quat world[VRM_HUMAN_BONE_COUNT];
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        const int32_t node = vrm_avatar_get_bone_node(a->act->avatar, (vrm_human_bone)bone);
        a->there[bone] = node >= 0;
        if (node < 0) {
            continue;
        }
        vrm_transform t;
        (void)vrmi_mat34_decompose(&outputs.world[node], &t);
        world[bone] = t.rotation;
        pose->places[bone] = vrmi_vec3(t.translation.x + (float)outputs.origin.x,
            t.translation.y + (float)outputs.origin.y, t.translation.z + (float)outputs.origin.z);
        const int parent = parent_of(a, bone);
        pose->locals[bone] = parent < 0 ? world[bone] : vrmi_quat_mul(vrmi_quat_conjugate(world[parent]), world[bone]);
    }
}

static double turn_between(vrm_quat a, vrm_quat b)
{
    return degrees * (double)vrmi_vec3_length(vrmi_quat_to_vector(vrmi_quat_mul(b, vrmi_quat_conjugate(a))));
}

// --- what lands ------------------------------------------------------------------------------------------------------

static int part_of(vrm_human_bone bone)
{
    switch (bone) {
    case VRM_HUMAN_BONE_LEFT_HAND:
    case VRM_HUMAN_BONE_RIGHT_HAND:
    case VRM_HUMAN_BONE_LEFT_LOWER_ARM:
    case VRM_HUMAN_BONE_RIGHT_LOWER_ARM:
        return SCENE_FALL_HAND;
    case VRM_HUMAN_BONE_LEFT_LOWER_LEG:
    case VRM_HUMAN_BONE_RIGHT_LOWER_LEG:
        return SCENE_FALL_KNEE;
    case VRM_HUMAN_BONE_HIPS:
    case VRM_HUMAN_BONE_LEFT_UPPER_LEG:
    case VRM_HUMAN_BONE_RIGHT_UPPER_LEG:
        return SCENE_FALL_SEAT;
    case VRM_HUMAN_BONE_SPINE:
    case VRM_HUMAN_BONE_CHEST:
    case VRM_HUMAN_BONE_UPPER_CHEST:
        return SCENE_FALL_TRUNK;
    case VRM_HUMAN_BONE_HEAD:
    case VRM_HUMAN_BONE_NECK:
        return SCENE_FALL_HEAD;
    default:
        return SCENE_FALL_PARTS;
    }
}

static int32_t trunk_of(const vrm_ragdoll_def *def)
{
    const int32_t chest = scene_ragdoll_body(def, VRM_HUMAN_BONE_CHEST);
    return chest >= 0                                           ? chest
           : scene_ragdoll_body(def, VRM_HUMAN_BONE_SPINE) >= 0 ? scene_ragdoll_body(def, VRM_HUMAN_BONE_SPINE)
                                                                : 0;
}

static double bend_of(const acting *a, vrm_human_bone knee)
{
    return a->there[knee] ? turn_between(vrmi_quat_identity(), a->poses[a->frames].locals[knee]) : 0.0;
}

static void trunk_lands(acting *a)
{
    scene_fall_report *out = a->out;
    const frame_pose *pose = &a->poses[a->frames];
    const int32_t chest = trunk_of(a->act->def);
    const vrm_vec3 down =
        vrmi_quat_rotate(vrmi_quat_conjugate(a->ragdoll.states[chest].rotation), vrmi_vec3(0.0f, -1.0f, 0.0f));
    out->direction = degrees * atan2((double)down.x, (double)down.z);
    out->knees = fmax(bend_of(a, VRM_HUMAN_BONE_LEFT_LOWER_LEG), bend_of(a, VRM_HUMAN_BONE_RIGHT_LOWER_LEG));
    out->hand_height =
        fmin((double)pose->places[VRM_HUMAN_BONE_LEFT_HAND].y, (double)pose->places[VRM_HUMAN_BONE_RIGHT_HAND].y);
}

static void look_for_landings(acting *a, double since)
{
    enum { MOST = 64 };
    vrm_ragdoll_contact contacts[MOST];
    uint32_t count = vrm_ragdoll_solver_get_contacts(a->ragdoll.solver, contacts, MOST);
    count = count < MOST ? count : MOST;
    for (uint32_t i = 0; i < count; ++i) {
        if (contacts[i].other >= 0 || (double)contacts[i].gap > touching) {
            continue;
        }
        const vrm_ragdoll_body *body = &a->act->def->bodies[contacts[i].body];
        const int part = part_of(body->bone);
        const bool is_shin = part == SCENE_FALL_KNEE;
        // The ankle of a standing foot is not a knee on the ground.
        const vrm_ragdoll_state *state = &a->ragdoll.states[contacts[i].body];
        if (is_shin && (double)state->position.y > 2.0 * (double)body->shape.radius) {
            continue;
        }
        if (a->bone_landed[body->bone] < 0.0) {
            a->bone_landed[body->bone] = since;
        }
        if (part == SCENE_FALL_PARTS || a->out->landed[part] >= 0.0) {
            continue;
        }
        a->out->landed[part] = since;
        if (part == SCENE_FALL_TRUNK) {
            trunk_lands(a);
        }
    }
}

// --- figures ---------------------------------------------------------------------------------------------------------

static void look_for_planks(acting *a)
{
    const frame_pose *now = &a->poses[a->frames];
    while (a->plank_since < a->frames) {
        const frame_pose *then = &a->poses[a->plank_since];
        double moved = 0.0;
        for (int bone = VRM_HUMAN_BONE_SPINE; bone <= VRM_HUMAN_BONE_RIGHT_HAND; ++bone) {
            moved = a->there[bone] ? fmax(moved, turn_between(then->locals[bone], now->locals[bone])) : moved;
        }
        if (moved < 5.0) {
            break;
        }
        ++a->plank_since;
    }
    const frame_pose *then = &a->poses[a->plank_since];
    if (turn_between(then->locals[VRM_HUMAN_BONE_HIPS], now->locals[VRM_HUMAN_BONE_HIPS]) > 30.0) {
        a->out->plank = fmax(a->out->plank, (double)(a->frames - a->plank_since) / RATE);
    }
}

static bool is_end(int bone)
{
    return bone == VRM_HUMAN_BONE_LEFT_HAND || bone == VRM_HUMAN_BONE_RIGHT_HAND || bone == VRM_HUMAN_BONE_LEFT_FOOT ||
           bone == VRM_HUMAN_BONE_RIGHT_FOOT || bone == VRM_HUMAN_BONE_HEAD;
}

// Returns the excess of a step over the larger one of its two neighbours, as the motion meter does.
static double cut_of(const double steps[3])
{
    return steps[1] - fmax(steps[0], steps[2]);
}

static void look_for_cuts(acting *a, uint32_t from, uint32_t to)
{
    for (int bone = 0; bone <= VRM_HUMAN_BONE_RIGHT_HAND; ++bone) {
        const bool eye =
            bone == VRM_HUMAN_BONE_LEFT_EYE || bone == VRM_HUMAN_BONE_RIGHT_EYE || bone == VRM_HUMAN_BONE_JAW;
        for (uint32_t i = from + 2; a->there[bone] && !eye && i + 1 < to; ++i) {
            double turns[3], ways[3];
            for (uint32_t k = 0; k < 3; ++k) {
                const frame_pose *before = &a->poses[i + k - 2], *after = &a->poses[i + k - 1];
                turns[k] = turn_between(before->locals[bone], after->locals[bone]);
                ways[k] = 1000.0 * (double)vrmi_vec3_length(vrmi_vec3_sub(after->places[bone], before->places[bone]));
            }
            const double since = (double)(i - a->pushed) / RATE;
            const bool lands =
                is_end(bone) && a->bone_landed[bone] >= 0.0 && fabs(since - a->bone_landed[bone]) <= 0.0501;
            double *turn = lands ? &a->out->limb_cut : &a->out->cut,
                   *way = lands ? &a->out->limb_cut_way : &a->out->cut_way;
            if (!lands && cut_of(turns) > *turn) {
                a->out->cut_bone = bone;
                a->out->cut_at = since;
            }
            *turn = fmax(*turn, cut_of(turns));
            *way = fmax(*way, cut_of(ways));
        }
    }
}

// --- how it lies ---------------------------------------------------------------------------------------------------

static double bottom_of(const acting *a, int32_t body)
{
    const vrm_ragdoll_state *state = &a->ragdoll.states[body];
    return a->ragdoll.origin.y + (double)state->position.y +
           scene_ragdoll_bottom(&a->act->def->bodies[body].shape, state->rotation);
}

// Returns the height of a lying body's hands or feet above the ground. Of each pair, the higher one counts.
static double aloft(const acting *a, vrm_human_bone left, vrm_human_bone right)
{
    const int32_t bodies[2] = {scene_ragdoll_body(a->act->def, left), scene_ragdoll_body(a->act->def, right)};
    double highest = 0.0;
    for (int i = 0; i < 2; ++i) {
        highest = bodies[i] >= 0 ? fmax(highest, 1000.0 * bottom_of(a, bodies[i])) : highest;
    }
    return highest;
}

// Returns the height of the higher knee of a lying body, as a fraction of the body's height.
static double knee_aloft(const acting *a)
{
    static const vrm_human_bone knees[2] = {VRM_HUMAN_BONE_LEFT_LOWER_LEG, VRM_HUMAN_BONE_RIGHT_LOWER_LEG};
    double highest = 0.0;
    for (int i = 0; i < 2; ++i) {
        const int32_t body = scene_ragdoll_body(a->act->def, knees[i]);
        highest = body >= 0 ? fmax(highest, a->ragdoll.origin.y + (double)a->ragdoll.states[body].position.y) : highest;
    }
    return highest / (double)a->act->def->height;
}

// --- the act ---------------------------------------------------------------------------------------------------------

static void push(acting *a)
{
    vrm_outputs outputs = {.struct_size = sizeof outputs};
    vrm_instance_get_outputs(a->instance, &outputs);
    const int32_t chest = trunk_of(a->act->def);
    const vrm_world *world = &outputs.world[a->act->def->bodies[chest].node];
    const vrm_dvec3 point = {outputs.origin.x + (double)world->m[0][3], outputs.origin.y + (double)world->m[1][3],
        outputs.origin.z + (double)world->m[2][3]};
    if (a->act->thrown) { // an explosion beside the feet, a little to the front
        const vrm_dvec3 before = {1.0, 0.1, 0.2};
        (void)vrm_instance_explode_ragdoll(a->instance, &before, 160.0f, 3.0f);
    } else {
        (void)vrm_instance_hit_ragdoll(a->instance, chest, &point, &a->act->push);
        (void)vrm_instance_drop_ragdoll(a->instance);
    }
}

static vrm_result show(acting *a, vrm_update_params *params, bool gets_up)
{
    const double time = (double)a->frames / RATE;
    if (gets_up) {
        scene_get_up_frame(&a->get_up, 0.0, 1.0 / RATE);
    }
    scene_stage_motion_apply(&a->motion, a->instance, time);
    scene_ragdoll_frame(&a->ragdoll, params);
    params->dt = 1.0f / (float)RATE;
    keep_pose(a);
    const scene_meter_bodies bodies = {a->ragdoll.states, a->ragdoll.origin, scene_meter_shown_bodies(a->instance)};
    return scene_meter_add(a->meter, a->instance, a->ragdoll.stepped ? &bodies : NULL) ? VRM_SUCCESS
                                                                                       : VRM_ERROR_OUT_OF_MEMORY;
}

static void watch(acting *a)
{
    scene_fall_report *out = a->out;
    const double since = (double)(a->frames - a->pushed) / RATE;
    const bool head_was_up = out->landed[SCENE_FALL_HEAD] < 0.0;
    const int32_t head = scene_ragdoll_body(a->act->def, VRM_HUMAN_BONE_HEAD);
    look_for_landings(a, since);
    if (head_was_up && head >= 0 &&
        out->landed[SCENE_FALL_HEAD] >= 0.0) { // speed of the head in the frame before its contact
        const double before = (double)a->poses[a->frames - 2].places[VRM_HUMAN_BONE_HEAD].y;
        out->head_speed = (before - (double)a->poses[a->frames - 1].places[VRM_HUMAN_BONE_HEAD].y) * RATE;
    }
    for (uint32_t i = 0; i < a->act->def->body_count; ++i) {
        out->fastest = fmax(out->fastest, (double)vrmi_vec3_length(a->ragdoll.states[i].angular_velocity));
    }
    if (out->landed[SCENE_FALL_TRUNK] < 0.0) {
        look_for_planks(a);
    }
    if (out->landed[SCENE_FALL_TRUNK] >= 0.0 && aloft(a, VRM_HUMAN_BONE_LEFT_FOOT, VRM_HUMAN_BONE_RIGHT_FOOT) > 100.0) {
        out->feet_down = since + 1.0 / RATE - out->landed[SCENE_FALL_TRUNK];
    }
    if (out->asleep < 0.0 && vrm_ragdoll_solver_is_asleep(a->ragdoll.solver)) {
        out->asleep = since;
    }
}

static vrm_ragdoll_phase phase_of(const acting *a)
{
    vrm_ragdoll_info info = {.struct_size = sizeof info};
    vrm_instance_get_ragdoll_info(a->instance, &info);
    return info.phase;
}

static vrm_result play(acting *a)
{
    const scene_fall_act *act = a->act;
    vrm_update_params params;
    vrm_update_params_default(&params);
    params.dt = 0.0f;
    vrm_result result = VRM_SUCCESS;
    a->pushed = a->plank_since = (uint32_t)(act->when * RATE + 0.5);
    const uint32_t most = a->pushed + FALL_FRAMES;
    bool lies = false;
    for (; a->frames < most && !lies && result == VRM_SUCCESS; ++a->frames) {
        if (a->frames == a->pushed) {
            push(a);
        }
        result = show(a, &params, false);
        if (a->frames >= a->pushed) {
            watch(a);
        }
        lies = phase_of(a) == VRM_RAGDOLL_PHASE_LYING && a->out->asleep >= 0.0;
    }
    look_for_cuts(a, a->pushed, a->frames);
    a->out->settled_at = (double)a->frames / RATE;
    a->out->hand_aloft = aloft(a, VRM_HUMAN_BONE_LEFT_HAND, VRM_HUMAN_BONE_RIGHT_HAND);
    a->out->foot_aloft = aloft(a, VRM_HUMAN_BONE_LEFT_FOOT, VRM_HUMAN_BONE_RIGHT_FOOT);
    a->out->knee_aloft = knee_aloft(a);
    if (!act->gets_up || phase_of(a) != VRM_RAGDOLL_PHASE_LYING) {
        return result;
    }
    const uint32_t from = a->frames;
    uint32_t stands = 0;
    for (; a->frames < from + RISE_FRAMES && stands < RATE && result == VRM_SUCCESS; ++a->frames) {
        result = show(a, &params, true);
        stands = phase_of(a) == VRM_RAGDOLL_PHASE_OFF && a->get_up.clip == NULL ? stands + 1 : 0;
    }
    a->out->way = a->get_up.way;
    a->out->stands = stands >= RATE;
    a->out->seconds = (double)(a->frames - stands - from) / RATE;
    const scene_meter_question question = {
        .event = -1.0, .from = a->out->settled_at, .to = (double)(a->frames - 1) / RATE};
    scene_meter_read(a->meter, &question, &a->out->rise);
    // A lying figure begins in the pose of its bodies, whose shapes differ from the skin. After half a second the clip
    // has lifted the skin out of the ground.
    scene_meter_question later = question;
    later.from += 0.5;
    scene_meter_report report;
    scene_meter_read(a->meter, &later, &report);
    a->out->rise.figures[SCENE_FIGURE_LOWEST] = report.figures[SCENE_FIGURE_LOWEST];
    return result;
}

static vrm_result prepare(acting *a)
{
    const scene_fall_act *act = a->act;
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = act->avatar;
    def.ragdoll_bodies = act->def->body_count;
    vrm_result result = vrm_instance_create(&def, &a->instance);
    vrm_ragdoll_params settings;
    vrm_ragdoll_params_default(&settings);
    scene_get_up_settings(&settings);
    result = result == VRM_SUCCESS ? scene_stage_motion_begin(&a->motion, "idle", act->avatar, act->def) : result;
    result = result == VRM_SUCCESS ? scene_ragdoll_begin(&a->ragdoll, a->instance, act->def, &settings, NULL) : result;
    a->ragdoll.fall.on = !act->limp;
    a->ragdoll.fall.seed = act->seed;
    a->ragdoll.keeps_root = act->keeps_root;
    const scene_get_up_def get_up = {.instance = a->instance, .gltf = act->gltf};
    result = result == VRM_SUCCESS && act->gets_up ? scene_get_up_begin(&a->get_up, &get_up) : result;
    const scene_meter_def meter = {
        .avatar = act->avatar, .gltf = act->gets_up ? act->gltf : NULL, .def = act->def, .rate = RATE};
    a->meter = scene_meter_create(&meter);
    a->poses = malloc(sizeof(frame_pose) * ((size_t)(act->when * RATE) + FALL_FRAMES + RISE_FRAMES + 2));
    return result == VRM_SUCCESS && (a->meter == NULL || a->poses == NULL) ? VRM_ERROR_OUT_OF_MEMORY : result;
}

vrm_result scene_fall_act_run(const scene_fall_act *act, scene_fall_report *out)
{
    acting a = {.act = act, .out = out};
    *out = (scene_fall_report){.asleep = -1.0, .head_speed = 0.0};
    for (int part = 0; part < SCENE_FALL_PARTS; ++part) {
        out->landed[part] = -1.0;
    }
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        a.bone_landed[bone] = -1.0;
    }
    vrm_result result = prepare(&a);
    if (result == VRM_SUCCESS) {
        result = play(&a);
    }
    scene_get_up_free(&a.get_up);
    scene_meter_destroy(a.meter);
    free(a.poses);
    scene_ragdoll_end(&a.ragdoll);
    scene_stage_motion_end(&a.motion);
    vrm_instance_destroy(a.instance);
    return result;
}
