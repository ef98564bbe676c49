// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "internal.h"

#include <stdarg.h>
#include <stdio.h>

vrm_result vrmr_fail(vrm_renderer *renderer, vrm_result result, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(renderer->error, sizeof renderer->error, format, arguments);
    va_end(arguments);
    return result;
}

vrm_result vrmr_check(vrm_renderer *renderer, const char *what)
{
    const GLenum error = glGetError();
    switch (error) {
    case GL_NO_ERROR:
        return VRM_SUCCESS;
    case GL_OUT_OF_MEMORY:
        return vrmr_fail(renderer, VRM_ERROR_OUT_OF_MEMORY, "%s: the graphics driver is out of memory", what);
    case 0x0507: // GL_CONTEXT_LOST, newer than OpenGL ES 3.0
        return vrmr_fail(renderer, VRM_ERROR_UNSUPPORTED, "%s: the graphics device was lost", what);
    default:
        return vrmr_fail(renderer, VRM_ERROR_UNSUPPORTED, "%s: OpenGL error 0x%04x", what, error);
    }
}
