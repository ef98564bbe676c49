// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "internal.h"

#include <setjmp.h>
#include <stdio.h> // jpeglib.h needs FILE
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <spng.h>
#if defined(VRMR_HAVE_WEBP)
#include <webp/decode.h>
#endif

static bool room_for(uint64_t width, uint64_t height, uint64_t max_bytes, vrmr_pixels *out, const char **out_error)
{
    // The size in the header is checked against the limit before it is used.
    if (width == 0 || height == 0 || width > 65535 || height > 65535 || width * height * 4 > max_bytes) {
        *out_error = "the image is larger than the limit for decoded images";
        return false;
    }
    out->data = malloc((size_t)(width * height * 4));
    if (out->data == NULL) {
        *out_error = "out of memory for the image's pixels";
        return false;
    }
    out->width = (uint32_t)width;
    out->height = (uint32_t)height;
    return true;
}

static bool decode_png(const void *bytes, size_t size, uint64_t max_bytes, vrmr_pixels *out, const char **out_error)
{
    spng_ctx *png = spng_ctx_new(0);
    if (png == NULL) {
        *out_error = "out of memory for the PNG decoder";
        return false;
    }
    struct spng_ihdr header;
    int status = spng_set_image_limits(png, 65535, 65535);
    status = status == 0 ? spng_set_chunk_limits(png, 1u << 26, 1u << 26) : status;
    status = status == 0 ? spng_set_png_buffer(png, bytes, size) : status;
    status = status == 0 ? spng_get_ihdr(png, &header) : status;
    bool good = status == 0 && room_for(header.width, header.height, max_bytes, out, out_error);
    if (good) {
        // The pixels are cleared, because a truncated file would leave some of them uninitialised.
        const size_t room = (size_t)out->width * out->height * 4;
        memset(out->data, 0, room);
        status = spng_decode_image(png, out->data, room, SPNG_FMT_RGBA8, SPNG_DECODE_TRNS);
        good = status == 0;
    }
    if (status != 0) {
        *out_error =
            status == SPNG_IO_EOF || status == SPNG_EIDAT_TOO_SHORT ? "the PNG is cut off" : spng_strerror(status);
    }
    spng_ctx_free(png);
    return good;
}

typedef struct jpeg_errors {
    struct jpeg_error_mgr manager; // must be the first member, since libjpeg passes a pointer to it
    jmp_buf back;
} jpeg_errors;

static void leave_jpeg(j_common_ptr common)
{
    longjmp(((jpeg_errors *)(void *)common->err)->back, 1);
}

static void say_nothing(j_common_ptr common)
{
    (void)common;
}

static bool read_jpeg(struct jpeg_decompress_struct *jpeg, uint64_t max_bytes, vrmr_pixels *out, const char **out_error)
{
    jpeg_read_header(jpeg, TRUE);
    if (!room_for(jpeg->image_width, jpeg->image_height, max_bytes, out, out_error)) {
        return false;
    }
    jpeg->out_color_space = JCS_EXT_RGBA;
    // The slow transform gives the same pixels on every machine; the fast ones differ between processors.
    jpeg->dct_method = JDCT_ISLOW;
    jpeg_start_decompress(jpeg);
    while (jpeg->output_scanline < jpeg->output_height) {
        JSAMPROW row = out->data + (size_t)jpeg->output_scanline * out->width * 4;
        jpeg_read_scanlines(jpeg, &row, 1);
    }
    jpeg_finish_decompress(jpeg);
    return true;
}

static bool decode_jpeg(const void *bytes, size_t size, uint64_t max_bytes, vrmr_pixels *out, const char **out_error)
{
    struct jpeg_decompress_struct jpeg;
    jpeg_errors errors;
    jpeg.err = jpeg_std_error(&errors.manager);
    errors.manager.error_exit = leave_jpeg;
    errors.manager.output_message = say_nothing;
    if (setjmp(errors.back) != 0) {
        jpeg_destroy_decompress(&jpeg);
        *out_error = "the JPEG data is damaged";
        return false;
    }
    jpeg_create_decompress(&jpeg);
    jpeg_mem_src(&jpeg, bytes, (unsigned long)size);
    const bool good = read_jpeg(&jpeg, max_bytes, out, out_error);
    const bool whole = errors.manager.num_warnings == 0;
    jpeg_destroy_decompress(&jpeg);
    if (good && !whole) {
        *out_error = "the JPEG data is damaged";
    }
    return good && whole;
}

static bool is_webp(const void *bytes, size_t size)
{
    return size > 12 && memcmp(bytes, "RIFF", 4) == 0 && memcmp((const uint8_t *)bytes + 8, "WEBP", 4) == 0;
}

#if defined(VRMR_HAVE_WEBP)
static const char not_known[] = "the image is not PNG, JPEG or WebP";

static bool decode_webp(const void *bytes, size_t size, uint64_t max_bytes, vrmr_pixels *out, const char **out_error)
{
    int width = 0, height = 0;
    if (WebPGetInfo(bytes, size, &width, &height) == 0) {
        *out_error = "the WebP data is damaged";
        return false;
    }
    if (!room_for((uint64_t)width, (uint64_t)height, max_bytes, out, out_error)) {
        return false;
    }
    const size_t room = (size_t)out->width * out->height * 4;
    const bool good = WebPDecodeRGBAInto(bytes, size, out->data, room, (int)out->width * 4) != NULL;
    *out_error = good ? *out_error : "the WebP data is damaged or animated";
    return good;
}
#else
static const char not_known[] = "the image is not PNG or JPEG";

static bool decode_webp(const void *bytes, size_t size, uint64_t max_bytes, vrmr_pixels *out, const char **out_error)
{
    (void)bytes;
    (void)size;
    (void)max_bytes;
    (void)out;
    *out_error = "the image is WebP, which this build cannot decode (Debian: libwebp-dev)";
    return false;
}
#endif

// Names the formats that avatars have by mistake, so that nobody takes them for damaged files.
static const char *name_of_unknown(const void *bytes, size_t size)
{
    static const uint8_t ktx2_head[4] = {0xab, 'K', 'T', 'X'};
    if (size > 4 && memcmp(bytes, ktx2_head, 4) == 0) {
        return "the image is KTX2, which this renderer cannot decode";
    }
    return size > 4 && memcmp(bytes, "GIF8", 4) == 0 ? "the image is GIF, which this renderer cannot decode"
                                                     : not_known;
}

bool vrmr_decode(const void *bytes, size_t size, uint64_t max_bytes, vrmr_pixels *out, const char **out_error)
{
    static const uint8_t png_head[4] = {0x89, 'P', 'N', 'G'}, jpeg_head[3] = {0xff, 0xd8, 0xff};
    *out = (vrmr_pixels){0};
    bool good = false;
    if (size > 4 && memcmp(bytes, png_head, 4) == 0) {
        good = decode_png(bytes, size, max_bytes, out, out_error);
    } else if (size > 4 && memcmp(bytes, jpeg_head, 3) == 0) {
        good = decode_jpeg(bytes, size, max_bytes, out, out_error);
    } else if (is_webp(bytes, size)) {
        good = decode_webp(bytes, size, max_bytes, out, out_error);
    } else {
        *out_error = name_of_unknown(bytes, size);
    }
    if (!good) {
        free(out->data);
        *out = (vrmr_pixels){0};
    }
    return good;
}

bool vrmr_can_decode(const vrm_renderer *renderer, const char *mime_type)
{
#if defined(VRMR_HAVE_WEBP)
    if (strcmp(mime_type, "image/webp") == 0) {
        return true;
    }
#endif
    return renderer->decode_image != NULL || strcmp(mime_type, "image/png") == 0 ||
           strcmp(mime_type, "image/jpeg") == 0;
}

bool vrmr_decode_image(
    const vrm_renderer *renderer, const vrm_gltf_image *image, vrmr_pixels *out, const char **out_error)
{
    const bool plain = strcmp(image->mime_type, "image/png") == 0 || strcmp(image->mime_type, "image/jpeg") == 0;
    if (renderer->decode_image != NULL && !plain && image->width != 0 && image->height != 0) {
        if (!room_for(image->width, image->height, renderer->max_texture_bytes, out, out_error)) {
            return false;
        }
        memset(out->data, 0, (size_t)out->width * out->height * 4);
        const vrm_image_request request = {
            image->bytes, image->size, image->mime_type, image->width, image->height, out->data};
        if (renderer->decode_image(&request, renderer->decode_user) == VRM_SUCCESS) {
            return true;
        }
        free(out->data);
        *out = (vrmr_pixels){0};
    }
    return vrmr_decode(image->bytes, image->size, renderer->max_texture_bytes, out, out_error);
}

vrm_result vrm_render_image_decode(
    const void *bytes, size_t size, uint64_t max_bytes, vrm_render_image *out_image, const char **out_error)
{
    const char *why = "";
    vrmr_pixels pixels;
    const bool good = vrmr_decode(bytes, size, max_bytes, &pixels, &why);
    *out_image = (vrm_render_image){pixels.data, pixels.width, pixels.height};
    if (out_error != NULL) {
        *out_error = why;
    }
    return good ? VRM_SUCCESS : VRM_ERROR_INVALID_ASSET;
}

void vrm_render_image_free(vrm_render_image *image)
{
    free(image->pixels);
    *image = (vrm_render_image){0};
}
