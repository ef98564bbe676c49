// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
// Transforms the vertices of an avatar: morph targets, skin, MToon's outline. Uniforms have no room for hundreds of
// joints and morph targets. Therefore palettes and the list of active morph targets are in one texture per frame
// (u_frame), and deltas in one texture per primitive (u_morph).
layout(location = 0) in vec3 a_position;
layout(location = 1) in vec3 a_normal;
layout(location = 2) in vec4 a_tangent;
layout(location = 3) in vec4 a_uv01;
layout(location = 4) in vec4 a_uv23;
layout(location = 5) in uvec4 a_joints0;
layout(location = 6) in vec4 a_weights0;
layout(location = 7) in uvec4 a_joints1;
layout(location = 8) in vec4 a_weights1;
layout(location = 9) in vec4 a_color;

uniform highp sampler2D u_frame;
uniform highp sampler2D u_morph;
uniform mat4 u_world;       // world matrix of a mesh without skin
uniform mat4 u_view;        // view matrix for the instance's origin
uniform mat4 u_projection;
uniform ivec4 u_vertex;     // palette: first texel; morph list: first texel, length; texels per delta
uniform vec4 u_material[33];
#ifdef SILHOUETTE
uniform vec3 u_parts;       // skin: first texel of its joints' parts; no skin: -1, then the node's two parts
out vec2 v_parts;           // weight of the head in this vertex: without the head's spring chains, and with them
#endif

const int SKIN = 21, EIGHT_JOINTS = 22; // bits of FEATURES
bool has(int feature) { return (FEATURES >> feature & 1) != 0; }

out vec3 v_position; // view space
out vec3 v_normal;   // world
out vec4 v_tangent;  // world
out vec4 v_uv01;
out vec4 v_uv23;
out vec4 v_color;

vec4 frame(int i) { return texelFetch(u_frame, ivec2(i & 1023, i >> 10), 0); }
vec4 delta(int i) { return texelFetch(u_morph, ivec2(i & 1023, i >> 10), 0); }

void add_joint(uint joint, float weight, inout vec4 x, inout vec4 y, inout vec4 z)
{
    if (weight != 0.0) {
        int at = u_vertex.x + 3 * int(joint);
        x += weight * frame(at);
        y += weight * frame(at + 1);
        z += weight * frame(at + 2);
#ifdef SILHOUETTE
        v_parts += weight * frame(int(u_parts.x) + int(joint)).xy;
#endif
    }
}

void main()
{
    vec3 position = a_position, normal = a_normal;
    for (int i = 0; i < u_vertex.z; ++i) {
        vec4 target = frame(u_vertex.y + i); // target: first texel, first vertex, last vertex, weight
        int first = int(target.y);
        if (gl_VertexID >= first && gl_VertexID <= int(target.z)) {
            int at = int(target.x) + (gl_VertexID - first) * u_vertex.w;
            position += target.w * delta(at).xyz;
            if (u_vertex.w == 2) {
                normal += target.w * delta(at + 1).xyz;
            }
        }
    }

    vec4 x = vec4(u_world[0].x, u_world[1].x, u_world[2].x, u_world[3].x);
    vec4 y = vec4(u_world[0].y, u_world[1].y, u_world[2].y, u_world[3].y);
    vec4 z = vec4(u_world[0].z, u_world[1].z, u_world[2].z, u_world[3].z);
#ifdef SILHOUETTE
    v_parts = u_parts.x >= 0.0 ? vec2(0.0) : u_parts.yz;
#endif
    if (has(SKIN)) {
        float sum = dot(has(EIGHT_JOINTS) ? a_weights0 + a_weights1 : a_weights0, vec4(1.0));
        float unit = sum > 0.0 ? 1.0 / sum : 0.0;
        x = y = z = vec4(0.0);
        for (int i = 0; i < 4; ++i) {
            add_joint(a_joints0[i], a_weights0[i] * unit, x, y, z);
            if (has(EIGHT_JOINTS)) {
                add_joint(a_joints1[i], a_weights1[i] * unit, x, y, z);
            }
        }
    }
    vec4 p = vec4(position, 1.0);
    vec3 world = vec3(dot(x, p), dot(y, p), dot(z, p));
    // Cofactors equal the inverse transpose up to a positive factor, and need no division.
    vec3 cx = cross(y.xyz, z.xyz), cy = cross(z.xyz, x.xyz), cz = cross(x.xyz, y.xyz);
    float side = dot(cx, x.xyz) < 0.0 ? -1.0 : 1.0;
    v_normal = side * vec3(dot(cx, normal), dot(cy, normal), dot(cz, normal));
    float size = length(v_normal);
    v_normal = size > 0.0 ? v_normal / size : vec3(0.0, 0.0, 1.0);
    v_tangent = vec4(dot(x.xyz, a_tangent.xyz), dot(y.xyz, a_tangent.xyz), dot(z.xyz, a_tangent.xyz), a_tangent.w * side);
    v_uv01 = a_uv01;
    v_uv23 = a_uv23;
    v_color = a_color;

#ifdef OUTLINE
    float width = u_material[7].z * outline_width_factor(a_uv01, a_uv23);
    if (u_material[10].z == 2.0) {
        // The width is a ratio of the screen's height, which is 2 in clip space. This is exact at the silhouette, where
        // outlines are visible.
        vec4 clip = u_projection * (u_view * vec4(world, 1.0));
        width *= 2.0 * clip.w / u_projection[1][1];
    }
    world += width * v_normal;
#endif
    vec4 view = u_view * vec4(world, 1.0);
    v_position = view.xyz;
    gl_Position = u_projection * view;
    gl_PointSize = 2.0;
#ifdef OUTLINE
    gl_Position.z += 1e-6 * gl_Position.w; // an outline of width 0 stays behind its surface
#endif
}
