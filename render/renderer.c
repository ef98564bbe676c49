// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "internal.h"

#include "base/abi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void(vrm_renderer_def_default)(vrm_renderer_def *def, size_t size)
{
    const vrm_renderer_def own = {.struct_size = sizeof own,
        .samples = 4,
        .max_texture_size = 16384,
        .max_texture_bytes = (uint64_t)2 << 30,
        .tangents = VRM_TANGENTS_MISSING};
    vrmi_write_defaults(def, size, &own, sizeof own);
}

static uint32_t limit(GLenum name, uint32_t wanted)
{
    GLint most = 0;
    glGetIntegerv(name, &most);
    return most > 0 && wanted > (uint32_t)most ? (uint32_t)most : wanted;
}

static void make_white(vrm_renderer *renderer)
{
    static const uint8_t white[4] = {255, 255, 255, 255};
    glGenTextures(1, &renderer->white);
    glBindTexture(GL_TEXTURE_2D, renderer->white);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, white);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}

static vrm_result prepare(vrm_renderer *renderer, const vrm_renderer_def *def)
{
    const bool embedded = !epoxy_is_desktop_gl();
    if (epoxy_gl_version() < (embedded ? 30 : 43)) {
        return vrmr_fail(renderer, VRM_ERROR_UNSUPPORTED, "OpenGL ES 3.0 is needed; the context has %d.%d",
            epoxy_gl_version() / 10, epoxy_gl_version() % 10);
    }
    snprintf(renderer->driver, sizeof renderer->driver, "%s; %s", (const char *)glGetString(GL_RENDERER),
        (const char *)glGetString(GL_VERSION));
    renderer->samples = limit(GL_MAX_SAMPLES, def->samples);
    renderer->max_texture_size = limit(GL_MAX_TEXTURE_SIZE, def->max_texture_size);
    renderer->max_texture_bytes = def->max_texture_bytes;
    renderer->decode_image = def->decode_image;
    renderer->decode_user = def->decode_user;
    renderer->tangents = def->tangents;
    if (def->shader_prelude != NULL) {
        renderer->shader_prelude = malloc(strlen(def->shader_prelude) + 1);
        if (renderer->shader_prelude == NULL) {
            return vrmr_fail(renderer, VRM_ERROR_OUT_OF_MEMORY, "out of memory for a renderer");
        }
        strcpy(renderer->shader_prelude, def->shader_prelude);
    }
    make_white(renderer);
    // Material programs are compiled when an avatar first needs them. The smallest program is compiled now to test
    // whether shaders work.
    if (vrmr_use_program(renderer, VRMR_PROGRAM_LINE, 0) == NULL) {
        return VRM_ERROR_UNSUPPORTED;
    }
    return vrmr_check(renderer, "creating a renderer");
}

vrm_result vrm_renderer_create(const vrm_renderer_def *def, vrm_renderer **out_renderer)
{
    vrm_renderer_def standard;
    vrm_renderer_def_default(&standard);
    *out_renderer = NULL;
    if (!VRMI_READ_OPTIONS(vrm_renderer_def, &standard, def) || standard.samples == 0 ||
        standard.max_texture_size == 0) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    def = &standard;
    vrm_renderer *renderer = calloc(1, sizeof *renderer);
    if (renderer == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    *out_renderer = renderer;
    return prepare(renderer, def);
}

void vrm_renderer_destroy(vrm_renderer *renderer)
{
    if (renderer == NULL) {
        return;
    }
    vrmr_free_target(renderer);
    vrmr_free_measure(renderer);
    vrmr_free_shadow(renderer);
    vrmr_free_programs(renderer);
    glDeleteTextures(1, &renderer->white);
    glDeleteTextures(1, &renderer->frame_texture);
    glDeleteVertexArrays(1, &renderer->line_array);
    glDeleteBuffers(1, &renderer->line_buffer);
    free(renderer->shader_prelude);
    free(renderer->curve);
    free(renderer->frame);
    free(renderer->lines);
    free(renderer->draws);
    free(renderer);
}

const char *vrm_renderer_get_error(const vrm_renderer *renderer)
{
    return renderer->error;
}

const char *vrm_renderer_get_driver(const vrm_renderer *renderer)
{
    return renderer->driver;
}
