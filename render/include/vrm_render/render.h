// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_RENDER_RENDER_H
#define VRM_RENDER_RENDER_H

/// @file render.h
/// A small renderer of avatars: MToon 1.0, unlit and metallic-roughness materials by OpenGL ES 3.0, with or without a
/// display. It reads the document once and an instance's outputs each frame, through libvrm's public headers alone.
/// All calls of one renderer belong to the thread on which its GL context is current. A failure leaves a sentence in
/// vrm_renderer_get_error().

#include <vrm/mesh.h>
#include <vrm/output.h>
#include <vrm/ragdoll.h>

/// An OpenGL ES 3.0 context without a window (EGL, surfaceless).
typedef struct vrm_render_context vrm_render_context;
/// Programs and targets of one GL context.
typedef struct vrm_renderer vrm_renderer;
/// Buffers and textures of one avatar, shared by all its instances.
typedef struct vrm_render_model vrm_render_model;

/// Makes a context and makes it current. UNSUPPORTED when there is no EGL with OpenGL ES 3.0; `*out_error` (may be
/// NULL) then says in a static sentence what was missing.
VRM_API vrm_result vrm_render_context_create(vrm_render_context **out_context, const char **out_error);
/// Frees it; NULL is allowed. Destroy everything created in it first.
VRM_API void vrm_render_context_destroy(vrm_render_context *context);

/// Options of a new renderer.
typedef struct vrm_renderer_def {
    uint32_t struct_size;
    uint32_t samples;          ///< Samples per pixel, 1 to the driver's maximum; default 4.
    uint32_t max_texture_size; ///< Pixels of a texture's longer side; default 16,384, at most the driver's limit.
    uint64_t
        max_texture_bytes; ///< For all textures of a model together, by their headers before decoding; default 2 GiB.
    const char *shader_prelude; ///< GLSL at the start of every shader, for experiments; default NULL.
    /// Decodes images other than PNG and JPEG, before the renderer tries to (WebP, if it was built with libwebp).
    /// Textures then use these images instead of their PNG or JPEG. NULL, the default: none.
    vrm_decode_image_fn *decode_image;
    void *decode_user;
    /// For primitives with a normal map. VRM_TANGENTS_MADE computes them by MikkTSpace even if the file has some, as
    /// the draft of VRM 1.0 asks; VRM_TANGENTS_FILE computes none. Default VRM_TANGENTS_MISSING, as glTF specifies.
    vrm_tangents tangents;
} vrm_renderer_def;

/// Fills it with the defaults.
VRM_API void vrm_renderer_def_default(vrm_renderer_def *def, size_t size);
#define vrm_renderer_def_default(def) vrm_renderer_def_default(def, sizeof *(def))
/// Creates a renderer in the current context. `def` may be NULL. UNSUPPORTED if a shader does not compile or the
/// context is too old; `*out_renderer` then exists only for its error, and must be destroyed.
VRM_API vrm_result vrm_renderer_create(const vrm_renderer_def *def, vrm_renderer **out_renderer);
/// Frees it; NULL is allowed. Its models must be destroyed before.
VRM_API void vrm_renderer_destroy(vrm_renderer *renderer);
/// The reason why the last failed call failed; "" if none did. Lives until the next call.
VRM_API const char *vrm_renderer_get_error(const vrm_renderer *renderer);
/// The driver's name, for reports of measurements.
VRM_API const char *vrm_renderer_get_driver(const vrm_renderer *renderer);

/// Uploads meshes and images of an avatar. Document and avatar may be freed afterwards, but instances keep the avatar.
/// Images that cannot be decoded are white and reported (IMAGE_DATA_INVALID). Errors: INVALID_ARGUMENT (the document is
/// not the avatar's), OUT_OF_MEMORY, UNSUPPORTED (vertices that cannot be read), LIMIT (textures too big).
VRM_API vrm_result vrm_render_model_create(vrm_renderer *renderer, const vrm_gltf *gltf, const vrm_avatar *avatar,
    vrm_report *report, vrm_render_model **out_model);
/// Frees it; NULL is allowed.
VRM_API void vrm_render_model_destroy(vrm_render_model *model);

/// A picture in memory: rows from the top, RGBA, 8 bits, sRGB, straight alpha.
typedef struct vrm_render_image {
    uint8_t *pixels;        ///< width * height * 4 bytes; NULL for none.
    uint32_t width, height; ///< Pixels.
} vrm_render_image;

/// Decodes PNG or JPEG bytes (and WebP, if it was built with libwebp), for thumbnails in a file; needs no context.
/// INVALID_ASSET for bytes that cannot be decoded or have more than `max_bytes` of pixels; `*out_error` (may be NULL)
/// then gives the reason in a static sentence.
VRM_API vrm_result vrm_render_image_decode(
    const void *bytes, size_t size, uint64_t max_bytes, vrm_render_image *out_image, const char **out_error);
/// Frees the pixels and clears the struct, which may already be cleared.
VRM_API void vrm_render_image_free(vrm_render_image *image);

/// The resources that a model uses.
typedef struct vrm_render_statistics {
    uint32_t struct_size;                               ///< Set by the caller: sizeof(vrm_render_statistics).
    uint32_t primitives, triangles, vertices, textures; ///< Numbers as uploaded.
    uint64_t texture_bytes;                             ///< On the GPU, with mipmaps.
    uint64_t buffer_bytes;                              ///< Vertices, indices and morph targets on the GPU.
} vrm_render_statistics;

/// Writes the numbers and sizes of the resources that a model uses.
VRM_API void vrm_render_model_get_statistics(const vrm_render_model *model, vrm_render_statistics *out_statistics);

/// How colours are blended.
typedef enum vrm_render_blend {
    VRM_RENDER_BLEND_LINEAR, ///< Colours are blended in linear light, and encoded at the end.
    VRM_RENDER_BLEND_ENCODED ///< Encoded values are blended, as on web pages.
} vrm_render_blend;

/// What is drawn instead of colours.
typedef enum vrm_render_channel {
    VRM_RENDER_CHANNEL_COLOR,
    VRM_RENDER_CHANNEL_NORMAL,  ///< World normal, 0.5 + 0.5 n.
    VRM_RENDER_CHANNEL_UV,      ///< UV set 0 after MToon's animation, fraction.
    VRM_RENDER_CHANNEL_SHADING, ///< MToon's shading term: 0 shade, 1 lit.
    VRM_RENDER_CHANNEL_COUNT
} vrm_render_channel;

/// Lines over the picture.
typedef enum vrm_render_debug {
    VRM_RENDER_DEBUG_BONES = 1 << 0,       ///< Humanoid bones, white.
    VRM_RENDER_DEBUG_SPRINGS = 1 << 1,     ///< Spring joints and their radii, yellow.
    VRM_RENDER_DEBUG_COLLIDERS = 1 << 2,   ///< Colliders: green; those that keep inside: magenta; planes: cyan.
    VRM_RENDER_DEBUG_CONSTRAINTS = 1 << 3, ///< From source to destination, orange.
    VRM_RENDER_DEBUG_GAZE = 1 << 4,        ///< Where the eyes look, red, and the first-person viewpoint.
    VRM_RENDER_DEBUG_BOXES = 1 << 5,       ///< Bounds of the meshes, grey.
    VRM_RENDER_DEBUG_LINES = 1 << 6,       ///< Lines that the instance was asked for (vrm_outputs.debug_lines).
    VRM_RENDER_DEBUG_WIREFRAME = 1 << 7,   ///< Edges of the triangles.
    VRM_RENDER_DEBUG_RAGDOLL = 1 << 8      ///< Bodies and joint limits of vrm_render_item.ragdoll.
} vrm_render_debug;

/// One avatar in the picture.
typedef struct vrm_render_item {
    const vrm_render_model *model;
    const vrm_instance *instance;   ///< An instance of the model's avatar, after an update.
    bool first_person;              ///< First-person view: without meshes that are for third person only.
    bool hidden;                    ///< Only its debug lines are drawn.
    const vrm_ragdoll_def *ragdoll; ///< For VRM_RENDER_DEBUG_RAGDOLL, of the same avatar; NULL: none.
    const vrm_debug_line *lines;    ///< [line_count] The host's own, over the picture; NULL: none.
    uint32_t line_count;            ///< Of `lines`.
} vrm_render_item;

/// A picture: its size, camera and light.
typedef struct vrm_render_scene {
    uint32_t struct_size;
    uint32_t width, height;   ///< Pixels, at least 1; default 512 x 512.
    double view[16];          ///< View from world, column-major as GL; default: identity.
    float projection[16];     ///< Clip from view, column-major as GL; default: identity.
    vrm_vec4 background;      ///< Linear colour and alpha; default (0, 0, 0, 0).
    vrm_vec3 light_direction; ///< Towards the light, world; default (-0.35, 0.5, 0.79), need not be unit.
    vrm_vec3 light_color;     ///< 1 shows a surface that faces the light in its full colour; default 0.92.
    vrm_vec3 ambient_up;      ///< Ambient light from above, in the same unit; default 0.1.
    vrm_vec3 ambient_down;    ///< From below; default 0.1. MToon's giEqualizationFactor blends them with their mean.
    vrm_render_blend blend;   ///< Default linear.
    vrm_render_channel channel;
    uint32_t debug;        ///< Combination of vrm_render_debug; default 0.
    bool ground;           ///< A grid of one metre at the height 0 of the world, with round shadows of hands, feet and
                           ///< hips; default false.
    bool no_outlines;      ///< Leaves MToon's outlines out; default false.
    bool all_double_sided; ///< Draws back faces of every material; default false.
    float ground_radius;   ///< Metres from the first item's root to the edge of the ground; default 4, at least 0.1.
    bool
        shadow; ///< The figures' shadow on the ground, soft where they are high above it, and with `ground` in place of
                ///< its round ones; a light from below throws none. Default false.
    vrm_vec3 environment; ///< Environment reflected by metals, uniform, in the same unit; default 0.5.
} vrm_render_scene;

/// Fills it with the defaults.
VRM_API void vrm_render_scene_default(vrm_render_scene *scene, size_t size);
#define vrm_render_scene_default(scene) vrm_render_scene_default(scene, sizeof *(scene))
/// Draws into the renderer's own target. INVALID_ARGUMENT, OUT_OF_MEMORY, LIMIT (picture too big), UNSUPPORTED (the
/// driver rejected something, or the context is lost).
VRM_API vrm_result vrm_renderer_draw(
    vrm_renderer *renderer, const vrm_render_scene *scene, const vrm_render_item *items, uint32_t item_count);
/// A part of a picture in clip coordinates: -1 to 1 from the left and from below. Empty: left > right.
typedef struct vrm_render_rectangle {
    float left, right, bottom, top; ///< Edges.
} vrm_render_rectangle;

/// The extent of avatars in a picture, accurate to half a percent. Anything outside the picture is not included. A plain
/// value: it has no size and never grows.
typedef struct vrm_render_extent {
    vrm_render_rectangle whole; ///< Everything visible.
    vrm_render_rectangle head;  ///< Everything that the head bone moves by half or more, without its spring chains.
    vrm_render_rectangle head_and_hair; ///< The same including these chains.
    float seen;                         ///< Fraction of the picture that is covered, 0 to 1.
    float covered; ///< The same, including surfaces that are fully transparent (alpha below 0.02, or masked).
} vrm_render_extent;

/// Finds where a picture would show the items, without background, ground, lines and outlines: skinned, morphed, with
/// alpha, culling and first-person visibility. Only the aspect ratio of the scene's size is used. The last picture is
/// kept. Errors as vrm_renderer_draw().
VRM_API vrm_result vrm_renderer_measure(vrm_renderer *renderer, const vrm_render_scene *scene,
    const vrm_render_item *items, uint32_t item_count, vrm_render_extent *out_extent);
/// Copies the last picture, encoded as sRGB, into a GL framebuffer (0: the window's) that is not itself sRGB, with its
/// lower left corner at pixel (x, y). Leaves that framebuffer bound. INVALID_ARGUMENT if there is no picture;
/// UNSUPPORTED.
VRM_API vrm_result vrm_renderer_show(vrm_renderer *renderer, uint32_t framebuffer, int32_t x, int32_t y);
/// Reads the last picture: width * height * 4 bytes, RGBA, sRGB, straight alpha, first row on top.
VRM_API vrm_result vrm_renderer_read_pixels(vrm_renderer *renderer, void *pixels, size_t size);

#endif
