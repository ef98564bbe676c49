// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Fields of a document's def: borrowed bytes, and the limit of elements.

#include <vrm/gltf.h>

#include "gltf_builder.h"
#include "test.h"

#include <stdlib.h>

// Makes a file with `materials` empty materials and an accessor of three floats.
static uint8_t *make_glb(int materials, size_t *size)
{
    const float values[3] = {1.5f, 2.5f, 3.5f};
    gltf_builder b = {0};
    (void)gltf_builder_accessor(&b, values, sizeof values, 5126, 3, "SCALAR", "");
    for (int i = 0; i < materials; ++i) {
        gltf_builder_add(&b, "materials", "{}");
    }
    uint8_t *glb = gltf_builder_glb(&b, size);
    gltf_builder_free(&b);
    return glb;
}

// A document that borrows bytes reads the caller's current bytes. Without borrowing, a document has its own copy.
static void borrowed_bytes_are_the_callers(void)
{
    for (int borrow = 0; borrow < 2; ++borrow) {
        size_t size;
        uint8_t *glb = make_glb(0, &size);
        vrm_gltf_def def;
        vrm_gltf *gltf = NULL;
        vrm_gltf_def_default(&def);
        def.borrow_bytes = borrow != 0;
        CHECK_INT(vrm_gltf_load(&def, glb, size, NULL, &gltf), VRM_SUCCESS);
        const float changed = 7.5f;
        memcpy(glb + size - 3 * sizeof changed, &changed, sizeof changed);
        float read[3] = {0};
        CHECK_INT(vrm_gltf_read_floats(gltf, 0, 0, 3, read), VRM_SUCCESS);
        CHECK_NEAR(read[0], borrow ? 7.5f : 1.5f, 0);
        CHECK_NEAR(read[1], 2.5f, 0);
        vrm_gltf_destroy(gltf);
        free(glb);
    }
}

// The limit applies to elements of an array and to elements of an accessor.
static void elements_are_counted(void)
{
    size_t size;
    uint8_t *glb = make_glb(11, &size);
    for (uint32_t most = 9; most < 13; ++most) {
        vrm_gltf_def def;
        vrm_gltf *gltf = NULL;
        vrm_gltf_def_default(&def);
        def.limits.max_elements = most;
        CHECK_INT(vrm_gltf_load(&def, glb, size, NULL, &gltf), most < 11 ? VRM_ERROR_LIMIT : VRM_SUCCESS);
        vrm_gltf_destroy(gltf);
    }
    free(glb);
    glb = make_glb(0, &size);
    for (uint32_t most = 1; most < 5; ++most) {
        vrm_gltf_def def;
        vrm_gltf *gltf = NULL;
        vrm_gltf_def_default(&def);
        def.limits.max_elements = most;
        CHECK_INT(vrm_gltf_load(&def, glb, size, NULL, &gltf), most < 3 ? VRM_ERROR_LIMIT : VRM_SUCCESS);
        vrm_gltf_destroy(gltf);
    }
    free(glb);
}

static const test_case cases[] = {
    {"borrowed_bytes_are_the_callers", borrowed_bytes_are_the_callers},
    {"elements_are_counted", elements_are_counted},
};

RUN_TESTS(cases)
