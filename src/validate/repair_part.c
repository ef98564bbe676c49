// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "validate/repair_part.h"

#include <string.h>

#include "base/checks.h"
#include "base/text.h"
#include "format/gltf/gltf_document.h"
#include "model/names.h"

#define VRMC "/extensions/VRMC_vrm"
#define EXPRESSION VRMC "/expressions/*/*"
#define META VRMC "/meta"
#define SPRINGS "/extensions/VRMC_springBone"
#define JOINT SPRINGS "/springs/*/joints/*"
#define LIMIT JOINT "/extensions/VRMC_springBone_limit"
#define COLLIDER SPRINGS "/colliders/*"
#define EXTENDED COLLIDER "/extensions/VRMC_springBone_extended_collider"
#define CONSTRAINT "/nodes/*/extensions/VRMC_node_constraint"
#define PRIMITIVE "/meshes/*/primitives/*"
#define TARGET PRIMITIVE "/targets/*"
#define OLD "/extensions/VRM"
#define OLD_GROUP OLD "/blendShapeMaster/blendShapeGroups/*"
#define OLD_SPRINGS OLD "/secondaryAnimation"

// Repairs by path; the first matching row is used. In a pattern, '*' matches any one part of the path, and '$' requires
// the end of the path. '!' marks the end of the path to repair; without it, the whole matched path is repaired.
static const struct {
    const char *pattern;
    vrmi_part_cure cure;
    const char *text;
} rows[] = {
    // Springs: removes a joint without a node and a collider without a shape.
    {JOINT "!/node", VRMI_PART_LEFT_OUT, NULL},
    {LIMIT "!/limit$", VRMI_PART_LEFT_OUT, NULL},
    {LIMIT "/limit/spherical/yaw$", VRMI_PART_SET, "1.5707963"},
    {LIMIT "/limit/*/angle$", VRMI_PART_SET, "3.1415927"},
    {LIMIT "/limit/spherical/pitch$", VRMI_PART_SET, "3.1415927"},
    {JOINT "$", VRMI_PART_LEFT_OUT, NULL},
    {SPRINGS "/springs/*!/joints$", VRMI_PART_LEFT_OUT, NULL},
    {SPRINGS "/springs/*/colliderGroups/*", VRMI_PART_LEFT_OUT, NULL},
    {SPRINGS "/springs/*$", VRMI_PART_LEFT_OUT, NULL},
    {EXTENDED "!/shape$", VRMI_PART_LEFT_OUT, NULL},
    {COLLIDER "!/node", VRMI_PART_LEFT_OUT_NUMBERED, NULL},
    {COLLIDER "!/shape$", VRMI_PART_LEFT_OUT_NUMBERED, NULL},
    {COLLIDER "$", VRMI_PART_LEFT_OUT_NUMBERED, NULL},
    {SPRINGS "/colliderGroups/*/colliders/*", VRMI_PART_LEFT_OUT, NULL},
    {SPRINGS "/colliderGroups/*!/colliders$", VRMI_PART_LEFT_OUT_NUMBERED, NULL},
    {SPRINGS "/colliderGroups/*$", VRMI_PART_LEFT_OUT_NUMBERED, NULL},
    // Constraints: removes one that cannot be read.
    {CONSTRAINT "/constraint/roll/rollAxis$", VRMI_PART_SET_WHERE_ABSENT, "\"X\""},
    {CONSTRAINT "/constraint/aim/aimAxis$", VRMI_PART_SET_WHERE_ABSENT, "\"PositiveX\""},
    {CONSTRAINT "!/constraint/roll/rollAxis", VRMI_PART_LEFT_OUT, NULL},
    {CONSTRAINT "!/constraint/aim/aimAxis", VRMI_PART_LEFT_OUT, NULL},
    {CONSTRAINT "!/constraint/*/source", VRMI_PART_LEFT_OUT, NULL},
    {CONSTRAINT "!/constraint$", VRMI_PART_LEFT_OUT, NULL},
    {CONSTRAINT "$", VRMI_PART_LEFT_OUT, NULL},
    // Expressions: removes the invalid bind.
    {EXPRESSION "/morphTargetBinds/*/weight$", VRMI_PART_SET, "1"},
    {EXPRESSION "/morphTargetBinds/*", VRMI_PART_LEFT_OUT, NULL},
    {EXPRESSION "/materialColorBinds/*", VRMI_PART_LEFT_OUT, NULL},
    {EXPRESSION "/textureTransformBinds/*!/material$", VRMI_PART_LEFT_OUT, NULL},
    {EXPRESSION "/textureTransformBinds/*$", VRMI_PART_LEFT_OUT, NULL},
    {EXPRESSION "$", VRMI_PART_SET, "{}"},
    // Permissions: sets the strictest value. Names are not removed.
    {META "/avatarPermission$", VRMI_PART_SET, "\"onlyAuthor\""},
    {META "/commercialUsage$", VRMI_PART_SET, "\"personalNonProfit\""},
    {META "/creditNotation$", VRMI_PART_SET, "\"required\""},
    {META "/modification$", VRMI_PART_SET, "\"prohibited\""},
    {META "/allowExcessivelyViolentUsage$", VRMI_PART_SET, "false"},
    {META "/allowExcessivelySexualUsage$", VRMI_PART_SET, "false"},
    {META "/allowPoliticalOrReligiousUsage$", VRMI_PART_SET, "false"},
    {META "/allowAntisocialOrHateUsage$", VRMI_PART_SET, "false"},
    {META "/allowRedistribution$", VRMI_PART_SET, "false"},
    {META "/references/*$", VRMI_PART_LEFT_OUT, NULL},
    {META "/name", VRMI_PART_KEPT, NULL},
    {META "/authors", VRMI_PART_KEPT, NULL},
    {META "/licenseUrl", VRMI_PART_KEPT, NULL},
    {META "$", VRMI_PART_KEPT, NULL},
    {VRMC "/firstPerson/meshAnnotations/*/type$", VRMI_PART_SET, "\"auto\""},
    {VRMC "/firstPerson/meshAnnotations/*", VRMI_PART_LEFT_OUT, NULL},
    {VRMC "/humanoid/humanBones/*", VRMI_PART_LEFT_OUT, NULL},
    {VRMC "/humanoid", VRMI_PART_KEPT, NULL},
    // VRM 0.x.
    {OLD "/meta/allowedUserName$", VRMI_PART_SET, "\"OnlyAuthor\""},
    {OLD "/meta/violentUssageName$", VRMI_PART_SET, "\"Disallow\""},
    {OLD "/meta/sexualUssageName$", VRMI_PART_SET, "\"Disallow\""},
    {OLD "/meta/commercialUssageName$", VRMI_PART_SET, "\"Disallow\""},
    {OLD "/meta", VRMI_PART_KEPT, NULL}, // kept, because no known licenseName forbids as much as an unknown word
    {OLD_GROUP "/binds/*/weight$", VRMI_PART_CLAMPED, NULL},
    {OLD_GROUP "/binds/*", VRMI_PART_LEFT_OUT, NULL},
    {OLD_GROUP "/materialValues/*", VRMI_PART_LEFT_OUT, NULL},
    {OLD_GROUP "$", VRMI_PART_LEFT_OUT, NULL},
    {OLD_SPRINGS "/boneGroups/*/bones/*", VRMI_PART_LEFT_OUT, NULL},
    {OLD_SPRINGS "/boneGroups/*/colliderGroups/*", VRMI_PART_LEFT_OUT, NULL},
    {OLD_SPRINGS "/boneGroups/*$", VRMI_PART_LEFT_OUT, NULL},
    {OLD_SPRINGS "/colliderGroups/*!/node$", VRMI_PART_LEFT_OUT_NUMBERED, NULL},
    {OLD_SPRINGS "/colliderGroups/*$", VRMI_PART_LEFT_OUT_NUMBERED, NULL},
    {OLD "/firstPerson/meshAnnotations/*/firstPersonFlag$", VRMI_PART_SET, "\"Auto\""},
    {OLD "/firstPerson/meshAnnotations/*", VRMI_PART_LEFT_OUT, NULL},
    {OLD "/materialProperties/*$", VRMI_PART_SET, "{}"}, // keeps its index, which is the material's
    {OLD "/humanoid", VRMI_PART_KEPT, NULL},
    // Node transforms get their defaults; morph targets become zero.
    {"/nodes/*/translation/*$", VRMI_PART_SET, "0"},
    {"/nodes/*/scale/*$", VRMI_PART_SET, "1"},
    {"/nodes/*/rotation/3$", VRMI_PART_SET, "1"},
    {"/nodes/*/rotation/*$", VRMI_PART_SET, "0"},
    {TARGET "/POSITION$", VRMI_PART_STILL, NULL},
    {TARGET "/NORMAL$", VRMI_PART_STILL, NULL},
    {TARGET "$", VRMI_PART_STILL, NULL},
    // Invalid texture references are removed.
    {"/materials/*/*!/index$", VRMI_PART_LEFT_OUT, NULL},
    {"/materials/*/pbrMetallicRoughness/*!/index$", VRMI_PART_LEFT_OUT, NULL},
    {"/materials/*/extensions/*/*!/index$", VRMI_PART_LEFT_OUT, NULL},
};

// Members whose invalid value is treated as absent.
static const char *const members[] = {
    VRMC "/*", SPRINGS, OLD "/*", CONSTRAINT, "/materials/*/*", "/textures/*/source$", "/textures/*/sampler$"};

// Members of nodes and morph targets that are treated as absent if they have another type, are too long, or refer to
// nothing. Numbers beyond floats are not repaired.
static const char *const places[] = {"/nodes/*/translation", "/nodes/*/rotation", "/nodes/*/scale", "/nodes/*/name$",
    "/nodes/*/children$", TARGET "/POSITION$", TARGET "/NORMAL$", TARGET "$"};

// Paths of glTF at which loading accepts an integer in quotation marks (format/gltf/gltf_load_quoted.c).
static const char *const quoted[] = {"/scenes/*/nodes/*$", "/nodes/*/children/*$", "/nodes/*/mesh$", "/nodes/*/skin$",
    "/skins/*/joints/*$", "/skins/*/skeleton$", "/skins/*/inverseBindMatrices$", "/accessors/*/bufferView$",
    "/accessors/*/byteOffset$", "/accessors/*/componentType$", "/accessors/*/count$", "/bufferViews/*/buffer$",
    "/bufferViews/*/byteOffset$", "/bufferViews/*/byteLength$", "/bufferViews/*/byteStride$", "/buffers/*/byteLength$",
    PRIMITIVE "/attributes/*$", PRIMITIVE "/indices$", PRIMITIVE "/material$", TARGET "/*$"};

// Findings whose id alone decides the repair, which is at the finding's path or at a value that contains it.
static const struct {
    vrm_finding_id id;
    vrmi_part_cure cure;
    uint32_t up; // number of parts to remove from the end of the path
    const char *text;
} by_code[] = {
    {VRM_FINDING_VRM1_SPRING_OVERLAP, VRMI_PART_SPRING, 0, NULL},
    {VRM_FINDING_VRM1_SPRING_JOINT_NOT_DESCENDANT, VRMI_PART_SPRING, 0, NULL},
    {VRM_FINDING_VRM1_SPRING_CENTER, VRMI_PART_LEFT_OUT, 0, NULL},
    {VRM_FINDING_VRM1_COLLIDER_PLANE_NORMAL_ZERO, VRMI_PART_LEFT_OUT, 3, NULL}, // removes the extension
    {VRM_FINDING_VRM1_COLLIDER_SHAPE, VRMI_PART_ONE_OF, 0, "sphere capsule plane"},
    {VRM_FINDING_VRM1_SPRING_LIMIT, VRMI_PART_ONE_OF, 0, "cone hinge spherical"},
    {VRM_FINDING_VRM1_CONSTRAINT_TYPE, VRMI_PART_ONE_OF, 0, "roll aim rotation"},
    {VRM_FINDING_VRM1_SPRING_LIMIT_LAST, VRMI_PART_LEFT_OUT, 0, NULL},
    {VRM_FINDING_VRM1_CONSTRAINT_SELF, VRMI_PART_LEFT_OUT, 3,
        NULL}, // removes .../VRMC_node_constraint, which is three parts up
    {VRM_FINDING_VRM1_CONSTRAINT_CYCLE, VRMI_PART_LEFT_OUT, 1, NULL},
    {VRM_FINDING_VRM1_MORPH_TARGET_NODE_WITHOUT_MESH, VRMI_PART_LEFT_OUT, 1, NULL},
    {VRM_FINDING_VRM1_MORPH_TARGET_INDEX_OOB, VRMI_PART_LEFT_OUT, 1, NULL},
    {VRM_FINDING_VRM1_CUSTOM_NAME_IS_PRESET, VRMI_PART_LEFT_OUT, 0, NULL},
    {VRM_FINDING_VRM1_BONE_NOT_UNIQUE, VRMI_PART_LEFT_OUT, 1, NULL},
    {VRM_FINDING_VRM1_FIRST_PERSON_DUPLICATE, VRMI_PART_LEFT_OUT, 1, NULL},
    {VRM_FINDING_VRM0_BONE_DUPLICATE, VRMI_PART_LEFT_OUT, 1, NULL},
    {VRM_FINDING_MESH_PRIMITIVE_MORPH_TARGET_INVALID_ATTRIBUTE_COUNT, VRMI_PART_STILL, 0, NULL},
};

static bool is_about_value(vrm_finding_id id)
{
    switch (id) {
    case VRM_FINDING_TYPE_MISMATCH:
    case VRM_FINDING_ARRAY_TYPE_MISMATCH:
    case VRM_FINDING_INVALID_INDEX:
    case VRM_FINDING_UNRESOLVED_REFERENCE:
    case VRM_FINDING_VALUE_NOT_IN_RANGE:
    case VRM_FINDING_VALUE_NOT_IN_LIST:
    case VRM_FINDING_OLD_WORD_UNKNOWN:
    case VRM_FINDING_ARRAY_LENGTH_NOT_IN_LIST:
    case VRM_FINDING_EMPTY_ENTITY:
    case VRM_FINDING_UNDEFINED_PROPERTY:
        return true;
    default:
        return false;
    }
}

// Whether a path matches a pattern. `*out_length` becomes the length of the path to repair.
static bool fits(const char *pattern, const char *path, size_t *out_length)
{
    const char *at = path;
    bool marked = false;
    for (; *pattern != '\0'; ++pattern) {
        if (*pattern == '$') {
            if (*at != '\0') {
                return false;
            }
        } else if (*pattern == '!') {
            *out_length = (size_t)(at - path);
            marked = true;
        } else if (*pattern == '*') {
            if (*at == '/' || *at == '\0') {
                return false;
            }
            at += strcspn(at, "/");
        } else if (*at++ != *pattern) {
            return false;
        }
    }
    *out_length = marked ? *out_length : (size_t)(at - path);
    return *at == '\0' || *at == '/';
}

static size_t above(const char *path, size_t length, uint32_t parts)
{
    for (; parts > 0 && length > 0; --parts) {
        do {
            --length;
        } while (length > 0 && path[length] != '/');
    }
    return length;
}

static bool is_number(const char *path, size_t from, size_t end)
{
    return end > from && strspn(path + from, "0123456789") == end - from;
}

static bool is_clamped(const vrm_finding *finding)
{
    return finding->id == VRM_FINDING_VALUE_NOT_IN_RANGE &&
           ((finding->expected[0] >= '0' && finding->expected[0] <= '9') || finding->expected[0] == '-' ||
               strncmp(finding->expected, "at least ", 9) == 0 || strncmp(finding->expected, "at most ", 8) == 0);
}

// Whether the number is beyond the range of floats. It is then treated as absent.
static bool is_beyond_floats(const vrm_finding *finding)
{
    double number;
    return vrmi_parse_double(finding->found, strlen(finding->found), &number) != 0 &&
           !(number < 3.4e38 && number > -3.4e38);
}

// Chooses the repair of a member that has a default: a number out of range is clamped, any other value removed. If an
// element of a vector has the wrong type, the whole member is removed; if only its range is wrong, it is kept, as
// loading does.
static vrmi_part_repair repair_member(const vrm_finding *finding, size_t length)
{
    const size_t last = above(finding->path, length, 1);
    if (is_number(finding->path, last + 1, length)) {
        return (vrmi_part_repair){
            is_clamped(finding) && !is_beyond_floats(finding) ? VRMI_PART_KEPT : VRMI_PART_LEFT_OUT, last, NULL};
    }
    if (finding->id == VRM_FINDING_UNDEFINED_PROPERTY) {
        return (vrmi_part_repair){VRMI_PART_KEPT, 0, NULL};
    }
    return (vrmi_part_repair){is_clamped(finding) ? VRMI_PART_CLAMPED : VRMI_PART_LEFT_OUT, length, NULL};
}

// Whether an array is longer than expected. Loading then reads only its beginning.
static bool is_too_long(const vrm_finding *finding)
{
    const char *found = finding->found, *expected = finding->expected;
    uint32_t numbers[2] = {0, 0};
    for (; *found >= '0' && *found <= '9'; ++found) {
        numbers[0] = numbers[0] * 10 + (uint32_t)(*found - '0');
    }
    for (; *expected >= '0' && *expected <= '9'; ++expected) {
        numbers[1] = numbers[1] * 10 + (uint32_t)(*expected - '0');
    }
    return finding->id == VRM_FINDING_ARRAY_LENGTH_NOT_IN_LIST && numbers[1] != 0 && numbers[0] > numbers[1];
}

// Whether a colour has three numbers where four are expected. It is then opaque.
static bool is_rgb(const vrm_finding *finding)
{
    size_t length;
    return finding->id == VRM_FINDING_ARRAY_LENGTH_NOT_IN_LIST && strncmp(finding->found, "3 ", 2) == 0 &&
           fits(EXPRESSION "/materialColorBinds/*/targetValue$", finding->path, &length);
}

// Whether the finding is about a required bone, which is never repaired.
static bool is_required_bone(const vrm_finding *finding)
{
    static const char before[] = VRMC "/humanoid/humanBones/";
    if (strncmp(finding->path, before, sizeof(before) - 1) != 0) {
        return false;
    }
    const char *name = finding->path + sizeof(before) - 1;
    const int32_t bone = vrm_human_bone_from_name(name, strcspn(name, "/"));
    return bone >= 0 && vrmi_human_bone_is_required((vrm_human_bone)bone);
}

static vrmi_part_repair by_path(const vrm_finding *finding)
{
    size_t length = strlen(finding->path);
    bool known = false;
    for (size_t i = 0; i < VRMI_COUNT_OF(members) && !known; ++i) {
        size_t begin;
        known = fits(members[i], finding->path, &begin);
    }
    const bool type = finding->id == VRM_FINDING_TYPE_MISMATCH || finding->id == VRM_FINDING_ARRAY_TYPE_MISMATCH ||
                      finding->id == VRM_FINDING_INVALID_INDEX || finding->id == VRM_FINDING_UNRESOLVED_REFERENCE;
    for (size_t i = 0; i < VRMI_COUNT_OF(places) && !known && (type || is_too_long(finding)); ++i) {
        size_t begin;
        known = fits(places[i], finding->path, &begin);
    }
    if (!known) {
        return (vrmi_part_repair){VRMI_PART_KEPT, 0, NULL};
    }
    if (is_rgb(finding)) {
        return (vrmi_part_repair){VRMI_PART_SET, length, NULL}; // NULL: a 1 is appended to the colour
    }
    if (is_too_long(finding)) {
        return (vrmi_part_repair){VRMI_PART_SHORTENED, length, finding->expected};
    }
    for (size_t i = 0; i < VRMI_COUNT_OF(rows); ++i) {
        if (rows[i].cure == VRMI_PART_SET_WHERE_ABSENT && finding->id != VRM_FINDING_UNDEFINED_PROPERTY) {
            continue;
        }
        if (fits(rows[i].pattern, finding->path, &length)) {
            const bool clamped =
                rows[i].cure == VRMI_PART_CLAMPED || (rows[i].cure == VRMI_PART_SET && is_clamped(finding));
            return clamped ? repair_member(finding, strlen(finding->path))
                           : (vrmi_part_repair){rows[i].cure, length, rows[i].text};
        }
    }
    return repair_member(finding, strlen(finding->path));
}

// Whether the path is a number of VRM's extensions, or in an array of numbers there.
static bool is_vrm_number(const char *path)
{
    size_t end = strlen(path), length;
    bool inside = false;
    static const char *const extensions[] = {VRMC, SPRINGS, OLD, CONSTRAINT};
    for (size_t i = 0; i < VRMI_COUNT_OF(extensions) && !inside; ++i) {
        inside = fits(extensions[i], path, &length);
    }
    size_t begin = above(path, end, 1);
    if (is_number(path, begin + 1, end)) {
        end = begin;
        begin = above(path, end, 1);
    }
    return inside && end > begin &&
           vrmi_extension_is_number((vrm_string){path + begin + 1, (uint32_t)(end - begin - 1)});
}

// Whether the finding is about a number in quotation marks that loading accepts: an integer at one of the paths in
// `quoted`, or any number of VRM's extensions.
static bool is_quoted_number(const vrm_finding *finding)
{
    const size_t size = strlen(finding->found);
    if (size < 2 || finding->found[0] != '"' || finding->found[size - 1] != '"') {
        return false;
    }
    const vrm_string text = {finding->found + 1, (uint32_t)size - 2};
    size_t length;
    bool known = false;
    for (size_t i = 0; i < VRMI_COUNT_OF(quoted) && !known; ++i) {
        known = fits(quoted[i], finding->path, &length);
    }
    return known ? vrmi_is_quoted_index(text) : vrmi_is_quoted_number(text) && is_vrm_number(finding->path);
}

vrmi_part_repair vrmi_find_part_repair(const vrm_finding *finding)
{
    if (is_quoted_number(finding)) {
        return (vrmi_part_repair){VRMI_PART_UNQUOTED, strlen(finding->path), finding->found};
    }
    if (is_required_bone(finding)) {
        return (vrmi_part_repair){VRMI_PART_KEPT, 0, NULL};
    }
    for (size_t i = 0; i < VRMI_COUNT_OF(by_code); ++i) {
        if (by_code[i].id == finding->id) {
            return (vrmi_part_repair){
                by_code[i].cure, above(finding->path, strlen(finding->path), by_code[i].up), by_code[i].text};
        }
    }
    return is_about_value(finding->id) ? by_path(finding) : (vrmi_part_repair){VRMI_PART_KEPT, 0, NULL};
}

bool vrmi_repair_number_at(const vrm_gltf *gltf, const char *path, double *out)
{
    vrm_string text;
    return vrm_gltf_get_json(gltf, path, &text) == VRM_SUCCESS && vrmi_parse_double(text.data, text.length, out) != 0;
}
