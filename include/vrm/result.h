// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRM_RESULT_H
#define VRM_RESULT_H

/// @file result.h
/// Results of calls that can fail, and the report that explains them. A report has an entry for each finding: id,
/// severity, JSON path, the value found and the value expected. Tests and tools compare ids, never the text.

#include <vrm/base.h>
#include <vrm/findings.h>

/// X(name, number, sentence): every result that a call can return.
#define VRM_RESULTS(X) \
    X(SUCCESS, 0, "done") \
    X(ERROR_INVALID_ARGUMENT, 1, "an argument is invalid") \
    X(ERROR_OUT_OF_MEMORY, 2, "out of memory") \
    X(ERROR_NOT_FOUND, 3, "no such file") \
    X(ERROR_READ, 4, "the file could not be read") \
    X(ERROR_WRITE, 5, "the file could not be written; check its path and permissions") \
    X(ERROR_DISK, 6, "the disk is full or failed; the old file is intact") \
    X(ERROR_NOT_GLTF, 7, "the bytes are not a glTF 2.0 file") \
    X(ERROR_INVALID_ASSET, 8, "the asset has errors; the report names them") \
    X(ERROR_UNSUPPORTED, 9, "the asset needs a feature that this build does not have") \
    X(ERROR_LIMIT, 10, "a size or number exceeds a limit") \
    X(ERROR_CANCELLED, 11, "the progress callback asked to stop")

/// Result of a call: VRM_SUCCESS (0), or the reason for the failure. VRM_RESULTS has a sentence for each.
typedef enum vrm_result {
#define VRM_RESULT_ENUM(name, number, sentence) VRM_##name = (number),
    VRM_RESULTS(VRM_RESULT_ENUM)
#undef VRM_RESULT_ENUM
        VRM_RESULT_COUNT = 12
} vrm_result;

/// Returns the enumerator's short name ("ERROR_READ"); "UNKNOWN" for a value outside the enum. The string is static.
VRM_API const char *vrm_result_name(vrm_result result);
/// Returns the result's sentence in VRM_RESULTS. The string is static.
VRM_API const char *vrm_result_sentence(vrm_result result);

/// Severity of a finding, numbered as in Khronos' glTF validator.
typedef enum vrm_severity {
    VRM_SEVERITY_ERROR = 0,
    VRM_SEVERITY_WARNING = 1,
    VRM_SEVERITY_INFO = 2,
    VRM_SEVERITY_HINT = 3,
    VRM_SEVERITY_OFF = 255, ///< Suppresses a finding in vrm_validate_params.severities. No finding has this severity.
    VRM_SEVERITY_COUNT = 4
} vrm_severity;

/// Everything that libvrm can report about a file: VRM_FINDING_<name> for each row of findings.h.
typedef enum vrm_finding_id {
#define VRM_FINDING_ENUM(name, number, severity, sentence, hint, section) VRM_FINDING_##name = (number),
    VRM_FINDINGS(VRM_FINDING_ENUM)
#undef VRM_FINDING_ENUM
        VRM_FINDING_COUNT = 299
} vrm_finding_id;

/// A row of the catalogue of findings (findings.h). All strings are static.
typedef struct vrm_finding_info {
    const char *name;      ///< "NODE_LOOP"
    vrm_severity severity; ///< The reported severity, unless an option overrides it.
    const char *sentence;  ///< The problem, in one sentence.
    const char *hint;      ///< Advice to the author of the file on how to repair it; may be "".
    const char *section;   ///< The section of the rule, e.g. "VRMC_vrm-1.0 humanoid"; may be "".
} vrm_finding_info;

/// Returns the catalogue's row for a finding; NULL for an unknown id.
VRM_API const vrm_finding_info *vrm_finding_get_info(vrm_finding_id id);

/// One finding. The strings are zero-terminated and valid as long as the report.
typedef struct vrm_finding {
    vrm_finding_id id;
    vrm_severity severity;
    int64_t offset;       ///< Byte offset in the file, for findings in the container or in the JSON's syntax; else -1.
    const char *path;     ///< JSON pointer (RFC 6901), "" for the whole document.
    const char *found;    ///< The value in the file; may be "".
    const char *expected; ///< The expected value; may be "".
    /// Name of the node, material, mesh or other object that `path` points to or into, as in the file; may be "". Cut
    /// off after 127 bytes.
    const char *name;
} vrm_finding;

/// A list of findings, filled by load and import calls. Adding to a report never fails: if memory runs out or
/// `max_findings` is reached, the report is marked as truncated, and further findings are only counted.
typedef struct vrm_report vrm_report;

/// Limits of a report.
typedef struct vrm_report_def {
    uint32_t struct_size;
    uint32_t max_findings;   ///< Largest number of findings that the report keeps; default 10,000.
    vrm_allocator allocator; ///< Default: malloc and free.
} vrm_report_def;

/// Fills `def` with the defaults.
VRM_API void vrm_report_def_default(vrm_report_def *def, size_t size);
#define vrm_report_def_default(def) vrm_report_def_default(def, sizeof *(def))
/// Creates an empty report. `def` may be NULL for the defaults.
VRM_API vrm_result vrm_report_create(const vrm_report_def *def, vrm_report **out_report);
/// Frees the report; NULL is allowed.
VRM_API void vrm_report_destroy(vrm_report *report);
/// Removes all findings from the report.
VRM_API void vrm_report_clear(vrm_report *report);
/// Returns the number of findings that the report keeps.
VRM_API uint32_t vrm_report_get_count(const vrm_report *report);
/// Returns the number of findings of a severity, including those that were not kept.
VRM_API uint32_t vrm_report_get_severity_count(const vrm_report *report, vrm_severity severity);
/// Returns true if some findings were not kept.
VRM_API bool vrm_report_is_truncated(const vrm_report *report);
/// Returns the finding at `index` in the order in which they were found; NULL for an index out of range. Valid until
/// the report changes.
VRM_API const vrm_finding *vrm_report_get_finding(const vrm_report *report, uint32_t index);
/// Adds a finding; NULL strings count as "". Hosts can add the findings of their own checks.
VRM_API void vrm_report_add(vrm_report *report, const vrm_finding *finding);

#endif
