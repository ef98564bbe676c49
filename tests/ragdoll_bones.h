// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef TESTS_RAGDOLL_BONES_H
#define TESTS_RAGDOLL_BONES_H

// Which body is a bone's.

#include <vrm/ragdoll_def.h>

// -1 where the bone has none.
static inline int32_t ragdoll_body_of(const vrm_ragdoll_def *def, vrm_human_bone bone)
{
    for (uint32_t i = 0; i < def->body_count; ++i) {
        if (def->bodies[i].bone == bone) {
            return (int32_t)i;
        }
    }
    return -1;
}

#endif
