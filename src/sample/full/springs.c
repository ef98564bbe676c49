// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "sample/full/full.h"

// Colliders of every kind, and the parameters of the chains.

#define LEFT VRM_HUMAN_BONE_LEFT_UPPER_LEG
#define RIGHT VRM_HUMAN_BONE_RIGHT_UPPER_LEG

// Each collider is a group of its own, except those of the head, the chest and the thighs, and the two around the head.
const vrmi_sample_collider vrmi_full_colliders[VRMI_FULL_COLLIDERS] = {
    {"head", VRM_HUMAN_BONE_HEAD, VRMI_SAMPLE_SPHERE, {0.0f, 0.122f, 0.0f}, {0.0f, 0.0f, 0.0f}, 0.083f},
    {"head", VRM_HUMAN_BONE_HEAD, VRMI_SAMPLE_SPHERE, {0.0f, 0.050f, 0.030f}, {0.0f, 0.0f, 0.0f}, 0.050f},
    {"neck", VRM_HUMAN_BONE_NECK, VRMI_SAMPLE_CAPSULE, {0.0f, -0.005f, 0.0f}, {0.0f, 0.075f, 0.008f}, 0.035f},
    {"chest", VRM_HUMAN_BONE_UPPER_CHEST, VRMI_SAMPLE_CAPSULE, {-0.045f, 0.0f, 0.018f}, {0.045f, 0.0f, 0.018f}, 0.072f},
    {"chest", VRM_HUMAN_BONE_UPPER_CHEST, VRMI_SAMPLE_CAPSULE, {-0.060f, 0.075f, -0.006f}, {0.060f, 0.075f, -0.006f},
        0.050f},
    {"leftArm", VRM_HUMAN_BONE_LEFT_UPPER_ARM, VRMI_SAMPLE_CAPSULE, {0.0f, 0.0f, 0.0f}, {0.0f, 0.2f, 0.0f}, 0.038f},
    {"rightArm", VRM_HUMAN_BONE_RIGHT_UPPER_ARM, VRMI_SAMPLE_CAPSULE, {0.0f, 0.0f, 0.0f}, {0.0f, 0.2f, 0.0f}, 0.038f},
    {"around", VRM_HUMAN_BONE_HEAD, VRMI_SAMPLE_INSIDE_SPHERE, {0.0f, 0.118f, 0.0f}, {0.0f, 0.0f, 0.0f}, 0.175f},
    {"around", VRM_HUMAN_BONE_HEAD, VRMI_SAMPLE_INSIDE_CAPSULE, {0.0f, 0.05f, 0.0f}, {0.0f, 0.2f, 0.02f}, 0.16f},
    {"behind", VRM_HUMAN_BONE_UPPER_CHEST, VRMI_SAMPLE_CAPSULE, {0.0f, 0.060f, 0.012f}, {0.0f, -0.230f, 0.020f},
        0.075f},
    {"hips", VRM_HUMAN_BONE_HIPS, VRMI_SAMPLE_SPHERE, {0.0f, -0.020f, -0.004f}, {0.0f, 0.0f, 0.0f}, 0.095f},
    {"leftLeg", LEFT, VRMI_SAMPLE_CAPSULE, {0.0f, 0.000f, 0.0f}, {-0.002f, 0.150f, 0.004f}, 0.073f},
    {"leftLeg", LEFT, VRMI_SAMPLE_CAPSULE, {-0.002f, 0.150f, 0.004f}, {-0.005f, 0.290f, 0.008f}, 0.063f},
    {"leftLeg", LEFT, VRMI_SAMPLE_CAPSULE, {-0.005f, 0.290f, 0.008f}, {-0.006f, 0.400f, 0.008f}, 0.052f},
    {"rightLeg", RIGHT, VRMI_SAMPLE_CAPSULE, {0.0f, 0.000f, 0.0f}, {0.002f, 0.150f, 0.004f}, 0.073f},
    {"rightLeg", RIGHT, VRMI_SAMPLE_CAPSULE, {0.002f, 0.150f, 0.004f}, {0.005f, 0.290f, 0.008f}, 0.063f},
    {"rightLeg", RIGHT, VRMI_SAMPLE_CAPSULE, {0.005f, 0.290f, 0.008f}, {0.006f, 0.400f, 0.008f}, 0.052f},
    {"spread", VRM_HUMAN_BONE_HIPS, VRMI_SAMPLE_INSIDE_SPHERE, {0.0f, -0.08f, -0.004f}, {0.0f, 0.0f, 0.0f}, 0.42f},
    {"seat", VRM_HUMAN_BONE_HIPS, VRMI_SAMPLE_PLANE, {0.0f, 0.0f, 0.02f}, {0.0f, 0.0f, -1.0f}, 0.0f},
};

typedef struct chain_row {
    float stiffness, gravity, drag;
    const char *groups[4];
} chain_row;

static chain_row settings(const vrmi_sample_figure *figure, const vrmi_sample_chain *chain)
{
    const char *arm = chain->side > 0 ? "leftArm" : "rightArm";
    // Chains that begin far at the back, and those in the middle, collide with the back, not an arm. (On a plane behind
    // the back, they lay level in the air beside a trunk that bows.)
    const bool behind = figure->nodes[chain->nodes[0]].position.z < -0.085f * figure->style.height || chain->side == 0;
    switch ((vrmi_full_chain)chain->kind) {
    case VRMI_FULL_CHAIN_FRINGE:
        return (chain_row){2.2f, 0.0f, 0.45f, {"head", "around", NULL, NULL}};
    case VRMI_FULL_CHAIN_CROWN:
        return (chain_row){2.0f, 0.0f, 0.35f, {"head", "around", NULL, NULL}};
    case VRMI_FULL_CHAIN_SIDE:
        return (chain_row){0.75f, 0.45f, 0.55f, {"head", "neck", "chest", arm}};
    case VRMI_FULL_CHAIN_BACK:
        return (chain_row){0.60f, 0.60f, 0.50f, {"head", "neck", "chest", behind ? "behind" : arm}};
    // The weights of the skirt and of the hair: on hands and knees, both hang from the body. A heavier front goes through
    // the thighs when the figure sits down.
    case VRMI_FULL_CHAIN_SKIRT_FRONT:
        return (chain_row){1.8f, 0.60f, 0.50f, {"hips", "spread", "leftLeg", "rightLeg"}};
    case VRMI_FULL_CHAIN_SKIRT_BACK:
        return (chain_row){0.8f, 0.80f, 0.50f, {"hips", "seat", "leftLeg", "rightLeg"}};
    case VRMI_FULL_CHAIN_CORD:
        break;
    }
    return (chain_row){0.5f, 0.25f, 0.45f, {"chest", NULL, NULL, NULL}};
}

void vrmi_full_set_springs(vrmi_sample_figure *figure)
{
    for (int i = 0; i < figure->chain_count; ++i) {
        vrmi_sample_chain *chain = &figure->chains[i];
        const chain_row row = settings(figure, chain);
        chain->stiffness = row.stiffness;
        chain->gravity = row.gravity;
        chain->drag = row.drag;
        for (int g = 0; g < 4; ++g) {
            chain->groups[g] = row.groups[g];
        }
        // Short hair follows the head exactly and reacts only to its own motion.
        const bool is_short = chain->kind == VRMI_FULL_CHAIN_FRINGE || chain->kind == VRMI_FULL_CHAIN_CROWN;
        // In a walk, the skirt's speed through the world would press it back and show the thighs. With its center at
        // the hips, the skirt reacts only to the legs.
        const bool is_skirt = chain->kind == VRMI_FULL_CHAIN_SKIRT_FRONT || chain->kind == VRMI_FULL_CHAIN_SKIRT_BACK;
        chain->center = is_short   ? vrmi_sample_bone(VRM_HUMAN_BONE_HEAD)
                        : is_skirt ? vrmi_sample_bone(VRM_HUMAN_BONE_HIPS)
                                   : -1;
    }
}
