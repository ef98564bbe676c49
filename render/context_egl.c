// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "internal.h"

#include <stdlib.h>

#include <epoxy/egl.h>

struct vrm_render_context {
    EGLDisplay display;
    EGLContext context;
};

static EGLDisplay open_display(void)
{
    EGLDisplay display = EGL_NO_DISPLAY;
    if (epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless") &&
        epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_base")) {
        display = eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    }
    if (display == EGL_NO_DISPLAY) {
        display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
    }
    return display;
}

vrm_result vrm_render_context_create(vrm_render_context **out_context, const char **out_error)
{
    const char *unused;
    const char **error = out_error != NULL ? out_error : &unused;
    *out_context = NULL;
    *error = "";
    vrm_render_context *context = calloc(1, sizeof *context);
    if (context == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    context->display = open_display();
    if (context->display == EGL_NO_DISPLAY || !eglInitialize(context->display, NULL, NULL)) {
        *error = "there is no EGL display (Debian: libegl-mesa0 and libgl1-mesa-dri)";
        free(context);
        return VRM_ERROR_UNSUPPORTED;
    }
    static const EGLint wanted[] = {EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_NONE};
    static const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 0, EGL_NONE};
    EGLConfig config;
    EGLint configs = 0;
    eglBindAPI(EGL_OPENGL_ES_API);
    if (!eglChooseConfig(context->display, wanted, &config, 1, &configs) || configs < 1) {
        *error = "EGL has no configuration for OpenGL ES 3.0";
        vrm_render_context_destroy(context);
        return VRM_ERROR_UNSUPPORTED;
    }
    context->context = eglCreateContext(context->display, config, EGL_NO_CONTEXT, version);
    if (context->context == EGL_NO_CONTEXT ||
        !eglMakeCurrent(context->display, EGL_NO_SURFACE, EGL_NO_SURFACE, context->context)) {
        *error = "EGL cannot create an OpenGL ES 3.0 context without a surface";
        vrm_render_context_destroy(context);
        return VRM_ERROR_UNSUPPORTED;
    }
    *out_context = context;
    return VRM_SUCCESS;
}

void vrm_render_context_destroy(vrm_render_context *context)
{
    if (context == NULL) {
        return;
    }
    eglMakeCurrent(context->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (context->context != EGL_NO_CONTEXT) {
        eglDestroyContext(context->display, context->context);
    }
    eglTerminate(context->display);
    free(context);
}
