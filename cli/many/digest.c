// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "digest.h"

#include <string.h>

#include "base/sha256.h"

cli_digest cli_digest_of(const void *bytes, size_t size)
{
    cli_digest digest;
    vrmi_sha256_hex(bytes, size, digest.text);
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
    const cli_digest digest = cli_digest_of(text, strlen(text));
    return cli_key_of(&digest);
}

int cli_key_compare(const cli_key *a, const cli_key *b)
{
    return a->high != b->high ? (a->high < b->high ? -1 : 1) : (a->low > b->low) - (a->low < b->low);
}
