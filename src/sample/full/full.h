// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_FULL_H
#define VRMI_FULL_H

// The full figure: a detailed person, 1.5 to 1.6 m tall.

#include "sample/surface.h"

// X(NAME, mesh, material name, most vertices, most indices, has a texture). Blended parts are drawn in this order. The
// first parts, up to BLUSH, have morph targets.
#define VRMI_FULL_PARTS(X) \
    X(FACE_SKIN, FACE, "FaceSkin", 4096, 20000, true) \
    X(MOUTH, FACE, "Mouth", 512, 2600, true) \
    X(EYE_WHITE, FACE, "EyeWhite", 512, 2600, true) \
    X(IRIS, FACE, "Iris", 256, 1300, true) \
    X(LINE, FACE, "FaceLine", 512, 2600, false) \
    X(BROW, FACE, "FaceBrow", 128, 700, false) \
    X(BLUSH, FACE, "Blush", 256, 1300, true) \
    X(BODY_SKIN, BODY, "BodySkin", 4096, 22000, true) \
    X(TOP, BODY, "Top", 4096, 20000, true) \
    X(BOTTOM, BODY, "Bottom", 2048, 10000, true) \
    X(SHOES, BODY, "Shoes", 2048, 10000, true) \
    X(RIBBON, BODY, "Ribbon", 1024, 5000, true) \
    X(HAIR, HAIR, "Hair", 6144, 32000, true) \
    X(FRINGE, HAIR, "HairFringe", 2048, 10000, true) \
    X(PIN, PIN, "HairPin", 256, 1300, true)

typedef enum vrmi_full_part {
#define VRMI_FULL_PART_ENUM(name, mesh, material, vertices, indices, picture) VRMI_FULL_##name,
    VRMI_FULL_PARTS(VRMI_FULL_PART_ENUM)
#undef VRMI_FULL_PART_ENUM
        VRMI_FULL_PART_COUNT
} vrmi_full_part;

#define VRMI_FULL_FACE_PARTS (VRMI_FULL_BLUSH + 1)

typedef enum vrmi_full_mesh {
    VRMI_FULL_MESH_FACE,
    VRMI_FULL_MESH_BODY,
    VRMI_FULL_MESH_HAIR,
    VRMI_FULL_MESH_PIN,
    VRMI_FULL_MESH_COUNT
} vrmi_full_mesh;

// X(NAME, name in the file).
#define VRMI_FULL_IMAGES(X) \
    X(THUMBNAIL, "thumbnail") \
    X(SKIN, "skin") \
    X(FACE, "face") \
    X(WHITE, "white") \
    X(IRIS, "iris") \
    X(BLUSH, "blush") \
    X(CLOTH, "cloth") \
    X(CLOTH_SHADE, "clothShade") \
    X(BOTTOM, "bottom") \
    X(RIBBON, "ribbon") \
    X(MASK, "mask") \
    X(HAIR, "hair") \
    X(HAIR_SHADE, "hairShade") \
    X(MATCAP, "matcap")

typedef enum vrmi_full_image {
#define VRMI_FULL_IMAGE_ENUM(name, file) VRMI_FULL_IMAGE_##name,
    VRMI_FULL_IMAGES(VRMI_FULL_IMAGE_ENUM)
#undef VRMI_FULL_IMAGE_ENUM
        VRMI_FULL_IMAGE_COUNT
} vrmi_full_image;

// The whole shape of a face. A morph target is the difference of two shapes. Pairs are left and right.
typedef struct vrmi_full_face {
    float close[2];  // lids: 0 open, 1 closed
    float smile[2];  // closed lids curve up
    float squint[2]; // the lower lid rises, 0 to 1
    float wide[2];   // the upper lid opens further, metres
    float tilt[2];   // metres by which the upper lid is lower at the inner corner; below 0: at the outer corner
    float gaze_x[2]; // displacement of the irises on the eyes, metres
    float gaze_y[2];
    float iris;          // scale of the irises
    float brow_y[2];     // metres
    float brow_inner[2]; // rise of the inner end, metres
    float brow_outer[2];
    float brow_squeeze;      // metres by which the inner ends come closer
    float open;              // opening of the mouth, metres
    float width;             // factor
    float round;             // shape of the opening, 0: line, 1: circle
    float lower;             // fraction of the opening that is below the line, 0 to 1
    float shift;             // displacement of the mouth to the left, metres
    float lift;              // rise of the mouth, metres
    float pucker;            // lips stand out, 0 to 1
    float corner[2];         // rise of the corner, metres
    float stretch[2];        // factor minus 1 on the width of each half
    float upper_up[2];       // metres
    float lower_down[2];     // metres
    float roll[2];           // upper and lower lip roll inwards, 0 to 1
    float jaw, jaw_x, jaw_z; // displacement of the jaw down, to the left, forward, metres
    float puff;              // the cheeks are puffed, 0 to 1
    float cheek[2];          // cheeks rise, 0 to 1
    float sneer[2];          // wings of the nose rise, 0 to 1
    float tongue;            // 0 to 1
} vrmi_full_face;

#define VRMI_FULL_EYE_X 0.0395f
#define VRMI_FULL_EYE_Y 1.3890f
#define VRMI_FULL_EYE_RADIUS 0.075f // radius of the sphere on which the iris glides
#define VRMI_FULL_MOUTH_Y 1.3385f
#define VRMI_FULL_CROWN 1.545f // top of the skull
#define VRMI_FULL_HIPS 0.905f

// --- face_shape.c: the head as a height field in front and half ellipses behind -----------------------------------

float vrmi_full_head_width(float y);
// Returns a point of the left half of the head at an angle in degrees: 0 in front, 180 behind.
vrm_vec3 vrmi_full_head_point(float turn, float y, float feature);
vrm_vec3 vrmi_full_head_normal(float turn, float y);
// These functions describe the front of the face. In their order they return: its depth without protruding features,
// the depth of these features, a point of the skin, the skin's normal.
float vrmi_full_face_base(float x, float y);
float vrmi_full_face_feature(float x, float y);
vrm_vec3 vrmi_full_face_point(float x, float y, float lift);
vrm_vec3 vrmi_full_face_normal(float x, float y);
void vrmi_full_eye_frame(vrm_vec3 *out_center, vrm_vec3 *out_direction); // for the left eye

// Returns a smooth bump: 1 in the middle, 0 at (rx, ry).
float vrmi_full_bump(float x, float y, float rx, float ry);

// --- face_lines.c: lids and lips as curves -------------------------------------------------------------------------

// The left eye's lids along s: -1 is the inner corner, 1 the outer corner. `side` selects the entry of the face's
// pairs.
float vrmi_full_lid_x(float s);
float vrmi_full_lid_upper(const vrmi_full_face *face, int side, float s);
float vrmi_full_lid_lower(const vrmi_full_face *face, int side, float s);
// The lips along s: -1 is the right corner, 1 the left corner.
float vrmi_full_lip_x(const vrmi_full_face *face, float s);
float vrmi_full_lip_upper(const vrmi_full_face *face, float s);
float vrmi_full_lip_lower(const vrmi_full_face *face, float s);
// Returns the displacement of a skin point from its position at rest, by the state of the face.
vrm_vec3 vrmi_full_face_motion(const vrmi_full_face *face, float x, float y, float z);
// Returns the fraction of the jaw's movement with which a point moves.
float vrmi_full_jaw_part(float x, float y, float z);
void vrmi_full_face_rest(vrmi_full_face *out);

// --- the passes, in order ------------------------------------------------------------------------------------------

void vrmi_full_add_skeleton(vrmi_sample_figure *figure);
void vrmi_full_add_face(vrmi_sample_figure *figure, const vrmi_full_face *face); // also adds eyes and mouth
void vrmi_full_add_eyes(vrmi_sample_figure *figure, const vrmi_full_face *face);
void vrmi_full_add_mouth(vrmi_sample_figure *figure, const vrmi_full_face *face);
void vrmi_full_add_body(vrmi_sample_figure *figure);
void vrmi_full_add_hands(vrmi_sample_figure *figure);
void vrmi_full_add_uniform(vrmi_sample_figure *figure);
void vrmi_full_add_hoodie(vrmi_sample_figure *figure);
void vrmi_full_add_skirt(vrmi_sample_figure *figure);
void vrmi_full_add_hair(vrmi_sample_figure *figure);
void vrmi_full_add_pin(vrmi_sample_figure *figure);
void vrmi_full_set_materials(vrmi_sample_figure *figure);
void vrmi_full_set_springs(vrmi_sample_figure *figure);
// Returns false if memory runs out.
bool vrmi_full_add_morphs(vrmi_sample_figure *figure);
bool vrmi_full_paint(vrmi_sample_figure *figure);

// --- shared between passes -----------------------------------------------------------------------------------------

// Names and expressions of the morph targets (expressions.c).
extern const char *const vrmi_full_morphs[];
extern const int vrmi_full_morph_count;
extern const vrmi_sample_expression vrmi_full_expressions[];
extern const int vrmi_full_expression_count;
#define VRMI_FULL_COLLIDERS 19
extern const vrmi_sample_collider vrmi_full_colliders[VRMI_FULL_COLLIDERS];

// A ring of a limb or the trunk: distances from its centre to four sides.
typedef struct vrmi_full_ring {
    vrm_vec3 center;
    float left, right, front, back; // radii; for an arm: up, down, front, back
    float square;                   // 0: ellipse; 1: nearly a box
} vrmi_full_ring;

// Returns a point of a ring around the Y axis. `turn` is 0 at the back and 0.5 in front.
vrmi_sample_vertex vrmi_full_ring_point(const vrmi_full_ring *ring, float turn, float v, vrmi_sample_influence skin);
// Set a row of the grid to a ring around the Y axis (trunk, legs) or the X axis (arms). u starts at the middle of the
// back and goes around; v is given.
void vrmi_full_ring_y(
    vrmi_sample_figure *figure, uint32_t row, const vrmi_full_ring *ring, float v, vrmi_sample_influence skin);
void vrmi_full_ring_x(
    vrmi_sample_figure *figure, uint32_t row, const vrmi_full_ring *ring, float v, vrmi_sample_influence skin);

// Return a ring of the left leg or of the trunk at a height, or of the left arm at a position along X. `more` is the
// distance of cloth from the skin, metres.
vrmi_full_ring vrmi_full_leg(float y, float more);
vrmi_full_ring vrmi_full_arm(float x, float more);
vrmi_full_ring vrmi_full_trunk(float y, float more);
vrmi_sample_influence vrmi_full_leg_skin(const vrmi_sample_figure *figure, float y);
vrmi_sample_influence vrmi_full_arm_skin(const vrmi_sample_figure *figure, float x);
vrmi_sample_influence vrmi_full_trunk_skin(float y);

// Kinds of chains (springs.c has their parameters).
typedef enum vrmi_full_chain {
    VRMI_FULL_CHAIN_FRINGE,
    VRMI_FULL_CHAIN_CROWN,
    VRMI_FULL_CHAIN_SIDE,
    VRMI_FULL_CHAIN_BACK,
    VRMI_FULL_CHAIN_SKIRT_FRONT,
    VRMI_FULL_CHAIN_SKIRT_BACK,
    VRMI_FULL_CHAIN_CORD // ribbons and cords
} vrmi_full_chain;

#endif
