// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MODEL_NAMES_H
#define VRMI_MODEL_NAMES_H

#include <vrm/expression.h>
#include <vrm/humanoid.h>
#include <vrm/ragdoll.h>

// The preset with this name in the file (case-sensitive), or -1.
int32_t vrmi_preset_from_name(const char *name, size_t length);
// The group that a preset belongs to; NONE for customs.
vrm_expression_group vrmi_preset_group(vrm_expression_preset preset);
// Whether every humanoid must have the bone.
bool vrmi_human_bone_is_required(vrm_human_bone bone);
// The same bone of the other side; a bone in the middle is its own mirror.
vrm_human_bone vrmi_human_bone_mirror(vrm_human_bone bone);
// Names of the parts of a ragdoll in files. Defined in ragdoll_def.c.
extern const char *const vrmi_ragdoll_group_names[VRM_RAGDOLL_GROUP_COUNT];

#endif
