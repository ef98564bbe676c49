// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_MESH_H
#define VRM_MESH_H

/// @file mesh.h
/// The geometry of a document: typed access to meshes, primitives, morph targets and textures, and a reader that fills
/// a renderer's own vertex layout. Works from any loaded glTF, with or without an avatar. Images: vrm_gltf_get_image().
/// A vrm_geometry is one primitive, prepared for a GPU: triangles, tangents, the host's axes, and separate vertices
/// where the GPU needs them. Create it, ask for its size, let it write into your buffers, destroy it.

#include <vrm/basis.h>
#include <vrm/gltf.h>

// --- contents of the file ------------------------------------------------------------------------------------------

/// A mesh of the file.
typedef struct vrm_gltf_mesh {
    uint32_t struct_size;     ///< Set by the caller: sizeof(vrm_gltf_mesh).
    vrm_string name;          ///< May be empty. Lives as long as the document.
    uint32_t primitive_count; ///< Parts with a material each.
    uint32_t target_count;    ///< Morph targets: the largest number that any primitive has.
} vrm_gltf_mesh;

/// Describes a mesh. INVALID_ARGUMENT for an index outside, as for the calls below.
VRM_API vrm_result vrm_gltf_get_mesh(const vrm_gltf *gltf, uint32_t mesh, vrm_gltf_mesh *out_mesh);

/// A primitive of a mesh, as the file has it. Sets are counted from 0 without a gap: 2 means TEXCOORD_0 and TEXCOORD_1.
typedef struct vrm_gltf_primitive {
    uint32_t struct_size; ///< Set by the caller: sizeof(vrm_gltf_primitive).
    /// GL's number: POINTS (0), LINES, LINE_LOOP, LINE_STRIP, TRIANGLES (4), TRIANGLE_STRIP, TRIANGLE_FAN.
    uint32_t mode;
    int32_t material;        ///< Index in the file, -1: glTF's default.
    uint32_t vertex_count;   ///< Vertices; 0 without POSITION.
    uint32_t index_count;    ///< Number of indices; without an index buffer, number of vertices.
    uint32_t target_count;   ///< Morph targets.
    bool has_normals;        ///< NORMAL.
    bool has_tangents;       ///< TANGENT.
    bool is_readable;        ///< False if it is compressed and there is no decoder, or if its bytes are missing.
    uint32_t tex_coord_sets; ///< UV sets.
    uint32_t color_sets;     ///< Vertex colours.
    uint32_t joint_sets;     ///< Sets of four joints with weights.
} vrm_gltf_primitive;

/// Describes a primitive.
VRM_API vrm_result vrm_gltf_get_primitive(
    const vrm_gltf *gltf, uint32_t mesh, uint32_t primitive, vrm_gltf_primitive *out_primitive);

/// A morph target of a primitive.
typedef struct vrm_gltf_target {
    uint32_t struct_size; ///< Set by the caller: sizeof(vrm_gltf_target).
    /// extras.targetNames; empty if the file has none. Names may repeat: vrm_avatar_get_morph_name() gives unique ones.
    vrm_string name;
    bool has_positions; ///< POSITION: deltas of positions.
    bool has_normals;   ///< NORMAL.
    bool has_tangents;  ///< TANGENT.
} vrm_gltf_target;

/// Describes a morph target.
VRM_API vrm_result vrm_gltf_get_target(
    const vrm_gltf *gltf, uint32_t mesh, uint32_t primitive, uint32_t target, vrm_gltf_target *out_target);

/// A texture: an image and how it is sampled.
typedef struct vrm_gltf_texture {
    uint32_t struct_size; ///< Set by the caller: sizeof(vrm_gltf_texture).
    int32_t image;        ///< PNG or JPEG, as glTF itself has it; -1: none.
    /// The image of KHR_texture_basisu, EXT_texture_webp, EXT_texture_avif or MSFT_texture_dds, for hosts that decode
    /// those (vrm_decode_image_fn); -1: none.
    int32_t compressed_image;
    uint32_t wrap_s,
        wrap_t; ///< GL's number: REPEAT (10497, the default), CLAMP_TO_EDGE (33071) or MIRRORED_REPEAT (33648).
    uint32_t mag_filter; ///< GL's number: NEAREST (9728) or LINEAR (9729); 0 if the file does not say.
    uint32_t min_filter; ///< The same, or one of the four with mipmaps (9984 to 9987).
} vrm_gltf_texture;

/// Describes a texture. Invalid numbers read as the default.
VRM_API vrm_result vrm_gltf_get_texture(const vrm_gltf *gltf, uint32_t texture, vrm_gltf_texture *out_texture);

/// The request to a vrm_decode_image_fn: decode one image. Made by the code that needs the pixels, such as
/// libvrm-render.
typedef struct vrm_image_request {
    const void *bytes;      ///< Encoded.
    size_t size;            ///< Of `bytes`.
    const char *mime_type;  ///< By content: "image/webp", "image/ktx2", ...; "" when unknown.
    uint32_t width, height; ///< Pixels, from the header; at least 1.
    /// Takes width * height * 4 bytes: rows from the top without gaps, RGBA, 8 bits each, straight alpha, as the image
    /// has them (colours are not made linear).
    uint8_t *out_pixels;
} vrm_image_request;

/// Decodes an image of a format that glTF itself does not have (EXT_texture_webp, KHR_texture_basisu), by a decoder of
/// the host's.
/// Returns VRM_SUCCESS, or anything else for bytes that are damaged or a format that it does not know.
typedef vrm_result vrm_decode_image_fn(const vrm_image_request *request, void *user);

// --- a primitive for the GPU ---------------------------------------------------------------------------------------

/// One primitive, ready to be written. Refers to its document, which must live as long. Immutable: threads may share
/// it.
typedef struct vrm_geometry vrm_geometry;

/// Where tangents come from.
typedef enum vrm_tangents {
    VRM_TANGENTS_FILE = 0,    ///< From the file; none if it has none.
    VRM_TANGENTS_MISSING = 1, ///< From the file; computed with MikkTSpace if it has none.
    VRM_TANGENTS_MADE = 2     ///< Made by MikkTSpace, whatever the file has.
} vrm_tangents;

/// Options of a geometry.
typedef struct vrm_geometry_def {
    uint32_t struct_size;
    vrm_allocator allocator; ///< Default: malloc and free.
    uint32_t mesh;           ///< Index in the file; default 0.
    uint32_t primitive;      ///< Index in the mesh; default 0.
    /// Indices to use instead of the file's: vrm_first_person_primitive.indices, with its mode. NULL, the default: the
    /// file's.
    const uint32_t *indices;
    uint32_t index_count; ///< Of `indices`.
    uint32_t mode;        ///< Of `indices`, GL's number; default TRIANGLES (4).
    /// Default VRM_TANGENTS_FILE. Computing them needs triangles with normals and UVs; without these there are none,
    /// which is no error. Vertices at seams are duplicated.
    vrm_tangents tangents;
    uint32_t tangent_tex_coord; ///< UV set that tangents are made for: that of the normal map. Default 0.
    /// True: triangles without normals get their own, as glTF 2.0 (3.7.2.1) requires, with three vertices for each
    /// triangle. Default false: normals are 0, for hosts whose shader computes them.
    bool flat_normals;
    /// True: each vertex keeps its four largest weights of all sets, scaled to the sum 1. Default false: sets as in the
    /// file.
    bool four_joints;
    /// True: v becomes 1 - v, for hosts whose textures begin at the bottom (Unity). Default false: v = 0 is an image's
    /// first row.
    bool flip_v;
    /// Added to each joint: vrm_palette.first_joint, if joints are to be indices of vrm_outputs.palette. Default 0:
    /// indices of the skin's own palette.
    uint32_t first_joint;
    /// Joints from this number on, which have weight 0, are written as the first one. Default 0: no limit.
    uint32_t joint_count;
    /// Axes and unit of the host: positions, normals, tangents and morph deltas are converted, and the order of a
    /// triangle's indices is reversed if the handedness differs. Write the palette with the same basis
    /// (vrm_matrix_target.basis). NULL, the default: libvrm's own. Not kept.
    const vrm_basis *basis;
    /// Joint of vertices without weights, which they get with weight 1. If a host keeps the world matrices of nodes in
    /// the same array as its palettes, it sets the index of the mesh node's matrix, and one shader draws every mesh.
    /// Used unchanged, without `first_joint`. Default -1: weights stay 0.
    int32_t rigid_joint;
    /// True: the primitive is read as if it had no joints and weights, for nodes without a skin (vrm_mesh_node.palette
    /// is -1).
    /// Default false.
    bool ignore_joints;
} vrm_geometry_def;

/// Fills it with the defaults.
VRM_API void vrm_geometry_def_default(vrm_geometry_def *def, size_t size);
#define vrm_geometry_def_default(def) vrm_geometry_def_default(def, sizeof *(def))

/// Prepares a primitive. A primitive without positions has no vertices, which is no error. Everything is checked here:
/// the calls below fail only because of wrong arguments. `report` may be NULL; findings give the JSON path of
/// unreadable data. Errors: INVALID_ARGUMENT (an index outside, also in `indices`, or an invalid basis), OUT_OF_MEMORY,
/// UNSUPPORTED (compressed vertices), NOT_FOUND (a buffer without bytes), LIMIT (over 4 billion vertices).
VRM_API vrm_result vrm_geometry_create(
    const vrm_gltf *gltf, const vrm_geometry_def *def, vrm_report *report, vrm_geometry **out_geometry);
/// Frees it; NULL is allowed.
VRM_API void vrm_geometry_destroy(vrm_geometry *geometry);

/// What a geometry contains.
typedef struct vrm_geometry_info {
    uint32_t struct_size; ///< Set by the caller: sizeof(vrm_geometry_info).
    uint32_t mode;        ///< As in the file; strips and fans become TRIANGLES (4).
    int32_t material;     ///< Index in the file, -1: glTF's default.
    /// The file's, plus duplicates where tangents differ; three for each triangle with flat normals.
    uint32_t vertex_count;
    uint32_t index_count;    ///< Present even if the file has no indices.
    uint32_t target_count;   ///< Morph targets.
    bool has_normals;        ///< From the file, or flat ones.
    bool has_tangents;       ///< From the file or computed. A file's tangents without normals do not count.
    uint32_t tex_coord_sets; ///< UV sets.
    uint32_t color_sets;     ///< Vertex colours.
    uint32_t joint_sets;     ///< Sets of four joints with weights; at most 1 with `four_joints`.
} vrm_geometry_info;

/// Describes a geometry.
VRM_API void vrm_geometry_get_info(const vrm_geometry *geometry, vrm_geometry_info *out_info);

/// The meaning of a vertex attribute. If the file lacks it, the value given here is written.
typedef enum vrm_vertex_semantic {
    VRM_VERTEX_POSITION = 0, ///< Metres, or the basis' unit; a fourth component is 1.
    VRM_VERTEX_NORMAL = 1,   ///< Unit; 0, 0, 0.
    /// Unit; the fourth component is the sign of cross(normal, tangent) as bitangent. 0, 0, 0, 1.
    VRM_VERTEX_TANGENT = 2,
    VRM_VERTEX_TEX_COORD = 3, ///< 0, 0.
    VRM_VERTEX_COLOR = 4,     ///< Linear; 1, 1, 1, 1.
    VRM_VERTEX_JOINTS = 5,    ///< Indices of matrices; `first_joint`.
    VRM_VERTEX_WEIGHTS = 6,   ///< 0, 0, 0, 0: the node's own matrix moves the vertex. See `rigid_joint`.
    VRM_VERTEX_SEMANTIC_COUNT = 7
} vrm_vertex_semantic;

/// How a number is stored, in the byte order of the machine.
typedef enum vrm_vertex_format {
    VRM_VERTEX_FLOAT32 = 0,
    VRM_VERTEX_FLOAT16 = 1,
    VRM_VERTEX_UNORM8 = 2,  ///< 0 to 1 as 0 to 255, clamped. Weights with the sum 1 keep it.
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
    uint32_t set; ///< Of UVs, colours, joints and weights; 0 for the others.
    vrm_vertex_format format;
    uint32_t components; ///< 1 to 4.
    uint32_t offset;     ///< Of the first component in the vertex, bytes.
} vrm_vertex_attribute;

/// Destination of vertices, with one layout. Hosts with an array for each attribute call once for each.
typedef struct vrm_vertex_target {
    uint32_t struct_size; ///< Set by the caller: sizeof(vrm_vertex_target).
    void *memory;         ///< The first vertex. Written only, never read: may be mapped from a GPU.
    size_t size;          ///< Bytes of `memory`.
    uint32_t stride;      ///< Bytes from one vertex to the next; bytes between attributes are left alone.
    const vrm_vertex_attribute *attributes; ///< The attributes of each vertex.
    uint32_t attribute_count;               ///< Of `attributes`.
    /// Weights of the first morph targets, whose deltas are added to positions, normals and tangents: for hosts that
    /// morph on the CPU, &vrm_outputs.morphs[vrm_mesh_node.first_morph]. Normals and tangents are normalised again,
    /// flat normals are those of the moved triangles, and made tangents stay as they are. NULL, the default: none.
    const float *morphs;
    uint32_t morph_count; ///< Of `morphs`: vrm_mesh_node.morph_count. Weights beyond `target_count` are not read.
} vrm_vertex_target;

/// Writes all vertices. INVALID_ARGUMENT: memory that is too small, an attribute that leaves the stride, a format that
/// does not suit its semantic. LIMIT: a joint that its format cannot hold.
VRM_API vrm_result vrm_geometry_write_vertices(const vrm_geometry *geometry, const vrm_vertex_target *target);
/// Writes all indices, of `index_size` bytes each: 2 or 4. INVALID_ARGUMENT for another size or too little room; LIMIT
/// where two bytes cannot hold a vertex (more than 65,536 of them).
VRM_API vrm_result vrm_geometry_write_indices(
    const vrm_geometry *geometry, uint32_t index_size, void *out_indices, size_t size);

/// Destination of a morph target's deltas.
typedef struct vrm_morph_deltas {
    uint32_t struct_size; ///< Set by the caller: sizeof(vrm_morph_deltas).
    vrm_vec3 *positions;  ///< NULL: not wanted. 0 if the file has none.
    vrm_vec3 *normals;    ///< The same.
    vrm_vec3 *tangents;   ///< The same.
    /// NULL: dense, a delta for each vertex. Else sparse: receives the vertices, ascending, for which any of the wanted
    /// deltas is not 0, and the arrays above have the deltas of those vertices only.
    uint32_t *vertices;
    uint32_t capacity; ///< Elements of each array that is given.
    /// Written by the call: the number of elements; with LIMIT, the number that would have been needed.
    uint32_t count;
} vrm_morph_deltas;

/// Reads a morph target. INVALID_ARGUMENT for an index outside; LIMIT if the arrays have too little room, which are
/// then full.
VRM_API vrm_result vrm_geometry_read_deltas(const vrm_geometry *geometry, uint32_t target, vrm_morph_deltas *deltas);

#endif
