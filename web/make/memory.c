// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Memory functions that replace emscripten's. Those work byte by byte (memcmp) or with four bytes at a time, but a
// frame compares, copies and clears many small blocks. This file is compiled without built-in functions, because the
// compiler would otherwise turn the loops into calls of these functions.

#include <stddef.h>
#include <stdint.h>

typedef struct __attribute__((packed, may_alias)) word {
    uint64_t bits;
} word;

int memcmp(const void *a, const void *b, size_t size)
{
    const unsigned char *x = a, *y = b;
    for (; size >= 8 && ((const word *)(const void *)x)->bits == ((const word *)(const void *)y)->bits; size -= 8) {
        x += 8;
        y += 8;
    }
    for (; size > 0; --size, ++x, ++y) {
        if (*x != *y) {
            return *x - *y;
        }
    }
    return 0;
}

void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    unsigned char *t = to;
    const unsigned char *f = from;
    for (; size >= 8; size -= 8, t += 8, f += 8) {
        *(word *)(void *)t = *(const word *)(const void *)f;
    }
    for (; size > 0; --size) {
        *t++ = *f++;
    }
    return to;
}

void *memset(void *to, int value, size_t size)
{
    unsigned char *t = to;
    const word all = {0x0101010101010101u * (unsigned char)value};
    for (; size >= 8; size -= 8, t += 8) {
        *(word *)(void *)t = all;
    }
    for (; size > 0; --size) {
        *t++ = (unsigned char)value;
    }
    return to;
}
