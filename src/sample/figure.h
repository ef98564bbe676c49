// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_SAMPLE_FIGURE_H
#define VRMI_SAMPLE_FIGURE_H

// The sample avatar while it is being made: nodes, parts of the surface, chains, morphs. sample.c runs the passes in
// order; every pass adds to the figure. Positions are in model space (metres, facing +Z, soles at y = 0); colours are
// sRGB until they are written.

#include <vrm/expression.h>
#include <vrm/humanoid.h>
#include <vrm/sample.h>

#include "base/arena.h"
#include "base/checks.h"
#include "math/quat.h"

// X(NAME, mesh, material name, vertices at most, indices at most): a part is one glTF primitive with its own material.
#define VRMI_SAMPLE_PARTS(X) \
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

typedef enum vrmi_sample_part_id {
#define VRMI_SAMPLE_PART_ENUM(name, mesh, material, vertices, indices) VRMI_SAMPLE_##name,
    VRMI_SAMPLE_PARTS(VRMI_SAMPLE_PART_ENUM)
#undef VRMI_SAMPLE_PART_ENUM
        VRMI_SAMPLE_PART_COUNT
} vrmi_sample_part_id;

typedef enum vrmi_sample_mesh_id {
    VRMI_SAMPLE_MESH_FACE,
    VRMI_SAMPLE_MESH_BODY,
    VRMI_SAMPLE_MESH_HAIR,
    VRMI_SAMPLE_MESH_PIN,
    VRMI_SAMPLE_MESH_COUNT
} vrmi_sample_mesh_id;

typedef enum vrmi_sample_image_id {
    VRMI_SAMPLE_IMAGE_THUMBNAIL,
    VRMI_SAMPLE_IMAGE_SKIN,
    VRMI_SAMPLE_IMAGE_FACE,
    VRMI_SAMPLE_IMAGE_WHITE,
    VRMI_SAMPLE_IMAGE_IRIS,
    VRMI_SAMPLE_IMAGE_BLUSH,
    VRMI_SAMPLE_IMAGE_CLOTH,
    VRMI_SAMPLE_IMAGE_SKIRT,
    VRMI_SAMPLE_IMAGE_RIBBON,
    VRMI_SAMPLE_IMAGE_MASK,
    VRMI_SAMPLE_IMAGE_HAIR,
    VRMI_SAMPLE_IMAGE_MATCAP,
    VRMI_SAMPLE_IMAGE_COUNT
} vrmi_sample_image_id;

// What a seed decides.
typedef struct vrmi_sample_style {
    float height;       // scale of the whole figure
    float hair_length;  // factor on everything that hangs
    float back_length;  // a further factor on the hair at the back
    float skirt_length; // factor
    float fringe;       // metres by which the fringe is longer
    float legs;         // factor on the legs' length
    vrm_vec3 skin, skin_shade;
    vrm_vec3 hair, hair_tip, hair_shade;
    vrm_vec3 eye, eye_light;
    vrm_vec3 cloth, cloth_shade, accent, accent_shade;
    vrm_vec3 ribbon, ribbon_glow, metal, sole;
} vrmi_sample_style;

typedef struct vrmi_sample_node {
    char name[32];
    int parent;        // -1: none
    int mirror;        // the same node of the other side, or itself
    vrm_vec3 position; // model space
    vrm_quat rotation; // model space, at rest
} vrmi_sample_node;

// Fits all bones, helpers, 136 spring joints and their 32 tails; kept below 256 so that joints are bytes in the file.
#define VRMI_SAMPLE_MAX_NODES 250

typedef struct vrmi_sample_influence {
    int joint[4];
    float weight[4];
} vrmi_sample_influence;

typedef struct vrmi_sample_vertex {
    vrm_vec3 position;
    vrm_vec3 normal;
    float u, v;
    vrmi_sample_influence skin; // weights are multiples of 1/256 once emitted, so that they sum to exactly 1
} vrmi_sample_vertex;

typedef struct vrmi_sample_part {
    vrmi_sample_vertex *vertices;
    uint16_t *indices;
    uint32_t vertex_count, vertex_capacity;
    uint32_t index_count, index_capacity;
} vrmi_sample_part;

// Rows of points that become a smooth surface; a closed one joins its last column to its first.
#define VRMI_SAMPLE_GRID_ROWS 24
#define VRMI_SAMPLE_GRID_COLUMNS 40

typedef struct vrmi_sample_grid {
    uint32_t rows, columns;
    bool closed;
    vrmi_sample_vertex points[VRMI_SAMPLE_GRID_ROWS][VRMI_SAMPLE_GRID_COLUMNS + 1];
} vrmi_sample_grid;

typedef enum vrmi_sample_chain_kind {
    VRMI_SAMPLE_CHAIN_FRINGE,
    VRMI_SAMPLE_CHAIN_CROWN, // the strand that stands up
    VRMI_SAMPLE_CHAIN_SIDE,
    VRMI_SAMPLE_CHAIN_BACK,
    VRMI_SAMPLE_CHAIN_SKIRT_FRONT,
    VRMI_SAMPLE_CHAIN_SKIRT_BACK
} vrmi_sample_chain_kind;

#define VRMI_SAMPLE_CHAIN_NODES 8
#define VRMI_SAMPLE_MAX_CHAINS 32

typedef struct vrmi_sample_chain {
    char name[32];
    vrmi_sample_chain_kind kind;
    int side;                           // +1 left, -1 right, 0 middle
    int nodes[VRMI_SAMPLE_CHAIN_NODES]; // the last one is only a tail
    int count;
    float radius;
} vrmi_sample_chain;

// Nodes that are not bones.
typedef struct vrmi_sample_helpers {
    int upper_arm_twist[2], lower_arm_twist[2], shoulder_pad[2], knee[2]; // left, right
    int pin;
} vrmi_sample_helpers;

// The whole shape of a face; a morph target is the difference of two.
typedef struct vrmi_sample_face {
    float close[2];       // lids: 0 open, 1 closed, left and right; below 0 opens wider
    float smile[2];       // closed lids curve up
    float lower_lid[2];   // rises
    float gaze_x, gaze_y; // irises, metres on the eye
    float iris;           // scale of the irises
    float brow_y;         // metres
    float brow_inner;     // metres that the inner ends rise
    float mouth_open;     // metres
    float mouth_width;    // factor
    float mouth_corner;   // metres that the corners rise
    float mouth_round;    // 0 line, 1 circle
    float mouth_lower;    // part of the opening that lies below the line, 0..1
} vrmi_sample_face;

// X(name): the morph targets of the face, in file order.
#define VRMI_SAMPLE_MORPHS(X) \
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

typedef enum vrmi_sample_morph_id {
#define VRMI_SAMPLE_MORPH_ENUM(name) VRMI_SAMPLE_MORPH_##name,
    VRMI_SAMPLE_MORPHS(VRMI_SAMPLE_MORPH_ENUM)
#undef VRMI_SAMPLE_MORPH_ENUM
        VRMI_SAMPLE_MORPH_COUNT
} vrmi_sample_morph_id;

#define VRMI_SAMPLE_FACE_PARTS (VRMI_SAMPLE_BLUSH + 1)

typedef struct vrmi_sample_image {
    uint32_t width, height;
    uint8_t *rgba;
} vrmi_sample_image;

typedef struct vrmi_sample_figure {
    vrmi_arena arena;
    vrmi_sample_style style;
    vrmi_sample_node nodes[VRMI_SAMPLE_MAX_NODES];
    int node_count;
    vrmi_sample_helpers helpers;
    vrmi_sample_chain chains[VRMI_SAMPLE_MAX_CHAINS];
    int chain_count;
    vrmi_sample_part parts[VRMI_SAMPLE_PART_COUNT];
    // [morph][part]: one delta per vertex of the face's parts.
    vrm_vec3 *morphs[VRMI_SAMPLE_MORPH_COUNT][VRMI_SAMPLE_FACE_PARTS];
    vrmi_sample_image images[VRMI_SAMPLE_IMAGE_COUNT];
    vrmi_sample_grid grid;
} vrmi_sample_figure;

// Node of a humanoid bone: the root is node 0, the bones follow in their order.
static inline int vrmi_sample_bone(vrm_human_bone bone)
{
    return (int)bone + 1;
}

// --- the passes, in order ------------------------------------------------------------------------------------------

void vrmi_sample_style_from_seed(uint32_t seed, vrmi_sample_style *out);
void vrmi_sample_add_skeleton(vrmi_sample_figure *figure);
void vrmi_sample_add_head(vrmi_sample_figure *figure, const vrmi_sample_face *face);
// False without memory.
bool vrmi_sample_add_morphs(vrmi_sample_figure *figure);
void vrmi_sample_add_body(vrmi_sample_figure *figure);
void vrmi_sample_add_clothes(vrmi_sample_figure *figure);
void vrmi_sample_add_skirt(vrmi_sample_figure *figure);
void vrmi_sample_add_hair(vrmi_sample_figure *figure);
// False without memory.
bool vrmi_sample_paint_textures(vrmi_sample_figure *figure);
bool vrmi_sample_paint_thumbnail(vrmi_sample_figure *figure);
vrm_result vrmi_sample_write(const vrmi_sample_figure *figure, const vrm_allocator *allocator, vrm_bytes *out_bytes);

// --- shared between passes -----------------------------------------------------------------------------------------

// Adds a node; the rotation is that of the model at rest.
int vrmi_sample_add_node(
    vrmi_sample_figure *figure, const char *name, int parent, vrm_vec3 position, vrm_quat rotation);
// Names two nodes as each other's mirror images.
void vrmi_sample_pair_nodes(vrmi_sample_figure *figure, int left, int right);
// The eye's centre and the direction in which it lies in the face; side 0 is left.
void vrmi_sample_eye_frame(int side, vrm_vec3 *out_center, vrm_vec3 *out_direction);

#endif
