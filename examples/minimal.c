// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
// The shortest way from a file to the data that a renderer needs: the meshes once, then a palette for each frame.
//
//     cc minimal.c $(pkg-config --cflags --libs vrm) -o minimal
//     ./minimal avatar.vrm
//
// Prints the meshes to draw, and the position of the head after one second.
#include <stdio.h>
#include <vrm/vrm.h>

static void print_meshes(const vrm_gltf *gltf)
{
    for (uint32_t m = 0; m < vrm_gltf_get_count(gltf, VRM_GLTF_MESHES); ++m) {
        vrm_gltf_mesh mesh = {.struct_size = sizeof mesh};
        vrm_gltf_get_mesh(gltf, m, &mesh);
        for (uint32_t p = 0; p < mesh.primitive_count; ++p) {
            vrm_gltf_primitive primitive = {.struct_size = sizeof primitive};
            vrm_gltf_target target = {.struct_size = sizeof target};
            vrm_gltf_get_primitive(gltf, m, p, &primitive);
            printf("mesh %.*s: %u vertices, %u indices, material %d, %u morph targets", (int)mesh.name.length,
                mesh.name.data, primitive.vertex_count, primitive.index_count, (int)primitive.material,
                primitive.target_count);
            if (vrm_gltf_get_target(gltf, m, p, 0, &target) == VRM_SUCCESS) {
                printf(", the first is \"%.*s\"", (int)target.name.length, target.name.data);
            }
            printf("\n");
        }
    }
}

int main(int argc, char **argv)
{
    vrm_gltf *gltf = NULL;
    vrm_avatar *avatar = NULL;
    vrm_instance *instance = NULL;
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    if (argc < 2 || vrm_gltf_load_file(NULL, argv[1], NULL, &gltf) != VRM_SUCCESS ||
        vrm_avatar_import(NULL, gltf, NULL, &avatar) != VRM_SUCCESS) {
        fprintf(stderr, "usage: minimal avatar.vrm\n");
        return 1;
    }
    print_meshes(gltf);
    vrm_gltf_destroy(gltf); // the avatar no longer needs the document
    def.avatar = avatar;
    if (vrm_instance_create(&def, &instance) != VRM_SUCCESS) {
        return 1;
    }
    for (int frame = 0; frame < 60; ++frame) {
        vrm_update_dt(instance, 1.0f / 60.0f);
    }
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(instance, &out);
    printf("palette: %u matrices of 48 bytes\n", out.palette_joint_count);
    const int32_t head = vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_HEAD);
    if (head >= 0) {
        const vrm_world *m = &out.world[head];
        printf("head: %.3f %.3f %.3f\n", (double)m->m[0][3], (double)m->m[1][3], (double)m->m[2][3]);
    }
    vrm_instance_destroy(instance);
    vrm_avatar_release(avatar);
    return 0;
}
