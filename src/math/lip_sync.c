// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Lip-sync: the host's input is converted to five vowels. The two strongest vowels are the target, which the mouth
// approaches exponentially. They are chosen before smoothing, so that the mouth does not jump when the second and the
// third vowel change places.

#include "math/lip_sync.h"

#include "base/abi.h"
#include "base/checks.h"
#include "math/scalar.h"

// Each viseme as a mixture of VRM's vowels (aa, ih, ou, ee, oh). Vowels map to themselves. Consonants map to nearly
// closed mouths: spread lips (DD, SS, NN) to ih, a slightly lowered tongue or jaw (TH, KK) to ee, rounded lips (FF, CH,
// RR) to ou. PP presses the lips together; SIL is the mouth at rest.
static const float viseme_vowels[VRM_VISEME_COUNT][VRMI_VOWEL_COUNT] = {
    [VRM_VISEME_SIL] = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f},
    [VRM_VISEME_PP] = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f},
    [VRM_VISEME_FF] = {0.0f, 0.0f, 0.15f, 0.0f, 0.0f},
    [VRM_VISEME_TH] = {0.0f, 0.0f, 0.0f, 0.25f, 0.0f},
    [VRM_VISEME_DD] = {0.0f, 0.25f, 0.0f, 0.0f, 0.0f},
    [VRM_VISEME_KK] = {0.0f, 0.0f, 0.0f, 0.25f, 0.0f},
    [VRM_VISEME_CH] = {0.0f, 0.0f, 0.4f, 0.0f, 0.0f},
    [VRM_VISEME_SS] = {0.0f, 0.35f, 0.0f, 0.0f, 0.0f},
    [VRM_VISEME_NN] = {0.0f, 0.2f, 0.0f, 0.0f, 0.0f},
    [VRM_VISEME_RR] = {0.0f, 0.0f, 0.3f, 0.0f, 0.0f},
    [VRM_VISEME_AA] = {1.0f, 0.0f, 0.0f, 0.0f, 0.0f},
    [VRM_VISEME_E] = {0.0f, 0.0f, 0.0f, 1.0f, 0.0f},
    [VRM_VISEME_IH] = {0.0f, 1.0f, 0.0f, 0.0f, 0.0f},
    [VRM_VISEME_OH] = {0.0f, 0.0f, 0.0f, 0.0f, 1.0f},
    [VRM_VISEME_OU] = {0.0f, 0.0f, 1.0f, 0.0f, 0.0f},
};

// A vowel this close to its target is set to the target, so that a still mouth costs nothing.
static const float arrived = 1e-5f;

void(vrm_lip_sync_params_default)(vrm_lip_sync_params *params, size_t size)
{
    const vrm_lip_sync_params own = {
        .struct_size = sizeof own,
        .attack = 0.03f,
        .release = 0.08f,
        .gain = 1.0f,
    };
    vrmi_write_defaults(params, size, &own, sizeof own);
}

void vrmi_lip_sync_init(vrmi_lip_sync *lip)
{
    *lip = (vrmi_lip_sync){0};
    vrm_lip_sync_params_default(&lip->params);
}

void vrmi_lip_sync_visemes(const float *visemes, float *out_vowels)
{
    for (int v = 0; v < VRMI_VOWEL_COUNT; ++v) {
        out_vowels[v] = 0.0f;
        for (int i = 0; i < VRM_VISEME_COUNT; ++i) {
            out_vowels[v] += vrmi_clamp01(visemes[i]) * viseme_vowels[i][v];
        }
    }
}

void vrmi_lip_sync_aim(vrmi_lip_sync *lip)
{
    float vowels[VRMI_VOWEL_COUNT];
    int first = 0, second = -1; // among equal vowels the first is chosen
    for (int v = 0; v < VRMI_VOWEL_COUNT; ++v) {
        vowels[v] = lip->closing ? 0.0f : vrmi_clamp01(lip->heard[v] * lip->params.gain);
        if (v == 0) {
            continue;
        }
        if (vowels[v] > vowels[first]) {
            second = first;
            first = v;
        } else if (second < 0 || vowels[v] > vowels[second]) {
            second = v;
        }
    }
    const float total = vowels[first] + vowels[second];
    const float scale = total > 1.0f ? 1.0f / total : 1.0f;
    for (int v = 0; v < VRMI_VOWEL_COUNT; ++v) {
        lip->target[v] = v == first || v == second ? vowels[v] * scale : 0.0f;
    }
}

// Returns the fraction of the remaining distance that dt covers. The fractions of successive frames combine exactly, so
// the result does not depend on the frame rate.
static float way(float dt, float time)
{
    return time > 0.0f ? 1.0f - vrmi_exp(-dt / time) : 1.0f;
}

static bool settled(const vrmi_lip_sync *lip)
{
    for (int v = 0; v < VRMI_VOWEL_COUNT; ++v) {
        if (lip->current[v] != lip->target[v]) {
            return false;
        }
    }
    return true;
}

bool vrmi_lip_sync_advance(vrmi_lip_sync *lip, float dt)
{
    if (!lip->active) {
        return false;
    }
    if (settled(lip)) {
        const bool lets_go = lip->closing != 0;
        lip->active = lets_go ? 0 : 1;
        lip->closing = 0;
        return lets_go;
    }
    if (!(dt > 0.0f)) {
        return false;
    }
    const float attack = way(dt, lip->params.attack);
    const float release = way(dt, lip->params.release);
    float total = 0.0f;
    for (int v = 0; v < VRMI_VOWEL_COUNT; ++v) {
        const float left = lip->target[v] - lip->current[v];
        const float next = lip->current[v] + left * (left > 0.0f ? attack : release);
        lip->current[v] = vrmi_abs(lip->target[v] - next) < arrived ? lip->target[v] : next;
        total += lip->current[v];
    }
    // Attack is faster than release, so the sum of two open vowels may exceed 1 in between; the sum is then scaled to
    // 1.
    const float scale = total > 1.0f ? 1.0f / total : 1.0f;
    for (int v = 0; v < VRMI_VOWEL_COUNT; ++v) {
        lip->value[v] = lip->current[v] * scale;
    }
    return true;
}
