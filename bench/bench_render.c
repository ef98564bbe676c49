// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Measures rendering: the time from a file's bytes to the first picture; a frame of 1024 x 1024 pixels; and the CPU
// time of update and submission, with every OpenGL function replaced by one that does nothing. `bench_render [MODEL]
// [--json]` uses the generated sample if there is no model. tools/picture/bench.mjs measures three-vrm in the same way.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <epoxy/gl.h>

#include <vrm/vrm.h>
#include <vrm_render/render.h>

#include "base/platform.h"
#include "minimal_sample.h"
#include "procedural_motion.h"
#include "timing.h"

enum { SIDE = 1024, LOADS = 6, FRAMES = 40, SUBMISSIONS = 600 };

typedef struct show {
    vrm_renderer *renderer;
    vrm_gltf *gltf;
    vrm_avatar *avatar;
    vrm_instance *instance;
    vrm_render_model *model;
    vrm_render_scene scene;
} show;

static uint8_t pixels[SIDE * SIDE * 4];

static void must(vrm_result result, const show *s)
{
    if (result != VRM_SUCCESS) {
        fprintf(stderr, "bench_render: %s %s\n", vrm_result_sentence(result),
            s->renderer != NULL ? vrm_renderer_get_error(s->renderer) : "");
        exit(1);
    }
}

// Sets a camera that shows the whole body of a figure 1.6 m tall.
static void aim(vrm_render_scene *scene)
{
    const float f = 5.6712818f, near = 0.1f, far = 20.0f; // 20 degrees
    vrm_render_scene_default(scene);
    scene->width = scene->height = SIDE;
    scene->view[13] = -0.8;
    scene->view[14] = -5.0;
    memset(scene->projection, 0, sizeof scene->projection);
    scene->projection[0] = scene->projection[5] = f;
    scene->projection[10] = (far + near) / (near - far);
    scene->projection[11] = -1.0f;
    scene->projection[14] = 2.0f * far * near / (near - far);
    scene->background = (vrm_vec4){0.2f, 0.3f, 0.4f, 1.0f};
    scene->blend = VRM_RENDER_BLEND_ENCODED;
}

static void draw(show *s)
{
    const vrm_render_item item = {.model = s->model, .instance = s->instance};
    must(vrm_renderer_draw(s->renderer, &s->scene, &item, 1), s);
}

static void load(show *s, const vrm_bytes *bytes)
{
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    must(vrm_gltf_load(NULL, bytes->data, bytes->size, NULL, &s->gltf), s);
    must(vrm_avatar_import(NULL, s->gltf, NULL, &s->avatar), s);
    def.avatar = s->avatar;
    must(vrm_instance_create(&def, &s->instance), s);
    must(vrm_render_model_create(s->renderer, s->gltf, s->avatar, NULL, &s->model), s);
    vrm_update_dt(s->instance, 0.0f);
    draw(s);
    must(vrm_renderer_read_pixels(s->renderer, pixels, sizeof pixels), s);
}

static void unload(show *s)
{
    vrm_render_model_destroy(s->model);
    vrm_instance_destroy(s->instance);
    vrm_avatar_release(s->avatar);
    vrm_gltf_destroy(s->gltf);
}

static void update(show *s, int frame)
{
    scene_motion_apply(s->instance, SCENE_MOTION_WALK, frame / 60.0);
    vrm_update_dt(s->instance, 1.0f / 60.0f);
}

// --- OpenGL replaced -------------------------------------------------------------------------------------------------

static void nothing(void) {}

static GLenum no_error(void)
{
    return GL_NO_ERROR;
}

// All OpenGL functions that a frame calls.
#define FRAME_FUNCTIONS(X) \
    X(glActiveTexture, ACTIVETEXTURE) \
    X(glBindBuffer, BINDBUFFER) \
    X(glBindFramebuffer, BINDFRAMEBUFFER) \
    X(glBindSampler, BINDSAMPLER) \
    X(glBindTexture, BINDTEXTURE) \
    X(glBindVertexArray, BINDVERTEXARRAY) \
    X(glBlendFuncSeparate, BLENDFUNCSEPARATE) \
    X(glBlitFramebuffer, BLITFRAMEBUFFER) \
    X(glClear, CLEAR) \
    X(glClearColor, CLEARCOLOR) \
    X(glColorMask, COLORMASK) \
    X(glCullFace, CULLFACE) \
    X(glDepthFunc, DEPTHFUNC) \
    X(glDepthMask, DEPTHMASK) \
    X(glDisable, DISABLE) \
    X(glDrawElements, DRAWELEMENTS) \
    X(glEnable, ENABLE) \
    X(glFrontFace, FRONTFACE) \
    X(glPixelStorei, PIXELSTOREI) \
    X(glTexSubImage2D, TEXSUBIMAGE2D) \
    X(glUniform4fv, UNIFORM4FV) \
    X(glUniform2i, UNIFORM2I) \
    X(glUniform4i, UNIFORM4I) \
    X(glUniformMatrix4fv, UNIFORMMATRIX4FV) \
    X(glUseProgram, USEPROGRAM) \
    X(glVertexAttrib4f, VERTEXATTRIB4F) \
    X(glVertexAttribI4ui, VERTEXATTRIBI4UI) \
    X(glViewport, VIEWPORT)

static void take_away(void)
{
    // Replaces each function of the list by one without arguments. All C calling conventions allow a callee to ignore
    // its arguments.
#define TAKE(name, type) name = (PFNGL##type##PROC)nothing;
    FRAME_FUNCTIONS(TAKE)
#undef TAKE
    glGetError = no_error;
}

int main(int argc, char **argv)
{
    show s = {0};
    vrm_bytes bytes = {0};
    const bool json = argc > 1 && strcmp(argv[argc - 1], "--json") == 0;
    must(argc - (int)json > 1 ? vrm_read_file(argv[1], UINT64_MAX, NULL, &bytes) : scene_minimal_sample(0, &bytes), &s);
    double loads[LOADS], frames[FRAMES], submissions[SUBMISSIONS], start = vrmi_platform_seconds();
    vrm_render_context *context;
    must(vrm_render_context_create(&context, NULL), &s);
    must(vrm_renderer_create(NULL, &s.renderer), &s);
    aim(&s.scene);
    load(&s, &bytes);
    const double first = vrmi_platform_seconds() - start;
    for (int i = 0; i < LOADS; ++i) {
        unload(&s);
        start = vrmi_platform_seconds();
        load(&s, &bytes);
        loads[i] = vrmi_platform_seconds() - start;
    }
    for (int i = 0; i < FRAMES; ++i) {
        start = vrmi_platform_seconds();
        update(&s, i);
        draw(&s);
        glFinish();
        frames[i] = vrmi_platform_seconds() - start;
    }
    const char *driver = vrm_renderer_get_driver(s.renderer);
    take_away();
    for (int i = 0; i < SUBMISSIONS; ++i) {
        start = vrmi_platform_seconds();
        update(&s, i);
        draw(&s);
        submissions[i] = vrmi_platform_seconds() - start;
    }
    printf(
        json ? "{\"driver\":\"%s\",\"first_ms\":%.2f,\"load_ms\":%.2f,\"frame_ms\":%.3f,\"submit_us\":%.2f}\n"
             : "%s\nfirst picture %.2f ms, the next avatar's %.2f ms; a frame %.3f ms; update and submission %.2f us\n",
        driver, 1e3 * first, 1e3 * median(loads, LOADS), 1e3 * median(frames, FRAMES),
        1e6 * median(submissions, SUBMISSIONS));
    // The driver can no longer be called, so its memory is not freed before the process ends.
    vrm_bytes_free(&bytes);
    return 0;
}
