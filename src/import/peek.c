// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/abi.h"
#include "base/checks.h"
#include "import/upgrade/upgrade.h"

struct vrm_peek {
    vrm_allocator allocator;
    const vrm_gltf *gltf;
    vrm_gltf *own;            // the same as `gltf` if the peek owns it
    vrmi_model_builder model; // contains the strings of the meta object
    vrm_string *strings;      // authors, references, old terms
    size_t string_count;
    vrm_peek_info info;
    vrm_meta meta;
};

// Adds without overflow, because a damaged file may have arbitrarily large numbers. The sum is at most UINT32_MAX.
static uint32_t add_saturating(uint32_t a, uint32_t b)
{
    return a > UINT32_MAX - b ? UINT32_MAX : a + b;
}

// --- counts ----------------------------------------------------------------------------------------------------------

static uint32_t accessor_count(const vrm_gltf *gltf, const uint32_t *counts, uint32_t accessor)
{
    uint32_t index = 0;
    return vrmi_json_uint(&gltf->json, accessor, &index) && index < gltf->counts[VRM_GLTF_ACCESSORS] ? counts[index]
                                                                                                     : 0;
}

static uint32_t triangles_of(uint32_t mode, uint32_t vertices)
{
    enum { TRIANGLES = 4, TRIANGLE_STRIP = 5, TRIANGLE_FAN = 6 };
    if (mode == TRIANGLES) {
        return vertices / 3;
    }
    return (mode == TRIANGLE_STRIP || mode == TRIANGLE_FAN) && vertices > 2 ? vertices - 2 : 0;
}

static void count_geometry(vrm_peek *peek, const uint32_t *counts)
{
    const vrm_gltf *gltf = peek->gltf;
    const vrmi_json *json = &gltf->json;
    uint32_t mesh = vrmi_json_first(json, gltf->arrays[VRM_GLTF_MESHES]);
    for (; mesh != VRMI_JSON_NONE; mesh = vrmi_json_next(json, mesh)) {
        uint32_t primitive = vrmi_json_first(json, vrmi_json_member(json, mesh, "primitives"));
        for (; primitive != VRMI_JSON_NONE; primitive = vrmi_json_next(json, primitive)) {
            const uint32_t attributes = vrmi_json_member(json, primitive, "attributes");
            const uint32_t indices = vrmi_json_member(json, primitive, "indices");
            const uint32_t vertices = accessor_count(gltf, counts, vrmi_json_member(json, attributes, "POSITION"));
            uint32_t mode = 4;
            (void)vrmi_json_uint(json, vrmi_json_member(json, primitive, "mode"), &mode);
            const uint32_t drawn = indices != VRMI_JSON_NONE ? accessor_count(gltf, counts, indices) : vertices;
            peek->info.vertex_count = add_saturating(peek->info.vertex_count, vertices);
            peek->info.triangle_count = add_saturating(peek->info.triangle_count, triangles_of(mode, drawn));
        }
    }
}

// Counts vertices and triangles. Returns false if memory runs out.
static bool read_geometry(vrm_peek *peek)
{
    const vrm_gltf *gltf = peek->gltf;
    vrmi_arena scratch;
    vrmi_arena_init(&scratch, &peek->allocator, 0);
    uint32_t *counts = vrmi_arena_alloc(&scratch, gltf->counts[VRM_GLTF_ACCESSORS], sizeof *counts);
    if (counts != NULL) {
        uint32_t accessor = vrmi_json_first(&gltf->json, gltf->arrays[VRM_GLTF_ACCESSORS]);
        for (uint32_t i = 0; accessor != VRMI_JSON_NONE; ++i, accessor = vrmi_json_next(&gltf->json, accessor)) {
            (void)vrmi_json_uint(&gltf->json, vrmi_json_member(&gltf->json, accessor, "count"), &counts[i]);
        }
        count_geometry(peek, counts);
    }
    vrmi_arena_free(&scratch);
    return counts != NULL;
}

static void count_images(vrm_peek *peek)
{
    for (uint32_t i = 0; i < peek->info.image_count; ++i) {
        vrm_gltf_image image = {.struct_size = sizeof image};
        if (vrm_gltf_get_image(peek->gltf, i, &image) == VRM_SUCCESS) {
            // Memory for RGBA with mipmaps. Damaged headers may claim huge sizes, so 2^32 pixels is the maximum.
            const uint64_t pixels = (uint64_t)image.width * image.height;
            peek->info.texture_memory += (pixels < UINT64_C(1) << 32 ? pixels : UINT64_C(1) << 32) * 16 / 3;
        }
    }
}

static void count_arrays(vrm_peek *peek)
{
    const vrm_gltf *gltf = peek->gltf;
    vrm_peek_info *info = &peek->info;
    info->node_count = gltf->counts[VRM_GLTF_NODES];
    info->mesh_count = gltf->counts[VRM_GLTF_MESHES];
    info->material_count = gltf->counts[VRM_GLTF_MATERIALS];
    info->texture_count = gltf->counts[VRM_GLTF_TEXTURES];
    info->image_count = gltf->counts[VRM_GLTF_IMAGES];
    info->skin_count = gltf->counts[VRM_GLTF_SKINS];
    info->animation_count = gltf->counts[VRM_GLTF_ANIMATIONS];
    const vrmi_json *json = &gltf->json;
    uint32_t node = vrmi_json_first(json, gltf->arrays[VRM_GLTF_NODES]);
    for (; node != VRMI_JSON_NONE; node = vrmi_json_next(json, node)) {
        const uint32_t extensions = vrmi_json_member(json, node, "extensions");
        info->constraint_count += vrmi_json_member(json, extensions, "VRMC_node_constraint") != VRMI_JSON_NONE;
    }
}

// --- VRM -------------------------------------------------------------------------------------------------------------

static void count_springs(vrm_peek *peek)
{
    const vrmi_json *json = &peek->gltf->json;
    const uint32_t spring_bone = vrmi_root_extension(json, "VRMC_springBone");
    const uint32_t springs = vrmi_json_member(json, spring_bone, "springs");
    peek->info.spring_count = vrmi_json_count(json, springs);
    peek->info.collider_count = vrmi_json_count(json, vrmi_json_member(json, spring_bone, "colliders"));
    for (uint32_t spring = vrmi_json_first(json, springs); spring != VRMI_JSON_NONE;
         spring = vrmi_json_next(json, spring)) {
        const uint32_t joints = vrmi_json_count(json, vrmi_json_member(json, spring, "joints"));
        peek->info.spring_joint_count += joints > 1 ? joints - 1 : 0; // the last joint is only the tail
    }
}

// Counts the arrays of VRM 0.x, so that a list of files shows sensible numbers.
static void count_old(vrm_peek *peek, uint32_t vrm)
{
    const vrmi_json *json = &peek->gltf->json;
    const uint32_t master = vrmi_json_member(json, vrm, "blendShapeMaster");
    const uint32_t animation = vrmi_json_member(json, vrm, "secondaryAnimation");
    peek->info.expression_count = vrmi_json_count(json, vrmi_json_member(json, master, "blendShapeGroups"));
    uint32_t item = vrmi_json_first(json, vrmi_json_member(json, animation, "boneGroups"));
    for (; item != VRMI_JSON_NONE; item = vrmi_json_next(json, item)) {
        peek->info.spring_count += vrmi_json_count(json, vrmi_json_member(json, item, "bones"));
    }
    item = vrmi_json_first(json, vrmi_json_member(json, animation, "colliderGroups"));
    for (; item != VRMI_JSON_NONE; item = vrmi_json_next(json, item)) {
        peek->info.collider_count += vrmi_json_count(json, vrmi_json_member(json, item, "colliders"));
    }
}

static const char *dialect_of(const vrmi_json *json, uint32_t vrm, uint32_t old)
{
    if (vrm == VRMI_JSON_NONE) {
        return old != VRMI_JSON_NONE ? "0.x" : "";
    }
    const vrmi_dialect dialect = vrmi_dialect_of(json, vrm);
    return dialect == VRMI_DIALECT_1_0_BETA ? "1.0-beta" : dialect == VRMI_DIALECT_1_0_DRAFT ? "1.0-draft" : "1.0";
}

static void read_vrm(vrm_peek *peek, uint32_t vrm)
{
    const vrmi_json *json = &peek->gltf->json;
    vrmi_reader silent = {.json = json};
    const uint32_t meta = vrmi_json_member(json, vrm, "meta");
    if (vrmi_dialect_of(json, vrm) == VRMI_DIALECT_1_0_DRAFT) {
        vrmi_draft_read_meta(&silent, &peek->model, meta, peek->info.image_count);
    } else {
        vrmi_read_meta(&silent, &peek->model, meta, peek->info.image_count);
    }
    const uint32_t expressions = vrmi_json_member(json, vrm, "expressions");
    if (vrmi_json_is(json, expressions, VRMI_JSON_ARRAY)) {
        peek->info.expression_count = vrmi_json_count(json, expressions);
        return;
    }
    peek->info.expression_count = vrmi_json_count(json, vrmi_json_member(json, expressions, "preset")) +
                                  vrmi_json_count(json, vrmi_json_member(json, expressions, "custom"));
}

// Sets the pointers to strings once the string table is complete. Returns false if memory runs out.
static bool view_meta(vrm_peek *peek)
{
    const vrmi_array *tables[3] = {&peek->model.author, &peek->model.reference, &peek->model.old_term};
    const char *text = peek->model.string.items;
    peek->string_count = (size_t)tables[0]->count + tables[1]->count + tables[2]->count;
    if (peek->string_count != 0) {
        peek->strings = vrmi_allocate(&peek->allocator, peek->string_count * sizeof *peek->strings, 16);
        if (peek->strings == NULL) {
            return false;
        }
    }
    size_t next = 0;
    for (int t = 0; t < 3; ++t) {
        const vrmi_name *names = tables[t]->items;
        for (uint32_t i = 0; i < tables[t]->count; ++i) {
            peek->strings[next++] = (vrm_string){text + names[i].offset, names[i].length};
        }
    }
    static const char empty[1] = "";
    vrmi_meta_view(&peek->model.head.meta, text != NULL ? text : empty, &peek->meta);
    peek->meta.authors = peek->strings;
    peek->meta.author_count = tables[0]->count;
    peek->meta.references = peek->strings != NULL ? peek->strings + tables[0]->count : NULL;
    peek->meta.reference_count = tables[1]->count;
    peek->meta.old_terms = peek->strings != NULL ? peek->strings + tables[0]->count + tables[1]->count : NULL;
    peek->meta.old_term_count = tables[2]->count / 2;
    return true;
}

static void read_thumbnail(vrm_peek *peek)
{
    const vrm_gltf *gltf = peek->gltf;
    const int32_t image_index = peek->model.head.meta.thumbnail_image;
    const uint32_t index = image_index >= 0 ? (uint32_t)image_index : UINT32_MAX;
    vrm_gltf_image image = {.struct_size = sizeof image};
    if (index < peek->info.image_count && vrm_gltf_get_image(gltf, index, &image) == VRM_SUCCESS) {
        peek->info.thumbnail = image.bytes;
        peek->info.thumbnail_size = image.size;
    }
}

static vrm_result read_info(vrm_peek *peek)
{
    const vrmi_json *json = &peek->gltf->json;
    const uint32_t vrm = vrmi_root_extension(json, "VRMC_vrm"), old = vrmi_root_extension(json, "VRM");
    peek->info.dialect = dialect_of(json, vrm, old);
    count_arrays(peek);
    count_images(peek);
    count_springs(peek);
    if (vrm != VRMI_JSON_NONE) {
        read_vrm(peek, vrm);
    } else if (old != VRMI_JSON_NONE) {
        vrmi_reader silent = {.json = json};
        vrmi_vrm0_read_meta(&silent, &peek->model, old, peek->gltf);
        count_old(peek, old);
    }
    read_thumbnail(peek);
    const uint32_t version = vrmi_json_member(json, vrm != VRMI_JSON_NONE ? vrm : old, "specVersion");
    const uint32_t generator = vrmi_json_member(json, vrmi_json_member(json, 0, "asset"), "generator");
    const vrmi_name version_name = vrmi_import_name(json, &peek->model, version);
    const vrmi_name generator_name = vrmi_import_name(json, &peek->model, generator);
    if (peek->model.out_of_memory || !read_geometry(peek) || !view_meta(peek)) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    const char *text = peek->model.string.items;
    peek->info.spec_version =
        (vrm_string){version_name.length != 0 ? text + version_name.offset : NULL, version_name.length};
    peek->info.generator =
        (vrm_string){generator_name.length != 0 ? text + generator_name.offset : NULL, generator_name.length};
    return VRM_SUCCESS;
}

static vrm_peek *begin(const vrm_allocator *allocator)
{
    vrm_peek *peek = vrmi_allocate(allocator, sizeof *peek, 16);
    if (peek != NULL) {
        memset(peek, 0, sizeof *peek);
        peek->allocator = *allocator;
        vrmi_model_builder_init(&peek->model, allocator);
    }
    return peek;
}

static vrm_result finish(vrm_peek *peek, vrm_result result, vrm_peek **out_peek)
{
    result = result == VRM_SUCCESS ? read_info(peek) : result;
    if (result != VRM_SUCCESS) {
        vrm_peek_destroy(peek);
        return result;
    }
    *out_peek = peek;
    return VRM_SUCCESS;
}

vrm_result vrm_peek_create_from_gltf(const vrm_gltf *gltf, vrm_peek **out_peek)
{
    if (out_peek == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    *out_peek = NULL;
    if (!VRM_ASSERT(gltf != NULL)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    vrm_peek *peek = begin(&gltf->allocator);
    if (peek == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    peek->gltf = gltf;
    return finish(peek, VRM_SUCCESS, out_peek);
}

vrm_result vrm_peek_create(
    const vrm_gltf_def *def, const void *bytes, size_t size, vrm_report *report, vrm_peek **out_peek)
{
    if (out_peek == NULL) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    *out_peek = NULL;
    vrm_gltf_def chosen;
    vrm_gltf_def_default(&chosen);
    if (bytes == NULL || !VRMI_READ_OPTIONS(vrm_gltf_def, &chosen, def)) {
        return VRM_ERROR_INVALID_ARGUMENT;
    }
    chosen.borrow_bytes = true;
    chosen.read = NULL; // external files are not read
    vrm_allocator allocator;
    vrmi_resolve_allocator(&chosen.allocator, &allocator);
    vrm_peek *peek = begin(&allocator);
    if (peek == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    const vrm_result result = vrmi_gltf_load_part(&chosen, VRMI_GLTF_PEEK, bytes, size, report, &peek->own);
    peek->gltf = peek->own;
    return finish(peek, result, out_peek);
}

void vrm_peek_destroy(vrm_peek *peek)
{
    if (peek != NULL) {
        const vrm_allocator allocator = peek->allocator;
        vrmi_release(&allocator, peek->strings, peek->string_count * sizeof *peek->strings);
        vrmi_model_builder_free(&peek->model);
        vrm_gltf_destroy(peek->own);
        vrmi_release(&allocator, peek, sizeof *peek);
    }
}

void vrm_peek_get_info(const vrm_peek *peek, vrm_peek_info *out_info)
{
    (void)VRM_ASSERT(peek != NULL && out_info != NULL && VRMI_WRITE_OUTPUT(vrm_peek_info, out_info, &peek->info));
}

void vrm_peek_get_meta(const vrm_peek *peek, vrm_meta *out_meta)
{
    (void)VRM_ASSERT(peek != NULL && out_meta != NULL && VRMI_WRITE_OUTPUT(vrm_meta, out_meta, &peek->meta));
}
