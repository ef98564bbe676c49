// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Usage: vrm-assimp fbx|dae <MOTION >MOTION.glb. The `vrm` command starts this program with limits on memory and time,
// because assimp parses untrusted files. The program gets no paths: it reads stdin and writes stdout. Exit codes are
// those of `vrm`: 1 bad file, 2 wrong usage, 4 output failed, 6 out of memory, 75 try again.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <assimp/cimport.h>
#include <assimp/config.h>

#include "write.h"

enum { EXIT_ASSET = 1, EXIT_USAGE = 2, EXIT_OUTPUT = 4, EXIT_LIMIT = 6 };

static int fail(int code, const char *what)
{
    fprintf(stderr, "%s\n", what);
    return code;
}

// Reads all of stdin. Returns false if memory runs out, or if the input is empty or larger than 4 GiB.
static bool read_all(vrmi_text *out)
{
    char block[65536];
    vrmi_text_init(out, NULL);
    for (size_t got; (got = fread(block, 1, sizeof block, stdin)) > 0;) {
        vrmi_text_add(out, block, got);
    }
    return !out->failed && out->size > 0 && out->size < UINT32_MAX;
}

static const struct aiScene *import(const vrmi_text *bytes, const char *hint)
{
    struct aiPropertyStore *properties = aiCreatePropertyStore();
    // A motion does not need materials, textures, lights and cameras.
    aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_FBX_READ_MATERIALS, 0);
    aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_FBX_READ_TEXTURES, 0);
    aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_FBX_READ_LIGHTS, 0);
    aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_FBX_READ_CAMERAS, 0);
    // When assimp collapses pivots itself, it loses some of them, so motion.c multiplies the nodes of each chain
    // instead.
    aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, 1);
    const struct aiScene *scene =
        aiImportFileFromMemoryWithProperties(bytes->data, (unsigned)bytes->size, 0, hint, properties);
    aiReleasePropertyStore(properties);
    return scene;
}

static int write_scene(const struct aiScene *scene)
{
    skeleton s;
    vrmi_text out;
    if (scene->mRootNode == NULL) {
        return fail(EXIT_ASSET, "the file contains no animation");
    }
    if (!skeleton_of(scene, &s)) {
        return fail(EXIT_LIMIT, "not enough memory");
    }
    vrmi_text_init(&out, NULL);
    const bool any = write_motion(scene, &s, &out);
    skeleton_free(&s);
    int code = 0;
    if (out.failed) {
        code = fail(EXIT_LIMIT, "not enough memory");
    } else if (!any) {
        code = fail(EXIT_ASSET, "the file contains no animation");
    } else if (fwrite(out.data, 1, out.size, stdout) != out.size || fflush(stdout) != 0) {
        code = fail(EXIT_OUTPUT, "the motion cannot be written to stdout");
    }
    vrmi_text_free(&out);
    return code;
}

int main(int argc, char **argv)
{
    vrmi_text bytes;
    if (argc != 2) {
        return fail(EXIT_USAGE, "usage: vrm-assimp fbx|dae <MOTION >MOTION.glb");
    }
    if (!read_all(&bytes)) {
        vrmi_text_free(&bytes);
        return fail(EXIT_LIMIT, "the file is empty, larger than 4 GiB, or does not fit into memory");
    }
    const struct aiScene *scene = import(&bytes, argv[1]);
    vrmi_text_free(&bytes);
    if (scene == NULL) {
        const char *why = aiGetErrorString();
        return fail(strstr(why, "bad_alloc") != NULL ? EXIT_LIMIT : EXIT_ASSET,
            why[0] != '\0' ? why : "assimp cannot read the file");
    }
    const int code = write_scene(scene);
    aiReleaseImport(scene);
    return code;
}
