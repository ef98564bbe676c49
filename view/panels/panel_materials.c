// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include <stdio.h>
#include <string.h>

#include "view.h"

static void show_texture(const view *v, const char *label, const vrm_texture *texture)
{
    char pointer[64], name[96];
    vrm_string text;
    vrm_gltf_image image = {.struct_size = sizeof image};
    double source = -1.0;
    if (texture->index < 0) {
        return;
    }
    snprintf(pointer, sizeof pointer, "/textures/%d/source", texture->index);
    if (vrm_gltf_get_json(v->figure->gltf, pointer, &text) == VRM_SUCCESS) {
        (void)vrmi_parse_double(text.data, text.length, &source);
    }
    if (!(source >= 0.0 && source < 4e9) ||
        vrm_gltf_get_image(v->figure->gltf, (uint32_t)source, &image) != VRM_SUCCESS) {
        gui_row(label, "texture %d", texture->index);
        return;
    }
    gui_row(label, "%s, %u x %u, %s, UV %u", panel_name(name, sizeof name, image.name, "(no name)"), image.width,
        image.height, image.mime_type[0] != '\0' ? strrchr(image.mime_type, '/') + 1 : "unknown", texture->tex_coord);
}

static void show_colors(const vrm_material_params *p, const vrm_material_values *values)
{
    static const char *const labels[] = {"base", "emission", "shade", "matcap", "rim", "outline"};
    const int count = p->type == VRM_MATERIAL_MTOON ? VRM_MATERIAL_COLOR_COUNT : p->type == VRM_MATERIAL_UNLIT ? 1 : 2;
    for (int i = 0; i < count; ++i) {
        gui_swatch(labels[i], &(values != NULL ? values->colors : p->colors)[i].x);
    }
}

static void show_mtoon(const vrm_material_params *p)
{
    static const char *const outlines[] = {"none", "in metres", "of the screen's height"};
    gui_row("shading", "shift %.3g, toony %.3g", (double)p->shading_shift, (double)p->shading_toony);
    gui_row("light", "equalized by %.3g", (double)p->gi_equalization);
    gui_row("rim", "fresnel %.3g, lift %.3g, lighting %.3g", (double)p->rim_fresnel_power, (double)p->rim_lift,
        (double)p->rim_lighting_mix);
    gui_row("outline", "%s, width %.4g, lighting %.3g", outlines[p->outline_mode], (double)p->outline_width,
        (double)p->outline_lighting_mix);
    gui_row("UV motion", "%.3g, %.3g per s, turn %.3g rad/s", (double)p->uv_scroll_speed[0],
        (double)p->uv_scroll_speed[1], (double)p->uv_rotation_speed);
}

static void show_material(const view *v, const vrm_material *m)
{
    static const char *const types[] = {"metallic-roughness", "unlit", "MToon"};
    static const char *const alphas[] = {"opaque", "mask", "blend"};
    static const char *const slots[VRM_TEXTURE_SLOT_COUNT] = {"base", "metal, rough", "normal", "occlusion", "emissive",
        "shade", "shift", "matcap", "rim", "outline width", "UV mask"};
    const vrm_material_params *p = &m->params;
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(v->figure->instance, &out);
    gui_row("type", "%s", types[p->type]);
    gui_row("alpha", "%s%s", alphas[p->alpha_mode], p->transparent_with_z_write ? ", writes depth" : "");
    if (p->alpha_mode == VRM_ALPHA_MASK) {
        gui_row("cutoff", "%.3g", (double)p->alpha_cutoff);
    }
    gui_row("sides", "%s", p->double_sided ? "both" : "front");
    gui_row("queue offset", "%d", p->render_queue_offset);
    if (p->type == VRM_MATERIAL_PBR) {
        gui_row("metal, rough", "%.3g, %.3g", (double)p->metallic, (double)p->roughness);
    }
    gui_row("emission", "strength %.3g", (double)p->emissive_strength);
    gui_heading("Colours now (linear)");
    show_colors(p, (uint32_t)v->material < out.material_count ? &out.materials[v->material] : NULL);
    if (p->type == VRM_MATERIAL_MTOON) {
        gui_heading("MToon");
        show_mtoon(p);
    }
    gui_heading("Textures");
    for (int i = 0; i < VRM_TEXTURE_SLOT_COUNT; ++i) {
        show_texture(v, slots[i], &p->textures[i]);
    }
}

void panel_materials(view *v)
{
    vrm_material material = {.struct_size = sizeof material};
    char name[96];
    gui_heading("Materials");
    if (v->figure->counts.materials == 0) {
        gui_text(GUI_DIM, "The file has none.");
        return;
    }
    gui_begin_child("materials", 0.0f, 180.0f);
    for (uint32_t i = 0; i < v->figure->counts.materials; ++i) {
        if (vrm_avatar_get_material(v->figure->avatar, i, &material) != VRM_SUCCESS) {
            continue;
        }
        gui_push_id((int)i);
        if (gui_selectable(panel_name(name, sizeof name, material.name, "(no name)"), v->material == (int)i, 0.0f)) {
            v->material = (int)i;
        }
        gui_pop_id();
    }
    gui_end_child();
    if (vrm_avatar_get_material(v->figure->avatar, (uint32_t)v->material, &material) == VRM_SUCCESS) {
        gui_heading(panel_name(name, sizeof name, material.name, "(no name)"));
        show_material(v, &material);
    }
}
