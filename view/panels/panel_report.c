// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Shows the findings of the file, the log of events, and statistics.

#include "view.h"

static void show_finding(const vrm_finding *f)
{
    static const struct {
        gui_tone tone;
        const char *word;
    } kinds[] = {{GUI_BAD, "error"}, {GUI_WARN, "warning"}, {GUI_PLAIN, "info"}, {GUI_DIM, "hint"}};
    const vrm_finding_info *info = vrm_finding_get_info(f->id);
    gui_text(kinds[f->severity].tone, "%s  %s", kinds[f->severity].word, info->name);
    gui_text(GUI_PLAIN, "%s", info->sentence);
    if (f->path[0] != '\0') {
        gui_text(GUI_DIM, "at %s", f->path);
    }
    if (f->found[0] != '\0') {
        gui_text(GUI_DIM, "found: %s", f->found);
    }
    if (f->expected[0] != '\0') {
        gui_text(GUI_DIM, "expected: %s", f->expected);
    }
    if (info->hint[0] != '\0') {
        gui_text(GUI_DIM, "%s", info->hint);
    }
    gui_space();
}

static void show_report(const char *heading, const vrm_report *report)
{
    const uint32_t most = 200, count = vrm_report_get_count(report); // nobody would read a longer list
    gui_heading(heading);
    if (count == 0) {
        gui_text(GUI_GOOD, "No findings.");
        return;
    }
    vrmi_text counts;
    vrmi_text_init(&counts, NULL);
    cli_finding_counts_text(&counts, report);
    gui_text(GUI_DIM, "%s", counts.failed ? "" : counts.data);
    vrmi_text_free(&counts);
    gui_space();
    for (uint32_t i = 0; i < count && i < most; ++i) {
        show_finding(vrm_report_get_finding(report, i));
    }
    if (count > most) {
        gui_text(GUI_DIM, "and %u more: vrm validate lists them all", count - most);
    }
}

void panel_messages(view *v)
{
    gui_heading("What happened");
    if (gui_missing_font()[0] != '\0') {
        gui_text(GUI_WARN, "%s", gui_missing_font());
    }
    if (v->log_count == 0) {
        gui_text(GUI_DIM, "Nothing yet.");
    }
    for (uint32_t i = v->log_count; i > 0; --i) {
        gui_text(v->log_bad[i - 1] ? GUI_BAD : GUI_PLAIN, "%s", v->log[i - 1]);
    }
    if (v->figure != NULL) {
        show_report("Findings of loading", v->figure->report);
        show_report("Findings of validation", v->figure->validation);
    }
}

// --- statistics ----------------------------------------------------------------------------------------------------

static void show_bytes(const char *label, uint64_t bytes)
{
    if (bytes >= 1u << 20) {
        gui_row(label, "%.1f MiB", (double)bytes / (1 << 20));
    } else {
        gui_row(label, "%.1f KiB", (double)bytes / (1 << 10));
    }
}

static void show_times(const view *v)
{
    const view_statistics *s = &v->statistics;
    double sum = 0.0;
    for (int i = 0; i < VIEW_TIMES; ++i) {
        sum += (double)s->frames[i];
    }
    const double mean = sum / VIEW_TIMES;
    gui_plot("ms from frame to frame", s->frames, VIEW_TIMES, s->at, 60.0f);
    gui_row("frame", "%.1f ms, %.0f per second", mean, mean > 0.0 ? 1000.0 / mean : 0.0);
    gui_row("update", "%.3f ms", s->update);
    gui_row("drawing", "%.2f ms to submit", s->draw);
    gui_row("panels", "%.3f ms", s->panels);
    gui_row("driver", "%.2f ms until shown", s->show);
    gui_heading("Update by stage");
    for (int i = 0; i < STAGE_TIMES_STAGES; ++i) {
        gui_row(stage_times_label(i), "%.1f us", v->stage_times.stages[i]);
    }
}

static void counts_row(const char *name, const cli_count *counts, size_t size)
{
    vrmi_text text;
    vrmi_text_init(&text, NULL);
    cli_add_counts(&text, counts, size);
    gui_row(name, "%s", text.failed ? "" : text.data);
    vrmi_text_free(&text);
}

static void show_figure(const figure *f)
{
    vrm_render_statistics s = {.struct_size = sizeof s};
    vrm_render_model_get_statistics(f->meshes, &s);
    gui_heading("The avatar");
    gui_row("triangles", "%u in %u primitives", s.triangles, s.primitives);
    gui_row("vertices", "%u", s.vertices);
    gui_row("morphs", "%u", f->counts.morphs);
    gui_row("nodes", "%u, %u joints in palettes", f->counts.nodes, f->counts.palette_joints);
    const cli_count springs[] = {{f->counts.spring_chains, "chain", NULL}, {f->counts.spring_joints, "joint", NULL},
        {f->counts.colliders, "collider", NULL}};
    counts_row("springs", springs, 3);
    gui_row("constraints", "%u", f->counts.constraints);
    gui_row("materials", "%u, %u textures", f->counts.materials, s.textures);
    gui_heading("Memory");
    show_bytes("avatar", f->counts.bytes);
    show_bytes("instance", f->instance_bytes);
    show_bytes("GPU textures", s.texture_bytes);
    show_bytes("GPU buffers", s.buffer_bytes);
    gui_heading("Loading");
    gui_row("file", "%.1f ms", f->load_seconds * 1e3);
    gui_row("avatar", "%.1f ms", f->import_seconds * 1e3);
    gui_row("validation", "%.1f ms", f->validate_seconds * 1e3);
    gui_row("to the GPU", "%.1f ms", f->upload_seconds * 1e3);
}

void panel_statistics(view *v)
{
    gui_heading("Frame");
    show_times(v);
    show_figure(v->figure);
    gui_space();
    gui_text(GUI_DIM, "%s", vrm_renderer_get_driver(v->renderer));
}
