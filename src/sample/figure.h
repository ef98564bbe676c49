// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_SAMPLE_FIGURE_H
#define VRMI_SAMPLE_FIGURE_H

// The sample avatar under construction: nodes, parts of the surface, chains, morphs, materials. A generator (full/,
// minimal/) builds a figure pass by pass and describes it in a plan. The writers turn any figure into a file. Positions
// are in model space (metres, facing +Z, soles at y = 0). Colours are sRGB until they are written.

#include <vrm/expression.h>
#include <vrm/humanoid.h>
#include <vrm/sample.h>

#include "base/arena.h"
#include "base/checks.h"
#include "math/quat.h"

// The choices that a seed makes.
typedef struct vrmi_sample_style {
    float height;       // scale of the whole figure
    float hair_length;  // factor on the length of all hair
    float back_length;  // a further factor on the hair at the back
    float skirt_length; // factor
    float fringe;       // metres added to the fringe
    float legs;         // factor on the legs' length
    vrm_vec3 skin, skin_shade;
    vrm_vec3 hair, hair_tip, hair_shade;
    vrm_vec3 eye, eye_light;
    vrm_vec3 cloth, cloth_shade, accent, accent_shade;
    vrm_vec3 ribbon, ribbon_glow, metal, sole;
    vrm_sample_outfit outfit; // never BY_SEED; outfit and hair_cut are only used by the full figure
    vrm_sample_hair hair_cut;
} vrmi_sample_style;

typedef struct vrmi_sample_node {
    char name[32];
    int parent;        // -1: none
    int mirror;        // index of the mirrored node; a middle node has its own index here
    vrm_vec3 position; // model space
    vrm_quat rotation; // model space, at rest
} vrmi_sample_node;

// At most 255, so that the file's joints fit in bytes.
#define VRMI_SAMPLE_MAX_NODES 250

typedef struct vrmi_sample_influence {
    int joint[4];
    float weight[4];
} vrmi_sample_influence;

typedef struct vrmi_sample_vertex {
    vrm_vec3 position;
    vrm_vec3 normal;
    float u, v;
    vrmi_sample_influence skin; // when emitted, weights are multiples of 1/256, so that they sum to exactly 1
} vrmi_sample_vertex;

typedef struct vrmi_sample_part {
    vrmi_sample_vertex *vertices;
    uint16_t *indices;
    uint32_t vertex_count, vertex_capacity;
    uint32_t index_count, index_capacity;
} vrmi_sample_part;

// Limits of a grid: rows of points that become a smooth surface. A closed grid joins its last column to its first.
#define VRMI_SAMPLE_GRID_ROWS 64
#define VRMI_SAMPLE_GRID_COLUMNS 96

typedef struct vrmi_sample_grid {
    uint32_t rows, columns;
    bool closed;
    vrmi_sample_vertex points[VRMI_SAMPLE_GRID_ROWS][VRMI_SAMPLE_GRID_COLUMNS + 1];
} vrmi_sample_grid;

#define VRMI_SAMPLE_CHAIN_NODES 8
#define VRMI_SAMPLE_MAX_CHAINS 48

// A spring chain.
typedef struct vrmi_sample_chain {
    char name[32];
    int kind;                           // defined by the generator
    int side;                           // +1 left, -1 right, 0 middle
    int nodes[VRMI_SAMPLE_CHAIN_NODES]; // the last node is only a tail
    int count;
    float radius;
    float stiffness, gravity, drag;
    int center;            // index of a node, -1: none
    const char *groups[4]; // collider groups of the chain; NULL ends the list
} vrmi_sample_chain;

typedef enum vrmi_sample_collider_kind {
    VRMI_SAMPLE_SPHERE,
    VRMI_SAMPLE_CAPSULE,
    VRMI_SAMPLE_INSIDE_SPHERE,
    VRMI_SAMPLE_INSIDE_CAPSULE,
    VRMI_SAMPLE_PLANE
} vrmi_sample_collider_kind;

// Adjacent colliders with the same group name form a group. Offsets are in the bone's space, in which arms and legs
// point along +Y.
typedef struct vrmi_sample_collider {
    const char *group;
    vrm_human_bone bone;
    vrmi_sample_collider_kind kind;
    vrm_vec3 offset, tail; // for a plane, tail is its normal
    float radius;
} vrmi_sample_collider;

// A constraint on a node.
typedef struct vrmi_sample_constraint {
    int node, source;
    const char *type; // "roll", "aim" or "rotation"
    const char *axis; // JSON of further members, each with a comma before it
    float weight;     // fraction of the source's rotation, 0 to 1
} vrmi_sample_constraint;

#define VRMI_SAMPLE_MAX_CONSTRAINTS 16

// Nodes that are not bones. Pairs are left and right.
typedef struct vrmi_sample_helpers {
    int upper_arm_twist[2], lower_arm_twist[2], shoulder_pad[2], knee[2];
    int elbow[2], hip[2], lap[2]; // only in the full figure
    int pin;
} vrmi_sample_helpers;

typedef struct vrmi_sample_image {
    uint32_t width, height;
    uint8_t *rgba;
} vrmi_sample_image;

typedef enum vrmi_sample_blend {
    VRMI_SAMPLE_OPAQUE,
    VRMI_SAMPLE_BLEND,
    VRMI_SAMPLE_BLEND_DEPTH // blends, and hides what is drawn behind it afterwards
} vrmi_sample_blend;

#define VRMI_SAMPLE_NO_IMAGE 0 // the thumbnail, which no material uses

// MToon's members. The file also has a plain glTF material with the same colours as a fallback.
typedef struct vrmi_sample_material {
    int image;     // image of the lit side; VRMI_SAMPLE_NO_IMAGE: the colour `flat`
    vrm_vec3 flat; // colour without an image
    float alpha;   // 0: visible only if an expression changes it
    float repeat;  // number of repetitions of the image around the part, 0 for one
    vrmi_sample_blend blend;
    int queue; // renderQueueOffsetNumber
    bool double_sided;
    vrm_vec3 shade;  // factor on the colour of the shaded side
    int shade_image; // image of the shaded side; VRMI_SAMPLE_NO_IMAGE: none
    float shift, toony;
    int matcap;
    vrm_vec3 rim;  // black: none
    float outline; // metres, 0 for none
    vrm_vec3 outline_color;
    int moving_mask;         // image of the mask of the moving texture
    const char *moving;      // JSON members with the speeds of the texture
    int emission;            // image
    const char *emissive;    // its factor
    float emissive_strength; // 0: only the emissive factor, without the extension
    vrm_vec3 portrait_shade; // factor on the shaded tone in the thumbnail
} vrmi_sample_material;

typedef struct vrmi_sample_color_bind {
    int material;
    const char *type, *value;
} vrmi_sample_color_bind;

#define VRMI_SAMPLE_COLOR_BINDS 4

typedef struct vrmi_sample_expression {
    const char *name;
    int morph; // -1: none
    bool is_custom, is_binary;
    const char *overrides; // JSON members, each with a comma before it
    int moved_material;    // the expression moves this material's texture by half of its width, 0: none
    vrmi_sample_color_bind colors[VRMI_SAMPLE_COLOR_BINDS]; // a NULL type ends the list
} vrmi_sample_expression;

// A part of the surface: one glTF primitive with its own material of the same name.
typedef struct vrmi_sample_part_row {
    const char *name;
    int mesh;
    uint32_t vertices, indices; // upper bounds
    bool has_texture;
} vrmi_sample_part_row;

typedef struct vrmi_sample_mesh_row {
    const char *name;
    const char *first_person;
    bool is_rigid; // a child of the pin's node; must be the last mesh
} vrmi_sample_mesh_row;

// The largest rotation of the eyes in each direction, degrees.
typedef struct vrmi_sample_gaze {
    float inner, outer, down, up;
} vrmi_sample_gaze;

// Data that are the same for all figures of a generator.
typedef struct vrmi_sample_plan {
    const vrmi_sample_part_row *parts;
    int part_count;
    int morph_parts; // number of parts with morph targets; these are the first parts and form the first mesh
    const vrmi_sample_mesh_row *meshes;
    int mesh_count;
    const char *const *images; // names; the first image is the thumbnail
    int image_count;
    const char *const *morphs; // names
    int morph_count;
    const vrmi_sample_collider *colliders;
    int collider_count;
    const vrmi_sample_expression *expressions; // the presets come first
    int expression_count;
    vrmi_sample_gaze gaze;
    float portrait_width, portrait_top; // metres; portrait_top is above the head's node
} vrmi_sample_plan;

#define VRMI_SAMPLE_MAX_PARTS 24
#define VRMI_SAMPLE_MAX_MESHES 4
#define VRMI_SAMPLE_MAX_MORPH_PARTS 8
#define VRMI_SAMPLE_MAX_MORPHS 80
#define VRMI_SAMPLE_MAX_IMAGES 24

typedef struct vrmi_sample_figure {
    vrmi_arena arena;
    const vrmi_sample_plan *plan;
    vrmi_sample_style style;
    vrmi_sample_node nodes[VRMI_SAMPLE_MAX_NODES];
    int node_count;
    vrmi_sample_helpers helpers;
    vrmi_sample_constraint constraints[VRMI_SAMPLE_MAX_CONSTRAINTS];
    int constraint_count;
    vrmi_sample_chain chains[VRMI_SAMPLE_MAX_CHAINS];
    int chain_count;
    vrmi_sample_part parts[VRMI_SAMPLE_MAX_PARTS];
    vrmi_sample_material materials[VRMI_SAMPLE_MAX_PARTS];
    // morphs[morph][part] has one delta per vertex.
    vrm_vec3 *morphs[VRMI_SAMPLE_MAX_MORPHS][VRMI_SAMPLE_MAX_MORPH_PARTS];
    vrmi_sample_image images[VRMI_SAMPLE_MAX_IMAGES];
    float look_y, look_z; // offset of the look-at from the head
    vrmi_sample_grid grid;
} vrmi_sample_figure;

// Returns the node of a humanoid bone. The root is node 0, and the bones follow in their order.
static inline int vrmi_sample_bone(vrm_human_bone bone)
{
    return (int)bone + 1;
}

// --- the generators: each makes a whole figure with its thumbnail. False without memory. --------------------------

bool vrmi_full_make(vrmi_sample_figure *figure);
bool vrmi_minimal_make(vrmi_sample_figure *figure);

// --- passes that all generators share ------------------------------------------------------------------------------

void vrmi_sample_style_from_seed(uint32_t seed, vrmi_sample_style *out);
// Sets the full figure's height, metres.
void vrmi_full_set_height(vrmi_sample_style *style, float height);

typedef struct vrmi_sample_bone_place {
    vrm_human_bone bone;
    vrm_vec3 position;
} vrmi_sample_bone_place;

// Positions of the middle and left bones, in the order of VRM_HUMAN_BONES. Right bones are mirrored.
typedef struct vrmi_sample_bones {
    const vrmi_sample_bone_place *places;
    int count;
    vrm_vec3 eye, eye_direction; // position and direction of the left eye
} vrmi_sample_bones;

void vrmi_sample_add_bones(vrmi_sample_figure *figure, const vrmi_sample_bones *bones);
// A helper on the left arm or leg, and its mirror image. It is at the fraction `t` between two bones and has the
// rotation of `parent`.
typedef struct vrmi_sample_helper {
    const char *names[2];
    vrm_human_bone parent, from, to;
    float t;
} vrmi_sample_helper;
void vrmi_sample_add_helper_pair(vrmi_sample_figure *figure, const vrmi_sample_helper *helper, int out[2]);
// Allocates the parts. Returns false if memory runs out.
bool vrmi_sample_make_room(vrmi_sample_figure *figure);
// Applies the style's leg length and height to skin, bones and morphs. `hips` is the height at which the legs end.
// `rigid` is the part that is modelled around its own node.
void vrmi_sample_resize(vrmi_sample_figure *figure, float hips, int rigid);
// Returns false if memory runs out.
bool vrmi_sample_paint_thumbnail(vrmi_sample_figure *figure);
vrm_result vrmi_sample_write(const vrmi_sample_figure *figure, const vrm_allocator *allocator, vrm_bytes *out_bytes);

// --- shared between passes -----------------------------------------------------------------------------------------

// Adds a node. `rotation` is in model space, at rest.
int vrmi_sample_add_node(
    vrmi_sample_figure *figure, const char *name, int parent, vrm_vec3 position, vrm_quat rotation);
// Records that two nodes are mirror images of each other.
void vrmi_sample_pair_nodes(vrmi_sample_figure *figure, int left, int right);
// Adds a constraint to a left helper, and its mirror image to the right helper.
void vrmi_sample_constrain(vrmi_sample_figure *figure, const vrmi_sample_constraint *left, const char *right_axis);

#endif
