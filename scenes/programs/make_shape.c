// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Writes avatars of avatar_shapes.h, for scripts: `make_shape NAME OUT.vrm`. Without arguments it prints the names. The
// name "figure-7" stands for the figure with seed 7 of figure_shapes.h.

#include <stdio.h>
#include <string.h>

#include "avatar_shapes.h"
#include "figure_shapes.h"

int main(int argc, char **argv)
{
    int shape = 0;
    for (; shape < SCENE_SHAPE_COUNT; ++shape) {
        if (argc == 1) {
            printf("%s\n", scene_shape_name((scene_shape)shape));
        } else if (strcmp(argv[1], scene_shape_name((scene_shape)shape)) == 0) {
            break;
        }
    }
    if (argc == 1) {
        return 0;
    }
    unsigned seed;
    const bool figure = shape == SCENE_SHAPE_COUNT && sscanf(argv[1], "figure-%u", &seed) == 1;
    if (argc != 3 || (shape == SCENE_SHAPE_COUNT && !figure)) {
        fprintf(stderr, "usage: make_shape [NAME OUT.vrm]\n");
        return 2;
    }
    vrm_bytes bytes = {0};
    vrm_result result = figure ? scene_figure_create(seed, &bytes) : scene_shape_create((scene_shape)shape, &bytes);
    if (result == VRM_SUCCESS) {
        result = vrm_write_file(argv[2], bytes.data, bytes.size);
    }
    vrm_bytes_free(&bytes);
    if (result != VRM_SUCCESS) {
        fprintf(stderr, "make_shape: %s: %s\n", argv[2], vrm_result_sentence(result));
        return 1;
    }
    return 0;
}
