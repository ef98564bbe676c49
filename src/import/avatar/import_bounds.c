// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/text.h"
#include "format/gltf/accessor.h"
#include "import/avatar/import_reach.h"
#include "import/avatar/kernel_bounds.h"
#include "import/import.h"
#include "import/table_hash.h"
#include "math/mat34.h"

enum { CHUNK = VRMI_BOUNDS_CHUNK, MAX_DELTAS = 8, MAX_SETS = 8 };

// The largest number of attribute values to read in one import. An avatar of 100,000 vertices with 60 morph targets has
// 6 million. A file may use the same vertices with thousands of skins; beyond this limit, meshes get boxes from their
// joints alone.
#define MAX_READS (UINT64_C(1) << 26)
#define READS_PER_PRIMITIVE 16u

#define FAR 3.4e38f // beyond any vertex

typedef struct chunk_buffers {
    vrmi_bounds_chunk chunk;
    float deltas[MAX_DELTAS][CHUNK * 3]; // unpacked floats of targets that cannot be read in place
} chunk_buffers;

// The accessors of a primitive's vertices. The primitives of a VRM 0.x mesh often share them and differ only in their
// indices.
typedef struct vertex_source {
    const vrmi_gltf_accessor *position;
    uint32_t set_count;
    const vrmi_gltf_accessor *joints[MAX_SETS], *weights[MAX_SETS];
    vrmi_array targets; // const vrmi_gltf_accessor *: positions of the morph targets that are not all zero
} vertex_source;

typedef struct bounds_pass {
    vrmi_import *import;
    chunk_buffers *buffers;
    vrmi_joint_bound *bounds; // indexed by joint of the palette; without a skin, only entry 0 is used
    uint32_t *stamps;         // indexed by joint: the mesh node that last used it
    uint32_t *touched;        // joints used by this mesh, in order of occurrence
    uint32_t touched_count, stamp;
    vertex_source sources[2]; // vertices of this primitive and of the previous one
    vrmi_range *point_rows;   // indexed by palette: rows of point boxes, for unreadable meshes; count 0: not yet added
    vrmi_table_hash seen;     // finds earlier mesh nodes by mesh and palette
    bool *skinned;            // indexed by glTF mesh: some primitive has joints; a skin has no effect on other meshes
    vrmi_reach reach;
    uint64_t reads;
    bool complete; // all meshes could be read
    float top;     // height of the highest vertex in model space; -FAR: none
} bounds_pass;

// The mesh node being read.
typedef struct mesh_reading {
    uint32_t node;
    int32_t palette;
    uint32_t joint_count; // number of joints in the palette; 0 if the mesh is not skinned
    const uint32_t *joint_nodes;
    const vrm_mat34 *inverse_binds;
} mesh_reading;

// --- vertices --------------------------------------------------------------------------------------------------------

// Starts an empty box for a joint when its first vertex of this mesh is read.
static void begin_joint(bounds_pass *pass, const mesh_reading *mesh, uint32_t joint)
{
    const vrm_mat34 *rest = VRMI_ROWS(pass->import, node_rest_matrix, vrm_mat34);
    vrm_mat34 joint_from_vertex, model_from_vertex = rest[mesh->node];
    vrmi_mat34_identity(&joint_from_vertex);
    if (mesh->joint_count != 0) {
        joint_from_vertex = mesh->inverse_binds[joint];
        vrmi_mat34_mul(&rest[mesh->joint_nodes[joint]], &mesh->inverse_binds[joint], &model_from_vertex);
    }
    vrmi_joint_bound *bound = &pass->bounds[joint];
    for (int column = 0; column < 4; ++column) {
        for (int row = 0; row < 3; ++row) {
            bound->columns[column][row] = joint_from_vertex.m[row][column];
        }
        bound->columns[column][3] = model_from_vertex.m[1][column];
        bound->low[column] = FAR;
        bound->high[column] = -FAR;
    }
    const uint32_t node = mesh->joint_count != 0 ? mesh->joint_nodes[joint] : mesh->node;
    vrmi_reach_begin_joint(&pass->reach, joint, node, &model_from_vertex);
    pass->stamps[joint] = pass->stamp;
    pass->touched[pass->touched_count++] = joint;
}

// Reads positions, and the range over which morph targets with weights from 0 to 1 can move them.
static void read_positions(chunk_buffers *b, const vertex_source *source, uint32_t first, uint32_t count)
{
    vrmi_accessor_floats(source->position, first, count, b->chunk.position);
    memset(b->chunk.height, 0, sizeof *b->chunk.height * count);
    if (source->targets.count == 0) {
        return;
    }
    memcpy(b->chunk.low, b->chunk.position, sizeof *b->chunk.low * count * 3);
    memcpy(b->chunk.high, b->chunk.position, sizeof *b->chunk.high * count * 3);
    const vrmi_gltf_accessor *const *targets = source->targets.items;
    const float *deltas[MAX_DELTAS];
    uint32_t filled = 0;
    for (uint32_t i = 0; i < source->targets.count; ++i) {
        if (!vrmi_accessor_is_zero(targets[i], first, count)) {
            deltas[filled] = vrmi_accessor_packed_floats(targets[i], first);
            if (deltas[filled] == NULL) {
                vrmi_accessor_floats(targets[i], first, count, b->deltas[filled]);
                deltas[filled] = b->deltas[filled];
            }
            ++filled;
        }
        if (filled == MAX_DELTAS || i + 1 == source->targets.count) {
            vrmi_kernel_add_deltas(&b->chunk, count, deltas, filled);
            filled = 0;
        }
    }
}

static void include_influences(bounds_pass *pass, const mesh_reading *mesh, bool morphs, uint32_t count)
{
    vrmi_bounds_chunk *chunk = &pass->buffers->chunk;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t joint = chunk->joints[chunk->influences[i]];
        if (pass->stamps[joint] != pass->stamp) {
            begin_joint(pass, mesh, joint);
        }
    }
    vrmi_kernel_include_vertices(chunk, morphs, count, pass->bounds);
}

static void include_rigid(bounds_pass *pass, const mesh_reading *mesh, bool morphs, uint32_t count)
{
    vrmi_bounds_chunk *chunk = &pass->buffers->chunk;
    for (uint32_t i = 0; i < count; ++i) {
        const float weights[4] = {1.0f, 0.0f, 0.0f, 0.0f};
        memcpy(&chunk->weights[i * 4], weights, sizeof weights);
        chunk->joints[i * 4] = 0;
        chunk->influences[i] = (uint16_t)(i * 4);
    }
    include_influences(pass, mesh, morphs, count);
    vrmi_reach_include(&pass->reach, chunk, count, 1);
}

static void include_set(bounds_pass *pass, const mesh_reading *mesh, bool morphs, uint32_t count)
{
    vrmi_bounds_chunk *chunk = &pass->buffers->chunk;
    uint32_t influences = 0;
    for (uint32_t i = 0; i < count * 4; ++i) {
        // Joints out of range have weight 0, because loading has checked the document. The loop has no branch, which
        // the processor could not predict.
        chunk->influences[influences] = (uint16_t)i;
        influences += (chunk->weights[i] > 0.0f) & (chunk->joints[i] < mesh->joint_count);
    }
    include_influences(pass, mesh, morphs, influences);
    vrmi_reach_include(&pass->reach, chunk, count, mesh->joint_count);
}

static void include_chunk(
    bounds_pass *pass, const mesh_reading *mesh, const vertex_source *source, uint32_t first, uint32_t count)
{
    vrmi_bounds_chunk *chunk = &pass->buffers->chunk;
    const bool rigid = mesh->joint_count == 0, morphs = source->targets.count != 0;
    if (rigid) {
        include_rigid(pass, mesh, morphs, count);
    }
    for (uint32_t set = 0; set < source->set_count; ++set) {
        vrmi_accessor_uints(source->joints[set], first, count, chunk->joints);
        vrmi_accessor_floats(source->weights[set], first, count, chunk->weights);
        include_set(pass, mesh, morphs, count);
    }
    for (uint32_t i = 0; (rigid || source->set_count != 0) && i < count; ++i) {
        pass->top = vrmi_max(chunk->height[i][3], pass->top);
    }
}

// --- primitives ------------------------------------------------------------------------------------------------------

// Returns an attribute's accessor if it can be read and has the expected size; otherwise NULL.
static const vrmi_gltf_accessor *find_vertices(
    const vrmi_import *import, uint32_t accessor, uint32_t components, uint32_t count)
{
    const vrmi_gltf_accessor *a = vrmi_gltf_readable(import->gltf, accessor);
    return a != NULL && a->components == components && a->count >= count ? a : NULL;
}

// Finds the positions of a primitive's morph targets. Returns false if one of them cannot be read.
static bool find_targets(bounds_pass *pass, const vrmi_gltf_primitive *primitive, vertex_source *source)
{
    vrmi_import *import = pass->import;
    source->targets.count = 0;
    uint32_t target = vrmi_json_first(import->json, primitive->targets_json);
    for (; target != VRMI_JSON_NONE && vrmi_import_tick(import, 1); target = vrmi_json_next(import->json, target)) {
        uint32_t accessor;
        if (!vrmi_json_uint(import->json, vrmi_json_member(import->json, target, "POSITION"), &accessor)) {
            continue;
        }
        const vrmi_gltf_accessor *a = find_vertices(import, accessor, 3, source->position->count);
        if (a == NULL) {
            return false;
        }
        const vrmi_gltf_accessor **row =
            vrmi_accessor_is_zero(a, 0, a->count) ? NULL : vrmi_import_push(import, &source->targets);
        if (row != NULL) {
            *row = a;
        }
    }
    return true;
}

static void find_skin_sets(const vrmi_import *import, const vrmi_gltf_primitive *primitive, vertex_source *source)
{
    uint32_t joints, weights;
    for (source->set_count = 0; source->set_count < MAX_SETS; ++source->set_count) {
        const uint32_t set = source->set_count;
        if (!vrmi_gltf_joint_set(import->gltf, primitive, set, &joints, &weights)) {
            return;
        }
        source->joints[set] = find_vertices(import, joints, 4, source->position->count);
        source->weights[set] = find_vertices(import, weights, 4, source->position->count);
        if (source->joints[set] == NULL || source->weights[set] == NULL) {
            return;
        }
    }
}

static bool is_same_source(const vertex_source *a, const vertex_source *b)
{
    return a->position == b->position && a->set_count == b->set_count && a->targets.count == b->targets.count &&
           memcmp(a->joints, b->joints, sizeof *a->joints * a->set_count) == 0 &&
           memcmp(a->weights, b->weights, sizeof *a->weights * a->set_count) == 0 &&
           (a->targets.count == 0 ||
               memcmp(a->targets.items, b->targets.items, a->targets.item_size * a->targets.count) == 0);
}

// Adds a primitive's vertices to the boxes. Returns false if they cannot be read.
static bool read_primitive(bounds_pass *pass, const mesh_reading *mesh, const vrmi_gltf_primitive *primitive)
{
    if (primitive->position < 0) {
        return true; // without positions nothing is drawn
    }
    const vertex_source before = pass->sources[0];
    pass->sources[0] = pass->sources[1];
    pass->sources[1] = before;
    vertex_source *source = &pass->sources[0];
    source->set_count = 0;
    source->position = find_vertices(pass->import, (uint32_t)primitive->position, 3, 0);
    if (primitive->compressed || source->position == NULL || !find_targets(pass, primitive, source)) {
        return false;
    }
    if (mesh->joint_count != 0) {
        find_skin_sets(pass->import, primitive, source);
    }
    if (is_same_source(source, &pass->sources[1])) {
        return true;
    }
    const uint32_t vertices = source->position->count;
    pass->reads += (uint64_t)vertices * (1 + source->targets.count + 2 * (uint64_t)source->set_count);
    if (pass->reads > MAX_READS) {
        return false;
    }
    for (uint32_t first = 0; first < vertices && vrmi_import_tick(pass->import, CHUNK); first += CHUNK) {
        const uint32_t count = vertices - first < CHUNK ? vertices - first : CHUNK;
        read_positions(pass->buffers, source, first, count);
        include_chunk(pass, mesh, source, first, count);
    }
    return true;
}

// --- rows ------------------------------------------------------------------------------------------------------------

// Returns boxes of zero size at the joints. All unreadable meshes of a palette share them.
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

// Clamps a coordinate, which a file can make arbitrarily large. The box then stays finite when a matrix transforms it.
static float held(float x)
{
    return vrmi_clamp(x, -VRMI_LARGEST_ORIGIN, VRMI_LARGEST_ORIGIN);
}

static vrmi_range touched_rows(bounds_pass *pass, const mesh_reading *mesh)
{
    vrmi_import *import = pass->import;
    const vrmi_range range = {import->model.bound.count, pass->touched_count};
    vrmi_bound_row *rows = vrmi_import_extend(import, &import->model.bound, range.count);
    for (uint32_t i = 0; i < range.count && rows != NULL; ++i) {
        const uint32_t joint = pass->touched[i];
        rows[i].node = mesh->joint_count != 0 ? mesh->joint_nodes[joint] : mesh->node;
        const float *low = pass->bounds[joint].low, *high = pass->bounds[joint].high;
        rows[i].box =
            (vrm_box){{held(low[0]), held(low[1]), held(low[2])}, {held(high[0]), held(high[1]), held(high[2])}};
    }
    return range;
}

static vrmi_range read_mesh(bounds_pass *pass, const mesh_reading *mesh, uint32_t gltf_mesh)
{
    const vrm_gltf *gltf = pass->import->gltf;
    const vrmi_gltf_range primitives = gltf->meshes[gltf_mesh].primitives;
    bool readable = pass->import->geometry || primitives.count == 0;
    pass->touched_count = 0;
    pass->sources[0].position = NULL; // the sources still stored belong to another mesh
    ++pass->stamp;
    vrmi_reach_begin_mesh(&pass->reach);
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

static int32_t palette_of(const bounds_pass *pass, const vrmi_mesh_row *mesh)
{
    return pass->skinned[mesh->gltf_mesh] ? mesh->palette : -1;
}

// Returns the height of the highest point of a transformed box.
static float top_of_box(const vrm_mat34 *matrix, const vrm_box *box)
{
    const float *row = matrix->m[1];
    return row[3] + vrmi_max(row[0] * box->min.x, row[0] * box->max.x) +
           vrmi_max(row[1] * box->min.y, row[1] * box->max.y) + vrmi_max(row[2] * box->min.z, row[2] * box->max.z);
}

// Reuses the result of an earlier mesh node with the same mesh and palette. Skinned nodes share the rows; unskinned
// ones get a copy of the box.
static bool copy_equal(bounds_pass *pass, const vrmi_mesh_row *mesh, uint32_t hash, uint32_t index)
{
    vrmi_import *import = pass->import;
    uint32_t slot = 0;
    for (uint32_t i = vrmi_table_hash_first(&pass->seen, hash, &slot); i != VRMI_HASH_NONE;
         i = vrmi_table_hash_next(&pass->seen, hash, &slot)) {
        const vrmi_mesh_row *other = VRMI_ROWS(import, mesh, vrmi_mesh_row) + i;
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
                pass->top = vrmi_max(top_of_box(rest, &box), pass->top);
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
        const vrmi_mesh_row *mesh = VRMI_ROWS(import, mesh, vrmi_mesh_row) + i;
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

// Measures heights above the ground plane Y = 0 in the rest pose.
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
    if (pass->top > -FAR && vrmi_finite(pass->top)) {
        head->body.height = pass->top;
    }
    const float height = head->body.height;
    if (top >= 0 && !(height >= 0.02f && height <= 200.0f)) {
        char found[40];
        vrmi_format(found, sizeof found, "%g m tall", (double)height);
        vrmi_reader_report(&pass->import->reader, VRM_FINDING_VRM1_MODEL_SIZE, 0, "nodes", found, "0.02 m to 200 m");
    }
}

void vrmi_import_bounds(vrmi_import *import)
{
    bounds_pass pass = {.import = import, .top = -FAR, .complete = true};
    pass.sources[0].targets.item_size = pass.sources[1].targets.item_size = sizeof(vrmi_gltf_accessor *);
    uint32_t joints = 1;
    for (uint32_t i = 0; i < import->model.palette.count; ++i) {
        const uint32_t count = VRMI_ROWS(import, palette, vrmi_palette_row)[i].joint_count;
        joints = count > joints ? count : joints;
    }
    pass.buffers = vrmi_import_scratch(import, 1, sizeof *pass.buffers);
    pass.bounds = vrmi_import_scratch(import, joints, sizeof *pass.bounds);
    pass.stamps = vrmi_import_scratch(import, joints, sizeof *pass.stamps);
    pass.touched = vrmi_import_scratch(import, joints, sizeof *pass.touched);
    pass.point_rows = vrmi_import_scratch(import, import->model.palette.count, sizeof *pass.point_rows);
    pass.skinned = vrmi_import_scratch(import, import->gltf->counts[VRM_GLTF_MESHES], sizeof *pass.skinned);
    vrmi_reach_init(&pass.reach, import, joints);
    (void)vrmi_import_extend(import, &import->model.mesh_bounds, import->model.mesh.count);
    if (vrmi_import_runs(import) && vrmi_table_hash_init(&pass.seen, import, import->model.mesh.count)) {
        read_all(&pass);
        if (!pass.complete) {
            import->model.head.flags |= VRM_AVATAR_NO_BOUNDS;
            vrmi_reader_report(&import->reader, VRM_FINDING_VRM1_NO_BOUNDS, 0, "meshes", NULL, NULL);
        }
        measure_body(&pass);
        vrmi_reach_finish(&pass.reach);
    }
    vrmi_array_free(&pass.sources[0].targets, &import->model.allocator);
    vrmi_array_free(&pass.sources[1].targets, &import->model.allocator);
}
