// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// URIs (which may name a file beside the document), base64, and image sizes from headers.

#include <stdlib.h>

#include "format/image_header.h"
#include "format/uri.h"
#include "test.h"
#include "test_random.h"

static void uri_kinds(void)
{
    static const struct {
        const char *uri;
        vrmi_uri_kind kind;
        const char *decoded;
    } uris[] = {
        {"a.bin", VRMI_URI_FILE, "a.bin"}, {"textures/a%20b.png", VRMI_URI_FILE, "textures/a b.png"},
        {"./a.png", VRMI_URI_FILE, "./a.png"}, {"%e3%81%82.png", VRMI_URI_FILE, "\xE3\x81\x82.png"},
        {"100%.png", VRMI_URI_FILE, "100%.png"}, // the exporter did not encode the percent sign
        {"a%2", VRMI_URI_FILE, "a%2"}, {"a..b", VRMI_URI_FILE, "a..b"}, {".hidden", VRMI_URI_FILE, ".hidden"},
        {"$(touch x).png", VRMI_URI_FILE, "$(touch x).png"}, // a file name like any other: no shell is involved
        {"~/a", VRMI_URI_FILE, "~/a"}, {"", VRMI_URI_MALFORMED, NULL}, {"a\\b", VRMI_URI_MALFORMED, NULL},
        {"a%5Cb", VRMI_URI_MALFORMED, NULL}, {"a%00b", VRMI_URI_MALFORMED, NULL}, {"a%0Ab", VRMI_URI_MALFORMED, NULL},
        {"%ff.png", VRMI_URI_MALFORMED, NULL}, {"%c0%ae%c0%ae/a", VRMI_URI_MALFORMED, NULL}, // ".." in overlong UTF-8
        {"%ed%a0%80", VRMI_URI_MALFORMED, NULL},                                             // a surrogate
        {"/a", VRMI_URI_NOT_RELATIVE, NULL}, {"%2Fa", VRMI_URI_NOT_RELATIVE, NULL},
        {"//host/a", VRMI_URI_NOT_RELATIVE, NULL}, {"file:///etc/passwd", VRMI_URI_NOT_RELATIVE, NULL},
        {"http://example.org/a", VRMI_URI_NOT_RELATIVE, NULL}, {"C:a", VRMI_URI_NOT_RELATIVE, NULL},
        {"a.png:stream", VRMI_URI_NOT_RELATIVE, NULL}, {"..", VRMI_URI_LEAVES_FOLDER, NULL},
        {"../a", VRMI_URI_LEAVES_FOLDER, NULL}, {"a/../b", VRMI_URI_LEAVES_FOLDER, NULL},
        {"a/..", VRMI_URI_LEAVES_FOLDER, NULL}, {"%2e%2e%2fa", VRMI_URI_LEAVES_FOLDER, NULL},
        {"a/.%2E/b", VRMI_URI_LEAVES_FOLDER, NULL},
        {"a/.. /b", VRMI_URI_LEAVES_FOLDER, NULL}, // Windows drops the space
    };
    for (size_t i = 0; i < sizeof(uris) / sizeof(uris[0]); ++i) {
        char out[64];
        const vrmi_uri_kind kind = vrmi_uri_decode(uris[i].uri, strlen(uris[i].uri), out);
        if (kind != uris[i].kind) {
            printf("  %s\n", uris[i].uri);
        }
        CHECK_INT(kind, uris[i].kind);
        if (kind == VRMI_URI_FILE && uris[i].decoded != NULL) {
            CHECK_STRING(out, uris[i].decoded);
        }
    }
    char *huge = malloc(100000);
    char *out = malloc(100001);
    memset(huge, 'a', 100000);
    CHECK_INT(vrmi_uri_decode(huge, 100000, out), VRMI_URI_MALFORMED);
    free(huge);
    free(out);
}

static int decode(const char *uri, uint8_t *out, size_t *size)
{
    vrmi_data_uri parsed;
    return vrmi_data_uri_parse(uri, strlen(uri), &parsed) && vrmi_data_uri_max_size(&parsed) <= 64 &&
           vrmi_data_uri_decode(&parsed, out, size, NULL, NULL);
}

static void data_uris(void)
{
    // The test vectors of RFC 4648, section 10.
    static const char *const vectors[][2] = {{"", ""}, {"Zg==", "f"}, {"Zm8=", "fo"}, {"Zm9v", "foo"},
        {"Zm9vYg==", "foob"}, {"Zm9vYmE=", "fooba"}, {"Zm9vYmFy", "foobar"}, {"Zg", "f"}, {"Zm8", "fo"}};
    uint8_t out[64];
    size_t size;
    char uri[128];
    for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); ++i) {
        snprintf(uri, sizeof(uri), "DATA:application/gltf-buffer;charset=x;base64,%s", vectors[i][0]);
        CHECK(decode(uri, out, &size));
        CHECK(size == strlen(vectors[i][1]) && memcmp(out, vectors[i][1], size) == 0);
        char encoded[64] = {0};
        if (strchr(vectors[i][0], '=') != NULL || strlen(vectors[i][0]) % 4 == 0) {
            vrmi_base64_encode((const uint8_t *)vectors[i][1], strlen(vectors[i][1]), encoded);
            CHECK_STRING(encoded, vectors[i][0]);
            CHECK_INT(vrmi_base64_size(strlen(vectors[i][1])), strlen(vectors[i][0]));
        }
    }
    CHECK(decode("data:,a%20b", out, &size) && size == 3 && memcmp(out, "a b", 3) == 0);
    CHECK(!decode("data:,a%2", out, &size));
    CHECK(!decode("data:;base64,A", out, &size));
    CHECK(!decode("data:;base64,AAAA=A==", out, &size));
    CHECK(!decode("data:;base64,AA AA", out, &size));
    CHECK(!decode("data:;base64", out, &size));
    CHECK(!decode("dat:,x", out, &size));
    // Encodes and decodes random bytes.
    test_random random = test_random_make(3);
    for (int round = 0; round < 300; ++round) {
        uint8_t bytes[40];
        const size_t length = test_random_below(&random, 40);
        for (size_t i = 0; i < length; ++i) {
            bytes[i] = (uint8_t)test_random_bits(&random);
        }
        memcpy(uri, "data:;base64,", 13);
        vrmi_base64_encode(bytes, length, uri + 13);
        uri[13 + vrmi_base64_size(length)] = '\0';
        CHECK(decode(uri, out, &size) && size == length && memcmp(out, bytes, length) == 0);
    }
}

typedef struct image_case {
    const char *mime_type;
    uint32_t width, height;
    size_t size;
    uint8_t bytes[48];
} image_case;

// Headers as the formats' specifications define them.
static const image_case images[] = {
    {"image/png", 0x0102, 3, 24,
        {0x89, 'P', 'N', 'G', 13, 10, 26, 10, 0, 0, 0, 13, 'I', 'H', 'D', 'R', 0, 0, 1, 2, 0, 0, 0, 3}},
    // SOI, an APP0 of 4 bytes, a fill byte, and SOF2 (progressive): length 11, 8 bits, height 5, width 258.
    {"image/jpeg", 258, 5, 22,
        {0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xFF, 0xC2, 0, 11, 8, 0, 5, 1, 2, 1, 1, 0x11, 0}},
    // Lossy: RIFF, WEBP, "VP8 ", size, frame tag, start code, sizes of 14 bits below two scale bits.
    {"image/webp", 300, 20, 30,
        {'R', 'I', 'F', 'F', 22, 0, 0, 0, 'W', 'E', 'B', 'P', 'V', 'P', '8', ' ', 10, 0, 0, 0, 0x10, 0, 0, 0x9D, 1,
            0x2A, 0x2C, 0x41, 20, 0x40}},
    // Lossless: width - 1 and height - 1 in 14 bits each.
    {"image/webp", 2, 5, 25,
        {'R', 'I', 'F', 'F', 17, 0, 0, 0, 'W', 'E', 'B', 'P', 'V', 'P', '8', 'L', 5, 0, 0, 0, 0x2F, 1, 0, 1, 0}},
    // Extended: width - 1 and height - 1 in 24 bits each.
    {"image/webp", 65537, 3, 30,
        {'R', 'I', 'F', 'F', 22, 0, 0, 0, 'W', 'E', 'B', 'P', 'V', 'P', '8', 'X', 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2,
            0, 0}},
    {"image/ktx2", 512, 256, 28,
        {0xAB, 'K', 'T', 'X', ' ', '2', '0', 0xBB, 13, 10, 26, 10, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0}},
    {"image/gif", 258, 3, 10, {'G', 'I', 'F', '8', '9', 'a', 2, 1, 3, 0}},
    {"image/bmp", 4, 3, 26,
        {'B', 'M', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 40, 0, 0, 0, 4, 0, 0, 0, 0xFD, 0xFF, 0xFF, 0xFF}},
    {"image/vnd-ms.dds", 8, 16, 20, {'D', 'D', 'S', ' ', 124, 0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 8, 0, 0, 0}},
};

static void image_headers(void)
{
    for (size_t i = 0; i < sizeof(images) / sizeof(images[0]); ++i) {
        vrmi_image_header header;
        for (size_t size = 0; size <= images[i].size; ++size) {
            uint8_t *exact = malloc(size != 0 ? size : 1);
            memcpy(exact, images[i].bytes, size);
            vrmi_image_header_read(exact, size, &header);
            free(exact);
            CHECK(header.mime_type != NULL);
            // If the header is truncated, the size is either right or unknown.
            CHECK(header.width == 0 || header.width == images[i].width);
        }
        CHECK_STRING(header.mime_type, images[i].mime_type);
        CHECK_INT(header.width, images[i].width);
        CHECK_INT(header.height, images[i].height);
    }
}

static void image_headers_of_anything(void)
{
    test_random random = test_random_make(5);
    for (int round = 0; round < 20000; ++round) {
        const image_case *start = &images[test_random_below(&random, sizeof(images) / sizeof(images[0]))];
        const size_t size = test_random_below(&random, 49);
        uint8_t *bytes = malloc(size != 0 ? size : 1);
        for (size_t i = 0; i < size; ++i) {
            bytes[i] =
                i < 12 || test_random_below(&random, 3) != 0 ? start->bytes[i] : (uint8_t)test_random_bits(&random);
        }
        vrmi_image_header header;
        vrmi_image_header_read(bytes, size, &header);
        CHECK((header.width == 0) == (header.height == 0));
        free(bytes);
    }
}

static const test_case cases[] = {
    {"uri_kinds", uri_kinds},
    {"data_uris", data_uris},
    {"image_headers", image_headers},
    {"image_headers_of_anything", image_headers_of_anything},
};

RUN_TESTS(cases)
