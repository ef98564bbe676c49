// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// What real_vector.h works on: one float. For files that are included once per width.

#include "math/scalar.h"

typedef float real;
typedef bool mask;

#define WIDTH 1
#define LOAD(p) (*(p))
#define STORE(p, a) ((void)(*(p) = (a)))
#define ALL(x) (x)
#define ADD(a, b) ((a) + (b))
#define SUB(a, b) ((a) - (b))
#define MUL(a, b) ((a) * (b))
#define DIV(a, b) ((a) / (b))
#define NEG(a) (-(a))
#define SQRT vrmi_sqrt
#define MIN vrmi_min
#define MAX vrmi_max
#define LT(a, b) ((a) < (b))
#define AND(a, b) ((a) && (b))
#define OR(a, b) ((a) || (b))
#define SELECT(m, a, b) ((m) ? (a) : (b))
#define BITS(m) ((uint32_t)(m))
