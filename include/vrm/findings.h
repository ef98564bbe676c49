// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_FINDINGS_H
#define VRM_FINDINGS_H

/// @file findings.h
/// The one catalogue of findings, X(name, severity, sentence, hint, section). Names that Khronos' glTF validator or
/// mrxz' vrm-validator already use are theirs and mean the same. Sorted by layer: bytes, JSON, glTF, VRM.

#define VRM_FINDINGS(X) \
    /* --- bytes and JSON --- */ \
    X(GLB_INVALID_MAGIC, ERROR, "The file is neither GLB nor JSON.", "Export the model again as .glb or .vrm.", "glTF 2.0, 4.4 GLB") \
    X(GLB_INVALID_VERSION, ERROR, "The GLB container has a version other than 2.", "Export the model as glTF 2.0.", "glTF 2.0, 4.4.2") \
    X(INVALID_JSON, ERROR, "The JSON is malformed.", "Export the model again; the file is damaged.", "RFC 8259") \
    /* --- recording and traces --- */ \
    X(ANIMATION_NOT_BAKED, INFO, "This moves, but core glTF cannot animate it, so the file keeps the rest value.", "Bake with KHR_animation_pointer for viewers that read it.", "glTF 2.0, 3.11") \
    X(TRACE_UNKNOWN_KEY, ERROR, "The trace script has a key that is not known.", "Check the spelling against the trace page.", "docs/trace.md") \
    X(TRACE_UNKNOWN_NAME, ERROR, "The trace script names something that the avatar does not have.", "List the avatar's names with vrm inspect.", "docs/trace.md") \
    /* --- VRM --- */ \
    X(VRM1_NO_VRM_EXTENSION, ERROR, "The file has no VRM extension.", "Export the model as VRM.", "VRMC_vrm-1.0")

#endif
