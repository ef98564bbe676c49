// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
// A grid of metres that fades out, and a soft shadow under what is near the ground: feet and hips as round blots.
in vec2 v_place; // metres from the avatar's root
out vec4 o_color;
uniform vec4 u_blots[8]; // x, z, radius, strength
uniform vec4 u_grid;     // where the root lies between the lines; radius
void main()
{
    vec2 at = v_place + u_grid.xy, wide = max(fwidth(at), vec2(1e-5));
    vec2 near = abs(fract(at - 0.5) - 0.5) / wide;
    float line = 1.0 - min(min(near.x, near.y) - 0.2, 1.0);
    float fade = clamp(1.0 - length(v_place) / u_grid.z, 0.0, 1.0);
    float shadow = 1.0;
    for (int i = 0; i < 8; ++i) {
        vec2 d = (v_place - u_blots[i].xy) / max(u_blots[i].z, 1e-3);
        shadow *= 1.0 - u_blots[i].w * exp(-dot(d, d));
    }
    float grid = clamp(line, 0.0, 1.0) * 0.35 * fade * fade;
    float dark = 1.0 - (1.0 - grid) * shadow;
    o_color = vec4(vec3(0.0), dark);
}
