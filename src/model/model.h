// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT
#ifndef VRMI_MODEL_MODEL_H
#define VRMI_MODEL_MODEL_H

// The avatar's tables: one block of offsets, immutable once packed. A row type without pointers is taken from the
// public headers; the other row types are defined here. The X-macro below defines the whole layout: the model's spans,
// the builder's arrays and the typed accessors are generated from it.

#include <vrm/avatar.h>

#include "base/array.h"
#include "model/pose_fit.h"
#include "model/spring_lanes.h"

// Text in the string table.
typedef struct vrmi_name {
    uint32_t offset, length;
} vrmi_name;

typedef struct vrmi_expression_row {
    vrmi_name name;
    vrmi_name own_name; // a 0.x preset's name in the file ("Surprised"), unless another expression has this name
    uint32_t preset, group;
    uint32_t overrides[VRM_EXPRESSION_GROUP_COUNT]; // vrm_expression_override, by overridden group
    float binary_threshold;                         // negative: not binary
    uint32_t first_morph_bind, morph_bind_count;
    uint32_t first_color_bind, color_bind_count;
    uint32_t first_texture_bind, texture_bind_count;
} vrmi_expression_row;

typedef struct vrmi_morph_bind {
    uint32_t morph; // index into the avatar's morph weights
    float weight;
} vrmi_morph_bind;

typedef struct vrmi_color_bind {
    uint32_t material;
    uint32_t color; // vrm_material_color
    vrm_vec4 target;
} vrmi_color_bind;

typedef struct vrmi_texture_bind {
    uint32_t material;
    float scale[2], offset[2]; // target values
} vrmi_texture_bind;

typedef struct vrmi_material_row {
    vrmi_name name;
    vrm_material_params params;
} vrmi_material_row;

typedef struct vrmi_palette_row {
    uint32_t first_joint, joint_count;
} vrmi_palette_row;

// The bounding box of the mesh vertices weighted to a node, in the node's local space. It covers the bind pose with
// morphs at any weights in [0, 1].
typedef struct vrmi_bound_row {
    uint32_t node;
    vrm_box box;
} vrmi_bound_row;

typedef struct vrmi_range {
    uint32_t first, count;
} vrmi_range;

typedef struct vrmi_chain_row {
    vrmi_name name;
    uint32_t first_joint, joint_count;
    uint32_t first_collider, collider_count; // range of rows in chain_collider
    int32_t center;
    uint32_t spring;
} vrmi_chain_row;

// The spring joint that moves a node of the hair.
typedef struct vrmi_hair_row {
    int32_t slot;   // slot of the node's joint; -1 if the node has no joint that can rotate, so that it stays at rest
    uint32_t chain; // chain of the joint
} vrmi_hair_row;

// X(table, row type)
#define VRMI_MODEL_TABLES(X) \
    X(node_parent, int32_t) /* node order: depth-first, parents before children */ \
    X(node_subtree_end, uint32_t) \
    X(node_rest, vrm_transform) \
    X(node_rest_rotation, vrm_quat) /* model space, without scale, with root_from_nodes */ \
    X(node_rest_matrix, vrm_mat34)  /* model space, with root_from_nodes */ \
    X(node_gltf, uint32_t) \
    X(node_bone, int32_t) /* vrm_human_bone or -1 */ \
    X(node_mesh, int32_t) \
    X(node_name, vrmi_name) \
    X(pose_fit, vrmi_pose_fit) /* one row */ \
    X(gltf_node, uint32_t)     /* glTF index -> node order */ \
    X(node_row, uint32_t)      /* rows of eight nodes, parents in earlier rows; some nodes repeated; the hair last */ \
    X(node_slot, uint32_t)     /* by node: its index in node_row */ \
    X(node_pose, uint32_t)     /* by node: row in an instance's poses; the tree's nodes first, then the hair's */ \
    X(hair, vrmi_hair_row)     /* hair nodes, by node_pose minus head.tree_count */ \
    X(hair_range, vrmi_range)  /* subtrees that the springs compute, in node order */ \
    X(hair_follower, uint32_t) /* nodes under joints that are not joints, in rows as in node_row */ \
    X(expression, vrmi_expression_row) \
    X(morph_bind, vrmi_morph_bind) \
    X(color_bind, vrmi_color_bind) \
    X(texture_bind, vrmi_texture_bind) \
    X(material, vrmi_material_row) \
    X(mesh, vrmi_mesh_row) \
    X(mesh_bounds, vrmi_range) /* rows of bound, by mesh node */ \
    X(bound, vrmi_bound_row) \
    X(morph_base, float) /* 0 if an expression binds the morph, else the file's default weight */ \
    X(morph_name, vrmi_name) \
    X(palette, vrmi_palette_row) \
    X(palette_node, uint32_t) \
    X(palette_inverse_bind, vrm_mat34) \
    X(spring_chain, vrmi_chain_row)      /* run order */ \
    X(spring_joint, vrmi_joint_row)      /* run order: root to tip, chain after chain */ \
    X(joint_reach, vrmi_joint_reach_row) /* by joint */ \
    X(spring_file_order, uint32_t)       /* i-th joint of the file's springs -> row of spring_joint */ \
    X(spring_slot, uint32_t)             /* by joint: its place in lanes */ \
    X(spring_mask, uint32_t)             /* bit per node: on or under a joint */ \
    X(spring_path, uint32_t)             /* bit per node: its local transform was used for rows or anchors */ \
    X(spring_path_turn, uint32_t)        /* spring_path without joints that can rotate */ \
    X(spring_watch, uint32_t)            /* nodes of spring_path that stages before the springs may write */ \
    X(spring_anchor, vrmi_spring_anchor_row) \
    X(spring_wave, vrmi_spring_wave_row) \
    X(spring_wave_collider, uint32_t) \
    X(spring_group, vrmi_spring_group_row) /* sorted: by wave, even, without center, longest first */ \
    X(spring_group_collider, vrmi_spring_group_collider) \
    X(spring_row, vrmi_spring_row) \
    X(spring_param_lanes, vrmi_spring_param_lanes) \
    X(spring_down, vrmi_spring_down) \
    X(spring_reach, vrmi_spring_reach) \
    X(spring_between, vrmi_spring_between) \
    X(spring_limit, vrmi_spring_limit_row) \
    X(spring_frame, uint32_t)      /* rows whose poses move anchors */ \
    X(collider_anchor, uint32_t)   /* by collider */ \
    X(collider, vrmi_collider_row) /* file order */ \
    X(chain_collider, uint32_t) \
    X(constraint, vrmi_constraint_row) /* run order: sources before their followers */ \
    X(look_curve_key, vrm_curve_key)   /* look-at curves of VRM 0.x; head.look_curve has each curve's range of keys */ \
    X(author, vrmi_name) \
    X(reference, vrmi_name) \
    X(old_term, vrmi_name) /* key, value, key, value ...: permissions as older dialects state them */ \
    X(string, char)

typedef struct vrmi_span {
    uint32_t offset; // bytes from the model's start, a multiple of 16
    uint32_t count;  // rows
} vrmi_span;

typedef struct vrmi_meta_row {
    vrmi_name name, version, copyright_information, contact_information, third_party_licenses, license_url,
        other_license_url;
    int32_t thumbnail_image;
    uint32_t stated;
    uint32_t avatar_permission, commercial_usage, credit_notation, modification;
    uint32_t allowed; // vrm_meta_field bits of the allow* booleans that are true
} vrmi_meta_row;

typedef enum vrmi_dialect {
    VRMI_DIALECT_1_0,
    VRMI_DIALECT_1_0_BETA,
    VRMI_DIALECT_1_0_DRAFT,
    VRMI_DIALECT_0_X,
    VRMI_DIALECT_NONE
} vrmi_dialect;

// The fields of an avatar that are not tables.
typedef struct vrmi_model_head {
    uint32_t flags; // vrm_avatar_flag
    uint32_t dialect;
    vrm_quat root_from_nodes; // between the instance's root and the glTF roots; identity for VRM 1.0, half a turn
                              // about Y for 0.x, which faces -Z
    int32_t bone_node[VRM_HUMAN_BONE_COUNT];
    int32_t bone_parent[VRM_HUMAN_BONE_COUNT]; // nearest existing ancestor bone, or -1
    int32_t preset_expression[VRM_EXPRESSION_PRESET_COUNT];
    vrmi_look_at_row look_at;
    vrmi_range look_curve[VRM_LOOK_DIRECTION_COUNT]; // rows of look_curve_key; empty: linear
    vrmi_body_row body;
    uint32_t any_center; // 1: some chain has a center
    uint32_t first_hair; // index in node_row of the first row that has nodes of hair_range
    uint32_t tree_count; // number of tree nodes; in node_pose, the nodes of hair_range start at this index
    vrmi_meta_row meta;
} vrmi_model_head;

typedef struct vrmi_model {
    uint32_t magic, size;
    vrmi_model_head head;
#define VRMI_MODEL_SPAN(table, type) vrmi_span table;
    VRMI_MODEL_TABLES(VRMI_MODEL_SPAN)
#undef VRMI_MODEL_SPAN
} vrmi_model;

// vrmi_model_node_parent(model) and so on: the table's rows.
#define VRMI_MODEL_ACCESSOR(table, type) \
    static inline const type *vrmi_model_##table(const vrmi_model *model) \
    { \
        return (const type *)(const void *)((const char *)model + model->table.offset); \
    }
VRMI_MODEL_TABLES(VRMI_MODEL_ACCESSOR)
#undef VRMI_MODEL_ACCESSOR

static inline vrmi_spring_tables vrmi_model_spring_tables(const vrmi_model *model)
{
    return (vrmi_spring_tables){vrmi_model_spring_chain(model), vrmi_model_spring_joint(model),
        vrmi_model_node_parent(model), vrmi_model_node_rest(model), vrmi_model_spring_anchor(model), NULL, NULL, NULL,
        0};
}

// Returns the rest rotation, in model space, of the space that contains a node.
static inline vrm_quat vrmi_rest_parent_rotation(const vrmi_model *model, uint32_t node)
{
    const int32_t parent = vrmi_model_node_parent(model)[node];
    return parent >= 0 ? vrmi_model_node_rest_rotation(model)[parent] : model->head.root_from_nodes;
}

static inline vrm_string vrmi_model_text(const vrmi_model *model, vrmi_name name)
{
    return (vrm_string){vrmi_model_string(model) + name.offset, name.length};
}

// An avatar owns a block of memory that contains the model, the part that can be saved.
struct vrm_avatar {
    vrm_allocator allocator;
    size_t allocated;
    uint32_t references; // atomic, through base/atomic.h
    const vrmi_model *model;
    // String tables for the public API, stored after the model.
    const vrm_string *author_strings, *reference_strings, *old_term_strings;
};

// Converts a row to the public meta. `text` is the string table; the strings are the authors and references.
void vrmi_meta_view(const vrmi_meta_row *row, const char *text, vrm_meta *out_meta);

// The tables while they are built, one growable array each.
typedef struct vrmi_model_builder {
    vrm_allocator allocator;
    bool out_of_memory;
    vrmi_model_head head;
#define VRMI_MODEL_ARRAY(table, type) vrmi_array table;
    VRMI_MODEL_TABLES(VRMI_MODEL_ARRAY)
#undef VRMI_MODEL_ARRAY
} vrmi_model_builder;

void vrmi_model_builder_init(vrmi_model_builder *builder, const vrm_allocator *allocator);
void vrmi_model_builder_free(vrmi_model_builder *builder);
// Reserves `length` bytes and a terminator in the string table. The pointer is valid until the next addition. If memory
// runs out, returns NULL and sets `out_of_memory`.
char *vrmi_model_builder_text(vrmi_model_builder *builder, size_t length, vrmi_name *out_name);
// Copies text into the string table.
vrmi_name vrmi_model_builder_name(vrmi_model_builder *builder, const char *text, size_t length);
// Computes the conversion of normalized poses to the avatar's local rotations. The model's nodes and head must be
// complete.
void vrmi_pose_fit_make(const vrmi_model *model, vrmi_pose_fit *out);
// Packs all tables into one block. The tables of spring lanes and of poses are computed from the other tables. The
// avatar then has one reference.
vrm_result vrmi_model_pack(vrmi_model_builder *builder, const vrm_allocator *allocator, vrm_avatar **out_avatar);

#endif
