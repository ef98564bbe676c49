// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RUNTIME_SPRING_SHOW_H
#define VRMI_RUNTIME_SPRING_SHOW_H

// From what springs show to the outputs. World matrices of plain chains come from the step that knows where head and
// joint are, once a frame: where pose and springs run in one update, the stages before leave their subtrees alone.

#include "runtime/spring/spring_run.h"

// Finds the subtrees of plain chains, and the nodes in them that are no joints. Takes the hashes of nodes for scratch.
void vrmi_spring_find_subtrees(vrm_instance *instance);
// Before an update of both halves: lets world matrices under plain chains wait for the springs, where nothing before
// them needs one.
void vrmi_spring_defer(vrm_instance *instance);
// Something needs them now: computes what waits.
void vrmi_spring_stop_waiting(vrm_instance *instance);
// The part of [first, end) that does not wait, told range by range; `*first` is where to go on.
bool vrmi_spring_next_range(
    const vrm_instance *instance, uint32_t *first, uint32_t end, vrmi_spring_subtree *out_range);
// Before a step: which chains' joints it is to show.
void vrmi_spring_choose_shown(vrm_instance *instance, const vrmi_spring_step *step);
// Whether a step writes, or has written, what this chain shows.
bool vrmi_spring_is_shown(const vrm_instance *instance, uint32_t chain);
// Since the last call, do other chains' steps write what they show? Steps and the tree of nodes round world matrices in
// ways of their own, so that these differ though no local transform does.
bool vrmi_spring_shows_otherwise(vrm_instance *instance);
// What a joint of a plain chain shows: its local rotation and its pose, to the outputs.
void vrmi_spring_show_joint(vrm_instance *instance, uint32_t node, vrm_quat shown, const vrmi_spring_pose *pose);
// Writes all that is shown into the output pose and world matrices.
void vrmi_spring_show(vrm_instance *instance, bool pose_is_fresh);

#endif
