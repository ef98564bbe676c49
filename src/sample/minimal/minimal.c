// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "sample/minimal/face_shape.h"

// The parts of the minimal figure, and its passes in order.

static const vrmi_sample_bone_place places[] = {
    {VRM_HUMAN_BONE_HIPS, {0.0f, 0.865f, 0.0f}},
    {VRM_HUMAN_BONE_SPINE, {0.0f, 0.925f, -0.002f}},
    {VRM_HUMAN_BONE_CHEST, {0.0f, 1.0f, -0.006f}},
    {VRM_HUMAN_BONE_UPPER_CHEST, {0.0f, 1.085f, -0.01f}},
    {VRM_HUMAN_BONE_NECK, {0.0f, 1.192f, -0.018f}},
    {VRM_HUMAN_BONE_HEAD, {0.0f, 1.262f, -0.01f}},
    {VRM_HUMAN_BONE_JAW, {0.0f, 1.287f, 0.012f}},
    {VRM_HUMAN_BONE_LEFT_UPPER_LEG, {0.066f, 0.83f, 0.0f}},
    {VRM_HUMAN_BONE_LEFT_LOWER_LEG, {0.060f, 0.45f, 0.005f}},
    {VRM_HUMAN_BONE_LEFT_FOOT, {0.056f, 0.078f, -0.012f}},
    {VRM_HUMAN_BONE_LEFT_TOES, {0.056f, 0.022f, 0.062f}},
    {VRM_HUMAN_BONE_LEFT_SHOULDER, {0.026f, 1.163f, -0.012f}},
    {VRM_HUMAN_BONE_LEFT_UPPER_ARM, {0.112f, 1.158f, -0.012f}},
    {VRM_HUMAN_BONE_LEFT_LOWER_ARM, {0.315f, 1.158f, -0.012f}},
    {VRM_HUMAN_BONE_LEFT_HAND, {0.506f, 1.158f, -0.010f}},
    {VRM_HUMAN_BONE_LEFT_THUMB_METACARPAL, {0.520f, 1.152f, 0.010f}},
    {VRM_HUMAN_BONE_LEFT_THUMB_PROXIMAL, {0.541f, 1.149f, 0.031f}},
    {VRM_HUMAN_BONE_LEFT_THUMB_DISTAL, {0.557f, 1.149f, 0.047f}},
    {VRM_HUMAN_BONE_LEFT_INDEX_PROXIMAL, {0.572f, 1.158f, 0.0155f}},
    {VRM_HUMAN_BONE_LEFT_INDEX_INTERMEDIATE, {0.602f, 1.158f, 0.0165f}},
    {VRM_HUMAN_BONE_LEFT_INDEX_DISTAL, {0.620f, 1.158f, 0.0170f}},
    {VRM_HUMAN_BONE_LEFT_MIDDLE_PROXIMAL, {0.574f, 1.159f, -0.003f}},
    {VRM_HUMAN_BONE_LEFT_MIDDLE_INTERMEDIATE, {0.607f, 1.159f, -0.003f}},
    {VRM_HUMAN_BONE_LEFT_MIDDLE_DISTAL, {0.627f, 1.159f, -0.003f}},
    {VRM_HUMAN_BONE_LEFT_RING_PROXIMAL, {0.571f, 1.158f, -0.0205f}},
    {VRM_HUMAN_BONE_LEFT_RING_INTERMEDIATE, {0.601f, 1.158f, -0.0215f}},
    {VRM_HUMAN_BONE_LEFT_RING_DISTAL, {0.619f, 1.158f, -0.0220f}},
    {VRM_HUMAN_BONE_LEFT_LITTLE_PROXIMAL, {0.565f, 1.156f, -0.0370f}},
    {VRM_HUMAN_BONE_LEFT_LITTLE_INTERMEDIATE, {0.589f, 1.156f, -0.0390f}},
    {VRM_HUMAN_BONE_LEFT_LITTLE_DISTAL, {0.604f, 1.156f, -0.0400f}},
};

void vrmi_minimal_add_skeleton(vrmi_sample_figure *figure)
{
    vrmi_sample_bones bones = {.places = places, .count = (int)VRMI_COUNT_OF(places)};
    vrmi_minimal_eye_frame(0, &bones.eye, &bones.eye_direction);
    vrmi_sample_add_bones(figure, &bones);
    vrmi_sample_helpers *h = &figure->helpers;
    static const struct {
        vrmi_sample_helper helper;
        size_t out;
    } pairs[] = {
        {{{"leftUpperArmTwist", "rightUpperArmTwist"}, VRM_HUMAN_BONE_LEFT_UPPER_ARM, VRM_HUMAN_BONE_LEFT_UPPER_ARM,
             VRM_HUMAN_BONE_LEFT_LOWER_ARM, 0.5f},
            offsetof(vrmi_sample_helpers, upper_arm_twist)},
        {{{"leftLowerArmTwist", "rightLowerArmTwist"}, VRM_HUMAN_BONE_LEFT_LOWER_ARM, VRM_HUMAN_BONE_LEFT_LOWER_ARM,
             VRM_HUMAN_BONE_LEFT_HAND, 0.5f},
            offsetof(vrmi_sample_helpers, lower_arm_twist)},
        {{{"leftShoulderPad", "rightShoulderPad"}, VRM_HUMAN_BONE_LEFT_SHOULDER, VRM_HUMAN_BONE_LEFT_UPPER_ARM,
             VRM_HUMAN_BONE_LEFT_LOWER_ARM, 0.0f},
            offsetof(vrmi_sample_helpers, shoulder_pad)},
        {{{"leftKnee", "rightKnee"}, VRM_HUMAN_BONE_LEFT_UPPER_LEG, VRM_HUMAN_BONE_LEFT_UPPER_LEG,
             VRM_HUMAN_BONE_LEFT_LOWER_LEG, 1.0f},
            offsetof(vrmi_sample_helpers, knee)},
    };
    for (size_t i = 0; i < VRMI_COUNT_OF(pairs); ++i) {
        vrmi_sample_add_helper_pair(figure, &pairs[i].helper, (int *)(void *)((char *)h + pairs[i].out));
    }
    h->pin = vrmi_sample_add_node(figure, "HairPin", vrmi_sample_bone(VRM_HUMAN_BONE_HEAD),
        vrmi_vec3(0.0880f, 1.4285f, 0.0805f), vrmi_quat_from_yaw_pitch(0.83f, -0.32f));
    const int lower_arm = vrmi_sample_bone(VRM_HUMAN_BONE_LEFT_LOWER_ARM);
    const vrmi_sample_constraint rows[] = {
        {h->upper_arm_twist[0], lower_arm, "roll", ",\"rollAxis\":\"Y\"", 0.5f},
        {h->lower_arm_twist[0], vrmi_sample_bone(VRM_HUMAN_BONE_LEFT_HAND), "roll", ",\"rollAxis\":\"Y\"", 0.5f},
        {h->knee[0], vrmi_sample_bone(VRM_HUMAN_BONE_LEFT_LOWER_LEG), "rotation", "", 0.5f},
    };
    for (size_t i = 0; i < VRMI_COUNT_OF(rows); ++i) {
        vrmi_sample_constrain(figure, &rows[i], rows[i].axis);
    }
    const vrmi_sample_constraint pad = {h->shoulder_pad[0], lower_arm, "aim", ",\"aimAxis\":\"PositiveX\"", 0.5f};
    vrmi_sample_constrain(figure, &pad, ",\"aimAxis\":\"NegativeX\"");
}

static const vrmi_sample_part_row parts[] = {
#define PART_ROW(name, mesh, material, vertices, indices) \
    {material, VRMI_MINIMAL_MESH_##mesh, vertices, indices, VRMI_MINIMAL_##name != VRMI_MINIMAL_LINE},
    VRMI_MINIMAL_PARTS(PART_ROW)
#undef PART_ROW
};

static const vrmi_sample_mesh_row meshes[] = {
    {"Face", "thirdPersonOnly", false}, {"Body", "auto", false}, {"Hair", "auto", false}, {"HairPin", "both", true}};

static const char *const images[] = {
    "thumbnail", "skin", "face", "white", "iris", "blush", "cloth", "skirt", "ribbon", "mask", "hair", "matcap"};

static const char *const morphs[] = {
#define MORPH_NAME(name) #name,
    VRMI_MINIMAL_MORPHS(MORPH_NAME)
#undef MORPH_NAME
};

#define OVERRIDE(kind, type) ",\"override" kind "\":\"" type "\""
#define BLUSH \
    { \
        { \
            VRMI_MINIMAL_BLUSH, "color", "[1,1,1,1]" \
        } \
    }
#define PLAIN(preset) \
    { \
        .name = #preset, .morph = VRMI_MINIMAL_MORPH_##preset \
    }

static const vrmi_sample_expression expressions[] = {
    {"happy", VRMI_MINIMAL_MORPH_happy, false, false, OVERRIDE("Blink", "block") OVERRIDE("Mouth", "blend"), 0, BLUSH},
    {"angry", VRMI_MINIMAL_MORPH_angry, false, false, OVERRIDE("Mouth", "blend"), 0, {{0, NULL, NULL}}},
    {"sad", VRMI_MINIMAL_MORPH_sad, false, false, OVERRIDE("Blink", "blend"), 0, {{0, NULL, NULL}}},
    {"relaxed", VRMI_MINIMAL_MORPH_relaxed, false, false, OVERRIDE("Blink", "blend"), 0, BLUSH},
    {"surprised", VRMI_MINIMAL_MORPH_surprised, false, false, OVERRIDE("Blink", "block") OVERRIDE("LookAt", "blend"), 0,
        {{0, NULL, NULL}}},
    PLAIN(aa),
    PLAIN(ih),
    PLAIN(ou),
    PLAIN(ee),
    PLAIN(oh),
    PLAIN(blink),
    PLAIN(blinkLeft),
    PLAIN(blinkRight),
    PLAIN(lookUp),
    PLAIN(lookDown),
    PLAIN(lookLeft),
    PLAIN(lookRight),
    PLAIN(neutral),
    {"wink", VRMI_MINIMAL_MORPH_wink, true, false, OVERRIDE("Blink", "block") OVERRIDE("Mouth", "block"), 0,
        {{0, NULL, NULL}}},
    // Stars in the eyes. The expression is either on or off: halfway, the texture would show the border between two
    // irises.
    {"sparkle", -1, true, true, NULL, VRMI_MINIMAL_IRIS,
        {{VRMI_MINIMAL_IRIS, "emissionColor", "[0.06,0.06,0.04,1]"},
            {VRMI_MINIMAL_PIN, "emissionColor", "[1,0.85,0.5,1]"}, {VRMI_MINIMAL_PIN, "rimColor", "[1,1,1,1]"},
            {VRMI_MINIMAL_BLUSH, "color", "[1,1,1,0.8]"}}},
    // Slightly changes everything that a material bind can change: shade, matcap and outline.
    {"glow", -1, true, false, NULL, 0,
        {{VRMI_MINIMAL_RIBBON, "emissionColor", "[1,0.6,0.35,1]"},
            {VRMI_MINIMAL_RIBBON, "shadeColor", "[1,0.8,0.75,1]"}, {VRMI_MINIMAL_SHOES, "matcapColor", "[1,0.9,0.7,1]"},
            {VRMI_MINIMAL_HAIR, "outlineColor", "[0.9,0.7,0.4,1]"}}},
};

static const vrmi_sample_plan plan = {.parts = parts,
    .part_count = VRMI_MINIMAL_PART_COUNT,
    .morph_parts = VRMI_MINIMAL_FACE_PARTS,
    .meshes = meshes,
    .mesh_count = VRMI_MINIMAL_MESH_COUNT,
    .images = images,
    .image_count = VRMI_MINIMAL_IMAGE_COUNT,
    .morphs = morphs,
    .morph_count = VRMI_MINIMAL_MORPH_COUNT,
    .colliders = vrmi_minimal_colliders,
    .collider_count = VRMI_MINIMAL_COLLIDERS,
    .expressions = expressions,
    .expression_count = (int)VRMI_COUNT_OF(expressions),
    .gaze = {4.5f, 5.5f, 4.0f, 4.0f},
    .portrait_width = 0.36f,
    .portrait_top = 0.29f};

bool vrmi_minimal_make(vrmi_sample_figure *figure)
{
    figure->plan = &plan;
    if (!vrmi_sample_make_room(figure)) {
        return false;
    }
    vrmi_minimal_face face;
    vrmi_minimal_face_default(&face);
    vrmi_minimal_add_skeleton(figure);
    vrmi_minimal_add_head(figure, &face);
    vrmi_minimal_add_body(figure);
    vrmi_minimal_add_clothes(figure);
    vrmi_minimal_add_skirt(figure);
    vrmi_minimal_add_hair(figure);
    vrmi_minimal_set_materials(figure);
    if (!vrmi_minimal_add_morphs(figure) || !vrmi_minimal_paint_textures(figure)) {
        return false;
    }
    vrmi_sample_resize(figure, 0.865f, VRMI_MINIMAL_PIN);
    vrmi_minimal_set_springs(figure);
    const vrm_vec3 head = figure->nodes[vrmi_sample_bone(VRM_HUMAN_BONE_HEAD)].position;
    const float height = figure->style.height;
    figure->look_y = 1.3325f * height - head.y + 0.865f * height * (figure->style.legs - 1.0f);
    figure->look_z = 0.075f * height - head.z;
    return true;
}
