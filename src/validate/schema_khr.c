// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "validate/schema_words.h"

// Extensions of glTF that occur in avatars. For those without an object only the name is known, and their content is
// not checked.

static const vrmi_schema empty = {.name = "KHR_materials_unlit", .rules = (const vrmi_schema_rule[]){END}};
static const vrmi_schema emissive_strength = {.name = "KHR_materials_emissive_strength",
    .rules = (const vrmi_schema_rule[]){{"emissiveStrength", NUMBER, FROM(0)}, END}};
static const vrmi_schema texture_transform = {.name = "KHR_texture_transform",
    .rules = (const vrmi_schema_rule[]){
        {"offset", VECTOR(2)}, {"rotation", NUMBER}, {"scale", VECTOR(2)}, {"texCoord", INTEGER, FROM(0)}, END}};

static const vrmi_schema spot = {.name = "light_spot",
    .rules =
        (const vrmi_schema_rule[]){{"innerConeAngle", NUMBER, FROM(0)}, {"outerConeAngle", NUMBER, ABOVE(0)}, END}};
static const vrmi_schema light = {.name = "light",
    .rules = (const vrmi_schema_rule[]){{"name", STRING}, {"color", VECTOR(3), FROM(0), TO(1)},
        {"intensity", NUMBER, FROM(0)}, {"range", NUMBER, ABOVE(0)}, {"spot", OBJECT(spot)},
        {"type", WORDS("directional point spot"), REQUIRED}, END}};
static const vrmi_schema lights = {.name = "KHR_lights_punctual",
    .rules = (const vrmi_schema_rule[]){{"lights", OBJECT(light), LIST}, {"light", OTHER_INDEX}, END}};

const vrmi_schema_extension vrmi_schema_khr[] = {
    {"KHR_materials_unlit", "material", &empty},
    {"KHR_materials_emissive_strength", "material", &emissive_strength},
    {"KHR_texture_transform", "textureInfo", &texture_transform},
    {"KHR_lights_punctual", "glTF node", &lights},
    {"KHR_mesh_quantization", "", NULL},
    {"KHR_animation_pointer", "animation_target", NULL},
    {"KHR_draco_mesh_compression", "primitive", NULL},
    {"EXT_meshopt_compression", "buffer bufferView", NULL},
    {"KHR_meshopt_compression", "buffer bufferView", NULL},
    {"KHR_texture_basisu", "texture", NULL},
    {"EXT_texture_webp", "texture", NULL},
    {"EXT_texture_avif", "texture", NULL},
    {"MSFT_texture_dds", "texture", NULL},
    {"KHR_materials_anisotropy", "material", NULL},
    {"KHR_materials_clearcoat", "material", NULL},
    {"KHR_materials_diffuse_transmission", "material", NULL},
    {"KHR_materials_dispersion", "material", NULL},
    {"KHR_materials_ior", "material", NULL},
    {"KHR_materials_iridescence", "material", NULL},
    {"KHR_materials_pbrSpecularGlossiness", "material", NULL},
    {"KHR_materials_sheen", "material", NULL},
    {"KHR_materials_specular", "material", NULL},
    {"KHR_materials_transmission", "material", NULL},
    {"KHR_materials_variants", "glTF primitive", NULL},
    {"KHR_materials_volume", "material", NULL},
    {"KHR_node_visibility", "node", NULL},
    {"KHR_xmp", "*", NULL},
    {"KHR_xmp_json_ld", "*", NULL},
    {NULL, NULL, NULL},
};
