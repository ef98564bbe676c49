// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
// An avatar in a window of one's own: GLFW, OpenGL 3.3 core. Palettes skin on the GPU, morph targets are added on the CPU.
//
//     cc draw_gl.c $(pkg-config --cflags --libs vrm-render vrm glfw3 epoxy) -lm -o draw_gl
//     ./draw_gl avatar.vrm [picture.ppm]
//
// With a picture it draws for a second, writes the last frame and ends.
#include "window_gl.h"

static const char *const vertex_shader =
    "#version 330 core\n"
    "layout(location = 0) in vec3 position; layout(location = 1) in vec3 normal; layout(location = 2) in vec2 uv;\n"
    "layout(location = 3) in uvec4 joints; layout(location = 4) in vec4 weights; layout(location = 5) in vec4 color;\n"
    "uniform samplerBuffer matrices; uniform mat4 clip; out vec3 n; out vec2 st; out vec4 tint;\n"
    "void main() { vec4 r[3] = vec4[3](vec4(0), vec4(0), vec4(0)), p = vec4(position, 1);\n"
    "  for (int k = 0; k < 12; ++k)\n"
    "    r[k % 3] += weights[k / 3] * texelFetch(matrices, int(joints[k / 3]) * 3 + k % 3);\n"
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
typedef struct part {
    GLuint array, buffer, image;
    uint32_t mesh_node;
    vrm_mesh_node mesh;
    vrm_geometry *geometry; // kept for its morph targets; NULL: cannot be read, is not drawn
    vrm_geometry_info info;
    host_vertex *vertices;
    vrm_morph_deltas deltas;
    vrm_material material;
} part;

static GLuint load_texture(const vrm_gltf *gltf, int32_t index)
{
    vrm_gltf_texture texture = {.struct_size = sizeof texture, .image = -1, .wrap_s = GL_REPEAT, .wrap_t = GL_REPEAT};
    vrm_gltf_image image = {.struct_size = sizeof image};
    vrm_gltf_get_texture(gltf, (uint32_t)index, &texture); // -1: none, and it stays as above
    vrm_gltf_get_image(gltf, (uint32_t)texture.image, &image);
    return window_texture(image.bytes, image.size, (GLint)texture.wrap_s, (GLint)texture.wrap_t);
}

static bool load_part(part *p, const vrm_gltf *gltf, const vrm_avatar *avatar, uint32_t primitive)
{
    vrm_palette palette = {.struct_size = sizeof palette};
    vrm_geometry_def def;
    vrm_geometry_def_default(&def);
    def.mesh = p->mesh.gltf_mesh;
    def.primitive = primitive;
    def.flat_normals = def.four_joints = true;
    vrm_avatar_get_palette(avatar, (uint32_t)p->mesh.palette, &palette); // -1: no joints
    def.first_joint = palette.first_joint;
    if (vrm_geometry_create(gltf, &def, NULL, &p->geometry) != VRM_SUCCESS) {
        return false;
    }
    p->info.struct_size = sizeof p->info;
    vrm_geometry_get_info(p->geometry, &p->info);
    const uint32_t count = p->info.vertex_count;
    p->vertices = malloc((count + 1) * sizeof *p->vertices);
    p->deltas = (vrm_morph_deltas){.struct_size = sizeof p->deltas, .capacity = count};
    p->deltas.positions = malloc((count + 1) * sizeof(vrm_vec3));
    p->deltas.vertices = malloc((count + 1) * sizeof(uint32_t));
    p->array = window_mesh(layout, 6, sizeof *p->vertices, p->geometry, &p->buffer);
    p->material =
        (vrm_material){.struct_size = sizeof p->material, .params.textures[VRM_TEXTURE_BASE_COLOR].index = -1};
    vrm_avatar_get_material(avatar, (uint32_t)p->info.material, &p->material); // -1: none, and it stays as above
    p->image = load_texture(gltf, p->material.params.textures[VRM_TEXTURE_BASE_COLOR].index);
    return true;
}

// Vertices under their morph targets. What has no joints is moved by its node's matrix, behind the palettes.
static void write_part(part *p, const vrm_outputs *out)
{
    const uint32_t count = p->info.vertex_count;
    const vrm_vertex_target to = {sizeof to, p->vertices, count * sizeof *p->vertices, sizeof *p->vertices, layout, 6};
    vrm_geometry_write_vertices(p->geometry, &to);
    for (uint32_t i = 0; i < count && (p->mesh.palette < 0 || p->info.joint_sets == 0); ++i) {
        p->vertices[i].joints[0] = (uint16_t)(out->palette_joint_count + p->mesh.node);
        p->vertices[i].weights[0] = 255;
    }
    for (uint32_t t = 0; t < p->info.target_count; ++t) {
        const float weight = t < p->mesh.morph_count ? out->morphs[p->mesh.first_morph + t] : 0.0f;
        if (weight != 0.0f && vrm_geometry_read_deltas(p->geometry, t, &p->deltas) == VRM_SUCCESS) {
            for (uint32_t i = 0; i < p->deltas.count; ++i) {
                vrm_vec3 *place = &p->vertices[p->deltas.vertices[i]].position;
                place->x += weight * p->deltas.positions[i].x;
                place->y += weight * p->deltas.positions[i].y;
                place->z += weight * p->deltas.positions[i].z;
            }
        }
    }
    glBindBuffer(GL_ARRAY_BUFFER, p->buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)to.size, p->vertices, GL_DYNAMIC_DRAW);
}

static void draw_part(const part *p, const vrm_outputs *out, GLuint program)
{
    const vrm_material_params *look = &p->material.params;
    const vrm_vec4 color = p->info.material >= 0 ? out->materials[p->info.material].colors[0] : (vrm_vec4){1, 1, 1, 1};
    (look->double_sided ? glDisable : glEnable)(GL_CULL_FACE);
    (look->alpha_mode == VRM_ALPHA_BLEND ? glEnable : glDisable)(GL_BLEND);
    glBindTexture(GL_TEXTURE_2D, p->image);
    glUniform4f(glGetUniformLocation(program, "factor"), color.x, color.y, color.z, color.w);
    glUniform1f(glGetUniformLocation(program, "cutoff"), look->alpha_mode == VRM_ALPHA_MASK ? look->alpha_cutoff : 0);
    glBindVertexArray(p->array);
    glDrawElements(p->info.mode, (GLsizei)p->info.index_count, GL_UNSIGNED_INT, NULL);
}

static void draw(part *parts, uint32_t count, const vrm_outputs *out, GLuint program)
{
    float clip[16];
    window_camera(&out->box, clip);
    glUniformMatrix4fv(glGetUniformLocation(program, "clip"), 1, GL_FALSE, clip);
    glUniform1i(glGetUniformLocation(program, "matrices"), 1);
    window_matrices(out);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    for (uint32_t i = 0; i < 2 * count; ++i) { // what is blended comes last
        part *p = &parts[i % count];
        if (p->geometry != NULL && (p->material.params.alpha_mode == VRM_ALPHA_BLEND) == (i >= count)) {
            if ((out->morph_changes.bits[p->mesh_node / 32] >> p->mesh_node % 32 & 1u) != 0) {
                write_part(p, out);
            }
            draw_part(p, out, program);
        }
    }
}

int main(int argc, char **argv)
{
    vrm_gltf *gltf = NULL;
    vrm_avatar *avatar = NULL;
    vrm_instance *instance = NULL;
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    if (argc < 2 || vrm_gltf_load_file(NULL, argv[1], NULL, &gltf) != VRM_SUCCESS ||
        vrm_avatar_import(NULL, gltf, NULL, &avatar) != VRM_SUCCESS) {
        fprintf(stderr, "usage: draw_gl avatar.vrm [picture.ppm]\n");
        return 1;
    }
    def.avatar = avatar;
    GLFWwindow *window = window_open(argv[1]);
    if (window == NULL || vrm_instance_create(&def, &instance) != VRM_SUCCESS) {
        return 1;
    }
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_update_dt(instance, 0.0f);
    vrm_instance_get_outputs(instance, &out);
    part *parts = NULL;
    uint32_t count = 0;
    vrm_mesh_node node = {.struct_size = sizeof node};
    for (uint32_t m = 0; vrm_avatar_get_mesh_node(avatar, m, &node) == VRM_SUCCESS; ++m) {
        vrm_gltf_mesh mesh = {.struct_size = sizeof mesh};
        vrm_gltf_get_mesh(gltf, node.gltf_mesh, &mesh);
        parts = realloc(parts, (count + mesh.primitive_count + 1) * sizeof *parts);
        for (uint32_t i = 0; i < mesh.primitive_count; ++i, ++count) {
            parts[count] = (part){.mesh = node, .mesh_node = m};
            if (load_part(&parts[count], gltf, avatar, i)) {
                write_part(&parts[count], &out);
            }
        }
    }
    const GLuint program = window_program(vertex_shader, fragment_shader);
    for (uint32_t frame = 0; !glfwWindowShouldClose(window) && (argc < 3 || frame < 60); ++frame) {
        glfwPollEvents();
        vrm_update_dt(instance, 1.0f / 60.0f);
        vrm_instance_get_outputs(instance, &out);
        draw(parts, count, &out, program);
        if (argc > 2 && frame == 59 && !window_save(argv[2])) {
            return 1;
        }
        glfwSwapBuffers(window);
    }
    for (uint32_t i = 0; i < count; ++i) {
        vrm_geometry_destroy(parts[i].geometry);
        free(parts[i].vertices);
        free(parts[i].deltas.positions);
        free(parts[i].deltas.vertices);
    }
    free(parts);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
    vrm_gltf_destroy(gltf);
    glfwTerminate();
    return 0;
}
