// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Replaces the other files of this folder in a library without ragdolls (VRM_RAGDOLL=OFF).

#include "math/cursor.h"
#include "runtime/core/instance.h"
#include "runtime/stages.h"

void vrmi_ragdoll_init(vrm_instance *instance)
{
    instance->ragdoll = (vrmi_ragdoll){.phase = VRM_RAGDOLL_PHASE_OFF};
}

void vrmi_stage_ragdoll_drive(vrm_instance *instance, float dt)
{
    (void)instance;
    (void)dt;
}

void vrmi_stage_ragdoll_read(vrm_instance *instance)
{
    (void)instance;
}

bool vrmi_ragdoll_is_still(const vrm_instance *instance)
{
    (void)instance;
    return true;
}

void vrmi_ragdoll_carry(vrm_instance *instance, const vrm_root *before, bool keep_velocities)
{
    (void)instance;
    (void)before;
    (void)keep_velocities;
}

// Writes the same bytes that a library with ragdolls writes for an instance without one.
void vrmi_ragdoll_snapshot(vrm_instance *instance, vrmi_cursor *cursor)
{
    (void)instance;
    vrmi_cursor_require(cursor, vrmi_cursor_steer(cursor, 0, VRM_RAGDOLL_MAX_BODIES) == 0);
}
