// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef CLI_SHA256_H
#define CLI_SHA256_H

// SHA-256 (FIPS 180-4), as sha256sum prints it: what tells files apart in manifests.

#include <stddef.h>
#include <stdint.h>

typedef struct cli_digest {
    char text[65]; // 64 hexadecimal digits
} cli_digest;

cli_digest cli_sha256(const void *bytes, size_t size);

// The first half of a digest, for tables of many: by chance no two texts have the same one.
typedef struct cli_key {
    uint64_t high, low;
} cli_key;
cli_key cli_key_of(const cli_digest *digest);
cli_key cli_key_of_text(const char *text);
int cli_key_compare(const cli_key *a, const cli_key *b);

#endif
