// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "sample/full/full.h"

// Columns: height; half width; depths of the face's middle, of the outline (jaw, cheekbone, temple), of the back.
static const float profile[][5] = {
    {1.3100f, 0.0000f, 0.0715f, 0.0715f, 0.0715f},
    {1.3120f, 0.0105f, 0.0765f, 0.0680f, 0.0590f},
    {1.3155f, 0.0190f, 0.0792f, 0.0620f, 0.0470f},
    {1.3200f, 0.0262f, 0.0805f, 0.0560f, 0.0330f},
    {1.3260f, 0.0342f, 0.0812f, 0.0485f, 0.0150f},
    {1.3340f, 0.0428f, 0.0818f, 0.0390f, -0.0080f},
    {1.3430f, 0.0505f, 0.0824f, 0.0300f, -0.0300f},
    {1.3540f, 0.0578f, 0.0830f, 0.0205f, -0.0510f},
    {1.3680f, 0.0660f, 0.0834f, 0.0115f, -0.0690f},
    {1.3840f, 0.0725f, 0.0838f, 0.0045f, -0.0825f},
    {1.4020f, 0.0772f, 0.0846f, 0.0000f, -0.0910f},
    {1.4200f, 0.0794f, 0.0862f, -0.0020f, -0.0955f},
    {1.4400f, 0.0804f, 0.0880f, -0.0040f, -0.0985f},
    {1.4650f, 0.0804f, 0.0870f, -0.0060f, -0.0985f},
    {1.4900f, 0.0768f, 0.0790f, -0.0080f, -0.0935f},
    {1.5100f, 0.0690f, 0.0660f, -0.0090f, -0.0830f},
    {1.5270f, 0.0560f, 0.0470f, -0.0090f, -0.0650f},
    {1.5390f, 0.0360f, 0.0220f, -0.0090f, -0.0400f},
    {1.5450f, 0.0000f, -0.0090f, -0.0090f, -0.0090f},
};

static float profile_at(float y, int column)
{
    return vrmi_sample_curve(&profile[0][0], (int)VRMI_COUNT_OF(profile), 5, column, y);
}

float vrmi_full_head_width(float y)
{
    return profile_at(y, 1);
}

float vrmi_full_bump(float x, float y, float rx, float ry)
{
    const float t = 1.0f - (x / rx) * (x / rx) - (y / ry) * (y / ry);
    return t > 0.0f ? t * t : 0.0f;
}

// The depth across the face. A fourth power makes the face flat in the middle and curved only near the outline.
static float bow(float s)
{
    s = vrmi_clamp(s, -1.0f, 1.0f);
    return vrmi_sqrt((1.0f - s * s) * (1.0f + s * s));
}

float vrmi_full_face_base(float x, float y)
{
    const float width = vrmi_max(profile_at(y, 1), 1e-4f), edge = profile_at(y, 3);
    return edge + (profile_at(y, 2) - edge) * bow(x / width);
}

float vrmi_full_face_feature(float x, float y)
{
    const float side = vrmi_abs(x), mouth = VRMI_FULL_MOUTH_Y;
    // The nose is a ridge that rises between the eyes and is steep below its tip.
    const float tip = 1.3625f;
    const float nx = x / 0.0070f, ny = y > tip ? (y - tip) / 0.0210f : (y - tip) / 0.0062f;
    const float n = 1.0f + nx * nx + ny * ny;
    float z = 0.0110f / (n * n);
    z += 0.0012f * vrmi_full_bump(side - 0.0060f, y - 1.3602f, 0.0045f, 0.0045f);
    z -= 0.0026f * vrmi_full_bump(side - 0.0385f, y - 1.3960f, 0.0340f, 0.0280f);
    z += 0.0020f * vrmi_full_bump(side - 0.0420f, y - 1.3575f, 0.0300f, 0.0220f);
    z += 0.0024f * vrmi_full_bump(x, y - (mouth + 0.0036f), 0.0125f, 0.0046f);
    z += 0.0028f * vrmi_full_bump(x, y - (mouth - 0.0052f), 0.0105f, 0.0056f);
    z -= 0.0012f * vrmi_full_bump(side - 0.0155f, y - mouth, 0.0065f, 0.0070f);
    z -= 0.0018f * vrmi_full_bump(x, y - (mouth - 0.0140f), 0.0160f, 0.0065f);
    return z + 0.0016f * vrmi_full_bump(x, y - 1.3210f, 0.0150f, 0.0090f);
}

vrm_vec3 vrmi_full_head_point(float turn, float y, float feature)
{
    const float width = profile_at(y, 1), edge = profile_at(y, 3);
    float sine, cosine;
    vrmi_sincos(turn * (VRMI_PI / 180.0f), &sine, &cosine);
    if (turn <= 90.0f) {
        const float x = width * sine;
        return vrmi_vec3(x, y, vrmi_full_face_base(x, y) + feature * vrmi_full_face_feature(x, y));
    }
    const float back = profile_at(y, 4);
    return vrmi_vec3(
        turn >= 180.0f ? 0.0f : width * sine, y, edge + (edge - back) * cosine * vrmi_sqrt(1.0f + 0.35f * sine * sine));
}

vrm_vec3 vrmi_full_head_normal(float turn, float y)
{
    // Finite differences that stay on the head. Protruding features have a third of their depth here, so that toon
    // shading does not draw hard triangles.
    const float h = 0.0012f, a = 2.0f;
    const float low = vrmi_max(y - h, 1.3101f), high = vrmi_min(y + h, VRMI_FULL_CROWN - 0.0001f);
    const float t = vrmi_clamp(turn, 2.0f, 178.0f);
    const vrm_vec3 up = vrmi_vec3_sub(vrmi_full_head_point(turn, high, 0.35f), vrmi_full_head_point(turn, low, 0.35f));
    const vrm_vec3 around = vrmi_vec3_sub(vrmi_full_head_point(t + a, y, 0.35f), vrmi_full_head_point(t - a, y, 0.35f));
    vrm_vec3 n = vrmi_vec3_cross(around, up);
    if (turn <= 0.0f || turn >= 180.0f) {
        n.x = 0.0f;
    }
    return vrmi_vec3_normalize_or(n, vrmi_vec3(0.0f, y > 1.4f ? 1.0f : -1.0f, 0.0f));
}

vrm_vec3 vrmi_full_face_normal(float x, float y)
{
    const float limit = profile_at(y, 1) * 0.985f, h = 0.0012f;
    const float inside = vrmi_clamp(x, -limit, limit);
    const float x0 = vrmi_max(inside - h, -limit), x1 = vrmi_min(inside + h, limit);
    float z[4];
    const float places[4][2] = {{x0, y}, {x1, y}, {inside, y - h}, {inside, y + h}};
    for (int i = 0; i < 4; ++i) {
        z[i] = vrmi_full_face_base(places[i][0], places[i][1]) +
               0.35f * vrmi_full_face_feature(places[i][0], places[i][1]);
    }
    return vrmi_vec3_normalize_or(
        vrmi_vec3((z[0] - z[1]) / (x1 - x0), (z[2] - z[3]) / (2.0f * h), 1.0f), vrmi_vec3(0.0f, 0.0f, 1.0f));
}

vrm_vec3 vrmi_full_face_point(float x, float y, float lift)
{
    const vrm_vec3 point = {x, y, vrmi_full_face_base(x, y) + vrmi_full_face_feature(x, y)};
    return vrmi_vec3_add(point, vrmi_vec3_scale(vrmi_full_face_normal(x, y), lift));
}

void vrmi_full_eye_frame(vrm_vec3 *out_center, vrm_vec3 *out_direction)
{
    vrm_vec3 direction = vrmi_full_face_normal(VRMI_FULL_EYE_X, VRMI_FULL_EYE_Y);
    direction.y = 0.0f;
    direction.x *= 0.85f;
    direction = vrmi_vec3_normalize_or(direction, vrmi_vec3(0.0f, 0.0f, 1.0f));
    const vrm_vec3 iris = vrmi_full_face_point(VRMI_FULL_EYE_X, VRMI_FULL_EYE_Y, -0.0032f);
    *out_center = vrmi_vec3_sub(iris, vrmi_vec3_scale(direction, VRMI_FULL_EYE_RADIUS));
    *out_direction = direction;
}
