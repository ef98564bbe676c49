// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MINIMAL_H
#define VRMI_MINIMAL_H

// The minimal figure, which is the model of tests and benchmarks. Its bytes never change, so that measurements stay
// comparable.

#include "sample/figure.h"

// X(NAME, mesh, material name, most vertices, most indices). A part is one glTF primitive with its own material.
#define VRMI_MINIMAL_PARTS(X) \
    X(FACE_SKIN, FACE, "FaceSkin", 1024, 3072) \
    X(MOUTH, FACE, "Mouth", 256, 768) \
    X(EYE_WHITE, FACE, "EyeWhite", 256, 768) \
    X(IRIS, FACE, "Iris", 256, 768) \
    X(LINE, FACE, "FaceLine", 512, 1536) \
    X(BLUSH, FACE, "Blush", 256, 768) \
    X(BODY_SKIN, BODY, "BodySkin", 1536, 4608) \
    X(CLOTH, BODY, "Cloth", 2048, 6144) \
    X(SKIRT, BODY, "Skirt", 512, 2048) \
    X(SHOES, BODY, "Shoes", 768, 2304) \
    X(RIBBON, BODY, "Ribbon", 512, 1536) \
    X(HAIR, HAIR, "Hair", 3072, 9216) \
    X(PIN, PIN, "HairPin", 256, 768)

typedef enum vrmi_minimal_part_id {
#define VRMI_MINIMAL_PART_ENUM(name, mesh, material, vertices, indices) VRMI_MINIMAL_##name,
    VRMI_MINIMAL_PARTS(VRMI_MINIMAL_PART_ENUM)
#undef VRMI_MINIMAL_PART_ENUM
        VRMI_MINIMAL_PART_COUNT
} vrmi_minimal_part_id;

typedef enum vrmi_minimal_mesh_id {
    VRMI_MINIMAL_MESH_FACE,
    VRMI_MINIMAL_MESH_BODY,
    VRMI_MINIMAL_MESH_HAIR,
    VRMI_MINIMAL_MESH_PIN,
    VRMI_MINIMAL_MESH_COUNT
} vrmi_minimal_mesh_id;

typedef enum vrmi_minimal_image_id {
    VRMI_MINIMAL_IMAGE_THUMBNAIL,
    VRMI_MINIMAL_IMAGE_SKIN,
    VRMI_MINIMAL_IMAGE_FACE,
    VRMI_MINIMAL_IMAGE_WHITE,
    VRMI_MINIMAL_IMAGE_IRIS,
    VRMI_MINIMAL_IMAGE_BLUSH,
    VRMI_MINIMAL_IMAGE_CLOTH,
    VRMI_MINIMAL_IMAGE_SKIRT,
    VRMI_MINIMAL_IMAGE_RIBBON,
    VRMI_MINIMAL_IMAGE_MASK,
    VRMI_MINIMAL_IMAGE_HAIR,
    VRMI_MINIMAL_IMAGE_MATCAP,
    VRMI_MINIMAL_IMAGE_COUNT
} vrmi_minimal_image_id;

typedef enum vrmi_minimal_chain_kind {
    VRMI_MINIMAL_CHAIN_FRINGE,
    VRMI_MINIMAL_CHAIN_CROWN, // the strand that sticks up
    VRMI_MINIMAL_CHAIN_SIDE,
    VRMI_MINIMAL_CHAIN_BACK,
    VRMI_MINIMAL_CHAIN_SKIRT_FRONT,
    VRMI_MINIMAL_CHAIN_SKIRT_BACK
} vrmi_minimal_chain_kind;

// The whole shape of a face. A morph target is the difference of two shapes.
typedef struct vrmi_minimal_face {
    float close[2];       // left and right lids, 0: open, 1: closed; below 0: wider open
    float smile[2];       // closed lids curve up
    float lower_lid[2];   // the lower lid rises
    float gaze_x, gaze_y; // displacement of the irises on the eyes, metres
    float iris;           // scale of the irises
    float brow_y;         // metres
    float brow_inner;     // rise of the inner ends, metres
    float mouth_open;     // metres
    float mouth_width;    // factor
    float mouth_corner;   // rise of the corners, metres
    float mouth_round;    // shape of the opening, 0: line, 1: circle
    float mouth_lower;    // fraction of the opening that is below the line, 0 to 1
} vrmi_minimal_face;

// X(name): the morph targets of the face, in file order.
#define VRMI_MINIMAL_MORPHS(X) \
    X(happy) \
    X(angry) \
    X(sad) \
    X(relaxed) \
    X(surprised) \
    X(aa) \
    X(ih) \
    X(ou) \
    X(ee) \
    X(oh) \
    X(blink) \
    X(blinkLeft) \
    X(blinkRight) \
    X(lookUp) \
    X(lookDown) \
    X(lookLeft) \
    X(lookRight) \
    X(neutral) \
    X(wink)

typedef enum vrmi_minimal_morph_id {
#define VRMI_MINIMAL_MORPH_ENUM(name) VRMI_MINIMAL_MORPH_##name,
    VRMI_MINIMAL_MORPHS(VRMI_MINIMAL_MORPH_ENUM)
#undef VRMI_MINIMAL_MORPH_ENUM
        VRMI_MINIMAL_MORPH_COUNT
} vrmi_minimal_morph_id;

#define VRMI_MINIMAL_FACE_PARTS (VRMI_MINIMAL_BLUSH + 1)

#define VRMI_MINIMAL_COLLIDERS 13
extern const vrmi_sample_collider vrmi_minimal_colliders[VRMI_MINIMAL_COLLIDERS];

// --- the passes, in order ------------------------------------------------------------------------------------------

void vrmi_minimal_add_skeleton(vrmi_sample_figure *figure);
void vrmi_minimal_add_head(vrmi_sample_figure *figure, const vrmi_minimal_face *face);
// Returns false if memory runs out.
bool vrmi_minimal_add_morphs(vrmi_sample_figure *figure);
void vrmi_minimal_add_body(vrmi_sample_figure *figure);
void vrmi_minimal_add_clothes(vrmi_sample_figure *figure);
void vrmi_minimal_add_skirt(vrmi_sample_figure *figure);
void vrmi_minimal_add_hair(vrmi_sample_figure *figure);
// Returns false if memory runs out.
bool vrmi_minimal_paint_textures(vrmi_sample_figure *figure);
void vrmi_minimal_set_materials(vrmi_sample_figure *figure);
// Sets the parameters of the chains. Call it after the figure has its size.
void vrmi_minimal_set_springs(vrmi_sample_figure *figure);

// Computes the eye's centre and its direction in the face. Side 0 is the left eye.
void vrmi_minimal_eye_frame(int side, vrm_vec3 *out_center, vrm_vec3 *out_direction);

#endif
