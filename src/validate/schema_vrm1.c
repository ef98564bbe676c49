// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "validate/schema_words.h"

// The extensions of VRM 1.0 by their JSON schemas. The following are not checked here, because importing reports them
// more clearly: specVersion, a meta object without name and authors, missing bones, and shapes and constraints without
// a kind.

// --- VRMC_vrm --------------------------------------------------------------------------------------------------------

static const vrmi_schema meta = {.name = "VRM_meta",
    .rules = (const vrmi_schema_rule[]){{"name", STRING}, {"version", STRING}, {"authors", STRING, ANY_LIST},
        {"copyrightInformation", STRING}, {"contactInformation", STRING}, {"references", STRING, ITEMS},
        {"thirdPartyLicenses", STRING}, {"thumbnailImage", INDEX(VRM_GLTF_IMAGES)}, {"licenseUrl", STRING},
        {"avatarPermission", WORDS("onlyAuthor onlySeparatelyLicensedPerson everyone")},
        {"allowExcessivelyViolentUsage", BOOL}, {"allowExcessivelySexualUsage", BOOL},
        {"commercialUsage", WORDS("personalNonProfit personalProfit corporation")},
        {"allowPoliticalOrReligiousUsage", BOOL}, {"allowAntisocialOrHateUsage", BOOL},
        {"creditNotation", WORDS("required unnecessary")}, {"allowRedistribution", BOOL},
        {"modification", WORDS("prohibited allowModification allowModificationRedistribution")},
        {"otherLicenseUrl", STRING}, END}};

static const vrmi_schema bone = {
    .name = "human_bone", .rules = (const vrmi_schema_rule[]){{"node", INDEX(VRM_GLTF_NODES), REQUIRED}, END}};
static const vrmi_schema humanoid = {
    .name = "humanoid", .rules = (const vrmi_schema_rule[]){{"humanBones", OBJECT(bone), MAP, REQUIRED}, END}};

static const vrmi_schema annotation = {.name = "mesh_annotation",
    .rules = (const vrmi_schema_rule[]){{"node", INDEX(VRM_GLTF_NODES), REQUIRED},
        {"type", WORDS("auto both thirdPersonOnly firstPersonOnly")}, {"firstPersonFlag", ANYTHING}, END}};
static const vrmi_schema first_person = {
    .name = "firstPerson", .rules = (const vrmi_schema_rule[]){{"meshAnnotations", OBJECT(annotation), ITEMS}, END}};

static const vrmi_schema range_map = {
    .name = "range_map", .rules = (const vrmi_schema_rule[]){{"inputMaxValue", NUMBER}, {"outputScale", NUMBER}, END}};
static const vrmi_schema look_at = {.name = "lookAt",
    .rules = (const vrmi_schema_rule[]){{"offsetFromHeadBone", VECTOR(3)}, {"type", WORDS("bone expression")},
        {"rangeMapHorizontalInner", OBJECT(range_map)}, {"rangeMapHorizontalOuter", OBJECT(range_map)},
        {"rangeMapVerticalDown", OBJECT(range_map)}, {"rangeMapVerticalUp", OBJECT(range_map)}, END}};

#define OVERRIDE WORDS("none block blend")
static const vrmi_schema morph_bind = {.name = "morph_target_bind",
    .rules = (const vrmi_schema_rule[]){{"node", INDEX(VRM_GLTF_NODES), REQUIRED}, {"index", OTHER_INDEX, REQUIRED},
        {"weight", NUMBER, REQUIRED}, END}};
static const vrmi_schema color_bind = {.name = "material_color_bind",
    .rules = (const vrmi_schema_rule[]){{"material", INDEX(VRM_GLTF_MATERIALS), REQUIRED},
        {"type", WORDS("color emissionColor shadeColor matcapColor rimColor outlineColor"), REQUIRED},
        {"targetValue", VECTOR(4), REQUIRED}, END}};
static const vrmi_schema texture_bind = {.name = "texture_transform_bind",
    .rules = (const vrmi_schema_rule[]){
        {"material", INDEX(VRM_GLTF_MATERIALS), REQUIRED}, {"scale", VECTOR(2)}, {"offset", VECTOR(2)}, END}};
static const vrmi_schema expression = {.name = "expression",
    .rules = (const vrmi_schema_rule[]){{"morphTargetBinds", OBJECT(morph_bind), ITEMS},
        {"materialColorBinds", OBJECT(color_bind), ITEMS}, {"textureTransformBinds", OBJECT(texture_bind), ITEMS},
        {"isBinary", BOOL}, {"overrideBlink", OVERRIDE}, {"overrideLookAt", OVERRIDE}, {"overrideMouth", OVERRIDE},
        END}};
static const vrmi_schema expressions = {.name = "expressions",
    .rules = (const vrmi_schema_rule[]){{"preset", OBJECT(expression), MAP}, {"custom", OBJECT(expression), MAP}, END}};

static const vrmi_schema vrm = {.name = "VRMC_vrm",
    .rules = (const vrmi_schema_rule[]){{"specVersion", ANYTHING}, {"meta", OBJECT(meta)},
        {"humanoid", OBJECT(humanoid), REQUIRED}, {"firstPerson", OBJECT(first_person)}, {"lookAt", OBJECT(look_at)},
        {"expressions", OBJECT(expressions)}, END}};

// --- VRMC_springBone, VRMC_springBone_extended_collider, VRMC_springBone_limit ---------------------------------------

static const vrmi_schema sphere = {
    .name = "sphere", .rules = (const vrmi_schema_rule[]){{"offset", VECTOR(3)}, {"radius", NUMBER, FROM(0)}, END}};
static const vrmi_schema capsule = {.name = "capsule",
    .rules = (const vrmi_schema_rule[]){{"offset", VECTOR(3)}, {"radius", NUMBER, FROM(0)}, {"tail", VECTOR(3)}, END}};
static const vrmi_schema shape = {.name = "collider_shape",
    .rules = (const vrmi_schema_rule[]){{"sphere", OBJECT(sphere)}, {"capsule", OBJECT(capsule)}, END}};
static const vrmi_schema collider = {.name = "collider",
    .rules = (const vrmi_schema_rule[]){{"node", INDEX(VRM_GLTF_NODES), REQUIRED}, {"shape", OBJECT(shape)}, END}};
static const vrmi_schema collider_group = {.name = "collider_group",
    .rules = (const vrmi_schema_rule[]){{"name", STRING}, {"colliders", OTHER_INDEX, ITEMS, REQUIRED}, END}};
static const vrmi_schema joint = {.name = "spring_joint",
    .rules = (const vrmi_schema_rule[]){{"node", INDEX(VRM_GLTF_NODES), REQUIRED}, {"hitRadius", NUMBER, FROM(0)},
        {"stiffness", NUMBER, FROM(0)}, {"gravityPower", NUMBER, FROM(0)}, {"gravityDir", VECTOR(3)},
        {"dragForce", NUMBER, FROM(0), TO(1)}, END}};
static const vrmi_schema spring = {.name = "spring",
    .rules = (const vrmi_schema_rule[]){{"name", STRING}, {"joints", OBJECT(joint), ITEMS, REQUIRED},
        {"colliderGroups", OTHER_INDEX, ITEMS}, {"center", INDEX(VRM_GLTF_NODES)}, END}};
static const vrmi_schema spring_bone = {.name = "VRMC_springBone",
    .rules = (const vrmi_schema_rule[]){{"specVersion", ANYTHING}, {"colliders", OBJECT(collider), ITEMS},
        {"colliderGroups", OBJECT(collider_group), ITEMS}, {"springs", OBJECT(spring), ITEMS}, END}};

static const vrmi_schema sphere_either = {.name = "extended_sphere",
    .rules = (const vrmi_schema_rule[]){{"offset", VECTOR(3)}, {"radius", NUMBER, FROM(0)}, {"inside", BOOL}, END}};
static const vrmi_schema capsule_either = {.name = "extended_capsule",
    .rules = (const vrmi_schema_rule[]){
        {"offset", VECTOR(3)}, {"radius", NUMBER, FROM(0)}, {"tail", VECTOR(3)}, {"inside", BOOL}, END}};
static const vrmi_schema plane = {
    .name = "plane", .rules = (const vrmi_schema_rule[]){{"offset", VECTOR(3)}, {"normal", VECTOR(3)}, END}};
static const vrmi_schema extended_shape = {.name = "extended_collider_shape",
    .rules = (const vrmi_schema_rule[]){
        {"sphere", OBJECT(sphere_either)}, {"capsule", OBJECT(capsule_either)}, {"plane", OBJECT(plane)}, END}};
static const vrmi_schema extended_collider = {.name = "VRMC_springBone_extended_collider",
    .rules = (const vrmi_schema_rule[]){{"specVersion", ANYTHING}, {"shape", OBJECT(extended_shape)}, END}};

#define QUATERNION VECTOR(4), FROM(-1), TO(1)
static const vrmi_schema cone = {.name = "cone_limit",
    .rules = (const vrmi_schema_rule[]){{"angle", NUMBER, FROM(0), REQUIRED}, {"rotation", QUATERNION}, END}};
static const vrmi_schema spherical = {.name = "spherical_limit",
    .rules = (const vrmi_schema_rule[]){
        {"pitch", NUMBER, FROM(0), REQUIRED}, {"yaw", NUMBER, FROM(0), REQUIRED}, {"rotation", QUATERNION}, END}};
static const vrmi_schema limit = {.name = "limit",
    .rules = (const vrmi_schema_rule[]){
        {"cone", OBJECT(cone)}, {"hinge", OBJECT(cone)}, {"spherical", OBJECT(spherical)}, END}};
static const vrmi_schema spring_limit = {.name = "VRMC_springBone_limit",
    .rules = (const vrmi_schema_rule[]){{"specVersion", ANYTHING}, {"limit", OBJECT(limit)}, END}};

// --- VRMC_node_constraint --------------------------------------------------------------------------------------------

#define SOURCE \
    { \
        "source", INDEX(VRM_GLTF_NODES), REQUIRED \
    }
#define WEIGHT \
    { \
        "weight", NUMBER, FROM(0), TO(1) \
    }
static const vrmi_schema roll = {.name = "roll_constraint",
    .rules = (const vrmi_schema_rule[]){SOURCE, {"rollAxis", WORDS("X Y Z"), REQUIRED}, WEIGHT, END}};
static const vrmi_schema aim = {.name = "aim_constraint",
    .rules = (const vrmi_schema_rule[]){SOURCE,
        {"aimAxis", WORDS("PositiveX NegativeX PositiveY NegativeY PositiveZ NegativeZ"), REQUIRED}, WEIGHT, END}};
static const vrmi_schema rotation = {
    .name = "rotation_constraint", .rules = (const vrmi_schema_rule[]){SOURCE, WEIGHT, END}};
static const vrmi_schema constraint = {.name = "constraint",
    .rules =
        (const vrmi_schema_rule[]){{"roll", OBJECT(roll)}, {"aim", OBJECT(aim)}, {"rotation", OBJECT(rotation)}, END}};
static const vrmi_schema node_constraint = {.name = "VRMC_node_constraint",
    .rules = (const vrmi_schema_rule[]){{"specVersion", ANYTHING}, {"constraint", OBJECT(constraint), REQUIRED}, END}};

// --- VRMC_materials_mtoon and its companion --------------------------------------------------------------------------

#define TEXTURE OBJECT(vrmi_schema_texture_info)
#define FACTOR NUMBER, FROM(0), TO(1)
#define COLOR VECTOR(3), FROM(0), TO(1)
static const vrmi_schema shift_texture = {.name = "textureInfo",
    .rules = (const vrmi_schema_rule[]){
        {"index", INDEX(VRM_GLTF_TEXTURES), REQUIRED}, {"texCoord", INTEGER, FROM(0)}, {"scale", NUMBER}, END}};
static const vrmi_schema mtoon = {.name = "VRMC_materials_mtoon",
    .rules = (const vrmi_schema_rule[]){{"specVersion", ANYTHING}, {"transparentWithZWrite", BOOL},
        {"renderQueueOffsetNumber", INTEGER}, {"shadeColorFactor", COLOR}, {"shadeMultiplyTexture", TEXTURE},
        {"shadingShiftFactor", NUMBER}, {"shadingShiftTexture", OBJECT(shift_texture)}, {"shadingToonyFactor", FACTOR},
        {"giEqualizationFactor", FACTOR}, {"matcapFactor", COLOR}, {"matcapTexture", TEXTURE},
        {"parametricRimColorFactor", COLOR}, {"rimMultiplyTexture", TEXTURE}, {"rimLightingMixFactor", FACTOR},
        {"parametricRimFresnelPowerFactor", NUMBER, FROM(0)}, {"parametricRimLiftFactor", NUMBER},
        {"outlineWidthMode", WORDS("none worldCoordinates screenCoordinates")}, {"outlineWidthFactor", NUMBER, FROM(0)},
        {"outlineWidthMultiplyTexture", TEXTURE}, {"outlineColorFactor", COLOR}, {"outlineLightingMixFactor", FACTOR},
        {"uvAnimationMaskTexture", TEXTURE}, {"uvAnimationScrollXSpeedFactor", NUMBER},
        {"uvAnimationScrollYSpeedFactor", NUMBER}, {"uvAnimationRotationSpeedFactor", NUMBER}, END}};
static const vrmi_schema emissive_multiplier = {.name = "VRMC_materials_hdr_emissiveMultiplier",
    .rules = (const vrmi_schema_rule[]){{"emissiveMultiplier", NUMBER, FROM(0), REQUIRED}, END}};

// --- VRMC_vrm_animation ----------------------------------------------------------------------------------------------

static const vrmi_schema animated_expressions = {.name = "animated_expressions",
    .rules = (const vrmi_schema_rule[]){{"preset", OBJECT(bone), MAP}, {"custom", OBJECT(bone), MAP}, END}};
static const vrmi_schema animated_look_at = {.name = "animated_lookAt",
    .rules = (const vrmi_schema_rule[]){{"node", INDEX(VRM_GLTF_NODES)}, {"offsetFromHeadBone", VECTOR(3)}, END}};
static const vrmi_schema vrm_animation = {.name = "VRMC_vrm_animation",
    .rules = (const vrmi_schema_rule[]){{"specVersion", ANYTHING}, {"humanoid", OBJECT(humanoid)},
        {"expressions", OBJECT(animated_expressions)}, {"lookAt", OBJECT(animated_look_at)}, END}};

const vrmi_schema_extension vrmi_schema_vrm1[] = {
    {"VRMC_vrm", "glTF", &vrm},
    {"VRMC_springBone", "glTF", &spring_bone},
    {"VRMC_springBone_extended_collider", "collider", &extended_collider},
    {"VRMC_springBone_limit", "spring_joint", &spring_limit},
    {"VRMC_node_constraint", "node", &node_constraint},
    {"VRMC_materials_mtoon", "material", &mtoon},
    {"VRMC_materials_hdr_emissiveMultiplier", "material", &emissive_multiplier},
    {"VRMC_vrm_animation", "glTF", &vrm_animation},
    {NULL, NULL, NULL},
};
