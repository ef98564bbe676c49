// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_BASE_DECIMAL_H
#define VRMI_BASE_DECIMAL_H

// Exact scaling of numbers by powers of ten, used to read and to print decimal numbers.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A positive number from bits * 2^exponent up to, but not including, (bits + 1) * 2^exponent. The highest bit is always
// set.
typedef struct vrmi_scaled {
    uint64_t bits;
    int exponent;
    bool more; // false: the number is exactly bits * 2^exponent
} vrmi_scaled;

// Computes value * 10^power, exactly as far as vrmi_scaled can express it. The value must not be 0, and power must be
// within +-400.
void vrmi_scale(uint64_t value, int power, vrmi_scaled *out);
// As vrmi_scale(), for a number given as `count` decimal digits. The first digit must not be '0'. Limits: count <=
// VRMI_MAX_DIGITS, power >= -1200, count + power <= 400.
#define VRMI_MAX_DIGITS 800
void vrmi_scale_digits(const char *digits, size_t count, int power, vrmi_scaled *out);

#endif
