// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Defines the type `real` of real_vector.h as eight floats of simd.h, for files that are included once per width.

#include "math/simd.h"

typedef vrmi_f8 real;
typedef vrmi_m8 mask;

#define WIDTH VRMI_LANES
#define LOAD vrmi_f8_load
#define STORE vrmi_f8_store
#define ALL vrmi_f8_all
#define ADD vrmi_f8_add
#define SUB vrmi_f8_sub
#define MUL vrmi_f8_mul
#define DIV vrmi_f8_div
#define NEG vrmi_f8_neg
#define SQRT vrmi_f8_sqrt
#define MIN vrmi_f8_min
#define MAX vrmi_f8_max
#define LT vrmi_f8_lt
#define EQ vrmi_f8_eq
#define AND vrmi_m8_and
#define OR vrmi_m8_or
#define SELECT vrmi_f8_select
#define BITS vrmi_m8_bits
#define FROM_BITS vrmi_m8_from_bits
#define FULL 0xffu
#define LANE_BITS(bits, lane) (bits)
#define LOAD_ROWS vrmi_f8_load_rows
#define STORE_ROWS vrmi_f8_store_rows
