// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_LOD_H
#define VRM_LOD_H

/// @file lod.h
/// Level of detail: less work for avatars that are small on the screen, and none for those that do not move. Levels and
/// intervals may change in any frame. docs/level-of-detail.md has measurements of how the intervals differ from full
/// detail.

#include <vrm/update.h>

/// How much of its updates an instance can skip.
typedef enum vrm_lod {
    /// Every update does all its work. The default.
    VRM_LOD_FULL = 0,
    /// Sleep: once everything has been still for half a second, updates do nothing until something changes: a setter
    /// gives a different value (of the instance, or of the attached clip player), the mask of stages changes, or a
    /// blink is due. The outputs stay as they are, except for scrolling textures. An instance does not sleep while
    /// something in it moves: a playing clip, a fade, lip-sync, a look chain that moves or has micro-saccades, a
    /// running ragdoll, or hair faster than 0.2 degrees per second. It also does not sleep if its updates leave out
    /// VRM_STAGE_OUTPUT, or if the host changes its pose between the halves.
    VRM_LOD_SLEEP = 1,
    VRM_LOD_COUNT = 2
} vrm_lod;

/// Returns the level's name: "full", "sleep"; "UNKNOWN" for a value outside the enum. The string is static.
VRM_API const char *vrm_lod_name(vrm_lod level);
/// Sets the level of detail; takes effect at the next update. Returns INVALID_ARGUMENT for an unknown level.
VRM_API vrm_result vrm_instance_set_lod(vrm_instance *instance, vrm_lod level);
/// Returns the level of detail as set.
VRM_API vrm_lod vrm_instance_get_lod(const vrm_instance *instance);
/// Returns true if the last update was skipped because nothing moved. Always false at VRM_LOD_FULL.
VRM_API bool vrm_instance_is_asleep(const vrm_instance *instance);
/// Sets the interval between updates, `seconds` from 0 to 1; default 0: every frame is updated. The whole instance is
/// updated only when this time has accumulated. In between, the outputs are held, with the current root's translation
/// as their origin, and vrm_instance_set_pose() has no effect. The first update comes after (1 - phase) of the
/// interval, `phase` from 0 to 1, so that the members of a crowd update in different frames. No time is lost. For hosts
/// with one update, or one pair of halves, in a frame. After vrm_instance_restore() outputs are computed at once,
/// without advancing time.
VRM_API vrm_result vrm_instance_set_update_interval(vrm_instance *instance, float seconds, float phase);

enum { VRM_LOD_MAX_STEPS = 8 }; ///< Largest number of detail steps in a crowd.

/// Input of vrm_lod_pick() for one avatar.
typedef struct vrm_lod_view {
    float size;    ///< Height on the screen as a fraction of the screen's height; 0 or below: not visible.
    uint32_t step; ///< Step in the last frame, 0 the finest. `step_count` or more counts as the last step.
} vrm_lod_view;

/// Options of vrm_lod_pick(). The host decides what a step means; in docs/level-of-detail.md each step has an update
/// interval.
typedef struct vrm_lod_params {
    uint32_t struct_size;
    uint32_t step_count; ///< Number of steps, 1 to VRM_LOD_MAX_STEPS; default 3.
    /// Smallest size of an avatar for each step, decreasing; 0 for the last step. Default 0.15, 0.04, 0.
    float size[VRM_LOD_MAX_STEPS];
    /// Hysteresis, 0 to 0.9; default 0.15. An avatar leaves its step only if its size is beyond the border of the step
    /// by this fraction.
    float hysteresis;
    /// Cost of one avatar per frame at each step, microseconds, not negative; default 0.
    float cost[VRM_LOD_MAX_STEPS];
    float budget; ///< Budget per frame for all avatars, microseconds; 0 (default): no limit.
} vrm_lod_params;

/// Fills `rules` with the defaults.
VRM_API void vrm_lod_params_default(vrm_lod_params *rules, size_t size);
#define vrm_lod_params_default(rules) vrm_lod_params_default(rules, sizeof *(rules))
/// Picks a step for each of `count` avatars by its size, with hysteresis. While the total cost exceeds the budget, one
/// avatar after the other moves to the next cheaper step, the smallest first. If the budget cannot be met, all avatars
/// end at their cheapest step. In this order an avatar counts as larger by the hysteresis for each step between its
/// step in the last frame and the last step. So two avatars of similar size do not alternate. Among avatars of equal
/// size the later one moves first. Invisible avatars get the last step. A size that is not finite counts as 0.
///
/// A pure function: the same views give the same steps, whatever their order. `order` is working memory for `count`
/// indices. Returns INVALID_ARGUMENT for options out of range, and for a `step` of VRM_LOD_MAX_STEPS or more.
VRM_API vrm_result vrm_lod_pick(
    const vrm_lod_params *rules, const vrm_lod_view *views, uint32_t count, uint32_t *order, uint32_t *out_steps);

#endif
