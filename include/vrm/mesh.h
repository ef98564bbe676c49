// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_MESH_H
#define VRM_MESH_H

/// @file mesh.h
/// The geometry of a document: typed access to meshes, primitives, morph targets and textures, and a reader that fills
/// a renderer's own vertex layout. It works with any loaded glTF, with or without an avatar. For images see
/// vrm_gltf_get_image().
///
/// A vrm_geometry is one primitive prepared for a GPU: triangles, tangents, the host's axes, and separate vertices
/// where the GPU needs them. Create it, query its size, let it write into your buffers, and destroy it.

#include <vrm/basis.h>
#include <vrm/gltf.h>

// --- contents of the file ------------------------------------------------------------------------------------------

/// A mesh of the file.
typedef struct vrm_gltf_mesh {
    uint32_t struct_size;     ///< Set by the caller: sizeof(vrm_gltf_mesh).
    vrm_string name;          ///< Name of the mesh; may be empty. Valid as long as the document.
    uint32_t primitive_count; ///< Number of primitives: parts of the mesh with one material each.
    uint32_t target_count;    ///< Number of morph targets: the largest number in any of the primitives.
} vrm_gltf_mesh;

/// Describes a mesh. Returns INVALID_ARGUMENT for an index out of range, as do the calls below.
VRM_API vrm_result vrm_gltf_get_mesh(const vrm_gltf *gltf, uint32_t mesh, vrm_gltf_mesh *out_mesh);

/// A primitive of a mesh, as in the file. Sets are counted from 0 without a gap: 2 means TEXCOORD_0 and TEXCOORD_1.
typedef struct vrm_gltf_primitive {
    uint32_t struct_size; ///< Set by the caller: sizeof(vrm_gltf_primitive).
    /// GL's number: POINTS (0), LINES, LINE_LOOP, LINE_STRIP, TRIANGLES (4), TRIANGLE_STRIP, TRIANGLE_FAN.
    uint32_t mode;
    int32_t material;      ///< Index of the material in the file; -1: glTF's default material.
    uint32_t vertex_count; ///< Number of vertices; 0 without POSITION.
    uint32_t index_count;  ///< Number of indices; of vertices if there is no index buffer.
    uint32_t target_count; ///< Number of morph targets.
    bool has_normals;      ///< NORMAL.
    bool has_tangents;     ///< TANGENT.
    bool is_readable; ///< False if the primitive is compressed and there is no decoder, or if its bytes are missing.
    uint32_t tex_coord_sets; ///< Number of UV sets.
    uint32_t color_sets;     ///< Number of sets of vertex colours.
    uint32_t joint_sets;     ///< Number of sets of four joints with weights.
} vrm_gltf_primitive;

/// Describes a primitive.
VRM_API vrm_result vrm_gltf_get_primitive(
    const vrm_gltf *gltf, uint32_t mesh, uint32_t primitive, vrm_gltf_primitive *out_primitive);

/// A morph target of a primitive.
typedef struct vrm_gltf_target {
    uint32_t struct_size; ///< Set by the caller: sizeof(vrm_gltf_target).
    /// Name from extras.targetNames; empty if the file has none. Names may repeat; vrm_avatar_get_morph_name() gives
    /// unique names.
    vrm_string name;
    bool has_positions; ///< The target changes positions (POSITION).
    bool has_normals;   ///< NORMAL.
    bool has_tangents;  ///< TANGENT.
} vrm_gltf_target;

/// Describes a morph target.
VRM_API vrm_result vrm_gltf_get_target(
    const vrm_gltf *gltf, uint32_t mesh, uint32_t primitive, uint32_t target, vrm_gltf_target *out_target);

/// A texture: an image, and the parameters with which the image is sampled.
typedef struct vrm_gltf_texture {
    uint32_t struct_size; ///< Set by the caller: sizeof(vrm_gltf_texture).
    int32_t image;        ///< Index of the PNG or JPEG image of core glTF; -1: none.
    /// Index of the image of KHR_texture_basisu, EXT_texture_webp, EXT_texture_avif or MSFT_texture_dds, for hosts that
    /// decode these formats (vrm_decode_image_fn); -1: none.
    int32_t compressed_image;
    uint32_t wrap_s, wrap_t; ///< GL's numbers: REPEAT (10497, default), CLAMP_TO_EDGE (33071), MIRRORED_REPEAT (33648).
    uint32_t mag_filter;     ///< GL's number: NEAREST (9728) or LINEAR (9729); 0 if not in the file.
    uint32_t min_filter;     ///< GL's number, as for mag_filter, or one of the four with mipmaps (9984 to 9987).
} vrm_gltf_texture;

/// Describes a texture. Invalid numbers in the file give the defaults.
VRM_API vrm_result vrm_gltf_get_texture(const vrm_gltf *gltf, uint32_t texture, vrm_gltf_texture *out_texture);

/// Request to a vrm_decode_image_fn: decode one image. Created by code that needs the pixels, such as libvrm-render.
typedef struct vrm_image_request {
    const void *bytes;      ///< Encoded bytes.
    size_t size;            ///< Number of bytes.
    const char *mime_type;  ///< Type by content: "image/webp", "image/ktx2", ...; "" if unknown.
    uint32_t width, height; ///< Pixels, from the header; at least 1.
    /// Destination of width * height * 4 bytes: rows from the top without gaps, RGBA, 8 bits each, straight alpha, with
    /// the image's own colours (not made linear).
    uint8_t *out_pixels;
} vrm_image_request;

/// Decodes an image in a format that core glTF does not have (EXT_texture_webp, KHR_texture_basisu), with the host's
/// decoder. Returns VRM_SUCCESS, or any other result for damaged bytes or an unknown format.
typedef vrm_result vrm_decode_image_fn(const vrm_image_request *request, void *user);

// --- a primitive for the GPU ---------------------------------------------------------------------------------------

/// One primitive of a document, ready to be written. The document must live as long as the geometry. Immutable: threads
/// can share it.
typedef struct vrm_geometry vrm_geometry;

/// The source of a geometry's tangents.
typedef enum vrm_tangents {
    VRM_TANGENTS_FILE = 0,    ///< From the file; none if the file has none.
    VRM_TANGENTS_MISSING = 1, ///< From the file; computed with MikkTSpace if the file has none.
    VRM_TANGENTS_MADE = 2     ///< Computed with MikkTSpace, even if the file has tangents.
} vrm_tangents;

/// Options of a geometry.
typedef struct vrm_geometry_def {
    uint32_t struct_size;
    vrm_allocator allocator; ///< Default: malloc and free.
    uint32_t mesh;           ///< Index of the mesh in the file; default 0.
    uint32_t primitive;      ///< Index of the primitive in the mesh; default 0.
    /// Indices that replace the file's, such as vrm_first_person_primitive.indices. NULL, the default: the file's.
    const uint32_t *indices;
    uint32_t index_count; ///< Number of `indices`.
    /// Mode of `indices`, GL's number; default TRIANGLES (4). For a vrm_first_person_primitive, its mode.
    uint32_t mode;
    /// Source of tangents; default VRM_TANGENTS_FILE. Computing them needs triangles with normals and UVs; without
    /// these there are no tangents, which is not an error. Vertices at seams are duplicated.
    vrm_tangents tangents;
    uint32_t tangent_tex_coord; ///< UV set for which tangents are computed: that of the normal map. Default 0.
    /// True: triangles without normals get flat normals, as glTF 2.0 (3.7.2.1) requires. Each of these triangles then
    /// has three vertices of its own. Default false: normals are 0, for hosts whose shader computes them.
    bool flat_normals;
    /// True: each vertex keeps the four largest of its weights in all sets, scaled to the sum 1. Default false: sets as
    /// in the file.
    bool four_joints;
    /// True: v becomes 1 - v, for hosts whose textures begin at the bottom (Unity). Default false: v = 0 is the first
    /// row of an image.
    bool flip_v;
    /// Number added to each joint. Set it to vrm_palette.first_joint if joints should be indices of
    /// vrm_outputs.palette. Default 0: indices of the skin's own palette.
    uint32_t first_joint;
    /// Number of joints. Joint indices from this number on, which have weight 0, are written as the first joint.
    /// Default 0: no limit.
    uint32_t joint_count;
    /// Axes and unit of the host. Positions, normals, tangents and morph deltas are converted, and the order of a
    /// triangle's indices is reversed if the handedness differs. Write the palette with the same basis
    /// (vrm_matrix_target.basis). NULL, the default: libvrm's own. Read only during the call.
    const vrm_basis *basis;
    /// Joint that vertices without weights get, with weight 1. Use it to draw every mesh with one shader: if the world
    /// matrices of nodes are in the same array as the palettes, set it to the index of the mesh node's matrix.
    /// `first_joint` is not added. Default -1: the weights stay 0.
    int32_t rigid_joint;
    /// True: the primitive is read as if it had no joints and weights, for nodes without a skin (vrm_mesh_node.palette
    /// is -1). Default false.
    bool ignore_joints;
} vrm_geometry_def;

/// Fills `def` with the defaults.
VRM_API void vrm_geometry_def_default(vrm_geometry_def *def, size_t size);
#define vrm_geometry_def_default(def) vrm_geometry_def_default(def, sizeof *(def))

/// Prepares a primitive. A primitive without positions has no vertices, which is not an error. Everything is checked
/// here, so that the calls below can fail only because of wrong arguments. `report` may be NULL; findings give the JSON
/// path of unreadable data. Errors: INVALID_ARGUMENT (an index out of range, also in `indices`, or an invalid basis),
/// OUT_OF_MEMORY, UNSUPPORTED (compressed vertices), NOT_FOUND (a buffer without bytes), LIMIT (over 4 billion
/// vertices).
VRM_API vrm_result vrm_geometry_create(
    const vrm_gltf *gltf, const vrm_geometry_def *def, vrm_report *report, vrm_geometry **out_geometry);
/// Frees the geometry; NULL is allowed.
VRM_API void vrm_geometry_destroy(vrm_geometry *geometry);

/// Contents of a geometry.
typedef struct vrm_geometry_info {
    uint32_t struct_size; ///< Set by the caller: sizeof(vrm_geometry_info).
    uint32_t mode;        ///< GL's number, as in the file; strips and fans become TRIANGLES (4).
    int32_t material;     ///< Index of the material in the file; -1: glTF's default material.
    /// Number of vertices: those of the file, plus duplicates where tangents differ; three per triangle with flat
    /// normals.
    uint32_t vertex_count;
    uint32_t index_count;  ///< Number of indices; there are indices even if the file has none.
    uint32_t target_count; ///< Number of morph targets.
    bool has_normals;      ///< There are normals, from the file or flat.
    /// There are tangents, from the file or computed. A file's tangents without normals do not count.
    bool has_tangents;
    uint32_t tex_coord_sets; ///< Number of UV sets.
    uint32_t color_sets;     ///< Number of sets of vertex colours.
    uint32_t joint_sets;     ///< Number of sets of four joints with weights; at most 1 with `four_joints`.
} vrm_geometry_info;

/// Describes a geometry.
VRM_API void vrm_geometry_get_info(const vrm_geometry *geometry, vrm_geometry_info *out_info);

/// The meaning of a vertex attribute, with the value that is written if the file lacks it.
typedef enum vrm_vertex_semantic {
    VRM_VERTEX_POSITION = 0, ///< Metres, or the unit of the basis; a fourth component is 1.
    VRM_VERTEX_NORMAL = 1,   ///< Unit length; if missing 0, 0, 0.
    /// Unit length; the fourth component is the sign of cross(normal, tangent) as bitangent. If missing 0, 0, 0, 1.
    VRM_VERTEX_TANGENT = 2,
    VRM_VERTEX_TEX_COORD = 3, ///< 0, 0.
    VRM_VERTEX_COLOR = 4,     ///< Linear; if missing 1, 1, 1, 1.
    VRM_VERTEX_JOINTS = 5,    ///< Indices of matrices; if missing `first_joint`.
    VRM_VERTEX_WEIGHTS = 6,   ///< If missing 0, 0, 0, 0: the node's own matrix moves the vertex. See `rigid_joint`.
    VRM_VERTEX_SEMANTIC_COUNT = 7
} vrm_vertex_semantic;

/// How the components of a vertex attribute are stored, in the byte order of the machine.
typedef enum vrm_vertex_format {
    VRM_VERTEX_FLOAT32 = 0,
    VRM_VERTEX_FLOAT16 = 1,
    VRM_VERTEX_UNORM8 = 2,  ///< 0 to 1 as 0 to 255, clamped. Weights with the sum 1 keep that sum.
    VRM_VERTEX_UNORM16 = 3, ///< 0 to 1 as 0 to 65,535.
    VRM_VERTEX_SNORM8 = 4,  ///< -1 to 1 as -127 to 127.
    VRM_VERTEX_SNORM16 = 5, ///< -1 to 1 as -32,767 to 32,767.
    VRM_VERTEX_UINT8 = 6,   ///< Only for joints.
    VRM_VERTEX_UINT16 = 7,  ///< Only for joints.
    VRM_VERTEX_UINT32 = 8,  ///< Only for joints.
    VRM_VERTEX_FORMAT_COUNT = 9
} vrm_vertex_format;

/// One attribute of the host's vertex. A plain value.
typedef struct vrm_vertex_attribute {
    vrm_vertex_semantic semantic;
    uint32_t set; ///< Set of UVs, colours, joints and weights; 0 for others.
    vrm_vertex_format format;
    uint32_t components; ///< 1 to 4.
    uint32_t offset;     ///< Offset of the first component in the vertex, bytes.
} vrm_vertex_attribute;

/// Destination of vertices, with one layout. Hosts with a separate array for each attribute make one call for each.
typedef struct vrm_vertex_target {
    uint32_t struct_size; ///< Set by the caller: sizeof(vrm_vertex_target).
    void *memory;         ///< Address of the first vertex. Only written, never read, so it may be mapped from a GPU.
    size_t size;          ///< Bytes of `memory`.
    uint32_t stride;      ///< Bytes from one vertex to the next. Bytes between attributes are not changed.
    const vrm_vertex_attribute *attributes; ///< The attributes of each vertex.
    uint32_t attribute_count;               ///< Number of attributes.
    /// Weights of the first morph targets, whose deltas are added to positions, normals and tangents. For hosts that
    /// morph on the CPU: &vrm_outputs.morphs[vrm_mesh_node.first_morph]. Normals and tangents are normalised again,
    /// flat normals are computed from the moved triangles, and computed tangents stay as they are. NULL, the default:
    /// no morph targets.
    const float *morphs;
    /// Number of `morphs`: vrm_mesh_node.morph_count. Weights beyond `target_count` are not read.
    uint32_t morph_count;
} vrm_vertex_target;

/// Writes all vertices. Errors: INVALID_ARGUMENT (memory too small, an attribute beyond the stride, or a format that
/// does not suit its semantic), LIMIT (a joint that its format cannot represent).
VRM_API vrm_result vrm_geometry_write_vertices(const vrm_geometry *geometry, const vrm_vertex_target *target);
/// Writes all indices, of `index_size` bytes each: 2 or 4. Errors: INVALID_ARGUMENT (another size, or too little room),
/// LIMIT (more than 65,536 vertices with 2 bytes).
VRM_API vrm_result vrm_geometry_write_indices(
    const vrm_geometry *geometry, uint32_t index_size, void *out_indices, size_t size);

/// Destination of a morph target's deltas.
typedef struct vrm_morph_deltas {
    uint32_t struct_size; ///< Set by the caller: sizeof(vrm_morph_deltas).
    vrm_vec3 *positions;  ///< Deltas of positions; NULL: not requested. 0 if the file has none.
    vrm_vec3 *normals;    ///< Deltas of normals, as `positions`.
    vrm_vec3 *tangents;   ///< Deltas of tangents, as `positions`.
    /// NULL: dense, with a delta for each vertex. Else sparse: receives the vertices, ascending, for which any of the
    /// requested deltas is not 0, and the arrays above receive the deltas of only those vertices.
    uint32_t *vertices;
    uint32_t capacity; ///< Number of elements of each array that is not NULL.
    /// Written by the call: the number of elements; with LIMIT, the number that would be needed.
    uint32_t count;
} vrm_morph_deltas;

/// Reads a morph target. Returns INVALID_ARGUMENT for an index out of range, and LIMIT if the arrays have too little
/// room; they are then filled up.
VRM_API vrm_result vrm_geometry_read_deltas(const vrm_geometry *geometry, uint32_t target, vrm_morph_deltas *deltas);

#endif
