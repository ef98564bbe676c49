// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "cli.h"

#include <stdio.h>
#include <string.h>

const char *const cli_severity_words[VRM_SEVERITY_COUNT] = {"error", "warning", "info", "hint"};

const char *cli_compression_name(const char *extension)
{
    static const char *const names[][2] = {{"KHR_draco_mesh_compression", "Draco"},
        {"EXT_meshopt_compression", "meshopt"}, {"KHR_meshopt_compression", "meshopt"}, {"KHR_texture_basisu", "KTX2"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        if (strcmp(extension, names[i][0]) == 0) {
            return names[i][1];
        }
    }
    return NULL;
}

static void add_part(vrmi_text *out, const char *before, const char *text, const char *after)
{
    vrmi_text_add_string(out, before);
    cli_add_file_text(out, text, strlen(text));
    vrmi_text_add_string(out, after);
}

static void add_finding_text(vrmi_text *out, const vrm_finding *finding, bool color)
{
    static const cli_style styles[VRM_SEVERITY_COUNT] = {CLI_RED, CLI_YELLOW, CLI_DIM, CLI_DIM};
    const vrm_finding_info *info = vrm_finding_get_info(finding->id);
    vrmi_text_format(out, "%s%s%s %s", cli_styled(color, styles[finding->severity]),
        cli_severity_words[finding->severity], cli_styled(color, CLI_PLAIN), info != NULL ? info->name : "UNKNOWN");
    if (finding->path[0] != '\0') {
        add_part(out, " ", finding->path, "");
    }
    if (finding->name[0] != '\0') {
        add_part(out, " \"", finding->name, "\"");
    }
    if (finding->offset >= 0) {
        vrmi_text_format(out, " @%lld", (long long)finding->offset);
    }
    vrmi_text_format(out, "\n    %s", info != NULL ? info->sentence : "");
    if (finding->found[0] != '\0' && finding->expected[0] != '\0') {
        add_part(out, " Found ", finding->found, ", ");
        add_part(out, "expected ", finding->expected, ".");
    } else if (cli_compression_name(finding->found) != NULL) { // an extension that people know by another name
        vrmi_text_format(out, " Found %s (%s).", cli_compression_name(finding->found), finding->found);
    } else if (finding->found[0] != '\0') {
        add_part(out, " Found ", finding->found, ".");
    } else if (finding->expected[0] != '\0') {
        add_part(out, " Expected ", finding->expected, ".");
    }
    if (info != NULL && info->hint[0] != '\0') {
        vrmi_text_format(out, " %s", info->hint);
    }
    vrmi_text_add_string(out, "\n");
}

// Adds the findings as text. `decodes` is an extension whose images this program can show, or NULL; the finding that
// the library does not know it is left out.
static void add_findings(vrmi_text *out, const vrm_report *report, vrm_severity least, bool color, const char *decodes)
{
    const uint32_t count = vrm_report_get_count(report);
    for (int severity = VRM_SEVERITY_ERROR; severity <= (int)least; ++severity) { // the most severe findings come first
        for (uint32_t i = 0; i < count; ++i) {
            const vrm_finding *finding = vrm_report_get_finding(report, i);
            const bool moot = decodes != NULL && finding->id == VRM_FINDING_EXTENSION_IMAGE_UNREADABLE &&
                              strcmp(finding->found, decodes) == 0;
            if ((int)finding->severity == severity && !moot) {
                add_finding_text(out, finding, color);
            }
        }
    }
    if (vrm_report_is_truncated(report)) {
        vrmi_text_add_string(out, "    (the report is full; there are more findings)\n");
    }
}

void cli_findings_text(vrmi_text *out, const vrm_report *report, vrm_severity least, bool color)
{
    add_findings(out, report, least, color, NULL);
}

void cli_finding_counts_text(vrmi_text *out, const vrm_report *report)
{
    cli_count counts[VRM_SEVERITY_COUNT];
    for (int severity = 0; severity < VRM_SEVERITY_COUNT; ++severity) {
        counts[severity] = (cli_count){
            vrm_report_get_severity_count(report, (vrm_severity)severity), cli_severity_words[severity], NULL};
    }
    cli_add_counts(out, counts, VRM_SEVERITY_COUNT);
}

// Writes the members of a finding with the names of Khronos' report (code, message, severity, pointer or offset).
void cli_finding_json(cli_json *json, const vrm_finding *finding)
{
    const vrm_finding_info *info = vrm_finding_get_info(finding->id);
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "code", info != NULL ? info->name : "UNKNOWN");
    cli_json_text(json, "message", info != NULL ? info->sentence : "");
    cli_json_uint(json, "severity", finding->severity);
    if (finding->offset >= 0) {
        cli_json_int(json, "offset", finding->offset);
    } else {
        cli_json_text(json, "pointer", finding->path);
    }
    if (finding->name[0] != '\0') {
        cli_json_text(json, "name", finding->name);
    }
    cli_json_text(json, "found", finding->found);
    cli_json_text(json, "expected", finding->expected);
    cli_json_text(json, "hint", info != NULL ? info->hint : "");
    cli_json_text(json, "section", info != NULL ? info->section : "");
    cli_json_close(json, '}');
}

void cli_findings_json(cli_json *json, const vrm_report *report)
{
    cli_json_open(json, "findings", '[');
    const uint32_t count = vrm_report_get_count(report);
    for (uint32_t i = 0; i < count; ++i) {
        cli_finding_json(json, vrm_report_get_finding(report, i));
    }
    cli_json_close(json, ']');
    static const char *const names[VRM_SEVERITY_COUNT] = {"errors", "warnings", "infos", "hints"};
    cli_json_open(json, "findingCounts", '{');
    for (int severity = 0; severity < VRM_SEVERITY_COUNT; ++severity) {
        cli_json_uint(json, names[severity], vrm_report_get_severity_count(report, (vrm_severity)severity));
    }
    cli_json_bool(json, "truncated", vrm_report_is_truncated(report));
    cli_json_close(json, '}');
}

void cli_record_findings(cli_job *job)
{
    const uint32_t count = job->record != NULL ? vrm_report_get_count(job->report) : 0;
    for (uint32_t i = 0; i < count; ++i) {
        const vrm_finding *finding = vrm_report_get_finding(job->report, i);
        cli_json json = {job->record, job->record->size > 1};
        cli_json_open(&json, NULL, '{');
        cli_json_text(&json, "code", vrm_finding_get_info(finding->id)->name);
        cli_json_text(&json, "severity", cli_severity_words[finding->severity]);
        cli_json_text(&json, "pointer", finding->path);
        cli_json_close(&json, '}');
    }
}

void cli_print_findings(cli_job *job, const char *path, vrm_severity least)
{
    vrmi_text text;
    vrmi_text_init(&text, NULL);
    if (job->heading != path) {
        cli_add_file_text(&text, path, strlen(path));
        vrmi_text_add_string(&text, ":\n");
    }
    const size_t heading = text.size;
    add_findings(&text, job->report, job->common.quiet ? VRM_SEVERITY_ERROR : least, false, job->decodes);
    if (text.size != heading) {
        cli_progress_clear(job);
        fwrite(text.data, 1, text.size, stderr);
        job->heading = path;
    }
    vrmi_text_free(&text);
}
