// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_FINDINGS_H
#define VRM_FINDINGS_H

/// @file findings.h
/// The catalogue of all findings: X(name, number, severity, sentence, hint, section). Findings that Khronos' glTF
/// validator or mrxz' vrm-validator also have keep their names and meanings. Sorted by layer: bytes, JSON, glTF, VRM.

#define VRM_FINDINGS(X) \
    /* --- bytes and JSON --- */ \
    X(GLB_INVALID_MAGIC, 0, ERROR, "The file is neither GLB nor JSON.", "Export the model again as .glb or .vrm.", \
        "glTF 2.0, 4.4 GLB") \
    X(COOKED_AVATAR, 1, ERROR, \
        "The file is a cooked avatar, written by vrm cook, not a glTF: it has no document and no meshes.", \
        "Use the model from which the avatar was cooked; only vrm bench, vrm ragdoll, vrm trace and " \
        "vrm_avatar_open() read cooked avatars.", \
        "glTF 2.0, 4.4 GLB") \
    X(GLB_INVALID_VERSION, 2, ERROR, "The GLB container has a version other than 2.", "Export the model as glTF 2.0.", \
        "glTF 2.0, 4.4.2") \
    X(GLB_LENGTH_TOO_SMALL, 3, ERROR, "The length that the GLB declares is smaller than its header.", \
        "Export the model again; the file is damaged.", "glTF 2.0, 4.4.2") \
    X(GLB_LENGTH_MISMATCH, 4, ERROR, "The file is shorter than the GLB's declared length: it is cut off.", \
        "Copy or download the file again.", "glTF 2.0, 4.4.2") \
    X(GLB_EXTRA_DATA, 5, WARNING, "Bytes follow the declared end of the GLB; they are kept but not read.", \
        "Export the model again to remove these bytes.", "glTF 2.0, 4.4.2") \
    X(GLB_CHUNK_LENGTH_UNALIGNED, 6, WARNING, \
        "The length of a GLB chunk is not a multiple of 4; the chunk is read with its declared length.", \
        "Export the model again.", "glTF 2.0, 4.4.3") \
    X(GLB_CHUNK_TOO_BIG, 7, ERROR, "A GLB chunk does not fit into the container.", \
        "Export the model again; the file is damaged.", "glTF 2.0, 4.4.3") \
    X(GLB_EMPTY_CHUNK, 8, ERROR, "The JSON chunk of the GLB is empty.", \
        "Export the model again; the file is damaged.", "glTF 2.0, 4.4.3") \
    X(GLB_DUPLICATE_CHUNK, 9, WARNING, "The GLB has two chunks of the same type; the first one is read.", \
        "Keep one chunk of each type.", "glTF 2.0, 4.4.3") \
    X(GLB_UNEXPECTED_END_OF_HEADER, 10, ERROR, "The file ends within the GLB header.", \
        "Copy or download the file again.", "glTF 2.0, 4.4.2") \
    X(GLB_UNEXPECTED_END_OF_CHUNK_HEADER, 11, ERROR, "The GLB ends within the header of a chunk.", \
        "Copy or download the file again.", "glTF 2.0, 4.4.3") \
    X(GLB_UNEXPECTED_FIRST_CHUNK, 12, ERROR, "The first chunk of the GLB is not JSON.", "Export the model again.", \
        "glTF 2.0, 4.4.3") \
    X(GLB_UNEXPECTED_BIN_CHUNK, 13, WARNING, "The BIN chunk is not the second chunk of the GLB; it is read anyway.", \
        "Export the model again.", "glTF 2.0, 4.4.3") \
    X(GLB_UNKNOWN_CHUNK_TYPE, 14, WARNING, "The GLB has a chunk of unknown type; the chunk is kept but not read.", "", \
        "glTF 2.0, 4.4.3") \
    X(LIMIT_EXCEEDED, 15, ERROR, "The file exceeds one of the limits set for loading.", \
        "Raise the limit if you trust the file.", "") \
    X(IO_ERROR, 16, ERROR, "A buffer's file could not be read.", \
        "Put the file beside the document, or pack both into one .glb.", "glTF 2.0, 2.8") \
    X(INVALID_URI, 17, WARNING, "A URI is malformed; its resource counts as missing.", \
        "Write a relative path with percent encoding.", "glTF 2.0, 2.8") \
    X(NON_RELATIVE_URI, 18, WARNING, \
        "A URI has a scheme or is absolute; its resource is never fetched and counts as missing.", \
        "Put the resource beside the document.", "glTF 2.0, 2.8") \
    X(URI_LEAVES_FOLDER, 19, WARNING, \
        "A URI leads out of the document's folder, directly or through a symbolic link; its resource is never read " \
        "and counts as missing.", \
        "Put the resource beside the document.", "glTF 2.0, 2.8") \
    X(INVALID_JSON, 20, ERROR, "The JSON is malformed.", \
        "Correct the JSON; if the file is a model, it is damaged: export it again.", "RFC 8259") \
    X(JSON_BYTE_ORDER_MARK, 21, WARNING, "The JSON starts with a byte order mark; the mark is skipped.", \
        "Write UTF-8 without BOM.", "glTF 2.0, 2.7 JSON Encoding") \
    X(JSON_INVALID_UTF8, 22, WARNING, "A string is not valid UTF-8; its invalid characters are read as U+FFFD.", \
        "Rename the object whose name contains the invalid characters.", "RFC 3629") \
    X(JSON_LONE_SURROGATE, 23, WARNING, \
        "A string has an escape of only half a surrogate pair; the escape is read as U+FFFD.", \
        "Rename the object whose name contains the invalid characters.", "RFC 8259, 8.2") \
    X(DUPLICATE_KEY, 24, WARNING, "An object has the same key twice; the last value is read.", \
        "Remove all but one of the values.", "glTF 2.0, 2.7 JSON Encoding") \
    X(TYPE_MISMATCH, 25, ERROR, "A value has the wrong JSON type for its property.", \
        "Correct the value, or export the model again.", "JSON schema of the object") \
    X(UNDEFINED_PROPERTY, 26, ERROR, "A required property is missing.", \
        "Add the property, or export the model again.", "JSON schema of the object") \
    X(VALUE_NOT_IN_RANGE, 27, ERROR, "A number is outside its range.", "Use a number in the range.", \
        "JSON schema of the object") \
    X(VALUE_NOT_IN_LIST, 28, ERROR, "A word is not one of the values that its property allows.", \
        "Use one of the allowed values.", "JSON schema of the object") \
    X(ARRAY_LENGTH_NOT_IN_LIST, 29, ERROR, \
        "An array does not have the number of elements that its property requires.", "Export the model again.", \
        "JSON schema of the object") \
    X(UNRESOLVED_REFERENCE, 30, ERROR, "An index refers to an element that does not exist.", \
        "Export the model again.", "glTF 2.0, 3.3 Indices and Names") \
    X(ARRAY_TYPE_MISMATCH, 31, ERROR, "An element of an array does not have the required JSON type.", \
        "Export the model again.", "glTF 2.0, JSON schema") \
    X(EMPTY_ENTITY, 32, ERROR, "An array, object or string is empty, which is not allowed.", \
        "Remove the empty value.", "glTF 2.0, JSON schema") \
    X(ONE_OF_MISMATCH, 33, ERROR, "An object must have exactly one of several properties.", \
        "Keep one of the properties.", "glTF 2.0, JSON schema") \
    X(PATTERN_MISMATCH, 34, ERROR, "A string does not have the required form.", "Export the model again.", \
        "glTF 2.0, JSON schema") \
    X(UNEXPECTED_PROPERTY, 35, WARNING, \
        "An object has a property that the specification does not define for it; the property is ignored.", \
        "Remove the property, move it to extras, or correct its name.", "glTF 2.0, 2.7 JSON Encoding") \
    X(UNSATISFIED_DEPENDENCY, 36, ERROR, "A property that another property requires is missing.", \
        "Export the model again.", "glTF 2.0, JSON schema") \
    X(VALUE_MULTIPLE_OF, 37, ERROR, "A number is not a multiple of the required value.", "Export the model again.", \
        "glTF 2.0, JSON schema") \
    /* --- glTF --- */ \
    X(UNKNOWN_ASSET_MAJOR_VERSION, 38, ERROR, "The asset's major glTF version is not 2.", \
        "Export the model as glTF 2.0.", "glTF 2.0, 3.2") \
    X(UNKNOWN_ASSET_MINOR_VERSION, 39, WARNING, \
        "The asset's glTF version is later than 2.0; the asset is read as 2.0.", "", "glTF 2.0, 3.2") \
    X(UNSUPPORTED_EXTENSION, 40, ERROR, "The asset requires an extension that this library does not know.", \
        "Export the model without the extension, or without requiring it.", "glTF 2.0, 3.12") \
    X(UNDECLARED_EXTENSION, 41, WARNING, "An extension is used but not listed in extensionsUsed; it is read anyway.", \
        "Add the extension to extensionsUsed.", "glTF 2.0, 3.12") \
    X(EXTENSION_IGNORED, 42, WARNING, \
        "The asset requires an extension that this library ignores; the avatar is complete without it.", "", \
        "glTF 2.0, 3.12") \
    X(EXTENSION_GEOMETRY_UNREADABLE, 43, WARNING, \
        "Vertices are compressed by an extension that this library does not decode; the avatar works without them.", \
        "Export the model without mesh compression if vertices are needed.", "glTF 2.0, 3.12") \
    X(PRIMITIVE_UNREADABLE, 290, WARNING, "The vertices or indices of a primitive cannot be read.", \
        "Provide a decoder for the compression, or the file that contains the bytes.", "glTF 2.0, 3.7.2 Meshes") \
    X(EXTENSION_IMAGE_UNREADABLE, 44, WARNING, \
        "Images have a format that this library does not decode; the avatar works without them.", \
        "Export the model with PNG or JPEG images if pixels are needed.", "glTF 2.0, 3.12") \
    X(INVALID_INDEX, 45, ERROR, "An index is not a whole number of 0 or more.", "Export the model again.", \
        "glTF 2.0, JSON schema glTFid") \
    X(INVALID_GL_VALUE, 46, ERROR, "A number is not one of the GL constants that are allowed here.", \
        "Export the model again.", "glTF 2.0, JSON schema") \
    X(DUPLICATE_ELEMENTS, 47, WARNING, \
        "An array must not repeat an element, but has the same element twice; the second one is ignored.", \
        "Remove the second element.", "glTF 2.0, JSON schema") \
    X(DATA_URI_GLB, 48, HINT, "A GLB contains a data URI; a buffer view would take less space.", "", "glTF 2.0, 4.4") \
    X(BUFFER_MISSING_GLB_DATA, 49, WARNING, \
        "The file uses the buffer of the BIN chunk, but that chunk is missing; the accessors and images in it cannot " \
        "be read.", \
        "Copy or download the file again.", "glTF 2.0, 4.4.3.3") \
    X(BUFFER_BYTE_LENGTH_MISMATCH, 50, ERROR, "A buffer has fewer bytes than it declares.", \
        "Export the model again; the file is damaged.", "glTF 2.0, 3.6.1") \
    X(BUFFER_GLB_CHUNK_TOO_BIG, 51, WARNING, \
        "The BIN chunk is more than 3 bytes longer than its buffer; the extra bytes are kept but not read.", \
        "Export the model again.", "glTF 2.0, 4.4.3.3") \
    X(BUFFER_VIEW_TOO_LONG, 52, ERROR, "A buffer view does not fit into its buffer.", \
        "Export the model again; the file is damaged.", "glTF 2.0, 3.6.1") \
    X(ACCESSOR_TOO_LONG, 53, ERROR, "An accessor does not fit into its buffer view.", \
        "Export the model again; the file is damaged.", "glTF 2.0, 3.6.2") \
    X(ACCESSOR_TYPE_INVALID, 54, ERROR, "An accessor's type is not one of glTF's accessor types.", \
        "Export the model again.", "glTF 2.0, 3.6.2.2") \
    X(ACCESSOR_NORMALIZED_INVALID, 55, WARNING, \
        "An accessor of floats or 32-bit integers has normalized set, which is not allowed; normalized is ignored.", \
        "Set normalized to false.", "glTF 2.0, 3.6.2") \
    X(ACCESSOR_OFFSET_ALIGNMENT, 56, WARNING, \
        "An accessor's offset is not a multiple of its component size; the accessor is read byte by byte.", \
        "Export the model again.", "glTF 2.0, 3.6.2.4") \
    X(ACCESSOR_TOTAL_OFFSET_ALIGNMENT, 57, WARNING, \
        "The sum of the offsets of accessor and buffer view is not a multiple of the component size; the accessor is " \
        "read byte by byte.", \
        "Export the model again.", "glTF 2.0, 3.6.2.4") \
    X(ACCESSOR_SMALL_BYTESTRIDE, 58, WARNING, \
        "A byte stride is smaller than an element; the overlapping elements are read anyway.", \
        "Export the model again.", "glTF 2.0, 3.6.2.4") \
    X(ACCESSOR_SPARSE_COUNT_OUT_OF_RANGE, 59, ERROR, "A sparse accessor replaces more elements than it has.", \
        "Export the model again; the file is damaged.", "glTF 2.0, 3.6.2.3") \
    X(ACCESSOR_SPARSE_INDEX_OOB, 60, ERROR, "A sparse index is beyond the end of its accessor.", \
        "Export the model again; the file is damaged.", "glTF 2.0, 3.6.2.3") \
    X(ACCESSOR_SPARSE_INDICES_NON_INCREASING, 61, ERROR, "Sparse indices do not strictly increase.", \
        "Sort the indices and remove duplicates.", "glTF 2.0, 3.6.2.3") \
    X(ACCESSOR_INVALID_FLOAT, 62, WARNING, "An accessor contains NaN or infinity; such values are read as 0.", \
        "Clean up the mesh before export.", "glTF 2.0, 3.6.2") \
    X(ACCESSOR_INDEX_OOB, 63, ERROR, "A vertex index is beyond the last vertex of its primitive.", \
        "Export the model again.", "glTF 2.0, 3.7.2.1") \
    X(ACCESSOR_JOINTS_INDEX_OOB, 64, ERROR, "A vertex is bound to a joint that its skin does not have.", \
        "Bind the mesh to its armature again and export.", "glTF 2.0, 3.7.3.3") \
    X(ACCESSOR_JOINTS_USED_ZERO_WEIGHT, 65, INFO, \
        "A vertex names a joint other than 0 with weight 0; this joint has no effect, even if the skin does not have " \
        "it.", \
        "Write joint 0 where the weight is 0.", "glTF 2.0, 3.7.3.3") \
    X(ACCESSOR_INVALID_IBM, 66, WARNING, \
        "The last row of an inverse bind matrix is not 0 0 0 1; it is read as if it were.", "Export the model again.", \
        "glTF 2.0, 3.7.3.1") \
    X(MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT, 67, ERROR, \
        "The attributes of a primitive have different numbers of vertices.", "Export the model again.", \
        "glTF 2.0, 3.7.2.1") \
    X(MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT, 68, ERROR, \
        "The accessor of an attribute has a type that is not allowed for it.", "Export the model again.", \
        "glTF 2.0, 3.7.2.1") \
    X(MESH_PRIMITIVE_INDICES_ACCESSOR_INVALID_FORMAT, 69, ERROR, "Vertex indices are not unsigned scalars.", \
        "Export the model again.", "glTF 2.0, 3.7.2.1") \
    X(MESH_PRIMITIVE_INDICES_ACCESSOR_WITH_BYTESTRIDE, 70, WARNING, \
        "The buffer view of vertex indices has a byte stride; the stride is used.", "Export the model again.", \
        "glTF 2.0, 3.7.2.1") \
    X(MESH_PRIMITIVE_NO_POSITION, 71, WARNING, "A primitive has no positions and is not drawn.", "", \
        "glTF 2.0, 3.7.2.1") \
    X(MESH_PRIMITIVE_JOINTS_WEIGHTS_MISMATCH, 72, ERROR, \
        "A primitive has joints without weights, or weights without joints.", "Export the model again.", \
        "glTF 2.0, 3.7.3.3") \
    X(MESH_PRIMITIVE_MORPH_TARGET_INVALID_ATTRIBUTE_COUNT, 73, ERROR, \
        "The number of vertices in a morph target differs from that in its primitive.", "Export the model again.", \
        "glTF 2.0, 3.7.2.2") \
    X(MESH_PRIMITIVES_UNEQUAL_TARGETS_COUNT, 74, WARNING, \
        "The primitives of a mesh have different numbers of morph targets; missing targets count as zero.", \
        "Export the model again.", "glTF 2.0, 3.7.2.2") \
    X(MESH_INVALID_WEIGHTS_COUNT, 75, WARNING, \
        "The number of a mesh's weights differs from the number of its morph targets; missing weights count as 0.", \
        "", "glTF 2.0, 3.7.2.2") \
    X(NODE_WEIGHTS_INVALID, 76, WARNING, \
        "The number of a node's weights differs from the number of its mesh's morph targets; missing weights count " \
        "as 0.", \
        "", "glTF 2.0, 3.7.2.2") \
    X(NODE_LOOP, 77, ERROR, "A node is its own ancestor.", "Repair the hierarchy and export again.", \
        "glTF 2.0, 3.5.2") \
    X(NODE_PARENT_OVERRIDE, 78, ERROR, "A node has two parents.", "Repair the hierarchy and export again.", \
        "glTF 2.0, 3.5.2") \
    X(NODE_MATRIX_NON_TRS, 79, WARNING, \
        "A node's matrix is not a product of translation, rotation and scale; the nearest such product is used.", \
        "Apply the transform before export.", "glTF 2.0, 3.5.3") \
    X(NODE_MATRIX_TRS, 80, WARNING, \
        "A node has a matrix as well as translation, rotation or scale; the matrix is used.", \
        "Keep only the matrix, or only the other properties.", "glTF 2.0, 3.5.3") \
    X(ROTATION_NON_UNIT, 81, WARNING, \
        "A rotation is not of unit length; it is normalised, or read as no rotation if its length is 0.", \
        "Export the model again.", "glTF 2.0, 3.5.3") \
    X(NODE_SKIN_WITH_NON_SKINNED_MESH, 82, WARNING, "A node has a skin, but its mesh has no joints.", \
        "Remove the skin from the node.", "glTF 2.0, 3.7.3.3") \
    X(NODE_SKINNED_MESH_WITHOUT_SKIN, 83, WARNING, "A node's mesh has joints, but the node has no skin.", "", \
        "glTF 2.0, 3.7.3.3") \
    X(SCENE_NON_ROOT_NODE, 84, WARNING, "A scene lists a node that has a parent; the node stays with its parent.", \
        "Remove the node from the scene's list.", "glTF 2.0, 3.5.1") \
    X(INVALID_IBM_ACCESSOR_COUNT, 85, ERROR, "A skin has fewer inverse bind matrices than joints.", \
        "Export the model again.", "glTF 2.0, 3.7.3.1") \
    X(SKIN_IBM_INVALID_FORMAT, 86, ERROR, "Inverse bind matrices are not 4x4 floats.", "Export the model again.", \
        "glTF 2.0, 3.7.3.1") \
    X(ANIMATION_SAMPLER_INPUT_ACCESSOR_INVALID_FORMAT, 87, ERROR, "The times of an animation are not float scalars.", \
        "Export the animation again.", "glTF 2.0, 3.11") \
    X(ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT, 88, ERROR, \
        "The values of an animation have the wrong type for the property that they animate.", \
        "Export the animation again.", "glTF 2.0, 3.11") \
    X(ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT, 89, ERROR, \
        "The number of an animation's values does not match the number of its times.", "Export the animation again.", \
        "glTF 2.0, 3.11") \
    X(ACCESSOR_ANIMATION_INPUT_NEGATIVE, 90, WARNING, "An animation has a time before 0.", \
        "Export the animation again.", "glTF 2.0, 3.11") \
    X(ACCESSOR_ANIMATION_INPUT_NON_INCREASING, 91, WARNING, "The times of an animation do not strictly increase.", \
        "Export the animation again.", "glTF 2.0, 3.11") \
    X(IMAGE_MISSING, 92, WARNING, "An image's file could not be read.", \
        "Put the file beside the document, or pack both into one .glb.", "glTF 2.0, 3.8.2") \
    X(IMAGE_DATA_INVALID, 93, WARNING, \
        "An image's data is damaged, cut off, or in a format that this build does not decode.", \
        "Export the image again.", "glTF 2.0, 3.8.2") \
    X(IMAGE_UNRECOGNIZED_FORMAT, 94, WARNING, "An image's format is unknown.", "Use PNG or JPEG.", "glTF 2.0, 3.8.2") \
    X(IMAGE_MIME_TYPE_INVALID, 95, WARNING, \
        "An image's format differs from its mimeType; the image is read by its content.", "Correct mimeType.", \
        "glTF 2.0, 3.8.2") \
    X(ASSET_MIN_VERSION_GREATER_THAN_VERSION, 96, ERROR, "minVersion is later than version.", \
        "Correct asset.minVersion.", "glTF 2.0, 3.2") \
    X(UNEXPECTED_EXTENSION_OBJECT, 97, ERROR, "An extension is used in an object where it has no meaning.", \
        "Remove the extension.", "glTF 2.0, 3.12") \
    X(UNUSED_EXTENSION_REQUIRED, 98, ERROR, "extensionsRequired contains an extension that extensionsUsed does not.", \
        "Add the extension to extensionsUsed.", "glTF 2.0, 3.12") \
    X(NON_REQUIRED_EXTENSION, 99, ERROR, \
        "An extension is used that must be listed in extensionsRequired, but is not.", \
        "Add the extension to extensionsRequired.", "glTF 2.0, 3.12") \
    X(INCOMPLETE_EXTENSION_SUPPORT, 100, INFO, "An extension is not checked: it may contain further errors.", "", \
        "glTF 2.0, 3.12") \
    X(BUFFER_DATA_URI_MIME_TYPE_INVALID, 101, ERROR, \
        "The media type of a buffer's data URI is not one that glTF allows.", "Write application/octet-stream.", \
        "glTF 2.0, 3.6.1.1") \
    X(BUFFER_VIEW_TOO_BIG_BYTE_STRIDE, 102, ERROR, "A byte stride is larger than its buffer view.", \
        "Export the model again.", "glTF 2.0, 3.6.1") \
    X(BUFFER_VIEW_INVALID_BYTE_STRIDE, 103, ERROR, "A buffer view has a byte stride, but is not for vertices.", \
        "Remove byteStride.", "glTF 2.0, 3.6.1") \
    X(BUFFER_VIEW_TARGET_OVERRIDE, 104, ERROR, \
        "A buffer view is used for two purposes that exclude each other, or for a purpose other than its target.", \
        "Export the model again.", "glTF 2.0, 3.6.1") \
    X(IMAGE_BUFFER_VIEW_WITH_BYTESTRIDE, 105, ERROR, "The buffer view of an image has a byte stride.", \
        "Remove byteStride.", "glTF 2.0, 3.6.1") \
    X(ACCESSOR_MATRIX_ALIGNMENT, 106, ERROR, "Matrices do not start at a multiple of 4 bytes.", \
        "Export the model again.", "glTF 2.0, 3.6.2.4") \
    X(ACCESSOR_USAGE_OVERRIDE, 107, ERROR, "An accessor is used for two purposes that exclude each other.", \
        "Export the model again.", "glTF 2.0, 3.6.2") \
    X(ACCESSOR_MIN_MISMATCH, 108, ERROR, "An accessor's min is not its smallest value.", "Export the model again.", \
        "glTF 2.0, 3.6.2.5") \
    X(ACCESSOR_MAX_MISMATCH, 109, ERROR, "An accessor's max is not its largest value.", "Export the model again.", \
        "glTF 2.0, 3.6.2.5") \
    X(ACCESSOR_ELEMENT_OUT_OF_MIN_BOUND, 110, ERROR, "An accessor has values below its min.", \
        "Export the model again.", "glTF 2.0, 3.6.2.5") \
    X(ACCESSOR_ELEMENT_OUT_OF_MAX_BOUND, 111, ERROR, "An accessor has values above its max.", \
        "Export the model again.", "glTF 2.0, 3.6.2.5") \
    X(ACCESSOR_VECTOR3_NON_UNIT, 112, ERROR, "A normal or tangent is not of unit length.", \
        "Recalculate the normals and export again.", "glTF 2.0, 3.7.2.1") \
    X(ACCESSOR_INVALID_SIGN, 113, ERROR, "The fourth number of a tangent is neither 1 nor -1.", \
        "Export the model again.", "glTF 2.0, 3.7.2.1") \
    X(ACCESSOR_NON_CLAMPED, 114, ERROR, "A vertex colour is not between 0 and 1.", "Export the model again.", \
        "glTF 2.0, 3.7.2.1") \
    X(ACCESSOR_WEIGHTS_NEGATIVE, 115, ERROR, "A vertex has a negative weight.", \
        "Normalise the weights and export again.", "glTF 2.0, 3.7.3.3") \
    X(ACCESSOR_WEIGHTS_NON_NORMALIZED, 116, ERROR, "The weights of a vertex do not add up to 1.", \
        "Normalise the weights and export again.", "glTF 2.0, 3.7.3.3") \
    X(ACCESSOR_JOINTS_INDEX_DUPLICATE, 117, ERROR, "A vertex is bound twice to the same joint.", \
        "Bind the mesh to its armature again and export.", "glTF 2.0, 3.7.3.3") \
    X(ACCESSOR_INDEX_PRIMITIVE_RESTART, 118, ERROR, \
        "A vertex index is the largest number of its type, which graphics hardware reads as the end of a strip.", \
        "Export the model again.", "glTF 2.0, 3.7.2.1") \
    X(ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION, 119, ERROR, \
        "A rotation of an animation is not of unit length.", "Export the animation again.", "glTF 2.0, 3.11") \
    X(MESH_PRIMITIVE_INVALID_ATTRIBUTE, 120, ERROR, \
        "An attribute's name is not defined by glTF and does not begin with an underscore.", \
        "Put an underscore before the name.", "glTF 2.0, 3.7.2.1") \
    X(MESH_PRIMITIVE_INDEXED_SEMANTIC_CONTINUITY, 121, ERROR, \
        "The sets of an attribute are not numbered from 0 without a gap.", "Export the model again.", \
        "glTF 2.0, 3.7.2.1") \
    X(MESH_PRIMITIVE_TANGENT_WITHOUT_NORMAL, 122, WARNING, "A primitive has tangents but no normals.", \
        "Export the model again.", "glTF 2.0, 3.7.2.1") \
    X(MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS, 123, ERROR, "Positions have no min and max.", \
        "Export the model again.", "glTF 2.0, 3.7.2.1") \
    X(MESH_PRIMITIVE_ACCESSOR_UNALIGNED, 124, ERROR, \
        "The offset or the spacing of vertex data is not a multiple of 4 bytes.", "Export the model again.", \
        "glTF 2.0, 3.6.2.4") \
    X(MESH_PRIMITIVE_ACCESSOR_WITHOUT_BYTESTRIDE, 125, ERROR, \
        "Two attributes share a buffer view that has no byte stride.", "Export the model again.", "glTF 2.0, 3.6.1") \
    X(MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_UNSIGNED_INT, 126, ERROR, \
        "A vertex attribute consists of 32-bit integers, which is not allowed.", "Export the model again.", \
        "glTF 2.0, 3.7.2.1") \
    X(MESH_PRIMITIVE_MORPH_TARGET_NO_BASE_ACCESSOR, 127, ERROR, \
        "A morph target moves an attribute that its primitive does not have.", "Export the model again.", \
        "glTF 2.0, 3.7.2.2") \
    X(MESH_PRIMITIVE_TOO_FEW_TEXCOORDS, 128, ERROR, \
        "A texture uses texture coordinates that the primitive does not have.", \
        "Give the mesh that UV map, or let the texture use another UV map.", "glTF 2.0, 3.9.2") \
    X(NODE_SKIN_NO_SCENE, 129, ERROR, "A skinned mesh is in a scene that does not contain its joints.", \
        "Put the armature into the same scene.", "glTF 2.0, 3.7.3.2") \
    X(NODE_SKINNED_MESH_NON_ROOT, 292, WARNING, \
        "A node with a skinned mesh has a parent, whose transform does not move the mesh.", \
        "Move the node to the root of the scene.", "glTF 2.0, 3.7.3.3") \
    X(NODE_SKINNED_MESH_LOCAL_TRANSFORMS, 293, WARNING, \
        "A node with a skinned mesh has a transform, which does not move the mesh.", "Remove the transform.", \
        "glTF 2.0, 3.7.3.3") \
    X(VRM1_SPRING_LIMIT_LAST, 298, WARNING, \
        "A spring's last joint, which is only an end point, has a limit; the limit is ignored. (UniVRM uses it.)", \
        "Remove the limit.", "VRMC_springBone_limit-1.0-draft limit") \
    X(MULTIPLE_EXTENSIONS, 295, WARNING, \
        "A material has one extension that replaces it and another that modifies it.", \
        "Remove one of the extensions.", "KHR_materials_unlit; KHR_materials_pbrSpecularGlossiness") \
    X(MESH_PRIMITIVE_GENERATED_TANGENT_SPACE, 296, WARNING, \
        "A primitive with a normal map has no tangents; readers compute tangents in different ways.", \
        "Export tangents. (Avatars should have no tangents and do not get this finding.)", "glTF 2.0, 3.7.2.1") \
    X(IMAGE_FEATURES_UNSUPPORTED, 297, WARNING, \
        "An image uses a feature that readers need not support: a colour profile, pixels that are not square, or " \
        "animation.", \
        "Save the image as plain sRGB.", "glTF 2.0, 3.8.3") \
    X(MATERIAL_ALPHA_CUTOFF_INVALID_MODE, 294, WARNING, \
        "A material has alphaCutoff, which applies only to alphaMode MASK; alphaCutoff is ignored.", \
        "Remove alphaCutoff.", "glTF 2.0, 3.9.4") \
    X(SKIN_NO_COMMON_ROOT, 130, ERROR, "The joints of a skin have no common root.", \
        "Put the joints into one hierarchy.", "glTF 2.0, 3.7.3.2") \
    X(SKIN_SKELETON_INVALID, 131, ERROR, "A skin's skeleton node is not above all of its joints.", "Remove skeleton.", \
        "glTF 2.0, 3.7.3.2") \
    X(SKIN_IBM_ACCESSOR_WITH_BYTESTRIDE, 132, ERROR, "The buffer view of inverse bind matrices has a byte stride.", \
        "Remove byteStride.", "glTF 2.0, 3.6.1") \
    X(ANIMATION_CHANNEL_TARGET_NODE_MATRIX, 133, ERROR, "An animation moves a node that has a matrix.", \
        "Give the node translation, rotation and scale.", "glTF 2.0, 3.11") \
    X(ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS, 134, ERROR, \
        "An animation sets morph weights of a node without morph targets.", "Remove the channel.", "glTF 2.0, 3.11") \
    X(ANIMATION_DUPLICATE_TARGETS, 135, ERROR, "Two channels of an animation have the same target.", \
        "Remove one of the channels.", "glTF 2.0, 3.11") \
    X(ANIMATION_SAMPLER_ACCESSOR_WITH_BYTESTRIDE, 136, ERROR, "The buffer view of an animation has a byte stride.", \
        "Remove byteStride.", "glTF 2.0, 3.6.1") \
    X(ANIMATION_SAMPLER_INPUT_ACCESSOR_TOO_FEW_ELEMENTS, 137, ERROR, "A cubic spline has fewer than two keys.", \
        "Export the animation again.", "glTF 2.0, 3.11") \
    X(ANIMATION_SAMPLER_INPUT_ACCESSOR_WITHOUT_BOUNDS, 138, ERROR, "The times of an animation have no min and max.", \
        "Export the animation again.", "glTF 2.0, 3.11") \
    X(CAMERA_ZFAR_LEQUAL_ZNEAR, 139, ERROR, "A camera's zfar is not greater than its znear.", \
        "Correct zfar or znear.", "glTF 2.0, 3.10") \
    X(CAMERA_XMAG_YMAG_ZERO, 140, ERROR, "A camera's xmag or ymag is 0.", "Correct xmag or ymag.", \
        "glTF 2.0, 3.10.3.4") \
    X(TEXTURE_INVALID_IMAGE_MIME_TYPE, 141, ERROR, "A texture's image has a format that requires an extension.", \
        "Use PNG or JPEG.", "glTF 2.0, 3.8") \
    X(KHR_LIGHTS_PUNCTUAL_LIGHT_SPOT_ANGLES, 142, ERROR, \
        "A spot light's outer cone is not wider than its inner cone.", "Correct the angles.", \
        "KHR_lights_punctual, spot") \
    X(UNUSED_OBJECT, 143, INFO, "This object is not used in the file.", "Remove the object to make the file smaller.", \
        "glTF 2.0, 3.3 Indices and Names") \
    /* --- recording and traces --- */ \
    X(ANIMATION_NOT_BAKED, 144, INFO, \
        "This value changes, but core glTF cannot animate it, so the file keeps the rest value.", \
        "Bake with KHR_animation_pointer, for viewers that read it.", "glTF 2.0, 3.11") \
    X(TRACE_UNKNOWN_KEY, 145, ERROR, "The trace script has an unknown key.", \
        "Compare the spelling with docs/trace.md.", "docs/trace.md") \
    X(TRACE_UNKNOWN_NAME, 146, ERROR, "The trace script names something that the avatar does not have.", \
        "List the avatar's names with vrm inspect.", "docs/trace.md") \
    /* --- motion --- */ \
    X(MOTION_NO_ANIMATION, 147, ERROR, "The file does not have the requested animation.", \
        "Export the file with its animation.", "") \
    X(MOTION_NOTHING_HUMANOID, 148, ERROR, "The animation does not move any humanoid bone, expression or gaze.", \
        "Assign the bones at export, or give a bone map.", "VRMC_vrm_animation-1.0 humanoid") \
    X(MOTION_CHANNEL_IGNORED, 149, WARNING, \
        "An animation moves something that a clip cannot store: bones have only rotations, and only the hips have a " \
        "translation.", \
        "Remove the channel.", "VRMC_vrm_animation-1.0 humanoid") \
    X(MOTION_KEYS_MISSING, 150, ERROR, "Keys cannot be read: their buffer is missing, or it has an unknown encoding.", \
        "Put the buffer's file beside this one, or export the animation again.", "glTF 2.0, 3.6") \
    X(MOTION_KEYS_DROPPED, 151, WARNING, "Keys are left out because their times do not increase.", \
        "Export the animation again.", "glTF 2.0, 3.11") \
    X(MOTION_HIPS_HEIGHT, 152, WARNING, \
        "The hips are not above the ground in the rest pose, so their height cannot be scaled to the avatar's.", \
        "Use a T-pose that stands on the ground as the rest pose.", "VRMC_vrm_animation-1.0 humanoid") \
    X(MOTION_BONES_BY_NAME, 153, INFO, \
        "The file does not assign bones to nodes; bones were found by the names and the order of joints.", \
        "Check the result, or give a bone map.", "") \
    X(MOTION_BONES_BY_SHAPE, 154, WARNING, \
        "The names of the joints are not those of a humanoid; bones were found by the structure of the skeleton.", \
        "Check the result, or give a bone map.", "") \
    X(MOTION_JOINT_UNMAPPED, 155, INFO, \
        "Some joints could not be matched to humanoid bones by name; their rotations are passed on to their " \
        "children.", \
        "Give a bone map if one of the joints is a bone.", "") \
    X(MOTION_MAP_STRAY, 156, WARNING, "A line of the bone map names a joint that the motion does not have.", \
        "Use the name that the joint has in the file.", "") \
    X(MOTION_BONE_MISSING, 157, WARNING, \
        "No joint was found for some bones that every humanoid has; these bones keep their rest pose.", \
        "Give a bone map.", "") \
    X(MOTION_UNIT_GUESSED, 158, INFO, "The unit of length was guessed from the length of the legs.", \
        "Give the unit if the guess is wrong.", "") \
    X(MOTION_REST_GUESSED, 159, INFO, \
        "The rest pose is not a T-pose; rotations of arms and legs are measured from a T-pose instead.", "", "") \
    X(VRMA_EYE_BONE, 160, WARNING, \
        "A VRM animation turns the eyes as bones instead of by lookAt; the bones are ignored.", "Use lookAt.", \
        "VRMC_vrm_animation-1.0 humanoid") \
    X(VRMA_REQUIRED_BONE_MISSING, 161, WARNING, "A VRM animation lacks a required bone; the bone stays at rest.", \
        "Export the motion with a whole skeleton.", "VRMC_vrm_animation-1.0 humanoid") \
    X(VRMA_NODE_SCALED, 162, WARNING, \
        "A node in the skeleton of a VRM animation is scaled, which is strongly discouraged.", \
        "Apply the scale before export.", "VRMC_vrm_animation-1.0 humanoid") \
    X(VRMA_WITH_AVATAR, 163, WARNING, "A file contains both an avatar and a VRM animation; it is read as an avatar.", \
        "Export the motion to a file of its own.", "VRMC_vrm_animation-1.0 README") \
    X(VRMA_LOOK_AT_WITHOUT_NODE, 164, WARNING, \
        "The lookAt of a VRM animation names no node, so it does not control the gaze.", \
        "Name the node, or leave lookAt out.", "VRMC_vrm_animation-1.0 lookAt") \
    X(VRMA_LOOK_EXPRESSION, 165, WARNING, \
        "A VRM animation controls the gaze by look expressions instead of lookAt; the expressions are ignored.", \
        "Use lookAt.", "VRMC_vrm_animation-1.0 expressions") \
    X(BVH_SYNTAX, 166, ERROR, "The BVH text is malformed.", "Export the motion again.", "") \
    /* --- migration: a warning is for content that VRM 1.0 cannot express --- */ \
    X(MIGRATE_LOOK_AT_CURVE, 167, WARNING, \
        "VRM 1.0 has no curves for look-at; the curve is replaced by the nearest straight line with a limit.", \
        "Check how the eyes move.", "VRMC_vrm-1.0 lookAt") \
    X(MIGRATE_BINARY_THRESHOLD, 168, WARNING, \
        "A binary expression is 1 at any weight above 0 in the draft, but only above 0.5 in VRM 1.0.", \
        "Set the weight of the expression to 0 or 1 only.", "VRMC_vrm-1.0 expressions") \
    X(MIGRATE_CONSTRAINT, 169, WARNING, \
        "VRM 1.0 cannot express this constraint; the nearest possible constraint replaces it.", \
        "Check how the node moves.", "VRMC_node_constraint-1.0") \
    X(MIGRATE_CONSTRAINT_DROPPED, 170, WARNING, "VRM 1.0 has no constraint of this type; the constraint is left out.", \
        "Make the node a child of its source.", "VRMC_node_constraint-1.0") \
    X(MIGRATE_MATERIAL, 171, WARNING, "MToon 1.0 does not have this property; its effect is lost.", \
        "Check the look of the material.", "VRMC_materials_mtoon-1.0") \
    X(MIGRATE_MUSCLE_LIMITS, 172, WARNING, "VRM 1.0 has no muscle limits; they are left out.", "", \
        "VRMC_vrm-1.0 humanoid") \
    X(MIGRATE_LICENSE_NOT_GRANTED, 173, INFO, \
        "A named licence other than CC0 grants no permission in the terms of VRM 1.0; its name is kept as text.", \
        "Ask the author to choose terms of VRM 1.0.", "VRMC_vrm-1.0 meta") \
    X(MIGRATE_META_UNKNOWN, 174, INFO, "VRM 1.0 requires a name and an author; \"unknown\" is written.", \
        "Set the name and the author.", "VRMC_vrm-1.0 meta") \
    X(MIGRATE_THUMBNAIL_MISSING, 175, INFO, "The file has no thumbnail, and the output has none either.", \
        "Render a thumbnail with vrm thumbnail.", "VRMC_vrm-1.0 meta") \
    X(MIGRATE_MESH_SHARED, 176, INFO, \
        "Several nodes use one mesh. VRM 1.0 refers to nodes instead of meshes, so each node gets the annotation and " \
        "the binds.", \
        "", "VRMC_vrm-1.0 expressions") \
    X(MIGRATE_EXPRESSION_RENAMED, 177, INFO, \
        "VRM 1.0 identifies expressions by name; an expression without a unique name gets a number.", \
        "Rename the expression.", "VRMC_vrm-1.0 expressions") \
    X(MIGRATE_TANGENTS_REMOVED, 178, INFO, "Tangents are left out; readers compute them.", "", "VRMC_vrm-1.0") \
    X(MIGRATE_ROOT_TURNED, 179, INFO, \
        "The data cannot be rotated to face +Z; a node above the roots is rotated instead.", "", "VRMC_vrm-1.0") \
    X(MIGRATE_EXTENSION_KEPT, 180, INFO, \
        "An unknown extension is kept unchanged; positions and directions in it still face -Z.", \
        "Check the extension.", "VRMC_vrm-1.0") \
    /* --- ragdoll --- */ \
    X(RAGDOLL_BODY_GUESSED, 181, INFO, \
        "A body has too few vertices that follow its bones; its size was guessed from the height and the lengths of " \
        "bones.", \
        "Change the size in the ragdoll's JSON if it is wrong.", "docs/ragdoll.md") \
    X(RAGDOLL_NOT_OF_SIZE, 182, ERROR, "No ragdoll can be computed for an avatar of this size.", \
        "Scale the model to a plausible height in metres.", "docs/ragdoll.md") \
    X(RAGDOLL_VERTICES_LEFT_OUT, 183, INFO, \
        "The avatar has too many vertices to examine all of them; the bodies fit the examined vertices.", "", \
        "docs/ragdoll.md") \
    X(RAGDOLL_UNKNOWN_KEY, 184, WARNING, "The ragdoll's JSON has an unknown key; the key is ignored.", \
        "Compare the spelling with docs/ragdoll.md.", "docs/ragdoll.md") \
    X(RAGDOLL_UNKNOWN_BODY, 185, ERROR, \
        "The ragdoll's JSON names a bone that does not exist, that the avatar does not have, that has no body, or " \
        "that occurs twice.", \
        "List the bodies with vrm ragdoll.", "docs/ragdoll.md") \
    X(RAGDOLL_INVALID, 186, ERROR, "The ragdoll definition cannot be simulated.", "Correct the number at this path.", \
        "docs/ragdoll.md") \
    /* --- VRM --- */ \
    X(VRM0_VRM_EXTENSION, 187, INFO, "The file is VRM 0.x; it is read as 1.0, with its roots turned by 180 degrees.", \
        "Export the model as VRM 1.0, or run vrm migrate.", "VRM 0.0 README") \
    X(VRM1_DRAFT, 188, INFO, "The file is a draft of VRM 1.0; it is read as 1.0.", \
        "Export the model as VRM 1.0, or run vrm migrate.", "VRMC_vrm-1.0_draft README") \
    X(VRM_TWO_DIALECTS, 189, INFO, "The file contains both VRM 0.x and 1.0; one of them is read.", "", \
        "VRMC_vrm-1.0 README") \
    X(OLD_WORD_UNKNOWN, 190, WARNING, \
        "A word is not defined by this older version of VRM; the property counts as missing.", \
        "Use one of the defined words.", "JSON schema of the older version") \
    X(VRM0_BONE_DUPLICATE, 191, WARNING, "The humanoid lists a bone twice; the first entry is used.", \
        "Remove one of the entries.", "VRM 0.0 humanoid") \
    X(VRM0_REQUIRED_BONE_MISSING, 192, INFO, "The humanoid lacks a bone that VRM 0.x requires and VRM 1.0 does not.", \
        "Assign the bone at export.", "VRM 0.0 humanoid") \
    X(VRM0_NODE_TURNED, 193, WARNING, \
        "A node is rotated or scaled, which VRM 0.x and the draft of 1.0 do not allow; the transform is used.", \
        "Remove rotation and scale from the nodes with vrm bake.", "VRM 0.0 humanoid") \
    X(VRM0_BIND_NO_TARGET, 194, INFO, \
        "A blend shape group binds a target that does not exist or that no node uses; the bind has no effect.", \
        "Remove the bind.", "VRM 0.0 blendShapeMaster") \
    X(VRM0_LOOK_AT_CURVE, 195, WARNING, "A look-at curve cannot be read; a straight line replaces it.", \
        "Export the model again.", "VRM 0.0 firstPerson") \
    X(VRM0_MATERIAL_COUNT, 196, WARNING, \
        "The number of materialProperties differs from the number of materials; they are matched by their order.", \
        "Export the model again.", "VRM 0.0 materialProperties") \
    X(VRM0_UNKNOWN_SHADER, 197, INFO, "A material's shader is unknown; the glTF material is used.", "", \
        "VRM 0.0 materialProperties") \
    X(VRM1_EXPRESSION_DUPLICATE, 198, WARNING, \
        "Two expressions have the same preset or the same name; the first one is used.", \
        "Remove or rename one of the expressions.", "VRMC_vrm-1.0_draft expressions") \
    X(VRM1_LOOK_AT_UNIT, 199, WARNING, \
        "The specification and the JSON schema of this version disagree about the unit of outputScale; the more " \
        "plausible unit is used.", \
        "Export the model again, or choose the unit.", "VRMC_vrm-1.0_draft lookAt") \
    X(VRM1_LOOK_AT_INNER_IGNORED, 200, INFO, \
        "A gaze by expressions uses the outer map for both sides; the inner map is different and is ignored.", \
        "Make both maps the same.", "VRMC_vrm-1.0_draft lookAt") \
    X(VRM1_MISSPELT_EXTENSION, 201, WARNING, \
        "An extension's name is misspelt as in an example of the draft; it is read as the correct name.", \
        "Export the model again.", "VRMC_vrm-1.0_draft README") \
    X(VRM1_DRAFT_EXTENSION, 202, WARNING, \
        "An extension of a draft is used in a file of another version; other readers do not know it, and only its " \
        "constraints are read.", \
        "Export the model again.", "VRMC_vrm-1.0_draft README") \
    X(VRM1_DRAFT_VERSION, 203, WARNING, \
        "The extension has the structure of the draft, but a later specVersion; it is read as the draft.", \
        "Export the model again.", "VRMC_vrm-1.0_draft README") \
    X(VRM1_DRAFT_CONSTRAINTS, 204, WARNING, \
        "A node has both a rotation constraint and an aim constraint of the draft; the rotation constraint is used.", \
        "Remove one of the constraints.", "VRMC_constraints-1.0_draft README") \
    X(VRM1_DRAFT_INVERSE_BIND, 205, WARNING, \
        "An inverse bind matrix has rotation or scale, but the draft allows only translation; the matrix is used " \
        "unchanged.", \
        "Remove rotation and scale from the nodes with vrm bake.", "VRMC_vrm-1.0_draft T-Pose") \
    X(VRM1_DRAFT_TEXTURE_TRANSFORM, 206, WARNING, \
        "A texture other than baseColorTexture has a texture transform; it is ignored, because in the draft the " \
        "transform of baseColorTexture applies to all textures.", \
        "Remove the transform.", "VRMC_vrm-1.0_draft KHR_texture_transform") \
    X(VRM1_DRAFT_META_VERSION, 207, INFO, \
        "meta has no version; the draft requires it, but the JSON schema of the draft does not.", \
        "Set the version at export.", "VRMC_vrm-1.0_draft meta") \
    X(VRM1_DRAFT_PRESET_NAME, 208, INFO, \
        "A preset expression also has a name, which the draft allows only for custom expressions; the name is " \
        "ignored.", \
        "Remove the name.", "VRMC_vrm-1.0_draft expressions") \
    X(VRM1_DRAFT_AIM_UP, 209, INFO, \
        "The up vector of an aim constraint is parallel to its aim vector; another up vector is used.", \
        "Make upVector perpendicular to aimVector.", "VRMC_constraints-1.0_draft aim") \
    X(VRM1_NODE_COLLIDER_MISSING, 210, WARNING, \
        "A spring names a node for its collisions, but the node has no colliders.", \
        "Remove the node from the spring, or add a collider to it.", "VRMC_springBone-1.0_draft spring") \
    X(VRM1_NO_VRM_EXTENSION, 211, ERROR, "The file has no VRM extension.", "Export the model as VRM.", \
        "VRMC_vrm-1.0 README") \
    X(VRM1_PLAIN_GLTF, 212, WARNING, \
        "The file has no VRM extension; only springs and constraints on its nodes are read, if there are any.", \
        "Export the model as VRM.", "VRMC_vrm-1.0 README") \
    X(VRM1_NOT_USED, 213, INFO, \
        "VRM does not use animations and cameras in the avatar's file: other files move avatars, and applications " \
        "have their own cameras.", \
        "Leave out animations and cameras, unless you need them for other purposes.", "VRMC_vrm-1.0 README, glTF") \
    X(VRM1_SPEC_VERSION, 214, WARNING, "specVersion is missing or unknown; the extension is read as 1.0.", \
        "Write the version of the specification.", "specVersion of the extension") \
    X(VRM1_REST_POSE_OVERFLOW, 215, ERROR, "The rest pose of a node has values too large to compute with.", \
        "Apply the scales of the node's ancestors.", "glTF 2.0, 3.5.3") \
    X(VRM1_META_MISSING, 216, WARNING, \
        "A required member of meta is missing; it counts as empty, and every permission that is not stated is " \
        "denied.", \
        "Set the member at export.", "VRMC_vrm-1.0 meta") \
    X(VRM1_LICENSE_URL, 217, WARNING, \
        "licenseUrl is not the licence URL of VRM 1.0; the permissions are read anyway.", \
        "Write https://vrm.dev/licenses/1.0/ and use otherLicenseUrl for other licences.", "VRMC_vrm-1.0 meta") \
    X(VRM1_INVALID_THUMBNAIL_IMAGE_MIME_TYPE, 218, ERROR, "The thumbnail is neither PNG nor JPEG.", \
        "Use PNG or JPEG.", "VRMC_vrm-1.0 meta") \
    X(VRM1_NON_RECOMMENDED_THUMBNAIL_RESOLUTION, 219, WARNING, "The thumbnail is not square.", \
        "Make the thumbnail square, 1024 by 1024 pixels.", "VRMC_vrm-1.0 meta") \
    X(VRM1_UNKNOWN_BONE, 220, WARNING, "The humanoid names a bone that VRM 1.0 does not have; the bone is ignored.", \
        "Remove the bone or correct its name.", "VRMC_vrm-1.0 humanoid") \
    X(VRM1_OLD_THUMB_NAMES, 221, WARNING, \
        "The bones of the thumb have the names used before 2022; Proximal, Intermediate, Distal are read as " \
        "Metacarpal, Proximal, Distal.", \
        "Export the model again.", "VRMC_vrm-1.0 humanoid") \
    X(VRM1_REQUIRED_BONE_MISSING, 222, ERROR, "The humanoid lacks a required bone.", "Assign the bone at export.", \
        "VRMC_vrm-1.0 humanoid") \
    X(VRM1_BONE_NOT_UNIQUE, 223, ERROR, \
        "Two bones use the same node; the first bone keeps the node. (In three-vrm both bones rotate it.)", \
        "Assign each bone to a node of its own.", "VRMC_vrm-1.0 humanoid") \
    X(VRM1_BONE_HIERARCHY, 224, ERROR, \
        "A bone's node is not a descendant of its parent bone's node; the nearest bone above it is used as its " \
        "parent. (three-vrm takes that parent bone's rest rotation all the same.)", \
        "Repair the hierarchy or the assignment of bones.", "VRMC_vrm-1.0 humanoid") \
    X(VRM1_BONE_PARENT_MISSING, 225, WARNING, \
        "A bone requires its parent bone, which is missing; the next bone above is used as its parent.", \
        "Assign the parent bone too.", "VRMC_vrm-1.0 humanoid") \
    X(VRM1_BONE_SCALE_ZERO, 226, ERROR, "A bone's scale is 0; the scale is kept.", "Apply the scale before export.", \
        "VRMC_vrm-1.0 humanoid") \
    X(VRM1_BONE_SCALE_NEGATIVE, 227, WARNING, \
        "A bone's scale is negative; the scale is kept, and rotations are read as if nothing were mirrored.", \
        "Apply the scale before export.", "VRMC_vrm-1.0 humanoid") \
    X(VRM1_BONE_SCALE_NOT_UNIFORM, 228, INFO, \
        "A bone's scale differs between the axes: children are sheared when they rotate.", \
        "Apply the scale before export.", "VRMC_vrm-1.0 tpose") \
    X(VRM1_TPOSE_FACING, 229, HINT, "The rest pose does not face the required direction.", \
        "Turn the model and apply the rotation before export.", "VRMC_vrm-1.0 tpose") \
    X(VRM1_TPOSE_ARM, 230, HINT, "An arm of the rest pose is not horizontal: the rest pose may not be a T-pose.", \
        "Put the model into a T-pose and apply that as its rest pose, or run vrm bake --t-pose.", \
        "VRMC_vrm-1.0 tpose") \
    X(VRM1_TPOSE_LEG, 231, HINT, "A leg of the rest pose does not point down.", \
        "Put the model into a T-pose and apply that as its rest pose, or run vrm bake --t-pose.", \
        "VRMC_vrm-1.0 tpose") \
    X(VRM1_TPOSE_THUMB, 232, HINT, "A thumb of the rest pose does not point halfway between outwards and forwards.", \
        "Rotate the thumb to 45 degrees.", "VRMC_vrm-1.0 tpose") \
    X(VRM1_TPOSE_BEND, 233, HINT, "An elbow, knee, finger or thumb of the rest pose is bent the wrong way.", \
        "Straighten the joint, or bend it a little the right way.", "VRMC_vrm-1.0_draft humanoid") \
    X(VRM1_TPOSE_FINGER, 234, HINT, "A finger of the rest pose does not point outwards.", \
        "Rotate the finger into line with the arm.", "VRMC_vrm-1.0 tpose") \
    X(VRM1_TPOSE_PALM, 235, HINT, "A palm of the rest pose does not face down.", \
        "Rotate the hand until the palm faces down.", "VRMC_vrm-1.0 tpose") \
    X(VRM1_TPOSE_FOOT, 236, HINT, "A foot of the rest pose does not point forwards.", \
        "Rotate the foot until it points along Z.", "VRMC_vrm-1.0 tpose") \
    X(VRM1_TPOSE_SYMMETRY, 237, HINT, "The left and right sides of the rest pose are not mirror images about X = 0.", \
        "Mirror the pose, and move the model to X = 0.", "VRMC_vrm-1.0 tpose") \
    X(VRM1_TPOSE_ROOT, 238, HINT, "The node above the hips is not at the origin.", \
        "Move the node to the origin, and move the hips instead.", "VRMC_vrm-1.0 tpose") \
    X(VRM1_INVERTED_PELVIS, 239, HINT, \
        "The legs are attached to a node below the hips, an inverted pelvis, which is deprecated.", \
        "Assign the hips to the node that is the parent of legs and spine.", "VRMC_vrm-1.0 humanoid") \
    X(VRM1_NODE_SCALE, 240, WARNING, \
        "A node's scale is not positive or differs between the axes: children are sheared or mirrored when they " \
        "rotate.", \
        "Apply the scale before export.", "VRMC_vrm-1.0 tpose, 2.1") \
    X(VRM1_TPOSE_GROUND, 241, HINT, "The feet of the rest pose do not stand on the ground.", \
        "Move the model so that its soles are at a height of 0.", "VRMC_vrm-1.0 tpose") \
    X(VRM1_UNKNOWN_PRESET, 242, WARNING, "An expression preset is unknown; the expression is ignored.", \
        "Move the expression to the custom expressions.", "VRMC_vrm-1.0 expressions") \
    X(VRM1_CUSTOM_NAME_IS_PRESET, 243, WARNING, \
        "A custom expression has the name of a preset; the expression is ignored. (UniVRM keeps it.)", \
        "Rename the expression, or move it to the presets.", "VRMC_vrm-1.0 expressions") \
    X(VRM1_EMPTY_ARRAY, 244, INFO, "An array that must have elements is empty; it is treated as missing.", \
        "Remove the array.", "JSON schema of the object, minItems") \
    X(VRM1_MORPH_TARGET_NODE_WITHOUT_MESH, 245, ERROR, \
        "An expression binds a node that has no mesh; the bind is left out.", \
        "Bind the node (not the mesh) that has the morph targets.", "VRMC_vrm-1.0 expressions") \
    X(VRM1_MORPH_TARGET_INDEX_OOB, 246, ERROR, \
        "An expression binds a morph target that the node's mesh does not have; the bind is left out.", \
        "Export the expressions again.", "VRMC_vrm-1.0 expressions") \
    X(VRM1_OVERRIDE_OWN_KIND, 247, WARNING, \
        "An expression overrides the group to which it belongs; the override is ignored.", "Remove the override.", \
        "VRMC_vrm-1.0 expressions") \
    X(VRM1_MORPH_WEIGHT_RANGE, 248, WARNING, "The weight of a morph bind is not between 0 and 1; the weight is kept.", \
        "Use weights from 0 to 1, as in VRM 1.0, not from 0 to 100.", "VRMC_vrm-1.0 expressions") \
    X(VRM1_COLOR_BIND_NO_TARGET, 249, INFO, \
        "An expression binds a colour that this kind of material does not have; the bind has no effect.", \
        "Remove the bind.", "VRMC_vrm-1.0 expressions") \
    X(VRM1_LOOK_AT_DEFAULT, 250, INFO, "A member of look-at is missing; the usual value is used.", "Add the member.", \
        "VRMC_vrm-1.0 lookAt") \
    X(VRM1_LOOK_AT_RANGE, 251, WARNING, \
        "The input range of look-at is not between 0 and 180 degrees; it is limited to this range. (UniVRM and " \
        "three-vrm use it as it is.)", \
        "Correct inputMaxValue.", "VRMC_vrm-1.0 lookAt") \
    X(VRM1_LOOK_AT_NO_EYES, 252, INFO, "Look-at turns eye bones, but the humanoid has none.", \
        "Assign leftEye and rightEye, or use expressions.", "VRMC_vrm-1.0 lookAt") \
    X(VRM1_LOOK_AT_NO_EXPRESSIONS, 253, INFO, "Look-at sets look expressions, but the avatar has none of them.", \
        "Add lookUp, lookDown, lookLeft and lookRight, or use bones.", "VRMC_vrm-1.0 lookAt") \
    X(VRM1_FIRST_PERSON_NODE_WITHOUT_MESH, 254, WARNING, \
        "A first-person annotation names a node without a mesh; the annotation is ignored.", "Remove the annotation.", \
        "VRMC_vrm-1.0 firstPerson") \
    X(VRM1_FIRST_PERSON_DUPLICATE, 255, WARNING, "A node has two first-person annotations; the first one is used.", \
        "Remove one of the annotations.", "VRMC_vrm-1.0 firstPerson") \
    X(VRM1_FIRST_PERSON_DEFAULT, 256, INFO, \
        "A first-person annotation has no type; auto is used, or the older firstPersonFlag if it is present.", \
        "Add the type.", "VRMC_vrm-1.0 firstPerson") \
    X(VRM1_TEXTURE_TRANSFORM_ROTATION, 257, WARNING, "A texture transform has a rotation, which VRM advises against.", \
        "Rotate the UV map instead.", "VRMC_vrm-1.0 README, KHR_texture_transform") \
    X(VRM1_TEXTURE_TRANSFORM_TEXCOORD, 258, WARNING, \
        "A texture transform selects a UV set, which VRM advises against.", "Set texCoord in the texture itself.", \
        "VRMC_vrm-1.0 README, KHR_texture_transform") \
    X(VRM1_MESH_PRIMITIVE_TANGENTS, 259, INFO, \
        "The file has tangents, which need not be exported because readers of VRM compute them.", \
        "Export without tangents.", "VRMC_vrm-1.0 README, TANGENT") \
    X(VRM1_MORPH_TARGET_TANGENTS, 260, WARNING, \
        "A morph target has tangents; VRM forbids exporting and reading them.", "Export without tangents.", \
        "VRMC_vrm-1.0 README, TANGENT") \
    X(VRM1_BETA_STIFFNESS, 261, WARNING, \
        "A stiffness is above 1, but the range in the beta is 0 to 1; the stiffness is kept.", \
        "Export the model as VRM 1.0.", "VRMC_springBone-1.0-beta joint") \
    X(VRM1_SPRING_TOO_SHORT, 262, INFO, "A spring has fewer than two joints and moves nothing.", \
        "Remove the spring, or add a joint at its end.", "VRMC_springBone-1.0 spring") \
    X(VRM1_SPRING_JOINT_NOT_DESCENDANT, 263, ERROR, \
        "A joint of a spring is not a descendant of the joint before it; the joint is left out. (UniVRM and " \
        "three-vrm keep it and turn the joint before towards it.)", \
        "Order the joints from root to tip, one chain per spring.", "VRMC_springBone-1.0 joint") \
    X(VRM1_SPRING_OVERLAP, 264, WARNING, \
        "Two springs move the same node; the later spring leaves out its joints there, as in UniVRM. (In three-vrm " \
        "both springs move the node, and the result of the later one is shown.)", \
        "Use each node in one spring only, including the nodes between two joints.", "VRMC_springBone-1.0 joint") \
    X(VRM1_SPRING_TAIL_SHARED, 265, INFO, \
        "A spring starts at the last joint of another spring; both are simulated, the other one first.", \
        "Join the two springs if they are one strand.", "VRMC_springBone-1.0 joint") \
    X(VRM1_SPRING_CENTER, 266, WARNING, \
        "A spring's center is ignored, because it is neither the spring's first joint nor an ancestor of that joint, " \
        "or because another spring moves it. (UniVRM and three-vrm use it.)", \
        "Choose a node above the spring that no spring moves.", "VRMC_springBone-1.0 center") \
    X(VRM1_SPRING_CYCLE, 267, WARNING, \
        "Springs depend on each other's colliders; this spring is simulated first, with the other's colliders at " \
        "their previous positions. (In UniVRM springs run in the file's order, in three-vrm another one may be " \
        "first.)", \
        "Attach the colliders to nodes that no spring moves.", "VRMC_springBone-1.0 update order") \
    X(VRM1_COLLIDER_SHAPE, 268, ERROR, \
        "A collider does not have exactly one shape. Of several shapes, the sphere is used before the capsule, as in " \
        "three-vrm (UniVRM uses the capsule). A collider without a shape is left out.", \
        "Export the colliders again.", "VRMC_springBone-1.0 collider") \
    X(VRM1_COLLIDER_SHAPE_BETA, 269, WARNING, \
        "A collider's shape has the members of a capsule without the key capsule, as in an early example; it is read " \
        "as a capsule.", \
        "Export the model again.", "VRMC_springBone-1.0-beta collider") \
    X(VRM1_COLLIDER_NO_FALLBACK, 270, INFO, \
        "An extended collider has no shape for readers that do not know the extension.", \
        "Add the shape that the extension recommends.", "VRMC_springBone_extended_collider-1.0 fallback") \
    X(VRM1_COLLIDER_FALLBACK, 271, HINT, \
        "The shape beside an extended collider is not the one recommended for readers that do not know the " \
        "extension.", \
        "Write the shape that the extension recommends.", "VRMC_springBone_extended_collider-1.0 fallback") \
    X(VRM1_COLLIDER_PLANE_NORMAL, 272, WARNING, \
        "The normal of a plane is not of unit length; the normal is normalised.", "Normalise the normal.", \
        "VRMC_springBone_extended_collider-1.0 plane") \
    X(VRM1_COLLIDER_PLANE_NORMAL_ZERO, 273, ERROR, \
        "The normal of a plane has length 0; the collider's other shape is used, or the collider is left out if it " \
        "has none. (In UniVRM and three-vrm the plane pushes nothing.)", \
        "Write a unit vector.", "VRMC_springBone_extended_collider-1.0 plane") \
    X(VRM1_SPRING_LIMIT, 274, ERROR, \
        "A joint's limit is not exactly one of cone, hinge and spherical. If it has several of them, the first in " \
        "this order is used.", \
        "Export the limits again.", "VRMC_springBone_limit-1.0-draft limit") \
    X(VRM1_CONSTRAINT_TYPE, 275, ERROR, \
        "A constraint is not exactly one of roll, aim and rotation. If it has several of them, the first in this " \
        "order is used; if it has none of them, the constraint is left out.", \
        "Export the constraints again.", "VRMC_node_constraint-1.0 constraint") \
    X(VRM1_CONSTRAINT_SELF, 276, ERROR, \
        "A constraint has its own node as source; the constraint is left out. (UniVRM runs it, three-vrm does not " \
        "load the file.)", \
        "Choose another source.", "VRMC_node_constraint-1.0 source") \
    X(VRM1_CONSTRAINT_CYCLE, 277, ERROR, \
        "Constraints depend on each other in a cycle; this one is left out (three-vrm does not load the file).", \
        "Remove one of the constraints.", "VRMC_node_constraint-1.0 dependencies") \
    X(VRM1_RENDER_QUEUE_OFFSET, 278, WARNING, \
        "renderQueueOffsetNumber is outside the range for the material's transparency; it is limited to that range.", \
        "Correct renderQueueOffsetNumber.", "VRMC_materials_mtoon-1.0 renderQueueOffsetNumber") \
    X(VRM1_NO_BOUNDS, 279, INFO, "Vertices could not be read; boxes and height are computed from joints alone.", "", \
        "") \
    X(VRM1_MODEL_SIZE, 291, WARNING, \
        "The avatar's height is implausible; the avatar is loaded unchanged, but no ragdoll can be computed for it.", \
        "Scale the model to metres.", "glTF 2.0, 3.4") \
    /* --- baking --- */ \
    X(BAKE_REST_NOT_BIND, 280, WARNING, \
        "The rest pose is not the pose in which a skin was bound: the baked rest pose looks the same, but in other " \
        "poses vertices differ by up to this distance.", \
        "Bake the model in the pose in which it was modelled.", "VRMC_vrm-1.0_draft, T-Pose bake") \
    X(BAKE_SCALE_UNEVEN, 281, WARNING, \
        "A node's scale is not uniform and positive: the baked rest pose looks the same, but the node's children are " \
        "no longer stretched in other poses.", \
        "Apply the scale in the program in which the model was created.", "VRMC_vrm-1.0 T-pose, 2.1") \
    X(BAKE_UNWEIGHTED, 282, INFO, "Vertices of a skin have no weights; they now follow the root of the skin.", "", \
        "VRMC_vrm-1.0_draft, T-Pose bake") \
    X(BAKE_TANGENTS, 283, INFO, "Tangents of changed vertices were left out; viewers compute tangents.", "", \
        "VRMC_vrm-1.0, TANGENT") \
    X(BAKE_DIRECTION, 284, INFO, \
        "A camera or light points along an axis of its node; that axis is now an axis of the model.", \
        "Cameras and lights are not part of VRM; remove them.", "") \
    X(BAKE_SCALE_ANIMATION, 285, WARNING, \
        "An animation scales a node along axes that the baked node does not have; it now scales along the nearest " \
        "axes.", \
        "", "") \
    X(BAKE_CONSTRAINT_AXIS, 286, WARNING, \
        "The axis of a constraint lies between the axes of the baked node; the nearest axis is used.", \
        "Rotate the node so that the axis is one of the model's, and bake again.", "VRMC_node_constraint-1.0") \
    X(BAKE_CONSTRAINT_FRAMES, 287, WARNING, \
        "A constraint copies rotations between nodes whose axes differed; after the bake they agree, and the node " \
        "rotates about other axes than before.", \
        "Check the constraint, and align the source's axes with the node's before baking.", \
        "VRMC_node_constraint-1.0") \
    X(BAKE_VIRTUAL_TAIL, 288, WARNING, \
        "A spring's last joint points to an end 7 cm away; without the node's scale that end is at another distance.", \
        "Adjust the spring's stiffness.", "VRM 0.x secondaryAnimation") \
    X(BAKE_POSED, 289, INFO, "The model was put into the T-pose.", "", "VRMC_vrm-1.0 T-pose")

#endif
