// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include <math.h>

#include <epoxy/gl.h>

#include <GLFW/glfw3.h>

#include "view.h"

static void on_key(GLFWwindow *window, int key, int scancode, int action, int mods)
{
    view *v = glfwGetWindowUserPointer(window);
    (void)scancode;
    if (action == GLFW_RELEASE || gui_has_keyboard()) {
        return;
    }
    switch (key) {
    case GLFW_KEY_SPACE:
        v->paused = !v->paused;
        break;
    case GLFW_KEY_PERIOD:
        v->paused = true;
        ++v->steps;
        break;
    case GLFW_KEY_LEFT_BRACKET:
        v->speed = v->speed > 0.0625f ? v->speed * 0.5f : v->speed;
        break;
    case GLFW_KEY_RIGHT_BRACKET:
        v->speed = v->speed < 4.0f ? v->speed * 2.0f : v->speed;
        break;
    case GLFW_KEY_R:
        view_reset(v);
        break;
    case GLFW_KEY_1:
    case GLFW_KEY_2:
    case GLFW_KEY_3:
        view_frame_camera(v, (orbit_part)(key - GLFW_KEY_1));
        break;
    case GLFW_KEY_4:
        view_wear(v);
        break;
    case GLFW_KEY_PAGE_DOWN:
    case GLFW_KEY_N:
        view_step(v, 1);
        break;
    case GLFW_KEY_PAGE_UP:
    case GLFW_KEY_P:
        view_step(v, -1);
        break;
    case GLFW_KEY_TAB:
        v->panels_hidden = !v->panels_hidden;
        break;
    case GLFW_KEY_F12:
    case GLFW_KEY_S:
        view_screenshot(v);
        break;
    case GLFW_KEY_ESCAPE:
        loader_cancel(&v->loader);
        break;
    case GLFW_KEY_Z:
    case GLFW_KEY_Y:
        if ((mods & GLFW_MOD_CONTROL) != 0 && v->figure != NULL) {
            v->motion = 0;
            const bool redo = key == GLFW_KEY_Y || (mods & GLFW_MOD_SHIFT) != 0;
            (void)(redo ? pose_history_redo : pose_history_undo)(&v->history, v->figure->instance);
            v->angles_known = false;
        }
        break;
    case GLFW_KEY_Q:
        if ((mods & GLFW_MOD_CONTROL) != 0) {
            glfwSetWindowShouldClose(window, GLFW_TRUE);
        }
        break;
    default:
        break;
    }
}

// Hits or drags the figure. Returns true if the left button has that function and the mouse is over the ragdoll.
static bool touch(view *v)
{
    double eye[3], direction[3];
    scene_touch met;
    if (v->hand == VIEW_HAND_CAMERA || v->figure == NULL || !v->puppet.on) {
        return false;
    }
    acting_mouse_ray(v, eye, direction);
    scene_puppet_touch_ray(&v->puppet, eye, direction, &met);
    if (met.body < 0) {
        return false;
    }
    if (v->hand == VIEW_HAND_HITS) {
        scene_puppet_hit(&v->puppet, &met, direction);
    } else {
        scene_puppet_hold(&v->puppet, &met);
    }
    return true;
}

// Returns true if the mouse is over the picture. The panels know only its position in the last frame, so both are
// checked.
static bool mouse_on_picture(const view *v)
{
    double x, y;
    const gui_rect *p = &v->picture;
    glfwGetCursorPos(v->window, &x, &y);
    return !gui_has_mouse() && x >= (double)p->x && y >= (double)p->y && x < (double)p->x + (double)p->width &&
           y < (double)p->y + (double)p->height;
}

static void on_button(GLFWwindow *window, int button, int action, int mods)
{
    view *v = glfwGetWindowUserPointer(window);
    const bool down = action == GLFW_PRESS && mouse_on_picture(v);
    glfwGetCursorPos(window, &v->mouse_x, &v->mouse_y);
    if (button == GLFW_MOUSE_BUTTON_LEFT && (mods & GLFW_MOD_SHIFT) == 0) {
        v->turning = down && (v->wearing || !touch(v));
    } else {
        v->panning = down;
    }
    if (action == GLFW_RELEASE) {
        v->turning = v->panning = false;
        scene_puppet_let_go(&v->puppet);
    }
}

static void on_cursor(GLFWwindow *window, double x, double y)
{
    view *v = glfwGetWindowUserPointer(window);
    const double dx = x - v->mouse_x, dy = y - v->mouse_y, height = (double)v->picture.height;
    v->mouse_x = x;
    v->mouse_y = y;
    if (v->puppet.held >= 0) {
        double eye[3], direction[3];
        acting_mouse_ray(v, eye, direction);
        for (int i = 0; i < 3; ++i) {
            v->puppet.hand[i] = eye[i] + v->puppet.depth * direction[i];
        }
    } else if (v->wearing) {
        // The view turns as a head turns. The wheel and the other buttons have no effect.
        v->wearer_yaw += v->turning ? -dx * 0.004 : 0.0;
        v->wearer_pitch += v->turning ? dy * 0.004 : 0.0;
        v->wearer_pitch = fmax(-1.5, fmin(1.5, v->wearer_pitch));
    } else if (v->turning) {
        orbit_turn(&v->orbit, -dx * 0.008, dy * 0.008);
    } else if (v->panning && height > 0.0) {
        orbit_pan(&v->orbit, -dx / height, dy / height);
    }
}

static void on_scroll(GLFWwindow *window, double x, double y)
{
    view *v = glfwGetWindowUserPointer(window);
    (void)x;
    if (mouse_on_picture(v) && !v->wearing) {
        orbit_zoom(&v->orbit, y);
    }
}

static void on_drop(GLFWwindow *window, int count, const char **paths)
{
    view *v = glfwGetWindowUserPointer(window);
    for (int i = 0; i < count; ++i) {
        view_open(v, paths[i]);
    }
}

// The system may request drawing while the window is resized.
static void on_refresh(GLFWwindow *window)
{
    (void)view_frame(glfwGetWindowUserPointer(window));
}

static bool make_context(view *v)
{
    // EGL provides OpenGL ES everywhere, GLX only with some drivers.
    static const int ways[] = {GLFW_EGL_CONTEXT_API, GLFW_NATIVE_CONTEXT_API};
    for (int i = 0; i < 2 && v->window == NULL; ++i) {
        glfwWindowHint(GLFW_CLIENT_API, GLFW_OPENGL_ES_API);
        glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
        glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 0);
        glfwWindowHint(GLFW_CONTEXT_CREATION_API, ways[i]);
        glfwWindowHint(GLFW_DEPTH_BITS, 0);
        glfwWindowHint(GLFW_STENCIL_BITS, 0);
        v->window = glfwCreateWindow((int)v->options->width, (int)v->options->height, "vrm view", NULL, NULL);
    }
    return v->window != NULL;
}

static int make_renderer(view *v)
{
    vrm_renderer_def def;
    vrm_renderer_def_default(&def);
    def.samples = (uint32_t)v->options->samples;
    const vrm_result result = vrm_renderer_create(&def, &v->renderer);
    if (result != VRM_SUCCESS) {
        return cli_fail(v->job, cli_exit_of(v->job, result), "%s",
            v->renderer != NULL ? vrm_renderer_get_error(v->renderer) : vrm_result_sentence(result));
    }
    if (!gui_start(v->window, v->options->font)) {
        return cli_fail(v->job, CLI_EXIT_UNSUPPORTED, "the panels cannot find OpenGL's functions (Debian: libgl1)");
    }
    if (gui_missing_font()[0] != '\0') {
        cli_say(v->job, "%s", gui_missing_font());
    }
    return CLI_EXIT_DONE;
}

int window_open(view *v)
{
    const char *why = "";
    if (!glfwInit()) {
        glfwGetError(&why);
        return cli_fail(v->job, CLI_EXIT_UNSUPPORTED, "there is no display for a window (%s); vrm render needs none",
            why != NULL ? why : "");
    }
    if (!make_context(v)) {
        glfwGetError(&why);
        return cli_fail(v->job, CLI_EXIT_UNSUPPORTED, "a window with OpenGL ES 3.0 could not be created: %s",
            why != NULL ? why : "no reason given");
    }
    glfwMakeContextCurrent(v->window);
    glfwSwapInterval(v->options->control ? 0 : 1);
    glfwSetWindowUserPointer(v->window, v);
    glfwSetWindowSizeLimits(v->window, 480, 320, GLFW_DONT_CARE, GLFW_DONT_CARE);
    glfwSetKeyCallback(v->window, on_key);
    glfwSetMouseButtonCallback(v->window, on_button);
    glfwSetCursorPosCallback(v->window, on_cursor);
    glfwSetScrollCallback(v->window, on_scroll);
    glfwSetDropCallback(v->window, on_drop);
    const int code = make_renderer(v);
    // The window can be drawn only from here on. With --control frames run only on request.
    glfwSetWindowRefreshCallback(v->window, code == CLI_EXIT_DONE && !v->options->control ? on_refresh : NULL);
    return code;
}

void window_close(view *v)
{
    gui_stop();
    vrm_renderer_destroy(v->renderer);
    if (v->window != NULL) {
        glfwDestroyWindow(v->window);
    }
    glfwTerminate();
}
