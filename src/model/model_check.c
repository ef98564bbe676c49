// SPDX-FileCopyrightText: 2026 The libvrm authors
// SPDX-License-Identifier: MIT

// Checks whether a block of bytes is a valid model before anything reads it by index. Every table must be within the
// block, every index within its table, every sequence in the order that the runtime needs, and every number finite and
// in range.

#include "model/model_check.h"

#include "math/quat.h"

#include <string.h>

typedef struct checker {
    const vrmi_model *m;
    bool good;
} checker;

static void require(checker *c, bool condition)
{
    c->good = c->good && condition;
}

// --- values --------------------------------------------------------------------------------------------------------

// Checks two floats at a time by their bits: a float with an exponent of all ones is NaN or infinite, and adding one to
// such an exponent carries into the sign bit.
static void floats(checker *c, const float *values, size_t count)
{
    enum { LANES = 4 };
    const uint64_t no_sign = 0x7fffffff7fffffffu, one_more = 0x0080000000800000u;
    uint64_t words[LANES], found[LANES] = {0};
    const size_t whole = count / (2 * LANES) * (2 * LANES);
    for (size_t i = 0; i < whole; i += 2 * LANES) {
        memcpy(words, values + i, sizeof(words));
        for (int k = 0; k < LANES; ++k) {
            found[k] |= (words[k] & no_sign) + one_more;
        }
    }
    for (size_t i = whole; i < count; ++i) {
        uint32_t word;
        memcpy(&word, values + i, sizeof(word));
        found[0] |= (word & no_sign) + one_more;
    }
    require(c, ((found[0] | found[1] | found[2] | found[3]) & ~no_sign) == 0);
}

// An empty box is inverted and infinite.
static void box_of_numbers(checker *c, const vrm_box *box)
{
    const float *values = &box->min.x;
    for (int i = 0; i < 6; ++i) {
        require(c, values[i] == values[i]);
    }
}

static void unit(checker *c, const vrm_quat *q)
{
    const float off = vrmi_quat_dot(*q, *q) - 1.0f;
    require(c, off > -1e-2f && off < 1e-2f); // false for NaN
}

static void within(checker *c, float value, float low, float high)
{
    require(c, value >= low && value <= high);
}

// A bool with any byte other than 0 or 1 is undefined behaviour in C.
static void flag(checker *c, const bool *value)
{
    const unsigned char byte = *(const unsigned char *)(const void *)value;
    require(c, byte <= 1);
}

static void index(checker *c, uint32_t value, uint32_t count)
{
    require(c, value < count);
}

static void index_or_none(checker *c, int32_t value, uint32_t count)
{
    require(c, value >= -1 && (value < 0 || (uint32_t)value < count));
}

static void range(checker *c, uint32_t first, uint32_t count, uint32_t rows)
{
    require(c, first <= rows && count <= rows - first);
}

// Text ends with a zero byte that is not part of its length.
static void name(checker *c, vrmi_name text)
{
    const vrmi_span strings = c->m->string;
    if (text.length == 0) {
        return;
    }
    const bool inside = text.offset < strings.count && text.length < strings.count - text.offset;
    require(c, inside && vrmi_model_string(c->m)[text.offset + text.length] == 0);
}

static void names(checker *c, const vrmi_name *rows, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        name(c, rows[i]);
    }
}

// --- the block -----------------------------------------------------------------------------------------------------

static void table(checker *c, vrmi_span span, size_t row_size)
{
    const size_t size = c->m->size;
    require(c, span.offset % 16 == 0 && span.offset >= sizeof(vrmi_model) && span.offset <= size &&
                   span.count <= (size - span.offset) / row_size);
}

static void tables(checker *c)
{
#define CHECK_TABLE(name, type) table(c, c->m->name, sizeof(type));
    VRMI_MODEL_TABLES(CHECK_TABLE)
#undef CHECK_TABLE
}

static void counts(checker *c)
{
    const vrmi_model *m = c->m;
    const uint32_t nodes = m->node_parent.count;
    const uint32_t per_node[] = {m->node_subtree_end.count, m->node_rest.count, m->node_rest_rotation.count,
        m->node_rest_matrix.count, m->node_gltf.count, m->node_bone.count, m->node_mesh.count, m->node_name.count,
        m->node_slot.count, m->node_pose.count};
    for (size_t i = 0; i < sizeof(per_node) / sizeof(per_node[0]); ++i) {
        require(c, per_node[i] == nodes);
    }
    require(c, m->mesh_bounds.count == m->mesh.count && m->morph_name.count == m->morph_base.count &&
                   m->palette_inverse_bind.count == m->palette_node.count && m->pose_fit.count == 1 &&
                   m->spring_file_order.count == m->spring_joint.count &&
                   m->joint_reach.count == m->spring_joint.count && m->old_term.count % 2 == 0);
}

// --- nodes ---------------------------------------------------------------------------------------------------------

// Nodes are in depth-first order, and each subtree is a range of nodes. A node is followed by its first child. A node
// without children is followed by the next child of an ancestor whose range continues. So each parent is checked before
// its children.
static void tree(checker *c)
{
    const int32_t *parents = vrmi_model_node_parent(c->m);
    const uint32_t *ends = vrmi_model_node_subtree_end(c->m), count = c->m->node_parent.count;
    require(c, count == 0 || parents[0] == -1);
    for (uint32_t i = 0; c->good && i < count; ++i) {
        const uint32_t end = ends[i], all = parents[i] < 0 ? count : ends[parents[i]];
        require(c, end > i && end <= all);
        require(c,
            !c->good || ((end == i + 1 || parents[i + 1] == (int32_t)i) && (end == all || parents[end] == parents[i])));
    }
}

static void nodes(checker *c)
{
    const vrmi_model *m = c->m;
    const uint32_t count = m->node_parent.count;
    tree(c);
    for (uint32_t i = 0; i < count; ++i) {
        unit(c, &vrmi_model_node_rest(m)[i].rotation);
        unit(c, &vrmi_model_node_rest_rotation(m)[i]);
        index_or_none(c, vrmi_model_node_bone(m)[i], VRM_HUMAN_BONE_COUNT);
        index_or_none(c, vrmi_model_node_mesh(m)[i], m->mesh.count);
        index(c, vrmi_model_node_gltf(m)[i], m->gltf_node.count);
    }
    floats(c, &vrmi_model_node_rest(m)->translation.x, (size_t)count * (sizeof(vrm_transform) / sizeof(float)));
    floats(c, &vrmi_model_node_rest_matrix(m)->m[0][0], (size_t)count * 12);
    for (uint32_t i = 0; i < m->gltf_node.count; ++i) {
        index(c, vrmi_model_gltf_node(m)[i], count);
    }
    names(c, vrmi_model_node_name(m), count);
}

// A node of the hair must be hair in all tables. Poses are in node order, the tree's poses first.
static void hair_rows(checker *c)
{
    const vrmi_model *m = c->m;
    const uint32_t *slots = vrmi_model_node_slot(m), *poses = vrmi_model_node_pose(m);
    const vrmi_hair_row *rows = vrmi_model_hair(m);
    uint32_t node = 0, tree = 0, hair = m->head.tree_count;
    require(
        c, m->head.tree_count <= m->node_parent.count && m->hair.count == m->node_parent.count - m->head.tree_count);
    for (uint32_t i = 0; c->good && i <= m->hair_range.count; ++i) {
        const vrmi_range none = {m->node_parent.count, 0};
        const vrmi_range *own = i < m->hair_range.count ? &vrmi_model_hair_range(m)[i] : &none;
        require(c, own->first >= node && (own->count > 0) == (i < m->hair_range.count));
        range(c, own->first, own->count, m->node_parent.count);
        for (; c->good && node < own->first; ++node) {
            require(c, poses[node] == tree++ && slots[node] < m->head.first_hair);
        }
        for (; c->good && node < own->first + own->count; ++node) {
            require(c, poses[node] == hair++ && slots[node] >= m->head.first_hair);
        }
    }
    for (uint32_t i = 0; c->good && i < m->hair.count; ++i) {
        require(
            c, rows[i].slot >= -1 && (rows[i].slot < 0 || (uint32_t)rows[i].slot / VRMI_LANES < m->spring_row.count));
        require(c, rows[i].slot < 0 || rows[i].chain < m->spring_chain.count);
    }
}

// Each node must be in a row after its parent's row, and in no other row.
static void node_rows(checker *c)
{
    const vrmi_model *m = c->m;
    const int32_t *parents = vrmi_model_node_parent(m);
    const uint32_t *rows = vrmi_model_node_row(m), *slots = vrmi_model_node_slot(m);
    require(c, m->node_row.count % VRMI_LANES == 0 && m->head.first_hair % VRMI_LANES == 0 &&
                   m->head.first_hair <= m->node_row.count);
    for (uint32_t i = 0; c->good && i < m->node_slot.count; ++i) {
        index(c, slots[i], m->node_row.count);
        require(c, c->good && rows[slots[i]] == i);
        require(c, parents[i] < 0 || slots[parents[i]] / VRMI_LANES < slots[i] / VRMI_LANES);
    }
    for (uint32_t i = 0; c->good && i < m->node_row.count; ++i) {
        index(c, rows[i], m->node_slot.count);
        require(c, c->good && slots[rows[i]] / VRMI_LANES == i / VRMI_LANES);
    }
    hair_rows(c);
    require(c, m->hair_follower.count % VRMI_LANES == 0);
    for (uint32_t i = 0; i < m->hair_follower.count; ++i) {
        index(c, vrmi_model_hair_follower(m)[i], m->node_parent.count);
    }
}

static void humanoid(checker *c)
{
    const vrmi_model_head *head = &c->m->head;
    const vrmi_pose_fit *fit = vrmi_model_pose_fit(c->m);
    uint64_t bones = 0, folds = 0;
    for (int bone = 0; bone < VRM_HUMAN_BONE_COUNT; ++bone) {
        index_or_none(c, head->bone_node[bone], c->m->node_parent.count);
        require(c, head->bone_parent[bone] >= -1 && head->bone_parent[bone] < (bone > 0 ? bone : 1));
        const int32_t above = vrm_human_bone_parent((vrm_human_bone)bone);
        const uint64_t bit = head->bone_node[bone] >= 0 ? UINT64_C(1) << bone : 0;
        bones |= bit;
        folds |= above >= 0 && head->bone_node[above] < 0 ? bit : 0;
    }
    require(c, fit->bones == bones && fit->folds == folds);
    floats(c, &fit->before.v[0][0][0], sizeof(fit->before) / sizeof(float));
    floats(c, &fit->after.v[0][0][0], sizeof(fit->after) / sizeof(float));
    floats(c, &fit->hips_from_model.m[0][0], 12);
}

// --- face ----------------------------------------------------------------------------------------------------------

static void expressions(checker *c)
{
    const vrmi_model *m = c->m;
    for (uint32_t i = 0; i < m->expression.count; ++i) {
        const vrmi_expression_row *row = &vrmi_model_expression(m)[i];
        name(c, row->name);
        name(c, row->own_name);
        require(c, row->preset < VRM_EXPRESSION_PRESET_COUNT || row->preset == VRM_EXPRESSION_CUSTOM);
        require(c, row->group < VRM_EXPRESSION_GROUP_COUNT);
        for (int group = 0; group < VRM_EXPRESSION_GROUP_COUNT; ++group) {
            require(c, row->overrides[group] <= VRM_EXPRESSION_OVERRIDE_BLEND);
        }
        floats(c, &row->binary_threshold, 1);
        range(c, row->first_morph_bind, row->morph_bind_count, m->morph_bind.count);
        range(c, row->first_color_bind, row->color_bind_count, m->color_bind.count);
        range(c, row->first_texture_bind, row->texture_bind_count, m->texture_bind.count);
    }
    for (int preset = 0; preset < VRM_EXPRESSION_PRESET_COUNT; ++preset) {
        index_or_none(c, m->head.preset_expression[preset], m->expression.count);
    }
    for (uint32_t i = 0; i < m->morph_bind.count; ++i) {
        index(c, vrmi_model_morph_bind(m)[i].morph, m->morph_base.count);
        floats(c, &vrmi_model_morph_bind(m)[i].weight, 1);
    }
    for (uint32_t i = 0; i < m->color_bind.count; ++i) {
        const vrmi_color_bind *bind = &vrmi_model_color_bind(m)[i];
        index(c, bind->material, m->material.count);
        index(c, bind->color, VRM_MATERIAL_COLOR_COUNT);
        floats(c, &bind->target.x, 4);
    }
    for (uint32_t i = 0; i < m->texture_bind.count; ++i) {
        const vrmi_texture_bind *bind = &vrmi_model_texture_bind(m)[i];
        index(c, bind->material, m->material.count);
        floats(c, bind->scale, 2);
        floats(c, bind->offset, 2);
    }
    floats(c, vrmi_model_morph_base(m), m->morph_base.count);
    names(c, vrmi_model_morph_name(m), m->morph_name.count);
}

static void look_at(checker *c)
{
    const vrmi_model *m = c->m;
    const vrmi_look_at_row *look = &m->head.look_at;
    require(c, (uint32_t)look->type <= VRM_LOOK_AT_EXPRESSION);
    floats(c, &look->offset_from_head_bone.x, 3);
    floats(c, &look->horizontal_inner.input_max, 4 * (sizeof(vrm_range_map) / sizeof(float)));
    for (int direction = 0; direction < VRM_LOOK_DIRECTION_COUNT; ++direction) {
        const vrmi_range keys = m->head.look_curve[direction];
        range(c, keys.first, keys.count, m->look_curve_key.count);
    }
    floats(c, &vrmi_model_look_curve_key(m)->time,
        (size_t)m->look_curve_key.count * (sizeof(vrm_curve_key) / sizeof(float)));
}

// --- materials and meshes --------------------------------------------------------------------------------------------

static void texture(checker *c, const vrm_texture *t)
{
    require(c, t->index >= -1);
    floats(c, &t->scale, 1);
    floats(c, t->transform.scale, sizeof(t->transform) / sizeof(float));
}

static void materials(checker *c)
{
    for (uint32_t i = 0; i < c->m->material.count; ++i) {
        const vrmi_material_row *row = &vrmi_model_material(c->m)[i];
        const vrm_material_params *p = &row->params;
        name(c, row->name);
        require(c, (uint32_t)p->type <= VRM_MATERIAL_MTOON && (uint32_t)p->alpha_mode <= VRM_ALPHA_BLEND &&
                       (uint32_t)p->outline_mode <= VRM_OUTLINE_SCREEN_COORDINATES);
        flag(c, &p->double_sided);
        flag(c, &p->transparent_with_z_write);
        const float numbers[] = {p->alpha_cutoff, p->emissive_strength, p->metallic, p->roughness, p->shading_shift,
            p->shading_toony, p->gi_equalization, p->rim_fresnel_power, p->rim_lift, p->rim_lighting_mix,
            p->outline_width, p->outline_lighting_mix, p->uv_scroll_speed[0], p->uv_scroll_speed[1],
            p->uv_rotation_speed};
        floats(c, numbers, sizeof(numbers) / sizeof(numbers[0]));
        floats(c, &p->colors[0].x, (size_t)VRM_MATERIAL_COLOR_COUNT * 4);
        for (int slot = 0; slot < VRM_TEXTURE_SLOT_COUNT; ++slot) {
            texture(c, &p->textures[slot]);
        }
    }
}

static void meshes(checker *c)
{
    const vrmi_model *m = c->m;
    for (uint32_t i = 0; i < m->mesh.count; ++i) {
        const vrmi_mesh_row *mesh = &vrmi_model_mesh(m)[i];
        index(c, mesh->node, m->node_parent.count);
        index_or_none(c, mesh->palette, m->palette.count);
        range(c, mesh->first_morph, mesh->morph_count, m->morph_base.count);
        require(c, (uint32_t)mesh->first_person <= VRM_FIRST_PERSON_FIRST_PERSON_ONLY);
        const vrmi_range bounds = vrmi_model_mesh_bounds(m)[i];
        range(c, bounds.first, bounds.count, m->bound.count);
    }
    for (uint32_t i = 0; i < m->bound.count; ++i) {
        index(c, vrmi_model_bound(m)[i].node, m->node_parent.count);
        box_of_numbers(c, &vrmi_model_bound(m)[i].box);
    }
    for (uint32_t i = 0; i < m->palette.count; ++i) {
        const vrmi_palette_row *row = &vrmi_model_palette(m)[i];
        range(c, row->first_joint, row->joint_count, m->palette_node.count);
    }
    for (uint32_t i = 0; i < m->palette_node.count; ++i) {
        index(c, vrmi_model_palette_node(m)[i], m->node_parent.count);
    }
    floats(c, &vrmi_model_palette_inverse_bind(m)->m[0][0], (size_t)m->palette_inverse_bind.count * 12);
}

// --- springs and constraints -----------------------------------------------------------------------------------------

static void joint(checker *c, const vrmi_joint_row *j)
{
    index(c, j->node, c->m->node_parent.count);
    index_or_none(c, j->tail_node, c->m->node_parent.count);
    floats(c, &j->tail.x, 3);
    within(c, j->params.hit_radius, 0.0f, 1e30f);
    within(c, j->params.drag_force, 0.0f, 1.0f);
    floats(c, &j->params.hit_radius, sizeof(j->params) / sizeof(float));
    require(c, (uint32_t)j->limit.type <= VRM_SPRING_LIMIT_SPHERICAL);
    floats(c, &j->limit.angle, 2);
    unit(c, &j->limit.rotation);
}

// The chains must cover the joints one after the other, without gap or overlap. Each joint of a chain must be an
// ancestor of the next.
static void springs(checker *c)
{
    const vrmi_model *m = c->m;
    const vrmi_joint_row *joints = vrmi_model_spring_joint(m);
    for (uint32_t i = 0; i < m->spring_joint.count; ++i) {
        joint(c, &joints[i]);
        floats(c, &vrmi_model_joint_reach(m)[i].center.x, sizeof(vrmi_joint_reach_row) / sizeof(float));
        index(c, vrmi_model_spring_file_order(m)[i], m->spring_joint.count);
    }
    uint32_t next = 0;
    for (uint32_t i = 0; c->good && i < m->spring_chain.count; ++i) {
        const vrmi_chain_row *chain = &vrmi_model_spring_chain(m)[i];
        name(c, chain->name);
        require(c, chain->first_joint == next && chain->joint_count > 0);
        range(c, chain->first_joint, chain->joint_count, m->spring_joint.count);
        range(c, chain->first_collider, chain->collider_count, m->chain_collider.count);
        index_or_none(c, chain->center, m->node_parent.count);
        next += chain->joint_count;
        for (uint32_t j = chain->first_joint + 1; c->good && j < next; ++j) {
            const uint32_t above = joints[j - 1].node;
            require(c, joints[j].node > above && joints[j].node < vrmi_model_node_subtree_end(m)[above]);
        }
    }
    require(c, next == m->spring_joint.count);
    for (uint32_t i = 0; i < m->chain_collider.count; ++i) {
        index(c, vrmi_model_chain_collider(m)[i], m->collider.count);
    }
    for (uint32_t i = 0; i < m->collider.count; ++i) {
        const vrmi_collider_row *collider = &vrmi_model_collider(m)[i];
        require(c, (uint32_t)collider->shape <= VRM_COLLIDER_PLANE);
        index(c, collider->node, m->node_parent.count);
        floats(c, &collider->offset.x, 7);
    }
}

// The group's colliders that are marked for a lane must be the colliders of the lane's chain.
static void lane_colliders(checker *c, const vrmi_spring_group_row *group, uint32_t lane)
{
    const vrmi_chain_row *chain = &vrmi_model_spring_chain(c->m)[group->chains[lane]];
    const uint32_t *expected = vrmi_model_chain_collider(c->m) + chain->first_collider;
    const vrmi_spring_group_collider *list = vrmi_model_spring_group_collider(c->m) + group->first_collider;
    uint32_t met = 0;
    for (uint32_t i = 0; c->good && i < group->collider_count; ++i) {
        if ((list[i].lanes >> lane & 1u) != 0) {
            require(c, met < chain->collider_count && list[i].collider == expected[met]);
            ++met;
        }
    }
    require(c, met == chain->collider_count);
}

// A row must equal the row computed from the tables of the joints.
static void spring_row(checker *c, const vrmi_spring_group_row *group, uint32_t depth)
{
    const vrmi_model *m = c->m;
    const vrmi_spring_tables tables = vrmi_model_spring_tables(m);
    const vrmi_spring_row *found = &vrmi_model_spring_row(m)[group->first_row + depth];
    vrmi_spring_row row;
    vrmi_spring_param_lanes params;
    vrmi_spring_down down;
    vrmi_spring_reach reach;
    vrmi_spring_between between;
    vrmi_spring_limit_row limits;
    memset(&between, 0, sizeof(between));
    index_or_none(c, found->between, m->spring_between.count);
    index_or_none(c, found->limit, m->spring_limit.count);
    index_or_none(c, found->frame, m->spring_frame.count);
    const bool leads = vrmi_spring_fill_row(&tables, group, depth, depth > 0 ? found - 1 : NULL, &row, &between);
    const bool limited = vrmi_spring_fill_limits(&tables, group, depth, &limits);
    vrmi_spring_fill_params(&tables, group, depth, &params);
    vrmi_spring_fill_down(&tables, vrmi_model_node_rest_matrix(m), group, depth, &down);
    vrmi_spring_fill_reach(&tables, vrmi_model_joint_reach(m), vrmi_model_node_rest_matrix(m), group, depth, &reach);
    require(c, leads == (found->between >= 0) && limited == (found->limit >= 0));
    row.between = found->between;
    row.limit = found->limit;
    row.frame = found->frame;
    const uint32_t at = group->first_row + depth;
    require(c, c->good && memcmp(&row, found, sizeof(row)) == 0 &&
                   memcmp(&params, &vrmi_model_spring_param_lanes(m)[at], sizeof(params)) == 0 &&
                   memcmp(&down, &vrmi_model_spring_down(m)[at], sizeof(down)) == 0 &&
                   memcmp(&reach, &vrmi_model_spring_reach(m)[at], sizeof(reach)) == 0);
    require(
        c, !c->good || !leads || memcmp(&between, &vrmi_model_spring_between(m)[found->between], sizeof(between)) == 0);
    require(c, !c->good || !limited || memcmp(&limits, &vrmi_model_spring_limit(m)[found->limit], sizeof(limits)) == 0);
}

static void spring_group(checker *c, const vrmi_spring_group_row *group)
{
    const vrmi_model *m = c->m;
    const uint32_t *slots = vrmi_model_spring_slot(m);
    range(c, group->first_row, group->row_count, m->spring_row.count);
    range(c, group->first_collider, group->collider_count, m->spring_group_collider.count);
    require(c, group->chain_count > 0 && group->chain_count <= VRMI_LANES && group->centered < 1u << VRMI_LANES &&
                   group->uneven <= 1);
    uint32_t longest = 0;
    for (uint32_t lane = 0; c->good && lane < VRMI_LANES; ++lane) {
        index_or_none(c, group->chains[lane], m->spring_chain.count);
        index(c, group->anchors[lane], m->spring_anchor.count);
        index(c, group->centers[lane], m->spring_anchor.count);
        require(c, (group->chains[lane] >= 0) == (lane < group->chain_count));
        if (!c->good || group->chains[lane] < 0) {
            continue;
        }
        const vrmi_chain_row *row = &vrmi_model_spring_chain(m)[group->chains[lane]];
        const uint32_t first = vrmi_model_spring_joint(m)[row->first_joint].node;
        const int32_t above = vrmi_model_spring_anchor(m)[group->anchors[lane]].node;
        longest = row->joint_count > longest ? row->joint_count : longest;
        require(c, above < (int32_t)first && (above < 0 || first < vrmi_model_node_subtree_end(m)[above]));
        for (uint32_t j = 0; c->good && j < row->joint_count; ++j) {
            require(c, slots[row->first_joint + j] == (group->first_row + j) * VRMI_LANES + lane);
        }
        lane_colliders(c, group, lane);
    }
    require(c, group->row_count == longest);
    for (uint32_t depth = 0; c->good && depth < group->row_count; ++depth) {
        spring_row(c, group, depth);
    }
}

static void spring_anchors(checker *c)
{
    const vrmi_model *m = c->m;
    const uint32_t slots = m->spring_row.count * VRMI_LANES;
    for (uint32_t i = 0; c->good && i < m->spring_anchor.count; ++i) {
        const vrmi_spring_anchor_row *anchor = &vrmi_model_spring_anchor(m)[i];
        index_or_none(c, anchor->node, m->node_parent.count);
        index_or_none(c, anchor->carrier, slots);
        require(c, (anchor->carrier >= 0) == (anchor->wave > 0) && anchor->wave < m->spring_wave.count &&
                       anchor->uneven <= 1 && (anchor->carrier >= 0 || anchor->top == i));
        index(c, anchor->top, m->spring_wave.count != 0 ? vrmi_model_spring_wave(m)[0].anchor_count : 0);
        floats(c, &anchor->scale, 2 + 12);
        if (c->good && anchor->carrier >= 0) {
            const vrmi_spring_row *row = &vrmi_model_spring_row(m)[anchor->carrier / VRMI_LANES];
            const uint32_t lane = (uint32_t)anchor->carrier % VRMI_LANES;
            index_or_none(c, row->frame, m->spring_frame.count);
            require(c, row->frame >= 0 && (row->lanes >> lane & 1u) != 0 && row->node[lane] <= (uint32_t)anchor->node &&
                           (uint32_t)anchor->node < vrmi_model_node_subtree_end(m)[row->node[lane]]);
        }
    }
    for (uint32_t i = 0; i < m->spring_frame.count; ++i) {
        index(c, vrmi_model_spring_frame(m)[i], m->spring_row.count);
    }
    for (uint32_t i = 0; i < m->collider_anchor.count; ++i) {
        index(c, vrmi_model_collider_anchor(m)[i], m->spring_anchor.count);
    }
}

// The waves must contain all groups in order, and the anchors and colliders that are updated before these groups.
static void spring_waves(checker *c)
{
    const vrmi_model *m = c->m;
    uint32_t groups = 0, anchors = 0;
    for (uint32_t i = 0; i < m->spring_wave_collider.count; ++i) {
        index(c, vrmi_model_spring_wave_collider(m)[i], m->collider.count);
    }
    for (uint32_t i = 0; c->good && i < m->spring_wave.count; ++i) {
        const vrmi_spring_wave_row *wave = &vrmi_model_spring_wave(m)[i];
        range(c, wave->first_group, wave->group_count, m->spring_group.count);
        range(c, wave->first_anchor, wave->anchor_count, m->spring_anchor.count);
        range(c, wave->first_collider, wave->collider_count, m->spring_wave_collider.count);
        require(c, (wave->group_count == 0 || wave->first_group == groups) &&
                       (wave->anchor_count == 0 || wave->first_anchor == anchors));
        groups += wave->group_count;
        for (uint32_t k = 0; c->good && k < wave->anchor_count; ++k) {
            require(c, vrmi_model_spring_anchor(m)[anchors + k].wave == i);
        }
        anchors += wave->anchor_count;
    }
    require(c, groups == m->spring_group.count && anchors == m->spring_anchor.count);
}

// The groups must contain each chain once, in a separate lane.
static void spring_groups(checker *c)
{
    const vrmi_model *m = c->m;
    const bool any = m->spring_chain.count != 0;
    const uint32_t words = any ? (m->node_parent.count + 31) / 32 : 0;
    require(c, m->spring_slot.count == m->spring_joint.count && m->spring_mask.count == words &&
                   m->spring_path.count == words && m->spring_path_turn.count == words &&
                   m->spring_param_lanes.count == m->spring_row.count && m->spring_down.count == m->spring_row.count &&
                   m->spring_reach.count == m->spring_row.count &&
                   m->collider_anchor.count == (any ? m->collider.count : 0));
    // The springs iterate over the set bits of the path, so bits after the last node must be 0.
    const uint32_t last = m->node_parent.count % 32;
    require(c, !c->good || words == 0 || last == 0 || vrmi_model_spring_path(m)[words - 1] >> last == 0);
    uint32_t chains = 0, rows = 0;
    for (uint32_t i = 0; i < m->spring_watch.count; ++i) {
        index(c, vrmi_model_spring_watch(m)[i], m->node_parent.count);
    }
    for (uint32_t i = 0; i < m->spring_group_collider.count; ++i) {
        index(c, vrmi_model_spring_group_collider(m)[i].collider, m->collider.count);
        require(c, vrmi_model_spring_group_collider(m)[i].lanes < 1u << VRMI_LANES);
    }
    for (uint32_t i = 0; i < m->spring_anchor.count; ++i) {
        index_or_none(c, vrmi_model_spring_anchor(m)[i].node, m->node_parent.count);
    }
    for (uint32_t i = 0; c->good && i < m->spring_group.count; ++i) {
        const vrmi_spring_group_row *group = &vrmi_model_spring_group(m)[i];
        require(c, group->first_row == rows);
        spring_group(c, group);
        rows += group->row_count;
        chains += group->chain_count;
    }
    // The counts match, and no two joints share a slot: each joint's slot was compared with its lane.
    require(c, chains == m->spring_chain.count && rows == m->spring_row.count);
    if (c->good) {
        spring_anchors(c);
        spring_waves(c);
    }
}

static void constraints(checker *c)
{
    for (uint32_t i = 0; i < c->m->constraint.count; ++i) {
        const vrmi_constraint_row *row = &vrmi_model_constraint(c->m)[i];
        require(c, (uint32_t)row->type <= VRM_CONSTRAINT_AIM_UP &&
                       (uint32_t)row->source_space <= VRM_CONSTRAINT_SPACE_MODEL &&
                       (uint32_t)row->destination_space <= VRM_CONSTRAINT_SPACE_MODEL);
        index(c, row->node, c->m->node_parent.count);
        index(c, row->source, c->m->node_parent.count);
        floats(c, &row->axis.x, 4);
        floats(c, &row->up.x, 3);
        for (int k = 0; k < 3; ++k) {
            flag(c, &row->axes[k]);
        }
    }
}

// --- the rest ------------------------------------------------------------------------------------------------------

static void meta(checker *c)
{
    const vrmi_model *m = c->m;
    const vrmi_meta_row *row = &m->head.meta;
    const vrmi_name texts[] = {row->name, row->version, row->copyright_information, row->contact_information,
        row->third_party_licenses, row->license_url, row->other_license_url};
    names(c, texts, sizeof(texts) / sizeof(texts[0]));
    names(c, vrmi_model_author(m), m->author.count);
    names(c, vrmi_model_reference(m), m->reference.count);
    names(c, vrmi_model_old_term(m), m->old_term.count);
    require(c, row->avatar_permission <= VRM_AVATAR_PERMISSION_EVERYONE &&
                   row->commercial_usage <= VRM_COMMERCIAL_USAGE_CORPORATION &&
                   row->credit_notation <= VRM_CREDIT_NOTATION_UNNECESSARY &&
                   row->modification <= VRM_MODIFICATION_ALLOW_MODIFICATION_REDISTRIBUTION &&
                   row->thumbnail_image >= -1);
    require(c, m->head.dialect <= VRMI_DIALECT_NONE);
    unit(c, &m->head.root_from_nodes);
    floats(c, &m->head.body.hips_height, sizeof(m->head.body) / sizeof(float));
}

bool vrmi_model_check(const vrmi_model *model)
{
    checker c = {model, true};
    tables(&c);
    if (c.good) {
        counts(&c);
    }
    static void (*const parts[])(checker *) = {
        nodes, node_rows, humanoid, expressions, look_at, materials, meshes, springs, spring_groups, constraints, meta};
    for (size_t i = 0; c.good && i < sizeof(parts) / sizeof(parts[0]); ++i) {
        parts[i](&c);
    }
    return c.good;
}
