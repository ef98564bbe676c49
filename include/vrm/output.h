// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_OUTPUT_H
#define VRM_OUTPUT_H

/// @file output.h
/// What an update leaves for the renderer: plain arrays in the avatar's order. World matrices and boxes have the axes
/// of the world and their origin at the root's translation (vrm_outputs.origin, in double), so that they are exact
/// far from the origin: draw relative to the camera, or add the origin with vrm_instance_write_world().

#include <vrm/basis.h>
#include <vrm/update.h>

/// A node's transform in the world, relative to vrm_outputs.origin.
typedef vrm_mat34 vrm_world;

/// Current values of a material that an expression or time can change.
typedef struct vrm_material_values {
    vrm_vec4 colors[VRM_MATERIAL_COLOR_COUNT];
    /// Texture transforms under expressions, the same for every texture of the material that is sampled by UVs:
    /// scale = uv_base * texture.transform.scale + uv_scale, offset = uv_base * texture.transform.offset + uv_offset.
    float uv_base;      ///< 1 without an expression.
    float uv_scale[2];  ///< 0 without an expression.
    float uv_offset[2]; ///< 0 without an expression.
    /// MToon's UV animation, applied before the transform: wrapped to [0, 1). With a uvAnimationMaskTexture, which
    /// scales it, wrapping at whole turns would be visible: then it is wrapped to (-255, 255), with the sign of the
    /// speed.
    float uv_scroll[2];
    /// Rotation about (0.5, 0.5) in radians, wrapped to [0, 2 pi), or with a mask to 255 times that range, as
    /// above.
    float uv_rotation;
} vrm_material_values;

/// Weights of an expression, 0 to 1.
typedef struct vrm_expression_weight {
    float input;   ///< After merging and clamping.
    float applied; ///< After isBinary and overrides.
} vrm_expression_weight;

/// What changed in the last update: a bit per item (bit i % 32 of word i / 32) and a counter that grows with each
/// update in which any bit was set. The first update sets all bits, and so does the first one after a snapshot was
/// restored.
typedef struct vrm_changes {
    const uint32_t *bits; ///< As many words as the items need.
    uint32_t counter;     ///< May be kept and compared; wraps.
} vrm_changes;

/// A line to draw over the avatar, for debugging.
typedef struct vrm_debug_line {
    vrm_vec3 from, to; ///< Axes of the world, relative to the origin.
    uint32_t color;    ///< 0xRRGGBBAA: look chain's forward vectors green, its target vectors red.
} vrm_debug_line;

/// Views of the outputs; const, and valid until the next update of the instance.
typedef struct vrm_outputs {
    uint32_t struct_size;   ///< Set by the caller: sizeof(vrm_outputs).
    vrm_dvec3 origin;       ///< Where world matrices and boxes have their origin: the root's translation.
    uint32_t node_count;    ///< Nodes.
    const vrm_world *world; ///< [node_count]; local transforms: vrm_instance_write_locals().
    vrm_changes node_changes;
    uint32_t palette_joint_count; ///< Joints of all palettes together.
    const vrm_mat34 *palette;     ///< [palette_joint_count] world * inverse bind, all palettes one after the other.
    vrm_changes palette_changes;  ///< A bit per palette.
    uint32_t morph_count;         ///< Morph targets of all meshes together.
    const float *morphs;          ///< [morph_count]
    vrm_changes morph_changes;    ///< A bit per mesh node.
    uint32_t material_count;      ///< Materials.
    const vrm_material_values *materials; ///< [material_count]
    vrm_changes material_changes;
    uint32_t expression_count;                ///< Expressions.
    const vrm_expression_weight *expressions; ///< [expression_count]
    uint32_t mesh_count;                      ///< Meshes.
    const vrm_box *mesh_boxes;  ///< [mesh_count] conservative, of the skinned and morphed mesh; relative to the origin.
    vrm_box box;                ///< Around all of them.
    float look_yaw, look_pitch; ///< Radians in LookAt space; 0 without a gaze.
    vrm_transform viewpoint;    ///< First-person viewpoint (LookAt space): relative to the origin.
    float height, eye_height;   ///< Of box top and viewpoint above the root, metres.
    uint32_t debug_line_count;  ///< Lines of `debug_lines`.
    const vrm_debug_line *debug_lines; ///< [debug_line_count] the requested lines.
} vrm_outputs;

/// Gives the views. `out_outputs->struct_size` is set by the caller.
VRM_API void vrm_instance_get_outputs(const vrm_instance *instance, vrm_outputs *out_outputs);

/// The layout of a matrix in memory.
typedef enum vrm_matrix_format {
    VRM_MATRIX_3X4_ROWS = 0,   ///< 12 floats, as vrm_mat34.
    VRM_MATRIX_4X4_COLUMNS = 1 ///< 16 floats, column-major, as GL and glTF.
} vrm_matrix_format;

/// Where to write matrices.
typedef struct vrm_matrix_target {
    uint32_t struct_size; ///< Set by the caller: sizeof(vrm_matrix_target).
    void *memory;         ///< Of the first matrix.
    size_t stride;        ///< Bytes from one to the next; 0: packed.
    vrm_matrix_format format;
    /// Subtract this from the world: 0 for world space, the camera for camera-relative. libvrm's axes.
    vrm_dvec3 origin;
    /// Axes and unit of the host. NULL: libvrm's own. A palette then skins vertices that are in the host's space, too.
    const vrm_basis *basis;
} vrm_matrix_target;

/// Writes the world matrices of nodes [first, first + count) (node order). INVALID_ARGUMENT for a range outside.
VRM_API vrm_result vrm_instance_write_world(
    const vrm_instance *instance, uint32_t first, uint32_t count, const vrm_matrix_target *target);
/// Writes the matrices of a palette's joints.
VRM_API vrm_result vrm_instance_write_palette(
    const vrm_instance *instance, uint32_t palette, const vrm_matrix_target *target);
/// Writes local transforms of nodes [first, first + count) (node order) after the last update. A view is not possible,
/// since the transforms of hair are only in the springs' state.
VRM_API vrm_result vrm_instance_write_locals(
    const vrm_instance *instance, uint32_t first, uint32_t count, vrm_transform *out);
/// Writes local transforms of nodes by glTF index: `out[i]` is glTF node `first + i`.
VRM_API vrm_result vrm_instance_write_gltf_locals(
    const vrm_instance *instance, uint32_t first, uint32_t count, vrm_transform *out);

#endif
