// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Changes numbers of cooked avatars and corrects the checksum. Each file is refused, or gives an avatar that runs 60
// frames.

#include <stdlib.h>

#include "damage.h"
#include "minimal_sample.h"
#include "test_allocator.h"

static int run_file(const char *name, const vrm_bytes *file, unsigned long long first, int count)
{
    vrm_avatar_def def;
    vrm_avatar_def_default(&def);
    def.allow_plain_gltf = true;
    vrm_avatar *avatar = NULL;
    if (vrm_avatar_load(&def, file->data, file->size, NULL, &avatar) != VRM_SUCCESS) {
        return 0;
    }
    size_t size;
    (void)vrm_avatar_save(avatar, NULL, &size);
    uint8_t *bytes = malloc(size), *forged = malloc(size);
    (void)vrm_avatar_save(avatar, bytes, &size);
    vrm_avatar_release(avatar);
    test_allocator memory;
    const vrm_allocator allocator = test_allocator_make(&memory);
    int opened = 0;
    for (int i = 0; i < count; ++i) {
        memcpy(forged, bytes, size);
        opened += damage_cooked(first + (unsigned long long)i, forged, size, &allocator) == VRM_SUCCESS;
        CHECK_INT(memory.live_blocks, 0);
    }
    printf("| %s | %zu | %d | %d | %d |\n", name, size, count, opened, count - opened);
    free(bytes);
    free(forged);
    return opened;
}

int main(int argc, char **argv)
{
    if (argc < 3 || atoi(argv[1]) < 1) {
        fprintf(stderr, "usage: cooked COUNT FIRST-SEED [FILE...]\n");
        return 2;
    }
    const int count = atoi(argv[1]);
    const unsigned long long first = strtoull(argv[2], NULL, 10);
    printf("| file | bytes cooked | forged | run 60 frames | refused |\n| --- | --- | --- | --- | --- |\n");
    vrm_bytes bytes = {0};
    if (scene_minimal_sample(0, &bytes) == VRM_SUCCESS) {
        run_file("the sample", &bytes, first, count);
    }
    vrm_bytes_free(&bytes);
    for (int i = 3; i < argc; ++i) {
        const char *slash = strrchr(argv[i], '/');
        if (vrm_read_file(argv[i], UINT32_MAX, NULL, &bytes) == VRM_SUCCESS) {
            run_file(slash != NULL ? slash + 1 : argv[i], &bytes, first, count);
        }
        vrm_bytes_free(&bytes);
    }
    printf("\n%d failed checks\n", test_failures);
    return test_failures != 0;
}
