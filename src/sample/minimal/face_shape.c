// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "sample/minimal/face_shape.h"
#include "sample/surface.h"

// Columns: height, half width, depth of the middle, depth of the outline (below at the jaw, above in front of the
// ears).
static const float profile[][4] = {
    {1.2430f, 0.0120f, 0.0735f, 0.0660f},
    {1.2500f, 0.0250f, 0.0790f, 0.0590f},
    {1.2620f, 0.0415f, 0.0805f, 0.0450f},
    {1.2750f, 0.0550f, 0.0815f, 0.0310f},
    {1.2880f, 0.0650f, 0.0830f, 0.0200f},
    {1.3080f, 0.0745f, 0.0850f, 0.0080f},
    {1.3270f, 0.0800f, 0.0850f, 0.0030f},
    {1.3470f, 0.0840f, 0.0865f, 0.0000f},
    {1.3660f, 0.0870f, 0.0895f, -0.0020f},
    {1.3950f, 0.0895f, 0.0930f, -0.0040f},
    {1.4300f, 0.0890f, 0.0920f, -0.0060f},
    {1.4600f, 0.0780f, 0.0800f, -0.0080f},
};

static float profile_at(float y, int column)
{
    return vrmi_sample_curve(&profile[0][0], (int)VRMI_COUNT_OF(profile), 4, column, y);
}

float vrmi_minimal_face_width(float y)
{
    return profile_at(y, 1);
}

// Returns the depth of the nose: a small ridge that rises between the eyes and ends in a tip.
static float nose(float x, float y)
{
    const float tip_y = 1.2985f;
    const float dx = x / 0.0068f;
    const float dy = y > tip_y ? (y - tip_y) / 0.021f : (y - tip_y) / 0.0065f;
    const float d = 1.0f + dx * dx + dy * dy;
    return 0.0095f / (d * d);
}

static float front(float x, float y, float nose_amount)
{
    const float width = profile_at(y, 1);
    const float t = vrmi_clamp(vrmi_abs(x) / width, 0.0f, 1.0f);
    const float edge = profile_at(y, 3);
    return edge + (profile_at(y, 2) - edge) * vrmi_sqrt(1.0f - t * t * t) + nose_amount * nose(x, y);
}

vrm_vec3 vrmi_minimal_face_point(float x, float y, float lift)
{
    const vrm_vec3 point = {x, y, front(x, y, 1.0f)};
    return vrmi_vec3_add(point, vrmi_vec3_scale(vrmi_minimal_face_normal(x, y), lift));
}

vrm_vec3 vrmi_minimal_face_normal(float x, float y)
{
    // At the outline the height field is vertical, so normals are taken slightly inside. The nose has only a third of
    // its depth here, so that toon shading does not draw a hard triangle on the face.
    const float limit = profile_at(y, 1) * 0.985f;
    const float inside = vrmi_clamp(x, -limit, limit);
    const float h = 0.0015f;
    const float x0 = vrmi_max(inside - h, -limit), x1 = vrmi_min(inside + h, limit);
    const float dx = (front(x1, y, 0.3f) - front(x0, y, 0.3f)) / (x1 - x0);
    const float dy = (front(inside, y + h, 0.3f) - front(inside, y - h, 0.3f)) / (2.0f * h);
    return vrmi_vec3_normalize_or(vrmi_vec3(-dx, -dy, 1.0f), vrmi_vec3(0.0f, 0.0f, 1.0f));
}

void vrmi_minimal_eye_frame(int side, vrm_vec3 *out_center, vrm_vec3 *out_direction)
{
    vrm_vec3 direction = vrmi_minimal_face_normal(VRMI_MINIMAL_EYE_X, VRMI_MINIMAL_EYE_Y);
    direction.y = 0.0f;
    direction.x *= 0.9f;
    direction = vrmi_vec3_normalize_or(direction, vrmi_vec3(0.0f, 0.0f, 1.0f));
    const vrm_vec3 iris = vrmi_vec3_add(
        vrmi_minimal_face_point(VRMI_MINIMAL_EYE_X, VRMI_MINIMAL_EYE_Y, 0.0f), vrmi_vec3_scale(direction, -0.0030f));
    vrm_vec3 center = vrmi_vec3_add(iris, vrmi_vec3_scale(direction, -VRMI_MINIMAL_EYE_RADIUS));
    if (side != 0) {
        center.x = -center.x;
        direction.x = -direction.x;
    }
    *out_center = center;
    *out_direction = direction;
}

// --- lids ----------------------------------------------------------------------------------------------------------

float vrmi_minimal_lid_x(float s)
{
    return VRMI_MINIMAL_EYE_X + 0.0225f * s;
}

static float corner_y(float s)
{
    return VRMI_MINIMAL_EYE_Y - 0.002f + 0.0022f * s;
}

static float closed_y(const vrmi_minimal_face *face, int side, float s)
{
    const float arc = 1.0f - s * s;
    const float hanging = corner_y(s) - 0.0035f - 0.0085f * arc;
    const float smiling = corner_y(s) - 0.0060f + 0.0085f * arc;
    return vrmi_lerp(hanging, smiling, face->smile[side]);
}

float vrmi_minimal_lid_upper(const vrmi_minimal_face *face, int side, float s)
{
    const float a = vrmi_clamp(vrmi_abs(s), 0.0f, 1.0f);
    const float shape = 0.6f * vrmi_sqrt(1.0f - a * a) + 0.4f * (1.0f - a * a);
    const float wide = face->close[side] < 0.0f ? -0.0045f * face->close[side] : 0.0f;
    const float open = corner_y(s) + (0.0238f + wide) * shape;
    return vrmi_lerp(open, closed_y(face, side, s), vrmi_max(face->close[side], 0.0f));
}

float vrmi_minimal_lid_lower(const vrmi_minimal_face *face, int side, float s)
{
    const float a = vrmi_clamp(vrmi_abs(s), 0.0f, 1.0f);
    const float open = corner_y(s) - (0.0160f - 0.006f * face->lower_lid[side]) * (1.0f - a * a * a);
    return vrmi_lerp(open, closed_y(face, side, s), vrmi_max(face->close[side], 0.0f));
}

// --- lips ----------------------------------------------------------------------------------------------------------

float vrmi_minimal_lip_x(const vrmi_minimal_face *face, float s)
{
    return 0.0125f * face->mouth_width * s;
}

static float lip_line(const vrmi_minimal_face *face, float s)
{
    return VRMI_MINIMAL_MOUTH_Y + face->mouth_corner * (s * s - 0.4f);
}

static float lip_shape(const vrmi_minimal_face *face, float s)
{
    const float arc = vrmi_max(1.0f - s * s, 0.0f);
    return vrmi_lerp(arc, vrmi_sqrt(arc), face->mouth_round);
}

float vrmi_minimal_lip_upper(const vrmi_minimal_face *face, float s)
{
    return lip_line(face, s) + face->mouth_open * (1.0f - face->mouth_lower) * lip_shape(face, s);
}

float vrmi_minimal_lip_lower(const vrmi_minimal_face *face, float s)
{
    return lip_line(face, s) - face->mouth_open * face->mouth_lower * lip_shape(face, s);
}

void vrmi_minimal_face_default(vrmi_minimal_face *out)
{
    *out = (vrmi_minimal_face){.iris = 1.0f,
        .mouth_open = 0.0013f,
        .mouth_width = 1.0f,
        .mouth_corner = 0.0022f,
        .mouth_round = 0.3f,
        .mouth_lower = 0.5f};
}
