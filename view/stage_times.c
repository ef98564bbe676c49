// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "stage_times.h"

#include "platform.h"

static const struct {
    const char *label;
    uint32_t mask;
} stages[] = {
#define STAGE_TIMES_ROW(name, label) {label, VRM_STAGE_##name},
    STAGE_TIMES(STAGE_TIMES_ROW)
#undef STAGE_TIMES_ROW
};

const char *stage_times_label(int stage)
{
    return stages[stage].label;
}

void stage_times_measure(stage_times *t, const vrm_instance *instance)
{
    const int frames = 12;
    if (t->next == 0) {
        vrm_instance_destroy(t->copy);
        if (vrm_instance_clone(instance, &t->copy) != VRM_SUCCESS) {
            t->copy = NULL;
            return;
        }
    }
    uint32_t mask = 0;
    for (int i = 0; i <= t->next; ++i) {
        mask |= stages[i].mask;
    }
    vrm_update_params params;
    vrm_update_params_default(&params);
    params.dt = 1.0f / 60.0f;
    params.stages = mask;
    const double start = cli_platform_seconds();
    for (int i = 0; i < frames; ++i) {
        vrm_update(t->copy, &params);
    }
    const double spent = (cli_platform_seconds() - start) * 1e6 / frames;
    double *sum = &t->cumulative[t->next + 1];
    *sum = *sum == 0.0 ? spent : 0.8 * *sum + 0.2 * spent;
    const double more = *sum - t->cumulative[t->next];
    t->stages[t->next] = more > 0.0 ? more : 0.0;
    t->next = (t->next + 1) % STAGE_TIMES_STAGES;
}

void stage_times_forget(stage_times *t)
{
    vrm_instance_destroy(t->copy);
    *t = (stage_times){0};
}
