// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_BASE_DECIMAL_H
#define VRMI_BASE_DECIMAL_H

// Exact conversion between powers of ten and powers of two, shared by reading and printing numbers.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A positive number: between bits * 2^exponent and (bits + 1) * 2^exponent. Normalised: the highest bit is set.
typedef struct vrmi_scaled {
    uint64_t bits;
    int exponent;
    bool more; // false: the number is exactly bits * 2^exponent
} vrmi_scaled;

// value * 10^power, value not 0, power within +-400. Exact, as the struct describes.
void vrmi_scale(uint64_t value, int power, vrmi_scaled *out);
// The same for `count` decimal digits, at most VRMI_MAX_DIGITS, the first not '0'; power >= -1200, count + power <= 400.
#define VRMI_MAX_DIGITS 800
void vrmi_scale_digits(const char *digits, size_t count, int power, vrmi_scaled *out);

#endif
