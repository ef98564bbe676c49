// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Finds bones by the connections between joints, for skeletons without helpful names. Legs and spine begin at the hips,
// arms and neck at the top of the spine, and feet point forward.

#include "import/motion/motion_rig.h"

enum {
    CHAIN_MAX = 64,
    BRANCH_MAX = 16,
    JOINTS_MAX = 1024 // no real skeleton has more, and the search is quadratic
};

typedef struct shape {
    const vrmi_rig_joint *joints;
    uint32_t count;
} shape;

// Finds a joint's children without end sites, at most BRANCH_MAX.
static int children_of(const shape *s, int32_t joint, int32_t out[BRANCH_MAX])
{
    int found = 0;
    for (uint32_t i = (uint32_t)(joint + 1); i < s->count && found < BRANCH_MAX; ++i) {
        if (s->joints[i].parent == joint && !s->joints[i].end) {
            out[found++] = (int32_t)i;
        }
    }
    return found;
}

// Returns the number of joints on the longest path down from a joint, including the joint. One pass could compute all
// depths, because parents come before children, but only the few branches of a skeleton are needed.
static int depth_of(const shape *s, int32_t top, int32_t *out_tip)
{
    int deepest = 0;
    *out_tip = top;
    for (uint32_t i = (uint32_t)top; i < s->count; ++i) {
        int depth = 1;
        int32_t at = (int32_t)i;
        for (; at > top; at = s->joints[at].parent) {
            ++depth;
        }
        if (at == top && !s->joints[i].end && depth > deepest) {
            deepest = depth;
            *out_tip = (int32_t)i;
        }
    }
    return deepest;
}

// Lists the joints of the longest path down, from the top.
static int chain_of(const shape *s, int32_t top, int32_t out[CHAIN_MAX])
{
    int32_t tip;
    const int depth = depth_of(s, top, &tip), count = depth < CHAIN_MAX ? depth : CHAIN_MAX;
    for (int i = depth; i-- > 0; tip = s->joints[tip].parent) {
        if (i < count) {
            out[i] = tip;
        }
    }
    return count;
}

// Follows a path without branches down to the first joint with three or more children. Returns -1 if the path ends
// before.
static int32_t next_branching(const shape *s, int32_t joint)
{
    int32_t below[BRANCH_MAX];
    for (int steps = 0; steps < CHAIN_MAX; ++steps) {
        const int found = children_of(s, joint, below);
        if (found >= 3) {
            return joint;
        }
        if (found != 1) {
            return -1;
        }
        joint = below[0];
    }
    return -1;
}

typedef struct body {
    int32_t hips, chest, spine; // chest: parent of arms and neck; spine: child of the hips on the path to the chest
    int32_t legs[2], arms[2], neck;
    vrm_vec3 up;
} body;

static vrm_vec3 place(const shape *s, int32_t joint)
{
    return s->joints[joint].position;
}

// Finds the two joints in `tops` with the longest paths down, ignoring the joint `except`. Returns false unless both
// paths have at least `least` joints.
static bool two_longest(const shape *s, const int32_t *tops, int count, int32_t except, int least, int32_t out[2])
{
    int depths[2] = {0, 0};
    out[0] = out[1] = -1;
    for (int i = 0; i < count; ++i) {
        int32_t tip;
        const int depth = tops[i] != except ? depth_of(s, tops[i], &tip) : 0;
        const int slot = depth > depths[0] ? 0 : (depth > depths[1] ? 1 : 2);
        if (slot == 0) {
            depths[1] = depths[0];
            out[1] = out[0];
        }
        if (slot < 2) {
            depths[slot] = depth;
            out[slot] = tops[i];
        }
    }
    return depths[1] >= least;
}

// Finds the hips: the first joint with two legs and a spine that branches again at its upper end.
static bool find_body(const shape *s, body *out)
{
    for (uint32_t i = 0; i < s->count; ++i) {
        int32_t below[BRANCH_MAX], above[BRANCH_MAX];
        const int found = s->joints[i].end ? 0 : children_of(s, (int32_t)i, below);
        for (int k = 0; k < found && found >= 3; ++k) {
            const int32_t chest = next_branching(s, below[k]);
            if (chest < 0 || !two_longest(s, below, found, below[k], 3, out->legs)) {
                continue;
            }
            out->hips = (int32_t)i;
            out->spine = below[k];
            out->chest = chest;
            out->up = vrmi_vec3_normalize_or(
                vrmi_vec3_sub(place(s, chest), place(s, out->hips)), vrmi_vec3(0.0f, 1.0f, 0.0f));
            // The neck is the branch that best continues the spine's direction. The two longest other branches are the
            // arms.
            const int branches = children_of(s, chest, above);
            float best = -2.0f;
            for (int b = 0; b < branches; ++b) {
                int32_t tip;
                (void)depth_of(s, above[b], &tip);
                const vrm_vec3 way =
                    vrmi_vec3_normalize_or(vrmi_vec3_sub(place(s, tip), place(s, chest)), vrmi_vec3(0.0f, 0.0f, 0.0f));
                const float along = vrmi_vec3_dot(way, out->up);
                out->neck = along > best ? above[b] : out->neck;
                best = along > best ? along : best;
            }
            return two_longest(s, above, branches, out->neck, 3, out->arms);
        }
    }
    return false;
}

// Returns the direction that the body faces, which is where the feet point. Without usable feet it is +Z, projected to
// be perpendicular to `up`.
static vrm_vec3 forward_of(const shape *s, const body *b)
{
    vrm_vec3 sum = {0.0f, 0.0f, 0.0f};
    for (int side = 0; side < 2; ++side) {
        int32_t chain[CHAIN_MAX];
        const int count = chain_of(s, b->legs[side], chain);
        const int32_t foot = chain[count > 2 ? 2 : count - 1];
        for (uint32_t i = (uint32_t)foot; i < s->count; ++i) { // includes end sites
            int32_t at = (int32_t)i;
            while (at > foot) {
                at = s->joints[at].parent;
            }
            sum = at == foot ? vrmi_vec3_add(sum, vrmi_vec3_sub(s->joints[i].position, place(s, foot))) : sum;
        }
    }
    sum = vrmi_vec3_sub(sum, vrmi_vec3_scale(b->up, vrmi_vec3_dot(sum, b->up)));
    const float thigh = vrmi_vec3_length(vrmi_vec3_sub(place(s, b->legs[0]), place(s, b->hips)));
    if (vrmi_vec3_length(sum) > 0.05f * thigh) {
        return sum;
    }
    const vrm_vec3 ahead = {0.0f, 0.0f, 1.0f};
    return vrmi_vec3_sub(ahead, vrmi_vec3_scale(b->up, vrmi_vec3_dot(ahead, b->up)));
}

static void set(vrmi_rig *rig, uint64_t stated, int32_t bone, int32_t joint)
{
    if ((stated >> bone & 1u) == 0) {
        rig->joint[bone] = joint;
    }
}

static void set_limbs(vrmi_rig *rig, const shape *s, const body *b, uint64_t stated)
{
    static const int32_t leg_bones[2][4] = {{VRM_HUMAN_BONE_LEFT_UPPER_LEG, VRM_HUMAN_BONE_LEFT_LOWER_LEG,
                                                VRM_HUMAN_BONE_LEFT_FOOT, VRM_HUMAN_BONE_LEFT_TOES},
        {VRM_HUMAN_BONE_RIGHT_UPPER_LEG, VRM_HUMAN_BONE_RIGHT_LOWER_LEG, VRM_HUMAN_BONE_RIGHT_FOOT,
            VRM_HUMAN_BONE_RIGHT_TOES}};
    static const int32_t arm_bones[2][4] = {{VRM_HUMAN_BONE_LEFT_SHOULDER, VRM_HUMAN_BONE_LEFT_UPPER_ARM,
                                                VRM_HUMAN_BONE_LEFT_LOWER_ARM, VRM_HUMAN_BONE_LEFT_HAND},
        {VRM_HUMAN_BONE_RIGHT_SHOULDER, VRM_HUMAN_BONE_RIGHT_UPPER_ARM, VRM_HUMAN_BONE_RIGHT_LOWER_ARM,
            VRM_HUMAN_BONE_RIGHT_HAND}};
    const vrm_vec3 left = vrmi_vec3_cross(b->up, forward_of(s, b));
    for (int kind = 0; kind < 2; ++kind) {
        const int32_t *tops = kind == 0 ? b->legs : b->arms;
        int32_t tip[2];
        (void)depth_of(s, tops[0], &tip[0]);
        (void)depth_of(s, tops[1], &tip[1]);
        const bool first_left = vrmi_vec3_dot(vrmi_vec3_sub(place(s, tip[0]), place(s, tip[1])), left) > 0.0f;
        for (int side = 0; side < 2; ++side) {
            int32_t chain[CHAIN_MAX];
            const int count = chain_of(s, tops[first_left == (side == 0) ? 0 : 1], chain);
            // An arm of three joints has no shoulder bone.
            const int skip = kind == 1 && count < 4 ? 1 : 0;
            for (int i = 0; i + skip < 4 && i < count; ++i) {
                set(rig, stated, (kind == 0 ? leg_bones : arm_bones)[side][i + skip], chain[i]);
            }
        }
    }
}

static void set_trunk(vrmi_rig *rig, const shape *s, const body *b, uint64_t stated)
{
    int32_t chain[CHAIN_MAX];
    int count = 0;
    for (int32_t at = b->chest; at != b->hips && count < CHAIN_MAX; at = s->joints[at].parent) {
        chain[count++] = at; // from top to bottom
    }
    set(rig, stated, VRM_HUMAN_BONE_HIPS, b->hips);
    set(rig, stated, VRM_HUMAN_BONE_SPINE, chain[count - 1]);
    set(rig, stated, VRM_HUMAN_BONE_CHEST, count > 2 ? chain[count / 2] : (count == 2 ? chain[0] : -1));
    set(rig, stated, VRM_HUMAN_BONE_UPPER_CHEST, count > 2 ? chain[0] : -1);
    count = chain_of(s, b->neck, chain);
    set(rig, stated, VRM_HUMAN_BONE_NECK, count > 1 ? chain[0] : -1);
    set(rig, stated, VRM_HUMAN_BONE_HEAD, chain[count > 2 ? 2 : count - 1]);
}

bool vrmi_rig_map_by_shape(vrmi_rig *rig, const vrmi_rig_joint *joints, uint32_t count, uint64_t stated)
{
    const shape s = {joints, count};
    body b = {.neck = -1};
    if (count > JOINTS_MAX || !find_body(&s, &b)) {
        return false;
    }
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        set(rig, stated, bone, -1); // removes bones that were found by name, which might contradict the shape
    }
    set_trunk(rig, &s, &b, stated);
    set_limbs(rig, &s, &b, stated);
    return true;
}
