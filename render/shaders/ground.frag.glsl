// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
// Draws a grid of metres that fades out, and shadows: round ones under parts near the ground (feet, hips), or the
// figures' own.
in vec2 v_place; // metres from the avatar's root
out vec4 o_color;
uniform vec4 u_blots[8]; // x, z, radius, strength
uniform vec4 u_grid;     // xy: position of the root between the grid lines; z: radius; w: 1 to draw the grid
uniform vec4 u_shadow;   // from the ground to the map: scale, offset
uniform float u_height;  // height that is 1 in the map, metres; 0: no shadow
uniform highp sampler2D t_shadow; // r: 1 under the figures; g: r times height

const int SHADOW = 23; // a bit of FEATURES

// Returns the map's mean over a disk with this radius in metres.
vec2 blurred(vec2 at, float radius)
{
    float level = max(log2(radius * max(u_shadow.x, u_shadow.y) * 512.0), 0.0);
    vec2 sum = textureLod(t_shadow, at, level).rg * 2.0;
    for (int i = 0; i < 8; ++i) {
        float turn = 0.7853982 * float(i), far = i % 2 == 0 ? 0.55 : 1.0;
        sum += textureLod(t_shadow, at + far * radius * vec2(cos(turn), sin(turn)) * u_shadow.xy, level).rg;
    }
    return sum / 10.0;
}

// Returns the darkness of the figures' own shadow. The light source is wide: the higher a part is above the ground, the
// softer its shadow.
float figure_shadow()
{
    vec2 at = v_place * u_shadow.xy + u_shadow.zw;
    if (u_height == 0.0 || any(greaterThan(abs(at - 0.5), vec2(0.5)))) {
        return 0.0;
    }
    vec2 about = blurred(at, 0.12 * u_height);
    if (about.r < 0.002) {
        return 0.0;
    }
    float height = about.g / about.r * u_height;
    return 0.42 * blurred(at, max(0.1 * height, 0.006)).r;
}

void main()
{
    vec2 at = v_place + u_grid.xy, wide = max(fwidth(at), vec2(1e-5));
    vec2 near = abs(fract(at - 0.5) - 0.5) / wide;
    float line = 1.0 - min(min(near.x, near.y) - 0.2, 1.0);
    float fade = clamp(1.0 - length(v_place) / u_grid.z, 0.0, 1.0);
    float light = 1.0;
    if ((FEATURES >> SHADOW & 1) != 0) {
        light = 1.0 - figure_shadow() * smoothstep(0.0, 0.25, fade);
    }
    for (int i = 0; i < 8; ++i) {
        vec2 d = (v_place - u_blots[i].xy) / max(u_blots[i].z, 1e-3);
        light *= 1.0 - u_blots[i].w * exp(-dot(d, d));
    }
    float grid = clamp(line, 0.0, 1.0) * 0.35 * fade * fade * u_grid.w;
    float dark = 1.0 - (1.0 - grid) * light;
    o_color = vec4(vec3(0.0), dark);
}
