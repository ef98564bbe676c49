// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "validate_report.h"

#include <string.h>

// --- text ----------------------------------------------------------------------------------------------------------

void validate_report_text(vrmi_text *out, const validate_outcome *outcome, bool color)
{
    const vrm_report *report = outcome->report;
    vrmi_text_add_string(out, cli_styled(color, CLI_BOLD));
    cli_add_file_text(out, outcome->path, strlen(outcome->path));
    vrmi_text_format(out, "%s: ", cli_styled(color, CLI_PLAIN));
    if (outcome->info.dialect != NULL && outcome->info.dialect[0] != '\0') {
        vrmi_text_format(out, "VRM %s: ", outcome->info.dialect);
    }
    if (outcome->error != NULL) {
        vrmi_text_format(out, "%s\n", outcome->error);
    } else {
        cli_finding_counts_text(out, report);
        vrmi_text_add_string(out, "\n");
    }
    cli_findings_text(out, report, outcome->least, color);
}

// --- JSON ----------------------------------------------------------------------------------------------------------

static void add_issues(cli_json *json, const validate_outcome *outcome)
{
    static const char *const names[VRM_SEVERITY_COUNT] = {"numErrors", "numWarnings", "numInfos", "numHints"};
    const vrm_report *report = outcome->report;
    cli_json_open(json, "issues", '{');
    for (int severity = 0; severity < VRM_SEVERITY_COUNT; ++severity) {
        cli_json_uint(json, names[severity], vrm_report_get_severity_count(report, (vrm_severity)severity));
    }
    cli_json_open(json, "messages", '[');
    const uint32_t count = vrm_report_get_count(report);
    for (uint32_t i = 0; i < count; ++i) {
        const vrm_finding *finding = vrm_report_get_finding(report, i);
        if (finding->severity <= outcome->least) {
            cli_finding_json(json, finding);
        }
    }
    cli_json_close(json, ']');
    cli_json_bool(json, "truncated", vrm_report_is_truncated(report));
    cli_json_close(json, '}');
}

static void add_names(cli_json *json, const char *name, const vrm_string *names, uint32_t count)
{
    if (count == 0) {
        return;
    }
    cli_json_open(json, name, '[');
    for (uint32_t i = 0; i < count; ++i) {
        cli_json_view(json, NULL, names[i]);
    }
    cli_json_close(json, ']');
}

static void add_resource(cli_json *json, const vrm_validate_resource *resource)
{
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "pointer", resource->pointer);
    if (resource->mime_type[0] != '\0') {
        cli_json_text(json, "mimeType", resource->mime_type);
    }
    cli_json_text(json, "storage", resource->storage);
    if (resource->uri.length != 0) {
        cli_json_view(json, "uri", resource->uri);
    }
    if (resource->byte_length != 0) {
        cli_json_uint(json, "byteLength", resource->byte_length);
    }
    if (resource->width != 0) {
        cli_json_open(json, "image", '{');
        cli_json_uint(json, "width", resource->width);
        cli_json_uint(json, "height", resource->height);
        cli_json_close(json, '}');
    }
    cli_json_close(json, '}');
}

static void add_info(cli_json *json, const vrm_validate_info *info)
{
    cli_json_open(json, "info", '{');
    cli_json_view(json, "version", info->version);
    if (info->min_version.length != 0) {
        cli_json_view(json, "minVersion", info->min_version);
    }
    if (info->generator.length != 0) {
        cli_json_view(json, "generator", info->generator);
    }
    if (info->dialect[0] != '\0') {
        cli_json_text(json, "vrm", info->dialect);
    }
    add_names(json, "extensionsUsed", info->extensions_used, info->extensions_used_count);
    add_names(json, "extensionsRequired", info->extensions_required, info->extensions_required_count);
    if (info->resource_count != 0) {
        cli_json_open(json, "resources", '[');
        for (uint32_t i = 0; i < info->resource_count; ++i) {
            add_resource(json, &info->resources[i]);
        }
        cli_json_close(json, ']');
    }
    cli_json_uint(json, "animationCount", info->animation_count);
    cli_json_uint(json, "materialCount", info->material_count);
    cli_json_bool(json, "hasMorphTargets", info->has_morph_targets);
    cli_json_bool(json, "hasSkins", info->has_skins);
    cli_json_bool(json, "hasTextures", info->has_textures);
    cli_json_bool(json, "hasDefaultScene", info->has_default_scene);
    cli_json_uint(json, "drawCallCount", info->draw_call_count);
    cli_json_uint(json, "totalVertexCount", info->total_vertex_count);
    cli_json_uint(json, "totalTriangleCount", info->total_triangle_count);
    cli_json_uint(json, "maxUVs", info->max_uvs);
    cli_json_uint(json, "maxInfluences", info->max_influences);
    cli_json_uint(json, "maxAttributes", info->max_attributes);
    cli_json_close(json, '}');
}

void validate_report_json(cli_json *json, const validate_outcome *outcome)
{
    cli_json_open(json, NULL, '{');
    cli_json_uint(json, "schemaVersion", 1);
    cli_json_text(json, "uri", outcome->path);
    if (outcome->info.mime_type != NULL && outcome->info.mime_type[0] != '\0') {
        cli_json_text(json, "mimeType", outcome->info.mime_type);
    }
    cli_json_text(json, "validatorVersion", VRM_VERSION_STRING);
    if (outcome->error != NULL) {
        cli_json_text(json, "error", outcome->error);
    }
    add_issues(json, outcome);
    if (outcome->info.is_gltf) {
        add_info(json, &outcome->info);
    }
    cli_json_close(json, '}');
}
