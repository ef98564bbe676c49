// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// The renderer's response to bad input, and a picture shown in a window.

#include "render_square.h"

#include <epoxy/gl.h>

// A window gets the same pixels as a file. Pixels outside the picture do not change.
static void a_shown_picture_has_the_bytes_of_a_read_one(void)
{
    if (fixture_no_driver()) {
        SKIP("no OpenGL ES 3.0");
    }
    drawn *d = one_square("[0.8,0.5,0.1,1]", "");
    enum { WIDE = PICTURE + 5 };
    uint8_t *shown = malloc(WIDE * WIDE * 4);
    for (int blend = 0; blend < 2; ++blend) {
        GLuint texture, framebuffer;
        d->scene.blend = (vrm_render_blend)blend;
        CHECK_INT(fixture_draw(d), VRM_SUCCESS);
        glGenTextures(1, &texture);
        glBindTexture(GL_TEXTURE_2D, texture);
        glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, WIDE, WIDE);
        glGenFramebuffers(1, &framebuffer);
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
        glClearColor(0, 0, 0, 0);
        glClear(GL_COLOR_BUFFER_BIT);
        CHECK_INT(vrm_renderer_show(d->renderer, framebuffer, 3, 2), VRM_SUCCESS);
        glReadPixels(0, 0, WIDE, WIDE, GL_RGBA, GL_UNSIGNED_BYTE, shown);
        int worst = 0, beside = 0;
        for (int y = 0; y < WIDE; ++y) {
            for (int x = 0; x < WIDE * 4; ++x) {
                const int row = PICTURE - 1 - (y - 2), column = x - 12;
                const bool inside = row >= 0 && row < PICTURE && column >= 0 && column < PICTURE * 4;
                const int value = shown[y * WIDE * 4 + x];
                const int off = inside ? abs(value - d->pixels[row * PICTURE * 4 + column]) : 0;
                worst = off > worst ? off : worst;
                beside += !inside && value != 0;
            }
        }
        CHECK(worst <= 1); // the driver decodes and encodes colours once more
        CHECK_INT(beside, 0);
        glDeleteFramebuffers(1, &framebuffer);
        glDeleteTextures(1, &texture);
    }
    free(shown);
    d->scene.width = 0;
    CHECK_INT(fixture_draw(d), VRM_ERROR_INVALID_ARGUMENT);
    fixture_close(d);
}

static void errors_have_a_sentence(void)
{
    if (fixture_no_driver()) {
        SKIP("no OpenGL ES 3.0");
    }
    drawn *d = one_square("[1,1,1,1]", "");
    CHECK(vrm_renderer_get_driver(d->renderer)[0] != '\0');
    d->scene.width = 1u << 20;
    CHECK_INT(fixture_draw(d), VRM_ERROR_LIMIT);
    CHECK(strstr(vrm_renderer_get_error(d->renderer), "larger than") != NULL);
    d->scene.width = 0;
    CHECK_INT(fixture_draw(d), VRM_ERROR_INVALID_ARGUMENT);
    d->scene.width = PICTURE;
    d->scene.struct_size = 3;
    CHECK_INT(fixture_draw(d), VRM_ERROR_INVALID_ARGUMENT);
    d->scene.struct_size = sizeof d->scene;
    CHECK_INT(vrm_renderer_read_pixels(d->renderer, d->pixels, 16), VRM_ERROR_INVALID_ARGUMENT);
    CHECK_INT(fixture_draw(d), VRM_SUCCESS);
    CHECK_STRING(vrm_renderer_get_error(d->renderer), "");

    vrm_renderer_def def;
    vrm_renderer *broken;
    vrm_renderer_def_default(&def);
    def.shader_prelude = "this is no GLSL\n";
    CHECK_INT(vrm_renderer_create(&def, &broken), VRM_ERROR_UNSUPPORTED);
    CHECK(strstr(vrm_renderer_get_error(broken), "does not compile") != NULL);
    vrm_renderer_destroy(broken);
    def.samples = 0;
    CHECK_INT(vrm_renderer_create(&def, &broken), VRM_ERROR_INVALID_ARGUMENT);
    vrm_renderer_destroy(broken);
    fixture_close(d);
}

// Puts these bytes as an image on the square. Returns the result of creating the model.
static vrm_result with_image(
    const void *bytes, size_t size, const char *mime, uint32_t max_size, uint32_t *out_findings)
{
    gltf_builder b = {0};
    drawn *d = calloc(1, sizeof *d);
    vrm_renderer_def def;
    vrm_renderer_def_default(&def);
    def.max_texture_size = max_size;
    gltf_builder_add(&b, "nodes", "{\"mesh\":0}");
    add_square(&b, 0, 0, 0, "", "");
    const uint32_t view = gltf_builder_view(&b, bytes, size, "");
    gltf_builder_add(&b, "images", "{\"bufferView\":%u,\"mimeType\":\"%s\"}", view, mime);
    gltf_builder_add(&b, "textures", "{\"source\":0}");
    gltf_builder_add(&b, "materials", "{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0}}}");
    const vrm_result result = fixture_open(d, &b, &def);
    *out_findings = vrm_report_get_count(d->report);
    if (result != VRM_SUCCESS) {
        CHECK(vrm_renderer_get_error(d->renderer)[0] != '\0');
    } else {
        fixture_camera(d, 4.0, 0.25);
        CHECK_INT(fixture_draw(d), VRM_SUCCESS);
    }
    fixture_close(d);
    return result;
}

static void bad_images_are_reported_or_refused(void)
{
    if (fixture_no_driver()) {
        SKIP("no OpenGL ES 3.0");
    }
    size_t size = 0;
    uint32_t findings = 0;
    uint8_t *png = fixture_png(64, 64, &size);
    CHECK_INT(with_image(png, size, "image/png", 1024, &findings), VRM_SUCCESS);
    CHECK_INT(findings, 0);
    CHECK_INT(with_image(png, size, "image/png", 32, &findings), VRM_ERROR_LIMIT);
    // A truncated image, and an image whose compressed data begin with a damaged byte: the texture is white, and a
    // finding reports this.
    CHECK_INT(with_image(png, size / 2, "image/png", 1024, &findings), VRM_SUCCESS);
    CHECK_INT(findings, 1);
    png[41] ^= 0x55; // the first byte after the signature, IHDR, and the length and name of IDAT
    CHECK_INT(with_image(png, size, "image/png", 1024, &findings), VRM_SUCCESS);
    CHECK_INT(findings, 1);
    // The header declares 60,000 x 60,000 pixels. No memory is allocated for them.
    png[16] = png[17] = png[20] = png[21] = 0;
    png[18] = png[22] = 0xea;
    png[19] = png[23] = 0x60;
    CHECK_INT(with_image(png, size, "image/png", 16384, &findings), VRM_ERROR_LIMIT);
    free(png);
    static const uint8_t jpeg[] = {
        0xff, 0xd8, 0xff, 0xe0, 0, 16, 'J', 'F', 'I', 'F', 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 0xff, 0xd9};
    CHECK_INT(with_image(jpeg, sizeof jpeg, "image/jpeg", 1024, &findings), VRM_SUCCESS);
    CHECK_INT(findings, 1);
}

static const test_case cases[] = {
    {"a_shown_picture_has_the_bytes_of_a_read_one", a_shown_picture_has_the_bytes_of_a_read_one},
    {"errors_have_a_sentence", errors_have_a_sentence},
    {"bad_images_are_reported_or_refused", bad_images_are_reported_or_refused},
};

RUN_TESTS(cases)
