// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MODEL_COOK_H
#define VRMI_MODEL_COOK_H

#include <stddef.h>
#include <stdint.h>

// The header before the model in a cooked avatar. It has 64 bytes, so the model is aligned whenever the header is.
typedef struct vrmi_cooked_head {
    char magic[8]; // base/cooked_magic.h
    uint32_t version;
    uint32_t layout;    // layout of the tables in this build
    uint64_t size;      // bytes of the model
    uint64_t checksum;  // vrmi_cooked_checksum() of the model
    uint32_t order;     // a fixed number in the writer's byte order
    uint32_t unused[7]; // zeros
} vrmi_cooked_head;

// Returns a checksum; `size` must be a multiple of 16.
uint64_t vrmi_cooked_checksum(const void *bytes, size_t size);

#endif
