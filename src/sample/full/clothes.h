// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_FULL_CLOTHES_H
#define VRMI_FULL_CLOTHES_H

#include "sample/full/full.h"

// Parts used by both outfits. TOP and SHOES share one texture; from its top: the trunk, sleeves, collar, hood, socks,
// shoes, and a swatch for the soles.
#define VRMI_FULL_V_SLEEVE 0.42f
#define VRMI_FULL_V_COLLAR 0.62f
#define VRMI_FULL_V_HOOD 0.715f
#define VRMI_FULL_V_SOCK 0.77f
#define VRMI_FULL_V_SHOE 0.90f
#define VRMI_FULL_V_SOLE 0.985f
#define VRMI_FULL_TRUNK_TOP 1.26f
#define VRMI_FULL_TRUNK_HEIGHT 0.46f

// The texture's row for a height of the trunk.
static inline float vrmi_full_trunk_v(float y)
{
    return 0.01f + 0.39f * (VRMI_FULL_TRUNK_TOP - y) / VRMI_FULL_TRUNK_HEIGHT;
}

// The collar's inner edge, from 0 behind to 1 in front: a V, closed at the bottom by the bib.
#define VRMI_FULL_BIB 1.1660f
static inline float vrmi_full_neckline(float front)
{
    return 1.2565f - 0.118f * vrmi_sample_smooth(0.62f, 1.0f, front);
}

// How far the chest stands out from the trunk's rings.
static inline float vrmi_full_chest(vrm_vec3 p, float amount)
{
    return p.z > 0.0f ? amount * vrmi_full_bump(vrmi_abs(p.x) - 0.046f, p.y - 1.0960f, 0.050f, 0.052f) : 0.0f;
}

// A trouser leg from the crotch down to `low`, and the part that joins both. It uses the texture's rows from `v` on,
// over `v_height`.
void vrmi_full_add_shorts(vrmi_sample_figure *figure, float low, float more, float v, float v_height);
void vrmi_full_add_socks(vrmi_sample_figure *figure, float high);
// Heel to toe; `size` is the shoe's thickness around the foot.
void vrmi_full_add_shoes(vrmi_sample_figure *figure, float size);
// A cord or band on its own chain, hanging from the upper chest; given for the left side, and mirrored.
typedef struct vrmi_full_cord {
    const char *name;
    vrm_vec3 start, end;
    float width, end_width, thickness; // half
} vrmi_full_cord;
void vrmi_full_add_cords(vrmi_sample_figure *figure, const vrmi_full_cord *cord);

#endif
