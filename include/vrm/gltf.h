// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_GLTF_H
#define VRM_GLTF_H

/// @file gltf.h
/// The document: a glTF 2.0 file, read without loss and checked as a whole. Every index, size, stride and count of a
/// loaded document has been checked; unchecked reading is not possible. A document is not needed to run an avatar:
/// import the avatar (avatar.h), then free the document, or keep it for its vertices and images.

#include <vrm/math.h>
#include <vrm/result.h>

/// A loaded document.
typedef struct vrm_gltf vrm_gltf;

/// Called regularly during long calls: at least once per phase, per megabyte and per 1,000 elements. `fraction` grows
/// from 0 to 1 over the whole call; `phase` is a static word ("json", "buffers", "accessors", ...). Return false to
/// cancel: the call then frees what it has built and returns VRM_ERROR_CANCELLED.
typedef bool vrm_progress_fn(float fraction, const char *phase, void *user);

/// Bytes returned by a call. Free them with vrm_bytes_free().
typedef struct vrm_bytes {
    void *data;  ///< NULL if there are no bytes.
    size_t size; ///< Number of bytes.
    vrm_allocator allocator;
} vrm_bytes;

/// Frees the bytes and clears the struct. A cleared struct is allowed.
VRM_API void vrm_bytes_free(vrm_bytes *bytes);

/// Request to a vrm_read_fn: the file to read.
typedef struct vrm_read_request {
    /// Relative path, decoded, in UTF-8. Its text does not leave the folder: it has no "..", scheme, root or backslash.
    /// If there are symbolic links, the callback follows them and refuses files outside the folder, as
    /// vrm_gltf_load_file() does.
    const char *uri;
    uint64_t max_size;       ///< Return VRM_ERROR_LIMIT if the file is larger.
    vrm_allocator allocator; ///< Allocate the bytes with this allocator, and store it in the vrm_bytes.
} vrm_read_request;

/// Reads a file beside the document. Returns VRM_SUCCESS, VRM_ERROR_NOT_FOUND, VRM_ERROR_READ, VRM_ERROR_OUT_OF_MEMORY
/// or VRM_ERROR_LIMIT. Returns VRM_ERROR_INVALID_ASSET for a file whose real path is outside the document's folder: the
/// file then counts as missing, with the finding URI_LEAVES_FOLDER.
typedef vrm_result vrm_read_fn(const vrm_read_request *request, vrm_bytes *out_bytes, void *user);

/// Request to a vrm_decode_meshopt_fn: decode the elements of one buffer view. Created only by the library.
typedef struct vrm_meshopt_request {
    const void *bytes;  ///< Compressed bytes.
    size_t size;        ///< Number of bytes.
    uint32_t count;     ///< Number of elements.
    uint32_t stride;    ///< Bytes of a decoded element.
    vrm_string mode;    ///< "ATTRIBUTES", "TRIANGLES" or "INDICES".
    vrm_string filter;  ///< "NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL", ..., as in the file.
    void *out_elements; ///< Destination of count * stride bytes; aligned to 16.
} vrm_meshopt_request;

/// Decodes a buffer view of EXT_meshopt_compression or KHR_meshopt_compression with the host's decoder, on the thread
/// that loads. Returns VRM_SUCCESS, or any other result for damaged bytes or an unknown mode.
typedef vrm_result vrm_decode_meshopt_fn(const vrm_meshopt_request *request, void *user);

/// An attribute, or the indices, of a vrm_draco_request, with the destination of its decoded numbers.
typedef struct vrm_draco_attribute {
    uint32_t id;             ///< Unique id of the attribute in the Draco stream; 0 for indices.
    uint32_t components;     ///< Components of an element, 1 to 4.
    uint32_t component_type; ///< GL's number: 5120 (byte) to 5126 (float).
    /// Destination of the elements, without gaps, in the byte order of the machine; aligned to 16. NULL: not requested.
    void *out_elements;
} vrm_draco_attribute;

/// Request to a vrm_decode_draco_fn: decode the vertices of one primitive. Created only by the library.
typedef struct vrm_draco_request {
    const void *bytes;                     ///< Compressed bytes.
    size_t size;                           ///< Number of bytes.
    uint32_t vertex_count;                 ///< Number of elements of each attribute.
    uint32_t index_count;                  ///< Number of indices; 0: the primitive has none.
    vrm_draco_attribute indices;           ///< Destination of the indices: one component of 1, 2 or 4 bytes.
    const vrm_draco_attribute *attributes; ///< The primitive's attributes that are in the stream.
    uint32_t attribute_count;              ///< Number of attributes.
} vrm_draco_request;

/// Decodes a primitive of KHR_draco_mesh_compression with the host's decoder, on the thread that loads. Returns
/// VRM_SUCCESS if everything requested was written. Returns any other result for damaged bytes, and if the stream has a
/// different number of vertices or indices or lacks an attribute.
typedef vrm_result vrm_decode_draco_fn(const vrm_draco_request *request, void *user);

/// Limits on the resources that a file may use.
typedef struct vrm_limits {
    uint64_t max_file_size; ///< Largest size of any one file, bytes; default 2 GiB.
    uint64_t max_memory;    ///< Largest amount of memory that one load may use at a time, bytes; default 4 GiB.
    uint32_t max_depth;     ///< Largest depth of JSON nesting; default 128.
    uint32_t max_nodes;     ///< Largest number of glTF nodes; default 65,536.
    /// Largest number of elements of any other top-level array or of an accessor; default 16,777,216.
    uint32_t max_elements;
} vrm_limits;

/// Options for loading a document.
typedef struct vrm_gltf_def {
    uint32_t struct_size;
    /// True: the caller's bytes are read in place and must live as long as the document. Default false: they are
    /// copied.
    bool borrow_bytes;
    vrm_allocator allocator;
    vrm_limits limits;
    vrm_read_fn *read; ///< NULL (default): files beside the document count as missing.
    void *read_user;
    vrm_progress_fn *progress; ///< NULL: no progress reports.
    void *progress_user;
    /// True: a texture that refers to a missing image or sampler is refused. Default false: the texture is read without
    /// that image or sampler, with a warning (VRM_GLTF_REPAIRED).
    bool strict;
    /// Decoder for meshopt compression, which makes compressed vertices, indices and animations readable in every
    /// function that reads them. Data that the decoder refuses counts as compressed (PRIMITIVE_UNREADABLE, a warning).
    /// NULL (default): all such data is unreadable. Decoded bytes count towards `max_memory`.
    vrm_decode_meshopt_fn *decode_meshopt;
    void *decode_user; ///< Passed to all decoders.
    /// Decoder for Draco compression, which makes compressed primitives readable in every function that reads them.
    /// NULL (default): they are unreadable.
    vrm_decode_draco_fn *decode_draco;
} vrm_gltf_def;

/// Fills `def` with the defaults.
VRM_API void vrm_gltf_def_default(vrm_gltf_def *def, size_t size);
#define vrm_gltf_def_default(def) vrm_gltf_def_default(def, sizeof *(def))

/// Loads a document from the bytes of a .glb, .vrm or .gltf file, whose format is recognised by its content. `def` may
/// be NULL for the defaults, and `report` may be NULL. Reading continues after a finding, so that the report is
/// complete. On failure `*out_gltf` is NULL. If `extensionsRequired` names a compression that this library does not
/// decode, the document still loads when only vertices or images are affected (see vrm_gltf_get_flags()). Common
/// mistakes of real files with only one possible meaning are read with that meaning, and a warning says how. Errors:
/// INVALID_ARGUMENT, OUT_OF_MEMORY, NOT_GLTF, INVALID_ASSET, UNSUPPORTED, LIMIT, CANCELLED.
VRM_API vrm_result vrm_gltf_load(
    const vrm_gltf_def *def, const void *bytes, size_t size, vrm_report *report, vrm_gltf **out_gltf);
/// Loads a document from a file (path in UTF-8). Files beside it are read, too, by `def->read` if it is set. Otherwise
/// they are opened by their real path, which must be in the real folder of `path`: no symbolic link leads out of it.
/// Errors: as vrm_gltf_load(), and NOT_FOUND, READ.
VRM_API vrm_result vrm_gltf_load_file(
    const vrm_gltf_def *def, const char *path, vrm_report *report, vrm_gltf **out_gltf);
/// Frees the document; NULL is allowed.
VRM_API void vrm_gltf_destroy(vrm_gltf *gltf);

/// Properties of a document.
typedef enum vrm_gltf_flag {
    /// Some accessors cannot be read, because they are compressed (Draco, meshopt; reading them gives UNSUPPORTED) or
    /// have no bytes (the BIN chunk is missing; reading them gives NOT_FOUND).
    VRM_GLTF_GEOMETRY_UNREADABLE = 1 << 0,
    VRM_GLTF_IMAGES_UNREADABLE = 1 << 1, ///< Some images are neither PNG nor JPEG, but KTX2, WebP or another format.
    VRM_GLTF_BINARY = 1 << 2,            ///< The document was loaded from a GLB container.
    /// The file has an error that vrm_gltf_def.strict refuses; the document still contains the error.
    VRM_GLTF_REPAIRED = 1 << 3,
} vrm_gltf_flag;

/// Returns a combination of vrm_gltf_flag.
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

/// Returns the number of elements of a top-level array.
VRM_API uint32_t vrm_gltf_get_count(const vrm_gltf *gltf, vrm_gltf_array array);

// --- JSON by pointer -----------------------------------------------------------------------------------------------

/// Gives the JSON text of the value at a JSON pointer, edits included: "/asset/generator" may give `"UniVRM-0.128.0"`
/// with its quotes. Returns NOT_FOUND if there is no value. Valid until the next edit. Threads can share an unedited
/// document; an edited document belongs to one thread at a time, even for reading.
VRM_API vrm_result vrm_gltf_get_json(const vrm_gltf *gltf, const char *pointer, vrm_string *out_text);
/// Sets the value at a JSON pointer to JSON text; missing members on the way are created. "-" as a part of the pointer,
/// or the array's length, appends to an array. All other values keep their text and order. The cost of an edit depends
/// on the length of the pointer, not on the size of the document. The checked reads below still describe the document
/// as it was loaded: save and load it again to read the new values. Errors: INVALID_ARGUMENT (the text is not JSON, or
/// the pointer leads through a value that is neither object nor array), OUT_OF_MEMORY.
VRM_API vrm_result vrm_gltf_set_json(vrm_gltf *gltf, const char *pointer, const char *json, size_t length);
/// Removes the member or element at a JSON pointer. Returns NOT_FOUND if there is none.
VRM_API vrm_result vrm_gltf_remove_json(vrm_gltf *gltf, const char *pointer);
/// Appends bytes to the document's own buffer (aligned to 4), adds a bufferView for them, and gives its index. The
/// document's own buffer is the BIN chunk of a GLB, which is created if there are no buffers. Otherwise (.gltf, or a
/// GLB whose first buffer is another file) it is a new buffer, which is saved as a data URI. Errors: INVALID_ARGUMENT
/// (no bytes), OUT_OF_MEMORY, LIMIT (4 GiB).
VRM_API vrm_result vrm_gltf_append_buffer_view(vrm_gltf *gltf, const void *bytes, size_t size, uint32_t *out_view);

// --- checked reads -------------------------------------------------------------------------------------------------

/// The format of an accessor.
typedef struct vrm_gltf_accessor {
    uint32_t struct_size;    ///< Set by the caller: sizeof(vrm_gltf_accessor).
    uint32_t count;          ///< Number of elements.
    uint32_t components;     ///< Components of an element, 1 to 16.
    uint32_t component_type; ///< GL's number: 5120 (byte) to 5126 (float).
    bool normalized;         ///< Integers represent fractions: 0 to 1 if unsigned, -1 to 1 if signed.
} vrm_gltf_accessor;

/// Describes an accessor. Returns INVALID_ARGUMENT for an index out of range.
VRM_API vrm_result vrm_gltf_get_accessor(const vrm_gltf *gltf, uint32_t accessor, vrm_gltf_accessor *out_info);
/// Reads `count` elements of an accessor, beginning with element `first`, as floats into `out`, which has room for
/// count * components. Normalised integers are converted, sparse values are applied, and NaN and infinity become 0.
/// Errors: INVALID_ARGUMENT (elements out of range), UNSUPPORTED (compressed vertices), NOT_FOUND (the buffer has no
/// bytes).
VRM_API vrm_result vrm_gltf_read_floats(
    const vrm_gltf *gltf, uint32_t accessor, uint32_t first, uint32_t count, float *out);
/// Reads `count` elements of an accessor, beginning with element `first`, as unsigned integers, for indices and joints.
/// Errors: as vrm_gltf_read_floats(), and INVALID_ARGUMENT for float or signed accessors.
VRM_API vrm_result vrm_gltf_read_uints(
    const vrm_gltf *gltf, uint32_t accessor, uint32_t first, uint32_t count, uint32_t *out);

/// An image, not decoded.
typedef struct vrm_gltf_image {
    uint32_t struct_size;   ///< Set by the caller: sizeof(vrm_gltf_image).
    const void *bytes;      ///< Encoded bytes; NULL if the image is another file that was not found.
    size_t size;            ///< Number of bytes.
    const char *mime_type;  ///< Type by content: "image/png", "image/jpeg", "image/webp", "image/ktx2"; "" if unknown.
    uint32_t width, height; ///< Pixels, from the header; 0 if unknown.
    vrm_string name;
} vrm_gltf_image;

/// Describes an image by its header, without decoding it. Views are valid as long as the document.
VRM_API vrm_result vrm_gltf_get_image(const vrm_gltf *gltf, uint32_t image, vrm_gltf_image *out_info);

// --- writing -------------------------------------------------------------------------------------------------------

/// Writes the document as GLB, or as JSON text if it was loaded from a .gltf file. An unedited document keeps its JSON
/// chunk byte for byte, and the same document always gives the same bytes. Unknown chunks of a GLB are kept. After an
/// edit they follow the BIN chunk, and bytes after the end of the container are dropped. Errors: OUT_OF_MEMORY, LIMIT
/// (a GLB has at most 4 GiB).
VRM_API vrm_result vrm_gltf_save(const vrm_gltf *gltf, vrm_bytes *out_bytes);
/// Writes an unedited document as a GLB that needs no other file: the bytes of all buffers become its BIN chunk
/// (bufferViews move, but keep their order), and images beside the document or in data URIs are appended to it. A
/// buffer or an image without bytes, and an image of an unknown format, keep their references. To continue with the
/// result, load the bytes. Errors: INVALID_ARGUMENT (the document was edited), OUT_OF_MEMORY, LIMIT (a GLB has at most
/// 4 GiB).
VRM_API vrm_result vrm_gltf_pack(const vrm_gltf *gltf, vrm_bytes *out_bytes);
/// Writes bytes to a file (path in UTF-8) atomically: to a temporary file in the same folder, which is flushed and
/// renamed. After any error the old file is intact. Errors: WRITE (path, permission), DISK (full, I/O).
VRM_API vrm_result vrm_write_file(const char *path, const void *bytes, size_t size);
/// Reads a whole file with `allocator` (NULL: malloc). Errors: NOT_FOUND, READ, OUT_OF_MEMORY, LIMIT (larger than
/// `max_size`).
VRM_API vrm_result vrm_read_file(
    const char *path, uint64_t max_size, const vrm_allocator *allocator, vrm_bytes *out_bytes);
/// Maps a whole file into memory, read-only, instead of reading it; vrm_bytes_free() unmaps it. Use it with
/// `borrow_bytes` for large files that no other program changes: if another program shortens the file, this process is
/// killed by SIGBUS; if it writes to the file, the bytes change. Errors: NOT_FOUND, READ, LIMIT (larger than
/// `max_size`).
VRM_API vrm_result vrm_map_file(const char *path, uint64_t max_size, vrm_bytes *out_bytes);

#endif
