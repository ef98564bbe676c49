// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "sample/full/full.h"

// The parts of the full figure, and its passes in order.

static const vrmi_sample_bone_place places[] = {
    {VRM_HUMAN_BONE_HIPS, {0.0f, VRMI_FULL_HIPS, 0.0f}},
    {VRM_HUMAN_BONE_SPINE, {0.0f, 0.965f, -0.002f}},
    {VRM_HUMAN_BONE_CHEST, {0.0f, 1.045f, -0.006f}},
    {VRM_HUMAN_BONE_UPPER_CHEST, {0.0f, 1.130f, -0.010f}},
    {VRM_HUMAN_BONE_NECK, {0.0f, 1.250f, -0.020f}},
    {VRM_HUMAN_BONE_HEAD, {0.0f, 1.320f, -0.010f}},
    {VRM_HUMAN_BONE_JAW, {0.0f, 1.350f, 0.010f}},
    {VRM_HUMAN_BONE_LEFT_UPPER_LEG, {0.070f, 0.868f, 0.0f}},
    {VRM_HUMAN_BONE_LEFT_LOWER_LEG, {0.064f, 0.470f, 0.006f}},
    {VRM_HUMAN_BONE_LEFT_FOOT, {0.060f, 0.082f, -0.014f}},
    {VRM_HUMAN_BONE_LEFT_TOES, {0.060f, 0.022f, 0.064f}},
    {VRM_HUMAN_BONE_LEFT_SHOULDER, {0.024f, 1.222f, -0.014f}},
    {VRM_HUMAN_BONE_LEFT_UPPER_ARM, {0.105f, 1.216f, -0.014f}},
    {VRM_HUMAN_BONE_LEFT_LOWER_ARM, {0.322f, 1.216f, -0.014f}},
    {VRM_HUMAN_BONE_LEFT_HAND, {0.520f, 1.216f, -0.012f}},
    {VRM_HUMAN_BONE_LEFT_THUMB_METACARPAL, {0.533f, 1.211f, 0.008f}},
    {VRM_HUMAN_BONE_LEFT_THUMB_PROXIMAL, {0.553f, 1.209f, 0.028f}},
    {VRM_HUMAN_BONE_LEFT_THUMB_DISTAL, {0.570f, 1.209f, 0.045f}},
    {VRM_HUMAN_BONE_LEFT_INDEX_PROXIMAL, {0.589f, 1.2165f, 0.0135f}},
    {VRM_HUMAN_BONE_LEFT_INDEX_INTERMEDIATE, {0.621f, 1.2165f, 0.0145f}},
    {VRM_HUMAN_BONE_LEFT_INDEX_DISTAL, {0.642f, 1.2165f, 0.0150f}},
    {VRM_HUMAN_BONE_LEFT_MIDDLE_PROXIMAL, {0.591f, 1.2175f, -0.0045f}},
    {VRM_HUMAN_BONE_LEFT_MIDDLE_INTERMEDIATE, {0.626f, 1.2175f, -0.0045f}},
    {VRM_HUMAN_BONE_LEFT_MIDDLE_DISTAL, {0.649f, 1.2175f, -0.0045f}},
    {VRM_HUMAN_BONE_LEFT_RING_PROXIMAL, {0.588f, 1.2165f, -0.0220f}},
    {VRM_HUMAN_BONE_LEFT_RING_INTERMEDIATE, {0.620f, 1.2165f, -0.0230f}},
    {VRM_HUMAN_BONE_LEFT_RING_DISTAL, {0.641f, 1.2165f, -0.0235f}},
    {VRM_HUMAN_BONE_LEFT_LITTLE_PROXIMAL, {0.581f, 1.2145f, -0.0380f}},
    {VRM_HUMAN_BONE_LEFT_LITTLE_INTERMEDIATE, {0.606f, 1.2145f, -0.0400f}},
    {VRM_HUMAN_BONE_LEFT_LITTLE_DISTAL, {0.623f, 1.2145f, -0.0410f}},
};

static void add_helpers(vrmi_sample_figure *figure)
{
    vrmi_sample_helpers *h = &figure->helpers;
    const vrm_human_bone arm = VRM_HUMAN_BONE_LEFT_UPPER_ARM, elbow = VRM_HUMAN_BONE_LEFT_LOWER_ARM;
    const vrm_human_bone thigh = VRM_HUMAN_BONE_LEFT_UPPER_LEG, knee = VRM_HUMAN_BONE_LEFT_LOWER_LEG;
    const struct {
        vrmi_sample_helper helper;
        int *out;
        vrm_human_bone source;
        const char *type, *left, *right;
    } rows[] = {
        {{{"leftUpperArmTwist", "rightUpperArmTwist"}, arm, arm, elbow, 0.5f}, h->upper_arm_twist, elbow, "roll",
            ",\"rollAxis\":\"Y\"", ",\"rollAxis\":\"Y\""},
        {{{"leftLowerArmTwist", "rightLowerArmTwist"}, elbow, elbow, VRM_HUMAN_BONE_LEFT_HAND, 0.5f},
            h->lower_arm_twist, VRM_HUMAN_BONE_LEFT_HAND, "roll", ",\"rollAxis\":\"Y\"", ",\"rollAxis\":\"Y\""},
        {{{"leftShoulderPad", "rightShoulderPad"}, VRM_HUMAN_BONE_LEFT_SHOULDER, arm, elbow, 0.0f}, h->shoulder_pad,
            elbow, "aim", ",\"aimAxis\":\"PositiveX\"", ",\"aimAxis\":\"NegativeX\""},
        {{{"leftElbow", "rightElbow"}, arm, arm, elbow, 1.0f}, h->elbow, elbow, "rotation", "", ""},
        {{{"leftKnee", "rightKnee"}, thigh, thigh, knee, 1.0f}, h->knee, knee, "rotation", "", ""},
        {{{"leftHip", "rightHip"}, VRM_HUMAN_BONE_HIPS, thigh, knee, 0.0f}, h->hip, thigh, "rotation", "", ""},
    };
    for (size_t i = 0; i < VRMI_COUNT_OF(rows); ++i) {
        vrmi_sample_add_helper_pair(figure, &rows[i].helper, rows[i].out);
        const vrmi_sample_constraint left = {
            rows[i].out[0], vrmi_sample_bone(rows[i].source), rows[i].type, rows[i].left, 0.5f};
        vrmi_sample_constrain(figure, &left, rows[i].right);
    }
    // The nodes where cloth folds over a lifted thigh. They are in front of the thigh's joint, so that the cloth
    // rotates about the groin.
    const vrm_quat level = figure->nodes[vrmi_sample_bone(VRM_HUMAN_BONE_HIPS)].rotation;
    for (int side = 0; side < 2; ++side) {
        h->lap[side] = vrmi_sample_add_node(figure, side == 0 ? "leftLap" : "rightLap",
            vrmi_sample_bone(VRM_HUMAN_BONE_HIPS), vrmi_vec3(side == 0 ? 0.070f : -0.070f, 0.932f, 0.062f), level);
    }
    vrmi_sample_pair_nodes(figure, h->lap[0], h->lap[1]);
    const vrmi_sample_constraint lap = {h->lap[0], vrmi_sample_bone(thigh), "rotation", "", 1.0f};
    vrmi_sample_constrain(figure, &lap, "");
}

void vrmi_full_add_skeleton(vrmi_sample_figure *figure)
{
    vrmi_sample_bones bones = {.places = places, .count = (int)VRMI_COUNT_OF(places)};
    vrmi_full_eye_frame(&bones.eye, &bones.eye_direction);
    vrmi_sample_add_bones(figure, &bones);
    add_helpers(figure);
    figure->helpers.pin = vrmi_sample_add_node(figure, "HairPin", vrmi_sample_bone(VRM_HUMAN_BONE_HEAD),
        vrmi_vec3(0.0820f, 1.4480f, 0.0750f), vrmi_quat_from_yaw_pitch(0.80f, -0.10f));
}

static const vrmi_sample_part_row parts[] = {
#define PART_ROW(name, mesh, material, vertices, indices, picture) \
    {material, VRMI_FULL_MESH_##mesh, vertices, indices, picture},
    VRMI_FULL_PARTS(PART_ROW)
#undef PART_ROW
};

static const vrmi_sample_mesh_row meshes[] = {
    {"Face", "thirdPersonOnly", false}, {"Body", "auto", false}, {"Hair", "auto", false}, {"HairPin", "both", true}};

static const char *const images[] = {
#define IMAGE_NAME(name, file) file,
    VRMI_FULL_IMAGES(IMAGE_NAME)
#undef IMAGE_NAME
};

void vrmi_full_set_height(vrmi_sample_style *style, float height)
{
    style->height = height / (VRMI_FULL_CROWN + VRMI_FULL_HIPS * (style->legs - 1.0f));
}

bool vrmi_full_make(vrmi_sample_figure *figure)
{
    vrmi_sample_plan *plan = vrmi_arena_alloc(&figure->arena, 1, sizeof(*plan));
    if (plan == NULL) {
        return false;
    }
    *plan = (vrmi_sample_plan){.parts = parts,
        .part_count = VRMI_FULL_PART_COUNT,
        .morph_parts = VRMI_FULL_FACE_PARTS,
        .meshes = meshes,
        .mesh_count = VRMI_FULL_MESH_COUNT,
        .images = images,
        .image_count = VRMI_FULL_IMAGE_COUNT,
        .morphs = vrmi_full_morphs,
        .morph_count = vrmi_full_morph_count,
        .colliders = vrmi_full_colliders,
        .collider_count = VRMI_FULL_COLLIDERS,
        .expressions = vrmi_full_expressions,
        .expression_count = vrmi_full_expression_count,
        .gaze = {4.0f, 5.0f, 4.0f, 4.0f},
        .portrait_width = 0.36f,
        .portrait_top = 0.275f};
    figure->plan = plan;
    if (!vrmi_sample_make_room(figure)) {
        return false;
    }
    vrmi_full_face face;
    vrmi_full_face_rest(&face);
    vrmi_full_add_skeleton(figure);
    vrmi_full_add_face(figure, &face);
    vrmi_full_add_body(figure);
    if (figure->style.outfit == VRM_SAMPLE_OUTFIT_UNIFORM) {
        vrmi_full_add_uniform(figure);
    } else {
        vrmi_full_add_hoodie(figure);
    }
    vrmi_full_add_hair(figure);
    vrmi_full_add_pin(figure);
    vrmi_full_set_materials(figure);
    if (!vrmi_full_add_morphs(figure) || !vrmi_full_paint(figure)) {
        return false;
    }
    vrmi_sample_resize(figure, VRMI_FULL_HIPS, VRMI_FULL_PIN);
    vrmi_full_set_springs(figure);
    const vrm_vec3 head = figure->nodes[vrmi_sample_bone(VRM_HUMAN_BONE_HEAD)].position;
    const float height = figure->style.height;
    figure->look_y = (VRMI_FULL_EYE_Y + VRMI_FULL_HIPS * (figure->style.legs - 1.0f)) * height - head.y;
    figure->look_z = 0.078f * height - head.z;
    return true;
}
