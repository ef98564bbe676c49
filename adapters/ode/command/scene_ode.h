// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef ODE_COMMAND_SCENE_ODE_H
#define ODE_COMMAND_SCENE_ODE_H

// ODE as the engine of a scene: of vrm-ode, of tests and of campaigns.

#include "ragdoll_scene.h"

scene_engine_make scene_ode_engine;

#endif
