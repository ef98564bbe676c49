// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_SPRING_SPRING_STEP_H
#define VRMI_RUNTIME_SPRING_SPRING_STEP_H

// A step of the springs (VRMC_springBone-1.0, VRMC_springBone_extended_collider-1.0, VRMC_springBone_limit-1.0-draft).
// Eight chains run in parallel, one joint of each at a time from root to tip; or one chain runs alone. One source
// (kernel_spring_body.h) is compiled for one lane, and for eight lanes as plain C, two fours and AVX2, all with the
// same bits. It uses only products, square roots and divisions, no angles.

#include "runtime/core/instance.h"

typedef enum vrmi_spring_step_kind {
    VRMI_SPRING_STEP_TICK,       // the specification's step; changes the state and the shown rotations
    VRMI_SPRING_STEP_LOOK_AHEAD, // a fraction of a step; changes only the shown rotations
    VRMI_SPRING_STEP_STAND,      // keeps the shown rotations, without motion; changes only the state
    VRMI_SPRING_STEP_SHOW        // keeps the shown rotations; changes no state
} vrmi_spring_step_kind;

typedef struct vrmi_spring_step {
    vrmi_spring_step_kind kind;
    float dt;       // seconds of a whole tick
    float part;     // LOOK_AHEAD: fraction of the tick
    double between; // time of the anchors' poses: 0 at the last update, 1 at this update
    vrm_profile profile;
    bool shows; // true for the last step of an update, at the pose that is shown: it writes the outputs
    // The motion from the space of the last tick to the spring space of this step, for chains without a center.
    vrm_quat turn;
    vrm_vec3 shift;
} vrmi_spring_step;

// Rows computed for the current pose, used if it differs from the model's rows. Two rows are used alternately, because
// each row is computed from the row above.
typedef struct vrmi_spring_posed {
    vrmi_spring_group_row group;
    vrmi_spring_row row[2];
    vrmi_spring_between between;
} vrmi_spring_posed;

// A group in a step, or one lane of a group.
typedef struct vrmi_spring_group_run {
    const vrmi_spring_group_row *group;
    vrmi_spring_posed *posed; // NULL for the model's rows
    uint32_t lane;            // lane of a kernel with one lane; otherwise 0
    uint32_t only;            // bit mask: lanes that take part
    uint32_t lost;            // bit mask: lanes whose state is not finite
    uint32_t shows;           // bit mask: lanes whose joints are written to the outputs
    bool uneven;              // the step applies scales
    bool stretched;           // some anchor's scale differs from rest
    uint32_t ahead;           // LOOK_AHEAD: bit mask of lanes that use the colliders at the end of the tick
    // The motion that moves the last tick's state to this step. If no chain has a center, it is the motion of the step.
    bool turns, centered;
    vrmi_vec3_lanes carry_translation;
    vrmi_quat_lanes carry_rotation;
} vrmi_spring_group_run;

enum { VRMI_SPRING_BATCH = 4 }; // groups that run together

typedef struct vrmi_spring_kernels {
    // Runs a step of some groups together. A row has to wait for the row above it, so the processor works on the other
    // groups' rows in the meantime.
    void (*groups)(
        vrm_instance *instance, vrmi_spring_group_run *runs, uint32_t run_count, const vrmi_spring_step *step);
    // Computes `now` of `count` anchors from `first` on, for anchors that no joint moves.
    void (*anchors)(vrm_instance *instance, uint32_t first, uint32_t count);
    // Computes poses of `count` anchors on joints from `first` on, and their stretches if this update has any.
    void (*carried)(vrm_instance *instance, uint32_t first, uint32_t count);
    // Computes the listed colliders. Writes them to spring_collider, or to spring_ahead if `ahead`.
    void (*colliders)(vrm_instance *instance, const uint32_t *list, uint32_t count, bool ahead);
} vrmi_spring_kernels;

// Returns the row of an anchor, which is in the model or belongs to a host collider on a node. The node of an empty
// slot is -2.
static inline const vrmi_spring_anchor_row *vrmi_spring_anchor_row_of(const vrm_instance *instance, uint32_t index)
{
    const uint32_t own = instance->model->spring_anchor.count;
    return index < own ? &vrmi_model_spring_anchor(instance->model)[index] : &instance->spring_host[index - own].anchor;
}

// Returns a collider and its anchor. The avatar's colliders come first, then one per slot of host colliders.
static inline const vrmi_collider_row *vrmi_spring_collider_of(
    const vrm_instance *instance, uint32_t index, uint32_t *out_anchor)
{
    const vrmi_model *model = instance->model;
    const uint32_t own = model->collider.count;
    *out_anchor = index < own ? vrmi_model_collider_anchor(model)[index] : model->spring_anchor.count + index - own;
    return index < own ? &vrmi_model_collider(model)[index] : &instance->spring_host[index - own].placed;
}

// Sets up the tables for computing rows in the current pose.
static inline void vrmi_spring_pose_tables(const vrm_instance *instance, vrmi_spring_tables *tables)
{
    tables->posed = instance->local;
    tables->posed_row = vrmi_model_node_pose(instance->model);
    tables->posed_count = instance->pose_rows;
}

// Computes a row's `relative` in the current pose. Unlike the model's value it has no folded scales: `scale` and `base`
// are taken as 1.
static inline void vrmi_spring_posed_relative(
    const vrm_instance *instance, const vrmi_spring_anchor_row *row, vrm_mat34 *out)
{
    vrmi_spring_anchor_row unfolded = *row;
    vrmi_spring_tables tables = vrmi_model_spring_tables(instance->model);
    const vrmi_spring_row *carrier = &vrmi_model_spring_row(instance->model)[row->carrier / VRMI_LANES];
    vrmi_spring_pose_tables(instance, &tables);
    unfolded.base = unfolded.scale = 1.0f;
    vrmi_spring_relative(&tables, &unfolded, carrier->node[row->carrier % VRMI_LANES], out);
}

extern const vrmi_spring_kernels vrmi_spring_kernels_scalar;
// Return NULL if the build does not have these instructions. VRM_LANES=FOUR has no kernels of one lane.
const vrmi_spring_kernels *vrmi_spring_kernels_one(void);
const vrmi_spring_kernels *vrmi_spring_kernels_four(void);
const vrmi_spring_kernels *vrmi_spring_kernels_avx2(void);
// Returns the kernels of a vrmi_lanes_path, or of the next lower path that the build has.
const vrmi_spring_kernels *vrmi_spring_kernels_of(uint32_t path);

// Returns the kernels for `count` anchors or colliders. The kernels for a single anchor or collider have one lane,
// since eight lanes take twice as long.
static inline const vrmi_spring_kernels *vrmi_spring_kernels_for(const vrm_instance *instance, uint32_t count)
{
    const vrmi_spring_kernels *one = count == 1 ? vrmi_spring_kernels_one() : NULL;
    return one != NULL ? one : vrmi_spring_kernels_of(instance->lanes);
}

// Whether the springs rotate this node of spring_path.
static inline bool vrmi_spring_turns(const vrmi_model *model, uint32_t node)
{
    return (vrmi_model_spring_path_turn(model)[node / 32] >> node % 32 & 1u) == 0;
}

// Returns the motion that moves the state of chains without a center to this step.
static inline vrmi_rigid vrmi_spring_step_carry(const vrmi_spring_step *step)
{
    const vrm_quat q = step->turn;
    return (vrmi_rigid){q.x != 0.0f || q.y != 0.0f || q.z != 0.0f, q, step->shift};
}

static inline uint32_t vrmi_spring_anchor_count(const vrm_instance *instance)
{
    return instance->model->spring_anchor.count + instance->def.host_colliders;
}

// --- anchors and colliders (spring_place.c) ------------------------------------------------------------------------

// Reads the anchors' poses in this update from the world matrices. Also notes changed scales and moved nodes of the
// hair.
void vrmi_spring_refresh(vrm_instance *instance);
// Stores the poses of this update as those of the last update.
void vrmi_spring_keep(vrm_instance *instance);
// Resets an anchor to the origin, without stretch.
void vrmi_spring_clear_anchor(vrm_instance *instance, uint32_t index, float fold);
// Sets how scales stretch an anchor; NULL: no stretch.
void vrmi_spring_set_stretch(vrm_instance *instance, uint32_t index, const vrmi_spring_stretch *stretch);
// Computes the anchors' poses for a step by interpolation between the two updates. An anchor on a joint keeps its pose
// of the last tick until the joint moves it.
void vrmi_spring_place_anchors(vrm_instance *instance, const vrmi_spring_step *step);
// Computes the poses of the anchors on joints of the wave before, which must have run; in a look ahead, also their
// poses at the end of the tick.
void vrmi_spring_place_carried(vrm_instance *instance, uint32_t wave, const vrmi_spring_step *step);
// Computes the anchors' poses at the end of the current tick, if they continue to move as since the last tick.
void vrmi_spring_look_ahead(vrm_instance *instance, const vrmi_spring_step *step);
// Places the avatar's colliders of a wave (0: all of them), and the host's colliders.
void vrmi_spring_place_colliders(vrm_instance *instance, uint32_t wave, const vrmi_spring_step *step, bool ahead);
// Stores the poses of the step as those of the last tick.
void vrmi_spring_keep_ticks(vrm_instance *instance);
// Attaches the slot of a host collider to a node (-1: the space above the root nodes; -2: nothing).
void vrmi_spring_attach_host(vrm_instance *instance, uint32_t slot, int32_t node);
// Sets a host collider's last position to its current one.
void vrmi_spring_forget_host(vrm_instance *instance, uint32_t slot);

// --- steps (spring_step.c); only stage_spring.c handles time ---------------------------------------------------------

// Whether the result of the step becomes the state of the last tick.
static inline bool vrmi_spring_step_is_kept(const vrmi_spring_step *step)
{
    return step->kind == VRMI_SPRING_STEP_TICK || step->kind == VRMI_SPRING_STEP_STAND;
}

// Begins an update: reads anchors and host colliders. New host colliders have no motion.
void vrmi_spring_begin(vrm_instance *instance);
// Runs the step, wave by wave.
void vrmi_spring_run(vrm_instance *instance, const vrmi_spring_step *step);
// Runs a STAND step in the pose of this update, without any motion.
void vrmi_spring_stand(vrm_instance *instance);
// Sets the shown rotations to the rest rotations.
void vrmi_spring_show_rest(vrm_instance *instance);
// Moves each chain's state rigidly with its anchor, from the last update to `step->between`. `shift` and `turn` are the
// motion to the last update's spring space.
void vrmi_spring_carry_chains(vrm_instance *instance, const vrmi_spring_step *step);

#endif
