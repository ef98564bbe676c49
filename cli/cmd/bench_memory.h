// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef CLI_BENCH_MEMORY_H
#define CLI_BENCH_MEMORY_H

// Where an avatar's bytes are, for `vrm bench`.

#include <vrm/vrm.h>

#include "json_out.h"

typedef struct bench_memory {
    vrm_avatar_counts counts; // counts.bytes: the avatar, shared by its instances
    size_t instance, parts[VRM_INSTANCE_PART_COUNT];
    size_t snapshot;    // of an instance in motion
    size_t clip_player; // with the default layers
} bench_memory;

// `instance` has the state whose snapshot is measured.
bench_memory bench_memory_of(const vrm_instance *instance);
void bench_memory_text(const bench_memory *memory, vrmi_text *out);
void bench_memory_json(const bench_memory *memory, cli_json *json);

#endif
