// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Compares the package's memory functions (web/make/memory.c) with the C library's: all sizes up to 40 bytes at all
// alignments.

#include "test.h"

#include <string.h>

#define memcmp own_memcmp
#define memcpy own_memcpy
#define memset own_memset
int memcmp(const void *a, const void *b, size_t size);
void *memcpy(void *restrict to, const void *restrict from, size_t size);
void *memset(void *to, int value, size_t size);
#include "../../web/make/memory.c"
#undef memcmp
#undef memcpy
#undef memset

enum { SIZE = 64, MOST = 40 };

static void fill(unsigned char *memory)
{
    for (int i = 0; i < SIZE; ++i) {
        memory[i] = (unsigned char)(37 * i + 11);
    }
}

static int sign(int value)
{
    return (value > 0) - (value < 0);
}

static void as_the_library(void)
{
    unsigned char from[SIZE], found[SIZE], expected[SIZE];
    fill(from);
    for (size_t at = 0; at < 8; ++at) {
        for (size_t size = 0; size <= MOST; ++size) {
            fill(found);
            fill(expected);
            CHECK(own_memcpy(found + at, from + 9, size) == found + at);
            memcpy(expected + at, from + 9, size);
            CHECK(memcmp(found, expected, SIZE) == 0);
            CHECK(own_memset(found + at, 0x1ab, size) == found + at);
            memset(expected + at, 0x1ab, size);
            CHECK(memcmp(found, expected, SIZE) == 0);
            CHECK(own_memcmp(found + at, expected + at, size) == 0);
            for (size_t other = 0; other < size; ++other) {
                fill(expected);
                memcpy(expected + at, found + at, size);
                expected[at + other] = (unsigned char)(expected[at + other] + 129);
                CHECK(
                    sign(own_memcmp(found + at, expected + at, size)) == sign(memcmp(found + at, expected + at, size)));
            }
        }
    }
}

static const test_case cases[] = {{"as_the_library", as_the_library}};

RUN_TESTS(cases)
