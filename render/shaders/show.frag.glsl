// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
// Copies the finished picture, pixel by pixel. Reading the texture decodes it to linear light, so the result is encoded
// again.
uniform highp sampler2D t_base;
uniform ivec2 u_corner;
const int ENCODE = 19; // bit of FEATURES
out vec4 o_color;
void main()
{
    vec4 c = texelFetch(t_base, ivec2(gl_FragCoord.xy) - u_corner, 0);
    vec3 encoded = mix(c.rgb * 12.92, 1.055 * pow(c.rgb, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c.rgb));
    o_color = (FEATURES >> ENCODE & 1) != 0 ? vec4(encoded, c.a) : c;
}
