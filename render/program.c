// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "internal.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct recipe {
    const char *name, *defines;
    const char *vertex[3], *fragment[3]; // unused places have empty texts
} recipe;

static GLuint compile(
    vrm_renderer *renderer, GLenum stage, const recipe *what, uint32_t features, const char *const *texts)
{
    static const char head[] =
        "#version 300 es\nprecision highp float;\nprecision highp int;\nprecision mediump sampler2D;\n";
    char chosen[48];
    snprintf(chosen, sizeof chosen, "const int FEATURES = %u;\n", features);
    const GLchar *parts[7] = {head, what->defines, chosen,
        renderer->shader_prelude != NULL ? renderer->shader_prelude : "", texts[0], texts[1], texts[2]};
    const GLuint shader = glCreateShader(stage);
    glShaderSource(shader, 7, parts, NULL);
    glCompileShader(shader);
    GLint good = GL_FALSE;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    if (good) {
        return shader;
    }
    char log[384] = "";
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    glDeleteShader(shader);
    (void)vrmr_fail(renderer, VRM_ERROR_UNSUPPORTED, "the %s shader of \"%s\" does not compile: %s",
        stage == GL_VERTEX_SHADER ? "vertex" : "fragment", what->name, log);
    return 0;
}

static GLuint link(vrm_renderer *renderer, const recipe *what, uint32_t features)
{
    const GLuint vertex = compile(renderer, GL_VERTEX_SHADER, what, features, what->vertex);
    const GLuint fragment = vertex != 0 ? compile(renderer, GL_FRAGMENT_SHADER, what, features, what->fragment) : 0;
    if (fragment == 0) {
        glDeleteShader(vertex);
        return 0;
    }
    GLuint program = glCreateProgram();
    glAttachShader(program, vertex);
    glAttachShader(program, fragment);
    glLinkProgram(program);
    glDeleteShader(vertex);
    glDeleteShader(fragment);
    GLint good = GL_FALSE;
    glGetProgramiv(program, GL_LINK_STATUS, &good);
    if (!good) {
        char log[384] = "";
        glGetProgramInfoLog(program, sizeof log, NULL, log);
        (void)vrmr_fail(renderer, VRM_ERROR_UNSUPPORTED, "the program \"%s\" does not link: %s", what->name, log);
        glDeleteProgram(program);
        return 0;
    }
    return program;
}

static void find_uniforms(vrmr_program *program)
{
    static const char *const slots[VRM_TEXTURE_SLOT_COUNT] = {"t_base", "t_metallic_roughness", "t_normal",
        "t_occlusion", "t_emissive", "t_shade", "t_shift", "t_matcap", "t_rim", "t_outline_width", "t_uv_mask"};
    const GLuint id = program->id;
    program->world = glGetUniformLocation(id, "u_world");
    program->view = glGetUniformLocation(id, "u_view");
    program->projection = glGetUniformLocation(id, "u_projection");
    program->vertex = glGetUniformLocation(id, "u_vertex");
    program->material = glGetUniformLocation(id, "u_material");
    program->material_outline = glGetUniformLocation(id, "u_material_outline");
    program->options = glGetUniformLocation(id, "u_options");
    program->light = glGetUniformLocation(id, "u_light");
    program->clip = glGetUniformLocation(id, "u_clip");
    program->blots = glGetUniformLocation(id, "u_blots");
    program->parts = glGetUniformLocation(id, "u_parts");
    program->grid = glGetUniformLocation(id, "u_grid");
    program->shadow = glGetUniformLocation(id, "u_shadow");
    program->height = glGetUniformLocation(id, "u_height");
    program->corner = glGetUniformLocation(id, "u_corner");
    glUniform1i(glGetUniformLocation(id, "u_frame"), VRMR_UNIT_FRAME);
    glUniform1i(glGetUniformLocation(id, "u_morph"), VRMR_UNIT_MORPH);
    glUniform1i(glGetUniformLocation(id, "t_shadow"), VRMR_UNIT_SLOTS);
    for (int i = 0; i < VRM_TEXTURE_SLOT_COUNT; ++i) {
        glUniform1i(glGetUniformLocation(id, slots[i]), VRMR_UNIT_SLOTS + i);
    }
}

const vrmr_program *vrmr_use_program(vrm_renderer *renderer, vrmr_program_kind kind, uint32_t features)
{
    static const recipe recipes[VRMR_PROGRAM_COUNT] = {
        {"mtoon", "#define MTOON\n", {vrmr_avatar_vert, "", ""}, {vrmr_material, vrmr_avatar_frag, ""}},
        {"outline", "#define MTOON\n#define OUTLINE\n", {vrmr_outline_width, vrmr_avatar_vert, ""},
            {vrmr_material, vrmr_avatar_frag, ""}},
        {"unlit", "#define UNLIT\n", {vrmr_avatar_vert, "", ""}, {vrmr_material, vrmr_avatar_frag, ""}},
        {"pbr", "#define PBR\n", {vrmr_avatar_vert, "", ""}, {vrmr_material, vrmr_avatar_frag, ""}},
        {"silhouette", "#define SILHOUETTE 0.02\n", {vrmr_avatar_vert, "", ""}, {vrmr_material, vrmr_avatar_frag, ""}},
        {"shadow", "#define SILHOUETTE 0.5\n#define SHADOW\n", {vrmr_avatar_vert, "", ""},
            {vrmr_material, vrmr_avatar_frag, ""}},
        {"line", "", {vrmr_line_vert, "", ""}, {vrmr_line_frag, "", ""}},
        {"ground", "", {vrmr_ground_vert, "", ""}, {vrmr_ground_frag, "", ""}},
        {"show", "", {vrmr_show_vert, "", ""}, {vrmr_show_frag, "", ""}},
    };
    for (uint32_t i = 0; i < renderer->program_count; ++i) {
        const vrmr_program *program = &renderer->programs[i];
        if (program->kind == kind && program->features == features) {
            glUseProgram(program->id);
            return program;
        }
    }
    if (!vrmr_reserve((void **)&renderer->programs, &renderer->program_capacity, renderer->program_count + 1,
            sizeof *renderer->programs)) {
        (void)vrmr_fail(renderer, VRM_ERROR_OUT_OF_MEMORY, "out of memory for a shader");
        return NULL;
    }
    vrmr_program *program = &renderer->programs[renderer->program_count];
    *program = (vrmr_program){.kind = kind, .features = features, .id = link(renderer, &recipes[kind], features)};
    if (program->id == 0) {
        return NULL;
    }
    ++renderer->program_count;
    glUseProgram(program->id);
    find_uniforms(program);
    return program;
}

void vrmr_free_programs(vrm_renderer *renderer)
{
    for (uint32_t i = 0; i < renderer->program_count; ++i) {
        glDeleteProgram(renderer->programs[i].id);
    }
    free(renderer->programs);
}
