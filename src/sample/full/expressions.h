// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_FULL_EXPRESSIONS_H
#define VRMI_FULL_EXPRESSIONS_H

#include "sample/full/full.h"

// X(name): morph targets in file order. VRM's presets and a wink come first.
#define VRMI_FULL_PRESETS(X) \
    X(happy) \
    X(angry) \
    X(sad) \
    X(relaxed) \
    X(surprised) \
    X(aa) \
    X(ih) \
    X(ou) \
    X(ee) \
    X(oh) \
    X(blink) \
    X(blinkLeft) \
    X(blinkRight) \
    X(lookUp) \
    X(lookDown) \
    X(lookLeft) \
    X(lookRight) \
    X(neutral) \
    X(wink)

// The blend shapes of ARKit's face tracking ("Perfect Sync"), with Apple's names (ARFaceAnchor.BlendShapeLocation).
#define VRMI_FULL_TRACKED(X) \
    X(browDownLeft) \
    X(browDownRight) \
    X(browInnerUp) \
    X(browOuterUpLeft) \
    X(browOuterUpRight) \
    X(cheekPuff) \
    X(cheekSquintLeft) \
    X(cheekSquintRight) \
    X(eyeBlinkLeft) \
    X(eyeBlinkRight) \
    X(eyeLookDownLeft) \
    X(eyeLookDownRight) \
    X(eyeLookInLeft) \
    X(eyeLookInRight) \
    X(eyeLookOutLeft) \
    X(eyeLookOutRight) \
    X(eyeLookUpLeft) \
    X(eyeLookUpRight) \
    X(eyeSquintLeft) \
    X(eyeSquintRight) \
    X(eyeWideLeft) \
    X(eyeWideRight) \
    X(jawForward) \
    X(jawLeft) \
    X(jawOpen) \
    X(jawRight) \
    X(mouthClose) \
    X(mouthDimpleLeft) \
    X(mouthDimpleRight) \
    X(mouthFrownLeft) \
    X(mouthFrownRight) \
    X(mouthFunnel) \
    X(mouthLeft) \
    X(mouthLowerDownLeft) \
    X(mouthLowerDownRight) \
    X(mouthPressLeft) \
    X(mouthPressRight) \
    X(mouthPucker) \
    X(mouthRight) \
    X(mouthRollLower) \
    X(mouthRollUpper) \
    X(mouthShrugLower) \
    X(mouthShrugUpper) \
    X(mouthSmileLeft) \
    X(mouthSmileRight) \
    X(mouthStretchLeft) \
    X(mouthStretchRight) \
    X(mouthUpperUpLeft) \
    X(mouthUpperUpRight) \
    X(noseSneerLeft) \
    X(noseSneerRight) \
    X(tongueOut)

typedef enum vrmi_full_morph {
#define VRMI_FULL_MORPH_ENUM(name) VRMI_FULL_MORPH_##name,
    VRMI_FULL_PRESETS(VRMI_FULL_MORPH_ENUM) VRMI_FULL_TRACKED(VRMI_FULL_MORPH_ENUM)
#undef VRMI_FULL_MORPH_ENUM
        VRMI_FULL_MORPH_COUNT
} vrmi_full_morph;

// Writes the face of a morph target at its full weight.
void vrmi_full_face_of(vrmi_full_morph morph, vrmi_full_face *out);

#endif
