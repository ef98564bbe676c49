// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "format/image_header.h"

#include <string.h>

static uint32_t big16(const uint8_t *p)
{
    return (uint32_t)p[0] << 8 | p[1];
}

static uint32_t big32(const uint8_t *p)
{
    return big16(p) << 16 | big16(p + 2);
}

static uint32_t little16(const uint8_t *p)
{
    return (uint32_t)p[1] << 8 | p[0];
}

static uint32_t little32(const uint8_t *p)
{
    return little16(p + 2) << 16 | little16(p);
}

static bool begins(const uint8_t *bytes, size_t size, const char *magic, size_t length)
{
    return size >= length && memcmp(bytes, magic, length) == 0;
}

static void set(vrmi_image_header *out, uint32_t width, uint32_t height)
{
    if (width != 0 && height != 0) {
        out->width = width;
        out->height = height;
    }
}

// Reads the size from the frame header. The segments before it (EXIF, profiles) are skipped by their length.
static void read_jpeg(const uint8_t *bytes, size_t size, vrmi_image_header *out)
{
    size_t at = 2;
    while (size - at >= 4) {
        if (bytes[at] != 0xFF) {
            return;
        }
        const uint8_t marker = bytes[at + 1];
        if (marker == 0xFF) { // fill byte
            ++at;
            continue;
        }
        if (marker == 0x01 || (marker >= 0xD0 && marker <= 0xD7)) { // these markers have no length
            at += 2;
            continue;
        }
        if (marker == 0xD9 || marker == 0xDA) { // end of image, or pixels without a frame header
            return;
        }
        const uint32_t length = big16(bytes + at + 2);
        if (length < 2 || length > size - at - 2) {
            return;
        }
        const bool frame = marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
        if (frame) {
            if (length >= 7) {
                set(out, big16(bytes + at + 7), big16(bytes + at + 5));
            }
            return;
        }
        at += 2 + (size_t)length;
    }
}

static void read_webp(const uint8_t *bytes, size_t size, vrmi_image_header *out)
{
    if (size >= 30 && memcmp(bytes + 12, "VP8 ", 4) == 0 && memcmp(bytes + 23, "\x9D\x01\x2A", 3) == 0) {
        set(out, little16(bytes + 26) & 0x3FFF, little16(bytes + 28) & 0x3FFF);
    } else if (size >= 25 && memcmp(bytes + 12, "VP8L", 4) == 0 && bytes[20] == 0x2F) {
        const uint32_t bits = little32(bytes + 21);
        set(out, (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1);
    } else if (size >= 30 && memcmp(bytes + 12, "VP8X", 4) == 0) {
        set(out, (little32(bytes + 24) & 0xFFFFFF) + 1, (little32(bytes + 26) >> 8) + 1);
    }
}

static void read_bmp(const uint8_t *bytes, size_t size, vrmi_image_header *out)
{
    if (size < 26) {
        return;
    }
    if (little32(bytes + 14) == 12) {
        set(out, little16(bytes + 18), little16(bytes + 20));
    } else {
        const uint32_t height = little32(bytes + 22); // negative: the top row is first
        set(out, little32(bytes + 18) & 0x7FFFFFFF, height > 0x7FFFFFFF ? 0u - height : height);
    }
}

void vrmi_image_header_read(const uint8_t *bytes, size_t size, vrmi_image_header *out)
{
    out->mime_type = "";
    out->width = 0;
    out->height = 0;
    if (begins(bytes, size, "\x89PNG\r\n\x1A\n", 8)) {
        out->mime_type = "image/png";
        if (size >= 24 && memcmp(bytes + 12, "IHDR", 4) == 0) {
            set(out, big32(bytes + 16), big32(bytes + 20));
        }
    } else if (begins(bytes, size, "\xFF\xD8\xFF", 3)) {
        out->mime_type = "image/jpeg";
        read_jpeg(bytes, size, out);
    } else if (begins(bytes, size, "RIFF", 4) && size >= 16 && memcmp(bytes + 8, "WEBP", 4) == 0) {
        out->mime_type = "image/webp";
        read_webp(bytes, size, out);
    } else if (begins(bytes, size, "\xABKTX 20\xBB\r\n\x1A\n", 12)) {
        out->mime_type = "image/ktx2";
        if (size >= 28) {
            set(out, little32(bytes + 20), little32(bytes + 24));
        }
    } else if (begins(bytes, size, "GIF87a", 6) || begins(bytes, size, "GIF89a", 6)) {
        out->mime_type = "image/gif";
        if (size >= 10) {
            set(out, little16(bytes + 6), little16(bytes + 8));
        }
    } else if (begins(bytes, size, "DDS ", 4)) {
        out->mime_type = "image/vnd-ms.dds";
        if (size >= 20) {
            set(out, little32(bytes + 16), little32(bytes + 12));
        }
    } else if (begins(bytes, size, "BM", 2)) {
        out->mime_type = "image/bmp";
        read_bmp(bytes, size, out);
    }
}

// The default primaries of PNG's cHRM chunk: white, red, green and blue of sRGB.
static const uint32_t srgb_primaries[8] = {31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000};

static bool has_srgb_primaries(const uint8_t *data)
{
    bool same = true;
    for (uint32_t i = 0; i < 8; ++i) {
        same = same && big32(data + 4 * (size_t)i) == srgb_primaries[i];
    }
    return same;
}

// Reads the chunks before the pixels. A colour profile takes precedence over the sRGB chunk, and the sRGB chunk over
// primaries and gamma. A gamma of 1 is linear light.
static const char *png_unsupported(const uint8_t *bytes, size_t size)
{
    enum { SRGB_GAMMA = 45455, LINEAR_GAMMA = 100000 };
    bool srgb = false, space = false, square = true;
    for (size_t at = 8; size - at >= 12;) {
        const uint32_t length = big32(bytes + at);
        const uint8_t *name = bytes + at + 4, *data = bytes + at + 8;
        if (length > size - at - 12 || memcmp(name, "IDAT", 4) == 0) {
            break;
        }
        if (memcmp(name, "iCCP", 4) == 0) {
            return "a colour profile";
        }
        srgb = srgb || memcmp(name, "sRGB", 4) == 0;
        space =
            space || (memcmp(name, "cHRM", 4) == 0 && length == 32 && !has_srgb_primaries(data)) ||
            (memcmp(name, "gAMA", 4) == 0 && length == 4 && big32(data) != SRGB_GAMMA && big32(data) != LINEAR_GAMMA);
        square = square && !(memcmp(name, "pHYs", 4) == 0 && length == 9 && big32(data) != big32(data + 4));
        at += 12 + (size_t)length;
    }
    return space && !srgb ? "a colour space other than sRGB" : square ? NULL : "pixels that are not square";
}

const char *vrmi_image_unsupported(const uint8_t *bytes, size_t size)
{
    enum { ANIMATION = 0x02, PROFILE = 0x20 }; // bits of VP8X
    if (begins(bytes, size, "\x89PNG\r\n\x1A\n", 8)) {
        return png_unsupported(bytes, size);
    }
    if (size >= 30 && begins(bytes, size, "RIFF", 4) && memcmp(bytes + 8, "WEBPVP8X", 8) == 0) {
        return (bytes[20] & PROFILE) != 0 ? "a colour profile" : (bytes[20] & ANIMATION) != 0 ? "animation" : NULL;
    }
    return NULL;
}
