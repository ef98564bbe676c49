// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Reads materialProperties of VRM 0.x: Unity's materials, with the same indices as the glTF materials. MToon 0.x is
// converted to MToon 1.0 so that it looks the same. The formulas are from UniVRM's migration, which supports both
// shaders.

#include <string.h>

#include "import/avatar/import_parts.h"
#include "import/upgrade/upgrade.h"
#include "import/upgrade/upgrade_color.h"
#include "math/scalar.h"

enum { SHADER_SIZE = 64, QUEUES_BEHIND = 9, QUEUE_TRANSPARENT = 3000, QUEUE_Z_WRITE = 2501 };

// Unity's render queues of blended materials. The drawing order in 1.0 is computed from them.
typedef struct queue_list {
    int32_t *queues; // indexed by material; used only for blended ones
    uint8_t *kind;   // indexed by material: 0 not blended, 1 blended, 2 blended with depth writes
} queue_list;

typedef struct old_material {
    vrmi_import *import;
    uint32_t floats, vectors, textures, keywords; // JSON objects
    vrm_texture_transform transform;              // transform of the main texture, used for all textures
    vrm_material_params *out;
} old_material;

static float number(const old_material *m, const char *key, float fallback)
{
    (void)vrmi_read_float(&m->import->reader, m->floats, key, VRMI_OPTIONAL, &fallback);
    return fallback;
}

static bool keyword(const old_material *m, const char *key)
{
    return vrmi_json_is(m->import->json, vrmi_json_member(m->import->json, m->keywords, key), VRMI_JSON_TRUE);
}

static bool vector(const old_material *m, const char *key, float out[4])
{
    return vrmi_json_count(m->import->json, vrmi_json_member(m->import->json, m->vectors, key)) == 4 &&
           vrmi_read_floats(&m->import->reader, m->vectors, key, VRMI_OPTIONAL, 4, out);
}

static void color(const old_material *m, const char *key, vrm_vec4 fallback, vrm_material_color index)
{
    float read[4] = {fallback.x, fallback.y, fallback.z, fallback.w};
    (void)vector(m, key, read);
    const vrm_vec4 value = {read[0], read[1], read[2], read[3]};
    // Unity's emission colours are HDR and already linear.
    m->out->colors[index] = index == VRM_MATERIAL_COLOR_EMISSION ? value : vrmi_linear(value);
}

static void texture(const old_material *m, const char *key, vrm_texture_slot slot)
{
    uint32_t index = 0;
    vrm_texture *out = &m->out->textures[slot];
    if (vrmi_read_index_or_none(
            &m->import->reader, m->textures, key, m->import->gltf->counts[VRM_GLTF_TEXTURES], &index)) {
        out->index = (int32_t)index;
        out->transform = m->transform;
    }
}

// Reads [offset x, offset y, scale x, scale y], where V points upwards.
static vrm_texture_transform main_transform(const old_material *m)
{
    float st[4] = {0.0f, 0.0f, 1.0f, 1.0f};
    (void)vector(m, "_MainTex", st);
    return (vrm_texture_transform){{st[2], st[3]}, {st[0], 1.0f - st[1] - st[3]}, 0.0f};
}

static void read_alpha(const old_material *m)
{
    enum { OPAQUE, CUTOUT, TRANSPARENT, TRANSPARENT_Z_WRITE };
    int mode = (int)vrmi_clamp(number(m, "_BlendMode", -1.0f), -1.0f, 3.0f);
    if (mode < 0) { // without a mode, the shader's keywords decide (a file written by hand)
        const bool z_write = number(m, "_ZWrite", 0.0f) == 1.0f;
        mode = keyword(m, "_ALPHABLEND_ON") ? (z_write ? TRANSPARENT_Z_WRITE : TRANSPARENT)
                                            : (keyword(m, "_ALPHATEST_ON") ? CUTOUT : OPAQUE);
    }
    m->out->alpha_mode = mode == CUTOUT ? VRM_ALPHA_MASK : mode == OPAQUE ? VRM_ALPHA_OPAQUE : VRM_ALPHA_BLEND;
    m->out->transparent_with_z_write = mode == TRANSPARENT_Z_WRITE;
    m->out->alpha_cutoff = number(m, "_Cutoff", 0.5f);
}

// Converts the limits of the shading range to its middle and its sharpness, as in 1.0.
void vrmi_old_shading(float shift, float toony, vrm_material_params *out)
{
    shift = vrmi_clamp(shift, -1.0f, 1.0f);
    const float high = vrmi_lerp(1.0f, shift, vrmi_clamp(toony, 0.0f, 1.0f));
    out->shading_toony = vrmi_clamp((2.0f - (high - shift)) * 0.5f, 0.0f, 1.0f);
    out->shading_shift = vrmi_clamp(-(high + shift) * 0.5f, -1.0f, 1.0f);
}

static void read_outline(const old_material *m)
{
    enum { NONE, WORLD, SCREEN };
    const float width = number(m, "_OutlineWidth", 0.5f);
    const int mode = (int)vrmi_clamp(number(m, "_OutlineWidthMode", 0.0f), 0.0f, 2.0f);
    m->out->outline_mode = mode == WORLD    ? VRM_OUTLINE_WORLD_COORDINATES
                           : mode == SCREEN ? VRM_OUTLINE_SCREEN_COORDINATES
                                            : VRM_OUTLINE_NONE;
    // World widths are in centimetres. Screen widths are in percent of half the screen's height.
    m->out->outline_width = mode == WORLD ? width * 0.01f : mode == SCREEN ? width * 0.005f : 0.0f;
    m->out->outline_lighting_mix =
        number(m, "_OutlineColorMode", 0.0f) == 1.0f ? number(m, "_OutlineLightingMix", 1.0f) : 0.0f;
}

static void read_mtoon(const old_material *m)
{
    vrm_material_params *out = m->out;
    out->type = VRM_MATERIAL_MTOON;
    read_alpha(m);
    out->double_sided = number(m, "_CullMode", 2.0f) != 2.0f; // 0: off, 1: front (1.0 has no such mode), 2: back
    color(m, "_Color", (vrm_vec4){1.0f, 1.0f, 1.0f, 1.0f}, VRM_MATERIAL_COLOR_BASE);
    color(m, "_ShadeColor", (vrm_vec4){0.97f, 0.81f, 0.86f, 1.0f}, VRM_MATERIAL_COLOR_SHADE);
    color(m, "_EmissionColor", (vrm_vec4){0.0f, 0.0f, 0.0f, 1.0f}, VRM_MATERIAL_COLOR_EMISSION);
    color(m, "_RimColor", (vrm_vec4){0.0f, 0.0f, 0.0f, 1.0f}, VRM_MATERIAL_COLOR_RIM);
    color(m, "_OutlineColor", (vrm_vec4){0.0f, 0.0f, 0.0f, 1.0f}, VRM_MATERIAL_COLOR_OUTLINE);
    for (int slot = 0; slot < VRM_TEXTURE_SLOT_COUNT; ++slot) {
        out->textures[slot] = (vrm_texture){-1, 0, 1.0f, {{1.0f, 1.0f}, {0.0f, 0.0f}, 0.0f}};
    }
    texture(m, "_MainTex", VRM_TEXTURE_BASE_COLOR);
    texture(m, "_ShadeTexture", VRM_TEXTURE_SHADE_MULTIPLY);
    texture(m, "_BumpMap", VRM_TEXTURE_NORMAL);
    out->textures[VRM_TEXTURE_NORMAL].scale = number(m, "_BumpScale", 1.0f);
    texture(m, "_EmissionMap", VRM_TEXTURE_EMISSIVE);
    texture(m, "_SphereAdd", VRM_TEXTURE_MATCAP);
    texture(m, "_RimTexture", VRM_TEXTURE_RIM_MULTIPLY);
    texture(m, "_OutlineWidthTexture", VRM_TEXTURE_OUTLINE_WIDTH_MULTIPLY);
    texture(m, "_UvAnimMaskTexture", VRM_TEXTURE_UV_ANIMATION_MASK);
    const float matcap = out->textures[VRM_TEXTURE_MATCAP].index >= 0 ? 1.0f : 0.0f;
    out->colors[VRM_MATERIAL_COLOR_MATCAP] = (vrm_vec4){matcap, matcap, matcap, 1.0f};
    vrmi_old_shading(number(m, "_ShadeShift", 0.0f), number(m, "_ShadeToony", 0.9f), out);
    out->gi_equalization = vrmi_clamp(1.0f - number(m, "_IndirectLightIntensity", 0.1f), 0.0f, 1.0f);
    out->rim_fresnel_power = number(m, "_RimFresnelPower", 1.0f);
    out->rim_lift = number(m, "_RimLift", 0.0f);
    out->rim_lighting_mix = number(m, "_RimLightingMix", 0.0f);
    read_outline(m);
    out->uv_scroll_speed[0] = number(m, "_UvAnimScrollX", 0.0f);
    out->uv_scroll_speed[1] = -number(m, "_UvAnimScrollY", 0.0f);
    out->uv_rotation_speed = number(m, "_UvAnimRotation", 0.0f) * 2.0f * VRMI_PI; // converted from turns per second
}

// Reads the shaders VRM/Unlit... and UniGLTF/UniUnlit.
static void read_unlit(const old_material *m, const char *shader)
{
    vrm_material_params *out = m->out;
    out->type = VRM_MATERIAL_UNLIT;
    if (strcmp(shader, "UniGLTF/UniUnlit") == 0) {
        return; // the glTF material contains the same values
    }
    const bool z_write = strcmp(shader, "VRM/UnlitTransparentZWrite") == 0;
    const bool blend = z_write || strcmp(shader, "VRM/UnlitTransparent") == 0;
    out->alpha_mode = blend                                    ? VRM_ALPHA_BLEND
                      : strcmp(shader, "VRM/UnlitCutout") == 0 ? VRM_ALPHA_MASK
                                                               : VRM_ALPHA_OPAQUE;
    out->transparent_with_z_write = z_write;
    out->alpha_cutoff = number(m, "_Cutoff", 0.5f);
    color(m, "_Color", (vrm_vec4){1.0f, 1.0f, 1.0f, 1.0f}, VRM_MATERIAL_COLOR_BASE);
    texture(m, "_MainTex", VRM_TEXTURE_BASE_COLOR);
}

static void read_properties(vrmi_import *import, uint32_t properties, uint32_t index, queue_list *list)
{
    vrmi_reader *reader = &import->reader;
    vrm_material_params *out = &VRMI_ROWS(import, material, vrmi_material_row)[index].params;
    char shader[SHADER_SIZE];
    const uint32_t name = vrmi_read_string(reader, properties, "shader", VRMI_OPTIONAL);
    vrmi_json_unescape(import->json, name, shader, sizeof shader);
    const bool mtoon = strcmp(shader, "VRM/MToon") == 0;
    if (!mtoon && strncmp(shader, "VRM/Unlit", 9) != 0 && strcmp(shader, "UniGLTF/UniUnlit") != 0) {
        if (name != VRMI_JSON_NONE && strcmp(shader, "VRM_USE_GLTFSHADER") != 0 && strcmp(shader, "Standard") != 0) {
            vrmi_reader_report_value(reader, VRM_FINDING_VRM0_UNKNOWN_SHADER, name, "VRM/MToon, VRM/Unlit...");
        }
        return;
    }
    old_material m = {
        .import = import,
        .floats = vrmi_read_object(reader, properties, "floatProperties", VRMI_OPTIONAL),
        .vectors = vrmi_read_object(reader, properties, "vectorProperties", VRMI_OPTIONAL),
        .textures = vrmi_read_object(reader, properties, "textureProperties", VRMI_OPTIONAL),
        .keywords = vrmi_read_object(reader, properties, "keywordMap", VRMI_OPTIONAL),
        .out = out,
    };
    m.transform = main_transform(&m);
    if (mtoon) {
        read_mtoon(&m);
    } else {
        read_unlit(&m, shader);
    }
    if (out->alpha_mode == VRM_ALPHA_BLEND) {
        float queue = -1.0f;
        (void)vrmi_read_float(reader, properties, "renderQueue", VRMI_OPTIONAL, &queue);
        list->kind[index] = out->transparent_with_z_write ? 2 : 1;
        list->queues[index] = queue >= 0.0f && queue < 1e6f   ? (int32_t)queue
                              : out->transparent_with_z_write ? QUEUE_Z_WRITE
                                                              : QUEUE_TRANSPARENT;
    }
}

// Assigns render queue offsets in the order of the queues: 0 down to -9 without depth writes, 0 up to 9 with depth
// writes. If there are more than ten queues, the remaining ones share the last offset.
static void rank_queues(vrmi_import *import, const queue_list *list, uint8_t kind)
{
    const uint32_t count = import->model.material.count;
    vrmi_material_row *rows = VRMI_ROWS(import, material, vrmi_material_row);
    int32_t last = kind == 2 ? INT32_MIN : INT32_MAX;
    for (int32_t rank = 0; rank <= QUEUES_BEHIND; ++rank) {
        int32_t next = kind == 2 ? INT32_MAX : INT32_MIN;
        for (uint32_t i = 0; i < count;
             ++i) { // finds the next higher queue with depth writes, the next lower one without
            const int32_t queue = list->queues[i];
            if (list->kind[i] == kind && (kind == 2 ? queue > last && queue < next : queue < last && queue > next)) {
                next = queue;
            }
        }
        for (uint32_t i = 0; i < count; ++i) {
            const int32_t queue = list->queues[i];
            if (list->kind[i] == kind && (kind == 2 ? queue >= next : queue <= next)) {
                rows[i].params.render_queue_offset = kind == 2 ? rank : -rank;
            }
        }
        last = next;
    }
}

void vrmi_vrm0_materials(vrmi_import *import)
{
    const vrmi_json *json = import->json;
    const uint32_t count = import->model.material.count;
    const uint32_t array = vrmi_read_array(&import->reader, import->vrm, "materialProperties", VRMI_OPTIONAL);
    queue_list list = {
        .queues = vrmi_import_scratch(import, count, sizeof *list.queues),
        .kind = vrmi_import_scratch(import, count, sizeof *list.kind),
    };
    uint32_t item = vrmi_json_first(json, array);
    for (uint32_t i = 0; i < count && item != VRMI_JSON_NONE && vrmi_import_tick(import, 1);
         ++i, item = vrmi_json_next(json, item)) {
        if (vrmi_json_is(json, item, VRMI_JSON_OBJECT)) {
            read_properties(import, item, i, &list);
        } else {
            vrmi_reader_report_value(&import->reader, VRM_FINDING_TYPE_MISMATCH, item, "an object");
        }
    }
    if (vrmi_import_runs(import)) {
        rank_queues(import, &list, 1);
        rank_queues(import, &list, 2);
    }
}
