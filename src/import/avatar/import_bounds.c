// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include <string.h>

#include "import/import.h"
#include "import/table_hash.h"
#include "math/mat34.h"

enum { CHUNK = 512, MAX_SETS = 8 };

// Attribute values looked at in one import, at most (a figure of 100,000 vertices with 60 morph targets has 6 million).
// A file may use the same vertices with thousands of skins; beyond this the rest gets boxes from joints alone.
#define MAX_READS (UINT64_C(1) << 26)
#define READS_PER_PRIMITIVE 16u

// What one joint of a palette (or the node itself) carries, while a mesh is read.
typedef struct joint_bound {
    uint32_t stamp;      // of the mesh node that last touched it
    vrm_box box;         // in the joint's space
    float height_row[4]; // model-space height of a vertex as this joint carries it in the rest pose
} joint_bound;

typedef struct chunk_buffers {
    float position[CHUNK * 3], delta[CHUNK * 3], low[CHUNK * 3], high[CHUNK * 3];
    float height[CHUNK], weights[CHUNK * 4];
    uint32_t joints[CHUNK * 4];
} chunk_buffers;

typedef struct bounds_pass {
    vrmi_import *import;
    chunk_buffers *buffers;
    joint_bound *bounds; // by joint of the palette; entry 0 for what is not skinned
    uint32_t *touched;   // joints of this mesh, in the order met
    uint32_t touched_count, stamp;
    vrmi_array targets;     // uint32_t: accessors of one primitive's morph targets
    vrmi_range *point_rows; // by palette: rows of points, for meshes that cannot be read; count 0: none yet
    vrmi_table_hash seen;   // mesh nodes by mesh and palette
    bool *skinned;          // by glTF mesh: some primitive has joints (a skin on other meshes moves nothing)
    uint64_t reads;
    bool complete; // every mesh was read
    bool has_top;
    float top; // model space
} bounds_pass;

// The mesh node that is read.
typedef struct mesh_reading {
    uint32_t node;
    int32_t palette;
    uint32_t joint_count; // of the palette, 0 when not skinned
    const uint32_t *joint_nodes;
    const vrm_mat34 *inverse_binds;
} mesh_reading;

// --- vertices --------------------------------------------------------------------------------------------------------

static void include_box(vrm_box *box, vrm_vec3 low, vrm_vec3 high)
{
    box->min.x = vrmi_min(box->min.x, low.x);
    box->min.y = vrmi_min(box->min.y, low.y);
    box->min.z = vrmi_min(box->min.z, low.z);
    box->max.x = vrmi_max(box->max.x, high.x);
    box->max.y = vrmi_max(box->max.y, high.y);
    box->max.z = vrmi_max(box->max.z, high.z);
}

static joint_bound *touch(bounds_pass *pass, const mesh_reading *mesh, uint32_t joint)
{
    joint_bound *bound = &pass->bounds[joint];
    if (bound->stamp != pass->stamp) {
        const vrm_mat34 *rest = VRMI_ROWS(pass->import, node_rest_matrix, vrm_mat34);
        vrm_mat34 model_from_vertex = rest[mesh->node];
        if (mesh->joint_count != 0) {
            vrmi_mat34_mul(&rest[mesh->joint_nodes[joint]], &mesh->inverse_binds[joint], &model_from_vertex);
        }
        bound->stamp = pass->stamp;
        bound->box = (vrm_box){{3.4e38f, 3.4e38f, 3.4e38f}, {-3.4e38f, -3.4e38f, -3.4e38f}};
        memcpy(bound->height_row, model_from_vertex.m[1], sizeof bound->height_row);
        pass->touched[pass->touched_count++] = joint;
    }
    return bound;
}

// The box of a box under a matrix: the centre moves, the extents grow by the matrix's absolute values.
static void transform_extent(const vrm_mat34 *matrix, const float low[3], const float high[3], vrm_box *out)
{
    float min[3], max[3];
    for (int row = 0; row < 3; ++row) {
        min[row] = max[row] = matrix->m[row][3];
        for (int column = 0; column < 3; ++column) {
            const float a = matrix->m[row][column] * low[column], b = matrix->m[row][column] * high[column];
            min[row] += vrmi_min(a, b);
            max[row] += vrmi_max(a, b);
        }
    }
    *out = (vrm_box){{min[0], min[1], min[2]}, {max[0], max[1], max[2]}};
}

static void transform_point(const vrm_mat34 *matrix, const float p[3], vrm_box *out)
{
    float at[3];
    for (int row = 0; row < 3; ++row) {
        const float *m = matrix->m[row];
        at[row] = m[3] + m[0] * p[0] + m[1] * p[1] + m[2] * p[2];
    }
    *out = (vrm_box){{at[0], at[1], at[2]}, {at[0], at[1], at[2]}};
}

static void include_vertex(bounds_pass *pass, const mesh_reading *mesh, uint32_t vertex, uint32_t joint, float weight)
{
    chunk_buffers *b = pass->buffers;
    joint_bound *bound = touch(pass, mesh, joint);
    const float *low = &b->low[vertex * 3], *high = &b->high[vertex * 3], *p = &b->position[vertex * 3];
    vrm_box box = {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
    if (mesh->joint_count != 0 && pass->targets.count != 0) {
        transform_extent(&mesh->inverse_binds[joint], low, high, &box);
    } else if (mesh->joint_count != 0) {
        transform_point(&mesh->inverse_binds[joint], p, &box); // the same numbers in half of the steps
    }
    include_box(&bound->box, box.min, box.max);
    const float *row = bound->height_row;
    b->height[vertex] += weight * (row[0] * p[0] + row[1] * p[1] + row[2] * p[2] + row[3]);
}

static int32_t attribute(const vrmi_import *import, uint32_t attributes, const char *name)
{
    uint32_t accessor = 0;
    return vrmi_json_uint(import->json, vrmi_json_member(import->json, attributes, name), &accessor) ? (int32_t)accessor
                                                                                                     : -1;
}

static void include_heights(bounds_pass *pass, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        if (!pass->has_top || pass->buffers->height[i] > pass->top) {
            pass->has_top = true;
            pass->top = pass->buffers->height[i];
        }
    }
}

// Positions of a chunk with everything that morph targets at weights from 0 to 1 can make of them.
static bool read_extents(bounds_pass *pass, uint32_t position, uint32_t first, uint32_t count)
{
    const vrm_gltf *gltf = pass->import->gltf;
    chunk_buffers *b = pass->buffers;
    if (vrm_gltf_accessor_read_float(gltf, position, first, count, b->position) != VRM_SUCCESS) {
        return false;
    }
    memcpy(b->low, b->position, sizeof *b->low * count * 3);
    memcpy(b->high, b->position, sizeof *b->high * count * 3);
    memset(b->height, 0, sizeof *b->height * count);
    const uint32_t *targets = pass->targets.items;
    for (uint32_t t = 0; t < pass->targets.count; ++t) {
        if (vrm_gltf_accessor_read_float(gltf, targets[t], first, count, b->delta) != VRM_SUCCESS) {
            return false;
        }
        for (uint32_t i = 0; i < count * 3; ++i) {
            b->low[i] += vrmi_min(b->delta[i], 0.0f);
            b->high[i] += vrmi_max(b->delta[i], 0.0f);
        }
    }
    return true;
}

typedef struct skin_sets {
    uint32_t count;
    int32_t joints[MAX_SETS], weights[MAX_SETS]; // accessors
} skin_sets;

static bool read_skinned_chunk(
    bounds_pass *pass, const mesh_reading *mesh, const skin_sets *sets, uint32_t first, uint32_t count)
{
    const vrm_gltf *gltf = pass->import->gltf;
    chunk_buffers *b = pass->buffers;
    for (uint32_t set = 0; set < sets->count; ++set) {
        const uint32_t joints = (uint32_t)sets->joints[set], weights = (uint32_t)sets->weights[set];
        if (vrm_gltf_accessor_read_uint(gltf, joints, first, count, b->joints) != VRM_SUCCESS ||
            vrm_gltf_accessor_read_float(gltf, weights, first, count, b->weights) != VRM_SUCCESS) {
            return false;
        }
        for (uint32_t i = 0; i < count * 4; ++i) {
            // Joints beyond the skin have weight 0: the document was checked.
            if (b->weights[i] > 0.0f && b->joints[i] < mesh->joint_count) {
                include_vertex(pass, mesh, i / 4, b->joints[i], b->weights[i]);
            }
        }
    }
    return true;
}

// --- primitives ------------------------------------------------------------------------------------------------------

static bool has_shape(const vrm_gltf *gltf, int32_t accessor, uint32_t components, uint32_t count)
{
    vrm_gltf_accessor info;
    return accessor >= 0 && vrm_gltf_accessor_info(gltf, (uint32_t)accessor, &info) == VRM_SUCCESS &&
           info.components == components && info.count >= count;
}

// The position accessors of the primitive's morph targets.
static void list_targets(bounds_pass *pass, const vrmi_gltf_primitive *primitive, uint32_t count)
{
    vrmi_import *import = pass->import;
    pass->targets.count = 0;
    uint32_t target = vrmi_json_first(import->json, primitive->targets_json);
    for (; target != VRMI_JSON_NONE && vrmi_import_tick(import, 1); target = vrmi_json_next(import->json, target)) {
        const int32_t accessor = attribute(import, target, "POSITION");
        uint32_t *row = has_shape(import->gltf, accessor, 3, count) ? vrmi_import_push(import, &pass->targets) : NULL;
        if (row != NULL) {
            *row = (uint32_t)accessor;
        }
    }
}

static void list_skin_sets(
    const vrmi_import *import, const vrmi_gltf_primitive *primitive, uint32_t count, skin_sets *out)
{
    char joints[] = "JOINTS_0", weights[] = "WEIGHTS_0";
    for (out->count = 0; out->count < MAX_SETS; ++out->count) {
        joints[sizeof joints - 2] = weights[sizeof weights - 2] = (char)('0' + out->count);
        out->joints[out->count] = attribute(import, primitive->attributes_json, joints);
        out->weights[out->count] = attribute(import, primitive->attributes_json, weights);
        if (!has_shape(import->gltf, out->joints[out->count], 4, count) ||
            !has_shape(import->gltf, out->weights[out->count], 4, count)) {
            break;
        }
    }
}

// False when the vertices cannot be read.
static bool read_primitive(bounds_pass *pass, const mesh_reading *mesh, const vrmi_gltf_primitive *primitive)
{
    vrmi_import *import = pass->import;
    vrm_gltf_accessor info;
    if (primitive->position < 0) {
        return true; // draws nothing
    }
    if (primitive->compressed || !has_shape(import->gltf, primitive->position, 3, 0) ||
        vrm_gltf_accessor_info(import->gltf, (uint32_t)primitive->position, &info) != VRM_SUCCESS) {
        return false;
    }
    skin_sets sets = {.count = 0};
    if (mesh->joint_count != 0) {
        list_skin_sets(import, primitive, info.count, &sets);
    }
    list_targets(pass, primitive, info.count);
    pass->reads += (uint64_t)info.count * (1 + pass->targets.count + 2 * (uint64_t)sets.count);
    if (pass->reads > MAX_READS) {
        return false;
    }
    for (uint32_t first = 0; first < info.count && vrmi_import_tick(import, CHUNK); first += CHUNK) {
        const uint32_t count = info.count - first < CHUNK ? info.count - first : CHUNK;
        if (!read_extents(pass, (uint32_t)primitive->position, first, count)) {
            return false;
        }
        if (mesh->joint_count == 0) {
            for (uint32_t i = 0; i < count; ++i) {
                include_vertex(pass, mesh, i, 0, 1.0f);
            }
        } else if (!read_skinned_chunk(pass, mesh, &sets, first, count)) {
            return false;
        }
        if (mesh->joint_count == 0 || sets.count != 0) {
            include_heights(pass, count);
        }
    }
    return true;
}

// --- rows ------------------------------------------------------------------------------------------------------------

// Boxes without extent at the joints, shared by all unreadable meshes of a palette.
static vrmi_range point_rows(bounds_pass *pass, const mesh_reading *mesh)
{
    vrmi_import *import = pass->import;
    const uint32_t count = mesh->joint_count != 0 ? mesh->joint_count : 1;
    vrmi_range *known = mesh->palette >= 0 ? &pass->point_rows[mesh->palette] : NULL;
    if (known != NULL && known->count != 0) {
        return *known;
    }
    const vrmi_range range = {import->model.bound.count, count};
    vrmi_bound_row *rows = vrmi_import_extend(import, &import->model.bound, count);
    for (uint32_t i = 0; i < count && rows != NULL; ++i) {
        rows[i].node = mesh->joint_count != 0 ? mesh->joint_nodes[i] : mesh->node;
    }
    if (known != NULL) {
        *known = range;
    }
    return range;
}

static vrmi_range touched_rows(bounds_pass *pass, const mesh_reading *mesh)
{
    vrmi_import *import = pass->import;
    const vrmi_range range = {import->model.bound.count, pass->touched_count};
    vrmi_bound_row *rows = vrmi_import_extend(import, &import->model.bound, range.count);
    for (uint32_t i = 0; i < range.count && rows != NULL; ++i) {
        const uint32_t joint = pass->touched[i];
        rows[i].node = mesh->joint_count != 0 ? mesh->joint_nodes[joint] : mesh->node;
        rows[i].box = pass->bounds[joint].box;
    }
    return range;
}

static vrmi_range read_mesh(bounds_pass *pass, const mesh_reading *mesh, uint32_t gltf_mesh)
{
    const vrm_gltf *gltf = pass->import->gltf;
    const vrmi_gltf_range primitives = gltf->meshes[gltf_mesh].primitives;
    bool readable = pass->import->geometry || primitives.count == 0;
    pass->touched_count = 0;
    ++pass->stamp;
    for (uint32_t i = 0; i < primitives.count && readable; ++i) {
        pass->reads += READS_PER_PRIMITIVE;
        readable = read_primitive(pass, mesh, &gltf->primitives[primitives.first + i]);
    }
    if (!readable) {
        pass->complete = false;
        return point_rows(pass, mesh);
    }
    return touched_rows(pass, mesh);
}

static int32_t palette_of(const bounds_pass *pass, const vrm_mesh *mesh)
{
    return pass->skinned[mesh->gltf_mesh] ? mesh->palette : -1;
}

// Mesh nodes with the same mesh and palette share their rows; rigid ones have the same box on another node.
static bool copy_equal(bounds_pass *pass, const vrm_mesh *mesh, uint32_t hash, uint32_t index)
{
    vrmi_import *import = pass->import;
    uint32_t slot = 0;
    for (uint32_t i = vrmi_table_hash_first(&pass->seen, hash, &slot); i != VRMI_HASH_NONE;
         i = vrmi_table_hash_next(&pass->seen, hash, &slot)) {
        const vrm_mesh *other = VRMI_ROWS(import, mesh, vrm_mesh) + i;
        if (other->gltf_mesh != mesh->gltf_mesh || palette_of(pass, other) != palette_of(pass, mesh)) {
            continue;
        }
        vrmi_range range = VRMI_ROWS(import, mesh_bounds, vrmi_range)[i];
        if (palette_of(pass, mesh) < 0 && range.count != 0) {
            const vrm_box box = VRMI_ROWS(import, bound, vrmi_bound_row)[range.first].box;
            range = (vrmi_range){import->model.bound.count, 1};
            vrmi_bound_row *row = vrmi_import_push(import, &import->model.bound);
            if (row != NULL) {
                const vrm_mat34 *rest = &VRMI_ROWS(import, node_rest_matrix, vrm_mat34)[mesh->node];
                vrm_box model;
                const float low[3] = {box.min.x, box.min.y, box.min.z}, high[3] = {box.max.x, box.max.y, box.max.z};
                transform_extent(rest, low, high, &model);
                pass->top = !pass->has_top || model.max.y > pass->top ? model.max.y : pass->top;
                pass->has_top = true;
                *row = (vrmi_bound_row){mesh->node, box};
            }
        }
        VRMI_ROWS(import, mesh_bounds, vrmi_range)[index] = range;
        return true;
    }
    return false;
}

static void read_all(bounds_pass *pass)
{
    vrmi_import *import = pass->import;
    const uint32_t count = import->model.mesh.count;
    for (uint32_t m = 0; m < import->gltf->counts[VRM_GLTF_MESHES]; ++m) {
        const vrmi_gltf_range primitives = import->gltf->meshes[m].primitives;
        for (uint32_t i = 0; i < primitives.count && !pass->skinned[m]; ++i) {
            pass->skinned[m] = import->gltf->primitives[primitives.first + i].joints0 >= 0;
        }
    }
    for (uint32_t i = 0; i < count && vrmi_import_tick(import, 1); ++i) {
        const vrm_mesh *mesh = VRMI_ROWS(import, mesh, vrm_mesh) + i;
        const int32_t palette = palette_of(pass, mesh);
        const uint32_t key[2] = {mesh->gltf_mesh, (uint32_t)palette};
        const uint32_t hash = vrmi_hash_bytes(key, sizeof key, 0);
        if (copy_equal(pass, mesh, hash, i)) {
            continue;
        }
        mesh_reading reading = {.node = mesh->node, .palette = palette};
        if (palette >= 0) {
            const vrmi_palette_row row = VRMI_ROWS(import, palette, vrmi_palette_row)[palette];
            reading.joint_count = row.joint_count;
            reading.joint_nodes = VRMI_ROWS(import, palette_node, uint32_t) + row.first_joint;
            reading.inverse_binds = VRMI_ROWS(import, palette_inverse_bind, vrm_mat34) + row.first_joint;
        }
        VRMI_ROWS(import, mesh_bounds, vrmi_range)[i] = read_mesh(pass, &reading, mesh->gltf_mesh);
        vrmi_table_hash_add(&pass->seen, hash, i);
    }
}

// Heights over the ground plane Y = 0 in the rest pose.
static void measure_body(bounds_pass *pass)
{
    vrmi_model_head *head = &pass->import->model.head;
    const vrm_mat34 *rest = VRMI_ROWS(pass->import, node_rest_matrix, vrm_mat34);
    const int32_t hips = head->bone_node[VRM_HUMAN_BONE_HIPS], top = head->bone_node[VRM_HUMAN_BONE_HEAD];
    if (hips >= 0) {
        head->body.hips_height = rest[hips].m[1][3];
    }
    if (top >= 0) {
        head->body.eye_height = vrmi_mat34_point(&rest[top], head->look_at.offset_from_head_bone).y;
        head->body.height = rest[top].m[1][3];
    }
    if (pass->has_top && vrmi_finite(pass->top)) {
        head->body.height = pass->top;
    }
}

void vrmi_import_bounds(vrmi_import *import)
{
    bounds_pass pass = {.import = import, .targets = {.item_size = sizeof(uint32_t)}, .complete = true};
    uint32_t joints = 1;
    for (uint32_t i = 0; i < import->model.palette.count; ++i) {
        const uint32_t count = VRMI_ROWS(import, palette, vrmi_palette_row)[i].joint_count;
        joints = count > joints ? count : joints;
    }
    pass.buffers = vrmi_import_scratch(import, 1, sizeof *pass.buffers);
    pass.bounds = vrmi_import_scratch(import, joints, sizeof *pass.bounds);
    pass.touched = vrmi_import_scratch(import, joints, sizeof *pass.touched);
    pass.point_rows = vrmi_import_scratch(import, import->model.palette.count, sizeof *pass.point_rows);
    pass.skinned = vrmi_import_scratch(import, import->gltf->counts[VRM_GLTF_MESHES], sizeof *pass.skinned);
    (void)vrmi_import_extend(import, &import->model.mesh_bounds, import->model.mesh.count);
    if (vrmi_import_runs(import) && vrmi_table_hash_init(&pass.seen, import, import->model.mesh.count)) {
        read_all(&pass);
        if (!pass.complete) {
            import->model.head.flags |= VRM_AVATAR_NO_BOUNDS;
            vrmi_reader_report(&import->reader, VRM_FINDING_VRM1_NO_BOUNDS, 0, "meshes", NULL, NULL);
        }
        measure_body(&pass);
    }
    vrmi_array_free(&pass.targets, &import->model.allocator);
}
