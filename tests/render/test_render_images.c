// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// PNG and JPEG files, intact and randomly damaged. Each is decoded or refused with a message, and never takes more
// memory than allowed. Sanitizers check memory accesses.

#include "internal.h"
#include "render_fixture.h"
#include "test_random.h"

#include <jpeglib.h>
#include <stdio.h>

enum { WIDE = 37, HIGH = 23, MOST = 1 << 20 };

static uint8_t *make_jpeg(size_t *out_size)
{
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;
    unsigned char *bytes = NULL;
    unsigned long size = 0;
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    jpeg_mem_dest(&jpeg, &bytes, &size);
    jpeg.image_width = WIDE;
    jpeg.image_height = HIGH;
    jpeg.input_components = 3;
    jpeg.in_color_space = JCS_RGB;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, 95, TRUE);
    jpeg_start_compress(&jpeg, TRUE);
    for (int y = 0; y < HIGH; ++y) {
        JSAMPLE row[WIDE * 3];
        for (int i = 0; i < WIDE * 3; ++i) {
            row[i] = (JSAMPLE)(texel(i / 3 / 3, y / 2, i % 3));
        }
        JSAMPROW rows = row;
        jpeg_write_scanlines(&jpeg, &rows, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    *out_size = size;
    return bytes;
}

static void whole_images_are_read(void)
{
    size_t size = 0;
    const char *why = "";
    vrmr_pixels pixels;
    uint8_t *png = fixture_png(WIDE, HIGH, &size);
    CHECK(vrmr_decode(png, size, MOST, &pixels, &why));
    CHECK(pixels.width == WIDE && pixels.height == HIGH);
    for (int i = 0; i < WIDE * HIGH * 4; ++i) {
        CHECK_INT(pixels.data[i], (uint8_t)texel(i / 4 % WIDE, i / 4 / WIDE, i % 4));
    }
    free(pixels.data);
    CHECK(!vrmr_decode(png, size, WIDE * HIGH * 4 - 1, &pixels, &why));
    CHECK(strstr(why, "limit") != NULL);
    free(png);
    uint8_t *jpeg = make_jpeg(&size);
    CHECK(vrmr_decode(jpeg, size, MOST, &pixels, &why));
    for (int i = 0; i < WIDE * HIGH; ++i) {
        // JPEG blurs the edges between colours.
        CHECK_NEAR(pixels.data[4 * i], texel(i % WIDE / 3, i / WIDE / 2, 0), 24.0);
        CHECK_INT(pixels.data[4 * i + 3], 255);
    }
    free(pixels.data);
    free(jpeg);
}

static void damaged_images_are_read_or_refused(void)
{
    size_t sizes[2];
    uint8_t *files[2] = {fixture_png(WIDE, HIGH, &sizes[0]), make_jpeg(&sizes[1])};
    int read = 0, refused = 0;
    for (uint32_t seed = 0; seed < 4000; ++seed) {
        test_random random = test_random_make(seed);
        const uint32_t kind = seed % 2;
        size_t size = sizes[kind];
        uint8_t *bytes = malloc(size); // a block of exactly the file's size, so that a read beyond its end is detected
        memcpy(bytes, files[kind], size);
        const uint32_t changes = 1 + test_random_below(&random, 6);
        for (uint32_t i = 0; i < changes; ++i) {
            bytes[test_random_below(&random, (uint32_t)size)] = (uint8_t)test_random_below(&random, 256);
        }
        if (seed % 5 == 0) {
            size = test_random_below(&random, (uint32_t)size);
            uint8_t *cut = malloc(size != 0 ? size : 1);
            memcpy(cut, bytes, size);
            free(bytes);
            bytes = cut;
        }
        const char *why = "";
        vrmr_pixels pixels;
        if (vrmr_decode(bytes, size, MOST, &pixels, &why)) {
            CHECK(pixels.data != NULL && (uint64_t)pixels.width * pixels.height * 4 <= MOST);
            ++read;
        } else {
            CHECK(pixels.data == NULL && why[0] != '\0');
            ++refused;
        }
        free(pixels.data);
        free(bytes);
    }
    CHECK(read > 200 && refused > 1000);
    free(files[0]);
    free(files[1]);
}

// The public call for images without a model, which needs no context.
static void a_picture_by_itself(void)
{
    size_t size = 0;
    const char *why = NULL;
    uint8_t *png = fixture_png(WIDE, HIGH, &size);
    vrm_render_image image = {0};
    CHECK_INT(vrm_render_image_decode(png, size, MOST, &image, &why), VRM_SUCCESS);
    CHECK(image.width == WIDE && image.height == HIGH && image.pixels != NULL);
    CHECK_INT(image.pixels[5], (uint8_t)texel(1, 0, 1));
    vrm_render_image_free(&image);
    CHECK(image.pixels == NULL);
    vrm_render_image_free(&image); // a cleared image may be freed again
    CHECK_INT(vrm_render_image_decode(png, size, 16, &image, &why), VRM_ERROR_INVALID_ASSET);
    CHECK(why != NULL && why[0] != '\0' && image.pixels == NULL);
    CHECK_INT(vrm_render_image_decode("no picture", 10, MOST, &image, NULL), VRM_ERROR_INVALID_ASSET);
    free(png);
}

static const test_case cases[] = {
    {"whole_images_are_read", whole_images_are_read},
    {"a_picture_by_itself", a_picture_by_itself},
    {"damaged_images_are_read_or_refused", damaged_images_are_read_or_refused},
};

RUN_TESTS(cases)
