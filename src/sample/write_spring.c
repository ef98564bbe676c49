// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "sample/write.h"

// VRMC_springBone: colliders of every kind, and four of them for every chain.

typedef enum collider_kind { SPHERE, CAPSULE, INSIDE_SPHERE, INSIDE_CAPSULE, PLANE } collider_kind;

typedef struct collider_row {
    const char *group;
    vrm_human_bone bone;
    collider_kind kind;
    vrm_vec3 offset, tail; // tail is the normal of a plane
    float radius;
} collider_row;

// A group each, but for the two that hold the fringe. Offsets are in the bone's space: arms run along their +Y and so
// do the legs.
static const collider_row colliders[] = {
    {"head", VRM_HUMAN_BONE_HEAD, SPHERE, {0.0f, 0.122f, 0.0f}, {0.0f, 0.0f, 0.0f}, 0.092f},
    {"neck", VRM_HUMAN_BONE_NECK, CAPSULE, {0.0f, -0.005f, 0.0f}, {0.0f, 0.075f, 0.008f}, 0.034f},
    {"chest", VRM_HUMAN_BONE_UPPER_CHEST, CAPSULE, {0.0f, -0.04f, 0.012f}, {0.0f, 0.055f, 0.006f}, 0.066f},
    {"leftArm", VRM_HUMAN_BONE_LEFT_UPPER_ARM, CAPSULE, {0.0f, 0.0f, 0.0f}, {0.0f, 0.2f, 0.0f}, 0.038f},
    {"rightArm", VRM_HUMAN_BONE_RIGHT_UPPER_ARM, CAPSULE, {0.0f, 0.0f, 0.0f}, {0.0f, 0.2f, 0.0f}, 0.038f},
    {"around", VRM_HUMAN_BONE_HEAD, INSIDE_SPHERE, {0.0f, 0.126f, 0.0f}, {0.0f, 0.0f, 0.0f}, 0.17f},
    {"around", VRM_HUMAN_BONE_HEAD, INSIDE_CAPSULE, {0.0f, 0.05f, 0.0f}, {0.0f, 0.2f, 0.02f}, 0.16f},
    {"behind", VRM_HUMAN_BONE_UPPER_CHEST, PLANE, {0.0f, 0.0f, -0.045f}, {0.0f, 0.0f, -1.0f}, 0.0f},
    {"hips", VRM_HUMAN_BONE_HIPS, SPHERE, {0.0f, -0.015f, -0.004f}, {0.0f, 0.0f, 0.0f}, 0.08f},
    {"leftLeg", VRM_HUMAN_BONE_LEFT_UPPER_LEG, CAPSULE, {0.0f, 0.0f, 0.0f}, {-0.004f, 0.34f, 0.0f}, 0.062f},
    {"rightLeg", VRM_HUMAN_BONE_RIGHT_UPPER_LEG, CAPSULE, {0.0f, 0.0f, 0.0f}, {0.004f, 0.34f, 0.0f}, 0.062f},
    {"spread", VRM_HUMAN_BONE_HIPS, INSIDE_SPHERE, {0.0f, -0.06f, -0.004f}, {0.0f, 0.0f, 0.0f}, 0.36f},
    {"seat", VRM_HUMAN_BONE_HIPS, PLANE, {0.0f, 0.0f, 0.02f}, {0.0f, 0.0f, -1.0f}, 0.0f},
};
#define COLLIDERS ((int)VRMI_COUNT_OF(colliders))

static void put_vector(vrmi_text *text, const char *name, vrm_vec3 v, float scale)
{
    // A product with -0 or a scale of 1 must not show as -0.
    const float values[3] = {v.x * scale + 0.0f, v.y * scale + 0.0f, v.z * scale + 0.0f};
    vrmi_text_format(text, "\"%s\":", name);
    vrmi_sample_put_floats(text, values, 3);
}

static void put_ball(vrmi_text *text, const collider_row *c, float scale)
{
    vrmi_text_add_string(text, c->kind == CAPSULE || c->kind == INSIDE_CAPSULE ? "{\"capsule\":{" : "{\"sphere\":{");
    put_vector(text, "offset", c->offset, scale);
    vrmi_text_add_string(text, ",\"radius\":");
    vrmi_text_add_float(text, c->radius * scale);
    if (c->kind == CAPSULE || c->kind == INSIDE_CAPSULE) {
        vrmi_text_add_string(text, ",");
        put_vector(text, "tail", c->tail, scale);
    }
    vrmi_text_add_string(text, c->kind >= INSIDE_SPHERE ? ",\"inside\":true}}" : "}}");
}

// The extended shape, with the fallback that its specification recommends for readers without it.
static void put_extended(vrmi_text *text, const collider_row *c, float scale)
{
    if (c->kind == PLANE) {
        const vrm_vec3 center = vrmi_vec3_sub(vrmi_vec3_scale(c->offset, scale), vrmi_vec3_scale(c->tail, 1000.0f));
        vrmi_text_add_string(text, "{\"sphere\":{");
        put_vector(text, "offset", center, 1.0f);
        vrmi_text_add_string(text, ",\"radius\":1000}}");
    } else {
        vrmi_text_add_string(text, "{\"sphere\":{\"offset\":[0,-10000,0],\"radius\":0}}");
    }
    vrmi_text_add_string(
        text, ",\"extensions\":{\"VRMC_springBone_extended_collider\":{\"specVersion\":\"1.0\",\"shape\":");
    if (c->kind == PLANE) {
        vrmi_text_add_string(text, "{\"plane\":{");
        put_vector(text, "offset", c->offset, scale);
        vrmi_text_add_string(text, ",");
        put_vector(text, "normal", c->tail, 1.0f);
        vrmi_text_add_string(text, "}}");
    } else {
        put_ball(text, c, scale);
    }
    vrmi_text_add_string(text, "}}");
}

static void put_colliders(vrmi_text *text, float scale)
{
    vrmi_text_add_string(text, "\"colliders\":[");
    for (int i = 0; i < COLLIDERS; ++i) {
        vrmi_text_format(text, "%s{\"node\":%d,\"shape\":", i > 0 ? "," : "", vrmi_sample_bone(colliders[i].bone));
        if (colliders[i].kind <= CAPSULE) {
            put_ball(text, &colliders[i], scale);
        } else {
            put_extended(text, &colliders[i], scale);
        }
        vrmi_text_add_string(text, "}");
    }
    vrmi_text_add_string(text, "]");
}

static bool same_group(int a, int b)
{
    return vrmi_string_equal(vrmi_string(colliders[a].group), colliders[b].group);
}

static void put_groups(vrmi_text *text)
{
    vrmi_text_add_string(text, ",\"colliderGroups\":[");
    for (int i = 0; i < COLLIDERS; ++i) {
        if (i > 0 && same_group(i - 1, i)) {
            continue;
        }
        vrmi_text_format(text, "%s{\"name\":\"%s\",\"colliders\":[%d", i > 0 ? "," : "", colliders[i].group, i);
        for (int k = i + 1; k < COLLIDERS && same_group(i, k); ++k) {
            vrmi_text_format(text, ",%d", k);
        }
        vrmi_text_add_string(text, "]}");
    }
    vrmi_text_add_string(text, "]");
}

static int group_index(const char *name)
{
    int index = -1;
    for (int i = 0; i < COLLIDERS; ++i) {
        index += i == 0 || !same_group(i - 1, i) ? 1 : 0;
        if (vrmi_string_equal(vrmi_string(name), colliders[i].group)) {
            return index;
        }
    }
    return -1;
}

// What a chain of a kind is made of, and what it may touch; NULL ends a list.
typedef struct chain_row {
    float stiffness, gravity, drag;
    const char *groups[4];
} chain_row;

static chain_row chain_settings(const vrmi_sample_figure *figure, const vrmi_sample_chain *chain)
{
    const char *arm = chain->side > 0 ? "leftArm" : "rightArm";
    // Hair that starts behind the back never leaves its half space.
    const bool behind = figure->nodes[chain->nodes[0]].position.z < -0.085f * figure->style.height;
    switch (chain->kind) {
    case VRMI_SAMPLE_CHAIN_FRINGE:
        return (chain_row){1.6f, 0.0f, 0.45f, {"head", "neck", "around", NULL}};
    case VRMI_SAMPLE_CHAIN_CROWN:
        return (chain_row){2.0f, 0.0f, 0.35f, {"head", "neck", "around", NULL}};
    case VRMI_SAMPLE_CHAIN_SIDE:
        return (chain_row){0.7f, 0.15f, 0.40f, {"head", "neck", "chest", arm}};
    case VRMI_SAMPLE_CHAIN_BACK:
        return (chain_row){0.8f, 0.15f, 0.40f, {"head", "neck", "chest", behind || chain->side == 0 ? "behind" : arm}};
    case VRMI_SAMPLE_CHAIN_SKIRT_FRONT:
        return (chain_row){1.0f, 0.10f, 0.50f, {"hips", "leftLeg", "rightLeg", "spread"}};
    case VRMI_SAMPLE_CHAIN_SKIRT_BACK:
        break;
    }
    return (chain_row){1.0f, 0.10f, 0.50f, {"hips", "leftLeg", "rightLeg", "seat"}};
}

static void put_spring(vrmi_text *text, const vrmi_sample_figure *figure, const vrmi_sample_chain *chain)
{
    const chain_row row = chain_settings(figure, chain);
    vrmi_text_format(text, "{\"name\":\"%s\"", chain->name);
    if (chain->kind == VRMI_SAMPLE_CHAIN_FRINGE || chain->kind == VRMI_SAMPLE_CHAIN_CROWN) {
        // Short hair follows the head at once and only answers to its own motion.
        vrmi_text_format(text, ",\"center\":%d", vrmi_sample_bone(VRM_HUMAN_BONE_HEAD));
    }
    vrmi_text_add_string(text, ",\"joints\":[");
    for (int k = 0; k < chain->count; ++k) {
        vrmi_text_format(text, "%s{\"node\":%d", k > 0 ? "," : "", chain->nodes[k]);
        if (k + 1 < chain->count) {
            vrmi_text_add_string(text, ",\"hitRadius\":");
            vrmi_text_add_float(text, chain->radius * figure->style.height);
            vrmi_text_add_string(text, ",\"stiffness\":");
            vrmi_text_add_float(text, row.stiffness);
            vrmi_text_add_string(text, ",\"gravityPower\":");
            vrmi_text_add_float(text, row.gravity);
            vrmi_text_add_string(text, ",\"gravityDir\":[0,-1,0],\"dragForce\":");
            vrmi_text_add_float(text, row.drag);
        }
        vrmi_text_add_string(text, "}");
    }
    vrmi_text_add_string(text, "],\"colliderGroups\":[");
    for (int g = 0; g < 4 && row.groups[g] != NULL; ++g) {
        vrmi_text_format(text, "%s%d", g > 0 ? "," : "", group_index(row.groups[g]));
    }
    vrmi_text_add_string(text, "]}");
}

void vrmi_sample_put_springs(vrmi_text *text, const vrmi_sample_figure *figure)
{
    vrmi_text_add_string(text, "\"VRMC_springBone\":{\"specVersion\":\"1.0\",");
    put_colliders(text, figure->style.height);
    put_groups(text);
    vrmi_text_add_string(text, ",\"springs\":[");
    for (int i = 0; i < figure->chain_count; ++i) {
        vrmi_text_add_string(text, i > 0 ? "," : "");
        put_spring(text, figure, &figure->chains[i]);
    }
    vrmi_text_add_string(text, "]}");
}
