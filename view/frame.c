// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "view.h"

#include <math.h>

#include <epoxy/gl.h>

#include <GLFW/glfw3.h>

#include "platform.h"

static void smooth(double *value, double seconds)
{
    *value = *value == 0.0 ? seconds * 1e3 : 0.9 * *value + 0.1 * seconds * 1e3;
}

static void move(view *v, double dt)
{
    if (v->figure == NULL) {
        return;
    }
    if (v->paused) {
        dt = v->steps > 0 ? 1.0 / 60.0 : 0.0;
        v->steps -= v->steps > 0;
    } else {
        dt *= (double)v->speed;
    }
    v->time += dt;
    acting_apply(v, dt);
    if (v->puppet.on) {
        scene_puppet_update(&v->puppet, (float)dt);
    } else {
        vrm_update_dt(v->figure->instance, (float)dt);
    }
}

static void forget_gl_errors(void)
{
    // ImGui's backend is written for desktop OpenGL and causes errors in OpenGL ES, which are cleared here.
    for (int i = 0; i < 32 && glGetError() != GL_NO_ERROR; ++i) {
    }
}

// Draws the picture and the panels into the window.
static vrm_result show(view *v, int width, int height, double scale)
{
    const double start = cli_platform_seconds();
    vrm_result result = view_draw(v, scale);
    smooth(&v->statistics.draw, cli_platform_seconds() - start);
    if (result == VRM_SUCCESS) {
        const double left = (double)v->picture.x * scale;
        const double low = height - ((double)v->picture.y + (double)v->picture.height) * scale;
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
        glClearColor(0.0f, 0.0f, 0.0f, 1.0f);
        glClear(GL_COLOR_BUFFER_BIT);
        result = vrm_renderer_show(v->renderer, 0, (int32_t)left, (int32_t)low);
    }
    glViewport(0, 0, width, height);
    gui_end_frame(true);
    forget_gl_errors();
    if (v->window_path != NULL) { // before the swap, since OpenGL ES cannot read the frame afterwards
        v->window_written = view_write_window(v, v->window_path);
        v->window_path = NULL;
    }
    const double before = cli_platform_seconds();
    glfwSwapBuffers(v->window);
    smooth(&v->statistics.show, cli_platform_seconds() - before);
    return result;
}

vrm_result view_frame(view *v)
{
    int width, height, wide, high;
    const double start = cli_platform_seconds(), passed = v->last > 0.0 ? start - v->last : 0.0;
    v->last = start;
    v->statistics.frames[v->statistics.at] = (float)(passed * 1e3);
    v->statistics.at = (v->statistics.at + 1) % VIEW_TIMES;
    view_receive(v);
    if (!v->font_told && gui_missing_font()[0] != '\0') {
        v->font_told = true;
        view_say(v, false, "%s", gui_missing_font());
    }
    gallery_upload(&v->gallery);
    glfwGetFramebufferSize(v->window, &width, &height);
    glfwGetWindowSize(v->window, &wide, &high);
    gui_begin_frame();
    panels_show(v, (float)wide, (float)high);
    const double moving = cli_platform_seconds();
    smooth(&v->statistics.panels, moving - start);
    // With --control every frame has the same length, so that tests do not depend on the machine's speed.
    move(v, v->options->control ? 1.0 / 60.0 : fmin(passed, 0.1));
    smooth(&v->statistics.update, cli_platform_seconds() - moving);
    if (v->figure != NULL && v->panel == VIEW_PANEL_STATISTICS && !v->panels_hidden) {
        stage_times_measure(&v->stage_times, v->figure->instance);
    }
    ++v->frame;
    if (v->unseen) {
        gui_end_frame(false);
        return VRM_SUCCESS;
    }
    return show(v, width, height, wide > 0 ? (double)width / wide : 1.0);
}
