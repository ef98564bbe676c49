// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Loads materials and their images. An image becomes one texture for each colour space in which it is used. Samplers
// are separate objects, so that glTF textures with the same image share its pixels.

#include <vrm/mesh.h>

#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Returns true for slots with colours, which are decoded from sRGB before filtering. Everything else is data.
static bool is_color(int slot)
{
    return slot == VRM_TEXTURE_BASE_COLOR || slot == VRM_TEXTURE_EMISSIVE || slot == VRM_TEXTURE_SHADE_MULTIPLY ||
           slot == VRM_TEXTURE_MATCAP || slot == VRM_TEXTURE_RIM_MULTIPLY;
}

static GLuint make_sampler(const vrm_gltf_texture *texture)
{
    GLuint id;
    glGenSamplers(1, &id);
    glSamplerParameteri(id, GL_TEXTURE_MAG_FILTER, texture->mag_filter != 0 ? (GLint)texture->mag_filter : GL_LINEAR);
    glSamplerParameteri(
        id, GL_TEXTURE_MIN_FILTER, texture->min_filter != 0 ? (GLint)texture->min_filter : GL_LINEAR_MIPMAP_LINEAR);
    glSamplerParameteri(id, GL_TEXTURE_WRAP_S, (GLint)texture->wrap_s);
    glSamplerParameteri(id, GL_TEXTURE_WRAP_T, (GLint)texture->wrap_t);
    return id;
}

// Returns an extension's image if it can be decoded; the PNG or JPEG is a fallback for other readers.
static int32_t image_of(const vrm_renderer *renderer, const vrm_gltf *gltf, const vrm_gltf_texture *texture)
{
    vrm_gltf_image info = {.struct_size = sizeof info};
    if (texture->compressed_image >= 0 &&
        vrm_gltf_get_image(gltf, (uint32_t)texture->compressed_image, &info) == VRM_SUCCESS && info.bytes != NULL &&
        (texture->image < 0 || vrmr_can_decode(renderer, info.mime_type))) {
        return texture->compressed_image;
    }
    return texture->image;
}

static vrm_result load_samplers(vrm_render_model *model, const vrm_gltf *gltf)
{
    model->file_sampler_count = vrm_gltf_get_count(gltf, VRM_GLTF_TEXTURES);
    model->file_samplers = calloc(model->file_sampler_count + 1u, sizeof *model->file_samplers);
    if (model->file_samplers == NULL) {
        return vrmr_fail(model->renderer, VRM_ERROR_OUT_OF_MEMORY, "out of memory for samplers");
    }
    for (uint32_t i = 0; i < model->file_sampler_count; ++i) {
        vrm_gltf_texture texture = {.struct_size = sizeof texture};
        (void)vrm_gltf_get_texture(gltf, i, &texture);
        model->file_samplers[i] = (vrmr_sampler){make_sampler(&texture), image_of(model->renderer, gltf, &texture)};
    }
    return VRM_SUCCESS;
}

static void report_image(vrm_report *report, uint32_t image, const char *why)
{
    char path[32];
    snprintf(path, sizeof path, "/images/%u", image);
    if (report != NULL) {
        const vrm_finding finding = {.id = VRM_FINDING_IMAGE_DATA_INVALID,
            .severity = VRM_SEVERITY_WARNING,
            .offset = -1,
            .path = path,
            .found = why,
            .expected = "an image that this renderer can decode; it is drawn white"};
        vrm_report_add(report, &finding);
    }
}

static vrm_result upload_image(vrm_render_model *model, vrmr_pixels *pixels, uint32_t image, bool srgb, GLuint *out)
{
    vrm_renderer *renderer = model->renderer;
    const uint32_t longest = pixels->width > pixels->height ? pixels->width : pixels->height;
    const uint64_t bytes = (uint64_t)pixels->width * pixels->height * 16 / 3;
    if (longest > renderer->max_texture_size || model->statistics.texture_bytes + bytes > renderer->max_texture_bytes) {
        return vrmr_fail(renderer, VRM_ERROR_LIMIT, "image %u, %u x %u pixels, exceeds the limit for textures", image,
            pixels->width, pixels->height);
    }
    GLsizei levels = 1;
    while (longest >> levels != 0) {
        ++levels;
    }
    glGenTextures(1, out);
    glActiveTexture(GL_TEXTURE0 + VRMR_UNIT_SLOTS);
    glBindTexture(GL_TEXTURE_2D, *out);
    glTexStorage2D(
        GL_TEXTURE_2D, levels, srgb ? GL_SRGB8_ALPHA8 : GL_RGBA8, (GLsizei)pixels->width, (GLsizei)pixels->height);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, (GLsizei)pixels->width, (GLsizei)pixels->height, GL_RGBA, GL_UNSIGNED_BYTE,
        pixels->data);
    if (!vrmr_upload_mipmaps(renderer, pixels, srgb)) {
        return vrmr_fail(renderer, VRM_ERROR_OUT_OF_MEMORY, "out of memory for an image");
    }
    model->statistics.texture_bytes += bytes;
    ++model->statistics.textures;
    return VRM_SUCCESS;
}

// Returns the texture of an image in a colour space. It is 0 for an image that cannot be shown; white is used instead.
static vrm_result image_texture(
    vrm_render_model *model, const vrm_gltf *gltf, uint32_t image, bool srgb, vrm_report *report, GLuint *out)
{
    bool known_bad = false;
    for (uint32_t i = 0; i < model->image_count; ++i) {
        if (model->images[i].image == (int32_t)image && model->images[i].srgb == srgb) {
            *out = model->images[i].id;
            return VRM_SUCCESS;
        }
        known_bad = known_bad || (model->images[i].image == (int32_t)image && model->images[i].id == 0);
    }
    vrm_gltf_image info = {.struct_size = sizeof info};
    vrmr_pixels pixels = {0};
    const char *why = "the image is missing";
    vrm_result result = VRM_SUCCESS;
    GLuint id = 0;
    const bool whole = !known_bad && vrm_gltf_get_image(gltf, image, &info) == VRM_SUCCESS && info.bytes != NULL;
    if (whole && vrmr_decode_image(model->renderer, &info, &pixels, &why)) {
        result = upload_image(model, &pixels, image, srgb, &id);
    } else if (!known_bad) {
        report_image(report, image, why);
    }
    free(pixels.data);
    model->images[model->image_count++] = (vrmr_texture){(int32_t)image, srgb, id};
    *out = id;
    return result;
}

// Computes the size of all textures from the images' headers, so that a file that is too large is refused before
// decoding.
static vrm_result plan_textures(const vrm_render_model *model, const vrm_gltf *gltf)
{
    vrm_renderer *renderer = model->renderer;
    const uint32_t count = vrm_gltf_get_count(gltf, VRM_GLTF_IMAGES);
    uint8_t *uses = calloc((size_t)count + 1, 1); // uses of each image: bit 0 as data, bit 1 as colours
    if (uses == NULL) {
        return vrmr_fail(renderer, VRM_ERROR_OUT_OF_MEMORY, "out of memory for materials");
    }
    for (uint32_t m = 0; m < model->material_count; ++m) {
        for (int slot = 0; slot < VRM_TEXTURE_SLOT_COUNT; ++slot) {
            const int32_t texture = model->materials[m].params.textures[slot].index;
            if (texture >= 0 && (uint32_t)texture < model->file_sampler_count &&
                model->file_samplers[texture].source >= 0) {
                uses[model->file_samplers[texture].source] |= is_color(slot) ? 2u : 1u;
            }
        }
    }
    vrm_result result = VRM_SUCCESS;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < count && result == VRM_SUCCESS; ++i) {
        vrm_gltf_image info = {.struct_size = sizeof info};
        if (uses[i] == 0 || vrm_gltf_get_image(gltf, i, &info) != VRM_SUCCESS || info.bytes == NULL) {
            continue;
        }
        const uint32_t longest = info.width > info.height ? info.width : info.height;
        // This sum cannot overflow, because the limit of a side is checked first.
        bytes += (uint64_t)(uses[i] == 3 ? 2 : 1) *
                 (longest <= renderer->max_texture_size ? (uint64_t)info.width * info.height * 16 / 3 : 0);
        if (longest > renderer->max_texture_size || bytes > renderer->max_texture_bytes) {
            result = vrmr_fail(renderer, VRM_ERROR_LIMIT,
                "image %u, %u x %u pixels, exceeds the limit for textures: %u pixels per side, %llu bytes in all", i,
                info.width, info.height, renderer->max_texture_size, (unsigned long long)renderer->max_texture_bytes);
        }
    }
    free(uses);
    return result;
}

static vrm_result load_textures(vrm_render_model *model, const vrm_gltf *gltf, vrm_report *report)
{
    const vrm_result planned = plan_textures(model, gltf);
    if (planned != VRM_SUCCESS) {
        return planned;
    }
    for (uint32_t m = 0; m < model->material_count; ++m) {
        for (int slot = 0; slot < VRM_TEXTURE_SLOT_COUNT; ++slot) {
            const int32_t texture = model->materials[m].params.textures[slot].index;
            model->textures[m][slot] = model->renderer->white;
            if (texture < 0 || (uint32_t)texture >= model->file_sampler_count) {
                continue;
            }
            const vrmr_sampler *sampler = &model->file_samplers[texture];
            GLuint id = 0;
            const vrm_result result = sampler->source < 0 ? VRM_SUCCESS
                                                          : image_texture(model, gltf, (uint32_t)sampler->source,
                                                                is_color(slot), report, &id);
            if (result != VRM_SUCCESS) {
                return result;
            }
            model->textures[m][slot] = id != 0 ? id : model->renderer->white;
            model->samplers[m][slot] = id != 0 ? sampler->id : 0;
        }
    }
    return VRM_SUCCESS;
}

static void default_material(vrm_material *material)
{
    *material = (vrm_material){0};
    vrm_material_params *p = &material->params;
    p->colors[VRM_MATERIAL_COLOR_BASE] = (vrm_vec4){1.0f, 1.0f, 1.0f, 1.0f};
    p->alpha_cutoff = 0.5f;
    p->metallic = p->roughness = p->emissive_strength = 1.0f;
    for (int i = 0; i < VRM_TEXTURE_SLOT_COUNT; ++i) {
        p->textures[i] = (vrm_texture){.index = -1, .scale = 1.0f, .transform = {.scale = {1.0f, 1.0f}}};
    }
}

vrm_result vrmr_load_materials(
    vrm_render_model *model, const vrm_gltf *gltf, const vrm_avatar *avatar, vrm_report *report)
{
    vrm_avatar_counts counts = {.struct_size = sizeof counts};
    vrm_avatar_get_counts(avatar, &counts);
    model->material_count = counts.materials + 1;
    const uint32_t images = vrm_gltf_get_count(gltf, VRM_GLTF_IMAGES);
    model->materials = calloc(model->material_count, sizeof *model->materials);
    model->textures = calloc(model->material_count, sizeof *model->textures);
    model->samplers = calloc(model->material_count, sizeof *model->samplers);
    model->images = calloc((size_t)images * 2 + 1, sizeof *model->images);
    if (model->materials == NULL || model->textures == NULL || model->samplers == NULL || model->images == NULL) {
        return vrmr_fail(model->renderer, VRM_ERROR_OUT_OF_MEMORY, "out of memory for materials");
    }
    for (uint32_t i = 0; i < counts.materials; ++i) {
        model->materials[i].struct_size = sizeof model->materials[i];
        (void)vrm_avatar_get_material(avatar, i, &model->materials[i]);
        model->materials[i].name = (vrm_string){0}; // the name points into the avatar's memory and would not outlive it
    }
    default_material(&model->materials[counts.materials]);
    const vrm_result result = load_samplers(model, gltf);
    return result == VRM_SUCCESS ? load_textures(model, gltf, report) : result;
}

void vrmr_free_materials(vrm_render_model *model)
{
    for (uint32_t i = 0; i < model->image_count; ++i) {
        glDeleteTextures(1, &model->images[i].id);
    }
    for (uint32_t i = 0; model->file_samplers != NULL && i < model->file_sampler_count; ++i) {
        glDeleteSamplers(1, &model->file_samplers[i].id);
    }
    free(model->images);
    free(model->file_samplers);
    free(model->materials);
    free(model->textures);
    free(model->samplers);
}
