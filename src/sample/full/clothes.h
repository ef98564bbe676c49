// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_FULL_CLOTHES_H
#define VRMI_FULL_CLOTHES_H

#include "sample/full/full.h"

// Parts that both outfits use. TOP and SHOES share one texture. From its top it has the trunk, sleeves, collar, hood,
// socks, shoes, and a swatch for the soles.
#define VRMI_FULL_V_SLEEVE 0.42f
#define VRMI_FULL_V_COLLAR 0.62f
#define VRMI_FULL_V_HOOD 0.715f
#define VRMI_FULL_V_SOCK 0.77f
#define VRMI_FULL_V_SHOE 0.90f
#define VRMI_FULL_V_SOLE 0.985f
#define VRMI_FULL_TRUNK_TOP 1.26f
#define VRMI_FULL_TRUNK_HEIGHT 0.46f

// Returns the texture's row for a height of the trunk.
static inline float vrmi_full_trunk_v(float y)
{
    return 0.01f + 0.39f * (VRMI_FULL_TRUNK_TOP - y) / VRMI_FULL_TRUNK_HEIGHT;
}

// The collar's inner edge; `front` is 0 at the back and 1 in front. In front it is a V, which the bib closes at the
// bottom.
#define VRMI_FULL_BIB 1.1660f
static inline float vrmi_full_neckline(float front)
{
    return 1.2565f - 0.118f * vrmi_sample_smooth(0.62f, 1.0f, front);
}

// Returns the distance by which the chest stands out from the trunk's rings.
static inline float vrmi_full_chest(vrm_vec3 p, float amount)
{
    return p.z > 0.0f ? amount * vrmi_full_bump(vrmi_abs(p.x) - 0.046f, p.y - 1.0960f, 0.050f, 0.052f) : 0.0f;
}

// Adds two trouser legs from the crotch down to `low`, and the part that joins them. They use the texture's rows from
// `v` on, over `v_height`.
void vrmi_full_add_shorts(vrmi_sample_figure *figure, float low, float more, float v, float v_height);
void vrmi_full_add_socks(vrmi_sample_figure *figure, float high);
// `size` is the shoe's thickness around the foot.
void vrmi_full_add_shoes(vrmi_sample_figure *figure, float size);
// A cord or band on its own chain, which hangs from the upper chest. The values are for the left side and are mirrored
// for the right side.
typedef struct vrmi_full_cord {
    const char *name;
    vrm_vec3 start, end;
    float width, end_width, thickness; // half
} vrmi_full_cord;
void vrmi_full_add_cords(vrmi_sample_figure *figure, const vrmi_full_cord *cord);

#endif
