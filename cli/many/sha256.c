// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "sha256.h"

#include <string.h>

static const uint32_t constants[64] = {0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
    0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7,
    0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
    0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c,
    0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate(uint32_t value, int bits)
{
    return value >> bits | value << (32 - bits);
}

static void add_block(uint32_t state[8], const unsigned char *block)
{
    uint32_t words[64], s[8];
    for (int i = 0; i < 16; ++i) {
        const unsigned char *b = block + 4 * (size_t)i;
        words[i] = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
    }
    for (int i = 16; i < 64; ++i) {
        const uint32_t low = rotate(words[i - 15], 7) ^ rotate(words[i - 15], 18) ^ words[i - 15] >> 3;
        const uint32_t high = rotate(words[i - 2], 17) ^ rotate(words[i - 2], 19) ^ words[i - 2] >> 10;
        words[i] = words[i - 16] + low + words[i - 7] + high;
    }
    memcpy(s, state, sizeof s);
    for (int i = 0; i < 64; ++i) {
        const uint32_t high = rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25);
        const uint32_t low = rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22);
        const uint32_t first = s[7] + high + ((s[4] & s[5]) ^ (~s[4] & s[6])) + constants[i] + words[i];
        const uint32_t second = low + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof s[0]);
        s[4] += first;
        s[0] = first + second;
    }
    for (int i = 0; i < 8; ++i) {
        state[i] += s[i];
    }
}

cli_digest cli_sha256(const void *bytes, size_t size)
{
    uint32_t state[8] = {
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    const unsigned char *data = bytes;
    const size_t whole = size / 64 * 64, rest = size - whole;
    for (size_t at = 0; at < whole; at += 64) {
        add_block(state, data + at);
    }
    unsigned char last[128] = {0};
    if (rest > 0) {
        memcpy(last, data + whole, rest);
    }
    last[rest] = 0x80;
    const size_t end = rest < 56 ? 64 : 128;
    for (int i = 0; i < 8; ++i) {
        last[end - 1 - (size_t)i] = (unsigned char)((uint64_t)size * 8 >> (8 * i));
    }
    for (size_t at = 0; at < end; at += 64) {
        add_block(state, last + at);
    }
    cli_digest digest;
    for (size_t i = 0; i < 64; ++i) {
        digest.text[i] = "0123456789abcdef"[state[i / 8] >> (28 - 4 * (i % 8)) & 15];
    }
    digest.text[64] = '\0';
    return digest;
}

cli_key cli_key_of(const cli_digest *digest)
{
    cli_key key = {0, 0};
    for (size_t i = 0; i < 32; ++i) {
        const char c = digest->text[i];
        uint64_t *half = i < 16 ? &key.high : &key.low;
        *half = *half << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    return key;
}

cli_key cli_key_of_text(const char *text)
{
    const cli_digest digest = cli_sha256(text, strlen(text));
    return cli_key_of(&digest);
}

int cli_key_compare(const cli_key *a, const cli_key *b)
{
    return a->high != b->high ? (a->high < b->high ? -1 : 1) : (a->low > b->low) - (a->low < b->low);
}
