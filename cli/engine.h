// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef CLI_ENGINE_H
#define CLI_ENGINE_H

// The engine that moves ragdoll bodies in `vrm simulate` and `vrm trace`. Only the program vrm-ode
// (adapters/ode/command), which has the same verbs, links ODE.

#include "cli.h"

#define CLI_ENGINE_WORDS "light ode" // in the order of the enum
typedef enum cli_engine { CLI_ENGINE_LIGHT, CLI_ENGINE_ODE } cli_engine;

// Finds the function that creates the engine. If this program does not contain the engine, the function replaces the
// process by the program that does. It returns only if that program is missing, with the exit code for it.
int cli_find_engine(cli_job *job, cli_engine wanted, scene_engine_make **out_make);

#endif
