// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef TESTS_AVATAR_FILE_H
#define TESTS_AVATAR_FILE_H

// A VRM 1.0 file that has everything once, written by hand as JSON text: all 55 bones, a skinned mesh with morph
// targets on two nodes, an unskinned one, every kind of bind, collider, limit and constraint, materials of each kind.
// Nodes are in an order that is not depth-first. The numbers are chosen so that no two fields hold the same.

#include <vrm/vrm.h>

#include "gltf_builder.h"
#include "report_fixture.h"
#include "shared_path.h"

enum {
    FILE_FACE = 0,                                 // mesh node
    FILE_ROOT = 1,                                 // above the hips
    FILE_BONES = 2,                                // + vrm_human_bone
    FILE_HAIR = FILE_BONES + VRM_HUMAN_BONE_COUNT, // 57: hair, hair2, (skipped), hair3, hair end
    FILE_BAND = FILE_HAIR + 5,                     // 62: hangs on hair3: band, band2, band end
    FILE_SKIRT = FILE_BAND + 3,                    // 65: skirt, skirt end; its collider is on hair2
    FILE_PROP = FILE_SKIRT + 2,                    // 67: unskinned mesh in the right hand
    FILE_TWIST = FILE_PROP + 1,                    // 68: roll, 69: rotation that follows 68, 70: aim at 69's child 71
    FILE_FACE2 = FILE_TWIST + 4,                   // 72: the same mesh with an equal skin
    FILE_LONELY = FILE_FACE2 + 1,                  // 73: a root without anything
    FILE_NODES
};

#define FILE_BONE(name) (FILE_BONES + VRM_HUMAN_BONE_##name)

typedef struct file_node {
    int parent; // glTF index
    float translation[3];
    float rotation[4];
    float scale[3];
} file_node;

static inline void file_nodes(file_node nodes[FILE_NODES])
{
    for (int i = 0; i < FILE_NODES; ++i) {
        nodes[i] = (file_node){-1, {0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    }
    static const int bone_parents[VRM_HUMAN_BONE_COUNT] = {
#define FILE_PARENT(name, json, parent, required, needs_parent) FILE_BONE(parent),
        VRM_HUMAN_BONES(FILE_PARENT)
#undef FILE_PARENT
    };
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        nodes[FILE_BONES + bone] = (file_node){bone == 0 ? FILE_ROOT : bone_parents[bone],
            {0.01f * (float)(bone % 3), bone == 0 ? 0.9f : 0.1f, 0.002f * (float)bone}, {0, 0, 0, 1}, {1, 1, 1}};
    }
    // The head is turned a quarter to the left, so that its own space differs from the model's.
    nodes[FILE_BONE(HEAD)].rotation[1] = nodes[FILE_BONE(HEAD)].rotation[3] = 0.70710678f;
    const int parents[][2] = {{FILE_HAIR, FILE_BONE(HEAD)}, {FILE_HAIR + 1, FILE_HAIR}, {FILE_HAIR + 2, FILE_HAIR + 1},
        {FILE_HAIR + 3, FILE_HAIR + 2}, {FILE_HAIR + 4, FILE_HAIR + 3}, {FILE_BAND, FILE_HAIR + 3},
        {FILE_BAND + 1, FILE_BAND}, {FILE_BAND + 2, FILE_BAND + 1}, {FILE_SKIRT, FILE_BONE(HIPS)},
        {FILE_SKIRT + 1, FILE_SKIRT}, {FILE_PROP, FILE_BONE(RIGHT_HAND)}, {FILE_TWIST, FILE_BONE(LEFT_UPPER_ARM)},
        {FILE_TWIST + 1, FILE_BONE(LEFT_UPPER_ARM)}, {FILE_TWIST + 2, FILE_BONE(HEAD)},
        {FILE_TWIST + 3, FILE_TWIST + 1}};
    for (size_t i = 0; i < sizeof parents / sizeof *parents; ++i) {
        file_node *node = &nodes[parents[i][0]];
        node->parent = parents[i][1];
        node->translation[0] = 0.02f;
        node->translation[1] = -0.05f - 0.001f * (float)parents[i][0];
    }
    // Between hair2 and hair3: turned half about Z and twice as large; both count for hair2's tail.
    nodes[FILE_HAIR + 2].rotation[2] = 1.0f;
    nodes[FILE_HAIR + 2].rotation[3] = 0.0f;
    for (int i = 0; i < 3; ++i) {
        nodes[FILE_HAIR + 2].scale[i] = 2.0f;
    }
}

static const char *const file_constraints[4] = {
    "{\"specVersion\":\"1.0\",\"constraint\":{\"roll\":{\"source\":21,\"rollAxis\":\"Y\",\"weight\":0.25}}}",
    "{\"specVersion\":\"1.0\",\"constraint\":{\"rotation\":{\"source\":68,\"weight\":0.75}}}",
    "{\"specVersion\":\"1.0\",\"constraint\":{\"aim\":{\"source\":71,\"aimAxis\":\"NegativeZ\"}}}", NULL};

static inline void file_add_nodes(gltf_builder *b)
{
    file_node nodes[FILE_NODES];
    file_nodes(nodes);
    for (int i = 0; i < FILE_NODES; ++i) {
        char children[512] = "", extra[256] = "";
        for (int c = 0; c < FILE_NODES; ++c) {
            if (nodes[c].parent == i) {
                const size_t at = strlen(children);
                snprintf(children + at, sizeof children - at, "%s%d", at == 0 ? ",\"children\":[" : ",", c);
            }
        }
        if (i == FILE_FACE || i == FILE_FACE2) {
            snprintf(extra, sizeof extra, ",\"mesh\":0,\"skin\":%d%s", i == FILE_FACE ? 0 : 1,
                i == FILE_FACE2 ? ",\"weights\":[0.125,0.5,0.75]" : "");
        } else if (i == FILE_PROP) {
            snprintf(extra, sizeof extra, ",\"mesh\":1");
        } else if (i >= FILE_TWIST && i < FILE_TWIST + 3) {
            snprintf(
                extra, sizeof extra, ",\"extensions\":{\"VRMC_node_constraint\":%s}", file_constraints[i - FILE_TWIST]);
        }
        const file_node *n = &nodes[i];
        gltf_builder_add(b, "nodes",
            "{\"name\":\"node %d\",\"translation\":[%.9g,%.9g,%.9g],\"rotation\":[%.9g,%.9g,%.9g,%.9g],"
            "\"scale\":[%.9g,%.9g,%.9g]%s%s%s}",
            i, (double)n->translation[0], (double)n->translation[1], (double)n->translation[2], (double)n->rotation[0],
            (double)n->rotation[1], (double)n->rotation[2], (double)n->rotation[3], (double)n->scale[0],
            (double)n->scale[1], (double)n->scale[2], children, children[0] != '\0' ? "]" : "", extra);
    }
    gltf_builder_add(b, "scenes", "{\"nodes\":[0,1,72,73]}");
}

static const float file_positions[9] = {0.5f, 1.0f, 0.25f, -0.5f, 1.5f, 0.0f, 0.0f, 1.25f, 0.75f};
static const float file_deltas[3][9] = {{0.0f, 0.1f, 0.0f, 0.0f, 0.0f, 0.0f, -0.2f, 0.0f, 0.0f},
    {0.0f, 0.2f, 0.0f, 0.0f, 0.0f, 0.3f, 0.0f, 0.0f, 0.0f}, {0.0f, -0.4f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f}};
// Joint 0 (head) moves down by (1, 2, 3); joint 1 (hair) turns a quarter about Z: (x, y, z) -> (-y, x, z).
static const float file_inverse_binds[32] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -1, -2, -3, 1, //
    0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

static inline void file_add_meshes(gltf_builder *b)
{
    const uint8_t joints[12] = {0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0};
    const float weights[12] = {1, 0, 0, 0, 0.5f, 0.5f, 0, 0, 1, 0, 0, 0};
    const uint32_t position = gltf_builder_accessor(
        b, file_positions, sizeof file_positions, 5126, 3, "VEC3", ",\"min\":[-0.5,1,0],\"max\":[0.5,1.5,0.75]");
    uint32_t targets[3];
    for (int i = 0; i < 3; ++i) {
        targets[i] = gltf_builder_floats(b, file_deltas[i], 9, 3, "VEC3");
    }
    const uint32_t j = gltf_builder_accessor(b, joints, sizeof joints, 5121, 3, "VEC4", "");
    const uint32_t w = gltf_builder_floats(b, weights, 12, 3, "VEC4");
    gltf_builder_add(b, "meshes",
        "{\"name\":\"face\",\"primitives\":[{\"attributes\":{\"POSITION\":%u,\"JOINTS_0\":%u,\"WEIGHTS_0\":%u},"
        "\"targets\":[{\"POSITION\":%u},{\"POSITION\":%u},{\"POSITION\":%u}]}],\"weights\":[0,0.5,0.25],"
        "\"extras\":{\"targetNames\":[\"smile\",\"smile\",\"\"]}}",
        position, j, w, targets[0], targets[1], targets[2]);
    gltf_builder_add(b, "meshes", "{\"primitives\":[{\"attributes\":{\"POSITION\":%u}}]}", position);
    const uint32_t ibm = gltf_builder_floats(b, file_inverse_binds, 32, 2, "MAT4");
    for (int i = 0; i < 2; ++i) {
        gltf_builder_add(
            b, "skins", "{\"joints\":[%d,%d],\"inverseBindMatrices\":%u}", FILE_BONE(HEAD), FILE_HAIR, ibm);
    }
}

static inline void file_add_materials(gltf_builder *b)
{
    // A PNG's signature and header: 8 x 4.
    static const uint8_t png[33] = {0x89, 'P', 'N', 'G', 13, 10, 26, 10, 0, 0, 0, 13, 'I', 'H', 'D', 'R', 0, 0, 0, 8, 0,
        0, 0, 4, 8, 6, 0, 0, 0, 0, 0, 0, 0};
    const uint32_t view = gltf_builder_view(b, png, sizeof png, "");
    gltf_builder_add(b, "images", "{\"bufferView\":%u,\"mimeType\":\"image/png\"}", view);
    for (int i = 0; i < 12; ++i) {
        gltf_builder_add(b, "textures", "{\"source\":0}");
    }
    gltf_builder_add(b, "materials",
        "{\"name\":\"toon\",\"pbrMetallicRoughness\":{\"baseColorFactor\":[0.1,0.2,0.3,0.4],\"metallicFactor\":0.15,"
        "\"roughnessFactor\":0.85,\"baseColorTexture\":{\"index\":1,\"texCoord\":1,\"extensions\":{"
        "\"KHR_texture_transform\":{\"offset\":[0.5,0.25],\"scale\":[2,3],\"rotation\":0.125,\"texCoord\":2}}},"
        "\"metallicRoughnessTexture\":{\"index\":2}},\"normalTexture\":{\"index\":3,\"scale\":0.625},"
        "\"occlusionTexture\":{\"index\":4,\"strength\":0.375},\"emissiveTexture\":{\"index\":5},"
        "\"emissiveFactor\":[0.5,0.6,0.7],\"alphaMode\":\"BLEND\",\"alphaCutoff\":0.75,\"doubleSided\":true,"
        "\"extensions\":{\"KHR_materials_unlit\":{},\"KHR_materials_emissive_strength\":{\"emissiveStrength\":4.5},"
        "\"VRMC_materials_mtoon\":{\"specVersion\":\"1.0\",\"transparentWithZWrite\":true,"
        "\"renderQueueOffsetNumber\":7,\"shadeColorFactor\":[0.11,0.12,0.13],\"shadeMultiplyTexture\":{\"index\":6},"
        "\"shadingShiftFactor\":-0.21,\"shadingShiftTexture\":{\"index\":7,\"scale\":0.22},\"shadingToonyFactor\":0.81,"
        "\"giEqualizationFactor\":0.71,\"matcapFactor\":[0.31,0.32,0.33],\"matcapTexture\":{\"index\":8},"
        "\"parametricRimColorFactor\":[0.41,0.42,0.43],\"parametricRimFresnelPowerFactor\":3.5,"
        "\"parametricRimLiftFactor\":0.44,\"rimMultiplyTexture\":{\"index\":9},\"rimLightingMixFactor\":0.45,"
        "\"outlineWidthMode\":\"screenCoordinates\",\"outlineWidthFactor\":0.0046,"
        "\"outlineWidthMultiplyTexture\":{\"index\":10},\"outlineColorFactor\":[0.51,0.52,0.53],"
        "\"outlineLightingMixFactor\":0.54,\"uvAnimationMaskTexture\":{\"index\":11},"
        "\"uvAnimationScrollXSpeedFactor\":0.55,\"uvAnimationScrollYSpeedFactor\":-0.56,"
        "\"uvAnimationRotationSpeedFactor\":0.57}}}");
    gltf_builder_add(b, "materials", "{\"extensions\":{\"KHR_materials_unlit\":{}}}");
    gltf_builder_add(b, "materials",
        "{\"alphaMode\":\"MASK\",\"extensions\":{\"VRMC_materials_hdr_emissiveMultiplier\":{\"emissiveMultiplier\":2.5}"
        "}}");
    gltf_builder_add(b, "materials", "{\"extensions\":{\"VRMC_materials_mtoon\":{\"specVersion\":\"1.0\"}}}");
}

static const char file_vrm_head[] =
    "{\"VRMC_vrm\":{\"specVersion\":\"1.0\",\"meta\":{\"name\":\"Test \\u00e9\",\"version\":\"v7\","
    "\"authors\":[\"Ann\",\"Bob\"],\"copyrightInformation\":\"(c)\",\"contactInformation\":\"ann@example\","
    "\"references\":[\"a book\"],\"thirdPartyLicenses\":\"none\",\"thumbnailImage\":0,"
    "\"licenseUrl\":\"https://vrm.dev/licenses/1.0/\",\"otherLicenseUrl\":\"https://example.org/\","
    "\"avatarPermission\":\"onlySeparatelyLicensedPerson\",\"allowExcessivelyViolentUsage\":true,"
    "\"allowExcessivelySexualUsage\":false,\"commercialUsage\":\"personalProfit\","
    "\"allowPoliticalOrReligiousUsage\":true,\"creditNotation\":\"unnecessary\",\"allowRedistribution\":true,"
    "\"modification\":\"allowModification\"},\"humanoid\":{\"humanBones\":{";

static const char file_vrm_tail[] =
    "}},\"firstPerson\":{\"meshAnnotations\":[{\"node\":0,\"type\":\"both\"},{\"node\":67,\"type\":\"firstPersonOnly\"}"
    "]},"
    "\"lookAt\":{\"offsetFromHeadBone\":[0.01,0.06,0.02],\"type\":\"bone\","
    "\"rangeMapHorizontalInner\":{\"inputMaxValue\":90,\"outputScale\":10},"
    "\"rangeMapHorizontalOuter\":{\"inputMaxValue\":80,\"outputScale\":11},"
    "\"rangeMapVerticalDown\":{\"inputMaxValue\":70,\"outputScale\":12},"
    "\"rangeMapVerticalUp\":{\"inputMaxValue\":60,\"outputScale\":13}},"
    "\"expressions\":{\"preset\":{"
    "\"blink\":{\"isBinary\":true,\"morphTargetBinds\":[{\"node\":0,\"index\":2,\"weight\":1}]},"
    "\"happy\":{\"overrideMouth\":\"block\",\"overrideBlink\":\"blend\",\"overrideLookAt\":\"none\","
    "\"morphTargetBinds\":[{\"node\":0,\"index\":0,\"weight\":0.5},{\"node\":72,\"index\":1,\"weight\":0.25}],"
    "\"materialColorBinds\":[{\"material\":0,\"type\":\"color\",\"targetValue\":[1,0.9,0.8,0.7]},"
    "{\"material\":0,\"type\":\"emissionColor\",\"targetValue\":[0.9,0.8,0.7,1]},"
    "{\"material\":0,\"type\":\"shadeColor\",\"targetValue\":[0.8,0.7,0.6,1]},"
    "{\"material\":0,\"type\":\"matcapColor\",\"targetValue\":[0.7,0.6,0.5,1]},"
    "{\"material\":0,\"type\":\"rimColor\",\"targetValue\":[0.6,0.5,0.4,1]},"
    "{\"material\":0,\"type\":\"outlineColor\",\"targetValue\":[0.5,0.4,0.3,1]}],"
    "\"textureTransformBinds\":[{\"material\":1,\"scale\":[0.5,0.25],\"offset\":[0.75,0.125]},{\"material\":2}]}},"
    "\"custom\":{\"wink!\":{\"overrideLookAt\":\"block\"},\"smirk\":{}}}},"
    "\"VRMC_springBone\":{\"specVersion\":\"1.0\",\"colliders\":["
    "{\"node\":7,\"shape\":{\"sphere\":{\"offset\":[0.1,0.2,0.3],\"radius\":0.4}}},"
    "{\"node\":4,\"shape\":{\"capsule\":{\"offset\":[0.2,0.3,0.4],\"radius\":0.5,\"tail\":[0.6,0.7,0.8]}}},"
    "{\"node\":4,\"shape\":{\"sphere\":{\"offset\":[0,-10000,0],\"radius\":0}},\"extensions\":{"
    "\"VRMC_springBone_extended_collider\":{\"specVersion\":\"1.0\",\"shape\":{\"sphere\":{\"offset\":[1,2,3],"
    "\"radius\":4,\"inside\":true}}}}},"
    "{\"node\":4,\"shape\":{\"sphere\":{\"radius\":0}},\"extensions\":{"
    "\"VRMC_springBone_extended_collider\":{\"specVersion\":\"1.0\",\"shape\":{\"capsule\":{\"offset\":[2,3,4],"
    "\"radius\":5,\"tail\":[6,7,8],\"inside\":true}}}}},"
    "{\"node\":2,\"shape\":{\"sphere\":{\"radius\":0}},\"extensions\":{"
    "\"VRMC_springBone_extended_collider\":{\"specVersion\":\"1.0\",\"shape\":{\"plane\":{\"offset\":[3,4,5],"
    "\"normal\":[0,1,0]}}}}},"
    "{\"node\":58,\"shape\":{\"sphere\":{\"radius\":0.03}}}],"
    "\"colliderGroups\":[{\"name\":\"a\",\"colliders\":[1,0]},{\"colliders\":[0,2,3,4]},{\"colliders\":[5]}],"
    "\"springs\":["
    "{\"name\":\"band\",\"joints\":[{\"node\":62},{\"node\":63},{\"node\":64}],\"colliderGroups\":[0,1]},"
    "{\"name\":\"skirt\",\"joints\":[{\"node\":65,\"extensions\":{\"VRMC_springBone_limit\":{"
    "\"specVersion\":\"1.0-draft\",\"limit\":{\"spherical\":{\"pitch\":0.5,\"yaw\":2,"
    "\"rotation\":[0,0,1,0]}}}}},{\"node\":66}],\"colliderGroups\":[2],\"center\":1},"
    "{\"name\":\"hair\",\"joints\":[{\"node\":57,\"hitRadius\":0.01,\"stiffness\":2.5,\"gravityPower\":0.3,"
    "\"gravityDir\":[0.6,-0.8,0],\"dragForce\":0.7,\"extensions\":{\"VRMC_springBone_limit\":{"
    "\"specVersion\":\"1.0-draft\",\"limit\":{\"cone\":{\"angle\":0.25}}}}},"
    "{\"node\":58,\"extensions\":{\"VRMC_springBone_limit\":{\"specVersion\":\"1.0-draft\",\"limit\":{"
    "\"hinge\":{\"angle\":4,\"rotation\":[0,0,0,1]}}}}},"
    "{\"node\":60},{\"node\":61}],\"center\":7,\"colliderGroups\":[0]},"
    "{\"name\":\"single\",\"joints\":[{\"node\":73}]}]}}";

// printf to the end of a growing text.
static inline void file_append(gltf_builder_member_text *text, const char *format, ...)
{
    char piece[256];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    CHECK(length >= 0 && length < (int)sizeof piece);
    gltf_builder_append(text, piece, (size_t)length);
}

// The file as a document under construction, for tests that add to it.
static inline void avatar_file_build(gltf_builder *b)
{
    file_add_nodes(b);
    file_add_meshes(b);
    file_add_materials(b);
    static const char *const bone_names[VRM_HUMAN_BONE_COUNT] = {
#define FILE_NAME(name, json, parent, required, needs_parent) json,
        VRM_HUMAN_BONES(FILE_NAME)
#undef FILE_NAME
    };
    gltf_builder_member_text text = {0};
    gltf_builder_append(&text, file_vrm_head, strlen(file_vrm_head));
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        file_append(&text, "%s\"%s\":{\"node\":%d}", bone == 0 ? "" : ",", bone_names[bone], FILE_BONES + bone);
    }
    gltf_builder_append(&text, file_vrm_tail, strlen(file_vrm_tail));
    gltf_builder_member(b, "extensions", text.text);
    free(text.text);
    gltf_builder_member(b, "extensionsUsed",
        "[\"VRMC_vrm\",\"VRMC_springBone\",\"VRMC_springBone_extended_collider\",\"VRMC_springBone_limit\","
        "\"VRMC_node_constraint\",\"VRMC_materials_mtoon\",\"KHR_materials_unlit\",\"KHR_texture_transform\","
        "\"KHR_materials_emissive_strength\",\"VRMC_materials_hdr_emissiveMultiplier\"]");
}

static inline uint8_t *avatar_file_make(size_t *out_size)
{
    gltf_builder b = {0};
    avatar_file_build(&b);
    uint8_t *glb = gltf_builder_glb(&b, out_size);
    gltf_builder_free(&b);
    return glb;
}

static inline void check_text(vrm_string text, const char *expected, const char *expression, int line)
{
    expected = expected != NULL ? expected : "";
    if (text.length != strlen(expected) || (text.length != 0 && memcmp(text.data, expected, text.length) != 0)) {
        ++test_failures;
        printf("line %d: %s is \"%.*s\", expected \"%s\"\n", line, expression, (int)text.length,
            text.data != NULL ? text.data : "", expected);
    }
}

#define CHECK_TEXT(actual, expected) check_text(actual, expected, #actual, __LINE__)

// The file as an avatar (NULL after a failed check), with what was found.
static inline vrm_avatar *avatar_file_load(vrm_report **out_report)
{
    size_t size;
    uint8_t *glb = avatar_file_make(&size);
    vrm_avatar *avatar = NULL;
    CHECK_INT(vrm_report_create(NULL, out_report), VRM_SUCCESS);
    CHECK_INT(vrm_avatar_load(NULL, glb, size, *out_report, &avatar), VRM_SUCCESS);
    if (avatar == NULL) {
        print_report(*out_report);
    }
    free(glb);
    return avatar;
}

// An avatar of JSON alone, which must be one.
static inline vrm_avatar *avatar_json_load(
    const vrm_avatar_def *def, const char *text, size_t length, vrm_report *report)
{
    vrm_avatar *avatar = NULL;
    const vrm_result result = vrm_avatar_load_json(def, text, length, report, &avatar);
    if (result != VRM_SUCCESS) {
        print_report(report);
    }
    CHECK_INT(result, VRM_SUCCESS);
    return avatar;
}

#endif
