// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
// Draws surfaces. One of MTOON, UNLIT, PBR or SILHOUETTE is defined; with MTOON also OUTLINE for outlines.
in vec3 v_position;
in vec3 v_normal;
in vec4 v_tangent;
in vec4 v_uv01;
in vec4 v_uv23;
in vec4 v_color;
out vec4 o_color;

uniform vec4 u_material[33];
uniform mat4 u_view;
uniform ivec2 u_options;   // x: vrm_render_channel; y: not 0 if both sides are drawn
uniform vec4 u_light[5];   // light: direction to it (world), colour; ambient: from above, from below; environment
uniform sampler2D t_base;
uniform sampler2D t_metallic_roughness;
uniform sampler2D t_normal;
uniform sampler2D t_occlusion;
uniform sampler2D t_emissive;
uniform sampler2D t_shade;
uniform sampler2D t_shift;
uniform sampler2D t_matcap;
uniform sampler2D t_rim;
uniform sampler2D t_uv_mask;

vec4 animation = vec4(1.0, 0.0, 0.0, 0.0); // cosine and sine of the rotation; offset by scrolling

vec2 transformed(int slot, bool animated)
{
    vec4 a = u_material[11 + 2 * slot], b = u_material[12 + 2 * slot];
    int set = int(a.w);
    vec2 uv = set == 1 ? v_uv01.zw : v_uv01.xy;
    if (has(UV23) && set > 1) {
        uv = set == 2 ? v_uv23.xy : v_uv23.zw;
    }
    if (has(ANIMATED) && animated) {
        // Rotate about the middle, then scroll.
        uv -= 0.5;
        uv = vec2(animation.x * uv.x + animation.y * uv.y, animation.x * uv.y - animation.y * uv.x) + 0.5 + animation.zw;
    }
    vec3 p = vec3(uv, 1.0);
    return vec2(dot(a.xyz, p), dot(b.xyz, p));
}

// Returns the world normal of the visible side, changed by the normal map.
vec3 surface_normal(vec3 position_world)
{
#ifdef OUTLINE
    float facing = 1.0; // an outline shows back faces, but is lit as the surface that it surrounds
#else
    float facing = u_options.y != 0 && !gl_FrontFacing ? -1.0 : 1.0;
#endif
    vec3 normal = normalize(v_normal) * facing;
    if (has(FLAT)) {
        normal = normalize(cross(dFdx(position_world), dFdy(position_world)));
    }
    if (has(NORMAL)) {
        vec2 uv = transformed(NORMAL, true);
        vec3 map = texture(t_normal, uv).xyz * 2.0 - 1.0;
        map.xy *= u_material[10].x;
        vec3 t, b;
        if (has(TANGENTS)) {
            t = normalize(v_tangent.xyz) * facing;
            b = cross(normal, t) * v_tangent.w * facing;
        } else {
            // Tangents are computed from the differences of position and UV between neighbouring pixels.
            vec3 dx = dFdx(position_world), dy = dFdy(position_world);
            vec2 ux = dFdx(uv), uy = dFdy(uv);
            vec3 py = cross(dy, normal), px = cross(normal, dx);
            t = py * ux.x + px * uy.x;
            b = py * ux.y + px * uy.y;
            float longest = max(dot(t, t), dot(b, b));
            float unit = longest == 0.0 ? 0.0 : inversesqrt(longest);
            t *= unit * facing;
            b *= -unit * facing; // v grows down
        }
        normal = normalize(mat3(t, b, normal) * map);
    }
    return normal;
}

vec3 ambient(vec3 normal, float equalization)
{
    vec3 up = u_light[2].xyz, down = u_light[3].xyz;
    return mix(mix(down, up, 0.5 + 0.5 * normal.y), 0.5 * (up + down), equalization);
}

vec3 emission()
{
    vec3 light = u_material[1].rgb * u_material[8].y;
    return has(EMISSIVE) ? light * texture(t_emissive, transformed(EMISSIVE, true)).rgb : light;
}

#ifdef MTOON
float shading_term(vec3 normal)
{
    float shift = u_material[6].x;
    if (has(SHIFT)) {
        shift += texture(t_shift, transformed(SHIFT, true)).r * u_material[9].w;
    }
    float x = dot(normal, u_light[0].xyz) + shift, toony = u_material[6].y;
    // linearstep(-1 + toony, 1 - toony), which is a step for toony 1.
    return 1.0 - toony > 0.0 ? clamp((x + 1.0 - toony) / (2.0 - 2.0 * toony), 0.0, 1.0) : step(0.0, x);
}

vec3 rim(vec3 normal, vec3 lighting)
{
    if (!has(RIM_LIGHT) && !has(MATCAP)) {
        return vec3(0.0);
    }
    vec3 to_eye = normalize(-v_position), seen = mat3(u_view) * normal;
    seen = normalize(seen);
    vec3 color = vec3(0.0);
    if (has(MATCAP)) {
        vec3 x = normalize(vec3(to_eye.z, 0.0, -to_eye.x)), y = cross(to_eye, x);
        vec2 uv = vec2(dot(x, seen), dot(y, seen)) * 0.495 + 0.5;
        color = u_material[3].rgb * texture(t_matcap, vec2(uv.x, 1.0 - uv.y)).rgb;
    }
    if (has(RIM_LIGHT)) {
        float edge = clamp(1.0 - dot(seen, to_eye) + u_material[7].x, 0.0, 1.0);
        color += u_material[4].rgb * pow(edge, max(u_material[6].w, 1e-5));
    }
    if (has(RIM)) {
        color *= texture(t_rim, transformed(RIM, true)).rgb;
    }
    return color * mix(vec3(1.0), lighting, u_material[7].y);
}

vec3 shade(vec3 base, vec3 normal)
{
#ifdef OUTLINE
    if (!has(LIT)) {
        return u_material[5].rgb;
    }
#endif
    vec3 dark = u_material[2].rgb;
    if (has(SHADE)) {
        dark *= texture(t_shade, transformed(SHADE, true)).rgb;
    }
    vec3 indirect = ambient(normal, u_material[6].z);
    vec3 color = mix(dark, base, shading_term(normal)) * u_light[1].rgb + base * indirect;
    color += rim(normal, u_light[1].rgb + indirect) + emission();
#ifdef OUTLINE
    color = u_material[5].rgb * mix(vec3(1.0), color, u_material[7].w);
#endif
    return color;
}
#endif

#ifdef UNLIT
vec3 shade(vec3 base, vec3 normal) { return base; }
#endif

#ifdef PBR
// Light that a metal of this colour reflects from an environment that is 1 everywhere. Karis' fit of the integral over
// GGX (Physically Based Shading on Mobile), plus multiple reflections (Fdez-Aguero, A Multiple-Scattering Microfacet
// Model for Real-Time Image-based Lighting), so that white metal reflects all light.
vec3 mirrored(vec3 color, float roughness, float nv)
{
    vec4 r = roughness * vec4(-1.0, -0.0275, -0.572, 0.022) + vec4(1.0, 0.0425, 1.04, -0.04);
    float a = min(r.x * r.x, exp2(-9.28 * nv)) * r.x + r.y;
    vec2 part = vec2(-1.04, 1.04) * a + r.zw;
    vec3 once = color * part.x + part.y, mean = color + (1.0 - color) / 21.0;
    float rest = 1.0 - part.x - part.y;
    return once + once * mean / (1.0 - rest * mean) * rest;
}

// glTF 2.0, appendix B: Lambert and GGX, mixed by Schlick's Fresnel. Only metals reflect the environment: other
// surfaces reflect little of it, and get their share as ambient light.
vec3 shade(vec3 base, vec3 normal)
{
    float metallic = u_material[8].z, roughness = u_material[8].w;
    if (has(METALLIC_ROUGHNESS)) {
        vec4 map = texture(t_metallic_roughness, transformed(METALLIC_ROUGHNESS, true));
        metallic *= map.b;
        roughness *= map.g;
    }
    float alpha = max(roughness * roughness, 0.002), a2 = alpha * alpha;
    vec3 v = normalize(transpose(mat3(u_view)) * -v_position), l = u_light[0].xyz, h = normalize(v + l);
    float nl = max(dot(normal, l), 0.0), nv = max(abs(dot(normal, v)), 1e-4), nh = max(dot(normal, h), 0.0);
    vec3 f0 = mix(vec3(0.04), base, metallic);
    vec3 f = f0 + (1.0 - f0) * pow(1.0 - clamp(dot(v, h), 0.0, 1.0), 5.0);
    float d = nh * nh * (a2 - 1.0) + 1.0;
    float visible = 0.5 / max(nl * sqrt(nv * nv * (1.0 - a2) + a2) + nv * sqrt(nl * nl * (1.0 - a2) + a2), 1e-6);
    vec3 diffuse = base * (1.0 - metallic);
    float occlusion = has(OCCLUSION) ? 1.0 + u_material[10].y * (texture(t_occlusion, transformed(OCCLUSION, true)).r - 1.0) : 1.0;
    vec3 direct = ((1.0 - f) * diffuse + f * visible * a2 / (d * d)) * nl * u_light[1].rgb;
    vec3 around = diffuse * ambient(normal, 0.0) + metallic * mirrored(base, roughness, min(nv, 1.0)) * u_light[4].rgb;
    return direct + around * occlusion + emission();
}
#endif

vec3 encoded(vec3 c)
{
    c = clamp(c, 0.0, 1.0);
    return mix(1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, c * 12.92, lessThanEqual(c, vec3(0.0031308)));
}

// Returns a value that is shown instead of light. The picture shows these values unchanged: if the target encodes
// light, they are decoded here first.
vec3 channel(vec3 normal)
{
    vec3 value = 0.5 + 0.5 * normal;
    if (u_options.x == 2) {
        value = vec3(fract(transformed(BASE, true)), 0.0);
    } else if (u_options.x == 3) {
#ifdef MTOON
        value = vec3(shading_term(normal));
#else
        value = vec3(clamp(dot(normal, u_light[0].xyz), 0.0, 1.0));
#endif
    }
    return has(ENCODE) ? value
        : mix(pow((value + 0.055) / 1.055, vec3(2.4)), value / 12.92, lessThanEqual(value, vec3(0.04045)));
}

vec4 base_color(bool animated, bool colored)
{
    if (has(ANIMATED) && animated) {
        float part = has(UV_MASK) ? texture(t_uv_mask, transformed(UV_MASK, false)).b : 1.0, angle = u_material[9].z * part;
        animation = vec4(cos(angle), sin(angle), u_material[9].xy * part);
    }
    vec4 base = u_material[0];
    if (colored) {
        base *= v_color;
    }
    if (has(BASE)) {
        base *= texture(t_base, transformed(BASE, true));
    }
    return base;
}

#ifdef SILHOUETTE
// Writes masks: red where a surface is visible, green for the head, blue for the head with its spring chains. Alpha
// also marks transparent surfaces.
in vec2 v_parts;
void main()
{
    bool mtoon = u_options.x != 0;
    float alpha = base_color(mtoon, !mtoon).a;
    bool clear = (has(MASK) && alpha < u_material[8].x) || (has(BLEND) && alpha < SILHOUETTE);
#ifdef SHADOW
    if (clear) {
        discard;
    }
    o_color = vec4(1.0, gl_FragCoord.z, 0.0, 1.0); // red: something is here; green: its height
#else
    o_color = vec4(clear ? vec3(0.0) : vec3(1.0, step(0.5, v_parts)), 1.0);
#endif
}
#else
void main()
{
#ifdef MTOON
    vec4 base = base_color(true, false); // MToon ignores vertex colours
#else
    vec4 base = base_color(false, true);
#endif
    // Normals are computed before any pixel is discarded, since differences between pixels are undefined afterwards.
    vec3 normal = surface_normal(transpose(mat3(u_view)) * v_position);
    if (has(MASK) && base.a < u_material[8].x) {
        discard;
    }
    vec3 color;
    if (has(CHANNEL)) {
        color = channel(normal);
    } else {
        color = shade(base.rgb, normal);
        color = has(ENCODE) ? encoded(color) : color;
    }
    o_color = vec4(color, has(BLEND) ? base.a : 1.0);
}
#endif
