// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "runtime/clip_player.h"
#include "runtime/stages.h"

void vrmi_stage_animation(vrm_instance *instance, float dt)
{
    if (instance->player != NULL) {
        vrmi_player_advance(instance->player, dt);
        vrmi_player_write_face(instance->player, instance);
    }
}
