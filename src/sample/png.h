// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_SAMPLE_PNG_H
#define VRMI_SAMPLE_PNG_H

#include "base/text.h"
#include "sample/figure.h"

// Appends the picture as PNG: RGB if every pixel is opaque, otherwise RGBA. Sets out->failed on failure.
void vrmi_sample_write_png(const vrmi_sample_image *image, vrmi_text *out);

#endif
