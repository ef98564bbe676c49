// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
// Draws an avatar in a window of your own, with GLFW and OpenGL 3.3 core. The GPU does the skinning; libvrm adds the
// morph targets on the CPU.
//
//     cc draw_gl.c $(pkg-config --cflags --libs vrm-render vrm glfw3 epoxy) -lm -o draw_gl
//     ./draw_gl avatar.vrm [picture.ppm]
//
// If a picture is given, draws 60 frames, writes the last one and ends.
#include "window_gl.h"

static const char *const vertex_shader =
    "#version 330 core\n"
    "layout(location = 0) in vec3 position; layout(location = 1) in vec3 normal; layout(location = 2) in vec2 uv;\n"
    "layout(location = 3) in uvec4 joints; layout(location = 4) in vec4 weights; layout(location = 5) in vec4 color;\n"
    "uniform samplerBuffer matrices; uniform mat4 clip; out vec3 n; out vec2 st; out vec4 tint;\n"
    "void main() { vec4 r[3] = vec4[3](vec4(0), vec4(0), vec4(0)), p = vec4(position, 1);\n"
    "for (int k = 0; k < 12; ++k) r[k % 3] += weights[k / 3] * texelFetch(matrices, 3 * int(joints[k/3]) + k % 3);\n"
    "  n = vec3(dot(r[0].xyz, normal), dot(r[1].xyz, normal), dot(r[2].xyz, normal)); st = uv; tint = color;\n"
    "  gl_Position = clip * vec4(dot(r[0], p), dot(r[1], p), dot(r[2], p), 1); }\n";
static const char *const fragment_shader =
    "#version 330 core\n"
    "in vec3 n; in vec2 st; in vec4 tint; uniform sampler2D image; uniform vec4 factor; uniform float cutoff;\n"
    "out vec4 c; void main() { c = texture(image, st) * factor * tint; if (c.a < cutoff) discard;\n"
    "  c.rgb *= 0.6 + 0.4 * max(0, dot(normalize(n), vec3(0.4, 0.5, 0.77))); }\n";

typedef struct host_vertex {
    vrm_vec3 position, normal;
    float uv[2];
    uint16_t joints[4];
    uint8_t weights[4], color[4];
} host_vertex;
static const vrm_vertex_attribute layout[] = {{VRM_VERTEX_POSITION, 0, VRM_VERTEX_FLOAT32, 3, 0},
    {VRM_VERTEX_NORMAL, 0, VRM_VERTEX_FLOAT32, 3, 12}, {VRM_VERTEX_TEX_COORD, 0, VRM_VERTEX_FLOAT32, 2, 24},
    {VRM_VERTEX_JOINTS, 0, VRM_VERTEX_UINT16, 4, 32}, {VRM_VERTEX_WEIGHTS, 0, VRM_VERTEX_UNORM8, 4, 40},
    {VRM_VERTEX_COLOR, 0, VRM_VERTEX_UNORM8, 4, 44}};
enum { MOST_PARTS = 4096 };
typedef struct part {
    GLuint array, buffer, image;
    uint32_t mesh_node, primitive;
    vrm_mesh_node mesh;
    vrm_geometry *geometry;
    vrm_geometry_info info;
    vrm_material material;
} part;

static GLuint load_texture(const vrm_gltf *gltf, int32_t index)
{
    vrm_gltf_texture texture = {.struct_size = sizeof texture, .image = -1, .wrap_s = GL_REPEAT, .wrap_t = GL_REPEAT};
    vrm_gltf_image image = {.struct_size = sizeof image};
    vrm_gltf_get_texture(
        gltf, (uint32_t)index, &texture); // if index is -1, there is no texture, and the struct keeps its defaults
    vrm_gltf_get_image(gltf, (uint32_t)texture.image, &image);
    return window_texture(image.bytes, image.size, &texture);
}

// The vertices' joints are indices into all palettes, followed by the matrices of all nodes, for meshes without a skin.
static bool load_part(part *p, const vrm_gltf *gltf, const vrm_avatar *avatar, const vrm_outputs *out)
{
    vrm_palette palette = {.struct_size = sizeof palette};
    vrm_geometry_def def;
    vrm_geometry_def_default(&def);
    def.mesh = p->mesh.gltf_mesh;
    def.primitive = p->primitive;
    def.flat_normals = def.four_joints = true;
    def.ignore_joints = p->mesh.palette < 0;
    vrm_avatar_get_palette(
        avatar, (uint32_t)p->mesh.palette, &palette); // if it is -1, there is no skin, and first_joint stays 0
    def.first_joint = palette.first_joint;
    def.rigid_joint = (int32_t)(out->palette_joint_count + p->mesh.node);
    if (vrm_geometry_create(gltf, &def, NULL, &p->geometry) != VRM_SUCCESS) {
        return false;
    }
    vrm_geometry_get_info(p->geometry, &p->info);
    vrm_avatar_get_material(
        avatar, (uint32_t)p->info.material, &p->material); // if it is -1, the part keeps the material set in main()
    p->array = window_mesh(layout, 6, sizeof(host_vertex), p->geometry, &p->buffer);
    p->image = load_texture(gltf, p->material.params.textures[VRM_TEXTURE_BASE_COLOR].index);
    return true;
}

static void draw_part(part *p, const vrm_outputs *out, GLuint program)
{
    const vrm_material_params *look = &p->material.params;
    const vrm_vec4 color = p->info.material >= 0 ? out->materials[p->info.material].colors[0] : (vrm_vec4){1, 1, 1, 1};
    if ((out->morph_changes.bits[p->mesh_node / 32] >> p->mesh_node % 32 & 1u) !=
        0) { // all bits are set in the first frame
        const size_t size = p->info.vertex_count * sizeof(host_vertex);
        const vrm_vertex_target target = {sizeof target, window_map(p->buffer, size), size, sizeof(host_vertex), layout,
            6, out->morphs + p->mesh.first_morph, p->mesh.morph_count};
        vrm_geometry_write_vertices(p->geometry, &target);
        glUnmapBuffer(GL_ARRAY_BUFFER);
    }
    (look->double_sided ? glDisable : glEnable)(GL_CULL_FACE);
    (look->alpha_mode == VRM_ALPHA_BLEND ? glEnable : glDisable)(GL_BLEND);
    glBindTexture(GL_TEXTURE_2D, p->image);
    glUniform4f(glGetUniformLocation(program, "factor"), color.x, color.y, color.z, color.w);
    glUniform1f(glGetUniformLocation(program, "cutoff"), look->alpha_mode == VRM_ALPHA_MASK ? look->alpha_cutoff : 0);
    glBindVertexArray(p->array);
    glDrawElements(p->info.mode, (GLsizei)p->info.index_count, GL_UNSIGNED_INT, NULL);
}

int main(int argc, char **argv)
{
    static part parts[MOST_PARTS];
    vrm_gltf *gltf;
    vrm_avatar *avatar;
    vrm_instance *instance;
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    if (argc < 2 || vrm_gltf_load_file(NULL, argv[1], NULL, &gltf) != VRM_SUCCESS ||
        vrm_avatar_import(NULL, gltf, NULL, &avatar) != VRM_SUCCESS) {
        fprintf(stderr, "usage: draw_gl avatar.vrm [picture.ppm]\n");
        return 1;
    }
    def.avatar = avatar;
    GLFWwindow *window = window_open(argv[1]);
    if (vrm_instance_create(&def, &instance) != VRM_SUCCESS) {
        return 1;
    }
    const GLuint program = window_program(vertex_shader, fragment_shader);
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_mesh_node node = {.struct_size = sizeof node};
    vrm_gltf_mesh mesh = {.struct_size = sizeof mesh};
    uint32_t count = 0;
    vrm_instance_get_outputs(instance, &out);
    for (uint32_t m = 0; vrm_avatar_get_mesh_node(avatar, m, &node) == VRM_SUCCESS; ++m) {
        vrm_gltf_get_mesh(gltf, node.gltf_mesh, &mesh);
        for (uint32_t i = 0; i < mesh.primitive_count && count < MOST_PARTS; ++i) {
            parts[count] =
                (part){.mesh_node = m, .primitive = i, .mesh = node, .info.struct_size = sizeof parts[0].info};
            parts[count].material = (vrm_material){.struct_size = sizeof(vrm_material), .params.textures[0].index = -1};
            count += load_part(&parts[count], gltf, avatar, &out); // a part that cannot be read is left out
        }
    }
    for (uint32_t frame = 0; !glfwWindowShouldClose(window) && (argc < 3 || frame < 60); ++frame) {
        vrm_update_dt(instance, 1.0f / 60.0f);
        vrm_instance_get_outputs(instance, &out);
        window_begin(program, &out);
        for (uint32_t i = 0; i < 2 * count; ++i) { // blended parts come last
            if ((parts[i % count].material.params.alpha_mode == VRM_ALPHA_BLEND) == (i >= count)) {
                draw_part(&parts[i % count], &out, program);
            }
        }
        window_end(window, frame == 59 ? argv[2] : NULL);
    }
    for (uint32_t i = 0; i < count; ++i) {
        vrm_geometry_destroy(parts[i].geometry);
    }
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
    vrm_gltf_destroy(gltf);
    return 0;
}
