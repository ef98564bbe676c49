// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "gui.h"

#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <string>
#include <unordered_map>

#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

namespace {

// Font files, at their places in Debian. The first file that exists is used; East Asian letters are added to it.
struct font_place {
    const char *path, *package;
};
const font_place latin_fonts[] = {
    {"/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", "fonts-dejavu-core"},
    {"/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf", "fonts-noto-core"},
    {"/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf", "fonts-liberation"},
};
const font_place wide_fonts[] = {
    {"/usr/share/fonts/truetype/vlgothic/VL-Gothic-Regular.ttf", "fonts-vlgothic"},
    {"/usr/share/fonts/opentype/ipafont-gothic/ipag.ttf", "fonts-ipafont-gothic"},
    {"/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf", "fonts-droid-fallback"},
    {"/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc", "fonts-noto-cjk"},
};
const float font_size = 15.0f;

struct gui_state {
    std::string font, missing;
    ImFontGlyphRangesBuilder letters;
    ImVector<ImWchar> ranges;
    bool letters_changed = false, wide_wanted = false, activated = false;
    std::unordered_map<std::string, ImVec2> places, last_places;
};
gui_state *state;

const ImVec4 tones[] = {{0.90f, 0.92f, 0.95f, 1}, {0.60f, 0.65f, 0.72f, 1}, {0.50f, 0.84f, 0.60f, 1},
    {0.97f, 0.50f, 0.48f, 1}, {0.95f, 0.78f, 0.40f, 1}, {1, 1, 1, 1}};

bool is_there(const char *path)
{
    FILE *file = std::fopen(path, "rb");
    if (file != nullptr) {
        std::fclose(file);
    }
    return file != nullptr;
}

const char *first_of(const font_place *places, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        if (is_there(places[i].path)) {
            return places[i].path;
        }
    }
    return nullptr;
}

void build_fonts()
{
    ImFontAtlas *atlas = ImGui::GetIO().Fonts;
    const char *latin =
        !state->font.empty() && is_there(state->font.c_str()) ? state->font.c_str() : first_of(latin_fonts, 3);
    const char *wide = state->wide_wanted ? first_of(wide_fonts, 4) : nullptr;
    atlas->Clear();
    state->ranges.clear();
    state->letters.BuildRanges(&state->ranges);
    state->missing.clear();
    if (latin != nullptr) {
        atlas->AddFontFromFileTTF(latin, font_size, nullptr, state->ranges.Data);
    } else {
        atlas->AddFontDefault();
        state->missing =
            std::string("There is no font for the panels. Install the Debian package ") + latin_fonts[0].package + ".";
    }
    if (wide != nullptr) {
        ImFontConfig config;
        config.MergeMode = true;
        atlas->AddFontFromFileTTF(wide, font_size + 1.0f, &config, state->ranges.Data);
    } else if (state->wide_wanted) {
        state->missing = std::string("Some names need East Asian letters. Install the Debian package ") +
                         wide_fonts[0].package + ".";
    }
    atlas->Build();
    state->letters_changed = false;
}

// Adds letters outside Latin-1 to the font atlas when they are first seen.
void notice(const char *begin, const char *end)
{
    for (const char *c = begin; c < end; ++c) {
        if ((unsigned char)*c < 0xc4) {
            continue;
        }
        const unsigned char lead = (unsigned char)*c;
        const int more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
        unsigned code = lead & (0x3fu >> more);
        for (int i = 1; i <= more && c + i < end; ++i) {
            code = code << 6 | ((unsigned char)c[i] & 0x3fu);
        }
        if (code >= 0x100 && code <= IM_UNICODE_CODEPOINT_MAX && !state->letters.GetBit(code)) {
            state->letters.AddChar((ImWchar)code);
            state->letters_changed = true;
            state->wide_wanted = state->wide_wanted || code >= 0x2e80;
        }
    }
}

void notice(const char *text)
{
    notice(text, text + std::strlen(text));
}

// Records the position of the last widget.
void keep_place(const char *label)
{
    state->activated = ImGui::IsItemActivated();
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    const ImVec2 at((low.x + high.x) * 0.5f, (low.y + high.y) * 0.5f);
    if (!ImGui::IsRectVisible(low, high) || !ImGui::IsRectVisible(at, ImVec2(at.x + 1.0f, at.y + 1.0f))) {
        return; // the widget is scrolled out of view
    }
    state->places.emplace(label, at);
}

void show_text(gui_tone tone, const char *begin, const char *end)
{
    notice(begin, end);
    ImGui::PushStyleColor(ImGuiCol_Text, tones[tone]);
    ImGui::PushTextWrapPos(0.0f);
    ImGui::TextUnformatted(begin, end);
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
}

// The label follows its widget, and the widget takes all the width that the label does not need.
void begin_labelled(const char *label)
{
    ImGui::PushID(label);
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x * 0.58f);
}

void end_labelled(const char *label)
{
    ImGui::SameLine(0.0f, 8.0f);
    notice(label);
    ImGui::TextUnformatted(label);
    ImGui::PopID();
}

void set_style()
{
    ImGui::StyleColorsDark();
    ImGuiStyle &s = ImGui::GetStyle();
    s.WindowRounding = 0.0f;
    s.ChildRounding = s.FrameRounding = s.GrabRounding = 4.0f;
    s.WindowBorderSize = 0.0f;
    s.WindowPadding = ImVec2(12, 10);
    s.FramePadding = ImVec2(8, 4);
    s.ItemSpacing = ImVec2(8, 6);
    s.ScrollbarSize = 11.0f;
    ImVec4 *c = s.Colors;
    c[ImGuiCol_Text] = tones[GUI_PLAIN];
    c[ImGuiCol_WindowBg] = ImVec4(0.106f, 0.118f, 0.141f, 1.0f);
    c[ImGuiCol_ChildBg] = ImVec4(0, 0, 0, 0);
    c[ImGuiCol_PopupBg] = ImVec4(0.13f, 0.145f, 0.175f, 1.0f);
    c[ImGuiCol_FrameBg] = ImVec4(0.175f, 0.195f, 0.235f, 1.0f);
    c[ImGuiCol_FrameBgHovered] = ImVec4(0.215f, 0.24f, 0.29f, 1.0f);
    c[ImGuiCol_FrameBgActive] = ImVec4(0.24f, 0.27f, 0.33f, 1.0f);
    c[ImGuiCol_Button] = ImVec4(0.20f, 0.225f, 0.275f, 1.0f);
    c[ImGuiCol_ButtonHovered] = ImVec4(0.26f, 0.33f, 0.46f, 1.0f);
    c[ImGuiCol_ButtonActive] = ImVec4(0.30f, 0.42f, 0.62f, 1.0f);
    c[ImGuiCol_Header] = ImVec4(0.24f, 0.35f, 0.54f, 1.0f);
    c[ImGuiCol_HeaderHovered] = ImVec4(0.24f, 0.28f, 0.36f, 1.0f);
    c[ImGuiCol_HeaderActive] = ImVec4(0.28f, 0.40f, 0.60f, 1.0f);
    c[ImGuiCol_CheckMark] = ImVec4(0.45f, 0.64f, 0.95f, 1.0f);
    c[ImGuiCol_SliderGrab] = ImVec4(0.27f, 0.42f, 0.68f, 1.0f); // dark enough for the number written over it
    c[ImGuiCol_SliderGrabActive] = ImVec4(0.36f, 0.53f, 0.82f, 1.0f);
    c[ImGuiCol_PlotHistogram] = c[ImGuiCol_PlotLines] = ImVec4(0.45f, 0.64f, 0.95f, 1.0f);
    c[ImGuiCol_Separator] = ImVec4(0.22f, 0.245f, 0.29f, 1.0f);
    c[ImGuiCol_ScrollbarBg] = ImVec4(0, 0, 0, 0);
    c[ImGuiCol_ScrollbarGrab] = ImVec4(0.26f, 0.29f, 0.34f, 1.0f);
}

float encoded(float c)
{
    c = c < 0.0f ? 0.0f : c > 1.0f ? 1.0f : c;
    return c <= 0.0031308f ? c * 12.92f : 1.055f * std::pow(c, 1.0f / 2.4f) - 0.055f;
}

} // namespace

bool gui_start(struct GLFWwindow *window, const char *font)
{
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    state = new gui_state;
    state->font = font != nullptr ? font : "";
    state->letters.AddRanges(ImGui::GetIO().Fonts->GetGlyphRangesDefault());
    ImGui::GetIO().IniFilename = nullptr; // the layout of the panels is fixed, so no .ini file is written
    set_style();
    build_fonts();
    return ImGui_ImplGlfw_InitForOpenGL(window, true) && ImGui_ImplOpenGL3_Init("#version 300 es");
}

void gui_stop(void)
{
    if (state == nullptr) {
        return;
    }
    if (ImGui::GetIO().BackendRendererUserData != nullptr) {
        ImGui_ImplOpenGL3_Shutdown();
    }
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
    delete state;
    state = nullptr;
}

void gui_begin_frame(void)
{
    if (state->letters_changed) {
        build_fonts();
        ImGui_ImplOpenGL3_DestroyFontsTexture();
        ImGui_ImplOpenGL3_CreateFontsTexture();
    }
    state->last_places.swap(state->places);
    state->places.clear();
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    ImGui::NewFrame();
}

void gui_end_frame(bool seen)
{
    ImGui::Render();
    if (seen) {
        ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    }
}

bool gui_has_mouse(void)
{
    return ImGui::GetIO().WantCaptureMouse;
}

bool gui_has_keyboard(void)
{
    return ImGui::GetIO().WantTextInput;
}

const char *gui_missing_font(void)
{
    return state->missing.c_str();
}

bool gui_find(const char *label, float *out_x, float *out_y)
{
    const auto found = state->last_places.find(label);
    if (found == state->last_places.end()) {
        return false;
    }
    *out_x = found->second.x;
    *out_y = found->second.y;
    return true;
}

void gui_begin_panel(const char *name, gui_rect rect)
{
    ImGui::SetNextWindowPos(ImVec2(rect.x, rect.y));
    ImGui::SetNextWindowSize(ImVec2(rect.width, rect.height));
    ImGui::Begin(name, nullptr,
        ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
            ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav);
}

void gui_end_panel(void)
{
    ImGui::End();
}

void gui_begin_child(const char *name, float width, float height)
{
    ImGui::BeginChild(name, ImVec2(width, height), false, ImGuiWindowFlags_NoNav);
}

void gui_end_child(void)
{
    ImGui::EndChild();
}

void gui_push_id(int id)
{
    ImGui::PushID(id);
}

void gui_pop_id(void)
{
    ImGui::PopID();
}

void gui_begin_disabled(bool disabled)
{
    ImGui::BeginDisabled(disabled);
}

void gui_end_disabled(void)
{
    ImGui::EndDisabled();
}

void gui_text(gui_tone tone, const char *format, ...)
{
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    show_text(tone, text, text + std::strlen(text));
}

void gui_string(gui_tone tone, vrm_string text)
{
    show_text(tone, text.data, text.data + text.length);
}

void gui_row(const char *name, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    show_text(GUI_DIM, name, name + std::strlen(name));
    ImGui::SameLine(132.0f);
    show_text(GUI_PLAIN, text, text + std::strlen(text));
}

void gui_heading(const char *text)
{
    ImGui::Dummy(ImVec2(0, 4));
    show_text(GUI_TITLE, text, text + std::strlen(text));
    ImGui::Separator();
}

void gui_space(void)
{
    ImGui::Dummy(ImVec2(0, 4));
}

void gui_same_line(void)
{
    ImGui::SameLine();
}

void gui_same_line_at(float x)
{
    ImGui::SameLine(x);
}

float gui_width(void)
{
    return ImGui::GetContentRegionAvail().x;
}

void gui_tooltip(const char *text)
{
    if (ImGui::IsItemHovered()) {
        ImGui::SetTooltip("%s", text);
    }
}

bool gui_button(const char *label)
{
    notice(label);
    const bool pressed = ImGui::Button(label);
    keep_place(label);
    return pressed;
}

bool gui_check(const char *label, bool *value)
{
    ImGui::PushID(label);
    const bool changed = ImGui::Checkbox("##check", value);
    keep_place(label);
    end_labelled(label);
    return changed;
}

bool gui_flag(const char *label, uint32_t *bits, uint32_t bit)
{
    bool on = (*bits & bit) != 0;
    if (!gui_check(label, &on)) {
        return false;
    }
    *bits ^= bit;
    return true;
}

bool gui_slider(const char *label, float *value, float low, float high)
{
    begin_labelled(label);
    const bool changed = ImGui::SliderFloat("##slider", value, low, high, high - low > 20.0f ? "%.1f" : "%.3f");
    keep_place(label);
    end_labelled(label);
    return changed;
}

bool gui_bar(const char *label, float *value, float low, float high, float width)
{
    ImGui::PushID(label);
    ImGui::SetNextItemWidth(width);
    const bool changed = ImGui::SliderFloat("##bar", value, low, high, "%.2f");
    keep_place(label);
    ImGui::PopID();
    return changed;
}

bool gui_combo(const char *label, int *value, const char *const *words, int count)
{
    begin_labelled(label);
    for (int i = 0; i < count; ++i) {
        notice(words[i]);
    }
    bool changed = false;
    const bool open = ImGui::BeginCombo("##combo", *value >= 0 && *value < count ? words[*value] : "");
    if (!open) {
        keep_place(label);
    } else {
        for (int i = 0; i < count; ++i) {
            ImGui::PushID(i);
            if (ImGui::Selectable(words[i], i == *value)) {
                changed = i != *value;
                *value = i;
            }
            keep_place(words[i]);
            ImGui::PopID();
        }
        ImGui::EndCombo();
    }
    end_labelled(label);
    return changed;
}

int gui_menu(const char *label, const char *const *words, int count, float width)
{
    int chosen = -1;
    ImGui::SetNextItemWidth(width);
    ImGui::PushID(label);
    if (ImGui::BeginCombo("##menu", label)) {
        for (int i = 0; i < count; ++i) {
            notice(words[i]);
            ImGui::PushID(i);
            chosen = ImGui::Selectable(words[i]) ? i : chosen;
            keep_place(words[i]);
            ImGui::PopID();
        }
        ImGui::EndCombo();
    } else {
        keep_place(label);
    }
    ImGui::PopID();
    return chosen;
}

bool gui_input(const char *label, char *text, size_t size)
{
    notice(text);
    begin_labelled(label);
    const bool entered = ImGui::InputText("##input", text, size, ImGuiInputTextFlags_EnterReturnsTrue);
    keep_place(label);
    end_labelled(label);
    return entered;
}

bool gui_selectable(const char *label, bool selected, float indent)
{
    ImGui::PushID(label);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool pressed = ImGui::Selectable("##selectable", selected);
    keep_place(label);
    notice(label);
    const ImVec2 edge = ImGui::GetItemRectMax();
    ImDrawList *list = ImGui::GetWindowDrawList();
    list->PushClipRect(at, edge, true);
    list->AddText(ImVec2(at.x + 6.0f + indent, at.y), ImGui::GetColorU32(ImGuiCol_Text), label);
    list->PopClipRect();
    ImGui::PopID();
    return pressed;
}

void gui_progress(float fraction, const char *text)
{
    notice(text);
    ImGui::ProgressBar(fraction, ImVec2(-1.0f, 0.0f), text);
}

void gui_meter(float fraction, float width)
{
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = ImGui::GetFrameHeight();
    ImDrawList *list = ImGui::GetWindowDrawList();
    const float top = at.y + height * 0.5f - 3.0f;
    list->AddRectFilled(
        ImVec2(at.x, top), ImVec2(at.x + width, top + 6.0f), ImGui::GetColorU32(ImGuiCol_FrameBg), 3.0f);
    if (fraction > 0.0f) {
        list->AddRectFilled(ImVec2(at.x, top), ImVec2(at.x + width * (fraction < 1.0f ? fraction : 1.0f), top + 6.0f),
            ImGui::GetColorU32(ImGuiCol_PlotHistogram), 3.0f);
    }
    ImGui::Dummy(ImVec2(width, height));
}

void gui_swatch(const char *label, const float *linear_rgba)
{
    const ImVec4 color(encoded(linear_rgba[0]), encoded(linear_rgba[1]), encoded(linear_rgba[2]), linear_rgba[3]);
    ImGui::PushID(label);
    ImGui::ColorButton(
        "##swatch", color, ImGuiColorEditFlags_AlphaPreviewHalf | ImGuiColorEditFlags_NoTooltip, ImVec2(34, 18));
    ImGui::SameLine(0.0f, 8.0f);
    ImGui::TextUnformatted(label);
    ImGui::SameLine(132.0f);
    ImGui::TextColored(tones[GUI_DIM], "%.3f %.3f %.3f %.3f", (double)linear_rgba[0], (double)linear_rgba[1],
        (double)linear_rgba[2], (double)linear_rgba[3]);
    ImGui::PopID();
}

void gui_plot(const char *label, const float *values, int count, int first, float high)
{
    ImGui::PlotLines(
        "##plot", values, count, first, label, 0.0f, high, ImVec2(ImGui::GetContentRegionAvail().x, 64.0f));
}

void gui_picture(uint32_t texture, float width, float height)
{
    ImGui::Image((ImTextureID)(intptr_t)texture, ImVec2(width, height));
}

bool gui_activated(void)
{
    return state->activated;
}
