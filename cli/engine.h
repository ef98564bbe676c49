// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef CLI_ENGINE_H
#define CLI_ENGINE_H

// What moves the bodies of a ragdoll in `vrm simulate` and `vrm trace`. ODE is linked by a program beside vrm alone,
// vrm-ode (adapters/ode/command): the same verbs with another engine.

#include "cli.h"

#define CLI_ENGINE_WORDS "light ode" // in the order of the enum
typedef enum cli_engine { CLI_ENGINE_LIGHT, CLI_ENGINE_ODE } cli_engine;

// How an engine is made. Where this program does not have it, the one that has takes its place, and what comes back is
// the exit code of its absence.
int cli_find_engine(cli_job *job, cli_engine wanted, scene_engine_make **out_make);

#endif
