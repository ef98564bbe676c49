// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/abi.h"
#include "base/checks.h"
#include "import/upgrade/upgrade.h"

typedef void run_pass(vrmi_import *import);

typedef struct import_pass {
    run_pass *run, *vrm0, *draft; // functions of the pass: `run` for 1.0 and 1.0-beta, `vrm0` for 0.x, `draft` for
                                  // drafts; NULL if the dialect has no such pass
    const char *phase;            // name in progress reports
    float end;                    // fraction of the import that is done after this pass
    bool needs_vrm;
    bool repairs; // errors are repaired unless the def is strict
} import_pass;

// All passes in order. Each uses the results of those before it: indices are converted to node order first, and bones
// and materials are known before expressions and springs refer to them. Vertices come last because they take the most
// time.
static const import_pass passes[] = {
    {vrmi_import_nodes, vrmi_import_nodes, vrmi_import_nodes, "nodes", 0.10f, false, false},
    {vrmi_import_meta, vrmi_vrm0_meta, vrmi_draft_meta, "meta", 0.11f, true, true},
    {vrmi_import_humanoid, vrmi_vrm0_humanoid, vrmi_import_humanoid, "humanoid", 0.12f, true, true},
    {vrmi_import_materials, vrmi_import_materials, vrmi_draft_materials, "materials", 0.14f, false, true},
    {NULL, vrmi_vrm0_materials, NULL, "older materials", 0.15f, true, true},
    {vrmi_import_meshes, vrmi_import_meshes, vrmi_import_meshes, "meshes", 0.30f, false, false},
    {vrmi_import_first_person, vrmi_vrm0_first_person, vrmi_import_first_person, "first person", 0.31f, true, true},
    {vrmi_import_expressions, vrmi_vrm0_expressions, vrmi_draft_expressions, "expressions", 0.34f, true, true},
    {vrmi_import_look_at, vrmi_vrm0_look_at, vrmi_import_look_at, "look-at", 0.35f, true, true},
    {vrmi_import_springs, vrmi_vrm0_springs, vrmi_draft_springs, "springs", 0.45f, false, true},
    {vrmi_import_constraints, NULL, vrmi_import_constraints, "constraints", 0.50f, false, true},
    {vrmi_import_bounds, vrmi_import_bounds, vrmi_import_bounds, "bounds", 1.00f, false, false},
};

void(vrm_avatar_def_default)(vrm_avatar_def *def, size_t size)
{
    vrm_gltf_def gltf;
    vrm_gltf_def_default(&gltf);
    const vrm_avatar_def own = {.struct_size = sizeof own, .limits = gltf.limits};
    vrmi_write_defaults(def, size, &own, sizeof own);
}

// Finds the extension of VRM 1.0, including betas and drafts.
static bool find_vrm1(vrmi_import *import, uint32_t extensions)
{
    vrmi_reader *reader = &import->reader;
    const vrmi_json *json = import->json;
    import->vrm = vrmi_read_object(reader, extensions, "VRMC_vrm", VRMI_REQUIRED);
    if (import->vrm == VRMI_JSON_NONE) {
        vrmi_import_stop(import, VRM_ERROR_INVALID_ASSET);
        return false;
    }
    import->model.head.dialect = (uint32_t)vrmi_dialect_of(json, import->vrm);
    if (vrmi_import_is_draft(import)) {
        const uint32_t version = vrmi_json_member(json, import->vrm, "specVersion");
        vrmi_reader_report_value(
            reader, VRM_FINDING_VRM1_DRAFT, version != VRMI_JSON_NONE ? version : import->vrm, "\"1.0\"");
    } else {
        vrmi_import_spec_version(import, import->vrm, NULL);
    }
    return true;
}

static bool find_vrm0(vrmi_import *import, uint32_t extensions)
{
    import->vrm = vrmi_read_object(&import->reader, extensions, "VRM", VRMI_REQUIRED);
    if (import->vrm == VRMI_JSON_NONE) {
        vrmi_import_stop(import, VRM_ERROR_INVALID_ASSET);
        return false;
    }
    import->model.head.dialect = VRMI_DIALECT_0_X;
    // 0.x avatars face -Z. Nodes keep the file's transforms, so that an engine's own meshes still fit; a half turn is
    // applied above the roots.
    import->model.head.root_from_nodes = (vrm_quat){0.0f, 1.0f, 0.0f, 0.0f};
    vrmi_reader_report(&import->reader, VRM_FINDING_VRM0_VRM_EXTENSION, import->vrm, NULL, "VRM 0.x", "VRMC_vrm");
    return true;
}

// Determines the file's version of VRM. Returns false if the file cannot be imported.
static bool find_dialect(vrmi_import *import)
{
    vrmi_reader *reader = &import->reader;
    const vrmi_json *json = import->json;
    const uint32_t extensions = vrmi_json_member(json, 0, "extensions");
    const uint32_t vrm = vrmi_json_member(json, extensions, "VRMC_vrm");
    const uint32_t old = vrmi_json_member(json, extensions, "VRM");
    import->vrm = VRMI_JSON_NONE;
    import->spring_bone = vrmi_json_member(json, extensions, "VRMC_springBone");
    if (import->spring_bone != VRMI_JSON_NONE && !vrmi_json_is(json, import->spring_bone, VRMI_JSON_OBJECT)) {
        reader->repairing = !import->def->strict;
        import->spring_bone = vrmi_read_object(reader, extensions, "VRMC_springBone", VRMI_REQUIRED);
        reader->repairing = false;
    }
    import->model.head.dialect = VRMI_DIALECT_NONE;
    if (vrm != VRMI_JSON_NONE && old != VRMI_JSON_NONE) {
        vrmi_reader_report(reader, VRM_FINDING_VRM_TWO_DIALECTS, old, NULL,
            import->def->prefer == VRM_PREFER_0_X ? "VRM 0.x is read" : "VRM 1.0 is read", NULL);
    }
    if (vrmi_is_read_as_vrm0(json, import->def->prefer)) {
        return find_vrm0(import, extensions);
    }
    if (vrm != VRMI_JSON_NONE) {
        return find_vrm1(import, extensions);
    }
    if (import->def->allow_plain_gltf) {
        vrmi_reader_report(reader, VRM_FINDING_VRM1_PLAIN_GLTF, 0, NULL, NULL, "extensions.VRMC_vrm");
        return true;
    }
    vrmi_reader_report(reader, VRM_FINDING_VRM1_NO_VRM_EXTENSION, 0, NULL, NULL, "extensions.VRMC_vrm");
    vrmi_import_stop(import, VRM_ERROR_INVALID_ASSET);
    return false;
}

static run_pass *pass_of(const vrmi_import *import, const import_pass *pass)
{
    switch ((vrmi_dialect)import->model.head.dialect) {
    case VRMI_DIALECT_0_X:
        return pass->vrm0;
    case VRMI_DIALECT_1_0_DRAFT:
        return pass->draft;
    default:
        return pass->run;
    }
}

static void run_passes(vrmi_import *import)
{
    for (size_t i = 0; i < VRMI_COUNT_OF(passes) && vrmi_import_runs(import); ++i) {
        import->phase = passes[i].phase;
        import->reader.repairing = passes[i].repairs && !import->def->strict;
        run_pass *run = pass_of(import, &passes[i]);
        if (vrmi_import_tick(import, UINT32_MAX) && run != NULL &&
            (!passes[i].needs_vrm || import->vrm != VRMI_JSON_NONE)) {
            run(import);
        }
        import->fraction = passes[i].end;
    }
    if (vrmi_import_runs(import) && import->model.out_of_memory) {
        vrmi_import_stop(import, VRM_ERROR_OUT_OF_MEMORY);
    }
    if (vrmi_import_runs(import) && import->reader.errors != 0) {
        vrmi_import_stop(import, VRM_ERROR_INVALID_ASSET);
    }
    if (import->reader.repairs != 0 || (import->gltf->flags & VRM_GLTF_REPAIRED) != 0) {
        import->model.head.flags |= VRM_AVATAR_REPAIRED;
    }
}

vrm_result vrm_avatar_import(
    const vrm_avatar_def *def, const vrm_gltf *gltf, vrm_report *report, vrm_avatar **out_avatar)
{
    if (out_avatar == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    *out_avatar = NULL;
    vrm_avatar_def chosen;
    vrm_avatar_def_default(&chosen);
    if (gltf == NULL || !VRMI_READ_OPTIONS(vrm_avatar_def, &chosen, def)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    vrmi_import import;
    memset(&import, 0, sizeof import);
    import.def = &chosen;
    import.gltf = gltf;
    import.json = &gltf->json;
    import.reader = (vrmi_reader){.json = &gltf->json, .report = report};
    vrmi_model_builder_init(&import.model, &chosen.allocator);
    vrmi_arena_init(&import.scratch, &import.model.allocator, chosen.limits.max_memory);
    import.geometry = (gltf->flags & VRM_GLTF_GEOMETRY_UNREADABLE) == 0;
    if (chosen.strict && (gltf->flags & VRM_GLTF_REPAIRED) != 0) {
        vrmi_import_stop(&import, VRM_ERROR_INVALID_ASSET); // the document's report gives the reason
    } else if (find_dialect(&import)) {
        run_passes(&import);
    }
    vrmi_arena_free(&import.scratch);
    if (vrmi_import_runs(&import)) {
        import.result = vrmi_model_pack(&import.model, &import.model.allocator, out_avatar);
    }
    vrmi_model_builder_free(&import.model);
    return import.result;
}
