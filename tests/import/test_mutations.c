// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// A valid file with one change. Deliberate changes must be reported with their id and path. Random damage must be
// reported or give an avatar, and must never crash.

#include <time.h>

#include "avatar_file.h"
#include "damage.h"
#include "minimal_sample.h"

// --- deliberate changes
// -------------------------------------------------------------------------------------------------

// If the specification forbids a change, the file is refused, or repaired by default and refused by `strict`. With any
// other change the file loads.
typedef enum outcome { FAILS, REPAIRED, LOADS } outcome;

typedef struct mutation {
    const char *pointer;
    const char *json; // NULL: the value is removed
    outcome outcome;
    vrm_finding_id id;
    const char *path; // NULL: the same as the pointer
} mutation;

#define V "/extensions/VRMC_vrm"
#define META V "/meta"
#define BONES V "/humanoid/humanBones"
#define HAPPY V "/expressions/preset/happy"
#define LOOK V "/lookAt"
#define FP V "/firstPerson/meshAnnotations"
#define S "/extensions/VRMC_springBone"
#define HAIR S "/springs/2"
#define COLL S "/colliders"
#define EXT "/extensions/VRMC_springBone_extended_collider"
#define LIMIT "/extensions/VRMC_springBone_limit"
#define TOON "/materials/0/extensions/VRMC_materials_mtoon"
#define ROLL "/nodes/68/extensions/VRMC_node_constraint"
#define ROTATION "/nodes/69/extensions/VRMC_node_constraint"
#define AIM "/nodes/70/extensions/VRMC_node_constraint"
#define F(name) VRM_FINDING_##name

// clang-format off: one row per line
static const mutation mutations[] = {
    // the extension itself
    {"/extensions/VRMC_vrm", NULL, FAILS, F(VRM1_NO_VRM_EXTENSION), ""},
    {"/extensions/VRMC_vrm", "[]", FAILS, F(TYPE_MISMATCH), NULL},
    {V "/specVersion", NULL, LOADS, F(VRM1_SPEC_VERSION), NULL},
    {V "/specVersion", "\"2.0\"", LOADS, F(VRM1_SPEC_VERSION), NULL},
    {V "/specVersion", "1", LOADS, F(VRM1_SPEC_VERSION), NULL},
    // meta
    {META, NULL, LOADS, F(VRM1_META_MISSING), NULL},
    {META "/name", NULL, LOADS, F(VRM1_META_MISSING), NULL},
    {META "/name", "\"\"", LOADS, F(VRM1_META_MISSING), NULL},
    {META "/name", "5", REPAIRED, F(TYPE_MISMATCH), NULL},
    {META "/authors", "[]", LOADS, F(VRM1_META_MISSING), NULL},
    {META "/authors", "\"Ann\"", REPAIRED, F(TYPE_MISMATCH), NULL},
    {META "/authors/1", "7", REPAIRED, F(TYPE_MISMATCH), NULL},
    {META "/references/0", "null", REPAIRED, F(TYPE_MISMATCH), NULL},
    {META "/licenseUrl", NULL, LOADS, F(VRM1_LICENSE_URL), NULL},
    {META "/licenseUrl", "\"https://example.org/\"", LOADS, F(VRM1_LICENSE_URL), NULL},
    {META "/thumbnailImage", "1", REPAIRED, F(UNRESOLVED_REFERENCE), NULL},
    {META "/avatarPermission", "\"anyone\"", REPAIRED, F(VALUE_NOT_IN_LIST), NULL},
    {META "/commercialUsage", "\"Allow\"", REPAIRED, F(VALUE_NOT_IN_LIST), NULL},
    {META "/creditNotation", "true", REPAIRED, F(TYPE_MISMATCH), NULL},
    {META "/modification", "\"all\"", REPAIRED, F(VALUE_NOT_IN_LIST), NULL},
    {META "/allowRedistribution", "1", REPAIRED, F(TYPE_MISMATCH), NULL},
    {META "/allowExcessivelyViolentUsage", "\"true\"", REPAIRED, F(TYPE_MISMATCH), NULL},
    // humanoid
    {V "/humanoid", NULL, FAILS, F(UNDEFINED_PROPERTY), NULL},
    {BONES, NULL, FAILS, F(UNDEFINED_PROPERTY), NULL},
    {BONES, "[]", FAILS, F(TYPE_MISMATCH), NULL},
    {BONES "/hips", NULL, FAILS, F(VRM1_REQUIRED_BONE_MISSING), NULL},
    {BONES "/rightHand", NULL, FAILS, F(VRM1_REQUIRED_BONE_MISSING), NULL},
    {BONES "/head/node", NULL, FAILS, F(UNDEFINED_PROPERTY), NULL},
    {BONES "/head/node", "-1", FAILS, F(VALUE_NOT_IN_RANGE), NULL},
    {BONES "/head/node", "74", FAILS, F(UNRESOLVED_REFERENCE), NULL},
    {BONES "/head/node", "\"7\"", REPAIRED, F(TYPE_MISMATCH), NULL},
    {BONES "/head/node", "\"seven\"", FAILS, F(TYPE_MISMATCH), NULL},
    {BONES "/head", "7", FAILS, F(TYPE_MISMATCH), NULL},
    {BONES "/leftEye/node", "7", REPAIRED, F(VRM1_BONE_NOT_UNIQUE), NULL},
    {BONES "/leftLittleDistal/node", "73", REPAIRED, F(VRM1_BONE_HIERARCHY), NULL},
    {BONES "/tail", "{\"node\":73}", LOADS, F(VRM1_UNKNOWN_BONE), NULL},
    {BONES "/chest", NULL, LOADS, F(VRM1_BONE_PARENT_MISSING), BONES "/upperChest"},
    {BONES "/leftIndexIntermediate", NULL, LOADS, F(VRM1_BONE_PARENT_MISSING), BONES "/leftIndexDistal"},
    {"/nodes/7/scale", "[1,0,1]", REPAIRED, F(VRM1_BONE_SCALE_ZERO), NULL},
    {"/nodes/7/scale", "[-1,-1,-1]", LOADS, F(VRM1_BONE_SCALE_NEGATIVE), NULL},
    {"/nodes/7/scale", "[1,1,2]", LOADS, F(VRM1_BONE_SCALE_NOT_UNIFORM), NULL},
    // expressions
    {V "/expressions", "\"happy\"", REPAIRED, F(TYPE_MISMATCH), NULL},
    {HAPPY, "3", REPAIRED, F(TYPE_MISMATCH), NULL},
    {V "/expressions/preset/merry", "{}", LOADS, F(VRM1_UNKNOWN_PRESET), NULL},
    {V "/expressions/custom/sad", "{}", LOADS, F(VRM1_CUSTOM_NAME_IS_PRESET), NULL},
    {V "/expressions/custom/smirk", "[]", REPAIRED, F(TYPE_MISMATCH), NULL},
    {HAPPY "/isBinary", "1", REPAIRED, F(TYPE_MISMATCH), NULL},
    {HAPPY "/overrideMouth", "\"all\"", REPAIRED, F(VALUE_NOT_IN_LIST), NULL},
    {HAPPY "/morphTargetBinds", "[]", LOADS, F(VRM1_EMPTY_ARRAY), NULL},
    {HAPPY "/morphTargetBinds/0", "4", REPAIRED, F(TYPE_MISMATCH), NULL},
    {HAPPY "/morphTargetBinds/0/node", NULL, REPAIRED, F(UNDEFINED_PROPERTY), NULL},
    {HAPPY "/morphTargetBinds/0/node", "99", REPAIRED, F(UNRESOLVED_REFERENCE), NULL},
    {HAPPY "/morphTargetBinds/0/node", "7", REPAIRED, F(VRM1_MORPH_TARGET_NODE_WITHOUT_MESH), NULL},
    {HAPPY "/morphTargetBinds/1/index", "3", REPAIRED, F(VRM1_MORPH_TARGET_INDEX_OOB), NULL},
    {HAPPY "/morphTargetBinds/1/index", "0.5", REPAIRED, F(TYPE_MISMATCH), NULL},
    {HAPPY "/morphTargetBinds/0/weight", NULL, REPAIRED, F(UNDEFINED_PROPERTY), NULL},
    {HAPPY "/morphTargetBinds/0/weight", "100", LOADS, F(VRM1_MORPH_WEIGHT_RANGE), NULL},
    {HAPPY "/materialColorBinds/2/material", "4", REPAIRED, F(UNRESOLVED_REFERENCE), NULL},
    {HAPPY "/materialColorBinds/2/type", "\"fur\"", REPAIRED, F(VALUE_NOT_IN_LIST), NULL},
    {HAPPY "/materialColorBinds/2/material", "1", LOADS, F(VRM1_COLOR_BIND_NO_TARGET),
        HAPPY "/materialColorBinds/2/type"},
    {HAPPY "/materialColorBinds/0/targetValue", "[1,1,1]", REPAIRED, F(ARRAY_LENGTH_NOT_IN_LIST), NULL},
    {HAPPY "/materialColorBinds/0/targetValue/1", "\"1\"", REPAIRED, F(TYPE_MISMATCH), NULL},
    {HAPPY "/textureTransformBinds/0/material", NULL, REPAIRED, F(UNDEFINED_PROPERTY), NULL},
    {HAPPY "/textureTransformBinds/0/scale", "[1]", REPAIRED, F(ARRAY_LENGTH_NOT_IN_LIST), NULL},
    // look-at and first person
    {LOOK "/offsetFromHeadBone", "[0,0]", REPAIRED, F(ARRAY_LENGTH_NOT_IN_LIST), NULL},
    {LOOK "/offsetFromHeadBone", NULL, LOADS, F(VRM1_LOOK_AT_DEFAULT), NULL},
    {LOOK "/type", NULL, LOADS, F(VRM1_LOOK_AT_DEFAULT), NULL},
    {LOOK "/type", "\"blendShape\"", REPAIRED, F(VALUE_NOT_IN_LIST), NULL},
    {LOOK "/type", "\"expression\"", LOADS, F(VRM1_LOOK_AT_NO_EXPRESSIONS), NULL},
    {LOOK "/rangeMapVerticalUp", NULL, LOADS, F(VRM1_LOOK_AT_DEFAULT), NULL},
    {LOOK "/rangeMapVerticalUp/outputScale", NULL, LOADS, F(VRM1_LOOK_AT_DEFAULT), NULL},
    {LOOK "/rangeMapVerticalUp/inputMaxValue", "360", LOADS, F(VRM1_LOOK_AT_RANGE), NULL},
    {LOOK "/rangeMapVerticalUp/inputMaxValue", "1e39", REPAIRED, F(VALUE_NOT_IN_RANGE), NULL},
    {FP "/0/type", "\"none\"", REPAIRED, F(VALUE_NOT_IN_LIST), NULL},
    {FP "/0/type", NULL, LOADS, F(VRM1_FIRST_PERSON_DEFAULT), NULL},
    {FP "/0/node", "99", REPAIRED, F(UNRESOLVED_REFERENCE), NULL},
    {FP "/0/node", "7", LOADS, F(VRM1_FIRST_PERSON_NODE_WITHOUT_MESH), NULL},
    {FP "/1/node", "0", LOADS, F(VRM1_FIRST_PERSON_DUPLICATE), NULL},
    {FP, "[]", LOADS, F(VRM1_EMPTY_ARRAY), NULL},
    // springs
    {S, "7", REPAIRED, F(TYPE_MISMATCH), NULL},
    {S "/specVersion", NULL, LOADS, F(VRM1_SPEC_VERSION), NULL},
    {HAIR "/joints", NULL, REPAIRED, F(UNDEFINED_PROPERTY), NULL},
    {HAIR "/joints/1/node", NULL, REPAIRED, F(UNDEFINED_PROPERTY), NULL},
    {HAIR "/joints/1/node", "400", REPAIRED, F(UNRESOLVED_REFERENCE), NULL},
    {HAIR "/joints/1/node", "57", REPAIRED, F(VRM1_SPRING_JOINT_NOT_DESCENDANT), NULL},
    {HAIR "/joints/3/node", "65", REPAIRED, F(VRM1_SPRING_JOINT_NOT_DESCENDANT), NULL},
    {HAIR "/joints/0/stiffness", "-1", REPAIRED, F(VALUE_NOT_IN_RANGE), NULL},
    {HAIR "/joints/0/dragForce", "1.5", REPAIRED, F(VALUE_NOT_IN_RANGE), NULL},
    {HAIR "/joints/0/hitRadius", "\"big\"", REPAIRED, F(TYPE_MISMATCH), NULL},
    {HAIR "/joints/0/gravityPower", "-0.1", REPAIRED, F(VALUE_NOT_IN_RANGE), NULL},
    {HAIR "/joints/0/gravityDir", "[0,-1]", REPAIRED, F(ARRAY_LENGTH_NOT_IN_LIST), NULL},
    {HAIR "/joints/0" LIMIT "/limit", "{}", REPAIRED, F(VRM1_SPRING_LIMIT), NULL},
    {HAIR "/joints/0" LIMIT "/limit/hinge", "{\"angle\":1}", REPAIRED, F(VRM1_SPRING_LIMIT),
        HAIR "/joints/0" LIMIT "/limit"},
    {HAIR "/joints/0" LIMIT "/limit/cone/angle", NULL, REPAIRED, F(UNDEFINED_PROPERTY), NULL},
    {HAIR "/joints/0" LIMIT "/limit/cone/angle", "-1", REPAIRED, F(VALUE_NOT_IN_RANGE), NULL},
    {HAIR "/center", "74", REPAIRED, F(UNRESOLVED_REFERENCE), NULL},
    {HAIR "/center", "9", LOADS, F(VRM1_SPRING_CENTER), NULL},
    {S "/springs/0/center", "57", LOADS, F(VRM1_SPRING_CENTER), NULL},
    {HAIR "/colliderGroups", "[3]", REPAIRED, F(UNRESOLVED_REFERENCE), HAIR "/colliderGroups/0"},
    {S "/colliderGroups/0/colliders/1", "6", REPAIRED, F(UNRESOLVED_REFERENCE), NULL},
    {S "/colliderGroups/0/colliders", NULL, REPAIRED, F(UNDEFINED_PROPERTY), NULL},
    {S "/colliderGroups/0/colliders", "[]", LOADS, F(VRM1_EMPTY_ARRAY), NULL},
    {S "/springs/1/joints", "[{\"node\":59},{\"node\":60}]", LOADS, F(VRM1_SPRING_OVERLAP), HAIR "/joints/1"},
    {S "/springs/3/joints", "[{\"node\":58},{\"node\":60}]", LOADS, F(VRM1_SPRING_OVERLAP), S "/springs/3/joints/0"},
    {S "/springs/0/joints/0/node", "61", REPAIRED, F(VRM1_SPRING_JOINT_NOT_DESCENDANT), NULL},
    {HAIR "/joints/3/node", "62", LOADS, F(VRM1_SPRING_TAIL_SHARED), NULL},
    {HAIR "/colliderGroups", "[2]", LOADS, F(VRM1_SPRING_TOO_SHORT), S "/springs/3/joints"},
    // colliders
    {COLL "/0/node", NULL, REPAIRED, F(UNDEFINED_PROPERTY), NULL},
    {COLL "/0/node", "1000", REPAIRED, F(UNRESOLVED_REFERENCE), NULL},
    {COLL "/0/shape", NULL, REPAIRED, F(UNDEFINED_PROPERTY), NULL},
    {COLL "/0/shape", "{}", REPAIRED, F(VRM1_COLLIDER_SHAPE), NULL},
    {COLL "/0/shape/capsule", "{}", REPAIRED, F(VRM1_COLLIDER_SHAPE), COLL "/0/shape"},
    {COLL "/0/shape", "{\"radius\":1,\"offset\":[0,0,0],\"tail\":[0,1,0]}", LOADS, F(VRM1_COLLIDER_SHAPE_BETA), NULL},
    {COLL "/0/shape/sphere/radius", "-0.5", REPAIRED, F(VALUE_NOT_IN_RANGE), NULL},
    {COLL "/1/shape/capsule/tail", "[1,2,3,4]", REPAIRED, F(ARRAY_LENGTH_NOT_IN_LIST), NULL},
    {COLL "/2/shape", NULL, LOADS, F(VRM1_COLLIDER_NO_FALLBACK), NULL},
    {COLL "/2" EXT "/specVersion", NULL, LOADS, F(VRM1_SPEC_VERSION), NULL},
    {COLL "/2" EXT "/shape/sphere/inside", "0", REPAIRED, F(TYPE_MISMATCH), NULL},
    {COLL "/4" EXT "/shape/plane/normal", "[0,2,0]", LOADS, F(VRM1_COLLIDER_PLANE_NORMAL), NULL},
    {COLL "/4" EXT "/shape/plane/normal", "[0,0,0]", REPAIRED, F(VRM1_COLLIDER_PLANE_NORMAL_ZERO), NULL},
    // constraints
    {ROLL "/constraint", NULL, REPAIRED, F(UNDEFINED_PROPERTY), NULL},
    {ROLL "/constraint", "{}", REPAIRED, F(VRM1_CONSTRAINT_TYPE), NULL},
    {ROLL "/constraint/aim", "{\"source\":2,\"aimAxis\":\"PositiveX\"}", REPAIRED, F(VRM1_CONSTRAINT_TYPE),
        ROLL "/constraint"},
    {ROLL "/constraint/roll/source", NULL, REPAIRED, F(UNDEFINED_PROPERTY), NULL},
    {ROLL "/constraint/roll/source", "77", REPAIRED, F(UNRESOLVED_REFERENCE), NULL},
    {ROLL "/constraint/roll/source", "68", REPAIRED, F(VRM1_CONSTRAINT_SELF), NULL},
    {ROLL "/constraint/roll/rollAxis", "\"W\"", REPAIRED, F(VALUE_NOT_IN_LIST), NULL},
    {ROLL "/constraint/roll/rollAxis", NULL, REPAIRED, F(UNDEFINED_PROPERTY), NULL},
    {ROLL "/constraint/roll/weight", "2", REPAIRED, F(VALUE_NOT_IN_RANGE), NULL},
    {ROLL "/specVersion", NULL, LOADS, F(VRM1_SPEC_VERSION), NULL},
    {ROLL "/constraint/roll/source", "69", REPAIRED, F(VRM1_CONSTRAINT_CYCLE), ROLL "/constraint"},
    {AIM "/constraint/aim/aimAxis", "\"Z\"", REPAIRED, F(VALUE_NOT_IN_LIST), NULL},
    // The aim's source is a child of the node that it rotates.
    {AIM, "{\"specVersion\":\"1.0\",\"constraint\":{\"rotation\":{\"source\":7}}}", LOADS, F(VRM1_SPRING_TOO_SHORT),
        S "/springs/3/joints"},
    {ROTATION, "{\"specVersion\":\"1.0\",\"constraint\":{\"aim\":{\"source\":71,\"aimAxis\":\"PositiveX\"}}}", REPAIRED,
        F(VRM1_CONSTRAINT_CYCLE), ROTATION "/constraint"},
    // materials
    {TOON "/renderQueueOffsetNumber", "12", LOADS, F(VRM1_RENDER_QUEUE_OFFSET), NULL},
    {TOON "/renderQueueOffsetNumber", "-3", LOADS, F(VRM1_RENDER_QUEUE_OFFSET), NULL},
    {TOON "/shadeColorFactor", "[1,1]", REPAIRED, F(ARRAY_LENGTH_NOT_IN_LIST), NULL},
    {TOON "/shadeMultiplyTexture/index", "12", REPAIRED, F(UNRESOLVED_REFERENCE), NULL},
    {TOON "/outlineWidthMode", "\"thick\"", REPAIRED, F(VALUE_NOT_IN_LIST), NULL},
    {TOON "/transparentWithZWrite", "0", REPAIRED, F(TYPE_MISMATCH), NULL},
    {TOON "/specVersion", "\"0.0\"", LOADS, F(VRM1_SPEC_VERSION), NULL},
    {"/textures/0/source", "99", REPAIRED, F(UNRESOLVED_REFERENCE), NULL},
    {"/textures/0/sampler", "\"linear\"", REPAIRED, F(TYPE_MISMATCH), NULL},
    {"/materials/0/pbrMetallicRoughness/baseColorTexture/index", "99", REPAIRED, F(UNRESOLVED_REFERENCE), NULL},
    {"/materials/0/alphaMode", "\"CLIP\"", REPAIRED, F(VALUE_NOT_IN_LIST), NULL},
    {"/materials/0/pbrMetallicRoughness/baseColorFactor", "[1,1,1]", REPAIRED, F(ARRAY_LENGTH_NOT_IN_LIST), NULL},
    {"/materials/0/extensions/KHR_materials_emissive_strength/emissiveStrength", "-1", REPAIRED, F(VALUE_NOT_IN_RANGE),
        NULL},
    // the rest pose
    {"/nodes/60/translation", "[3e38,0,0]", FAILS, F(VRM1_REST_POSE_OVERFLOW), "/nodes/60"},
};
// clang-format on

// Sets or removes one value of the valid file by the library's own lossless editing.
static bool mutate(const mutation *m, const uint8_t *glb, size_t size, vrm_bytes *out)
{
    vrm_gltf *gltf = NULL;
    bool good = vrm_gltf_load(NULL, glb, size, NULL, &gltf) == VRM_SUCCESS;
    if (good) {
        good = (m->json != NULL ? vrm_gltf_set_json(gltf, m->pointer, m->json, strlen(m->json))
                                : vrm_gltf_remove_json(gltf, m->pointer)) == VRM_SUCCESS &&
               vrm_gltf_save(gltf, out) == VRM_SUCCESS;
    }
    vrm_gltf_destroy(gltf);
    return good;
}

static void check_loaded(const mutation *m, const vrm_bytes *bytes, bool strict)
{
    vrm_avatar_def def;
    vrm_avatar_def_default(&def);
    def.strict = strict;
    vrm_report *report;
    vrm_report_create(NULL, &report);
    vrm_avatar *avatar = NULL;
    const vrm_result result = vrm_avatar_load(&def, bytes->data, bytes->size, report, &avatar);
    const bool loads = m->outcome == LOADS || (m->outcome == REPAIRED && !strict);
    const char *path = m->path != NULL ? m->path : m->pointer;
    const int found = has_finding(report, m->id, path);
    const vrm_result expected = loads ? VRM_SUCCESS : VRM_ERROR_INVALID_ASSET;
    CHECK_INT(result, expected);
    CHECK(found);
    // The change is the only fault: it causes one error, and no others follow from it.
    const uint32_t errors = vrm_report_get_severity_count(report, VRM_SEVERITY_ERROR);
    CHECK_INT(errors, loads ? 0 : 1);
    bool told = true;
    if (avatar != NULL) {
        vrm_avatar_counts counts = {.struct_size = sizeof counts};
        vrm_avatar_get_counts(avatar, &counts);
        told = ((counts.flags & VRM_AVATAR_REPAIRED) != 0) == (m->outcome == REPAIRED);
        CHECK(told);
    }
    if (result != expected || !found || errors > 1 || !told) {
        printf("  %s = %s%s\n", m->pointer, m->json != NULL ? m->json : "(removed)", strict ? ", strict" : "");
        print_report(report);
    }
    vrm_avatar_release(avatar);
    vrm_report_destroy(report);
}

static void aimed_mutations_are_found(void)
{
    size_t size;
    uint8_t *glb = avatar_file_make(&size);
    const size_t count = sizeof mutations / sizeof *mutations;
    CHECK(count >= 100);
    for (size_t i = 0; i < count; ++i) {
        const mutation *m = &mutations[i];
        vrm_bytes bytes = {0};
        const bool made = mutate(m, glb, size, &bytes);
        CHECK(made);
        check_loaded(m, &bytes, false);
        check_loaded(m, &bytes, true);
        vrm_bytes_free(&bytes);
    }
    free(glb);
}

// --- the results of repairs ------------------------------------------------------------------------------------------

static vrm_avatar *load_mutated(const mutation *list, size_t count)
{
    size_t size;
    uint8_t *glb = avatar_file_make(&size);
    vrm_gltf *gltf = NULL;
    vrm_bytes bytes = {0};
    vrm_avatar *avatar = NULL;
    CHECK_INT(vrm_gltf_load(NULL, glb, size, NULL, &gltf), VRM_SUCCESS);
    for (size_t i = 0; i < count; ++i) {
        CHECK_INT(list[i].json != NULL ? vrm_gltf_set_json(gltf, list[i].pointer, list[i].json, strlen(list[i].json))
                                       : vrm_gltf_remove_json(gltf, list[i].pointer),
            VRM_SUCCESS);
    }
    CHECK_INT(vrm_gltf_save(gltf, &bytes), VRM_SUCCESS);
    vrm_report *report;
    vrm_report_create(NULL, &report);
    CHECK_INT(vrm_avatar_load(NULL, bytes.data, bytes.size, report, &avatar), VRM_SUCCESS);
    if (avatar == NULL) {
        print_report(report);
    }
    vrm_report_destroy(report);
    vrm_bytes_free(&bytes);
    vrm_gltf_destroy(gltf);
    free(glb);
    return avatar;
}

static void old_thumbs_move_up(void)
{
    static const mutation list[] = {
        {BONES "/leftThumbMetacarpal", NULL, LOADS, 0, NULL},
        {BONES "/leftThumbProximal", "{\"node\":27}", LOADS, 0, NULL},
        {BONES "/leftThumbIntermediate", "{\"node\":28}", LOADS, 0, NULL},
    };
    vrm_avatar *avatar = load_mutated(list, 3);
    if (avatar != NULL) { // node 27 is the unchanged file's leftThumbMetacarpal
        CHECK_INT(FILE_BONE(LEFT_THUMB_METACARPAL), 27);
        CHECK_INT(vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_LEFT_THUMB_METACARPAL),
            vrm_avatar_find_gltf_node(avatar, 27));
        CHECK_INT(vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_LEFT_THUMB_PROXIMAL),
            vrm_avatar_find_gltf_node(avatar, 28));
        CHECK_INT(
            vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_LEFT_THUMB_DISTAL), vrm_avatar_find_gltf_node(avatar, 29));
    }
    vrm_avatar_release(avatar);
}

static void a_missing_optional_bone_is_skipped(void)
{
    static const mutation list[] = {
        {BONES "/upperChest", NULL, LOADS, 0, NULL}, {BONES "/leftShoulder", NULL, LOADS, 0, NULL}};
    vrm_avatar *avatar = load_mutated(list, 2);
    if (avatar != NULL) {
        CHECK_INT(vrm_avatar_get_bone_node(avatar, VRM_HUMAN_BONE_UPPER_CHEST), -1);
        CHECK_INT(vrm_avatar_get_bone_parent(avatar, VRM_HUMAN_BONE_LEFT_UPPER_ARM), VRM_HUMAN_BONE_CHEST);
        CHECK_INT(vrm_avatar_get_bone_parent(avatar, VRM_HUMAN_BONE_NECK), VRM_HUMAN_BONE_CHEST);
    }
    vrm_avatar_release(avatar);
}

static void a_missing_offset_is_between_the_eyes(void)
{
    static const mutation list[] = {{LOOK, NULL, LOADS, 0, NULL}};
    vrm_avatar *avatar = load_mutated(list, 1);
    file_node nodes[FILE_NODES];
    file_nodes(nodes);
    vrm_look_at look = {.struct_size = sizeof look};
    if (avatar != NULL) {
        vrm_avatar_get_look_at(avatar, &look);
        CHECK_INT(look.type, VRM_LOOK_AT_NONE);
        const float *left = nodes[FILE_BONE(LEFT_EYE)].translation, *right = nodes[FILE_BONE(RIGHT_EYE)].translation;
        CHECK_NEAR(look.offset_from_head_bone.x, 0.5 * ((double)left[0] + (double)right[0]), 1e-6);
        CHECK_NEAR(look.offset_from_head_bone.y, 0.5 * ((double)left[1] + (double)right[1]), 1e-6);
        CHECK_NEAR(look.offset_from_head_bone.z, 0.5 * ((double)left[2] + (double)right[2]), 1e-6);
    }
    vrm_avatar_release(avatar);
    static const mutation blind[] = {
        {LOOK "/offsetFromHeadBone", NULL, LOADS, 0, NULL}, {BONES "/leftEye", NULL, LOADS, 0, NULL}};
    avatar = load_mutated(blind, 2);
    if (avatar != NULL) {
        vrm_avatar_get_look_at(avatar, &look);
        CHECK_NEAR(look.offset_from_head_bone.y, 0.06, 1e-7);
        CHECK_NEAR(look.offset_from_head_bone.z, 0, 0);
    }
    vrm_avatar_release(avatar);
}

static void overlapping_springs_share_no_node(void)
{
    static const mutation list[] = {{S "/springs/3/joints", "[{\"node\":59},{\"node\":60}]", LOADS, 0, NULL}};
    vrm_avatar *avatar = load_mutated(list, 1);
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    if (avatar != NULL) {
        vrm_avatar_get_counts(avatar, &counts);
        CHECK_INT(counts.spring_chains, 3);
    }
    vrm_avatar_release(avatar);
    // In the opposite order hair comes later. It loses the joint at 58, whose path down to 60 contains 59. The joints
    // before and after it stay, each in a chain of its own.
    static const mutation other[] = {{S "/springs/1/joints", "[{\"node\":59},{\"node\":60}]", LOADS, 0, NULL}};
    avatar = load_mutated(other, 1);
    if (avatar != NULL) {
        vrm_avatar_get_counts(avatar, &counts);
        CHECK_INT(counts.spring_chains, 4);
        uint32_t joints = 0;
        for (uint32_t i = 0; i < counts.spring_chains; ++i) {
            vrm_spring_chain chain = {.struct_size = sizeof chain};
            vrm_spring_joint joint = {.struct_size = sizeof joint};
            vrm_avatar_get_spring_chain(avatar, i, &chain);
            for (uint32_t j = 0; j < chain.joint_count && chain.spring == 2; ++j, ++joints) {
                vrm_avatar_get_spring_joint(avatar, chain.first_joint + j, &joint);
                CHECK_INT(joint.spring, 2);
                CHECK(joint.joint == 0 || joint.joint == 2);
                CHECK_INT(joint.node, vrm_avatar_find_gltf_node(avatar, joint.joint == 0 ? 57 : 60));
                CHECK_INT(joint.tail_node, vrm_avatar_find_gltf_node(avatar, joint.joint == 0 ? 58 : 61));
            }
        }
        CHECK_INT(joints, 2);
    }
    vrm_avatar_release(avatar);
}

// The skirt collides with a collider on the hair, and the hair with one on the skirt. The first spring in the file
// whose root does not move comes first, and both keep their colliders.
static void a_circle_of_colliders_is_cut(void)
{
    static const mutation list[] = {
        {COLL "/-", "{\"node\":65,\"shape\":{\"sphere\":{}}}", LOADS, 0, NULL},
        {S "/colliderGroups/-", "{\"colliders\":[6]}", LOADS, 0, NULL},
        {HAIR "/colliderGroups", "[3,2]", LOADS, 0, NULL},
    };
    vrm_avatar *avatar = load_mutated(list, 3);
    if (avatar != NULL) {
        vrm_avatar_counts counts = {.struct_size = sizeof counts};
        vrm_avatar_get_counts(avatar, &counts);
        CHECK_INT(counts.spring_chains, 3);
        static const uint32_t order[3] = {1, 2, 0}; // indices of skirt, hair, band
        for (uint32_t i = 0; i < 3; ++i) {
            vrm_spring_chain chain = {.struct_size = sizeof chain};
            vrm_avatar_get_spring_chain(avatar, i, &chain);
            CHECK_INT(chain.spring, order[i]);
        }
    }
    vrm_avatar_release(avatar);
}

static void beta_is_told(void)
{
    static const mutation list[] = {
        {V "/specVersion", "\"1.0-beta\"", LOADS, 0, NULL}, {S "/specVersion", "\"1.0-beta\"", LOADS, 0, NULL}};
    vrm_avatar *avatar = load_mutated(list, 2);
    if (avatar != NULL) {
        CHECK_STRING(vrm_avatar_get_dialect(avatar), "1.0-beta");
    }
    vrm_avatar_release(avatar);
}

// --- random ------------------------------------------------------------------------------------------------------------

static void survive_seeds(const uint8_t *bytes, size_t size, int rounds)
{
    uint8_t *copy = malloc(size);
    const size_t json_end = damage_json_end(bytes, size);
    int loaded = 0, refused = 0;
    CHECK(copy != NULL && json_end != 0);
    for (int i = 0; i < rounds && copy != NULL && json_end != 0; ++i) {
        test_random random = test_random_make((uint64_t)i);
        memcpy(copy, bytes, size);
        const size_t left = damage(&random, copy, size, json_end);
        const clock_t start = clock();
        *(damage_survive(copy, left) == VRM_SUCCESS ? &loaded : &refused) += 1;
        CHECK((clock() - start) / CLOCKS_PER_SEC < 1); // a broken file must not take long
    }
    printf("%d loaded, %d refused\n", loaded, refused);
    CHECK(loaded > rounds / 50 && refused > rounds / 4);
    free(copy);
}

static void random_damage_is_survived(void)
{
    size_t size;
    uint8_t *glb = avatar_file_make(&size);
    survive_seeds(glb, size, 300);
    free(glb);
}

static void random_damage_to_the_sample_is_survived(void)
{
    vrm_bytes bytes = {0};
    CHECK_INT(scene_minimal_sample(0, &bytes), VRM_SUCCESS);
    survive_seeds(bytes.data, bytes.size, 30);
    vrm_bytes_free(&bytes);
}

static const test_case cases[] = {
    {"aimed_mutations_are_found", aimed_mutations_are_found},
    {"old_thumbs_move_up", old_thumbs_move_up},
    {"a_missing_optional_bone_is_skipped", a_missing_optional_bone_is_skipped},
    {"a_missing_offset_is_between_the_eyes", a_missing_offset_is_between_the_eyes},
    {"overlapping_springs_share_no_node", overlapping_springs_share_no_node},
    {"a_circle_of_colliders_is_cut", a_circle_of_colliders_is_cut},
    {"beta_is_told", beta_is_told},
    {"random_damage_is_survived", random_damage_is_survived},
    {"random_damage_to_the_sample_is_survived", random_damage_to_the_sample_is_survived},
};

RUN_TESTS(cases)
