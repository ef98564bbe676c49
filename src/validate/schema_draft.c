// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "validate/schema_words.h"

// The drafts of VRM 1.0: until March 2021, with their springs and constraints. The prose and the JSON schemas of the
// same commit spell many members differently; both spellings are accepted, and words are compared without case. A
// member is required only if both require it.

#define AXES(count) .type = VRMI_SCHEMA_BOOL, .list = true, .min_items = (count), .max_items = (count)
#define NUMBERS NUMBER, ANY_LIST // the schemas give no length
#define TEXTURE INDEX(VRM_GLTF_TEXTURES), OR_OBJECT(vrmi_schema_texture_info)

// --- VRMC_vrm --------------------------------------------------------------------------------------------------------

static const vrmi_schema meta = {.name = "VRM_draft_meta",
    .rules = (const vrmi_schema_rule[]){{"name", STRING}, {"version", STRING}, {"authors", STRING, ANY_LIST},
        {"copyrightInformation", STRING}, {"copyrights", STRING}, {"contactInformation", STRING},
        {"references", STRING, ANY_LIST}, {"reference", STRING}, {"thirdPartyLicenses", STRING},
        {"thumbnailImage", INDEX(VRM_GLTF_IMAGES)}, {"licenseUrl", STRING}, {"otherLicenseUrl", STRING},
        {"otherPermissionUrl", STRING},
        {"avatarPermission", ANY_CASE("onlyAuthor explicitlyLicensedPerson onlySeparatelyLicensedPerson everyone")},
        {"allowExcessivelyViolentUsage", BOOL}, {"violentUsage", BOOL}, {"allowExcessivelySexualUsage", BOOL},
        {"sexualUsage", BOOL}, {"gameUsage", BOOL}, {"allowPoliticalOrReligiousUsage", BOOL},
        {"politicalOrReligiousUsage", BOOL}, {"allowAntisocialOrHateUsage", BOOL},
        {"commercialUsage", ANY_CASE("personalNonProfit personalProfit corporation personalNonCommercialNonProfit "
                                     "personalNonCommercialProfit personalCommercial")},
        {"creditNotation", ANY_CASE("required unnecessary abandoned")}, {"allowRedistribution", BOOL},
        {"modification", ANY_CASE("prohibited inherited notInherited allowModification "
                                  "allowModificationRedistribution")},
        {"modify", ANY_CASE("prohibited inherited notInherited")}, END}};

static const vrmi_schema bone = {
    .name = "human_bone", .rules = (const vrmi_schema_rule[]){{"node", INDEX(VRM_GLTF_NODES), REQUIRED}, END}};
static const vrmi_schema humanoid = {
    .name = "humanoid", .rules = (const vrmi_schema_rule[]){{"humanBones", OBJECT(bone), MAP, REQUIRED}, END}};

#define FLAG ANY_CASE("auto both thirdPersonOnly firstPersonOnly")
static const vrmi_schema annotation = {.name = "mesh_annotation",
    .rules = (const vrmi_schema_rule[]){{"node", INDEX(VRM_GLTF_NODES), REQUIRED}, {"firstPersonType", FLAG},
        {"firstPersonFlag", FLAG}, {"type", FLAG}, END}};
static const vrmi_schema first_person = {
    .name = "firstPerson", .rules = (const vrmi_schema_rule[]){{"meshAnnotations", OBJECT(annotation), ANY_LIST}, END}};

static const vrmi_schema range_map = {
    .name = "range_map", .rules = (const vrmi_schema_rule[]){{"inputMaxValue", NUMBER}, {"outputScale", NUMBER}, END}};
#define RANGE OBJECT(range_map)
static const vrmi_schema look_at = {.name = "lookAt",
    .rules = (const vrmi_schema_rule[]){{"offsetFromHeadBone", VECTOR(3)}, {"lookAtType", ANY_CASE("bone expression")},
        {"type", ANY_CASE("bone expression")}, {"horizontalInner", RANGE}, {"horizontalOuter", RANGE},
        {"verticalDown", RANGE}, {"verticalUp", RANGE}, {"lookAtHorizontalInner", RANGE},
        {"lookAtHorizontalOuter", RANGE}, {"lookAtVerticalDown", RANGE}, {"lookAtVerticalUp", RANGE},
        {"rangeMapHorizontalInner", RANGE}, {"rangeMapHorizontalOuter", RANGE}, {"rangeMapVerticalDown", RANGE},
        {"rangeMapVerticalUp", RANGE}, END}};

#define OVERRIDE ANY_CASE("none block blend")
static const vrmi_schema morph_bind = {.name = "morph_target_bind",
    .rules = (const vrmi_schema_rule[]){{"node", INDEX(VRM_GLTF_NODES), REQUIRED}, {"index", OTHER_INDEX, REQUIRED},
        {"weight", NUMBER, REQUIRED}, END}};
static const vrmi_schema color_bind = {.name = "material_color_bind",
    .rules = (const vrmi_schema_rule[]){{"material", INDEX(VRM_GLTF_MATERIALS), REQUIRED},
        {"type", ANY_CASE("color emissionColor shadeColor matcapColor rimColor outlineColor uvScale uvOffset"),
            REQUIRED},
        {"targetValue", VECTOR(4), REQUIRED}, END}};
static const vrmi_schema texture_bind = {.name = "texture_transform_bind",
    .rules = (const vrmi_schema_rule[]){{"material", INDEX(VRM_GLTF_MATERIALS), REQUIRED}, {"scale", VECTOR(2)},
        {"scaling", VECTOR(2)}, {"offset", VECTOR(2)}, END}};
#define BINDS \
    {"morphTargetBinds", OBJECT(morph_bind), ANY_LIST}, {"materialColorBinds", OBJECT(color_bind), ANY_LIST}, \
        {"textureTransformBinds", OBJECT(texture_bind), ANY_LIST}, {"isBinary", BOOL}, {"overrideBlink", OVERRIDE}, \
        {"overrideLookAt", OVERRIDE}, \
    { \
        "overrideMouth", OVERRIDE \
    }
static const vrmi_schema listed_expression = {.name = "expression",
    .rules = (const vrmi_schema_rule[]){{"name", STRING},
        {"preset",
            ANY_CASE("custom happy angry sad relaxed surprised aa ih ou ee oh blink blinkLeft blinkRight lookUp "
                     "lookDown lookLeft lookRight neutral"),
            REQUIRED},
        BINDS, END}};
static const vrmi_schema expression = {.name = "expression", .rules = (const vrmi_schema_rule[]){BINDS, END}};
static const vrmi_schema expressions = {.name = "expressions",
    .rules = (const vrmi_schema_rule[]){{"preset", OBJECT(expression), MAP}, {"custom", OBJECT(expression), MAP}, END}};

static const vrmi_schema vrm = {.name = "VRMC_vrm",
    .rules = (const vrmi_schema_rule[]){{"specVersion", STRING}, {"meta", OBJECT(meta)},
        {"humanoid", OBJECT(humanoid), REQUIRED}, {"firstPerson", OBJECT(first_person)}, {"lookAt", OBJECT(look_at)},
        {"expressions", OBJECT(listed_expression), ANY_LIST, OR_OBJECT(expressions)},
        {"expression", OBJECT(listed_expression), ANY_LIST}, END}};

// --- VRMC_node_collider and VRMC_springBone --------------------------------------------------------------------------

static const vrmi_schema sphere = {
    .name = "sphere", .rules = (const vrmi_schema_rule[]){{"offset", VECTOR(3)}, {"radius", NUMBER, FROM(0)}, END}};
static const vrmi_schema capsule = {.name = "capsule",
    .rules = (const vrmi_schema_rule[]){{"offset", VECTOR(3)}, {"radius", NUMBER, FROM(0)}, {"tail", VECTOR(3)}, END}};
static const vrmi_schema shape = {.name = "collider_shape",
    .rules = (const vrmi_schema_rule[]){{"sphere", OBJECT(sphere)}, {"capsule", OBJECT(capsule)}, END}};
static const vrmi_schema node_collider = {.name = "VRMC_node_collider",
    .rules = (const vrmi_schema_rule[]){{"specVersion", STRING}, {"shapes", OBJECT(shape), ANY_LIST, REQUIRED}, END}};

// Since March 2021 a spring has joints; before that it had a root and a setting.
static const vrmi_schema joint = {.name = "spring_joint",
    .rules =
        (const vrmi_schema_rule[]){{"node", INDEX(VRM_GLTF_NODES), REQUIRED}, {"hitRadius", NUMBER, FROM(0), REQUIRED},
            {"stiffness", NUMBER, FROM(0), REQUIRED}, {"gravityPower", NUMBER, FROM(0), REQUIRED},
            {"gravityDir", VECTOR(3)}, {"dragForce", NUMBER, FROM(0), TO(1), REQUIRED}, END}};
static const vrmi_schema setting = {.name = "spring_setting",
    .rules = (const vrmi_schema_rule[]){{"stiffness", NUMBER, FROM(0), REQUIRED},
        {"gravityPower", NUMBER, FROM(0), REQUIRED}, {"gravityDir", VECTOR(3)},
        {"dragForce", NUMBER, FROM(0), TO(1), REQUIRED}, END}};
static const vrmi_schema spring = {.name = "spring",
    .rules = (const vrmi_schema_rule[]){{"name", STRING}, {"colliders", INDEX(VRM_GLTF_NODES), ANY_LIST},
        {"joints", OBJECT(joint), ANY_LIST}, {"center", INDEX(VRM_GLTF_NODES)},
        {"springRoot", INDEX(VRM_GLTF_NODES), NEEDS("setting")},
        {"rootSpring", INDEX(VRM_GLTF_NODES), NEEDS("setting")}, {"setting", OTHER_INDEX, NEEDS("hitRadius")},
        {"hitRadius", NUMBER, FROM(0)}, END}};
static const vrmi_schema spring_bone = {.name = "VRMC_springBone",
    .rules =
        (const vrmi_schema_rule[]){{"settings", OBJECT(setting), ANY_LIST}, {"springs", OBJECT(spring), ANY_LIST}, END},
    .later = "specVersion colliders colliderGroups"};

// --- VRMC_constraints ------------------------------------------------------------------------------------------------

#define SPACE ANY_CASE("model local")
#define CONSTRAINT \
    {"source", INDEX(VRM_GLTF_NODES), REQUIRED}, {"sourceSpace", SPACE}, {"destinationSpace", SPACE}, \
    { \
        "weight", NUMBER, FROM(0), TO(1) \
    }
static const vrmi_schema position = {
    .name = "position_constraint", .rules = (const vrmi_schema_rule[]){CONSTRAINT, {"freezeAxes", AXES(3)}, END}};
static const vrmi_schema rotation = {
    .name = "rotation_constraint", .rules = (const vrmi_schema_rule[]){CONSTRAINT, {"freezeAxes", AXES(3)}, END}};
static const vrmi_schema aim = {.name = "aim_constraint",
    .rules = (const vrmi_schema_rule[]){
        CONSTRAINT, {"aimVector", VECTOR(3)}, {"upVector", VECTOR(3)}, {"freezeAxes", AXES(2)}, END}};
#define CONSTRAINTS \
    {"position", OBJECT(position)}, {"rotation", OBJECT(rotation)}, \
    { \
        "aim", OBJECT(aim) \
    }
static const vrmi_schema constraints = {
    .name = "VRMC_constraints", .rules = (const vrmi_schema_rule[]){{"specVersion", STRING}, CONSTRAINTS, END}};

// --- VRMC_materials_mtoon --------------------------------------------------------------------------------------------

static const vrmi_schema mtoon = {.name = "VRMC_materials_mtoon",
    .rules = (const vrmi_schema_rule[]){{"version", STRING}, {"transparentWithZWrite", BOOL},
        {"renderQueueOffsetNumber", INTEGER}, {"shadeFactor", NUMBERS}, {"shadeColorFactor", NUMBERS},
        {"shadeMultiplyTexture", TEXTURE}, {"shadingShiftFactor", NUMBER}, {"shadingShiftTexture", TEXTURE},
        {"shadingToonyFactor", NUMBER}, {"lightColorAttenuationFactor", NUMBER}, {"giIntensityFactor", NUMBER},
        {"giEqualizationFactor", NUMBER}, {"additiveTexture", TEXTURE}, {"matcapTexture", TEXTURE},
        {"matcapFactor", NUMBERS}, {"rimFactor", NUMBERS}, {"parametricRimColorFactor", NUMBERS},
        {"rimMultiplyTexture", TEXTURE}, {"rimLightingMixFactor", NUMBER}, {"rimFresnelPowerFactor", NUMBER},
        {"parametricRimFresnelPowerFactor", NUMBER}, {"rimLiftFactor", NUMBER}, {"parametricRimLiftFactor", NUMBER},
        {"outlineWidthMode", ANY_CASE("none worldCoordinates screenCoordinates")}, {"outlineWidthFactor", NUMBER},
        {"outlineWidthMultiplyTexture", TEXTURE}, {"outlineScaledMaxDistanceFactor", NUMBER},
        {"outlineColorMode", ANY_CASE("fixedColor mixedLighting")}, {"outlineFactor", NUMBERS},
        {"outlineColorFactor", NUMBERS}, {"outlineLightingMixFactor", NUMBER}, {"uvAnimationMaskTexture", TEXTURE},
        {"uvAnimationScrollXSpeedFactor", NUMBER}, {"uvAnimationScrollYSpeedFactor", NUMBER},
        {"uvAnimationRotationSpeedFactor", NUMBER}, END},
    .later = "specVersion"};

const vrmi_schema_extension vrmi_schema_draft[] = {
    {"VRMC_vrm", "glTF", &vrm},
    {"VRMC_springBone", "glTF", &spring_bone},
    {"VRMC_node_collider", "node", &node_collider},
    {"VRMC_constraints", "node", &constraints},
    {"VRMC_constraints-1.0", "node", &constraints}, // name in the draft's prose
    {"VRMC_materials_mtoon", "material", &mtoon},
    {"VMRC_materials_mtoon", "material", &mtoon}, // spelling of an example in the draft
    {NULL, NULL, NULL},
};
