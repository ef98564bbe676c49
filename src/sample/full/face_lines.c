// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "sample/full/full.h"

// Lids and lips as curves in the face's plane. The skin around them moves with these curves.

#define MOUTH VRMI_FULL_MOUTH_Y

float vrmi_full_lid_x(float s)
{
    return VRMI_FULL_EYE_X + 0.0240f * s;
}

static float corner_y(float s)
{
    return VRMI_FULL_EYE_Y - 0.0035f + 0.0024f * s;
}

static float closed_y(const vrmi_full_face *face, int side, float s)
{
    const float arc = 1.0f - s * s;
    const float hanging = corner_y(s) - 0.0035f - 0.0065f * arc;
    const float smiling = corner_y(s) - 0.0045f + 0.0080f * arc;
    return vrmi_lerp(hanging, smiling, face->smile[side]);
}

float vrmi_full_lid_upper(const vrmi_full_face *face, int side, float s)
{
    const float a = vrmi_clamp(vrmi_abs(s), 0.0f, 1.0f);
    // The arch is highest slightly inside of the middle.
    const float shape = vrmi_sqrt(1.0f - a * a) * (0.62f + 0.38f * (1.0f - a * a)) * (1.0f - 0.06f * s);
    const float t = face->tilt[side];
    const float tilt = t > 0.0f ? t * (1.0f - s) : -t * (1.0f + s);
    const float open = corner_y(s) + (0.0222f + face->wide[side] - tilt) * shape;
    return vrmi_lerp(open, closed_y(face, side, s), vrmi_max(face->close[side], 0.0f));
}

float vrmi_full_lid_lower(const vrmi_full_face *face, int side, float s)
{
    const float a = vrmi_clamp(vrmi_abs(s), 0.0f, 1.0f);
    const float depth = 0.0118f - 0.0070f * face->squint[side] + 0.3f * face->wide[side];
    const float open = corner_y(s) - depth * vrmi_sqrt(1.0f - a * a) * (1.0f - 0.25f * a * a);
    return vrmi_lerp(open, closed_y(face, side, s), vrmi_max(face->close[side], 0.0f));
}

// Interpolates a pair between the right corner and the left one.
static float across(const float pair[2], float s)
{
    return vrmi_lerp(pair[1], pair[0], vrmi_sample_smooth(-0.7f, 0.7f, s));
}

float vrmi_full_lip_x(const vrmi_full_face *face, float s)
{
    const float stretch = face->stretch[s >= 0.0f ? 0 : 1];
    return face->shift + face->jaw_x * 0.5f + 0.0135f * face->width * s * (1.0f + stretch);
}

static float lip_line(const vrmi_full_face *face, float s)
{
    return MOUTH + face->lift + across(face->corner, s) * (s * s - 0.3f);
}

static float lip_shape(const vrmi_full_face *face, float s)
{
    const float arc = vrmi_max(1.0f - s * s, 0.0f);
    return vrmi_lerp(arc, vrmi_sqrt(arc), face->round);
}

float vrmi_full_lip_upper(const vrmi_full_face *face, float s)
{
    const float up = face->open * (1.0f - face->lower) + across(face->upper_up, s);
    return lip_line(face, s) + up * lip_shape(face, s) - 0.0018f * face->roll[0] * (1.0f - s * s);
}

float vrmi_full_lip_lower(const vrmi_full_face *face, float s)
{
    const float down = face->open * face->lower + across(face->lower_down, s);
    return lip_line(face, s) - down * lip_shape(face, s) + 0.0018f * face->roll[1] * (1.0f - s * s);
}

float vrmi_full_jaw_part(float x, float y, float z)
{
    (void)x;
    return (1.0f - vrmi_sample_smooth(MOUTH - 0.016f, MOUTH + 0.010f, y)) * vrmi_sample_smooth(-0.01f, 0.055f, z);
}

vrm_vec3 vrmi_full_face_motion(const vrmi_full_face *face, float x, float y, float z)
{
    const int side = x >= 0.0f ? 0 : 1;
    const float a = vrmi_abs(x), jaw = vrmi_full_jaw_part(x, y, z);
    const float mouth = vrmi_full_bump(x, y - MOUTH, 0.034f, 0.024f);
    const float cheek = vrmi_full_bump(a - 0.042f, y - 1.3590f, 0.024f, 0.018f);
    const float puff = vrmi_full_bump(a - 0.037f, y - 1.3435f, 0.030f, 0.028f);
    vrm_vec3 d = {face->jaw_x * jaw + face->shift * 0.7f * mouth, -face->jaw * jaw + 0.7f * face->lift * mouth,
        face->jaw_z * jaw};
    d.y += 0.0032f * face->cheek[side] * cheek + face->corner[side] * 0.35f * cheek;
    d.z += 0.0012f * face->cheek[side] * cheek;
    d.x += (side == 0 ? 0.0125f : -0.0125f) * face->puff * puff;
    d.z += 0.0095f * face->puff * puff;
    d.y += 0.0028f * face->sneer[side] * vrmi_full_bump(a - 0.009f, y - 1.3650f, 0.012f, 0.014f);
    return d;
}

void vrmi_full_face_rest(vrmi_full_face *out)
{
    *out = (vrmi_full_face){
        .iris = 1.0f, .open = 0.0010f, .width = 1.0f, .round = 0.2f, .lower = 0.5f, .corner = {0.0016f, 0.0016f}};
}
