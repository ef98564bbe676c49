// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef TESTS_MODEL_FIXTURE_H
#define TESTS_MODEL_FIXTURE_H

// Avatars made in memory, straight into the model's tables, so that tests of the runtime need no file. Nodes are added
// in any order and named by the index that they were added with, which becomes their glTF index; fixture_finish() sorts
// them depth-first and turns all indices into node order. Everything has simple defaults; reach into `builder` (via the
// returned rows) for the rest.
//
//     fixture f;
//     fixture_begin(&f);
//     fixture_humanoid(&f);
//     fixture_hair(&f, f.bones[VRM_HUMAN_BONE_HEAD], 4, 0.1f);
//     vrm_avatar *avatar = fixture_finish(&f);

#include <vrm/instance.h>

#include "math/mat34.h"
#include "model/model.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { FIXTURE_MAX_NODES = 2048 };

// Counts calls, and fails the one after `fail_after` when that is not 0.
typedef struct fixture_memory {
    long allocations, live, fail_after;
} fixture_memory;

typedef struct fixture_node {
    int32_t parent; // as added, -1 for a root
    vrm_transform rest;
    char name[32];
} fixture_node;

typedef struct fixture {
    fixture_memory memory;
    vrm_allocator allocator;
    vrmi_model_builder builder;
    uint32_t node_count;
    fixture_node nodes[FIXTURE_MAX_NODES];
    int32_t bones[VRM_HUMAN_BONE_COUNT]; // node as added, or -1
    int32_t order[FIXTURE_MAX_NODES];    // filled by fixture_finish(): as added -> node order
} fixture;

static inline void *fixture_allocate(size_t size, size_t alignment, void *user)
{
    fixture_memory *memory = user;
    if (memory->fail_after != 0 && memory->allocations >= memory->fail_after) {
        return NULL;
    }
    ++memory->allocations;
    ++memory->live;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static inline void fixture_release(void *pointer, size_t size, void *user)
{
    (void)size;
    --((fixture_memory *)user)->live;
    free(pointer);
}

static inline vrm_transform fixture_at(float x, float y, float z)
{
    return (vrm_transform){{x, y, z}, {0.0f, 0.0f, 0.0f, 1.0f}, {1.0f, 1.0f, 1.0f}};
}

static inline vrm_transform fixture_turned(float x, float y, float z, vrm_vec3 axis, float angle)
{
    vrm_transform t = fixture_at(x, y, z);
    t.rotation = vrmi_quat_from_axis_angle(vrmi_vec3_normalize_or(axis, vrmi_vec3(0, 1, 0)), angle);
    return t;
}

// The fixture must outlive its avatars (it holds the allocator's counters).
static inline void fixture_begin(fixture *f)
{
    memset(f, 0, sizeof(*f));
    f->allocator = (vrm_allocator){fixture_allocate, fixture_release, &f->memory};
    vrmi_model_builder_init(&f->builder, &f->allocator);
    f->builder.head.root_from_nodes = vrmi_quat_identity();
    for (int i = 0; i < VRM_HUMAN_BONE_COUNT; ++i) {
        f->bones[i] = f->builder.head.bone_node[i] = f->builder.head.bone_parent[i] = -1;
    }
    for (int i = 0; i < VRM_EXPRESSION_PRESET_COUNT; ++i) {
        f->builder.head.preset_expression[i] = -1;
    }
    f->builder.head.meta.thumbnail_image = -1;
}

#define FIXTURE_PUSH(f, table, type) ((type *)vrmi_array_push(&(f)->builder.table, &(f)->allocator))
#define FIXTURE_ROW(f, table, type, i) (&((type *)(f)->builder.table.items)[i])

static inline vrmi_name fixture_name(fixture *f, const char *text)
{
    return vrmi_model_builder_name(&f->builder, text, strlen(text));
}

static inline int32_t fixture_node_add(fixture *f, int32_t parent, const char *name, vrm_transform rest)
{
    assert(f->node_count < FIXTURE_MAX_NODES && parent < (int32_t)f->node_count);
    fixture_node *node = &f->nodes[f->node_count];
    node->parent = parent;
    node->rest = rest;
    strncpy(node->name, name, sizeof(node->name) - 1);
    return (int32_t)f->node_count++;
}

static inline int32_t fixture_bone(fixture *f, vrm_human_bone bone, int32_t parent, vrm_transform rest)
{
    static const char *const names[] = {
#define FIXTURE_BONE_NAME(name, json, up, required, needs) json,
        VRM_HUMAN_BONES(FIXTURE_BONE_NAME)
#undef FIXTURE_BONE_NAME
    };
    return f->bones[bone] = fixture_node_add(f, parent, names[bone], rest);
}

// Rest matrix, in model space, of a node as added.
static inline void fixture_rest_matrix(const fixture *f, int32_t node, vrm_mat34 *out)
{
    const vrm_transform root = {{0, 0, 0}, f->builder.head.root_from_nodes, {1, 1, 1}};
    vrm_mat34 local, parent;
    if (node < 0) {
        vrmi_mat34_from_transform(&root, out);
        return;
    }
    vrmi_mat34_from_transform(&f->nodes[node].rest, &local);
    fixture_rest_matrix(f, f->nodes[node].parent, &parent);
    vrmi_mat34_mul(&parent, &local, out);
}

// The required bones and shoulders, neck, chest and eyes, 1.6 m tall. Spine, head, eyes, arms and a node between head
// and eyes have rest rotations, because VRM 1.0 leaves them free. Gaze by bones, 90 degrees of input to 10 of output.
static inline void fixture_humanoid(fixture *f)
{
    const vrm_vec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1}, skew = {1, 2, 3};
    int32_t *b = f->bones;
    const int32_t root = fixture_node_add(f, -1, "root", fixture_at(0, 0, 0));
    fixture_bone(f, VRM_HUMAN_BONE_HIPS, root, fixture_at(0, 0.9f, 0));
    fixture_bone(f, VRM_HUMAN_BONE_SPINE, b[VRM_HUMAN_BONE_HIPS], fixture_turned(0, 0.1f, 0, x, 0.1f));
    fixture_bone(f, VRM_HUMAN_BONE_CHEST, b[VRM_HUMAN_BONE_SPINE], fixture_turned(0, 0.15f, 0, x, -0.1f));
    fixture_bone(f, VRM_HUMAN_BONE_NECK, b[VRM_HUMAN_BONE_CHEST], fixture_at(0, 0.25f, 0));
    fixture_bone(f, VRM_HUMAN_BONE_HEAD, b[VRM_HUMAN_BONE_NECK], fixture_turned(0, 0.08f, 0, skew, 0.4f));
    const int32_t face = fixture_node_add(f, b[VRM_HUMAN_BONE_HEAD], "face", fixture_turned(0, 0.02f, 0.03f, y, 0.3f));
    fixture_bone(f, VRM_HUMAN_BONE_LEFT_EYE, face, fixture_turned(0.03f, 0.04f, 0.04f, y, 0.38f));
    fixture_bone(f, VRM_HUMAN_BONE_RIGHT_EYE, face, fixture_turned(-0.03f, 0.04f, 0.04f, y, -0.38f));
    for (int side = 0; side < 2; ++side) {
        const float s = side == 0 ? 1.0f : -1.0f;
        const int leg = side == 0 ? VRM_HUMAN_BONE_LEFT_UPPER_LEG : VRM_HUMAN_BONE_RIGHT_UPPER_LEG;
        const int arm = side == 0 ? VRM_HUMAN_BONE_LEFT_SHOULDER : VRM_HUMAN_BONE_RIGHT_SHOULDER;
        fixture_bone(f, (vrm_human_bone)leg, b[VRM_HUMAN_BONE_HIPS], fixture_at(s * 0.08f, -0.05f, 0));
        fixture_bone(f, (vrm_human_bone)(leg + 1), b[leg], fixture_at(0, -0.4f, 0));
        fixture_bone(f, (vrm_human_bone)(leg + 2), b[leg + 1], fixture_at(0, -0.4f, 0));
        fixture_bone(f, (vrm_human_bone)arm, b[VRM_HUMAN_BONE_CHEST], fixture_at(s * 0.03f, 0.2f, 0));
        fixture_bone(f, (vrm_human_bone)(arm + 1), b[arm], fixture_turned(s * 0.1f, 0, 0, z, s * -1.57f));
        fixture_bone(f, (vrm_human_bone)(arm + 2), b[arm + 1], fixture_turned(0, 0.25f, 0, y, 0.2f));
        fixture_bone(f, (vrm_human_bone)(arm + 3), b[arm + 2], fixture_at(0, 0.25f, 0));
    }
    const float in = 1.57079633f, out = 0.174532925f;
    f->builder.head.look_at =
        (vrm_look_at){VRM_LOOK_AT_BONE, {0.0f, 0.06f, 0.02f}, {in, out}, {in, out}, {in, out}, {in, out}};
    f->builder.head.body = (vrm_body){0.9f, 1.54f, 1.6f};
}

// A constraint; row order is run order. `axis` counts for roll and aim.
static inline void fixture_constraint(
    fixture *f, vrm_constraint_type type, int32_t node, int32_t source, vrm_vec3 axis, float weight)
{
    *FIXTURE_PUSH(f, constraint, vrm_constraint) = (vrm_constraint){
        .type = type, .node = (uint32_t)node, .source = (uint32_t)source, .axis = axis, .weight = weight};
}

static inline vrm_spring_joint_params fixture_joint_params(float stiffness, float gravity, float drag, float radius)
{
    return (vrm_spring_joint_params){radius, stiffness, gravity, {0.0f, -1.0f, 0.0f}, drag};
}

// A chain over `count` nodes (as added), the last of which is only a tail. Nodes may be skipped. Returns its row; joints
// are the last `count - 1` rows of spring_joint and may be changed there.
static inline uint32_t fixture_chain(
    fixture *f, const int32_t *nodes, uint32_t count, vrm_spring_joint_params params, int32_t center)
{
    const uint32_t index = f->builder.spring_chain.count;
    vrmi_chain_row *chain = FIXTURE_PUSH(f, spring_chain, vrmi_chain_row);
    chain->name = fixture_name(f, "chain");
    chain->first_joint = f->builder.spring_joint.count;
    chain->joint_count = count - 1;
    chain->first_collider = f->builder.chain_collider.count;
    chain->center = center;
    chain->spring = index;
    for (uint32_t i = 0; i + 1 < count; ++i) {
        vrm_mat34 head, tail, inverse;
        fixture_rest_matrix(f, nodes[i], &head);
        fixture_rest_matrix(f, nodes[i + 1], &tail);
        vrmi_mat34_invert(&head, &inverse);
        *FIXTURE_PUSH(f, spring_file_order, uint32_t) = f->builder.spring_joint.count;
        *FIXTURE_PUSH(f, spring_joint, vrm_spring_joint) = (vrm_spring_joint){.node = (uint32_t)nodes[i],
            .tail_node = nodes[i + 1],
            .tail = vrmi_mat34_point(&inverse, vrmi_mat34_translation(&tail)),
            .spring = index,
            .joint = i,
            .params = params,
            .limit = {.rotation = {0, 0, 0, 1}}};
    }
    return index;
}

// A collider of the chain that was added last.
static inline uint32_t fixture_collider(fixture *f, vrm_collider collider)
{
    const uint32_t index = f->builder.collider.count;
    *FIXTURE_PUSH(f, collider, vrm_collider) = collider;
    *FIXTURE_PUSH(f, chain_collider, uint32_t) = index;
    ++FIXTURE_ROW(f, spring_chain, vrmi_chain_row, f->builder.spring_chain.count - 1)->collider_count;
    return index;
}

// `count` new nodes hanging down below `parent`, `length` apart, and a chain over them. Returns the first node.
static inline int32_t fixture_hair(fixture *f, int32_t parent, uint32_t count, float length)
{
    int32_t nodes[64];
    assert(count >= 2 && count <= 64);
    for (uint32_t i = 0; i < count; ++i) {
        nodes[i] =
            fixture_node_add(f, i == 0 ? parent : nodes[i - 1], "hair", fixture_at(0, i == 0 ? 0.0f : -length, 0));
    }
    fixture_chain(f, nodes, count, fixture_joint_params(1.0f, 0.1f, 0.4f, 0.01f), -1);
    return nodes[0];
}

// A mesh on a node: `morphs` weights, base 0, and unless `joint_count` is 0 a palette with inverse rest matrices. Every
// joint (the node itself without a skin) carries a box of +-`radius`. Returns the mesh's index.
static inline uint32_t fixture_mesh(
    fixture *f, int32_t node, uint32_t morphs, const int32_t *joints, uint32_t joint_count, float radius)
{
    const uint32_t index = f->builder.mesh.count;
    vrm_mesh *mesh = FIXTURE_PUSH(f, mesh, vrm_mesh);
    *mesh = (vrm_mesh){(uint32_t)node, index, -1, -1, f->builder.morph_base.count, morphs, VRM_FIRST_PERSON_AUTO};
    if (joint_count != 0) {
        mesh->gltf_skin = mesh->palette = (int32_t)f->builder.palette.count;
        *FIXTURE_PUSH(f, palette, vrmi_palette_row) = (vrmi_palette_row){f->builder.palette_node.count, joint_count};
    }
    for (uint32_t i = 0; i < morphs; ++i) {
        char name[16] = "morph_aa";
        name[6] = (char)('a' + i / 26 % 26);
        name[7] = (char)('a' + i % 26);
        *FIXTURE_PUSH(f, morph_base, float) = 0.0f;
        *FIXTURE_PUSH(f, morph_name, vrmi_name) = fixture_name(f, name);
    }
    vrmi_range *bounds = FIXTURE_PUSH(f, mesh_bounds, vrmi_range);
    *bounds = (vrmi_range){f->builder.bound.count, joint_count != 0 ? joint_count : 1};
    for (uint32_t i = 0; i < bounds->count; ++i) {
        const int32_t joint = joint_count != 0 ? joints[i] : node;
        *FIXTURE_PUSH(f, bound, vrmi_bound_row) =
            (vrmi_bound_row){(uint32_t)joint, {{-radius, -radius, -radius}, {radius, radius, radius}}};
        if (joint_count != 0) {
            vrm_mat34 rest;
            fixture_rest_matrix(f, joint, &rest);
            *FIXTURE_PUSH(f, palette_node, uint32_t) = (uint32_t)joint;
            vrmi_mat34_invert(&rest, FIXTURE_PUSH(f, palette_inverse_bind, vrm_mat34));
        }
    }
    return index;
}

// A material with white colours and no textures.
static inline vrmi_material_row *fixture_material(fixture *f, const char *name)
{
    const vrmi_name text = fixture_name(f, name);
    vrmi_material_row *row = FIXTURE_PUSH(f, material, vrmi_material_row);
    row->name = text;
    row->params.type = VRM_MATERIAL_MTOON;
    row->params.alpha_cutoff = 0.5f;
    row->params.emissive_strength = 1.0f;
    for (int i = 0; i < VRM_MATERIAL_COLOR_COUNT; ++i) {
        row->params.colors[i] = (vrm_vec4){1, 1, 1, 1};
    }
    for (int i = 0; i < VRM_TEXTURE_SLOT_COUNT; ++i) {
        row->params.textures[i] = (vrm_texture){-1, 0, 1.0f, {{1, 1}, {0, 0}, 0}};
    }
    return row;
}

// A preset, or a custom one (preset VRM_EXPRESSION_CUSTOM) of this name. Add presets in enum order, customs last. Binds
// added next are its own. Returns its index; the row stays valid until the next one is added.
static inline uint32_t fixture_expression(fixture *f, vrm_expression_preset preset, const char *custom)
{
    static const char *const names[] = {
#define FIXTURE_PRESET_NAME(name, json, group) json,
        VRM_EXPRESSION_PRESETS(FIXTURE_PRESET_NAME)
#undef FIXTURE_PRESET_NAME
    };
    static const uint32_t groups[] = {
#define FIXTURE_PRESET_GROUP(name, json, group) VRM_EXPRESSION_GROUP_##group,
        VRM_EXPRESSION_PRESETS(FIXTURE_PRESET_GROUP)
#undef FIXTURE_PRESET_GROUP
    };
    const uint32_t index = f->builder.expression.count;
    const vrmi_name name = fixture_name(f, preset < VRM_EXPRESSION_CUSTOM ? names[preset] : custom);
    vrmi_expression_row *row = FIXTURE_PUSH(f, expression, vrmi_expression_row);
    row->name = name;
    row->preset = preset;
    row->group = preset < VRM_EXPRESSION_CUSTOM ? groups[preset] : (uint32_t)VRM_EXPRESSION_GROUP_NONE;
    row->binary_threshold = -1.0f;
    row->first_morph_bind = f->builder.morph_bind.count;
    row->first_color_bind = f->builder.color_bind.count;
    row->first_texture_bind = f->builder.texture_bind.count;
    if (preset < VRM_EXPRESSION_CUSTOM) {
        f->builder.head.preset_expression[preset] = (int32_t)index;
    }
    return index;
}

static inline vrmi_expression_row *fixture_last_expression(fixture *f)
{
    return FIXTURE_ROW(f, expression, vrmi_expression_row, f->builder.expression.count - 1);
}

static inline void fixture_bind_morph(fixture *f, uint32_t morph, float weight)
{
    *FIXTURE_PUSH(f, morph_bind, vrmi_morph_bind) = (vrmi_morph_bind){morph, weight};
    ++fixture_last_expression(f)->morph_bind_count;
}

static inline void fixture_bind_color(fixture *f, uint32_t material, vrm_material_color color, vrm_vec4 target)
{
    *FIXTURE_PUSH(f, color_bind, vrmi_color_bind) = (vrmi_color_bind){material, color, target};
    ++fixture_last_expression(f)->color_bind_count;
}

static inline void fixture_bind_texture(fixture *f, uint32_t material, const float scale[2], const float offset[2])
{
    *FIXTURE_PUSH(f, texture_bind, vrmi_texture_bind) =
        (vrmi_texture_bind){material, {scale[0], scale[1]}, {offset[0], offset[1]}};
    ++fixture_last_expression(f)->texture_bind_count;
}

static inline void fixture_place_node(fixture *f, int32_t added, int32_t parent_order)
{
    const uint32_t at = f->builder.node_parent.count;
    f->order[added] = (int32_t)at;
    vrm_mat34 rest;
    vrm_quat rotation = f->nodes[added].rest.rotation;
    for (int32_t up = f->nodes[added].parent; up >= 0; up = f->nodes[up].parent) {
        rotation = vrmi_quat_mul(f->nodes[up].rest.rotation, rotation);
    }
    fixture_rest_matrix(f, added, &rest);
    *FIXTURE_PUSH(f, node_parent, int32_t) = parent_order;
    *FIXTURE_PUSH(f, node_subtree_end, uint32_t) = 0;
    *FIXTURE_PUSH(f, node_rest, vrm_transform) = f->nodes[added].rest;
    *FIXTURE_PUSH(f, node_rest_rotation, vrm_quat) = vrmi_quat_mul(f->builder.head.root_from_nodes, rotation);
    *FIXTURE_PUSH(f, node_rest_matrix, vrm_mat34) = rest;
    *FIXTURE_PUSH(f, node_gltf, uint32_t) = (uint32_t)added;
    *FIXTURE_PUSH(f, node_bone, int32_t) = -1;
    *FIXTURE_PUSH(f, node_mesh, int32_t) = -1;
    *FIXTURE_PUSH(f, node_name, vrmi_name) = fixture_name(f, f->nodes[added].name);
    for (int32_t child = added + 1; child < (int32_t)f->node_count; ++child) {
        if (f->nodes[child].parent == added) {
            fixture_place_node(f, child, (int32_t)at);
        }
    }
    *FIXTURE_ROW(f, node_subtree_end, uint32_t, at) = f->builder.node_parent.count;
}

static inline void fixture_place_bones(fixture *f)
{
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        if (f->bones[bone] < 0) {
            continue;
        }
        f->builder.head.bone_node[bone] = f->order[f->bones[bone]];
        *FIXTURE_ROW(f, node_bone, int32_t, f->order[f->bones[bone]]) = bone;
        for (int32_t up = f->nodes[f->bones[bone]].parent; up >= 0; up = f->nodes[up].parent) {
            for (int other = 0; other < VRM_HUMAN_BONE_COUNT && f->builder.head.bone_parent[bone] < 0; ++other) {
                f->builder.head.bone_parent[bone] = f->bones[other] == up ? other : -1;
            }
        }
    }
}

// Sorts the nodes, turns indices into node order and packs. NULL when memory failed. Frees the builder.
static inline vrm_avatar *fixture_finish(fixture *f)
{
    for (int32_t i = 0; i < (int32_t)f->node_count; ++i) {
        if (f->nodes[i].parent < 0) {
            fixture_place_node(f, i, -1);
        }
    }
    for (uint32_t i = 0; i < f->node_count; ++i) {
        *FIXTURE_PUSH(f, gltf_node, uint32_t) = (uint32_t)f->order[i];
    }
    fixture_place_bones(f);
#define FIXTURE_REMAP(table, type, field) \
    for (uint32_t i = 0; i < f->builder.table.count; ++i) { \
        type *row = FIXTURE_ROW(f, table, type, i); \
        row->field = (uint32_t)f->order[row->field]; \
    }
    FIXTURE_REMAP(mesh, vrm_mesh, node)
    FIXTURE_REMAP(bound, vrmi_bound_row, node)
    FIXTURE_REMAP(collider, vrm_collider, node)
    FIXTURE_REMAP(constraint, vrm_constraint, node)
    FIXTURE_REMAP(constraint, vrm_constraint, source)
    FIXTURE_REMAP(spring_joint, vrm_spring_joint, node)
#undef FIXTURE_REMAP
    for (uint32_t i = 0; i < f->builder.spring_joint.count; ++i) {
        vrm_spring_joint *row = FIXTURE_ROW(f, spring_joint, vrm_spring_joint, i);
        row->tail_node = row->tail_node >= 0 ? f->order[row->tail_node] : -1;
    }
    for (uint32_t i = 0; i < f->builder.spring_chain.count; ++i) {
        vrmi_chain_row *row = FIXTURE_ROW(f, spring_chain, vrmi_chain_row, i);
        row->center = row->center >= 0 ? f->order[row->center] : -1;
    }
    for (uint32_t i = 0; i < f->builder.palette_node.count; ++i) {
        uint32_t *row = FIXTURE_ROW(f, palette_node, uint32_t, i);
        *row = (uint32_t)f->order[*row];
    }
    for (uint32_t i = 0; i < f->builder.mesh.count; ++i) {
        *FIXTURE_ROW(f, node_mesh, int32_t, FIXTURE_ROW(f, mesh, vrm_mesh, i)->node) = (int32_t)i;
    }
    vrm_avatar *avatar = NULL;
    const vrm_result result = vrmi_model_pack(&f->builder, &f->allocator, &avatar);
    vrmi_model_builder_free(&f->builder);
    return result == VRM_SUCCESS ? avatar : NULL;
}

// An avatar that uses every stage: the humanoid, 17 chains of 8 joints around head and hips with four collider tests
// each (one chain hangs under a constrained node), constraints of each kind (one follows an eye), expressions with
// overrides, a skinned mesh with morphs, materials that scroll.
static inline void fixture_everything(fixture *f)
{
    fixture_humanoid(f);
    const int32_t *b = f->bones;
    const int32_t head = b[VRM_HUMAN_BONE_HEAD];
    const int32_t lid = fixture_node_add(f, head, "lid", fixture_turned(0.05f, 0.1f, 0, vrmi_vec3(1, 0, 0), 0.2f));
    const int32_t pointer = fixture_node_add(f, head, "pointer", fixture_at(0, 0.15f, 0));
    fixture_constraint(f, VRM_CONSTRAINT_ROTATION, lid, b[VRM_HUMAN_BONE_LEFT_EYE], vrmi_vec3(0, 0, 0), 0.7f);
    fixture_constraint(f, VRM_CONSTRAINT_AIM, pointer, b[VRM_HUMAN_BONE_LEFT_HAND], vrmi_vec3(0, 1, 0), 0.5f);
    fixture_constraint(f, VRM_CONSTRAINT_ROLL, b[VRM_HUMAN_BONE_LEFT_LOWER_ARM], b[VRM_HUMAN_BONE_LEFT_HAND],
        vrmi_vec3(1, 0, 0), 0.6f);
    for (int chain = 0; chain < 17; ++chain) {
        const float angle = 6.2831853f * (float)chain / 17.0f;
        float sine, cosine;
        vrmi_sincos(angle, &sine, &cosine);
        const int32_t parent = chain == 0 ? lid : (chain < 9 ? head : b[VRM_HUMAN_BONE_HIPS]);
        int32_t nodes[9];
        for (int i = 0; i < 9; ++i) {
            nodes[i] =
                i == 0 ? fixture_node_add(f, parent, "hair", fixture_at(0.1f * sine, 0.1f, 0.1f * cosine))
                       : fixture_node_add(f, nodes[i - 1], "hair", fixture_at(0.01f * sine, -0.05f, 0.01f * cosine));
        }
        fixture_chain(
            f, nodes, 9, fixture_joint_params(0.5f + 0.1f * (float)chain, 0.2f, 0.4f, 0.01f), chain == 3 ? head : -1);
        for (int i = 0; i < 4; ++i) {
            fixture_collider(
                f, (vrm_collider){i % 2 == 0 ? VRM_COLLIDER_SPHERE : VRM_COLLIDER_CAPSULE,
                       (uint32_t)(i < 2 ? head : b[VRM_HUMAN_BONE_CHEST]), {0, 0.05f, 0}, {0, -0.1f, 0.02f}, 0.09f});
        }
    }
    const int32_t joints[4] = {b[VRM_HUMAN_BONE_HIPS], b[VRM_HUMAN_BONE_CHEST], head, lid};
    fixture_mesh(f, fixture_node_add(f, 0, "body", fixture_at(0, 0, 0)), 20, joints, 4, 0.2f);
    fixture_material(f, "skin");
    fixture_material(f, "cloth")->params.uv_scroll_speed[0] = 0.1f;
    const float scale[2] = {1, 1}, offset[2] = {0.25f, 0};
    for (int preset = 0; preset < VRM_EXPRESSION_PRESET_COUNT; ++preset) {
        fixture_expression(f, (vrm_expression_preset)preset, NULL);
        fixture_bind_morph(f, (uint32_t)preset, 1.0f);
        fixture_bind_morph(f, 18, 0.25f);
        if (preset == VRM_EXPRESSION_PRESET_HAPPY) {
            fixture_last_expression(f)->overrides[VRM_EXPRESSION_GROUP_LOOK_AT] = VRM_EXPRESSION_OVERRIDE_BLEND;
            fixture_last_expression(f)->overrides[VRM_EXPRESSION_GROUP_BLINK] = VRM_EXPRESSION_OVERRIDE_BLEND;
            fixture_bind_color(f, 0, VRM_MATERIAL_COLOR_BASE, (vrm_vec4){1, 0.5f, 0.25f, 1});
            fixture_bind_texture(f, 1, scale, offset);
        }
    }
    fixture_expression(f, VRM_EXPRESSION_CUSTOM, "wink");
    fixture_bind_morph(f, 19, 1.0f);
}

// An instance with the default def.
static inline vrm_instance *fixture_instance(const vrm_avatar *avatar)
{
    vrm_instance_def def;
    vrm_instance_def_default(&def);
    def.avatar = avatar;
    vrm_instance *instance = NULL;
    const vrm_result result = vrm_instance_create(&def, &instance);
    return result == VRM_SUCCESS ? instance : NULL;
}

#endif
