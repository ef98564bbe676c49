// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_FORMAT_URI_H
#define VRMI_FORMAT_URI_H

// URIs of files beside a document, and data URIs. Nothing here accesses the file system.

#include <vrm/base.h>

typedef enum vrmi_uri_kind {
    VRMI_URI_FILE,         // relative, stays in the folder
    VRMI_URI_MALFORMED,    // empty, too long, control characters, backslash, not UTF-8
    VRMI_URI_NOT_RELATIVE, // a scheme, a drive or a root
    VRMI_URI_LEAVES_FOLDER // ".."
} vrmi_uri_kind;

// Decodes percent escapes and checks the result. `out` holds at least length + 1 bytes and is only meaningful for
// VRMI_URI_FILE. A '%' without a valid escape is kept: exporters often forget to encode it.
vrmi_uri_kind vrmi_uri_decode(const char *uri, size_t length, char *out);

typedef struct vrmi_data_uri {
    vrm_string media_type; // up to the first ';' or ','
    const char *data;
    size_t length;
    bool base64;
} vrmi_data_uri;

// True when the text begins with "data:" and has a comma.
bool vrmi_data_uri_parse(const char *uri, size_t length, vrmi_data_uri *out);
// Upper bound for the size of the decoded data.
size_t vrmi_data_uri_max_size(const vrmi_data_uri *uri);
// Decodes; false if it is not base64 (RFC 4648, padding optional) or a percent escape is broken. `progress` may be
// NULL; it is called after every megabyte of text, and decoding ends with false if it returns false.
bool vrmi_data_uri_decode(
    const vrmi_data_uri *uri, uint8_t *out, size_t *out_size, bool (*progress)(uint64_t work, void *user), void *user);

// 4 characters for every 3 bytes, padded.
size_t vrmi_base64_size(size_t bytes);
void vrmi_base64_encode(const uint8_t *bytes, size_t size, char *out);

#endif
