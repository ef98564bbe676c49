// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "internal.h"

#include <stdlib.h>

bool vrmr_reserve(void **array, uint32_t *capacity, uint32_t count, size_t size)
{
    if (count <= *capacity) {
        return true;
    }
    const uint32_t wanted = count + count / 2 + 64;
    void *grown = realloc(*array, wanted * size);
    if (grown == NULL) {
        return false;
    }
    *array = grown;
    *capacity = wanted;
    return true;
}
