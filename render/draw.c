// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Draws the surfaces of a picture, or their silhouettes. Visible surfaces are listed and sorted, and palettes and morph
// weights are uploaded in one texture. Then everything is drawn in the specification's order: opaque, masked,
// transparent with depth writes, transparent. The last two groups are sorted by the material's queue offset, then from
// far to near.

#include "internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct vrmr_draw {
    const vrm_render_item *item;
    const vrmr_mesh *mesh;
    const vrmr_primitive *primitive;
    uint32_t order;        // index before sorting
    int32_t group, queue;  // drawing order of the specification
    float depth;           // depth of the node along the view direction
    int32_t joints, parts; // offsets in the frame texture
    int32_t morphs, morph_count;
    uint32_t instance; // index of the item in the scene
} vrmr_draw;

typedef struct frame {
    vrm_renderer *renderer;
    const vrm_render_scene *scene;
    const vrmr_surfaces *what;
    float view[16]; // view matrix of the current item
    uint32_t current;
    float light[5][4];
} frame;

static bool is_picture(const frame *f)
{
    return f->what->program == VRMR_PROGRAM_COUNT;
}

// Returns true if all corners are outside the same plane of the view.
static bool outside(const float clip[16], const vrm_box *box, float margin)
{
    int beyond[6] = {0};
    if (!(box->min.x <= box->max.x)) {
        return false; // unknown
    }
    for (int corner = 0; corner < 8; ++corner) {
        const float x = (corner & 1) != 0 ? box->max.x + margin : box->min.x - margin;
        const float y = (corner & 2) != 0 ? box->max.y + margin : box->min.y - margin;
        const float z = (corner & 4) != 0 ? box->max.z + margin : box->min.z - margin;
        float p[4];
        for (int r = 0; r < 4; ++r) {
            p[r] = clip[r] * x + clip[4 + r] * y + clip[8 + r] * z + clip[12 + r];
        }
        for (int axis = 0; axis < 3; ++axis) {
            beyond[2 * axis] += p[axis] < -p[3];
            beyond[2 * axis + 1] += p[axis] > p[3];
        }
    }
    for (int i = 0; i < 6; ++i) {
        if (beyond[i] == 8) {
            return true;
        }
    }
    return false;
}

// --- content of the frame texture ------------------------------------------------------------------------------------

static float *add_texels(vrm_renderer *renderer, uint32_t count, int32_t *out_first)
{
    if (!vrmr_reserve((void **)&renderer->frame, &renderer->frame_capacity,
            renderer->frame_texels + count + VRMR_TEXEL_ROW, 4 * sizeof(float))) {
        return NULL;
    }
    *out_first = (int32_t)renderer->frame_texels;
    renderer->frame_texels += count;
    return renderer->frame + 4 * (size_t)*out_first;
}

static bool add_morphs(vrm_renderer *renderer, const vrm_outputs *out, vrmr_draw *draw)
{
    const vrmr_primitive *p = draw->primitive;
    int32_t first;
    float *texel = add_texels(renderer, p->morph_count, &first);
    if (texel == NULL) {
        return false;
    }
    draw->morphs = first;
    for (uint32_t i = 0; i < p->morph_count; ++i) {
        const float weight = out->morphs[draw->mesh->info.first_morph + i];
        const vrmr_morph *morph = &p->morphs[i];
        if (weight != 0.0f && morph->first_vertex <= morph->last_vertex) {
            texel[0] = (float)morph->first_texel;
            texel[1] = (float)morph->first_vertex;
            texel[2] = (float)morph->last_vertex;
            texel[3] = weight;
            texel += 4;
            ++draw->morph_count;
        }
    }
    renderer->frame_texels = (uint32_t)(first + draw->morph_count);
    return true;
}

static vrm_result upload_frame(vrm_renderer *renderer)
{
    const uint32_t rows = (renderer->frame_texels + VRMR_TEXEL_ROW - 1) / VRMR_TEXEL_ROW + 1;
    glActiveTexture(GL_TEXTURE0 + VRMR_UNIT_FRAME);
    if (rows > renderer->max_texture_size) {
        return vrmr_fail(renderer, VRM_ERROR_LIMIT, "there are more joints and morph targets than fit into a texture");
    }
    if (!vrmr_reserve((void **)&renderer->frame, &renderer->frame_capacity, rows * VRMR_TEXEL_ROW, 16)) {
        return vrmr_fail(renderer, VRM_ERROR_OUT_OF_MEMORY, "out of memory for a frame");
    }
    if (rows > renderer->frame_rows) {
        glDeleteTextures(1, &renderer->frame_texture);
        glGenTextures(1, &renderer->frame_texture);
        glBindTexture(GL_TEXTURE_2D, renderer->frame_texture);
        renderer->frame_rows = rows + rows / 2;
        glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA32F, VRMR_TEXEL_ROW, (GLsizei)renderer->frame_rows);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    }
    memset(renderer->frame + 4 * (size_t)renderer->frame_texels, 0,
        ((size_t)rows * VRMR_TEXEL_ROW - renderer->frame_texels) * 16);
    glBindTexture(GL_TEXTURE_2D, renderer->frame_texture);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, VRMR_TEXEL_ROW, (GLsizei)rows, GL_RGBA, GL_FLOAT, renderer->frame);
    return VRM_SUCCESS;
}

// --- listing -------------------------------------------------------------------------------------------------------

static bool is_shown(const vrm_mesh_node *mesh, bool first_person)
{
    return vrm_first_person_is_visible(
        mesh->first_person, VRM_WEARER_SELF, first_person ? VRM_VIEW_FIRST_PERSON : VRM_VIEW_THIRD_PERSON);
}

static float outline_margin(const vrm_render_model *model, const vrmr_mesh *mesh)
{
    float margin = 0.0f;
    for (uint32_t i = 0; i < mesh->primitive_count; ++i) {
        const vrm_material_params *p = &model->materials[model->primitives[mesh->first_primitive + i].material].params;
        if (p->outline_mode == VRM_OUTLINE_WORLD_COORDINATES) {
            margin = fmaxf(margin, p->outline_width);
        } else if (p->outline_mode == VRM_OUTLINE_SCREEN_COORDINATES) {
            return 1e30f;
        }
    }
    return margin;
}

// For silhouettes: adds to each joint the parts of the body that its vertices belong to.
static bool add_parts(vrm_renderer *renderer, const vrm_render_model *model, uint32_t count, int32_t *out_first)
{
    float *texel = add_texels(renderer, count, out_first);
    for (uint32_t i = 0; texel != NULL && i < count; ++i) {
        texel[4 * i] = (model->joint_parts[i] & VRMR_PART_HEAD) != 0 ? 1.0f : 0.0f;
        texel[4 * i + 1] = (model->joint_parts[i] & VRMR_PART_CARRIED) != 0 ? 1.0f : 0.0f;
        texel[4 * i + 2] = texel[4 * i + 3] = 0.0f;
    }
    return texel != NULL;
}

static bool list_mesh(frame *f, const vrm_outputs *out, const vrmr_mesh *mesh, const int32_t skin[2])
{
    vrm_renderer *renderer = f->renderer;
    const vrm_render_item *item = &f->what->items[f->current];
    const vrm_mat34 *world = &out->world[mesh->info.node];
    for (uint32_t i = 0; i < mesh->primitive_count; ++i) {
        const vrmr_primitive *p = &item->model->primitives[mesh->first_primitive + i];
        if ((item->first_person ? p->first_person_count : p->index_count) == 0) {
            continue;
        }
        if (!vrmr_reserve(
                (void **)&renderer->draws, &renderer->draw_capacity, renderer->draw_count + 1, sizeof(vrmr_draw))) {
            return false;
        }
        const vrm_material_params *params = &item->model->materials[p->material].params;
        vrmr_draw draw = {item, mesh, p, renderer->draw_count, 0, 0, 0.0f, skin[0], skin[1], 0, 0, f->current};
        draw.group = params->alpha_mode == VRM_ALPHA_OPAQUE ? 0
                     : params->alpha_mode == VRM_ALPHA_MASK ? 1
                     : params->transparent_with_z_write     ? 2
                                                            : 3;
        draw.queue = draw.group >= 2 ? params->render_queue_offset : 0;
        draw.depth = draw.group >= 2 ? f->view[2] * world->m[0][3] + f->view[6] * world->m[1][3] +
                                           f->view[10] * world->m[2][3] + f->view[14]
                                     : 0.0f;
        if (p->morph_count != 0 && !add_morphs(renderer, out, &draw)) {
            return false;
        }
        renderer->draws[renderer->draw_count++] = draw;
    }
    return true;
}

static bool list_item(frame *f)
{
    const vrm_render_item *item = &f->what->items[f->current];
    const vrm_render_model *model = item->model;
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(item->instance, &out);
    float clip[16];
    vrmr_matrices(f->scene, &out.origin, f->view, clip);
    int32_t joints = 0, parts = 0;
    float *texels = add_texels(f->renderer, 3 * out.palette_joint_count, &joints);
    if (texels == NULL) {
        return false;
    }
    if (out.palette_joint_count != 0) {
        memcpy(texels, out.palette, out.palette_joint_count * sizeof *out.palette);
    }
    if (!is_picture(f) && !add_parts(f->renderer, model, out.palette_joint_count, &parts)) {
        return false;
    }
    for (uint32_t i = 0; i < model->mesh_count; ++i) {
        const vrmr_mesh *mesh = &model->meshes[i];
        if (!is_shown(&mesh->info, item->first_person) ||
            outside(clip, &out.mesh_boxes[i], outline_margin(model, mesh))) {
            continue;
        }
        const int32_t palette = mesh->info.palette;
        const int32_t first = palette >= 0 ? (int32_t)model->palette_first[palette] : 0;
        const int32_t skin[2] = {palette >= 0 ? joints + 3 * first : -1, palette >= 0 ? parts + first : -1};
        if (!list_mesh(f, &out, mesh, skin)) {
            return false;
        }
    }
    return true;
}

static int compare_draws(const void *left, const void *right)
{
    const vrmr_draw *a = left, *b = right;
    if (a->group != b->group) {
        return a->group < b->group ? -1 : 1;
    }
    if (a->queue != b->queue) {
        return a->queue < b->queue ? -1 : 1;
    }
    if (a->depth != b->depth) {
        return a->depth < b->depth ? -1 : 1; // the view looks along -z, so the farther depth is smaller
    }
    return a->order < b->order ? -1 : a->order > b->order;
}

// --- drawing -------------------------------------------------------------------------------------------------------

static float determinant(const vrm_mat34 *w)
{
    return w->m[0][0] * (w->m[1][1] * w->m[2][2] - w->m[1][2] * w->m[2][1]) -
           w->m[0][1] * (w->m[1][0] * w->m[2][2] - w->m[1][2] * w->m[2][0]) +
           w->m[0][2] * (w->m[1][0] * w->m[2][1] - w->m[1][1] * w->m[2][0]);
}

static void bind_textures(const vrm_render_model *model, const vrmr_primitive *p)
{
    for (int i = 0; i < VRM_TEXTURE_SLOT_COUNT; ++i) {
        glActiveTexture(GL_TEXTURE0 + VRMR_UNIT_SLOTS + (GLenum)i);
        glBindTexture(GL_TEXTURE_2D, model->textures[p->material][i]);
        glBindSampler(VRMR_UNIT_SLOTS + (GLuint)i, model->samplers[p->material][i]);
    }
    glActiveTexture(GL_TEXTURE0 + VRMR_UNIT_MORPH);
    glBindTexture(GL_TEXTURE_2D, p->morph_texture);
}

static void set_state(const frame *f, const vrm_material_params *params, bool outline, bool mirrored)
{
    const bool both = params->double_sided || f->scene->all_double_sided;
    const bool blend = params->alpha_mode == VRM_ALPHA_BLEND;
    if (outline || !both) {
        glEnable(GL_CULL_FACE);
        glCullFace(outline ? GL_FRONT : GL_BACK);
    } else {
        glDisable(GL_CULL_FACE);
    }
    glFrontFace(mirrored ? GL_CW : GL_CCW);
    if (!is_picture(f)) {
        return;
    }
    (blend ? glEnable : glDisable)(GL_BLEND);
    glDepthMask(!blend || params->transparent_with_z_write ? GL_TRUE : GL_FALSE);
}

static const vrm_material_values *values_of(const vrmr_draw *draw, const vrm_outputs *out)
{
    const uint32_t material = (uint32_t)draw->primitive->material; // glTF's default material, -1, becomes a number
                                                                   // beyond all materials
    return material < out->material_count ? &out->materials[material] : NULL;
}

static void set_uniforms(const frame *f, const vrmr_program *program, const vrmr_draw *draw, const vrm_outputs *out)
{
    const vrm_render_model *model = draw->item->model;
    const vrmr_primitive *p = draw->primitive;
    const vrm_material_params *params = &model->materials[p->material].params;
    float vectors[VRMR_MATERIAL_VECTORS][4];
    vrmr_material_vectors(params, values_of(draw, out), vectors);
    const vrm_mat34 *w = &out->world[draw->mesh->info.node];
    float world[16] = {0};
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 4; ++c) {
            world[4 * c + r] = w->m[r][c];
        }
    }
    world[15] = 1.0f;
    glUniformMatrix4fv(program->world, 1, GL_FALSE, world);
    glUniformMatrix4fv(program->view, 1, GL_FALSE, f->view);
    glUniformMatrix4fv(program->projection, 1, GL_FALSE, f->scene->projection);
    glUniform4i(program->vertex, draw->joints, draw->morphs, draw->morph_count, p->texels_per_delta);
    glUniform4fv(program->material, VRMR_MATERIAL_VECTORS, vectors[0]);
    glUniform4fv(program->material_outline, 2, vectors[11 + 2 * VRM_TEXTURE_OUTLINE_WIDTH_MULTIPLY]);
    const GLint mode = !is_picture(f) ? params->type == VRM_MATERIAL_MTOON : (GLint)f->scene->channel;
    glUniform2i(program->options, mode, params->double_sided || f->scene->all_double_sided);
    glUniform4fv(program->light, 5, f->light[0]);
    const uint8_t part = model->node_parts[draw->mesh->info.node];
    glUniform3f(program->parts, (float)draw->parts, (part & VRMR_PART_HEAD) != 0 ? 1.0f : 0.0f,
        (part & VRMR_PART_CARRIED) != 0 ? 1.0f : 0.0f);
}

// A silhouette needs only the shape and alpha.
static const uint32_t silhouette_features = 1u << VRM_TEXTURE_BASE_COLOR | 1u << VRM_TEXTURE_UV_ANIMATION_MASK |
                                            VRMR_FEATURE_UV23 | VRMR_FEATURE_ANIMATED | VRMR_FEATURE_MASK |
                                            VRMR_FEATURE_BLEND | VRMR_FEATURE_SKIN | VRMR_FEATURE_EIGHT_JOINTS;

static uint32_t find_features(const frame *f, const vrmr_draw *draw, const vrm_outputs *out, bool outline)
{
    const vrmr_primitive *p = draw->primitive;
    const vrm_material_params *params = &draw->item->model->materials[p->material].params;
    const uint32_t features =
        vrmr_material_features(params, values_of(draw, out), outline) |
        vrmr_feature_if(p->has_tangents && params->textures[VRM_TEXTURE_NORMAL].index >= 0, VRMR_FEATURE_TANGENTS) |
        vrmr_feature_if(!p->has_normals, VRMR_FEATURE_FLAT) |
        vrmr_feature_if(f->scene->blend == VRM_RENDER_BLEND_ENCODED, VRMR_FEATURE_ENCODE) |
        vrmr_feature_if(f->scene->channel != VRM_RENDER_CHANNEL_COLOR, VRMR_FEATURE_CHANNEL) |
        vrmr_feature_if(draw->joints >= 0, VRMR_FEATURE_SKIN) |
        vrmr_feature_if(draw->joints >= 0 && p->has_eight_joints, VRMR_FEATURE_EIGHT_JOINTS);
    return !is_picture(f) ? features & silhouette_features : features;
}

static vrm_result draw_pass(const frame *f, const vrmr_draw *draw, const vrm_outputs *out, bool outline)
{
    static const vrmr_program_kind kinds[] = {VRMR_PROGRAM_PBR, VRMR_PROGRAM_UNLIT, VRMR_PROGRAM_MTOON};
    const vrmr_primitive *p = draw->primitive;
    const vrm_material_params *params = &draw->item->model->materials[p->material].params;
    // Points and lines without normals are not lit (glTF 2.0, 3.9.6, does not specify it).
    const bool lit = p->mode == GL_TRIANGLES || p->has_normals;
    const vrmr_program *program = vrmr_use_program(f->renderer,
        !is_picture(f) ? f->what->program
        : outline      ? VRMR_PROGRAM_OUTLINE
        : lit          ? kinds[params->type]
                       : VRMR_PROGRAM_UNLIT,
        find_features(f, draw, out, outline));
    if (program == NULL) {
        return VRM_ERROR_UNSUPPORTED;
    }
    const bool mirrored = draw->joints < 0 && determinant(&out->world[draw->mesh->info.node]) < 0.0f;
    set_state(f, params, outline, mirrored);
    set_uniforms(f, program, draw, out);
    const uint32_t count = draw->item->first_person ? p->first_person_count : p->index_count;
    glDrawElements(p->mode, (GLsizei)count, GL_UNSIGNED_INT, NULL);
    return VRM_SUCCESS;
}

// Draws three lines per triangle; they are created on first use.
static void draw_wireframe(vrmr_primitive *p)
{
    glBindVertexArray(p->vertex_array);
    if (p->edge_buffer == 0) {
        const GLsizeiptr size = (GLsizeiptr)(p->index_count * sizeof(uint32_t));
        uint32_t *edges = malloc((size_t)size * 2);
        const uint32_t *indices = glMapBufferRange(GL_ELEMENT_ARRAY_BUFFER, 0, size, GL_MAP_READ_BIT);
        for (uint32_t i = 0; edges != NULL && indices != NULL && i < p->index_count; ++i) {
            edges[2 * i] = indices[i];
            edges[2 * i + 1] = indices[i % 3 == 2 ? i - 2 : i + 1];
        }
        glUnmapBuffer(GL_ELEMENT_ARRAY_BUFFER);
        if (edges != NULL) {
            glGenBuffers(1, &p->edge_buffer);
            glBindBuffer(GL_COPY_WRITE_BUFFER, p->edge_buffer);
            glBufferData(GL_COPY_WRITE_BUFFER, size * 2, edges, GL_STATIC_DRAW);
            p->edge_count = p->index_count * 2;
        }
        free(edges);
    }
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, p->edge_buffer);
    glDrawElements(GL_LINES, (GLsizei)p->edge_count, GL_UNSIGNED_INT, NULL);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, p->buffers[1]);
}

static vrm_result draw_one(frame *f, const vrmr_draw *draw)
{
    const vrm_render_model *model = draw->item->model;
    const vrm_material_params *params = &model->materials[draw->primitive->material].params;
    vrm_outputs out = {.struct_size = sizeof out};
    vrm_instance_get_outputs(draw->item->instance, &out);
    if (draw->instance != f->current) {
        float clip[16];
        vrmr_matrices(f->scene, &out.origin, f->view, clip);
        f->current = draw->instance;
    }
    bind_textures(model, draw->primitive);
    glBindVertexArray(draw->primitive->vertex_array);
    vrm_result result = VRM_SUCCESS;
    if (!is_picture(f)) {
        return draw_pass(f, draw, &out, false);
    }
    if ((f->scene->debug & VRM_RENDER_DEBUG_WIREFRAME) != 0 && draw->primitive->mode == GL_TRIANGLES) {
        const vrmr_program *program =
            vrmr_use_program(f->renderer, VRMR_PROGRAM_UNLIT, find_features(f, draw, &out, false));
        if (program == NULL) {
            return VRM_ERROR_UNSUPPORTED;
        }
        set_state(f, params, false, false);
        set_uniforms(f, program, draw, &out);
        draw_wireframe((vrmr_primitive *)(uintptr_t)draw->primitive);
        return VRM_SUCCESS;
    }
    result = draw_pass(f, draw, &out, false);
    const bool outline = params->type == VRM_MATERIAL_MTOON && draw->primitive->mode == GL_TRIANGLES &&
                         params->outline_mode != VRM_OUTLINE_NONE && params->outline_width > 0.0f &&
                         !f->scene->no_outlines && f->scene->channel == VRM_RENDER_CHANNEL_COLOR;
    return result == VRM_SUCCESS && outline ? draw_pass(f, draw, &out, true) : result;
}

static void set_light(frame *f)
{
    const vrm_render_scene *s = f->scene;
    const float length =
        sqrtf(s->light_direction.x * s->light_direction.x + s->light_direction.y * s->light_direction.y +
              s->light_direction.z * s->light_direction.z);
    const float unit = length > 0.0f ? 1.0f / length : 0.0f;
    const vrm_vec3 direction = {s->light_direction.x * unit, s->light_direction.y * unit, s->light_direction.z * unit};
    const vrm_vec3 rows[5] = {direction, s->light_color, s->ambient_up, s->ambient_down, s->environment};
    for (int i = 0; i < 5; ++i) {
        f->light[i][0] = rows[i].x;
        f->light[i][1] = rows[i].y;
        f->light[i][2] = rows[i].z;
    }
}

void vrmr_begin_state(void)
{
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_STENCIL_TEST);
    glDisable(GL_DITHER);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glDepthMask(GL_TRUE);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    // Sets defaults for attributes that a primitive lacks: a normal, no tangent, no UVs, no joints, white.
    glVertexAttrib4f(1, 0.0f, 0.0f, 1.0f, 0.0f);
    for (GLuint i = 2; i <= 8; ++i) {
        if (i == 5 || i == 7) {
            glVertexAttribI4ui(i, 0, 0, 0, 0);
        } else {
            glVertexAttrib4f(i, 0.0f, 0.0f, 0.0f, 0.0f);
        }
    }
    glVertexAttrib4f(9, 1.0f, 1.0f, 1.0f, 1.0f);
}

static vrm_result draw_items(frame *f)
{
    vrm_renderer *renderer = f->renderer;
    for (f->current = 0; f->current < f->what->item_count; ++f->current) {
        if (!f->what->items[f->current].hidden && !list_item(f)) {
            return vrmr_fail(renderer, VRM_ERROR_OUT_OF_MEMORY, "out of memory for a frame");
        }
    }
    vrm_result result = upload_frame(renderer);
    if (renderer->draw_count != 0) {
        qsort(renderer->draws, renderer->draw_count, sizeof(vrmr_draw), compare_draws);
    }
    f->current = UINT32_MAX;
    for (uint32_t i = 0; i < renderer->draw_count && result == VRM_SUCCESS; ++i) {
        result = draw_one(f, &renderer->draws[i]);
    }
    return result;
}

static void end(void)
{
    for (GLuint i = 0; i < VRM_TEXTURE_SLOT_COUNT; ++i) {
        glBindSampler(VRMR_UNIT_SLOTS + i, 0);
    }
    glBindVertexArray(0);
    glDepthMask(GL_TRUE);
}

vrm_result vrmr_draw_surfaces(vrm_renderer *renderer, const vrmr_surfaces *what)
{
    frame f = {.renderer = renderer, .scene = what->scene, .what = what};
    renderer->frame_texels = renderer->draw_count = 0;
    set_light(&f);
    const vrm_result result = draw_items(&f);
    end();
    return result;
}
