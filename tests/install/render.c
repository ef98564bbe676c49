// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// This program is linked with libvrm-render and makes calls that need no display.
#include <stdio.h>
#include <vrm_render/render.h>

static int asserted;

static void count_assertion(const char *expression, const char *file, int line)
{
    asserted += expression != NULL && file != NULL && line > 0;
}

int main(void)
{
    vrm_render_scene scene;
    vrm_render_scene_default(&scene);
    vrm_render_image image = {0};
    const char *error = "";
    const vrm_result result = vrm_render_image_decode("no picture", 10, 1 << 20, &image, &error);
    // Errors in libvrm-render also call libvrm's hook.
    vrm_set_assert_hook(count_assertion);
    (vrm_render_scene_default)(NULL, sizeof scene);
    printf("%u x %u, %s, asserted %d\n", (unsigned)scene.width, (unsigned)scene.height, error, asserted);
    return scene.width == 512 && result == VRM_ERROR_INVALID_ASSET && asserted == 1 ? 0 : 1;
}
