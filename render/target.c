// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Render targets. Linear blending uses an sRGB buffer of 8 bits: the hardware decodes before it blends and encodes
// afterwards. Every OpenGL ES 3.0 and WebGL 2 has such buffers (half floats are an extension there).

#include "internal.h"

#include <math.h>
#include <string.h>

void vrmr_free_target(vrm_renderer *renderer)
{
    glDeleteFramebuffers(1, &renderer->framebuffer);
    glDeleteFramebuffers(1, &renderer->resolved_framebuffer);
    glDeleteRenderbuffers(1, &renderer->color);
    glDeleteRenderbuffers(1, &renderer->depth);
    glDeleteTextures(1, &renderer->resolved);
    renderer->framebuffer = renderer->resolved_framebuffer = 0;
    renderer->color = renderer->depth = renderer->resolved = 0;
    renderer->target_ready = false;
}

static vrm_result make_target(vrm_renderer *renderer)
{
    const GLenum format = renderer->blend == VRM_RENDER_BLEND_LINEAR ? GL_SRGB8_ALPHA8 : GL_RGBA8;
    const GLsizei width = (GLsizei)renderer->width, height = (GLsizei)renderer->height;
    const GLsizei samples = renderer->samples > 1 ? (GLsizei)renderer->samples : 0;
    glGenFramebuffers(1, &renderer->framebuffer);
    glGenRenderbuffers(1, &renderer->color);
    glGenRenderbuffers(1, &renderer->depth);
    glBindRenderbuffer(GL_RENDERBUFFER, renderer->color);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, width, height);
    glBindRenderbuffer(GL_RENDERBUFFER, renderer->depth);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_DEPTH_COMPONENT24, width, height);
    glBindFramebuffer(GL_FRAMEBUFFER, renderer->framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, renderer->color);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, renderer->depth);
    bool whole = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    glGenFramebuffers(1, &renderer->resolved_framebuffer);
    glGenTextures(1, &renderer->resolved);
    glActiveTexture(GL_TEXTURE0 + VRMR_UNIT_SLOTS);
    glBindTexture(GL_TEXTURE_2D, renderer->resolved);
    glTexStorage2D(GL_TEXTURE_2D, 1, format, width, height);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, renderer->resolved_framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, renderer->resolved, 0);
    whole = whole && glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    if (glGetError() == GL_OUT_OF_MEMORY) {
        return vrmr_fail(renderer, VRM_ERROR_OUT_OF_MEMORY, "out of memory for a picture of %u x %u pixels",
            renderer->width, renderer->height);
    }
    return whole ? VRM_SUCCESS
                 : vrmr_fail(renderer, VRM_ERROR_UNSUPPORTED,
                       "the driver cannot draw into a picture of %u x %u pixels with %u samples", renderer->width,
                       renderer->height, renderer->samples);
}

vrm_result vrmr_prepare_target(vrm_renderer *renderer, const vrm_render_scene *scene)
{
    if (renderer->framebuffer == 0 || renderer->width != scene->width || renderer->height != scene->height ||
        renderer->blend != scene->blend) {
        GLint longest = 0;
        glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &longest);
        if (scene->width > (uint32_t)longest || scene->height > (uint32_t)longest) {
            return vrmr_fail(
                renderer, VRM_ERROR_LIMIT, "the picture is larger than the driver's limit of %d pixels", longest);
        }
        vrmr_free_target(renderer);
        renderer->width = scene->width;
        renderer->height = scene->height;
        renderer->blend = scene->blend;
        const vrm_result result = make_target(renderer);
        if (result != VRM_SUCCESS) {
            vrmr_free_target(renderer);
            return result;
        }
    }
    glBindFramebuffer(GL_FRAMEBUFFER, renderer->framebuffer);
    glViewport(0, 0, (GLsizei)scene->width, (GLsizei)scene->height);
    return VRM_SUCCESS;
}

vrm_result vrmr_resolve_target(vrm_renderer *renderer)
{
    const GLint width = (GLint)renderer->width, height = (GLint)renderer->height;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, renderer->framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, renderer->resolved_framebuffer);
    glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    const vrm_result result = vrmr_check(renderer, "drawing");
    renderer->target_ready = result == VRM_SUCCESS;
    return result;
}

// Uses a shader and not a blit, because a blit between an sRGB and a plain buffer would skip the encoding.
vrm_result vrm_renderer_show(vrm_renderer *renderer, uint32_t framebuffer, int32_t x, int32_t y)
{
    if (!renderer->target_ready) {
        return vrmr_fail(renderer, VRM_ERROR_INVALID_ARGUMENT, "there is no picture");
    }
    const vrmr_program *program = vrmr_use_program(
        renderer, VRMR_PROGRAM_SHOW, renderer->blend == VRM_RENDER_BLEND_LINEAR ? (uint32_t)VRMR_FEATURE_ENCODE : 0);
    if (program == NULL) {
        return VRM_ERROR_UNSUPPORTED;
    }
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(x, y, (GLsizei)renderer->width, (GLsizei)renderer->height);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glDisable(GL_BLEND);
    glActiveTexture(GL_TEXTURE0 + VRMR_UNIT_SLOTS);
    glBindTexture(GL_TEXTURE_2D, renderer->resolved);
    glUniform2i(program->corner, x, y);
    glBindVertexArray(0);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    return vrmr_check(renderer, "showing the picture");
}

static double decoded(double c)
{
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double encoded(double c)
{
    return c <= 0.0031308 ? c * 12.92 : 1.055 * pow(c, 1.0 / 2.4) - 0.055;
}

// Converts the target's premultiplied colours to straight alpha for files.
static void straighten(uint8_t *pixel, bool linear, const double *light)
{
    const double alpha = pixel[3] / 255.0;
    for (int c = 0; c < 3; ++c) {
        double value = linear ? encoded(fmin(light[pixel[c]] / alpha, 1.0)) : fmin(pixel[c] / 255.0 / alpha, 1.0);
        pixel[c] = (uint8_t)(value * 255.0 + 0.5);
    }
}

vrm_result vrm_renderer_read_pixels(vrm_renderer *renderer, void *pixels, size_t size)
{
    const size_t row = (size_t)renderer->width * 4;
    if (!renderer->target_ready || pixels == NULL || size < row * renderer->height) {
        return vrmr_fail(
            renderer, VRM_ERROR_INVALID_ARGUMENT, "there is no picture, or the buffer is too small for it");
    }
    uint8_t *bytes = pixels;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, renderer->resolved_framebuffer);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    for (uint32_t y = 0; y < renderer->height; ++y) { // the first row of OpenGL is the lowest
        glReadPixels(0, (GLint)(renderer->height - 1 - y), (GLsizei)renderer->width, 1, GL_RGBA, GL_UNSIGNED_BYTE,
            bytes + row * y);
    }
    double light[256];
    for (int i = 0; i < 256; ++i) {
        light[i] = decoded(i / 255.0);
    }
    for (size_t i = 0; i < row * renderer->height; i += 4) {
        if (bytes[i + 3] != 0 && bytes[i + 3] != 255) {
            straighten(bytes + i, renderer->blend == VRM_RENDER_BLEND_LINEAR, light);
        }
    }
    return vrmr_check(renderer, "reading the picture");
}
