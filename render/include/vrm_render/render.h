// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_RENDER_RENDER_H
#define VRM_RENDER_RENDER_H

/// @file render.h
/// A small renderer of avatars: MToon 1.0, unlit and metallic-roughness materials by OpenGL ES 3.0, with or without a
/// display. It reads the document once and an instance's outputs in each frame, and uses only libvrm's public headers.
/// Call the functions of a renderer only on the thread on which its GL context is current. After a failure
/// vrm_renderer_get_error() returns a sentence that describes it.

#include <vrm/mesh.h>
#include <vrm/output.h>
#include <vrm/ragdoll.h>

/// An OpenGL ES 3.0 context without a window (EGL, surfaceless).
typedef struct vrm_render_context vrm_render_context;
/// Programs and targets of one GL context.
typedef struct vrm_renderer vrm_renderer;
/// Buffers and textures of one avatar, shared by all its instances.
typedef struct vrm_render_model vrm_render_model;

/// Creates a context and makes it current. Returns UNSUPPORTED if there is no EGL with OpenGL ES 3.0; `*out_error` (may
/// be NULL) is then a static sentence that names the missing part.
VRM_API vrm_result vrm_render_context_create(vrm_render_context **out_context, const char **out_error);
/// Frees the context; NULL is allowed. Destroy everything created in it first.
VRM_API void vrm_render_context_destroy(vrm_render_context *context);

/// Options of a new renderer.
typedef struct vrm_renderer_def {
    uint32_t struct_size;
    uint32_t samples;          ///< Samples per pixel, 1 to the driver's maximum; default 4.
    uint32_t max_texture_size; ///< Longest side of a texture, pixels; default 16,384, at most the driver's limit.
    /// Largest size of all textures of a model together, computed from their headers before decoding; default 2 GiB.
    uint64_t max_texture_bytes;
    const char *shader_prelude; ///< GLSL code at the start of every shader, for experiments; default NULL.
    /// Decodes images that are not PNG or JPEG, and is called before the renderer's own decoder (for WebP, if built
    /// with libwebp). Textures then use these images instead of their PNG or JPEG. Default NULL.
    vrm_decode_image_fn *decode_image;
    void *decode_user;
    /// Tangents of primitives with a normal map. VRM_TANGENTS_MADE computes them by MikkTSpace even if the file has
    /// some, as the draft of VRM 1.0 requires; VRM_TANGENTS_FILE computes none. Default VRM_TANGENTS_MISSING, as glTF
    /// specifies.
    vrm_tangents tangents;
} vrm_renderer_def;

/// Fills the struct with the defaults.
VRM_API void vrm_renderer_def_default(vrm_renderer_def *def, size_t size);
#define vrm_renderer_def_default(def) vrm_renderer_def_default(def, sizeof *(def))
/// Creates a renderer in the current context. `def` may be NULL. Returns UNSUPPORTED if a shader does not compile or
/// the context is too old; `*out_renderer` can then only be asked for its error, and must be destroyed.
VRM_API vrm_result vrm_renderer_create(const vrm_renderer_def *def, vrm_renderer **out_renderer);
/// Frees the renderer; NULL is allowed. Destroy its models first.
VRM_API void vrm_renderer_destroy(vrm_renderer *renderer);
/// Returns the reason for the last failure, or "" if there was none. Valid until the next call.
VRM_API const char *vrm_renderer_get_error(const vrm_renderer *renderer);
/// The driver's name, for reports of measurements.
VRM_API const char *vrm_renderer_get_driver(const vrm_renderer *renderer);

/// Uploads meshes and images of an avatar. Document and avatar may be freed afterwards; each instance keeps its avatar
/// alive. Images that cannot be decoded are drawn white and reported (IMAGE_DATA_INVALID). Errors: INVALID_ARGUMENT
/// (the avatar is from another document), OUT_OF_MEMORY, UNSUPPORTED (vertices that cannot be read), LIMIT (textures
/// are too large).
VRM_API vrm_result vrm_render_model_create(vrm_renderer *renderer, const vrm_gltf *gltf, const vrm_avatar *avatar,
    vrm_report *report, vrm_render_model **out_model);
/// Frees the model; NULL is allowed.
VRM_API void vrm_render_model_destroy(vrm_render_model *model);

/// A picture in memory: rows from the top, RGBA, 8 bits, sRGB, straight alpha.
typedef struct vrm_render_image {
    uint8_t *pixels;        ///< width * height * 4 bytes; NULL for none.
    uint32_t width, height; ///< Pixels.
} vrm_render_image;

/// Decodes PNG or JPEG bytes (and WebP, if built with libwebp), for example a file's thumbnail; needs no context.
/// Returns INVALID_ASSET for bytes that cannot be decoded or have more than `max_bytes` of pixels; `*out_error` (may be
/// NULL) is then a static sentence with the reason.
VRM_API vrm_result vrm_render_image_decode(
    const void *bytes, size_t size, uint64_t max_bytes, vrm_render_image *out_image, const char **out_error);
/// Frees the pixels and clears the struct, which may already be cleared.
VRM_API void vrm_render_image_free(vrm_render_image *image);

/// The resources that a model uses.
typedef struct vrm_render_statistics {
    uint32_t struct_size;                               ///< Set by the caller: sizeof(vrm_render_statistics).
    uint32_t primitives, triangles, vertices, textures; ///< Number of uploaded items.
    uint64_t texture_bytes;                             ///< Size of the textures on the GPU, with mipmaps.
    uint64_t buffer_bytes;                              ///< Size of vertices, indices and morph targets on the GPU.
} vrm_render_statistics;

/// Writes the numbers and sizes of the resources that a model uses.
VRM_API void vrm_render_model_get_statistics(const vrm_render_model *model, vrm_render_statistics *out_statistics);

/// How colours are blended.
typedef enum vrm_render_blend {
    VRM_RENDER_BLEND_LINEAR, ///< Colours are blended in linear light, and encoded at the end.
    VRM_RENDER_BLEND_ENCODED ///< Encoded values are blended, as on web pages.
} vrm_render_blend;

/// The values that are drawn instead of colours.
typedef enum vrm_render_channel {
    VRM_RENDER_CHANNEL_COLOR,
    VRM_RENDER_CHANNEL_NORMAL,  ///< World normal, 0.5 + 0.5 n.
    VRM_RENDER_CHANNEL_UV,      ///< UV set 0 after MToon's animation, fractional part.
    VRM_RENDER_CHANNEL_SHADING, ///< MToon's shading term: 0 in shade, 1 lit.
    VRM_RENDER_CHANNEL_COUNT
} vrm_render_channel;

/// Kinds of lines over the picture.
typedef enum vrm_render_debug {
    VRM_RENDER_DEBUG_BONES = 1 << 0,       ///< Humanoid bones, white.
    VRM_RENDER_DEBUG_SPRINGS = 1 << 1,     ///< Spring joints and their radii, yellow.
    VRM_RENDER_DEBUG_COLLIDERS = 1 << 2,   ///< Colliders: outside green, inside magenta, planes cyan.
    VRM_RENDER_DEBUG_CONSTRAINTS = 1 << 3, ///< Lines from source to destination, orange.
    VRM_RENDER_DEBUG_GAZE = 1 << 4,        ///< Direction of the eyes, red, and the first-person viewpoint.
    VRM_RENDER_DEBUG_BOXES = 1 << 5,       ///< Bounds of the meshes, grey.
    VRM_RENDER_DEBUG_LINES = 1 << 6,       ///< Debug lines of the instance (vrm_outputs.debug_lines).
    VRM_RENDER_DEBUG_WIREFRAME = 1 << 7,   ///< Edges of the triangles.
    VRM_RENDER_DEBUG_RAGDOLL = 1 << 8      ///< Bodies and joint limits of vrm_render_item.ragdoll.
} vrm_render_debug;

/// One avatar in the picture.
typedef struct vrm_render_item {
    const vrm_render_model *model;
    const vrm_instance *instance;   ///< An instance of the model's avatar, after an update.
    bool first_person;              ///< First-person view: hides meshes that only third-person cameras see.
    bool hidden;                    ///< Draws only the debug lines of this item.
    const vrm_ragdoll_def *ragdoll; ///< Definition for VRM_RENDER_DEBUG_RAGDOLL, for the same avatar; NULL: none.
    const vrm_debug_line *lines;    ///< [line_count] The host's own lines over the picture; NULL: none.
    uint32_t line_count;            ///< Of `lines`.
} vrm_render_item;

/// A picture: its size, camera and light.
typedef struct vrm_render_scene {
    uint32_t struct_size;
    uint32_t width, height;   ///< Pixels, at least 1; default 512 x 512.
    double view[16];          ///< View matrix: view from world, column-major as in OpenGL; default: identity.
    float projection[16];     ///< Projection matrix: clip from view, column-major as in OpenGL; default: identity.
    vrm_vec4 background;      ///< Linear colour and alpha; default (0, 0, 0, 0).
    vrm_vec3 light_direction; ///< Direction towards the light, in the world; default (-0.35, 0.5, 0.79), any length.
    vrm_vec3 light_color;     ///< Light: 1 shows a surface that faces the light in its full colour; default 0.92.
    vrm_vec3 ambient_up;      ///< Ambient light from above, in the unit of light_color; default 0.1.
    /// Ambient light from below; default 0.1. MToon's giEqualizationFactor blends both ambient lights with their mean.
    vrm_vec3 ambient_down;
    vrm_render_blend blend; ///< Default VRM_RENDER_BLEND_LINEAR.
    vrm_render_channel channel;
    uint32_t debug; ///< Bits of vrm_render_debug; default 0.
    /// Draws a grid of one metre at height 0 of the world, with round shadows of hands, feet and hips; default false.
    bool ground;
    bool no_outlines;      ///< Does not draw MToon's outlines; default false.
    bool all_double_sided; ///< Draws back faces of every material; default false.
    float ground_radius;   ///< Metres from the first item's root to the edge of the ground; default 4, at least 0.1.
    /// Draws the figures' shadow on the ground, softer for parts that are higher above it, instead of the round shadows
    /// of `ground`. A light from below throws no shadow. Default false.
    bool shadow;
    vrm_vec3 environment; ///< Uniform environment that metals reflect, in the unit of light_color; default 0.5.
} vrm_render_scene;

/// Fills the struct with the defaults.
VRM_API void vrm_render_scene_default(vrm_render_scene *scene, size_t size);
#define vrm_render_scene_default(scene) vrm_render_scene_default(scene, sizeof *(scene))
/// Draws into the renderer's own target. Errors: INVALID_ARGUMENT, OUT_OF_MEMORY, LIMIT (the picture is too large),
/// UNSUPPORTED (the driver rejected something, or the context is lost).
VRM_API vrm_result vrm_renderer_draw(
    vrm_renderer *renderer, const vrm_render_scene *scene, const vrm_render_item *items, uint32_t item_count);
/// A rectangle of a picture in clip coordinates, which run from -1 at the left and at the bottom to 1. It is empty if
/// left > right.
typedef struct vrm_render_rectangle {
    float left, right, bottom, top; ///< Edges.
} vrm_render_rectangle;

/// The extent of avatars in a picture, accurate to half a percent. Anything outside the picture is not included. This
/// struct is a plain value: it has no struct_size and never grows.
typedef struct vrm_render_extent {
    vrm_render_rectangle whole; ///< Everything visible.
    /// Everything that the head bone moves by half or more, without the spring chains on the head.
    vrm_render_rectangle head;
    vrm_render_rectangle head_and_hair; ///< Like `head`, but with the spring chains on the head.
    float seen;                         ///< Fraction of the picture that is covered, 0 to 1.
    float covered; ///< Like `seen`, but including surfaces that are fully transparent (alpha below 0.02, or masked).
} vrm_render_extent;

/// Measures the extent of the items in a picture, without background, ground, lines and outlines. Skins, morph targets,
/// alpha, culling and first-person visibility are taken into account. Only the aspect ratio of the scene's size is
/// used. The last picture is kept. Errors are those of vrm_renderer_draw().
VRM_API vrm_result vrm_renderer_measure(vrm_renderer *renderer, const vrm_render_scene *scene,
    const vrm_render_item *items, uint32_t item_count, vrm_render_extent *out_extent);
/// Copies the last picture, encoded as sRGB, into a GL framebuffer (0: the window's), with the lower left corner at
/// pixel (x, y). The framebuffer must not be sRGB itself, and stays bound. Errors: INVALID_ARGUMENT (there is no
/// picture), UNSUPPORTED.
VRM_API vrm_result vrm_renderer_show(vrm_renderer *renderer, uint32_t framebuffer, int32_t x, int32_t y);
/// Reads the last picture: width * height * 4 bytes, RGBA, sRGB, straight alpha, top row first.
VRM_API vrm_result vrm_renderer_read_pixels(vrm_renderer *renderer, void *pixels, size_t size);

#endif
