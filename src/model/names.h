// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MODEL_NAMES_H
#define VRMI_MODEL_NAMES_H

#include <vrm/expression.h>
#include <vrm/humanoid.h>
#include <vrm/ragdoll.h>

// Returns the preset that has this name in files (case-sensitive), -1 for an unknown name.
int32_t vrmi_preset_from_name(const char *name, size_t length);
// Returns the group of a preset; NONE for custom expressions.
vrm_expression_group vrmi_preset_group(vrm_expression_preset preset);
// Whether every humanoid must have the bone.
bool vrmi_human_bone_is_required(vrm_human_bone bone);
// Returns the same bone of the other side. A bone in the middle is its own mirror.
vrm_human_bone vrmi_human_bone_mirror(vrm_human_bone bone);
// Names of a ragdoll's groups of bodies in files. Defined in ragdoll_def.c.
extern const char *const vrmi_ragdoll_group_names[VRM_RAGDOLL_GROUP_COUNT];

#endif
