// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The order of a frame, on one screen (rule R3): the only caller of the stages.

#include "runtime/hierarchy.h"
#include "runtime/stages.h"
