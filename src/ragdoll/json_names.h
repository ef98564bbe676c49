// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_RAGDOLL_JSON_NAMES_H
#define VRMI_RAGDOLL_JSON_NAMES_H

// Names in a ragdoll's JSON, for reading and writing. They are defined in json_write.c.

#include <vrm/ragdoll.h>

enum { VRMI_RAGDOLL_JSON_VERSION = 1 };

#define VRMI_RAGDOLL_DEGREE (3.14159265358979323846 / 180.0)

extern const char *const vrmi_ragdoll_shape_names[VRM_RAGDOLL_SHAPE_COUNT];
extern const char *const vrmi_ragdoll_joint_names[VRM_RAGDOLL_JOINT_COUNT];

#endif
