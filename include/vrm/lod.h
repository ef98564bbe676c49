// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_LOD_H
#define VRM_LOD_H

/// @file lod.h
/// Level of detail: less work for avatars that are small on the screen, and none for those that stand still. Levels
/// and intervals may change in any frame; the difference of intervals from full detail is measured in
/// docs/level-of-detail.md.

#include <vrm/update.h>

/// How much of its updates an instance may skip.
typedef enum vrm_lod {
    /// Everything. Default.
    VRM_LOD_FULL = 0,
    /// Once everything has been still for half a second, updates do nothing until something changes: a setter gives a
    /// different value (of the instance, or of the attached clip player), the mask of stages changes, or a blink is
    /// due. The outputs stay as they are, except for scrolling textures. An instance does not sleep while something in
    /// it moves: a playing clip, a fade, lip-sync, a look chain that moves or has micro-saccades, a running ragdoll,
    /// hair faster than 0.2 degrees a second. Nor does an instance sleep whose updates leave out VRM_STAGE_OUTPUT, or
    /// whose pose the host changes between the halves.
    VRM_LOD_SLEEP = 1,
    VRM_LOD_COUNT = 2
} vrm_lod;

/// The level's word: "full", "sleep"; "UNKNOWN" outside the enum. Static.
VRM_API const char *vrm_lod_name(vrm_lod level);
/// Sets the level, from the next update on. INVALID_ARGUMENT for an unknown level.
VRM_API vrm_result vrm_instance_set_lod(vrm_instance *instance, vrm_lod level);
/// The level as set.
VRM_API vrm_lod vrm_instance_get_lod(const vrm_instance *instance);
/// Whether the last update was skipped because nothing moved; only true from VRM_LOD_SLEEP on.
VRM_API bool vrm_instance_is_asleep(const vrm_instance *instance);
/// Updates the whole instance only when `seconds` (0 to 1; default 0: every frame) have accumulated; in between outputs
/// are held, with their origin at the current root's translation, and vrm_instance_set_pose() has no effect. The first
/// update comes after (1 - phase) of them, phase from 0 to 1, so that the members of a crowd update in different
/// frames. No time is lost. For hosts with one update, or one pair of halves, in a frame. After vrm_instance_restore()
/// outputs are made at once, without advancing time.
VRM_API vrm_result vrm_instance_set_update_interval(vrm_instance *instance, float seconds, float phase);

enum { VRM_LOD_MAX_STEPS = 8 }; ///< Largest number of detail steps in a crowd.

/// What vrm_lod_pick() needs to know about an avatar.
typedef struct vrm_lod_view {
    float size;    ///< Height on the screen as a fraction of the screen's; 0 or below: not visible.
    uint32_t step; ///< Step in the last frame, 0 the finest; `step_count` or more counts as the last step.
} vrm_lod_view;

/// Options for picking steps. The host decides what a step means: docs/level-of-detail.md gives each an update
/// interval.
typedef struct vrm_lod_params {
    uint32_t struct_size;
    uint32_t step_count; ///< Number of steps, 1 to VRM_LOD_MAX_STEPS; default 3.
    /// Smallest size of each step, decreasing; 0 for the last one. Default 0.15, 0.04, 0.
    float size[VRM_LOD_MAX_STEPS];
    /// Hysteresis, 0 to 0.9: an avatar leaves its step only when its size is beyond the border by this fraction;
    /// default 0.15.
    float hysteresis;
    /// Cost of one avatar in a frame at each step, microseconds, not negative; default 0.
    float cost[VRM_LOD_MAX_STEPS];
    float budget; ///< Budget for all of them, microseconds; 0 (default): no limit.
} vrm_lod_params;

/// Fills it with the defaults.
VRM_API void vrm_lod_params_default(vrm_lod_params *rules, size_t size);
#define vrm_lod_params_default(rules) vrm_lod_params_default(rules, sizeof *(rules))
/// Picks a step for each of `count` avatars by its size, with hysteresis. While the total cost exceeds the budget, the
/// smallest avatar moves to the next cheaper step, then the next smallest, and so on. In this comparison an avatar
/// counts as larger by the hysteresis for each step by which it was finer than the last step, so that two avatars of
/// similar size do not alternate. A pure function: the same views give the same steps, whatever their order; among
/// avatars of equal size the later one moves first. Invisible avatars get the last step. `order` is room for `count`
/// indices. A size that is not finite is 0. If the budget is still exceeded, all are at their cheapest step.
/// INVALID_ARGUMENT for options outside their ranges and for `step` of VRM_LOD_MAX_STEPS or more.
VRM_API vrm_result vrm_lod_pick(
    const vrm_lod_params *rules, const vrm_lod_view *views, uint32_t count, uint32_t *order, uint32_t *out_steps);

#endif
