// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef CLI_DIGEST_H
#define CLI_DIGEST_H

// SHA-256 in the form of sha256sum. Manifests recognise files by this digest.

#include <stddef.h>
#include <stdint.h>

typedef struct cli_digest {
    char text[65]; // 64 hexadecimal digits
} cli_digest;

cli_digest cli_digest_of(const void *bytes, size_t size);

// The first half of a digest, for large tables. Two texts with the same half are so unlikely that they are not
// considered.
typedef struct cli_key {
    uint64_t high, low;
} cli_key;
cli_key cli_key_of(const cli_digest *digest);
cli_key cli_key_of_text(const char *text);
int cli_key_compare(const cli_key *a, const cli_key *b);

#endif
