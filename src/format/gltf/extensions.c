// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "base/checks.h"
#include "base/text.h"
#include "format/gltf/gltf_document.h"

// All known extensions. A file that requires an unlisted one is refused. IGNORED extensions affect no vertices, no
// images and nothing that the runtime moves, so the avatar is complete without them.
static const struct {
    const char *name;
    vrmi_extension_support support;
} extensions[] = {
    {"VRM", VRMI_EXTENSION_SUPPORTED},
    {"VRMC_vrm", VRMI_EXTENSION_SUPPORTED},
    {"VRMC_vrm_animation", VRMI_EXTENSION_SUPPORTED},
    {"VRMC_springBone", VRMI_EXTENSION_SUPPORTED},
    {"VRMC_springBone_extended_collider", VRMI_EXTENSION_SUPPORTED},
    {"VRMC_springBone_limit", VRMI_EXTENSION_SUPPORTED},
    {"VRMC_node_constraint", VRMI_EXTENSION_SUPPORTED},
    {"VRMC_materials_mtoon", VRMI_EXTENSION_SUPPORTED},
    {"VRMC_materials_hdr_emissiveMultiplier", VRMI_EXTENSION_SUPPORTED},
    {"KHR_materials_unlit", VRMI_EXTENSION_SUPPORTED},
    {"KHR_materials_emissive_strength", VRMI_EXTENSION_SUPPORTED},
    {"KHR_texture_transform", VRMI_EXTENSION_SUPPORTED},
    {"KHR_mesh_quantization", VRMI_EXTENSION_SUPPORTED},
    // Names from early drafts.
    {"VMRC_materials_mtoon", VRMI_EXTENSION_SUPPORTED},
    {"VRMC_constraints", VRMI_EXTENSION_SUPPORTED},
    {"VRMC_node_collider", VRMI_EXTENSION_SUPPORTED},

    {"KHR_draco_mesh_compression", VRMI_EXTENSION_GEOMETRY_UNREADABLE},
    {"EXT_meshopt_compression", VRMI_EXTENSION_GEOMETRY_UNREADABLE},
    {"KHR_meshopt_compression", VRMI_EXTENSION_GEOMETRY_UNREADABLE},

    {"KHR_texture_basisu", VRMI_EXTENSION_IMAGE_UNREADABLE},
    {"EXT_texture_webp", VRMI_EXTENSION_IMAGE_UNREADABLE},
    {"EXT_texture_avif", VRMI_EXTENSION_IMAGE_UNREADABLE},
    {"MSFT_texture_dds", VRMI_EXTENSION_IMAGE_UNREADABLE},

    {"KHR_animation_pointer", VRMI_EXTENSION_IGNORED},
    {"KHR_lights_punctual", VRMI_EXTENSION_IGNORED},
    {"KHR_materials_anisotropy", VRMI_EXTENSION_IGNORED},
    {"KHR_materials_clearcoat", VRMI_EXTENSION_IGNORED},
    {"KHR_materials_diffuse_transmission", VRMI_EXTENSION_IGNORED},
    {"KHR_materials_dispersion", VRMI_EXTENSION_IGNORED},
    {"KHR_materials_ior", VRMI_EXTENSION_IGNORED},
    {"KHR_materials_iridescence", VRMI_EXTENSION_IGNORED},
    {"KHR_materials_pbrSpecularGlossiness", VRMI_EXTENSION_IGNORED},
    {"KHR_materials_sheen", VRMI_EXTENSION_IGNORED},
    {"KHR_materials_specular", VRMI_EXTENSION_IGNORED},
    {"KHR_materials_transmission", VRMI_EXTENSION_IGNORED},
    {"KHR_materials_variants", VRMI_EXTENSION_IGNORED},
    {"KHR_materials_volume", VRMI_EXTENSION_IGNORED},
    {"KHR_node_visibility", VRMI_EXTENSION_IGNORED},
    {"KHR_xmp", VRMI_EXTENSION_IGNORED},
    {"KHR_xmp_json_ld", VRMI_EXTENSION_IGNORED},
};

vrmi_extension_support vrmi_extension_lookup(vrm_string name)
{
    for (size_t i = 0; i < VRMI_COUNT_OF(extensions); ++i) {
        if (vrmi_string_equal(name, extensions[i].name)) {
            return extensions[i].support;
        }
    }
    return VRMI_EXTENSION_UNKNOWN;
}

bool vrmi_extension_is_number(vrm_string member)
{
    static const char *const members[] = {// references
        "thumbnailImage", "texture", "firstPersonBone", "node", "index", "material", "source", "center", "colliders",
        "colliderGroups", "mesh", "bone", "bones",
        // springs and colliders
        "hitRadius", "stiffness", "stiffiness", "gravityPower", "gravityDir", "dragForce", "offset", "radius", "tail",
        "normal", "x", "y", "z", "angle", "pitch", "yaw", "rotation",
        // expressions, look-at, constraints
        "weight", "targetValue", "scale", "offsetFromHeadBone", "inputMaxValue", "outputScale", "curve", "xRange",
        "yRange"};
    for (size_t i = 0; i < VRMI_COUNT_OF(members); ++i) {
        if (vrmi_string_equal(member, members[i])) {
            return true;
        }
    }
    return false;
}
