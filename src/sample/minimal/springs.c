// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "sample/minimal/minimal.h"

// Colliders of every kind, and the parameters of the chains.

// Each collider is a group of its own, except the two around the head. Offsets are in the bone's space, in which arms
// and legs point along +Y.
const vrmi_sample_collider vrmi_minimal_colliders[VRMI_MINIMAL_COLLIDERS] = {
    {"head", VRM_HUMAN_BONE_HEAD, VRMI_SAMPLE_SPHERE, {0.0f, 0.122f, 0.0f}, {0.0f, 0.0f, 0.0f}, 0.092f},
    {"neck", VRM_HUMAN_BONE_NECK, VRMI_SAMPLE_CAPSULE, {0.0f, -0.005f, 0.0f}, {0.0f, 0.075f, 0.008f}, 0.034f},
    {"chest", VRM_HUMAN_BONE_UPPER_CHEST, VRMI_SAMPLE_CAPSULE, {0.0f, -0.04f, 0.012f}, {0.0f, 0.055f, 0.006f}, 0.066f},
    {"leftArm", VRM_HUMAN_BONE_LEFT_UPPER_ARM, VRMI_SAMPLE_CAPSULE, {0.0f, 0.0f, 0.0f}, {0.0f, 0.2f, 0.0f}, 0.038f},
    {"rightArm", VRM_HUMAN_BONE_RIGHT_UPPER_ARM, VRMI_SAMPLE_CAPSULE, {0.0f, 0.0f, 0.0f}, {0.0f, 0.2f, 0.0f}, 0.038f},
    {"around", VRM_HUMAN_BONE_HEAD, VRMI_SAMPLE_INSIDE_SPHERE, {0.0f, 0.126f, 0.0f}, {0.0f, 0.0f, 0.0f}, 0.17f},
    {"around", VRM_HUMAN_BONE_HEAD, VRMI_SAMPLE_INSIDE_CAPSULE, {0.0f, 0.05f, 0.0f}, {0.0f, 0.2f, 0.02f}, 0.16f},
    {"behind", VRM_HUMAN_BONE_UPPER_CHEST, VRMI_SAMPLE_PLANE, {0.0f, 0.0f, -0.045f}, {0.0f, 0.0f, -1.0f}, 0.0f},
    {"hips", VRM_HUMAN_BONE_HIPS, VRMI_SAMPLE_SPHERE, {0.0f, -0.015f, -0.004f}, {0.0f, 0.0f, 0.0f}, 0.08f},
    {"leftLeg", VRM_HUMAN_BONE_LEFT_UPPER_LEG, VRMI_SAMPLE_CAPSULE, {0.0f, 0.0f, 0.0f}, {-0.004f, 0.34f, 0.0f}, 0.062f},
    {"rightLeg", VRM_HUMAN_BONE_RIGHT_UPPER_LEG, VRMI_SAMPLE_CAPSULE, {0.0f, 0.0f, 0.0f}, {0.004f, 0.34f, 0.0f},
        0.062f},
    {"spread", VRM_HUMAN_BONE_HIPS, VRMI_SAMPLE_INSIDE_SPHERE, {0.0f, -0.06f, -0.004f}, {0.0f, 0.0f, 0.0f}, 0.36f},
    {"seat", VRM_HUMAN_BONE_HIPS, VRMI_SAMPLE_PLANE, {0.0f, 0.0f, 0.02f}, {0.0f, 0.0f, -1.0f}, 0.0f},
};
// The settings of a kind of chains: parameters, and the groups that the chains collide with. NULL ends the list.
typedef struct chain_row {
    float stiffness, gravity, drag;
    const char *groups[4];
} chain_row;

static chain_row chain_settings(const vrmi_sample_figure *figure, const vrmi_sample_chain *chain)
{
    const char *arm = chain->side > 0 ? "leftArm" : "rightArm";
    // Chains that begin far at the back collide with a plane behind the back, not an arm.
    const bool behind = figure->nodes[chain->nodes[0]].position.z < -0.085f * figure->style.height;
    switch ((vrmi_minimal_chain_kind)chain->kind) {
    case VRMI_MINIMAL_CHAIN_FRINGE:
        return (chain_row){1.6f, 0.0f, 0.45f, {"head", "neck", "around", NULL}};
    case VRMI_MINIMAL_CHAIN_CROWN:
        return (chain_row){2.0f, 0.0f, 0.35f, {"head", "neck", "around", NULL}};
    case VRMI_MINIMAL_CHAIN_SIDE:
        return (chain_row){0.7f, 0.15f, 0.40f, {"head", "neck", "chest", arm}};
    case VRMI_MINIMAL_CHAIN_BACK:
        return (chain_row){0.8f, 0.15f, 0.40f, {"head", "neck", "chest", behind || chain->side == 0 ? "behind" : arm}};
    case VRMI_MINIMAL_CHAIN_SKIRT_FRONT:
        return (chain_row){1.8f, 0.40f, 0.50f, {"hips", "leftLeg", "rightLeg", "spread"}};
    case VRMI_MINIMAL_CHAIN_SKIRT_BACK:
        break;
    }
    return (chain_row){1.0f, 0.10f, 0.50f, {"hips", "leftLeg", "rightLeg", "seat"}};
}

void vrmi_minimal_set_springs(vrmi_sample_figure *figure)
{
    for (int i = 0; i < figure->chain_count; ++i) {
        vrmi_sample_chain *chain = &figure->chains[i];
        const chain_row row = chain_settings(figure, chain);
        chain->stiffness = row.stiffness;
        chain->gravity = row.gravity;
        chain->drag = row.drag;
        for (int g = 0; g < 4; ++g) {
            chain->groups[g] = row.groups[g];
        }
        // Short hair follows the head exactly and reacts only to its own motion.
        const bool is_short = chain->kind == VRMI_MINIMAL_CHAIN_FRINGE || chain->kind == VRMI_MINIMAL_CHAIN_CROWN;
        chain->center = is_short ? vrmi_sample_bone(VRM_HUMAN_BONE_HEAD) : -1;
    }
}
