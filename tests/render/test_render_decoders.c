// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Textures in formats besides PNG and JPEG: WebP by libwebp, and KTX2 by a host's decoder. Each picture must equal the
// picture with the same pixels as PNG.

#include "render_fixture.h"
#include "render_square.h"

#if defined(VRMR_HAVE_WEBP)
#include <webp/encode.h>
#endif

enum { SIDE = 16, BYTES = SIDE * SIDE * 4 };

static void make_pixels(uint8_t *pixels)
{
    for (int i = 0; i < BYTES; ++i) {
        pixels[i] = (uint8_t)texel(i / 4 % SIDE, i / 4 / SIDE, i % 4);
    }
}

static void put(uint8_t *at, uint32_t value)
{
    for (int i = 0; i < 4; ++i) {
        at[i] = (uint8_t)(value >> (8 * i));
    }
}

// KTX 2.0, section 3: VK_FORMAT_R8G8B8A8_UNORM (37) without supercompression, one level. The data format descriptor is
// omitted.
static size_t make_ktx2(uint8_t *bytes)
{
    static const uint8_t identifier[12] = {0xAB, 'K', 'T', 'X', ' ', '2', '0', 0xBB, '\r', '\n', 0x1A, '\n'};
    enum { LEVELS = 80, DATA = LEVELS + 24 };
    memset(bytes, 0, DATA);
    memcpy(bytes, identifier, 12);
    put(bytes + 12, 37);   // vkFormat
    put(bytes + 16, 1);    // typeSize
    put(bytes + 20, SIDE); // pixelWidth
    put(bytes + 24, SIDE); // pixelHeight
    put(bytes + 36, 1);    // faceCount
    put(bytes + 40, 1);    // levelCount
    put(bytes + LEVELS, DATA);
    put(bytes + LEVELS + 8, BYTES);
    put(bytes + LEVELS + 16, BYTES);
    make_pixels(bytes + DATA);
    return DATA + BYTES;
}

typedef struct host {
    int calls;
    vrm_result result;
} host;

static vrm_result decode_ktx2(const vrm_image_request *request, void *user)
{
    host *h = user;
    ++h->calls;
    CHECK_STRING(request->mime_type, "image/ktx2");
    CHECK(request->width == SIDE && request->height == SIDE);
    const uint8_t *bytes = request->bytes;
    CHECK(request->size == 104 + BYTES && bytes[12] == 37);
    memcpy(request->out_pixels, bytes + 104, BYTES);
    return h->result;
}

typedef struct file {
    const void *image; // PNG of the texture's own source; NULL: none
    size_t image_size;
    const void *other; // image of the texture's extension; NULL: none
    size_t other_size;
    const char *extension, *mime;
} file;

// Draws the square with this texture; returns the number of findings.
static uint32_t draw(const file *f, host *h, uint8_t *out_picture)
{
    gltf_builder b = {0};
    drawn *d = calloc(1, sizeof *d);
    vrm_renderer_def def;
    vrm_renderer_def_default(&def);
    def.decode_image = h != NULL ? decode_ktx2 : NULL;
    def.decode_user = h;
    gltf_builder_add(&b, "nodes", "{\"mesh\":0}");
    static const float uv[8] = {0, 1, 1, 1, 0, 0, 1, 0};
    gltf_builder_floats(&b, uv, 8, 4, "VEC2"); // accessor 0
    add_square(&b, 0, 0, 0, ",\"TEXCOORD_0\":0", "");
    int images = 0;
    char source[32] = "", extension[128] = "";
    if (f->image != NULL) {
        const uint32_t view = gltf_builder_view(&b, f->image, f->image_size, "");
        gltf_builder_add(&b, "images", "{\"bufferView\":%u,\"mimeType\":\"image/png\"}", view);
        snprintf(source, sizeof source, "\"source\":%d", images++);
    }
    if (f->other != NULL) {
        const uint32_t view = gltf_builder_view(&b, f->other, f->other_size, "");
        gltf_builder_add(&b, "images", "{\"bufferView\":%u,\"mimeType\":\"%s\"}", view, f->mime);
        snprintf(extension, sizeof extension, "%s\"extensions\":{\"%s\":{\"source\":%d}}", images > 0 ? "," : "",
            f->extension, images);
        gltf_builder_add(&b, "extensionsUsed", "\"%s\"", f->extension);
    }
    gltf_builder_add(&b, "textures", "{%s%s}", source, extension);
    gltf_builder_add(&b, "materials", "{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0}}}");
    CHECK_INT(fixture_open(d, &b, &def), VRM_SUCCESS);
    fixture_camera(d, 4.0, 0.25);
    CHECK_INT(fixture_draw(d), VRM_SUCCESS);
    memcpy(out_picture, d->pixels, sizeof d->pixels);
    const uint32_t warnings = vrm_report_get_severity_count(d->report, VRM_SEVERITY_WARNING);
    fixture_close(d);
    return warnings;
}

static uint8_t wanted[PICTURE * PICTURE * 4], white[PICTURE * PICTURE * 4], found[PICTURE * PICTURE * 4];

static bool is_same(const uint8_t *picture)
{
    return memcmp(found, picture, sizeof found) == 0;
}

// Draws the reference pictures: one with the pixels as PNG, one with an unreadable texture.
static void draw_references(void)
{
    size_t size = 0;
    uint8_t *png = fixture_png(SIDE, SIDE, &size);
    draw(&(file){.image = png, .image_size = size}, NULL, wanted);
    CHECK(draw(&(file){.image = png, .image_size = size / 2}, NULL, white) > 0);
    CHECK(memcmp(wanted, white, sizeof wanted) != 0);
    free(png);
}

static void ktx2_by_the_hosts_decoder(void)
{
    if (fixture_no_driver()) {
        SKIP("no OpenGL ES 3.0");
    }
    static uint8_t ktx2[104 + BYTES];
    size_t png_size = 0;
    uint8_t *png = fixture_png(2, 2, &png_size);
    host h = {0};
    file f = {.other = ktx2, .other_size = make_ktx2(ktx2), .extension = "KHR_texture_basisu", .mime = "image/ktx2"};
    draw_references();
    CHECK_INT(draw(&f, &h, found), 0);
    CHECK(is_same(wanted) && h.calls > 0);
    h.result = VRM_ERROR_INVALID_ASSET;
    CHECK(draw(&f, &h, found) > 0);
    CHECK(is_same(white));
    CHECK(draw(&f, NULL, found) > 0);
    CHECK(is_same(white));
    // With a PNG as fallback, the host's decoder is tried first. Without a decoder, the PNG is used.
    f.image = png;
    f.image_size = png_size;
    h.result = VRM_SUCCESS;
    CHECK_INT(draw(&f, &h, found), 0);
    CHECK(is_same(wanted));
    CHECK_INT(draw(&f, NULL, found), 0);
    CHECK(!is_same(wanted) && !is_same(white));
    free(png);
}

static void webp_by_libwebp(void)
{
#if defined(VRMR_HAVE_WEBP)
    if (fixture_no_driver()) {
        SKIP("no OpenGL ES 3.0");
    }
    uint8_t pixels[BYTES], *webp = NULL;
    make_pixels(pixels);
    const size_t size = WebPEncodeLosslessRGBA(pixels, SIDE, SIDE, SIDE * 4, &webp);
    file f = {.other = webp, .other_size = size, .extension = "EXT_texture_webp", .mime = "image/webp"};
    size_t png_size = 0;
    uint8_t *png = fixture_png(2, 2, &png_size);
    draw_references();
    CHECK_INT(draw(&f, NULL, found), 0);
    CHECK(is_same(wanted));
    f.image = png;
    f.image_size = png_size;
    CHECK_INT(draw(&f, NULL, found), 0);
    CHECK(is_same(wanted));
    f.image = NULL;
    for (size_t cut = 13; cut < size; cut += 7) { // if truncated anywhere, the texture is white
        f.other_size = cut;
        if (cut % 5 == 0) {
            CHECK(draw(&f, NULL, found) > 0);
            CHECK(is_same(white));
        }
        vrm_render_image image;
        const char *why = NULL;
        CHECK_INT(vrm_render_image_decode(webp, cut, 1 << 20, &image, &why), VRM_ERROR_INVALID_ASSET);
        CHECK(why != NULL && why[0] != '\0');
    }
    vrm_render_image image;
    CHECK_INT(vrm_render_image_decode(webp, size, BYTES - 1, &image, NULL), VRM_ERROR_INVALID_ASSET);
    CHECK_INT(vrm_render_image_decode(webp, size, BYTES, &image, NULL), VRM_SUCCESS);
    CHECK(image.width == SIDE && memcmp(image.pixels, pixels, BYTES) == 0);
    vrm_render_image_free(&image);
    free(png);
    WebPFree(webp);
#else
    SKIP("no libwebp");
#endif
}

static const test_case cases[] = {
    {"ktx2_by_the_hosts_decoder", ktx2_by_the_hosts_decoder},
    {"webp_by_libwebp", webp_by_libwebp},
};

RUN_TESTS(cases)
