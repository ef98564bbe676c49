// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_GLTF_H
#define VRM_GLTF_H

/// @file gltf.h
/// The document: a glTF 2.0 file, read without loss and checked as a whole. What has loaded has had every index,
/// size, stride and count checked; there is no unchecked way to read it. Not needed to run an avatar: import what the
/// runtime needs (avatar.h), then free the document, or keep it for its vertices and images.

#include <vrm/math.h>
#include <vrm/result.h>

/// A loaded document.
typedef struct vrm_gltf vrm_gltf;

/// Called regularly during long calls: at least once per phase, per megabyte and per 1,000 elements.
/// `fraction` grows from 0 to 1 over the whole call; `phase` is a static word ("json", "buffers", "accessors", ...).
/// Return false to stop: the call then frees what it has built and returns VRM_ERROR_CANCELLED.
typedef bool vrm_progress_fn(float fraction, const char *phase, void *user);

/// Bytes returned by a call: free them with vrm_bytes_free().
typedef struct vrm_bytes {
    void *data;  ///< NULL for none.
    size_t size; ///< Bytes of `data`.
    vrm_allocator allocator;
} vrm_bytes;

/// Frees the bytes and clears the struct; a cleared one is allowed.
VRM_API void vrm_bytes_free(vrm_bytes *bytes);

/// The request to a vrm_read_fn.
typedef struct vrm_read_request {
    /// Decoded UTF-8, relative; checked not to leave the folder by its text (no "..", scheme, root, backslash). Where
    /// there are symbolic links the callback follows them and refuses what lies outside, as vrm_gltf_load_file() does.
    const char *uri;
    uint64_t max_size;       ///< Return VRM_ERROR_LIMIT when the file is larger.
    vrm_allocator allocator; ///< Allocate the bytes with it and store it in them.
} vrm_read_request;

/// Gives the bytes of a file that lies beside the document. Returns VRM_SUCCESS, VRM_ERROR_NOT_FOUND, VRM_ERROR_READ,
/// VRM_ERROR_OUT_OF_MEMORY, VRM_ERROR_LIMIT, or VRM_ERROR_INVALID_ASSET for a file that really lies outside the
/// document's folder: it counts as missing, with the finding URI_LEAVES_FOLDER.
typedef vrm_result vrm_read_fn(const vrm_read_request *request, vrm_bytes *out_bytes, void *user);

/// The request to a vrm_decode_meshopt_fn: decode the elements of one buffer view. Made only by the library.
typedef struct vrm_meshopt_request {
    const void *bytes;  ///< Compressed.
    size_t size;        ///< Of `bytes`.
    uint32_t count;     ///< Elements.
    uint32_t stride;    ///< Bytes of an element once decoded.
    vrm_string mode;    ///< "ATTRIBUTES", "TRIANGLES" or "INDICES".
    vrm_string filter;  ///< "NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL", ... as the file says it.
    void *out_elements; ///< Takes count * stride bytes; aligned to 16.
} vrm_meshopt_request;

/// Decodes a buffer view of EXT_meshopt_compression or KHR_meshopt_compression, with the host's decoder, on the loading
/// thread. Returns VRM_SUCCESS, or any other result for damaged bytes or an unknown mode.
typedef vrm_result vrm_decode_meshopt_fn(const vrm_meshopt_request *request, void *user);

/// An attribute or the indices of a vrm_draco_request, and where its decoded numbers go.
typedef struct vrm_draco_attribute {
    uint32_t id;             ///< The unique id of the attribute in the Draco stream; 0 for indices.
    uint32_t components;     ///< Numbers of an element: 1 to 4.
    uint32_t component_type; ///< GL's number: 5120 byte ... 5126 float.
    /// Takes the elements without gaps, in the byte order of the machine; aligned to 16. NULL: not wanted.
    void *out_elements;
} vrm_draco_attribute;

/// The request to a vrm_decode_draco_fn: decode the vertices of one primitive. Made only by the library.
typedef struct vrm_draco_request {
    const void *bytes;                     ///< Compressed.
    size_t size;                           ///< Of `bytes`.
    uint32_t vertex_count;                 ///< Elements of each attribute.
    uint32_t index_count;                  ///< 0: the primitive has no indices.
    vrm_draco_attribute indices;           ///< One component, of 1, 2 or 4 bytes.
    const vrm_draco_attribute *attributes; ///< The primitive's attributes that are in the stream.
    uint32_t attribute_count;              ///< Of `attributes`.
} vrm_draco_request;

/// Decodes a primitive of KHR_draco_mesh_compression, with the host's decoder, on the loading thread. Returns
/// VRM_SUCCESS if everything wanted was written, or any other result: for damaged bytes, and if the stream has a
/// different number of vertices or indices, or lacks an attribute.
typedef vrm_result vrm_decode_draco_fn(const vrm_draco_request *request, void *user);

/// Limits on the cost of a file.
typedef struct vrm_limits {
    uint64_t max_file_size; ///< Bytes of any one file; default 2 GiB.
    uint64_t max_memory;    ///< Bytes allocated at once by one load; default 4 GiB.
    uint32_t max_depth;     ///< JSON nesting; default 128.
    uint32_t max_nodes;     ///< glTF nodes; default 65,536.
    uint32_t max_elements;  ///< Elements of any other top-level array or of an accessor; default 16,777,216.
} vrm_limits;

/// Options of loading.
typedef struct vrm_gltf_def {
    uint32_t struct_size;
    /// True: the caller's bytes are read in place and must live as long as the document. Default false: copied.
    bool borrow_bytes;
    vrm_allocator allocator;
    vrm_limits limits;
    vrm_read_fn *read; ///< NULL (default): files beside the document count as missing.
    void *read_user;
    vrm_progress_fn *progress; ///< NULL: no progress reports.
    void *progress_user;
    /// True: a texture that refers to a missing image or sampler is refused. Default false: it is read without one,
    /// with a warning (VRM_GLTF_REPAIRED).
    bool strict;
    /// Makes compressed vertices, indices and animations readable in every function that reads them. Data that it
    /// refuses counts as compressed (PRIMITIVE_UNREADABLE, a warning). NULL (default): all of it stays unreadable.
    /// Decoded bytes count towards `max_memory`.
    vrm_decode_meshopt_fn *decode_meshopt;
    void *decode_user; ///< Passed to all decoders.
    /// Makes primitives readable that are compressed by Draco, in the same way. NULL (default): they stay unreadable.
    vrm_decode_draco_fn *decode_draco;
} vrm_gltf_def;

/// Fills it with the defaults.
VRM_API void vrm_gltf_def_default(vrm_gltf_def *def, size_t size);
#define vrm_gltf_def_default(def) vrm_gltf_def_default(def, sizeof *(def))

/// Reads .glb, .vrm or .gltf bytes (told apart by content). `def` may be NULL for the default, `report` too. Reading
/// continues after a finding, so that the report is complete; on failure `*out_gltf` is NULL. An asset whose
/// `extensionsRequired` names a compression beyond this library still loads when only vertices or images are concerned
/// (see vrm_gltf_get_flags()). Common mistakes of real files that have only one possible meaning are read that way,
/// with a warning that says how. Errors: INVALID_ARGUMENT, OUT_OF_MEMORY, NOT_GLTF, INVALID_ASSET, UNSUPPORTED, LIMIT,
/// CANCELLED.
VRM_API vrm_result vrm_gltf_load(
    const vrm_gltf_def *def, const void *bytes, size_t size, vrm_report *report, vrm_gltf **out_gltf);
/// The same from a path (UTF-8); files beside it are read unless `def->read` is set. They are opened by their real
/// path, which must lie in the real folder of `path`: no symbolic link leads out of it. Also NOT_FOUND, READ.
VRM_API vrm_result vrm_gltf_load_file(
    const vrm_gltf_def *def, const char *path, vrm_report *report, vrm_gltf **out_gltf);
/// Frees it; NULL is allowed.
VRM_API void vrm_gltf_destroy(vrm_gltf *gltf);

/// Properties of a document.
typedef enum vrm_gltf_flag {
    /// Some accessors cannot be read: compressed (Draco, meshopt; reading them says UNSUPPORTED) or without bytes (the
    /// BIN chunk is missing; reading them says NOT_FOUND).
    VRM_GLTF_GEOMETRY_UNREADABLE = 1 << 0,
    VRM_GLTF_IMAGES_UNREADABLE = 1 << 1, ///< Some images are KTX2, WebP or another format that is not PNG or JPEG.
    VRM_GLTF_BINARY = 1 << 2,            ///< Came from a GLB container.
    VRM_GLTF_REPAIRED = 1 << 3,          ///< vrm_gltf_def.strict refuses it; the document has what the file has.
} vrm_gltf_flag;

/// Combination of vrm_gltf_flag.
VRM_API uint32_t vrm_gltf_get_flags(const vrm_gltf *gltf);

/// The arrays of a document's root.
typedef enum vrm_gltf_array {
    VRM_GLTF_ACCESSORS = 0,
    VRM_GLTF_ANIMATIONS = 1,
    VRM_GLTF_BUFFERS = 2,
    VRM_GLTF_BUFFER_VIEWS = 3,
    VRM_GLTF_CAMERAS = 4,
    VRM_GLTF_IMAGES = 5,
    VRM_GLTF_MATERIALS = 6,
    VRM_GLTF_MESHES = 7,
    VRM_GLTF_NODES = 8,
    VRM_GLTF_SAMPLERS = 9,
    VRM_GLTF_SCENES = 10,
    VRM_GLTF_SKINS = 11,
    VRM_GLTF_TEXTURES = 12,
    VRM_GLTF_ARRAY_COUNT = 13
} vrm_gltf_array;

/// Number of elements of a top-level array.
VRM_API uint32_t vrm_gltf_get_count(const vrm_gltf *gltf, vrm_gltf_array array);

// --- JSON by pointer -----------------------------------------------------------------------------------------------

/// The text of the value at a JSON pointer, as it stands in the document (edits included): "/asset/generator" may give
/// `"UniVRM-0.128.0"` with its quotes. Returns VRM_ERROR_NOT_FOUND when there is none. Lives until the next edit.
/// An unedited document may be shared between threads; once edited it is one thread's at a time, reading included.
VRM_API vrm_result vrm_gltf_get_json(const vrm_gltf *gltf, const char *pointer, vrm_string *out_text);
/// Sets the value at a pointer to JSON text, making members on the way; "-" as a part (or the array's length) appends
/// to an array. Everything else keeps its text and order. The cost of an edit depends on the length of the pointer, not
/// on the size of the document. Checked reads still describe the document as loaded: save and load again to use the new
/// one. Errors: INVALID_ARGUMENT (text is not JSON, pointer leads through a non-container), OUT_OF_MEMORY.
VRM_API vrm_result vrm_gltf_set_json(vrm_gltf *gltf, const char *pointer, const char *json, size_t length);
/// Removes a member or element. NOT_FOUND when there is none.
VRM_API vrm_result vrm_gltf_remove_json(vrm_gltf *gltf, const char *pointer);
/// Appends bytes to the document's own buffer (aligned to 4) with a bufferView; returns the view's index. The
/// document's own buffer is the BIN chunk of a GLB, created if there are no buffers; otherwise (.gltf, or a GLB whose
/// first buffer is another file) it is a new buffer, which is saved as a data URI. Errors: INVALID_ARGUMENT (no bytes),
/// OUT_OF_MEMORY, LIMIT (4 GiB).
VRM_API vrm_result vrm_gltf_append_buffer_view(vrm_gltf *gltf, const void *bytes, size_t size, uint32_t *out_view);

// --- checked reads -------------------------------------------------------------------------------------------------

/// The format of an accessor.
typedef struct vrm_gltf_accessor {
    uint32_t struct_size;    ///< Set by the caller: sizeof(vrm_gltf_accessor).
    uint32_t count;          ///< Elements.
    uint32_t components;     ///< Per element: 1 to 16.
    uint32_t component_type; ///< GL's number: 5120 byte ... 5126 float.
    bool normalized;         ///< Integers stand for 0 to 1, or -1 to 1.
} vrm_gltf_accessor;

/// Describes an accessor. INVALID_ARGUMENT for an index outside.
VRM_API vrm_result vrm_gltf_get_accessor(const vrm_gltf *gltf, uint32_t accessor, vrm_gltf_accessor *out_info);
/// Reads `count` elements from `first` as floats (normalised ones converted, sparse ones applied, NaN and infinity as
/// 0) into `out`, which holds count * components. Errors: INVALID_ARGUMENT for a range outside, UNSUPPORTED for
/// compressed vertices, NOT_FOUND when the buffer has no bytes.
VRM_API vrm_result vrm_gltf_read_floats(
    const vrm_gltf *gltf, uint32_t accessor, uint32_t first, uint32_t count, float *out);
/// The same as unsigned integers, for indices and joints; INVALID_ARGUMENT for float or signed accessors.
VRM_API vrm_result vrm_gltf_read_uints(
    const vrm_gltf *gltf, uint32_t accessor, uint32_t first, uint32_t count, uint32_t *out);

/// An image, not decoded.
typedef struct vrm_gltf_image {
    uint32_t struct_size;   ///< Set by the caller: sizeof(vrm_gltf_image).
    const void *bytes;      ///< Encoded; NULL if it is another file that was not found.
    size_t size;            ///< Bytes.
    const char *mime_type;  ///< By content: "image/png", "image/jpeg", "image/webp", "image/ktx2", or "" when unknown.
    uint32_t width, height; ///< From the header, 0 when unknown.
    vrm_string name;
} vrm_gltf_image;

/// Describes an image by its header; never decodes. Views live as long as the document.
VRM_API vrm_result vrm_gltf_get_image(const vrm_gltf *gltf, uint32_t image, vrm_gltf_image *out_info);

// --- writing -------------------------------------------------------------------------------------------------------

/// Writes the document as GLB (or as .gltf JSON text if it came as that). An unedited document gives its JSON chunk
/// byte for byte. The same document gives the same bytes, always. Unknown chunks of a GLB are kept; after an edit they
/// follow the BIN chunk, and bytes behind the container's end are dropped. Errors: OUT_OF_MEMORY, LIMIT (a GLB ends at
/// 4 GiB).
VRM_API vrm_result vrm_gltf_save(const vrm_gltf *gltf, vrm_bytes *out_bytes);
/// Writes the document, which was not edited, as a GLB that needs no other file: the bytes of all buffers become its
/// BIN chunk (bufferViews move, but keep their order). Images beside the document or in data URIs are appended to it. A
/// buffer or an image without bytes, or an image of an unknown format, keeps its reference. To continue with the
/// result, load the bytes. Errors: INVALID_ARGUMENT (edited), OUT_OF_MEMORY, LIMIT (a GLB ends at 4 GiB).
VRM_API vrm_result vrm_gltf_pack(const vrm_gltf *gltf, vrm_bytes *out_bytes);
/// Writes bytes to a path (UTF-8) atomically: a temporary file in the same folder, flushed, renamed. On any error the
/// old file is whole. Errors: WRITE (path, permission), DISK (full, I/O).
VRM_API vrm_result vrm_write_file(const char *path, const void *bytes, size_t size);
/// Reads a whole file with `allocator` (NULL: malloc). Errors: NOT_FOUND, READ, OUT_OF_MEMORY, LIMIT above `max_size`.
VRM_API vrm_result vrm_read_file(
    const char *path, uint64_t max_size, const vrm_allocator *allocator, vrm_bytes *out_bytes);
/// Maps a whole file instead of reading it; vrm_bytes_free() unmaps it. Use it with `borrow_bytes`, for large files
/// that nobody else changes: if another program shortens the file, this process is killed by SIGBUS; if it writes to
/// the file, the bytes change. Read-only. Errors: NOT_FOUND, READ, LIMIT above `max_size`.
VRM_API vrm_result vrm_map_file(const char *path, uint64_t max_size, vrm_bytes *out_bytes);

#endif
