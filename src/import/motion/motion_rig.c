// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include "import/motion/motion_rig.h"

#include <string.h>

#include "base/checks.h"
#include "base/report.h"
#include "base/text.h"

enum { NAME_SIZE = 64 };

// X(normalised name without side, BONE of the left side). Names differ between tools, but most consist of the same
// words. They are compared in lower case without separators.
#define SIDED_NAMES(X) \
    X("upleg", UPPER_LEG) \
    X("upperleg", UPPER_LEG) \
    X("thigh", UPPER_LEG) \
    X("hip", UPPER_LEG) \
    X("leg", LOWER_LEG) \
    X("lowerleg", LOWER_LEG) \
    X("lowleg", LOWER_LEG) \
    X("shin", LOWER_LEG) \
    X("calf", LOWER_LEG) \
    X("knee", LOWER_LEG) \
    X("foot", FOOT) \
    X("ankle", FOOT) \
    X("toe", TOES) \
    X("toes", TOES) \
    X("toebase", TOES) \
    X("toe0", TOES) \
    X("ball", TOES) \
    X("shoulder", SHOULDER) \
    X("collar", SHOULDER) \
    X("clavicle", SHOULDER) \
    X("arm", UPPER_ARM) \
    X("upperarm", UPPER_ARM) \
    X("uparm", UPPER_ARM) \
    X("forearm", LOWER_ARM) \
    X("lowerarm", LOWER_ARM) \
    X("lowarm", LOWER_ARM) \
    X("elbow", LOWER_ARM) \
    X("hand", HAND) \
    X("wrist", HAND) \
    X("handthumb1", THUMB_METACARPAL) \
    X("handthumb2", THUMB_PROXIMAL) \
    X("handthumb3", THUMB_DISTAL) \
    X("handindex1", INDEX_PROXIMAL) \
    X("handindex2", INDEX_INTERMEDIATE) \
    X("handindex3", INDEX_DISTAL) \
    X("handmiddle1", MIDDLE_PROXIMAL) \
    X("handmiddle2", MIDDLE_INTERMEDIATE) \
    X("handmiddle3", MIDDLE_DISTAL) \
    X("handring1", RING_PROXIMAL) \
    X("handring2", RING_INTERMEDIATE) \
    X("handring3", RING_DISTAL) \
    X("handpinky1", LITTLE_PROXIMAL) \
    X("handpinky2", LITTLE_INTERMEDIATE) \
    X("handpinky3", LITTLE_DISTAL)

#define MIDDLE_NAMES(X) \
    X("hips", HIPS) \
    X("hip", HIPS) \
    X("pelvis", HIPS) \
    X("neck", NECK) \
    X("neck1", NECK) \
    X("head", HEAD)

typedef struct known_name {
    const char *name;
    int32_t left, right; // equal for bones without a side
} known_name;

static const known_name sided_names[] = {
#define ROW(name, bone) {name, VRM_HUMAN_BONE_LEFT_##bone, VRM_HUMAN_BONE_RIGHT_##bone},
    SIDED_NAMES(ROW)
#undef ROW
};
static const known_name middle_names[] = {
#define ROW(name, bone) {name, VRM_HUMAN_BONE_##bone, VRM_HUMAN_BONE_##bone},
    MIDDLE_NAMES(ROW)
#undef ROW
};

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool is_separator(char c)
{
    return c == '_' || c == ' ' || c == '-' || c == '.';
}

// Returns the length of Mixamo's prefix if its colon is missing, which some tools remove: "mixamorigHips",
// "mixamorig_Hips", "mixamorig12Hips".
static uint32_t mixamo_prefix(const char *text, uint32_t length)
{
    static const char word[] = "mixamorig";
    uint32_t size = (uint32_t)sizeof word - 1;
    if (length <= size || memcmp(text, word, size) != 0) {
        return 0;
    }
    while (size < length && ((text[size] >= '0' && text[size] <= '9') || is_separator(text[size]))) {
        ++size;
    }
    return size < length ? size : 0;
}

// Removes the namespace ("mixamorig:"), a rig's prefix, separators and the side from a name, and converts it to lower
// case. Returns the side: 'l', 'r' or 0.
static char normalize(vrm_string name, char out[NAME_SIZE])
{
    const char *text = name.data;
    uint32_t length = name.length;
    for (uint32_t i = 0; i < name.length; ++i) {
        if (name.data[i] == ':' || name.data[i] == '|') {
            text = name.data + i + 1;
            length = name.length - i - 1;
        }
    }
    const uint32_t mixamo = mixamo_prefix(text, length);
    text += mixamo;
    length -= mixamo;
    static const char *const prefixes[] = {"Character1_", "Bip01_", "Bip01 ", "Bip001 ", "def_", "DEF-"};
    for (size_t i = 0; i < VRMI_COUNT_OF(prefixes); ++i) {
        const uint32_t size = (uint32_t)strlen(prefixes[i]);
        if (length > size && memcmp(text, prefixes[i], size) == 0) {
            text += size;
            length -= size;
        }
    }
    char side = 0;
    if (length > 2 && (lower(text[0]) == 'l' || lower(text[0]) == 'r') && is_separator(text[1])) {
        side = lower(text[0]);
        text += 2;
        length -= 2;
    } else if (length > 2 && is_separator(text[length - 2]) &&
               (lower(text[length - 1]) == 'l' || lower(text[length - 1]) == 'r')) {
        side = lower(text[length - 1]);
        length -= 2;
    } else if (length > 1 && (text[0] == 'L' || text[0] == 'R') && text[1] >= 'A' && text[1] <= 'Z') { // LThumb
        side = lower(text[0]);
        ++text;
        --length;
    }
    uint32_t size = 0;
    for (uint32_t i = 0; i < length && size + 1 < NAME_SIZE; ++i) {
        if (!is_separator(text[i])) {
            out[size++] = lower(text[i]);
        }
    }
    out[size] = '\0';
    static const char *const words[] = {"left", "right"};
    for (int i = 0; i < 2 && side == 0; ++i) {
        const size_t word = strlen(words[i]);
        if (size > word && memcmp(out, words[i], word) == 0) {
            memmove(out, out + word, size - word + 1);
            side = words[i][0];
        } else if (size > word && memcmp(out + size - word, words[i], word) == 0) {
            out[size - word] = '\0';
            side = words[i][0];
        }
    }
    return side;
}

static int32_t bone_of_name(vrm_string name)
{
    const int32_t exact = vrm_human_bone_from_name(name.data, name.length);
    if (exact >= 0) {
        return exact;
    }
    char text[NAME_SIZE];
    const char side = normalize(name, text);
    const known_name *rows = side != 0 ? sided_names : middle_names;
    const size_t count = side != 0 ? VRMI_COUNT_OF(sided_names) : VRMI_COUNT_OF(middle_names);
    for (size_t i = 0; i < count; ++i) {
        if (strcmp(rows[i].name, text) == 0) {
            return side == 'r' ? rows[i].right : rows[i].left;
        }
    }
    return -1;
}

static vrm_string trimmed(const char *text, uint32_t length)
{
    while (length > 0 && (*text == ' ' || *text == '\t')) {
        ++text;
        --length;
    }
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t' || text[length - 1] == '\r')) {
        --length;
    }
    return (vrm_string){text, length};
}

// Finds the next line with an entry, starting at `*at`. Returns false at the end.
static bool next_of_map(vrm_string map, uint32_t *at, vrm_string *joint, vrm_string *bone)
{
    while (*at < map.length) {
        const uint32_t start = *at;
        uint32_t end = start, equals = UINT32_MAX;
        for (; end < map.length && map.data[end] != '\n'; ++end) {
            equals = map.data[end] == '=' ? end : equals; // uses the last '=', because names may contain any character
        }
        *at = end + 1;
        if (equals != UINT32_MAX) {
            *joint = trimmed(map.data + start, equals - start);
            *bone = trimmed(map.data + equals + 1, end - equals - 1);
            return true;
        }
    }
    return false;
}

static bool same(vrm_string a, vrm_string b)
{
    return a.length == b.length && (a.length == 0 || memcmp(a.data, b.data, a.length) == 0);
}

// Returns the bone that the map gives for a joint; -1 if the map excludes the joint, -2 if it does not mention it.
static int32_t bone_of_map(vrm_string map, vrm_string name)
{
    vrm_string joint, bone;
    for (uint32_t at = 0; next_of_map(map, &at, &joint, &bone);) {
        if (same(joint, name)) {
            return vrm_human_bone_from_name(bone.data, bone.length);
        }
    }
    return -2;
}

static void report_strays(const vrmi_rig_joint *joints, uint32_t count, vrm_string map, vrm_report *report)
{
    vrm_string joint, bone;
    for (uint32_t at = 0; next_of_map(map, &at, &joint, &bone);) {
        bool found = joint.length == 0 || joint.data[0] == '#';
        for (uint32_t i = 0; i < count && !found; ++i) {
            found = !joints[i].end && same(joints[i].name, joint);
        }
        if (!found) {
            char name[NAME_SIZE];
            vrmi_report(report, VRM_FINDING_MOTION_MAP_STRAY, "",
                vrmi_format(name, sizeof name, "%.*s", (int)joint.length, joint.data), NULL);
        }
    }
}

static bool is_below(const vrmi_rig_joint *joints, int32_t joint, int32_t ancestor)
{
    while (joint >= 0 && joint != ancestor) {
        joint = joints[joint].parent;
    }
    return joint == ancestor;
}

// Some tools, such as Xsens, call the upper arm "shoulder" and its parent "collar", or have no such parent.
static void fix_shoulders(vrmi_rig *rig, const vrmi_rig_joint *joints, uint32_t count)
{
    static const int32_t shoulders[] = {VRM_HUMAN_BONE_LEFT_SHOULDER, VRM_HUMAN_BONE_RIGHT_SHOULDER};
    static const int32_t arms[] = {VRM_HUMAN_BONE_LEFT_UPPER_ARM, VRM_HUMAN_BONE_RIGHT_UPPER_ARM};
    for (uint32_t i = 0; i < count; ++i) {
        char text[NAME_SIZE];
        const char side = joints[i].end ? 0 : normalize(joints[i].name, text);
        const int which = side == 'r' ? 1 : 0;
        if (side == 0 || strcmp(text, "shoulder") != 0 || rig->joint[arms[which]] >= 0) {
            continue;
        }
        rig->joint[arms[which]] = (int32_t)i;
        rig->joint[shoulders[which]] = rig->joint[shoulders[which]] == (int32_t)i ? -1 : rig->joint[shoulders[which]];
    }
}

// Follows joints upwards from the hips while their names are names of trunk joints, and returns the last one. This is
// for skeletons that end at the trunk. Returns the hips if no joint follows.
static int32_t top_of_trunk(const vrmi_rig_joint *joints, uint32_t count, int32_t hips)
{
    static const char *const words[] = {"spine", "lowerback", "abdomen", "waist", "torso", "chest", "upperchest"};
    int32_t top = hips;
    for (uint32_t i = 0; i < count; ++i) {
        char text[NAME_SIZE];
        if (joints[i].parent != top || joints[i].end || normalize(joints[i].name, text) != 0) {
            continue;
        }
        for (size_t w = 0; w < VRMI_COUNT_OF(words); ++w) {
            if (strncmp(text, words[w], strlen(words[w])) == 0) { // "spine1" matches too
                top = (int32_t)i;
                break;
            }
        }
    }
    return top;
}

// Finds the joints between the hips and the parents of the arms. They are identified by their order, because names are
// ambiguous: CMU's LowerBack is Mixamo's Spine.
static void find_spine(vrmi_rig *rig, const vrmi_rig_joint *joints, uint32_t count)
{
    static const int32_t targets[] = {VRM_HUMAN_BONE_LEFT_SHOULDER, VRM_HUMAN_BONE_LEFT_UPPER_ARM,
        VRM_HUMAN_BONE_RIGHT_SHOULDER, VRM_HUMAN_BONE_RIGHT_UPPER_ARM, VRM_HUMAN_BONE_NECK, VRM_HUMAN_BONE_HEAD};
    const int32_t hips = rig->joint[VRM_HUMAN_BONE_HIPS];
    int32_t top = -1;
    for (size_t i = 0; i < VRMI_COUNT_OF(targets) && top < 0; ++i) {
        const int32_t joint = rig->joint[targets[i]];
        top = joint >= 0 && is_below(joints, joint, hips) ? joints[joint].parent : -1;
    }
    // In the Biped of 3ds Max, the shoulders are below the neck, so the trunk ends at the neck's parent.
    const int32_t neck = rig->joint[VRM_HUMAN_BONE_NECK];
    top = top >= 0 && neck >= 0 && is_below(joints, top, neck) ? joints[neck].parent : top;
    top = top < 0 && hips >= 0 ? top_of_trunk(joints, count, hips) : top;
    int32_t chain[16];
    int length = 0;
    for (; top >= 0 && top != hips && length < 16; top = joints[top].parent) {
        chain[length++] = top; // from top to bottom
    }
    const int32_t spine[3] = {VRM_HUMAN_BONE_SPINE, VRM_HUMAN_BONE_CHEST, VRM_HUMAN_BONE_UPPER_CHEST};
    if (length == 0 || rig->joint[spine[0]] >= 0) {
        return;
    }
    rig->joint[spine[0]] = chain[length - 1];
    if (length == 2) {
        rig->joint[spine[1]] = chain[0];
    } else if (length > 2) {
        rig->joint[spine[1]] = chain[length / 2];
        rig->joint[spine[2]] = chain[0];
    }
}

static uint32_t count_limbs(const vrmi_rig *rig)
{
    static const int32_t bones[] = {VRM_HUMAN_BONE_LEFT_UPPER_LEG, VRM_HUMAN_BONE_LEFT_LOWER_LEG,
        VRM_HUMAN_BONE_RIGHT_UPPER_LEG, VRM_HUMAN_BONE_RIGHT_LOWER_LEG, VRM_HUMAN_BONE_LEFT_UPPER_ARM,
        VRM_HUMAN_BONE_LEFT_LOWER_ARM, VRM_HUMAN_BONE_RIGHT_UPPER_ARM, VRM_HUMAN_BONE_RIGHT_LOWER_ARM};
    uint32_t found = 0;
    for (size_t i = 0; i < VRMI_COUNT_OF(bones); ++i) {
        found += rig->joint[bones[i]] >= 0 ? 1u : 0u;
    }
    return found;
}

void vrmi_rig_map(vrmi_rig *rig, const vrmi_rig_joint *joints, uint32_t count, vrm_string map, vrm_report *report)
{
    report_strays(joints, count, map, report);
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        rig->joint[bone] = -1;
    }
    int32_t root = -1;
    uint64_t stated = 0; // bones that the map gives
    for (uint32_t i = 0; i < count; ++i) {
        if (joints[i].end) {
            continue;
        }
        root = root < 0 ? (int32_t)i : root;
        const int32_t said = bone_of_map(map, joints[i].name);
        const int32_t bone = said == -2 ? bone_of_name(joints[i].name) : said;
        if (bone >= 0 && rig->joint[bone] < 0) {
            rig->joint[bone] = (int32_t)i;
        }
        stated |= said >= 0 ? UINT64_C(1) << said : 0;
    }
    if (rig->joint[VRM_HUMAN_BONE_HIPS] < 0) {
        rig->joint[VRM_HUMAN_BONE_HIPS] = root;
    }
    fix_shoulders(rig, joints, count);
    find_spine(rig, joints, count);
    rig->by_shape = count_limbs(rig) < 4 && vrmi_rig_map_by_shape(rig, joints, count, stated);
    rig->unmapped = 0;
    for (uint32_t i = 0; i < count; ++i) {
        bool used = joints[i].end;
        for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
            used = used || rig->joint[bone] == (int32_t)i;
        }
        rig->unmapped += used ? 0u : 1u;
    }
}

// --- alignment -------------------------------------------------------------------------------------------------------

// Returns the axis nearest to a direction. Only rotations by multiples of 90 degrees are corrected; smaller ones belong
// to the skeleton's shape.
static vrm_vec3 nearest_axis(vrm_vec3 v)
{
    const float x = vrmi_abs(v.x), y = vrmi_abs(v.y), z = vrmi_abs(v.z);
    if (x >= y && x >= z) {
        return vrmi_vec3(v.x < 0.0f ? -1.0f : 1.0f, 0.0f, 0.0f);
    }
    return y >= z ? vrmi_vec3(0.0f, v.y < 0.0f ? -1.0f : 1.0f, 0.0f) : vrmi_vec3(0.0f, 0.0f, v.z < 0.0f ? -1.0f : 1.0f);
}

static bool between(const vrmi_rig *rig, const vrmi_rig_joint *joints, int32_t from, int32_t to, vrm_vec3 *out)
{
    if (rig->joint[from] < 0 || rig->joint[to] < 0) {
        return false;
    }
    *out = vrmi_vec3_sub(joints[rig->joint[to]].position, joints[rig->joint[from]].position);
    return vrmi_vec3_length(*out) > 1e-6f;
}

static vrm_quat find_basis(const vrmi_rig *rig, const vrmi_rig_joint *joints)
{
    vrm_vec3 up, lateral;
    if (!between(rig, joints, VRM_HUMAN_BONE_HIPS, VRM_HUMAN_BONE_HEAD, &up) ||
        (!between(rig, joints, VRM_HUMAN_BONE_RIGHT_UPPER_LEG, VRM_HUMAN_BONE_LEFT_UPPER_LEG, &lateral) &&
            !between(rig, joints, VRM_HUMAN_BONE_RIGHT_UPPER_ARM, VRM_HUMAN_BONE_LEFT_UPPER_ARM, &lateral))) {
        return vrmi_quat_identity();
    }
    up = nearest_axis(up);
    lateral = nearest_axis(lateral);
    if (vrmi_abs(vrmi_vec3_dot(up, lateral)) > 0.5f) {
        return vrmi_quat_identity();
    }
    const vrm_quat upright = vrmi_quat_from_to(up, vrmi_vec3(0.0f, 1.0f, 0.0f));
    const vrm_vec3 left = vrmi_quat_rotate(upright, lateral);
    return vrmi_quat_normalize(vrmi_quat_mul(vrmi_quat_from_to(left, vrmi_vec3(1.0f, 0.0f, 0.0f)), upright));
}

typedef struct limb {
    int32_t upper, lower, end;
    vrm_vec3 direction; // direction in the T-pose
    float tolerance;    // cosine of the largest deviation that is accepted as a T-pose
} limb;

// Arms within 10 degrees and legs within 20 degrees are accepted as the author's T-pose, because bodies differ.
static const limb limbs[] = {
    {VRM_HUMAN_BONE_LEFT_UPPER_ARM, VRM_HUMAN_BONE_LEFT_LOWER_ARM, VRM_HUMAN_BONE_LEFT_HAND, {1.0f, 0.0f, 0.0f},
        0.985f},
    {VRM_HUMAN_BONE_RIGHT_UPPER_ARM, VRM_HUMAN_BONE_RIGHT_LOWER_ARM, VRM_HUMAN_BONE_RIGHT_HAND, {-1.0f, 0.0f, 0.0f},
        0.985f},
    {VRM_HUMAN_BONE_LEFT_UPPER_LEG, VRM_HUMAN_BONE_LEFT_LOWER_LEG, VRM_HUMAN_BONE_LEFT_FOOT, {0.0f, -1.0f, 0.0f},
        0.940f},
    {VRM_HUMAN_BONE_RIGHT_UPPER_LEG, VRM_HUMAN_BONE_RIGHT_LOWER_LEG, VRM_HUMAN_BONE_RIGHT_FOOT, {0.0f, -1.0f, 0.0f},
        0.940f},
};

static void correct_limb(vrmi_rig *rig, const vrmi_rig_joint *joints, const limb *l)
{
    vrm_vec3 upper, lower;
    if (!between(rig, joints, l->upper, l->lower, &upper) || !between(rig, joints, l->lower, l->end, &lower)) {
        return;
    }
    upper = vrmi_vec3_normalize_or(vrmi_quat_rotate(rig->basis, upper), l->direction);
    lower = vrmi_vec3_normalize_or(vrmi_quat_rotate(rig->basis, lower), l->direction);
    if (vrmi_vec3_dot(upper, l->direction) > l->tolerance && vrmi_vec3_dot(lower, l->direction) > l->tolerance) {
        return;
    }
    rig->corrected = true;
    rig->correction[l->upper] = vrmi_quat_from_to(upper, l->direction);
    rig->correction[l->lower] = vrmi_quat_from_to(lower, l->direction);
    // The hand rotates with the forearm. The foot is not rotated, so that it stays level with the ground.
    for (int32_t bone = l->end; l->direction.y == 0.0f && bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        int32_t above = bone;
        while (above >= 0 && above != l->lower) {
            above = vrm_human_bone_parent((vrm_human_bone)above);
        }
        rig->correction[bone] = above == l->lower ? rig->correction[l->lower] : rig->correction[bone];
    }
}

static int32_t parent_bone(const vrmi_rig *rig, int32_t bone)
{
    do {
        bone = vrm_human_bone_parent((vrm_human_bone)bone);
    } while (bone >= 0 && rig->joint[bone] < 0);
    return bone;
}

void vrmi_rig_align(vrmi_rig *rig, const vrmi_rig_joint *joints, uint32_t count)
{
    rig->basis = find_basis(rig, joints);
    rig->corrected = false;
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        rig->correction[bone] = vrmi_quat_identity();
    }
    for (size_t i = 0; i < VRMI_COUNT_OF(limbs); ++i) {
        correct_limb(rig, joints, &limbs[i]);
    }
    float ground = 0.0f;
    for (uint32_t i = 0; i < count; ++i) {
        const float y = vrmi_quat_rotate(rig->basis, joints[i].position).y;
        ground = i == 0 ? y : vrmi_min(ground, y);
    }
    for (int32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        rig->rest[bone] = vrmi_vec3(0.0f, 0.0f, 0.0f);
        if (rig->joint[bone] < 0) {
            continue;
        }
        const vrm_vec3 own = vrmi_quat_rotate(rig->basis, joints[rig->joint[bone]].position);
        const int32_t parent = parent_bone(rig, bone);
        if (parent < 0) {
            rig->rest[bone] = vrmi_vec3(own.x, own.y - ground, own.z);
            continue;
        }
        const vrm_vec3 above = vrmi_quat_rotate(rig->basis, joints[rig->joint[parent]].position);
        rig->rest[bone] =
            vrmi_vec3_add(rig->rest[parent], vrmi_quat_rotate(rig->correction[parent], vrmi_vec3_sub(own, above)));
    }
}
