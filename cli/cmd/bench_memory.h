// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef CLI_BENCH_MEMORY_H
#define CLI_BENCH_MEMORY_H

// The memory of an avatar and of its instances, for `vrm bench`.

#include <vrm/vrm.h>

#include "json_out.h"

typedef struct bench_memory {
    vrm_avatar_counts counts; // counts.bytes: size of the avatar, which its instances share
    size_t instance, parts[VRM_INSTANCE_PART_COUNT];
    size_t snapshot;    // bytes of a snapshot of an instance in motion
    size_t clip_player; // bytes of a player with the default layers
} bench_memory;

// Collects the sizes. The snapshot is measured in the present state of `instance`.
bench_memory bench_memory_of(const vrm_instance *instance);
void bench_memory_text(const bench_memory *memory, vrmi_text *out);
void bench_memory_json(const bench_memory *memory, cli_json *json);

#endif
