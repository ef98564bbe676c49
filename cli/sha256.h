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

#endif
