// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_OUTPUT_H
#define VRM_OUTPUT_H

/// @file output.h
/// The outputs of an update for the renderer: plain arrays in the avatar's order. World matrices and boxes have the
/// world's axes, but their origin is the root's translation (vrm_outputs.origin, in double precision), so that they
/// stay exact far from the world's origin. Draw relative to the camera, or add the origin with
/// vrm_instance_write_world().

#include <vrm/basis.h>
#include <vrm/update.h>

/// A node's transform in the world, relative to vrm_outputs.origin.
typedef vrm_mat34 vrm_world;

/// Current values of the properties of a material that expressions or time can change.
typedef struct vrm_material_values {
    vrm_vec4 colors[VRM_MATERIAL_COLOR_COUNT];
    /// Effect of expressions on texture transforms, the same for every texture of the material that is sampled by UVs:
    /// scale = uv_base * texture.transform.scale + uv_scale, offset = uv_base * texture.transform.offset + uv_offset.
    float uv_base;      ///< Factor on the file's scale and offset; 1 without an expression.
    float uv_scale[2];  ///< Added to the scale; 0 without an expression.
    float uv_offset[2]; ///< Added to the offset; 0 without an expression.
    /// Scrolling of MToon's UV animation, applied before the transform and wrapped to [0, 1). A uvAnimationMaskTexture
    /// scales the scrolling, so that wrapping at 1 would be visible: with a mask it is wrapped to (-255, 255), with the
    /// sign of the speed.
    float uv_scroll[2];
    /// Rotation of MToon's UV animation about (0.5, 0.5), radians, wrapped to [0, 2 pi); with a mask, to 255 times that
    /// range, as `uv_scroll`.
    float uv_rotation;
} vrm_material_values;

/// Weights of an expression, 0 to 1.
typedef struct vrm_expression_weight {
    float input;   ///< Weight after the layers are merged and clamped.
    float applied; ///< Weight after isBinary and overrides are applied.
} vrm_expression_weight;

/// Items that changed in the last update: one bit per item (bit i % 32 of word i / 32), and a counter that increases in
/// each update that sets a bit. The first update sets all bits, and so does the first update after a snapshot was
/// restored.
typedef struct vrm_changes {
    const uint32_t *bits; ///< One bit per item, in as many words as needed.
    uint32_t counter;     ///< Can be kept and compared; wraps around.
} vrm_changes;

/// A line to draw over the avatar, for debugging.
typedef struct vrm_debug_line {
    vrm_vec3 from, to; ///< Ends of the line, in the world's axes, relative to vrm_outputs.origin.
    uint32_t color;    ///< 0xRRGGBBAA. Look chain: forward vectors are green, vectors to the target red.
} vrm_debug_line;

/// Views of an instance's outputs, valid until its next update.
typedef struct vrm_outputs {
    uint32_t struct_size;   ///< Set by the caller: sizeof(vrm_outputs).
    vrm_dvec3 origin;       ///< Origin of world matrices and boxes: the root's translation.
    uint32_t node_count;    ///< Number of nodes.
    const vrm_world *world; ///< [node_count] World matrices. vrm_instance_write_locals() gives local transforms.
    vrm_changes node_changes;
    uint32_t palette_joint_count; ///< Number of joints of all palettes together.
    const vrm_mat34 *palette;     ///< [palette_joint_count] world * inverse bind matrix, one palette after the other.
    vrm_changes palette_changes;  ///< One bit per palette.
    uint32_t morph_count;         ///< Number of morph targets of all mesh nodes together.
    const float *morphs;          ///< [morph_count] Weights of the morph targets.
    vrm_changes morph_changes;    ///< One bit per mesh node.
    uint32_t material_count;      ///< Number of materials.
    const vrm_material_values *materials; ///< [material_count]
    vrm_changes material_changes;
    uint32_t expression_count;                ///< Number of expressions.
    const vrm_expression_weight *expressions; ///< [expression_count]
    uint32_t mesh_count;                      ///< Number of mesh nodes.
    /// [mesh_count] Conservative boxes of the skinned and morphed meshes, relative to `origin`.
    const vrm_box *mesh_boxes;
    vrm_box box;                       ///< Box around all meshes, relative to `origin`.
    float look_yaw, look_pitch;        ///< Current gaze in LookAt space, radians; 0 without a gaze.
    vrm_transform viewpoint;           ///< First-person viewpoint (LookAt space), relative to `origin`.
    float height, eye_height;          ///< Heights of the top of `box` and of the viewpoint above the root, metres.
    uint32_t debug_line_count;         ///< Number of debug lines.
    const vrm_debug_line *debug_lines; ///< [debug_line_count] The requested lines.
} vrm_outputs;

/// Gives the views of the outputs. The caller sets `out_outputs->struct_size`.
VRM_API void vrm_instance_get_outputs(const vrm_instance *instance, vrm_outputs *out_outputs);

/// The layout of a matrix in memory.
typedef enum vrm_matrix_format {
    VRM_MATRIX_3X4_ROWS = 0,   ///< 12 floats, as vrm_mat34.
    VRM_MATRIX_4X4_COLUMNS = 1 ///< 16 floats, column-major, as GL and glTF.
} vrm_matrix_format;

/// Destination of matrices.
typedef struct vrm_matrix_target {
    uint32_t struct_size; ///< Set by the caller: sizeof(vrm_matrix_target).
    void *memory;         ///< Address of the first matrix.
    size_t stride;        ///< Bytes from one matrix to the next; 0: packed.
    vrm_matrix_format format;
    /// Subtracted from world positions: 0 gives world space, the camera's position gives camera-relative matrices. In
    /// libvrm's axes.
    vrm_dvec3 origin;
    /// Axes and unit of the host; NULL: libvrm's own. The vertices that a palette skins must then be in the host's
    /// space, too.
    const vrm_basis *basis;
} vrm_matrix_target;

/// Writes the world matrices of nodes [first, first + count) (node order). Returns INVALID_ARGUMENT for nodes out of
/// range.
VRM_API vrm_result vrm_instance_write_world(
    const vrm_instance *instance, uint32_t first, uint32_t count, const vrm_matrix_target *target);
/// Writes the matrices of a palette's joints.
VRM_API vrm_result vrm_instance_write_palette(
    const vrm_instance *instance, uint32_t palette, const vrm_matrix_target *target);
/// Writes the local transforms of nodes [first, first + count) (node order) after the last update. vrm_outputs has no
/// view of them, because the transforms of hair exist only in the springs' state.
VRM_API vrm_result vrm_instance_write_locals(
    const vrm_instance *instance, uint32_t first, uint32_t count, vrm_transform *out);
/// Writes local transforms by glTF index: `out[i]` is the transform of glTF node `first + i`.
VRM_API vrm_result vrm_instance_write_gltf_locals(
    const vrm_instance *instance, uint32_t first, uint32_t count, vrm_transform *out);

#endif
