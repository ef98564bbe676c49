// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "validate/schema_words.h"

// VRM 0.x by its JSON schemas. Indices may be -1 for none, except those of binds. Importing accepts words in other
// cases and other variants that exporters write, so it checks them instead.

static const vrmi_schema vector = {.name = "vector",
    .rules = (const vrmi_schema_rule[]){{"x", NUMBER}, {"y", NUMBER}, {"z", NUMBER}, {"w", NUMBER}, END}};

static const vrmi_schema meta = {.name = "VRM_0.x_meta",
    .rules = (const vrmi_schema_rule[]){{"title", STRING}, {"version", STRING}, {"author", STRING},
        {"contactInformation", STRING}, {"reference", STRING}, {"texture", INTEGER, FROM(-1)},
        {"allowedUserName", STRING}, {"violentUssageName", STRING}, {"sexualUssageName", STRING},
        {"commercialUssageName", STRING}, {"otherPermissionUrl", STRING}, {"licenseName", STRING},
        {"otherLicenseUrl", STRING}, END}};

static const vrmi_schema bone = {.name = "VRM_0.x_bone",
    .rules = (const vrmi_schema_rule[]){{"bone", STRING}, {"node", INTEGER, FROM(-1)}, {"useDefaultValues", BOOL},
        {"min", OBJECT(vector)}, {"max", OBJECT(vector)}, {"center", OBJECT(vector)}, {"axisLength", NUMBER}, END}};
static const vrmi_schema humanoid = {.name = "VRM_0.x_humanoid",
    .rules = (const vrmi_schema_rule[]){{"humanBones", OBJECT(bone), ANY_LIST}, {"armStretch", NUMBER},
        {"legStretch", NUMBER}, {"upperArmTwist", NUMBER}, {"lowerArmTwist", NUMBER}, {"upperLegTwist", NUMBER},
        {"lowerLegTwist", NUMBER}, {"feetSpacing", NUMBER}, {"hasTranslationDoF", BOOL}, END}};

static const vrmi_schema annotation = {.name = "VRM_0.x_mesh_annotation",
    .rules = (const vrmi_schema_rule[]){{"mesh", INTEGER, FROM(-1)}, {"firstPersonFlag", STRING}, END}};
static const vrmi_schema degree_map = {.name = "VRM_0.x_degree_map",
    .rules = (const vrmi_schema_rule[]){{"curve", NUMBER, ANY_LIST}, {"xRange", NUMBER}, {"yRange", NUMBER}, END}};
static const vrmi_schema first_person = {.name = "VRM_0.x_firstPerson",
    .rules =
        (const vrmi_schema_rule[]){{"firstPersonBone", INTEGER, FROM(-1)}, {"firstPersonBoneOffset", OBJECT(vector)},
            {"meshAnnotations", OBJECT(annotation), ANY_LIST}, {"lookAtTypeName", STRING},
            {"lookAtHorizontalInner", OBJECT(degree_map)}, {"lookAtHorizontalOuter", OBJECT(degree_map)},
            {"lookAtVerticalDown", OBJECT(degree_map)}, {"lookAtVerticalUp", OBJECT(degree_map)}, END}};

static const vrmi_schema bind = {.name = "VRM_0.x_bind",
    .rules = (const vrmi_schema_rule[]){
        {"mesh", INTEGER, FROM(0)}, {"index", INTEGER, FROM(0)}, {"weight", NUMBER, FROM(0), TO(100)}, END}};
static const vrmi_schema material_value = {.name = "VRM_0.x_material_value",
    .rules = (const vrmi_schema_rule[]){
        {"materialName", STRING}, {"propertyName", STRING}, {"targetValue", NUMBER, ANY_LIST}, END}};
static const vrmi_schema group = {.name = "VRM_0.x_blend_shape_group",
    .rules = (const vrmi_schema_rule[]){{"name", STRING}, {"presetName", STRING}, {"binds", OBJECT(bind), ANY_LIST},
        {"materialValues", OBJECT(material_value), ANY_LIST}, {"isBinary", BOOL}, END}};
static const vrmi_schema master = {.name = "VRM_0.x_blendShapeMaster",
    .rules = (const vrmi_schema_rule[]){{"blendShapeGroups", OBJECT(group), ANY_LIST}, END}};

static const vrmi_schema sphere = {.name = "VRM_0.x_collider",
    .rules = (const vrmi_schema_rule[]){{"offset", OBJECT(vector)}, {"radius", NUMBER}, END}};
static const vrmi_schema collider_group = {.name = "VRM_0.x_collider_group",
    .rules = (const vrmi_schema_rule[]){{"node", INTEGER, FROM(-1)}, {"colliders", OBJECT(sphere), ANY_LIST}, END}};
static const vrmi_schema spring = {.name = "VRM_0.x_bone_group",
    .rules = (const vrmi_schema_rule[]){{"comment", STRING}, {"stiffiness", NUMBER}, {"gravityPower", NUMBER},
        {"gravityDir", OBJECT(vector)}, {"dragForce", NUMBER}, {"center", INTEGER, FROM(-1)}, {"hitRadius", NUMBER},
        {"bones", INTEGER, ANY_LIST, FROM(-1)}, {"colliderGroups", INTEGER, ANY_LIST, FROM(-1)}, END}};
static const vrmi_schema secondary = {.name = "VRM_0.x_secondaryAnimation",
    .rules = (const vrmi_schema_rule[]){
        {"boneGroups", OBJECT(spring), ANY_LIST}, {"colliderGroups", OBJECT(collider_group), ANY_LIST}, END}};

static const vrmi_schema material = {.name = "VRM_0.x_material",
    .rules = (const vrmi_schema_rule[]){{"name", STRING}, {"shader", STRING}, {"renderQueue", INTEGER},
        {"floatProperties", NUMBER, MAP}, {"vectorProperties", ANYTHING, MAP},
        {"textureProperties", INDEX(VRM_GLTF_TEXTURES), MAP}, {"keywordMap", BOOL, MAP}, {"tagMap", STRING, MAP}, END}};

static const vrmi_schema vrm = {.name = "VRM",
    .rules = (const vrmi_schema_rule[]){{"exporterVersion", STRING}, {"specVersion", STRING}, {"meta", OBJECT(meta)},
        {"humanoid", OBJECT(humanoid)}, {"firstPerson", OBJECT(first_person)}, {"blendShapeMaster", OBJECT(master)},
        {"secondaryAnimation", OBJECT(secondary)}, {"materialProperties", OBJECT(material), ANY_LIST},
        {"version", STRING}, END}};

const vrmi_schema_extension vrmi_schema_vrm0[] = {
    {"VRM", "glTF", &vrm},
    {NULL, NULL, NULL},
};
