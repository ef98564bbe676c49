// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef ODE_COMMAND_SCENE_ODE_H
#define ODE_COMMAND_SCENE_ODE_H

// ODE as a physics engine for scenes, used by vrm-ode, tests and campaigns.

#include "ragdoll_scene.h"

scene_engine_make scene_ode_engine;

#endif
