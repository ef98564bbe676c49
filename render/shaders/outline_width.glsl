// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
// Reads the green channel of outlineWidthMultiplyTexture at the vertex. UV animation does not move this texture.
uniform mediump sampler2D t_outline_width;
uniform vec4 u_material_outline[2];
float outline_width_factor(vec4 uv01, vec4 uv23)
{
    vec4 a = u_material_outline[0], b = u_material_outline[1];
    if (b.w == 0.0) {
        return 1.0;
    }
    int set = int(a.w);
    vec3 uv = vec3(set == 0 ? uv01.xy : set == 1 ? uv01.zw : set == 2 ? uv23.xy : uv23.zw, 1.0);
    return textureLod(t_outline_width, vec2(dot(a.xyz, uv), dot(b.xyz, uv)), 0.0).g;
}
