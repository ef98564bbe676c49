// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_BASE_SHA256_H
#define VRMI_BASE_SHA256_H

#include <stddef.h>

// Writes the SHA-256 (FIPS 180-4) of the bytes as 64 lower-case hexadecimal digits and a terminating zero.
void vrmi_sha256_hex(const void *bytes, size_t size, char out[65]);

#endif
