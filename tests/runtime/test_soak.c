// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// A short version of scripts/campaign's soak: 24 avatars, 900 frames of random input.

#include "soak.h"

static void random_input(void)
{
    soak s;
    soak_begin(&s, 24, 1);
    for (int frame = 0; frame < 900 && test_failures == 0; ++frame) {
        (void)soak_frame(&s, NULL);
        if (frame % 30 == 29) {
            soak_check(&s);
        }
    }
    soak_end(&s);
}

static const test_case cases[] = {{"random_input", random_input}};
RUN_TESTS(cases)
