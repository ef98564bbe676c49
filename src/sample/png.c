// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "sample/png.h"

#include <string.h>

// A small PNG writer: filters Sub or Up for each row, LZ77 with one position per hash, fixed Huffman codes (RFC 1951).
// Its files are about a quarter larger than zlib's, but the same picture gives the same bytes with every C library.

typedef struct bit_writer {
    vrmi_text *out;
    uint32_t bits;
    int count;
    size_t size;
    char bytes[512]; // not yet in `out`
} bit_writer;

static void flush(bit_writer *w)
{
    vrmi_text_add(w->out, w->bytes, w->size);
    w->size = 0;
}

static void put_bits(bit_writer *w, uint32_t value, int count)
{
    w->bits |= value << w->count;
    w->count += count;
    while (w->count >= 8) {
        if (w->size == sizeof(w->bytes)) {
            flush(w);
        }
        w->bytes[w->size++] = (char)(w->bits & 255u);
        w->bits >>= 8;
        w->count -= 8;
    }
}

// Writes a Huffman code, starting with its highest bit.
static void put_code(bit_writer *w, uint32_t code, int count)
{
    uint32_t reversed = 0;
    for (int i = 0; i < count; ++i) {
        reversed |= (code >> i & 1u) << (count - 1 - i);
    }
    put_bits(w, reversed, count);
}

static void put_symbol(bit_writer *w, uint32_t symbol)
{
    if (symbol < 144) {
        put_code(w, 0x30 + symbol, 8);
    } else if (symbol < 256) {
        put_code(w, 0x190 + symbol - 144, 9);
    } else if (symbol < 280) {
        put_code(w, symbol - 256, 7);
    } else {
        put_code(w, 0xc0 + symbol - 280, 8);
    }
}

static void put_match(bit_writer *w, uint32_t length, uint32_t distance)
{
    static const uint16_t length_base[29] = {3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59,
        67, 83, 99, 115, 131, 163, 195, 227, 258};
    static const uint8_t length_bits[29] = {
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
    static const uint16_t distance_base[30] = {1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513,
        769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
    static const uint8_t distance_bits[30] = {
        0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13};
    uint32_t l = 28;
    while (length_base[l] > length) {
        --l;
    }
    put_symbol(w, 257 + l);
    put_bits(w, length - length_base[l], length_bits[l]);
    uint32_t d = 29;
    while (distance_base[d] > distance) {
        --d;
    }
    put_code(w, d, 5);
    put_bits(w, distance - distance_base[d], distance_bits[d]);
}

#define HASH_SIZE 4096u

static uint32_t hash_at(const uint8_t *p)
{
    return ((uint32_t)p[0] << 16 ^ (uint32_t)p[1] << 8 ^ p[2]) * 2654435761u >> 20;
}

static void deflate(const uint8_t *data, uint32_t size, vrmi_text *out)
{
    uint32_t places[HASH_SIZE]; // position + 1 of the last three bytes with this hash; 0: none
    memset(places, 0, sizeof(places));
    bit_writer w = {.out = out};
    put_bits(&w, 3, 3); // marks the last block, with fixed codes
    uint32_t i = 0;
    while (i < size) {
        uint32_t length = 0, distance = 0;
        if (i + 3 <= size) {
            uint32_t *slot = &places[hash_at(data + i)];
            if (*slot != 0 && i + 1 - *slot <= 32768) {
                const uint32_t from = *slot - 1;
                while (length < 258 && i + length < size && data[from + length] == data[i + length]) {
                    ++length;
                }
                distance = i - from;
            }
            *slot = i + 1;
        }
        if (length >= 3) {
            put_match(&w, length, distance);
            i += length;
        } else {
            put_symbol(&w, data[i++]);
        }
    }
    put_symbol(&w, 256);
    put_bits(&w, 0, 7); // fills up the last byte
    flush(&w);
}

static uint32_t crc32(const uint8_t *data, size_t size)
{
    static const uint32_t of_four_bits[16] = {0x00000000u, 0x1db71064u, 0x3b6e20c8u, 0x26d930acu, 0x76dc4190u,
        0x6b6b51f4u, 0x4db26158u, 0x5005713cu, 0xedb88320u, 0xf00f9344u, 0xd6d6a3e8u, 0xcb61b38cu, 0x9b64c2b0u,
        0x86d3d2d4u, 0xa00ae278u, 0xbdbdf21cu};
    uint32_t crc = 0xffffffffu;
    for (size_t i = 0; i < size; ++i) {
        crc ^= data[i];
        crc = crc >> 4 ^ of_four_bits[crc & 15u];
        crc = crc >> 4 ^ of_four_bits[crc & 15u];
    }
    return ~crc;
}

static uint32_t adler32(const uint8_t *data, size_t size)
{
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < size;) {
        // The sums of so many bytes stay below 2^32.
        for (const size_t end = size - i < 5552 ? size : i + 5552; i < end; ++i) {
            a += data[i];
            b += a;
        }
        a %= 65521u;
        b %= 65521u;
    }
    return b << 16 | a;
}

static void put_big_endian(vrmi_text *out, uint32_t value)
{
    const char bytes[4] = {
        (char)(value >> 24), (char)(value >> 16 & 255u), (char)(value >> 8 & 255u), (char)(value & 255u)};
    vrmi_text_add(out, bytes, 4);
}

static void put_chunk(vrmi_text *out, const char *type, const char *data, size_t size)
{
    put_big_endian(out, (uint32_t)size);
    const size_t start = out->size;
    vrmi_text_add(out, type, 4);
    vrmi_text_add(out, data, size);
    if (!out->failed) {
        put_big_endian(out, crc32((const uint8_t *)out->data + start, size + 4));
    }
}

// Filters the bytes of a row by subtracting those of `other`, which begins with the left neighbours (Sub) or the row
// above (Up). Returns the sum of the filtered bytes' absolute values as signed numbers, the usual heuristic for
// choosing a filter.
static uint32_t filter_row(const uint8_t *row, const uint8_t *other, uint32_t width, uint32_t channels, uint8_t *out)
{
    uint32_t sum = 0;
    for (uint32_t x = 0; x < width; ++x, row += 4, other += 4) {
        for (uint32_t c = 0; c < channels; ++c) {
            const uint8_t value = (uint8_t)(row[c] - other[c]);
            *out++ = value;
            sum += value < 128 ? value : 256u - value;
        }
    }
    return sum;
}

static bool is_opaque(const vrmi_sample_image *image)
{
    for (uint32_t i = 0; i < image->width * image->height; ++i) {
        if (image->rgba[i * 4 + 3] != 255) {
            return false;
        }
    }
    return true;
}

void vrmi_sample_write_png(const vrmi_sample_image *image, vrmi_text *out)
{
    const uint32_t width = image->width, height = image->height, channels = is_opaque(image) ? 3 : 4;
    VRM_VALIDATE(width <= 512);
    vrmi_text raw, packed;
    vrmi_text_init(&raw, &out->allocator);
    vrmi_text_init(&packed, &out->allocator);
    static const uint8_t nothing[512 * 4];
    for (uint32_t y = 0; y < height; ++y) {
        uint8_t rows[2][512 * 4], left[4 + 512 * 4] = {0};
        const uint8_t *row = image->rgba + (size_t)y * width * 4;
        memcpy(left + 4, row, (size_t)width * 4);
        const uint32_t sub = filter_row(row, left, width, channels, rows[0]);
        const uint32_t up = filter_row(row, y > 0 ? row - (size_t)width * 4 : nothing, width, channels, rows[1]);
        const char type = sub <= up ? 1 : 2;
        vrmi_text_add(&raw, &type, 1);
        vrmi_text_add(&raw, (const char *)rows[type - 1], (size_t)width * channels);
    }
    vrmi_text_add(&packed, "\x78\x01", 2);
    if (!raw.failed) {
        deflate((const uint8_t *)raw.data, (uint32_t)raw.size, &packed);
        put_big_endian(&packed, adler32((const uint8_t *)raw.data, raw.size));
    }
    uint8_t header[13] = {0, 0, (uint8_t)(width >> 8), (uint8_t)(width & 255u), 0, 0, (uint8_t)(height >> 8),
        (uint8_t)(height & 255u), 8, channels == 3 ? 2 : 6, 0, 0, 0};
    vrmi_text_add(out, "\x89PNG\r\n\x1a\n", 8);
    put_chunk(out, "IHDR", (const char *)header, sizeof(header));
    put_chunk(out, "sRGB", "", 1);
    if (!packed.failed) {
        put_chunk(out, "IDAT", packed.data, packed.size);
    }
    put_chunk(out, "IEND", "", 0);
    out->failed = out->failed || raw.failed || packed.failed;
    vrmi_text_free(&raw);
    vrmi_text_free(&packed);
}
