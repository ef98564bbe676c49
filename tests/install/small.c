// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// This program is linked with libvrm-runtime of a build. It runs a cooked avatar (the argument) for two seconds and
// prints a checksum of all outputs. A further argument says that the build has no ragdolls.
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

static uint64_t sum_of(uint64_t sum, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; ++i) {
        sum = (sum ^ ((const unsigned char *)bytes)[i]) * UINT64_C(1099511628211);
    }
    return sum;
}

// Swings the head; returns a hash of the springs and of the state as a snapshot.
static uint64_t play(vrm_instance *instance, const vrm_avatar *avatar)
{
    uint64_t sum = UINT64_C(14695981039346656037);
    const uint32_t head = (uint32_t)vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_HEAD);
    for (int frame = 0; frame < 120; ++frame) {
        const float way = (float)(frame % 40) / 40.0f - 0.5f;
        const vrm_quat turn = {0.0f, way, 0.0f, 1.0f};
        const vrm_dvec3 target = {way * 4.0, 1.5, 2.0};
        vrm_instance_set_rotation(instance, head, &turn);
        vrm_instance_set_look_at_target(instance, &target);
        vrm_update_dt(instance, 1.0f / 60.0f);
        vrm_outputs out = {.struct_size = sizeof out};
        vrm_instance_get_outputs(instance, &out);
        sum = sum_of(sum, out.world, out.node_count * sizeof *out.world);
        sum = sum_of(sum, out.palette, out.palette_joint_count * sizeof *out.palette);
        sum = sum_of(sum, out.morphs, out.morph_count * sizeof *out.morphs);
    }
    static unsigned char snapshot[1 << 20];
    size_t size = sizeof snapshot;
    if (vrm_instance_snapshot(instance, snapshot, &size) != VRM_SUCCESS ||
        vrm_instance_restore(instance, snapshot, size) != VRM_SUCCESS) {
        return 0;
    }
    return sum_of(sum, snapshot, size);
}

int main(int argc, char **argv)
{
    const vrm_allocator allocator = {.allocate = take, .release = give};
    static unsigned char bytes[1 << 22];
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
    const size_t size = file != NULL ? fread(bytes, 1, sizeof bytes, file) : 0;
    vrm_avatar *avatar;
    if (file == NULL || vrm_avatar_open(bytes, size, &allocator, &avatar) != VRM_SUCCESS) {
        return 1;
    }
    fclose(file);
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = avatar;
    def.ragdoll_bodies = 1;
    if ((vrm_instance_get_size(&def) == 0) != (argc > 2)) {
        printf("ragdoll bodies are %s\n", argc > 2 ? "not refused" : "refused");
        return 1;
    }
    def.ragdoll_bodies = 0;
    def.look_chain_bones = 1;
    if ((vrm_instance_get_size(&def) == 0) != (argc > 2)) {
        printf("look chains are %s\n", argc > 2 ? "not refused" : "refused");
        return 1;
    }
    def.look_chain_bones = 0;
    vrm_instance *instance;
    if (vrm_instance_create(&def, &instance) != VRM_SUCCESS) {
        return 1;
    }
    const uint64_t sum = play(instance, avatar);
    printf("%016llx\n", (unsigned long long)sum);
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
    return sum != 0 ? 0 : 1;
}
