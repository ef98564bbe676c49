// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_FULL_PAINT_H
#define VRMI_FULL_PAINT_H

#include "sample/full/full.h"
#include "sample/paint.h"

vrmi_paint_fn vrmi_full_paint_skin, vrmi_full_paint_face, vrmi_full_paint_white, vrmi_full_paint_iris,
    vrmi_full_paint_blush;
vrmi_paint_fn vrmi_full_paint_cloth, vrmi_full_paint_cloth_shade, vrmi_full_paint_bottom, vrmi_full_paint_ribbon,
    vrmi_full_paint_mask, vrmi_full_paint_matcap;
vrmi_paint_fn vrmi_full_paint_hair, vrmi_full_paint_hair_shade;

#endif
