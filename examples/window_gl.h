// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
// The parts that an engine already has, for draw_gl.c: a window, shaders, buffers, textures, a camera, pictures. Here
// libvrm-render decodes PNG and JPEG; any other decoder works, too.
#ifndef WINDOW_GL_H
#define WINDOW_GL_H

#include <epoxy/gl.h>
#include <GLFW/glfw3.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <vrm/vrm.h>
#include <vrm_render/render.h>

enum { WINDOW_WIDTH = 480, WINDOW_HEIGHT = 640 };

// Opens a window. Ends the program if there is no display.
static inline GLFWwindow *window_open(const char *title)
{
    if (!glfwInit()) {
        fprintf(stderr, "GLFW finds no display\n");
        exit(1);
    }
    atexit(glfwTerminate);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_SAMPLES, 4);
    glfwWindowHint(GLFW_SRGB_CAPABLE, GLFW_TRUE);
    glfwWindowHint(GLFW_RESIZABLE, GLFW_FALSE);
    GLFWwindow *window = glfwCreateWindow(WINDOW_WIDTH, WINDOW_HEIGHT, title, NULL, NULL);
    if (window == NULL) {
        fprintf(stderr, "OpenGL 3.3 is not available\n");
        exit(1);
    }
    glfwMakeContextCurrent(window);
    glEnable(GL_FRAMEBUFFER_SRGB);
    glEnable(GL_DEPTH_TEST);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glClearColor(0.3f, 0.35f, 0.4f, 1.0f);
    return window;
}

static inline GLuint window_program(const char *vertex, const char *fragment)
{
    const char *const texts[2] = {vertex, fragment};
    const GLuint program = glCreateProgram();
    GLint linked = 0;
    char log[512] = "";
    for (int i = 0; i < 2; ++i) {
        const GLuint shader = glCreateShader(i == 0 ? GL_VERTEX_SHADER : GL_FRAGMENT_SHADER);
        glShaderSource(shader, 1, &texts[i], NULL);
        glCompileShader(shader);
        glGetShaderInfoLog(shader, sizeof log, NULL, log);
        glAttachShader(program, shader);
    }
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    if (!linked) {
        fprintf(stderr, "the shaders do not compile: %s\n", log);
        exit(1);
    }
    glUseProgram(program);
    return program;
}

// Creates a texture. It is white if there are no bytes, or if the bytes are neither PNG nor JPEG.
static inline GLuint window_texture(const void *bytes, size_t size, const vrm_gltf_texture *sampling)
{
    static const uint8_t white[4] = {255, 255, 255, 255};
    vrm_render_image image = {0};
    GLuint id;
    const bool good = bytes != NULL && vrm_render_image_decode(bytes, size, 1u << 30, &image, NULL) == VRM_SUCCESS;
    glGenTextures(1, &id);
    glBindTexture(GL_TEXTURE_2D, id);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, good ? (GLsizei)image.width : 1, good ? (GLsizei)image.height : 1,
        0, GL_RGBA, GL_UNSIGNED_BYTE, good ? image.pixels : white);
    glGenerateMipmap(GL_TEXTURE_2D);
    const uint32_t mag = sampling->mag_filter, min = sampling->min_filter; // 0: not specified by the file
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, (GLint)sampling->wrap_s);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, (GLint)sampling->wrap_t);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, mag != 0 ? (GLint)mag : GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, min != 0 ? (GLint)min : GL_LINEAR_MIPMAP_LINEAR);
    vrm_render_image_free(&image);
    return id;
}

// Creates a vertex array for a layout, with its indices. Writes the buffer for the vertices to `*out_buffer`.
static inline GLuint window_mesh(
    const vrm_vertex_attribute *layout, GLuint count, size_t stride, const vrm_geometry *geometry, GLuint *out_buffer)
{
    GLuint array, buffers[2];
    vrm_geometry_info info = {.struct_size = sizeof info};
    vrm_geometry_get_info(geometry, &info);
    const size_t size = info.index_count * sizeof(uint32_t);
    uint32_t *indices = malloc(size + 1);
    vrm_geometry_write_indices(geometry, sizeof *indices, indices, size);
    glGenVertexArrays(1, &array);
    glGenBuffers(2, buffers);
    glBindVertexArray(array);
    glBindBuffer(GL_ARRAY_BUFFER, buffers[0]);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers[1]);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)size, indices, GL_STATIC_DRAW);
    for (GLuint i = 0; i < count; ++i) {
        const void *offset = (const void *)(uintptr_t)layout[i].offset;
        const GLint components = (GLint)layout[i].components;
        glEnableVertexAttribArray(i);
        if (layout[i].format == VRM_VERTEX_UINT16) {
            glVertexAttribIPointer(i, components, GL_UNSIGNED_SHORT, (GLsizei)stride, offset);
        } else if (layout[i].format == VRM_VERTEX_UNORM8) {
            glVertexAttribPointer(i, components, GL_UNSIGNED_BYTE, GL_TRUE, (GLsizei)stride, offset);
        } else {
            glVertexAttribPointer(i, components, GL_FLOAT, GL_FALSE, (GLsizei)stride, offset);
        }
    }
    free(indices);
    *out_buffer = buffers[0];
    return array;
}

// Maps the memory of a vertex buffer for writing. End with glUnmapBuffer(). Returns NULL for 0 bytes.
static inline void *window_map(GLuint buffer, size_t size)
{
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)size, NULL, GL_DYNAMIC_DRAW);
    return size > 0 ? glMapBuffer(GL_ARRAY_BUFFER, GL_WRITE_ONLY) : NULL;
}

// Uploads all palettes, followed by the matrices of all nodes, as a buffer texture on unit 1.
static inline void window_matrices(const vrm_outputs *out)
{
    static GLuint texture, buffer;
    const GLsizeiptr palette = (GLsizeiptr)(out->palette_joint_count * sizeof *out->palette);
    const GLsizeiptr nodes = (GLsizeiptr)(out->node_count * sizeof *out->world);
    if (buffer == 0) {
        glGenTextures(1, &texture);
        glGenBuffers(1, &buffer);
        glBindBuffer(GL_TEXTURE_BUFFER, buffer);
        glActiveTexture(GL_TEXTURE1);
        glBindTexture(GL_TEXTURE_BUFFER, texture);
        glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, buffer);
        glActiveTexture(GL_TEXTURE0);
    }
    glBufferData(GL_TEXTURE_BUFFER, palette + nodes, NULL, GL_STREAM_DRAW);
    glBufferSubData(GL_TEXTURE_BUFFER, 0, palette, out->palette);
    glBufferSubData(GL_TEXTURE_BUFFER, palette, nodes, out->world);
}

// Writes a column-major matrix that shows the whole box from the front.
static inline void window_camera(const vrm_box *box, float out[16])
{
    const float tan_half = 0.2f, aspect = (float)WINDOW_WIDTH / WINDOW_HEIGHT;
    const vrm_vec3 low = box->min, high = box->max;
    const float half_height = fmaxf((high.y - low.y) / 2.0f, (high.x - low.x) / 2.0f / aspect) * 1.05f;
    const float distance = half_height / tan_half + (high.z - low.z) / 2.0f;
    const float near = distance * 0.02f, far = distance * 4.0f;
    const float across = (low.x + high.x) / 2.0f, up = (low.y + high.y) / 2.0f;
    const float x = 1.0f / (tan_half * aspect), y = 1.0f / tan_half;
    const float a = -(far + near) / (far - near), b = -2.0f * far * near / (far - near),
                z = (low.z + high.z) / 2.0f + distance;
    const float m[16] = {x, 0, 0, 0, 0, y, 0, 0, 0, 0, a, -1, -across * x, -up * y, b - a * z, z};
    for (int i = 0; i < 16; ++i) {
        out[i] = m[i];
    }
}

// Clears the window, and passes camera and matrices to the program.
static inline void window_begin(GLuint program, const vrm_outputs *out)
{
    float clip[16];
    window_camera(&out->box, clip);
    window_matrices(out);
    glUniformMatrix4fv(glGetUniformLocation(program, "clip"), 1, GL_FALSE, clip);
    glUniform1i(glGetUniformLocation(program, "matrices"), 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}

// Shows the frame. Saves it as PPM before that, unless `path` is NULL.
static inline void window_end(GLFWwindow *window, const char *path)
{
    static uint8_t pixels[WINDOW_HEIGHT][WINDOW_WIDTH * 3];
    if (path != NULL) {
        FILE *file = fopen(path, "wb");
        glPixelStorei(GL_PACK_ALIGNMENT, 1);
        glReadPixels(0, 0, WINDOW_WIDTH, WINDOW_HEIGHT, GL_RGB, GL_UNSIGNED_BYTE, pixels);
        if (file == NULL) {
            fprintf(stderr, "%s cannot be written\n", path);
            exit(1);
        }
        fprintf(file, "P6\n%d %d\n255\n", WINDOW_WIDTH, WINDOW_HEIGHT);
        for (int row = WINDOW_HEIGHT; row-- > 0;) { // the first row of OpenGL is the lowest one
            fwrite(pixels[row], sizeof pixels[row], 1, file);
        }
        fclose(file);
    }
    glfwSwapBuffers(window);
    glfwPollEvents();
}

#endif
