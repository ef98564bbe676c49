// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "ragdoll/build.h"

#define BODY_MASS_INDEX 21.5f // kg/m^2

// Returns the body that carries a bone's mass, whether or not the avatar has the bone.
static uint32_t carrier_of(const vrmi_ragdoll_build *build, int32_t bone)
{
    if (bone == VRM_HUMAN_BONE_NECK && build->body_of_bone[bone] < 0) {
        bone = VRM_HUMAN_BONE_HEAD;
    }
    while (bone >= 0 && build->body_of_bone[bone] < 0) {
        bone = vrm_human_bone_parent((vrm_human_bone)bone);
    }
    return bone >= 0 ? (uint32_t)build->body_of_bone[bone] : 0;
}

// Limits the ratio of a body's mass to its parent's, from the root outwards, since iterative solvers are unstable with
// a light body between heavy ones. As in Jolt's Stabilize and Strunk's "Stop my constraints from blowing up".
static void tame(vrm_ragdoll_def *def, float ratio, float total)
{
    float sum = 0.0f;
    for (uint32_t i = 0; i < def->body_count; ++i) {
        vrm_ragdoll_body *body = &def->bodies[i];
        if (body->parent >= 0 && ratio > 0.0f) {
            const float above = def->bodies[body->parent].mass;
            body->mass = vrmi_clamp(body->mass, above / ratio, above * ratio);
        }
        sum += body->mass;
    }
    for (uint32_t i = 0; i < def->body_count; ++i) {
        def->bodies[i].mass *= total / sum;
    }
}

// Sets the centre of mass and the principal moments of inertia from mass and shape.
static void inertia_of(vrm_ragdoll_body *body)
{
    const vrm_ragdoll_shape *shape = &body->shape;
    const float m = body->mass;
    body->center_of_mass = shape->center;
    body->inertia_rotation = shape->rotation;
    if (shape->type == VRM_RAGDOLL_SHAPE_BOX) {
        const vrm_vec3 h = vrmi_vec3_mul(shape->half_extents, shape->half_extents);
        body->inertia = vrmi_vec3_scale(vrmi_vec3(h.y + h.z, h.x + h.z, h.x + h.y), m / 3.0f);
        return;
    }
    // A capsule is a cylinder and two half spheres, weighted by their volumes. The half spheres' centres are 3/8 r
    // beyond the cylinder's ends.
    const float r = shape->radius, l = 2.0f * shape->half_length, r2 = r * r;
    const float cylinder = m * l / (l + 4.0f / 3.0f * r), caps = m - cylinder;
    const float along = cylinder * 0.5f * r2 + caps * 0.4f * r2;
    const float across = cylinder * (l * l / 12.0f + 0.25f * r2) + caps * (0.4f * r2 + 0.25f * l * l + 0.375f * l * r);
    body->inertia = vrmi_vec3(across, along, across);
}

// Returns the factor by which an end of a limb has larger moments of inertia than its solid shape. A hand is so light
// that the ground, which it touches with its fingertips, would turn it by up to 40 degrees in a frame, and so would it
// turn fingers and toes. A real hand grips, and the muscles of forearm and shank, which move all of them, move along. This
// is the "armature" of MuJoCo. Joints' springs and dampers are proportional to the moments, so that free hands swing as
// before.
static float armature_of(vrm_human_bone bone)
{
    switch (bone) {
    case VRM_HUMAN_BONE_LEFT_HAND:
    case VRM_HUMAN_BONE_RIGHT_HAND:
        return 7.0f;
    case VRM_HUMAN_BONE_LEFT_FOOT:
    case VRM_HUMAN_BONE_RIGHT_FOOT:
        return 2.0f;
    case VRM_HUMAN_BONE_LEFT_TOES:
    case VRM_HUMAN_BONE_RIGHT_TOES:
        return 30.0f;
    default:
        return bone >= VRM_HUMAN_BONE_LEFT_THUMB_METACARPAL ? 120.0f : 1.0f; // fingers are the last bones
    }
}

void vrmi_ragdoll_share_mass(vrmi_ragdoll_build *build)
{
    vrm_ragdoll_def *def = build->def;
    const float wanted = build->params->mass;
    const float total = wanted > 0.0f ? wanted : BODY_MASS_INDEX * def->height * def->height;
    for (int32_t bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        def->bodies[carrier_of(build, bone)].mass += vrmi_anatomy_of((vrm_human_bone)bone)->mass;
    }
    tame(def, build->params->max_mass_ratio, total);
    for (uint32_t i = 0; i < def->body_count; ++i) {
        vrm_ragdoll_body *body = &def->bodies[i];
        inertia_of(body);
        body->inertia = vrmi_vec3_scale(body->inertia, armature_of(body->bone));
    }
}
