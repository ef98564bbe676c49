// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef TESTS_DOCUMENT_FIXTURE_H
#define TESTS_DOCUMENT_FIXTURE_H

// A generated file as bytes, as a document and as an avatar, for tests of functions that take both.

#include <stdlib.h>

#include <vrm/avatar.h>

#include "gltf_builder.h"
#include "test.h"
#include "test_allocator.h"

typedef struct document {
    uint8_t *bytes;
    size_t size;
    vrm_gltf *gltf;
    vrm_avatar *avatar;
} document;

// Loads the document. The caller has set `bytes` and `size`.
static inline void document_open(document *d)
{
    CHECK_INT(vrm_gltf_load(NULL, d->bytes, d->size, NULL, &d->gltf), VRM_SUCCESS);
    CHECK_INT(vrm_avatar_import(NULL, d->gltf, NULL, &d->avatar), VRM_SUCCESS);
}

// Builds the document; the builder is empty afterwards.
static inline void document_make(gltf_builder *b, document *out)
{
    memset(out, 0, sizeof *out);
    out->bytes = gltf_builder_glb(b, &out->size);
    gltf_builder_free(b);
    document_open(out);
}

static inline void document_close(document *d)
{
    vrm_avatar_release(d->avatar);
    vrm_gltf_destroy(d->gltf);
    free(d->bytes);
}

// A progress callback that cancels in its first call.
static inline bool document_cancel(float fraction, const char *phase, void *user)
{
    (void)fraction;
    (void)phase;
    (void)user;
    return false;
}

// Runs `work` again and again, each time with the next allocation failing, until it succeeds. Nothing may leak.
static inline void document_without_memory(
    const document *d, vrm_result (*work)(const document *d, vrm_gltf *gltf, const vrm_allocator *allocator))
{
    vrm_result result = VRM_ERROR_OUT_OF_MEMORY;
    uint64_t fail_at = 0;
    for (; result == VRM_ERROR_OUT_OF_MEMORY && fail_at < 5000; ++fail_at) {
        test_allocator memory;
        vrm_gltf *gltf = NULL;
        vrm_gltf_def def;
        vrm_gltf_def_default(&def);
        def.allocator = test_allocator_make(&memory);
        CHECK_INT(vrm_gltf_load(&def, d->bytes, d->size, NULL, &gltf), VRM_SUCCESS);
        memory.fail_at = memory.calls + fail_at;
        result = work(d, gltf, &def.allocator);
        vrm_gltf_destroy(gltf);
        CHECK_INT(memory.live_blocks, 0);
        CHECK_INT(memory.wrong, 0);
    }
    CHECK_INT(result, VRM_SUCCESS);
    CHECK(fail_at > 20);
}

#endif
