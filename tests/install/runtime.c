// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// This program is linked with libvrm-runtime only. It opens a cooked avatar (the argument) and runs it for a second.
#include <stdio.h>
#include <stdlib.h>
#include <vrm/vrm.h>

static void *take(size_t size, size_t alignment, void *user)
{
    (void)user;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void give(void *memory, size_t size, void *user)
{
    (void)size;
    (void)user;
    free(memory);
}

static size_t read_file(const char *path, void **out)
{
    FILE *file = fopen(path, "rb");
    size_t size = 0;
    *out = malloc(1 << 24);
    if (file != NULL && *out != NULL) {
        size = fread(*out, 1, 1 << 24, file);
        fclose(file);
    }
    return size;
}

int main(int argc, char **argv)
{
    const vrm_allocator allocator = {.allocate = take, .release = give};
    void *bytes = NULL;
    const size_t size = argc > 1 ? read_file(argv[1], &bytes) : 0;
    vrm_avatar *avatar = NULL;
    vrm_instance *instance = NULL;
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    vrm_result result = vrm_avatar_open(bytes, size, &allocator, &avatar);
    if (result == VRM_SUCCESS) {
        def.avatar = avatar;
        result = vrm_instance_create(&def, &instance);
    }
    if (result != VRM_SUCCESS) {
        printf("%s: %s\n", vrm_result_name(result), vrm_result_sentence(result));
        return 1;
    }
    for (int frame = 0; frame < 60; ++frame) {
        vrm_update_dt(instance, 1.0f / 60.0f);
    }
    vrm_outputs outputs = {.struct_size = sizeof outputs};
    vrm_instance_get_outputs(instance, &outputs);
    printf("%zu cooked bytes, %u nodes, %.2f m tall\n", size, (unsigned)outputs.node_count, (double)outputs.height);
    const int good = outputs.node_count > 100 && outputs.height > 1.0f;
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
    free(bytes);
    return good ? 0 : 1;
}
