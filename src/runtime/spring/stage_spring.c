// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The timing of the springs (docs/springs.md). The state moves in ticks of 1/60 s, the rate that artists tune for, so
// hair looks the same at every frame rate. If a frame ends within a tick, a partial step shows the remaining time; its
// result is not stored. With one step per frame that uses the frame's own dt (the reference), hair swings differently
// at every rate.

#include "runtime/core/hair_pose.h"
#include "runtime/core/hierarchy.h"
#include "runtime/spring/spring_step.h"
#include "runtime/stages.h"

static const float tick_seconds = 1.0f / 60.0f;
enum {
    MAX_TICKS = 15,       // largest number of ticks per update (1/4 s); if more are due, chains first move rigidly
    MAX_DUE_TICKS = 36000 // ten minutes; longer times have the same effect
};

// The motion of the root since the last update, and the part of it that hair does not feel.
typedef struct travel {
    vrm_dvec3 from, to; // positions of the root in the world
    vrm_dvec3 carried;  // translation that hair does not feel
    vrm_quat turn;      // rotation that hair does not feel
    bool turns;
    double done; // fraction of `carried` and `turn` that springs.origin and springs.turn already include
} travel;

// Computes the motion that hair does not feel: the whole motion of the platform, and the fraction 1 - root_motion of
// the root's own motion on the platform.
static void find_travel(const vrm_instance *instance, travel *out)
{
    const vrmi_spring_globals *springs = &instance->springs;
    const bool rides = springs->has_platform && springs->had_platform;
    const float unfelt = 1.0f - springs->settings.root_motion;
    *out = (travel){.turn = vrmi_quat_identity()};
    vrm_dvec3 ridden = {0.0, 0.0, 0.0};
    if (rides) {
        const vrm_root *was = &springs->platform_last, *is = &springs->platform;
        out->turn = vrmi_quat_normalize(vrmi_quat_mul(is->rotation, vrmi_quat_conjugate(was->rotation)));
        const vrm_dvec3 arm = vrmi_dvec3_sub(springs->root.translation, was->translation);
        const vrm_dvec3 turned = vrmi_quat_rotate_double(out->turn, arm);
        ridden = vrmi_dvec3_sub(vrmi_dvec3_add(is->translation, turned), springs->root.translation);
    }
    if (unfelt > 0.0f) {
        const vrm_quat expected = vrmi_quat_mul(out->turn, springs->root.rotation);
        const vrm_quat own = vrmi_quat_mul(instance->root.rotation, vrmi_quat_conjugate(expected));
        out->turn = vrmi_quat_normalize(vrmi_quat_mul(vrmi_quat_nlerp(vrmi_quat_identity(), own, unfelt), out->turn));
    }
    out->from = springs->root.translation;
    out->to = instance->root.translation;
    const vrm_dvec3 own = vrmi_dvec3_sub(vrmi_dvec3_sub(out->to, out->from), ridden);
    out->carried = vrmi_dvec3_add(ridden, vrmi_dvec3_scale(own, (double)unfelt));
    out->turns = rides || unfelt > 0.0f;
}

// Moves the last tick's state by the motion that hair does not feel, up to a fraction (0 to 1) of it.
static void carry_to(vrm_instance *instance, travel *way, double part)
{
    vrmi_spring_globals *springs = &instance->springs;
    springs->origin = vrmi_dvec3_add(springs->origin, vrmi_dvec3_scale(way->carried, part - way->done));
    if (way->turns && part != way->done) {
        const vrm_quat identity = vrmi_quat_identity();
        const vrm_quat before = vrmi_quat_nlerp(identity, way->turn, (float)way->done);
        const vrm_quat after = vrmi_quat_nlerp(identity, way->turn, (float)part);
        const vrm_quat more = vrmi_quat_mul(after, vrmi_quat_conjugate(before));
        springs->turn = vrmi_quat_normalize(vrmi_quat_mul(more, springs->turn));
    }
    way->done = part;
}

// Clamps a distance to values whose squares are finite.
static float near_enough(double way)
{
    return vrmi_clamp((float)(way < -1e15 ? -1e15 : (way > 1e15 ? 1e15 : way)), -1e15f, 1e15f);
}

// Returns the vector from a point to the origin of the state, in spring space.
static vrm_vec3 shift_to(const vrm_instance *instance, vrm_dvec3 origin)
{
    const vrm_dvec3 way = vrmi_dvec3_sub(instance->springs.origin, origin);
    const double scale = (double)instance->root.scale;
    return (vrm_vec3){near_enough(way.x / scale), near_enough(way.y / scale), near_enough(way.z / scale)};
}

// Records that the state is now at this fraction of the motion.
static void arrive(vrm_instance *instance, const travel *way, double part)
{
    instance->springs.origin = vrmi_dvec3_lerp(way->from, way->to, part);
    instance->springs.turn = vrmi_quat_identity();
}

static void step_at(vrm_instance *instance, travel *way, vrmi_spring_step *step)
{
    carry_to(instance, way, step->between);
    step->turn = instance->springs.turn;
    step->shift = shift_to(instance, vrmi_dvec3_lerp(way->from, way->to, step->between));
    vrmi_spring_run(instance, step);
    if (step->kind == VRMI_SPRING_STEP_TICK) {
        arrive(instance, way, step->between);
    }
}

// Moves the chains rigidly with their anchors to the start of the first tick, if more ticks are due than will run.
static void skip_to(vrm_instance *instance, travel *way, double part)
{
    vrmi_spring_step step = {.kind = VRMI_SPRING_STEP_STAND, .between = part};
    step.turn = instance->springs.turn;
    step.shift = shift_to(instance, way->from);
    vrmi_spring_carry_chains(instance, &step);
    arrive(instance, way, part);
    way->done = part;
    instance->status |= VRM_STATUS_TIME_CLAMPED;
}

static double clamp_part(double part)
{
    return part < 0.0 ? 0.0 : (part > 1.0 ? 1.0 : part);
}

static void run_ticks(vrm_instance *instance, double due, travel *way)
{
    vrmi_spring_globals *springs = &instance->springs;
    // 59.94 Hz and a rounded 1/60 are treated as 60 Hz, to avoid look aheads and a beat between the two rates.
    due = due > 1.0 - 0.002 && due < 1.0 + 0.002 ? 1.0 : (due < MAX_DUE_TICKS ? due : MAX_DUE_TICKS);
    const double start = springs->ticks;
    const double total = start + due;
    const int count = (int)(total + 1e-3);
    springs->ticks = total - count; // may be slightly negative
    if (springs->ticks < 1e-4 && springs->ticks > -1e-4) {
        springs->ticks = 0.0; // keeps a rounded dt from drifting away from the ticks
    }
    int first = 1;
    if (count > MAX_TICKS) {
        first = count - MAX_TICKS + 1;
        skip_to(instance, way, clamp_part((first - 1 - start) / due));
    }
    vrmi_spring_step step = {.kind = VRMI_SPRING_STEP_TICK, .dt = tick_seconds};
    const bool looks_ahead = springs->ticks > 1e-3;
    for (int i = first; i <= count; ++i) {
        step.between = clamp_part((i - start) / due);
        step.shows = i == count && !looks_ahead && step.between > 1.0 - 1e-6;
        step_at(instance, way, &step);
    }
    if (looks_ahead) {
        step.shows = true;
        step.kind = VRMI_SPRING_STEP_LOOK_AHEAD;
        step.part = (float)springs->ticks;
        step.between = 1.0;
        step_at(instance, way, &step);
    }
}

static void advance(vrm_instance *instance, const vrm_update_params *params)
{
    travel way;
    find_travel(instance, &way);
    if (params->spring_time == VRM_SPRING_TIME_REFERENCE) {
        vrmi_spring_step step = {
            .kind = VRMI_SPRING_STEP_TICK, .dt = params->dt, .between = 1.0, .shows = true, .profile = params->profile};
        step_at(instance, &way, &step);
        instance->springs.ticks = 0.0;
    } else {
        run_ticks(instance, 60.0 * (double)params->dt, &way);
    }
    carry_to(instance, &way, 1.0);
    vrmi_spring_keep(instance);
    instance->springs.root = instance->root;
    instance->springs.platform_last = instance->springs.platform;
    instance->springs.had_platform = instance->springs.has_platform;
}

// Runs ticks in the current pose.
static void settle(vrm_instance *instance)
{
    vrmi_spring_step step = {
        .kind = VRMI_SPRING_STEP_TICK, .dt = tick_seconds, .between = 1.0, .turn = vrmi_quat_identity()};
    const int count = (int)(instance->springs.settle * 60.0f + 0.5f);
    for (int i = 0; i < count; ++i) {
        vrmi_spring_run(instance, &step);
    }
}

// --- what is shown -------------------------------------------------------------------------------------------------

// Steps write the rotations of chains with full weight. Other rotations are blended with values that a step does not
// have.
static void choose_shown(vrm_instance *instance)
{
    const vrmi_spring_group_row *groups = vrmi_model_spring_group(instance->model);
    for (uint32_t i = 0; !instance->springs.chosen && i < instance->model->spring_group.count; ++i) {
        uint32_t shows = 0;
        for (uint32_t lane = 0; lane < groups[i].chain_count; ++lane) {
            shows |= (instance->spring_weight[groups[i].chains[lane]] >= 1.0f ? 1u : 0u) << lane;
        }
        instance->spring_shows[i] = (uint8_t)shows;
    }
    instance->springs.chosen = true;
}

// Blends the rotations of a chain that was not simulated in this update.
static void mix_rotations(vrm_instance *instance, uint32_t chain, bool pose_is_fresh)
{
    const vrmi_model *model = instance->model;
    const vrmi_chain_row *row = &vrmi_model_spring_chain(model)[chain];
    const float weight = instance->spring_weight[chain];
    for (uint32_t j = row->first_joint; j < row->first_joint + row->joint_count; ++j) {
        const uint32_t node = vrmi_model_spring_joint(model)[j].node, slot = vrmi_model_spring_slot(model)[j];
        if (!vrmi_has_pose(instance, node) || !vrmi_spring_turns(model, node)) {
            continue; // blended when it is read, or equal to the pose, which blending would round
        }
        // If no stage has written the rotation, `local` still has the rotation shown last. Blending with that value
        // would creep.
        const bool is_fresh = pose_is_fresh && !vrmi_hierarchy_is_hair(instance, node);
        const vrm_quat input = is_fresh ? vrmi_local(instance, node)->rotation : vrmi_input(instance, node)->rotation;
        const vrm_quat shown = vrmi_lane_quat(&instance->spring_state[slot / VRMI_LANES].shown, slot % VRMI_LANES);
        vrmi_local(instance, node)->rotation = vrmi_hair_mix(input, shown, weight);
    }
}

// Blends the chains with a weight below 1. A chain under a joint of another chain is in that chain's subtree, and comes
// after it.
static void mix_chains(vrm_instance *instance, bool pose_is_fresh)
{
    const vrmi_model *model = instance->model;
    const vrmi_chain_row *rows = vrmi_model_spring_chain(model);
    bool any = false;
    for (uint32_t c = 0; c < model->spring_chain.count; ++c) {
        if (instance->spring_weight[c] < 1.0f) {
            mix_rotations(instance, c, pose_is_fresh);
            any = true;
        }
    }
    for (uint32_t c = 0; any && c < model->spring_chain.count; ++c) {
        if (instance->spring_weight[c] < 1.0f) {
            const uint32_t node = vrmi_model_spring_joint(model)[rows[c].first_joint].node;
            vrmi_hierarchy_update_hair(instance, node, vrmi_model_node_subtree_end(model)[node]);
        }
    }
}

// Writes all shown values to the output pose and the world matrices.
static void show(vrm_instance *instance, bool pose_is_fresh)
{
    vrmi_spring_globals *springs = &instance->springs;
    instance->hair_at_rest = false;
    if (!springs->shown) {
        const vrmi_spring_step step = {
            .kind = VRMI_SPRING_STEP_SHOW, .between = 1.0, .shows = true, .turn = vrmi_quat_identity()};
        vrmi_spring_run(instance, &step);
    } else {
        instance->hair_moved = true;
    }
    vrmi_hierarchy_followers(instance);
    mix_chains(instance, pose_is_fresh);
}

void vrmi_stage_spring(vrm_instance *instance, const vrm_update_params *params)
{
    vrmi_spring_globals *springs = &instance->springs;
    if (instance->model->spring_joint.count == 0) {
        return;
    }
    springs->shown = false;
    choose_shown(instance);
    vrmi_spring_begin(instance);
    const uint32_t pending = springs->pending;
    springs->pending = 0;
    if (pending & VRMI_SPRING_PENDING_RESET) {
        vrmi_spring_show_rest(instance);
    }
    if (pending != 0) {
        vrmi_spring_stand(instance);
    }
    if (pending & VRMI_SPRING_PENDING_SETTLE) {
        settle(instance);
    }
    const bool passes = (pending & VRMI_SPRING_PENDING_CARRY) != 0 && (pending & VRMI_SPRING_PENDING_RESET) == 0;
    if (springs->settings.paused) {
        springs->pending = VRMI_SPRING_PENDING_CARRY;
    } else if (params->dt > 0.0f && !passes) {
        advance(instance, params);
    }
    show(instance, (params->stages & VRM_STAGE_POSE) != 0);
    instance->hair_moved |= (pending & ~(uint32_t)VRMI_SPRING_PENDING_CARRY) != 0;
}
