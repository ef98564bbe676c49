// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Defines the type `real` of real_vector.h as one float, for files that are included once per width.

#include "math/lanes.h"
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
#define EQ(a, b) ((a) == (b))
#define AND(a, b) ((a) && (b))
#define OR(a, b) ((a) || (b))
#define SELECT(m, a, b) ((m) ? (a) : (b))
#define BITS(m) ((uint32_t)(m))
// FROM_BITS: a mask from bits, lane 0 the lowest. FULL: the bits of all lanes. LANE_BITS: the bits for a kernel that
// starts at lane `lane` of eight.
#define FROM_BITS(bits) (((bits)&1u) != 0)
#define FULL 1u
#define LANE_BITS(bits, lane) ((bits) >> (lane)&1u)
// Load or store four numbers at each of WIDTH addresses, at an offset of `at` floats.
#define LOAD_ROWS(rows, at, out) \
    ((out)[0] = (rows)[0][(at)], (out)[1] = (rows)[0][(at) + 1], (out)[2] = (rows)[0][(at) + 2], \
        (out)[3] = (rows)[0][(at) + 3])
#define STORE_ROWS(rows, at, in) \
    ((rows)[0][(at)] = (in)[0], (rows)[0][(at) + 1] = (in)[1], (rows)[0][(at) + 2] = (in)[2], \
        (rows)[0][(at) + 3] = (in)[3])
