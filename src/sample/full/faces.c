// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "sample/full/expressions.h"

// The faces of all morph targets.

static void both(float pair[2], float value)
{
    pair[0] = pair[1] = value;
}

static void emotion(vrmi_full_morph morph, vrmi_full_face *f)
{
    switch (morph) {
    case VRMI_FULL_MORPH_happy:
        both(f->close, 1.0f);
        both(f->smile, 1.0f);
        both(f->brow_y, 0.0040f);
        both(f->cheek, 0.8f);
        f->open = 0.0180f;
        f->lower = 0.97f;
        f->round = 0.60f;
        f->width = 1.55f;
        both(f->corner, 0.0060f);
        break;
    case VRMI_FULL_MORPH_angry:
        both(f->tilt, 0.0075f);
        both(f->squint, 0.35f);
        both(f->brow_y, -0.0055f);
        both(f->brow_inner, -0.0105f);
        both(f->brow_outer, 0.0070f);
        f->brow_squeeze = 0.0025f;
        f->iris = 0.93f;
        both(f->corner, -0.0065f);
        f->open = 0.0055f;
        f->lower = 0.45f;
        f->width = 1.15f;
        both(f->sneer, 0.6f);
        break;
    case VRMI_FULL_MORPH_sad:
        both(f->tilt, -0.0062f);
        both(f->close, 0.20f);
        both(f->gaze_y, -0.0040f);
        both(f->brow_inner, 0.0110f);
        both(f->brow_outer, -0.0055f);
        both(f->brow_y, -0.0005f);
        f->brow_squeeze = 0.0015f;
        both(f->corner, -0.0070f);
        f->open = 0.0024f;
        f->width = 0.95f;
        f->lift = -0.0010f;
        break;
    case VRMI_FULL_MORPH_relaxed:
        both(f->close, 0.52f);
        both(f->squint, 0.5f);
        both(f->brow_y, 0.0040f);
        both(f->brow_outer, -0.0015f);
        both(f->corner, 0.0075f);
        f->width = 1.25f;
        both(f->cheek, 0.4f);
        break;
    case VRMI_FULL_MORPH_surprised:
        both(f->wide, 0.0048f);
        f->iris = 0.74f;
        both(f->brow_y, 0.0085f);
        f->open = 0.0190f;
        f->lower = 0.66f;
        f->width = 0.78f;
        f->round = 1.0f;
        both(f->corner, 0.0f);
        f->jaw = 0.0030f;
        break;
    default:
        break;
    }
}

// Columns for each of the five vowels: height, width, roundness and fraction below the line of the mouth's opening, and
// the opening of the jaw.
static void vowel(vrmi_full_morph morph, vrmi_full_face *f)
{
    static const float shapes[5][5] = {{0.0215f, 1.15f, 0.80f, 0.82f, 0.0045f}, {0.0062f, 1.55f, 0.15f, 0.60f, 0.0f},
        {0.0080f, 0.50f, 1.00f, 0.50f, 0.0f}, {0.0120f, 1.40f, 0.45f, 0.74f, 0.0015f},
        {0.0170f, 0.72f, 1.00f, 0.66f, 0.0030f}};
    const int i = (int)morph - (int)VRMI_FULL_MORPH_aa;
    if (i < 0 || i >= 5) {
        return;
    }
    f->open = shapes[i][0];
    f->width = shapes[i][1];
    f->round = shapes[i][2];
    f->lower = shapes[i][3];
    f->jaw = shapes[i][4];
    f->pucker = morph == VRMI_FULL_MORPH_ou ? 0.7f : 0.0f;
}

static void eyes(vrmi_full_morph morph, vrmi_full_face *f)
{
    switch (morph) {
    case VRMI_FULL_MORPH_blink:
        both(f->close, 1.0f);
        break;
    case VRMI_FULL_MORPH_blinkLeft:
    case VRMI_FULL_MORPH_eyeBlinkLeft:
        f->close[0] = 1.0f;
        break;
    case VRMI_FULL_MORPH_blinkRight:
    case VRMI_FULL_MORPH_eyeBlinkRight:
        f->close[1] = 1.0f;
        break;
    case VRMI_FULL_MORPH_lookUp:
        both(f->gaze_y, 0.0065f);
        both(f->wide, 0.0015f);
        break;
    case VRMI_FULL_MORPH_lookDown:
        both(f->gaze_y, -0.0065f);
        both(f->close, 0.22f);
        break;
    case VRMI_FULL_MORPH_lookLeft:
        both(f->gaze_x, 0.0070f);
        break;
    case VRMI_FULL_MORPH_lookRight:
        both(f->gaze_x, -0.0070f);
        break;
    case VRMI_FULL_MORPH_neutral:
        both(f->corner, 0.0026f);
        break;
    case VRMI_FULL_MORPH_wink:
        f->close[0] = 1.0f;
        f->smile[0] = 1.0f;
        both(f->brow_y, 0.003f);
        f->open = 0.0085f;
        f->lower = 0.95f;
        f->width = 1.15f;
        both(f->corner, 0.0045f);
        f->cheek[0] = 0.8f;
        break;
    default:
        break;
    }
}

// Sets one side of a pair of face tracking's shapes. `left` is the left shape of the pair.
static void tracked_pair(vrmi_full_morph left, int side, vrmi_full_face *f)
{
    const float out = side == 0 ? 1.0f : -1.0f;
    switch (left) {
    case VRMI_FULL_MORPH_browDownLeft:
        f->brow_y[side] = -0.0062f;
        f->brow_inner[side] = -0.0060f;
        break;
    case VRMI_FULL_MORPH_browOuterUpLeft:
        f->brow_outer[side] = 0.0110f;
        break;
    case VRMI_FULL_MORPH_cheekSquintLeft:
        f->cheek[side] = 1.5f;
        f->squint[side] = 0.80f;
        break;
    case VRMI_FULL_MORPH_eyeLookDownLeft:
        f->gaze_y[side] = -0.0065f;
        f->close[side] = 0.18f;
        break;
    case VRMI_FULL_MORPH_eyeLookInLeft:
        f->gaze_x[side] = -0.0065f * out;
        break;
    case VRMI_FULL_MORPH_eyeLookOutLeft:
        f->gaze_x[side] = 0.0065f * out;
        break;
    case VRMI_FULL_MORPH_eyeLookUpLeft:
        f->gaze_y[side] = 0.0065f;
        f->wide[side] = 0.0012f;
        break;
    case VRMI_FULL_MORPH_eyeSquintLeft:
        f->squint[side] = 1.0f;
        f->close[side] = 0.25f;
        break;
    case VRMI_FULL_MORPH_eyeWideLeft:
        f->wide[side] = 0.0050f;
        break;
    case VRMI_FULL_MORPH_mouthDimpleLeft:
        f->stretch[side] = 0.30f;
        f->corner[side] += 0.0028f;
        break;
    case VRMI_FULL_MORPH_mouthFrownLeft:
        f->corner[side] = -0.0060f;
        break;
    case VRMI_FULL_MORPH_mouthLowerDownLeft:
        f->lower_down[side] = 0.0055f;
        break;
    case VRMI_FULL_MORPH_mouthPressLeft:
        f->corner[side] += 0.0024f;
        f->stretch[side] = 0.16f;
        both(f->roll, 0.8f);
        break;
    case VRMI_FULL_MORPH_mouthSmileLeft:
        f->corner[side] = 0.0070f;
        f->stretch[side] = 0.20f;
        f->cheek[side] = 0.4f;
        break;
    case VRMI_FULL_MORPH_mouthStretchLeft:
        f->stretch[side] = 0.40f;
        f->corner[side] = -0.0015f;
        break;
    case VRMI_FULL_MORPH_mouthUpperUpLeft:
        f->upper_up[side] = 0.0045f;
        break;
    case VRMI_FULL_MORPH_noseSneerLeft:
        f->sneer[side] = 1.6f;
        f->upper_up[side] = 0.0030f;
        f->brow_inner[side] = -0.0035f;
        f->squint[side] = 0.35f;
        break;
    default:
        break;
    }
}

static void tracked_mouth(vrmi_full_morph morph, vrmi_full_face *f)
{
    switch (morph) {
    case VRMI_FULL_MORPH_browInnerUp:
        both(f->brow_inner, 0.0080f);
        both(f->brow_y, 0.0010f);
        break;
    case VRMI_FULL_MORPH_cheekPuff:
        f->puff = 1.0f;
        f->width = 0.72f;
        f->pucker = 0.35f;
        break;
    case VRMI_FULL_MORPH_jawForward:
        f->jaw_z = 0.0080f;
        break;
    case VRMI_FULL_MORPH_jawLeft:
        f->jaw_x = 0.0085f;
        break;
    case VRMI_FULL_MORPH_jawRight:
        f->jaw_x = -0.0085f;
        break;
    case VRMI_FULL_MORPH_jawOpen:
    case VRMI_FULL_MORPH_mouthClose: // subtracted again in morphs.c, so that only the jaw stays open
        f->open = 0.0230f;
        f->lower = 0.86f;
        f->round = 0.75f;
        f->width = 1.0f;
        f->jaw = morph == VRMI_FULL_MORPH_jawOpen ? 0.0065f : 0.0f;
        break;
    case VRMI_FULL_MORPH_mouthFunnel:
        f->open = 0.0085f;
        f->width = 0.62f;
        f->round = 1.0f;
        f->pucker = 0.8f;
        break;
    case VRMI_FULL_MORPH_mouthPucker:
        f->width = 0.45f;
        f->pucker = 1.0f;
        f->round = 0.8f;
        f->open = 0.0024f;
        break;
    case VRMI_FULL_MORPH_mouthLeft:
        f->shift = 0.0095f;
        break;
    case VRMI_FULL_MORPH_mouthRight:
        f->shift = -0.0095f;
        break;
    case VRMI_FULL_MORPH_mouthRollLower:
        f->roll[1] = 1.6f;
        break;
    case VRMI_FULL_MORPH_mouthRollUpper:
        f->roll[0] = 1.6f;
        break;
    case VRMI_FULL_MORPH_mouthShrugLower:
        f->lift = 0.0036f;
        both(f->corner, -0.0030f);
        break;
    case VRMI_FULL_MORPH_mouthShrugUpper:
        f->lift = 0.0026f;
        both(f->upper_up, 0.0014f);
        break;
    case VRMI_FULL_MORPH_tongueOut:
        f->tongue = 1.0f;
        f->open = 0.0120f;
        f->width = 1.15f;
        f->lower = 0.85f;
        f->round = 0.7f;
        break;
    default:
        break;
    }
}

void vrmi_full_face_of(vrmi_full_morph morph, vrmi_full_face *out)
{
    vrmi_full_face_rest(out);
    emotion(morph, out);
    vowel(morph, out);
    eyes(morph, out);
    tracked_mouth(morph, out);
    static const struct {
        vrmi_full_morph left, right;
    } pairs[] = {
#define PAIR(name) {VRMI_FULL_MORPH_##name##Left, VRMI_FULL_MORPH_##name##Right}
        PAIR(browDown),
        PAIR(browOuterUp),
        PAIR(cheekSquint),
        PAIR(eyeLookDown),
        PAIR(eyeLookIn),
        PAIR(eyeLookOut),
        PAIR(eyeLookUp),
        PAIR(eyeSquint),
        PAIR(eyeWide),
        PAIR(mouthDimple),
        PAIR(mouthFrown),
        PAIR(mouthLowerDown),
        PAIR(mouthPress),
        PAIR(mouthSmile),
        PAIR(mouthStretch),
        PAIR(mouthUpperUp),
        PAIR(noseSneer),
#undef PAIR
    };
    for (size_t i = 0; i < VRMI_COUNT_OF(pairs); ++i) {
        if (morph == pairs[i].left || morph == pairs[i].right) {
            tracked_pair(pairs[i].left, morph == pairs[i].left ? 0 : 1, out);
        }
    }
}
