// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Creates an avatar, runs it for a second, and checks the position of its head. Also compiled as C++17.
#include <stdio.h>
#include <vrm/vrm.h>

int main(void)
{
    vrm_sample_params sample;
    vrm_bytes bytes;
    vrm_avatar *avatar;
    vrm_instance *instance;
    vrm_instance_def def;
    vrm_outputs outputs = {.struct_size = sizeof outputs};
    vrm_sample_params_default(&sample);
    if (vrm_sample_create(&sample, &bytes) != VRM_SUCCESS ||
        vrm_avatar_load(NULL, bytes.data, bytes.size, NULL, &avatar) != VRM_SUCCESS) {
        return 1;
    }
    vrm_instance_def_default(&def);
    def.avatar = avatar;
    if (vrm_instance_create(&def, &instance) != VRM_SUCCESS) {
        return 1;
    }
    for (int frame = 0; frame < 60; ++frame) {
        vrm_update_dt(instance, 1.0f / 60.0f);
    }
    vrm_instance_get_outputs(instance, &outputs);
    const float head = outputs.world[vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_HEAD)].m[1][3];
    printf("libvrm %u, head at %d cm\n", (unsigned)vrm_version(), (int)(head * 100));
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
    vrm_bytes_free(&bytes);
    return head > 0.5f && head < 3.0f ? 0 : 1;
}
