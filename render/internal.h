// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef RENDER_INTERNAL_H
#define RENDER_INTERNAL_H

// Declarations that the files of libvrm-render share.
// decode.c: images; texture.c and mipmap.c: images on the GPU; primitive.c and morph.c: a primitive's arrays; model.c:
// a whole avatar; material.c: material values in the shaders' layout; program.c: shaders; target.c: render targets;
// draw.c: surfaces; frame.c: a picture; parts.c and measure.c: the extent of an avatar and its head in a picture;
// debug.c: lines; ground.c: ground and shadow; context_egl.c: a context without a window.

#include <epoxy/gl.h>

#include <vrm_render/render.h>

enum { VRMR_TEXEL_ROW = 1024, VRMR_MATERIAL_VECTORS = 33 };

// Texture units: two for data of the vertex shader, then one for each texture slot.
enum { VRMR_UNIT_FRAME, VRMR_UNIT_MORPH, VRMR_UNIT_SLOTS };

typedef enum vrmr_program_kind {
    VRMR_PROGRAM_MTOON,
    VRMR_PROGRAM_OUTLINE,
    VRMR_PROGRAM_UNLIT,
    VRMR_PROGRAM_PBR,
    VRMR_PROGRAM_SILHOUETTE,
    VRMR_PROGRAM_SHADOW,
    VRMR_PROGRAM_LINE,
    VRMR_PROGRAM_GROUND,
    VRMR_PROGRAM_SHOW,
    VRMR_PROGRAM_COUNT
} vrmr_program_kind;

// Features that a surface's shader needs. The code of other features is not compiled in, because software drivers would
// run it for each pixel. Each lower bit i means that texture slot i is used. shaders/material.glsl has the same
// numbers.
typedef enum vrmr_feature {
    VRMR_FEATURE_UV23 = 1 << 11,     // UV sets beyond the second one
    VRMR_FEATURE_ANIMATED = 1 << 12, // MToon's UV animation
    VRMR_FEATURE_MASK = 1 << 13,     // alpha mode
    VRMR_FEATURE_BLEND = 1 << 14,
    VRMR_FEATURE_TANGENTS = 1 << 15,
    VRMR_FEATURE_FLAT = 1 << 16, // no normals
    VRMR_FEATURE_RIM = 1 << 17,  // parametric rim
    VRMR_FEATURE_LIT = 1 << 18,  // an outline whose colour is multiplied by the lighting
    VRMR_FEATURE_ENCODE = 1 << 19,
    VRMR_FEATURE_CHANNEL = 1 << 20, // draws values instead of colours
    VRMR_FEATURE_SKIN = 1 << 21,
    VRMR_FEATURE_EIGHT_JOINTS = 1 << 22,
    VRMR_FEATURE_SHADOW = 1 << 23 // on the ground: the figures' own shadow
} vrmr_feature;

typedef struct vrmr_program {
    vrmr_program_kind kind;
    uint32_t features; // combination of vrmr_feature
    GLuint id;
    GLint world, view, projection, vertex, material, material_outline, options, light, clip, blots, grid, parts, shadow,
        height, corner;
} vrmr_program;

// The part of the body that a node belongs to, for silhouettes.
typedef enum vrmr_part {
    VRMR_PART_HEAD = 1 << 0,   // the head bone and the nodes below it, without spring chains
    VRMR_PART_CARRIED = 1 << 1 // the head bone and the nodes below it, including spring chains
} vrmr_part;

// One morph target of a primitive: the range of vertices that it moves, and the position of its deltas.
typedef struct vrmr_morph {
    uint32_t first_texel, first_vertex, last_vertex;
} vrmr_morph;

typedef struct vrmr_primitive {
    GLuint vertex_array, buffers[2], edge_buffer;
    GLuint morph_texture;
    GLenum mode;        // a GL constant: POINTS to LINE_STRIP, or TRIANGLES
    vrmr_morph *morphs; // [morph_count]; an empty one has first > last
    uint32_t morph_count;
    int32_t texels_per_delta; // 1: positions; 2: positions and normals
    uint32_t vertex_count, index_count;
    uint32_t first_person_count; // number of indices at the beginning whose triangles the wearer sees
    uint32_t edge_count;
    int32_t material; // index in the avatar; -1: glTF's default material
    bool has_normals, has_tangents, has_eight_joints;
} vrmr_primitive;

// A node with a mesh. Nodes that use the same mesh and skin may share primitives.
typedef struct vrmr_mesh {
    vrm_mesh_node info;
    uint32_t first_primitive, primitive_count;
} vrmr_mesh;

typedef struct vrmr_texture {
    int32_t image;
    bool srgb;
    GLuint id;
} vrmr_texture;

typedef struct vrmr_sampler {
    GLuint id;
    int32_t source; // index of the image; -1: none
} vrmr_sampler;

struct vrm_render_model {
    vrm_renderer *renderer;
    const vrm_avatar *avatar; // only compared, not retained
    vrmr_mesh *meshes;
    uint32_t mesh_count;
    vrmr_primitive *primitives;
    uint32_t primitive_count;
    vrm_material *materials;                    // without names; the last one is glTF's default material
    GLuint (*textures)[VRM_TEXTURE_SLOT_COUNT]; // per material
    GLuint (*samplers)[VRM_TEXTURE_SLOT_COUNT];
    uint32_t material_count;
    vrmr_texture *images;
    uint32_t image_count;
    vrmr_sampler *file_samplers; // one for each glTF texture
    uint32_t file_sampler_count;
    uint32_t *palette_first; // index of the first joint of each palette
    uint32_t palette_count;
    uint8_t *node_parts; // bits of vrmr_part, for each node and for each joint of all palettes
    uint8_t *joint_parts;
    vrm_render_statistics statistics;
};

struct vrm_renderer {
    uint32_t samples, max_texture_size;
    uint64_t max_texture_bytes;
    char *shader_prelude;
    vrm_decode_image_fn *decode_image;
    void *decode_user;
    vrm_tangents tangents;
    char error[512];
    char driver[192];
    vrmr_program *programs; // in the order of first use
    uint32_t program_count, program_capacity;
    struct vrmr_curve *curve; // mipmap.c: conversion between values and light, created on first use
    GLuint white;
    GLuint frame_texture;
    uint32_t frame_rows;
    float *frame; // 4 floats per texel
    uint32_t frame_texels, frame_capacity;
    // Target.
    GLuint framebuffer, color, depth, resolved_framebuffer, resolved;
    uint32_t width, height;
    vrm_render_blend blend;
    bool target_ready;
    GLuint measure_framebuffer, measure_texture; // measure.c
    // ground.c. shadow_place converts metres on the ground, relative to the first item's root, to positions from 0 to 1
    // in the map. Its components are the scale of x and z, the height that is 1 in the map (0: no shadow), and the
    // offset of x and z.
    GLuint shadow_framebuffer, shadow_texture, shadow_depth;
    float shadow_place[5];
    // The lines of this frame.
    struct vrmr_line_vertex *lines;
    uint32_t line_count, line_capacity;
    GLuint line_array, line_buffer;
    // The draws of this frame, before sorting.
    struct vrmr_draw *draws;
    uint32_t draw_count, draw_capacity;
};

typedef struct vrmr_line_vertex {
    float position[3];
    uint8_t color[4];
} vrmr_line_vertex;

// error.c: stores the message (printf-like) and returns `result`.
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
vrm_result
vrmr_fail(vrm_renderer *renderer, vrm_result result, const char *format, ...);
// Returns GL's pending error as a result.
vrm_result vrmr_check(vrm_renderer *renderer, const char *what);
// array.c: grows an array of items of `size` bytes to `count` items. Returns false if memory runs out.
bool vrmr_reserve(void **array, uint32_t *capacity, uint32_t count, size_t size);

// decode.c: decodes PNG, JPEG or, if built with libwebp, WebP to RGBA, 8 bits. Free `data` with free(). On failure
// returns false, with a static sentence.
typedef struct vrmr_pixels {
    uint8_t *data;
    uint32_t width, height;
} vrmr_pixels;
bool vrmr_decode(const void *bytes, size_t size, uint64_t max_bytes, vrmr_pixels *out, const char **out_error);
// Decodes an image like vrmr_decode(), but first with the host's decoder, if it has one for this format.
bool vrmr_decode_image(
    const vrm_renderer *renderer, const vrm_gltf_image *image, vrmr_pixels *out, const char **out_error);
// Returns true if an image of this type can be expected to decode.
bool vrmr_can_decode(const vrm_renderer *renderer, const char *mime_type);

// mipmap.c: uploads the smaller levels of the bound texture, whose first level is already uploaded. Overwrites the
// pixels. Returns false if memory runs out.
bool vrmr_upload_mipmaps(vrm_renderer *renderer, vrmr_pixels *pixels, bool srgb);

vrm_result vrmr_load_materials(
    vrm_render_model *model, const vrm_gltf *gltf, const vrm_avatar *avatar, vrm_report *report);
void vrmr_free_materials(vrm_render_model *model);

// A primitive and the node that it belongs to.
typedef struct vrmr_primitive_source {
    const vrm_gltf *gltf;
    const vrm_avatar *avatar;
    const vrm_mesh_node *mesh;
    uint32_t primitive;
    vrm_first_person_primitive split;
    vrm_report *report; // may be NULL
} vrmr_primitive_source;
// Returns SUCCESS with index_count 0 for a primitive without positions.
vrm_result vrmr_load_primitive(vrm_render_model *model, const vrmr_primitive_source *source, vrmr_primitive *out);
void vrmr_free_primitive(vrmr_primitive *primitive);

void vrmr_material_vectors(
    const vrm_material_params *params, const vrm_material_values *values, float out[VRMR_MATERIAL_VECTORS][4]);
// Returns the shader features of a material, as a surface or as an outline. NULL for `values` means the values at rest.
uint32_t vrmr_material_features(const vrm_material_params *params, const vrm_material_values *values, bool outline);
uint32_t vrmr_feature_if(bool condition, vrmr_feature feature);

// Returns a program, which is compiled on first use. Returns NULL after a failure, which is stored as the error. The
// program is valid until the next call.
const vrmr_program *vrmr_use_program(vrm_renderer *renderer, vrmr_program_kind kind, uint32_t features);
void vrmr_free_programs(vrm_renderer *renderer);

vrm_result vrmr_prepare_target(vrm_renderer *renderer, const vrm_render_scene *scene);
vrm_result vrmr_resolve_target(vrm_renderer *renderer);
void vrmr_free_target(vrm_renderer *renderer);

// draw.c: draws the items' surfaces into the bound framebuffer, for a picture or, with a program that defines
// SILHOUETTE, as silhouettes.
typedef struct vrmr_surfaces {
    const vrm_render_scene *scene;
    const vrm_render_item *items;
    uint32_t item_count;
    vrmr_program_kind program; // program for all surfaces; VRMR_PROGRAM_COUNT: each material's own program
} vrmr_surfaces;
vrm_result vrmr_draw_surfaces(vrm_renderer *renderer, const vrmr_surfaces *what);
// draw.c: sets defaults for attributes that a primitive lacks, and resets the state left by other programs.
void vrmr_begin_state(void);
// frame.c: returns INVALID_ARGUMENT for an invalid scene, or for items that do not match each other.
vrm_result vrmr_check_arguments(
    vrm_renderer *renderer, const vrm_render_scene *scene, const vrm_render_item *items, uint32_t item_count);
void vrmr_free_measure(vrm_renderer *renderer);
// parts.c: finds the parts of the body that nodes and joints belong to. Returns false if memory runs out.
bool vrmr_load_parts(vrm_render_model *model, const vrm_avatar *avatar);

// debug.c
void vrmr_add_debug_lines(vrm_renderer *renderer, const vrm_render_item *item, uint32_t debug);
vrm_result vrmr_draw_lines(vrm_renderer *renderer, const float clip[16]);
void vrmr_draw_vertices(vrm_renderer *renderer, const vrmr_line_vertex *vertices, uint32_t count, GLenum mode);
// ground.c: draws the figures' shadow into a target of its own. Called before the picture is begun.
vrm_result vrmr_draw_shadow(
    vrm_renderer *renderer, const vrm_render_scene *scene, const vrm_render_item *items, uint32_t count);
vrm_result vrmr_draw_ground(
    vrm_renderer *renderer, const vrm_render_scene *scene, const vrm_render_item *items, uint32_t count);
void vrmr_free_shadow(vrm_renderer *renderer);
// matrices.c: computes clip = projection * view * translate(origin), in double precision until the end.
void vrmr_matrices(const vrm_render_scene *scene, const vrm_dvec3 *origin, float view[16], float clip[16]);

// The shader sources, generated from shaders/ and zero-terminated.
extern const char vrmr_avatar_vert[], vrmr_avatar_frag[], vrmr_material[], vrmr_outline_width[], vrmr_line_vert[],
    vrmr_line_frag[], vrmr_ground_vert[], vrmr_ground_frag[], vrmr_show_vert[], vrmr_show_frag[];

#endif
