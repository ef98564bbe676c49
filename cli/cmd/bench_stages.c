// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "bench.h"

const bench_stage bench_stages[BENCH_STAGES] = {
    {"pose", VRM_STAGE_POSE},
    {"look-at", VRM_STAGE_LOOK_AT},
    {"expression", VRM_STAGE_EXPRESSION},
    {"constraint", VRM_STAGE_CONSTRAINT},
    {"spring", VRM_STAGE_SPRING},
    {"output", VRM_STAGE_OUTPUT},
};
const double bench_rates[BENCH_RATES] = {60.0, 90.0, 144.0};
