// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_FORMAT_URI_H
#define VRMI_FORMAT_URI_H

// URIs of files beside a document, and data URIs. These functions do not access the file system.

#include <vrm/base.h>

typedef enum vrmi_uri_kind {
    VRMI_URI_FILE,         // a relative path within the folder
    VRMI_URI_MALFORMED,    // empty, too long, not UTF-8, or has control characters or a backslash
    VRMI_URI_NOT_RELATIVE, // begins with a scheme, a drive or the root
    VRMI_URI_LEAVES_FOLDER // ".."
} vrmi_uri_kind;

// Decodes percent escapes and checks the result. `out` must have room for length + 1 bytes; its contents are valid only
// for VRMI_URI_FILE. A '%' without a valid escape is kept, because exporters often forget to encode it.
vrmi_uri_kind vrmi_uri_decode(const char *uri, size_t length, char *out);

typedef struct vrmi_data_uri {
    vrm_string media_type; // the text before the first ';' or ','
    const char *data;
    size_t length;
    bool base64;
} vrmi_data_uri;

// Parses a text that begins with "data:" and has a comma. Returns false for other texts.
bool vrmi_data_uri_parse(const char *uri, size_t length, vrmi_data_uri *out);
// Returns an upper bound of the size of the decoded data.
size_t vrmi_data_uri_max_size(const vrmi_data_uri *uri);
// Decodes the data. Returns false if the base64 is invalid (RFC 4648, padding optional) or a percent escape is broken.
// `progress` may be NULL; it is called after each megabyte of text and returns false to cancel.
bool vrmi_data_uri_decode(
    const vrmi_data_uri *uri, uint8_t *out, size_t *out_size, bool (*progress)(uint64_t work, void *user), void *user);

// Returns the size of the base64 text: 4 characters for every 3 bytes or fewer.
size_t vrmi_base64_size(size_t bytes);
void vrmi_base64_encode(const uint8_t *bytes, size_t size, char *out);

#endif
