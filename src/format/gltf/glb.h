// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_FORMAT_GLB_H
#define VRMI_FORMAT_GLB_H

// Constants of the GLB container, used for reading (glb.c) and writing (save.c, pack.c).

#include <stddef.h>
#include <stdint.h>

#define VRMI_GLB_MAGIC 0x46546C67u      // "glTF"
#define VRMI_GLB_CHUNK_JSON 0x4E4F534Au // "JSON"
#define VRMI_GLB_CHUNK_BIN 0x004E4942u  // "BIN\0"

enum { VRMI_GLB_HEADER = 12, VRMI_GLB_CHUNK_HEADER = 8 };

static inline uint32_t vrmi_load32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline void vrmi_store32(uint8_t *p, uint32_t value)
{
    p[0] = (uint8_t)value;
    p[1] = (uint8_t)(value >> 8);
    p[2] = (uint8_t)(value >> 16);
    p[3] = (uint8_t)(value >> 24);
}

static inline size_t vrmi_align4(size_t size)
{
    return (size + 3) / 4 * 4;
}

// Writes a chunk's header and returns the position of the chunk's data.
static inline uint8_t *vrmi_glb_chunk(uint8_t *out, uint32_t size, uint32_t type)
{
    vrmi_store32(out, size);
    vrmi_store32(out + 4, type);
    return out + VRMI_GLB_CHUNK_HEADER;
}

// Writes the header and the JSON chunk of a file of `total` bytes. Returns the position of the next chunk.
uint8_t *vrmi_glb_begin(uint8_t *out, uint32_t total, const char *json, size_t size);

#endif
