// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VIEW_STAGE_TIMES_H
#define VIEW_STAGE_TIMES_H

// Measures the time of each stage of an update, on a copy of the instance, with a few updates in each frame. The time
// of a stage is the difference between updates with and without it.

#include <vrm/vrm.h>

// X(NAME, "label")
#define STAGE_TIMES(X) \
    X(POSE, "pose") \
    X(LOOK_CHAIN, "look chain") \
    X(RAGDOLL, "ragdoll") \
    X(LOOK_AT, "look-at") \
    X(EXPRESSION, "expressions") \
    X(CONSTRAINT, "constraints") \
    X(SPRING, "springs") \
    X(OUTPUT, "outputs")

enum {
#define STAGE_TIMES_COUNT(name, label) +1
    STAGE_TIMES_STAGES = 0 STAGE_TIMES(STAGE_TIMES_COUNT)
#undef STAGE_TIMES_COUNT
};

typedef struct stage_times {
    vrm_instance *copy;
    int next;
    double cumulative[STAGE_TIMES_STAGES + 1]; // microseconds of the first 0, 1, 2, ... stages together, smoothed
    double stages[STAGE_TIMES_STAGES];
} stage_times;

const char *stage_times_label(int stage);
// Runs a part of the measurement. Each part takes a few hundred microseconds.
void stage_times_measure(stage_times *t, const vrm_instance *instance);
void stage_times_forget(stage_times *t);

#endif
