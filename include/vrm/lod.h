// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_LOD_H
#define VRM_LOD_H

/// @file lod.h
/// Level of detail: less work for avatars that are small on the screen, and none for those that stand still. Levels
/// and intervals may change in any frame; what intervals show beside full detail is measured in docs/level-of-detail.md.

#include <vrm/update.h>

/// What an instance's updates may leave out.
typedef enum vrm_lod {
    /// Everything. Default.
    VRM_LOD_FULL = 0,
    /// Once everything has been still for half a second, updates do nothing until something changes: any setter that
    /// gives another value than before (of the instance, or of the clip player that is attached), another mask of
    /// stages, a blink that is due. The outputs stay as they are, textures that scroll go on. What moves by itself
    /// does not sleep: a clip that plays, a fade, lip-sync on its way, a look chain that moves or has micro-saccades,
    /// a running ragdoll, hair above 0.2 degrees a second. Nor does an instance whose updates leave out
    /// VRM_STAGE_OUTPUT, or whose pose the host changes between the halves.
    VRM_LOD_SLEEP = 1,
    VRM_LOD_COUNT = 2
} vrm_lod;

/// The level's word: "full", "sleep"; "UNKNOWN" outside the enum. Static.
VRM_API const char *vrm_lod_name(vrm_lod level);
/// Sets the level, from the next update on. INVALID_ARGUMENT for an unknown level.
VRM_API vrm_result vrm_instance_set_lod(vrm_instance *instance, vrm_lod level);
/// The level as set.
VRM_API vrm_lod vrm_instance_get_lod(const vrm_instance *instance);
/// Whether the last update had nothing to do; only true from VRM_LOD_SLEEP on.
VRM_API bool vrm_instance_is_asleep(const vrm_instance *instance);
/// Updates of the whole instance only once `seconds` (0 to 1; default 0: always) have gathered; in between outputs
/// are held, with their origin at the root's translation of now, and vrm_instance_set_pose() has no effect. The first
/// comes after (1 - phase) of them, phase from 0 to 1, so that a crowd's fall into different frames. No time is lost.
/// For hosts with one update, or one pair of halves, in a frame. After vrm_instance_restore() outputs are made at
/// once, in no time.
VRM_API vrm_result vrm_instance_set_update_interval(vrm_instance *instance, float seconds, float phase);

enum { VRM_LOD_MAX_STEPS = 8 }; ///< Of detail in a crowd.

/// What vrm_lod_pick() knows of an avatar.
typedef struct vrm_lod_view {
    float size;    ///< Height on the screen as a fraction of it; 0 or below: not visible.
    uint32_t step; ///< Step of the last frame, 0 the finest; `step_count` or more counts as the last step.
} vrm_lod_view;

/// How steps are picked. What a step is, the host decides: docs/level-of-detail.md gives each an update interval.
typedef struct vrm_lod_params {
    uint32_t struct_size;
    uint32_t step_count;           ///< 1 to VRM_LOD_MAX_STEPS; default 3.
    float size[VRM_LOD_MAX_STEPS]; ///< Smallest size of each step, falling; of the last one 0. Default 0.15, 0.04, 0.
    float hysteresis;              ///< 0 to 0.9: a step is left only beyond this part of its borders; default 0.15.
    float cost[VRM_LOD_MAX_STEPS]; ///< Microseconds of one avatar in a frame at each step, not negative; default 0.
    float budget;                  ///< Microseconds for all of them; 0 (default): no limit.
} vrm_lod_params;

/// Fills it with the defaults.
VRM_API void vrm_lod_params_default(vrm_lod_params *rules, size_t size);
#define vrm_lod_params_default(rules) vrm_lod_params_default(rules, sizeof *(rules))
/// Picks a step for each of `count` avatars by its size, with hysteresis. While the total cost exceeds the budget, the
/// smallest avatar moves to the next cheaper step, then the next smallest, and so on. In this comparison an avatar counts
/// as larger by the hysteresis for each step by which it was finer than the last step, so that two avatars of similar size
/// do not alternate. Pure: the same views give the same steps, whatever their order; of avatars that count the same the
/// later one gives way first. Who is not to be seen gets the last step. `order` is room for `count` indices. A size that is
/// not finite is 0. When even that is not enough for the budget, all are at their cheapest. INVALID_ARGUMENT for rules
/// outside their ranges and for views of steps from VRM_LOD_MAX_STEPS on.
VRM_API vrm_result vrm_lod_pick(
    const vrm_lod_params *rules, const vrm_lod_view *views, uint32_t count, uint32_t *order, uint32_t *out_steps);

#endif
