// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// vrm-view, which `vrm view` starts. It shares the command's main program and its option table.

#include <stdlib.h>

#include <GLFW/glfw3.h>

#include "view.h"

static int fail_drawing(view *v)
{
    return cli_fail(v->job, CLI_EXIT_UNSUPPORTED, "%s", vrm_renderer_get_error(v->renderer));
}

static int loop(view *v)
{
    while (!glfwWindowShouldClose(v->window) && !cli_cancelled()) {
        if (v->options->control) {
            if (!control_run(v)) {
                break;
            }
        } else if (glfwGetWindowAttrib(v->window, GLFW_ICONIFIED)) {
            glfwWaitEventsTimeout(0.2); // minimized
        } else {
            glfwPollEvents();
            if (view_frame(v) != VRM_SUCCESS) {
                return fail_drawing(v);
            }
        }
    }
    return CLI_EXIT_DONE;
}

// Opens the inputs. Several files, or a folder, become a list to step through.
static int open_inputs(view *v, const cli_inputs *inputs)
{
    cli_list paths = {0};
    const int code = cli_expand_folders(v->job, inputs, false, &paths);
    if (code == CLI_EXIT_DONE && paths.count > 1 && !gallery_start(&v->gallery, paths.items, paths.count)) {
        cli_free_paths(&paths);
        return cli_fail(v->job, CLI_EXIT_AGAIN, "%s", cli_sentence_of(v->job, VRM_ERROR_OUT_OF_MEMORY));
    }
    if (code == CLI_EXIT_DONE && paths.count > 0) {
        view_open(v, paths.items[0]);
    }
    cli_free_paths(&paths);
    return code;
}

static int run_view(const cli_inputs *inputs, const void *options, cli_job *job)
{
    view *v = calloc(1, sizeof *v);
    if (v == NULL) {
        return cli_fail(job, CLI_EXIT_AGAIN, "%s", cli_sentence_of(job, VRM_ERROR_OUT_OF_MEMORY));
    }
    view_start(v, job, options);
    int code = window_open(v);
    code = code == CLI_EXIT_DONE ? open_inputs(v, inputs) : code;
    code = code == CLI_EXIT_DONE ? loop(v) : code;
    view_end(v);
    window_close(v);
    free(v);
    return code;
}

int main(int argc, char **argv)
{
    static const cli_command *const commands[] = {&cli_view};
    static cli_run_fn *const work[] = {run_view};
    static const cli_program program = {commands, 1, work, NULL};
    return cli_run_program(&program, argc, argv);
}
