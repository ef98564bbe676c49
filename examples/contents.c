// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
// Lists the data of an avatar that an editor would show: findings, humanoid, hair with its colliders, gaze curves,
// morphs, expressions. The file is mapped into memory, not read.
//
//     cc contents.c $(pkg-config --cflags --libs vrm) -o contents
//     ./contents avatar.vrm
#include <stdio.h>
#include <string.h>
#include <vrm/vrm.h>

static void print_text(vrm_string text)
{
    printf("%.*s", (int)text.length, text.data);
}

// Called for incorrect calls, if the library was built with assertions.
static void complain(const char *expression, const char *file, int line)
{
    fprintf(stderr, "%s:%d: %s\n", file, line, expression);
}

static void print_node(const vrm_avatar *avatar, uint32_t node)
{
    vrm_node info = {.struct_size = sizeof info};
    if (vrm_avatar_get_node(avatar, node, &info) == VRM_SUCCESS) {
        print_text(info.name);
    }
}

static void print_hair(const vrm_avatar *avatar, uint32_t chain_count)
{
    const uint32_t *colliders = vrm_avatar_get_chain_colliders(avatar);
    for (uint32_t i = 0; i < chain_count; ++i) {
        vrm_spring_chain chain = {.struct_size = sizeof chain};
        vrm_avatar_get_spring_chain(avatar, i, &chain);
        printf("chain %u: %u joints, collides with", i, chain.joint_count);
        for (uint32_t k = 0; k < chain.collider_count; ++k) {
            vrm_collider collider = {.struct_size = sizeof collider};
            vrm_avatar_get_collider(avatar, colliders[chain.first_collider + k], &collider);
            printf(" ");
            print_node(avatar, collider.node);
        }
        printf("%s\n", chain.collider_count == 0 ? " nothing" : "");
    }
}

static void print_gaze(const vrm_avatar *avatar)
{
    static const char *const names[VRM_LOOK_DIRECTION_COUNT] = {"inwards", "outwards", "down", "up"};
    for (int i = 0; i < VRM_LOOK_DIRECTION_COUNT; ++i) {
        uint32_t count;
        const vrm_curve_key *keys = vrm_avatar_get_look_curve(avatar, (vrm_look_direction)i, &count);
        printf("gaze %s: %s\n", names[i], keys != NULL && count != 0 ? "a curve" : "linear");
    }
}

static void print_morphs(const vrm_avatar *avatar, uint32_t mesh_count)
{
    for (uint32_t i = 0; i < mesh_count; ++i) {
        vrm_mesh_node mesh = {.struct_size = sizeof mesh};
        vrm_avatar_get_mesh_node(avatar, i, &mesh);
        print_node(avatar, mesh.node);
        printf(":");
        for (uint32_t k = 0; k < mesh.morph_count; ++k) {
            vrm_string name;
            vrm_avatar_get_morph_name(avatar, mesh.first_morph + k, &name);
            printf(" ");
            print_text(name);
        }
        printf("\n");
    }
}

int main(int argc, char **argv)
{
    vrm_set_assert_hook(complain);
    const uint32_t version = vrm_version();
    printf("libvrm %u.%u.%u\n", version / 1000000, version / 1000 % 1000, version % 1000);

    vrm_bytes file;
    vrm_report *report;
    vrm_avatar *avatar;
    if (argc < 2 || vrm_map_file(argv[1], UINT64_C(1) << 32, &file) != VRM_SUCCESS) {
        fprintf(stderr, "usage: contents avatar.vrm\n");
        return 1;
    }
    vrm_report_create(NULL, &report);
    const vrm_result result = vrm_avatar_load(NULL, file.data, file.size, report, &avatar);
    for (uint32_t i = 0; i < vrm_report_get_count(report); ++i) {
        const vrm_finding *finding = vrm_report_get_finding(report, i);
        printf("%s: found %s, expected %s\n", finding->path, finding->found, finding->expected);
    }
    vrm_bytes_free(&file);
    vrm_report_destroy(report);
    if (result != VRM_SUCCESS) {
        fprintf(stderr, "%s: %s\n", argv[1], vrm_result_name(result));
        return 1;
    }
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(avatar, &counts);
    printf("%s, %u nodes, head is node %d\n", vrm_avatar_get_dialect(avatar), counts.nodes,
        vrm_avatar_find_node(avatar, "head", strlen("head")));
    print_hair(avatar, counts.spring_chains);
    print_gaze(avatar);
    print_morphs(avatar, counts.meshes);
    for (uint32_t i = 0; i < counts.expressions; ++i) {
        vrm_expression expression = {.struct_size = sizeof expression};
        vrm_avatar_get_expression(avatar, i, &expression);
        printf("expression ");
        print_text(expression.name);
        printf(": %u morphs, %u colors, %u textures\n", expression.morph_bind_count, expression.color_bind_count,
            expression.texture_bind_count);
    }
    vrm_avatar_release(avatar);
    return 0;
}
