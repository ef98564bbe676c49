// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

#include "sample/png.h"
#include "sample/write.h"

#include <string.h>

// Writes the figure as GLB. The binary chunk is written first; its views and accessors are recorded as it grows.

typedef struct writer {
    const vrmi_sample_figure *figure;
    vrmi_text bytes, views, accessors;
    int view_count, accessor_count;
    size_t view_start;
} writer;

// Accessors of a part, in the order in which they are written.
enum { POSITION, NORMAL, TEXCOORD, JOINTS, WEIGHTS, INDICES, ATTRIBUTES };

typedef struct part_accessors {
    int attribute[ATTRIBUTES];
    int morphs[VRMI_SAMPLE_MAX_MORPHS];
} part_accessors;

// --- the binary chunk ----------------------------------------------------------------------------------------------

static void put_u16(vrmi_text *out, uint32_t value)
{
    const char bytes[2] = {(char)(value & 255u), (char)(value >> 8 & 255u)};
    vrmi_text_add(out, bytes, 2);
}

static void put_u32(vrmi_text *out, uint32_t value)
{
    put_u16(out, value & 65535u);
    put_u16(out, value >> 16);
}

static void put_f32(vrmi_text *out, float value)
{
    uint32_t bits;
    value = value == 0.0f ? 0.0f : value; // avoids -0
    memcpy(&bits, &value, sizeof(bits));
    put_u32(out, bits);
}

static void put_vec3(vrmi_text *out, vrm_vec3 v)
{
    put_f32(out, v.x);
    put_f32(out, v.y);
    put_f32(out, v.z);
}

static void begin_view(writer *w)
{
    while (w->bytes.size % 4 != 0 && !w->bytes.failed) {
        vrmi_text_add(&w->bytes, "", 1);
    }
    w->view_start = w->bytes.size;
}

// A `stride` or `target` of 0 is not written.
static int end_view(writer *w, int stride, int target)
{
    vrmi_text_format(&w->views, "%s{\"buffer\":0,\"byteOffset\":%llu,\"byteLength\":%llu", w->view_count > 0 ? "," : "",
        (unsigned long long)w->view_start, (unsigned long long)(w->bytes.size - w->view_start));
    if (stride != 0) {
        vrmi_text_format(&w->views, ",\"byteStride\":%d", stride);
    }
    if (target != 0) {
        vrmi_text_format(&w->views, ",\"target\":%d", target);
    }
    vrmi_text_add_string(&w->views, "}");
    return w->view_count++;
}

static void begin_accessor(writer *w, int component, const char *type, uint32_t count)
{
    vrmi_text_format(&w->accessors, "%s{\"componentType\":%d,\"type\":\"%s\",\"count\":%u",
        w->accessor_count > 0 ? "," : "", component, type, count);
}

static void put_place(writer *w, int view, size_t offset)
{
    vrmi_text_format(&w->accessors, ",\"bufferView\":%d,\"byteOffset\":%llu", view, (unsigned long long)offset);
}

static void put_bounds(writer *w, vrm_vec3 low, vrm_vec3 high)
{
    const float bounds[2][3] = {{low.x, low.y, low.z}, {high.x, high.y, high.z}};
    for (int i = 0; i < 2; ++i) {
        vrmi_text_add_string(&w->accessors, i == 0 ? ",\"min\":" : ",\"max\":");
        vrmi_sample_put_floats(&w->accessors, bounds[i], 3);
    }
}

static int end_accessor(writer *w)
{
    vrmi_text_add_string(&w->accessors, "}");
    return w->accessor_count++;
}

static void grow_bounds(vrm_vec3 p, vrm_vec3 *low, vrm_vec3 *high)
{
    *low = vrmi_vec3(vrmi_min(low->x, p.x), vrmi_min(low->y, p.y), vrmi_min(low->z, p.z));
    *high = vrmi_vec3(vrmi_max(high->x, p.x), vrmi_max(high->y, p.y), vrmi_max(high->z, p.z));
}

static bool is_skinned(const vrmi_sample_plan *plan, int part)
{
    return !plan->meshes[plan->parts[part].mesh].is_rigid;
}

static void put_attribute_bytes(vrmi_text *out, const vrmi_sample_vertex *v, int attribute)
{
    switch (attribute) {
    case POSITION:
        put_vec3(out, v->position);
        break;
    case NORMAL:
        put_vec3(out, v->normal);
        break;
    case TEXCOORD:
        put_f32(out, v->u);
        put_f32(out, v->v);
        break;
    case JOINTS:
        for (int i = 0; i < 4; ++i) {
            const char joint = (char)v->skin.joint[i];
            vrmi_text_add(out, &joint, 1);
        }
        break;
    default:
        for (int i = 0; i < 4; ++i) {
            put_f32(out, v->skin.weight[i]);
        }
        break;
    }
}

// Writes one view per attribute for all parts, with one accessor per part.
static void write_attribute(writer *w, int attribute, part_accessors out[VRMI_SAMPLE_MAX_PARTS])
{
    static const struct {
        const char *type;
        int component, stride;
    } kinds[] = {{"VEC3", 5126, 12}, {"VEC3", 5126, 12}, {"VEC2", 5126, 8}, {"VEC4", 5121, 4}, {"VEC4", 5126, 16}};
    const vrmi_sample_plan *plan = w->figure->plan;
    begin_view(w);
    for (int p = 0; p < plan->part_count; ++p) {
        const vrmi_sample_part *part = &w->figure->parts[p];
        if ((attribute >= JOINTS && !is_skinned(plan, p)) || (attribute == TEXCOORD && !plan->parts[p].has_texture)) {
            out[p].attribute[attribute] = -1;
            continue;
        }
        begin_accessor(w, kinds[attribute].component, kinds[attribute].type, part->vertex_count);
        put_place(w, w->view_count, w->bytes.size - w->view_start);
        vrm_vec3 low = part->vertices[0].position, high = low;
        for (uint32_t v = 0; v < part->vertex_count; ++v) {
            put_attribute_bytes(&w->bytes, &part->vertices[v], attribute);
            grow_bounds(part->vertices[v].position, &low, &high);
        }
        if (attribute == POSITION) {
            put_bounds(w, low, high);
        }
        out[p].attribute[attribute] = end_accessor(w);
    }
    end_view(w, kinds[attribute].stride, 34962);
}

static void write_indices(writer *w, part_accessors out[VRMI_SAMPLE_MAX_PARTS])
{
    begin_view(w);
    for (int p = 0; p < w->figure->plan->part_count; ++p) {
        const vrmi_sample_part *part = &w->figure->parts[p];
        begin_accessor(w, 5123, "SCALAR", part->index_count);
        put_place(w, w->view_count, w->bytes.size - w->view_start);
        for (uint32_t i = 0; i < part->index_count; ++i) {
            put_u16(&w->bytes, part->indices[i]);
        }
        out[p].attribute[INDICES] = end_accessor(w);
    }
    end_view(w, 0, 34963);
}

static bool is_moved(vrm_vec3 d)
{
    return vrmi_abs(d.x) > 1e-7f || vrmi_abs(d.y) > 1e-7f || vrmi_abs(d.z) > 1e-7f;
}

// Writes a sparse accessor of the vertices that move. If none moves, the accessor is all 0 and has no bytes.
static int write_morph(writer *w, const vrm_vec3 *deltas, uint32_t count)
{
    uint32_t moved = 0;
    vrm_vec3 low = {0.0f, 0.0f, 0.0f}, high = low;
    for (uint32_t v = 0; v < count; ++v) {
        if (is_moved(deltas[v])) {
            low = moved == 0 && count != 0 ? deltas[v] : low;
            high = moved == 0 ? deltas[v] : high;
            grow_bounds(deltas[v], &low, &high);
            ++moved;
        }
    }
    if (moved < count) {
        grow_bounds(vrmi_vec3(0.0f, 0.0f, 0.0f), &low, &high);
    }
    if (moved == 0) {
        begin_accessor(w, 5126, "VEC3", count);
        put_bounds(w, low, high);
        return end_accessor(w);
    }
    begin_view(w);
    for (uint32_t v = 0; v < count; ++v) {
        if (is_moved(deltas[v])) {
            put_u16(&w->bytes, v);
        }
    }
    const int indices = end_view(w, 0, 0);
    begin_view(w);
    for (uint32_t v = 0; v < count; ++v) {
        if (is_moved(deltas[v])) {
            put_vec3(&w->bytes, deltas[v]);
        }
    }
    const int values = end_view(w, 0, 0);
    begin_accessor(w, 5126, "VEC3", count);
    put_bounds(w, low, high);
    vrmi_text_format(&w->accessors,
        ",\"sparse\":{\"count\":%u,\"indices\":{\"bufferView\":%d,\"componentType\":5123},\"values\":{\"bufferView\":%"
        "d}}",
        moved, indices, values);
    return end_accessor(w);
}

static int write_inverse_binds(writer *w)
{
    begin_view(w);
    for (int n = 0; n < w->figure->node_count; ++n) {
        const vrmi_sample_node *node = &w->figure->nodes[n];
        const vrm_quat inverse = vrmi_quat_conjugate(node->rotation);
        for (int column = 0; column < 3; ++column) {
            const vrm_vec3 axis = {column == 0 ? 1.0f : 0.0f, column == 1 ? 1.0f : 0.0f, column == 2 ? 1.0f : 0.0f};
            put_vec3(&w->bytes, vrmi_quat_rotate(inverse, axis));
            put_f32(&w->bytes, 0.0f);
        }
        put_vec3(&w->bytes, vrmi_quat_rotate(inverse, vrmi_vec3_scale(node->position, -1.0f)));
        put_f32(&w->bytes, 1.0f);
    }
    const int view = end_view(w, 0, 0);
    begin_accessor(w, 5126, "MAT4", (uint32_t)w->figure->node_count);
    put_place(w, view, 0);
    return end_accessor(w);
}

// --- JSON ----------------------------------------------------------------------------------------------------------

static void put_node(vrmi_text *text, const vrmi_sample_figure *figure, int n)
{
    const vrmi_sample_node *node = &figure->nodes[n];
    vrmi_text_format(text, "{\"name\":\"%s\"", node->name);
    if (node->parent >= 0) {
        const vrmi_sample_node *parent = &figure->nodes[node->parent];
        const vrm_quat inverse = vrmi_quat_conjugate(parent->rotation);
        const vrm_vec3 t = vrmi_quat_rotate(inverse, vrmi_vec3_sub(node->position, parent->position));
        const vrm_quat r = vrmi_quat_normalize(vrmi_quat_mul(inverse, node->rotation));
        const float translation[3] = {t.x, t.y, t.z}, rotation[4] = {r.x, r.y, r.z, r.w};
        vrmi_text_add_string(text, ",\"translation\":");
        vrmi_sample_put_floats(text, translation, 3);
        if (vrmi_abs(r.w) < 0.9999999f) {
            vrmi_text_add_string(text, ",\"rotation\":");
            vrmi_sample_put_floats(text, rotation, 4);
        }
    }
    int children = 0;
    for (int c = 0; c < figure->node_count; ++c) {
        if (figure->nodes[c].parent == n) {
            vrmi_text_format(text, "%s%d", children++ == 0 ? ",\"children\":[" : ",", c);
        }
    }
    vrmi_text_add_string(text, children > 0 ? "]" : "");
    for (int m = 0; m < figure->plan->mesh_count; ++m) {
        if (figure->plan->meshes[m].is_rigid && n == figure->helpers.pin) {
            vrmi_text_format(text, ",\"mesh\":%d", m);
        }
    }
    vrmi_sample_put_constraint(text, figure, n);
    vrmi_text_add_string(text, "}");
}

static void put_nodes(vrmi_text *text, const vrmi_sample_figure *figure)
{
    vrmi_text_add_string(text, "\"nodes\":[");
    for (int n = 0; n < figure->node_count; ++n) {
        vrmi_text_add_string(text, n > 0 ? "," : "");
        put_node(text, figure, n);
    }
    int skinned = 0;
    while (skinned < figure->plan->mesh_count && !figure->plan->meshes[skinned].is_rigid) {
        vrmi_text_format(
            text, ",{\"name\":\"%s\",\"mesh\":%d,\"skin\":0}", figure->plan->meshes[skinned].name, skinned);
        ++skinned;
    }
    vrmi_text_add_string(text, "],\"scene\":0,\"scenes\":[{\"nodes\":[0");
    for (int m = 0; m < skinned; ++m) {
        vrmi_text_format(text, ",%d", figure->node_count + m);
    }
    vrmi_text_add_string(text, "]}]");
}

static void put_primitive(vrmi_text *text, const vrmi_sample_plan *plan, int part, const part_accessors *a)
{
    static const char *const names[] = {"POSITION", "NORMAL", "TEXCOORD_0", "JOINTS_0", "WEIGHTS_0"};
    vrmi_text_add_string(text, "{\"attributes\":{");
    for (int i = 0; i < INDICES; ++i) {
        if (a->attribute[i] >= 0) {
            vrmi_text_format(text, "%s\"%s\":%d", i > 0 ? "," : "", names[i], a->attribute[i]);
        }
    }
    vrmi_text_format(text, "},\"indices\":%d,\"material\":%d", a->attribute[INDICES], part);
    for (int m = 0; m < plan->morph_count && part < plan->morph_parts; ++m) {
        vrmi_text_format(text, "%s{\"POSITION\":%d}", m == 0 ? ",\"targets\":[" : ",", a->morphs[m]);
    }
    vrmi_text_add_string(text, part < plan->morph_parts ? "]}" : "}");
}

static void put_meshes(
    vrmi_text *text, const vrmi_sample_plan *plan, const part_accessors accessors[VRMI_SAMPLE_MAX_PARTS])
{
    vrmi_text_add_string(text, "\"meshes\":[");
    for (int m = 0; m < plan->mesh_count; ++m) {
        vrmi_text_format(text, "%s{\"name\":\"%s\",\"primitives\":[", m > 0 ? "," : "", plan->meshes[m].name);
        int written = 0;
        for (int p = 0; p < plan->part_count; ++p) {
            if (plan->parts[p].mesh == m) {
                vrmi_text_add_string(text, written++ > 0 ? "," : "");
                put_primitive(text, plan, p, &accessors[p]);
            }
        }
        vrmi_text_add_string(text, "]");
        for (int t = 0; t < plan->morph_count && m == 0; ++t) {
            vrmi_text_format(text, "%s\"%s\"", t == 0 ? ",\"extras\":{\"targetNames\":[" : ",", plan->morphs[t]);
        }
        vrmi_text_add_string(text, m == 0 ? "]}}" : "}");
    }
    vrmi_text_add_string(text, "]");
}

static void put_images(vrmi_text *text, const vrmi_sample_plan *plan, const int views[VRMI_SAMPLE_MAX_IMAGES])
{
    vrmi_text_add_string(text, "\"images\":[");
    for (int i = 0; i < plan->image_count; ++i) {
        vrmi_text_format(text, "%s{\"name\":\"%s\",\"mimeType\":\"image/png\",\"bufferView\":%d}", i > 0 ? "," : "",
            plan->images[i], views[i]);
    }
    vrmi_text_add_string(text,
        "],\"samplers\":[{\"magFilter\":9729,\"minFilter\":9987,\"wrapS\":10497,\"wrapT\":10497}],\"textures\":[");
    for (int i = 1; i < plan->image_count; ++i) {
        vrmi_text_format(text, "%s{\"sampler\":0,\"source\":%d}", i > 1 ? "," : "", i);
    }
    vrmi_text_add_string(text, "]");
}

static void put_skin(vrmi_text *text, const vrmi_sample_figure *figure, int inverse_binds)
{
    vrmi_text_format(text, "\"skins\":[{\"inverseBindMatrices\":%d,\"joints\":[", inverse_binds);
    for (int n = 0; n < figure->node_count; ++n) {
        vrmi_text_format(text, "%s%d", n > 0 ? "," : "", n);
    }
    vrmi_text_add_string(text, "]}]");
}

static void put_json(writer *w, const part_accessors accessors[VRMI_SAMPLE_MAX_PARTS],
    const int image_views[VRMI_SAMPLE_MAX_IMAGES], int inverse_binds, vrmi_text *out)
{
    vrmi_text_add_string(out,
        "{\"asset\":{\"version\":\"2.0\",\"generator\":\"libvrm " VRM_VERSION_STRING
        "\",\"copyright\":\"CC0 1.0 Universal\"},\"extensionsUsed\":[\"KHR_materials_emissive_strength\","
        "\"KHR_texture_transform\",\"VRMC_materials_mtoon\",\"VRMC_node_constraint\",\"VRMC_springBone\","
        "\"VRMC_springBone_extended_collider\",\"VRMC_vrm\"],\"extensions\":{");
    vrmi_sample_put_vrm(out, w->figure);
    vrmi_text_add_string(out, ",");
    vrmi_sample_put_springs(out, w->figure);
    vrmi_text_add_string(out, "},");
    put_nodes(out, w->figure);
    vrmi_text_add_string(out, ",");
    put_meshes(out, w->figure->plan, accessors);
    vrmi_text_add_string(out, ",");
    vrmi_sample_put_materials(out, w->figure);
    vrmi_text_add_string(out, ",");
    put_images(out, w->figure->plan, image_views);
    vrmi_text_add_string(out, ",");
    put_skin(out, w->figure, inverse_binds);
    vrmi_text_add_string(out, ",\"accessors\":[");
    vrmi_text_add(out, w->accessors.data, w->accessors.size);
    vrmi_text_add_string(out, "],\"bufferViews\":[");
    vrmi_text_add(out, w->views.data, w->views.size);
    vrmi_text_format(out, "],\"buffers\":[{\"byteLength\":%llu}]}", (unsigned long long)w->bytes.size);
}

// Writes the header, the JSON chunk padded with spaces, and the binary chunk padded with zeros.
static void put_glb(vrmi_text *json, vrmi_text *bytes, vrmi_text *out)
{
    while (json->size % 4 != 0 && !json->failed) {
        vrmi_text_add(json, " ", 1);
    }
    while (bytes->size % 4 != 0 && !bytes->failed) {
        vrmi_text_add(bytes, "", 1);
    }
    vrmi_text_add(out, "glTF", 4);
    put_u32(out, 2);
    put_u32(out, (uint32_t)(28 + json->size + bytes->size));
    put_u32(out, (uint32_t)json->size);
    vrmi_text_add(out, "JSON", 4);
    vrmi_text_add(out, json->data, json->size);
    put_u32(out, (uint32_t)bytes->size);
    vrmi_text_add(out, "BIN\0", 4);
    vrmi_text_add(out, bytes->data, bytes->size);
    out->failed = out->failed || json->failed || bytes->failed;
}

static void write_all(writer *w, vrmi_text *json)
{
    const vrmi_sample_plan *plan = w->figure->plan;
    part_accessors accessors[VRMI_SAMPLE_MAX_PARTS];
    int image_views[VRMI_SAMPLE_MAX_IMAGES];
    for (int attribute = POSITION; attribute < INDICES; ++attribute) {
        write_attribute(w, attribute, accessors);
    }
    write_indices(w, accessors);
    for (int p = 0; p < plan->morph_parts; ++p) {
        for (int m = 0; m < plan->morph_count; ++m) {
            accessors[p].morphs[m] = write_morph(w, w->figure->morphs[m][p], w->figure->parts[p].vertex_count);
        }
    }
    const int inverse_binds = write_inverse_binds(w);
    for (int i = 0; i < plan->image_count; ++i) {
        begin_view(w);
        vrmi_sample_write_png(&w->figure->images[i], &w->bytes);
        image_views[i] = end_view(w, 0, 0);
    }
    put_json(w, accessors, image_views, inverse_binds, json);
}

vrm_result vrmi_sample_write(const vrmi_sample_figure *figure, const vrm_allocator *allocator, vrm_bytes *out_bytes)
{
    writer w = {.figure = figure};
    vrmi_text json, glb;
    vrmi_text_init(&w.bytes, allocator);
    vrmi_text_init(&w.views, allocator);
    vrmi_text_init(&w.accessors, allocator);
    vrmi_text_init(&json, allocator);
    vrmi_text_init(&glb, allocator);
    write_all(&w, &json);
    put_glb(&json, &w.bytes, &glb);
    glb.failed = glb.failed || w.views.failed || w.accessors.failed;
    const vrm_allocator used = glb.allocator;
    vrmi_text_free(&w.bytes);
    vrmi_text_free(&w.views);
    vrmi_text_free(&w.accessors);
    vrmi_text_free(&json);
    size_t size = 0;
    void *data = vrmi_text_take(&glb, &size);
    if (data == NULL) {
        return VRM_ERROR_OUT_OF_MEMORY;
    }
    *out_bytes = (vrm_bytes){.data = data, .size = size, .allocator = used};
    return VRM_SUCCESS;
}
