// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include <vrm/clip.h>
#include <vrm/validate.h>

#include <string.h>

#include "base/abi.h"
#include "base/checks.h"
#include "base/report.h"
#include "format/gltf/progress_part.h"
#include "import/import.h"
#include "import/upgrade/upgrade.h"
#include "validate/info.h"
#include "validate/run.h"

struct vrm_validation {
    vrm_allocator allocator;
    vrmi_arena arena; // memory of `info`
    vrm_validate_info info;
};

// Fractions of the progress for loading and for the passes.
#define LOAD_SHARE 0.4f
#define PASSES_SHARE 0.3f

// --- the passes ------------------------------------------------------------------------------------------------------

typedef struct validate_pass {
    void (*run)(vrmi_run *run);
    const char *phase;
} validate_pass;

// The passes in their order. The schema comes first, because it marks used objects. Accessors come before their users,
// and skins before meshes, because skins limit the joints of meshes.
static const validate_pass passes[] = {
    {vrmi_validate_schema, "schema"},
    {vrmi_validate_accessors, "accessors"},
    {vrmi_validate_assets, "assets"},
    {vrmi_validate_tree, "tree"},
    {vrmi_validate_skins, "skins"},
    {vrmi_validate_meshes, "meshes"},
    {vrmi_validate_animations, "animations"},
    {vrmi_validate_bounds, "bounds"},
    {vrmi_validate_vrm, "vrm"},
    {vrmi_validate_unused, "unused"},
};

static bool prepare(vrmi_run *run)
{
    const vrm_gltf *gltf = run->gltf;
    uint32_t largest = 0;
    for (uint32_t a = 0; a < VRM_GLTF_ARRAY_COUNT; ++a) {
        run->used[a] = vrmi_run_alloc(run, gltf->counts[a], 1);
        largest = gltf->counts[a] > largest ? gltf->counts[a] : largest;
    }
    run->seen = vrmi_run_alloc(run, largest, 1);
    run->looked = vrmi_run_alloc(run, gltf->counts[VRM_GLTF_ACCESSORS], 1);
    const uint32_t used = vrmi_json_member(run->json, 0, "extensionsUsed");
    for (uint32_t e = vrmi_json_first(run->json, used); e != VRMI_JSON_NONE; e = vrmi_json_next(run->json, e)) {
        run->quantized = run->quantized || (vrmi_json_is(run->json, e, VRMI_JSON_STRING) &&
                                               vrmi_json_string_equal(run->json, e, "KHR_mesh_quantization"));
    }
    const uint32_t vrm = vrmi_root_extension(run->json, "VRMC_vrm");
    run->vrm = vrm != VRMI_JSON_NONE || vrmi_root_extension(run->json, "VRM") != VRMI_JSON_NONE;
    run->draft = vrm != VRMI_JSON_NONE && vrmi_dialect_of(run->json, vrm) == VRMI_DIALECT_1_0_DRAFT;
    return vrmi_run_goes_on(run);
}

// Imports the avatar or motion only to collect the findings, and discards the result.
static void import_vrm(vrmi_run *run)
{
    vrmi_progress_part part = {
        run->def->progress, run->def->progress_user, LOAD_SHARE + PASSES_SHARE, 1.0f - LOAD_SHARE - PASSES_SHARE};
    vrm_progress_fn *progress = part.progress != NULL ? vrmi_tell_part : NULL;
    if (!run->complete) {
        run->gltf->flags |= VRM_GLTF_GEOMETRY_UNREADABLE; // prevents reading accessors that have errors
    }
    vrm_result result;
    if (vrmi_root_extension(run->json, "VRMC_vrm_animation") != VRMI_JSON_NONE &&
        vrmi_root_extension(run->json, "VRMC_vrm") == VRMI_JSON_NONE) {
        vrm_clip_def def;
        vrm_clip *clip = NULL;
        vrm_clip_def_default(&def);
        def.allocator = run->allocator;
        def.limits = run->def->limits;
        def.progress = progress;
        def.progress_user = &part;
        result = run->complete ? vrm_clip_import(&def, run->gltf, run->reader.report, &clip) : VRM_SUCCESS;
        vrm_clip_release(clip);
    } else {
        vrm_avatar_def def;
        vrm_avatar *avatar = NULL;
        vrm_avatar_def_default(&def);
        def.allocator = run->allocator;
        def.limits = run->def->limits;
        def.progress = progress;
        def.progress_user = &part;
        def.allow_plain_gltf = true;
        def.prefer = run->def->prefer;
        def.look_at_unit = run->def->look_at_unit;
        def.strict = true; // an error that loading can repair is still an error of the file
        result = vrm_avatar_import(&def, run->gltf, run->reader.report, &avatar);
        if (avatar != NULL) {
            vrmi_validate_nodes(run, avatar);
            vrmi_validate_pose(run, avatar);
        }
        vrm_avatar_release(avatar);
    }
    if (result != VRM_SUCCESS && result != VRM_ERROR_INVALID_ASSET && result != VRM_ERROR_UNSUPPORTED) {
        vrmi_run_stop(run, result);
    }
}

static void run_passes(vrmi_run *run, uint32_t *out_schema_findings)
{
    const size_t count = VRMI_COUNT_OF(passes);
    for (size_t i = 0; i < count && vrmi_run_goes_on(run); ++i) {
        run->phase = passes[i].phase;
        run->fraction = LOAD_SHARE + PASSES_SHARE * (float)i / (float)count;
        passes[i].run(run);
        if (i == 0) {
            *out_schema_findings = vrm_report_get_count(run->reader.report);
        }
    }
    if (vrmi_run_goes_on(run)) {
        import_vrm(run);
    }
}

// --- one report for everything ---------------------------------------------------------------------------------------

typedef struct finding_filter {
    vrm_report *report; // the caller's report
    uint8_t severities[VRM_FINDING_COUNT];
    vrmi_hash_set told;
    bool no_bounds; // the document has errors, so bounds were not computed
} finding_filter;

// Whether a value gets at most one of these findings. The readers and the schema may report different ones for the same
// value.
static bool is_about_value(vrm_finding_id id)
{
    switch (id) {
    case VRM_FINDING_TYPE_MISMATCH:
    case VRM_FINDING_ARRAY_TYPE_MISMATCH:
    case VRM_FINDING_INVALID_INDEX:
    case VRM_FINDING_INVALID_GL_VALUE:
    case VRM_FINDING_VALUE_NOT_IN_RANGE:
    case VRM_FINDING_VALUE_NOT_IN_LIST:
    case VRM_FINDING_ARRAY_LENGTH_NOT_IN_LIST:
    case VRM_FINDING_EMPTY_ENTITY:
        return true;
    default:
        return false;
    }
}

static void pass_on(finding_filter *filter, const vrm_report *from, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; ++i) {
        vrm_finding finding = *vrm_report_get_finding(from, i);
        const int64_t what[2] = {is_about_value(finding.id) ? -1 : (int64_t)finding.id, finding.offset};
        const uint64_t key =
            vrmi_hash_text(vrmi_hash_text(0, (const char *)what, sizeof(what)), finding.path, strlen(finding.path));
        const uint8_t severity = filter->severities[finding.id];
        if (severity >= VRM_SEVERITY_COUNT || (filter->no_bounds && finding.id == VRM_FINDING_VRM1_NO_BOUNDS) ||
            !vrmi_hash_set_add(&filter->told, key)) {
            continue;
        }
        finding.severity = (vrm_severity)severity;
        vrm_report_add(filter->report, &finding);
    }
}

static void merge_reports(vrmi_run *run, const vrm_report *loading, uint32_t schema_findings, vrm_report *report)
{
    const vrm_report *passes_report = run->reader.report;
    finding_filter filter = {.report = report, .no_bounds = !run->complete};
    if (report == NULL) {
        return;
    }
    vrm_validate_get_severities(filter.severities, VRM_FINDING_COUNT);
    if (run->def->severities != NULL) {
        const uint32_t count = run->def->severity_count;
        memcpy(filter.severities, run->def->severities, count < VRM_FINDING_COUNT ? count : VRM_FINDING_COUNT);
    }
    vrmi_hash_set_init(&filter.told, &run->allocator);
    pass_on(&filter, passes_report, 0, schema_findings);
    pass_on(&filter, loading, 0, vrm_report_get_count(loading));
    pass_on(&filter, passes_report, schema_findings, vrm_report_get_count(passes_report));
    if (filter.told.failed && vrmi_run_goes_on(run)) {
        vrmi_run_stop(run, VRM_ERROR_OUT_OF_MEMORY); // some findings may have been reported twice
    }
    vrmi_hash_set_free(&filter.told);
    if (vrm_report_is_truncated(loading) || vrm_report_is_truncated(passes_report)) {
        vrmi_report_truncate(report);
    }
}

// --- the whole validation --------------------------------------------------------------------------------------------

void(vrm_validate_params_default)(vrm_validate_params *def, size_t size)
{
    vrm_gltf_def gltf;
    vrm_gltf_def_default(&gltf);
    const vrm_validate_params own = {.struct_size = sizeof own, .limits = gltf.limits};
    vrmi_write_defaults(def, size, &own, sizeof own);
}

static vrm_result load(vrmi_run *run, const void *bytes, size_t size, vrm_report *report)
{
    vrmi_progress_part part = {run->def->progress, run->def->progress_user, 0.0f, LOAD_SHARE};
    vrm_gltf_def def;
    vrm_gltf_def_default(&def);
    def.borrow_bytes = true;
    def.allocator = run->allocator;
    def.limits = run->def->limits;
    def.read = run->def->read;
    def.read_user = run->def->read_user;
    def.progress = part.progress != NULL ? vrmi_tell_part : NULL;
    def.progress_user = &part;
    return vrmi_gltf_load_part(&def, VRMI_GLTF_FAULTY, bytes, size, report, &run->gltf);
}

static void validate(
    vrmi_run *run, const void *bytes, size_t size, vrm_report *loading, vrm_report *report, vrm_validation *validation)
{
    uint32_t schema_findings = 0;
    const vrm_result result = load(run, bytes, size, loading);
    run->complete = result == VRM_SUCCESS;
    if (run->gltf == NULL) {
        vrmi_run_stop(run, result);
    } else {
        run->json = run->reader.json = &run->gltf->json;
        run->max_scan = ((uint64_t)256 << 20) + 64 * (uint64_t)size;
        if (prepare(run)) {
            run_passes(run, &schema_findings);
        }
        if (vrmi_run_goes_on(run) && validation != NULL &&
            !vrmi_validate_fill_info(run, &validation->arena, &validation->info)) {
            vrmi_run_stop(run, VRM_ERROR_OUT_OF_MEMORY);
        }
        if (result == VRM_ERROR_NOT_GLTF) {
            vrmi_run_stop(run, result);
        }
    }
    merge_reports(run, loading, schema_findings, report);
}

static const char *container_of(const uint8_t *bytes, size_t size)
{
    return size >= 4 && memcmp(bytes, "glTF", 4) == 0 ? "model/gltf-binary" : "model/gltf+json";
}

static vrm_validation *create_validation(const vrm_allocator *allocator)
{
    vrm_validation *validation = vrmi_allocate(allocator, sizeof(*validation), 16);
    if (validation != NULL) {
        memset(validation, 0, sizeof(*validation));
        validation->allocator = *allocator;
        validation->info.mime_type = validation->info.dialect = "";
        vrmi_arena_init(&validation->arena, allocator, 0);
    }
    return validation;
}

static vrm_result run_validation(
    vrmi_run *run, const void *bytes, size_t size, vrm_report *report, vrm_validation *validation)
{
    vrm_report *loading = NULL;
    vrm_report_def def;
    vrm_report_def_default(&def);
    def.allocator = run->allocator;
    vrm_result result = vrm_report_create(&def, &loading);
    if (result == VRM_SUCCESS) {
        result = vrm_report_create(&def, &run->reader.report);
    }
    if (result == VRM_SUCCESS) {
        vrmi_arena_init(&run->arena, &run->allocator, run->def->limits.max_memory);
        vrmi_hash_set_init(&run->declared, &run->allocator);
        vrmi_hash_set_init(&run->influences, &run->allocator);
        validate(run, bytes, size, loading, report, validation);
        result = run->result;
        vrmi_hash_set_free(&run->declared);
        vrmi_hash_set_free(&run->influences);
        vrmi_arena_free(&run->arena);
        vrm_gltf_destroy(run->gltf);
    }
    vrm_report_destroy(run->reader.report);
    vrm_report_destroy(loading);
    return result;
}

vrm_result vrm_validate(
    const vrm_validate_params *def, const void *bytes, size_t size, vrm_report *report, vrm_validation **out_validation)
{
    vrm_validate_params own;
    vrm_validate_params_default(&own);
    if (out_validation != NULL) {
        *out_validation = NULL;
    }
    if (!VRM_ASSERT(VRMI_READ_OPTIONS(vrm_validate_params, &own, def)) || !VRM_ASSERT(bytes != NULL || size == 0)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    vrmi_run run = {.def = &own};
    vrmi_resolve_allocator(&own.allocator, &run.allocator);
    vrm_validation *validation = out_validation != NULL ? create_validation(&run.allocator) : NULL;
    if (out_validation != NULL && validation == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    const vrm_result result = run_validation(&run, bytes, size, report, validation);
    if (validation != NULL && result != VRM_ERROR_NOT_GLTF) {
        validation->info.mime_type = container_of(bytes, size);
    }
    if (result == VRM_SUCCESS || result == VRM_ERROR_NOT_GLTF) {
        if (out_validation != NULL) {
            *out_validation = validation;
        }
    } else {
        vrm_validation_destroy(validation);
    }
    return result;
}

void vrm_validation_get_info(const vrm_validation *validation, vrm_validate_info *out_info)
{
    (void)VRM_ASSERT(
        validation != NULL && out_info != NULL && VRMI_WRITE_OUTPUT(vrm_validate_info, out_info, &validation->info));
}

void vrm_validation_destroy(vrm_validation *validation)
{
    if (validation != NULL) {
        const vrm_allocator allocator = validation->allocator;
        vrmi_arena_free(&validation->arena);
        vrmi_release(&allocator, validation, sizeof(*validation));
    }
}
